//! House rules that add: new values of a key, modifiers with a condition, settings.
//!
//! A ruleset names in `[open.modifiers.PLACE]` the sums to which a variant may add, the procedures in which they are
//! made, and who plays which part in them:
//!
//! ```toml
//! [open.modifiers.fire]
//! what = "columns to the right"
//! procedures = ["fire", "charge"]
//! roles = { firer = "*.weapon", target = "*.ranks" }   # sides with such a key can be it
//! ```
//!
//! A variant adds to the sum under a condition on the settings:
//!
//! ```toml
//! [modifiers.melee.bayonets]
//! when = "attacker.bayonets"        # also key=value, key!=value, key>=n, key<=n, !key, joined by `and`
//! shift = 1
//! about = "drilled with the bayonet"
//! ```
//!
//! A flag called like the modifier is made where it is not there yet; any other new key is declared in
//! `[settings."attacker.drill"]`, with `to` if it is a number. All conditions are about settings, so they are looked
//! up once, when a procedure is built.

mod condition;
mod widen;

use super::{RuleError, Settings, TableFile};
use condition::Condition;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What house rules add to a ruleset.
#[derive(Debug, Clone, Default)]
pub struct House {
    modifiers: Vec<Modifier>,
    places: BTreeMap<String, Place>,
    values: Vec<NewValue>,
    settings: BTreeMap<String, NewSetting>,
    /// The file it was read from, for messages.
    file: String,
}

/// A value of a key that is not printed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewValue {
    /// The key, without its side.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The values it counts as; the first that a setting has.
    pub like: Vec<String>,
    /// Its place among the new values of the key.
    pub position: usize,
}

/// A sum to which can be added.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    /// What a shift is.
    what: String,
    /// The procedures in which it is made.
    procedures: Vec<String>,
    /// Who plays a part in it, and the key that shows which sides can.
    roles: BTreeMap<String, String>,
}

/// Something that is added under a condition.
#[derive(Debug, Clone)]
struct Modifier {
    place: String,
    name: String,
    /// All of them must hold.
    when: Vec<Condition>,
    /// Whose part the conditions are about.
    role: String,
    shift: i64,
    about: String,
}

/// How a modifier is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    when: String,
    shift: i64,
    #[serde(default)]
    about: String,
}

/// A setting that a variant declares.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewSetting {
    /// The largest number; a flag if there is none.
    to: Option<i64>,
    /// The smallest.
    #[serde(default)]
    from: i64,
    /// What it is when it is not given.
    default: Option<i64>,
    /// What it means.
    #[serde(default)]
    about: String,
}

/// The most a modifier may shift.
const MOST: i64 = 20;

impl House {
    /// Reads what was added to a file.
    ///
    /// # Errors
    /// If a modifier or setting is not written as it must be.
    pub fn read(tables: &TableFile) -> Result<Self, RuleError> {
        let mut house = House {
            file: tables.name().into(),
            ..House::default()
        };
        // A ruleset that is open to nothing may use the same words for its own.
        if tables.section("open").is_none() {
            return Ok(house);
        }
        let told = |key: String| move |error: toml::de::Error| (key, error.message().to_owned());
        let wrong = |(key, problem): (String, String)| tables.problem(key, problem);
        for (name, place) in tables.section("open.modifiers").into_iter().flatten() {
            let read = place.clone().try_into();
            let read = read.map_err(told(format!("open.modifiers.{name}")));
            house.places.insert(name.clone(), read.map_err(wrong)?);
        }
        for (key, setting) in tables.section("settings").into_iter().flatten() {
            let read = setting.clone().try_into();
            let read = read.map_err(told(format!("settings.{key}")));
            house.settings.insert(key.clone(), read.map_err(wrong)?);
        }
        for (place, modifiers) in tables.section("modifiers").into_iter().flatten() {
            for (name, written) in modifiers.as_table().into_iter().flatten() {
                let key = format!("modifiers.{place}.{name}");
                let read: Result<Written, _> = written.clone().try_into();
                let written = read.map_err(told(key.clone())).map_err(wrong)?;
                let made = house.modifier(place, name, written);
                let made = made.map_err(|(inner, why)| (format!("{key}.{inner}"), why));
                let made = made.map_err(wrong)?;
                house.modifiers.push(made);
            }
        }
        for (key, names) in tables.section("values").into_iter().flatten() {
            let names = names.as_table().into_iter().flatten();
            for (position, (name, entry)) in names.enumerate() {
                let like = match entry.get("like") {
                    Some(toml::Value::Array(list)) => list
                        .iter()
                        .filter_map(|one| one.as_str().map(ToOwned::to_owned))
                        .collect(),
                    other => other
                        .and_then(toml::Value::as_str)
                        .map(ToOwned::to_owned)
                        .into_iter()
                        .collect(),
                };
                house.values.push(NewValue {
                    key: key.clone(),
                    name: name.clone(),
                    like,
                    position,
                });
            }
        }
        Ok(house)
    }

    fn modifier(
        &self,
        place: &str,
        name: &str,
        written: Written,
    ) -> Result<Modifier, (&'static str, String)> {
        let Some(known) = self.places.get(place) else {
            return Err(("when", format!("nothing can be added to `{place}`")));
        };
        if written.shift.abs() > MOST {
            let why = format!(
                "is {}; allowed is a number from -{MOST} to {MOST}",
                written.shift
            );
            return Err(("shift", why));
        }
        let parts = written.when.split(" and ");
        let when: Result<Vec<Condition>, String> = parts.map(Condition::parse).collect();
        let when = when.map_err(|why| ("when", why))?;
        let mut roles: Vec<&str> = when.iter().filter_map(Condition::side).collect();
        roles.retain(|side| known.roles.contains_key(*side));
        roles.sort_unstable();
        roles.dedup();
        let role = match roles.as_slice() {
            [] => known.roles.keys().next().cloned().unwrap_or_default(),
            [role] => (*role).to_owned(),
            several => {
                let why = format!(
                    "speaks of {}; a modifier is about one of them",
                    several.join(" and ")
                );
                return Err(("when", why));
            }
        };
        Ok(Modifier {
            place: place.into(),
            name: name.into(),
            when,
            role,
            shift: written.shift,
            about: written.about,
        })
    }

    /// What house rules add to a sum for the side that plays a part in it.
    pub fn shift(&self, place: &str, role: &str, settings: &Settings, side: &str) -> i64 {
        let ours = self.modifiers.iter();
        ours.filter(|modifier| modifier.place == place && modifier.role == role)
            .filter(|modifier| {
                let mut when = modifier.when.iter();
                when.all(|condition| condition.holds(settings, role, side))
            })
            .map(|modifier| modifier.shift)
            .sum()
    }
}
