//! One roll for a whole procedure: the printable chart that is nearest to the true odds.
//!
//! Every cell of a chart has so many faces of the die for each end. How far it is from the truth is the total variation:
//! the most by which any chance that is read off it is wrong. For a cell by itself no chart is nearer than that of the
//! largest remainders. Where that would turn an order of neighbouring lines round, the nearest chart that keeps every order
//! is found as a linear programme, whose corners are whole faces.

mod edge;
mod faces;
mod modified;
mod text;

pub use modified::Modified;

use crate::parallel;
use crate::workbench::{Methods, Reply, Workbench};
use edge::edges;
use grapeshot_engine::dist::{Distribution, Favour, STAGE, Variable, VariableKind};
use grapeshot_engine::plain;
use grapeshot_rules::{Given, OddsError, RuleError, Value};
use serde::Serialize;

/// Dice that people have; a chart for any other is made when it is asked for.
pub const DICE: [u32; 8] = [4, 6, 8, 10, 12, 20, 30, 100];
/// Faces of a die, at most.
pub const MOST_FACES: u32 = 1000;
/// Ends that a chart can have.
const MOST_ENDS: usize = 12;
/// Cells of a chart, at most.
const MOST_CELLS: usize = 400;
/// Modifiers in place of columns are looked for with dice of no more faces.
const MODIFIED: u32 = 100;

/// How a die is said.
pub const A_DIE: &str = "a die of 2 to 1000 faces, such as d100";

/// The faces of a die as it is said: `d20`.
pub fn faces(text: &str) -> Option<u32> {
    let faces = text.strip_prefix(['d', 'D'])?.parse().ok()?;
    (2..=MOST_FACES).contains(&faces).then_some(faces)
}

/// What to condense, as it is typed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CondenseAsked {
    /// Faces of the die; a hundred if it is not said.
    pub die: Option<u32>,
    /// What stands down the side.
    pub rows: Option<String>,
    /// What stands along the top.
    pub columns: Option<String>,
    /// The variable whose ends are rolled; the headline if it is not said.
    pub of: Option<String>,
    /// The most by which any chance may be wrong: the smallest die that people have is taken that keeps it.
    pub error: Option<f64>,
    /// Whether neighbouring lines may change their order.
    pub free: bool,
    /// Whether the columns become modifiers of the roll.
    pub modifiers: bool,
}

impl CondenseAsked {
    /// Whether what is typed makes sense, as far as that can be told without asking.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, workbench: &Workbench<'_>) -> Result<(), RuleError> {
        edges(workbench, self.rows.as_deref(), self.columns.as_deref())?;
        variable(workbench, self.of.as_deref()).map(drop)
    }
}

/// How far a chart is from the truth: the most by which any chance read off it is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Error {
    /// In the worst cell.
    pub worst: f64,
    /// On average over the cells.
    pub mean: f64,
}

impl Error {
    fn of(each: impl IntoIterator<Item = f64>) -> Self {
        let (mut worst, mut sum, mut count) = (0.0f64, 0.0, 0u32);
        for one in each {
            worst = worst.max(one);
            sum += one;
            count += 1;
        }
        Error {
            worst,
            mean: sum / f64::from(count.max(1)),
        }
    }
}

/// A line of a chart: a key, and its values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChartEdge {
    /// The key.
    pub key: String,
    /// Its values.
    pub values: Vec<Value>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChartCell {
    /// The true chance of each end.
    pub truth: Vec<f64>,
    /// How many faces come to it.
    pub faces: Vec<u32>,
    /// The most by which any chance is wrong.
    pub error: f64,
}

/// A die that people have, and how far its chart is from the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    /// Its faces.
    pub die: u32,
    /// How far.
    #[serde(flatten)]
    pub error: Error,
}

/// A procedure condensed into one roll.
#[derive(Debug, Clone, Serialize)]
pub struct Condensed {
    /// The ruleset.
    pub rules: String,
    /// What it is printed as.
    #[serde(skip)]
    pub title: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// What was given, beside the edges.
    #[serde(serialize_with = "plain::pairs")]
    pub given: Given,
    /// The variable whose ends are rolled.
    pub of: String,
    /// Its ends, those that favour the side that acts first; a low roll is the first of them.
    pub ends: Vec<String>,
    /// Whom each favours, where anybody is favoured.
    #[serde(skip)]
    pub favours: Vec<Favour>,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// Faces of the die.
    pub die: u32,
    /// What stands down the side.
    pub rows: ChartEdge,
    /// What stands along the top.
    pub columns: ChartEdge,
    /// Row by row, or why the rules refuse.
    #[serde(serialize_with = "lines")]
    pub cells: Vec<Vec<Reply<ChartCell>>>,
    /// How far the chart is from the truth.
    pub error: Error,
    /// How far the chart with a column for each is.
    #[serde(skip)]
    pub by_columns: Error,
    /// Cells that the order of their neighbours has moved away from the largest remainders.
    pub kept_in_order: usize,
    /// One column and a modifier for each of the others; nothing where the die has too many faces or rows refuse cells.
    pub modified: Option<Modified>,
    /// Whether that is the chart.
    pub by_modifiers: bool,
    /// What the chart would come to with each die that people have.
    pub dice: Vec<Tried>,
    /// What was wanted of the error.
    pub wanted: Option<f64>,
    /// The chart as rules: a text that can be asked, compared and audited.
    #[serde(skip)]
    pub text: String,
}

fn lines<S: serde::Serializer>(cells: &[Vec<Reply<ChartCell>>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(cells.iter().map(|line| {
        let told = line.iter().map(|cell| cell.as_ref().ok());
        told.collect::<Vec<_>>()
    }))
}

/// Half the sum of the differences.
fn apart(truth: &[f64], faces: &[u32], die: u32) -> f64 {
    let each = truth.iter().zip(faces);
    let each = each.map(|(p, &faces)| (p - f64::from(faces) / f64::from(die)).abs());
    each.sum::<f64>() / 2.0
}

/// Condenses a procedure.
///
/// # Errors
/// If an edge, the variable, the die or the error cannot be, the rules refuse every cell, no die keeps the error, or the
/// engine cannot answer.
pub fn condense(workbench: &Workbench<'_>, asked: &CondenseAsked) -> Result<Condensed, OddsError> {
    let die = asked.die.unwrap_or(100);
    if !(2..=MOST_FACES).contains(&die) {
        let problem = format!("allowed is {A_DIE}");
        return Err(RuleError::argument("die", format!("d{die}"), problem).into());
    }
    let [rows, columns] = edges(workbench, asked.rows.as_deref(), asked.columns.as_deref())?;
    let count = rows.values.len() * columns.values.len();
    if count > MOST_CELLS {
        let problem = format!("the chart has {count} cells; allowed are {MOST_CELLS}: name fewer");
        return Err(RuleError::Other(problem).into());
    }
    let variable = variable(workbench, asked.of.as_deref())?;
    let places: Vec<(&Value, &Value)> = (rows.values.iter())
        .flat_map(|row| columns.values.iter().map(move |column| (row, column)))
        .collect();
    let found = parallel::try_map(&places, |&(row, column)| {
        workbench.ask(&[
            (rows.key.clone(), row.clone()),
            (columns.key.clone(), column.clone()),
        ])
    })?;
    let mut methods = Methods::default();
    found
        .iter()
        .flatten()
        .for_each(|odds| methods.add(odds.source()));
    if let (None, Some(Err(reason))) = (found.iter().flatten().next(), found.first()) {
        let problem = format!("the rules refuse every cell of the chart: {reason}");
        return Err(RuleError::Other(problem).into());
    }
    let ends = ends(&variable, &found)?;
    let truth: Vec<Reply<Vec<f64>>> = (found.iter())
        .map(|odds| match odds {
            Err(reason) => Err(reason.clone()),
            Ok(odds) => {
                let of = ends.iter().map(|end| odds.p(&variable.name, end));
                Ok(of.collect())
            }
        })
        .collect();
    let grid = faces::Truth {
        rows: rows.values.len(),
        columns: columns.values.len(),
        cells: truth
            .iter()
            .map(|cell| cell.as_ref().ok().cloned())
            .collect(),
    };
    let tried = |die: u32| grid.chart(die, !asked.free).map_err(RuleError::Other);
    let mut dice = Vec::new();
    let mut chosen = None;
    for one in DICE {
        let (chart, _) = tried(one)?;
        let error = grid.error(&chart, one);
        if asked.error.is_some_and(|wanted| error.worst <= wanted) && chosen.is_none() {
            chosen = Some(one);
        }
        dice.push(Tried { die: one, error });
    }
    let die = match (asked.error, chosen, asked.die) {
        (Some(wanted), None, None) => {
            let best = dice.iter().map(|one| one.error.worst).fold(1.0, f64::min);
            let problem = format!(
                "no die that people have keeps it: with d100 the worst cell is {:.2} % off",
                100.0 * best
            );
            return Err(RuleError::argument("error", wanted, problem).into());
        }
        (Some(_), Some(die), None) => die,
        _ => die,
    };
    let (chart, moved) = tried(die)?;
    let error = grid.error(&chart, die);
    let modified = match die <= MODIFIED {
        true => Modified::find(&grid, die),
        false => None,
    };
    if asked.modifiers && modified.is_none() {
        let problem = match die <= MODIFIED {
            true => "the rules refuse cells of the chart, and a modifier cannot: name other rows or columns".into(),
            false => format!("modifiers are looked for with dice of up to {MODIFIED} faces"),
        };
        return Err(RuleError::Other(problem).into());
    }
    let cells: Vec<Reply<ChartCell>> = (truth.into_iter().enumerate())
        .map(|(at, truth)| {
            let truth = truth?;
            let faces = match (&modified, asked.modifiers) {
                (Some(modified), true) => modified.faces(at / grid.columns, at % grid.columns, die),
                _ => chart[at].clone().unwrap_or_default(),
            };
            Ok(ChartCell {
                error: apart(&truth, &faces, die),
                truth,
                faces,
            })
        })
        .collect();
    let mut condensed = Condensed {
        rules: workbench.loaded.id().into(),
        title: workbench.loaded.ruleset.title.to_string(),
        procedure: workbench.procedure.name.to_string(),
        variants: workbench.loaded.variant_names(),
        given: workbench.said()?,
        favours: (ends.iter())
            .filter_map(|end| variable.standing(end).map(|(favour, ..)| favour))
            .collect(),
        of: variable.name.clone(),
        ends,
        methods,
        die,
        cells: cells.chunks(grid.columns).map(<[_]>::to_vec).collect(),
        rows,
        columns,
        error: match (&modified, asked.modifiers) {
            (Some(modified), true) => modified.error,
            _ => error,
        },
        by_columns: error,
        kept_in_order: moved,
        modified,
        by_modifiers: asked.modifiers,
        dice,
        wanted: asked.error,
        text: String::new(),
    };
    condensed.text = text::rules(&condensed, workbench, &variable)?;
    Ok(condensed)
}

/// The variable whose ends are rolled.
fn variable(workbench: &Workbench<'_>, of: Option<&str>) -> Result<Variable, RuleError> {
    let variables = &workbench.procedure.variables;
    let found = match of {
        None => variables.first(),
        Some(name) => variables.iter().find(|variable| variable.name == name),
    };
    match found {
        Some(variable) if !matches!(variable.kind, VariableKind::Number(_)) => Ok(variable.clone()),
        Some(variable) => {
            let problem = "is measured, not counted: its ends cannot stand in a chart";
            Err(RuleError::argument("of", &variable.name, problem))
        }
        None => {
            let known = variables.iter().map(|variable| &variable.name);
            let known = known.filter(|name| *name != STAGE);
            Err(RuleError::unknown(
                "variable",
                of.unwrap_or_default(),
                known,
            ))
        }
    }
}

/// The ends that come, those that favour the side that acts first.
fn ends(variable: &Variable, found: &[Reply<Distribution>]) -> Result<Vec<String>, RuleError> {
    let mut met: Vec<(f64, String)> = Vec::new();
    for odds in found.iter().flatten() {
        let Some(marginal) = odds.marginal(&variable.name) else {
            continue;
        };
        for value in marginal.values().iter().filter(|value| value.p > 0.0) {
            if !met.iter().any(|(_, label)| *label == value.label) {
                met.push((value.number, value.label.clone()));
            }
        }
    }
    let favour = |label: &String| variable.standing(label).map(|(favour, ..)| favour);
    met.sort_by(|a, b| favour(&a.1).cmp(&favour(&b.1)).then(a.0.total_cmp(&b.0)));
    match met.len() {
        0..=MOST_ENDS => Ok(met.into_iter().map(|(_, label)| label).collect()),
        many => Err(RuleError::Other(format!(
            "{} ends in {many} ways, and a chart has room for {MOST_ENDS}: name another with --of",
            variable.name
        ))),
    }
}
