//! Cavalry charges an enemy that passes by: a test, and then the charge.

use super::charge::{self, Charge, Ground, Outcome};
use super::charts::Charts;
use super::keys;
use super::morale::{Morale, Occasion};
use super::side::Side;
use crate::{Judged, Labels, Procedure, Setting, Value};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{Next, Steps};
use std::sync::Arc;

/// The end that a charge does not have: the cavalry takes a hit and stays where it is.
const NO_CHARGE: &str = "no-charge";

/// What an opportunity charge does not ask: cavalry charges alone, in line, over open ground in the
/// enemy's turn, and whether it strikes a flank depends on the enemy.
const LEFT_OUT: [&str; 6] = [
    "attacker.kind",
    "attacker.flank",
    "attacker.column",
    "attacker.obstacle",
    "attackers",
    "attacker.supports",
];

#[derive(Debug)]
struct Opportunity {
    charts: Arc<Charts>,
    charge: Charge,
}

/// Where an opportunity charge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    /// Before the test.
    Waiting,
    Charge(charge::State),
}

impl Opportunity {
    /// 1. The cavalry tests, markers or not.
    fn test<D: Dice>(&self, dice: &mut D) -> Next<State> {
        let regiment = self.charge.attacker();
        let mut unit = regiment.start;
        let morale = &self.charts.morale;
        let result = morale.test(regiment, &mut unit, Occasion::Steadiness, dice);
        let begun = self.charge.begin(unit, self.charge.defender().start);
        let outcome = match result {
            Morale::Overenthusiastic | Morale::Pass => return Next::Go(State::Charge(begun)),
            Morale::Hit if unit.stands == 0 => Outcome::AttackerDestroyed.position(),
            Morale::Hit => Outcome::ALL.len(),
            Morale::Retreat => Outcome::AttackerRetreats.position(),
            Morale::Rout => Outcome::AttackerRouts.position(),
        };
        Next::Done(self.charge.row(outcome as u16, false, &begun))
    }
}

impl Steps for Opportunity {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        let mut phases = vec!["test to charge"];
        phases.extend(self.charge.phases());
        phases
    }

    fn start(&self) -> State {
        State::Waiting
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State::Waiting => 0,
            State::Charge(charge) => 1 + self.charge.phase(charge),
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match state {
            State::Waiting => self.test(dice),
            // 2. From here on it is a charge like any other.
            State::Charge(charge) => self.charge.step(charge, dice).map(State::Charge),
        }
    }
}

/// The keys of a charge that matter here, with the defaults of an enemy on the move.
fn settings(most_yards: i64) -> Vec<Setting> {
    let left_out = |key: &str| LEFT_OUT.contains(&key) || key.starts_with("prep.");
    let mut all: Vec<Setting> = charge::settings()
        .into_iter()
        .filter(|setting| !left_out(&setting.key))
        .map(|setting| match setting.key.as_str() {
            "distance" => keys::distance(most_yards, most_yards),
            "defender.stationary" => setting.or(Value::Flag(false)),
            _ => setting,
        })
        .collect();
    all.push(keys::setting("defender", "faces"));
    all
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    let labels = Outcome::LABELS.iter().chain(&[NO_CHARGE]).copied();
    let favours = Outcome::FAVOURS.iter().chain(&[Favour::Failure]).copied();
    let outcome = Variable::category("outcome", "how the charge ends", labels).favouring(favours);
    Procedure {
        name: "opportunity".into(),
        about: "Cavalry charges an enemy that passes within 150 yards in its own movement.".into(),
        source: "Cavalry opportunity charge; Charge movement subphase".into(),
        composed: false,
        settings: settings(charts.tables.yards.opportunity),
        variables: charge::variables(outcome),
        notes: Vec::new(),
        build: Box::new(move |s| {
            let attacker = Side::mounted(s, "attacker");
            let defender = Side::new(s, "defender");
            let ground = Ground::read(s, &defender, !defender.flag("faces"));
            Ok(Box::new(Opportunity {
                charge: Charge::read(&charts, s, [&attacker, &defender], ground)?,
                charts: Arc::clone(&charts),
            }))
        }),
    }
}
