//! A unit in a fight: what it is, which the fight does not change, and its condition, which it does.
//!
//! A procedure reads each side once. The printed qualities are turned into formation and cover as
//! they count, so that artillery (skirmishers behind soft cover), sharpshooters and cavalry on foot are
//! special here and in [`permitted`](super::permitted) only.

use super::kinds::{Arm, Class, Cover, Formation};
use super::morale::Nerve;
use super::officer::Fate;
use super::permitted;
use super::tables::Tables;
use crate::{Of, RuleError, Settings};
use grapeshot_engine::dice::Dice;

/// What a fight changes about a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Condition {
    /// Figures there, helpers included.
    pub figures: u8,
    pub formation_fail: bool,
    pub officer: Fate,
}

/// What a fire or a melee turn made of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Suffered {
    pub condition: Condition,
    pub routs: bool,
}

/// A unit in a fight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub class: Class,
    pub arm: Arm,
    /// As it counts for being hit and killed.
    pub formation: Formation,
    /// As it counts for being saved and killed.
    pub cover: Cover,
    /// How it enters the fight.
    pub begins: Condition,
    /// Figures that are no helpers, when it enters the fight.
    pub own_figures: u8,
    /// Whether its formation fail has a cause that lasts.
    fail_lasts: bool,
    nerve: Nerve,
}

impl Unit {
    /// Reads a side whose arm is known, and whether it fires; keys the procedure does not have are off.
    pub(super) fn read(
        tables: &Tables,
        s: &Settings,
        side: &str,
        arm: Arm,
        fires: bool,
    ) -> Result<Self, RuleError> {
        let key = |name| Of(side, name);
        permitted::unit(tables, s, side, arm)?;
        let stands_in = s.choice_or(key("cover"), Cover::Open);
        let cover = match arm {
            Arm::Artillery => tables.artillery_cover(stands_in),
            _ => stands_in,
        };
        let steadied_by = if tables.artillery_cover_steadies {
            cover
        } else {
            stands_in
        };
        let own_figures = s.whole(key("figures")) as u8;
        let formation_fail = s.flag(key("formation_fail"));
        Ok(Unit {
            class: s.choice(key("class")),
            arm,
            formation: permitted::formation(tables, s, side, arm, fires),
            cover,
            begins: Condition {
                figures: own_figures + s.whole_or(key("helpers"), 0) as u8,
                formation_fail,
                officer: match arm {
                    Arm::Officer => Fate::Safe,
                    _ if s.flag_or_off(key("officer_attached")) => Fate::Safe,
                    _ => Fate::None,
                },
            },
            own_figures,
            fail_lasts: formation_fail
                && s.find("formation_tests").is_some()
                && !s.flag("formation_tests"),
            nerve: Nerve::read(tables, s, side, arm, steadied_by)?,
        })
    }

    /// Whether it counts as skirmishers.
    pub(super) fn skirmishing(&self) -> bool {
        self.formation == Formation::Skirmish
    }

    /// The beginning of its own turn: with a formation fail it tests, unless the cause lasts.
    pub(super) fn reforms<D: Dice>(
        &self,
        tables: &Tables,
        now: Condition,
        dice: &mut D,
    ) -> Condition {
        let passes = self.must_test(now) && tables.formation_test(self.class).roll(dice);
        Condition {
            formation_fail: now.formation_fail && !passes,
            ..now
        }
    }

    /// Whether it has a formation fail whose cause is over.
    pub(super) fn must_test(&self, now: Condition) -> bool {
        now.formation_fail && !self.fail_lasts
    }

    /// Whether an officer is with it, alive; one who stands alone is with nobody.
    pub(super) fn has_officer(&self, now: Condition) -> bool {
        self.arm != Arm::Officer && now.officer == Fate::Safe
    }

    /// What it is after losing so many figures and perhaps its officer. Only a loss of figures makes it
    /// test its nerve, and it is the officer's death that comes first.
    pub(super) fn loses(&self, was: Condition, lost: u8, officer_falls: bool) -> Suffered {
        let figures = was.figures.saturating_sub(lost);
        let alone_and_dead = self.arm == Arm::Officer && figures == 0;
        let condition = Condition {
            figures,
            officer: if officer_falls || alone_and_dead {
                Fate::Killed
            } else {
                was.officer
            },
            ..was
        };
        Suffered {
            condition,
            routs: figures < was.figures && self.nerve.routs(condition),
        }
    }

    /// Whether its officer's death leaves it without one who can send it forward.
    pub(super) fn leaderless(&self, now: Condition) -> bool {
        self.nerve.leaderless(now)
    }

    /// Figures lost since the fight began.
    pub(super) fn lost(&self, now: Condition) -> u16 {
        u16::from(self.begins.figures - now.figures)
    }
}
