//! Answers as JSON: the form other programs read.

use super::OddsReport;
use crate::dist::{Kind, Marginal, Variable};
use serde_json::{Map, Value, json};

/// The answer as JSON, probabilities with full precision.
pub fn odds_json(report: &OddsReport) -> Value {
    let source = report.odds.source();
    let settings: Map<String, Value> = report
        .settings
        .iter()
        .map(|(key, value)| (key.to_owned(), value.json()))
        .collect();
    let mut out = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "rules": report.rules,
        "procedure": report.procedure,
        "variants": report.variants,
        "settings": settings,
        "method": source.method(),
        "trials": source.trials(),
        "seed": source.seed(),
        "variables": report.odds.marginals().iter().map(marginal_json).collect::<Vec<_>>(),
    });
    if report.stages {
        out["stages"] = stages(report);
    }
    if report.joint {
        out["joint"] = joint(report);
    }
    out["notes"] = json!(report.notes);
    out
}

/// One variable as JSON.
pub(super) fn marginal_json(marginal: &Marginal) -> Value {
    let variable = marginal.variable();
    let mut out = json!({ "name": variable.name, "kind": variable.kind_name() });
    if variable.is_numeric() {
        out["mean"] = json!(marginal.mean());
        out["sd"] = json!(marginal.sd());
        if let Some(error) = marginal.standard_error() {
            out["se"] = json!(error);
        }
    }
    let values = marginal.values().iter().map(|value| {
        let mut entry =
            json!({ "value": written(variable, &value.label, value.number), "p": value.p });
        if let Some((low, high)) = marginal.interval(value.p) {
            entry["low"] = json!(low);
            entry["high"] = json!(high);
        }
        entry
    });
    out["values"] = values.collect();
    out
}

fn written(variable: &Variable, label: &str, number: f64) -> Value {
    match variable.kind {
        Kind::Category(_) => json!(label),
        Kind::Count => json!(number as u64),
        Kind::Number(_) => json!(number),
    }
}

fn stages(report: &OddsReport) -> Value {
    let stages = report.odds.stages().into_iter().map(|stage| {
        let ended = stage
            .ended
            .iter()
            .map(|(label, p)| json!({ "value": label, "p": p }));
        json!({
            "phase": stage.phase,
            "ended": ended.collect::<Vec<_>>(),
            "goes_on": stage.goes_on,
        })
    });
    stages.collect()
}

fn joint(report: &OddsReport) -> Value {
    let variables = report.odds.variables();
    let rows = report.odds.joint().into_iter().map(|(row, p)| {
        let mut entry = Map::new();
        for (variable, &value) in variables.iter().zip(&row) {
            let written = written(variable, &variable.label(value), variable.number_of(value));
            entry.insert(variable.name.clone(), written);
        }
        entry.insert("p".into(), json!(p));
        Value::Object(entry)
    });
    rows.collect()
}
