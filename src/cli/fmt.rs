//! `grapeshot fmt`.

use super::{CliError, output};
use clap::Args;
use grapeshot_rules::{RuleError, drill, read_text};
use std::path::PathBuf;

/// Arguments of `fmt`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FmtArgs {
    /// Texts in the rules language
    #[arg(value_name = "FILE.drill", required = true)]
    files: Vec<PathBuf>,
    /// Change nothing, and end with exit code 2 if a text is set otherwise
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot fmt my-rules/my-rules.drill
        even indents, single blanks, columns aligned; no line is broken or joined, and nothing is said differently
  grapeshot fmt my-rules/*.drill --check
        names the texts that are set otherwise";

pub(super) fn run(args: &FmtArgs) -> Result<String, CliError> {
    let mut texts = Vec::new();
    for file in &args.files {
        if file.extension().is_none_or(|ending| ending != "drill") {
            let problem = "is no text in the rules language: those end in .drill".into();
            let file = file.display().to_string();
            return Err(RuleError::File { file, problem }.into());
        }
        let text = read_text(file)?;
        let set = drill::format(&text);
        if set != text {
            texts.push((file, set));
        }
    }
    let names: Vec<String> = texts
        .iter()
        .map(|(file, _)| file.display().to_string())
        .collect();
    if args.check {
        return match names.is_empty() {
            true => Ok(String::new()),
            false => Err(RuleError::Other(format!("set otherwise: {}", names.join(", "))).into()),
        };
    }
    for (file, set) in texts {
        output::check_file(file)?;
        output::write_file(file, &set)?;
    }
    Ok(names.iter().map(|name| format!("set {name}\n")).collect())
}
