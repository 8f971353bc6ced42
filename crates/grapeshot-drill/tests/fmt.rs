//! Set anew, a text says the same; set twice, it stays.

mod common;

use grapeshot_drill::fmt::format;
use grapeshot_drill::message::Messages;
use grapeshot_drill::parse::parse;
use grapeshot_drill::source::Sources;

/// The tree as text, without places.
fn tree(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("text", text);
    let mut messages = Messages::default();
    let tree = format!("{:?}", parse(&sources, file, &mut messages));
    assert!(!messages.has_errors());
    let mut out = String::new();
    let mut rest = tree.as_str();
    while let Some(at) = rest.find("@0:") {
        out.push_str(&rest[..at]);
        let after = &rest[at + 3..];
        let digits = after
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(after.len());
        rest = &after[digits..];
    }
    out + rest
}

#[test]
fn a_text_set_anew_says_the_same_and_stays() {
    for (name, text) in common::texts() {
        let set = format(&text);
        assert!(tree(&set) == tree(&text), "{name} says something else");
        let again = format(&set);
        let differs = set.lines().zip(again.lines()).find(|(a, b)| a != b);
        assert!(set == again, "{name} does not stay: {differs:?}");
        let comments = |text: &str| text.lines().filter(|line| line.contains('#')).count();
        assert_eq!(comments(&set), comments(&text), "{name} loses comments");
    }
}

#[test]
fn blanks_are_set_and_columns_kept() {
    let text = "rule  f( unit ):\n    if unit.sp>0 :  unit.sp=1   # why\n\n\n    case x :\n       a :      nothing\n       longer:  nothing\n";
    let set = "rule  f(unit):\n  if unit.sp > 0:  unit.sp=1  # why\n\n  case x:\n    a:       nothing\n    longer:  nothing\n";
    assert_eq!(format(text), set);
}

#[test]
fn the_texts_of_the_project_are_set() {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut folders = vec![own];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)
            .expect("there is a folder")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "drill")
            {
                let text = std::fs::read_to_string(&path).expect("a text can be read");
                assert!(
                    format(&text) == text,
                    "cargo run --example fmt {}",
                    path.display()
                );
            }
        }
    }
}
