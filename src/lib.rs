//! The odds in printed American Civil War wargame rules: solved, simulated, compared.
//!
//! A rule is written once, over a source of [`dice`], as steps of a small state machine
//! ([`engine::Steps`]). The [`engine`] compiles the steps into a graph of merged states and either
//! solves it or walks it millions of times; both give one [`dist::Distribution`]. [`rules`] holds
//! the printed rulesets: what can be set, what is reported, and the tables, which are data.
//!
//! ```
//! use grapeshot::rules::{Options, Question};
//!
//! let volley = Question::new("elephant", "fire")?
//!     .with("range", 250)
//!     .with("firer.weapon", "musket");
//! let answered = volley.ask(&Options::exact())?;
//! let effect = answered.odds.marginal("effect").unwrap();
//! assert!((effect.values().iter().map(|v| v.p).sum::<f64>() - 1.0).abs() < 1e-12);
//! # Ok::<(), grapeshot::rules::OddsError>(())
//! ```

#[cfg(feature = "charts")]
pub mod charts;
#[cfg(feature = "cli")]
pub mod cli;
pub mod dice;
pub mod dist;
pub mod engine;
#[cfg(feature = "frames")]
pub mod frames;
#[cfg(feature = "charts")]
pub mod pictures;
#[cfg(feature = "cli")]
pub mod publish;
#[cfg(feature = "cli")]
pub mod render;
pub mod rules;
#[cfg(feature = "serve")]
pub mod serve;
pub mod stats;
pub mod study;
mod wording;
