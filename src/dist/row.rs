//! How a trial ends.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct End {
    /// The values of the variables.
    pub row: Row,
    /// The phase in which it ended; one past the last when time was up.
    pub phase: u8,
}
