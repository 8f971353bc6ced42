//! Expressions: the value that is there now.

use super::{Played, Stop, Trial, Val};
use crate::number::Fraction;
use crate::program::{
    BinaryOp, Conversion, Expr, ExprId, ExprKind, FieldId, Index, Program, Target, TextId,
    TextPart, Type, UnaryOp, Value,
};
use crate::run::code::Op;
use crate::run::layout::fraction;
use crate::run::lower::{asked, axis, favour_word, find, fold_fractions};
use crate::run::value::Numbers;
use grapeshot_engine::Dice;
use grapeshot_engine::engine::Teller;
use smallvec::smallvec;

impl<'a, D: Dice, T: Teller> Trial<'a, D, T> {
    pub(super) fn value(&mut self, id: ExprId) -> Played<Val> {
        let program: &'a Program = self.layout.program;
        let expr: &'a Expr = &program[id];
        let outer = std::mem::replace(&mut self.span, expr.span);
        let value = self.deeper(|trial| trial.expr(expr))?;
        self.span = outer;
        Ok(value)
    }

    /// A value of one part.
    pub(super) fn one(&mut self, id: ExprId) -> Played<i32> {
        Ok(self.value(id)?.one())
    }

    fn ty(&self, id: ExprId) -> Type {
        self.layout.program[id].ty
    }

    /// What a function over plain numbers makes of it, or why it cannot.
    fn folded(&self, made: Result<Numbers, String>) -> Played<Val> {
        match made {
            Ok(parts) => Ok(Val::of(parts)),
            Err(text) => self.wrong(text),
        }
    }

    fn expr(&mut self, expr: &'a Expr) -> Played<Val> {
        let layout = self.layout;
        let program = layout.program;
        let flag = |holds: bool| Ok(Val::One(i32::from(holds)));
        match &expr.kind {
            ExprKind::Literal(Value::Text(text)) => Ok(Val::Text(text.to_string())),
            ExprKind::Literal(Value::List(values)) if expr.ty == Type::Numbers => {
                Ok(Val::List(layout.numbers(values)))
            }
            ExprKind::Literal(value) => self.constant(value, expr.ty),
            ExprKind::Local(local) => {
                let at = self.base + usize::from(local.0);
                match self.table.locals.get(at) {
                    Some(value) => Ok(value.clone()),
                    None => self.wrong("this has no value yet"),
                }
            }
            ExprKind::Var(var) => match self.direct.vars[var.at()] {
                Some(at) => Ok(self.read(at, expr.ty, false)),
                None => Ok(Val::of(layout.blank(expr.ty))),
            },
            ExprKind::Side(side) => {
                let name = &program[*side].name;
                let sides = 0..layout.procedure.sides.len();
                let found = sides
                    .into_iter()
                    .find(|&at| layout.side_name(at) == &**name);
                match found.map(|at| layout.as_side(at, expr.ty)) {
                    Some(made) => self.folded(made),
                    None => self.wrong(format!("this procedure has no side `{name}`")),
                }
            }
            ExprKind::Turn => Ok(Val::One(self.turn)),
            ExprKind::Report(at) => match self.table.reports.get(*at) {
                Some(value) => Ok(value.clone()),
                None => self.wrong("this report is not known yet"),
            },
            ExprKind::Favour(at) => {
                let report = &layout.procedure.reports[*at];
                match self.table.reports.get(*at) {
                    Some(value) => self.folded(favour_word(&layout, report, value.as_parts())),
                    None => self.wrong("this report is not known yet"),
                }
            }

            ExprKind::Field(unit, field) => {
                let unit = self.unit(*unit)?;
                self.field(unit, *field)
            }
            ExprKind::Start(unit) => {
                let unit = self.unit(*unit)?;
                let pieces = layout.pieces.len() as i32;
                Ok(Val::One(match self.started {
                    true => unit % pieces + pieces,
                    false => unit,
                }))
            }
            ExprKind::Enemy(unit) => {
                let (ty, unit) = (self.ty(*unit), self.value(*unit)?);
                self.folded(layout.enemy(ty, unit.as_parts(), expr.ty))
            }
            ExprKind::SideOf(unit) => {
                let (ty, unit) = (self.ty(*unit), self.value(*unit)?);
                self.folded(layout.side_of(ty, unit.as_parts(), expr.ty))
            }
            ExprKind::NumberOf(unit) => {
                let unit = self.one(*unit)?;
                self.folded(
                    layout
                        .piece(unit)
                        .map(|piece| smallvec![piece.number.max(1) as i32]),
                )
            }
            ExprKind::UnitsOf(beside, unit) => {
                let unit = self.one(*unit)?;
                self.folded(layout.units_beside(*beside, unit, expr.ty))
            }
            ExprKind::Element(list, number)
                if let ExprKind::Convert(Conversion::Members, line) = &program[*list].kind
                    && matches!(self.ty(*line), Type::Unit(_)) =>
            {
                let (line, number) = (self.one(*line)?, self.one(*number)?);
                self.folded(layout.member(line, number))
            }
            ExprKind::Element(list, number) => {
                let (list, number) = (self.value(*list)?, self.one(*number)?);
                let list = list.as_parts();
                let mut there = (0..list.len()).filter(|&unit| list[unit] != 0);
                let at = usize::try_from(i64::from(number) - 1).ok();
                match at.and_then(|at| there.nth(at)) {
                    Some(unit) => Ok(Val::One(unit as i32)),
                    None => self.wrong(format!("there is no unit {number} in this list")),
                }
            }
            ExprKind::UnitList(units) => {
                let mut list: Numbers = smallvec![0; layout.pieces.len()];
                for &id in units {
                    let value = self.value(id)?;
                    match self.ty(id) {
                        Type::Units(_) => {
                            let flags = list.iter_mut().zip(value.as_parts());
                            flags.for_each(|(there, flag)| *there |= flag);
                        }
                        _ => {
                            let unit = usize::try_from(value.one()).ok();
                            if let Some(there) = unit.and_then(|unit| list.get_mut(unit)) {
                                *there = 1;
                            }
                        }
                    }
                }
                Ok(Val::of(list))
            }

            ExprKind::RecordField(record, field) => {
                let Type::Record(of) = self.ty(*record) else {
                    return self.wrong("this is no record");
                };
                let (first, width) = layout.record_field(of, *field);
                let record = self.value(*record)?;
                Ok(Val::of(record.as_parts()[first..first + width].into()))
            }
            ExprKind::MakeRecord(_, fields) => {
                let mut parts = Numbers::new();
                for &field in fields {
                    parts.extend_from_slice(self.value(field)?.as_parts());
                }
                parts.push(-1);
                Ok(Val::of(parts))
            }

            ExprKind::Cell(cell) => self.constant(&program[*cell].value, expr.ty),
            ExprKind::Lookup {
                table,
                row,
                column,
                otherwise,
                ..
            } => {
                let (of_row, mut args) = self.indexed(row, column)?;
                let of = &program[*table];
                let found = find(&layout, &of.rows, row, &args).and_then(|at| {
                    let Some(at) = at else { return Ok(None) };
                    let along = match column {
                        Index::Face(_) => {
                            program.column_of_face(*table, at, i64::from(args[of_row][0]))
                        }
                        _ => find(&layout, &of.columns, column, &args.split_off(of_row))?,
                    };
                    Ok(along.map(|along| program.read_table(*table, at, along).1))
                });
                match (found, otherwise) {
                    (Err(text), _) => self.wrong(text),
                    (Ok(Some(value)), _) => self.constant(value, expr.ty),
                    (Ok(None), Some(otherwise)) => self.value(*otherwise),
                    (Ok(None), None) => {
                        self.wrong(format!("there is no such row or column in `{}`", of.name))
                    }
                }
            }
            ExprKind::BandPlace { table, row, number } => {
                let (_, args) = self.indexed(row, &Index::Fixed(0))?;
                let number = self.value(*number)?;
                let made = find(&layout, &program[*table].rows, row, &args);
                let made = made.and_then(|at| {
                    let at = at.ok_or("there is no such row")?;
                    let number = fraction(number.as_parts()).ok_or("this is no number")?;
                    let place = program.place_among_bands(*table, at, number);
                    place
                        .map(|column| smallvec![column as i32])
                        .ok_or_else(|| "this row has no bands".into())
                });
                self.folded(made)
            }
            ExprKind::PlaceOf(table, way, index) => {
                let along = axis(program, *table, *way);
                let (_, args) = self.indexed(index, &Index::Fixed(0))?;
                let made = find(&layout, along, index, &args).and_then(|found| {
                    found
                        .map(|at| smallvec![at as i32])
                        .ok_or_else(|| "there is no such heading".into())
                });
                self.folded(made)
            }
            ExprKind::Held(table, way, place) => {
                let place = self.one(*place)?;
                let axis = axis(program, *table, *way);
                Ok(Val::One(axis.held(i64::from(place)) as i32))
            }

            ExprKind::Unary(op, of) => {
                let (ty, value) = (self.ty(*of), self.value(*of)?);
                self.unary(*op, value, ty)
            }
            ExprKind::Binary(op, a, b) => {
                let (ty, other) = (self.ty(*a), self.ty(*b));
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                self.binary(*op, &a, &b, ty, other)
            }
            ExprKind::And(a, b) => match self.one(*a)? {
                0 => Ok(Val::One(0)),
                _ => self.value(*b),
            },
            ExprKind::Or(a, b) => match self.one(*a)? {
                0 => self.value(*b),
                _ => Ok(Val::One(1)),
            },
            ExprKind::Same(a, b) => {
                let exact = self.ty(*a) == Type::Fraction;
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                flag(match exact {
                    true => fraction(a.as_parts()) == fraction(b.as_parts()),
                    false => a.as_parts() == b.as_parts(),
                })
            }
            ExprKind::IsWord(of, words) => {
                let (ty, value) = (self.ty(*of), self.value(*of)?);
                let word = layout.word(ty, value.as_parts());
                flag(word.is_some_and(|word| words.contains(&word)))
            }
            ExprKind::IsNumber(of) => {
                let (ty, value) = (self.ty(*of), self.value(*of)?);
                flag(layout.word(ty, value.as_parts()).is_none())
            }
            ExprKind::IsNobody(of) => {
                let unit = self.one(*of)?;
                flag(unit == -1)
            }
            ExprKind::IsEmpty(of) => match self.value(*of)? {
                Val::List(entries) => flag(entries.is_empty()),
                other => flag(other.as_parts().iter().all(|&there| there == 0)),
            },
            ExprKind::IsIn(of, list) => {
                let (value, list) = (self.value(*of)?, self.value(*list)?);
                match list {
                    Val::List(entries) => {
                        flag(entries.iter().any(|entry| entry[..] == *value.as_parts()))
                    }
                    other => {
                        let at = usize::try_from(value.one()).ok();
                        let there = at.and_then(|at| other.as_parts().get(at).copied());
                        flag(there.is_some_and(|there| there != 0))
                    }
                }
            }
            ExprKind::Rank(of) => {
                let (ty, value) = (self.ty(*of), self.value(*of)?);
                match layout.word(ty, value.as_parts()) {
                    Some(word) => Ok(Val::One(i32::from(program[word.of].rank(word.at)))),
                    None => self.wrong("this is no word"),
                }
            }
            ExprKind::OfRank(words, rank) => {
                let of = &program[*words];
                let rank = self.one(*rank)?.clamp(0, of.words.len() as i32 - 1);
                Ok(Val::One(i32::from(of.rank(rank as u16))))
            }

            ExprKind::If(condition, then, otherwise) => match self.one(*condition)? {
                0 => self.value(*otherwise),
                _ => self.value(*then),
            },
            ExprKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                if let Some((local, value)) = subject {
                    let value = self.value(*value)?;
                    self.set_local(*local, value);
                }
                for (condition, value) in arms {
                    if self.one(*condition)? != 0 {
                        return self.value(*value);
                    }
                }
                match otherwise {
                    Some(value) => self.value(*value),
                    None => self.wrong("none of the cases holds"),
                }
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
            } => self.quantified(*quantifier, *list, *it, *condition, *by),
            ExprKind::Filter {
                list,
                it,
                condition,
            } => self.filter(*list, *it, *condition),
            ExprKind::NumberList(numbers) => {
                let mut all = Vec::with_capacity(numbers.len());
                for &number in numbers {
                    all.push(self.value(number)?.parts());
                }
                Ok(Val::List(all))
            }
            ExprKind::NumberAt(list, at) => {
                let (list, at) = (self.value(*list)?, self.one(*at)?);
                let Val::List(entries) = list else {
                    return self.wrong("this is no list of numbers");
                };
                let at = usize::try_from(i64::from(at) - 1).ok();
                match at.and_then(|at| entries.into_iter().nth(at)) {
                    Some(entry) => Ok(Val::of(entry)),
                    None => self.wrong("there is no such element in this list"),
                }
            }
            ExprKind::Last(list) => match self.value(*list)? {
                Val::List(mut entries) if !entries.is_empty() => {
                    Ok(Val::of(entries.pop().unwrap_or_default()))
                }
                _ => self.wrong("there is no such element in this list"),
            },

            ExprKind::Throw(throw) => self.throw(throw),
            ExprKind::Take(amount, target) => {
                let amount = self.one(*amount)?;
                let there = self.target(*target)?.one();
                let taken = amount.min(there).max(0);
                self.set(*target, Val::One(there - taken))?;
                Ok(Val::One(taken))
            }
            ExprKind::Text(parts) => Ok(Val::Text(self.letters(parts)?)),
            ExprKind::Spelled(words, parts) => {
                let letters = self.letters(parts)?;
                match program[*words].position(&letters) {
                    Some(at) => Ok(Val::One(i32::from(at))),
                    None => self.wrong(format!("`{letters}` is no word that is wanted here")),
                }
            }
            ExprKind::Given | ExprKind::Changed | ExprKind::Asked(_) => Ok(Val::One(0)),
            ExprKind::Convert(conversion, of) => {
                let (from, value) = (self.ty(*of), self.value(*of)?);
                self.convert(*conversion, value, from, expr.ty)
            }
        }
    }

    fn constant(&self, value: &Value, ty: Type) -> Played<Val> {
        match (value, ty) {
            (Value::Number(number), Type::Number) => Ok(Val::One(*number as i32)),
            (Value::Text(text), _) => Ok(Val::Text(text.to_string())),
            _ => match self.layout.parts(value, ty) {
                Some(parts) => Ok(Val::of(parts)),
                None => self.wrong("this value is too large, or is only to be told"),
            },
        }
    }

    /// The values of two indices: where those of the second begin, and all of them.
    fn indexed(&mut self, row: &'a Index, column: &Index) -> Played<(usize, Vec<Numbers>)> {
        let mut ids = asked(row);
        let of_row = ids.len();
        ids.extend(asked(column));
        let mut args = Vec::with_capacity(ids.len());
        for id in ids {
            args.push(self.value(id)?.parts());
        }
        Ok((of_row, args))
    }

    fn read(&self, at: usize, ty: Type, start: bool) -> Val {
        let table = match start {
            true => &self.table.start,
            false => &self.table.now,
        };
        match self.layout.width(ty) {
            1 => Val::One(table[at]),
            width => Val::Parts(table[at..at + width].into()),
        }
    }

    /// A unit, or the unit that plays a side.
    fn unit(&mut self, id: ExprId) -> Played<i32> {
        let value = self.one(id)?;
        match self.ty(id) {
            Type::Side | Type::MaybeSide => match self.layout.unit_of_side(value) {
                Ok(unit) => Ok(unit),
                Err(text) => self.wrong(text),
            },
            _ => Ok(value),
        }
    }

    fn field(&self, unit: i32, field: FieldId) -> Played<Val> {
        match self.direct.field_at(unit, field) {
            Some((at, start)) => Ok(self.read(at, self.layout.program[field].ty, start)),
            None => self.wrong("this unit has no such field"),
        }
    }

    /// What can be changed, as it is.
    pub(super) fn target(&mut self, target: Target) -> Played<Val> {
        match target {
            Target::Local(local) => {
                let at = self.base + usize::from(local.0);
                Ok(self.table.locals[at].clone())
            }
            Target::Var(var) => {
                let ty = self.layout.program[var].ty;
                Ok(match self.direct.vars[var.at()] {
                    Some(at) => self.read(at, ty, false),
                    None => Val::of(self.layout.blank(ty)),
                })
            }
            Target::Field(unit, field) => {
                let unit = self.unit(unit)?;
                self.field(unit, field)
            }
        }
    }

    pub(super) fn set(&mut self, target: Target, value: Val) -> Played<()> {
        let at = match target {
            Target::Local(local) => {
                self.set_local(local, value);
                return Ok(());
            }
            Target::Var(var) => self.direct.vars[var.at()],
            Target::Field(unit, field) => {
                let unit = self.unit(unit)?;
                match self.direct.field_at(unit, field) {
                    Some((at, false)) => Some(at),
                    _ => return self.wrong("this unit has no such field"),
                }
            }
        };
        if let Some(at) = at {
            let parts = value.as_parts();
            self.table.now[at..at + parts.len()].copy_from_slice(parts);
        }
        Ok(())
    }

    /// Calls a text: its parameters, then its body.
    fn call(&mut self, text: TextId, arguments: &'a [Option<ExprId>]) -> Played<Val> {
        let of = &self.layout.program[text];
        let base = self.with_arguments(of.locals.len(), &of.defaults, arguments)?;
        let made = match self.block(&of.body) {
            Ok(()) => Ok(Val::of(self.layout.blank(of.returns))),
            Err(Stop::Return(value)) => Ok(value),
            Err(stop) => return Err(stop),
        };
        self.leave(base);
        made
    }

    /// Begins a text with its arguments; gives where the locals of this one began.
    pub(super) fn with_arguments(
        &mut self,
        locals: usize,
        defaults: &'a [Option<ExprId>],
        arguments: &'a [Option<ExprId>],
    ) -> Played<usize> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(match argument {
                Some(id) => Some(self.value(*id)?),
                None => None,
            });
        }
        let base = self.enter(locals);
        let count = defaults.len().max(values.len());
        let mut values = values.into_iter();
        for at in 0..count {
            let value = match (values.next().flatten(), defaults.get(at).copied().flatten()) {
                (Some(value), _) => value,
                (None, Some(default)) => self.value(default)?,
                (None, None) => return self.wrong("an argument is missing"),
            };
            self.set_local(crate::program::LocalId(at as u16), value);
        }
        Ok(base)
    }

    /// Letters with values between them.
    pub(super) fn letters(&mut self, parts: &'a [TextPart]) -> Played<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Letters(letters) => text.push_str(letters),
                TextPart::Value(id) => match self.value(*id)? {
                    Val::Text(more) => text.push_str(&more),
                    Val::List(entries) => text.push_str(&crate::run::layout::listed(&entries)),
                    value => text.push_str(&self.layout.letters(self.ty(*id), value.as_parts())),
                },
            }
        }
        Ok(text)
    }

    fn unary(&self, op: UnaryOp, value: Val, ty: Type) -> Played<Val> {
        if self.layout.width(ty) != 2 {
            let one = value.one();
            return Ok(Val::One(match op {
                UnaryOp::Not => i32::from(one == 0),
                UnaryOp::Negate => one.saturating_neg(),
                UnaryOp::Absolute => one.saturating_abs(),
                UnaryOp::Down | UnaryOp::Up => one,
            }));
        }
        let Some(exact) = fraction(value.as_parts()) else {
            return self.wrong("this is no number");
        };
        let whole = |exact: Fraction| Ok(Val::One(exact.to_integer() as i32));
        let parts = |exact: Fraction| {
            Ok(Val::Parts(smallvec![
                *exact.numer() as i32,
                *exact.denom() as i32,
            ]))
        };
        match op {
            UnaryOp::Down => whole(exact.floor()),
            UnaryOp::Up => whole(exact.ceil()),
            UnaryOp::Negate => parts(-exact),
            UnaryOp::Absolute => parts(Fraction::new(exact.numer().abs(), *exact.denom())),
            UnaryOp::Not => Ok(Val::One(i32::from(*exact.numer() == 0))),
        }
    }

    pub(super) fn binary(
        &self,
        op: BinaryOp,
        a: &Val,
        b: &Val,
        ty: Type,
        other: Type,
    ) -> Played<Val> {
        if let Type::Record(_) = ty {
            let rank = |value: &Val| value.as_parts().last().copied().unwrap_or(-1);
            let first = match op {
                BinaryOp::Min => rank(a) <= rank(b),
                _ => rank(a) >= rank(b),
            };
            return Ok(if first { a.clone() } else { b.clone() });
        }
        let exact =
            op == BinaryOp::Divide || self.layout.width(ty) == 2 || self.layout.width(other) == 2;
        if exact {
            let (Some(a), Some(b)) = (fraction(a.as_parts()), fraction(b.as_parts())) else {
                return self.wrong("this is no number");
            };
            return self.folded(fold_fractions(op, a, b));
        }
        let (a, b) = (a.one(), b.one());
        let made = match op {
            BinaryOp::Add => Op::Add.apply(a, b),
            BinaryOp::Subtract => Op::Subtract.apply(a, b),
            BinaryOp::Multiply => Op::Multiply.apply(a, b),
            BinaryOp::Divide => Op::DivideDown.apply(a, b),
            BinaryOp::Remainder => Op::Remainder.apply(a, b),
            BinaryOp::Min => Some(a.min(b)),
            BinaryOp::Max => Some(a.max(b)),
            BinaryOp::Less => Some(i32::from(a < b)),
            BinaryOp::AtMost => Some(i32::from(a <= b)),
            BinaryOp::Greater => Some(i32::from(a > b)),
            BinaryOp::AtLeast => Some(i32::from(a >= b)),
        };
        match made {
            Some(made) => Ok(Val::One(made)),
            None => self.wrong("a number is divided by 0 here, or becomes too large"),
        }
    }

    fn convert(&mut self, conversion: Conversion, value: Val, from: Type, to: Type) -> Played<Val> {
        let layout = self.layout;
        match conversion {
            Conversion::Exact => Ok(match value {
                Val::One(one) => Val::Parts(smallvec![one, 1]),
                Val::List(mut entries) => {
                    entries.iter_mut().for_each(|entry| entry.resize(2, 1));
                    Val::List(entries)
                }
                other => other,
            }),
            Conversion::OrNobody => Ok(value),
            Conversion::Somebody { .. } => match value.one() {
                ..=-1 => self.wrong("this is nobody"),
                unit => Ok(Val::One(unit)),
            },
            Conversion::ToSide => match from {
                Type::Side | Type::MaybeSide => Ok(value),
                _ => self.folded(layout.side_of(from, value.as_parts(), Type::Side)),
            },
            Conversion::Members => self.folded(layout.members(from, value.as_parts())),
            Conversion::Thrown => match layout.word(from, value.as_parts()) {
                Some(_) => self.wrong("these are no dice"),
                None => self.dice_of_cell(1, value.one()),
            },
            Conversion::Total => self.total(value),
            Conversion::Recast { .. } => {
                let Some(word) = layout.word(from, value.as_parts()) else {
                    return self.wrong("this is no word");
                };
                let letters = &layout.program[word.of].words[word.at as usize];
                self.folded(layout.word_with_letters(letters, to))
            }
            Conversion::Widen | Conversion::Narrow { .. } => {
                self.folded(layout.recut(value.as_parts(), from, to))
            }
        }
    }
}
