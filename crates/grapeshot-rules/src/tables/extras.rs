//! What a built-in ruleset keeps beside its printed tables: more than half of its text, and no part of play.
//!
//! A short question would spend a fifth of its time on reading it, so it is read when somebody asks.

use std::sync::{Arc, OnceLock};
use toml::Table;

/// The parts that stand there, and nowhere else.
const PARTS: [&str; 10] = [
    "contradictions",
    "decisions",
    "ends",
    "gaps",
    "points",
    "audit",
    "common",
    "sheet",
    "carries",
    "could",
];

/// The parts, read or not yet.
#[derive(Debug, Clone)]
pub(super) struct Extras(Arc<Text>);

#[derive(Debug)]
struct Text {
    text: &'static str,
    read: OnceLock<Table>,
}

impl Extras {
    pub(super) fn new(text: &'static str) -> Self {
        let read = OnceLock::new();
        Extras(Arc::new(Text { text, read }))
    }

    /// All parts that may stand there.
    pub(super) fn parts() -> impl Iterator<Item = &'static str> {
        PARTS.into_iter()
    }

    /// Whether a part of this name would stand there.
    pub(super) fn is_here(part: &str) -> bool {
        PARTS.contains(&part)
    }

    /// All of them.
    pub(super) fn table(&self) -> &Table {
        let read = || self.0.text.parse().expect("what is built in is TOML");
        self.0.read.get_or_init(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Registry, TableFile, Variant};

    #[test]
    fn what_is_beside_the_tables_is_all_there_and_nowhere_else() {
        for ruleset in Registry::built_in().printed() {
            let tables = ruleset.book.tables().expect("tables");
            let extras = tables.extras.as_ref().expect("built in");
            assert!(extras.table().keys().all(|part| Extras::is_here(part)));
            assert!(!tables.root.keys().any(|part| Extras::is_here(part)));
            let written = ruleset.book.written().expect("built in");
            let whole = TableFile::parse("whole", &written).expect("TOML");
            assert_eq!(whole.root, *tables.whole(), "{}", ruleset.id);
            for part in whole.root.keys() {
                assert_eq!(whole.section(part), tables.section(part), "{part}");
            }
        }
    }

    #[test]
    fn variants_change_it_too() {
        let elephant = crate::find("elephant").expect("elephant");
        let mut tables = elephant.book.tables().expect("tables");
        let variant = |text: &str| {
            let text = format!("rules = \"elephant\"\n{text}");
            Variant::parse("v.toml", &text).expect("a variant")
        };
        let printed = variant("[lists.dice.values]\nfire = 12");
        tables.overlay(printed).expect("a change of the print");
        assert!(tables.extras.is_some());
        let settled = variant("[contradictions.halt_line]\nsettled = true");
        tables.overlay(settled).expect("a change beside it");
        let settled = tables.section("contradictions.halt_line").expect("there");
        assert_eq!(settled["settled"].as_bool(), Some(true));
        assert!(tables.section("sheet").is_some() && tables.extras.is_none());
        let wrong = tables.overlay(variant("[sheets]\nx = 1"));
        let error = wrong.expect_err("no such part").to_string();
        assert!(
            error.contains("sheet") && error.contains("lists"),
            "{error}"
        );
    }
}
