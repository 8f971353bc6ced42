//! A text played as it stands, from beginning to end, on any dice and to whoever listens: battles, which are never solved,
//! and single trials that are told. Nothing is written out beforehand, so units, lists and queues cost no code.

mod dice;
mod expr;
mod list;
mod phases;
mod stmt;

use super::Rules;
use super::handful::{Handful, pooled};
use super::layout::{Layout, Piece, Shapes};
use super::lower::{Board, Lower, Ways};
use super::settings::Setting;
use super::value::Numbers;
use crate::message::{Message, render_all};
use crate::program::{Check, DieId, ExprId, ExprKind, FieldId, ProcedureId, Program, Throw, VarId};
use crate::source::Span;
use grapeshot_engine::engine::{End, Note, Playout, Row, Silent, Teller};
use grapeshot_engine::{Dice, Variable};
pub(super) use phases::stage_names;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The most rolls, and the most statements and expressions, of a trial.
pub(crate) const MOST_ROLLS: u32 = 100_000;
const MOST_STEPS: u64 = 20_000_000;
/// The most events that wait in a queue.
pub(crate) const MOST_EVENTS: usize = 1_000;
/// As deep as texts that can be written out may be nested.
const DEEPEST: usize = 100;

/// A question that is played out.
pub struct Direct {
    program: Arc<Program>,
    shapes: Arc<Shapes>,
    procedure: ProcedureId,
    pub(super) pieces: Vec<Piece>,
    /// Where the fields of each piece stand: by the position of the field among those of its type.
    fields: Vec<Vec<usize>>,
    /// Where each variable stands, if the procedure has it.
    pub(super) vars: Vec<Option<usize>>,
    /// The table as it was set.
    pub(super) table: Vec<i32>,
    /// Every die, by its number.
    pub(super) dice: Vec<Arc<Handful>>,
    /// Conditions of which it is counted how many dice meet them, where all fall as one.
    pools: FxHashMap<ExprId, DieId>,
    pub(super) phases: Vec<String>,
    /// Whether its text tells what happens; else the dice are told.
    tells: bool,
    notes: Vec<Note>,
    trouble: Mutex<Option<String>>,
    /// What is reported, headline first.
    pub variables: Vec<Variable>,
    /// What every key is, in the order of the procedure's.
    pub settings: Vec<Setting>,
}

/// What a trial works on.
#[derive(Default)]
pub struct Table {
    now: Vec<i32>,
    start: Vec<i32>,
    locals: Vec<Val>,
    queues: Vec<VecDeque<(usize, Vec<Val>)>>,
    reports: Vec<Val>,
    /// Chances that were asked for before.
    chances: FxHashMap<(i64, i64), grapeshot_engine::Odds<i32>>,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
enum Val {
    One(i32),
    Parts(Numbers),
    List(Vec<Numbers>),
    Text(String),
}

impl Val {
    fn of(parts: Numbers) -> Val {
        match parts[..] {
            [one] => Val::One(one),
            _ => Val::Parts(parts),
        }
    }

    fn one(&self) -> i32 {
        match self {
            Val::One(one) => *one,
            Val::Parts(parts) => parts.first().copied().unwrap_or(0),
            Val::List(entries) => entries.iter().map(|entry| entry[0]).sum(),
            Val::Text(_) => 0,
        }
    }

    fn parts(&self) -> Numbers {
        self.as_parts().into()
    }

    fn as_parts(&self) -> &[i32] {
        match self {
            Val::One(one) => std::slice::from_ref(one),
            Val::Parts(parts) => parts,
            _ => &[],
        }
    }
}

/// Why a trial does not simply go on.
enum Stop {
    /// Back to the caller, with this.
    Return(Val),
    /// The trial is over.
    End,
    /// Something is wrong there.
    Wrong(String, Span),
}

type Played<T> = Result<T, Stop>;

/// What a question is made of.
pub(super) struct Parts<'a> {
    pub program: &'a Arc<Program>,
    pub shapes: &'a Arc<Shapes>,
    pub layout: Layout<'a>,
    pub lower: &'a Lower<'a>,
    pub procedure: ProcedureId,
    pub notes: Vec<Note>,
    pub variables: Vec<Variable>,
    pub settings: Vec<Setting>,
}

impl Direct {
    /// A question whose table is set.
    pub(super) fn new(parts: Parts<'_>) -> Self {
        let Parts {
            program,
            layout,
            lower,
            ..
        } = parts;
        let mut table = Vec::new();
        let mut fields = Vec::new();
        for (unit, piece) in layout.pieces.iter().enumerate() {
            let mut places = Vec::new();
            for id in program.fields_of(piece.of) {
                places.push(table.len());
                let known = lower.known_field(unit, id);
                table.extend(known.unwrap_or_else(|| layout.blank(program[id].ty)));
            }
            fields.push(places);
        }
        let mut vars = vec![None; program.vars.len()];
        for (at, var) in program.vars.iter().enumerate() {
            // A variable that this procedure does not have begins blank, and is nobody's to read.
            vars[at] = Some(table.len());
            let known = lower.known_var(VarId(at as u32));
            table.extend(known.unwrap_or_else(|| layout.blank(var.ty)));
        }
        let (phases, tells) = phases::found(&layout);
        Direct {
            program: Arc::clone(program),
            shapes: Arc::clone(parts.shapes),
            procedure: parts.procedure,
            pieces: layout.pieces.to_vec(),
            fields,
            vars,
            table,
            dice: program
                .dice
                .iter()
                .map(|die| Handful::of(&die.faces))
                .collect(),
            pools: pools(program, layout.procedure.simulated),
            phases,
            tells,
            notes: parts.notes,
            trouble: Mutex::new(None),
            variables: parts.variables,
            settings: parts.settings,
        }
    }

    /// The texts of a program with no unit on the table: for what is asked of its tables.
    pub(super) fn without_units(rules: &Rules, procedure: ProcedureId) -> Self {
        let of = &rules.program[procedure];
        let layout = Layout {
            program: &rules.program,
            procedure: of,
            shapes: &rules.shapes,
            pieces: &[],
            heard: None,
            plain: false,
        };
        let ways = Ways {
            turn_in_state: true,
            one_by_one: true,
        };
        Direct::new(Parts {
            program: &rules.program,
            shapes: &rules.shapes,
            layout,
            lower: &Lower::new(layout, ways, Arc::new(Board::new(&layout))),
            procedure,
            notes: Vec::new(),
            variables: Vec::new(),
            settings: Vec::new(),
        })
    }

    /// Whether a check of the tables holds; else what is to be said, and where it went wrong, if it did.
    pub(super) fn check(&self, check: &Check) -> Result<(), (String, Option<Span>)> {
        let mut table = Table::default();
        let (mut dice, mut teller) = (NoDice, Silent);
        let mut trial = self.trial(&mut table, &mut dice, &mut teller);
        match trial.check(check) {
            Ok(()) => Ok(()),
            Err(Stop::Wrong(text, span)) => Err((text, Some(span))),
            Err(Stop::Return(Val::Text(said))) => Err((said, None)),
            Err(_) => Err((check.text.to_string(), None)),
        }
    }

    /// What has to be said with every answer.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What went wrong in play, if anything did.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().ok().and_then(|trouble| trouble.clone())
    }

    pub(super) fn layout(&self) -> Layout<'_> {
        Layout {
            program: &self.program,
            procedure: &self.program[self.procedure],
            shapes: &self.shapes,
            pieces: &self.pieces,
            heard: None,
            plain: false,
        }
    }

    #[cold]
    pub(super) fn note_trouble(&self, text: String, span: Span) {
        let message = Message::error(span, text);
        if let Ok(mut trouble) = self.trouble.lock() {
            trouble.get_or_insert_with(|| render_all(&[message], &self.program.sources));
        }
    }

    /// Where a field of a unit stands, and whether it is that of the start.
    pub(super) fn field_at(&self, unit: i32, field: FieldId) -> Option<(usize, bool)> {
        let unit = usize::try_from(unit).ok()?;
        let count = self.pieces.len();
        let piece = self.pieces.get(unit % count.max(1))?;
        let first = self.program[piece.of].fields.start;
        let at = field.0.checked_sub(first)? as usize;
        let place = *self.fields[unit % count].get(at)?;
        Some((place, unit >= count))
    }
}

/// Where dice fall as one pool: in what is simulated, trial after trial. Elsewhere each is told and scripted by itself.
fn pools(program: &Program, simulated: bool) -> FxHashMap<ExprId, DieId> {
    let each = program.exprs.iter().filter(|_| simulated);
    each.filter_map(|expr| match expr.kind {
        ExprKind::Throw(Throw::Count(_, condition)) => {
            let (_, die) = pooled(program, condition)?;
            Some((condition, die))
        }
        _ => None,
    })
    .collect()
}

/// Dice that are never thrown.
struct NoDice;

impl Dice for NoDice {
    fn roll(&mut self, _: &grapeshot_engine::dice::Roll) -> usize {
        0
    }
}

/// A trial that is being played.
struct Trial<'a, D, T> {
    direct: &'a Direct,
    layout: Layout<'a>,
    table: &'a mut Table,
    dice: &'a mut D,
    /// Whoever listens; nobody while a sentence is being made.
    teller: Option<&'a mut T>,
    span: Span,
    /// Where the locals of the text begin.
    base: usize,
    started: bool,
    in_stage: bool,
    /// The stage it is in, and the one of the last roll.
    stage: u8,
    ended_in: u8,
    turn: i32,
    outcome: i32,
    rolls: u32,
    /// What the die shows while its faces are gone through.
    face: Option<i32>,
    steps: u64,
    depth: usize,
    /// Dice are told.
    tells_dice: bool,
}

impl Playout for Direct {
    type Field = Table;

    fn phases(&self) -> Vec<&str> {
        self.phases.iter().map(String::as_str).collect()
    }

    fn variables(&self) -> usize {
        self.variables.len()
    }

    fn why_never_solved(&self) -> String {
        "it has more states than can be counted".into()
    }

    fn trouble(&self) -> Option<String> {
        Direct::trouble(self)
    }

    fn notes(&self) -> Vec<Note> {
        Direct::notes(self).to_vec()
    }

    fn field(&self) -> Table {
        Table::default()
    }

    fn play<D: Dice, T: Teller>(&self, table: &mut Table, dice: &mut D, teller: &mut T) -> End {
        let mut trial = self.trial(table, dice, teller);
        match trial.whole() {
            Ok(row) => End {
                row,
                phase: trial.ended_in,
            },
            Err(stop) => {
                if let Stop::Wrong(text, span) = stop {
                    self.note_trouble(text, span);
                }
                End {
                    row: Row::default(),
                    phase: 0,
                }
            }
        }
    }
}

impl Direct {
    /// A trial that begins.
    fn trial<'a, D: Dice, T: Teller>(
        &'a self,
        table: &'a mut Table,
        dice: &'a mut D,
        teller: &'a mut T,
    ) -> Trial<'a, D, T> {
        table.now.clone_from(&self.table);
        table.start.clone_from(&self.table);
        table.locals.clear();
        table.reports.clear();
        table
            .queues
            .resize_with(self.program.queues.len(), VecDeque::new);
        table.queues.iter_mut().for_each(VecDeque::clear);
        Trial {
            direct: self,
            layout: self.layout(),
            table,
            dice,
            teller: Some(teller),
            span: Span::NOWHERE,
            base: 0,
            started: false,
            in_stage: false,
            stage: 0,
            ended_in: 0,
            turn: 0,
            outcome: 0,
            rolls: 0,
            face: None,
            steps: 0,
            depth: 0,
            tells_dice: !self.tells,
        }
    }
}
