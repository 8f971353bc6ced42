//! `docs/coverage.md` says what the sources print and what is played of it: counted again, and every name looked up.

use crate::files::{below, of_the_project};
use std::collections::BTreeSet;

/// What a row may say of its mechanism, in the order of the columns that count them.
const STATUSES: [&str; 4] = ["whole", "partly", "not", "not printed"];

/// A table cell says it shortly.
const LONGEST_CELL: usize = 160;

fn file(name: &str) -> String {
    let path = of_the_project(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The list, its summary before the first heading and a part for each ruleset.
struct List {
    summary: Vec<Vec<String>>,
    rulesets: Vec<(String, Vec<Vec<String>>)>,
}

/// The cells of a line of a table, without the heading and the ruler below it.
fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<String> = inner
        .split('|')
        .map(|cell| cell.trim().to_owned())
        .collect();
    let is_no_row = cells[0].starts_with("---") || cells[0] == "ruleset" || cells[0] == "mechanism";
    (!is_no_row).then_some(cells)
}

fn list() -> List {
    let text = file("docs/coverage.md");
    let mut list = List {
        summary: Vec::new(),
        rulesets: Vec::new(),
    };
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            list.rulesets.push((name.to_owned(), Vec::new()));
        } else if let Some(row) = cells(line) {
            match list.rulesets.last_mut() {
                Some((_, rows)) => rows.push(row),
                None => list.summary.push(row),
            }
        }
    }
    assert_eq!(list.rulesets.len(), 5, "the rulesets of docs/coverage.md");
    list
}

/// The status a cell begins with, and what it says after the colon.
fn status(played: &str) -> Option<(usize, &str)> {
    let (word, why) = played.split_once(": ").unwrap_or((played, ""));
    let known = STATUSES.iter().position(|known| *known == word)?;
    Some((known, why))
}

/// How many rows there are of each status.
fn counts(rows: &[Vec<String>]) -> [usize; 4] {
    let mut counts = [0; 4];
    for row in rows {
        let (status, _) = status(&row[2]).unwrap_or_else(|| panic!("{row:?}"));
        counts[status] += 1;
    }
    counts
}

/// What stands between backticks.
fn names(by: &str) -> impl Iterator<Item = &str> {
    by.split('`').skip(1).step_by(2)
}

#[test]
fn every_row_says_how_much_is_played_what_is_missing_and_what_plays_it() {
    let mut wrong = Vec::new();
    for (rules, rows) in list().rulesets {
        assert!(!rows.is_empty(), "{rules} has no rows");
        for row in rows {
            let [mechanism, place, played, by] = row.as_slice() else {
                wrong.push(format!("{rules}: not four cells: {row:?}"));
                continue;
            };
            let mut problem = |what: &str| wrong.push(format!("{rules}: {mechanism}: {what}"));
            if mechanism.is_empty() || place.is_empty() {
                problem("no mechanism, or no place of it");
            }
            if row.iter().any(|cell| cell.chars().count() > LONGEST_CELL) {
                problem("a cell is too long");
            }
            if by.matches('`').count() % 2 == 1 {
                problem("a backtick stands alone");
            }
            match status(played).map(|(known, why)| (STATUSES[known], why)) {
                None => problem(&format!("`{played}` is none of {STATUSES:?}")),
                Some(("partly" | "not", "")) => problem("what is missing is not said"),
                Some(("whole" | "not printed", why)) if !why.is_empty() => {
                    problem("something is missing that is whole or not printed");
                }
                Some(("whole" | "partly", _)) if names(by).next().is_none() => {
                    problem("nothing is named that plays it");
                }
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "docs/coverage.md: {wrong:#?}");
}

#[test]
fn the_summary_counts_the_rows() {
    let list = list();
    let mut all = [0; 5];
    let mut expected = Vec::new();
    let line = |name: &str, counts: [usize; 5]| -> Vec<String> {
        let counts = counts.iter().map(usize::to_string);
        std::iter::once(name.to_owned()).chain(counts).collect()
    };
    for (rules, rows) in &list.rulesets {
        let [whole, partly, not, not_printed] = counts(rows);
        let these = [rows.len(), whole, partly, not, not_printed];
        for (sum, count) in all.iter_mut().zip(these) {
            *sum += count;
        }
        expected.push(line(rules.as_str(), these));
    }
    expected.push(line("all", all));
    assert_eq!(
        list.summary, expected,
        "left: the summary of docs/coverage.md; right: its rows"
    );
}

#[test]
fn the_readme_has_the_same_counts() {
    let rows: Vec<Vec<String>> = list()
        .rulesets
        .into_iter()
        .flat_map(|(_, rows)| rows)
        .collect();
    let [whole, partly, not, _] = counts(&rows);
    let printed = whole + partly + not;
    let sentence = format!(
        "Of {printed} mechanisms that the five sources print, {whole} are played whole and {partly} in part"
    );
    // However it is wrapped.
    let readme = file("README.md");
    let readme: Vec<&str> = readme.split_whitespace().collect();
    assert!(
        readme.join(" ").contains(&sentence),
        "README.md does not say: {sentence}"
    );
}

/// The words of a ruleset's text and of the texts that rulesets share, without comments, readings and examples: what
/// is only talked about is not there.
fn words_of(rules: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for folder in [rules, "standard"] {
        let folder = of_the_project("crates/grapeshot-rules/rules").join(folder);
        for (path, bytes) in below(&folder) {
            let is_text = path.extension().is_some_and(|end| end == "drill");
            if !is_text || path.ends_with("examples.drill") {
                continue;
            }
            let text = String::from_utf8(bytes).expect("a text");
            for line in text.lines().filter(|line| !line.starts_with("reading ")) {
                let code = line.split('#').next().unwrap_or_default();
                let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
                words.extend(code.split(ends).map(str::to_owned));
            }
        }
    }
    words
}

#[test]
fn whatever_is_said_to_play_a_mechanism_is_in_the_text_of_its_ruleset() {
    let mut unknown = Vec::new();
    for (rules, rows) in list().rulesets {
        let words = words_of(&rules);
        assert!(words.contains("procedure"), "{rules} has no text");
        for row in &rows {
            let [mechanism, _, _, by] = row.as_slice() else {
                panic!("not four cells: {row:?}");
            };
            for name in names(by).filter(|name| !words.contains(*name)) {
                unknown.push(format!("{rules}: {mechanism}: `{name}`"));
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "docs/coverage.md names what is not there: {unknown:#?}"
    );
}
