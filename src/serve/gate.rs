//! How many may ask at once and how long they are waited for, so that the others are still answered.

use grapeshot_engine::engine::Watch;
use grapeshot_page::{Reply, StatusCode, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Connections at once.
pub(super) const CONNECTIONS: usize = 800;
/// How long a request may take to arrive, and a connection be idle.
pub(super) const ARRIVAL: Duration = Duration::from_secs(10);

/// Lets in as many jobs as can be worked on, and some that wait.
#[derive(Debug)]
pub(super) struct Gate {
    quick: Queue,
    long: Queue,
}

#[derive(Debug)]
struct Queue {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    patience: Duration,
    time: Duration,
}

impl Queue {
    fn new(places: usize, most_waiting: usize, patience: u64, time: u64) -> Self {
        Queue {
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            most_waiting,
            patience: Duration::from_secs(patience),
            time: Duration::from_secs(time),
        }
    }
}

impl Gate {
    pub(super) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Gate {
            quick: Queue::new(cores.max(2), 256, 5, 10),
            long: Queue::new((cores / 2).max(1), 16, 20, 30),
        }
    }

    /// Does a job on a thread of its own, within its time; what took too long is told to stop, and keeps
    /// its place until it has.
    pub(super) async fn run(
        &self,
        work: Work,
        job: impl FnOnce(&Watch) -> Reply + Send + 'static,
    ) -> Reply {
        let queue = match work {
            Work::Quick => &self.quick,
            Work::Long => &self.long,
        };
        let Some(place) = queue.place().await else {
            return Reply::busy(
                "Too many questions at once: this one was not asked. Try again in a few seconds.",
            );
        };
        let watch = Arc::new(Watch::default());
        let watched = Arc::clone(&watch);
        let running = tokio::task::spawn_blocking(move || {
            let reply = job(&watched);
            drop(place);
            reply
        });
        match tokio::time::timeout(queue.time, running).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => Reply::failed(),
            Err(_) => {
                watch.stop();
                Reply::sentence(
                    StatusCode::SERVICE_UNAVAILABLE,
                    &format!(
                        "This took longer than the {} seconds the page allows. Take smaller units or fewer turns, or ask the command line, which has no limit.",
                        queue.time.as_secs()
                    ),
                )
            }
        }
    }
}

impl Queue {
    /// A place to work, once there is one; none if too many wait for it already, or for too long.
    async fn place(&self) -> Option<tokio::sync::OwnedSemaphorePermit> {
        let places = Arc::clone(&self.places);
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            return Some(place);
        }
        let waits = Waits::new(&self.waiting);
        if waits.before >= self.most_waiting {
            return None;
        }
        let place = tokio::time::timeout(self.patience, places.acquire_owned()).await;
        place.ok()?.ok()
    }
}

/// Somebody who waits, counted even if they leave.
struct Waits<'a> {
    waiting: &'a AtomicUsize,
    before: usize,
}

impl<'a> Waits<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        let before = waiting.fetch_add(1, Ordering::Relaxed);
        Waits { waiting, before }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(work)
    }

    fn gate(most_waiting: usize) -> Gate {
        Gate {
            quick: Queue::new(1, most_waiting, 1, 1),
            long: Queue::new(1, most_waiting, 1, 1),
        }
    }

    #[test]
    fn a_panic_is_an_answer_and_the_place_is_free_again() {
        let gate = gate(1);
        let (failed, after) = ran(async {
            let failed = gate.run(Work::Quick, |_| panic!("a fault")).await;
            (failed, gate.run(Work::Quick, |_| Reply::text("fine")).await)
        });
        assert_eq!(failed.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(after.status, StatusCode::OK);
    }

    #[test]
    fn what_takes_too_long_is_stopped_and_keeps_its_place_until_then() {
        let gate = gate(1);
        let (late, meanwhile, after) = ran(async {
            let late = gate
                .run(Work::Quick, |watch| {
                    let start = std::time::Instant::now();
                    while !watch.stopped() {
                        std::thread::sleep(Duration::from_millis(10));
                    }
                    // It was told within its second, and takes its time to end.
                    assert!(start.elapsed() < Duration::from_secs(30));
                    std::thread::sleep(Duration::from_millis(1600));
                    Reply::text("late")
                })
                .await;
            let meanwhile = gate.run(Work::Quick, |_| Reply::text("no place")).await;
            tokio::time::sleep(Duration::from_millis(1200)).await;
            let after = gate.run(Work::Quick, |_| Reply::text("fine")).await;
            (late, meanwhile, after)
        });
        assert_eq!(late.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(meanwhile.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(after.status, StatusCode::OK);
    }

    #[test]
    fn too_many_who_wait_are_told_so_at_once() {
        let gate = gate(0);
        let (first, second) = ran(async {
            tokio::join!(
                gate.run(Work::Quick, |_| {
                    std::thread::sleep(Duration::from_millis(300));
                    Reply::text("fine")
                }),
                gate.run(Work::Quick, |_| Reply::text("fine")),
            )
        });
        let statuses = [first.status, second.status];
        assert!(statuses.contains(&StatusCode::OK), "{statuses:?}");
        assert!(
            statuses.contains(&StatusCode::SERVICE_UNAVAILABLE),
            "{statuses:?}"
        );
    }
}
