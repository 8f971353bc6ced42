//! What players do between two questions: what a unit carries from what happened into the next one, and what the side that
//! acts could do instead.
//!
//! Both are kept beside the tables:
//!
//! ```toml
//! [carries.charge]                # a report, and the keys that it is taken from, added to, is, or leaves as they are
//! "*_stands_lost" = ["*.stands -", "*.stands_lost +"]     # `*` is a side
//! "*_panic" = ["*.panic ="]
//! "effect=hit-2" = ["target.panic + 2"]                   # of one label only
//! "*_o_hits" = ["*.o_hits to 3 sets *.reduced if *.units 1"]  # the third sets a flag, where the unit is alone
//!
//! [could.charge]                  # in words that go on "… gives 34 of 100"
//! flanking = { "attacker.flank" = true }
//! ```

use super::fight::matched;
use super::{Given, LoadedRuleset, RuleError};

/// What a key becomes.
#[derive(Debug, Clone, PartialEq)]
pub enum Becomes {
    /// So much less.
    Less(i64),
    /// So much more, as far as it may be.
    More(i64),
    /// So much more; every so many set a flag, and are counted anew.
    Turns {
        /// How much more.
        by: i64,
        /// How many set the flag.
        every: i64,
        /// The flag.
        flag: String,
        /// A key and the value without which nobody can say whose they are.
        only: (String, String),
    },
    /// What is reported.
    Reported,
    /// What it was, whatever it follows.
    Kept,
}

/// What is said of a report: its pattern, and for each key the sign and the number, if it is not the reported one.
type Carried = (String, Vec<Change>);

/// A key and what becomes of it.
#[derive(Debug, Clone, PartialEq)]
struct Change {
    key: String,
    sign: char,
    /// The number, if it is not the reported one.
    by: Option<i64>,
    /// The flag that is set, and the key that must have a value for it.
    turns: Option<[String; 3]>,
}

/// What a ruleset says of it.
#[derive(Debug, Clone, Default)]
pub struct Carries {
    carried: Vec<(String, Vec<Carried>)>,
    could: Vec<(String, Vec<(String, Given)>)>,
}

impl Carries {
    /// Reads what a ruleset says; nothing is carried where nothing stands there.
    ///
    /// # Errors
    /// If it says anything that is not understood.
    pub fn read(loaded: &LoadedRuleset) -> Result<Self, RuleError> {
        let mut read = Carries::default();
        let problems = loaded.tables.problems();
        if let Some(mut section) = loaded.tables.entries("carries", &problems) {
            for (procedure, mut reports) in section.each() {
                let mut all = Vec::new();
                for (report, said) in reports.all::<Vec<String>>() {
                    let changes = said.iter().map(|said| {
                        change(said).ok_or_else(|| {
                            let problem = format!(
                                "cannot be `{said}`; allowed is a key with -, + (and a number), =, keep, or to NUMBER sets FLAG if KEY VALUE"
                            );
                            RuleError::Other(problem)
                        })
                    });
                    let changes: Result<Vec<_>, RuleError> = changes.collect();
                    let changes = reports.keep(&report, changes);
                    all.extend(changes.map(|changes| (report, changes)));
                }
                read.carried.push((procedure, all));
            }
        }
        if let Some(mut section) = loaded.tables.entries("could", &problems) {
            for (procedure, mut moves) in section.each() {
                let each = moves.each().into_iter();
                let each = each.map(|(words, entries)| (words, entries.as_settings()));
                read.could.push((procedure, each.collect()));
            }
        }
        problems.or(read)
    }

    /// What a report of a procedure makes of which keys; nothing if it is not carried.
    pub fn of(&self, procedure: &str, report: &str, label: &str) -> Option<Vec<(String, Becomes)>> {
        let (_, carried) = self.carried.iter().find(|(name, _)| name == procedure)?;
        let of_label = format!("{report}={label}");
        let (star, changes) = carried.iter().find_map(|(pattern, changes)| {
            let whole = if pattern.contains('=') {
                of_label.as_str()
            } else {
                report
            };
            Some((matched(pattern, whole)?, changes))
        })?;
        let number = label.parse::<i64>().ok();
        let changes = changes.iter().filter_map(|change| {
            let becomes = match (change.sign, &change.turns) {
                (_, Some([flag, key, value])) => Becomes::Turns {
                    by: number?,
                    every: change.by?,
                    flag: flag.replace('*', star),
                    only: (key.replace('*', star), value.clone()),
                },
                ('-', _) => Becomes::Less(change.by.or(number)?),
                ('+', _) => Becomes::More(change.by.or(number)?),
                ('=', _) => Becomes::Reported,
                _ => Becomes::Kept,
            };
            Some((change.key.replace('*', star), becomes))
        });
        Some(changes.collect())
    }

    /// Whether a report of a procedure is carried, whatever it comes to.
    pub fn takes(&self, procedure: &str, report: &str) -> bool {
        let carried = self.carried.iter().filter(|(name, _)| name == procedure);
        let mut patterns = carried.flat_map(|(_, carried)| carried);
        patterns.any(|(pattern, _)| {
            let own = pattern
                .split_once('=')
                .map_or(pattern.as_str(), |(own, _)| own);
            matched(own, report).is_some()
        })
    }

    /// What the side that acts could do instead: in words, and what it sets.
    pub fn could(&self, procedure: &str) -> &[(String, Given)] {
        let found = self.could.iter().find(|(name, _)| name == procedure);
        found.map_or(&[], |(_, moves)| moves)
    }

    /// Whether a key is one that could be set otherwise at the table, in this question or another, by either side.
    pub fn moves(&self, key: &str) -> bool {
        fn own(key: &str) -> &str {
            key.rsplit_once('.').map_or(key, |(_, own)| own)
        }
        let mut moves = self.could.iter().flat_map(|(_, moves)| moves);
        moves.any(|(_, set)| set.iter().any(|(set, _)| own(set) == own(key)))
    }

    /// Every procedure, report pattern and key that is mentioned, for a test that none is a slip.
    #[cfg(test)]
    fn mentioned(&self) -> impl Iterator<Item = (&str, &str, Vec<&str>)> {
        self.carried.iter().flat_map(|(procedure, carried)| {
            carried.iter().map(move |(pattern, changes)| {
                let turned = changes.iter().filter_map(|change| change.turns.as_ref());
                let turned = turned.flat_map(|[flag, key, _]| [flag.as_str(), key.as_str()]);
                let keys = changes.iter().map(|change| change.key.as_str());
                let keys = keys.chain(turned).collect();
                (procedure.as_str(), pattern.as_str(), keys)
            })
        })
    }
}

/// `key -`, `key + 2`, `key =`, `key keep`, `key to 3 sets flag if other 1`.
fn change(said: &str) -> Option<Change> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let (sign, by, turns) = match words.get(1..)? {
        ["="] => ('=', None, None),
        ["keep"] => ('k', None, None),
        ["-"] => ('-', None, None),
        ["+"] => ('+', None, None),
        ["-", by] => ('-', Some(by), None),
        ["+", by] => ('+', Some(by), None),
        ["to", every, "sets", flag, "if", key, value] => {
            let turns = [flag, key, value].map(|word| (*word).to_owned());
            ('+', Some(every), Some(turns))
        }
        _ => return None,
    };
    Some(Change {
        key: words[0].to_owned(),
        sign,
        by: by.map(|by| by.parse()).transpose().ok()?,
        turns,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use crate::fight::{Language, Side};

    #[test]
    fn what_is_said_of_the_printed_rulesets_is_no_slip() {
        let mut carried = 0;
        for ruleset in Registry::built_in().printed() {
            let loaded = ruleset.load(&[]).expect("a ruleset");
            let carries = Carries::read(&loaded).expect("it is understood");
            let language = Language::read(&loaded.tables).expect("it is understood");
            // A key may be one that only another question about the fight asks for.
            let known = |name: &str, key: &str| {
                let own = language.names(name, key, Side::Attacker);
                loaded.procedures.iter().any(|procedure| {
                    procedure.settings.iter().any(|setting| {
                        let names = language.names(&procedure.name, &setting.key, Side::Attacker);
                        names.iter().any(|name| own.contains(name))
                    })
                })
            };
            for (name, pattern, keys) in carries.mentioned() {
                let id = &ruleset.id;
                let procedure = loaded.procedure(name).expect("a procedure");
                let own = pattern.split_once('=').map_or(pattern, |(own, _)| own);
                let mut reports = procedure.variables.iter();
                let report = reports.find_map(|v| Some((v, matched(own, &v.name)?)));
                let (_, star) = report.unwrap_or_else(|| panic!("{id} {name}: {pattern}"));
                for key in keys {
                    let key = key.replace('*', star);
                    assert!(known(name, &key), "{id} {name}: {key}");
                    carried += 1;
                }
            }
            for (name, moves) in &carries.could {
                let procedure = loaded.procedure(name).expect("a procedure");
                for (words, given) in moves {
                    let settings = procedure.resolve(given.clone());
                    assert!(settings.is_ok(), "{} {name}: {words}", ruleset.id);
                }
            }
        }
        assert!(carried > 20, "{carried}");
    }

    #[test]
    fn a_change_is_a_key_and_what_becomes_of_it() {
        let read = |said: &str| change(said).map(|read| (read.key, read.sign, read.by));
        assert_eq!(read("a.men -"), Some(("a.men".into(), '-', None)));
        assert_eq!(read("a.men + 2"), Some(("a.men".into(), '+', Some(2))));
        assert_eq!(read("a.men keep"), Some(("a.men".into(), 'k', None)));
        let turns = change("a.hits to 3 sets a.reduced if a.units 1").expect("it is read");
        assert_eq!((turns.by, turns.turns.is_some()), (Some(3), true));
        for wrong in [
            "",
            "a.men to 3",
            "a.men",
            "a.men *",
            "a.men + x",
            "a.men = 2",
            "a.men - 1 2",
        ] {
            assert_eq!(change(wrong), None, "{wrong}");
        }
    }
}
