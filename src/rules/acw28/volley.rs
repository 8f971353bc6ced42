//! Fire by one unit on another: dice by figures, score to hit, saves.
//!
//! Shared by fire, charge and firefight. A [`Volley`] holds the odds for every number of figures
//! that may be left to fire and every number of hits that may have to be saved, so that the steps
//! of a procedure only roll. Hits and saves are two rolls: `hits` is itself reported, and two small
//! branch points make a smaller graph than one with both.

use super::tables::{Fire, Reach, Tables};
use super::target::Target;
use super::unit::{Class, Cover, FiringArm, Formation, Weapon};
use crate::dice::{Dice, Odds, Throw};
use crate::rules::{Labels, RuleError, Settings};

/// A unit that fires, but for the figures it has left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Firer {
    arm: FiringArm,
    class: Class,
    formation: Formation,
    weapon: Weapon,
    formation_fail: bool,
    helpers: u8,
}

/// What a volley is fired over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    /// How the distance counts; nothing beyond the reach.
    pub reach: Option<Reach>,
    /// Whether figures in the open are saved as the charts have it.
    pub open_saves: bool,
}

impl Firer {
    /// Reads a side whose arm is known; keys the procedure does not have are off.
    pub(super) fn read(
        tables: &Tables,
        s: &Settings,
        side: &str,
        arm: FiringArm,
    ) -> Result<Self, RuleError> {
        let key = |name: &str| format!("{side}.{name}");
        let class = s.choice(&key("class"));
        let helpers = s.whole_or(&key("helpers"), 0) as u8;
        let has_score = |class: Class| tables.to_hit(fire_of(arm), class).is_some();
        if !has_score(class) {
            let known = Class::ALL.iter().filter(|&&class| has_score(class));
            let known: Vec<&str> = known.map(|class| class.label()).collect();
            let reason = format!("guns are served by the classes {}", known.join(", "));
            return Err(s.refuse(&key("class"), reason));
        }
        if helpers > 0 && !arm.is_gun() {
            let reason = format!("infantry helps to serve guns, and this is {}", arm.label());
            return Err(s.refuse(&key("helpers"), reason));
        }
        Ok(Firer {
            arm,
            class,
            formation: match arm {
                FiringArm::Sharpshooters => Formation::Skirmish,
                _ => s.choice(&key("formation")),
            },
            weapon: s.choice(&key("weapon")),
            formation_fail: s.flag(&key("formation_fail")),
            helpers,
        })
    }

    /// How a distance counts for what it fires.
    pub(super) fn reach(&self, tables: &Tables, distance: i64) -> Option<Reach> {
        tables.ranges_of(self.arm, self.weapon).at(distance)
    }

    /// Its nearest reach: short, or long for a weapon without short.
    pub(super) fn nearest_reach(&self, tables: &Tables) -> Option<Reach> {
        tables.ranges_of(self.arm, self.weapon).nearest()
    }

    /// Dice for so many figures. Gunners fire as they serve the gun, in no formation.
    pub(super) fn dice(&self, tables: &Tables, figures: u8) -> u8 {
        let dice = &tables.fire_dice;
        let shared = |figures: u8, by: u8| match tables.odd_figure_fires {
            true => figures.div_ceil(by),
            false => figures / by,
        };
        match (self.arm, self.formation) {
            (FiringArm::FieldGun, _) => figures * dice.field_gun + self.helpers * dice.helper,
            (FiringArm::HeavyGun, _) => figures * dice.heavy_gun + self.helpers * dice.helper,
            (_, Formation::Line) => figures * dice.line,
            (_, Formation::Skirmish) => shared(figures, dice.skirmish_figures),
            (_, Formation::Column) => shared(figures.min(dice.column_front), dice.column_figures),
        }
    }

    /// The score to hit a target.
    pub(super) fn need(&self, tables: &Tables, target: &Target) -> i16 {
        let fire = fire_of(self.arm);
        let modifiers = tables.hit_modifiers(fire);
        let score = tables.to_hit(fire, self.class);
        score.expect("the class was checked when the firer was read")
            + i16::from(self.formation_fail) * modifiers.formation_fail
            + match target.formation {
                Formation::Line => 0,
                Formation::Skirmish => modifiers.skirmishers,
                Formation::Column => modifiers.column,
            }
    }
}

fn fire_of(arm: FiringArm) -> Fire {
    if arm.is_gun() {
        Fire::Artillery
    } else {
        Fire::SmallArms
    }
}

/// The odds of one unit's fire on another.
#[derive(Debug)]
pub(super) struct Volley {
    /// Hits, by figures that fire.
    hits: Vec<Odds<u8>>,
    /// Figures saved, by hits.
    saved: Vec<Odds<u8>>,
}

impl Volley {
    /// The fire of up to `figures` figures.
    pub(super) fn new(
        tables: &Tables,
        firer: &Firer,
        figures: u8,
        target: &Target,
        ground: Ground,
    ) -> Self {
        let need = firer.need(tables, target);
        let dice = |figures: u8| match ground.reach {
            Some(_) => firer.dice(tables, figures),
            None => 0,
        };
        let pool = |dice: u8, need: i16| {
            Odds::new(Throw::pool_at_least(u32::from(dice), 6, need), |n| n as u8)
        };
        let save = match ground.reach {
            Some(reach) if ground.open_saves || target.cover != Cover::Open => {
                tables.save(fire_of(firer.arm), reach, target.cover)
            }
            _ => NEVER,
        };
        Volley {
            hits: (0..=figures).map(|n| pool(dice(n), need)).collect(),
            saved: (0..=dice(figures)).map(|n| pool(n, save)).collect(),
        }
    }

    /// Rolls to hit.
    pub(super) fn hits<D: Dice>(&self, figures: u8, dice: &mut D) -> u8 {
        self.hits[usize::from(figures)].roll(dice)
    }

    /// Rolls to save; returns the hits that were not.
    pub(super) fn unsaved<D: Dice>(&self, hits: u8, dice: &mut D) -> u8 {
        hits - self.saved[usize::from(hits)].roll(dice)
    }
}

/// A score no d6 shows.
const NEVER: i16 = 7;
