//! Luck in words, and as plain data.

use super::{Game, Luck};
use crate::number::grouped;
use grapeshot_engine::object;
use grapeshot_engine::plain::Object;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// How lucky a percentile is, in a word.
pub fn in_words(percentile: f64) -> &'static str {
    match percentile {
        p if p < 0.01 => "wretchedly unlucky",
        p if p < 0.05 => "very unlucky",
        p if p < 0.2 => "unlucky",
        p if p <= 0.8 => "nothing unusual",
        p if p <= 0.95 => "lucky",
        p if p <= 0.99 => "very lucky",
        _ => "blessed",
    }
}

/// `One game in 40 is unluckier.`
pub fn game_in_words(percentile: f64) -> String {
    let (share, which) = match percentile > 0.5 {
        true => (1.0 - percentile, "luckier"),
        false => (percentile, "unluckier"),
    };
    match share {
        share if share > 0.4 => "As lucky as games usually are.".into(),
        share if share <= 1e-9 => format!("Hardly any game is {which}."),
        share => format!(
            "One game in {} is {which}.",
            grouped((1.0 / share).round() as u64)
        ),
    }
}

impl Serialize for Luck {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let got = (self.observed.iter()).map(|o| (&o.variable.name, o.variable.label(o.value)));
        let worse = (self.observed.iter()).map(|o| (&o.variable.name, o.direction));
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("question", &self.question)?;
        object.serialize_entry("got", &Object(got.collect()))?;
        object.serialize_entry("worse_is", &Object(worse.collect()))?;
        object.serialize_entry("exactly", &self.exactly)?;
        object.serialize_entry("worse", &self.worse)?;
        object.serialize_entry("or_worse", &self.or_worse())?;
        object.serialize_entry("or_better", &self.or_better())?;
        object.serialize_entry("percentile", &self.percentile())?;
        object.serialize_entry("words", in_words(self.percentile()))?;
        object.serialize_entry("method", method(self.simulated))?;
        if let Some(swing) = &self.swing {
            object.serialize_entry("success_before", &swing.before)?;
            object.serialize_entry("success_after", &swing.after)?;
            object.serialize_entry("swing", &swing.by())?;
        }
        if let Some(played) = &self.played {
            object.serialize_entry("goal", &*played.goal)?;
            object.serialize_entry("side", &*played.sides[0])?;
            object.serialize_entry("expected", &played.expected)?;
            object.serialize_entry("result", &played.result)?;
            object.serialize_entry("luck", &played.luck)?;
            object.serialize_entry("error", &played.own.error)?;
            object.serialize_entry("enemy_error", &played.enemy.error)?;
        }
        object.end()
    }
}

fn method(simulated: bool) -> &'static str {
    if simulated { "simulate" } else { "exact" }
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object!(to;
            "entries": self.entries,
            "sum": Total(self),
            "words": game_in_words(self.sum.percentile()),
        )
    }
}

/// The sum of a game.
struct Total<'a>(&'a Game);

impl Serialize for Total<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Game { sum, of_swings, .. } = self.0;
        object!(to;
            "of": if *of_swings { "swings" } else { "percentiles" },
            "value": sum.score,
            "sd": sum.sd,
            "worse": sum.smaller,
            "exactly": sum.exactly,
            "percentile": sum.percentile(),
            "method": method(sum.simulated.is_some()),
        )
    }
}
