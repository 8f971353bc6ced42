//! Keys: what a header asks, what each may be, what it is when nothing is given, and what it sets.

use super::declared::Group;
use super::header::{Draft, KeyDraft};
use super::kind::Sort;
use super::name::Named;
use super::unit::Alias;
use super::{Checked, Checker};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind};
use std::sync::Arc;

impl<'t> Checker<'t> {
    /// The keys that a name asks of a side: a field's, one of its own, or a group's.
    pub(super) fn side_key(
        &mut self,
        at: usize,
        side: usize,
        name: &'t tree::Dotted,
        own: &'t [tree::Field],
        draft: &mut Draft<'t>,
        depth: usize,
    ) -> Checked<()> {
        let Some(field) = name.single() else {
            return self.error(name.span, "a key of a side has a name without dots here");
        };
        let unit = self.unit_of_side(at, side);
        let mine = own
            .iter()
            .find(|one| one.name.single().is_some_and(|n| n.text == field.text));
        let declared = self.declared_field(unit, field);
        if mine.is_none() && declared.is_none() {
            if let Some(group) = self.declared.groups.get(&*field.text) {
                if depth > 20 {
                    return self.error(field.span, format!("the group `{field}` has itself in it"));
                }
                match group {
                    Group::Names(names) => {
                        let names: &'t Vec<tree::Dotted> = names;
                        for name in names {
                            self.side_key(at, side, name, own, draft, depth + 1)?;
                        }
                    }
                    Group::Fields(fields) => {
                        let fields: &'t Vec<tree::Field> = fields;
                        for one in fields {
                            let name: Arc<str> = one.name.written().into();
                            let inherited = self.declared_field(
                                unit,
                                &tree::Name {
                                    text: name.clone(),
                                    span: one.span,
                                },
                            );
                            let inherited = inherited.filter(|_| one.sets.is_none());
                            self.put_key(at, side, &name, inherited, Some(one), draft);
                        }
                    }
                }
                return Ok(());
            }
            let mut known = self.field_names(unit);
            known.extend(self.declared.groups.keys().map(|&group| Arc::from(group)));
            let what = format!("field of {} or group of settings", self.program[unit].name);
            return self.unknown(field, &what, known.iter().map(|name| &**name));
        }
        // A key that sets something else has nothing of the field it is called like.
        let inherited = declared.filter(|_| mine.is_none_or(|mine| mine.sets.is_none()));
        self.put_key(at, side, &field.text, inherited, mine, draft);
        Ok(())
    }

    pub(super) fn declared_field(
        &self,
        unit: UnitTypeId,
        name: &tree::Name,
    ) -> Option<&'t tree::Field> {
        let units = &self.declared.units;
        let fields = units
            .get(unit.at())
            .map(|unit| unit.body.fields.iter().chain(&unit.body.in_play));
        fields?.find(|field| field.name.single().is_some_and(|n| n.text == name.text))
    }

    pub(super) fn put_key(
        &mut self,
        at: usize,
        side: usize,
        field: &Arc<str>,
        inherited: Option<&'t tree::Field>,
        mine: Option<&'t tree::Field>,
        draft: &mut Draft<'t>,
    ) {
        let side_name = self.program[self.program.procedures[at].sides[side].side]
            .name
            .clone();
        let name: Arc<str> = format!("{side_name}.{field}").into();
        let base = draft_of(name.clone(), Some(side), field.clone(), inherited);
        let key = match mine {
            Some(mine) => said(base, mine),
            None => base,
        };
        if let Some(known) = draft.keys.iter_mut().find(|known| known.name == name) {
            if let Some(mine) = mine {
                *known = said(known.clone(), mine);
            }
        } else {
            let after = draft
                .last
                .get(&side)
                .and_then(|last| draft.keys.iter().position(|key| key.name == *last));
            let place = after.map_or(draft.keys.len(), |after| after + 1);
            draft.keys.insert(place, key);
        }
        draft.last.insert(side, name);
    }

    /// `asks range`, `asks attacker.density`, `asks straggling`, `asks turns: 1..50 = 6`.
    pub(super) fn read_asked(
        &mut self,
        at: usize,
        field: &'t tree::Field,
        draft: &mut Draft<'t>,
    ) -> Checked<()> {
        let name: Arc<str> = field.name.written().into();
        if draft.keys.iter().any(|key| key.name == name) {
            say_again(draft, &name, field);
            return Ok(());
        }
        let bare = field.kind.is_none()
            && field.sets.is_none()
            && field.default.is_none()
            && field.fixed.is_none();
        if let [side, rest] = &field.name.parts[..]
            && let Some(side) = self.side_at(at, side)
        {
            let unit = self.unit_of_side(at, side);
            let inherited = self.declared_field(unit, rest);
            if inherited.is_none() && bare {
                let known = self.field_names(unit);
                let what = format!("field of {}", self.program[unit].name);
                return self.unknown(rest, &what, known.iter().map(|name| &**name));
            }
            let inherited = inherited.filter(|_| field.sets.is_none());
            let key = said(
                draft_of(name, Some(side), rest.text.clone(), inherited),
                field,
            );
            draft.keys.push(key);
            return Ok(());
        }
        if bare && let Some(only) = field.name.single() {
            let setting = self
                .declared
                .settings
                .iter()
                .find(|setting| setting.name.written() == *only.text)
                .copied();
            if setting.is_none() {
                match self.declared.groups.get(&*only.text) {
                    Some(Group::Fields(fields)) => {
                        let fields: &'t Vec<tree::Field> = fields;
                        for one in fields {
                            let name: Arc<str> = one.name.written().into();
                            draft
                                .keys
                                .push(said(draft_of(name.clone(), None, name, None), one));
                        }
                        return Ok(());
                    }
                    Some(Group::Names(names)) => {
                        let names: &'t Vec<tree::Dotted> = names;
                        for name in names {
                            let setting = self
                                .declared
                                .settings
                                .iter()
                                .find(|s| s.name.written() == name.written())
                                .copied();
                            let Some(setting) = setting else {
                                return self.error(
                                    name.span,
                                    format!("there is no setting `{}`", name.written()),
                                );
                            };
                            let name: Arc<str> = name.written().into();
                            draft
                                .keys
                                .push(draft_of(name.clone(), None, name, Some(setting)));
                        }
                        return Ok(());
                    }
                    None => {
                        let mut known: Vec<&str> = self.declared.groups.keys().copied().collect();
                        let settings: Vec<String> = self
                            .declared
                            .settings
                            .iter()
                            .map(|s| s.name.written())
                            .collect();
                        known.extend(settings.iter().map(String::as_str));
                        return self.unknown(only, "setting", known);
                    }
                }
            }
            let key = said(draft_of(name.clone(), None, name, setting), field);
            draft.keys.push(key);
            return Ok(());
        }
        let setting = self
            .declared
            .settings
            .iter()
            .find(|setting| setting.name.written() == *name)
            .copied();
        let setting = setting.filter(|_| field.sets.is_none());
        draft
            .keys
            .push(said(draft_of(name.clone(), None, name, setting), field));
        Ok(())
    }

    pub(super) fn side_times(
        &mut self,
        at: usize,
        side: usize,
        times: &'t tree::Name,
        draft: &Draft<'t>,
    ) -> Checked<()> {
        let Some(key) = draft.keys.iter().find(|key| key.name == times.text) else {
            let message =
                Message::error(times.span, format!("the procedure does not ask `{times}`"));
            return self.fail(message.help(format!("write `asks {times}`")));
        };
        let Some(kind) = key.kind else {
            return self.error(times.span, format!("nothing says what `{times}` may be"));
        };
        let sort = self.sort(kind, None)?;
        let id = self.var(&key.name, &sort, VarOrigin::Key, key.span);
        let most = sort.range.map_or(0, |range| range.high);
        if sort.ty != Type::Number || !(1..=64).contains(&most) {
            return self.error(
                times.span,
                format!("`{times}` says how many units there are: a range up to 64 at most"),
            );
        }
        self.program.procedures[at].sides[side].times = Some((id, most as u32));
        Ok(())
    }

    /// What a key sets, may be, and is.
    pub(super) fn declare_key(&mut self, at: usize, key: &KeyDraft<'t>) -> Checked<()> {
        let (target, inherited) = self.key_target(at, key)?;
        let field_kind = inherited.and_then(|field| field.kind.as_ref());
        let target_type = match target {
            Some(
                KeyTarget::Field(_, field)
                | KeyTarget::Member(_, _, field)
                | KeyTarget::Members(_, field),
            ) => Some(self.program[field].ty),
            _ => None,
        };
        let Some(kind) = key.kind.or(field_kind) else {
            let message =
                Message::error(key.span, format!("nothing says what `{}` may be", key.name));
            return self.fail(message.help("give it a kind, such as `1..6`, `Flag` or words"));
        };
        let own_setting = key
            .side
            .is_none()
            .then(|| self.common.get(&key.name))
            .flatten();
        let known = own_setting
            .map(|&id| self.program[id].ty)
            .filter(|_| target.is_none());
        let sort = match (target_type, known) {
            (Some(ty), _) => {
                let sort = self.sort(kind, Some(ty))?;
                self.key_fits(&sort, ty, key, kind)?;
                Sort { ty, ..sort }
            }
            // Of a setting that is said again with fewer words: they are its own.
            (None, Some(ty @ (Type::Word(_) | Type::Mixed(_)))) => {
                let mark = self.messages.count();
                match self.sort(kind, Some(ty)) {
                    Ok(sort) => Sort { ty, ..sort },
                    Err(_) if self.messages.count() > mark => return Err(super::Stop),
                    Err(stop) => return Err(stop),
                }
            }
            (None, _) => self.sort(kind, None)?,
        };
        let target = match target {
            Some(target) => target,
            None => {
                let id = self.var(&key.name, &sort, VarOrigin::Key, key.span);
                self.names[at].insert(key.name.clone(), Named::Var(id));
                self.program.procedures[at].vars.push(id);
                KeyTarget::Var(id)
            }
        };
        if let Some(fixed) = key.fixed {
            let Some(value) = self.key_default(fixed, &sort) else {
                return self.error(
                    fixed.span,
                    format!("`{}` is something that is known beforehand", key.name),
                );
            };
            if !sort.given.is_empty() && !allows(&sort, &value) {
                let shown = self.program.spelled(&value);
                return self.error(fixed.span, format!("`{}` may not be {shown}", key.name));
            }
            self.program.procedures[at].fixed.push((target, value));
            return Ok(());
        }
        if key.side.is_none() && !matches!(target, KeyTarget::Var(_)) {
            self.names[at].insert(
                key.name.clone(),
                Named::Key(self.program.procedures[at].keys.len()),
            );
        }
        let default =
            key.default.or(inherited
                .and_then(|field| field.default.as_ref())
                .filter(|_| {
                    // A kind of its own in other words does not have the default of what it sets.
                    key.kind.is_none() || key.sets.is_none()
                }));
        let help = key.help.or(inherited.and_then(|field| field.help.as_ref()));
        let default = match default {
            None => KeyDefault::Value(sort.first()),
            Some(expr) => match self.key_default(expr, &sort) {
                Some(value) => KeyDefault::Value(value),
                None => {
                    self.later_defaults
                        .push((at, self.program.procedures[at].keys.len(), expr));
                    KeyDefault::Value(sort.first())
                }
            },
        };
        if let KeyDefault::Value(value) = &default
            && !sort.given.is_empty()
            && !allows(&sort, value)
        {
            let shown = self.program.spelled(value);
            let message = Message::error(
                key.span,
                format!("`{}` is {shown} by default, which it may not be", key.field),
            );
            self.say(message.help("give it a default of its own"));
        }
        self.program.procedures[at].keys.push(Key {
            name: key.name.clone(),
            meaning: help.map_or_else(|| "".into(), |help| help.meaning.clone()),
            source: help
                .and_then(|help| help.source.clone())
                .unwrap_or_else(|| "".into()),
            kind: sort.given,
            default,
            sets: target,
            each: key.each,
            span: key.span,
        });
        Ok(())
    }

    /// A default that is a constant; the words in it may be those that a key says for others.
    pub(super) fn key_default(&mut self, expr: &tree::Expr, sort: &Sort) -> Option<Value> {
        if let ExprKind::Name(word) = &expr.kind {
            let said = sort.given.iter().find_map(|given| match given {
                KeyAlternative::Word(text, value) if *text == word.text => Some(value.clone()),
                _ => None,
            });
            return said.or_else(|| self.find_word(sort.ty, word).map(Value::Word));
        }
        let before = self.messages.clone();
        let value = self.constant_value(expr, sort.ty).ok();
        if value.is_none() {
            self.messages = before;
        }
        value
    }

    pub(super) fn key_fits(
        &mut self,
        sort: &Sort,
        ty: Type,
        key: &KeyDraft<'t>,
        kind: &tree::Kind,
    ) -> Checked<()> {
        let number = matches!(sort.ty, Type::Number | Type::Fraction);
        let fits = match ty {
            Type::Number | Type::Fraction => number,
            Type::Flag => sort.ty == Type::Flag,
            Type::Mixed(_) => true,
            ty => sort.ty == ty,
        };
        if fits {
            return Ok(());
        }
        let (says, sets) = (self.type_name(sort.ty), self.type_name(ty));
        self.error(
            kind.span,
            format!("`{}` is {says}, and what it sets is {sets}", key.name),
        )
    }

    /// What a key sets, and the field its kind, default and help come from. Nothing for a variable of its own.
    pub(super) fn key_target(
        &mut self,
        at: usize,
        key: &KeyDraft<'t>,
    ) -> Checked<(Option<KeyTarget>, Option<&'t tree::Field>)> {
        let of_side = |side: usize, alias: Alias| match alias {
            Alias::Field(field) => KeyTarget::Field(side, field),
            Alias::Member(number, field) => KeyTarget::Member(side, number, field),
            Alias::Members(field) => KeyTarget::Members(side, field),
        };
        if let Some(path) = key.sets {
            // `firer.fire`: a side and a field; else seen from the side of the key.
            if let ExprKind::Field(base, name) = &path.kind
                && let ExprKind::Name(side) = &base.kind
                && let Some(side) = self.side_at(at, side)
            {
                let unit = self.unit_of_side(at, side);
                let Some(alias) = self.alias_or_field(unit, name) else {
                    let known = self.field_names(unit);
                    let what = format!("field of {}", self.program[unit].name);
                    return self.unknown(name, &what, known.iter().map(|name| &**name));
                };
                let inherited = self.declared_field(unit, name);
                return Ok((Some(of_side(side, alias)), inherited));
            }
            let Some(side) = key.side else {
                return self.error(
                    path.span,
                    "a side and its field are expected here, as in `sets firer.fire`",
                );
            };
            let unit = self.unit_of_side(at, side);
            let alias = self.alias_target(unit, path)?;
            let field = alias.field();
            let name = tree::Name {
                text: self.program[field].name.clone(),
                span: path.span,
            };
            let inherited = self.declared_field(self.program[field].of, &name);
            return Ok((Some(of_side(side, alias)), inherited));
        }
        let Some(side) = key.side else {
            return Ok((None, None));
        };
        let unit = self.unit_of_side(at, side);
        let target = self
            .alias_or_field(unit, &key.field)
            .map(|alias| of_side(side, alias));
        Ok((target, None))
    }

    pub(super) fn alias_or_field(&self, unit: UnitTypeId, name: &str) -> Option<Alias> {
        let field = self.field_of(unit, name).map(Alias::Field);
        field.or_else(|| self.aliases.get(&(unit, name.into())).copied())
    }
}

pub(super) fn draft_of<'t>(
    name: Arc<str>,
    side: Option<usize>,
    field: Arc<str>,
    inherited: Option<&'t tree::Field>,
) -> KeyDraft<'t> {
    KeyDraft {
        name,
        side,
        field,
        kind: inherited.and_then(|f| f.kind.as_ref()),
        default: inherited.and_then(|f| f.default.as_ref()),
        help: inherited.and_then(|f| f.help.as_ref()),
        sets: inherited.and_then(|f| f.sets.as_ref()),
        fixed: None,
        each: false,
        span: inherited.map_or(Span::NOWHERE, |f| f.span),
    }
}

/// What a line says of a key; what it does not say stays.
pub(super) fn said<'t>(key: KeyDraft<'t>, field: &'t tree::Field) -> KeyDraft<'t> {
    KeyDraft {
        kind: field.kind.as_ref().or(key.kind),
        default: field.default.as_ref().or(key.default),
        help: field.help.as_ref().or(key.help),
        sets: field.sets.as_ref().or(key.sets),
        fixed: field.fixed.as_ref().or(key.fixed),
        each: field.each || key.each,
        span: field.span,
        ..key
    }
}

pub(super) fn say_again<'t>(draft: &mut Draft<'t>, name: &Arc<str>, field: &'t tree::Field) {
    if let Some(key) = draft.keys.iter_mut().find(|key| key.name == *name) {
        *key = said(key.clone(), field);
    }
}

/// Whether a key may have a value.
pub(super) fn allows(sort: &Sort, value: &Value) -> bool {
    sort.given.iter().any(|given| match given {
        KeyAlternative::Flag => matches!(value, Value::Flag(_)),
        KeyAlternative::Number { low, high, .. } => {
            value.fraction().is_some_and(|n| *low <= n && n <= *high)
        }
        KeyAlternative::Word(_, meant) => meant == value,
    })
}
