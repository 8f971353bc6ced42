//! How values are laid out in the frame, and how they are told.
//!
//! | type | parts |
//! |---|---|
//! | Flag, Number, Place | itself |
//! | Word | its position |
//! | a number or words | the number; a word is as far above the highest number as it stands among the words |
//! | Fraction | numerator, denominator (above 0); of a fraction or words the denominator of a word is 0 |
//! | Record | its fields, then its rank among the records that are printed (−1 of one made in play) |
//! | Unit, Side | its number; nobody is −1 |
//! | Units, set of words | a flag for each |
//! | Dice | their number among those that are printed |
//! | Band | its ends |

use super::value::Numbers;
use crate::number::Fraction;
use crate::program::{
    DiceSum, ExprKind, Interval, MixedId, MixedNumber, Procedure, Program, RecordId, Type,
    UnitTypeId, Value, WordId,
};
use smallvec::smallvec;
use std::sync::Arc;

/// What is printed, numbered: made once for a program.
#[derive(Debug, Clone, Default)]
pub struct Shapes {
    /// All dice of cells.
    pub dice: Vec<Arc<DiceSum>>,
    /// For each type of records, those that are printed: code and label, in their order.
    pub records: Vec<Vec<(u16, Arc<str>)>>,
}

impl Shapes {
    /// Numbers what a program prints.
    pub fn new(program: &Program) -> Self {
        let mut shapes = Shapes {
            dice: Vec::new(),
            records: vec![Vec::new(); program.records.len()],
        };
        program
            .cells
            .iter()
            .for_each(|cell| shapes.meet(&cell.value));
        for table in &program.tables {
            let results = table.by_faces.iter().flat_map(|(_, results)| results);
            results.for_each(|value| shapes.meet(value));
        }
        for expr in &program.exprs {
            if let ExprKind::Literal(value) = &expr.kind {
                shapes.meet(value);
            }
        }
        for records in &mut shapes.records {
            records.sort();
            records.dedup();
        }
        shapes
    }

    fn meet(&mut self, value: &Value) {
        match value {
            Value::Dice(dice) if !self.dice.contains(dice) => self.dice.push(dice.clone()),
            Value::Record(record) => {
                self.records[record.of.at()].push((record.code, record.label.clone()));
                record.fields.iter().for_each(|field| self.meet(field));
            }
            Value::List(values) => values.iter().for_each(|value| self.meet(value)),
            _ => {}
        }
    }
}

/// A unit or line on the table.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The side it belongs to, by position.
    pub side: usize,
    /// Its number in its side, from 1; of a line 0.
    pub number: u32,
    /// What it is.
    pub of: UnitTypeId,
    /// Of a member of a line: the line.
    pub line: Option<usize>,
    /// Whether it is on the table: a line of one unit still has keys for a second.
    pub there: bool,
}

/// The pieces of a question and the layout of its values.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'p> {
    /// The program.
    pub program: &'p Program,
    /// The procedure.
    pub procedure: &'p Procedure,
    /// What is printed.
    pub shapes: &'p Shapes,
    /// The pieces. A unit is known by its position here; the same number and that of all pieces more is the unit as it was
    /// at the start.
    pub pieces: &'p [Piece],
    /// Hears what is read, where somebody asks.
    pub heard: Option<&'p super::reads::Heard>,
    /// Units of a side of several equal ones are called like the side: what is refused is refused of all.
    pub plain: bool,
}

impl Layout<'_> {
    /// How many parts a value has.
    pub fn width(&self, ty: Type) -> usize {
        match ty {
            Type::Nothing | Type::Text | Type::Numbers | Type::Fractions => 0,
            Type::Fraction | Type::Band => 2,
            Type::Mixed(mixed) => match self.program[mixed].number {
                MixedNumber::Fraction => 2,
                _ => 1,
            },
            Type::Record(record) => {
                let fields = self.program[record].fields.iter();
                fields.map(|field| self.width(field.ty)).sum::<usize>() + 1
            }
            Type::Units(_) => self.pieces.len(),
            Type::WordSet(words) => self.program[words].words.len(),
            _ => 1,
        }
    }

    /// Where a field of a record begins among its parts, and how many it has.
    pub fn record_field(&self, record: RecordId, field: usize) -> (usize, usize) {
        let fields = &self.program[record].fields;
        let before = fields[..field].iter().map(|field| self.width(field.ty));
        (before.sum(), self.width(fields[field].ty))
    }

    /// The range of each part of a type, where the numbers of a type lie in this range.
    pub fn ranges(&self, ty: Type, range: Option<Interval>) -> Vec<Option<Interval>> {
        let upto = |high: usize| {
            Some(Interval {
                low: 0,
                high: high as i64 - 1,
            })
        };
        let one = match ty {
            Type::Flag => upto(2),
            Type::Number | Type::Place => range,
            Type::Word(words) => upto(self.program[words].words.len()),
            Type::Mixed(mixed) => return self.mixed_ranges(mixed),
            Type::Record(record) => {
                let of = &self.program[record];
                let fields = of.fields.iter();
                let mut all: Vec<_> = fields
                    .flat_map(|field| {
                        let range = match (field.range, &field.default) {
                            (Some(range), Value::Number(default)) => {
                                Some(range.hull(Interval::only(*default)))
                            }
                            (range, _) => range,
                        };
                        self.ranges(field.ty, range)
                    })
                    .collect();
                let printed = self.shapes.records[record.at()].len() as i64;
                all.push(Some(Interval {
                    low: -1,
                    high: printed - 1,
                }));
                return all;
            }
            Type::Unit(_) => upto(2 * self.pieces.len()),
            Type::MaybeUnit(_) => Some(Interval {
                low: -1,
                high: 2 * self.pieces.len() as i64 - 1,
            }),
            Type::Side => upto(self.procedure.sides.len()),
            Type::MaybeSide => Some(Interval {
                low: -1,
                high: self.procedure.sides.len() as i64 - 1,
            }),
            Type::Dice => upto(self.shapes.dice.len()),
            Type::Units(_) | Type::WordSet(_) => return vec![upto(2); self.width(ty)],
            _ => return vec![None; self.width(ty)],
        };
        vec![one]
    }

    fn mixed_ranges(&self, mixed: MixedId) -> Vec<Option<Interval>> {
        let words = self.program[mixed].words.len() as i64;
        match self.program[mixed].number {
            MixedNumber::None => vec![Some(Interval {
                low: 0,
                high: words - 1,
            })],
            MixedNumber::Whole(range) => vec![Some(Interval {
                low: range.low.min(0),
                high: range.high + words,
            })],
            MixedNumber::Fraction => vec![None; 2],
            MixedNumber::Dice => vec![Some(Interval {
                low: -words,
                high: self.shapes.dice.len() as i64 - 1,
            })],
        }
    }

    /// The parts of a word of a mixed kind, by its position among the words.
    pub fn mixed_word(&self, mixed: MixedId, at: usize) -> Numbers {
        let at = at as i32;
        match self.program[mixed].number {
            MixedNumber::None => smallvec![at],
            MixedNumber::Whole(range) => smallvec![range.high as i32 + 1 + at],
            MixedNumber::Fraction => smallvec![at, 0],
            MixedNumber::Dice => smallvec![-1 - at],
        }
    }

    /// The word of a mixed kind that these parts are, by its position; nothing if they are a number or dice.
    pub fn word_of_mixed(&self, mixed: MixedId, parts: &[i32]) -> Option<usize> {
        let at = match self.program[mixed].number {
            MixedNumber::None => parts[0],
            MixedNumber::Whole(range) => parts[0] - 1 - range.high as i32,
            MixedNumber::Fraction if parts[1] == 0 => parts[0],
            MixedNumber::Fraction => return None,
            MixedNumber::Dice => -1 - parts[0],
        };
        usize::try_from(at)
            .ok()
            .filter(|&at| at < self.program[mixed].words.len())
    }

    /// The word that a value is, of a word or a mixed kind.
    pub fn word(&self, ty: Type, parts: &[i32]) -> Option<WordId> {
        match ty {
            Type::Word(of) => Some(WordId {
                of,
                at: u16::try_from(parts[0]).ok()?,
            }),
            Type::Mixed(mixed) => {
                let at = self.word_of_mixed(mixed, parts)?;
                Some(self.program[mixed].words[at])
            }
            _ => None,
        }
    }

    /// The parts of a value of this type; nothing if it is none of it.
    pub fn parts(&self, value: &Value, ty: Type) -> Option<Numbers> {
        let whole = |number: i64| i32::try_from(number).ok();
        Some(match (value, ty) {
            (Value::Flag(flag), _) => smallvec![i32::from(*flag)],
            (Value::Word(word), Type::Mixed(mixed)) => {
                let at = self.program[mixed].words.iter().position(|w| w == word)?;
                self.mixed_word(mixed, at)
            }
            (Value::Word(word), Type::WordSet(_)) => {
                let mut set: Numbers = smallvec![0; self.width(ty)];
                *set.get_mut(word.at as usize)? = 1;
                set
            }
            (Value::Word(word), _) => smallvec![i32::from(word.at)],
            (Value::Number(number), _) if self.width(ty) == 2 => smallvec![whole(*number)?, 1],
            (Value::Number(number) | Value::Place(number), _) => smallvec![whole(*number)?],
            (Value::Fraction(x), _) if self.width(ty) == 2 => {
                smallvec![whole(*x.numer())?, whole(*x.denom())?]
            }
            (Value::Fraction(x), _) => smallvec![whole(x.is_integer().then(|| x.to_integer())?)?],
            (Value::Record(record), _) => {
                let of = &self.program[record.of];
                let mut parts = Numbers::new();
                for (value, field) in record.fields.iter().zip(&of.fields) {
                    parts.extend(self.parts(value, field.ty)?);
                }
                let printed = &self.shapes.records[record.of.at()];
                let rank = printed.binary_search(&(record.code, record.label.clone()));
                parts.push(rank.map_or(-1, |rank| rank as i32));
                parts
            }
            (Value::Dice(dice), _) => {
                smallvec![self.shapes.dice.iter().position(|known| known == dice)? as i32]
            }
            (Value::Band(band), _) => {
                let far = i64::from(i32::MAX);
                smallvec![
                    band.low.clamp(-far, far) as i32,
                    band.high.clamp(-far, far) as i32,
                ]
            }
            (Value::List(values), _) => {
                let mut set: Numbers = smallvec![0; self.width(ty)];
                for value in values {
                    if let Value::Word(word) = value {
                        *set.get_mut(word.at as usize)? = 1;
                    }
                }
                set
            }
            (Value::Nobody, _) => smallvec![-1],
            (Value::Text(_), _) => return None,
        })
    }

    /// What a value of a type is if nothing is said: 0, false, the first word, nobody, empty.
    pub fn blank(&self, ty: Type) -> Numbers {
        match ty {
            Type::Fraction => smallvec![0, 1],
            Type::MaybeUnit(_) | Type::MaybeSide => smallvec![-1],
            Type::Mixed(mixed) if self.program[mixed].number == MixedNumber::Fraction => {
                smallvec![0, 1]
            }
            Type::Mixed(mixed) if self.program[mixed].number == MixedNumber::Dice => smallvec![-1],
            Type::Record(record) => {
                let mut parts = Numbers::new();
                for field in &self.program[record].fields {
                    let default = self.parts(&field.default, field.ty);
                    parts.extend(default.unwrap_or_else(|| self.blank(field.ty)));
                }
                parts.push(-1);
                parts
            }
            _ => smallvec![0; self.width(ty)],
        }
    }

    /// A list of numbers.
    pub fn numbers(&self, values: &[Value]) -> Vec<Numbers> {
        let each = values.iter();
        each.filter_map(|value| self.parts(value, Type::Number))
            .collect()
    }

    /// The name of a side.
    pub fn side_name(&self, side: usize) -> &str {
        match self.procedure.sides.get(side) {
            Some(side) => &self.program[side.side].name,
            None => "nobody",
        }
    }

    /// A value as it is told.
    pub fn letters(&self, ty: Type, parts: &[i32]) -> String {
        match ty {
            Type::Flag => (parts[0] != 0).to_string(),
            Type::Fraction => fraction(parts).map_or_else(String::new, crate::number::written),
            Type::Word(_) | Type::Mixed(_) => match self.word(ty, parts) {
                Some(word) => self.program[word.of].words[word.at as usize].to_string(),
                None if parts.len() == 2 => self.letters(Type::Fraction, parts),
                None => parts[0].to_string(),
            },
            Type::Side | Type::MaybeSide => match usize::try_from(parts[0]) {
                Ok(side) => self.side_name(side).to_owned(),
                Err(_) => "nobody".to_owned(),
            },
            Type::Unit(_) | Type::MaybeUnit(_) => match usize::try_from(parts[0]) {
                Ok(unit) => self.piece_name(unit % self.pieces.len().max(1)),
                Err(_) => "nobody".to_owned(),
            },
            Type::Units(_) => {
                let there = (0..self.pieces.len()).filter(|&unit| parts[unit] != 0);
                there
                    .map(|unit| self.piece_name(unit))
                    .collect::<Vec<_>>()
                    .join(", ")
            }
            Type::WordSet(words) => {
                let words = self.program[words].words.iter().zip(parts);
                let there = words.filter(|&(_, &there)| there != 0);
                there
                    .map(|(word, _)| &**word)
                    .collect::<Vec<_>>()
                    .join(", ")
            }
            Type::Record(record) => match usize::try_from(*parts.last().unwrap_or(&-1)) {
                Ok(rank) => self.shapes.records[record.at()][rank].1.to_string(),
                Err(_) => String::new(),
            },
            Type::Number | Type::Place => parts[0].to_string(),
            _ => String::new(),
        }
    }

    fn piece_name(&self, unit: usize) -> String {
        let piece = &self.pieces[unit];
        let times = self.procedure.sides[piece.side].times.is_some();
        let alone = piece.line.is_none() && (!times || self.plain);
        match alone {
            true => self.side_name(piece.side).to_owned(),
            false => format!("{} {}", self.side_name(piece.side), piece.number),
        }
    }
}

/// The fraction that two parts are; nothing of a word.
pub fn fraction(parts: &[i32]) -> Option<Fraction> {
    match parts {
        [numerator, denominator] if *denominator != 0 => Some(Fraction::new(
            i64::from(*numerator),
            i64::from(*denominator),
        )),
        [whole] => Some(Fraction::from_integer(i64::from(*whole))),
        _ => None,
    }
}

/// A list of numbers as it is told: consecutive ones as `4 to 8`, others with commas.
pub fn listed(numbers: &[Numbers]) -> String {
    let whole: Option<Numbers> = numbers
        .iter()
        .map(|number| (number.len() == 1).then(|| number[0]))
        .collect();
    match whole.as_deref() {
        Some([first, .., last])
            if i64::from(*last) - i64::from(*first) == numbers.len() as i64 - 1
                && numbers.windows(2).all(|pair| pair[0][0] < pair[1][0]) =>
        {
            format!("{first} to {last}")
        }
        _ => {
            let each = numbers.iter().filter_map(|number| fraction(number));
            each.map(crate::number::written)
                .collect::<Vec<_>>()
                .join(", ")
        }
    }
}
