//! Fire: one unit fires once at another, which saves and then tests its nerve.

use super::tables::Tables;
use super::target::Target;
use super::unit::{settings, target_settings};
use super::volley::{Firer, Ground, Volley};
use crate::dice::Dice;
use crate::dist::Variable;
use crate::engine::{Next, Steps, row};
use crate::rules::{Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

/// One unit's fire on another.
#[derive(Debug)]
pub(super) struct FireOnce {
    volley: Volley,
    figures: u8,
    target: Target,
}

/// Where the fire stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The firer rolls to hit.
    Fires,
    /// The target saves so many hits.
    Struck(u8),
}

impl FireOnce {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let firer = Firer::read(tables, s, "firer", s.choice("firer.arm"))?;
        let target = Target::read(tables, s, "target", s.choice("target.arm"))?;
        let ground = Ground {
            reach: firer.reach(tables, s.whole("range")),
            open_saves: s.flag("open_saves"),
        };
        let figures = s.whole("firer.figures") as u8;
        Ok(FireOnce {
            volley: Volley::new(tables, &firer, figures, &target, ground),
            figures,
            target,
        })
    }

    fn ends(&self, hits: u8, unsaved: u8) -> Next<Stage> {
        let target = &self.target;
        let (left, routs) = target.loses(target.figures, unsaved, target.formation_fail);
        Next::Done(row(&[
            u16::from(routs),
            u16::from(hits),
            u16::from(target.figures - left),
        ]))
    }
}

impl Steps for FireOnce {
    type State = Stage;

    fn phases(&self) -> Vec<&str> {
        vec!["fire", "saves and morale"]
    }

    fn start(&self) -> Stage {
        Stage::Fires
    }

    fn phase(&self, stage: &Stage) -> usize {
        usize::from(*stage != Stage::Fires)
    }

    fn step<D: Dice>(&self, stage: Stage, dice: &mut D) -> Next<Stage> {
        match stage {
            Stage::Fires => match self.volley.hits(self.figures, dice) {
                0 => self.ends(0, 0),
                hits => Next::Go(Stage::Struck(hits)),
            },
            Stage::Struck(hits) => self.ends(hits, self.volley.unsaved(hits, dice)),
        }
    }
}

/// The distance between the units.
pub(super) fn range_setting() -> Setting {
    Setting::whole("range", 1..=10_000, 30, "cm from firer to target").from("Firing, Ranges")
}

/// Which of two contradicting printed rules is followed.
pub(super) fn open_saves_setting() -> Setting {
    Setting::flag_on(
        "open_saves",
        "figures in the open save as in the charts; false follows the sentence that denies it",
    )
    .from("Firing, Saves at short and long range")
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    let firer = [
        "class",
        "figures",
        "firing_arm",
        "formation",
        "weapon",
        "helpers",
        "formation_fail",
    ];
    let mut keys = settings("firer", &firer);
    keys.push(range_setting());
    keys.extend(target_settings("target"));
    keys.push(open_saves_setting());
    Procedure {
        name: "fire".into(),
        about: "One unit fires once at another.".into(),
        source: "Firing; Morale".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Variable::yes_no("routs", "whether the target routs"),
            Variable::count(
                "hits",
                "hits before saves, not limited by the figures there",
            ),
            Variable::count("casualties", "figures the target loses"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(FireOnce::new(&tables, s)?))),
    }
}
