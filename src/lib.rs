//! Works out, simulates and pictures the odds in printed American Civil War wargame rules.

pub mod report;
