//! The crates as somebody uses them: answers against each other, against laws and against figures worked out elsewhere.
//!
//! `cargo test --release --test library NAME` runs the tests of one module, or one test.

#[path = "../common/files.rs"]
mod files;
#[path = "../common/fuzzed.rs"]
mod fuzzed;
#[path = "../common/mangled.rs"]
mod mangled;
#[path = "../common/scenarios.rs"]
mod scenarios;

mod agreement;
mod attrition;
mod audit;
mod cases;
mod compare;
mod coverage;
mod decide;
mod fuzz;
mod house;
mod laws;
mod lines;
mod luck;
mod own_rules;
mod reports;
mod sentences;
mod supply;
mod workbench;
