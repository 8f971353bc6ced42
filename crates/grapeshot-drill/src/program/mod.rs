//! The checked program: everything a ruleset says, with names resolved to ids and every expression typed. The back end
//! (specialise, liveness, register code, enumeration) reads this and nothing else.
//!
//! How it is laid out, and why:
//! - **Flat arenas, ids instead of names.** [`Program`] owns one vector of each sort; an id is a position in it. An
//!   expression is an [`ExprId`], so that passes keep facts about expressions in plain vectors beside the arena.
//! - **Checked once, for all procedures.** A rule is resolved once though several procedures call it: keys, sides and
//!   what is `in play` are program-wide [`Var`]s and [`SideName`]s, interned by name *and* type. The checker has made sure that
//!   every procedure that can reach a rule has what the rule names, or leaves it at its default.
//! - **Every conversion is a node** ([`ExprKind::Convert`]): nothing changes its representation silently. What an
//!   expression's [`Type`] says is how its value is laid out.
//! - **Proofs, not guesses.** Where the checker can show that a number stays in its range or a word is one of those
//!   that are wanted, the node says `proved`; where it cannot, the machine checks and names the line and the dice. Ranges
//!   of cells are those of their *kinds*, not of the numbers that happen to be printed, so that what is proved stays
//!   proved when a cell is overlaid.
//! - **Cells keep their places** ([`Cell`]): a pass that folds a look-up can say which cells a question reads.

mod expr;
mod procedure;
mod read;
mod stmt;
mod stored;
mod table;
mod types;
mod value;
pub mod walk;

pub use expr::*;
pub use procedure::*;
pub use read::band;
pub(crate) use read::{FACES, faces_of};
pub use stmt::*;
pub use table::*;
pub use types::*;
pub use value::*;

use crate::source::{Sources, Span};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Declares ids: positions in an arena of [`Program`].
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident => $arena:ident: $of:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position.
            pub fn at(self) -> usize {
                self.0 as usize
            }
        }

        impl std::ops::Index<$name> for Program {
            type Output = $of;
            fn index(&self, id: $name) -> &$of {
                &self.$arena[id.at()]
            }
        }
    )*};
}

ids! {
    /// A type of words.
    WordsId => words: Words;
    /// A kind that mixes numbers and words.
    MixedId => mixed: Mixed;
    /// A type of records.
    RecordId => records: RecordType;
    /// A type of units, or of lines of units.
    UnitTypeId => units: UnitType;
    /// A field of a unit.
    FieldId => fields: Field;
    /// A die.
    DieId => dice: Die;
    /// A table, list or assumption.
    TableId => tables: Table;
    /// A printed cell.
    CellId => cells: Cell;
    /// A variable of all texts.
    VarId => vars: Var;
    /// A side by its name.
    SideId => sides: SideName;
    /// A define, roll or rule.
    TextId => texts: Text;
    /// A list of modifiers.
    ModifiersId => modifiers: Modifiers;
    /// A queue of events.
    QueueId => queues: Queue;
    /// A procedure.
    ProcedureId => procedures: Procedure;
    /// An expression.
    ExprId => exprs: Expr;
}

/// A ruleset that has passed every check.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Program {
    /// The name programs know it by.
    pub name: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
    /// What it is, in a sentence or more.
    pub about: Vec<Arc<str>>,
    /// How the print is read where it leaves a choice, in the order of the text.
    pub readings: Vec<Reading>,
    /// The variants applied, by their titles.
    pub variants: Vec<Arc<str>>,
    /// The procedures that are shown, in their order; the others serve `common` alone.
    pub listed: Vec<ProcedureId>,
    /// Types of words. The first three are built in: see [`Words::FLAG`], [`Words::FAVOUR`], [`Words::NONE`].
    pub words: Vec<Words>,
    /// Kinds that mix numbers and words, interned.
    pub mixed: Vec<Mixed>,
    /// Records.
    pub records: Vec<RecordType>,
    /// Units and lines.
    pub units: Vec<UnitType>,
    /// Fields of all units; those of a unit lie together.
    pub fields: Vec<Field>,
    /// Dice.
    pub dice: Vec<Die>,
    /// Tables, lists, assumptions.
    pub tables: Vec<Table>,
    /// Cells of all tables; those of a table lie together, row by row.
    pub cells: Vec<Cell>,
    /// Variables.
    pub vars: Vec<Var>,
    /// Sides, by name.
    pub sides: Vec<SideName>,
    /// Defines, rolls, rules.
    pub texts: Vec<Text>,
    /// Lists of modifiers.
    pub modifiers: Vec<Modifiers>,
    /// Queues.
    pub queues: Vec<Queue>,
    /// Procedures, in the order of the text.
    pub procedures: Vec<Procedure>,
    /// What must hold of the tables, resolved and typed. Whoever loads or overlays a program evaluates them.
    pub checks: Vec<Check>,
    /// Scripted tests.
    pub examples: Vec<Example>,
    /// Expected chances.
    pub expects: Vec<Expect>,
    /// Expressions of everything above.
    pub exprs: Vec<Expr>,
    /// The files, for messages.
    #[serde(skip)]
    pub sources: Sources,
}

/// `reading "…"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// What is read.
    pub text: Arc<str>,
    /// The text it stands before, if one follows: for `rules R --text RULE`.
    pub span: Span,
}

/// A variable that every text may name: a setting without a side, a key of one side alone (`b.choices`), what is `in play`,
/// or what a procedure declares by `report x: Flag`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Var {
    /// `turns`, `b.choices`.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// The numbers it may hold, over all procedures that have it.
    pub range: Option<Interval>,
    /// Where it comes from.
    pub origin: VarOrigin,
    /// What it begins as where no key sets it. Always there in a program that has passed.
    pub default: Option<Formula>,
    /// Whether any statement changes it. What no line changes is constant.
    pub changed: bool,
    /// Where it is declared.
    pub span: Span,
}

/// Where a variable comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum VarOrigin {
    /// Declared under `settings`: every procedure has it, at its default unless asked.
    Setting,
    /// Declared by a header: only procedures with such a key have it.
    Key,
    /// Declared `in play`: every procedure has it.
    InPlay,
    /// Declared by a report with a kind.
    Report,
}

/// A side by its name and what plays it. Interned: `a` of the firefight and of the standoff are one if the same type plays
/// them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideName {
    /// Its name, also as it is reported.
    pub name: Arc<str>,
    /// `Type::Unit` of what plays it, or `Type::Units` for a side of several equal units.
    pub ty: Type,
}

impl Program {
    /// A procedure by its name. Of two with one name the second is the decided one; `decided` says which is meant.
    pub fn procedure(&self, name: &str, decided: bool) -> Option<ProcedureId> {
        let is_it = |p: &Procedure| *p.name == *name && p.decided_for.is_some() == decided;
        let at = self.procedures.iter().position(is_it)?;
        Some(ProcedureId(at as u32))
    }

    /// The fields of a unit, in order.
    pub fn fields_of(&self, unit: UnitTypeId) -> impl Iterator<Item = FieldId> + use<> {
        let range = self[unit].fields.clone();
        range.map(FieldId)
    }

    /// The cell at a row and column of a table.
    pub fn cell_at(&self, table: TableId, row: usize, column: usize) -> CellId {
        let table = &self[table];
        CellId(table.first_cell.0 + (row * table.columns.labels.len() + column) as u32)
    }
}
