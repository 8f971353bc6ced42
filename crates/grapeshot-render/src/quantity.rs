//! A quantity and its change, in cells and sentences: what-if, diff and break-even alike.

use super::{Cell, number};
use grapeshot_engine::dist::{Estimate, Quantity};

/// A quantity, in a cell.
pub(super) fn amount_cell(quantity: &Quantity, estimate: &Estimate) -> Cell {
    if quantity.is_probability() {
        Cell::estimated(*estimate)
    } else {
        Cell::measured(*estimate, 3, "")
    }
}

/// A change, in a cell.
pub(super) fn change_cell(quantity: &Quantity, by: &Estimate) -> Cell {
    if quantity.is_probability() {
        Cell::points(*by)
    } else {
        Cell::change(*by)
    }
}

/// A quantity, in a sentence.
pub(super) fn amount(quantity: &Quantity, estimate: &Estimate) -> String {
    amount_cell(quantity, estimate).read()
}

/// A change, in a sentence.
pub(super) fn change(quantity: &Quantity, by: &Estimate) -> String {
    change_cell(quantity, by).read()
}

/// A change without an interval.
pub(super) fn signed(quantity: &Quantity, by: f64) -> String {
    change(quantity, &Estimate::exact(by))
}

/// How far values are apart: a change without its sign.
pub(super) fn distance(quantity: &Quantity, by: f64) -> String {
    signed(quantity, by.abs())
        .trim_start_matches('+')
        .to_owned()
}

/// The unit of a change.
pub(super) fn unit(quantity: &Quantity) -> &'static str {
    if quantity.is_probability() {
        "in points"
    } else {
        "in its own measure"
    }
}

/// A value, its ends, and nothing else, for spreadsheets.
pub(super) fn plain(estimate: &Estimate) -> [Cell; 3] {
    [estimate.value, estimate.low, estimate.high].map(|x| Cell::number(x, number::DECIMALS))
}
