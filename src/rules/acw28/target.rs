//! A unit under attack, and when it routs.
//!
//! A procedure reads each side once. What fire, melee and morale need of a side under attack is a
//! [`Target`]: the printed qualities already turned into formation, cover and points, so that
//! artillery (skirmishers behind soft cover) and sharpshooters are special in this file only.

use super::tables::{Chart, Tables};
use super::unit::{Arm, Class, Cover, Formation};
use crate::rules::{Labels, RuleError, Settings};

/// When a unit routs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nerve {
    /// Points at or below which it routs.
    routs_at: i64,
    /// Points beside those for figures and for a formation fail.
    points: i64,
    /// Points for a formation fail.
    formation_fail: i64,
}

impl Nerve {
    /// Whether a unit that has lost figures and has this many left routs.
    pub(super) fn routs(&self, left: u8, formation_fail: bool) -> bool {
        let fail = i64::from(formation_fail) * self.formation_fail;
        left == 0 || i64::from(left) + self.points + fail <= self.routs_at
    }
}

/// A unit under attack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub class: Class,
    pub figures: u8,
    /// As it counts for being hit and killed.
    pub formation: Formation,
    /// As it counts for being saved and killed.
    pub cover: Cover,
    pub formation_fail: bool,
    pub nerve: Nerve,
}

impl Target {
    /// Reads a side whose arm is known; keys the procedure does not have are off.
    pub(super) fn read(
        tables: &Tables,
        s: &Settings,
        side: &str,
        arm: Arm,
    ) -> Result<Self, RuleError> {
        let key = |name: &str| format!("{side}.{name}");
        let stands_in = s.choice_or(&key("cover"), Cover::Open);
        let (formation, cover) = match arm {
            Arm::Infantry | Arm::Cavalry => (s.choice(&key("formation")), stands_in),
            Arm::Sharpshooters => (Formation::Skirmish, stands_in),
            Arm::Artillery => (Formation::Skirmish, tables.artillery_cover(stands_in)),
        };
        let steadied_by = if tables.artillery_cover_steadies {
            cover
        } else {
            stands_in
        };
        let on = |name: &str, points: i64| i64::from(s.flag(&key(name))) * points;
        let points = &tables.morale;
        let nerve = Nerve {
            routs_at: rout_points(tables, s, side, arm)?,
            points: on("isolated", points.isolated)
                + on("cavalry_near", points.cavalry_near)
                + on("officer_fail", points.officer_fail)
                + on("saw_rout", points.saw_rout)
                + on("officer_attached", points.officer_attached)
                + points.cover[steadied_by.position()],
            formation_fail: points.formation_fail,
        };
        Ok(Target {
            class: s.choice(&key("class")),
            figures: s.whole(&key("figures")) as u8,
            formation,
            cover,
            formation_fail: s.flag(&key("formation_fail")),
            nerve,
        })
    }

    /// Whether it counts as skirmishers.
    pub(super) fn skirmishing(&self) -> bool {
        self.formation == Formation::Skirmish
    }

    /// What is left, and whether it routs, after losing so many figures; without a loss nobody tests.
    pub(super) fn loses(&self, had: u8, lost: u8, formation_fail: bool) -> (u8, bool) {
        let left = had.saturating_sub(lost);
        (left, left < had && self.nerve.routs(left, formation_fail))
    }
}

/// The chart's number for a unit, or what is wrong with its size or class.
fn rout_points(tables: &Tables, s: &Settings, side: &str, arm: Arm) -> Result<i64, RuleError> {
    let [class_key, figures_key, original_key] =
        ["class", "figures", "original"].map(|name| format!("{side}.{name}"));
    let (class, figures): (Class, i64) = (s.choice(&class_key), s.whole(&figures_key));
    let (chart, original) = (chart_of(tables, arm), s.whole(&original_key));
    if original < figures {
        let reason = format!("the unit cannot have begun with fewer than its {figures} figures");
        return Err(s.refuse(&original_key, reason));
    }
    let Some(column) = chart.column(original) else {
        let (least, most) = chart.sizes();
        let chart = format!(
            "the rout chart for {} covers {least} to {most} original figures",
            arm.label()
        );
        return Err(if s.given().any(|(key, _)| key == original_key) {
            s.refuse(&original_key, chart)
        } else {
            let reason = format!(
                "{chart}, and these are the original ones unless `{original_key}` is given"
            );
            s.refuse(&figures_key, reason)
        });
    };
    chart.points(class, column).ok_or_else(|| {
        let reason = format!(
            "the rout chart for {} has only the classes {}",
            arm.label(),
            chart.classes().join(", ")
        );
        s.refuse(&class_key, reason)
    })
}

/// The rout chart an arm looks itself up in.
fn chart_of(tables: &Tables, arm: Arm) -> &Chart {
    match arm {
        Arm::Infantry | Arm::Cavalry => &tables.regiments,
        Arm::Sharpshooters | Arm::Artillery => &tables.companies,
    }
}
