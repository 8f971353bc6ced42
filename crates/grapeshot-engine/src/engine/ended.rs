//! Work that can be ended from outside, wherever it is.
//!
//! A question is compiled, solved and simulated by code that knows nothing of who asked. Between two steps of it the
//! engine [looks up](look_up): if the [`Watch`] over the work was stopped, the work unwinds to where it was begun
//! ([`Watch::over`]), so that nothing half done can be taken for an answer. The same look counts what was
//! done, for those who want to know when a question turns out to be dear; and what is done and being done is noted
//! there, for those who wait ([`Watch::work`]).

use super::Watch;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The work was ended before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Called once, on the thread that does the work, when more was done than was expected.
pub type Dear = Box<dyn FnOnce() + Send>;

/// What a thread looks up to.
#[derive(Clone, Default)]
pub struct Above(Option<Arc<Over>>);

/// What stands over work: whether it shall end, how much of it is done, and what is being done.
#[derive(Debug, Default)]
pub(super) struct Over {
    pub(super) stop: AtomicBool,
    questions: AtomicU64,
    trials: AtomicU64,
    doing: Mutex<String>,
}

/// How far work has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    /// What is being done; empty if nobody said so.
    pub doing: String,
    /// Questions that were compiled.
    pub questions: u64,
    /// Trials that were played.
    pub trials: u64,
}

/// How many looks are left until the work is dear, and who is told then.
struct Meter {
    left: u64,
    dear: Option<Dear>,
}

thread_local! {
    static ABOVE: RefCell<Above> = const { RefCell::new(Above(None)) };
    static METER: RefCell<Option<Meter>> = const { RefCell::new(None) };
}

/// Ends the work of this thread here, if that was asked for.
pub fn look_up() {
    let stopped = ABOVE.with_borrow(|above| {
        let over = above.0.as_ref();
        over.is_some_and(|over| over.stop.load(Ordering::Relaxed))
    });
    if stopped {
        resume_unwind(Box::new(Stopped));
    }
    let dear = METER.with_borrow_mut(|meter| {
        let meter = meter.as_mut()?;
        meter.left = meter.left.saturating_sub(1);
        (meter.left == 0).then(|| meter.dear.take()).flatten()
    });
    if let Some(dear) = dear {
        dear();
        look_up();
    }
}

/// What this thread looks up to, for threads that do a part of its work.
pub fn above() -> Above {
    ABOVE.with_borrow(Above::clone)
}

/// Says what the work of this thread is at, for those who wait for it.
pub fn doing(what: impl FnOnce() -> String) {
    above().noting(|over| *over.doing.lock().unwrap_or_else(PoisonError::into_inner) = what());
}

impl Above {
    fn noting(&self, note: impl FnOnce(&Over)) {
        if let Some(over) = &self.0 {
            note(over);
        }
    }

    /// One more question.
    pub(super) fn asked(&self) {
        self.noting(|over| _ = over.questions.fetch_add(1, Ordering::Relaxed));
    }

    /// So many more trials.
    pub(super) fn played(&self, trials: u64) {
        self.noting(|over| _ = over.trials.fetch_add(trials, Ordering::Relaxed));
    }

    /// Does a part of the work on another thread.
    pub fn share<T>(&self, part: impl FnOnce() -> T) -> T {
        let _back = Back(ABOVE.replace(self.clone()));
        part()
    }
}

/// Puts back what a thread looked up to before.
struct Back(Above);

impl Drop for Back {
    fn drop(&mut self) {
        ABOVE.set(std::mem::take(&mut self.0));
    }
}

impl Watch {
    /// How far the work under it has come.
    pub fn work(&self) -> Work {
        let over = self.above();
        Work {
            doing: (over.doing.lock().unwrap_or_else(PoisonError::into_inner)).clone(),
            questions: over.questions.load(Ordering::Relaxed),
            trials: over.trials.load(Ordering::Relaxed),
        }
    }

    /// Does work that ends where it is when this is stopped.
    ///
    /// # Errors
    /// If it was.
    pub fn over<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        let above = Above(Some(self.above()));
        let done = catch_unwind(AssertUnwindSafe(|| above.share(work)));
        done.map_err(|why| match why.downcast::<Stopped>() {
            Ok(stopped) => *stopped,
            Err(fault) => resume_unwind(fault),
        })
    }

    /// The same, telling when more than so many steps of it were taken on this thread.
    ///
    /// # Errors
    /// As [`over`](Self::over).
    pub fn metered<T>(
        &self,
        steps: u64,
        dear: Dear,
        work: impl FnOnce() -> T,
    ) -> Result<T, Stopped> {
        let meter = Meter {
            left: steps.max(1),
            dear: Some(dear),
        };
        METER.set(Some(meter));
        let done = catch_unwind(AssertUnwindSafe(|| self.over(work)));
        METER.set(None);
        done.unwrap_or_else(|fault| resume_unwind(fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopped_work_ends_at_the_next_look_on_every_thread() {
        let watch = Watch::default();
        assert_eq!(watch.over(|| 7), Ok(7));
        let ended = watch.over(|| {
            watch.stop();
            let above = above();
            let part = std::thread::spawn(move || above.share(look_up)).join();
            assert!(part.is_err_and(|why| why.is::<Stopped>()));
            look_up();
            unreachable!("it was stopped");
        });
        assert_eq!(ended, Err(Stopped));
        // Whoever did not ask for it is not stopped.
        look_up();
    }

    #[test]
    fn who_waits_is_told_what_is_done_on_every_thread() {
        let watch = Watch::default();
        let done = watch.over(|| {
            doing(|| "the first half".into());
            let above = above();
            let part = std::thread::spawn(move || above.share(|| super::above().asked())).join();
            part.expect("done");
            super::above().played(20);
        });
        let work = Work {
            doing: "the first half".into(),
            questions: 1,
            trials: 20,
        };
        assert_eq!((done, watch.work()), (Ok(()), work));
        // Where nobody waits nobody is told.
        doing(|| unreachable!());
    }

    #[test]
    fn dear_work_is_told_once_and_goes_on() {
        let (told, counted) = std::sync::mpsc::channel();
        let dear = Box::new(move || told.send(()).expect("heard"));
        let watch = Watch::default();
        let done = watch.metered(10, dear, || (0..100).for_each(|_| look_up()));
        assert_eq!((done, counted.iter().count()), (Ok(()), 1));
    }
}
