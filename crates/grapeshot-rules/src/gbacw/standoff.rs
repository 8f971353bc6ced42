//! A standoff: two units exchange fire, and each may charge from where it stands, or leave.
//!
//! The fire is the firefight's and the charge the charge's, both from whatever the units have come
//! to. Neither ammunition nor what else stands in a hex is asked for here.

use super::charge::{self, Assault, Foes};
use super::exchange::{Exchange, SIDES};
use super::fire::FireChart;
use super::firefight::{self, broken};
use super::melee::MeleeChart;
use super::unit::{Condition, Morale, Unit, settings};
use crate::standoff::{self, Choices, Driving, Ended, Ends, Leads, Parts, Standoff};
use crate::{Decision, Labels, Of, Outline, Setting, Settings, Shown, Value};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Name;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Who is driven off by which end.
const DRIVING: Driving = Driving {
    a: &["b-routs", "b-eliminated", "a-wins"],
    b: &["a-routs", "a-eliminated", "b-wins"],
    both: &["both-fall-back"],
};

/// A charge says destroyed where a firefight says eliminated.
const RENAMED: [(&str, &str); 2] = [
    ("a-destroyed", "a-eliminated"),
    ("b-destroyed", "b-eliminated"),
];

fn ends() -> Ends {
    Ends::new(
        firefight::Outcome::LABELS,
        charge::Outcome::LABELS,
        &RENAMED,
        DRIVING,
    )
}

/// Fire and charges of two units.
#[derive(Debug)]
struct Facing {
    exchange: Exchange,
    /// The charge of each side.
    assaults: [Assault; 2],
    /// Whether each side was set green: then its morale is shown.
    green: [bool; 2],
}

/// The units, the one to act, and whether it is pinned; the other has fired, and is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Fight {
    units: [Unit; 2],
    acts: u8,
    pinned: bool,
}

/// A charge of one of the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Charge {
    charger: u8,
    state: charge::State,
}

impl Facing {
    fn new(fire: &Arc<FireChart>, melee: &Arc<MeleeChart>, s: &Settings) -> Self {
        let exchange = Exchange::new(fire, s);
        Facing {
            assaults: SIDES.map(|side| Assault::new(fire, melee, s.whole(Of(side, "melee_shift")))),
            green: exchange.start().map(|unit| unit.morale == Morale::Green),
            exchange,
        }
    }
}

impl Parts for Facing {
    type Fight = Fight;
    type Charge = Charge;

    fn phases(&self) -> Vec<&str> {
        [firefight::PHASES.as_slice(), charge::PHASES.as_slice()].concat()
    }

    fn start(&self) -> Fight {
        Fight {
            units: self.exchange.start(),
            acts: 0,
            pinned: false,
        }
    }

    fn fight_phase(&self, fight: &Fight) -> usize {
        usize::from(fight.acts)
    }

    fn charge_phase(&self, charge: &Charge) -> usize {
        firefight::PHASES.len() + charge.state.phase()
    }

    fn about_to_fire(&self, fight: &Fight) -> Option<usize> {
        Some(usize::from(fight.acts))
    }

    fn fight<D: Dice>(&self, mut fight: Fight, dice: &mut D) -> Leads<Fight> {
        let firer = usize::from(fight.acts);
        let at = 1 - firer;
        let (condition, _) = self
            .exchange
            .fire(&mut fight.units, firer, fight.pinned, dice);
        if let Some(outcome) = broken(at, condition) {
            return Leads::Ended(Ended {
                outcome: outcome.position(),
                losses: self.exchange.lost(&fight.units),
            });
        }
        fight.acts = at as u8;
        fight.pinned = condition == Condition::Pinned;
        match firer {
            0 => Leads::Go(fight),
            _ => Leads::NextTurn(fight),
        }
    }

    fn charge_from(&self, fight: &Fight, side: usize) -> Option<Charge> {
        // A pin stops a charge before it has begun.
        (!fight.pinned).then(|| Charge {
            charger: side as u8,
            state: charge::State::Volley {
                column: self.exchange.column(&fight.units, 1 - side, false) as u8,
                foes: Foes {
                    attacker: fight.units[side],
                    defender: fight.units[1 - side],
                },
            },
        })
    }

    fn charge<D: Dice>(&self, charge: Charge, dice: &mut D) -> Leads<Charge> {
        let charger = usize::from(charge.charger);
        match self.assaults[charger].step(charge.state, dice) {
            ControlFlow::Continue(state) => Leads::Go(Charge { state, ..charge }),
            ControlFlow::Break(ended) => {
                let mut units = [ended.foes.attacker, ended.foes.defender];
                if charger == 1 {
                    units.reverse();
                }
                Leads::Ended(Ended {
                    outcome: ended.outcome.position(),
                    losses: self.exchange.lost(&units),
                })
            }
        }
    }

    fn charger(&self, charge: &Charge) -> usize {
        usize::from(charge.charger)
    }

    fn losses(&self, fight: &Fight) -> [u16; 2] {
        self.exchange.lost(&fight.units)
    }

    fn undecided(&self) -> usize {
        firefight::Outcome::Undecided.position()
    }

    fn show(&self, fight: &Fight) -> Shown {
        let mut shown = Shown::new();
        let mut tell = |side: &str, name: &str, value: Value| {
            shown.push((Name::from(format!("{side}_{name}")), value));
        };
        for (at, side) in SIDES.into_iter().enumerate() {
            let Unit { sp, morale } = fight.units[at];
            let pinned = fight.pinned && usize::from(fight.acts) == at;
            tell(side, "sp", Value::Whole(sp.into()));
            tell(side, "pinned", Value::Flag(pinned));
            if self.green[at] {
                tell(side, "morale", morale.shown());
            }
        }
        shown
    }
}

pub(super) fn decision(fire: &Arc<FireChart>, melee: &Arc<MeleeChart>) -> Decision {
    let (fire, melee) = (Arc::clone(fire), Arc::clone(melee));
    let names = ["sp", "morale", "fire_per_sp", "melee_shift"];
    let mut keys: Vec<Setting> = SIDES
        .iter()
        .flat_map(|side| settings(side, &names))
        .collect();
    keys.extend(standoff::settings(6, Choices::Fire));
    let losses = [
        ("a_sp_lost", "strength points a lost"),
        ("b_sp_lost", "strength points b lost"),
    ];
    Decision::new(
        Outline {
            name: "standoff".into(),
            about: "Two units within reach of each other: fire, charge or leave?".into(),
            source: "[9.16] Fire Combat Results Table; [12.98] Melee Combat Results Table".into(),
            settings: keys,
            variables: ends().variables(losses),
            notes: Vec::new(),
        },
        move |s| {
            let facing = Facing::new(&fire, &melee, s);
            let whole = facing.exchange.start().map(|unit| f64::from(unit.sp));
            Ok(Standoff::new(facing, ends(), s, whole))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gbacw::Charts;
    use crate::testing::{odds, pairs, planned};
    use grapeshot_engine::dist::Distribution;

    /// Checks that the chances of labels of the one are those of labels of the other.
    fn same(one: (&Distribution, &str), other: (&Distribution, &str), labels: &[(&str, &str)]) {
        let (left, right) = (one.0.marginal(one.1), other.0.marginal(other.1));
        let (left, right) = (left.expect("a variable"), right.expect("a variable"));
        let mut seen = 0.0;
        for (a, b) in labels {
            let (p, q) = (left.p(a), right.p(b));
            assert!((p - q).abs() < 1e-12, "{a} {p}, {b} {q}");
            seen += p;
        }
        assert!((seen - 1.0).abs() < 1e-12, "nothing else happens: {seen}");
    }

    const COUNTS: [(&str, &str); 10] = [
        ("0", "0"),
        ("1", "1"),
        ("2", "2"),
        ("3", "3"),
        ("4", "4"),
        ("5", "5"),
        ("6", "6"),
        ("7", "7"),
        ("8", "8"),
        ("9", "9"),
    ];

    #[test]
    fn a_standoff_in_which_everybody_fires_is_a_firefight() {
        let given = "a.sp=6 a.fire_per_sp=1.5 a.morale=green b.sp=5 b.morale=4 turns=5";
        let stands = planned("gbacw", "standoff", given, "always fire");
        let fight = odds("gbacw", "firefight", given);
        let ends = firefight::Outcome::LABELS;
        let ends: Vec<(&str, &str)> = ends.iter().map(|end| (*end, *end)).collect();
        same((&stands, "outcome"), (&fight, "outcome"), &ends);
        for variable in ["turns", "a_sp_lost", "b_sp_lost"] {
            same((&stands, variable), (&fight, variable), &COUNTS);
        }
    }

    #[test]
    fn a_standoff_charged_at_once_is_a_charge_against_the_fire_of_the_next_turn() {
        let given = "a.sp=7 a.morale=green a.melee_shift=2 b.sp=5 b.fire_per_sp=2.5 b.morale=2 \
                     b.melee_shift=-9";
        let stands = planned("gbacw", "standoff", given, "charge at once");
        let charge = odds(
            "gbacw",
            "charge",
            "attacker.strength=7 attacker.morale=green shift=2 \
             defender.strength=5 defender.morale=2 defender.fire=12",
        );
        let ends = [
            ("a-pinned", "attacker-pinned"),
            ("a-routs", "attacker-routs"),
            ("a-eliminated", "attacker-destroyed"),
            ("a-wins", "attacker-wins"),
            ("b-wins", "defender-wins"),
            ("engaged", "engaged"),
            ("both-fall-back", "both-fall-back"),
        ];
        same((&stands, "outcome"), (&charge, "outcome"), &ends);
        same(
            (&stands, "a_sp_lost"),
            (&charge, "attacker_sp_lost"),
            &COUNTS,
        );
        same(
            (&stands, "b_sp_lost"),
            (&charge, "defender_sp_lost"),
            &COUNTS,
        );
        assert!((stands.marginal("charged").unwrap().p("a") - 1.0).abs() < 1e-12);
    }

    fn facing(given: &str) -> Facing {
        let Charts { fire, melee, .. } = Charts::printed();
        let settings = decision(&fire, &melee).procedure.resolve(pairs(given));
        Facing::new(&fire, &melee, &settings.expect("good settings"))
    }

    #[test]
    fn a_pinned_unit_may_not_charge() {
        let facing = facing("");
        let mut fight = facing.start();
        assert!(facing.charge_from(&fight, 0).is_some());
        fight.pinned = true;
        assert!(facing.charge_from(&fight, 0).is_none());
    }

    #[test]
    fn a_charge_starts_from_what_is_left_of_both() {
        let facing = facing("a.sp=9 b.sp=9");
        let mut fight = facing.start();
        (fight.units[0].sp, fight.units[1].sp, fight.acts) = (2, 4, 1);
        // b charges: a fires 4 at four points, in the third column.
        let Some(charge) = facing.charge_from(&fight, 1) else {
            panic!("nobody is pinned");
        };
        let foes = Foes {
            attacker: fight.units[1],
            defender: fight.units[0],
        };
        let volley = charge::State::Volley { column: 2, foes };
        assert_eq!((charge.charger, charge.state), (1, volley));
        assert_eq!(facing.charger(&charge), 1);
        assert_eq!(facing.about_to_fire(&fight), Some(1));
    }

    #[test]
    fn a_state_shows_strength_and_pins_and_the_morale_of_green_troops_only() {
        let facing = facing("b.morale=green");
        let mut fight = facing.start();
        let shown = |fight: &Fight| {
            let shown = facing.show(fight).into_iter();
            let words: Vec<String> = shown
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            words.join(" ")
        };
        assert_eq!(
            shown(&fight),
            "a_sp=4 a_pinned=false b_sp=4 b_pinned=false b_morale=green"
        );
        (fight.acts, fight.pinned, fight.units[1].morale) = (1, true, Morale::Two);
        assert_eq!(
            shown(&fight),
            "a_sp=4 a_pinned=false b_sp=4 b_pinned=true b_morale=2"
        );
    }

    #[test]
    fn only_the_keys_of_a_standoff_are_known() {
        let Charts { fire, melee, .. } = Charts::printed();
        let procedure = decision(&fire, &melee).procedure;
        for given in [
            "a.shift=1",
            "b.wagons=1",
            "shift=1",
            "turns=21",
            "goal=hold",
        ] {
            assert!(procedure.resolve(pairs(given)).is_err(), "{given}");
        }
    }
}
