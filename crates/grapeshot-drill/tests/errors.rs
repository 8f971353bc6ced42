//! Golden messages: texts as a designer gets them wrong, one file each, and what is said to him. A file that begins with
//! `variant of` is laid over the text without errors, `right.drill`; a file of the same name with `.toml` is its tables.
//!
//! `UPDATE_ERRORS=1 cargo test --test errors` writes down what is said now; read the difference before you commit it.

use grapeshot_drill::load::{Files, load};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors")
}

fn messages(path: &Path) -> String {
    let read = |path: &Path| std::fs::read_to_string(path).expect("a text can be read");
    let text = read(path);
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let right = read(&folder().join("right.drill"));
    let tables = std::fs::read_to_string(path.with_extension("toml")).ok();
    let mut files = Files {
        tables: tables.as_deref().map(|text| ("tables.toml", text)),
        ..Files::default()
    };
    if text.starts_with("variant of") {
        files.texts.push(("right.drill", &right));
        files.variants.push((&name, &text));
    } else {
        files.texts.push((&name, &text));
    }
    let loaded = load(&files, &|_| None);
    assert_eq!(
        loaded.program.is_none(),
        name != "right.drill",
        "{name}: {}",
        loaded.shown()
    );
    loaded.shown() + "\n"
}

#[test]
fn wrong_texts_get_the_messages_that_are_written_down() {
    let update = std::env::var_os("UPDATE_ERRORS").is_some();
    let mut count = 0;
    let mut wrong = Vec::new();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("there is a folder")
        .flatten()
        .map(|e| e.path())
        .collect();
    paths.sort();
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "drill"))
    {
        let said = messages(path);
        let golden = path.with_extension("txt");
        if path.file_stem().is_some_and(|stem| stem == "right") {
            continue;
        }
        count += 1;
        if update {
            std::fs::write(&golden, &said).expect("a message can be written");
        } else if std::fs::read_to_string(&golden).ok().as_deref() != Some(&*said) {
            wrong.push(format!("{}:\n{said}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 50, "{count} wrong texts");
}
