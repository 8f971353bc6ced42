//! An answer with everything needed to print it, and its CSV form.

use crate::dist::Distribution;
use crate::rules::{RuleError, Settings};

/// A question and its answer.
#[derive(Debug, Clone)]
pub struct OddsReport {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// Every setting.
    pub settings: Settings,
    /// The answer.
    pub odds: Distribution,
    /// Remarks.
    pub notes: Vec<String>,
    /// Whether to show the way phase by phase.
    pub stages: bool,
    /// Whether to show every row.
    pub joint: bool,
}

/// One CSV table: values of all variables, or the stages, or the joint rows.
///
/// # Errors
/// If both stages and joint rows are asked for: a CSV file is one table.
pub fn odds_csv(report: &OddsReport) -> Result<String, RuleError> {
    match (report.stages, report.joint) {
        (true, true) => Err(RuleError::Other(
            "a CSV is one table: ask for --stages or --joint, not both (or use --format json)"
                .into(),
        )),
        (true, false) => Ok(stages_csv(report)),
        (false, true) => Ok(joint_csv(report)),
        (false, false) => Ok(values_csv(report)),
    }
}

fn values_csv(report: &OddsReport) -> String {
    let mut out = String::from("variable,value,p,low,high\n");
    for marginal in report.odds.marginals() {
        for value in marginal.values() {
            let (low, high) = marginal.interval(value.p).unwrap_or((value.p, value.p));
            let name = &marginal.variable().name;
            out += &format!(
                "{},{},{},{low},{high}\n",
                quoted(name),
                quoted(&value.label),
                value.p
            );
        }
    }
    out
}

fn stages_csv(report: &OddsReport) -> String {
    let headline = &report.odds.variables()[0].name;
    let mut out = format!("phase,{},p,goes_on\n", quoted(headline));
    for stage in report.odds.stages() {
        for (label, p) in &stage.ended {
            let phase = quoted(&stage.phase);
            out += &format!("{phase},{},{p},{}\n", quoted(label), stage.goes_on);
        }
        if stage.ended.is_empty() {
            out += &format!("{},,0,{}\n", quoted(&stage.phase), stage.goes_on);
        }
    }
    out
}

fn joint_csv(report: &OddsReport) -> String {
    let variables = report.odds.variables();
    let names: Vec<String> = variables.iter().map(|v| quoted(&v.name)).collect();
    let mut out = format!("{},p\n", names.join(","));
    for (row, p) in report.odds.joint() {
        for (variable, value) in variables.iter().zip(row) {
            out += &quoted(&variable.label(value));
            out.push(',');
        }
        out += &format!("{p}\n");
    }
    out
}

/// A cell of a CSV file.
pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
