//! One fight, every question: a fight is described once, and any procedure of its ruleset can be
//! asked of it.
//!
//! Each procedure keeps the words of its page: a volley has a `firer` and a `target`, a charge an
//! `attacker` and a `defender`, a firefight `a` and `b`. A fight has two sides only, the `attacker`,
//! who acts, and the `defender`, who is acted upon, and keys of neither (`range`, `turns`). The
//! [`Language`] of a ruleset says what a key of a procedure is called in its fights. Most of it
//! follows from the names of the sides, so that a new key of a unit needs no word here; the rest
//! stands in the ruleset's `tables.toml`:
//!
//! ```toml
//! [fight.sides]                      # sides besides firer, target, a, b and unit
//! screen = "defender"
//! [fight.names.fire]                 # a key of fire = what the fight calls it; * stands for any text
//! "guns.*" = "attacker.guns_*"
//! [fight.same]                       # values of a key that mean the same in different procedures
//! cover = [["open", "false"], ["soft", "wall", "true"], ["hard", "fieldworks", "true"]]
//! ```
//!
//! `[fight.names."*"]` holds for every procedure. A list of names is read in order: the first that
//! the fight has counts, and those after the first count only where their value means something.

mod blank;
mod file;
mod language;
mod raw;
#[cfg(test)]
mod tests;

pub use blank::blank;
pub use file::FightFile;
pub use language::Language;
pub(crate) use language::matched;
pub use raw::{ProcedureSettings, RawSettings};

grapeshot_engine::labels! {
    /// The sides of a fight.
    pub enum Side { Attacker = "attacker", Defender = "defender" }
}
