//! Charges: the defender's fire at an attacker that comes on, then rounds of assault.
//!
//! [`Charge`] is a machine that can be begun from any condition of both stacks and does not count its
//! rounds: the procedures let the engine's clock do that, and a larger machine can count them itself.
//! An assault without any fire before it is the procedure `melee`.

use super::assault::{Assault, Holding, Outcome, Pair, Round, Storming};
use super::charts::Charts;
use super::stack::{Condition, Stack};
use super::terrain::Terrain;
use super::volley::{Mark, Shooter, Shot, Volley};
use grapeshot_engine::dice::Dice;
use std::sync::Arc;

/// The fire the defender has before the assault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Defence {
    /// Advance fire, at so many hexes.
    pub advance: Option<i64>,
    /// Pre-assault fire.
    pub pre_assault: bool,
    /// It has an advance-fire marker from before.
    pub marker: bool,
    /// It fires through an abatis, fence or wall.
    pub behind_wall: bool,
    /// The ground on which the attacker is fired at.
    pub terrain: Terrain,
}

/// One stack charging another.
#[derive(Debug)]
pub(super) struct Charge {
    /// Advance fire, then pre-assault fire.
    fires: [Option<Volley>; 2],
    assault: Assault,
}

/// What is to be done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The defender fires advance fire at the approaching attacker.
    AdvanceFire,
    /// The defender fires once more, before the first round.
    PreAssaultFire,
    /// A round is fought.
    Round(Round),
}

/// How both sides are, and what is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Position {
    pub pair: Pair,
    pub stage: Stage,
}

/// Where a step of a charge leads.
#[derive(Debug, Clone, Copy)]
pub(super) enum Progress {
    /// On within the approach or the round.
    Goes(Position),
    /// The approach, or a round, is over, and another round would begin here.
    NextRound(Position),
    /// It is decided.
    Over(Pair, Outcome),
}

impl Charge {
    pub(super) fn new(
        charts: &Arc<Charts>,
        [attacker, defender]: [&Stack; 2],
        storming: &Storming,
        holding: &Holding,
        defence: &Defence,
    ) -> Self {
        let fire = |range: i64, marker: bool, assaulting: bool| {
            let shot = Shot {
                shooter: Shooter {
                    clear_hex: holding.clear_hex,
                    behind_wall: defence.behind_wall,
                    advance_fire: marker,
                },
                mark: Mark {
                    terrain: defence.terrain,
                    thoroughfare: false,
                    lower: storming.lower,
                    wall: false,
                    flanked: false,
                    advancing: true,
                    charging: storming.charge,
                    assaulting,
                    crowd: storming.crowd,
                },
                range,
                no_los: false,
            };
            Volley::of_fire(charts, defender, attacker, &shot)
        };
        let advance = defence.advance;
        // Whoever has made advance fire has its marker in the fire that follows.
        let marked = defence.marker || advance.is_some();
        let range = charts.tables.pre_assault_range;
        Charge {
            fires: [
                advance.map(|range| fire(range, defence.marker, false)),
                defence.pre_assault.then(|| fire(range, marked, true)),
            ],
            assault: Assault::new(charts, [attacker, defender], storming, holding),
        }
    }

    /// What the fires before the first round are called, of those that are made.
    pub(super) fn fires_made(&self) -> Vec<&'static str> {
        let names = self.fires.iter().zip(["advance fire", "pre-assault fire"]);
        let made = names.filter(|(fire, _)| fire.is_some());
        made.map(|(_, name)| name).collect()
    }

    /// Where it begins, from these conditions.
    pub(super) fn begin(&self, attacker: Condition, defender: Condition) -> Position {
        let pair = Pair { attacker, defender };
        match &self.fires {
            [Some(_), _] => pair.at(Stage::AdvanceFire),
            [None, Some(_)] => pair.at(Stage::PreAssaultFire),
            [None, None] => self.first_round(pair),
        }
    }

    fn first_round(&self, pair: Pair) -> Position {
        self.assault.closes(pair).at(Stage::Round(Round::Attack))
    }

    /// Plays one step.
    pub(super) fn step<D: Dice>(&self, position: Position, dice: &mut D) -> Progress {
        let Position { mut pair, stage } = position;
        let [advance, pre_assault] = &self.fires;
        let fire = match stage {
            Stage::AdvanceFire => advance,
            Stage::PreAssaultFire => pre_assault,
            Stage::Round(round) => return self.round(pair, round, dice),
        };
        if let Some(volley) = fire {
            pair.attacker = volley.resolve(pair.defender, pair.attacker, dice);
        }
        if pair.attacker.order.is_gone() {
            return Progress::Over(pair, Outcome::AttackerRepulsed);
        }
        match (stage, pre_assault) {
            (Stage::AdvanceFire, Some(_)) => Progress::Goes(pair.at(Stage::PreAssaultFire)),
            _ => Progress::NextRound(self.first_round(pair)),
        }
    }

    fn round<D: Dice>(&self, pair: Pair, round: Round, dice: &mut D) -> Progress {
        let (pair, left) = self.assault.step(pair, round, dice);
        match (left, pair.decided()) {
            (Some(round), _) => Progress::Goes(pair.at(Stage::Round(round))),
            (None, Some(outcome)) => Progress::Over(pair, outcome),
            (None, None) => Progress::NextRound(pair.at(Stage::Round(Round::Attack))),
        }
    }

    /// The volleys before the first round.
    #[cfg(test)]
    pub(super) fn fires(&self) -> &[Option<Volley>; 2] {
        &self.fires
    }

    /// The assault that follows.
    #[cfg(test)]
    pub(super) fn assault(&self) -> &Assault {
        &self.assault
    }
}

impl Pair {
    fn at(self, stage: Stage) -> Position {
        Position { pair: self, stage }
    }
}
