//! Morale: values, modifiers, results; green units; friends that flee.

use super::expect_die;
use crate::elephant::unit::Grade;
use crate::{Labels, RuleError, TableFile};

/// Grades with a value of their own: all but green.
pub(in crate::elephant) const PRINTED_GRADES: usize = 5;

/// Values, modifiers of the die, and where the results begin.
#[derive(Debug, Clone)]
pub(in crate::elephant) struct MoraleTable {
    /// By grade, green apart, and those that house rules added.
    pub values: Vec<i64>,
    pub panic: i64,
    pub two_stands_lost: i64,
    pub withdrew: [i64; 3],
    pub flank_fire: i64,
    pub defensive_fire: i64,
    pub cover: i64,
    pub commander: i64,
    /// Over the value by this much: hit, retreat, rout.
    pub results: [i64; 3],
}

/// What a watching unit must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::elephant) enum Contagion {
    Unaffected,
    Test { panic: u8 },
}

pub(super) fn morale(file: &TableFile) -> Result<MoraleTable, RuleError> {
    let list = file.list("morale_values")?;
    let grades = Grade::LABELS[..PRINTED_GRADES].iter().copied();
    let values: Result<Vec<i64>, RuleError> = grades
        .chain(file.added("grade"))
        .map(|grade| list.whole(grade, -20..=20))
        .collect();
    let modifiers = file.list("morale_modifiers")?;
    let n = |key: &str| modifiers.whole(key, -9..=9);
    let results = file.list("morale_results")?;
    let r = |key: &str| results.whole(key, 1..=20);
    let results_at = [r("hit")?, r("retreat")?, r("rout")?];
    if !results_at.is_sorted() {
        return Err(file.problem("lists.morale_results.values", "must rise from hit to rout"));
    }
    Ok(MoraleTable {
        values: values?,
        panic: n("panic-marker")?,
        two_stands_lost: n("two-stands-lost")?,
        withdrew: [0, n("withdrew-retreat")?, n("withdrew-rout")?],
        flank_fire: n("flank-fire")?,
        defensive_fire: n("defensive-fire")?,
        cover: n("cover")?,
        commander: n("commander")?,
        results: results_at,
    })
}

pub(super) fn known_grade(text: &str) -> Option<Grade> {
    Grade::from_label(text).filter(|&grade| grade != Grade::Green)
}

pub(super) fn green(file: &TableFile) -> Result<Vec<Grade>, RuleError> {
    let grid = file.grid("green")?;
    expect_die(file, &grid, "green")?;
    let cells = grid.read("a grade from elite to militia", known_grade)?;
    Ok(cells.into_iter().map(|row| row[0]).collect())
}

pub(super) fn contagion(file: &TableFile) -> Result<Vec<Vec<Contagion>>, RuleError> {
    let grid = file.grid("contagion")?;
    grid.expect_rows(["retreat", "rout"])?;
    grid.read("none, test, 1+test or 2+test", |text| match text {
        "none" => Some(Contagion::Unaffected),
        "test" => Some(Contagion::Test { panic: 0 }),
        "1+test" => Some(Contagion::Test { panic: 1 }),
        "2+test" => Some(Contagion::Test { panic: 2 }),
        _ => None,
    })
}
