//! What a script can call besides its own language: rolls, printed tables, and where the trial goes.

use super::charts::{Chart, Charts};
use super::rolls::{Request, Rolls, ScriptRoll, cell_value};
use rhai::{Array, Dynamic, Engine, EvalAltResult, ImmutableString, Position};
use std::cell::RefCell;
use std::sync::Arc;

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

/// What a run is given, and what it leaves behind.
#[derive(Debug, Default)]
struct Tape {
    /// Outcomes drawn so far.
    drawn: Vec<usize>,
    used: usize,
    left: Left,
}

/// What a run leaves behind.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// What it asked for when the tape was at its end.
    pub wanted: Option<Arc<ScriptRoll>>,
    /// Where it said that the trial goes.
    pub flow: Option<Flow>,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// Does something that may run a script, on these outcomes.
pub(super) fn on_tape<T>(drawn: &[usize], run: impl FnOnce() -> T) -> (T, Left) {
    TAPE.with_borrow_mut(|tape| {
        tape.drawn.clear();
        tape.drawn.extend_from_slice(drawn);
        (tape.used, tape.left) = (0, Left::default());
    });
    let ended = run();
    let left = TAPE.with_borrow_mut(|tape| std::mem::take(&mut tape.left));
    (ended, left)
}

/// Teaches an engine everything here.
pub(super) fn register(engine: &mut Engine, charts: &Arc<Charts>, rolls: &Arc<Rolls>) {
    // The core package brings its own, and a name that is no keyword cannot be disabled.
    engine.register_fn("sleep", |_: i64| -> Rolled {
        Err(failed("knows no sleep: a script has no clock".into()))
    });
    register_rolls(engine, rolls);
    register_tables(engine, charts);
    register_flow(engine);
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
            tape.left.wanted = Some(roll);
            Err(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into())
        }
    })
}

fn go(flow: Flow) -> Result<(), Box<EvalAltResult>> {
    TAPE.with_borrow_mut(|tape| match &tape.left.flow {
        None => {
            tape.left.flow = Some(flow);
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
            let cell = |chart: &Chart| {
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
