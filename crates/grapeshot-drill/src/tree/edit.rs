//! Edits: what a variant does to a ruleset.

use super::{
    Block, Dotted, Expr, Field, Head, Kind, Modifier, Modifiers, Name, Names, Text, UnitBody,
};
use crate::source::Span;

/// One edit.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// `add to unit Unit, called enemy:`, `add to line Stack:`.
    ToUnit {
        /// The type.
        name: Name,
        /// Further names of parameters.
        called: Vec<Name>,
        /// What it has besides.
        body: UnitBody,
    },
    /// `add to modifiers fire_lines:`.
    ToModifiers(Name, Vec<Modifier>),
    /// `add to settings whole_stack: names`, or fields.
    ToSettings(Option<Name>, Names, Vec<Field>),
    /// `add to procedure fire:` or `add to header decision:`.
    ToHead(Name, Vec<Head>),
    /// `add rows to T:`.
    Rows(Name, Vec<GridLine>),
    /// `add columns to T:`.
    Columns(Name, Vec<GridLine>),
    /// `add word seasoned to Grade between elite and veteran, like veteran`.
    Word {
        /// The word.
        word: Name,
        /// Its type.
        to: Name,
        /// Its neighbours, if it is not the last.
        between: Option<(Name, Name)>,
        /// What it counts as.
        like: Option<Name>,
    },
    /// `add key bayonets beside lance`.
    Key(Names, Dotted),
    /// `replace rule …`.
    ReplaceText(Text),
    /// `replace modifiers …`.
    ReplaceModifiers(Modifiers),
    /// `change T[row, column] = cell`.
    Cell {
        /// The table.
        table: Name,
        /// Row and column, or entry.
        indices: Vec<Name>,
        /// The cell.
        cell: Name,
    },
    /// `change morale_values: seasoned = 10, elite = 11`.
    Entries(Name, Vec<(Name, Name)>),
    /// `change Stack.units: 1..4`.
    Kind {
        /// Type and field.
        field: Dotted,
        /// What it may be.
        kind: Kind,
        /// What it is if nothing is said.
        default: Option<Expr>,
    },
    /// `in rule charge_home:`.
    Within {
        /// A procedure, not a rule.
        procedure: bool,
        /// Its name.
        name: Name,
        /// In order.
        steps: Vec<Step>,
    },
}

/// A row or column that is added.
#[derive(Debug, Clone, PartialEq)]
pub struct GridLine {
    /// Its heading.
    pub heading: Name,
    /// Its cells.
    pub cells: Vec<Name>,
}

/// An edit of the stages of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What is done.
    pub kind: StepKind,
    /// The stage it is done to, or beside.
    pub stage: Name,
    /// Its place.
    pub span: Span,
}

/// What is done to a stage.
#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    /// `move stage "a" before "b"`: this stage is moved before [`Step::stage`].
    MoveBefore(Name),
    /// `move stage "a" after "b"`.
    MoveAfter(Name),
    /// `before "a":`.
    Before(Block),
    /// `after "a":`.
    After(Block),
    /// `replace "a":`.
    Replace(Block),
}
