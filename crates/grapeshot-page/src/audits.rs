//! Audits, which take minutes: begun when somebody asks, one after the other, and kept.

use super::books::{document_page, trail};
use super::reply::Reply;
use super::server::Pages;
use super::shell::Shell;
use grapeshot_render::{AuditReport, Report};
use grapeshot_rules::{LoadedRuleset, RuleError};
use grapeshot_study::audit::audit;
use http::StatusCode;
use maud::html;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};

/// Something to do.
pub type Job = Box<dyn FnOnce() + Send>;

/// Who does what takes minutes: on a thread of its own, or at once where there is only one.
pub type Later = fn(Job);

/// The audits that were asked for.
#[derive(Debug)]
pub(super) struct Audits {
    later: Later,
    /// By ruleset; nothing while it is worked on.
    known: Arc<Mutex<HashMap<String, Option<Reply>>>>,
    /// Held by the one that is worked on.
    turn: Arc<Mutex<()>>,
}

impl Audits {
    pub(super) fn new(later: Later) -> Self {
        Audits {
            later,
            known: Arc::default(),
            turn: Arc::default(),
        }
    }

    /// The audit of a ruleset, or that it is being worked out.
    ///
    /// # Errors
    /// If there is no such ruleset, or it has no source to audit.
    pub(super) fn page(&self, server: &Pages, rules: &str) -> Result<Reply, RuleError> {
        let book = server.book(rules)?;
        if !book.ruleset.is_printed() {
            let problem = format!("`{rules}` has no printed source to audit");
            return Err(RuleError::Other(problem));
        }
        let Ok(mut known) = self.known.lock() else {
            return Ok(Reply::failed());
        };
        match known.get(rules) {
            Some(Some(done)) => return Ok(done.clone()),
            Some(None) => {}
            None => {
                known.insert(rules.to_owned(), None);
                drop(known);
                self.begin(Arc::clone(book));
                // Where it was done at once it is there already.
                let done = self.known.lock().ok();
                let done = done.and_then(|known| known.get(rules).cloned().flatten());
                return Ok(done.unwrap_or_else(|| waiting(rules)));
            }
        }
        Ok(waiting(rules))
    }

    /// Has it worked out.
    fn begin(&self, book: Arc<LoadedRuleset>) {
        let (known, turn) = (Arc::clone(&self.known), Arc::clone(&self.turn));
        (self.later)(Box::new(move || {
            let turn = turn.lock();
            let worked = std::panic::catch_unwind(AssertUnwindSafe(|| worked_out(&book)));
            drop(turn);
            let reply = worked.unwrap_or_else(|_| Reply::failed());
            if let Ok(mut known) = known.lock() {
                known.insert(book.id().to_owned(), Some(reply));
            }
        }));
    }
}

fn worked_out(book: &LoadedRuleset) -> Reply {
    match audit(book) {
        Ok(audited) => {
            let document = AuditReport {
                rulesets: vec![audited],
            }
            .document();
            document_page(&document, html! {}, trail(&[book.id()]))
        }
        Err(error) => Reply::sentence(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
    }
}

fn waiting(rules: &str) -> Reply {
    let shell = Shell {
        title: "Audit",
        trail: trail(&[rules]),
        again: Some(4),
        ..Shell::default()
    };
    let page = shell.around(html! {
        h1 { "Audit of " (rules) }
        p { "It is being worked out: every cell, key and value is tried. That takes up to a few minutes, once; this page asks again by itself." }
    });
    Reply::page(page).with(StatusCode::ACCEPTED)
}
