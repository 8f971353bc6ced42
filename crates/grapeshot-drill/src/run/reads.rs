//! What a question reads: keys, printed cells and modifiers that can matter, from its specialised text and the states that
//! are reached. Only a question that is asked so pays for it: markers stand in its code, and every state is run once.

use super::code::Ins;
use super::machine::Machine;
use super::{Asked, Play, Refused, Rules};
use crate::program::{CellId, CellPlace, ModifierName, ModifiersId, Procedure};
use grapeshot_engine::engine::{Budget, Game};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Something that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Read {
    /// A key, by its position.
    Key(usize),
    /// A printed cell.
    Cell(CellId),
    /// An entry of modifiers that counts, by its position.
    Modifier(ModifiersId, usize),
}

/// What a question reads. What is not listed cannot change its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    /// What its numbers can depend on.
    pub played: ReadNames,
    /// What it can be refused for, or what a remark under it says.
    pub asked_before: ReadNames,
    /// Whether its states were too many to be run through, so that everything in its text is listed.
    pub over_budget: bool,
}

/// Things that are read, by their names, in the order of the text and the print.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadNames {
    /// Keys.
    pub keys: Vec<Arc<str>>,
    /// Cells of tables, entries of lists, assumptions.
    pub cells: Vec<CellPlace>,
    /// Entries of modifiers: the name of the list, and that of the entry as it is written.
    pub modifiers: Vec<(Arc<str>, Arc<str>)>,
}

/// Hears which cells are read while something is worked out for all combinations of some slots.
#[derive(Debug, Default)]
pub struct Heard {
    combination: Cell<u32>,
    cells: RefCell<Vec<(u32, CellId)>>,
}

impl Heard {
    pub(super) fn begin(&self) {
        self.combination.set(0);
        self.cells.borrow_mut().clear();
    }

    pub(super) fn next_combination(&self) {
        self.combination.set(self.combination.get() + 1);
    }

    pub(super) fn cell(&self, cell: CellId) {
        self.cells.borrow_mut().push((self.combination.get(), cell));
    }

    pub(super) fn take(&self) -> Vec<(u32, CellId)> {
        std::mem::take(&mut self.cells.borrow_mut())
    }
}

/// What is read at a place of the code, for each combination of some slots.
#[derive(Debug, Clone)]
pub struct ReadSite {
    /// The slots: their lowest value and how many they have.
    pub index: Vec<(super::value::Slot, i32, u32)>,
    /// For each combination.
    pub items: Vec<Vec<Read>>,
}

/// Which combinations of which places were met.
#[derive(Debug, Default)]
pub(super) struct Met(Vec<Vec<AtomicBool>>);

impl Met {
    pub(super) fn new(sites: &[ReadSite]) -> Self {
        let of = |site: &ReadSite| site.items.iter().map(|_| AtomicBool::new(false)).collect();
        Met(sites.iter().map(of).collect())
    }

    pub(super) fn note(&self, site: u32, combination: usize) {
        if let Some(met) = self.0[site as usize].get(combination) {
            met.store(true, Ordering::Relaxed);
        }
    }
}

impl Machine {
    /// Everything that was read so far; `all` of what stands in the code, met or not.
    fn read(&self, all: bool) -> BTreeSet<Read> {
        let sites = self.code().ins.iter().filter_map(|ins| match ins {
            Ins::Reads(site) => Some(*site as usize),
            _ => None,
        });
        let mut read = BTreeSet::new();
        for site in sites {
            let items = self.code().reads[site].items.iter();
            for (items, met) in items.zip(&self.met.0[site]) {
                if all || met.load(Ordering::Relaxed) {
                    read.extend(items);
                }
            }
        }
        read
    }
}

impl Rules {
    /// What a question reads: that of the procedure of this name which somebody decides, or which nobody does. All its states
    /// are run through; of a question over its budget everything that stands in its text is listed, and of what is only
    /// simulated everything that is printed.
    ///
    /// # Errors
    /// As [`Rules::ask`].
    pub fn reads(
        &self,
        procedure: &str,
        decided: bool,
        given: &[(&str, &str)],
        budget: Budget,
    ) -> Result<Reads, Refused> {
        let Some(id) = self.program().procedure(procedure, decided) else {
            return Err(Refused::UnknownProcedure(procedure.to_owned()));
        };
        let procedure = &self.program()[id];
        if procedure.simulated {
            return Ok(self.everything(procedure));
        }
        let heard = Heard::default();
        let asked = Asked {
            one_by_one: false,
            heard: Some(&heard),
        };
        let play = self.question(procedure, given, asked)?;
        let fits = run_through(&play, budget);
        let mut read = play.machine.read(!fits);
        read.extend(&play.always);
        Ok(Reads {
            played: self.named(procedure, &read),
            asked_before: self.named(procedure, &play.before),
            over_budget: !fits,
        })
    }

    /// All keys and all that is printed: what is only simulated is never written out, so that nobody can look what of it
    /// is left.
    fn everything(&self, procedure: &Procedure) -> Reads {
        let keys = (0..procedure.keys.len()).map(Read::Key);
        let cells = (0..self.program().cells.len()).map(|at| Read::Cell(CellId(at as u32)));
        Reads {
            played: self.named(procedure, &keys.chain(cells).collect()),
            asked_before: ReadNames::default(),
            over_budget: true,
        }
    }

    fn named(&self, procedure: &Procedure, read: &BTreeSet<Read>) -> ReadNames {
        let program = self.program();
        let mut names = ReadNames::default();
        for read in read {
            match *read {
                Read::Key(at) => names.keys.push(procedure.keys[at].name.clone()),
                Read::Cell(cell) => names.cells.push(program.place_of(cell)),
                Read::Modifier(list, at) => {
                    let entry = &program[list].entries[at];
                    let name = match &entry.name {
                        ModifierName::Fixed(name) => name.clone(),
                        ModifierName::Of(of) => {
                            format!("[{}]", program.sources.text(program[*of].span)).into()
                        }
                    };
                    names.modifiers.push((program[list].name.clone(), name));
                }
            }
        }
        names
    }
}

impl Rules {
    /// What stands in the code of a question, the stages in which something can be rolled, and how
    /// many instructions it is; nothing if it is refused.
    pub(super) fn could_happen(
        &self,
        procedure: &Procedure,
        given: &[(&str, &str)],
    ) -> Option<(BTreeSet<Read>, Vec<String>, usize)> {
        let heard = Heard::default();
        let asked = Asked {
            one_by_one: false,
            heard: Some(&heard),
        };
        let play = self.question(procedure, given, asked).ok()?;
        let mut read = play.machine.read(true);
        read.extend(&play.always);
        let stages = grapeshot_engine::Steps::phases(&play.machine);
        let stages = stages.into_iter().map(str::to_owned).collect();
        Some((read, stages, play.machine.code().ins.len()))
    }
}

/// Runs all states of a question, and values all its ends; false if they are too many.
fn run_through(play: &Play, budget: Budget) -> bool {
    match Game::compile(&play.machine, budget) {
        Ok((game, _)) => {
            if play.machine.code().worth.is_some() {
                game.possible_rows().iter().for_each(|end| {
                    play.worth(&end.row);
                });
            }
            true
        }
        Err(_) => false,
    }
}
