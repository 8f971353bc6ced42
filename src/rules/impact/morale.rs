//! Morale checks and rallies.

use super::tables::Tables;
use super::unit::{Arm, Formation, Level, Moment, Unit, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// Why two dice are rolled against the MMP.
    pub enum Purpose { Check = "check", Rally = "rally" }
}

crate::labels! {
    /// Where enfilade fire comes from: side or partial flank, full flank or a column's front, rear.
    pub enum Enfilade { None = "none", Slight = "slight", Full = "full", Rear = "rear" }
}

crate::labels! {
    /// Whose fire it is.
    pub enum EnfiladeBy { Other = "other", Artillery = "artillery" }
}

/// Whether a check against an MMP passes: two dice at or above it.
pub(super) fn check_odds(mmp: i64) -> Odds<bool> {
    Odds::new(Throw::d6_sum(2), |dice| i64::from(dice) >= mmp)
}

/// The modifier for enfilade fire on a unit.
fn enfilade(tables: &Tables, unit: &Unit, from: Enfilade, by: EnfiladeBy) -> i64 {
    let line = match (unit.arm, unit.formation) {
        (_, Formation::RoadColumn | Formation::AttackColumn) => 1,
        (Arm::Artillery, _) => 0,
        _ => 2,
    };
    let by = match by {
        EnfiladeBy::Artillery => 0,
        EnfiladeBy::Other => 1,
    };
    match from.position() {
        0 => 0,
        at => tables.enfilade[line][at - 1][by],
    }
}

/// One check or rally.
#[derive(Debug)]
struct Test {
    odds: Odds<bool>,
    /// The level afterwards: failed, passed.
    levels: [Level; 2],
}

impl Test {
    fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let unit = Unit::read(tables, s, "unit")?;
        let purpose: Purpose = s.choice("purpose");
        let check = s.whole("check");
        let (by, levels) = match purpose {
            Purpose::Check => (
                s.choice("unit.enfilade_by"),
                [unit.level.worse(), unit.level],
            ),
            Purpose::Rally if check != 0 => {
                let reason = "a rally has no check number; it must be 0";
                return Err(s.refuse("check", reason));
            }
            Purpose::Rally => (EnfiladeBy::Other, [unit.level, unit.level.better()]),
        };
        let exposed = enfilade(tables, &unit, s.choice("unit.enfilade"), by);
        Ok(Test {
            odds: check_odds(unit.mmp(tables, Moment::Check, exposed) + check),
            levels,
        })
    }
}

impl Steps for Test {
    type State = ();

    fn phases(&self) -> &'static [&'static str] {
        &["morale check"]
    }

    fn start(&self) {}

    fn phase(&self, (): &()) -> usize {
        0
    }

    fn step<D: Dice>(&self, (): (), dice: &mut D) -> Next<()> {
        let passed = self.odds.roll(dice);
        let level = self.levels[usize::from(passed)];
        Next::Done(row(&[u16::from(passed), level.position() as u16]))
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let enfilade = "Bad situational morale modifiers, enfilade fire";
    let mut keys = settings("unit", Level::LABELS);
    keys.extend([
        Setting::choice(
            "unit.enfilade",
            Enfilade::None,
            "enfilade fire: slight from side or partial flank, full from full flank or a column's front",
        )
        .from(enfilade),
        Setting::choice(
            "unit.enfilade_by",
            EnfiladeBy::Other,
            "whose enfilade fire; a rally always reads other",
        )
        .from(enfilade),
        Setting::whole("check", 0..=4, 0, "the check's own number; 0 in a rally")
            .from("Modified Morale Point"),
        Setting::choice("purpose", Purpose::Check, "a check, or an attempt to rally")
            .from("Modified Morale Point"),
    ]);
    Procedure {
        name: "morale",
        about: "A unit takes a morale check, or tries to rally.",
        source: "The Basic Morale Point and the Modified Morale Point",
        composed: false,
        settings: keys,
        variables: vec![
            Variable::yes_no("passed", "whether two dice reach the MMP"),
            Variable::category(
                "level",
                "the morale level afterwards",
                Level::LABELS.iter().copied(),
            ),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Test::new(&tables, s)?))),
    }
}
