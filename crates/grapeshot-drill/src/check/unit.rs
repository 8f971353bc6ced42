//! Units, lines, settings and what is in play.

use super::{Checked, Checker, Named, kind::Sort};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, ExprKind};
use std::sync::Arc;

/// A field of a unit that is another key for something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alias {
    /// Another field.
    Field(FieldId),
    /// A field of one member, counted from 1.
    Member(u32, FieldId),
    /// A field of every member.
    Members(FieldId),
}

impl Alias {
    pub(super) fn field(self) -> FieldId {
        match self {
            Alias::Field(field) | Alias::Member(_, field) | Alias::Members(field) => field,
        }
    }
}

impl<'t> Checker<'t> {
    /// Types of units are there before anything is of such a type.
    pub(super) fn declare_unit_names(&mut self) {
        for (at, unit) in self.declared.units.iter().enumerate() {
            self.types
                .insert(unit.name.text.clone(), Named::Unit(UnitTypeId(at as u32)));
        }
    }

    pub(super) fn declare_units(&mut self) {
        let units: Vec<&'t tree::Unit> = self.declared.units.clone();
        for (at, unit) in units.iter().enumerate() {
            let id = UnitTypeId(at as u32);
            self.program.units.push(UnitType {
                name: unit.name.text.clone(),
                fields: 0..0,
                line: None,
                refusals: Vec::new(),
                span: unit.name.span,
            });
            for name in &unit.called {
                let other = *self.called.entry(name.text.clone()).or_insert(id);
                if other != id {
                    let known = self.program[other].name.clone();
                    self.say(Message::error(
                        name.span,
                        format!("`{name}` is already what a {known} is called"),
                    ));
                }
            }
            let own: Arc<str> = unit.name.to_lowercase().into();
            self.called.entry(own).or_insert(id);
        }
        // A unit that nobody calls `unit` is called so if it is the only one.
        if units.len() == 1 {
            self.called.entry("unit".into()).or_insert(UnitTypeId(0));
        }
        for (at, unit) in units.iter().enumerate() {
            let id = UnitTypeId(at as u32);
            let first = self.program.fields.len() as u32;
            let fields = unit.body.fields.iter().map(|field| (field, false));
            for (field, in_play) in
                fields.chain(unit.body.in_play.iter().map(|field| (field, true)))
            {
                if field.sets.is_none() {
                    let _ = self.declare_field(id, field, in_play);
                }
            }
            self.program.units[at].fields = first..self.program.fields.len() as u32;
            self.check_order(unit, at);
        }
        for (at, unit) in units.iter().enumerate() {
            let id = UnitTypeId(at as u32);
            if let Some((of, times)) = &unit.line {
                let _ = self.declare_line(id, of, times);
            }
        }
        for (at, unit) in units.iter().enumerate() {
            for field in unit.body.fields.iter().filter(|field| field.sets.is_some()) {
                let _ = self.declare_alias(UnitTypeId(at as u32), field);
            }
        }
        self.declare_common();
    }

    /// A line comes after its members, so that types never turn in circles.
    fn check_order(&mut self, unit: &tree::Unit, at: usize) {
        if let Some((of, _)) = &unit.line
            && self.types.get(&of.text) == Some(&Named::Unit(UnitTypeId(at as u32)))
        {
            self.say(Message::error(of.span, "a line cannot be of itself"));
        }
    }

    fn declare_field(
        &mut self,
        unit: UnitTypeId,
        field: &tree::Field,
        in_play: bool,
    ) -> Checked<()> {
        let Some(name) = field.name.single() else {
            return self.error(field.span, "a field has a name without dots");
        };
        let Some(kind) = &field.kind else {
            let message = Message::error(field.span, format!("nothing says what `{name}` may be"));
            return self.fail(message.help(format!("write `{name}: Flag`, a range or words")));
        };
        let sort = self.sort(kind, None)?;
        let id = FieldId(self.program.fields.len() as u32);
        // The first of two stays: the second never becomes a field, and nothing may point to it.
        if self.fields.contains_key(&(unit, name.text.clone())) {
            return self.error(name.span, format!("there are two fields called `{name}`"));
        }
        self.fields.insert((unit, name.text.clone()), id);
        let first = self.first_value(&sort);
        self.first_of_field.insert(id, first);
        self.program.fields.push(Field {
            name: name.text.clone(),
            of: unit,
            ty: sort.ty,
            range: in_play_range(&sort),
            default: None,
            in_play,
            changed: false,
            span: field.span,
        });
        Ok(())
    }

    fn declare_line(&mut self, id: UnitTypeId, of: &tree::Name, times: &tree::Name) -> Checked<()> {
        let Some(&Named::Unit(member)) = self.types.get(&of.text) else {
            return self.unknown_type(of);
        };
        let Some(&field) = self.fields.get(&(id, times.text.clone())) else {
            let known: Vec<Arc<str>> = self.field_names(id);
            return self.unknown(times, "field", known.iter().map(|name| &**name));
        };
        match self.program[field].range {
            Some(range)
                if self.program[field].ty == Type::Number && (1..=64).contains(&range.high) =>
            {
                self.program.units[id.at()].line = Some(Line {
                    of: member,
                    times: field,
                    most: range.high as u32,
                });
                Ok(())
            }
            _ => self.error(
                times.span,
                format!("`{times}` says how many units there are: a range up to 64 at most"),
            ),
        }
    }

    pub(super) fn field_names(&self, unit: UnitTypeId) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self
            .fields
            .keys()
            .filter(|(of, _)| *of == unit)
            .map(|(_, name)| name.clone())
            .collect();
        names.extend(
            self.aliases
                .keys()
                .filter(|(of, _)| *of == unit)
                .map(|(_, name)| name.clone()),
        );
        names.sort();
        names
    }

    fn declare_alias(&mut self, unit: UnitTypeId, field: &tree::Field) -> Checked<()> {
        let (Some(name), Some(path)) = (field.name.single(), &field.sets) else {
            return self.error(field.span, "a field has a name without dots");
        };
        let alias = self.alias_target(unit, path)?;
        self.aliases.insert((unit, name.text.clone()), alias);
        Ok(())
    }

    /// What a path names, seen from a unit: `sp`, `counter.cover`, `counter[2].morale`.
    pub(super) fn alias_target(&mut self, unit: UnitTypeId, path: &tree::Expr) -> Checked<Alias> {
        match &path.kind {
            ExprKind::Name(name) => {
                if let Some(field) = self.field_of(unit, name) {
                    return Ok(Alias::Field(field));
                }
                let member = self.program[unit]
                    .line
                    .and_then(|line| self.field_of(line.of, name));
                match member {
                    Some(field) => Ok(Alias::Members(field)),
                    None => {
                        let known = self.field_names(unit);
                        self.unknown(name, "field", known.iter().map(|name| &**name))
                    }
                }
            }
            ExprKind::Field(base, name) => {
                let Some(line) = self.program[unit].line else {
                    return self.error(path.span, "only a line has units whose fields can be set");
                };
                let Some(field) = self.field_of(line.of, name) else {
                    let known = self.field_names(line.of);
                    return self.unknown(name, "field", known.iter().map(|name| &**name));
                };
                match &base.kind {
                    ExprKind::Name(_) => Ok(Alias::Members(field)),
                    ExprKind::Index { indices, .. } if indices.len() == 1 => {
                        let number = self.whole_constant(&indices[0])?;
                        match u32::try_from(number) {
                            Ok(number) if 1 <= number && number <= line.most => {
                                Ok(Alias::Member(number, field))
                            }
                            _ => {
                                let title = format!(
                                    "there is no unit {number}: a line has {} at most",
                                    line.most
                                );
                                self.error(indices[0].span, title)
                            }
                        }
                    }
                    _ => self.error(path.span, "this cannot be set"),
                }
            }
            _ => self.error(path.span, "this cannot be set"),
        }
    }

    pub(super) fn field_of(&self, unit: UnitTypeId, name: &str) -> Option<FieldId> {
        self.fields.get(&(unit, name.into())).copied()
    }

    /// Settings and what is in play: every procedure has them.
    fn declare_common(&mut self) {
        let settings: Vec<&'t tree::Field> = self.declared.settings.clone();
        for field in settings {
            let _ = self.declare_common_var(field, VarOrigin::Setting);
        }
        let in_play: Vec<&'t tree::Field> = self.declared.in_play.clone();
        for field in in_play {
            let _ = self.declare_common_var(field, VarOrigin::InPlay);
        }
        let mut grouped: Vec<&'t tree::Field> = Vec::new();
        for group in self.declared.groups.values() {
            if let super::declared::Group::Fields(fields) = group {
                let plain = |field: &&tree::Field| {
                    let means = |one: &tree::Alternative| {
                        matches!(
                            &one.kind,
                            tree::AlternativeKind::Word { means: Some(_), .. }
                        )
                    };
                    field.sets.is_none()
                        && field
                            .kind
                            .as_ref()
                            .is_some_and(|kind| !kind.alternatives.iter().any(means))
                };
                grouped.extend(fields.iter().filter(plain));
            }
        }
        grouped.sort_by_key(|field| field.span);
        for field in grouped {
            if !self.common.contains_key(&*field.name.written()) {
                let _ = self.declare_common_var(field, VarOrigin::Setting);
            }
        }
    }

    fn declare_common_var(&mut self, field: &tree::Field, origin: VarOrigin) -> Checked<()> {
        let Some(name) = field.name.single() else {
            return self.error(field.span, "this name has no dots");
        };
        let Some(kind) = &field.kind else {
            return self.error(field.span, format!("nothing says what `{name}` may be"));
        };
        let sort = self.sort(kind, None)?;
        let id = self.var(&name.text, &sort, origin, field.span);
        if self.common.insert(name.text.clone(), id).is_some() {
            return self.error(name.span, format!("`{name}` is declared twice"));
        }
        Ok(())
    }

    /// A variable by name and type; its range grows with every declaration.
    pub(super) fn var(
        &mut self,
        name: &Arc<str>,
        sort: &Sort,
        origin: VarOrigin,
        span: Span,
    ) -> VarId {
        let range = in_play_range(sort);
        if let Some(&id) = self.vars.get(&(name.clone(), sort.ty)) {
            let var = &mut self.program.vars[id.at()];
            var.range = super::interval::hull(var.range, range);
            return id;
        }
        let id = VarId(self.program.vars.len() as u32);
        self.vars.insert((name.clone(), sort.ty), id);
        let first = self.first_value(sort);
        self.first_of_var.insert(id, first);
        self.program.vars.push(Var {
            name: name.clone(),
            ty: sort.ty,
            range,
            origin,
            default: None,
            changed: false,
            span,
        });
        id
    }

    pub(super) fn declare_queues(&mut self) {
        for (name, events) in std::mem::take(&mut self.declared.queues) {
            let mut all = Vec::new();
            for (event, params) in events {
                let mut types = Vec::new();
                for param in params {
                    if let Ok(sort) = self.param_sort(param) {
                        types.push((param.name.text.clone(), sort.ty));
                    }
                }
                all.push((event.text.clone(), types));
            }
            let id = QueueId(self.program.queues.len() as u32);
            self.queues.insert(name.text.clone(), id);
            self.program.queues.push(Queue {
                name: name.text.clone(),
                events: all,
                span: name.span,
            });
        }
    }
}

/// In play a number may go down to 0.
fn in_play_range(sort: &Sort) -> Option<Interval> {
    let range = sort.range?;
    Some(Interval {
        low: range.low.min(0),
        high: range.high,
    })
}
