//! Melee: one side's turn of hand-to-hand fighting.

use super::fire::routs;
use super::keys::{settings, target_settings};
use super::officer::Fate;
use super::strike::Strike;
use super::tables::Tables;
use super::unit::Unit;
use crate::{Procedure, RuleError, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

/// One melee turn.
#[derive(Debug)]
pub(super) struct MeleeTurn {
    tables: Arc<Tables>,
    strike: Strike,
    defender: Unit,
}

impl MeleeTurn {
    pub(super) fn new(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let defender = Unit::read(tables, s, "defender", s.choice("defender.arm"), false)?;
        let figures = s.whole("attacker.figures");
        let fighting = match s.whole("attacker.fighting") {
            0 => figures,
            fighting => fighting.min(figures),
        };
        Ok(MeleeTurn {
            strike: Strike {
                figures: fighting as u8,
                at_officer: at_officer(s, "attacker", "defender")?,
                formation_fail: s.flag("attacker.formation_fail"),
                charging: s.flag("attacker.charging"),
            },
            defender,
            tables: Arc::clone(tables),
        })
    }
}

/// How many figures of a side strike at the officer with the enemy, who must be there.
pub(super) fn at_officer(s: &Settings, side: &str, enemy: &str) -> Result<u8, RuleError> {
    let key = format!("{side}.at_officer");
    let officer = format!("{enemy}.officer_attached");
    match s.whole(&key) {
        1.. if !s.flag(&officer) => {
            let reason = format!("no officer is with the {enemy}; set `{officer}`");
            Err(s.refuse(&key, reason))
        }
        figures => Ok(figures as u8),
    }
}

impl OneStep for MeleeTurn {
    const PHASE: &'static str = "melee and morale";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let begins = self.defender.begins;
        let suffered = self.strike.at(&self.defender, begins, &self.tables, dice);
        row(&[
            u16::from(suffered.routs),
            self.defender.lost(suffered.condition),
            suffered.condition.officer.value(),
        ])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let attacker = [
        "class",
        "figures",
        "formation_fail",
        "charging",
        "fighting",
        "at_officer",
    ];
    let mut keys = settings("attacker", &attacker);
    keys.extend(target_settings("defender", "any_arm"));
    Procedure {
        name: "melee".into(),
        about: "One side's turn of hand-to-hand fighting.".into(),
        source: "Melee; Morale".into(),
        composed: false,
        settings: keys,
        variables: vec![
            routs("the defender"),
            Variable::count("kills", "figures the defender loses"),
            Fate::variable("officer", "the defender"),
        ],
        notes: vec![
            "The attacker's class makes no difference: the kill chart knows only the class attacked."
                .into(),
        ],
        build: Box::new(move |s| Ok(Box::new(MeleeTurn::new(&tables, s)?))),
    }
}
