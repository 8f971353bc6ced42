//! Edits of what is printed: rows, columns, cells, entries.

use super::{Edited, Editor, no};
use crate::message::Message;
use crate::number::{self, Fraction};
use crate::printed::Laid;
use crate::tree::*;
use std::sync::Arc;

/// The number a heading begins with: `5:4` is five fourths.
fn number_of(heading: &str) -> Option<Fraction> {
    if let Some((one, other)) = heading.split_once(':') {
        let (one, other) = (number::read(one)?, number::read(other)?);
        return (other != Fraction::default()).then(|| one / other);
    }
    let digits = heading.find(|c: char| !c.is_ascii_digit());
    number::read(&heading[..digits.unwrap_or(heading.len())])
}

/// Where a heading belongs: numbers rise, all else stands behind what is printed.
fn place_of<'a>(printed: impl Iterator<Item = &'a str>, heading: &str) -> usize {
    let printed: Vec<Option<Fraction>> = printed.map(number_of).collect();
    let numbers: Vec<Fraction> = printed.iter().copied().flatten().collect();
    let rising = numbers.windows(2).all(|pair| pair[0] < pair[1]);
    let greater = number_of(heading).filter(|_| rising).and_then(|number| {
        let mut heads = printed.iter();
        heads.position(|head| head.is_some_and(|head| head > number))
    });
    greater.unwrap_or(printed.len())
}

fn laid_by(table: &Name, row: &Arc<str>, column: Option<&Arc<str>>, cell: &Name) -> Laid {
    Laid {
        table: table.text.clone(),
        row: row.clone(),
        column: column.cloned(),
        span: cell.span,
    }
}

impl Editor<'_> {
    /// A grid, whether it stands in `tables.toml` or in the text.
    pub(super) fn grid(&mut self, table: &Name) -> Result<GridAt<'_>, Box<Message>> {
        let in_text = self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Grid(grid) => match &grid.printed.shape {
                Shape::Table { name, .. } if name.text == table.text => Some(&mut grid.lines),
                Shape::List { names, .. } if names.iter().any(|name| name.text == table.text) => {
                    Some(&mut grid.lines)
                }
                _ => None,
            },
            _ => None,
        });
        if let Some(lines) = in_text {
            return Ok(GridAt::Text(lines));
        }
        match self
            .printed
            .grids
            .iter_mut()
            .find(|grid| *grid.name == *table.text)
        {
            Some(grid) => Ok(GridAt::Printed(grid)),
            None => no(table.span, format!("there is no table `{table}` to change")),
        }
    }

    pub(super) fn add_rows(&mut self, table: &Name, lines: &[GridLine]) -> Edited {
        match self.grid(table)? {
            GridAt::Text(rows) => {
                for line in lines {
                    rows.push(
                        std::iter::once(&line.heading)
                            .chain(&line.cells)
                            .cloned()
                            .collect(),
                    );
                }
            }
            GridAt::Printed(grid) => {
                let mut laid = Vec::new();
                for line in lines {
                    if line.cells.len() != grid.columns.len() {
                        let title = format!(
                            "this row has {} cells, and there are {} columns",
                            line.cells.len(),
                            grid.columns.len()
                        );
                        return no(line.heading.span, title);
                    }
                    let cells = line.cells.iter().map(|cell| cell.text.clone()).collect();
                    let at = place_of(
                        grid.rows.iter().map(|(head, _)| &**head),
                        &line.heading.text,
                    );
                    grid.rows.insert(at, (line.heading.text.clone(), cells));
                    let columns = grid.columns.iter().zip(&line.cells);
                    laid.extend(columns.map(|(column, cell)| {
                        laid_by(table, &line.heading.text, Some(column), cell)
                    }));
                }
                self.printed.laid.extend(laid);
            }
        }
        Ok(())
    }

    pub(super) fn add_columns(&mut self, table: &Name, lines: &[GridLine]) -> Edited {
        let GridAt::Printed(grid) = self.grid(table)? else {
            return no(table.span, "columns are added to tables of `tables.toml`");
        };
        let mut laid = Vec::new();
        for line in lines {
            if line.cells.len() != grid.rows.len() {
                let title = format!(
                    "this column has {} cells, and there are {} rows",
                    line.cells.len(),
                    grid.rows.len()
                );
                return no(line.heading.span, title);
            }
            let at = place_of(grid.columns.iter().map(|head| &**head), &line.heading.text);
            grid.columns.insert(at, line.heading.text.clone());
            for ((label, row), cell) in grid.rows.iter_mut().zip(&line.cells) {
                row.insert(at, cell.text.clone());
                laid.push(laid_by(table, label, Some(&line.heading.text), cell));
            }
        }
        self.printed.laid.extend(laid);
        Ok(())
    }

    pub(super) fn change_cell(&mut self, table: &Name, indices: &[Name], cell: &Name) -> Edited {
        if let [entry] = indices {
            return self.change_entries(table, &[(entry.clone(), cell.clone())]);
        }
        let [row, column] = indices else {
            return no(
                table.span,
                "a row and a column are expected between the brackets",
            );
        };
        match self.grid(table)? {
            GridAt::Text(lines) => {
                let at = lines
                    .first()
                    .and_then(|heads| heads.iter().position(|head| head.text == column.text));
                let line = lines
                    .iter_mut()
                    .skip(1)
                    .find(|line| line.first().is_some_and(|head| head.text == row.text));
                match (line, at) {
                    (Some(line), Some(at)) if at + 1 < line.len() => line[at + 1] = cell.clone(),
                    _ => {
                        return no(
                            row.span.to(column.span),
                            format!("`{table}` has no such cell"),
                        );
                    }
                }
            }
            GridAt::Printed(grid) => {
                let at = grid.columns.iter().position(|head| *head == column.text);
                let line = grid.rows.iter_mut().find(|(label, _)| *label == row.text);
                match (line, at) {
                    (Some((_, cells)), Some(at)) => {
                        cells[at] = cell.text.clone();
                        let laid = laid_by(table, &row.text, Some(&column.text), cell);
                        self.printed.laid.push(laid);
                    }
                    _ => {
                        return no(
                            row.span.to(column.span),
                            format!("`{table}` has no such cell"),
                        );
                    }
                }
            }
        }
        Ok(())
    }

    /// A new entry is one for a word that the variant adds; whether it may be there, the checker says.
    pub(super) fn change_entries(&mut self, list: &Name, entries: &[(Name, Name)]) -> Edited {
        if let Some(found) = self
            .printed
            .lists
            .iter_mut()
            .find(|found| *found.name == *list.text)
        {
            for (entry, value) in entries {
                match found
                    .values
                    .iter_mut()
                    .find(|(known, _)| *known == entry.text)
                {
                    Some((_, old)) => *old = value.text.clone(),
                    None => found.values.push((entry.text.clone(), value.text.clone())),
                }
            }
            let laid = entries.iter();
            let laid = laid.map(|(entry, value)| laid_by(list, &entry.text, None, value));
            self.printed.laid.extend(laid);
            return Ok(());
        }
        let GridAt::Text(lines) = self.grid(list)? else {
            return no(
                list.span,
                format!("`{list}` is a table: change a cell with `{list}[row, column] = …`"),
            );
        };
        for (entry, value) in entries {
            match lines
                .iter_mut()
                .find(|line| line.first().is_some_and(|head| head.text == entry.text))
            {
                Some(line) if line.len() == 2 => line[1] = value.clone(),
                _ => lines.push(vec![entry.clone(), value.clone()]),
            }
        }
        Ok(())
    }
}

pub(super) enum GridAt<'a> {
    Text(&'a mut Vec<Vec<Name>>),
    Printed(&'a mut crate::printed::Grid),
}
