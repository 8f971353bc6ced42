//! Studies: many questions asked together.
//!
//! The designer's workbench ([`what_if`], [`weigh`](mod@weigh), [`diff`], [`break_even`], [`points`]) asks one procedure again and
//! again with something changed.
//!
//! An [`Experiment`] is a file: a procedure, a sweep, charts, a finding. [`run`](mod@run) answers all
//! its cells in one parallel job, and everything that is shown of it is made from the [`Results`].

mod agreement;
pub mod audit;
mod beside;
mod breakeven;
mod bundled;
mod card;
mod chart_dress;
mod chart_spec;
mod compare;
#[cfg(feature = "field")]
pub mod condense;
pub mod decide;
mod diff;
mod envelope;
mod experiment;
#[cfg(feature = "field")]
pub mod field;
mod finding;
mod instrument;
pub mod luck;
pub mod number;
pub mod parallel;
mod pivot;
mod points;
mod prepared;
mod results;
pub mod roster;
pub mod run;
mod share;
pub mod sheet;
pub mod style;
mod swept;
#[cfg(test)]
mod three_mistakes;
pub mod tune;
pub mod weigh;
mod whatif;
pub mod wording;
mod workbench;

pub use agreement::{agreement_pairs, worst_agreement};
pub use beside::{Beside, BesidePoint};
pub use breakeven::{
    At, BreakEven, Crossing, EvenCell, RefusedValues, Search, Trend, break_even, crossings_of,
};
pub use bundled::{
    BUNDLED, BundledStudy, NOT_ON_PAGES, ROSTERS, VARIANTS, bundled, bundled_variant,
};
pub use card::{Amount, Assumed, Card, Figure, Measure, cards};
pub use chart_dress::{ChartDress, Mark, Sort};
pub use chart_spec::{ChartKind, ChartSpec, StepWord};
pub use compare::{
    Compared, Comparison, Distances, InProportion, Mover, Movers, Played, RulesRow, compare,
    compare_options, in_proportion, play,
};
pub use diff::{
    Counts, Diff, DiffCell, Reach, Shift, Spot, Still, Used, WholeDiff, diff, diff_all,
    diff_where_it_matters,
};
pub use envelope::{Envelope, VERSION};
pub use experiment::{Experiment, FindingSpec, StudyMethod};
pub use finding::title_of;
pub use finding::{findings, placed};
pub use instrument::{Instrument, InstrumentAsked};
pub use pivot::{End as PivotEnd, Heading, Pivot, PivotAsked, PivotCell, pivot};
pub use points::{
    Entry, Even, Listed, Points, PointsAsked, Price, PriceList, PricedFight, Verdict, Worth, points,
};
pub use results::{Answers, CellResult, Results};
pub use run::{Overrides, run};
pub use share::{
    MOST_BYTES, Shard, ShardResult, could_find, deal, find, put_together, read_results,
    results_found,
};
pub use sheet::{Sheet, Thumbs, sheet};
pub use style::{WordList, all_words, parse_style, value_in_words};
pub use swept::{Swept, SweptCell, sweep};
pub use whatif::{Factor, Move, Moved, Pair, WhatIf, what_if};
pub use workbench::{Methods, Reply, Workbench, usual_options, usual_options_of};
