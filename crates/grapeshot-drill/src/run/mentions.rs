//! What a procedure could read, whatever its settings: from its text alone, without asking anything.

use super::Rules;
use crate::program::{
    CellId, CellPlace, ExprId, ExprKind, KeyDefault, ModifiersId, Procedure, Program, TableId,
    TextId,
};
use rustc_hash::FxHashSet;

/// What is still to be looked at, and what was found.
struct Search<'p> {
    program: &'p Program,
    texts: FxHashSet<TextId>,
    lists: FxHashSet<ModifiersId>,
    tables: FxHashSet<TableId>,
    cells: FxHashSet<CellId>,
}

impl Search<'_> {
    fn expression(&mut self, id: ExprId) {
        let program = self.program;
        program.expressions(id, &mut |id| self.alone(id));
    }

    fn alone(&mut self, id: ExprId) {
        match &self.program[id].kind {
            ExprKind::Cell(cell) => {
                self.cells.insert(*cell);
            }
            ExprKind::Lookup { table, .. }
            | ExprKind::BandPlace { table, .. }
            | ExprKind::PlaceOf(table, ..)
            | ExprKind::Held(table, ..) => {
                self.tables.insert(*table);
            }
            ExprKind::Call(text, _) if self.texts.insert(*text) => {
                let program = self.program;
                program.expressions_of_text(&program[*text], &mut |id| self.alone(id));
            }
            ExprKind::Modifiers { list, .. } if self.lists.insert(*list) => {
                let program = self.program;
                self.tables.extend(program[*list].from);
                program.expressions_of_modifiers(&program[*list], &mut |id| self.alone(id));
            }
            _ => {}
        }
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let program = self.program;
        program.expressions_of_procedure(procedure, &mut |id| self.alone(id));
        // What something begins as may be asked of a key, and the faces of a die may stand in cells.
        let vars = program.vars.iter().map(|var| &var.default);
        let fields = program.fields.iter().map(|field| &field.default);
        for formula in vars.chain(fields).flatten() {
            self.expression(formula.value);
        }
        for key in &procedure.keys {
            if let KeyDefault::Formula(formula) = &key.default {
                self.expression(formula.value);
            }
        }
        let dice = program.dice.iter();
        self.cells.extend(dice.flat_map(|die| &die.from_cells));
    }
}

impl Rules {
    /// The cells that a procedure could read: that of this name which somebody decides, or which nobody does. What is not
    /// among them no question of it reads.
    pub fn mentions(&self, procedure: &str, decided: bool) -> Vec<CellPlace> {
        let program = self.program();
        let Some(id) = program.procedure(procedure, decided) else {
            return Vec::new();
        };
        let mut search = Search {
            program,
            texts: FxHashSet::default(),
            lists: FxHashSet::default(),
            tables: FxHashSet::default(),
            cells: FxHashSet::default(),
        };
        search.procedure(&program[id]);
        for table in search.tables {
            let of = &program[table];
            let count = of.rows.labels.len() * of.columns.labels.len();
            let first = of.first_cell.0;
            search
                .cells
                .extend((first..first + count as u32).map(CellId));
        }
        let mut cells: Vec<CellId> = search.cells.into_iter().collect();
        cells.sort_unstable_by_key(|cell| cell.0);
        cells
            .into_iter()
            .map(|cell| program.place_of(cell))
            .collect()
    }
}
