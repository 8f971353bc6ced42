//! The printed tables, read and checked.

use super::unit::{Class, Cover, FiringArm, Weapon};
use crate::dice::Throw;
use crate::rules::{Grid, Labels, List, RuleError, TableFile};

crate::labels! {
    /// What guns can destroy.
    pub enum Work {
        StoneBuilding = "stone-building", StoneBridge = "stone-bridge",
        WoodenBuilding = "wooden-building", WoodenBridge = "wooden-bridge",
        Earthwork = "earthwork", StoneWall = "stone-wall", Fence = "fence",
    }
}

crate::labels! {
    /// The two armies.
    pub enum Side { Federal = "federal", Confederate = "confederate" }
}

/// The two kinds of fire, each with its own columns in the charts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fire {
    SmallArms,
    Artillery,
}

/// How far a target is, as a weapon sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Short,
    Long,
}

/// How far a weapon reaches, in cm: short and long, where it has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ranges {
    short: Option<i64>,
    long: Option<i64>,
}

impl Ranges {
    /// How a distance counts; nothing beyond the reach.
    pub(super) fn at(&self, distance: i64) -> Option<Reach> {
        let within = |limit: Option<i64>| limit.is_some_and(|limit| distance <= limit);
        if within(self.short) {
            Some(Reach::Short)
        } else {
            within(self.long).then_some(Reach::Long)
        }
    }

    /// The nearest the weapon has: short, or long for a weapon without short.
    pub(super) fn nearest(&self) -> Option<Reach> {
        self.at(1)
    }
}

/// A rout chart: points by class and original figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chart {
    sizes: Vec<i64>,
    /// By class, best first; a chart may end before the last class.
    points: Vec<Vec<i64>>,
}

impl Chart {
    /// The column of a unit's original figures.
    pub(super) fn column(&self, original: i64) -> Option<usize> {
        self.sizes.iter().position(|&size| size == original)
    }

    /// The fewest and the most original figures.
    pub(super) fn sizes(&self) -> (i64, i64) {
        (self.sizes[0], self.sizes[self.sizes.len() - 1])
    }

    /// The classes it has.
    pub(super) fn classes(&self) -> &'static [&'static str] {
        &Class::LABELS[..self.points.len()]
    }

    /// The points of a class in a column.
    pub(super) fn points(&self, class: Class, column: usize) -> Option<i64> {
        self.points.get(class.position()).map(|row| row[column])
    }
}

/// Dice for fire.
#[derive(Debug, Clone, Copy)]
pub(super) struct FireDice {
    pub line: u8,
    pub skirmish_figures: u8,
    pub column_figures: u8,
    pub column_front: u8,
    pub field_gun: u8,
    pub heavy_gun: u8,
    pub helper: u8,
}

/// Added to the score required to hit.
#[derive(Debug, Clone, Copy)]
pub(super) struct HitModifiers {
    pub formation_fail: i16,
    pub skirmishers: i16,
    pub column: i16,
}

/// Added to the die in melee.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeleeModifiers {
    pub formation_fail: i16,
    pub skirmishers: i16,
    pub charging: i16,
}

/// Points of a unit beside its figures.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoralePoints {
    pub isolated: i64,
    pub cavalry_near: i64,
    pub officer_fail: i64,
    pub formation_fail: i64,
    pub saw_rout: i64,
    pub officer_attached: i64,
    pub cover: [i64; 3],
}

/// When an officer falls.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfficerDanger {
    pub casualties: i64,
    pub first_die: i32,
    pub second_die: i32,
}

/// A die with something added to it, as it is printed: `AV`, `D3`, `10+D10`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DieRoll {
    pub throw: Throw,
    pub plus: i32,
}

/// Everything printed, as numbers.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    /// Small arms, then field gun and heavy gun.
    ranges: Vec<Ranges>,
    /// By class: the score for small arms and, where there is one, for artillery.
    to_hit: Vec<(i16, Option<i16>)>,
    /// For small arms and for artillery.
    hit_modifiers: [HitModifiers; 2],
    /// By cover, then in the order of the columns: the lowest face that saves.
    saves: Vec<Vec<i16>>,
    pub(super) fire_dice: FireDice,
    pub(super) odd_figure_fires: bool,
    /// By class, then cover: the lowest face that kills.
    kills: Vec<Vec<i16>>,
    pub(super) melee: MeleeModifiers,
    pub(super) figures_per_enemy: u8,
    pub(super) regiments: Chart,
    pub(super) companies: Chart,
    pub(super) morale: MoralePoints,
    artillery_keeps_hard_cover: bool,
    pub(super) artillery_cover_steadies: bool,
    formation_test: Vec<i16>,
    pub(super) officer: OfficerDanger,
    work_hits: Vec<u16>,
    /// By side: extra regiments, cavalry, batteries, figures.
    muster: Vec<Vec<DieRoll>>,
}

impl Tables {
    /// The reach of a small arm.
    pub(super) fn small_arm(&self, weapon: Weapon) -> Ranges {
        self.ranges[weapon.position()]
    }

    /// The reach of whatever an arm fires.
    pub(super) fn ranges_of(&self, arm: FiringArm, weapon: Weapon) -> Ranges {
        match arm {
            FiringArm::FieldGun => self.ranges[Weapon::ALL.len()],
            FiringArm::HeavyGun => self.ranges[Weapon::ALL.len() + 1],
            _ => self.small_arm(weapon),
        }
    }

    /// The score to hit; nothing where the chart has no such class.
    pub(super) fn to_hit(&self, fire: Fire, class: Class) -> Option<i16> {
        let (small_arms, artillery) = self.to_hit[class.position()];
        match fire {
            Fire::SmallArms => Some(small_arms),
            Fire::Artillery => artillery,
        }
    }

    /// What changes the score to hit.
    pub(super) fn hit_modifiers(&self, fire: Fire) -> &HitModifiers {
        &self.hit_modifiers[fire as usize]
    }

    /// The lowest face that saves.
    pub(super) fn save(&self, fire: Fire, reach: Reach, cover: Cover) -> i16 {
        self.saves[cover.position()][2 * fire as usize + reach as usize]
    }

    /// The lowest face that kills, before anything is added.
    pub(super) fn kill(&self, class: Class, cover: Cover) -> i16 {
        self.kills[class.position()][cover.position()]
    }

    /// The lowest face that ends a formation fail.
    pub(super) fn formation_test(&self, class: Class) -> i16 {
        self.formation_test[class.position()]
    }

    /// The cover artillery counts as having where it really stands in this.
    pub(super) fn artillery_cover(&self, stands_in: Cover) -> Cover {
        match stands_in {
            Cover::Hard if self.artillery_keeps_hard_cover => Cover::Hard,
            _ => Cover::Soft,
        }
    }

    /// Hits that destroy a work.
    pub(super) fn work_hits(&self, work: Work) -> u16 {
        self.work_hits[work.position()]
    }

    /// What a side throws for.
    pub(super) fn muster(&self, side: Side) -> &[DieRoll] {
        &self.muster[side.position()]
    }

    /// Reads and checks them.
    ///
    /// # Errors
    /// Names the first entry that is not what it must be.
    pub(super) fn load(file: &TableFile) -> Result<Self, RuleError> {
        let melee = file.list("melee_modifiers")?;
        let add = |key: &str| melee.whole(key, -9..=9).map(|n| n as i16);
        let officer = file.list("officer")?;
        let test = file.list("formation_test")?;
        let works = file.list("work_hits")?;
        let work_hits = |work: &&str| works.whole(work, 1..=999).map(|n| n as u16);
        Ok(Tables {
            ranges: ranges(file)?,
            to_hit: to_hit(file)?,
            hit_modifiers: hit_modifiers(file)?,
            saves: saves(file)?,
            fire_dice: fire_dice(file)?,
            odd_figure_fires: file.assumed_flag("odd_figure_fires")?,
            kills: kills(file)?,
            melee: MeleeModifiers {
                formation_fail: add("formation-fail")?,
                skirmishers: add("skirmishers")?,
                charging: add("charging")?,
            },
            figures_per_enemy: file.list("melee")?.whole("figures-per-enemy", 1..=40)? as u8,
            regiments: chart(file, "rout_regiments", Class::LABELS)?,
            companies: chart(file, "rout_companies", &Class::LABELS[..3])?,
            morale: morale_points(file)?,
            artillery_keeps_hard_cover: file.assumed_flag("artillery_keeps_hard_cover")?,
            artillery_cover_steadies: file.assumed_flag("artillery_cover_steadies")?,
            formation_test: Class::LABELS
                .iter()
                .map(|class| score_in(file, &test, class))
                .collect::<Result<_, _>>()?,
            officer: OfficerDanger {
                casualties: officer.whole("casualties", 0..=40)?,
                first_die: officer.whole("first-die", 0..=6)? as i32,
                second_die: officer.whole("second-die", 0..=6)? as i32,
            },
            work_hits: Work::LABELS
                .iter()
                .map(work_hits)
                .collect::<Result<_, _>>()?,
            muster: muster(file)?,
        })
    }
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
    grid.expect_rows(&printed)?;
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
    Ok(Weapon::LABELS.iter().chain(guns).map(read).collect())
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
    // Printed from the worst class to the best.
    grid.expect_rows(Class::LABELS.iter().rev())?;
    expect_columns(&grid, Cover::LABELS)?;
    let mut cells = grid.read(
        "faces up to 10 without a gap, such as 8 9 10, or -",
        |text| lowest_face(text, 10),
    )?;
    cells.reverse();
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

fn muster(file: &TableFile) -> Result<Vec<Vec<DieRoll>>, RuleError> {
    let grid = file.grid("muster")?;
    grid.expect_rows(Side::LABELS)?;
    expect_columns(
        &grid,
        &["extra-regiments", "cavalry", "batteries", "figures"],
    )?;
    grid.read("a die such as AV, D3 or 10+D10", die_roll)
}

fn die_roll(text: &str) -> Option<DieRoll> {
    let (plus, die) = match text.split_once('+') {
        Some((plus, die)) => (number(plus, 0..=99)? as i32, die),
        None => (0, text),
    };
    let throw = match die {
        "AV" => Throw::average_dice(1),
        _ => Throw::die(1, number(die.strip_prefix('D')?, 1..=100)? as i16),
    };
    Some(DieRoll { throw, plus })
}

fn expect_columns(grid: &Grid, headings: &[&str]) -> Result<(), RuleError> {
    if grid.columns.iter().eq(headings) {
        return Ok(());
    }
    let problem = format!("must be the columns {}, in this order", headings.join(", "));
    Err(grid.problem("columns", problem))
}

fn number(text: &str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
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
