//! Who answers what: an address becomes a page.

use super::ask::{Asked, Asking};
use super::connection::Peer;
use super::house::House;
use super::limits::{self, Work};
use super::link::{Ask, decoded};
use super::reply::Reply;
use super::server::Server;
use super::{answer, api, assets, books, chart, elsewhere, help};
use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use grapeshot_engine::engine::Watch;
use grapeshot_rules::RuleError;
use std::sync::Arc;

/// Answers any request.
pub(super) async fn visit(
    State(server): State<Arc<Server>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let _answering = peer.answered();
    let program = uri.path().starts_with("/api/");
    let reply = match method {
        Method::GET | Method::HEAD => shown(&server, &uri).await,
        Method::POST => typed(&server, &uri, body).await,
        _ => Reply::sentence(
            StatusCode::METHOD_NOT_ALLOWED,
            "Pages are read, and house rules are posted; nothing else is understood here.",
        ),
    };
    let reply = if program { reply.for_programs() } else { reply };
    let mut response = reply.into_response();
    if program && server.cors {
        let anybody = HeaderValue::from_static("*");
        response
            .headers_mut()
            .insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anybody);
    }
    response
}

/// A page: kept from the last time, or made.
async fn shown(server: &Arc<Server>, uri: &Uri) -> Reply {
    if let Some(asset) = assets::find(uri.path()) {
        return asset;
    }
    let address = uri.path_and_query().map_or("/", |address| address.as_str());
    if address.len() > limits::ADDRESS {
        return too_long();
    }
    if let Some(kept) = server.kept.get(address) {
        return kept;
    }
    let (path, query) = (uri.path().to_owned(), uri.query().unwrap_or("").to_owned());
    let work = work(server, &path);
    let at_work = Arc::clone(server);
    let reply = server
        .gate
        .run(work, move |watch| found(&at_work, &path, &query, watch))
        .await;
    if reply.is_kept() {
        server.kept.put(address, reply.clone(), reply.size());
    }
    reply
}

fn too_long() -> Reply {
    Reply::sentence(
        StatusCode::URI_TOO_LONG,
        "This address is longer than a question can be.",
    )
}

/// How much there is to do behind a path.
fn work(server: &Server, path: &str) -> Work {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    match parts.as_slice() {
        ["studies", _]
        | [_, _, "help" | "elsewhere" | "decide", ..]
        | ["api", "what-if" | "decide", ..] => Work::Long,
        // What is no plain procedure is one in which somebody chooses.
        [rules, name] => match server.book(rules).map(|book| book.procedure(name).is_ok()) {
            Ok(false) => Work::Long,
            _ => Work::Quick,
        },
        _ => Work::Quick,
    }
}

/// What is at a path.
fn found(server: &Server, path: &str, query: &str, watch: &Watch) -> Reply {
    let parts: Vec<String> = path.split('/').skip(1).map(decoded).collect();
    let mut parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    // A slash at the end is nobody's question.
    if parts.len() > 1 && parts.last() == Some(&"") {
        parts.pop();
    }
    let reply = match parts.as_slice() {
        [""] => Ok(books::home(server)),
        ["api"] => Ok(api::page()),
        ["api", rest @ ..] => Ok(api::answer(server, rest, query, watch)),
        ["studies"] => books::studies(),
        ["studies", id] => books::study(id, watch),
        [rules] => books::ruleset(server, rules),
        [rules, "tables"] => books::tables(server, rules),
        [rules, "tables.toml"] => books::toml(server, rules),
        [rules, "audit"] => server.audits.page(server, rules),
        parts => match Asking::of_path(parts) {
            Some((rules, asking, part)) => {
                let at = (rules, &asking);
                match part {
                    [] => answer::page(server, at, query, watch),
                    ["help"] => help::page(server, at, query),
                    ["elsewhere"] => elsewhere::page(server, at, query),
                    ["numbers"] => answer::numbers(server, at, query, watch),
                    ["chart.svg"] => chart::svg(server, at, query, watch),
                    _ => Err(nothing()),
                }
            }
            None => Err(nothing()),
        },
    };
    reply.unwrap_or_else(|error| Reply::sentence(StatusCode::NOT_FOUND, &error.to_string()))
}

fn nothing() -> RuleError {
    RuleError::Other("There is nothing at this address.".into())
}

/// A house rule that was typed becomes part of a link.
async fn typed(server: &Arc<Server>, uri: &Uri, body: Bytes) -> Reply {
    let path = uri.path().to_owned();
    let query = uri.query().unwrap_or("").to_owned();
    if query.len() > limits::ADDRESS {
        return too_long();
    }
    let at_work = Arc::clone(server);
    let job = move |_: &Watch| packed(&at_work, &path, &query, &body);
    server.gate.run(Work::Quick, job).await
}

fn packed(server: &Server, path: &str, query: &str, body: &[u8]) -> Reply {
    let wrong = |error: &RuleError| Reply::sentence(StatusCode::BAD_REQUEST, &error.to_string());
    let field = |name: &str| {
        let mut fields = form_urlencoded::parse(body);
        fields.find_map(|(known, value)| (known == name).then(|| value.into_owned()))
    };
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let Some((rules, asking, [])) = Asking::of_path(&parts) else {
        return Reply::sentence(StatusCode::NOT_FOUND, "Nothing can be posted here.");
    };
    let mut ask = match Ask::read(query) {
        Ok(ask) => ask,
        Err(error) => return wrong(&error),
    };
    let text = field("house").filter(|text| !text.trim().is_empty() && field("drop").is_none());
    ask.house = match text.as_deref().map(House::typed).transpose() {
        Ok(house) => house,
        Err(error) => return wrong(&error),
    };
    let plain = ask.plainly();
    let link = server.load(rules, plain.house.as_ref()).and_then(|_| {
        let asked = Asked::new(server, (rules, &asking), Ok(plain.clone()))?;
        let settings = asked.procedure().resolve(plain.given())?;
        Ok(plain.link(&asked.path(), asked.procedure(), &settings))
    });
    match link {
        Ok(link) => Reply::see(link),
        Err(error) => wrong(&error),
    }
}
