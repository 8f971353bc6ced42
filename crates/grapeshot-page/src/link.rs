//! Links: the settings of the command line, only those that differ from the default.
//!
//! A link is of form 1, with or without the mark `v=1`, and will stay so: a program whose defaults or keys
//! are others marks the links it makes with another form and keeps reading the old ones.
//! `tests/links/form-1.txt` holds what an unmarked link leaves unsaid.

use super::house::House;
use super::limits;
use super::play::Source;
use form_urlencoded::parse as parse_form;
use grapeshot_rules::{DefaultValue, Given, Procedure, RuleError, Setting, Settings, Value};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Words of a query that are no settings.
pub(super) const RESERVED: [&str; 21] = [
    "v",
    "also",
    "house",
    "text",
    "from",
    "got",
    "did",
    "worse",
    "plan",
    "tap",
    "stages",
    "joint",
    "method",
    "trials",
    "seed",
    "of",
    "over",
    "die",
    "rows",
    "columns",
    "modifiers",
];

/// The form of the links that are made, and read.
const FORM: &str = "1";

/// A question as an address puts it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Ask {
    /// Settings as they were typed, later ones win; blanks are not said.
    pub(super) settings: Vec<(String, String)>,
    /// A house rule.
    pub(super) house: Option<House>,
    /// The rules that are tried, where they are no printed ones.
    pub(super) text: Option<Source>,
    /// What happened.
    pub(super) got: Vec<String>,
    /// What was decided, in order.
    pub(super) did: Vec<String>,
    /// What other questions about this fight have a use for, and this one has not: `name=value`.
    pub(super) also: Vec<String>,
    /// A fixed plan.
    pub(super) plan: Option<String>,
    /// A key to be made greater or smaller: `key:by`.
    pub(super) step: Option<(String, i64)>,
    /// What else programs may say: the option and its value.
    pub(super) options: Vec<(String, String)>,
}

impl Ask {
    /// Reads a query.
    ///
    /// # Errors
    /// If it has too many keys, or one that is not a setting is wrong.
    pub(super) fn read(query: &str) -> Result<Self, RuleError> {
        let mut ask = Ask::default();
        for (at, (key, value)) in parse_form(query.as_bytes()).enumerate() {
            if at >= limits::KEYS {
                let problem = format!("a question has at most {} keys", limits::KEYS);
                return Err(RuleError::Other(problem));
            }
            let (key, value) = (key.into_owned(), value.trim().to_owned());
            let wrong = |problem: &str| RuleError::Value {
                key: key.clone(),
                given: value.clone(),
                allowed: problem.into(),
                meant: None,
            };
            match key.as_str() {
                "v" if value == FORM => {}
                "v" => {
                    return Err(wrong(
                        "1; a link with another mark was made by a newer version of grapeshot",
                    ));
                }
                "stages" | "joint" | "modifiers" => ask.options.push((key, value)),
                _ if value.is_empty() => {}
                "house" => ask.house = Some(House::unpack(&value)?),
                "text" => ask.text = Some(Source::unpack(&value)?),
                "from" => ask.text = Some(Source::Printed(value)),
                "also" if value.contains('=') => ask.also.push(value),
                "also" => return Err(wrong("a name and a value, `name=value`")),
                "got" => ask.got.push(value),
                // As it is said: fire, fire, charge.
                "did" => {
                    let did = value.split(',').map(|did| did.trim().to_owned());
                    ask.did.extend(did.filter(|did| !did.is_empty()));
                }
                "plan" => ask.plan = Some(value),
                "tap" => {
                    let step = value.split_once(':').and_then(|(key, by)| {
                        let by = by.parse::<i64>().ok().filter(|by| by.abs() <= 100_000)?;
                        Some((key.to_owned(), by))
                    });
                    ask.step = Some(step.ok_or_else(|| wrong("a key and a number, `key:1`"))?);
                }
                name if RESERVED.contains(&name) => ask.options.push((key, value)),
                _ => ask.settings.push((key, value)),
            }
        }
        Ok(ask)
    }

    /// What was said, as the schema takes it.
    pub(super) fn given(&self) -> Given {
        let pairs = self.settings.iter();
        pairs
            .map(|(key, value)| (key.clone(), Value::from(value)))
            .collect()
    }

    /// The address of a question; `at` is its path.
    pub(super) fn link(&self, at: &str, procedure: &Procedure, settings: &Settings) -> String {
        let said = differing(procedure, settings);
        let mut pairs: Vec<(&str, String)> = said
            .iter()
            .map(|(key, value)| (key.as_str(), value.to_string()))
            .collect();
        pairs.extend(self.also.iter().map(|also| ("also", also.clone())));
        pairs.extend(self.got.iter().map(|got| ("got", got.clone())));
        if !self.did.is_empty() {
            pairs.push(("did", self.did.join(",")));
        }
        pairs.extend(self.plan.iter().map(|plan| ("plan", plan.clone())));
        pairs.extend(self.rules());
        address(at, pairs)
    }

    /// By which rules it is asked, where they are not the printed ones.
    pub(super) fn rules(&self) -> Vec<(&'static str, String)> {
        let house = self.house.iter().map(|house| ("house", house.packed()));
        house.chain(self.text.iter().map(Source::said)).collect()
    }

    /// The same question with nothing said of what happened, or of a plan.
    pub(super) fn plainly(&self) -> Ask {
        Ask {
            got: Vec::new(),
            did: Vec::new(),
            plan: None,
            step: None,
            ..self.clone()
        }
    }
}

/// An address with a query.
pub(super) fn address<K: AsRef<str>, V: AsRef<str>>(
    path: &str,
    pairs: impl IntoIterator<Item = (K, V)>,
) -> String {
    let mut address = path.to_owned();
    for (at, (key, value)) in pairs.into_iter().enumerate() {
        address.push(if at == 0 { '?' } else { '&' });
        encode(key.as_ref(), &mut address);
        address.push('=');
        encode(value.as_ref(), &mut address);
    }
    address
}

/// The settings that are not what they would be if nobody set them, in the order of the schema; those that
/// follow others come last.
pub(super) fn differing(procedure: &Procedure, settings: &Settings) -> Given {
    let schema = procedure.settings.iter();
    let mut said: Given = Vec::new();
    for setting in schema.clone() {
        let value = settings.get(&setting.key);
        if matches!(&setting.default, DefaultValue::Value(usual) if usual != value) {
            said.push((setting.key.clone(), value.clone()));
        }
    }
    // What follows others is compared with what it would follow.
    let usual = procedure.resolve(said.iter().map(|(key, value)| (key, value)));
    let follows = |setting: &&Setting| !matches!(setting.default, DefaultValue::Value(_));
    for setting in schema.filter(follows) {
        let value = settings.get(&setting.key);
        if !matches!(&usual, Ok(usual) if usual.get(&setting.key) == value) {
            said.push((setting.key.clone(), value.clone()));
        }
    }
    said
}

/// Letters that browsers leave alone stay in an address; all others are written as bytes.
const WRITTEN_AS_BYTES: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'.')
    .remove(b'-')
    .remove(b'_')
    .remove(b',')
    .remove(b':')
    .remove(b'/')
    .remove(b' ');

/// What stands in an address, as it was meant.
pub(super) fn decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

fn encode(text: &str, into: &mut String) {
    *into += &utf8_percent_encode(text, WRITTEN_AS_BYTES)
        .to_string()
        .replace(' ', "+");
}

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_rules::Registry;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "plain",
            "a b&c=d",
            "ünïcode ½",
            "100%",
            "+",
            "\"<'|`>\"",
            "",
        ] {
            let mut written = String::new();
            encode(text, &mut written);
            assert!(written.is_ascii());
            assert_eq!(decoded(&written), text);
        }
        // What nobody would write is read as it stands.
        assert_eq!(decoded("%zz%4"), "%zz%4");
        assert_eq!(decoded("%ff"), "\u{fffd}");
    }

    #[test]
    fn no_setting_is_called_like_a_word_of_the_query() {
        for ruleset in Registry::built_in().all() {
            let loaded = ruleset.load(&[]).expect("a ruleset");
            let decided = loaded.decisions().expect("decisions");
            let decided = decided.iter().map(|decision| &decision.procedure);
            for procedure in loaded.procedures.iter().chain(decided) {
                let reserved = procedure.settings.iter().map(|s| s.key.as_str());
                let clash: Vec<&str> = reserved.filter(|key| RESERVED.contains(key)).collect();
                assert!(
                    clash.is_empty(),
                    "{} {}: {clash:?}",
                    ruleset.id,
                    procedure.name
                );
            }
        }
    }

    #[test]
    fn a_link_says_what_differs_from_the_default_and_means_the_same_again() {
        for ruleset in Registry::built_in().all() {
            let loaded = ruleset.load(&[]).expect("a ruleset");
            for procedure in &loaded.procedures {
                let nothing: Given = Vec::new();
                let usual = procedure.resolve(nothing).expect("defaults");
                let ask = Ask::default();
                assert_eq!(ask.link("/x", procedure, &usual), "/x");
                for setting in &procedure.settings {
                    for value in setting.sample_values() {
                        let given = [(setting.key.clone(), value.clone())];
                        let settings = procedure.resolve(given).expect("a value");
                        let link = ask.link("/x", procedure, &settings);
                        let query = link.split_once('?').map_or("", |(_, query)| query);
                        let again = Ask::read(query).expect("a query");
                        let again = procedure.resolve(again.given()).expect("settings");
                        let same = settings.iter().eq(again.iter());
                        assert!(same, "{link} of {} {}", ruleset.id, procedure.name);
                        assert_eq!(ask.link("/x", procedure, &again), link);
                    }
                }
            }
        }
    }

    #[test]
    fn a_bad_query_says_what_is_wrong_with_it() {
        for (query, wrong) in [
            ("v=2", "newer version"),
            ("tap=attacker.stands", "`key:1`"),
            ("tap=a:999999999999", "`key:1`"),
            ("house=%%%", "house"),
        ] {
            let error = Ask::read(query).expect_err(query).to_string();
            assert!(error.contains(wrong), "{query}: {error}");
        }
        let many = "a=1&".repeat(limits::KEYS + 1);
        assert!(Ask::read(&many).is_err());
        assert_eq!(Ask::read("v=1&&=&a="), Ok(Ask::default()));
    }
}
