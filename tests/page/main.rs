//! The page at the table, over the wire and in a browser; and reports, as a browser shows them.
//!
//! Tests in a browser need chromium and chromedriver and say that they were skipped without; with
//! `GRAPESHOT_REQUIRE_BROWSER=1` they fail instead. `cargo test --release --test page NAME` runs the tests of one module.
#![cfg(feature = "serve")]

#[path = "../common/browser.rs"]
mod browser;
#[path = "../common/files.rs"]
mod files;
#[path = "../common/mangled.rs"]
mod mangled;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/serving.rs"]
mod serving;

mod asked;
mod browsed;
mod chromium;
mod evening;
mod fuzz;
mod installed;
mod phones;
mod played;
mod reports;
mod serve;
mod serve_guests;
mod taps;
mod web;
