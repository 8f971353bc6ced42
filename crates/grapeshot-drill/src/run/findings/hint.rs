//! Which keys decide whether a modifier counts: those its condition reads, and those they are refused for.

use crate::program::{ExprId, ExprKind, FieldId, KeyTarget, Procedure, Program, TextId, VarId};
use crate::run::reads::Read;
use rustc_hash::FxHashSet;

/// What an expression reads, calls included.
#[derive(Default)]
struct Named {
    fields: FxHashSet<FieldId>,
    vars: FxHashSet<VarId>,
    texts: FxHashSet<TextId>,
}

impl Named {
    fn add(&mut self, program: &Program, expr: ExprId) {
        let mut called = Vec::new();
        program.expressions(expr, &mut |id| self.note(program, id, &mut called));
        while let Some(text) = called.pop() {
            if self.texts.insert(text) {
                program.expressions_of_text(&program[text], &mut |id| {
                    self.note(program, id, &mut called);
                });
            }
        }
    }

    fn note(&mut self, program: &Program, id: ExprId, called: &mut Vec<TextId>) {
        match &program[id].kind {
            ExprKind::Field(_, field) => {
                self.fields.insert(*field);
            }
            ExprKind::Var(var) => {
                self.vars.insert(*var);
            }
            ExprKind::Call(text, _) => called.push(*text),
            _ => {}
        }
    }

    fn keys(&self, procedure: &Procedure) -> Vec<usize> {
        let keys = procedure.keys.iter().enumerate();
        let named = keys.filter(|(_, key)| match key.sets {
            KeyTarget::Var(var) => self.vars.contains(&var),
            KeyTarget::Field(_, field)
            | KeyTarget::Member(_, _, field)
            | KeyTarget::Members(_, field) => self.fields.contains(&field),
        });
        named.map(|(at, _)| at).collect()
    }
}

pub(super) fn keys_that_matter(program: &Program, procedure: &Procedure, of: Read) -> Vec<usize> {
    let Read::Modifier(list, entry) = of else {
        return Vec::new();
    };
    let mut named = Named::default();
    if let Some(condition) = program[list].entries[entry].condition {
        named.add(program, condition);
    }
    let direct = named.keys(procedure);
    for refusal in &procedure.refusals {
        if refusal.at.is_some_and(|at| direct.contains(&at)) {
            named.add(program, refusal.when.value);
        }
    }
    named.keys(procedure)
}
