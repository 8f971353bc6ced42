//! `grapeshot skill`.

use super::CliError;
use super::answering::Answering;
use super::decide::which;
use super::output::{ChartArgs, Output};
use super::subject::About;
use super::waiting::waiting;
use clap::Args;
use grapeshot_rules::Options;
use grapeshot_study::decide::skill;

/// Arguments of `skill`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SkillArgs {
    #[command(flatten)]
    about: About,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot skill elephant standoff
        what best play gains over playing at random, turn by turn and by plan; what each action adds
  grapeshot skill gbacw standoff b.choices=all
        the same where the enemy chooses too: how much dice decide, and how much each side
  grapeshot skill acw28 approach goal=win --charts .
        with a picture";

pub(super) fn run(args: &SkillArgs) -> Result<String, CliError> {
    let why =
        "what play is worth is solved over every roll of the dice, so there is nothing to simulate";
    args.answering.solving(why)?;
    let question = args.about.asked("skill")?;
    if question.said.procedure.is_none() {
        return Err(which(&question, "skill")?.into());
    }
    let question = args.about.question("skill", &args.answering.variant)?;
    let loaded = question.load()?;
    let decision = loaded.decision(question.procedure())?;
    let (given, unused) = question.heard(&loaded, &decision.procedure)?;
    let settings = decision.procedure.resolve(given)?;
    let destination = args.output.open_with(&args.charts)?.noting(unused);
    let options = args.answering.over(Options::exact());
    let found = waiting(&options, || {
        skill(&loaded, &decision, &settings, options.budget)
    })?;
    destination.deliver(&found)
}
