//! Simulated procedures of the printed rulesets, written out as Rust when the program is built (`build.rs`).

use grapeshot_drill::run::Direct;
use grapeshot_engine::engine::{DynSteps, PlayoutSteps};

include!(concat!(env!("OUT_DIR"), "/native.rs"));
