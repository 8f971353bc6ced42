//! `grapeshot odds`.

use super::CliError;
use super::answering::Answering;
use super::output::Output;
use super::subject::About;
use crate::render::{OddsReport, StoryReport};
use crate::rules::RuleError;
use clap::Args;

/// Arguments of `odds`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct OddsArgs {
    #[command(flatten)]
    about: About,
    /// Show the way phase by phase: where trials end, and how
    #[arg(long)]
    stages: bool,
    /// Show every distinct outcome with its probability
    #[arg(long)]
    joint: bool,
    /// Tell one trial of a battle as a story, turn by turn; the same seed tells the same story
    #[arg(long, value_name = "SEED", conflicts_with_all = ["stages", "joint"])]
    trace: Option<u64>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot odds elephant charge attacker.grade=veteran attacker.stands=10 defender.cover=wall
        what a charge comes to, with expected losses
  grapeshot odds elephant charge --stages
        of 100 charges, how many are stopped by the first volley, by the second …
  grapeshot odds elephant fire range=250 firer.weapon=musket --format json
        for a program
  grapeshot odds elephant firefight --method simulate --precision 0.0005 --seed 1863
        simulate until the headline is known to a twentieth of a point
  grapeshot odds charge --file fight.toml attacker.stands=12 --variant house.toml --out charge.html
        a fight from a file, one key changed, under a house rule, as a page
  grapeshot odds morale --file fight.toml --unit defender
        the same fight asked of another procedure, about the other side
  grapeshot odds acw28 battle attacker.units=6 'defender.classes=A+2*B' --trace 1863
        one battle of brigades, told turn by turn";

pub(super) fn run(args: &OddsArgs) -> Result<String, CliError> {
    let subject = args.about.subject("odds")?;
    let loaded = subject.load(&args.answering.variant)?;
    let procedure = loaded.procedure(&subject.procedure)?;
    let (given, unused) = subject.heard(&loaded, procedure)?;
    let settings = procedure.resolve(given)?;
    let destination = args.output.open()?;
    let options = args.answering.once();
    let situation = procedure.situation(settings)?;
    if let Some(seed) = args.trace {
        return destination.deliver(&StoryReport::new(&loaded, procedure, &situation, seed)?);
    }
    let answered = options.on_threads(|| situation.answer(&options))?;
    if args.joint && !answered.odds.is_joint() {
        let problem = format!(
            "--joint is not for {}: it counts each variable by itself, since its outcomes are nearly as many as its trials",
            procedure.name
        );
        return Err(RuleError::Other(problem).into());
    }
    let max_states = args.answering.max_states;
    let mut report = OddsReport::answered(&loaded, procedure, answered, max_states);
    report.notes.extend(unused);
    if let (Some(wanted), Some(trials)) = (args.answering.precision, report.odds.source().trials())
    {
        let reached = report
            .odds
            .marginal_at(0)
            .widest_half_width()
            .unwrap_or(0.0);
        let verdict = if reached <= wanted {
            "reached"
        } else {
            "not reached"
        };
        report.notes.push(format!(
            "precision {wanted} {verdict}: the widest headline half-width is {reached:.6} after {} trials",
            crate::wording::grouped(trials)
        ));
    } else if args.answering.precision.is_some() {
        report
            .notes
            .push("solved exactly, so --precision was not needed".into());
    }
    (report.stages, report.joint) = (args.stages, args.joint);
    destination.deliver(&report)
}
