//! The charge as it can be asked for: keys and variables.

use super::super::charts::Charts;
use super::super::commander::Fate;
use super::super::keys;
use super::super::melee::melee_settings;
use super::super::side::Side;
use super::{Charge, Ground, Outcome};
use crate::{Judged, Procedure, Setting};
use grapeshot_engine::dist::Variable;
use std::sync::Arc;

/// What every charge is asked with: both units, the defender's fire, and the distance.
pub(in super::super) fn essentials() -> Vec<Setting> {
    let mut all = melee_settings();
    let attacker = [
        "weapon",
        "exposed",
        "panic",
        "hits",
        "stands_lost",
        "fires_in",
    ];
    all.extend(keys::settings("attacker", &attacker));
    let defender = [
        "weapon",
        "marksmen",
        "stationary",
        "panic",
        "hits",
        "stands_lost",
        "guns_weapon",
        "guns_stands",
    ];
    all.extend(keys::settings("defender", &defender));
    all.push(keys::distance(3000, 150));
    all.extend(keys::reach());
    all
}

/// Everything that can be said about a charge.
pub(in super::super) fn settings() -> Vec<Setting> {
    let mut all = essentials();
    all.push(keys::ground());
    let attacker = ["withdrew", "column", "in_motion", "road", "obstacle"];
    all.extend(keys::settings("attacker", &attacker));
    all.push(keys::attackers());
    all.push(keys::setting("attacker", "supports"));
    let defender = [
        "withdrew",
        "second_fire",
        "combine",
        "csa_artillery",
        "exposed",
        "unlimbered",
    ];
    all.extend(keys::settings("defender", &defender));
    all.extend(keys::preparation());
    all.push(keys::ammo_rule());
    all.push(keys::close_range_rule());
    all.push(keys::commander_risk());
    all
}

/// What a charge reports, after its outcome.
pub(in super::super) fn variables(outcome: Variable) -> Vec<Variable> {
    vec![
        outcome,
        Variable::yes_no("contact", "whether it came to melee"),
        Variable::count(
            "attacker_stands_lost",
            "attacking stands lost in this charge",
        ),
        Variable::count(
            "defender_stands_lost",
            "defending stands lost in this charge",
        ),
        Variable::count("attacker_panic", "markers on the attacker at the end"),
        Variable::count("defender_panic", "markers on the defender at the end"),
        Fate::variable_of("attacker"),
        Fate::variable_of("defender"),
    ]
}

pub(in super::super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    Procedure {
        name: "charge".into(),
        about: "One unit or several charge another: defensive fire, tests, combat.".into(),
        source: "Charge movement subphase; Combat phase".into(),
        composed: false,
        settings: settings(),
        variables: variables(Outcome::variable("outcome", "how the charge ends")),
        notes: Vec::new(),
        build: Box::new(move |s| {
            let (attacker, defender) = (Side::new(s, "attacker"), Side::new(s, "defender"));
            let ground = Ground::read(s, &defender, attacker.flag("flank"));
            let sides = [&attacker, &defender];
            Ok(Box::new(Charge::read(&charts, s, sides, ground)?))
        }),
    }
}
