//! How a quantity and its change are written, with the interval if there is one.

use crate::dist::{Estimate, Quantity};
use serde_json::{Map, Value, json};

/// A quantity: `41.2 %`, `41.2 ± 0.11 %`, `3.254`.
pub(super) fn amount(quantity: &Quantity, estimate: &Estimate) -> String {
    let half = estimate.half_width();
    match (quantity.is_probability(), half > 0.0) {
        (true, false) => super::percent(estimate.value),
        (true, true) => format!("{:.1} ± {:.2} %", 100.0 * estimate.value, 100.0 * half),
        (false, false) => format!("{:.3}", estimate.value),
        (false, true) => format!("{:.3} ± {half:.4}", estimate.value),
    }
}

/// A change: in points of a hundred for a probability, else in the quantity's own measure.
pub(super) fn change(quantity: &Quantity, estimate: &Estimate) -> String {
    let half = estimate.half_width();
    let spread = match (quantity.is_probability(), half > 0.0) {
        (_, false) => String::new(),
        (true, true) => format!(" ± {:.2}", 100.0 * half),
        (false, true) => format!(" ± {half:.4}"),
    };
    format!("{}{spread}", signed(quantity, estimate.value))
}

/// A change without an interval; small ones are not written as nothing.
pub(super) fn signed(quantity: &Quantity, by: f64) -> String {
    let (shown, digits) = if quantity.is_probability() {
        (100.0 * by, 1)
    } else {
        (by, 3)
    };
    let least = 0.5 * 10f64.powi(-digits);
    let sign = if by < 0.0 { "−" } else { "+" };
    if by.abs() <= 1e-12 {
        "0".into()
    } else if shown.abs() < least {
        // One digit that says how small it is, rather than nothing.
        let digits = (-shown.abs().log10()).ceil().min(9.0) as usize;
        format!("{sign}{:.digits$}", shown.abs())
    } else {
        format!("{sign}{:.*}", digits as usize, shown.abs())
    }
}

/// The unit of a change.
pub(super) fn unit(quantity: &Quantity) -> &'static str {
    if quantity.is_probability() {
        "in points"
    } else {
        "in its own measure"
    }
}

/// For JSON: the number, and its interval if it has one.
pub(super) fn estimate_json(estimate: &Estimate) -> Value {
    let mut out = json!({ "value": estimate.value });
    if estimate.half_width() > 0.0 {
        out["low"] = json!(estimate.low);
        out["high"] = json!(estimate.high);
    }
    out
}

/// Keys and values, as an object.
pub(super) fn place_json<'a>(
    place: impl IntoIterator<Item = (&'a str, &'a crate::rules::Value)>,
) -> Value {
    let object: Map<String, Value> = place
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.json()))
        .collect();
    Value::Object(object)
}

/// Keys and values, as they are typed.
pub(super) fn place_text(place: &[(String, crate::rules::Value)]) -> String {
    let parts: Vec<String> = place.iter().map(|(k, v)| format!("{k}={v}")).collect();
    parts.join(" ")
}
