//! Constants: bounds of ranges and faces of dice. Numbers, arithmetic, and printed entries.

use super::{Checked, Checker};
use crate::message::Message;
use crate::number::{Fraction, LARGEST};
use crate::program::CellId;
use crate::source::Span;
use crate::tree::{Binary, Expr, ExprKind, Unary};

/// A constant, and the cells it was read from.
#[derive(Debug, Clone)]
pub(super) struct Constant {
    pub value: Fraction,
    pub from_cells: Vec<CellId>,
}

impl Checker<'_> {
    /// The value of an expression that must be known before play.
    pub(super) fn constant(&mut self, expr: &Expr) -> Checked<Constant> {
        let value = |value| Constant {
            value,
            from_cells: Vec::new(),
        };
        match &expr.kind {
            ExprKind::Number(number) => Ok(value(*number)),
            ExprKind::Unary(Unary::Negate, operand) => {
                let operand = self.constant(operand)?;
                Ok(Constant {
                    value: -operand.value,
                    ..operand
                })
            }
            ExprKind::Binary(operator, left, right) => {
                let (mut a, b) = (self.constant(left)?, self.constant(right)?);
                let value = match operator {
                    Binary::Add => a.value + b.value,
                    Binary::Subtract => a.value - b.value,
                    Binary::Multiply => a.value * b.value,
                    Binary::Divide if *b.value.numer() != 0 => a.value / b.value,
                    _ => return self.not_constant(expr.span),
                };
                // Every step stays small, so that no step can overflow.
                if value.numer().abs() > LARGEST || *value.denom() > LARGEST {
                    return self.error(expr.span, "this number is too large");
                }
                a.from_cells.extend(b.from_cells);
                Ok(Constant { value, ..a })
            }
            ExprKind::Field(list, entry) => {
                let ExprKind::Name(list) = &list.kind else {
                    return self.not_constant(expr.span);
                };
                let Some(&id) = self.lists.get(&list.text) else {
                    return self.not_constant(expr.span);
                };
                let table = &self.program[id];
                let Some(row) = table.rows.place_of_word(entry) else {
                    let known: Vec<_> = table.rows.labels.clone();
                    return self.unknown(entry, "entry", known.iter().map(|label| &**label));
                };
                let cell = self.program.cell_at(id, row, 0);
                self.number_of_cell(cell, expr.span)
            }
            ExprKind::Name(name) => match self.assumptions.get(&name.text) {
                Some(&id) => self.number_of_cell(self.program[id].first_cell, expr.span),
                None => self.not_constant(expr.span),
            },
            _ => self.not_constant(expr.span),
        }
    }

    fn number_of_cell(&mut self, cell: CellId, span: Span) -> Checked<Constant> {
        match self.program[cell].value.fraction() {
            Some(value) => Ok(Constant {
                value,
                from_cells: vec![cell],
            }),
            None => self.not_constant(span),
        }
    }

    fn not_constant<T>(&mut self, span: Span) -> Checked<T> {
        let message = Message::error(span, "a number is expected here that is known before play");
        self.fail(
            message.note("numbers, entries of lists and assumptions are, with `+`, `-`, `*`, `/`"),
        )
    }

    /// A whole constant.
    pub(super) fn whole_constant(&mut self, expr: &Expr) -> Checked<i64> {
        let constant = self.constant(expr)?;
        match constant.value.is_integer() {
            true => Ok(constant.value.to_integer()),
            false => self.error(expr.span, "a whole number is expected here"),
        }
    }
}
