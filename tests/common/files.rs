//! Files: those of the project, and what a run left in a folder.
#![allow(dead_code, reason = "no executable of the tests needs all of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file or folder of the project, wherever the test runs.
pub fn of_the_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The folder of an example ruleset, as it is typed.
pub fn example(name: &str) -> String {
    of_the_project("examples/rules")
        .join(name)
        .display()
        .to_string()
}

/// Every file below a folder, by its path there, with what is in it.
pub fn below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).expect("below it").to_owned();
                    found.insert(name, std::fs::read(&path).expect("a file"));
                }
            }
        }
    }
    found
}
