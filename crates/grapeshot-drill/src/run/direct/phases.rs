//! The stages that a text has, spelled out for all units and words that can stand in their names.

use crate::program::{Block, Procedure, StmtKind, TextPart, Type};
use crate::run::Rules;
use crate::run::layout::Layout;

/// The most names that one line spells.
const MOST_NAMES: usize = 200;

/// The stages of a procedure in the order of its texts, and whether any of them tells anything.
pub(super) fn found(layout: &Layout<'_>) -> (Vec<String>, bool) {
    let procedure = layout.procedure;
    let mut found = (Vec::new(), false);
    search(layout, &procedure.body, &mut found);
    for &text in &procedure.reaches {
        search(layout, &layout.program[text].body, &mut found);
    }
    if found.0.is_empty() {
        found.0.push(procedure.name.to_string());
    }
    found.0.truncate(usize::from(u8::MAX));
    found
}

fn search(layout: &Layout<'_>, block: &Block, found: &mut (Vec<String>, bool)) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Stage(name, body) => {
                for name in spelled(layout, name) {
                    if !found.0.contains(&name) {
                        found.0.push(name);
                    }
                }
                search(layout, body, found);
            }
            StmtKind::Tell { .. } => found.1 = true,
            StmtKind::If {
                branches,
                otherwise,
            } => {
                branches
                    .iter()
                    .for_each(|(_, block)| search(layout, block, found));
                search(layout, otherwise, found);
            }
            StmtKind::Case {
                arms, otherwise, ..
            } => {
                arms.iter()
                    .for_each(|(_, block)| search(layout, block, found));
                otherwise
                    .iter()
                    .for_each(|block| search(layout, block, found));
            }
            StmtKind::For { body, .. } | StmtKind::Repeat(_, body) | StmtKind::Turns(_, body) => {
                search(layout, body, found);
            }
            StmtKind::Choose { actions, .. } => {
                actions
                    .iter()
                    .for_each(|action| search(layout, &action.body, found));
            }
            StmtKind::WorkOff(_, arms) => {
                arms.iter().for_each(|arm| search(layout, &arm.body, found));
            }
            _ => {}
        }
    }
}

/// All names that a stage of a procedure can have.
pub(in crate::run) fn stage_names(
    rules: &Rules,
    procedure: &Procedure,
    name: &[TextPart],
) -> Vec<String> {
    let program = rules.program();
    let pieces = crate::run::units::pieces(program, procedure, &|_| 1);
    let layout = Layout {
        program,
        procedure,
        shapes: &rules.shapes,
        pieces: &pieces,
        heard: None,
        plain: true,
    };
    spelled(&layout, name)
}

/// All names that a line can spell.
fn spelled(layout: &Layout<'_>, name: &[TextPart]) -> Vec<String> {
    let mut names = vec![String::new()];
    for part in name {
        let parts: Vec<String> = match part {
            TextPart::Letters(letters) => vec![letters.to_string()],
            TextPart::Value(id) => {
                let ty = layout.program[*id].ty;
                let count = match ty {
                    Type::Word(of) => layout.program[of].words.len(),
                    Type::Side | Type::MaybeSide => layout.procedure.sides.len(),
                    Type::Unit(_) | Type::MaybeUnit(_) => layout.pieces.len(),
                    _ => 0,
                };
                let of_type = |at: &usize| match ty {
                    Type::Unit(of) | Type::MaybeUnit(of) => layout.pieces[*at].of == of,
                    _ => true,
                };
                let each = (0..count).filter(of_type);
                each.map(|at| layout.letters(ty, &[at as i32])).collect()
            }
        };
        names = names
            .iter()
            .flat_map(|name| parts.iter().map(move |part| format!("{name}{part}")))
            .take(MOST_NAMES)
            .collect();
    }
    names
}
