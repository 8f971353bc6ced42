//! How much room there is.

use std::io::IsTerminal;

/// Characters in a line where there is no terminal to ask.
const USUAL: usize = 100;
/// No terminal is taken for narrower.
const LEAST: usize = 40;

/// Characters in a line: as `COLUMNS` says, else as the terminal is.
pub(super) fn width() -> usize {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|text| text.trim().parse::<usize>().ok());
    let seen = || {
        let terminal = std::io::stdout().is_terminal();
        let size = terminal.then(terminal_size::terminal_size).flatten();
        size.map(|(width, _)| usize::from(width.0))
    };
    said.filter(|&width| width > 0)
        .or_else(seen)
        .unwrap_or(USUAL)
        .max(LEAST)
}
