//! Documents as CSV: their tables, each with a heading line, an empty line between two.

use super::{Audience, Body, Document, Table};
use grapeshot_study::wording::is_formula;

/// The tables of a document and its parts.
pub fn csv(document: &Document) -> String {
    let mut all = Vec::new();
    tables(document, &mut all);
    if all.iter().any(|&(place, _)| place == Audience::Data) {
        all.retain(|&(place, _)| place == Audience::Data);
    }
    let texts: Vec<String> = all.into_iter().map(|(_, table)| table_csv(table)).collect();
    texts.join("\n")
}

fn tables<'a>(document: &'a Document, all: &mut Vec<(Audience, &'a Table)>) {
    for block in &document.blocks {
        if let Body::Table(table) = &block.body {
            all.push((block.place, table));
        }
    }
    for part in &document.parts {
        tables(part, all);
    }
}

fn table_csv(table: &Table) -> String {
    let mut writer = ::csv::WriterBuilder::new().from_writer(Vec::new());
    let heading = table.columns.iter().map(|column| column.name.clone());
    let lines = table.rows.iter().map(|row| {
        let cell = |at: usize| {
            row.get(at)
                .map_or(String::new(), |cell| harmless(cell.plain()))
        };
        (0..table.columns.len()).map(cell).collect::<Vec<_>>()
    });
    for line in std::iter::once(heading.collect()).chain(lines) {
        writer
            .write_record(&line)
            .expect("memory takes what is written, and every line is as long");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("cells are text")
}

/// A text that a spreadsheet would take for a formula, as a text.
fn harmless(cell: String) -> String {
    match is_formula(&cell) {
        true => format!("'{cell}"),
        false => cell,
    }
}
