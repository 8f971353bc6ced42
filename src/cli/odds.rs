//! `grapeshot odds`.

use super::CliError;
use super::answering::{Answering, MethodArg};
use super::merge::MergeArgs;
use super::output::Output;
use super::shard::{Parting, ShardArg, Sharding};
use super::subject::About;
use super::waiting::{SoFar, waiting_for};
use crate::publish::part::{Gathered, odds_asked};
use crate::render::{OddsReport, StoryReport, so_far as so_far_of};
use clap::Args;
use grapeshot_engine::dist::Distribution;
use grapeshot_engine::engine::Watch;
use grapeshot_rules::{Answered, Engines, Options, PartialAnswer, ReadyQuestion, RuleError};
use grapeshot_study::{ShardResult, deal};
use serde_json::Value;

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
    #[arg(long, value_name = "SEED", conflicts_with_all = ["stages", "joint", "shard"])]
    trace: Option<u64>,
    #[command(flatten)]
    answering: Answering,
    #[command(flatten)]
    sharding: Sharding,
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
        one battle of brigades, told turn by turn
  grapeshot odds elephant battle --trials 100000000 --seed 1863 --shard 3/16
        the third of sixteen shares, into part-3; grapeshot merge part-* says the whole";

pub(super) fn run(args: &OddsArgs) -> Result<String, CliError> {
    let asked = Asked::new(args)?;
    if let Some(shard) = &args.sharding.shard {
        return asked.share(shard);
    }
    let destination = args.output.open()?;
    let situation = asked.question.situation()?;
    if let Some(seed) = args.trace {
        let (loaded, procedure) = (&asked.question.loaded, asked.question.procedure());
        return destination.deliver(&StoryReport::new(loaded, procedure, &situation, seed)?);
    }
    let (options, so_far) = (&asked.options, SoFar::default());
    let says = so_far.clone();
    let watch = situation.telling(move |headline| says.say(so_far_of(headline)));
    let answered = waiting_for(options, watch, &so_far, |watch| {
        situation.answer_watched(options, watch)
    })?;
    destination.deliver(&asked.report(answered)?)
}

/// Says what all shards found together, as one machine would.
pub(super) fn merge(
    args: &OddsArgs,
    gathered: &Gathered,
    merging: &MergeArgs,
) -> Result<String, CliError> {
    let asked = Asked::new(args)?;
    gathered.check(&asked.asked())?;
    let output = Output {
        printing: merging.printing.clone(),
        out: merging.out.clone(),
    };
    let destination = output.open()?.repeating(&gathered.order.words, &output);
    let nothing = PartialAnswer::default();
    let found = match &gathered.kept[..] {
        [] => &nothing,
        [only] if (only.study, only.cell) == (0, 0) => &only.found,
        _ => {
            let problem = "the parts hold more than the one question that was asked";
            return Err(RuleError::Other(problem.into()).into());
        }
    };
    let situation = asked.question.situation()?;
    let answered = situation.answer_found(&asked.options, found)?;
    destination.deliver(&asked.report(answered)?)
}

/// A question as it was typed, read and checked.
struct Asked<'a> {
    args: &'a OddsArgs,
    question: ReadyQuestion,
    options: Options,
}

impl<'a> Asked<'a> {
    fn new(args: &'a OddsArgs) -> Result<Self, CliError> {
        let question = args.about.question("odds", &args.answering.variant)?;
        Ok(Asked {
            args,
            question: question.ready()?,
            options: args.answering.once(),
        })
    }

    /// What is asked, for a manifest.
    fn asked(&self) -> Value {
        let question = &self.question;
        odds_asked(
            &question.loaded,
            question.procedure(),
            &question.settings,
            &self.options,
        )
    }

    /// Does one shard's work and writes its part.
    fn share(&self, shard: &ShardArg) -> Result<String, CliError> {
        let answering = &self.args.answering;
        if answering.seed.is_none() && answering.method != MethodArg::Exact {
            let problem =
                "the shards of one question must have one seed: say --seed S with each of them";
            return Err(RuleError::Other(problem.into()).into());
        }
        let (situation, options) = (self.question.situation()?, &self.options);
        let pieces = situation.pieces(options, Engines::One)?;
        let output = &self.args.output;
        let out = output.out.as_deref();
        let parting = Parting::open(shard, out, self.asked(), false, &output.printing)?;
        parting.deliver(|shard| {
            let watch = Watch::default();
            let mut kept = Vec::new();
            for share in deal(&[pieces], shard) {
                let find = || situation.find(options, Engines::One, share.pieces, &watch);
                let found = options.on_threads(find)?;
                if found != PartialAnswer::default() {
                    let (study, cell) = (0, 0);
                    kept.push(ShardResult { study, cell, found });
                }
            }
            Ok(kept)
        })
    }

    /// What is said of the answer.
    fn report(&self, answered: Answered) -> Result<OddsReport, CliError> {
        let args = self.args;
        let procedure = self.question.procedure();
        if args.joint && !answered.odds.is_joint() {
            let problem = format!(
                "--joint is not for {}: it counts each variable by itself, since its outcomes are nearly as many as its trials",
                procedure.name
            );
            return Err(RuleError::Other(problem).into());
        }
        let max_states = args.answering.budget().states;
        let mut report =
            OddsReport::answered(&self.question.loaded, procedure, answered, max_states);
        report.notes.extend(self.question.unused.clone());
        report
            .notes
            .extend(precision_note(args.answering.precision, &report.odds));
        Ok(report.with_stages(args.stages).with_joint(args.joint))
    }
}

/// Whether the precision that was asked for was reached.
fn precision_note(precision: Option<f64>, odds: &Distribution) -> Option<String> {
    let wanted = precision?;
    let Some(trials) = odds.source().trials() else {
        return Some("solved exactly, so --precision was not needed".into());
    };
    let reached = odds.marginal_at(0).widest_half_width().unwrap_or(0.0);
    let verdict = match reached <= wanted {
        true => "reached",
        false => "not reached",
    };
    Some(format!(
        "precision {wanted} {verdict}: the widest headline half-width is {reached:.6} after {} trials",
        grapeshot_study::wording::grouped(trials)
    ))
}
