//! What is sent back, and what stands on every one of them.

use super::shell;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::json;

pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const JSON: &str = "application/json";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";
pub(super) const SVG: &str = "image/svg+xml";

/// A page, a picture or data.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    kind: &'static str,
    body: Bytes,
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
        Reply::new(StatusCode::OK, HTML, page.into_string())
    }

    /// Data for programs.
    pub(super) fn json(data: &serde_json::Value) -> Self {
        Reply::new(StatusCode::OK, JSON, format!("{data:#}\n"))
    }

    /// Plain text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Reply::new(StatusCode::OK, TEXT, text.into())
    }

    /// A picture.
    pub(super) fn svg(svg: String) -> Self {
        Reply::new(StatusCode::OK, SVG, svg)
    }

    /// A part of the page that never changes.
    pub(super) fn asset(kind: &'static str, body: &'static str) -> Self {
        Reply {
            lasting: true,
            ..Reply::new(StatusCode::OK, kind, Bytes::from_static(body.as_bytes()))
        }
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
    pub(super) fn sentence(status: StatusCode, sentence: &str) -> Self {
        let body = html! { p.finding { (crate::render::words(sentence)) } };
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
    pub(super) fn busy(sentence: &str) -> Self {
        Reply::sentence(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }

    /// Our fault.
    pub(super) fn failed() -> Self {
        Reply::sentence(
            StatusCode::INTERNAL_SERVER_ERROR,
            "That was a fault of the program, not of the question. The page goes on; the question that did it is worth a report.",
        )
    }

    /// Bytes that have to be kept to keep it.
    pub(super) fn size(&self) -> usize {
        self.body.len() + 200
    }

    /// Whether it may be given to the next who asks.
    pub(super) fn is_kept(&self) -> bool {
        self.status == StatusCode::OK && !self.lasting
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        let lasting = match self.lasting {
            true => "public, max-age=31536000, immutable",
            false => "no-cache",
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("3"));
        }
        let location = self.location.as_deref().map(HeaderValue::from_str);
        if let Some(Ok(location)) = location {
            headers.insert(header::LOCATION, location);
        }
        (self.status, headers, Body::from(self.body)).into_response()
    }
}

/// What every response carries, whoever made it: nothing is fetched from elsewhere, nothing runs that is not
/// ours, nothing is framed, guessed or told to others.
pub(super) async fn guarded(mut response: Response) -> Response {
    const GUARDS: [(&str, &str); 5] = [
        (
            "content-security-policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        (
            "permissions-policy",
            "camera=(), geolocation=(), microphone=()",
        ),
    ];
    for (name, value) in GUARDS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}
