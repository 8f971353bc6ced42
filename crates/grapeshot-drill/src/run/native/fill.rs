//! Fills the arrays of emitted code from a question whose table is set.

use super::Handful;
use crate::program::{
    CellId, DieId, ExprId, ExprKind, FieldId, Label, TableId, Type, UnitTypeId, Value, VarId,
    WordsId,
};
use crate::run::Direct;
use crate::run::layout::{Layout, Piece};
use crate::run::lower::label_of;
use crate::run::value::Numbers;
use smallvec::smallvec;
use std::cell::Cell;
use std::sync::Arc;

/// A part of a name, as emitted code says it.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    /// Letters.
    Letters(&'static str),
    /// A value, by the type it has and how many of it there are; what can be nobody is counted from there.
    Value(Type, usize),
}

/// Fills arrays; what cannot be filled is remembered, and the question is then played as it stands.
pub struct Filler<'a> {
    direct: &'a Direct,
    layout: Layout<'a>,
    missing: Cell<bool>,
}

/// The lowest value of a type that has a name: nobody, or what comes first.
pub(crate) fn lowest_named(ty: Type) -> i32 {
    match ty {
        Type::MaybeUnit(_) | Type::MaybeSide => -1,
        _ => 0,
    }
}

impl<'a> Filler<'a> {
    /// From this question.
    pub fn new(direct: &'a Direct) -> Self {
        Filler {
            direct,
            layout: direct.layout(),
            missing: Cell::new(false),
        }
    }

    /// Whether nothing was missing.
    pub fn done(&self) -> bool {
        !self.missing.get()
    }

    fn or_missing<T>(&self, value: Option<T>, instead: T) -> T {
        value.unwrap_or_else(|| {
            self.missing.set(true);
            instead
        })
    }

    fn small<T: TryFrom<i32> + Default>(&self, number: i32) -> T {
        self.or_missing(T::try_from(number).ok(), T::default())
    }

    /// The parts a field begins with, of every unit that has it.
    fn field_of(&self, field: FieldId) -> impl Iterator<Item = (usize, &'a [i32])> {
        let (direct, layout) = (self.direct, self.layout);
        let of = layout.program[field].of;
        let width = layout.width(layout.program[field].ty);
        let each = direct.pieces.iter().enumerate();
        let owned = each.filter(move |(_, piece)| piece.of == of);
        owned.filter_map(move |(unit, _)| {
            let (at, _) = direct.field_at(unit as i32, field)?;
            Some((unit, &direct.table[at..at + width]))
        })
    }

    /// A field of one part, of every unit.
    pub fn field<T: TryFrom<i32> + Default + Copy, const P: usize>(
        &self,
        field: FieldId,
    ) -> [T; P] {
        let mut all = [T::default(); P];
        for (unit, parts) in self.field_of(field) {
            if let Some(place) = all.get_mut(unit) {
                *place = self.small(parts[0]);
            }
        }
        all
    }

    /// A flag, of every unit: a bit for each.
    pub fn flags(&self, field: FieldId) -> u64 {
        let there = self.field_of(field).filter(|(_, parts)| parts[0] != 0);
        there.fold(0, |set, (unit, _)| set | 1 << unit)
    }

    /// A field of several parts, of every unit.
    pub fn parts<const W: usize, const P: usize>(&self, field: FieldId) -> [[i32; W]; P] {
        let mut all = [[0; W]; P];
        for (unit, parts) in self.field_of(field) {
            all[unit] = self.or_missing(parts[..].try_into().ok(), [0; W]);
        }
        all
    }

    /// A field that is a set, of every unit.
    pub fn sets<const P: usize>(&self, field: FieldId) -> [u64; P] {
        let mut all = [0; P];
        for (unit, parts) in self.field_of(field) {
            all[unit] = bits(parts);
        }
        all
    }

    fn var_parts(&self, var: VarId) -> &'a [i32] {
        let ty = self.layout.program[var].ty;
        match self.direct.vars[var.at()] {
            Some(at) => &self.direct.table[at..at + self.layout.width(ty)],
            None => &[],
        }
    }

    /// A variable of one part.
    pub fn var<T: TryFrom<i32> + Default>(&self, var: VarId) -> T {
        let first = self.var_parts(var).first().copied();
        self.small(self.or_missing(first, 0))
    }

    /// A variable of several parts.
    pub fn var_of<const W: usize>(&self, var: VarId) -> [i32; W] {
        self.or_missing(self.var_parts(var).try_into().ok(), [0; W])
    }

    /// A variable that is a set.
    pub fn var_set(&self, var: VarId) -> u64 {
        bits(self.var_parts(var))
    }

    fn laid(&self, value: &Value, ty: Type) -> Option<Numbers> {
        self.layout.parts(value, ty)
    }

    /// A cell, in one part.
    pub fn cell(&self, cell: CellId, ty: Type) -> i32 {
        let [one] = self.cell_of(cell, ty);
        one
    }

    /// A cell, in its parts.
    pub fn cell_of<const W: usize>(&self, cell: CellId, ty: Type) -> [i32; W] {
        let parts = self.laid(&self.layout.program[cell].value, ty);
        let parts = parts.and_then(|parts| parts[..].try_into().ok());
        self.or_missing(parts, [0; W])
    }

    /// A cell that is a set.
    pub fn cell_set(&self, cell: CellId, ty: Type) -> u64 {
        let parts = self.laid(&self.layout.program[cell].value, ty);
        bits(&self.or_missing(parts, Numbers::new()))
    }

    /// A value that stands in the text, in its parts.
    pub fn literal<const W: usize>(&self, expr: ExprId) -> [i32; W] {
        let expr = &self.layout.program[expr];
        let parts = match &expr.kind {
            ExprKind::Literal(value) => self.laid(value, expr.ty),
            _ => None,
        };
        let parts = parts.and_then(|parts| parts[..].try_into().ok());
        self.or_missing(parts, [0; W])
    }

    /// What is said of so many dice that have no sum.
    pub fn no_sum(&self, count: i32) -> String {
        crate::run::lower::too_many_sums(count)
    }

    /// What all cells of a table say, row by row; `holes` are cells that say nothing of this type.
    fn all_cells(&self, table: TableId, ty: Type, holes: bool) -> Vec<Option<Numbers>> {
        let of = &self.layout.program[table];
        let columns = of.columns.labels.len();
        let mut all = Vec::new();
        for row in 0..of.rows.labels.len() {
            for column in 0..columns {
                let (_, value) = self.layout.program.read_table(table, row, column);
                let parts = self.laid(value, ty);
                if parts.is_none() && !holes {
                    self.missing.set(true);
                }
                all.push(parts);
            }
        }
        all
    }

    /// The cells of a table, in one part.
    pub fn cells<const L: usize>(&self, table: TableId, ty: Type, holes: bool) -> [i32; L] {
        self.cells_of::<1, L>(table, ty, holes).map(|[one]| one)
    }

    /// The cells of a table, in their parts.
    pub fn cells_of<const W: usize, const L: usize>(
        &self,
        table: TableId,
        ty: Type,
        holes: bool,
    ) -> [[i32; W]; L] {
        let each = self.all_cells(table, ty, holes).into_iter();
        let each = each.map(|parts| match parts {
            Some(parts) => self.or_missing(parts[..].try_into().ok(), [0; W]),
            None => [0; W],
        });
        let all: Vec<[i32; W]> = each.collect();
        self.or_missing(all.try_into().ok(), [[0; W]; L])
    }

    /// The cells of a table, as sets.
    pub fn cell_sets<const L: usize>(&self, table: TableId, ty: Type, holes: bool) -> [u64; L] {
        let each = self.all_cells(table, ty, holes).into_iter();
        let all: Vec<u64> = each.map(|parts| bits(&parts.unwrap_or_default())).collect();
        self.or_missing(all.try_into().ok(), [0; L])
    }

    /// Of a table `by faces`: for each row and face, from the lowest on, the column; −1 where there is none.
    pub fn faces<const L: usize>(&self, table: TableId, lowest: i64) -> [i16; L] {
        let program = self.layout.program;
        let rows = program[table].rows.labels.len();
        let faces = L / rows.max(1);
        std::array::from_fn(|at| {
            let (row, face) = (at / faces.max(1), at % faces.max(1));
            let column = program.column_of_face(table, row, lowest + face as i64);
            column.map_or(-1, |column| column as i16)
        })
    }

    /// Of a table whose rows are bands: the highest number of each; below all, where a cell is no band.
    pub fn bands<const L: usize>(&self, table: TableId) -> [i64; L] {
        let program = self.layout.program;
        let columns = program[table].columns.labels.len();
        std::array::from_fn(|at| {
            match program.read_table(table, at / columns.max(1), at % columns.max(1)) {
                (_, Value::Band(band)) => band.high,
                _ => i64::MIN,
            }
        })
    }

    /// What an expression about a unit or a side is, for each that it can be about.
    fn about(&self, expr: ExprId) -> Vec<Option<Numbers>> {
        let (program, layout) = (self.layout.program, self.layout);
        let (operand, to) = match &program[expr].kind {
            ExprKind::Enemy(of)
            | ExprKind::SideOf(of)
            | ExprKind::NumberOf(of)
            | ExprKind::UnitsOf(_, of)
            | ExprKind::Convert(_, of) => (*of, program[expr].ty),
            ExprKind::Field(of, _) => (*of, Type::Unit(UnitTypeId(0))),
            _ => return Vec::new(),
        };
        let from = program[operand].ty;
        let asked = |one: i32| match (&program[expr].kind, from) {
            (ExprKind::Field(..), _) => layout.unit_of_side(one).map(|unit| smallvec![unit]),
            (ExprKind::Enemy(_), _) => layout.enemy(from, &[one], to),
            (ExprKind::SideOf(_), _) => layout.side_of(from, &[one], to),
            (ExprKind::NumberOf(_), _) => {
                let piece = layout.piece(one);
                piece.map(|piece| smallvec![piece.number.max(1) as i32])
            }
            (ExprKind::UnitsOf(beside, _), _) => layout.units_beside(*beside, one, to),
            (_, _) if matches!(to, Type::Units(_)) => layout.members(from, &[one]),
            _ => layout.side_of(from, &[one], Type::Side),
        };
        match from {
            Type::Side | Type::MaybeSide => {
                let sides = 0..layout.procedure.sides.len();
                sides.map(|side| asked(side as i32).ok()).collect()
            }
            Type::Unit(of) | Type::MaybeUnit(of) => {
                let pieces = layout.pieces.iter().enumerate();
                let mine = pieces.map(|(unit, piece)| match piece.of == of {
                    true => asked(unit as i32).ok(),
                    false => Some(smallvec![0; layout.width(to)]),
                });
                mine.collect()
            }
            _ => Vec::new(),
        }
    }

    /// What an expression is, for each unit or side it can be about.
    pub fn of_each<T: TryFrom<i32> + Default + Copy, const P: usize>(
        &self,
        expr: ExprId,
    ) -> [T; P] {
        let mut all = [T::default(); P];
        let about = self.about(expr);
        if about.is_empty() || about.len() > P {
            self.missing.set(true);
        }
        for (place, parts) in all.iter_mut().zip(about) {
            let parts = self.or_missing(parts, smallvec![0]);
            *place = self.small(parts[0]);
        }
        all
    }

    /// The same where it is a set.
    pub fn sets_of_each<const P: usize>(&self, expr: ExprId) -> [u64; P] {
        let mut all = [0; P];
        let about = self.about(expr);
        if about.is_empty() || about.len() > P {
            self.missing.set(true);
        }
        for (place, parts) in all.iter_mut().zip(about) {
            *place = bits(&self.or_missing(parts, Numbers::new()));
        }
        all
    }

    /// What plays a side of the procedure.
    pub fn side(&self, name: &str, ty: Type) -> Option<Numbers> {
        let mut sides = 0..self.layout.procedure.sides.len();
        let found = sides.find(|&at| self.layout.side_name(at) == name);
        let made = found.and_then(|at| self.layout.as_side(at, ty).ok());
        if made.is_none() {
            self.missing.set(true);
        }
        made
    }

    /// The unit or line that plays a side.
    pub fn side_unit(&self, name: &str, ty: Type) -> i32 {
        self.side(name, ty).map_or(0, |parts| parts[0])
    }

    /// The units that play a side.
    pub fn side_set(&self, name: &str, ty: Type) -> u64 {
        self.side(name, ty).map_or(0, |parts| bits(&parts))
    }

    /// The number of members of each line.
    pub fn lengths<const P: usize>(&self) -> [i32; P] {
        let mut all = [0; P];
        for piece in self.layout.pieces {
            if let Some(line) = piece.line {
                all[line] = all[line].max(piece.number as i32);
            }
        }
        all
    }

    /// The names that parts spell, the last changing fastest.
    fn names(&self, parts: &[Part]) -> Vec<String> {
        let mut names = vec![String::new()];
        for part in parts {
            let each: Vec<String> = match part {
                Part::Letters(letters) => vec![(*letters).to_owned()],
                Part::Value(ty, count) => {
                    let from = lowest_named(*ty);
                    let there = match ty {
                        Type::Unit(_) | Type::MaybeUnit(_) => self.layout.pieces.len() as i32,
                        _ => i32::MAX,
                    };
                    let each = (from..).take(*count);
                    each.map(|value| match value < there {
                        true => self.layout.letters(*ty, &[value]),
                        false => String::new(),
                    })
                    .collect()
                }
            };
            names = names
                .iter()
                .flat_map(|name| each.iter().map(move |part| format!("{name}{part}")))
                .collect();
        }
        names
    }

    fn array<T: Copy + Default, const L: usize>(&self, all: Vec<T>) -> [T; L] {
        self.or_missing(all.try_into().ok(), [T::default(); L])
    }

    /// The stages that names mean.
    pub fn stages<const L: usize>(&self, parts: &[Part]) -> [u8; L] {
        let phases = &self.direct.phases;
        let place = |name: &String| phases.iter().position(|phase| phase == name);
        let each = self.names(parts);
        self.array(
            each.iter()
                .map(|name| place(name).unwrap_or(0) as u8)
                .collect(),
        )
    }

    /// The outcomes that names mean; −1 where there is none.
    pub fn outcomes<const L: usize>(&self, parts: &[Part]) -> [i32; L] {
        let procedure = self.layout.procedure;
        let Some(at) = procedure.outcome else {
            return [0; L];
        };
        let report = &procedure.reports[at];
        let each = self.names(parts).into_iter().map(|name| {
            let same = report.same.iter().find(|(one, _)| **one == *name);
            let name = same.map_or(name.as_str(), |(_, other)| other);
            let is_it = |label: &Label| *label.text == *name;
            let at = report.labels.iter().position(is_it);
            at.map_or(-1, |at| at as i32)
        });
        self.array(each.collect())
    }

    /// The words that names mean; −1 where there is none.
    pub fn spelled<const L: usize>(&self, words: WordsId, parts: &[Part]) -> [i32; L] {
        let of = &self.layout.program[words];
        let each = self.names(parts).into_iter();
        self.array(
            each.map(|name| of.position(&name).map_or(-1, i32::from))
                .collect(),
        )
    }

    /// One of the names that parts spell, for a message.
    pub fn name(&self, parts: &[Part], at: i32) -> String {
        let mut names = self.names(parts);
        match usize::try_from(at) {
            Ok(at) if at < names.len() => names.swap_remove(at),
            _ => String::new(),
        }
    }

    /// The labels of a report, from the lowest value on; −1 where there is none.
    pub fn labels<const L: usize>(&self, report: usize, lowest: i32) -> [i32; L] {
        let of = &self.layout.procedure.reports[report];
        let units = self.layout.pieces.len() as i32;
        std::array::from_fn(|at| {
            let value = lowest + at as i32;
            let there = !matches!(of.ty, Type::Unit(_) | Type::MaybeUnit(_)) || value < units;
            let label = there.then(|| label_of(&self.layout, of, &[value]).ok());
            label.flatten().map_or(-1, |label| label as i32)
        })
    }

    /// What is said of a value that has no label.
    pub fn no_label(&self, report: usize, value: i32) -> String {
        let of = &self.layout.procedure.reports[report];
        match label_of(&self.layout, of, &[value]) {
            Err(text) => text,
            Ok(_) => String::new(),
        }
    }

    /// The units of a type that are on the table.
    pub fn there(&self, ty: Type) -> impl Iterator<Item = i32> + use<'a> {
        let pieces = self.layout.pieces.iter().enumerate();
        let of = move |piece: &Piece| match ty {
            Type::Unit(of) | Type::MaybeUnit(of) => piece.of == of,
            _ => true,
        };
        let there = pieces.filter(move |(_, piece)| piece.there && of(piece));
        there.map(|(unit, _)| unit as i32)
    }

    /// Units by what is asked of them: sets of those with the least, then of those with the next.
    pub fn levels<const P: usize>(&self, by: impl Fn(i32) -> i32) -> [u64; P] {
        let units = 0..self.layout.pieces.len() as i32;
        let mut all: Vec<(i32, i32)> = units.map(|unit| (by(unit), unit)).collect();
        all.sort_unstable();
        let mut levels = [0; P];
        let sets = all.chunk_by(|one, other| one.0 == other.0);
        for (level, set) in levels.iter_mut().zip(sets) {
            *level = set.iter().fold(0, |bits, (_, unit)| bits | 1 << unit);
        }
        levels
    }

    /// A die.
    pub fn die(&self, die: DieId) -> Arc<Handful> {
        Arc::clone(&self.direct.dice[die.at()])
    }

    /// All dice that stand in cells: what is added, and how many of which.
    pub fn dice_of_cells(&self) -> Vec<DiceOfCell> {
        let each = self.layout.shapes.dice.iter();
        each.map(|sum| DiceOfCell {
            plus: sum.plus as i32,
            dice: sum
                .dice
                .iter()
                .map(|&(count, die)| (count as i32, self.die(die)))
                .collect(),
        })
        .collect()
    }
}

/// Dice that stand in a cell.
#[derive(Debug)]
pub struct DiceOfCell {
    /// Added.
    pub plus: i32,
    /// How many of which.
    pub dice: Vec<(i32, Arc<Handful>)>,
}

/// A bit for each that is there.
fn bits(flags: &[i32]) -> u64 {
    let there = flags.iter().take(64).enumerate();
    there.fold(0, |set, (at, &flag)| set | u64::from(flag != 0) << at)
}
