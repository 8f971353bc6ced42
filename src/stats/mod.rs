//! Intervals.

mod interval;

pub use interval::{Z95, wilson, wilson_of};
