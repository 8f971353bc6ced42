//! The printed modifiers, read and checked.

use super::tables::LONGEST_RANGE;
use crate::{RuleError, TableFile};

/// Modifiers of the fire line under fire.
#[derive(Debug, Clone, Copy)]
pub(super) struct FireModifiers {
    pub woods_marsh: i64,
    pub clear_thoroughfare: i64,
    pub lower: i64,
    pub wall: i64,
    pub flanked: i64,
    pub advancing: i64,
    pub charging: i64,
    pub against_artillery: i64,
    pub dense: i64,
    pub disrupted: i64,
    pub advance_fire: i64,
    pub behind_wall: i64,
    pub artillery_adjacent: i64,
}

/// Modifiers of the fire line in an assault.
#[derive(Debug, Clone, Copy)]
pub(super) struct AssaultModifiers {
    pub against_higher: i64,
    pub stream: i64,
    pub against_lower: i64,
    pub wall: i64,
    pub flanked: i64,
    pub dense: i64,
    pub disrupted: i64,
    pub leader: i64,
    pub charge: i64,
}

/// Modifiers of morale.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoraleModifiers {
    pub o_hit: i64,
    pub out_of_command: i64,
    pub flanked: i64,
    pub isolated: i64,
    pub leader: i64,
    pub assaulting: i64,
    pub no_los: i64,
}

/// Ranges at which artillery is treated apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArtilleryRanges {
    pub adjacent: i64,
    pub bracketed_from: i64,
    pub no_clear_from: i64,
    pub long_from: i64,
}

impl FireModifiers {
    pub(super) fn read(file: &TableFile) -> Result<Self, RuleError> {
        let list = file.list("fire_modifiers")?;
        let n = |key: &str| list.whole(key, -10..=10);
        Ok(FireModifiers {
            woods_marsh: n("woods-marsh")?,
            clear_thoroughfare: n("clear-thoroughfare")?,
            lower: n("lower")?,
            wall: n("wall")?,
            flanked: n("flanked")?,
            advancing: n("advancing")?,
            charging: n("charging")?,
            against_artillery: n("small-arms-against-artillery")?,
            dense: n("dense")?,
            disrupted: n("disrupted")?,
            advance_fire: n("advance-fire-marker")?,
            behind_wall: n("behind-wall")?,
            artillery_adjacent: n("artillery-adjacent")?,
        })
    }
}

impl AssaultModifiers {
    pub(super) fn read(file: &TableFile) -> Result<Self, RuleError> {
        let list = file.list("assault_modifiers")?;
        let n = |key: &str| list.whole(key, -10..=10);
        Ok(AssaultModifiers {
            against_higher: n("against-higher")?,
            stream: n("stream")?,
            against_lower: n("against-lower")?,
            wall: n("wall")?,
            flanked: n("flanked")?,
            dense: n("dense")?,
            disrupted: n("disrupted")?,
            leader: n("leader")?,
            charge: n("charge")?,
        })
    }
}

impl MoraleModifiers {
    pub(super) fn read(file: &TableFile) -> Result<Self, RuleError> {
        let list = file.list("morale_modifiers")?;
        let n = |key: &str| list.whole(key, -10..=10);
        Ok(MoraleModifiers {
            o_hit: n("o-hit")?,
            out_of_command: n("out-of-command")?,
            flanked: n("flanked")?,
            isolated: n("isolated")?,
            leader: n("leader")?,
            assaulting: n("assaulting")?,
            no_los: n("no-los-fire")?,
        })
    }
}

impl ArtilleryRanges {
    pub(super) fn read(file: &TableFile) -> Result<Self, RuleError> {
        let list = file.list("artillery_ranges")?;
        // One beyond the longest range switches a rule off.
        let n = |key: &str| list.whole(key, 0..=LONGEST_RANGE + 1);
        Ok(ArtilleryRanges {
            adjacent: n("adjacent")?,
            bracketed_from: n("bracketed-from")?,
            no_clear_from: n("no-clear-modifier-from")?,
            long_from: n("long-from")?,
        })
    }
}
