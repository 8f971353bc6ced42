//! Pivoted odds, as a rule book prints them: one number for every row and column, or for every row how it ends.
//!
//! Numbers are rounded here, from the exact ones, because rounding is part of what is found: where the cells of
//! a line are all the ways a thing can end, the printed numbers add up to 100 as the exact ones do.

mod edge;

pub use edge::PivotAsked;
pub(crate) use edge::axis;
#[cfg(feature = "field")]
pub(crate) use edge::two_keys;

use super::workbench::{Methods, Reply, Workbench};
use crate::parallel;
use edge::Edge;
use grapeshot_engine::dist::{Distribution, Estimate, Quantity, Source};
use grapeshot_engine::stats::fixed;
use grapeshot_engine::{object, plain};
use grapeshot_rules::{OddsError, RuleError, Value};
use serde::{Serialize, Serializer};

/// What stands along an edge.
#[derive(Debug, Clone, PartialEq)]
pub enum Heading {
    /// A key and its values.
    Key(String, Vec<Value>),
    /// A variable and its ends, of which those that never come are left out.
    Ends(String, Vec<End>),
}

impl Heading {
    /// The key or the variable.
    pub fn name(&self) -> &str {
        match self {
            Heading::Key(name, _) | Heading::Ends(name, _) => name,
        }
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        match self {
            Heading::Key(_, values) => values.len(),
            Heading::Ends(_, ends) => ends.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Serialize for Heading {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Heading::Key(name, values) => object!(to; "name": name, "values": values),
            Heading::Ends(name, ends) => object!(to; "name": name, "values": ends),
        }
    }
}

impl Serialize for End {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.or_more {
            true => to.collect_str(&format_args!(">={}", self.label)),
            false => to.serialize_str(&self.label),
        }
    }
}

/// A value of a variable, or it and all above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The value, as it is written.
    pub label: String,
    /// Whether larger ones count too.
    pub or_more: bool,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub struct PivotCell {
    /// The number; a probability as a share.
    pub exact: Estimate,
    /// The same rounded; a probability in per cent.
    pub rounded: f64,
    /// The same as it is printed, with a point. What is not quite nothing or everything is not printed as if
    /// it were.
    pub printed: String,
}

impl PivotCell {
    /// A number that is rounded to so many units of the last decimal.
    fn new(exact: Estimate, units: i64, percent: bool, decimals: u32) -> Self {
        let (places, unit) = (decimals as usize, 10i64.pow(decimals));
        let plain = |units: i64| {
            let whole = format!("{}{}", if units < 0 { "−" } else { "" }, units.abs() / unit);
            match places {
                0 => whole,
                _ => format!("{whole}.{:0places$}", units.abs() % unit),
            }
        };
        let p = exact.value;
        PivotCell {
            exact,
            rounded: units as f64 / 10f64.powi(decimals as i32),
            printed: match (percent, units) {
                (true, 0) if p > 0.0 => format!("<{}", plain(1)),
                (true, all) if all == 100 * unit && p < 1.0 - 1e-12 => {
                    format!(">{}", plain(all - 1))
                }
                (_, units) => plain(units),
            },
        }
    }
}

fn lines<S: Serializer>(cells: &[Line], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(
        cells
            .iter()
            .map(|line| line.iter().map(Told).collect::<Vec<_>>()),
    )
}

/// A cell with all that is known of it; where it is refused, the reason and no number.
struct Told<'a>(&'a Reply<PivotCell>);

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let cell = self.0.as_ref().ok();
        object!(to;
            "value": cell.map(|cell| cell.exact.value),
            "low": cell.map(|cell| cell.exact.low),
            "high": cell.map(|cell| cell.exact.high),
            "printed": cell.map(|cell| &cell.printed),
            "refused": self.0.as_ref().err(),
        )
    }
}

/// The cells of a row, or why the rules refuse them.
pub(super) type Line = Vec<Reply<PivotCell>>;

/// A pivoted table of odds.
#[derive(Debug, Clone, Serialize)]
pub struct Pivot {
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
    pub given: Vec<(String, Value)>,
    /// The quantity; nothing where the ends of a variable are shown.
    pub of: Option<Quantity>,
    /// What the cells are: `per cent`, or nothing for numbers.
    pub unit: &'static str,
    /// What it shows, in the words of whoever prints it.
    pub caption: String,
    /// What the rows are.
    pub rows: Heading,
    /// What the columns are.
    pub columns: Heading,
    /// Row by row, or why the rules refuse.
    #[serde(serialize_with = "lines")]
    pub cells: Vec<Line>,
    /// Decimals that are printed.
    #[serde(skip)]
    pub decimals: u32,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
}

/// Ends of a number that have a line of their own; all larger ones share the last.
const MOST_ENDS: usize = 9;

/// Decimals of a probability in per cent, and of another number.
const DECIMALS: (u32, u32) = (1, 2);

impl Pivot {
    /// Whether the cells are probabilities, printed in per cent.
    pub fn is_percent(&self) -> bool {
        !self.unit.is_empty()
    }

    /// The widest 95 % half-width of a cell; nought if all are exact.
    pub fn widest(&self) -> f64 {
        let cells = self.cells.iter().flatten().flatten();
        cells
            .map(|cell| cell.exact.half_width())
            .fold(0.0, f64::max)
    }

    /// Whether the ends of every line add up to a hundred as they are printed, each rounded by itself.
    pub fn adds_up(&self) -> bool {
        let whole = |cells: &mut dyn Iterator<Item = &Reply<PivotCell>>| {
            let known: Vec<f64> = cells.flatten().map(|cell| cell.rounded).collect();
            known.is_empty() || (known.iter().sum::<f64>() - 100.0).abs() < 1e-6
        };
        let across = self.cells.first().map_or(0, Vec::len);
        match (&self.rows, &self.columns) {
            (_, Heading::Ends(..)) => self.cells.iter().all(|line| whole(&mut line.iter())),
            (Heading::Ends(..), _) => {
                (0..across).all(|at| whole(&mut self.cells.iter().map(|line| &line[at])))
            }
            _ => true,
        }
    }

    /// The cells that the rules refuse, by reason, each with its row and column.
    pub fn refusals(&self) -> Vec<(&str, Vec<(usize, usize)>)> {
        let mut by_reason: Vec<(&str, Vec<(usize, usize)>)> = Vec::new();
        for (row, cells) in self.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let Err(reason) = cell else { continue };
                match by_reason.iter_mut().find(|(known, _)| known == reason) {
                    Some((_, places)) => places.push((row, column)),
                    None => by_reason.push((reason, vec![(row, column)])),
                }
            }
        }
        by_reason
    }
}

/// Asks for every cell.
///
/// # Errors
/// If the rules refuse every cell, or the engine cannot answer.
pub fn pivot(
    workbench: &Workbench<'_>,
    asked: &PivotAsked,
    decimals: Option<u32>,
) -> Result<Pivot, OddsError> {
    let percent = asked.of.as_ref().is_none_or(Quantity::is_probability);
    let usual = if percent { DECIMALS.0 } else { DECIMALS.1 };
    let decimals = decimals.unwrap_or(usual);
    let mut table = Pivot {
        rules: workbench.loaded.id().into(),
        title: workbench.loaded.ruleset.title.to_string(),
        procedure: workbench.procedure.name.to_string(),
        variants: workbench.loaded.variant_names(),
        given: Vec::new(),
        of: asked.of.clone(),
        unit: if percent { "per cent" } else { "" },
        caption: String::new(),
        rows: Heading::Key(String::new(), Vec::new()),
        columns: Heading::Key(String::new(), Vec::new()),
        cells: Vec::new(),
        decimals,
        methods: Methods::default(),
    };
    match (&asked.rows, &asked.columns, &asked.of) {
        (Edge::Key(rows, row_values), Edge::Key(columns, column_values), Some(of)) => {
            table.cells = numbers(
                workbench,
                of,
                (rows, row_values),
                (columns, column_values),
                &mut table,
            )?;
            table.rows = Heading::Key(rows.clone(), row_values.clone());
            table.columns = Heading::Key(columns.clone(), column_values.clone());
        }
        (Edge::Key(key, values), Edge::Ends(variable), _) => {
            let (ends, cells) = all_ends(workbench, variable, key, values, &mut table)?;
            table.rows = Heading::Key(key.clone(), values.clone());
            table.columns = Heading::Ends(variable.clone(), ends);
            table.cells = cells;
        }
        (Edge::Ends(variable), Edge::Key(key, values), _) => {
            let (ends, cells) = all_ends(workbench, variable, key, values, &mut table)?;
            let turned = |at: usize| cells.iter().map(|line| line[at].clone()).collect();
            table.cells = (0..ends.len()).map(turned).collect();
            table.rows = Heading::Ends(variable.clone(), ends);
            table.columns = Heading::Key(key.clone(), values.clone());
        }
        (Edge::Ends(_), Edge::Ends(_), _) | (Edge::Key(..), Edge::Key(..), None) => {
            let problem = "a table needs a key, and a quantity where both edges are keys";
            return Err(RuleError::Other(problem.into()).into());
        }
    }
    if let (true, Some((reason, _))) = (
        table.cells.iter().flatten().all(Result::is_err),
        table.refusals().first(),
    ) {
        return Err(all_refused(reason));
    }
    let settings = workbench.settings(&[])?;
    let edges = [
        table.rows.name().to_owned(),
        table.columns.name().to_owned(),
    ];
    let given = settings
        .given()
        .filter(|(key, _)| !edges.iter().any(|edge| edge == key));
    table.given = given
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect();
    Ok(table)
}

fn all_refused(reason: &str) -> OddsError {
    RuleError::Other(format!(
        "the rules refuse every cell of the table: {reason}"
    ))
    .into()
}

/// One number for every row and column.
fn numbers(
    workbench: &Workbench<'_>,
    of: &Quantity,
    (row_key, rows): (&String, &[Value]),
    (column_key, columns): (&String, &[Value]),
    table: &mut Pivot,
) -> Result<Vec<Line>, OddsError> {
    let places: Vec<(&Value, &Value)> = rows
        .iter()
        .flat_map(|row| columns.iter().map(move |column| (row, column)))
        .collect();
    let found: Result<Vec<Reply<(Estimate, Source)>>, OddsError> =
        parallel::try_map(&places, |&(row, column)| {
            let changed = [
                (row_key.clone(), row.clone()),
                (column_key.clone(), column.clone()),
            ];
            workbench.number(of, &changed)
        });
    let scale = 10f64.powi(table.decimals as i32) * if of.is_probability() { 100.0 } else { 1.0 };
    let mut cells = Vec::new();
    for reply in found? {
        cells.push(reply.map(|(exact, source)| {
            table.methods.add(source);
            let units = rounded(exact.value * scale);
            PivotCell::new(exact, units, table.is_percent(), table.decimals)
        }));
    }
    Ok(cells.chunks(columns.len()).map(<[_]>::to_vec).collect())
}

/// The nearest whole number, halves away from nought: as everything that is printed is rounded.
fn rounded(x: f64) -> i64 {
    fixed(x, 0).parse().unwrap_or(x as i64)
}

/// For every value of a key, how often a variable ends how.
fn all_ends(
    workbench: &Workbench<'_>,
    variable: &str,
    key: &str,
    values: &[Value],
    table: &mut Pivot,
) -> Result<(Vec<End>, Vec<Line>), OddsError> {
    let found: Result<Vec<Reply<Distribution>>, OddsError> = parallel::try_map(values, |value| {
        workbench.ask(&[(key.to_owned(), value.clone())])
    });
    let found = found?;
    if let (true, Some(Err(reason))) = (found.iter().all(Result::is_err), found.first()) {
        return Err(all_refused(reason));
    }
    let ends = ends_of(variable, found.iter().flatten());
    let units = 100 * 10i64.pow(table.decimals);
    let mut cells = Vec::new();
    for reply in found {
        let marginal = reply.and_then(|odds| {
            table.methods.add(odds.source());
            let missing = || format!("{variable} is not reported");
            odds.marginal(variable).ok_or_else(missing)
        });
        cells.push(match marginal {
            Err(reason) => vec![Err(reason); ends.len()],
            Ok(marginal) => {
                let share = |end: &End| match (end.or_more, end.label.parse()) {
                    (true, Ok(number)) => marginal.at_least(number),
                    _ => marginal.p(&end.label),
                };
                let shares: Vec<f64> = ends.iter().map(share).collect();
                let cell = |p: &f64| {
                    let printed = rounded(*p * units as f64);
                    let (low, high) = marginal.interval(*p).unwrap_or((*p, *p));
                    let exact = Estimate {
                        value: *p,
                        low,
                        high,
                    };
                    Ok(PivotCell::new(exact, printed, true, table.decimals))
                };
                shares.iter().map(cell).collect()
            }
        });
    }
    Ok((ends, cells))
}

/// The ends that come about anywhere, in their order.
fn ends_of<'a>(variable: &str, found: impl Iterator<Item = &'a Distribution>) -> Vec<End> {
    let mut ends: Vec<(f64, String)> = Vec::new();
    let mut numeric = false;
    for marginal in found.filter_map(|odds| odds.marginal(variable)) {
        numeric = marginal.variable().is_numeric();
        for value in marginal.values().iter().filter(|value| value.p > 0.0) {
            if !ends.iter().any(|(_, label)| *label == value.label) {
                ends.push((value.number, value.label.clone()));
            }
        }
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let shared = numeric && ends.len() > MOST_ENDS + 1;
    let shown = if shared { MOST_ENDS } else { ends.len() };
    let ends = ends
        .into_iter()
        .take(shown + usize::from(shared))
        .enumerate();
    ends.map(|(at, (_, label))| End {
        label,
        or_more: shared && at == shown,
    })
    .collect()
}
