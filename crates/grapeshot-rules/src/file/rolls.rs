//! The rolls a script can ask for, each made once and kept.
//!
//! A roll is described by what the script said; equal faces are merged when it is made, so that a roll
//! on a printed table is as many branches as the column has different cells.

use super::charts::{Charts, parse_dice};
use super::limits::Limits;
use grapeshot_engine::dice::{Odds, Throw};
use rhai::Dynamic;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

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
    /// Dice as they are written, such as 2d6. With limits, how many of them the sum with the modifier reaches.
    Said {
        dice: String,
        modifier: i64,
        limits: Vec<i64>,
    },
    /// Places of a list, each with its weight.
    Weighted { weights: Vec<i64> },
    /// The die of a printed table, with a modifier, in a column.
    On {
        table: String,
        column: String,
        modifier: i64,
    },
}

/// The most ways in which the dice of one roll can fall: what their weights can hold.
const MOST_WAYS: f64 = 1e36;

fn too_many(count: i64, sides: i64) -> String {
    format!("{count} dice of {sides} sides can fall in too many ways to count")
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
    fn of_hands(count: i64, sides: i64, keep: i64, most: usize) -> Result<Self, String> {
        if (sides as f64).powi(count as i32) > MOST_WAYS {
            return Err(too_many(count, sides));
        }
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
            if next.len() > most {
                return Err(format!(
                    "{count} dice of {sides} sides sorted have more than {most} different hands"
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

/// The most rolls that are kept; a ruleset that asks for more makes some of them again.
const MOST_KEPT: usize = 10_000;

/// Every roll that was asked for so far.
#[derive(Debug)]
pub(super) struct Rolls {
    charts: Arc<Charts>,
    limits: Limits,
    made: RwLock<FxHashMap<Request, Arc<ScriptRoll>>>,
}

impl Rolls {
    pub(super) fn new(charts: Arc<Charts>, limits: Limits) -> Self {
        Rolls {
            charts,
            limits,
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
        if made.len() >= MOST_KEPT {
            made.clear();
        }
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
        let Limits {
            dice: most_dice,
            sides: most_sides,
            results,
            ..
        } = self.limits;
        let count = |n: i64| within("the number of dice", n, 0, most_dice).map(|n| n as u32);
        let sides = |n: i64| within("the number of sides", n, 1, most_sides).map(|n| n as i16);
        let face = |n: i64| n.clamp(-1, most_sides + 1) as i16;
        let fits = |n: u32, s: i16| match f64::from(s).powi(n as i32) > MOST_WAYS {
            true => Err(too_many(i64::from(n), i64::from(s))),
            false => Ok(()),
        };
        Ok(match *request {
            Request::Die { first, last } => {
                let first = within("the lowest face", first, -most_sides, most_sides)?;
                let last = within("the highest face", last, first, first + most_sides)?;
                ScriptRoll::of_numbers(Throw::die(first as i16, last as i16))
            }
            Request::Sum { count: n, sides: s } => {
                let (n, s) = (count(n)?, sides(s)?);
                fits(n, s)?;
                ScriptRoll::of_numbers(Throw::sum((1..=s).collect(), n))
            }
            Request::Average { count: n } => {
                let n = count(n)?;
                fits(n, 6)?;
                ScriptRoll::of_numbers(Throw::average_dice(n))
            }
            Request::Said {
                ref dice,
                modifier,
                ref limits,
            } => {
                let throw = parse_dice(dice).ok_or_else(|| {
                    format!("`{dice}` are no dice; allowed is d6, 2d6, d10, d10-1 (from 0 to 9), 3av (average dice)")
                })?;
                if limits.is_empty() {
                    return Ok(ScriptRoll::of_numbers(throw));
                }
                if !limits.is_sorted() {
                    return Err(format!("limits must rise: {limits:?}"));
                }
                let reached = |reading: i32| {
                    let sum = i64::from(reading).saturating_add(modifier);
                    limits.partition_point(|&limit| limit <= sum)
                };
                ScriptRoll::of_cells(throw, |reading| reached(reading).to_string())
            }
            Request::Weighted { ref weights } => {
                if weights.iter().any(|&weight| weight < 0)
                    || weights.iter().all(|&weight| weight == 0)
                {
                    return Err(format!(
                        "weights are whole numbers from 0, not all 0: {weights:?}"
                    ));
                }
                let found = (0u16..).zip(weights).filter(|&(_, &weight)| weight > 0);
                let (places, weights): (Vec<u16>, Vec<u128>) =
                    found.map(|(at, &weight)| (at, weight as u128)).unzip();
                ScriptRoll {
                    odds: Odds::weighted((0u16..).zip(weights)),
                    values: places.iter().map(|&at| i64::from(at).into()).collect(),
                }
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
                ScriptRoll::of_hands(n, i64::from(sides(s)?), keep, results)?
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
        let hands = ScriptRoll::of_hands(3, 6, 2, 100).unwrap();
        assert_eq!(hands.values.len(), 21);
        assert_eq!(hands.odds.total(), 216);
        let top = hands.odds.iter().last().unwrap();
        assert_eq!(top.1, 16, "two sixes or more of three dice");
    }
}
