//! What was made of the printed rulesets when the program was built (`build.rs`): the checked texts as bytes, and their simulated
//! procedures as Rust.

use grapeshot_drill::run::Direct;
use grapeshot_engine::engine::{DynSteps, PlayoutSteps};

include!(concat!(env!("OUT_DIR"), "/native.rs"));
