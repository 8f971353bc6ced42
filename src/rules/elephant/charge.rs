//! The charge: the printed sequence of movement, defensive fire, tests and combat.

use super::fire::{FireChart, FireDrill, Firer, Mark, artillery};
use super::melee::{Melee, Winner, melee_settings};
use super::morale::{Morale, MoraleChart};
use super::tables::{SCALES, Tables};
use super::unit::{Condition, Cover, Grade, Kind, Regiment, Weapon, Works, settings};
use crate::dice::{Dice, Odds, Throw};
use crate::dist::Variable;
use crate::engine::{Next, Row, Steps, row};
use crate::rules::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// How a charge ends.
    pub enum Outcome {
        AttackerWins = "attacker-wins" => Success, DefenderRetreats = "defender-retreats" => Success, DefenderRouts = "defender-routs" => Success,
        DefenderDestroyed = "defender-destroyed" => Success, Engaged = "engaged" => Undecided, DefenderWins = "defender-wins" => Failure,
        AttackerHalts = "attacker-halts" => Failure, AttackerRetreats = "attacker-retreats" => Failure, AttackerRouts = "attacker-routs" => Failure,
        AttackerDestroyed = "attacker-destroyed" => Failure, Short = "short" => Failure,
    }
}

/// The steps of the printed sequence that can need dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Phase {
    Advance,
    FirstVolley,
    FirstTest,
    StandTest,
    SecondVolley,
    SecondTest,
    FireIn,
    Receive,
    Melee,
}

/// What a player calls them: a volley and the test it causes are one stage.
const STAGES: &[&str] = &[
    "advance",
    "first volley",
    "defender's test to fire again",
    "second volley",
    "attacker fires in",
    "defender's test to receive",
    "melee",
];

/// Where a charge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct State {
    phase: Phase,
    attacker: Condition,
    defender: Condition,
    /// The move did not reach; the charge ends after the first volley.
    short: bool,
}

/// How far a charge moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Contact,
    Near,
    Short,
}

#[derive(Debug)]
pub(super) struct Charge {
    tables: Arc<Tables>,
    chart: Arc<MoraleChart>,
    fire: FireChart,
    melee: Melee,
    attacker: Regiment,
    defender: Regiment,
    reach: Option<Odds<Reach>>,
    first_fire: Option<Firer>,
    second_fire: Firer,
    fire_in: Option<Firer>,
    flank: bool,
    defender_cover: i64,
}

impl Charge {
    fn new(
        tables: &Arc<Tables>,
        chart: &Arc<MoraleChart>,
        s: &Settings,
    ) -> Result<Self, RuleError> {
        let attacker = Regiment::new(tables, s, "attacker")?;
        if attacker.kind == Kind::Artillery {
            return Err(s.refuse("attacker.kind", "artillery may not charge"));
        }
        let flank = s.flag("attacker.flank");
        let distance = s.whole("distance");
        let works: Works = s.choice("defender.cover");
        let drill = FireDrill::read(s, "defender")?;
        let mark = Mark::read(s, "attacker", Cover::Open)?;
        let volley = |range: i64| {
            let guns = s.choice("defender.guns_weapon");
            Firer::new(tables, &drill, &mark, range).with_guns(
                tables,
                guns,
                s.whole("defender.guns_stands"),
                range,
            )
        };
        Ok(Charge {
            fire: FireChart::new(tables),
            melee: Melee::new(tables, s)?,
            attacker,
            defender: Regiment::new(tables, s, "defender")?,
            reach: reach(tables, s, &attacker),
            first_fire: (distance > tables.first_fire && !flank).then(|| volley(tables.first_fire)),
            second_fire: volley(tables.second_fire),
            fire_in: fire_in(tables, s, &attacker, works)?,
            flank,
            defender_cover: if works == Works::Open {
                0
            } else {
                chart.cover()
            },
            tables: Arc::clone(tables),
            chart: Arc::clone(chart),
        })
    }

    fn done(&self, outcome: Outcome, contact: bool, state: &State) -> Row {
        row(&[
            outcome.position() as u16,
            u16::from(contact),
            u16::from(self.attacker.lost(state.attacker)),
            u16::from(self.defender.lost(state.defender)),
        ])
    }

    /// Goes on to a phase, unless a side has no stands left.
    fn go(&self, phase: Phase, state: State) -> Next<State> {
        if state.attacker.stands == 0 {
            Next::Done(self.done(Outcome::AttackerDestroyed, false, &state))
        } else if state.defender.stands == 0 {
            Next::Done(self.done(Outcome::DefenderDestroyed, false, &state))
        } else {
            Next::Go(State { phase, ..state })
        }
    }

    /// The defender fires; `test` follows if it gave any hit or marker, else `quiet`.
    fn volley<D: Dice>(
        &self,
        firer: &Firer,
        state: State,
        [test, quiet]: [Phase; 2],
        dice: &mut D,
    ) -> Next<State> {
        let column = firer.column(&self.tables, state.defender.stands, state.defender.panic);
        let effect = self.fire.roll(column, dice);
        let attacker = self
            .attacker
            .suffers(state.attacker, effect.hits(), effect.panic());
        let next = State { attacker, ..state };
        if effect.panic() > 0 {
            self.go(test, next)
        } else {
            self.after_test(quiet, next)
        }
    }

    /// On to `phase`, unless this was as far as the charge came.
    fn after_test(&self, phase: Phase, state: State) -> Next<State> {
        if state.short && phase != Phase::FirstTest {
            return Next::Done(self.done(Outcome::Short, false, &state));
        }
        self.go(phase, state)
    }

    fn attacker_tests<D: Dice>(&self, state: State, onward: Phase, dice: &mut D) -> Next<State> {
        let (result, attacker) = self.chart.test(&self.attacker, state.attacker, 0, dice);
        let next = State { attacker, ..state };
        let ends = |outcome| Next::Done(self.done(outcome, false, &next));
        match result {
            Morale::Overenthusiastic | Morale::Pass => self.after_test(onward, next),
            Morale::Hit if attacker.stands == 0 => ends(Outcome::AttackerDestroyed),
            Morale::Hit => ends(Outcome::AttackerHalts),
            Morale::Retreat => ends(Outcome::AttackerRetreats),
            Morale::Rout => ends(Outcome::AttackerRouts),
        }
    }

    /// The defender tests: `passed` or `hit` follows, unless it leaves.
    fn defender_tests<D: Dice>(
        &self,
        state: State,
        extra: i64,
        [passed, hit]: [Phase; 2],
        dice: &mut D,
    ) -> Next<State> {
        let situation = self.defender_cover + extra;
        let (result, defender) = self
            .chart
            .test(&self.defender, state.defender, situation, dice);
        let next = State { defender, ..state };
        match result {
            Morale::Overenthusiastic | Morale::Pass => self.go(passed, next),
            Morale::Hit => self.go(hit, next),
            Morale::Retreat => Next::Done(self.done(Outcome::DefenderRetreats, false, &next)),
            Morale::Rout => Next::Done(self.done(Outcome::DefenderRouts, false, &next)),
        }
    }

    /// What follows when the attacker has come through the defender's fire.
    fn close_in(&self) -> Phase {
        if self.fire_in.is_some() {
            Phase::FireIn
        } else {
            Phase::Receive
        }
    }

    /// What follows the first volley and its test.
    fn second(&self) -> Phase {
        if self.flank {
            self.close_in()
        } else {
            Phase::StandTest
        }
    }

    fn melee<D: Dice>(&self, mut state: State, dice: &mut D) -> Next<State> {
        if state.attacker.grade == Grade::Green || state.defender.grade == Grade::Green {
            state.attacker.grade = self.chart.known_grade(state.attacker.grade, dice);
            state.defender.grade = self.chart.known_grade(state.defender.grade, dice);
            return Next::Go(state);
        }
        let combat = self.melee.fight(state.attacker, state.defender, dice);
        state.attacker.stands -= combat.attacker_lost;
        state.defender.stands -= combat.defender_lost;
        let outcome = if state.attacker.stands == 0 {
            Outcome::AttackerDestroyed
        } else if state.defender.stands == 0 {
            Outcome::DefenderDestroyed
        } else {
            match combat.winner {
                Winner::Attacker => Outcome::AttackerWins,
                Winner::Defender => Outcome::DefenderWins,
                Winner::Nobody => Outcome::Engaged,
            }
        };
        Next::Done(self.done(outcome, true, &state))
    }
}

/// The movement dice, if they are rolled.
fn reach(tables: &Tables, s: &Settings, attacker: &Regiment) -> Option<Odds<Reach>> {
    if s.text("reach") == "assume" {
        return None;
    }
    let dice = match attacker.kind {
        Kind::Cavalry if s.flag("attacker.woods") => tables.move_dice.mounted_in_woods,
        Kind::Cavalry => tables.move_dice.mounted,
        _ => tables.move_dice.foot,
    };
    let scale = SCALES.iter().position(|&name| name == s.text("scale"));
    let scale = tables.scales[scale.expect("the schema knows every scale")];
    let distance = s.whole("distance");
    Some(Odds::new(Throw::average_dice(dice), |inches| {
        let remains = distance - i64::from(inches) * scale;
        if remains <= 0 {
            Reach::Contact
        } else if remains > tables.first_fire {
            Reach::Short
        } else {
            Reach::Near
        }
    }))
}

/// The attacker's own fire, if it is mounted and armed for it.
fn fire_in(
    tables: &Tables,
    s: &Settings,
    attacker: &Regiment,
    works: Works,
) -> Result<Option<Firer>, RuleError> {
    if !s.flag("attacker.fires_in") {
        return Ok(None);
    }
    let weapon: Weapon = s.choice("attacker.weapon");
    if attacker.kind != Kind::Cavalry || !matches!(weapon, Weapon::Pistol | Weapon::Shotgun) {
        let reason = format!(
            "only mounted cavalry with pistol or shotgun fires as it closes; the attacker is {} with {}",
            attacker.kind.label(),
            weapon.label()
        );
        return Err(s.refuse("attacker.fires_in", reason));
    }
    let drill = FireDrill {
        kind: attacker.kind,
        weapon,
        stationary: false,
        marksmen: false,
        skirmishing: false,
        prolonging: false,
        csa_artillery: false,
        out_of_ammo: s.flag("attacker.out_of_ammo"),
    };
    let mark = Mark {
        kind: s.choice("defender.kind"),
        cover: works.under_fire(),
        exposed: false,
        ranks: s.whole("defender.ranks"),
        unlimbered: false,
        prone: false,
    };
    Ok(Some(Firer::new(tables, &drill, &mark, tables.second_fire)))
}

impl Steps for Charge {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        STAGES.to_vec()
    }

    fn start(&self) -> State {
        State {
            phase: Phase::Advance,
            attacker: self.attacker.start,
            defender: self.defender.start,
            short: false,
        }
    }

    fn phase(&self, state: &State) -> usize {
        match state.phase {
            Phase::Advance => 0,
            Phase::FirstVolley | Phase::FirstTest => 1,
            Phase::StandTest => 2,
            Phase::SecondVolley | Phase::SecondTest => 3,
            Phase::FireIn => 4,
            Phase::Receive => 5,
            Phase::Melee => 6,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match state.phase {
            Phase::Advance => {
                let reached = self
                    .reach
                    .as_ref()
                    .map_or(Reach::Contact, |reach| reach.roll(dice));
                if reached == Reach::Short {
                    return Next::Done(self.done(Outcome::Short, false, &state));
                }
                let state = State {
                    short: reached == Reach::Near,
                    ..state
                };
                match &self.first_fire {
                    Some(_) => self.go(Phase::FirstVolley, state),
                    None => self.after_test(self.second(), state),
                }
            }
            Phase::FirstVolley => {
                let firer = self
                    .first_fire
                    .as_ref()
                    .expect("a first volley was announced");
                self.volley(firer, state, [Phase::FirstTest, self.second()], dice)
            }
            Phase::FirstTest => self.attacker_tests(state, self.second(), dice),
            Phase::StandTest => {
                let plus_one = self.chart.defensive_fire();
                self.defender_tests(
                    state,
                    plus_one,
                    [Phase::SecondVolley, self.close_in()],
                    dice,
                )
            }
            Phase::SecondVolley => self.volley(
                &self.second_fire,
                state,
                [Phase::SecondTest, self.close_in()],
                dice,
            ),
            Phase::SecondTest => self.attacker_tests(state, self.close_in(), dice),
            Phase::FireIn => {
                let firer = self.fire_in.as_ref().expect("firing in was announced");
                let column =
                    firer.column(&self.tables, state.attacker.stands, state.attacker.panic);
                let effect = self.fire.roll(column, dice);
                let defender = self
                    .defender
                    .suffers(state.defender, effect.hits(), effect.panic());
                self.go(Phase::Receive, State { defender, ..state })
            }
            Phase::Receive => self.defender_tests(state, 0, [Phase::Melee, Phase::Melee], dice),
            Phase::Melee => self.melee(state, dice),
        }
    }
}

pub(super) fn procedure(tables: &Arc<Tables>, chart: &Arc<MoraleChart>) -> Procedure {
    let mut keys = melee_settings();
    keys.extend(settings(
        "attacker",
        &["weapon", "exposed", "panic", "hits", "stands_lost"],
    ));
    keys.push(
        Setting::flag(
            "attacker.fires_in",
            "mounted cavalry with pistol or shotgun fires as it closes",
        )
        .from("Special rules concerning cavalry in combat"),
    );
    let defender = [
        "weapon",
        "marksmen",
        "stationary",
        "panic",
        "hits",
        "stands_lost",
    ];
    keys.extend(settings("defender", &defender));
    keys.push(
        Setting::one_of(
            "defender.guns_weapon",
            artillery(),
            "12lb-napoleon",
            "artillery that joins the defensive fire",
        )
        .from("Firing procedure, 1"),
    );
    keys.push(
        Setting::whole("defender.guns_stands", 0..=20, 0, "its stands").from("Firing procedure, 1"),
    );
    keys.push(
        Setting::whole("distance", 1..=3000, 150, "yards the charge starts from")
            .from("Charge movement subphase, 3"),
    );
    keys.push(
        Setting::one_of(
            "reach",
            &["assume", "roll"],
            "assume",
            "whether the movement dice are rolled",
        )
        .from("Charge movement subphase, 2"),
    );
    keys.push(
        Setting::one_of(
            "scale",
            &SCALES,
            SCALES[0],
            "yards to the inch; matters when reach is rolled",
        )
        .from("Scales and stand sizes"),
    );
    let (tables, chart) = (Arc::clone(tables), Arc::clone(chart));
    Procedure {
        name: "charge".into(),
        about: "One unit charges another: defensive fire, tests, combat.".into(),
        source: "Charge movement subphase; Combat phase".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Outcome::variable("outcome", "how the charge ends"),
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
        build: Box::new(move |s| Ok(Box::new(Charge::new(&tables, &chart, s)?))),
    }
}
