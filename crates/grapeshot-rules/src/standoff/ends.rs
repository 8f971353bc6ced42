//! How standoffs end, what is reported of it, and what it is worth.

use super::{Charged, Driven, Goal, SIDES};
use crate::{Judged, Labels, Settings};
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{Row, row};

/// What ends are worth to a.
#[derive(Debug, Clone, Copy)]
pub struct Worth {
    goal: Goal,
    withdraw_value: f64,
    /// What each side's loss is a share of.
    whole: [f64; 2],
}

impl Worth {
    /// Reads the goal; `whole` is what the sides had when it began.
    pub fn read(s: &Settings, whole: [f64; 2]) -> Self {
        Worth {
            goal: s.choice("goal"),
            withdraw_value: s.real("withdraw_value"),
            whole,
        }
    }

    /// The worth of an end with these losses.
    pub fn of(&self, result: Driven, losses: [u16; 2]) -> f64 {
        match self.goal {
            Goal::DriveOff => match result {
                Driven::A => 1.0,
                Driven::B => -1.0,
                Driven::Both | Driven::Neither => 0.0,
                Driven::AWithdrew => self.withdraw_value,
                Driven::BWithdrew => -self.withdraw_value,
            },
            Goal::Win => f64::from(u8::from(matches!(result, Driven::A | Driven::BWithdrew))),
            Goal::Losses => {
                let share = |side: usize| f64::from(losses[side]) / self.whole[side];
                share(1) - share(0)
            }
        }
    }

    /// The worth of a row as a standoff makes it.
    pub fn of_row(&self, row: &Row) -> f64 {
        self.of(
            Driven::ALL[usize::from(row[RESULT])],
            [row[LOSS], row[LOSS + 1]],
        )
    }
}

const RESULT: usize = 1;
pub(super) const TURNS: usize = 3;
const LOSS: usize = 4;

/// The ends of a standoff by their labels: the firefight's, the withdrawals, and the charge's with the
/// side's letter for attacker and defender.
#[derive(Debug, Clone)]
pub struct Ends {
    labels: Vec<String>,
    results: Vec<Driven>,
    /// Where each end of the firefight stands among the labels.
    firefight: Vec<u16>,
    withdrawals: [u16; 2],
    /// Where each end of a charge stands, by charger.
    charge: [Vec<u16>; 2],
}

/// Which ends drive whom off, as the rules page lists them; all others neither.
#[derive(Debug, Clone, Copy)]
pub struct Driving {
    /// b was driven off.
    pub a: &'static [&'static str],
    /// a was.
    pub b: &'static [&'static str],
    /// Both were.
    pub both: &'static [&'static str],
}

impl Ends {
    /// From the labels of the ruleset's firefight and charge, in the order of their enumerations;
    /// `renamed` gives charge labels (with letters) another name.
    pub fn new(
        firefight: &[&str],
        charge: &[&str],
        renamed: &[(&str, &str)],
        driving: Driving,
    ) -> Self {
        let mut labels: Vec<String> = Vec::new();
        let mut place = |label: String| match labels.iter().position(|known| *known == label) {
            Some(at) => at as u16,
            None => {
                labels.push(label);
                (labels.len() - 1) as u16
            }
        };
        let firefight = firefight
            .iter()
            .map(|label| place((*label).to_owned()))
            .collect();
        let withdrawals = SIDES.map(|side| place(format!("{side}-withdraws")));
        let charge = [0, 1].map(|charger: usize| {
            let lettered = |label: &&str| {
                let label = label
                    .replace("attacker", SIDES[charger])
                    .replace("defender", SIDES[1 - charger]);
                match renamed.iter().find(|(from, _)| *from == label) {
                    Some((_, to)) => (*to).to_owned(),
                    None => label,
                }
            };
            charge.iter().map(lettered).map(&mut place).collect()
        });
        let result = |label: &String| {
            let among = |list: &[&str]| list.contains(&label.as_str());
            match label.as_str() {
                "a-withdraws" => Driven::AWithdrew,
                "b-withdraws" => Driven::BWithdrew,
                _ if among(driving.a) => Driven::A,
                _ if among(driving.b) => Driven::B,
                _ if among(driving.both) => Driven::Both,
                _ => Driven::Neither,
            }
        };
        Ends {
            results: labels.iter().map(result).collect(),
            labels,
            firefight,
            withdrawals,
            charge,
        }
    }

    /// The end at this position of the firefight's labels, among the standoff's.
    pub fn of_firefight(&self, outcome: usize) -> u16 {
        self.firefight[outcome]
    }

    /// The end at this position of the charge's labels, for this charger.
    pub fn of_charge(&self, charger: usize, outcome: usize) -> u16 {
        self.charge[charger][outcome]
    }

    /// A side withdraws.
    pub fn withdrawal(&self, side: usize) -> u16 {
        self.withdrawals[side]
    }

    /// Who is driven off by an end.
    pub fn result(&self, outcome: u16) -> Driven {
        self.results[usize::from(outcome)]
    }

    /// The variable that reports the ends, and the one that reports who was driven off.
    pub fn headline(&self) -> [Variable; 2] {
        let favour = |result: &Driven| -> Favour { Driven::FAVOURS[result.position()] };
        [
            Variable::category("outcome", "how it ends", self.labels.clone())
                .favouring(self.results.iter().map(favour)),
            Driven::variable("result", "who was driven off: a means that b was"),
        ]
    }

    pub(super) fn row(&self, outcome: u16, charged: Charged, losses: [u16; 2]) -> Row {
        row(&[
            outcome,
            self.result(outcome).position() as u16,
            charged.position() as u16,
            0,
            losses[0],
            losses[1],
        ])
    }

    /// `outcome`, `result`, `charged`, `turns` and the two losses (name and meaning each).
    pub fn variables(&self, losses: [(&str, &str); 2]) -> Vec<Variable> {
        let [outcome, result] = self.headline();
        vec![
            outcome,
            result,
            Variable::category("charged", "who charged", Charged::LABELS.iter().copied()),
            Variable::count("turns", "the turn in which it ended, or the last"),
            Variable::count(losses[0].0, losses[0].1),
            Variable::count(losses[1].0, losses[1].1),
        ]
    }
}
