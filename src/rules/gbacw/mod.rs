//! Great Battles of the American Civil War: the standard hex charts, all on six-sided dice.
//!
//! The charts refer to rules that are not printed with them (weapon ranges, melee modifiers), so
//! fire and melee strengths are settings. Readings of what the charts leave open are listed in
//! [`RULESET`] and shown by `grapeshot rules gbacw`.

mod charge;
mod common;
mod fire;
mod firefight;
mod melee;
mod morale;
mod tables;
#[cfg(test)]
mod tests;
mod unit;

use crate::rules::{BuiltIn, Decidable, Procedure, RuleError, TableFile};
use std::sync::Arc;

/// The ruleset.
pub const RULESET: BuiltIn = BuiltIn {
    id: "gbacw",
    title: "Great Battles of the American Civil War",
    about: "hex charts on six-sided dice; units of strength points with a morale from 1 to 6",
    readings: &[
        "A morale check is one die at or under the morale; morale 6 cannot fail.",
        "A green unit rolls for its morale when it first checks, once in a trial, and keeps it.",
        "Fire and melee strengths are settings, because the charts print neither weapons nor melee modifiers.",
        "Density and shift move the column together, and the sum is kept within the table.",
        "A battery counts as one strength point for density, instead of its own.",
        "After a loss by fire the unit checks, and a failure routs it; the second roll of a starred result pins above the morale, so an equal roll does not.",
        "A unit without strength points left is eliminated and checks nothing; nobody loses more than there is.",
        "Ammunition is checked on a natural 1, whatever the column makes of it.",
        "A melee strength is also the side's strength points.",
        "In melee a side without strength points makes no check and retreats nowhere; if both are gone nobody won.",
        "Repulsed: the attacker's retreat and check come first, then the defender checks, and retreats only if it fails.",
        "In the charge (composed) the defender fires small arms first, the shift moves only the melee, and only a steady attacker goes in, with what is left of its strength.",
        "In the firefight (composed) a pin halves the unit's next fire, rounded down, and ends with it; a strength of 0 still fires in the first column.",
    ],
    tables: include_str!("tables.toml"),
    load,
    decide: Decidable::These(|_| Ok(Vec::new())),
    common: Some(common::load),
};

/// Everything the procedures roll on.
#[derive(Debug)]
struct Charts {
    fire: Arc<fire::FireChart>,
    melee: Arc<melee::MeleeChart>,
    morale: Arc<morale::MoraleChart>,
}

impl Charts {
    fn new(file: &TableFile) -> Result<Self, RuleError> {
        let tables = Arc::new(tables::Tables::load(file)?);
        let morale = Arc::new(morale::MoraleChart::new(&tables));
        Ok(Charts {
            fire: Arc::new(fire::FireChart::new(&tables, &morale)),
            melee: Arc::new(melee::MeleeChart::new(&tables, &morale)),
            morale,
        })
    }

    #[cfg(test)]
    fn printed() -> Self {
        let file = TableFile::parse("gbacw/tables.toml", RULESET.tables);
        file.and_then(|file| Charts::new(&file))
            .expect("the printed tables are sound")
    }
}

fn load(file: &TableFile) -> Result<Vec<Procedure>, RuleError> {
    let charts = Charts::new(file)?;
    Ok(vec![
        fire::procedure(&charts.fire),
        charge::procedure(&charts.fire, &charts.melee),
        melee::procedure(&charts.melee),
        morale::procedure(&charts.morale),
        firefight::procedure(&charts.fire),
    ])
}
