//! Charts of results: which numbers become which lines, bars and panels. Drawing is left to
//! [`grapeshot_charts`].

mod breakeven;
mod card;
mod compare;
#[cfg(feature = "field")]
mod condense;
mod decide;
mod diff;
#[cfg(feature = "field")]
mod field;
mod skill;
mod study;
mod weigh;
mod whatif;

pub use breakeven::break_even_chart;
pub use card::card_chart;
pub use compare::{compare_charts, hundred_charges};
#[cfg(feature = "field")]
pub use condense::condense_chart;
pub use decide::policy_chart;
pub use diff::diff_chart;
#[cfg(feature = "field")]
pub use field::field_charts;
pub use skill::skill_chart;
pub use study::picture;
pub use weigh::weigh_chart;
pub use whatif::what_if_chart;

use grapeshot_charts::Axis;
use grapeshot_engine::dist::Quantity;

/// The axis of a quantity.
fn axis_of(quantity: &Quantity) -> Axis {
    if quantity.is_probability() {
        Axis::percent(quantity.to_string())
    } else {
        Axis::number(quantity.to_string(), "")
    }
}
