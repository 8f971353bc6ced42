//! Units, sides, and lists of units.

use super::{Held, Out, Scope, Writer};
use crate::program::{Conversion, ExprId, ExprKind, SideId, Type};
use std::fmt::Write;

impl<'p> Writer<'p> {
    /// Whether a unit is the one of the start.
    pub(super) fn is_then(&self, scope: &Scope<'p>, id: ExprId) -> Out<bool> {
        let expr = &self.program[id];
        if !matches!(expr.ty, Type::Unit(_) | Type::MaybeUnit(_)) {
            return Ok(false);
        }
        let of_all = |ids: &[ExprId]| {
            let mut each = ids.iter().map(|&id| self.is_then(scope, id));
            let first = each.next().unwrap_or(Ok(false))?;
            for one in each {
                if one? != first {
                    return self.refuse(expr.span, "a unit that is or was");
                }
            }
            Ok(first)
        };
        match &expr.kind {
            ExprKind::Start(_) => Ok(true),
            ExprKind::Local(local) => Ok(scope.then[usize::from(local.0)]),
            ExprKind::If(_, a, b) => of_all(&[*a, *b]),
            ExprKind::Case {
                arms, otherwise, ..
            } => {
                let values = arms.iter().map(|(_, value)| value).chain(otherwise);
                of_all(&values.copied().collect::<Vec<_>>())
            }
            ExprKind::SideOf(of) => match self.program[*of].ty {
                Type::Unit(line) if self.program[line].line.is_some() => self.is_then(scope, *of),
                _ => Ok(false),
            },
            ExprKind::Convert(Conversion::OrNobody | Conversion::Somebody { .. }, of) => {
                self.is_then(scope, *of)
            }
            ExprKind::Element(list, _) => match &self.program[*list].kind {
                ExprKind::Convert(Conversion::Members, line) => self.is_then(scope, *line),
                _ => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// A unit, or the unit that plays a side.
    pub(super) fn unit(&mut self, scope: &mut Scope<'p>, id: ExprId) -> Out<String> {
        let value = self.expr(scope, id)?;
        match self.program[id].ty {
            Type::Side | Type::MaybeSide => {
                let sides = self.layout.procedure.sides.len();
                let names: Vec<String> = (0..sides)
                    .map(|side| {
                        let unit = self.layout.unit_of_side(side as i32);
                        unit.unwrap_or(0).to_string()
                    })
                    .collect();
                if self
                    .layout
                    .procedure
                    .sides
                    .iter()
                    .any(|side| side.times.is_some())
                {
                    return self.refuse(self.program[id].span, "the unit of a side of several");
                }
                let list = self.fixed("i32", &names);
                Ok(format!("{list}[({value}) as usize]"))
            }
            _ => Ok(value),
        }
    }

    pub(super) fn side(&mut self, side: SideId, ty: Type) -> String {
        let name = &self.program[side].name;
        let by = match ty {
            Type::Units(_) => format!("fill.side_set({name:?}, {}) as Set", super::type_of(ty)),
            _ => format!("fill.side_unit({name:?}, {})", super::type_of(ty)),
        };
        let rust = if matches!(ty, Type::Units(_)) {
            "Set"
        } else {
            "i32"
        };
        self.filled(&format!("side_{name}"), rust, by)
    }

    /// What follows from a unit or side alone, looked up.
    pub(super) fn of_each(
        &mut self,
        scope: &mut Scope<'p>,
        hint: &str,
        id: ExprId,
        operand: ExprId,
    ) -> Out<String> {
        let expr = &self.program[id];
        let (from, to) = (self.program[operand].ty, self.held(expr.ty, expr.span)?);
        if self.is_then(scope, operand)? && !matches!(expr.ty, Type::Number) {
            // A line as it was stays so; everything else is as it is.
            if let (ExprKind::SideOf(_), true) = (&expr.kind, self.is_then(scope, id)?) {
                return self.expr(scope, operand);
            }
        }
        let value = self.expr(scope, operand)?;
        let length = match from {
            Type::Side | Type::MaybeSide => self.layout.procedure.sides.len(),
            Type::Unit(_) | Type::MaybeUnit(_) => self.length,
            _ => return self.refuse(expr.span, "this"),
        };
        let key = self.first_alike(id, operand);
        let (rust, by) = match to {
            Held::Units => (
                format!("[Set; {length}]"),
                format!("fill.sets_of_each::<{length}>({key}).map(|set| set as Set)"),
            ),
            Held::One => (format!("[i8; {length}]"), format!("fill.of_each({key})")),
            _ => return self.refuse(expr.span, "this"),
        };
        let array = self.filled(hint, &rust, by);
        let at = match from {
            Type::Side | Type::MaybeSide => format!("({value}) as usize"),
            _ => format!("({value}) as usize & {}", length - 1),
        };
        Ok(match to {
            Held::Units => format!("{array}[{at}]"),
            _ => format!("i32::from({array}[{at}])"),
        })
    }

    /// The first expression of the program that asks the same of the same: so that there is one array for all of them.
    fn first_alike(&self, id: ExprId, operand: ExprId) -> String {
        let program = self.program;
        let (mine, from) = (&program[id], program[operand].ty);
        let alike = |at: &usize| {
            let other = &program.exprs[*at];
            if other.ty != mine.ty {
                return false;
            }
            let of = match (&other.kind, &mine.kind) {
                (ExprKind::Enemy(of), ExprKind::Enemy(_))
                | (ExprKind::SideOf(of), ExprKind::SideOf(_))
                | (ExprKind::NumberOf(of), ExprKind::NumberOf(_)) => *of,
                (ExprKind::UnitsOf(a, of), ExprKind::UnitsOf(b, _)) if a == b => *of,
                (ExprKind::Convert(a, of), ExprKind::Convert(b, _)) if a == b => *of,
                _ => return false,
            };
            program[of].ty == from
        };
        let first = (0..program.exprs.len()).find(alike);
        format!("ExprId({})", first.unwrap_or(id.at()))
    }

    /// An element of a list of units, or of a line.
    pub(super) fn element(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        list: ExprId,
        number: ExprId,
    ) -> Out<String> {
        let span = self.program[id].span;
        if let ExprKind::Convert(Conversion::Members, line) = &self.program[list].kind
            && matches!(self.program[*line].ty, Type::Unit(_))
        {
            let line = self.expr(scope, *line)?;
            let number = self.expr(scope, number)?;
            let lengths = format!("[i32; {}]", self.length);
            let lengths = self.filled("lengths", &lengths, "fill.lengths()".into());
            let wrong = self.trouble(
                "format!(\"there is no unit {n} in this line\")".into(),
                span,
            );
            let (a, b, mask) = (self.name(), self.name(), self.length - 1);
            return Ok(format!(
                "{{ let {a} = {line}; let {b} = {number}; if {b} < 1 || {b} > {lengths}[{a} as usize & {mask}] {{ w.note({wrong}, {b}); 0 }} else {{ {a} + {b} }} }}"
            ));
        }
        let set = self.expr(scope, list)?;
        let number = self.expr(scope, number)?;
        let wrong = self.trouble(
            "format!(\"there is no unit {n} in this list\")".into(),
            span,
        );
        let (a, b, c) = (self.name(), self.name(), self.name());
        Ok(format!(
            "{{ let mut {a} = {set}; let {b} = {number}; let mut {c} = {b}; while {c} > 1 && {a} != 0 {{ {a} &= {a} - 1; {c} -= 1; }} if {c} == 1 && {a} != 0 {{ {a}.trailing_zeros() as i32 }} else {{ w.note({wrong}, {b}); 0 }} }}"
        ))
    }

    /// A list of units one by one.
    pub(super) fn unit_list(&mut self, scope: &mut Scope<'p>, units: &[ExprId]) -> Out<String> {
        let mut text = String::from("{ let mut all: Set = 0; ");
        for &id in units {
            let value = self.expr(scope, id)?;
            let _ = match self.program[id].ty {
                Type::Units(_) => write!(text, "all |= {value}; "),
                _ => {
                    let name = self.name();
                    write!(
                        text,
                        "let {name} = {value}; if {name} >= 0 {{ all |= 1 << ({name} as u32 & {}); }} ",
                        self.length - 1
                    )
                }
            };
        }
        text.push_str("all }");
        Ok(text)
    }
}
