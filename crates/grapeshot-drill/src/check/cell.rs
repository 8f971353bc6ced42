//! How printed cells are read, and held to their kinds.

use super::{Checked, Checker, Named};
use crate::program::*;
use crate::tree::{self, AlternativeKind, CellKind, ExprKind};
use std::sync::Arc;

impl Checker<'_> {
    /// How cells of a kind are read.
    pub(super) fn cell_rule(
        &mut self,
        kind: &tree::Kind,
        specials: &[(tree::Name, tree::Expr)],
    ) -> Checked<CellRule> {
        let mut rule = CellRule {
            alternatives: Vec::new(),
            specials: Vec::new(),
            ty: Type::Text,
            range: None,
            written: self.sources.text(kind.span).into(),
            text_only: false,
        };
        let mut numbers: Option<Interval> = None;
        let (mut fraction, mut dice, mut other) = (false, false, None);
        let mut words: Vec<WordId> = Vec::new();
        let mut extra: Vec<Arc<str>> = Vec::new();
        for one in &kind.alternatives {
            let alternative = match &one.kind {
                AlternativeKind::Range {
                    low,
                    high,
                    fraction: f,
                } => {
                    let (low, high) = (self.constant(low)?.value, self.constant(high)?.value);
                    let whole = !f && low.is_integer() && high.is_integer();
                    fraction |= !whole;
                    let range = Interval {
                        low: low.floor().to_integer(),
                        high: high.ceil().to_integer(),
                    };
                    numbers = Some(numbers.map_or(range, |n| n.hull(range)));
                    CellAlternative::Number { low, high, whole }
                }
                AlternativeKind::Cell(CellKind::Score) => {
                    numbers = Some(numbers.map_or(Interval { low: 0, high: 100 }, |n| {
                        n.hull(Interval { low: 0, high: 100 })
                    }));
                    CellAlternative::Score
                }
                AlternativeKind::Cell(CellKind::Faces(die)) => {
                    numbers = Some(Interval { low: 0, high: 1000 });
                    CellAlternative::Faces(self.die(die)?)
                }
                AlternativeKind::Cell(CellKind::Band) => {
                    other = Some(Type::Band);
                    CellAlternative::Band
                }
                AlternativeKind::Cell(CellKind::Dice) => {
                    dice = true;
                    // Cells name ordinary dice that no line declares.
                    for sides in [2, 3, 4, 6, 8, 10, 12, 20, 100] {
                        self.ordinary_die(sides);
                    }
                    CellAlternative::Dice
                }
                AlternativeKind::Cell(CellKind::Text) => {
                    rule.text_only = true;
                    other = Some(Type::Text);
                    CellAlternative::Text
                }
                AlternativeKind::Set(name) => {
                    let id = self.words_type(name)?;
                    other = Some(Type::WordSet(id));
                    CellAlternative::WordSet(id)
                }
                AlternativeKind::Type(name) => match self.types.get(&name.text).copied() {
                    Some(Named::Record(id)) => {
                        other = Some(Type::Record(id));
                        CellAlternative::Record(id)
                    }
                    Some(Named::Words(id)) => {
                        words.extend(self.words_of(Type::Word(id)));
                        let last = (self.program[id].words.len() as u16).saturating_sub(1);
                        CellAlternative::Words(id, 0, last)
                    }
                    None if &*name.text == "Flag" => {
                        other = Some(Type::Flag);
                        CellAlternative::Flag
                    }
                    _ => return self.unknown_type(name),
                },
                AlternativeKind::Part { of, from, to } => {
                    let id = self.words_type(of)?;
                    let (first, last) = self.part_of(id, from, to)?;
                    words.extend(self.words_of(Type::Word(id)));
                    CellAlternative::Words(id, first, last)
                }
                AlternativeKind::Word { word, .. } => {
                    extra.push(word.text.clone());
                    continue;
                }
                _ => return self.error(one.span, "printed cells are not of this kind"),
            };
            rule.alternatives.push(alternative);
        }
        if !extra.is_empty() {
            let id = self.anonymous(&extra, kind.span);
            words.extend(self.words_of(Type::Word(id)));
            rule.alternatives
                .push(CellAlternative::Words(id, 0, extra.len() as u16 - 1));
        }
        let number = match (numbers, fraction, dice) {
            (_, _, true) => MixedNumber::Dice,
            (_, true, _) => MixedNumber::Fraction,
            (Some(range), ..) => MixedNumber::Whole(range),
            (None, ..) => MixedNumber::None,
        };
        rule.range = if fraction || dice { None } else { numbers };
        let one_type = words
            .first()
            .map(|first| first.of)
            .filter(|of| words.iter().all(|word| word.of == *of));
        rule.ty = match (other, number, one_type) {
            (Some(other), MixedNumber::None, None) if words.is_empty() => other,
            (Some(_), ..) => return self.error(kind.span, "these kinds of cells cannot be mixed"),
            (None, MixedNumber::Dice, None) if words.is_empty() => Type::Dice,
            (None, MixedNumber::Fraction, None) if words.is_empty() => Type::Fraction,
            (None, MixedNumber::Whole(_), None) if words.is_empty() => Type::Number,
            (None, MixedNumber::None, Some(of)) => Type::Word(of),
            (None, number, _) => Type::Mixed(self.intern_mixed(Mixed { number, words })),
        };
        for (pattern, value) in specials {
            let _ = self.special(&mut rule, pattern, value);
        }
        Ok(rule)
    }

    /// `"-" is 0`, `"{n}(+1)" is n`.
    fn special(
        &mut self,
        rule: &mut CellRule,
        pattern: &tree::Name,
        value: &tree::Expr,
    ) -> Checked<()> {
        if pattern.contains('{') {
            let named = match &value.kind {
                ExprKind::Name(name) => pattern.contains(&format!("{{{name}}}")),
                _ => false,
            };
            if !named {
                return self.error(
                    value.span,
                    "what stands in the braces of the cell is expected here",
                );
            }
            rule.specials.push((pattern.text.clone(), Special::Number));
            return Ok(());
        }
        // Of several columns some may not have such a value: then it is not said of them.
        let fits = match (&value.kind, rule.ty) {
            (ExprKind::Name(word), ty) => self.find_word(ty, word).is_some(),
            (ExprKind::Empty, Type::WordSet(_)) => true,
            (ExprKind::Empty, _) => false,
            (_, Type::Number | Type::Fraction) => true,
            (_, Type::Mixed(id)) => self.program[id].number != MixedNumber::None,
            _ => false,
        };
        if !fits {
            return Ok(());
        }
        let value = self.constant_value(value, rule.ty)?;
        if let (Some(range), Some(number)) = (rule.range, value.number()) {
            rule.range = Some(range.hull(Interval::only(number)));
        }
        rule.specials
            .push((pattern.text.clone(), Special::Value(value)));
        Ok(())
    }

    /// A die by its name; an ordinary one is there as soon as it is named.
    pub(super) fn die(&mut self, name: &tree::Name) -> Checked<DieId> {
        if let Some(&id) = self.dice.get(&name.text) {
            return Ok(id);
        }
        let sides = name
            .strip_prefix('d')
            .and_then(|sides| sides.parse::<u32>().ok());
        if let Some(sides @ 1..=1000) = sides {
            return Ok(self.ordinary_die(sides));
        }
        let known: Vec<Arc<str>> = self.dice.keys().cloned().collect();
        self.unknown(name, "die", known.iter().map(|name| &**name))
    }

    pub(super) fn ordinary_die(&mut self, sides: u32) -> DieId {
        let name: Arc<str> = format!("d{sides}").into();
        if let Some(&id) = self.dice.get(&name) {
            return id;
        }
        self.add_die(name, (1..=i64::from(sides)).collect(), Vec::new())
    }

    pub(super) fn add_die(
        &mut self,
        name: Arc<str>,
        faces: Vec<i64>,
        from_cells: Vec<CellId>,
    ) -> DieId {
        let id = DieId(self.program.dice.len() as u32);
        self.dice.insert(name.clone(), id);
        self.program.dice.push(Die {
            name,
            faces,
            from_cells,
        });
        id
    }

    /// The dice of the text. Those whose faces stand in cells are there only after the tables.
    pub(super) fn declare_dice(&mut self) {
        for (name, faces) in std::mem::take(&mut self.declared.dice) {
            let _ = self.declare_die(name, faces);
        }
    }

    pub(super) fn declare_die(&mut self, name: &tree::Name, faces: &tree::Faces) -> Checked<()> {
        let mut from_cells = Vec::new();
        let mut face = |checker: &mut Self, expr: &tree::Expr| -> Checked<i64> {
            from_cells.extend(checker.constant(expr)?.from_cells);
            checker.whole_constant(expr)
        };
        let faces = match faces {
            tree::Faces::Range(low, high) => {
                let (low, high) = (face(self, low)?, face(self, high)?);
                if low > high || high - low >= 1000 {
                    return self.error(name.span, "a die has 1 to 1000 faces, the lowest first");
                }
                (low..=high).collect()
            }
            tree::Faces::List(faces) => {
                let faces: Checked<Vec<i64>> = faces.iter().map(|one| face(self, one)).collect();
                faces?
            }
        };
        match self.dice.get(&name.text).copied() {
            // Named before its faces were known: by a heading or by cells.
            Some(id) => {
                self.program.dice[id.at()].faces = faces;
                self.program.dice[id.at()].from_cells = from_cells;
            }
            None => {
                self.add_die(name.text.clone(), faces, from_cells);
            }
        }
        Ok(())
    }
}
