//! 15 mm charge-impact charts: two dice, a modified morale point (MMP), and one roll of both sides
//! that decides a charge.
//!
//! The charts print firepower points but not the table that turns them into results, so `fire`
//! reports the points and no more. Readings of what they leave open are listed in [`RULESET`] and
//! shown by `grapeshot rules impact`.

mod charge;
mod common;
mod fire;
mod morale;
mod movement;
mod rally;
mod supports;
mod tables;
#[cfg(test)]
mod tests;
mod unit;

use crate::{BuiltIn, Decidable, Procedure, RuleError, TableFile};
use std::sync::Arc;

/// The ruleset.
pub const RULESET: BuiltIn = BuiltIn {
    id: "impact",
    title: "15mm charge-impact charts",
    about: "15 mm miniatures, two six-sided dice; a charge is one opposed roll on impact and morale",
    readings: &[
        "The source prints no table of fire results, so fire reports firepower points and nothing follows from them.",
        "A leader's benefit is printed twice and counts once: in the formula, not among the two best modifiers.",
        "Works and cover are two modifiers; all support together is one, and so are all losses of the brigade.",
        "An attacker has neither cover nor works while it charges; in the check after a lost charge they count again.",
        "Support counts double in a charge, for both sides; in the check that follows it does not.",
        "A unit charged on its flank keeps that modifier in the check that follows the impact.",
        "A charge MMP is kept within 1 and 12; the MMP of a check is not.",
        "The infantry charts of impact and movement serve all arms; disorder and shaken replace the formation's value.",
        "A shaken unit cannot charge, nor can artillery; a routed one neither charges nor is charged.",
        "A difference of 0 or 1 stops the charge short, at a distance that is rolled; the volleys that follow are not fired, because no result of fire is printed.",
        "A difference above 12 is read as 11 or 12. Routed by the impact, the loser takes no check.",
        "All units on the losing side suffer the result: every support, also one beyond what the limit lets help, falls back as far, loses as many figures and takes the same check; those of a losing attacker are spared the same one of each.",
        "A support checks by its own grade, level and modifiers; nothing of the unit it stands beside counts for it, neither situation nor leader nor depletion. Of a loser that is routed all supports are routed.",
        "A losing attacker falls back an inch less, loses a figure less and checks at one less in every band; a check of +0 is still taken.",
        "Units have no figure count here, so losses are as printed.",
        "A check passes at or above the MMP on two dice; failed, the level is one worse, and routed stays routed.",
        "A rally reads the enfilade numbers of other fire, as printed, and takes no check number; passed, the level is one better.",
        "In the rally (composed) a unit tries once a turn, at the level it then has; one that is routed flees first, by the routed line of the movement chart. Everything else about it stays as set.",
        "A move goes by the line of the formation in good order, else by that of the level; where the chart has NA the unit may not go.",
        "Enfilade: a unit in a column is read on the line of columns and limbered artillery, artillery in any other formation as unlimbered, and everything else, skirmishers too, on the line of lines. All three print the same numbers.",
    ],
    tables: include_str!("../../rules/impact/tables.toml"),
    extras: include_str!("../../rules/impact/extras.toml"),
    as_file: None,
    load,
    decide: Decidable::None("impact prints no result of fire"),
    common: Some(common::load),
};

fn load(file: &TableFile) -> Result<Vec<Procedure>, RuleError> {
    let tables = Arc::new(tables::Tables::load(file)?);
    Ok(vec![
        fire::procedure(&tables),
        charge::procedure(&tables),
        morale::procedure(&tables),
        rally::procedure(&tables),
        movement::procedure(&tables),
    ])
}

#[cfg(test)]
fn printed() -> Arc<tables::Tables> {
    let file = TableFile::parse("impact/tables.toml", RULESET.tables);
    let tables = file.and_then(|file| tables::Tables::load(&file));
    Arc::new(tables.expect("the printed tables are sound"))
}
