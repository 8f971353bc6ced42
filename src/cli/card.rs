//! `grapeshot card`.

use super::compare::{PageFormat, write_charts};
use super::{CliError, scenario};
use crate::publish::folder;
use crate::report::{card_charts, card_html, card_json, card_table};
use crate::rules::common::ID;
use crate::rules::{self, RuleError};
use crate::study::{Card, cards, compare_options};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `card`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CardArgs {
    /// Rulesets, separated by commas; all of them if not given
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub rules: Vec<String>,
    /// Lay a variant of any ruleset over its tables (repeatable)
    #[arg(long, value_name = "VARIANT.toml")]
    pub variant: Vec<PathBuf>,
    /// How to print: table, json or html
    #[arg(long, value_enum, default_value = "table")]
    pub format: PageFormat,
    /// Folder for the pages, one for each ruleset and one that compares them, and the chart
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot card
        what a grade, cover, a flank, a leader or more men are worth in every ruleset
  grapeshot card --rules elephant,acw28
        two of them
  grapeshot card --out cards
        as pages, with a chart";

pub(super) fn run(args: &CardArgs) -> Result<String, CliError> {
    if args.format == PageFormat::Csv {
        let problem = "`--format` cannot be `csv` for cards: allowed is table | json | html";
        return Err(RuleError::Other(problem.into()).into());
    }
    let common = rules::find(ID)?.load(&scenario::variants(&args.variant)?)?;
    let cards = cards(&common, &args.rules, &compare_options())?;
    let variants = common.variant_names();
    let html = |cards: &[Card]| card_html(cards).map_err(|error| CliError::Other(error.into()));
    let mut text = match args.format {
        PageFormat::Json => format!("{:#}\n", card_json(&cards, &variants)),
        PageFormat::Html => html(&cards)?,
        PageFormat::Table | PageFormat::Csv => card_table(&cards, &variants),
    };
    if let Some(out) = &args.out {
        let mut written = write_charts(out, &card_charts(&cards))?;
        written.push(page(out, "cards.html", &html(&cards)?)?);
        for card in &cards {
            let name = format!("card-{}.html", card.rules);
            written.push(page(out, &name, &html(std::slice::from_ref(card))?)?);
        }
        if args.format == PageFormat::Table {
            text += &format!("\nwritten: {}\n", written.join(", "));
        }
    }
    Ok(text)
}

fn page(out: &Path, name: &str, text: &str) -> Result<String, RuleError> {
    let path = out.join(name);
    folder::write_file(&path, text.as_bytes()).map_err(|error| RuleError::File {
        file: path.display().to_string(),
        problem: format!("cannot be written: {error}"),
    })?;
    Ok(path.display().to_string())
}
