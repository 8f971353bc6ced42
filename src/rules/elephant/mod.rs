//! "Seeing the Elephant!": 15 mm miniatures, d10 reading 0 to 9.
//!
//! Readings of what the source leaves open are listed in [`RULESET`] and shown by
//! `grapeshot rules elephant`.

mod charge;
mod commander;
mod common;
mod contagion;
mod fire;
mod firefight;
mod melee;
mod morale;
mod muster;
mod tables;
#[cfg(test)]
mod tests;
mod unit;

use crate::rules::{BuiltIn, Decidable, Procedure, RuleError, TableFile};
use std::sync::Arc;

/// The ruleset.
pub const RULESET: BuiltIn = BuiltIn {
    id: "elephant",
    title: "Seeing the Elephant!",
    about: "15 mm miniatures, a d10 that reads 0 to 9; regiments of stands with hits and panic markers",
    readings: &[
        "A range is read in the first printed band that is not below it; beyond a weapon's maximum range its factor is 0, whatever the table prints.",
        "Halves of factors are kept; nothing is rounded. A total of 0 is no fire and no die.",
        "Mounted cavalry firing is always two columns left, and a cavalry target is mounted, so it counts as exposed once.",
        "Out of ammunition is one column left, as in the chart; the text says two.",
        "A firer's shifts apply to the whole attack, guns included.",
        "Overenthusiastic counts as a pass, and each later test renews or ends it.",
        "The +1 for attempting defensive fire is the one the charge sequence prints; it counts once.",
        "The second defensive fire is at 50 yards whatever the distance of the charge was.",
        "In a combat cell the side that lost more stands retreats unless its opponent has RT; a side without stands is gone.",
        "A charge that would end with both sides destroyed is read as the attacker's destruction.",
    ],
    tables: include_str!("tables.toml"),
    load,
    decide: Decidable::These(|_| Ok(Vec::new())),
    common: Some(common::load),
};

fn load(file: &TableFile) -> Result<Vec<Procedure>, RuleError> {
    let tables = Arc::new(tables::Tables::load(file)?);
    let chart = Arc::new(morale::MoraleChart::new(&tables));
    Ok(vec![
        morale::procedure(&tables, &chart),
        fire::procedure(&tables),
        charge::procedure(&tables, &chart),
        melee::procedure(&tables, &chart),
        firefight::procedure(&tables, &chart),
        commander::procedure(&tables),
        contagion::procedure(&tables, &chart),
        muster::procedure(&tables),
    ])
}
