//! Intervals and comparisons.

mod compare;
mod interval;

pub use compare::{chi_square, total_variation, wasserstein, worst_z};
pub use interval::{Z95, wilson, wilson_of};
