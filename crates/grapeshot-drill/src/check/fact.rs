//! What has been asked: after `if x is green: …` the narrower type holds, until something may have changed it.

use super::Checker;
use super::scope::Scope;
use crate::program::*;
use crate::tree::TextKind;
use std::collections::BTreeMap;

/// Something that can be asked about: a local, a variable or a side, and fields of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    root: Root,
    fields: Vec<FieldId>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Local(LocalId),
    Var(VarId),
    Side(SideId),
    /// What a define gives: the same as long as nothing changes.
    Call(TextId, Vec<Path>),
}

/// What a value can still be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    /// A number, or dice.
    pub number: bool,
    pub words: Vec<WordId>,
    pub nobody: bool,
    pub somebody: bool,
}

/// What is known of paths.
pub(super) type Facts = BTreeMap<Path, Shape>;

impl Checker<'_> {
    /// Everything a type can be.
    pub(super) fn shape_of_type(&self, ty: Type) -> Shape {
        Shape {
            number: match ty {
                Type::Mixed(id) => self.program[id].number != MixedNumber::None,
                _ => false,
            },
            words: self.words_of(ty),
            nobody: matches!(ty, Type::MaybeUnit(_) | Type::MaybeSide),
            somebody: matches!(ty, Type::MaybeUnit(_) | Type::MaybeSide),
        }
    }

    pub(super) fn path(&self, id: ExprId) -> Option<Path> {
        let root = |root| {
            Some(Path {
                root,
                fields: Vec::new(),
            })
        };
        match &self.program[id].kind {
            ExprKind::Local(local) => root(Root::Local(*local)),
            ExprKind::Var(var) => root(Root::Var(*var)),
            ExprKind::Side(side) => root(Root::Side(*side)),
            ExprKind::Call(text, arguments) if self.program[*text].kind == TextKind::Define => {
                let arguments = arguments.iter().map(|argument| self.path((*argument)?));
                root(Root::Call(*text, arguments.collect::<Option<_>>()?))
            }
            ExprKind::Field(unit, field) => {
                let mut path = self.path(*unit)?;
                path.fields.push(*field);
                Some(path)
            }
            _ => None,
        }
    }

    /// What an expression can be here.
    pub(super) fn shape(&self, s: &Scope, id: ExprId) -> Shape {
        self.shape_in(&s.facts, id)
    }

    fn shape_in(&self, facts: &Facts, id: ExprId) -> Shape {
        let known = self.path(id).and_then(|path| facts.get(&path).cloned());
        known.unwrap_or_else(|| match (&self.program[id].kind, self.ty(id)) {
            (ExprKind::Literal(Value::Word(word)), _) => Shape {
                number: false,
                words: vec![*word],
                nobody: false,
                somebody: false,
            },
            (ExprKind::Literal(Value::Nobody), _) => Shape {
                number: false,
                words: Vec::new(),
                nobody: true,
                somebody: false,
            },
            (ExprKind::Convert(Conversion::OrNobody, _), _) => Shape {
                number: false,
                words: Vec::new(),
                nobody: false,
                somebody: true,
            },
            (ExprKind::If(_, then, otherwise), _) => join(
                &self.shape_in(facts, *then),
                &self.shape_in(facts, *otherwise),
            ),
            (ExprKind::Convert(Conversion::Widen, inner), _) => {
                let mut shape = self.shape_in(facts, *inner);
                shape.number |=
                    matches!(self.ty(*inner), Type::Number | Type::Fraction | Type::Dice);
                shape
            }
            (_, ty) => self.shape_of_type(ty),
        })
    }

    /// What follows from a condition that holds, or does not.
    pub(super) fn learn(&self, s: &mut Scope, condition: ExprId, holds: bool) {
        let (then, otherwise) = self.outcomes(std::mem::take(&mut s.facts), condition);
        s.facts = if holds { then } else { otherwise };
    }

    /// What is known where a condition holds, and where it does not. Both at once: each part is looked at once, however
    /// deep `and` and `or` lie within each other.
    fn outcomes(&self, facts: Facts, condition: ExprId) -> (Facts, Facts) {
        match &self.program[condition].kind {
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let (then, otherwise) = self.outcomes(facts, *inner);
                (otherwise, then)
            }
            ExprKind::And(a, b) => {
                let (then, otherwise) = self.outcomes(facts.clone(), *a);
                let (both, second) = self.outcomes(self.kept(then, &facts, *b), *b);
                (both, join_facts(&otherwise, &second))
            }
            ExprKind::Or(a, b) => {
                let (then, otherwise) = self.outcomes(facts.clone(), *a);
                let (second, neither) = self.outcomes(self.kept(otherwise, &facts, *b), *b);
                (join_facts(&then, &second), neither)
            }
            ExprKind::IsWord(value, words) => self.narrow(facts, *value, |shape, holds| {
                shape.words.retain(|word| words.contains(word) == holds);
                shape.number &= !holds;
                shape.nobody &= !holds;
            }),
            ExprKind::IsNumber(value) => self.narrow(facts, *value, |shape, holds| {
                shape.number &= holds;
                if holds {
                    shape.words.clear();
                }
            }),
            ExprKind::IsNobody(value) => self.narrow(facts, *value, |shape, holds| {
                shape.nobody &= holds;
                shape.somebody &= !holds;
            }),
            // `left is a`: then it is somebody.
            ExprKind::Same(a, b) => {
                let mut then = facts.clone();
                for (value, other) in [(*a, *b), (*b, *a)] {
                    if !self.shape_in(&facts, other).nobody {
                        then = self
                            .narrow(then, value, |shape, holds| shape.nobody &= !holds)
                            .0;
                    }
                }
                (then, facts)
            }
            _ => (facts.clone(), facts),
        }
    }

    /// What a first condition has taught is forgotten if the second may change something.
    fn kept(&self, learnt: Facts, before: &Facts, second: ExprId) -> Facts {
        match self.program[second].effects.changes {
            true => before.clone(),
            false => learnt,
        }
    }

    fn narrow(
        &self,
        facts: Facts,
        value: ExprId,
        change: impl Fn(&mut Shape, bool),
    ) -> (Facts, Facts) {
        let value = match self.program[value].kind {
            ExprKind::Convert(Conversion::OrNobody | Conversion::Widen, inner) => inner,
            _ => value,
        };
        let Some(path) = self.path(value) else {
            return (facts.clone(), facts);
        };
        let with = |holds: bool| {
            let mut shape = self.shape_in(&facts, value);
            change(&mut shape, holds);
            let mut facts = facts.clone();
            facts.insert(path.clone(), shape);
            facts
        };
        (with(true), with(false))
    }

    /// After a value was put in place.
    pub(super) fn assigned(&self, s: &mut Scope, target: Target, value: ExprId) {
        let shape = self.shape(s, value);
        let path = match target {
            Target::Local(local) => Some(Path {
                root: Root::Local(local),
                fields: Vec::new(),
            }),
            Target::Var(var) => {
                self.forget(s, Assigned::Var(var));
                Some(Path {
                    root: Root::Var(var),
                    fields: Vec::new(),
                })
            }
            Target::Field(unit, field) => {
                self.forget(s, Assigned::Field(field));
                self.path(unit).map(|mut path| {
                    path.fields.push(field);
                    path
                })
            }
        };
        if let Some(path) = path {
            // What lies behind a unit that is another one now is not known.
            if let Root::Local(local) = path.root {
                s.facts.retain(|known, _| {
                    let behind = known.root == Root::Local(local) && !known.fields.is_empty();
                    let stale =
                        behind && path.fields.is_empty() || matches!(known.root, Root::Call(..));
                    !stale
                });
            }
            s.facts.insert(path, shape);
        }
    }

    /// Something may have changed.
    pub(super) fn forget(&self, s: &mut Scope, what: Assigned) {
        s.facts.retain(|path, _| match what {
            _ if matches!(path.root, Root::Call(..)) => false,
            Assigned::Field(field) => !path.fields.contains(&field),
            Assigned::Var(var) => path.root != Root::Var(var),
        });
    }

    /// Before a loop, whose body may change whatever it names.
    pub(super) fn forget_all(&self, s: &mut Scope) {
        s.facts.clear();
    }
}

fn join(a: &Shape, b: &Shape) -> Shape {
    let mut words = a.words.clone();
    words.extend(b.words.iter().filter(|word| !a.words.contains(word)));
    Shape {
        number: a.number || b.number,
        words,
        nobody: a.nobody || b.nobody,
        somebody: a.somebody || b.somebody,
    }
}

/// What holds whichever way was taken.
pub(super) fn join_facts(a: &Facts, b: &Facts) -> Facts {
    let both = a
        .iter()
        .filter_map(|(path, shape)| Some((path.clone(), join(shape, b.get(path)?))));
    both.collect()
}
