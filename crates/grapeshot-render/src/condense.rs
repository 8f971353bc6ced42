//! One roll for a whole procedure, in the words of a book.

use super::number::counted;
use super::{Cell, Column, Document, Picture, Report, Table};
use crate::pictures::condense_chart;
use grapeshot_charts::Style;
use grapeshot_engine::stats::fixed;
use grapeshot_rules::Value;
use grapeshot_study::condense::{ChartEdge, Condensed, Error};
use grapeshot_study::value_in_words;
use grapeshot_study::wording::pairs_as_command;
use serde::Serialize;

/// Modifiers are nearly as good as columns where they are wrong by no more than this beyond them, on average.
const NEARLY: f64 = 0.01;
/// Reasons that are told.
const NAMED: usize = 3;

/// A chart for one roll, and the style it is set in.
#[derive(Debug, Serialize)]
pub struct CondenseReport {
    /// What was found.
    #[serde(flatten)]
    pub found: Condensed,
    /// Words.
    #[serde(skip)]
    pub style: Style,
}

impl Report for CondenseReport {
    fn document(&self) -> Document {
        let found = &self.found;
        let mut document = Document::new(format!(
            "{}, {}: one roll of a d{}",
            found.title, found.procedure, found.die
        ));
        document.fact("", found.methods.text());
        document.fact("variants", found.variants.join(", "));
        document.fact("given", pairs_as_command(&found.given));
        document.findings = self.sentences();
        let name = format!("condense-{}-{}", found.rules, found.procedure);
        document
            .pictures
            .push(Picture::chart(name, condense_chart(found)));
        match (&found.modified, found.by_modifiers) {
            (Some(modified), true) => {
                document.block(
                    format!("the roll, by {} (down)", self.edge(&found.rows)),
                    self.modified_chart(&modified.upto),
                );
                document.block(
                    format!("added to the roll, by {}", self.edge(&found.columns)),
                    self.modifiers(&modified.modifiers),
                );
            }
            _ => document.block(
                format!(
                    "the roll, by {} (down) and {} (across)",
                    self.edge(&found.rows),
                    self.edge(&found.columns)
                ),
                self.chart(),
            ),
        }
        let mut dice = Table::new(["die", "worst cell", "on average"].map(Column::number));
        for tried in &found.dice {
            dice.row([
                Cell::text(format!("d{}", tried.die)),
                Cell::chance(tried.error.worst),
                Cell::chance(tried.error.mean),
            ]);
        }
        document.aside("how far off the chart of each die is", dice);
        document.data("chart", self.cells());
        document.notes = self.notes();
        document
    }
}

fn hundredths(x: f64) -> String {
    format!("{} %", fixed(100.0 * x, 1))
}

fn off(error: &Error) -> String {
    format!(
        "{} in the worst cell, {} on average",
        hundredths(error.worst),
        hundredths(error.mean)
    )
}

impl CondenseReport {
    fn sentences(&self) -> Vec<String> {
        let found = &self.found;
        let mut told = vec![format!(
            "One d{} says what {} says: no chance that is read off it is wrong by more than {}.",
            found.die,
            found.procedure,
            off(&found.error)
        )];
        if let Some(modified) = &found.modified {
            let list = self
                .labels(&found.columns)
                .into_iter()
                .zip(&modified.modifiers);
            let list: Vec<String> = list
                .filter(|(_, by)| **by != 0)
                .map(|(label, by)| format!("{label} {}", plus(*by)))
                .collect();
            let more = modified.error.mean - found.by_columns.mean;
            told.push(match (found.by_modifiers, more) {
                (true, more) => format!(
                    "With a column for each it would be nearer by {} on average.",
                    hundredths(more.max(0.0))
                ),
                (false, more) => {
                    let with = match &list[..] {
                        [] => "for all of them, without modifiers,".to_owned(),
                        some => format!("with modifiers ({})", some.join(", ")),
                    };
                    let does = match more <= NEARLY {
                        true => {
                            format!("is nearly as good: {} (--modifiers)", off(&modified.error))
                        }
                        false => format!("will not do: {}", off(&modified.error)),
                    };
                    format!("One column {with} {does}.")
                }
            });
        }
        let good = found.dice.iter().find(|tried| tried.error.worst <= 0.05);
        match (found.wanted, good) {
            (Some(wanted), _) => told.push(format!(
                "It is the smallest die that people have of which no cell is off by more than {}.",
                hundredths(wanted)
            )),
            (None, Some(good)) if good.die < found.die => told.push(format!(
                "A d{} would do with {}.",
                good.die,
                off(&good.error)
            )),
            _ => {}
        }
        told
    }

    fn edge(&self, edge: &ChartEdge) -> String {
        match edge
            .values
            .iter()
            .all(|value| matches!(value, Value::Flag(_)))
        {
            true => self.style.words.flag(&edge.key),
            false => self.style.words.key(&edge.key),
        }
    }

    fn labels(&self, edge: &ChartEdge) -> Vec<String> {
        let values = edge.values.iter();
        let labels = values.map(|value| value_in_words(&self.style, &edge.key, value));
        labels.collect()
    }

    fn ends(&self) -> Vec<String> {
        let (words, of) = (&self.style.words, &self.found.of);
        let ends = self.found.ends.iter();
        ends.map(|end| words.label(of, end)).collect()
    }

    /// A line for each end of each row, a column for each column: the faces.
    fn chart(&self) -> Table {
        let found = &self.found;
        let columns = self.labels(&found.columns).into_iter().map(Column::number);
        let first = [Column::words(self.edge(&found.rows)), Column::words("")];
        let mut table = Table::new(first.into_iter().chain(columns));
        for (label, cells) in self.labels(&found.rows).into_iter().zip(&found.cells) {
            let mut label = Some(label);
            for (at, end) in self.ends().into_iter().enumerate() {
                let faces = cells.iter().map(|cell| match cell {
                    Err(reason) => Cell::missing(reason),
                    Ok(cell) => {
                        let before: u32 = cell.faces[..at].iter().sum();
                        Cell::text(span(
                            i64::from(before) + 1,
                            i64::from(before + cell.faces[at]),
                        ))
                    }
                });
                let faces: Vec<Cell> = faces.collect();
                // What never comes in a row has no line in it.
                let comes =
                    |cell: &Cell| !matches!(&cell.value, super::Held::Text(text) if text == "–");
                if faces.iter().any(comes) {
                    let head = [label.take().unwrap_or_default(), end].map(Cell::text);
                    table.row(head.into_iter().chain(faces));
                }
            }
        }
        table
    }

    /// A line for each row, a column for each end: the modified roll.
    fn modified_chart(&self, upto: &[Vec<i64>]) -> Table {
        let columns = self.ends().into_iter().map(Column::number);
        let first = [Column::words(self.edge(&self.found.rows))];
        let mut table = Table::new(first.into_iter().chain(columns));
        for (label, tops) in self.labels(&self.found.rows).into_iter().zip(upto) {
            let mut row = vec![Cell::text(label)];
            for at in 0..=tops.len() {
                let from = at.checked_sub(1).map(|before| tops[before] + 1);
                row.push(Cell::text(match (from, tops.get(at)) {
                    (None, Some(top)) => format!("up to {}", signed(*top)),
                    (Some(from), Some(top)) => span(from, *top),
                    (Some(from), None) => format!("{} or more", signed(from)),
                    (None, None) => "any".into(),
                }));
            }
            table.row(row);
        }
        table
    }

    fn modifiers(&self, modifiers: &[i64]) -> Table {
        let mut table = Table::new([
            Column::words(self.edge(&self.found.columns)),
            Column::number("modifier"),
        ]);
        for (label, by) in self.labels(&self.found.columns).into_iter().zip(modifiers) {
            table.row([Cell::text(label), Cell::text(plus(*by))]);
        }
        table
    }

    /// A line for each end of each cell.
    fn cells(&self) -> Table {
        let found = &self.found;
        let mut table = Table::named([
            found.rows.key.as_str(),
            found.columns.key.as_str(),
            found.of.as_str(),
            "truth",
            "faces",
            "of",
        ]);
        for (row, cells) in found.rows.values.iter().zip(&found.cells) {
            for (column, cell) in found.columns.values.iter().zip(cells) {
                let Ok(cell) = cell else { continue };
                for (at, end) in found.ends.iter().enumerate() {
                    table.row([
                        Cell::text(row.to_string()),
                        Cell::text(column.to_string()),
                        Cell::text(end),
                        Cell::maybe(Some(cell.truth[at])),
                        Cell::count(i64::from(cell.faces[at])),
                        Cell::count(i64::from(found.die)),
                    ]);
                }
            }
        }
        table
    }

    fn notes(&self) -> Vec<String> {
        let found = &self.found;
        let mut notes = Vec::new();
        if found.kept_in_order > 0 && !found.by_modifiers {
            notes.push(format!(
                "{} stand a face or more away from the nearest, so that neighbouring lines keep the order of the true odds (--free lets go of it)",
                counted(found.kept_in_order, "cell")
            ));
        }
        let mut reasons: Vec<(&str, usize)> = Vec::new();
        for reason in found
            .cells
            .iter()
            .flatten()
            .filter_map(|cell| cell.as_ref().err())
        {
            match reasons.iter_mut().find(|(known, _)| known == reason) {
                Some((_, count)) => *count += 1,
                None => reasons.push((reason, 1)),
            }
        }
        for (reason, count) in reasons.into_iter().take(NAMED) {
            notes.push(format!(
                "the rules refuse {}: {reason}",
                counted(count, "cell")
            ));
        }
        notes
    }
}

fn signed(n: i64) -> String {
    super::number::signed_whole(n)
}

/// A modifier: what is added.
fn plus(by: i64) -> String {
    match by > 0 {
        true => format!("+{by}"),
        false => signed(by),
    }
}

/// From a face to another.
fn span(from: i64, to: i64) -> String {
    match to - from {
        n if n < 0 => "–".into(),
        0 => signed(from),
        _ if from < 0 || to < 0 => format!("{} to {}", signed(from), signed(to)),
        _ => format!("{from}–{to}"),
    }
}
