//! Reading printed cells by their rules: when a ruleset is checked, and again when a cell is overlaid.

use super::*;
use crate::number;
use std::cell::Cell as Count;

/// So many steps are tried to fit a code to a cell: more than any print needs, and no more than anybody waits for.
const STEPS: u32 = 10_000;

/// A printed band: `3`, `+1`, `4 to 8`, `9-11`, `63 +`, `3 or less`, and with a sign `-3`.
pub fn band(text: &str) -> Option<Interval> {
    let text = text.trim();
    let whole = |text: &str| {
        number::read(text)
            .filter(|n| n.is_integer())
            .map(|n| n.to_integer())
    };
    if let Some(only) = whole(text) {
        return Some(Interval::only(only));
    }
    if let Some(high) = text.strip_suffix("or less") {
        return Some(Interval {
            low: -Heading::FAR,
            high: whole(high)?,
        });
    }
    if let Some(low) = text.strip_suffix('+') {
        return Some(Interval {
            low: whole(low)?,
            high: Heading::FAR,
        });
    }
    let (low, high) = text.split_once(" to ").or_else(|| text.split_once('-'))?;
    Some(Interval {
        low: whole(low)?,
        high: whole(high)?,
    })
}

/// What a cell of a table `by faces` may be.
pub(crate) const FACES: &str = "faces such as 4 or 2-5, or -- for none";

/// The faces in a cell of a table `by faces`, if it is one.
pub(crate) fn faces_of(text: &str) -> Option<Option<Interval>> {
    match text.trim_matches('-').is_empty() {
        true => Some(None),
        false => band(text).map(Some),
    }
}

impl Program {
    /// The letters of a word.
    pub fn letters(&self, word: WordId) -> Arc<str> {
        self[word.of].words[word.at as usize].clone()
    }

    /// The words a type can be; none if it is no type of words.
    pub fn words_of(&self, ty: Type) -> Vec<WordId> {
        match ty {
            Type::Word(of) | Type::WordSet(of) => {
                let count = self[of].words.len() as u16;
                (0..count).map(|at| WordId { of, at }).collect()
            }
            Type::Mixed(id) => self[id].words.clone(),
            _ => Vec::new(),
        }
    }

    /// The word of a type with these letters.
    pub fn find_word(&self, ty: Type, letters: &str) -> Option<WordId> {
        match ty {
            Type::Word(of) | Type::WordSet(of) => {
                let at = self[of].position(letters)?;
                Some(WordId { of, at })
            }
            _ => self
                .words_of(ty)
                .into_iter()
                .find(|&word| *self.letters(word) == *letters),
        }
    }

    /// Reads a cell by its rule.
    pub fn read_cell(&self, text: &str, rule: &CellRule) -> Option<Value> {
        let text = text.trim();
        for (pattern, special) in &rule.specials {
            match special {
                Special::Value(value) if **pattern == *text => return Some(value.clone()),
                Special::Value(_) => {}
                Special::Number => {
                    let (before, rest) = pattern.split_once('{').unwrap_or((pattern, ""));
                    let after = rest.split_once('}').map_or("", |(_, after)| after);
                    let inside = text
                        .strip_prefix(before)
                        .and_then(|rest| rest.strip_suffix(after));
                    if let Some(number) = inside.and_then(number::read) {
                        return Some(self.as_number(number, rule.ty));
                    }
                }
            }
        }
        rule.alternatives
            .iter()
            .find_map(|one| self.read_alternative(text, one, rule.ty))
    }

    fn as_number(&self, number: number::Fraction, ty: Type) -> Value {
        let exact = match ty {
            Type::Fraction => true,
            Type::Mixed(id) => self[id].number == MixedNumber::Fraction,
            _ => false,
        };
        match exact || !number.is_integer() {
            true => Value::Fraction(number),
            false => Value::Number(number.to_integer()),
        }
    }

    fn read_alternative(&self, text: &str, one: &CellAlternative, ty: Type) -> Option<Value> {
        match one {
            CellAlternative::Number { low, high, whole } => {
                let number = number::read(text)?;
                let fits = *low <= number && number <= *high && (!whole || number.is_integer());
                fits.then(|| self.as_number(number, ty))
            }
            CellAlternative::Score => {
                let digits = text.strip_prefix('+').unwrap_or(text);
                let digits = digits.strip_suffix('+').unwrap_or(digits);
                digits
                    .parse::<i64>()
                    .ok()
                    .filter(|score| (0..=100).contains(score))
                    .map(Value::Number)
            }
            CellAlternative::Band => band(text).map(Value::Band),
            CellAlternative::Dice => self.dice_sum(text).map(|sum| Value::Dice(Arc::new(sum))),
            CellAlternative::Text => Some(Value::Text(text.into())),
            CellAlternative::Faces(die) => {
                let faces: Option<Vec<i64>> = text
                    .split_whitespace()
                    .map(|face| face.parse().ok())
                    .collect();
                let faces = faces.filter(|faces| !faces.is_empty())?;
                let highest = self[*die].faces.iter().max()?;
                let in_a_row = faces.windows(2).all(|pair| pair[1] == pair[0] + 1);
                (in_a_row && faces.last() == Some(highest)).then(|| Value::Number(faces[0]))
            }
            CellAlternative::Record(of) => self.read_code(*of, text),
            CellAlternative::Words(of, first, last) => {
                let at = self[*of].position(text)?;
                (*first <= at && at <= *last).then_some(Value::Word(WordId { of: *of, at }))
            }
            CellAlternative::WordSet(of) => {
                let words: Option<Vec<Value>> = text
                    .split_whitespace()
                    .map(|word| {
                        self[*of]
                            .position(word)
                            .map(|at| Value::Word(WordId { of: *of, at }))
                    })
                    .collect();
                words.map(Value::List)
            }
            CellAlternative::Flag => text.parse().ok().map(Value::Flag),
        }
    }

    /// `2D6 + 1`.
    fn dice_sum(&self, text: &str) -> Option<DiceSum> {
        let mut sum = DiceSum {
            dice: Vec::new(),
            plus: 0,
        };
        for part in text.split('+') {
            let part = part.trim();
            if let Ok(number) = part.parse::<i64>() {
                sum.plus = sum.plus.checked_add(number)?;
                continue;
            }
            let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let count = if digits == 0 {
                1
            } else {
                part[..digits].parse::<u32>().ok()?
            };
            let name = &part[digits..];
            let die = self
                .die_named(name)
                .or_else(|| self.die_named(&name.to_ascii_lowercase()))?;
            sum.dice.push((count.min(100), die));
        }
        Some(sum)
    }

    /// Reads a printed code; the first pattern that fits counts.
    pub fn read_code(&self, of: RecordId, text: &str) -> Option<Value> {
        self.read_code_within(of, text, &Count::new(STEPS))
    }

    fn read_code_within(&self, of: RecordId, text: &str, steps: &Count<u32>) -> Option<Value> {
        let record = &self[of];
        for (at, code) in record.codes.iter().enumerate() {
            let mut fields: Vec<Value> = record
                .fields
                .iter()
                .map(|field| field.default.clone())
                .collect();
            let at_end = |rest: &str, _: &mut Vec<Value>| rest.is_empty();
            // Of what may all be missing, something must be there.
            let missing = text.is_empty() && !code.written.is_empty();
            if missing || !self.fits(of, &code.pieces, text, &mut fields, steps, &at_end) {
                continue;
            }
            for (field, value) in &code.sets {
                fields[*field] = match value {
                    CodeValue::Value(value) => value.clone(),
                    CodeValue::SameAs(other) => fields[*other].clone(),
                };
            }
            let label = match &code.label {
                None => text.into(),
                Some(label) => record.fields.iter().zip(&fields).fold(
                    label.to_string(),
                    |label, (field, value)| {
                        label.replace(&format!("{{{}}}", field.name), &self.spelled(value))
                    },
                ),
            };
            return Some(Value::Record(Arc::new(RecordValue {
                of,
                fields,
                code: at as u16,
                label: label.into(),
            })));
        }
        None
    }

    /// Whether the text is these pieces and then what the rest wants; a field takes as little as fits.
    fn fits(
        &self,
        of: RecordId,
        pieces: &[CodePiece],
        text: &str,
        fields: &mut Vec<Value>,
        steps: &Count<u32>,
        rest: &dyn Fn(&str, &mut Vec<Value>) -> bool,
    ) -> bool {
        let left = steps.get();
        if left == 0 {
            return false;
        }
        steps.set(left - 1);
        let Some((first, others)) = pieces.split_first() else {
            return rest(text, fields);
        };
        match first {
            CodePiece::Letters(letters) => match text.strip_prefix(&**letters) {
                Some(after) => self.fits(of, others, after, fields, steps, rest),
                None => false,
            },
            CodePiece::Field(at) => {
                let field = &self[of].fields[*at];
                let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
                for end in ends.take(16) {
                    let Some(value) = self.field_value(field, &text[..end], steps) else {
                        continue;
                    };
                    let before = std::mem::replace(&mut fields[*at], value);
                    if self.fits(of, others, &text[end..], fields, steps, rest) {
                        return true;
                    }
                    fields[*at] = before;
                }
                false
            }
            CodePiece::Optional(inside, flag) => {
                let before = fields.clone();
                if let Some(flag) = flag {
                    fields[*flag] = Value::Flag(true);
                }
                let after = |text: &str, fields: &mut Vec<Value>| {
                    self.fits(of, others, text, fields, steps, rest)
                };
                if self.fits(of, inside, text, fields, steps, &after) {
                    return true;
                }
                *fields = before;
                self.fits(of, others, text, fields, steps, rest)
            }
        }
    }

    /// The value of a field within a code.
    fn field_value(&self, field: &RecordField, text: &str, steps: &Count<u32>) -> Option<Value> {
        match field.ty {
            Type::Number => {
                let number = number::read(text).filter(|n| n.is_integer())?.to_integer();
                let fits = field
                    .printed
                    .is_none_or(|range| range.holds(Interval::only(number)));
                fits.then_some(Value::Number(number))
            }
            Type::Record(of) => self.read_code_within(of, text, steps),
            ty => self.find_word(ty, text).map(Value::Word),
        }
    }

    /// A value as it is written.
    pub fn spelled(&self, value: &Value) -> String {
        match value {
            Value::Flag(flag) => flag.to_string(),
            Value::Number(number) | Value::Place(number) => number.to_string(),
            Value::Fraction(number) => number::written(*number),
            Value::Word(word) => self.letters(*word).to_string(),
            Value::Record(record) => record.label.to_string(),
            Value::Text(text) => text.to_string(),
            Value::Nobody => "none".into(),
            Value::Dice(_) | Value::Band(_) | Value::List(_) => String::new(),
        }
    }

    fn die_named(&self, name: &str) -> Option<DieId> {
        let at = self.dice.iter().position(|die| *die.name == *name)?;
        Some(DieId(at as u32))
    }

    /// Whether the bands that stand in the cells of a row follow one another, without a gap and none twice.
    ///
    /// # Errors
    /// The band that does not.
    fn bands_follow(&self, table: TableId, row: usize) -> Result<(), String> {
        let mut last: Option<i64> = None;
        for column in 0..self[table].columns.labels.len() {
            let cell = &self[self.cell_at(table, row, column)];
            if let Value::Band(band) = &cell.value {
                if last.is_some_and(|last| band.low != last + 1) {
                    return Err(cell.text.to_string());
                }
                last = Some(band.high);
            }
        }
        Ok(())
    }

    /// What a cell may be, in words: its kind, and of a record its codes.
    pub fn allowed(&self, rule: &CellRule) -> String {
        let record = rule.alternatives.iter().find_map(|one| match one {
            CellAlternative::Record(of) => Some(&self[*of]),
            _ => None,
        });
        match record {
            Some(record) => {
                let codes = record.codes.iter().map(|code| &*code.written);
                format!("\"{}\"", codes.collect::<Vec<_>>().join("\", \""))
            }
            None => rule.written.to_string(),
        }
    }

    /// What is wrong with the row of a cell once all cells of a variant are laid; while they are, a face may stand in two
    /// of them, and a band may begin where none ends.
    pub fn row_wrong(&self, cell: CellId) -> Option<String> {
        let Cell { table, row, .. } = self[cell];
        if let Err(band) = self.bands_follow(table, row as usize) {
            return Some(format!(
                "has `{band}`, which must begin where the band before it ends"
            ));
        }
        let (die, _) = self[table].by_faces.as_ref()?;
        self.faces_wrong(table, *die, row as usize)
    }

    /// Puts another cell in the place of a printed one, as a variant of tables does. What the checker has proved stays proved,
    /// because it knows cells by their kinds alone.
    ///
    /// # Errors
    /// If there is no such cell, if nothing is played by it, or if it is not of its kind. A die whose faces stand in cells is
    /// not made anew: such a variant is applied to the printed tables, before the ruleset is checked.
    pub fn overlay(&mut self, place: &CellPlace, text: &str) -> Result<CellId, String> {
        let is_it = |table: &Table| table.sort == place.sort && table.name == place.table;
        let Some(id) = self.tables.iter().position(is_it) else {
            return Err(format!("there is no `{}`", place.table));
        };
        let table = &self.tables[id];
        let row = match table.sort {
            TableSort::Assumption => Some(0),
            TableSort::Grid | TableSort::List => table.rows.place_of_word(&place.row),
        };
        let column = match table.sort {
            TableSort::Grid => table.columns.place_of_word(&place.column),
            TableSort::List | TableSort::Assumption => Some(0),
        };
        let (Some(row), Some(column)) = (row, column) else {
            return Err(format!(
                "`{}` has no cell `{}`, `{}`",
                place.table, place.row, place.column
            ));
        };
        let cell = self.cell_at(TableId(id as u32), row, column);
        let rule = match table.sort {
            TableSort::List => &table.kinds[row],
            _ => &table.kinds[column],
        };
        if rule.text_only {
            return Err("nothing is played by this cell".into());
        }
        if table.by_faces.is_some() {
            let Some(faces) = faces_of(text) else {
                return Err(format!("is `{text}`; allowed is {FACES}"));
            };
            self.cells[cell.at()].faces = faces;
        } else {
            let Some(value) = self.read_cell(text, rule) else {
                return Err(format!("is `{text}`; allowed is {}", self.allowed(rule)));
            };
            self.cells[cell.at()].value = value;
        }
        self.cells[cell.at()].text = text.into();
        Ok(cell)
    }
}
