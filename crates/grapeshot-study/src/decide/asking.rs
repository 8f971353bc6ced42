//! Who is advised: the side whose decision it is, or, where only its enemy ever chooses, the enemy.

use super::{Chances, compile};
use grapeshot_engine::dist::{Favour, Name, Variable};
use grapeshot_engine::engine::{BestPlay, Budget, Chooser, CompileError, End, Game, Row};
use grapeshot_rules::{Decide, FixedPlan, OddsError, Shown};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

/// A question that can be decided, seen by the side that has something to decide.
pub(super) struct Asking {
    /// Its steps.
    pub steps: Box<dyn Decide>,
    /// All that can happen.
    pub game: Game,
    /// The state of every choice.
    pub shown: Vec<Shown>,
    /// Whether that is not the side that the rules have in mind.
    pub is_other: bool,
}

impl Asking {
    /// Compiles the steps.
    ///
    /// # Errors
    /// If there are more states than the budget allows.
    pub(super) fn compile(steps: Box<dyn Decide>, budget: Budget) -> Result<Self, OddsError> {
        let (game, shown) = compile(steps.as_ref(), budget)?;
        let choosers = || game.choices().iter().map(|choice| choice.chooser);
        let is_other = !choosers().any(|chooser| chooser == Chooser::Asking)
            && choosers().any(|chooser| chooser == Chooser::Enemy);
        Ok(match is_other {
            false => Asking {
                steps,
                game,
                shown,
                is_other,
            },
            true => Asking {
                steps: Box::new(OtherSide(steps)),
                game: game.from_the_other_side(),
                shown,
                is_other,
            },
        })
    }

    /// How often best play comes to success and to failure after each of these first actions; nothing where nobody
    /// says what those are.
    pub(super) fn chances(
        &self,
        variables: &[Variable],
        best: &BestPlay,
        actions: &[u16],
    ) -> Option<Vec<Chances>> {
        let at = variables.iter().position(|v| !v.favours.is_empty())?;
        let [success, failure] = match self.is_other {
            false => [Favour::Success, Favour::Failure],
            true => [Favour::Failure, Favour::Success],
        }
        .map(|wanted| {
            let is_wanted = |row: &Row| variables[at].favour(row[at]) == Some(wanted);
            let worth = |row: &Row| f64::from(u8::from(is_wanted(row)));
            self.game.measured(best, worth)
        });
        let each = actions.iter().map(|&action| {
            let [_, success, failure] = self.game.held_for([best, &success, &failure], action);
            Chances { success, failure }
        });
        Some(each.collect())
    }
}

/// Steps as the enemy of the side that asks sees them: what is worth something to one costs the other as much.
struct OtherSide(Box<dyn Decide>);

impl Decide for OtherSide {
    fn compile(&self, budget: Budget) -> Result<(Game, Vec<Shown>), CompileError> {
        let (game, shown) = self.0.compile(budget)?;
        Ok((game.from_the_other_side(), shown))
    }

    fn play(
        &self,
        game: &Game,
        play: &BestPlay,
        rng: &mut Xoshiro256PlusPlus,
        trials: u64,
        counts: &mut FxHashMap<End, u64>,
    ) {
        // A policy is what every choice takes, whoever takes it.
        self.0.play(game, play, rng, trials, counts);
    }

    fn phases(&self) -> Vec<&str> {
        self.0.phases()
    }

    fn actions(&self) -> Vec<Name> {
        self.0.actions()
    }

    fn sides(&self) -> [Name; 2] {
        let [own, enemy] = self.0.sides();
        [enemy, own]
    }

    fn value(&self, row: &Row) -> f64 {
        -self.0.value(row)
    }

    fn plans(&self) -> Vec<FixedPlan> {
        self.0.plans()
    }
}
