//! Queues: what is put in, and what happens when it is worked off.

use super::scope::Scope;
use super::{Checked, Checker};
use crate::program::*;
use crate::tree::{self, ExprKind as E};
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn queue(&mut self, name: &tree::Name) -> Checked<QueueId> {
        match self.queues.get(&name.text) {
            Some(&id) => Ok(id),
            None => {
                let known: Vec<Arc<str>> = self.queues.keys().cloned().collect();
                self.unknown(name, "queue", known.iter().map(|name| &**name))
            }
        }
    }

    pub(super) fn event(&mut self, queue: QueueId, name: &tree::Name) -> Checked<usize> {
        match self.program[queue]
            .events
            .iter()
            .position(|(event, _)| *event == name.text)
        {
            Some(at) => Ok(at),
            None => {
                let known: Vec<Arc<str>> = self.program[queue]
                    .events
                    .iter()
                    .map(|(event, _)| event.clone())
                    .collect();
                self.unknown(name, "event", known.iter().map(|name| &**name))
            }
        }
    }

    pub(super) fn put(
        &mut self,
        s: &mut Scope,
        call: &tree::Call,
        queue: &tree::Name,
    ) -> Checked<(Option<StmtKind>, bool)> {
        let id = self.queue(queue)?;
        let E::Name(name) = &call.called.kind else {
            return self.error(call.called.span, "an event is expected here");
        };
        let event = self.event(id, name)?;
        let types: Vec<Type> = self.program[id].events[event]
            .1
            .iter()
            .map(|(_, ty)| *ty)
            .collect();
        if types.len() != call.arguments.len() {
            return self.error(
                name.span,
                format!(
                    "`{name}` has {} values, and here are {}",
                    types.len(),
                    call.arguments.len()
                ),
            );
        }
        let mut values = Vec::new();
        for (argument, ty) in call.arguments.iter().zip(types) {
            values.push(self.wanted(s, &argument.value, ty)?);
        }
        s.effects.changes = true;
        Ok((Some(StmtKind::Put(id, event, values)), true))
    }

    pub(super) fn work_off(
        &mut self,
        s: &mut Scope,
        queue: &tree::Name,
        arms: &[(tree::Name, tree::Block)],
    ) -> Checked<(Option<StmtKind>, bool)> {
        let id = self.queue(queue)?;
        let mut all = Vec::new();
        for (name, body) in arms {
            let event = self.event(id, name)?;
            let names = s.names.len();
            let params = self.program[id].events[event].1.clone();
            let params = params
                .iter()
                .map(|(name, ty)| s.declare(name, *ty, None))
                .collect();
            let body = self.loop_body(s, body);
            s.names.truncate(names);
            all.push(EventArm {
                event,
                params,
                body,
            });
        }
        let missing = (0..self.program[id].events.len())
            .find(|&event| !all.iter().any(|arm| arm.event == event));
        if let Some(event) = missing {
            let name = self.program[id].events[event].0.clone();
            return self.error(
                queue.span,
                format!("nothing is said for the event `{name}`"),
            );
        }
        Ok((Some(StmtKind::WorkOff(id, all)), true))
    }
}
