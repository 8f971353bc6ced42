//! The steps of a procedure that was read from a file.

use super::declared::{Declared, MOST_FIELDS, StepKind};
use super::host::{Flow, kind_of};
use super::rolls::ScriptRoll;
use super::script::{Block, Language, Run};
use super::settings::spelled;
use super::trouble::Trouble;
use super::variables::Report;
use crate::{RuleError, Settings, Value};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::engine::{Clock, MOST_VARIABLES, Next, Offer, Row, Steps, row};
use rhai::{Dynamic, ImmutableString, Scope};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, RwLock};

/// Where a trial stands: a step, and the fields. Words are kept as their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    step: u16,
    fields: [i32; MOST_FIELDS],
}

/// What a field of the state holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldKind {
    Whole,
    Flag,
    Word,
}

impl std::fmt::Display for FieldKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FieldKind::Whole => "a whole number",
            FieldKind::Flag => "true or false",
            FieldKind::Word => "a word",
        })
    }
}

/// Words that fields have held, numbered as they come.
#[derive(Debug, Default)]
struct Words(RwLock<(Vec<ImmutableString>, FxHashMap<ImmutableString, i32>)>);

impl Words {
    fn number(&self, word: &ImmutableString) -> i32 {
        if let Some(&known) = self.0.read().expect("no one panics here").1.get(word) {
            return known;
        }
        let mut words = self.0.write().expect("no one panics here");
        let next = words.0.len() as i32;
        let number = *words.1.entry(word.clone()).or_insert(next);
        if number == next {
            words.0.push(word.clone());
        }
        number
    }

    fn word(&self, number: i32) -> ImmutableString {
        self.0.read().expect("no one panics here").0[number as usize].clone()
    }
}

/// A procedure of a file with its settings.
pub(super) struct WrittenSteps {
    /// Tells the runs of this procedure from those of any other.
    id: u64,
    pub declared: Arc<Declared>,
    language: Arc<Language>,
    /// What kind of value each field holds.
    kinds: Vec<FieldKind>,
    /// The settings, and what was worked out of them.
    constants: Scope<'static>,
    start: State,
    clock: Option<Clock>,
    words: Words,
    runs: AtomicU64,
    /// The first thing that went wrong in a run. No answer is made of a trial after that.
    trouble: OnceLock<Halt>,
}

/// Why no answer can be made.
#[derive(Debug)]
pub(super) enum Halt {
    /// A script went wrong.
    Wrong(RuleError),
    /// There were more runs than are allowed.
    Exhausted(RuleError),
}

impl Halt {
    pub(super) fn error(&self) -> &RuleError {
        match self {
            Halt::Wrong(error) | Halt::Exhausted(error) => error,
        }
    }
}

impl From<RuleError> for Halt {
    fn from(error: RuleError) -> Self {
        Halt::Wrong(error)
    }
}

/// What one thread knows of the procedure it is working on: the scope of its runs, and of one state
/// the roll that a run asks for after the outcomes that lead to it.
#[derive(Default)]
struct RunCache {
    of: u64,
    scope: Scope<'static>,
    state: Option<State>,
    asks: FxHashMap<Vec<usize>, Arc<ScriptRoll>>,
}

thread_local! {
    /// Steps that are left to a trial, where trials are played one by one.
    static TRIAL: Cell<Option<u64>> = const { Cell::new(None) };
    static DESK: RefCell<RunCache> = RefCell::default();
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// The settings as constants.
pub(super) fn constants(settings: &Settings) -> Scope<'static> {
    let mut scope = Scope::new();
    for (key, value) in settings.iter() {
        constant(&mut scope, spelled(key), value);
    }
    scope
}

pub(super) fn constant(scope: &mut Scope<'static>, name: String, value: &Value) {
    match value {
        Value::Flag(flag) => scope.push_constant(name, *flag),
        Value::Whole(n) => scope.push_constant(name, *n),
        Value::Real(_) | Value::Choice(_) => scope.push_constant(name, value.to_string()),
    };
}

impl WrittenSteps {
    pub(super) fn new(
        declared: &Arc<Declared>,
        language: &Arc<Language>,
        settings: &Settings,
    ) -> Result<Self, RuleError> {
        let mut constants = constants(settings);
        for refusal in &declared.refusals {
            if language.condition(&refusal.when, &mut constants)? {
                return Err(settings.refuse(&refusal.key, refusal.reason.clone()));
            }
        }
        for (name, block) in &declared.fixed {
            let value = language.value(block, &mut constants)?;
            constants.push_constant_dynamic(name.clone(), value);
        }
        let words = Words::default();
        let mut kinds = Vec::new();
        let mut start = State {
            step: declared.start,
            fields: [0; MOST_FIELDS],
        };
        for ((_, first), field) in declared.state.iter().zip(&mut start.fields) {
            let value = language.value(first, &mut constants)?;
            let (kind, number) = stored(&words, &value)
                .map_err(|problem| first.place.error(&Trouble::of_whole(problem)))?;
            kinds.push(kind);
            *field = number;
        }
        let turns = declared.turns.as_ref().map(|turns| turns.read(settings));
        let variable = declared
            .reports
            .iter()
            .position(|r| matches!(r, Report::Turn));
        Ok(WrittenSteps {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            declared: Arc::clone(declared),
            language: Arc::clone(language),
            kinds,
            constants,
            start,
            clock: turns
                .zip(variable)
                .map(|(last, variable)| Clock::turns(last, variable)),
            words,
            runs: AtomicU64::new(0),
            trouble: OnceLock::new(),
        })
    }

    /// Plays trials one by one, each within its number of steps.
    pub(super) fn within_steps<T>(&self, trial: impl FnOnce() -> T) -> T {
        TRIAL.set(Some(self.language.limits.steps));
        let result = trial();
        TRIAL.set(None);
        result
    }

    /// What went wrong so far.
    pub(super) fn trouble(&self) -> Option<&Halt> {
        self.trouble.get()
    }

    /// Notes what went wrong. The trial ends somewhere; no answer is made of it.
    fn fail(&self, error: impl Into<Halt>) -> Row {
        self.trouble.get_or_init(|| error.into());
        Row::default()
    }

    /// Does something in the scope of a state, on this thread's desk.
    fn at_desk<T>(&self, state: &State, job: impl FnOnce(&mut RunCache) -> T) -> T {
        DESK.with_borrow_mut(|desk| {
            if desk.of != self.id {
                *desk = RunCache {
                    of: self.id,
                    scope: self.constants.clone(),
                    ..RunCache::default()
                };
            }
            if desk.state.as_ref() != Some(state) {
                desk.state = Some(*state);
                desk.asks.clear();
            }
            job(desk)
        })
    }

    /// Lays the fields of a state out for a run.
    fn lay_out(&self, scope: &mut Scope<'static>, state: &State) {
        scope.rewind(self.constants.len());
        for (((name, _), kind), &number) in self
            .declared
            .state
            .iter()
            .zip(&self.kinds)
            .zip(&state.fields)
        {
            let value: Dynamic = match kind {
                FieldKind::Whole => i64::from(number).into(),
                FieldKind::Flag => (number != 0).into(),
                FieldKind::Word => self.words.word(number).into(),
            };
            scope.push_dynamic(name.as_str(), value);
        }
    }

    /// The fields as a run left them.
    fn fields(&self, scope: &mut Scope<'static>) -> Result<[i32; MOST_FIELDS], String> {
        let mut numbers = [0; MOST_FIELDS];
        // What the step named itself is dropped, so that the fields are the last; a scope is told from its end.
        scope.rewind(self.constants.len() + self.kinds.len());
        let count = self.kinds.len();
        let fields = (self.declared.state.iter().zip(&self.kinds)).zip(&mut numbers[..count]);
        for ((name, _, value), (((field, _), kind), number)) in scope.iter_raw().zip(fields.rev()) {
            assert_eq!(name, field, "the fields of a scope are told in this order");
            let (found, stored) =
                stored(&self.words, value).map_err(|problem| format!("`{name}` {problem}"))?;
            if found != *kind {
                return Err(format!("`{name}` was {kind} and has become {found}"));
            }
            *number = stored;
        }
        Ok(numbers)
    }

    /// Runs a step on these dice.
    fn run<D: Dice>(&self, state: &State, dice: &mut D) -> Result<Next<State>, Halt> {
        let step = &self.declared.steps[usize::from(state.step)];
        let StepKind::Block(block) = &step.kind else {
            unreachable!("a step that offers a choice is not played");
        };
        step.played.store(true, Ordering::Relaxed);
        let wrong = |message: String| block.place.error(&Trouble::of_whole(message));
        TRIAL.with(|trial| match trial.get() {
            Some(0) => Err(wrong(format!(
                "is played when a trial has gone on for {} steps: does it ever end?",
                self.language.limits.steps
            ))),
            left => {
                trial.set(left.map(|left| left - 1));
                Ok(())
            }
        })?;
        let mut drawn: Vec<usize> = Vec::new();
        let (flow, fields) = loop {
            // What is known of this state needs no run: the roll that comes next is drawn at once.
            let known = |drawn: &[usize]| self.at_desk(state, |desk| desk.asks.get(drawn).cloned());
            while let Some(roll) = known(&drawn) {
                drawn.push(usize::from(roll.odds.roll(dice)));
            }
            let runs = self.runs.fetch_add(1, Ordering::Relaxed);
            self.language.spent.fetch_add(1, Ordering::Relaxed);
            let most = self.language.limits.runs;
            if runs >= most {
                let problem =
                    format!("is one of more than {most} runs of steps, which is the limit here");
                return Err(Halt::Exhausted(wrong(problem)));
            }
            let asked = self.at_desk(state, |desk| {
                self.lay_out(&mut desk.scope, state);
                match self.language.run(block, &mut desk.scope, &drawn)? {
                    Run::Asks(roll) => {
                        desk.asks.insert(drawn.clone(), Arc::clone(&roll));
                        Ok::<_, RuleError>(Err(roll))
                    }
                    Run::Ended(flow) => Ok(Ok((flow, self.fields(&mut desk.scope)))),
                }
            })?;
            match asked {
                Ok((flow, fields)) => break (flow, fields.map_err(wrong)?),
                Err(roll) => drawn.push(usize::from(roll.odds.roll(dice))),
            }
        };
        let to = |name: &str| {
            let step = self.declared.step(name).map_err(wrong)?;
            Ok::<State, RuleError>(State { step, fields })
        };
        Ok(match flow {
            Flow::Play(name) => Next::Go(to(&name)?),
            Flow::NextTurn(name) if self.clock.is_some() => Next::NextTurn(to(&name)?),
            Flow::NextTurn(_) => {
                let problem = "calls next_turn, but the procedure has no turns: give it turns = 6, or the key of a setting";
                return Err(wrong(problem.into()).into());
            }
            Flow::Done(label) => {
                let label = self.declared.label(&label).map_err(wrong)?;
                Next::Done(self.report(label, &State { fields, ..*state })?)
            }
        })
    }

    /// The row of a trial that ended in this state.
    fn report(&self, label: u16, state: &State) -> Result<Row, RuleError> {
        self.at_desk(state, |desk| {
            let mut values = [0u16; MOST_VARIABLES];
            self.lay_out(&mut desk.scope, state);
            for (value, report) in values.iter_mut().zip(&self.declared.reports) {
                *value = match report {
                    Report::Headline => label,
                    Report::Turn => 0,
                    Report::Count(block) => self.count(block, &mut desk.scope)?,
                    Report::YesNo(block) => {
                        u16::from(self.language.condition(block, &mut desk.scope)?)
                    }
                    Report::Label(block, labels) => {
                        let said = self.language.value(block, &mut desk.scope)?.to_string();
                        let at = labels.iter().position(|known| *known == said);
                        at.ok_or_else(|| {
                            let known = labels.join(", ");
                            let problem =
                                format!("is `{said}`, which is no label of it (there is {known})");
                            block.place.error(&Trouble::of_whole(problem))
                        })? as u16
                    }
                };
            }
            Ok(row(&values))
        })
    }

    fn count(&self, block: &Block, scope: &mut Scope<'static>) -> Result<u16, RuleError> {
        let value = self.language.value(block, scope)?;
        let count = value.as_int().ok().and_then(|n| u16::try_from(n).ok());
        count.ok_or_else(|| {
            let problem = format!("is {value}; allowed is a whole number from 0 to 65535");
            block.place.error(&Trouble::of_whole(problem))
        })
    }

    /// What can be done in a state in which somebody chooses.
    fn offered(&self, state: &State) -> Result<Option<Offer<State>>, RuleError> {
        let step = &self.declared.steps[usize::from(state.step)];
        let StepKind::Choice(chooser, all) = &step.kind else {
            return Ok(None);
        };
        step.played.store(true, Ordering::Relaxed);
        let mut actions = Vec::new();
        for action in all {
            let offered = match &action.when {
                None => true,
                Some(block) => self.at_desk(state, |desk| {
                    self.lay_out(&mut desk.scope, state);
                    self.language.condition(block, &mut desk.scope)
                })?,
            };
            if offered {
                let next = State {
                    step: action.to,
                    ..*state
                };
                actions.push((action.number, Next::Go(next)));
            }
        }
        if actions.is_empty() {
            let problem = "offers nothing in some situation: one action must have no condition";
            return Err(step.place.error(&Trouble::of_whole(problem)));
        }
        Ok(Some(Offer {
            chooser: *chooser,
            actions,
        }))
    }

    /// The fields of a state by name, as a player sees them.
    pub(super) fn shown(&self, state: &State) -> Vec<(&str, Value)> {
        let fields = self
            .declared
            .state
            .iter()
            .zip(&self.kinds)
            .zip(&state.fields);
        let value = |kind: FieldKind, number: i32| match kind {
            FieldKind::Whole => Value::Whole(i64::from(number)),
            FieldKind::Flag => Value::Flag(number != 0),
            FieldKind::Word => Value::from(self.words.word(number).as_str()),
        };
        fields
            .map(|(((name, _), &kind), &number)| (name.as_str(), value(kind, number)))
            .collect()
    }
}

/// A value of a script as a field keeps it.
fn stored(words: &Words, value: &Dynamic) -> Result<(FieldKind, i32), String> {
    if let Ok(number) = value.as_int() {
        let number =
            i32::try_from(number).map_err(|_| format!("is {number}, which is too large"))?;
        return Ok((FieldKind::Whole, number));
    }
    if let Ok(flag) = value.as_bool() {
        return Ok((FieldKind::Flag, i32::from(flag)));
    }
    match value.as_immutable_string_ref() {
        Ok(word) => Ok((FieldKind::Word, words.number(&word))),
        Err(kind) => Err(format!(
            "is {}; a field is a whole number, true or false, or a word",
            kind_of(kind)
        )),
    }
}

impl Steps for WrittenSteps {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        self.declared.stages.iter().map(String::as_str).collect()
    }

    fn start(&self) -> State {
        self.start
    }

    fn phase(&self, state: &State) -> usize {
        self.declared.steps[usize::from(state.step)].stage
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        if self.trouble.get().is_some() {
            return Next::Done(Row::default());
        }
        match self.run(&state, dice) {
            Ok(next) => next,
            Err(error) => Next::Done(self.fail(error)),
        }
    }

    fn offer(&self, state: &State) -> Option<Offer<State>> {
        match self.offered(state) {
            Ok(offer) => offer,
            Err(error) => {
                // The step is not played: an offer must be made, of something that ends the trial.
                let row = self.fail(error);
                Some(Offer {
                    chooser: grapeshot_engine::engine::Chooser::Asking,
                    actions: vec![(0, Next::Done(row))],
                })
            }
        }
    }

    fn clock(&self) -> Option<Clock> {
        self.clock
    }

    fn time_up(&self, state: &State) -> Row {
        let label = self.declared.label(&self.declared.time_up).unwrap_or(0);
        match self.report(label, state) {
            Ok(row) => row,
            Err(error) => self.fail(error),
        }
    }
}
