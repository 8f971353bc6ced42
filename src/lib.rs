//! The odds in printed American Civil War wargame rules: solved, simulated, compared.
//!
//! A rule is written once, over a source of [`dice`], as steps of a small state machine
//! ([`engine::Steps`]). The [`engine`] compiles the steps into a graph of merged states and either
//! solves it or walks it millions of times; both give one [`dist::Distribution`]. [`rules`] holds
//! the printed rulesets: what can be set, what is reported, and the tables, which are data.
//!
//! # Ask a question
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
//!
//! # Sweep it
//!
//! The tables are read once; every cell of the sweep is a situation of the same procedure.
//!
//! ```
//! use grapeshot::dist::Quantity;
//! use grapeshot::rules::{Options, Question, cells, parse_sweep};
//!
//! let loaded = Question::new("elephant", "charge")?.load()?;
//! let charge = loaded.procedure("charge")?;
//! let success = Quantity::parse("success", &charge.variables)?;
//! let axes = [parse_sweep("attacker.grade=elite,regular,militia")?, parse_sweep("defender.stands=6..10/2")?];
//! let mut chances = Vec::new();
//! for cell in cells(&axes) {
//!     let answered = charge.answer(&charge.resolve(cell)?, &Options::exact())?;
//!     chances.push(success.of(&answered.odds).unwrap().value);
//! }
//! assert_eq!(chances.len(), 9);
//! assert!(chances[0] > chances[2], "more defenders are harder to drive off");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Lay a variant over the tables
//!
//! ```
//! use grapeshot::rules::{Options, Question, Variant};
//!
//! let house = Variant::parse("house.toml", r#"
//!     name = "even melee"
//!     rules = "elephant"
//!     [tables.melee_results.rows]
//!     8 = { "1:1" = "RT/K1" }
//! "#)?;
//! let printed = Question::new("elephant", "melee")?;
//! let as_played = printed.clone().under(house);
//! let lost = |asked: &Question| -> Result<f64, grapeshot::rules::OddsError> {
//!     let odds = asked.ask(&Options::exact())?.odds;
//!     Ok(odds.marginal("winner").unwrap().p("defender"))
//! };
//! assert!(lost(&printed)? > 0.0);
//! assert_ne!(lost(&printed)?, lost(&as_played)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Play a procedure of one's own
//!
//! Steps over a source of dice are all it takes to be solved and simulated.
//!
//! ```
//! use grapeshot::dice::{Dice, Odds};
//! use grapeshot::engine::{Budget, Engine, Graph, Next, Steps, Stream, row, simulate, solve};
//!
//! /// A unit rallies on a 5 or 6; it has three tries.
//! struct Rally(Odds<bool>);
//!
//! impl Steps for Rally {
//!     type State = u8;
//!     fn phases(&self) -> Vec<&str> {
//!         vec!["a try"]
//!     }
//!     fn start(&self) -> u8 {
//!         3
//!     }
//!     fn phase(&self, _: &u8) -> usize {
//!         0
//!     }
//!     fn step<D: Dice>(&self, tries: u8, dice: &mut D) -> Next<u8> {
//!         match (self.0.roll(dice), tries) {
//!             (true, _) => Next::Done(row(&[1])),
//!             (false, 1) => Next::Done(row(&[0])),
//!             (false, _) => Next::Go(tries - 1),
//!         }
//!     }
//! }
//!
//! let rally = Rally(Odds::weighted([(false, 4), (true, 2)]));
//! let graph = Graph::compile(&rally, Budget::default())?;
//! let rallied: f64 = solve(&graph).iter().filter(|(end, _)| end.row[0] == 1).map(|(_, p)| p).sum();
//! assert!((rallied - 19.0 / 27.0).abs() < 1e-12);
//! let seen = simulate(&Engine::walk(graph), Stream::common(1863), 100_000);
//! let seen: u64 = seen.iter().filter(|(end, _)| end.row[0] == 1).map(|(_, count)| *count).sum();
//! assert!((seen as f64 / 100_000.0 - rallied).abs() < 0.01);
//! # Ok::<(), grapeshot::engine::CompileError>(())
//! ```
//!
//! What is documented here is meant to be used. `cli`, `publish` and `render` are the program's own rooms: public for its
//! binary and its tests, and free to change.
//!
//! `examples/attrition.rs` is a longer one; a whole ruleset of one's own needs no Rust at all (see the guide to
//! rules from files).

// Without studies, what only they use of the parts below stands idle.
#![cfg_attr(not(feature = "studies"), allow(dead_code, unused_imports))]

#[cfg(feature = "charts")]
pub mod charts;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod dice;
pub mod dist;
pub mod engine;
#[cfg(feature = "frames")]
pub mod frames;
mod parallel;
#[cfg(feature = "charts")]
pub mod pictures;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod publish;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod render;
pub mod rules;
#[cfg(feature = "serve")]
mod serve;
pub mod stats;
#[cfg(feature = "studies")]
pub mod study;
mod wording;
