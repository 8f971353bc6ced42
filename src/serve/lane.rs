//! A number of places to work in, and a queue before them that is bounded and fair: whoever asks much waits behind
//! their own questions, not before everybody else's.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Places, and who waits for them.
#[derive(Debug)]
pub(super) struct Lane {
    queue: Mutex<Queue>,
    most_waiting: usize,
    most_of_one: usize,
    patience: Duration,
}

#[derive(Debug)]
struct Queue {
    free: usize,
    /// Everybody who waits, with their questions in order; the first of the first is next.
    waiting: VecDeque<(IpAddr, VecDeque<oneshot::Sender<Place>>)>,
}

/// A place, free again when it is dropped.
#[derive(Debug)]
pub(super) struct Place(Option<Arc<Lane>>);

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(lane) = self.0.take() {
            Lane::pass_on(&lane);
        }
    }
}

impl Lane {
    /// So many places, and so many who may wait for them so long; a quarter of them may be one client's.
    pub(super) fn new(places: usize, most_waiting: usize, patience: Duration) -> Arc<Self> {
        Arc::new(Lane {
            queue: Mutex::new(Queue {
                free: places,
                waiting: VecDeque::new(),
            }),
            most_waiting,
            most_of_one: most_waiting.div_ceil(4),
            patience,
        })
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place, once there is one; none if too many wait for it already, or for too long.
    pub(super) async fn place(self: &Arc<Self>, client: IpAddr) -> Option<Place> {
        let turn = {
            let mut queue = self.queue();
            queue.forget_those_who_left();
            if queue.free > 0 {
                queue.free -= 1;
                return Some(Place(Some(Arc::clone(self))));
            }
            let all: usize = queue.waiting.iter().map(|(_, own)| own.len()).sum();
            let at = queue.waiting.iter().position(|(known, _)| *known == client);
            let own = at.map_or(0, |at| queue.waiting[at].1.len());
            if all >= self.most_waiting || own >= self.most_of_one {
                return None;
            }
            let (told, turn) = oneshot::channel();
            match at {
                Some(at) => queue.waiting[at].1.push_back(told),
                None => queue.waiting.push_back((client, VecDeque::from([told]))),
            }
            turn
        };
        let place = tokio::time::timeout(self.patience, turn).await;
        place.ok()?.ok()
    }

    /// Gives a place to the next client's next question, or has one more free.
    fn pass_on(lane: &Arc<Self>) {
        loop {
            let next = {
                let mut queue = lane.queue();
                let next = queue.next();
                if next.is_none() {
                    queue.free += 1;
                    return;
                }
                next
            };
            match next.map(|next| next.send(Place(Some(Arc::clone(lane))))) {
                // They left: the place is still ours to give, and is not given back by being dropped.
                Some(Err(mut place)) => place.0 = None,
                _ => return,
            }
        }
    }
}

impl Queue {
    /// Whose turn it is; the client goes to the end of the row.
    fn next(&mut self) -> Option<oneshot::Sender<Place>> {
        let (client, mut own) = self.waiting.pop_front()?;
        let next = own.pop_front();
        if !own.is_empty() {
            self.waiting.push_back((client, own));
        }
        next
    }

    fn forget_those_who_left(&mut self) {
        for (_, own) in &mut self.waiting {
            own.retain(|told| !told.is_closed());
        }
        self.waiting.retain(|(_, own)| !own.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn client(n: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(10, 0, 0, n))
    }

    fn ran<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(work)
    }

    #[test]
    fn a_guest_who_asks_one_thing_does_not_wait_behind_a_hundred_of_another() {
        ran(async {
            let lane = Lane::new(1, 400, Duration::from_secs(60));
            let first = lane.place(client(1)).await.expect("a place");
            let served = Arc::new(Mutex::new(Vec::new()));
            let mut all = Vec::new();
            let order = std::iter::repeat_n(1, 90).chain([2, 3]);
            for n in order {
                let (lane, served) = (Arc::clone(&lane), Arc::clone(&served));
                all.push(tokio::spawn(async move {
                    let place = lane.place(client(n)).await.expect("a place");
                    served.lock().expect("a list").push(n);
                    drop(place);
                }));
                tokio::task::yield_now().await;
            }
            drop(first);
            for one in all {
                one.await.expect("served");
            }
            let served = served.lock().expect("a list");
            let at = |n| served.iter().position(|known| *known == n).expect("served");
            assert!(at(2) <= 2 && at(3) <= 3, "{served:?}");
            assert_eq!(served.len(), 92);
        });
    }

    #[test]
    fn one_client_cannot_fill_the_queue_and_places_of_those_who_left_come_back() {
        ran(async {
            let lane = Lane::new(1, 8, Duration::from_millis(50));
            let first = lane.place(client(1)).await.expect("a place");
            let (a, b, c) = tokio::join!(
                lane.place(client(1)),
                lane.place(client(1)),
                lane.place(client(1)),
            );
            // Two of a quarter of eight waited in vain, the third was not let in.
            assert!(a.is_none() && b.is_none() && c.is_none());
            assert!(lane.place(client(2)).await.is_none());
            drop(first);
            let again = lane.place(client(1)).await;
            assert!(again.is_some());
        });
    }
}
