//! Movement: inches by formation or level and ground, and the dice of a flight.

use super::tables::{Ground, Pace, Tables};
use super::unit::{Formation, Level, Levels, setting};
use crate::{Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

/// The inches a unit goes over the ground that is set.
///
/// # Errors
/// If the chart does not let it go there.
pub(super) fn inches(
    tables: &Tables,
    s: &Settings,
    formation: Formation,
    level: Level,
) -> Result<Odds<u16>, RuleError> {
    let ground: Ground = s.choice("ground");
    let (line, what) = match level {
        Level::Good => (formation.position(), "formation"),
        worse => (Formation::ALL.len() + worse.position() - 1, "morale level"),
    };
    match tables.movement[line][ground.position()] {
        Pace::Inches(inches) => Ok(Odds::new(Throw::d6(), |_| inches)),
        Pace::Dice(count) => Ok(Odds::new(Throw::d6_sum(count), |sum| sum as u16)),
        Pace::Barred => {
            let reason = format!("the movement chart has NA there for this {what}");
            Err(s.refuse("ground", reason))
        }
    }
}

/// The setting for the ground.
pub(super) fn ground_setting(meaning: &str) -> Setting {
    Setting::choice("ground", Ground::Open, meaning).from("15mm infantry movement")
}

/// One move.
#[derive(Debug)]
struct Move(Odds<u16>);

impl Move {
    fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let (formation, level) = (s.choice("unit.formation"), s.choice("unit.level"));
        Ok(Move(inches(tables, s, formation, level)?))
    }
}

impl OneStep for Move {
    const PHASE: &'static str = "move";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        row(&[self.0.roll(dice)])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let levels = Levels {
        allowed: Level::LABELS,
        usual: Level::Good,
    };
    Procedure {
        name: "move".into(),
        about: "How far a unit goes over one kind of ground.".into(),
        source: "15mm infantry movement".into(),
        composed: false,
        settings: vec![
            setting("unit", "formation", levels),
            setting("unit", "level", levels),
            ground_setting("what it goes over"),
        ],
        variables: vec![Variable::count(
            "inches",
            "inches it goes; certain unless it is routed",
        )],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Move::new(&tables, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{marginal, refusal};

    const GROUNDS: [&str; 7] = [
        "road",
        "trail",
        "open",
        "broken",
        "light-woods",
        "heavy-woods",
        "rough",
    ];

    #[test]
    fn every_certain_cell_of_the_chart_is_as_printed() {
        let lines: [(&str, [u16; 7]); 7] = [
            ("unit.formation=battle-line", [0, 0, 6, 5, 4, 2, 1]),
            ("unit.formation=extended-line", [0, 0, 7, 6, 5, 3, 1]),
            ("unit.formation=skirmish", [0, 0, 9, 7, 6, 4, 3]),
            ("unit.formation=attack-column", [0, 0, 7, 6, 5, 3, 2]),
            ("unit.formation=road-column", [13, 11, 9, 7, 6, 4, 2]),
            ("unit.level=disorder", [6, 5, 4, 3, 2, 1, 1]),
            ("unit.level=shaken", [5, 4, 3, 3, 2, 1, 1]),
        ];
        for (line, inches) in lines {
            for (ground, inches) in GROUNDS.into_iter().zip(inches) {
                let given = format!("{line} ground={ground}");
                if inches == 0 {
                    let why = refusal("impact", "move", &given);
                    assert!(why.contains("`ground=") && why.contains("NA"), "{why}");
                } else {
                    let moved = marginal("impact", "move", &given, "inches");
                    assert_eq!(moved.p(&inches.to_string()), 1.0, "{given}");
                }
            }
        }
    }

    #[test]
    fn a_routed_unit_rolls_three_dice_on_a_road_one_in_thick_ground_and_two_elsewhere() {
        for (ground, dice) in GROUNDS.into_iter().zip([3, 2, 2, 2, 2, 1, 1]) {
            let given = format!("unit.level=routed ground={ground}");
            let moved = marginal("impact", "move", &given, "inches");
            assert!(
                (moved.mean() - 3.5 * f64::from(dice)).abs() < 1e-12,
                "{ground}"
            );
            assert!(moved.p(&(6 * dice).to_string()) > 0.0, "{ground}");
            assert_eq!(moved.p(&(dice - 1).to_string()), 0.0, "{ground}");
        }
    }

    #[test]
    fn out_of_good_order_the_formation_does_not_matter() {
        let inches = |formation: &str| {
            let given = format!("unit.level=shaken ground=trail unit.formation={formation}");
            marginal("impact", "move", &given, "inches").mean()
        };
        assert_eq!(inches("battle-line"), 4.0);
        assert_eq!(inches("road-column"), 4.0);
    }
}
