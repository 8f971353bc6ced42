//! How much one question may ask for, so that the others are still answered.

/// Bytes of an address with its query.
pub(super) const ADDRESS: usize = 12_000;
/// Keys of a query.
pub(super) const KEYS: usize = 400;
/// Bytes of a body: a house rule, or a text of rules.
pub const BODY: usize = 64 * 1024;
/// Bytes of a house rule, unpacked.
pub(super) const HOUSE: usize = 64 * 1024;
/// Distinct states of an answer; beyond them it is simulated.
pub(super) const STATES: usize = 250_000;
/// Trials of a simulated answer, unless a program asks for more.
pub(super) const TRIALS: u64 = 200_000;
/// Trials of what is played out trial by trial, such as a battle.
pub(super) const TRIALS_PLAYED_OUT: u64 = 10_000;
/// The most trials a program may ask for.
pub(super) const MOST_TRIALS: u64 = 2_000_000;
/// Distinct states and trials of each of the many questions that are asked to compare.
pub(super) const STATES_EACH: usize = 50_000;
/// Trials of each of those.
pub(super) const TRIALS_EACH: u64 = 20_000;
/// Bytes of answers that are kept.
pub(super) const KEPT: usize = 16 * 1024 * 1024;
/// Bytes of an answer: a table of more is for a file, not for a page.
pub(super) const ANSWER: usize = 8 * 1024 * 1024;
/// Bytes of a text of rules that are tried, unpacked.
pub(super) const TEXT: usize = 160 * 1024;
/// Letters of a text of rules in a link; one that is longer is kept in the browser.
pub(super) const TEXT_IN_LINK: usize = 9_000;
/// Tables and lists of a house rule: what it costs to lay one over the printed rules grows with the square of them.
pub(super) const HOUSE_TABLES: usize = 200;
/// House rules, and texts of rules, that are kept loaded.
pub(super) const HOUSES: usize = 24;

/// Questions of which is kept what is not offered.
pub(super) const REFUSED: usize = 200;

/// How much there is to do for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// An answer: should be there in a blink. It may turn out to be dear all the same: how many states there are is
    /// known only when they are met.
    Quick,
    /// Known to be dear before it is begun: hundreds of answers compared, a decision, an audit, very many trials.
    Long,
}
