//! What stands around every page.

use super::assets;
use maud::{DOCTYPE, Markup, html};

/// A page.
#[derive(Debug, Default)]
pub(super) struct Shell<'a> {
    /// What stands in the tab.
    pub(super) title: &'a str,
    /// The address that gives just this page.
    pub(super) link: &'a str,
    /// Where one is: names and addresses, the widest first.
    pub(super) trail: Vec<(String, String)>,
    /// Seconds after which it is asked for again.
    pub(super) again: Option<u8>,
}

impl Shell<'_> {
    /// The page with this in it.
    pub(super) fn around(&self, main: Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    @if let Some(seconds) = self.again { meta http-equiv="refresh" content=(seconds); }
                    title { (self.title) " · grapeshot" }
                    @if !self.link.is_empty() { link rel="canonical" href=(self.link); }
                    link rel="icon" type="image/svg+xml" href="/icon.svg";
                    link rel="manifest" href="/manifest.webmanifest";
                    meta name="theme-color" content="#1f3a5f";
                    link rel="stylesheet" href=(assets::STYLE.address);
                    script src=(assets::SCRIPT.address) defer {}
                }
                body {
                    a.skip href="#main" { "To the answer" }
                    header.top {
                        nav aria-label="Where you are" {
                            a.brand href="/" { "grapeshot" }
                            @for (name, address) in &self.trail {
                                span.sep aria-hidden="true" { "›" }
                                a href=(address) { (name) }
                            }
                        }
                    }
                    main #main tabindex="-1" { (main) }
                    footer.foot {
                        p {
                            "grapeshot " (env!("CARGO_PKG_VERSION"))
                            " · " a href="/studies" { "studies" }
                            " · " a href="/api" { "for programs" }
                        }
                    }
                }
            }
        }
    }
}

/// A page that needs nothing but a title.
pub(super) fn plain(title: &str, body: Markup) -> Markup {
    let shell = Shell {
        title,
        ..Shell::default()
    };
    shell.around(html! { h1 { (title) } (body) p { a href="/" { "To the start" } } })
}
