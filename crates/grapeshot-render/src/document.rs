//! What a command found, as a reader meets it: a title, sentences, tables, pictures, remarks.
//!
//! A document is made once for each result and knows nothing of how it will be shown; the renderers
//! know nothing of commands. Its parts are documents themselves: a ruleset of an audit, a study of a
//! report.

use super::{Cell, Held, Picture};
use grapeshot_charts::Style;
use grapeshot_charts::style::{Length, Words};

/// What was found, ready to be shown.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// What it is about.
    pub title: String,
    /// How grave it is; colours its edge.
    pub tone: Tone,
    /// Where a page can jump to it.
    pub anchor: String,
    /// Whether a page shows only its title until it is opened.
    pub folded: bool,
    /// How it was found and under what: method, variants, what was given.
    pub facts: Vec<Fact>,
    /// What was found, in sentences.
    pub findings: Vec<String>,
    /// Charts.
    pub pictures: Vec<Picture>,
    /// Tables and lists.
    pub blocks: Vec<Block>,
    /// Documents within this one.
    pub parts: Vec<Document>,
    /// Remarks.
    pub notes: Vec<String>,
    /// What to type to look further.
    pub commands: Vec<String>,
    /// What was typed to have it; for forms that travel further than the terminal it was typed in.
    pub repeat: String,
    /// The width that a table of it has in a book.
    pub width: Option<Length>,
    /// What stands above its one table instead of title and facts.
    pub captioned: Option<String>,
    /// What it is told in, where that is not English: renderers have a few words of their own.
    pub words: Words,
}

/// How grave something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tone {
    /// A document like any other.
    #[default]
    Plain,
    /// Worth knowing.
    Note,
    /// Likely wrong.
    Warning,
    /// Wrong.
    Error,
}

/// A line under the title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What the line is: `given`, `variants`; empty if the text says so itself.
    pub label: String,
    /// The line.
    pub text: String,
}

impl Fact {
    /// The line with what it is.
    pub fn line(&self) -> String {
        match self.label.is_empty() {
            true => self.text.clone(),
            false => format!("{}: {}", self.label, self.text),
        }
    }
}

/// One table, list or paragraph, with what stands above it.
#[derive(Debug, Clone)]
pub struct Block {
    /// What the program calls it, where it can be named: said before the heading, but not in a book.
    pub name: String,
    /// Above it; may be empty.
    pub heading: String,
    /// What it means, where something is done with blocks that mean just this.
    pub role: Option<Role>,
    /// How it is shown.
    pub place: Audience,
    /// What is in it.
    pub body: Body,
}

/// What a block means: what is looked for is found by it, and not by a heading that is there to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Where trials end, phase by phase.
    Stages,
    /// Settings that nobody gave.
    Assumed,
    /// What each line of a table means.
    Definitions,
    /// What could not be told, and why.
    LeftOut,
}

/// Who should see a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Everybody.
    Main,
    /// Those who want all: `--all` in the terminal, folded in a page.
    Aside,
    /// Spreadsheets: the long form of what the other blocks say. A document with such tables gives
    /// just these as CSV, one without gives every table.
    Data,
}

/// What a block can hold.
#[derive(Debug, Clone)]
pub enum Body {
    /// Rows and columns.
    Table(Table),
    /// A paragraph.
    Text(String),
    /// Items of a list.
    List(Vec<String>),
    /// Words with what is said about each, line by line.
    Terms(Vec<(String, Vec<String>)>),
    /// Keys and values, as they are typed.
    Settings(Vec<Pair>),
    /// Files and pages: what they are called, and where they are.
    Links(Vec<(String, String)>),
    /// Text that keeps its lines and spaces.
    Verbatim(String),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
    /// Whether it says nothing worth reading: off, nought, none.
    pub idle: bool,
}

/// Rows and columns.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column; missing ones are empty.
    pub rows: Vec<Vec<Cell>>,
    /// Rows there are beyond those listed, and how to see them.
    pub more: Option<(usize, String)>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its heading; may be empty.
    pub name: String,
    /// Words, which stand to the left and may be wrapped, or numbers, which do neither.
    pub words: bool,
}

impl Document {
    /// Whether what was found comes before how: of a fault the sentence is read first, then the evidence.
    pub(super) fn sentences_first(&self) -> bool {
        self.tone != Tone::Plain
    }

    /// A document with a title and nothing in it yet.
    pub fn new(title: impl Into<String>) -> Self {
        Document {
            title: title.into(),
            ..Document::default()
        }
    }

    /// The table, if the document is one table and what is said about it: then its title and facts are the
    /// caption.
    pub(super) fn only_table(&self) -> Option<&Table> {
        let bare = self.findings.is_empty() && self.pictures.is_empty() && self.parts.is_empty();
        let mut shown = self
            .blocks
            .iter()
            .filter(|block| block.place != Audience::Data);
        match (shown.next(), shown.next()) {
            (Some(block), None) if bare && block.heading.is_empty() => match &block.body {
                Body::Table(table) => Some(table),
                _ => None,
            },
            _ => None,
        }
    }

    /// What is said about the one table: title and facts.
    pub(super) fn caption(&self) -> String {
        if let Some(caption) = &self.captioned {
            return caption.clone();
        }
        let facts = self.facts.iter().map(|fact| match fact.label.as_str() {
            "" => fact.text.clone(),
            label => format!("{label}: {}", fact.text),
        });
        let sentence = |text: String| {
            let mut letters = text.chars();
            let first = letters.next().map(char::to_uppercase);
            first
                .into_iter()
                .flatten()
                .chain(letters)
                .collect::<String>()
        };
        let parts = [self.title.clone()].into_iter().chain(facts).map(sentence);
        parts.collect::<Vec<_>>().join(". ") + "."
    }

    /// Gives a style to every chart that is still to be drawn, and its words and numbers to all that is read, here and in
    /// all parts. Tables for spreadsheets, commands and files stay as they are.
    pub fn restyle(&mut self, style: &Style) {
        self.width = style.width;
        if style.rewords() {
            self.reword(style);
        }
        self.pictures
            .iter_mut()
            .for_each(|picture| picture.restyle(style));
        self.parts.iter_mut().for_each(|part| part.restyle(style));
    }

    fn reword(&mut self, style: &Style) {
        let say = |text: &mut String| *text = style.text(text);
        say(&mut self.title);
        for fact in &mut self.facts {
            say(&mut fact.label);
            say(&mut fact.text);
        }
        self.findings.iter_mut().for_each(say);
        self.notes.iter_mut().for_each(say);
        self.pictures
            .iter_mut()
            .for_each(|picture| say(&mut picture.title));
        let read = self.blocks.iter_mut();
        for block in read.filter(|block| block.place != Audience::Data) {
            say(&mut block.heading);
            match &mut block.body {
                Body::Table(table) => {
                    table
                        .columns
                        .iter_mut()
                        .for_each(|column| say(&mut column.name));
                    let cells = table.rows.iter_mut().flatten();
                    cells.for_each(|cell| cell.restyle(style));
                }
                Body::Text(text) => say(text),
                Body::List(items) => items.iter_mut().for_each(say),
                Body::Terms(terms) => {
                    for (term, said) in terms {
                        say(term);
                        said.iter_mut().for_each(say);
                    }
                }
                Body::Settings(_) | Body::Links(_) | Body::Verbatim(_) => {}
            }
        }
        self.words = style.words.clone();
    }

    /// Adds a line under the title, unless it is empty.
    pub fn fact(&mut self, label: &str, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.facts.push(Fact {
                label: label.into(),
                text,
            });
        }
    }

    /// Adds a block for everybody.
    pub fn block(&mut self, heading: impl Into<String>, body: impl Into<Body>) {
        self.blocks.push(Block {
            name: String::new(),
            heading: heading.into(),
            role: None,
            place: Audience::Main,
            body: body.into(),
        });
    }

    /// Says what the program calls the block added last.
    pub fn called(&mut self, name: &str) {
        if let Some(block) = self.blocks.last_mut() {
            block.name = name.to_owned();
        }
    }

    /// Says what the block added last means.
    pub fn means(&mut self, role: Role) {
        if let Some(block) = self.blocks.last_mut() {
            block.role = Some(role);
        }
    }

    /// The first block that means this.
    pub fn find(&self, role: Role) -> Option<&Block> {
        self.blocks.iter().find(|block| block.role == Some(role))
    }

    /// Adds a block for those who want all.
    pub fn aside(&mut self, heading: impl Into<String>, body: impl Into<Body>) {
        self.block(heading, body);
        if let Some(block) = self.blocks.last_mut() {
            block.place = Audience::Aside;
        }
    }

    /// Adds a table for spreadsheets.
    pub fn data(&mut self, heading: impl Into<String>, table: Table) {
        self.block(heading, table);
        if let Some(block) = self.blocks.last_mut() {
            block.place = Audience::Data;
        }
    }
}

impl Block {
    /// The heading with what the program calls it.
    pub fn headed(&self) -> String {
        match self.name.as_str() {
            "" => self.heading.clone(),
            name => format!("{name}: {}", self.heading),
        }
    }
}

impl Table {
    /// A table with these columns and no rows yet.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Table {
            columns: columns.into_iter().collect(),
            ..Table::default()
        }
    }

    /// A table of plain columns, for spreadsheets.
    pub fn named<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Table::new(names.into_iter().map(Column::number))
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Adds a row of which only the first cells and the last are told.
    pub fn row_ending(&mut self, mut cells: Vec<Cell>, last: Cell) {
        cells.resize(self.columns.len() - 1, Cell::empty());
        cells.push(last);
        self.row(cells);
    }

    /// The positions of columns with something in them; a column of nothing is not shown.
    pub fn filled(&self) -> Vec<usize> {
        let nothing = Cell::empty();
        let held = |row: &Vec<Cell>, at: usize| row.get(at).is_some_and(|cell| *cell != nothing);
        (0..self.columns.len())
            .filter(|&at| self.rows.is_empty() || self.rows.iter().any(|row| held(row, at)))
            .collect()
    }

    /// The positions of columns that can be printed: bars are for the eye in a terminal or a page.
    pub(super) fn printed(&self) -> Vec<usize> {
        let filled = self.filled().into_iter();
        filled.filter(|&at| !self.is_bars(at)).collect()
    }

    /// Whether a column draws bars, which need a fixed width or colour to be seen.
    pub fn is_bars(&self, at: usize) -> bool {
        let bar = |row: &Vec<Cell>| matches!(row.get(at).map(|c| &c.value), Some(Held::Bar(_)));
        !self.rows.is_empty() && self.rows.iter().all(bar)
    }

    /// Keeps the first rows and says how many more there are.
    #[must_use]
    pub fn at_most(mut self, rows: usize, how_to_see_more: &str) -> Self {
        if self.rows.len() > rows {
            self.more = Some((self.rows.len() - rows, how_to_see_more.into()));
            self.rows.truncate(rows);
        }
        self
    }
}

impl Column {
    /// A column of words.
    pub fn words(name: impl Into<String>) -> Self {
        Column {
            name: name.into(),
            words: true,
        }
    }

    /// A column of numbers.
    pub fn number(name: impl Into<String>) -> Self {
        Column {
            name: name.into(),
            words: false,
        }
    }
}

impl Pair {
    /// A key and value that were chosen, so always worth reading.
    pub fn new(key: impl Into<String>, value: impl ToString) -> Self {
        Pair {
            key: key.into(),
            value: value.to_string(),
            idle: false,
        }
    }

    /// A key and value that were assumed; those that are off, nought or none say little.
    pub fn assumed(key: impl Into<String>, value: impl ToString) -> Self {
        let value = value.to_string();
        Pair {
            key: key.into(),
            idle: matches!(value.as_str(), "false" | "0" | "none" | "no"),
            value,
        }
    }
}

impl std::fmt::Display for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

impl From<Table> for Body {
    fn from(table: Table) -> Self {
        Body::Table(table)
    }
}

impl From<Vec<String>> for Body {
    fn from(items: Vec<String>) -> Self {
        Body::List(items)
    }
}

impl From<Vec<Pair>> for Body {
    fn from(pairs: Vec<Pair>) -> Self {
        Body::Settings(pairs)
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Body::Text(text)
    }
}
