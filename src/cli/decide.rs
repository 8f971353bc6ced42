//! `grapeshot decide`.

use super::CliError;
use super::answering::Answering;
use super::output::{ChartArgs, Output, check_file, draw, picture_endings, picture_format};
use super::subject::About;
use super::waiting::waiting;
use crate::publish::file::write_file;
use crate::render::{DecideReport, OddsReport, PlanReport, Verdict};
use clap::Args;
use grapeshot_charts::PictureFormat;
use grapeshot_engine::dist::Distribution;
use grapeshot_rules::{Options, Question, RuleError};
use grapeshot_study::decide::{decide, play_plan};
use std::path::{Path, PathBuf};

/// Arguments of `decide`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DecideArgs {
    #[command(flatten)]
    about: About,
    /// The odds under a fixed plan instead, phase by phase, such as "fire 2 then charge"
    #[arg(long, value_name = "PLAN")]
    plan: Option<String>,
    /// Draw the policy into this file as well, .svg, .png or .pdf: own losses by the enemy's, turn by turn
    #[arg(long, value_name = "FILE", conflicts_with = "plan")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    charts: ChartArgs,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot decide elephant standoff a.grade=veteran b.cover=hard
        fire, charge or withdraw: what each is worth, and when to change one's mind
  grapeshot decide gbacw standoff goal=win b.choices=all
        the same when the enemy chooses too
  grapeshot decide standoff --file fight.toml
        of a fight that is described once, for every question
  grapeshot decide fireline standoff --plan \"fire 2 then charge\"
        what happens if I do this, then that
  grapeshot decide acw28 approach distance=45 --format csv
        what to do in every state that can come up";

pub(super) fn run(args: &DecideArgs) -> Result<String, CliError> {
    let why = "what to do is solved over every roll of the dice, so there is nothing to simulate";
    args.answering.solving(why)?;
    let question = args.about.asked("decide")?;
    if question.said.procedure.is_none() {
        return Err(which(&question, "decide")?.into());
    }
    let question = args.about.question("decide", &args.answering.variant)?;
    let loaded = question.load()?;
    let decision = loaded.decision(question.procedure())?;
    let (given, unused) = question.heard(&loaded, &decision.procedure)?;
    let settings = decision.procedure.resolve(given)?;
    let notes = decision.procedure.notes.iter().cloned().chain(unused);
    let notes: Vec<String> = notes.collect();
    let destination = args.output.open_with(&args.charts)?;
    let style = args.charts.styling.read()?.unwrap_or_default();
    let picture = args.chart.as_deref().map(drawing).transpose()?;
    let options = args.answering.over(Options::exact());
    let odds = |odds: Distribution| OddsReport {
        verdict: Verdict::of(&odds),
        rules: loaded.id().to_owned(),
        procedure: decision.procedure.name.to_string(),
        variants: loaded.variant_names(),
        settings: settings.clone(),
        odds,
        notes: notes.clone(),
        stages: None,
        joint: None,
    };
    match &args.plan {
        None => {
            let decided = waiting(&options, || decide(&decision, &settings, options.budget))?;
            let report = DecideReport {
                odds: odds(decided.odds.clone()),
                decided,
            };
            if let Some((path, format)) = picture {
                let chart = report.chart().ok_or_else(|| {
                    CliError::write(&path, "there is no policy to draw: nobody has a choice")
                })?;
                let bytes = draw(&chart.in_style(&style), format)?;
                write_file(&path, &bytes).map_err(|error| CliError::write(&path, error))?;
            }
            destination.deliver(&report)
        }
        Some(plan) => {
            let planned = waiting(&options, || {
                play_plan(&decision, &settings, options.budget, plan)
            })?;
            destination.deliver(&PlanReport {
                odds: odds(planned.odds.clone()).with_stages(true),
                planned,
            })
        }
    }
}

/// What there is to decide in a ruleset, for who did not say: each as this command asks it.
pub(super) fn which(question: &Question, command: &str) -> Result<RuleError, RuleError> {
    let (loaded, rules) = (question.load()?, question.ruleset.as_command());
    let decisions = loaded.decisions()?;
    Ok(match &decisions[..] {
        // Whatever is asked, it says why there is nothing.
        [] => loaded
            .decision("")
            .err()
            .unwrap_or_else(|| RuleError::Other(String::new())),
        some => {
            let known = some.iter().map(|decision| {
                let procedure = &decision.procedure;
                format!(
                    "\n  grapeshot {command} {rules} {}: {}",
                    procedure.name, procedure.about
                )
            });
            RuleError::Other(format!(
                "no procedure given; in {rules} can be decided:{}",
                known.collect::<String>()
            ))
        }
    })
}

/// The format of a chart's file: known before anything is computed.
fn drawing(path: &Path) -> Result<(PathBuf, PictureFormat), CliError> {
    let problem = || format!("a chart is drawn as {}", picture_endings());
    let format = picture_format(path).ok_or_else(|| CliError::write(path, problem()))?;
    check_file(path)?;
    Ok((path.to_owned(), format))
}
