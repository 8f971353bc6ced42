//! Small made-up rules with one planted fault of each kind, and with none.

use crate::audit::{Audited, Finding, FindingKind, Severity, audit};
use grapeshot_rules::RuleError;
use std::sync::Arc;

/// Sound: nothing to find.
const SOUND: &str = r#"
[tables.fire]
title = "hits"
source = "page 1"
corner = "die"
columns = ["1", "2", "3", "4", "5", "6"]
[tables.fire.rows]
1 = ["0", "0", "0", "0", "1", "1"]
2 = ["0", "0", "0", "1", "1", "1"]
3 = ["0", "0", "1", "1", "1", "1"]
4 = ["0", "1", "1", "1", "1", "2"]
5 = ["0", "1", "1", "1", "2", "2"]
6 = ["1", "1", "1", "2", "2", "2"]

[tables.factors]
title = "factors"
source = "page 2"
corner = "weapon"
columns = ["max", "100", "200", "300"]
[tables.factors.rows]
musket  = ["300", "2", "1", "1"]
carbine = ["200", "2", "2", "0"]

[lists.shifts]
title = "shifts"
source = "page 3"
[lists.shifts.values]
cover = -1
steady = 1
drums = 1

[contradictions.drums]
key = "lists.shifts.values.drums"
chart = 1
text_says = 1
text = "Drums are said to help more in the text."
source = "page 4"
settled = false

[gaps.rain]
text = "Nothing is said of rain."
source = "page 5"
settled = true

[audit.grids.fire]
whom = "the firer"
scale = ["2", "1", "0"]
rows = "better"
columns = "better"

[audit.ranges.factors]
max = "max"
none = "0"
try_at = "fire weapon={row} range={range}"

[audit.rivals.weapons]
grid = "factors"
among = ["musket", "carbine"]

[audit.lines.men]
procedure = "fire"
of = "mean(hits)"
key = "men"
values = ["1", "2", "3", "4"]

[audit.chances.fire]
procedure = "fire"
whom = "the firer"
good = ["mean(hits)"]
[audit.chances.fire.better]
men = "more"
range = ["301", "300", "201", "200", "101", "100", "1"]
cover = "off"
"#;

const TEXT: &str = r#"ruleset made-up: "Made up"
about "A volley."

tables:
  fire:         d6 by lower limits: 0..2
  factors:      Weapon by max, upper limits: 0..9999
  list shifts:  names: -5..5

words Weapon: rows of factors

## Columns to the right.
modifiers shift() from shifts:
  cover   when cover
  steady  when steady
  drums   when drums

define factor() -> Number:
  if range > factors[weapon, max]: return 0
  return factors[weapon, range]

## Fire. @ page 1
procedure fire:
  asks men: 1..4 = 2       ## men
  asks weapon: Weapon      ## weapon
  asks range: 1..400 = 100 ## yards
  asks cover: Flag         ## the target's cover
  asks steady: Flag        ## the firer is steady
  asks drums: Flag         ## the firer's drums
  report hits: 0..2        ## hits
  stage "fire":
    if factor() > 0: hits = fire[d6, fire.column(men + factor() - 1) + shift()]
"#;

/// The audit of the sound rules with something put in the place of something else, in the tables or the text.
fn tried(changes: &[(&str, &str)]) -> Result<Audited, RuleError> {
    let (mut tables, mut text) = (SOUND.to_owned(), TEXT.to_owned());
    for (from, to) in changes {
        let changed = match tables.contains(from) {
            true => &mut tables,
            false => &mut text,
        };
        assert!(changed.contains(from), "{from}");
        *changed = changed.replacen(from, to, 1);
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("made-up.drill", text), ("tables.toml", tables)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let ruleset = Arc::new(grapeshot_rules::drill::read(folder.path())?);
    let mut audited = audit(&ruleset.load(&[])?)?;
    // What is typed for it is where it stands.
    let place = folder.path().display().to_string();
    for command in audited.findings.iter_mut().flat_map(|f| &mut f.commands) {
        *command = command.replace(&place, "made-up");
    }
    Ok(audited)
}

fn planted(changes: &[(&str, &str)]) -> Audited {
    tried(changes).unwrap_or_else(|error| panic!("{error}"))
}

fn only(audited: &Audited) -> &Finding {
    assert_eq!(audited.findings.len(), 1, "{:#?}", audited.findings);
    &audited.findings[0]
}

#[test]
fn sound_rules_have_no_findings() {
    assert_eq!(planted(&[]).findings, []);
}

#[test]
fn a_cell_out_of_order_is_named_once() {
    let planted = planted(&[(
        r#"3 = ["0", "0", "1", "1", "1", "1"]"#,
        r#"3 = ["0", "0", "2", "1", "1", "1"]"#,
    )]);
    let order: Vec<&Finding> = planted
        .findings
        .iter()
        .filter(|f| f.kind == FindingKind::Order)
        .collect();
    assert_eq!(order.len(), 1, "{order:#?}");
    assert_eq!(order[0].place, "table fire, die 3, column 3");
    assert_eq!(order[0].severity, Severity::Error);
    assert_eq!(order[0].source, "page 1");
    assert_eq!(order[0].commands, ["grapeshot rules made-up --tables"]);
}

#[test]
fn a_setting_nobody_reads_is_dead() {
    let planted = planted(&[
        ("  drums   when drums\n", ""),
        ("drums = 1", "drums = 0"),
        ("text_says = 1", "text_says = 0"),
    ]);
    let dead = only(&planted);
    assert!(dead.is(FindingKind::Dead, "drums"), "{dead:#?}");
    assert_eq!(dead.commands[1], "grapeshot odds made-up fire drums=true");
}

#[test]
fn a_setting_every_procedure_shares_is_not_held_against_the_source() {
    let shared = "[audit.shared]\nfire = [\"drums\"]\n[audit.grids.fire]";
    let planted = planted(&[
        ("  drums   when drums\n", ""),
        ("drums = 1", "drums = 0"),
        ("text_says = 1", "text_says = 0"),
        ("[audit.grids.fire]", shared),
    ]);
    assert_eq!(planted.findings, []);
}

#[test]
fn a_rule_that_can_be_turned_off_unnoticed_is_dead() {
    let switch = |entry: &str| {
        format!(
            "[audit.switches.rule]\nlist = \"shifts\"\nentry = \"{entry}\"\noff = 0\n\
             says = \"it shifts\"\ntry_at = \"fire men=3\"\n[audit.grids.fire]"
        )
    };
    let alive = planted(&[("[audit.grids.fire]", &switch("steady"))]);
    assert_eq!(alive.findings, []);
    let planted = planted(&[
        ("[audit.grids.fire]", &switch("bugles")),
        (
            "[audit.switches",
            "[audit]\nmeasures = [\"shifts\"]\n[audit.switches",
        ),
        ("drums = 1\n", "drums = 1\nbugles = 2\n"),
    ]);
    let dead = only(&planted);
    assert!(
        dead.is(FindingKind::Dead, "list shifts, bugles"),
        "{dead:#?}"
    );
    assert_eq!(dead.commands[1], "grapeshot odds made-up fire men=3");
}

#[test]
fn a_result_out_of_order_in_two_places_is_one_fault() {
    let planted = planted(&[
        (
            r#"5 = ["0", "1", "1", "1", "2", "2"]"#,
            r#"5 = ["0", "1", "0", "1", "2", "2"]"#,
        ),
        (
            r#"6 = ["1", "1", "1", "2", "2", "2"]"#,
            r#"6 = ["1", "1", "1", "2", "0", "2"]"#,
        ),
    ]);
    let order: Vec<&Finding> = (planted.findings.iter())
        .filter(|f| f.kind == FindingKind::Order)
        .collect();
    let [one] = order[..] else {
        panic!("{order:#?}")
    };
    assert_eq!(one.place, "table fire, die 5, column 3");
    assert!(
        one.sentence.contains("So too at die 6, column 5"),
        "{}",
        one.sentence
    );
}

#[test]
fn a_number_nobody_reads_is_dead() {
    let planted = planted(&[("drums = 1\n", "drums = 1\nbugles = 2\n")]);
    assert_eq!(only(&planted).place, "list shifts, bugles");
    assert_eq!(only(&planted).kind, FindingKind::Dead);
}

#[test]
fn a_result_that_never_occurs_is_dead() {
    let planted = planted(&[(
        r#"scale = ["2", "1", "0"]"#,
        "scale = [\"2\", \"1\", \"0\"]\nexplained = [\"1\", \"3\"]",
    )]);
    assert_eq!(only(&planted).place, "table fire, result 3");
}

#[test]
fn a_column_nobody_reaches_is_dead() {
    // Without a way to the right end: no steadiness, no drums.
    let planted = planted(&[
        ("steady = 1", "steady = -1"),
        ("drums = 1", "drums = -1"),
        ("text_says = 1", "text_says = -1"),
    ]);
    assert_eq!(only(&planted).place, "table fire, column 6");
    assert_eq!(only(&planted).kind, FindingKind::Dead);
}

#[test]
fn a_step_far_above_its_neighbours_is_a_cliff() {
    let planted = planted(&[
        (
            r#"1 = ["0", "0", "0", "0", "1", "1"]"#,
            r#"1 = ["0", "0", "0", "1", "1", "1"]"#,
        ),
        (
            r#"2 = ["0", "0", "0", "1", "1", "1"]"#,
            r#"2 = ["0", "0", "0", "1", "1", "1"]"#,
        ),
        (
            r#"3 = ["0", "0", "1", "1", "1", "1"]"#,
            r#"3 = ["0", "0", "0", "2", "2", "2"]"#,
        ),
        (
            r#"4 = ["0", "1", "1", "1", "1", "2"]"#,
            r#"4 = ["0", "0", "0", "2", "2", "2"]"#,
        ),
        (
            r#"5 = ["0", "1", "1", "1", "2", "2"]"#,
            r#"5 = ["0", "0", "1", "2", "2", "2"]"#,
        ),
        (
            r#"6 = ["1", "1", "1", "2", "2", "2"]"#,
            r#"6 = ["0", "1", "1", "2", "2", "2"]"#,
        ),
        (
            r#"2 = ["0", "0", "0", "1", "1", "1"]"#,
            r#"2 = ["0", "0", "0", "1", "2", "2"]"#,
        ),
        (
            r#"1 = ["0", "0", "0", "1", "1", "1"]"#,
            r#"1 = ["0", "0", "0", "1", "1", "2"]"#,
        ),
    ]);
    let cliff = only(&planted);
    assert_eq!(cliff.kind, FindingKind::Cliff);
    assert_eq!(cliff.place, "fire, men 2 to 3");
    assert_eq!(cliff.commands[0], "grapeshot odds made-up fire men=2");
}

#[test]
fn a_plateau_is_a_step_that_changes_nothing() {
    let mut changes = Vec::new();
    let rows = [
        (
            r#"["0", "0", "0", "0", "1", "1"]"#,
            r#"["0", "0", "0", "0", "1", "1"]"#,
        ),
        (
            r#"["0", "0", "0", "1", "1", "1"]"#,
            r#"["0", "0", "0", "0", "1", "1"]"#,
        ),
        (
            r#"["0", "1", "1", "1", "1", "2"]"#,
            r#"["0", "1", "1", "1", "1", "2"]"#,
        ),
        (
            r#"["1", "1", "1", "2", "2", "2"]"#,
            r#"["1", "1", "1", "1", "2", "2"]"#,
        ),
    ];
    changes.extend(rows);
    let planted = planted(&changes);
    assert!(
        planted
            .findings
            .iter()
            .all(|f| f.kind == FindingKind::Cliff)
    );
    assert!(
        planted
            .findings
            .iter()
            .any(|f| f.place == "table fire, columns 3 and 4"),
        "{:#?}",
        planted.findings
    );
}

#[test]
fn a_weapon_never_better_than_another_is_dominated() {
    let planted = planted(&[(
        r#"carbine = ["200", "2", "2", "0"]"#,
        r#"carbine = ["200", "2", "1", "0"]"#,
    )]);
    let found = only(&planted);
    assert!(found.is(FindingKind::Dominated, "carbine than musket"));
    assert!(
        found.evidence.contains("max 200 to 300"),
        "{}",
        found.evidence
    );
}

#[test]
fn cover_that_helps_the_enemy_is_a_paradox() {
    let planted = planted(&[("cover = -1", "cover = 1")]);
    let found = only(&planted);
    assert!(found.is(FindingKind::Paradox, "cover"));
    assert_eq!(
        found.commands,
        [
            "grapeshot odds made-up fire cover=true",
            "grapeshot odds made-up fire cover=false"
        ]
    );
}

#[test]
fn chart_against_text_is_a_contradiction_until_they_agree() {
    let found = planted(&[("text_says = 1", "text_says = 2")]);
    assert_eq!(only(&found).kind, FindingKind::Contradiction);
    assert_eq!(only(&found).place, "lists.shifts.values.drums");
    let settled = planted(&[
        ("text_says = 1", "text_says = 2"),
        ("settled = false", "settled = true"),
    ]);
    assert_eq!(settled.findings, []);
}

#[test]
fn what_the_source_leaves_open_is_a_gap_until_it_is_settled() {
    let found = planted(&[("settled = true", "settled = false")]);
    assert!(only(&found).is(FindingKind::Gap, "rain"));
}

#[test]
fn factors_beyond_the_greatest_range_and_none_within_it_are_found() {
    let beyond = planted(&[(r#"["200", "2", "2", "0"]"#, r#"["200", "2", "2", "1"]"#)]);
    assert_eq!(only(&beyond).place, "table factors, carbine, column 300");
    assert_eq!(only(&beyond).kind, FindingKind::Range);
    let none = planted(&[(r#"["300", "2", "1", "1"]"#, r#"["300", "2", "1", "0"]"#)]);
    let range: Vec<&Finding> = none
        .findings
        .iter()
        .filter(|f| f.kind == FindingKind::Range)
        .collect();
    assert_eq!(range.len(), 1);
    assert_eq!(
        range[0].commands[1],
        "grapeshot odds made-up fire weapon=musket range=300"
    );
}

#[test]
fn a_wrong_declaration_says_what_is_known() {
    let error = tried(&[("men = \"more\"", "man = \"more\"")]).expect_err("no such setting");
    assert!(error.to_string().contains("did you mean `men`"), "{error}");
}
