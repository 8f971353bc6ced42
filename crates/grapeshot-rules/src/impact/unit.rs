//! Units: what they are, what can be set about them, and their modified morale point.

use super::tables::Tables;
use crate::{Labels, Of, RuleError, Setting, Settings};

grapeshot_engine::labels! {
    /// Training and experience, best first.
    pub enum Grade { Elite = "elite", Veteran = "veteran", Trained = "trained", Green = "green" }
}

grapeshot_engine::labels! {
    /// What a unit is made of.
    pub enum Arm { Infantry = "infantry", Cavalry = "cavalry", Artillery = "artillery" }
}

grapeshot_engine::labels! {
    /// How it is drawn up.
    pub enum Formation {
        BattleLine = "battle-line", ExtendedLine = "extended-line", Skirmish = "skirmish",
        AttackColumn = "attack-column", RoadColumn = "road-column",
    }
}

grapeshot_engine::labels! {
    /// Its morale level, best first.
    pub enum Level { Good = "good", Disorder = "disorder", Shaken = "shaken", Routed = "routed" }
}

impl Level {
    /// One level worse; routed stays routed.
    pub fn worse(self) -> Level {
        Level::ALL[(self.position() + 1).min(Level::ALL.len() - 1)]
    }

    /// One level better; good stays good.
    pub fn better(self) -> Level {
        Level::ALL[self.position().saturating_sub(1)]
    }
}

grapeshot_engine::labels! {
    /// What it stands behind.
    pub enum Works { None = "none", Hasty = "hasty", Light = "light", Heavy = "heavy" }
}

/// What a unit is doing when its morale point is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// It charges.
    Charging,
    /// It is charged.
    Charged,
    /// It takes a check or rallies.
    Check,
}

/// The keys of a unit, in the order in which they are listed.
const NAMES: [&str; 15] = [
    "grade",
    "arm",
    "formation",
    "level",
    "depleted",
    "sections_lost",
    "leader",
    "works",
    "behind_friends",
    "cover",
    "support_good",
    "support_disordered",
    "near_enemy",
    "brigade_losses",
    "merged",
];

/// The morale levels a unit may have in a procedure, and the one it has if nobody says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Levels {
    pub allowed: &'static [&'static str],
    pub usual: Level,
}

/// The settings of a side.
pub(super) fn settings(side: &str, levels: Levels) -> Vec<Setting> {
    NAMES.map(|name| setting(side, name, levels)).into()
}

/// Every setting a unit can have, declared once.
pub(super) fn setting(side: &str, name: &str, levels: Levels) -> Setting {
    let key = format!("{side}.{name}");
    let good = "Good situational morale modifiers";
    let bad = "Bad situational morale modifiers";
    match name {
        "grade" => Setting::choice(key, Grade::Trained, "its basic morale point")
            .from("The Basic Morale Point"),
        "arm" => Setting::choice(key, Arm::Infantry, "what the unit is")
            .from("The Basic Morale Point; Good situational morale modifiers"),
        "formation" => Setting::choice(
            key,
            Formation::BattleLine,
            "how it is drawn up: its impact and pace in good order, and its line of the enfilade modifiers",
        )
        .from("Infantry formations; Enfilade fire"),
        "level" => Setting::one_of(
            key,
            levels.allowed,
            levels.usual.label(),
            "its morale level",
        )
        .from("Modified Morale Point"),
        "depleted" => Setting::flag(
            key,
            "infantry or cavalry with one stand left: doubles its basic point",
        )
        .from("The Basic Morale Point"),
        "sections_lost" => Setting::whole(key, 0..=3, 0, "sections an artillery battery has lost")
            .from("The Basic Morale Point"),
        "leader" => Setting::whole(key, 0..=4, 0, "leadership benefit of an adjacent leader")
            .from("MMP formula"),
        "works" => {
            Setting::choice(key, Works::None, "works it is in; not while it charges").from(good)
        }
        "behind_friends" => {
            Setting::flag(key, "is six inches or more behind intervening friends").from(good)
        }
        "cover" => Setting::flag(key, "is in or behind cover; not while it charges").from(good),
        "support_good" => {
            Setting::whole(key, 0..=3, 0, "adjacent supporting units in good order").from(good)
        }
        "support_disordered" => {
            Setting::whole(key, 0..=3, 0, "adjacent supporting units in disorder").from(good)
        }
        "near_enemy" => Setting::flag(key, "is within two inches of an enemy").from(bad),
        "brigade_losses" => Setting::whole(
            key,
            0..=2,
            0,
            "regiments or leaders of its brigade eliminated; more than two count as two",
        )
        .from(bad),
        "merged" => Setting::flag(key, "is a merged regiment").from(bad),
        other => unreachable!("no unit setting is called {other}"),
    }
}

/// A unit in its situation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub arm: Arm,
    pub formation: Formation,
    pub level: Level,
    basic: i64,
    leader: i64,
    works: i64,
    cover: i64,
    behind_friends: i64,
    /// Supporting units: in good order, disordered.
    support: [i64; 2],
    /// Bad modifiers that are always there; what the enemy does comes on top.
    bad: [i64; 3],
    /// What house rules add to its MMP, and to its impact.
    house: [i64; 2],
}

impl Unit {
    /// Reads a side.
    ///
    /// # Errors
    /// If it is worn in a way its arm cannot be.
    pub(super) fn read(tables: &Tables, s: &Settings, side: &str) -> Result<Self, RuleError> {
        let key = |name| Of(side, name);
        let on = |name, modifier: i64| i64::from(s.flag(key(name))) * modifier;
        let arm: Arm = s.choice(key("arm"));
        let (depleted, sections) = (s.flag(key("depleted")), s.whole(key("sections_lost")));
        if depleted && arm == Arm::Artillery {
            let reason =
                "only infantry and cavalry are depleted at one stand; artillery loses sections";
            return Err(s.refuse(key("depleted"), reason));
        }
        if sections > 0 && arm != Arm::Artillery {
            let reason = format!(
                "only artillery has sections to lose, and this is {}",
                arm.label()
            );
            return Err(s.refuse(key("sections_lost"), reason));
        }
        let factor = if depleted { tables.depleted_factor } else { 1 };
        let grade: Grade = s.choice(key("grade"));
        let losses = s.whole(key("brigade_losses")) * tables.bad.brigade_loss;
        Ok(Unit {
            arm,
            formation: s.choice(key("formation")),
            level: s.choice(key("level")),
            basic: tables.basic[grade.position()] * factor + tables.section_lost * sections,
            leader: s.whole(key("leader")) * tables.leader_counts,
            works: tables.good.works[s.choice::<Works>(key("works")).position()],
            cover: on("cover", tables.good.cover),
            behind_friends: on("behind_friends", tables.good.behind_friends),
            support: [
                s.whole(key("support_good")),
                s.whole(key("support_disordered")),
            ],
            bad: [
                on("near_enemy", tables.bad.near_enemy),
                losses.min(tables.bad.brigade_loss_most),
                on("merged", tables.bad.merged),
            ],
            house: ["morale", "impact"].map(|sum| tables.house.shift(sum, "unit", s, side)),
        })
    }

    /// The same unit at another morale level.
    pub(super) fn at(self, level: Level) -> Self {
        Unit { level, ..self }
    }

    /// Its modified morale point. `exposed` is the modifier for a flank or enfilade. Only a charge
    /// keeps it within bounds.
    pub(super) fn mmp(&self, tables: &Tables, moment: Moment, exposed: i64) -> i64 {
        let charging = moment == Moment::Charging;
        let unless_charging = |modifier: i64| if charging { 0 } else { modifier };
        let support = &tables.support[usize::from(moment != Moment::Check)];
        let supported = self.support[0] * support.good + self.support[1] * support.disorder;
        let mut good = [
            unless_charging(self.works),
            unless_charging(self.cover),
            self.behind_friends,
            if charging {
                tables.good.charging[self.arm.position()]
            } else {
                0
            },
            supported.max(support.best),
        ];
        good.sort_unstable();
        let mut bad = [exposed, self.bad[0], self.bad[1], self.bad[2]];
        bad.sort_unstable_by(|a, b| b.cmp(a));
        let counted = tables.modifiers_counted;
        let situation: i64 = good
            .iter()
            .take(counted)
            .chain(bad.iter().take(counted))
            .sum();
        let mmp = self.basic + tables.levels[self.level.position()] + situation - self.leader
            + self.house[0];
        match moment {
            Moment::Check => mmp,
            _ => mmp.clamp(tables.charge_mmp.0, tables.charge_mmp.1),
        }
    }

    /// Its impact value.
    pub(super) fn impact(&self, tables: &Tables) -> i64 {
        let printed = match self.level {
            Level::Good => tables.impact.formations[self.formation.position()],
            Level::Disorder => tables.impact.disorder,
            Level::Shaken | Level::Routed => tables.impact.shaken,
        };
        printed + self.house[1]
    }
}
