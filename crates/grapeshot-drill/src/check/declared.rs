//! What a text declares, by sort and name. Items stand in any order, so they are gathered before anything is resolved.

use super::Checker;
use crate::message::Message;
use crate::source::Span;
use crate::tree::*;
use std::collections::HashMap;

/// Items by sort; of one name the first, the others are errors.
#[derive(Default)]
pub(super) struct Declared<'t> {
    pub words: Vec<(&'t Name, &'t WordsBody)>,
    pub records: Vec<&'t Record>,
    pub units: Vec<&'t Unit>,
    pub dice: Vec<(&'t Name, &'t Faces)>,
    pub printed: Vec<OnPaper<'t>>,
    pub in_play: Vec<&'t Field>,
    pub settings: Vec<&'t Field>,
    pub groups: HashMap<&'t str, Group<'t>>,
    pub queues: Vec<(&'t Name, &'t [Event])>,
    pub texts: Vec<(&'t Text, Option<&'t Help>)>,
    pub modifiers: Vec<(&'t Modifiers, Option<&'t Help>)>,
    pub headers: HashMap<&'t str, &'t Vec<Head>>,
    pub procedures: Vec<(&'t Procedure, Option<&'t Help>, Span)>,
    pub checks: Vec<(&'t Check, Span)>,
    pub examples: Vec<(&'t Example, Span)>,
    pub expects: Vec<(&'t Expect, Span)>,
    pub listed: Vec<&'t Name>,
}

/// What is printed: how it is read, its grid if it stands in the text, and its help.
pub(super) type OnPaper<'t> = (&'t Printed, Option<&'t Grid>, Option<&'t Help>);

/// An event of a queue and its values.
type Event = (Name, Vec<Param>);

/// A group of settings.
pub(super) enum Group<'t> {
    /// Names of fields, settings and other groups.
    Names(&'t Vec<Dotted>),
    /// Keys of its own.
    Fields(&'t Vec<Field>),
}

impl<'t> Checker<'t> {
    /// Gathers all items; the name and title of the ruleset are taken here.
    pub(super) fn gather(&mut self, items: &'t [Item]) {
        let mut seen: HashMap<(&'static str, &'t str), Span> = HashMap::new();
        for item in items {
            if let Some((sort, name)) = sort_and_name(&item.kind) {
                // A decided procedure may share its name with one that is not.
                let first = *seen.entry((sort, &name.text)).or_insert(name.span);
                if first != name.span {
                    let message =
                        Message::error(name.span, format!("there are two {sort} called `{name}`"));
                    self.say(message.also(first, "the first"));
                    continue;
                }
            }
            let help = item.help.as_ref();
            let d = &mut self.declared;
            match &item.kind {
                ItemKind::Ruleset(name, title) => {
                    self.program.name = name.text.clone();
                    self.program.title = title.text.clone();
                }
                ItemKind::Variant(_, title) => self.program.variants.push(title.text.clone()),
                ItemKind::About(text) => self.program.about.push(text.text.clone()),
                ItemKind::Reading(text) => self.program.readings.push(crate::program::Reading {
                    text: text.text.clone(),
                    span: text.span,
                }),
                ItemKind::Use(_) | ItemKind::Edit(_) => {}
                ItemKind::Procedures(names) => d.listed.extend(names),
                ItemKind::Tables(printed) => {
                    d.printed.extend(printed.iter().map(|p| (p, None, None)))
                }
                ItemKind::Grid(grid) => d.printed.push((&grid.printed, Some(grid), help)),
                ItemKind::Dice(name, faces) => d.dice.push((name, faces)),
                ItemKind::Words(name, body) => d.words.push((name, body)),
                ItemKind::Record(record) => d.records.push(record),
                ItemKind::Unit(unit) => d.units.push(unit),
                ItemKind::InPlay(fields) => d.in_play.extend(fields),
                ItemKind::Settings(None, fields) => d.settings.extend(fields),
                ItemKind::Settings(Some(name), fields) => {
                    d.groups.insert(&name.text, Group::Fields(fields));
                }
                ItemKind::Group(name, names) => {
                    d.groups.insert(&name.text, Group::Names(names));
                }
                ItemKind::Queue(name, events) => d.queues.push((name, events)),
                ItemKind::Text(text) => d.texts.push((text, help)),
                ItemKind::Modifiers(modifiers) => d.modifiers.push((modifiers, help)),
                ItemKind::Header(name, heads) => {
                    d.headers.insert(&name.text, heads);
                }
                ItemKind::Procedure(procedure) => d.procedures.push((procedure, help, item.span)),
                ItemKind::Check(check) => d.checks.push((check, item.span)),
                ItemKind::Example(example) => d.examples.push((example, item.span)),
                ItemKind::Expect(expect) => d.expects.push((expect, item.span)),
            }
        }
    }
}

/// The sort of an item of which no two may have one name. Texts and modifiers are called alike.
fn sort_and_name(kind: &ItemKind) -> Option<(&'static str, &Name)> {
    Some(match kind {
        ItemKind::Words(name, _) => ("types", name),
        ItemKind::Record(record) => ("types", &record.name),
        ItemKind::Unit(unit) => ("types", &unit.name),
        ItemKind::Dice(name, _) => ("dice", name),
        ItemKind::Settings(Some(name), _) | ItemKind::Group(name, _) => {
            ("groups of settings", name)
        }
        ItemKind::Queue(name, _) => ("queues", name),
        ItemKind::Text(text) => ("texts", &text.signature.name),
        ItemKind::Modifiers(modifiers) => ("texts", &modifiers.signature.name),
        ItemKind::Header(name, _) => ("headers", name),
        ItemKind::Procedure(procedure) if procedure.decided_for.is_none() => {
            ("procedures", &procedure.name)
        }
        ItemKind::Procedure(procedure) => ("decided procedures", &procedure.name),
        _ => return None,
    })
}
