//! Procedures whose states are too many to compile: played out from beginning to end, trial by trial.
//!
//! A [`Playout`] is as plain to write as [`Steps`](super::Steps): it works on a field of its own, which
//! may be large and is used again for every trial, and rolls the same [`Odds`](crate::dice::Odds) on
//! whatever dice it is handed. There is no graph, so nothing is solved. Rows would be nearly as many as
//! trials, so each variable is counted by itself ([`MarginalCounts`]): memory does not grow with the trials.
//!
//! Every trial has a generator of its own, fixed by its number. Two questions that share a seed thus
//! begin each trial with the same dice, which is what makes their difference sharp; and any one trial
//! can be told again as a story.

use super::graph::{Budget, CompileError, Graph};
use super::simulate::{DIRECT_BATCH, batch_tally};
use super::{DynSteps, End, Note, Row, Stream};
use crate::dice::{Dice, Drawn, DynDice, Sampled, Scripted};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Hears what happens in a trial.
pub trait Teller {
    /// What comes next, in a few words. It is only made if somebody listens.
    fn heading(&mut self, heading: impl FnOnce() -> String);

    /// One sentence. It is only made if somebody listens.
    fn tell(&mut self, sentence: impl FnOnce() -> String);

    /// Whether anybody listens.
    #[inline(always)]
    fn listens(&self) -> bool {
        true
    }
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Teller for Silent {
    #[inline(always)]
    fn heading(&mut self, _: impl FnOnce() -> String) {}

    #[inline(always)]
    fn tell(&mut self, _: impl FnOnce() -> String) {}

    #[inline(always)]
    fn listens(&self) -> bool {
        false
    }
}

/// A part of a story.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Chapter {
    /// What it is about; nothing before the first heading.
    #[serde(rename = "when")]
    pub heading: String,
    /// What happened, in order.
    pub sentences: Vec<String>,
}

/// Writes everything down.
#[derive(Debug, Clone, Default)]
pub struct Story(pub Vec<Chapter>);

impl Teller for Story {
    fn heading(&mut self, heading: impl FnOnce() -> String) {
        self.0.push(Chapter {
            heading: heading(),
            sentences: Vec::new(),
        });
    }

    fn tell(&mut self, sentence: impl FnOnce() -> String) {
        if self.0.is_empty() {
            self.0.push(Chapter::default());
        }
        if let Some(chapter) = self.0.last_mut() {
            chapter.sentences.push(sentence());
        }
    }
}

/// A procedure played out trial by trial.
pub trait Playout: Send + Sync {
    /// What a trial works on: made once, set up anew by each trial.
    type Field;

    /// The names of the phases in which a trial can end, in order.
    fn phases(&self) -> Vec<&str>;

    /// How many variables a row has.
    fn variables(&self) -> usize;

    /// Why it is never solved, as the end of a sentence that begins with "it cannot be solved exactly:".
    fn why_never_solved(&self) -> String;

    /// What went wrong in a trial, if something did: its result is then worth nothing.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// What is remarked on a question.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }

    /// An empty field.
    fn field(&self) -> Self::Field;

    /// Plays one trial.
    fn play<D: Dice, T: Teller>(
        &self,
        field: &mut Self::Field,
        dice: &mut D,
        teller: &mut T,
    ) -> End;
}

/// How often each value of each variable came up, each variable by itself; and how often the headline
/// had each value in each phase.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarginalCounts {
    values: Vec<Vec<u64>>,
    stages: Vec<Vec<u64>>,
}

impl MarginalCounts {
    fn add(&mut self, end: &End) {
        for (counts, &value) in self.values.iter_mut().zip(&end.row) {
            count(counts, usize::from(value));
        }
        let phase = usize::from(end.phase);
        if self.stages.len() <= phase {
            self.stages.resize(phase + 1, Vec::new());
        }
        count(&mut self.stages[phase], usize::from(end.row[0]));
    }

    /// Adds the counts of other trials; the order does not matter.
    pub(crate) fn merge(&mut self, other: &MarginalCounts) {
        for (mine, theirs) in [
            (&mut self.values, &other.values),
            (&mut self.stages, &other.stages),
        ] {
            mine.resize(mine.len().max(theirs.len()), Vec::new());
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                mine.resize(mine.len().max(theirs.len()), 0);
                for (mine, theirs) in mine.iter_mut().zip(theirs) {
                    // Of what adds up, which is all that is put together, none can be too large.
                    *mine = mine.saturating_add(*theirs);
                }
            }
        }
    }

    /// How often each variable had each value, by its number.
    pub(super) fn by_variable(&self) -> &[Vec<u64>] {
        &self.values
    }

    /// How often the headline had each value in each phase.
    pub(super) fn by_phase(&self) -> &[Vec<u64>] {
        &self.stages
    }

    /// Values that came up with their counts, for each variable.
    pub fn values(&self) -> impl Iterator<Item = Vec<(u16, u64)>> {
        self.values.iter().map(|counts| seen(counts))
    }

    /// Values of the headline with their counts, for each phase.
    pub fn stages(&self) -> impl Iterator<Item = Vec<(u16, u64)>> {
        self.stages.iter().map(|counts| seen(counts))
    }
}

fn count(counts: &mut Vec<u64>, value: usize) {
    if counts.len() <= value {
        counts.resize(value + 1, 0);
    }
    counts[value] += 1;
}

fn seen(counts: &[u64]) -> Vec<(u16, u64)> {
    let all = (0u16..).zip(counts.iter().copied());
    all.filter(|&(_, count)| count > 0).collect()
}

/// A [`Playout`] without its type, at the grain of a batch.
pub trait DynPlayout: Send + Sync {
    /// Plays the trials of a batch.
    fn batch(&self, stream: Stream, batch: u64, trials: u64, counts: &mut MarginalCounts);

    /// The end of each trial of a batch, in order: for comparing two questions trial by trial.
    fn ends(&self, stream: Stream, batch: u64, trials: u64) -> Vec<End>;

    /// One trial as a story, and how it ended.
    fn story(&self, seed: u64) -> (Vec<Chapter>, End);

    /// Why it is never solved.
    fn why_never_solved(&self) -> String;
}

/// The generator of each trial of a batch.
fn generators(stream: Stream, batch: u64, trials: u64) -> impl Iterator<Item = Xoshiro256PlusPlus> {
    let mut seeds = stream.batch(batch);
    (0..trials).map(move |_| Xoshiro256PlusPlus::seed_from_u64(seeds.next_u64()))
}

impl<P: Playout> DynPlayout for P {
    fn batch(&self, stream: Stream, batch: u64, trials: u64, counts: &mut MarginalCounts) {
        counts.values.resize(self.variables(), Vec::new());
        let mut field = self.field();
        for mut rng in generators(stream, batch, trials) {
            super::look_up();
            counts.add(&self.play(&mut field, &mut Drawn::new(&mut rng), &mut Silent));
        }
    }

    fn ends(&self, stream: Stream, batch: u64, trials: u64) -> Vec<End> {
        let mut field = self.field();
        generators(stream, batch, trials)
            .inspect(|_| super::look_up())
            .map(|mut rng| self.play(&mut field, &mut Drawn::new(&mut rng), &mut Silent))
            .collect()
    }

    fn story(&self, seed: u64) -> (Vec<Chapter>, End) {
        let mut story = Story::default();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let end = self.play(
            &mut self.field(),
            &mut DynDice(&mut Drawn::new(&mut rng)),
            &mut story,
        );
        (story.0, end)
    }

    fn why_never_solved(&self) -> String {
        Playout::why_never_solved(self)
    }
}

/// What each of so many trials counts, in order; batch by batch, so that the threads do not matter.
pub fn trial_by_trial(
    playout: &dyn DynPlayout,
    stream: Stream,
    trials: u64,
    score: impl Fn(&Row) -> f32 + Sync,
) -> Vec<f32> {
    let above = super::above();
    let batches: Vec<Vec<f32>> = (0..trials.div_ceil(DIRECT_BATCH))
        .into_par_iter()
        .map(|batch| {
            let number = batch_tally(batch, DIRECT_BATCH, trials);
            let ends = above.share(|| playout.ends(stream, batch, number));
            ends.iter().map(|end| score(&end.row)).collect()
        })
        .collect();
    batches.concat()
}

/// A playout as a procedure like any other.
#[derive(Debug)]
pub struct PlayoutSteps<P>(pub P);

impl<P: Playout> DynSteps for PlayoutSteps<P> {
    fn compile(&self, _: Budget) -> Result<Graph, CompileError> {
        Err(CompileError::NeverCompiled {
            why: self.0.why_never_solved(),
        })
    }

    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>) {
        let mut field = self.0.field();
        for _ in 0..trials {
            let end = self.0.play(
                &mut field,
                &mut DynDice(&mut Sampled::new(rng)),
                &mut Silent,
            );
            *counts.entry(end).or_default() += 1;
        }
    }

    fn replay(&self, dice: &mut Scripted) -> End {
        self.0
            .play(&mut self.0.field(), &mut DynDice(dice), &mut Silent)
    }

    fn phases(&self) -> Vec<&str> {
        self.0.phases()
    }

    fn trouble(&self) -> Option<String> {
        self.0.trouble()
    }

    fn notes(&self) -> Vec<Note> {
        self.0.notes()
    }

    fn played_out(&self) -> Option<&dyn DynPlayout> {
        Some(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Odds, Throw};
    use crate::dist::{Distribution, Variable};
    use crate::engine::{Answer, Compiled, EngineError, Method, Plan, Stop, Watch, row};

    /// Throws a die until it shows a six; says how often, and whether the last but one was a five.
    struct UntilSix(Odds<i32>);

    impl Playout for UntilSix {
        type Field = u16;

        fn phases(&self) -> Vec<&str> {
            vec!["at once", "later"]
        }

        fn variables(&self) -> usize {
            2
        }

        fn why_never_solved(&self) -> String {
            "nobody knows how long it takes".into()
        }

        fn field(&self) -> u16 {
            0
        }

        fn play<D: Dice, T: Teller>(&self, field: &mut u16, dice: &mut D, teller: &mut T) -> End {
            *field = 0;
            let mut five = false;
            loop {
                *field += 1;
                let face = self.0.roll(dice);
                teller.tell(|| format!("a {face}"));
                if face == 6 {
                    return End {
                        row: row(&[u16::from(five), *field]),
                        phase: u8::from(*field > 1),
                    };
                }
                five = face == 5;
            }
        }
    }

    fn until_six() -> PlayoutSteps<UntilSix> {
        PlayoutSteps(UntilSix(Odds::new(Throw::d6(), |face| face)))
    }

    fn answer(play: &dyn DynSteps, method: Method, stop: Stop) -> Result<Answer, EngineError> {
        let plan = Plan {
            method,
            stop,
            stream: Stream::common(1863),
        };
        Compiled::new(play, Budget::default())?.answer(&plan, &Watch::default())
    }

    fn odds(stop: Stop) -> Distribution {
        let play = until_six();
        let answer = answer(&play, Method::Auto, stop).unwrap();
        let variables = vec![
            Variable::yes_no("five", "the last but one was a five"),
            Variable::count("throws", "how many it took"),
        ];
        answer.distribution(variables, &play.phases(), 1863)
    }

    #[test]
    fn variables_are_counted_apart_and_agree_with_what_is_known() {
        let odds = odds(Stop::Trials(400_000));
        let throws = odds.marginal("throws").unwrap();
        assert!((throws.mean() - 6.0).abs() < 5.0 * throws.standard_error().unwrap());
        // A five just before the end: five sixths take two throws or more, a fifth of those.
        let five = odds.marginal("five").unwrap().p("yes");
        assert!((five - 1.0 / 6.0).abs() < 0.003, "{five}");
        let stages = odds.stages();
        assert!((stages[0].goes_on - 5.0 / 6.0).abs() < 0.003);
        assert!(stages[1].goes_on.abs() < 1e-12);
    }

    #[test]
    fn precision_ends_it_and_exactness_is_refused_with_the_reason() {
        let half_width = 0.002;
        let at_most = 10_000_000;
        let odds = odds(Stop::Precision {
            half_width,
            at_most,
        });
        let widest = odds.marginal_at(0).widest_half_width().unwrap();
        assert!(widest <= half_width && odds.source().trials().unwrap() < at_most);
        let refused = answer(&until_six(), Method::Exact, Stop::Trials(1)).unwrap_err();
        assert_eq!(
            refused,
            EngineError::NeverSolved("nobody knows how long it takes".into())
        );
    }

    #[test]
    fn a_batch_is_the_same_counted_or_listed_and_a_story_tells_one_trial() {
        let play = until_six().0;
        let stream = Stream::common(7);
        let mut counts = MarginalCounts::default();
        play.batch(stream, 3, 500, &mut counts);
        let mut listed = MarginalCounts::default();
        listed.values.resize(2, Vec::new());
        for end in play.ends(stream, 3, 500) {
            listed.add(&end);
        }
        assert_eq!(counts, listed);
        let (story, end) = play.story(11);
        assert_eq!(story.len(), 1);
        assert_eq!(story[0].sentences.len(), usize::from(end.row[1]));
        assert_eq!(story[0].sentences.last().unwrap(), "a 6");
    }

    #[test]
    fn only_what_came_up_is_listed() {
        let odds = odds(Stop::Trials(5000));
        let marginals = odds.marginals();
        let values = marginals.iter().flat_map(|marginal| marginal.values());
        assert!(values.clone().all(|value| value.p > 0.0));
        // Who throws thirty times or more is alone there.
        let longest = values.map(|value| value.number).fold(0.0, f64::max);
        assert!(longest as usize > marginals[1].values().len(), "{longest}");
        let stages = odds.stages();
        assert_eq!(stages[0].phase, "at once");
        assert_eq!(stages[0].ended.len(), 1, "no five before the first throw");
    }

    #[test]
    fn trials_are_scored_in_their_order_and_dice_thrown_one_by_one_agree() {
        let play = until_six();
        let stream = Stream::common(7);
        let trials = DIRECT_BATCH + 10;
        let scores = trial_by_trial(&play.0, stream, trials, |row| f32::from(row[1]));
        let ends = [(0, DIRECT_BATCH), (1, 10)].map(|(batch, n)| play.0.ends(stream, batch, n));
        let throws: Vec<f32> = (ends.iter().flatten())
            .map(|end| f32::from(end.row[1]))
            .collect();
        assert_eq!(scores, throws);
        let mut counts = FxHashMap::default();
        play.play(&mut stream.batch(0), trials, &mut counts);
        assert_eq!(counts.values().sum::<u64>(), trials);
        let at_once = End {
            row: row(&[0, 1]),
            phase: 0,
        };
        // A sixth of 4,106, within five standard deviations of 24.
        assert!(counts[&at_once].abs_diff(684) < 120);
    }

    #[test]
    fn stretches_put_together_are_the_whole() {
        let play = until_six();
        let piece = crate::engine::piece_size(&play);
        assert_eq!(piece, DIRECT_BATCH);
        let trials = 2 * piece + 100;
        let batch_range = |from: u64, to: u64| {
            let compiled = Compiled::new(&play, Budget::default()).unwrap();
            compiled.batch_range(Stream::common(3), from..to, trials, &Watch::default())
        };
        let parts = batch_range(piece, trials).and(batch_range(0, piece));
        let whole = batch_range(0, trials);
        assert_eq!(whole.trials(), trials);
        assert_eq!(parts, Some(whole));
    }

    #[test]
    fn a_story_has_chapters() {
        let mut story = Story::default();
        story.tell(|| "before".into());
        story.heading(|| "first".into());
        story.tell(|| "then".into());
        let told: Vec<(&str, usize)> = (story.0.iter())
            .map(|chapter| (chapter.heading.as_str(), chapter.sentences.len()))
            .collect();
        assert_eq!(told, [("", 1), ("first", 1)]);
    }
}
