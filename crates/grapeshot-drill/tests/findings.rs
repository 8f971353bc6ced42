//! What `check` says of a text beside its errors.

mod common;

use grapeshot_drill::load::{Files, load};
use grapeshot_drill::program::{CellPlace, Program, TableSort};
use grapeshot_drill::run::Rules;

fn program(text: &str) -> Program {
    let files = Files {
        texts: vec![("own.drill", text)],
        ..Files::default()
    };
    let loaded = load(&files, &|_| None);
    let shown = loaded.shown();
    loaded.program.unwrap_or_else(|| panic!("{shown}"))
}

fn titles(messages: &[grapeshot_drill::message::Message]) -> Vec<&str> {
    messages
        .iter()
        .map(|message| message.title.as_str())
        .collect()
}

const OWN: &str = r#"
ruleset own: "Own"
words Mood: calm | angry | asleep
list limits: 0..9
  most  2

unit Unit, called firer:
  men: 1..9 = 4   ## men
  hats: 0..9 = 1  ## hats
  mood: Mood from calm to angry  ## mood

modifiers helps(firer) from limits:
  most        when firer.men > 2
  never: 3    when firer.men > 20
  angry: 1    when firer.mood is angry

define unused(firer) -> Number = firer.men + 1

rule fires(firer) -> Flag:
  return d6 + helps(firer) >= 6

## It fires.
procedure fire:
  side firer: men, hats, mood
  report hit: Flag  ## whether it hits
  stage "fire": hit = fires(firer)
  stage "later":
    if firer.men > 9: hit = d6 > 3

check "there are not so many" for n in 1..3:
  return limits.most + n <= 5

example "six men" fire firer.men=4:
  4: hit yes
  3: hit no
"#;

#[test]
fn what_nobody_reads_makes_or_calls_is_found() {
    let rules = Rules::new(program(OWN));
    let found = rules.findings();
    let titles = titles(&found);
    let says = |what: &str| titles.iter().any(|title| title.contains(what));
    assert!(says("`firer.hats` of `fire` has no effect"), "{titles:#?}");
    assert!(!says("`firer.men`"), "{titles:#?}");
    assert!(says("nobody calls `unused`"), "{titles:#?}");
    assert!(says("`never` of `helps` counted in none"), "{titles:#?}");
    assert!(!says("`angry` of `helps`"), "{titles:#?}");
    assert!(says("nothing is ever `asleep`"), "{titles:#?}");
    assert!(says("nothing was rolled in this stage"), "{titles:#?}");
    assert_eq!(titles.len(), 5, "{titles:#?}");
}

#[test]
fn a_check_of_the_tables_holds_or_says_for_what_it_does_not() {
    let mut program = program(OWN);
    assert_eq!(Rules::new(program.clone()).table_failures(), []);
    let place = CellPlace {
        sort: TableSort::List,
        table: "limits".into(),
        row: "most".into(),
        column: "".into(),
    };
    program.overlay(&place, "3").expect("it is of its kind");
    let failures = Rules::new(program).table_failures();
    assert_eq!(titles(&failures), ["there are not so many (n 3)"]);
    for id in ["gbacw", "impact", "acw28"] {
        assert_eq!(Rules::new(common::ruleset(id)).table_failures(), []);
    }
}

#[test]
fn lines_that_no_example_holds_are_found_by_changing_them() {
    let rules = Rules::new(program(OWN));
    assert_eq!(rules.failures(), []);
    let unheld = rules.unheld();
    let lines: Vec<(usize, &str)> = unheld
        .iter()
        .map(|message| {
            let line = rules.program().sources.line_and_column(message.span).0;
            (line, message.title.as_str())
        })
        .collect();
    let held = |line: usize| lines.iter().all(|(unheld, _)| *unheld != line);
    let at = |what: &str| {
        OWN.lines()
            .position(|line| line.contains(what))
            .expect(what)
            + 1
    };
    assert!(held(at("return d6 + helps(firer) >= 6")), "{lines:#?}");
    assert!(!held(at("never: 3")), "{lines:#?}");
    assert!(!held(at("angry: 1")), "{lines:#?}");
    assert!(!held(at("if firer.men > 9")), "{lines:#?}");
    assert!(
        !held(at("most        when")),
        "the bound may be moved: {lines:#?}"
    );
}

#[test]
fn the_rulesets_of_the_project_have_few_findings() {
    for id in ["gbacw", "impact", "acw28", "fireline"] {
        let rules = Rules::new(common::ruleset(id));
        let clock = std::time::Instant::now();
        let found = rules.findings();
        let took = clock.elapsed();
        let unheld = rules.unheld();
        eprintln!("{id}: {took:?} for {:#?}", titles(&found));
        eprintln!(
            "{id}: {:?} in all, {} unheld",
            clock.elapsed(),
            unheld.len()
        );
        assert!(found.len() <= 8, "{:#?}", titles(&found));
    }
    for id in ["elephant"] {
        let rules = Rules::new(common::ported(id));
        let clock = std::time::Instant::now();
        let found = rules.findings();
        eprintln!("{id}: {:?} for {:#?}", clock.elapsed(), titles(&found));
    }
}
