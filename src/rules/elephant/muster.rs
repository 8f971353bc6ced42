//! A random infantry regiment.

use super::tables::Tables;
use super::unit::{Grade, Weapon};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{OneStep, Row, row};
use crate::rules::{Labels, Procedure, Setting};
use std::sync::Arc;

const WEAPONS: [Weapon; 3] = [Weapon::Musket, Weapon::RifleMusket, Weapon::BlRifle];

#[derive(Debug)]
struct Muster {
    weapon: Odds<Weapon>,
    grade: Odds<Grade>,
    stands: Odds<u16>,
}

impl OneStep for Muster {
    const PHASE: &'static str = "muster";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let weapon = self.weapon.roll(dice);
        let at = WEAPONS
            .iter()
            .position(|&known| known == weapon)
            .expect("a weapon of the table");
        let grade = self.grade.roll(dice);
        row(&[at as u16, grade.position() as u16, self.stands.roll(dice)])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let source = "Determination of random forces";
    Procedure {
        name: "muster".into(),
        about: "A random infantry regiment: weapon, grade and size.".into(),
        source: source.into(),
        composed: false,
        settings: vec![
            Setting::one_of(
                "period",
                &["early", "late"],
                "late",
                "early takes 1 off the weapon die",
            )
            .from(source),
            Setting::whole("morale_shift", -1..=0, 0, "added to the morale die").from(source),
        ],
        variables: vec![
            Variable::category("weapon", "what it carries", WEAPONS.map(Labels::label)),
            Variable::category("grade", "its grade", Grade::LABELS[..5].iter().copied()),
            Variable::count("stands", "its stands, two average dice"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| {
            let early = i64::from(s.text("period") == "early");
            let shift = s.whole("morale_shift");
            let line = |die: i32, shift: i64| (i64::from(die) + shift).max(0) as usize;
            Ok(Box::new(Muster {
                weapon: Odds::new(Throw::d10_from_zero(), |die| {
                    tables.muster[line(die, -early)].0
                }),
                grade: Odds::new(Throw::d10_from_zero(), |die| {
                    tables.muster[line(die, shift)].1
                }),
                stands: Odds::new(Throw::average_dice(2), |sum| sum as u16),
            }))
        }),
    }
}
