//! What a house rule changes: the same cells asked of two editions of a ruleset.
//!
//! Before is what is printed (or another variant), after is the variant. Where both are solved a
//! change is certain; where they are simulated both sides use the same dice, so cells the variant
//! does not touch come out exactly equal and say so.

mod reach;
mod whole;

pub use reach::{Reach, Used};
pub use whole::{WholeDiff, diff_all, diff_where_it_matters};

use super::workbench::{Methods, Reply, Workbench};
use crate::parallel;
use grapeshot_engine::dist::total_variation;
use grapeshot_engine::dist::{Distribution, Estimate, Quantity, VariableKind};
use grapeshot_rules::sweep::{Axis, cells, check_axes};
use grapeshot_rules::{LoadedRuleset, OddsError, RuleError, TableChange, Value};

/// Changes smaller than this are rounding, not rules.
const NOTHING: f64 = 1e-12;

/// A quantity before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// Before.
    pub before: Estimate,
    /// After.
    pub after: Estimate,
    /// After less before.
    pub by: Estimate,
}

impl Shift {
    /// Whether it moved at all.
    pub fn moved(&self) -> bool {
        self.by.value.abs() > NOTHING
    }

    /// Whether it certainly moved: solved, or further than its interval.
    pub fn certain(&self) -> bool {
        self.moved() && self.by.excludes(0.0)
    }
}

/// One cell of the sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffCell {
    /// The swept keys and their values.
    pub place: Vec<(String, Value)>,
    /// One shift for each quantity, or which edition refuses the cell and why.
    pub shifts: Reply<Vec<Shift>>,
}

impl DiffCell {
    /// The largest move of any of its quantities.
    pub fn largest(&self) -> f64 {
        let shifts = self.shifts.iter().flatten();
        shifts.map(|s| s.by.value.abs()).fold(0.0, f64::max)
    }

    /// Whether anything moved.
    pub fn moved(&self) -> bool {
        self.largest() > NOTHING
    }
}

/// A cell and a quantity, by their positions.
pub type Spot = (usize, usize);

/// What changes between two editions.
#[derive(Debug, Clone)]
pub struct Diff {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// What was given, beside the sweep.
    pub given: Vec<(String, Value)>,
    /// The edition before: names of its variants, none for what is printed.
    pub before: Vec<String>,
    /// The edition after.
    pub after: Vec<String>,
    /// What the later edition's variants say of themselves.
    pub about: Vec<String>,
    /// What the later edition's variants change in print, and what they add.
    pub changes: Vec<TableChange>,
    /// What was asked.
    pub quantities: Vec<Quantity>,
    /// The axes of the sweep.
    pub axes: Vec<Axis>,
    /// The cells in the order of the sweep.
    pub cells: Vec<DiffCell>,
    /// Variables that moved somewhere and are not among the quantities.
    pub elsewhere: Vec<String>,
    /// Where the change is seen, if that was looked for.
    pub reach: Option<Reach>,
    /// How answers were found.
    pub methods: Methods,
}

/// What the variants of an edition say of themselves.
fn about(loaded: &LoadedRuleset) -> Vec<String> {
    let variants = loaded.tables.variants().iter();
    variants
        .map(|v| v.about.clone())
        .filter(|about| !about.is_empty())
        .collect()
}

/// What the variants of an edition change and add.
fn changes(loaded: &LoadedRuleset) -> Vec<TableChange> {
    let variants = loaded.tables.variants().iter();
    variants.flat_map(|v| v.changes.clone()).collect()
}

impl Diff {
    /// What is compared with what.
    pub fn title(&self) -> String {
        let edition = |variants: &[String]| match variants.is_empty() {
            true => "what is printed".to_owned(),
            false => format!("`{}`", variants.join("` and `")),
        };
        let (before, after) = (edition(&self.before), edition(&self.after));
        format!(
            "{} {}: from {before} to {after}",
            self.rules, self.procedure
        )
    }

    /// Everything that moved, the largest first.
    pub fn moved(&self) -> Vec<Spot> {
        let mut spots: Vec<(Spot, f64)> = Vec::new();
        for (c, cell) in self.cells.iter().enumerate() {
            for (q, shift) in cell.shifts.iter().flatten().enumerate() {
                if shift.moved() {
                    spots.push(((c, q), shift.by.value.abs()));
                }
            }
        }
        spots.sort_by(|a, b| b.1.total_cmp(&a.1));
        spots.into_iter().map(|(spot, _)| spot).collect()
    }

    /// The shift at a spot that [`Diff::moved`] named.
    pub fn at(&self, (cell, quantity): Spot) -> Option<&Shift> {
        self.cells.get(cell)?.shifts.as_ref().ok()?.get(quantity)
    }

    /// How many cells moved, stayed, and were refused.
    pub fn count(&self) -> (usize, usize, usize) {
        let refused = self.cells.iter().filter(|c| c.shifts.is_err()).count();
        let moved = self.cells.iter().filter(|c| c.moved()).count();
        (moved, self.cells.len() - moved - refused, refused)
    }

    /// How many cells certainly moved.
    pub fn certain(&self) -> usize {
        let certain = |cell: &&DiffCell| cell.shifts.iter().flatten().any(Shift::certain);
        self.cells.iter().filter(certain).count()
    }
}

/// A cell asked of both editions.
type Both = (Reply<Distribution>, Reply<Distribution>);

/// Compares two editions of one procedure over a sweep. Without a quantity it is `success`, or where no
/// outcome favours a side every value of the headline variable.
///
/// # Errors
/// If a swept key or value is unknown, both editions refuse every cell, or the engine cannot answer.
pub fn diff(
    before: &Workbench<'_>,
    after: &Workbench<'_>,
    axes: Vec<Axis>,
    quantity: Option<Quantity>,
) -> Result<Diff, OddsError> {
    check_axes(&axes, &after.given)?;
    let cells = cells(&axes);
    for cell in &cells {
        after.settings(cell)?;
    }
    let answers: Result<Vec<Both>, OddsError> =
        parallel::try_map(&cells, |cell| Ok((before.ask(cell)?, after.ask(cell)?)));
    let answers = answers?;
    let mut methods = Methods::default();
    let answered = answers.iter().flat_map(|(a, b)| a.iter().chain(b));
    for odds in answered.clone() {
        methods.add(odds.source());
    }
    let quantities = match quantity {
        Some(quantity) => vec![quantity],
        None => match Quantity::usual(&after.procedure.variables) {
            Ok(success) => vec![success],
            Err(_) => headline(&answered.collect::<Vec<_>>()),
        },
    };
    let compared = cells.iter().zip(&answers).map(|(cell, (a, b))| {
        let settings = after.settings(cell)?;
        let place = cell
            .iter()
            .map(|(k, _)| (k.clone(), settings.get(k).clone()));
        Ok(DiffCell {
            place: place.collect(),
            shifts: shifts(a, b, &quantities),
        })
    });
    let compared: Result<Vec<DiffCell>, OddsError> = compared.collect();
    let compared = compared?;
    if let Some(Err(reason)) = compared.first().map(|cell| &cell.shifts)
        && compared.iter().all(|cell| cell.shifts.is_err())
    {
        return Err(RuleError::Other(format!("no cell can be compared: {reason}")).into());
    }
    let given = after.settings(&[])?;
    Ok(Diff {
        rules: after.loaded.id().into(),
        procedure: after.procedure.name.to_string(),
        given: given
            .given()
            .map(|(k, v)| (k.to_owned(), v.clone()))
            .collect(),
        before: before.loaded.variant_names(),
        after: after.loaded.variant_names(),
        about: about(after.loaded),
        changes: changes(after.loaded),
        reach: None,
        elsewhere: elsewhere(&answers, &quantities),
        cells: compared,
        quantities,
        axes,
        methods,
    })
}

/// The variables whose distribution moved in any cell, but for those that were asked about.
fn elsewhere(answers: &[Both], asked: &[Quantity]) -> Vec<String> {
    let pairs = || {
        let both = answers.iter();
        both.filter_map(|(a, b)| Some((a.as_ref().ok()?, b.as_ref().ok()?)))
    };
    let Some((first, _)) = pairs().next() else {
        return Vec::new();
    };
    let names = first.variables().iter().map(|v| v.name.clone());
    names
        .enumerate()
        .filter(|(_, name)| !asked.iter().any(|q| q.shows(name)))
        .filter(|&(at, _)| {
            pairs().any(|(a, b)| total_variation(&a.marginal_at(at), &b.marginal_at(at)) > NOTHING)
        })
        .map(|(_, name)| name)
        .collect()
}

fn shifts(
    before: &Reply<Distribution>,
    after: &Reply<Distribution>,
    quantities: &[Quantity],
) -> Reply<Vec<Shift>> {
    match (before, after) {
        (Ok(before), Ok(after)) => quantities
            .iter()
            .map(|quantity| {
                let (before, after) = (quantity.of(before), quantity.of(after));
                let missing = || format!("{quantity} is not reported");
                let (before, after) = (before.ok_or_else(missing)?, after.ok_or_else(missing)?);
                Ok(Shift {
                    before,
                    after,
                    by: after.minus(&before),
                })
            })
            .collect(),
        (Err(reason), Err(_)) => Err(format!("both refuse it: {reason}")),
        (Err(reason), Ok(_)) => Err(format!("refused before, allowed now: {reason}")),
        (Ok(_), Err(reason)) => Err(format!("allowed before, refused now: {reason}")),
    }
}

/// Every value of the headline variable that occurs anywhere, in natural order; the mean first if
/// it has one.
fn headline(all: &[&Distribution]) -> Vec<Quantity> {
    let Some(first) = all.first() else {
        return Vec::new();
    };
    let variable = &first.variables()[0];
    let mut found: Vec<(f64, String)> = Vec::new();
    for odds in all {
        for value in odds.marginal_at(0).values() {
            if value.p > 0.0 && !found.iter().any(|(_, label)| *label == value.label) {
                found.push((value.number, value.label.clone()));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = match variable.kind {
        VariableKind::Category(_) => None,
        _ => Some(Quantity::Mean(variable.name.clone())),
    };
    let values = found.into_iter().map(|(_, label)| Quantity::Value {
        variable: variable.name.clone(),
        label,
    });
    mean.into_iter().chain(values).collect()
}
