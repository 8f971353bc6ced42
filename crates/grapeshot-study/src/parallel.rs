//! Work shared among the threads of the current pool.
//!
//! Every list that is worked through in parallel goes through one loop that does not know what is done: rayon's
//! own adaptors are compiled anew for each closure they meet, which was an eighth of the crate's build. The
//! innermost loops, which play trials, use rayon themselves.

use grapeshot_engine::engine::above;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Calls a task with every number below `count`, in any order.
fn each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    // What ends the whole ends its parts.
    let above = above();
    let part = |at| above.share(|| task(at));
    (0..count).into_par_iter().for_each(part);
}

/// What came of one item, once it is done.
type Slot<R> = Mutex<Option<R>>;

fn slots<R>(count: usize) -> Vec<Slot<R>> {
    (0..count).map(|_| Mutex::new(None)).collect()
}

fn fill<R>(slot: &Slot<R>, result: R) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
}

fn taken<R>(slot: Slot<R>) -> Option<R> {
    slot.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What a task makes of each item, in the order of the items.
pub(crate) fn map<'t, T: Sync, R: Send>(
    items: &'t [T],
    task: impl Fn(&'t T) -> R + Sync,
) -> Vec<R> {
    let slots = slots(items.len());
    each(items.len(), &|at| fill(&slots[at], task(&items[at])));
    slots.into_iter().filter_map(taken).collect()
}

/// The same for tasks that may fail: the error is that of the first item that has one, whatever the threads;
/// items behind a failed one may be left undone.
pub fn try_map<'t, T: Sync, R: Send, E: Send>(
    items: &'t [T],
    task: impl Fn(&'t T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let failed = AtomicUsize::new(usize::MAX);
    let slots = slots(items.len());
    each(items.len(), &|at| {
        if at < failed.load(Ordering::Relaxed) {
            let result = task(&items[at]);
            if result.is_err() {
                failed.fetch_min(at, Ordering::Relaxed);
            }
            fill(&slots[at], result);
        }
    });
    slots.into_iter().map_while(taken).collect()
}

/// What a task makes of the items of which it makes something, in their order.
pub(crate) fn filter_map<'t, T: Sync, R: Send>(
    items: &'t [T],
    task: impl Fn(&'t T) -> Option<R> + Sync,
) -> Vec<R> {
    map(items, task).into_iter().flatten().collect()
}

/// Whether it holds for any of the items; when one is found, no other is begun.
pub(crate) fn any<T: Sync>(items: &[T], holds: impl Fn(&T) -> bool + Sync) -> bool {
    let found = AtomicBool::new(false);
    each(items.len(), &|at| {
        if !found.load(Ordering::Relaxed) && holds(&items[at]) {
            found.store(true, Ordering::Relaxed);
        }
    });
    found.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let numbers: Vec<u32> = (0..1000).collect();
        let doubled: Vec<u32> = numbers.iter().map(|n| 2 * n).collect();
        assert_eq!(map(&numbers, |n| 2 * n), doubled);
        assert_eq!(try_map(&numbers, |n| Ok::<_, ()>(2 * n)), Ok(doubled));
        let odd = filter_map(&numbers, |n| (n % 2 == 1).then_some(*n));
        assert_eq!(odd, (0..500).map(|n| 2 * n + 1).collect::<Vec<u32>>());
        assert!(any(&numbers, |n| *n == 999) && !any(&numbers, |n| *n == 1000));
        assert!(map(&[] as &[u32], |n| *n).is_empty());
    }

    #[test]
    fn of_several_errors_the_first_is_told() {
        let numbers: Vec<u32> = (0..1000).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build();
        pool.expect("threads").install(|| {
            for _ in 0..100 {
                let late = |n: &u32| if *n < 300 { Ok(*n) } else { Err(*n) };
                assert_eq!(try_map(&numbers, late), Err(300));
            }
        });
    }
}
