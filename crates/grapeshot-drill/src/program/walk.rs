//! Walks over statements and expressions, for whoever asks about all of them.

use super::{
    Action, Block, Elements, Expr, ExprId, ExprKind, Index, ModifierName, Modifiers, Procedure,
    Program, Quantifier, ReportValue, Stmt, StmtKind, Target, Text, TextPart, Throw,
};

/// Calls back for every statement of a block, those within others after them.
pub fn statements<'p>(block: &'p Block, act: &mut dyn FnMut(&'p Stmt)) {
    for stmt in block {
        act(stmt);
        blocks(stmt, &mut |block| statements(block, act));
    }
}

/// The blocks within a statement.
pub fn blocks<'p>(stmt: &'p Stmt, act: &mut dyn FnMut(&'p Block)) {
    match &stmt.kind {
        StmtKind::If {
            branches,
            otherwise,
        } => {
            branches.iter().for_each(|(_, block)| act(block));
            act(otherwise);
        }
        StmtKind::Case {
            arms, otherwise, ..
        } => {
            arms.iter().for_each(|(_, block)| act(block));
            otherwise.iter().for_each(act);
        }
        StmtKind::For { body, .. }
        | StmtKind::Turns(_, body)
        | StmtKind::Repeat(_, body)
        | StmtKind::Stage(_, body) => act(body),
        StmtKind::Choose { actions, .. } => actions.iter().for_each(|action| act(&action.body)),
        StmtKind::WorkOff(_, arms) => arms.iter().for_each(|arm| act(&arm.body)),
        _ => {}
    }
}

/// The expressions that stand in a statement itself, not in its blocks.
pub fn of_statement(stmt: &Stmt, act: &mut dyn FnMut(ExprId)) {
    match &stmt.kind {
        StmtKind::Let(_, id)
        | StmtKind::Do(id)
        | StmtKind::Turns(id, _)
        | StmtKind::Repeat(id, _) => act(*id),
        StmtKind::Set { target, value, .. } => {
            act(*value);
            of_target(target, act);
        }
        StmtKind::If { branches, .. } => branches.iter().for_each(|(id, _)| act(*id)),
        StmtKind::Case { subject, arms, .. } => {
            subject.iter().for_each(|(_, id)| act(*id));
            arms.iter().for_each(|(id, _)| act(*id));
        }
        StmtKind::For {
            over, condition, ..
        } => {
            over.iter().for_each(|elements| of_elements(elements, act));
            condition.iter().for_each(|id| act(*id));
        }
        StmtKind::Stage(name, _) => of_parts(name, act),
        StmtKind::End(label) => label.iter().for_each(|label| of_parts(label, act)),
        StmtKind::Return(value) => value.iter().for_each(|id| act(*id)),
        StmtKind::Choose { who, actions } => {
            act(*who);
            for Action {
                label,
                over,
                condition,
                ..
            } in actions
            {
                of_parts(label, act);
                over.iter()
                    .for_each(|(_, elements)| of_elements(elements, act));
                condition.iter().for_each(|id| act(*id));
            }
        }
        StmtKind::Tell { text, .. } => of_parts(text, act),
        StmtKind::Add(id, target) | StmtKind::Remove(id, target) => {
            act(*id);
            of_target(target, act);
        }
        StmtKind::Put(_, _, values) => values.iter().for_each(|id| act(*id)),
        StmtKind::WorkOff(..) => {}
    }
}

fn of_target(target: &Target, act: &mut dyn FnMut(ExprId)) {
    if let Target::Field(unit, _) = target {
        act(*unit);
    }
}

fn of_elements(elements: &Elements, act: &mut dyn FnMut(ExprId)) {
    match elements {
        Elements::Up(a, b) | Elements::Down(a, b) => {
            act(*a);
            act(*b);
        }
        Elements::One(id) | Elements::Of(id) => act(*id),
    }
}

fn of_parts(parts: &[TextPart], act: &mut dyn FnMut(ExprId)) {
    for part in parts {
        if let TextPart::Value(id) = part {
            act(*id);
        }
    }
}

fn of_index(index: &Index, act: &mut dyn FnMut(ExprId)) {
    match index {
        Index::Fixed(_) => {}
        Index::Place(id)
        | Index::Number(id)
        | Index::Word(id, _)
        | Index::Mixed(id, _)
        | Index::Face(id) => act(*id),
        Index::Joined(id, word) => {
            act(*id);
            of_index(word, act);
        }
    }
}

/// The expressions directly within an expression.
pub fn within(expr: &Expr, act: &mut dyn FnMut(ExprId)) {
    match &expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::Var(_)
        | ExprKind::Side(_)
        | ExprKind::Turn
        | ExprKind::Report(_)
        | ExprKind::Favour(_)
        | ExprKind::Cell(_)
        | ExprKind::Given
        | ExprKind::Changed
        | ExprKind::Asked(_) => {}
        ExprKind::Field(id, _)
        | ExprKind::Start(id)
        | ExprKind::Enemy(id)
        | ExprKind::SideOf(id)
        | ExprKind::NumberOf(id)
        | ExprKind::UnitsOf(_, id)
        | ExprKind::RecordField(id, _)
        | ExprKind::Held(_, _, id)
        | ExprKind::Unary(_, id)
        | ExprKind::IsWord(id, _)
        | ExprKind::IsNumber(id)
        | ExprKind::IsNobody(id)
        | ExprKind::IsEmpty(id)
        | ExprKind::Rank(id)
        | ExprKind::OfRank(_, id)
        | ExprKind::Last(id)
        | ExprKind::Convert(_, id) => act(*id),
        ExprKind::Element(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Same(a, b)
        | ExprKind::IsIn(a, b)
        | ExprKind::NumberAt(a, b) => {
            act(*a);
            act(*b);
        }
        ExprKind::UnitList(all) | ExprKind::MakeRecord(_, all) | ExprKind::NumberList(all) => {
            all.iter().for_each(|id| act(*id));
        }
        ExprKind::Lookup {
            row,
            column,
            otherwise,
            ..
        } => {
            of_index(row, act);
            of_index(column, act);
            otherwise.iter().for_each(|id| act(*id));
        }
        ExprKind::BandPlace { row, number, .. } => {
            of_index(row, act);
            act(*number);
        }
        ExprKind::PlaceOf(_, _, index) => of_index(index, act),
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|id| act(*id)),
        ExprKind::Case {
            subject,
            arms,
            otherwise,
        } => {
            subject.iter().for_each(|(_, id)| act(*id));
            for (condition, value) in arms {
                act(*condition);
                act(*value);
            }
            otherwise.iter().for_each(|id| act(*id));
        }
        ExprKind::Call(_, arguments) | ExprKind::Modifiers { arguments, .. } => {
            arguments.iter().flatten().for_each(|id| act(*id));
        }
        ExprKind::Quantified {
            quantifier,
            list,
            condition,
            by,
            ..
        } => {
            if let Quantifier::HighestFew(few) | Quantifier::LowestFew(few) = quantifier {
                act(*few);
            }
            act(*list);
            condition.iter().chain(by).for_each(|id| act(*id));
        }
        ExprKind::Filter {
            list, condition, ..
        } => {
            act(*list);
            act(*condition);
        }
        ExprKind::Throw(throw) => match throw {
            Throw::Sum(id, _) | Throw::Chance(id) => act(*id),
            Throw::Count(a, b) | Throw::OfCell(a, b) => {
                act(*a);
                act(*b);
            }
            Throw::Best { keep, of, .. } => {
                act(*keep);
                act(*of);
            }
        },
        ExprKind::Take(id, target) => {
            act(*id);
            of_target(target, act);
        }
        ExprKind::Text(parts) | ExprKind::Spelled(_, parts) => of_parts(parts, act),
    }
}

impl Program {
    /// Calls back for an expression and all within it.
    pub fn expressions(&self, id: ExprId, act: &mut dyn FnMut(ExprId)) {
        act(id);
        within(&self[id], &mut |inner| self.expressions(inner, act));
    }

    /// Calls back for all expressions of a block.
    pub fn expressions_of(&self, block: &Block, act: &mut dyn FnMut(ExprId)) {
        statements(block, &mut |stmt| {
            of_statement(stmt, &mut |id| self.expressions(id, act));
        });
    }

    /// Calls back for all expressions of a define, roll or rule.
    pub fn expressions_of_text(&self, text: &Text, act: &mut dyn FnMut(ExprId)) {
        let defaults = text.defaults.iter().flatten();
        defaults.for_each(|id| self.expressions(*id, act));
        self.expressions_of(&text.body, act);
    }

    /// Calls back for all expressions of a list of modifiers.
    pub fn expressions_of_modifiers(&self, list: &Modifiers, act: &mut dyn FnMut(ExprId)) {
        let defaults = list.defaults.iter().flatten();
        defaults.for_each(|id| self.expressions(*id, act));
        for entry in &list.entries {
            if let ModifierName::Of(id) = entry.name {
                self.expressions(id, act);
            }
            let both = entry.condition.iter().chain([&entry.value]);
            both.for_each(|id| self.expressions(*id, act));
        }
    }

    /// Calls back for all expressions by which a procedure is played: its text, reports, and what a decision is about.
    pub fn expressions_of_procedure(&self, of: &Procedure, act: &mut dyn FnMut(ExprId)) {
        self.expressions_of(&of.body, act);
        for report in &of.reports {
            if let ReportValue::Value(formula) = &report.value {
                self.expressions(formula.value, act);
            }
        }
        for show in &of.shows {
            let both = show.when.iter().chain([&show.value]);
            both.for_each(|formula| self.expressions(formula.value, act));
        }
        of.worth
            .iter()
            .for_each(|formula| self.expressions(formula.value, act));
        for plan in &of.plans {
            let over = plan.over.iter().flat_map(|(from, to)| [from, to]);
            let first = plan.at_first.iter().map(|(_, formula)| formula);
            over.chain(first)
                .for_each(|formula| self.expressions(formula.value, act));
        }
    }
}
