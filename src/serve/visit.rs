//! A request that came over the network, answered by the page on a thread of its own.

use super::connection::Peer;
use super::gate::Gate;
use super::host::Hosts;
use super::room::Room;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use grapeshot_page::{Pages, Reply, StatusCode};
use std::io::Write;
use std::net::IpAddr;
use std::sync::Arc;

/// The page and what stands around it.
#[derive(Debug)]
pub(super) struct Server {
    pages: Pages,
    gate: Gate,
    hosts: Hosts,
    room: Room,
    /// Whether pages of other sites may ask for data.
    cors: bool,
}

impl Server {
    pub(super) fn new(pages: Pages, gate: Gate, hosts: Hosts, cors: bool) -> Self {
        Server {
            pages,
            gate,
            hosts,
            room: Room::new(),
            cors,
        }
    }
}

/// Answers any request.
pub(super) async fn visit(
    State(server): State<Arc<Server>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let _answering = peer.answered();
    let address = uri.path_and_query().map_or("/", |address| address.as_str());
    let reply = if !server.hosts.knows(&headers) {
        Reply::sentence(
            StatusCode::MISDIRECTED_REQUEST,
            "This page does not go by that name. `grapeshot serve --host NAME` teaches it one.",
        )
    } else if let Some(reply) = server.pages.at_hand(address).filter(|_| method.is_safe()) {
        reply
    } else {
        worked_out(&server, peer.client(), method, address.to_owned(), body).await
    };
    let packed = takes_gzip(&headers).then(|| packed(&reply)).flatten();
    let bytes = packed.clone().unwrap_or_else(|| reply.body.clone());
    let mut response = match server.room.hold(bytes).await {
        Some(body) => {
            let mut response = response(&reply, body);
            let headers = response.headers_mut();
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
            if packed.is_some() {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
            response
        }
        None => {
            let busy = Reply::busy("Too many answers are being sent: this one was not.");
            response(&busy, busy.body.clone().into())
        }
    };
    if server.cors && uri.path().starts_with("/api/") {
        let anybody = HeaderValue::from_static("*");
        response
            .headers_mut()
            .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anybody);
    }
    response
}

async fn worked_out(
    server: &Arc<Server>,
    client: IpAddr,
    method: Method,
    address: String,
    body: Bytes,
) -> Reply {
    let work = server.pages.work(&address);
    let at_work = Arc::clone(server);
    let job = move |watch: &_| {
        at_work
            .pages
            .answer(method.as_str(), &address, &body, watch)
    };
    server.gate.run(client, work, job).await
}

/// Whether the other side unpacks what is packed.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let said = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|said| said.to_str().ok());
    said.is_some_and(|said| said.split(',').any(|one| one.trim() == "gzip"))
}

/// An answer as it travels best; none where that is how it is. Bodies below this size fit one packet anyway.
const WORTH_PACKING: usize = 1400;

fn packed(reply: &Reply) -> Option<Bytes> {
    if reply.body.len() < WORTH_PACKING {
        return None;
    }
    let mut packing = GzEncoder::new(Vec::new(), Compression::fast());
    packing.write_all(&reply.body).ok()?;
    packing.finish().ok().map(Bytes::from)
}

/// A reply as the network takes it.
pub(super) fn response(reply: &Reply, body: Body) -> Response {
    let mut response = Response::new(body);
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
