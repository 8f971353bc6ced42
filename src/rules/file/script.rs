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
use super::limits::Limits;
use super::places::Place;
use super::rolls::{Request, Rolls, ScriptRoll, cell_value};
use crate::rules::RuleError;
use rhai::packages::{BasicArrayPackage, CorePackage, LogicPackage, MoreStringPackage, Package};
use rhai::{
    AST, Array, Dynamic, Engine, EvalAltResult, ImmutableString, OptimizationLevel, Position, Scope,
};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Where a step says that the trial goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flow {
    /// To another step of the same turn.
    Play(ImmutableString),
    /// To a step of the next turn.
    NextTurn(ImmutableString),
    /// To its end, with this label of the headline.
    Done(ImmutableString),
}

/// What a script did wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

impl Trouble {
    fn new(error: &EvalAltResult, limits: &Limits) -> Self {
        // Where in the step it was, not where in a function that the step called.
        let mut at = error.position();
        let mut inner = error;
        let mut within = String::new();
        while let EvalAltResult::ErrorInFunctionCall(name, _, cause, call) = inner {
            if within.is_empty() {
                within = format!("in {name}(): ");
                at = *call;
            }
            inner = cause;
        }
        let message = match inner {
            EvalAltResult::ErrorTooManyOperations(_) => format!(
                "goes on for more than {} operations: is there a loop without an end?",
                limits.operations
            ),
            EvalAltResult::ErrorStackOverflow(_) => {
                format!("calls functions more than {} deep", limits.levels)
            }
            EvalAltResult::ErrorDataTooLarge(what, _) => format!(
                "makes something too large ({what}): allowed are {} characters of text and {} entries of a list",
                limits.text, limits.entries
            ),
            EvalAltResult::ErrorVariableNotFound(name, _) => format!("knows no `{name}`"),
            EvalAltResult::ErrorFunctionNotFound(name, _) => {
                format!(
                    "knows no function {}",
                    name.replace("i64", "number")
                        .replace("ImmutableString", "text")
                )
            }
            EvalAltResult::ErrorRuntime(text, _) => text.to_string(),
            EvalAltResult::ErrorParsing(problem, _) => match problem {
                rhai::ParseErrorType::VariableUndefined(name) => {
                    format!(
                        "knows no `{name}`: a setting, a field of the state, or `let {name} = …`"
                    )
                }
                rhai::ParseErrorType::AssignmentToConstant(name) => {
                    format!("cannot change `{name}`: only fields of the state change")
                }
                rhai::ParseErrorType::ExprTooDeep => {
                    format!("has expressions more than {} deep", limits.depth)
                }
                other => other.to_string(),
            },
            other => {
                let mut plain = other.to_string();
                if let Some(at) = plain.rfind(" (line ") {
                    plain.truncate(at);
                }
                plain
            }
        };
        Trouble {
            line: at.line().unwrap_or(1),
            column: at.position().unwrap_or(1),
            message: format!("{within}{message}"),
        }
    }

    pub(super) fn of_whole(message: impl Into<String>) -> Self {
        Trouble {
            line: 1,
            column: 1,
            message: message.into(),
        }
    }
}

#[derive(Debug, Default)]
struct Tape {
    /// Outcomes drawn so far.
    drawn: Vec<usize>,
    used: usize,
    /// What the run asked for when the tape was at its end.
    wanted: Option<Arc<ScriptRoll>>,
    flow: Option<Flow>,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

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
    pub limits: Limits,
    /// Runs of steps so far, of all questions together.
    pub spent: AtomicU64,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Language").finish_non_exhaustive()
    }
}

type Rolled = Result<Dynamic, Box<EvalAltResult>>;

fn failed(message: String) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into()
}

/// Takes the next outcome from the tape, or ends the run with what it wanted.
fn take(rolls: &Rolls, request: Request) -> Rolled {
    let roll = rolls.get(request).map_err(failed)?;
    if let [only] = &roll.values[..] {
        return Ok(only.clone());
    }
    TAPE.with_borrow_mut(|tape| match tape.drawn.get(tape.used) {
        Some(&at) => {
            tape.used += 1;
            Ok(roll.values[at].clone())
        }
        None => {
            tape.wanted = Some(roll);
            Err(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into())
        }
    })
}

fn go(flow: Flow) -> Result<(), Box<EvalAltResult>> {
    TAPE.with_borrow_mut(|tape| match &tape.flow {
        None => {
            tape.flow = Some(flow);
            Ok(())
        }
        Some(first) => Err(failed(format!(
            "says twice where the trial goes: {}, then {}",
            spoken(first),
            spoken(&flow)
        ))),
    })
}

fn spoken(flow: &Flow) -> String {
    match flow {
        Flow::Play(step) => format!("play(\"{step}\")"),
        Flow::NextTurn(step) => format!("next_turn(\"{step}\")"),
        Flow::Done(label) => format!("done(\"{label}\")"),
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
        // The core package brings its own, and a name that is no keyword cannot be disabled.
        engine.register_fn("sleep", |_: i64| -> Rolled {
            Err(failed("knows no sleep: a script has no clock".into()))
        });
        register_rolls(
            &mut engine,
            &Arc::new(Rolls::new(Arc::clone(charts), limits)),
        );
        register_tables(&mut engine, charts);
        register_flow(&mut engine);
        let mut compiled = AST::empty();
        for place in functions {
            let one = engine.compile(&place.text).map_err(|error| {
                place.error(&Trouble::new(&EvalAltResult::from(error), &limits))
            })?;
            compiled += one.clone_functions_only();
        }
        Ok(Language {
            engine,
            functions: compiled,
            limits,
            spent: AtomicU64::new(0),
        })
    }

    /// Compiles a piece of script that may use these names.
    pub(super) fn block(&self, names: &Names, place: Place) -> Result<Block, RuleError> {
        let code = self.engine.compile_with_scope(&names.0, &place.text);
        let code = code.map_err(|error| place.error(&self.trouble(&EvalAltResult::from(error))))?;
        let code = self.functions.merge(&code);
        Ok(Block { code, place })
    }

    fn trouble(&self, error: &EvalAltResult) -> Trouble {
        Trouble::new(error, &self.limits)
    }

    /// Runs a step on the outcomes drawn so far. The fields of the scope are what it made of them.
    pub(super) fn run(
        &self,
        block: &Block,
        scope: &mut Scope<'_>,
        drawn: &[usize],
    ) -> Result<Run, RuleError> {
        TAPE.with_borrow_mut(|tape| {
            tape.drawn.clear();
            tape.drawn.extend_from_slice(drawn);
            tape.used = 0;
            tape.wanted = None;
            tape.flow = None;
        });
        let ended = self
            .engine
            .eval_ast_with_scope::<Dynamic>(scope, &block.code);
        let (wanted, flow) = TAPE.with_borrow_mut(|tape| (tape.wanted.take(), tape.flow.take()));
        match (ended, wanted, flow) {
            (Err(_), Some(roll), _) => Ok(Run::Asks(roll)),
            (Err(error), None, _) => Err(block.place.error(&self.trouble(&error))),
            (Ok(_), _, Some(flow)) => Ok(Run::Ended(flow)),
            (Ok(_), _, None) => Err(block.place.error(&Trouble::of_whole(
                "ends without saying where the trial goes: call play(\"step\"), next_turn(\"step\") or done(\"label\")",
            ))),
        }
    }

    /// The value of an expression that rolls nothing.
    pub(super) fn value(&self, block: &Block, scope: &mut Scope<'_>) -> Result<Dynamic, RuleError> {
        TAPE.with_borrow_mut(|tape| {
            tape.drawn.clear();
            (tape.used, tape.wanted, tape.flow) = (0, None, None);
        });
        let before = scope.len();
        let value = self
            .engine
            .eval_ast_with_scope::<Dynamic>(scope, &block.code);
        scope.rewind(before);
        let (wanted, flow) = TAPE.with_borrow_mut(|tape| (tape.wanted.take(), tape.flow.take()));
        if wanted.is_some() || flow.is_some() {
            let message = "only steps roll dice and say where the trial goes";
            return Err(block.place.error(&Trouble::of_whole(message)));
        }
        value.map_err(|error| block.place.error(&self.trouble(&error)))
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

/// A kind of value, in words.
pub(super) fn kind_of(kind: &str) -> &str {
    match kind {
        "i64" => "a whole number",
        "bool" => "true or false",
        "()" => "nothing",
        "array" => "a list",
        "string" => "text",
        other => other,
    }
}

fn register_rolls(engine: &mut Engine, rolls: &Arc<Rolls>) {
    let with = |rolls: &Arc<Rolls>| Arc::clone(rolls);
    let r = with(rolls);
    engine.register_fn("d", move |sides: i64| {
        take(
            &r,
            Request::Die {
                first: 1,
                last: sides,
            },
        )
    });
    let r = with(rolls);
    engine.register_fn("die", move |first: i64, last: i64| {
        take(&r, Request::Die { first, last })
    });
    let r = with(rolls);
    engine.register_fn("dice", move |count: i64, sides: i64| {
        take(&r, Request::Sum { count, sides })
    });
    let r = with(rolls);
    engine.register_fn("average_dice", move |count: i64| {
        take(&r, Request::Average { count })
    });
    let r = with(rolls);
    engine.register_fn("pool", move |count: i64, sides: i64, need: i64| {
        take(&r, Request::AtLeast { count, sides, need })
    });
    let r = with(rolls);
    engine.register_fn("pool_under", move |count: i64, sides: i64, limit: i64| {
        take(
            &r,
            Request::AtMost {
                count,
                sides,
                limit,
            },
        )
    });
    let r = with(rolls);
    engine.register_fn("highest", move |count: i64, sides: i64, keep: i64| {
        take(&r, Request::Highest { count, sides, keep })
    });
    let r = with(rolls);
    engine.register_fn("roll", move |dice: ImmutableString| {
        let dice = dice.to_string();
        take(
            &r,
            Request::Said {
                dice,
                modifier: 0,
                limits: Vec::new(),
            },
        )
    });
    let r = with(rolls);
    engine.register_fn(
        "bands",
        move |dice: ImmutableString, modifier: i64, limits: Array| {
            let dice = dice.to_string();
            let limits = wholes(&limits).map_err(failed)?;
            take(
                &r,
                Request::Said {
                    dice,
                    modifier,
                    limits,
                },
            )
        },
    );
    let r = with(rolls);
    engine.register_fn("chance", move |ways: i64, of: i64| -> Rolled {
        if !(0..=of).contains(&ways) || of == 0 {
            return Err(failed(format!("a chance of {ways} in {of} is none")));
        }
        let weights = vec![of - ways, ways];
        take(&r, Request::Weighted { weights }).map(|at| (at.as_int() == Ok(1)).into())
    });
    let r = with(rolls);
    engine.register_fn("pick", move |values: Array, weights: Array| -> Rolled {
        let weights = wholes(&weights).map_err(failed)?;
        if weights.len() != values.len() {
            let (n, m) = (values.len(), weights.len());
            return Err(failed(format!("pick has {n} values and {m} weights")));
        }
        let at = take(&r, Request::Weighted { weights })?;
        Ok(values[at.as_int().unwrap_or(0) as usize].clone())
    });
    let on = |rolls: &Rolls, table: &str, column: &str, modifier: i64| {
        take(
            rolls,
            Request::On {
                table: table.to_owned(),
                column: column.to_owned(),
                modifier,
            },
        )
    };
    let r = with(rolls);
    engine.register_fn(
        "roll_on",
        move |table: ImmutableString, column: Dynamic, modifier: i64| {
            on(&r, &table, &heading(&column), modifier)
        },
    );
    let r = with(rolls);
    engine.register_fn("roll_on", move |table: ImmutableString, column: Dynamic| {
        on(&r, &table, &heading(&column), 0)
    });
}

/// A list of whole numbers.
fn wholes(list: &Array) -> Result<Vec<i64>, String> {
    let number = |value: &Dynamic| {
        let wrong = |kind| format!("a list of whole numbers has {} in it", kind_of(kind));
        value.as_int().map_err(wrong)
    };
    list.iter().map(number).collect()
}

/// A heading or label, which may be given as a number.
fn heading(value: &Dynamic) -> String {
    match value.as_int() {
        Ok(number) => number.to_string(),
        Err(_) => value
            .clone()
            .into_string()
            .unwrap_or_else(|kind| format!("({kind})")),
    }
}

fn register_tables(engine: &mut Engine, charts: &Arc<Charts>) {
    let c = Arc::clone(charts);
    engine.register_fn(
        "cell",
        move |table: ImmutableString, row: Dynamic, column: Dynamic| -> Rolled {
            let cell = |chart: &super::charts::Chart| {
                chart
                    .cell(&heading(&row), &heading(&column))
                    .map(cell_value)
            };
            c.table(&table).and_then(cell).map_err(failed)
        },
    );
    let c = Arc::clone(charts);
    engine.register_fn(
        "list",
        move |list: ImmutableString, entry: Dynamic| -> Rolled {
            c.listed(&list, &heading(&entry))
                .map(cell_value)
                .map_err(failed)
        },
    );
    let c = Arc::clone(charts);
    engine.register_fn("assumed", move |name: ImmutableString| -> Rolled {
        c.assumed(&name).map(cell_value).map_err(failed)
    });
    let c = Arc::clone(charts);
    engine.register_fn(
        "column_odds",
        move |table: ImmutableString, own: i64, other: i64| -> Rolled {
            let found = c
                .table(&table)
                .and_then(|chart| chart.column_odds(own, other));
            found
                .map(|heading| heading.to_owned().into())
                .map_err(failed)
        },
    );
    let c = Arc::clone(charts);
    engine.register_fn(
        "column_upto",
        move |table: ImmutableString, value: i64| -> Rolled {
            let found = c.table(&table).and_then(|chart| chart.column_upto(value));
            found
                .map(|heading| heading.to_owned().into())
                .map_err(failed)
        },
    );
    let c = Arc::clone(charts);
    engine.register_fn(
        "column_from",
        move |table: ImmutableString, value: i64| -> Rolled {
            let found = c.table(&table).and_then(|chart| chart.column_from(value));
            let text = |heading: Option<&str>| heading.unwrap_or("").to_owned().into();
            found.map(text).map_err(failed)
        },
    );
    let c = Arc::clone(charts);
    engine.register_fn(
        "shift",
        move |table: ImmutableString, column: Dynamic, by: i64| -> Rolled {
            let found = c.table(&table);
            let found = found.and_then(|chart| chart.shifted(&heading(&column), by));
            found
                .map(|heading| heading.to_owned().into())
                .map_err(failed)
        },
    );
}

fn register_flow(engine: &mut Engine) {
    engine.register_fn("number", |text: ImmutableString| -> Rolled {
        let wrong = || failed(format!("`{text}` is no whole number"));
        text.trim()
            .parse::<i64>()
            .map(Dynamic::from)
            .map_err(|_| wrong())
    });
    engine.register_fn("play", |step: ImmutableString| go(Flow::Play(step)));
    engine.register_fn("next_turn", |step: ImmutableString| {
        go(Flow::NextTurn(step))
    });
    engine.register_fn("done", |label: ImmutableString| go(Flow::Done(label)));
}
