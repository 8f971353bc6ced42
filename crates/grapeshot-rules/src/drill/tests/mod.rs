//! The printed rulesets that are texts, as the project knows them: shapes, laws, refusals, house rules.

mod acw28;
mod elephant;
mod fireline;
mod gbacw;
mod impact;
mod native;

use super::{ACW28, DrillBook, ELEPHANT, FIRELINE, GBACW, IMPACT};
use crate::Rulebook;
use grapeshot_drill::load::{Files, load};

#[test]
fn all_examples_hold_and_nothing_is_wrong_with_the_tables() {
    for built_in in [ELEPHANT, GBACW, ACW28, IMPACT, FIRELINE] {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in DrillBook::built_in(built_in).files() {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let checked = super::check(folder.path());
        assert!(checked.held > 5, "{}: {}", built_in.id, checked.held);
        assert_eq!(
            checked.count(super::Weight::Error),
            0,
            "{:#?}",
            checked.faults
        );
    }
}

#[test]
fn what_is_built_in_is_what_the_texts_say() {
    for built_in in [ELEPHANT, GBACW, ACW28, IMPACT, FIRELINE] {
        let book = DrillBook::built_in(built_in);
        let built = book.checked().expect("it was checked when this was built");
        let files = Files {
            texts: vec![book.text.pair()],
            tables: book.own_tables(),
            variants: Vec::new(),
        };
        let read = load(&files, &|name| book.used(name)).program;
        let read = read.expect("a text of our own passes its checks");
        assert_eq!(format!("{built:?}"), format!("{read:?}"), "{}", built_in.id);
    }
}
