//! A random regiment or battery.

use super::charts::Charts;
use super::tables::Arm;
use super::unit::{Grade, Weapon};
use crate::{Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

#[derive(Debug)]
struct Muster {
    /// Positions among [`weapons`].
    weapon: Odds<u16>,
    grade: Odds<Grade>,
    stands: Odds<u16>,
}

/// Everything that can be mustered, arm by arm.
fn weapons() -> impl Iterator<Item = Weapon> {
    Arm::ALL.iter().flat_map(|arm| arm.weapons()).copied()
}

impl Muster {
    fn new(charts: &Charts, s: &Settings) -> Result<Self, RuleError> {
        let muster = &charts.tables.muster;
        let arm: Arm = s.choice("arm");
        let csa = s.flag("csa");
        if csa && arm != Arm::Artillery {
            let reason = format!("the roll is for artillery, and this is {}", arm.label());
            return Err(s.refuse("csa", reason));
        }
        let early = s.text("period") == "early";
        let shift =
            if early { muster.early } else { 0 } + if csa { muster.csa_artillery } else { 0 };
        let line = |die: i32, shift: i64| (i64::from(die) + shift).max(0) as usize;
        let die = || Throw::from_zero(charts.tables.dice.muster);
        Ok(Muster {
            weapon: Odds::new(die(), |die| {
                let weapon = muster.weapons[line(die, shift)][arm.position()];
                let at = weapons().position(|known| known == weapon);
                at.expect("the tables know every weapon") as u16
            }),
            grade: Odds::new(die(), |die| {
                muster.grades[line(die, s.whole("morale_shift"))]
            }),
            stands: stands(charts, s, arm)?,
        })
    }
}

fn stands(charts: &Charts, s: &Settings, arm: Arm) -> Result<Odds<u16>, RuleError> {
    let sizes = &charts.tables.muster.sizes;
    let fixed = s.text("size") == "fixed";
    let division = s.text("battery") == "division";
    if division && arm != Arm::Artillery {
        let reason = format!("only artillery has batteries, and this is {}", arm.label());
        return Err(s.refuse("battery", reason));
    }
    if division && fixed {
        let reason = "the guns of a division are rolled for: no fixed number is printed";
        return Err(s.refuse("battery", reason));
    }
    if fixed {
        return Ok(Odds::weighted([(sizes.fixed[arm.position()], 1)]));
    }
    let (throw, added) = match arm {
        Arm::Infantry => (Throw::average_dice(sizes.infantry_average_dice), 0),
        Arm::Cavalry => (Throw::d6_sum(sizes.cavalry_dice), 0),
        Arm::Artillery if division => (
            Throw::average_dice(sizes.division_average_dice),
            sizes.division_added,
        ),
        Arm::Artillery => (Throw::die(1, sizes.brigade_guns_die), 0),
    };
    Ok(Odds::new(throw, |sum| sum as u16 + added))
}

impl OneStep for Muster {
    const PHASE: &'static str = "muster";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let weapon = self.weapon.roll(dice);
        let grade = self.grade.roll(dice).position() as u16;
        row(&[weapon, grade, self.stands.roll(dice)])
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    let source = "Determination of random forces";
    let choice = |key: &str, labels, default, meaning: &str| {
        Setting::one_of(key, labels, default, meaning).from(source)
    };
    Procedure {
        name: "muster".into(),
        about: "A random regiment or battery: weapon, grade and size.".into(),
        source: source.into(),
        composed: false,
        settings: vec![
            choice(
                "period",
                &["early", "late"],
                "late",
                "early takes 1 off the weapon die",
            ),
            Setting::whole("morale_shift", -1..=0, 0, "added to the morale die").from(source),
            Setting::choice("arm", Arm::Infantry, "what is mustered").from(source),
            Setting::flag(
                "csa",
                "Confederate artillery takes 1 more off the weapon die",
            )
            .from("Optional CSA artillery type roll"),
            choice(
                "size",
                &["dice", "fixed"],
                "dice",
                "whether its stands are rolled for",
            ),
            choice(
                "battery",
                &["brigade", "division"],
                "brigade",
                "whose guns they are",
            ),
        ],
        variables: vec![
            Variable::category("weapon", "what it carries", weapons().map(Labels::label)),
            Variable::category("grade", "its grade", Grade::LABELS[..5].iter().copied()),
            Variable::count("stands", "its stands"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Muster::new(&charts, s)?))),
    }
}
