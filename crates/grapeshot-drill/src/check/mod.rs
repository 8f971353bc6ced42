//! From tree to program: names, types by what is expected, ranges, exhaustive cases, ends.
//!
//! The passes, each in files of its own, and why in this order:
//! 1. `declared`: gather all items, because they stand in any order;
//! 2. words, records, tables, dice (`words`, `record`, `cell`, `table`): they need nothing of the text but constants;
//! 3. units, settings (`unit`) and headers (`header`, `report`): what there is to name;
//! 4. the graph of calls (`graph`): no recursion, and which procedures come where;
//! 5. texts, callees first (`text`, `stmt`, `expr` …), then procedures (`procedure`);
//! 6. ends (`ends`) and tests (`tests`).

mod axis;
mod bare;
mod built_in;
mod call;
mod case;
mod cell;
mod change;
mod compare;
mod constant;
mod convert;
mod declared;
mod ends;
mod expr;
mod fact;
mod field;
mod flow;
mod graph;
mod header;
mod interval;
mod key;
mod kind;
mod lookup;
mod name;
mod procedure;
mod quantify;
mod queue;
mod record;
mod report;
mod scope;
mod stmt;
mod table;
mod template;
mod tests;
mod text;
mod unit;
mod words;

use crate::message::{Message, Messages};
use crate::nearest::nearest;
use crate::printed::{Laid, Printed};
use crate::program::*;
use crate::source::{Sources, Span};
use crate::tree;
use declared::Declared;
use std::collections::HashMap;
use std::sync::Arc;

/// What is given back where something cannot be checked; the message is already made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop;

type Checked<T> = Result<T, Stop>;

/// Checks a ruleset: its items, those of its variants applied, and what it prints.
///
/// # Errors
/// All that is wrong, in the order of the text.
pub fn check(
    items: &[tree::Item],
    printed: &Printed,
    sources: &Sources,
) -> Result<(Program, Vec<Message>), Vec<Message>> {
    let mut checker = Checker::new(printed, sources);
    checker.run(items);
    let messages = checker.messages;
    if messages.has_errors() {
        return Err(messages.sorted());
    }
    Ok((checker.program, messages.sorted()))
}

/// What is known while a ruleset is checked.
struct Checker<'t> {
    program: Program,
    messages: Messages,
    declared: Declared<'t>,
    printed: &'t Printed,
    /// Cells that stand in texts, in order: of two of one place the later holds.
    laid: Vec<Laid>,
    sources: &'t Sources,
    /// Types by name.
    types: HashMap<Arc<str>, Named>,
    /// Words that a kind lists itself, by their letters.
    anonymous: HashMap<Vec<Arc<str>>, WordsId>,
    mixed: HashMap<Mixed, MixedId>,
    dice: HashMap<Arc<str>, DieId>,
    /// Grids, lists and assumptions; a grid and a list may have one name.
    grids: HashMap<Arc<str>, TableId>,
    lists: HashMap<Arc<str>, TableId>,
    assumptions: HashMap<Arc<str>, TableId>,
    /// What parameters of a name are.
    called: HashMap<Arc<str>, UnitTypeId>,
    /// Fields of units that set others: `strength sets sp`.
    aliases: HashMap<(UnitTypeId, Arc<str>), unit::Alias>,
    fields: HashMap<(UnitTypeId, Arc<str>), FieldId>,
    vars: HashMap<(Arc<str>, Type), VarId>,
    /// What fields and variables are where no default is said: 0 or the least, false, the first word.
    first_of_field: HashMap<FieldId, Value>,
    first_of_var: HashMap<VarId, Value>,
    /// Variables that every procedure has.
    common: HashMap<Arc<str>, VarId>,
    texts: HashMap<Arc<str>, graph::Callee>,
    /// What each text calls directly, and where.
    direct_calls: HashMap<graph::Callee, Vec<(graph::Callee, Span)>>,
    queues: HashMap<Arc<str>, QueueId>,
    /// What each procedure has, by name.
    names: Vec<HashMap<Arc<str>, name::Named>>,
    signatures: Vec<text::Signature>,
    modifier_signatures: Vec<text::Signature>,
    /// Headers, until their formulas are checked.
    drafts: Vec<(usize, header::Draft<'t>)>,
    /// Defaults of keys that are no constants: procedure, key, expression.
    later_defaults: Vec<(usize, usize, &'t tree::Expr)>,
}

/// What a type's name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Words(WordsId),
    Record(RecordId),
    Unit(UnitTypeId),
}

impl<'t> Checker<'t> {
    fn new(printed: &'t Printed, sources: &'t Sources) -> Self {
        let mut checker = Checker {
            program: Program {
                sources: sources.clone(),
                ..Program::default()
            },
            messages: Messages::default(),
            declared: Declared::default(),
            printed,
            laid: printed.laid.clone(),
            sources,
            types: HashMap::new(),
            anonymous: HashMap::new(),
            mixed: HashMap::new(),
            dice: HashMap::new(),
            grids: HashMap::new(),
            lists: HashMap::new(),
            assumptions: HashMap::new(),
            called: HashMap::new(),
            aliases: HashMap::new(),
            fields: HashMap::new(),
            vars: HashMap::new(),
            first_of_field: HashMap::new(),
            first_of_var: HashMap::new(),
            common: HashMap::new(),
            texts: HashMap::new(),
            direct_calls: HashMap::new(),
            queues: HashMap::new(),
            names: Vec::new(),
            signatures: Vec::new(),
            modifier_signatures: Vec::new(),
            drafts: Vec::new(),
            later_defaults: Vec::new(),
        };
        checker.built_in_words();
        checker
    }

    /// All passes; one that meets errors lets the next go on only as far as nothing is said twice.
    fn run(&mut self, items: &'t [tree::Item]) {
        self.gather(items);
        self.declare_words();
        self.declare_unit_names();
        self.declare_records();
        self.declare_tables();
        self.declare_dice();
        self.declare_units();
        if self.messages.has_errors() {
            return;
        }
        self.declare_queues();
        self.declare_procedures();
        if self.messages.has_errors() {
            return;
        }
        self.declare_texts();
        if self.messages.has_errors() {
            return;
        }
        self.check_texts();
        self.check_formulas_of_units();
        self.check_procedures();
        self.check_checks();
        if self.messages.has_errors() {
            return;
        }
        self.check_ends();
        self.check_tests();
    }

    fn say(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Says what is wrong and gives up on it.
    fn fail<T>(&mut self, message: Message) -> Checked<T> {
        self.messages.push(message);
        Err(Stop)
    }

    fn error<T>(&mut self, span: Span, title: impl Into<String>) -> Checked<T> {
        self.fail(Message::error(span, title))
    }

    /// Says that there is no such thing, and what was probably meant.
    fn unknown<'n, T>(
        &mut self,
        name: &tree::Name,
        what: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Checked<T> {
        let meant = nearest(name, known).map(|meant| format!("did you mean `{meant}`?"));
        self.fail(
            Message::error(name.span, format!("there is no {what} `{name}`")).maybe_help(meant),
        )
    }

    fn push(&mut self, expr: Expr) -> ExprId {
        self.program.exprs.push(expr);
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    fn ty(&self, id: ExprId) -> Type {
        self.program[id].ty
    }

    fn range_of(&self, id: ExprId) -> Option<Interval> {
        self.program[id].range
    }

    fn span_of(&self, id: ExprId) -> Span {
        self.program[id].span
    }
}
