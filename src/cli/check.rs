//! `grapeshot check`.

use super::output::Output;
use super::{CliError, printable};
use clap::Args;
use grapeshot_rules::RuleError;
use grapeshot_rules::drill::{self, Weight};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// A ruleset: a folder with its text, or the text
    #[arg(value_name = "DIR")]
    rules: String,
    /// Check again whenever a file of it is saved, until Ctrl-C
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot check my-rules
        everything that is wrong, with file, line and column
  grapeshot check my-rules --watch
        the same, again after every save
  grapeshot check my-rules --format json
        for an editor

Exit code 0 if it works, 2 if not. It looks at what cannot be (names, types, ranges, cases with a gap, ends
that no procedure knows, cells of no kind), plays the examples and expectations of the text, asks random
questions, and names keys without effect, words never reached, modifiers that never count, rules that nobody
calls, and lines that no example holds.";

/// How often a watched file is looked at.
const EVERY: Duration = Duration::from_millis(250);

pub(super) fn run(args: &CheckArgs) -> Result<String, CliError> {
    let path = drill::file_of(&args.rules).ok_or_else(|| {
        RuleError::Other(format!(
            "`{}` is no folder and no file; a ruleset is a folder with a text, or the text: grapeshot new {} makes one",
            args.rules, args.rules
        ))
    })?;
    if args.watch {
        return watch(args, &path);
    }
    once(args, &path)
}

fn once(args: &CheckArgs, path: &Path) -> Result<String, CliError> {
    let destination = args.output.open()?;
    let checked = drill::check(path);
    let text = destination.deliver(&checked)?;
    match checked.count(Weight::Error) {
        0 => Ok(text),
        _ => Err(CliError::Faults(text)),
    }
}

/// Checks, and checks again when the file has changed; ends when nobody reads on, or with Ctrl-C.
fn watch(args: &CheckArgs, path: &Path) -> Result<String, CliError> {
    let of = |path: &Path| -> Option<(SystemTime, u64)> {
        let data = std::fs::metadata(path).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    let folder = if path.is_dir() {
        path
    } else {
        path.parent().unwrap_or(path)
    };
    // Every file beside it: a text may use another.
    let stamp = || {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
        files.sort();
        let files = files.into_iter().map(|file| (of(&file), file));
        (of(path), files.collect::<Vec<_>>())
    };
    loop {
        let seen = stamp();
        let text = match once(args, path) {
            Ok(text) | Err(CliError::Faults(text)) => text,
            Err(other) => return Err(other),
        };
        let mut out = std::io::stdout().lock();
        let told = write!(
            out,
            "{}",
            printable(&format!("{text}\nwatching {}\n\n", path.display()))
        )
        .and_then(|()| out.flush());
        drop(out);
        if told.is_err() {
            return Ok(String::new());
        }
        while stamp() == seen {
            std::thread::sleep(EVERY);
        }
    }
}
