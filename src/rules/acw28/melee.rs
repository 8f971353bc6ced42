//! Melee: one side's turn of hand-to-hand fighting.

use super::tables::Tables;
use super::target::Target;
use super::unit::{settings, target_settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{OneStep, Row, row};
use crate::rules::{Procedure, RuleError, Settings};
use std::sync::Arc;

/// How a side comes to strike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Onset {
    /// It charges this turn.
    pub charging: bool,
    /// It has a formation fail, and so nothing is added to its dice.
    pub formation_fail: bool,
    /// The enemy has a formation fail.
    pub enemy_fail: bool,
}

/// The odds of one side's blows at another.
#[derive(Debug)]
pub(super) struct Blows {
    per_enemy: u8,
    /// Kills, by figures that strike.
    kills: Vec<Odds<u8>>,
}

impl Blows {
    /// Blows of up to `figures` figures at a target.
    pub(super) fn new(tables: &Tables, figures: u8, target: &Target, onset: Onset) -> Self {
        let need = need(tables, target, onset);
        let kills = |n: u8| Odds::new(Throw::pool_at_least(u32::from(n), 10, need), |n| n as u8);
        Blows {
            per_enemy: tables.figures_per_enemy,
            kills: (0..=figures).map(kills).collect(),
        }
    }

    /// Rolls for all of `figures` that can reach one of `enemies`.
    pub(super) fn kills<D: Dice>(&self, figures: u8, enemies: u8, dice: &mut D) -> u8 {
        let striking = figures.min(enemies.saturating_mul(self.per_enemy));
        self.kills[usize::from(striking)].roll(dice)
    }
}

/// The face that kills.
pub(super) fn need(tables: &Tables, target: &Target, onset: Onset) -> i16 {
    let added = &tables.melee;
    let on = |flag: bool, added: i16| i16::from(flag && !onset.formation_fail) * added;
    tables.kill(target.class, target.cover)
        - on(onset.enemy_fail, added.formation_fail)
        - on(target.skirmishing(), added.skirmishers)
        - on(onset.charging, added.charging)
}

/// One melee turn.
#[derive(Debug)]
pub(super) struct MeleeTurn {
    blows: Blows,
    fighting: u8,
    defender: Target,
}

impl MeleeTurn {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let defender = Target::read(tables, s, "defender", s.choice("defender.arm"))?;
        let onset = Onset {
            charging: s.flag("attacker.charging"),
            formation_fail: s.flag("attacker.formation_fail"),
            enemy_fail: defender.formation_fail,
        };
        let figures = s.whole("attacker.figures") as u8;
        Ok(MeleeTurn {
            blows: Blows::new(tables, figures, &defender, onset),
            fighting: match s.whole("attacker.fighting") as u8 {
                0 => figures,
                fighting => fighting.min(figures),
            },
            defender,
        })
    }
}

impl OneStep for MeleeTurn {
    const PHASE: &'static str = "melee and morale";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let had = self.defender.figures;
        let kills = self.blows.kills(self.fighting, had, dice);
        let (left, routs) = self
            .defender
            .loses(had, kills, self.defender.formation_fail);
        row(&[u16::from(routs), u16::from(had - left)])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let attacker = ["class", "figures", "formation_fail", "charging", "fighting"];
    let mut keys = settings("attacker", &attacker);
    keys.extend(target_settings("defender"));
    Procedure {
        name: "melee".into(),
        about: "One side's turn of hand-to-hand fighting.".into(),
        source: "Melee; Morale".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Variable::yes_no("routs", "whether the defender routs"),
            Variable::count("kills", "figures the defender loses"),
        ],
        notes: vec![
            "The attacker's class makes no difference: the kill chart knows only the class attacked."
                .into(),
        ],
        build: Box::new(move |s| Ok(Box::new(MeleeTurn::new(&tables, s)?))),
    }
}
