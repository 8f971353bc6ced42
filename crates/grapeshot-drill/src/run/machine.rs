//! The machine: register code run on any dice.
//!
//! A trial rests before a throw, a choice or a turn. From a throw the machine runs on through the throws that follow it in the
//! same stage, as long as all of them together have few ways out: dice in sequence would else make states that nobody needs.

use super::code::{Code, HOLE, Ins, RollSite, Thrown};
use super::state::{Place, State, Wide};
use super::value::Operand;
use crate::program::Program;
use grapeshot_engine::engine::{Next, Note, Row};
use grapeshot_engine::{Clock, Dice};
use std::cell::Cell;
use std::sync::{Arc, Mutex, OnceLock};

/// Throws that follow one another are one step while they have at most so many ways out.
const MOST_WAYS: usize = 128;

/// The most turns that pass without a throw, a choice or an end.
const MOST_ROUNDS: usize = 1_000;

/// Why the machine stopped.
#[derive(Clone, Copy)]
pub(super) enum Stop {
    Rest(Place),
    Done,
    /// What was asked beside the trial.
    Told(u32),
    Fault,
}

/// How far code runs by itself.
pub(super) enum Halted {
    /// Dice must fall, at this instruction: those of [`Code::odds`].
    Throw(u32, u32),
    /// There is nothing to throw.
    Stop(Stop),
}

/// Code that is ready to run, for all who ask the same question.
pub(super) struct Body {
    pub(super) code: Code,
    /// The phase of each stage; a stage in which nothing is rolled has that of the one before it.
    pub(super) phases: Vec<usize>,
    pub(super) names: Vec<String>,
    pub(super) clock: Option<Clock>,
    pub(super) decided_for: Option<usize>,
    pub(super) notes: Vec<Note>,
    program: Arc<Program>,
    /// The phase of a turn that has not begun, if it is always the same.
    pub(super) turn_phase: OnceLock<Option<usize>>,
}

/// Code and what has come of running it.
pub struct Machine {
    pub(super) body: Arc<Body>,
    pub(super) start: State,
    /// Kept slots that do not fit into a key, by their numbers.
    pub(super) wide: Mutex<Wide>,
    trouble: Mutex<Option<String>>,
    /// What was read, where somebody asks.
    pub(super) met: super::reads::Met,
}

thread_local! {
    /// The frame of the last step.
    static FRAME: Cell<Vec<i32>> = const { Cell::new(Vec::new()) };
}

/// What a machine needs beside its code.
pub struct Setting {
    /// What the only phase is called where no stage is named.
    pub name: String,
    /// The variable that reports the turn.
    pub turn_variable: usize,
    /// The side choices are made well for.
    pub decided_for: Option<usize>,
    /// Remarks.
    pub notes: Vec<Note>,
    /// The program, for messages.
    pub program: Arc<Program>,
}

/// How far throws may follow one another in one step.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The stage of the throws so far, once there was one.
    stage: Option<i32>,
    ways: usize,
}

impl Reach {
    pub(super) const NONE: Reach = Reach {
        stage: None,
        ways: 1,
    };

    /// With a throw of so many ways in a stage; nothing if the trial rests before it.
    #[inline]
    pub(super) fn with(self, stage: i32, ways: usize) -> Option<Reach> {
        let goes_on = self.stage.is_none_or(|before| before == stage)
            && self.ways.saturating_mul(ways) <= MOST_WAYS.max(ways);
        goes_on.then(|| Reach {
            stage: Some(stage),
            ways: self.ways * ways,
        })
    }
}

impl Machine {
    /// A machine for code.
    pub fn new(code: Code, setting: Setting) -> Self {
        let mut rolled = vec![false; code.stages.len()];
        let live_rolls = code.ins.iter().filter_map(|ins| match ins {
            Ins::Roll(site) => {
                let site = &code.rolls[*site as usize];
                let falls = site
                    .odds
                    .iter()
                    .any(|&odds| code.odds[odds as usize].ways() > 1);
                falls.then_some(site.stage)
            }
            Ins::Choose(site) => Some(code.choices[*site as usize].stage),
            _ => None,
        });
        for stage in live_rolls {
            match stage {
                Operand::Known(stage) => {
                    if let Some(rolled) = rolled.get_mut(stage as usize) {
                        *rolled = true;
                    }
                }
                Operand::Slot(_) => rolled.fill(true),
            }
        }
        let mut names = Vec::new();
        let mut phases = Vec::new();
        for (stage, rolled) in code.stages.iter().zip(&rolled) {
            if *rolled {
                names.push(stage.clone());
            }
            phases.push(names.len().saturating_sub(1));
        }
        if names.is_empty() {
            names.push(code.stages.first().cloned().unwrap_or(setting.name));
        }
        let clock = code
            .turn
            .as_ref()
            .map(|turn| Clock::turns(turn.last, setting.turn_variable));
        let body = Body {
            code,
            phases,
            names,
            clock,
            decided_for: setting.decided_for,
            notes: setting.notes,
            program: setting.program,
            turn_phase: OnceLock::new(),
        };
        Machine::of(Arc::new(body))
    }

    /// A machine for code to which nothing has happened yet.
    pub(super) fn of(body: Arc<Body>) -> Self {
        let mut machine = Machine {
            met: super::reads::Met::new(&body.code.reads),
            body,
            start: State::BEGINNING,
            wide: Mutex::default(),
            trouble: Mutex::new(None),
        };
        // What stands before the first throw or choice is run once.
        let start = machine.with_frame(|machine, frame| {
            let stop = machine.without_dice(0, frame);
            match stop {
                Stop::Rest(at @ (Place::Throw(_) | Place::Choice(_))) => {
                    Some(machine.pack(at, frame))
                }
                _ => None,
            }
        });
        machine.start = start.unwrap_or(machine.start);
        machine
    }

    /// The code.
    pub fn code(&self) -> &Code {
        &self.body.code
    }

    /// What went wrong in play, if anything did.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().ok().and_then(|trouble| trouble.clone())
    }

    pub(super) fn with_frame<T>(&self, act: impl FnOnce(&Self, &mut Vec<i32>) -> T) -> T {
        let mut frame = FRAME.take();
        if frame.len() < self.body.code.slots {
            frame.resize(self.body.code.slots, 0);
        }
        let made = act(self, &mut frame);
        FRAME.set(frame);
        made
    }

    pub(super) fn note_trouble(&self, text: String, at: Place) {
        let pc = match at {
            Place::Throw(pc) | Place::Choice(pc) => pc as usize,
            _ => 0,
        };
        self.trouble_at(text, pc);
    }

    #[cold]
    fn trouble_at(&self, text: String, pc: usize) {
        let span = self
            .body
            .code
            .spans
            .get(pc)
            .copied()
            .unwrap_or(crate::source::Span::NOWHERE);
        let (line, column) = self.body.program.sources.line_and_column(span);
        let text = format!(
            "{text}\n  {}:{line}:{column}: {}",
            self.body.program.sources.file(span.file).name,
            self.body.program.sources.text(span)
        );
        if let Ok(mut trouble) = self.trouble.lock() {
            trouble.get_or_insert(text);
        }
    }

    pub(super) fn row(&self, frame: &[i32]) -> Row {
        let mut row = Row::default();
        for (at, &operand) in row.iter_mut().zip(&self.body.code.row) {
            *at = value(operand, frame) as u16;
        }
        row
    }

    /// Which dice a throw throws.
    fn odds(&self, site: u32, frame: &[i32]) -> usize {
        let site = &self.body.code.rolls[site as usize];
        site.odds[combination(&site.index, frame)] as usize
    }

    /// Runs until a trial rests or is over.
    pub(super) fn run<D: Dice>(&self, from: u32, frame: &mut [i32], dice: &mut D) -> Stop {
        let (mut pc, mut reach) = (from, Reach::NONE);
        loop {
            let (at, odds) = match self.advance(pc, frame) {
                Halted::Throw(at, odds) => (at, odds),
                Halted::Stop(stop) => return stop,
            };
            let (site, thrown) = self.thrown(at, odds);
            match reach.with(value(site.stage, frame), thrown.ways()) {
                Some(next) => reach = next,
                None => return Stop::Rest(Place::Throw(at)),
            }
            set(frame, site, thrown.outcome(thrown.roll(dice)));
            pc = at + 1;
        }
    }

    /// Runs until a trial rests or is over, without a die.
    pub(super) fn without_dice(&self, from: u32, frame: &mut [i32]) -> Stop {
        match self.advance(from, frame) {
            Halted::Throw(at, _) => Stop::Rest(Place::Throw(at)),
            Halted::Stop(stop) => stop,
        }
    }

    /// What is thrown at an instruction.
    #[inline]
    pub(super) fn thrown(&self, at: u32, odds: u32) -> (&RollSite, &Thrown) {
        let code = &self.body.code;
        let Ins::Roll(site) = code.ins[at as usize] else {
            unreachable!("dice fall where the code throws them");
        };
        (&code.rolls[site as usize], &code.odds[odds as usize])
    }

    /// An entry of a table; nothing beyond it, and in its gaps.
    #[inline]
    fn look(&self, at: i32, low: i32, first: u32, len: u32) -> Option<i32> {
        let at = at.wrapping_sub(low) as u32;
        if at >= len {
            return None;
        }
        let entry = self.body.code.data[(first + at) as usize];
        (entry != HOLE).then_some(entry)
    }

    #[cold]
    fn too_large(&self, pc: usize) -> Halted {
        let text = "a number is divided by 0 here, or becomes too large";
        self.trouble_at(text.into(), pc);
        Halted::Stop(Stop::Fault)
    }

    #[cold]
    fn not_found(&self, pc: usize) -> Halted {
        let text = "what has come has no value here: nothing is printed for it, or a number is divided by 0";
        self.trouble_at(text.into(), pc);
        Halted::Stop(Stop::Fault)
    }

    /// Runs until dice must fall, or there is something else to stop for.
    pub(super) fn advance(&self, from: u32, frame: &mut [i32]) -> Halted {
        let code = &self.body.code;
        let mut pc = from as usize;
        let mut rounds = 0;
        loop {
            match code.ins[pc] {
                Ins::Nothing => {}
                Ins::Put(to, operand) => frame[usize::from(to)] = value(operand, frame),
                Ins::Binary(op, to, a, b) => match op.apply(value(a, frame), value(b, frame)) {
                    Some(made) => frame[usize::from(to)] = made,
                    None => return self.too_large(pc),
                },
                Ins::Join { to, a, b, width } => {
                    let (first, second) =
                        (frame[usize::from(a.0)] - a.1, frame[usize::from(b.0)] - b.1);
                    frame[usize::from(to)] = first * width + second;
                }
                Ins::Look {
                    to,
                    at,
                    low,
                    first,
                    len,
                } => match self.look(frame[usize::from(at)], low, first, len) {
                    Some(entry) => frame[usize::from(to)] = entry,
                    None => return self.not_found(pc),
                },
                Ins::Jump(to) => {
                    if to as usize <= pc {
                        rounds += 1;
                        if rounds > MOST_ROUNDS {
                            self.trouble_at("these turns go on without a die".into(), pc);
                            return Halted::Stop(Stop::Fault);
                        }
                    }
                    pc = to as usize;
                    continue;
                }
                Ins::UnlessBinary(op, a, b, to) => {
                    match op.apply(value(a, frame), value(b, frame)) {
                        Some(0) => {
                            pc = to as usize;
                            continue;
                        }
                        Some(_) => {}
                        None => return self.too_large(pc),
                    }
                }
                Ins::UnlessLook {
                    at,
                    low,
                    first,
                    len,
                    to,
                } => match self.look(frame[usize::from(at)], low, first, len) {
                    Some(0) => {
                        pc = to as usize;
                        continue;
                    }
                    Some(_) => {}
                    None => return self.not_found(pc),
                },
                Ins::Unless(slot, to) => {
                    if frame[usize::from(slot)] == 0 {
                        pc = to as usize;
                        continue;
                    }
                }
                Ins::Check(operand, range) => {
                    let (range, what) = &code.ranges[range as usize];
                    let number = i64::from(value(operand, frame));
                    if !(range.low..=range.high).contains(&number) {
                        let text = format!(
                            "`{what}` would be {number}, and may be {} to {}",
                            range.low, range.high
                        );
                        self.trouble_at(text, pc);
                        return Halted::Stop(Stop::Fault);
                    }
                }
                Ins::Roll(site) => {
                    let odds = self.odds(site, frame);
                    let thrown = &code.odds[odds];
                    if thrown.ways() > 1 {
                        return Halted::Throw(pc as u32, odds as u32);
                    }
                    set(frame, &code.rolls[site as usize], thrown.outcome(0));
                }
                Ins::Choose(site) => {
                    let site = &code.choices[site as usize];
                    let mut offered = site
                        .actions
                        .iter()
                        .filter(|action| value(action.offered, frame) != 0);
                    match (offered.next(), offered.next()) {
                        (Some(only), None) => {
                            pc = only.to as usize;
                            continue;
                        }
                        (Some(_), Some(_)) => {
                            return Halted::Stop(Stop::Rest(Place::Choice(pc as u32)));
                        }
                        (None, _) => {
                            self.trouble_at("there is nothing that could be done here".into(), pc);
                            return Halted::Stop(Stop::Fault);
                        }
                    }
                }
                Ins::Turn => return Halted::Stop(Stop::Rest(Place::Turn)),
                Ins::Done => return Halted::Stop(Stop::Done),
                Ins::Told(list) => return Halted::Stop(Stop::Told(list)),
                Ins::Reads(site) => {
                    let index = &code.reads[site as usize].index;
                    self.met.note(site, combination(index, frame));
                }
                Ins::Fault(fault) => {
                    self.trouble_at(code.faults[fault as usize].clone(), pc);
                    return Halted::Stop(Stop::Fault);
                }
            }
            pc += 1;
        }
    }

    pub(super) fn next(&self, stop: Stop, frame: &[i32]) -> Next<State> {
        match stop {
            Stop::Rest(Place::Turn) => Next::NextTurn(self.pack(Place::Turn, frame)),
            Stop::Rest(at) => Next::Go(self.pack(at, frame)),
            Stop::Done => Next::Done(self.row(frame)),
            Stop::Told(_) | Stop::Fault => Next::Done(Row::default()),
        }
    }

    /// Where a state goes on.
    pub(super) fn pc(&self, at: Place) -> u32 {
        match at {
            Place::Beginning => 0,
            Place::Throw(pc) | Place::Choice(pc) => pc,
            Place::Turn => self.body.code.turn.as_ref().map_or(0, |turn| turn.head),
        }
    }
}

pub(super) fn value(operand: Operand, frame: &[i32]) -> i32 {
    match operand {
        Operand::Known(number) => number,
        Operand::Slot(slot) => frame[usize::from(slot)],
    }
}

/// Puts an outcome into the slots of a throw.
#[inline]
pub(super) fn set(frame: &mut [i32], site: &RollSite, outcome: &[i32]) {
    for (&slot, &part) in site.to.iter().zip(outcome) {
        frame[usize::from(slot)] = part;
    }
}

/// Which combination of slots a frame has, the last slot's changing fastest.
fn combination(index: &[(super::value::Slot, i32, u32)], frame: &[i32]) -> usize {
    let mut at = 0;
    for &(slot, low, count) in index {
        let above = i64::from(frame[usize::from(slot)]) - i64::from(low);
        at = at * count as usize + above.clamp(0, i64::from(count) - 1) as usize;
    }
    at
}
