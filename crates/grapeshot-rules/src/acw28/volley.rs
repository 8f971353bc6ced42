//! Fire by one unit on another: dice by figures, score to hit, saves, the officer, morale.
//!
//! The one piece of code for all fire. It falls into two steps, because `hits` is itself reported and
//! two small branch points make a smaller graph than one with both.

use super::kinds::{Class, Cover, FiringArm, Formation, Weapon};
use super::permitted;
use super::tables::{Fire, Reach, Tables};
use super::unit::{Condition, Suffered, Unit};
use crate::{Labels, Of, RuleError, Settings};
use grapeshot_engine::dice::Dice;
use std::sync::Arc;

/// A unit that fires, but for the figures it has left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Firer {
    arm: FiringArm,
    class: Class,
    formation: Formation,
    /// The row of its weapon in the chart of ranges.
    weapon: usize,
    /// What house rules add to its score to hit.
    house: i16,
    /// Figures that are no helpers; these fall last.
    gunners: u8,
}

impl Firer {
    /// Reads a side that only fires.
    pub(super) fn read(tables: &Tables, s: &Settings, side: &str) -> Result<Self, RuleError> {
        let key = |name| Of(side, name);
        let arm: FiringArm = s.choice(key("arm"));
        permitted::firer(tables, s, side, arm.attacked())?;
        let firer = Firer {
            arm,
            class: s.choice(key("class")),
            formation: permitted::formation(tables, s, side, arm.attacked(), true),
            weapon: s.row::<Weapon>(key("weapon")),
            house: tables.house.shift("fire", "firer", s, side) as i16,
            gunners: s.whole(key("figures")) as u8,
        };
        firer.checked(tables, s, side)
    }

    /// A unit that is read already, as it fires.
    pub(super) fn of(
        unit: &Unit,
        arm: FiringArm,
        tables: &Tables,
        s: &Settings,
        side: &str,
    ) -> Result<Self, RuleError> {
        let firer = Firer {
            arm,
            class: unit.class,
            formation: unit.formation,
            weapon: s.row::<Weapon>(Of(side, "weapon")),
            house: tables.house.shift("fire", "firer", s, side) as i16,
            gunners: unit.own_figures,
        };
        firer.checked(tables, s, side)
    }

    /// A regiment of infantry in line.
    pub(super) fn in_line(class: Class, weapon: Weapon) -> Self {
        Firer {
            arm: FiringArm::Infantry,
            class,
            formation: Formation::Line,
            weapon: weapon.position(),
            house: 0,
            gunners: u8::MAX,
        }
    }

    /// Only a variant can permit gunners of a class that has no score.
    fn checked(self, tables: &Tables, s: &Settings, side: &str) -> Result<Self, RuleError> {
        match tables.to_hit(self.kind(), self.class) {
            Some(_) => Ok(self),
            None => {
                let reason = "the chart for artillery fire has no such class";
                Err(s.refuse(Of(side, "class"), reason))
            }
        }
    }

    /// The columns of the charts it fires by.
    pub(super) fn kind(&self) -> Fire {
        if self.arm.is_gun() {
            Fire::Artillery
        } else {
            Fire::SmallArms
        }
    }

    /// How a distance counts for what it fires; nothing beyond the reach.
    pub(super) fn reach(&self, tables: &Tables, distance: i64) -> Option<Reach> {
        tables.ranges_of(self.arm, self.weapon).at(distance)
    }

    /// Its nearest reach: short, or long for a weapon without short.
    pub(super) fn nearest_reach(&self, tables: &Tables) -> Option<Reach> {
        tables.ranges_of(self.arm, self.weapon).nearest()
    }

    /// Dice for so many figures, helpers included. Gunners fire as they serve the gun, in no formation.
    pub(super) fn dice(&self, tables: &Tables, figures: u8) -> u8 {
        let dice = &tables.fire_dice;
        let shared = |figures: u8, by: u8| match tables.odd_figure_fires {
            true => figures.div_ceil(by),
            false => figures / by,
        };
        let gunners = figures.min(self.gunners);
        let helpers = figures - gunners;
        match (self.arm, self.formation) {
            (FiringArm::FieldGun, _) => gunners * dice.field_gun + helpers * dice.helper,
            (FiringArm::HeavyGun, _) => gunners * dice.heavy_gun + helpers * dice.helper,
            (_, Formation::Line) => figures * dice.line,
            (_, Formation::Skirmish) => shared(figures, dice.skirmish_figures),
            (_, Formation::Column) => shared(figures.min(dice.column_front), dice.column_figures),
        }
    }

    /// The score to hit a target in this order.
    pub(super) fn need(&self, tables: &Tables, formation_fail: bool, target: Formation) -> i16 {
        let score = tables.to_hit(self.kind(), self.class);
        score.expect("the class was checked when the firer was read")
            + tables.hit_modifier(self.kind(), formation_fail, target)
            + self.house
    }
}

/// Fire of one unit on another.
#[derive(Debug, Clone)]
pub(super) struct Volley {
    pub tables: Arc<Tables>,
    pub firer: Firer,
    pub target: Unit,
    /// How the distance counts; nothing beyond the reach.
    pub reach: Option<Reach>,
    /// Whether figures in the open are saved as the charts have it.
    pub open_saves: bool,
}

impl Volley {
    /// The same fire over so many cm.
    pub(super) fn over(&self, distance: u8) -> Volley {
        Volley {
            reach: self.firer.reach(&self.tables, i64::from(distance)),
            ..self.clone()
        }
    }

    /// Rolls to hit, with what is left of the firer: so many figures, helpers included.
    pub(super) fn hits<D: Dice>(&self, figures: u8, formation_fail: bool, dice: &mut D) -> u8 {
        let thrown = match self.reach {
            Some(_) => self.firer.dice(&self.tables, figures),
            None => 0,
        };
        let need = self
            .firer
            .need(&self.tables, formation_fail, self.target.formation);
        self.tables.d6.at_least(thrown, need).roll(dice)
    }

    /// The target saves what it can; then its officer's dice, then its nerve.
    pub(super) fn lands<D: Dice>(&self, hits: u8, was: Condition, dice: &mut D) -> Suffered {
        let saved = match self.save() {
            Some(need) => self.tables.d6.at_least(hits, need).roll(dice),
            None => 0,
        };
        let lost = was.figures.min(hits - saved);
        let officer_falls = self.target.has_officer(was) && self.tables.officer.kills(lost, dice);
        self.target.loses(was, lost, officer_falls)
    }

    /// The face that saves a figure, if any does.
    fn save(&self) -> Option<i16> {
        let (kind, cover) = (self.firer.kind(), self.target.cover);
        self.reach
            .and_then(|reach| save(&self.tables, kind, reach, cover, self.open_saves))
    }
}

/// The face that saves a figure behind this cover; in the open only as the charts have it.
pub(super) fn save(
    tables: &Tables,
    fire: Fire,
    reach: Reach,
    cover: Cover,
    open_saves: bool,
) -> Option<i16> {
    let saved = open_saves || cover != Cover::Open;
    saved.then(|| tables.save(fire, reach, cover))
}
