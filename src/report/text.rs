//! Answers for the terminal: bars, percentages, intervals, and what was assumed.

use super::OddsReport;
use crate::dist::{Marginal, Source};
use crate::wording::grouped;

const BAR: usize = 30;

/// Sums of probabilities fall this little short of one by rounding alone.
const CERTAIN: f64 = 1.0 - 1e-12;

/// A probability in per cent with one decimal; certain only when it is.
pub fn percent(p: f64) -> String {
    if p > 0.0 && p < 0.0005 {
        "<0.1 %".into()
    } else if p > 0.9995 && p < CERTAIN {
        ">99.9 %".into()
    } else {
        format!("{:.1} %", 100.0 * p)
    }
}

/// Lines up the cells of a table in columns; the first column to the left, the others to the right.
pub fn columns(rows: &[Vec<String>]) -> String {
    let width = |at: usize| {
        rows.iter()
            .filter_map(|row| row.get(at))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows.iter().map(Vec::len).max().unwrap_or(0))
        .map(width)
        .collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[at] - cell.chars().count());
            if at == 0 {
                line += &format!("{cell}{pad}");
            } else {
                line += &format!("  {pad}{cell}");
            }
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}

/// The answer as a person reads it.
pub fn odds_table(report: &OddsReport) -> String {
    let mut out = format!(
        "{} {}: {}\n",
        report.rules,
        report.procedure,
        method_line(report.odds.source())
    );
    if !report.variants.is_empty() {
        out += &format!("variants: {}\n", report.variants.join(", "));
    }
    for marginal in report.odds.marginals() {
        out.push('\n');
        out += &variable_block(&marginal);
    }
    if report.stages {
        out += &stages_block(report);
    }
    if report.joint {
        out += &joint_block(report);
    }
    out += &settings_block(report);
    for note in &report.notes {
        out += &format!("note: {note}\n");
    }
    out
}

fn method_line(source: Source) -> String {
    match source {
        Source::Exact => "exact, solved over every roll of the dice".into(),
        Source::Simulated { trials, seed } => format!(
            "simulated, {} trials, seed {seed}; ranges are 95 % intervals",
            grouped(trials)
        ),
    }
}

pub(super) fn variable_block(marginal: &Marginal) -> String {
    let variable = marginal.variable();
    let mut out = format!("{}: {}", variable.name, variable.meaning);
    let numeric = variable.is_numeric();
    if numeric {
        let error = marginal.standard_error().map_or(String::new(), |se| {
            format!(" ± {:.4}", crate::stats::Z95 * se)
        });
        out += &format!(
            "; mean {:.3}{error}, spread (sd) {:.3}",
            marginal.mean(),
            marginal.sd()
        );
    }
    out.push('\n');
    let mut values: Vec<_> = marginal.values().to_vec();
    if !numeric && values.len() > 2 {
        values.sort_by(|a, b| b.p.total_cmp(&a.p));
    }
    let mut rows = Vec::new();
    for value in &values {
        let label = if numeric {
            short(value.number)
        } else {
            value.label.clone()
        };
        let mut row = vec![format!("  {label}"), percent(value.p)];
        if let Some((low, high)) = marginal.interval(value.p) {
            row.push(format!("{:.2}–{:.2}", 100.0 * low, 100.0 * high));
        }
        if numeric && values.len() > 2 {
            row.push(format!(
                "{} or more: {}",
                short(value.number),
                percent(marginal.at_least(value.number))
            ));
        }
        rows.push(row);
    }
    let bars = values.iter().map(|value| bar(value.p));
    for (line, bar) in columns(&rows).lines().zip(bars) {
        out += &format!("{line}  {bar}");
        out = out.trim_end().to_owned();
        out.push('\n');
    }
    out
}

fn short(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number}")
    } else {
        format!("{number:.4}")
    }
}

fn bar(p: f64) -> String {
    let eighths = (p * (BAR * 8) as f64).round() as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}

fn stages_block(report: &OddsReport) -> String {
    let mut out = String::from("\nof 100 trials, phase by phase:\n");
    let mut rows = Vec::new();
    for stage in report.odds.stages() {
        let here = stage
            .ended
            .iter()
            .map(|(_, p)| p)
            .fold(0.0, |sum, p| sum + p);
        // A phase nobody ends in says nothing that the next one does not.
        if here == 0.0 {
            continue;
        }
        let how: Vec<String> = stage
            .ended
            .iter()
            .map(|(label, p)| format!("{label} {}", per_hundred(*p)))
            .collect();
        rows.push(vec![
            format!("  {}", stage.phase),
            format!("{} end", per_hundred(here)),
            format!("{} go on", per_hundred(stage.goes_on)),
            how.join(", "),
        ]);
    }
    // The last column is prose: to the left, unlike numbers.
    let prose: Vec<String> = rows
        .iter_mut()
        .map(|row| row.pop().unwrap_or_default())
        .collect();
    for (line, how) in columns(&rows).lines().zip(prose) {
        out += format!("{line}   {how}").trim_end();
        out.push('\n');
    }
    out
}

fn per_hundred(p: f64) -> String {
    if p > 0.0 && p < 0.0005 {
        "<0.1".into()
    } else {
        format!("{:.1}", 100.0 * p)
    }
}

fn joint_block(report: &OddsReport) -> String {
    let variables = report.odds.variables();
    let mut rows = vec![
        variables
            .iter()
            .map(|v| v.name.clone())
            .chain(["p".into()])
            .collect(),
    ];
    for (row, p) in report.odds.joint() {
        let cells = variables.iter().zip(row).map(|(v, value)| v.label(value));
        rows.push(cells.chain([percent(p)]).collect());
    }
    format!("\nevery distinct outcome:\n{}", columns(&rows))
}

pub(super) fn settings_block(report: &OddsReport) -> String {
    let line = |pairs: Vec<String>| wrap(&pairs.join(" "), 100, "  ");
    let given: Vec<String> = report
        .settings
        .given()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    let assumed: Vec<String> = report
        .settings
        .assumed()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    let mut out = String::new();
    if !given.is_empty() {
        out += &format!("\ngiven:\n{}", line(given));
    }
    if !assumed.is_empty() {
        out += &format!("\nassumed:\n{}", line(assumed));
    }
    out
}

/// Breaks text at spaces so that lines are at most `width` wide.
pub(super) fn wrap(text: &str, width: usize, indent: &str) -> String {
    let mut out = String::new();
    let mut line = String::from(indent);
    for word in text.split(' ') {
        if line.chars().count() + word.chars().count() + 1 > width && line.trim() != "" {
            out += line.trim_end();
            out.push('\n');
            line = String::from(indent);
        }
        line += word;
        line.push(' ');
    }
    out += line.trim_end();
    out.push('\n');
    out
}
