//! What no line reads, makes or calls: from the program alone.

use crate::message::Message;
use crate::program::{
    ExprId, ExprKind, FieldId, KeyAlternative, KeyTarget, Procedure, Program, Target, Type, Value,
    VarId, WordId, WordsId, walk,
};
use rustc_hash::FxHashSet;

pub(super) fn found(program: &Program) -> Vec<Message> {
    let mut found = Vec::new();
    keys(program, &mut found);
    words(program, &mut found);
    uncalled(program, &mut found);
    turns(program, &mut found);
    found
}

/// What the lines of a procedure, and those it can come to, read.
#[derive(Default)]
struct Read {
    fields: FxHashSet<FieldId>,
    vars: FxHashSet<VarId>,
}

fn read_by(program: &Program, procedure: &Procedure, at: usize) -> Read {
    let mut read = Read::default();
    let mut note = |id: ExprId| match &program[id].kind {
        ExprKind::Field(_, field) => {
            read.fields.insert(*field);
        }
        ExprKind::Var(var) => {
            read.vars.insert(*var);
        }
        ExprKind::Take(_, Target::Field(_, field)) => {
            read.fields.insert(*field);
        }
        ExprKind::Take(_, Target::Var(var)) => {
            read.vars.insert(*var);
        }
        _ => {}
    };
    program.expressions_of_procedure(procedure, &mut note);
    let comes_here = |by: &[crate::program::ProcedureId]| by.iter().any(|id| id.at() == at);
    for text in program
        .texts
        .iter()
        .filter(|text| comes_here(&text.reached_by))
    {
        program.expressions_of_text(text, &mut note);
    }
    for list in program
        .modifiers
        .iter()
        .filter(|list| comes_here(&list.reached_by))
    {
        program.expressions_of_modifiers(list, &mut note);
    }
    // What something begins as may be asked of a key.
    for formula in program.vars.iter().filter_map(|var| var.default.as_ref()) {
        program.expressions(formula.value, &mut note);
    }
    for formula in program
        .fields
        .iter()
        .filter_map(|field| field.default.as_ref())
    {
        program.expressions(formula.value, &mut note);
    }
    for key in &procedure.keys {
        if let crate::program::KeyDefault::Formula(formula) = &key.default {
            program.expressions(formula.value, &mut note);
        }
    }
    // How many units there are is read by all who are there.
    for side in &procedure.sides {
        read.vars.extend(side.times.map(|(var, _)| var));
        if let Type::Unit(of) = program[side.side].ty {
            read.fields.extend(program[of].line.map(|line| line.times));
        }
    }
    read
}

/// Keys that nothing reads.
fn keys(program: &Program, found: &mut Vec<Message>) {
    for (at, procedure) in program.procedures.iter().enumerate() {
        let read = read_by(program, procedure, at);
        for key in &procedure.keys {
            let is_read = match key.sets {
                KeyTarget::Var(var) => read.vars.contains(&var),
                KeyTarget::Field(_, field)
                | KeyTarget::Member(_, _, field)
                | KeyTarget::Members(_, field) => read.fields.contains(&field),
            };
            if !is_read {
                let title = format!(
                    "the key `{}` of `{}` has no effect: no line that it comes to reads it",
                    key.name, procedure.name
                );
                found.push(Message::warning(key.span, title));
            }
        }
    }
}

/// Words that no key, cell, default or line makes.
fn words(program: &Program, found: &mut Vec<Message>) {
    let mut made: FxHashSet<WordId> = FxHashSet::default();
    let mut whole: FxHashSet<WordsId> = FxHashSet::default();
    fn note(value: &Value, made: &mut FxHashSet<WordId>) {
        match value {
            Value::Word(word) => {
                made.insert(*word);
            }
            Value::Record(record) => record.fields.iter().for_each(|value| note(value, made)),
            Value::List(values) => values.iter().for_each(|value| note(value, made)),
            _ => {}
        }
    }
    for procedure in &program.procedures {
        for alternative in procedure.keys.iter().flat_map(|key| &key.kind) {
            if let KeyAlternative::Word(_, value) = alternative {
                note(value, &mut made);
            }
        }
        let fixed = procedure.fixed.iter();
        fixed.for_each(|(_, value)| note(value, &mut made));
    }
    program
        .cells
        .iter()
        .for_each(|cell| note(&cell.value, &mut made));
    for table in &program.tables {
        let results = table.by_faces.iter().flat_map(|(_, results)| results);
        results.for_each(|value| note(value, &mut made));
    }
    for record in &program.records {
        record
            .fields
            .iter()
            .for_each(|field| note(&field.default, &mut made));
    }
    for expr in &program.exprs {
        match &expr.kind {
            ExprKind::Literal(value) => note(value, &mut made),
            // What is spelled, stepped or taken from words with the same letters may be any of them.
            ExprKind::Spelled(of, _) | ExprKind::OfRank(of, _) => {
                whole.insert(*of);
            }
            ExprKind::Convert(..) => {
                if let Type::Word(of) = expr.ty {
                    whole.insert(of);
                }
            }
            _ => {}
        }
    }
    for (at, words) in program.words.iter().enumerate().skip(3) {
        let of = WordsId(at as u32);
        // Words that stand in no place of their own are labels, headings, and what a kind lists.
        if whole.contains(&of) || words.name.is_empty() {
            continue;
        }
        let never = (0..words.words.len() as u16).filter(|&at| !made.contains(&WordId { of, at }));
        let never: Vec<String> = never
            .map(|at| format!("`{}`", words.words[at as usize]))
            .collect();
        if !never.is_empty() && never.len() < words.words.len() {
            let title = format!(
                "nothing is ever {}: no key, cell or line makes it so",
                never.join(" or ")
            );
            found.push(Message::warning(words.span, title));
        }
    }
}

/// Texts and modifiers that nobody calls.
fn uncalled(program: &Program, found: &mut Vec<Message>) {
    let mut called_texts = FxHashSet::default();
    let mut called_lists = FxHashSet::default();
    for expr in &program.exprs {
        match &expr.kind {
            ExprKind::Call(text, _) => {
                called_texts.insert(*text);
            }
            ExprKind::Modifiers { list, .. } => {
                called_lists.insert(*list);
            }
            _ => {}
        }
    }
    for (at, text) in program.texts.iter().enumerate() {
        let id = crate::program::TextId(at as u32);
        if !called_texts.contains(&id) && !text.name.starts_with("printed ") {
            let title = format!("nobody calls `{}`", text.name);
            found.push(Message::warning(text.span, title));
        }
    }
    for (at, list) in program.modifiers.iter().enumerate() {
        let id = crate::program::ModifiersId(at as u32);
        if !called_lists.contains(&id) && !list.name.starts_with("printed ") {
            let title = format!("nobody asks for the modifiers `{}`", list.name);
            found.push(Message::warning(list.span, title));
        }
    }
}

/// Lines that make the turn part of a state.
fn turns(program: &Program, found: &mut Vec<Message>) {
    let mut asked = FxHashSet::default();
    for (at, procedure) in program.procedures.iter().enumerate() {
        let mut has_turns = false;
        walk::statements(&procedure.body, &mut |stmt| {
            has_turns |= matches!(stmt.kind, crate::program::StmtKind::Turns(..));
        });
        if procedure.simulated || !has_turns {
            continue;
        }
        let mut note = |id: ExprId| {
            if let ExprKind::Turn = program[id].kind {
                asked.insert(program[id].span);
            }
        };
        program.expressions_of(&procedure.body, &mut note);
        for text in &program.texts {
            if text.reached_by.iter().any(|id| id.at() == at) {
                program.expressions_of_text(text, &mut note);
            }
        }
    }
    for span in asked {
        let message = Message::warning(
            span,
            "the turn is asked for here, so it is part of every state",
        );
        found.push(message.note(
            "turns that only a report asks for are counted beside the states, and share them",
        ));
    }
}
