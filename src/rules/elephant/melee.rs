//! Combat hand to hand: odds, shifts, the printed cell and what it means.

use super::morale::MoraleChart;
use super::tables::{ByRole, Cell, Fate, Tables};
use super::unit::{Condition, Grade, Kind, Regiment, Works, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// Who holds the field.
    pub enum Winner { Attacker = "attacker" => Success, Defender = "defender" => Failure, Nobody = "none" => Undecided }
}

/// What a combat came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Combat {
    pub winner: Winner,
    /// Position of the cell among the labels.
    pub cell: u16,
    pub attacker_lost: u8,
    pub defender_lost: u8,
    pub attacker_captured: u8,
    pub defender_captured: u8,
}

/// The combat table and everything about the two sides that does not change during a trial.
#[derive(Debug)]
pub(super) struct Melee {
    columns: Vec<Odds<(Cell, u16)>>,
    odds: Vec<(i64, i64)>,
    /// Strength of a stand in halves.
    attacker_worth: i64,
    defender_worth: i64,
    attacker_flank: bool,
    shift: i64,
    higher_grade: ByRole,
    overenthusiastic: ByRole,
}

/// The keys of each side in a combat.
pub(super) const SIDE: [&str; 10] = [
    "kind",
    "grade",
    "stands",
    "commander",
    "uphill",
    "crossing",
    "flank",
    "ranks",
    "lance",
    "woods",
];

impl Melee {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let columns = (0..tables.melee_odds.len())
            .map(|column| {
                Odds::new(Throw::d10_from_zero(), |die| {
                    tables.melee[die as usize][column]
                })
            })
            .collect();
        let works: Works = s.choice("defender.cover");
        let attacker_shift = side_shift(tables, s, "attacker", "defender", |by_role| by_role.0)?;
        let defender_shift = side_shift(tables, s, "defender", "attacker", |by_role| by_role.1)?;
        Ok(Melee {
            columns,
            odds: tables.melee_odds.clone(),
            attacker_worth: worth(tables, s, "attacker"),
            defender_worth: worth(tables, s, "defender"),
            attacker_flank: s.flag("attacker.flank"),
            shift: attacker_shift + defender_shift + tables.melee_modifiers.works[works.position()],
            higher_grade: tables.melee_modifiers.higher_grade,
            overenthusiastic: tables.melee_modifiers.overenthusiastic,
        })
    }

    /// Fights one combat; both grades are known.
    pub(super) fn fight<D: Dice>(
        &self,
        attacker: Condition,
        defender: Condition,
        dice: &mut D,
    ) -> Combat {
        let column = self.column(attacker, defender);
        let (cell, label) = self.columns[column].roll(dice);
        outcome(cell, label, attacker.stands, defender.stands)
    }

    fn column(&self, attacker: Condition, defender: Condition) -> usize {
        let a = i64::from(attacker.stands) * self.attacker_worth;
        let mut d = i64::from(defender.stands) * self.defender_worth;
        if self.attacker_flank {
            // A unit struck in the flank never outnumbers its attacker.
            d = d.min(a);
        }
        let printed = self
            .odds
            .iter()
            .rposition(|&(x, y)| a * y >= d * x)
            .unwrap_or(0);
        let steps = defender.grade.position() as i64 - attacker.grade.position() as i64;
        let grades = if steps > 0 {
            steps * self.higher_grade.0
        } else {
            -steps * self.higher_grade.1
        };
        let on = |unit: Condition, shift: i64| if unit.overenthusiastic { shift } else { 0 };
        let shift = self.shift
            + grades
            + on(attacker, self.overenthusiastic.0)
            + on(defender, self.overenthusiastic.1);
        (printed as i64 + shift).clamp(0, self.columns.len() as i64 - 1) as usize
    }
}

fn worth(tables: &Tables, s: &Settings, side: &str) -> i64 {
    match s.choice::<Kind>(&format!("{side}.kind")) {
        Kind::Cavalry if s.flag(&format!("{side}.woods")) => tables.cavalry_in_woods,
        kind => tables.melee_strength[kind.position()],
    }
}

fn side_shift(
    tables: &Tables,
    s: &Settings,
    side: &str,
    enemy: &str,
    role: impl Fn(ByRole) -> i64,
) -> Result<i64, RuleError> {
    let key = |name: &str| format!("{side}.{name}");
    let enemy_kind: Kind = s.choice(&format!("{enemy}.kind"));
    if s.flag(&key("lance")) && enemy_kind != Kind::Cavalry {
        let reason = format!(
            "it counts against cavalry, and the {enemy} is {}",
            enemy_kind.label()
        );
        return Err(s.refuse(&key("lance"), reason));
    }
    let table = &tables.melee_modifiers;
    let on = |name: &str, by_role: ByRole| if s.flag(&key(name)) { role(by_role) } else { 0 };
    Ok(s.whole(&key("commander")) * role(table.commander)
        + on("uphill", table.uphill)
        + on("crossing", table.crossing)
        + on("lance", table.lance)
        + on("flank", table.flank)
        + on("out_of_ammo", table.out_of_ammo)
        + role(table.ranks[s.whole(&key("ranks")) as usize - 1]))
}

/// What a cell means to sides with so many stands.
fn outcome(cell: Cell, label: u16, attacker_stands: u8, defender_stands: u8) -> Combat {
    let (attacker, defender) = match cell {
        Cell::Engaged => (Fate::Stands, Fate::Stands),
        Cell::Repulsed => (Fate::Retreats, Fate::Stands),
        Cell::Each(attacker, defender) => (attacker, defender),
    };
    let (attacker_lost, attacker_captured) = losses(attacker, attacker_stands);
    let (defender_lost, defender_captured) = losses(defender, defender_stands);
    let retreats = |own: Fate, lost: u8, other: Fate, other_lost: u8| match own {
        Fate::Retreats | Fate::Captured(_) => true,
        Fate::Killed(_) | Fate::Stands => lost > other_lost && other != Fate::Retreats,
    };
    let attacker_out = attacker_lost == attacker_stands
        || retreats(attacker, attacker_lost, defender, defender_lost);
    let defender_out = defender_lost == defender_stands
        || retreats(defender, defender_lost, attacker, attacker_lost);
    Combat {
        winner: match (attacker_out, defender_out) {
            (false, true) => Winner::Attacker,
            (true, false) => Winner::Defender,
            _ => Winner::Nobody,
        },
        cell: label,
        attacker_lost,
        defender_lost,
        attacker_captured,
        defender_captured,
    }
}

/// Stands lost in all, and captured.
fn losses(fate: Fate, stands: u8) -> (u8, u8) {
    match fate {
        Fate::Stands | Fate::Retreats => (0, 0),
        Fate::Killed(n) => (n.min(stands), 0),
        Fate::Captured(n) => (n.min(stands), n.min(stands)),
    }
}

/// A combat by itself.
#[derive(Debug)]
struct Alone {
    melee: Melee,
    chart: Arc<MoraleChart>,
    attacker: Condition,
    defender: Condition,
}

impl Steps for Alone {
    type State = (Grade, Grade);

    fn phases(&self) -> Vec<&str> {
        vec!["melee"]
    }

    fn start(&self) -> Self::State {
        (self.attacker.grade, self.defender.grade)
    }

    fn phase(&self, _: &Self::State) -> usize {
        0
    }

    fn step<D: Dice>(&self, (a, d): Self::State, dice: &mut D) -> Next<Self::State> {
        if a == Grade::Green || d == Grade::Green {
            return Next::Go((
                self.chart.known_grade(a, dice),
                self.chart.known_grade(d, dice),
            ));
        }
        let attacker = Condition {
            grade: a,
            ..self.attacker
        };
        let defender = Condition {
            grade: d,
            ..self.defender
        };
        let combat = self.melee.fight(attacker, defender, dice);
        Next::Done(row(&[
            combat.winner.position() as u16,
            combat.cell,
            u16::from(combat.attacker_lost),
            u16::from(combat.defender_lost),
            u16::from(combat.attacker_captured),
            u16::from(combat.defender_captured),
        ]))
    }
}

/// The keys of a combat, without what a charge finds out for itself.
pub(super) fn melee_settings() -> Vec<Setting> {
    let mut keys = settings("attacker", &SIDE);
    keys.extend(settings("attacker", &["out_of_ammo"]));
    keys.extend(settings("defender", &SIDE));
    keys.extend(settings("defender", &["out_of_ammo", "works"]));
    keys
}

pub(super) fn procedure(tables: &Arc<Tables>, chart: &Arc<MoraleChart>) -> Procedure {
    let mut keys = melee_settings();
    keys.extend(settings("attacker", &["overenthusiastic"]));
    keys.extend(settings("defender", &["overenthusiastic"]));
    let variables = vec![
        Winner::variable("winner", "who holds the field"),
        Variable::category(
            "cell",
            "the printed result, attacker / defender",
            tables.melee_labels.clone(),
        ),
        Variable::count(
            "attacker_stands_lost",
            "attacking stands killed and captured",
        ),
        Variable::count(
            "defender_stands_lost",
            "defending stands killed and captured",
        ),
        Variable::count("attacker_captured", "attacking stands captured"),
        Variable::count("defender_captured", "defending stands captured"),
    ];
    let (tables, chart) = (Arc::clone(tables), Arc::clone(chart));
    Procedure {
        name: "melee".into(),
        about: "Two units fight hand to hand, once.".into(),
        source: "Combat phase".into(),
        composed: false,
        settings: keys,
        variables,
        notes: Vec::new(),
        build: Box::new(move |s| {
            let side = |side: &str| -> Result<Condition, RuleError> {
                let mut unit = Regiment::new(&tables, s, side)?.start;
                unit.overenthusiastic = s.flag(&format!("{side}.overenthusiastic"));
                Ok(unit)
            };
            Ok(Box::new(Alone {
                melee: Melee::new(&tables, s)?,
                chart: Arc::clone(&chart),
                attacker: side("attacker")?,
                defender: side("defender")?,
            }))
        }),
    }
}
