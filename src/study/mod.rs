//! Studies: many questions asked together.
//!
//! An [`Experiment`] is a file: a procedure, a sweep, charts, a finding. [`run`](mod@run) answers all
//! its cells in one parallel job, and everything in [`crate::report`] is made from the [`Results`].

pub mod audit;
mod bundled;
mod experiment;
mod finding;
pub mod run;
mod sweep;

pub use bundled::{BUNDLED, bundled};
pub use experiment::{ChartKind, ChartSpec, Experiment, Finding, StudyMethod};
pub use finding::findings;
pub use run::{Answers, CellResult, Overrides, Results, run};
pub use sweep::{Axis, cells, parse_sweep};
