//! Fire: firepower points, and no more, because the source does not print what they do.

use super::tables::{Tables, Weapon};
use crate::{Labels, Procedure, Setting};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

/// A volley that is not rolled for.
#[derive(Debug)]
struct Firepower {
    points: u16,
    normal_range: u16,
}

impl OneStep for Firepower {
    const PHASE: &'static str = "firepower";

    fn play<D: Dice>(&self, _: &mut D) -> Row {
        row(&[self.points, self.normal_range])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let source = "15mm infantry weapons, Firepower Points (FP)";
    Procedure {
        name: "fire".into(),
        about: "The firepower points of a volley.".into(),
        source: source.into(),
        composed: false,
        settings: vec![
            Setting::choice("weapon", Weapon::RifleMusket, "what it shoots with").from(source),
            Setting::whole("figures", 2..=8, 6, "figures that fire").from(source),
        ],
        variables: vec![
            Variable::count("firepower", "firepower points; certain"),
            Variable::count(
                "normal_range",
                "the normal range (NR) printed for the weapon; its unit and its effect are not",
            ),
        ],
        notes: vec![
            "Firepower points only: the source does not print the table that turns them into results, so no losses or checks follow and no dice are rolled.".into(),
        ],
        build: Box::new(move |s| {
            let weapon: Weapon = s.choice("weapon");
            let figures = tables.figures.of(s.whole("figures"));
            Ok(Box::new(Firepower {
                points: tables.firepower[weapon.position()][figures],
                normal_range: tables.normal_range[weapon.position()],
            }))
        }),
    }
}
