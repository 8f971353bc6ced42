//! A link as a code for somebody else's camera.

use super::reply::Reply;
use http::StatusCode;
use qrcode::{Color, QrCode};
use std::fmt::Write;

/// Light modules around it.
const QUIET: usize = 4;

/// The code of what `of` says.
pub(super) fn svg(query: &str) -> Reply {
    let mut said = form_urlencoded::parse(query.as_bytes());
    let of = said.find_map(|(key, value)| (key == "of").then(|| value.into_owned()));
    let Some(code) = of.and_then(|of| QrCode::new(of.as_bytes()).ok()) else {
        let told = "A code needs `of`, a link of at most some 2,900 letters.";
        return Reply::sentence(StatusCode::BAD_REQUEST, told);
    };
    let width = code.width();
    let mut dark = String::new();
    for (at, colour) in code.to_colors().into_iter().enumerate() {
        if colour == Color::Dark {
            let (x, y) = (at % width + QUIET, at / width + QUIET);
            write!(dark, "M{x} {y}h1v1h-1z").expect("text");
        }
    }
    let side = width + 2 * QUIET;
    Reply::svg(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/><path d=\"{dark}\"/></svg>\n"
    ))
}
