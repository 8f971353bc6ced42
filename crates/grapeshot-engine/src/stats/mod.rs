//! Intervals, and shares of a hundred.

mod hundred;
mod interval;

pub use hundred::{fixed, hundredth, of_hundred};
pub use interval::Z95;
pub use interval::{wilson, wilson_of};
