//! The terrain chart: the ground a target stands on, what stops a march, how far a fire zone reaches.
//!
//! The chart is printed whole in `tables.toml`, each row with the keys that say it here. Only some of its
//! cells are played by: its combat modifiers are the schedules' once more, which are followed, and the rest
//! needs a map. A variant that changes such a cell would be ignored in silence, so it is refused instead.

use super::unit::Arm;
use crate::{Grid, RuleError, TableFile};

grapeshot_engine::labels! {
    /// The ground a target stands on.
    pub enum Terrain { Clear = "clear", Woods = "woods", Marsh = "marsh", Run = "run" }
}

grapeshot_engine::labels! {
    /// The rough ground a stack marches through.
    pub enum Rough { Woods = "woods", Marsh = "marsh" }
}

/// Whose segment ends when it enters a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stops {
    Nobody,
    Artillery,
    Everybody,
}

/// What the chart says that is played by.
#[derive(Debug, Clone)]
pub(super) struct TerrainChart {
    woods: Stops,
    marsh: Stops,
    /// Hexes a fire zone reaches over open ground, down a slope or from an embankment, and through an
    /// abatis, fence or wall.
    pub mfz_clear: i64,
    pub mfz_slope: i64,
    pub mfz_abatis: i64,
}

const CHART: &str = "terrain_effects";
const ROWS: [&str; 11] = [
    "clear",
    "creek-river-pond",
    "slope",
    "abatis-fence",
    "fieldwork",
    "marsh",
    "marsh-run",
    "run",
    "thoroughfare",
    "rr-embankment",
    "woods",
];
const COLUMNS: [&str; 5] = ["movement", "mfz", "fire-assault", "los", "here"];
/// The cells that are played by.
const PLAYED: [(&str, &str); 6] = [
    ("woods", "movement"),
    ("marsh", "movement"),
    ("clear", "mfz"),
    ("slope", "mfz"),
    ("rr-embankment", "mfz"),
    ("abatis-fence", "mfz"),
];

impl TerrainChart {
    pub(super) fn read(file: &TableFile) -> Result<Self, RuleError> {
        let grid = file.grid(CHART)?;
        grid.expect_rows(ROWS)?;
        if grid.columns != COLUMNS {
            return Err(grid.problem("columns", format!("must be {}", COLUMNS.join(", "))));
        }
        let printed = TableFile::parse(file.name(), super::RULESET.tables)?.grid(CHART)?;
        for (row, column, cell) in cells(&grid) {
            let as_printed = cells(&printed).any(|known| known == (row, column, cell));
            if !as_printed && !PLAYED.contains(&(row, column)) {
                let problem = "is not played by: modifiers are those of lists.fire_modifiers and lists.assault_modifiers, and the rest of the chart needs a map";
                return Err(grid.problem(&format!("rows.{row}[{column}]"), problem));
            }
        }
        let [slope, embankment] = [mfz(&grid, "slope")?, mfz(&grid, "rr-embankment")?];
        Ok(TerrainChart {
            woods: stops(&grid, "woods")?,
            marsh: stops(&grid, "marsh")?,
            mfz_clear: mfz(&grid, "clear")?,
            mfz_slope: slope.max(embankment),
            mfz_abatis: mfz(&grid, "abatis-fence")?,
        })
    }

    /// Whether entering such a hex ends the segment.
    pub(super) fn stops(&self, ground: Rough, arm: Arm) -> bool {
        let stops = match ground {
            Rough::Woods => self.woods,
            Rough::Marsh => self.marsh,
        };
        match stops {
            Stops::Nobody => false,
            Stops::Artillery => arm == Arm::Artillery,
            Stops::Everybody => true,
        }
    }
}

/// Every cell with its row and column.
fn cells(grid: &Grid) -> impl Iterator<Item = (&str, &str, &str)> {
    grid.rows.iter().flat_map(|(row, cells)| {
        let named = grid.columns.iter().zip(cells);
        named.map(|(column, cell)| (row.as_str(), column.as_str(), cell.as_str()))
    })
}

/// A cell that is played by, without the letters of its notes.
fn played(grid: &Grid, row: &str, column: &str) -> String {
    debug_assert!(PLAYED.contains(&(row, column)), "{row} {column}");
    let cell = cells(grid).find(|cell| (cell.0, cell.1) == (row, column));
    let (_, _, text) = cell.expect("rows and columns were checked");
    text.split('(').next().unwrap_or_default().to_owned()
}

fn mfz(grid: &Grid, row: &str) -> Result<i64, RuleError> {
    let text = played(grid, row, "mfz");
    let hexes = text.parse().ok().filter(|hexes| (1..=2).contains(hexes));
    hexes.ok_or_else(|| {
        let problem = format!("`{text}` is not a fire zone of 1 or 2 hexes");
        grid.problem(&format!("rows.{row}[mfz]"), problem)
    })
}

fn stops(grid: &Grid, row: &str) -> Result<Stops, RuleError> {
    match played(grid, row, "movement").as_str() {
        "NE" => Ok(Stops::Nobody),
        "NE/Stop" => Ok(Stops::Artillery),
        "Stop" => Ok(Stops::Everybody),
        other => {
            let problem = format!("`{other}` is not NE, NE/Stop (artillery stops) or Stop");
            Err(grid.problem(&format!("rows.{row}[movement]"), problem))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{keys, tables, varied};
    use super::*;

    #[test]
    fn the_chart_is_read_as_its_notes_say() {
        let chart = tables().terrain;
        assert_eq!(
            (chart.woods, chart.marsh),
            (Stops::Artillery, Stops::Everybody)
        );
        assert_eq!(
            [chart.mfz_clear, chart.mfz_slope, chart.mfz_abatis],
            [1, 2, 2]
        );
    }

    #[test]
    fn a_variant_changes_what_is_played_by_and_nothing_else() {
        let rows = |cells: &str| varied(&format!("[tables.terrain_effects.rows]\n{cells}"));
        let dry = rows("marsh = { movement = \"NE\" }").expect("a variant");
        assert!(!dry.terrain.stops(Rough::Marsh, Arm::Infantry));
        let flat = rows("slope = { mfz = \"1\" }\nrr-embankment = { mfz = \"1\" }");
        assert_eq!(flat.expect("a variant").terrain.mfz_slope, 1);
        for (cells, problem) in [
            ("marsh = { movement = \"Swim\" }", "`Swim` is not NE"),
            ("slope = { mfz = \"3\" }", "not a fire zone"),
            ("woods = { fire-assault = \"-2\" }", "lists.fire_modifiers"),
            ("run = { los = \"Blocks\" }", "not played by"),
        ] {
            let error = rows(cells).expect_err(cells).to_string();
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn every_row_names_keys_that_exist() {
        let known: Vec<String> = ["fire", "charge", "melee", "march", "firefight"]
            .iter()
            .flat_map(|procedure| keys(procedure))
            .map(|key| key.rsplit('.').next().unwrap_or_default().to_owned())
            .collect();
        let file = TableFile::parse("tables.toml", super::super::RULESET.tables).expect("TOML");
        let grid = file.grid(CHART).expect("it is printed");
        for (row, column, text) in cells(&grid) {
            if column != "here" || text.starts_with("no key") {
                continue;
            }
            let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let named = words.filter(|word| known.iter().any(|key| key == word));
            assert!(named.count() > 0, "{row}: {text}");
        }
    }
}
