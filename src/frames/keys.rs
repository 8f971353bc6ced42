//! What every row of a table says of itself: its study, ruleset, procedure, what was held and what was swept, and how
//! it was found. A table can be read without its folder.

use grapeshot_engine::dist::{Distribution, Source};
use grapeshot_rules::{SettingKind, Value};
use grapeshot_study::{CellResult, Results};
use polars::prelude::*;

/// The column of the ruleset; a common fight is of the ruleset that plays it.
pub(super) const RULESET: &str = "ruleset";

/// The key that is swept where a study is of several rulesets.
const RULES: &str = "rules";

/// Rows of a table in the making: the cell each belongs to, and how it was answered.
pub(super) struct Rows<'a> {
    results: &'a Results,
    cells: Vec<&'a CellResult>,
    sources: Vec<Source>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(results: &'a Results) -> Self {
        Rows {
            results,
            cells: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// A row about a cell as a whole.
    pub(super) fn cell(&mut self, cell: &'a CellResult) {
        self.cells.push(cell);
    }

    /// A row about one answer of a cell.
    pub(super) fn answer(&mut self, cell: &'a CellResult, odds: &Distribution) {
        self.cells.push(cell);
        self.sources.push(odds.source());
    }

    /// What identifies a row, its other columns, and how much was tried for it.
    pub(super) fn frame(self, others: Vec<Column>) -> PolarsResult<DataFrame> {
        let count = self.cells.len();
        let experiment = &self.results.experiment;
        let same = |name: &str, text: &str| Column::new(name.into(), vec![text; count]);
        let mut columns = vec![same("study", &experiment.id)];
        if !experiment.swept().contains(&RULESET) {
            let rules = |cell: &&CellResult| {
                let swept = cell.at(RULES).map(ToString::to_string);
                swept.unwrap_or_else(|| experiment.rules[0].clone())
            };
            let rules: Vec<String> = self.cells.iter().map(rules).collect();
            columns.push(Column::new(RULESET.into(), rules));
        }
        columns.push(same("procedure", &experiment.procedure));
        for (key, value) in &self.results.held {
            columns.push(column(key, value, count, |_| Some(value)));
        }
        let first = self.results.cells.first();
        for (key, kind) in first.map_or(&[][..], |cell| &cell.place) {
            columns.push(column(key, kind, count, |at| self.cells[at].at(key)));
        }
        let answered = !self.sources.is_empty();
        if answered {
            let methods: Vec<&str> = self.sources.iter().map(|source| source.method()).collect();
            columns.push(Column::new("method".into(), methods));
        }
        columns.extend(others);
        if answered {
            let trials: Vec<Option<u64>> = self.sources.iter().map(|s| s.trials()).collect();
            let seeds: Vec<Option<u64>> = self.sources.iter().map(|s| s.seed()).collect();
            columns.push(Column::new("trials".into(), trials));
            columns.push(Column::new("seed".into(), seeds));
        }
        DataFrame::new(count, columns)
    }
}

/// A key as a column of its kind; a list of units is text.
fn column<'v>(
    key: &str,
    kind: &Value,
    count: usize,
    at: impl Fn(usize) -> Option<&'v Value>,
) -> Column {
    let name: PlSmallStr = key.into();
    let values = (0..count).map(at);
    match kind {
        Value::Flag(_) => {
            let flags = values.map(|value| match value {
                Some(Value::Flag(flag)) => Some(*flag),
                _ => None,
            });
            Column::new(name, flags.collect::<Vec<_>>())
        }
        Value::Whole(_) => {
            let whole = values.map(|value| match value {
                Some(Value::Whole(n)) => Some(*n),
                _ => None,
            });
            Column::new(name, whole.collect::<Vec<_>>())
        }
        Value::Real(_) => {
            let reals = values.map(|value| value.and_then(Value::number));
            Column::new(name, reals.collect::<Vec<_>>())
        }
        Value::Choice(_) => {
            let words = values.map(|value| value.map(ToString::to_string));
            Column::new(name, words.collect::<Vec<_>>())
        }
    }
}

/// The words of a column in their natural order, where it has words: of a key, or of what is reported.
pub(super) fn order(results: &Results, column: &str) -> Option<Vec<String>> {
    use grapeshot_engine::dist::VariableKind;
    let key = results.keys.iter().find(|setting| setting.key == column);
    if let Some(SettingKind::Choice(labels)) = key.map(|setting| &setting.kind) {
        return Some(labels.iter().map(ToString::to_string).collect());
    }
    let reported = results.variables.iter().find(|v| v.name == column)?;
    match &reported.kind {
        VariableKind::Category(labels) if !is_flag(labels) => Some(labels.clone()),
        _ => None,
    }
}

/// Whether the words of a variable are no and yes.
pub(super) fn is_flag(labels: &[String]) -> bool {
    matches!(labels, [no, yes] if no == "no" && yes == "yes")
}
