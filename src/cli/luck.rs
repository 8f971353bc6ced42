//! `grapeshot luck`.

use super::CliError;
use super::answering::Answering;
use super::output::Output;
use super::scenario;
use super::subject::About;
use super::waiting::waiting;
use crate::render::{GameReport, LuckReport};
use clap::{Args, ValueEnum};
use grapeshot_rules::RuleError;
use grapeshot_study::luck::{Did, LuckQuestion, Worse, game, luck, read_log};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments of `luck`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LuckArgs {
    #[command(flatten)]
    about: About,
    /// What happened (repeatable; the first counts first)
    #[arg(long, value_name = "VARIABLE=VALUE", conflicts_with = "log")]
    got: Vec<String>,
    /// What was decided, where somebody chooses, in order, with as much of the state as was noted
    /// (repeatable): "fire a_stands=8", "b: charge"
    #[arg(long, value_name = "ACTION", conflicts_with = "log")]
    did: Vec<String>,
    /// What counts as worse for a number [default: as it goes with success, else fewer]
    #[arg(long, value_enum, conflicts_with = "log")]
    worse: Option<WorseArg>,
    /// A whole game: a file of [[entry]] tables (.toml), or of lines as typed after `grapeshot luck`
    #[arg(long, value_name = "GAME", conflicts_with_all = ["words", "file"])]
    log: Option<PathBuf>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    output: Output,
}

/// What counts as worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WorseArg {
    /// Greater numbers.
    More,
    /// Smaller numbers.
    Fewer,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot luck elephant fire range=300 --got hits=0
        how rare is that, and how much worse could it have been?
  grapeshot luck elephant charge attacker.grade=veteran --got outcome=attacker-retreats
        what a lost charge did to the chance of success
  grapeshot luck gbacw standoff --did fire --did charge --got outcome=a-wins
        what was luck, and what was judgement?
  grapeshot luck --log game.toml
        a whole game: how many games are unluckier?";

pub(super) fn run(args: &LuckArgs) -> Result<String, CliError> {
    let options = args.answering.once();
    let variants = scenario::variants(&args.answering.variant)?;
    let destination = args.output.open()?;
    if let Some(path) = &args.log {
        let file = path.display().to_string();
        let log = read_log(&file, &grapeshot_rules::read_text(path)?, options, |name| {
            let ruleset = grapeshot_rules::find(name)?;
            let own: Vec<_> = variants
                .iter()
                .filter(|v| ruleset.takes(v))
                .cloned()
                .collect();
            ruleset.load(&own).map(Arc::new)
        })?;
        let seed = args.answering.seed.unwrap_or(SEED);
        let game = waiting(&options, || game(&log, seed))?;
        return destination.deliver(&GameReport { file, game });
    }
    let question = args.about.question("luck", &args.answering.variant)?;
    let loaded = Arc::new(question.load()?);
    let decision = loaded.decision(question.procedure()).ok();
    let (given, unused) = match (loaded.procedure(question.procedure()), &decision) {
        (_, Some(decision)) if !args.did.is_empty() => {
            question.heard(&loaded, &decision.procedure)?
        }
        (Ok(procedure), _) => question.heard(&loaded, procedure)?,
        (Err(_), Some(decision)) => question.heard(&loaded, &decision.procedure)?,
        (Err(unknown), None) => return Err(unknown.into()),
    };
    let asked = LuckQuestion {
        loaded,
        procedure: question.procedure().to_owned(),
        given,
        got: args.got.clone(),
        did: args
            .did
            .iter()
            .map(|did| Did::parse(did))
            .collect::<Result<_, RuleError>>()?,
        worse: args.worse.map(|worse| match worse {
            WorseArg::More => Worse::More,
            WorseArg::Fewer => Worse::Fewer,
        }),
        options,
    };
    let luck = waiting(&options, || luck(&asked))?;
    let notes = unused.into_iter().collect();
    destination.deliver(&LuckReport::new(luck, notes))
}

/// The seed of a sum that has to be simulated, so that a log gives the same answer twice.
const SEED: u64 = 1863;
