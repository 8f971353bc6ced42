//! Assaults: rounds in which both sides fire at once. `melee` is the assault alone; `charge` puts the
//! defender's fire before it.
//!
//! A round is three steps of one or two rolls, so that the graph stays small: the attacker's result
//! is read, then the defender's (and only now the defender suffers the first), then the attacker
//! suffers the second. Each side fires as it stood when the round began.

use super::morale::Checks;
use super::tables::{Effect, Tables};
use super::unit::{Condition, Order, Stack, settings};
use super::volley::{Mark, Shooter, Shot, Volley};
use crate::dice::Dice;
use crate::dist::Variable;
use crate::engine::{Clock, Next, Row, Steps, row};
use crate::rules::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use std::sync::Arc;

crate::labels! {
    /// How an assault can end.
    pub enum Outcome {
        AttackerWins = "attacker-wins" => Success, DefenderWins = "defender-wins" => Failure, Mutual = "mutual" => Undecided,
        Stalled = "stalled" => Undecided, AttackerRepulsed = "attacker-repulsed" => Failure,
    }
}

/// One side: what it is, and its fire in each round.
#[derive(Debug)]
struct Side {
    stack: Stack,
    volley: Volley,
}

/// The whole of it.
#[derive(Debug)]
struct Assault {
    checks: Arc<Checks>,
    attacker: Side,
    defender: Side,
    /// The attacker assaults out of a marsh.
    marsh: bool,
    /// The defender's fire before the first round.
    pre_fire: Option<Volley>,
    rounds: u16,
}

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Stage {
    /// The defender fires at the approaching attacker.
    PreFire,
    /// A round begins: the attacker's result is rolled.
    Attack,
    /// The defender's result is rolled, and the defender suffers this one.
    Reply(Effect),
    /// The attacker suffers this one.
    Losses(Effect),
}

/// How both sides are, and what is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Position {
    attacker: Condition,
    defender: Condition,
    stage: Stage,
}

impl Assault {
    fn new(tables: &Tables, checks: &Arc<Checks>, s: &Settings) -> Result<Self, RuleError> {
        if s.flag("attacker.lower") && s.flag("defender.lower") {
            let reason = "attacker.lower is set too, and only one side can stand lower";
            return Err(s.refuse("defender.lower", reason));
        }
        let flanked = s.flag("defender.flanked");
        let attacker = Stack::read_fighting(tables, s, "attacker")?
            .with_morale(true, tables.morale.assaulting);
        let defender = Stack::read_fighting(tables, s, "defender")?
            .with_morale(flanked, tables.morale.flanked);
        let volley = |side: &str, stack: &Stack, modifiers| {
            let clear_hex = s.flag(&format!("{side}.clear_hex"));
            Volley::of_assault(tables, stack, clear_hex, modifiers)
        };
        let attack = assault_modifiers(tables, s, &attacker, "defender", true);
        let defence = assault_modifiers(tables, s, &defender, "attacker", false);
        let pre_fire = s
            .flag_or_off("pre_fire")
            .then(|| pre_fire(tables, s, &defender));
        Ok(Assault {
            checks: Arc::clone(checks),
            attacker: Side {
                volley: volley("attacker", &attacker, attack),
                stack: attacker,
            },
            defender: Side {
                volley: volley("defender", &defender, defence),
                stack: defender,
            },
            marsh: s.flag("attacker.marsh"),
            pre_fire,
            rounds: s.whole("rounds") as u16,
        })
    }

    /// The position in which the first round begins.
    fn first_round(&self, mut attacker: Condition) -> Position {
        if self.marsh && attacker.order == Order::Good {
            attacker.order = Order::Disrupted;
        }
        Position {
            attacker,
            defender: self.defender.stack.start,
            stage: Stage::Attack,
        }
    }

    /// A row; the engine fills in the rounds.
    fn row(&self, position: &Position, outcome: Outcome) -> Row {
        let (attacker, defender) = (position.attacker, position.defender);
        row(&[
            outcome.position() as u16,
            0,
            self.attacker.stack.taken(attacker),
            self.defender.stack.taken(defender),
            attacker.order.position() as u16,
            defender.order.position() as u16,
        ])
    }

    /// The end of a round.
    fn after_round(&self, position: Position) -> Next<Position> {
        let outcome = match (
            position.attacker.order.is_gone(),
            position.defender.order.is_gone(),
        ) {
            (false, false) => return Next::NextTurn(position),
            (false, true) => Outcome::AttackerWins,
            (true, false) => Outcome::DefenderWins,
            (true, true) => Outcome::Mutual,
        };
        Next::Done(self.row(&position, outcome))
    }
}

/// What moves the fire line of one side (Fire Line Modifiers Schedule, Assault Combat Only), its
/// disruption apart. Ground, walls and flanks count for the attacker alone.
fn assault_modifiers(
    tables: &Tables,
    s: &Settings,
    stack: &Stack,
    target: &str,
    attacks: bool,
) -> Vec<i64> {
    let modifiers = &tables.assault;
    let applying = [
        (s.flag(&format!("{target}.dense")), modifiers.dense),
        (stack.leader, modifiers.leader),
        (
            attacks && s.flag("attacker.lower"),
            modifiers.against_higher,
        ),
        (attacks && s.flag("defender.lower"), modifiers.against_lower),
        (attacks && s.flag("attacker.run"), modifiers.stream),
        (attacks && s.flag("defender.wall"), modifiers.wall),
        (attacks && s.flag("defender.flanked"), modifiers.flanked),
        (attacks && s.flag("attacker.charge"), modifiers.charge),
    ];
    let applying = applying.into_iter().filter(|(applies, _)| *applies);
    applying.map(|(_, modifier)| modifier).collect()
}

/// The defender's fire at an attacker that comes on.
fn pre_fire(tables: &Tables, s: &Settings, defender: &Stack) -> Volley {
    let shot = Shot {
        shooter: Shooter {
            behind_wall: s.flag("defender.wall"),
            ..Shooter::read(s, "defender")
        },
        mark: Mark {
            advancing: true,
            charging: s.flag("attacker.charge"),
            ..Mark::read(s, "attacker")
        },
        range: tables.pre_assault_range,
        no_los: false,
    };
    Volley::of_fire(tables, defender, &shot)
}

impl Steps for Assault {
    type State = Position;

    fn phases(&self) -> Vec<&str> {
        match self.pre_fire {
            Some(_) => vec!["pre-assault fire", "rounds of assault"],
            None => vec!["rounds of assault"],
        }
    }

    fn start(&self) -> Position {
        match self.pre_fire {
            Some(_) => Position {
                attacker: self.attacker.stack.start,
                defender: self.defender.stack.start,
                stage: Stage::PreFire,
            },
            None => self.first_round(self.attacker.stack.start),
        }
    }

    fn phase(&self, position: &Position) -> usize {
        usize::from(self.pre_fire.is_some() && position.stage != Stage::PreFire)
    }

    fn step<D: Dice>(&self, mut position: Position, dice: &mut D) -> Next<Position> {
        let (attacker, defender) = (&self.attacker, &self.defender);
        match position.stage {
            Stage::PreFire => {
                let effect = self.pre_fire.as_ref().map_or(Effect::None, |volley| {
                    volley.roll(&defender.stack, position.defender, dice)
                });
                position.attacker =
                    self.checks
                        .suffer(&attacker.stack, position.attacker, effect, dice);
                if position.attacker.order.is_gone() {
                    Next::Done(self.row(&position, Outcome::AttackerRepulsed))
                } else {
                    Next::NextTurn(self.first_round(position.attacker))
                }
            }
            Stage::Attack => {
                let effect = attacker
                    .volley
                    .roll(&attacker.stack, position.attacker, dice);
                position.stage = Stage::Reply(effect);
                Next::Go(position)
            }
            Stage::Reply(suffered) => {
                let effect = defender
                    .volley
                    .roll(&defender.stack, position.defender, dice);
                position.defender =
                    self.checks
                        .suffer(&defender.stack, position.defender, suffered, dice);
                position.stage = Stage::Losses(effect);
                Next::Go(position)
            }
            Stage::Losses(suffered) => {
                position.attacker =
                    self.checks
                        .suffer(&attacker.stack, position.attacker, suffered, dice);
                position.stage = Stage::Attack;
                self.after_round(position)
            }
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock {
            first: u16::from(self.pre_fire.is_none()),
            last: self.rounds,
            variable: 1,
        })
    }

    fn time_up(&self, position: &Position) -> Row {
        self.row(position, Outcome::Stalled)
    }
}

fn assault_settings(attacker_more: &[&str]) -> Vec<Setting> {
    let attacker = ["charge", "lower", "run", "marsh", "dense", "clear_hex"];
    let attacker: Vec<&str> = attacker.iter().chain(attacker_more).copied().collect();
    let mut keys = settings("attacker", &attacker);
    keys.extend(settings(
        "defender",
        &["lower", "wall", "flanked", "dense", "clear_hex"],
    ));
    keys.push(Setting::whole("rounds", 1..=10, 3, "rounds fought at most").from("Not printed"));
    keys
}

fn variables(outcomes: &[&str]) -> Vec<Variable> {
    let order = Order::LABELS.iter().copied();
    vec![
        Variable::category("outcome", "how the assault ends", outcomes.iter().copied())
            .favouring(Outcome::FAVOURS[..outcomes.len()].iter().copied()),
        Variable::count("rounds", "rounds fought"),
        Variable::count("attacker_o_hits", "O hits the attacker takes"),
        Variable::count("defender_o_hits", "O hits the defender takes"),
        Variable::category(
            "attacker_state",
            "the order the attacker is left in",
            order.clone(),
        ),
        Variable::category("defender_state", "the order the defender is left in", order),
    ]
}

pub(super) fn melee(tables: &Arc<Tables>, checks: &Arc<Checks>) -> Procedure {
    let (tables, checks) = (Arc::clone(tables), Arc::clone(checks));
    Procedure {
        name: "melee".into(),
        about:
            "An assault: both sides fire at once in each round until one is routed or destroyed."
                .into(),
        source: "Fire Line Modifiers Schedule, Assault Combat Only; Combat Results Table".into(),
        composed: false,
        settings: assault_settings(&[]),
        variables: variables(&Outcome::LABELS[..4]),
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Assault::new(&tables, &checks, s)?))),
    }
}

pub(super) fn charge(tables: &Arc<Tables>, checks: &Arc<Checks>) -> Procedure {
    let (tables, checks) = (Arc::clone(tables), Arc::clone(checks));
    let mut keys = assault_settings(&["terrain"]);
    keys.push(
        Setting::flag_on("pre_fire", "the defender fires before the first round")
            .from("Fire Line Modifiers Schedule, Target Advance/Pre-Assault"),
    );
    Procedure {
        name: "charge".into(),
        about: "The defender's fire at an attacker that comes on, then the assault.".into(),
        source: "Composed from fire and assault".into(),
        composed: true,
        settings: keys,
        variables: variables(Outcome::LABELS),
        notes: vec![
            "attacker.terrain is the ground the attacker is fired on in; attacker.marsh and attacker.clear_hex are set apart from it.".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(Assault::new(&tables, &checks, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refusal, settings, tables};
    use super::*;
    use crate::dice::Scripted;
    use crate::engine::play_once;

    fn assault(procedure: &str, given: &str) -> Assault {
        let s = settings(procedure, given);
        Assault::new(&tables(), &Arc::new(Checks::new()), &s).expect("it can be played")
    }

    /// Lowest fire factors of the rows of the first round: attacker's, defender's.
    fn lines(given: &str) -> (i64, i64) {
        let (assault, tables) = (assault("melee", given), tables());
        let start = Steps::start(&assault);
        let line = |side: &Side, unit| {
            let row = side.volley.row(&tables, &side.stack, unit);
            row.map(|(row, _)| tables.lines[row].from)
                .expect("every arm assaults")
        };
        (
            line(&assault.attacker, start.attacker),
            line(&assault.defender, start.defender),
        )
    }

    #[test]
    fn every_modifier_moves_the_line_as_printed() {
        // Four points of infantry are 12 factors.
        for (given, wanted) in [
            ("", (12, 12)),
            ("attacker.lower=true", (8, 12)),
            ("defender.lower=true", (16, 12)),
            ("attacker.run=true", (8, 12)),
            ("attacker.marsh=true", (3, 12)),
            ("attacker.marsh=true attacker.state=disrupted", (3, 12)),
            ("defender.wall=true", (8, 12)),
            ("defender.flanked=true", (16, 12)),
            ("attacker.charge=true", (16, 12)),
            ("attacker.dense=true", (12, 16)),
            ("defender.dense=true", (16, 12)),
            ("attacker.leader=true", (16, 12)),
            ("defender.leader=true", (12, 16)),
            ("attacker.state=disrupted", (3, 12)),
            ("defender.state=disrupted", (12, 3)),
            (
                "attacker.sp=9 defender.sp=5 defender.clear_hex=false",
                (12, 12),
            ),
            ("attacker.sp=6 attacker.clear_hex=false", (12, 12)),
            (
                "attacker.type=artillery attacker.sp=9 defender.type=artillery defender.sp=9 defender.clear_hex=false",
                (8, 3),
            ),
            (
                "attacker.type=cavalry defender.type=irregular defender.reduced=true",
                (12, 5),
            ),
        ] {
            assert_eq!(lines(given), wanted, "{given}");
        }
    }

    #[test]
    fn the_fire_before_a_charge_is_fire_at_an_advancing_target() {
        for (given, wanted) in [
            ("", 16),
            ("attacker.charge=true", 21),
            ("attacker.terrain=woods", 8),
            ("attacker.terrain=marsh", 8),
            ("attacker.marsh=true", 16),
            ("defender.wall=true", 21),
            ("attacker.lower=true", 21),
            ("defender.lower=true", 16),
            ("attacker.dense=true", 21),
            (
                "defender.dense=true defender.flanked=true attacker.run=true",
                16,
            ),
            ("defender.leader=true", 16),
            ("defender.clear_hex=false", 12),
            ("attacker.clear_hex=false", 16),
            ("defender.state=disrupted", 5),
            ("attacker.type=artillery", 12),
            ("defender.type=artillery", 21),
        ] {
            let (assault, tables) = (assault("charge", given), tables());
            let volley = assault.pre_fire.as_ref().expect("it is on");
            let stack = &assault.defender.stack;
            let (row, bracketed) = volley.row(&tables, stack, stack.start).expect("it fires");
            assert_eq!(
                (tables.lines[row].from, bracketed),
                (wanted, false),
                "{given}"
            );
        }
    }

    /// Outcome, rounds, hits and states with these dice.
    fn play(
        procedure: &str,
        given: &str,
        dice: &[i32],
    ) -> (&'static str, [u16; 3], [&'static str; 2]) {
        let mut dice = Scripted::new(dice.iter().copied());
        let row = play_once(&assault(procedure, given), &mut dice).row;
        dice.finish();
        let order = |at: usize| Order::LABELS[usize::from(row[at])];
        (
            Outcome::LABELS[usize::from(row[0])],
            [row[1], row[2], row[3]],
            [order(4), order(5)],
        )
    }

    #[test]
    fn both_results_are_read_before_either_is_applied() {
        // The defender is down to its last hit and is destroyed, but its reply still counts. The
        // attacker's own check has the +1 of an assault: two hits pass at 4.
        let last = "defender.reduced=true defender.o_hits=2 defender.reduced_sp=4";
        assert_eq!(
            play("melee", last, &[0, 0, 4]),
            ("attacker-wins", [1, 2, 1], ["good", "destroyed"])
        );
        let both = format!("{last} attacker.reduced=true attacker.o_hits=2");
        assert_eq!(
            play("melee", &both, &[2, 3]),
            ("mutual", [1, 1, 1], ["destroyed", "destroyed"])
        );
    }

    #[test]
    fn rounds_go_on_until_one_side_is_gone_or_time_is_up() {
        assert_eq!(
            play("melee", "", &[9, 9, 9, 9, 9, 9]),
            ("stalled", [3, 0, 0], ["good", "good"])
        );
        // Disrupted in the first round by a failed check, routed in the second.
        assert_eq!(
            play("melee", "", &[9, 2, 6, 9, 2, 5]),
            ("defender-wins", [2, 2, 0], ["routed", "good"])
        );
        // A flanked defender passes one hit at 3 only.
        assert_eq!(
            play(
                "melee",
                "defender.flanked=true defender.state=disrupted",
                &[3, 9, 4]
            ),
            ("attacker-wins", [1, 0, 1], ["good", "routed"])
        );
    }

    #[test]
    fn a_charge_can_be_repulsed_before_its_first_round() {
        // Row 16-20: a 0 is three hits, which flip the attacker; its check passes at 6.
        assert_eq!(
            play("charge", "attacker.state=disrupted", &[0, 7]),
            ("attacker-repulsed", [0, 3, 0], ["routed", "good"])
        );
        assert_eq!(
            play("charge", "attacker.reduced=true attacker.o_hits=2", &[3]),
            ("attacker-repulsed", [0, 1, 0], ["destroyed", "good"])
        );
        // A D in the fire lets the attacker take a hit at 6, before the marsh disrupts it.
        assert_eq!(
            play("charge", "attacker.marsh=true rounds=1", &[5, 6, 9, 9]),
            ("stalled", [1, 1, 0], ["disrupted", "good"])
        );
    }

    #[test]
    fn both_sides_cannot_stand_lower() {
        let why = refusal("melee", "attacker.lower=true defender.lower=true");
        assert!(why.contains("only one side can stand lower"), "{why}");
    }
}
