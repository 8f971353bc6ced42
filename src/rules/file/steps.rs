//! The steps of a procedure that was read from a file.

use super::places::Place;
use super::script::{Flow, Language, Run, Trouble};
use super::written::{Declared, FieldKind, Report};
use crate::dice::{Dice, Scripted};
use crate::dist::Name;
use crate::engine::{
    BestPlay, Budget, Clock, CompileError, End, Game, Graph, Next, Offer, Play, Row, Steps,
    play_once, row,
};
use crate::rules::{Decide, Decisions, FixedPlan, RuleError, Settings, Shown, Value};
use rand_xoshiro::Xoshiro256PlusPlus;
use rhai::{AST, Dynamic, Scope};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLock};

/// The most fields a state can have.
pub(super) const MOST_FIELDS: usize = 16;

/// Where a trial stands: a step, and the fields. Words are kept as their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    step: u16,
    fields: [i32; MOST_FIELDS],
}

/// Words that fields have held, numbered as they come.
#[derive(Debug, Default)]
struct Words(RwLock<(Vec<String>, FxHashMap<String, i32>)>);

impl Words {
    fn number(&self, word: &str) -> i32 {
        if let Some(&known) = self.0.read().expect("no one panics here").1.get(word) {
            return known;
        }
        let mut words = self.0.write().expect("no one panics here");
        let next = words.0.len() as i32;
        let number = *words.1.entry(word.to_owned()).or_insert(next);
        if number == next {
            words.0.push(word.to_owned());
        }
        number
    }

    fn word(&self, number: i32) -> String {
        self.0.read().expect("no one panics here").0[number as usize].clone()
    }
}

/// A procedure of a file with its settings.
pub(super) struct WrittenSteps {
    /// Tells the runs of this procedure from those of any other.
    id: u64,
    declared: Arc<Declared>,
    language: Arc<Language>,
    /// Names of the fields, and what kind of value each holds.
    fields: Vec<(String, FieldKind)>,
    constants: Scope<'static>,
    steps: Vec<AST>,
    /// For each action of each choice, when it is offered.
    conditions: Vec<Vec<Option<AST>>>,
    reports: Vec<Option<AST>>,
    start: State,
    clock: Option<Clock>,
    words: Words,
    /// The first thing that went wrong in a run.
    trouble: Mutex<Option<RuleError>>,
}

/// Runs of one state of one procedure, as far as they are known: the roll each asks for after the
/// outcomes that lead to it.
#[derive(Debug, Default)]
struct Known {
    of: Option<(u64, State)>,
    asks: FxHashMap<Vec<usize>, Arc<super::rolls::ScriptRoll>>,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// A setting as scripts spell it: dots and dashes are underscores.
pub(super) fn spelled(key: &str) -> String {
    key.replace(['.', '-'], "_")
}

/// The settings as constants.
fn constants(settings: &Settings) -> Scope<'static> {
    let mut scope = Scope::new();
    for (key, value) in settings.iter() {
        let name = spelled(key);
        match value {
            Value::Flag(flag) => scope.push_constant(name, *flag),
            Value::Whole(n) => scope.push_constant(name, *n),
            // Scripts know whole numbers only: a number is given in hundredths.
            Value::Real(x) => scope.push_constant(name, (x * 100.0).round() as i64),
            other => scope.push_constant(name, other.to_string()),
        };
    }
    scope
}

impl WrittenSteps {
    pub(super) fn new(
        declared: &Arc<Declared>,
        language: &Arc<Language>,
        settings: &Settings,
    ) -> Result<Self, RuleError> {
        let constants = constants(settings);
        for refusal in &declared.refusals {
            let place = &refusal.when;
            let block = language
                .compile(&constants, &place.text)
                .map_err(|trouble| place.error(&trouble))?;
            let refused = language
                .value(&block, &mut constants.clone())
                .map_err(|trouble| place.error(&trouble))?;
            match refused.as_bool() {
                Ok(false) => {}
                Ok(true) => return Err(settings.refuse(&refusal.key, refusal.reason.clone())),
                Err(kind) => {
                    let message = format!("is {kind}; a condition is true or false");
                    return Err(place.error(&Trouble::of_whole(message)));
                }
            }
        }
        let words = Words::default();
        let mut scope = constants.clone();
        let mut fields = Vec::new();
        let mut start = State {
            step: declared.start,
            fields: [0; MOST_FIELDS],
        };
        for (at, (name, first)) in declared.state.iter().enumerate() {
            let value = language
                .compile(&constants, &first.text)
                .and_then(|block| language.value(&block, &mut constants.clone()))
                .map_err(|trouble| first.error(&trouble))?;
            let (kind, number) = stored(&words, &value)
                .map_err(|problem| first.error(&Trouble::of_whole(problem)))?;
            scope.push_dynamic(name.clone(), value);
            fields.push((name.clone(), kind));
            start.fields[at] = number;
        }
        let compile = |place: &Place| {
            language
                .compile(&scope, &place.text)
                .map_err(|trouble| place.error(&trouble))
        };
        let steps: Result<Vec<AST>, RuleError> = declared
            .steps
            .iter()
            .map(|step| {
                step.block
                    .as_ref()
                    .map_or_else(|| Ok(AST::empty()), compile)
            })
            .collect();
        let conditions: Result<Vec<Vec<Option<AST>>>, RuleError> = declared
            .steps
            .iter()
            .map(|step| {
                let actions = step.actions.iter();
                actions
                    .map(|action| action.when.as_ref().map(compile).transpose())
                    .collect()
            })
            .collect();
        let reports: Result<Vec<Option<AST>>, RuleError> = declared
            .reports
            .iter()
            .map(|report| match report {
                Report::Headline | Report::Turn => Ok(None),
                Report::Count(place) | Report::YesNo(place) => compile(place).map(Some),
            })
            .collect();
        let turns = declared.turns.as_ref().map(|turns| turns.read(settings));
        let variable = declared
            .reports
            .iter()
            .position(|r| matches!(r, Report::Turn));
        Ok(WrittenSteps {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            declared: Arc::clone(declared),
            language: Arc::clone(language),
            fields,
            constants,
            steps: steps?,
            conditions: conditions?,
            reports: reports?,
            start,
            clock: turns.map(|last| Clock::turns(last, variable.unwrap_or(usize::from(u8::MAX)))),
            words,
            trouble: Mutex::new(None),
        })
    }

    /// What went wrong so far.
    pub(super) fn trouble(&self) -> Option<RuleError> {
        self.trouble.lock().expect("no one panics here").clone()
    }

    /// Notes what went wrong. The trial ends somewhere; no answer is made of it.
    fn fail(&self, error: RuleError) -> Row {
        let mut trouble = self.trouble.lock().expect("no one panics here");
        trouble.get_or_insert(error);
        Row::default()
    }

    fn scope(&self, state: &State) -> Scope<'static> {
        let mut scope = self.constants.clone();
        for ((name, kind), &number) in self.fields.iter().zip(&state.fields) {
            match kind {
                FieldKind::Whole => scope.push(name.clone(), i64::from(number)),
                FieldKind::Flag => scope.push(name.clone(), number != 0),
                FieldKind::Word => scope.push(name.clone(), self.words.word(number)),
            };
        }
        scope
    }

    /// The fields as a run left them.
    fn fields(&self, scope: &Scope<'_>) -> Result<[i32; MOST_FIELDS], String> {
        let mut numbers = [0; MOST_FIELDS];
        for ((name, kind), number) in self.fields.iter().zip(&mut numbers) {
            let value = scope.get(name).cloned().unwrap_or(Dynamic::UNIT);
            let (found, stored) =
                stored(&self.words, &value).map_err(|problem| format!("`{name}` {problem}"))?;
            if found != *kind {
                return Err(format!("`{name}` was {kind} and has become {found}"));
            }
            *number = stored;
        }
        Ok(numbers)
    }

    /// Runs a step on these dice.
    fn run<D: Dice>(&self, state: &State, dice: &mut D) -> Result<Next<State>, RuleError> {
        let step = usize::from(state.step);
        let place = self.declared.steps[step].block.as_ref();
        let place = place.expect("a step that offers a choice is not played");
        let wrong = |message: String| place.error(&Trouble::of_whole(message));
        let mut drawn: Vec<usize> = Vec::new();
        loop {
            // What is known of this state needs no run: the roll that comes next is drawn at once.
            while let Some(roll) = known(self.id, state, &drawn) {
                drawn.push(usize::from(roll.odds.roll(dice)));
            }
            let mut scope = self.scope(state);
            let run = self
                .language
                .run(&self.steps[step], &mut scope, &drawn)
                .map_err(|trouble| place.error(&trouble))?;
            let flow = match run {
                Run::Asks(roll) => {
                    remember(&drawn, &roll);
                    drawn.push(usize::from(roll.odds.roll(dice)));
                    continue;
                }
                Run::Ended(flow) => flow,
            };
            let fields = self.fields(&scope).map_err(wrong)?;
            let to = |name: &str| {
                let step = self.declared.step(name).map_err(wrong)?;
                Ok::<State, RuleError>(State { step, fields })
            };
            return Ok(match flow {
                Flow::Play(name) => Next::Go(to(&name)?),
                Flow::NextTurn(name) if self.clock.is_some() => Next::NextTurn(to(&name)?),
                Flow::NextTurn(_) => {
                    return Err(wrong(
                        "next_turn needs a clock: give the procedure turns = 6, or the key of a setting".into(),
                    ));
                }
                Flow::Done(label) => {
                    let end = State { fields, ..*state };
                    Next::Done(self.report(&label, &end)?)
                }
            });
        }
    }

    /// The row of a trial that ended in this state.
    fn report(&self, label: &str, state: &State) -> Result<Row, RuleError> {
        let mut values = [0u16; crate::engine::MOST_VARIABLES];
        let mut scope = self.scope(state);
        for (at, report) in self.declared.reports.iter().enumerate() {
            let (Report::Count(place) | Report::YesNo(place)) = report else {
                if matches!(report, Report::Headline) {
                    values[at] = self.declared.label(label)?;
                }
                continue;
            };
            let block = self.reports[at].as_ref().expect("compiled with its report");
            let value = self
                .language
                .value(block, &mut scope)
                .map_err(|trouble| place.error(&trouble))?;
            let wrong = |message: String| place.error(&Trouble::of_whole(message));
            values[at] = match report {
                Report::YesNo(_) => value
                    .as_bool()
                    .map(u16::from)
                    .map_err(|kind| wrong(format!("is {kind}; allowed is true or false")))?,
                _ => value
                    .as_int()
                    .ok()
                    .and_then(|n| u16::try_from(n).ok())
                    .ok_or_else(|| {
                        wrong(format!(
                            "is {value}; allowed is a whole number from 0 to 65535"
                        ))
                    })?,
            };
        }
        Ok(row(&values))
    }
}

/// The roll a run of this state asks for after these outcomes, if that is known.
fn known(id: u64, state: &State, drawn: &[usize]) -> Option<Arc<super::rolls::ScriptRoll>> {
    KNOWN.with_borrow_mut(|known| {
        if known.of != Some((id, *state)) {
            known.of = Some((id, *state));
            known.asks.clear();
        }
        known.asks.get(drawn).cloned()
    })
}

fn remember(drawn: &[usize], roll: &Arc<super::rolls::ScriptRoll>) {
    KNOWN.with_borrow_mut(|known| known.asks.insert(drawn.to_vec(), Arc::clone(roll)));
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
            "is {kind}; a field is a whole number, true or false, or a word"
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
        match self.run(&state, dice) {
            Ok(next) => next,
            Err(error) => Next::Done(self.fail(error)),
        }
    }

    fn offer(&self, state: &State) -> Option<Offer<State>> {
        let step = &self.declared.steps[usize::from(state.step)];
        let chooser = step.chooser?;
        let mut scope = self.scope(state);
        let mut actions = Vec::new();
        for (action, condition) in step
            .actions
            .iter()
            .zip(&self.conditions[usize::from(state.step)])
        {
            let offered = match (condition, &action.when) {
                (Some(block), Some(place)) => {
                    let value = self.language.value(block, &mut scope);
                    match value.map_err(|t| place.error(&t)).map(|v| v.as_bool()) {
                        Ok(Ok(offered)) => offered,
                        Ok(Err(kind)) => {
                            let message = format!("is {kind}; a condition is true or false");
                            self.fail(place.error(&Trouble::of_whole(message)));
                            false
                        }
                        Err(error) => {
                            self.fail(error);
                            false
                        }
                    }
                }
                _ => true,
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
            self.fail(step.place.error(&Trouble::of_whole(
                "offers nothing in some situation: one action must have no condition",
            )));
            actions.push((step.actions[0].number, Next::Done(Row::default())));
        }
        Some(Offer { chooser, actions })
    }

    fn clock(&self) -> Option<Clock> {
        self.clock
    }

    fn time_up(&self, state: &State) -> Row {
        match self.report(&self.declared.time_up, state) {
            Ok(row) => row,
            Err(error) => self.fail(error),
        }
    }
}

/// The steps as a play that says when a script went wrong.
pub(super) struct WrittenPlay(pub WrittenSteps);

impl Play for WrittenPlay {
    fn compile(&self, budget: Budget) -> Result<Graph, CompileError> {
        let graph = Graph::compile(&self.0, budget);
        match self.0.trouble() {
            Some(error) => Err(broken(&error)),
            None => graph,
        }
    }

    fn play(&self, rng: &mut Xoshiro256PlusPlus, trials: u64, counts: &mut FxHashMap<End, u64>) {
        Play::play(&self.0, rng, trials, counts);
    }

    fn replay(&self, dice: &mut Scripted) -> End {
        play_once(&self.0, dice)
    }

    fn phases(&self) -> Vec<&str> {
        Steps::phases(&self.0)
    }

    fn trouble(&self) -> Option<String> {
        self.0.trouble().map(|error| error.to_string())
    }
}

/// The steps as a procedure that can be decided.
pub(super) struct WrittenDecision {
    pub steps: WrittenSteps,
    pub sides: [Name; 2],
}

impl Decisions for WrittenSteps {
    fn actions(&self) -> Vec<Name> {
        self.declared.actions.clone()
    }

    fn value(&self, row: &Row) -> f64 {
        super::worth(self.declared.variables[0].favour(row[0]))
    }

    fn show(&self, state: &State) -> Shown {
        let fields = self.fields.iter().zip(&state.fields);
        fields
            .map(|((name, kind), &number)| {
                let value = match kind {
                    FieldKind::Whole => Value::Whole(i64::from(number)),
                    FieldKind::Flag => Value::Flag(number != 0),
                    FieldKind::Word => Value::Choice(self.words.word(number).into()),
                };
                (Name::from(name.as_str()), value)
            })
            .collect()
    }

    fn plans(&self) -> Vec<FixedPlan> {
        super::plans(&self.declared.actions)
    }
}

impl Decide for WrittenDecision {
    fn compile(&self, budget: Budget) -> Result<(Game, Vec<Shown>), CompileError> {
        let game = Decide::compile(&self.steps, budget);
        match self.steps.trouble() {
            Some(error) => Err(broken(&error)),
            None => game,
        }
    }

    fn play(
        &self,
        game: &Game,
        play: &BestPlay,
        rng: &mut Xoshiro256PlusPlus,
        trials: u64,
        counts: &mut FxHashMap<End, u64>,
    ) {
        Decide::play(&self.steps, game, play, rng, trials, counts);
    }

    fn phases(&self) -> Vec<&str> {
        Steps::phases(&self.steps)
    }

    fn actions(&self) -> Vec<Name> {
        Decisions::actions(&self.steps)
    }

    fn sides(&self) -> [Name; 2] {
        self.sides.clone()
    }

    fn value(&self, row: &Row) -> f64 {
        Decisions::value(&self.steps, row)
    }

    fn plans(&self) -> Vec<FixedPlan> {
        Decisions::plans(&self.steps)
    }
}

fn broken(error: &RuleError) -> CompileError {
    CompileError::Broken {
        problem: error.to_string(),
    }
}
