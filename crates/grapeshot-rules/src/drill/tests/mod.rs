//! The printed rulesets that are texts, as the project knows them: shapes, laws, refusals, house rules.

mod gbacw;
mod impact;

use super::{DrillBook, GBACW, IMPACT};

#[test]
fn all_examples_hold() {
    for built_in in [GBACW, IMPACT] {
        let failures = DrillBook::new(built_in).check();
        assert_eq!(failures, None, "{}", built_in.id);
    }
}
