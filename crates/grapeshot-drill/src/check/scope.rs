//! What is known at a place of a text: its locals, who comes here, what has been asked.

use super::Checker;
use super::fact::Facts;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, StmtKind, TextKind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is known at a place.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub locals: Vec<Local>,
    /// Names in scope, the innermost last.
    pub names: Vec<(Arc<str>, LocalId)>,
    /// Elements of quantifiers, the innermost last.
    pub it: Vec<LocalId>,
    /// In defaults and refusals of a unit: its type; local 0 is the unit.
    pub this: Option<UnitTypeId>,
    /// What `*` stands for: the procedure and the side.
    pub star: Option<(usize, usize)>,
    /// The procedures that come here; none if nobody does.
    pub procedures: Vec<usize>,
    /// The procedure whose reports can be named, and how many of them.
    pub reports: Option<(usize, usize)>,
    /// In a refusal, where `given` and `changed` mean something.
    pub refusal: bool,
    /// Which sort of text this is; none for a procedure.
    pub kind: Option<TextKind>,
    pub returns: Option<Type>,
    pub returned: Option<Interval>,
    pub return_seen: bool,
    pub facts: Facts,
    pub effects: Effects,
    pub assigns: BTreeSet<Assigned>,
    /// What `printed NAME(…)` calls.
    pub replaces: Option<Arc<str>>,
    /// All names that a `let` of this text gives, wherever: for whoever names one where it is not known yet.
    pub lets: Vec<tree::Name>,
    /// How many loops of turns have been met, and whether this is a procedure's own text.
    pub turns: usize,
    pub in_procedure: bool,
}

impl Scope {
    pub(super) fn find(&self, name: &str) -> Option<LocalId> {
        self.names
            .iter()
            .rev()
            .find(|(known, _)| **known == *name)
            .map(|(_, local)| *local)
    }

    /// A new local that no name reaches.
    pub(super) fn hidden(&mut self, name: &str, ty: Type, range: Option<Interval>) -> LocalId {
        let id = LocalId(self.locals.len().min(u16::MAX as usize) as u16);
        self.locals.push(Local {
            name: name.into(),
            ty,
            range,
            changed: false,
        });
        id
    }

    /// A new local with a name.
    pub(super) fn declare(
        &mut self,
        name: &Arc<str>,
        ty: Type,
        range: Option<Interval>,
    ) -> LocalId {
        let id = self.hidden(name, ty, range);
        self.names.push((name.clone(), id));
        id
    }
}

/// The names that are given by `let` in a block, and in those within it.
pub(super) fn lets(block: &tree::Block) -> Vec<tree::Name> {
    let within = |blocks: Vec<&tree::Block>| blocks.into_iter().flat_map(lets).collect::<Vec<_>>();
    let of = |stmt: &tree::Stmt| match &stmt.kind {
        StmtKind::Let(name, _) => vec![name.clone()],
        StmtKind::If {
            branches,
            otherwise,
        } => within(
            branches
                .iter()
                .map(|(_, block)| block)
                .chain(otherwise)
                .collect(),
        ),
        StmtKind::Case { arms, .. } => within(arms.iter().map(|arm| &arm.body).collect()),
        StmtKind::For { body, .. }
        | StmtKind::Turns(_, body)
        | StmtKind::Repeat(_, body)
        | StmtKind::Stage(_, body) => lets(body),
        StmtKind::Choose { actions, .. } => {
            within(actions.iter().map(|action| &action.body).collect())
        }
        StmtKind::WorkOff(_, arms) => within(arms.iter().map(|(_, body)| body).collect()),
        _ => Vec::new(),
    };
    block.iter().flat_map(of).collect()
}

impl Checker<'_> {
    /// An expression that depends on no other.
    pub(super) fn made(
        &mut self,
        kind: ExprKind,
        ty: Type,
        range: Option<Interval>,
        span: Span,
    ) -> ExprId {
        self.made_of(kind, ty, range, span, &[])
    }

    /// An expression that may do what its parts may.
    pub(super) fn made_of(
        &mut self,
        kind: ExprKind,
        ty: Type,
        range: Option<Interval>,
        span: Span,
        parts: &[ExprId],
    ) -> ExprId {
        let effects = parts.iter().fold(Effects::default(), |all, &part| {
            all.or(self.program[part].effects)
        });
        self.push(Expr {
            kind,
            ty,
            range,
            effects,
            span,
        })
    }

    pub(super) fn literal(&mut self, value: Value, ty: Type, span: Span) -> ExprId {
        let range = match (&value, ty) {
            (Value::Number(number), Type::Number) => Some(Interval::only(*number)),
            _ => None,
        };
        self.made(ExprKind::Literal(value), ty, range, span)
    }

    /// Adds what evaluating an expression does besides its parts.
    pub(super) fn does(&mut self, id: ExprId, effects: Effects) {
        let expr = &mut self.program.exprs[id.at()];
        expr.effects = expr.effects.or(effects);
    }

    pub(super) fn throw_one(&mut self, die: DieId, count: u32, span: Span) -> ExprId {
        let faces = &self.program[die].faces;
        let (low, high) = (faces.iter().min().copied(), faces.iter().max().copied());
        let range = low.zip(high).map(|(low, high)| Interval {
            low: low * i64::from(count),
            high: high * i64::from(count),
        });
        let range = range.filter(|_| self.program[die].from_cells.is_empty());
        let count = self.literal(Value::Number(i64::from(count)), Type::Number, span);
        let id = self.made(
            ExprKind::Throw(Throw::Sum(count, die)),
            Type::Number,
            range,
            span,
        );
        self.does(
            id,
            Effects {
                throws: true,
                ..Effects::default()
            },
        );
        id
    }

    pub(super) fn cell_value(&mut self, table: TableId, cell: CellId, span: Span) -> ExprId {
        let known = &self.program[table];
        let (ty, range) = match known.sort {
            TableSort::List => {
                let rule = &known.kinds[self.program[cell].row as usize];
                (rule.ty, rule.range)
            }
            _ => (known.ty, known.range),
        };
        self.made(ExprKind::Cell(cell), ty, range, span)
    }
}
