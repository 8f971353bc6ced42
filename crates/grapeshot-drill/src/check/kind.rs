//! Kinds: what a field, a parameter, a result or a key may be.

use super::{Checked, Checker, Named, interval};
use crate::message::Message;
use crate::number::Fraction;
use crate::program::*;
use crate::tree::{self, AlternativeKind};
use std::sync::Arc;

/// What a kind says.
#[derive(Debug, Clone)]
pub(super) struct Sort {
    /// How values are laid out.
    pub ty: Type,
    /// The numbers.
    pub range: Option<Interval>,
    /// What may be given for a key of this kind.
    pub given: Vec<KeyAlternative>,
}

impl Sort {
    pub(super) fn plain(ty: Type) -> Self {
        Sort {
            ty,
            range: None,
            given: match ty {
                Type::Flag => vec![KeyAlternative::Flag],
                _ => Vec::new(),
            },
        }
    }

    /// What a default that is not said is: 0 or the least, false, the first word.
    pub(super) fn first(&self) -> Value {
        match (&self.given.first(), self.ty) {
            (Some(KeyAlternative::Flag), _) | (None, Type::Flag) => Value::Flag(false),
            (Some(KeyAlternative::Number { low, high, whole }), ty) => {
                let zero = Fraction::from_integer(0);
                let value = if *low <= zero && zero <= *high {
                    zero
                } else {
                    *low
                };
                match *whole && ty != Type::Fraction {
                    true => Value::Number(value.to_integer()),
                    false => Value::Fraction(value),
                }
            }
            (Some(KeyAlternative::Word(_, value)), _) => value.clone(),
            (None, Type::Number) => Value::Number(0),
            (None, Type::Fraction) => Value::Fraction(Fraction::from_integer(0)),
            (None, Type::Word(of)) => Value::Word(WordId { of, at: 0 }),
            (None, Type::Units(_) | Type::WordSet(_) | Type::Numbers) => Value::List(Vec::new()),
            (None, Type::Place) => Value::Place(0),
            (None, Type::Text) => Value::Text("".into()),
            (None, _) => Value::Nobody,
        }
    }
}

impl Checker<'_> {
    /// What a kind says; where it is that of a key or a narrower setting, its words are those of what is set.
    pub(super) fn sort(&mut self, kind: &tree::Kind, target: Option<Type>) -> Checked<Sort> {
        if let [only] = &kind.alternatives[..]
            && let Some(sort) = self.single(only, target)?
        {
            return Ok(sort);
        }
        let mut parts = Parts::default();
        for alternative in &kind.alternatives {
            self.gather_alternative(alternative, target, &mut parts)?;
        }
        self.combine(parts, kind, target)
    }

    /// Kinds that stand alone.
    fn single(&mut self, only: &tree::Alternative, target: Option<Type>) -> Checked<Option<Sort>> {
        let sort = match &only.kind {
            AlternativeKind::Type(name) => match (&*name.text, self.types.get(&name.text)) {
                (_, Some(Named::Record(id))) => Sort::plain(Type::Record(*id)),
                (_, Some(Named::Unit(id))) => Sort::plain(Type::Unit(*id)),
                (_, Some(Named::Words(_))) => return Ok(None),
                ("Number", _) => Sort::plain(Type::Number),
                ("Fraction", _) => Sort::plain(Type::Fraction),
                ("Flag", _) => Sort::plain(Type::Flag),
                ("Text", _) => Sort::plain(Type::Text),
                ("Side", _) => Sort::plain(Type::Side),
                ("Place", _) => Sort::plain(Type::Place),
                ("Range", _) => Sort::plain(Type::Numbers),
                _ if target.is_some_and(|ty| self.find_word(ty, name).is_some()) => {
                    return Ok(None);
                }
                // `A` alone may be a word; a longer name is a type that is not there.
                _ if name.len() <= 2 => return Ok(None),
                _ => return self.unknown_type(name),
            },
            AlternativeKind::Maybe(name) => match (&*name.text, self.types.get(&name.text)) {
                (_, Some(Named::Unit(id))) => Sort::plain(Type::MaybeUnit(*id)),
                ("Side", None) => Sort::plain(Type::MaybeSide),
                (_, Some(_)) => {
                    return self.error(name.span, "only a unit or a side may be nobody");
                }
                _ => return self.unknown_type(name),
            },
            AlternativeKind::List(name) | AlternativeKind::Set(name) => {
                match (&*name.text, self.types.get(&name.text)) {
                    (_, Some(Named::Unit(id))) => Sort::plain(Type::Units(*id)),
                    (_, Some(Named::Words(id))) => Sort::plain(Type::WordSet(*id)),
                    ("Number", None) => Sort::plain(Type::Numbers),
                    ("Fraction", None) => Sort::plain(Type::Fractions),
                    (_, Some(_)) => {
                        return self.error(name.span, "lists are of units, words or numbers");
                    }
                    _ => return self.unknown_type(name),
                }
            }
            AlternativeKind::Cell(_) => {
                return self.error(only.span, "only printed cells are of this kind");
            }
            _ => return Ok(None),
        };
        Ok(Some(sort))
    }

    fn gather_alternative(
        &mut self,
        one: &tree::Alternative,
        target: Option<Type>,
        parts: &mut Parts,
    ) -> Checked<()> {
        match &one.kind {
            AlternativeKind::Range {
                low,
                high,
                fraction,
            } => {
                let (a, b) = (self.constant(low)?.value, self.constant(high)?.value);
                if a > b {
                    let message =
                        Message::error(one.span, format!("a range goes up, and {b} is below {a}"));
                    return self.fail(message.help(format!("write `{b}..{a}`")));
                }
                let whole = !fraction && a.is_integer() && b.is_integer();
                parts.number(a, b, whole);
                parts.given.push(KeyAlternative::Number {
                    low: a,
                    high: b,
                    whole,
                });
            }
            AlternativeKind::Number(number) => {
                let value = self.constant(number)?.value;
                parts.number(value, value, value.is_integer());
                let meant = match value.is_integer() {
                    true => Value::Number(value.to_integer()),
                    false => Value::Fraction(value),
                };
                let word = crate::number::written(value).into();
                parts.given.push(KeyAlternative::Word(word, meant));
            }
            AlternativeKind::Type(name)
                if matches!(self.types.get(&name.text), Some(Named::Words(_))) =>
            {
                let id = self.words_type(name)?;
                // A type that is part of what is set: its words are those of the whole.
                let letters = self.program[id].words.clone();
                let same = target.filter(|ty| *ty != Type::Word(id)).and_then(|ty| {
                    letters
                        .iter()
                        .map(|letters| self.find_word(ty, letters))
                        .collect::<Option<Vec<_>>>()
                });
                if let Some(words) = same {
                    for (letters, word) in letters.into_iter().zip(words) {
                        parts
                            .given
                            .push(KeyAlternative::Word(letters, Value::Word(word)));
                    }
                    return Ok(());
                }
                let count = self.program[id].words.len() as u16;
                self.gather_words(id, 0, count.saturating_sub(1), parts);
                parts.whole.push(id);
            }
            AlternativeKind::Type(name)
                if name.len() > 2 && target.is_none_or(|ty| self.find_word(ty, name).is_none()) =>
            {
                return match self.types.contains_key(&name.text) {
                    true => self.error(one.span, "this cannot stand beside others"),
                    false => self.unknown_type(name),
                };
            }
            AlternativeKind::Part { of, from, to } => {
                let id = self.words_type(of)?;
                let (first, last) = self.part_of(id, from, to)?;
                self.gather_words(id, first, last, parts);
                parts.whole.push(id);
            }
            AlternativeKind::Type(word) => self.gather_word(word, None, target, parts)?,
            AlternativeKind::Word { word, means } => {
                self.gather_word(word, means.as_ref(), target, parts)?
            }
            _ => return self.error(one.span, "this cannot stand beside others"),
        }
        Ok(())
    }

    fn gather_words(&mut self, of: WordsId, first: u16, last: u16, parts: &mut Parts) {
        for at in first..=last {
            let word = WordId { of, at };
            if (at as usize) < self.program[of].words.len() {
                parts
                    .given
                    .push(KeyAlternative::Word(self.letters(word), Value::Word(word)));
            }
        }
    }

    fn gather_word(
        &mut self,
        word: &tree::Name,
        means: Option<&tree::Name>,
        target: Option<Type>,
        parts: &mut Parts,
    ) -> Checked<()> {
        let meant = means.unwrap_or(word);
        if let Some(id) = target.and_then(|ty| self.find_word(ty, meant)) {
            parts
                .given
                .push(KeyAlternative::Word(word.text.clone(), Value::Word(id)));
            return Ok(());
        }
        if let (Some(ty @ (Type::Word(_) | Type::Mixed(_))), true) = (target, means.is_some()) {
            let known: Vec<Arc<str>> = self
                .words_of(ty)
                .into_iter()
                .map(|word| self.letters(word))
                .collect();
            return self.unknown(meant, "word", known.iter().map(|w| &**w));
        }
        parts.extra.push(word.text.clone());
        // The value is known once all words of the kind are.
        parts
            .given
            .push(KeyAlternative::Word(word.text.clone(), Value::Nobody));
        Ok(())
    }

    fn combine(
        &mut self,
        mut parts: Parts,
        kind: &tree::Kind,
        target: Option<Type>,
    ) -> Checked<Sort> {
        let mut words: Vec<WordId> = Vec::new();
        for &of in &parts.whole {
            for at in 0..self.program[of].words.len() as u16 {
                let word = WordId { of, at };
                if !words.contains(&word) {
                    words.push(word);
                }
            }
        }
        if !parts.extra.is_empty() {
            if let Some(target @ (Type::Word(_) | Type::Mixed(_))) = target {
                let wrong = parts.extra[0].clone();
                let known: Vec<Arc<str>> = self
                    .words_of(target)
                    .into_iter()
                    .map(|word| self.letters(word))
                    .collect();
                let name = tree::Name {
                    text: wrong,
                    span: kind.span,
                };
                return self.unknown(&name, "word", known.iter().map(|w| &**w));
            }
            let id = self.anonymous(&parts.extra, kind.span);
            for at in 0..parts.extra.len() as u16 {
                words.push(WordId { of: id, at });
            }
            for given in &mut parts.given {
                if let KeyAlternative::Word(text, value @ Value::Nobody) = given {
                    let at = parts
                        .extra
                        .iter()
                        .position(|extra| extra == text)
                        .unwrap_or(0) as u16;
                    *value = Value::Word(WordId { of: id, at });
                }
            }
        }
        let ty = match (parts.numbers, &words[..]) {
            (None, [first, rest @ ..]) if rest.iter().all(|word| word.of == first.of) => {
                Type::Word(first.of)
            }
            (None, []) => match target {
                Some(target) => target,
                None => return self.error(kind.span, "this kind has no values"),
            },
            (Some((_, _, false)), []) => Type::Fraction,
            (Some(_), []) => Type::Number,
            (number, _) => {
                let number = match number {
                    None => MixedNumber::None,
                    Some((_, _, false)) => MixedNumber::Fraction,
                    Some((low, high, true)) => MixedNumber::Whole(Interval {
                        low: low.to_integer(),
                        high: high.to_integer(),
                    }),
                };
                Type::Mixed(self.intern_mixed(Mixed { number, words }))
            }
        };
        let range = match parts.numbers {
            Some((low, high, true)) => interval::range(low.to_integer(), high.to_integer()),
            _ => None,
        };
        Ok(Sort {
            ty,
            range,
            given: parts.given,
        })
    }

    /// The kind of a parameter: written, or of a unit that is called so.
    pub(super) fn param_sort(&mut self, param: &tree::Param) -> Checked<Sort> {
        if let Some(kind) = &param.kind {
            return self.sort(kind, None);
        }
        if let Some(&unit) = self.called.get(&param.name.text) {
            return Ok(Sort::plain(Type::Unit(unit)));
        }
        let message = Message::error(
            param.name.span,
            format!("nothing says what `{}` is", param.name),
        );
        let help = format!(
            "write `{}: Number` or another type, or add it to the names units are `called` by",
            param.name
        );
        self.fail(message.help(help))
    }
}

/// The alternatives of a kind, sorted.
#[derive(Default)]
struct Parts {
    /// From, to, and whether all are whole.
    numbers: Option<(Fraction, Fraction, bool)>,
    whole: Vec<WordsId>,
    extra: Vec<Arc<str>>,
    given: Vec<KeyAlternative>,
}

impl Parts {
    fn number(&mut self, low: Fraction, high: Fraction, whole: bool) {
        let (a, b, all) = self.numbers.unwrap_or((low, high, true));
        self.numbers = Some((a.min(low), b.max(high), all && whole));
    }
}
