//! Tables: headings in order, cells by their kinds.

use super::axis::plain_axis;
use super::{Checked, Checker, Named};
use crate::message::Message;
use crate::printed::{Laid, Printed};
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, HeadingKind, Shape};
use std::sync::Arc;

/// What is printed, whatever file it stands in.
pub(super) struct Data {
    title: Arc<str>,
    source: Arc<str>,
    columns: Vec<Arc<str>>,
    rows: Vec<(Arc<str>, Vec<Arc<str>>)>,
}

impl<'t> Checker<'t> {
    /// Lists and assumptions first: dice may have their faces from them, and tables are headed by dice.
    pub(super) fn declare_tables(&mut self) {
        let printed = std::mem::take(&mut self.declared.printed);
        let is_table = |p: &tree::Printed| matches!(p.shape, Shape::Table { .. });
        for (one, grid, help) in printed.iter().filter(|(p, ..)| !is_table(p)) {
            let _ = self.declare_printed(one, *grid, *help);
        }
        self.declare_dice();
        for (one, grid, help) in printed.iter().filter(|(p, ..)| is_table(p)) {
            let _ = self.declare_printed(one, *grid, *help);
        }
        self.unplayed();
    }

    /// Tables, lists and assumptions of `tables.toml` that no text says how to read: nobody plays by them.
    fn unplayed(&mut self) {
        // What is declared wrongly is not declared: that is said already.
        let Some(file) = self.printed.file.filter(|_| !self.messages.has_errors()) else {
            return;
        };
        let grids = self.printed.grids.iter().map(|grid| &grid.name);
        let lists = self.printed.lists.iter().map(|list| &list.name);
        let assumptions = self.printed.assumptions.iter().map(|one| &one.name);
        let all = grids
            .filter(|name| !self.grids.contains_key(*name))
            .map(|name| ("tables", name))
            .chain(
                lists
                    .filter(|name| !self.lists.contains_key(*name))
                    .map(|name| ("lists", name)),
            )
            .chain(
                assumptions
                    .filter(|name| !self.assumptions.contains_key(*name))
                    .map(|name| ("assumptions", name)),
            );
        let all: Vec<(&str, Arc<str>)> = all.map(|(part, name)| (part, name.clone())).collect();
        let text = self.sources.file(file).text;
        for (part, name) in all {
            let heading = format!("[{part}.{name}]");
            let start = text.find(&heading).unwrap_or(0);
            let span = Span {
                file,
                start: start as u32,
                end: (start + heading.len()).min(text.len()) as u32,
            };
            let title = format!("no text says how `{name}` is read, so nobody plays by it");
            self.messages.push(Message::warning(span, title));
        }
    }

    pub(super) fn declare_printed(
        &mut self,
        printed: &'t tree::Printed,
        grid: Option<&'t tree::Grid>,
        help: Option<&'t tree::Help>,
    ) -> Checked<()> {
        match &printed.shape {
            Shape::Assumption { names, kind } => {
                let rule = Arc::new(self.cell_rule(kind, &printed.specials)?);
                for name in names {
                    let found = self
                        .printed
                        .assumptions
                        .iter()
                        .find(|a| *a.name == *name.text);
                    let Some(found) = found else {
                        let known = self.printed.assumptions.iter().map(|a| &*a.name);
                        let _: Checked<()> = self.unknown(name, "assumption", known);
                        continue;
                    };
                    let data = Data {
                        title: found.title.clone(),
                        source: found.source.clone(),
                        columns: vec!["value".into()],
                        rows: vec![(name.text.clone(), vec![found.value.clone()])],
                    };
                    self.add_table(name, TableSort::Assumption, data, Arc::clone(&rule))?;
                }
            }
            Shape::List { names, entries } => {
                for name in names {
                    let data = match grid {
                        Some(grid) => self.list_in_text(name, grid, help)?,
                        None => {
                            let Some(found) = self
                                .printed
                                .lists
                                .iter()
                                .find(|list| *list.name == *name.text)
                            else {
                                let known = self.printed.lists.iter().map(|list| &*list.name);
                                let _: Checked<()> = self.unknown(name, "list", known);
                                continue;
                            };
                            Data {
                                title: found.title.clone(),
                                source: found.source.clone(),
                                columns: vec!["value".into()],
                                rows: found
                                    .values
                                    .iter()
                                    .map(|(k, v)| (k.clone(), vec![v.clone()]))
                                    .collect(),
                            }
                        }
                    };
                    self.declare_list(name, data, entries, &printed.specials)?;
                }
            }
            Shape::Table {
                name,
                rows,
                columns,
            } => {
                let data = match grid {
                    Some(grid) => self.grid_in_text(name, grid, help)?,
                    None => {
                        let Some(found) = self.printed.grid(name) else {
                            let known = self.printed.grids.iter().map(|grid| &*grid.name);
                            return self.unknown(name, "table", known);
                        };
                        Data {
                            title: found.title.clone(),
                            source: found.source.clone(),
                            columns: found.columns.clone(),
                            rows: found.rows.clone(),
                        }
                    }
                };
                self.declare_table(name, data, rows, columns, &printed.specials)?;
            }
        }
        Ok(())
    }

    /// Where it is said what stands in a cell: by a text, or else on paper.
    fn laid_at(&self, table: &str, row: &str, column: &str) -> Option<Span> {
        let is_it = |laid: &&Laid| {
            *laid.table == *table
                && *laid.row == *row
                && laid.column.as_deref().is_none_or(|named| named == column)
        };
        let laid = self.laid.iter().rev().find(is_it).map(|laid| laid.span);
        laid.or_else(|| {
            let file = self.printed.file?;
            let text = self.sources.file(file).text;
            Printed::place(file, &text, table, row, column)
        })
    }

    pub(super) fn help_of(help: Option<&tree::Help>) -> (Arc<str>, Arc<str>) {
        let title = help.map_or_else(|| "".into(), |help| help.meaning.clone());
        let source = help
            .and_then(|help| help.source.clone())
            .unwrap_or_else(|| "".into());
        (title, source)
    }

    pub(super) fn list_in_text(
        &mut self,
        name: &tree::Name,
        grid: &tree::Grid,
        help: Option<&tree::Help>,
    ) -> Checked<Data> {
        let mut rows = Vec::new();
        for line in &grid.lines {
            let [entry, value] = &line[..] else {
                let span = line.first().map_or(grid.printed.span, |cell| cell.span);
                return self.error(span, "a line of a list is a name and a value");
            };
            self.laid.push(Laid {
                table: name.text.clone(),
                row: entry.text.clone(),
                column: None,
                span: value.span,
            });
            rows.push((entry.text.clone(), vec![value.text.clone()]));
        }
        let (title, source) = Self::help_of(help);
        Ok(Data {
            title,
            source,
            columns: vec!["value".into()],
            rows,
        })
    }

    pub(super) fn grid_in_text(
        &mut self,
        name: &tree::Name,
        grid: &tree::Grid,
        help: Option<&tree::Help>,
    ) -> Checked<Data> {
        let (title, source) = Self::help_of(help);
        let mut lines = grid.lines.iter();
        let columns: Vec<Arc<str>> = lines
            .next()
            .into_iter()
            .flatten()
            .map(|cell| cell.text.clone())
            .collect();
        let mut rows = Vec::new();
        for line in lines {
            let Some((heading, cells)) = line.split_first() else {
                continue;
            };
            if cells.len() != columns.len() {
                let title = format!(
                    "this row has {} cells, and there are {} columns",
                    cells.len(),
                    columns.len()
                );
                return self.error(heading.span, title);
            }
            let laid = columns.iter().zip(cells).map(|(column, cell)| Laid {
                table: name.text.clone(),
                row: heading.text.clone(),
                column: Some(column.clone()),
                span: cell.span,
            });
            self.laid.extend(laid);
            rows.push((
                heading.text.clone(),
                cells.iter().map(|cell| cell.text.clone()).collect(),
            ));
        }
        Ok(Data {
            title,
            source,
            columns,
            rows,
        })
    }

    /// Entries have kinds by name, by type, or one for all.
    pub(super) fn declare_list(
        &mut self,
        name: &tree::Name,
        data: Data,
        entries: &[tree::Column],
        specials: &[(tree::Name, tree::Expr)],
    ) -> Checked<()> {
        let mut rules: Vec<Option<Arc<CellRule>>> = vec![None; data.rows.len()];
        let mut common: Option<CellRule> = None;
        for entry in entries {
            let rule = self.cell_rule(&entry.kind, specials)?;
            let is_type = match &entry.heading.kind {
                HeadingKind::Named(name) => {
                    matches!(self.types.get(&name.text), Some(Named::Words(_)))
                }
                _ => false,
            };
            common = Some(match common {
                None => rule.clone(),
                Some(before) => CellRule {
                    range: super::interval::hull(before.range, rule.range),
                    ..before
                },
            });
            let rule = Arc::new(rule);
            match &entry.heading.kind {
                HeadingKind::Named(label) if !is_type => {
                    match data.rows.iter().position(|(row, _)| *row == label.text) {
                        Some(at) => rules[at] = Some(rule),
                        None => {
                            let known = data.rows.iter().map(|(row, _)| &**row);
                            return self.unknown(label, &format!("entry of `{name}`"), known);
                        }
                    }
                }
                HeadingKind::Named(of) => {
                    let id = self.words_type(of)?;
                    self.all_words_headed(id, data.rows.iter().map(|(row, _)| row), of, name)?;
                    rules
                        .iter_mut()
                        .filter(|r| r.is_none())
                        .for_each(|r| *r = Some(Arc::clone(&rule)));
                }
                _ => rules
                    .iter_mut()
                    .filter(|r| r.is_none())
                    .for_each(|r| *r = Some(Arc::clone(&rule))),
            }
        }
        let Some(common) = common else {
            return Ok(());
        };
        // What no line declares is not played by.
        let id = self.add_table(name, TableSort::List, data, Arc::new(common))?;
        let mut kinds = Vec::new();
        for (row, rule) in rules.into_iter().enumerate() {
            match rule {
                Some(rule) => {
                    self.reread(id, row, 0, &rule)?;
                    kinds.push(rule);
                }
                None => {
                    let cell = self.program.cell_at(id, row, 0).at();
                    let text = self.program.cells[cell].text.clone();
                    self.program.cells[cell].value = Value::Text(text);
                    kinds.push(Arc::new(CellRule::unplayed()));
                }
            }
        }
        self.program.tables[id.at()].kinds = kinds;
        Ok(())
    }

    pub(super) fn declare_table(
        &mut self,
        name: &tree::Name,
        data: Data,
        rows: &[tree::Heading],
        columns: &[tree::Column],
        specials: &[(tree::Name, tree::Expr)],
    ) -> Checked<()> {
        let by_faces = match columns {
            [only] => match &only.heading.kind {
                HeadingKind::Faces(die) => Some(self.die(die)?),
                _ => None,
            },
            _ => None,
        };
        let row_labels: Vec<Arc<str>> = data.rows.iter().map(|(label, _)| label.clone()).collect();
        let rows: Vec<&tree::Heading> = rows.iter().collect();
        let row_axis = self.axis(name, &row_labels, &rows, "row")?;
        let headings: Vec<&tree::Heading> = columns.iter().map(|column| &column.heading).collect();
        let column_axis = match by_faces {
            Some(_) => plain_axis(&data.columns),
            None => self.axis(name, &data.columns, &headings, "column")?,
        };
        let mut rules: Vec<Arc<CellRule>> = Vec::new();
        let mut declared: Vec<Arc<CellRule>> = Vec::new();
        for column in columns {
            declared.push(Arc::new(self.cell_rule(&column.kind, specials)?));
        }
        for label in &data.columns {
            let own = columns
                .iter()
                .position(|column| match &column.heading.kind {
                    HeadingKind::Named(name) => name.text == *label,
                    _ => false,
                });
            let other = columns
                .iter()
                .position(|column| match &column.heading.kind {
                    HeadingKind::Named(name) => {
                        matches!(self.types.get(&name.text), Some(Named::Words(_)))
                    }
                    _ => true,
                });
            match own.or(other) {
                Some(at) => rules.push(Arc::clone(&declared[at])),
                None => {
                    let title =
                        format!("nothing says what the column `{label}` of `{name}` may have");
                    return self.error(name.span, title);
                }
            }
        }
        let first = Arc::clone(&declared[0]);
        let id = self.add_table(name, TableSort::Grid, data, first)?;
        self.program.tables[id.at()].rows = row_axis;
        self.program.tables[id.at()].columns = column_axis;
        match by_faces {
            Some(die) => self.faces_in_cells(id, die, &declared[0]),
            None => {
                for row in 0..self.program[id].rows.labels.len() {
                    for (column, rule) in rules.iter().enumerate() {
                        let _ = self.reread(id, row, column, rule);
                    }
                }
                self.program.tables[id.at()].kinds = rules;
                Ok(())
            }
        }
    }

    /// Takes in a table whose cells are not read yet.
    pub(super) fn add_table(
        &mut self,
        name: &tree::Name,
        sort: TableSort,
        data: Data,
        rule: Arc<CellRule>,
    ) -> Checked<TableId> {
        let id = TableId(self.program.tables.len() as u32);
        let names = match sort {
            TableSort::Grid => &mut self.grids,
            TableSort::List => &mut self.lists,
            TableSort::Assumption => &mut self.assumptions,
        };
        // The first of two stays: the second never becomes a table, and nothing may point to it.
        if names.contains_key(&name.text) {
            return self.error(name.span, format!("`{name}` is declared twice"));
        }
        names.insert(name.text.clone(), id);
        let first_cell = CellId(self.program.cells.len() as u32);
        let labels: Vec<Arc<str>> = data.rows.iter().map(|(label, _)| label.clone()).collect();
        for (row, (_, cells)) in data.rows.iter().enumerate() {
            for (column, text) in cells.iter().enumerate() {
                self.program.cells.push(Cell {
                    text: text.clone(),
                    value: Value::Nobody,
                    faces: None,
                    table: id,
                    row: row as u32,
                    column: column as u32,
                });
            }
        }
        let kinds = vec![Arc::clone(&rule); data.columns.len()];
        self.program.tables.push(Table {
            name: name.text.clone(),
            sort,
            title: data.title,
            source: data.source,
            rows: plain_axis(&labels),
            columns: plain_axis(&data.columns),
            kinds,
            first_cell,
            by_faces: None,
            ty: rule.ty,
            range: rule.range,
            span: name.span,
        });
        if sort == TableSort::Assumption {
            self.reread(id, 0, 0, &rule)?;
        }
        Ok(id)
    }

    /// Reads one cell by a rule.
    pub(super) fn reread(
        &mut self,
        id: TableId,
        row: usize,
        column: usize,
        rule: &CellRule,
    ) -> Checked<()> {
        let cell = self.program.cell_at(id, row, column);
        let text = self.program[cell].text.clone();
        match self.program.read_cell(&text, rule) {
            Some(value) => {
                self.program.cells[cell.at()].value = value;
                Ok(())
            }
            None => {
                let table = &self.program[id];
                let place = match table.sort {
                    TableSort::Grid => format!(
                        "row `{}`, column `{}`",
                        table.rows.labels[row], table.columns.labels[column]
                    ),
                    TableSort::List => format!("entry `{}`", table.rows.labels[row]),
                    TableSort::Assumption => "its value".into(),
                };
                let title = format!("the cell `{text}` of `{}` is not of its kind", table.name);
                let note = format!("allowed here is {}", self.program.allowed(rule));
                let (row, column) = (&table.rows.labels[row], &table.columns.labels[column]);
                let (laid, declared) = (self.laid_at(&table.name, row, column), table.span);
                let message = Message::error(laid.unwrap_or(declared), title).label(place);
                let message = match laid {
                    Some(_) => message.also(declared, "as it is declared"),
                    None => message,
                };
                self.fail(message.note(note))
            }
        }
    }

    /// Faces stand in the cells: every face in one cell of its row, and the headings are what is read.
    pub(super) fn faces_in_cells(
        &mut self,
        id: TableId,
        die: DieId,
        rule: &Arc<CellRule>,
    ) -> Checked<()> {
        let labels = self.program[id].columns.labels.clone();
        let mut results = Vec::new();
        for label in &labels {
            match self.program.read_cell(label, rule) {
                Some(value) => results.push(value),
                None => {
                    let span = self.program[id].span;
                    let name = self.program[id].name.clone();
                    return self.error(
                        span,
                        format!("the heading `{label}` of `{name}` is not of its kind"),
                    );
                }
            }
        }
        for row in 0..self.program[id].rows.labels.len() {
            for column in 0..labels.len() {
                let cell = self.program.cell_at(id, row, column);
                let text = self.program[cell].text.clone();
                match faces_of(&text) {
                    Some(faces) => self.program.cells[cell.at()].faces = faces,
                    None => {
                        let place = self.program.place_of(cell);
                        let problem = format!(
                            "the cell `{text}` of `{}` is not of its kind: row `{}`, column `{}`; allowed is {FACES}",
                            place.table, place.row, place.column
                        );
                        let laid = self.laid_at(&place.table, &place.row, &place.column);
                        return self.error(laid.unwrap_or(self.program[id].span), problem);
                    }
                }
            }
            if let Some(wrong) = self.program.faces_wrong(id, die, row) {
                let (span, name) = (self.program[id].span, self.program[id].name.clone());
                let label = self.program[id].rows.labels[row].clone();
                return self.error(span, format!("row `{label}` of `{name}` {wrong}"));
            }
        }
        self.program.tables[id.at()].by_faces = Some((die, results));
        Ok(())
    }
}
