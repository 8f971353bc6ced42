//! Firefight: two stacks fire at each other turn by turn until one is gone. Composed from fire.

use super::morale::Checks;
use super::tables::Tables;
use super::unit::{Condition, Order, Stack, settings};
use super::volley::{Mark, Shooter, Shot, Volley};
use crate::dice::Dice;
use crate::dist::{Favour, Variable};
use crate::engine::{Clock, Next, Row, Steps, row};
use crate::rules::{Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

const SIDES: [&str; 2] = ["a", "b"];
const OUTCOMES: [&str; 5] = [
    "a-routs",
    "a-destroyed",
    "b-routs",
    "b-destroyed",
    "undecided",
];
const FAVOURS: [Favour; 5] = [
    Favour::Failure,
    Favour::Failure,
    Favour::Success,
    Favour::Success,
    Favour::Undecided,
];
const UNDECIDED: u16 = 4;

/// One side: what it is, and its fire at the other.
#[derive(Debug)]
struct Side {
    stack: Stack,
    volley: Volley,
}

/// The fight.
#[derive(Debug)]
struct Firefight {
    checks: Arc<Checks>,
    sides: [Side; 2],
    turns: u16,
}

/// How both sides are, and which fires next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Position {
    units: [Condition; 2],
    firing: u8,
}

impl Firefight {
    fn new(tables: &Tables, checks: &Arc<Checks>, s: &Settings) -> Result<Self, RuleError> {
        let side = |side: usize| -> Result<Side, RuleError> {
            let (own, other) = (SIDES[side], SIDES[1 - side]);
            let flanked = s.flag(&format!("{own}.flanked"));
            let stack =
                Stack::read_fighting(tables, s, own)?.with_morale(flanked, tables.morale.flanked);
            let shot = Shot {
                shooter: Shooter::read(s, own),
                mark: Mark::read(s, other),
                range: s.whole("range"),
                no_los: false,
            };
            let volley = Volley::of_fire(tables, &stack, &shot);
            Ok(Side { stack, volley })
        };
        Ok(Firefight {
            checks: Arc::clone(checks),
            sides: [side(0)?, side(1)?],
            turns: s.whole("turns") as u16,
        })
    }

    /// A row; the engine fills in the turn.
    fn row(&self, units: &[Condition; 2], outcome: u16) -> Row {
        let [a, b] = &self.sides;
        row(&[outcome, 0, a.stack.taken(units[0]), b.stack.taken(units[1])])
    }
}

impl Steps for Firefight {
    type State = Position;

    fn phases(&self) -> Vec<&str> {
        vec!["a fires", "b fires"]
    }

    fn start(&self) -> Position {
        Position {
            units: [self.sides[0].stack.start, self.sides[1].stack.start],
            firing: 0,
        }
    }

    fn phase(&self, position: &Position) -> usize {
        usize::from(position.firing)
    }

    fn step<D: Dice>(&self, position: Position, dice: &mut D) -> Next<Position> {
        let mut units = position.units;
        let firing = usize::from(position.firing);
        let under_fire = 1 - firing;
        let (firer, target) = (&self.sides[firing], &self.sides[under_fire]);
        let effect = firer.volley.roll(&firer.stack, units[firing], dice);
        let unit = self
            .checks
            .suffer(&target.stack, units[under_fire], effect, dice);
        units[under_fire] = unit;
        if unit.order.is_gone() {
            let destroyed = u16::from(unit.order == Order::Destroyed);
            return Next::Done(self.row(&units, 2 * under_fire as u16 + destroyed));
        }
        let next = Position {
            units,
            firing: under_fire as u8,
        };
        Next::after_side(firing, next)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, position: &Position) -> Row {
        self.row(&position.units, UNDECIDED)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>, checks: &Arc<Checks>) -> Procedure {
    let (tables, checks) = (Arc::clone(tables), Arc::clone(checks));
    let more = [
        "clear_hex",
        "behind_wall",
        "terrain",
        "lower",
        "wall",
        "flanked",
        "dense",
    ];
    let mut keys: Vec<Setting> = SIDES
        .iter()
        .flat_map(|side| settings(side, &more))
        .collect();
    keys.push(
        Setting::whole("range", 1..=6, 1, "hexes between the stacks").from("Range Factor Table"),
    );
    keys.push(Setting::turns().from("composed"));
    Procedure {
        name: "firefight".into(),
        about:
            "Two stacks fire at each other, a first in each turn, until one is routed or destroyed."
                .into(),
        source: "Composed from fire".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Variable::category("outcome", "who is gone, and how", OUTCOMES).favouring(FAVOURS),
            Variable::count("turns", "the turn it ended in, or the last"),
            Variable::count("a_o_hits", "O hits a takes"),
            Variable::count("b_o_hits", "O hits b takes"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Firefight::new(&tables, &checks, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{p, settings, tables};
    use super::*;
    use crate::dice::Scripted;
    use crate::engine::play_once;

    /// The row of a fight with these dice.
    fn fight(given: &str, dice: &[i32]) -> Vec<u16> {
        let s = settings("firefight", given);
        let fight = Firefight::new(&tables(), &Arc::new(Checks::new()), &s).expect("a fight");
        let mut dice = Scripted::new(dice.iter().copied());
        let end = play_once(&fight, &mut dice);
        dice.finish();
        end.row[..4].to_vec()
    }

    #[test]
    fn a_fires_first_and_the_loss_is_felt_at_once() {
        // b is hit, disrupted, and answers three rows lower: a 1 would be two hits, and is one.
        let dice = [2, 9, 1, 0, 2, 9];
        assert_eq!(fight("turns=2", &dice), [2, 2, 1, 2]);
    }

    #[test]
    fn the_end_is_told_apart() {
        let a_last = "a.reduced=true a.o_hits=2";
        assert_eq!(fight(a_last, &[9, 0]), [1, 1, 1, 0]);
        assert_eq!(fight("b.reduced=true b.o_hits=2", &[0]), [3, 1, 0, 1]);
        assert_eq!(fight("a.state=disrupted", &[9, 2, 9]), [0, 1, 1, 0]);
        assert_eq!(fight("turns=1", &[9, 9]), [4, 1, 0, 0]);
    }

    #[test]
    fn nobody_falls_out_of_reach() {
        let undecided = p("firefight", "range=5", "outcome", "undecided");
        assert!((undecided - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equal_sides_favour_the_one_that_fires_first() {
        let outcome = |value: &str| p("firefight", "turns=50", "outcome", value);
        let a_gone = outcome("a-routs") + outcome("a-destroyed");
        let b_gone = outcome("b-routs") + outcome("b-destroyed");
        assert!(
            b_gone > a_gone && outcome("undecided") < 1e-6,
            "{a_gone} {b_gone}"
        );
    }
}
