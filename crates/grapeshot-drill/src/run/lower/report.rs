//! The whole of a procedure: its text, then what a finished trial reports. All ends come to one place, so reports are
//! written once.

use super::{Halt, Lower, Lowered};
use crate::program::{
    BinaryOp, ExprId, ExprKind, Formula, Report, ReportValue, Type, Value, Words,
};
use crate::run::code::{Ins, Op};
use crate::run::layout::Layout;
use crate::run::value::{Numbers, Operand, Val};
use crate::tree::FavourWord;
use grapeshot_engine::{Favour, Variable};
use smallvec::smallvec;

/// The most variables that the engine reports.
const MOST_VARIABLES: usize = grapeshot_engine::engine::MOST_VARIABLES;

/// What a report of the turn takes off it: nothing in `turn`, a formula in `turn - …`. Other reports have no such answer.
fn off_the_turn<'p>(layout: &Layout<'p>, report: &'p Report) -> Option<Option<ExprId>> {
    let ReportValue::Value(formula) = &report.value else {
        return None;
    };
    let program = layout.program;
    match program[formula.value].kind {
        ExprKind::Turn => Some(None),
        ExprKind::Binary(BinaryOp::Subtract, turn, off)
            if matches!(program[turn].kind, ExprKind::Turn) =>
        {
            Some(Some(off))
        }
        _ => None,
    }
}

/// Which label of a report a value has.
pub fn label_of(layout: &Layout<'_>, report: &Report, parts: &[i32]) -> Result<usize, String> {
    if let ReportValue::Outcome = report.value {
        return Ok(parts[0] as usize);
    }
    let letters = match report.ty {
        Type::MaybeUnit(_) | Type::MaybeSide | Type::Side | Type::Unit(_) => {
            let name = layout.letters(report.ty, parts);
            if parts[0] < 0 {
                "none".to_owned()
            } else {
                name
            }
        }
        Type::Flag => (if parts[0] != 0 { "yes" } else { "no" }).to_owned(),
        _ => layout.letters(report.ty, parts),
    };
    let found = report.labels.iter().position(|label| match &label.value {
        Some(Value::Word(word)) => layout.word(report.ty, parts) == Some(*word),
        _ => *label.text == *letters,
    });
    found.ok_or_else(|| format!("`{letters}` is no label of `{}`", report.name))
}

impl<'p> Lower<'p> {
    /// Writes a whole procedure; gives its variables, and the position of the one that is the turn.
    pub fn procedure(&mut self) -> Lowered<(Vec<Variable>, usize)> {
        let layout = self.layout;
        let reports = &layout.procedure.reports;
        if reports.len() > MOST_VARIABLES {
            return self.wrong(format!(
                "a procedure reports {MOST_VARIABLES} things at most, and here are {}",
                reports.len()
            ));
        }
        // A trial that ends before its first turn takes off the one that the engine has begun.
        let has_turns =
            |stmt: &crate::program::Stmt| matches!(stmt.kind, crate::program::StmtKind::Turns(..));
        let clock = !self.ways.turn_in_state && layout.procedure.body.iter().any(has_turns);
        let before = i64::from(clock);
        self.reach[self.turn as usize] = crate::program::Interval::only(before);
        self.as_set();
        let finish = self.label();
        self.finish = Some(finish);
        self.block(&layout.procedure.body)?;
        self.place(finish);
        self.after_turns = false;
        let mut variables = Vec::with_capacity(reports.len());
        let mut turn_at = None;
        for (at, report) in reports.iter().enumerate() {
            self.span = report.span;
            if clock
                && turn_at.is_none()
                && let Some(off) = off_the_turn(&layout, report)
            {
                turn_at = Some(at);
                self.reports.push(Val::known(0));
                let begun = self.operand(self.turn);
                let taken_off = match (off, &report.value) {
                    // No turn can come, so the engine counts none.
                    _ if self.turns.is_none() => Operand::Known(0),
                    (Some(off), ReportValue::Value(formula)) => {
                        self.turn_less(report, formula, off, begun)?
                    }
                    _ => begun,
                };
                self.row.push(taken_off);
                variables.push(variable(report));
                continue;
            }
            let value = match &report.value {
                ReportValue::Outcome => Val::one(self.operand(self.outcome)),
                ReportValue::Value(formula) => self.formula(formula, None)?,
            };
            let value = self.keep(value)?;
            self.reports.push(value.clone());
            let variable = self.report(report, value)?;
            variables.push(variable);
        }
        self.emit(Ins::Done)?;
        self.worth(&variables)?;
        self.alive = false;
        match turn_at {
            Some(at) => Ok((variables, at)),
            None if clock && reports.len() >= MOST_VARIABLES => Err(Halt::CountTurns),
            None => Ok((variables, reports.len().min(MOST_VARIABLES - 1))),
        }
    }

    /// What is taken off the turn that the engine has begun: the turn itself if there was none yet, and a turn that was
    /// begun and not played. More than that cannot be taken off the first.
    fn turn_less(
        &mut self,
        report: &'p Report,
        formula: &'p Formula,
        off: ExprId,
        begun: Operand,
    ) -> Lowered<Operand> {
        let off = Formula {
            value: off,
            locals: formula.locals.clone(),
        };
        let off = self.formula(&off, None)?;
        let off = self.part(off)?;
        let sum = self.binary(Op::Add, begun, off)?;
        let range = self.reach(sum);
        if range.low < 0 || range.high > 1 {
            let allowed = crate::program::Interval { low: 0, high: 1 };
            let what = format!("what is taken off the turn in {}", report.name);
            self.ranges.push((allowed, what));
            self.emit(Ins::Check(sum, self.ranges.len() as u32 - 1))?;
        }
        Ok(sum)
    }

    fn report(&mut self, report: &'p Report, value: Val) -> Lowered<Variable> {
        let layout = self.layout;
        if !report.labels.is_empty() {
            // A record is told by its rank alone: what its fields are need not be weighed together.
            let value = match report.ty {
                Type::Record(_) => {
                    let parts = self.parts(value)?;
                    Val::one(*parts.last().expect("a record has a rank"))
                }
                _ => value,
            };
            let at = self.apply([value], &mut |args| {
                Ok(smallvec![label_of(&layout, report, &args[0])? as i32])
            })?;
            let at = self.part(at)?;
            self.row.push(at);
            return Ok(variable(report));
        }
        if report.ty != Type::Number {
            return self.wrong("only whole numbers, words, flags and sides can be reported yet");
        }
        let number = self.part(value)?;
        let range = self.reach(number);
        let low = lowest(report);
        if range.low < i64::from(low) || range.high - i64::from(low) > i64::from(u16::MAX) {
            self.ranges.push((
                crate::program::Interval {
                    low: i64::from(low),
                    high: i64::from(low) + i64::from(u16::MAX),
                },
                report.name.to_string(),
            ));
            self.emit(Ins::Check(number, self.ranges.len() as u32 - 1))?;
        }
        let above = self.binary(Op::Subtract, number, Operand::Known(low))?;
        self.row.push(above);
        Ok(variable(report))
    }

    /// Whom the label of a report favours.
    pub(super) fn favour(&mut self, at: usize) -> Lowered<Val> {
        let layout = self.layout;
        let report = &layout.procedure.reports[at];
        let Some(value) = self.reports.get(at).cloned() else {
            return self.wrong("this report is not known yet");
        };
        self.apply([value], &mut |args| favour_word(&layout, report, &args[0]))
    }
}

/// The word for whom a value of a report favours.
pub fn favour_word(layout: &Layout<'_>, report: &Report, parts: &[i32]) -> Result<Numbers, String> {
    let label = label_of(layout, report, parts)?;
    let favour = report.labels[label].favour.unwrap_or(FavourWord::Undecided);
    let word = match favour {
        FavourWord::Success => "success",
        FavourWord::Undecided => "undecided",
        FavourWord::Failure => "failure",
    };
    let at = layout.program[Words::FAVOUR].position(word);
    at.map(|at| smallvec![i32::from(at)])
        .ok_or_else(|| "this favours nobody".into())
}

/// The lowest number of a report, whatever the settings: 0, unless the text declares less.
pub fn lowest(report: &Report) -> i32 {
    report.range.map_or(0, |range| range.low.min(0)) as i32
}

/// What a report is to the engine. It is the same for all settings, so that answers can be laid side by side.
pub fn variable(report: &Report) -> Variable {
    let (name, meaning) = (&*report.name, &*report.meaning);
    if report.labels.is_empty() {
        return match lowest(report) {
            0 => Variable::count(name, meaning),
            low => Variable::count_from(low, name, meaning),
        };
    }
    let labels = report.labels.iter();
    let variable = Variable::category(name, meaning, labels.clone().map(|l| l.text.to_string()));
    let favours: Option<Vec<Favour>> = labels.map(|label| label.favour.map(favour)).collect();
    match favours {
        Some(favours) => variable.favouring(favours),
        None => variable,
    }
}

fn favour(word: FavourWord) -> Favour {
    match word {
        FavourWord::Success => Favour::Success,
        FavourWord::Undecided => Favour::Undecided,
        FavourWord::Failure => Favour::Failure,
    }
}
