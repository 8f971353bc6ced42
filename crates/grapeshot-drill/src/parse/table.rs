//! What is printed: headings, columns, lists, assumptions, grids in the text.

use super::token::Kind;
use super::{Parser, Read};
use crate::message::Message;
use crate::tree::*;

impl Parser<'_, '_> {
    /// A line of `tables:`.
    pub(super) fn printed(&mut self) -> Read<Printed> {
        let span = self.line.span;
        let named = self.peek_at(1) == Some(Kind::Name);
        if named && self.accept_word("assumption") {
            let names = self.name_list("the name of an assumption")?;
            self.expect(Kind::Colon, ":")?;
            let shape = Shape::Assumption {
                names,
                kind: self.kind()?,
            };
            return self.with_specials(shape, span);
        }
        if named && self.accept_word("list") {
            let names = self.name_list("the name of a list")?;
            self.expect(Kind::Colon, ":")?;
            let entries = self.columns()?;
            return self.with_specials(Shape::List { names, entries }, span);
        }
        let shape = self.table_shape()?;
        self.with_specials(shape, span)
    }

    fn table_shape(&mut self) -> Read<Shape> {
        let name = self.name("the name of a table")?;
        self.expect(Kind::Colon, ":")?;
        let mut rows = vec![self.heading()?];
        while self.accept(Kind::Comma) {
            rows.push(self.heading()?);
        }
        self.expect_word("by")?;
        let columns = self.columns()?;
        Ok(Shape::Table {
            name,
            rows,
            columns,
        })
    }

    /// `, "-" is 0`.
    fn with_specials(&mut self, shape: Shape, span: crate::source::Span) -> Read<Printed> {
        let mut specials = Vec::new();
        while self.accept(Kind::Comma) {
            let cell = self.text("a cell in quotes")?;
            self.expect_word("is")?;
            specials.push((cell, self.choice()?));
        }
        Ok(Printed {
            shape,
            specials,
            span,
        })
    }

    /// Headings with their kinds; those up to a colon share one.
    fn columns(&mut self) -> Read<Vec<Column>> {
        let mut columns = Vec::new();
        let mut open = Vec::new();
        loop {
            open.push(self.heading()?);
            if self.accept(Kind::Comma) {
                continue;
            }
            self.expect(Kind::Colon, ":")?;
            let kind = self.kind()?;
            columns.extend(open.drain(..).map(|heading| Column {
                heading,
                kind: kind.clone(),
            }));
            let special = self.peek_at(1) == Some(Kind::Text) && self.word_at(2, "is");
            if special || !self.accept(Kind::Comma) {
                return Ok(columns);
            }
        }
    }

    fn heading(&mut self) -> Read<Heading> {
        let start = self.here();
        let kind = self.heading_kind()?;
        let and = match self.accept_word("and") {
            true => Some(self.heading_kind()?),
            false => None,
        };
        Ok(Heading {
            kind,
            and,
            span: self.since(start),
        })
    }

    fn heading_kind(&mut self) -> Read<HeadingKind> {
        if self.at(Kind::Dice) {
            let (count, sides) = self.dice()?;
            return Ok(HeadingKind::Dice { count, sides });
        }
        let limits = self.word_at(1, "limits");
        let of_follows = self.word_at(1, "of");
        let plain = |p: &mut Self, kind| {
            p.at += 1;
            Ok(kind)
        };
        match self.letters() {
            "names" => plain(self, HeadingKind::Names),
            "bands" => plain(self, HeadingKind::Bands),
            "odds" => plain(self, HeadingKind::Odds),
            "lower" if limits => {
                self.at += 1;
                plain(self, HeadingKind::LowerLimits)
            }
            "upper" if limits => {
                self.at += 1;
                plain(self, HeadingKind::UpperLimits)
            }
            "columns" => {
                self.at += 1;
                let of = match self.accept_word("of") {
                    true => Some(self.name("a table")?),
                    false => None,
                };
                Ok(HeadingKind::Columns(of))
            }
            "faces" if of_follows => {
                self.at += 2;
                Ok(HeadingKind::Faces(self.word("a die")?))
            }
            _ => Ok(HeadingKind::Named(self.word("a heading")?)),
        }
    }

    /// `table NAME: …` or `list NAME: kind`, with the grid below.
    pub(super) fn grid(&mut self, list: bool) -> Read<Grid> {
        let span = self.line.span;
        let printed = if list {
            let name = self.name("the name of a list")?;
            self.expect(Kind::Colon, ":")?;
            let start = self.here();
            let kind = self.kind()?;
            let heading = Heading {
                kind: HeadingKind::Names,
                and: None,
                span: start,
            };
            let shape = Shape::List {
                names: vec![name],
                entries: vec![Column { heading, kind }],
            };
            self.with_specials(shape, span)?
        } else {
            let shape = self.table_shape()?;
            self.with_specials(shape, span)?
        };
        self.took_below = true;
        let lines: Vec<Vec<Name>> = self
            .line
            .below
            .iter()
            .filter_map(|line| line.cells.clone())
            .collect();
        if lines.is_empty() {
            let what = if list {
                "its entries"
            } else {
                "its headings and rows"
            };
            return self.say(Message::error(
                span,
                format!("{what} are expected on the lines below, further in"),
            ));
        }
        Ok(Grid { printed, lines })
    }

    /// After `dice`.
    pub(super) fn die(&mut self) -> Read<(Name, Faces)> {
        let name = match self.at(Kind::Dice) {
            true => self.take(),
            false => self.new_name("the name of a die")?,
        };
        self.expect(Kind::Equals, "=")?;
        let first = self.sum()?;
        if self.accept(Kind::Dots) {
            return Ok((name, Faces::Range(first, self.sum()?)));
        }
        let mut faces = vec![first];
        while self.accept(Kind::Comma) {
            faces.push(self.sum()?);
        }
        Ok((name, Faces::List(faces)))
    }

    /// After `words`.
    pub(super) fn words(&mut self) -> Read<(Name, WordsBody)> {
        let name = self.type_name()?;
        self.expect(Kind::Colon, ":")?;
        if self.at_word("rows") && self.word_at(1, "of") {
            self.at += 2;
            return Ok((name, WordsBody::RowsOf(self.name("a table")?)));
        }
        if self.at(Kind::Name) && self.word_at(1, "from") {
            let of = self.name("a type")?;
            self.at += 1;
            let from = self.word("a word")?;
            self.expect_word("to")?;
            let to = self.word("a word")?;
            return Ok((name, WordsBody::Part { of, from, to }));
        }
        let mut words = Vec::new();
        let mut order = None;
        loop {
            let word = self.word("a word")?;
            let like = match self.accept_word("like") {
                true => Some(self.word("a word")?),
                false => None,
            };
            words.push((word, like));
            let next = match self.peek() {
                Some(Kind::Bar) => Order::None,
                Some(Kind::Greater) => Order::Falling,
                Some(Kind::Less) => Order::Rising,
                _ => break,
            };
            if *order.get_or_insert(next) != next {
                return self.fail("words are set apart by `|`, or ordered by `>` or by `<`, and not by several of these");
            }
            self.at += 1;
        }
        let order = order.unwrap_or(Order::None);
        Ok((name, WordsBody::List { words, order }))
    }
}
