//! What can be set about a battle, and what it reports.

use super::super::charts::Charts;
use super::super::keys;
use super::super::unit::{Grade, Weapon};
use super::Battle;
use crate::battle::{self, Measures};
use crate::{Labels, Procedure, Setting, Value};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::PlayoutSteps;
use std::sync::Arc;

const MEASURES: Measures = Measures {
    unit: "yards",
    men: "stands",
    range: 100,
    distance: 300,
    near: 1,
};

/// The keys that have an entry for each unit.
fn lists(side: &str) -> Vec<Setting> {
    let key = |name: &str| format!("{side}.{name}");
    vec![
        Setting::choice(
            key("grades"),
            Grade::Regular,
            "morale grade of each unit; green is rolled for each, once a battle",
        )
        .list()
        .from("Morale grades and special skills"),
        Setting::whole(key("stands"), 1..=40, 10, "stands of each unit")
            .list()
            .from("Scales and stand sizes"),
        Setting::one_of(
            key("weapons"),
            Weapon::small_arms(),
            Weapon::RifleMusket.label(),
            "what each unit shoots with",
        )
        .list()
        .from("Small arms and artillery fire factors"),
    ]
}

fn more(side: &str) -> Vec<Setting> {
    let key = |name: &str| format!("{side}.{name}");
    vec![
        Setting::whole(
            key("charge_from"),
            1..=3000,
            150,
            "yards from which plans charge and soften charge",
        )
        .from("invented"),
        keys::setting(side, "second_fire"),
        Setting::whole(
            key("commander"),
            0..=3,
            0,
            "rating of its commander; 0 is none",
        )
        .from("Officers"),
        Setting::whole(
            key("commander_at"),
            0..=8,
            0,
            "the unit he is with; 0 is always the one most in need",
        )
        .from("invented"),
        Setting::whole(
            key("cards"),
            1..=3,
            2,
            "headquarters cards that activate it; matter with order=cards",
        )
        .from("Order of play"),
    ]
}

pub(in crate::elephant) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    let mut settings = battle::settings(&MEASURES, lists, more);
    settings.push(
        Setting::one_of(
            "order",
            &["cards", "attacker", "defender"],
            "cards",
            "who acts first in a turn; cards: drawn anew each turn",
        )
        .from("Order of play"),
    );
    settings.extend(
        keys::reach()
            .into_iter()
            .map(|setting| match &*setting.key {
                "reach" => setting.or(Value::from("roll")),
                _ => setting,
            }),
    );
    let yards = |key: &str, most: i64, least: i64, default: i64, meaning: &str| {
        Setting::whole(key, least..=most, default, meaning).from("invented")
    };
    settings.extend([
        Setting::one_of(
            "volleys",
            &["once", "each"],
            "once",
            "whether a unit charged by several fires and tests once in an activation, or at each",
        )
        .from("Charge movement subphase"),
        Setting::flag_on(
            "rally",
            "who fled may stand again; false: whoever flees is gone",
        )
        .from("invented"),
        Setting::flag_on("contagion", "a flight makes friends near it test")
            .from("Effect of retreats/routs on friendly units"),
        Setting::flag_on("headlong", "the overenthusiastic charge from however far")
            .from("Morale tests, results"),
        Setting::flag_on(
            "succession",
            "a colonel takes the place of a commander who fell",
        )
        .from("Officers"),
        yards(
            "retreat_yards",
            3000,
            0,
            200,
            "how far a retreat goes; printed for combat",
        ),
        yards("rout_yards", 3000, 0, 200, "how far a rout goes"),
        yards(
            "leaves_at",
            10_000,
            1,
            1000,
            "yards behind its first line at which a unit has left the field",
        ),
    ]);
    Procedure {
        name: "battle".into(),
        about: "Several units a side fight over turns, and what becomes of one is felt by the others.".into(),
        source: "The whole of it; the line of battle, the plans, flights from tests and the end are invented".into(),
        composed: true,
        settings,
        variables: battle::variables(
            "stands",
            "retreats and routs by tests that somebody else's flight or fall caused",
            Variable::count("rallied", "times a unit that had fled stood again"),
        ),
        notes: vec![
            "the line of battle, the plans, how far a flight goes, rally that goes on for ever and the end are invented; what they weigh: `grapeshot what-if elephant battle`".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(PlayoutSteps(Battle::new(&charts, s)?)))),
    }
}
