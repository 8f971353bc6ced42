//! Charts of results: which numbers become which lines, bars and panels. Drawing is left to
//! [`crate::charts`].

mod compare;
mod study;

pub use compare::compare_charts;
pub use study::picture;
