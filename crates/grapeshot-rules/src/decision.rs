//! Procedures in which somebody chooses: what can be decided, and how it is asked.
//!
//! A ruleset writes such a procedure as [`Steps`] whose states offer choices, says with [`Decisions`]
//! what the actions are called, what an end is worth and how a state is shown, and gives it as a
//! [`Decision`]. Finding best play is the engine's; rule code never decides.

use super::{Procedure, RuleError, Setting, Settings, Value};
use grapeshot_engine::dice::Scripted;
use grapeshot_engine::dist::{Name, Variable};
use grapeshot_engine::engine::{
    BestPlay, Budget, CompileError, DynSteps, End, Game, Graph, Row, Steps, play_policy,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A state as a player sees it: names and values, in order.
pub type Shown = Vec<(Name, Value)>;

/// Steps whose choices can be decided.
///
/// [`Steps::offer`] numbers the actions by their place in [`Decisions::actions`], ascending.
pub trait Decisions: Steps {
    /// The names of all actions of both sides, in the order of ties.
    fn actions(&self) -> Vec<Name>;

    /// What the sides are called: the one that asks (whose value it is), then its enemy.
    fn sides(&self) -> [Name; 2] {
        ["a".into(), "b".into()]
    }

    /// What a finished row is worth to the side that asks, for the goal that was set. It may not read
    /// the variable of the clock: a charge is worth the same in every turn.
    fn value(&self, row: &Row) -> f64;

    /// How a state that offers a choice is shown in the policy.
    fn show(&self, state: &Self::State) -> Shown;

    /// The fixed plans of the side that asks, in the order in which they are listed.
    fn plans(&self) -> Vec<FixedPlan>;
}

/// What a plan does in a turn when these actions are offered; nothing where it has no opinion, which
/// leaves the choice to best play.
pub type PlanRule = Box<dyn Fn(u16, &[u16]) -> Option<u16> + Send + Sync>;

/// A plan made in advance, which does not look at the state.
pub struct FixedPlan {
    /// What it is called.
    pub name: Name,
    /// What it does. It is asked only for choices of the side that asks.
    pub rule: PlanRule,
}

impl FixedPlan {
    /// A plan.
    pub fn new(
        name: impl Into<Name>,
        rule: impl Fn(u16, &[u16]) -> Option<u16> + Send + Sync + 'static,
    ) -> Self {
        FixedPlan {
            name: name.into(),
            rule: Box::new(rule),
        }
    }

    /// A plan that takes the first of these actions that is offered, and leaves other choices free.
    pub fn first_of(name: impl Into<Name>, wanted: &'static [u16]) -> Self {
        Self::new(name, |_, offered| first_of(wanted, offered))
    }
}

/// The first of the wanted actions that is offered.
pub fn first_of(wanted: &[u16], offered: &[u16]) -> Option<u16> {
    wanted
        .iter()
        .copied()
        .find(|action| offered.contains(action))
}

impl std::fmt::Debug for FixedPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FixedPlan").field(&self.name).finish()
    }
}

/// [`Decisions`] without their type: what deciding needs of a procedure.
pub trait Decide: Send + Sync {
    /// Compiles the steps, and shows the state of every choice.
    ///
    /// # Errors
    /// See [`Game::compile`].
    fn compile(&self, budget: Budget) -> Result<(Game, Vec<Shown>), CompileError>;

    /// Plays trials directly, by a policy for this game.
    fn play(
        &self,
        game: &Game,
        play: &BestPlay,
        rng: &mut Xoshiro256PlusPlus,
        trials: u64,
        counts: &mut FxHashMap<End, u64>,
    );

    /// See [`Steps::phases`].
    fn phases(&self) -> Vec<&str>;

    /// See [`Decisions::actions`].
    fn actions(&self) -> Vec<Name>;

    /// See [`Decisions::sides`].
    fn sides(&self) -> [Name; 2];

    /// See [`Decisions::value`].
    fn value(&self, row: &Row) -> f64;

    /// See [`Decisions::plans`].
    fn plans(&self) -> Vec<FixedPlan>;
}

impl<T: Decisions> Decide for T {
    fn compile(&self, budget: Budget) -> Result<(Game, Vec<Shown>), CompileError> {
        let (game, states) = Game::compile(self, budget)?;
        let shown = states.iter().map(|state| self.show(state)).collect();
        Ok((game, shown))
    }

    fn play(
        &self,
        game: &Game,
        play: &BestPlay,
        rng: &mut Xoshiro256PlusPlus,
        trials: u64,
        counts: &mut FxHashMap<End, u64>,
    ) {
        play_by(self, (game, play), rng, trials, counts);
    }

    fn phases(&self) -> Vec<&str> {
        Steps::phases(self)
    }

    fn actions(&self) -> Vec<Name> {
        Decisions::actions(self)
    }

    fn sides(&self) -> [Name; 2] {
        Decisions::sides(self)
    }

    fn value(&self, row: &Row) -> f64 {
        Decisions::value(self, row)
    }

    fn plans(&self) -> Vec<FixedPlan> {
        Decisions::plans(self)
    }
}

/// Plays trials of steps directly, by a policy for their game.
pub(crate) fn play_by<T: Steps>(
    steps: &T,
    (game, play): (&Game, &BestPlay),
    rng: &mut Xoshiro256PlusPlus,
    trials: u64,
    counts: &mut FxHashMap<End, u64>,
) {
    let (_, states) = Game::compile(steps, Budget { states: usize::MAX })
        .expect("what was compiled can be compiled again");
    let choices: FxHashMap<T::State, usize> = states.into_iter().zip(0..).collect();
    let first = game.turns().1;
    play_policy(
        steps,
        rng,
        trials,
        counts,
        |turn, state, offer| match offer.actions.len() {
            1 => 0,
            _ => play.taken(usize::from(turn - first), choices[state]),
        },
    );
}

/// Makes the steps of a decision from its settings.
pub type BuildDecision = Arc<dyn Fn(&Settings) -> Result<Box<dyn Decide>, RuleError> + Send + Sync>;

/// What is said of a procedure that can be decided. All of them are composed.
#[derive(Debug, Clone)]
pub struct Outline {
    /// The name programs know it by.
    pub name: Name,
    /// What it is, in a sentence.
    pub about: Name,
    /// The place in the source.
    pub source: Name,
    /// What can be set.
    pub settings: Vec<Setting>,
    /// What a trial reports, headline first.
    pub variables: Vec<Variable>,
    /// Remarks that belong under every answer.
    pub notes: Vec<String>,
}

/// A procedure that can be decided.
pub struct Decision {
    /// The same as an ordinary procedure: built, it is best play, and can be solved, walked and charted
    /// like any other.
    pub procedure: Procedure,
    /// Makes the steps with their choices.
    pub build: BuildDecision,
}

impl std::fmt::Debug for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decision")
            .field("procedure", &self.procedure)
            .finish_non_exhaustive()
    }
}

impl Decision {
    /// A procedure with what makes its steps.
    pub fn new<T: Decisions + 'static>(
        outline: Outline,
        build: impl Fn(&Settings) -> Result<T, RuleError> + Send + Sync + 'static,
    ) -> Self {
        Self::of(
            outline,
            Arc::new(move |s| build(s).map(|steps| Box::new(steps) as Box<dyn Decide>)),
        )
    }

    /// The same for steps without their type.
    pub fn of(outline: Outline, build: BuildDecision) -> Self {
        let Outline {
            name,
            about,
            source,
            settings,
            variables,
            notes,
        } = outline;
        Decision {
            procedure: Procedure {
                name,
                about,
                source,
                composed: true,
                settings,
                variables,
                notes,
                build: {
                    let build = Arc::clone(&build);
                    Box::new(move |s| Ok(Box::new(Played::best(build(s)?))))
                },
            },
            build,
        }
    }
}

/// Who fixes the choices of the side that asks; what is left free is best play.
type Fixing = Box<dyn Fn(u16, &[u16]) -> Option<u16> + Send + Sync>;

/// A decision played in a fixed way: an ordinary play.
pub struct Played {
    steps: Box<dyn Decide>,
    fixing: Option<Fixing>,
}

impl Played {
    /// Under best play.
    pub fn best(steps: Box<dyn Decide>) -> Self {
        Played {
            steps,
            fixing: None,
        }
    }

    /// Under a plan of the side that asks.
    pub fn by_plan(steps: Box<dyn Decide>, plan: FixedPlan) -> Self {
        Played {
            steps,
            fixing: Some(plan.rule),
        }
    }

    fn decided(&self, budget: Budget) -> Result<(Game, BestPlay), CompileError> {
        let (game, _) = self.steps.compile(budget).map_err(|error| match error {
            CompileError::TooLarge { states } => CompileError::Undecided { states },
            CompileError::TooWide { .. } => CompileError::Undecided {
                states: budget.states,
            },
            other => other,
        })?;
        let play = match &self.fixing {
            None => game.best(|row| self.steps.value(row)),
            Some(rule) => under_plan(&game, self.steps.as_ref(), rule),
        };
        Ok((game, play))
    }
}

/// Best play of a game in which the side that asks follows a plan wherever the plan says anything.
pub fn under_plan(
    game: &Game,
    steps: &dyn Decide,
    rule: &(impl Fn(u16, &[u16]) -> Option<u16> + ?Sized),
) -> BestPlay {
    game.best_under(
        |row| steps.value(row),
        |turn, choice| {
            let choice = &game.choices()[choice];
            if choice.chooser != grapeshot_engine::engine::Chooser::Asking {
                return None;
            }
            let action = rule(turn, &choice.actions)?;
            choice.actions.iter().position(|&offered| offered == action)
        },
    )
}

impl DynSteps for Played {
    fn compile(&self, budget: Budget) -> Result<Graph, CompileError> {
        let (game, play) = self.decided(budget)?;
        Ok(game.collapse(&play))
    }

    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>) {
        let (game, play) = self
            .decided(Budget { states: usize::MAX })
            .expect("steps that are played have been compiled");
        self.steps.play(&game, &play, rng, trials, counts);
    }

    fn replay(&self, _: &mut Scripted) -> End {
        unreachable!("what is chosen cannot be scripted with dice alone")
    }

    fn phases(&self) -> Vec<&str> {
        self.steps.phases()
    }

    fn worth(&self, row: &Row) -> Option<f64> {
        Some(self.steps.value(row))
    }
}
