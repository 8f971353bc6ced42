//! Rulesets: their procedures, settings, tables and variants.
//!
//! A ruleset is a folder with a `tables.toml` (what is printed), an `extras.toml` (what else is to be known of it) and
//! one file per procedure (what is played). It is made known in the [`Registry`] and nowhere else: parsing, help, sweeps and reports find
//! everything through [`Procedure`].
//!
//! # Ask a question
//!
//! ```
//! use grapeshot_rules::{Options, Question};
//!
//! let volley = Question::new("elephant", "fire")?
//!     .with("range", 250)
//!     .with("firer.weapon", "musket");
//! let answered = volley.ask(&Options::exact())?;
//! let effect = answered.odds.marginal("effect").unwrap();
//! assert!((effect.values().iter().map(|v| v.p).sum::<f64>() - 1.0).abs() < 1e-12);
//! # Ok::<(), grapeshot_rules::OddsError>(())
//! ```
//!
//! # Sweep it
//!
//! The tables are read once; every cell of the sweep is a situation of the same procedure.
//!
//! ```
//! use grapeshot_engine::dist::Quantity;
//! use grapeshot_rules::{Options, Question, cells, parse_sweep};
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
//! use grapeshot_rules::{Options, Question, Variant};
//!
//! let house = Variant::parse("house.toml", r#"
//!     name = "even melee"
//!     rules = "elephant"
//!     [tables.melee_results.rows]
//!     8 = { "1:1" = "RT/K1" }
//! "#)?;
//! let printed = Question::new("elephant", "melee")?;
//! let as_played = printed.clone().under(house);
//! let lost = |asked: &Question| -> Result<f64, grapeshot_rules::OddsError> {
//!     let odds = asked.ask(&Options::exact())?.odds;
//!     Ok(odds.marginal("winner").unwrap().p("defender"))
//! };
//! assert!(lost(&printed)? > 0.0);
//! assert_ne!(lost(&printed)?, lost(&as_played)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bands;
mod carry;
mod decision;
pub mod drill;
mod edition;
mod ends;
mod error;
pub mod fight;

mod lexicon;
mod list;
mod nearest;
mod procedure;
mod question;
mod reads;
mod registry;
mod ruleset;
mod schema;
mod settings;
mod share;
pub mod sweep;
mod tables;
#[cfg(test)]
mod testing;
mod toml_reader;

pub mod common;

pub(crate) use bands::Bands;
pub use carry::{Becomes, Carries};
pub use decision::under_plan;
pub use decision::{Decide, Decision, Decisions, FixedPlan, Outline, Played, Shown};
pub use ends::Ends;
pub use error::RuleError;
pub use grapeshot_engine::labels::{Judged, Labels};
pub use lexicon::Hint;
pub(crate) use lexicon::Lexicon;
pub use nearest::nearest;
pub use procedure::{Build, Procedure};
pub use question::{Answered, Given, OddsError, Options, Question, ReadyQuestion, Situation, Told};
pub use reads::{Reader, Reads};
pub use registry::{Registry, common_over, find};
pub use registry::{edition_of, find_beside};
pub use ruleset::{CommonTranslator, LoadedRuleset, Rulebook, Ruleset};
pub use schema::{DefaultValue, Setting, SettingKind, Value};
pub use settings::{Key, Of, Settings};
pub use share::{Engines, PartialAnswer};
pub use sweep::check_axes;
pub use sweep::{Axis, cells, parse_sweep};
pub use tables::{Assumption, CellPlace, Grid, List, TableChange, TableFile, Variant};
pub use tables::{whole, written_like};
pub use toml_reader::{Entries, FromToml, Problems, TomlText, read_text, single};
