//! Room for answers that are being sent. A guest who asks for much and reads slowly keeps it in memory; so all answers
//! under way together have a bound, and who finds no room is told so.

use axum::body::{Body, Bytes, HttpBody};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Kilobytes of all answers that are being sent.
const ROOM: u32 = 64 * 1024;
/// How long an answer waits for room.
const PATIENCE: Duration = Duration::from_secs(5);

/// The room there is.
#[derive(Debug)]
pub(super) struct Room {
    kilobytes: Arc<Semaphore>,
    patience: Duration,
}

impl Room {
    pub(super) fn new() -> Self {
        Room {
            kilobytes: Arc::new(Semaphore::new(ROOM as usize)),
            patience: PATIENCE,
        }
    }

    /// Bytes as a body that takes up room until it is sent; none if there is none for too long.
    pub(super) async fn hold(&self, bytes: Bytes) -> Option<Body> {
        let size = u32::try_from(bytes.len().div_ceil(1024)).ok()?.min(ROOM);
        let room = Arc::clone(&self.kilobytes).acquire_many_owned(size);
        let held = tokio::time::timeout(self.patience, room).await.ok()?.ok()?;
        Some(Body::new(Held {
            bytes: Some(bytes),
            _room: held,
        }))
    }
}

/// A body in one piece.
struct Held {
    bytes: Option<Bytes>,
    _room: OwnedSemaphorePermit,
}

/// So much is given to the connection at once: the rest stays here, and counts.
const PIECE: usize = 64 * 1024;

impl HttpBody for Held {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        let Some(mut bytes) = self.bytes.take().filter(|bytes| !bytes.is_empty()) else {
            return Poll::Ready(None);
        };
        let piece = bytes.split_to(bytes.len().min(PIECE));
        self.bytes = Some(bytes);
        Poll::Ready(Some(Ok(http_body::Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.as_ref().is_none_or(Bytes::is_empty)
    }

    fn size_hint(&self) -> http_body::SizeHint {
        http_body::SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_are_not_read_leave_no_room_and_give_it_back() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let room = Room {
                patience: Duration::from_millis(20),
                ..Room::new()
            };
            let large = || Bytes::from(vec![b'x'; 20 * 1024 * 1024]);
            let mut held = Vec::new();
            while let Some(body) = room.hold(large()).await {
                held.push(body);
                assert!(held.len() < 10, "there is no end of room");
            }
            assert_eq!(held.len(), 3);
            held.pop();
            assert!(room.hold(large()).await.is_some());
        });
    }
}
