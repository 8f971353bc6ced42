//! Units: what they are, what can be set about them, and what they suffer.

use crate::rules::{Labels, RuleError, Setting, Settings};

crate::labels! {
    /// What a unit is made of.
    pub enum Kind { Infantry = "infantry", Cavalry = "cavalry", Dismounted = "dismounted", Artillery = "artillery" }
}

crate::labels! {
    /// Training and experience, best first. `green` is rolled for when first needed.
    pub enum Grade { Elite = "elite", Veteran = "veteran", Regular = "regular", Poor = "poor", Militia = "militia", Green = "green" }
}

crate::labels! {
    /// Everything that shoots; the first eight are the small arms.
    pub enum Weapon {
        Pistol = "pistol", Shotgun = "shotgun", MlCarbine = "ml-carbine", BlCarbine = "bl-carbine",
        Musket = "musket", RifleMusket = "rifle-musket", BlRifle = "bl-rifle", Repeater = "repeater",
        SixSmoothbore = "6lb-smoothbore", Napoleon = "12lb-napoleon", TwelveHowitzer = "12lb-howitzer",
        TwentyFourHowitzer = "24lb-howitzer", ThirtyTwoHowitzer = "32lb-howitzer", SixRifle = "6lb-rifle",
        Whitworth = "whitworth", ThreeInchRifle = "3in-rifle", TwentyRifle = "20lb-rifle",
        ThirtyRifle = "30lb-rifle", SiegeHowitzer = "siege-howitzer", Gunboat = "gunboat", Gatling = "gatling",
    }
}

impl Weapon {
    /// Whether the optional close-range column can apply.
    pub fn is_small_arm(self) -> bool {
        self.position() < Self::SMALL_ARMS
    }

    /// How many of the weapons are small arms; the others are artillery.
    pub const SMALL_ARMS: usize = 8;
}

crate::labels! {
    /// What a target stands behind, under fire.
    pub enum Cover { Open = "open", Soft = "soft", Hard = "hard" }
}

crate::labels! {
    /// What a defender stands behind, in a charge.
    pub enum Works { Open = "open", Wall = "wall", Fieldworks = "fieldworks" }
}

impl Works {
    /// The same under fire.
    pub fn under_fire(self) -> Cover {
        match self {
            Works::Open => Cover::Open,
            Works::Wall => Cover::Soft,
            Works::Fieldworks => Cover::Hard,
        }
    }
}

/// Every setting a unit can have, declared once; procedures name the ones that matter to them.
pub(super) fn setting(side: &str, name: &str) -> Setting {
    let key = format!("{side}.{name}");
    match name {
        "kind" => Setting::choice(key, Kind::Infantry, "what the unit is; cavalry is mounted")
            .from("Scales and stand sizes"),
        "grade" => Setting::choice(
            key,
            Grade::Regular,
            "morale grade; green is rolled once, when first needed",
        )
        .from("Morale grades and special skills"),
        "stands" => {
            Setting::whole(key, 1..=40, 10, "stands present").from("Scales and stand sizes")
        }
        "stands_lost" => Setting::whole(
            key,
            0..=40,
            0,
            "stands lost before; counts in morale tests only",
        )
        .from("Morale tests, modifiers"),
        "hits" => Setting::whole(key, 0..=2, 0, "hits carried, less than a stand's worth")
            .from("Morale tests and panic markers"),
        "panic" => Setting::whole(key, 0..=2, 0, "panic markers carried")
            .from("Morale tests and panic markers"),
        "weapon" => Setting::choice(key, Weapon::RifleMusket, "what it shoots with")
            .from("Small arms and artillery fire factors"),
        "commander" => Setting::whole(
            key,
            0..=3,
            0,
            "rating of an attached commander: brigade 1, division 2",
        )
        .from("Officers"),
        "withdrew" => Setting::one_of(
            key,
            &["no", "retreat", "rout"],
            "no",
            "withdrew the turn before",
        )
        .from("Morale tests, modifiers"),
        "flank_fire" => Setting::flag(key, "took effective fire from flank or rear this turn")
            .from("Morale tests, modifiers"),
        "defensive_fire" => {
            Setting::flag(key, "tests to give defensive fire").from("Morale tests, modifiers")
        }
        "in_cover" => Setting::flag(format!("{side}.cover"), "is in or behind cover")
            .from("Morale tests, modifiers"),
        "stationary" => Setting::flag_on(
            key,
            "does not move this phase; counts for all but artillery",
        )
        .from("Chart column shifts"),
        "marksmen" => Setting::flag(key, "has the marksmen skill").from("Chart column shifts"),
        "skirmishing" => Setting::flag(key, "fires as skirmishers").from("Chart column shifts"),
        "prolonging" => {
            Setting::flag(key, "artillery that prolongs this turn").from("Chart column shifts")
        }
        "csa_artillery" => {
            Setting::flag(key, "Confederate artillery (optional rule)").from("Chart column shifts")
        }
        "out_of_ammo" => Setting::flag(key, "is out of ammunition (optional rule)")
            .from("Chart column shifts; Melee modifiers"),
        "exposed" => Setting::flag(
            key,
            "limbered, mounted, in road column or enfiladed; implied by cavalry",
        )
        .from("Chart column shifts"),
        "ranks" => Setting::whole(key, 1..=3, 1, "ranks deep; 3 is three or more, or square")
            .from("Chart column shifts; Melee modifiers"),
        "unlimbered" => Setting::flag(key, "unlimbered artillery").from("Chart column shifts"),
        "prone" => Setting::flag(key, "is prone").from("Chart column shifts"),
        "cover" => {
            Setting::choice(key, Cover::Open, "cover against fire").from("Chart column shifts")
        }
        "works" => Setting::choice(format!("{side}.cover"), Works::Open, "what it defends")
            .from("Melee modifiers"),
        "uphill" => Setting::flag(key, "stands uphill from the enemy").from("Melee modifiers"),
        "crossing" => Setting::flag(key, "is crossing a ford or stream").from("Melee modifiers"),
        "flank" => {
            Setting::flag(key, "strikes flank or rear").from("Melee modifiers; Combat phase")
        }
        "lance" => Setting::flag(key, "shotgun or lance against cavalry").from("Melee modifiers"),
        "overenthusiastic" => Setting::flag(key, "is overenthusiastic").from("Melee modifiers"),
        "woods" => Setting::flag(key, "is in woods; matters to cavalry only")
            .from("Combat phase; Movement phase"),
        other => unreachable!("no unit setting is called {other}"),
    }
}

/// The settings of a side, by name.
pub(super) fn settings(side: &str, names: &[&str]) -> Vec<Setting> {
    names.iter().map(|name| setting(side, name)).collect()
}

/// What happens to a unit during a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// Stands left.
    pub stands: u8,
    /// Hits on the next stand to go.
    pub hits: u8,
    /// Panic markers.
    pub panic: u8,
    /// The grade; green until it is rolled.
    pub grade: Grade,
    /// Passed its last test by a modified 0 or less.
    pub overenthusiastic: bool,
}

/// What never changes about a unit during a trial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Regiment {
    pub kind: Kind,
    pub hits_per_stand: u8,
    pub most_panic: u8,
    /// Stands at the start of the trial.
    pub stands: u8,
    /// Stands lost before it.
    pub stands_lost: u8,
    pub commander: u8,
    pub start: Condition,
}

impl Regiment {
    pub(super) fn new(
        tables: &super::tables::Tables,
        s: &Settings,
        side: &str,
    ) -> Result<Self, RuleError> {
        let key = |name: &str| format!("{side}.{name}");
        let kind: Kind = s.choice(&key("kind"));
        let hits_per_stand = tables.hits_per_stand[kind.position()];
        let hits = s.whole_or(&key("hits"), 0) as u8;
        if hits >= hits_per_stand {
            let reason = format!(
                "{} loses a stand at {hits_per_stand} hits, so it carries at most {}",
                kind.label(),
                hits_per_stand - 1
            );
            return Err(s.refuse(&key("hits"), reason));
        }
        let stands = s.whole(&key("stands")) as u8;
        Ok(Regiment {
            kind,
            hits_per_stand,
            most_panic: tables.most_panic,
            stands,
            stands_lost: s.whole_or(&key("stands_lost"), 0) as u8,
            commander: s.whole_or(&key("commander"), 0) as u8,
            start: Condition {
                stands,
                hits,
                panic: s.whole_or(&key("panic"), 0) as u8,
                grade: s.choice_or(&key("grade"), Grade::Regular),
                overenthusiastic: false,
            },
        })
    }

    /// Hits and as many panic markers; the markers also come without hits.
    pub(super) fn suffers(&self, mut unit: Condition, hits: u8, panic: u8) -> Condition {
        unit.panic = (unit.panic + panic).min(self.most_panic);
        let hits = unit.hits + hits;
        unit.stands = unit.stands.saturating_sub(hits / self.hits_per_stand);
        unit.hits = hits % self.hits_per_stand;
        if unit.stands == 0 {
            unit.hits = 0;
        }
        unit
    }

    /// Stands lost so far in this trial.
    pub(super) fn lost(&self, unit: Condition) -> u8 {
        self.stands - unit.stands
    }
}
