//! Break-even: where a quantity crosses a target while one number varies: a setting, or a cell of the tables.
//!
//! Every legal value of a whole-number setting is asked, so no crossing is missed; a range of more
//! than [`MOST_VALUES`] values is looked at in even steps and halved between neighbours on opposite
//! sides, and the result says so. Fractions are looked at in [`STEPS`] steps and halved likewise. A
//! crossing lies between two neighbouring values; the interpolated place between them is what a
//! designer would print if stands came in halves.

mod search;

pub use search::Search;

use super::workbench::{Methods, Reply, Workbench};
use crate::parallel;
use grapeshot_engine::dist::{Estimate, Quantity, Source};
use grapeshot_engine::plain;
use grapeshot_rules::sweep::{Axis, cells, check_axes};
use grapeshot_rules::{OddsError, RuleError, Value};
use serde::Serialize;

/// Whole-number ranges up to this are looked at value by value.
pub(super) const MOST_VALUES: i64 = 600;
/// Steps in which larger ranges and fractions are looked at.
pub(super) const STEPS: i64 = 256;
/// Differences smaller than this are rounding.
const NOTHING: f64 = 1e-12;

/// The quantity at one value of the setting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct At {
    /// The value.
    pub x: f64,
    /// The quantity.
    pub y: Estimate,
}

/// Where the target is crossed or met.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Crossing {
    /// The place between its neighbours, by a straight line.
    pub place: f64,
    /// The last value on one side.
    pub from: At,
    /// The first value on the other; the same when the target is met exactly and not crossed there.
    pub to: At,
    /// Whether the quantity rises through the target.
    pub rises: bool,
    /// Whether it only touches the target.
    pub touches: bool,
    /// Whether both neighbours are certainly on their sides.
    pub certain: bool,
    /// Where it is not certain: the nearest values on either side that are, or the ends of what was looked
    /// at. The crossing lies between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsettled: Option<(f64, f64)>,
}

grapeshot_engine::labels! {
    /// How a quantity goes while the setting grows.
    pub enum Trend {
        /// Never falls.
        Rises = "rises",
        /// Never rises.
        Falls = "falls",
        /// Does not move.
        Flat = "flat",
        /// Rises and falls.
        Turns = "turns",
    }
}

/// One cell of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvenCell {
    /// The swept keys and their values.
    #[serde(serialize_with = "plain::pairs")]
    pub place: Vec<(String, Value)>,
    /// Every crossing.
    pub crossings: Vec<Crossing>,
    /// How the quantity goes.
    pub trend: Trend,
    /// Whether it never turns.
    pub monotone: bool,
    /// Where it turns.
    pub turns: Vec<At>,
    /// Values the rules refuse.
    pub refused: Option<RefusedValues>,
    /// What was looked at, in order; refused values are left out.
    pub curve: Vec<At>,
}

/// Values that the rules refuse.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RefusedValues {
    /// How many.
    pub values: usize,
    /// Why the first of them.
    pub reason: String,
}

/// Where a quantity crosses a target.
#[derive(Debug, Clone, Serialize)]
pub struct BreakEven {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// What was given, beside the sweep.
    #[serde(serialize_with = "plain::pairs")]
    pub given: Vec<(String, Value)>,
    /// The key that varies.
    pub vary: String,
    /// Whether it takes whole numbers only.
    #[serde(skip)]
    pub whole: bool,
    /// Where the search began.
    pub from: f64,
    /// Where it ended.
    pub to: f64,
    /// The step of the first look.
    pub step: f64,
    /// The quantity.
    #[serde(rename = "of")]
    pub quantity: Quantity,
    /// The target.
    #[serde(rename = "at")]
    pub target: f64,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// The cells in the order of the sweep.
    pub cells: Vec<EvenCell>,
}

/// Finds every crossing in every cell of a sweep.
///
/// # Errors
/// If a swept key or value is wrong, every value is refused everywhere, or the engine cannot answer.
pub fn break_even(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    search: &Search,
    axes: &[Axis],
) -> Result<BreakEven, OddsError> {
    if axes.iter().any(|axis| axis.keys.contains(&search.vary)) {
        let problem = format!("`{}` cannot be varied and swept at once", search.vary);
        return Err(RuleError::Other(problem).into());
    }
    check_axes(axes, &workbench.given)?;
    let cells = cells(axes);
    for cell in &cells {
        workbench.settings(cell)?;
    }
    let found = parallel::try_map(&cells, |cell| one_cell(workbench, quantity, search, cell))?;
    let mut methods = Methods::default();
    let mut done = Vec::new();
    for (cell, more) in found {
        methods = methods.and(more);
        done.push(cell);
    }
    if done.iter().all(|cell| cell.curve.is_empty())
        && let Some(RefusedValues { reason, .. }) = done.iter().find_map(|c| c.refused.clone())
    {
        let problem = format!("the rules refuse every value of {}: {reason}", search.vary);
        return Err(RuleError::Other(problem).into());
    }
    let given = workbench.settings(&[])?;
    let given = given.given().filter(|(k, _)| *k != search.vary);
    Ok(BreakEven {
        rules: workbench.loaded.id().into(),
        procedure: workbench.procedure.name.to_string(),
        variants: workbench.loaded.variant_names(),
        given: given.map(|(k, v)| (k.to_owned(), v.clone())).collect(),
        vary: search.vary.clone(),
        whole: search.whole,
        from: search.range.0,
        to: search.range.1,
        step: search.step,
        quantity: quantity.clone(),
        target: search.target,
        cells: done,
        methods,
    })
}

fn one_cell(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    search: &Search,
    cell: &[(String, Value)],
) -> Result<(EvenCell, Methods), OddsError> {
    let ask = |x: f64| -> Result<Reply<(At, Source)>, OddsError> {
        let reply = search.ask(workbench, quantity, cell, x)?;
        Ok(reply.map(|(y, source)| (At { x, y }, source)))
    };
    let looked = parallel::try_map(&search.values, |&x| ask(x))?;
    let mut methods = Methods::default();
    let mut refused: Option<RefusedValues> = None;
    // Runs of allowed values: nothing is claimed about what lies beyond a refused one.
    let mut runs: Vec<Vec<At>> = vec![Vec::new()];
    for reply in looked {
        match reply {
            Ok((at, source)) => {
                methods.add(source);
                if let Some(run) = runs.last_mut() {
                    run.push(at);
                }
            }
            Err(reason) => {
                let none = RefusedValues { values: 0, reason };
                refused.get_or_insert(none).values += 1;
                runs.push(Vec::new());
            }
        }
    }
    let mut crossings = Vec::new();
    for run in &runs {
        for mut crossing in crossings_of(run, search.target) {
            let met = (crossing.from.y.value - search.target).abs() <= NOTHING;
            if met && crossing.certain {
                // What lies between a value that meets it and a neighbour that does not is looked at too.
                let (first, last) = (crossing.from.x, crossing.to.x);
                let before = run.iter().rev().find(|at| at.x < first);
                let after = run.iter().find(|at| at.x > last);
                for (outer, end) in [(before, &mut crossing.from), (after, &mut crossing.to)] {
                    let Some(mut outer) = outer.map(|at| at.x) else {
                        continue;
                    };
                    while is_wide(search, end.x - outer) {
                        let Ok((middle, source)) = ask(middle_of(search, end.x, outer))? else {
                            break;
                        };
                        methods.add(source);
                        match (middle.y.value - search.target).abs() <= NOTHING {
                            true => *end = middle,
                            false => outer = middle.x,
                        }
                    }
                }
            }
            while !met && !crossing.touches && is_wide(search, crossing.to.x - crossing.from.x) {
                let Ok((middle, source)) = ask(middle_of(search, crossing.from.x, crossing.to.x))?
                else {
                    break;
                };
                methods.add(source);
                crossing = narrowed(crossing, middle, search.target);
            }
            crossing.unsettled = unsettled(run, &crossing, search.target);
            // Within what is not settled, a curve that wavers crosses once.
            let known = |other: &Crossing| other.unsettled == crossing.unsettled;
            if crossing.unsettled.is_none() || !crossings.iter().any(known) {
                crossings.push(crossing);
            }
        }
    }
    let curve: Vec<At> = runs.into_iter().flatten().collect();
    let settings = workbench.settings(cell)?;
    let place = cell
        .iter()
        .map(|(k, _)| (k.clone(), settings.get(k).clone()));
    let (trend, turns) = trend_of(&curve);
    let done = EvenCell {
        place: place.collect(),
        trend,
        monotone: turns.is_empty(),
        turns,
        curve,
        refused,
        crossings,
    };
    Ok((done, methods))
}

/// Between which values of a run a crossing lies that its neighbours do not settle.
fn unsettled(run: &[At], crossing: &Crossing, target: f64) -> Option<(f64, f64)> {
    if crossing.certain || crossing.touches {
        return None;
    }
    let sure = |at: &&At| at.y.excludes(target);
    let below = run.iter().rev().filter(|at| at.x <= crossing.from.x);
    let above = run.iter().filter(|at| at.x >= crossing.to.x);
    let (first, last) = (run.first()?, run.last()?);
    let from = below.clone().find(sure).unwrap_or(first);
    let to = above.clone().find(sure).unwrap_or(last);
    Some((from.x, to.x))
}

/// Whether there is more to look at between two values that are so far apart.
fn is_wide(search: &Search, apart: f64) -> bool {
    if search.whole {
        apart.abs() > 1.0 + NOTHING
    } else {
        apart.abs() > 1e-9 * (1.0 + search.range.1.abs())
    }
}

fn middle_of(search: &Search, from: f64, to: f64) -> f64 {
    let middle = (from + to) / 2.0;
    if search.whole { middle.floor() } else { middle }
}

/// The half of a crossing that still has the target between its ends.
fn narrowed(crossing: Crossing, middle: At, target: f64) -> Crossing {
    let same_side = (middle.y.value < target) == (crossing.from.y.value < target);
    if same_side {
        between_of(middle, crossing.to, target)
    } else {
        between_of(crossing.from, middle, target)
    }
}

fn between_of(from: At, to: At, target: f64) -> Crossing {
    let rise = to.y.value - from.y.value;
    let part = if rise.abs() > 0.0 {
        (target - from.y.value) / rise
    } else {
        0.5
    };
    Crossing {
        from,
        to,
        place: from.x + (to.x - from.x) * part.clamp(0.0, 1.0),
        rises: rise > 0.0,
        touches: false,
        certain: from.y.excludes(target) && to.y.excludes(target),
        unsettled: None,
    }
}

/// Every place in a run of neighbours where the target is crossed or met.
pub fn crossings_of(run: &[At], target: f64) -> Vec<Crossing> {
    let side = |at: &At| {
        let above = at.y.value - target;
        if above.abs() <= NOTHING {
            0
        } else if above > 0.0 {
            1
        } else {
            -1
        }
    };
    let mut found = Vec::new();
    let mut i = 0;
    while i < run.len() {
        if side(&run[i]) == 0 {
            // As long as it stays exactly on the target, it is one meeting.
            let last = (i..run.len()).take_while(|&j| side(&run[j]) == 0).last();
            let last = last.unwrap_or(i);
            let before = i.checked_sub(1).map_or(0, |j| side(&run[j]));
            let after = run.get(last + 1).map_or(0, side);
            found.push(Crossing {
                from: run[i],
                to: run[last],
                place: (run[i].x + run[last].x) / 2.0,
                rises: after > before,
                touches: before == after || before == 0 || after == 0,
                certain: run[i].y.low == run[i].y.high,
                unsettled: None,
            });
            i = last + 1;
            continue;
        }
        if let Some(next) = run.get(i + 1)
            && side(&run[i]) * side(next) < 0
        {
            found.push(between_of(run[i], *next, target));
        }
        i += 1;
    }
    found
}

/// How a curve goes, and where it turns; of simulated values, only turns beyond their intervals count.
fn trend_of(curve: &[At]) -> (Trend, Vec<At>) {
    let mut turns = Vec::new();
    let mut direction = 0.0;
    let Some(mut extreme) = curve.first().copied() else {
        return (Trend::Flat, turns);
    };
    for at in curve {
        let by = at.y.minus(&extreme.y);
        let moved = by.value.abs() > NOTHING && by.excludes(0.0);
        if direction == 0.0 {
            if moved {
                direction = by.value.signum();
                extreme = *at;
            }
        } else if by.value * direction >= 0.0 {
            extreme = *at;
        } else if moved {
            turns.push(extreme);
            direction = -direction;
            extreme = *at;
        }
    }
    let trend = match direction {
        _ if !turns.is_empty() => Trend::Turns,
        d if d > 0.0 => Trend::Rises,
        d if d < 0.0 => Trend::Falls,
        _ => Trend::Flat,
    };
    (trend, turns)
}
