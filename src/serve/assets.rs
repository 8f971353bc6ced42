//! Style, script and sign of the page: part of the program, sent once and kept by the browser.

use super::reply::{Reply, SVG};
use crate::render;
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
    let (sort, live) = (render::SCRIPT, include_str!("page.js"));
    let both = format!("'use strict';\nfunction sortable() {{\n{sort}}}\n{live}");
    Asset::new("page.js", "text/javascript; charset=utf-8", both)
});

/// The sign in the tab.
pub(super) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("grapeshot.svg", SVG, include_str!("icon.svg").to_owned()));

/// What is at an address.
pub(super) fn find(address: &str) -> Option<Reply> {
    let all: [&'static Asset; 3] = [&STYLE, &SCRIPT, &ICON];
    let found = all.into_iter().find(|asset| asset.address == address)?;
    Some(Reply::asset(found.kind, &found.body))
}
