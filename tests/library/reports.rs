//! The committed reports are what the program makes.

use crate::files::of_the_project;
use grapeshot::publish::section_files;
use grapeshot_engine::engine::Watch;
use grapeshot_study::run::Prepared;
use grapeshot_study::{Overrides, bundled, bundled_variant, run};
use rayon::prelude::*;

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

#[test]
fn every_experiment_file_is_bundled() {
    let folder = of_the_project("experiments");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let mut bundled: Vec<String> = bundled().unwrap().into_iter().map(|e| e.id).collect();
    bundled.sort();
    assert_eq!(files, bundled);
}
