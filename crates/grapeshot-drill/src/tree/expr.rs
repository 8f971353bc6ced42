//! Expressions, and the kinds of values a field may have.

use super::{Dotted, Name};
use crate::number::Fraction;
use crate::source::Span;

/// An expression and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
    /// How deep it is: 1 more than the deepest of its parts. Whoever walks a tree does so by recursion, so the parser
    /// lets none become too deep.
    pub depth: u16,
}

impl Expr {
    /// An expression, as deep as its parts make it.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        let depth = kind.deepest_part().saturating_add(1);
        Expr { kind, span, depth }
    }
}

/// What an expression says.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `3`, `0.5`.
    Number(Fraction),
    /// `true`, `false`.
    Flag(bool),
    /// `nobody`.
    Nobody,
    /// `empty`.
    Empty,
    /// `it`: the element of the innermost `where` or `by`.
    It,
    /// `*`: each of the first two sides in turn.
    Star,
    /// `d6`, `2d6`.
    Dice {
        /// How many.
        count: u32,
        /// With how many sides.
        sides: u32,
    },
    /// A bare word: what it is depends on the place.
    Name(Name),
    /// `"in a charge"`, `"the {unit} is {kind}"`, and unquoted `{attacker}-routs`.
    Text(Template),
    /// `unit.morale`.
    Field(Box<Expr>, Name),
    /// `T[row, column]`, `list[word]`, `stack[1]`, with what holds where there is no such row.
    Index {
        /// What is looked into.
        of: Box<Expr>,
        /// The indices, at least one.
        indices: Vec<Expr>,
        /// After `else`.
        otherwise: Option<Box<Expr>>,
    },
    /// `fires(unit, target)`, `T.column(x)`.
    Call(Box<Call>),
    /// `[attacker]`.
    List(Vec<Expr>),
    /// `not x`, `-x`.
    Unary(Unary, Box<Expr>),
    /// `a + b`, `a and b`, `a < b`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `x is a | b`, `x is not a`.
    Is {
        /// What is asked about.
        value: Box<Expr>,
        /// With `not`.
        negated: bool,
        /// Any of these.
        alternatives: Vec<Expr>,
    },
    /// `x is in list`, `x is not in list`.
    In {
        /// What is asked about.
        value: Box<Expr>,
        /// With `not`.
        negated: bool,
        /// The list or set.
        list: Box<Expr>,
    },
    /// `a if condition else b`.
    If {
        /// When it holds,
        condition: Box<Expr>,
        /// this,
        then: Box<Expr>,
        /// else that.
        otherwise: Box<Expr>,
    },
    /// `case x:` with its alternatives below.
    Case {
        /// What is asked about; without it every alternative is a condition.
        subject: Option<Box<Expr>>,
        /// In order.
        arms: Vec<Arm<Expr>>,
    },
    /// `sum of unit where it.standing by it.sp`.
    Quantified(Box<Quantified>),
    /// `list where condition`.
    Filter {
        /// The list.
        list: Box<Expr>,
        /// Asked of each `it`.
        condition: Box<Expr>,
    },
    /// `take n from unit.sp`: as much as there is; its value is how much was taken.
    Take {
        /// How much.
        amount: Box<Expr>,
        /// From what.
        from: Box<Expr>,
    },
}

impl ExprKind {
    /// How deep the deepest part is.
    fn deepest_part(&self) -> u16 {
        let template = |template: &Template| {
            let values = template.parts.iter().map(|part| match part {
                TemplatePart::Value(expr) => expr.depth,
                _ => 0,
            });
            values.max().unwrap_or(0)
        };
        let all = |all: &[Expr]| all.iter().map(|expr| expr.depth).max().unwrap_or(0);
        let maybe = |one: &Option<Box<Expr>>| one.as_ref().map_or(0, |expr| expr.depth);
        match self {
            ExprKind::Number(_)
            | ExprKind::Flag(_)
            | ExprKind::Nobody
            | ExprKind::Empty
            | ExprKind::It
            | ExprKind::Star
            | ExprKind::Dice { .. }
            | ExprKind::Name(_) => 0,
            ExprKind::Text(text) => template(text),
            ExprKind::Field(of, _) | ExprKind::Unary(_, of) => of.depth,
            ExprKind::Index {
                of,
                indices,
                otherwise,
            } => of.depth.max(all(indices)).max(maybe(otherwise)),
            ExprKind::Call(call) => {
                let arguments = call.arguments.iter().map(|argument| argument.value.depth);
                arguments.max().unwrap_or(0).max(call.called.depth)
            }
            ExprKind::List(list) => all(list),
            ExprKind::Binary(_, a, b) => a.depth.max(b.depth),
            ExprKind::Is {
                value,
                alternatives,
                ..
            } => value.depth.max(all(alternatives)),
            ExprKind::In { value, list, .. } => value.depth.max(list.depth),
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => condition.depth.max(then.depth).max(otherwise.depth),
            ExprKind::Case { subject, arms } => {
                let arms = arms
                    .iter()
                    .map(|arm| arm.body.depth.max(all(&arm.alternatives)));
                arms.max().unwrap_or(0).max(maybe(subject))
            }
            ExprKind::Quantified(q) => {
                let parts = q.count.iter().chain(&q.condition).chain(&q.by);
                parts
                    .map(|expr| expr.depth)
                    .max()
                    .unwrap_or(0)
                    .max(q.list.depth)
            }
            ExprKind::Filter { list, condition } => list.depth.max(condition.depth),
            ExprKind::Take { amount, from } => amount.depth.max(from.depth),
        }
    }
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// In a variant, before the name: the rule as it was printed.
    pub printed: bool,
    /// What is called: a name, or `table.column`.
    pub called: Expr,
    /// In order.
    pub arguments: Vec<Argument>,
    /// `without isolated, saw-rout`: entries of modifiers that are left out.
    pub without: Vec<Name>,
}

/// An argument, by position or `name: value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Its name, if given.
    pub name: Option<Name>,
    /// Its value.
    pub value: Expr,
}

/// An alternative of a `case`, with an expression or statements.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm<T> {
    /// Any of these; none for `else`.
    pub alternatives: Vec<Expr>,
    /// What holds then.
    pub body: T,
    /// The alternatives' place.
    pub span: Span,
}

/// `first | any | number | sum | highest [n] | lowest [n] of list where … by …`.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantified {
    /// Which.
    pub quantifier: Quantifier,
    /// How many, of `highest 2 of`.
    pub count: Option<Expr>,
    /// Over what.
    pub list: Expr,
    /// Asked of each `it`.
    pub condition: Option<Expr>,
    /// What of `it` is added or compared.
    pub by: Option<Expr>,
}

/// The words before `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// The first, or that with the least `by`.
    First,
    /// Whether there is any.
    Any,
    /// How many.
    Number,
    /// Added up.
    Sum,
    /// The highest, or the highest few.
    Highest,
    /// The lowest, or the lowest few.
    Lowest,
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `not`.
    Not,
    /// `-`.
    Negate,
}

/// An operator between its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, exact.
    Divide,
    /// `and`.
    And,
    /// `or`.
    Or,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
}

impl Binary {
    /// As it is written.
    pub fn written(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::And => "and",
            Binary::Or => "or",
            Binary::Less => "<",
            Binary::AtMost => "<=",
            Binary::Greater => ">",
            Binary::AtLeast => ">=",
        }
    }
}

/// Letters with expressions in braces between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// Whether it stands in quotes.
    pub quoted: bool,
    /// Its parts, in order.
    pub parts: Vec<TemplatePart>,
    /// The letters as written, without quotes.
    pub raw: Name,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum TemplatePart {
    /// Letters.
    Letters(String),
    /// An expression in braces.
    Value(Expr),
    /// `*`, in a word of a header: the side.
    Star,
}

impl Template {
    /// The letters, if there is nothing but letters.
    pub fn plain(&self) -> Option<&str> {
        match &self.parts[..] {
            [] => Some(""),
            [TemplatePart::Letters(text)] => Some(text),
            _ => None,
        }
    }
}

/// A kind: what values there may be, `1..6 | green`.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind {
    /// In order.
    pub alternatives: Vec<Alternative>,
    /// All of it.
    pub span: Span,
}

/// One alternative of a kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// Which.
    pub kind: AlternativeKind,
    /// Where.
    pub span: Span,
}

/// What an alternative may be.
#[derive(Debug, Clone, PartialEq)]
pub enum AlternativeKind {
    /// `1..6`, `0..9999 fraction`; the bounds are constants.
    Range {
        /// The lowest.
        low: Expr,
        /// The highest.
        high: Expr,
        /// With the word `fraction`, or bounds that are.
        fraction: bool,
    },
    /// A single number among others: `1 | 3 | 5`.
    Number(Expr),
    /// A type by its name, built in or declared: `Number`, `Grade`.
    Type(Name),
    /// `Order from good to routed`.
    Part {
        /// The type.
        of: Name,
        /// The first word,
        from: Name,
        /// and the last.
        to: Name,
    },
    /// `Unit?`: or nobody.
    Maybe(Name),
    /// `list of Unit`.
    List(Name),
    /// `set of Unit`.
    Set(Name),
    /// A word of its own, `green`; with `is soft` what it means for the field that is set.
    Word {
        /// The word.
        word: Name,
        /// After `is`.
        means: Option<Name>,
    },
    /// A kind of printed cells.
    Cell(CellKind),
}

/// What only printed cells can be.
#[derive(Debug, Clone, PartialEq)]
pub enum CellKind {
    /// `+4`, `4+`: the least face that does.
    Score,
    /// `4 to 8`.
    Band,
    /// `2D6 + 1`: thrown where a number is wanted.
    Dice,
    /// Not played by.
    Text,
    /// `4 5 6`: the least face that does.
    Faces(Name),
}

/// A stretch of numbers or whatever has elements: `1..n`, `15 down to 1`, `side.enemy`.
#[derive(Debug, Clone, PartialEq)]
pub enum Range {
    /// Upwards.
    Up(Expr, Expr),
    /// Downwards.
    Down(Expr, Expr),
    /// The elements of something.
    Of(Expr),
}

/// A name in a list of keys, with its place.
pub type Names = Vec<Dotted>;
