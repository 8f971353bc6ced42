//! What is printed, looked up by position.

use super::{Held, Out, Scope, Writer, type_of};
use crate::number::Fraction;
use crate::program::{Axis, ExprId, Finds, Heading, Index, TableId, Type, Way};
use crate::source::Span;
use std::fmt::Write;

/// A place on an axis.
struct Place {
    /// An expression of type `i32`.
    code: String,
    /// Whether it can be −1: there is no such heading.
    missing: bool,
}

impl<'p> Writer<'p> {
    /// Where a whole number, which stands in a name, finds its place: a `match` over the numbers at which it changes.
    fn place_of_whole(&self, axis: &Axis, name: &str) -> Place {
        let place = |number: i64| {
            let at = axis.place_of(Fraction::from_integer(number));
            at.map_or(-1, |at| at as i64)
        };
        let mut borders: Vec<i64> = Vec::new();
        for heading in &axis.headings {
            match heading {
                Heading::Numbers(band) => borders.extend([band.low - 1, band.low, band.high]),
                Heading::Limit(limit) => {
                    let (low, high) = (limit.floor().to_integer(), limit.ceil().to_integer());
                    borders.extend([low - 1, low, high - 1, high]);
                }
                Heading::Word | Heading::Joined(..) => {}
            }
        }
        let most = i64::from(i32::MAX);
        borders.retain(|border| (-most..most).contains(border));
        borders.sort_unstable();
        borders.dedup();
        // Of borders at which nothing changes only the last counts.
        let mut arms: Vec<(i64, i64)> = Vec::new();
        for &border in &borders {
            let here = place(border);
            match arms.last_mut() {
                Some(last) if last.1 == here => last.0 = border,
                _ => arms.push((border, here)),
            }
        }
        let last = place(most);
        if arms.last().is_some_and(|(_, at)| *at == last) {
            arms.pop();
        }
        if arms.is_empty() {
            return Place {
                code: format!("{{ let _ = {name}; {last} }}"),
                missing: last < 0,
            };
        }
        let mut text = format!("match {name} {{ ");
        for (border, at) in &arms {
            let _ = write!(text, "..={border} => {at}, ");
        }
        let _ = write!(text, "_ => {last} }}");
        Place {
            code: text,
            missing: last < 0,
        }
    }

    /// The same of a fraction.
    fn place_of_exact(&self, axis: &Axis, name: &str) -> Place {
        let at_most =
            |limit: Fraction| format!("!less([{}, {}], {name})", limit.numer(), limit.denom());
        let mut limits: Vec<(usize, Fraction)> = Vec::new();
        for (at, heading) in axis.headings.iter().enumerate() {
            match heading {
                Heading::Numbers(band) if axis.finds == Finds::Bands => {
                    limits.push((
                        at,
                        Fraction::from_integer(band.high.min(i64::from(i32::MAX))),
                    ));
                }
                Heading::Limit(limit) => limits.push((at, *limit)),
                _ => {}
            }
        }
        let Some(&(last, _)) = limits.last() else {
            return Place {
                code: format!("{{ let _ = {name}; -1 }}"),
                missing: true,
            };
        };
        let mut text = String::new();
        let after = match axis.finds {
            Finds::Words => -1,
            Finds::Bands => {
                for (at, limit) in &limits[..limits.len() - 1] {
                    let _ = write!(text, "if {} {{ {at} }} else ", at_most(*limit));
                }
                last as i64
            }
            Finds::UpperLimits => {
                for (at, limit) in &limits {
                    let _ = write!(text, "if {} {{ {at} }} else ", at_most(*limit));
                }
                (last + 1).min(axis.headings.len() - 1) as i64
            }
            Finds::LowerLimits => {
                for (at, limit) in limits[1..].iter().rev() {
                    let _ = write!(
                        text,
                        "if !less({name}, [{}, {}]) {{ {at} }} else ",
                        limit.numer(),
                        limit.denom()
                    );
                }
                limits[0].0 as i64
            }
        };
        let _ = write!(text, "{{ {after} }}");
        Place {
            code: text,
            missing: after < 0,
        }
    }

    fn place_of_number(&self, axis: &Axis, held: Held, name: &str, span: Span) -> Out<Place> {
        match held {
            Held::One => Ok(self.place_of_whole(axis, name)),
            Held::Parts(2) => Ok(self.place_of_exact(axis, name)),
            _ => self.refuse(span, "such an index"),
        }
    }

    /// The place that an index means.
    fn index(&mut self, scope: &mut Scope<'p>, axis: &Axis, index: &Index) -> Out<Place> {
        let program = self.program;
        let known = |code: String| Place {
            code,
            missing: false,
        };
        Ok(match index {
            Index::Fixed(at) => known(format!("{at}_i32")),
            Index::Place(id) => {
                let value = self.expr(scope, *id)?;
                known(format!(
                    "i32::clamp({value}, 0, {})",
                    axis.labels.len() as i64 - 1
                ))
            }
            Index::Number(id) => {
                let value = self.expr(scope, *id)?;
                let name = self.name();
                let held = self.held(program[*id].ty, program[*id].span)?;
                let place = self.place_of_number(axis, held, &name, program[*id].span)?;
                Place {
                    code: format!("{{ let {name} = {value}; {} }}", place.code),
                    ..place
                }
            }
            Index::Word(id, places) | Index::Mixed(id, places) => {
                let (ty, span) = (program[*id].ty, program[*id].span);
                let value = self.expr(scope, *id)?;
                let places: Vec<i64> = places
                    .iter()
                    .map(|place| place.map_or(-1, i64::from))
                    .collect();
                let missing = places.iter().any(|&place| place < 0);
                let in_order = (0..).zip(&places).all(|(at, &place)| at == place);
                let listed: Vec<String> = places.iter().map(i64::to_string).collect();
                let name = self.name();
                match ty {
                    Type::Word(_) if in_order => known(value),
                    Type::Word(_) => {
                        let list = self.fixed("i32", &listed);
                        Place {
                            code: format!("{list}[({value}) as usize]"),
                            missing,
                        }
                    }
                    Type::Flag => {
                        let list = self.fixed("i32", &listed);
                        Place {
                            code: format!("{list}[usize::from({value})]"),
                            missing,
                        }
                    }
                    Type::Mixed(mixed) => {
                        let held = self.held(ty, span)?;
                        let number = self.place_of_number(axis, held, &name, span)?;
                        let mut arms = String::new();
                        for (at, place) in places.iter().enumerate() {
                            let encoded = self.layout.mixed_word(mixed, at);
                            let encoded = match encoded[..] {
                                [one] => one.to_string(),
                                _ => super::parts_of(&encoded),
                            };
                            let _ = write!(arms, "{encoded} => {place}, ");
                        }
                        let whole =
                            matches!(program[mixed].number, crate::program::MixedNumber::None);
                        Place {
                            code: format!(
                                "{{ let {name} = {value}; match {name} {{ {arms} _ => {} }} }}",
                                number.code
                            ),
                            missing: missing || (number.missing && !whole),
                        }
                    }
                    _ => {
                        let held = self.held(ty, span)?;
                        let place = self.place_of_number(axis, held, &name, span)?;
                        Place {
                            code: format!("{{ let {name} = {value}; {} }}", place.code),
                            ..place
                        }
                    }
                }
            }
            Index::Joined(number, word) => {
                let Index::Word(word, _) = &**word else {
                    return self.refuse(program[*number].span, "such an index");
                };
                let number = self.expr(scope, *number)?;
                let ty = program[*word].ty;
                let count = match ty {
                    Type::Word(of) => program[of].words.len(),
                    Type::Side | Type::MaybeSide => self.layout.procedure.sides.len(),
                    _ => return self.refuse(program[*word].span, "such an index"),
                };
                let value = self.expr(scope, *word)?;
                let (a, b) = (self.name(), self.name());
                let mut text = format!("{{ let {a} = {number}; let {b} = {value}; ");
                for (at, heading) in axis.headings.iter().enumerate() {
                    let Heading::Joined(band, with) = heading else {
                        continue;
                    };
                    for said in 0..count {
                        if *self.layout.letters(ty, &[said as i32]) == **with {
                            let far = i64::from(i32::MAX);
                            let (low, high) = (band.low.max(-far), band.high.min(far));
                            let _ = write!(
                                text,
                                "if {b} == {said} && ({low}..={high}).contains(&{a}) {{ {at} }} else "
                            );
                        }
                    }
                }
                text.push_str("{ -1 } }");
                Place {
                    code: text,
                    missing: true,
                }
            }
            Index::Face(id) => return self.refuse(program[*id].span, "a face here"),
        })
    }

    pub(super) fn lookup(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        table: TableId,
        (row, column): (&Index, &Index),
        otherwise: Option<ExprId>,
    ) -> Out<String> {
        let program = self.program;
        let expr = &program[id];
        let of = &program[table];
        let (rows, columns) = (of.rows.labels.len(), of.columns.labels.len());
        let row = self.index(scope, &of.rows, row)?;
        let (r, c) = (self.name(), self.name());
        let column = match column {
            Index::Face(face) => {
                let value = self.expr(scope, *face)?;
                let Some((die, _)) = &of.by_faces else {
                    return self.refuse(expr.span, "a face of this table");
                };
                let faces = &program[*die].faces;
                let low = faces.iter().copied().min().unwrap_or(0);
                let high = faces.iter().copied().max().unwrap_or(0);
                let count = (high - low + 1) as usize;
                let all = rows * count;
                let array = self.filled(
                    &format!("faces_{}", of.name),
                    &format!("[i16; {all}]"),
                    format!("fill.faces(TableId({}), {low})", table.0),
                );
                let x = self.name();
                Place {
                    code: format!(
                        "{{ let {x} = {value}; if ({low}..={high}).contains(&{x}) && {r} >= 0 {{ i32::from({array}[({r} * {count} + ({x} - {low})) as usize]) }} else {{ -1 }} }}"
                    ),
                    missing: true,
                }
            }
            column => self.index(scope, &of.columns, column)?,
        };
        let held = self.held(expr.ty, expr.span)?;
        let all = rows * columns;
        let holes = self.holes(table, expr.ty);
        let (rust, by) = match held {
            Held::One | Held::Flag => (
                format!("[i32; {all}]"),
                format!(
                    "fill.cells(TableId({}), {}, {})",
                    table.0,
                    type_of(expr.ty),
                    !holes.is_empty()
                ),
            ),
            Held::Parts(width) => (
                format!("[[i32; {width}]; {all}]"),
                format!(
                    "fill.cells_of(TableId({}), {}, {})",
                    table.0,
                    type_of(expr.ty),
                    !holes.is_empty()
                ),
            ),
            Held::Words => (
                format!("[u64; {all}]"),
                format!(
                    "fill.cell_sets(TableId({}), {}, {})",
                    table.0,
                    type_of(expr.ty),
                    !holes.is_empty()
                ),
            ),
            Held::Nothing => return Ok("()".into()),
            _ => return self.refuse(expr.span, "such a look-up"),
        };
        let array = self.filled(&of.name, &rust, by);
        let at = format!("({r} * {columns} + {c}) as usize");
        let read = match held {
            Held::Flag => format!("{array}[{at}] != 0"),
            _ => format!("{array}[{at}]"),
        };
        let read = match holes.is_empty() {
            true => read,
            false => {
                let wrong = self.says("this value is too large, or is only to be told", expr.span);
                let list: Vec<String> = holes.iter().map(usize::to_string).collect();
                format!(
                    "if matches!({at}, {}) {{ w.note({wrong}, 0); {} }} else {{ {read} }}",
                    list.join(" | "),
                    held.empty()
                )
            }
        };
        let mut text = format!(
            "{{ let {r}: i32 = {}; let {c}: i32 = {}; ",
            row.code, column.code
        );
        let missing: Vec<String> = [(&r, row.missing), (&c, column.missing)]
            .into_iter()
            .filter(|(_, missing)| *missing)
            .map(|(name, _)| format!("{name} < 0"))
            .collect();
        if missing.is_empty() {
            let _ = write!(text, "{read} }}");
            return Ok(text);
        }
        let instead = match otherwise {
            Some(otherwise) => self.expr(scope, otherwise)?,
            None => {
                let said = format!("there is no such row or column in `{}`", of.name);
                let wrong = self.says(&said, expr.span);
                format!("w.note({wrong}, 0); {}", held.empty())
            }
        };
        let _ = write!(
            text,
            "if {} {{ {instead} }} else {{ {read} }} }}",
            missing.join(" || ")
        );
        Ok(text)
    }

    /// Cells of a table that are not of a type, by position: that follows from their kinds.
    fn holes(&self, table: TableId, ty: Type) -> Vec<usize> {
        let of = &self.program[table];
        let columns = of.columns.labels.len();
        let cells = 0..of.rows.labels.len() * columns;
        cells
            .filter(|at| {
                let (_, value) = self.program.read_table(table, at / columns, at % columns);
                self.layout.parts(value, ty).is_none()
            })
            .collect()
    }

    /// The column of a row of bands that has a number.
    pub(super) fn band_place(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        table: TableId,
        row: &Index,
        number: ExprId,
    ) -> Out<String> {
        let program = self.program;
        let span = program[id].span;
        let of = &program[table];
        let (rows, columns) = (of.rows.labels.len(), of.columns.labels.len());
        let row = self.index(scope, &of.rows, row)?;
        let value = self.expr(scope, number)?;
        let number = match self.held(program[number].ty, span)? {
            Held::One => value,
            Held::Parts(2) => format!("{{ let x = {value}; divide_up(x[0], x[1]) }}"),
            _ => return self.refuse(span, "such a number"),
        };
        let array = self.filled(
            &format!("bands_{}", of.name),
            &format!("[i64; {}]", rows * columns),
            format!("fill.bands(TableId({}))", table.0),
        );
        let no_row = self.says("there is no such row", span);
        let none = self.says("this row has no bands", span);
        let (r, n, last) = (self.name(), self.name(), self.name());
        Ok(format!(
            "{{ let {r}: i32 = {}; let {n} = i64::from({number}); let mut {last} = -1; if {r} < 0 {{ w.note({no_row}, 0); }} else {{ for at in 0..{columns}_i32 {{ let high = {array}[({r} * {columns} + at) as usize]; if high != i64::MIN {{ {last} = at; if {n} <= high {{ break; }} }} }} if {last} < 0 {{ w.note({none}, 0); }} }} {last}.max(0) }}",
            row.code
        ))
    }

    pub(super) fn place_of(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        table: TableId,
        way: Way,
        index: &Index,
    ) -> Out<String> {
        let span = self.program[id].span;
        let axis = crate::run::lower::axis(self.program, table, way);
        let place = self.index(scope, axis, index)?;
        if !place.missing {
            return Ok(place.code);
        }
        let wrong = self.says("there is no such heading", span);
        let x = self.name();
        Ok(format!(
            "{{ let {x} = {}; if {x} < 0 {{ w.note({wrong}, 0); 0 }} else {{ {x} }} }}",
            place.code
        ))
    }
}
