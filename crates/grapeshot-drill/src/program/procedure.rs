//! Procedures: sides, keys, refusals, reports, choices, tests.

use super::{
    Block, FieldId, Formula, Interval, Local, LocalId, ProcedureId, SideId, TextId, TextPart, Type,
    Value, VarId,
};
use crate::number::Fraction;
use crate::source::Span;
use crate::tree::FavourWord;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A procedure.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Procedure {
    /// Its name. A decided procedure may share it with one that is not.
    pub name: Arc<str>,
    /// What it is, in a sentence.
    pub about: Arc<str>,
    /// Its place in the print.
    pub source: Arc<str>,
    /// The source prints only its parts.
    pub composed: bool,
    /// Only played out.
    pub simulated: bool,
    /// The side for which choices are made well, by position.
    pub decided_for: Option<usize>,
    /// Its sides; the first two are each other's enemies, and what `*` stands for.
    pub sides: Vec<Side>,
    /// What it asks, in order.
    pub keys: Vec<Key>,
    /// What is so without being asked (`kind is cavalry`).
    pub fixed: Vec<(KeyTarget, Value)>,
    /// Variables it has: all settings and what is in play, its own keys and reports.
    pub vars: Vec<VarId>,
    /// In the order they are asked: those of each side, then its own.
    pub refusals: Vec<Refusal>,
    /// Remarks under every answer.
    pub notes: Vec<Note>,
    /// What a trial reports, headline first.
    pub reports: Vec<Report>,
    /// The report that is the label of `end`, by position.
    pub outcome: Option<usize>,
    /// The state as a policy shows it.
    pub shows: Vec<Show>,
    /// What an end is worth to the side it is decided for, a Fraction.
    pub worth: Option<Formula>,
    /// Plans to compare.
    pub plans: Vec<Plan>,
    /// Locals of the body.
    pub locals: Vec<Local>,
    /// The text.
    pub body: Block,
    /// Texts it can come to.
    pub reaches: Vec<TextId>,
    /// Where it stands.
    pub span: Span,
}

/// A side of a procedure.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Side {
    /// Name and type.
    pub side: SideId,
    /// Of `times attackers`: the variable that says how many equal units it is, and how many there can be.
    pub times: Option<(VarId, u32)>,
}

/// A key: what can be set.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Key {
    /// `attacker.stands`, `range`.
    pub name: Arc<str>,
    /// What it means.
    pub meaning: Arc<str>,
    /// Its place in the print.
    pub source: Arc<str>,
    /// What it may be, as it is given: narrower than what it sets, or in other words.
    pub kind: Vec<KeyAlternative>,
    /// What it is when it is not given; local 0 is the unit of its side, if it has one.
    pub default: KeyDefault,
    /// What it sets.
    pub sets: KeyTarget,
    /// One value for each unit of the line, or one for all.
    pub each: bool,
    /// Where it is declared.
    pub span: Span,
}

/// One alternative of a key's kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum KeyAlternative {
    /// `true` or `false`.
    Flag,
    /// A number.
    Number {
        /// The lowest.
        low: Fraction,
        /// The highest.
        high: Fraction,
        /// Whole numbers only.
        whole: bool,
    },
    /// A word, or a number among words, as it is given, and the value of the target's type it means.
    Word(Arc<str>, Value),
}

/// What a key is when it is not given.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum KeyDefault {
    /// A value, of the target's type.
    Value(Value),
    /// That of another key or field of the same unit: `original: 1..40 = figures`.
    Formula(Formula),
}

/// What a key sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyTarget {
    /// A variable.
    Var(VarId),
    /// A field of a side's unit; of `times` sides, of each of them; of a line, of the line itself.
    Field(usize, FieldId),
    /// A field of one member of a line, counted from 1.
    Member(usize, u32, FieldId),
    /// A field of every member of a line.
    Members(usize, FieldId),
}

/// A refusal of a procedure.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refusal {
    /// The key it is said of; `Given` and `Changed` ask about it.
    pub key: Arc<str>,
    /// Its position among the keys; none if the procedure does not ask it, which is then neither given nor changed.
    pub at: Option<usize>,
    /// Of a refusal of a unit type: the side, which is local 0 of both formulas.
    pub unit: Option<usize>,
    /// When.
    pub when: Formula,
    /// What is said.
    pub text: Formula,
    /// Where it stands.
    pub span: Span,
}

/// A remark.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Note {
    /// Always.
    Always(Arc<str>),
    /// When a condition holds of the settings.
    When {
        /// Its name.
        name: Arc<str>,
        /// When.
        when: Formula,
        /// What is said.
        text: Formula,
    },
}

/// A report.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// Its name.
    pub name: Arc<str>,
    /// What it means.
    pub meaning: Arc<str>,
    /// What it is.
    pub value: ReportValue,
    /// Type of the value; of an outcome a Word of its labels.
    pub ty: Type,
    /// Of a number: what it can be, where that is known.
    pub range: Option<Interval>,
    /// Labels in their order; empty for numbers. Flags have `no`, `yes`; nobody is `none`.
    pub labels: Vec<Label>,
    /// `same: a as b`: labels that count as another.
    pub same: Vec<(Arc<str>, Arc<str>)>,
    /// Where it is declared.
    pub span: Span,
}

/// What a report is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ReportValue {
    /// The label of `end`.
    Outcome,
    /// A value at the end of the trial.
    Value(Formula),
}

/// A label and whom it favours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// As reported.
    pub text: Arc<str>,
    /// Whom.
    pub favour: Option<FavourWord>,
    /// The value it stands for, where it is known: a Flag, a Word, a record; nobody and sides have none.
    pub value: Option<Value>,
}

/// What a policy shows of a state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Show {
    /// How it is called.
    pub name: Arc<str>,
    /// What it is.
    pub value: Formula,
    /// Only then.
    pub when: Option<Formula>,
}

/// A plan, or a family of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Plan {
    /// Its name.
    pub label: Vec<TextPart>,
    /// Several: local 0 of all formulas, from the first to the second number.
    pub over: Option<(Formula, Formula)>,
    /// Locals of the label: the number.
    pub locals: Vec<Local>,
    /// The action that comes first as long as the condition holds.
    pub at_first: Option<(Arc<str>, Formula)>,
    /// Else the first of these that is offered, by [`super::Action::name`].
    pub then: Vec<Arc<str>>,
}

/// A question of a test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Question {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Keys, by position, and what they are given.
    pub given: Vec<(usize, Value)>,
}

/// A scripted test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Example {
    /// What it shows.
    pub title: Arc<str>,
    /// The question.
    pub question: Question,
    /// Trials.
    pub trials: Vec<Trial>,
    /// Where it stands.
    pub span: Span,
}

/// One trial: every reading is used, and none too many. A sum of dice is one reading.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Trial {
    /// What the dice show.
    pub dice: Vec<i64>,
    /// Reports and what they must be, as reported.
    pub results: Vec<(usize, Arc<str>)>,
    /// Where it stands.
    pub span: Span,
}

/// Expected chances of a report's values.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Expect {
    /// The question.
    pub question: Question,
    /// The report.
    pub report: usize,
    /// Values and their chances.
    pub chances: Vec<ExpectedChance>,
    /// Where it stands.
    pub span: Span,
}

/// How often a value is expected.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExpectedChance {
    /// The value as reported.
    pub label: Arc<str>,
    /// Its chance.
    pub chance: Fraction,
    /// How far off it may be: a decimal is as good as the places it has, anything else is exact.
    pub within: Fraction,
    /// Where it stands.
    pub span: Span,
}

impl Procedure {
    /// A key by its name.
    pub fn key(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|key| *key.name == *name)
    }
}

/// The local that holds the unit of a side in defaults and refusals of its type.
pub const THIS_UNIT: LocalId = LocalId(0);

impl Procedure {
    /// What has to be said with every answer.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().filter_map(|note| match note {
            Note::Always(text) => Some(&**text),
            Note::When { .. } => None,
        })
    }
}
