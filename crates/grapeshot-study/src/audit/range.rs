//! Range: a factor printed beyond a weapon's greatest range, or none within it; and cells of a
//! weapon table that are neither a number nor its word for nothing.

use super::cells::number;
use super::declared::{Declared, RangeRule};
use super::finding::{Finding, FindingKind, Severity, odds_command, tables_command};
use grapeshot_rules::{Grid, LoadedRuleset, RuleError};

pub(super) fn ranges(
    loaded: &LoadedRuleset,
    declared: &Declared,
) -> Result<Vec<Finding>, RuleError> {
    let mut found = Vec::new();
    for (name, rule) in &declared.ranges {
        let grid = loaded.tables.grid(name)?;
        let column = |wanted: &str| {
            let at = grid.columns.iter().position(|known| known == wanted);
            at.ok_or_else(|| {
                let what = format!("column of {name} in [audit.ranges.{name}]");
                RuleError::unknown(what, wanted, &grid.columns)
            })
        };
        let max_at = column(&rule.max)?;
        rule.over.as_deref().map(column).transpose()?;
        for (weapon, cells) in &grid.rows {
            let Some(max) = number(&cells[max_at]) else {
                continue;
            };
            let check = Check {
                loaded,
                rule,
                grid: &grid,
                weapon,
                max,
            };
            found.extend(check.bands(cells));
            found.extend(check.odd_cells(cells));
        }
    }
    Ok(found)
}

struct Check<'a> {
    loaded: &'a LoadedRuleset,
    rule: &'a RangeRule,
    grid: &'a Grid,
    weapon: &'a str,
    max: f64,
}

impl Check<'_> {
    fn bands(&self, cells: &[String]) -> Vec<Finding> {
        let mut from = 0.0;
        let mut found = Vec::new();
        for (heading, cell) in self.grid.columns.iter().zip(cells) {
            if *heading == self.rule.max {
                continue;
            }
            let upto = number(heading).unwrap_or(f64::INFINITY);
            let factor = number(cell).unwrap_or(0.0);
            let max = self.max;
            if factor > 0.0 && from >= max {
                let tried = if upto.is_finite() { upto } else { from + 1.0 };
                found.push(self.finding(
                    heading,
                    format!("greatest range {max}; factor {cell} printed for ranges over {from}"),
                    format!(
                        "{} has a factor in the band {heading}, which lies wholly beyond its greatest range of {max}.",
                        self.weapon
                    ),
                    tried,
                ));
            }
            if factor == 0.0 && from < max {
                found.push(self.finding(
                    heading,
                    format!("greatest range {max}; factor {cell} printed for ranges from {} on", from + 1.0),
                    format!(
                        "{} has no factor in the band {heading}, though its greatest range is {max}.",
                        self.weapon
                    ),
                    upto.min(max),
                ));
            }
            from = upto;
        }
        found
    }

    fn finding(&self, band: &str, evidence: String, sentence: String, at: f64) -> Finding {
        let question = self
            .rule
            .try_at
            .replace("{row}", self.weapon)
            .replace("{range}", &at.to_string());
        let mut words = question.split_whitespace();
        let procedure = words.next().unwrap_or_default();
        let given: Vec<(String, String)> = words
            .filter_map(|word| word.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        Finding {
            severity: Severity::Error,
            kind: FindingKind::Range,
            place: format!("table {}, {}, column {band}", self.grid.name, self.weapon),
            source: self.grid.source.clone(),
            evidence,
            sentence,
            commands: vec![
                tables_command(self.loaded),
                odds_command(self.loaded, procedure, &given),
            ],
        }
    }

    fn odd_cells(&self, cells: &[String]) -> Vec<Finding> {
        let odd = self
            .grid
            .columns
            .iter()
            .zip(cells)
            .filter(|(_, cell)| number(cell).is_none() && **cell != self.rule.none);
        odd.map(|(heading, cell)| Finding {
            severity: Severity::Note,
            kind: FindingKind::Gap,
            place: format!("table {}, {}, column {heading}", self.grid.name, self.weapon),
            source: self.grid.source.clone(),
            evidence: format!("`{cell}` where the table prints {} for nothing", self.rule.none),
            sentence: format!(
                "{} has `{cell}` in the band {heading}, neither a factor nor {}; it is read as nothing.",
                self.weapon, self.rule.none
            ),
            commands: vec![tables_command(self.loaded)],
        })
        .collect()
    }
}
