//! The printed rulesets that are texts, as the project knows them: shapes, laws, refusals, house rules.

mod acw28;
mod fireline;
mod gbacw;
mod impact;

use super::{ACW28, DrillBook, FIRELINE, GBACW, IMPACT};
use crate::Rulebook;

#[test]
fn all_examples_hold_and_nothing_is_wrong_with_the_tables() {
    for built_in in [GBACW, ACW28, IMPACT, FIRELINE] {
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
