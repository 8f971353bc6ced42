//! What can be set about a battle, and what it reports.

use super::super::keys::open_saves;
use super::super::kinds::{Class, Weapon};
use super::super::tables::Tables;
use super::{Battle, RoutSeen};
use crate::battle::{self, Measures, SIDES};
use crate::{Labels, Procedure, Setting};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::PlayoutSteps;
use std::sync::Arc;

const MEASURES: Measures = Measures {
    unit: "cm",
    men: "figures",
    range: 30,
    distance: 60,
    near: 2,
};

/// The keys that have an entry for each unit.
fn lists(side: &str) -> Vec<Setting> {
    let key = |name: &str| format!("{side}.{name}");
    let sizes: Vec<String> = (11..=20).map(|n: u8| n.to_string()).collect();
    let sizes: Vec<&str> = sizes.iter().map(String::as_str).chain(["roll"]).collect();
    vec![
        Setting::choice(key("classes"), Class::C, "quality of each unit, A the best")
            .list()
            .from("Allocation of foot regiments and class"),
        Setting::one_of(
            key("figures"),
            &sizes,
            "15",
            "figures of each unit, also its original ones; roll is 10 and a die, once a battle",
        )
        .list()
        .from("Allocation of figures"),
        Setting::one_of(
            key("weapons"),
            &Weapon::LABELS[..3],
            Weapon::Rifle.label(),
            "what each unit shoots with",
        )
        .list()
        .from("Firing, Ranges"),
    ]
}

fn more(side: &str) -> Vec<Setting> {
    let meaning = "the unit its officer is with; 0 keeps him behind the line, out of danger";
    vec![Setting::whole(format!("{side}.officer"), 0..=8, 0, meaning).from("Officers")]
}

pub(in crate::acw28) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let mut settings = battle::settings(&MEASURES, lists, more);
    settings.extend([
        Setting::one_of(
            "first",
            &SIDES,
            SIDES[0],
            "who moves first; who holds the town moves second",
        )
        .from("To start"),
        open_saves(),
        Setting::flag_on("isolation", "a unit with no friends near loses a point").from("Morale"),
        Setting::choice(
            "rout_seen",
            RoutSeen::Turn,
            "how long the rout of a friend counts that was seen; the print gives no time",
        )
        .from("Morale"),
    ]);
    let lowest = tables.battle.fewest_points();
    Procedure {
        name: "battle".into(),
        about:
            "Several units a side fight over turns, and what becomes of one is seen by the others."
                .into(),
        source: "The whole of it; the line of battle, the plans and the end are invented".into(),
        composed: true,
        settings,
        variables: battle::variables(
            "figures",
            "routs of units that would have stood alone, with an officer and nobody routing in sight",
            Variable::count_from(
                lowest,
                "points",
                "the attacker's victory points less the defender's, ground left out",
            ),
        ),
        notes: vec![
            "the line of battle, the plans, who acts when and the end are invented; what they weigh: `grapeshot what-if acw28 battle`".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(PlayoutSteps(Battle::new(&tables, s)?)))),
    }
}
