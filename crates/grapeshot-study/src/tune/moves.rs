//! What a cell may become: the edits among which is searched.
//!
//! A number may become its neighbours and whatever else stands in its line; a result any result of its
//! scale, or where no scale is declared of its column and of those that share a result with it; a list of
//! faces any list of its table. Faces that are shared out along a row move from one cell to the next, which
//! changes two cells at once. Whether a table may hold the new value is for the ruleset to say: it is loaded
//! with it.

use super::super::audit::{Declared, Words, cell_number, faces};
use grapeshot_engine::plain;
use grapeshot_rules::{CellPlace, Grid, TableFile, whole, written_like};
use serde::Serialize;
use toml::Value;

/// Whole numbers up to this size are moved one by one.
const SMALL: i64 = 20;
/// How far a small number is moved.
const FAR: i64 = 6;
/// What a larger number is multiplied with, in hundredths.
const PARTS: [i64; 8] = [50, 75, 90, 95, 105, 110, 125, 150];
/// Values of its line that a number may take beside its neighbours, on either side.
const NEIGHBOURS: usize = 6;

/// One change: a cell that takes another value, or two that share their faces out differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The cells, what stood there and what stands there now.
    pub changes: Vec<Change>,
    /// How large it is: steps of the scale, or the change of the number.
    pub size: f64,
}

/// A cell before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The cell.
    #[serde(rename = "cell", serialize_with = "plain::text")]
    pub place: CellPlace,
    /// What stood there.
    pub before: String,
    /// What stands there now.
    pub after: String,
    #[serde(skip)]
    pub(super) value: Value,
}

impl Edit {
    fn one(place: &CellPlace, before: &str, value: Value, size: f64) -> Self {
        Edit {
            changes: vec![Change {
                place: place.clone(),
                before: before.into(),
                after: written(&value),
                value,
            }],
            size,
        }
    }

    /// Whether two edits change a cell in common.
    pub(super) fn meets(&self, other: &Edit) -> bool {
        let mut mine = self.changes.iter();
        mine.any(|a| other.changes.iter().any(|b| a.place == b.place))
    }

    /// Makes the change.
    pub(super) fn apply(&self, tables: &mut TableFile) {
        for change in &self.changes {
            tables.set_cell(&change.place, change.value.clone());
        }
    }
}

fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Every edit of these cells, cell by cell, the smaller ones first; cells that hold what is neither a
/// number nor a result have none.
pub(super) fn edits(
    tables: &TableFile,
    declared: &Declared,
    places: &[CellPlace],
) -> Vec<Vec<Edit>> {
    let mut grids: Vec<Grid> = Vec::new();
    let mut found: Vec<Vec<Edit>> = Vec::new();
    for place in places {
        let Some(value) = tables.cell(place) else {
            continue;
        };
        let before = written(value);
        let mut edits = match place {
            CellPlace::Grid {
                table, row, column, ..
            } => {
                if !grids.iter().any(|grid| grid.name == *table) {
                    grids.extend(tables.grid(table));
                }
                let Some(grid) = grids.iter().find(|grid| grid.name == *table) else {
                    continue;
                };
                match scale_of(declared, table) {
                    Some(Words::One(word)) if word == "bands" => {
                        boundaries(grid, place, row, *column, places)
                    }
                    Some(Words::List(scale)) if on_scale(scale, &before).is_some() => {
                        along_scale(place, &before, scale)
                    }
                    _ => in_line(grid, place, row, *column, value),
                }
            }
            CellPlace::List { .. } | CellPlace::Assumption { .. } => numbers(place, value, &[]),
        };
        edits.sort_by(|a, b| a.size.total_cmp(&b.size));
        if !edits.is_empty() {
            found.push(edits);
        }
    }
    found
}

pub(super) fn scale_of<'a>(declared: &'a Declared, table: &str) -> Option<&'a Words> {
    // A second look at a table has a part of its results only.
    declared
        .grids
        .get(table)
        .filter(|rule| rule.table.is_none())
        .map(|rule| &rule.scale)
}

pub(super) fn on_scale(scale: &[String], cell: &str) -> Option<usize> {
    scale
        .iter()
        .position(|entry| entry.split(" = ").any(|known| known == cell))
}

/// Every other result of the scale; its size is the number of steps.
fn along_scale(place: &CellPlace, before: &str, scale: &[String]) -> Vec<Edit> {
    let Some(from) = on_scale(scale, before) else {
        return Vec::new();
    };
    let results = scale.iter().enumerate();
    let results = results.flat_map(|(at, entry)| entry.split(" = ").map(move |one| (at, one)));
    results
        .filter(|(_, one)| *one != before)
        .map(|(at, one)| {
            // Results as good as each other are still two results.
            let size = at.abs_diff(from).max(1) as f64;
            Edit::one(place, before, Value::String(one.into()), size)
        })
        .collect()
}

/// What else stands in the row or column of a cell.
fn in_line(grid: &Grid, place: &CellPlace, row: &str, column: usize, value: &Value) -> Vec<Edit> {
    let before = written(value);
    let in_row = grid.rows.iter().find(|(label, _)| label == row);
    let in_row = in_row.into_iter().flat_map(|(_, cells)| cells.iter());
    let in_column = grid.rows.iter().map(|(_, cells)| &cells[column]);
    // A face alone looks like a number, but not among lists of faces.
    let mut all = grid.rows.iter().flat_map(|(_, cells)| cells);
    let of_faces =
        all.clone().all(|cell| faces(cell).is_some()) && all.any(|cell| cell.contains(' '));
    let is_number = cell_number(&before).is_some() && !before.contains(' ') && !is_range(&before);
    if is_number && !of_faces {
        let line: Vec<String> = in_row.clone().chain(in_column).cloned().collect();
        return numbers(place, value, &line);
    }
    let face_list = |cell: &str| faces(cell).is_some_and(|list| !list.is_empty());
    if face_list(&before) {
        let all = || grid.rows.iter().flat_map(|(_, cells)| cells);
        let here = faces(&before).unwrap_or_default();
        let mut others = face_by_face(&here, all());
        others.extend(distinct(all().filter(|cell| face_list(cell)), &before));
        let mut known: Vec<Vec<i64>> = vec![here.clone()];
        let mut edits = Vec::new();
        for other in others {
            let list = faces(&other).unwrap_or_default();
            // Written otherwise it may be the same faces.
            if list.is_empty() || known.contains(&list) {
                continue;
            }
            let size = list.len().abs_diff(here.len()).max(1) as f64;
            edits.push(Edit::one(place, &before, Value::String(other), size));
            known.push(list);
        }
        return edits;
    }
    // Words have no order: each is one step from any other. A dash among numbers is not touched.
    let wordy = |cell: &&String| cell_number(cell).is_none();
    let among_numbers = !in_row.chain(in_column).all(|cell| wordy(&cell));
    match is_dash(&before) && (before.is_empty() || among_numbers) {
        true => Vec::new(),
        false => distinct(words_like(grid, column).into_iter(), &before)
            .into_iter()
            .map(|other| Edit::one(place, &before, Value::String(other), 1.0))
            .collect(),
    }
}

/// A list of faces with one more or one less, among the faces that its table knows.
fn face_by_face<'a>(here: &[i64], cells: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut known: Vec<i64> = cells.filter_map(|cell| faces(cell)).flatten().collect();
    known.sort_unstable();
    known.dedup();
    let changed = known.into_iter().map(|face| {
        let mut list = here.to_vec();
        match list.iter().position(|own| *own == face) {
            Some(at) => {
                list.remove(at);
            }
            None => list.push(face),
        }
        list.sort_unstable();
        let list: Vec<String> = list.iter().map(i64::to_string).collect();
        list.join(" ")
    });
    changed.collect()
}

fn is_dash(cell: &str) -> bool {
    cell.chars().all(|c| c == '-')
}

/// The words of a column, then those of the columns that have one of them too: in a table of results a column seldom
/// has them all.
fn words_like(grid: &Grid, column: usize) -> Vec<&String> {
    let words = |column: usize| {
        let cells = grid.rows.iter().map(move |(_, cells)| &cells[column]);
        cells.filter(|cell| cell_number(cell).is_none())
    };
    let own: Vec<&String> = words(column).collect();
    let shares = |word: &String| !is_dash(word) && own.contains(&word);
    let others = (0..grid.columns.len()).filter(|&other| other != column);
    let like = others.filter(|&other| words(other).any(shares));
    let more: Vec<&String> = like.flat_map(words).collect();
    own.into_iter().chain(more).collect()
}

fn is_range(cell: &str) -> bool {
    cell.split_once('-')
        .is_some_and(|(low, high)| !low.is_empty() && !high.is_empty())
}

fn distinct<'a>(cells: impl Iterator<Item = &'a String>, but: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for cell in cells {
        if cell != but && !found.contains(cell) {
            found.push(cell.clone());
        }
    }
    found
}

/// The neighbours of a number, and the numbers of its line, written as it is written itself.
fn numbers(place: &CellPlace, value: &Value, line: &[String]) -> Vec<Edit> {
    let before = written(value);
    if let Value::Boolean(flag) = value {
        return vec![Edit::one(place, &before, Value::Boolean(!flag), 1.0)];
    }
    let Some(from) = cell_number(&before) else {
        return Vec::new();
    };
    let as_value = |text: &String| match value {
        Value::String(_) => Some(Value::String(text.clone())),
        _ => text.parse().ok().map(Value::Integer),
    };
    let mut found: Vec<(f64, Value)> = Vec::new();
    let mut add = |number: f64, value: Option<Value>| {
        let known = |(other, _): &(f64, Value)| (*other - number).abs() < 1e-9;
        if let Some(value) = value
            && (number - from).abs() > 1e-9
            && !found.iter().any(known)
        {
            found.push((number, value));
        }
    };
    if let Some(whole) = whole(value) {
        let near: Vec<i64> = match whole.abs() <= SMALL {
            true => (whole - FAR..=whole + FAR).collect(),
            false => PARTS.iter().map(|part| (whole * part + 50) / 100).collect(),
        };
        for number in near {
            add(number as f64, Some(written_like(value, number)));
        }
    }
    let mut others: Vec<(f64, &String)> = line
        .iter()
        .filter_map(|cell| Some((cell_number(cell)?, cell)))
        .collect();
    others.sort_by(|a, b| (a.0 - from).abs().total_cmp(&(b.0 - from).abs()));
    for above in [true, false] {
        let side = others.iter().filter(|(x, _)| (*x > from) == above);
        for (number, cell) in side.take(NEIGHBOURS) {
            add(*number, as_value(cell));
        }
    }
    let edit =
        |(number, value): (f64, Value)| Edit::one(place, &before, value, (number - from).abs());
    found.into_iter().map(edit).collect()
}

/// Faces that pass between a cell of a row and the next one.
fn boundaries(
    grid: &Grid,
    place: &CellPlace,
    row: &str,
    column: usize,
    among: &[CellPlace],
) -> Vec<Edit> {
    let Some((_, cells)) = grid.rows.iter().find(|(label, _)| label == row) else {
        return Vec::new();
    };
    let next = among.iter().find(|other| {
        matches!((place, other),
            (CellPlace::Grid { table, row, .. }, CellPlace::Grid { table: t, row: r, column: c, .. })
                if t == table && r == row && *c == column + 1)
    });
    let (Some(next), Some(right)) = (next, cells.get(column + 1)) else {
        return Vec::new();
    };
    let left = &cells[column];
    let (Some(here), Some(there)) = (faces(left), faces(right)) else {
        return Vec::new();
    };
    let all: Vec<i64> = here.iter().chain(&there).copied().collect();
    (0..=all.len())
        .filter(|&cut| cut != here.len())
        .map(|cut| {
            let change = |place: &CellPlace, before: &String, faces: &[i64]| Change {
                place: place.clone(),
                before: before.clone(),
                after: band(faces),
                value: Value::String(band(faces)),
            };
            Edit {
                changes: vec![
                    change(place, left, &all[..cut]),
                    change(next, right, &all[cut..]),
                ],
                size: cut.abs_diff(here.len()) as f64,
            }
        })
        .collect()
}

fn band(faces: &[i64]) -> String {
    match faces {
        [] => "--".into(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first}-{last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_rules::find;

    fn of(rules: &str, pattern: &str) -> Vec<String> {
        let loaded = find(rules).unwrap().load(&[]).unwrap();
        let declared = Declared::read(&loaded.tables).unwrap();
        let places = loaded.tables.cells_named(&[pattern.into()]).unwrap();
        let found = edits(&loaded.tables, &declared, &places);
        let all = found.iter().flatten();
        all.map(|edit| {
            let after: Vec<&str> = edit.changes.iter().map(|c| c.after.as_str()).collect();
            after.join(" and ")
        })
        .collect()
    }

    #[test]
    fn every_kind_of_cell_moves_to_its_own_kind() {
        let grade = of("elephant", "lists.morale_values.regular");
        assert_eq!(grade.len(), 12);
        assert_eq!(&grade[..2], ["7", "9"]);
        assert_eq!(
            of("elephant", "tables.fire_results.8.3"),
            ["1", "0", "2", "3", "4"]
        );
        let factor = of("elephant", "tables.fire_factors.musket.300");
        assert!(factor.contains(&"1".to_owned()) && factor.contains(&"0".to_owned()));
        let save = of("acw28", "tables.saves.soft.small-arms-short");
        assert_eq!(save.len(), 4, "{save:?}");
        assert!(save.contains(&"5 6".to_owned()));
        assert!(of("acw28", "tables.to_hit.C.small-arms").contains(&"+5".to_owned()));
        assert!(of("fireline", "tables.straggle.4-5.die").contains(&"6+".to_owned()));
        assert!(of("elephant", "tables.fire_factors.musket.1800").is_empty());
        let nothing = of("gbacw", "tables.melee_results.5-defender.0");
        assert!(nothing.contains(&"C1R2".to_owned()), "{nothing:?}");
    }

    #[test]
    fn a_result_may_become_one_that_only_a_column_like_its_own_has() {
        let text = r#"
            [tables.results]
            title = "Results"
            source = "a test"
            corner = "die"
            columns = ["1:1", "2:1", "terrain"]
            [tables.results.rows]
            1 = ["AR", "DR", "clear"]
            2 = ["--", "--", "woods"]
            3 = ["DR", "DE", "--"]
        "#;
        let tables = TableFile::parse("t.toml", text).unwrap();
        let after = |pattern: &str| {
            let places = tables.cells_named(&[pattern.into()]).unwrap();
            let found = edits(&tables, &Declared::default(), &places);
            let found: Vec<Edit> = found.into_iter().flatten().collect();
            let after = found.iter().map(|edit| edit.changes[0].after.clone());
            after.collect::<Vec<String>>()
        };
        assert_eq!(after("tables.results.1.1:1"), ["--", "DR", "DE"]);
        assert_eq!(after("tables.results.3.2:1"), ["DR", "--", "AR"]);
        // A dash in common is nothing in common.
        assert_eq!(after("tables.results.1.terrain"), ["woods", "--"]);
    }

    #[test]
    fn shared_faces_move_between_neighbours() {
        let moved = of("fireline", "tables.combat_results.3-4.*");
        assert!(moved.contains(&"0-2 and 3-4".to_owned()), "{moved:?}");
        assert!(moved.contains(&"-- and 0-4".to_owned()), "{moved:?}");
    }
}
