//! Connections, within bounds: so many at once, and none that only sits there.
//!
//! A request has to arrive within [`gate::ARRIVAL`], headers, body and all, however slowly it is sent; while
//! it is being answered the clock stands still. When there are as many connections as may be, the one that
//! has kept us waiting longest makes room for the next.

use super::gate;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep};

/// Listens, and keeps the number of connections within a bound.
pub(super) struct Door {
    listener: TcpListener,
    guests: Arc<Guests>,
    most: usize,
    arrival: Duration,
}

/// Everybody who is connected, in the order in which they came.
#[derive(Debug, Default)]
struct Guests {
    inside: Mutex<BTreeMap<usize, Arc<Guest>>>,
    numbers: AtomicUsize,
}

/// What is known of a connection.
#[derive(Debug, Default)]
pub(super) struct Guest {
    /// A request is being answered: it may take its time.
    answering: AtomicBool,
    /// It was asked to leave.
    leaves: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Door {
    pub(super) fn new(listener: TcpListener) -> Self {
        Door {
            listener,
            guests: Arc::default(),
            most: most_connections(handles()),
            arrival: gate::ARRIVAL,
        }
    }
}

/// Handles that the program needs for itself.
const OWN_HANDLES: usize = 64;

/// As many as the system has handles for, and not more than is good.
fn most_connections(handles: Option<usize>) -> usize {
    let free = handles.map_or(gate::CONNECTIONS, |n| n.saturating_sub(OWN_HANDLES).max(8));
    free.min(gate::CONNECTIONS)
}

/// How many handles the system gives a program (`ulimit -n`), where it tells.
fn handles() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"))?;
    line.split_whitespace().nth(3)?.parse().ok()
}

impl Guests {
    /// Asks whoever has kept us waiting longest to leave, if there are too many.
    fn make_room(&self, most: usize) {
        let Ok(mut inside) = self.inside.lock() else {
            return;
        };
        while inside.len() >= most {
            let idle =
                |(_, guest): &(&usize, &Arc<Guest>)| !guest.answering.load(Ordering::Relaxed);
            let Some(number) = inside.iter().find(idle).map(|(number, _)| *number) else {
                return;
            };
            if let Some(guest) = inside.remove(&number) {
                guest.leave();
            }
        }
    }
}

impl Guest {
    fn leave(&self) {
        self.leaves.store(true, Ordering::Relaxed);
        let waker = self.waker.lock().ok().and_then(|mut waker| waker.take());
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Listener for Door {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, from)) => {
                    self.guests.make_room(self.most);
                    // Small answers go out at once.
                    let _ = stream.set_nodelay(true);
                    return (Connection::new(stream, &self.guests, self.arrival), from);
                }
                // Out of handles, or a guest gone before the door was open: wait a little, go on.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection with a clock.
pub(super) struct Connection {
    stream: TcpStream,
    guest: Arc<Guest>,
    guests: Arc<Guests>,
    number: usize,
    arrival: Duration,
    deadline: Pin<Box<Sleep>>,
    /// Whether the last thing that happened was a write: the next read begins a new request.
    wrote: bool,
}

impl Connection {
    fn new(stream: TcpStream, guests: &Arc<Guests>, arrival: Duration) -> Self {
        let guest = Arc::new(Guest::default());
        let number = guests.numbers.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut inside) = guests.inside.lock() {
            inside.insert(number, Arc::clone(&guest));
        }
        Connection {
            stream,
            guest,
            guests: Arc::clone(guests),
            number,
            arrival,
            deadline: Box::pin(tokio::time::sleep(arrival)),
            wrote: false,
        }
    }

    fn restart(&mut self) {
        let deadline = Instant::now() + self.arrival;
        self.deadline.as_mut().reset(deadline);
    }

    /// Whether a wait has been too long.
    fn overdue(&mut self, cx: &mut Context<'_>) -> bool {
        if self.guest.leaves.load(Ordering::Relaxed) {
            return true;
        }
        if let Ok(mut waker) = self.guest.waker.lock() {
            *waker = Some(cx.waker().clone());
        }
        while self.deadline.as_mut().poll(cx).is_ready() {
            if !self.guest.answering.load(Ordering::Relaxed) {
                return true;
            }
            self.restart();
        }
        false
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Ok(mut inside) = self.guests.inside.lock() {
            inside.remove(&self.number);
        }
    }
}

fn too_slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "too slow")
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if std::mem::take(&mut self.wrote) {
            self.restart();
        }
        match Pin::new(&mut self.stream).poll_read(cx, into) {
            // A trickle does not move the deadline.
            Poll::Pending if self.overdue(cx) => Poll::Ready(Err(too_slow())),
            other => other,
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(cx, bytes) {
            Poll::Pending if self.overdue(cx) => Poll::Ready(Err(too_slow())),
            Poll::Pending => Poll::Pending,
            done => {
                self.wrote = true;
                self.restart();
                done
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Who asks, as a handler sees it.
#[derive(Debug, Clone)]
pub(super) struct Peer {
    guest: Arc<Guest>,
    ip: IpAddr,
}

impl Connected<IncomingStream<'_, Door>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        Peer {
            guest: Arc::clone(&stream.io().guest),
            ip: stream.remote_addr().ip(),
        }
    }
}

impl Peer {
    /// Stops the clock until what is returned is dropped.
    pub(super) fn answered(&self) -> Answering {
        self.guest.answering.store(true, Ordering::Relaxed);
        Answering(Arc::clone(&self.guest))
    }

    /// Where they are.
    pub(super) fn client(&self) -> IpAddr {
        self.ip
    }
}

/// A request that is being answered.
pub(super) struct Answering(Arc<Guest>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.answering.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::most_connections;

    #[test]
    fn there_are_never_more_connections_than_handles() {
        let most = [None, Some(1024), Some(256), Some(20)].map(most_connections);
        assert_eq!(most, [800, 800, 192, 8]);
    }
}
