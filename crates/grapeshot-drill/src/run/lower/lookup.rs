//! What is printed, looked up: rows and columns by numbers, words, faces, places.

use super::{Lower, Lowered};
use crate::number::Fraction;
use crate::program::{Axis, CellId, ExprId, Index, Program, TableId, Type, Value, Way};
use crate::run::layout::{Layout, fraction};
use crate::run::value::{Numbers, Val};
use smallvec::smallvec;

/// The rows or the columns of a table.
pub fn axis(program: &Program, table: TableId, way: Way) -> &Axis {
    match way {
        Way::Rows => &program[table].rows,
        Way::Columns => &program[table].columns,
    }
}

/// The expressions that an index asks for.
pub fn asked(index: &Index) -> Vec<ExprId> {
    match index {
        Index::Fixed(_) => Vec::new(),
        Index::Joined(number, word) => {
            let mut all = vec![*number];
            all.extend(asked(word));
            all
        }
        Index::Place(id)
        | Index::Number(id)
        | Index::Word(id, _)
        | Index::Mixed(id, _)
        | Index::Face(id) => {
            vec![*id]
        }
    }
}

/// The place that an index means, by the values of its expressions; `Ok(None)` where there is no such heading.
pub fn find(
    layout: &Layout<'_>,
    axis: &Axis,
    index: &Index,
    args: &[Numbers],
) -> Result<Option<usize>, String> {
    let exact = |parts: &[i32]| -> Result<Fraction, String> {
        fraction(parts).ok_or_else(|| "this is no number".to_owned())
    };
    Ok(match index {
        Index::Fixed(at) => Some(*at),
        Index::Place(_) => Some(axis.held(i64::from(args[0][0]))),
        Index::Number(_) => axis.place_of(exact(&args[0])?),
        Index::Face(_) => None,
        Index::Word(id, places) | Index::Mixed(id, places) => match layout.program[*id].ty {
            Type::Word(_) | Type::Flag => places
                .get(args[0][0] as usize)
                .copied()
                .flatten()
                .map(|at| at as usize),
            Type::Mixed(mixed) => match layout.word_of_mixed(mixed, &args[0]) {
                Some(word) => places.get(word).copied().flatten().map(|at| at as usize),
                None => axis.place_of(exact(&args[0])?),
            },
            _ => axis.place_of(exact(&args[0])?),
        },
        Index::Joined(_, word) => {
            let Index::Word(id, _) = &**word else {
                return Err("a number is joined with a word".into());
            };
            let ty = layout.program[*id].ty;
            axis.place_of_joined(i64::from(args[0][0]), &layout.letters(ty, &args[1]))
        }
    })
}

impl Layout<'_> {
    fn cell_is_read(&self, cell: CellId) {
        if let Some(heard) = self.heard {
            heard.cell(cell);
        }
    }

    /// Of bands and faces all cells of a row decide together.
    fn row_is_read(&self, table: TableId, row: usize) {
        if self.heard.is_some() {
            let columns = 0..self.program[table].columns.labels.len();
            columns.for_each(|column| self.cell_is_read(self.program.cell_at(table, row, column)));
        }
    }
}

impl<'p> Lower<'p> {
    pub(super) fn lookup(
        &mut self,
        table: TableId,
        row: &'p Index,
        column: &'p Index,
        otherwise: Option<ExprId>,
        ty: Type,
    ) -> Lowered<Val> {
        let layout = self.layout;
        let program = layout.program;
        let mut ids = asked(row);
        let of_row = ids.len();
        ids.extend(asked(column));
        let values = self.exprs(&ids)?;
        let of = &program[table];
        let read = move |args: &[Numbers]| -> Result<Option<&'p Value>, String> {
            let Some(at) = find(&layout, &of.rows, row, args)? else {
                return Ok(None);
            };
            let along = match column {
                Index::Face(_) => {
                    let face = i64::from(args[of_row][0]);
                    layout.row_is_read(table, at);
                    program.column_of_face(table, at, face)
                }
                _ => find(&layout, &of.columns, column, &args[of_row..])?,
            };
            Ok(along.map(|along| {
                let (cell, value) = program.read_table(table, at, along);
                layout.cell_is_read(cell);
                value
            }))
        };
        let parts = move |value: &Value| {
            layout
                .parts(value, ty)
                .ok_or_else(|| "this cell is only to be told".to_owned())
        };
        let nowhere = || format!("there is no such row or column in `{}`", of.name);
        let Some(otherwise) = otherwise else {
            return self.apply(values, &mut |args| match read(args)? {
                Some(value) => parts(value),
                None => Err(nowhere()),
            });
        };
        // What stands for a heading that there is not may itself be anything: it is asked for only there.
        let mut kept = Vec::with_capacity(values.len());
        for value in values {
            kept.push(self.keep(value)?);
        }
        let there = self.apply(kept.clone(), &mut |args| {
            Ok(smallvec![i32::from(read(args)?.is_some())])
        })?;
        let there = self.part(there)?;
        self.either(
            there,
            ty,
            &mut |low| {
                low.apply(kept.clone(), &mut |args| match read(args)? {
                    Some(value) => parts(value),
                    None => Ok(layout.blank(ty)),
                })
            },
            &mut |low| low.expr(otherwise),
        )
    }

    /// The column of a row of bands that has a number.
    pub(super) fn band_place(
        &mut self,
        table: TableId,
        row: &'p Index,
        number: ExprId,
    ) -> Lowered<Val> {
        let layout = self.layout;
        let program = layout.program;
        let mut ids = asked(row);
        ids.push(number);
        let values = self.exprs(&ids)?;
        let of = &program[table];
        self.apply(values, &mut |args| {
            let at = find(&layout, &of.rows, row, args)?.ok_or("there is no such row")?;
            let number = fraction(&args[args.len() - 1]).ok_or("this is no number")?;
            layout.row_is_read(table, at);
            let place = program.place_among_bands(table, at, number);
            place
                .map(|column| smallvec![column as i32])
                .ok_or_else(|| "this row has no bands".into())
        })
    }

    pub(super) fn place_of(&mut self, table: TableId, way: Way, index: &'p Index) -> Lowered<Val> {
        let layout = self.layout;
        let along = axis(layout.program, table, way);
        let values = self.exprs(&asked(index))?;
        self.apply(values, &mut |args| {
            let found = find(&layout, along, index, args)?;
            found
                .map(|at| smallvec![at as i32])
                .ok_or_else(|| "there is no such heading".into())
        })
    }
}
