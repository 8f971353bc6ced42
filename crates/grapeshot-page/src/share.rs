//! The same answer elsewhere: a link, a command line, a study file, data, a house rule.

use super::ask::Asked;
use super::limits;
use super::reply::Reply;
use super::shell::Shell;
use grapeshot_render::{OddsReport, words};
use grapeshot_rules::{OddsError, Value};
use http::StatusCode;
use maud::{Markup, html};

/// How to have this answer again.
pub(super) fn section(asked: &Asked, report: &OddsReport) -> Markup {
    let link = asked.link().unwrap_or_default();
    let (rules, name) = (&asked.rules, &asked.asking.name);
    let program = asked.link_at(&format!("/api/{}/{rules}/{name}", command_name(asked)));
    html! {
        section.share {
            h2 { "Share it, have it again" }
            p { a.link href=(link) { "Link to this answer" } " " button.copy type="button" data-copy-link="" hidden { "Copy the link" } }
            (copied("Command line", "command", &command(asked, report)))
            @if asked.decision().is_none() { (copied("Study file", "study", &study(asked, report))) }
            p { a href=[program] { "As data (JSON)" } }
            p.print { button.printing type="button" hidden { "Print this sheet" } }
        }
        // Who tries a text changes the text.
        @if !asked.is_tried() { (house(asked)) }
    }
}

/// A part of a page at an address of its own, or why there is none.
pub(super) fn part(title: &str, asked: &Asked, found: Result<Markup, OddsError>) -> Reply {
    let (body, status) = match found {
        Ok(body) => (body, StatusCode::OK),
        Err(error) => (
            html! { p { (words(&error.to_string())) } },
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
    };
    let back = asked.link().unwrap_or_else(|| asked.path());
    let shell = Shell {
        title,
        trail: vec![
            (asked.rules.clone(), asked.rules_link()),
            (asked.procedure().name.to_string(), back),
        ],
        ..Shell::default()
    };
    let page = shell.around(html! {
        h1 { (asked.rules) " " (asked.procedure().name) }
        h2 { (title) }
        div #part { (body) }
    });
    Reply::page(page).with(status)
}

/// Text to take away.
fn copied(title: &str, id: &str, text: &str) -> Markup {
    html! {
        details.copied {
            summary { (title) }
            pre id=(id) tabindex="0" { (text) }
            button.copy type="button" data-copy=(id) hidden { "Copy" }
        }
    }
}

fn command_name(asked: &Asked) -> &'static str {
    match asked.decision().is_some() {
        true => "decide",
        false => "odds",
    }
}

/// What to type to have the same numbers.
pub(super) fn command(asked: &Asked, report: &OddsReport) -> String {
    let mut words = vec![
        "grapeshot".to_owned(),
        command_name(asked).to_owned(),
        asked.subject().to_owned(),
        asked.procedure().name.to_string(),
    ];
    words.extend(
        asked
            .changed_settings()
            .iter()
            .map(|(k, v)| quoted(&format!("{k}={v}"))),
    );
    match (asked.decision().is_some(), &asked.ask.plan) {
        (true, Some(plan)) => words.extend(["--plan".to_owned(), quoted(plan)]),
        (true, None) => {}
        (false, _) => words.push("--stages".to_owned()),
    }
    if let (Some(trials), Some(seed)) = (report.odds.source().trials(), report.odds.source().seed())
    {
        let states = limits::STATES;
        words.push(format!(
            "--trials {trials} --seed {seed} --max-states {states}"
        ));
    }
    let variants = asked.loaded.tables.variants().iter();
    words.extend(variants.map(|variant| {
        match asked.ask.house.is_some() && variant.file == HOUSE {
            true => "--variant house.toml".to_owned(),
            false => format!("--variant {}", quoted(&variant.file)),
        }
    }));
    words.join(" ")
}

/// What a house rule from a link says its file is.
const HOUSE: &str = "house rule";

/// A word as a shell takes it for one.
pub(super) fn quoted(word: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    match !word.is_empty() && word.chars().all(safe) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A study that asks just this: to sweep a key, add `[sweep]`.
pub(super) fn study(asked: &Asked, report: &OddsReport) -> String {
    let (rules, procedure) = (asked.subject(), &asked.procedure().name);
    let mut text = format!(
        "title = \"{rules} {procedure}\"\nquestion = \"What does it come to?\"\nrules = \"{rules}\"\nprocedure = \"{procedure}\"\n"
    );
    match report.odds.source().trials() {
        None => text += "method = \"exact\"\n",
        Some(trials) => {
            let seed = report.odds.source().seed().unwrap_or_default();
            text += &format!("trials = {trials}\nseed = {seed}\n");
        }
    }
    if asked.ask.house.is_some() {
        text += "variants = [\"house.toml\"]\n";
    }
    let typed = asked.changed_settings();
    if !typed.is_empty() {
        text += "\n[settings]\n";
    }
    for (key, value) in typed {
        let value = match value {
            Value::Choice(label) => toml::Value::from(&*label).to_string(),
            other => other.to_string(),
        };
        text += &format!("\"{key}\" = {value}\n");
    }
    let variable = &report.odds.variables()[0];
    text += &format!(
        "\n[[chart]]\nkind = \"pmf\"\nvariable = \"{}\"\ntitle = \"{rules} {procedure}: {}\"\n",
        variable.name, variable.meaning
    );
    text
}

/// A house rule to be typed, or the one that is in force.
fn house(asked: &Asked) -> Markup {
    let text = asked.ask.house.as_ref().map(|house| house.text());
    let id = asked.loaded.id();
    let start = format!("rules = \"{id}\"\nname = \"our house rule\"\n");
    let to = asked.link().unwrap_or_else(|| asked.path());
    html! {
        details.house open[text.is_some()] {
            summary { "House rule" }
            p {
                "A variant of the tables travels in the link. "
                a href={ "/" (id) "/tables.toml" } { "The tables" } " to start from: only the cells that change are needed."
            }
            form method="post" action=(to) aria-label="House rule" {
                label for="house" { "Variant, as TOML" }
                textarea id="house" name="house" rows="6" spellcheck="false" autocapitalize="off" { (text.unwrap_or(&start)) }
                button type="submit" { "Play by it" }
                @if text.is_some() { " " button type="submit" name="drop" value="yes" { "Play as printed" } }
            }
        }
    }
}
