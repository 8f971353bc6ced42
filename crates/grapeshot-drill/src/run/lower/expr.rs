//! Expressions.

use super::{Bound, Halt, Lower, Lowered};
use crate::program::{
    Conversion, Expr, ExprId, ExprKind, FieldId, LocalId, Target, Type, Value, VarId,
};
use crate::run::code::Op;
use crate::run::reads::Read;
use crate::run::value::{Entry, Numbers, Operand, Operands, Slots, Val};
use smallvec::smallvec;

impl<'p> Lower<'p> {
    /// The value of an expression.
    pub(super) fn expr(&mut self, id: ExprId) -> Lowered<Val> {
        let program = self.layout.program;
        let expr: &'p Expr = &program[id];
        if !self.alive {
            return Ok(self.never(expr.ty));
        }
        let outer = std::mem::replace(&mut self.span, expr.span);
        self.worked(1)?;
        let value = self.deeper(|low| low.expr_kind(expr));
        if value.is_ok() {
            self.span = outer;
        }
        value
    }

    /// The values of expressions from the left; what a later one could change is kept as it was.
    pub(super) fn exprs(&mut self, ids: &[ExprId]) -> Lowered<Vec<Val>> {
        let mut values = Vec::with_capacity(ids.len());
        for (at, &id) in ids.iter().enumerate() {
            let value = self.expr(id)?;
            let mut later = ids[at + 1..].iter();
            let kept = match later.any(|&id| self.disturbs(id)) {
                true => self.keep(value)?,
                false => value,
            };
            values.push(kept);
        }
        Ok(values)
    }

    /// Whether working this out may change what was worked out before it.
    pub(super) fn disturbs(&self, id: ExprId) -> bool {
        let effects = self.layout.program[id].effects;
        effects.changes || (self.ways.one_by_one && effects.throws)
    }

    fn two(&mut self, a: ExprId, b: ExprId) -> Lowered<(Val, Val)> {
        let first = self.expr(a)?;
        let first = match self.disturbs(b) {
            true => self.keep(first)?,
            false => first,
        };
        Ok((first, self.expr(b)?))
    }

    fn expr_kind(&mut self, expr: &'p Expr) -> Lowered<Val> {
        let layout = self.layout;
        let program = layout.program;
        let ty_of = |id: ExprId| program[id].ty;
        match &expr.kind {
            ExprKind::Literal(Value::Text(text)) => Ok(Val::Text(text.to_string())),
            ExprKind::Literal(Value::List(values)) if expr.ty == Type::Numbers => {
                let entries = layout.numbers(values).into_iter();
                let entry = |number: Numbers| Entry {
                    counts: Operand::Known(1),
                    value: number.into_iter().map(Operand::Known).collect(),
                };
                Ok(Val::List(entries.map(entry).collect()))
            }
            ExprKind::Literal(value) => self.constant(value, expr.ty),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Var(var) => match self.var(*var) {
                Some(slots) if layout.heard.is_none() => Ok(Val::Parts(self.operands(slots))),
                Some(slots) => {
                    let slots = slots.clone();
                    self.note_slots(&slots)?;
                    Ok(Val::Parts(self.operands(&slots)))
                }
                None => Ok(Val::constant(&layout.blank(expr.ty))),
            },
            ExprKind::Side(side) => self.side(*side, expr.ty),
            ExprKind::Turn if let Some(turn) = self.turn_at_hand => Ok(Val::known(turn)),
            ExprKind::Turn if self.ways.turn_in_state => Ok(Val::one(self.operand(self.turn))),
            ExprKind::Turn => Err(Halt::CountTurns),
            ExprKind::Report(at) => match self.reports.get(*at) {
                Some(value) => Ok(value.clone()),
                None => self.wrong("this report is not known yet"),
            },
            ExprKind::Favour(at) => self.favour(*at),

            ExprKind::Field(unit, field) => {
                let unit = self.unit(*unit)?;
                self.field(unit, *field)
            }
            ExprKind::Start(unit) => {
                let unit = self.unit(*unit)?;
                match self.started {
                    false => Ok(unit),
                    true => {
                        let pieces = layout.pieces.len() as i32;
                        self.apply([unit], &mut |args| {
                            Ok(smallvec![args[0][0] % pieces + pieces])
                        })
                    }
                }
            }
            ExprKind::Enemy(unit) => {
                let unit_ty = ty_of(*unit);
                let unit = self.expr(*unit)?;
                self.apply([unit], &mut |args| layout.enemy(unit_ty, &args[0], expr.ty))
            }
            ExprKind::SideOf(unit) => {
                let unit_ty = ty_of(*unit);
                let unit = self.expr(*unit)?;
                self.apply([unit], &mut |args| {
                    layout.side_of(unit_ty, &args[0], expr.ty)
                })
            }
            ExprKind::NumberOf(unit) => {
                let unit = self.expr(*unit)?;
                self.apply([unit], &mut |args| {
                    Ok(smallvec![layout.piece(args[0][0])?.number.max(1) as i32])
                })
            }
            ExprKind::UnitsOf(beside, unit) => {
                let unit = self.expr(*unit)?;
                self.apply([unit], &mut |args| {
                    layout.units_beside(*beside, args[0][0], expr.ty)
                })
            }
            ExprKind::Element(list, number)
                if let ExprKind::Convert(Conversion::Members, line) = &program[*list].kind
                    && matches!(ty_of(*line), Type::Unit(_)) =>
            {
                let (line, number) = self.two(*line, *number)?;
                self.apply([line, number], &mut |args| {
                    layout.member(args[0][0], args[1][0])
                })
            }
            ExprKind::Element(list, number) => {
                let (list, number) = self.two(*list, *number)?;
                self.apply([list, number], &mut |args| {
                    let there = (0..args[0].len()).filter(|&unit| args[0][unit] != 0);
                    let at = usize::try_from(args[1][0] - 1).ok();
                    let found = at.and_then(|at| there.into_iter().nth(at));
                    found
                        .map(|unit| smallvec![unit as i32])
                        .ok_or_else(|| format!("there is no unit {} in this list", args[1][0]))
                })
            }
            ExprKind::UnitList(units) => self.unit_list(units),

            ExprKind::RecordField(record, field) => {
                let Type::Record(of) = ty_of(*record) else {
                    return self.wrong("this is no record");
                };
                let (first, width) = layout.record_field(of, *field);
                match self.expr(*record)? {
                    Val::Parts(parts) => Ok(Val::Parts(parts[first..first + width].into())),
                    other => {
                        self.apply(
                            [other],
                            &mut |args| Ok(args[0][first..first + width].into()),
                        )
                    }
                }
            }
            ExprKind::MakeRecord(_, fields) => {
                let mut parts = Operands::new();
                for value in self.exprs(fields)? {
                    parts.extend(self.parts(value)?);
                }
                parts.push(Operand::Known(-1));
                Ok(Val::Parts(parts))
            }

            ExprKind::Cell(cell) => {
                self.note(Read::Cell(*cell))?;
                self.constant(&program[*cell].value, expr.ty)
            }
            ExprKind::Lookup {
                table,
                row,
                column,
                otherwise,
                ..
            } => self.lookup(*table, row, column, *otherwise, expr.ty),
            ExprKind::BandPlace { table, row, number } => self.band_place(*table, row, *number),
            ExprKind::PlaceOf(table, way, index) => self.place_of(*table, *way, index),
            ExprKind::Held(table, way, place) => {
                let place = self.expr(*place)?;
                let axis = super::lookup::axis(program, *table, *way);
                self.apply([place], &mut |args| {
                    Ok(smallvec![axis.held(i64::from(args[0][0])) as i32])
                })
            }

            ExprKind::Unary(op, of) => {
                let value = self.expr(*of)?;
                self.unary(*op, value, ty_of(*of))
            }
            ExprKind::Binary(op, a, b) => {
                let (ty, other) = (ty_of(*a), ty_of(*b));
                let (a, b) = self.two(*a, *b)?;
                self.binary_op(*op, a, b, ty, other)
            }
            ExprKind::And(a, b) => self.and(*a, *b),
            ExprKind::Or(a, b) => self.or(*a, *b),
            ExprKind::Same(a, b) => {
                let ty = ty_of(*a);
                let (a, b) = self.two(*a, *b)?;
                self.same(a, b, ty)
            }
            ExprKind::IsWord(of, words) => {
                let ty = ty_of(*of);
                let value = self.expr(*of)?;
                self.apply([value], &mut |args| {
                    let word = layout.word(ty, &args[0]);
                    Ok(smallvec![i32::from(
                        word.is_some_and(|word| words.contains(&word)),
                    )])
                })
            }
            ExprKind::IsNumber(of) => {
                let ty = ty_of(*of);
                let value = self.expr(*of)?;
                self.apply([value], &mut |args| {
                    Ok(smallvec![i32::from(layout.word(ty, &args[0]).is_none())])
                })
            }
            ExprKind::IsNobody(of) => {
                let value = self.expr(*of)?;
                self.native(Op::Same, value, Val::known(-1))
            }
            ExprKind::IsEmpty(of) => {
                let value = self.expr(*of)?;
                self.is_empty(value)
            }
            ExprKind::IsIn(of, list) => {
                let (value, list) = self.two(*of, *list)?;
                self.is_in(value, list)
            }
            ExprKind::Rank(of) => {
                let ty = ty_of(*of);
                let value = self.expr(*of)?;
                self.apply([value], &mut |args| {
                    let word = layout.word(ty, &args[0]).ok_or("this is no word")?;
                    Ok(smallvec![i32::from(program[word.of].rank(word.at))])
                })
            }
            ExprKind::OfRank(words, rank) => {
                let rank = self.expr(*rank)?;
                let of = &program[*words];
                self.apply([rank], &mut |args| {
                    let last = of.words.len() as i32 - 1;
                    let rank = args[0][0].clamp(0, last) as u16;
                    // A rank is found as a position is: both ways it is its own inverse.
                    Ok(smallvec![i32::from(of.rank(rank))])
                })
            }

            ExprKind::If(condition, then, otherwise) => self.choice_of(
                *condition,
                expr.ty,
                &mut |low| low.expr(*then),
                &mut |low| low.expr(*otherwise),
            ),
            ExprKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                if let Some((local, value)) = subject {
                    let value = self.expr(*value)?;
                    let value = self.keep(value)?;
                    self.bind(*local, Bound::Value(value));
                }
                self.case(arms, *otherwise, expr.ty)
            }

            ExprKind::Call(text, arguments) => self.call(*text, arguments),
            ExprKind::Modifiers {
                list,
                arguments,
                without,
            } => self.modifiers(*list, arguments, without),
            ExprKind::Quantified {
                quantifier,
                list,
                it,
                condition,
                by,
            } => self.quantified(*quantifier, *list, *it, *condition, *by, expr.ty),
            ExprKind::Filter {
                list,
                it,
                condition,
            } => self.filter(*list, *it, *condition),
            ExprKind::NumberList(numbers) => self.number_list(numbers),
            ExprKind::NumberAt(list, at) => self.number_at(*list, *at),
            ExprKind::Last(list) => self.last(*list),

            ExprKind::Throw(throw) => self.thrown(throw),
            ExprKind::Take(amount, target) => self.take(*amount, *target),
            ExprKind::Text(parts) => Ok(Val::Text(self.text_now(parts)?)),
            ExprKind::Spelled(words, parts) => {
                let of = &program[*words];
                self.spell(parts, &mut |letters| {
                    let at = of.position(letters);
                    at.map(i32::from)
                        .ok_or_else(|| format!("`{letters}` is no word that is wanted here"))
                })
            }

            ExprKind::Given | ExprKind::Changed if let Some(at) = self.key.at.take() => {
                self.note(Read::Key(at))?;
                let value = self.expr_kind(expr);
                self.key.at = Some(at);
                value
            }
            ExprKind::Given => Ok(Val::known(i32::from(self.key.given))),
            ExprKind::Changed => Ok(Val::known(i32::from(self.key.changed))),
            ExprKind::Asked(name) => {
                let full = match self.key.side {
                    Some(side) => format!("{}.{name}", layout.side_name(side)),
                    None => name.to_string(),
                };
                Ok(Val::known(i32::from(layout.procedure.key(&full).is_some())))
            }
            ExprKind::Convert(conversion, of) => {
                let from = ty_of(*of);
                let value = self.expr(*of)?;
                self.convert(*conversion, value, from, expr.ty)
            }
        }
    }

    pub(super) fn constant(&mut self, value: &Value, ty: Type) -> Lowered<Val> {
        match self.layout.parts(value, ty) {
            Some(parts) => Ok(Val::constant(&parts)),
            None => self.wrong("this value is too large, or is only to be told"),
        }
    }

    fn local(&mut self, local: LocalId) -> Lowered<Val> {
        let frame = self.frames.last();
        match frame.and_then(|frame| frame.locals.get(local.0 as usize)) {
            Some(Some(Bound::Value(value))) => Ok(self.sharpened(value.clone())),
            Some(Some(Bound::Slots(slots))) => Ok(Val::Parts(self.operands(slots))),
            _ => self.wrong("this has no value yet"),
        }
    }

    /// A value with what has become known of its slots.
    fn sharpened(&self, value: Val) -> Val {
        match value {
            Val::Parts(mut parts) => {
                for part in &mut parts {
                    if let Operand::Slot(slot) = *part {
                        *part = self.operand(slot);
                    }
                }
                Val::Parts(parts)
            }
            other => other,
        }
    }

    /// A unit, or the unit that plays a side.
    pub(super) fn unit(&mut self, id: ExprId) -> Lowered<Val> {
        let layout = self.layout;
        let unit = self.expr(id)?;
        match layout.program[id].ty {
            Type::Side | Type::MaybeSide => self.apply([unit], &mut |args| {
                Ok(smallvec![layout.unit_of_side(args[0][0])?])
            }),
            _ => Ok(unit),
        }
    }

    /// A field of a unit; of one that is not known yet, as a choice between those it can be.
    pub(super) fn field(&mut self, unit: Val, field: FieldId) -> Lowered<Val> {
        let ty = self.layout.program[field].ty;
        let unit = self.part(unit)?;
        if let (Some(at), None) = (unit.known(), self.layout.heard)
            && let Ok(at) = usize::try_from(at)
            && let Some(slots) = self.board.field(at, field)
        {
            return Ok(Val::Parts(self.operands(slots)));
        }
        self.for_unit(
            unit,
            ty,
            &mut |low, unit| match low.field_slots(unit, field) {
                Some(slots) => {
                    low.note_slots(&slots)?;
                    Ok(Val::Parts(low.operands(&slots)))
                }
                None => {
                    low.fault("this unit has no such field")?;
                    Ok(low.never(ty))
                }
            },
        )
    }

    pub(super) fn field_slots(&self, unit: i32, field: FieldId) -> Option<Slots> {
        self.board
            .field(usize::try_from(unit).ok()?, field)
            .cloned()
    }

    /// Where a variable stands.
    pub(super) fn var(&self, var: VarId) -> Option<&Slots> {
        self.board.var(var).or_else(|| self.foreign.get(&var))
    }

    /// Does something for a unit: once if it is known, else on a branch for each that it can be.
    pub(super) fn for_unit(
        &mut self,
        unit: Operand,
        ty: Type,
        act: &mut dyn FnMut(&mut Self, i32) -> Lowered<Val>,
    ) -> Lowered<Val> {
        let slot = match unit {
            Operand::Known(unit) => return act(self, unit),
            Operand::Slot(_) => unit,
        };
        let range = self.reach(unit);
        let result = self.temporaries(self.layout.width(ty))?;
        let end = self.label();
        for unit in range.low.max(0)..=range.high {
            if !self.alive {
                break;
            }
            let next = self.label();
            if unit < range.high {
                let is_it = self.binary(Op::Same, slot, Operand::Known(unit as i32))?;
                self.unless(is_it, next)?;
            }
            let value = act(self, unit as i32)?;
            let parts = self.parts(value)?;
            self.put_all(&result, &parts)?;
            self.jump(end)?;
            self.place(next);
        }
        self.place(end);
        Ok(Val::Parts(self.operands(&result)))
    }

    /// Takes as much as there is.
    fn take(&mut self, amount: ExprId, target: Target) -> Lowered<Val> {
        let amount = self.expr(amount)?;
        let amount = self.part(amount)?;
        self.for_target(target, Type::Number, &mut |low, slots| {
            low.note_slots(&slots[..1])?;
            let there = low.operand(slots[0]);
            let least = low.binary(Op::Min, amount, there)?;
            let taken = low.binary(Op::Max, least, Operand::Known(0))?;
            // What is taken is not above what is there.
            let left = low.binary(Op::Subtract, there, taken)?;
            let range = low.reach(there);
            low.put(slots[0], left)?;
            if range.low >= 0 {
                let reach = low.reach[slots[0] as usize];
                let least = (range.low - low.reach(amount).high.max(0))
                    .max(0)
                    .min(range.high);
                low.reach[slots[0] as usize].low = reach.low.max(least);
                low.reach[slots[0] as usize].high = reach.high.max(least);
            }
            Ok(Val::one(taken))
        })
    }
}
