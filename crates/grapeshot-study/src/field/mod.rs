//! Whole orders of battle: everyone against everyone, and what that says of each unit.
//!
//! One roster is held against itself, several against each other. Every cell is the odds of one fight, one unit on the side
//! that acts and one on the other. From the cells follow a ladder of strength with what no ladder can say ([`Ladder`]), who
//! should attack whom and what to send unseen ([`games`]), what units are worth beside their prices, and which of them are
//! nearly alike.

mod games;
mod ladder;

pub use games::{Equilibrium, equilibrium, most_together};
pub use ladder::Ladder;

use crate::parallel;
use crate::roster::{Roster, Unit};
use crate::workbench::{Methods, Workbench};
use grapeshot_engine::dist::{Estimate, Quantity};
use grapeshot_engine::plain;
use grapeshot_rules::{Given, LoadedRuleset, OddsError, RuleError, Value};
use serde::Serialize;

/// Units of all rosters together, at most.
pub const MOST_UNITS: usize = 200;
/// Rows that differ by less of what separates the best cell from the worst are nearly alike.
pub const ALIKE: f64 = 0.02;
/// Pairs of units that are told of as the most alike.
const PAIRS: usize = 40;

/// A unit with its place in the field.
#[derive(Debug, Clone, Serialize)]
pub struct Fielded {
    /// What it is called; with its roster where another is called so too.
    pub name: String,
    /// The position of its roster.
    #[serde(skip)]
    pub roster: usize,
    /// As the file says it.
    #[serde(flatten)]
    pub unit: Unit,
    /// Its rung on the ladder; nothing where it meets nobody who can meet it in turn.
    pub strength: Option<f64>,
    /// What one would cost, if prices followed strength as they do on the whole.
    pub fair_price: Option<f64>,
}

/// A fight of one unit against another.
#[derive(Debug, Clone, PartialEq)]
pub enum Fight {
    /// Both are of one side.
    None,
    /// The rules refuse it.
    Refused(String),
    /// What it comes to for the unit that acts.
    Found(Estimate),
}

impl Fight {
    /// The number, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Fight::Found(estimate) => Some(estimate.value),
            _ => None,
        }
    }
}

impl Serialize for Fight {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Fight::Found(estimate) => to.serialize_f64(estimate.value),
            _ => to.serialize_none(),
        }
    }
}

/// So many of one unit against one of another each.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pairing {
    /// Who attacks, by position.
    #[serde(skip)]
    pub from: usize,
    /// Whom, by position.
    #[serde(skip)]
    pub at: usize,
    /// Who attacks.
    pub attacker: String,
    /// Whom.
    pub target: String,
    /// How many do so.
    pub number: u32,
    /// What each comes to.
    pub each: f64,
}

/// One roster that attacks another, or itself.
#[derive(Debug, Clone, Serialize)]
pub struct Attack {
    /// The positions of the rosters.
    #[serde(skip)]
    pub rosters: [usize; 2],
    /// Who attacks.
    pub from: String,
    /// Whom.
    pub at: String,
    /// Who should attack whom, each at most once, so that most comes of it together; nothing of a roster against itself.
    pub pairings: Option<Vec<Pairing>>,
    /// What that comes to together.
    pub together: Option<f64>,
    /// What to send, and what to meet it with, where neither side sees what the other chooses.
    pub unseen: Unseen,
}

/// Mixed choices of two sides.
#[derive(Debug, Clone, Serialize)]
pub struct Unseen {
    /// How often the side that attacks sends each of its units.
    #[serde(serialize_with = "plain::pairs")]
    pub attacker: Vec<(String, f64)>,
    /// How often the other side meets it with each.
    #[serde(serialize_with = "plain::pairs")]
    pub target: Vec<(String, f64)>,
    /// What it comes to, and its certificate.
    #[serde(flatten)]
    pub found: Equilibrium,
    /// Cells that the rules refuse, and that count as nought.
    pub refused: usize,
}

/// Which of several rosters to bring, if the other side chooses unseen among the same.
#[derive(Debug, Clone, Serialize)]
pub struct Rosters {
    /// For each roster and each other, how much more its best attack comes to than the other's.
    pub lead: Vec<Vec<f64>>,
    /// How often to bring each.
    #[serde(serialize_with = "plain::pairs")]
    pub bring: Vec<(String, f64)>,
    /// What it comes to, and its certificate.
    #[serde(flatten)]
    pub found: Equilibrium,
}

/// Two units, and how far their rows and columns lie apart on average.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alike {
    /// Their positions.
    #[serde(skip)]
    pub at: [usize; 2],
    /// What they are called.
    pub units: [String; 2],
    /// The mean difference, over every fight that both can have.
    pub distance: f64,
}

/// Units that beat each other in a ring.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ring {
    /// Each has the better of the next, and the last of the first.
    pub units: Vec<String>,
    /// By how much.
    pub leads: Vec<f64>,
}

/// Orders of battle held against each other.
#[derive(Debug, Clone, Serialize)]
pub struct Field {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// What was given of every fight.
    #[serde(serialize_with = "plain::pairs")]
    pub given: Given,
    /// What is compared.
    #[serde(rename = "of")]
    pub quantity: Quantity,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// The side that acts, and the other.
    pub sides: [String; 2],
    /// What the rosters are called.
    pub rosters: Vec<String>,
    /// All units, roster by roster.
    pub units: Vec<Fielded>,
    /// What each comes to against each, by position; the row acts.
    pub cells: Vec<Vec<Fight>>,
    /// Strength as a ladder, and what is left over.
    pub ladder: Ladder,
    /// The clearest ring, if there is one.
    pub ring: Option<Ring>,
    /// How much of what prices differ by goes with strength; nothing with fewer than three prices.
    pub price_fit: Option<f64>,
    /// Each roster against each other, or the one against itself.
    pub attacks: Vec<Attack>,
    /// Of three rosters and more, which to bring.
    pub choice: Option<Rosters>,
    /// Units of one side that are the most alike.
    pub alike: Vec<Alike>,
    /// How far the best cell lies above the worst.
    pub spread: f64,
}

impl Field {
    /// What the rules refuse, each reason with how often.
    pub fn refused(&self) -> Vec<(&str, usize)> {
        let mut reasons: Vec<(&str, usize)> = Vec::new();
        for cell in self.cells.iter().flatten() {
            if let Fight::Refused(reason) = cell {
                match reasons.iter_mut().find(|(known, _)| known == reason) {
                    Some((_, count)) => *count += 1,
                    None => reasons.push((reason, 1)),
                }
            }
        }
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }

    /// The units of a roster.
    pub fn of_roster(&self, roster: usize) -> Vec<usize> {
        let units = self.units.iter().enumerate();
        let own = units.filter(|(_, unit)| unit.roster == roster);
        own.map(|(at, _)| at).collect()
    }

    /// Pairs that are nearly alike.
    pub fn nearly_alike(&self) -> impl Iterator<Item = &Alike> {
        let least = ALIKE * self.spread;
        self.alike.iter().filter(move |pair| pair.distance <= least)
    }
}

/// The one ruleset that rosters are of.
///
/// # Errors
/// If they are of several.
pub fn rules_of(rosters: &[Roster]) -> Result<String, RuleError> {
    let mut all = rosters.iter().flat_map(|roster| {
        let units = roster.units.iter();
        units.map(move |unit| (roster.text.file(), unit))
    });
    let missing = || RuleError::Other("no roster is given".into());
    let (first, one) = all.next().ok_or_else(missing)?;
    match all.find(|(_, unit)| unit.rules != one.rules) {
        None => Ok(one.rules.clone()),
        Some((file, other)) => Err(RuleError::File {
            file: file.to_owned(),
            problem: format!(
                "`{}` is of {}, and `{}` in {first} of {}: units that meet are of one ruleset",
                other.name, other.rules, one.name, one.rules
            ),
        }),
    }
}

/// The fight that is fought where none is named: a charge, or the first in which two sides meet and one can succeed.
///
/// # Errors
/// If there is none.
pub fn usual_fight(loaded: &LoadedRuleset) -> Result<String, RuleError> {
    let fits = |name: &str| {
        let procedure = loaded.playable(name).ok()?;
        let bench = Workbench::new(loaded, name, Given::new(), crate::usual_options()).ok()?;
        let fought = bench.sides().len() >= 2 && bench.quantity(None).is_ok();
        fought.then(|| procedure.name.to_string())
    };
    let names = loaded.procedures.iter().map(|procedure| &*procedure.name);
    let found = std::iter::once("charge").chain(names).find_map(fits);
    found.ok_or_else(|| {
        let problem = format!(
            "{} has no fight of two sides: name what is fought and compared",
            loaded.id()
        );
        RuleError::Other(problem)
    })
}

/// Holds rosters against each other.
///
/// # Errors
/// If there are no two sides or too many units, a unit is not as the procedure allows, the rules refuse every fight, or the
/// engine cannot answer.
pub fn field(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    rosters: &[Roster],
) -> Result<Field, OddsError> {
    let rules = rules_of(rosters)?;
    let procedure = workbench.procedure;
    let sides = match &workbench.sides()[..] {
        [acts, other, ..] => [acts.clone(), other.clone()],
        _ => {
            let problem = format!(
                "{rules} {} is of one unit: a field needs two sides",
                procedure.name
            );
            return Err(RuleError::Other(problem).into());
        }
    };
    let names: Vec<String> = rosters.iter().map(called).collect();
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        let problem = format!("two rosters are called `{}`", names[twice]);
        return Err(RuleError::Other(problem).into());
    }
    let mut units = fielded(rosters, &names)?;
    let cells = met(workbench, quantity, rosters, &units, &sides)?;
    let (cells, methods) = cells;
    let values: Vec<Vec<Option<f64>>> = (cells.iter())
        .map(|row| row.iter().map(Fight::value).collect())
        .collect();
    let known = values.iter().flatten().flatten();
    let (low, high) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| {
        (low.min(x), high.max(x))
    });
    if low > high {
        let reason = cells.iter().flatten().find_map(|cell| match cell {
            Fight::Refused(reason) => Some(reason.clone()),
            _ => None,
        });
        let problem = format!(
            "the rules refuse every fight: {}",
            reason.unwrap_or_default()
        );
        return Err(RuleError::Other(problem).into());
    }
    let (ladder, strengths) = ladder::ladder(&lead(&values));
    for (unit, strength) in units.iter_mut().zip(strengths) {
        unit.strength = strength;
    }
    let price_fit = price(&mut units, &ladder);
    let attacks = attacks(&units, &names, &values, &cells)?;
    let choice = rosters_to_bring(&names, &attacks)?;
    let alike = alike(&units, &values);
    Ok(Field {
        rules,
        procedure: procedure.name.to_string(),
        variants: workbench.loaded.variant_names(),
        given: workbench.said()?,
        quantity: quantity.clone(),
        methods,
        ring: ring(&units, &lead(&values)),
        sides,
        rosters: names,
        units,
        cells,
        ladder,
        price_fit,
        attacks,
        choice,
        alike,
        spread: high - low,
    })
}

/// What a roster is called: as it says itself, or as its file.
fn called(roster: &Roster) -> String {
    let file = roster.text.file();
    let stem = std::path::Path::new(file).file_stem();
    let stem = stem
        .map_or(file.into(), |stem| stem.to_string_lossy())
        .into_owned();
    roster.name.clone().unwrap_or(stem)
}

fn fielded(rosters: &[Roster], names: &[String]) -> Result<Vec<Fielded>, RuleError> {
    let all: Vec<(usize, &Unit)> = rosters
        .iter()
        .enumerate()
        .flat_map(|(at, roster)| roster.units.iter().map(move |unit| (at, unit)))
        .collect();
    if all.len() < 2 || all.len() > MOST_UNITS {
        let problem = format!(
            "the rosters have {} units; allowed are 2 to {MOST_UNITS}",
            all.len()
        );
        return Err(RuleError::Other(problem));
    }
    let alone = |name: &str| all.iter().filter(|(_, unit)| unit.name == name).count() == 1;
    let fielded = all.iter().map(|&(roster, unit)| Fielded {
        name: match alone(&unit.name) {
            true => unit.name.clone(),
            false => format!("{}: {}", names[roster], unit.name),
        },
        roster,
        unit: unit.clone(),
        strength: None,
        fair_price: None,
    });
    Ok(fielded.collect())
}

type Cells = (Vec<Vec<Fight>>, Methods);

/// Every fight of one side with another.
fn met(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    rosters: &[Roster],
    units: &[Fielded],
    [acts, other]: &[String; 2],
) -> Result<Cells, OddsError> {
    let procedure = workbench.procedure;
    // What a unit says goes before what was said of every fight, and is held to this procedure here, by its name.
    let on = |side: &str| -> Result<Vec<Given>, RuleError> {
        let given = units.iter().map(|fielded| {
            let given = fielded.unit.on_side(procedure, side);
            let file = rosters[fielded.roster].text.file();
            workbench
                .settings(&given)
                .map_err(|error| RuleError::File {
                    file: file.to_owned(),
                    problem: format!("unit `{}`: {error}", fielded.unit.name),
                })?;
            Ok(given)
        });
        given.collect()
    };
    let [acting, met] = [on(acts)?, on(other)?];
    let alone = rosters.len() == 1;
    let count = units.len();
    let places: Vec<(usize, usize)> = (0..count)
        .flat_map(|row| (0..count).map(move |column| (row, column)))
        .filter(|&(row, column)| alone || units[row].roster != units[column].roster)
        .collect();
    let found = parallel::try_map(&places, |&(row, column)| {
        let both: Vec<(String, Value)> = acting[row].iter().chain(&met[column]).cloned().collect();
        workbench.number(quantity, &both)
    })?;
    let mut cells = vec![vec![Fight::None; count]; count];
    let mut methods = Methods::default();
    for ((row, column), reply) in places.into_iter().zip(found) {
        cells[row][column] = match reply {
            Ok((estimate, source)) => {
                methods.add(source);
                Fight::Found(estimate)
            }
            Err(reason) => Fight::Refused(reason),
        };
    }
    Ok((cells, methods))
}

/// By how much one has the better of another, over both ways to meet; nothing where they cannot both attack.
fn lead(values: &[Vec<Option<f64>>]) -> Vec<Vec<Option<f64>>> {
    let count = values.len();
    let of = |one: usize, other: usize| match one == other {
        true => None,
        false => Some(values[one][other]? - values[other][one]?),
    };
    (0..count)
        .map(|one| (0..count).map(|other| of(one, other)).collect())
        .collect()
}

/// Prices as a straight line of strength, by least squares; how much of what prices differ by it explains.
fn price(units: &mut [Fielded], ladder: &Ladder) -> Option<f64> {
    if ladder.parts > 1 {
        return None;
    }
    let priced: Vec<(f64, f64)> = (units.iter())
        .filter_map(|unit| Some((unit.strength?, unit.unit.price?)))
        .collect();
    let count = priced.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| priced.iter().map(of).sum::<f64>() / count;
    let (strength, price) = (mean(&|one| one.0), mean(&|one| one.1));
    let together = mean(&|one| (one.0 - strength) * (one.1 - price));
    let [strengths, prices] = [
        mean(&|one| (one.0 - strength).powi(2)),
        mean(&|one| (one.1 - price).powi(2)),
    ];
    if priced.len() < 3 || strengths <= 1e-18 {
        return None;
    }
    for unit in units.iter_mut().filter(|unit| unit.unit.price.is_some()) {
        let at = unit.strength;
        unit.fair_price = at.map(|at| price + together / strengths * (at - strength));
    }
    // Prices that are all one price are as far from following strength as can be.
    Some(match prices > 0.0 {
        true => (together.powi(2) / strengths / prices).copysign(together),
        false => 0.0,
    })
}

fn attacks(
    units: &[Fielded],
    names: &[String],
    values: &[Vec<Option<f64>>],
    cells: &[Vec<Fight>],
) -> Result<Vec<Attack>, RuleError> {
    let alone = names.len() == 1;
    let pairs = (0..names.len()).flat_map(|from| (0..names.len()).map(move |at| (from, at)));
    let pairs = pairs.filter(|&(from, at)| alone || from != at);
    let own = |roster: usize| {
        let own = units.iter().enumerate();
        let own = own.filter(move |(_, unit)| unit.roster == roster);
        own.map(|(at, _)| at).collect::<Vec<usize>>()
    };
    let mut attacks = Vec::new();
    for (from, at) in pairs {
        let (rows, columns) = (own(from), own(at));
        let pairings = match alone {
            true => None,
            false => Some(pairings(units, values, &rows, &columns)?),
        };
        let together = pairings.as_ref().map(|pairings| {
            let sum = pairings.iter();
            sum.map(|one| f64::from(one.number) * one.each).sum()
        });
        attacks.push(Attack {
            rosters: [from, at],
            from: names[from].clone(),
            at: names[at].clone(),
            pairings,
            together,
            unseen: unseen(units, values, cells, &rows, &columns)?,
        });
    }
    Ok(attacks)
}

fn pairings(
    units: &[Fielded],
    values: &[Vec<Option<f64>>],
    rows: &[usize],
    columns: &[usize],
) -> Result<Vec<Pairing>, RuleError> {
    let number = |at: &usize| units[*at].unit.number;
    let of = |row: usize| columns.iter().map(|&column| values[row][column]).collect();
    let worth: Vec<Vec<Option<f64>>> = rows.iter().map(|&row| of(row)).collect();
    let supply: Vec<u32> = rows.iter().map(number).collect();
    let demand: Vec<u32> = columns.iter().map(number).collect();
    let sent = most_together(&worth, &supply, &demand).map_err(RuleError::Other)?;
    let mut pairings: Vec<Pairing> = (sent.into_iter())
        .map(|(row, column, number)| Pairing {
            from: rows[row],
            at: columns[column],
            attacker: units[rows[row]].name.clone(),
            target: units[columns[column]].name.clone(),
            number,
            each: worth[row][column].unwrap_or(0.0),
        })
        .collect();
    pairings.sort_by(|a, b| b.each.total_cmp(&a.each));
    Ok(pairings)
}

/// The equilibrium of a game in which one side sends a unit and the other meets it with one. Units that can fight nobody are
/// not sent.
fn unseen(
    units: &[Fielded],
    values: &[Vec<Option<f64>>],
    cells: &[Vec<Fight>],
    rows: &[usize],
    columns: &[usize],
) -> Result<Unseen, RuleError> {
    let row_fights = |row: &&usize| {
        columns
            .iter()
            .any(|&column| values[**row][column].is_some())
    };
    let column_fights = |column: &&usize| rows.iter().any(|&row| values[row][**column].is_some());
    let fighting: Vec<usize> = rows.iter().filter(row_fights).copied().collect();
    let meeting: Vec<usize> = columns.iter().filter(column_fights).copied().collect();
    let payoff: Vec<Vec<f64>> = (fighting.iter())
        .map(|&row| {
            let of = meeting.iter();
            of.map(|&column| values[row][column].unwrap_or(0.0))
                .collect()
        })
        .collect();
    let found = equilibrium(&payoff).map_err(RuleError::Other)?;
    let named = |places: &[usize], mix: &[f64]| {
        let named = places.iter().zip(mix);
        named
            .map(|(&at, &share)| (units[at].name.clone(), share))
            .collect()
    };
    let left_out = fighting.iter().flat_map(|&row| {
        let refused = move |column: &&usize| matches!(cells[row][**column], Fight::Refused(_));
        meeting.iter().filter(refused)
    });
    Ok(Unseen {
        attacker: named(&fighting, &found.rows),
        target: named(&meeting, &found.columns),
        refused: left_out.count(),
        found,
    })
}

fn rosters_to_bring(names: &[String], attacks: &[Attack]) -> Result<Option<Rosters>, RuleError> {
    if names.len() < 3 {
        return Ok(None);
    }
    let comes_to = |from: usize, at: usize| {
        let found = attacks.iter().find(|attack| attack.rosters == [from, at]);
        found.and_then(|attack| attack.together).unwrap_or(0.0)
    };
    let count = names.len();
    let lead: Vec<Vec<f64>> = (0..count)
        .map(|one| {
            let others = 0..count;
            let lead = others.map(|other| comes_to(one, other) - comes_to(other, one));
            lead.collect()
        })
        .collect();
    let found = equilibrium(&lead).map_err(RuleError::Other)?;
    let bring = names.iter().cloned().zip(found.rows.iter().copied());
    Ok(Some(Rosters {
        bring: bring.collect(),
        lead,
        found,
    }))
}

/// Units of one roster by how far their rows and columns lie apart, the nearest first. Two of which one can fight and the
/// other cannot are never alike.
fn alike(units: &[Fielded], values: &[Vec<Option<f64>>]) -> Vec<Alike> {
    let distance = |one: usize, other: usize| {
        let (mut sum, mut count) = (0.0, 0);
        let against = values[one].iter().zip(&values[other]);
        for ((&of_one, &of_other), third) in against.zip(values) {
            let ways = [(of_one, of_other), (third[one], third[other])];
            for (a, b) in ways {
                match (a, b) {
                    (Some(a), Some(b)) => {
                        sum += (a - b).abs();
                        count += 1;
                    }
                    (None, None) => {}
                    _ => return None,
                }
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    };
    let mut pairs: Vec<Alike> = Vec::new();
    for one in 0..units.len() {
        for other in one + 1..units.len() {
            if units[one].roster == units[other].roster
                && let Some(distance) = distance(one, other)
            {
                pairs.push(Alike {
                    at: [one, other],
                    units: [units[one].name.clone(), units[other].name.clone()],
                    distance,
                });
            }
        }
    }
    pairs.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    pairs.truncate(PAIRS);
    pairs
}

/// Leads smaller than this are rounding.
const ROUNDING: f64 = 1e-9;

/// The ring whose weakest lead is the greatest: three who beat each other, or, where only sides meet, four.
fn ring(units: &[Fielded], lead: &[Vec<Option<f64>>]) -> Option<Ring> {
    let count = units.len();
    let beats = |one: usize, other: usize| lead[one][other].filter(|lead| *lead > ROUNDING);
    let mut best: Option<(f64, Vec<usize>)> = None;
    let mut try_it = |places: &[usize]| {
        let next = places.iter().cycle().skip(1);
        let leads = places.iter().zip(next).map(|(&a, &b)| beats(a, b));
        let weakest = leads.collect::<Option<Vec<f64>>>();
        let weakest = weakest.map(|leads| leads.into_iter().fold(f64::INFINITY, f64::min));
        if let Some(weakest) = weakest
            && best.as_ref().is_none_or(|(known, _)| weakest > *known)
        {
            best = Some((weakest, places.to_vec()));
        }
    };
    let three = lead.iter().enumerate().any(|(one, row)| {
        let met = |at: usize| row[at].is_some();
        (0..count).any(|a| met(a) && (0..count).any(|b| met(b) && lead[a][b].is_some() && b != one))
    });
    for a in 0..count {
        for b in (a + 1..count).filter(|&b| beats(a, b).is_some() || !three) {
            for c in (a + 1..count).filter(|&c| c != b) {
                match three {
                    true => try_it(&[a, b, c]),
                    false if beats(a, b).is_some() && beats(b, c).is_some() => {
                        let fourth = (a + 1..count).filter(|&d| d != b && d != c);
                        fourth.for_each(|d| try_it(&[a, b, c, d]));
                    }
                    false => {}
                }
            }
        }
    }
    let (_, places) = best?;
    let next = places.iter().cycle().skip(1);
    let leads = places.iter().zip(next).filter_map(|(&a, &b)| lead[a][b]);
    Some(Ring {
        leads: leads.collect(),
        units: places.iter().map(|&at| units[at].name.clone()).collect(),
    })
}
