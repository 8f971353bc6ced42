//! What a question says that it reads, held to what changes its answer.

mod common;

use common::oracle::{Draw, Marginals, difference, marginals, question};
use grapeshot_drill::program::{CellId, ModifierName, TableSort};
use grapeshot_drill::run::reads::Reads;
use grapeshot_drill::run::{Refused, Rules};
use grapeshot_engine::engine::{Budget, Graph, solve};

type Given = Vec<(String, String)>;

fn borrowed(given: &Given) -> Vec<(&str, &str)> {
    let each = given.iter();
    each.map(|(key, value)| (key.as_str(), value.as_str()))
        .collect()
}

/// The answer, or why there is none.
fn answer(rules: &Rules, procedure: &str, given: &Given) -> Result<Marginals, String> {
    let play = rules
        .ask(procedure, &borrowed(given))
        .map_err(|refused| refused.to_string())?;
    let graph = Graph::compile(&play.machine, Budget::default()).expect("it fits");
    match play.machine.trouble() {
        Some(trouble) => Err(trouble),
        None => Ok(marginals(&play.variables, &solve(&graph))),
    }
}

fn same(one: &Result<Marginals, String>, other: &Result<Marginals, String>) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => difference(one, other).is_none(),
        (Err(one), Err(other)) => one == other,
        _ => false,
    }
}

/// How often what is listed changed the answer, and how often it was tried.
#[derive(Default, Debug)]
struct Held {
    mattered: u32,
    listed: u32,
    unlisted: u32,
}

fn reads(rules: &Rules, procedure: &str, given: &Given) -> Result<Reads, Refused> {
    rules.reads(procedure, false, &borrowed(given), Budget::default())
}

fn held(id: &str, procedures: &[&str], rounds: u32) -> [Held; 3] {
    let rules = Rules::new(common::ruleset(id));
    let mut draw = Draw(1863);
    let [mut cells, mut keys, mut modifiers] = [Held::default(), Held::default(), Held::default()];
    for procedure in procedures {
        for _ in 0..rounds {
            let given = question(&rules, procedure, &mut draw);
            let Ok(read) = reads(&rules, procedure, &given) else {
                continue;
            };
            let before = answer(&rules, procedure, &given);
            let program = rules.program();
            for _ in 0..12 {
                let cell = CellId(draw.below(program.cells.len() as u64) as u32);
                // Another that is printed in the same column.
                let table = &program[program[cell].table];
                let of = draw.below(table.rows.labels.len() as u64) as usize;
                let column = program[cell].column as usize;
                let other = program.cell_at(program[cell].table, of, column);
                let mut text = program[other].text.to_string();
                if table.sort != TableSort::Grid || text == *program[cell].text {
                    text = draw.below(4).to_string();
                }
                let place = program.place_of(cell);
                let mut changed = program.clone();
                if *program[cell].text == *text || changed.overlay(&place, &text).is_err() {
                    continue;
                }
                let after = answer(&Rules::new(changed), procedure, &given);
                let listed =
                    read.played.cells.contains(&place) || read.asked_before.cells.contains(&place);
                let matters = !same(&before, &after);
                note(&mut cells, listed, matters, &|| {
                    format!("{id} {procedure} {given:?}: {place:?} = {text}")
                });
            }
            for key in &rules.procedure(procedure).expect("a procedure").keys {
                let mut other = question(&rules, procedure, &mut draw);
                other.retain(|(name, _)| **name == *key.name);
                if other.is_empty() {
                    continue;
                }
                let mut changed = given.clone();
                changed.retain(|(name, _)| **name != *key.name);
                changed.append(&mut other);
                let after = answer(&rules, procedure, &changed);
                let listed = read.played.keys.contains(&key.name)
                    || read.asked_before.keys.contains(&key.name);
                let matters = !same(&before, &after);
                note(&mut keys, listed, matters, &|| {
                    format!("{id} {procedure} {given:?}: {changed:?}")
                });
            }
            for list in 0..program.modifiers.len() {
                let at = draw.below(program.modifiers[list].entries.len() as u64) as usize;
                let mut changed = program.clone();
                let entry = changed.modifiers[list].entries.remove(at);
                let ModifierName::Fixed(name) = entry.name else {
                    continue;
                };
                let of = program.modifiers[list].name.clone();
                let after = answer(&Rules::new(changed), procedure, &given);
                let what = (of, name);
                let listed = read.played.modifiers.contains(&what)
                    || read.asked_before.modifiers.contains(&what);
                let matters = !same(&before, &after);
                note(&mut modifiers, listed, matters, &|| {
                    format!("{id} {procedure} {given:?}: without {what:?}")
                });
            }
        }
    }
    [cells, keys, modifiers]
}

fn note(held: &mut Held, listed: bool, matters: bool, said: &dyn Fn() -> String) {
    assert!(
        listed || !matters,
        "it matters and is not listed: {}",
        said()
    );
    held.listed += u32::from(listed);
    held.unlisted += u32::from(!listed);
    held.mattered += u32::from(listed && matters);
}

#[test]
fn what_is_not_listed_does_not_matter_and_what_is_listed_mostly_does() {
    for (id, procedures) in [
        (
            "gbacw",
            &["fire", "morale", "melee", "charge", "firefight"][..],
        ),
        ("impact", &["fire", "charge", "morale", "rally", "move"]),
    ] {
        let rounds = std::env::var("READS_ROUNDS")
            .ok()
            .and_then(|n| n.parse().ok());
        let [cells, keys, modifiers] = held(id, procedures, rounds.unwrap_or(8));
        eprintln!("{id}: cells {cells:?}, keys {keys:?}, modifiers {modifiers:?}");
        assert!(cells.listed > 10 && cells.unlisted > cells.listed);
        assert!(3 * cells.mattered > cells.listed, "{id} {cells:?}");
        assert!(3 * keys.mattered > keys.listed, "{id} {keys:?}");
    }
}

#[test]
fn a_question_says_what_it_reads_by_name() {
    let rules = Rules::new(common::ruleset("gbacw"));
    let read = reads(&rules, "fire", &vec![]).expect("it is asked");
    let keys: Vec<&str> = read.played.keys.iter().map(|key| &**key).collect();
    assert!(keys.contains(&"target.morale"), "{keys:?}");
    let rows = read.played.cells.iter();
    let table: Vec<_> = rows
        .filter(|place| *place.table == *"fire_results")
        .collect();
    let column = &table[0].column;
    assert_eq!(table.len(), 6, "one column of six faces: {table:?}");
    assert!(table.iter().all(|place| place.column == *column));
    // A budget that is too small costs precision, not truth.
    let all = rules
        .reads("firefight", false, &[], Budget { states: 1 })
        .expect("it is asked");
    let some = rules
        .reads("firefight", false, &[], Budget::default())
        .expect("it is asked");
    assert!(
        some.played
            .cells
            .iter()
            .all(|cell| all.played.cells.contains(cell))
    );
    let decided = rules
        .reads("standoff", true, &[("goal", "losses")], Budget::default())
        .expect("it is asked");
    assert!(decided.played.keys.iter().any(|key| **key == *"goal"));
    assert!(
        decided
            .played
            .keys
            .iter()
            .all(|key| **key != *"withdraw_value")
    );
}
