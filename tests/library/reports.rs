//! The committed reports are what the program makes.

use crate::files::{below, of_the_project};
use grapeshot::publish::section_files;
use grapeshot_engine::engine::Watch;
use grapeshot_study::run::Prepared;
use grapeshot_study::{BUNDLED, Overrides, VARIANTS, bundled, bundled_variant, run};
use rayon::prelude::*;
use std::collections::BTreeMap;

#[test]
fn every_committed_chart_and_summary_is_what_the_bundled_experiments_make() {
    let reports = of_the_project("reports");
    let wrong: Vec<String> = bundled()
        .unwrap()
        .into_par_iter()
        .flat_map_iter(|experiment| {
            let prepared =
                Prepared::new(experiment, Overrides::default(), bundled_variant).unwrap();
            let results = run(&prepared, &Watch::default()).unwrap().unwrap();
            let folder = reports.join(&prepared.experiment().id);
            section_files(&results)
                .unwrap()
                .into_iter()
                .filter(|file| file.name.ends_with(".svg") || file.name == "summary.csv")
                .filter(|file| {
                    std::fs::read(folder.join(&file.name)).ok().as_ref() != Some(&file.bytes)
                })
                .map(|file| folder.join(file.name).display().to_string())
                .collect::<Vec<_>>()
        })
        .collect();
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
    let (variants, studies): (Files, Files) =
        files.partition(|(path, _)| path.starts_with("variants/"));
    let bundled = BUNDLED.iter().map(|study| {
        let path = study.file.strip_prefix("experiments/").expect("its folder");
        assert!(path.ends_with(&format!("/{}.toml", study.id)), "{path}");
        (path.to_owned(), study.text.to_owned())
    });
    assert_eq!(studies, bundled.collect());
    let bundled = VARIANTS.iter().map(|(path, text)| {
        let path = path.strip_prefix("../").expect("beside the studies");
        (path.to_owned(), (*text).to_owned())
    });
    assert_eq!(variants, bundled.collect());
}
