//! Charge impact: one opposed roll, and the loser's check.

use super::morale::check_odds;
use super::tables::{Band, Ease, Tables};
use super::unit::{Arm, Level, Moment, Unit, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Row, Steps, row};
use crate::rules::{Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// How a charge ends.
    pub enum Outcome {
        AttackerWins = "attacker-wins", DefenderWins = "defender-wins", StoppedShort = "stopped-short",
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
    /// What happens to it as the loser, by band.
    verdicts: Vec<Verdict>,
    /// Inches it falls back less than the margin.
    spared: i64,
}

#[derive(Debug)]
enum Verdict {
    StopsShort,
    FallsBack { figures: u16, passes: Odds<bool> },
    Routs { figures: u16 },
}

impl Side {
    /// `exposed` is the modifier for a flank that is charged; `ease` what it is spared as the loser.
    fn new(tables: &Tables, unit: &Unit, moment: Moment, exposed: i64, ease: Ease) -> Self {
        let check_mmp = unit.mmp(tables, Moment::Check, exposed);
        let figures = |printed: i64| (printed - ease.figures).max(0) as u16;
        let verdict = |band: &Band| match *band {
            Band::StopsShort => Verdict::StopsShort,
            Band::FallsBack {
                figures: lost,
                check,
            } => Verdict::FallsBack {
                figures: figures(lost),
                passes: check_odds(check_mmp + check - ease.check),
            },
            Band::Routs { figures: lost } => Verdict::Routs {
                figures: figures(lost),
            },
        };
        Side {
            impact: unit.impact(tables) - unit.mmp(tables, moment, exposed),
            level: unit.level,
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
    sides: [Side; 2],
}

/// Where a charge has got to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    Impact,
    Check { loser: u8, margin: u8 },
}

impl Charge {
    fn new(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let attacker = Unit::read(tables, s, "attacker")?;
        let defender = Unit::read(tables, s, "defender")?;
        if attacker.arm == Arm::Artillery {
            return Err(s.refuse("attacker.arm", "artillery does not charge"));
        }
        if attacker.level == Level::Shaken {
            return Err(s.refuse("attacker.level", "shaken units cannot advance"));
        }
        let flank: Flank = s.choice("defender.flank");
        let flanked = match flank.position() {
            0 => 0,
            at => tables.flank[at - 1][attacker.arm.position()],
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
            tables: Arc::clone(tables),
        })
    }

    /// A charge that somebody lost.
    fn lost(&self, loser: u8, margin: u8, figures: u16, level: Level) -> Row {
        let outcome = match loser {
            0 => Outcome::DefenderWins,
            _ => Outcome::AttackerWins,
        };
        let mut lost = [0; 2];
        lost[usize::from(loser)] = figures;
        let spared = self.sides[usize::from(loser)].spared;
        row(&[
            outcome.position() as u16,
            u16::from(margin),
            lost[0],
            lost[1],
            (i64::from(margin) - spared).max(0) as u16,
            level.position() as u16,
        ])
    }
}

impl Steps for Charge {
    type State = State;

    fn phases(&self) -> &'static [&'static str] {
        &["impact", "loser's check"]
    }

    fn start(&self) -> State {
        State::Impact
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State::Impact => 0,
            State::Check { .. } => 1,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let (loser, margin) = match state {
            State::Impact => {
                let attacker = self.sides[0].impact + self.dice.roll(dice);
                let defender = self.sides[1].impact + self.dice.roll(dice);
                (
                    u8::from(attacker > defender),
                    attacker.abs_diff(defender) as u8,
                )
            }
            State::Check { loser, margin } => (loser, margin),
        };
        let side = &self.sides[usize::from(loser)];
        match (
            &side.verdicts[self.tables.margins.of(i64::from(margin))],
            state,
        ) {
            (Verdict::StopsShort, _) => Next::Done(row(&[
                Outcome::StoppedShort.position() as u16,
                u16::from(margin),
                0,
                0,
                0,
                NO_LOSER,
            ])),
            (&Verdict::Routs { figures }, _) => {
                Next::Done(self.lost(loser, margin, figures, Level::Routed))
            }
            (Verdict::FallsBack { .. }, State::Impact) => Next::Go(State::Check { loser, margin }),
            (Verdict::FallsBack { figures, passes }, State::Check { .. }) => {
                let level = match passes.roll(dice) {
                    true => side.level,
                    false => side.level.worse(),
                };
                Next::Done(self.lost(loser, margin, *figures, level))
            }
        }
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let levels = &Level::LABELS[..3];
    let mut keys = settings("attacker", levels);
    keys.extend(settings("defender", levels));
    keys.push(
        Setting::choice(
            "defender.flank",
            Flank::None,
            "where the charge strikes it; full is full flank or rear",
        )
        .from("Bad situational morale modifiers, last line"),
    );
    let level_labels = Level::LABELS.iter().copied().chain(["none"]);
    Procedure {
        name: "charge",
        about: "Two units meet in a charge; the loser falls back and takes a check.",
        source: "Charge impact",
        composed: false,
        settings: keys,
        variables: vec![
            Variable::category(
                "outcome",
                "who wins the impact",
                Outcome::LABELS.iter().copied(),
            ),
            Variable::count("margin", "difference of the final impact values"),
            Variable::count("attacker_figures_lost", "figures the attacker loses"),
            Variable::count("defender_figures_lost", "figures the defender loses"),
            Variable::count("fall_back", "inches the loser falls back"),
            Variable::category(
                "loser_level",
                "the loser's morale level afterwards",
                level_labels,
            ),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Charge::new(&tables, s)?))),
    }
}
