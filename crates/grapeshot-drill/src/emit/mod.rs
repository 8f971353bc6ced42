//! Writes a simulated procedure of a checked program out as Rust: what a person would have written by hand, only longer.
//!
//! Every text becomes a function, every field an array over the units on the table (flags a bit for each), sets of units are
//! bits. What depends on tables or settings is read from arrays that [`crate::run::native`] fills from the question at hand, so
//! one text of Rust plays all settings and all tables of the same shape. The dice fall in the order in which the
//! interpreter (`run/direct`) throws them, and whatever goes wrong is said with the same words of the same place.
//!
//! What cannot be written out is refused with its line.

mod before;
mod call;
mod convert;
mod dice;
mod expr;
mod frame;
mod list;
mod lookup;
mod pretty;
mod report;
mod spell;
mod stmt;
mod store;
mod unit;
mod whole;

use crate::message::Message;
use crate::program::{
    ExprId, FieldId, LocalId, ModifiersId, ProcedureId, Program, Target, TextId, Type, VarId, walk,
};
use crate::run::layout::{Layout, Piece, Shapes};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

type Out<T> = Result<T, Box<Message>>;

/// How a value stands in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// Nothing, or letters, which nobody hears.
    Nothing,
    /// `bool`.
    Flag,
    /// `i32`.
    One,
    /// `[i32; n]`.
    Parts(usize),
    /// `Set`: a bit for each unit.
    Units,
    /// `u64`: a bit for each word.
    Words,
    /// `List<n>`.
    List(usize),
}

impl Held {
    fn rust(self) -> String {
        match self {
            Held::Nothing => "()".into(),
            Held::Flag => "bool".into(),
            Held::One => "i32".into(),
            Held::Parts(width) => format!("[i32; {width}]"),
            Held::Units => "Set".into(),
            Held::Words => "u64".into(),
            Held::List(width) => format!("List<{width}>"),
        }
    }

    fn empty(self) -> String {
        match self {
            Held::Nothing => "()".into(),
            Held::Flag => "false".into(),
            Held::One | Held::Units | Held::Words => "0".into(),
            Held::Parts(width) => format!("[0; {width}]"),
            Held::List(_) => "List::default()".into(),
        }
    }
}

/// A function that is to be written: a text as it is called somewhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    /// With these arguments left out, and these being units as they were at the start.
    Text(TextId, Vec<bool>, Vec<bool>),
    /// Modifiers: the same, and what is left out of them; their sum, or all of them.
    Modifiers(ModifiersId, Vec<bool>, Vec<bool>, Vec<Arc<str>>, bool),
}

/// What the function at hand knows.
struct Scope<'p> {
    /// Its locals.
    locals: &'p [crate::program::Local],
    /// Before their names.
    prefix: String,
    /// Which of them are units as they were at the start.
    then: Vec<bool>,
    /// It changes nothing: the state is only lent to it.
    pure: bool,
    /// It may end the trial.
    ends: bool,
    /// What is given back: its type.
    returns: Type,
    /// The die that is gone through face by face, if one is.
    face: Option<String>,
    /// Earlier reports, where there are any.
    reports: usize,
    /// It is worked out before the first trial.
    early: bool,
    /// Locals that follow from units alone, and what they are.
    lets: before::Lets,
    values: BTreeMap<LocalId, ExprId>,
}

impl<'p> Scope<'p> {
    fn new(locals: &'p [crate::program::Local], returns: Type) -> Self {
        Scope {
            locals,
            prefix: String::new(),
            then: vec![false; locals.len()],
            pure: false,
            ends: false,
            returns,
            face: None,
            reports: 0,
            early: false,
            lets: before::Lets::new(),
            values: BTreeMap::new(),
        }
    }

    /// The same names, in a function of their own.
    fn alike(&self) -> Self {
        Scope {
            prefix: self.prefix.clone(),
            then: self.then.clone(),
            pure: true,
            lets: self.lets.clone(),
            values: self.values.clone(),
            ..Scope::new(self.locals, self.returns)
        }
    }
}

/// Something that is filled before the first trial.
struct Filled {
    name: String,
    rust: String,
    by: String,
}

/// Writes one procedure.
struct Writer<'p> {
    program: &'p Program,
    layout: Layout<'p>,
    /// So many units there can be; arrays are as long as the next power of two.
    units: usize,
    length: usize,
    /// What some line changes.
    changed_fields: BTreeSet<FieldId>,
    changed_vars: BTreeSet<VarId>,
    /// What is asked for.
    state: BTreeMap<String, Filled>,
    start: BTreeSet<FieldId>,
    known: BTreeMap<String, Filled>,
    troubles: Vec<(String, Span)>,
    queues: BTreeSet<u32>,
    wanted: VecDeque<(Wanted, String)>,
    names: BTreeMap<Wanted, String>,
    statics: BTreeMap<String, String>,
    functions: Vec<String>,
    early_texts: BTreeMap<TextId, bool>,
    early_names: BTreeMap<String, String>,
    earlies: Vec<before::Early>,
    leveled: Vec<before::Levels>,
    early_sets: Vec<before::EarlySet>,
    fresh: u32,
}

/// Writes a procedure out as a module of Rust.
///
/// # Errors
/// If something in it cannot be written out: where, and what.
pub fn emit(program: &Program, id: ProcedureId) -> Result<String, Box<Message>> {
    let procedure = &program[id];
    let shapes = Shapes::new(program);
    let most = |side: usize| most_units(program, procedure, side);
    let pieces: Vec<Piece> = crate::run::units::pieces(program, procedure, &most);
    let layout = Layout {
        program,
        procedure,
        shapes: &shapes,
        pieces: &pieces,
        heard: None,
        plain: false,
    };
    if pieces.len() > 64 {
        return Err(Box::new(Message::error(
            procedure.span,
            "more than 64 units cannot be written out",
        )));
    }
    let mut writer = Writer {
        program,
        layout,
        units: pieces.len(),
        length: pieces.len().next_power_of_two().max(2),
        changed_fields: BTreeSet::new(),
        changed_vars: BTreeSet::new(),
        state: BTreeMap::new(),
        start: BTreeSet::new(),
        known: BTreeMap::new(),
        troubles: Vec::new(),
        queues: BTreeSet::new(),
        wanted: VecDeque::new(),
        names: BTreeMap::new(),
        statics: BTreeMap::new(),
        functions: Vec::new(),
        early_texts: BTreeMap::new(),
        early_names: BTreeMap::new(),
        earlies: Vec::new(),
        leveled: Vec::new(),
        early_sets: Vec::new(),
        fresh: 0,
    };
    writer.find_changes();
    writer.whole()
}

/// The most units a side can have.
fn most_units(program: &Program, procedure: &crate::program::Procedure, side: usize) -> usize {
    let side = &procedure.sides[side];
    if let Some((_, most)) = side.times {
        return most as usize;
    }
    match program[side.side].ty {
        Type::Unit(of) => program[of].line.map_or(1, |line| line.most as usize),
        _ => 1,
    }
}

impl<'p> Writer<'p> {
    fn find_changes(&mut self) {
        let program = self.program;
        let procedure = self.layout.procedure;
        let texts = procedure.reaches.iter().map(|&text| &program[text].body);
        let mut targets = Vec::new();
        for block in texts.chain([&procedure.body]) {
            walk::statements(block, &mut |stmt| match &stmt.kind {
                crate::program::StmtKind::Set { target, .. }
                | crate::program::StmtKind::Add(_, target)
                | crate::program::StmtKind::Remove(_, target) => targets.push(*target),
                _ => {}
            });
            program.expressions_of(block, &mut |id| {
                if let crate::program::ExprKind::Take(_, target) = &program[id].kind {
                    targets.push(*target);
                }
            });
        }
        for target in targets {
            match target {
                Target::Field(_, field) => {
                    self.changed_fields.insert(field);
                }
                Target::Var(var) => {
                    self.changed_vars.insert(var);
                }
                Target::Local(_) => {}
            }
        }
    }

    fn refuse<T>(&self, span: Span, what: &str) -> Out<T> {
        let said = format!("{what} cannot be written out");
        Err(Box::new(Message::error(span, said)))
    }

    /// How values of a type stand in Rust.
    fn held(&self, ty: Type, span: Span) -> Out<Held> {
        Ok(match ty {
            Type::Nothing | Type::Text => Held::Nothing,
            Type::Flag => Held::Flag,
            Type::Units(_) => Held::Units,
            Type::WordSet(words) if self.program[words].words.len() <= 64 => Held::Words,
            Type::WordSet(_) => return self.refuse(span, "a set of more than 64 words"),
            Type::Numbers => Held::List(1),
            Type::Fractions => Held::List(2),
            _ => match self.layout.width(ty) {
                1 => Held::One,
                width => Held::Parts(width),
            },
        })
    }

    /// A name that nothing else has.
    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("x{}", self.fresh)
    }

    /// The number of a trouble; `text` is an expression of type String, which may tell `n`.
    fn trouble(&mut self, text: String, span: Span) -> usize {
        let trouble = (text, span);
        if let Some(at) = self.troubles.iter().position(|known| *known == trouble) {
            return at + 1;
        }
        self.troubles.push(trouble);
        self.troubles.len()
    }

    /// The same where it is always the same letters.
    fn says(&mut self, text: &str, span: Span) -> usize {
        self.trouble(format!("{text:?}.to_owned()"), span)
    }

    /// Something filled beforehand, known by what fills it.
    fn filled(&mut self, hint: &str, rust: &str, by: String) -> String {
        let key = format!("{rust}\n{by}");
        if let Some(known) = self.known.get(&key) {
            return format!("k.{}", known.name);
        }
        let name = format!("{}_{}", letters(hint), self.known.len());
        let filled = Filled {
            name: name.clone(),
            rust: rust.to_owned(),
            by,
        };
        self.known.insert(key, filled);
        format!("k.{name}")
    }

    /// A list that is the same for all questions.
    fn fixed(&mut self, of: &str, items: &[String]) -> String {
        let key = format!("[{of}; {}] = [{}]", items.len(), items.join(", "));
        let at = self.statics.len();
        let name = self
            .statics
            .entry(key)
            .or_insert_with(|| format!("LIST_{at}"));
        name.clone()
    }

    fn write_local(&self, scope: &Scope<'_>, local: LocalId) -> String {
        let name = scope.locals.get(usize::from(local.0));
        let name = name.map_or("", |local| &*local.name);
        format!("{}{}{}", scope.prefix, letters(name), local.0)
    }
}

/// Letters that can be part of a name in Rust.
fn letters(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut made: String = name.chars().map(plain).collect();
    made.make_ascii_lowercase();
    if !made.starts_with(|c: char| c.is_ascii_alphabetic()) {
        made.insert(0, 'l');
    }
    made
}

/// A type as Rust says it.
fn type_of(ty: Type) -> String {
    format!("Type::{ty:?}")
}

/// Parts as Rust says them.
fn parts_of(parts: &[i32]) -> String {
    let mut text = String::from("[");
    for part in parts {
        let _ = write!(text, "{part}, ");
    }
    text.push(']');
    text
}
