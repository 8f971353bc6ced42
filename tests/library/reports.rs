//! The committed reports are what the program makes.

use crate::files::{below, of_the_project};
use grapeshot::publish::folder::OutFile;
use grapeshot::publish::{
    AuditChapter, SECTION, SHORT_PAGE, Section, chapters, contents_files, section_files,
};
use grapeshot_charts::Style;
use grapeshot_engine::engine::Watch;
use grapeshot_study::run::Prepared;
use grapeshot_study::{BUNDLED, Overrides, ROSTERS, VARIANTS, bundled, bundled_variant, run};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// Of what a report writes, what is committed: charts and pages.
fn is_kept(name: &str) -> bool {
    name.ends_with(".svg") || name == SHORT_PAGE
}

#[test]
fn every_committed_chart_and_page_is_what_the_bundled_experiments_make() {
    let reports = of_the_project("reports");
    let differs = |file: &OutFile, path: &Path| {
        let committed = std::fs::read(path).ok();
        committed.as_ref() != Some(&file.bytes)
    };
    let studies: Vec<(Section, Vec<String>)> = bundled()
        .unwrap()
        .into_par_iter()
        .map(|experiment| {
            let prepared =
                Prepared::new(experiment, Overrides::default(), bundled_variant).unwrap();
            let results = run(&prepared, &Watch::default()).unwrap().unwrap();
            let folder = reports.join(&prepared.experiment().id);
            let files = section_files(&results).unwrap();
            let section = files.iter().find(|file| file.name == SECTION).unwrap();
            let section = serde_json::from_slice(&section.bytes).unwrap();
            let kept = files.iter().filter(|file| is_kept(&file.name));
            let wrong = kept
                .map(|file| (file, folder.join(&file.name)))
                .filter(|(file, path)| differs(file, path));
            let wrong = wrong.map(|(_, path)| path.display().to_string());
            (section, wrong.collect())
        })
        .collect();
    let (sections, wrong): (Vec<Section>, Vec<Vec<String>>) = studies.into_iter().unzip();
    let mut wrong = wrong.concat();
    let chapters = chapters(AuditChapter::LeftOut, &[]).unwrap();
    for file in contents_files(&sections, &chapters, &Style::default()).unwrap() {
        let path = reports.join(&file.name);
        if differs(&file, &path) {
            wrong.push(path.display().to_string());
        }
    }
    assert!(
        wrong.is_empty(),
        "not what the program makes; run `cargo run --release -- report` and commit: {wrong:#?}"
    );
}

/// Files by their path below a folder, with their text.
type Files = BTreeMap<String, String>;

#[test]
fn every_experiment_file_is_bundled() {
    let files = below(&of_the_project("experiments"));
    let files = files.into_iter().filter_map(|(path, text)| {
        let is_study = path.extension().is_some_and(|ending| ending == "toml");
        let text = String::from_utf8(text).expect("text");
        is_study.then(|| (path.to_string_lossy().replace('\\', "/"), text))
    });
    let (variants, studies): (Files, Files) = files.partition(|(path, _)| {
        ["variants/", "rosters/"]
            .iter()
            .any(|folder| path.starts_with(folder))
    });
    let bundled = BUNDLED.iter().map(|study| {
        let path = study.file.strip_prefix("experiments/").expect("its folder");
        assert!(path.ends_with(&format!("/{}.toml", study.id)), "{path}");
        (path.to_owned(), study.text.to_owned())
    });
    assert_eq!(studies, bundled.collect());
    let bundled = VARIANTS.iter().chain(ROSTERS).map(|(path, text)| {
        let path = path.strip_prefix("../").expect("beside the studies");
        (path.to_owned(), (*text).to_owned())
    });
    assert_eq!(variants, bundled.collect());
}

#[test]
fn a_report_may_replace_what_is_committed_of_one() {
    let listed = std::fs::read_to_string(of_the_project("reports/.grapeshot")).unwrap();
    let listed: Vec<&str> = listed.lines().collect();
    let committed = below(&of_the_project("reports")).into_keys();
    let committed = committed.map(|path| path.to_str().unwrap().replace('\\', "/"));
    let theirs: Vec<String> = committed
        .filter(|name| name != ".grapeshot" && !listed.contains(&name.as_str()))
        .collect();
    assert!(
        theirs.is_empty(),
        "`cargo run --release -- report` would refuse to overwrite these: {theirs:#?}"
    );
}
