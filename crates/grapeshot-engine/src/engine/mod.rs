//! Two engines over one description of a procedure.
//!
//! A procedure is a set of [`Steps`]: a small state and what the dice make of it. Rule code runs
//! only while the steps are compiled into a [`Graph`] of merged states (once per distinct state,
//! on dice that take every face). [`solve`](fn@solve) pushes all the mass through that graph once;
//! [`simulate`](fn@simulate) walks it millions of times, drawing every step. Steps can also be run
//! directly on sampled dice: slowly, but without any of the graph's machinery, which makes that
//! path the fallback for graphs over their budget and a third opinion for the tests.
//!
//! A state may also offer a side a choice ([`Steps::offer`]). Such steps compile into a [`Game`], whose
//! best play is found backwards from the ends ([`Game::best`]); under any policy the game collapses
//! into an ordinary graph again ([`Game::collapse`]). The engine knows nothing of what is wanted but
//! a number per finished row.

mod batch_range;
#[cfg(test)]
mod choice_tests;
mod collapse;
mod compile;
mod direct;
mod ended;
mod flaw;
mod game;
mod graph;
mod hindsight;
mod induce;
mod numbered;
#[cfg(test)]
mod paper_tests;
mod play;
mod playout;
mod relabel;
mod simulate;
mod solve;
mod streams;
mod walk;

pub use batch_range::piece_size;
pub use direct::{play_once, play_policy};
pub use ended::{Above, Dear, Stopped, Work, above, doing, look_up};
pub use flaw::AnswerFlaw;
pub use game::{Choice, Game};
pub use graph::{Budget, CompileError, Graph};
pub use hindsight::{Hindsight, Met};
pub use induce::BestPlay;
pub use induce::{AtRandom, TIE, Taking};
pub use play::{Answer, Compiled, DynSteps, EngineError, Method, Plan, Stop};
pub use playout::{
    Chapter, DynPlayout, MarginalCounts, Playout, PlayoutSteps, Silent, Story, Teller,
    trial_by_trial,
};
pub use relabel::{Note, NoteKind, Relabelled, Relabelling};
pub use simulate::{Engine, Tally, Watch, simulate};
pub use solve::solve;
pub use streams::{Stream, fresh_seed, splitmix64};

pub use crate::dist::{End, MOST_VARIABLES, Row, row};

use crate::dice::{Dice, Ways};
use std::fmt::Debug;
use std::hash::Hash;

/// Where a step leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next<S> {
    /// On to another state of the same turn.
    Go(S),
    /// The turn is over and the next begins in this state; only with a [`Clock`].
    NextTurn(S),
    /// Finished.
    Done(Row),
}

impl<S> Next<S> {
    /// The same step seen from a procedure of which this one is a part.
    pub fn map<T>(self, state: impl FnOnce(S) -> T) -> Next<T> {
        match self {
            Next::Go(next) => Next::Go(state(next)),
            Next::NextTurn(next) => Next::NextTurn(state(next)),
            Next::Done(row) => Next::Done(row),
        }
    }

    /// Two sides act in turn: after the first side the other acts, after the second a new turn begins.
    pub fn after_side(side: usize, next: S) -> Self {
        match side {
            0 => Next::Go(next),
            _ => Next::NextTurn(next),
        }
    }
}

/// A procedure played in turns: the engine counts them, so that states need not, and a fifty-turn
/// fight has no more states than the fight has positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The turn in which the procedure starts.
    pub first: u16,
    /// The last turn; when it is over, [`Steps::time_up`] ends the trial.
    pub last: u16,
    /// The variable that reports the turn; the engine fills it in. What a row holds there is taken off:
    /// a turn that was begun and not played, because a side left instead.
    pub variable: usize,
}

impl Clock {
    /// Puts the turn into a row that ends in it.
    pub(crate) fn fill(&self, row: &mut Row, turn: u16) {
        row[self.variable] = turn - row[self.variable];
    }

    /// Turns from the first to the last that may be played, reported by this variable.
    pub fn turns(last: u16, variable: usize) -> Self {
        Clock {
            first: 1,
            last,
            variable,
        }
    }
}

/// Who makes a choice: the side whose value is asked for, or the other, which makes it small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Chooser {
    /// The side that asks: takes the action of greatest value.
    Asking,
    /// Its enemy: takes the action of least value.
    Enemy,
}

/// What a side may do where it does not roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer<S> {
    /// Who chooses.
    pub chooser: Chooser,
    /// Each action by its number, ascending, and where it leads. Of actions that are worth the same
    /// the first is taken, so the numbers are the order of ties. One action is no choice: it is
    /// played as a step that rolls nothing.
    pub actions: Vec<(u16, Next<S>)>,
}

/// A procedure with all its settings and tables looked up, as a machine of small states.
pub trait Steps: Send + Sync {
    /// Everything that must be remembered between two rolls, and nothing else.
    type State: Copy + Eq + Hash + Ord + Debug + Send + Sync;

    /// The names of the phases, in the order in which they are usually played.
    fn phases(&self) -> Vec<&str>;

    /// Where a trial begins.
    fn start(&self) -> Self::State;

    /// The phase a state belongs to: a position in [`Steps::phases`].
    fn phase(&self, state: &Self::State) -> usize;

    /// Plays one step.
    fn step<D: Dice>(&self, state: Self::State, dice: &mut D) -> Next<Self::State>;

    /// All ways out of a state at once, for steps that know them without being played once for each: true if it did
    /// so. They must be those that [`Steps::step`] comes to.
    fn ways(&self, _state: Self::State, _ways: &mut Ways<Next<Self::State>>) -> bool {
        false
    }

    /// What a side may choose in this state instead of rolling: where there is an offer, the state is
    /// never stepped. Rule code offers; it never decides.
    fn offer(&self, _state: &Self::State) -> Option<Offer<Self::State>> {
        None
    }

    /// The clock of a procedure played in turns.
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// What has to be said with an answer, beside the numbers: a weapon that does not reach, a rule that
    /// does not enter.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }

    /// The result of a trial still in `state` when the last turn is over.
    fn time_up(&self, state: &Self::State) -> Row {
        unreachable!("a procedure with a clock says what happens when time is up: {state:?}")
    }
}

/// A procedure of one step: what is rolled is the result.
pub trait OneStep: Send + Sync {
    /// What the step is called.
    const PHASE: &'static str;

    /// Plays it.
    fn play<D: Dice>(&self, dice: &mut D) -> Row;

    /// What has to be said with an answer, beside the numbers.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }
}

impl<T: OneStep> Steps for T {
    type State = ();

    fn phases(&self) -> Vec<&str> {
        vec![T::PHASE]
    }

    fn start(&self) {}

    fn phase(&self, (): &()) -> usize {
        0
    }

    fn step<D: Dice>(&self, (): (), dice: &mut D) -> Next<()> {
        Next::Done(self.play(dice))
    }

    fn notes(&self) -> Vec<Note> {
        OneStep::notes(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Odds, Throw};

    struct Roll;

    impl OneStep for Roll {
        const PHASE: &'static str = "roll";

        fn play<D: Dice>(&self, dice: &mut D) -> Row {
            row(&[Odds::new(Throw::d6(), |face| u16::from(face >= 5)).roll(dice)])
        }

        fn notes(&self) -> Vec<Note> {
            vec![Note::remark("dice", "loaded")]
        }
    }

    #[test]
    fn a_procedure_of_one_step_has_one_phase_and_its_notes() {
        assert_eq!(Steps::phases(&Roll), ["roll"]);
        assert_eq!(Steps::notes(&Roll).len(), 1);
        let graph = Graph::compile(&Roll, Budget { states: 1 }).expect("one state");
        assert_eq!((graph.states(), graph.ends()), (1, 2));
        let solved = solve(&graph);
        assert!(solved.iter().all(|(end, _)| end.phase == 0));
        let shares: Vec<f64> = solved.into_iter().map(|(_, share)| share).collect();
        assert!((shares[0] - 2.0 / 3.0).abs() < 1e-15 && (shares[1] - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn sides_act_in_turn_and_a_turn_is_counted_once() {
        assert_eq!(Next::after_side(0, 'x'), Next::Go('x'));
        assert_eq!(Next::after_side(1, 'x'), Next::NextTurn('x'));
        assert_eq!(Next::Go(1).map(|n| n + 1), Next::Go(2));
        assert_eq!(Next::NextTurn(1).map(|n| n + 1), Next::NextTurn(2));
        assert_eq!(
            Next::<u8>::Done(row(&[3])).map(|n| n + 1),
            Next::Done(row(&[3]))
        );
        let clock = Clock::turns(6, 1);
        assert_eq!((clock.first, clock.last), (1, 6));
        // A turn that was begun and not played is taken off.
        let mut ended = row(&[9, 1]);
        clock.fill(&mut ended, 4);
        assert_eq!(ended, row(&[9, 3]));
    }

    #[test]
    fn batches_are_as_large_as_ever_so_that_seeds_mean_what_they_meant() {
        let graph = Graph::compile(&Roll, Budget::default()).expect("one state");
        assert_eq!(Engine::walk(graph).batch_size(), 1 << 16);
        assert_eq!(Engine::direct(&Roll).batch_size(), 1 << 12);
    }

    #[test]
    fn a_budget_says_what_it_costs_whatever_it_is() {
        let million = Budget::default();
        assert_eq!(million.states, 1_000_000);
        assert_eq!(million.memory(), 500_000_000);
        assert_eq!(million.time().as_secs(), 3);
        let endless = Budget { states: usize::MAX };
        assert_eq!(endless.memory(), usize::MAX);
        assert!(endless.time() > million.time());
    }
}
