//! Blows in melee: the one piece of code for every melee turn.

use super::kinds::Arm;
use super::tables::{Advantages, Struck, Tables};
use super::unit::{Condition, Suffered, Unit};
use grapeshot_engine::dice::Dice;

/// A side that strikes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strike {
    /// Figures in contact: all, or those a player has brought there.
    pub figures: u8,
    /// How many of them strike at the officer with the enemy.
    pub at_officer: u8,
    pub formation_fail: bool,
    pub charging: bool,
}

impl Strike {
    /// Rolls for all that can reach an enemy, against the officer first; then the enemy's nerve.
    pub(super) fn at<D: Dice>(
        &self,
        enemy: &Unit,
        was: Condition,
        tables: &Tables,
        dice: &mut D,
    ) -> Suffered {
        let need = |struck: Struck| tables.kill(struck, enemy.cover, self.against(enemy, was));
        let striking = tables.can_strike(self.figures, was.figures);
        let at_officer = match enemy.has_officer(was) {
            true => self.at_officer.min(striking),
            false => 0,
        };
        let officer_falls = tables
            .d10
            .at_least(at_officer, need(Struck::Officer))
            .roll(dice)
            > 0;
        let struck = match enemy.arm {
            Arm::Officer => Struck::Officer,
            _ => Struck::Figure(enemy.class),
        };
        let kills = tables
            .d10
            .at_least(striking - at_officer, need(struck))
            .roll(dice);
        enemy.loses(was, kills, officer_falls)
    }

    /// What makes it easier.
    pub(super) fn against(&self, enemy: &Unit, was: Condition) -> Advantages {
        Advantages {
            formation_fail: self.formation_fail,
            charging: self.charging,
            enemy_fail: was.formation_fail,
            enemy_skirmishing: enemy.skirmishing(),
        }
    }
}
