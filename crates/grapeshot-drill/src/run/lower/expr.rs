//! Expressions.

use super::{Bound, Halt, Lower, Lowered};
use crate::program::{
    BinaryOp, Expr, ExprId, ExprKind, FieldId, LocalId, Target, TextPart, Type, UnaryOp, Value,
};
use crate::run::code::Op;
use crate::run::layout::fraction;
use crate::run::value::{Operand, Slot, Val};

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
            let later = ids[at + 1..].iter();
            let effects = |id: &ExprId| self.layout.program[*id].effects;
            let one_by_one = self.ways.one_by_one;
            let disturbs = |id| effects(id).changes || (one_by_one && effects(id).throws);
            let kept = match later.into_iter().any(disturbs) {
                true => self.keep(value)?,
                false => value,
            };
            values.push(kept);
        }
        Ok(values)
    }

    fn two(&mut self, a: ExprId, b: ExprId) -> Lowered<(Val, Val)> {
        let mut both = self.exprs(&[a, b])?;
        let second = both.pop().unwrap_or(Val::known(0));
        let first = both.pop().unwrap_or(Val::known(0));
        Ok((first, second))
    }

    fn expr_kind(&mut self, expr: &'p Expr) -> Lowered<Val> {
        let layout = self.layout;
        let program = layout.program;
        let ty_of = |id: ExprId| program[id].ty;
        match &expr.kind {
            ExprKind::Literal(Value::Text(text)) => Ok(Val::Text(text.to_string())),
            ExprKind::Literal(value) => self.constant(value, expr.ty),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Var(var) => match self.vars.get(var) {
                Some(slots) => Ok(Val::Parts(self.operands(slots))),
                None => Ok(Val::constant(&layout.blank(expr.ty))),
            },
            ExprKind::Side(side) => self.side(*side, expr.ty),
            ExprKind::Turn if self.ways.turn_in_state => Ok(Val::one(self.operand(self.turn))),
            ExprKind::Turn => Err(Halt::CountTurns),
            ExprKind::Report(at) => match self.reports.get(*at) {
                Some(value) => Ok(value.clone()),
                None => self.wrong("this report is not known yet"),
            },
            ExprKind::Favour(at) => self.favour(*at),

            ExprKind::Field(unit, field) => {
                let unit = self.expr(*unit)?;
                self.field(unit, *field)
            }
            ExprKind::Start(unit) => {
                let unit = self.expr(*unit)?;
                match self.started {
                    false => Ok(unit),
                    true => {
                        let pieces = layout.pieces.len() as i32;
                        self.apply(vec![unit], &mut |args| {
                            Ok(vec![args[0][0] % pieces + pieces])
                        })
                    }
                }
            }
            ExprKind::Enemy(unit) => {
                let unit_ty = ty_of(*unit);
                let unit = self.expr(*unit)?;
                self.apply(vec![unit], &mut |args| {
                    layout.enemy(unit_ty, &args[0], expr.ty)
                })
            }
            ExprKind::SideOf(unit) => {
                let unit_ty = ty_of(*unit);
                let unit = self.expr(*unit)?;
                self.apply(vec![unit], &mut |args| {
                    layout.side_of(unit_ty, &args[0], expr.ty)
                })
            }
            ExprKind::NumberOf(unit) => {
                let unit = self.expr(*unit)?;
                self.apply(vec![unit], &mut |args| {
                    Ok(vec![layout.piece(args[0][0])?.number.max(1) as i32])
                })
            }
            ExprKind::UnitsOf(beside, unit) => {
                let unit = self.expr(*unit)?;
                self.apply(vec![unit], &mut |args| {
                    layout.units_beside(*beside, args[0][0], expr.ty)
                })
            }
            ExprKind::Element(list, number) => {
                let (list, number) = self.two(*list, *number)?;
                self.apply(vec![list, number], &mut |args| {
                    let there = (0..args[0].len()).filter(|&unit| args[0][unit] != 0);
                    let at = usize::try_from(args[1][0] - 1).ok();
                    let found = at.and_then(|at| there.into_iter().nth(at));
                    found
                        .map(|unit| vec![unit as i32])
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
                    Val::Parts(parts) => Ok(Val::Parts(parts[first..first + width].to_vec())),
                    other => self.apply(vec![other], &mut |args| {
                        Ok(args[0][first..first + width].to_vec())
                    }),
                }
            }
            ExprKind::MakeRecord(_, fields) => {
                let mut parts = Vec::new();
                for value in self.exprs(fields)? {
                    parts.extend(self.parts(value)?);
                }
                parts.push(Operand::Known(-1));
                Ok(Val::Parts(parts))
            }

            ExprKind::Cell(cell) => self.constant(&program[*cell].value, expr.ty),
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
                self.apply(vec![place], &mut |args| {
                    Ok(vec![axis.held(i64::from(args[0][0])) as i32])
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
                self.apply(vec![value], &mut |args| {
                    let word = layout.word(ty, &args[0]);
                    Ok(vec![i32::from(
                        word.is_some_and(|word| words.contains(&word)),
                    )])
                })
            }
            ExprKind::IsNumber(of) => {
                let ty = ty_of(*of);
                let value = self.expr(*of)?;
                self.apply(vec![value], &mut |args| {
                    Ok(vec![i32::from(layout.word(ty, &args[0]).is_none())])
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
                self.apply(vec![value], &mut |args| {
                    let word = layout.word(ty, &args[0]).ok_or("this is no word")?;
                    Ok(vec![i32::from(program[word.of].rank(word.at))])
                })
            }
            ExprKind::OfRank(words, rank) => {
                let rank = self.expr(*rank)?;
                let of = &program[*words];
                self.apply(vec![rank], &mut |args| {
                    let last = of.words.len() as i32 - 1;
                    let rank = args[0][0].clamp(0, last) as u16;
                    // A rank is found as a position is: both ways it is its own inverse.
                    Ok(vec![i32::from(of.rank(rank))])
                })
            }

            ExprKind::If(condition, then, otherwise) => {
                let condition = self.flag(*condition)?;
                self.either(condition, expr.ty, &mut |low| low.expr(*then), &mut |low| {
                    low.expr(*otherwise)
                })
            }
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
        match self.frame().locals.get(local.0 as usize).cloned().flatten() {
            Some(Bound::Value(value)) => Ok(self.sharpened(value)),
            Some(Bound::Slots(slots)) => Ok(Val::Parts(self.operands(&slots))),
            None => self.wrong("this has no value yet"),
        }
    }

    /// A value with what has become known of its slots.
    fn sharpened(&self, value: Val) -> Val {
        match value {
            Val::Parts(parts) => {
                let known = parts.into_iter().map(|part| match part {
                    Operand::Slot(slot) => self.operand(slot),
                    known => known,
                });
                Val::Parts(known.collect())
            }
            other => other,
        }
    }

    /// A field of a unit; of one that is not known yet, as a choice between those it can be.
    pub(super) fn field(&mut self, unit: Val, field: FieldId) -> Lowered<Val> {
        let ty = self.layout.program[field].ty;
        let unit = self.part(unit)?;
        self.for_unit(
            unit,
            ty,
            &mut |low, unit| match low.field_slots(unit, field) {
                Some(slots) => Ok(Val::Parts(low.operands(&slots))),
                None => {
                    low.fault("this unit has no such field")?;
                    Ok(low.never(ty))
                }
            },
        )
    }

    pub(super) fn field_slots(&self, unit: i32, field: FieldId) -> Option<Vec<Slot>> {
        let fields = self.fields.get(usize::try_from(unit).ok()?)?;
        fields.get(&field).cloned()
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

    /// Two numbers, by an instruction if they must be.
    pub(super) fn native(&mut self, op: Op, a: Val, b: Val) -> Lowered<Val> {
        if matches!(a, Val::Rolled(_)) || matches!(b, Val::Rolled(_)) {
            let mut fold = |args: &[Vec<i32>]| match op.apply(args[0][0], args[1][0]) {
                Some(made) => Ok(vec![made]),
                None => Err("a number cannot be divided by 0, nor become so large".to_owned()),
            };
            if let Some(pending) = self.read_through(&[a.clone(), b.clone()], &mut fold) {
                return Ok(Val::Rolled(pending));
            }
        }
        let a = self.part(a)?;
        let b = self.part(b)?;
        Ok(Val::one(self.binary(op, a, b)?))
    }

    pub(super) fn negated(&mut self, flag: Val) -> Lowered<Val> {
        self.native(Op::Same, flag, Val::known(0))
    }

    fn unary(&mut self, op: UnaryOp, value: Val, ty: Type) -> Lowered<Val> {
        let wide = self.layout.width(ty) == 2;
        match op {
            UnaryOp::Not => self.negated(value),
            UnaryOp::Negate if wide => {
                self.fractions(BinaryOp::Subtract, Val::constant(&[0, 1]), value)
            }
            UnaryOp::Negate => self.native(Op::Subtract, Val::known(0), value),
            UnaryOp::Absolute if wide => self.apply(vec![value], &mut |args| {
                Ok(vec![args[0][0].saturating_abs(), args[0][1]])
            }),
            UnaryOp::Absolute => {
                if let Val::Rolled(_) = value {
                    return self.apply(vec![value], &mut |args| {
                        Ok(vec![args[0][0].saturating_abs()])
                    });
                }
                let negative = self.native(Op::Subtract, Val::known(0), value.clone())?;
                self.native(Op::Max, value, negative)
            }
            UnaryOp::Down | UnaryOp::Up if !wide => Ok(value),
            UnaryOp::Down => self.rounded(value, false),
            UnaryOp::Up => self.rounded(value, true),
        }
    }

    fn rounded(&mut self, value: Val, up: bool) -> Lowered<Val> {
        if let Val::Rolled(_) = value {
            return self.apply(vec![value], &mut |args| {
                let exact = fraction(&args[0]).ok_or("this is no number")?;
                let whole = if up { exact.ceil() } else { exact.floor() };
                Ok(vec![whole.to_integer() as i32])
            });
        }
        let parts = self.parts(value)?;
        let [numerator, denominator] = parts[..] else {
            return self.wrong("this is no fraction");
        };
        let zero = Operand::Known(0);
        let above = if up {
            self.binary(Op::Subtract, zero, numerator)?
        } else {
            numerator
        };
        let whole = self.binary(Op::DivideDown, above, denominator)?;
        Ok(Val::one(if up {
            self.binary(Op::Subtract, zero, whole)?
        } else {
            whole
        }))
    }

    pub(super) fn binary_op(
        &mut self,
        op: BinaryOp,
        a: Val,
        b: Val,
        ty: Type,
        other: Type,
    ) -> Lowered<Val> {
        if let Type::Record(_) = ty {
            let least = op == BinaryOp::Min;
            return self.apply(vec![a, b], &mut |args| {
                let rank = |at: usize| args[at].last().copied().unwrap_or(-1);
                let first = if least {
                    rank(0) <= rank(1)
                } else {
                    rank(0) >= rank(1)
                };
                Ok(args[usize::from(!first)].clone())
            });
        }
        if self.layout.width(ty) == 2 || self.layout.width(other) == 2 {
            return self.fractions(op, a, b);
        }
        match op {
            BinaryOp::Add => self.native(Op::Add, a, b),
            BinaryOp::Subtract => self.native(Op::Subtract, a, b),
            BinaryOp::Multiply => self.native(Op::Multiply, a, b),
            BinaryOp::Divide => self.fractions(op, a, b),
            BinaryOp::Remainder => self.native(Op::Remainder, a, b),
            BinaryOp::Min => self.native(Op::Min, a, b),
            BinaryOp::Max => self.native(Op::Max, a, b),
            BinaryOp::Less => self.native(Op::Less, a, b),
            BinaryOp::AtMost => self.native(Op::AtMost, a, b),
            BinaryOp::Greater => self.native(Op::Less, b, a),
            BinaryOp::AtLeast => self.native(Op::AtMost, b, a),
        }
    }

    /// Whether two values are equal, part by part.
    pub(super) fn same(&mut self, a: Val, b: Val, ty: Type) -> Lowered<Val> {
        if matches!(ty, Type::Fraction) {
            return self.apply_or(
                a,
                b,
                &mut |low, a, b| {
                    let (left, right) = low.crossed(&a, &b)?;
                    Ok(Val::one(low.binary(Op::Same, left, right)?))
                },
                &mut |args| Ok(vec![i32::from(fraction(&args[0]) == fraction(&args[1]))]),
            );
        }
        self.apply_or(
            a,
            b,
            &mut |low, a, b| {
                let mut all = Operand::Known(1);
                for (&a, &b) in a.iter().zip(&b) {
                    let same = low.binary(Op::Same, a, b)?;
                    all = low.binary(Op::Min, all, same)?;
                }
                Ok(Val::one(all))
            },
            &mut |args| Ok(vec![i32::from(args[0] == args[1])]),
        )
    }

    /// Reads dice through a function, or works on parts.
    fn apply_or(
        &mut self,
        a: Val,
        b: Val,
        parts: &mut dyn FnMut(&mut Self, Vec<Operand>, Vec<Operand>) -> Lowered<Val>,
        fold: &mut dyn FnMut(&[Vec<i32>]) -> super::apply::Folded,
    ) -> Lowered<Val> {
        if matches!(a, Val::Rolled(_)) || matches!(b, Val::Rolled(_)) {
            let both = [a, b];
            if let Some(pending) = self.read_through(&both, fold) {
                return Ok(Val::Rolled(pending));
            }
            let [a, b] = both;
            let a = self.parts(a)?;
            let b = self.parts(b)?;
            return parts(self, a, b);
        }
        let a = self.parts(a)?;
        let b = self.parts(b)?;
        parts(self, a, b)
    }

    /// Two fractions over one denominator: their numerators.
    fn crossed(&mut self, a: &[Operand], b: &[Operand]) -> Lowered<(Operand, Operand)> {
        let (a, b) = (as_fraction(a), as_fraction(b));
        if a[1] == b[1] {
            return Ok((a[0], b[0]));
        }
        Ok((
            self.binary(Op::Multiply, a[0], b[1])?,
            self.binary(Op::Multiply, b[0], a[1])?,
        ))
    }

    fn fractions(&mut self, op: BinaryOp, a: Val, b: Val) -> Lowered<Val> {
        self.apply_or(
            a,
            b,
            &mut |low, a, b| low.fraction_parts(op, &a, &b),
            &mut |args| {
                let exact = |at: usize| fraction(&args[at]).ok_or("this is no number");
                fold_fractions(op, exact(0)?, exact(1)?)
            },
        )
    }

    fn fraction_parts(&mut self, op: BinaryOp, a: &[Operand], b: &[Operand]) -> Lowered<Val> {
        let known = |parts: &[Operand]| {
            let parts: Option<Vec<i32>> = parts.iter().map(|part| part.known()).collect();
            parts.and_then(|parts| fraction(&parts))
        };
        if let (Some(a), Some(b)) = (known(a), known(b)) {
            return match fold_fractions(op, a, b) {
                Ok(parts) => Ok(Val::constant(&parts)),
                Err(text) => {
                    self.fault(&text)?;
                    Ok(Val::constant(&[0, 1]))
                }
            };
        }
        let one = |low: &mut Self, op, a, b| Ok(Val::one(low.binary(op, a, b)?));
        let (x, y) = (as_fraction(a), as_fraction(b));
        match op {
            BinaryOp::Multiply => {
                let above = self.binary(Op::Multiply, x[0], y[0])?;
                let below = self.binary(Op::Multiply, x[1], y[1])?;
                Ok(Val::Parts(vec![above, below]))
            }
            BinaryOp::Divide if self.reach(y[0]).low > 0 => {
                let above = self.binary(Op::Multiply, x[0], y[1])?;
                let below = self.binary(Op::Multiply, x[1], y[0])?;
                Ok(Val::Parts(vec![above, below]))
            }
            BinaryOp::Add | BinaryOp::Subtract => {
                let (left, right) = self.crossed(a, b)?;
                let op = if op == BinaryOp::Add {
                    Op::Add
                } else {
                    Op::Subtract
                };
                let above = self.binary(op, left, right)?;
                let below = match x[1] == y[1] {
                    true => x[1],
                    false => self.binary(Op::Multiply, x[1], y[1])?,
                };
                Ok(Val::Parts(vec![above, below]))
            }
            BinaryOp::Less | BinaryOp::AtMost | BinaryOp::Greater | BinaryOp::AtLeast => {
                let (left, right) = self.crossed(a, b)?;
                match op {
                    BinaryOp::Less => one(self, Op::Less, left, right),
                    BinaryOp::AtMost => one(self, Op::AtMost, left, right),
                    BinaryOp::Greater => one(self, Op::Less, right, left),
                    _ => one(self, Op::AtMost, right, left),
                }
            }
            BinaryOp::Min | BinaryOp::Max => {
                let (left, right) = self.crossed(a, b)?;
                let first = match op {
                    BinaryOp::Min => self.binary(Op::AtMost, left, right)?,
                    _ => self.binary(Op::AtMost, right, left)?,
                };
                let (x, y) = (x.to_vec(), y.to_vec());
                self.either(
                    first,
                    Type::Fraction,
                    &mut |_| Ok(Val::Parts(x.clone())),
                    &mut |_| Ok(Val::Parts(y.clone())),
                )
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                let both = vec![Val::Parts(x.to_vec()), Val::Parts(y.to_vec())];
                self.apply(both, &mut |args| {
                    let exact = |at: usize| fraction(&args[at]).ok_or("this is no number");
                    fold_fractions(op, exact(0)?, exact(1)?)
                })
            }
        }
    }

    /// Takes as much as there is.
    fn take(&mut self, amount: ExprId, target: Target) -> Lowered<Val> {
        let amount = self.expr(amount)?;
        let amount = self.part(amount)?;
        self.for_target(target, Type::Number, &mut |low, slots| {
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

    /// Letters that are known.
    pub(super) fn text_now(&mut self, parts: &[TextPart]) -> Lowered<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Letters(letters) => text.push_str(letters),
                TextPart::Value(id) => {
                    let ty = self.layout.program[*id].ty;
                    match self.expr(*id)? {
                        Val::Text(more) => text.push_str(&more),
                        value => match value.all_known() {
                            Some(parts) => text.push_str(&self.layout.letters(ty, &parts)),
                            None => return self.wrong("this is not known before dice fall"),
                        },
                    }
                }
            }
        }
        Ok(text)
    }

    /// A number that letters with values between them stand for.
    pub(super) fn spell(
        &mut self,
        parts: &[TextPart],
        number: &mut dyn FnMut(&str) -> Result<i32, String>,
    ) -> Lowered<Val> {
        let layout = self.layout;
        let mut values = Vec::new();
        let mut types = Vec::new();
        for part in parts {
            if let TextPart::Value(id) = part {
                let value = self.expr(*id)?;
                values.push(self.keep(value)?);
                types.push(layout.program[*id].ty);
            }
        }
        self.apply(values, &mut |args| {
            let mut text = String::new();
            let mut next = types.iter().zip(args);
            for part in parts {
                match part {
                    TextPart::Letters(letters) => text.push_str(letters),
                    TextPart::Value(_) => {
                        if let Some((ty, parts)) = next.next() {
                            text.push_str(&layout.letters(*ty, parts));
                        }
                    }
                }
            }
            Ok(vec![number(&text)?])
        })
    }
}

/// A number as a fraction.
fn as_fraction(parts: &[Operand]) -> [Operand; 2] {
    match parts {
        [above, below] => [*above, *below],
        [whole, ..] => [*whole, Operand::Known(1)],
        [] => [Operand::Known(0), Operand::Known(1)],
    }
}

fn fold_fractions(
    op: BinaryOp,
    a: crate::number::Fraction,
    b: crate::number::Fraction,
) -> Result<Vec<i32>, String> {
    use num_rational::Ratio;
    let zero = Ratio::from_integer(0);
    let flag = |holds: bool| Ok(vec![i32::from(holds)]);
    let made = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide | BinaryOp::Remainder if b == zero => {
            return Err("a number cannot be divided by 0".into());
        }
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder => a - (a / b).floor() * b,
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::Less => return flag(a < b),
        BinaryOp::AtMost => return flag(a <= b),
        BinaryOp::Greater => return flag(a > b),
        BinaryOp::AtLeast => return flag(a >= b),
    };
    match (i32::try_from(*made.numer()), i32::try_from(*made.denom())) {
        (Ok(above), Ok(below)) => Ok(vec![above, below]),
        _ => Err("this fraction is too fine".into()),
    }
}
