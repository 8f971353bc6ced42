//! Pivoted odds, in the words of a book.

use super::{Cell, Column, Document, Report, Table};
use grapeshot_charts::{SheetCell, SheetTable, Style, tell};
use grapeshot_rules::Value;
use grapeshot_study::{Heading, Pivot, PivotCell, Reply, value_in_words};
use serde::Serialize;

/// A pivoted table, and the style it is set in.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct PivotReport {
    /// What was found.
    pub pivot: Pivot,
    /// Words and decimals.
    #[serde(skip)]
    pub style: Style,
    /// What stands above it in a book, instead of what it says of itself.
    #[serde(skip)]
    pub captioned: Option<String>,
}

/// Cells named in a note before the rest is only counted.
const NAMED: usize = 4;

impl Report for PivotReport {
    fn document(&self) -> Document {
        let pivot = &self.pivot;
        let mut document = Document::new(self.pivot.caption.clone());
        document.fact("", self.given());
        document.fact("variants", pivot.variants.join(", "));
        document.fact("", self.method());
        document.block("", self.table());
        document.notes = self.notes();
        document.restyle(&self.style);
        document.captioned = self.captioned.clone();
        document
    }
}

impl PivotReport {
    /// A table in the words of a style.
    pub fn new(pivot: Pivot, style: Style) -> Self {
        let mut report = PivotReport {
            pivot,
            style,
            captioned: None,
        };
        report.pivot.caption = report.title();
        report
    }

    /// Rules, procedure, quantity and edges, in words.
    fn title(&self) -> String {
        let (pivot, words) = (&self.pivot, &self.style.words);
        let rules = match words.say(&pivot.rules) {
            said if said == pivot.rules => pivot.title.clone(),
            said => said,
        };
        let procedure = words.label("", &pivot.procedure);
        let what = match &pivot.of {
            Some(quantity) => words.quantity(quantity),
            None => words.say("chance"),
        };
        let unit = match pivot.is_percent() {
            true => words.say(", per cent"),
            false => String::new(),
        };
        let (rows, columns) = (self.edge(&pivot.rows), self.edge(&pivot.columns));
        tell!(
            self.style.words,
            "{1}, {2}: {3}{4}, by {5} (down) and {6} (across)",
            rules,
            procedure,
            what,
            unit,
            rows,
            columns
        )
    }

    /// What the numbers are.
    pub(super) fn unit(&self) -> String {
        match &self.pivot.of {
            Some(quantity) if self.pivot.is_percent() => {
                tell!(
                    self.style.words,
                    "{1}, per cent",
                    self.style.words.quantity(quantity)
                )
            }
            Some(quantity) => self.style.words.quantity(quantity),
            None => self.style.words.say("per cent"),
        }
    }

    /// The table as it stands on a sheet, under a heading.
    pub(super) fn on_sheet(&self, title: &str) -> SheetTable {
        let pivot = &self.pivot;
        let numbers = pivot.cells.iter().flatten().flatten();
        let most = numbers.map(|cell| cell.exact.value).fold(0.0, f64::max);
        let share = |value: f64| match pivot.is_percent() {
            true => value,
            false => value / most.max(f64::MIN_POSITIVE),
        };
        let cell = |cell: &Reply<PivotCell>| match cell {
            Ok(cell) => SheetCell {
                text: self.style.decimals().set(&cell.printed),
                share: Some(share(cell.exact.value)),
            },
            Err(_) => SheetCell {
                text: "–".into(),
                share: None,
            },
        };
        let said = [self.unit(), self.given()].into_iter().chain(self.notes());
        let said: Vec<String> = said.filter(|text| !text.is_empty()).collect();
        let labels = self.labels(&pivot.rows).into_iter();
        SheetTable {
            title: title.into(),
            note: said.join("; "),
            corner: self.edge(&pivot.rows),
            over: match pivot.columns {
                Heading::Key(..) => self.edge(&pivot.columns),
                Heading::Ends(..) => String::new(),
            },
            columns: self.labels(&pivot.columns),
            rows: labels
                .zip(&pivot.cells)
                .map(|(label, cells)| (label, cells.iter().map(cell).collect()))
                .collect(),
        }
    }

    fn edge(&self, heading: &Heading) -> String {
        match heading {
            Heading::Key(key, values) if values.iter().all(|v| matches!(v, Value::Flag(_))) => {
                self.style.words.flag(key)
            }
            Heading::Key(key, _) => self.style.words.key(key),
            Heading::Ends(variable, _) => self.style.words.variable(variable),
        }
    }

    /// What each line along an edge is called.
    fn labels(&self, heading: &Heading) -> Vec<String> {
        let (words, decimals) = (&self.style.words, self.style.decimals());
        match heading {
            Heading::Key(key, values) => values
                .iter()
                .map(|value| value_in_words(&self.style, key, value))
                .collect(),
            Heading::Ends(variable, ends) => ends
                .iter()
                .map(|end| match end.or_more {
                    true => tell!(self.style.words, "{1} or more", decimals.set(&end.label)),
                    false if end.label.parse::<f64>().is_ok() => decimals.set(&end.label),
                    false => words.label(variable, &end.label),
                })
                .collect(),
        }
    }

    fn given(&self) -> String {
        let words = &self.style.words;
        let pair = |(key, value): &(String, Value)| match value {
            Value::Flag(true) => words.flag(key),
            Value::Flag(false) => tell!(self.style.words, "not {1}", words.flag(key)),
            value => format!(
                "{}: {}",
                words.key(key),
                value_in_words(&self.style, key, value)
            ),
        };
        let given: Vec<String> = self.pivot.given.iter().map(pair).collect();
        given.join("; ")
    }

    fn method(&self) -> String {
        let widest = self.pivot.widest();
        let method = self.pivot.methods.text();
        match self.pivot.is_percent() {
            _ if widest == 0.0 => method,
            true => format!(
                "{method}; at most ± {:.2} points in any cell",
                100.0 * widest
            ),
            false => format!("{method}; at most ± {widest:.4} in any cell"),
        }
    }

    pub(super) fn table(&self) -> Table {
        let pivot = &self.pivot;
        let columns = self.labels(&pivot.columns).into_iter().map(Column::number);
        let corner = Column::words(self.edge(&pivot.rows));
        let mut table = Table::new([corner].into_iter().chain(columns));
        for (label, cells) in self.labels(&pivot.rows).into_iter().zip(&pivot.cells) {
            let cells = cells.iter().map(|cell| match cell {
                Ok(cell) => Cell::printed(self.style.decimals().set(&cell.printed), cell.rounded),
                Err(reason) => Cell::missing(reason),
            });
            table.row([Cell::text(label)].into_iter().chain(cells));
        }
        table
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let pivot = &self.pivot;
        let (rows, columns) = (self.labels(&pivot.rows), self.labels(&pivot.columns));
        let note = |(reason, places): &(&str, Vec<(usize, usize)>)| {
            let line = |lines: &[String], at: fn(&(usize, usize)) -> usize| {
                let mut named: Vec<usize> = places.iter().map(at).collect();
                named.sort_unstable();
                named.dedup();
                named
                    .iter()
                    .map(|&at| lines[at].clone())
                    .collect::<Vec<_>>()
            };
            let (down, across) = (
                line(&rows, |place| place.0),
                line(&columns, |place| place.1),
            );
            // Whole rows and whole columns are named as such.
            let mut named = match places.len() {
                n if n == down.len() * columns.len() => down,
                n if n == across.len() * rows.len() => across,
                _ => {
                    let place = |&(row, column): &(usize, usize)| {
                        format!("{}, {}", rows[row], columns[column])
                    };
                    places.iter().map(place).collect()
                }
            };
            let more = named.len().saturating_sub(NAMED);
            named.truncate(NAMED);
            let more = match more {
                0 => String::new(),
                n => tell!(self.style.words, " and {1} more", n),
            };
            let reason = self.style.text(reason);
            format!("– ({}{more}): {reason}", named.join("; "))
        };
        let mut notes: Vec<String> = pivot.refusals().iter().map(note).collect();
        if !pivot.adds_up() {
            notes.push(tell!(
                self.style.words,
                "each number is rounded by itself; together they may be 1 more or less than 100"
            ));
        }
        notes
    }
}
