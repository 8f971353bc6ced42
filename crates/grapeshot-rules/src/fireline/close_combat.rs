//! The procedures `melee`, an assault alone, and `charge`, an assault after the defender's fire.

use super::assault::{Holding, Outcome, Pair, Storming};
use super::charge::{Charge, Defence, Position, Progress, Stage};
use super::charts::Charts;
use super::stack::Stack;
use super::terrain::Terrain;
use super::unit::{Order, density, pre_fire, rounds, settings};
use super::volley::Crowd;
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

/// A charge of so many rounds.
#[derive(Debug)]
pub(super) struct CloseCombat {
    attacker: Stack,
    defender: Stack,
    charge: Charge,
    /// The fires that are made, then the rounds.
    phases: Vec<&'static str>,
    rounds: u16,
}

impl CloseCombat {
    pub(super) fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        if s.flag("attacker.lower") && s.flag("defender.lower") {
            let reason = "attacker.lower is set too, and only one side can stand lower";
            return Err(s.refuse("defender.lower", reason));
        }
        let attacker = Stack::read_fighting(&charts.tables, s, "attacker")?;
        let defender = Stack::read_fighting(&charts.tables, s, "defender")?;
        let defence = defence(charts, s)?;
        let sides = [&attacker, &defender];
        let charge = Charge::new(charts, sides, &storming(s), &holding(s), &defence);
        let mut phases = charge.fires_made();
        phases.push("rounds of assault");
        Ok(CloseCombat {
            attacker,
            defender,
            charge,
            phases,
            rounds: s.whole("rounds") as u16,
        })
    }

    /// A row; the engine fills in the rounds.
    fn row(&self, Pair { attacker, defender }: Pair, outcome: Outcome) -> Row {
        row(&[
            outcome.position() as u16,
            0,
            u16::from(attacker.taken),
            u16::from(defender.taken),
            attacker.order.position() as u16,
            defender.order.position() as u16,
            self.attacker.units_lost(attacker),
            self.defender.units_lost(defender),
        ])
    }

    #[cfg(test)]
    pub(super) fn charge(&self) -> &Charge {
        &self.charge
    }
}

fn storming(s: &Settings) -> Storming {
    Storming {
        charge: s.flag("attacker.charge"),
        lower: s.flag("attacker.lower"),
        run: s.flag("attacker.run"),
        marsh: s.flag("attacker.marsh"),
        clear_hex: s.flag("attacker.clear_hex"),
        crowd: Crowd::read(s, "attacker"),
    }
}

fn holding(s: &Settings) -> Holding {
    Holding {
        lower: s.flag("defender.lower"),
        wall: s.flag("defender.wall") && s.flag("wall_in_assault"),
        flanked: s.flag("defender.flanked"),
        clear_hex: s.flag("defender.clear_hex"),
        crowd: Crowd::read(s, "defender"),
    }
}

/// The defender's fire; a melee has no keys for it, and none.
fn defence(charts: &Charts, s: &Settings) -> Result<Defence, RuleError> {
    let (wall, fence) = (s.flag("defender.wall"), s.flag_or_off("defender.fence"));
    let mfz = s.whole_or("defender.mfz", 1);
    let terrain = &charts.tables.terrain;
    let reach = [
        (true, terrain.mfz_clear),
        (s.flag("attacker.lower"), terrain.mfz_slope),
        (wall || fence, terrain.mfz_abatis),
    ];
    let reach = reach.into_iter().filter(|(applies, _)| *applies);
    if reach.map(|(_, hexes)| hexes).max() < Some(mfz) {
        let reason = "a fire zone reaches so far only down a slope (attacker.lower) or through a wall, abatis or fence (defender.wall, defender.fence)";
        return Err(s.refuse("defender.mfz", reason));
    }
    Ok(Defence {
        advance: s.flag_or_off("advance_volley").then_some(mfz),
        pre_assault: s.flag_or_off("pre_fire"),
        marker: s.flag_or_off("defender.advance_fire"),
        behind_wall: wall || fence,
        terrain: s.choice_or("attacker.terrain", Terrain::Clear),
    })
}

impl Steps for CloseCombat {
    type State = Position;

    fn phases(&self) -> Vec<&str> {
        self.phases.clone()
    }

    fn start(&self) -> Position {
        self.charge
            .begin(self.attacker.start(), self.defender.start())
    }

    fn phase(&self, position: &Position) -> usize {
        let rounds = self.phases.len() - 1;
        match position.stage {
            Stage::AdvanceFire => 0,
            Stage::PreAssaultFire => rounds - 1,
            Stage::Round(_) => rounds,
        }
    }

    fn step<D: Dice>(&self, position: Position, dice: &mut D) -> Next<Position> {
        match self.charge.step(position, dice) {
            Progress::Goes(position) => Next::Go(position),
            Progress::NextRound(position) => Next::NextTurn(position),
            Progress::Over(pair, outcome) => Next::Done(self.row(pair, outcome)),
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock {
            first: u16::from(self.phases.len() == 1),
            last: self.rounds,
            variable: 1,
        })
    }

    fn time_up(&self, position: &Position) -> Row {
        self.row(position.pair, Outcome::Stalled)
    }
}

const ATTACKER: [&str; 6] = ["charge", "lower", "run", "marsh", "dense", "clear_hex"];
const DEFENDER: [&str; 5] = ["lower", "wall", "flanked", "dense", "clear_hex"];

/// The keys of an assault, and others of each side.
fn assault_settings(attacker: &[&str], defender: &[&str]) -> Vec<Setting> {
    let mut keys = settings("attacker", &[&ATTACKER[..], attacker].concat());
    keys.extend(settings("defender", &[&DEFENDER[..], defender].concat()));
    keys.extend([rounds(), density()]);
    keys.push(
        Setting::flag_on(
            "wall_in_assault",
            "a wall costs any attacker its modifier, as in the schedule; off, it does not, as in the terrain chart",
        )
        .from("Terrain Effects Chart, note (l); Fire Line Modifiers Schedule, Assault Combat Only"),
    );
    keys
}

fn variables(outcomes: usize) -> Vec<Variable> {
    let order = Order::LABELS.iter().copied();
    vec![
        Variable::category(
            "outcome",
            "how the assault ends",
            Outcome::LABELS[..outcomes].iter().copied(),
        )
        .favouring(Outcome::FAVOURS[..outcomes].iter().copied()),
        Variable::count("rounds", "rounds fought"),
        Variable::count("attacker_o_hits", "O hits the attacker takes"),
        Variable::count("defender_o_hits", "O hits the defender takes"),
        Variable::category(
            "attacker_state",
            "the order the attacker is left in",
            order.clone(),
        ),
        Variable::category("defender_state", "the order the defender is left in", order),
        Variable::count("attacker_units_lost", "units of the attacker destroyed"),
        Variable::count("defender_units_lost", "units of the defender destroyed"),
    ]
}

pub(super) fn melee(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    Procedure {
        name: "melee".into(),
        about:
            "An assault: both sides fire at once in each round until one is routed or destroyed."
                .into(),
        source: "Fire Line Modifiers Schedule, Assault Combat Only; Combat Results Table".into(),
        composed: false,
        settings: assault_settings(&[], &[]),
        // Nobody is repulsed where nobody fires first.
        variables: variables(Outcome::AttackerRepulsed.position()),
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(CloseCombat::new(&charts, s)?))),
    }
}

pub(super) fn charge(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    let mut keys = assault_settings(&["terrain"], &["mfz", "advance_fire", "fence"]);
    keys.push(pre_fire());
    keys.push(
        Setting::flag(
            "advance_volley",
            "the defender makes advance fire, before any fire just before the assault",
        )
        .from("Fire Line Modifiers Schedule, Target Advance/Pre-Assault"),
    );
    Procedure {
        name: "charge".into(),
        about: "The defender's fire at an attacker that comes on, then the assault.".into(),
        source: "Composed from fire and assault".into(),
        composed: true,
        settings: keys,
        variables: variables(Outcome::LABELS.len()),
        notes: vec![
            "attacker.terrain is the ground the attacker is fired on in; attacker.marsh, attacker.run and attacker.clear_hex are set apart from it. defender.mfz is the range of the advance fire and changes nothing without advance_volley.".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(CloseCombat::new(&charts, s)?))),
    }
}
