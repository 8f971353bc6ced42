//! Expressions: each an expression of Rust, worked out in the same order.

use super::{Held, Out, Scope, Writer, parts_of};
use crate::program::{
    BinaryOp, Conversion, Expr, ExprId, ExprKind, Interval, MixedNumber, Type, UnaryOp, Value,
    WordId,
};
use crate::run::value::Numbers;
use smallvec::smallvec;
use std::fmt::Write;

/// Whether all numbers are of 32 bits.
pub(super) fn fits(range: Option<Interval>) -> bool {
    let all = Interval {
        low: i64::from(i32::MIN),
        high: i64::from(i32::MAX),
    };
    range.is_some_and(|range| all.holds(range))
}

const TOO_LARGE: &str = "a number is divided by 0 here, or becomes too large";

impl<'p> Writer<'p> {
    /// An expression of Rust.
    pub(super) fn expr(&mut self, scope: &mut Scope<'p>, id: ExprId) -> Out<String> {
        let program = self.program;
        let expr: &'p Expr = &program[id];
        let span = expr.span;
        if let Some(early) = self.early(scope, id)? {
            return Ok(early);
        }
        Ok(match &expr.kind {
            ExprKind::Literal(value) => self.literal(id, value)?,
            ExprKind::Local(local) => self.write_local(scope, *local),
            ExprKind::Var(var) => self.read_var(*var)?,
            ExprKind::Side(side) => self.side(*side, expr.ty),
            ExprKind::Turn => "s.clock.turn".into(),
            ExprKind::Report(at) if *at < scope.reports => format!("report_{at}"),
            ExprKind::Report(_) | ExprKind::Favour(_) => {
                return self.refuse(span, "what is not reported yet");
            }

            ExprKind::Field(unit, field) => {
                let then = self.is_then(scope, *unit)?;
                let unit = self.unit(scope, *unit)?;
                self.read_field(&unit, then, *field)?
            }
            ExprKind::Start(unit) => self.unit(scope, *unit)?,
            ExprKind::Enemy(of) => self.of_each(scope, "enemy", id, *of)?,
            ExprKind::SideOf(of) => self.of_each(scope, "side", id, *of)?,
            ExprKind::NumberOf(of) => self.of_each(scope, "number", id, *of)?,
            ExprKind::UnitsOf(_, of) => self.of_each(scope, "units", id, *of)?,
            ExprKind::Element(list, number) => self.element(scope, id, *list, *number)?,
            ExprKind::UnitList(units) => self.unit_list(scope, units)?,

            ExprKind::RecordField(record, field) => {
                let Type::Record(of) = program[*record].ty else {
                    return self.refuse(span, "a field of no record");
                };
                let (first, width) = self.layout.record_field(of, *field);
                let record = self.expr(scope, *record)?;
                let each: Vec<String> = (first..first + width)
                    .map(|at| format!("r[{at}]"))
                    .collect();
                match self.held(expr.ty, span)? {
                    Held::One => format!("({record})[{first}]"),
                    Held::Flag => format!("(({record})[{first}] != 0)"),
                    Held::Parts(_) => format!("{{ let r = {record}; [{}] }}", each.join(", ")),
                    _ => return self.refuse(span, "such a field of a record"),
                }
            }
            ExprKind::MakeRecord(_, fields) => {
                let (mut first, mut parts) = (String::new(), String::new());
                for &field in fields {
                    let value = self.expr(scope, field)?;
                    let name = self.name();
                    let _ = write!(first, "let {name} = {value}; ");
                    let _ = match self.held(program[field].ty, span)? {
                        Held::One => write!(parts, "{name}, "),
                        Held::Flag => write!(parts, "i32::from({name}), "),
                        Held::Parts(width) => {
                            (0..width).try_for_each(|at| write!(parts, "{name}[{at}], "))
                        }
                        _ => return self.refuse(span, "such a field of a record"),
                    };
                }
                format!("{{ {first}[{parts}-1] }}")
            }

            ExprKind::Cell(cell) => {
                let (cell, ty) = (format!("CellId({})", cell.0), super::type_of(expr.ty));
                let held = self.held(expr.ty, span)?;
                let by = match held {
                    Held::Flag => format!("fill.cell({cell}, {ty}) != 0"),
                    Held::One => format!("fill.cell({cell}, {ty})"),
                    Held::Parts(_) => format!("fill.cell_of({cell}, {ty})"),
                    Held::Words => format!("fill.cell_set({cell}, {ty})"),
                    Held::Nothing => return Ok("()".into()),
                    _ => return self.refuse(span, "such a cell"),
                };
                self.filled("cell", &held.rust(), by)
            }
            ExprKind::Lookup {
                table,
                row,
                column,
                otherwise,
                ..
            } => self.lookup(scope, id, *table, (row, column), *otherwise)?,
            ExprKind::BandPlace { table, row, number } => {
                self.band_place(scope, id, *table, row, *number)?
            }
            ExprKind::PlaceOf(table, way, index) => {
                self.place_of(scope, id, *table, *way, index)?
            }
            ExprKind::Held(table, way, place) => {
                let place = self.expr(scope, *place)?;
                let axis = crate::run::lower::axis(program, *table, *way);
                format!("i32::clamp({place}, 0, {})", axis.labels.len() as i64 - 1)
            }

            ExprKind::Unary(op, of) => self.unary(scope, *op, *of)?,
            ExprKind::Binary(op, a, b) => self.binary(scope, id, *op, *a, *b)?,
            ExprKind::And(a, b) => {
                format!("({} && {})", self.expr(scope, *a)?, self.expr(scope, *b)?)
            }
            ExprKind::Or(a, b) => {
                format!("({} || {})", self.expr(scope, *a)?, self.expr(scope, *b)?)
            }
            ExprKind::Same(a, b) => {
                if self.is_then(scope, *a)? != self.is_then(scope, *b)? {
                    return self.refuse(span, "a comparison of what is with what was");
                }
                let exact = program[*a].ty == Type::Fraction;
                let (a, b) = (self.expr(scope, *a)?, self.expr(scope, *b)?);
                match exact {
                    true => format!("same({a}, {b})"),
                    false => format!("({a} == {b})"),
                }
            }
            ExprKind::IsWord(of, words) => {
                let value = self.expr(scope, *of)?;
                self.is_one_of(program[*of].ty, &value, words)
            }
            ExprKind::IsNumber(of) => {
                let value = self.expr(scope, *of)?;
                let ty = program[*of].ty;
                let words = program.words_of(ty);
                match ty {
                    Type::Mixed(_) => format!("!{}", self.is_one_of(ty, &value, &words)),
                    Type::Word(_) => "false".into(),
                    _ => "true".into(),
                }
            }
            ExprKind::IsNobody(of) => format!("({} == -1)", self.expr(scope, *of)?),
            ExprKind::IsEmpty(of) => {
                let value = self.expr(scope, *of)?;
                match self.held(program[*of].ty, span)? {
                    Held::List(_) => format!("({value}).all().is_empty()"),
                    _ => format!("({value} == 0)"),
                }
            }
            ExprKind::IsIn(of, list) => self.is_in(scope, id, *of, *list)?,
            ExprKind::Rank(of) => {
                let value = self.expr(scope, *of)?;
                let ty = program[*of].ty;
                let ranks: Vec<String> = program
                    .words_of(ty)
                    .iter()
                    .map(|word| program[word.of].rank(word.at).to_string())
                    .collect();
                let list = self.fixed("i32", &ranks);
                match (ty, self.word_at(ty, "v")) {
                    (Type::Word(_), _) => format!("{list}[({value}) as usize]"),
                    (_, Some((at, _))) => {
                        let wrong = self.says("this is no word", span);
                        format!(
                            "{{ let v = {value}; match {list}.get(({at}) as usize) {{ Some(rank) => *rank, None => {{ w.note({wrong}, 0); 0 }} }} }}"
                        )
                    }
                    _ => return self.refuse(span, "such a rank"),
                }
            }
            ExprKind::OfRank(words, rank) => {
                let rank = self.expr(scope, *rank)?;
                let of = &program[*words];
                let all = 0..of.words.len() as u16;
                let list: Vec<String> = all.map(|rank| of.rank(rank).to_string()).collect();
                let list = self.fixed("i32", &list);
                format!(
                    "{list}[i32::clamp({rank}, 0, {}) as usize]",
                    of.words.len() as i64 - 1
                )
            }

            ExprKind::If(condition, then, otherwise) => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.expr(scope, *condition)?,
                self.expr(scope, *then)?,
                self.expr(scope, *otherwise)?
            ),
            ExprKind::Case {
                subject,
                arms,
                otherwise,
            } => {
                let mut text = String::from("{ ");
                if let Some((local, value)) = subject {
                    let code = self.expr(scope, *value)?;
                    self.bind(scope, *local, *value)?;
                    let _ = write!(text, "{} = {code}; ", self.write_local(scope, *local));
                }
                for (condition, value) in arms {
                    let condition = self.expr(scope, *condition)?;
                    let value = self.expr(scope, *value)?;
                    let _ = write!(text, "if {condition} {{ {value} }} else ");
                }
                let last = match otherwise {
                    Some(value) => self.expr(scope, *value)?,
                    None => {
                        let wrong = self.says("none of the cases holds", span);
                        let blank = self.held(expr.ty, span)?.empty();
                        format!("w.note({wrong}, 0); {blank}")
                    }
                };
                let _ = write!(text, "{{ {last} }} }}");
                text
            }

            ExprKind::Call(text, arguments) => self.call(scope, *text, arguments)?,
            ExprKind::Modifiers {
                list,
                arguments,
                without,
            } => self.modifiers(scope, *list, arguments, without, false)?,
            ExprKind::Quantified {
                quantifier,
                list,
                it,
                condition,
                by,
            } => self.quantified(scope, id, *quantifier, (*list, *it, *condition, *by))?,
            ExprKind::Filter {
                list,
                it,
                condition,
            } => self.filter(scope, *list, *it, *condition)?,
            ExprKind::NumberList(numbers) => {
                let width = match expr.ty {
                    Type::Fractions => 2,
                    _ => 1,
                };
                let mut text = format!("{{ let mut all: List<{width}> = List::default(); ");
                for &number in numbers {
                    let value = self.expr(scope, number)?;
                    let _ = match width {
                        1 => write!(text, "let x = {value}; all.push([x]); "),
                        _ => write!(text, "let x = {value}; all.push(x); "),
                    };
                }
                text.push_str("all }");
                text
            }
            ExprKind::NumberAt(list, at) => {
                let (list, at) = (self.expr(scope, *list)?, self.expr(scope, *at)?);
                let wrong = self.says("there is no such element in this list", span);
                self.one_of(expr, format!("w.some(({list}).at({at}), {wrong})"))?
            }
            ExprKind::Last(list) => {
                let list = self.expr(scope, *list)?;
                let wrong = self.says("there is no such element in this list", span);
                self.one_of(expr, format!("w.some(({list}).last(), {wrong})"))?
            }

            ExprKind::Throw(throw) => self.throw(scope, id, throw)?,
            ExprKind::Take(amount, target) => {
                let amount = self.expr(scope, *amount)?;
                let (there, _) = self.read_target(scope, *target)?;
                let (a, b) = (self.name(), self.name());
                let put = self.write_target(scope, *target, &format!("({b} - {a})"))?;
                format!(
                    "{{ let {a}: i32 = {amount}; let {b}: i32 = {there}; let {a} = {a}.min({b}).max(0); {put} {a} }}"
                )
            }
            ExprKind::Text(parts) => self.unheard(scope, parts)?,
            ExprKind::Spelled(words, parts) => self.spelled(scope, id, *words, parts)?,
            ExprKind::Given | ExprKind::Changed | ExprKind::Asked(_) => "false".into(),
            ExprKind::Convert(conversion, of) => self.convert(scope, id, *conversion, *of)?,
        })
    }

    /// An element of a list as a value.
    fn one_of(&self, expr: &Expr, item: String) -> Out<String> {
        Ok(match self.held(expr.ty, expr.span)? {
            Held::One => format!("({item})[0]"),
            _ => item,
        })
    }

    fn literal(&mut self, id: ExprId, value: &Value) -> Out<String> {
        let (ty, span) = (self.program[id].ty, self.program[id].span);
        let held = self.held(ty, span)?;
        if let (Value::List(values), Held::List(width)) = (value, held) {
            let items = self.layout.numbers(values);
            if items.len() > 64 {
                return self.refuse(span, "a list of more than 64 numbers");
            }
            let items: Vec<String> = items.iter().map(|item| parts_of(item)).collect();
            return Ok(format!("List::<{width}>::of(&[{}])", items.join(", ")));
        }
        // Records and dice are numbered as they are printed, which a variant can change.
        if matches!(value, Value::Record(_) | Value::Dice(_)) {
            let by = format!("fill.literal(ExprId({}))", id.0);
            let made = match held {
                Held::One => self.filled("literal", "[i32; 1]", by) + "[0]",
                _ => self.filled("literal", &held.rust(), by),
            };
            return Ok(made);
        }
        let parts = self.layout.parts(value, ty);
        let (held, parts) = match (held, parts) {
            (Held::Nothing, _) => return Ok("()".into()),
            (held, Some(parts)) => (held, parts),
            (_, None) => return self.refuse(span, "this value"),
        };
        let bits = || {
            let flags = parts.iter().enumerate();
            flags.fold(0u64, |set, (at, &flag)| set | u64::from(flag != 0) << at)
        };
        Ok(match held {
            Held::Flag => (parts[0] != 0).to_string(),
            Held::One => format!("({})", parts[0]),
            Held::Units | Held::Words => bits().to_string(),
            _ => parts_of(&parts),
        })
    }

    /// Whether a word is one of some.
    fn is_one_of(&self, ty: Type, value: &str, words: &[WordId]) -> String {
        let encoded = |word: &WordId| -> Option<Numbers> {
            match ty {
                Type::Word(of) => (of == word.of).then(|| smallvec![i32::from(word.at)]),
                Type::Mixed(mixed) => {
                    let at = self.program[mixed].words.iter().position(|w| w == word)?;
                    Some(self.layout.mixed_word(mixed, at))
                }
                _ => None,
            }
        };
        let all: Vec<Numbers> = words.iter().filter_map(encoded).collect();
        if all.is_empty() {
            return format!("{{ let _ = {value}; false }}");
        }
        let each: Vec<String> = all
            .iter()
            .map(|parts| match parts[..] {
                [one] => one.to_string(),
                _ => parts_of(parts),
            })
            .collect();
        format!("matches!({value}, {})", each.join(" | "))
    }

    /// The position among its words of what stands in a name, and whether it is one; of a plain word always.
    pub(super) fn word_at(&self, ty: Type, name: &str) -> Option<(String, String)> {
        match ty {
            Type::Word(_) => Some((name.to_owned(), "true".into())),
            Type::Mixed(mixed) => {
                let words = self.program[mixed].words.len();
                let at = match self.program[mixed].number {
                    MixedNumber::None => name.to_owned(),
                    MixedNumber::Whole(range) => format!("({name} - {})", range.high + 1),
                    MixedNumber::Dice => format!("(-1 - {name})"),
                    MixedNumber::Fraction => return None,
                };
                let is_one = format!("(0..{words}).contains(&{at})");
                Some((at, is_one))
            }
            _ => None,
        }
    }

    fn is_in(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        of: ExprId,
        list: ExprId,
    ) -> Out<String> {
        let span = self.program[id].span;
        let value = self.expr(scope, of)?;
        let set = self.expr(scope, list)?;
        let held = self.held(self.program[list].ty, span)?;
        let (a, b) = (self.name(), self.name());
        let maybe = matches!(
            self.program[of].ty,
            Type::MaybeUnit(_) | Type::MaybeSide | Type::Mixed(_)
        );
        let there = if maybe {
            format!("{a} >= 0 && ")
        } else {
            String::new()
        };
        Ok(match (held, self.held(self.program[of].ty, span)?) {
            (Held::Units, _) => format!(
                "{{ let {a} = {value}; let {b} = {set}; {there}{b} >> ({a} as u32 & {}) & 1 != 0 }}",
                self.length - 1
            ),
            (Held::Words, _) => {
                format!(
                    "{{ let {a} = {value}; let {b} = {set}; {there}{b} >> ({a} as u32 & 63) & 1 != 0 }}"
                )
            }
            (Held::List(_), Held::One) => {
                format!("{{ let {a} = {value}; let {b} = {set}; {b}.has([{a}]) }}")
            }
            (Held::List(_), _) => {
                format!("{{ let {a} = {value}; let {b} = {set}; {b}.has({a}) }}")
            }
            _ => return self.refuse(span, "this"),
        })
    }

    fn unary(&mut self, scope: &mut Scope<'p>, op: UnaryOp, of: ExprId) -> Out<String> {
        let program = self.program;
        let ty = program[of].ty;
        let span = program[of].span;
        // A quotient of whole numbers that is brought to a whole one.
        if let (UnaryOp::Down | UnaryOp::Up, ExprKind::Binary(BinaryOp::Divide, a, b)) =
            (op, &program[of].kind)
            && let ExprKind::Convert(Conversion::Exact, above) = program[*a].kind
            && let ExprKind::Convert(Conversion::Exact, below) = program[*b].kind
            && self.held(program[above].ty, span)? == Held::One
            && self.held(program[below].ty, span)? == Held::One
            && (matches!(program[below].kind, ExprKind::Literal(Value::Number(1..)))
                || program[below].range.is_some_and(|range| range.low > 0))
        {
            let (above, below) = (self.expr(scope, above)?, self.expr(scope, below)?);
            return Ok(match op {
                UnaryOp::Down => format!("divide_down({above}, {below})"),
                _ => format!("divide_up({above}, {below})"),
            });
        }
        let value = self.expr(scope, of)?;
        Ok(match (op, self.held(ty, span)?) {
            (UnaryOp::Not, Held::Flag) => format!("!{value}"),
            (UnaryOp::Negate, Held::One) => format!("i32::saturating_neg({value})"),
            (UnaryOp::Absolute, Held::One) => format!("i32::saturating_abs({value})"),
            (UnaryOp::Down | UnaryOp::Up, Held::One) => value,
            (UnaryOp::Down, Held::Parts(2)) => {
                format!("{{ let x = {value}; divide_down(x[0], x[1]) }}")
            }
            (UnaryOp::Up, Held::Parts(2)) => {
                format!("{{ let x = {value}; divide_up(x[0], x[1]) }}")
            }
            (UnaryOp::Negate, Held::Parts(2)) => {
                format!("{{ let x = {value}; [x[0].saturating_neg(), x[1]] }}")
            }
            (UnaryOp::Absolute, Held::Parts(2)) => {
                format!("{{ let x = {value}; [x[0].saturating_abs(), x[1]] }}")
            }
            _ => return self.refuse(span, "this"),
        })
    }

    fn binary(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
    ) -> Out<String> {
        let program = self.program;
        let (span, range) = (program[id].span, program[id].range);
        let (first, second) = (program[a].ty, program[b].ty);
        let (x, y) = (self.name(), self.name());
        let (a, b) = (self.expr(scope, a)?, self.expr(scope, b)?);
        if let Type::Record(_) = first {
            let sign = if op == BinaryOp::Min { "<=" } else { ">=" };
            return Ok(format!(
                "{{ let {x} = {a}; let {y} = {b}; if {x}.last() {sign} {y}.last() {{ {x} }} else {{ {y} }} }}"
            ));
        }
        let wide = |writer: &Self, ty| writer.layout.width(ty) == 2;
        if op == BinaryOp::Divide || wide(self, first) || wide(self, second) {
            let exact = |writer: &Self, ty, value: &str| match wide(writer, ty) {
                true => value.to_owned(),
                false => format!("[{value}, 1]"),
            };
            let (p, q) = (exact(self, first, &x), exact(self, second, &y));
            let given = format!("let {x} = {a}; let {y} = {b};");
            let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
            return Ok(match op {
                BinaryOp::Less => format!("{{ {given} less({p}, {q}) }}"),
                BinaryOp::AtMost => format!("{{ {given} !less({q}, {p}) }}"),
                BinaryOp::Greater => format!("{{ {given} less({q}, {p}) }}"),
                BinaryOp::AtLeast => format!("{{ {given} !less({p}, {q}) }}"),
                BinaryOp::Min => {
                    format!("{{ {given} if less({q}, {p}) {{ {q} }} else {{ {p} }} }}")
                }
                BinaryOp::Max => {
                    format!("{{ {given} if less({p}, {q}) {{ {q} }} else {{ {p} }} }}")
                }
                _ => {
                    let fine = self.says("this fraction is too fine", span);
                    let zero = match divides {
                        true => self.says("a number cannot be divided by 0", span),
                        false => fine,
                    };
                    format!(
                        "{{ {given} match fold(BinaryOp::{op:?}, {p}, {q}) {{ Some(x) => x, None => {{ w.note(if {q}[0] == 0 {{ {zero} }} else {{ {fine} }}, 0); [0, 1] }} }} }}"
                    )
                }
            });
        }
        let plain = |sign: &str| format!("({a} {sign} {b})");
        Ok(match op {
            BinaryOp::Less => plain("<"),
            BinaryOp::AtMost => plain("<="),
            BinaryOp::Greater => plain(">"),
            BinaryOp::AtLeast => plain(">="),
            BinaryOp::Min => format!("i32::min({a}, {b})"),
            BinaryOp::Max => format!("i32::max({a}, {b})"),
            BinaryOp::Add if fits(range) => format!("i32::wrapping_add({a}, {b})"),
            BinaryOp::Subtract if fits(range) => format!("i32::wrapping_sub({a}, {b})"),
            BinaryOp::Multiply if fits(range) => format!("i32::wrapping_mul({a}, {b})"),
            BinaryOp::Add => self.checked(&a, "checked_add", &b, span),
            BinaryOp::Subtract => self.checked(&a, "checked_sub", &b, span),
            BinaryOp::Multiply => self.checked(&a, "checked_mul", &b, span),
            BinaryOp::Remainder => self.checked(&a, "checked_rem_euclid", &b, span),
            BinaryOp::Divide => return self.refuse(span, "this quotient"),
        })
    }

    fn checked(&mut self, a: &str, op: &str, b: &str, span: crate::source::Span) -> String {
        let wrong = self.says(TOO_LARGE, span);
        format!("w.some(i32::{op}({a}, {b}), {wrong})")
    }

    /// The sum of modifiers or of a list.
    pub(super) fn total(&mut self, scope: &mut Scope<'p>, id: ExprId, of: ExprId) -> Out<String> {
        let (span, range) = (self.program[id].span, self.program[id].range);
        let wrong = self.says(TOO_LARGE, span);
        if let ExprKind::Modifiers {
            list,
            arguments,
            without,
        } = &self.program[of].kind
            && self.program[of].ty == Type::Numbers
        {
            let sum = self.modifiers(scope, *list, arguments, without, true)?;
            return Ok(match fits(range) {
                true => format!("(({sum}) as i32)"),
                false => format!("w.some(i32::try_from({sum}).ok(), {wrong})"),
            });
        }
        let list = self.expr(scope, of)?;
        let fine = self.says("this fraction is too fine", span);
        Ok(match self.held(self.program[of].ty, span)? {
            Held::List(1) => format!("w.some(({list}).total(), {wrong})"),
            Held::List(_) => format!("w.some(({list}).total(), {fine})"),
            _ => list,
        })
    }
}
