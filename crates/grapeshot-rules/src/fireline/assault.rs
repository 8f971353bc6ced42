//! The round of an assault: both sides fire at once, and both results are read before either is applied.
//!
//! A round is three steps of one or two rolls, so that the graph stays small: the attacker's result
//! is read, then the defender's (and only now the defender suffers the first), then the attacker
//! suffers the second. Each side fires as both stood when the round began.

use super::charts::Charts;
use super::stack::{Condition, Stack};
use super::tables::{Effect, Tables};
use super::unit::Order;
use super::volley::{Crowd, Strike, Volley};
use grapeshot_engine::dice::Dice;
use std::sync::Arc;

/// Where the attacker comes from, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Storming {
    /// It executes a charge.
    pub charge: bool,
    pub lower: bool,
    /// It assaults out of a stream.
    pub run: bool,
    /// It assaults out of a marsh.
    pub marsh: bool,
    pub clear_hex: bool,
    pub crowd: Crowd,
}

/// Where the defender stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holding {
    pub lower: bool,
    /// It is behind an abatis or stone wall that costs the attacker its modifier.
    pub wall: bool,
    pub flanked: bool,
    pub clear_hex: bool,
    pub crowd: Crowd,
}

/// An assault of one stack on another, from any condition of both.
#[derive(Debug)]
pub(super) struct Assault {
    attack: Volley,
    reply: Volley,
    marsh: bool,
}

/// How both sides are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pair {
    pub attacker: Condition,
    pub defender: Condition,
}

/// What is to be done next in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Round {
    /// It begins: the attacker's result is rolled.
    Attack,
    /// The defender's result is rolled, and the defender suffers this one.
    Reply(Effect),
    /// The attacker suffers this one.
    Losses(Effect),
}

grapeshot_engine::labels! {
    /// How an assault can end.
    pub enum Outcome {
        AttackerWins = "attacker-wins" => Success, DefenderWins = "defender-wins" => Failure,
        Mutual = "mutual" => Undecided, Stalled = "stalled" => Undecided,
        AttackerRepulsed = "attacker-repulsed" => Failure,
    }
}

impl Assault {
    pub(super) fn new(
        charts: &Arc<Charts>,
        [attacker, defender]: [&Stack; 2],
        storming: &Storming,
        holding: &Holding,
    ) -> Self {
        let tables = &charts.tables;
        let attack = Strike {
            clear_hex: storming.clear_hex,
            modifiers: attack_modifiers(tables, attacker, storming, holding),
            crowd: holding.crowd,
        };
        let reply = Strike {
            clear_hex: holding.clear_hex,
            modifiers: leader_modifier(tables, defender),
            crowd: storming.crowd,
        };
        let (assaulting, flanked) = (tables.morale.assaulting, tables.morale.flanked);
        let held = defender.clone().with_morale(holding.flanked, flanked);
        let stormed = attacker.clone().with_morale(true, assaulting);
        Assault {
            attack: Volley::of_assault(charts, attacker, held, attack),
            reply: Volley::of_assault(charts, defender, stormed, reply),
            marsh: storming.marsh,
        }
    }

    /// Before the first round a marsh disrupts an attacker in good order.
    pub(super) fn closes(&self, mut pair: Pair) -> Pair {
        if self.marsh && pair.attacker.order == Order::Good {
            pair.attacker.order = Order::Disrupted;
        }
        pair
    }

    /// Plays one step of a round; nothing is left to do when it is over.
    pub(super) fn step<D: Dice>(
        &self,
        mut pair: Pair,
        round: Round,
        dice: &mut D,
    ) -> (Pair, Option<Round>) {
        let Pair { attacker, defender } = pair;
        match round {
            Round::Attack => {
                let effect = self.attack.roll(attacker, defender, dice);
                (pair, Some(Round::Reply(effect)))
            }
            Round::Reply(suffered) => {
                let effect = self.reply.roll(defender, attacker, dice);
                pair.defender = self.attack.suffer(defender, suffered, dice);
                (pair, Some(Round::Losses(effect)))
            }
            Round::Losses(suffered) => {
                pair.attacker = self.reply.suffer(attacker, suffered, dice);
                (pair, None)
            }
        }
    }

    /// The lines on which both sides fire.
    #[cfg(test)]
    pub(super) fn lines(&self, Pair { attacker, defender }: Pair) -> [Option<(i64, bool)>; 2] {
        [
            self.attack.line(attacker, defender),
            self.reply.line(defender, attacker),
        ]
    }
}

impl Pair {
    /// How it stands after a round; nothing while both sides are still there.
    pub(super) fn decided(&self) -> Option<Outcome> {
        match (self.attacker.order.is_gone(), self.defender.order.is_gone()) {
            (false, false) => None,
            (false, true) => Some(Outcome::AttackerWins),
            (true, false) => Some(Outcome::DefenderWins),
            (true, true) => Some(Outcome::Mutual),
        }
    }
}

/// What moves the attacker's line (Fire Line Modifiers Schedule, Assault Combat Only), its own
/// disruption and a dense defender apart. Ground, walls and flanks count for the attacker alone.
fn attack_modifiers(
    tables: &Tables,
    attacker: &Stack,
    storming: &Storming,
    holding: &Holding,
) -> Vec<i64> {
    let modifiers = &tables.assault;
    let applying = [
        (storming.lower, modifiers.against_higher),
        (holding.lower, modifiers.against_lower),
        (storming.run, modifiers.stream),
        (holding.wall, modifiers.wall),
        (holding.flanked, modifiers.flanked),
        (storming.charge, modifiers.charge),
    ];
    let applying = applying.into_iter().filter(|(applies, _)| *applies);
    let mut applying: Vec<i64> = applying.map(|(_, modifier)| modifier).collect();
    applying.extend(leader_modifier(tables, attacker));
    applying
}

/// What a leader adds to the line of his own side.
fn leader_modifier(tables: &Tables, stack: &Stack) -> Vec<i64> {
    stack
        .leader
        .then_some(tables.assault.leader)
        .into_iter()
        .collect()
}
