//! Small made-up rules with one planted fault of each kind, and with none.

use crate::audit::{Audited, Finding, FindingKind, Severity, audit};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Steps, row};
use grapeshot_rules::{Procedure, RuleError, Rulebook, Ruleset, Setting, Settings, TableFile};
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

const WEAPONS: &[&str] = &["musket", "carbine"];

struct Fire {
    odds: Odds<u16>,
}

impl Steps for Fire {
    type State = ();
    fn phases(&self) -> Vec<&str> {
        vec!["fire"]
    }
    fn start(&self) {}
    fn phase(&self, (): &()) -> usize {
        0
    }
    fn step<D: Dice>(&self, (): (), dice: &mut D) -> Next<()> {
        Next::Done(row(&[self.odds.roll(dice)]))
    }
}

fn load(file: &TableFile) -> Result<Vec<Procedure>, RuleError> {
    let hits = file
        .grid("fire")?
        .read("hits", |cell| cell.parse::<u16>().ok())?;
    let factors = file
        .grid("factors")?
        .read("a number", |cell| cell.parse::<i64>().ok())?;
    let shifts = file.list("shifts")?;
    let shift = |key: &str| shifts.whole(key, -5..=5);
    let (cover, steady, drums) = (shift("cover")?, shift("steady")?, shift("drums")?);
    let build = move |s: &Settings| {
        let weapon = WEAPONS.iter().position(|w| *w == s.text("weapon"));
        let cells = &factors[weapon.unwrap_or(0)];
        let range = s.whole("range");
        let factor = match range {
            _ if range > cells[0] => 0,
            _ => cells[1 + ((range - 1) / 100).min(2) as usize],
        };
        let on = |key: &str, shift: i64| if s.flag(key) { shift } else { 0 };
        let shifts = on("cover", cover) + on("steady", steady) + on("drums", drums);
        let column = (s.whole("men") + factor - 2 + shifts).clamp(0, 5) as usize;
        let odds = Odds::new(Throw::d6(), |die| match factor {
            0 => 0,
            _ => hits[die as usize - 1][column],
        });
        Ok(Box::new(Fire { odds }) as Box<dyn grapeshot_engine::engine::DynSteps>)
    };
    Ok(vec![Procedure {
        name: "fire".into(),
        about: "Fire.".into(),
        source: "page 1".into(),
        composed: false,
        settings: vec![
            Setting::whole("men", 1..=4, 2, "men"),
            Setting::one_of("weapon", WEAPONS, "musket", "weapon"),
            Setting::whole("range", 1..=400, 100, "yards"),
            Setting::flag("cover", "the target's cover"),
            Setting::flag("steady", "the firer is steady"),
            Setting::flag("drums", "the firer's drums"),
        ],
        variables: vec![Variable::count("hits", "hits")],
        notes: Vec::new(),
        build: Box::new(build),
    }])
}

/// A ruleset that is not part of the program.
struct MadeUp {
    tables: String,
}

impl Rulebook for MadeUp {
    fn tables(&self) -> Result<TableFile, RuleError> {
        TableFile::parse("made-up/tables.toml", &self.tables)
    }

    fn procedures(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError> {
        load(tables)
    }
}

/// The audit of the sound rules with something put in the place of something else.
fn planted(changes: &[(&str, &str)]) -> Audited {
    let tables = changes.iter().fold(SOUND.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let ruleset = Arc::new(Ruleset {
        id: "made-up".into(),
        title: "Made up".into(),
        about: "".into(),
        readings: Vec::new(),
        book: Arc::new(MadeUp { tables }),
    });
    audit(&ruleset.load(&[]).expect("it loads")).expect("it can be audited")
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
fn a_modifier_without_effect_is_a_dead_setting() {
    let planted = planted(&[
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
    let tables = SOUND.replace("men = \"more\"", "man = \"more\"");
    let file = TableFile::parse("t", &tables).expect("it is TOML");
    let ruleset = grapeshot_rules::find("elephant").expect("it is built in");
    let procedures = load(&file).expect("it loads");
    let loaded =
        grapeshot_rules::LoadedRuleset::new(ruleset, file, procedures).expect("it has no words");
    let error = audit(&loaded).expect_err("there is no such setting");
    assert!(error.to_string().contains("did you mean `men`"), "{error}");
}
