//! Morale checks, and what a green unit turns out to be.

use super::tables::Tables;
use super::unit::{Morale, setting};
use crate::{Labels, Procedure};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

/// The odds of every check, by morale.
#[derive(Debug)]
pub(super) struct MoraleChart {
    green: Odds<Morale>,
    checks: Vec<Odds<bool>>,
}

impl MoraleChart {
    pub(super) fn new(tables: &Tables) -> Self {
        let check = |morale: i32| Odds::new(Throw::d6(), move |die| die <= morale);
        MoraleChart {
            green: Odds::new(Throw::d6_sum(2), |dice| tables.green[dice as usize - 2]),
            checks: (1..=6).map(check).collect(),
        }
    }

    /// Whether a check passes. A green unit finds out what it is, and stays so.
    pub(super) fn passes<D: Dice>(&self, morale: &mut Morale, dice: &mut D) -> bool {
        if *morale == Morale::Green {
            *morale = self.green.roll(dice);
        }
        self.checks[morale.position()].roll(dice)
    }
}

/// A single check.
#[derive(Debug)]
struct Check {
    chart: Arc<MoraleChart>,
    morale: Morale,
}

impl OneStep for Check {
    const PHASE: &'static str = "morale check";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let mut morale = self.morale;
        let passed = self.chart.passes(&mut morale, dice);
        row(&[u16::from(passed)])
    }
}

pub(super) fn procedure(chart: &Arc<MoraleChart>) -> Procedure {
    let chart = Arc::clone(chart);
    Procedure {
        name: "morale".into(),
        about: "A unit makes a morale check.".into(),
        source: "[9.16] Fire Combat Results Table, key; [13.15]".into(),
        composed: false,
        settings: vec![setting("", "morale")],
        variables: vec![
            Variable::yes_no("passed", "whether the check is passed")
                .favouring([Favour::Failure, Favour::Success]),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| {
            Ok(Box::new(Check {
                chart: Arc::clone(&chart),
                morale: s.choice("morale"),
            }))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gbacw::Charts;
    use crate::testing::replay;

    fn check(morale: Morale, readings: &[i32]) -> bool {
        let chart = Charts::printed().morale;
        replay(&Check { chart, morale }, readings)[0] == 1
    }

    #[test]
    fn a_check_passes_at_or_under_the_morale() {
        assert!(check(Morale::Three, &[3]));
        assert!(!check(Morale::Three, &[4]));
        assert!(check(Morale::One, &[1]));
        assert!(!check(Morale::One, &[2]));
        assert!(check(Morale::Six, &[]), "nothing is rolled for a certainty");
    }

    #[test]
    fn a_green_unit_rolls_two_dice_for_its_morale_first() {
        let ratings = [4, 3, 1, 4, 2, 3, 1, 3, 2, 5, 4];
        for (dice, rating) in (2..).zip(ratings) {
            assert!(check(Morale::Green, &[dice, rating]), "{dice}");
            assert!(!check(Morale::Green, &[dice, rating + 1]), "{dice}");
        }
    }
}
