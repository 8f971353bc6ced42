//! How a trial ends.

use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};

/// The most variables a procedure can report.
pub const MOST_VARIABLES: usize = 8;

/// One finished trial: the value of each variable, in the procedure's order. A category is the
/// position of its label; a count is itself. Unused places are zero.
pub type Row = [u16; MOST_VARIABLES];

/// Makes a row from the values of the variables in order.
pub fn row(values: &[u16]) -> Row {
    let mut row = Row::default();
    row[..values.len()].copy_from_slice(values);
    row
}

/// A way in which a trial can end, before it is counted or weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "(Row, u8)", from = "(Row, u8)")]
pub struct End {
    /// The values of the variables.
    pub row: Row,
    /// The phase in which it ended; one past the last when time was up.
    pub phase: u8,
}

impl End {
    /// The row as one number, in the order of rows.
    pub(crate) fn number(&self) -> u128 {
        let row = self.row.iter();
        row.fold(0, |number, &value| number << 16 | u128::from(value))
    }
}

impl Hash for End {
    /// Two words and the phase, instead of one value after another.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let row = self.number();
        state.write_u64(row as u64);
        state.write_u64((row >> 64) as u64);
        state.write_u8(self.phase);
    }
}

impl From<End> for (Row, u8) {
    fn from(end: End) -> Self {
        (end.row, end.phase)
    }
}

impl From<(Row, u8)> for End {
    fn from((row, phase): (Row, u8)) -> Self {
        End { row, phase }
    }
}
