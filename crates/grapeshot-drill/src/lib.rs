//! Drill: a language in which printed wargame rules are written down, line by line beside the print.
//!
//! This crate reads a text and checks it; what it gives back, a [`program::Program`], is everything that a machine needs to
//! work out or play the rules. The way of a text: lines and tokens → [`tree`] → variants are applied → [`program`].

pub mod check;
pub mod emit;
pub mod fmt;
pub mod load;
pub mod message;
mod nearest;
pub mod number;
pub mod parse;
pub mod printed;
pub mod program;
pub mod run;
pub mod source;
pub mod tree;
pub mod variant;
