//! The charge: the printed sequence of movement, defensive fire, tests and combat.
//!
//! A [`Charge`] can begin in any condition of both sides ([`Charge::begin`]), and its steps can be
//! taken as part of something larger. Several attacking units come on together; the defender fires
//! at the one that leads.

mod orders;
mod procedure;
mod reach;

pub(super) use orders::{Ground, fire_in};
pub(super) use procedure::{essentials, procedure, settings, variables};

use super::assault::Assault;
use super::charts::Charts;
use super::combat::{Combat, Fray, Winner, learn_grades};
use super::morale::{Morale, Occasion};
use super::unit::{Condition, Regiment, markers_on};
use super::volley::Volley;
use crate::Labels;
use grapeshot_engine::dice::{Dice, Odds};
use grapeshot_engine::engine::{Chooser, Next, Offer, Row, Steps, row};
use reach::Reach;
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How a charge ends.
    pub enum Outcome {
        AttackerWins = "attacker-wins" => Success, DefenderRetreats = "defender-retreats" => Success,
        DefenderRouts = "defender-routs" => Success, DefenderDestroyed = "defender-destroyed" => Success,
        Engaged = "engaged" => Undecided, DefenderWins = "defender-wins" => Failure,
        AttackerHalts = "attacker-halts" => Failure, AttackerRetreats = "attacker-retreats" => Failure,
        AttackerRouts = "attacker-routs" => Failure, AttackerDestroyed = "attacker-destroyed" => Failure,
        Short = "short" => Failure,
    }
}

/// The steps of the printed sequence that can need dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Phase {
    Preparation,
    Advance,
    FirstVolley,
    FirstTest,
    /// The defender decides whether to attempt a second fire.
    Choice,
    StandTest,
    SecondVolley,
    SecondTest,
    /// So many units have fired in.
    FireIn(u8),
    Receive,
    Melee,
    /// From the second die on.
    Fray(Fray),
}

/// What a player calls them: a volley and the test it causes are one stage.
pub(super) const STAGES: [&str; 8] = [
    "fire before the charge",
    "advance",
    "first volley",
    "defender's test to fire again",
    "second volley",
    "attacker fires in",
    "defender's test to receive",
    "melee",
];

/// The defender's choices about a second fire, in the order of ties.
pub(super) const SECOND_FIRES: [&str; 2] = ["attempt", "decline"];
pub(super) const ATTEMPT: u16 = 0;
pub(super) const DECLINE: u16 = 1;

/// Where a charge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    phase: Phase,
    assault: Assault,
    defender: Condition,
    /// The move did not reach; the charge ends after the first volley.
    short: bool,
}

/// Fire of the attacker's friends before the charge.
#[derive(Debug)]
struct Preparation {
    volley: Volley,
    friends: Condition,
    /// It comes from the defender's flank or rear.
    flank: bool,
}

/// What the defender does about a second fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SecondFire {
    /// It tests for it.
    Attempt,
    /// It chooses, knowing what the first volley did.
    Choose,
    /// It does not, or cannot.
    None,
}

/// A charge with everything about it looked up.
#[derive(Debug)]
pub(super) struct Charge {
    charts: Arc<Charts>,
    combat: Combat,
    attacker: Regiment,
    defender: Regiment,
    /// Equal units that come on together.
    attackers: u8,
    preparation: Option<Preparation>,
    reach: Option<Odds<Reach>>,
    first_volley: Option<Volley>,
    second_fire: SecondFire,
    second_volley: Volley,
    /// Being fired on where it crosses costs the attacker a marker more.
    obstacle: bool,
    fire_in: Option<Volley>,
}

impl Charge {
    /// A charge from these conditions of both sides.
    pub(super) fn begin(&self, attacker: Condition, defender: Condition) -> State {
        State {
            phase: match self.preparation {
                Some(_) => Phase::Preparation,
                None => Phase::Advance,
            },
            assault: Assault::new(attacker, self.attackers),
            defender,
            short: false,
        }
    }

    /// The attacker, for what comes before the charge.
    pub(super) fn attacker(&self) -> &Regiment {
        &self.attacker
    }

    /// The defender, as it is at the start of the trial.
    pub(super) fn defender(&self) -> &Regiment {
        &self.defender
    }

    /// The conditions of both sides in the middle of a charge.
    pub(super) fn conditions(state: &State) -> (Condition, Condition) {
        (state.assault.lead, state.defender)
    }

    /// What the defender may do about a second fire, if it is to choose now: to attempt it, or to decline.
    pub(super) fn second_fires(&self, state: &State) -> Option<[Next<State>; 2]> {
        (state.phase == Phase::Choice)
            .then(|| [self.go(Phase::StandTest, *state), self.close_in(*state)])
    }

    /// How a trial is reported that ends in this state.
    pub(super) fn row(&self, outcome: u16, contact: bool, state: &State) -> Row {
        let (assault, defender) = (&state.assault, &state.defender);
        row(&[
            outcome,
            u16::from(contact),
            u16::from(assault.lost(&self.attacker)),
            u16::from(self.defender.lost(defender)),
            u16::from(assault.panic(&self.attacker)),
            u16::from(markers_on(defender)),
            assault.commander().position() as u16,
            defender.commander.position() as u16,
        ])
    }

    fn ends(&self, outcome: Outcome, state: &State) -> Next<State> {
        Next::Done(self.row(outcome.position() as u16, false, state))
    }

    /// Goes on to a phase, unless the defender has no stands left.
    fn go(&self, phase: Phase, state: State) -> Next<State> {
        if state.defender.stands == 0 {
            return self.ends(Outcome::DefenderDestroyed, &state);
        }
        let mut next = State { phase, ..state };
        if phase == Phase::Melee {
            // What combat does not ask for is forgotten, so that more states are the same.
            next.assault.lead.hits = 0;
            next.defender.hits = 0;
            next.defender.flank_fire = false;
        }
        Next::Go(next)
    }

    /// 0. Friends of the attacker fire; no test follows.
    fn prepare<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let Some(preparation) = &self.preparation else {
            return self.go(Phase::Advance, state);
        };
        let mut friends = preparation.friends;
        let defender = &mut state.defender;
        let volley = &preparation.volley;
        let fired = volley.fire(&self.charts, &mut friends, &self.defender, defender, dice);
        defender.flank_fire |= preparation.flank && fired.effective;
        self.go(Phase::Advance, state)
    }

    /// 1. The attacker moves.
    fn advance<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let reach = self.reach.as_ref();
        let reached = reach.map_or(Reach::Contact, |reach| reach.roll(dice));
        if reached == Reach::Short {
            return self.ends(Outcome::Short, &state);
        }
        state.short = reached == Reach::Near;
        match self.first_volley {
            Some(_) => self.go(Phase::FirstVolley, state),
            None => self.after_first_volley(state),
        }
    }

    /// What follows the first volley and its test.
    fn after_first_volley(&self, state: State) -> Next<State> {
        if state.short {
            return self.ends(Outcome::Short, &state);
        }
        match self.second_fire {
            SecondFire::Attempt => self.go(Phase::StandTest, state),
            SecondFire::Choose => self.go(Phase::Choice, state),
            SecondFire::None => self.close_in(state),
        }
    }

    /// What follows when the attacker has come through the defender's fire.
    fn close_in(&self, state: State) -> Next<State> {
        match self.fire_in {
            Some(_) => self.go(Phase::FireIn(0), state),
            None => self.go(Phase::Receive, state),
        }
    }

    /// 2. The defender fires at the unit that leads.
    fn fires_first<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let onward = |state| self.after_first_volley(state);
        let Some(volley) = &self.first_volley else {
            return onward(state);
        };
        let (defender, lead) = (&mut state.defender, &mut state.assault.lead);
        let fired = volley.fire(&self.charts, defender, &self.attacker, lead, dice);
        self.after_fire(state, fired.effective, Phase::FirstTest, onward)
    }

    /// Step 5: the defender fires again. A unit that is fired on while it crosses an obstacle gets a marker
    /// for that alone.
    fn fires_again<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let (defender, lead) = (&mut state.defender, &mut state.assault.lead);
        let fired = self
            .second_volley
            .fire(&self.charts, defender, &self.attacker, lead, dice);
        let entangled = self.obstacle && fired.rolled;
        if entangled {
            let markers = self.charts.tables.markers.obstacle;
            self.attacker.panics(lead, markers);
        }
        let shaken = fired.effective || entangled;
        self.after_fire(state, shaken, Phase::SecondTest, |state| {
            self.close_in(state)
        })
    }

    /// A unit that is left and shaken has to `test`; else those still charging go `onward`.
    fn after_fire(
        &self,
        state: State,
        shaken: bool,
        test: Phase,
        onward: impl Fn(State) -> Next<State>,
    ) -> Next<State> {
        if state.assault.lead.stands == 0 {
            self.lead_stops(Outcome::AttackerDestroyed, state, onward)
        } else if shaken {
            self.go(test, state)
        } else {
            onward(state)
        }
    }

    /// 3 and 5. The unit that leads tests; whoever still charges goes `onward`.
    fn attacker_tests<D: Dice>(
        &self,
        mut state: State,
        onward: impl Fn(State) -> Next<State>,
        dice: &mut D,
    ) -> Next<State> {
        let lead = &mut state.assault.lead;
        let morale = &self.charts.morale;
        let stopped = match morale.test(&self.attacker, lead, Occasion::Steadiness, dice) {
            Morale::Overenthusiastic | Morale::Pass => return onward(state),
            Morale::Hit if lead.stands == 0 => Outcome::AttackerDestroyed,
            Morale::Hit => Outcome::AttackerHalts,
            Morale::Retreat => Outcome::AttackerRetreats,
            Morale::Rout => Outcome::AttackerRouts,
        };
        self.lead_stops(stopped, state, onward)
    }

    /// The unit that leads is out of the charge: the others go `onward`, and without any it is over.
    fn lead_stops(
        &self,
        outcome: Outcome,
        mut state: State,
        onward: impl Fn(State) -> Next<State>,
    ) -> Next<State> {
        if state.assault.next_leads(&self.attacker) {
            onward(state)
        } else {
            self.ends(outcome, &state)
        }
    }

    /// 4 and 7. The defender tests: `passed` or `hit` follows, unless it leaves.
    fn defender_tests<D: Dice>(
        &self,
        mut state: State,
        occasion: Occasion,
        passed: impl Fn(State) -> Next<State>,
        hit: impl Fn(State) -> Next<State>,
        dice: &mut D,
    ) -> Next<State> {
        let morale = &self.charts.morale;
        match morale.test(&self.defender, &mut state.defender, occasion, dice) {
            Morale::Overenthusiastic | Morale::Pass => passed(state),
            Morale::Hit => hit(state),
            Morale::Retreat => self.ends(Outcome::DefenderRetreats, &state),
            Morale::Rout => self.ends(Outcome::DefenderRouts, &state),
        }
    }

    /// 6. Those still charging fire in turn, as long as there is a defender.
    fn fires_in<D: Dice>(&self, unit: u8, mut state: State, dice: &mut D) -> Next<State> {
        let Some(volley) = &self.fire_in else {
            return self.go(Phase::Receive, state);
        };
        let defender = &mut state.defender;
        let assault = &mut state.assault;
        if unit == 0 {
            let lead = &mut assault.lead;
            volley.fire(&self.charts, lead, &self.defender, defender, dice);
        } else {
            let mut follower = assault.follower(&self.attacker);
            let had_rounds = !follower.out_of_ammo;
            volley.fire(&self.charts, &mut follower, &self.defender, defender, dice);
            if had_rounds && follower.out_of_ammo {
                assault.fresh -= 1;
                assault.dry += 1;
            }
        }
        let next = if unit + 1 < assault.units() {
            Phase::FireIn(unit + 1)
        } else {
            Phase::Receive
        };
        self.go(next, state)
    }

    /// 8. Combat: a die for each unit still charging.
    fn fight<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        let (assault, defender) = (&mut state.assault, &mut state.defender);
        if learn_grades(&self.charts, assault, defender, dice) {
            return Next::Go(state);
        }
        let regiments = [&self.attacker, &self.defender];
        let mut fray = match state.phase {
            Phase::Fray(fray) => fray,
            _ => self
                .combat
                .begin(&self.charts, regiments, assault, defender),
        };
        let (_, more) = fray.die(&self.charts, regiments, assault, defender, dice);
        // Who was captured is not reported.
        fray.captured = [0, 0];
        if more {
            state.phase = Phase::Fray(fray);
            return Next::Go(state);
        }
        let outcome = if !fray.attackers_stand() {
            Outcome::AttackerDestroyed
        } else if defender.stands == 0 {
            Outcome::DefenderDestroyed
        } else {
            match fray.winner(defender) {
                Winner::Attacker => Outcome::AttackerWins,
                Winner::Defender => Outcome::DefenderWins,
                Winner::Nobody => Outcome::Engaged,
            }
        };
        Next::Done(self.row(outcome.position() as u16, true, &state))
    }
}

impl Steps for Charge {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        let first = usize::from(self.preparation.is_none());
        STAGES[first..].to_vec()
    }

    fn start(&self) -> State {
        self.begin(self.attacker.start, self.defender.start)
    }

    fn phase(&self, state: &State) -> usize {
        let stage = match state.phase {
            Phase::Preparation => 0,
            Phase::Advance => 1,
            Phase::FirstVolley | Phase::FirstTest => 2,
            Phase::Choice | Phase::StandTest => 3,
            Phase::SecondVolley | Phase::SecondTest => 4,
            Phase::FireIn(_) => 5,
            Phase::Receive => 6,
            Phase::Melee | Phase::Fray(_) => 7,
        };
        stage - usize::from(self.preparation.is_none())
    }

    fn offer(&self, state: &State) -> Option<Offer<State>> {
        let [attempt, decline] = self.second_fires(state)?;
        Some(Offer {
            chooser: Chooser::Asking,
            actions: vec![(ATTEMPT, attempt), (DECLINE, decline)],
        })
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        let close_in = |state| self.close_in(state);
        let melee = |state| self.go(Phase::Melee, state);
        match state.phase {
            Phase::Preparation => self.prepare(state, dice),
            Phase::Advance => self.advance(state, dice),
            Phase::FirstVolley => self.fires_first(state, dice),
            Phase::FirstTest => {
                self.attacker_tests(state, |state| self.after_first_volley(state), dice)
            }
            Phase::Choice => unreachable!("a choice is not rolled"),
            Phase::StandTest => {
                let fires = |state| self.go(Phase::SecondVolley, state);
                self.defender_tests(state, Occasion::DefensiveFire, fires, close_in, dice)
            }
            Phase::SecondVolley => self.fires_again(state, dice),
            Phase::SecondTest => self.attacker_tests(state, close_in, dice),
            Phase::FireIn(unit) => self.fires_in(unit, state, dice),
            Phase::Receive => self.defender_tests(state, Occasion::Steadiness, melee, melee, dice),
            Phase::Melee | Phase::Fray(_) => self.fight(state, dice),
        }
    }
}
