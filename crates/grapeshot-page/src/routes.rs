//! Who answers what: an address becomes a page.

use super::ask::{Asked, Asking};
use super::house::House;
use super::limits::{self, Work};
use super::link::{Ask, decoded};
use super::reply::Reply;
use super::server::Pages;
use super::{answer, api, assets, books, chart, elsewhere, help};
use grapeshot_engine::engine::Watch;
use grapeshot_rules::RuleError;
use http::StatusCode;

impl Pages {
    /// Answers a visit; `watch` can end it early. An address is a path with its query.
    pub fn answer(&self, method: &str, address: &str, body: &[u8], watch: &Watch) -> Reply {
        let (path, query) = split(address);
        let reply = match method {
            _ if address.len() > limits::ADDRESS => Reply::sentence(
                StatusCode::URI_TOO_LONG,
                "This address is longer than a question can be.",
            ),
            "GET" | "HEAD" => self.shown(address, watch),
            "POST" if body.len() > limits::BODY => Reply::sentence(
                StatusCode::PAYLOAD_TOO_LARGE,
                "This is longer than a house rule can be.",
            ),
            "POST" => packed(self, path, query, body),
            _ => Reply::sentence(
                StatusCode::METHOD_NOT_ALLOWED,
                "Pages are read, and house rules are posted; nothing else is understood here.",
            ),
        };
        match parts(path).first().is_some_and(|first| first == "api") {
            true => reply.for_programs(),
            false => reply,
        }
    }

    /// What needs no work: the files of the page, and what was worked out lately.
    pub fn at_hand(&self, address: &str) -> Option<Reply> {
        assets::find(split(address).0).or_else(|| self.kept.get(address))
    }

    /// A page: kept from the last time, or made.
    fn shown(&self, address: &str, watch: &Watch) -> Reply {
        if let Some(kept) = self.at_hand(address) {
            return kept;
        }
        let (path, query) = split(address);
        let reply = found(self, path, query, watch);
        if reply.is_kept() && !watch.stopped() {
            self.kept.put(address, reply.clone(), reply.size());
        }
        reply
    }

    /// How much there is to do behind an address.
    pub fn work(&self, address: &str) -> Work {
        work(self, split(address).0)
    }
}

/// The path of an address, and its query.
fn split(address: &str) -> (&str, &str) {
    address.split_once('?').unwrap_or((address, ""))
}

/// The parts of a path, as they were meant. A slash at the end is nobody's question.
fn parts(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = path.split('/').skip(1).map(decoded).collect();
    if parts.len() > 1 && parts.last().is_some_and(String::is_empty) {
        parts.pop();
    }
    parts
}

/// How much there is to do behind a path.
fn work(server: &Pages, path: &str) -> Work {
    let parts = parts(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
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
fn found(server: &Pages, path: &str, query: &str, watch: &Watch) -> Reply {
    let parts = parts(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
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

fn packed(server: &Pages, path: &str, query: &str, body: &[u8]) -> Reply {
    let wrong = |error: &RuleError| Reply::sentence(StatusCode::BAD_REQUEST, &error.to_string());
    let field = |name: &str| {
        let mut fields = form_urlencoded::parse(body);
        fields.find_map(|(known, value)| (known == name).then(|| value.into_owned()))
    };
    let parts = parts(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
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
