//! The example from outside, against a published figure, and what the graph refuses.

#[path = "../../examples/attrition.rs"]
mod example;

use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::engine::{Budget, CompileError, Graph, Next, Steps, row};

/// Four dice against three, as others have solved it.
const PUBLISHED: f64 = 1_718_071_452_659_096_719.0 / 2_244_741_412_001_587_200.0;

#[test]
fn both_engines_give_the_published_odds_of_four_dice_against_three() {
    let trials = 2_000_000;
    let (solved, simulated) = example::first_survives(4, 3, trials).unwrap();
    assert!((solved - PUBLISHED).abs() < 1e-12, "{solved} {PUBLISHED}");
    let sigma = (PUBLISHED * (1.0 - PUBLISHED) / trials as f64).sqrt();
    assert!((simulated - PUBLISHED).abs() < 5.0 * sigma, "{simulated}");
}

/// Goes round in a circle of the given length, leaving it now and then.
struct Circle(u8);

impl Steps for Circle {
    type State = u8;

    fn phases(&self) -> Vec<&str> {
        vec!["round"]
    }

    fn start(&self) -> u8 {
        0
    }

    fn phase(&self, _: &u8) -> usize {
        0
    }

    fn step<D: Dice>(&self, state: u8, dice: &mut D) -> Next<u8> {
        match Odds::new(Throw::d6(), |face| face > 5).roll(dice) {
            true => Next::Done(row(&[0])),
            false => Next::Go((state + 1) % self.0),
        }
    }
}

#[test]
fn a_step_back_to_the_same_state_is_solved_and_a_longer_circle_refused() {
    assert!(Graph::compile(&Circle(1), Budget::default()).is_ok());
    let error = Graph::compile(&Circle(3), Budget::default()).unwrap_err();
    assert!(matches!(error, CompileError::Cycle { .. }), "{error}");
    assert!(error.to_string().contains("return to a state"), "{error}");
}
