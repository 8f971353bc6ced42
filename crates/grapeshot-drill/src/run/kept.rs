//! Questions that were asked before: whoever asks one again, as a sweep or a page does, need not have it written out anew.

use super::Play;
use super::machine::Machine;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::{Arc, RwLock};

/// So many questions are kept at least, unless they are long; twice as many at most.
const MOST: usize = 256;
/// So many instructions and entries of tables at least.
const MOST_CODE: usize = 200_000;

/// What was asked lately, and what before that.
#[derive(Default)]
pub(super) struct Kept(RwLock<Lately>);

#[derive(Default)]
struct Lately {
    now: FxHashMap<Box<str>, Known>,
    before: FxHashMap<Box<str>, Known>,
    code: usize,
}

/// A question to which nothing has happened yet.
#[derive(Clone)]
struct Known {
    machine: Arc<super::machine::Body>,
    prepared: Arc<super::Prepared>,
}

impl Known {
    fn play(&self) -> Play {
        Play {
            machine: Machine::of(Arc::clone(&self.machine)),
            prepared: Arc::clone(&self.prepared),
        }
    }
}

thread_local! {
    /// The letters of the last question.
    static LETTERS: Cell<String> = const { Cell::new(String::new()) };
}

/// A question in letters.
fn spelled<T>(procedure: usize, given: &[(&str, &str)], then: impl FnOnce(&str) -> T) -> T {
    let mut letters = LETTERS.take();
    letters.clear();
    letters.push(char::from_u32(procedure as u32).unwrap_or_default());
    for (key, value) in given {
        for part in [key, value] {
            letters.push_str(part);
            letters.push('\0');
        }
    }
    let done = then(&letters);
    LETTERS.set(letters);
    done
}

impl Kept {
    /// A question as it was asked before, or as it is made now. What is refused is refused again.
    pub(super) fn or_make<E>(
        &self,
        procedure: usize,
        given: &[(&str, &str)],
        make: impl FnOnce() -> Result<Play, E>,
    ) -> Result<Play, E> {
        spelled(procedure, given, |letters| match self.find(letters) {
            Some(known) => Ok(known.play()),
            None => make().inspect(|play| self.keep(letters, play)),
        })
    }

    /// A question as it was asked before.
    pub(super) fn known(&self, procedure: usize, given: &[(&str, &str)]) -> Option<Play> {
        let known = spelled(procedure, given, |letters| self.find(letters))?;
        Some(known.play())
    }

    fn find(&self, letters: &str) -> Option<Known> {
        let lately = self.0.read().ok()?;
        if let Some(known) = lately.now.get(letters) {
            return Some(known.clone());
        }
        let known = lately.before.get(letters)?.clone();
        drop(lately);
        self.add(letters, known.clone());
        Some(known)
    }

    fn keep(&self, letters: &str, play: &Play) {
        let known = Known {
            machine: Arc::clone(&play.machine.body),
            prepared: Arc::clone(&play.prepared),
        };
        self.add(letters, known);
    }

    fn add(&self, letters: &str, known: Known) {
        let Ok(mut lately) = self.0.write() else {
            return;
        };
        lately.code += known.machine.code.ins.len() + known.machine.code.data.len();
        lately.now.insert(letters.into(), known);
        if lately.now.len() >= MOST || lately.code > MOST_CODE {
            lately.before = std::mem::take(&mut lately.now);
            lately.code = 0;
        }
    }
}
