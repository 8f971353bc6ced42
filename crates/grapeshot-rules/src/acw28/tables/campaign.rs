//! What is thrown for before a battle: armies, the hour, flank marches.

use super::read::{expect_columns, number};
use crate::acw28::kinds::Class;
use crate::{Labels, RuleError, TableFile};
use grapeshot_engine::dice::{Odds, Throw};

grapeshot_engine::labels! {
    /// The two armies.
    pub enum Side { Federal = "federal", Confederate = "confederate" }
}

grapeshot_engine::labels! {
    /// Seasons with a printed dusk.
    pub enum Season { Summer = "summer", Spring = "spring", Autumn = "autumn" }
}

grapeshot_engine::labels! {
    /// Where a flank march comes onto the table; the first four in the order of the die.
    pub enum Zone {
        OwnRear = "own-rear", OwnForward = "own-forward",
        EnemyForward = "enemy-forward", EnemyRear = "enemy-rear", Nowhere = "none",
    }
}

/// A die with something added to it, as it is printed: `AV`, `D3`, `10+D10`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::acw28) struct DieRoll {
    faces: Vec<i16>,
    plus: i32,
}

/// The widest sum of dice that is counted exactly.
const WIDEST: f64 = (1u128 << 120) as f64;

impl DieRoll {
    /// What it shows, with what is added to it.
    pub(in crate::acw28) fn odds(&self) -> Odds<u16> {
        self.times(1)
    }

    /// The sum of so many such dice, with what is added to each.
    pub(in crate::acw28) fn times(&self, count: u16) -> Odds<u16> {
        let plus = i32::from(count) * self.plus;
        let dice = Throw::sum(self.faces.clone(), u32::from(count));
        Odds::new(dice, |sum| (sum + plus) as u16)
    }

    /// The least and the most it shows.
    pub(in crate::acw28) fn bounds(&self) -> (u16, u16) {
        let shown = self
            .faces
            .iter()
            .map(|&face| (i32::from(face) + self.plus) as u16);
        let (least, most) = (shown.clone().min(), shown.max());
        (least.unwrap_or(0), most.unwrap_or(0))
    }
}

/// What each army throws for.
#[derive(Debug, Clone)]
pub(in crate::acw28) struct Muster {
    pub extra_regiments: DieRoll,
    pub cavalry: DieRoll,
    pub batteries: DieRoll,
    /// Of one regiment.
    pub figures: DieRoll,
}

/// When it is day.
#[derive(Debug, Clone)]
pub(in crate::acw28) struct Daylight {
    pub too_early: i32,
    pub too_late: i32,
    pub turns_an_hour: u16,
    pub points_a_day: u16,
    /// By season.
    pub dusk: Vec<u16>,
}

/// What is thrown for before a battle.
#[derive(Debug, Clone)]
pub(in crate::acw28) struct Campaign {
    /// By side.
    muster: Vec<Muster>,
    /// By side, then class: regiments of foot in the printed list.
    foot: Vec<Vec<u16>>,
    /// By side.
    gunners: Vec<u16>,
    /// By face of a d6.
    pub cavalry_class: Vec<Class>,
    pub battery_class: Vec<Class>,
    /// The lowest reading of the die for extra regiments that makes one of them class B.
    pub upgrade_from: i32,
    /// What a regiment of cavalry is exchanged for.
    pub companies: u16,
    pub company_figures: u16,
    pub daylight: Daylight,
    /// The last move of each zone of a flank march but none.
    pub zones: Vec<i32>,
}

impl Campaign {
    pub(super) fn load(file: &TableFile) -> Result<Self, RuleError> {
        let list = |name: &str, label: &str, most: i64| {
            file.list(name)?.whole(label, 0..=most).map(|n| n as u16)
        };
        let by_side = |name: &str, most| -> Result<Vec<u16>, RuleError> {
            Side::LABELS
                .iter()
                .map(|side| list(name, side, most))
                .collect()
        };
        let [cavalry_class, battery_class] = classes(file)?;
        let muster = muster(file)?;
        Ok(Campaign {
            foot: foot(file, &muster)?,
            muster,
            gunners: by_side("gunners", 40)?,
            cavalry_class,
            battery_class,
            upgrade_from: i32::from(list("army", "upgrade-from", 9)?),
            companies: list("army", "companies", 40)?,
            company_figures: list("army", "company-figures", 40)?,
            daylight: daylight(file)?,
            zones: zones(file)?,
        })
    }

    /// What a side throws for.
    pub(in crate::acw28) fn muster(&self, side: Side) -> &Muster {
        &self.muster[side.position()]
    }

    /// Regiments of foot of a class in a side's printed list.
    pub(in crate::acw28) fn foot(&self, side: Side, class: Class) -> u16 {
        self.foot[side.position()][class.position()]
    }

    /// Gunners of one battery.
    pub(in crate::acw28) fn gunners(&self, side: Side) -> u16 {
        self.gunners[side.position()]
    }
}

fn muster(file: &TableFile) -> Result<Vec<Muster>, RuleError> {
    let grid = file.grid("muster")?;
    grid.expect_rows(Side::LABELS)?;
    expect_columns(
        &grid,
        &["extra-regiments", "cavalry", "batteries", "figures"],
    )?;
    let rows = grid.read("a die such as AV, D3 or 10+D10", die_roll)?;
    let side = |row: Vec<DieRoll>| {
        let [extra_regiments, cavalry, batteries, figures] =
            row.try_into().expect("a row has as many cells as columns");
        Muster {
            extra_regiments,
            cavalry,
            batteries,
            figures,
        }
    };
    Ok(rows.into_iter().map(side).collect())
}

fn die_roll(text: &str) -> Option<DieRoll> {
    let (plus, die) = match text.split_once('+') {
        Some((plus, die)) => (number(plus, 0..=99)? as i32, die),
        None => (0, text),
    };
    let faces = match die {
        "AV" => vec![2, 3, 3, 4, 4, 5],
        _ => (1..=number(die.strip_prefix('D')?, 1..=100)? as i16).collect(),
    };
    Some(DieRoll { faces, plus })
}

fn foot(file: &TableFile, muster: &[Muster]) -> Result<Vec<Vec<u16>>, RuleError> {
    let grid = file.grid("foot_classes")?;
    grid.expect_rows(Side::LABELS)?;
    expect_columns(&grid, Class::LABELS)?;
    let rows = grid.read("a number of regiments from 0 to 20", |text| {
        number(text, 0..=20).map(|n| n as u16)
    })?;
    for ((row, dice), side) in rows.iter().zip(muster).zip(Side::LABELS) {
        let thrown = dice.extra_regiments.bounds().1 + dice.cavalry.bounds().1;
        let regiments = row.iter().sum::<u16>() + thrown;
        let faces = dice.figures.faces.len() as f64;
        if faces.powi(i32::from(regiments)) > WIDEST {
            let problem =
                format!("is up to {regiments} regiments, too many to throw their figures");
            return Err(grid.problem(&format!("rows.{side}"), problem));
        }
    }
    Ok(rows)
}

/// The classes of cavalry and of batteries, by face.
fn classes(file: &TableFile) -> Result<[Vec<Class>; 2], RuleError> {
    let grid = file.grid("mounted_classes")?;
    grid.expect_rows(["cavalry", "battery"])?;
    expect_columns(&grid, &["1", "2", "3", "4", "5", "6"])?;
    // Neither the gunners' chart nor their rout chart knows any other.
    let rows = grid.read("A, B or C", |text| {
        Class::from_label(text).filter(|&class| class <= Class::C)
    })?;
    Ok(rows.try_into().expect("two rows"))
}

fn daylight(file: &TableFile) -> Result<Daylight, RuleError> {
    let day = file.list("day")?;
    let dusk = file.list("dusk")?;
    let too_late = day.whole("too-late", 4..=19)? as i32;
    Ok(Daylight {
        too_early: day.whole("too-early", 2..=i64::from(too_late) - 2)? as i32,
        too_late,
        turns_an_hour: day.whole("turns-an-hour", 1..=60)? as u16,
        points_a_day: day.whole("points-a-day", 0..=999)? as u16,
        dusk: Season::LABELS
            .iter()
            .map(|season| {
                dusk.whole(season, i64::from(too_late) - 1..=24)
                    .map(|n| n as u16)
            })
            .collect::<Result<_, _>>()?,
    })
}

fn zones(file: &TableFile) -> Result<Vec<i32>, RuleError> {
    let list = file.list("flank_march")?;
    let mut zones = Vec::new();
    let mut least = 0;
    for label in &Zone::LABELS[..Zone::Nowhere as usize] {
        least = list.whole(label, least + 1..=100)?;
        zones.push(least as i32);
    }
    Ok(zones)
}
