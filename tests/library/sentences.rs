//! One number is printed in one way, and what a sentence says is what the answer says.

use grapeshot::render::glance;
use grapeshot_engine::dist::{Favour, Quantity};
use grapeshot_engine::engine::Watch;
use grapeshot_engine::stats::{fixed, hundredth};
use grapeshot_rules::{Options, Question, find};
use grapeshot_study::run::Prepared;
use grapeshot_study::{
    FindingSpec, Overrides, Results, StudyMethod, bundled, bundled_variant, findings, run, sheet,
};
use rayon::prelude::*;

const RULESETS: [&str; 5] = ["elephant", "gbacw", "acw28", "impact", "fireline"];

/// The numbers of a text, in their order; a minus of either kind is part of one.
fn numbers(text: &str) -> Vec<String> {
    let plain = text.replace('−', "-");
    let number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit() && c != '-');
        word.parse::<f64>().is_ok().then(|| word.to_owned())
    };
    let words = plain.split(|c: char| c.is_whitespace() || c == '(');
    words.filter_map(number).collect()
}

#[test]
fn every_number_of_every_sheet_is_the_nearest_to_its_answer() {
    let mut seen = 0;
    for id in RULESETS {
        let Ok(loaded) = find(id).and_then(|ruleset| ruleset.load(&[])) else {
            continue;
        };
        let Ok(sheet) = sheet::sheet(&loaded, Options::exact()) else {
            continue;
        };
        for table in &sheet.tables {
            let scale = if table.pivot.is_percent() { 100.0 } else { 1.0 };
            for cell in table.pivot.cells.iter().flatten().flatten() {
                let wanted = fixed(scale * cell.exact.value, table.pivot.decimals as usize);
                let printed = cell.printed.replace('−', "-");
                let is_hint = printed.starts_with(['<', '>']);
                assert!(
                    is_hint || printed == wanted,
                    "{id} {}: {cell:?}",
                    table.title
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 300, "only {seen} numbers");
}

#[test]
fn a_sentence_of_a_hundred_has_no_more_than_a_hundred_and_the_headline_is_rounded_by_itself() {
    let mut told = 0;
    for id in RULESETS {
        let Ok(loaded) = find(id).and_then(|ruleset| ruleset.load(&[])) else {
            continue;
        };
        for procedure in &loaded.procedures {
            let Ok(question) = Question::new(id, &procedure.name) else {
                continue;
            };
            let Ok(answered) = question.ask(&Options::exact()) else {
                continue;
            };
            let sentence = glance(&procedure.name, &answered.odds).sentence;
            let Some(success) = Quantity::Favoured(Favour::Success).of(&answered.odds) else {
                continue;
            };
            // A volley is told by what it does.
            if *procedure.name == *"fire" {
                assert!(
                    sentence.contains(" on average") || sentence.contains("always"),
                    "{id}: {sentence}"
                );
                continue;
            }
            let (all, rest) = sentence.split_once(" of 100 such ").expect("of a hundred");
            let headline = numbers(all).first().map_or(0, |n| n.parse().unwrap());
            let named = all.ends_with(char::is_numeric);
            let exact = hundredth(success.value);
            assert!(
                !named || headline == exact || all.contains("than"),
                "{id}: {sentence}"
            );
            let parts: usize = numbers(rest)
                .iter()
                .map(|n| n.parse::<usize>().unwrap())
                .sum();
            assert!(
                headline + parts <= 101 - usize::from(!sentence.contains("fewer")),
                "{id} {}: {sentence}",
                procedure.name
            );
            told += 1;
        }
    }
    assert!(told > 15, "only {told} sentences");
}

/// The least and the most that a finding speaks of, as they are written.
fn ends(results: &Results, finding: &FindingSpec, share: bool) -> (String, String) {
    let quantity = results.quantity(&finding.of).unwrap();
    let cells = results
        .cells
        .iter()
        .filter(|cell| cell.is_at(&finding.only));
    let values = cells.filter_map(|cell| {
        let answers = cell.answers.as_ref().ok()?;
        Some(quantity.of(answers.best())?.value)
    });
    let values: Vec<f64> = values.collect();
    let write = |x: f64| match share {
        true => fixed(100.0 * x, 1),
        false => fixed(x, 2),
    };
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    (write(least), write(most))
}

#[test]
fn every_finding_of_a_bundled_study_tells_the_least_and_the_most_of_its_answers() {
    let few = Overrides {
        method: Some(StudyMethod::Simulate),
        trials: Some(1000),
        ..Overrides::default()
    };
    let told: usize = bundled()
        .unwrap()
        .into_par_iter()
        .map(|study| {
            let prepared = Prepared::new(study, few.clone(), bundled_variant).unwrap();
            let mut results = run(&prepared, &Watch::default()).unwrap().unwrap();
            let all = std::mem::take(&mut results.experiment.findings);
            let mut told = 0;
            for finding in all.into_iter().filter(|finding| finding.each.is_none()) {
                results.experiment.findings = vec![finding.clone()];
                let said = findings(&results).unwrap().concat();
                let Some((_, rest)) = said.split_once(" runs from ") else {
                    continue;
                };
                let (low, rest) = rest.split_once(" (").unwrap();
                let (_, high) = rest.split_once(") to ").unwrap();
                let share = low.contains('%');
                let (least, most) = ends(&results, &finding, share);
                assert_eq!(numbers(low).first(), Some(&least), "{said}");
                assert_eq!(numbers(high).first(), Some(&most), "{said}");
                told += 1;
            }
            told
        })
        .sum();
    assert!(told > 30, "only {told} findings");
}
