//! Variants: edits of the tree, in order. What comes of them is checked as if it had been written so; because every part keeps
//! its place, a message shows the line of the variant, and the printed line where that is meant.

mod grid;
mod stage;

use crate::message::{Message, Messages};
use crate::nearest::nearest;
use crate::printed::Printed;
use crate::source::Span;
use crate::tree::*;
use std::sync::Arc;

/// A variant says which ruleset it is of.
pub fn check_name(items: &[Item], edits: &[Item], messages: &mut Messages) {
    let ruleset = items.iter().find_map(|item| match &item.kind {
        ItemKind::Ruleset(name, _) => Some(name),
        _ => None,
    });
    let of = edits.iter().find_map(|item| match &item.kind {
        ItemKind::Variant(of, _) => Some(of),
        _ => None,
    });
    match (ruleset, of) {
        (Some(name), Some(of)) if name.text != of.text => {
            messages.push(Message::error(
                of.span,
                format!("this is a variant of `{of}`, and the ruleset is `{name}`"),
            ));
        }
        (_, None) => {
            let span = edits.first().map_or(Span::NOWHERE, |item| item.span);
            let message = Message::error(span, "no line says which ruleset this is a variant of");
            messages.push(message.help("begin with `variant of name: \"Title\"`"));
        }
        _ => {}
    }
}

/// Applies the edits of a file, in order.
pub fn apply(
    items: &mut Vec<Item>,
    edits: &[Item],
    printed: &mut Printed,
    messages: &mut Messages,
) {
    for edit in edits {
        let ItemKind::Edit(kind) = &edit.kind else {
            // Whoever adds a procedure wants to ask it, also where the text lists those that are shown.
            if let ItemKind::Procedure(added) = &edit.kind {
                for item in items.iter_mut() {
                    if let ItemKind::Procedures(listed) = &mut item.kind {
                        listed.push(added.name.clone());
                    }
                }
            }
            items.push(edit.clone());
            continue;
        };
        let mut editor = Editor { items, printed };
        if let Err(message) = editor.edit(kind, edit) {
            messages.push(*message);
        }
    }
}

struct Editor<'a> {
    items: &'a mut Vec<Item>,
    printed: &'a mut Printed,
}

/// What cannot be done, with the reason.
type Edited = Result<(), Box<Message>>;

fn no<T>(span: Span, title: impl Into<String>) -> Result<T, Box<Message>> {
    Err(Box::new(Message::error(span, title)))
}

/// Says that there is no such thing to edit.
fn unknown<'n, T>(
    name: &Name,
    what: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Result<T, Box<Message>> {
    let meant = nearest(name, known).map(|meant| format!("did you mean `{meant}`?"));
    let message = Message::error(name.span, format!("there is no {what} `{name}` to change"));
    Err(Box::new(message.maybe_help(meant)))
}

/// `asks attacker.lance`: behind it the same of the attacker. What only has another name here, by `sets`, is not that key.
fn asked_beside(
    fields: &mut Vec<Field>,
    sides: &[Arc<str>],
    keys: &[Dotted],
    beside: &Dotted,
) -> bool {
    let mut asked = Vec::with_capacity(fields.len());
    let mut found = false;
    for field in fields.drain(..) {
        let side = match &field.name.parts[..] {
            [side, rest @ ..] if field.sets.is_none() && sides.contains(&side.text) => {
                let same = rest.iter().map(|part| &part.text);
                same.eq(beside.parts.iter().map(|part| &part.text))
                    .then(|| side.clone())
            }
            _ => None,
        };
        asked.push(field);
        let Some(side) = side else { continue };
        found = true;
        asked.extend(keys.iter().map(|key| Field {
            each: false,
            name: Dotted {
                parts: std::iter::once(&side).chain(&key.parts).cloned().collect(),
                span: key.span,
            },
            sets: None,
            kind: None,
            default: None,
            fixed: None,
            help: None,
            span: key.span,
        }));
    }
    *fields = asked;
    found
}

impl Editor<'_> {
    fn edit(&mut self, edit: &Edit, item: &Item) -> Edited {
        match edit {
            Edit::ToUnit { name, called, body } => {
                let unit = self.unit(name)?;
                unit.called.extend(called.iter().cloned());
                unit.body.fields.extend(body.fields.iter().cloned());
                unit.body.in_play.extend(body.in_play.iter().cloned());
                unit.body.refusals.extend(body.refusals.iter().cloned());
                Ok(())
            }
            Edit::ToModifiers(name, entries) => {
                let found = self.items.iter_mut().find_map(|item| match &mut item.kind {
                    ItemKind::Modifiers(modifiers)
                        if modifiers.signature.name.text == name.text =>
                    {
                        Some(modifiers)
                    }
                    _ => None,
                });
                match found {
                    Some(modifiers) => modifiers.entries.extend(entries.iter().cloned()),
                    None => return unknown(name, "list of modifiers", self.callables()),
                }
                Ok(())
            }
            Edit::ToSettings(name, names, fields) => {
                self.add_settings(name.as_ref(), names, fields, item)
            }
            Edit::ToHead(name, heads) => {
                let found = self.items.iter_mut().find_map(|item| match &mut item.kind {
                    ItemKind::Procedure(procedure) if procedure.name.text == name.text => {
                        Some(&mut procedure.head)
                    }
                    ItemKind::Header(header, heads) if header.text == name.text => Some(heads),
                    _ => None,
                });
                match found {
                    Some(head) => head.extend(heads.iter().cloned()),
                    None => {
                        return no(
                            name.span,
                            format!("there is no procedure `{name}` to change"),
                        );
                    }
                }
                Ok(())
            }
            Edit::Word {
                word,
                to,
                between,
                like,
            } => self.add_word(word, to, between.as_ref(), like.as_ref()),
            Edit::Key(keys, beside) => self.add_keys(keys, beside),
            Edit::ReplaceText(new) => self.replace_text(new, item),
            Edit::ReplaceModifiers(new) => self.replace_modifiers(new, item),
            Edit::Kind {
                field,
                kind,
                default,
            } => self.change_kind(field, kind, default.as_ref()),
            Edit::Within {
                procedure,
                name,
                steps,
            } => self.within(*procedure, name, steps),
            Edit::Rows(table, lines) => self.add_rows(table, lines),
            Edit::Columns(table, lines) => self.add_columns(table, lines),
            Edit::Cell {
                table,
                indices,
                cell,
            } => self.change_cell(table, indices, cell),
            Edit::Entries(list, entries) => self.change_entries(list, entries),
        }
    }

    fn unit(&mut self, name: &Name) -> Result<&mut Unit, Box<Message>> {
        let known: Vec<Arc<str>> = self
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Unit(unit) => Some(unit.name.text.clone()),
                _ => None,
            })
            .collect();
        let found = self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Unit(unit) if unit.name.text == name.text => Some(unit),
            _ => None,
        });
        match found {
            Some(unit) => Ok(unit),
            None => unknown(name, "unit", known.iter().map(|name| &**name)),
        }
    }

    /// What sides of procedures are called.
    fn sides(&self) -> Vec<Arc<str>> {
        let heads = self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Header(_, heads) | ItemKind::Procedure(Procedure { head: heads, .. }) => {
                Some(heads)
            }
            _ => None,
        });
        let sides = heads.flatten().filter_map(|head| match &head.kind {
            HeadKind::Side(side) => Some(side.names.iter().map(|name| name.text.clone())),
            _ => None,
        });
        sides.flatten().collect()
    }

    fn callables(&self) -> Vec<&str> {
        let names = self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Modifiers(modifiers) => Some(&*modifiers.signature.name.text),
            ItemKind::Text(text) => Some(&*text.signature.name.text),
            _ => None,
        });
        names.collect()
    }

    fn add_settings(
        &mut self,
        name: Option<&Name>,
        names: &[Dotted],
        fields: &[Field],
        item: &Item,
    ) -> Edited {
        let Some(name) = name else {
            let mut new = item.clone();
            new.kind = ItemKind::Settings(None, fields.to_vec());
            self.items.push(new);
            return Ok(());
        };
        for item in self.items.iter_mut() {
            match &mut item.kind {
                ItemKind::Group(group, all) if group.text == name.text && fields.is_empty() => {
                    all.extend(names.iter().cloned());
                    return Ok(());
                }
                ItemKind::Settings(Some(group), all)
                    if group.text == name.text && names.is_empty() =>
                {
                    all.extend(fields.iter().cloned());
                    return Ok(());
                }
                _ => {}
            }
        }
        no(
            name.span,
            format!("there is no group of settings `{name}` to change"),
        )
    }

    fn add_word(
        &mut self,
        word: &Name,
        to: &Name,
        between: Option<&(Name, Name)>,
        like: Option<&Name>,
    ) -> Edited {
        let found = self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Words(name, WordsBody::List { words, .. }) if name.text == to.text => {
                Some(words)
            }
            _ => None,
        });
        let Some(words) = found else {
            return no(
                to.span,
                format!("there is no type `{to}` whose words are listed"),
            );
        };
        let at = match between {
            None => words.len(),
            Some((before, after)) => {
                let at = words
                    .windows(2)
                    .position(|pair| pair[0].0.text == before.text && pair[1].0.text == after.text);
                match at {
                    Some(at) => at + 1,
                    None => {
                        return no(
                            before.span.to(after.span),
                            format!("`{before}` and `{after}` are no neighbours in {to}"),
                        );
                    }
                }
            }
        };
        words.insert(at, (word.clone(), like.cloned()));
        Ok(())
    }

    /// In every header and group that asks a key, further ones behind it: of the same side where it is asked of one.
    fn add_keys(&mut self, keys: &[Dotted], beside: &Dotted) -> Edited {
        let mut found = false;
        let mut put = |names: &mut Vec<Dotted>| {
            if let Some(at) = names
                .iter()
                .position(|name| name.written() == beside.written())
            {
                names.splice(at + 1..at + 1, keys.iter().cloned());
                found = true;
            }
        };
        let mut of_sides = false;
        let sides = self.sides();
        for item in self.items.iter_mut() {
            match &mut item.kind {
                ItemKind::Group(_, names) => put(names),
                ItemKind::Header(_, heads) | ItemKind::Procedure(Procedure { head: heads, .. }) => {
                    for head in heads {
                        match &mut head.kind {
                            HeadKind::Side(side) => put(&mut side.keys),
                            HeadKind::Asks(fields) => {
                                of_sides |= asked_beside(fields, &sides, keys, beside);
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        match found || of_sides {
            true => Ok(()),
            false => no(
                beside.span,
                format!("no procedure asks `{}` of a side", beside.written()),
            ),
        }
    }

    /// The text that is replaced stays, as `printed NAME`.
    fn replace_text(&mut self, new: &Text, edit: &Item) -> Edited {
        let name = &new.signature.name;
        let found = self.items.iter_mut().find(|item| match &item.kind {
            ItemKind::Text(text) => text.signature.name.text == name.text,
            _ => false,
        });
        let Some(old) = found else {
            return unknown(name, "rule", self.callables());
        };
        let ItemKind::Text(text) = &mut old.kind else {
            return Ok(());
        };
        let differs = text.kind != new.kind
            || text.signature.params.len() != new.signature.params.len()
            || text
                .signature
                .params
                .iter()
                .zip(&new.signature.params)
                .any(|(a, b)| a.name.text != b.name.text)
            || text.signature.returns.is_some() != new.signature.returns.is_some();
        if differs {
            let message = Message::error(
                new.signature.span,
                format!("`{name}` must keep its kind, its parameters and what it gives"),
            );
            return Err(Box::new(
                message.also(text.signature.span, "as it is printed"),
            ));
        }
        let printed = self.name_of_printed(name);
        let mut replaced = new.clone();
        replaced.replaces = Some(printed.clone());
        if let Some(old) = self.text(name) {
            old.signature.name.text = printed;
        }
        let mut item = edit.clone();
        item.kind = ItemKind::Text(replaced);
        self.items.push(item);
        Ok(())
    }

    fn text(&mut self, name: &str) -> Option<&mut Text> {
        self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Text(text) if *text.signature.name.text == *name => Some(text),
            _ => None,
        })
    }

    /// A name for what is replaced that nobody can write; replaced again, one more.
    fn name_of_printed(&self, name: &str) -> Arc<str> {
        let mut printed = format!("printed {name}");
        while self.callables().contains(&&*printed) {
            printed = format!("printed {printed}");
        }
        printed.into()
    }

    fn replace_modifiers(&mut self, new: &Modifiers, edit: &Item) -> Edited {
        let name = &new.signature.name;
        let printed = self.name_of_printed(name);
        let found = self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Modifiers(old) if old.signature.name.text == name.text => Some(old),
            _ => None,
        });
        let Some(old) = found else {
            return unknown(name, "list of modifiers", self.callables());
        };
        old.signature.name.text = printed.clone();
        let mut new = new.clone();
        new.replaces = Some(printed);
        let mut item = edit.clone();
        item.kind = ItemKind::Modifiers(new);
        self.items.push(item);
        Ok(())
    }

    fn change_kind(&mut self, field: &Dotted, kind: &Kind, default: Option<&Expr>) -> Edited {
        let [unit, name] = &field.parts[..] else {
            return no(
                field.span,
                "a type and a field are expected, as in `Stack.units`",
            );
        };
        let unit = self.unit(unit)?;
        let fields = unit.body.fields.iter_mut().chain(&mut unit.body.in_play);
        for one in fields {
            if one.name.single().is_some_and(|n| n.text == name.text) {
                one.kind = Some(kind.clone());
                one.default = default.cloned().or(one.default.take());
                return Ok(());
            }
        }
        no(name.span, format!("there is no field `{name}` to change"))
    }

    fn within(&mut self, procedure: bool, name: &Name, steps: &[Step]) -> Edited {
        let found = self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Text(text) if !procedure && text.signature.name.text == name.text => {
                Some(&mut text.body)
            }
            ItemKind::Procedure(p) if procedure && p.name.text == name.text => Some(&mut p.body),
            _ => None,
        });
        let Some(body) = found else {
            let what = if procedure { "procedure" } else { "rule" };
            return no(name.span, format!("there is no {what} `{name}` to change"));
        };
        for step in steps {
            stage::change_stage(body, step)?;
        }
        Ok(())
    }
}
