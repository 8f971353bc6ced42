//! Tables in so many characters: columns lined up, headings and words broken where it is tight, bars
//! shortened, and each row as a list of its own where no columns fit.

use super::cell::Held;
use super::paint::Paint;
use super::text::wrap;
use super::{Table, number};
use textwrap::core::display_width;

/// Between two columns, and where it is tight.
const GAPS: [usize; 2] = [2, 1];
/// The shortest and the longest a bar for certainty is drawn.
const BAR: (usize, usize) = (8, 30);
/// Words are not squeezed into less.
const LEAST_WORDS: usize = 16;

/// The lines of a table, none of them wider than `width` if it can be helped, coloured or not.
pub(super) fn lines(table: &Table, width: usize, colour: bool) -> Vec<String> {
    let filled = table.filled().into_iter();
    let columns: Vec<Laid> = filled.map(|at| Laid::new(table, at, colour)).collect();
    let fits = |gap: usize| Some((gap, fitted(&columns, width, gap)?));
    match GAPS.into_iter().find_map(fits) {
        Some((gap, widths)) => in_columns(&columns, &widths, gap, table.rows.len()),
        None => as_records(&columns, table.rows.len(), width),
    }
}

/// A column with its cells written out.
struct Laid {
    heading: String,
    words: bool,
    cells: Vec<String>,
    /// Lengths, if it is a column of bars.
    bars: Option<Vec<f64>>,
    /// How each cell is set off, where there are colours.
    paints: Vec<Option<Paint>>,
}

impl Laid {
    fn new(table: &Table, at: usize, colour: bool) -> Self {
        let length = |row: &Vec<super::Cell>| match row[at].value {
            Held::Bar(p) => p,
            _ => 0.0,
        };
        let bars = table
            .is_bars(at)
            .then(|| table.rows.iter().map(length).collect());
        let paint = |row: &Vec<super::Cell>| {
            let cell = row.get(at).filter(|_| colour)?;
            let good = cell.tint.and_then(Paint::of_tint);
            good.or(matches!(cell.value, Held::Bar(_)).then_some(Paint::Much))
        };
        let cells = table.rows.iter();
        Laid {
            paints: table.rows.iter().map(paint).collect(),
            heading: table.columns[at].name.clone(),
            words: table.columns[at].words,
            cells: cells
                .map(|row| row.get(at).map_or(String::new(), |cell| cell.read()))
                .collect(),
            bars,
        }
    }

    /// As wide as it would like to be.
    fn natural(&self) -> usize {
        match self.bars {
            Some(_) => BAR.1,
            None => self.widest_cell().max(display_width(&self.heading)),
        }
    }

    fn widest_cell(&self) -> usize {
        self.cells
            .iter()
            .map(|c| display_width(c))
            .max()
            .unwrap_or(0)
    }

    /// As narrow as it can be.
    fn least(&self) -> usize {
        let heading = longest_word(&self.heading);
        if self.bars.is_some() {
            BAR.0
        } else if self.words {
            let word = self.cells.iter().map(|c| longest_word(c)).max();
            let least = self.widest_cell().min(LEAST_WORDS);
            heading.max(word.unwrap_or(0)).max(least)
        } else {
            heading.max(self.widest_cell())
        }
    }

    fn lines(&self, row: usize, width: usize) -> Vec<String> {
        match &self.bars {
            Some(bars) => vec![number::bar(bars[row], width.min(BAR.1))],
            None if self.words => wrap(&self.cells[row], width, ""),
            None => vec![self.cells[row].clone()],
        }
    }
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(display_width).max().unwrap_or(0)
}

/// The widths of the columns, if they fit.
fn fitted(columns: &[Laid], width: usize, gap: usize) -> Option<Vec<usize>> {
    let gaps = gap * columns.len().saturating_sub(1);
    let room = width.saturating_sub(gaps);
    let mut widths: Vec<usize> = columns.iter().map(Laid::natural).collect();
    let least: Vec<usize> = columns.iter().map(|c| c.least().min(c.natural())).collect();
    while widths.iter().sum::<usize>() > room {
        // Long headings over short numbers give first, then the widest column.
        let wasted = |at: usize| widths[at].saturating_sub(columns[at].widest_cell());
        let at = (0..widths.len())
            .filter(|&at| widths[at] > least[at])
            .max_by_key(|&at| (wasted(at), widths[at]))?;
        widths[at] -= 1;
    }
    Some(widths)
}

fn in_columns(columns: &[Laid], widths: &[usize], gap: usize, rows: usize) -> Vec<String> {
    let mut out = Vec::new();
    let headings = columns.iter().filter(|column| !column.heading.is_empty());
    // One column of numbers beside its labels explains itself.
    if headings.count() > 1 {
        let heading = columns.iter().zip(widths);
        let heading = heading.map(|(column, &width)| wrap(&column.heading, width, ""));
        let heading: Vec<Vec<String>> = heading.collect();
        // Headings stand on the line of their last word.
        let height = heading.iter().map(Vec::len).max().unwrap_or(1);
        let lowered = heading.into_iter().map(|lines| {
            let mut all = vec![String::new(); height - lines.len()];
            all.extend(lines);
            all
        });
        out.extend(beside(
            columns,
            widths,
            gap,
            &lowered.collect::<Vec<_>>(),
            None,
        ));
    }
    for row in 0..rows {
        let cells = columns.iter().zip(widths);
        let cells: Vec<Vec<String>> = cells.map(|(c, &width)| c.lines(row, width)).collect();
        out.extend(beside(columns, widths, gap, &cells, Some(row)));
    }
    out
}

/// Cells of one row beside each other, each of as many lines as it has.
fn beside(
    columns: &[Laid],
    widths: &[usize],
    gap: usize,
    cells: &[Vec<String>],
    row: Option<usize>,
) -> Vec<String> {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    (0..height)
        .map(|at| {
            let mut line = String::new();
            for ((column, &width), cell) in columns.iter().zip(widths).zip(cells) {
                let text = cell.get(at).map_or("", String::as_str);
                let pad = " ".repeat(width.saturating_sub(display_width(text)));
                let paint = row.and_then(|row| column.paints[row]);
                let text = paint.map_or_else(|| text.to_owned(), |paint| paint.on(text));
                line += &" ".repeat(if line.is_empty() { 0 } else { gap });
                line += &match column.words {
                    true => format!("{text}{pad}"),
                    false => format!("{pad}{text}"),
                };
            }
            line.trim_end().to_owned()
        })
        .collect()
}

/// Each row as a paragraph of its own, for terminals narrower than the table.
fn as_records(columns: &[Laid], rows: usize, width: usize) -> Vec<String> {
    let mut out = Vec::new();
    for row in 0..rows {
        let filled = columns
            .iter()
            .filter(|c| c.bars.is_none() && !c.cells[row].is_empty());
        // A value stays with the last word of its heading.
        let named = |column: &Laid| match (column.heading.as_str(), &column.cells[row]) {
            ("", cell) => cell.clone(),
            (heading, cell) if column.words => format!("{heading}: {cell}"),
            (heading, cell) => format!("{heading}:\u{a0}{}", cell.replace(' ', "\u{a0}")),
        };
        let mut filled = filled.peekable();
        if let Some(first) = filled.next_if(|column| column.words) {
            out.extend(wrap(&first.cells[row], width, "  "));
        }
        let (words, numbers): (Vec<&Laid>, Vec<&Laid>) = filled.partition(|column| column.words);
        let numbers: Vec<String> = numbers.into_iter().map(named).collect();
        let words = words.into_iter().map(named);
        for paragraph in [numbers.join(", ")].into_iter().chain(words) {
            if !paragraph.is_empty() {
                out.extend(wrap(&format!("  {paragraph}"), width, "    "));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Column, Table};
    use super::lines;

    fn sample() -> Table {
        let mut table = Table::new([
            Column::words("ruleset"),
            Column::number("mean attacker loss"),
            Column::words("why"),
        ]);
        let why = "a sentence that is rather long for a cell of a table";
        table.row([Cell::text("elephant"), Cell::chance(0.25), Cell::text(why)]);
        table.row([Cell::text("gbacw"), Cell::chance(1.0), Cell::empty()]);
        table
    }

    #[test]
    fn a_table_is_broken_where_it_is_tight_and_never_wider_than_asked() {
        for width in [24, 30, 40, 60, 80, 100] {
            for line in lines(&sample(), width, false) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
        let tight = lines(&sample(), 38, false);
        assert!(tight[0].contains("mean"), "{tight:#?}");
        assert!(tight[1].contains("attacker"), "{tight:#?}");
    }

    #[test]
    fn columns_line_up() {
        let wide = lines(&sample(), 100, false);
        assert_eq!(wide.len(), 3);
        let at = |line: &str, what: &str| line.find(what).map(|at| line[..at].chars().count());
        assert_eq!(at(&wide[0], "why"), at(&wide[1], "a sentence"));
        assert_eq!(at(&wide[1], "%"), at(&wide[2], "%"));
    }

    #[test]
    fn where_no_columns_fit_each_row_is_a_list() {
        let narrow = lines(&sample(), 24, false).join("\n");
        assert!(
            narrow.contains("elephant\n  mean attacker\n    loss: 25.0 %\n  why: a sentence"),
            "{narrow}"
        );
    }
}
