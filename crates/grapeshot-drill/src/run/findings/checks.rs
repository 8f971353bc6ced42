//! `check "…" for …:`, worked out.

use crate::message::Message;
use crate::program::ProcedureId;
use crate::run::Rules;
use crate::run::direct::Direct;

pub(super) fn failures(rules: &Rules) -> Vec<Message> {
    let program = rules.program();
    // A check names nothing but what is printed; the procedure lends its sides, which it has none of.
    if program.procedures.is_empty() {
        return Vec::new();
    }
    let direct = Direct::without_units(rules, ProcedureId(0));
    let mut failures = Vec::new();
    for check in &program.checks {
        grapeshot_engine::engine::look_up();
        if let Err((why, span)) = direct.check(check) {
            let message = Message::error(check.span, why);
            failures.push(match span {
                Some(span) => message.also(span, "here"),
                None => message,
            });
        }
    }
    failures
}
