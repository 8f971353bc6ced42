//! Firefight: two stacks fire at each other turn by turn until one is gone. Composed from fire.

use super::charts::Charts;
use super::stack::{Condition, Stack};
use super::unit::{Order, density, settings};
use super::volley::{Mark, Shooter, Shot, Volley};
use crate::standoff::SIDES;
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How it can end.
    pub enum Outcome {
        ARouts = "a-routs" => Failure, ADestroyed = "a-destroyed" => Failure,
        BRouts = "b-routs" => Success, BDestroyed = "b-destroyed" => Success,
        Undecided = "undecided" => Undecided,
    }
}

impl Outcome {
    /// A side is gone, routed or destroyed.
    fn of(side: usize, order: Order) -> Self {
        match (side, order) {
            (0, Order::Destroyed) => Outcome::ADestroyed,
            (0, _) => Outcome::ARouts,
            (_, Order::Destroyed) => Outcome::BDestroyed,
            (_, _) => Outcome::BRouts,
        }
    }
}

/// One side: what it is, and its fire at the other.
#[derive(Debug)]
struct Side {
    stack: Stack,
    volley: Volley,
    /// Its fire as long as it has an advance-fire marker.
    marked: Option<Volley>,
}

/// Two stacks in reach of each other, whose fire can begin in any condition of both.
#[derive(Debug)]
pub(super) struct Exchange {
    sides: [Side; 2],
}

/// How both sides are, and which fires next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Facing {
    pub units: [Condition; 2],
    /// Who still has an advance-fire marker: it is gone once its stack has fired.
    marked: [bool; 2],
    firing: u8,
}

/// What the fire of one side comes to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fired {
    /// The other side is still there and fires next.
    Answered(Facing),
    /// It is gone.
    Over(Facing, Outcome),
}

impl Facing {
    /// The side that fires next.
    pub(super) fn firing(&self) -> usize {
        usize::from(self.firing)
    }

    /// O hits both have taken.
    pub(super) fn hits(&self) -> [u16; 2] {
        self.units.map(|unit| u16::from(unit.taken))
    }
}

impl Exchange {
    pub(super) fn new(charts: &Arc<Charts>, s: &Settings, range: i64) -> Result<Self, RuleError> {
        let read = |side: &str| Stack::read_fighting(&charts.tables, s, side);
        let stacks = [read(SIDES[0])?, read(SIDES[1])?];
        let side = |own: usize| {
            let other = 1 - own;
            let shot = Shot {
                shooter: Shooter::read(s, SIDES[own]),
                mark: Mark::read(s, SIDES[other]),
                range,
                no_los: false,
            };
            let fire = |shot: &Shot| Volley::of_fire(charts, &stacks[own], &stacks[other], shot);
            let mut unmarked = shot;
            unmarked.shooter.advance_fire = false;
            Side {
                stack: stacks[own].clone(),
                volley: fire(&unmarked),
                marked: shot.shooter.advance_fire.then(|| fire(&shot)),
            }
        };
        Ok(Exchange {
            sides: [side(0), side(1)],
        })
    }

    /// What each side's fire is called.
    pub(super) fn phases(&self) -> [&'static str; 2] {
        ["a fires", "b fires"]
    }

    /// A side's stack.
    pub(super) fn stack(&self, side: usize) -> &Stack {
        &self.sides[side].stack
    }

    /// How it begins.
    pub(super) fn start(&self) -> Facing {
        let [a, b] = &self.sides;
        Facing {
            units: [a.stack.start(), b.stack.start()],
            marked: [a.marked.is_some(), b.marked.is_some()],
            firing: 0,
        }
    }

    /// One side fires.
    pub(super) fn fire<D: Dice>(&self, mut facing: Facing, dice: &mut D) -> Fired {
        let firing = facing.firing();
        let under_fire = 1 - firing;
        let side = &self.sides[firing];
        let volley = match &side.marked {
            Some(marked) if facing.marked[firing] => marked,
            _ => &side.volley,
        };
        let [firer, target] = [facing.units[firing], facing.units[under_fire]];
        let target = volley.resolve(firer, target, dice);
        facing.units[under_fire] = target;
        facing.marked[firing] = false;
        facing.firing = under_fire as u8;
        if target.order.is_gone() {
            Fired::Over(facing, Outcome::of(under_fire, target.order))
        } else {
            Fired::Answered(facing)
        }
    }
}

/// An exchange of fire for so many turns.
#[derive(Debug)]
struct Firefight {
    exchange: Exchange,
    turns: u16,
}

impl Firefight {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        Ok(Firefight {
            exchange: Exchange::new(charts, s, s.whole("range"))?,
            turns: s.whole("turns") as u16,
        })
    }

    /// A row; the engine fills in the turn.
    fn row(&self, facing: &Facing, outcome: Outcome) -> Row {
        let lost = |side: usize| self.exchange.stack(side).units_lost(facing.units[side]);
        let [a, b] = facing.hits();
        row(&[outcome.position() as u16, 0, a, b, lost(0), lost(1)])
    }
}

impl Steps for Firefight {
    type State = Facing;

    fn phases(&self) -> Vec<&str> {
        self.exchange.phases().to_vec()
    }

    fn start(&self) -> Facing {
        self.exchange.start()
    }

    fn phase(&self, facing: &Facing) -> usize {
        facing.firing()
    }

    fn step<D: Dice>(&self, facing: Facing, dice: &mut D) -> Next<Facing> {
        match self.exchange.fire(facing, dice) {
            Fired::Answered(next) => Next::after_side(facing.firing(), next),
            Fired::Over(last, outcome) => Next::Done(self.row(&last, outcome)),
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, facing: &Facing) -> Row {
        self.row(facing, Outcome::Undecided)
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    let more = [
        "clear_hex",
        "behind_wall",
        "advance_fire",
        "terrain",
        "thoroughfare",
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
    keys.push(density());
    Procedure {
        name: "firefight".into(),
        about:
            "Two stacks fire at each other, a first in each turn, until one is routed or destroyed."
                .into(),
        source: "Composed from fire".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "who is gone, and how"),
            Variable::count("turns", "the turn it ended in, or the last"),
            Variable::count("a_o_hits", "O hits a takes"),
            Variable::count("b_o_hits", "O hits b takes"),
            Variable::count("a_units_lost", "units of a destroyed"),
            Variable::count("b_units_lost", "units of b destroyed"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Firefight::new(&charts, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{charts, p, settings};
    use super::*;
    use grapeshot_engine::dice::Scripted;
    use grapeshot_engine::engine::play_once;

    /// The row of a fight with these dice.
    fn fight(given: &str, dice: &[i32]) -> Vec<u16> {
        let s = settings("firefight", given);
        let fight = Firefight::new(&charts(), &s).expect("a fight");
        let mut dice = Scripted::new(dice.iter().copied());
        let end = play_once(&fight, &mut dice);
        dice.finish();
        end.row[..6].to_vec()
    }

    #[test]
    fn a_fires_first_and_the_loss_is_felt_at_once() {
        // b is hit, disrupted, and answers three rows lower: a 1 would be two hits, and is one.
        let dice = [2, 9, 1, 0, 2, 9];
        assert_eq!(fight("turns=2", &dice), [2, 2, 1, 2, 0, 0]);
    }

    #[test]
    fn the_end_is_told_apart() {
        let a_last = "a.reduced=true a.o_hits=2";
        assert_eq!(fight(a_last, &[9, 0]), [1, 1, 1, 0, 1, 0]);
        assert_eq!(fight("b.reduced=true b.o_hits=2", &[0]), [3, 1, 0, 1, 0, 1]);
        assert_eq!(fight("a.state=disrupted", &[9, 2, 9]), [0, 1, 1, 0, 0, 0]);
        assert_eq!(fight("turns=1", &[9, 9]), [4, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn a_marker_counts_in_the_first_fire_of_its_side_only() {
        // Two rows lower a 1 is one hit; in the second turn it is two.
        let dice = [1, 4, 9, 1, 2, 9];
        assert_eq!(
            fight("turns=2 a.advance_fire=true", &dice),
            [4, 2, 0, 3, 0, 0]
        );
        let dice = [9, 1, 4, 9, 1, 2];
        assert_eq!(
            fight("turns=2 b.advance_fire=true", &dice),
            [4, 2, 3, 0, 0, 0]
        );
    }

    #[test]
    fn a_stack_stays_dense_for_as_long_as_it_is_strong() {
        // b has 6 points in two units: row 16-20, where a 0 is three hits. They flip nobody (two and
        // one), so the next volley is on the same row; three more flip both, who then cannot fail at 9,
        // and 4 points are not dense: a 0 is two hits.
        let given = "b.units=2 b.sp=3 b.morale=9 density=auto turns=3 b.clear_hex=false";
        let dice = [0, 6, 9, 0, 9, 0, 8, 9];
        assert_eq!(fight(given, &dice), [4, 3, 0, 8, 0, 0]);
        assert_eq!(
            fight("b.units=2 b.sp=3 b.morale=9 turns=1", &[0, 6, 9]),
            [4, 1, 0, 2, 0, 0]
        );
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
