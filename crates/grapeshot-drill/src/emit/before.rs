//! What can be worked out before the first trial: expressions about nothing but units, what never changes of them, and what is
//! printed. They become arrays by unit, or by two units, filled by the same code that would else run in play.

use super::frame::is_pure;
use super::{Held, Out, Scope, Writer};
use crate::program::{
    Block, Conversion, Expr, ExprId, ExprKind, Index, LocalId, ModifierName, ModifiersId, Stmt,
    StmtKind, TextId, Type, walk,
};
use std::collections::{BTreeMap, BTreeSet};

/// The units, by the locals they stand in, that something hangs on.
type Units = BTreeSet<LocalId>;

/// An array that is worked out beforehand.
pub(super) struct Early {
    pub name: String,
    /// The types of the units it is about.
    pub about: Vec<Type>,
    pub held: Held,
}

/// Sets of units by how near they are: for each unit, those with the least, then the next.
pub(super) struct Levels {
    pub name: String,
    pub about: Type,
}

/// Units of which a condition holds: a set, or one for each other unit.
pub(super) struct EarlySet {
    pub name: String,
    /// The function that says it of one.
    pub by: String,
    pub it: Type,
    pub other: Option<Type>,
    /// Whether the element is its first parameter.
    pub it_first: bool,
}

impl<'p> Writer<'p> {
    /// The units an expression hangs on, if it hangs on nothing else that a trial can change.
    fn hangs_on(&mut self, scope: &Scope<'p>, id: ExprId) -> Option<Units> {
        let bound = scope.lets.clone();
        self.units_of(&bound, id)
    }

    fn all_of(&mut self, lets: &Lets, ids: &[ExprId]) -> Option<Units> {
        let mut all = Units::new();
        for &id in ids {
            all.extend(self.units_of(lets, id)?);
        }
        Some(all)
    }

    fn of_index(&mut self, lets: &Lets, index: &Index) -> Option<Units> {
        self.all_of(lets, &crate::run::lower::asked(index))
    }

    fn units_of(&mut self, lets: &Lets, id: ExprId) -> Option<Units> {
        let program = self.program;
        let expr: &'p Expr = &program[id];
        if !is_pure(expr.effects) {
            return None;
        }
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Cell(_) | ExprKind::Side(_) => Some(Units::new()),
            ExprKind::Local(local) => match lets.get(local) {
                Some(known) => known.clone(),
                None if matches!(expr.ty, Type::Unit(_)) => Some(Units::from([*local])),
                None => None,
            },
            ExprKind::Var(var) => (!self.changed_vars.contains(var)).then(Units::new),
            ExprKind::Field(unit, field) => match self.changed_fields.contains(field) {
                true => None,
                false => self.units_of(lets, *unit),
            },
            ExprKind::Enemy(of)
            | ExprKind::SideOf(of)
            | ExprKind::NumberOf(of)
            | ExprKind::UnitsOf(_, of)
            | ExprKind::RecordField(of, _)
            | ExprKind::Held(_, _, of)
            | ExprKind::Unary(_, of)
            | ExprKind::IsWord(of, _)
            | ExprKind::IsNumber(of)
            | ExprKind::IsNobody(of)
            | ExprKind::IsEmpty(of)
            | ExprKind::Rank(of)
            | ExprKind::OfRank(_, of) => self.units_of(lets, *of),
            ExprKind::Convert(conversion, of) if *conversion != Conversion::Thrown => {
                self.units_of(lets, *of)
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Same(a, b)
            | ExprKind::IsIn(a, b) => self.all_of(lets, &[*a, *b]),
            ExprKind::If(a, b, c) => self.all_of(lets, &[*a, *b, *c]),
            ExprKind::Lookup {
                row,
                column,
                otherwise,
                ..
            } => {
                let mut all = self.of_index(lets, row)?;
                all.extend(self.of_index(lets, column)?);
                if let Some(otherwise) = otherwise {
                    all.extend(self.units_of(lets, *otherwise)?);
                }
                Some(all)
            }
            ExprKind::PlaceOf(_, _, index) => self.of_index(lets, index),
            ExprKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                let mut lets = lets.clone();
                let mut all = Units::new();
                if let Some((local, value)) = subject {
                    let known = self.units_of(&lets, *value)?;
                    all.extend(known.iter().copied());
                    lets.insert(*local, Some(known));
                }
                for (condition, value) in arms {
                    all.extend(self.all_of(&lets, &[*condition, *value])?);
                }
                if let Some(otherwise) = otherwise {
                    all.extend(self.units_of(&lets, *otherwise)?);
                }
                Some(all)
            }
            ExprKind::Call(text, arguments) => {
                if !self.text_is_early(*text) {
                    return None;
                }
                let arguments: Vec<ExprId> = arguments.iter().flatten().copied().collect();
                self.all_of(lets, &arguments)
            }
            ExprKind::Modifiers {
                list, arguments, ..
            } => {
                if !self.modifiers_are_early(*list) {
                    return None;
                }
                let arguments: Vec<ExprId> = arguments.iter().flatten().copied().collect();
                self.all_of(lets, &arguments)
            }
            _ => None,
        }
    }

    /// Whether a text gives the same for the same arguments in every trial.
    fn text_is_early(&mut self, text: TextId) -> bool {
        if let Some(&known) = self.early_texts.get(&text) {
            return known;
        }
        let of = &self.program[text];
        let early = is_pure(of.effects) && {
            let mut lets = all_known(usize::from(of.params));
            self.block_is_early(&mut lets, &of.body)
                && of
                    .defaults
                    .iter()
                    .flatten()
                    .all(|id| self.units_of(&lets, *id).is_some())
        };
        self.early_texts.insert(text, early);
        early
    }

    fn modifiers_are_early(&mut self, list: ModifiersId) -> bool {
        let of = &self.program[list];
        let lets = all_known(usize::from(of.params));
        is_pure(of.effects)
            && of.entries.iter().all(|entry| {
                let named = match &entry.name {
                    ModifierName::Of(id) => Some(*id),
                    ModifierName::Fixed(_) => None,
                };
                let all = [Some(entry.value), entry.condition, named];
                all.into_iter()
                    .flatten()
                    .all(|id| self.units_of(&lets, id).is_some())
            })
    }

    fn block_is_early(&mut self, lets: &mut Lets, block: &'p Block) -> bool {
        block.iter().all(|stmt| self.stmt_is_early(lets, stmt))
    }

    fn stmt_is_early(&mut self, lets: &mut Lets, stmt: &'p Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let(local, value) => {
                let known = self.units_of(lets, *value).is_some();
                lets.insert(*local, Some(Units::new()));
                known
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                branches.iter().all(|(condition, block)| {
                    self.units_of(lets, *condition).is_some() && self.block_is_early(lets, block)
                }) && self.block_is_early(lets, otherwise)
            }
            StmtKind::Return(value) => {
                value.is_none_or(|value| self.units_of(lets, value).is_some())
            }
            _ => false,
        }
    }

    /// Whether an expression is more than is read at once.
    fn is_long(&self, id: ExprId) -> bool {
        let mut work = 0;
        self.program.expressions(id, &mut |id| {
            work += match &self.program[id].kind {
                ExprKind::Call(..) | ExprKind::Modifiers { .. } | ExprKind::Lookup { .. } => 4,
                ExprKind::Binary(..)
                | ExprKind::IsWord(..)
                | ExprKind::If(..)
                | ExprKind::Field(..)
                | ExprKind::SideOf(_)
                | ExprKind::PlaceOf(..) => 1,
                _ => 0,
            };
        });
        work >= 3
    }

    /// An expression that can be worked out beforehand, read from where it then stands; nothing if it cannot or need not be.
    pub(super) fn early(&mut self, scope: &mut Scope<'p>, id: ExprId) -> Out<Option<String>> {
        if scope.early || scope.face.is_some() || !self.is_long(id) {
            return Ok(None);
        }
        let expr: &'p Expr = &self.program[id];
        let held = self.held(expr.ty, expr.span)?;
        if matches!(held, Held::Nothing | Held::List(_)) {
            return Ok(None);
        }
        let Some(units) = self.hangs_on(scope, id) else {
            return Ok(None);
        };
        if units.len() > 2 || units.iter().any(|unit| scope.then[usize::from(unit.0)]) {
            return Ok(None);
        }
        let name = self.early_function(scope, id, &units, held)?;
        let locals: Vec<String> = units
            .iter()
            .map(|&local| self.write_local(scope, local))
            .collect();
        let at = self.early_place(&locals);
        let call = format!("{name}(k, s, w, {})", locals.join(", "));
        let read = match units.len() {
            0 => format!("k.{name}"),
            _ => format!("k.{name}[{at}]"),
        };
        let read = match held {
            Held::One => format!("i32::from({read})"),
            _ => read,
        };
        Ok(Some(match self.goes_wrong(id) {
            false => read,
            true => format!("(if k.{name}_wrong {{ {call} }} else {{ {read} }})"),
        }))
    }

    pub(super) fn early_place(&self, locals: &[String]) -> String {
        let mask = self.length - 1;
        match locals {
            [] => String::new(),
            [one] => format!("{one} as usize & {mask}"),
            [one, two, ..] => format!(
                "(({one} as usize & {mask}) << {} | ({two} as usize & {mask}))",
                self.length.trailing_zeros()
            ),
        }
    }

    /// Whether nothing comes of working an expression out but its value.
    pub(super) fn does_nothing(&self, id: ExprId) -> bool {
        is_pure(self.program[id].effects) && !self.goes_wrong(id)
    }

    /// A condition on a unit that follows from it and at most one other alone: as a set, or as one for each of the others.
    pub(super) fn early_set(
        &mut self,
        scope: &mut Scope<'p>,
        it: LocalId,
        id: ExprId,
    ) -> Out<Option<String>> {
        let known = match self.program[id].kind {
            ExprKind::Field(..) | ExprKind::Unary(..) | ExprKind::Or(..) => false,
            _ => !scope.early && scope.face.is_none() && !self.goes_wrong(id),
        };
        let Some(units) = known.then(|| self.hangs_on(scope, id)).flatten() else {
            return Ok(None);
        };
        let others: Vec<LocalId> = units.iter().copied().filter(|unit| *unit != it).collect();
        let then = others.iter().any(|unit| scope.then[usize::from(unit.0)]);
        let ty = scope.locals[usize::from(it.0)].ty;
        if others.len() > 1 || !units.contains(&it) || then || !matches!(ty, Type::Unit(_)) {
            return Ok(None);
        }
        let ordered: Units = units.clone();
        let name = self.early_function(scope, id, &ordered, Held::Flag)?;
        let first = ordered.first() == Some(&it);
        let sets = format!("{name}_set{}", usize::from(first && !others.is_empty()));
        if !self.early_sets.iter().any(|known| known.name == sets) {
            self.early_sets.push(EarlySet {
                name: sets.clone(),
                by: name,
                it: ty,
                other: others
                    .first()
                    .map(|other| scope.locals[usize::from(other.0)].ty),
                it_first: first,
            });
        }
        Ok(Some(match others.first() {
            Some(other) => format!(
                "k.{sets}[{} as usize & {}]",
                self.write_local(scope, *other),
                self.length - 1
            ),
            None => format!("k.{sets}"),
        }))
    }

    /// Whether something can go wrong in an expression, calls included.
    pub(super) fn goes_wrong(&self, id: ExprId) -> bool {
        let mut wrong = false;
        self.program.expressions(id, &mut |id| {
            let expr = &self.program[id];
            wrong |= match &expr.kind {
                ExprKind::Lookup {
                    otherwise, proved, ..
                } => otherwise.is_none() && !proved,
                ExprKind::Binary(op, ..) => {
                    use crate::program::BinaryOp as Op;
                    match op {
                        Op::Less | Op::AtMost | Op::Greater | Op::AtLeast | Op::Min | Op::Max => {
                            false
                        }
                        _ => !super::expr::fits(expr.range),
                    }
                }
                ExprKind::Case { otherwise, .. } => otherwise.is_none(),
                ExprKind::Convert(conversion, _) => matches!(
                    conversion,
                    Conversion::Narrow { .. }
                        | Conversion::Recast { proved: false }
                        | Conversion::Somebody { proved: false }
                        | Conversion::Total
                ),
                ExprKind::PlaceOf(..) | ExprKind::Rank(_) | ExprKind::Spelled(..) => true,
                ExprKind::Call(text, _) => {
                    let mut inside = false;
                    let of = &self.program[*text];
                    walk::statements(&of.body, &mut |stmt| {
                        walk::of_statement(stmt, &mut |id| inside |= self.goes_wrong(id));
                    });
                    inside
                }
                ExprKind::Modifiers { .. } => true,
                _ => false,
            };
        });
        wrong
    }

    /// The function that works an expression out for some units.
    fn early_function(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        units: &Units,
        held: Held,
    ) -> Out<String> {
        let mut inside = scope.alike();
        inside.early = true;
        let mut params = String::new();
        let mut about = Vec::new();
        for &unit in units {
            let name = self.write_local(scope, unit);
            params.push_str(&format!("{name}: i32, "));
            about.push(scope.locals[usize::from(unit.0)].ty);
        }
        // What the expression asks for by name is worked out before it.
        let mut first = String::new();
        let mut needed = Vec::new();
        self.needed(scope, id, &mut needed);
        for (local, value) in needed {
            let code = self.expr(&mut inside, value)?;
            first.push_str(&format!(
                "let {} = {code}; ",
                self.write_local(scope, local)
            ));
        }
        let mut own = String::new();
        self.subjects(id, &mut |local| {
            let ty = scope.locals[usize::from(local.0)].ty;
            if let Ok(held) = self.held(ty, self.program[id].span) {
                let name = self.write_local(scope, local);
                own.push_str(&format!(
                    "let mut {name}: {} = {}; ",
                    held.rust(),
                    held.empty()
                ));
            }
        });
        let code = self.expr(&mut inside, id)?;
        let body = format!("{own}{first}{code}");
        let key = format!("{about:?} {params} {body}");
        if let Some(known) = self.early_names.get(&key) {
            return Ok(known.clone());
        }
        let name = format!("early_{}", self.early_names.len());
        self.functions.push(format!(
            "#[inline(never)] fn {name}(k: &Known, s: &Field, w: &Wrong, {params}) -> {} {{ {body} }}\n",
            held.rust()
        ));
        self.early_names.insert(key, name.clone());
        self.earlies.push(Early {
            name: name.clone(),
            about,
            held,
        });
        Ok(name)
    }

    /// Locals within an expression that it sets itself.
    fn subjects(&self, id: ExprId, act: &mut dyn FnMut(LocalId)) {
        self.program.expressions(id, &mut |id| {
            if let ExprKind::Case {
                subject: Some((local, _)),
                ..
            } = &self.program[id].kind
            {
                act(*local);
            }
        });
    }

    /// Locals that an expression asks for and that follow from units alone, with what they are; those first that others need.
    fn needed(&self, scope: &Scope<'p>, id: ExprId, found: &mut Vec<(LocalId, ExprId)>) {
        let mut locals = Vec::new();
        self.program.expressions(id, &mut |id| {
            if let ExprKind::Local(local) = self.program[id].kind {
                locals.push(local);
            }
        });
        for local in locals {
            if let Some(&value) = scope.values.get(&local)
                && !found.iter().any(|(known, _)| *known == local)
            {
                self.needed(scope, value, found);
                found.push((local, value));
            }
        }
    }

    /// A local that is set once, to what follows from units alone.
    pub(super) fn note_let(&mut self, scope: &mut Scope<'p>, local: LocalId, value: ExprId) {
        let changed = scope.locals[usize::from(local.0)].changed;
        let unit = matches!(scope.locals[usize::from(local.0)].ty, Type::Unit(_));
        if changed || unit {
            return;
        }
        if let Some(units) = self.hangs_on(scope, value) {
            scope.lets.insert(local, Some(units));
            scope.values.insert(local, value);
        }
    }

    /// Where `by` follows from an element and one other unit alone: for that unit, the elements with the least first.
    pub(super) fn levels(
        &mut self,
        scope: &mut Scope<'p>,
        it: LocalId,
        by: ExprId,
    ) -> Out<Option<String>> {
        let Some(units) = self.hangs_on(scope, by) else {
            return Ok(None);
        };
        let others: Vec<LocalId> = units.iter().copied().filter(|unit| *unit != it).collect();
        let ([other], true) = (&others[..], units.contains(&it)) else {
            return Ok(None);
        };
        let ty = scope.locals[usize::from(it.0)].ty;
        if scope.early
            || scope.then[usize::from(other.0)]
            || self.goes_wrong(by)
            || !matches!(ty, Type::Unit(_))
            || self.held(self.program[by].ty, self.program[by].span)? != Held::One
        {
            return Ok(None);
        }
        let mut inside = scope.alike();
        inside.early = true;
        let mut needed = Vec::new();
        self.needed(scope, by, &mut needed);
        if !needed.is_empty() {
            return Ok(None);
        }
        let code = self.expr(&mut inside, by)?;
        let (one, two) = (self.write_local(scope, *other), self.write_local(scope, it));
        let about = scope.locals[usize::from(other.0)].ty;
        let key = format!("{about:?} {one} {two} {code}");
        let name = match self.early_names.get(&key) {
            Some(known) => known.clone(),
            None => {
                let name = format!("levels_{}", self.early_names.len());
                self.functions.push(format!(
                    "#[inline(never)] fn {name}(k: &Known, s: &Field, w: &Wrong, {one}: i32, {two}: i32) -> i32 {{ {code} }}\n"
                ));
                self.early_names.insert(key, name.clone());
                self.leveled.push(Levels {
                    name: name.clone(),
                    about,
                });
                name
            }
        };
        let mask = self.length - 1;
        Ok(Some(format!("k.{name}[{one} as usize & {mask}]")))
    }
}

/// What is known of locals: nothing of what changes in a trial, or the units they follow from.
pub(super) type Lets = BTreeMap<LocalId, Option<Units>>;

/// Parameters, which are what they are.
fn all_known(params: usize) -> Lets {
    let each = (0..params).map(|at| (LocalId(at as u16), Some(Units::new())));
    each.collect()
}
