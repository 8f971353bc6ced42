//! The attacking side: one unit, or several equal ones that come on together.
//!
//! Fire and dice fall on one unit at a time, and the others are as they were when the attack began.
//! So it is enough to know the unit that leads, how many follow it, and what became of those that
//! are out of it: a unit that has halted, fled or fought is folded into the toll, and the next one
//! leads.

use super::commander::Fate;
use super::unit::{Condition, Regiment, markers_on};

/// The attacking units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Assault {
    /// The first of those still in it.
    pub lead: Condition,
    /// Those behind it.
    pub fresh: u8,
    /// Those behind it that ran out of ammunition as they closed.
    pub dry: u8,
    toll: Toll,
}

/// What became of the units that are out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Toll {
    lost: u8,
    /// The most markers on any that has stands.
    panic: u8,
    commander: Fate,
}

impl Assault {
    /// So many units, the first of them in this condition and with the commander.
    pub(super) fn new(lead: Condition, units: u8) -> Self {
        Assault {
            lead,
            fresh: units - 1,
            dry: 0,
            toll: Toll {
                lost: 0,
                panic: 0,
                commander: Fate::Absent,
            },
        }
    }

    /// Units still in it.
    pub(super) fn units(&self) -> u8 {
        1 + self.fresh + self.dry
    }

    /// A unit that follows: as it was at the start, without the commander; if one of them is green
    /// all are, and turn out alike.
    pub(super) fn follower(&self, regiment: &Regiment) -> Condition {
        Condition {
            grade: self.lead.grade,
            commander: Fate::Absent,
            ..regiment.start
        }
    }

    /// The leading unit is out of it, and the next one leads; false if there is none.
    pub(super) fn next_leads(&mut self, regiment: &Regiment) -> bool {
        let follower = self.follower(regiment);
        let toll = Toll {
            lost: self.lost(regiment),
            panic: self.toll.panic.max(markers_on(&self.lead)),
            commander: self.commander(),
        };
        if self.fresh > 0 {
            self.fresh -= 1;
            self.lead = follower;
        } else if self.dry > 0 {
            self.dry -= 1;
            self.lead = Condition {
                out_of_ammo: true,
                ..follower
            };
        } else {
            return false;
        }
        self.toll = toll;
        true
    }

    /// Stands lost by all units.
    pub(super) fn lost(&self, regiment: &Regiment) -> u8 {
        self.toll.lost + regiment.lost(&self.lead)
    }

    /// The most markers on any unit that has stands left; those that follow have what they began with.
    pub(super) fn panic(&self, regiment: &Regiment) -> u8 {
        let behind = if self.units() > 1 {
            regiment.start.panic
        } else {
            0
        };
        self.toll.panic.max(markers_on(&self.lead)).max(behind)
    }

    /// What became of the commander.
    pub(super) fn commander(&self) -> Fate {
        self.toll.commander.max(self.lead.commander)
    }
}
