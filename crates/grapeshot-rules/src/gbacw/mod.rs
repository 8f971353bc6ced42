//! Great Battles of the American Civil War: the standard hex charts, all on six-sided dice.
//!
//! The charts refer to rules that are not printed with them (weapon ranges, melee modifiers), so
//! fire and melee strengths are settings. Readings of what the charts leave open are listed in
//! [`RULESET`] and shown by `grapeshot rules gbacw`.

mod charge;
mod common;
mod exchange;
mod fire;
mod firefight;
mod melee;
mod morale;
mod standoff;
mod tables;
#[cfg(test)]
mod tests;
mod unit;

use crate::{BuiltIn, Decidable, Decision, Procedure, RuleError, TableFile};
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
        "Heading, density and shift move the column together, and only the sum is kept within the table.",
        "A battery counts as one strength point for density, instead of its own; a wagon as four, beside whatever else is there.",
        "A density that is given is the whole hex, the unit included, and stands as it is: it may be less than the unit has, and a battery then changes nothing; wagons still come on top.",
        "Losses and checks are those of the unit fired at; the rest of its hex only counts in the density.",
        "Counter-battery fire is read on the headings of small arms.",
        "After a loss by fire the unit checks, and a failure routs it; the second roll of a starred result pins above the morale, so an equal roll does not.",
        "A unit without strength points left is eliminated and checks nothing; nobody loses more than there is.",
        "Ammunition is checked on a natural 1, whatever the column makes of it; nothing follows from it.",
        "A melee strength is also the side's strength points.",
        "In melee a side without strength points makes no check and retreats nowhere; if both are gone nobody won.",
        "Repulsed: the attacker's retreat and check come first, then the defender checks, and retreats only if it fails.",
        "In the charge (composed) the defender fires first and only a steady attacker goes in, with what is left of its strength; one shift moves the melee alone, the defender's the volley alone.",
        "Hexes of retreat in a charge are those of its melee: an attacker stopped by the volley reports none.",
        "In the firefight (composed) a pin halves the unit's next fire, rounded down before its column is found, and ends with it; a strength of 0 still fires in the first column, which density and shift then move.",
        "In the standoff (composed) a pinned unit may not charge; it may fire, which unpins it, or leave. The side that is charged fires as it would in its next turn, unpinned, because it has fired since any pin.",
        "In the firefight a side's shift is of its own fire, and its battery, other units and wagons of the fire it receives; others and wagons neither fire nor lose.",
    ],
    tables: include_str!("../../rules/gbacw/tables.toml"),
    extras: include_str!("../../rules/gbacw/extras.toml"),
    as_file: None,
    load,
    decide: Decidable::These(decisions),
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

fn decisions(file: &TableFile) -> Result<Vec<Decision>, RuleError> {
    let charts = Charts::new(file)?;
    Ok(vec![standoff::decision(&charts.fire, &charts.melee)])
}
