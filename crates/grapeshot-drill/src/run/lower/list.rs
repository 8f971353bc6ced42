//! Lists of units, numbers and words, and what is asked of them.

use super::{Bound, Lower, Lowered};
use crate::program::{BinaryOp, ExprId, LocalId, Quantifier, SideId, Type, WordId};
use crate::run::code::Op;
use crate::run::layout::fraction;
use crate::run::value::{Entry, Numbers, Operand, Operands, Val};
use smallvec::smallvec;

/// The most combinations of what decides between elements that are looked up all together.
const MOST_TOGETHER: u64 = 64;

/// An element of a list and whether it is there.
pub(super) type Element = (Operand, Val);

impl<'p> Lower<'p> {
    /// A side of the procedure.
    pub(super) fn side(&mut self, side: SideId, ty: Type) -> Lowered<Val> {
        let sides = &self.layout.procedure.sides;
        let name = &self.layout.program[side].name;
        let is_it = |at: &usize| self.layout.side_name(*at) == &**name;
        match (0..sides.len())
            .find(is_it)
            .map(|at| self.layout.as_side(at, ty))
        {
            Some(Ok(parts)) => Ok(Val::constant(&parts)),
            _ => self.wrong(format!("this procedure has no side `{name}`")),
        }
    }

    /// Units one by one, as a list.
    pub(super) fn unit_list(&mut self, units: &[ExprId]) -> Lowered<Val> {
        let pieces = self.layout.pieces.len();
        let mut list: Operands = smallvec![Operand::Known(0); pieces];
        let values = self.exprs(units)?;
        for (value, id) in values.into_iter().zip(units) {
            let flags = match self.layout.program[*id].ty {
                Type::Units(_) => value,
                _ => self.apply([value], &mut |args| {
                    Ok((0..pieces as i32)
                        .map(|unit| i32::from(unit == args[0][0]))
                        .collect())
                })?,
            };
            for (there, flag) in list.iter_mut().zip(self.parts(flags)?) {
                *there = self.binary(Op::Max, *there, flag)?;
            }
        }
        Ok(Val::Parts(list))
    }

    /// The elements of a list.
    pub(super) fn elements(&mut self, list: Val, ty: Type) -> Lowered<Vec<Element>> {
        if let Val::List(entries) = list {
            let each = entries.into_iter();
            return Ok(each
                .map(|entry| (entry.counts, Val::Parts(entry.value)))
                .collect());
        }
        let flags = self.parts(list)?;
        let words = |at: usize| match ty {
            Type::WordSet(of) => self.layout.parts(
                &crate::program::Value::Word(WordId { of, at: at as u16 }),
                Type::Word(of),
            ),
            _ => Some(smallvec![at as i32]),
        };
        let each = flags.into_iter().enumerate();
        let there = each.filter(|(_, flag)| *flag != Operand::Known(0));
        Ok(there
            .map(|(at, flag)| (flag, Val::constant(&words(at).unwrap_or_default())))
            .collect())
    }

    pub(super) fn is_empty(&mut self, list: Val) -> Lowered<Val> {
        let mut any = Operand::Known(0);
        let flags = match list {
            Val::List(entries) => entries.into_iter().map(|entry| entry.counts).collect(),
            other => self.parts(other)?,
        };
        for flag in flags {
            any = self.binary(Op::Max, any, flag)?;
        }
        self.negated(Val::one(any))
    }

    pub(super) fn is_in(&mut self, value: Val, list: Val) -> Lowered<Val> {
        let value = self.parts(value)?;
        let mut any = Operand::Known(0);
        let elements = match list {
            Val::List(entries) => entries
                .into_iter()
                .map(|entry| (entry.counts, entry.value))
                .collect(),
            other => {
                let flags = self.parts(other)?;
                let each = flags.into_iter().enumerate();
                each.map(|(at, flag)| (flag, smallvec![Operand::Known(at as i32)]))
                    .collect::<Vec<_>>()
            }
        };
        for (there, element) in elements {
            let same = self.same(Val::Parts(value.clone()), Val::Parts(element), Type::Number)?;
            let same = self.part(same)?;
            let is_it = self.binary(Op::Min, there, same)?;
            any = self.binary(Op::Max, any, is_it)?;
        }
        Ok(Val::one(any))
    }

    /// The sum of a list.
    pub(super) fn total(&mut self, list: Val) -> Lowered<Val> {
        let Val::List(entries) = list else {
            return Ok(list);
        };
        let wide = entries.iter().any(|entry| entry.value.len() == 2);
        let ty = if wide { Type::Fraction } else { Type::Number };
        let mut sum = Val::constant(if wide { &[0, 1] } else { &[0] });
        for entry in entries {
            let value = Val::Parts(entry.value);
            let counted = match entry.counts {
                Operand::Known(0) => continue,
                Operand::Known(_) => value,
                flag => {
                    self.binary_op(BinaryOp::Multiply, value, Val::one(flag), ty, Type::Number)?
                }
            };
            sum = self.binary_op(BinaryOp::Add, sum, counted, ty, ty)?;
        }
        Ok(sum)
    }

    pub(super) fn number_list(&mut self, numbers: &[ExprId]) -> Lowered<Val> {
        let mut entries = Vec::with_capacity(numbers.len());
        for value in self.exprs(numbers)? {
            entries.push(Entry {
                counts: Operand::Known(1),
                value: self.parts(value)?,
            });
        }
        Ok(Val::List(entries))
    }

    /// An element by its number, counted among those that are there.
    pub(super) fn number_at(&mut self, list: ExprId, at: ExprId) -> Lowered<Val> {
        let values = self.exprs(&[list, at])?;
        let [Val::List(entries), at] = &values[..] else {
            return self.wrong("this is no list of numbers");
        };
        self.pick(entries, at.clone(), &mut |there, at| {
            usize::try_from(at - 1).ok().filter(|&at| at < there)
        })
    }

    pub(super) fn last(&mut self, list: ExprId) -> Lowered<Val> {
        let Val::List(entries) = self.expr(list)? else {
            return self.wrong("this is no list of numbers");
        };
        self.pick(&entries, Val::known(0), &mut |there, _| {
            there.checked_sub(1)
        })
    }

    fn pick(
        &mut self,
        entries: &[Entry],
        at: Val,
        choose: &mut dyn FnMut(usize, i32) -> Option<usize>,
    ) -> Lowered<Val> {
        let mut args = vec![at];
        args.extend(entries.iter().map(as_value));
        self.apply(args, &mut |args| {
            let there: Vec<&Numbers> = args[1..].iter().filter(|entry| entry[0] != 0).collect();
            let at =
                choose(there.len(), args[0][0]).ok_or("there is no such element in this list")?;
            Ok(there[at][1..].into())
        })
    }

    /// Those of which a condition holds.
    pub(super) fn filter(&mut self, list: ExprId, it: LocalId, condition: ExprId) -> Lowered<Val> {
        let ty = self.layout.program[list].ty;
        let value = self.expr(list)?;
        let numbers = matches!(value, Val::List(_));
        let mut flags: Operands = smallvec![Operand::Known(0); self.layout.width(ty)];
        let mut entries = Vec::new();
        for (there, element) in self.elements(value, ty)? {
            let counts = self.asked_of(there, &element, it, Some(condition))?;
            let parts = self.parts(element)?;
            match numbers {
                true => entries.push(Entry {
                    counts,
                    value: parts,
                }),
                false => {
                    if let Some(at) = parts[0].known() {
                        flags[at as usize] = counts;
                    }
                }
            }
        }
        Ok(if numbers {
            Val::List(entries)
        } else {
            Val::Parts(flags)
        })
    }

    /// Whether an element is there and a condition holds of it.
    fn asked_of(
        &mut self,
        there: Operand,
        element: &Val,
        it: LocalId,
        condition: Option<ExprId>,
    ) -> Lowered<Operand> {
        self.bind(it, Bound::Value(element.clone()));
        let Some(condition) = condition else {
            return Ok(there);
        };
        let counts = self.either(
            there,
            Type::Flag,
            &mut |low| low.expr(condition),
            &mut |_| Ok(Val::known(0)),
        )?;
        let counts = self.keep(counts)?;
        self.part(counts)
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        list: ExprId,
        it: LocalId,
        condition: Option<ExprId>,
        by: Option<ExprId>,
        ty: Type,
    ) -> Lowered<Val> {
        let few = match quantifier {
            Quantifier::HighestFew(few) | Quantifier::LowestFew(few) => Some(self.expr(few)?),
            _ => None,
        };
        let list_ty = self.layout.program[list].ty;
        let value = self.expr(list)?;
        let mut entries: Vec<(Entry, Val)> = Vec::new();
        for (there, element) in self.elements(value, list_ty)? {
            let counts = self.asked_of(there, &element, it, condition)?;
            if counts == Operand::Known(0) {
                continue;
            }
            let value = match by {
                Some(by) => {
                    let ty = self.layout.program[by].ty;
                    let nothing = self.never(ty);
                    let value = self.either(counts, ty, &mut |low| low.expr(by), &mut |_| {
                        Ok(nothing.clone())
                    })?;
                    self.keep(value)?
                }
                None => element.clone(),
            };
            let value = self.parts(value)?;
            entries.push((Entry { counts, value }, element));
        }
        let all = || Val::List(entries.iter().map(|(entry, _)| entry.clone()).collect());
        match quantifier {
            Quantifier::Sum => {
                let sum = self.total(all())?;
                match (ty, &sum) {
                    (Type::Fraction, Val::Parts(parts)) if parts.len() == 1 => {
                        Ok(Val::Parts(smallvec![parts[0], Operand::Known(1)]))
                    }
                    _ => Ok(sum),
                }
            }
            Quantifier::Any => {
                let empty = self.is_empty(all())?;
                self.negated(empty)
            }
            Quantifier::Number => {
                let mut number = Operand::Known(0);
                for (entry, _) in &entries {
                    number = self.binary(Op::Add, number, entry.counts)?;
                }
                Ok(Val::one(number))
            }
            Quantifier::First => self.first(entries, by.is_some()),
            Quantifier::Highest | Quantifier::Lowest => {
                let highest = quantifier == Quantifier::Highest;
                let args: Vec<Val> = entries.iter().map(|(entry, _)| as_value(entry)).collect();
                self.apply(args, &mut |args| {
                    let there = args
                        .iter()
                        .filter(|entry| entry[0] != 0)
                        .map(|entry| &entry[1..]);
                    let by_size = |value: &&[i32]| fraction(value);
                    let best = if highest {
                        there.max_by_key(by_size)
                    } else {
                        there.min_by_key(by_size)
                    };
                    best.map(Numbers::from).ok_or_else(|| {
                        "there is none of which to take the highest or lowest".into()
                    })
                })
            }
            Quantifier::HighestFew(_) | Quantifier::LowestFew(_) => {
                let highest = matches!(quantifier, Quantifier::HighestFew(_));
                let entries: Vec<Entry> = entries.into_iter().map(|(entry, _)| entry).collect();
                self.few(few.unwrap_or(Val::known(0)), &entries, highest)
            }
        }
    }

    /// The first that is there; or the first of those with the least.
    fn first(&mut self, entries: Vec<(Entry, Val)>, by: bool) -> Lowered<Val> {
        let slots = |entry: &Entry| -> u64 {
            let open = [entry.counts]
                .into_iter()
                .chain(entry.value.iter().copied());
            open.map(|part| self.reach(part).len()).product()
        };
        let together = entries
            .iter()
            .try_fold(1u64, |all, (entry, _)| all.checked_mul(slots(entry)));
        let is_place = |element: &Val| element.all_known().is_some_and(|parts| parts[0] >= 0);
        if by
            && together.is_none_or(|together| together > MOST_TOGETHER)
            && entries.iter().all(|(_, element)| is_place(element))
        {
            return self.first_in_turn(entries);
        }
        let mut args = Vec::new();
        for (entry, element) in &entries {
            args.push(as_value(entry));
            args.push(element.clone());
        }
        self.apply(args, &mut |args| {
            let there = args.chunks(2).filter(|pair| pair[0][0] != 0);
            let found = match by {
                true => there.min_by_key(|pair| fraction(&pair[0][1..])),
                false => there.into_iter().next(),
            };
            Ok(found.map_or(smallvec![-1], |pair| pair[1].clone()))
        })
    }

    /// The first of those with the least, one beside the best so far: a table of all of them together would be large.
    fn first_in_turn(&mut self, entries: Vec<(Entry, Val)>) -> Lowered<Val> {
        let mut best: Option<Val> = None;
        let mut width = 1;
        for (entry, element) in entries {
            let element = self.parts(element)?;
            width = element.len();
            let mut args = vec![as_value(&entry), Val::Parts(element)];
            args.extend(best.take());
            // The element, then by what it was chosen.
            let found = self.apply(args, &mut |args| {
                let of_this = || args[1].iter().chain(&args[0][1..]).copied().collect();
                let (counts, by) = (args[0][0] != 0, fraction(&args[0][1..]));
                Ok(match args.get(2) {
                    Some(best) if !counts => best.clone(),
                    Some(best) if best[0] >= 0 && fraction(&best[width..]) <= by => best.clone(),
                    None if !counts => {
                        let nothing = args[0][1..].iter().enumerate();
                        let nothing = nothing.map(|(at, _)| i32::from(at == 1));
                        std::iter::repeat_n(-1, width).chain(nothing).collect()
                    }
                    _ => of_this(),
                })
            })?;
            let found = self.parts(found)?;
            best = Some(self.keep(Val::Parts(found))?);
        }
        match best {
            Some(best) => Ok(Val::Parts(self.parts(best)?[..width].into())),
            None => Ok(Val::known(-1)),
        }
    }

    /// The so many highest or lowest, as a list.
    fn few(&mut self, few: Val, entries: &[Entry], highest: bool) -> Lowered<Val> {
        let width = entries.first().map_or(1, |entry| entry.value.len());
        let mut args = vec![few];
        args.extend(entries.iter().map(as_value));
        let count = entries.len();
        let value = self.apply(args, &mut |args| {
            let mut there: Vec<&[i32]> = args[1..]
                .iter()
                .filter(|entry| entry[0] != 0)
                .map(|entry| &entry[1..])
                .collect();
            there.sort_by_key(|value| fraction(value));
            if highest {
                there.reverse();
            }
            there.truncate(args[0][0].max(0) as usize);
            let mut parts = Numbers::new();
            for at in 0..count {
                match there.get(at) {
                    Some(value) => {
                        parts.push(1);
                        parts.extend_from_slice(value);
                    }
                    None => {
                        parts.push(0);
                        parts.resize(parts.len() + width, 0);
                    }
                }
            }
            Ok(parts)
        })?;
        let parts = self.parts(value)?;
        let entry = |parts: &[Operand]| Entry {
            counts: parts[0],
            value: parts[1..].into(),
        };
        Ok(Val::List(
            parts
                .chunks(width + 1)
                .filter(|chunk| chunk.len() > width)
                .map(entry)
                .collect(),
        ))
    }
}

/// An entry as one value: whether it counts, then what it is worth.
fn as_value(entry: &Entry) -> Val {
    let mut parts: Operands = smallvec![entry.counts];
    parts.extend_from_slice(&entry.value);
    Val::Parts(parts)
}
