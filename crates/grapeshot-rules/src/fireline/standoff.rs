//! Standoff: two units one hex apart, each of which may fire, charge or withdraw when its turn comes.
//!
//! Nothing is played here that is not played elsewhere: the fire is the firefight's, and a charge begins
//! in whatever condition that fire has left both units. Only the rounds of its assault are counted here,
//! for the clock counts the turns.

use super::assault::{Holding, Outcome as Assaulted, Pair, Storming};
use super::charge::{Charge, Defence, Position, Progress, Stage};
use super::charts::Charts;
use super::firefight::{Exchange, Facing, Fired, Outcome as Fought};
use super::terrain::Terrain;
use super::unit;
use super::volley::Crowd;
use crate::standoff::{self, Choices, Driving, Ended, Ends, Leads, Parts, SIDES, Standoff};
use crate::{Decision, Labels, Of, Outline, RuleError, Setting, Settings, Shown, Value};
use grapeshot_engine::dice::Dice;
use std::sync::Arc;

/// Two units that face each other.
#[derive(Debug)]
struct Face {
    exchange: Exchange,
    /// The charge of each side.
    charges: [Charge; 2],
    /// What the fires of a charge and its rounds are called, after the fire of both sides.
    phases: Vec<&'static str>,
    rounds: u8,
}

/// A charge that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Charging {
    charger: u8,
    /// The round that is fought; 0 while the defender fires.
    round: u8,
    position: Position,
}

impl Face {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        if s.flag("a.lower") && s.flag("b.lower") {
            let reason = "a.lower is set too, and only one side can stand lower";
            return Err(s.refuse("b.lower", reason));
        }
        let exchange = Exchange::new(charts, s, charts.tables.standoff_range)?;
        let charges = [0, 1].map(|charger| charge(charts, s, &exchange, charger));
        let mut phases = exchange.phases().to_vec();
        phases.extend(charges[0].fires_made());
        phases.push("rounds of assault");
        Ok(Face {
            exchange,
            charges,
            phases,
            rounds: s.whole("rounds") as u8,
        })
    }
}

/// The charge of one side at the other. Its own wall and flanks do not count, and it assaults out of the
/// ground it stands on.
fn charge(charts: &Arc<Charts>, s: &Settings, exchange: &Exchange, charger: usize) -> Charge {
    let [own, other] = [SIDES[charger], SIDES[1 - charger]];
    let flag = |side: &str, name: &str| s.flag(Of(side, name));
    let terrain: Terrain = s.choice(&format!("{own}.terrain"));
    let storming = Storming {
        charge: flag(own, "charge"),
        lower: flag(own, "lower"),
        run: flag(own, "run") || terrain == Terrain::Run,
        marsh: terrain == Terrain::Marsh,
        clear_hex: flag(own, "clear_hex"),
        crowd: Crowd::read(s, own),
    };
    let holding = Holding {
        lower: flag(other, "lower"),
        wall: flag(other, "wall"),
        flanked: flag(other, "flanked"),
        clear_hex: flag(other, "clear_hex"),
        crowd: Crowd::read(s, other),
    };
    let defence = Defence {
        advance: None,
        pre_assault: s.flag("pre_fire"),
        marker: false,
        behind_wall: flag(other, "wall") || flag(other, "behind_wall"),
        terrain,
    };
    let stacks = [exchange.stack(charger), exchange.stack(1 - charger)];
    Charge::new(charts, stacks, &storming, &holding, &defence)
}

impl Parts for Face {
    type Fight = Facing;
    type Charge = Charging;

    fn phases(&self) -> Vec<&str> {
        self.phases.clone()
    }

    fn start(&self) -> Facing {
        self.exchange.start()
    }

    fn fight_phase(&self, facing: &Facing) -> usize {
        facing.firing()
    }

    fn charge_phase(&self, charging: &Charging) -> usize {
        match charging.position.stage {
            Stage::AdvanceFire | Stage::PreAssaultFire => self.exchange.phases().len(),
            Stage::Round(_) => self.phases.len() - 1,
        }
    }

    fn about_to_fire(&self, facing: &Facing) -> Option<usize> {
        Some(facing.firing())
    }

    fn fight<D: Dice>(&self, facing: Facing, dice: &mut D) -> Leads<Facing> {
        match self.exchange.fire(facing, dice) {
            Fired::Answered(next) if facing.firing() == 0 => Leads::Go(next),
            Fired::Answered(next) => Leads::NextTurn(next),
            Fired::Over(last, outcome) => Leads::Ended(Ended {
                outcome: outcome.position(),
                losses: last.hits(),
            }),
        }
    }

    /// Any unit may assault, a disrupted one too.
    fn charge_from(&self, facing: &Facing, charger: usize) -> Option<Charging> {
        let [own, other] = [facing.units[charger], facing.units[1 - charger]];
        let position = self.charges[charger].begin(own, other);
        Some(Charging {
            charger: charger as u8,
            round: u8::from(matches!(position.stage, Stage::Round(_))),
            position,
        })
    }

    fn charge<D: Dice>(&self, charging: Charging, dice: &mut D) -> Leads<Charging> {
        let charger = self.charger(&charging);
        let ended = |pair: Pair, outcome: Assaulted| {
            let mut losses = [pair.attacker, pair.defender].map(|unit| u16::from(unit.taken));
            losses.rotate_right(charger);
            Leads::Ended(Ended {
                outcome: outcome.position(),
                losses,
            })
        };
        match self.charges[charger].step(charging.position, dice) {
            Progress::Goes(position) => Leads::Go(Charging {
                position,
                ..charging
            }),
            Progress::NextRound(position) if charging.round < self.rounds => Leads::Go(Charging {
                position,
                round: charging.round + 1,
                ..charging
            }),
            Progress::NextRound(position) => ended(position.pair, Assaulted::Stalled),
            Progress::Over(pair, outcome) => ended(pair, outcome),
        }
    }

    fn charger(&self, charging: &Charging) -> usize {
        usize::from(charging.charger)
    }

    fn losses(&self, facing: &Facing) -> [u16; 2] {
        facing.hits()
    }

    fn undecided(&self) -> usize {
        Fought::Undecided.position()
    }

    fn show(&self, facing: &Facing) -> Shown {
        let side = |side: usize| {
            let unit = facing.units[side];
            let counter = self.exchange.stack(side).counter(unit);
            [
                ("state", Value::Choice(unit.order.label().into())),
                ("o_hits", Value::Whole(i64::from(counter.o_hits))),
                ("reduced", Value::Flag(counter.reduced)),
            ]
            .map(|(name, value)| (format!("{}_{name}", SIDES[side]).into(), value))
        };
        [side(0), side(1)].concat()
    }
}

/// Everything that ends it.
fn ends() -> Ends {
    Ends::new(
        Fought::LABELS,
        Assaulted::LABELS,
        &[],
        Driving {
            a: &["b-routs", "b-destroyed", "b-repulsed", "a-wins"],
            b: &["a-routs", "a-destroyed", "a-repulsed", "b-wins"],
            both: &["mutual"],
        },
    )
}

const SIDE: [&str; 9] = [
    "clear_hex",
    "behind_wall",
    "terrain",
    "lower",
    "wall",
    "flanked",
    "dense",
    "charge",
    "run",
];

fn settings() -> Vec<Setting> {
    let sides = SIDES.iter().flat_map(|side| unit::single(side, &SIDE));
    let mut keys: Vec<Setting> = sides.collect();
    keys.extend([unit::pre_fire(), unit::rounds()]);
    keys.extend(standoff::settings(6, Choices::Fire));
    keys
}

pub(super) fn decision(charts: &Arc<Charts>) -> Decision {
    let charts = Arc::clone(charts);
    let losses = [
        ("a_o_hits", "O hits a takes"),
        ("b_o_hits", "O hits b takes"),
    ];
    let outline = Outline {
        name: "standoff".into(),
        about: "Two units a hex apart: each turn a side fires, charges or withdraws.".into(),
        source: "Composed from fire and charge".into(),
        settings: settings(),
        variables: ends().variables(losses),
        notes: vec![
            "A charge is fought from the condition both units are in, out of the ground the charger stands on; its own wall and flank do not count, and the fire at it comes on top of the defender's own turns.".into(),
        ],
    };
    Decision::new(outline, move |s| {
        let face = Face::new(&charts, s)?;
        let [full, reduced] = charts.tables.hits.map(f64::from);
        Ok(Standoff::new(face, ends(), s, [full + reduced; 2]))
    })
}
