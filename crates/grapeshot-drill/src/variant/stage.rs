//! Edits of a text by the names of its stages, which players see anyway.

use super::Edited;
use crate::message::Message;
use crate::tree::*;

pub(super) fn is_stage(stmt: &Stmt, name: &str) -> bool {
    matches!(&stmt.kind, StmtKind::Stage(stage, _) if *stage.raw.text == *name)
}

/// The block that has a stage of this name directly in it.
pub(super) fn block_with<'b>(block: &'b mut Block, name: &str) -> Option<&'b mut Block> {
    if block.iter().any(|stmt| is_stage(stmt, name)) {
        return Some(block);
    }
    block.iter_mut().find_map(|stmt| match &mut stmt.kind {
        StmtKind::If {
            branches,
            otherwise,
        } => branches
            .iter_mut()
            .map(|(_, block)| block)
            .chain(otherwise)
            .find_map(|block| block_with(block, name)),
        StmtKind::For { body, .. }
        | StmtKind::Turns(_, body)
        | StmtKind::Repeat(_, body)
        | StmtKind::Stage(_, body) => block_with(body, name),
        StmtKind::Choose { actions, .. } => actions
            .iter_mut()
            .find_map(|action| block_with(&mut action.body, name)),
        _ => None,
    })
}

pub(super) fn change_stage(body: &mut Block, step: &Step) -> Edited {
    let missing = |name: &Name| {
        Box::new(Message::error(
            name.span,
            format!("there is no stage \"{name}\" here"),
        ))
    };
    let stage = &step.stage;
    let moved = match &step.kind {
        StepKind::MoveBefore(moved) | StepKind::MoveAfter(moved) => {
            let block = block_with(body, moved).ok_or_else(|| missing(moved))?;
            let at = block
                .iter()
                .position(|stmt| is_stage(stmt, moved))
                .unwrap_or(0);
            Some(block.remove(at))
        }
        _ => None,
    };
    let block = block_with(body, stage).ok_or_else(|| missing(stage))?;
    let at = block
        .iter()
        .position(|stmt| is_stage(stmt, stage))
        .unwrap_or(0);
    match &step.kind {
        StepKind::MoveBefore(_) => block.splice(at..at, moved).for_each(drop),
        StepKind::MoveAfter(_) => block.splice(at + 1..at + 1, moved).for_each(drop),
        StepKind::Before(new) => block.splice(at..at, new.iter().cloned()).for_each(drop),
        StepKind::After(new) => block
            .splice(at + 1..at + 1, new.iter().cloned())
            .for_each(drop),
        StepKind::Replace(new) => block.splice(at..=at, new.iter().cloned()).for_each(drop),
    }
    Ok(())
}
