//! "American Civil War": 25/28 mm miniatures, fire and saves on d6, melee on a d10 that reads 1 to 10.
//!
//! Every rule is one piece of code: [`volley`] a fire with its saves, officer's dice and morale,
//! [`strike`] a melee turn, [`morale`] the points, [`unit`] the formation test; [`contact`] is a whole
//! melee from any condition of two units. The procedures are composed of them. Readings of what the
//! source leaves open stand in [`readings`] and are shown by `grapeshot rules acw28`.

mod army;
mod battle;
mod charge;
mod common;
mod contact;
mod crossing;
mod day;
mod decide;
mod demolition;
mod fire;
mod firefight;
mod flank_march;
mod formation;
mod keys;
mod kinds;
mod melee;
mod morale;
mod muster;
mod officer;
mod permitted;
mod pools;
mod readings;
mod strike;
mod tables;
#[cfg(test)]
mod tests;
mod unit;
mod volley;

use crate::{BuiltIn, Decidable, Procedure, RuleError, TableFile};
use std::sync::Arc;

/// The ruleset.
pub const RULESET: BuiltIn = BuiltIn {
    id: "acw28",
    title: "American Civil War",
    about: "25/28 mm miniatures, d6 for fire and saves, d10 for melee; regiments of single figures, classes A to E",
    readings: readings::READINGS,
    tables: include_str!("../../rules/acw28/tables.toml"),
    extras: include_str!("../../rules/acw28/extras.toml"),
    load,
    decide: Decidable::These(decide::load),
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
        crossing::procedure(&tables),
        day::procedure(&tables),
        flank_march::procedure(&tables),
        muster::procedure(&tables),
        army::procedure(&tables),
        battle::procedure(&tables),
    ])
}
