//! Every text there is can be read.

mod common;

use grapeshot_drill::message::{Messages, render_all};
use grapeshot_drill::parse::parse;
use grapeshot_drill::source::Sources;

#[test]
fn all_texts_are_read() {
    for (name, text) in common::texts() {
        let mut sources = Sources::default();
        let file = sources.add(&name, &text);
        let mut messages = Messages::default();
        let tree = parse(&sources, file, &mut messages);
        let messages = messages.sorted();
        assert!(messages.is_empty(), "{}", render_all(&messages, &sources));
        assert!(!tree.items.is_empty(), "{name} has items");
    }
}

#[test]
fn no_text_is_too_much_for_the_reader() {
    let deep = [
        "(", "[", "-", "not ", "case ", "x[", "f(", "{", "\"{", "if x: ", "x if ", "sum of ",
        "take ",
    ];
    for piece in deep {
        for (before, after) in [
            ("define f(x) = ", ""),
            ("rule f():\n  ", ""),
            ("rule f():\n  let x = ", " + 1:"),
        ] {
            let text = format!("{before}{}{after}", piece.repeat(20_000));
            let mut sources = Sources::default();
            let file = sources.add("deep", &text);
            let mut messages = Messages::default();
            parse(&sources, file, &mut messages);
            assert!(messages.has_errors(), "{piece}");
        }
    }
    let chains = [" + 1", " and x", ".x", "[1]", " or x"];
    for piece in chains {
        let text = format!("define f(x) = x{}", piece.repeat(20_000));
        let mut sources = Sources::default();
        let file = sources.add("long", &text);
        let mut messages = Messages::default();
        parse(&sources, file, &mut messages);
        assert!(messages.has_errors(), "{piece}");
    }
    let stairs: String = (0..2_000)
        .map(|n| format!("{}if x:\n", " ".repeat(n)))
        .collect();
    let mut sources = Sources::default();
    let file = sources.add("stairs", &format!("rule f():\n{stairs}"));
    let mut messages = Messages::default();
    parse(&sources, file, &mut messages);
    assert!(messages.has_errors());
}
