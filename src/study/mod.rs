//! Studies: many questions asked together.
//!
//! An [`Experiment`] is a file: a procedure, a sweep, charts, a finding. [`run`](mod@run) answers all
//! its cells in one parallel job, and everything in [`crate::report`] is made from the [`Results`].

mod bundled;
mod card;
mod compare;
mod experiment;
mod finding;
pub mod run;
mod sweep;

pub use bundled::{BUNDLED, VARIANTS, bundled, bundled_variant};
pub use card::{Amount, Card, Figure, Measure, cards};
pub use compare::{
    Compared, Comparison, Distances, Mover, Movers, Played, RulesRow, compare, play,
};
pub use experiment::{ChartKind, ChartSpec, Experiment, Finding, StudyMethod, flatten};
pub use finding::findings;
pub use run::{Answers, CellResult, Overrides, Results, run};
pub use sweep::{Axis, cells, parse_sweep};
