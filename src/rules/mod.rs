//! Rulesets: their procedures, settings, tables and variants.
//!
//! A ruleset is a folder with a `tables.toml` (what is printed), a `beside.toml` (what else is to be known of it) and
//! one file per procedure (what is played). It is made known in the [`Registry`] and nowhere else: parsing, help, sweeps and reports find
//! everything through [`Procedure`].

mod bands;
mod battle;
mod decision;
mod edition;
mod error;
pub mod fight;
#[cfg(feature = "own-rules")]
pub mod file;
mod house;
mod labels;
mod lexicon;
mod list;
mod nearest;
mod places;
mod procedure;
mod question;
mod registry;
mod ruleset;
mod schema;
mod settings;
mod share;
pub(crate) mod sweep;
mod tables;
#[cfg(test)]
mod testing;
mod texts;

mod acw28;
pub mod common;
mod elephant;
mod fireline;
mod gbacw;
mod impact;
mod standoff;

pub(crate) use bands::Bands;
pub(crate) use decision::{Decidable, first_of, under_plan};
pub use decision::{Decide, Decision, Decisions, FixedPlan, Outline, Played, Shown};
pub use error::RuleError;
pub(crate) use house::House;
pub use labels::{Judged, Labels};
pub use lexicon::{Hint, Lexicon};
pub(crate) use nearest::nearest;
pub(crate) use places::Places;
pub use procedure::{Build, Procedure};
pub use question::{Answered, Given, OddsError, Options, Question, Situation, Told};
pub use registry::{Registry, common_over, find};
pub(crate) use registry::{edition_of, find_beside};
pub(crate) use ruleset::BuiltIn;
pub use ruleset::{Loaded, Rulebook, Ruleset, Speaking};
pub use schema::{DefaultValue, Setting, SettingKind, Value};
pub use settings::{Key, Of, Settings};
pub use share::{Engines, Found};
pub(crate) use sweep::check_axes;
pub use sweep::{Axis, cells, parse_sweep};
pub use tables::{Assumption, CellPlace, Grid, List, TableChange, TableFile, Variant};
pub(crate) use tables::{below, flatten, single, whole, written_like};
pub(crate) use texts::{parse_toml, read_text};
