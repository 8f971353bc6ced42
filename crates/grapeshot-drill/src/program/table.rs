//! Tables, lists and assumptions: headings, places on them, cells.
//!
//! All three are one thing: a list is a table of one column, an assumption a table of one cell.

use super::{CellId, DieId, ExprId, Interval, RecordId, TableId, Type, Value, WordsId};
use crate::number::Fraction;
use crate::source::Span;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something printed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Table {
    /// Its name in the text and in `tables.toml`.
    pub name: Arc<str>,
    /// Which of the three it is.
    pub sort: TableSort,
    /// What `tables.toml` calls it.
    pub title: Arc<str>,
    /// Its place in the print.
    pub source: Arc<str>,
    /// Its rows; of a list its entries.
    pub rows: Axis,
    /// Its columns.
    pub columns: Axis,
    /// What the cells of each column may be; of a list, each entry.
    pub kinds: Vec<Arc<CellRule>>,
    /// Its cells begin here, row by row.
    pub first_cell: CellId,
    /// `by faces of d10`: cells hold faces, and the headings of the columns are what is read. The results, by column.
    pub by_faces: Option<(DieId, Vec<Value>)>,
    /// What a look-up gives.
    pub ty: Type,
    /// The numbers a look-up can give, by the kinds of the cells.
    pub range: Option<Interval>,
    /// Where it is declared.
    pub span: Span,
}

/// Which of the three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TableSort {
    /// A grid.
    Grid,
    /// Named values.
    List,
    /// A reading in a number.
    Assumption,
}

/// Rows or columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The headings as printed.
    pub labels: Vec<Arc<str>>,
    /// What each means.
    pub headings: Vec<Heading>,
    /// How a number finds its place.
    pub finds: Finds,
    /// The places that belong to another table: `columns of fire_results`.
    pub places_of: Option<TableId>,
    /// The words of the axis, where headings are a type's.
    pub words: Option<WordsId>,
}

/// What a heading means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Heading {
    /// Numbers from one to another; an open end is [`Heading::FAR`] away.
    Numbers(Interval),
    /// A limit or odds.
    Limit(Fraction),
    /// A word, by its letters.
    Word,
    /// `1-attacker`: a number and a word joined; found by both.
    Joined(Interval, Arc<str>),
}

impl Heading {
    /// Farther than any number of a text.
    pub const FAR: i64 = 1 << 40;
}

/// How a number finds its place among the headings that are numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Finds {
    /// Only words are looked up.
    Words,
    /// The band that has it; beyond the ends, the band at that end.
    Bands,
    /// The last limit that is not above; below all, the first.
    LowerLimits,
    /// The first limit that is not below; above all, the heading after the last limit if there is one, else the last.
    UpperLimits,
}

impl Axis {
    /// The place of a number; nothing if no heading is a number.
    pub fn place_of(&self, number: Fraction) -> Option<usize> {
        let numbered = self.headings.iter().enumerate();
        match self.finds {
            Finds::Words => None,
            Finds::Bands => {
                let mut last = None;
                for (at, heading) in numbered {
                    if let Heading::Numbers(band) = heading {
                        last = Some(at);
                        if number <= Fraction::from_integer(band.high) {
                            break;
                        }
                    }
                }
                last
            }
            Finds::LowerLimits => {
                let mut found = None;
                for (at, heading) in numbered {
                    if let Heading::Limit(limit) = heading
                        && (found.is_none() || *limit <= number)
                    {
                        found = Some(at);
                    }
                }
                found
            }
            Finds::UpperLimits => {
                let mut last = None;
                for (at, heading) in numbered {
                    if let Heading::Limit(limit) = heading {
                        last = Some(at);
                        if number <= *limit {
                            return last;
                        }
                    }
                }
                last.map(|at| (at + 1).min(self.headings.len() - 1))
            }
        }
    }

    /// The place of a word.
    pub fn place_of_word(&self, word: &str) -> Option<usize> {
        self.labels.iter().position(|label| **label == *word)
    }

    /// The place of a number and a word joined.
    pub fn place_of_joined(&self, number: i64, word: &str) -> Option<usize> {
        self.headings.iter().position(|heading| match heading {
            Heading::Joined(band, with) => {
                (band.low..=band.high).contains(&number) && **with == *word
            }
            _ => false,
        })
    }

    /// A place brought back to the headings.
    pub fn held(&self, place: i64) -> usize {
        place.clamp(0, self.labels.len() as i64 - 1) as usize
    }

    /// The numbers of all headings that are numbers, in order, and of an open band its one end: what `T.columns` is.
    pub fn numbers(&self) -> Vec<i64> {
        let mut numbers = Vec::new();
        for heading in &self.headings {
            if let Heading::Numbers(band) = heading {
                match (band.low <= -Heading::FAR, band.high >= Heading::FAR) {
                    (true, _) => numbers.push(band.high),
                    (_, true) => numbers.push(band.low),
                    _ => numbers.extend(band.low..=band.high),
                }
            }
        }
        numbers
    }
}

/// What cells may be, and how they are read. An overlay reads its new cell by the same rule.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CellRule {
    /// Alternatives, tried in order.
    pub alternatives: Vec<CellAlternative>,
    /// Cells that are said otherwise, tried before: letters, or letters around one number (`{n}(+1)`).
    pub specials: Vec<(Arc<str>, Special)>,
    /// What is read.
    pub ty: Type,
    /// Its numbers.
    pub range: Option<Interval>,
    /// As written, for messages.
    pub written: Arc<str>,
    /// A variant may not change it, because nothing is played by it.
    pub text_only: bool,
}

impl CellRule {
    /// The rule of a cell that no line declares: letters, not played by.
    pub fn unplayed() -> Self {
        CellRule {
            alternatives: vec![CellAlternative::Text],
            specials: Vec::new(),
            ty: Type::Text,
            range: None,
            written: "text".into(),
            text_only: true,
        }
    }
}

/// What a special cell is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Special {
    /// A value.
    Value(Value),
    /// The number in its braces.
    Number,
}

/// One thing cells may be.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum CellAlternative {
    /// A number in a range.
    Number {
        /// The lowest.
        low: Fraction,
        /// The highest.
        high: Fraction,
        /// Whole numbers only.
        whole: bool,
    },
    /// `+4`, `4+`.
    Score,
    /// `4 to 8`.
    Band,
    /// `2D6`.
    Dice,
    /// Anything.
    Text,
    /// `4 5 6`: read as the least; the faces must reach the highest of the die.
    Faces(DieId),
    /// A code of a record.
    Record(RecordId),
    /// A word of a type, from one position to another.
    Words(WordsId, u16, u16),
    /// Words of a type, set apart by blanks.
    WordSet(WordsId),
    /// `true` or `false`.
    Flag,
}

/// A printed cell.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cell {
    /// As printed.
    pub text: Arc<str>,
    /// As read.
    pub value: Value,
    /// Of a table `by faces`: the faces in it.
    pub faces: Option<Interval>,
    /// The table,
    pub table: TableId,
    /// the row
    pub row: u32,
    /// and the column it stands in.
    pub column: u32,
}

/// How one axis of a table is looked up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Index {
    /// A heading that is named.
    Fixed(usize),
    /// A place, held at the ends.
    Place(ExprId),
    /// A number, by [`Axis::place_of`].
    Number(ExprId),
    /// A word: for each word of the type (of a [`super::Mixed`], each of its words in order) its place, if it has one.
    Word(ExprId, Vec<Option<u32>>),
    /// A mixed kind that is a number or a word.
    Mixed(ExprId, Vec<Option<u32>>),
    /// A face, of a table `by faces`: by [`super::Program::column_of_face`].
    Face(ExprId),
    /// A number and a word joined: for each word the headings it is joined with are searched for the number.
    Joined(ExprId, Box<Index>),
}

/// Which way a table is looked along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Way {
    /// From row to row.
    Rows,
    /// From column to column.
    Columns,
}

/// Where a cell stands, in the words of `tables.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CellPlace {
    /// Grid, list or assumption.
    pub sort: TableSort,
    /// Its name.
    pub table: Arc<str>,
    /// The label of the row, or the entry.
    pub row: Arc<str>,
    /// The heading of the column.
    pub column: Arc<str>,
}

impl super::Program {
    /// Where a cell stands.
    pub fn place_of(&self, cell: CellId) -> CellPlace {
        let cell = &self[cell];
        let table = &self[cell.table];
        CellPlace {
            sort: table.sort,
            table: table.name.clone(),
            row: table.rows.labels[cell.row as usize].clone(),
            column: table.columns.labels[cell.column as usize].clone(),
        }
    }

    /// The cell that answers for a row and a column, or for a row and a face, and what it says.
    pub fn read_table(&self, table: TableId, row: usize, column: usize) -> (CellId, &Value) {
        let cell = self.cell_at(table, row, column);
        match &self[table].by_faces {
            Some((_, results)) => (cell, &results[column]),
            None => (cell, &self[cell].value),
        }
    }

    /// Of a table `by faces`: the column whose cell has the face.
    pub fn column_of_face(&self, table: TableId, row: usize, face: i64) -> Option<usize> {
        (0..self[table].columns.labels.len()).find(|&column| {
            let faces = self[self.cell_at(table, row, column)].faces;
            faces.is_some_and(|faces| (faces.low..=faces.high).contains(&face))
        })
    }

    /// Of a table `by faces`: what is wrong with a row, which must have every face of the die in one cell and no more.
    pub fn faces_wrong(&self, table: TableId, die: DieId, row: usize) -> Option<String> {
        let has = |column: usize, face: i64| {
            let faces = self[self.cell_at(table, row, column)].faces;
            faces.is_some_and(|faces| (faces.low..=faces.high).contains(&face))
        };
        let columns = 0..self[table].columns.labels.len();
        self[die].faces.iter().find_map(|&face| {
            match columns.clone().filter(|&column| has(column, face)).count() {
                0 => Some(format!("says nothing for the face {face}")),
                1 => None,
                _ => Some(format!("says two things for the face {face}")),
            }
        })
    }

    /// Of a row of bands: the column whose band has the number; beyond the ends, that at the end.
    pub fn place_among_bands(&self, table: TableId, row: usize, number: Fraction) -> Option<usize> {
        let mut last = None;
        for column in 0..self[table].columns.labels.len() {
            if let (_, Value::Band(band)) = self.read_table(table, row, column) {
                last = Some(column);
                if number <= Fraction::from_integer(band.high) {
                    break;
                }
            }
        }
        last
    }
}
