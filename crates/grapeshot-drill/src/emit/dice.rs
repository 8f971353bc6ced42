//! Dice.

use super::{Held, Out, Scope, Writer};
use crate::program::{BinaryOp, DieId, ExprId, ExprKind, Throw};
use crate::run::direct::MOST_ROLLS;
use crate::run::handful::{MOST_DICE, pooled};

impl<'p> Writer<'p> {
    fn die(&mut self, die: DieId) -> String {
        let name = self.program[die].name.to_string();
        self.filled(
            &format!("die_{name}"),
            "Arc<Handful>",
            format!("fill.die(DieId({}))", die.0),
        )
    }

    /// Dice fall once more.
    fn falls(&mut self, id: ExprId) -> String {
        let said = format!("a trial throws dice {MOST_ROLLS} times at most");
        let wrong = self.says(&said, self.program[id].span);
        format!("if !s.clock.falls() {{ w.note({wrong}, 0); }}")
    }

    fn too_many(&mut self, id: ExprId) -> usize {
        self.trouble(
            format!(
                "format!(\"{{n}} dice are too many to throw at once; {MOST_DICE} are the most\")"
            ),
            self.program[id].span,
        )
    }

    /// So many of a die, where the number stands in a name.
    fn sum_of(&mut self, id: ExprId, count: &str, die: &str) -> String {
        let many = self.too_many(id);
        let falls = self.falls(id);
        let sums = self.trouble("fill.no_sum(n)".into(), self.program[id].span);
        format!(
            "if {count} <= 0 {{ 0 }} else if {count} > {MOST_DICE} {{ w.note({many}, {count}); 0 }} else {{ {falls} match {die}.sum({count}) {{ Ok(odds) => odds.roll(d), Err(_) => {{ w.note({sums}, {count}); 0 }} }} }}"
        )
    }

    pub(super) fn throw(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        throw: &Throw,
    ) -> Out<String> {
        if let Some(face) = &scope.face {
            return Ok(face.clone());
        }
        let span = self.program[id].span;
        match throw {
            Throw::Sum(count, die) => {
                let die = self.die(*die);
                if let ExprKind::Literal(crate::program::Value::Number(1)) =
                    self.program[*count].kind
                {
                    let falls = self.falls(id);
                    return Ok(format!("{{ {falls} {die}.one().roll(d) }}"));
                }
                let count = self.expr(scope, *count)?;
                let name = self.name();
                let sum = self.sum_of(id, &name, &die);
                Ok(format!("{{ let {name} = {count}; {sum} }}"))
            }
            Throw::OfCell(count, cell) => {
                let (count, cell) = (self.expr(scope, *count)?, self.expr(scope, *cell)?);
                Ok(self.dice_in_cell(id, &count, &cell))
            }
            Throw::Count(count, condition) => self.count(scope, id, *count, *condition),
            Throw::Best { keep, of, die } => {
                let (keep, of) = (self.expr(scope, *keep)?, self.expr(scope, *of)?);
                let die = self.die(*die);
                let falls = self.falls(id);
                Ok(format!(
                    "{{ let keep = {keep}; let of = {of}; let mut hand: List<1> = List::default(); for _ in 0..i32::clamp(of, 0, {MOST_DICE}) {{ {falls} hand.push([{die}.one().roll(d)]); }} hand.few(keep, true) }}"
                ))
            }
            Throw::Chance(chance) => {
                if self.held(self.program[*chance].ty, span)? != Held::Parts(2) {
                    return self.refuse(span, "such a chance");
                }
                let chance = self.expr(scope, *chance)?;
                let falls = self.falls(id);
                let wrong = self.trouble("no_chance(n, m)".into(), span);
                let x = self.name();
                Ok(format!(
                    "{{ let {x} = {chance}; if {x}[0] < 0 || {x}[0] > {x}[1] {{ w.note_both({wrong}, {x}); false }} else if {x}[0] == 0 || {x}[0] == {x}[1] {{ {x}[0] != 0 }} else {{ {falls} s.chances.of({x}).roll(d) != 0 }} }}"
                ))
            }
        }
    }

    /// How many of so many throws a condition holds of.
    fn count(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        count: ExprId,
        condition: ExprId,
    ) -> Out<String> {
        let many = self.too_many(id);
        let count = self.expr(scope, count)?;
        let n = self.name();
        let Some((throw, die)) = pooled(self.program, condition) else {
            let condition = self.expr(scope, condition)?;
            let met = self.name();
            return Ok(format!(
                "{{ let {n} = {count}; let mut {met} = 0; if {n} > {MOST_DICE} {{ w.note({many}, {n}); }} else {{ for _ in 0..{n} {{ {met} += i32::from({condition}); }} }} {met} }}"
            ));
        };
        let good = self.good_faces(scope, condition, throw, die)?;
        let die = self.die(die);
        let falls = self.falls(id);
        let g = self.name();
        Ok(format!(
            "{{ let {n} = {count}; if {n} > {MOST_DICE} {{ w.note({many}, {n}); 0 }} else if {n} > 0 {{ let {g} = {good}; {falls} {die}.pool({g}, {n}).roll(d) }} else {{ 0 }} }}"
        ))
    }

    /// How many faces of a die a condition holds of.
    fn good_faces(
        &mut self,
        scope: &mut Scope<'p>,
        condition: ExprId,
        throw: ExprId,
        die: DieId,
    ) -> Out<String> {
        let program = self.program;
        let faces = &program[die].faces;
        let in_a_row = faces.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if let (true, ExprKind::Binary(op, a, b)) = (in_a_row, &program[condition].kind)
            && (*a == throw || *b == throw)
            && program[if *a == throw { *b } else { *a }].ty == crate::program::Type::Number
        {
            let (low, high) = (faces[0], faces[faces.len() - 1]);
            let other = self.expr(scope, if *a == throw { *b } else { *a })?;
            // As a comparison with the die on the left.
            let op = match (op, *a == throw) {
                (BinaryOp::Less, false) => BinaryOp::Greater,
                (BinaryOp::AtMost, false) => BinaryOp::AtLeast,
                (BinaryOp::Greater, false) => BinaryOp::Less,
                (BinaryOp::AtLeast, false) => BinaryOp::AtMost,
                (op, _) => *op,
            };
            let count = high - low + 1;
            match op {
                BinaryOp::AtLeast => {
                    return Ok(format!(
                        "i32::saturating_sub({high} + 1, {other}).clamp(0, {count})"
                    ));
                }
                BinaryOp::Greater => {
                    return Ok(format!(
                        "i32::saturating_sub({high}, {other}).clamp(0, {count})"
                    ));
                }
                BinaryOp::AtMost => {
                    return Ok(format!(
                        "i32::saturating_sub({other}, {low} - 1).clamp(0, {count})"
                    ));
                }
                BinaryOp::Less => {
                    return Ok(format!(
                        "i32::saturating_sub({other}, {low}).clamp(0, {count})"
                    ));
                }
                _ => {}
            }
        }
        let (face, good) = (self.name(), self.name());
        scope.face = Some(face.clone());
        let condition = self.expr(scope, condition);
        scope.face = None;
        let faces: Vec<String> = faces.iter().map(i64::to_string).collect();
        Ok(format!(
            "{{ let mut {good} = 0; for {face} in [{}] {{ {good} += i32::from({}); }} {good} }}",
            faces.join(", "),
            condition?
        ))
    }

    /// Dice of a cell are thrown.
    pub(super) fn dice_of_cell(
        &mut self,
        scope: &mut Scope<'p>,
        id: ExprId,
        of: ExprId,
    ) -> Out<String> {
        let value = self.expr(scope, of)?;
        Ok(self.dice_in_cell(id, "1", &value))
    }

    /// So many times what a cell says.
    fn dice_in_cell(&mut self, id: ExprId, times: &str, cell: &str) -> String {
        let all = self.filled(
            "dice_of_cells",
            "Vec<DiceOfCell>",
            "fill.dice_of_cells()".into(),
        );
        let none = self.says("these are no dice", self.program[id].span);
        let sum = self.sum_of(id, "many", "die");
        format!(
            "{{ let times = i32::clamp({times}, 0, {MOST_DICE}); let cell: i32 = {cell}; let mut total = 0; match usize::try_from(cell).ok().and_then(|at| {all}.get(at)) {{ Some(sum) => {{ total = times * sum.plus; for (count, die) in &sum.dice {{ let many = times * *count; total += {sum}; }} }} None => w.note({none}, 0), }} total }}"
        )
    }
}
