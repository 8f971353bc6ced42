//! `grapeshot condense`.

use super::CliError;
use super::answering::Answering;
use super::output::{ChartArgs, Output, check_file, write_new};
use super::subject::About;
use super::waiting::waiting;
use crate::render::CondenseReport;
use clap::Args;
use grapeshot_rules::RuleError;
use grapeshot_study::condense::{A_DIE, CondenseAsked, condense, faces};
use grapeshot_study::{Workbench, usual_options_of};
use std::path::PathBuf;

/// Arguments of `condense`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CondenseArgs {
    #[command(flatten)]
    about: About,
    /// The die that is rolled [default: d100]
    #[arg(long, value_name = "dN", value_parser = die, conflicts_with = "error")]
    die: Option<u32>,
    /// What stands down the side: key, key=a,b,c or key=from..to/step [default: grades]
    #[arg(long, value_name = "KEY[=VALUES]")]
    rows: Option<String>,
    /// What stands along the top, in the same way [default: cover]
    #[arg(long, value_name = "KEY[=VALUES]")]
    columns: Option<String>,
    /// The variable whose ends are rolled [default: how it ends]
    #[arg(long, value_name = "VARIABLE")]
    of: Option<String>,
    /// Take the smallest die that people have with which no chance is wrong by more than this, such as 2%
    #[arg(long, value_name = "P", value_parser = share)]
    error: Option<f64>,
    /// Let neighbouring lines change their order, if that is nearer
    #[arg(long)]
    free: bool,
    /// One column, and a modifier of the roll for each of the others
    #[arg(long)]
    modifiers: bool,
    /// Also write the chart as rules into this file, which must not be there yet
    #[arg(long, value_name = "CHART.drill")]
    write: Option<PathBuf>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot condense elephant charge --die d100 --rows attacker.grade --columns defender.cover
        a whole charge on one roll, and how far that is from the truth
  grapeshot condense elephant charge --error 5%
        on the smallest die with which no chance is wrong by more than 5 %
  grapeshot condense elephant charge --modifiers --write quick.drill
        one column with modifiers for cover, and the same as rules: grapeshot odds quick.drill charge
  grapeshot condense elephant fire --of hits --rows range=50,100,200 --columns firer.stands=6..12/2 --format latex
        hits of a volley, set for a book";

fn die(text: &str) -> Result<u32, String> {
    faces(text).ok_or_else(|| format!("allowed is {A_DIE}"))
}

fn share(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(hundredths) => hundredths.trim().parse::<f64>().map(|x| x / 100.0),
        None => text.parse::<f64>(),
    };
    match number {
        Ok(x) if x > 0.0 && x < 1.0 => Ok(x),
        _ => Err("allowed is a share above nought and below one, such as 2% or 0.02".into()),
    }
}

pub(super) fn run(args: &CondenseArgs) -> Result<String, CliError> {
    let question = args.about.question("condense", &args.answering.variant)?;
    let loaded = question.load()?;
    let procedure = loaded.playable(question.procedure())?;
    let options = args.answering.over(usual_options_of(procedure));
    let (workbench, note) = Workbench::of(&question, &loaded, options)?;
    let asked = CondenseAsked {
        die: args.die,
        rows: args.rows.clone(),
        columns: args.columns.clone(),
        of: args.of.clone(),
        error: args.error,
        free: args.free,
        modifiers: args.modifiers,
    };
    let style = args.charts.styling.read()?.unwrap_or_default();
    let mut destination = args.output.open_with(&args.charts)?.noting(note);
    if let Some(path) = &args.write {
        check_file(path)?;
        if path.exists() {
            let problem = "it is there already, and nothing is written over";
            return Err(CliError::write(path, problem));
        }
        if path.extension().is_none_or(|ending| ending != "drill") {
            let problem = "is written as rules; allowed is a name that ends in .drill";
            return Err(RuleError::argument("write", path.display(), problem).into());
        }
    }
    let found = waiting(&options, || condense(&workbench, &asked))?;
    if let Some(path) = &args.write {
        write_new(path, &found.text)?;
        destination = destination.noting([format!(
            "wrote {0}: grapeshot odds {0} {1}",
            path.display(),
            found.procedure
        )]);
    }
    destination.deliver(&CondenseReport { found, style })
}
