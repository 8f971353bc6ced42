//! Style, script and sign of the page: part of the program, sent once and kept by the browser.

use super::reply::{Reply, SVG};
use grapeshot_render as render;
use std::sync::LazyLock;

/// A file that never changes under its address.
pub(super) struct Asset {
    /// Where it is: under a name that changes with what is in it.
    pub(super) address: String,
    kind: &'static str,
    body: String,
}

impl Asset {
    fn new(name: &str, kind: &'static str, body: String) -> Self {
        let hash = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        Asset {
            address: format!("/assets/{hash:016x}-{name}"),
            kind,
            body,
        }
    }
}

/// The style of every page: that of printed documents, and that of the table.
pub(super) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let both = format!("{}{}", render::STYLE, include_str!("page.css"));
    Asset::new("page.css", "text/css; charset=utf-8", both)
});

/// What makes the page live; it works without. Tables come and go with the answers, so what sorts them is
/// called for each.
pub(super) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let sort = render::SCRIPT;
    let live = [
        include_str!("page.js"),
        include_str!("units.js"),
        include_str!("play.js"),
        include_str!("evening.js"),
    ]
    .join("\n");
    let all = format!(
        "'use strict';\nfunction sortable() {{\n{sort}}}\n{live}\nready();\ndrafted();\nnewer();\n"
    );
    Asset::new("page.js", "text/javascript; charset=utf-8", all)
});

/// What has to have a plain name: what an installed page is called and looks like.
static PLAIN: [(&str, &str, &[u8]); 4] = [
    (
        "/manifest.webmanifest",
        "application/manifest+json",
        include_bytes!("manifest.webmanifest"),
    ),
    ("/icon.svg", SVG, include_bytes!("icon.svg")),
    ("/icon-192.png", "image/png", include_bytes!("icon-192.png")),
    ("/icon-512.png", "image/png", include_bytes!("icon-512.png")),
];

/// What is at an address.
pub(super) fn find(address: &str) -> Option<Reply> {
    let lasting: [&'static Asset; 2] = [&STYLE, &SCRIPT];
    if let Some(found) = lasting.into_iter().find(|asset| asset.address == address) {
        return Some(Reply::asset(found.kind, found.body.as_bytes()).lasting());
    }
    let found = PLAIN.iter().find(|(known, ..)| *known == address);
    found.map(|(_, kind, body)| Reply::asset(kind, body))
}
