//! Rules of one's own, tried while they are written: a text, what is wrong with it at its lines, and its odds beside it.
//!
//! The text travels in the link; one that is too long for that stays in the browser, which posts it with every question.
//! It is a ruleset like any other: `/play/charge` is the page of its charge.

use super::answer;
use super::ask::{Asked, Asking};
use super::limits;
use super::link::{Ask, RESERVED, address};
use super::packed::{self, Unpacked};
use super::reply::Reply;
use super::server::Pages;
use super::shell::Shell;
use grapeshot_engine::engine::{Budget, Watch};
use grapeshot_render::words;
use grapeshot_rules::drill::{self, Checked, Fault, Weight};
use grapeshot_rules::{LoadedRuleset, RuleError};
use http::StatusCode;
use maud::{Markup, html};
use std::sync::Arc;

/// Where it is, in place of the name of a ruleset.
pub(super) const ID: &str = "play";
/// What its text is called where a file would be named.
pub(super) const FILE: &str = "rules.drill";
/// What stands in a link in place of a text that is too long for it.
const KEPT: &str = "kept";

/// Which text is tried. If nothing is said, it is the smallest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// That of a printed ruleset, to begin with.
    Printed(String),
    /// One's own.
    Own(String),
    /// One's own, which is too long for a link and stays in the browser.
    Kept,
}

impl Source {
    /// From a link.
    ///
    /// # Errors
    /// If it is cut off or was never one, or comes to more than a text may have.
    pub(super) fn unpack(said: &str) -> Result<Self, RuleError> {
        if said == KEPT {
            return Ok(Source::Kept);
        }
        match packed::unpack(said, limits::TEXT) {
            Ok(text) => Ok(Source::Own(text)),
            Err(Unpacked::Cut) => Err(wrong(
                "cannot be read: the link was cut off or changed on its way",
            )),
            Err(Unpacked::TooLong) => Err(wrong(&format!(
                "has more than the {} letters that are allowed",
                limits::TEXT
            ))),
        }
    }

    /// As it stands in a link: the word of the query, and what it says.
    pub(super) fn said(&self) -> (&'static str, String) {
        match self {
            Source::Printed(rules) => ("from", rules.clone()),
            Source::Own(text) => {
                let packed = packed::pack(text);
                let travels = packed.len() <= limits::TEXT_IN_LINK;
                ("text", if travels { packed } else { KEPT.into() })
            }
            Source::Kept => ("text", KEPT.into()),
        }
    }

    /// Whether it has to be posted, because no link says it.
    pub(super) fn stays(&self) -> bool {
        self.said().1 == KEPT
    }
}

fn wrong(problem: &str) -> RuleError {
    RuleError::File {
        file: FILE.into(),
        problem: problem.into(),
    }
}

/// A text, and what was found of it.
#[derive(Debug)]
pub(super) struct Tried {
    pub(super) text: String,
    pub(super) loaded: Result<Arc<LoadedRuleset>, RuleError>,
    checked: Checked,
}

impl Tried {
    /// Reads and checks a text.
    pub(super) fn new(text: String) -> Self {
        let loaded = drill::of_text(FILE, &text).and_then(|ruleset| Arc::new(ruleset).load(&[]));
        let budget = Budget {
            states: limits::STATES,
        };
        Tried {
            checked: drill::check_text(FILE, &text, budget),
            loaded: loaded.map(Arc::new),
            text,
        }
    }
}

/// The text that a link means.
///
/// # Errors
/// If there is no such ruleset, it is no text, or it is not here.
pub(super) fn text(server: &Pages, source: Option<&Source>) -> Result<String, RuleError> {
    match source {
        None => drill::template("my-rules")
            .map(|(_, text)| text)
            .map_err(RuleError::Other),
        Some(Source::Printed(rules)) => {
            let ruleset = &server.book(rules)?.ruleset;
            match ruleset.is_printed() {
                true => Ok(drill::in_one_text(ruleset)),
                false => Err(RuleError::Other(format!(
                    "`{rules}` has no text of its own: others play it"
                ))),
            }
        }
        Some(Source::Own(text)) => Ok(text.clone()),
        Some(Source::Kept) => Err(RuleError::Other(
            "This text is too long for a link: it is kept in the browser in which it was written."
                .into(),
        )),
    }
}

/// A visit: the page of a question, or, while the text does not hold together, what is wrong with it.
pub(super) fn page(
    server: &Pages,
    asking: Option<&Asking>,
    query: &str,
    watch: &Watch,
) -> Result<Reply, RuleError> {
    let ask = Ask::read(query)?;
    if ask.text == Some(Source::Kept) {
        return Ok(Reply::page(kept()));
    }
    let text = text(server, ask.text.as_ref())?;
    let tried = server.tried(&text);
    let Ok(loaded) = &tried.loaded else {
        return Ok(broken(server, asking, &ask, &tried));
    };
    let known = server.questions_of(ID, loaded);
    match (asking, known.first()) {
        (Some(asking), _) if known.contains(asking) => {
            answer::page(server, (ID, asking), query, watch)
        }
        // A question that the text has no longer, or none yet.
        (_, Some(first)) if !ask.text.as_ref().is_some_and(Source::stays) => {
            Ok(Reply::see(address(&format!("/{ID}/{first}"), ask.rules())))
        }
        (_, Some(first)) => {
            let query = address("", [("text", packed::pack(&text))]);
            answer::page(server, (ID, first), &query[1..], watch)
        }
        (_, None) => Ok(broken(server, asking, &ask, &tried)),
    }
}

/// What was typed, with a question of it, as a query; and whether that fits a link.
///
/// # Errors
/// If it is too long or no text.
pub(super) fn posted(
    server: &Pages,
    asking: Option<&Asking>,
    query: &str,
    text: Option<String>,
    packed: Option<String>,
) -> Result<(String, bool), RuleError> {
    let source = match (packed, text) {
        (Some(packed), _) => Source::unpack(&packed)?,
        (None, Some(text)) => Source::Own(packed::typed(&text)),
        (None, None) => return Err(wrong("is missing: nothing was posted")),
    };
    let Source::Own(text) = &source else {
        return Err(wrong("is missing: nothing was posted"));
    };
    if text.len() > limits::TEXT {
        return Err(wrong(&format!(
            "has more than the {} letters that are allowed",
            limits::TEXT
        )));
    }
    let tried = server.tried(text);
    let keys = asking.and_then(|asking| {
        let loaded = tried.loaded.as_ref().ok()?;
        let settings = match loaded.procedure(&asking.name) {
            Ok(procedure) => procedure.settings.clone(),
            Err(_) => loaded.decision(&asking.name).ok()?.procedure.settings,
        };
        Some(settings.into_iter().map(|s| s.key).collect::<Vec<_>>())
    });
    // What was set before the text lost its key is no mistake.
    let others = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| {
        let lost = keys.as_ref().is_some_and(|keys| {
            !keys.iter().any(|known| *known == **key) && !RESERVED.contains(&&**key)
        });
        key != "text" && key != "from" && !lost
    });
    let others: Vec<(String, String)> = others
        .map(|(key, value)| (key.into_owned(), value.into_owned()))
        .collect();
    let said = [("text".to_owned(), packed::pack(text))];
    let query = address("", others.into_iter().chain(said));
    let travels = !source.stays() && query.len() <= limits::ADDRESS - 100;
    Ok((query[1..].to_owned(), travels))
}

/// The page of a text that is not here.
fn kept() -> Markup {
    let shell = Shell {
        title: "Rules of your own",
        ..Shell::default()
    };
    shell.around(html! {
        h1 { "Rules of your own" }
        p.finding #kept data-kept="" { "This text is too long for a link: it is kept in the browser in which it was written, where scripts run." }
        p { a.button href={ "/" (ID) } { "Begin with the smallest text" } }
    })
}

/// The page of a text of which nothing can be asked yet.
fn broken(server: &Pages, asking: Option<&Asking>, ask: &Ask, tried: &Tried) -> Reply {
    let path = match asking {
        Some(asking) => format!("/{ID}/{asking}"),
        None => format!("/{ID}"),
    };
    let pairs = ask.settings.iter().map(|(k, v)| (k.as_str(), v.clone()));
    let link = address(&path, pairs.chain(ask.rules()));
    let shell = Shell {
        title: "Rules of your own",
        link: &link,
        ..Shell::default()
    };
    let page = shell.around(html! {
        h1 { "Rules of your own" }
        div #verdict role="status" {
            div.wrong { p.sentence { "There are no odds of this text yet." } }
        }
        div.table.tried { (section(server, &link, tried)) }
    });
    Reply::page(page).with(StatusCode::UNPROCESSABLE_ENTITY)
}

/// The text of a question's rules, to be changed.
pub(super) fn editor(server: &Pages, asked: &Asked) -> Markup {
    let Ok(text) = text(server, asked.ask.text.as_ref()) else {
        return html! {};
    };
    let to = asked.link().unwrap_or_else(|| asked.path());
    section(server, &to, &server.tried(&text))
}

fn section(server: &Pages, to: &str, tried: &Tried) -> Markup {
    let printed = server
        .books()
        .iter()
        .filter(|book| book.ruleset.is_printed());
    html! {
        section.editor #editor {
            h2 { "The rules" }
            form #rules method="post" action=(to) aria-label="The rules" {
                label.unseen for="text" { "The text of the rules" }
                div.lined {
                    textarea #text name="text" rows="16" wrap="off" spellcheck="false" autocapitalize="off"
                        autocomplete="off" aria-describedby="messages" { "\n" (tried.text) }
                }
                button.go type="submit" { "Try it" }
            }
            div #messages role="status" { (messages(&tried.checked)) }
            details.menu {
                summary { "begin with another text" }
                p.pills {
                    a href={ "/" (ID) } { "the smallest" }
                    @for book in printed { a href={ "/" (ID) "?from=" (book.id()) } { (book.ruleset.title) } }
                }
                p.note { "What stands here is lost then, unless you keep its link or the text itself. It goes nowhere else: who opens the link reads it out of the link." }
            }
        }
    }
}

/// What is wrong, at which lines; or that it holds together.
fn messages(checked: &Checked) -> Markup {
    let count = |weight, one: &str| match checked.count(weight) {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    };
    let errors = checked.count(Weight::Error);
    html! {
        p.count.wrong[errors > 0] {
            @if errors > 0 { (count(Weight::Error, "error")) }
            @else if checked.held == 0 { "It can be played; no example holds it." }
            @else { "It holds together: " (checked.held) " worked trials came out as they say." }
            @if checked.count(Weight::Warning) > 0 { " " (capital_count(&count(Weight::Warning, "warning"), errors)) }
        }
        ol.messages { @for fault in &checked.faults { (message(fault)) } }
    }
}

fn capital_count(count: &str, errors: usize) -> String {
    match errors {
        0 => format!("{count}."),
        _ => format!("and {count}."),
    }
}

fn message(fault: &Fault) -> Markup {
    let line = line(&fault.place);
    let class = match fault.weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
    };
    html! {
        li class=(class) data-line=[line] {
            @if let Some(line) = line { b.at { "line " (line) } ": " }
            (words(&fault.problem))
            @if !fault.lines.is_empty() { pre tabindex="0" { (fault.lines.join("\n")) } }
        }
    }
}

/// The line of a place, `file:line:column` or `file:line`.
fn line(place: &str) -> Option<usize> {
    place.split(':').nth(1)?.parse().ok()
}
