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
    let used = |name: &str| {
        let folder = [id, "standard"].map(|folder| {
            let path = format!("../grapeshot-rules/rules/{folder}/{name}.drill");
            Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
        });
        folder
            .iter()
            .find_map(|path| std::fs::read_to_string(path).ok())
    };
    let loaded = grapeshot_drill::load::load(&files, &used);
    let shown = loaded.shown();
    loaded.program.unwrap_or_else(|| panic!("{shown}"))
}

/// A text that is being ported, with the tables of the printed ruleset.
#[allow(dead_code)]
pub fn ported(id: &str) -> grapeshot_drill::program::Program {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = own.join("rules/ports");
    let name = format!("{id}.drill");
    let text = std::fs::read_to_string(folder.join(&name)).expect("a text that is ported");
    let of = |folder: &str| own.join(format!("../grapeshot-rules/{folder}/{id}/tables.toml"));
    let (text_of, rust_of) = (of("rules"), of("src"));
    let tables = if text_of.exists() { text_of } else { rust_of };
    let tables = std::fs::read_to_string(tables).expect("printed tables");
    let files = grapeshot_drill::load::Files {
        texts: vec![(&name, &text)],
        tables: Some(("tables.toml", &tables)),
        variants: Vec::new(),
    };
    let used = |name: &str| {
        let file = format!("{name}.drill");
        let standard =
            std::fs::read_to_string(own.join("../grapeshot-rules/rules/standard").join(&file));
        standard
            .or_else(|_| std::fs::read_to_string(folder.join(&file)))
            .ok()
    };
    let loaded = grapeshot_drill::load::load(&files, &used);
    let shown = loaded.shown();
    loaded.program.unwrap_or_else(|| panic!("{shown}"))
}
