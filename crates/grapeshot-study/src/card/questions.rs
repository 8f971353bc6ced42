//! The fights a card is made of, fought in one ruleset.

use super::super::compare::{Played, play};
use super::{Amount, Assumed};
use crate::number::percent;
use grapeshot_engine::engine::NoteKind;
use grapeshot_rules::common::{FightKind, GRADES};
use grapeshot_rules::{Given, Labels, LoadedRuleset, OddsError, Options, Procedure, RuleError};
use std::sync::{Mutex, PoisonError};

/// Why a figure has no number.
pub(super) enum Miss {
    LeftOut(String),
    Odds(OddsError),
}

impl From<OddsError> for Miss {
    fn from(error: OddsError) -> Self {
        Miss::Odds(error)
    }
}

/// A number with what belongs to it.
pub(super) struct FigureValue {
    pub amount: Amount,
    pub detail: String,
}

impl From<f64> for FigureValue {
    fn from(number: f64) -> Self {
        FigureValue {
            amount: Amount::Is(number),
            detail: String::new(),
        }
    }
}

/// Where one ruleset's fights are fought.
pub(super) struct Questions<'a> {
    rules: &'a str,
    common: &'a LoadedRuleset,
    options: &'a Options,
    seen: Mutex<(bool, Vec<Assumed>)>,
}

impl<'a> Questions<'a> {
    pub(super) fn new(common: &'a LoadedRuleset, rules: &'a str, options: &'a Options) -> Self {
        Questions {
            rules,
            common,
            options,
            seen: Mutex::new((true, Vec::new())),
        }
    }

    /// Whether everything was solved, and which assumptions entered.
    pub(super) fn seen(self) -> (bool, Vec<Assumed>) {
        self.seen
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn procedure(&self, kind: FightKind) -> Result<&Procedure, Miss> {
        let found = self.common.procedure(kind.label());
        found.map_err(|error: RuleError| Miss::Odds(error.into()))
    }

    fn fight(&self, kind: FightKind, given: &[(&str, &str)]) -> Result<Played, Miss> {
        let given: Given = given
            .iter()
            .map(|&(key, value)| (key.to_owned(), value.into()))
            .collect();
        let played = play(self.procedure(kind)?, self.rules, &given, self.options)?;
        let played = played.map_err(Miss::LeftOut)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.0 &= played.odds.source().trials().is_none();
        for note in &played.notes {
            let entry = Assumed {
                name: note.name.clone(),
                text: note.text.clone(),
            };
            if note.kind == NoteKind::Assumption && !seen.1.contains(&entry) {
                seen.1.push(entry);
            }
        }
        drop(seen);
        Ok(played)
    }

    /// Chance that the attacker wins a charge.
    pub(super) fn won(&self, given: &[(&str, &str)]) -> Result<f64, Miss> {
        Ok(self.fight(FightKind::Charge, given)?.headline().p("won"))
    }

    /// How a setting changes the chance of a won charge.
    pub(super) fn worth(&self, key: &str, value: &str) -> Result<FigureValue, Miss> {
        let (before, after) = (self.won(&[])?, self.won(&[(key, value)])?);
        Ok(FigureValue {
            amount: Amount::Is(after - before),
            detail: format!("{} → {}", percent(before), percent(after)),
        })
    }

    /// How a setting changes the mean loss by a volley, relative to what it was.
    pub(super) fn worth_under_fire(&self, key: &str, value: &str) -> Result<FigureValue, Miss> {
        let loss = |given: &[(&str, &str)]| -> Result<f64, Miss> {
            Ok(self.fight(FightKind::Fire, given)?.marginal("loss").mean())
        };
        let (before, after) = (loss(&[])?, loss(&[(key, value)])?);
        if before == 0.0 {
            return Err(Miss::LeftOut("a volley costs nothing here".into()));
        }
        Ok(FigureValue {
            amount: Amount::Is(after / before - 1.0),
            detail: format!("{} → {}", percent(before), percent(after)),
        })
    }

    /// The mean change of a won charge for one step up of a side's grade.
    pub(super) fn grade_step(&self, side: &str) -> Result<FigureValue, Miss> {
        let key = format!("{side}.grade");
        let mut steps = Vec::new();
        for pair in GRADES.windows(2) {
            let chances = (self.won(&[(&key, pair[1])]), self.won(&[(&key, pair[0])]));
            match chances {
                (Ok(lower), Ok(higher)) => steps.push((pair[1], pair[0], higher - lower)),
                (Err(Miss::Odds(error)), _) | (_, Err(Miss::Odds(error))) => {
                    return Err(Miss::Odds(error));
                }
                (Err(Miss::LeftOut(_)), _) | (_, Err(Miss::LeftOut(_))) => {}
            }
        }
        if steps.is_empty() {
            return Err(Miss::LeftOut("no two grades can be compared".into()));
        }
        let mean = steps.iter().map(|step| step.2).sum::<f64>() / steps.len() as f64;
        let mut detail: Vec<String> = steps
            .iter()
            .rev()
            .map(|(from, to, change)| format!("{from} to {to} {:+.1}", 100.0 * change))
            .collect();
        let missing = GRADES.len() - 1 - steps.len();
        if missing > 0 {
            detail.push(format!("{missing} of {} steps left out", GRADES.len() - 1));
        }
        Ok(FigureValue {
            amount: Amount::Is(mean),
            detail: detail.join(", "),
        })
    }

    /// Chance to lose at least twice what is expected.
    pub(super) fn swing(&self, kind: FightKind, loss: &str) -> Result<FigureValue, Miss> {
        let marginal = self.fight(kind, &[])?.marginal(loss);
        let mean = marginal.mean();
        if mean == 0.0 {
            return Err(Miss::LeftOut("no loss is expected".into()));
        }
        Ok(FigureValue {
            amount: Amount::Is(marginal.at_least(2.0 * mean - 1e-12)),
            detail: format!(
                "mean {:.1} %, spread (sd) {:.1} %",
                100.0 * mean,
                100.0 * marginal.sd()
            ),
        })
    }

    /// The ratio of men from which on the attacker is as likely to win as to fail.
    pub(super) fn even_ratio(&self) -> Result<FigureValue, Miss> {
        let mut balances = Vec::new();
        let more = (100..=1000).step_by(10).map(|attacker| (attacker, 400));
        let fewer = (100..400)
            .step_by(10)
            .rev()
            .map(|defender| (1000, defender));
        for (attacker, defender) in more.chain(fewer) {
            let men = [attacker, defender].map(|men: i32| men.to_string());
            let given = [("attacker.men", &*men[0]), ("defender.men", &*men[1])];
            let result = self.fight(FightKind::Charge, &given)?.headline();
            let balance = result.p("won") - result.p("lost") - result.p("stopped");
            balances.push((f64::from(attacker) / f64::from(defender), balance));
        }
        if balances
            .iter()
            .all(|(_, b)| (b - balances[0].1).abs() < 1e-12)
        {
            let reason = "men make no difference in its charge";
            return Err(Miss::LeftOut(reason.into()));
        }
        let even = |balance: f64| balance >= -1e-12;
        let last_uneven = balances.iter().rposition(|&(_, b)| !even(b));
        let amount = match last_uneven {
            None => Amount::AtMost(balances[0].0),
            Some(at) if at + 1 == balances.len() => Amount::MoreThan(balances[at].0),
            Some(at) => Amount::Is(balances[at + 1].0),
        };
        Ok(FigureValue {
            amount,
            detail: String::new(),
        })
    }

    /// The turn by which half of all firefights are decided.
    pub(super) fn median_turns(&self) -> Result<FigureValue, Miss> {
        let played = self.fight(FightKind::Firefight, &[("turns", "50")])?;
        let undecided = FightKind::Firefight
            .results()
            .iter()
            .position(|&label| label == "undecided");
        let mut by_turn = [0.0; 51];
        for (row, p) in played.odds.joint() {
            if Some(usize::from(row[0])) != undecided {
                by_turn[usize::from(row[1]).min(50)] += p;
            }
        }
        let mut decided = 0.0;
        for (turn, p) in by_turn.iter().enumerate() {
            decided += p;
            if decided >= 0.5 - 1e-12 {
                return Ok(FigureValue::from(turn as f64));
            }
        }
        Ok(FigureValue {
            amount: Amount::MoreThan(50.0),
            detail: format!("{} are decided in 50 turns", percent(decided)),
        })
    }

    pub(super) fn settles(&self, kind: FightKind) -> Result<FigureValue, Miss> {
        Ok((1.0 - self.fight(kind, &[])?.headline().p("undecided")).into())
    }

    pub(super) fn mean_loss(&self, kind: FightKind, loss: &str) -> Result<FigureValue, Miss> {
        Ok(self.fight(kind, &[])?.marginal(loss).mean().into())
    }
}
