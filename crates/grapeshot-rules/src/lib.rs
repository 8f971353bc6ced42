//! Rulesets: their procedures, settings, tables and variants.
//!
//! A ruleset is a folder with a `tables.toml` (what is printed), a `extras.toml` (what else is to be known of it) and
//! one file per procedure (what is played). It is made known in the [`Registry`] and nowhere else: parsing, help, sweeps and reports find
//! everything through [`Procedure`].

mod bands;
mod battle;
mod decision;
mod edition;
mod error;
pub mod fight;

pub mod file;
mod house;

mod lexicon;
mod list;
mod nearest;
mod procedure;
mod question;
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

mod acw28;
pub mod common;
mod elephant;
mod fireline;
mod gbacw;
mod impact;
mod standoff;

pub(crate) use bands::Bands;
pub use decision::under_plan;
pub(crate) use decision::{Decidable, first_of};
pub use decision::{Decide, Decision, Decisions, FixedPlan, Outline, Played, Shown};
pub use error::RuleError;
pub use grapeshot_engine::labels::{Judged, Labels};
pub(crate) use house::House;
pub use lexicon::Hint;
pub(crate) use lexicon::Lexicon;
pub use nearest::nearest;
pub use procedure::{Build, Procedure};
pub use question::{Answered, Given, OddsError, Options, Question, ReadyQuestion, Situation, Told};
pub use registry::{Registry, common_over, find};
pub use registry::{edition_of, find_beside};
pub(crate) use ruleset::BuiltIn;
pub use ruleset::{CommonTranslator, LoadedRuleset, Rulebook, Ruleset};
pub use schema::{DefaultValue, Setting, SettingKind, Value};
pub use settings::{Key, Of, Settings};
pub use share::{Engines, PartialAnswer};
pub use sweep::check_axes;
pub use sweep::{Axis, cells, parse_sweep};
pub use tables::{Assumption, CellPlace, Grid, List, TableChange, TableFile, Variant};
pub use tables::{whole, written_like};
pub use toml_reader::{Entries, FromToml, Problems, TomlText, read_text, single};
