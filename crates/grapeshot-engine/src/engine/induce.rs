//! Best play, backwards from the ends: a value for every state, and what each choice takes.
//!
//! Both sides act in turn and see everything, so nobody gains by mixing. With a clock the same state
//! may be worth another thing in another turn; states from which no further turn can come (a charge)
//! are worth the same in all of them and are valued once.

use super::game::Game;
use super::graph::Target;
use super::{Chooser, Row};
use rustc_hash::FxHashMap;

/// Actions whose values differ by no more than this are worth the same; the first of them is taken.
pub const TIE: f64 = 1e-12;

/// How a choice is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taking {
    /// As is best for the chooser.
    Best,
    /// The action at this position.
    At(usize),
    /// As is best of all actions but this one.
    Without(u16),
    /// Each action as often as the others.
    Any,
}

/// What becomes of a game in which both sides take each action as often as the others, and who is to be thanked for it: the
/// variance of what it is worth, by what dice decide and by what either side chooses. The three are the whole.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AtRandom {
    /// What it is worth on average.
    pub value: f64,
    /// What dice decide of the variance.
    pub dice: f64,
    /// What the side that asks chooses.
    pub asking: f64,
    /// What its enemy chooses.
    pub enemy: f64,
}

impl AtRandom {
    /// The variance.
    pub fn variance(&self) -> f64 {
        self.dice + self.asking + self.enemy
    }

    /// What comes of one step: the variance of what is worth so much next, beside what comes later.
    fn of(next: &[(f64, AtRandom)], chooser: Option<Chooser>) -> Self {
        let mut sum = AtRandom::default();
        for (p, at) in next {
            sum.value += p * at.value;
            sum.dice += p * at.dice;
            sum.asking += p * at.asking;
            sum.enemy += p * at.enemy;
        }
        let apart = next
            .iter()
            .map(|(p, at)| p * (at.value - sum.value).powi(2));
        let own = match chooser {
            None => &mut sum.dice,
            Some(Chooser::Asking) => &mut sum.asking,
            Some(Chooser::Enemy) => &mut sum.enemy,
        };
        *own += apart.sum::<f64>();
        sum
    }
}

/// How a game is played, with what every action is worth when all else is played so.
#[derive(Debug, Clone)]
pub struct BestPlay {
    /// The value of the whole game to the side that asks.
    pub value: f64,
    /// The value of every action of every choice, turn by turn.
    actions: Vec<Vec<f64>>,
    /// What every choice takes, by position among its actions, turn by turn.
    taken: Vec<Vec<u16>>,
    /// Whether what a node is worth depends on the turn.
    pub(crate) timed: Vec<bool>,
    /// The value of each end.
    ends: Vec<f64>,
}

impl BestPlay {
    /// What the actions of a choice are worth in the `turn`-th turn (from 0), in their order.
    pub fn values(&self, game: &Game, turn: usize, choice: usize) -> &[f64] {
        let at = &game.choices[choice];
        &self.actions[turn][at.first_action..at.first_action + at.actions.len()]
    }

    /// What a choice takes in the `turn`-th turn (from 0), by position among its actions.
    pub fn taken(&self, turn: usize, choice: usize) -> usize {
        usize::from(self.taken[turn][choice])
    }

    /// The value of a choice in the `turn`-th turn.
    pub fn value_at(&self, game: &Game, turn: usize, choice: usize) -> f64 {
        self.values(game, turn, choice)[self.taken(turn, choice)]
    }

    /// How much worse for the chooser the next best action is; 0 in a tie, never below.
    pub fn margin(&self, game: &Game, turn: usize, choice: usize) -> f64 {
        let sign = sign(game.choices[choice].chooser);
        let taken = self.taken(turn, choice);
        let values = self.values(game, turn, choice);
        let others = values.iter().enumerate().filter(|&(at, _)| at != taken);
        let next = others.map(|(_, value)| sign * value);
        (sign * values[taken] - next.fold(f64::NEG_INFINITY, f64::max)).max(0.0)
    }
}

/// Whether the chooser likes values great or small.
fn sign(chooser: Chooser) -> f64 {
    match chooser {
        Chooser::Asking => 1.0,
        Chooser::Enemy => -1.0,
    }
}

/// The first of the best, up to [`TIE`].
fn first_best(values: &[f64], chooser: Chooser) -> usize {
    let sign = sign(chooser);
    let best = values
        .iter()
        .fold(f64::NEG_INFINITY, |best, value| best.max(sign * value));
    let first = values.iter().position(|value| sign * value >= best - TIE);
    first.expect("a choice has actions, and their values are numbers")
}

/// The same among all actions but one; where there is no other, that one.
fn best_without(values: &[f64], chooser: Chooser, actions: &[u16], without: u16) -> usize {
    let left: Vec<usize> = (0..values.len())
        .filter(|&at| actions[at] != without)
        .collect();
    let of: Vec<f64> = left.iter().map(|&at| values[at]).collect();
    match of.is_empty() {
        true => first_best(values, chooser),
        false => left[first_best(&of, chooser)],
    }
}

impl Game {
    /// Both sides take each action as often as the others: what comes of it, and who decides it.
    pub fn at_random(&self, worth: impl Fn(&Row) -> f64) -> AtRandom {
        let (turns, _) = self.turns();
        let ended = |end: u32| AtRandom {
            value: worth(&self.graph.ends[end as usize].row),
            ..AtRandom::default()
        };
        let ends: Vec<AtRandom> = (0..self.graph.ends.len() as u32).map(ended).collect();
        let mut now = vec![AtRandom::default(); self.graph.nodes.len()];
        let mut later = now.clone();
        for turn in (0..turns).rev() {
            super::look_up();
            for &node in self.graph.order.iter().rev() {
                let range = self.graph.nodes[node as usize].range();
                let edges = &self.graph.edges[range.clone()];
                let choice = self.choice(node).map(|number| self.choices[number].chooser);
                let even = 1.0 / edges.len() as f64;
                let next = edges
                    .iter()
                    .zip(&self.odds[range])
                    .filter_map(|(edge, odds)| {
                        let p = if choice.is_some() { even } else { *odds };
                        let at = match edge.target {
                            Target::Node(next) => now[next as usize],
                            Target::Later(next) if turn + 1 == turns => {
                                ends[self.graph.time_up[next as usize] as usize]
                            }
                            Target::Later(next) => later[next as usize],
                            Target::End(end) => ends[end as usize],
                        };
                        (p > 0.0).then_some((p, at))
                    });
                let next: Vec<(f64, AtRandom)> = next.collect();
                now[node as usize] = AtRandom::of(&next, choice);
            }
            std::mem::swap(&mut now, &mut later);
        }
        later[0]
    }

    /// Best play of both sides, when a finished row is worth so much to the side that asks. The worth
    /// of a row may not depend on the turn in which it is reached.
    pub fn best(&self, worth: impl Fn(&Row) -> f64) -> BestPlay {
        self.best_under(worth, |_, _| None)
    }

    /// Best play where some choices are fixed: `fixed` names the position of the action that a choice
    /// takes in a turn (the number of the turn, as the clock counts it), or leaves it free. What is left
    /// free is best play against the rest.
    pub fn best_under(
        &self,
        worth: impl Fn(&Row) -> f64,
        fixed: impl Fn(u16, usize) -> Option<usize>,
    ) -> BestPlay {
        self.best_taking(worth, |turn, choice| {
            fixed(turn, choice).map_or(Taking::Best, Taking::At)
        })
    }

    /// The same where choices may be made in other ways too. What is taken where each action is as likely as the others says
    /// nothing; the value does.
    pub fn best_taking(
        &self,
        worth: impl Fn(&Row) -> f64,
        taking: impl Fn(u16, usize) -> Taking,
    ) -> BestPlay {
        let (turns, first) = self.turns();
        let timed = self.timed(turns, first, &taking);
        let ends: Vec<f64> = self.graph.ends.iter().map(|end| worth(&end.row)).collect();
        let mut actions = vec![vec![0.0; self.all_actions()]; turns];
        let mut taken = vec![vec![0u16; self.choices.len()]; turns];
        let mut now = vec![0.0f64; self.graph.nodes.len()];
        let mut later = Vec::new();
        for turn in (0..turns).rev() {
            super::look_up();
            let is_last = turn + 1 == turns;
            for &node in self.graph.order.iter().rev() {
                let at = node as usize;
                if !is_last && !timed[at] {
                    continue;
                }
                let range = self.graph.nodes[at].range();
                let worth_of = |target: Target| match target {
                    Target::Node(next) => now[next as usize],
                    Target::Later(next) if is_last => {
                        ends[self.graph.time_up[next as usize] as usize]
                    }
                    Target::Later(next) => later_value(&later, next),
                    Target::End(end) => ends[end as usize],
                };
                let edges = &self.graph.edges[range.clone()];
                now[at] = match self.choice(node) {
                    None => {
                        let shares = edges.iter().zip(&self.odds[range]);
                        shares
                            .map(|(edge, p)| {
                                if *p == 0.0 {
                                    0.0
                                } else {
                                    p * worth_of(edge.target)
                                }
                            })
                            .sum()
                    }
                    Some(number) => {
                        let choice = &self.choices[number];
                        let values = &mut actions[turn][choice.first_action..][..edges.len()];
                        for (value, edge) in values.iter_mut().zip(edges) {
                            *value = worth_of(edge.target);
                        }
                        let position = match taking(first + turn as u16, number) {
                            Taking::Best | Taking::Any => first_best(values, choice.chooser),
                            Taking::At(position) => position,
                            Taking::Without(action) => {
                                best_without(values, choice.chooser, &choice.actions, action)
                            }
                        };
                        taken[turn][number] = position as u16;
                        match taking(first + turn as u16, number) {
                            Taking::Any => values.iter().sum::<f64>() / values.len() as f64,
                            _ => values[position],
                        }
                    }
                };
            }
            if is_last {
                later.clone_from(&now);
            } else {
                std::mem::swap(&mut now, &mut later);
            }
        }
        self.share_untimed(&timed, &mut actions, &mut taken);
        BestPlay {
            value: later[0],
            actions,
            taken,
            timed,
            ends,
        }
    }

    /// Whether what a node is worth depends on the turn: another turn can follow it, or a choice is
    /// fixed differently in different turns.
    fn timed(&self, turns: usize, first: u16, taking: &impl Fn(u16, usize) -> Taking) -> Vec<bool> {
        let mut timed = vec![false; self.graph.nodes.len()];
        for &node in self.graph.order.iter().rev() {
            let edges = self.graph.edges_of(node);
            timed[node as usize] = edges.iter().any(|edge| match edge.target {
                Target::Node(next) => timed[next as usize],
                Target::Later(_) => true,
                Target::End(_) => false,
            }) || self.choice(node).is_some_and(|choice| {
                let mut plans = (0..turns as u16).map(|turn| taking(first + turn, choice));
                let once = plans.next();
                plans.any(|plan| Some(plan) != once)
            });
        }
        timed
    }

    /// Choices that do not depend on the turn were made in the last one; they hold in all.
    fn share_untimed(&self, timed: &[bool], actions: &mut [Vec<f64>], taken: &mut [Vec<u16>]) {
        let Some((last_actions, actions)) = actions.split_last_mut() else {
            return;
        };
        let Some((last_taken, taken)) = taken.split_last_mut() else {
            return;
        };
        for (number, choice) in self.choices.iter().enumerate() {
            if !timed[choice.node as usize] {
                let range = choice.first_action..choice.first_action + choice.actions.len();
                for (actions, taken) in actions.iter_mut().zip(taken.iter_mut()) {
                    actions[range.clone()].copy_from_slice(&last_actions[range.clone()]);
                    taken[number] = last_taken[number];
                }
            }
        }
    }

    /// The value when the side that asks is held to an action at its first choice, in every state in
    /// which it may then take it, and all else is best play.
    pub fn held(&self, best: &BestPlay, action: u16) -> f64 {
        let [value] = self.held_for([best], action);
        value
    }

    /// The same for several measures of one way to play ([`Game::measured`]), the first of them that of which the
    /// choices before are made.
    pub fn held_for<const N: usize>(&self, plays: [&BestPlay; N], action: u16) -> [f64; N] {
        self.before_choosing(plays, |choice, turn| {
            let offered = &self.choices[choice].actions;
            let position = offered.iter().position(|&offered| offered == action);
            plays.map(|play| match position {
                Some(position) => play.values(self, turn, choice)[position],
                None => play.value_at(self, turn, choice),
            })
        })
    }

    /// What another measure of the ends comes to when the game is played so: every choice is made as `play` makes it.
    pub fn measured(&self, play: &BestPlay, worth: impl Fn(&Row) -> f64) -> BestPlay {
        let (_, first) = self.turns();
        self.best_under(worth, |turn, choice| {
            Some(play.taken(usize::from(turn - first), choice))
        })
    }

    fn before_choosing<const N: usize>(
        &self,
        plays: [&BestPlay; N],
        mut own: impl FnMut(usize, usize) -> [f64; N],
    ) -> [f64; N] {
        let mut held = Held {
            game: self,
            plays,
            found: FxHashMap::default(),
        };
        held.value(0, 0, &mut own)
    }

    /// Every action that the side that asks may take in some state of its first choice, in the order
    /// of ties.
    pub fn first_actions(&self, best: &BestPlay) -> Vec<u16> {
        let mut actions = Vec::new();
        self.before_choosing([best], |choice, _| {
            actions.extend_from_slice(&self.choices[choice].actions);
            [0.0]
        });
        actions.sort_unstable();
        actions.dedup();
        actions
    }
}

/// A node that is not expanded has no value of its own, and is never asked for one that counts.
fn later_value(later: &[f64], node: u32) -> f64 {
    later[node as usize]
}

/// The part of a game before the first choice of the side that asks.
struct Held<'a, const N: usize> {
    game: &'a Game,
    plays: [&'a BestPlay; N],
    found: FxHashMap<(usize, u32), [f64; N]>,
}

impl<const N: usize> Held<'_, N> {
    /// The values of a node in the `turn`-th turn, when the first own choice has the values `own` says.
    fn value(
        &mut self,
        turn: usize,
        node: u32,
        own: &mut impl FnMut(usize, usize) -> [f64; N],
    ) -> [f64; N] {
        if let Some(&values) = self.found.get(&(turn, node)) {
            return values;
        }
        let game = self.game;
        let range = game.graph.nodes[node as usize].range();
        let choice = game.choice(node);
        let values = match choice.map(|choice| (choice, game.choices[choice].chooser)) {
            Some((choice, Chooser::Asking)) => own(choice, turn),
            Some((_, Chooser::Enemy)) => {
                let edges = game.graph.edges[range].to_vec();
                let each: Vec<[f64; N]> = edges
                    .iter()
                    .map(|edge| self.target(turn, edge.target, own))
                    .collect();
                let first: Vec<f64> = each.iter().map(|values| values[0]).collect();
                each[first_best(&first, Chooser::Enemy)]
            }
            None => {
                let mut sums = [0.0; N];
                for edge in range.filter(|&edge| game.odds[edge] > 0.0) {
                    let values = self.target(turn, game.graph.edges[edge].target, own);
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += game.odds[edge] * value;
                    }
                }
                sums
            }
        };
        self.found.insert((turn, node), values);
        values
    }

    fn target(
        &mut self,
        turn: usize,
        target: Target,
        own: &mut impl FnMut(usize, usize) -> [f64; N],
    ) -> [f64; N] {
        let game = self.game;
        let ended = |end: u32| self.plays.map(|play| play.ends[end as usize]);
        match target {
            Target::Node(next) => self.value(turn, next, own),
            Target::Later(next) if turn + 1 < game.turns().0 => self.value(turn + 1, next, own),
            Target::Later(next) => ended(game.graph.time_up[next as usize]),
            Target::End(end) => ended(end),
        }
    }
}
