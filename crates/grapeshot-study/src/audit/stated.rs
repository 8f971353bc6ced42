//! Contradictions and gaps: what was found by reading, kept as data with the tables.
//!
//! An entry may name the `key` of the value that is followed and what the text says instead
//! (`text_says`): a variant that makes the two agree settles it. Any entry may be settled by
//! `settled = true`. A question (`procedure`, `given`, `of`) makes the evidence a computed number,
//! and a number of 0 settles the entry too; so does the same number under other settings (`against`).

use super::declared::texts;
use super::finding::{
    Finding, FindingKind, Severity, number, odds_command, page_command, tables_command,
};
use super::probe::{Worth, pairs};
use super::situations::Given;
use grapeshot_rules::{Entries, LoadedRuleset, RuleError};
use std::collections::BTreeMap;
use toml::Value;

#[derive(Debug)]
struct Entry {
    text: String,
    source: String,
    key: Option<String>,
    chart: Option<Value>,
    text_says: Option<Value>,
    settled: bool,
    /// Whether any answer depends on it.
    matters: bool,
    procedure: Option<String>,
    of: Option<String>,
    given: BTreeMap<String, String>,
    against: Option<BTreeMap<String, String>>,
}

impl Entry {
    fn read(mut entry: Entries<'_>) -> Self {
        let read = Entry {
            text: entry.needed("text"),
            source: entry.needed("source"),
            key: entry.maybe("key"),
            chart: entry.maybe("chart"),
            text_says: entry.maybe("text_says"),
            settled: entry.maybe("settled").unwrap_or_default(),
            matters: entry.maybe("matters").unwrap_or(true),
            procedure: entry.maybe("procedure"),
            of: entry.maybe("of"),
            given: texts(&mut entry, "given"),
            against: entry.has("against").then(|| texts(&mut entry, "against")),
        };
        entry.finish();
        read
    }
}

pub(super) fn stated(loaded: &LoadedRuleset) -> Result<Vec<Finding>, RuleError> {
    let problems = loaded.tables.problems();
    let mut all = Vec::new();
    for (section, kind) in [
        ("contradictions", FindingKind::Contradiction),
        ("gaps", FindingKind::Gap),
    ] {
        let entries = loaded.tables.entries(section, &problems);
        for (name, entry) in entries.into_iter().flat_map(|mut all| all.each()) {
            all.push((format!("{section}.{name}"), kind, Entry::read(entry)));
        }
    }
    let all = problems.or(all)?;
    let found = all
        .iter()
        .map(|(path, kind, entry)| finding(loaded, *kind, path, entry));
    Ok(found
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect())
}

fn finding(
    loaded: &LoadedRuleset,
    kind: FindingKind,
    path: &str,
    entry: &Entry,
) -> Result<Option<Finding>, RuleError> {
    let value = match &entry.key {
        None => None,
        Some(key) => Some(lookup(loaded, key).ok_or_else(|| {
            let problem = format!("names `{key}`, which is not a key of the tables");
            loaded.tables.problem(format!("{path}.key"), problem)
        })?),
    };
    let agree = match (&value, &entry.text_says) {
        (Some(Value::Array(cells)), Some(says)) => {
            cells.iter().all(|cell| plain(cell) == plain(says))
        }
        (Some(value), Some(says)) => plain(value) == plain(says),
        _ => false,
    };
    if entry.settled || agree {
        return Ok(None);
    }
    let mut evidence = Vec::new();
    if let (Some(key), Some(value)) = (&entry.key, &value)
        && !matches!(value, Value::Table(_))
    {
        evidence.push(format!("{key} = {}", plain(value)));
    }
    if let Some(chart) = &entry.chart {
        evidence.push(format!("one place says {}", plain(chart)));
    }
    if let Some(says) = &entry.text_says {
        evidence.push(format!("the other {}", plain(says)));
    }
    let printed = ["tables.", "lists."];
    let in_tables = |key: &String| printed.iter().any(|part| key.starts_with(part));
    let mut commands = vec![match &entry.key {
        Some(key) if in_tables(key) => tables_command(loaded),
        _ => page_command(loaded),
    }];
    if let (Some(procedure), Some(of)) = (&entry.procedure, &entry.of) {
        let measure = Worth::new(loaded, procedure, std::slice::from_ref(of))?;
        let worth = |given: &Given| measure.of(given);
        let given = pairs(&entry.given);
        let other = entry.against.as_ref().map(pairs);
        let Some(one) = worth(&given)? else {
            return Ok(None);
        };
        // Nothing to see: it cannot happen, or it makes no difference which place is right.
        let against = other.as_ref().map(&worth).transpose()?.flatten();
        if against.unwrap_or(0.0) == one {
            return Ok(None);
        }
        evidence.push(format!("{of} = {}", number(one)));
        commands.push(odds_command(loaded, procedure, &given));
        if let (Some(other), Some(worth)) = (&other, against) {
            let settings: Vec<String> = other.iter().map(|(k, v)| format!("{k}={v}")).collect();
            evidence.push(format!("{} with {}", number(worth), settings.join(" ")));
            commands.push(odds_command(loaded, procedure, other));
        }
    }
    if evidence.is_empty() {
        evidence.push(match kind {
            FindingKind::Gap => "by reading: the places named say no more".into(),
            _ => "by reading: the places named say both".into(),
        });
    }
    Ok(Some(Finding {
        severity: match (kind, entry.chart.is_some() && entry.text_says.is_some()) {
            _ if !entry.matters => Severity::Note,
            (FindingKind::Contradiction, true) => Severity::Error,
            (FindingKind::Contradiction, false) => Severity::Warning,
            _ => Severity::Note,
        },
        kind,
        place: entry.key.clone().unwrap_or_else(|| path.to_owned()),
        source: entry.source.clone(),
        evidence: evidence.join("; "),
        sentence: entry.text.clone(),
        commands,
    }))
}

fn lookup(loaded: &LoadedRuleset, key: &str) -> Option<Value> {
    let (parent, last) = key.rsplit_once('.')?;
    loaded.tables.section(parent)?.get(last).cloned()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(cells) => cells.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
