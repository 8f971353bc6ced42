//! How much a script may do.

/// Limits of rule code that was read from a file. The usual ones let any page of rules through and stop
/// what does not end; whoever runs rules of strangers sets tighter ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Operations of one run of a step: a page of rules takes a few hundred.
    pub operations: u64,
    /// Runs of steps while one question is answered. A step is run once for every way its dice can fall.
    pub runs: u64,
    /// Steps of one trial, where trials are played one by one.
    pub steps: u64,
    /// Functions that call functions.
    pub levels: usize,
    /// Expressions within expressions.
    pub depth: usize,
    /// Characters of a text.
    pub text: usize,
    /// Entries of a list.
    pub entries: usize,
    /// Dice of one roll.
    pub dice: i64,
    /// Faces of one die.
    pub sides: i64,
    /// Different results of one roll.
    pub results: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            operations: 200_000,
            runs: u64::MAX,
            steps: 100_000,
            levels: 24,
            depth: 64,
            text: 4_096,
            entries: 1_024,
            dice: 200,
            sides: 1_000,
            results: 20_000,
        }
    }
}
