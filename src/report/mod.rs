//! What the toolkit shows: the pictures a report is made of.

pub mod charts;
