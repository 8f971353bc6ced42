//! Charge impact: one opposed roll, the loser's check, and those of its supports.

use super::morale::check_odds;
use super::supports::{self, Checks, Supports};
use super::tables::{Band, Ease, Tables};
use super::unit::{Arm, Level, Levels, Moment, Unit, settings};
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How a charge ends.
    pub enum Outcome {
        AttackerWins = "attacker-wins" => Success, DefenderWins = "defender-wins" => Failure,
        StoppedShort = "stopped-short" => Undecided,
    }
}

grapeshot_engine::labels! {
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
        passes: &'static Odds<bool>,
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
                passes: check_odds(check_mmp + check - ease.check),
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
mod tests;
