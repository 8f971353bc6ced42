//! How many may ask at once and how long they are waited for, so that the others are still answered.
//!
//! There are two lanes. What is known to be dear goes into the long one at once; anything else begins in the quick
//! one, and if it turns out to be dear, by the states it meets and not by its name, it gives its place up and waits for
//! one in the long lane before it goes on. Dear work has threads of its own, fewer than there are cores.

use super::lane::{Lane, Place};
use grapeshot_engine::engine::{Stopped, Watch};
use grapeshot_page::{Reply, StatusCode, Work};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;

/// Connections at once, if the system has handles for them.
pub(super) const CONNECTIONS: usize = 800;
/// How long a request may take to arrive, and a connection be idle.
pub(super) const ARRIVAL: Duration = Duration::from_secs(10);
/// Steps of the engine after which a question is dear: some ten thousand states, a twentieth of a second.
const DEAR: u64 = 12_000;

/// Lets in as many jobs as can be worked on, and some that wait.
#[derive(Debug)]
pub(super) struct Gate {
    quick: Arc<Lane>,
    long: Arc<Lane>,
    /// The threads of dear work.
    threads: Arc<rayon::ThreadPool>,
    times: Times,
}

/// How long a job may take, in each lane.
#[derive(Debug, Clone, Copy)]
struct Times {
    quick: Duration,
    long: Duration,
    patience: Duration,
}

/// How a job came to its end.
enum Ended {
    Told(Reply),
    Stopped,
    /// There was no room among the dear ones.
    Crowded,
}

impl Gate {
    /// A gate for this machine.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub(super) fn new() -> Result<Self, rayon::ThreadPoolBuildError> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let seconds = Duration::from_secs;
        let times = Times {
            quick: seconds(10),
            long: seconds(30),
            patience: seconds(20),
        };
        Gate::sized((cores.max(2), (cores / 2).max(1)), (256, 16), times)
    }

    fn sized(
        places: (usize, usize),
        waiting: (usize, usize),
        times: Times,
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(places.1);
        Ok(Gate {
            quick: Lane::new(places.0, waiting.0, times.patience / 4),
            long: Lane::new(places.1, waiting.1, times.patience),
            threads: Arc::new(threads.build()?),
            times,
        })
    }

    /// Does a job on a thread of its own, within its time; what took too long is told to stop, and keeps
    /// its place until it has.
    pub(super) async fn run(
        &self,
        client: IpAddr,
        work: Work,
        job: impl FnOnce(&Watch) -> Reply + Send + 'static,
    ) -> Reply {
        let lane = match work {
            Work::Quick => &self.quick,
            Work::Long => &self.long,
        };
        let Some(place) = lane.place(client).await else {
            return crowded();
        };
        let watch = Arc::new(Watch::default());
        let dear = Arc::new(AtomicBool::new(work == Work::Long));
        let running = match work {
            Work::Long => self.begin_long(place, Arc::clone(&watch), job),
            Work::Quick => {
                self.begin_quick(client, place, (Arc::clone(&watch), Arc::clone(&dear)), job)
            }
        };
        let mut running = tokio::task::spawn_blocking(running);
        let mut time = match work {
            Work::Quick => self.times.quick,
            Work::Long => self.times.long,
        };
        loop {
            let was_dear = dear.load(Ordering::Relaxed);
            match tokio::time::timeout(time, &mut running).await {
                Ok(Ok(Ended::Told(reply))) => return reply,
                Ok(Ok(Ended::Crowded)) => return crowded(),
                Ok(Ok(Ended::Stopped)) => return too_long(time),
                Ok(Err(_)) => return Reply::failed(),
                // It turned out to be dear meanwhile: it may wait for its turn, and take longer.
                Err(_) if !was_dear && dear.load(Ordering::Relaxed) => {
                    time = self.times.patience + self.times.long;
                }
                Err(_) => {
                    watch.stop();
                    return too_long(time);
                }
            }
        }
    }

    fn begin_long(
        &self,
        place: Place,
        watch: Arc<Watch>,
        job: impl FnOnce(&Watch) -> Reply + Send + 'static,
    ) -> Box<dyn FnOnce() -> Ended + Send> {
        let threads = Arc::clone(&self.threads);
        Box::new(move || {
            let done = threads.install(|| watch.over(|| job(&watch)));
            drop(place);
            match done {
                Ok(reply) => Ended::Told(reply),
                Err(Stopped) => Ended::Stopped,
            }
        })
    }

    fn begin_quick(
        &self,
        client: IpAddr,
        place: Place,
        (watch, dear): (Arc<Watch>, Arc<AtomicBool>),
        job: impl FnOnce(&Watch) -> Reply + Send + 'static,
    ) -> Box<dyn FnOnce() -> Ended + Send> {
        let long = Arc::clone(&self.long);
        Box::new(move || {
            let held = Arc::new(Mutex::new(Some(place)));
            let out = Arc::new(AtomicBool::new(false));
            let changes = {
                let (held, out, watch) = (Arc::clone(&held), Arc::clone(&out), Arc::clone(&watch));
                let handle = Handle::current();
                Box::new(move || {
                    dear.store(true, Ordering::Relaxed);
                    let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
                    // First out of the one lane, then into the other.
                    *held = None;
                    *held = handle.block_on(long.place(client));
                    if held.is_none() {
                        out.store(true, Ordering::Relaxed);
                        watch.stop();
                    }
                })
            };
            let done = watch.metered(DEAR, changes, || job(&watch));
            match done {
                Ok(reply) => Ended::Told(reply),
                Err(Stopped) if out.load(Ordering::Relaxed) => Ended::Crowded,
                Err(Stopped) => Ended::Stopped,
            }
        })
    }
}

fn crowded() -> Reply {
    Reply::busy("Too many questions at once: this one was not asked. Try again in a few seconds.")
}

fn too_long(time: Duration) -> Reply {
    Reply::sentence(
        StatusCode::SERVICE_UNAVAILABLE,
        &format!(
            "This took longer than the {} seconds the page allows. Take smaller units or fewer turns, or ask the command line, which has no limit.",
            time.as_secs()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_engine::engine::look_up;
    use std::net::Ipv4Addr;

    const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn ran<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(work)
    }

    fn gate(most_waiting: usize) -> Gate {
        let second = Duration::from_secs(1);
        let times = Times {
            quick: second,
            long: second,
            patience: 4 * second,
        };
        Gate::sized((1, 1), (most_waiting, most_waiting), times).expect("threads")
    }

    #[test]
    fn a_panic_is_an_answer_and_the_place_is_free_again() {
        let gate = gate(1);
        for work in [Work::Quick, Work::Long] {
            let (failed, after) = ran(async {
                let failed = gate.run(CLIENT, work, |_| panic!("a fault")).await;
                let after = gate.run(CLIENT, work, |_| Reply::text("fine")).await;
                (failed, after)
            });
            assert_eq!(failed.status, StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(after.status, StatusCode::OK);
        }
    }

    #[test]
    fn what_takes_too_long_ends_where_it_is() {
        let gate = gate(1);
        for work in [Work::Quick, Work::Long] {
            let (late, after) = ran(async {
                let forever = |_: &Watch| {
                    loop {
                        std::thread::sleep(Duration::from_millis(5));
                        look_up();
                    }
                };
                let late = gate.run(CLIENT, work, forever).await;
                let after = gate.run(CLIENT, work, |_| Reply::text("fine")).await;
                (late, after)
            });
            assert_eq!(late.status, StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(after.status, StatusCode::OK);
        }
    }

    #[test]
    fn what_turns_out_to_be_dear_leaves_the_quick_lane_to_others() {
        let gate = gate(4);
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let dear = gate.run(CLIENT, Work::Quick, move |_| {
            (0..2 * DEAR).for_each(|_| look_up());
            // It holds a place among the dear ones until it is let go.
            wait.recv().expect("let go");
            Reply::text("dear")
        });
        let quick = async {
            let quick = gate
                .run(CLIENT, Work::Quick, |_| Reply::text("quick"))
                .await;
            go.send(()).expect("heard");
            quick
        };
        let (dear, quick) = ran(async { tokio::join!(dear, quick) });
        assert_eq!([dear.status, quick.status], [StatusCode::OK; 2]);
    }

    #[test]
    fn too_many_who_wait_are_told_so_at_once() {
        let gate = gate(0);
        let (first, second) = ran(async {
            tokio::join!(
                gate.run(CLIENT, Work::Quick, |_| {
                    std::thread::sleep(Duration::from_millis(300));
                    Reply::text("fine")
                }),
                gate.run(CLIENT, Work::Quick, |_| Reply::text("fine")),
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
