//! The program on a page, as a function: a method, an address and a body in; a status, headers and bytes out.
//!
//! A player at the table has a phone and thirty seconds. The form of a question comes from the schema of its
//! procedure, the answer from the same [`Question`](grapeshot_rules::Question) and documents as on the command
//! line, the address from the settings: the page computes nothing of its own. It works without scripts; with
//! them the answer follows every tap.
//!
//! [`Pages::answer`] is all there is to it, and `routes` says who answers what. There is no network here, no file and
//! no clock: `grapeshot serve` puts them around it, and a service worker in a browser needs none of them. What was
//! worked out is kept within a bound (`cache`).

mod answer;
mod api;
mod ask;
mod assets;
mod audits;
mod books;
mod cache;
mod carry;
mod chart;
mod code;
mod decide;
mod elsewhere;
mod evening;
mod field;
mod form;
mod happened;
mod help;
mod house;
mod hundred;
mod instruments;
mod limits;
mod link;
mod luck;
mod offered;
pub mod options;
mod packed;
mod play;
mod reply;
mod routes;
mod server;
mod share;
mod shell;
mod tips;

pub use audits::{Job, Later};
pub use http::StatusCode;
pub use limits::{BODY, Work};
pub use reply::{GUARDS, Reply};
pub use server::Pages;
