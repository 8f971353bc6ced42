//! From the checked program and one list of settings to register code.
//!
//! Every unit's field, variable and changed local has slots of its own. While the code is written the range of every slot is
//! followed through branches and joins; a range of one number is a constant, and everything that depends on constants alone
//! is worked out here. So a setting that no line changes, a branch that cannot be taken and a modifier that cannot count
//! leave no code, and there is no list of what "may be folded".

mod apply;
mod board;
mod branch;
mod call;
mod choose;
mod convert;
mod decide;
mod emit;
mod expr;
mod fold;
mod letters;
mod list;
mod lookup;
mod note;
mod number;
mod queue;
mod report;
mod roll;
mod stmt;
mod turns;

use super::code::{ChoiceSite, Ins, RollSite, WorthSite};
use super::layout::Layout;
use super::reads::{Read, ReadSite};
use super::value::{Dist, Numbers, Operand, Slot, Slots, Val};
use crate::message::Message;
use crate::program::{FieldId, Interval, Local, LocalId, VarId};
use crate::source::Span;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use board::Board;
pub use emit::Label;
pub use lookup::{asked, axis, find};
pub use number::fold_fractions;
pub use report::{favour_word, label_of, lowest, variable};
pub use roll::{MOST_SUMS, sums, too_many_sums};

/// The most instructions after inlining.
pub const MOST_INSTRUCTIONS: usize = 50_000;
/// The most slots: fields, variables, and what is worked out between them.
const MOST_SLOTS: usize = 60_000;
/// The most expressions that are looked at: what is known leaves no instruction, and must still come to an end.
const MOST_WORK: u64 = 12_000_000;
/// The most texts that may call one another, one within the other, and expressions within expressions.
const DEEPEST: usize = 100;

/// Why lowering stopped.
#[derive(Debug)]
pub enum Halt {
    /// Something is wrong, or too large.
    Wrong(Box<Message>),
    /// The turn must be a slot of its own: something beside a report asks for it, or dice fall after the last one.
    CountTurns,
}

impl Halt {
    /// Something is wrong there.
    pub fn at(span: Span, title: impl Into<String>) -> Self {
        Halt::Wrong(Box::new(Message::error(span, title)))
    }
}

/// What lowering gives.
pub type Lowered<T> = Result<T, Halt>;

/// What is bound to a local.
#[derive(Debug, Clone)]
enum Bound {
    /// A value; the local never changes.
    Value(Val),
    /// Slots of its own.
    Slots(Slots),
}

/// A text that is being inlined.
#[derive(Debug, Clone, Default)]
struct Frame<'p> {
    locals: Vec<Option<Bound>>,
    /// As they are declared; of the procedure itself its own.
    declared: Option<&'p [Local]>,
    /// Where `return` goes; a formula has none.
    exit: Option<Label>,
    result: Slots,
}

/// How a question is to be lowered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ways {
    /// The turn is a slot and part of the state; else the engine counts it.
    pub turn_in_state: bool,
    /// Dice are thrown one by one, as a script says them; else throws that are read together are one.
    pub one_by_one: bool,
}

/// The key a refusal is said of.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyAtHand {
    /// Whether it was given.
    pub given: bool,
    /// Whether it is not at its default.
    pub changed: bool,
    /// The side it belongs to.
    pub side: Option<usize>,
    /// Its position.
    pub at: Option<usize>,
}

/// A table that is set.
pub struct Set {
    reach: Vec<Interval>,
    origin: HashMap<Slot, usize>,
    always: BTreeSet<Read>,
}

/// Register code in the making.
pub struct Lower<'p> {
    layout: Layout<'p>,
    ways: Ways,
    pub(super) ins: Vec<Ins>,
    pub(super) spans: Vec<Span>,
    pub(super) data: Vec<i32>,
    pub(super) ranges: Vec<(Interval, String)>,
    pub(super) faults: Vec<String>,
    pub(super) rolls: Vec<RollSite>,
    pub(super) dists: Vec<Dist>,
    pub(super) choices: Vec<ChoiceSite>,
    pub(super) actions: Vec<(String, String)>,
    pub(super) stages: Vec<String>,
    pub(super) labels: Vec<emit::Target>,
    /// Lists of ranges that nobody needs any more: there is one for every label.
    spare: Vec<Vec<Interval>>,
    /// What each slot can be here; of a throw also what all slots could be when it was written.
    reach: Vec<Interval>,
    /// For rests: the ranges of all slots at each instruction that a trial can rest at.
    pub(super) reach_at: HashMap<usize, Vec<Interval>>,
    /// What each slot is when play begins.
    initial: Vec<i32>,
    /// What a slot may ever be, where that is declared.
    declared: Vec<Option<Interval>>,
    /// Set once, so that nobody need copy them.
    is_temporary: Vec<bool>,
    /// Where each slot comes from.
    made: Vec<fold::Made>,
    /// Changes wherever several ways meet.
    era: u32,
    /// When something was last looked up.
    look_era: u32,
    /// Throws before this one may no longer change: what follows may be taken back.
    fold_floor: usize,
    alive: bool,
    frames: Vec<Frame<'p>>,
    /// Lists of locals that nobody needs any more.
    spare_locals: Vec<Vec<Option<Bound>>>,
    depth: usize,
    work: std::cell::Cell<u64>,
    span: Span,
    board: Arc<Board>,
    /// Variables that this procedure does not have, where a text asks for them.
    foreign: HashMap<VarId, Slots>,
    started: bool,
    in_stage: bool,
    stage: Slot,
    outcome: Slot,
    turn: Slot,
    finish: Option<Label>,
    reports: Vec<Val>,
    key: KeyAtHand,
    /// Where dice may no longer fall: the engine's last turn is over.
    after_turns: bool,
    pub(super) turns: Option<turns::Turns>,
    pub(super) row: Vec<Operand>,
    pub(super) worth: Option<WorthSite>,
    pub(super) told: Vec<Vec<Operand>>,
    pub(super) reads: Vec<ReadSite>,
    /// Where what is read everywhere alike is noted.
    read_at: HashMap<Read, u32>,
    /// What was read beside the code.
    pub(super) always: BTreeSet<Read>,
    /// The key that set a slot.
    origin: HashMap<Slot, usize>,
    /// The key that is being set.
    pub(super) sets: Option<usize>,
    /// The turn that a plan is asked about.
    turn_at_hand: Option<i32>,
}

thread_local! {
    /// Lists of ranges of the questions before: they are long, and many.
    static SPARE: std::cell::Cell<Vec<Vec<Interval>>> = const { std::cell::Cell::new(Vec::new()) };
}

/// The most lists that are kept for the next question.
const MOST_SPARE: usize = 64;

impl Drop for Lower<'_> {
    fn drop(&mut self) {
        let mut spare = std::mem::take(&mut self.spare);
        let at_labels = self.labels.iter_mut();
        spare.extend(at_labels.filter_map(|label| label.reach.take()));
        spare.extend(self.reach_at.drain().map(|(_, reach)| reach));
        spare.truncate(MOST_SPARE);
        SPARE.set(spare);
    }
}

impl<'p> Lower<'p> {
    /// Code for these pieces, nothing of which is set yet.
    pub fn new(layout: Layout<'p>, ways: Ways, board: Arc<Board>) -> Self {
        let slots = board.reach.len();
        Lower {
            layout,
            ways,
            ins: Vec::new(),
            spans: Vec::new(),
            data: Vec::new(),
            ranges: Vec::new(),
            faults: Vec::new(),
            rolls: Vec::new(),
            dists: Vec::new(),
            choices: Vec::new(),
            actions: Vec::new(),
            stages: Vec::new(),
            labels: Vec::new(),
            spare: SPARE.take(),
            reach: board.reach.clone(),
            reach_at: HashMap::default(),
            initial: Vec::new(),
            declared: board.declared.clone(),
            is_temporary: vec![false; slots],
            made: vec![fold::Made::NOT_YET; slots],
            era: 0,
            look_era: 0,
            fold_floor: 0,
            alive: true,
            frames: vec![Frame::default()],
            spare_locals: Vec::new(),
            depth: 0,
            work: std::cell::Cell::new(0),
            span: layout.procedure.span,
            board,
            foreign: HashMap::default(),
            started: false,
            in_stage: false,
            stage: 0,
            outcome: 1,
            turn: 2,
            finish: None,
            reports: Vec::new(),
            key: KeyAtHand::default(),
            after_turns: false,
            turns: None,
            row: Vec::new(),
            worth: None,
            told: Vec::new(),
            reads: Vec::new(),
            read_at: HashMap::default(),
            always: BTreeSet::new(),
            origin: HashMap::default(),
            sets: None,
            turn_at_hand: None,
        }
    }

    /// The table as it is set, which what is asked before play does not change; what was read for it is heard no more.
    pub fn take_set(&mut self) -> Set {
        Set {
            reach: self.reach.clone(),
            origin: self.origin.clone(),
            always: std::mem::take(&mut self.always),
        }
    }

    /// Begins with a table that is set.
    pub fn go_on_from(&mut self, set: &Set) {
        self.reach.clone_from(&set.reach);
        self.origin.clone_from(&set.origin);
        self.always.clone_from(&set.always);
    }

    /// The table is set: units were at the start what they are now.
    fn as_set(&mut self) {
        let pieces = self.layout.pieces.len();
        for unit in 0..pieces {
            let (now, start) = (self.board.fields(unit), self.board.fields(unit + pieces));
            for (&now, &start) in now.iter().flatten().zip(start.iter().flatten()) {
                self.reach[usize::from(start)] = self.reach[usize::from(now)];
            }
        }
        self.initial.clear();
        self.initial
            .extend(self.reach.iter().map(|range| range.low as i32));
    }

    /// What stands before the first instruction: what slots are at first that something sets later. All others are known
    /// wherever they are asked for.
    pub(super) fn begin_with_table(&mut self) {
        let mut is_set = vec![false; self.initial.len()];
        for ins in &self.ins {
            if let Ins::Put(to, _) = ins
                && let Some(set) = is_set.get_mut(usize::from(*to))
            {
                *set = true;
            }
        }
        let each = is_set.iter().zip(&self.initial).zip(0..);
        let puts: Vec<Ins> = each
            .filter(|((set, _), _)| **set)
            .map(|((_, &value), slot)| Ins::Put(slot, Operand::Known(value)))
            .collect();
        let count = puts.len();
        self.ins.splice(0..0, puts);
        let nowhere = std::iter::repeat_n(self.layout.procedure.span, count);
        self.spans.splice(0..0, nowhere);
        for label in &mut self.labels {
            label.at += count;
        }
        let rests = self.reach_at.drain();
        self.reach_at = rests.map(|(at, reach)| (at + count, reach)).collect();
    }

    /// Sets slots before play begins, without code.
    pub fn preset(&mut self, slots: &[Slot], parts: &[i32]) {
        for (&slot, &part) in slots.iter().zip(parts) {
            if let (Some(key), true) = (self.sets, self.layout.heard.is_some()) {
                self.origin.insert(slot, key);
            }
            self.reach[slot as usize] = Interval::only(i64::from(part));
        }
    }

    /// What a variable holds, if that is known.
    pub fn known_field(&self, unit: usize, field: FieldId) -> Option<Numbers> {
        let slots = self.board.field(unit, field)?;
        slots
            .iter()
            .map(|&slot| self.operand(slot).known())
            .collect()
    }

    /// The same of a variable.
    pub fn known_var(&self, var: VarId) -> Option<Numbers> {
        let slots = self.board.var(var)?;
        slots
            .iter()
            .map(|&slot| self.operand(slot).known())
            .collect()
    }

    /// Whether units of a side of several are called like the side.
    pub fn plain_names(&mut self, plain: bool) {
        self.layout.plain = plain;
    }

    /// Works out a formula before play begins; local 0 is this unit, if there is one.
    pub fn formula_now(
        &mut self,
        formula: &crate::program::Formula,
        unit: Option<usize>,
        key: KeyAtHand,
    ) -> Lowered<Val> {
        self.key = key;
        let before = self.ins.len();
        let local = unit.map(|unit| Val::known(unit as i32));
        let value = self.formula(formula, local)?;
        self.note_always(before);
        self.new_era();
        self.ins.truncate(before);
        self.spans.truncate(before);
        if !std::mem::replace(&mut self.alive, true) {
            let why = self.faults.pop().unwrap_or_default();
            return Err(Halt::at(self.span, why));
        }
        match matches!(value, Val::Text(_)) || value.all_known().is_some() {
            true => Ok(value),
            false => self.wrong("this can only be said once dice have fallen"),
        }
    }

    /// A formula with its own locals.
    fn formula(&mut self, formula: &crate::program::Formula, first: Option<Val>) -> Lowered<Val> {
        let mut locals = self.locals(formula.locals.len().max(1));
        locals[0] = first.map(Bound::Value);
        self.frames.push(Frame {
            locals,
            ..Frame::default()
        });
        let value = self.expr(formula.value);
        self.leave();
        value
    }

    /// So many locals, none of which is bound.
    fn locals(&mut self, count: usize) -> Vec<Option<Bound>> {
        let mut locals = self.spare_locals.pop().unwrap_or_default();
        locals.resize(count, None);
        locals
    }

    /// Leaves a text.
    fn leave(&mut self) {
        if let Some(mut frame) = self.frames.pop() {
            frame.locals.clear();
            self.spare_locals.push(frame.locals);
        }
    }

    fn frame(&mut self) -> &mut Frame<'p> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn bind(&mut self, local: LocalId, bound: Bound) {
        let locals = &mut self.frame().locals;
        let at = local.0 as usize;
        if locals.len() <= at {
            locals.resize(at + 1, None);
        }
        locals[at] = Some(bound);
    }

    /// Notes so much work, which is not too much for the line at hand alone.
    fn adds(&self, work: u64) {
        self.work.set(self.work.get().saturating_add(work));
    }

    /// What all slots can be, in a list that nobody else needs.
    fn copied_reach(&mut self) -> Vec<Interval> {
        let mut reach = self.spare.pop().unwrap_or_default();
        reach.clone_from(&self.reach);
        reach
    }

    /// Keeps what all slots can be where a trial can rest.
    fn rests_here(&mut self) -> Lowered<()> {
        // It is kept, so it is dearer than a look at each.
        self.worked(self.reach.len() as u64 / 4)?;
        let reach = self.copied_reach();
        if let Some(before) = self.reach_at.insert(self.ins.len(), reach) {
            self.spare.push(before);
        }
        Ok(())
    }

    /// Notes so much work; too much of it is an error of the line at hand.
    fn worked(&mut self, work: u64) -> Lowered<()> {
        self.adds(work);
        match self.work.get() > MOST_WORK {
            true => self.wrong("working this out beforehand takes too long"),
            false => Ok(()),
        }
    }

    /// Goes a level down: expressions and blocks may not be nested without end.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        if self.depth >= DEEPEST {
            return self.wrong("this is nested too deeply");
        }
        self.depth += 1;
        let made = inside(self);
        self.depth -= 1;
        made
    }

    fn wrong<T>(&self, title: impl Into<String>) -> Lowered<T> {
        Err(Halt::at(self.span, title))
    }
}
