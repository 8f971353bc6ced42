//! The fate of an officer with a regiment that is fired at.

use super::tables::Tables;
use crate::{Labels, Procedure, Setting};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::{Favour, Variable};
use grapeshot_engine::engine::{OneStep, Row, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// What became of an officer.
    pub enum Fate { None = "none", Safe = "safe", Killed = "killed" }
}

impl Fate {
    /// The variable that reports it.
    pub(super) fn variable(name: &str, whose: &str) -> Variable {
        let meaning = format!("what became of the officer with {whose}");
        Variable::category(name, &meaning, Fate::LABELS.iter().copied())
    }

    /// Its value in a row.
    pub(super) fn value(self) -> u16 {
        self.position() as u16
    }
}

/// When an officer falls: two dice, the second only after a low first.
#[derive(Debug, Clone)]
pub(super) struct Danger {
    casualties: i64,
    first: Odds<bool>,
    second: Odds<bool>,
}

impl Danger {
    /// From so many casualties of one fire on; the highest faces of the dice that kill.
    pub(super) fn new(casualties: i64, first: i32, second: i32) -> Self {
        let at_most = |highest: i32| Odds::new(Throw::d6(), |face| face <= highest);
        Danger {
            casualties,
            first: at_most(first),
            second: at_most(second),
        }
    }

    /// Whether an officer falls with so many figures of his regiment.
    pub(super) fn kills<D: Dice>(&self, lost: u8, dice: &mut D) -> bool {
        i64::from(lost) >= self.casualties && self.first.roll(dice) && self.second.roll(dice)
    }
}

/// One fire on the regiment he is with.
#[derive(Debug)]
pub(super) struct Officer {
    danger: Danger,
    casualties: u8,
}

impl Officer {
    pub(super) fn new(tables: &Tables, casualties: u8) -> Self {
        Officer {
            danger: tables.officer.clone(),
            casualties,
        }
    }
}

impl OneStep for Officer {
    const PHASE: &'static str = "officer's dice";

    fn play<D: Dice>(&self, dice: &mut D) -> Row {
        row(&[u16::from(self.danger.kills(self.casualties, dice))])
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
        variables: vec![
            Variable::yes_no("killed", "whether the officer is killed")
                .favouring([Favour::Success, Favour::Failure]),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| {
            let casualties = s.whole("casualties") as u8;
            Ok(Box::new(Officer::new(&tables, casualties)))
        }),
    }
}
