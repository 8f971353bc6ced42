//! Headings: what they mean, and that they stand in order.

use super::{Checked, Checker, Named};
use crate::number::{self, Fraction};
use crate::program::*;
use crate::tree::{self, HeadingKind};
use std::sync::Arc;

impl Checker<'_> {
    /// Every word of a type must have a heading, or count like one that has.
    pub(super) fn all_words_headed<'d>(
        &mut self,
        id: WordsId,
        labels: impl Iterator<Item = &'d Arc<str>>,
        of: &tree::Name,
        table: &tree::Name,
    ) -> Checked<()> {
        let labels: Vec<Arc<str>> = labels.cloned().collect();
        for word in self.words_of(Type::Word(id)) {
            if self.place_by_letters(word, &labels).is_none() {
                let letters = self.letters(word);
                let title = format!("`{table}` has no heading `{letters}`, and {of} has that word");
                return self.error(of.span, title);
            }
        }
        Ok(())
    }

    /// What headings mean, held to their order.
    pub(super) fn axis(
        &mut self,
        table: &tree::Name,
        labels: &[Arc<str>],
        heads: &[&tree::Heading],
        what: &str,
    ) -> Checked<Axis> {
        let mut axis = plain_axis(labels);
        let mut rest: Vec<usize> = (0..labels.len()).collect();
        let mut numbers: Option<(&tree::Heading, Finds)> = None;
        for head in heads {
            match (&head.kind, &head.and) {
                (HeadingKind::Dice { .. } | HeadingKind::Bands, Some(_)) => {
                    self.joined(&mut axis, head, table)?;
                    return Ok(axis);
                }
                (_, Some(_)) => {
                    return self.error(head.span, "only a die or bands are joined with words");
                }
                (HeadingKind::Names, _) => rest.clear(),
                (HeadingKind::Columns(of), _) => {
                    if let Some(of) = of {
                        axis.places_of = self.grids.get(&of.text).copied();
                    }
                    rest.clear();
                }
                (HeadingKind::Bands | HeadingKind::Dice { .. }, _) => {
                    numbers = Some((head, Finds::Bands))
                }
                (HeadingKind::LowerLimits | HeadingKind::Odds, _) => {
                    numbers = Some((head, Finds::LowerLimits))
                }
                (HeadingKind::UpperLimits, _) => numbers = Some((head, Finds::UpperLimits)),
                (HeadingKind::Faces(_), _) => {
                    return self.error(head.span, "faces in the cells are headed by nothing else");
                }
                (HeadingKind::Named(name), _) => {
                    if self.dice.contains_key(&name.text) {
                        numbers = Some((head, Finds::Bands));
                    } else if let Some(Named::Words(id)) = self.types.get(&name.text).copied() {
                        self.all_words_headed(id, labels.iter(), name, table)?;
                        axis.words = Some(id);
                        let words = self.program[id].words.clone();
                        rest.retain(|&at| !words.contains(&labels[at]));
                    } else if let Some(at) = axis.place_of_word(name) {
                        rest.retain(|&other| other != at);
                    } else {
                        let known = labels.iter().map(|label| &**label);
                        return self.unknown(name, &format!("{what} of `{table}`"), known);
                    }
                }
            }
        }
        match numbers {
            Some((head, finds)) => self.number_headings(&mut axis, &rest, head, finds, table)?,
            None => {
                if let Some(&at) = rest.first() {
                    let title = format!(
                        "nothing says what the {what} `{}` of `{table}` is",
                        labels[at]
                    );
                    let span = heads.first().map_or(table.span, |head| head.span);
                    return self.error(span, title);
                }
            }
        }
        Ok(axis)
    }

    /// Headings that are numbers, in order.
    pub(super) fn number_headings(
        &mut self,
        axis: &mut Axis,
        at: &[usize],
        head: &tree::Heading,
        finds: Finds,
        table: &tree::Name,
    ) -> Checked<()> {
        axis.finds = finds;
        let mut last: Option<Fraction> = None;
        for &at in at {
            let label = axis.labels[at].clone();
            let read = match finds {
                Finds::Bands => band(&label).map(Heading::Numbers),
                _ => limit(&label).map(Heading::Limit),
            };
            let Some(heading) = read else {
                let what = match finds {
                    Finds::Bands => "a band such as `3`, `4 to 8`, `4-8`, `63+` or `3 or less`",
                    _ => "a limit such as `300`, `1/2` or `3:2`",
                };
                return self.error(
                    head.span,
                    format!("the heading `{label}` of `{table}` is not {what}"),
                );
            };
            let (low, high) = match &heading {
                Heading::Numbers(band) => (
                    Fraction::from_integer(band.low),
                    Fraction::from_integer(band.high),
                ),
                Heading::Limit(limit) => (*limit, *limit),
                _ => continue,
            };
            let follows = match (last, finds) {
                (None, _) => true,
                (Some(last), Finds::Bands) => low == last + 1,
                (Some(last), _) => low > last,
            };
            if !follows || high < low {
                let title =
                    format!("the heading `{label}` of `{table}` does not follow the one before it");
                return self.error(head.span, title);
            }
            last = Some(high);
            axis.headings[at] = heading;
        }
        self.die_headings(axis, head, table)
    }

    /// A die that heads rows must find a row for each face.
    pub(super) fn die_headings(
        &mut self,
        axis: &Axis,
        head: &tree::Heading,
        table: &tree::Name,
    ) -> Checked<()> {
        let faces: Vec<i64> = match &head.kind {
            HeadingKind::Dice { count, sides } => {
                (i64::from(*count)..=i64::from(count * sides)).collect()
            }
            HeadingKind::Named(name) => match self.dice.get(&name.text) {
                Some(&die) => self.program[die].faces.clone(),
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        let headed = |face: i64| {
            axis.headings.iter().any(|heading| match heading {
                Heading::Numbers(band) => band.holds(Interval::only(face)),
                _ => false,
            })
        };
        match faces.into_iter().find(|&face| !headed(face)) {
            None => Ok(()),
            Some(face) => self.error(
                head.span,
                format!("`{table}` has no heading for the throw {face}"),
            ),
        }
    }

    /// `1-attacker`.
    pub(super) fn joined(
        &mut self,
        axis: &mut Axis,
        head: &tree::Heading,
        table: &tree::Name,
    ) -> Checked<()> {
        let words = match &head.and {
            Some(HeadingKind::Named(name)) => self.words_type(name)?,
            _ => return self.error(head.span, "after `and` a type of words is expected"),
        };
        axis.words = Some(words);
        for (at, label) in axis.labels.clone().iter().enumerate() {
            let parts = label.match_indices('-').find_map(|(at, _)| {
                let band = band(&label[..at])?;
                let word = &label[at + 1..];
                self.program[words].position(word)?;
                Some((band, word))
            });
            let Some((band, word)) = parts else {
                let title = format!(
                    "the heading `{label}` of `{table}` is no number and word with a hyphen between them"
                );
                return self.error(head.span, title);
            };
            axis.headings[at] = Heading::Joined(band, word.into());
        }
        Ok(())
    }
}

/// Headings by their letters alone.
pub(super) fn plain_axis(labels: &[Arc<str>]) -> Axis {
    Axis {
        labels: labels.to_vec(),
        headings: vec![Heading::Word; labels.len()],
        finds: Finds::Words,
        places_of: None,
        words: None,
    }
}

/// `300`, `1/2`, `3:2`.
pub(super) fn limit(label: &str) -> Option<Fraction> {
    match label.split_once(':') {
        Some((above, below)) => {
            let (above, below) = (number::read(above)?, number::read(below)?);
            (*below.numer() != 0).then(|| above / below)
        }
        None => number::read(label),
    }
}
