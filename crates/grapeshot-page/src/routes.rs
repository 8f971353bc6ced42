//! Who answers what: an address becomes a page.

use super::ask::{Asked, Asking, Kind};
use super::house::House;
use super::limits::{self, Work};
use super::link::{Ask, decoded};
use super::reply::Reply;
use super::server::Pages;
use super::{
    answer, api, assets, books, chart, code, elsewhere, evening, help, instruments, options, play,
    tips,
};
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
                "This is longer than a house rule or a text of rules can be.",
            ),
            "POST" if parts(path).first().is_some_and(|first| first == play::ID) => {
                tried(self, path, query, body, watch)
            }
            "POST" if parts(path) == [evening::ID] => {
                let log = field(body, "log").unwrap_or_default();
                evening::page(self, query, Some(&log)).within(limits::ANSWER)
            }
            "POST" if path == "/api/units" => units(self, body),
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
        let reply = found(self, path, query, watch).within(limits::ANSWER);
        if reply.is_kept() && !watch.stopped() {
            self.kept.put(address, reply.clone(), reply.size());
        }
        reply
    }

    /// How much there is to do behind an address.
    pub fn work(&self, address: &str) -> Work {
        let (path, query) = split(address);
        work(self, path, query)
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

/// How much there is to do behind a path: by what is asked, wherever in the address that stands.
fn work(pages: &Pages, path: &str, query: &str) -> Work {
    let parts = parts(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (rules, asking) = match parts.as_slice() {
        [] | [_] | ["api", "rules", ..] | [_, "tables" | "tables.toml"] => {
            return Work::Quick;
        }
        // Many questions, or one for every cell.
        ["studies", ..]
        | [_, "audit"]
        | ["api", "what-if" | "weigh" | "condense" | "field", ..] => {
            return Work::Long;
        }
        ["api", "decide" | "skill", rules, name, ..] => (*rules, Asking::decision(*name)),
        ["api", _, rules, name, ..] => (*rules, Asking::plain(*name)),
        parts => match Asking::of_path(parts) {
            Some((
                _,
                _,
                [
                    "help" | "elsewhere" | "weigh" | "skill" | "condense" | "field",
                    ..,
                ],
            )) => return Work::Long,
            Some((rules, asking, _)) => (rules, asking),
            None => return Work::Quick,
        },
    };
    let ask = Ask::read(query).unwrap_or_default();
    let Some(book) = pages.rules_at_hand(rules, &ask) else {
        return Work::Quick;
    };
    // What is no plain procedure is one in which somebody chooses.
    let procedure = match book.procedure(&asking.name) {
        Ok(procedure) if asking.kind == Kind::Plain => procedure,
        _ => return Work::Long,
    };
    let usual = match procedure.is_played_out() {
        true => limits::TRIALS_PLAYED_OUT,
        false => limits::TRIALS,
    };
    match options::trials(&ask).is_some_and(|trials| trials > usual) {
        true => Work::Long,
        false => Work::Quick,
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
        ["code.svg"] => Ok(code::svg(query)),
        [evening::ID] => Ok(evening::page(server, query, None)),
        ["studies"] => books::studies(),
        ["studies", id] => books::study(id, watch),
        [play::ID] => play::page(server, None, query, watch),
        [rules] => books::ruleset(server, rules),
        [rules, "tables"] if *rules != play::ID => books::tables(server, rules),
        [rules, "tables.toml"] if *rules != play::ID => books::toml(server, rules),
        [rules, "audit"] if *rules != play::ID => server.audits.page(server, rules),
        parts => match Asking::of_path(parts) {
            Some((rules, asking, part)) => {
                let at = (rules, &asking);
                match part {
                    [] if rules == play::ID => play::page(server, Some(&asking), query, watch),
                    [] => answer::page(server, at, query, watch),
                    ["help"] => help::page(server, at, query),
                    ["condense" | "field"] if !server.has_instruments() => Err(nothing()),
                    [part @ ("weigh" | "skill" | "condense" | "field")] => {
                        instruments::page(server, at, query, part)
                    }
                    ["tips"] => tips::page(server, at, query, watch),
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

/// A field of a form that was posted.
fn field(body: &[u8], name: &str) -> Option<String> {
    let mut fields = form_urlencoded::parse(body);
    fields.find_map(|(known, value)| (known == name).then(|| value.into_owned()))
}

/// The units of a roster that was posted, for who keeps them.
fn units(server: &Pages, body: &[u8]) -> Reply {
    let file = field(body, "file").unwrap_or_else(|| "roster.toml".into());
    match server.roster(&file, &field(body, "text").unwrap_or_default()) {
        Ok(roster) => Reply::json(&serde_json::json!(roster.units)),
        Err(error) => Reply::sentence(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
    }
}

/// A text of rules that was posted: a link to what was asked of it, or, where it is too long for one, the answer.
fn tried(server: &Pages, path: &str, query: &str, body: &[u8], watch: &Watch) -> Reply {
    let parts = parts(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let asking = Asking::of_path(&parts).map(|(_, asking, _)| asking);
    let (text, packed) = (field(body, "text"), field(body, "packed"));
    match play::posted(server, asking.as_ref(), query, text, packed) {
        Ok((query, true)) => Reply::see(format!("{path}?{query}")),
        Ok((query, false)) => found(server, path, &query, watch).within(limits::ANSWER),
        Err(error) => Reply::sentence(StatusCode::BAD_REQUEST, &error.to_string()),
    }
}

fn packed(server: &Pages, path: &str, query: &str, body: &[u8]) -> Reply {
    let wrong = |error: &RuleError| Reply::sentence(StatusCode::BAD_REQUEST, &error.to_string());
    let parts = parts(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let Some((rules, asking, [])) = Asking::of_path(&parts) else {
        return Reply::sentence(StatusCode::NOT_FOUND, "Nothing can be posted here.");
    };
    let mut ask = match Ask::read(query) {
        Ok(ask) => ask,
        Err(error) => return wrong(&error),
    };
    let text = field(body, "house");
    let text = text.filter(|text| !text.trim().is_empty() && field(body, "drop").is_none());
    ask.house = match text.as_deref().map(House::typed).transpose() {
        Ok(house) => house,
        Err(error) => return wrong(&error),
    };
    let plain = ask.plainly();
    let link = server.load(rules, &plain).and_then(|_| {
        let asked = Asked::new(server, (rules, &asking), Ok(plain.clone()))?;
        let settings = asked.procedure().resolve(plain.given())?;
        Ok(plain.link(&asked.path(), asked.procedure(), &settings))
    });
    match link {
        Ok(link) => Reply::see(link),
        Err(error) => wrong(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> Pages {
        Pages::new(Vec::new(), Vec::new(), |job| job()).expect("the printed rules load")
    }

    #[test]
    fn dear_work_is_known_by_what_is_asked_and_not_by_how_the_address_is_written() {
        let pages = pages();
        for long in [
            "/elephant/charge/help",
            "/elephant/charge/h%65lp",
            "/elephant/charge/elsewhere",
            "/elephant/charge/weigh",
            "/elephant/charge/condense",
            "/elephant/charge/field",
            "/elephant/standoff/skill",
            "/api/condense/elephant/charge",
            "/api/weigh/elephant/charge",
            "/api/skill/elephant/standoff",
            "/api/decide/elephant/standoff",
            "/api/%64ecide/elephant/standoff",
            "/elephant/standoff",
            "/elephant/standoff/numbers?a.stands=9",
            "/elephant/standoff/chart.svg",
            "/%65lephant/%73tandoff/",
            "/api/what-if/elephant/charge",
            "/api/odds/elephant/battle?trials=2000000",
            "/api/odds/elephant/charge?method=simulate&trials=1000000",
            "/studies/compare-charge-by-cover",
            "/elephant/audit",
        ] {
            assert_eq!(pages.work(long), Work::Long, "{long}");
        }
        for quick in [
            "/",
            "/studies",
            "/elephant",
            "/elephant/tables",
            "/elephant/charge?attacker.stands=9",
            "/elephant/charge/numbers",
            "/api/odds/elephant/battle",
            "/api/odds/elephant/charge?trials=1000",
            "/api/rules/elephant/charge",
            "/nobody/here",
        ] {
            assert_eq!(pages.work(quick), Work::Quick, "{quick}");
        }
        // A decision of a text that is tried is known once the text is.
        let tried = "/play/standoff?from=gbacw";
        let asked = pages.answer("GET", "/play/fire?from=gbacw", b"", &Watch::default());
        assert_eq!(asked.status, StatusCode::OK);
        assert_eq!(pages.work(tried), Work::Long, "{tried}");
        assert_eq!(pages.work("/play/fire?from=gbacw"), Work::Quick);
    }

    #[test]
    fn every_kind_of_work_ends_when_it_is_stopped() {
        let pages = pages().with_instruments();
        for address in [
            "/elephant/charge",
            "/elephant/charge/help",
            "/elephant/charge/elsewhere",
            "/elephant/charge/weigh",
            "/elephant/charge/condense",
            "/elephant/standoff/skill",
            "/elephant/charge/numbers",
            "/elephant/battle",
            "/gbacw/standoff",
            "/gbacw/standoff?plan=always+fire",
            "/gbacw/standoff/numbers",
            "/api/decide/gbacw/standoff",
            "/api/what-if/elephant/fire",
            "/api/luck/elephant/charge?got=outcome%3Dattacker-halts",
            "/api/odds/elephant/battle?trials=2000000",
            "/studies/compare-charge-by-cover",
        ] {
            let watch = Watch::default();
            watch.stop();
            let ended = watch.over(|| pages.answer("GET", address, b"", &watch).status);
            // What many questions are made of says itself that it was stopped.
            assert!(
                ended.is_err() || ended == Ok(StatusCode::SERVICE_UNAVAILABLE),
                "{address} went on to its end: {ended:?}"
            );
            // Nothing of it is kept as an answer.
            assert!(pages.at_hand(address).is_none(), "{address}");
        }
    }

    /// Prints how long each kind of dear work goes on after it was told to stop, from three moments of it.
    #[test]
    #[ignore = "measures: cargo test --release -p grapeshot-page goes_on -- --ignored --nocapture"]
    fn how_long_work_goes_on_after_its_time() {
        let pages = pages();
        for address in [
            "/elephant/firefight/help",
            "/elephant/firefight/elsewhere",
            "/api/what-if/elephant/firefight",
            "/api/decide/elephant/standoff?a.stands=40&b.stands=40&turns=20&b.choices=all",
            "/elephant/standoff/numbers?a.stands=40&b.stands=40&turns=20",
            "/api/odds/elephant/battle?trials=2000000",
            "/api/odds/acw28/battle?trials=2000000",
            "/elephant/audit",
            "/studies/compare-charge-by-cover",
        ] {
            let after = [5, 50, 300].map(|moment| {
                let watch = Watch::default();
                std::thread::scope(|scope| {
                    let working = scope.spawn(|| {
                        let _ = watch.over(|| pages.answer("GET", address, b"", &watch).status);
                        std::time::Instant::now()
                    });
                    std::thread::sleep(std::time::Duration::from_millis(moment));
                    watch.stop();
                    let stopped = std::time::Instant::now();
                    let ended = working.join().expect("no panic");
                    ended.saturating_duration_since(stopped)
                })
            });
            println!("{address}: {after:.1?}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        let reply = pages().answer("GET", "/elephant/%1b%5b31mred%00", b"", &Watch::default());
        let page = String::from_utf8(reply.body.to_vec()).expect("text");
        assert_eq!(reply.status, StatusCode::NOT_FOUND);
        assert!(page.contains("\\u{1b}[31mred\\u{0}"), "{page}");
        assert!(!page.contains(['\u{1b}', '\0']));
    }

    #[test]
    fn a_page_in_a_folder_leads_to_pages_in_that_folder() {
        let pages = pages();
        let plain = pages.answer("GET", "/elephant/charge", b"", &Watch::default());
        let page = String::from_utf8(plain.clone().under("/table").body.to_vec()).expect("text");
        assert!(page.contains("href=\"/table/elephant\""));
        for whole in page.split("=\"/").skip(1) {
            assert!(
                whole.starts_with("table/"),
                "{}",
                &whole[..40.min(whole.len())]
            );
        }
        assert_eq!(plain.clone().under("").body, plain.body);
    }

    #[test]
    fn a_house_rule_of_very_many_tables_is_refused_before_it_is_laid_over_anything() {
        let text: String = (0..1250)
            .map(|n| format!("[[modifiers]]\nname = \"m{n}\"\n"))
            .collect();
        let error = House::typed(&text).expect_err("too many").to_string();
        assert!(error.contains("1250") || error.contains("2500"), "{error}");
    }
}
