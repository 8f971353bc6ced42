//! Answers as JSON: the form other programs read.

use crate::dist::{Kind, Marginal, Variable};
use serde_json::{Value, json};

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
