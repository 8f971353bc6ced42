//! `grapeshot check`.

use super::output::Output;
use super::{CliError, printable};
use clap::Args;
use grapeshot_rules::RuleError;
use grapeshot_rules::file::{self, Limits, Weight};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// A ruleset: a folder with a ruleset.toml, or that file
    #[arg(value_name = "DIR")]
    rules: String,
    /// Check again whenever the file is saved, until Ctrl-C
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

Exit code 0 if it works, 2 if not. It looks at tables that are short or miss a face, unknown names,
steps that end without a result, labels and steps that are never reached, settings without effect,
whether solved, simulated and directly played odds agree, and the file's own [[expect]] entries.";

/// How often a watched file is looked at.
const EVERY: Duration = Duration::from_millis(250);

pub(super) fn run(args: &CheckArgs) -> Result<String, CliError> {
    let path = file::file_of(&args.rules).ok_or_else(|| {
        RuleError::Other(format!(
            "`{}` is no folder and no file; a ruleset is a folder with a {}, or that file: grapeshot new {} makes one",
            args.rules,
            file::FILE,
            args.rules
        ))
    })?;
    if args.watch {
        return watch(args, &path);
    }
    once(args, &path)
}

fn once(args: &CheckArgs, path: &Path) -> Result<String, CliError> {
    let destination = args.output.open()?;
    let checked = file::check(path, Limits::default());
    let text = destination.deliver(&checked)?;
    match checked.count(Weight::Error) {
        0 => Ok(text),
        _ => Err(CliError::Faults(text)),
    }
}

/// Checks, and checks again when the file has changed; ends when nobody reads on, or with Ctrl-C.
fn watch(args: &CheckArgs, path: &PathBuf) -> Result<String, CliError> {
    let stamp = || -> Option<(SystemTime, u64)> {
        let data = std::fs::metadata(path).ok()?;
        Some((data.modified().ok()?, data.len()))
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
