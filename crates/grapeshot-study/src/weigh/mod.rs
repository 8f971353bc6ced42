//! What carries the result: how much of what varies over a whole grid of settings is due to each of them.
//!
//! Every cell of the grid is answered, so there is no sampling error: the variance of a quantity over the grid is taken
//! apart into what each setting does alone, what pairs do beyond that, and what a setting has to do with at all. Where
//! the rules refuse cells, what is left is weighed as it is; settings are then no longer independent of each other,
//! and only the *share*, which deals out what settings do together evenly among them, still adds up to one.

mod grid;
mod over;

pub use grid::{Grid, Parts};
pub use over::over;

use crate::parallel;
use crate::workbench::{Methods, Workbench};
use grapeshot_engine::dist::{Estimate, Quantity};
use grapeshot_rules::{OddsError, RuleError, Settings, Value};
use serde::Serialize;

/// Cells that are answered at most.
const MOST_CELLS: usize = 200_000;

/// A setting whose values are weighed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weighed {
    /// The key.
    pub key: String,
    /// Its values.
    pub values: Vec<Value>,
    /// How often each is met; together one.
    pub weights: Vec<f64>,
}

/// How much of what varies is due to a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Carried {
    /// The key.
    pub key: String,
    /// What varies, dealt out: what settings do together is divided evenly among them. All shares are one together.
    pub share: f64,
    /// Known alone, it explains so much of the variance.
    pub alone: f64,
    /// So much of the variance is left when everything else is known.
    pub total: f64,
    /// The quantity at each value, averaged over everything else; nothing where all of it is refused.
    pub means: Vec<Option<f64>>,
}

/// Two settings, and what they do together beyond what each does alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coupled {
    /// The keys.
    pub keys: [String; 2],
    /// The share of the variance.
    pub share: f64,
}

/// Why cells were refused, and how many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusedCells {
    /// The reason.
    pub reason: String,
    /// How many.
    pub cells: usize,
}

/// What carries a result.
#[derive(Debug, Clone, Serialize)]
pub struct Weighing {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// The settings that stay.
    pub settings: Settings,
    /// What varies.
    #[serde(rename = "of")]
    pub quantity: Quantity,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// The settings that vary.
    pub over: Vec<Weighed>,
    /// Cells that were answered.
    pub cells: usize,
    /// Cells that the rules refuse, by reason.
    pub refused: Vec<RefusedCells>,
    /// The mean over the grid.
    pub mean: f64,
    /// The standard deviation over the grid.
    pub sd: f64,
    /// The least and the greatest.
    pub range: (f64, f64),
    /// The settings, the greatest share first.
    pub carried: Vec<Carried>,
    /// All pairs, the greatest first.
    pub pairs: Vec<Coupled>,
}

impl Weighing {
    /// The chance, or number, at the mean.
    pub fn middle(&self) -> Estimate {
        Estimate::exact(self.mean)
    }

    /// How many cells the rules refuse.
    pub fn refusals(&self) -> usize {
        self.refused.iter().map(|refused| refused.cells).sum()
    }

    /// Whether anything varies at all.
    pub fn varies(&self) -> bool {
        self.sd > 0.0
    }
}

/// Weighs settings.
///
/// # Errors
/// If there are too many cells, the rules refuse all of them, or the engine cannot answer.
pub fn weigh(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    over: Vec<Weighed>,
) -> Result<Weighing, OddsError> {
    let sizes: Vec<usize> = over.iter().map(|one| one.values.len()).collect();
    let count = sizes
        .iter()
        .try_fold(1usize, |all, &n| all.checked_mul(n))
        .filter(|&all| all <= MOST_CELLS);
    let Some(count) = count else {
        let all: f64 = sizes.iter().map(|&n| n as f64).product();
        let keys: Vec<String> = over.iter().map(|one| one.key.clone()).collect();
        let problem = format!(
            "has {all:.0} cells; allowed are {MOST_CELLS}: leave out a key, or name fewer of its values (key=from..to/step)"
        );
        return Err(RuleError::argument("over", keys.join(","), problem).into());
    };
    let mut grid = Grid::new(over.iter().map(|one| one.weights.clone()).collect());
    let places: Vec<usize> = (0..count).collect();
    let found = parallel::try_map(&places, |&at| {
        let place = grid.place(at).into_iter().zip(&over);
        let changed: Vec<(String, Value)> = place
            .map(|(digit, one)| (one.key.clone(), one.values[digit].clone()))
            .collect();
        workbench.number(quantity, &changed)
    })?;
    let mut methods = Methods::default();
    let mut refused: Vec<RefusedCells> = Vec::new();
    let mut values = Vec::with_capacity(count);
    for reply in found {
        values.push(match reply {
            Ok((estimate, source)) => {
                methods.add(source);
                Some(estimate.value)
            }
            Err(reason) => {
                match refused.iter_mut().find(|known| known.reason == reason) {
                    Some(known) => known.cells += 1,
                    None => refused.push(RefusedCells { reason, cells: 1 }),
                }
                None
            }
        });
    }
    if let (true, Some(first)) = (values.iter().all(Option::is_none), refused.first()) {
        let problem = format!("the rules refuse every cell: {}", first.reason);
        return Err(RuleError::Other(problem).into());
    }
    refused.sort_by_key(|refused| std::cmp::Reverse(refused.cells));
    grid.fill(values);
    let parts = grid.parts();
    let mut carried: Vec<Carried> = over
        .iter()
        .enumerate()
        .map(|(at, one)| Carried {
            key: one.key.clone(),
            share: parts.shares[at],
            alone: parts.alone[at],
            total: parts.total[at],
            means: grid.means(at),
        })
        .collect();
    carried.sort_by(|a, b| b.share.total_cmp(&a.share));
    let mut pairs: Vec<Coupled> = parts
        .pairs
        .iter()
        .map(|&(a, b, share)| Coupled {
            keys: [over[a].key.clone(), over[b].key.clone()],
            share,
        })
        .collect();
    pairs.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
    Ok(Weighing {
        rules: workbench.loaded.id().into(),
        procedure: workbench.procedure.name.to_string(),
        variants: workbench.loaded.variant_names(),
        settings: workbench.settings(&[])?,
        quantity: quantity.clone(),
        methods,
        cells: count - refused.iter().map(|refused| refused.cells).sum::<usize>(),
        refused,
        mean: parts.mean,
        sd: parts.variance.sqrt(),
        range: grid.range(),
        carried,
        pairs,
        over,
    })
}
