//! Printed cells as numbers that can be compared.

use super::declared::{GridRule, RangeRule, Words};
use grapeshot_rules::{Grid, RuleError, TableFile};

/// A grid whose cells have a worth: more is better for whom the scale serves.
#[derive(Debug)]
pub(super) struct Judged {
    pub grid: Grid,
    /// Labels of the lines going down (a die, a weapon).
    pub rows: Vec<String>,
    /// Headings that belong to the order.
    pub columns: Vec<String>,
    /// Cells as printed.
    pub cells: Vec<Vec<String>>,
    /// Their worth; none where the scale does not have the cell.
    pub worth: Vec<Vec<Option<f64>>>,
}

/// A printed number: `3`, `+2`, `1/2`, `.5`, `2(+1)`, `4+`.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some((top, bottom)) = text.split_once('/') {
        let (top, bottom) = (number(top)?, number(bottom)?);
        return (bottom != 0.0).then_some(top / bottom);
    }
    let text = text.split('(').next().unwrap_or_default();
    let text = text.trim_end_matches('+').trim_start_matches('+');
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

/// How many faces a list (`4 5 6`), a range (`2-9`) or a dash names.
pub(crate) fn faces(text: &str) -> Option<Vec<i64>> {
    let text = text.trim();
    if text.chars().all(|c| c == '-') {
        return Some(Vec::new());
    }
    if let Some((low, high)) = text.split_once('-') {
        let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        return Some((low..=high).collect());
    }
    text.split_whitespace()
        .map(|face| face.parse().ok())
        .collect()
}

/// Reads a grid by its rule.
pub(super) fn judge(tables: &TableFile, name: &str, rule: &GridRule) -> Result<Judged, RuleError> {
    let grid = tables.grid(rule.table.as_deref().unwrap_or(name))?;
    for skipped in &rule.skip {
        let labels = grid.rows.iter().map(|(label, _)| label);
        let known: Vec<&String> = grid.columns.iter().chain(labels).collect();
        if !known.contains(&skipped) {
            let what = format!("row or column of {name} in [audit.grids.{name}]");
            return Err(RuleError::unknown(what, skipped, known));
        }
    }
    let kept: Vec<usize> = (0..grid.columns.len())
        .filter(|&at| !rule.skip.contains(&grid.columns[at]))
        .collect();
    let columns = kept.iter().map(|&at| grid.columns[at].clone()).collect();
    let (rows, cells) = lines(&grid, rule, &kept);
    if let (true, Some(side)) = (rows.is_empty(), &rule.side) {
        let what = format!("side of {name} in [audit.grids.{name}]");
        let known = grid.rows.iter().map(|(label, _)| label);
        return Err(RuleError::unknown(what, side, known));
    }
    let worth = match &rule.scale {
        Words::List(scale) => worths(&cells, |cell| {
            let is_here = |known: &String| known.split(" = ").any(|known| known == cell);
            Some((scale.len() - scale.iter().position(is_here)?) as f64)
        }),
        Words::One(word) => match word.as_str() {
            "high" => worths(&cells, number),
            "low" => worths(&cells, |cell| number(cell).map(|x| -x)),
            "faces" => worths(&cells, |cell| Some(faces(cell)?.len() as f64)),
            "few-faces" => worths(&cells, |cell| Some(-(faces(cell)?.len() as f64))),
            "bands" => cells.iter().map(|row| banded(row)).collect(),
            other => {
                let known = ["high", "low", "faces", "few-faces", "bands"];
                let what = format!("scale in [audit.grids.{name}]");
                return Err(RuleError::unknown(what, other, known));
            }
        },
    };
    Ok(Judged {
        grid,
        rows,
        columns,
        cells,
        worth,
    })
}

/// The rows of a grid that are judged: of those named `die-side`, one side's.
fn lines(grid: &Grid, rule: &GridRule, kept: &[usize]) -> (Vec<String>, Vec<Vec<String>>) {
    let end = rule.side.as_ref().map(|side| format!("-{side}"));
    let judged = |label: &String| {
        let of_side = end.as_ref().is_none_or(|end| label.ends_with(end));
        of_side && !rule.skip.contains(label)
    };
    grid.rows
        .iter()
        .filter(|(label, _)| judged(label))
        .map(|(label, row)| {
            let die = end
                .as_ref()
                .and_then(|end| label.strip_suffix(end.as_str()));
            let label = die.unwrap_or(label);
            let cells = kept.iter().map(|&at| row[at].clone()).collect();
            (label.to_owned(), cells)
        })
        .unzip()
}

fn worths(cells: &[Vec<String>], worth: impl Fn(&str) -> Option<f64>) -> Vec<Vec<Option<f64>>> {
    let row = |row: &Vec<String>| row.iter().map(|cell| worth(cell)).collect();
    cells.iter().map(row).collect()
}

/// Faces with this result or a better one, summed from the left.
fn banded(row: &[String]) -> Vec<Option<f64>> {
    let mut sum = Some(0.0);
    row.iter()
        .map(|cell| {
            sum = Some(sum? + faces(cell)?.len() as f64);
            sum
        })
        .collect()
}

/// The factors of a weapon that count: nothing in a band wholly beyond its greatest range.
pub(super) fn effective(grid: &Grid, row: &[String], rule: Option<&RangeRule>) -> Vec<f64> {
    let max = rule
        .and_then(|rule| grid.columns.iter().position(|c| *c == rule.max))
        .and_then(|at| number(&row[at]));
    let mut from = 0.0;
    let mut found = Vec::new();
    for (heading, cell) in grid.columns.iter().zip(row) {
        let printed = number(cell).unwrap_or(0.0);
        match (rule, max) {
            (Some(rule), Some(max)) if *heading != rule.max => {
                found.push(if from >= max { 0.0 } else { printed });
                from = number(heading).unwrap_or(f64::INFINITY);
            }
            _ => found.push(printed),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_are_read_as_they_are_meant() {
        for (text, value) in [
            ("3", 3.0),
            ("+2", 2.0),
            ("-1", -1.0),
            ("1/2", 0.5),
            (".5", 0.5),
            ("2(+1)", 2.0),
            ("4+", 4.0),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in ["-", "P", "", "RT/K1", "1/0"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn faces_are_lists_ranges_or_none() {
        assert_eq!(faces("4 5 6"), Some(vec![4, 5, 6]));
        assert_eq!(faces("2-4"), Some(vec![2, 3, 4]));
        assert_eq!(faces("9"), Some(vec![9]));
        assert_eq!(faces("--"), Some(vec![]));
        assert_eq!(faces("P"), None);
    }
}
