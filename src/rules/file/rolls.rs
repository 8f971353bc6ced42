//! The rolls a script can ask for, each made once and kept.
//!
//! A roll is described by what the script said; equal faces are merged when it is made, so that a roll
//! on a printed table is as many branches as the column has different cells.

use super::charts::Charts;
use crate::dice::{Odds, Throw};
use rhai::Dynamic;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

/// The most dice of one roll: what the weights of a roll can hold, and a page can wait for.
const MOST_DICE: i64 = 200;
const MOST_SIDES: i64 = 1000;
/// The most different hands of sorted dice.
const MOST_HANDS: usize = 20_000;

/// A roll as a script describes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Request {
    /// One die from a face to another.
    Die { first: i64, last: i64 },
    /// Several dice summed.
    Sum { count: i64, sides: i64 },
    /// Average dice summed.
    Average { count: i64 },
    /// How many dice show at least so much.
    AtLeast { count: i64, sides: i64, need: i64 },
    /// How many dice show at most so much.
    AtMost { count: i64, sides: i64, limit: i64 },
    /// The highest few of several dice, in falling order.
    Highest { count: i64, sides: i64, keep: i64 },
    /// The die of a printed table, with a modifier, in a column.
    On {
        table: String,
        column: String,
        modifier: i64,
    },
}

/// A roll with what each of its outcomes is to the script.
#[derive(Debug)]
pub(super) struct ScriptRoll {
    pub odds: Odds<u16>,
    pub values: Vec<Dynamic>,
}

impl ScriptRoll {
    fn of_numbers(throw: Throw) -> Self {
        let readings: Vec<i32> = throw
            .readings()
            .iter()
            .map(|&(reading, _)| reading)
            .collect();
        let place = |reading: i32| readings.binary_search(&reading).unwrap_or(0) as u16;
        ScriptRoll {
            odds: Odds::new(throw, place),
            values: readings.iter().map(|&n| i64::from(n).into()).collect(),
        }
    }

    fn of_cells(throw: Throw, cell: impl Fn(i32) -> String) -> Self {
        let mut cells: Vec<String> = Vec::new();
        let mut place_of = FxHashMap::default();
        for &(reading, _) in throw.readings() {
            let text = cell(reading);
            let at = cells.iter().position(|known| *known == text);
            let at = at.unwrap_or_else(|| {
                cells.push(text);
                cells.len() - 1
            });
            place_of.insert(reading, at as u16);
        }
        ScriptRoll {
            odds: Odds::new(throw, |reading| place_of[&reading]),
            values: cells.into_iter().map(cell_value).collect(),
        }
    }

    /// The highest `keep` of `count` dice: hands with the number of ways they come up.
    fn of_hands(count: i64, sides: i64, keep: i64) -> Result<Self, String> {
        let mut hands: BTreeMap<Vec<i64>, u128> = BTreeMap::from([(Vec::new(), 1)]);
        for _ in 0..count {
            let mut next: BTreeMap<Vec<i64>, u128> = BTreeMap::new();
            for (hand, ways) in &hands {
                for face in 1..=sides {
                    let mut hand = hand.clone();
                    let at = hand.partition_point(|&known| known >= face);
                    hand.insert(at, face);
                    hand.truncate(keep as usize);
                    *next.entry(hand).or_insert(0) += ways;
                }
            }
            if next.len() > MOST_HANDS {
                return Err(format!(
                    "{count} dice of {sides} sides sorted have more than {MOST_HANDS} different hands"
                ));
            }
            hands = next;
        }
        let values = hands
            .keys()
            .map(|hand| Dynamic::from(hand.iter().map(|&n| n.into()).collect::<rhai::Array>()))
            .collect();
        Ok(ScriptRoll {
            odds: Odds::weighted((0u16..).zip(hands.into_values())),
            values,
        })
    }
}

/// A printed cell to a script: a number if it is one, else a word.
pub(super) fn cell_value(text: impl AsRef<str>) -> Dynamic {
    let text = text.as_ref();
    match text.parse::<i64>() {
        Ok(number) => number.into(),
        Err(_) => text.to_owned().into(),
    }
}

/// Every roll that was asked for so far.
#[derive(Debug)]
pub(super) struct Rolls {
    charts: Arc<Charts>,
    made: RwLock<FxHashMap<Request, Arc<ScriptRoll>>>,
}

impl Rolls {
    pub(super) fn new(charts: Arc<Charts>) -> Self {
        Rolls {
            charts,
            made: RwLock::default(),
        }
    }

    /// The roll of a request, or what is wrong with it.
    pub(super) fn get(&self, request: Request) -> Result<Arc<ScriptRoll>, String> {
        if let Some(known) = self.made.read().expect("no one panics here").get(&request) {
            return Ok(Arc::clone(known));
        }
        let roll = Arc::new(self.make(&request)?);
        let mut made = self.made.write().expect("no one panics here");
        Ok(Arc::clone(made.entry(request).or_insert(roll)))
    }

    fn make(&self, request: &Request) -> Result<ScriptRoll, String> {
        let within = |what: &str, n: i64, least: i64, most: i64| {
            if (least..=most).contains(&n) {
                Ok(n)
            } else {
                Err(format!("{what} is {n}; allowed is {least} to {most}"))
            }
        };
        let count = |n: i64| within("the number of dice", n, 0, MOST_DICE).map(|n| n as u32);
        let sides = |n: i64| within("the number of sides", n, 1, MOST_SIDES).map(|n| n as i16);
        let face = |n: i64| n.clamp(-1, MOST_SIDES + 1) as i16;
        Ok(match *request {
            Request::Die { first, last } => {
                let first = within("the lowest face", first, -MOST_SIDES, MOST_SIDES)?;
                let last = within("the highest face", last, first, first + MOST_SIDES)?;
                ScriptRoll::of_numbers(Throw::die(first as i16, last as i16))
            }
            Request::Sum { count: n, sides: s } => {
                ScriptRoll::of_numbers(Throw::sum((1..=sides(s)?).collect(), count(n)?.min(40)))
            }
            Request::Average { count: n } => {
                ScriptRoll::of_numbers(Throw::average_dice(count(n)?.min(40)))
            }
            Request::AtLeast {
                count: n,
                sides: s,
                need,
            } => ScriptRoll::of_numbers(Throw::pool_at_least(count(n)?, sides(s)?, face(need))),
            Request::AtMost {
                count: n,
                sides: s,
                limit,
            } => ScriptRoll::of_numbers(Throw::pool_at_most(count(n)?, sides(s)?, face(limit))),
            Request::Highest {
                count: n,
                sides: s,
                keep,
            } => {
                let n = within("the number of dice", n, 1, 20)?;
                let keep = within("the number of dice kept", keep, 1, n)?;
                ScriptRoll::of_hands(n, i64::from(sides(s)?), keep)?
            }
            Request::On {
                ref table,
                ref column,
                modifier,
            } => {
                let chart = self.charts.table(table)?;
                let column = chart.column(column)?;
                let throw = chart.throw()?;
                ScriptRoll::of_cells(throw, |reading| {
                    chart
                        .cell_at(i64::from(reading) + modifier, column)
                        .to_owned()
                })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_dice_have_as_many_hands_as_there_are_and_all_their_ways() {
        let hands = ScriptRoll::of_hands(3, 6, 2).unwrap();
        assert_eq!(hands.values.len(), 21);
        assert_eq!(hands.odds.total(), 216);
        let top = hands.odds.iter().last().unwrap();
        assert_eq!(top.1, 16, "two sixes or more of three dice");
    }
}
