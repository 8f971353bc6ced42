//! One direction: every part of the program uses those below it, and none above.

use std::path::{Path, PathBuf};

/// The parts, the lowest first.
const LAYERS: [&str; 15] = [
    "wording", "parallel", "stats", "dice", "dist", "engine", "rules", "study", "charts", "frames",
    "pictures", "render", "publish", "serve", "cli",
];

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|known| *known == name)
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}

/// The parts that a line of code names: `crate::dist::…`, `crate::{dist, engine}` is not written here.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    let places = code
        .match_indices("crate::")
        .map(|(at, found)| at + found.len());
    places.map(move |at| {
        let rest = &code[at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        &rest[..end.unwrap_or(rest.len())]
    })
}

#[test]
fn nothing_is_used_from_above() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut upward = Vec::new();
    let mut edges = 0;
    for file in files {
        let inside = file.strip_prefix(&root).expect("inside");
        let first = inside.components().next().expect("a part").as_os_str();
        let own = first.to_string_lossy().replace(".rs", "");
        if ["lib", "main"].contains(&own.as_str()) {
            continue;
        }
        let own_layer =
            layer(&own).unwrap_or_else(|| panic!("{own} has no place among the layers"));
        let text = std::fs::read_to_string(&file).expect("text");
        for (number, line) in text.lines().enumerate() {
            for name in named(line) {
                // What is not a part is a macro.
                let Some(used) = layer(name) else { continue };
                edges += 1;
                if used > own_layer {
                    upward.push(format!("{}:{}: {name}", inside.display(), number + 1));
                }
            }
        }
    }
    assert!(edges > 300, "only {edges} uses were found");
    assert!(upward.is_empty(), "used from above:\n{}", upward.join("\n"));
}
