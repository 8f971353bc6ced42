//! Texts to read: the project's own, and those of the folder that `DRILL_TEXTS` names, if it is set.

use std::path::{Path, PathBuf};

/// All texts, with the names messages give them.
pub fn texts() -> Vec<(String, String)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut paths = Vec::new();
    collect(&own, &mut paths);
    if let Some(folder) = std::env::var_os("DRILL_TEXTS") {
        collect(Path::new(&folder), &mut paths);
    }
    paths.sort();
    let read = |path: PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        (
            name,
            std::fs::read_to_string(&path).expect("a text can be read"),
        )
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "drill")
        {
            paths.push(path);
        }
    }
}
