//! "American Civil War": 25/28 mm miniatures, fire and saves on d6, melee on a d10 that reads 1 to 10.
//!
//! Readings of what the source leaves open are listed in [`RULESET`] and shown by
//! `grapeshot rules acw28`; those with a value stand in `tables.toml` as assumptions.

mod charge;
mod common;
mod demolition;
mod fire;
mod firefight;
mod formation;
mod melee;
mod muster;
mod officer;
mod tables;
mod target;
#[cfg(test)]
mod tests;
mod unit;
mod volley;

use crate::rules::{Decidable, Procedure, RuleError, Ruleset, TableFile};
use std::sync::Arc;

/// The ruleset.
pub const RULESET: Ruleset = Ruleset {
    id: "acw28",
    title: "American Civil War",
    about: "25/28 mm miniatures, d6 for fire and saves, d10 for melee; regiments of single figures, classes A to E",
    readings: &[
        "The save charts are followed in the open too; open_saves=false follows the sentence that gives saves only behind cover.",
        "Two skirmishers share a die and a figure left over has none; in column only the front two fire, with one die.",
        "A score of 7 or more never hits or kills, one of 1 or less always does.",
        "Hits are counted before saves and may exceed the figures there; casualties and kills may not.",
        "A unit tests its morale only if it lost a figure, whatever its points were before; a unit with no figures left has routed.",
        "Points are compared with the chart's number for the original figures; a size or class the chart does not have is refused, not guessed.",
        "Sharpshooters always skirmish, whatever formation is set; formations permitted by class are not enforced.",
        "Artillery is hit, saved and killed as skirmishers behind soft cover, or behind hard cover where it stands there; its morale points count only the cover it really stands in.",
        "Gunners fire as they serve the gun, in no formation, with the gun's own reach; infantry that helps throws one die a figure.",
        "A musket-1863 is the musket with the long range printed for after 1862; a bow has only long range, a shotgun only short.",
        "In melee at most three figures strike at each enemy figure, and the class of those who strike makes no difference.",
        "An attacker with a formation fail adds nothing to its melee dice, not even for charging.",
        "A charge is made in line and in the open, so skirmishers, units with a formation fail and artillery do not charge, and nobody charges into cover (artillery counts as being in it).",
        "The defender's volley comes in its own turn before the charge, at its weapon's short range (a bow's long), with no formation test.",
        "Every melee turn leaves both sides with a formation fail; the side on turn may clear its own before it strikes, and its enemy's counts in the enemy's morale.",
        "In a firefight flags stay as they are set; a fires first, and b only if it has not routed.",
        "Infantry helping at a gun earns no points against works.",
    ],
    tables: include_str!("tables.toml"),
    load,
    decide: Decidable::These(|_| Ok(Vec::new())),
    common: Some(common::load),
};

fn load(file: &TableFile) -> Result<Vec<Procedure>, RuleError> {
    let tables = Arc::new(tables::Tables::load(file)?);
    Ok(vec![
        fire::procedure(&tables),
        charge::procedure(&tables),
        melee::procedure(&tables),
        formation::procedure(&tables),
        firefight::procedure(&tables),
        officer::procedure(&tables),
        demolition::procedure(&tables),
        muster::procedure(&tables),
    ])
}
