//! The form of a procedure, from its schema: both sides side by side, rare keys folded away.

use super::ask::Asked;
use super::field::Field;
use super::offered;
use super::server::Pages;
use grapeshot_render::Pair;
use grapeshot_rules::{DefaultValue, Setting};
use maud::{Markup, html};
use serde_json::json;

/// Fields that belong together.
struct Group<'a> {
    /// The side; none for what belongs to the fight.
    side: Option<&'a str>,
    /// Shown.
    usual: Vec<Field<'a>>,
    /// Folded away.
    rare: Vec<Field<'a>>,
}

/// The form of a question.
pub(super) fn form(pages: &Pages, asked: &Asked) -> Markup {
    let mut groups = groups(asked, &offered::withheld(pages, asked));
    // The two sides stand first, side by side; what belongs to neither stands below.
    let sides: Vec<Group<'_>> = extract(&mut groups, 2, |group| {
        group.side.is_some() && !group.usual.is_empty()
    });
    let fight: Vec<Group<'_>> = extract(&mut groups, 1, |group| group.side.is_none());
    let units = pages.units(asked.loaded.id());
    let units = (!units.is_empty()).then(|| json!(units).to_string());
    html! {
        form #question data-units=[units] method="get" action=(asked.path()) aria-label="What is asked" {
            // The first button is what the Enter key presses.
            button.go type="submit" { "Work it out" }
            @for (word, said) in asked.ask.rules() { input type="hidden" name=(word) value=(said); }
            @for also in &asked.ask.also { input type="hidden" name="also" value=(also); }
            div.sides.alone[sides.len() < 2] { @for group in &sides { (shown(group)) } }
            @for group in &fight { (shown(group)) }
            @for group in &groups { (folded(group)) }
            button.go type="submit" { "Work it out" }
            p.reset { a href=(asked.path()) { "Everything back to the default" } }
        }
    }
}

fn groups<'a>(asked: &'a Asked, withheld: &[(String, String)]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for setting in &asked.procedure().settings {
        let side = setting.side();
        let at = groups.iter().position(|group| group.side == side);
        let at = at.unwrap_or_else(|| {
            groups.push(Group {
                side,
                usual: Vec::new(),
                rare: Vec::new(),
            });
            groups.len() - 1
        });
        let mut field = asked.field(setting);
        let own = withheld.iter().filter(|(key, _)| *key == setting.key);
        field.withheld = own.map(|(_, label)| label.clone()).collect();
        let group = &mut groups[at];
        match !asked.carries().moves(&setting.key) && is_rare(setting) {
            true => group.rare.push(field),
            false => group.usual.push(field),
        }
    }
    groups
}

/// What is off, none or nothing unless somebody says so, or follows another setting.
fn is_rare(setting: &Setting) -> bool {
    match &setting.default {
        DefaultValue::Value(usual) => Pair::assumed(&setting.key, usual).idle,
        _ => true,
    }
}

fn extract<'a>(
    groups: &mut Vec<Group<'a>>,
    most: usize,
    wanted: impl Fn(&Group<'a>) -> bool,
) -> Vec<Group<'a>> {
    let mut left = most;
    let take = |group: &mut Group<'a>| {
        let taken = left > 0 && wanted(group);
        left -= usize::from(taken);
        taken
    };
    groups.extract_if(.., take).collect()
}

fn title(group: &Group<'_>) -> String {
    group
        .side
        .map_or("the fight".into(), |side| side.replace('_', " "))
}

fn shown(group: &Group<'_>) -> Markup {
    html! {
        section.side {
            h2 { (title(group)) }
            @for field in &group.usual { (field.markup()) }
            (rare(&group.rare, &format!("more about {}", title(group))))
        }
    }
}

/// A group of which nothing is usual: one line until it is wanted.
fn folded(group: &Group<'_>) -> Markup {
    let fields: Vec<&Field<'_>> = group.usual.iter().chain(&group.rare).collect();
    html! { section.side.folded { (fold(&fields, &title(group))) } }
}

fn rare(fields: &[Field<'_>], name: &str) -> Markup {
    let fields: Vec<&Field<'_>> = fields.iter().collect();
    html! { @if !fields.is_empty() { (fold(&fields, name)) } }
}

fn fold(fields: &[&Field<'_>], name: &str) -> Markup {
    let open = fields
        .iter()
        .any(|field| field.changed || field.error.is_some());
    html! {
        details.rare open[open] {
            summary { (name) " (" (fields.len()) ")" }
            div.fields { @for field in fields { (field.markup()) } }
        }
    }
}
