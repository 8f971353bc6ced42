//! What is sent back, and what stands on every one of them.

use super::shell;
use bytes::Bytes;
use http::StatusCode;
use maud::{Markup, html};
use serde_json::json;

pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const JSON: &str = "application/json";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";
pub(super) const SVG: &str = "image/svg+xml";

/// A page, a picture or data.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Whether it is an answer, and if not, why.
    pub status: StatusCode,
    kind: &'static str,
    /// The page, picture or data itself.
    pub body: Bytes,
    /// Where to go instead.
    location: Option<String>,
    /// Whether it is the same until the program is another.
    lasting: bool,
    /// The one thing it says, if it says one thing.
    told: Option<String>,
}

impl Reply {
    fn new(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Self {
        Reply {
            status,
            kind,
            body: body.into(),
            location: None,
            lasting: false,
            told: None,
        }
    }

    /// A page.
    pub(super) fn page(page: Markup) -> Self {
        Reply::new(StatusCode::OK, HTML, visible(page.into_string()))
    }

    /// Data for programs.
    pub(super) fn json(data: &serde_json::Value) -> Self {
        Reply::new(StatusCode::OK, JSON, format!("{data:#}\n"))
    }

    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Reply::new(StatusCode::OK, TEXT, text.into())
    }

    /// A picture.
    pub(super) fn svg(svg: String) -> Self {
        Reply::new(StatusCode::OK, SVG, svg)
    }

    /// A part of the page.
    pub(super) fn asset(kind: &'static str, body: &'static [u8]) -> Self {
        Reply::new(StatusCode::OK, kind, Bytes::from_static(body))
    }

    /// The same for ever: under its address there will be nothing else.
    pub(super) fn lasting(mut self) -> Self {
        self.lasting = true;
        self
    }

    /// The same with another status.
    pub(super) fn with(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Another address.
    pub(super) fn see(location: String) -> Self {
        Reply {
            location: Some(location),
            ..Reply::new(StatusCode::SEE_OTHER, TEXT, "")
        }
    }

    /// A page that says one thing.
    pub fn sentence(status: StatusCode, sentence: &str) -> Self {
        let body = html! { p.finding { (grapeshot_render::words(sentence)) } };
        let title = status.canonical_reason().unwrap_or("grapeshot");
        Reply {
            told: Some(sentence.to_owned()),
            ..Reply::page(shell::plain(title, body)).with(status)
        }
    }

    /// What is wrong, as data: the sentence, and the key it is about.
    pub(super) fn wrong(status: StatusCode, error: &str, key: Option<&str>) -> Self {
        Reply::json(&json!({ "error": error, "key": key })).with(status)
    }

    /// The same for a program, which does not read pages.
    pub(super) fn for_programs(self) -> Self {
        match self.told {
            Some(told) => Reply::wrong(self.status, &told, None),
            None => self,
        }
    }

    /// Too much to do.
    pub fn busy(sentence: &str) -> Self {
        Reply::sentence(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }

    /// Our fault.
    pub fn failed() -> Self {
        Reply::sentence(
            StatusCode::INTERNAL_SERVER_ERROR,
            "That was a fault of the program, not of the question. The page goes on; the question that did it is worth a report.",
        )
    }

    /// Bytes that have to be kept to keep it.
    pub(super) fn size(&self) -> usize {
        self.body.len() + 200
    }

    /// The same, or that it is too much to be sent.
    pub(super) fn within(self, most: usize) -> Self {
        match self.body.len() {
            bytes if bytes <= most => self,
            bytes => Reply::sentence(
                StatusCode::UNPROCESSABLE_ENTITY,
                &format!(
                    "This answer has {} MB, and the page sends at most {}. The command line gives all of it.",
                    bytes >> 20,
                    most >> 20
                ),
            ),
        }
    }

    /// Whether it may be given to the next who asks.
    pub(super) fn is_kept(&self) -> bool {
        self.status == StatusCode::OK && !self.lasting
    }
}

/// A page in which whatever cannot be seen is written out: what an address says may stand on it.
fn visible(page: String) -> String {
    let unseen = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !page.contains(unseen) {
        return page;
    }
    let shown = page.chars().map(|c| match unseen(c) {
        true => c.escape_unicode().to_string(),
        false => c.to_string(),
    });
    shown.collect()
}

/// What every reply carries: nothing is fetched from elsewhere, nothing runs that is not ours, nothing is framed,
/// guessed or told to others.
pub const GUARDS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), geolocation=(), microphone=()",
    ),
];

impl Reply {
    /// What is said of it, by name in small letters.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let lasting = match self.lasting {
            true => "public, max-age=31536000, immutable",
            false => "no-cache",
        };
        let mut headers = vec![
            ("content-type", self.kind.to_owned()),
            ("cache-control", lasting.to_owned()),
        ];
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.push(("retry-after", "3".to_owned()));
        }
        headers.extend(self.location.iter().map(|at| ("location", at.clone())));
        headers.extend(GUARDS.map(|(name, value)| (name, value.to_owned())));
        headers
    }

    /// The same where the page is not at the root of its host but in a folder, `/somewhere`: every address that
    /// begins at the root begins there. Quotes in texts are escaped, so `="/` is always the start of an
    /// address in an attribute.
    pub fn under(mut self, folder: &str) -> Self {
        if folder.is_empty() {
            return self;
        }
        self.location = self.location.map(|at| format!("{folder}{at}"));
        if self.kind == HTML {
            let page = String::from_utf8_lossy(&self.body);
            self.body = page.replace("=\"/", &format!("=\"{folder}/")).into();
        }
        self
    }
}
