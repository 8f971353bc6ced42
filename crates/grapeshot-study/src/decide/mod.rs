//! What to do: best play of a procedure with choices, what every first action and every fixed plan is
//! worth beside it, and the policy itself.

mod asking;
mod skill;
mod thumb;
mod words;

pub use skill::{Action, Deciding, GREEDY, MovingFirst, RANDOM, Skill, Way, skill};
pub(crate) use skill::{Standing, standings};
pub use thumb::{Clause, Condition, Join, RuleOfThumb, Test};
pub use words::Goal;

use asking::Asking;
use grapeshot_engine::dist::{Distribution, Name};
use grapeshot_engine::engine::{
    BestPlay, Budget, Chooser, CompileError, EngineError, Game, TIE, solve,
};
use grapeshot_engine::plain;
use grapeshot_rules::{
    Decide, Decision, FixedPlan, OddsError, RuleError, Settings, Shown, under_plan,
};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Something that can be done, and what it is worth to the side that asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Worth {
    /// What it is called.
    pub name: Name,
    /// Its value.
    pub value: f64,
    /// How often it comes to success and to failure, where somebody says what those are.
    pub chances: Option<Chances>,
}

/// How often the side that asks gets what it wants, and how often its enemy does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chances {
    /// Ends that favour the side that asks.
    pub success: f64,
    /// Ends that favour its enemy.
    pub failure: f64,
}

/// What best play does in one state that it can reach.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyState {
    /// The turn; 1 in a procedure without turns.
    pub turn: u16,
    /// Who chooses.
    #[serde(serialize_with = "plain::text")]
    pub side: Name,
    /// Whether that is the side that asks.
    #[serde(skip)]
    pub own: bool,
    /// The state as a player sees it.
    #[serde(serialize_with = "plain::pairs")]
    pub state: Shown,
    /// The chance to come there.
    pub p: f64,
    /// What is done.
    #[serde(serialize_with = "plain::text")]
    pub action: Name,
    /// What the state is worth to the side that asks.
    pub value: f64,
    /// How much worse for the chooser the next best action is.
    pub margin: f64,
}

/// Best play of a question, and everything beside it.
#[derive(Debug, Clone, Serialize)]
pub struct Decided {
    /// What is wanted.
    #[serde(serialize_with = "plain::text")]
    pub goal: Name,
    /// The sides, the one that asks first.
    #[serde(rename = "side", serialize_with = "asking")]
    pub sides: [Name; 2],
    /// Whether the odds are told from the other side: only the enemy of the side that the rules have in mind ever chooses.
    #[serde(skip)]
    pub told_of_other: bool,
    /// The value of the question under best play.
    pub value: f64,
    /// The best first action; none where the side that asks never chooses.
    #[serde(serialize_with = "plain::text_or_none")]
    pub best: Option<Name>,
    /// What every first action is worth, in the order of ties.
    #[serde(serialize_with = "actions")]
    pub actions: Vec<Worth>,
    /// What every fixed plan is worth.
    #[serde(serialize_with = "plans")]
    pub plans: Vec<Worth>,
    /// The odds under best play.
    #[serde(skip)]
    pub odds: Distribution,
    /// What best play does wherever it can come to: by turn, the asking side first, likeliest first.
    pub policy: Vec<PolicyState>,
    /// The policy in few words.
    #[serde(rename = "rule_of_thumb", skip_serializing_if = "Option::is_none")]
    pub thumb: Option<RuleOfThumb>,
    /// Distinct states that were looked at.
    #[serde(skip)]
    pub states: usize,
}

/// The side that asks.
fn asking<S: Serializer>([own, _]: &[Name; 2], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(own)
}

fn actions<S: Serializer>(worths: &[Worth], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(worths.iter().map(|worth| Called("action", worth)))
}

fn plans<S: Serializer>(worths: &[Worth], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(worths.iter().map(|worth| Called("plan", worth)))
}

/// What it is, and what that is worth.
struct Called<'a>(&'static str, &'a Worth);

impl Serialize for Called<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_map(None)?;
        object.serialize_entry(self.0, &*self.1.name)?;
        object.serialize_entry("value", &self.1.value)?;
        if let Some(chances) = &self.1.chances {
            object.serialize_entry("success", &chances.success)?;
            object.serialize_entry("failure", &chances.failure)?;
        }
        object.end()
    }
}

impl Decided {
    /// The best of the fixed plans.
    pub fn best_plan(&self) -> Option<&Worth> {
        first_greatest(&self.plans)
    }
}

/// The first of the greatest value, up to a tie.
fn first_greatest(worths: &[Worth]) -> Option<&Worth> {
    let greatest = worths
        .iter()
        .map(|w| w.value)
        .fold(f64::NEG_INFINITY, f64::max);
    worths.iter().find(|w| w.value >= greatest - TIE)
}

/// Decides a question.
///
/// # Errors
/// If the rules refuse the settings, or there are more states than the budget allows.
pub fn decide(
    decision: &Decision,
    settings: &Settings,
    budget: Budget,
) -> Result<Decided, OddsError> {
    let asking = Asking::compile((decision.build)(settings)?, budget)?;
    let (steps, game, shown) = (asking.steps.as_ref(), &asking.game, &asking.shown);
    let names = steps.actions();
    let best = game.best(|row| steps.value(row));
    let first = game.first_actions(&best);
    let chances = asking.chances(&decision.procedure.variables, &best, &first);
    let actions: Vec<Worth> = (first.iter().enumerate())
        .map(|(at, &action)| Worth {
            name: names[usize::from(action)].clone(),
            value: game.held(&best, action),
            chances: chances.as_ref().map(|chances| chances[at]),
        })
        .collect();
    let plans = (steps.plans().into_iter())
        .map(|plan| Worth {
            value: under_plan(game, steps, &plan.rule).value,
            name: plan.name,
            chances: None,
        })
        .collect();
    let (Goal(goal), sides) = (Goal::asked(settings), steps.sides());
    let thumb = thumb::find(steps, game, &best, shown).map(|thumb| RuleOfThumb {
        text: words::sentence(Goal(goal), &sides, &thumb),
        ..thumb
    });
    Ok(Decided {
        goal: goal.into(),
        sides,
        told_of_other: asking.is_other,
        value: best.value,
        best: first_greatest(&actions).map(|worth| worth.name.clone()),
        actions,
        plans,
        odds: odds(decision, steps, game, &best),
        policy: policy(steps, game, &best, shown),
        thumb,
        states: game.states(),
    })
}

/// A question played by a fixed plan of the side that asks, and best play against it.
#[derive(Debug, Clone, Serialize)]
pub struct Planned {
    /// What is wanted.
    #[serde(serialize_with = "plain::text")]
    pub goal: Name,
    /// The side that asks.
    #[serde(serialize_with = "plain::text")]
    pub side: Name,
    /// The plan.
    #[serde(serialize_with = "plain::text")]
    pub plan: Name,
    /// Its value.
    pub value: f64,
    /// The value of best play.
    #[serde(rename = "best_value")]
    pub best: f64,
    /// As of a decision.
    #[serde(skip)]
    pub told_of_other: bool,
    /// The odds under the plan.
    #[serde(skip)]
    pub odds: Distribution,
}

/// Plays a question by one of its fixed plans.
///
/// # Errors
/// As [`decide`], and if there is no such plan.
pub fn play_plan(
    decision: &Decision,
    settings: &Settings,
    budget: Budget,
    plan: &str,
) -> Result<Planned, OddsError> {
    let asking = Asking::compile((decision.build)(settings)?, budget)?;
    let (steps, game) = (asking.steps.as_ref(), &asking.game);
    let plan = find_plan(steps, &decision.procedure.name, plan)?;
    let played = under_plan(game, steps, &plan.rule);
    Ok(Planned {
        goal: Goal::asked(settings).0.into(),
        side: steps.sides()[0].clone(),
        value: played.value,
        best: game.best(|row| steps.value(row)).value,
        told_of_other: asking.is_other,
        odds: odds(decision, steps, game, &played),
        plan: plan.name,
    })
}

fn find_plan(steps: &dyn Decide, procedure: &str, name: &str) -> Result<FixedPlan, RuleError> {
    let mut plans = steps.plans();
    match plans.iter().position(|plan| *plan.name == *name) {
        Some(at) => Ok(plans.swap_remove(at)),
        None => Err(RuleError::unknown(
            format!("plan of this {procedure}"),
            name,
            plans.iter().map(|plan| &plan.name),
        )),
    }
}

/// A game that does not fit its budget is refused, never simulated: a policy cannot be sampled.
pub(super) fn compile(steps: &dyn Decide, budget: Budget) -> Result<(Game, Vec<Shown>), OddsError> {
    steps.compile(budget).map_err(|error| {
        OddsError::from(match error {
            CompileError::TooLarge { .. } | CompileError::TooWide { .. } => {
                EngineError::Undecided(error)
            }
            other => EngineError::Steps(other),
        })
    })
}

fn odds(decision: &Decision, steps: &dyn Decide, game: &Game, play: &BestPlay) -> Distribution {
    Distribution::solved(
        decision.procedure.variables.clone(),
        &steps.phases(),
        solve(&game.collapse(play)),
    )
}

fn policy(steps: &dyn Decide, game: &Game, best: &BestPlay, shown: &[Shown]) -> Vec<PolicyState> {
    let names = steps.actions();
    let sides = steps.sides();
    let first = game.turns().1.max(1);
    let mut states = Vec::new();
    for (turn, reach) in game.reach(best).into_iter().enumerate() {
        for (number, p) in reach.into_iter().enumerate().filter(|&(_, p)| p > 0.0) {
            let choice = &game.choices()[number];
            let own = choice.chooser == Chooser::Asking;
            let action = choice.actions[best.taken(turn, number)];
            states.push(PolicyState {
                turn: first + turn as u16,
                side: sides[usize::from(!own)].clone(),
                own,
                state: shown[number].clone(),
                p,
                action: names[usize::from(action)].clone(),
                value: best.value_at(game, turn, number),
                margin: best.margin(game, turn, number),
            });
        }
    }
    states.sort_by(|x, y| {
        let place = |s: &PolicyState| (s.turn, !s.own);
        place(x).cmp(&place(y)).then(y.p.total_cmp(&x.p))
    });
    states
}
