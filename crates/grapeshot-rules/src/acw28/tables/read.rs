//! The printed tables, read from their file and checked: what is not as it must be is named.

use super::{
    BattleMeasures, Campaign, Chart, FireDice, HitModifiers, MeleeModifiers, MoralePoints,
    Obstacle, Order, Pace, Ranges, Smoke, Tables, Work,
};
use crate::acw28::kinds::{Arm, Class, Cover, FiringArm, Weapon};
use crate::acw28::officer::Danger;
use crate::acw28::pools::{D6, D10};
use crate::{Grid, House, Labels, List, RuleError, TableFile};
use grapeshot_engine::dice::{Odds, Throw};

impl Tables {
    /// Reads and checks them.
    ///
    /// # Errors
    /// Names the first entry that is not what it must be.
    pub(in crate::acw28) fn load(file: &TableFile) -> Result<Self, RuleError> {
        let works = file.list("work_hits")?;
        let work_hits = |work: &&str| works.whole(work, 1..=999).map(|n| n as u16);
        Ok(Tables {
            house: House::read(file)?,
            ranges: ranges(file)?,
            to_hit: to_hit(file)?,
            hit_modifiers: hit_modifiers(file)?,
            saves: saves(file)?,
            fire_dice: fire_dice(file)?,
            odd_figure_fires: file.assumed_flag("odd_figure_fires")?,
            kills: kills(file)?,
            melee: melee_modifiers(file)?,
            figures_per_enemy: file.list("melee")?.whole("figures-per-enemy", 1..=40)? as u8,
            regiments: chart(file, "rout_regiments", Class::LABELS)?,
            companies: chart(file, "rout_companies", &Class::LABELS[..3])?,
            morale: morale_points(file)?,
            artillery_keeps_hard_cover: file.assumed_flag("artillery_keeps_hard_cover")?,
            artillery_cover_steadies: file.assumed_flag("artillery_cover_steadies")?,
            formation_tests: formation_tests(file)?,
            officer: danger(file)?,
            permitted: permitted(file)?,
            movement: movement(file)?,
            charge_quarters: file.list("charge")?.whole("quarters-of-rate", 0..=3)?,
            smoke: smoke(file)?,
            work_hits: Work::LABELS
                .iter()
                .map(work_hits)
                .collect::<Result<_, _>>()?,
            figures_in_a_building: file.list("building")?.whole("figures", 0..=40)?,
            crossing: crossing(file)?,
            campaign: Campaign::load(file)?,
            battle: battle(file)?,
            d6: &D6,
            d10: &D10,
        })
    }
}

fn battle(file: &TableFile) -> Result<BattleMeasures, RuleError> {
    let points = |name: &str| file.assumed_whole(name, 0..=999).map(|n| n as i32);
    Ok(BattleMeasures {
        near: file.assumed_whole("near_cm", 0..=3000)?,
        points: [
            points("points_for_a_unit")?,
            points("points_for_an_officer")?,
        ],
    })
}

fn ranges(file: &TableFile) -> Result<Vec<Ranges>, RuleError> {
    let grid = file.grid("ranges")?;
    let guns = &FiringArm::LABELS[3..];
    let printed: Vec<&str> = Weapon::LABELS
        .iter()
        .filter(|&&label| label != Weapon::Musket1863.label())
        .chain(guns)
        .copied()
        .collect();
    grid.expect_rows_first(&printed)?;
    expect_columns(&grid, &["short", "long", "after-1862"])?;
    let cells = grid.read("a number of cm from 1 to 9999, or -", |text| match text {
        "-" => Some(None),
        _ => number(text, 1..=9999).map(Some),
    })?;
    let row_of = |label: &str| {
        let at = printed.iter().position(|&known| known == label);
        &cells[at.expect("every weapon has a row")]
    };
    let read = |label: &&str| {
        let modern = *label == Weapon::Musket1863.label();
        let row = row_of(if modern {
            Weapon::Musket.label()
        } else {
            label
        });
        Ranges {
            short: row[0],
            long: if modern { row[2] } else { row[1] },
        }
    };
    let added = cells[printed.len()..].iter().map(|row| Ranges {
        short: row[0],
        long: row[1],
    });
    let known = Weapon::LABELS.iter().chain(guns).map(read);
    Ok(known.chain(added).collect())
}

fn to_hit(file: &TableFile) -> Result<Vec<(i16, Option<i16>)>, RuleError> {
    let grid = file.grid("to_hit")?;
    grid.expect_rows(Class::LABELS)?;
    expect_columns(&grid, &["small-arms", "artillery"])?;
    let cells = grid.read("a score such as +4, or -", |text| match text {
        "-" => Some(None),
        _ => score(text).map(Some),
    })?;
    cells
        .into_iter()
        .zip(Class::LABELS)
        .map(|(row, class)| {
            let key = format!("rows.{class}[small-arms]");
            let small_arms = row[0].ok_or_else(|| grid.problem(&key, "must be a score"))?;
            Ok((small_arms, row[1]))
        })
        .collect()
}

fn hit_modifiers(file: &TableFile) -> Result<[HitModifiers; 2], RuleError> {
    let grid = file.grid("hit_modifiers")?;
    grid.expect_rows(["formation-fail", "skirmishers", "column"])?;
    expect_columns(&grid, &["small-arms", "artillery"])?;
    let cells = grid.read("a number from -9 to +9", |text| number(text, -9..=9))?;
    Ok([0, 1].map(|column| HitModifiers {
        formation_fail: cells[0][column] as i16,
        skirmishers: cells[1][column] as i16,
        column: cells[2][column] as i16,
    }))
}

fn saves(file: &TableFile) -> Result<Vec<Vec<i16>>, RuleError> {
    let grid = file.grid("saves")?;
    grid.expect_rows(Cover::LABELS)?;
    let columns = [
        "small-arms-short",
        "small-arms-long",
        "artillery-short",
        "artillery-long",
    ];
    expect_columns(&grid, &columns)?;
    grid.read("faces up to 6 without a gap, such as 5 6, or -", |text| {
        lowest_face(text, 6)
    })
}

fn kills(file: &TableFile) -> Result<Vec<Vec<i16>>, RuleError> {
    let grid = file.grid("melee_kills")?;
    // Printed from the worst class to the best, and officers last.
    let classes = Class::LABELS.iter().rev().copied();
    grid.expect_rows(classes.chain([Arm::Officer.label()]))?;
    expect_columns(&grid, Cover::LABELS)?;
    let mut cells = grid.read(
        "faces up to 10 without a gap, such as 8 9 10, or -",
        |text| lowest_face(text, 10),
    )?;
    cells[..Class::ALL.len()].reverse();
    Ok(cells)
}

fn fire_dice(file: &TableFile) -> Result<FireDice, RuleError> {
    let list = file.list("fire_dice")?;
    // At most five for each of 40 figures, so that a byte counts the dice of any fire.
    let dice = |key: &str| list.whole(key, 0..=5).map(|n| n as u8);
    let figures = |key: &str| list.whole(key, 1..=40).map(|n| n as u8);
    Ok(FireDice {
        line: dice("line")?,
        skirmish_figures: figures("skirmish-figures-per-die")?,
        column_figures: figures("column-figures-per-die")?,
        column_front: figures("column-front")?,
        field_gun: dice("field-gun")?,
        heavy_gun: dice("heavy-gun")?,
        helper: list.whole("helper", 0..=1)? as u8,
    })
}

fn chart(file: &TableFile, name: &str, classes: &[&str]) -> Result<Chart, RuleError> {
    let grid = file.grid(name)?;
    grid.expect_rows(classes)?;
    let sizes: Option<Vec<i64>> = grid
        .columns
        .iter()
        .map(|heading| number(heading, 1..=40))
        .collect();
    let sizes = sizes.filter(|sizes| sizes.windows(2).all(|pair| pair[1] == pair[0] + 1));
    let sizes = sizes.ok_or_else(|| {
        grid.problem(
            "columns",
            "must be numbers of figures from 1 to 40, each one more than the last",
        )
    })?;
    let points = grid.read("a number of points from -40 to 80", |text| {
        number(text, -40..=80)
    })?;
    Ok(Chart { sizes, points })
}

fn morale_points(file: &TableFile) -> Result<MoralePoints, RuleError> {
    let list = file.list("morale_points")?;
    let n = |key: &str| list.whole(key, -20..=20);
    Ok(MoralePoints {
        isolated: n("isolated")?,
        cavalry_near: n("cavalry-near")?,
        officer_fail: n("officer-fail")?,
        formation_fail: n("formation-fail")?,
        saw_rout: n("saw-rout")?,
        officer_attached: n("officer-attached")?,
        cover: [0, n("soft")?, n("hard")?],
    })
}

fn melee_modifiers(file: &TableFile) -> Result<MeleeModifiers, RuleError> {
    let list = file.list("melee_modifiers")?;
    let n = |key: &str| list.whole(key, -9..=9).map(|n| n as i16);
    Ok(MeleeModifiers {
        formation_fail: n("formation-fail")?,
        skirmishers: n("skirmishers")?,
        charging: n("charging")?,
    })
}

fn formation_tests(file: &TableFile) -> Result<Vec<Odds<bool>>, RuleError> {
    let list = file.list("formation_test")?;
    let test = |class: &&str| {
        let need = i32::from(score_in(file, &list, class)?);
        Ok(Odds::new(Throw::d6(), |face| face >= need))
    };
    Class::LABELS.iter().map(test).collect()
}

fn danger(file: &TableFile) -> Result<Danger, RuleError> {
    let list = file.list("officer")?;
    Ok(Danger::new(
        list.whole("casualties", 1..=40)?,
        list.whole("first-die", 0..=6)? as i32,
        list.whole("second-die", 0..=6)? as i32,
    ))
}

fn permitted(file: &TableFile) -> Result<Vec<Vec<Order>>, RuleError> {
    let grid = file.grid("permitted")?;
    grid.expect_rows(Class::LABELS)?;
    expect_columns(&grid, &Arm::LABELS[..Arm::Officer as usize])?;
    let allowed = "line column, line column skirmish, skirmish, or -";
    grid.read(allowed, |text| match text {
        "-" => Some(Order::None),
        "line column" => Some(Order::Close),
        "line column skirmish" => Some(Order::Any),
        "skirmish" => Some(Order::OnlySkirmish),
        _ => None,
    })
}

fn movement(file: &TableFile) -> Result<Vec<Vec<i64>>, RuleError> {
    let grid = file.grid("movement")?;
    grid.expect_rows(["foot", "horse"])?;
    expect_columns(&grid, Pace::LABELS)?;
    grid.read("a number of cm from 1 to 999", |text| number(text, 1..=999))
}

fn smoke(file: &TableFile) -> Result<Smoke, RuleError> {
    let list = file.list("smoke")?;
    let moves = |key: &str| list.whole(key, 1..=20).map(|n| n as u8);
    Ok(Smoke {
        still: list.whole("still", 0..=6)? as i32,
        fires: moves("fires")?,
        clears: moves("clears")?,
    })
}

fn crossing(file: &TableFile) -> Result<Vec<i16>, RuleError> {
    let grid = file.grid("crossing")?;
    grid.expect_rows(Obstacle::LABELS)?;
    expect_columns(&grid, &["dies-on"])?;
    let rows = grid.read("faces up to 6 without a gap, such as 5 6, or -", |text| {
        lowest_face(text, 6)
    })?;
    Ok(rows.concat())
}

pub(super) fn expect_columns(grid: &Grid, headings: &[&str]) -> Result<(), RuleError> {
    if grid.columns.iter().eq(headings) {
        return Ok(());
    }
    let problem = format!("must be the columns {}, in this order", headings.join(", "));
    Err(grid.problem("columns", problem))
}

pub(super) fn number(text: &str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
    text.parse().ok().filter(|n| range.contains(n))
}

/// A printed score, `+4`: a face of 4 or more.
fn score(text: &str) -> Option<i16> {
    number(text.strip_prefix('+')?, 1..=7).map(|n| n as i16)
}

fn score_in(file: &TableFile, list: &List, key: &str) -> Result<i16, RuleError> {
    let found = list.values.iter().find(|(known, _)| known == key);
    let text = found.map_or("nothing", |(_, text)| text);
    score(text).ok_or_else(|| {
        let key = format!("lists.{}.values.{key}", list.name);
        file.problem(
            key,
            format!("is `{text}`; allowed is a score from +1 to +7"),
        )
    })
}

/// The lowest of faces printed one by one up to the highest of the die; one past it for none.
fn lowest_face(text: &str, highest: i16) -> Option<i16> {
    if text == "-" {
        return Some(highest + 1);
    }
    let faces: Vec<i16> = text
        .split_whitespace()
        .map(|face| face.parse().ok())
        .collect::<Option<_>>()?;
    let lowest = *faces.first()?;
    (lowest >= 1 && faces.iter().copied().eq(lowest..=highest)).then_some(lowest)
}
