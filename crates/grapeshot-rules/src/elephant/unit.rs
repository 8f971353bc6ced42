//! Units: what they are, what never changes about them, and what happens to them.

use super::commander::Fate;
use super::side::Side;
use super::tables::{PRINTED_GRADES, Tables};
use crate::{Labels, RuleError};

grapeshot_engine::labels! {
    /// What a unit is made of.
    pub enum UnitKind { Infantry = "infantry", Cavalry = "cavalry", Dismounted = "dismounted", Artillery = "artillery" }
}

grapeshot_engine::labels! {
    /// Training and experience, best first. `green` is rolled for when first needed.
    pub enum Grade { Elite = "elite", Veteran = "veteran", Regular = "regular", Poor = "poor", Militia = "militia", Green = "green" }
}

grapeshot_engine::labels! {
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

    /// The small arms, by name.
    pub(super) fn small_arms() -> &'static [&'static str] {
        &Self::LABELS[..Self::SMALL_ARMS]
    }

    /// The artillery, by name.
    pub(super) fn artillery() -> &'static [&'static str] {
        &Self::LABELS[Self::SMALL_ARMS..]
    }
}

grapeshot_engine::labels! {
    /// What a target stands behind, under fire.
    pub enum Cover { Open = "open", Soft = "soft", Hard = "hard" }
}

grapeshot_engine::labels! {
    /// What a defender stands behind, in a charge.
    pub enum Works { Open = "open", Wall = "wall", Fieldworks = "fieldworks" }
}

/// The row of no cover, under fire and in a charge alike: the other rows of both stand for the same things.
pub(super) const IN_THE_OPEN: usize = Cover::Open as usize;

grapeshot_engine::labels! {
    /// How a unit left its place the turn before.
    pub enum Withdrew { No = "no", Retreat = "retreat", Rout = "rout" }
}

/// What happens to a unit during a trial. What an option leaves out of play never changes here, so
/// it costs no states.
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
    /// Fires and fights a column worse.
    pub out_of_ammo: bool,
    /// Took effective fire from flank or rear.
    pub flank_fire: bool,
    /// How it withdrew the turn before.
    pub withdrew: Withdrew,
    /// What has become of its commander.
    pub commander: Fate,
}

impl Condition {
    /// So many regular stands to which nothing has happened.
    pub(super) fn fresh(stands: u8) -> Self {
        Condition {
            stands,
            hits: 0,
            panic: 0,
            grade: Grade::Regular,
            overenthusiastic: false,
            out_of_ammo: false,
            flank_fire: false,
            withdrew: Withdrew::No,
            commander: Fate::Absent,
        }
    }
}

/// What never changes about a unit during a trial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Regiment {
    pub hits_per_stand: u8,
    pub most_panic: u8,
    /// Stands at the start of the trial.
    pub stands: u8,
    /// Stands lost before it.
    pub stands_lost: u8,
    /// What its commander is worth while he leads.
    pub rating: u8,
    /// Whether his casualty dice are rolled.
    pub commander_risk: bool,
    /// Whether it takes its tests in or behind cover.
    pub covered: bool,
    /// The row of its morale value, if house rules gave it a grade of its own.
    pub own_value: Option<usize>,
    /// What house rules add to its tests.
    pub house: i64,
    pub start: Condition,
}

impl Regiment {
    /// Reads a side that takes its tests in the open.
    pub(super) fn read(tables: &Tables, side: &Side<'_>) -> Result<Self, RuleError> {
        let hits_per_stand = tables.hits_per_stand[side.kind.position()];
        let hits = side.whole("hits", 0) as u8;
        if hits >= hits_per_stand {
            let reason = format!(
                "{} loses a stand at {hits_per_stand} hits, so it carries at most {}",
                side.kind.label(),
                hits_per_stand - 1
            );
            return Err(side.refuse("hits", reason));
        }
        let stands = side.whole("stands", 1) as u8;
        let rating = side.whole("commander", 0) as u8;
        Ok(Regiment {
            hits_per_stand,
            most_panic: tables.most_panic,
            stands,
            stands_lost: side.whole("stands_lost", 0) as u8,
            rating,
            commander_risk: side.settings.flag_or_off("commander_risk"),
            covered: false,
            own_value: side.added::<Grade>("grade").map(|at| PRINTED_GRADES + at),
            house: (tables.house).shift("morale", "unit", side.settings, side.name),
            start: Condition {
                stands,
                hits,
                panic: side.whole("panic", 0) as u8,
                grade: side.choice("grade", Grade::Regular),
                overenthusiastic: side.flag("overenthusiastic"),
                out_of_ammo: side.flag("out_of_ammo"),
                flank_fire: side.flag("flank_fire"),
                withdrew: side.choice("withdrew", Withdrew::No),
                commander: if rating > 0 { Fate::Safe } else { Fate::Absent },
            },
        })
    }

    /// A regiment of infantry that begins so, its commander in danger if it has one.
    pub(super) fn in_line(tables: &Tables, start: Condition) -> Self {
        Regiment {
            hits_per_stand: tables.hits_per_stand[UnitKind::Infantry.position()],
            most_panic: tables.most_panic,
            stands: start.stands,
            stands_lost: 0,
            rating: 0,
            commander_risk: true,
            covered: false,
            own_value: None,
            house: 0,
            start,
        }
    }

    /// The same unit, testing in or behind cover or not.
    pub(super) fn covered(self, covered: bool) -> Self {
        Regiment { covered, ..self }
    }

    /// Receives panic markers, as many as it can carry.
    pub(super) fn panics(&self, unit: &mut Condition, markers: u8) {
        unit.panic = (unit.panic + markers).min(self.most_panic);
    }

    /// Takes hits; enough of them cost a stand.
    pub(super) fn is_hit(&self, unit: &mut Condition, hits: u8) {
        if hits == 0 {
            return;
        }
        let hits = unit.hits + hits;
        unit.stands = unit.stands.saturating_sub(hits / self.hits_per_stand);
        unit.hits = if unit.stands == 0 {
            0
        } else {
            hits % self.hits_per_stand
        };
    }

    /// Stands lost so far in this trial.
    pub(super) fn lost(&self, unit: &Condition) -> u8 {
        self.stands - unit.stands
    }

    /// What the commander is worth now: nothing once he has fallen.
    pub(super) fn led_by(&self, unit: &Condition) -> i64 {
        if unit.commander.leads() {
            i64::from(self.rating)
        } else {
            0
        }
    }
}

/// The markers a unit is reported with: none where nobody is left to carry them.
pub(super) fn markers_on(unit: &Condition) -> u8 {
    if unit.stands > 0 { unit.panic } else { 0 }
}
