//! Skirmishers are charged: they fall back, and may fire first.

use super::charts::Charts;
use super::keys::{self, setting, settings};
use super::morale::{Morale, Occasion};
use super::side::Side;
use super::unit::{Condition, IN_THE_OPEN, Regiment, markers_on};
use super::volley::{Firer, Mark, Options, Volley};
use crate::{Judged, Labels, Procedure, RuleError, Settings, Value};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How it ends; the skirmishers are those who act.
    pub enum Outcome {
        AttackerDestroyed = "attacker-destroyed" => Success, AttackerRouts = "attacker-routs" => Success,
        AttackerRetreats = "attacker-retreats" => Success, AttackerHalts = "attacker-halts" => Success,
        FallsBack = "falls-back" => Undecided, ScreenDestroyed = "screen-destroyed" => Failure,
        ScreenRouts = "screen-routs" => Failure, ScreenRetreats = "screen-retreats" => Failure,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Phase {
    StandTest,
    Fire,
    AttackerTest,
}

/// Where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    phase: Phase,
    screen: Condition,
    attacker: Condition,
}

#[derive(Debug)]
struct Screen {
    charts: Arc<Charts>,
    screen: Regiment,
    attacker: Regiment,
    /// None where they have fired already.
    volley: Option<Volley>,
}

impl Screen {
    fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let tables = &charts.tables;
        let (screen, attacker) = (Side::new(s, "screen"), Side::new(s, "attacker"));
        // They go back in the same phase, so they do not count as standing still.
        let firer = Firer {
            skirmishing: true,
            stationary: false,
            ..Firer::read(tables, &screen)?
        };
        let mark = Mark::read(tables, &attacker, IN_THE_OPEN)?;
        let range = s.whole("distance").min(tables.yards.skirmish_fire);
        let volley = Volley::new(tables, &firer, &mark, range, Options::read(s));
        Ok(Screen {
            charts: Arc::clone(charts),
            screen: Regiment::read(tables, &screen)?.covered(screen.flag("cover")),
            attacker: Regiment::read(tables, &attacker)?,
            volley: (!screen.flag("fired")).then_some(volley),
        })
    }

    fn ends(&self, outcome: Outcome, fired: bool, state: &State) -> Next<State> {
        Next::Done(self.row(outcome, fired, state))
    }

    fn row(&self, outcome: Outcome, fired: bool, state: &State) -> Row {
        row(&[
            outcome.position() as u16,
            u16::from(fired),
            u16::from(self.attacker.lost(&state.attacker)),
            u16::from(self.screen.lost(&state.screen)),
            u16::from(markers_on(&state.attacker)),
            u16::from(markers_on(&state.screen)),
        ])
    }

    /// 1. The skirmishers test to fire.
    fn stands<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        if self.volley.is_none() {
            return self.ends(Outcome::FallsBack, false, &state);
        }
        let (morale, screen) = (&self.charts.morale, &mut state.screen);
        let outcome = match morale.test(&self.screen, screen, Occasion::DefensiveFire, dice) {
            Morale::Overenthusiastic | Morale::Pass => {
                state.phase = Phase::Fire;
                return Next::Go(state);
            }
            Morale::Hit if screen.stands == 0 => Outcome::ScreenDestroyed,
            Morale::Hit => Outcome::FallsBack,
            Morale::Retreat => Outcome::ScreenRetreats,
            Morale::Rout => Outcome::ScreenRouts,
        };
        self.ends(outcome, false, &state)
    }

    /// 2. They fire.
    fn fires<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let Some(volley) = &self.volley else {
            return self.ends(Outcome::FallsBack, false, &state);
        };
        let (screen, attacker) = (&mut state.screen, &mut state.attacker);
        let fired = volley.fire(&self.charts, screen, &self.attacker, attacker, dice);
        if attacker.stands == 0 {
            self.ends(Outcome::AttackerDestroyed, true, &state)
        } else if fired.effective {
            state.phase = Phase::AttackerTest;
            Next::Go(state)
        } else {
            self.ends(Outcome::FallsBack, fired.rolled, &state)
        }
    }

    /// 3. Whoever was hit or shaken tests.
    fn attacker_tests<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let (morale, attacker) = (&self.charts.morale, &mut state.attacker);
        let outcome = match morale.test(&self.attacker, attacker, Occasion::Steadiness, dice) {
            Morale::Overenthusiastic | Morale::Pass => Outcome::FallsBack,
            Morale::Hit if attacker.stands == 0 => Outcome::AttackerDestroyed,
            Morale::Hit => Outcome::AttackerHalts,
            Morale::Retreat => Outcome::AttackerRetreats,
            Morale::Rout => Outcome::AttackerRouts,
        };
        self.ends(outcome, true, &state)
    }
}

impl Steps for Screen {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["screen's test to fire", "screen fires", "attacker's test"]
    }

    fn start(&self) -> State {
        State {
            phase: Phase::StandTest,
            screen: self.screen.start,
            attacker: self.attacker.start,
        }
    }

    fn phase(&self, state: &State) -> usize {
        state.phase as usize
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match state.phase {
            Phase::StandTest => self.stands(state, dice),
            Phase::Fire => self.fires(state, dice),
            Phase::AttackerTest => self.attacker_tests(state, dice),
        }
    }
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    let mut all = vec![keys::on_foot_or_horse("screen", "what the skirmishers are")];
    let screen = [
        "grade",
        "stands_lost",
        "hits",
        "panic",
        "weapon",
        "commander",
        "marksmen",
        "out_of_ammo",
        "in_cover",
        "fired",
    ];
    all.push(setting("screen", "stands").or(Value::Whole(3)));
    all.extend(settings("screen", &screen));
    all.push(keys::on_foot_or_horse("attacker", "who charges them"));
    let attacker = [
        "grade",
        "stands",
        "stands_lost",
        "hits",
        "panic",
        "commander",
        "ranks",
        "exposed",
    ];
    all.extend(settings("attacker", &attacker));
    all.push(keys::distance(3000, 150));
    all.push(keys::close_range_rule());
    Procedure {
        name: "screen".into(),
        about: "Skirmishers are charged: they may fire, and fall back.".into(),
        source: "Skirmishers, 10 and 11".into(),
        composed: false,
        settings: all,
        variables: vec![
            Outcome::variable("outcome", "how it ends"),
            Variable::yes_no("fired", "whether a die of fire was rolled"),
            Variable::count("attacker_stands_lost", "attacking stands lost"),
            Variable::count("screen_stands_lost", "stands the skirmishers lost"),
            Variable::count("attacker_panic", "markers on the attacker at the end"),
            Variable::count("screen_panic", "markers on the skirmishers at the end"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Screen::new(&charts, s)?))),
    }
}
