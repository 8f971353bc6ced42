//! Steps with choices, compiled: an ordinary graph in which some nodes are not rolled but chosen.
//!
//! A [`Game`] keeps the choices beside the graph, so that the graph of a procedure without any is
//! what it always was. What the sides do is found by [`induce`](super::induce); under any policy a
//! game collapses into a plain [`Graph`] (see [`collapse`](super::collapse)).

use super::compile::{Built, build};
use super::graph::{Budget, CompileError, Graph, NEVER, Target};
use super::numbered::Numbering;
use super::{Chooser, End, Steps};

/// A state in which a side has at least two actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub(crate) node: u32,
    /// Who chooses.
    pub chooser: Chooser,
    /// What it may do, in the order of ties.
    pub actions: Vec<u16>,
    /// Where its actions stand in lists of the values of all actions.
    pub(crate) first_action: usize,
}

/// A compiled procedure with choices.
#[derive(Debug, Clone)]
pub struct Game {
    pub(crate) graph: Graph,
    pub(crate) choices: Vec<Choice>,
    /// For each node the choice it is, or [`NEVER`].
    pub(crate) choice_at: Vec<u32>,
    /// The chance of each edge of the graph, steps back to the same state divided out; 0 for those.
    pub(crate) odds: Vec<f64>,
}

impl Game {
    /// Compiles steps that may offer choices; also gives the state of each choice, in order.
    ///
    /// # Errors
    /// See [`Graph::compile`].
    pub fn compile<S: Steps>(
        steps: &S,
        budget: Budget,
    ) -> Result<(Game, Vec<S::State>), CompileError> {
        let mut states = Numbering::new(steps);
        let (game, nodes) = Game::of(build(&mut states, budget)?);
        let chosen = nodes.into_iter().map(|node| states.state(node));
        Ok((game, chosen.collect()))
    }

    /// The game, and the node of each choice.
    fn of(built: Built) -> (Game, Vec<u32>) {
        let mut choices: Vec<Choice> = Vec::with_capacity(built.choices.len());
        let mut choice_at = vec![NEVER; built.graph.nodes.len()];
        let mut first_action = 0;
        for (node, chooser, actions) in built.choices {
            choice_at[node as usize] = choices.len() as u32;
            let count = actions.len();
            choices.push(Choice {
                node,
                chooser,
                actions,
                first_action,
            });
            first_action += count;
        }
        let nodes = choices.iter().map(|choice| choice.node).collect();
        let odds = edge_odds(&built.graph);
        let game = Game {
            graph: built.graph,
            choices,
            choice_at,
            odds,
        };
        (game, nodes)
    }

    /// The same game as the other side sees it: whoever asked is the enemy now.
    #[must_use]
    pub fn from_the_other_side(mut self) -> Game {
        for choice in &mut self.choices {
            choice.chooser = match choice.chooser {
                Chooser::Asking => Chooser::Enemy,
                Chooser::Enemy => Chooser::Asking,
            };
        }
        self
    }

    /// How many distinct states there are.
    pub fn states(&self) -> usize {
        self.graph.states()
    }

    /// Every choice there is.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Every end the game can have, in some turn, however it is played.
    pub fn possible_rows(&self) -> Vec<End> {
        let (turns, _) = self.turns();
        let all = (0..self.graph.ends.len()).flat_map(|end| {
            (0..turns).map(move |turn| End {
                row: self.graph.row_of(end, turn),
                phase: self.graph.ends[end].phase,
            })
        });
        all.collect()
    }

    /// Turns that can be played: their number and the first one (1 and 0 without a clock).
    pub fn turns(&self) -> (usize, u16) {
        self.graph.turns()
    }

    pub(crate) fn choice(&self, node: u32) -> Option<usize> {
        match self.choice_at[node as usize] {
            NEVER => None,
            at => Some(at as usize),
        }
    }

    /// How many actions all choices have together.
    pub(crate) fn all_actions(&self) -> usize {
        self.choices
            .last()
            .map_or(0, |choice| choice.first_action + choice.actions.len())
    }
}

fn edge_odds(graph: &Graph) -> Vec<f64> {
    let mut odds = vec![0.0; graph.edges.len()];
    for &node in &graph.order {
        let range = graph.nodes[node as usize].range();
        let edges = &graph.edges[range.clone()];
        let back = |edge: &&super::graph::Edge| edge.target == Target::Node(node);
        let staying: u128 = edges.iter().filter(back).map(|edge| edge.weight).sum();
        let leaving = (graph.nodes[node as usize].total - staying) as f64;
        for (odds, edge) in odds[range].iter_mut().zip(edges) {
            if !back(&edge) {
                *odds = edge.weight as f64 / leaving;
            }
        }
    }
    odds
}
