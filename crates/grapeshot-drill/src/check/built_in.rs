//! What is built in: extremes, rounding, places, dice.

use super::scope::Scope;
use super::{Checked, Checker, interval};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E, TextKind};
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn built_in(
        &mut self,
        s: &mut Scope,
        name: &tree::Name,
        call: &tree::Call,
        want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        let arguments: Vec<&tree::Expr> = call
            .arguments
            .iter()
            .map(|argument| &argument.value)
            .collect();
        let count = arguments.len();
        let takes = |checker: &mut Self, wanted: usize| -> Checked<()> {
            match count == wanted {
                true => Ok(()),
                false => checker.error(
                    span,
                    format!("`{name}` takes {wanted} values, and here are {count}"),
                ),
            }
        };
        match &*name.text {
            "min" | "max" if count >= 1 => self.extreme(s, &name.text, &arguments, want, span),
            "abs" => {
                takes(self, 1)?;
                let value = self.value(s, arguments[0], None)?;
                let value = self.numeric(s, value)?;
                let (ty, range) = (self.ty(value), interval::absolute(self.range_of(value)));
                Ok(self.made_of(
                    ExprKind::Unary(UnaryOp::Absolute, value),
                    ty,
                    range,
                    span,
                    &[value],
                ))
            }
            "down" | "up" => {
                takes(self, 1)?;
                let value = self.value(s, arguments[0], None)?;
                let value = self.numeric(s, value)?;
                if self.ty(value) == Type::Number {
                    return Ok(value);
                }
                let op = if &*name.text == "down" {
                    UnaryOp::Down
                } else {
                    UnaryOp::Up
                };
                Ok(self.made_of(
                    ExprKind::Unary(op, value),
                    Type::Number,
                    None,
                    span,
                    &[value],
                ))
            }
            "remainder" => {
                takes(self, 2)?;
                let a = self.wanted(s, arguments[0], Type::Number)?;
                let b = self.wanted(s, arguments[1], Type::Number)?;
                let high = self
                    .range_of(b)
                    .map(|range| range.high.abs().max(range.low.abs()).max(1) - 1);
                let range = high.and_then(|high| interval::range(0, high));
                Ok(self.made_of(
                    ExprKind::Binary(BinaryOp::Remainder, a, b),
                    Type::Number,
                    range,
                    span,
                    &[a, b],
                ))
            }
            "held" => {
                takes(self, 1)?;
                let place = self.wanted(s, arguments[0], Type::Place)?;
                match self.table_of_place(place) {
                    Some((table, way)) => Ok(self.made_of(
                        ExprKind::Held(table, way, place),
                        Type::Place,
                        None,
                        span,
                        &[place],
                    )),
                    None => self.error(span, "which table this place is of cannot be seen here"),
                }
            }
            "favour" => {
                takes(self, 1)?;
                self.favour(s, arguments[0], span)
            }
            "asked" if s.refusal => {
                takes(self, 1)?;
                match &arguments[0].kind {
                    E::Name(key) => {
                        Ok(self.made(ExprKind::Asked(key.text.clone()), Type::Flag, None, span))
                    }
                    _ => self.error(arguments[0].span, "the name of a key is expected here"),
                }
            }
            "sum" | "count" | "best" | "chance" => self.throw(s, name, &arguments, span),
            _ => {
                let mut known: Vec<Arc<str>> = self.texts.keys().cloned().collect();
                known.extend(BUILT_IN.map(Arc::from));
                known.sort();
                self.unknown(name, "rule", known.iter().map(|name| &**name))
            }
        }
    }

    /// `min` and `max` of numbers, places, ordered words, records.
    pub(super) fn extreme(
        &mut self,
        s: &mut Scope,
        name: &str,
        arguments: &[&tree::Expr],
        want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        let op = if name == "min" {
            BinaryOp::Min
        } else {
            BinaryOp::Max
        };
        let want = want.filter(|ty| matches!(ty, Type::Word(_) | Type::Mixed(_)));
        let mut all: Option<ExprId> = None;
        for argument in arguments {
            let want = all
                .map(|id| self.ty(id))
                .filter(|ty| matches!(ty, Type::Word(_) | Type::Record(_)))
                .or(want);
            let id = self.value(s, argument, want)?;
            all = Some(match all {
                None => id,
                Some(before) => self.extreme_of_two(s, op, before, id, span)?,
            });
        }
        let Some(all) = all else {
            return self.error(span, format!("`{name}` takes at least one value"));
        };
        match self.ty(all) {
            Type::Numbers | Type::Mixed(_) | Type::Dice => self.numeric(s, all),
            _ => Ok(all),
        }
    }

    pub(super) fn extreme_of_two(
        &mut self,
        s: &Scope,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        if let Some(of) = self.ordered(a).or_else(|| self.ordered(b)) {
            let (x, y) = (self.rank(s, a, of)?, self.rank(s, b, of)?);
            let rank = self.made_of(
                ExprKind::Binary(op, x, y),
                Type::Number,
                None,
                span,
                &[x, y],
            );
            return Ok(self.made_of(
                ExprKind::OfRank(of, rank),
                Type::Word(of),
                None,
                span,
                &[rank],
            ));
        }
        let (x, y) = (self.ty(a), self.ty(b));
        if x == y && matches!(x, Type::Place | Type::Record(_)) {
            return Ok(self.made_of(ExprKind::Binary(op, a, b), x, None, span, &[a, b]));
        }
        let (a, b, ty) = self.numeric_pair(s, a, b)?;
        let (x, y) = (self.range_of(a), self.range_of(b));
        let range = if op == BinaryOp::Min {
            interval::least(x, y)
        } else {
            interval::greatest(x, y)
        };
        Ok(self.made_of(ExprKind::Binary(op, a, b), ty, range, span, &[a, b]))
    }

    /// `favour(outcome)`.
    pub(super) fn favour(
        &mut self,
        s: &mut Scope,
        argument: &tree::Expr,
        span: Span,
    ) -> Checked<ExprId> {
        let id = self.value(s, argument, None)?;
        match self.program[id].kind {
            ExprKind::Report(at) => {
                Ok(self.made(ExprKind::Favour(at), Type::Word(Words::FAVOUR), None, span))
            }
            _ => self.error(argument.span, "a report with labels is expected here"),
        }
    }

    pub(super) fn throw(
        &mut self,
        s: &mut Scope,
        name: &tree::Name,
        arguments: &[&tree::Expr],
        span: Span,
    ) -> Checked<ExprId> {
        let needed = match &*name.text {
            "best" => 3,
            "chance" => 1,
            _ => 2,
        };
        if arguments.len() != needed {
            return self.error(
                span,
                format!(
                    "`{name}` takes {needed} values, and here are {}",
                    arguments.len()
                ),
            );
        }
        let mut parts = Vec::new();
        let (throw, ty, range) =
            match &*name.text {
                "chance" => {
                    let chance = self.wanted(s, arguments[0], Type::Fraction)?;
                    parts.push(chance);
                    (Throw::Chance(chance), Type::Flag, None)
                }
                "count" => {
                    let count = self.wanted(s, arguments[0], Type::Number)?;
                    let condition = self.flag(s, arguments[1])?;
                    if !self.program[condition].effects.throws {
                        let message = Message::error(arguments[1].span, "no die is thrown here");
                        return self.fail(message.help(
                            "`count(n, d6 >= 4)` throws n times and counts how often it holds",
                        ));
                    }
                    parts.extend([count, condition]);
                    let range = self
                        .range_of(count)
                        .and_then(|range| interval::range(0, range.high.max(0)));
                    (Throw::Count(count, condition), Type::Number, range)
                }
                "sum" if matches!(arguments[1].kind, E::Index { .. }) => {
                    let count = self.wanted(s, arguments[0], Type::Number)?;
                    let dice = self.wanted(s, arguments[1], Type::Dice)?;
                    parts.extend([count, dice]);
                    (Throw::OfCell(count, dice), Type::Number, None)
                }
                "sum" => {
                    let count = self.wanted(s, arguments[0], Type::Number)?;
                    let die = self.die_argument(arguments[1])?;
                    parts.push(count);
                    let faces = &self.program[die].faces;
                    let face = faces
                        .iter()
                        .min()
                        .zip(faces.iter().max())
                        .map(|(&low, &high)| Interval { low, high });
                    let range = interval::multiply(self.range_of(count), face)
                        .map(|r| r.hull(Interval::only(0)));
                    let range = range.filter(|_| self.program[die].from_cells.is_empty());
                    (Throw::Sum(count, die), Type::Number, range)
                }
                _ => {
                    let keep = self.wanted(s, arguments[0], Type::Number)?;
                    let of = self.wanted(s, arguments[1], Type::Number)?;
                    let die = self.die_argument(arguments[2])?;
                    parts.extend([keep, of]);
                    let faces = &self.program[die].faces;
                    let range = faces
                        .iter()
                        .min()
                        .zip(faces.iter().max())
                        .map(|(&low, &high)| Interval { low, high });
                    (Throw::Best { keep, of, die }, Type::Numbers, range)
                }
            };
        if s.kind == Some(TextKind::Define) {
            return self.fail(
                Message::error(span, "a `define` only computes, and dice fall here")
                    .help("make it a `roll`"),
            );
        }
        let made = self.made_of(ExprKind::Throw(throw), ty, range, span, &parts);
        let effects = Effects {
            throws: true,
            ..Effects::default()
        };
        self.does(made, effects);
        Ok(made)
    }

    pub(super) fn die_argument(&mut self, expr: &tree::Expr) -> Checked<DieId> {
        match &expr.kind {
            E::Dice { count: 1, sides } => Ok(self.ordinary_die(*sides)),
            E::Name(name) => self.die(name),
            _ => self.error(expr.span, "one die is expected here"),
        }
    }
}

/// What is built in, for suggestions.
pub(super) const BUILT_IN: [&str; 12] = [
    "min",
    "max",
    "abs",
    "remainder",
    "down",
    "up",
    "held",
    "favour",
    "sum",
    "count",
    "best",
    "chance",
];
