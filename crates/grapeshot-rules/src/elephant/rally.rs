//! A unit that has fled, alone, over its next turns.

use super::charts::Charts;
use super::keys::{setting, settings};
use super::morale::{Morale, Occasion};
use super::side::Side;
use super::unit::{Condition, Regiment, Withdrew};
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings, Value};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// Whether it comes to a stand.
    pub enum Rallied { Yes = "yes" => Success, No = "no" => Undecided, Destroyed = "destroyed" => Failure }
}

/// Where a unit that flees has got to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    unit: Condition,
    /// Times it fled again.
    flights: u8,
}

#[derive(Debug)]
struct Rally {
    charts: Arc<Charts>,
    regiment: Regiment,
    turns: u16,
}

impl Rally {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let side = Side::new(s, "unit");
        Ok(Rally {
            charts: Arc::clone(charts),
            regiment: Regiment::read(&charts.tables, &side)?.covered(side.flag("cover")),
            turns: s.whole("turns") as u16,
        })
    }

    fn row(&self, rallied: Rallied, state: &State) -> Row {
        let lost = u16::from(self.regiment.lost(&state.unit));
        row(&[rallied.position() as u16, 0, lost, u16::from(state.flights)])
    }
}

impl Steps for Rally {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["morale test"]
    }

    fn start(&self) -> State {
        State {
            unit: self.regiment.start,
            flights: 0,
        }
    }

    fn phase(&self, _: &State) -> usize {
        0
    }

    fn step<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let unit = &mut state.unit;
        let occasion = Occasion::Steadiness;
        match self
            .charts
            .morale
            .test(&self.regiment, unit, occasion, dice)
        {
            Morale::Overenthusiastic | Morale::Pass => {
                return Next::Done(self.row(Rallied::Yes, &state));
            }
            Morale::Hit if unit.stands == 0 => {
                return Next::Done(self.row(Rallied::Destroyed, &state));
            }
            Morale::Hit => unit.withdrew = Withdrew::No,
            fled => {
                unit.withdrew = match fled {
                    Morale::Rout => Withdrew::Rout,
                    _ => Withdrew::Retreat,
                };
                state.flights += 1;
            }
        }
        Next::NextTurn(state)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, state: &State) -> Row {
        self.row(Rallied::No, state)
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    let mut keys = settings("unit", &["kind", "grade", "stands", "stands_lost", "hits"]);
    // It has just routed, two markers and all.
    keys.push(setting("unit", "panic").or(Value::Whole(2)));
    keys.push(setting("unit", "withdrew").or(Value::Choice(Withdrew::Rout.label().into())));
    keys.extend(settings("unit", &["in_cover", "commander"]));
    keys.push(Setting::turns().from("Order of play"));
    Procedure {
        name: "rally".into(),
        about: "A unit that has fled tests turn after turn until it rallies or is gone.".into(),
        source: "Morale phase; Morale tests, modifiers and results".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Rallied::variable("rallied", "whether it comes to a stand"),
            Variable::count(
                "turns",
                "the turn in which it passed or was gone, or the last",
            ),
            Variable::count("stands_lost", "stands lost in this trial"),
            Variable::count("flights", "times it retreated or routed again"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Rally::new(&charts, s)?))),
    }
}
