//! The table before anything is asked: where everything stands in the frame, and what it is until a key sets it. It is the
//! same for all questions of a procedure with so many units, so it is laid out once.

use super::queue::Places;
use crate::program::{FieldId, Interval, Type, VarId};
use crate::run::layout::{Layout, Piece};
use crate::run::settings::Presets;
use crate::run::value::{Slot, Slots};
use rustc_hash::FxHashMap as HashMap;

/// A procedure's table.
#[derive(Debug)]
pub struct Board {
    /// The units and lines on it.
    pub pieces: Vec<Piece>,
    /// What is set before anything that is given is looked at.
    pub presets: Presets,
    /// What each slot is.
    pub(super) reach: Vec<Interval>,
    /// What it may ever be, where that is declared.
    pub(super) declared: Vec<Option<Interval>>,
    /// Of the pieces, then of the same as they were at the start: the first field of each, and the slots of all.
    fields: Vec<(FieldId, Vec<Slots>)>,
    vars: HashMap<VarId, Slots>,
    pub(super) queues: Vec<Places>,
}

impl Board {
    /// The table of a procedure with these pieces.
    pub fn new(layout: &Layout<'_>) -> Self {
        let mut board = Board {
            pieces: layout.pieces.to_vec(),
            presets: Presets::default(),
            reach: Vec::new(),
            declared: Vec::new(),
            fields: Vec::new(),
            vars: HashMap::default(),
            queues: Vec::new(),
        };
        // The stage, the outcome, the turn.
        for _ in 0..3 {
            board.variable(None, 0);
        }
        for piece in layout.pieces.iter().chain(layout.pieces) {
            let mut ids = layout.program.fields_of(piece.of).peekable();
            let first = ids.peek().copied().unwrap_or(FieldId(0));
            let slots = ids.map(|id| {
                let field = &layout.program[id];
                board.slots_of(layout, field.ty, field.range)
            });
            let slots = slots.collect();
            board.fields.push((first, slots));
        }
        for &id in &layout.procedure.vars {
            let var = &layout.program[id];
            let slots = board.slots_of(layout, var.ty, var.range);
            board.vars.insert(id, slots);
        }
        board.lay_out_queues(layout);
        board.presets = Presets::new(layout, &board);
        board
    }

    /// A slot with what it is at first.
    pub(super) fn variable(&mut self, declared: Option<Interval>, value: i32) -> Slot {
        let slot = self.reach.len().min(super::MOST_SLOTS) as Slot;
        self.reach.push(Interval::only(i64::from(value)));
        self.declared.push(declared);
        slot
    }

    /// Slots of a variable that begins blank.
    fn slots_of(&mut self, layout: &Layout<'_>, ty: Type, range: Option<Interval>) -> Slots {
        let ranges = layout.ranges(ty, range);
        let blank = layout.blank(ty);
        let each = ranges.into_iter().zip(blank);
        each.map(|(range, value)| self.variable(range, value))
            .collect()
    }

    /// Where a field of a unit stands, if it has it.
    pub fn field(&self, unit: usize, field: FieldId) -> Option<&Slots> {
        let (first, slots) = self.fields.get(unit)?;
        slots.get(usize::try_from(field.0.checked_sub(first.0)?).ok()?)
    }

    /// Where all fields of a unit stand, in their order.
    pub(super) fn fields(&self, unit: usize) -> &[Slots] {
        &self.fields[unit].1
    }

    /// Where a variable of the procedure stands.
    pub fn var(&self, var: VarId) -> Option<&Slots> {
        self.vars.get(&var)
    }
}
