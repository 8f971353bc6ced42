//! What a fleeing friend does to a unit that watches.

use super::charts::Charts;
use super::morale::{Morale, Test, test_settings};
use super::tables::Contagion;
use crate::{Judged, Labels, Procedure, Setting};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

/// The watching unit; without a test it is unaffected.
#[derive(Debug)]
struct Watching {
    test: Option<Test>,
}

impl OneStep for Watching {
    const PHASE: &'static str = "watching";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let result = self
            .test
            .as_ref()
            .map_or(0, |test| 1 + test.roll(dice).position() as u16);
        row(&[result])
    }
}

const EVENTS: &[&str] = &["retreat", "rout"];
const RELATIONS: &[&str] = &["poorer", "same", "better"];

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let source = "Effect of retreats/routs on friendly units";
    let mut keys = vec![
        Setting::one_of("event", EVENTS, "rout", "what the fleeing unit does").from(source),
        Setting::one_of(
            "relation",
            RELATIONS,
            "same",
            "the fleeing unit's grade against the watcher's",
        )
        .from(source),
    ];
    keys.extend(test_settings());
    let labels = ["unaffected"].iter().chain(Morale::LABELS).copied();
    let favours = [Favour::Success].iter().chain(Morale::FAVOURS).copied();
    let charts = Arc::clone(charts);
    Procedure {
        name: "contagion".into(),
        about: "A unit watches friends retreat or rout within 100 yards.".into(),
        source: source.into(),
        composed: false,
        settings: keys,
        variables: vec![
            Variable::category("result", "what it does to the watcher", labels).favouring(favours),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| {
            let place = |list: &[&str], key: &str| list.iter().position(|&l| l == s.text(key));
            let event = place(EVENTS, "event").expect("a listed event");
            let relation = place(RELATIONS, "relation").expect("a listed relation");
            let test = match charts.tables.contagion[event][relation] {
                Contagion::Unaffected => None,
                Contagion::Test { panic } => Some(Test::new(&charts, s, panic)?),
            };
            Ok(Box::new(Watching { test }))
        }),
    }
}
