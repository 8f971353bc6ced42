//! The audit of rules with planted faults, and of the printed ones.

mod planted;
mod sources;
