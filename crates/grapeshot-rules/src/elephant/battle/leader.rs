//! The commander of a brigade: whom he joins, and what becomes of him.

use super::{Fate, Game};
use crate::battle::{SIDES, bit, each, name};
use crate::elephant::battle::nerve::Event;
use crate::elephant::unit::Withdrew;
use grapeshot_engine::dice::Dice;
use grapeshot_engine::engine::Teller;

/// A side's commander.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leader {
    /// None where nobody commands.
    fate: Fate,
    rating: u8,
    with: Option<u8>,
}

/// What a successor is worth: the senior colonel, as commander of a brigade.
const SUCCESSOR: u8 = 1;

impl Leader {
    pub(super) fn new(rating: u8) -> Self {
        Leader {
            fate: if rating > 0 { Fate::Safe } else { Fate::Absent },
            rating,
            with: None,
        }
    }
}

impl<D: Dice, T: Teller> Game<'_, D, T> {
    /// At the beginning of the battle and of each activation of his side he joins a unit; if the last one
    /// fell, another takes his place first.
    pub(super) fn commander_joins(&mut self, side: usize) {
        let plan = &self.battle.sides[side];
        if plan.rating == 0 {
            return;
        }
        let field = &mut *self.field;
        if !field.leaders[side].fate.leads() {
            if !self.battle.succession {
                return;
            }
            field.leaders[side] = Leader::new(SUCCESSOR);
            self.teller
                .tell(|| format!("The senior colonel takes the {}'s command.", SIDES[side]));
        }
        if let Some(unit) = field.leaders[side].with.map(usize::from) {
            if field.units[side][unit].withdrew != Withdrew::No {
                return;
            }
            field.leaders[side].fate = field.units[side][unit].commander;
            field.units[side][unit].commander = Fate::Absent;
        }
        let fixed = plan
            .commander_at
            .filter(|&unit| field.is_on_field(side, unit));
        let worst = |unit: &usize| {
            let (now, regiment) = (&field.units[side][*unit], &field.regiments[side][*unit]);
            (now.panic, regiment.lost(now), std::cmp::Reverse(*unit))
        };
        let unit = fixed.or_else(|| each(field.on_field[side]).max_by_key(worst));
        let leader = &mut field.leaders[side];
        let was = leader.with;
        leader.with = unit.map(|unit| unit as u8);
        if let Some(unit) = unit {
            field.units[side][unit].commander = leader.fate;
            field.regiments[side][unit].rating = leader.rating;
            if was != leader.with {
                self.teller.tell(|| {
                    format!(
                        "The {}'s commander joins {}.",
                        SIDES[side],
                        name(side, unit)
                    )
                });
            }
        }
    }

    /// After a fire or a combat of a unit: if its commander is gone, what that does goes into the chain.
    #[inline]
    pub(super) fn commander_fallen(&mut self, side: usize, unit: usize) {
        let fate = self.field.units[side][unit].commander;
        if matches!(fate, Fate::Killed | Fate::Serious) {
            self.falls(side, unit, fate);
        }
    }

    fn falls(&mut self, side: usize, unit: usize, fate: Fate) {
        self.field.units[side][unit].commander = Fate::Absent;
        self.field.leaders[side].with = None;
        self.field.leaders[side].fate = fate;
        let spared = match self.field.charging {
            Some((charging, by)) if (charging, by) == (side, unit) => bit(unit),
            _ => 0,
        };
        let event = match fate {
            Fate::Killed => Event::Fall { side, spared },
            _ => Event::Wound { side, unit, spared },
        };
        self.field.chain.push(event);
        self.teller.tell(|| {
            let how = match fate {
                Fate::Killed => "killed",
                _ => "seriously wounded",
            };
            format!(
                "The {}'s commander is {how} with {}.",
                SIDES[side],
                name(side, unit)
            )
        });
    }

    /// A unit leaves the field; a commander with it helps nobody until he joins another.
    pub(super) fn leaves(&mut self, side: usize, unit: usize) {
        let field = &mut *self.field;
        field.on_field[side] &= !bit(unit);
        field.lines.falls_out(side, unit);
        if field.leaders[side].with == Some(unit as u8) {
            field.leaders[side].with = None;
            field.leaders[side].fate = field.units[side][unit].commander;
            field.units[side][unit].commander = Fate::Absent;
        }
    }
}
