//! Dominated: a choice that is never better than another one, and sometimes worse.

use super::cells::effective;
use super::declared::Declared;
use super::finding::{Finding, FindingKind, Severity, number, tables_command};
use grapeshot_rules::{LoadedRuleset, RuleError};

pub(super) fn rivals(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for (name, rivals) in &declared.rivals {
        let grid = loaded.tables.grid(&rivals.grid)?;
        let range = declared.ranges.get(&rivals.grid);
        let mut rows = Vec::new();
        for choice in &rivals.among {
            let Some((label, cells)) = grid.rows.iter().find(|(label, _)| label == choice) else {
                let what = format!("row of {} in [audit.rivals.{name}]", rivals.grid);
                let known = grid.rows.iter().map(|(label, _)| label);
                return Err(RuleError::unknown(what, choice, known));
            };
            let worth: Vec<(&String, f64)> = grid
                .columns
                .iter()
                .zip(effective(&grid, cells, range))
                .filter(|(heading, _)| !rivals.skip.contains(heading))
                .map(|(heading, x)| (heading, if rivals.low { -x } else { x }))
                .collect();
            rows.push((label, worth));
        }
        let mut beaten = Vec::new();
        for (label, worth) in &rows {
            let beats = |other: &[(&String, f64)]| {
                let pairs = || worth.iter().zip(other);
                pairs().all(|(a, b)| b.1 >= a.1) && pairs().any(|(a, b)| b.1 > a.1)
            };
            let total = |row: &[(&String, f64)]| row.iter().map(|cell| cell.1).sum::<f64>();
            let masters = rows.iter().filter(|(_, other)| beats(other));
            let nearest = masters.min_by(|a, b| total(&a.1).total_cmp(&total(&b.1)));
            let Some((master, better)) = nearest else {
                continue;
            };
            let worse: Vec<String> = worth
                .iter()
                .zip(better)
                .filter(|(a, b)| b.1 > a.1)
                .map(|(a, b)| format!("{} {} to {}", a.0, number(a.1.abs()), number(b.1.abs())))
                .collect();
            beaten.push((*label, *master, worse.join(", ")));
        }
        if beaten.is_empty() {
            continue;
        }
        let pairs: Vec<String> = beaten
            .iter()
            .map(|(a, b, _)| format!("{a} than {b}"))
            .collect();
        let evidence = beaten
            .iter()
            .map(|(a, b, worse)| format!("{a} against {b}: {worse}"));
        found.push(Finding {
            severity: Severity::Note,
            kind: FindingKind::Dominated,
            place: format!("table {}, {}", grid.name, name.replace('_', " ")),
            source: grid.source.clone(),
            evidence: evidence.collect::<Vec<_>>().join("; "),
            sentence: format!(
                "Never better and somewhere worse, so that the table gives no reason to choose it: {}.",
                pairs.join(", ")
            ),
            commands: vec![tables_command(loaded)],
        });
    }
    Ok(found)
}
