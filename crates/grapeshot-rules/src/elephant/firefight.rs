//! Two units fire at each other, turn by turn.

use super::charts::Charts;
use super::commander::Fate;
use super::keys::{self, settings};
use super::morale::{Morale, Occasion};
use super::side::Side;
use super::unit::{Condition, Cover, IN_THE_OPEN, Regiment, Withdrew};
use super::volley::{Firer, Mark, Options, Volley};
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How a firefight ends.
    pub enum Outcome {
        ARetreats = "a-retreats" => Failure, ARouts = "a-routs" => Failure, ADestroyed = "a-destroyed" => Failure,
        BRetreats = "b-retreats" => Success, BRouts = "b-routs" => Success, BDestroyed = "b-destroyed" => Success,
        Undecided = "undecided" => Undecided,
    }
}

/// How a side can be out of the fight, in the order of [`Outcome`].
#[derive(Debug, Clone, Copy)]
enum Leaves {
    Retreats,
    Routs,
    Destroyed,
}

/// What the unit that acts does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Act {
    /// Nobody acts yet: the cards are drawn.
    Draw,
    Test,
    Fire,
}

/// Where a firefight stands. Side 0 is `a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    pub units: [Condition; 2],
    pub side: u8,
    pub act: Act,
    /// The other side has acted in this turn.
    last: bool,
}

/// Which side acts first in a turn.
#[derive(Debug)]
enum Order {
    Always(u8),
    Cards(Odds<u8>),
}

#[derive(Debug)]
pub(super) struct Firefight {
    charts: Arc<Charts>,
    pub regiments: [Regiment; 2],
    volleys: [Volley; 2],
    order: Order,
    turns: u16,
}

pub(super) const SIDES: [&str; 2] = ["a", "b"];

impl Firefight {
    pub(super) fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let tables = &charts.tables;
        let options = Options::read(s);
        let sides = SIDES.map(|side| Side::new(s, side));
        let [a, b] = &sides;
        for side in &sides {
            if side.flag("flank_fire") && side.flag("skirmishing") {
                return Err(side.refuse("flank_fire", "skirmishers have no flank"));
            }
        }
        let cover = |side: &Side<'_>| side.row("cover", Cover::Open);
        let regiment = |side: &Side<'_>| -> Result<Regiment, RuleError> {
            Ok(Regiment::read(tables, side)?.covered(cover(side) != IN_THE_OPEN))
        };
        let volley = |firing: &Side<'_>, target: &Side<'_>| -> Result<Volley, RuleError> {
            let mark = Mark::read(tables, target, cover(target))?;
            let firer = Firer::read(tables, firing)?;
            Ok(Volley::new(
                tables,
                &firer,
                &mark,
                s.whole("range"),
                options,
            ))
        };
        let cards = |side: &Side<'_>| side.whole("cards", 1) as u128;
        Ok(Firefight {
            regiments: [regiment(a)?, regiment(b)?],
            volleys: [volley(a, b)?, volley(b, a)?],
            order: match s.find("order") {
                Some(order) if order.is("b") => Order::Always(1),
                Some(order) if order.is("cards") => {
                    Order::Cards(Odds::weighted([(0, cards(a)), (1, cards(b))]))
                }
                _ => Order::Always(0),
            },
            turns: s.whole("turns") as u16,
            charts: Arc::clone(charts),
        })
    }

    /// Stands lost so far by a and b.
    pub(super) fn lost(&self, units: &[Condition; 2]) -> [u16; 2] {
        [0, 1].map(|side| u16::from(self.regiments[side].lost(&units[side])))
    }

    fn row(&self, outcome: Outcome, units: &[Condition; 2]) -> Row {
        let [a_lost, b_lost] = self.lost(units);
        let [a, b] = units;
        row(&[
            outcome.position() as u16,
            0,
            a_lost,
            b_lost,
            a.commander.position() as u16,
            b.commander.position() as u16,
            u16::from(a.out_of_ammo),
            u16::from(b.out_of_ammo),
        ])
    }

    fn ends(&self, side: usize, leaves: Leaves, units: &[Condition; 2]) -> Next<State> {
        let outcome = Outcome::ALL[3 * side + leaves as usize];
        Next::Done(self.row(outcome, units))
    }

    /// A side acts: with markers it tests first.
    fn activate(units: [Condition; 2], side: u8, last: bool) -> State {
        let act = match units[usize::from(side)].panic {
            0 => Act::Fire,
            _ => Act::Test,
        };
        State {
            units,
            side,
            act,
            last,
        }
    }

    /// A turn begins.
    fn begin_turn(&self, units: [Condition; 2]) -> State {
        match self.order {
            Order::Always(first) => Self::activate(units, first, false),
            Order::Cards(_) => State {
                units,
                side: 0,
                act: Act::Draw,
                last: false,
            },
        }
    }

    fn draw<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let first = match &self.order {
            Order::Always(first) => *first,
            Order::Cards(odds) => odds.roll(dice),
        };
        Next::Go(Self::activate(state.units, first, false))
    }

    fn test<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let side = usize::from(state.side);
        let unit = &mut state.units[side];
        let regiment = &self.regiments[side];
        let result = self
            .charts
            .morale
            .test(regiment, unit, Occasion::Steadiness, dice);
        // Overenthusiasm counts in combat only: nothing here asks for it.
        unit.overenthusiastic = false;
        let gone = unit.stands == 0;
        match result {
            Morale::Retreat => self.ends(side, Leaves::Retreats, &state.units),
            Morale::Rout => self.ends(side, Leaves::Routs, &state.units),
            _ if gone => self.ends(side, Leaves::Destroyed, &state.units),
            _ => {
                state.act = Act::Fire;
                Next::Go(state)
            }
        }
    }

    fn fire<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let side = usize::from(state.side);
        let other = 1 - side;
        let mut units = state.units;
        let (mut firer, mut target) = (units[side], units[other]);
        let regiment = &self.regiments[other];
        self.volleys[side].fire(&self.charts, &mut firer, regiment, &mut target, dice);
        // That it withdrew counts in its first turn only.
        firer.withdrew = Withdrew::No;
        units[side] = firer;
        units[other] = target;
        if target.stands == 0 {
            self.ends(other, Leaves::Destroyed, &units)
        } else if state.last {
            Next::NextTurn(self.begin_turn(units))
        } else {
            Next::Go(Self::activate(units, other as u8, true))
        }
    }
}

impl Steps for Firefight {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        let mut phases = vec!["a tests", "a fires", "b tests", "b fires"];
        if let Order::Cards(_) = self.order {
            phases.push("cards");
        }
        phases
    }

    fn start(&self) -> State {
        self.begin_turn(self.regiments.map(|regiment| regiment.start))
    }

    fn phase(&self, state: &State) -> usize {
        match state.act {
            Act::Test => 2 * usize::from(state.side),
            Act::Fire => 2 * usize::from(state.side) + 1,
            Act::Draw => 4,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match state.act {
            Act::Draw => self.draw(state, dice),
            Act::Test => self.test(state, dice),
            Act::Fire => self.fire(state, dice),
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, state: &State) -> Row {
        self.row(Outcome::Undecided, &state.units)
    }
}

/// What each side is that fires and is fired at, in a firefight and in a standoff.
pub(super) const UNIT: [&str; 10] = [
    "kind",
    "grade",
    "stands",
    "stands_lost",
    "hits",
    "panic",
    "weapon",
    "commander",
    "stationary",
    "marksmen",
];

/// How it stands under fire.
pub(super) const MARK: [&str; 2] = ["exposed", "ranks"];

/// How it fires, in a firefight alone.
const FIRER: [&str; 2] = ["skirmishing", "prolonging"];

/// What else there is to each side of a firefight.
const FURTHER: [&str; 10] = [
    "unlimbered",
    "prone",
    "cover",
    "csa_artillery",
    "out_of_ammo",
    "guns_weapon",
    "guns_stands",
    "flank_fire",
    "withdrew",
    "cards",
];

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let side = [&UNIT[..], &FIRER, &MARK, &FURTHER].concat();
    let mut all = settings("a", &side);
    all.extend(settings("b", &side));
    all.push(keys::range(&charts.tables));
    all.push(Setting::turns().from("Order of play"));
    all.push(
        Setting::one_of(
            "order",
            &["a", "b", "cards"],
            "a",
            "who acts first in a turn; cards: drawn anew each turn",
        )
        .from("Order of play"),
    );
    all.push(keys::ammo_rule());
    all.push(keys::close_range_rule());
    all.push(keys::commander_risk());
    let charts = Arc::clone(charts);
    Procedure {
        name: "firefight".into(),
        about: "Two units fire at each other and test until one leaves or time is up.".into(),
        source: "Order of play: morale phase, fire phase".into(),
        composed: true,
        settings: all,
        variables: vec![
            Outcome::variable("outcome", "how the firefight ends"),
            Variable::count("turns", "the turn in which it ended, or the last"),
            Variable::count("a_stands_lost", "stands lost by a"),
            Variable::count("b_stands_lost", "stands lost by b"),
            Fate::variable_of("a"),
            Fate::variable_of("b"),
            Variable::yes_no("a_out_of_ammo", "whether a is out of ammunition at the end"),
            Variable::yes_no("b_out_of_ammo", "whether b is out of ammunition at the end"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Firefight::new(&charts, s)?))),
    }
}
