//! A request that came over the network, answered by the page on a thread of its own.

use super::connection::Peer;
use super::gate::Gate;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderValue, Method, Uri, header};
use axum::response::Response;
use grapeshot_page::{Job, Pages, Reply};
use grapeshot_rules::{RuleError, Ruleset, Variant};
use std::sync::Arc;

/// The page and its gate.
#[derive(Debug)]
pub(super) struct Server {
    pages: Pages,
    gate: Gate,
    /// Whether pages of other sites may ask for data.
    cors: bool,
}

impl Server {
    /// Loads everything, so that a slip is found before the first visitor.
    ///
    /// # Errors
    /// If a ruleset or variant does not fit.
    pub(super) fn new(
        rulesets: Vec<Ruleset>,
        variants: Vec<Variant>,
        cors: bool,
    ) -> Result<Self, RuleError> {
        Ok(Server {
            pages: Pages::new(rulesets, variants, |job: Job| {
                std::thread::spawn(job);
            })?,
            gate: Gate::new(),
            cors,
        })
    }
}

/// Answers any request.
pub(super) async fn visit(
    State(server): State<Arc<Server>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let _answering = peer.answered();
    let address = uri.path_and_query().map_or("/", |address| address.as_str());
    let reply = match server.pages.at_hand(address).filter(|_| method.is_safe()) {
        Some(reply) => reply,
        None => worked_out(&server, method, address.to_owned(), body).await,
    };
    let mut response = response(&reply);
    if server.cors && uri.path().starts_with("/api/") {
        let anybody = HeaderValue::from_static("*");
        response
            .headers_mut()
            .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anybody);
    }
    response
}

async fn worked_out(server: &Arc<Server>, method: Method, address: String, body: Bytes) -> Reply {
    let work = server.pages.work(&address);
    let at_work = Arc::clone(server);
    let job = move |watch: &_| {
        at_work
            .pages
            .answer(method.as_str(), &address, &body, watch)
    };
    server.gate.run(work, job).await
}

/// A reply as the network takes it.
pub(super) fn response(reply: &Reply) -> Response {
    let mut response = Response::new(Body::from(reply.body.clone()));
    *response.status_mut() = reply.status;
    for (name, value) in reply.headers() {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// What every response carries, also one that the page did not make.
pub(super) async fn guarded(mut response: Response) -> Response {
    for (name, value) in grapeshot_page::GUARDS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}
