//! The balance card: what a grade, cover, a flank, a leader or more men are worth in a ruleset, how
//! decisive, bloody and fickle it is, and how fast. Every figure is computed from common fights and
//! carries its definition.
//!
//! Unless a definition says otherwise the fight is 400 regulars a side with rifle-muskets in the
//! open, at 100 yards.

mod figures;
mod questions;

use crate::number::{percent, signed};
use crate::parallel;
use figures::FIGURES;
use grapeshot_engine::engine::doing;
use grapeshot_engine::object;
use grapeshot_rules::{LoadedRuleset, OddsError, Options, RuleError};
use questions::{Miss, Questions};
use serde::{Serialize, Serializer};

/// An assumption that entered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Assumed {
    /// Its name.
    pub name: String,
    /// What it says.
    pub text: String,
}

grapeshot_engine::labels! {
    /// What kind of number a figure is.
    pub enum Measure {
        /// A probability or a share of men.
        Share = "share",
        /// A change of a probability.
        Points = "change of a probability",
        /// A change relative to what it was.
        Change = "relative change",
        /// A ratio of men.
        Ratio = "ratio of men",
        /// Turns.
        Turns = "turns",
    }
}

/// A number, or the end of the range it lies beyond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// The number.
    Is(f64),
    /// At most this.
    AtMost(f64),
    /// More than this.
    MoreThan(f64),
}

impl Amount {
    /// The number, or the end it lies beyond: for putting amounts in order.
    pub fn number(self) -> f64 {
        match self {
            Amount::Is(x) | Amount::AtMost(x) | Amount::MoreThan(x) => x,
        }
    }

    /// Which end of a range it is, if it is one.
    pub fn bound(self) -> Option<&'static str> {
        match self {
            Amount::Is(_) => None,
            Amount::AtMost(_) => Some("at most"),
            Amount::MoreThan(_) => Some("more than"),
        }
    }
}

/// One figure of a card.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What it is about.
    pub topic: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How it is computed.
    pub definition: &'static str,
    /// What kind of number it is.
    pub measure: Measure,
    /// The number, or why there is none.
    pub value: Result<Amount, String>,
    /// What belongs to it: the steps an average is made of.
    pub detail: String,
    /// Whether every number behind it was solved.
    pub exact: bool,
}

impl Figure {
    /// The name of the method behind it.
    pub fn method(&self) -> &'static str {
        if self.exact { "exact" } else { "simulate" }
    }

    /// The number as it is read.
    pub fn text(&self) -> String {
        let Ok(amount) = self.value else {
            return "–".into();
        };
        let x = amount.number();
        let number = match self.measure {
            Measure::Share => percent(x),
            Measure::Points => format!("{} points", tenths(x)),
            Measure::Change => format!("{} %", tenths(x)),
            Measure::Ratio => format!("{} : 1", grapeshot_engine::stats::fixed(x, 2)),
            Measure::Turns if x == 1.0 => "1 turn".into(),
            Measure::Turns => format!("{x} turns"),
        };
        match amount.bound() {
            None => number,
            Some(bound) => format!("{bound} {number}"),
        }
    }
}

/// What cards are told in.
pub(crate) fn words() -> Vec<&'static str> {
    let figures = FIGURES.iter();
    figures
        .flat_map(|figure| [figure.topic, figure.name, figure.definition])
        .collect()
}

/// A change in hundredths, to a tenth of one.
fn tenths(x: f64) -> String {
    match x.abs() < 5e-4 {
        true => "0.0".into(),
        false => signed(100.0 * x, 1),
    }
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let amount = self.value.as_ref().ok();
        object!(to;
            "topic": self.topic,
            "name": self.name,
            "definition": self.definition,
            "measure": self.measure,
            "value": amount.map(|amount| amount.number()),
            "bound": amount.and_then(|amount| amount.bound()),
            "text": self.text(),
            "detail": self.detail,
            "method": self.method(),
            "left_out": self.value.as_ref().err(),
        )
    }
}

/// The card of one ruleset.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Card {
    /// The ruleset.
    #[serde(rename = "ruleset")]
    pub rules: String,
    /// The figures, in the same order for every ruleset.
    pub figures: Vec<Figure>,
    /// The assumptions that entered.
    pub assumptions: Vec<Assumed>,
}

/// The cards of these rulesets; of all that play common fights if none is named.
///
/// # Errors
/// If one is unknown, or an engine cannot answer.
pub fn cards(
    common: &LoadedRuleset,
    rules: &[String],
    options: &Options,
) -> Result<Vec<Card>, OddsError> {
    let players: Vec<&str> = common.players().collect();
    for id in rules {
        if !players.contains(&id.as_str()) {
            return Err(RuleError::unknown("ruleset", id, players).into());
        }
    }
    let asked_for = |id: &&str| rules.is_empty() || rules.iter().any(|rule| rule == id);
    let chosen: Vec<&str> = players.into_iter().filter(asked_for).collect();
    parallel::try_map(&chosen, |rules| card(common, rules, options))
}

fn card(common: &LoadedRuleset, rules: &str, options: &Options) -> Result<Card, OddsError> {
    let computed: Result<Vec<(Figure, Vec<Assumed>)>, OddsError> =
        parallel::try_map(FIGURES, |spec| {
            doing(|| format!("{rules}: {}", spec.name));
            let questions = Questions::new(common, rules, options);
            let (value, detail) = match (spec.find)(&questions) {
                Ok(found) => (Ok(found.amount), found.detail),
                Err(Miss::LeftOut(reason)) => (Err(reason), String::new()),
                Err(Miss::Odds(error)) => return Err(error),
            };
            let (exact, assumed) = questions.seen();
            let figure = Figure {
                topic: spec.topic,
                name: spec.name,
                definition: spec.definition,
                measure: spec.measure,
                value,
                detail,
                exact,
            };
            Ok((figure, assumed))
        });
    let (figures, assumed): (Vec<Figure>, Vec<Vec<Assumed>>) = computed?.into_iter().unzip();
    let mut assumptions: Vec<Assumed> = assumed.into_iter().flatten().collect();
    assumptions.sort();
    assumptions.dedup();
    Ok(Card {
        rules: rules.into(),
        figures,
        assumptions,
    })
}
