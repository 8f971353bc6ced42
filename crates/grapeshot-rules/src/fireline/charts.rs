//! The tables with the odds of every roll they ask for, made once when the ruleset is loaded.

use super::morale::Checks;
use super::tables::{Effect, Tables};
use grapeshot_engine::dice::{Odds, Throw};

/// Everything a procedure looks up or rolls on.
#[derive(Debug)]
pub(super) struct Charts {
    pub(super) tables: Tables,
    pub(super) checks: Checks,
    /// The rows of the combat results, each plain and in brackets.
    results: Vec<[Odds<Effect>; 2]>,
}

impl Charts {
    pub(super) fn new(tables: Tables) -> Self {
        let odds = |effects: [Effect; 10]| {
            Odds::new(Throw::d10_from_zero(), move |die| effects[die as usize])
        };
        let rows = tables.lines.iter();
        let results = rows.map(|line| [odds(line.plain), odds(line.bracketed)]);
        Charts {
            results: results.collect(),
            checks: Checks::new(),
            tables,
        }
    }

    /// A row of the combat results.
    pub(super) fn results(&self, row: usize, bracketed: bool) -> &Odds<Effect> {
        &self.results[row][usize::from(bracketed)]
    }
}
