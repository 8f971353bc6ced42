//! The program `grapeshot`: what the crates below it work out, said to people.
//!
//! [`grapeshot_engine`] solves and simulates, [`grapeshot_rules`] has the rules, [`grapeshot_study`] asks many
//! questions together, [`grapeshot_charts`] draws. Here results become dataframes ([`frames`]), charts ([`pictures`]),
//! documents ([`render`]), published folders ([`publish`]), a page at the table, and commands ([`cli`]). Whoever
//! wants odds in a program of their own depends on the crates, not on this one.

pub mod cli;
pub mod frames;
pub mod publish;
#[cfg(feature = "serve")]
mod serve;

pub use grapeshot_render as render;
pub use grapeshot_render::pictures;
