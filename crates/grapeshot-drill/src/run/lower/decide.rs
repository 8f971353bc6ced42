//! What a decision needs beside its steps: what an end is worth, what a policy shows of a state, and plans.
//!
//! Worth and what is shown are code of their own behind that of the procedure: written once for a question, with what is
//! known of it folded, and run over a finished row or a state.

use super::{Bound, Frame, Halt, KeyAtHand, Lower, Lowered};
use crate::program::{Interval, Plan, Report, ReportValue, Type};
use crate::run::code::{Ins, WorthSite};
use crate::run::decide::FixedPlan;
use crate::run::value::{Operand, Val};
use grapeshot_engine::Variable;
use smallvec::smallvec;

/// The most plans of a question.
const MOST_PLANS: i32 = 1_000;

impl<'p> Lower<'p> {
    /// Stops with these values.
    fn told(&mut self, values: Vec<Operand>) -> Lowered<()> {
        self.told.push(values);
        self.emit(Ins::Told(self.told.len() as u32 - 1))?;
        self.alive = false;
        Ok(())
    }

    /// What a finished row is worth: the formula over the reports of the row. All else it asks for must be known.
    pub(super) fn worth(&mut self, variables: &[Variable]) -> Lowered<()> {
        let procedure = self.layout.procedure;
        let Some(formula) = &procedure.worth else {
            return Ok(());
        };
        self.alive = true;
        let begins = self.label();
        self.place(begins);
        self.new_era();
        let mut row = Vec::with_capacity(variables.len());
        self.reports.clear();
        let every = Interval {
            low: 0,
            high: i64::from(u16::MAX),
        };
        for (report, variable) in procedure.reports.iter().zip(variables) {
            let slot = self.variable(None, 0);
            let labels = report.labels.len() as i64;
            self.reach[usize::from(slot)] = match labels {
                0 => every,
                labels => Interval {
                    low: 0,
                    high: labels - 1,
                },
            };
            row.push(slot);
            let value = self.reported(report, variable, Operand::Slot(slot))?;
            self.reports.push(value);
        }
        self.span = self.layout.program[formula.value].span;
        let rolls = self.rolls.len();
        let value = self.formula(formula, None)?;
        let parts = self.parts(value)?;
        if self.rolls.len() > rolls {
            return self.wrong("what an end is worth is not thrown for");
        }
        self.told(parts.into_vec())?;
        self.worth = Some(WorthSite {
            begins: begins.0,
            row,
            asks_more: false,
        });
        Ok(())
    }

    /// The value of a report, by what a row holds of it.
    fn reported(&mut self, report: &'p Report, variable: &Variable, row: Operand) -> Lowered<Val> {
        let layout = self.layout;
        match &report.value {
            ReportValue::Outcome => Ok(Val::one(row)),
            _ if report.labels.is_empty() => {
                let lowest = variable.number_of(0) as i32;
                let number = self.binary(crate::run::code::Op::Add, row, Operand::Known(lowest))?;
                Ok(Val::one(number))
            }
            ReportValue::Value(_) => self.apply([Val::one(row)], &mut |args| {
                let label = usize::try_from(args[0][0])
                    .ok()
                    .and_then(|at| report.labels.get(at))
                    .ok_or("there is no such label")?;
                let said = label.value.as_ref();
                let parts = match said.and_then(|value| layout.parts(value, report.ty)) {
                    Some(parts) => Some(parts),
                    // A side or a unit by its name; nobody has none.
                    None => layout.word_with_letters(&label.text, Type::Side).ok(),
                };
                Ok(parts.unwrap_or(smallvec![-1]))
            }),
        }
    }

    /// What a policy shows of the state before a choice: for each line whether it is shown, and its value.
    pub(super) fn shown(&mut self) -> Lowered<()> {
        let mut values = Vec::new();
        for show in &self.layout.procedure.shows {
            let when = match &show.when {
                Some(when) => {
                    let when = self.formula(when, None)?;
                    self.part(when)?
                }
                None => Operand::Known(1),
            };
            values.push(when);
            let ty = self.layout.program[show.value.value].ty;
            let nothing = self.never(ty);
            let value = self.either(
                when,
                ty,
                &mut |low| low.formula(&show.value, None),
                &mut |_| Ok(nothing.clone()),
            )?;
            let value = self.keep(value)?;
            values.extend(self.parts(value)?);
        }
        self.told(values)
    }

    /// What all slots are before play begins.
    pub fn table(&self) -> Vec<Interval> {
        self.reach.clone()
    }

    /// The plans of a decision on the table as it was set, in the order of the text.
    pub fn plans(&mut self, table: &[Interval]) -> Lowered<Vec<FixedPlan>> {
        self.reach[..table.len()].copy_from_slice(table);
        self.alive = true;
        let mut plans = Vec::new();
        for plan in &self.layout.procedure.plans {
            let numbers = match &plan.over {
                None => 0..=0,
                Some((from, to)) => self.number_now(from, 0)?..=self.number_now(to, 0)?,
            };
            for number in numbers {
                if plans.len() as i32 >= MOST_PLANS {
                    return self.wrong(format!("these are more than {MOST_PLANS} plans"));
                }
                plans.push(self.plan(plan, number)?);
            }
        }
        Ok(plans)
    }

    fn number_now(&mut self, formula: &crate::program::Formula, number: i32) -> Lowered<i32> {
        let at_hand = usize::try_from(number).ok();
        let value = self.formula_now(formula, at_hand, KeyAtHand::default())?;
        match value.all_known().as_deref() {
            Some([number, ..]) => Ok(*number),
            _ => self.wrong("this is no number"),
        }
    }

    fn plan(&mut self, plan: &'p Plan, number: i32) -> Lowered<FixedPlan> {
        self.frames.push(Frame {
            locals: vec![Some(Bound::Value(Val::known(number)))],
            declared: Some(&plan.locals),
            ..Frame::default()
        });
        let name = self.text_now(&plan.label);
        self.frames.pop();
        let of_name = |low: &Self, name: &str| -> Vec<u16> {
            let each = low.actions.iter().zip(0u16..);
            each.filter(|((_, known), _)| known == name)
                .map(|(_, at)| at)
                .collect()
        };
        let mut at_first = None;
        if let Some((action, condition)) = &plan.at_first {
            let last = self.turns.map_or(0, |turns| turns.last);
            let mut holds = Vec::with_capacity(usize::from(last) + 1);
            for turn in 0..=last {
                self.turn_at_hand = Some(i32::from(turn));
                holds.push(self.number_now(condition, number)? != 0);
            }
            self.turn_at_hand = None;
            at_first = Some((of_name(self, action), holds));
        }
        let then = plan.then.iter().flat_map(|name| of_name(self, name));
        Ok(FixedPlan {
            name: name?,
            at_first,
            then: then.collect(),
        })
    }

    /// Numbers the actions of all choices: those with one label have one number, and in every choice the numbers rise in the
    /// order of the text, which is that of ties.
    pub fn number_actions(&mut self) -> Lowered<()> {
        let mut order: Vec<(String, String)> = Vec::new();
        // Where each choice's actions stand by now: later insertions move them.
        let mut placed: Vec<usize> = Vec::new();
        let mut all: Vec<Vec<usize>> = Vec::new();
        for site in &self.choices {
            let mut cursor = 0;
            let mut of_site = Vec::new();
            for action in &site.actions {
                let wanted = &self.actions[usize::from(action.action)];
                let known = order[cursor..].iter().position(|known| known == wanted);
                let at = match known {
                    Some(ahead) => cursor + ahead,
                    None => {
                        order.insert(cursor, wanted.clone());
                        placed
                            .iter_mut()
                            .filter(|at| **at >= cursor)
                            .for_each(|at| *at += 1);
                        cursor
                    }
                };
                placed.push(at);
                of_site.push(placed.len() - 1);
                cursor = at + 1;
            }
            all.push(of_site);
        }
        if order.len() > usize::from(u16::MAX) {
            return Err(Halt::at(self.span, "there are too many actions"));
        }
        for (site, of_site) in self.choices.iter_mut().zip(all) {
            for (action, at) in site.actions.iter_mut().zip(of_site) {
                action.action = placed[at] as u16;
            }
        }
        self.actions = order;
        Ok(())
    }
}
