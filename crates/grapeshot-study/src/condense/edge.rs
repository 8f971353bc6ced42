//! The edges of a chart.

use super::ChartEdge;
use crate::pivot::two_keys;
use crate::workbench::Workbench;
use grapeshot_rules::{RuleError, SettingKind};

/// What stands down the side and along the top: words, flags or rising whole numbers.
pub(super) fn edges(
    workbench: &Workbench<'_>,
    rows: Option<&str>,
    columns: Option<&str>,
) -> Result<[ChartEdge; 2], RuleError> {
    let edges = two_keys(workbench, rows, columns)?;
    for (key, values) in &edges {
        match &workbench.procedure.setting(key)?.kind {
            SettingKind::Flag | SettingKind::Choice(_) => {}
            SettingKind::Whole { .. } => {
                let numbers: Vec<f64> = values.iter().filter_map(|value| value.number()).collect();
                if numbers.windows(2).any(|pair| pair[0] >= pair[1]) {
                    let problem =
                        format!("the values of `{key}` must rise, as lines of a chart do");
                    return Err(RuleError::Other(problem));
                }
            }
            _ => {
                let problem = format!(
                    "`{key}` cannot be a line of a chart: allowed are words, flags and whole numbers"
                );
                return Err(RuleError::Other(problem));
            }
        }
    }
    Ok(edges.map(|(key, values)| ChartEdge { key, values }))
}
