//! Statements, and the texts they stand in.

use super::{
    Effects, ExprId, FieldId, Interval, Local, LocalId, ProcedureId, QueueId, TableId, Target,
    TextPart, Type, VarId,
};
use crate::source::Span;
use crate::tree::TextKind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum StmtKind {
    /// Gives a local its first value.
    Let(LocalId, ExprId),
    /// Changes something; `+=` and `-=` are written out. Where the value's range is not `proved` to lie in that of the target
    /// the machine checks, and its message names the range.
    Set {
        /// What.
        target: Target,
        /// To what; of the target's type.
        value: ExprId,
        /// Whether it stays in its range.
        proved: bool,
        /// The range it must stay in.
        range: Option<Interval>,
    },
    /// Evaluates for what it does.
    Do(ExprId),
    /// The first branch whose condition holds.
    If {
        /// Conditions and blocks.
        branches: Vec<(ExprId, Block)>,
        /// If none holds.
        otherwise: Block,
    },
    /// As an `If`; what is asked about is evaluated once, into a local.
    Case {
        /// Where it is kept.
        subject: Option<(LocalId, ExprId)>,
        /// Conditions and blocks.
        arms: Vec<(ExprId, Block)>,
        /// After `else`; without it the checker has shown that one condition holds.
        otherwise: Option<Block>,
    },
    /// For each element.
    For {
        /// The element, also as `it` of the condition.
        element: LocalId,
        /// One after the other.
        over: Vec<Elements>,
        /// Asked when its number comes.
        condition: Option<ExprId>,
        /// For each.
        body: Block,
    },
    /// `each turn up to n`: once in a procedure, never in a rule. The engine counts.
    Turns(ExprId, Block),
    /// So many times; not at all below 1.
    Repeat(ExprId, Block),
    /// A heading: names where the trial is, unless it is within a stage. Not a scope.
    Stage(Vec<TextPart>, Block),
    /// The trial is over. The label's letters are those of an outcome (or of a `same`) of every procedure that can come here.
    End(Option<Vec<TextPart>>),
    /// Back to the caller.
    Return(Option<ExprId>),
    /// Somebody chooses. An action that stands alone is no choice; none at all is an error of play.
    Choose {
        /// Who, `Type::Side`.
        who: ExprId,
        /// In the order of ties.
        actions: Vec<Action>,
    },
    /// Made only if somebody listens.
    Tell {
        /// Above what follows.
        heading: bool,
        /// What.
        text: Vec<TextPart>,
    },
    /// A unit into a set.
    Add(ExprId, Target),
    /// A unit out of a set.
    Remove(ExprId, Target),
    /// An event at the end of a queue.
    Put(QueueId, usize, Vec<ExprId>),
    /// First in first out, also those put in meanwhile.
    WorkOff(QueueId, Vec<EventArm>),
}

/// What happens at an event of a queue.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EventArm {
    /// Which event.
    pub event: usize,
    /// Where its values are put.
    pub params: Vec<LocalId>,
    /// What happens.
    pub body: Block,
}

/// Elements of a loop.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Elements {
    /// From the first number up to and with the second.
    Up(ExprId, ExprId),
    /// From the first number down to and with the second.
    Down(ExprId, ExprId),
    /// One value.
    One(ExprId),
    /// Of a list of units, numbers or words.
    Of(ExprId),
}

/// Something that may be chosen.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Action {
    /// As written, `advance {n}`: by this a plan names the family.
    pub name: Arc<str>,
    /// The label.
    pub label: Vec<TextPart>,
    /// Several: the local and its elements.
    pub over: Option<(LocalId, Elements)>,
    /// Offered only then.
    pub condition: Option<ExprId>,
    /// What is done.
    pub body: Block,
    /// Where it stands.
    pub span: Span,
}

/// A define, roll or rule.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Text {
    /// Its name; what a variant has replaced is `printed NAME`.
    pub name: Arc<str>,
    /// Which of the three.
    pub kind: TextKind,
    /// Meaning, from the lines above it.
    pub about: Arc<str>,
    /// Its place in the print.
    pub source: Arc<str>,
    /// How many of the locals are parameters: the first.
    pub params: u16,
    /// Defaults of the parameters, over those before them.
    pub defaults: Vec<Option<ExprId>>,
    /// All locals.
    pub locals: Vec<Local>,
    /// What it gives back.
    pub returns: Type,
    /// The numbers it gives back.
    pub returns_range: Option<Interval>,
    /// What it does.
    pub body: Block,
    /// What calling it may do.
    pub effects: Effects,
    /// Whether it never comes back: every way through it ends the trial.
    pub never_returns: bool,
    /// Fields and variables it may change, calls included.
    pub assigns: Vec<Assigned>,
    /// The procedures that can come here.
    pub reached_by: Vec<ProcedureId>,
    /// Where it stands.
    pub span: Span,
}

/// Something a text may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Assigned {
    /// A field, of whatever unit.
    Field(FieldId),
    /// A variable.
    Var(VarId),
}

/// A list of modifiers: their sum, or the entries that count.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Modifiers {
    /// Its name.
    pub name: Arc<str>,
    /// Meaning.
    pub about: Arc<str>,
    /// Its place in the print.
    pub source: Arc<str>,
    /// How many of the locals are parameters.
    pub params: u16,
    /// Defaults of the parameters.
    pub defaults: Vec<Option<ExprId>>,
    /// All locals.
    pub locals: Vec<Local>,
    /// The list or table they are printed in.
    pub from: Option<TableId>,
    /// In the order of the text.
    pub entries: Vec<Modifier>,
    /// `Numbers` or `Fractions`.
    pub ty: Type,
    /// What calling it may do; mostly nothing.
    pub effects: Effects,
    /// The procedures that can come here.
    pub reached_by: Vec<ProcedureId>,
    /// Where it stands.
    pub span: Span,
}

/// An entry of modifiers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Modifier {
    /// Its name, by which what-if, `without` and variants know it.
    pub name: ModifierName,
    /// Counts only then.
    pub condition: Option<ExprId>,
    /// What it is worth, `times` included. An entry counts if its condition holds, whatever it is worth.
    pub value: ExprId,
    /// Where it stands.
    pub span: Span,
}

/// The name of an entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ModifierName {
    /// A word.
    Fixed(Arc<str>),
    /// The word that something is.
    Of(ExprId),
}

/// A queue.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Queue {
    /// Its name.
    pub name: Arc<str>,
    /// What can be put in: a name and the types of its values.
    pub events: Vec<Event>,
    /// Where it is declared.
    pub span: Span,
}

/// An event of a queue: its name, and the names and types of its values.
pub type Event = (Arc<str>, Vec<(Arc<str>, Type)>);

/// `check "…" for …:`: what must hold of the tables.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Check {
    /// What.
    pub text: Arc<str>,
    /// For all of these.
    pub over: Vec<(LocalId, Elements)>,
    /// Returns a Flag.
    pub body: Block,
    /// Its locals.
    pub locals: Vec<Local>,
    /// Where it stands.
    pub span: Span,
}
