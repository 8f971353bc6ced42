//! What people begin with: the examples beside the program and the text that `grapeshot new` gives. They are read, set as
//! `fmt` sets them, and everything they expect holds.

use grapeshot_drill::load::{Files, load};
use grapeshot_drill::message::render_all;
use grapeshot_drill::run::Rules;
use std::path::{Path, PathBuf};

const EXAMPLES: [&str; 4] = ["brigade", "dba", "duel", "risk"];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rules(name: &str, text: &str) -> Rules {
    let files = Files {
        texts: vec![(name, text)],
        ..Files::default()
    };
    let loaded = load(&files, &|_| None);
    assert_eq!(loaded.shown(), "", "{name}");
    Rules::new(loaded.program.expect("nothing is wrong with it"))
}

fn holds(name: &str, text: &str) -> Rules {
    let rules = rules(name, text);
    let tests = rules.program().expects.len() + rules.program().examples.len();
    assert!(tests > 0, "{name} expects nothing");
    let mut failures = rules.table_failures();
    failures.extend(rules.failures());
    let shown = render_all(&failures, &rules.program().sources);
    assert!(failures.is_empty(), "{shown}");
    assert_eq!(grapeshot_drill::fmt::format(text), text, "{name}");
    rules
}

#[test]
fn the_examples_give_the_odds_they_expect() {
    let folder = project().join("examples/rules");
    for name in EXAMPLES {
        let file = format!("{name}.drill");
        let rules = holds(&file, &read(&folder.join(name).join(&file)));
        assert_eq!(&*rules.program().name, name);
    }
}

#[test]
fn the_text_of_a_new_ruleset_is_short_whole_and_holds() {
    let text = read(&project().join("crates/grapeshot-rules/src/drill/template.drill"));
    assert!(text.lines().count() < 60);
    let named = text.replace("NAME", "my-rules");
    let rules = holds("my-rules.drill", &named);
    assert_eq!(&*rules.program().name, "my-rules");
    let told: Vec<String> = rules.findings().into_iter().map(|one| one.title).collect();
    assert_eq!(told, Vec::<String>::new());
}

/// What was miscounted once: a number that grows in a loop was taken to stay what one round makes of it.
#[test]
fn what_grows_in_a_loop_may_grow_in_every_round() {
    let text = "ruleset grows: \"Grows\"
about \"a test\"

roll sixes() -> Number:
  let found = 0
  for die in 1..2:
    if d6 is 6: found += 1
  return found

## Two dice. @ nowhere
procedure p:
  report outcome  ## how many
    success: both
    undecided: one
    failure: none-of-them
  let found = sixes()
  if found is 0: end none-of-them
  if found is 2: end both
  end one

expect p: outcome both 1/36, one 10/36, none-of-them 25/36
";
    holds("grows.drill", text);
}

/// How many dice are sorted may hang on what is left, and the dice that are not there count for nothing.
#[test]
fn dice_that_are_sorted_may_be_as_many_as_are_left() {
    let text = "ruleset left: \"Left\"
about \"a test\"

## One die or two, by a die; the highest must show a six. @ nowhere
procedure p:
  report outcome  ## whether
    success: six
    failure: none-of-them
  report dice: 0..2    ## how many
  report lowest: 0..6  ## the lowest of them
  stage \"how many\":
    dice = 1 if d6 <= 3 else 2
  stage \"dice\":
    let hand = best(dice, dice, d6)
    lowest = lowest of hand
    if hand[1] is 6: end six
  end none-of-them

expect p: outcome six 1/12 + 11/72
expect p: lowest 6 1/12 + 1/72, 0 0
";
    holds("left.drill", text);
}

#[test]
fn a_decimal_is_held_to_the_places_it_has() {
    let text = |chance: &str| {
        format!(
            "ruleset thirds: \"Thirds\"\nabout \"a test\"\n\n## A die. @ nowhere\nprocedure p:\n  \
             report low: Flag  ## one or two\n    success: true\n    failure: false\n  low = d6 <= 2\n\n\
             expect p: low true {chance}\n"
        )
    };
    for chance in ["1/3", "0.3", "0.333", "0.333333333", "2/6"] {
        let rules = rules("thirds.drill", &text(chance));
        assert!(rules.failures().is_empty(), "{chance}");
    }
    for chance in ["0.32", "0.334", "0.333333334", "333/1000", "0"] {
        let rules = rules("thirds.drill", &text(chance));
        assert_eq!(rules.failures().len(), 1, "{chance}");
    }
}

/// All regular expressions of a grammar.
fn expressions(value: &serde_json::Value, all: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(entries) => {
            for (key, value) in entries {
                match value.as_str() {
                    Some(text) if ["match", "begin", "end"].contains(&key.as_str()) => {
                        all.push(text.to_owned());
                    }
                    _ => expressions(value, all),
                }
            }
        }
        serde_json::Value::Array(values) => {
            values.iter().for_each(|value| expressions(value, all));
        }
        _ => {}
    }
}

#[test]
fn the_grammar_for_editors_and_the_reference_know_every_reserved_word() {
    let grammar = read(&project().join("editors/drill.tmLanguage.json"));
    let mut all = Vec::new();
    expressions(
        &serde_json::from_str(&grammar).expect("it is JSON"),
        &mut all,
    );
    let words: Vec<&str> = all
        .iter()
        .flat_map(|expression| expression.split(['(', ')', '|']))
        .collect();
    let reference = read(&project().join("docs/drill.md"));
    let listed = reference
        .split('`')
        .find(|code| code.starts_with("and or not"))
        .expect("the reference lists them");
    for word in grapeshot_drill::parse::RESERVED {
        assert!(words.contains(&word), "the grammar does not know `{word}`");
        assert!(
            listed.split_whitespace().any(|known| known == word),
            "the reference does not list `{word}`"
        );
    }
    assert_eq!(
        listed.split_whitespace().count(),
        grapeshot_drill::parse::RESERVED.len()
    );
}

/// The fenced blocks of a page that begin so, without their fences.
fn fenced(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let mut blocks = Vec::new();
    for part in page.split(&*format!("\n{fence}")).skip(1) {
        let (block, _) = part.split_once("```").expect("a block is closed");
        blocks.push(block.to_owned());
    }
    blocks
}

#[test]
fn the_game_of_the_page_on_own_rules_holds_after_every_piece() {
    let page = read(&project().join("docs/own-rules.md"));
    let pieces = fenced(&page, "drill");
    assert_eq!(pieces.len(), 7);
    for count in 1..=pieces.len() {
        let text = pieces[..count].join("\n");
        let rules = rules("ford.drill", &text);
        let shown = render_all(&rules.failures(), &rules.program().sources);
        assert_eq!(shown, "", "after {count} pieces");
        assert_eq!(grapeshot_drill::fmt::format(&text), text);
    }
    for extras in fenced(&page, "toml") {
        let extras: toml::Table = extras.parse().expect("TOML");
        assert!(extras.contains_key("common"));
    }
}

/// Each is laid over the ruleset it names, and what it expects holds.
#[test]
fn every_house_rule_of_the_page_can_be_laid_and_holds() {
    let page = read(&project().join("docs/house-rules.md"));
    let variants = fenced(&page, "drill");
    let expecting = variants
        .iter()
        .filter(|text| text.contains("\nexpect ") || text.contains("\nexample "));
    assert!(variants.len() >= 14 && expecting.count() >= 8);
    for variant in variants {
        // Its name stands above one that is asked for in the page.
        let named = variant.strip_prefix("# ");
        let named = named.and_then(|rest| rest.split_once(".drill\n"));
        let variant = named.map_or(variant.clone(), |(_, text)| text.to_owned());
        let of = variant.strip_prefix("variant of ").expect("a variant");
        let (id, _) = of.split_once(':').expect("the name of a ruleset");
        let folder = project().join("crates/grapeshot-rules/rules").join(id);
        let (name, text) = (
            format!("{id}.drill"),
            read(&folder.join(format!("{id}.drill"))),
        );
        let tables = read(&folder.join("tables.toml"));
        let files = Files {
            texts: vec![(&name, &text)],
            tables: Some(("tables.toml", &tables)),
            variants: vec![("house.drill", &variant)],
        };
        let used = |name: &str| {
            let rules = project().join("crates/grapeshot-rules/rules");
            let mut files = [id, "standard"]
                .map(|of| rules.join(of).join(format!("{name}.drill")))
                .into_iter();
            files.find(|file| file.is_file()).map(|file| read(&file))
        };
        let loaded = load(&files, &used);
        assert_eq!(loaded.shown(), "", "{variant}");
        let rules = Rules::new(loaded.program.expect("nothing is wrong with it"));
        let mut failures = rules.table_failures();
        failures.extend(rules.failures());
        let shown = render_all(&failures, &rules.program().sources);
        assert!(failures.is_empty(), "{variant}\n{shown}");
        // A procedure that it adds is shown with the others.
        let added = variant.split("\nprocedure ").nth(1);
        if let Some(name) = added.and_then(|rest| rest.split([':', ',']).next()) {
            let program = rules.program();
            assert!(program.listed.iter().any(|&id| *program[id].name == *name));
        }
        assert_eq!(grapeshot_drill::fmt::format(&variant), variant);
    }
}
