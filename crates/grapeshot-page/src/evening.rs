//! A whole evening: a log of what happened, and how lucky it was. Scripts keep the log; without them it is pasted.

use super::limits;
use super::link::Ask;
use super::play;
use super::reply::Reply;
use super::server::Pages;
use super::shell::Shell;
use grapeshot_engine::engine::{Budget, Stop};
use grapeshot_render::{self as render, GameReport, Report, words};
use grapeshot_rules::{OddsError, Options};
use grapeshot_study::luck::{game, read_log};
use http::StatusCode;
use maud::{Markup, html};

/// Where it is.
pub(super) const ID: &str = "evening";
/// What the log is called.
const FILE: &str = "evening.log";
/// The seed of a sum that has to be simulated: that of the command line.
const SEED: u64 = 1863;

/// The page, with the log that was posted.
pub(super) fn page(server: &Pages, query: &str, log: Option<&str>) -> Reply {
    let found = log.map(|log| played(server, query, log));
    let status = match &found {
        Some(Err(_)) => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::OK,
    };
    let shell = Shell {
        title: "The evening",
        link: "/evening",
        ..Shell::default()
    };
    let page = shell.around(html! {
        h1 { "The evening" }
        p.about { "What happened, a line for each, as " code { "grapeshot luck --log" } " reads it. Note it under " b { "What happened?" } " at any question; it stays in this browser." }
        form #evening method="post" action="/evening" aria-label="The log" {
            label for="log" { "The log" }
            textarea #log name="log" rows="8" wrap="off" spellcheck="false" autocapitalize="off" { "\n" (log.unwrap_or_default()) }
            button type="submit" { "How lucky was that?" }
        }
        div #part {
            @match &found {
                None => {},
                Some(Ok(found)) => (found),
                Some(Err(error)) => p.finding { (words(&error.to_string())) },
            }
        }
    });
    Reply::page(page).with(status)
}

fn played(server: &Pages, query: &str, log: &str) -> Result<Markup, OddsError> {
    let ask = Ask::read(query)?;
    let options = Options {
        stop: Stop::Trials(limits::TRIALS_PLAYED_OUT),
        budget: Budget {
            states: limits::STATES,
        },
        ..Options::default()
    };
    let load = |name: &str| match name {
        play::FILE => server.load(play::ID, &ask),
        name => server.load(name, &ask),
    };
    let log = read_log(FILE, log, options, load)?;
    let game = game(&log, SEED)?;
    let file = FILE.to_owned();
    let document = GameReport { file, game }.document();
    Ok(html! {
        @for finding in &document.findings { p.finding { (words(finding)) } }
        @for block in document.blocks.iter().filter(|block| block.place == render::Audience::Main) {
            (render::block(block, 2))
        }
        @for note in &document.notes { p.note { (words(note)) } }
    })
}
