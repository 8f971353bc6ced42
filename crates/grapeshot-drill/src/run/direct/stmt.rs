//! Statements, and the whole of a trial.

use super::{DEEPEST, MOST_EVENTS, MOST_STEPS, Played, Stop, Trial, Val};
use crate::program::{
    Check, Elements, ExprId, Formula, LocalId, ReportValue, Stmt, StmtKind, Target, TextPart, Type,
};
use crate::run::lower::{label_of, lowest};
use grapeshot_engine::Dice;
use grapeshot_engine::engine::{Row, Teller};

impl<'a, D: Dice, T: Teller> Trial<'a, D, T> {
    /// The text, then what it reports.
    pub(super) fn whole(&mut self) -> Played<Row> {
        let procedure = self.layout.procedure;
        self.span = procedure.span;
        self.enter(procedure.locals.len());
        match self.block(&procedure.body) {
            Ok(()) | Err(Stop::End | Stop::Return(_)) => {}
            Err(wrong) => return Err(wrong),
        }
        let mut row = Row::default();
        for (report, at) in procedure.reports.iter().zip(&mut row) {
            self.span = report.span;
            let value = match &report.value {
                ReportValue::Outcome => Val::One(self.outcome),
                ReportValue::Value(formula) => self.formula(formula)?,
            };
            *at = if report.labels.is_empty() {
                let above = i64::from(value.one()) - i64::from(lowest(report));
                match u16::try_from(above) {
                    Ok(above) if report.ty == Type::Number => above,
                    Ok(_) => {
                        return self.wrong(
                            "only whole numbers, words, flags and sides can be reported yet",
                        );
                    }
                    Err(_) => {
                        return self.wrong(format!("`{}` would be {}", report.name, value.one()));
                    }
                }
            } else {
                match label_of(&self.layout, report, value.as_parts()) {
                    Ok(label) => label as u16,
                    Err(text) => return self.wrong(text),
                }
            };
            self.table.reports.push(value);
        }
        Ok(row)
    }

    /// Asks a check of all elements it is about; what it returns is what is said where it does not hold.
    pub(super) fn check(&mut self, check: &'a Check) -> Played<()> {
        self.span = check.span;
        self.enter(check.locals.len());
        self.check_from(check, 0, &mut Vec::new())
    }

    fn check_from(&mut self, check: &'a Check, at: usize, with: &mut Vec<String>) -> Played<()> {
        let Some((local, over)) = check.over.get(at) else {
            let holds = match self.block(&check.body) {
                Err(Stop::Return(value)) => value.one() != 0,
                Ok(()) => false,
                Err(other) => return Err(other),
            };
            return match holds {
                true => Ok(()),
                false if with.is_empty() => Err(Stop::Return(Val::Text(check.text.to_string()))),
                false => {
                    let said = format!("{} ({})", check.text, with.join(", "));
                    Err(Stop::Return(Val::Text(said)))
                }
            };
        };
        let declared = &check.locals[usize::from(local.0)];
        for value in self.elements(over)? {
            let letters = self.layout.letters(declared.ty, value.as_parts());
            with.push(format!("{} {letters}", declared.name));
            self.set_local(*local, value);
            self.check_from(check, at + 1, with)?;
            with.pop();
        }
        Ok(())
    }

    /// Locals of another text; gives where those of this one began.
    pub(super) fn enter(&mut self, locals: usize) -> usize {
        let base = std::mem::replace(&mut self.base, self.table.locals.len());
        self.table.locals.resize(self.base + locals, Val::One(0));
        base
    }

    pub(super) fn leave(&mut self, base: usize) {
        self.table.locals.truncate(self.base);
        self.base = base;
    }

    fn formula(&mut self, formula: &'a Formula) -> Played<Val> {
        let base = self.enter(formula.locals.len().max(1));
        let value = self.value(formula.value);
        self.leave(base);
        value
    }

    pub(super) fn set_local(&mut self, local: LocalId, value: Val) {
        let at = self.base + usize::from(local.0);
        if self.table.locals.len() <= at {
            self.table.locals.resize(at + 1, Val::One(0));
        }
        self.table.locals[at] = value;
    }

    /// Goes a level down, and notes that something was done.
    pub(super) fn deeper<X>(&mut self, inside: impl FnOnce(&mut Self) -> Played<X>) -> Played<X> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return self.wrong("this trial does not come to an end");
        }
        if self.depth >= DEEPEST {
            return self.wrong("this is nested too deeply");
        }
        self.depth += 1;
        let made = inside(self);
        self.depth -= 1;
        made
    }

    pub(super) fn block(&mut self, block: &'a [Stmt]) -> Played<()> {
        for stmt in block {
            let outer = std::mem::replace(&mut self.span, stmt.span);
            self.deeper(|trial| trial.stmt(stmt))?;
            self.span = outer;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Played<()> {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let value = self.value(*value)?;
                self.set_local(*local, value);
            }
            StmtKind::Set {
                target,
                value,
                proved,
                range,
            } => {
                let value = self.value(*value)?;
                if let (false, Some(range), Val::One(number)) = (*proved, range, &value)
                    && !(range.low..=range.high).contains(&i64::from(*number))
                {
                    let what = self.layout.program.sources.text(stmt.span);
                    return self.wrong(format!(
                        "`{what}` would be {number}, and may be {} to {}",
                        range.low, range.high
                    ));
                }
                self.set(*target, value)?;
            }
            StmtKind::Do(value) => {
                self.value(*value)?;
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (condition, block) in branches {
                    if self.one(*condition)? != 0 {
                        return self.block(block);
                    }
                }
                self.block(otherwise)?;
            }
            StmtKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                if let Some((local, value)) = subject {
                    let value = self.value(*value)?;
                    self.set_local(*local, value);
                }
                for (condition, block) in arms {
                    if self.one(*condition)? != 0 {
                        return self.block(block);
                    }
                }
                if let Some(block) = otherwise {
                    self.block(block)?;
                }
            }
            StmtKind::For {
                element,
                over,
                condition,
                body,
            } => {
                for elements in over {
                    for value in self.elements(elements)? {
                        self.set_local(*element, value);
                        let holds = match condition {
                            Some(condition) => self.one(*condition)? != 0,
                            None => true,
                        };
                        if holds {
                            self.block(body)?;
                        }
                    }
                }
            }
            StmtKind::Turns(last, body) => {
                self.begin();
                let last = self.one(*last)?;
                for turn in 1..=last {
                    self.turn = turn;
                    self.block(body)?;
                }
            }
            StmtKind::Repeat(times, body) => {
                for _ in 0..self.one(*times)? {
                    self.block(body)?;
                }
            }
            StmtKind::Stage(name, body) => self.stage_of(name, body)?,
            StmtKind::End(label) => return self.end(label.as_deref()),
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.value(*value)?,
                    None => Val::Parts(Default::default()),
                };
                return Err(Stop::Return(value));
            }
            StmtKind::Choose { actions, .. } => {
                self.begin();
                let mut only = None;
                for action in actions {
                    let elements = match &action.over {
                        Some((_, over)) => self.elements(over)?,
                        None => vec![Val::One(0)],
                    };
                    for element in elements {
                        if let Some((local, _)) = &action.over {
                            self.set_local(*local, element.clone());
                        }
                        let offered = match action.condition {
                            Some(condition) => self.one(condition)? != 0,
                            None => true,
                        };
                        if offered && only.replace((action, element)).is_some() {
                            return self.wrong("somebody has to choose here");
                        }
                    }
                }
                let Some((action, element)) = only else {
                    return self.wrong("there is nothing that could be done here");
                };
                if let Some((local, _)) = &action.over {
                    self.set_local(*local, element);
                }
                self.block(&action.body)?;
            }
            StmtKind::Tell { heading, text } => self.tell(*heading, text)?,
            StmtKind::Add(unit, target) => self.set_member(*unit, *target, 1)?,
            StmtKind::Remove(unit, target) => self.set_member(*unit, *target, 0)?,
            StmtKind::Put(queue, event, values) => {
                let mut all = Vec::with_capacity(values.len());
                for value in values {
                    all.push(self.value(*value)?);
                }
                let queue = &mut self.table.queues[queue.at()];
                queue.push_back((*event, all));
                if queue.len() > MOST_EVENTS {
                    return self
                        .wrong(format!("more than {MOST_EVENTS} events wait in this queue"));
                }
            }
            StmtKind::WorkOff(queue, arms) => {
                while let Some((event, values)) = self.table.queues[queue.at()].pop_front() {
                    let Some(arm) = arms.iter().find(|arm| arm.event == event) else {
                        continue;
                    };
                    for (param, value) in arm.params.iter().zip(values) {
                        self.set_local(*param, value);
                    }
                    self.block(&arm.body)?;
                }
            }
        }
        Ok(())
    }

    /// Units as they are now are those of the start.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.started, true) {
            self.table.start.clone_from(&self.table.now);
        }
    }

    fn stage_of(&mut self, name: &'a [TextPart], body: &'a [Stmt]) -> Played<()> {
        self.begin();
        if self.in_stage {
            return self.block(body);
        }
        let name = self.letters(name)?;
        let known = self.direct.phases.iter().position(|phase| *phase == name);
        self.stage = known.unwrap_or(0) as u8;
        if let (true, Some(teller)) = (self.tells_dice, &mut self.teller) {
            teller.heading(|| match self.turn {
                0 => name,
                turn => format!("turn {turn}, {name}"),
            });
        }
        self.in_stage = true;
        let done = self.block(body);
        self.in_stage = false;
        done
    }

    fn end(&mut self, label: Option<&'a [TextPart]>) -> Played<()> {
        if let (Some(label), Some(at)) = (label, self.layout.procedure.outcome) {
            let letters = self.letters(label)?;
            let report = &self.layout.procedure.reports[at];
            let same = report.same.iter().find(|(one, _)| **one == *letters);
            let letters = same.map_or(letters.as_str(), |(_, other)| other);
            let is_it = |label: &crate::program::Label| *label.text == *letters;
            match report.labels.iter().position(is_it) {
                Some(at) => self.outcome = at as i32,
                None => return self.wrong(format!("`{letters}` is no outcome")),
            }
        }
        Err(Stop::End)
    }

    fn tell(&mut self, heading: bool, text: &'a [TextPart]) -> Played<()> {
        let Some(teller) = self.teller.take() else {
            return Ok(());
        };
        // The letters are made only if somebody listens.
        let mut made = Ok(());
        let mut letters = || match self.letters(text) {
            Ok(letters) => letters,
            Err(wrong) => {
                made = Err(wrong);
                String::new()
            }
        };
        match heading {
            true => teller.heading(letters),
            false => teller.tell(|| capitalised(letters())),
        }
        self.teller = Some(teller);
        made
    }

    fn set_member(&mut self, unit: ExprId, target: Target, flag: i32) -> Played<()> {
        let unit = self.one(unit)?;
        let mut set = self.target(target)?.parts();
        if let Some(there) = usize::try_from(unit)
            .ok()
            .and_then(|unit| set.get_mut(unit))
        {
            *there = flag;
        }
        self.set(target, Val::of(set))
    }

    /// Elements of a loop, as they are when it begins.
    fn elements(&mut self, elements: &'a Elements) -> Played<Vec<Val>> {
        const MOST_ELEMENTS: i64 = 10_000;
        match elements {
            Elements::One(id) => Ok(vec![self.value(*id)?]),
            Elements::Of(id) => {
                let ty = self.layout.program[*id].ty;
                let list = self.value(*id)?;
                Ok(self.members(list, ty))
            }
            Elements::Up(from, to) | Elements::Down(from, to) => {
                let (from, to) = (self.one(*from)?, self.one(*to)?);
                let up = matches!(elements, Elements::Up(..));
                let (low, high) = if up { (from, to) } else { (to, from) };
                if i64::from(high) - i64::from(low) > MOST_ELEMENTS {
                    return self.wrong(format!("these are more than {MOST_ELEMENTS} numbers"));
                }
                let numbers = (low..=high).map(Val::One);
                Ok(if up {
                    numbers.collect()
                } else {
                    numbers.rev().collect()
                })
            }
        }
    }
}

/// A sentence begins with a capital, whoever it is about.
fn capitalised(sentence: String) -> String {
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(letters).collect(),
        _ => sentence,
    }
}
