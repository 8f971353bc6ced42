//! Colour in terminals that have it: a few of the sixteen that every terminal has, so that they fit its theme.
//!
//! Nothing is said by colour alone: it sets off what words and signs say anyway.

/// How a piece of text is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    /// What is read first.
    Strong,
    /// What is read last.
    Faint,
    /// How much.
    Much,
    /// Good for the side that asks.
    Good,
    /// Bad for it.
    Bad,
}

/// Ends what was set off.
const END: &str = "\u{1b}[0m";

impl Paint {
    /// What makes a terminal set it off.
    const fn begin(self) -> &'static str {
        match self {
            Paint::Strong => "\u{1b}[0;1m",
            Paint::Faint => "\u{1b}[0;2m",
            Paint::Much => "\u{1b}[0;36m",
            Paint::Good => "\u{1b}[0;32m",
            Paint::Bad => "\u{1b}[0;31m",
        }
    }

    /// By how good something is, from −1 to 1.
    pub(super) fn of_tint(tint: f64) -> Option<Paint> {
        match tint {
            t if t >= 0.05 => Some(Paint::Good),
            t if t <= -0.05 => Some(Paint::Bad),
            _ => None,
        }
    }

    /// Sets a text off.
    pub(super) fn on(self, text: &str) -> String {
        match text.is_empty() {
            true => String::new(),
            false => format!("{}{text}{END}", self.begin()),
        }
    }
}

/// Everything a painted text has beside its letters.
pub const SIGNS: [&str; 6] = [
    END,
    Paint::Strong.begin(),
    Paint::Faint.begin(),
    Paint::Much.begin(),
    Paint::Good.begin(),
    Paint::Bad.begin(),
];
