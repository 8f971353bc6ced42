//! Army: everything a side has, from the printed list and all the dice.

use super::kinds::Class;
use super::muster::side_setting;
use super::tables::{Side, Tables};
use crate::{Labels, Procedure, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Steps, row};
use std::sync::Arc;

/// A whole army.
#[derive(Debug)]
pub(super) struct Army {
    tables: Arc<Tables>,
    side: Side,
    upgrade: bool,
    /// Cavalry regiments exchanged for sharpshooters, before their class is thrown.
    exchanged: u16,
    extra: Odds<u16>,
    cavalry: Odds<u16>,
    batteries: Odds<u16>,
    /// How many of so many cavalry regiments, and of so many batteries, are of class A.
    best_cavalry: Vec<Odds<u16>>,
    best_batteries: Vec<Odds<u16>>,
    /// Figures of so many regiments together, from the fewest there can be.
    figures: Vec<Odds<u16>>,
    fewest_regiments: u16,
}

/// What has been thrown for so far, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum State {
    Foot,
    Cavalry(Foot),
    Batteries(Foot, u16),
    Classes(Units),
    /// So many units are of class A.
    Figures(Units, u16),
}

/// The foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Foot {
    regiments: u16,
    class_b: u16,
}

/// The regiments and batteries of an army.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Units {
    foot: Foot,
    cavalry: u16,
    batteries: u16,
}

impl Army {
    pub(super) fn new(tables: &Arc<Tables>, s: &Settings) -> Self {
        let campaign = &tables.campaign;
        let side = s.choice("side");
        let dice = campaign.muster(side);
        let best = |by_face: &[Class], most: u16| -> Vec<Odds<u16>> {
            let faces = by_face.iter().map(|&class| i16::from(class == Class::A));
            let faces: Vec<i16> = faces.collect();
            let of = |count| Odds::new(Throw::sum(faces.clone(), count), |n| n as u16);
            (0..=u32::from(most)).map(of).collect()
        };
        let exchanged = u16::from(s.flag("sharpshooters"));
        let listed = Class::ALL.iter().map(|&class| campaign.foot(side, class));
        let listed: u16 = listed.sum();
        let (extra, cavalry) = (dice.extra_regiments.bounds(), dice.cavalry.bounds());
        let fewest = listed + extra.0 + cavalry.0 - exchanged;
        let most = listed + extra.1 + cavalry.1 - exchanged;
        Army {
            side,
            upgrade: s.flag("upgrade"),
            exchanged,
            extra: dice.extra_regiments.odds(),
            cavalry: dice.cavalry.odds(),
            batteries: dice.batteries.odds(),
            best_cavalry: best(&campaign.cavalry_class, cavalry.1),
            best_batteries: best(&campaign.battery_class, dice.batteries.bounds().1),
            figures: (fewest..=most).map(|n| dice.figures.times(n)).collect(),
            fewest_regiments: fewest,
            tables: Arc::clone(tables),
        }
    }

    /// The printed list, and an average die more of class C, one of which may become B.
    fn foot(&self, extra: u16) -> Foot {
        let campaign = &self.tables.campaign;
        let listed = |class: &Class| campaign.foot(self.side, *class);
        let upgraded = self.upgrade && i32::from(extra) >= campaign.upgrade_from;
        Foot {
            regiments: Class::ALL.iter().map(listed).sum::<u16>() + extra,
            class_b: listed(&Class::B) + u16::from(upgraded),
        }
    }

    /// All figures: those of the regiments are thrown for, gunners and sharpshooters are not.
    fn figures<D: Dice>(&self, units: Units, dice: &mut D) -> u16 {
        let campaign = &self.tables.campaign;
        let regiments = units.foot.regiments + units.cavalry;
        let companies = self.exchanged * campaign.companies;
        self.figures[usize::from(regiments - self.fewest_regiments)].roll(dice)
            + units.batteries * campaign.gunners(self.side)
            + companies * campaign.company_figures
    }
}

impl Steps for Army {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["foot", "cavalry", "batteries", "classes", "figures"]
    }

    fn start(&self) -> State {
        State::Foot
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State::Foot => 0,
            State::Cavalry(_) => 1,
            State::Batteries(..) => 2,
            State::Classes(_) => 3,
            State::Figures(..) => 4,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        Next::Go(match state {
            State::Foot => State::Cavalry(self.foot(self.extra.roll(dice))),
            State::Cavalry(foot) => {
                State::Batteries(foot, self.cavalry.roll(dice) - self.exchanged)
            }
            State::Batteries(foot, cavalry) => {
                let units = Units {
                    foot,
                    cavalry,
                    batteries: self.batteries.roll(dice),
                };
                State::Classes(units)
            }
            State::Classes(units) => {
                let cavalry = &self.best_cavalry[usize::from(units.cavalry)];
                let batteries = &self.best_batteries[usize::from(units.batteries)];
                let foot = self.tables.campaign.foot(self.side, Class::A);
                State::Figures(units, foot + cavalry.roll(dice) + batteries.roll(dice))
            }
            State::Figures(units, class_a) => {
                return Next::Done(row(&[
                    self.figures(units, dice),
                    units.foot.regiments,
                    units.cavalry,
                    units.batteries,
                    class_a,
                    units.foot.class_b,
                ]));
            }
        })
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    Procedure {
        name: "army".into(),
        about: "The whole army of a side: the printed list, and everything it throws for.".into(),
        source:
            "Allocation of troops; Allocation of figures; Allocation of foot regiments and class"
                .into(),
        composed: false,
        settings: vec![
            side_setting(),
            Setting::flag_on("upgrade", "the offered class B is taken")
                .from("Allocation of troops"),
            Setting::flag(
                "sharpshooters",
                "a cavalry regiment is exchanged for four companies of sharpshooters",
            )
            .from("Allocation of troops"),
        ],
        variables: vec![
            Variable::count(
                "figures",
                "all figures: foot, horse, gunners, sharpshooters",
            ),
            Variable::count("foot", "regiments of foot"),
            Variable::count("cavalry", "regiments of cavalry, after the exchange"),
            Variable::count("batteries", "batteries of artillery"),
            Variable::count("class_a", "regiments and batteries of class A"),
            Variable::count("foot_b", "regiments of foot of class B"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Army::new(&tables, s)))),
    }
}
