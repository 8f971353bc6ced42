//! What a house rule changes: the same cells asked of two editions of a ruleset.
//!
//! Before is what is printed (or another variant), after is the variant. Where both are solved a
//! change is certain; where they are simulated both sides use the same dice, so cells the variant
//! does not touch come out exactly equal and say so.

mod reach;
mod whole;

pub use reach::{Reach, Used};
pub use whole::{Still, WholeDiff, diff_all, diff_where_it_matters};

use super::workbench::{Methods, Reply, Workbench};
use crate::parallel;
use grapeshot_engine::dist::total_variation;
use grapeshot_engine::dist::{Distribution, Estimate, Quantity, VariableKind};
use grapeshot_engine::{object, plain};
use grapeshot_rules::sweep::{Axis, cells, check_axes};
use grapeshot_rules::{LoadedRuleset, OddsError, RuleError, TableChange, Value};
use serde::{Serialize, Serializer};

/// Changes smaller than this are rounding, not rules.
const NOTHING: f64 = 1e-12;

/// A quantity before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shift {
    /// The quantity.
    pub of: Quantity,
    /// Before.
    pub before: Estimate,
    /// After.
    pub after: Estimate,
    /// After less before.
    #[serde(rename = "change")]
    pub by: Estimate,
    /// Whether it moved at all.
    pub moved: bool,
    /// Whether it certainly moved: solved, or further than its interval.
    pub certain: bool,
}

impl Shift {
    fn new(of: &Quantity, before: Estimate, after: Estimate) -> Self {
        let by = after.minus(&before);
        let moved = by.value.abs() > NOTHING;
        Shift {
            of: of.clone(),
            before,
            after,
            by,
            moved,
            certain: moved && by.excludes(0.0),
        }
    }
}

/// One cell of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiffCell {
    /// The swept keys and their values.
    #[serde(serialize_with = "plain::pairs")]
    pub place: Vec<(String, Value)>,
    /// Whether anything moved.
    pub moved: bool,
    /// One shift for each quantity, or which edition refuses the cell and why.
    #[serde(flatten, serialize_with = "or_not_compared")]
    pub shifts: Reply<Vec<Shift>>,
}

fn or_not_compared<S: Serializer>(shifts: &Reply<Vec<Shift>>, to: S) -> Result<S::Ok, S::Error> {
    match shifts {
        Ok(shifts) => object!(to; "shifts": shifts),
        Err(reason) => object!(to; "not_compared": reason),
    }
}

/// A cell and a quantity, by their positions.
pub type Spot = (usize, usize);

/// What changes between two editions.
#[derive(Debug, Clone, Serialize)]
pub struct Diff {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// What was given, beside the sweep.
    #[serde(serialize_with = "plain::pairs")]
    pub given: Vec<(String, Value)>,
    /// The edition before: names of its variants, none for what is printed.
    pub before: Vec<String>,
    /// The edition after.
    pub after: Vec<String>,
    /// What the later edition's variants say of themselves.
    pub about: Vec<String>,
    /// What the later edition's variants change in print, and what they add.
    pub changes: Vec<TableChange>,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// What was asked.
    #[serde(skip)]
    pub quantities: Vec<Quantity>,
    /// The axes of the sweep.
    #[serde(skip)]
    pub axes: Vec<Axis>,
    /// How many cells moved.
    #[serde(flatten)]
    pub counts: Counts,
    /// Variables that moved somewhere and are not among the quantities.
    pub elsewhere: Vec<String>,
    /// The cells in the order of the sweep.
    pub cells: Vec<DiffCell>,
    /// Where the change is seen, if that was looked for.
    #[serde(skip)]
    pub reach: Option<Reach>,
}

/// How many cells there are of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Those in which something moved.
    pub moved: usize,
    /// Those in which nothing did.
    pub unchanged: usize,
    /// Those that an edition refuses.
    pub not_compared: usize,
    /// Those in which something certainly moved.
    pub certain: usize,
}

impl Counts {
    fn of(cells: &[DiffCell]) -> Self {
        let not_compared = cells.iter().filter(|c| c.shifts.is_err()).count();
        let moved = cells.iter().filter(|c| c.moved).count();
        let certain = |cell: &&DiffCell| cell.shifts.iter().flatten().any(|s| s.certain);
        Counts {
            moved,
            unchanged: cells.len() - moved - not_compared,
            not_compared,
            certain: cells.iter().filter(certain).count(),
        }
    }
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
                if shift.moved {
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
        let shifts = shifts(a, b, &quantities);
        Ok(DiffCell {
            place: place.collect(),
            moved: shifts.iter().flatten().any(|shift| shift.moved),
            shifts,
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
        counts: Counts::of(&compared),
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
                Ok(Shift::new(quantity, before, after))
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
