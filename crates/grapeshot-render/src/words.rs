//! How rulesets say common fights in their own words.

use super::changes::changes_text;
use super::{Body, Cell, Document, Report, Table};
use grapeshot_engine::plain::{self, Object};
use grapeshot_rules::common::Words;
use grapeshot_rules::{LoadedRuleset, RuleError};
use serde::Serialize;

/// The words of some rulesets for common fights.
#[derive(Debug, Serialize)]
pub struct CommonWords {
    rulesets: Vec<RulesetWords>,
}

#[derive(Debug, Serialize)]
struct RulesetWords {
    rules: String,
    #[serde(skip)]
    variants: Vec<(String, String)>,
    /// Lists of words: what the list is, and word by word.
    #[serde(rename = "words", serialize_with = "plain::pairs")]
    lists: Vec<(String, Object<String, String>)>,
    #[serde(serialize_with = "plain::pairs")]
    assumptions: Vec<(String, String)>,
}

impl CommonWords {
    /// Reads the words of these rulesets.
    ///
    /// # Errors
    /// If a ruleset has no words for common fights.
    pub fn new(all: &[LoadedRuleset]) -> Result<Self, RuleError> {
        all.iter()
            .map(RulesetWords::new)
            .collect::<Result<_, _>>()
            .map(|rulesets| CommonWords { rulesets })
    }
}

impl RulesetWords {
    fn new(loaded: &LoadedRuleset) -> Result<Self, RuleError> {
        let words = Words::new(&loaded.ruleset.id, &loaded.tables)?;
        let mut lists = Vec::new();
        for (name, list) in words.lists().filter(|(name, _)| *name != "assumptions") {
            if !["results", "settings", "losses"].contains(&name.as_str()) {
                lists.push((title(name), entries(list)));
                continue;
            }
            for (kind, list) in list {
                if let toml::Value::Table(list) = list {
                    lists.push((format!("{name} of a {kind}"), entries(list)));
                }
            }
        }
        let variants = loaded.tables.variants().iter();
        let assumptions = words.assumptions().into_iter().map(|name| {
            let text = words.assumption(&name).unwrap_or_default().to_string();
            (name, text)
        });
        Ok(RulesetWords {
            rules: loaded.ruleset.id.to_string(),
            variants: variants
                .map(|v| (v.name.clone(), changes_text(&v.changes)))
                .collect(),
            lists,
            assumptions: assumptions.collect(),
        })
    }

    fn document(&self) -> Document {
        let mut document = Document::new(format!(
            "{}: common fights in its own words (a variant may change them, under `common`)",
            self.rules
        ));
        for (name, changes) in &self.variants {
            document.fact(&format!("variant {name}"), format!("changes {changes}"));
        }
        for (title, words) in &self.lists {
            let mut table = Table::new(["", ""].map(super::Column::words));
            for (key, word) in &words.0 {
                table.row([Cell::text(key), Cell::text(word)]);
            }
            document.block(title, table);
        }
        let heading = "assumptions, each listed with every answer it enters";
        match self.assumptions.as_slice() {
            [] => {
                let none = "none: every word is printed or defined by the common description";
                document.block(heading, none.to_owned());
            }
            some => {
                let terms = some
                    .iter()
                    .map(|(name, text)| (name.clone(), vec![text.clone()]));
                document.block(heading, Body::Terms(terms.collect()));
            }
        }
        document
    }
}

impl Report for CommonWords {
    fn document(&self) -> Document {
        let mut data = Table::named(["rules", "list", "key", "word"]);
        for spoken in &self.rulesets {
            for (title, words) in &spoken.lists {
                for (key, word) in &words.0 {
                    data.row([&spoken.rules, title, key, word].map(|s| Cell::text(s.clone())));
                }
            }
        }
        let mut document = match self.rulesets.as_slice() {
            [one] => one.document(),
            several => {
                let mut document = Document::new("Common fights in the words of each ruleset");
                document.parts = several.iter().map(RulesetWords::document).collect();
                document
            }
        };
        document.data("words", data);
        document
    }
}

/// What each list of words is.
fn title(list: &str) -> String {
    match list {
        "procedures" => "fights, and the procedure that plays each".into(),
        "grade" => "grades".into(),
        "weapon" => "weapons".into(),
        "men" => "men, to the nearest, halves up".into(),
        "range" => "range, a part of a unit counting whole".into(),
        "leader" => "a brigade leader with a side".into(),
        "flanked" => "taken in the flank".into(),
        "loss" => "a loss is".into(),
        "charge" => "charges".into(),
        "hits" => "hits".into(),
        other => other.replace('_', " "),
    }
}

fn entries(list: &toml::Table) -> Object<String, String> {
    let list = list.iter();
    Object(
        list.map(|(key, value)| (key.clone(), in_words(value)))
            .collect(),
    )
}

/// A word, or where a value comes from: `firer.men × firer.weapon at range`.
fn in_words(value: &toml::Value) -> String {
    let toml::Value::Table(table) = value else {
        return match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
    };
    let text = |key: &str| table.get(key).map(in_words);
    let joined = |key: &str, sign: &str| {
        let terms = table.get(key)?.as_array()?;
        Some(terms.iter().map(in_words).collect::<Vec<_>>().join(sign))
    };
    let said = joined("sum", " + ").or_else(|| joined("times", " × "));
    let said = said.or_else(|| {
        let mut said = text("from")?;
        for (key, before) in [("words", " by "), ("entry", " as "), ("at", " at ")] {
            said += &text(key).map_or(String::new(), |word| format!("{before}{word}"));
        }
        Some(said)
    });
    let said = said.or_else(|| Some(format!("{} of {}", text("count")?, text("of")?)));
    let said = said.or_else(|| Some(format!("{} where {}", text("plays")?, text("when")?)));
    let zero = text("zero").map_or(String::new(), |zero| format!("; where it is 0, {zero}"));
    said.map_or_else(|| value.to_string(), |said| said + zero.as_str())
}
