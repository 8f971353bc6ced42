//! Lists of units, numbers and words, and what is asked of them.

use super::{Played, Trial, Val};
use crate::program::{BinaryOp, ExprId, LocalId, ModifierName, ModifiersId, Quantifier, Type};
use crate::run::layout::fraction;
use crate::run::value::Numbers;
use grapeshot_engine::Dice;
use grapeshot_engine::engine::Teller;
use smallvec::smallvec;
use std::sync::Arc;

impl<'a, D: Dice, T: Teller> Trial<'a, D, T> {
    /// The elements of a list one by one.
    pub(super) fn members(&self, list: Val, _ty: Type) -> Vec<Val> {
        match list {
            Val::List(entries) => entries.into_iter().map(Val::of).collect(),
            other => {
                let flags = other.as_parts().iter().enumerate();
                let there = flags.filter(|(_, there)| **there != 0);
                there.map(|(at, _)| Val::One(at as i32)).collect()
            }
        }
    }

    /// The sum of a list.
    pub(super) fn total(&self, list: Val) -> Played<Val> {
        let Val::List(entries) = list else {
            return Ok(list);
        };
        let wide = entries.iter().any(|entry| entry.len() == 2);
        let ty = if wide { Type::Fraction } else { Type::Number };
        let mut sum = match wide {
            true => Val::Parts(smallvec![0, 1]),
            false => Val::One(0),
        };
        for entry in entries {
            sum = self.binary(BinaryOp::Add, &sum, &Val::of(entry), ty, ty)?;
        }
        Ok(sum)
    }

    fn holds(&mut self, it: LocalId, element: &Val, condition: Option<ExprId>) -> Played<bool> {
        self.set_local(it, element.clone());
        match condition {
            Some(condition) => Ok(self.one(condition)? != 0),
            None => Ok(true),
        }
    }

    pub(super) fn filter(&mut self, list: ExprId, it: LocalId, condition: ExprId) -> Played<Val> {
        let ty = self.layout.program[list].ty;
        let value = self.value(list)?;
        let numbers = matches!(value, Val::List(_));
        let mut flags: Numbers = smallvec![0; self.layout.width(ty)];
        let mut entries = Vec::new();
        for element in self.members(value, ty) {
            if self.holds(it, &element, Some(condition))? {
                match numbers {
                    true => entries.push(element.parts()),
                    false => flags[element.one() as usize] = 1,
                }
            }
        }
        Ok(match numbers {
            true => Val::List(entries),
            false => Val::of(flags),
        })
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        list: ExprId,
        it: LocalId,
        condition: Option<ExprId>,
        by: Option<ExprId>,
    ) -> Played<Val> {
        let few = match quantifier {
            Quantifier::HighestFew(few) | Quantifier::LowestFew(few) => self.one(few)?.max(0),
            _ => 0,
        };
        let ty = self.layout.program[list].ty;
        let value = self.value(list)?;
        let mut entries: Vec<(Val, Val)> = Vec::new();
        for element in self.members(value, ty) {
            if !self.holds(it, &element, condition)? {
                continue;
            }
            match quantifier {
                Quantifier::Any => return Ok(Val::One(1)),
                Quantifier::First if by.is_none() => return Ok(element),
                _ => {}
            }
            let value = match by {
                Some(by) => self.value(by)?,
                None => element.clone(),
            };
            entries.push((value, element));
        }
        let size = |value: &Val| fraction(value.as_parts());
        match quantifier {
            Quantifier::Any => Ok(Val::One(0)),
            Quantifier::Number => Ok(Val::One(entries.len() as i32)),
            Quantifier::Sum => {
                let fractions = by.map_or(ty == Type::Fractions, |by| {
                    self.layout.program[by].ty == Type::Fraction
                });
                let values = entries.into_iter().map(|(value, _)| value.parts());
                match self.total(Val::List(values.collect()))? {
                    Val::One(0) if fractions => Ok(Val::Parts(smallvec![0, 1])),
                    sum => Ok(sum),
                }
            }
            Quantifier::First => {
                let mut least: Option<(Val, Val)> = None;
                for entry in entries {
                    if least
                        .as_ref()
                        .is_none_or(|least| size(&entry.0) < size(&least.0))
                    {
                        least = Some(entry);
                    }
                }
                Ok(least.map_or(Val::One(-1), |(_, element)| element))
            }
            Quantifier::Highest | Quantifier::Lowest => {
                let values = entries.into_iter().map(|(value, _)| value);
                let best = match quantifier {
                    Quantifier::Highest => values.max_by_key(size),
                    _ => values.min_by_key(size),
                };
                match best {
                    Some(best) => Ok(best),
                    None => self.wrong("there is none of which to take the highest or lowest"),
                }
            }
            Quantifier::HighestFew(_) | Quantifier::LowestFew(_) => {
                let mut values: Vec<Numbers> = entries
                    .into_iter()
                    .map(|(value, _)| value.parts())
                    .collect();
                values.sort_by_key(|value| fraction(value));
                if matches!(quantifier, Quantifier::HighestFew(_)) {
                    values.reverse();
                }
                values.truncate(few as usize);
                Ok(Val::List(values))
            }
        }
    }

    /// The entries of modifiers that count.
    pub(super) fn modifiers(
        &mut self,
        list: ModifiersId,
        arguments: &'a [Option<ExprId>],
        without: &'a [Arc<str>],
    ) -> Played<Val> {
        let of = &self.layout.program[list];
        let base = self.with_arguments(of.locals.len(), &of.defaults, arguments)?;
        let mut entries = Vec::new();
        for modifier in &of.entries {
            if let ModifierName::Fixed(name) = &modifier.name
                && without.contains(name)
            {
                continue;
            }
            if let Some(condition) = modifier.condition
                && self.one(condition)? == 0
            {
                continue;
            }
            if let ModifierName::Of(name) = &modifier.name
                && !without.is_empty()
            {
                let ty = self.layout.program[*name].ty;
                let value = self.value(*name)?;
                let letters = self.layout.letters(ty, value.as_parts());
                if without.iter().any(|name| **name == *letters) {
                    continue;
                }
            }
            entries.push(self.value(modifier.value)?.parts());
        }
        self.leave(base);
        Ok(Val::List(entries))
    }
}
