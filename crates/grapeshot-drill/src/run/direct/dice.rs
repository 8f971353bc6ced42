//! Dice that fall as the text comes to them, one after the other.

use super::{MOST_ROLLS, Played, Stop, Trial, Val};
use crate::program::{DieId, ExprId, Throw as Asked};
use crate::run::handful::MOST_DICE;
use crate::run::layout::fraction;
use grapeshot_engine::engine::Teller;
use grapeshot_engine::{Dice, Odds};
use smallvec::smallvec;

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
        self.falls()?;
        let odds = match self.direct.dice[die.at()].sum(count) {
            Ok(odds) => odds,
            Err(text) => return self.wrong(text),
        };
        let reading = odds.roll(self.dice);
        if let (true, Some(teller)) = (self.tells_dice, &mut self.teller) {
            let name = &self.layout.program[die].name;
            teller.tell(|| match count {
                1 => format!("{name}: {reading}"),
                _ => format!("{count} × {name}: {reading}"),
            });
        }
        Ok(reading)
    }

    /// Dice fall once more.
    fn falls(&mut self) -> Played<()> {
        self.rolls += 1;
        if self.rolls > MOST_ROLLS {
            return self.wrong(format!("a trial throws dice {MOST_ROLLS} times at most"));
        }
        self.ended_in = self.stage;
        Ok(())
    }

    /// Whether it comes, with so many chances of so many.
    fn comes(&mut self, good: i64, all: i64) -> Played<i32> {
        self.falls()?;
        let odds = self
            .table
            .chances
            .entry((good, all))
            .or_insert_with(|| Odds::weighted([(0, (all - good) as u128), (1, good as u128)]));
        Ok(odds.roll(self.dice))
    }

    /// A throw that the text asks for.
    pub(super) fn throw(&mut self, throw: &Asked) -> Played<Val> {
        if let Some(face) = self.face {
            return Ok(Val::One(face));
        }
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
                    hand.push(smallvec![self.sum(1, *die)?]);
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
                        let came = self.comes(good, all)?;
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
        if let (true, Some(&die)) = (count > 0, self.direct.pools.get(&condition)) {
            return self.pool(count, die, condition);
        }
        let mut met = 0;
        for _ in 0..count {
            met += self.one(condition)?;
        }
        Ok(Val::One(met))
    }

    /// How many of so many dice a condition holds of, thrown as one.
    fn pool(&mut self, count: i32, die: DieId, condition: ExprId) -> Played<Val> {
        let handful = &self.direct.dice[die.at()];
        let mut good = 0;
        for &face in handful.faces() {
            self.face = Some(face as i32);
            good += self.one(condition)?;
        }
        self.face = None;
        self.falls()?;
        let met = handful.pool(good, count).roll(self.dice);
        if let (true, Some(teller)) = (self.tells_dice, &mut self.teller) {
            let name = &self.layout.program[die].name;
            teller.tell(|| format!("{count} × {name}: {met} of them"));
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
