//! Two units fire at each other, turn by turn.

use super::fire::{FireChart, FireDrill, Firer, Mark, range_setting};
use super::morale::{Morale, MoraleChart};
use super::tables::Tables;
use super::unit::{Condition, Cover, Regiment, settings};
use crate::dice::Dice;
use crate::dist::Variable;
use crate::engine::{Clock, Next, Row, Steps, row};
use crate::rules::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// How a firefight ends.
    pub enum Outcome {
        ARetreats = "a-retreats" => Failure, ARouts = "a-routs" => Failure, ADestroyed = "a-destroyed" => Failure,
        BRetreats = "b-retreats" => Success, BRouts = "b-routs" => Success, BDestroyed = "b-destroyed" => Success, Undecided = "undecided" => Undecided,
    }
}

/// How a side can be out of the fight, in the order of [`Outcome`].
#[derive(Debug, Clone, Copy)]
enum Leaves {
    Retreats,
    Routs,
    Destroyed,
}

/// Where a firefight stands. Side 0 is `a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    units: [Condition; 2],
    side: u8,
    fires: bool,
}

#[derive(Debug)]
struct Firefight {
    tables: Arc<Tables>,
    chart: Arc<MoraleChart>,
    fire: FireChart,
    regiments: [Regiment; 2],
    firers: [Firer; 2],
    cover: [i64; 2],
    turns: u16,
}

const SIDES: [&str; 2] = ["a", "b"];

impl Firefight {
    fn new(
        tables: &Arc<Tables>,
        chart: &Arc<MoraleChart>,
        s: &Settings,
    ) -> Result<Self, RuleError> {
        let range = s.whole("range");
        let cover = SIDES.map(|side| s.choice::<Cover>(&format!("{side}.cover")));
        let drills = [FireDrill::read(s, "a")?, FireDrill::read(s, "b")?];
        let marks = [Mark::read(s, "a", cover[0])?, Mark::read(s, "b", cover[1])?];
        Ok(Firefight {
            fire: FireChart::new(tables),
            regiments: [
                Regiment::new(tables, s, "a")?,
                Regiment::new(tables, s, "b")?,
            ],
            firers: [
                Firer::new(tables, &drills[0], &marks[1], range),
                Firer::new(tables, &drills[1], &marks[0], range),
            ],
            cover: cover.map(|cover| {
                if cover == Cover::Open {
                    0
                } else {
                    chart.cover()
                }
            }),
            turns: s.whole("turns") as u16,
            tables: Arc::clone(tables),
            chart: Arc::clone(chart),
        })
    }

    fn row(&self, outcome: Outcome, units: [Condition; 2]) -> Row {
        let lost = |side: usize| u16::from(self.regiments[side].lost(units[side]));
        row(&[outcome.position() as u16, 0, lost(0), lost(1)])
    }

    fn ends(&self, side: usize, leaves: Leaves, units: [Condition; 2]) -> Next<State> {
        let outcome = Outcome::ALL[3 * side + leaves as usize];
        Next::Done(self.row(outcome, units))
    }
}

impl Steps for Firefight {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["a tests", "a fires", "b tests", "b fires"]
    }

    fn start(&self) -> State {
        let units = [self.regiments[0].start, self.regiments[1].start];
        State {
            units,
            side: 0,
            fires: units[0].panic == 0,
        }
    }

    fn phase(&self, state: &State) -> usize {
        2 * usize::from(state.side) + usize::from(state.fires)
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let side = usize::from(state.side);
        let mut units = state.units;
        if !state.fires {
            let (result, mut unit) =
                self.chart
                    .test(&self.regiments[side], units[side], self.cover[side], dice);
            // Overenthusiasm counts in combat only: nothing here asks for it.
            unit.overenthusiastic = false;
            units[side] = unit;
            return match result {
                Morale::Retreat => self.ends(side, Leaves::Retreats, units),
                Morale::Rout => self.ends(side, Leaves::Routs, units),
                _ if unit.stands == 0 => self.ends(side, Leaves::Destroyed, units),
                _ => Next::Go(State {
                    units,
                    side: state.side,
                    fires: true,
                }),
            };
        }
        let other = 1 - side;
        let column = self.firers[side].column(&self.tables, units[side].stands, units[side].panic);
        let effect = self.fire.roll(column, dice);
        units[other] = self.regiments[other].suffers(units[other], effect.hits(), effect.panic());
        if units[other].stands == 0 {
            return self.ends(other, Leaves::Destroyed, units);
        }
        let next = State {
            units,
            side: other as u8,
            fires: units[other].panic == 0,
        };
        Next::after_side(side, next)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, state: &State) -> Row {
        self.row(Outcome::Undecided, state.units)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>, chart: &Arc<MoraleChart>) -> Procedure {
    let side = [
        "kind",
        "grade",
        "stands",
        "stands_lost",
        "hits",
        "panic",
        "weapon",
        "commander",
        "stationary",
        "marksmen",
        "skirmishing",
        "prolonging",
        "exposed",
        "ranks",
        "unlimbered",
        "prone",
        "cover",
    ];
    let mut keys = settings("a", &side);
    keys.extend(settings("b", &side));
    keys.push(range_setting());
    keys.push(Setting::turns().from("Order of play"));
    let (tables, chart) = (Arc::clone(tables), Arc::clone(chart));
    Procedure {
        name: "firefight".into(),
        about: "Two units fire at each other and test, a first, until one leaves or time is up."
            .into(),
        source: "Order of play: morale phase, fire phase".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "how the firefight ends"),
            Variable::count("turns", "the turn in which it ended, or the last"),
            Variable::count("a_stands_lost", "stands lost by a"),
            Variable::count("b_stands_lost", "stands lost by b"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Firefight::new(&tables, &chart, s)?))),
    }
}
