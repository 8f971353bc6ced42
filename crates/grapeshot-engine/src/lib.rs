//! Dice, and procedures over them: compiled once, then solved exactly or simulated millions of times.

pub mod dice;
pub mod dist;
pub mod engine;
pub mod labels;
pub mod plain;
pub mod stats;
