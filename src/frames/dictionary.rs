//! What the columns of the tables mean: a page beside them, made from the schema.

use super::keys::order;
use grapeshot_engine::dist::VariableKind;
use grapeshot_study::Results;
use polars::prelude::DataFrame;
use std::fmt::Write;

/// Columns that every table may have, beside keys and what is reported.
const COMMON: [(&str, &str); 24] = [
    ("study", "the study: the name of its file"),
    (
        "ruleset",
        "the ruleset; of a common fight, the one that plays it",
    ),
    ("procedure", "the procedure that was asked"),
    (
        "method",
        "exact: solved over every roll of the dice; simulate: counted in trials",
    ),
    ("trials", "trials of the cell; empty where it was solved"),
    ("seed", "the seed of the trials; empty where it was solved"),
    ("count", "trials that ended so; empty where it was solved"),
    ("p", "probability, 0 to 1"),
    (
        "low",
        "low end of the 95 % interval; p itself where it was solved",
    ),
    (
        "high",
        "high end of the 95 % interval; p itself where it was solved",
    ),
    ("variable", "what is reported; see below"),
    ("value", "a value of it, as text"),
    ("mean", "mean of the number"),
    (
        "se",
        "standard error of the mean; empty where it was solved",
    ),
    ("sd", "standard deviation of the number"),
    ("q05", "so much or less in 5 of 100"),
    ("q25", "so much or less in 25 of 100"),
    ("q50", "the median"),
    ("q75", "so much or less in 75 of 100"),
    ("q95", "so much or less in 95 of 100"),
    ("reason", "why the rules refuse the cell"),
    ("exact", "p as solved"),
    ("simulated", "p as counted"),
    ("z", "standard errors between the two"),
];

/// What one file holds.
const LEVELS: [(&str, &str); 5] = [
    (
        "outcomes",
        "a row for each distinct outcome of a cell; p adds up to 1 in a cell",
    ),
    (
        "summary",
        "a row for each value of each variable of a cell; p adds up to 1 for each variable of a cell. \
                 The variables of a cell stand one under another: they are no joint distribution",
    ),
    ("means", "a row for each number that a cell reports"),
    (
        "agreement",
        "a row for each variable of a cell that was solved and simulated: where the two differ most",
    ),
    ("skipped", "a row for each cell that the rules refuse"),
];

/// The page, for tables by the names of their files.
pub fn dictionary(results: &Results, tables: &[(&str, &DataFrame)]) -> String {
    let experiment = &results.experiment;
    let mut page = format!(
        "# Data of `{}`\n\n{}\n\n{}\n\nFound by: {}. A cell is one place of the sweep.\n",
        experiment.id,
        experiment.title,
        experiment.question,
        results.method_text()
    );
    for (name, frame) in tables {
        let level = LEVELS.iter().find(|(known, _)| known == name);
        let level = level.map_or("", |(_, level)| level);
        let _ = write!(
            page,
            "\n## `{name}`\n\n{level}.\n\n| column | type | meaning |\n|---|---|---|\n"
        );
        for column in frame.columns() {
            let name = column.name().as_str();
            let meaning = meaning(results, name).replace('|', "\\|");
            let _ = writeln!(page, "| `{name}` | {} | {meaning} |", column.dtype());
        }
    }
    page += "\n## What is reported\n\n| variable | kind | meaning |\n|---|---|---|\n";
    for variable in &results.variables {
        let kind = match &variable.kind {
            VariableKind::Category(labels) => format!("words, in order: {}", labels.join(", ")),
            VariableKind::Number(_) => "a number".into(),
            VariableKind::Count | VariableKind::CountFrom(_) => "a whole number".into(),
        };
        let _ = writeln!(
            page,
            "| `{}` | {kind} | {} |",
            variable.name, variable.meaning
        );
    }
    page
}

fn meaning(results: &Results, column: &str) -> String {
    let ordered = |text: String| match order(results, column) {
        Some(words) => format!("{text}; in order: {}", words.join(", ")),
        None => text,
    };
    if let Some(key) = results.keys.iter().find(|setting| setting.key == column) {
        let source = match key.source.as_str() {
            "" => String::new(),
            source => format!(" ({source})"),
        };
        let held = match results.held.iter().any(|(held, _)| held == column) {
            true => "; held",
            false => "",
        };
        return ordered(format!("{}{source}{held}", key.meaning));
    }
    if let Some((_, meaning)) = COMMON.iter().find(|(known, _)| *known == column) {
        return (*meaning).to_owned();
    }
    let name = column.strip_suffix("_reported").unwrap_or(column);
    let reported = results.variables.iter().find(|v| v.name == name);
    ordered(reported.map_or(String::new(), |v| v.meaning.clone()))
}
