//! Lists of units, numbers and words, and what is asked of them.

use super::{Held, Out, Scope, Writer};
use crate::program::{ExprId, ExprKind, LocalId, Quantifier, Type, UnaryOp};

/// A quantifier's list, element, condition, and what is compared.
type Asked = (ExprId, LocalId, Option<ExprId>, Option<ExprId>);

impl<'p> Writer<'p> {
    /// All conditions that must hold together.
    fn conjuncts(&self, id: ExprId, all: &mut Vec<ExprId>) {
        match self.program[id].kind {
            ExprKind::And(a, b) => {
                self.conjuncts(a, all);
                self.conjuncts(b, all);
            }
            _ => all.push(id),
        }
    }

    /// A condition on a unit as a set of units, if it is nothing but flags of it, or follows from it and another unit alone.
    fn as_set(&mut self, scope: &mut Scope<'p>, it: LocalId, id: ExprId) -> Out<Option<String>> {
        let program = self.program;
        if let Some(set) = self.early_set(scope, it, id)? {
            return Ok(Some(set));
        }
        Ok(match &program[id].kind {
            ExprKind::Field(unit, field) if program[*unit].kind_is_local(it) => {
                self.flags_now(*field)?
            }
            ExprKind::Unary(UnaryOp::Not, of) => {
                let set = self.as_set(scope, it, *of)?;
                set.map(|set| format!("!{set}"))
            }
            ExprKind::Or(a, b) => {
                match (self.as_set(scope, it, *a)?, self.as_set(scope, it, *b)?) {
                    (Some(a), Some(b)) => Some(format!("({a} | {b})")),
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// Whether nothing can go wrong in it.
    fn is_safe(&self, id: ExprId) -> bool {
        let program = self.program;
        let all = |ids: &[ExprId]| ids.iter().all(|&id| self.is_safe(id));
        match &program[id].kind {
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Var(_)
            | ExprKind::Cell(_)
            | ExprKind::Turn => true,
            ExprKind::Field(of, _)
            | ExprKind::NumberOf(of)
            | ExprKind::IsNobody(of)
            | ExprKind::IsEmpty(of)
            | ExprKind::IsWord(of, _) => self.is_safe(*of),
            ExprKind::Unary(_, of) => self.is_safe(*of),
            ExprKind::Call(..) | ExprKind::Binary(..) => {
                super::frame::is_pure(program[id].effects) && !self.goes_wrong(id)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Same(a, b) => all(&[*a, *b]),
            _ => false,
        }
    }

    /// What of a condition narrows a set of units beforehand, and what is left to ask.
    pub(super) fn narrowed(
        &mut self,
        scope: &mut Scope<'p>,
        list: Type,
        it: LocalId,
        condition: Option<ExprId>,
    ) -> Out<(Vec<String>, Vec<ExprId>)> {
        let mut all = Vec::new();
        if let Some(condition) = condition {
            self.conjuncts(condition, &mut all);
        }
        let (mut sets, mut left) = (Vec::new(), Vec::new());
        for id in all {
            let early = matches!(list, Type::Units(_)) && left.iter().all(|&id| self.is_safe(id));
            match if early {
                self.as_set(scope, it, id)?
            } else {
                None
            } {
                Some(set) => sets.push(set),
                None => left.push(id),
            }
        }
        Ok((sets, left))
    }

    /// Goes through a list; the body is written for each element of which the conditions hold.
    pub(super) fn each(
        &mut self,
        scope: &mut Scope<'p>,
        list: ExprId,
        it: LocalId,
        condition: Option<ExprId>,
        body: &mut dyn FnMut(&mut Self, &mut Scope<'p>) -> Out<String>,
    ) -> Out<String> {
        let (ty, span) = (self.program[list].ty, self.program[list].span);
        let held = self.held(ty, span)?;
        let value = self.expr(scope, list)?;
        let (sets, left) = self.narrowed(scope, ty, it, condition)?;
        let local = self.write_local(scope, it);
        scope.then[usize::from(it.0)] = false;
        let mut asked = Vec::new();
        for id in left {
            asked.push(self.expr(scope, id)?);
        }
        let mut inside = body(self, scope)?;
        if !asked.is_empty() {
            inside = format!("if {} {{ {inside} }}", asked.join(" && "));
        }
        let a = self.name();
        Ok(match held {
            Held::Units | Held::Words => {
                let mut set = format!("({value})");
                for narrower in sets {
                    set.push_str(&format!(" & {narrower}"));
                }
                format!(
                    "let mut {a} = {set}; while {a} != 0 {{ {local} = {a}.trailing_zeros() as i32; {a} &= {a} - 1; {inside} }}"
                )
            }
            Held::List(1) => {
                format!(
                    "let {a} = {value}; for item in {a}.all() {{ {local} = item[0]; {inside} }}"
                )
            }
            Held::List(_) => {
                format!("let {a} = {value}; for item in {a}.all() {{ {local} = *item; {inside} }}")
            }
            _ => return self.refuse(span, "such a list"),
        })
    }

    pub(super) fn filter(
        &mut self,
        scope: &mut Scope<'p>,
        list: ExprId,
        it: LocalId,
        condition: ExprId,
    ) -> Out<String> {
        let (ty, span) = (self.program[list].ty, self.program[list].span);
        let held = self.held(ty, span)?;
        if let Held::Units = held {
            let (sets, left) = self.narrowed(scope, ty, it, Some(condition))?;
            if left.is_empty() {
                let value = self.expr(scope, list)?;
                return Ok(format!("(({value}) & {})", sets.join(" & ")));
            }
        }
        let all = self.name();
        let local = self.write_local(scope, it);
        let add = match held {
            Held::Units => format!("{all} |= 1 << ({local} as u32 & {});", self.length - 1),
            Held::Words => format!("{all} |= 1 << ({local} as u32 & 63);"),
            Held::List(1) => format!("{all}.push([{local}]);"),
            _ => format!("{all}.push({local});"),
        };
        let through = self.each(
            scope,
            list,
            it,
            Some(condition),
            &mut |_, _| Ok(add.clone()),
        )?;
        Ok(format!(
            "{{ let mut {all}: {} = {}; {through} {all} }}",
            held.rust(),
            held.empty()
        ))
    }

    pub(super) fn quantified(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        quantifier: Quantifier,
        (list, it, condition, by): Asked,
    ) -> Out<String> {
        let program = self.program;
        let (ty, span) = (program[list].ty, program[list].span);
        let held = self.held(ty, span)?;
        let here = program[id].span;
        let a = self.name();
        if let (Held::Units, Quantifier::Any | Quantifier::Number, None) = (held, quantifier, by) {
            let (sets, left) = self.narrowed(scope, ty, it, condition)?;
            if left.is_empty() {
                let value = self.expr(scope, list)?;
                let mut set = format!("({value})");
                for narrower in sets {
                    set.push_str(&format!(" & {narrower}"));
                }
                return Ok(match quantifier {
                    Quantifier::Any => format!("({set} != 0)"),
                    _ => format!("(({set}).count_ones() as i32)"),
                });
            }
        }
        let local = self.write_local(scope, it);
        let of = match (by, held) {
            (Some(by), _) => self.held(program[by].ty, span)?,
            (None, Held::List(2)) => Held::Parts(2),
            (None, _) => Held::One,
        };
        let exact = match of {
            Held::One => false,
            Held::Parts(2) => true,
            _ => return self.refuse(here, "such a comparison"),
        };
        let value = |writer: &mut Self, scope: &mut Scope<'p>| match by {
            Some(by) => writer.expr(scope, by),
            None => Ok(local.clone()),
        };
        let few = match quantifier {
            Quantifier::HighestFew(few) | Quantifier::LowestFew(few) => {
                Some(self.expr(scope, few)?)
            }
            _ => None,
        };
        let text = match quantifier {
            Quantifier::Any => {
                let through = self.each(scope, list, it, condition, &mut |_, _| {
                    Ok(format!("break '{a} true;"))
                })?;
                format!("'{a}: {{ {through} false }}")
            }
            Quantifier::Number => {
                let through = self.each(scope, list, it, condition, &mut |_, _| {
                    Ok(format!("{a} += 1;"))
                })?;
                format!("{{ let mut {a} = 0; {through} {a} }}")
            }
            Quantifier::First if by.is_none() => {
                let through = self.each(scope, list, it, condition, &mut |_, _| {
                    Ok(format!("break '{a} {local};"))
                })?;
                format!("'{a}: {{ {through} -1 }}")
            }
            Quantifier::First
                if held == Held::Units
                    && let Some(by) = by
                    && condition.is_none_or(|condition| {
                        let mut all = Vec::new();
                        self.conjuncts(condition, &mut all);
                        all.iter().all(|&id| self.is_safe(id))
                    })
                    && let Some(levels) = self.levels(scope, it, by)? =>
            {
                let (set, level, b) = (self.name(), self.name(), self.name());
                let (sets, left) = self.narrowed(scope, ty, it, condition)?;
                let mut from = format!("({})", self.expr(scope, list)?);
                for narrower in sets {
                    from.push_str(&format!(" & {narrower}"));
                }
                let mut asked = Vec::new();
                for id in left {
                    asked.push(self.expr(scope, id)?);
                }
                let inside = match asked.is_empty() {
                    true => format!("if {b} != 0 {{ break '{a} {b}.trailing_zeros() as i32; }}"),
                    false => format!(
                        "while {b} != 0 {{ {local} = {b}.trailing_zeros() as i32; {b} &= {b} - 1; if {} {{ break '{a} {local}; }} }}",
                        asked.join(" && ")
                    ),
                };
                format!(
                    "'{a}: {{ let {set}: Set = {from}; if {set} != 0 {{ for {level} in &{levels} {{ let mut {b} = {set} & {level}; {inside} }} }} -1 }}"
                )
            }
            Quantifier::First => {
                let (b, c) = (self.name(), self.name());
                let through = self.each(scope, list, it, condition, &mut |writer, scope| {
                    let value = value(writer, scope)?;
                    Ok(match exact {
                        false => format!(
                            "let {c} = i64::from({value}); if {c} < {b} {{ {b} = {c}; {a} = {local}; }}"
                        ),
                        true => format!(
                            "let {c} = {value}; if {a} < 0 || less({c}, {b}) {{ {b} = {c}; {a} = {local}; }}"
                        ),
                    })
                })?;
                let first = if exact { "[0, 1]" } else { "i64::MAX" };
                format!("{{ let mut {a} = -1; let mut {b} = {first}; {through} {a} }}")
            }
            Quantifier::Sum => {
                let c = self.name();
                let fine = self.says("this fraction is too fine", here);
                let through = self.each(scope, list, it, condition, &mut |writer, scope| {
                    let value = value(writer, scope)?;
                    Ok(match exact {
                        false => format!("{a} += i64::from({value});"),
                        true => format!(
                            "let {c} = {value}; {a} = w.some(fold(BinaryOp::Add, {a}, {c}), {fine});"
                        ),
                    })
                })?;
                let wrong = self.says("a number is divided by 0 here, or becomes too large", here);
                match exact {
                    false => format!(
                        "{{ let mut {a} = 0i64; {through} w.some(i32::try_from({a}).ok(), {wrong}) }}"
                    ),
                    true => format!("{{ let mut {a} = [0, 1]; {through} {a} }}"),
                }
            }
            Quantifier::Highest | Quantifier::Lowest => {
                let c = self.name();
                let highest = quantifier == Quantifier::Highest;
                let through = self.each(scope, list, it, condition, &mut |writer, scope| {
                    let value = value(writer, scope)?;
                    let better = match (exact, highest) {
                        (false, true) => format!("{c} >= best"),
                        (false, false) => format!("{c} < best"),
                        (true, true) => format!("!less({c}, best)"),
                        (true, false) => format!("less({c}, best)"),
                    };
                    Ok(format!(
                        "let {c} = {value}; {a} = match {a} {{ Some(best) if !({better}) => Some(best), _ => Some({c}) }};"
                    ))
                })?;
                let wrong = self.says("there is none of which to take the highest or lowest", here);
                let rust = of.rust();
                format!("{{ let mut {a}: Option<{rust}> = None; {through} w.some({a}, {wrong}) }}")
            }
            Quantifier::HighestFew(_) | Quantifier::LowestFew(_) => {
                let highest = matches!(quantifier, Quantifier::HighestFew(_));
                let few = few.unwrap_or_default();
                let through = self.each(scope, list, it, condition, &mut |writer, scope| {
                    let value = value(writer, scope)?;
                    Ok(match exact {
                        false => format!("{a}.push([{value}]);"),
                        true => format!("{a}.push({value});"),
                    })
                })?;
                let width = 1 + usize::from(exact);
                format!(
                    "{{ let few = {few}; let mut {a}: List<{width}> = List::default(); {through} {a}.few(few, {highest}) }}"
                )
            }
        };
        Ok(text)
    }
}

impl crate::program::Expr {
    /// Whether it is nothing but this local.
    fn kind_is_local(&self, local: LocalId) -> bool {
        matches!(self.kind, ExprKind::Local(it) if it == local)
    }
}
