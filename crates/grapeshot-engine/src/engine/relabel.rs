//! Rows read in other words: a procedure played by one ruleset and reported in another's variables.

use super::graph::{Budget, CompileError, Graph};
use super::{DynSteps, End, Row};
use crate::dist::Variable;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// What kind of remark it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// Something no source prints.
    Assumption,
    /// A setting that changes nothing here.
    NoDifference,
    /// Anything else worth knowing.
    Remark,
}

/// A remark that belongs under one answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Its kind.
    #[serde(skip)]
    pub kind: NoteKind,
    /// What it is about, in a word: an assumption's name, a key.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl Note {
    /// A remark.
    pub fn remark(name: impl Into<String>, text: impl Into<String>) -> Self {
        Note {
            kind: NoteKind::Remark,
            name: name.into(),
            text: text.into(),
        }
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Note { name, text, .. } = self;
        match self.kind {
            NoteKind::Assumption => write!(f, "assumed ({name}): {text}"),
            NoteKind::NoDifference => write!(f, "no difference ({name}): {text}"),
            NoteKind::Remark => write!(f, "{name}: {text}"),
        }
    }
}

/// How the rows of a play are read.
pub struct Relabelling {
    /// What is reported, headline first.
    pub variables: Vec<Variable>,
    /// A finished row in these variables.
    pub row: Box<dyn Fn(&Row) -> Row + Send + Sync>,
    /// What has to be said with the answer.
    pub notes: Vec<Note>,
}

impl std::fmt::Debug for Relabelling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Relabelling")
            .field("variables", &self.variables)
            .field("notes", &self.notes)
            .finish_non_exhaustive()
    }
}

/// A play whose rows are read in other words. It is compiled and played as it is.
pub struct Relabelled {
    /// What is played.
    pub play: Box<dyn DynSteps>,
    /// How its rows are read.
    pub reading: Relabelling,
}

impl DynSteps for Relabelled {
    fn compile(&self, budget: Budget) -> Result<Graph, CompileError> {
        self.play.compile(budget)
    }

    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>) {
        self.play.play(rng, trials, counts);
    }

    fn replay(&self, dice: &mut crate::dice::Scripted) -> End {
        self.play.replay(dice)
    }

    fn phases(&self) -> Vec<&str> {
        self.play.phases()
    }

    fn relabelling(&self) -> Option<&Relabelling> {
        Some(&self.reading)
    }

    fn notes(&self) -> Vec<Note> {
        self.play.notes()
    }
}
