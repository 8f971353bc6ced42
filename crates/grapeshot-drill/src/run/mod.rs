//! The back end: a question (a procedure and its settings) becomes register code, and the code the engine's steps.
//!
//! The way of a question: `settings` are read by the procedure's keys → `lower` writes the procedure out for them → `live`
//! leaves out what nobody needs and says what a state keeps → `machine` runs what is left on any dice.

pub mod code;
mod decide;
pub mod direct;
mod example;
mod findings;
pub mod handful;
mod kept;
pub mod layout;
mod lists;
mod live;
pub(crate) mod lower;
pub mod machine;
mod mentions;
pub mod native;
mod play;
pub mod reads;
pub mod settings;
mod state;
mod steps;
mod tidy;
mod trial;
pub(crate) mod units;
pub mod value;

use crate::message::render_all;
use crate::program::{Note as Remark, Procedure, ProcedureId, Program};
pub use decide::{FixedPlan, Shown};
pub use direct::Direct;
use grapeshot_engine::Variable;
use grapeshot_engine::engine::Note;
use layout::{Layout, Shapes};
use lower::{Board, Halt, KeyAtHand, Lower, Ways};
use machine::Machine;
use rustc_hash::FxHashMap;
pub use settings::{Refused, Setting, written};
use smallvec::SmallVec;
pub use state::State;
use std::collections::BTreeSet;
use std::sync::{Arc, RwLock};
use value::Val;

/// The most tables that are kept laid out.
const MOST_BOARDS: usize = 256;

/// A checked program that questions can be asked of.
pub struct Rules {
    program: Arc<Program>,
    shapes: Arc<Shapes>,
    kept: kept::Kept,
    boards: RwLock<FxHashMap<Counted, Arc<Board>>>,
}

/// A procedure and how many units each of its sides has.
type Counted = (usize, SmallVec<[usize; 4]>);

/// A question that the rules allow, with its table set.
pub struct Allowed {
    board: Arc<Board>,
    settings: Vec<Setting>,
    notes: Vec<Note>,
    table: lower::Set,
    /// What was asked for before play, where somebody asks.
    before: BTreeSet<reads::Read>,
}

impl Allowed {
    /// What has to be said with its answer.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

/// A question that can be answered.
pub struct Play {
    /// The steps.
    pub machine: Machine,
    prepared: Arc<Prepared>,
}

impl std::ops::Deref for Play {
    type Target = Prepared;

    fn deref(&self) -> &Prepared {
        &self.prepared
    }
}

/// What is known of a question beside its steps.
pub struct Prepared {
    /// What is reported, headline first.
    pub variables: Vec<Variable>,
    /// What every key is, in the order of the procedure's.
    pub settings: Vec<Setting>,
    sides: Option<[String; 2]>,
    plans: Vec<FixedPlan>,
    shows: Vec<decide::ShowAs>,
    /// What was read beside the code, where somebody asks; and what before it.
    always: BTreeSet<reads::Read>,
    before: BTreeSet<reads::Read>,
}

/// How a question is asked.
#[derive(Clone, Copy, Default)]
struct Asked<'a> {
    /// Its dice are thrown one by one, as a script says them.
    one_by_one: bool,
    /// Somebody asks what it reads.
    heard: Option<&'a reads::Heard>,
}

impl Rules {
    /// Prepares a program.
    pub fn new(program: Program) -> Self {
        Rules {
            shapes: Arc::new(Shapes::new(&program)),
            program: Arc::new(program),
            kept: kept::Kept::default(),
            boards: RwLock::default(),
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// A procedure by its name; of two with one name that which nobody decides.
    pub fn procedure(&self, name: &str) -> Option<&Procedure> {
        let found = self.program.procedure(name, false);
        let found = found.or_else(|| self.program.procedure(name, true));
        found.map(|id| &self.program[id])
    }

    /// What a procedure reports, headline first, whatever its settings.
    pub fn variables(&self, procedure: &Procedure) -> Vec<Variable> {
        procedure.reports.iter().map(lower::variable).collect()
    }

    /// Asks a procedure with these settings.
    ///
    /// # Errors
    /// If a key or value is none of the procedure's, the rules refuse it, or the text cannot be played so.
    pub fn ask(&self, procedure: &str, given: &[(&str, &str)]) -> Result<Play, Refused> {
        let unknown = || Refused::UnknownProcedure(procedure.to_owned());
        self.question(
            self.procedure(procedure).ok_or_else(unknown)?,
            given,
            Asked::default(),
        )
    }

    /// Asks a procedure of the program with these settings.
    ///
    /// # Errors
    /// As [`Rules::ask`].
    pub fn ask_id(&self, procedure: ProcedureId, given: &[(&str, &str)]) -> Result<Play, Refused> {
        self.question(&self.program[procedure], given, Asked::default())
    }

    /// Whether a question may be asked, and what has to be said with its answer: everything but writing it out, which is
    /// most of the work.
    ///
    /// # Errors
    /// As [`Rules::ask`], but for what only shows when the text is written out.
    pub fn allows(
        &self,
        procedure: ProcedureId,
        given: &[(&str, &str)],
    ) -> Result<Allowed, Refused> {
        self.set_table(&self.program[procedure], given, Asked::default())
    }

    /// A question that is allowed, as it is asked with the same settings.
    ///
    /// # Errors
    /// As [`Rules::ask`].
    pub fn ask_allowed(
        &self,
        procedure: ProcedureId,
        given: &[(&str, &str)],
        allowed: &Allowed,
    ) -> Result<Play, Refused> {
        self.kept.or_make(procedure.0 as usize, given, || {
            self.written(&self.program[procedure], allowed, Asked::default())
        })
    }

    /// A question that was asked before and is still at hand.
    pub fn at_hand(&self, procedure: ProcedureId, given: &[(&str, &str)]) -> Option<Play> {
        self.kept.known(procedure.0 as usize, given)
    }

    /// The same, written out anew even if it was asked before: for who measures that.
    ///
    /// # Errors
    /// As [`Rules::ask`].
    pub fn ask_anew(&self, procedure: &str, given: &[(&str, &str)]) -> Result<Play, Refused> {
        let unknown = || Refused::UnknownProcedure(procedure.to_owned());
        let procedure = self.procedure(procedure).ok_or_else(unknown)?;
        self.write_out(procedure, given, Asked::default())
    }

    /// Asks the procedure of this name that somebody decides, or that nobody does.
    ///
    /// # Errors
    /// As [`Rules::ask`].
    pub fn ask_decided(
        &self,
        procedure: &str,
        decided: bool,
        given: &[(&str, &str)],
    ) -> Result<Play, Refused> {
        match self.program.procedure(procedure, decided) {
            Some(id) => self.question(&self.program[id], given, Asked::default()),
            None => Err(Refused::UnknownProcedure(procedure.to_owned())),
        }
    }

    fn question(
        &self,
        procedure: &Procedure,
        given: &[(&str, &str)],
        asked: Asked<'_>,
    ) -> Result<Play, Refused> {
        if asked.one_by_one || asked.heard.is_some() {
            return self.write_out(procedure, given, asked);
        }
        self.kept.or_make(self.number_of(procedure), given, || {
            self.write_out(procedure, given, asked)
        })
    }

    /// Writes a question out for its settings.
    fn write_out(
        &self,
        procedure: &Procedure,
        given: &[(&str, &str)],
        asked: Asked<'_>,
    ) -> Result<Play, Refused> {
        let allowed = self.set_table(procedure, given, asked)?;
        self.written(procedure, &allowed, asked)
    }

    /// Writes out a question whose table is set.
    fn written(
        &self,
        procedure: &Procedure,
        allowed: &Allowed,
        asked: Asked<'_>,
    ) -> Result<Play, Refused> {
        let layout = self.layout(procedure, &allowed.board, asked);
        let mut ways = Ways {
            turn_in_state: false,
            one_by_one: asked.one_by_one,
        };
        match self.play(&layout, ways, allowed) {
            Err(Stopped::Halt(Halt::CountTurns)) => {
                ways.turn_in_state = true;
                self.play(&layout, ways, allowed)
            }
            other => other,
        }
        .map_err(|stopped| self.refused(stopped))
    }

    fn layout<'a>(
        &'a self,
        procedure: &'a Procedure,
        board: &'a Board,
        asked: Asked<'a>,
    ) -> Layout<'a> {
        Layout {
            program: &self.program,
            procedure,
            shapes: &self.shapes,
            pieces: &board.pieces,
            heard: asked.heard,
            plain: false,
        }
    }

    /// The table that a procedure with these settings is played on.
    fn board(&self, procedure: &Procedure, settings: &[Setting]) -> Result<Arc<Board>, Refused> {
        let count = |side: usize| settings::units_of(&self.program, procedure, settings, side);
        let sides = 0..procedure.sides.len();
        let counted = (self.number_of(procedure), sides.map(count).collect());
        let known = self.boards.read().ok();
        if let Some(board) = known.and_then(|boards| boards.get(&counted).cloned()) {
            return Ok(board);
        }
        let pieces = units::pieces(&self.program, procedure, &count);
        if pieces.len() > units::MOST_UNITS {
            let text = format!(
                "{} units are more than the {} there can be",
                pieces.len(),
                units::MOST_UNITS
            );
            return Err(Refused::Wrong(text));
        }
        let board = Arc::new(Board::new(&Layout {
            program: &self.program,
            procedure,
            shapes: &self.shapes,
            pieces: &pieces,
            heard: None,
            plain: false,
        }));
        if let Ok(mut boards) = self.boards.write() {
            if boards.len() >= MOST_BOARDS {
                boards.clear();
            }
            boards.insert(counted, Arc::clone(&board));
        }
        Ok(board)
    }

    fn number_of(&self, procedure: &Procedure) -> usize {
        let is_it = |known: &Procedure| std::ptr::eq(known, procedure);
        let at = self.program.procedures.iter().position(is_it);
        at.unwrap_or(usize::MAX)
    }

    /// Sets the table, and asks all refusals and what has to be said.
    fn set_table(
        &self,
        procedure: &Procedure,
        given: &[(&str, &str)],
        asked: Asked<'_>,
    ) -> Result<Allowed, Refused> {
        let mut settings = settings::settle(procedure, given)?;
        lists::agree(&self.program, procedure, &mut settings)?;
        let board = self.board(procedure, &settings)?;
        let layout = self.layout(procedure, &board, asked);
        let mut lower = Lower::new(layout, Ways::default(), Arc::clone(&board));
        let set = self.set_and_refuse(&mut lower, &layout, &board, &mut settings);
        drop(lower);
        let (notes, table, before) = set.map_err(|stopped| self.refused(stopped))?;
        Ok(Allowed {
            board,
            settings,
            notes,
            table,
            before,
        })
    }

    fn set_and_refuse(
        &self,
        lower: &mut Lower<'_>,
        layout: &Layout<'_>,
        board: &Board,
        settings: &mut [Setting],
    ) -> Result<(Vec<Note>, lower::Set, BTreeSet<reads::Read>), Stopped> {
        settings::set(lower, layout, board, settings)?;
        let table = lower.take_set();
        self.refuse(lower, layout, settings)?;
        let notes = remarks(lower, layout.procedure)?;
        Ok((notes, table, std::mem::take(&mut lower.always)))
    }

    fn refused(&self, stopped: Stopped) -> Refused {
        match stopped {
            Stopped::Refused(refused) => refused,
            Stopped::Halt(Halt::Wrong(message)) => {
                Refused::Wrong(render_all(&[*message], &self.program.sources))
            }
            Stopped::Halt(Halt::CountTurns) => {
                Refused::Wrong("the turns of this procedure cannot be counted".into())
            }
        }
    }

    /// A question that is played out from beginning to end, trial by trial, and told if somebody listens: what is `simulated`,
    /// and single trials of anything that nobody has to decide.
    ///
    /// # Errors
    /// As [`Rules::ask`].
    pub fn play_out(&self, procedure: &str, given: &[(&str, &str)]) -> Result<Direct, Refused> {
        let unknown = || Refused::UnknownProcedure(procedure.to_owned());
        let found = self.program.procedure(procedure, false);
        let id = found.or_else(|| self.program.procedure(procedure, true));
        let id = id.ok_or_else(unknown)?;
        let procedure = &self.program[id];
        let allowed = self.set_table(procedure, given, Asked::default())?;
        let layout = self.layout(procedure, &allowed.board, Asked::default());
        let ways = Ways {
            turn_in_state: true,
            one_by_one: true,
        };
        let mut lower = Lower::new(layout, ways, Arc::clone(&allowed.board));
        lower.go_on_from(&allowed.table);
        Ok(Direct::new(direct::Parts {
            program: &self.program,
            shapes: &self.shapes,
            layout,
            lower: &lower,
            procedure: id,
            notes: allowed.notes,
            variables: self.variables(procedure),
            settings: allowed.settings,
        }))
    }

    fn play(&self, layout: &Layout<'_>, ways: Ways, allowed: &Allowed) -> Result<Play, Stopped> {
        let mut lower = Lower::new(*layout, ways, Arc::clone(&allowed.board));
        lower.go_on_from(&allowed.table);
        settings::note_counts(&mut lower, layout);
        let table = lower.table();
        let (variables, turn_variable) = lower.procedure()?;
        lower.number_actions()?;
        let plans = lower.plans(&table)?;
        let always = std::mem::take(&mut lower.always);
        let code = live::finish(lower);
        if let Some(span) = code.keeps_too_much() {
            let title = format!(
                "{} values are the most that may be kept here",
                code::MOST_KEPT
            );
            return Err(Halt::at(span, title).into());
        }
        if code.worth.as_ref().is_some_and(|worth| worth.asks_more)
            && let Some(worth) = &layout.procedure.worth
        {
            let title = "what an end is worth may only ask for reports, settings, and what units were at the start";
            return Err(Halt::at(self.program[worth.value].span, title).into());
        }
        let setting = machine::Setting {
            name: layout.procedure.name.to_string(),
            turn_variable,
            decided_for: layout.procedure.decided_for,
            notes: allowed.notes.clone(),
            program: Arc::clone(&self.program),
        };
        let prepared = Prepared {
            variables,
            settings: allowed.settings.clone(),
            sides: layout.procedure.decided_for.map(|side| {
                let enemy = if side == 0 { 1 } else { 0 };
                [side, enemy].map(|side| layout.side_name(side).to_owned())
            }),
            plans,
            always,
            before: allowed.before.clone(),
            shows: decide::shows(layout).unwrap_or_default(),
        };
        Ok(Play {
            machine: Machine::new(code, setting),
            prepared: Arc::new(prepared),
        })
    }

    /// Asks all refusals, in their order.
    fn refuse(
        &self,
        lower: &mut Lower<'_>,
        layout: &Layout<'_>,
        settings: &[Setting],
    ) -> Result<(), Stopped> {
        lower.plain_names(true);
        for refusal in &layout.procedure.refusals {
            let at_hand = refusal.at.map(|at| &settings[at]);
            let key = KeyAtHand {
                given: at_hand.is_some_and(|setting| setting.given),
                changed: at_hand.is_some_and(|setting| setting.changed),
                side: refusal.unit,
                at: refusal.at,
            };
            let is_unit = |side: usize| layout.pieces.iter().position(|piece| piece.side == side);
            let unit = refusal.unit.and_then(is_unit);
            let when = lower.formula_now(&refusal.when, unit, key)?;
            if when.all_known().is_some_and(|parts| parts[..] == [1]) {
                let text = match lower.formula_now(&refusal.text, unit, key)? {
                    Val::Text(text) => text,
                    _ => String::new(),
                };
                return Err(Stopped::Refused(Refused::Refusal {
                    key: refusal.key.to_string(),
                    value: at_hand.map_or_else(String::new, |setting| setting.written.clone()),
                    text,
                }));
            }
        }
        lower.plain_names(false);
        Ok(())
    }
}

/// Why a question did not become code.
enum Stopped {
    Halt(Halt),
    Refused(Refused),
}

impl From<Halt> for Stopped {
    fn from(halt: Halt) -> Self {
        Stopped::Halt(halt)
    }
}

/// What has to be said with the answers to this question, beside what is said with all of the procedure.
fn remarks(lower: &mut Lower<'_>, procedure: &Procedure) -> Result<Vec<Note>, Halt> {
    let mut notes = Vec::new();
    for note in &procedure.notes {
        match note {
            Remark::Always(_) => {}
            Remark::When { name, when, text } => {
                let holds = lower.formula_now(when, None, KeyAtHand::default())?;
                if holds.all_known().is_some_and(|parts| parts[..] == [1])
                    && let Val::Text(text) = lower.formula_now(text, None, KeyAtHand::default())?
                {
                    notes.push(Note::remark(name.to_string(), text));
                }
            }
        }
    }
    Ok(notes)
}
