//! What becomes of an attached commander.
//!
//! A hit or a lost stand puts him in danger once: some dice, any 1 strikes him, and he rolls on the
//! printed table. Inside a fight several dangers come at once, and only the worst that comes of them
//! counts: their odds are worked out beforehand from the single danger, so that a fight rolls once.

use super::charts::Charts;
use super::tables::{CommanderTable, Markers, Tables};
use super::unit::{Condition, Regiment};
use crate::{Judged, Labels, Procedure, Setting};
use grapeshot_engine::dice::{Dice, Odds, Throw, branches};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Steps, row};
use std::sync::{Arc, OnceLock};

grapeshot_engine::labels! {
    /// The worst that happened to him.
    pub enum Fate {
        Absent = "none" => Undecided, Safe = "safe" => Success, Light = "light" => Undecided,
        Serious = "serious" => Failure, Killed = "killed" => Failure,
    }
}

impl Fate {
    /// Whether there is a commander fit to lead.
    pub(super) fn leads(self) -> bool {
        matches!(self, Fate::Safe | Fate::Light)
    }

    /// What another result makes of him: a second light wound is a serious one, else the worst stands.
    fn then(self, result: Fate) -> Fate {
        match (self, result) {
            (Fate::Light, Fate::Light) => Fate::Serious,
            _ => self.max(result),
        }
    }

    /// What is reported of a commander's fate in a fight.
    pub(super) fn variable_of(side: &str) -> Variable {
        let name = format!("{side}_commander");
        let the = if side.len() > 1 { "the " } else { "" };
        let meaning = format!("what becomes of {the}{side}'s commander");
        Variable::category(&name, &meaning, Fate::LABELS.iter().copied())
    }
}

/// What puts a commander in danger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Danger {
    /// A hit on his unit by fire.
    Hit,
    /// A stand his unit lost in combat.
    Stand,
}

/// The casualty dice.
#[derive(Debug)]
pub(super) struct Casualties {
    /// Whether he is struck, by danger.
    struck: [Odds<bool>; 2],
    table: Odds<Fate>,
    markers: Markers,
    /// The worst of so many dangers at once, by danger and by whether he has a light wound.
    worst: OnceLock<[[Vec<Odds<Fate>>; 2]; 2]>,
}

/// The most dangers that can come at once: a unit has forty stands at most.
const MOST: usize = 40;

impl Casualties {
    pub(super) fn new(tables: &Tables) -> Self {
        let CommanderTable {
            dice_for_a_hit,
            dice_for_a_stand,
            struck_by,
            faces: [killed, serious, light],
        } = tables.commander;
        let struck = [dice_for_a_hit, dice_for_a_stand]
            .map(|dice| Odds::new(Throw::pool_at_most(dice, 6, struck_by), |struck| struck > 0));
        Casualties {
            struck,
            table: Odds::new(Throw::d6(), |die| match i64::from(die) {
                n if n <= killed => Fate::Killed,
                n if n <= serious => Fate::Serious,
                n if n <= light => Fate::Light,
                _ => Fate::Safe,
            }),
            markers: tables.markers,
            worst: OnceLock::new(),
        }
    }

    /// Puts a commander in danger once; nothing is worse than death.
    fn endanger<D: Dice>(&self, fate: Fate, danger: Danger, dice: &mut D) -> Fate {
        if fate != Fate::Killed && self.struck[danger as usize].roll(dice) {
            fate.then(self.table.roll(dice))
        } else {
            fate
        }
    }

    /// So many dangers at once to a unit's commander, if he leads it and is at risk: what becomes of
    /// him, and the markers his unit gets for it, before any test.
    pub(super) fn befall<D: Dice>(
        &self,
        regiment: &Regiment,
        unit: &mut Condition,
        danger: Danger,
        times: u8,
        dice: &mut D,
    ) {
        if !regiment.commander_risk || !unit.commander.leads() || times == 0 {
            return;
        }
        let wounded = usize::from(unit.commander == Fate::Light);
        let worst = &self.worst()[danger as usize][wounded];
        unit.commander = worst[usize::from(times).min(MOST)].roll(dice);
        let [serious, killed] = self.markers.commander;
        match unit.commander {
            Fate::Serious => regiment.panics(unit, serious),
            Fate::Killed => regiment.panics(unit, killed),
            _ => {}
        }
    }

    fn worst(&self) -> &[[Vec<Odds<Fate>>; 2]; 2] {
        self.worst.get_or_init(|| {
            [Danger::Hit, Danger::Stand]
                .map(|danger| [Fate::Safe, Fate::Light].map(|fate| self.worst_of(danger, fate)))
        })
    }

    /// The odds of what becomes of him after 0, 1, 2 … dangers. Readings are positions of fates.
    fn worst_of(&self, danger: Danger, from: Fate) -> Vec<Odds<Fate>> {
        let certain = Odds::weighted([(from, 1)]);
        let more = |odds: &Odds<Fate>| {
            let (ways, _) = branches(|dice| {
                let fate = odds.roll(dice);
                self.endanger(fate, danger, dice)
            });
            let weight = |fate: Fate| ways.iter().find(|way| way.result == fate);
            let weights = Fate::ALL
                .iter()
                .map(|&fate| weight(fate).map_or(0, |way| way.weight));
            Odds::new(Throw::weighted(weights), |at| Fate::ALL[at as usize])
        };
        let mut all = vec![certain];
        for times in 0..MOST {
            all.push(more(&all[times]));
        }
        all
    }
}

/// What is still to be rolled, and the worst so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    hits: u8,
    stands: u8,
    fate: Fate,
}

/// A commander by himself.
#[derive(Debug)]
struct Commander {
    charts: Arc<Charts>,
    start: State,
}

impl Steps for Commander {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["in danger"]
    }

    fn start(&self) -> State {
        self.start
    }

    fn phase(&self, _: &State) -> usize {
        0
    }

    fn step<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let danger = if state.hits > 0 {
            state.hits -= 1;
            Danger::Hit
        } else if state.stands > 0 {
            state.stands -= 1;
            Danger::Stand
        } else {
            // Fates are reported without that of a commander who is not there.
            return Next::Done(row(&[state.fate.position() as u16 - 1]));
        };
        state.fate = self.charts.casualties.endanger(state.fate, danger, dice);
        Next::Go(state)
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    Procedure {
        name: "commander".into(),
        about: "What becomes of a commander whose unit takes losses.".into(),
        source: "Officers".into(),
        composed: false,
        settings: vec![
            Setting::whole("hits", 0..=12, 1, "hits his unit took from fire").from("Officers"),
            Setting::whole("stands_lost", 0..=6, 0, "stands his unit lost in melee")
                .from("Officers"),
        ],
        variables: vec![
            Variable::category(
                "fate",
                "the worst that happened to him",
                Fate::LABELS[1..].iter().copied(),
            )
            .favouring(Fate::FAVOURS[1..].iter().copied()),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| {
            Ok(Box::new(Commander {
                charts: Arc::clone(&charts),
                start: State {
                    hits: s.whole("hits") as u8,
                    stands: s.whole("stands_lost") as u8,
                    fate: Fate::Safe,
                },
            }))
        }),
    }
}
