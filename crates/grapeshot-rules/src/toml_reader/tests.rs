//! What the reader takes, what it refuses, and where it says that stands.

use super::{Problems, TomlText};
use crate::RuleError;

/// Reads a file as something that could be one, and gives all that is wrong with it.
fn wrong(text: &str) -> Vec<String> {
    let problems = Problems::of(&TomlText::new("f.toml", text));
    let mut top = match problems.read() {
        Ok(top) => top,
        Err(error) => return vec![error.to_string()],
    };
    top.needed::<String>("title");
    top.maybe::<bool>("quick");
    top.whole("dpi", 50..=1200);
    top.maybe::<Vec<String>>("rules");
    top.settings("settings");
    for mut part in top.tables("part") {
        part.one_of::<crate::fight::Side>("side");
        part.finish();
    }
    top.finish();
    match problems.end() {
        Ok(()) => Vec::new(),
        Err(RuleError::Several(all)) => all.iter().map(ToString::to_string).collect(),
        Err(one) => vec![one.to_string()],
    }
}

#[test]
fn a_file_without_a_mistake_is_taken() {
    let text = "title = 't'\nquick = true\ndpi = 600\nrules = 'one'\n\
                [settings]\na.b = 1\n[[part]]\nside = 'attacker'\n[[part]]\n";
    assert_eq!(wrong(text), Vec::<String>::new());
}

#[test]
fn every_mistake_is_told_of_with_its_line_and_column() {
    let text = "'é' = 'ü'\nquick = 'ja'\nrules = ['one', 2]\n\
                [settings]\n  a.b = []\n\
                [[part]]\n[[part]]\n  side = 'atacker'\n  sidee = 1\n";
    assert_eq!(
        wrong(text),
        [
            "f.toml:1:1: `title`: is missing; allowed is text",
            "f.toml:1:1: `é`: is unknown; allowed is title, quick, dpi, rules, settings, part",
            "f.toml:2:9: `quick`: must be true or false, not `\"ja\"`",
            "f.toml:3:9: `rules`: must be text or a list of texts, not `2` (in `[\"one\", 2]`)",
            "f.toml:5:9: `settings.a.b`: must be a single value, or a list of values, one for each unit",
            "f.toml:8:10: `part[2].side`: cannot be `atacker`; allowed is attacker | defender; did you mean `attacker`?",
            "f.toml:9:3: `part[2].sidee`: is unknown; allowed is side; did you mean `side`?",
        ]
    );
}

#[test]
fn columns_are_counted_in_letters() {
    let told = wrong("title = 'é' \nsettings = { 'éé' = 1, x = [] }");
    assert_eq!(
        told,
        [
            "f.toml:2:28: `settings.x`: must be a single value, or a list of values, one for each unit"
        ]
    );
}

#[test]
fn what_is_no_toml_is_told_of_at_its_place() {
    let told = wrong("title = 't'\nquick = = 3\n");
    assert!(
        told[0].starts_with("f.toml:2:9: not valid TOML: "),
        "{told:?}"
    );
}
