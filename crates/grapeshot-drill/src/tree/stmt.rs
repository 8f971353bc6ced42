//! Statements: what happens, in order.

use super::{Arm, Call, Expr, Name, Range, Template};
use crate::source::Span;

/// Statements, one after the other.
pub type Block = Vec<Stmt>;

/// A statement and the place of its first line.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    /// What it says.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// What a statement says.
#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    /// `let x = …`.
    Let(Name, Expr),
    /// `x = …`, `unit.sp -= 1`.
    Set {
        /// What changes.
        target: Expr,
        /// How.
        change: Change,
        /// By what.
        value: Expr,
    },
    /// A call, or a `take`, for what it does.
    Do(Expr),
    /// `nothing`.
    Nothing,
    /// `if …: … else if …: … else: …`.
    If {
        /// Conditions with what follows from them, in order.
        branches: Vec<(Expr, Block)>,
        /// After `else`.
        otherwise: Option<Block>,
    },
    /// `case x:` with statements.
    Case {
        /// What is asked about.
        subject: Option<Expr>,
        /// In order.
        arms: Vec<Arm<Block>>,
    },
    /// `for unit in a, b where it.standing:`.
    For {
        /// The name of the element.
        name: Name,
        /// One after the other.
        over: Vec<Range>,
        /// Asked when its number comes.
        condition: Option<Expr>,
        /// For each.
        body: Block,
    },
    /// `each turn up to n:`.
    Turns(Expr, Block),
    /// `repeat n times:`.
    Repeat(Expr, Block),
    /// `stage "…":`.
    Stage(Template, Block),
    /// `end`, `end {unit}-routs`.
    End(Option<Template>),
    /// `return`, `return x`.
    Return(Option<Expr>),
    /// `tell "…"`, `heading "…"`.
    Tell {
        /// With the word `heading`.
        heading: bool,
        /// What is told.
        text: Template,
    },
    /// `choose for unit:`.
    Choose {
        /// Who.
        who: Expr,
        /// What is offered, in the order of ties.
        actions: Vec<Action>,
    },
    /// `add x to set`.
    Add(Expr, Expr),
    /// `remove x from set`.
    Remove(Expr, Expr),
    /// `put flight(unit, place) into chain`.
    Put(Box<Call>, Name),
    /// `work off chain:`.
    WorkOff(Name, Vec<(Name, Block)>),
}

/// How a value is put in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// `=`.
    Becomes,
    /// `+=`.
    Grows,
    /// `-=`.
    Shrinks,
}

/// One thing that may be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its name, perhaps with a number in it.
    pub label: Template,
    /// `for n in 15 down to 1`: several.
    pub over: Option<(Name, Range)>,
    /// Offered only then.
    pub condition: Option<Expr>,
    /// What is done.
    pub body: Block,
    /// Its place.
    pub span: Span,
}
