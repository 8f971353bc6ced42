//! A question as the engine takes it: what went wrong in play is told, not swallowed.

use super::Play;
use grapeshot_engine::dice::Scripted;
use grapeshot_engine::engine::{Budget, CompileError, DynSteps, End, Graph, Note};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

impl DynSteps for Play {
    fn compile(&self, budget: Budget) -> Result<Graph, CompileError> {
        let graph = Graph::compile(&self.machine, budget)?;
        match self.machine.trouble() {
            Some(problem) => Err(CompileError::Broken { problem }),
            None => Ok(graph),
        }
    }

    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>) {
        match self.machine.has_choices() {
            true => self.machine.play(rng, trials, counts),
            false => self.machine.play_through(rng, trials, counts),
        }
    }

    fn replay(&self, dice: &mut Scripted) -> End {
        self.machine.replay(dice)
    }

    fn phases(&self) -> Vec<&str> {
        DynSteps::phases(&self.machine)
    }

    fn trouble(&self) -> Option<String> {
        self.machine.trouble()
    }

    fn notes(&self) -> Vec<Note> {
        DynSteps::notes(&self.machine)
    }
}
