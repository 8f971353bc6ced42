//! What comparisons with the program of the hand-written rules share: random questions, and answers side by side.

use grapeshot_drill::program::{Key, KeyAlternative};
use grapeshot_drill::run::Rules;
use grapeshot_engine::Variable;
use std::collections::BTreeMap;

/// Numbers that look random and are the same on every machine.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) % n.max(1)
    }
}

/// What the keys of a procedure may be given.
pub fn question(rules: &Rules, procedure: &str, draw: &mut Draw) -> Vec<(String, String)> {
    question_of(&rules.procedure(procedure).expect("a procedure").keys, draw)
}

/// The same of these keys.
pub fn question_of(keys: &[Key], draw: &mut Draw) -> Vec<(String, String)> {
    let mut given = Vec::new();
    let share = 1 + draw.below(6);
    for key in keys {
        if draw.below(7) >= share {
            continue;
        }
        let mut values: Vec<String> = Vec::new();
        for alternative in &key.kind {
            match alternative {
                KeyAlternative::Flag => values.extend(["true".into(), "false".into()]),
                KeyAlternative::Word(word, _) => values.push(word.to_string()),
                KeyAlternative::Number { low, high, whole } => {
                    let (from, to) = (low.ceil().to_integer(), high.floor().to_integer());
                    for _ in 0..3 {
                        // Small numbers mostly: a question of thirty strength points takes long.
                        let most = if draw.below(4) > 0 {
                            to.min(from.max(0) + 7)
                        } else {
                            to
                        };
                        let n = from + draw.below((most - from + 1) as u64) as i64;
                        values.push(match *whole || draw.below(2) == 0 || n == to || n < 0 {
                            true => n.to_string(),
                            false => format!("{n}.{}", 25 * draw.below(4)),
                        });
                    }
                }
            }
        }
        let mut value = values[draw.below(values.len() as u64) as usize].clone();
        if key.each && draw.below(3) == 0 {
            value = format!(
                "{value}+{}",
                values[draw.below(values.len() as u64) as usize]
            );
        }
        given.push((key.name.to_string(), value));
    }
    given
}

/// Each variable's name, and the chance of each of its values.
pub type Marginals = Vec<(String, BTreeMap<String, f64>)>;

pub fn marginals(
    variables: &[Variable],
    rows: &[(grapeshot_engine::engine::End, f64)],
) -> Marginals {
    let marginals = variables.iter().enumerate().map(|(at, variable)| {
        let mut values: BTreeMap<String, f64> = BTreeMap::new();
        for (end, chance) in rows {
            *values.entry(variable.label(end.row[at])).or_default() += chance;
        }
        (variable.name.clone(), values)
    });
    marginals.collect()
}

pub fn theirs(answer: &serde_json::Value) -> Marginals {
    let variables = answer["variables"].as_array().expect("variables");
    let each = variables.iter().map(|variable| {
        let values = variable["values"].as_array().expect("values").iter();
        let values = values.map(|value| {
            let label = match &value["value"] {
                serde_json::Value::String(label) => label.clone(),
                number => number.to_string(),
            };
            (label, value["p"].as_f64().expect("a chance"))
        });
        (
            variable["name"].as_str().expect("a name").to_owned(),
            values.collect(),
        )
    });
    each.collect()
}

/// What differs between two answers.
pub fn difference(ours: &Marginals, theirs: &Marginals) -> Option<String> {
    let names = |of: &Marginals| of.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    if names(ours) != names(theirs) {
        return Some(format!(
            "variables {:?}, not {:?}",
            names(ours),
            names(theirs)
        ));
    }
    for ((name, here), (_, there)) in ours.iter().zip(theirs) {
        for label in here.keys().chain(there.keys()) {
            let chance = |of: &BTreeMap<String, f64>| of.get(label).copied().unwrap_or(0.0);
            if (chance(here) - chance(there)).abs() > 1e-12 {
                return Some(format!(
                    "{name} {label}: {}, not {}",
                    chance(here),
                    chance(there)
                ));
            }
        }
    }
    None
}
