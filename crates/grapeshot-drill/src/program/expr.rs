//! Expressions: resolved, typed, every conversion a node of its own.

use super::{
    CellId, DieId, ExprId, FieldId, Index, Interval, ModifiersId, RecordId, SideId, TableId,
    TextId, Type, Value, VarId, Way, WordId, WordsId,
};
use crate::source::Span;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A local of a text: a parameter, a `let`, the element of a loop or of a quantifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LocalId(pub u16);

/// What is known of a local.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Local {
    /// Its name; `it` for the element of a quantifier, empty for what the checker made.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Its numbers, where every assignment is known.
    pub range: Option<Interval>,
    /// Whether it changes after it is first set.
    pub changed: bool,
}

/// An expression that stands alone, with the locals it needs: a default, a report, the condition of a refusal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Formula {
    /// Its locals: what its owner says, then the elements of its quantifiers.
    pub locals: Vec<Local>,
    /// Its value.
    pub value: ExprId,
}

/// An expression.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// How its value is laid out.
    pub ty: Type,
    /// The numbers it can be, where that is known: of a Number, of a Place without shifts.
    pub range: Option<Interval>,
    /// What evaluating it may do.
    pub effects: Effects,
    /// Where it stands.
    pub span: Span,
}

/// What evaluating an expression, or calling a text, may do; calls included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Effects {
    /// Dice may fall.
    pub throws: bool,
    /// Something may change.
    pub changes: bool,
    /// The trial may end.
    pub ends: bool,
    /// Somebody may have to choose.
    pub chooses: bool,
    /// A stage or a turn may begin: `start` is taken at the first.
    pub stages: bool,
}

impl Effects {
    /// What either may do.
    pub fn or(self, other: Effects) -> Effects {
        Effects {
            throws: self.throws || other.throws,
            changes: self.changes || other.changes,
            ends: self.ends || other.ends,
            chooses: self.chooses || other.chooses,
            stages: self.stages || other.stages,
        }
    }
}

/// What an expression is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ExprKind {
    /// A value.
    Literal(Value),
    /// A local.
    Local(LocalId),
    /// A variable.
    Var(VarId),
    /// A side of the procedure: what plays it (`Type::Unit` or `Type::Units`).
    Side(SideId),
    /// The turn: 0 before the turns, the last one after them.
    Turn,
    /// A report of the procedure, by position; in `worth`, `show` and later reports.
    Report(usize),
    /// Whom the label of a report favours; a word of [`super::Words::FAVOUR`].
    Favour(usize),

    // -- Units
    /// A field of a unit.
    Field(ExprId, FieldId),
    /// The unit as it was at the first stage, turn or choice; before that, as it is. Only defines are given one.
    Start(ExprId),
    /// What plays against it: of the first two sides the other.
    Enemy(ExprId),
    /// The side it belongs to: of a member its line; else itself. `Type::Unit` of a line, or `Type::Side`.
    SideOf(ExprId),
    /// Its number in its side, from 1.
    NumberOf(ExprId),
    /// Units beside it.
    UnitsOf(Beside, ExprId),
    /// An element of a list of units or of a line, counted from 1 among those that are there.
    Element(ExprId, ExprId),
    /// A list of units; also one unit where a list is wanted.
    UnitList(Vec<ExprId>),

    // -- Records
    /// A field of a record.
    RecordField(ExprId, usize),
    /// A record made of its fields, all of them, in order.
    MakeRecord(RecordId, Vec<ExprId>),

    // -- What is printed
    /// A cell that is always the same: `fire.wagon-density`, an assumption.
    Cell(CellId),
    /// `T[row, column]`; `otherwise` where a word has no place. Without it the checker has shown that every word has
    /// one, or `proved` is false and the machine checks.
    Lookup {
        /// The table.
        table: TableId,
        /// The row.
        row: Index,
        /// The column.
        column: Index,
        /// Where there is no such row or column.
        otherwise: Option<ExprId>,
        /// Whether there always is one.
        proved: bool,
    },
    /// `fire_columns[row].column(x)`: the column of a row of bands that has the number; beyond the ends, that at the end.
    BandPlace {
        /// The table.
        table: TableId,
        /// The row.
        row: Index,
        /// The number.
        number: ExprId,
    },
    /// `T.row(x)`, `T.column(x)`.
    PlaceOf(TableId, Way, Index),
    /// `held(place)`: on which table is known by where it comes from.
    Held(TableId, Way, ExprId),

    // -- Numbers, flags, words
    /// With one operand.
    Unary(UnaryOp, ExprId),
    /// With two of one type.
    Binary(BinaryOp, ExprId, ExprId),
    /// `and`: the second only if the first holds.
    And(ExprId, ExprId),
    /// `or`: the second only if the first does not hold.
    Or(ExprId, ExprId),
    /// Whether two values of one type are equal.
    Same(ExprId, ExprId),
    /// Whether a word (or a mixed value) is one of these; what counts like them is already among them.
    IsWord(ExprId, Vec<WordId>),
    /// Whether a mixed value is a number (or dice), and no word.
    IsNumber(ExprId),
    /// Whether it is nobody.
    IsNobody(ExprId),
    /// Whether a list or set has nothing in it.
    IsEmpty(ExprId),
    /// Whether a unit, word or number is in a list or set.
    IsIn(ExprId, ExprId),
    /// How high an ordered word is, 0 the lowest.
    Rank(ExprId),
    /// The word of a rank, held at the ends.
    OfRank(WordsId, ExprId),

    // -- Choosing among values
    /// `a if c else b`, in the order condition, then, otherwise.
    If(ExprId, ExprId, ExprId),
    /// The first whose condition holds. What is asked about is in a local, set once.
    Case {
        /// Where what is asked about is kept.
        subject: Option<(LocalId, ExprId)>,
        /// Conditions and values.
        arms: Vec<(ExprId, ExprId)>,
        /// After `else`; without it the checker has shown that one condition holds.
        otherwise: Option<ExprId>,
    },

    // -- Calls
    /// A define, roll or rule. An argument that is left out is at its default, which is an expression of the callee.
    Call(TextId, Vec<Option<ExprId>>),
    /// The entries of modifiers that count, `Type::Numbers` (or `Fractions`).
    Modifiers {
        /// Which.
        list: ModifiersId,
        /// In order, as for a call.
        arguments: Vec<Option<ExprId>>,
        /// Entries that are left out, by name.
        without: Vec<Arc<str>>,
    },

    // -- Lists
    /// A quantifier over units, numbers, words of a type.
    Quantified {
        /// Which.
        quantifier: Quantifier,
        /// The list.
        list: ExprId,
        /// The element.
        it: LocalId,
        /// Asked of each.
        condition: Option<ExprId>,
        /// What of each is added or compared.
        by: Option<ExprId>,
    },
    /// Those of a list of which a condition holds.
    Filter {
        /// The list.
        list: ExprId,
        /// The element.
        it: LocalId,
        /// Asked of each.
        condition: ExprId,
    },
    /// A list of numbers one by one.
    NumberList(Vec<ExprId>),
    /// An element of a list of numbers, counted from 1.
    NumberAt(ExprId, ExprId),
    /// The last element of a list of numbers.
    Last(ExprId),

    // -- Dice
    /// A throw.
    Throw(Throw),

    // -- Changes with a value
    /// Takes as much as there is, and is how much that was.
    Take(ExprId, Target),

    // -- Texts and words made of values
    /// Letters with values between them.
    Text(Vec<TextPart>),
    /// A word made of values: its letters must be those of a word of the type. The checker has spelled all that words can
    /// make; where a part is a unit or a side, the machine checks.
    Spelled(WordsId, Vec<TextPart>),

    // -- In refusals
    /// Whether the key at hand was given.
    Given,
    /// Whether the key at hand is not at its default.
    Changed,
    /// Whether the procedure asks a key of this name of the side at hand.
    Asked(Arc<str>),

    // -- Conversions
    /// From one layout to another.
    Convert(Conversion, ExprId),
}

/// What changes the layout of a value and nothing else; the target is the type of the node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Conversion {
    /// A number or word into a mixed kind that has it; a smaller mixed kind into a larger.
    Widen,
    /// A mixed kind into the number or words it is known to be; where that is not `proved`, the machine checks.
    Narrow {
        /// Whether the checker has shown it.
        proved: bool,
    },
    /// A word into the word with the same letters of another type; where a word has none and it is not `proved`, the
    /// machine checks.
    Recast {
        /// Whether the checker has shown that every word that can come here has one.
        proved: bool,
    },
    /// A whole number into a fraction.
    Exact,
    /// A unit into a unit or nobody; a side into a side or nobody.
    OrNobody,
    /// A unit or nobody into the unit it is known to be.
    Somebody {
        /// Whether the checker has shown it.
        proved: bool,
    },
    /// A unit or line into the side that it plays or belongs to.
    ToSide,
    /// A line into the list of its units that are there.
    Members,
    /// Dice of a cell are thrown.
    Thrown,
    /// Entries of modifiers into their sum.
    Total,
}

/// Units beside a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Beside {
    /// All of its side, itself among them.
    Line,
    /// The others of its side.
    Friends,
    /// Those of the other side.
    Enemies,
}

/// With one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `not`.
    Not,
    /// `-`.
    Negate,
    /// `abs`.
    Absolute,
    /// `down`: the next whole number at or below; a Number of a Fraction.
    Down,
    /// `up`: the next whole number at or above.
    Up,
}

/// With two operands of one type: Number, Fraction, or (for the comparisons, `Min`, `Max`, and with a Number on the right
/// `Add`, `Subtract`) Place. `Min` and `Max` also take records: by the order of their codes, then of their labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`; always fractions. By 0 is an error of play.
    Divide,
    /// `remainder`, never below 0. By 0 is an error of play.
    Remainder,
    /// The less.
    Min,
    /// The greater.
    Max,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
}

/// A quantifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quantifier {
    /// The first; with `by` the first of those with the least.
    First,
    /// Whether there is any.
    Any,
    /// How many.
    Number,
    /// The sum.
    Sum,
    /// The highest; of none an error of play.
    Highest,
    /// The lowest.
    Lowest,
    /// The so many highest, as `Type::Numbers`.
    HighestFew(ExprId),
    /// The so many lowest.
    LowestFew(ExprId),
}

/// A throw of dice.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Throw {
    /// The sum of so many dice; `d6` is one.
    Sum(ExprId, DieId),
    /// The sum of so many times the dice of a cell (`2D6 + 1`), what is added to them each time included.
    OfCell(ExprId, ExprId),
    /// How many of so many throws a condition holds of; the condition throws its dice anew each time.
    Count(ExprId, ExprId),
    /// The `keep` highest of so many dice, as `Type::Numbers`, the highest first.
    Best {
        /// So many count.
        keep: ExprId,
        /// So many are thrown.
        of: ExprId,
        /// Which.
        die: DieId,
    },
    /// A Flag that holds with this chance, a Fraction from 0 to 1.
    Chance(ExprId),
}

/// A part of a text.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum TextPart {
    /// Letters.
    Letters(Arc<str>),
    /// A value, as it is told: a word by its letters, a side by its name, a unit of a line by name and number, yes and no
    /// as `true` and `false`, nobody as `nobody`, a list with commas, consecutive numbers as `4 to 8`.
    Value(ExprId),
}

/// What can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A local.
    Local(LocalId),
    /// A variable.
    Var(VarId),
    /// A field of a unit. The unit is free of effects.
    Field(ExprId, FieldId),
}
