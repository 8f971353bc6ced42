//! Numbers over every combination of some settings.

use super::quantity::amount_cell;
use super::{Cell, Column, Document, Report, Table};
use grapeshot_study::Swept;
use grapeshot_study::wording::{as_command, joined};

/// Cells shown to readers.
const SHOWN: usize = 40;

impl Report for Swept {
    fn document(&self) -> Document {
        let of = self.of.iter().map(ToString::to_string);
        let over = match &self.keys[..] {
            [] => String::new(),
            keys => format!(" over {}", joined(keys.to_vec())),
        };
        let of = joined(of.collect());
        let title = format!("{} {}: {of}{over}", self.rules, self.procedure);
        let mut document = Document::new(title);
        document.fact("", self.methods.text());
        document.fact("variants", self.variants.join(", "));
        let given = self.given.iter().map(|(key, value)| (key.as_str(), value));
        document.fact("given", as_command(given));
        document.block("", table(self).at_most(SHOWN, "the data"));
        document
    }
}

fn table(swept: &Swept) -> Table {
    let keys = swept.keys.iter().map(Column::words);
    let numbers = swept.of.iter().map(|of| Column::number(of.to_string()));
    let mut table = Table::new(keys.chain(numbers).chain([Column::words("refused")]));
    for cell in &swept.cells {
        let place = cell.at.iter().map(|value| Cell::text(value.to_string()));
        let refused = cell.refused.iter().cloned().map(Cell::text);
        let found = swept.of.iter().enumerate().map(|(at, of)| {
            let found = cell.found.get(at);
            found.map_or_else(Cell::empty, |found| amount_cell(of, found))
        });
        table.row(place.chain(found).chain(refused));
    }
    table
}
