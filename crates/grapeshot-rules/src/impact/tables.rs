//! The printed charts, read and checked.

use super::unit::{Arm, Formation, Grade, Level};
use crate::{Bands, House, Labels, RuleError, TableFile};

grapeshot_engine::labels! {
    /// What infantry shoots with.
    pub enum Weapon {
        RifleMusket = "rifle-musket", Smoothbore = "smoothbore", Mixed = "mixed", Repeater = "repeater",
        ColtRevolving = "colt-revolving", Sharps = "sharps", Remington = "remington", Flintlock = "flintlock",
    }
}

grapeshot_engine::labels! {
    /// What a unit moves over.
    pub enum Ground {
        Road = "road", Trail = "trail", Open = "open", Broken = "broken",
        LightWoods = "light-woods", HeavyWoods = "heavy-woods", Rough = "rough",
    }
}

/// A cell of the movement chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// So many inches.
    Inches(u16),
    /// So many six-sided dice, summed.
    Dice(u32),
    /// NA: the unit may not go there.
    Barred,
}

impl Pace {
    fn parse(text: &str) -> Option<Pace> {
        let up_to = |most: u16, text: &str| text.parse().ok().filter(|n| (1..=most).contains(n));
        match text.strip_suffix("D6") {
            _ if text == "NA" => Some(Pace::Barred),
            Some(dice) => up_to(9, dice).map(|n| Pace::Dice(n.into())),
            None => up_to(99, text).map(Pace::Inches),
        }
    }
}

/// What the impact chart says about the loser of a band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    /// Nobody loses: the attacker stops short.
    StopsShort,
    /// Falls back, loses figures and takes a check with this number.
    FallsBack {
        /// Figures lost.
        figures: i64,
        /// The number of the check.
        check: i64,
    },
    /// Falls back routed.
    Routs {
        /// Figures lost.
        figures: i64,
    },
}

/// Everything printed, as numbers.
#[derive(Debug, Clone)]
pub struct Tables {
    pub(super) house: House,
    pub(super) figures: Bands,
    /// By weapon, then figures.
    pub(super) firepower: Vec<Vec<u16>>,
    /// By weapon.
    pub(super) normal_range: Vec<u16>,
    /// By line, formations first and then the levels below good order; then by ground.
    pub(super) movement: Vec<Vec<Pace>>,
    pub(super) impact: Impact,
    pub(super) margins: Bands,
    /// By band of the margin.
    pub(super) results: Vec<Band>,
    /// Dice for the inches at which a charge stops short.
    pub(super) stops_short_dice: u32,
    /// By line (artillery, columns, lines), then slight, full, rear: by artillery, by others.
    pub(super) enfilade: Vec<Vec<[i64; 2]>>,
    /// Otherwise, in a charge.
    pub(super) support: [Support; 2],
    /// Partial and full, by the arm that charges: infantry, cavalry.
    pub(super) flank: Vec<Vec<i64>>,
    /// By grade.
    pub(super) basic: Vec<i64>,
    pub(super) depleted_factor: i64,
    pub(super) section_lost: i64,
    /// By level.
    pub(super) levels: Vec<i64>,
    pub(super) good: Good,
    pub(super) bad: Bad,
    pub(super) modifiers_counted: usize,
    pub(super) charge_mmp: (i64, i64),
    /// Taken off when the attacker loses.
    pub(super) attacker_loses: Ease,
    pub(super) leader_counts: i64,
}

/// Impact values.
#[derive(Debug, Clone)]
pub(super) struct Impact {
    pub formations: Vec<i64>,
    pub disorder: i64,
    pub shaken: i64,
}

/// What supporting units do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Support {
    pub good: i64,
    pub disorder: i64,
    pub best: i64,
}

/// Good situational modifiers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Good {
    /// None, hasty, light, heavy.
    pub works: [i64; 4],
    pub behind_friends: i64,
    /// By arm; artillery never charges.
    pub charging: [i64; 3],
    pub cover: i64,
}

/// Bad situational modifiers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bad {
    pub near_enemy: i64,
    pub brigade_loss: i64,
    pub brigade_loss_most: i64,
    pub merged: i64,
}

/// What a losing attacker is spared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ease {
    pub inches: i64,
    pub figures: i64,
    pub check: i64,
}

impl Tables {
    /// Reads and checks them.
    ///
    /// # Errors
    /// Names the first entry that is not what it must be.
    pub fn load(file: &TableFile) -> Result<Self, RuleError> {
        let (figures, firepower) = firepower(file)?;
        let (margins, results) = results(file)?;
        let worn = file.list("worn")?;
        let limits = file.list("limits")?;
        let charge_mmp = (
            limits.whole("charge-best", -50..=50)?,
            limits.whole("charge-worst", -50..=50)?,
        );
        if charge_mmp.0 > charge_mmp.1 {
            return Err(file.problem(
                "lists.limits.values",
                "charge-best must not exceed charge-worst",
            ));
        }
        let ease = file.list("attacker_loses")?;
        Ok(Tables {
            house: House::read(file)?,
            figures,
            firepower,
            normal_range: normal_range(file)?,
            movement: movement(file)?,
            impact: impact(file)?,
            margins,
            results,
            stops_short_dice: file.list("stops_short")?.whole("dice", 1..=9)? as u32,
            enfilade: enfilade(file)?,
            support: support(file)?,
            flank: modifiers(file, "flank", &["partial", "full"], &Arm::LABELS[..2])?,
            basic: by_label::<Grade>(file, "basic_morale", 0)?,
            depleted_factor: worn.whole("depleted-factor", 1..=9)?,
            section_lost: worn.whole("section-lost", 0..=20)?,
            levels: by_label::<Level>(file, "levels", 0)?,
            good: good(file)?,
            bad: bad(file)?,
            modifiers_counted: limits.whole("modifiers-counted", 0..=9)? as usize,
            charge_mmp,
            attacker_loses: Ease {
                inches: ease.whole("inches", 0..=9)?,
                figures: ease.whole("figures", 0..=9)?,
                check: ease.whole("check", 0..=9)?,
            },
            leader_counts: file.assumed_whole("leader_counts", 0..=2)?,
        })
    }
}

/// A list with one number for each value of an enumeration.
fn by_label<T: Labels>(file: &TableFile, name: &str, lowest: i64) -> Result<Vec<i64>, RuleError> {
    let list = file.list(name)?;
    T::LABELS
        .iter()
        .map(|label| list.whole(label, lowest..=20))
        .collect()
}

/// A grid of modifiers with exactly these rows and columns.
fn modifiers(
    file: &TableFile,
    name: &str,
    rows: &[&str],
    columns: &[&str],
) -> Result<Vec<Vec<i64>>, RuleError> {
    let grid = file.grid(name)?;
    grid.expect_rows(rows)?;
    if grid.columns != columns {
        let problem = format!("must be the columns {}, in this order", columns.join(", "));
        return Err(grid.problem("columns", problem));
    }
    grid.read("a whole number from -20 to 20", whole)
}

fn whole(text: &str) -> Option<i64> {
    text.parse().ok().filter(|n| (-20..=20).contains(n))
}

fn firepower(file: &TableFile) -> Result<(Bands, Vec<Vec<u16>>), RuleError> {
    let grid = file.grid("firepower")?;
    grid.expect_rows(Weapon::LABELS)?;
    let figures = Bands::parse(&grid.columns).map_err(|p| grid.problem("columns", p))?;
    let points = grid.read("a number of points from 0 to 99", |text| {
        text.parse().ok().filter(|&n: &u16| n <= 99)
    })?;
    Ok((figures, points))
}

fn normal_range(file: &TableFile) -> Result<Vec<u16>, RuleError> {
    let grid = file.grid("normal_range")?;
    grid.expect_rows(Weapon::LABELS)?;
    if grid.columns != ["NR"] {
        return Err(grid.problem("columns", "must be one, NR"));
    }
    let ranges = grid.read("a range from 0 to 99", |text| {
        text.parse().ok().filter(|&n: &u16| n <= 99)
    })?;
    Ok(ranges.into_iter().map(|row| row[0]).collect())
}

fn movement(file: &TableFile) -> Result<Vec<Vec<Pace>>, RuleError> {
    let grid = file.grid("movement")?;
    grid.expect_rows([Formation::LABELS, &Level::LABELS[1..]].concat())?;
    if grid.columns != Ground::LABELS {
        let grounds = Ground::LABELS.join(", ");
        let problem = format!("must be the columns {grounds}, in this order");
        return Err(grid.problem("columns", problem));
    }
    grid.read("NA, inches from 1 to 99, or dice such as 2D6", Pace::parse)
}

fn impact(file: &TableFile) -> Result<Impact, RuleError> {
    let rows: Vec<&str> = [Formation::LABELS, &["disorder", "shaken"]].concat();
    let values = modifiers(file, "impact_values", &rows, &["UIV"])?;
    let values: Vec<i64> = values.into_iter().map(|row| row[0]).collect();
    let (formations, levels) = values.split_at(Formation::LABELS.len());
    Ok(Impact {
        formations: formations.to_vec(),
        disorder: levels[0],
        shaken: levels[1],
    })
}

fn results(file: &TableFile) -> Result<(Bands, Vec<Band>), RuleError> {
    let grid = file.grid("impact_results")?;
    if grid.columns != ["figures", "check"] {
        return Err(grid.problem("columns", "must be figures and check"));
    }
    let headings = grid.rows.iter().map(|(label, _)| label);
    let margins = Bands::parse(headings).map_err(|p| grid.problem("rows", p))?;
    if margins.lowest() != 0 {
        return Err(grid.problem("rows", "must begin with a difference of 0"));
    }
    let band = |label: &str, cells: &[String]| {
        let figures = whole(&cells[0]).filter(|&n| n >= 0);
        let band = match (cells[0].as_str(), figures, cells[1].as_str()) {
            ("-", _, "stops short") => Some(Band::StopsShort),
            (_, Some(figures), "routed") => Some(Band::Routs { figures }),
            (_, Some(figures), check) => {
                whole(check).map(|check| Band::FallsBack { figures, check })
            }
            _ => None,
        };
        band.ok_or_else(|| {
            let problem = "must be figures and a check such as +1, figures and `routed`, or - and `stops short`";
            grid.problem(&format!("rows.{label}"), problem)
        })
    };
    let results: Vec<Band> = grid
        .rows
        .iter()
        .map(|(label, cells)| band(label, cells))
        .collect::<Result<_, _>>()?;
    if results[0] != Band::StopsShort {
        return Err(grid.problem(
            "rows",
            "equal values have no loser: the first row must be `stops short`",
        ));
    }
    Ok((margins, results))
}

fn enfilade(file: &TableFile) -> Result<Vec<Vec<[i64; 2]>>, RuleError> {
    let grid = file.grid("enfilade")?;
    grid.expect_rows(["unlimbered-artillery", "columns", "lines"])?;
    if grid.columns != ["slight", "full", "rear"] {
        return Err(grid.problem("columns", "must be slight, full and rear"));
    }
    grid.read("two modifiers such as +2/+1", |text| {
        let (artillery, other) = text.split_once('/')?;
        Some([whole(artillery)?, whole(other)?])
    })
}

fn support(file: &TableFile) -> Result<[Support; 2], RuleError> {
    let rows = ["good", "disorder", "best"];
    let cells = modifiers(file, "support", &rows, &["otherwise", "in a charge"])?;
    Ok([0, 1].map(|at| Support {
        good: cells[0][at],
        disorder: cells[1][at],
        best: cells[2][at],
    }))
}

fn good(file: &TableFile) -> Result<Good, RuleError> {
    let list = file.list("good_modifiers")?;
    let n = |key: &str| list.whole(key, -20..=0);
    Ok(Good {
        works: [0, n("hasty")?, n("light")?, n("heavy")?],
        behind_friends: n("behind-friends")?,
        charging: [n("charging-infantry")?, n("charging-cavalry")?, 0],
        cover: n("cover")?,
    })
}

fn bad(file: &TableFile) -> Result<Bad, RuleError> {
    let list = file.list("bad_modifiers")?;
    let n = |key: &str| list.whole(key, 0..=20);
    Ok(Bad {
        near_enemy: n("near-enemy")?,
        brigade_loss: n("brigade-loss")?,
        brigade_loss_most: n("brigade-loss-most")?,
        merged: n("merged")?,
    })
}
