//! The tables: complete, of even shape, every face once, columns rising, corners as printed.

use super::elephant;

const DIE: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

fn labels(rows: &[(String, Vec<String>)]) -> Vec<&str> {
    rows.iter().map(|(label, _)| label.as_str()).collect()
}

#[test]
fn every_table_is_complete_and_names_its_place_in_the_source() {
    let tables = &elephant().tables;
    let grids = tables.grid_names();
    assert_eq!(
        grids,
        [
            "fire_factors",
            "fire_results",
            "melee_results",
            "melee_modifiers",
            "muster",
            "contagion",
            "green"
        ]
    );
    for name in grids {
        let grid = tables.grid(&name).expect("a grid of even shape");
        assert!(!grid.title.is_empty() && !grid.source.is_empty(), "{name}");
        for (label, cells) in &grid.rows {
            assert_eq!(cells.len(), grid.columns.len(), "{name} {label}");
            assert!(cells.iter().all(|cell| !cell.is_empty()), "{name} {label}");
        }
    }
    for name in tables.list_names() {
        let list = tables.list(&name).expect("a list");
        assert!(!list.title.is_empty() && !list.source.is_empty(), "{name}");
        assert!(!list.values.is_empty(), "{name}");
    }
}

#[test]
fn every_face_of_the_die_is_there_once_and_in_order() {
    let tables = &elephant().tables;
    for name in ["fire_results", "melee_results", "muster", "green"] {
        let grid = tables.grid(name).expect("a grid");
        assert_eq!(labels(&grid.rows), DIE, "{name}");
    }
}

#[test]
fn every_weapon_grade_and_kind_has_its_line() {
    let tables = &elephant().tables;
    let factors = tables.grid("fire_factors").expect("a grid");
    let weapons = "pistol shotgun ml-carbine bl-carbine musket rifle-musket bl-rifle repeater 6lb-smoothbore 12lb-napoleon \
                   12lb-howitzer 24lb-howitzer 32lb-howitzer 6lb-rifle whitworth 3in-rifle 20lb-rifle 30lb-rifle \
                   siege-howitzer gunboat gatling";
    assert_eq!(labels(&factors.rows).join(" "), weapons);
    let keys = |name: &str| -> Vec<String> {
        let list = tables.list(name).expect("a list");
        list.values.into_iter().map(|(key, _)| key).collect()
    };
    // Green has no value of its own: it is rolled for.
    let grades = ["elite", "veteran", "regular", "poor", "militia"];
    assert_eq!(keys("morale_values"), grades);
    let kinds = ["infantry", "cavalry", "dismounted", "artillery"];
    assert_eq!(keys("hits_per_stand"), kinds);
}

#[test]
fn headings_rise_as_printed() {
    let tables = &elephant().tables;
    let columns = |name: &str| tables.grid(name).expect("a grid").columns;
    assert_eq!(
        columns("fire_results").join(" "),
        "0 3 6 10 15 21 28 36 45 55"
    );
    assert_eq!(
        columns("melee_results").join(" "),
        "1:3 1:2 2:3 1:1 3:2 2:1 3:1 4:1 6:1 8:1"
    );
    assert_eq!(
        columns("fire_factors").join(" "),
        "max 100 200 300 400 500 600 900 1800 over"
    );
}

/// A higher die or a higher column is never worse for the firer: the printed table has no slip there.
#[test]
fn fire_results_never_fall_with_the_die_or_the_column() {
    let grid = elephant().tables.grid("fire_results").expect("a grid");
    let worth = |cell: &str| match cell {
        "P" => 1,
        "0" => 0,
        hits => 1 + hits.parse::<i32>().expect("a number of hits"),
    };
    let rows: Vec<Vec<i32>> = grid
        .rows
        .iter()
        .map(|(_, cells)| cells.iter().map(|cell| worth(cell)).collect())
        .collect();
    for row in &rows {
        assert!(row.is_sorted(), "{row:?}");
    }
    for column in 0..grid.columns.len() {
        assert!(rows.iter().is_sorted_by_key(|row| row[column]));
    }
}

/// Nothing printed shoots better farther away.
#[test]
fn factors_never_rise_with_the_range() {
    let grid = elephant().tables.grid("fire_factors").expect("a grid");
    let halves = |cell: &String| match cell.as_str() {
        "1/2" => 1,
        "-" => 0,
        whole => 2 * whole.parse::<i32>().expect("a factor"),
    };
    for (weapon, cells) in &grid.rows {
        let factors: Vec<i32> = cells[1..].iter().map(halves).collect();
        assert!(factors.is_sorted_by(|near, far| near >= far), "{weapon}");
    }
}

/// Corners and oddities, copied from the source by eye.
#[test]
fn factors_are_as_printed_at_the_corners() {
    let grid = elephant().tables.grid("fire_factors").expect("a grid");
    let cell = |weapon: &str, heading: &str| -> String {
        let column = grid.columns.iter().position(|c| c == heading);
        let row = grid.rows.iter().find(|(label, _)| label == weapon);
        row.expect("a weapon").1[column.expect("a heading")].clone()
    };
    for (weapon, heading, printed) in [
        ("pistol", "max", "50"),
        ("pistol", "100", "2"),
        ("pistol", "over", "0"),
        ("gatling", "max", "1200"),
        ("gatling", "100", "14"),
        ("gatling", "over", "0"),
        // Printed beyond the maximum range of 300, misprint or not.
        ("ml-carbine", "400", "1/2"),
        ("bl-carbine", "400", "1"),
        // A dash where every other line has a figure.
        ("musket", "1800", "-"),
        // Nothing at 600, its maximum range.
        ("repeater", "600", "0"),
        ("rifle-musket", "600", "1/2"),
        ("whitworth", "max", "5600"),
        ("whitworth", "over", "2"),
        ("3in-rifle", "over", "1/2"),
        ("32lb-howitzer", "100", "16"),
        ("siege-howitzer", "300", "10"),
        ("gunboat", "900", "4"),
    ] {
        assert_eq!(cell(weapon, heading), printed, "{weapon} at {heading}");
    }
}
