//! A hex game with fire lines and organisation hits, d10 reading 0 to 9.
//!
//! Fire and assault use one combat results table; what moves its row differs. Every result but
//! disruption costs O hits, and the third on a side of the counter flips or destroys the unit.
//! Readings of what the source leaves open are listed in [`RULESET`] and shown by
//! `grapeshot rules fireline`.

mod assault;
mod common;
mod fire;
mod firefight;
mod modifiers;
mod morale;
mod straggle;
mod tables;
#[cfg(test)]
mod tests;
mod unit;
mod volley;

use crate::rules::{BuiltIn, Decidable, Procedure, RuleError, TableFile};
use std::sync::Arc;

/// The ruleset.
pub const RULESET: BuiltIn = BuiltIn {
    id: "fireline",
    title: "Fire lines and organisation hits",
    about: "a hex game on a d10 that reads 0 to 9; stacks with strength points, O hits and a reduced side",
    readings: &[
        "A stack is one unit, so no morale is averaged and no loss apportioned.",
        "A third O hit flips a full unit, and hits beyond it count on the reduced side; the check that follows is made there. Hits are counted only until the unit is destroyed.",
        "A fire factor is rounded down, and one of 0 still fires on the row for 0. Without a range factor there is no fire, and no die.",
        "All modifiers that raise the fire line come first, held at the top row; then all that lower it, held at the bottom row.",
        "Clear ground and thoroughfare raise the line once; woods or marsh lower it even for a target on a thoroughfare.",
        "The 2(+1) of the range table is the +1 for artillery against adjacent small arms, counted once.",
        "The asterisk at irregulars has no note; their factors are used as printed.",
        "Ranges 7 and 8 fire on the row for 0 at most, but are not by themselves No LoS fire.",
        "A charging target has the +1 morale of a charge; one that only advances has not.",
        "On a D the check to take an O hit instead comes before the hit. A disrupted or routed stack takes the hit without a check. With takes_hit it is always attempted, also by a unit whose third hit destroys it.",
        "A routed stack is out of command, which counts once; a failed check leaves it routed.",
        "Density is a flag the player sets; strength never implies it.",
        "In an assault both results are read before either is applied. Ground, walls and flanks move the attacker's line alone; density and leaders move either side's.",
        "A marsh disrupts an attacker in good order before the first round, and after the fire of a charge; it does not by itself limit the points that assault.",
        "A side routed or destroyed alone has lost an assault; both is mutual, and neither after the last round is stalled.",
        "In a firefight each side's ground counts for the fire it receives; both may be lower, for the fire lines cross different ground.",
        "A unit whose reduced strength is not given has half its strength, rounded up.",
    ],
    tables: include_str!("tables.toml"),
    load,
    decide: Decidable::These(|_| Ok(Vec::new())),
    common: Some(common::load),
};

fn load(file: &TableFile) -> Result<Vec<Procedure>, RuleError> {
    let tables = Arc::new(tables::Tables::load(file)?);
    let checks = Arc::new(morale::Checks::new());
    Ok(vec![
        fire::procedure(&tables, &checks),
        assault::charge(&tables, &checks),
        assault::melee(&tables, &checks),
        morale::procedure(&tables, &checks),
        straggle::procedure(&tables),
        firefight::procedure(&tables, &checks),
    ])
}
