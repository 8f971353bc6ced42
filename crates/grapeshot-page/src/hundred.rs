//! A hundred of them as dots, and the list of ends that explains them.

use grapeshot_engine::dist::Favour;
use grapeshot_render::{Glance, Portion, number};
use maud::{Markup, html};

/// Dots in a row.
const ROW: usize = 20;
/// From dot to dot.
const STEP: usize = 12;

/// A hundred dots in the colours of how they end. Success is full, failure a ring, so that it can be read
/// without colours.
pub(super) fn picture(glance: &Glance) -> Markup {
    let told: Vec<String> = glance
        .hundred
        .iter()
        .filter(|portion| portion.count > 0)
        .map(|portion| format!("{} {}", portion.count, portion.label))
        .collect();
    let rows = 100 / ROW;
    let mut before = 0;
    let shares = glance.hundred.iter().map(|portion| {
        before += portion.count;
        (before - portion.count..before, portion)
    });
    let shares: Vec<_> = shares.collect();
    html! {
        svg.hundred role="img" viewBox={ "0 0 " (ROW * STEP) " " (rows * STEP) }
            aria-label={ "Of 100: " (told.join(", ")) } {
            @for (dots, portion) in shares { (group(portion, dots)) }
        }
    }
}

/// The dots of one way to end.
fn group(portion: &Portion, dots: std::ops::Range<usize>) -> Markup {
    let colour = hex(portion);
    let (fill, stroke) = match portion.favour {
        Some(Favour::Failure) => ("none", colour.as_str()),
        _ => (colour.as_str(), "none"),
    };
    html! { g fill=(fill) stroke=(stroke) stroke-width="2.6" { @for at in dots { (dot(at, portion)) } } }
}

fn dot(at: usize, portion: &Portion) -> Markup {
    // Column by column, so that a share is a width.
    let rows = 100 / ROW;
    let (x, y) = (at / rows * STEP + STEP / 2, at % rows * STEP + STEP / 2);
    html! {
        @match portion.favour {
            Some(Favour::Failure) => circle cx=(x) cy=(y) r="3.4" {},
            Some(Favour::Undecided) => rect x=(x - 4) y=(y - 4) width="8" height="8" {},
            _ => circle cx=(x) cy=(y) r="4.7" {},
        }
    }
}

/// The same as a strip, to stand beside the sentence.
pub(super) fn strip(glance: &Glance) -> Markup {
    let mut before = 0.0;
    let shares = glance.hundred.iter().map(|portion| {
        let from = before;
        before += 100.0 * portion.chance.value;
        (from, 100.0 * portion.chance.value, hex(portion))
    });
    let shares: Vec<_> = shares.collect();
    html! {
        svg.strip viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true" {
            @for (x, width, colour) in shares {
                rect x=(format!("{x:.2}")) width=(format!("{width:.2}")) height="2" fill=(colour) {}
            }
        }
    }
}

fn hex(portion: &Portion) -> String {
    let colour = portion.colour;
    format!("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b)
}

/// The ends with their chances: exact, or with their intervals. What each means stands behind its word.
pub(super) fn ends(glance: &Glance, explained: impl Fn(&str) -> Option<Markup>) -> Markup {
    html! {
        table.ends {
            caption { (glance.headline) }
            thead { tr {
                th scope="col" { span.unseen { "colour" } }
                th.words scope="col" { "end" }
                th scope="col" { "chance" }
                th.words scope="col" { "for who acts" }
            } }
            tbody { @for portion in &glance.hundred {
                tr data-end=(portion.label) {
                    td { svg.swatch viewBox="0 0 12 12" aria-hidden="true" { (group(portion, 0..1)) } }
                    th.words scope="row" {
                        @match explained(&portion.label) {
                            Some(meaning) => details.word { summary { (portion.label) } (meaning) },
                            None => (portion.label),
                        }
                    }
                    td { (number::chance(&portion.chance)) }
                    td.words { @if let Some(favour) = portion.favour { (favour.word()) } }
                }
            } }
        }
    }
}
