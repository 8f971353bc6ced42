//! Morale: the points of a unit, and when it routs.

use super::kinds::{Arm, Cover};
use super::officer::Fate;
use super::permitted::chart_of;
use super::tables::{MoralePoints, Tables};
use super::unit::Condition;
use crate::{Labels, Of, RuleError, Settings};

/// All that counts for a unit's points beside its figures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Situation {
    /// The cover it really stands in.
    pub cover: Cover,
    pub officer_attached: bool,
    pub formation_fail: bool,
    pub officer_fail: bool,
    pub isolated: bool,
    pub cavalry_near: bool,
    pub saw_rout: bool,
}

impl MoralePoints {
    /// The points of a unit with so many figures in this situation.
    pub(super) fn total(&self, figures: u8, now: &Situation) -> i64 {
        let on = |flag: bool, points: i64| i64::from(flag) * points;
        i64::from(figures)
            + self.cover[now.cover.position()]
            + on(now.officer_attached, self.officer_attached)
            + on(now.formation_fail, self.formation_fail)
            + on(now.officer_fail, self.officer_fail)
            + on(now.isolated, self.isolated)
            + on(now.cavalry_near, self.cavalry_near)
            + on(now.saw_rout, self.saw_rout)
    }
}

/// When a unit routs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nerve {
    points: MoralePoints,
    /// Points at or below which it routs; nothing for an officer alone, who takes no test.
    routs_at: Option<i64>,
    /// Points that house rules add.
    house: i64,
    /// As set: what the fight changes comes from the unit's condition.
    situation: Situation,
    /// Whether an officer is in reach to take over from one who is killed.
    successor: bool,
}

impl Nerve {
    /// Reads a side whose cover is known.
    pub(super) fn read(
        tables: &Tables,
        s: &Settings,
        side: &str,
        arm: Arm,
        cover: Cover,
    ) -> Result<Self, RuleError> {
        let key = |name| Of(side, name);
        let flag = |name| s.flag_or_off(key(name));
        Ok(Nerve {
            points: tables.morale,
            house: tables.house.shift("morale", "unit", s, side),
            routs_at: match arm {
                Arm::Officer => None,
                _ => Some(rout_points(tables, s, side, arm)?),
            },
            situation: Situation {
                cover,
                officer_attached: flag("officer_attached"),
                formation_fail: flag("formation_fail"),
                officer_fail: flag("officer_fail"),
                isolated: flag("isolated"),
                cavalry_near: flag("cavalry_near"),
                saw_rout: flag("saw_rout"),
            },
            successor: s.find(key("successor")).is_none() || s.flag(key("successor")),
        })
    }

    /// Whether a unit that has lost figures routs.
    pub(super) fn routs(&self, now: Condition) -> bool {
        let situation = Situation {
            officer_attached: now.officer == Fate::Safe,
            formation_fail: now.formation_fail,
            officer_fail: self.situation.officer_fail || self.leaderless(now),
            ..self.situation
        };
        let points = self.points.total(now.figures, &situation) + self.house;
        now.figures == 0 || self.routs_at.is_some_and(|routs_at| points <= routs_at)
    }

    /// Whether its officer is dead and nobody takes over.
    pub(super) fn leaderless(&self, now: Condition) -> bool {
        now.officer == Fate::Killed && !self.successor
    }
}

/// The chart's number for a unit whose size the chart has.
fn rout_points(tables: &Tables, s: &Settings, side: &str, arm: Arm) -> Result<i64, RuleError> {
    let [class, original] = ["class", "original"].map(|name| Of(side, name));
    let chart = chart_of(tables, arm);
    let column = chart.column(s.whole(original));
    let column = column.expect("the size was checked before");
    chart.points(s.choice(class), column).ok_or_else(|| {
        let classes = chart.classes().join(", ");
        let reason = format!(
            "the rout chart for {} has only the classes {classes}",
            arm.label()
        );
        s.refuse(class, reason)
    })
}
