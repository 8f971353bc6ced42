//! Headers of procedures: sides and keys. Said again, a key keeps its place and what is not said.

use super::key::say_again;
use super::name::Named;
use super::{Checked, Checker};
use crate::message::Message;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, Head, HeadKind};
use std::collections::HashMap;
use std::sync::Arc;

/// A key while its header is read.
#[derive(Clone)]
pub(super) struct KeyDraft<'t> {
    pub name: Arc<str>,
    pub side: Option<usize>,
    /// The name without the side.
    pub field: Arc<str>,
    pub kind: Option<&'t tree::Kind>,
    pub default: Option<&'t tree::Expr>,
    pub help: Option<&'t tree::Help>,
    pub sets: Option<&'t tree::Expr>,
    /// What it is here, so that nobody is asked.
    pub fixed: Option<&'t tree::Expr>,
    pub each: bool,
    pub span: Span,
}

/// A header while it is read: what it inserts by `like` is already in its lines.
#[derive(Default)]
pub(super) struct Draft<'t> {
    pub keys: Vec<KeyDraft<'t>>,
    /// The last key of each side: its further keys follow.
    pub last: HashMap<usize, Arc<str>>,
    pub refusals: Vec<&'t tree::Refuse>,
    pub reports: Vec<super::report::ReportDraft<'t>>,
    pub notes: Vec<(&'t tree::Name, Option<&'t (tree::Expr, tree::Expr)>)>,
    pub shows: Vec<&'t HeadKind>,
    pub worth: Option<&'t tree::Expr>,
    pub plans: Vec<&'t tree::PlanLine>,
    pub times: Vec<Option<&'t tree::Name>>,
}

impl<'t> Checker<'t> {
    /// Sides, keys, names and reports of all procedures; their formulas come later.
    pub(super) fn declare_procedures(&mut self) {
        let procedures = self.declared.procedures.clone();
        for (procedure, help, span) in &procedures {
            let (about, source) = match help {
                Some(help) => (
                    help.meaning.clone(),
                    help.source.clone().unwrap_or_else(|| "".into()),
                ),
                None => ("".into(), "".into()),
            };
            self.program.procedures.push(Procedure {
                name: procedure.name.text.clone(),
                about,
                source,
                composed: procedure.composed,
                simulated: procedure.simulated,
                decided_for: None,
                sides: Vec::new(),
                keys: Vec::new(),
                fixed: Vec::new(),
                vars: Vec::new(),
                refusals: Vec::new(),
                notes: Vec::new(),
                reports: Vec::new(),
                outcome: None,
                shows: Vec::new(),
                worth: None,
                plans: Vec::new(),
                locals: Vec::new(),
                body: Vec::new(),
                reaches: Vec::new(),
                span: *span,
            });
            self.names.push(HashMap::new());
            let at = self.names.len() - 1;
            let _ = self.declare_procedure(at, procedure);
        }
        for name in std::mem::take(&mut self.declared.listed) {
            let found = self
                .program
                .procedures
                .iter()
                .enumerate()
                .filter(|(_, p)| p.name == name.text);
            let found: Vec<ProcedureId> = found.map(|(at, _)| ProcedureId(at as u32)).collect();
            if found.is_empty() {
                let known: Vec<Arc<str>> = self
                    .program
                    .procedures
                    .iter()
                    .map(|p| p.name.clone())
                    .collect();
                let _: Checked<()> =
                    self.unknown(name, "procedure", known.iter().map(|name| &**name));
            }
            self.program.listed.extend(found);
        }
    }

    pub(super) fn declare_procedure(
        &mut self,
        at: usize,
        procedure: &'t tree::Procedure,
    ) -> Checked<()> {
        let mut draft = Draft::default();
        let mut open = Vec::new();
        self.read_heads(at, &procedure.head, &mut draft, &mut open)?;
        for (side, times) in draft.times.clone().into_iter().enumerate() {
            if let Some(times) = times {
                self.side_times(at, side, times, &draft)?;
            }
        }
        if let Some(side) = &procedure.decided_for {
            let found = self.side_at(at, side);
            self.program.procedures[at].decided_for = Some(self.known_side(at, side, found)?);
        }
        for key in &draft.keys {
            let _ = self.declare_key(at, key);
        }
        self.declare_reports(at, &draft)?;
        self.drafts.push((at, draft));
        Ok(())
    }

    pub(super) fn read_heads(
        &mut self,
        at: usize,
        heads: &'t [Head],
        draft: &mut Draft<'t>,
        open: &mut Vec<&'t str>,
    ) -> Checked<()> {
        for head in heads {
            match &head.kind {
                HeadKind::Like(name) => {
                    if open.contains(&&*name.text) {
                        return self.error(name.span, format!("`{name}` is like itself"));
                    }
                    let procedures = self.declared.procedures.iter();
                    let like = self.declared.headers.get(&*name.text).copied();
                    let like = like.or_else(|| {
                        procedures
                            .map(|(p, ..)| p)
                            .find(|p| p.name.text == name.text)
                            .map(|p| &p.head)
                    });
                    let Some(like) = like else {
                        let known: Vec<&str> = self.declared.headers.keys().copied().collect();
                        return self.unknown(name, "header or procedure", known);
                    };
                    open.push(&name.text);
                    self.read_heads(at, like, draft, open)?;
                    open.pop();
                }
                HeadKind::Side(side) => self.read_side(at, side, draft)?,
                HeadKind::Asks(fields) => {
                    for field in fields {
                        self.read_asked(at, field, draft)?;
                    }
                }
                HeadKind::Refuse(refuse) => draft.refusals.push(refuse),
                HeadKind::Note(text, when) => draft.notes.push((text, when.as_ref())),
                HeadKind::Show { .. } => draft.shows.push(&head.kind),
                HeadKind::Worth(worth) => draft.worth = Some(worth),
                HeadKind::Report(report) => self.read_report(at, report, head.span, draft)?,
                HeadKind::Plans(plans) => draft.plans = plans.iter().collect(),
            }
        }
        Ok(())
    }

    pub(super) fn side_at(&self, at: usize, name: &str) -> Option<usize> {
        let sides = &self.program.procedures[at].sides;
        sides
            .iter()
            .position(|side| *self.program[side.side].name == *name)
    }

    pub(super) fn known_side(
        &mut self,
        at: usize,
        name: &tree::Name,
        found: Option<usize>,
    ) -> Checked<usize> {
        match found {
            Some(side) => Ok(side),
            None => {
                let sides = self.program.procedures[at].sides.clone();
                let known: Vec<Arc<str>> = sides
                    .iter()
                    .map(|side| self.program[side.side].name.clone())
                    .collect();
                self.unknown(name, "side", known.iter().map(|name| &**name))
            }
        }
    }

    pub(super) fn read_side(
        &mut self,
        at: usize,
        head: &'t tree::SideHead,
        draft: &mut Draft<'t>,
    ) -> Checked<()> {
        for name in &head.names {
            if self.side_at(at, name).is_some() {
                continue;
            }
            let unit = match &head.as_type {
                Some(name) => match self.types.get(&name.text) {
                    Some(super::Named::Unit(id)) => *id,
                    _ => return self.unknown_type(name),
                },
                None => match self
                    .called
                    .get("unit")
                    .or_else(|| self.called.get(&name.text))
                {
                    Some(&id) => id,
                    None => {
                        let message =
                            Message::error(name.span, format!("nothing says what plays `{name}`"));
                        return self
                            .fail(message.help("declare a `unit`, or write `as` and its type"));
                    }
                },
            };
            let ty = match head.times {
                Some(_) => Type::Units(unit),
                None => Type::Unit(unit),
            };
            let named = SideName {
                name: name.text.clone(),
                ty,
            };
            let id = match self.program.sides.iter().position(|side| *side == named) {
                Some(id) => SideId(id as u32),
                None => {
                    self.program.sides.push(named);
                    SideId(self.program.sides.len() as u32 - 1)
                }
            };
            self.names[at].insert(name.text.clone(), Named::Side(id));
            self.program.procedures[at].sides.push(Side {
                side: id,
                times: None,
            });
            draft.times.push(head.times.as_ref());
        }
        for name in &head.names {
            let Some(side) = self.side_at(at, name) else {
                continue;
            };
            for key in &head.keys {
                self.side_key(at, side, key, &head.own, draft, 0)?;
            }
            for own in &head.own {
                let Some(field) = own.name.single() else {
                    return self.error(own.span, "a key of a side has a name without dots here");
                };
                let key: Arc<str> = format!("{name}.{field}").into();
                if !draft.keys.iter().any(|known| known.name == key) {
                    self.side_key(at, side, &own.name, &head.own, draft, 0)?;
                }
                say_again(draft, &key, own);
            }
        }
        Ok(())
    }

    /// What plays a side.
    pub(super) fn unit_of_side(&self, at: usize, side: usize) -> UnitTypeId {
        match self.program[self.program.procedures[at].sides[side].side].ty {
            Type::Unit(id) | Type::Units(id) => id,
            _ => UnitTypeId(0),
        }
    }
}
