//! Hand to hand, turn and turn about: what a charge comes to, and any other way into contact.
//!
//! The machine is symmetrical: either side may have come to the other. It knows nothing of what went
//! before and counts no turns, so it can be entered from any condition of both units, and be a part of
//! a larger machine.

use super::strike::Strike;
use super::tables::Tables;
use super::unit::{Condition, Unit};
use grapeshot_engine::dice::Dice;
use std::sync::Arc;

/// The condition of both sides.
pub(super) type Sides = [Condition; 2];

/// One side in contact.
#[derive(Debug)]
pub(super) struct Fighter {
    pub unit: Unit,
    /// Figures that strike at the officer with the enemy while he lives.
    pub at_officer: u8,
    /// It moves away with so many figures or fewer; never at 0.
    pub leaves_at: u8,
}

/// Two units in contact.
#[derive(Debug)]
pub(super) struct Contact {
    pub tables: Arc<Tables>,
    pub fighters: [Fighter; 2],
}

/// What came of a melee turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The side on turn moved away instead of fighting.
    Leaves,
    /// The other side routed, or nobody is left of it.
    Routs(Sides),
    /// Both fight on; it is the other side's turn.
    Stands(Sides),
}

impl Contact {
    /// How both sides enter it, if nothing went before.
    pub(super) fn begins(&self) -> Sides {
        [0, 1].map(|side: usize| self.fighters[side].unit.begins)
    }

    /// The beginning of a side's own turn.
    pub(super) fn reforms<D: Dice>(&self, side: usize, mut now: Sides, dice: &mut D) -> Sides {
        now[side] = self.fighters[side]
            .unit
            .reforms(&self.tables, now[side], dice);
        now
    }

    /// A side strikes with all that can; the melee leaves both with a formation fail.
    pub(super) fn strikes<D: Dice>(
        &self,
        side: usize,
        charging: bool,
        mut now: Sides,
        dice: &mut D,
    ) -> Turn {
        let enemy = 1 - side;
        let strike = Strike {
            figures: now[side].figures,
            at_officer: self.fighters[side].at_officer,
            formation_fail: now[side].formation_fail,
            charging,
        };
        let struck = &self.fighters[enemy].unit;
        let suffered = strike.at(struck, now[enemy], &self.tables, dice);
        now[enemy] = suffered.condition;
        if suffered.routs {
            return Turn::Routs(now);
        }
        for condition in &mut now {
            condition.formation_fail = true;
        }
        Turn::Stands(now)
    }

    /// A turn after the first: the side moves away, or tests its formation and strikes.
    pub(super) fn turn<D: Dice>(&self, side: usize, now: Sides, dice: &mut D) -> Turn {
        if now[side].figures <= self.fighters[side].leaves_at {
            return Turn::Leaves;
        }
        let now = self.reforms(side, now, dice);
        self.strikes(side, false, now, dice)
    }
}
