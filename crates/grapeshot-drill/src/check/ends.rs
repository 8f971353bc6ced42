//! Ends: every label that an `end` can spell must be an outcome of every procedure that can come there.
//!
//! Which side plays a part is followed through the calls: `{attacker}-routs` is checked for the sides that the procedure really
//! passes as `attacker`, and no others. A text is walked once for each procedure and each set of sides it is called with.

use super::Checker;
use crate::message::Message;
use crate::nearest::nearest;
use crate::program::*;
use crate::source::Span;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Sides as bits.
type Sides = u64;

/// What locals that are units may be.
type Parts = HashMap<LocalId, Sides>;

struct Walk<'a> {
    program: &'a Program,
    procedure: &'a Procedure,
    all: Sides,
    labels: Vec<Arc<str>>,
    /// Texts walked, with the sides of their parameters.
    seen: HashSet<(TextId, Vec<Sides>)>,
    /// What texts give back, for the sides of their parameters.
    given: RefCell<HashMap<(TextId, Vec<Sides>), Sides>>,
    /// How many loops one is in.
    loops: usize,
    /// The texts through which one came.
    path: Vec<TextId>,
    found: Vec<Message>,
}

impl Checker<'_> {
    pub(super) fn check_ends(&mut self) {
        let mut found = Vec::new();
        for procedure in &self.program.procedures {
            let labels = procedure.outcome.map_or_else(Vec::new, |at| {
                let report = &procedure.reports[at];
                let labels = report.labels.iter().map(|label| label.text.clone());
                labels
                    .chain(report.same.iter().map(|(one, _)| one.clone()))
                    .collect()
            });
            let mut walk = Walk {
                program: &self.program,
                procedure,
                all: (1u64 << procedure.sides.len().min(63)) - 1,
                labels,
                seen: HashSet::new(),
                given: RefCell::new(HashMap::new()),
                loops: 0,
                path: Vec::new(),
                found: Vec::new(),
            };
            walk.block(&procedure.body, &mut Parts::new());
            found.append(&mut walk.found);
        }
        found.into_iter().for_each(|message| self.say(message));
    }
}

impl Walk<'_> {
    /// The sides a unit can be of.
    fn sides(&self, id: ExprId, parts: &Parts) -> Sides {
        match &self.program[id].kind {
            ExprKind::Side(side) => {
                let at = self.procedure.sides.iter().position(|s| s.side == *side);
                at.map_or(self.all, |at| 1 << at)
            }
            ExprKind::Local(local) => parts.get(local).copied().unwrap_or(self.all),
            ExprKind::Enemy(unit) => self.enemies(self.sides(*unit, parts)),
            ExprKind::UnitsOf(Beside::Enemies, unit) => self.enemies(self.sides(*unit, parts)),
            ExprKind::Start(unit)
            | ExprKind::SideOf(unit)
            | ExprKind::UnitsOf(_, unit)
            | ExprKind::Element(unit, _)
            | ExprKind::Convert(_, unit)
            | ExprKind::Filter { list: unit, .. }
            | ExprKind::Quantified { list: unit, .. } => self.sides(*unit, parts),
            ExprKind::UnitList(all) => all
                .iter()
                .fold(0, |sides, id| sides | self.sides(*id, parts)),
            ExprKind::If(_, a, b) => self.sides(*a, parts) | self.sides(*b, parts),
            ExprKind::Literal(Value::Nobody) => 0,
            ExprKind::Call(text, arguments) => {
                let sides = arguments
                    .iter()
                    .map(|argument| argument.map_or(self.all, |id| self.sides(id, parts)));
                let key: (TextId, Vec<Sides>) = (*text, sides.collect());
                if let Some(&known) = self.given.borrow().get(&key) {
                    return known;
                }
                let locals = key
                    .1
                    .iter()
                    .enumerate()
                    .map(|(at, sides)| (LocalId(at as u16), *sides));
                let given = self.given_back(&self.program[*text].body, &mut locals.collect());
                self.given.borrow_mut().insert(key, given);
                given
            }
            _ => self.all,
        }
    }

    /// The sides of what a text gives back.
    fn given_back(&self, block: &Block, parts: &mut Parts) -> Sides {
        let mut sides = 0;
        for stmt in block {
            match &stmt.kind {
                StmtKind::Return(Some(id)) => sides |= self.sides(*id, parts),
                StmtKind::Let(local, id) => self.put(parts, *local, *id),
                StmtKind::Set {
                    target: Target::Local(local),
                    value,
                    ..
                } => self.put(parts, *local, *value),
                StmtKind::If {
                    branches,
                    otherwise,
                } => {
                    for (_, block) in branches {
                        sides |= self.given_back(block, parts);
                    }
                    sides |= self.given_back(otherwise, parts);
                }
                StmtKind::Case {
                    arms, otherwise, ..
                } => {
                    for (_, block) in arms {
                        sides |= self.given_back(block, parts);
                    }
                    sides |= otherwise
                        .as_ref()
                        .map_or(0, |block| self.given_back(block, parts));
                }
                StmtKind::For {
                    element,
                    over,
                    body,
                    ..
                } => {
                    for elements in over {
                        if let Elements::One(id) | Elements::Of(id) = elements {
                            self.put(parts, *element, *id);
                        }
                    }
                    sides |= self.given_back(body, parts);
                }
                StmtKind::Repeat(_, body) | StmtKind::Stage(_, body) => {
                    sides |= self.given_back(body, parts)
                }
                _ => {}
            }
        }
        sides
    }

    /// The first two sides are each other's enemies.
    fn enemies(&self, sides: Sides) -> Sides {
        (sides & 1) << 1 | (sides & 2) >> 1
    }

    fn block(&mut self, block: &Block, parts: &mut Parts) {
        for stmt in block {
            self.stmt(stmt, parts);
        }
    }

    /// What a turn of a loop passes on to the next is known when nothing new comes of another. The outermost loop does it
    /// for those within it, or the work would double with each.
    fn loop_body(&mut self, body: &Block, parts: &mut Parts) {
        self.loops += 1;
        loop {
            let before = parts.clone();
            self.block(body, parts);
            if self.loops > 1 || before == *parts {
                break;
            }
        }
        self.loops -= 1;
    }

    fn put(&self, parts: &mut Parts, local: LocalId, id: ExprId) {
        // Assigned more than once, a local may be any of them.
        let sides = self.sides(id, parts);
        *parts.entry(local).or_insert(0) |= sides;
    }

    fn stmt(&mut self, stmt: &Stmt, parts: &mut Parts) {
        match &stmt.kind {
            StmtKind::Let(local, id) => {
                self.expr(*id, parts);
                self.put(parts, *local, *id);
            }
            StmtKind::Set { target, value, .. } => {
                self.expr(*value, parts);
                if let Target::Local(local) = target {
                    self.put(parts, *local, *value);
                }
            }
            StmtKind::Do(id) => self.expr(*id, parts),
            StmtKind::Return(id) => id.iter().for_each(|id| self.expr(*id, parts)),
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (condition, block) in branches {
                    self.expr(*condition, parts);
                    self.block(block, parts);
                }
                self.block(otherwise, parts);
            }
            StmtKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                subject.iter().for_each(|(_, id)| self.expr(*id, parts));
                for (condition, block) in arms {
                    self.expr(*condition, parts);
                    self.block(block, parts);
                }
                otherwise.iter().for_each(|block| self.block(block, parts));
            }
            StmtKind::For {
                element,
                over,
                body,
                ..
            } => {
                for elements in over {
                    if let Elements::One(id) | Elements::Of(id) = elements {
                        self.put(parts, *element, *id);
                    }
                }
                self.loop_body(body, parts);
            }
            StmtKind::Turns(_, body) | StmtKind::Repeat(_, body) => self.loop_body(body, parts),
            StmtKind::Stage(_, body) => self.block(body, parts),
            StmtKind::Choose { actions, .. } => actions
                .iter()
                .for_each(|action| self.block(&action.body, parts)),
            StmtKind::WorkOff(_, arms) => arms.iter().for_each(|arm| self.block(&arm.body, parts)),
            StmtKind::End(label) => self.end(label.as_deref(), stmt.span, parts),
            StmtKind::Put(..)
            | StmtKind::Add(..)
            | StmtKind::Remove(..)
            | StmtKind::Tell { .. } => {}
        }
    }

    /// Calls in an expression.
    fn expr(&mut self, id: ExprId, parts: &Parts) {
        if !self.program[id].effects.ends {
            return;
        }
        let program = self.program;
        match &program[id].kind {
            ExprKind::Call(text, arguments) => {
                for argument in arguments.iter().flatten() {
                    self.expr(*argument, parts);
                }
                let sides: Vec<Sides> = arguments
                    .iter()
                    .map(|id| id.map_or(self.all, |id| self.sides(id, parts)))
                    .collect();
                if !self.seen.insert((*text, sides.clone())) {
                    return;
                }
                let mut inner: Parts = sides
                    .into_iter()
                    .enumerate()
                    .map(|(at, sides)| (LocalId(at as u16), sides))
                    .collect();
                self.path.push(*text);
                let loops = std::mem::take(&mut self.loops);
                self.block(&program[*text].body, &mut inner);
                self.loops = loops;
                self.path.pop();
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) | ExprKind::RecordField(a, _) => {
                self.expr(*a, parts)
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Same(a, b) => {
                self.expr(*a, parts);
                self.expr(*b, parts);
            }
            ExprKind::IsWord(a, _) | ExprKind::IsNobody(a) => self.expr(*a, parts),
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|id| self.expr(*id, parts)),
            ExprKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                subject.iter().for_each(|(_, id)| self.expr(*id, parts));
                arms.iter().for_each(|(condition, value)| {
                    self.expr(*condition, parts);
                    self.expr(*value, parts);
                });
                otherwise.iter().for_each(|id| self.expr(*id, parts));
            }
            _ => {}
        }
    }

    fn end(&mut self, label: Option<&[TextPart]>, span: Span, parts: &Parts) {
        let name = &self.procedure.name;
        let Some(label) = label else {
            if !self.labels.is_empty() {
                let message = Message::error(
                    span,
                    format!("the procedure `{name}` needs an outcome behind `end`"),
                );
                self.found.push(self.with_path(message));
            }
            return;
        };
        for (letters, why) in self.spellings(label, parts) {
            if self.labels.iter().any(|known| **known == *letters) {
                continue;
            }
            let title = match self.labels.is_empty() {
                true => format!("the procedure `{name}` has no outcomes, and `{letters}` is one"),
                false => format!("`{letters}` is no outcome of the procedure `{name}`"),
            };
            let meant = nearest(&letters, self.labels.iter().map(|label| &**label));
            let help = meant.map(|meant| format!("there is `{meant}`"));
            let message = Message::error(span, title).label(why).maybe_help(help);
            self.found.push(self.with_path(message));
        }
    }

    /// Says by which texts the procedure comes here, and where its outcomes stand.
    fn with_path(&self, message: Message) -> Message {
        let line = |span: Span| self.program.sources.line_and_column(span).0;
        let procedure = self.procedure;
        let mut note = format!(
            "`{}` (line {}) comes here",
            procedure.name,
            line(procedure.span)
        );
        for (at, text) in self.path.iter().enumerate() {
            let text = &self.program[*text];
            let word = if at == 0 { " by " } else { ", " };
            note += &format!("{word}{} ({})", text.name, line(text.span));
        }
        if let Some(at) = procedure.outcome {
            note += &format!(
                "; its outcomes are at line {}",
                line(procedure.reports[at].span)
            );
        }
        message.note(note)
    }

    /// All that a label can spell, with what to say of it.
    fn spellings(&self, label: &[TextPart], parts: &Parts) -> Vec<(String, String)> {
        let mut all = vec![(String::new(), String::new())];
        for part in label {
            let choices: Vec<(String, String)> = match part {
                TextPart::Letters(letters) => vec![(letters.to_string(), String::new())],
                TextPart::Value(id) => self.values(*id, parts),
            };
            if all.len() * choices.len() > 1000 {
                return Vec::new();
            }
            all = all
                .iter()
                .flat_map(|(before, why)| {
                    choices.iter().map(move |(next, more)| {
                        let why = if more.is_empty() {
                            why.clone()
                        } else {
                            more.clone()
                        };
                        (format!("{before}{next}"), why)
                    })
                })
                .collect();
        }
        all
    }

    fn values(&self, id: ExprId, parts: &Parts) -> Vec<(String, String)> {
        let written = self.program.sources.text(self.program[id].span);
        let said = |word: &str| (word.to_string(), format!("`{written}` may be {word}"));
        match self.program[id].ty {
            Type::Word(of) => self.program[of]
                .words
                .iter()
                .map(|word| said(word))
                .collect(),
            Type::Mixed(mixed) => {
                let words = self.program[mixed].words.iter();
                words
                    .map(|word| said(&self.program[word.of].words[word.at as usize]))
                    .collect()
            }
            _ => {
                let sides = self.sides(id, parts);
                let all = self.procedure.sides.iter().enumerate();
                all.filter(|(at, _)| sides >> at & 1 == 1)
                    .map(|(_, side)| said(&self.program[side.side].name))
                    .collect()
            }
        }
    }
}
