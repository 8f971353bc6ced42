//! Documents as pages: one shell, one style sheet, everything inside, nothing fetched from anywhere.
//!
//! Text is escaped by the templates; only drawings and our own style and script go in as they are. No
//! element carries a style of its own, so that a page can be shown under the strictest policy.

use super::cell::{Cell, Held};
use super::{Audience, Block, Body, Document, Picture, Table, Tone, number};
use grapeshot_charts::ChartError;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of every page.
pub const STYLE: &str = include_str!("page.css");
/// What sorts the tables of a page.
pub const SCRIPT: &str = include_str!("page.js");

/// Chapters of a page before it gets a list of them.
const LISTED: usize = 6;

/// A document as a page.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn html(document: &Document) -> Result<String, ChartError> {
    let body = contents_of(document, 1)?;
    let page = html! {
        (DOCTYPE)
        html lang=(document.words.say("en")) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (document.title) }
                style { (PreEscaped(STYLE)) }
            }
            body.whole.long[is_long(document)] {
                header { h1 { (document.title) } }
                main { (body) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(page.into_string() + "\n")
}

/// Whether a page has a list of its chapters, and leaves on paper what is folded in them.
fn is_long(document: &Document) -> bool {
    document.parts.len() >= LISTED
}

/// A document as part of a page that has a head of its own: everything below the title.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn fragment(document: &Document) -> Result<Markup, ChartError> {
    contents_of(document, 1)
}

/// Everything below the title.
fn contents_of(document: &Document, depth: usize) -> Result<Markup, ChartError> {
    let pictures: Vec<Markup> = document
        .pictures
        .iter()
        .map(figure)
        .collect::<Result<_, _>>()?;
    let parts: Vec<Markup> = document
        .parts
        .iter()
        .map(|part| section(part, depth + 1))
        .collect::<Result<_, _>>()?;
    let listed = depth == 1 && is_long(document);
    Ok(html! {
        @if document.sentences_first() {
            (findings(document)) (facts(document))
        } @else {
            (facts(document)) (findings(document))
        }
        @for picture in pictures { (picture) }
        @if listed {
            nav { h2 { (document.words.say("Contents")) } ul {
                @for part in document.parts.iter().filter(|part| !part.anchor.is_empty()) {
                    li { a href={ "#" (part.anchor) } { (part.title) } (within(part)) }
                }
            } }
        }
        @for block in document.blocks.iter().filter(|block| block.place != Audience::Data) {
            (self::block(block, depth))
        }
        @for part in parts { (part) }
        @for note in &document.notes { p.note { (document.words.say("note")) ": " (words(note)) } }
        @if !document.commands.is_empty() {
            pre.commands { @for command in &document.commands { (command) "\n" } }
        }
        @if !document.repeat.is_empty() {
            p.note { (document.words.say("made by")) " " code { (document.repeat) } ", " (document.words.say("version")) " " (env!("CARGO_PKG_VERSION")) }
        }
    })
}

/// What can be jumped to inside a chapter.
fn within(document: &Document) -> Markup {
    let inner = document.parts.iter().filter(|part| !part.anchor.is_empty());
    let inner: Vec<&Document> = inner.collect();
    html! {
        @if !inner.is_empty() {
            ul { @for part in inner { li { a href={ "#" (part.anchor) } { (part.title) } } } }
        }
    }
}

fn facts(document: &Document) -> Markup {
    html! {
        @for fact in &document.facts {
            p.fact { @if !fact.label.is_empty() { b { (fact.label) ": " } } (words(&fact.text)) }
        }
    }
}

fn findings(document: &Document) -> Markup {
    html! { @for finding in &document.findings { p.finding { (words(finding)) } } }
}

fn section(document: &Document, depth: usize) -> Result<Markup, ChartError> {
    let tone = match document.tone {
        Tone::Plain => None,
        Tone::Note => Some("tone note"),
        Tone::Warning => Some("tone warning"),
        Tone::Error => Some("tone error"),
    };
    let anchor = Some(&document.anchor).filter(|anchor| !anchor.is_empty());
    let contents = contents_of(document, depth)?;
    Ok(html! {
        section id=[anchor] class=[tone] {
            @if document.folded {
                details.chapter { summary { (heading(&document.title, depth)) } (contents) }
            } @else {
                (heading(&document.title, depth)) (contents)
            }
        }
    })
}

fn heading(text: &str, depth: usize) -> Markup {
    html! {
        @match depth {
            0 | 1 => h1 { (words(text)) },
            2 => h2 { (words(text)) },
            3 => h3 { (words(text)) },
            _ => h4 { (words(text)) },
        }
    }
}

/// Whether a picture is much higher than it is wide: on paper it is shown as it is where there is room.
fn is_tall(svg: &str) -> bool {
    let size = svg
        .split_once("viewBox=\"0 0 ")
        .map_or("", |(_, rest)| rest);
    let size = size.split_once('"').map_or("", |(size, _)| size);
    let mut sides = size.split(' ').filter_map(|side| side.parse::<f64>().ok());
    matches!((sides.next(), sides.next()), (Some(w), Some(h)) if h > 1.35 * w)
}

/// A picture: one for a wide page and, where it can be drawn so small, one for a phone, of which one is shown.
///
/// # Errors
/// If the chart cannot be drawn.
pub fn figure(picture: &Picture) -> Result<Markup, ChartError> {
    let drawing = picture.live()?;
    let narrow = picture.narrow_svg();
    Ok(html! {
        // What can be pointed at and brought into focus is no picture alone.
        figure role="group" aria-label=(picture.alt()) {
            @match narrow {
                // One of the two is shown: side by side where there is room, one below the other on a phone.
                Some(narrow) => {
                    div.wide { (PreEscaped(drawing)) }
                    div.narrow.tall[is_tall(&narrow)] { (PreEscaped(narrow)) }
                }
                None => (PreEscaped(drawing)),
            }
        }
    })
}

/// One block of a document, below a heading of this depth.
pub fn block(block: &Block, depth: usize) -> Markup {
    let body = body(&block.body);
    html! {
        @if block.place == Audience::Aside {
            details { summary { (words(&block.headed())) } (body) }
        } @else {
            @if !block.heading.is_empty() { (heading(&block.headed(), depth + 1)) }
            (body)
        }
    }
}

fn body(body: &Body) -> Markup {
    html! {
        @match body {
            Body::Text(text) => p { (words(text)) },
            Body::List(items) => ul { @for item in items { li { (words(item)) } } },
            Body::Terms(terms) => dl {
                @for (term, said) in terms {
                    dt { (words(term)) }
                    dd { @for (at, line) in said.iter().enumerate() {
                        @if at > 0 { br; }
                        (words(line))
                    } }
                }
            },
            Body::Settings(pairs) => p.settings {
                @for pair in pairs { code.idle[pair.idle] { (pair) } " " }
            },
            Body::Links(links) => p.files {
                @for (name, to) in links { a href=(to) { (name) } " " }
            },
            Body::Verbatim(text) => pre { (text) },
            Body::Table(table) => (self::table(table)),
        }
    }
}

fn table(table: &Table) -> Markup {
    let filled = table.filled();
    let named = filled.iter().any(|&at| !table.columns[at].name.is_empty());
    html! {
        // What can be scrolled can be reached with the keyboard.
        div.scroll tabindex="0" role="group" aria-label="Table" {
            table.sortable[table.rows.len() > 2 && named] {
                @if named {
                    thead { tr { @for column in filled.iter().map(|&at| &table.columns[at]) {
                        @match column.name.as_str() {
                            "" => td.words[column.words] {},
                            name => th.words[column.words] { (breakable(name)) },
                        }
                    } } }
                }
                tbody { @for row in &table.rows { tr {
                    @for &at in &filled {
                        @match row.get(at) {
                            Some(cell) => (self::cell(cell, table.columns[at].words)),
                            None => td {},
                        }
                    }
                } } }
            }
        }
        @if let Some((more, how)) = &table.more {
            p.note { "… and " (number::grouped(*more as u64)) " more (" (how) ")" }
        }
    }
}

fn cell(cell: &Cell, is_words: bool) -> Markup {
    let wordy = is_words.then(|| "words".to_owned());
    // A bar is seen as it is.
    let tinted = (cell.tint).filter(|_| !matches!(cell.value, Held::Bar(_)));
    let class = [wordy, tinted.and_then(tint), cell.heat.and_then(heat)];
    let class: Vec<String> = class.into_iter().flatten().collect();
    let class = Some(class.join(" ")).filter(|class| !class.is_empty());
    let remark = Some(&cell.remark).filter(|remark| !remark.is_empty());
    // What is sorted by: the number itself, not how it is written.
    let key = match &cell.value {
        Held::Chance(x)
        | Held::Within(x)
        | Held::Points(x)
        | Held::Number(x, ..)
        | Held::Change(x) => Some(x.value.to_string()),
        Held::Printed(_, x) => Some(x.to_string()),
        _ => None,
    };
    html! {
        td class=[class] title=[remark] data-key=[key] {
            @match &cell.value {
                Held::Bar(p) => svg.bar width={ (format!("{:.2}", 12.0 * p)) "rem" } aria-hidden="true" {},
                Held::Setting(..) => code { (cell.read()) },
                Held::Text(_) => (words(&cell.read())),
                _ => (cell.read()),
            }
        }
    }
}

/// From red over nothing to green in steps of a fifth, legible in light and dark.
fn tint(by: f64) -> Option<String> {
    let step = (5.0 * by.abs()).ceil() as usize;
    let name = if by < 0.0 { "bad" } else { "good" };
    (step > 0).then(|| format!("{name}{step}"))
}

/// How much it is in steps of a fifth, in one colour.
fn heat(by: f64) -> Option<String> {
    let step = (5.0 * by).ceil() as usize;
    (step > 0).then(|| format!("heat{step}"))
}

/// A heading that may be broken behind the marks within a key, rather than anywhere.
fn breakable(text: &str) -> Markup {
    if text.contains('`') {
        return words(text);
    }
    html! {
        @for part in text.split_inclusive(['.', '_', '-']) { (part) wbr; }
    }
}

/// Text with what stands between backticks as code.
pub fn words(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // A backtick without a partner is only a backtick.
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! {
        @for (at, part) in parts.iter().enumerate() {
            @if at % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}
