//! What can be decided: fire another volley, charge, come nearer, or go.
//!
//! Both questions are asked of two regiments on open ground ([`field`]), composed of the same fire,
//! formation test and melee as the procedures that are only played.

mod approach;
mod face_to_face;
mod standoff;

use super::keys::{formation_tests, open_saves, setting, settings};
use super::tables::Tables;
use crate::{Decision, RuleError, Setting, TableFile};
use std::sync::Arc;

pub(super) fn load(file: &TableFile) -> Result<Vec<Decision>, RuleError> {
    let tables = Arc::new(Tables::load(file)?);
    Ok(vec![
        standoff::decision(&tables),
        approach::decision(&tables),
    ])
}

/// What can be set about each side, and by name what only some have.
fn side_settings(side: &str, more: &[Setting]) -> Vec<Setting> {
    let names = ["class", "figures", "original", "weapon", "formation_fail"];
    let flags = ["officer_fail", "isolated", "cavalry_near", "saw_rout"];
    let mut keys = settings(side, &[&names[..], &flags[..]].concat());
    keys.extend_from_slice(more);
    keys
}

/// What can be set about the fight.
fn fight_settings() -> Vec<Setting> {
    vec![
        open_saves(),
        formation_tests(),
        Setting::whole(
            "melee_turns",
            1..=20,
            6,
            "melee turns at most, the first blow being the first",
        )
        .from("Melee"),
    ]
}

/// The same key with fewer labels to choose from.
fn narrowed(side: &str, name: &str, labels: &'static [&'static str]) -> Setting {
    let whole = setting(side, name);
    Setting::one_of(whole.key, labels, labels[0], &whole.meaning).from(&whole.source)
}
