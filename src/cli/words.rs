//! `grapeshot words`.

use super::{CliError, printable};
use clap::Args;
use grapeshot_rules::read_text;
use grapeshot_study::{WordList, all_words, parse_style};
use std::fmt::Write;
use std::path::PathBuf;

/// Arguments of `words`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct WordsArgs {
    /// A file of style: list the words that it leaves in English
    #[arg(value_name = "STYLE.toml")]
    style: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot words > de.toml
        every word and sentence that is printed, with the English beside it: a dictionary to fill
  grapeshot words de.toml
        what the dictionary leaves in English; a word that stands for nothing is refused
  grapeshot run mine.toml --style de.toml
        a study in the words of the dictionary";

pub(super) fn run(args: &WordsArgs) -> Result<String, CliError> {
    let all = all_words()?;
    let Some(path) = &args.style else {
        return Ok(blank(&all));
    };
    let style = parse_style(&path.display().to_string(), &read_text(path)?)?;
    let missing = |(from, words): &WordList| {
        let words = words
            .iter()
            .filter(|(word, _)| style.words.get(word).is_none());
        (from.clone(), words.cloned().collect())
    };
    let missing: Vec<WordList> = all.iter().map(missing).collect();
    let count: usize = missing.iter().map(|(_, words)| words.len()).sum();
    let of: usize = all.iter().map(|(_, words)| words.len()).sum();
    let mut text = format!(
        "# {} leaves {count} of {of} words in English\n",
        printable(&path.display().to_string())
    );
    text += &listed(&missing);
    Ok(text)
}

/// A dictionary in which every word stands for itself.
fn blank(all: &[WordList]) -> String {
    let head = "# What is printed, and what stands for it. The left side is what the program says; the right side is yours.\n\
                # {1}, {2} … are gaps, in whatever order your language has them. What is left out stays English, and\n\
                # grapeshot words FILE lists it. [figure] has the decimals: \".\" or \",\".\n\n\
                [figure]\nlanguage = \".\"\n\n[words]\n";
    format!("{head}{}", listed(all))
}

fn listed(all: &[WordList]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::new();
    for (from, words) in all.iter().filter(|(_, words)| !words.is_empty()) {
        let _ = writeln!(text, "\n# {from}");
        for (word, said) in words {
            let _ = writeln!(text, "{} = {}", quoted(word), quoted(said));
        }
    }
    text
}
