//! The fate of an officer with a regiment that is fired at.

use super::tables::Tables;
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Procedure, Setting, Settings};
use std::sync::Arc;

/// Two dice, the second only after a low first.
#[derive(Debug)]
pub(super) struct Officer {
    in_danger: bool,
    first: Odds<bool>,
    second: Odds<bool>,
}

impl Officer {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Self {
        let danger = tables.officer;
        let at_most = |highest: i32| Odds::new(Throw::d6(), |face| face <= highest);
        Officer {
            in_danger: s.whole("casualties") >= danger.casualties,
            first: at_most(danger.first_die),
            second: at_most(danger.second_die),
        }
    }
}

/// The die to be thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Die {
    /// Is he hit?
    First,
    /// Is he killed?
    Second,
}

impl Steps for Officer {
    type State = Die;

    fn phases(&self) -> Vec<&str> {
        vec!["first die", "second die"]
    }

    fn start(&self) -> Die {
        Die::First
    }

    fn phase(&self, die: &Die) -> usize {
        *die as usize
    }

    fn step<D: Dice>(&self, die: Die, dice: &mut D) -> Next<Die> {
        match die {
            Die::First if self.in_danger && self.first.roll(dice) => Next::Go(Die::Second),
            Die::First => Next::Done(row(&[0])),
            Die::Second => Next::Done(row(&[u16::from(self.second.roll(dice))])),
        }
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    Procedure {
        name: "officer".into(),
        about: "An officer shares the danger of the regiment he is with.".into(),
        source: "Officers".into(),
        composed: false,
        settings: vec![
            Setting::whole(
                "casualties",
                0..=40,
                2,
                "figures lost to one fire by the regiment he is with",
            )
            .from("Officers"),
        ],
        variables: vec![Variable::yes_no("killed", "whether the officer is killed")],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Officer::new(&tables, s)))),
    }
}
