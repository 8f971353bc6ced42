//! The formation fail test: does a unit get back into order?

use super::kinds::Class;
use super::tables::Tables;
use crate::{Procedure, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds};
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

/// Tests, one in each own turn, until one is passed.
#[derive(Debug)]
pub(super) struct FormationTests {
    test: Odds<bool>,
    turns: u16,
}

impl FormationTests {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Self {
        FormationTests {
            test: tables.formation_test(s.choice("class")).clone(),
            turns: s.whole("turns") as u16,
        }
    }
}

impl Steps for FormationTests {
    type State = ();

    fn phases(&self) -> Vec<&str> {
        vec!["formation test"]
    }

    fn start(&self) {}

    fn phase(&self, (): &()) -> usize {
        0
    }

    fn step<D: Dice>(&self, (): (), dice: &mut D) -> Next<()> {
        if self.test.roll(dice) {
            Next::Done(row(&[1]))
        } else {
            Next::NextTurn(())
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, (): &()) -> Row {
        row(&[0])
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
            Setting::whole(
                "turns",
                1..=20,
                1,
                "own turns in which it tests, after the one that broke its order",
            )
            .from("Formation fail test"),
        ],
        variables: vec![
            Variable::yes_no("passed", "whether the formation fail is over")
                .favouring([Favour::Failure, Favour::Success]),
            Variable::count("turns", "the turn it passed in, or the last"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(FormationTests::new(&tables, s)))),
    }
}
