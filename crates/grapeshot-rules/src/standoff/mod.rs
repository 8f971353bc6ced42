//! Standoffs: two units face each other, and each may fire, charge or withdraw when its turn comes.
//!
//! A ruleset gives the [`Parts`]: its firefight's steps and a charge from any condition, both over its own
//! states. What all standoffs share is here: the machine that offers the choices, the keys, the
//! goals, the plans and what is reported.

mod ends;

use ends::TURNS;
pub use ends::{Driving, Ends, Worth};

use super::decision::{Decisions, FixedPlan, Shown, first_of};
use super::{Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Name;
use grapeshot_engine::engine::{Chooser, Clock, Next, Offer, Row, Steps};

/// Fire, or wait where fire cannot reach.
pub const FIRE: u16 = 0;
/// Charge.
pub const CHARGE: u16 = 1;
/// Leave the field.
pub const WITHDRAW: u16 = 2;
/// The actions of every standoff, in the order of ties; a ruleset may add its own after them.
pub const ACTIONS: [&str; 3] = ["fire", "charge", "withdraw"];

/// The sides, the one that asks first.
pub const SIDES: [&str; 2] = ["a", "b"];

grapeshot_engine::labels! {
    /// What is wanted.
    pub enum Goal { DriveOff = "drive-off", Win = "win", Losses = "losses" }
}

grapeshot_engine::labels! {
    /// What a side may choose.
    pub enum Choices { Fire = "fire", All = "all" }
}

grapeshot_engine::labels! {
    /// Who was driven off: `a` means that b was.
    pub enum Driven {
        A = "a" => Success, B = "b" => Failure, Both = "both" => Undecided, Neither = "neither" => Undecided,
        AWithdrew = "a-withdrew" => Failure, BWithdrew = "b-withdrew" => Success,
    }
}

grapeshot_engine::labels! {
    /// Who charged.
    pub enum Charged { None = "none", A = "a", B = "b" }
}

/// The keys all standoffs have after those of the sides: `turns`, `b.choices`, `goal`, `withdraw_value`.
pub fn settings(turns: i64, choices: Choices) -> Vec<Setting> {
    vec![
        Setting::whole("turns", 1..=20, turns, "turns played at most").from("composed"),
        Setting::choice(
            "b.choices",
            choices,
            "what b may do: fire at every opportunity, or all that a may, against a's goal",
        )
        .from("composed"),
        Setting::choice("goal", Goal::DriveOff, "what a wants").from("composed"),
        Setting::real(
            "withdraw_value",
            -1.0..=1.0,
            -0.5,
            "what withdrawing is worth to the goal drive-off",
        )
        .from("composed"),
    ]
}

/// What a part of a standoff comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// The position of the end among the labels of the firefight or the charge.
    pub outcome: usize,
    /// What a and b have lost since the standoff began.
    pub losses: [u16; 2],
}

/// Where a step of a part leads: [`Next`], with ends told by the part's own labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads<S> {
    /// On to another state of the same turn.
    Go(S),
    /// The turn is over.
    NextTurn(S),
    /// Finished.
    Ended(Ended),
}

/// What a ruleset gives to a standoff.
pub trait Parts: Send + Sync {
    /// Where the firefight stands: both units, the side that acts, and what it is about to do.
    type Fight: Copy + Eq + std::hash::Hash + Ord + std::fmt::Debug + Send + Sync;
    /// Where a charge stands, begun from any condition of both units, in any turn: it says who charges,
    /// and no more of the past than that and the losses need.
    type Charge: Copy + Eq + std::hash::Hash + Ord + std::fmt::Debug + Send + Sync;

    /// The phases of the firefight's states, then those of the charge's.
    fn phases(&self) -> Vec<&str>;

    /// Where it begins.
    fn start(&self) -> Self::Fight;

    /// The phase of a state of the firefight.
    fn fight_phase(&self, fight: &Self::Fight) -> usize;

    /// The phase of a state of the charge.
    fn charge_phase(&self, charge: &Self::Charge) -> usize;

    /// The side (0 is a) that would fire next in this state; none where it first tests.
    fn about_to_fire(&self, fight: &Self::Fight) -> Option<usize>;

    /// One step of the firefight; from a state that is about to fire, the fire.
    fn fight<D: Dice>(&self, fight: Self::Fight, dice: &mut D) -> Leads<Self::Fight>;

    /// The charge of the side that is about to fire, if it may charge now.
    fn charge_from(&self, fight: &Self::Fight, side: usize) -> Option<Self::Charge>;

    /// One step of a charge.
    fn charge<D: Dice>(&self, charge: Self::Charge, dice: &mut D) -> Leads<Self::Charge>;

    /// Who charges.
    fn charger(&self, charge: &Self::Charge) -> usize;

    /// What a and b have lost since the standoff began.
    fn losses(&self, fight: &Self::Fight) -> [u16; 2];

    /// The end of the firefight when time is up: a position among its labels.
    fn undecided(&self) -> usize;

    /// A state as the policy shows it.
    fn show(&self, fight: &Self::Fight) -> Shown;

    /// What a side may choose in the middle of a charge, numbered from 3 on ([`Parts::more_actions`]).
    fn offer_in_charge(&self, _charge: &Self::Charge) -> Option<Offer<Self::Charge>> {
        None
    }

    /// The names of actions in the middle of a charge.
    fn more_actions(&self) -> Vec<Name> {
        Vec::new()
    }

    /// A state in the middle of a charge that offers a choice, as the policy shows it.
    fn show_charge(&self, charge: &Self::Charge) -> Shown {
        unreachable!("a charge that offers choices shows them: {charge:?}")
    }
}

/// Where a standoff stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State<F, C> {
    /// The firefight; a side about to fire may choose.
    Fight(F),
    /// The side has chosen to fire.
    Fires(F),
    /// A charge.
    Charge(C),
}

/// A standoff of a ruleset's parts.
#[derive(Debug)]
pub struct Standoff<P> {
    parts: P,
    ends: Ends,
    worth: Worth,
    /// Whether each side chooses.
    chooses: [bool; 2],
    turns: u16,
}

type StateOf<P> = State<<P as Parts>::Fight, <P as Parts>::Charge>;

impl<P: Parts> Standoff<P> {
    /// A standoff with the shared keys read; `whole` is what a side's loss is a share of.
    pub fn new(parts: P, ends: Ends, s: &Settings, whole: [f64; 2]) -> Self {
        Standoff {
            worth: Worth::read(s, whole),
            chooses: [true, s.choice::<Choices>("b.choices") == Choices::All],
            turns: s.whole("turns") as u16,
            parts,
            ends,
        }
    }

    fn fought(&self, leads: Leads<P::Fight>) -> Next<StateOf<P>> {
        match leads {
            Leads::Go(next) => Next::Go(State::Fight(next)),
            Leads::NextTurn(next) => Next::NextTurn(State::Fight(next)),
            Leads::Ended(Ended { outcome, losses }) => {
                let outcome = self.ends.of_firefight(outcome);
                Next::Done(self.ends.row(outcome, Charged::None, losses))
            }
        }
    }

    fn charged(&self, charger: usize, leads: Leads<P::Charge>) -> Next<StateOf<P>> {
        match leads {
            Leads::Go(next) => Next::Go(State::Charge(next)),
            Leads::NextTurn(_) => unreachable!("a charge is over in the turn it is made"),
            Leads::Ended(Ended { outcome, losses }) => {
                let outcome = self.ends.of_charge(charger, outcome);
                let charged = [Charged::A, Charged::B][charger];
                Next::Done(self.ends.row(outcome, charged, losses))
            }
        }
    }
}

impl<P: Parts> Steps for Standoff<P> {
    type State = StateOf<P>;

    fn phases(&self) -> Vec<&str> {
        self.parts.phases()
    }

    fn start(&self) -> StateOf<P> {
        State::Fight(self.parts.start())
    }

    fn phase(&self, state: &StateOf<P>) -> usize {
        match state {
            State::Fight(fight) | State::Fires(fight) => self.parts.fight_phase(fight),
            State::Charge(charge) => self.parts.charge_phase(charge),
        }
    }

    fn offer(&self, state: &StateOf<P>) -> Option<Offer<StateOf<P>>> {
        match state {
            State::Fight(fight) => {
                let side = self.parts.about_to_fire(fight)?;
                if !self.chooses[side] {
                    return None;
                }
                let mut actions = vec![(FIRE, Next::Go(State::Fires(*fight)))];
                if let Some(charge) = self.parts.charge_from(fight, side) {
                    actions.push((CHARGE, Next::Go(State::Charge(charge))));
                }
                let losses = self.parts.losses(fight);
                let gone = self
                    .ends
                    .row(self.ends.withdrawal(side), Charged::None, losses);
                actions.push((WITHDRAW, Next::Done(gone)));
                let chooser = [Chooser::Asking, Chooser::Enemy][side];
                Some(Offer { chooser, actions })
            }
            State::Fires(_) => None,
            State::Charge(charge) => {
                let offer = self.parts.offer_in_charge(charge)?;
                let charger = self.parts.charger(charge);
                let actions = offer.actions.into_iter().map(|(action, next)| {
                    let leads = match next {
                        Next::Go(next) => Leads::Go(next),
                        other => unreachable!("a choice in a charge goes on with it: {other:?}"),
                    };
                    (action, self.charged(charger, leads))
                });
                Some(Offer {
                    chooser: offer.chooser,
                    actions: actions.collect(),
                })
            }
        }
    }

    fn step<D: Dice>(&self, state: StateOf<P>, dice: &mut D) -> Next<StateOf<P>> {
        match state {
            State::Fight(fight) | State::Fires(fight) => self.fought(self.parts.fight(fight, dice)),
            State::Charge(charge) => {
                self.charged(self.parts.charger(&charge), self.parts.charge(charge, dice))
            }
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, TURNS))
    }

    fn time_up(&self, state: &StateOf<P>) -> Row {
        match state {
            State::Fight(fight) | State::Fires(fight) => {
                let outcome = self.ends.of_firefight(self.parts.undecided());
                self.ends
                    .row(outcome, Charged::None, self.parts.losses(fight))
            }
            State::Charge(charge) => unreachable!("no turn ends in a charge: {charge:?}"),
        }
    }
}

impl<P: Parts> Decisions for Standoff<P> {
    fn actions(&self) -> Vec<Name> {
        let mut actions: Vec<Name> = ACTIONS.iter().map(|&action| action.into()).collect();
        actions.extend(self.parts.more_actions());
        actions
    }

    fn value(&self, row: &Row) -> f64 {
        self.worth.of_row(row)
    }

    fn show(&self, state: &StateOf<P>) -> Shown {
        match state {
            State::Fight(fight) | State::Fires(fight) => self.parts.show(fight),
            State::Charge(charge) => self.parts.show_charge(charge),
        }
    }

    fn plans(&self) -> Vec<FixedPlan> {
        plans(self.turns)
    }
}

/// `charge at once`, `fire 1 then charge` … , `always fire`, `withdraw at once`.
pub fn plans(turns: u16) -> Vec<FixedPlan> {
    let mut plans: Vec<FixedPlan> = (0..turns)
        .map(|volleys| {
            let name = match volleys {
                0 => "charge at once".to_owned(),
                n => format!("fire {n} then charge"),
            };
            FixedPlan::new(name, move |turn, offered| {
                let wanted: &[u16] = if turn > volleys {
                    &[CHARGE, FIRE]
                } else {
                    &[FIRE]
                };
                first_of(wanted, offered)
            })
        })
        .collect();
    plans.push(FixedPlan::first_of("always fire", &[FIRE]));
    plans.push(FixedPlan::first_of("withdraw at once", &[WITHDRAW]));
    plans
}
