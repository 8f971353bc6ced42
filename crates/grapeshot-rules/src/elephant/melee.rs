//! A combat by itself.

use super::assault::Assault;
use super::charts::Charts;
use super::combat::{Combat, Fray, Winner, learn_grades};
use super::keys::{self, settings};
use super::side::Side;
use super::unit::{Condition, Regiment, Works, markers_on};
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Row, Steps, row};
use std::sync::Arc;

/// The keys of each side in a combat.
pub(super) const SIDE: [&str; 10] = [
    "kind",
    "grade",
    "stands",
    "commander",
    "uphill",
    "crossing",
    "flank",
    "ranks",
    "lance",
    "woods",
];

/// One defender, and one or several units that attack it.
#[derive(Debug)]
struct Melee {
    charts: Arc<Charts>,
    combat: Combat,
    attacker: Regiment,
    defender: Regiment,
    attackers: u8,
}

/// Where a combat stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    assault: Assault,
    defender: Condition,
    /// From the second die on: the combat, and the cell of the first die.
    fray: Option<(Fray, u16)>,
}

impl Melee {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let tables = &charts.tables;
        let (attacker, defender) = (Side::new(s, "attacker"), Side::new(s, "defender"));
        let works = s.row::<Works>("defender.cover");
        Ok(Melee {
            charts: Arc::clone(charts),
            combat: Combat::read(tables, &attacker, &defender, works, attacker.flag("flank"))?,
            attacker: Regiment::read(tables, &attacker)?,
            defender: Regiment::read(tables, &defender)?,
            attackers: s.whole("attackers") as u8,
        })
    }

    fn row(&self, state: &State, fray: &Fray, cell: u16) -> Row {
        row(&[
            fray.winner(&state.defender).position() as u16,
            cell,
            u16::from(state.assault.lost(&self.attacker)),
            u16::from(self.defender.lost(&state.defender)),
            u16::from(fray.captured[0]),
            u16::from(fray.captured[1]),
            u16::from(state.assault.panic(&self.attacker)),
            u16::from(markers_on(&state.defender)),
        ])
    }
}

impl Steps for Melee {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["melee"]
    }

    fn start(&self) -> State {
        State {
            assault: Assault::new(self.attacker.start, self.attackers),
            defender: self.defender.start,
            fray: None,
        }
    }

    fn phase(&self, _: &State) -> usize {
        0
    }

    fn step<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        if learn_grades(&self.charts, &mut state.assault, &mut state.defender, dice) {
            return Next::Go(state);
        }
        let regiments = [&self.attacker, &self.defender];
        let begun = state.fray.take();
        let (mut fray, first) = match begun {
            Some((fray, first)) => (fray, Some(first)),
            None => {
                let (assault, defender) = (&state.assault, &state.defender);
                let fray = self
                    .combat
                    .begin(&self.charts, regiments, assault, defender);
                (fray, None)
            }
        };
        let (cell, more) = fray.die(
            &self.charts,
            regiments,
            &mut state.assault,
            &mut state.defender,
            dice,
        );
        let first = first.unwrap_or(cell);
        if more {
            state.fray = Some((fray, first));
            Next::Go(state)
        } else {
            Next::Done(self.row(&state, &fray, first))
        }
    }
}

/// The keys of a combat, without what a charge finds out for itself.
pub(super) fn melee_settings() -> Vec<Setting> {
    let mut keys = settings("attacker", &SIDE);
    keys.extend(settings("attacker", &["out_of_ammo"]));
    keys.extend(settings("defender", &SIDE));
    keys.extend(settings("defender", &["out_of_ammo", "works"]));
    keys
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let mut keys = melee_settings();
    keys.extend(settings("attacker", &["overenthusiastic"]));
    keys.extend(settings("defender", &["overenthusiastic"]));
    keys.push(keys::attackers());
    keys.extend(settings("attacker", &["supports"]));
    let charts = Arc::clone(charts);
    let cells = charts.tables.melee_labels.clone();
    Procedure {
        name: "melee".into(),
        about: "Units fight hand to hand, once.".into(),
        source: "Combat phase".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Winner::variable("winner", "who holds the field"),
            Variable::category("cell", "the printed result, attacker / defender", cells),
            Variable::count(
                "attacker_stands_lost",
                "attacking stands killed and captured",
            ),
            Variable::count(
                "defender_stands_lost",
                "defending stands killed and captured",
            ),
            Variable::count("attacker_captured", "attacking stands captured"),
            Variable::count("defender_captured", "defending stands captured"),
            Variable::count("attacker_panic", "markers the combat gives the attacker"),
            Variable::count("defender_panic", "markers the combat gives the defender"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Melee::new(&charts, s)?))),
    }
}
