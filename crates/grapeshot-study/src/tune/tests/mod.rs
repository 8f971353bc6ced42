//! Tune against brute force, against faults that were planted, and at its ends.

mod planted;

use super::*;
use grapeshot_rules::{Question, Variant, find};

fn asked(wants: &[&str], vary: &[&str]) -> TuneAsked {
    TuneAsked {
        wishes: wants
            .iter()
            .map(|want| Wish::typed(want).unwrap())
            .collect(),
        vary: vary.iter().map(|pattern| (*pattern).to_owned()).collect(),
        max_edits: 1,
        keep: Keep::Nothing,
        tolerance: None,
        shown: 0,
    }
}

fn tuned(rules: &str, asked: &TuneAsked) -> Tuned {
    let loaded = find(rules).unwrap().load(&[]).unwrap();
    tune(&loaded, None, asked, &Options::exact()).unwrap()
}

fn edits_of(tuned: &Tuned) -> Vec<String> {
    let one = |solution: &Solution| {
        let said: Vec<String> = solution
            .changes()
            .map(|change| format!("{} {}", change.place, change.after))
            .collect();
        said.join("; ")
    };
    let mut all: Vec<String> = tuned.solutions.iter().map(one).collect();
    all.sort();
    all
}

/// Every value of every cell, asked as a variant from outside; what comes within the target.
fn by_brute_force(rules: &str, pattern: &str, procedure: &str, low: f64, high: f64) -> Vec<String> {
    let loaded = find(rules).unwrap().load(&[]).unwrap();
    let declared = Declared::read(&loaded.tables).unwrap();
    let places = loaded.tables.cells_named(&[pattern.into()]).unwrap();
    let mut found = Vec::new();
    for edit in moves::edits(&loaded.tables, &declared, &places)
        .iter()
        .flatten()
    {
        let solution = Solution {
            edits: vec![edit.clone()],
            values: Vec::new(),
            elsewhere: None,
        };
        let text = solution.variant(rules, "tried", "");
        let variant = Variant::parse("tried.toml", &text).unwrap();
        let question = Question::new(rules, procedure).unwrap().under(variant);
        let Ok(answer) = question.ask(&Options::exact()) else {
            continue;
        };
        let success = answer
            .odds
            .marginal_at(0)
            .favouring(grapeshot_engine::dist::Favour::Success);
        if (low..=high).contains(&success) {
            let change = &edit.changes[0];
            found.push(format!("{} {}", change.place, change.after));
        }
    }
    found.sort();
    found
}

#[test]
fn single_edits_are_those_that_brute_force_finds() {
    for (rules, procedure, pattern, want, low, high) in [
        (
            "elephant",
            "melee",
            "tables.melee_results.*.1:1",
            "melee: success=45%..55%",
            0.45,
            0.55,
        ),
        (
            "gbacw",
            "melee",
            "tables.melee_results",
            "melee: success=10%..20%",
            0.10,
            0.20,
        ),
        (
            "elephant",
            "morale",
            "lists.*",
            "morale: success=75%..85%",
            0.75,
            0.85,
        ),
        (
            "impact",
            "morale",
            "*",
            "morale: success=70%..75%",
            0.70,
            0.75,
        ),
    ] {
        let found = edits_of(&tuned(rules, &asked(&[want], &[pattern])));
        let brute = by_brute_force(rules, pattern, procedure, low, high);
        assert!(
            !brute.is_empty(),
            "{rules} {want}: a test that finds nothing shows nothing"
        );
        assert_eq!(found, brute, "{rules} {want}");
    }
}

#[test]
fn what_is_met_already_needs_no_change() {
    let tuned = tuned(
        "elephant",
        &asked(&["melee: success=40%"], &["tables.melee_results"]),
    );
    assert!(tuned.already() && tuned.solutions.is_empty() && tuned.nearest.is_none());
}

#[test]
fn what_cannot_be_met_gives_the_nearest_miss() {
    let mut asked = asked(&["melee: success=97%"], &["tables.melee_results.*.1:1"]);
    asked.max_edits = 2;
    let tuned = tuned("elephant", &asked);
    assert!(tuned.solutions.is_empty());
    // Each of ten faces is a tenth: two more of them than the four that win now.
    let nearest = tuned.nearest.expect("a nearest miss");
    assert_eq!(nearest.cells(), 2);
    assert!(
        (nearest.values[0] - 0.6).abs() < 1e-9,
        "{:?}",
        nearest.values
    );
    assert_eq!(
        tuned.reach[0].map(|(low, high)| (low < 0.31, (high - 0.5).abs() < 1e-9)),
        Some((true, true))
    );
}

#[test]
fn no_cell_that_is_read_is_said_too() {
    let tuned = tuned(
        "elephant",
        &asked(&["melee: success=97%"], &["lists.muster_sizes"]),
    );
    assert_eq!(
        (tuned.read, tuned.reach[0], tuned.nearest.is_none()),
        (0, None, true)
    );
}

#[test]
fn two_edits_are_found_where_one_is_too_small_and_that_is_proved() {
    let mut asked = asked(&["melee: success=60%"], &["tables.melee_results.*.1:1"]);
    asked.max_edits = 3;
    let tuned = tuned("elephant", &asked);
    assert_eq!(tuned.solutions[0].cells(), 2);
    assert!(tuned.fewest_proved());
    for solution in &tuned.solutions {
        assert!((solution.values[0] - 0.6).abs() < 0.01 + 1e-9);
    }
}

#[test]
fn order_is_kept_unless_told_otherwise() {
    let free = asked(
        &["morale unit.grade=regular: success=100%"],
        &["lists.morale_values"],
    );
    let kept = TuneAsked {
        keep: Keep::Order,
        ..free.clone()
    };
    let (free, kept) = (tuned("elephant", &free), tuned("elephant", &kept));
    let above_veteran = |tuned: &Tuned| {
        let solutions = tuned.solutions.iter();
        solutions
            .flat_map(Solution::changes)
            .any(|change| change.after.parse::<i64>().unwrap() > 9)
    };
    assert!(
        above_veteran(&free) && !above_veteran(&kept),
        "{:?}",
        edits_of(&kept)
    );
}

#[test]
fn several_targets_are_met_together() {
    let wants = [
        "melee: success=50%",
        "melee attacker.stands=20: success=60%..100%",
    ];
    let mut asked = asked(
        &wants,
        &["tables.melee_results.*.1:1", "tables.melee_results.*.2:1"],
    );
    asked.max_edits = 2;
    let tuned = tuned("elephant", &asked);
    assert!(!tuned.solutions.is_empty());
    for solution in &tuned.solutions {
        for (target, value) in tuned.targets.iter().zip(&solution.values) {
            assert!(target.miss(*value) == 0.0, "{solution:?}");
        }
    }
}

#[test]
fn a_solution_as_a_variant_does_what_it_says() {
    let tuned = tuned(
        "elephant",
        &asked(&["melee: success=50%"], &["tables.melee_results"]),
    );
    for solution in &tuned.solutions {
        let text = solution.variant("elephant", "tuned", "for a test");
        let variant = Variant::parse("tuned.toml", &text).unwrap();
        let question = Question::new("elephant", "melee").unwrap().under(variant);
        let answer = question.ask(&Options::exact()).unwrap();
        let success = answer
            .odds
            .marginal_at(0)
            .favouring(grapeshot_engine::dist::Favour::Success);
        assert!((success - solution.values[0]).abs() < 1e-12, "{text}");
    }
}
