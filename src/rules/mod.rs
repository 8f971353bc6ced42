//! Rulesets: their procedures, settings, tables and variants.
//!
//! A ruleset is a folder with a `tables.toml` (what is printed) and one file per procedure (what is
//! played). It is made known in the [`Registry`] and nowhere else: parsing, help, sweeps and reports find
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

pub use bands::Bands;
pub use decision::{
    Decidable, Decide, Decision, Decisions, FixedPlan, Outline, Played, Shown, first_of, under_plan,
};
pub use error::RuleError;
pub use house::House;
pub use labels::{Judged, Labels};
pub use lexicon::{Hint, Lexicon};
pub use nearest::nearest;
pub(crate) use places::Places;
pub use procedure::{Build, Procedure};
pub use question::{Answered, Given, OddsError, Options, Question, Situation, Told};
pub use registry::{Registry, common_over, edition_of, find, find_beside};
pub use ruleset::{BuiltIn, Loaded, Rulebook, Ruleset, Speak, Speaking};
pub use schema::{DefaultValue, Setting, SettingKind, Value};
pub use settings::Settings;
pub use share::{Engines, Found};
pub use tables::{Assumption, CellPlace, Grid, List, TableChange, TableFile, Variant, flatten};
pub(crate) use tables::{below, single, whole, written_like};
pub use texts::{MOST_BYTES, parse_toml, read_text};
