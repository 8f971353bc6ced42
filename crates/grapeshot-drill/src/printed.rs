//! `tables.toml`: what is printed, as it stands there, before the text says how it is read.

use crate::message::Message;
use crate::source::{FileId, Span};
use std::sync::Arc;
use toml::de::DeTable;
use toml::{Table, Value};

/// What a ruleset prints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Printed {
    /// Grids, in the order of the file.
    pub grids: Vec<Grid>,
    /// Lists of named values.
    pub lists: Vec<List>,
    /// Values of assumptions.
    pub assumptions: Vec<Assumption>,
    /// The file, for messages.
    pub file: Option<FileId>,
    /// Cells that variants have laid over it.
    pub laid: Vec<Laid>,
}

/// A cell that a text says, be it a variant, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Laid {
    /// The table or list.
    pub table: Arc<str>,
    /// Heading of the row, or the entry.
    pub row: Arc<str>,
    /// Heading of the column; none of a list.
    pub column: Option<Arc<str>>,
    /// The cell in the text.
    pub span: Span,
}

/// A printed grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub title: Arc<str>,
    /// Its place in the print.
    pub source: Arc<str>,
    /// Headings of the columns.
    pub columns: Vec<Arc<str>>,
    /// Headings and cells of the rows.
    pub rows: Vec<(Arc<str>, Vec<Arc<str>>)>,
    /// Where it is declared, if it stands in a text.
    pub span: Option<Span>,
}

/// A list of named values.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub title: Arc<str>,
    /// Its place in the print.
    pub source: Arc<str>,
    /// Entries and their values.
    pub values: Vec<(Arc<str>, Arc<str>)>,
}

/// A reading in a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumption {
    /// Its name.
    pub name: Arc<str>,
    /// What it says.
    pub title: Arc<str>,
    /// Why it is needed.
    pub source: Arc<str>,
    /// Its value.
    pub value: Arc<str>,
}

impl Printed {
    /// Reads a `tables.toml`. Whatever else stands in it is not ours.
    ///
    /// # Errors
    /// If it is not TOML, or a grid is not rectangular.
    pub fn parse(file: FileId, text: &str) -> Result<Self, Box<Message>> {
        let here = |start: usize, end: usize| Span {
            file,
            start: start as u32,
            end: end as u32,
        };
        let root: Table = text.parse().map_err(|error: toml::de::Error| {
            let range = error.span().unwrap_or(0..0);
            Box::new(Message::error(
                here(range.start, range.end),
                format!("this is not TOML: {}", error.message()),
            ))
        })?;
        let mut printed = Printed {
            file: Some(file),
            ..Printed::default()
        };
        for (name, value) in section(&root, "tables") {
            let columns: Vec<Arc<str>> = match value.get("columns") {
                Some(Value::Array(columns)) => columns.iter().map(cell).collect(),
                _ => Vec::new(),
            };
            let mut rows = Vec::new();
            for (label, row) in value
                .get("rows")
                .and_then(Value::as_table)
                .into_iter()
                .flatten()
            {
                let cells: Vec<Arc<str>> = row.as_array().into_iter().flatten().map(cell).collect();
                if cells.len() != columns.len() {
                    let at = row_in(text, name, label).unwrap_or(0..0);
                    let title = match columns.len() {
                        0 => format!("the table `{name}` has rows and no `columns`"),
                        columns => format!(
                            "row `{label}` of the table `{name}` has {} cells, and there are {columns} columns",
                            cells.len()
                        ),
                    };
                    return Err(Box::new(Message::error(here(at.start, at.end), title)));
                }
                rows.push((label.as_str().into(), cells));
            }
            printed.grids.push(Grid {
                name: name.as_str().into(),
                title: letters(value, "title"),
                source: letters(value, "source"),
                columns,
                rows,
                span: None,
            });
        }
        for (name, value) in section(&root, "lists") {
            let values = value
                .get("values")
                .and_then(Value::as_table)
                .into_iter()
                .flatten();
            printed.lists.push(List {
                name: name.as_str().into(),
                title: letters(value, "title"),
                source: letters(value, "source"),
                values: values
                    .map(|(entry, value)| (entry.as_str().into(), cell(value)))
                    .collect(),
            });
        }
        for (name, value) in section(&root, "assumptions") {
            printed.assumptions.push(Assumption {
                name: name.as_str().into(),
                title: letters(value, "text"),
                source: letters(value, "source"),
                value: value.get("value").map(cell).unwrap_or_else(|| "".into()),
            });
        }
        Ok(printed)
    }

    /// Where a cell stands in a `tables.toml`: read again only for a message, so that no cell has to carry its place.
    pub fn place(file: FileId, text: &str, table: &str, row: &str, column: &str) -> Option<Span> {
        let root = DeTable::parse(text).ok()?;
        let under = |section: &str, part: &str| {
            let named = root.get_ref().get(section)?.get_ref().get(table)?;
            named.get_ref().get(part)
        };
        let of_grid = || {
            let headings = under("tables", "columns")?.get_ref().as_array()?;
            let mut headings = headings.iter();
            let at = headings.position(|heading| heading.get_ref().as_str() == Some(column))?;
            under("tables", "rows")?
                .get_ref()
                .get(row)?
                .get_ref()
                .get(at)
        };
        let of_list = || under("lists", "values")?.get_ref().get(row);
        let found = of_grid().or_else(of_list);
        let found = found.or_else(|| under("assumptions", "value"))?.span();
        Some(Span {
            file,
            start: found.start as u32,
            end: found.end as u32,
        })
    }

    /// A grid by its name.
    pub fn grid(&self, name: &str) -> Option<&Grid> {
        self.grids.iter().find(|grid| *grid.name == *name)
    }
}

/// Where the cells of a row stand.
fn row_in(text: &str, table: &str, row: &str) -> Option<std::ops::Range<usize>> {
    let root = DeTable::parse(text).ok()?;
    let tables = root.get_ref().get("tables")?.get_ref().get(table)?;
    Some(tables.get_ref().get("rows")?.get_ref().get(row)?.span())
}

fn section<'a>(
    root: &'a Table,
    name: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
    root.get(name)
        .and_then(Value::as_table)
        .into_iter()
        .flatten()
}

fn letters(value: &Value, key: &str) -> Arc<str> {
    value.get(key).and_then(Value::as_str).unwrap_or("").into()
}

/// A cell as letters: numbers and flags may stand without quotes.
fn cell(value: &Value) -> Arc<str> {
    match value {
        Value::String(text) => text.as_str().into(),
        Value::Integer(number) => number.to_string().into(),
        Value::Float(number) => number.to_string().into(),
        Value::Boolean(flag) => flag.to_string().into(),
        // No single value: said as what it is not, so that no kind reads it.
        Value::Array(_) | Value::Table(_) | Value::Datetime(_) => "(not a cell)".into(),
    }
}
