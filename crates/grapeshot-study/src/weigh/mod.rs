//! What carries the result: how much of what varies over a whole grid is due to each setting, or each printed number.
//!
//! Every cell of the grid is answered, so there is no sampling error: the variance of a quantity over the grid is taken
//! apart into what each does alone, what pairs do beyond that, and what each has to do with at all. Where the rules refuse
//! cells, what is left is weighed as it is; settings are then no longer independent of each other, and only the *share*,
//! which deals out what they do together evenly among them, still adds up to one. A grid of more cells than may be answered
//! is sampled, and every number has its interval.

mod factor;
mod grid;
mod over;
mod sampled;

pub use factor::{LeftOut, Weighed};
pub use grid::{Grid, Parts};

pub use sampled::Sampling;

use crate::parallel;
use crate::workbench::{Methods, Workbench};
use grapeshot_engine::dist::{Estimate, Quantity};
use grapeshot_rules::{OddsError, RuleError, Settings};
use over::{over, usual_over};
use serde::Serialize;

/// Cells that are answered at most, unless told otherwise: some seconds of charges.
pub const MOST_CELLS: usize = 20_000;
/// The same of what is played out, of which each takes a moment.
pub const MOST_PLAYED_OUT: usize = 500;

/// How much of what varies is due to a setting or a number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Carried {
    /// The key, or the place of the number.
    pub key: String,
    /// What varies, dealt out: what several do together is divided evenly among them. All shares are one together.
    pub share: Estimate,
    /// Known alone, it explains so much of the variance.
    pub alone: Estimate,
    /// So much of the variance is left when everything else is known.
    pub total: Estimate,
    /// The quantity at each value, averaged over everything else; nothing where all of it is refused.
    pub means: Vec<Option<Estimate>>,
}

/// Two of them, and what they do together beyond what each does alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coupled {
    /// The keys.
    pub keys: [String; 2],
    /// The share of the variance.
    pub share: Estimate,
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
    /// What varies.
    pub over: Vec<Weighed>,
    /// Printed numbers that were named and do not vary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// Cells of the whole grid.
    #[serde(skip)]
    pub all: f64,
    /// How the grid was sampled; nothing where all of it was asked.
    pub sampled: Option<Sampling>,
    /// Cells that were answered.
    pub cells: usize,
    /// Cells that the rules refuse, by reason.
    pub refused: Vec<RefusedCells>,
    /// The mean over the grid.
    pub mean: Estimate,
    /// The standard deviation over the grid.
    pub sd: f64,
    /// The least and the greatest.
    pub range: (f64, f64),
    /// What varies, the greatest share first.
    pub carried: Vec<Carried>,
    /// All pairs, the greatest first.
    pub pairs: Vec<Coupled>,
}

impl Weighing {
    /// How many cells the rules refuse.
    pub fn refusals(&self) -> usize {
        self.refused.iter().map(|refused| refused.cells).sum()
    }

    /// Whether anything varies at all.
    pub fn varies(&self) -> bool {
        self.sd > 0.0
    }
}

/// What to weigh, as it is typed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WeighAsked {
    /// Settings, each with all its values or some of them, and how often each is met.
    pub over: Vec<String>,
    /// Printed numbers.
    pub cells: Vec<String>,
    /// How far each of those is varied; one if it is not said.
    pub by: Option<i64>,
    /// What is carried; success if it is not said.
    pub of: Option<String>,
    /// Cells that are answered at most.
    pub most_cells: Option<usize>,
}

impl WeighAsked {
    /// Whether what is typed makes sense, as far as that can be told without asking.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, workbench: &Workbench<'_>) -> Result<(), RuleError> {
        workbench.quantity(self.of.as_deref())?;
        over(workbench, &self.over)?;
        for pattern in &self.cells {
            let pattern = pattern.split('=').next().unwrap_or_default();
            workbench.loaded.tables.cells_named(&[pattern.into()])?;
        }
        Ok(())
    }

    /// Weighs it. Where nothing is named to vary, it is what moves the quantity most.
    ///
    /// # Errors
    /// If what is typed makes no sense, or as [`weigh`].
    pub fn answer(&self, workbench: &Workbench<'_>) -> Result<Weighing, OddsError> {
        let quantity = workbench.quantity(self.of.as_deref())?;
        let mut varied = match self.over.is_empty() && self.cells.is_empty() {
            true => usual_over(workbench, &quantity)?,
            false => over(workbench, &self.over)?,
        };
        let (numbers, left_out) = factor::cells(
            workbench,
            &quantity,
            &self.cells,
            self.by.unwrap_or(1),
            &varied,
        )?;
        varied.extend(numbers);
        let usual = match workbench.procedure.is_played_out() {
            true => MOST_PLAYED_OUT,
            false => MOST_CELLS,
        };
        let most = self.most_cells.unwrap_or(usual);
        let found = weigh(workbench, &quantity, varied, most)?;
        Ok(Weighing {
            left_out: (!self.cells.is_empty()).then_some(left_out),
            ..found
        })
    }
}

/// Weighs settings and printed numbers, answering so many cells at most.
///
/// # Errors
/// If there are too many to sample, the rules refuse all cells, or the engine cannot answer.
pub fn weigh(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    over: Vec<Weighed>,
    most_cells: usize,
) -> Result<Weighing, OddsError> {
    let all: f64 = over.iter().map(|one| one.values.len() as f64).product();
    let weights: Vec<Vec<f64>> = over.iter().map(|one| one.weights.clone()).collect();
    let design = match all <= most_cells as f64 && over.len() <= grid::MOST_AXES {
        true => None,
        false => Some(sample(workbench, &weights, most_cells)?),
    };
    let whole = Grid::new(weights);
    let places: Vec<Vec<usize>> = match &design {
        Some(design) => design.places.clone(),
        None => (0..all as usize).map(|at| whole.place(at)).collect(),
    };
    let asked = Asked::of(workbench, quantity, &over, &places)?;
    let parts = match &design {
        Some(design) => Told::sampled(design, &asked.values),
        None => Told::whole(whole, asked.values.clone()),
    };
    let keys = || over.iter().map(|one| one.key.clone());
    let mut carried: Vec<Carried> = (keys().enumerate())
        .map(|(at, key)| Carried {
            key,
            share: parts.shares[at],
            alone: parts.alone[at],
            total: parts.total[at],
            means: parts.means[at].clone(),
        })
        .collect();
    carried.sort_by(|a, b| b.share.value.total_cmp(&a.share.value));
    let mut pairs: Vec<Coupled> = (parts.pairs.iter())
        .map(|&(a, b, share)| Coupled {
            keys: [over[a].key.clone(), over[b].key.clone()],
            share,
        })
        .collect();
    pairs.sort_by(|a, b| b.share.value.abs().total_cmp(&a.share.value.abs()));
    Ok(Weighing {
        rules: workbench.loaded.id().into(),
        procedure: workbench.procedure.name.to_string(),
        variants: workbench.loaded.variant_names(),
        settings: workbench.settings(&[])?,
        quantity: quantity.clone(),
        methods: asked.methods,
        cells: asked.values.iter().flatten().count(),
        all,
        sampled: design.map(|design| design.sampling),
        refused: asked.refused,
        mean: parts.mean,
        sd: parts.variance.sqrt(),
        range: asked.range,
        carried,
        pairs,
        over,
        left_out: None,
    })
}

fn sample(
    workbench: &Workbench<'_>,
    weights: &[Vec<f64>],
    most_cells: usize,
) -> Result<sampled::Design, RuleError> {
    if weights.len() > sampled::MOST_AXES {
        let problem = format!(
            "{} things vary; allowed are {}: name fewer",
            weights.len(),
            sampled::MOST_AXES
        );
        return Err(RuleError::Other(problem));
    }
    let design = sampled::Design::new(weights, most_cells, workbench.options.seed);
    design.ok_or_else(|| {
        let problem = format!(
            "is too few to sample {} things that vary: name fewer, or allow more",
            weights.len()
        );
        RuleError::argument("max-cells", most_cells, problem)
    })
}

/// What the cells came to.
struct Asked {
    values: Vec<Option<f64>>,
    methods: Methods,
    refused: Vec<RefusedCells>,
    range: (f64, f64),
}

impl Asked {
    fn of(
        workbench: &Workbench<'_>,
        quantity: &Quantity,
        over: &[Weighed],
        places: &[Vec<usize>],
    ) -> Result<Self, OddsError> {
        let found = parallel::try_map(places, |place| {
            factor::ask(workbench, quantity, over, place)
        })?;
        let mut asked = Asked {
            values: Vec::with_capacity(places.len()),
            methods: Methods::default(),
            refused: Vec::new(),
            range: (f64::INFINITY, f64::NEG_INFINITY),
        };
        for reply in found {
            let value = match reply {
                Ok((estimate, source)) => {
                    asked.methods.add(source);
                    let (low, high) = asked.range;
                    asked.range = (low.min(estimate.value), high.max(estimate.value));
                    Some(estimate.value)
                }
                Err(reason) => {
                    match asked
                        .refused
                        .iter_mut()
                        .find(|known| known.reason == reason)
                    {
                        Some(known) => known.cells += 1,
                        None => asked.refused.push(RefusedCells { reason, cells: 1 }),
                    }
                    None
                }
            };
            asked.values.push(value);
        }
        if let (true, Some(first)) = (asked.methods == Methods::default(), asked.refused.first()) {
            let problem = format!("the rules refuse every cell: {}", first.reason);
            return Err(RuleError::Other(problem).into());
        }
        asked
            .refused
            .sort_by_key(|refused| std::cmp::Reverse(refused.cells));
        Ok(asked)
    }
}

/// The parts of a variance, however they were found.
struct Told {
    mean: Estimate,
    variance: f64,
    shares: Vec<Estimate>,
    alone: Vec<Estimate>,
    total: Vec<Estimate>,
    pairs: Vec<(usize, usize, Estimate)>,
    means: Vec<Vec<Option<Estimate>>>,
}

impl Told {
    fn whole(mut grid: Grid, values: Vec<Option<f64>>) -> Self {
        grid.fill(values);
        let parts = grid.parts();
        let exact = |all: Vec<f64>| all.into_iter().map(Estimate::exact).collect::<Vec<_>>();
        let at_values = |axis| {
            let means = grid.means(axis).into_iter();
            means.map(|mean| mean.map(Estimate::exact)).collect()
        };
        Told {
            mean: Estimate::exact(parts.mean),
            variance: parts.variance,
            means: (0..parts.shares.len()).map(at_values).collect(),
            shares: exact(parts.shares),
            alone: exact(parts.alone),
            total: exact(parts.total),
            pairs: (parts.pairs.into_iter())
                .map(|(a, b, share)| (a, b, Estimate::exact(share)))
                .collect(),
        }
    }

    fn sampled(design: &sampled::Design, values: &[Option<f64>]) -> Self {
        let parts = design.parts(values);
        Told {
            mean: parts.mean,
            variance: parts.variance.value,
            shares: parts.shares,
            alone: parts.alone,
            total: parts.total,
            pairs: parts.pairs,
            means: parts.means,
        }
    }
}
