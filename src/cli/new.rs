//! `grapeshot new`.

use super::CliError;
use crate::publish::folder;
use clap::Args;
use grapeshot_rules::RuleError;
use grapeshot_rules::file;
use std::path::PathBuf;

/// Arguments of `new`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct NewArgs {
    /// The folder to make
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot new my-rules
        a small complete ruleset in my-rules/ruleset.toml, with comments that teach
  grapeshot check my-rules
        whether it holds together
  grapeshot odds my-rules charge
        and the first odds";

pub(super) fn run(args: &NewArgs) -> Result<String, CliError> {
    let path = args.dir.join(file::FILE);
    if path.exists() {
        return Err(CliError::write(
            &path,
            "it is there already, and is not overwritten",
        ));
    }
    if args.dir.exists() && !args.dir.is_dir() {
        return Err(CliError::write(&args.dir, "it is a file"));
    }
    let shown = args.dir.display().to_string();
    let text = file::template(&shown).map_err(RuleError::Other)?;
    folder::write_file(&path, text.as_bytes()).map_err(|error| CliError::write(&path, error))?;
    Ok(format!(
        "wrote {}\n\nnext: grapeshot check {shown}\n      grapeshot odds {shown} charge --stages\n",
        path.display()
    ))
}
