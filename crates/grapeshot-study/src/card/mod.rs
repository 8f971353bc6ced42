//! The balance card: what a grade, cover, a flank, a leader or more men are worth in a ruleset, how
//! decisive, bloody and fickle it is, and how fast. Every figure is computed from common fights and
//! carries its definition.
//!
//! Unless a definition says otherwise the fight is 400 regulars a side with rifle-muskets in the
//! open, at 100 yards.

mod figures;
mod questions;

use crate::parallel;
use figures::FIGURES;
use grapeshot_rules::{LoadedRuleset, OddsError, Options, RuleError};
use questions::{Miss, Questions};

/// Assumptions: name and text.
pub(super) type Assumed = Vec<(String, String)>;

/// What kind of number a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// A probability or a share of men.
    Share,
    /// A change of a probability.
    Points,
    /// A change relative to what it was.
    Change,
    /// A ratio of men.
    Ratio,
    /// Turns.
    Turns,
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

/// The card of one ruleset.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The ruleset.
    pub rules: String,
    /// The figures, in the same order for every ruleset.
    pub figures: Vec<Figure>,
    /// The assumptions that entered.
    pub assumptions: Assumed,
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
    let computed: Result<Vec<(Figure, Assumed)>, OddsError> = parallel::try_map(FIGURES, |spec| {
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
    let (figures, assumed): (Vec<Figure>, Vec<Assumed>) = computed?.into_iter().unzip();
    let mut assumptions: Assumed = assumed.into_iter().flatten().collect();
    assumptions.sort();
    assumptions.dedup();
    Ok(Card {
        rules: rules.into(),
        figures,
        assumptions,
    })
}
