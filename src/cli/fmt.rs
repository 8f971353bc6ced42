//! `grapeshot fmt`.

use super::{CliError, output};
use clap::Args;
use grapeshot_rules::{RuleError, drill, read_text};
use std::path::PathBuf;

/// Arguments of `fmt`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FmtArgs {
    /// Texts in the rules language, or folders of them
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
  grapeshot fmt my-rules --check
        names the texts of a folder that are set otherwise";

pub(super) fn run(args: &FmtArgs) -> Result<String, CliError> {
    let mut texts = Vec::new();
    for file in &texts_of(&args.files)? {
        if file.extension().is_none_or(|ending| ending != "drill") {
            let problem = "is no text in the rules language: those end in .drill".into();
            let file = file.display().to_string();
            return Err(RuleError::File { file, problem }.into());
        }
        let text = read_text(file)?;
        let set = drill::format(&text);
        if set != text {
            texts.push((file.clone(), set));
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
        output::check_file(&file)?;
        output::write_file(&file, &set)?;
    }
    Ok(names.iter().map(|name| format!("set {name}\n")).collect())
}

/// The files, and of a folder the texts in it.
fn texts_of(named: &[PathBuf]) -> Result<Vec<PathBuf>, RuleError> {
    let mut all = Vec::new();
    for path in named {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let wrong = |problem: String| RuleError::File {
            file: path.display().to_string(),
            problem,
        };
        let entries = std::fs::read_dir(path).map_err(|error| wrong(error.to_string()))?;
        let files = entries.flatten().map(|entry| entry.path());
        let is_text = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "drill");
        let mut texts: Vec<PathBuf> = files.filter(is_text).collect();
        if texts.is_empty() {
            return Err(wrong("there is no text in it that ends in .drill".into()));
        }
        texts.sort();
        all.extend(texts);
    }
    Ok(all)
}
