//! Charge impact: one opposed roll, the loser's check, and those of its supports.

use super::morale::check_odds;
use super::supports::{self, Checks, Supports};
use super::tables::{Band, Ease, Tables};
use super::unit::{Arm, Level, Levels, Moment, Unit, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Row, Steps, row};
use crate::rules::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// How a charge ends.
    pub enum Outcome {
        AttackerWins = "attacker-wins" => Success, DefenderWins = "defender-wins" => Failure,
        StoppedShort = "stopped-short" => Undecided,
    }
}

crate::labels! {
    /// Where a defender is struck; full is full flank or rear.
    pub enum Flank { None = "none", Partial = "partial", Full = "full" }
}

/// What is reported as the loser's level when nobody lost.
const NO_LOSER: u16 = Level::ALL.len() as u16;

/// One side of a charge.
#[derive(Debug)]
struct Side {
    /// Impact value less charge MMP: what the dice are added to.
    impact: i64,
    level: Level,
    /// How many units support it.
    supports: u16,
    /// What happens to it as the loser, by band.
    verdicts: Vec<Verdict>,
    /// Inches it falls back less than the margin.
    spared: i64,
}

#[derive(Debug)]
enum Verdict {
    StopsShort,
    FallsBack {
        figures: u16,
        passes: Box<Odds<bool>>,
        supports: Checks,
    },
    Routs {
        figures: u16,
    },
}

/// What is known of a side before it charges or is charged.
struct Involved {
    unit: Unit,
    supports: Supports,
    /// Whether figures lost by the supports are counted with the unit's.
    counted: bool,
}

impl Side {
    /// `exposed` is the modifier for a flank that is charged; `ease` what it is spared as the loser.
    fn new(tables: &Tables, side: &Involved, moment: Moment, exposed: i64, ease: Ease) -> Self {
        let (unit, supports) = (&side.unit, &side.supports);
        let check_mmp = unit.mmp(tables, Moment::Check, exposed);
        let units = if side.counted {
            1 + supports.total()
        } else {
            1
        };
        let figures = |printed: i64| (printed - ease.figures).max(0) as u16 * units;
        let verdict = |band: &Band| match *band {
            Band::StopsShort => Verdict::StopsShort,
            Band::FallsBack {
                figures: lost,
                check,
            } => Verdict::FallsBack {
                figures: figures(lost),
                passes: Box::new(check_odds(check_mmp + check - ease.check)),
                supports: supports.checks(check - ease.check),
            },
            Band::Routs { figures: lost } => Verdict::Routs {
                figures: figures(lost),
            },
        };
        Side {
            impact: unit.impact(tables) - unit.mmp(tables, moment, exposed),
            level: unit.level,
            supports: supports.total(),
            verdicts: tables.results.iter().map(verdict).collect(),
            spared: ease.inches,
        }
    }
}

/// One charge. The attacker is the first side.
#[derive(Debug)]
struct Charge {
    tables: Arc<Tables>,
    dice: Odds<i64>,
    /// Inches at which it stops short.
    stops_at: Odds<u16>,
    sides: [Side; 2],
}

/// Where a charge has got to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    Impact,
    /// The loser's check.
    Check(Lost),
    /// Its supports' checks; its own came out at this level.
    Supports(Lost, Level),
}

/// Who lost, and by how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Lost {
    loser: u8,
    margin: u8,
}

impl Charge {
    fn new(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let involved = |side: &str| -> Result<Involved, RuleError> {
            Ok(Involved {
                unit: Unit::read(tables, s, side)?,
                supports: Supports::read(tables, s, side),
                counted: s.flag("count_supports"),
            })
        };
        let attacker = involved("attacker")?;
        let defender = involved("defender")?;
        let arm = attacker.unit.arm;
        if arm == Arm::Artillery {
            return Err(s.refuse("attacker.arm", "artillery does not charge"));
        }
        if attacker.unit.level == Level::Shaken {
            return Err(s.refuse("attacker.level", "shaken units cannot advance"));
        }
        let flank: Flank = s.choice("defender.flank");
        let flanked = match flank.position() {
            0 => 0,
            at => tables.flank[at - 1][arm.position()],
        };
        let nothing = Ease {
            inches: 0,
            figures: 0,
            check: 0,
        };
        let ease = tables.attacker_loses;
        Ok(Charge {
            sides: [
                Side::new(tables, &attacker, Moment::Charging, 0, ease),
                Side::new(tables, &defender, Moment::Charged, flanked, nothing),
            ],
            dice: Odds::new(Throw::d6_sum(2), i64::from),
            stops_at: Odds::new(Throw::d6_sum(tables.stops_short_dice), |dice| dice as u16),
            tables: Arc::clone(tables),
        })
    }

    fn verdict(&self, Lost { loser, margin }: Lost) -> &Verdict {
        let band = self.tables.margins.of(i64::from(margin));
        &self.sides[usize::from(loser)].verdicts[band]
    }

    /// A charge that somebody lost.
    fn report(&self, lost: Lost, figures: u16, level: Level, supports_worse: u16) -> Row {
        let loser = usize::from(lost.loser);
        let outcome = match loser {
            0 => Outcome::DefenderWins,
            _ => Outcome::AttackerWins,
        };
        let mut figures_lost = [0; 2];
        figures_lost[loser] = figures;
        row(&[
            outcome.position() as u16,
            u16::from(lost.margin),
            figures_lost[0],
            figures_lost[1],
            (i64::from(lost.margin) - self.sides[loser].spared).max(0) as u16,
            level.position() as u16,
            0,
            supports_worse,
        ])
    }
}

impl Steps for Charge {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["impact", "loser's check", "supports' checks"]
    }

    fn start(&self) -> State {
        State::Impact
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State::Impact => 0,
            State::Check(_) => 1,
            State::Supports(..) => 2,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let lost = match state {
            State::Impact => {
                let attacker = self.sides[0].impact + self.dice.roll(dice);
                let defender = self.sides[1].impact + self.dice.roll(dice);
                Lost {
                    loser: u8::from(attacker > defender),
                    margin: attacker.abs_diff(defender) as u8,
                }
            }
            State::Check(lost) | State::Supports(lost, _) => lost,
        };
        let side = &self.sides[usize::from(lost.loser)];
        match (self.verdict(lost), state) {
            (Verdict::StopsShort, _) => {
                let mut stopped = row(&[Outcome::StoppedShort.position() as u16]);
                stopped[1] = u16::from(lost.margin);
                stopped[5] = NO_LOSER;
                stopped[6] = self.stops_at.roll(dice);
                Next::Done(stopped)
            }
            (&Verdict::Routs { figures }, _) => {
                Next::Done(self.report(lost, figures, Level::Routed, side.supports))
            }
            (Verdict::FallsBack { .. }, State::Impact) => Next::Go(State::Check(lost)),
            (
                Verdict::FallsBack {
                    figures, passes, ..
                },
                State::Check(_),
            ) => {
                let level = match passes.roll(dice) {
                    true => side.level,
                    false => side.level.worse(),
                };
                match side.supports {
                    0 => Next::Done(self.report(lost, *figures, level, 0)),
                    _ => Next::Go(State::Supports(lost, level)),
                }
            }
            (
                Verdict::FallsBack {
                    figures, supports, ..
                },
                State::Supports(_, level),
            ) => Next::Done(self.report(lost, *figures, level, supports.worse(dice))),
        }
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let levels = Levels {
        allowed: &Level::LABELS[..3],
        usual: Level::Good,
    };
    let mut keys = Vec::new();
    for side in ["attacker", "defender"] {
        keys.extend(settings(side, levels));
        keys.extend(supports::settings(side));
    }
    keys.extend([
        Setting::choice(
            "defender.flank",
            Flank::None,
            "where the charge strikes it; full is full flank or rear",
        )
        .from("Bad situational morale modifiers, last line"),
        Setting::flag(
            "count_supports",
            "figures lost are those of the losing unit and all its supports together",
        )
        .from("Charge impact, results"),
    ]);
    let level_labels = Level::LABELS.iter().copied().chain(["none"]);
    Procedure {
        name: "charge".into(),
        about: "Two units meet in a charge; the loser and its supports fall back and take a check."
            .into(),
        source: "Charge impact".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "who wins the impact"),
            Variable::count("margin", "difference of the final impact values"),
            Variable::count("attacker_figures_lost", "figures the attacker loses"),
            Variable::count("defender_figures_lost", "figures the defender loses"),
            Variable::count("fall_back", "inches the loser falls back"),
            Variable::category(
                "loser_level",
                "the loser's morale level afterwards",
                level_labels,
            ),
            Variable::count("stopped_at", "inches at which it stops short; 0 otherwise"),
            Variable::count(
                "supports_worse",
                "supports of the loser that end a level or more worse",
            ),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Charge::new(&tables, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::impact::printed;
    use crate::rules::testing::{pairs, replay};

    fn steps(given: &str) -> Charge {
        let tables = printed();
        let settings = procedure(&tables).resolve(pairs(given)).unwrap();
        Charge::new(&tables, &settings).unwrap()
    }

    /// Outcome, margin, figures of attacker and defender, inches, level of the loser.
    fn charge(given: &str, readings: &[i32]) -> (&'static str, [u16; 4], &'static str) {
        let row = replay(&steps(given), readings);
        let levels = ["good", "disorder", "shaken", "routed", "none"];
        (
            Outcome::LABELS[usize::from(row[0])],
            [row[1], row[2], row[3], row[4]],
            levels[usize::from(row[5])],
        )
    }

    /// Two equal units: a leader makes up for the charging bonus of the attacker.
    const EVEN: &str = "defender.leader=1";

    #[test]
    fn impact_is_value_less_morale_point() {
        let impact = |given: &str| steps(given).sides.map(|side| side.impact);
        assert_eq!(impact(""), [6 - 4, 6 - 5]);
        assert_eq!(impact("attacker.formation=extended-line"), [4 - 4, 1]);
        assert_eq!(impact("attacker.formation=skirmish"), [1 - 4, 1]);
        assert_eq!(impact("attacker.formation=attack-column"), [8 - 4, 1]);
        assert_eq!(impact("attacker.formation=road-column"), [2 - 4, 1]);
        assert_eq!(impact("attacker.level=disorder"), [3 - 6, 1]);
        assert_eq!(impact("defender.level=shaken"), [2, -9]);
        assert_eq!(
            impact("attacker.arm=cavalry defender.flank=full"),
            [6 - 3, 6 - 11]
        );
        assert_eq!(impact("defender.flank=partial"), [2, 6 - 7]);
    }

    #[test]
    fn every_band_costs_a_defender_what_is_printed() {
        assert_eq!(
            charge(EVEN, &[7, 7, 3]),
            ("stopped-short", [0, 0, 0, 0], "none")
        );
        assert_eq!(
            charge(EVEN, &[8, 7, 3]),
            ("stopped-short", [1, 0, 0, 0], "none")
        );
        // A defender's check is at 5 - 1 + the band's number.
        assert_eq!(
            charge(EVEN, &[9, 7, 5]),
            ("attacker-wins", [2, 0, 1, 2], "good")
        );
        assert_eq!(
            charge(EVEN, &[9, 7, 4]),
            ("attacker-wins", [2, 0, 1, 2], "disorder")
        );
        assert_eq!(
            charge(EVEN, &[11, 7, 5]),
            ("attacker-wins", [4, 0, 1, 4], "good")
        );
        assert_eq!(
            charge(EVEN, &[12, 7, 6]),
            ("attacker-wins", [5, 0, 2, 5], "good")
        );
        assert_eq!(
            charge(EVEN, &[12, 5, 5]),
            ("attacker-wins", [7, 0, 2, 7], "disorder")
        );
        assert_eq!(
            charge(EVEN, &[12, 4, 7]),
            ("attacker-wins", [8, 0, 3, 8], "good")
        );
        assert_eq!(
            charge(EVEN, &[12, 2, 6]),
            ("attacker-wins", [10, 0, 3, 10], "disorder")
        );
        assert_eq!(
            charge("", &[12, 2]),
            ("attacker-wins", [11, 0, 4, 11], "routed")
        );
    }

    #[test]
    fn a_losing_attacker_is_spared_one_of_everything() {
        // Its check has no charging bonus: 5 + the band's number - 1.
        assert_eq!(
            charge(EVEN, &[7, 9, 5]),
            ("defender-wins", [2, 0, 0, 1], "good")
        );
        assert_eq!(
            charge(EVEN, &[7, 9, 4]),
            ("defender-wins", [2, 0, 0, 1], "disorder")
        );
        assert_eq!(
            charge(EVEN, &[5, 12, 6]),
            ("defender-wins", [7, 1, 0, 6], "good")
        );
        assert_eq!(
            charge(EVEN, &[2, 12, 6]),
            ("defender-wins", [10, 2, 0, 9], "disorder")
        );
        let given = "defender.leader=2";
        assert_eq!(
            charge(given, &[2, 12]),
            ("defender-wins", [11, 3, 0, 10], "routed")
        );
    }

    #[test]
    fn margins_beyond_the_chart_are_its_last_row() {
        let given = "attacker.formation=attack-column defender.level=shaken";
        assert_eq!(
            charge(given, &[12, 2]),
            ("attacker-wins", [23, 0, 4, 23], "routed")
        );
    }

    #[test]
    fn the_check_after_a_charge_is_not_a_charge() {
        // Two supports are -4 in the charge and -2 in the check; the flank counts in both. The last two
        // readings are the supports' own checks.
        let given = "defender.support_good=2 defender.flank=partial";
        assert_eq!(steps(given).sides[1].impact, 6 - (5 - 4 + 2));
        assert_eq!(
            charge(given, &[8, 4, 6, 2, 2]),
            ("attacker-wins", [3, 0, 1, 3], "good")
        );
        assert_eq!(
            charge(given, &[8, 4, 5, 12, 12]),
            ("attacker-wins", [3, 0, 1, 3], "disorder")
        );
        // Heavy works and cover do nothing for a charging attacker, and all for its check: 5 - 5 + 0.
        let given = "attacker.works=heavy attacker.cover=true defender.leader=1";
        assert_eq!(steps(given).sides[0].impact, 2);
        assert_eq!(
            charge(given, &[7, 9]),
            ("defender-wins", [2, 0, 0, 1], "good")
        );
    }

    /// Inches stopped at, supports that end worse.
    fn more(given: &str, readings: &[i32]) -> [u16; 2] {
        let row = replay(&steps(given), readings);
        [row[6], row[7]]
    }

    #[test]
    fn a_charge_that_stops_short_stops_at_the_reading_of_one_die() {
        assert_eq!(more(EVEN, &[7, 7, 1]), [1, 0]);
        assert_eq!(more(EVEN, &[7, 8, 6]), [6, 0]);
        assert_eq!(more(EVEN, &[9, 7, 5]), [0, 0]);
        // Supports neither help nor suffer when nobody loses.
        let supported = "attacker.support_good=2 defender.support_good=2 defender.leader=1";
        assert_eq!(more(supported, &[7, 7, 4]), [4, 0]);
    }

    #[test]
    fn every_support_of_the_loser_takes_the_same_check_by_its_own_grade_and_level() {
        // Trained 5, +1: 6 in good order, 8 disordered; those in good order roll first.
        let given = "defender.support_good=1 defender.support_disordered=2 defender.leader=1";
        assert_eq!(steps(given).sides[1].impact, 6 - 1);
        assert_eq!(more(given, &[12, 5, 12, 6, 8, 8]), [0, 0]);
        assert_eq!(more(given, &[12, 5, 12, 5, 7, 8]), [0, 2]);
        assert_eq!(more(given, &[12, 5, 2, 5, 7, 7]), [0, 3]);
        // A grade and a sum of modifiers of their own: 3 + 2 + 2 + 1, and nothing of the unit's.
        let given = "defender.support_disordered=1 defender.depleted=true defender.near_enemy=true \
                     defender.support_grade=elite defender.support_modifier=2";
        assert_eq!(more(given, &[2, 5, 12, 8]), [0, 0]);
        assert_eq!(more(given, &[2, 5, 12, 7]), [0, 1]);
    }

    #[test]
    fn supports_of_a_losing_attacker_are_spared_one_on_their_check() {
        let given = "attacker.support_good=1 defender.leader=3";
        assert_eq!(more(given, &[5, 7, 12, 5]), [0, 0]);
        assert_eq!(more(given, &[5, 7, 12, 4]), [0, 1]);
    }

    #[test]
    fn a_rout_takes_all_supports_along_unrolled() {
        let given = "attacker.formation=attack-column defender.support_disordered=2";
        assert_eq!(
            charge(given, &[12, 2]),
            ("attacker-wins", [11, 0, 4, 11], "routed")
        );
        assert_eq!(more(given, &[12, 2]), [0, 2]);
    }

    #[test]
    fn figures_of_the_supports_are_counted_only_if_asked_for() {
        let given = "defender.support_good=1 defender.support_disordered=2 defender.leader=1";
        let lost = |given: &str, readings: &[i32]| charge(given, readings).1[2];
        let readings = [12, 5, 12, 12, 12, 12];
        assert_eq!(lost(given, &readings), 1);
        assert_eq!(lost(&format!("{given} count_supports=true"), &readings), 4);
        let given = "attacker.support_good=2 defender.leader=4 count_supports=true";
        assert_eq!(charge(given, &[2, 10, 12, 12, 12]).1[1], 3 * (3 - 1));
    }
}
