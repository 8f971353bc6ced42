//! The pieces on the table: who belongs to whom, who is whose enemy.

use super::layout::{Layout, Piece};
use super::value::Numbers;
use crate::program::{Beside, Procedure, Program, Type};
use smallvec::smallvec;

type Found = Result<Numbers, String>;

/// The most units on the table.
pub const MOST_UNITS: usize = 64;

/// The pieces of a procedure. `count` says how many units a line or a side of several has.
pub fn pieces(
    program: &Program,
    procedure: &Procedure,
    count: &dyn Fn(usize) -> usize,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (at, side) in procedure.sides.iter().enumerate() {
        let (of, several) = match program[side.side].ty {
            Type::Unit(of) => (of, false),
            Type::Units(of) => (of, true),
            _ => continue,
        };
        let piece = |number, of, line, there| Piece {
            side: at,
            number,
            of,
            line,
            there,
        };
        let count = count(at) as u32;
        if several {
            pieces.extend((1..=count).map(|number| piece(number, of, None, true)));
            continue;
        }
        let line = pieces.len();
        pieces.push(piece(1, of, None, true));
        if let Some(members) = program[of].line {
            let numbers = 1..=members.most.max(count);
            pieces.extend(numbers.map(|n| piece(n, members.of, Some(line), n <= count)));
        }
    }
    pieces
}

impl Layout<'_> {
    /// The piece of a number.
    pub fn piece(&self, unit: i32) -> Result<&Piece, String> {
        let at = usize::try_from(unit).map_err(|_| "this is nobody")?;
        let known = self.pieces.get(at % self.pieces.len().max(1));
        known.ok_or_else(|| "this is no unit".to_owned())
    }

    /// The piece that a whole side is: its unit or line.
    fn piece_of_side(&self, side: usize, ty: Type) -> Option<usize> {
        let fits = |piece: &Piece| match ty {
            Type::Unit(of) | Type::MaybeUnit(of) => piece.of == of,
            _ => true,
        };
        let of_side = |piece: &Piece| piece.side == side && piece.line.is_none() && fits(piece);
        self.pieces.iter().position(of_side)
    }

    /// The unit or line that plays a side.
    pub fn unit_of_side(&self, side: i32) -> Result<i32, String> {
        let side = usize::try_from(side).map_err(|_| "this is nobody")?;
        let of_side = |piece: &Piece| piece.side == side && piece.line.is_none();
        let found = self.pieces.iter().position(of_side);
        found
            .map(|unit| unit as i32)
            .ok_or_else(|| "nobody plays this side".into())
    }

    fn side_number(&self, from: Type, parts: &[i32]) -> Result<usize, String> {
        match from {
            Type::Side | Type::MaybeSide => {
                usize::try_from(parts[0]).map_err(|_| "this is nobody".to_owned())
            }
            Type::Units(_) => {
                let first = parts.iter().position(|&there| there != 0);
                first
                    .map(|unit| self.pieces[unit].side)
                    .ok_or_else(|| "nobody is there".into())
            }
            _ => Ok(self.piece(parts[0])?.side),
        }
    }

    /// What plays a side, as a value of a type.
    pub fn as_side(&self, side: usize, to: Type) -> Found {
        match to {
            Type::Side | Type::MaybeSide => Ok(smallvec![side as i32]),
            Type::Units(_) => {
                let of_side = |piece: &Piece| {
                    i32::from(piece.side == side && piece.there && self.is_of(piece, to))
                };
                Ok(self.pieces.iter().map(of_side).collect())
            }
            _ => {
                let found = self.piece_of_side(side, to);
                found
                    .map(|unit| smallvec![unit as i32])
                    .ok_or_else(|| "nobody plays this side".into())
            }
        }
    }

    fn is_of(&self, piece: &Piece, list: Type) -> bool {
        match list {
            Type::Units(of) => piece.of == of,
            _ => true,
        }
    }

    /// What plays against it.
    pub fn enemy(&self, from: Type, parts: &[i32], to: Type) -> Found {
        match self.side_number(from, parts)? {
            side @ (0 | 1) => self.as_side(1 - side, to),
            side => Err(format!("`{}` has no enemy", self.side_name(side))),
        }
    }

    /// The side it belongs to.
    pub fn side_of(&self, from: Type, parts: &[i32], to: Type) -> Found {
        let side = self.side_number(from, parts)?;
        match (to, from) {
            (Type::Unit(_), Type::Unit(_)) => {
                let unit = parts[0];
                let line = self.piece(unit)?.line;
                Ok(smallvec![line.map_or(unit, |line| line as i32)])
            }
            _ => self.as_side(side, to),
        }
    }

    /// The units of a line that are there.
    pub fn members(&self, from: Type, parts: &[i32]) -> Found {
        if let Type::Units(_) = from {
            return Ok(parts.into());
        }
        let line =
            usize::try_from(parts[0]).map_err(|_| "this is nobody")? % self.pieces.len().max(1);
        Ok(self
            .pieces
            .iter()
            .map(|piece| i32::from(piece.line == Some(line) && piece.there))
            .collect())
    }

    /// A member of a line by its number, whether it is there or not.
    pub fn member(&self, line: i32, number: i32) -> Found {
        let pieces = self.pieces.len().max(1);
        let line = usize::try_from(line).map_err(|_| "this is nobody")?;
        let is_it = |piece: &Piece| {
            piece.line == Some(line % pieces) && i64::from(piece.number) == i64::from(number)
        };
        let found = self.pieces.iter().position(is_it);
        // Of a line as it was at the start, a member as it was at the start.
        let then = line / pieces * pieces;
        found
            .map(|unit| smallvec![(unit + then) as i32])
            .ok_or_else(|| format!("there is no unit {number} in this line"))
    }

    /// Units beside a unit.
    pub fn units_beside(&self, beside: Beside, unit: i32, to: Type) -> Found {
        let piece = self.piece(unit)?;
        let side = match beside {
            Beside::Line | Beside::Friends => piece.side,
            Beside::Enemies => 1 - piece.side.min(1),
        };
        let mut units = self.as_side(side, to)?;
        if beside == Beside::Friends
            && let Some(own) = units.get_mut(unit as usize % self.pieces.len().max(1))
        {
            *own = 0;
        }
        Ok(units)
    }
}
