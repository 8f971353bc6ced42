//! Types of words: declared, listed by a kind itself, or the rows of a table; and mixed kinds.

use super::{Checked, Checker, Named};
use crate::message::Message;
use crate::nearest::nearest;
use crate::program::*;
use crate::source::Span;
use crate::tree::{self, Order, WordsBody};
use std::sync::Arc;

/// More words than any type has, so that positions and sets stay small.
const MOST_WORDS: usize = 1000;

impl Checker<'_> {
    pub(super) fn built_in_words(&mut self) {
        let built_in: [(&str, &[&str]); 3] = [
            ("Flag", &["false", "true"]),
            ("Favour", &["success", "undecided", "failure"]),
            ("", &["none"]),
        ];
        for (name, words) in built_in {
            let words = words.iter().map(|&word| word.into()).collect();
            self.add_words(name, words, Order::None, Span::NOWHERE);
        }
        self.anonymous.insert(vec!["none".into()], Words::NONE);
        self.types
            .insert("Favour".into(), Named::Words(Words::FAVOUR));
    }

    fn add_words(&mut self, name: &str, words: Vec<Arc<str>>, order: Order, span: Span) -> WordsId {
        let id = WordsId(self.program.words.len() as u32);
        self.program.words.push(Words {
            name: name.into(),
            like: vec![None; words.len()],
            words,
            order,
            span,
        });
        id
    }

    /// The declared types, those that are part of another last.
    pub(super) fn declare_words(&mut self) {
        let declared = std::mem::take(&mut self.declared.words);
        let is_part = |body: &WordsBody| matches!(body, WordsBody::Part { .. });
        let (parts, whole): (Vec<_>, Vec<_>) =
            declared.into_iter().partition(|(_, body)| is_part(body));
        for (name, body) in whole.into_iter().chain(parts) {
            // What is wrong is said; the type is there all the same, so that its users are not blamed.
            let (words, likes, order) =
                self.words_of_body(body)
                    .unwrap_or((Vec::new(), Vec::new(), Order::None));
            let id = self.add_words(name, words, order, name.span);
            self.types.insert(name.text.clone(), Named::Words(id));
            self.check_letters(id, name);
            for (at, like) in likes.into_iter().enumerate() {
                if let Some(like) = like {
                    match self.program[id].position(&like) {
                        Some(position) => self.program.words[id.at()].like[at] = Some(position),
                        None => {
                            let known: Vec<Arc<str>> = self.program[id].words.clone();
                            let _: Checked<()> =
                                self.unknown(&like, "word", known.iter().map(|w| &**w));
                        }
                    }
                }
            }
        }
    }

    fn check_letters(&mut self, id: WordsId, name: &tree::Name) {
        let words = &self.program[id].words;
        let twice = (1..words.len())
            .find(|&at| words[..at].contains(&words[at]))
            .map(|at| words[at].clone());
        if let Some(word) = twice {
            self.say(Message::error(
                name.span,
                format!("`{name}` has the word `{word}` twice"),
            ));
        }
        if self.program[id].words.len() > MOST_WORDS {
            self.say(Message::error(
                name.span,
                format!("`{name}` has more than {MOST_WORDS} words"),
            ));
        }
    }

    #[allow(clippy::type_complexity)]
    fn words_of_body(
        &mut self,
        body: &WordsBody,
    ) -> Checked<(Vec<Arc<str>>, Vec<Option<tree::Name>>, Order)> {
        match body {
            WordsBody::List { words, order } => {
                let letters = words.iter().map(|(word, _)| word.text.clone()).collect();
                let likes = words.iter().map(|(_, like)| like.clone()).collect();
                Ok((letters, likes, *order))
            }
            WordsBody::RowsOf(table) => {
                let rows = self
                    .printed
                    .grid(table)
                    .map(|grid| grid.rows.iter().map(|(label, _)| label.clone()).collect());
                let rows: Option<Vec<Arc<str>>> = rows.or_else(|| self.rows_of_grid_in_text(table));
                match rows {
                    Some(rows) => Ok((rows, Vec::new(), Order::None)),
                    None => {
                        let known = self.printed.grids.iter().map(|grid| &*grid.name);
                        self.unknown(table, "table", known)
                    }
                }
            }
            WordsBody::Part { of, from, to } => {
                let id = self.words_type(of)?;
                let (first, last) = self.part_of(id, from, to)?;
                let whole = &self.program[id];
                let words = whole.words[first as usize..=last as usize].to_vec();
                Ok((words, Vec::new(), whole.order))
            }
        }
    }

    fn rows_of_grid_in_text(&self, table: &tree::Name) -> Option<Vec<Arc<str>>> {
        self.declared
            .printed
            .iter()
            .find_map(|(printed, grid, _)| match &printed.shape {
                tree::Shape::Table { name, .. } if name.text == table.text => {
                    let lines = grid.as_ref()?.lines.iter().skip(1);
                    Some(
                        lines
                            .filter_map(|line| line.first().map(|cell| cell.text.clone()))
                            .collect(),
                    )
                }
                _ => None,
            })
    }

    /// A type of words by its name.
    pub(super) fn words_type(&mut self, name: &tree::Name) -> Checked<WordsId> {
        match self.types.get(&name.text) {
            Some(Named::Words(id)) => Ok(*id),
            Some(_) => self.error(name.span, format!("`{name}` is no type of words")),
            None => self.unknown_type(name),
        }
    }

    pub(super) fn unknown_type<T>(&mut self, name: &tree::Name) -> Checked<T> {
        let mut known: Vec<Arc<str>> = self.types.keys().cloned().collect();
        known.extend(
            [
                "Number", "Fraction", "Flag", "Text", "Side", "Place", "Favour",
            ]
            .map(Arc::from),
        );
        known.sort();
        self.unknown(name, "type", known.iter().map(|name| &**name))
    }

    /// From one word of a type to another.
    pub(super) fn part_of(
        &mut self,
        id: WordsId,
        from: &tree::Name,
        to: &tree::Name,
    ) -> Checked<(u16, u16)> {
        let first = self.word_in(id, from)?;
        let last = self.word_in(id, to)?;
        if first.at > last.at {
            return self.error(
                from.span.to(to.span),
                format!("`{to}` stands before `{from}`"),
            );
        }
        Ok((first.at, last.at))
    }

    /// A word of a type.
    pub(super) fn word_in(&mut self, id: WordsId, word: &tree::Name) -> Checked<WordId> {
        if let Some(at) = self.program[id].position(word) {
            return Ok(WordId { of: id, at });
        }
        let words: Vec<Arc<str>> = self.program[id].words.clone();
        let title = match &*self.program[id].name {
            "" => format!("`{word}` is none of {}", words.join(" | ")),
            name => format!("`{word}` is no word of {name}"),
        };
        let meant = nearest(word, words.iter().map(|w| &**w))
            .map(|meant| format!("did you mean `{meant}`?"));
        let there = format!("there are {}", words.join(", "));
        self.fail(
            Message::error(word.span, title)
                .note(there)
                .maybe_help(meant),
        )
    }

    /// Words that a kind lists itself: the same list is the same type.
    pub(super) fn anonymous(&mut self, words: &[Arc<str>], span: Span) -> WordsId {
        if let Some(&id) = self.anonymous.get(words) {
            return id;
        }
        let id = self.add_words("", words.to_vec(), Order::None, span);
        self.anonymous.insert(words.to_vec(), id);
        id
    }

    pub(super) fn intern_mixed(&mut self, mixed: Mixed) -> MixedId {
        if let Some(&id) = self.mixed.get(&mixed) {
            return id;
        }
        let id = MixedId(self.program.mixed.len() as u32);
        self.mixed.insert(mixed.clone(), id);
        self.program.mixed.push(mixed);
        id
    }

    /// A name that is a word of its own type could never be said: the word comes first.
    pub(super) fn no_word_of_its_own(&mut self, name: &tree::Name, ty: Type) {
        if matches!(ty, Type::Word(_) | Type::Mixed(_)) && self.find_word(ty, name).is_some() {
            let title = format!("`{name}` is called like a word of its own type");
            self.say(Message::error(name.span, title).help("give it another name"));
        }
    }

    /// Whether a word is, or counts like, another.
    pub(super) fn counts_as(&self, word: WordId, model: WordId) -> bool {
        let likes = &self.program[word.of].like;
        let mut at = Some(word.at);
        // No chain is longer than the list, and one that comes back ends there.
        for _ in 0..=likes.len() {
            match at {
                Some(position) if word.of == model.of && position == model.at => return true,
                Some(position) => at = likes[position as usize],
                None => return false,
            }
        }
        false
    }

    /// The places of words among labels: its own, else that of what it counts as.
    pub(super) fn place_by_letters(&self, word: WordId, labels: &[Arc<str>]) -> Option<usize> {
        let words = &self.program[word.of];
        let mut at = Some(word.at);
        for _ in 0..=words.words.len() {
            let position = at? as usize;
            if let Some(place) = labels
                .iter()
                .position(|label| **label == *words.words[position])
            {
                return Some(place);
            }
            at = words.like[position];
        }
        None
    }

    /// The letters of a word.
    pub(super) fn letters(&self, word: WordId) -> Arc<str> {
        self.program.letters(word)
    }

    /// The words a type can be; none if it is no type of words.
    pub(super) fn words_of(&self, ty: Type) -> Vec<WordId> {
        self.program.words_of(ty)
    }

    /// The word of a type with these letters.
    pub(super) fn find_word(&self, ty: Type, letters: &str) -> Option<WordId> {
        self.program.find_word(ty, letters)
    }
}
