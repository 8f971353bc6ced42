//! The charts as a whole: their shape, laws that must hold, and the agreement of the engines.

use crate::testing::{engines_agree, marginal, printed, refusal, shape, table_error};

fn p(procedure: &str, given: &str, variable: &str, value: &str) -> f64 {
    marginal("impact", procedure, given, variable).p(value)
}

fn mean(procedure: &str, given: &str, variable: &str) -> f64 {
    marginal("impact", procedure, given, variable).mean()
}

#[test]
fn every_chart_has_its_printed_shape() {
    let shape = |name: &str| shape("impact", name);
    assert_eq!(shape("firepower"), (8, 7));
    assert_eq!(shape("normal_range"), (8, 1));
    assert_eq!(shape("movement"), (8, 7));
    assert_eq!(shape("impact_values"), (7, 1));
    assert_eq!(shape("impact_results"), (5, 2));
    assert_eq!(shape("enfilade"), (3, 3));
    assert_eq!(shape("support"), (3, 2));
    assert_eq!(shape("flank"), (2, 2));
}

#[test]
fn fire_reports_certain_points_and_says_why_no_more() {
    for (weapon, two, eight, normal) in [
        ("rifle-musket", "2", "8", "3"),
        ("smoothbore", "2", "7", "2"),
        ("mixed", "2", "6", "3"),
        ("repeater", "3", "11", "5"),
        ("colt-revolving", "3", "10", "3"),
        ("sharps", "3", "9", "5"),
        ("remington", "2", "8", "4"),
        ("flintlock", "1", "5", "2"),
    ] {
        for (figures, points) in [(2, two), (8, eight)] {
            let given = format!("weapon={weapon} figures={figures}");
            assert_eq!(p("fire", &given, "firepower", points), 1.0, "{given}");
            assert_eq!(p("fire", &given, "normal_range", normal), 1.0, "{given}");
        }
    }
    let loaded = printed("impact");
    let notes = &loaded.procedure("fire").unwrap().notes;
    assert!(notes[0].contains("does not print"), "{notes:?}");
}

#[test]
fn combinations_the_rules_do_not_allow_are_refused_with_the_reason() {
    for (procedure, given, reason) in [
        ("charge", "attacker.level=shaken", "cannot advance"),
        ("charge", "attacker.arm=artillery", "does not charge"),
        (
            "charge",
            "defender.arm=artillery defender.depleted=true",
            "sections",
        ),
        ("charge", "defender.sections_lost=1", "only artillery"),
        (
            "charge",
            "attacker.arm=cavalry attacker.sections_lost=1",
            "this is cavalry",
        ),
        ("morale", "purpose=rally check=1", "must be 0"),
        (
            "charge",
            "defender.level=routed",
            "good | disorder | shaken",
        ),
        (
            "charge",
            "attacker.level=routed",
            "good | disorder | shaken",
        ),
        ("charge", "attacker.flank=full", "unknown setting"),
        ("charge", "attacker.support_modifier=11", "from -10 to 10"),
        ("charge", "defender.support_grade=raw", "same | elite"),
        ("morale", "unit.support_grade=elite", "unknown setting"),
        ("rally", "turns=13", "from 1 to 12"),
        ("rally", "unit.depleted=true unit.arm=artillery", "sections"),
        ("rally", "check=0", "unknown setting"),
        ("move", "unit.arm=cavalry", "unknown setting"),
        ("move", "ground=road", "NA"),
        (
            "move",
            "unit.level=broken",
            "good | disorder | shaken | routed",
        ),
        ("morale", "unit.flank=full", "unknown setting"),
        ("fire", "figures=9", "from 2 to 8"),
    ] {
        let message = refusal("impact", procedure, given);
        assert!(message.contains(reason), "{given}: {message}");
    }
}

#[test]
fn cells_that_cannot_be_are_refused_with_file_and_key() {
    let error = table_error("impact", "5-7   =", "6-7   =");
    assert!(
        error.contains("the heading `6-7` of `impact_results`"),
        "{error}"
    );
    let error = table_error("impact", "[\"1\", \"+1\"]", "[\"1\", \"maybe\"]");
    assert!(error.contains("tables.impact_results.rows.2-4"), "{error}");
    let error = table_error("impact", "[\"-\", \"stops short\"]", "[\"1\", \"+1\"]");
    assert!(error.contains("no loser"), "{error}");
    let error = table_error("impact", "charge-best = 1", "charge-best = 13");
    assert!(error.contains("charge-best must not exceed"), "{error}");
    let error = table_error("impact", "[\"+2/+1\"", "[\"+2\"");
    assert!(
        error.contains("tables.enfilade.rows.unlimbered-artillery[slight]"),
        "{error}"
    );
    let error = table_error("impact", "\"3D6\"", "\"3X6\"");
    assert!(
        error.contains("tables.movement.rows.routed[road]"),
        "{error}"
    );
    let error = table_error("impact", "flintlock      = [2]", "flintlock      = [-2]");
    assert!(
        error.contains("tables.normal_range.rows.flintlock"),
        "{error}"
    );
    let error = table_error("impact", "heavy = -4", "heavy = 4");
    assert!(
        error.contains("lists.good_modifiers.values.heavy"),
        "{error}"
    );
}

#[test]
fn a_better_grade_never_makes_its_own_side_worse() {
    let grades = ["green", "trained", "veteran", "elite"];
    let rises = |procedure: &str, key: &str, variable: &str, value: &str| {
        let chances = grades.map(|grade| p(procedure, &format!("{key}={grade}"), variable, value));
        assert!(chances.is_sorted(), "{key}: {chances:?}");
    };
    rises("charge", "attacker.grade", "outcome", "attacker-wins");
    rises("charge", "defender.grade", "outcome", "defender-wins");
    rises("morale", "unit.grade", "passed", "yes");
}

#[test]
fn more_cover_never_raises_the_defenders_losses() {
    for flank in ["none", "partial", "full"] {
        let losses = ["none", "hasty", "light", "heavy"].map(|works| {
            let given = format!("defender.works={works} defender.flank={flank}");
            mean("charge", &given, "defender_figures_lost")
        });
        assert!(losses.is_sorted_by(|a, b| a >= b), "{flank}: {losses:?}");
    }
    let open = mean("charge", "", "defender_figures_lost");
    assert!(mean("charge", "defender.cover=true", "defender_figures_lost") <= open);
}

#[test]
fn a_harder_check_is_never_passed_more_often() {
    let passed = [0, 1, 2, 3, 4].map(|n| p("morale", &format!("check={n}"), "passed", "yes"));
    assert!(passed.is_sorted_by(|a, b| a > b), "{passed:?}");
}

#[test]
fn a_rally_is_the_morale_procedures_attempt_repeated() {
    for given in [
        "unit.level=routed unit.leader=2 unit.enfilade=slight",
        "unit.level=shaken unit.grade=veteran unit.near_enemy=true",
        "unit.level=disorder unit.works=hasty unit.support_good=1",
    ] {
        let once = p("morale", &format!("{given} purpose=rally"), "passed", "yes");
        let until = match given {
            _ if given.contains("routed") => "shaken",
            _ if given.contains("shaken") => "disorder",
            _ => "good",
        };
        for turns in [1, 2, 5] {
            let rallied = p(
                "rally",
                &format!("{given} until={until} turns={turns}"),
                "rallied",
                "yes",
            );
            let wanted = 1.0 - (1.0 - once).powi(turns);
            assert!((rallied - wanted).abs() < 1e-12, "{given}: {rallied}");
        }
    }
}

#[test]
fn a_unit_flees_as_far_as_the_turns_it_was_routed_and_no_farther() {
    // It cannot rally: all turns are spent in flight, 7 inches each on average.
    let hopeless = "unit.grade=green unit.merged=true turns=4";
    assert!((mean("rally", hopeless, "fled") - 28.0).abs() < 1e-9);
    assert!(p("rally", hopeless, "level", "routed") > 1.0 - 1e-12);
    let ground = |ground: &str| mean("rally", &format!("ground={ground}"), "fled");
    assert!(ground("rough") < ground("open") && ground("open") < ground("road"));
    let rallied = |turns: i64| {
        p(
            "rally",
            &format!("unit.leader=3 turns={turns}"),
            "rallied",
            "yes",
        )
    };
    assert!((1..=12).map(rallied).is_sorted());
    assert_eq!(rallied(2), 0.0, "three levels take three turns");
}

#[test]
fn supports_change_no_unit_of_the_impact_and_each_checks_by_itself() {
    let given = |more: &str| format!("defender.support_disordered=2 {more}");
    for variable in [
        "outcome",
        "margin",
        "loser_level",
        "fall_back",
        "stopped_at",
    ] {
        let plain = marginal("impact", "charge", &given(""), variable);
        let other =
            given("defender.support_grade=green defender.support_modifier=4 count_supports=true");
        let other = marginal("impact", "charge", &other, variable);
        for value in plain.values() {
            assert!(
                (other.p(&value.label) - value.p).abs() < 1e-12,
                "{variable}"
            );
        }
    }
    let worse = |modifier: i64| {
        let given = given(&format!("defender.support_modifier={modifier}"));
        mean("charge", &given, "supports_worse")
    };
    assert!((-10..=10).map(worse).is_sorted());
}

#[test]
fn two_equal_sides_are_symmetric_but_for_what_the_attacker_is_spared() {
    let given = "defender.leader=1";
    let (attacker, defender) = ("attacker-wins", "defender-wins");
    let difference =
        p("charge", given, "outcome", attacker) - p("charge", given, "outcome", defender);
    assert!(difference.abs() < 1e-12);
    assert!(
        mean("charge", given, "attacker_figures_lost")
            < mean("charge", given, "defender_figures_lost")
    );
}

#[test]
fn solved_walked_and_direct_answers_agree() {
    for procedure in ["fire", "charge", "morale", "rally", "move"] {
        engines_agree("impact", procedure, 24);
    }
}
