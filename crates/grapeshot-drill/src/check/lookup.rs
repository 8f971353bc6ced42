//! Fields, and what is looked up in tables, lists and sides.

use super::scope::Scope;
use super::{Checked, Checker, interval};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind as E};
use std::sync::Arc;

impl Checker<'_> {
    /// A table or list that a name stands for: behind `tables.` and `lists.`, or where nothing else is called so.
    pub(super) fn table_named(
        &mut self,
        s: &mut Scope,
        expr: &tree::Expr,
    ) -> Checked<Option<TableId>> {
        match &expr.kind {
            E::Field(base, name) => {
                let E::Name(base) = &base.kind else {
                    return Ok(None);
                };
                let tables = match &*base.text {
                    "tables" => &self.grids,
                    "lists" => &self.lists,
                    _ => return Ok(None),
                };
                if let Some(&id) = tables.get(&name.text) {
                    return Ok(Some(id));
                }
                let known: Vec<Arc<str>> = tables.keys().cloned().collect();
                self.unknown(name, "table", known.iter().map(|name| &**name))
            }
            E::Name(name) if s.find(name).is_none() => {
                let found = self
                    .grids
                    .get(&name.text)
                    .or_else(|| self.lists.get(&name.text))
                    .copied();
                let Some(id) = found else {
                    return Ok(None);
                };
                // A key of the same name comes first, unless nobody has one here.
                let shadowed = s
                    .this
                    .is_some_and(|unit| self.alias_or_field(unit, name).is_some())
                    || !s.procedures.is_empty()
                        && self.in_procedures(s, name, name.span)?.is_some();
                Ok((!shadowed).then_some(id))
            }
            _ => Ok(None),
        }
    }

    /// `T[row, column]`, `list[word]`, `stack[1]`.
    pub(super) fn index(
        &mut self,
        s: &mut Scope,
        of: &tree::Expr,
        indices: &[tree::Expr],
        otherwise: Option<&tree::Expr>,
        want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        if let Some(table) = self.table_named(s, of)? {
            return self.lookup(s, table, indices, otherwise, want, span);
        }
        let list = self.value(s, of, None)?;
        let [index] = indices else {
            return self.error(span, "one number is expected between these brackets");
        };
        let list = match self.ty(list) {
            Type::Unit(line) => match self.program[line].line {
                Some(members) => self.coerce(s, list, Type::Units(members.of))?,
                None => return self.error(span, "a unit has no units in it"),
            },
            _ => list,
        };
        let index = self.wanted(s, index, Type::Number)?;
        let parts = [list, index];
        match self.ty(list) {
            Type::Units(unit) => Ok(self.made_of(
                ExprKind::Element(list, index),
                Type::Unit(unit),
                None,
                span,
                &parts,
            )),
            Type::Numbers => {
                let range = self.range_of(list);
                Ok(self.made_of(
                    ExprKind::NumberAt(list, index),
                    Type::Number,
                    range,
                    span,
                    &parts,
                ))
            }
            ty => {
                let is = self.type_name(ty);
                self.error(
                    self.span_of(list),
                    format!("this is {is}, and nothing can be looked up in it"),
                )
            }
        }
    }

    pub(super) fn lookup(
        &mut self,
        s: &mut Scope,
        id: TableId,
        indices: &[tree::Expr],
        otherwise: Option<&tree::Expr>,
        want: Option<Type>,
        span: Span,
    ) -> Checked<ExprId> {
        let Some(place) = self.indices(s, id, indices, span)? else {
            return self.error(
                span,
                "a row of this table is only asked for the column of a number: `T[row].column(x)`",
            );
        };
        let (row, column, parts, missing) = place;
        let (ty, range) = self.type_of_cells(id, &column);
        let proved = missing.is_empty();
        let strict = missing.iter().any(|missing| missing.strict);
        if let (None, true, Some(first)) = (otherwise, strict, missing.first()) {
            let words: Vec<_> = first
                .words
                .iter()
                .map(|&word| format!("`{}`", self.letters(word)))
                .collect();
            let name = self.program[id].name.clone();
            let message = Message::error(
                first.span,
                format!("`{name}` has nothing for {}", words.join(", ")),
            );
            return self.fail(message.help("say what holds then: `[…] else 0`"));
        }
        let otherwise = match otherwise {
            Some(expr) => Some(self.wanted(s, expr, ty)?),
            None => None,
        };
        let range = match otherwise {
            Some(other) => interval::hull(range, self.range_of(other)),
            None => range,
        };
        let _ = want;
        let mut parts = parts;
        parts.extend(otherwise);
        let kind = ExprKind::Lookup {
            table: id,
            row,
            column,
            proved: proved || otherwise.is_some(),
            otherwise,
        };
        Ok(self.made_of(kind, ty, range, span, &parts))
    }

    /// Columns may have kinds of their own.
    pub(super) fn type_of_cells(&self, id: TableId, column: &Index) -> (Type, Option<Interval>) {
        let table = &self.program[id];
        match column {
            Index::Fixed(at) if table.by_faces.is_none() && table.sort == TableSort::Grid => {
                (table.kinds[*at].ty, table.kinds[*at].range)
            }
            _ => (table.ty, table.range),
        }
    }

    /// The row and column of a look-up. Nothing where one index of a table of several columns names a row.
    #[allow(clippy::type_complexity)]
    pub(super) fn indices(
        &mut self,
        s: &mut Scope,
        id: TableId,
        indices: &[tree::Expr],
        span: Span,
    ) -> Checked<Option<(Index, Index, Vec<ExprId>, Vec<Missing>)>> {
        let table = &self.program[id];
        let joined = table
            .rows
            .headings
            .iter()
            .any(|heading| matches!(heading, Heading::Joined(..)));
        let (one_row, one_column) = (
            table.rows.labels.len() == 1,
            table.columns.labels.len() == 1,
        );
        let mut parts = Vec::new();
        let mut missing = Vec::new();
        let mut rest = indices;
        let row = match (joined, indices.len()) {
            (true, 3) => {
                rest = &indices[2..];
                let number = self.wanted(s, &indices[0], Type::Number)?;
                parts.push(number);
                let of = self.program[id].rows.words;
                let word = match of {
                    Some(of) => self.value(s, &indices[1], Some(Type::Word(of)))?,
                    None => self.value(s, &indices[1], None)?,
                };
                let word = match of {
                    Some(of) => self.coerce(s, word, Type::Word(of))?,
                    None => word,
                };
                parts.push(word);
                Index::Joined(number, Box::new(Index::Word(word, Vec::new())))
            }
            (false, 2) => {
                rest = &indices[1..];
                self.axis_index(s, id, Way::Rows, &indices[0], &mut parts, &mut missing)?
            }
            (false, 1) if one_column => {
                let row =
                    self.axis_index(s, id, Way::Rows, &indices[0], &mut parts, &mut missing)?;
                return Ok(Some((row, Index::Fixed(0), parts, missing)));
            }
            (false, 1) if one_row => Index::Fixed(0),
            (false, 1) => return Ok(None),
            (joined, _) => {
                let count = if joined {
                    "three indices: number, word and column"
                } else {
                    "a row and a column"
                };
                let name = self.program[id].name.clone();
                return self.error(span, format!("`{name}` is looked up by {count}"));
            }
        };
        let column = match self.program[id].by_faces {
            Some(_) => {
                let face = self.wanted(s, &rest[0], Type::Number)?;
                parts.push(face);
                Index::Face(face)
            }
            None => self.axis_index(s, id, Way::Columns, &rest[0], &mut parts, &mut missing)?,
        };
        Ok(Some((row, column, parts, missing)))
    }

    pub(super) fn axis_index(
        &mut self,
        s: &mut Scope,
        id: TableId,
        way: Way,
        expr: &tree::Expr,
        parts: &mut Vec<ExprId>,
        missing: &mut Vec<Missing>,
    ) -> Checked<Index> {
        let axis = |program: &Program| match way {
            Way::Rows => program[id].rows.clone(),
            Way::Columns => program[id].columns.clone(),
        };
        let axis = axis(&self.program);
        let letters = match &expr.kind {
            E::Name(name) => Some(&*name.text),
            E::Text(text) => text.plain(),
            _ => None,
        };
        if let Some(at) = letters.and_then(|letters| axis.place_of_word(letters)) {
            return Ok(Index::Fixed(at));
        }
        let want = match (&expr.kind, axis.words) {
            (E::Text(_), None) => {
                let labels: Vec<Arc<str>> = axis.labels.clone();
                Some(Type::Word(self.anonymous(&labels, expr.span)))
            }
            (_, Some(of)) => Some(Type::Word(of)),
            _ => None,
        };
        let want = want.filter(|_| !matches!(expr.kind, E::Name(_)));
        let index = match (&expr.kind, letters) {
            (E::Name(name), Some(_)) => match self.named(s, name)? {
                Some(index) => index,
                None => {
                    let table = self.program[id].name.clone();
                    let what = match (way, self.program[id].sort) {
                        (Way::Rows, TableSort::List) => format!("entry of `{table}`"),
                        (Way::Rows, _) => format!("row of `{table}`"),
                        _ => format!("column of `{table}`"),
                    };
                    return self.unknown(name, &what, axis.labels.iter().map(|label| &**label));
                }
            },
            _ => self.value(s, expr, want)?,
        };
        let ty = self.ty(index);
        match ty {
            Type::Place => {
                parts.push(index);
                Ok(Index::Place(index))
            }
            Type::Word(_) | Type::Mixed(_) => {
                parts.push(index);
                let shape = self.shape(s, index);
                let places: Vec<Option<u32>> = self
                    .words_of(ty)
                    .into_iter()
                    .map(|word| {
                        self.place_by_letters(word, &axis.labels)
                            .map(|at| at as u32)
                    })
                    .collect();
                let all = self.words_of(ty);
                let without: Vec<WordId> = all
                    .iter()
                    .zip(&places)
                    .filter(|(word, place)| place.is_none() && shape.words.contains(word))
                    .map(|(word, _)| *word)
                    .collect();
                if !without.is_empty() {
                    // Of a mixed kind a word may have been seen to elsewhere; none at all is a slip.
                    let strict = matches!(ty, Type::Word(_)) || without.len() == shape.words.len();
                    missing.push(Missing {
                        words: without,
                        span: expr.span,
                        strict,
                    });
                }
                let numbers = match ty {
                    Type::Mixed(mixed) => self.program[mixed].number != MixedNumber::None,
                    _ => false,
                };
                Ok(match numbers {
                    true => Index::Mixed(index, places),
                    false => Index::Word(index, places),
                })
            }
            _ => {
                let index = self.numeric(s, index)?;
                parts.push(index);
                if axis.finds == Finds::Words {
                    let table = self.program[id].name.clone();
                    let what = if way == Way::Rows { "rows" } else { "columns" };
                    return self.error(
                        expr.span,
                        format!("the {what} of `{table}` are not found by numbers"),
                    );
                }
                Ok(Index::Number(index))
            }
        }
    }

    /// `T.row(x)`, `T.column(x)`, `T[row].column(x)`. Nothing if it is none of these.
    pub(super) fn place(
        &mut self,
        s: &mut Scope,
        called: &tree::Expr,
        arguments: &[tree::Argument],
        span: Span,
    ) -> Checked<Option<ExprId>> {
        let E::Field(base, way) = &called.kind else {
            return Ok(None);
        };
        let axis = match &*way.text {
            "row" => Way::Rows,
            "column" => Way::Columns,
            _ => return Ok(None),
        };
        let [argument] = arguments else {
            return self.error(span, format!("`{way}` is asked of one value"));
        };
        if let Some(id) = self.table_named(s, base)? {
            let (mut parts, mut missing) = (Vec::new(), Vec::new());
            let index = self.axis_index(s, id, axis, &argument.value, &mut parts, &mut missing)?;
            let labels = match axis {
                Way::Rows => self.program[id].rows.labels.len(),
                Way::Columns => self.program[id].columns.labels.len(),
            };
            let range = interval::range(0, labels as i64 - 1);
            return Ok(Some(self.made_of(
                ExprKind::PlaceOf(id, axis, index),
                Type::Place,
                range,
                span,
                &parts,
            )));
        }
        if let (E::Index { of, indices, .. }, Way::Columns, [row]) =
            (&base.kind, axis, index_list(&base.kind))
        {
            let Some(id) = self.table_named(s, of)? else {
                return self.error(of.span, "a table is expected here");
            };
            let _ = indices;
            if self.program[id].ty != Type::Band {
                return self.error(
                    span,
                    "only a row of bands is asked for the column of a number",
                );
            }
            let (mut parts, mut missing) = (Vec::new(), Vec::new());
            let row = self.axis_index(s, id, Way::Rows, row, &mut parts, &mut missing)?;
            let number = self.wanted(s, &argument.value, Type::Number)?;
            parts.push(number);
            let kind = ExprKind::BandPlace {
                table: id,
                row,
                number,
            };
            return Ok(Some(self.made_of(kind, Type::Place, None, span, &parts)));
        }
        Ok(None)
    }

    /// The table that a place belongs to, where it can be seen.
    pub(super) fn table_of_place(&self, id: ExprId) -> Option<(TableId, Way)> {
        match &self.program[id].kind {
            ExprKind::PlaceOf(table, way, _) | ExprKind::Held(table, way, _) => {
                Some((*table, *way))
            }
            ExprKind::BandPlace { table, .. } => {
                let of = self.program[*table].columns.places_of.unwrap_or(*table);
                Some((of, Way::Columns))
            }
            ExprKind::Binary(_, a, b) => {
                self.table_of_place(*a).or_else(|| self.table_of_place(*b))
            }
            ExprKind::If(_, a, b) => self.table_of_place(*a).or_else(|| self.table_of_place(*b)),
            _ => None,
        }
    }
}

fn index_list(kind: &E) -> &[tree::Expr] {
    match kind {
        E::Index { indices, .. } => indices,
        _ => &[],
    }
}

/// Words that have no row or column.
pub(super) struct Missing {
    words: Vec<WordId>,
    span: Span,
    strict: bool,
}
