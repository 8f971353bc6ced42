//! Rule code in files: Rhai on a short lead.
//!
//! A script sees the state's fields as variables and the settings as constants; it can roll, look up
//! printed tables, and say where the trial goes next. It can do nothing else: no file, no clock, no
//! network, no memory of another run, and only so many operations. Since rule code runs while a graph
//! is compiled and never in the walk, it costs nothing where it matters.
//!
//! Dice are lent to a script by a *tape*: functions of a script cannot hold a reference to them, so a
//! run is given the outcomes drawn so far and stops where it asks for one more; that one is drawn and
//! the script is run again from the start. A run is deterministic, so it comes to the same place.

use super::charts::Charts;
use super::host::{self, Flow, kind_of, on_tape};
use super::limits::Limits;
use super::place::Place;
use super::rolls::{Rolls, ScriptRoll};
use super::trouble::Trouble;
use crate::RuleError;
use rhai::packages::{BasicArrayPackage, CorePackage, LogicPackage, MoreStringPackage, Package};
use rhai::{AST, Dynamic, Engine, EvalAltResult, OptimizationLevel, Scope};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// What one run of a step came to.
#[derive(Debug)]
pub(super) enum Run {
    /// It asks for a roll that is not on the tape.
    Asks(Arc<ScriptRoll>),
    /// It ended here.
    Ended(Flow),
}

/// A compiled piece of script and where it stands.
#[derive(Debug)]
pub(super) struct Block {
    code: AST,
    pub place: Place,
}

/// The names a piece of script may use.
#[derive(Debug, Default, Clone)]
pub(super) struct Names(Scope<'static>);

impl Names {
    pub(super) fn constant(&mut self, name: &str) {
        self.0.push_constant(name, ());
    }

    pub(super) fn variable(&mut self, name: &str) {
        self.0.push(name, ());
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// The language of a ruleset file: its tables, rolls and limits.
pub(super) struct Language {
    engine: Engine,
    /// Functions that every step can call.
    functions: AST,
    /// Where each of them stands, by name.
    homes: FxHashMap<String, Place>,
    pub limits: Limits,
    /// Runs of steps so far, of all questions together.
    pub spent: AtomicU64,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Language").finish_non_exhaustive()
    }
}

impl Language {
    /// A language that knows these tables, and these functions besides its own.
    pub(super) fn new(
        charts: &Arc<Charts>,
        functions: &[Place],
        limits: Limits,
    ) -> Result<Self, RuleError> {
        let mut engine = Engine::new_raw();
        CorePackage::new().register_into_engine(&mut engine);
        BasicArrayPackage::new().register_into_engine(&mut engine);
        LogicPackage::new().register_into_engine(&mut engine);
        MoreStringPackage::new().register_into_engine(&mut engine);
        engine
            .set_max_operations(limits.operations)
            .set_max_call_levels(limits.levels)
            .set_max_expr_depths(limits.depth, limits.depth)
            .set_max_string_size(limits.text)
            .set_max_array_size(limits.entries)
            .set_max_map_size(limits.entries)
            .set_strict_variables(true)
            .set_fail_on_invalid_map_property(true)
            // A block is compiled once for all settings, so nothing may be put in their place.
            .set_optimization_level(OptimizationLevel::None);
        for symbol in ["eval", "print", "debug", "import", "export"] {
            engine.disable_symbol(symbol);
        }
        let rolls = Arc::new(Rolls::new(Arc::clone(charts), limits));
        host::register(&mut engine, charts, &rolls);
        let mut language = Language {
            engine,
            functions: AST::empty(),
            homes: FxHashMap::default(),
            limits,
            spent: AtomicU64::new(0),
        };
        for place in functions {
            let one = language.engine.compile(&place.text);
            let one = one.map_err(|error| language.error(place, &EvalAltResult::from(error)))?;
            for function in one.iter_functions() {
                language
                    .homes
                    .insert(function.name.to_owned(), place.clone());
            }
            language.functions += one.clone_functions_only();
        }
        Ok(language)
    }

    /// Compiles a piece of script that may use these names.
    pub(super) fn block(&self, names: &Names, place: Place) -> Result<Block, RuleError> {
        let code = self.engine.compile_with_scope(&names.0, &place.text);
        let code = code.map_err(|error| self.error(&place, &EvalAltResult::from(error)))?;
        let code = self.functions.merge(&code);
        Ok(Block { code, place })
    }

    fn error(&self, place: &Place, error: &EvalAltResult) -> RuleError {
        let home = |function: &str| self.homes.get(function).cloned();
        place.error(&Trouble::new(error, &self.limits, home))
    }

    /// Runs a step on the outcomes drawn so far. The fields of the scope are what it made of them.
    pub(super) fn run(
        &self,
        block: &Block,
        scope: &mut Scope<'_>,
        drawn: &[usize],
    ) -> Result<Run, RuleError> {
        let (ended, left) = on_tape(drawn, || {
            self.engine
                .eval_ast_with_scope::<Dynamic>(scope, &block.code)
        });
        match (ended, left.wanted, left.flow) {
            (Err(_), Some(roll), _) => Ok(Run::Asks(roll)),
            (Err(error), None, _) => Err(self.error(&block.place, &error)),
            (Ok(_), _, Some(flow)) => Ok(Run::Ended(flow)),
            (Ok(_), _, None) => Err(block.place.error(&Trouble::of_whole(
                "ends without saying where the trial goes: call play(\"step\"), next_turn(\"step\") or done(\"label\")",
            ))),
        }
    }

    /// The value of an expression that rolls nothing.
    pub(super) fn value(&self, block: &Block, scope: &mut Scope<'_>) -> Result<Dynamic, RuleError> {
        let before = scope.len();
        let (value, left) = on_tape(&[], || {
            self.engine
                .eval_ast_with_scope::<Dynamic>(scope, &block.code)
        });
        scope.rewind(before);
        if left.wanted.is_some() || left.flow.is_some() {
            let message = "only steps roll dice and say where the trial goes";
            return Err(block.place.error(&Trouble::of_whole(message)));
        }
        value.map_err(|error| self.error(&block.place, &error))
    }

    /// The same, true or false.
    pub(super) fn condition(
        &self,
        block: &Block,
        scope: &mut Scope<'_>,
    ) -> Result<bool, RuleError> {
        self.value(block, scope)?.as_bool().map_err(|kind| {
            let message = format!("is {}; a condition is true or false", kind_of(kind));
            block.place.error(&Trouble::of_whole(message))
        })
    }
}
