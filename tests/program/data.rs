//! The tables of a study can be read by themselves.

use crate::program::Work;
use std::collections::BTreeMap;

const STUDY: &str = "title = \"t\"\nquestion = \"q\"\nrules = \"elephant\"\nprocedure = \"charge\"\nmethod = \"both\"\ntrials = 2000\nseed = 7\n\
                     [settings]\n\"defender.stands\" = 8\n\"attacker.uphill\" = true\n\
                     [sweep]\n\"attacker.grade\" = [\"elite\", \"poor\"]\n\"attacker.flank\" = [false, true]\n";

/// The rows of a table, each value under its heading.
fn table(work: &Work, file: &str) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(work.path().join("out/s").join(file)).expect(file);
    let mut lines = text
        .lines()
        .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let headings = lines.next().expect("headings");
    lines
        .map(|line| headings.iter().cloned().zip(line).collect())
        .collect()
}

/// What a column adds up to for every value of some others.
fn sums(rows: &[BTreeMap<String, String>], by: &[&str]) -> BTreeMap<Vec<String>, f64> {
    let mut sums = BTreeMap::new();
    for row in rows {
        let key = by.iter().map(|name| row[*name].clone()).collect();
        *sums.entry(key).or_insert(0.0) += row["p"].parse::<f64>().expect("p");
    }
    sums
}

#[test]
fn every_row_says_what_it_is_of_and_every_level_adds_up() {
    let work = Work::new().with("s.toml", STUDY);
    work.run("run s.toml --out out --quiet").good();
    let outcomes = table(&work, "outcomes.csv");
    for (key, value) in [
        ("study", "s"),
        ("ruleset", "elephant"),
        ("procedure", "charge"),
        ("defender.stands", "8"),
        ("attacker.uphill", "true"),
    ] {
        assert!(outcomes.iter().all(|row| row[key] == value), "{key}");
    }
    assert!(
        outcomes
            .iter()
            .all(|row| ["true", "false"].contains(&row["contact"].as_str()))
    );
    let seeds = |method: &str| {
        outcomes
            .iter()
            .filter(|row| row["method"] == method)
            .map(|row| row["seed"].clone())
            .next()
    };
    assert_eq!(
        (seeds("exact"), seeds("simulate")),
        (Some(String::new()), Some("7".to_owned()))
    );
    let cell = ["attacker.grade", "attacker.flank", "method"];
    for (cell, sum) in sums(&outcomes, &cell) {
        assert!((sum - 1.0).abs() < 1e-9, "{cell:?}: {sum}");
    }
    let summary = table(&work, "summary.csv");
    for (cell, sum) in sums(&summary, &[&cell[..], &["variable"]].concat()) {
        assert!((sum - 1.0).abs() < 1e-9, "{cell:?}: {sum}");
    }
    let means = table(&work, "means.csv");
    assert!(means.iter().all(|row| row["mean"].parse::<f64>().is_ok()));
    for file in ["outcomes", "summary", "means"] {
        let parquet = work.path().join(format!("out/s/{file}.parquet"));
        let bytes = std::fs::read(parquet).expect(file);
        let text = String::from_utf8_lossy(&bytes);
        for said in [
            "grapeshot.question",
            "grapeshot.order.attacker.grade",
            "militia",
        ] {
            assert!(text.contains(said), "{file} has no {said}");
        }
    }
    let dictionary =
        std::fs::read_to_string(work.path().join("out/s/data-dictionary.md")).expect("a page");
    for column in outcomes[0]
        .keys()
        .chain(summary[0].keys())
        .chain(means[0].keys())
    {
        assert!(dictionary.contains(&format!("| `{column}` |")), "{column}");
    }
    assert!(
        !dictionary.contains("|  |"),
        "every column has a meaning: {dictionary}"
    );
}
