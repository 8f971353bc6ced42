//! A charge in which the defender decides whether to attempt its second fire.
//!
//! The charge is the charge's own; only what is printed as the defender's choice is left to it, after it
//! has seen what its first volley did.

use super::charge::{ATTEMPT, Charge, DECLINE, Ground, Outcome, SECOND_FIRES, State, essentials};
use super::charts::Charts;
use super::side::Side;
use super::unit::Grade;
use crate::{
    Decision, Decisions, FixedPlan, Judged, Labels, Outline, RuleError, Setting, Settings, Shown,
    Value,
};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::{Name, Variable};
use grapeshot_engine::engine::{Next, Offer, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// Who was driven off: `attacker` means that the defender was. Seen from the defender, who decides.
    pub enum Driven { Attacker = "attacker" => Failure, Defender = "defender" => Success, Neither = "neither" => Undecided }
}

grapeshot_engine::labels! {
    /// What the defender wants.
    pub enum Goal { DriveOff = "drive-off", Hold = "hold", Losses = "losses" }
}

fn driven(outcome: Outcome) -> Driven {
    match outcome {
        Outcome::AttackerWins
        | Outcome::DefenderRetreats
        | Outcome::DefenderRouts
        | Outcome::DefenderDestroyed => Driven::Attacker,
        Outcome::DefenderWins
        | Outcome::AttackerRetreats
        | Outcome::AttackerRouts
        | Outcome::AttackerDestroyed => Driven::Defender,
        Outcome::Engaged | Outcome::AttackerHalts | Outcome::Short => Driven::Neither,
    }
}

/// A charge whose second fire is to be decided.
#[derive(Debug)]
struct Decided {
    charge: Charge,
    goal: Goal,
}

impl Decided {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let (attacker, defender) = (Side::new(s, "attacker"), Side::new(s, "defender"));
        if attacker.flag("flank") {
            let reason =
                "a charge in flank or rear is not fired at, so there is no second fire to decide";
            return Err(attacker.refuse("flank", reason));
        }
        let ground = Ground::read(s, &defender, false);
        Ok(Decided {
            charge: Charge::read(charts, s, [&attacker, &defender], ground)?,
            goal: s.choice("goal"),
        })
    }

    /// A row of the charge, in the variables of the decision.
    fn report(row_of_charge: &Row) -> Row {
        let [outcome, contact, attacker_lost, defender_lost, ..] = *row_of_charge;
        let result = driven(Outcome::ALL[usize::from(outcome)]);
        row(&[
            outcome,
            result.position() as u16,
            contact,
            attacker_lost,
            defender_lost,
        ])
    }

    fn reported(next: Next<State>) -> Next<State> {
        match next {
            Next::Done(row) => Next::Done(Self::report(&row)),
            other => other,
        }
    }
}

impl Steps for Decided {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        self.charge.phases()
    }

    fn start(&self) -> State {
        self.charge.start()
    }

    fn phase(&self, state: &State) -> usize {
        self.charge.phase(state)
    }

    fn offer(&self, state: &State) -> Option<Offer<State>> {
        let mut offer = self.charge.offer(state)?;
        for (_, next) in &mut offer.actions {
            *next = Self::reported(*next);
        }
        Some(offer)
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        Self::reported(self.charge.step(state, dice))
    }
}

impl Decisions for Decided {
    fn actions(&self) -> Vec<Name> {
        SECOND_FIRES.map(Name::from).to_vec()
    }

    fn sides(&self) -> [Name; 2] {
        ["defender".into(), "attacker".into()]
    }

    fn value(&self, row: &Row) -> f64 {
        let result = Driven::ALL[usize::from(row[1])];
        let share = |lost: u16, stands: u8| f64::from(lost) / f64::from(stands);
        match (self.goal, result) {
            (Goal::DriveOff, Driven::Defender) => 1.0,
            (Goal::DriveOff, Driven::Attacker) => -1.0,
            (Goal::DriveOff, Driven::Neither) => 0.0,
            (Goal::Hold, result) => f64::from(u8::from(result != Driven::Attacker)),
            (Goal::Losses, _) => {
                share(row[3], self.charge.attacker().stands)
                    - share(row[4], self.charge.defender().stands)
            }
        }
    }

    fn show(&self, state: &State) -> Shown {
        let (attacker, defender) = Charge::conditions(state);
        let mut shown = Shown::new();
        for (side, unit) in [("attacker", &attacker), ("defender", &defender)] {
            for (name, value) in [
                ("stands", unit.stands),
                ("hits", unit.hits),
                ("panic", unit.panic),
            ] {
                let name = Name::from(format!("{side}_{name}"));
                shown.push((name, Value::Whole(value.into())));
            }
            if side == "attacker" {
                let eager = Value::Flag(unit.overenthusiastic);
                shown.push(("attacker_overenthusiastic".into(), eager));
            }
        }
        let starts = [self.charge.attacker(), self.charge.defender()].map(|unit| unit.start.grade);
        for (side, unit, start) in [
            ("attacker", &attacker, starts[0]),
            ("defender", &defender, starts[1]),
        ] {
            if start == Grade::Green {
                let name = Name::from(format!("{side}_grade"));
                shown.push((name, Value::Choice(unit.grade.label().into())));
            }
        }
        shown
    }

    fn plans(&self) -> Vec<FixedPlan> {
        vec![
            FixedPlan::first_of("always attempt", &[ATTEMPT]),
            FixedPlan::first_of("always decline", &[DECLINE]),
        ]
    }
}

pub(super) fn decision(charts: &Arc<Charts>) -> Decision {
    let mut all = essentials();
    all.push(Setting::choice("goal", Goal::DriveOff, "what the defender wants").from("composed"));
    let charts = Arc::clone(charts);
    Decision::new(
        Outline {
            name: "charge".into(),
            about: "A charge in which the defender decides whether to attempt its second fire."
                .into(),
            source: "Charge movement subphase, 6 and 8".into(),
            settings: all,
            variables: vec![
                Variable::category(
                    "outcome",
                    "how the charge ends",
                    Outcome::LABELS.iter().copied(),
                )
                .favouring(
                    Outcome::ALL
                        .iter()
                        .map(|&end| Driven::FAVOURS[driven(end).position()]),
                ),
                Driven::variable(
                    "result",
                    "who was driven off: attacker means that the defender was",
                ),
                Variable::yes_no("contact", "whether it came to melee"),
                Variable::count(
                    "attacker_stands_lost",
                    "attacking stands lost in this charge",
                ),
                Variable::count(
                    "defender_stands_lost",
                    "defending stands lost in this charge",
                ),
            ],
            notes: Vec::new(),
        },
        move |s| Decided::new(&charts, s),
    )
}
