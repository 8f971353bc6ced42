//! Texts to read: the project's own, and those of the folder that `DRILL_TEXTS` names, if it is set.

#[allow(dead_code)]
pub mod oracle;

use std::path::{Path, PathBuf};

#[allow(dead_code)]
/// All texts, with the names messages give them.
pub fn texts() -> Vec<(String, String)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut paths = Vec::new();
    collect(&own, &mut paths);
    collect(&own.join("../../grapeshot-rules/rules"), &mut paths);
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

#[allow(dead_code)]
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

/// A printed ruleset of the project, checked.
#[allow(dead_code)]
pub fn ruleset(id: &str) -> grapeshot_drill::program::Program {
    edited_ruleset(id, &|text| text)
}

/// The same with its text changed first.
#[allow(dead_code)]
pub fn edited_ruleset(
    id: &str,
    edit: &dyn Fn(String) -> String,
) -> grapeshot_drill::program::Program {
    let own = |path: String| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::read_to_string(&path).expect("a file of the project")
    };
    let text = edit(own(format!("../grapeshot-rules/rules/{id}/{id}.drill")));
    let tables = own(format!("../grapeshot-rules/rules/{id}/tables.toml"));
    let name = format!("{id}.drill");
    let mut texts = vec![(name.as_str(), text.as_str())];
    let examples = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../grapeshot-rules/rules/{id}/examples.drill"));
    let examples = std::fs::read_to_string(examples).ok();
    if let Some(examples) = &examples {
        texts.push(("examples.drill", examples));
    }
    let files = grapeshot_drill::load::Files {
        texts,
        tables: Some(("tables.toml", &tables)),
        variants: Vec::new(),
    };
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../grapeshot-rules/rules");
    let used = |name: &str| {
        let folders = [id, "standard"].into_iter();
        let mut files = folders.map(|folder| rules.join(folder).join(format!("{name}.drill")));
        files.find_map(|file| std::fs::read_to_string(file).ok())
    };
    let loaded = grapeshot_drill::load::load(&files, &used);
    let shown = loaded.shown();
    loaded.program.unwrap_or_else(|| panic!("{shown}"))
}
