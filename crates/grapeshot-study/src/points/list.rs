//! A price list of one's own beside what units are worth: who costs too much, who too little, and by how much.
//!
//! ```toml
//! rules = "elephant"
//! [grade]          # what one stand of each costs; each table has the one that all are compared with
//! regular = 10
//! elite = 16
//! [weapon]
//! rifle-musket = 10
//! repeater = 14
//! ```

use super::{Entry, Price, Worth};
use grapeshot_engine::object;
use grapeshot_rules::{Problems, RuleError, TomlText};
use serde::{Serialize, Serializer};

/// A price list, still to be read.
#[derive(Debug, Clone)]
pub struct PriceList {
    file: String,
    text: String,
}

/// A line of a price list beside the worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// `grade`, `class`, `morale`, `weapon`, `kind` or `type`.
    pub key: String,
    /// Its value.
    pub value: String,
    /// What it costs.
    pub price: f64,
    /// What it costs in units of the reference.
    pub relative: f64,
    /// What it is worth in them, and the least and the most that any fight says; nothing if nothing can be fought.
    pub worth: Option<(Worth, Worth, Worth)>,
}

grapeshot_engine::labels! {
    /// What a price is beside the worth.
    pub enum Verdict {
        /// More than the unit is worth in any fight.
        Over = "overpriced",
        /// Less than it is worth in any fight.
        Under = "underpriced",
        /// Within what the fights say.
        Fair = "fair",
        /// Nothing can be fought, so nothing is known.
        Unknown = "unknown",
    }
}

impl Listed {
    /// How much dearer than the worth, as a share of it: 0.2 is a fifth too dear.
    pub fn over(&self) -> Option<f64> {
        let (worth, ..) = self.worth?;
        Some(self.relative / worth.value - 1.0)
    }

    /// The same if the unit is worth the most, and the least, that any fight says.
    pub fn over_range(&self) -> Option<(f64, f64)> {
        let (_, from, to) = self.worth?;
        Some((
            self.relative / to.value - 1.0,
            self.relative / from.value - 1.0,
        ))
    }

    /// What the price is beside the worth. Where fights give only a bound, what lies beyond it may be right.
    pub fn verdict(&self) -> Verdict {
        let Some((worth, from, to)) = self.worth else {
            return Verdict::Unknown;
        };
        match self.relative {
            x if x > to.value && !(to.at_least || worth.at_least) => Verdict::Over,
            x if x < from.value && !(from.at_most || worth.at_most) => Verdict::Under,
            _ => Verdict::Fair,
        }
    }
}

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let range = self.over_range();
        object!(to;
            "key": self.key,
            "value": self.value,
            "price": self.price,
            "relative": self.relative,
            "worth": self.worth.map(|(worth, ..)| worth.value),
            "verdict": self.verdict(),
            "over": self.over(),
            "over_from": range.map(|(from, _)| from),
            "over_to": range.map(|(_, to)| to),
        )
    }
}

impl PriceList {
    /// The text of a file; it is read against what is priced.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        PriceList {
            file: file.into(),
            text: text.into(),
        }
    }

    /// What each of these costs, nothing of what is not in the list.
    ///
    /// # Errors
    /// Names the file, the line, the key and what is allowed, for everything that is wrong.
    pub(super) fn read(
        &self,
        rules: &str,
        entries: &[Entry],
    ) -> Result<Vec<Option<Cost>>, RuleError> {
        let problems = Problems::of(&TomlText::new(&*self.file, &*self.text));
        let mut top = problems.read()?;
        if let Some(said) = top.maybe::<String>("rules")
            && said != rules
        {
            top.problem(
                "rules",
                format!("is `{said}`, but the command is about `{rules}`"),
            );
        }
        let mut costs: Vec<Option<Cost>> = vec![None; entries.len()];
        let keys = entries
            .chunk_by(|a, b| a.key == b.key)
            .map(|alike| &alike[0].key);
        let keys: Vec<&String> = keys.collect();
        for &key in &keys {
            let Some(mut table) = top.table(key) else {
                continue;
            };
            let of_key = || (entries.iter().enumerate()).filter(|(_, entry)| entry.key == *key);
            let usual = of_key().find(|(_, entry)| entry.reference);
            if let Some((_, usual)) = usual.filter(|(_, usual)| !table.has(&usual.value)) {
                let problem = "is missing: the others are compared with its price";
                table.problem(&usual.value, problem);
            }
            for (at, entry) in of_key() {
                let Some(price) = table.maybe::<f64>(&entry.value) else {
                    continue;
                };
                if price <= 0.0 || !price.is_finite() {
                    table.problem(&entry.value, "must be a price above 0");
                }
                let relative = 1.0;
                costs[at] = Some(Cost { price, relative });
            }
            let usual = usual.and_then(|(at, _)| costs[at]);
            for (at, _) in of_key() {
                if let (Some(cost), Some(usual)) = (&mut costs[at], usual) {
                    cost.relative = cost.price / usual.price;
                }
            }
            table.finish();
        }
        if costs.iter().all(Option::is_none) && problems.is_empty() {
            let all: Vec<String> = keys.iter().map(|key| format!("[{key}]")).collect();
            top.problem(
                "",
                format!("it has no prices; allowed are {}", all.join(", ")),
            );
        }
        top.finish();
        problems.or(costs)
    }
}

/// What one costs, by itself and in units of the reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    price: f64,
    relative: f64,
}

impl Cost {
    /// Beside what it is worth.
    pub(super) fn beside(self, price: &Price) -> Listed {
        let range = price.range();
        let worth = price.worth.zip(range);
        Listed {
            key: price.entry.key.clone(),
            value: price.entry.value.clone(),
            price: self.price,
            relative: self.relative,
            worth: worth.map(|(worth, (from, to))| (worth, from, to)),
        }
    }
}
