//! Rosters: units in a ruleset's own words, as people keep them in a file.
//!
//! ```toml
//! rules = "elephant"
//!
//! [[unit]]
//! name = "20th Maine"
//! settings = { grade = "veteran", stands = 8 }
//! number = 1
//! price = 24
//! ```
//!
//! A unit stands on either side of any question, so its settings are named without a side, and a question takes those
//! that it asks for.

use grapeshot_rules::{
    Entries, Given, LoadedRuleset, Problems, Procedure, RuleError, Setting, TomlText, Value,
    Variant, find_beside, read_text,
};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Units of a ruleset.
#[derive(Debug, Clone)]
pub struct Roster {
    /// The file as it was written, for messages and titles.
    pub text: TomlText,
    /// What it is called, if it says so.
    pub name: Option<String>,
    /// The units, in the order of the file.
    pub units: Vec<Unit>,
}

/// A kind of unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unit {
    /// What it is called: no other unit of the roster with the same rules is.
    pub name: String,
    /// The name of its ruleset.
    pub rules: String,
    /// Its settings, named without a side.
    #[serde(serialize_with = "as_object")]
    pub settings: Given,
    /// How many there are.
    pub number: u32,
    /// What one costs, if anybody said so.
    pub price: Option<f64>,
}

fn as_object<S: serde::Serializer>(given: &Given, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(given.iter().map(|(key, value)| (key, value.to_string())))
}

/// A setting's name without its side.
fn own(setting: &Setting) -> &str {
    let key = setting.key.as_str();
    key.split_once('.').map_or(key, |(_, own)| own)
}

impl Unit {
    /// What a question takes of this unit where it stands on a side, such as `attacker`.
    pub fn on_side(&self, procedure: &Procedure, side: &str) -> Given {
        let asked = |(name, value): &(String, Value)| {
            let key = format!("{side}.{name}");
            let known = procedure.settings.iter().any(|setting| setting.key == key);
            known.then(|| (key, value.clone()))
        };
        self.settings.iter().filter_map(asked).collect()
    }
}

/// Reads rosters from their files, whose rulesets have these variants laid over them.
///
/// # Errors
/// Says of every file what is wrong with it.
pub fn read_rosters(files: &[PathBuf], variants: &[Variant]) -> Result<Vec<Roster>, RuleError> {
    let (mut rosters, mut wrong) = (Vec::new(), Vec::new());
    for file in files {
        let load = |rules: &str| Ok(Arc::new(find_beside(rules, file)?.load(variants)?));
        let name = file.display().to_string();
        match read_text(file).and_then(|text| read_roster(&name, &text, load)) {
            Ok(roster) => rosters.push(roster),
            Err(error) => wrong.push(error),
        }
    }
    RuleError::all(wrong)?;
    Ok(rosters)
}

/// Reads a roster; `load` makes a ruleset ready.
///
/// # Errors
/// If it is malformed, or names what its rules do not know: everything, each with its line.
pub fn read_roster(
    file: &str,
    text: &str,
    mut load: impl FnMut(&str) -> Result<Arc<LoadedRuleset>, RuleError>,
) -> Result<Roster, RuleError> {
    let text = TomlText::new(file, text);
    let problems = Problems::of(&text);
    let mut top = problems.read()?;
    let rules: Option<String> = top.maybe("rules");
    let name: Option<String> = top.maybe("name");
    top.maybe::<String>("note");
    let entries = top.tables("unit");
    if entries.is_empty() {
        top.problem("unit", "is missing: a roster has a [[unit]] for each unit");
    }
    top.finish();
    let mut loaded: Vec<(String, Option<Arc<LoadedRuleset>>)> = Vec::new();
    let mut units: Vec<Unit> = Vec::new();
    for mut entry in entries {
        let own_rules: Option<String> = entry.maybe("rules");
        let named = own_rules.clone().or_else(|| rules.clone());
        let Some(rules) = named else {
            entry.problem("rules", "is missing: say it here, or once above all units");
            read(entry, None, String::new());
            continue;
        };
        if !loaded.iter().any(|(known, _)| *known == rules) {
            let found = match &own_rules {
                Some(_) => entry.keep("rules", load(&rules)),
                None => load(&rules).map_err(|e| problems.about("rules", e)).ok(),
            };
            loaded.push((rules.clone(), found));
        }
        let known = loaded.iter().find(|(known, _)| *known == rules);
        let known = known.and_then(|(_, loaded)| loaded.as_deref());
        let at = entry.at();
        let unit = read(entry, known, rules);
        let same = |other: &Unit| other.name == unit.name && other.rules == unit.rules;
        if !unit.name.is_empty() && units.iter().any(same) {
            problems.add(RuleError::File {
                file: at,
                problem: format!("there are two units called `{}`", unit.name),
            });
        }
        units.push(unit);
    }
    problems.or(Roster { text, name, units })
}

fn read(mut entry: Entries<'_>, loaded: Option<&LoadedRuleset>, rules: String) -> Unit {
    let name: String = entry.needed("name");
    if name.chars().any(char::is_control) || (entry.has("name") && name.trim().is_empty()) {
        entry.problem("name", "must be letters that can be read");
    }
    let number = entry.whole("number", 1..=1000).unwrap_or(1) as u32;
    let price = price(&mut entry);
    let settings = match entry.table("settings") {
        Some(mut table) => settings(&mut table, loaded),
        None => Given::new(),
    };
    entry.maybe::<String>("note");
    entry.finish();
    Unit {
        name,
        rules,
        settings,
        number,
        price,
    }
}

fn price(entry: &mut Entries<'_>) -> Option<f64> {
    let value: toml::Value = entry.maybe("price")?;
    let price = match value {
        toml::Value::Integer(n) => n as f64,
        toml::Value::Float(x) => x,
        _ => f64::NAN,
    };
    match price.is_finite() && price > 0.0 {
        true => Some(price),
        false => {
            entry.problem(
                "price",
                format!("cannot be `{value}`; allowed is a number above 0"),
            );
            None
        }
    }
}

/// The settings of a unit, each held to the schema: some question of the rules has to ask for it, of a side.
fn settings(table: &mut Entries<'_>, loaded: Option<&LoadedRuleset>) -> Given {
    let mut given = Given::new();
    let said = table.nested(|_| false);
    let Some(loaded) = loaded else {
        return given;
    };
    let schema: Vec<&Setting> = (loaded.procedures.iter())
        .flat_map(|procedure| &procedure.settings)
        .filter(|setting| setting.side().is_some())
        .collect();
    for (name, value) in said {
        let Some(value) = grapeshot_rules::single(&value) else {
            table.problem(&name, "must be a single value");
            continue;
        };
        let mut known = schema
            .iter()
            .filter(|setting| own(setting) == name)
            .peekable();
        if known.peek().is_none() {
            let mut names: Vec<&str> = schema.iter().map(|setting| own(setting)).collect();
            names.sort_unstable();
            names.dedup();
            let what = format!("setting of a unit of {}", loaded.id());
            table.problem(&name, RuleError::unknown(what, &name, names));
            continue;
        }
        // Questions may allow different ranges: one of them has to take it.
        let mut wrong = None;
        let fits = known.any(|setting| match setting.parse(&value.to_string()) {
            Ok(_) => true,
            Err(error) => {
                wrong.get_or_insert(error);
                false
            }
        });
        match (fits, wrong) {
            (false, Some(error)) => table.problem(&name, error),
            _ => given.push((name, value)),
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_rules::find;

    fn load(name: &str) -> Result<Arc<LoadedRuleset>, RuleError> {
        Ok(Arc::new(find(name)?.load(&[])?))
    }

    #[test]
    fn a_unit_stands_on_either_side_of_every_question_that_asks_for_it() {
        let text = "rules = 'elephant'\nname = 'Union'\n[[unit]]\nname = '20th Maine'\nprice = 24\nnumber = 2\n\
                    settings = { grade = 'veteran', stands = 8 }\n[[unit]]\nname = 'Battery'\nrules = 'gbacw'\n";
        let roster = read_roster("u.toml", text, load).expect("a roster");
        assert_eq!(roster.name.as_deref(), Some("Union"));
        let [maine, battery] = &roster.units[..] else {
            panic!("{:?}", roster.units)
        };
        assert_eq!((maine.number, maine.price), (2, Some(24.0)));
        assert_eq!(
            (battery.rules.as_str(), battery.number, battery.price),
            ("gbacw", 1, None)
        );
        let rules = load("elephant").expect("rules");
        let said = |question: &str, side: &str| {
            let given = maine.on_side(rules.procedure(question).expect("a question"), side);
            let said = given.iter().map(|(key, value)| format!("{key}={value}"));
            said.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            said("charge", "defender"),
            "defender.grade=veteran defender.stands=8"
        );
        // A volley does not ask for the grade.
        assert_eq!(said("fire", "firer"), "firer.stands=8");
    }

    #[test]
    fn what_is_wrong_is_told_at_once_with_its_line() {
        let text = "rules = 'elephant'\n[[unit]]\nname = 'a'\nprice = -1\n[unit.settings]\ngrade = 'vetran'\nstand = 8\n\
                    [[unit]]\nname = 'a'\nnumber = 0\n[[unit]]\nsize = 3\n";
        let told = read_roster("u.toml", text, load)
            .expect_err("wrong")
            .to_string();
        for part in [
            "u.toml:4",
            "a number above 0",
            "u.toml:6",
            "`veteran`",
            "u.toml:7",
            "`stands`",
            "u.toml:8",
            "two units called `a`",
            "u.toml:10",
            "from 1 to 1000",
            "`unit[3].name`: is missing",
            "`unit[3].size`",
        ] {
            assert!(told.contains(part), "{part}\n{told}");
        }
        for (text, part) in [
            ("rules = 'nobody'\n[[unit]]\nname = 'a'", "nobody"),
            ("[[unit]]\nname = 'a'", "say it here, or once above"),
            ("rules = 'elephant'", "a [[unit]] for each"),
        ] {
            let told = read_roster("u.toml", text, load)
                .expect_err(text)
                .to_string();
            assert!(told.contains(part), "{part}\n{told}");
        }
    }
}
