//! The page for a browser without a server: plain exports, no glue, no imports.
//!
//! `take(n)` gives room for n bytes; what is asked is written there, one after the other. `start()` loads the
//! rulesets. `work(address)` says whether an answer may take long; `answer(folder, method, address, body)` takes the
//! length of each and returns where the answer lies: the length of what follows (u32), the status (u16), the length
//! of the headers (u32), the headers as lines, the body. Numbers are little-endian.

use grapeshot_engine::engine::Watch;
use grapeshot_page::{Job, Pages, Work};
use std::cell::RefCell;

thread_local! {
    static PAGES: RefCell<Option<Pages>> = const { RefCell::new(None) };
    static ASKED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static TOLD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn take(bytes: usize) -> *mut u8 {
    ASKED.with_borrow_mut(|room| {
        room.clear();
        room.resize(bytes, 0);
        room.as_mut_ptr()
    })
}

/// Loads every ruleset; 1 if they are there.
#[unsafe(no_mangle)]
pub extern "C" fn start() -> u32 {
    let at_once = |job: Job| job();
    PAGES.with_borrow_mut(|pages| {
        *pages = Pages::new(Vec::new(), Vec::new(), at_once).ok();
        u32::from(pages.is_some())
    })
}

/// Whether an answer may take long: 1 if so.
#[unsafe(no_mangle)]
pub extern "C" fn work(address: usize) -> u32 {
    let [address] = asked([address]);
    PAGES.with_borrow(|pages| {
        let work = pages.as_ref().map(|pages| pages.work(&text(&address)));
        u32::from(work == Some(Work::Long))
    })
}

/// Answers.
#[unsafe(no_mangle)]
pub extern "C" fn answer(folder: usize, method: usize, address: usize, body: usize) -> *const u8 {
    let [folder, method, address, body] = asked([folder, method, address, body]);
    let reply = PAGES.with_borrow(|pages| {
        let pages = pages.as_ref().expect("started");
        let reply = pages.answer(&text(&method), &text(&address), &body, &Watch::default());
        reply.under(&text(&folder))
    });
    let headers = reply.headers();
    let headers: String = headers.iter().map(|(k, v)| format!("{k}: {v}\n")).collect();
    let length = 2 + 4 + headers.len() + reply.body.len();
    TOLD.with_borrow_mut(|told| {
        told.clear();
        told.extend((length as u32).to_le_bytes());
        told.extend(reply.status.as_u16().to_le_bytes());
        told.extend((headers.len() as u32).to_le_bytes());
        told.extend(headers.as_bytes());
        told.extend(&reply.body[..]);
        told.as_ptr()
    })
}

/// What was written into the room, cut into pieces of these lengths.
fn asked<const N: usize>(lengths: [usize; N]) -> [Vec<u8>; N] {
    ASKED.with_borrow(|room| {
        let mut at = 0;
        lengths.map(|length| {
            let piece = room[at..at + length].to_vec();
            at += length;
            piece
        })
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
