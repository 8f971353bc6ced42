//! Work that can be ended from outside, wherever it is.
//!
//! A question is compiled, solved and simulated by code that knows nothing of who asked. Between two steps of it the
//! engine [looks up](look_up): if the [`Watch`] over the work was stopped, the work unwinds to where it was begun
//! ([`Watch::over`]), so that nothing half done can be taken for an answer. The same look counts what was
//! done, for those who want to know when a question turns out to be dear.

use super::Watch;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The work was ended before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Called once, on the thread that does the work, when more was done than was expected.
pub type Dear = Box<dyn FnOnce() + Send>;

/// What a thread looks up to.
#[derive(Clone, Default)]
pub struct Above(Option<Arc<AtomicBool>>);

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
        let flag = above.0.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
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

impl Above {
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
    /// Does work that ends where it is when this is stopped.
    ///
    /// # Errors
    /// If it was.
    pub fn over<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        let above = Above(Some(self.flag()));
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
    fn dear_work_is_told_once_and_goes_on() {
        let (told, counted) = std::sync::mpsc::channel();
        let dear = Box::new(move || told.send(()).expect("heard"));
        let watch = Watch::default();
        let done = watch.metered(10, dear, || (0..100).for_each(|_| look_up()));
        assert_eq!((done, counted.iter().count()), (Ok(()), 1));
    }
}
