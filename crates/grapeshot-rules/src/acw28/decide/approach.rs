//! Approach: two regiments come nearer to each other, or not, and fire, charge or go as they choose.

use super::face_to_face::{Exchange, FaceToFace, Melee};
use super::{fight_settings, narrowed, side_settings};
use crate::acw28::kinds::{Arm, Onset};
use crate::acw28::tables::{Pace, Tables};
use crate::standoff::{self, Choices, Driven, Ended, Ends, Leads, Worth};
use crate::{
    Decision, Decisions, FixedPlan, Labels, Outline, RuleError, Setting, Settings, Shown, Value,
    first_of,
};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::{Name, Variable};
use grapeshot_engine::engine::{Chooser, Clock, Next, Offer, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// Who went into contact, and how.
    pub enum Charged {
        None = "none", A = "a", B = "b", AContact = "a-contact", BContact = "b-contact",
    }
}

/// The actions, in the order of ties; the advances follow, the longest first, and withdrawing is last.
const FIRE: u16 = 0;
const HOLD: u16 = 1;
const CHARGE: u16 = 2;
const CONTACT: u16 = 3;
const ADVANCE: u16 = 4;

/// Where the variables stand in a row.
const RESULT: usize = 1;
const TURNS: usize = 3;
const LOSS: usize = 5;

/// Two regiments that may come nearer.
#[derive(Debug)]
struct Approach {
    field: FaceToFace,
    ends: Ends,
    worth: Worth,
    /// Whether each side chooses.
    chooses: [bool; 2],
    distance: u8,
    /// The ways a side may advance, the longest first, in cm.
    advances: Vec<u8>,
    /// The distances over which a charge may go, and the greatest at which contact may be made without.
    charges: (u8, u8),
    contact: u8,
    turns: u16,
}

/// Where an approach stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    /// A side about to act may choose.
    Facing(Exchange),
    /// It has chosen to fire.
    Fires(Exchange),
    /// It has come.
    Melee(Melee),
}

impl Approach {
    fn new(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let field = FaceToFace::read(tables, s)?;
        let step: i64 = s.text("step").parse().expect("steps are numbers");
        let rate = tables.rate(Arm::Infantry, Pace::Ordinary);
        let (least, most) = tables.charge_distances(Arm::Infantry);
        let cm = |cm: i64| u8::try_from(cm).unwrap_or(u8::MAX);
        Ok(Approach {
            worth: Worth::read(s, field.whole()),
            ends: FaceToFace::ends(),
            chooses: [true, s.choice::<Choices>("b.choices") == Choices::All],
            distance: cm(s.whole("distance")),
            advances: (1..=rate).rev().filter(|n| n % step == 0).map(cm).collect(),
            charges: (cm(least), cm(most)),
            contact: cm(rate),
            turns: s.whole("turns") as u16,
            field,
        })
    }

    /// The number of the last action.
    fn withdraw(&self) -> u16 {
        ADVANCE + self.advances.len() as u16
    }

    fn ends(&self, outcome: u16, charged: Charged, distance: u8, losses: [u16; 2]) -> Row {
        row(&[
            outcome,
            self.ends.result(outcome).position() as u16,
            charged.position() as u16,
            0,
            u16::from(distance),
            losses[0],
            losses[1],
        ])
    }

    fn fought(&self, distance: u8, leads: Leads<Exchange>) -> Next<State> {
        match leads {
            Leads::Go(next) => Next::Go(State::Facing(next)),
            Leads::NextTurn(next) => Next::NextTurn(State::Facing(next)),
            Leads::Ended(Ended { outcome, losses }) => {
                let outcome = self.ends.of_firefight(outcome);
                Next::Done(self.ends(outcome, Charged::None, distance, losses))
            }
        }
    }

    /// What the side about to act may do.
    fn actions(&self, side: usize, now: Exchange) -> Vec<(u16, Next<State>)> {
        let field = &self.field;
        let mut actions = vec![if field.reaches(side, now.distance) {
            (FIRE, Next::Go(State::Fires(now)))
        } else {
            (HOLD, self.fought(now.distance, field.passes(now)))
        }];
        let comes_in = |onset| Next::Go(State::Melee(field.comes_in(&now, onset)));
        if (self.charges.0..=self.charges.1).contains(&now.distance) && field.may_charge(side, &now)
        {
            actions.push((CHARGE, comes_in(Onset::Charge)));
        }
        if field.goes_forward(side) {
            if now.distance <= self.contact {
                actions.push((CONTACT, comes_in(Onset::Advance)));
            }
            for (&way, action) in self.advances.iter().zip(ADVANCE..) {
                if way < now.distance {
                    let nearer = now.nearer(way);
                    actions.push((action, self.fought(nearer.distance, field.passes(nearer))));
                }
            }
        }
        let outcome = self.ends.withdrawal(side);
        let gone = self.ends(
            outcome,
            Charged::None,
            now.distance,
            field.losses(now.sides),
        );
        actions.push((self.withdraw(), Next::Done(gone)));
        actions
    }
}

impl Steps for Approach {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["approach and fire", "charge and melee"]
    }

    fn start(&self) -> State {
        State::Facing(self.field.start(self.distance))
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State::Facing(_) | State::Fires(_) => 0,
            State::Melee(_) => 1,
        }
    }

    fn offer(&self, state: &State) -> Option<Offer<State>> {
        let State::Facing(now) = state else {
            return None;
        };
        let side = self.field.about_to_act(now)?;
        self.chooses[side].then(|| Offer {
            chooser: [Chooser::Asking, Chooser::Enemy][side],
            actions: self.actions(side, *now),
        })
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match state {
            State::Facing(now) | State::Fires(now) => {
                self.fought(now.distance, self.field.exchange(now, dice))
            }
            State::Melee(melee) => match self.field.melee(melee, dice) {
                Leads::Go(next) => Next::Go(State::Melee(next)),
                Leads::NextTurn(_) => unreachable!("a melee is over in the turn it is begun"),
                Leads::Ended(Ended { outcome, losses }) => {
                    let comer = self.field.comer(&melee);
                    let charged = match melee.onset {
                        Onset::Charge => [Charged::A, Charged::B],
                        Onset::Advance => [Charged::AContact, Charged::BContact],
                    };
                    let outcome = self.ends.of_charge(comer, outcome);
                    Next::Done(self.ends(outcome, charged[comer], melee.distance, losses))
                }
            },
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, TURNS))
    }

    fn time_up(&self, state: &State) -> Row {
        let State::Facing(now) = state else {
            unreachable!("no turn ends in {state:?}")
        };
        let outcome = self.ends.of_firefight(FaceToFace::undecided());
        let losses = self.field.losses(now.sides);
        self.ends(outcome, Charged::None, now.distance, losses)
    }
}

impl Decisions for Approach {
    fn actions(&self) -> Vec<Name> {
        let named = ["fire", "hold", "charge", "contact"].map(Name::from);
        let advances = self.advances.iter().map(|n| format!("advance {n}").into());
        let withdraw = ["withdraw".into()];
        named.into_iter().chain(advances).chain(withdraw).collect()
    }

    fn value(&self, row: &Row) -> f64 {
        let result = Driven::ALL[usize::from(row[RESULT])];
        self.worth.of(result, [row[LOSS], row[LOSS + 1]])
    }

    fn show(&self, state: &State) -> Shown {
        let State::Facing(now) = state else {
            unreachable!("nobody chooses in {state:?}")
        };
        let mut shown: Shown = vec![("distance".into(), Value::Whole(i64::from(now.distance)))];
        shown.extend(self.field.show(now.sides));
        shown
    }

    fn plans(&self) -> Vec<FixedPlan> {
        let withdraw = self.withdraw();
        let first = |offered: &[u16]| offered.first().copied();
        let nearer: Vec<u16> = (CHARGE..withdraw).collect();
        vec![
            FixedPlan::new("stand and fire", move |_, offered| first(offered)),
            FixedPlan::new("close in", move |_, offered| {
                first_of(&nearer, offered).or(first(offered))
            }),
            FixedPlan::new("withdraw at once", move |_, offered| {
                first_of(&[withdraw], offered)
            }),
        ]
    }
}

pub(super) fn decision(tables: &Arc<Tables>) -> Decision {
    let tables = Arc::clone(tables);
    let side = |side| side_settings(side, &[narrowed(side, "formation", &["line", "skirmish"])]);
    let mut settings = [side("a"), side("b")].concat();
    settings.extend([
        Setting::whole("distance", 1..=120, 60, "cm between them at the beginning")
            .from("Movement"),
        Setting::one_of(
            "step",
            &["1", "3", "5", "15"],
            "5",
            "cm by which the ways of an advance differ",
        )
        .from("composed"),
    ]);
    settings.extend(fight_settings());
    settings.extend(standoff::settings(8, Choices::All));
    let [outcome, result] = FaceToFace::ends().headline();
    let outline = Outline {
        name: "approach".into(),
        about: "Two regiments on open ground come nearer, fire, go in or withdraw, as they choose."
            .into(),
        source: "Movement; Firing; Movement, Charge; Melee; Formation fail test; Morale".into(),
        settings,
        variables: vec![
            outcome,
            result,
            Variable::category(
                "charged",
                "who went in, charging or at the ordinary rate",
                Charged::LABELS.iter().copied(),
            ),
            Variable::count("turns", "the turn in which it ended, or the last"),
            Variable::count(
                "distance",
                "cm between them at the end, or from which one went in",
            ),
            Variable::count("a_casualties", "figures a loses"),
            Variable::count("b_casualties", "figures b loses"),
        ],
        notes: Vec::new(),
    };
    Decision::new(outline, move |s| Approach::new(&tables, s))
}
