//! Rallying, composed: a unit out of order tries once a turn, and flees first while it is routed.

use super::morale::{Enfilade, enfilade_setting, rally_odds};
use super::movement::{ground_setting, inches};
use super::tables::Tables;
use super::unit::{Level, Levels, Unit, settings};
use crate::{Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds};
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

/// A unit that tries to get into order again.
#[derive(Debug)]
struct Rally {
    level: Level,
    until: Level,
    turns: u16,
    /// The odds of an attempt, by level.
    attempts: Vec<&'static Odds<bool>>,
    /// Inches of a turn's flight, if it starts routed; nothing makes it rout again.
    flight: Option<Odds<u16>>,
}

/// The unit's level and how far it has fled; `fleeing` until it has, in a turn it begins routed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    level: Level,
    fled: u16,
    fleeing: bool,
}

impl Rally {
    fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let unit = Unit::read(tables, s, "unit")?;
        let until: Level = s.choice("until");
        if until >= unit.level {
            let reason = format!(
                "the unit is {} already: it must rally to a better level",
                unit.level.label()
            );
            return Err(s.refuse("until", reason));
        }
        let from: Enfilade = s.choice("unit.enfilade");
        let attempt = |&level: &Level| rally_odds(tables, &unit.at(level), from);
        let flight = match unit.level {
            Level::Routed => Some(inches(tables, s, unit.formation, unit.level)?),
            _ => None,
        };
        Ok(Rally {
            level: unit.level,
            until,
            turns: s.whole("turns") as u16,
            attempts: Level::ALL.iter().map(attempt).collect(),
            flight,
        })
    }

    fn report(&self, state: &State) -> Row {
        let rallied = state.level <= self.until;
        row(&[
            u16::from(rallied),
            0,
            state.level.position() as u16,
            state.fled,
        ])
    }
}

impl Steps for Rally {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["flight", "rally attempt"]
    }

    fn start(&self) -> State {
        State {
            level: self.level,
            fled: 0,
            fleeing: self.level == Level::Routed,
        }
    }

    fn phase(&self, state: &State) -> usize {
        usize::from(!state.fleeing)
    }

    fn step<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        if let (true, Some(flight)) = (state.fleeing, &self.flight) {
            state.fled += flight.roll(dice);
            state.fleeing = false;
            return Next::Go(state);
        }
        if self.attempts[state.level.position()].roll(dice) {
            state.level = state.level.better();
        }
        if state.level <= self.until {
            return Next::Done(self.report(&state));
        }
        state.fleeing = state.level == Level::Routed;
        Next::NextTurn(state)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, state: &State) -> Row {
        self.report(state)
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let mut keys = settings(
        "unit",
        Levels {
            allowed: &Level::LABELS[1..],
            usual: Level::Routed,
        },
    );
    keys.extend([
        enfilade_setting(),
        Setting::one_of(
            "until",
            &Level::LABELS[..3],
            Level::Good.label(),
            "the level at which it stops; better than the one it starts from",
        )
        .from("Modified Morale Point"),
        Setting::whole("turns", 1..=12, 6, "turns played at most").from("not printed"),
        ground_setting("what it flees over while it is routed"),
    ]);
    Procedure {
        name: "rally".into(),
        about: "A unit out of order tries to rally, once a turn, fleeing while it is routed."
            .into(),
        source: "Modified Morale Point; 15mm infantry movement, routed".into(),
        composed: true,
        settings: keys,
        variables: vec![
            Variable::yes_no("rallied", "whether it reached the level")
                .favouring([Favour::Failure, Favour::Success]),
            Variable::count("turns", "the turn in which it did, or the last"),
            Variable::category(
                "level",
                "its morale level at the end",
                Level::LABELS.iter().copied(),
            ),
            Variable::count("fled", "inches it fled in all turns together"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Rally::new(&tables, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::printed;
    use crate::testing::{pairs, refusal, replay};

    /// Rallied, turns, level, inches fled.
    fn rally(given: &str, readings: &[i32]) -> (bool, u16, &'static str, u16) {
        let tables = printed();
        let settings = procedure(&tables).resolve(pairs(given)).unwrap();
        let row = replay(&Rally::new(&tables, &settings).unwrap(), readings);
        (
            row[0] == 1,
            row[1],
            Level::LABELS[usize::from(row[2])],
            row[3],
        )
    }

    #[test]
    fn a_routed_unit_flees_then_tries_and_climbs_a_level_for_each_success() {
        // Trained: 11 routed, 9 shaken, 7 disordered.
        let climb = [7, 11, 9, 7];
        assert_eq!(rally("", &climb), (true, 3, "good", 7));
        let again = [7, 10, 2, 11, 8, 9, 6, 7];
        assert_eq!(rally("", &again), (true, 6, "good", 9));
        assert_eq!(rally("turns=2", &[7, 10, 12, 10]), (false, 2, "routed", 19));
    }

    #[test]
    fn it_stops_at_the_level_asked_for() {
        assert_eq!(rally("until=shaken", &[7, 11]), (true, 1, "shaken", 7));
        assert_eq!(
            rally("until=disorder", &[7, 11, 9]),
            (true, 2, "disorder", 7)
        );
        assert_eq!(
            rally("until=disorder turns=2", &[7, 11, 8]),
            (false, 2, "shaken", 7)
        );
    }

    #[test]
    fn only_the_routed_flee_and_the_ground_says_on_how_many_dice() {
        assert_eq!(
            rally("unit.level=shaken turns=1", &[8]),
            (false, 1, "shaken", 0)
        );
        assert_eq!(
            rally("ground=road until=shaken", &[18, 11]),
            (true, 1, "shaken", 18)
        );
        assert_eq!(
            rally("ground=rough until=shaken", &[6, 11]),
            (true, 1, "shaken", 6)
        );
    }

    #[test]
    fn an_attempt_reads_everything_at_the_present_level_and_enfilade_as_other_fire() {
        // Elite 3, leader 2; rear is +3 to whoever rallies: 10 routed, 8 shaken.
        let given = "unit.grade=elite unit.leader=2 unit.enfilade=rear until=disorder";
        assert_eq!(rally(given, &[2, 10, 8]), (true, 2, "disorder", 2));
        assert_eq!(rally(given, &[2, 9, 2, 10, 7, 8]), (true, 4, "disorder", 4));
    }

    #[test]
    fn levels_that_cannot_be_rallied_from_or_to_are_refused() {
        let why = refusal("impact", "rally", "unit.level=good");
        assert!(why.contains("disorder | shaken | routed"), "{why}");
        for given in [
            "unit.level=shaken until=shaken",
            "unit.level=disorder until=shaken",
        ] {
            let why = refusal("impact", "rally", given);
            assert!(why.contains("`until=") && why.contains("better"), "{why}");
        }
        let why = refusal("impact", "rally", "unit.enfilade_by=other");
        assert!(why.contains("unknown"), "{why}");
        let why = refusal("impact", "rally", "until=routed");
        assert!(why.contains("good | disorder | shaken"), "{why}");
    }
}
