//! The sheet beside the table.

use super::number::{percent, signed};
use super::pivot::PivotReport;
use super::{Cell, Column, Document, Report, Table};
use grapeshot_charts::{Paper, SheetCell, SheetPage, SheetTable, Style, tell};
use grapeshot_study::Pivot;
use grapeshot_study::sheet::{Sheet, ThumbChange, ThumbValue, Thumbs};
use serde::Serialize;

/// A sheet, and the style it is set in.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct SheetReport {
    /// What was found.
    pub sheet: Sheet,
    /// Words, decimals, colours and type.
    #[serde(skip)]
    pub style: Style,
}

impl Report for SheetReport {
    fn document(&self) -> Document {
        let mut document = Document::new(self.title());
        document.fact("", self.sheet.about.clone());
        document.fact("variants", self.sheet.variants.join(", "));
        document.fact("", self.sheet.methods.text());
        for headed in &self.sheet.tables {
            let table = self.table(&headed.pivot);
            document.block(
                format!("{} ({})", self.style.text(&headed.title), table.unit()),
                table.table(),
            );
            document.notes.extend(table.notes());
        }
        if let Some(thumbs) = &self.sheet.thumbs {
            let mut table = Table::new([
                Column::words("changed alone"),
                Column::number(self.style.words.quantity(&thumbs.quantity)),
                Column::number("change"),
            ]);
            for [what, then, by] in self.lines(thumbs) {
                table.row([Cell::text(what), Cell::text(then), Cell::text(by)]);
            }
            document.block(self.thumbs_title(thumbs), table);
        }
        document.restyle(&self.style);
        document
    }
}

impl SheetReport {
    /// A sheet in the words of a style.
    pub fn new(mut sheet: Sheet, style: Style) -> Self {
        for table in &mut sheet.tables {
            table.pivot = PivotReport::new(table.pivot.clone(), style.clone()).pivot;
        }
        SheetReport { sheet, style }
    }

    fn title(&self) -> String {
        match self.style.words.say(&self.sheet.rules) {
            said if said == self.sheet.rules => self.sheet.title.clone(),
            said => said,
        }
    }

    fn table(&self, pivot: &Pivot) -> PivotReport {
        PivotReport {
            pivot: pivot.clone(),
            style: self.style.clone(),
            captioned: None,
        }
    }

    fn thumbs_title(&self, thumbs: &Thumbs) -> String {
        let now = self.amount(thumbs, thumbs.baseline);
        tell!(
            self.style.words,
            "{1} (now {2})",
            self.style.text(&thumbs.title),
            now
        )
    }

    fn amount(&self, thumbs: &Thumbs, value: f64) -> String {
        let text = match thumbs.quantity.is_probability() {
            true => percent(value),
            false => grapeshot_engine::stats::fixed(value, 2),
        };
        self.style.decimals().set(&text)
    }

    /// What is changed, what it comes to, and by how much.
    fn lines(&self, thumbs: &Thumbs) -> Vec<[String; 3]> {
        let scale = if thumbs.quantity.is_probability() {
            100.0
        } else {
            1.0
        };
        let line = |change: &ThumbChange| match change.reply {
            Err(_) => [change.say.clone(), "–".into(), "refused".into()],
            Ok(ThumbValue { value, change: by }) => [
                change.say.clone(),
                self.amount(thumbs, value),
                self.style.decimals().set(&signed(scale * by, 1)),
            ],
        };
        thumbs.changes.iter().map(line).collect()
    }

    /// The page, ready to be drawn.
    pub fn page(&self, paper: Paper) -> SheetPage {
        let say = |text: &str| self.style.text(text);
        let mut tables: Vec<SheetTable> = self
            .sheet
            .tables
            .iter()
            .map(|headed| self.table(&headed.pivot).on_sheet(&say(&headed.title)))
            .collect();
        if let Some(thumbs) = &self.sheet.thumbs {
            let cells = |[what, then, by]: [String; 3]| {
                let cell = |text: String| SheetCell { text, share: None };
                (say(&what), vec![cell(then), cell(say(&by))])
            };
            tables.push(SheetTable {
                title: self.thumbs_title(thumbs),
                note: String::new(),
                corner: say("changed alone"),
                over: String::new(),
                columns: ["then", "change"].map(say).to_vec(),
                rows: self.lines(thumbs).into_iter().map(cells).collect(),
            });
        }
        let variants = match self.sheet.variants.as_slice() {
            [] => String::new(),
            names => format!("; with {}", names.join(", ")),
        };
        let made = format!(
            "{}{variants}. grapeshot {}",
            self.sheet.methods.text(),
            env!("CARGO_PKG_VERSION")
        );
        SheetPage {
            title: self.title(),
            about: say(&self.sheet.about),
            tables,
            footer: self.style.footer(&say(&made)),
            paper,
            style: self.style.clone(),
        }
    }

    /// The source of the same page for those who lay out themselves.
    pub fn source(&self, paper: Paper) -> String {
        let paper = match paper {
            Paper::A4 => "a4",
            Paper::Letter => "us-letter",
        };
        let head = format!(
            "#set page(paper: \"{paper}\", margin: 12mm, columns: 2)\n#set text(size: 8.5pt)\n\
             #set table(inset: 3pt)\n#show heading: set text(size: 10pt)\n"
        );
        head + super::typst(&self.document()).as_str()
    }
}
