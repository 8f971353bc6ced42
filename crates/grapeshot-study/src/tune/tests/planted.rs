//! Faults that were planted and have to be undone: one to three cells of each ruleset, changed at random.
//!
//! The list, `planted.txt`, is what the seeded generator here gives; a test keeps the two together. Some of
//! each ruleset are undone in every run, all fifty by
//! `cargo test --release -p grapeshot-study --lib planted -- --ignored --nocapture`, which also says how long each took
//! (`PLANTED=text` undoes only those whose line contains the text).

use super::super::*;
use crate::audit::Words;
use grapeshot_rules::{CellPlace, Ruleset, Variant, find};
use std::sync::Arc;
use std::time::Instant;

/// Faults of each ruleset.
const EACH: usize = 10;
/// How far from print a target may lie.
const NEAR: f64 = 0.005;

/// A ruleset, what is asked of it, and which cells a fault may be in.
struct Field {
    rules: &'static str,
    questions: &'static [&'static str],
    vary: &'static [&'static str],
}

const FIELDS: [Field; 5] = [
    Field {
        rules: "elephant",
        questions: &[
            "charge: success",
            "charge attacker.grade=veteran defender.cover=wall: success",
            "melee attacker.stands=14: success",
            "fire range=250: mean(hits)",
            "morale unit.panic=1: success",
        ],
        vary: &[
            "tables.fire_*",
            "tables.melee_*",
            "lists.morale_*",
            "lists.fire_shifts",
        ],
    },
    Field {
        rules: "gbacw",
        questions: &[
            "charge: success",
            "melee: success",
            "melee attacker.strength=8: mean(attacker_sp_lost)",
            "fire: mean(sp_lost)",
            "fire strength=20: success",
        ],
        vary: &["tables.*", "lists.*"],
    },
    Field {
        rules: "acw28",
        questions: &[
            "fire: mean(hits)",
            "fire target.cover=soft range=60: success",
            "melee: mean(kills)",
            "melee defender.cover=hard: success",
        ],
        vary: &["tables.*", "lists.*"],
    },
    Field {
        rules: "impact",
        questions: &[
            "charge: success",
            "charge attacker.formation=attack-column: success",
            "morale: success",
            "morale unit.grade=veteran unit.level=disorder: success",
        ],
        vary: &["tables.*", "lists.*"],
    },
    Field {
        rules: "fireline",
        questions: &[
            "fire: success",
            "fire firer.sp=4 target.terrain=woods: mean(o_hits)",
            "morale unit.o_hits=1: success",
            "melee rounds=1: success",
        ],
        vary: &["tables.*", "lists.*"],
    },
];

/// A fault: the cells and what was planted there.
struct Fault {
    field: usize,
    planted: Vec<Change>,
}

impl Fault {
    fn line(&self) -> String {
        let planted: Vec<String> = self
            .planted
            .iter()
            .map(|change| format!("{} {} -> {}", change.place, change.before, change.after))
            .collect();
        format!("{}: {}", FIELDS[self.field].rules, planted.join("; "))
    }
}

/// Numbers that stay the same whatever a library does.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// The targets that print meets, and its answers.
fn targets(field: &Field, ruleset: &Arc<Ruleset>) -> (Vec<Wish>, Vec<Target>) {
    let loaded = ruleset.load(&[]).unwrap();
    let mut wishes = Vec::new();
    let mut checked = Vec::new();
    for question in field.questions {
        let any = Wish::typed(&format!("{question}=0")).unwrap();
        let target = any.check(&loaded, None, None).unwrap();
        let procedure = loaded.playable(&target.procedure).unwrap();
        let answer = procedure
            .answer(&target.settings, &Options::exact())
            .unwrap();
        let printed = target.quantity.of(&answer.odds).unwrap().value;
        let wish = Wish {
            want: format!("{}={printed}", target.quantity),
            tolerance: Some(NEAR * printed.abs().max(1.0)),
            ..any
        };
        checked.push(wish.check(&loaded, None, None).unwrap());
        wishes.push(wish);
    }
    (wishes, checked)
}

/// Whether nothing is printed there, which is not a result of the table: no fault is planted in it.
fn is_empty(declared: &Declared, edit: &Edit) -> bool {
    let [Change { place, before, .. }] = edit.changes.as_slice() else {
        return false;
    };
    let result = match place {
        CellPlace::Grid { table, .. } => match moves::scale_of(declared, table) {
            Some(Words::List(scale)) => moves::on_scale(scale, before).is_some(),
            _ => false,
        },
        _ => false,
    };
    before.chars().all(|c| c == '-') && !result
}

/// Faults of one ruleset: each cell that was changed is seen in some target, alone and with the others.
fn faults(at: usize, count: usize) -> Vec<Fault> {
    let field = &FIELDS[at];
    let ruleset = find(field.rules).unwrap();
    let loaded = ruleset.load(&[]).unwrap();
    let (_, targets) = targets(field, &ruleset);
    let trials = Trials::new(&loaded, &targets, Options::exact()).unwrap();
    let declared = Declared::read(&loaded.tables).unwrap();
    let vary: Vec<String> = field.vary.iter().map(|v| (*v).to_owned()).collect();
    let places = loaded.tables.cells_named(&vary).unwrap();
    let mut cells = moves::edits(&loaded.tables, &declared, &places);
    cells.retain(|edits| !is_empty(&declared, &edits[0]));
    let seen = |edits: &[&Edit]| {
        let values = trials.values(edits, trials.all()).unwrap();
        values.is_some_and(|values| !trials.meets(&values))
    };
    let mut dice = Dice(1863 + at as u64);
    let mut found: Vec<Fault> = Vec::new();
    while found.len() < count {
        let wanted = 1 + found.len() % 3;
        let mut planted: Vec<&Edit> = Vec::new();
        while planted.len() < wanted {
            let cell = &cells[dice.below(cells.len())];
            let edit = &cell[dice.below(cell.len().min(4))];
            let apart = planted.iter().all(|other| !other.meets(edit));
            if edit.changes.len() == 1 && apart && seen(&[edit]) {
                planted.push(edit);
            }
        }
        let changes = planted.iter().map(|edit| edit.changes[0].clone());
        let fault = Fault {
            field: at,
            planted: changes.collect(),
        };
        let another = |known: &Fault| known.line() != fault.line();
        if seen(&planted) && found.iter().all(another) {
            found.push(fault);
        }
    }
    found
}

/// What was found against a fault, and in how many seconds.
fn undo(fault: &Fault) -> (Tuned, f64) {
    let field = &FIELDS[fault.field];
    let ruleset = find(field.rules).unwrap();
    let (wishes, _) = targets(field, &ruleset);
    let solution = Solution {
        edits: vec![Edit {
            changes: fault.planted.clone(),
            size: 1.0,
        }],
        values: Vec::new(),
        elsewhere: None,
    };
    let text = solution.variant(field.rules, "planted", "");
    let planted = Variant::parse("planted.toml", &text).unwrap();
    let loaded = ruleset.load(&[planted]).unwrap();
    let asked = TuneAsked {
        wishes,
        vary: field.vary.iter().map(|v| (*v).to_owned()).collect(),
        max_edits: fault.planted.len(),
        keep: Keep::Order,
        tolerance: None,
        shown: 0,
    };
    let started = Instant::now();
    let tuned = tune(&loaded, None, &asked, &Options::compared(50_000)).unwrap();
    let seconds = started.elapsed().as_secs_f64();
    (tuned, seconds)
}

/// Whether a fault was undone with no more edits than were planted.
fn undone(fault: &Fault, tuned: &Tuned) -> bool {
    let best = tuned.solutions.first();
    best.is_some_and(|best| best.cells() <= fault.planted.len())
}

/// The faults that are kept; one line each.
const KEPT: &str = include_str!("planted.txt");

/// The generator and the list are one: `INSTA_UPDATE`-like, the list is printed where they differ.
#[test]
fn the_list_of_faults_is_what_the_generator_gives() {
    for (at, field) in FIELDS.iter().enumerate() {
        let lines: Vec<String> = faults(at, 3).iter().map(Fault::line).collect();
        let kept: Vec<&str> = KEPT
            .lines()
            .filter(|line| line.starts_with(&format!("{}: ", field.rules)))
            .take(3)
            .collect();
        assert_eq!(lines, kept);
    }
}

#[test]
fn planted_faults_are_undone_with_no_more_edits_than_were_planted() {
    for (at, field) in FIELDS.iter().enumerate() {
        // One, two and three cells where the questions are small; one of the others.
        let count = if ["impact", "gbacw"].contains(&field.rules) {
            3
        } else {
            1
        };
        for fault in faults(at, count) {
            let (tuned, _) = undo(&fault);
            let line = fault.line();
            assert!(undone(&fault, &tuned), "{line}: {:?}", tuned.solutions);
        }
    }
}

#[test]
#[ignore = "all fifty: cargo test --release -p grapeshot-study --lib planted -- --ignored --nocapture"]
fn all_fifty_planted_faults_are_undone() {
    let (mut count, mut all, mut slowest) = (0, 0, 0.0_f64);
    let mut lines = Vec::new();
    let wanted = std::env::var("PLANTED").ok();
    for at in 0..FIELDS.len() {
        for fault in faults(at, EACH) {
            if wanted
                .as_ref()
                .is_some_and(|wanted| !fault.line().contains(wanted.as_str()))
            {
                lines.push(fault.line());
                continue;
            }
            let (tuned, seconds) = undo(&fault);
            let good = undone(&fault, &tuned);
            let solved: Vec<usize> = tuned.looked.iter().map(|l| l.solved).collect();
            println!(
                "{} {seconds:.2} s  {}  ({} cells, {} read, sets solved {solved:?}, answers {})",
                if good { "undone" } else { "FAILED" },
                fault.line(),
                tuned.cells,
                tuned.read,
                tuned.methods.exact,
            );
            lines.push(fault.line());
            count += usize::from(good);
            all += 1;
            slowest = slowest.max(seconds);
        }
    }
    println!("{count} of {all} undone, the slowest in {slowest:.2} s");
    assert_eq!(
        lines,
        KEPT.lines().collect::<Vec<_>>(),
        "the list of faults has changed"
    );
    assert!(count * 100 >= all * 95, "{count} of {all}");
}

#[test]
#[ignore = "prints the list for planted.txt: cargo test --release -p grapeshot-study --lib print_the_list -- --ignored --nocapture"]
fn print_the_list() {
    let faults = (0..FIELDS.len()).flat_map(|at| faults(at, EACH));
    let lines: Vec<String> = faults.map(|fault| fault.line()).collect();
    lines.iter().for_each(|line| println!("{line}"));
    assert_eq!(lines.len(), KEPT.lines().count());
}
