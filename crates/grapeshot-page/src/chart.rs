//! The chart beside an answer: the chance of at least so many, for every number that is reported.

use super::answer;
use super::ask::{Asked, Asking};
use super::link::Ask;
use super::reply::Reply;
use super::server::Pages;
use grapeshot_charts::{Axis, Chart, Series, Survival};
use grapeshot_engine::dist::{Distribution, Marginal, VariableKind};
use grapeshot_engine::engine::Watch;
use grapeshot_rules::{OddsError, RuleError};
use grapeshot_study::wording::pairs_as_command;
use http::StatusCode;

/// Curves in one chart.
const CURVES: usize = 5;

fn counted(odds: &Distribution) -> Vec<Marginal> {
    let marginals = odds.marginals().into_iter();
    marginals
        .filter(|m| m.variable().kind == VariableKind::Count && m.values().len() > 1)
        .take(CURVES)
        .collect()
}

/// Whether there is anything to draw.
pub(super) fn draws(odds: &Distribution) -> bool {
    !counted(odds).is_empty()
}

/// The chart of a question.
///
/// # Errors
/// If there is no such ruleset or procedure.
pub(super) fn svg(
    server: &Pages,
    at: (&str, &Asking),
    query: &str,
    watch: &Watch,
) -> Result<Reply, RuleError> {
    let asked = Asked::new(server, at, Ask::read(query))?;
    if !asked.is_understood() {
        let wrong = asked.wrong().first().map(|(_, told)| told);
        let told = wrong.or(asked.troubles.first());
        let told = told.map_or("The question is wrong.", String::as_str);
        return Ok(Reply::sentence(StatusCode::BAD_REQUEST, told));
    }
    let report = match answer::report(&asked, watch) {
        Ok(report) => report,
        Err(OddsError::Rule(error)) => {
            return Ok(Reply::sentence(
                StatusCode::UNPROCESSABLE_ENTITY,
                &error.to_string(),
            ));
        }
        Err(error) => {
            return Ok(Reply::sentence(
                StatusCode::UNPROCESSABLE_ENTITY,
                &error.to_string(),
            ));
        }
    };
    let curves = counted(&report.odds).iter().map(curve).collect();
    let axes = (Axis::number("at least", ""), Axis::percent("chance"));
    let given = asked.changed_settings();
    let title = format!("{} {}: at least so many", report.rules, report.procedure);
    let chart =
        Chart::new(title, Survival::new(axes.0, axes.1, curves)).footer(match given.len() {
            0 => "everything at its default".to_owned(),
            _ => pairs_as_command(&given),
        });
    match grapeshot_charts::svg(&chart) {
        Ok(svg) => Ok(Reply::svg(svg)),
        Err(error) => Ok(Reply::sentence(StatusCode::NOT_FOUND, &error.to_string())),
    }
}

/// The chance of at least each value.
fn curve(marginal: &Marginal) -> Series {
    let points = marginal.values().iter();
    let points = points.map(|value| {
        let p = marginal.at_least(value.number);
        grapeshot_charts::Point::exact(value.number, p)
    });
    Series::new(marginal.variable().name.replace('_', " "), points.collect())
}
