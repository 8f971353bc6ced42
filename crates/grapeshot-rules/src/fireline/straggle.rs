//! Straggling: an O hit for moving through rough ground.

use super::charts::Charts;
use super::tables::{HIGHEST_STRAGGLE_MORALE, Tables};
use crate::{Judged, Labels, Procedure, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How a check comes out for the stack that takes it.
    enum Straggles { No = "no" => Success, Yes = "yes" => Failure }
}

/// One straggle check, alike for every hex of a march: the table reads base morale.
#[derive(Debug)]
pub(super) struct StraggleCheck {
    straggles: Odds<bool>,
}

impl StraggleCheck {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Self {
        let table = &tables.straggle;
        let morale = s.whole("morale");
        let on = |key: &str, modifier: i64| i64::from(s.flag(key)) * modifier;
        let modifier = on("leader", table.leader)
            + on("ezoc", table.ezoc)
            + on("thoroughfare", table.thoroughfare);
        let band = table.rolls.iter().find(|&&(upto, _)| morale <= upto);
        let &(_, roll) = band.expect("the table was checked to cover every morale");
        StraggleCheck {
            straggles: Odds::new(Throw::d10_from_zero(), |die| {
                let die = i64::from(die);
                die + modifier >= roll || die == table.always
            }),
        }
    }

    /// Whether the stack straggles.
    pub(super) fn roll<D: Dice>(&self, dice: &mut D) -> bool {
        self.straggles.roll(dice)
    }
}

impl OneStep for StraggleCheck {
    const PHASE: &'static str = "straggle check";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let straggles = match self.roll(dice) {
            true => Straggles::Yes,
            false => Straggles::No,
        };
        row(&[straggles.position() as u16])
    }
}

const SOURCE: &str = "Straggle Table";

/// What a check depends on.
pub(super) fn settings() -> Vec<Setting> {
    vec![
        Setting::whole(
            "morale",
            0..=HIGHEST_STRAGGLE_MORALE,
            5,
            "average base morale of the stack",
        )
        .from(SOURCE),
        Setting::flag("leader", "a leader moves with the stack").from(SOURCE),
        Setting::flag("ezoc", "it enters or leaves an enemy zone of control").from(SOURCE),
        Setting::flag("thoroughfare", "it moves along a thoroughfare").from(SOURCE),
    ]
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    Procedure {
        name: "straggle".into(),
        about: "A moving stack checks whether stragglers cost it an O hit.".into(),
        source: SOURCE.into(),
        composed: false,
        settings: settings(),
        variables: vec![Straggles::variable(
            "straggles",
            "whether the stack takes an O hit",
        )],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(StraggleCheck::new(&charts.tables, s)))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::p;

    #[test]
    fn the_table_its_modifiers_and_the_nine() {
        for (given, wanted) in [
            ("morale=0", 0.6),
            ("morale=3", 0.6),
            ("morale=4", 0.5),
            ("morale=5", 0.5),
            ("morale=6", 0.4),
            ("morale=7", 0.4),
            ("morale=7 leader=true", 0.3),
            ("morale=0 leader=true ezoc=true thoroughfare=true", 0.3),
            // Less three, a 9 is a 6: still a straggler, and so it would be below.
            ("morale=7 leader=true ezoc=true thoroughfare=true", 0.1),
        ] {
            let found = p("straggle", given, "straggles", "yes");
            assert!((found - wanted).abs() < 1e-12, "{given}: {found}");
        }
    }

    #[test]
    fn a_nine_straggles_whatever_the_modifiers() {
        let harsh = super::super::tests::varied("[lists.straggle_modifiers.values]\nleader = -9");
        let tables = harsh.expect("a variant");
        let s = super::super::tests::settings("straggle", "leader=true");
        let check = super::StraggleCheck::new(&tables, &s);
        assert_eq!(
            check.straggles.iter().collect::<Vec<_>>(),
            [(false, 9), (true, 1)]
        );
    }
}
