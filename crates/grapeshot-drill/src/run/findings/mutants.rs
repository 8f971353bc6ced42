//! Texts changed in one place, to see whether an example notices: a modifier left out or always counted, a bound moved by
//! one, a condition turned round, `and` for `or`, a line left out, a number one higher.

use crate::message::Message;
use crate::program::{
    BinaryOp, ExprId, ExprKind, ProcedureId, Program, Stmt, StmtKind, UnaryOp, Value,
};
use crate::run::Rules;
use crate::source::Span;
use rustc_hash::FxHashSet;

/// One change.
enum Mutant {
    /// An entry of modifiers is left out.
    Modifier(usize, usize),
    /// An entry of modifiers counts whatever its condition says.
    Always(usize, usize),
    /// A condition is turned round.
    Not(ExprId),
    /// A comparison takes its bound in, or leaves it out; a number is one higher.
    Expr(ExprId, ExprKind),
    /// A statement of a text (or of a procedure) does nothing: where it stands, told by its span.
    Statement(Place, Span),
}

#[derive(Clone, Copy)]
enum Place {
    Text(usize),
    Procedure(usize),
}

pub(super) fn unheld(rules: &Rules) -> Vec<Message> {
    let program = rules.program();
    if program.examples.is_empty() && program.expects.is_empty() {
        return Vec::new();
    }
    let mut said: FxHashSet<(u16, usize)> = FxHashSet::default();
    let mut unheld = Vec::new();
    for (mutant, span, what, reached) in mutants(program) {
        let line = program.sources.line_and_column(span).0;
        if said.contains(&(span.file.0, line)) || !tested(program, &reached) {
            continue;
        }
        let mut changed = program.clone();
        apply(&mut changed, &mutant);
        if !Rules::new(changed).fails(&reached) {
            said.insert((span.file.0, line));
            let title = format!("no example holds this line: {what}, and none fails");
            unheld.push(Message::warning(span, title));
        }
    }
    unheld
}

/// Whether a test asks a procedure that can come there; what no test is about is said once, for the whole procedure.
fn tested(program: &Program, reached: &[ProcedureId]) -> bool {
    let examples = program.examples.iter().map(|example| &example.question);
    let expects = program.expects.iter().map(|expect| &expect.question);
    let mut asked = examples.chain(expects).map(|question| question.procedure);
    asked.any(|procedure| reached.contains(&procedure))
}

type Found = (Mutant, Span, String, Vec<ProcedureId>);

fn mutants(program: &Program) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for (at, list) in program.modifiers.iter().enumerate() {
        for (number, entry) in list.entries.iter().enumerate() {
            let mut add = |mutant, what: &str| {
                all.push((mutant, entry.span, what.to_owned(), list.reached_by.clone()));
            };
            add(Mutant::Modifier(at, number), "the modifier is left out");
            if entry.condition.is_some() {
                add(Mutant::Always(at, number), "the modifier always counts");
            }
        }
        program.expressions_of_modifiers(list, &mut |id| {
            all.extend(of_expr(program, id, &list.reached_by));
        });
    }
    for (at, text) in program.texts.iter().enumerate() {
        program.expressions_of_text(text, &mut |id| {
            all.extend(of_expr(program, id, &text.reached_by));
        });
        crate::program::walk::statements(&text.body, &mut |stmt| {
            all.extend(of_stmt(stmt, Place::Text(at), &text.reached_by));
        });
    }
    for (at, procedure) in program.procedures.iter().enumerate() {
        let reached = [ProcedureId(at as u32)];
        program.expressions_of(&procedure.body, &mut |id| {
            all.extend(of_expr(program, id, &reached));
        });
        crate::program::walk::statements(&procedure.body, &mut |stmt| {
            all.extend(of_stmt(stmt, Place::Procedure(at), &reached));
        });
    }
    all
}

fn of_expr(program: &Program, id: ExprId, reached: &[ProcedureId]) -> Option<Found> {
    let expr = &program[id];
    let (kind, what) = match &expr.kind {
        ExprKind::And(a, b) => (ExprKind::Or(*a, *b), "`and` becomes `or`".to_owned()),
        ExprKind::Or(a, b) => (ExprKind::And(*a, *b), "`or` becomes `and`".to_owned()),
        ExprKind::If(condition, ..) => {
            let span = program[*condition].span;
            let what = "the condition is turned round".to_owned();
            return Some((Mutant::Not(*condition), span, what, reached.to_vec()));
        }
        ExprKind::Binary(op, a, b) => {
            let (other, was, is) = match op {
                BinaryOp::Less => (BinaryOp::AtMost, "<", "<="),
                BinaryOp::AtMost => (BinaryOp::Less, "<=", "<"),
                BinaryOp::Greater => (BinaryOp::AtLeast, ">", ">="),
                BinaryOp::AtLeast => (BinaryOp::Greater, ">=", ">"),
                _ => return None,
            };
            let what = format!("`{was}` becomes `{is}`");
            (ExprKind::Binary(other, *a, *b), what)
        }
        // The one die of `d6` is no number of the text.
        ExprKind::Literal(Value::Number(number))
            if program.sources.text(expr.span) == number.to_string() =>
        {
            let what = format!("`{number}` becomes `{}`", number + 1);
            (ExprKind::Literal(Value::Number(number + 1)), what)
        }
        _ => return None,
    };
    Some((Mutant::Expr(id, kind), expr.span, what, reached.to_vec()))
}

fn of_stmt(stmt: &Stmt, place: Place, reached: &[ProcedureId]) -> Vec<Found> {
    if let StmtKind::If { branches, .. } = &stmt.kind {
        let each = branches.iter().map(|(condition, _)| {
            let what = "the condition is turned round".to_owned();
            (Mutant::Not(*condition), stmt.span, what, reached.to_vec())
        });
        return each.collect();
    }
    let counts = matches!(
        stmt.kind,
        StmtKind::Set { .. } | StmtKind::Do(_) | StmtKind::Add(..) | StmtKind::Remove(..)
    );
    let found = counts.then(|| {
        let what = "the line is left out".to_owned();
        (
            Mutant::Statement(place, stmt.span),
            stmt.span,
            what,
            reached.to_vec(),
        )
    });
    found.into_iter().collect()
}

fn apply(program: &mut Program, mutant: &Mutant) {
    match mutant {
        Mutant::Modifier(list, entry) => {
            program.modifiers[*list].entries.remove(*entry);
        }
        Mutant::Always(list, entry) => {
            program.modifiers[*list].entries[*entry].condition = None;
        }
        Mutant::Not(id) => {
            let expr = program.exprs[id.at()].clone();
            program.exprs.push(expr);
            let inner = ExprId(program.exprs.len() as u32 - 1);
            program.exprs[id.at()].kind = ExprKind::Unary(UnaryOp::Not, inner);
        }
        Mutant::Expr(id, kind) => program.exprs[id.at()].kind = kind.clone(),
        Mutant::Statement(place, span) => {
            let body = match place {
                Place::Text(at) => &mut program.texts[*at].body,
                Place::Procedure(at) => &mut program.procedures[*at].body,
            };
            remove(body, *span);
        }
    }
}

fn remove(block: &mut Vec<Stmt>, span: Span) {
    block.retain(|stmt| stmt.span != span);
    for stmt in block {
        match &mut stmt.kind {
            StmtKind::If {
                branches,
                otherwise,
            } => {
                branches
                    .iter_mut()
                    .for_each(|(_, block)| remove(block, span));
                remove(otherwise, span);
            }
            StmtKind::Case {
                arms, otherwise, ..
            } => {
                arms.iter_mut().for_each(|(_, block)| remove(block, span));
                otherwise.iter_mut().for_each(|block| remove(block, span));
            }
            StmtKind::For { body, .. }
            | StmtKind::Turns(_, body)
            | StmtKind::Repeat(_, body)
            | StmtKind::Stage(_, body) => remove(body, span),
            StmtKind::Choose { actions, .. } => {
                actions
                    .iter_mut()
                    .for_each(|action| remove(&mut action.body, span));
            }
            StmtKind::WorkOff(_, arms) => {
                arms.iter_mut().for_each(|arm| remove(&mut arm.body, span));
            }
            _ => {}
        }
    }
}
