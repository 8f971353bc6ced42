//! What there is: the start page, the rulesets with their tables, the bundled studies.

use super::play;
use super::reply::Reply;
use super::server::Pages;
use super::shell::Shell;
use grapeshot_engine::engine::Watch;
use grapeshot_render::{self as render, Document, PrintedTables, Report, RulesetPage, words};
use grapeshot_rules::{LoadedRuleset, RuleError};
use grapeshot_study::run::Prepared;
use grapeshot_study::{Experiment, NOT_ON_PAGES, Overrides, bundled, bundled_variant};
use http::StatusCode;
use maud::{Markup, html};

/// Trials of each cell of a study, at most.
const STUDY_TRIALS: u64 = 20_000;

/// Everything that can be asked of a ruleset.
fn pills(server: &Pages, rules: &str) -> Markup {
    html! {
        p.pills { @for asking in server.questions(rules) {
            a href={ "/" (rules) "/" (asking) } { (asking.title()) }
        } }
    }
}

/// The start page: choose a ruleset and a question.
pub(super) fn home(server: &Pages) -> Reply {
    let shell = Shell {
        title: "The odds at the table",
        link: "/",
        ..Shell::default()
    };
    Reply::page(shell.around(html! {
        h1 { "The odds at the table" }
        p.about { "Choose the rules and the question, set the two units, read the odds, share the link." }
        @for book in server.books() { (card(server, book)) }
        section.book {
            h2 { a href={ "/" (play::ID) } { "Rules of your own" } }
            p.note { "Written here or begun from printed ones: what is wrong is said at its line while you type, and the odds stand beside it. The text travels in the link, or stays in your browser." }
        }
    }))
}

fn card(server: &Pages, book: &LoadedRuleset) -> Markup {
    let id = book.id();
    html! {
        section.book {
            h2 { a href={ "/" (id) } { (book.ruleset.title) } }
            p.note { (words(&book.ruleset.about)) }
            (pills(server, id))
        }
    }
}

/// A ruleset: its questions, readings and assumptions.
///
/// # Errors
/// If there is no such ruleset.
pub(super) fn ruleset(server: &Pages, rules: &str) -> Result<Reply, RuleError> {
    let book = server.book(rules)?;
    let document = RulesetPage::new(book)?.document();
    let above = html! {
        (pills(server, rules))
        p {
            a href={ "/" (rules) "/tables" } { "The tables as printed" } " · "
            @if book.ruleset.is_printed() { a href={ "/" (rules) "/audit" } { "What a designer should know of them" } " · " }
            a href={ "/" (rules) "/tables.toml" } { "The tables as a file" }
            @if book.ruleset.is_printed() { " · " a href={ "/" (play::ID) "?from=" (rules) } { "Change the rules" } }
        }
    };
    Ok(document_page(&document, above, trail(&[])))
}

/// The tables of a ruleset.
///
/// # Errors
/// If there is no such ruleset.
pub(super) fn tables(server: &Pages, rules: &str) -> Result<Reply, RuleError> {
    let book = server.book(rules)?;
    let document = PrintedTables::new(book)?.document();
    Ok(document_page(&document, html! {}, trail(&[rules])))
}

/// The tables of a ruleset as the file a house rule starts from.
///
/// # Errors
/// If there is no such ruleset.
pub(super) fn toml(server: &Pages, rules: &str) -> Result<Reply, RuleError> {
    let book = server.book(rules)?;
    let plain = book.tables.variants().is_empty();
    let written = book.ruleset.book.written().filter(|_| plain);
    let text = written.unwrap_or_else(|| book.tables.to_toml());
    Ok(Reply::text(text))
}

/// Where a page stands, below the start page.
pub(super) fn trail(names: &[&str]) -> Vec<(String, String)> {
    let mut address = String::new();
    let step = |name: &&str| {
        address = format!("{address}/{name}");
        ((*name).to_owned(), address.clone())
    };
    names.iter().map(step).collect()
}

/// A document as a page.
pub(super) fn document_page(
    document: &Document,
    above: Markup,
    trail: Vec<(String, String)>,
) -> Reply {
    let shell = Shell {
        title: &document.title,
        trail,
        ..Shell::default()
    };
    match render::fragment(document) {
        Ok(body) => Reply::page(shell.around(html! {
            h1 { (words(&document.title)) } (above) (body)
        })),
        Err(error) => Reply::sentence(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

/// Those that a page can work out.
fn on_pages() -> Result<Vec<Experiment>, RuleError> {
    let mut all = bundled()?;
    all.retain(|study| !NOT_ON_PAGES.contains(&&*study.id));
    Ok(all)
}

/// The bundled studies.
///
/// # Errors
/// If one cannot be read.
pub(super) fn studies() -> Result<Reply, RuleError> {
    let all = on_pages()?;
    let shell = Shell {
        title: "Studies",
        link: "/studies",
        ..Shell::default()
    };
    Ok(Reply::page(shell.around(html! {
        h1 { "Studies" }
        p.about { "Each is worked out when it is opened, with fewer trials than " code { "grapeshot report" } " takes." }
        ul.studies { @for study in &all {
            li {
                a href={ "/studies/" (study.id) } { (study.title) }
                p.note { (study.rules.join(", ")) ": " (words(&study.question)) }
            }
        } }
    })))
}

/// A bundled study, worked out.
///
/// # Errors
/// If there is no such study.
pub(super) fn study(id: &str, watch: &Watch) -> Result<Reply, RuleError> {
    let all = on_pages()?;
    let known: Vec<String> = all.iter().map(|study| study.id.clone()).collect();
    let found = all.into_iter().find(|study| study.id == id);
    let experiment = found.ok_or_else(|| RuleError::unknown("study", id, known))?;
    let overrides = Overrides {
        most_trials: Some(STUDY_TRIALS),
        ..Overrides::default()
    };
    let prepared = Prepared::new(experiment, overrides, bundled_variant)?;
    let failed = |told: String| Reply::sentence(StatusCode::UNPROCESSABLE_ENTITY, &told);
    let results = match grapeshot_study::run(&prepared, watch) {
        Ok(Some(results)) => results,
        Ok(None) => return Ok(Reply::busy("It took too long.")),
        Err(error) => return Ok(failed(error.to_string())),
    };
    Ok(match render::study_document(&results) {
        Ok(document) => document_page(&document, html! {}, trail(&["studies"])),
        Err(error) => failed(error.to_string()),
    })
}
