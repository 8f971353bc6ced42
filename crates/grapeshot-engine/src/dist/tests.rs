//! One small distribution, worked out on paper.

use super::*;
use crate::stats::{Z95, wilson};

fn end(values: [u16; 2], phase: u8) -> End {
    End {
        row: row(&values),
        phase,
    }
}

fn variables() -> Vec<Variable> {
    vec![
        Variable::category("outcome", "how it ends", ["wins", "draws", "loses"]).favouring([
            Favour::Success,
            Favour::Undecided,
            Favour::Failure,
        ]),
        Variable::count("loss", "men lost"),
    ]
}

const PHASES: [&str; 2] = ["fire", "melee"];

/// Of 200: losses are 0, 2, 1 and 4; the last ones end when time is up.
const COUNTS: [([u16; 2], u8, u64); 4] = [
    ([0, 0], 0, 60),
    ([0, 2], 1, 40),
    ([1, 1], 1, 20),
    ([2, 4], 2, 80),
];

fn solved() -> Distribution {
    let rows = COUNTS.map(|(values, phase, n)| (end(values, phase), n as f64 / 200.0));
    Distribution::solved(variables(), &PHASES, rows.to_vec())
}

fn counted() -> Distribution {
    let rows = COUNTS.map(|(values, phase, n)| (end(values, phase), n));
    Distribution::counted(variables(), &PHASES, rows.to_vec(), (200, 7))
}

/// A count with these probabilities of 0, 1, 2 …
fn count(shares: &[f64]) -> Marginal {
    let rows = (0u16..).zip(shares).filter(|(_, share)| **share > 0.0);
    let rows = rows.map(|(value, share)| (end([0, value], 0), *share));
    let odds = Distribution::solved(variables(), &PHASES, rows.collect());
    odds.marginal("loss").expect("a variable")
}

#[track_caller]
fn close(found: f64, meant: f64) {
    assert!((found - meant).abs() < 1e-9, "{found}, not {meant}");
}

#[test]
fn a_distribution_says_where_it_comes_from() {
    let (exact, simulated) = (solved().source(), counted().source());
    assert_eq!(
        (exact.method(), exact.trials(), exact.seed()),
        ("exact", None, None)
    );
    assert_eq!(
        (simulated.method(), simulated.trials(), simulated.seed()),
        ("simulate", Some(200), Some(7))
    );
}

#[test]
fn mean_spread_and_quantiles_are_those_of_the_sums() {
    let loss = solved().marginal("loss").expect("a variable");
    close(loss.mean(), 2.1);
    close(loss.sd(), 1.7);
    close(loss.at_least(2.0), 0.6);
    close(loss.at_least(2.5), 0.4);
    close(loss.p("1"), 0.1);
    assert_eq!(loss.p("3"), 0.0);
    for (share, value) in [
        (0.3, 0.0),
        (0.31, 1.0),
        (0.4, 1.0),
        (0.41, 2.0),
        (0.6, 2.0),
        (1.0, 4.0),
    ] {
        assert_eq!(loss.quantile(share), value, "{share}");
    }
    assert_eq!((loss.trials(), loss.standard_error()), (None, None));
    assert_eq!((loss.interval(0.5), loss.widest_half_width()), (None, None));
    let loss = counted().marginal("loss").expect("a variable");
    assert_eq!(loss.trials(), Some(200));
    close(
        loss.standard_error().expect("simulated"),
        1.7 / 200f64.sqrt(),
    );
    assert_eq!(loss.interval(0.3), Some(wilson(60, 200)));
    // The widest is the one nearest to a half.
    let (low, high) = wilson(80, 200);
    close(
        loss.widest_half_width().expect("simulated"),
        (high - low) / 2.0,
    );
}

#[test]
fn numbers_that_begin_below_zero_are_in_order() {
    let points = Variable::count_from(-2, "points", "won and lost");
    let odds = Distribution::solved(
        vec![points],
        &[],
        vec![(end([3, 0], 0), 0.25), (end([0, 0], 0), 0.75)],
    );
    let points = odds.marginal_at(0);
    let labels: Vec<&str> = points.values().iter().map(|v| v.label.as_str()).collect();
    assert_eq!(labels, ["-2", "1"]);
    close(points.mean(), -1.25);
}

#[test]
fn rows_merge_and_are_shares_of_the_trials() {
    for odds in [solved(), counted()] {
        assert!(odds.is_joint());
        close(odds.probability(|row| row[1] > 0), 0.7);
        let joint = odds.joint();
        assert_eq!(joint.len(), 4);
        close(joint[1].1, 0.2);
        let valued = odds.clone().valued(|row| Some(f64::from(row[1])));
        close(valued.worth().expect("valued"), 2.1);
        assert_eq!(odds.valued(|_| None).worth(), None);
    }
    let only = counted().only("loss").expect("a variable");
    assert_eq!(only.variables().len(), 1);
    assert_eq!(only.marginal_at(0), counted().marginal_at(1));
    assert_eq!(counted().only("nothing"), None);
}

#[test]
fn variables_counted_apart_have_no_rows_and_the_same_shares() {
    let odds = Distribution::counted_by_variable(
        variables(),
        &PHASES,
        [
            vec![(0, 100), (1, 20), (2, 80)],
            vec![(0, 60), (1, 20), (2, 40), (4, 80)],
        ]
        .into_iter(),
        [vec![(0, 60)], vec![(0, 40), (1, 20)], vec![(2, 80)]].into_iter(),
        (200, 7),
    );
    assert!(!odds.is_joint());
    assert!(odds.joint().is_empty());
    let marginals = [counted().marginal_at(0), counted().marginal_at(1)];
    assert_eq!(counted().marginals(), marginals);
    assert_eq!(odds.marginals(), marginals);
    assert_eq!(odds.stages(), counted().stages());
    assert_eq!(odds.marginal(STAGE), counted().marginal(STAGE));
    let only = odds.only("loss").expect("a variable");
    assert_eq!(only.marginal_at(0), counted().marginal_at(1));
}

#[test]
fn stages_end_what_they_end_and_leave_the_rest_open() {
    for odds in [solved(), counted()] {
        let stages = odds.stages();
        let named: Vec<&str> = stages.iter().map(|stage| stage.phase.as_str()).collect();
        assert_eq!(named, ["fire", "melee", "time is up"]);
        close(stages[0].goes_on, 0.7);
        close(stages[1].goes_on, 0.4);
        assert_eq!(stages[2].goes_on, 0.0);
        assert_eq!(stages[1].ended.len(), 2);
        close(stages[1].ended[1].p, 0.1);
        let stage = odds.marginal(STAGE).expect("stages");
        close(stage.p("melee"), 0.3);
    }
    // Where time is never up, nothing is said of it.
    let rows = vec![(end([0, 0], 1), 1.0)];
    let stages = Distribution::solved(variables(), &PHASES, rows).stages();
    assert_eq!(stages.len(), 2);
    assert_eq!(stages[0].goes_on, 1.0);
}

#[test]
fn distances_are_those_of_the_definitions() {
    let (a, b) = (solved().marginal_at(1), count(&[0.5, 0.0, 0.5]));
    close(total_variation(&a, &b), 0.5);
    close(total_variation(&a, &a), 0.0);
    close(wasserstein(&a, &b), 1.1);
    close(wasserstein(&b, &a), 1.1);
    // Two that overlap: more at the ends than in the middle.
    close(
        wasserstein(&count(&[0.5, 0.0, 0.5]), &count(&[0.0, 1.0])),
        1.0,
    );
}

#[test]
fn agreement_is_measured_in_standard_errors() {
    let exact = solved().marginal_at(1);
    let seen = count(&[0.36, 0.1, 0.14, 0.0, 0.4]);
    let (label, z) = worst_z(&exact, &seen, 100);
    assert_eq!(label, "2");
    close(z, -1.5);
    close(worst_z(&exact, &seen, 400).1, -3.0);
    close(worst_z(&exact, &seen, 100_000_000).1, -1500.0);
    assert_eq!(worst_z(&exact, &exact, 100).1, 0.0);
    let impossible = count(&[0.3, 0.1, 0.2, 0.01, 0.39]);
    assert_eq!(
        worst_z(&exact, &impossible, 100),
        ("3".into(), f64::INFINITY)
    );
    // What is rare is not impossible: one of a hundred million, where a thousandth of one was due.
    let (rare, once) = (count(&[1.0 - 1e-11, 1e-11]), count(&[1.0 - 1e-8, 1e-8]));
    let (_, z) = worst_z(&rare, &once, 100_000_000);
    assert!((z.abs() - 0.999 / 0.001f64.sqrt()).abs() < 1e-3, "{z}");
    let certain = count(&[0.0, 1.0]);
    assert_eq!(worst_z(&certain, &certain, 100).1, 0.0);
    assert_eq!(
        worst_z(&certain, &count(&[0.01, 0.99]), 100),
        ("1".into(), f64::INFINITY)
    );
}

fn asked(text: &str, odds: &Distribution) -> Estimate {
    let quantity = Quantity::parse(text, &variables()).unwrap_or_else(|error| panic!("{error}"));
    quantity.of(odds).expect("a number")
}

#[test]
fn quantities_are_what_they_are_called() {
    for (text, value) in [
        ("success", 0.5),
        ("undecided", 0.1),
        ("failure", 0.4),
        ("outcome=wins", 0.5),
        ("outcome = wins, draws", 0.6),
        ("outcome!=wins", 0.5),
        ("loss=4", 0.4),
        ("P(loss>=2)", 0.6),
        ("mean(loss)", 2.1),
        ("sd(loss)", 1.7),
    ] {
        let exact = asked(text, &solved());
        close(exact.value, value);
        assert_eq!(
            (exact.low, exact.high),
            (exact.value, exact.value),
            "{text}"
        );
        close(asked(text, &counted()).value, value);
    }
    let share = asked("outcome!=loses", &counted());
    let (low, high) = wilson(120, 200);
    close(share.low, low);
    close(share.high, high);
    let mean = asked("mean(loss)", &counted());
    close(mean.high - mean.value, Z95 * 1.7 / 200f64.sqrt());
    close(mean.value - mean.low, Z95 * 1.7 / 200f64.sqrt());
    // From the fourth moment, 11.1937, and the second squared, 8.3521.
    let half = Z95 * ((11.1937f64 - 8.3521) / 200.0).sqrt() / 3.4;
    let sd = asked("sd(loss)", &counted());
    close(sd.high - sd.value, half);
    close(sd.value - sd.low, half);
    // What never varies has no error.
    let always = Distribution::counted(variables(), &PHASES, vec![(end([0, 3], 0), 10)], (10, 7));
    let sd = asked("sd(loss)", &always);
    assert_eq!((sd.value, sd.low, sd.high), (0.0, 0.0, 0.0));
}

#[test]
fn what_is_no_quantity_says_why() {
    let refused = |text: &str| Quantity::parse(text, &variables()).expect_err(text);
    for (text, said) in [
        ("wins", "is not a quantity"),
        ("P(loss)", "is not a quantity"),
        ("P(loss>=x)", "is not a quantity"),
        ("mean(outcome)", "is a category"),
        ("sd(outcome)", "is a category"),
        ("P(outcome>=1)", "is a category"),
        ("loss=many", "it is a number"),
        ("outcome=routs", "wins, draws, loses"),
        ("panic=1", "outcome, loss"),
        ("outcome=wins,wins", "twice"),
        ("value", "only of what is decided"),
    ] {
        let error = refused(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
    let counts = [Variable::count("loss", "men lost")];
    let error = Quantity::usual(&counts).expect_err("nobody is favoured");
    assert!(error.to_string().contains("mean(loss)"), "{error}");
    assert_eq!(
        Quantity::usual(&variables()),
        Ok(Quantity::Favoured(Favour::Success))
    );
    let decided = [Variable::category("result", "", ["a", "b", "neither"])];
    assert_eq!(Quantity::parse("value", &decided), Ok(Quantity::Worth));
    let undecided = [Variable::category("result", "", ["a", "b"])];
    assert!(Quantity::parse("value", &undecided).is_err());
}

#[test]
fn a_quantity_is_written_as_it_is_read_and_knows_what_it_is() {
    for (text, probability, shows) in [
        ("success", true, false),
        ("outcome=wins,draws", true, false),
        ("outcome!=wins", true, false),
        ("P(loss>=2)", true, true),
        ("mean(loss)", false, true),
        ("sd(loss)", false, true),
    ] {
        let quantity = Quantity::parse(text, &variables()).expect(text);
        assert_eq!(quantity.to_string(), text);
        assert_eq!(quantity.is_probability(), probability, "{text}");
        assert_eq!(quantity.shows("loss"), shows, "{text}");
    }
    let success = Quantity::Favoured(Favour::Success);
    assert_eq!(success.variable(&variables()), Some("outcome"));
    assert!(!success.shows("outcome"));
    assert_eq!(Quantity::Worth.of(&solved()), None);
}

#[test]
fn a_difference_is_as_wide_as_both_and_excludes_what_is_outside() {
    let estimate = |value: f64, half: f64| Estimate {
        value,
        low: value - half,
        high: value + half,
    };
    let apart = estimate(0.5, 0.2).minus(&estimate(0.1, 0.15));
    close(apart.value, 0.4);
    close(apart.low, 0.15);
    close(apart.high, 0.65);
    close(apart.half_width(), 0.25);
    assert!(apart.excludes(0.1) && apart.excludes(0.7) && !apart.excludes(0.2));
    let wide = estimate(0.5, 0.25);
    assert!(!wide.excludes(0.25) && !wide.excludes(0.75), "ends belong");
    let exact = Estimate::exact(0.25);
    assert!(exact.excludes(0.0) && exact.excludes(0.5) && !exact.excludes(0.25));
}

#[test]
fn a_label_stands_among_those_that_favour_alike() {
    use Favour::{Failure, Success};
    let outcome = Variable::category("outcome", "", ["routs", "retreats", "wins", "halts"]);
    let outcome = outcome.favouring([Failure, Failure, Success, Failure]);
    assert_eq!(outcome.standing("routs"), Some((Failure, 0, 3)));
    assert_eq!(outcome.standing("halts"), Some((Failure, 2, 3)));
    assert_eq!(outcome.standing("wins"), Some((Success, 0, 1)));
    assert_eq!(outcome.standing("flees"), None);
    assert_eq!(outcome.favour(2), Some(Success));
    assert_eq!(outcome.favour(9), None);
    assert_eq!(Variable::count("loss", "").standing("1"), None);
    let kinds = [
        outcome,
        Variable::count("n", ""),
        Variable::count_from(-3, "n", ""),
        Variable::number("n", "", vec![0.5, 2.0]),
    ];
    assert_eq!(
        kinds.each_ref().map(|v| (v.kind_name(), v.is_numeric())),
        [
            ("category", false),
            ("count", true),
            ("count", true),
            ("number", true)
        ]
    );
    assert_eq!(
        kinds.each_ref().map(|v| v.label(1)),
        ["retreats", "1", "-2", "2"]
    );
    assert_eq!(
        kinds.each_ref().map(|v| v.number_of(1)),
        [1.0, 1.0, -2.0, 2.0]
    );
}
