//! The formation fail test: does a unit get back into order?

use super::tables::Tables;
use super::unit::Class;
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{OneStep, Row, row};
use crate::rules::{Procedure, Setting};
use std::sync::Arc;

/// The odds that a unit of this class clears its formation fail.
pub(super) fn test_odds(tables: &Tables, class: Class) -> Odds<bool> {
    let need = i32::from(tables.formation_test(class));
    Odds::new(Throw::d6(), |face| face >= need)
}

/// One test.
#[derive(Debug)]
pub(super) struct FormationTest {
    odds: Odds<bool>,
}

impl FormationTest {
    pub(super) fn new(tables: &Tables, class: Class) -> Self {
        FormationTest {
            odds: test_odds(tables, class),
        }
    }
}

impl OneStep for FormationTest {
    const PHASE: &'static str = "formation test";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        row(&[u16::from(self.odds.roll(dice))])
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    Procedure {
        name: "formation".into(),
        about: "A unit with a formation fail tries to end it.".into(),
        source: "Formation fail test".into(),
        composed: false,
        settings: vec![
            Setting::choice("class", Class::C, "quality, A the best").from("Formation fail test"),
        ],
        variables: vec![Variable::yes_no(
            "passed",
            "whether the formation fail is over",
        )],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(FormationTest::new(&tables, s.choice("class"))))),
    }
}
