//! The odds in printed American Civil War wargame rules: solved, simulated, compared.
#![doc = ""]
pub mod dice;
pub mod dist;
pub mod engine;
pub mod rules;
pub mod stats;
