//! Morale checks and rallies.

use super::tables::Tables;
use super::unit::{Arm, Formation, Level, Levels, Moment, Unit, settings};
use crate::{Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::{Arc, LazyLock};

grapeshot_engine::labels! {
    /// Why two dice are rolled against the MMP.
    pub enum Purpose { Check = "check", Rally = "rally" }
}

grapeshot_engine::labels! {
    /// Where enfilade fire comes from: side or partial flank, full flank or a column's front, rear.
    pub enum Enfilade { None = "none", Slight = "slight", Full = "full", Rear = "rear" }
}

grapeshot_engine::labels! {
    /// Whose fire it is.
    pub enum EnfiladeBy { Other = "other", Artillery = "artillery" }
}

/// What two dice can come to.
const LEAST: i64 = 2;
const MOST: i64 = 12;

/// Whether a check against an MMP passes: two dice at or above it. Every question asks for several of the dozen that
/// there are.
pub(super) fn check_odds(mmp: i64) -> &'static Odds<bool> {
    static CHECKS: LazyLock<Vec<Odds<bool>>> = LazyLock::new(|| {
        let check = |mmp: i64| Odds::new(Throw::d6_sum(2), |dice| i64::from(dice) >= mmp);
        (LEAST..=MOST + 1).map(check).collect()
    });
    &CHECKS[(mmp.clamp(LEAST, MOST + 1) - LEAST) as usize]
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

/// Whether a unit rallies if it tries at the level it has: no check number, and enfilade counts as
/// that of other fire.
pub(super) fn rally_odds(tables: &Tables, unit: &Unit, from: Enfilade) -> &'static Odds<bool> {
    let exposed = enfilade(tables, unit, from, EnfiladeBy::Other);
    check_odds(unit.mmp(tables, Moment::Check, exposed))
}

/// One check or rally.
#[derive(Debug)]
struct Test {
    odds: &'static Odds<bool>,
    /// The level afterwards: failed, passed.
    levels: [Level; 2],
}

impl Test {
    fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let unit = Unit::read(tables, s, "unit")?;
        let from: Enfilade = s.choice("unit.enfilade");
        let check = s.whole("check");
        match s.choice("purpose") {
            Purpose::Check => {
                let exposed = enfilade(tables, &unit, from, s.choice("unit.enfilade_by"));
                let mmp = unit.mmp(tables, Moment::Check, exposed);
                Ok(Test {
                    odds: check_odds(mmp + check),
                    levels: [unit.level.worse(), unit.level],
                })
            }
            Purpose::Rally if check != 0 => {
                let reason = "a rally has no check number; it must be 0";
                Err(s.refuse("check", reason))
            }
            Purpose::Rally => Ok(Test {
                odds: rally_odds(tables, &unit, from),
                levels: [unit.level, unit.level.better()],
            }),
        }
    }
}

impl OneStep for Test {
    const PHASE: &'static str = "morale check";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        let passed = self.odds.roll(dice);
        let level = self.levels[usize::from(passed)];
        row(&[u16::from(passed), level.position() as u16])
    }
}

/// Where the enfilade modifiers are printed.
const ENFILADE: &str = "Bad situational morale modifiers, enfilade fire";

/// The setting for enfilade fire on the unit.
pub(super) fn enfilade_setting() -> Setting {
    Setting::choice(
        "unit.enfilade",
        Enfilade::None,
        "enfilade fire: slight from side or partial flank, full from full flank or a column's front",
    )
    .from(ENFILADE)
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let mut keys = settings(
        "unit",
        Levels {
            allowed: Level::LABELS,
            usual: Level::Good,
        },
    );
    keys.extend([
        enfilade_setting(),
        Setting::choice(
            "unit.enfilade_by",
            EnfiladeBy::Other,
            "whose enfilade fire; a rally always reads other",
        )
        .from(ENFILADE),
        Setting::whole("check", 0..=4, 0, "the check's own number; 0 in a rally")
            .from("Modified Morale Point"),
        Setting::choice("purpose", Purpose::Check, "a check, or an attempt to rally")
            .from("Modified Morale Point"),
    ]);
    Procedure {
        name: "morale".into(),
        about: "A unit takes a morale check, or tries to rally.".into(),
        source: "The Basic Morale Point and the Modified Morale Point".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Variable::yes_no("passed", "whether two dice reach the MMP")
                .favouring([Favour::Failure, Favour::Success]),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::printed;
    use crate::testing::{pairs, replay};

    fn test(given: &str, readings: &[i32]) -> (bool, &'static str) {
        let tables = printed();
        let settings = procedure(&tables).resolve(pairs(given)).unwrap();
        let row = replay(&Test::new(&tables, &settings).unwrap(), readings);
        (row[0] == 1, Level::LABELS[usize::from(row[1])])
    }

    /// The lowest sum of two dice that passes.
    fn needs(given: &str) -> i32 {
        let found = (3..=12).find(|&dice| test(given, &[dice]).0);
        let needed = found.expect("a check that two dice can pass or fail");
        assert!(!test(given, &[needed - 1]).0, "{given}");
        needed
    }

    #[test]
    fn grades_levels_and_wear_make_the_basic_point() {
        assert_eq!(needs(""), 5);
        assert_eq!(needs("unit.grade=elite"), 3);
        assert_eq!(needs("unit.grade=veteran"), 4);
        assert_eq!(needs("unit.grade=green"), 6);
        assert_eq!(needs("unit.level=disorder"), 7);
        assert_eq!(needs("unit.level=shaken"), 9);
        assert_eq!(needs("unit.level=routed"), 11);
        assert_eq!(needs("unit.depleted=true"), 10);
        assert_eq!(needs("unit.arm=artillery unit.sections_lost=2"), 11);
        assert_eq!(needs("check=4"), 9);
        assert_eq!(needs("check=4 unit.leader=3"), 6);
    }

    #[test]
    fn the_two_best_and_the_two_worst_modifiers_count() {
        let base = "unit.level=shaken";
        let needs = |given: &str| needs(&format!("{base} {given}"));
        assert_eq!(needs("unit.works=hasty"), 8);
        assert_eq!(needs("unit.works=light unit.cover=true"), 6);
        assert_eq!(
            needs("unit.works=light unit.cover=true unit.support_good=3"),
            5
        );
        assert_eq!(needs("unit.behind_friends=true unit.cover=true check=4"), 6);
        assert_eq!(needs("unit.support_disordered=3"), 9);
        assert_eq!(needs("unit.near_enemy=true"), 10);
        assert_eq!(needs("unit.brigade_losses=2"), 11);
        assert_eq!(
            needs("unit.near_enemy=true unit.brigade_losses=1 unit.merged=true"),
            12
        );
        // The leader is apart from the two best.
        assert_eq!(needs("unit.works=light unit.cover=true unit.leader=2"), 4);
    }

    #[test]
    fn enfilade_depends_on_where_from_and_whose_fire() {
        let by = |whose: &str| {
            ["slight", "full", "rear"]
                .map(|from| needs(&format!("unit.enfilade={from} unit.enfilade_by={whose}")) - 5)
        };
        assert_eq!(by("other"), [1, 2, 3]);
        assert_eq!(by("artillery"), [2, 4, 5]);
        let rally = "unit.enfilade=rear unit.enfilade_by=artillery purpose=rally";
        assert_eq!(needs(rally), 8);
    }

    #[test]
    fn levels_move_one_step_and_stop_at_the_ends() {
        assert_eq!(test("", &[4]), (false, "disorder"));
        assert_eq!(test("unit.level=disorder", &[2]), (false, "shaken"));
        assert_eq!(test("unit.level=shaken", &[2]), (false, "routed"));
        assert_eq!(test("unit.level=routed", &[2]), (false, "routed"));
        assert_eq!(test("unit.level=routed", &[12]), (true, "routed"));
        assert_eq!(
            test("unit.level=routed purpose=rally", &[12]),
            (true, "shaken")
        );
        assert_eq!(
            test("unit.level=routed purpose=rally", &[2]),
            (false, "routed")
        );
        assert_eq!(test("purpose=rally", &[12]), (true, "good"));
    }

    #[test]
    fn a_point_no_dice_can_miss_or_reach_is_not_rolled_for() {
        assert_eq!(
            test("unit.grade=elite unit.works=heavy unit.leader=4", &[]),
            (true, "good")
        );
        assert_eq!(test("unit.level=routed check=4", &[]), (false, "routed"));
    }
}
