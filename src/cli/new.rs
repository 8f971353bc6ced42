//! `grapeshot new`.

use super::{CliError, output};
use clap::Args;
use grapeshot_rules::{RuleError, drill};
use std::path::PathBuf;

/// Arguments of `new`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct NewArgs {
    /// The folder to make; a ruleset that is there is never overwritten
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot new my-rules
        a small complete ruleset in my-rules/my-rules.drill, with comments that teach
  grapeshot check my-rules
        whether it holds together
  grapeshot odds my-rules charge
        and the first odds";

pub(super) fn run(args: &NewArgs) -> Result<String, CliError> {
    if args.dir.exists() && !args.dir.is_dir() {
        return Err(CliError::write(&args.dir, "it is a file"));
    }
    let shown = args.dir.display().to_string();
    let (file, text) = drill::template(&shown).map_err(RuleError::Other)?;
    let path = args.dir.join(file);
    output::write_new(&path, &text)?;
    Ok(format!(
        "wrote {}\n\nnext: grapeshot check {shown}\n      grapeshot odds {shown} charge --stages\n",
        path.display()
    ))
}
