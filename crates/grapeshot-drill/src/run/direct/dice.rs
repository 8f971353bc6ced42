//! Dice that fall as the text comes to them, one after the other.

use super::{MOST_ROLLS, Played, Stop, Trial, Val};
use crate::program::{DieId, ExprId, Throw as Asked};
use crate::run::layout::fraction;
use crate::run::lower::{MOST_SUMS, sums, too_many_sums};
use grapeshot_engine::engine::Teller;
use grapeshot_engine::{Dice, Odds, Throw};
use std::sync::Arc;

/// The most dice in one hand.
const MOST_DICE: i32 = 200;

/// What is thrown, known by what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Thrown {
    Sum(DieId, i32),
    Chance(i64, i64),
}

impl<D: Dice, T: Teller> Trial<'_, D, T> {
    /// Throws so many of a die.
    pub(super) fn sum(&mut self, count: i32, die: DieId) -> Played<i32> {
        if count <= 0 {
            return Ok(0);
        }
        if count > MOST_DICE {
            return self.wrong(format!(
                "{count} dice are too many to throw at once; {MOST_DICE} are the most"
            ));
        }
        let reading = self.thrown(Thrown::Sum(die, count))?;
        if let (true, Some(teller)) = (self.tells_dice, &mut self.teller) {
            let name = &self.layout.program[die].name;
            teller.tell(|| match count {
                1 => format!("{name}: {reading}"),
                _ => format!("{count} × {name}: {reading}"),
            });
        }
        Ok(reading)
    }

    fn thrown(&mut self, what: Thrown) -> Played<i32> {
        self.rolls += 1;
        if self.rolls > MOST_ROLLS {
            return self.wrong(format!("a trial throws dice {MOST_ROLLS} times at most"));
        }
        self.ended_in = self.stage;
        let odds = match self.table.known.get(&what) {
            Some(odds) => Arc::clone(odds),
            None => {
                let odds = Arc::new(self.odds(what)?);
                self.table.known.insert(what, Arc::clone(&odds));
                odds
            }
        };
        Ok(odds.roll(self.dice))
    }

    fn odds(&self, what: Thrown) -> Played<Odds<i32>> {
        match what {
            Thrown::Sum(die, count) => {
                let faces = self.layout.program[die].faces.iter();
                let faces: Option<Vec<i16>> = faces.map(|&face| i16::try_from(face).ok()).collect();
                match faces.filter(|faces| !faces.is_empty()) {
                    Some(faces) if sums(&faces, count) > MOST_SUMS => {
                        self.wrong(too_many_sums(count))
                    }
                    Some(faces) => Ok(Odds::new(Throw::sum(faces, count as u32), |n| n)),
                    None => self.wrong("a face of this die is too large"),
                }
            }
            Thrown::Chance(good, all) => Ok(Odds::weighted([
                (0, (all - good) as u128),
                (1, good as u128),
            ])),
        }
    }

    /// A throw that the text asks for.
    pub(super) fn throw(&mut self, throw: &Asked) -> Played<Val> {
        match throw {
            Asked::Sum(count, die) => {
                let count = self.one(*count)?;
                Ok(Val::One(self.sum(count, *die)?))
            }
            Asked::OfCell(count, dice) => {
                let (count, dice) = (self.one(*count)?, self.one(*dice)?);
                self.dice_of_cell(count, dice)
            }
            Asked::Count(count, condition) => self.count(*count, *condition),
            Asked::Best { keep, of, die } => {
                let (keep, of) = (self.one(*keep)?, self.one(*of)?);
                let mut hand = Vec::new();
                for _ in 0..of.clamp(0, MOST_DICE) {
                    hand.push(vec![self.sum(1, *die)?]);
                }
                hand.sort_by(|a, b| b.cmp(a));
                hand.truncate(keep.max(0) as usize);
                Ok(Val::List(hand))
            }
            Asked::Chance(chance) => {
                let chance = self.value(*chance)?;
                let Some(chance) = fraction(chance.as_parts()) else {
                    return self.wrong("this is no chance");
                };
                let (good, all) = (*chance.numer(), *chance.denom());
                match (good, all - good) {
                    (..0, _) | (_, ..0) => {
                        self.wrong(format!("a chance lies from 0 to 1, and this is {chance}"))
                    }
                    (0, _) => Ok(Val::One(0)),
                    (_, 0) => Ok(Val::One(1)),
                    _ => {
                        let came = self.thrown(Thrown::Chance(good, all))?;
                        if let (true, Some(teller)) = (self.tells_dice, &mut self.teller) {
                            let said = if came != 0 {
                                "it comes"
                            } else {
                                "it does not come"
                            };
                            teller.tell(|| format!("a chance of {chance}: {said}"));
                        }
                        Ok(Val::One(came))
                    }
                }
            }
        }
    }

    fn count(&mut self, count: ExprId, condition: ExprId) -> Played<Val> {
        let count = self.one(count)?;
        if count > MOST_DICE {
            return self.wrong(format!(
                "{count} dice are too many to throw at once; {MOST_DICE} are the most"
            ));
        }
        let mut met = 0;
        for _ in 0..count {
            met += self.one(condition)?;
        }
        Ok(Val::One(met))
    }

    /// Dice of a cell are thrown.
    pub(super) fn dice_of_cell(&mut self, times: i32, cell: i32) -> Played<Val> {
        let at = usize::try_from(cell).unwrap_or(usize::MAX);
        let Some(sum) = self.layout.shapes.dice.get(at) else {
            return self.wrong("these are no dice");
        };
        let times = times.clamp(0, MOST_DICE);
        let mut total = times * sum.plus as i32;
        for &(count, die) in &sum.dice {
            total += self.sum(times * count as i32, die)?;
        }
        Ok(Val::One(total))
    }

    pub(super) fn wrong<X>(&self, text: impl Into<String>) -> Played<X> {
        Err(Stop::Wrong(text.into(), self.span))
    }
}
