//! Charts of results: which numbers become which lines, bars and panels. Drawing is left to
//! [`crate::charts`].

mod compare;
mod decide;
mod study;

pub use compare::compare_charts;
pub use decide::policy_chart;
pub use study::picture;
