//! A game that has been played, seen afterwards: what the dice did and what the players did.
//!
//! Only what is known of it counts: the actions that were taken, as much of the states in which they were
//! taken as was noted, and as much of the end. Over all ways in which the game can have gone so, each
//! decision costs what its action was worth less than the best one; what is left of the difference
//! between what was expected and what came out is luck.

use super::game::Game;
use super::graph::Target;
use super::induce::BestPlay;
use super::{Chooser, Row};
use rustc_hash::FxHashMap;

/// A decision as it was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Met {
    /// The turn, as the clock counts it.
    pub turn: u16,
    /// The choice, by its number.
    pub choice: usize,
    /// How many decisions its chooser has taken before.
    pub taken: usize,
}

/// What came of a game, and whose doing it was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hindsight {
    /// The chance that the dice let it go so, when the players do what they did.
    pub chance: f64,
    /// What the game was worth before it began, under best play.
    pub expected: f64,
    /// What its end is worth; the mean, if that is not wholly known.
    pub result: f64,
    /// What the decisions of the side that asks have cost it: never above 0.
    pub own_error: f64,
    /// What those of its enemy have given away: never below 0.
    pub enemy_error: f64,
}

impl Hindsight {
    /// What the dice did.
    pub fn luck(&self) -> f64 {
        self.result - self.expected - self.own_error - self.enemy_error
    }
}

/// Sums over all ways from a node that agree with what is known.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    chance: f64,
    worth: f64,
    own: f64,
    enemy: f64,
}

impl Sums {
    fn add(&mut self, p: f64, other: Sums) {
        self.chance += p * other.chance;
        self.worth += p * other.worth;
        self.own += p * other.own;
        self.enemy += p * other.enemy;
    }
}

impl Game {
    /// What came of a game that was played so. `action` says by position which action a decision took, if
    /// it can have been taken there at all; the decisions of an enemy that is not listed are best play.
    /// Nothing if the game cannot have gone so.
    pub fn hindsight(
        &self,
        best: &BestPlay,
        worth: impl Fn(&Row) -> f64,
        decisions: [Option<usize>; 2],
        action: impl Fn(Chooser, Met) -> Option<usize>,
        ended: impl Fn(&Row) -> bool,
    ) -> Option<Hindsight> {
        let mut search = Search {
            game: self,
            best,
            worth: &worth,
            decisions,
            action: &action,
            ended: &ended,
            found: FxHashMap::default(),
        };
        let sums = search.node(0, 0, [0, 0]);
        (sums.chance > 0.0).then(|| Hindsight {
            chance: sums.chance,
            expected: best.value,
            result: sums.worth / sums.chance,
            own_error: sums.own / sums.chance,
            enemy_error: sums.enemy / sums.chance,
        })
    }
}

struct Search<'a, W, A, E> {
    game: &'a Game,
    best: &'a BestPlay,
    worth: &'a W,
    /// How many decisions of each side are listed; none: it played as well as possible.
    decisions: [Option<usize>; 2],
    action: &'a A,
    ended: &'a E,
    found: FxHashMap<(usize, u32, [usize; 2]), Sums>,
}

impl<W, A, E> Search<'_, W, A, E>
where
    W: Fn(&Row) -> f64,
    A: Fn(Chooser, Met) -> Option<usize>,
    E: Fn(&Row) -> bool,
{
    fn node(&mut self, turn: usize, node: u32, taken: [usize; 2]) -> Sums {
        if let Some(&sums) = self.found.get(&(turn, node, taken)) {
            return sums;
        }
        let game = self.game;
        let range = game.graph.nodes[node as usize].range();
        let mut sums = Sums::default();
        match game.choice(node) {
            None => {
                for edge in range.filter(|&edge| game.odds[edge] > 0.0) {
                    let next = self.target(turn, game.graph.edges[edge].target, taken);
                    sums.add(game.odds[edge], next);
                }
            }
            Some(choice) => {
                if let Some((position, after)) = self.decision(turn, choice, taken) {
                    let edge = range.start + position;
                    let next = self.target(turn, game.graph.edges[edge].target, after);
                    let error = self.best.values(game, turn, choice)[position]
                        - self.best.value_at(game, turn, choice);
                    sums.add(1.0, next);
                    match game.choices[choice].chooser {
                        Chooser::Asking => sums.own += next.chance * error,
                        Chooser::Enemy => sums.enemy += next.chance * error,
                    }
                }
            }
        }
        self.found.insert((turn, node, taken), sums);
        sums
    }

    /// The action of a decision, by position, and how many have been taken after it.
    fn decision(
        &self,
        turn: usize,
        choice: usize,
        mut taken: [usize; 2],
    ) -> Option<(usize, [usize; 2])> {
        let chooser = self.game.choices[choice].chooser;
        let side = chooser as usize;
        let Some(listed) = self.decisions[side] else {
            return Some((self.best.taken(turn, choice), taken));
        };
        if taken[side] == listed {
            return None;
        }
        let met = Met {
            turn: self.game.turns().1 + turn as u16,
            choice,
            taken: taken[side],
        };
        taken[side] += 1;
        (self.action)(chooser, met).map(|position| (position, taken))
    }

    fn target(&mut self, turn: usize, target: Target, taken: [usize; 2]) -> Sums {
        let game = self.game;
        match target {
            Target::Node(next) => self.node(turn, next, taken),
            Target::Later(next) if turn + 1 < game.turns().0 => self.node(turn + 1, next, taken),
            Target::Later(next) => self.end(turn, game.graph.time_up[next as usize], taken),
            Target::End(end) => self.end(turn, end, taken),
        }
    }

    fn end(&self, turn: usize, end: u32, taken: [usize; 2]) -> Sums {
        let row = self.game.graph.row_of(end as usize, turn);
        let all = |side: usize| self.decisions[side].is_none_or(|listed| taken[side] == listed);
        if !all(0) || !all(1) || !(self.ended)(&row) {
            return Sums::default();
        }
        Sums {
            chance: 1.0,
            worth: (self.worth)(&row),
            ..Sums::default()
        }
    }
}
