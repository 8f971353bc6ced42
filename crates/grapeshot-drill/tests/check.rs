//! Whole rulesets pass every check.

use grapeshot_drill::load::{Files, Loaded, load};
use std::path::{Path, PathBuf};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn used(name: &str) -> Option<String> {
    let own = here("../grapeshot-rules/rules/standard").join(format!("{name}.drill"));
    let other = std::env::var_os("DRILL_TEXTS")
        .map(|folder| Path::new(&folder).join(format!("{name}.drill")));
    std::fs::read_to_string(own)
        .ok()
        .or_else(|| std::fs::read_to_string(other?).ok())
}

/// Loads texts of the crate, with the tables of a printed ruleset.
fn ruleset(texts: &[PathBuf], tables: Option<&str>, variants: &[(&str, &str)]) -> Loaded {
    let texts: Vec<(String, String)> = texts
        .iter()
        .map(|path| {
            (
                path.file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                read(path),
            )
        })
        .collect();
    let tables = tables.map(|id| {
        let of = |folder: &str| here(&format!("../grapeshot-rules/{folder}/{id}/tables.toml"));
        let (text_of, rust_of) = (of("rules"), of("src"));
        read(if text_of.exists() { &text_of } else { &rust_of })
    });
    let files = Files {
        texts: texts
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect(),
        tables: tables.as_deref().map(|text| ("tables.toml", text)),
        variants: variants.to_vec(),
    };
    load(&files, &used)
}

fn passes(loaded: &Loaded) {
    assert!(loaded.program.is_some(), "{}", loaded.shown());
}

#[test]
fn gbacw_passes() {
    let texts = [
        here("../grapeshot-rules/rules/gbacw/gbacw.drill"),
        here("../grapeshot-rules/rules/gbacw/examples.drill"),
    ];
    let loaded = ruleset(&texts, Some("gbacw"), &[]);
    passes(&loaded);
    let program = loaded.program.expect("it passes");
    let names: Vec<&str> = program
        .listed
        .iter()
        .map(|&id| &*program[id].name)
        .collect();
    assert_eq!(
        names,
        ["fire", "charge", "melee", "morale", "firefight", "standoff"]
    );
    assert_eq!(program.examples.len(), 4);
}

#[test]
fn impact_passes() {
    passes(&ruleset(
        &[here("../grapeshot-rules/rules/impact/impact.drill")],
        Some("impact"),
        &[],
    ));
}

#[test]
fn the_bridge_passes() {
    passes(&ruleset(&[here("rules/bridge/bridge.drill")], None, &[]));
}

/// A text of the folder that `DRILL_TEXTS` names.
fn shared(name: &str) -> PathBuf {
    let folder = std::env::var_os("DRILL_TEXTS").expect("DRILL_TEXTS names a folder of texts");
    Path::new(&folder).join(name)
}

#[test]
#[ignore = "needs other texts: DRILL_TEXTS=FOLDER cargo test --release -p grapeshot-drill at_hand -- --ignored"]
fn other_rulesets_pass_where_they_are_at_hand() {
    for (texts, tables) in [
        (&["fireline.drill"][..], "fireline"),
        (&["elephant-excerpt.drill"], "elephant"),
    ] {
        let texts: Vec<PathBuf> = texts.iter().map(|name| shared(name)).collect();
        passes(&ruleset(&texts, Some(tables), &[]));
    }
}

#[test]
fn variants_of_our_own_are_applied_and_checked() {
    for (variant, id) in [
        ("gbacw-reroll", "gbacw"),
        ("impact-supports-first", "impact"),
    ] {
        let name = format!("{variant}.drill");
        let edits = read(&here(&format!("rules/variants/{name}")));
        let text = here(&format!("../grapeshot-rules/rules/{id}/{id}.drill"));
        passes(&ruleset(&[text], Some(id), &[(&name, &edits)]));
    }
}

#[test]
#[ignore = "needs other texts: DRILL_TEXTS=FOLDER cargo test --release -p grapeshot-drill at_hand -- --ignored"]
fn variants_are_applied_and_checked_where_they_are_at_hand() {
    let all = [
        ("1-sequence", "elephant-excerpt.drill", "elephant"),
        ("2-grade", "elephant-excerpt.drill", "elephant"),
        ("3-modifier", "elephant-excerpt.drill", "elephant"),
        ("4-reroll", "gbacw.drill", "gbacw"),
        ("5-die", "elephant-excerpt.drill", "elephant"),
        ("6-supports-first", "impact.drill", "impact"),
        ("7-orchards", "fireline.drill", "fireline"),
        ("8-four-to-a-hex", "fireline.drill", "fireline"),
    ];
    for (variant, text, tables) in all {
        let (text, path) = (shared(text), shared(&format!("variants/{variant}.drill")));
        let edits = read(&path);
        let name = format!("{variant}.drill");
        passes(&ruleset(&[text], Some(tables), &[(&name, &edits)]));
    }
}

#[test]
fn what_is_proved_is_said_and_what_is_not_is_left_to_the_machine() {
    use grapeshot_drill::program::{Conversion, ExprKind, StmtKind, Type};
    let loaded = ruleset(
        &[here("../grapeshot-rules/rules/gbacw/gbacw.drill")],
        Some("gbacw"),
        &[],
    );
    let program = loaded.program.expect("gbacw passes");
    let text = |name: &str| {
        program
            .texts
            .iter()
            .find(|text| *text.name == *name)
            .expect("there is such a text")
    };
    // `if unit.morale is green: unit.morale = green[2d6]`, then `d6 <= unit.morale`: asked, so a number.
    assert!(text("passes").effects.throws && text("passes").effects.changes);
    let narrowed = |proved| {
        let is = |kind: &ExprKind| matches!(kind, ExprKind::Convert(Conversion::Narrow { proved: p }, _) if *p == proved);
        program
            .exprs
            .iter()
            .filter(|expr| is(&expr.kind) && expr.ty == Type::Number)
            .count()
    };
    assert_eq!((narrowed(true), narrowed(false)), (1, 0));
    // Captured points are at most nine, which fits; a retreat that grows may not.
    let sets = |name: &str| -> Vec<bool> {
        let flat = text(name).body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Set { proved, .. } => Some(*proved),
            _ => None,
        });
        flat.collect()
    };
    assert_eq!(sets("suffers"), [true]);
    assert!(
        text("assault").never_returns,
        "every way through an assault ends the trial"
    );
    assert!(!text("checks").never_returns);
    let reached: Vec<&str> = text("assault")
        .reached_by
        .iter()
        .map(|&id| &*program[id].name)
        .collect();
    assert_eq!(reached, ["charge", "standoff"]);
}

#[test]
fn a_cell_can_be_overlaid_if_it_is_of_its_kind() {
    use grapeshot_drill::program::{CellPlace, TableSort};
    let loaded = ruleset(
        &[here("../grapeshot-rules/rules/gbacw/gbacw.drill")],
        Some("gbacw"),
        &[],
    );
    let mut program = loaded.program.expect("gbacw passes");
    let place = |sort, table: &str, row: &str, column: &str| CellPlace {
        sort,
        table: table.into(),
        row: row.into(),
        column: column.into(),
    };
    let volley = place(TableSort::Grid, "fire_results", "1", "1");
    let cell = program.overlay(&volley, "2*").expect("a code of the table");
    assert_eq!(program.place_of(cell), volley);
    assert_eq!(&*program[cell].text, "2*");
    assert!(program.overlay(&volley, "2**").is_err());
    assert!(
        program
            .overlay(&place(TableSort::List, "fire", "wagon-density", ""), "41")
            .is_err()
    );
    assert!(
        program
            .overlay(&place(TableSort::List, "fire", "wagon-density", ""), "5")
            .is_ok()
    );
    assert!(
        program
            .overlay(
                &place(
                    TableSort::Assumption,
                    "pinned_fire_divisor",
                    "pinned_fire_divisor",
                    ""
                ),
                "3"
            )
            .is_ok()
    );
}

#[test]
fn everything_begins_as_something() {
    for (text, tables) in [
        ("gbacw/gbacw.drill", "gbacw"),
        ("impact/impact.drill", "impact"),
    ] {
        let loaded = ruleset(
            &[here("../grapeshot-rules/rules").join(text)],
            Some(tables),
            &[],
        );
        let program = loaded.program.expect("it passes");
        assert!(program.fields.iter().all(|field| field.default.is_some()));
        assert!(program.vars.iter().all(|var| var.default.is_some()));
    }
}

#[test]
fn variants_stack_and_each_calls_the_one_before() {
    let once = "variant of gbacw: \"Once more\"\n\nreplace rule passes(unit) -> Flag:\n  if not printed passes(unit): return d6 > 5\n  return true\n";
    let twice = "variant of gbacw: \"And again\"\n\nreplace rule passes(unit) -> Flag:\n  return printed passes(unit) or printed passes(unit)\n";
    let loaded = ruleset(
        &[here("../grapeshot-rules/rules/gbacw/gbacw.drill")],
        Some("gbacw"),
        &[("once.drill", once), ("twice.drill", twice)],
    );
    passes(&loaded);
    let program = loaded.program.expect("it passes");
    let named = |name: &str| program.texts.iter().any(|text| *text.name == *name);
    assert!(named("passes") && named("printed passes") && named("printed printed passes"));
    assert_eq!(program.variants.len(), 2);
}
