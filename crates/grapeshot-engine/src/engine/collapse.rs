//! A game under a policy: every choice an ordinary edge, so that a plain graph remains.
//!
//! A policy may say another thing in another turn. So nodes whose worth depends on the turn are
//! there once for every turn in which they can be reached, and the rest once; the clock goes on
//! counting, and solving and walking know nothing of it.

use super::game::Game;
use super::graph::{Edge, Graph, NEVER, Node, Target, UNEXPANDED};
use super::induce::BestPlay;
use rustc_hash::FxHashMap;

impl Game {
    /// The graph that remains when the game is played so.
    pub fn collapse(&self, play: &BestPlay) -> Graph {
        Collapse::new(self, play).graph()
    }

    /// The chance to come to each choice in each turn when the game is played so.
    pub fn reach(&self, play: &BestPlay) -> Vec<Vec<f64>> {
        let (turns, _) = self.turns();
        let nodes = self.graph.nodes.len();
        let mut reach = vec![vec![0.0; self.choices.len()]; turns];
        let mut now = vec![0.0f64; nodes];
        let mut later = vec![0.0f64; nodes];
        now[0] = 1.0;
        for (turn, reach) in reach.iter_mut().enumerate() {
            for &node in &self.graph.order {
                let mass = std::mem::take(&mut now[node as usize]);
                if mass == 0.0 {
                    continue;
                }
                let mut flow = |target: Target, mass: f64| match target {
                    Target::Node(next) => now[next as usize] += mass,
                    Target::Later(next) => later[next as usize] += mass,
                    Target::End(_) => {}
                };
                let range = self.graph.nodes[node as usize].range();
                match self.choice(node) {
                    Some(choice) => {
                        reach[choice] += mass;
                        let edge = range.start + play.taken(turn, choice);
                        flow(self.graph.edges[edge].target, mass);
                    }
                    None => {
                        for edge in range.filter(|&edge| self.odds[edge] > 0.0) {
                            flow(self.graph.edges[edge].target, mass * self.odds[edge]);
                        }
                    }
                }
            }
            std::mem::swap(&mut now, &mut later);
        }
        reach
    }
}

struct Collapse<'a> {
    game: &'a Game,
    play: &'a BestPlay,
    /// The new number of a node in a turn; of one that does not depend on it, in turn 0.
    numbers: FxHashMap<(usize, u32), u32>,
    /// Turn and old number of every new node.
    old: Vec<(usize, u32)>,
}

impl<'a> Collapse<'a> {
    fn new(game: &'a Game, play: &'a BestPlay) -> Self {
        Collapse {
            game,
            play,
            numbers: FxHashMap::default(),
            old: Vec::new(),
        }
    }

    fn number(&mut self, turn: usize, node: u32) -> u32 {
        // What waits for a turn that is not played is only asked for its end.
        let waits = turn == self.game.turns().0;
        let key = if waits || self.play.timed[node as usize] {
            (turn, node)
        } else {
            (0, node)
        };
        let old = &mut self.old;
        *self.numbers.entry(key).or_insert_with(|| {
            old.push(key);
            (old.len() - 1) as u32
        })
    }

    fn target(&mut self, turn: usize, target: Target) -> Target {
        match target {
            Target::Node(node) => Target::Node(self.number(turn, node)),
            Target::Later(node) => Target::Later(self.number(turn + 1, node)),
            Target::End(end) => Target::End(end),
        }
    }

    fn graph(mut self) -> Graph {
        let game = self.game;
        let turns = game.turns().0;
        self.number(0, 0);
        let mut nodes = Vec::new();
        let mut edges = Vec::new();
        let mut time_up = Vec::new();
        while let Some(&(turn, node)) = self.old.get(nodes.len()) {
            time_up.push(
                game.graph
                    .time_up
                    .get(node as usize)
                    .copied()
                    .unwrap_or(NEVER),
            );
            if turn == turns {
                nodes.push(UNEXPANDED);
                continue;
            }
            let first = edges.len();
            let range = game.graph.nodes[node as usize].range();
            let total = match game.choice(node) {
                Some(choice) => {
                    let taken = range.start + self.play.taken(turn, choice);
                    let target = self.target(turn, game.graph.edges[taken].target);
                    edges.push(Edge { target, weight: 1 });
                    1
                }
                None => {
                    for edge in range {
                        let Edge { target, weight } = game.graph.edges[edge];
                        let target = self.target(turn, target);
                        edges.push(Edge { target, weight });
                    }
                    game.graph.nodes[node as usize].total
                }
            };
            nodes.push(Node::new(first..edges.len(), total));
        }
        let order = self.order(turns);
        Graph {
            nodes,
            edges,
            ends: game.graph.ends.clone(),
            time_up,
            order,
            clock: game.graph.clock,
        }
    }

    /// Nodes that depend on the turn lead to one another within a turn and to those that do not, never
    /// back.
    fn order(&self, turns: usize) -> Vec<u32> {
        let place: FxHashMap<u32, usize> =
            (self.game.graph.order.iter().copied()).zip(0..).collect();
        let mut order: Vec<u32> = (0..self.old.len() as u32)
            .filter(|&new| self.old[new as usize].0 < turns)
            .collect();
        order.sort_unstable_by_key(|&new| {
            let (turn, node) = self.old[new as usize];
            (!self.play.timed[node as usize], turn, place[&node])
        });
        order
    }
}
