//! Fields: of units, sides, records, lists and tables.

use super::scope::Scope;
use super::{Checked, Checker, interval};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E};
use std::sync::Arc;

impl Checker<'_> {
    /// `unit.morale`, `list.entry`, `record.field`, `T.columns`.
    pub(super) fn field(
        &mut self,
        s: &mut Scope,
        base: &tree::Expr,
        name: &tree::Name,
        span: Span,
    ) -> Checked<ExprId> {
        // A key of one side alone: `b.choices`.
        if let E::Name(side) = &base.kind
            && s.find(side).is_none()
        {
            let both = format!("{side}.{name}");
            if let Some(super::name::Named::Var(id)) = self.in_procedures(s, &both, span)? {
                return Ok(self.var_value(id, span));
            }
        }
        if matches!(&base.kind, E::Name(name) if matches!(&*name.text, "tables" | "lists") && s.find(name).is_none())
        {
            return self.error(span, "a table is looked up with `[…]`");
        }
        if let Some(table) = self.table_named(s, base)? {
            return self.of_table(table, name, span);
        }
        let base = self.value(s, base, None)?;
        self.field_of_value(s, base, name, span)
    }

    pub(super) fn of_table(
        &mut self,
        id: TableId,
        name: &tree::Name,
        span: Span,
    ) -> Checked<ExprId> {
        let table = &self.program[id];
        if table.sort == TableSort::List {
            if let Some(row) = table.rows.place_of_word(name) {
                let cell = self.program.cell_at(id, row, 0);
                if matches!(self.program[cell].value, Value::Text(_)) {
                    let list = table.name.clone();
                    let message = Message::error(
                        name.span,
                        format!("nothing says what the entry `{name}` of `{list}` may be"),
                    );
                    return self.fail(
                        message.help(format!("add it to the line `list {list}` of the tables")),
                    );
                }
                return Ok(self.cell_value(id, cell, span));
            }
            let (known, what) = (
                table.rows.labels.clone(),
                format!("entry of `{}`", table.name),
            );
            return self.unknown(name, &what, known.iter().map(|label| &**label));
        }
        let axis = match &*name.text {
            "rows" => &table.rows,
            "columns" => &table.columns,
            _ => {
                let message = Message::error(name.span, format!("a table has no `{name}`"));
                return self.fail(
                    message.help("look it up with `[row, column]`; it has `rows` and `columns`"),
                );
            }
        };
        let numbers = axis.numbers();
        if numbers.is_empty() {
            return match axis.words {
                Some(of) => {
                    let words = self
                        .words_of(Type::Word(of))
                        .into_iter()
                        .map(Value::Word)
                        .collect();
                    Ok(self.literal(Value::List(words), Type::WordSet(of), span))
                }
                None => self.error(
                    span,
                    "these headings are neither numbers nor words of a type",
                ),
            };
        }
        let (low, high) = (numbers.iter().min().copied(), numbers.iter().max().copied());
        let range = low
            .zip(high)
            .and_then(|(low, high)| interval::range(low, high));
        let values = numbers.into_iter().map(Value::Number).collect();
        Ok(self.made(
            ExprKind::Literal(Value::List(values)),
            Type::Numbers,
            range,
            span,
        ))
    }

    pub(super) fn field_of_value(
        &mut self,
        s: &Scope,
        base: ExprId,
        name: &tree::Name,
        span: Span,
    ) -> Checked<ExprId> {
        match self.ty(base) {
            Type::Unit(unit) => self.field_of_unit(base, unit, name, span),
            Type::MaybeUnit(unit) => {
                let base = self.coerce(s, base, Type::Unit(unit))?;
                self.field_of_unit(base, unit, name, span)
            }
            Type::MaybeSide | Type::Side => self.field_of_side(s, base, name, span),
            Type::Record(of) => {
                let at = self.record_field_at(of, name)?;
                let field = &self.program[of].fields[at];
                let (ty, range) = (field.ty, field.range);
                Ok(self.made_of(ExprKind::RecordField(base, at), ty, range, span, &[base]))
            }
            Type::Numbers if &*name.text == "last" => {
                let range = self.range_of(base);
                Ok(self.made_of(ExprKind::Last(base), Type::Number, range, span, &[base]))
            }
            // A side of several equal units has what its first has where all are alike.
            Type::Units(unit) if matches!(self.program[base].kind, ExprKind::Side(_)) => {
                let one = self.literal(Value::Number(1), Type::Number, span);
                let first = self.made_of(
                    ExprKind::Element(base, one),
                    Type::Unit(unit),
                    None,
                    span,
                    &[base, one],
                );
                self.field_of_unit(first, unit, name, span)
            }
            ty => {
                let is = self.type_name(ty);
                self.error(name.span, format!("this is {is}, which has no `{name}`"))
            }
        }
    }

    /// `charged.overenthusiastic`: a side that one unit plays has what the unit has.
    pub(super) fn field_of_side(
        &mut self,
        s: &Scope,
        base: ExprId,
        name: &tree::Name,
        span: Span,
    ) -> Checked<ExprId> {
        let side = self.coerce(s, base, Type::Side)?;
        if &*name.text == "enemy" {
            return Ok(self.made_of(ExprKind::Enemy(side), Type::Side, None, span, &[side]));
        }
        let Some(&unit) = self.called.get("unit") else {
            return self.error(name.span, format!("a side has no `{name}`"));
        };
        match self.alias_or_field(unit, name) {
            Some(super::unit::Alias::Field(field)) => Ok(self.field_value_of(side, field, span)),
            _ => {
                let known = self.field_names(unit);
                self.unknown(name, "field", known.iter().map(|name| &**name))
            }
        }
    }

    pub(super) fn field_of_unit(
        &mut self,
        base: ExprId,
        unit: UnitTypeId,
        name: &tree::Name,
        span: Span,
    ) -> Checked<ExprId> {
        if let Some(alias) = self.alias_or_field(unit, name) {
            return self.alias_value(base, alias, span);
        }
        let line = self
            .program
            .units
            .iter()
            .position(|other| other.line.is_some_and(|line| line.of == unit));
        let of_line = self.program[unit].line.map(|line| line.of);
        let (kind, ty) = match &*name.text {
            "start" => (ExprKind::Start(base), Type::Unit(unit)),
            "enemy" => return Ok(self.enemy(base, span)),
            "side" => {
                let ty = line.map_or(Type::Side, |line| Type::Unit(UnitTypeId(line as u32)));
                let ty = if of_line.is_some() { Type::Side } else { ty };
                (ExprKind::SideOf(base), ty)
            }
            "number" => {
                let range = Some(Interval { low: 1, high: 64 });
                return Ok(self.made_of(
                    ExprKind::NumberOf(base),
                    Type::Number,
                    range,
                    span,
                    &[base],
                ));
            }
            "line" => (
                ExprKind::UnitsOf(Beside::Line, base),
                Type::Units(of_line.unwrap_or(unit)),
            ),
            "friends" => (ExprKind::UnitsOf(Beside::Friends, base), Type::Units(unit)),
            "enemies" => (ExprKind::UnitsOf(Beside::Enemies, base), Type::Units(unit)),
            _ => {
                let minus = name
                    .split_once('-')
                    .filter(|(left, _)| self.alias_or_field(unit, left).is_some());
                if let Some((left, right)) = minus {
                    let message = Message::error(name.span, format!("there is no field `{name}`"));
                    return self.fail(
                        message.help(format!("a minus has spaces around it: `{left} - {right}`")),
                    );
                }
                let mut known = self.field_names(unit);
                known.extend(["start", "enemy", "side", "number"].map(Arc::from));
                let what = format!("field of {}", self.program[unit].name);
                return self.unknown(name, &what, known.iter().map(|name| &**name));
            }
        };
        Ok(self.made_of(kind, ty, None, span, &[base]))
    }
}
