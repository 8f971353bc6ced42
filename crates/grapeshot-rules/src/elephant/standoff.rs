//! A standoff: fire, charge or withdraw, turn by turn.
//!
//! The firefight's own fire and tests, and the charge from whatever both units have come to. A unit that is
//! charged has its volleys although it also fires in its own turns: they belong to the enemy's movement.

use super::charge::{self, ATTEMPT, Charge, DECLINE, Ground, SECOND_FIRES, STAGES, fire_in};
use super::charts::Charts;
use super::firefight::{self, Act, Firefight, MARK, SIDES, UNIT};
use super::keys::{self, settings};
use super::side::Side;
use super::unit::{Condition, Cover, Grade, UnitKind};
use crate::standoff::{self, Choices, Driving, Ended, Ends, Leads, Parts, Standoff, WITHDRAW};
use crate::{Decision, Labels, Outline, RuleError, Setting, Settings, Shown, Value};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Name;
use grapeshot_engine::engine::{Chooser, Next, Offer, Steps};
use std::sync::Arc;

/// Who is driven off by which end.
const DRIVING: Driving = Driving {
    a: &["b-retreats", "b-routs", "b-destroyed", "a-wins"],
    b: &["a-retreats", "a-routs", "a-destroyed", "b-wins"],
    both: &[],
};

/// The firefight's phases; the charge's follow.
const FIRE_PHASES: usize = 4;

fn ends() -> Ends {
    Ends::new(
        firefight::Outcome::LABELS,
        charge::Outcome::LABELS,
        &[],
        DRIVING,
    )
}

/// Fire and charges of two units.
#[derive(Debug)]
struct Facing {
    firefight: Firefight,
    /// The charge of each side; none of guns.
    charges: [Option<Charge>; 2],
    /// Whether each side was set green: then its grade is shown.
    green: [bool; 2],
}

/// A charge of one of the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Charging {
    charger: u8,
    state: charge::State,
}

impl Charging {
    /// Both units, a first.
    fn units(&self) -> [Condition; 2] {
        let (attacker, defender) = Charge::conditions(&self.state);
        match self.charger {
            0 => [attacker, defender],
            _ => [defender, attacker],
        }
    }
}

impl Facing {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let sides = SIDES.map(|side| Side::new(s, side));
        let [a, b] = &sides;
        if a.kind == UnitKind::Artillery {
            return Err(a.refuse(
                "kind",
                "artillery may not charge, so there is nothing to decide",
            ));
        }
        let charge =
            |attacker: &Side<'_>, defender: &Side<'_>| -> Result<Option<Charge>, RuleError> {
                fire_in(attacker)?;
                if attacker.kind == UnitKind::Artillery {
                    return Ok(None);
                }
                let ground = Ground {
                    distance: s.whole("range"),
                    works: defender.row("cover", Cover::Open),
                    flank: false,
                };
                Charge::read(charts, s, [attacker, defender], ground).map(Some)
            };
        let charges = [charge(a, b)?, charge(b, a)?];
        let firefight = Firefight::new(charts, s)?;
        Ok(Facing {
            green: firefight
                .regiments
                .map(|unit| unit.start.grade == Grade::Green),
            firefight,
            charges,
        })
    }

    fn charge_of(&self, charging: &Charging) -> &Charge {
        let charge = &self.charges[usize::from(charging.charger)];
        charge.as_ref().expect("only who may charge is charging")
    }

    fn shown(&self, units: &[Condition; 2]) -> Shown {
        let mut shown = Shown::new();
        for (side, unit) in SIDES.iter().zip(units) {
            for (name, value) in [
                ("stands", unit.stands),
                ("hits", unit.hits),
                ("panic", unit.panic),
            ] {
                let name = Name::from(format!("{side}_{name}"));
                shown.push((name, Value::Whole(value.into())));
            }
        }
        for (at, (side, unit)) in SIDES.iter().zip(units).enumerate() {
            if self.green[at] {
                let name = Name::from(format!("{side}_grade"));
                shown.push((name, Value::Choice(unit.grade.label().into())));
            }
        }
        shown
    }
}

impl Parts for Facing {
    type Fight = firefight::State;
    type Charge = Charging;

    fn phases(&self) -> Vec<&str> {
        let mut phases = self.firefight.phases();
        phases.extend(&STAGES[1..]);
        phases
    }

    fn start(&self) -> firefight::State {
        self.firefight.start()
    }

    fn fight_phase(&self, fight: &firefight::State) -> usize {
        self.firefight.phase(fight)
    }

    fn charge_phase(&self, charging: &Charging) -> usize {
        FIRE_PHASES + self.charge_of(charging).phase(&charging.state)
    }

    fn about_to_fire(&self, fight: &firefight::State) -> Option<usize> {
        (fight.act == Act::Fire).then_some(usize::from(fight.side))
    }

    fn fight<D: Dice>(&self, fight: firefight::State, dice: &mut D) -> Leads<firefight::State> {
        match self.firefight.step(fight, dice) {
            Next::Go(next) => Leads::Go(next),
            Next::NextTurn(next) => Leads::NextTurn(next),
            Next::Done(row) => Leads::Ended(Ended {
                outcome: usize::from(row[0]),
                losses: [row[2], row[3]],
            }),
        }
    }

    fn charge_from(&self, fight: &firefight::State, side: usize) -> Option<Charging> {
        let charge = self.charges[side].as_ref()?;
        Some(Charging {
            charger: side as u8,
            state: charge.begin(fight.units[side], fight.units[1 - side]),
        })
    }

    fn charge<D: Dice>(&self, charging: Charging, dice: &mut D) -> Leads<Charging> {
        match self.charge_of(&charging).step(charging.state, dice) {
            Next::Go(state) => Leads::Go(Charging { state, ..charging }),
            Next::NextTurn(_) => unreachable!("a charge has no turns"),
            Next::Done(row) => {
                let mut losses = [row[2], row[3]];
                if charging.charger == 1 {
                    losses.reverse();
                }
                Leads::Ended(Ended {
                    outcome: usize::from(row[0]),
                    losses,
                })
            }
        }
    }

    fn charger(&self, charging: &Charging) -> usize {
        usize::from(charging.charger)
    }

    fn losses(&self, fight: &firefight::State) -> [u16; 2] {
        self.firefight.lost(&fight.units)
    }

    fn undecided(&self) -> usize {
        firefight::Outcome::Undecided.position()
    }

    fn show(&self, fight: &firefight::State) -> Shown {
        self.shown(&fight.units)
    }

    fn offer_in_charge(&self, charging: &Charging) -> Option<Offer<Charging>> {
        let [attempt, decline] = self.charge_of(charging).second_fires(&charging.state)?;
        let onward = |next: Next<charge::State>| match next {
            Next::Go(state) => Next::Go(Charging { state, ..*charging }),
            other => unreachable!("both ways of the choice go on: {other:?}"),
        };
        let first = WITHDRAW + 1;
        Some(Offer {
            chooser: match charging.charger {
                0 => Chooser::Enemy,
                _ => Chooser::Asking,
            },
            actions: vec![
                (first + ATTEMPT, onward(attempt)),
                (first + DECLINE, onward(decline)),
            ],
        })
    }

    fn more_actions(&self) -> Vec<Name> {
        SECOND_FIRES.map(Name::from).to_vec()
    }

    fn show_charge(&self, charging: &Charging) -> Shown {
        let mut shown = self.shown(&charging.units());
        let charger = SIDES[usize::from(charging.charger)];
        shown.push(("charged".into(), Value::Choice(charger.into())));
        let (attacker, _) = Charge::conditions(&charging.state);
        let eager = Value::Flag(attacker.overenthusiastic);
        shown.push(("overenthusiastic".into(), eager));
        shown
    }
}

/// What each side has besides what it has in a firefight: that of a charge.
const CHARGING: [&str; 7] = [
    "cover",
    "uphill",
    "crossing",
    "lance",
    "woods",
    "fires_in",
    "second_fire_or_best",
];

pub(super) fn decision(charts: &Arc<Charts>) -> Decision {
    let side = [&UNIT[..], &MARK, &CHARGING].concat();
    let mut all = settings("a", &side);
    all.extend(settings("b", &side));
    all.extend(settings("b", &["unlimbered"]));
    all.push(
        Setting::whole("range", 1..=3000, 100, "yards between the two")
            .from("Small arms and artillery fire factors; Charge movement subphase, 3"),
    );
    all.extend(keys::reach());
    all.extend(standoff::settings(6, Choices::Fire));
    let losses = [
        ("a_stands_lost", "stands lost by a"),
        ("b_stands_lost", "stands lost by b"),
    ];
    let charts = Arc::clone(charts);
    Decision::new(
        Outline {
            name: "standoff".into(),
            about: "Two units within reach of each other: fire, charge or withdraw?".into(),
            source: "Order of play; Charge movement subphase".into(),
            settings: all,
            variables: ends().variables(losses),
            notes: Vec::new(),
        },
        move |s| {
            let facing = Facing::new(&charts, s)?;
            let whole = facing
                .firefight
                .regiments
                .map(|unit| f64::from(unit.stands));
            Ok(Standoff::new(facing, ends(), s, whole))
        },
    )
}
