//! The whole module: state, what is known, the texts, and the engine's playout.

use super::before::Early;
use super::{Out, Scope, Writer, pretty};
use crate::program::Type;
use std::fmt::Write;

impl<'p> Writer<'p> {
    pub(super) fn whole(&mut self) -> Out<String> {
        let procedure = self.layout.procedure;
        let mut scope = Scope {
            ends: true,
            ..Scope::new(&procedure.locals, Type::Nothing)
        };
        let mut body = String::from(
            "fn whole<D: Dice>(k: &Known, s: &mut Field, w: &Wrong, d: &mut D) -> Result<(), Ended> {\n",
        );
        body.push_str(&self.declared(&scope, &[])?);
        body.push_str(&self.block(&mut scope, &procedure.body)?);
        body.push_str("Ok(())\n}\n");
        let reports = self.reports()?;
        while let Some((wanted, name)) = self.wanted.pop_front() {
            self.function(&wanted, &name)?;
        }
        let mut text = String::from(HEAD);
        let set = if self.length <= 32 { "u32" } else { "u64" };
        let _ = writeln!(text, "type Set = {set};\n");
        for (list, name) in &self.statics {
            let _ = writeln!(text, "static {name}: {list};");
        }
        text.push_str(&self.structs());
        text.push_str(&self.constructor());
        text.push_str(&self.troubles_said());
        text.push_str(&body);
        text.push_str(&reports);
        for function in &self.functions {
            text.push_str(function);
        }
        text.push_str(PLAYOUT);
        Ok(pretty::pretty(&text))
    }

    fn structs(&self) -> String {
        let mut text =
            String::from("/// What changes in a trial.\n#[derive(Clone, Copy)]\nstruct Now {\n");
        for filled in self.state.values() {
            let _ = writeln!(text, "{}: {},", filled.name, filled.rust);
        }
        text.push_str(
            "}\n/// What units were at the start.\n#[derive(Clone, Copy)]\nstruct Then {\n",
        );
        let start = || {
            self.start
                .iter()
                .filter_map(|field| self.state.get(&format!("f{}", field.0)))
        };
        for filled in start() {
            let _ = writeln!(text, "{}: {},", filled.name, filled.rust);
        }
        text.push_str("}\n/// What a trial works on.\npub struct Field {\nn: Now,\nt: Then,\nclock: Clock,\nwrong: Wrong,\nchances: Chances,\ntold: Option<Table>,\n");
        for queue in &self.queues {
            let width = self.event_widths(*queue);
            let _ = writeln!(text, "q{queue}: VecDeque<(u32, [i64; {width}])>,");
        }
        text.push_str("}\nimpl Field {\n/// Units as they are now are those of the start.\nfn begin(&mut self) {\nself.clock.started = true;\n");
        for filled in start() {
            let _ = writeln!(text, "self.t.{0} = self.n.{0};", filled.name);
        }
        text.push_str("}\n}\n/// What is known before the first trial.\nstruct Known {\nfirst: Now,\nthen: Then,\n");
        for filled in self.known.values() {
            let _ = writeln!(text, "{}: {},", filled.name, filled.rust);
        }
        for early in &self.earlies {
            let _ = writeln!(text, "{}: {},", early.name, self.early_type(early));
            let _ = writeln!(text, "{}_wrong: bool,", early.name);
        }
        for levels in &self.leveled {
            let _ = writeln!(text, "{0}: [[Set; {1}]; {1}],", levels.name, self.length);
        }
        for set in &self.early_sets {
            let _ = match set.other {
                Some(_) => writeln!(text, "{}: [Set; {}],", set.name, self.length),
                None => writeln!(text, "{}: Set,", set.name),
            };
        }
        text.push_str("}\n");
        text
    }

    fn early_type(&self, early: &Early) -> String {
        let one = early.held.rust();
        match early.about.len() {
            0 => one,
            1 => format!("[{one}; {}]", self.length),
            _ => format!("[{one}; {}]", self.length * self.length),
        }
    }

    /// Works out what can be beforehand, until nothing changes: one may need another.
    fn worked_out(&self) -> String {
        let mut text = String::from(
            "fn work_out(&mut self, fill: &Filler<'_>) {\nlet s = self.field();\nfor _ in 0..16 {\nlet mut same = true;\n",
        );
        for early in &self.earlies {
            let name = &early.name;
            let loops: String = ["a", "b"]
                .iter()
                .zip(&early.about)
                .map(|(one, ty)| format!("for {one} in fill.there({}) {{ ", super::type_of(*ty)))
                .collect();
            let names = ["a".to_owned(), "b".to_owned()];
            let names = &names[..early.about.len()];
            let at = match early.about.len() {
                0 => String::new(),
                _ => format!("[{}]", self.early_place(names)),
            };
            let ends = "} ".repeat(early.about.len());
            let _ = writeln!(
                text,
                "{{ let w = Wrong::default(); {loops} let made = {name}(self, &s, &w, {}); if self.{name}{at} != made {{ self.{name}{at} = made; same = false; }} {ends} if self.{name}_wrong != w.any() {{ self.{name}_wrong = w.any(); same = false; }} }}",
                names.join(", ")
            );
        }
        text.push_str("if same { break; }\n}\n");
        for levels in &self.leveled {
            let _ = writeln!(
                text,
                "for a in fill.there({}) {{ let w = Wrong::default(); let made = fill.levels(|b| {}(self, &s, &w, a, b)); self.{}[a as usize & {}] = made.map(|set| set as Set); }}",
                super::type_of(levels.about),
                levels.name,
                levels.name,
                self.length - 1
            );
        }
        for set in &self.early_sets {
            let (outer, place, names) = match set.other {
                Some(other) => (
                    format!("for b in fill.there({})", super::type_of(other)),
                    format!("[b as usize & {}]", self.length - 1),
                    if set.it_first { "a, b" } else { "b, a" },
                ),
                None => (String::new(), String::new(), "a"),
            };
            let _ = writeln!(
                text,
                "{outer} {{ let w = Wrong::default(); let mut set: Set = 0; for a in fill.there({}) {{ if {}(self, &s, &w, {names}) {{ set |= 1 << a; }} }} self.{}{place} = set; }}",
                super::type_of(set.it),
                set.by,
                set.name
            );
        }
        text.push_str("}\n");
        text
    }

    fn event_widths(&self, queue: u32) -> usize {
        self.event_width(crate::program::QueueId(queue))
    }

    fn constructor(&self) -> String {
        let mut text =
            String::from("impl Known {\nfn new(fill: &Filler<'_>) -> Self {\nlet first = Now {\n");
        for filled in self.state.values() {
            let _ = writeln!(text, "{}: {},", filled.name, filled.by);
        }
        text.push_str("};\nlet mut known = Known {\nthen: Then {\n");
        for field in &self.start {
            if let Some(filled) = self.state.get(&format!("f{}", field.0)) {
                let _ = writeln!(text, "{0}: first.{0},", filled.name);
            }
        }
        text.push_str("},\nfirst,\n");
        for filled in self.known.values() {
            let _ = writeln!(text, "{}: {},", filled.name, filled.by);
        }
        for early in &self.earlies {
            let empty = early.held.empty();
            let _ = match early.about.len() {
                0 => writeln!(text, "{}: {empty},", early.name),
                1 => writeln!(text, "{}: [{empty}; {}],", early.name, self.length),
                _ => writeln!(
                    text,
                    "{}: [{empty}; {}],",
                    early.name,
                    self.length * self.length
                ),
            };
            let _ = writeln!(text, "{}_wrong: false,", early.name);
        }
        for levels in &self.leveled {
            let _ = writeln!(text, "{0}: [[0; {1}]; {1}],", levels.name, self.length);
        }
        for set in &self.early_sets {
            let _ = match set.other {
                Some(_) => writeln!(text, "{}: [0; {}],", set.name, self.length),
                None => writeln!(text, "{}: 0,", set.name),
            };
        }
        text.push_str("};\nknown.work_out(fill);\nknown\n}\n");
        text.push_str(&self.worked_out());
        text.push_str("fn field(&self) -> Field {\nField {\nn: self.first,\nt: self.then,\nclock: Clock::default(),\nwrong: Wrong::default(),\nchances: Chances::default(),\ntold: None,\n");
        for queue in &self.queues {
            let _ = writeln!(text, "q{queue}: VecDeque::new(),");
        }
        text.push_str("}\n}\nfn set_up(&self, s: &mut Field) {\ns.n = self.first;\ns.clock = Clock::default();\n");
        for queue in &self.queues {
            let _ = writeln!(text, "s.q{queue}.clear();");
        }
        text.push_str("}\n}\n");
        text
    }

    fn troubles_said(&self) -> String {
        let mut text = String::from(
            "/// What is said of a trouble, and where.\n#[cold]\nfn said(fill: &Filler<'_>, trouble: u32, n: i32, m: i32) -> (String, Span) {\nlet _ = (fill, n, m);\nmatch trouble {\n",
        );
        for (at, (said, span)) in self.troubles.iter().enumerate() {
            let _ = writeln!(
                text,
                "{} => ({said}, place({}, {}, {})),",
                at + 1,
                span.file.0,
                span.start,
                span.end
            );
        }
        text.push_str("_ => (String::new(), place(0, 0, 0)),\n}\n}\n");
        text
    }
}

const HEAD: &str = "// Written by grapeshot-drill: change the text, not this.

use grapeshot_drill::program::{BinaryOp, CellId, DieId, ExprId, FieldId, MixedId, RecordId, TableId, Type, UnitTypeId, VarId, WordsId};
use grapeshot_drill::run::Direct;
use grapeshot_drill::run::direct::Table;
use grapeshot_drill::run::native::{Chances, Clock, DiceOfCell, Ended, Filler, Handful, List, Part, Wrong, divide_down, divide_up, fold, less, no_chance, place, same};
use grapeshot_drill::source::Span;
use grapeshot_engine::Dice;
use grapeshot_engine::engine::{End, Note, Playout, Row, Teller};
use std::collections::VecDeque;
use std::sync::Arc;

";

const PLAYOUT: &str = "
/// The procedure, ready to be played.
pub struct Native {
direct: Direct,
known: Known,
}
impl Native {
/// From a question whose table is set; the question itself where it cannot be played by this code.
///
/// # Errors
/// If something of it does not fit.
pub fn new(direct: Direct) -> Result<Self, Box<Direct>> {
let fill = Filler::new(&direct);
let known = Known::new(&fill);
match fill.done() {
true => Ok(Native { direct, known }),
false => Err(Box::new(direct)),
}
}
}
impl Playout for Native {
type Field = Field;
fn phases(&self) -> Vec<&str> { self.direct.phases() }
fn variables(&self) -> usize { Playout::variables(&self.direct) }
fn why_never_solved(&self) -> String { self.direct.why_never_solved() }
fn trouble(&self) -> Option<String> { self.direct.trouble() }
fn notes(&self) -> Vec<Note> { Playout::notes(&self.direct) }
fn field(&self) -> Field { self.known.field() }
fn play<D: Dice, T: Teller>(&self, s: &mut Field, d: &mut D, teller: &mut T) -> End {
if teller.listens() {
let table = s.told.get_or_insert_with(Table::default);
return self.direct.play(table, d, teller);
}
let k = &self.known;
let w = std::mem::take(&mut s.wrong);
k.set_up(s);
let _ = whole(k, s, &w, d);
let row = match w.any() { true => Row::default(), false => row(k, s, &w, d) };
if w.any() {
let (trouble, n, m) = w.take();
let (text, span) = said(&Filler::new(&self.direct), trouble, n, m);
self.direct.note(text, span);
return End { row: Row::default(), phase: 0 };
}
End { row, phase: s.clock.ended_in }
}
}
";
