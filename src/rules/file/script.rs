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
use super::rolls::{Request, Rolls, ScriptRoll, cell_value};
use rhai::packages::{BasicArrayPackage, CorePackage, Package};
use rhai::{AST, Dynamic, Engine, EvalAltResult, ImmutableString, Position, Scope};
use std::cell::RefCell;
use std::sync::Arc;

/// Operations of one step: a page of rules takes a few hundred.
const MOST_OPERATIONS: u64 = 200_000;
/// Calls within calls, and expressions within expressions.
const MOST_LEVELS: usize = 24;
const MOST_DEPTH: usize = 64;
/// Characters of a text, entries of a list.
const MOST_TEXT: usize = 4_096;
const MOST_ENTRIES: usize = 1_024;

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
    fn new(error: &EvalAltResult) -> Self {
        let at = error.position();
        let mut inner = error;
        while let EvalAltResult::ErrorInFunctionCall(_, _, cause, _) = inner {
            inner = cause;
        }
        let message = match inner {
            EvalAltResult::ErrorTooManyOperations(_) => {
                format!(
                    "goes on for more than {MOST_OPERATIONS} operations: is there a loop without an end?"
                )
            }
            EvalAltResult::ErrorStackOverflow(_) => {
                format!("calls functions more than {MOST_LEVELS} deep")
            }
            EvalAltResult::ErrorVariableNotFound(name, _) => format!("knows no `{name}`"),
            EvalAltResult::ErrorRuntime(text, _) => text.to_string(),
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
            message,
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

/// The language of a ruleset file: its tables, rolls and limits.
pub(super) struct Language {
    engine: Engine,
    /// Functions that every step can call.
    functions: AST,
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
    pub(super) fn new(charts: &Arc<Charts>, functions: &str) -> Result<Self, Trouble> {
        let mut engine = Engine::new_raw();
        CorePackage::new().register_into_engine(&mut engine);
        BasicArrayPackage::new().register_into_engine(&mut engine);
        engine
            .set_max_operations(MOST_OPERATIONS)
            .set_max_call_levels(MOST_LEVELS)
            .set_max_expr_depths(MOST_DEPTH, MOST_DEPTH)
            .set_max_string_size(MOST_TEXT)
            .set_max_array_size(MOST_ENTRIES)
            .set_max_map_size(MOST_ENTRIES)
            .set_strict_variables(true)
            .set_fail_on_invalid_map_property(true)
            .disable_symbol("eval")
            .disable_symbol("print")
            .disable_symbol("debug")
            .disable_symbol("sleep");
        register_rolls(&mut engine, &Arc::new(Rolls::new(Arc::clone(charts))));
        register_tables(&mut engine, charts);
        register_flow(&mut engine);
        let functions = engine
            .compile(functions)
            .map_err(|error| Trouble::new(&EvalAltResult::from(error)))?;
        Ok(Language {
            engine,
            functions: functions.clone_functions_only(),
        })
    }

    /// Compiles a block; `scope` has every name it may use.
    pub(super) fn compile(&self, scope: &Scope<'_>, block: &str) -> Result<AST, Trouble> {
        let block = self
            .engine
            .compile_with_scope(scope, block)
            .map_err(|error| Trouble::new(&EvalAltResult::from(error)))?;
        Ok(self.functions.merge(&block))
    }

    /// Runs a step on the outcomes drawn so far. The fields of the scope are what it made of them.
    pub(super) fn run(
        &self,
        block: &AST,
        scope: &mut Scope<'_>,
        drawn: &[usize],
    ) -> Result<Run, Trouble> {
        TAPE.with_borrow_mut(|tape| {
            tape.drawn.clear();
            tape.drawn.extend_from_slice(drawn);
            tape.used = 0;
            tape.wanted = None;
            tape.flow = None;
        });
        let ended = self.engine.eval_ast_with_scope::<Dynamic>(scope, block);
        let (wanted, flow) = TAPE.with_borrow_mut(|tape| (tape.wanted.take(), tape.flow.take()));
        match (ended, wanted, flow) {
            (Err(_), Some(roll), _) => Ok(Run::Asks(roll)),
            (Err(error), None, _) => Err(Trouble::new(&error)),
            (Ok(_), _, Some(flow)) => Ok(Run::Ended(flow)),
            (Ok(_), _, None) => Err(Trouble::of_whole(
                "ends without saying where the trial goes: call play(\"step\"), next_turn(\"step\") or done(\"label\")",
            )),
        }
    }

    /// The value of an expression that rolls nothing.
    pub(super) fn value(&self, block: &AST, scope: &mut Scope<'_>) -> Result<Dynamic, Trouble> {
        TAPE.with_borrow_mut(|tape| *tape = Tape::default());
        let value = self.engine.eval_ast_with_scope::<Dynamic>(scope, block);
        let (wanted, flow) = TAPE.with_borrow_mut(|tape| (tape.wanted.take(), tape.flow.take()));
        if wanted.is_some() || flow.is_some() {
            return Err(Trouble::of_whole(
                "only steps roll dice and say where the trial goes",
            ));
        }
        value.map_err(|error| Trouble::new(&error))
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
    engine.register_fn("play", |step: ImmutableString| go(Flow::Play(step)));
    engine.register_fn("next_turn", |step: ImmutableString| {
        go(Flow::NextTurn(step))
    });
    engine.register_fn("done", |label: ImmutableString| go(Flow::Done(label)));
}
