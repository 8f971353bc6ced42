//! Steps compiled into a graph: state by state, turn by turn, every way the dice can go.

use super::ended::look_up;
use super::graph::{Budget, CompileError, Edge, Graph, NEVER, Node, Target, UNEXPANDED};
use super::numbered::{ByNumber, Numbered, Numbering};
use super::{Chooser, Clock, End, Next, Steps};
use crate::dice::{Branch, Solving, gcd};
use std::cell::Cell;

impl Graph {
    /// Compiles steps that offer no choice.
    ///
    /// # Errors
    /// If there are too many states, the steps run in circles, or a state offers a choice.
    pub fn compile<S: Steps>(steps: &S, budget: Budget) -> Result<Graph, CompileError> {
        let mut states = Numbering::new(steps);
        let built = build(&mut states, budget)?;
        match built.choices.first() {
            Some(&(node, ..)) => Err(CompileError::Choice {
                state: states.name(node),
            }),
            None => Ok(built.graph),
        }
    }
}

/// What compiling gives: the graph, and the nodes at which a side chooses. The states are with the
/// [`Numbering`] it was made from.
pub(super) struct Built {
    pub graph: Graph,
    pub choices: Vec<(u32, Chooser, Vec<u16>)>,
}

/// Compiles steps whose states go by numbers. Not generic: the machine code of this file would else be made
/// once for every procedure there is, which was a tenth of the crate's build.
pub(super) fn build(steps: &mut dyn ByNumber, budget: Budget) -> Result<Built, CompileError> {
    let mut build = Builder {
        time_is_up: steps.phases(),
        clock: steps.clock(),
        steps,
        choices: Vec::new(),
        lists: LISTS.take().unwrap_or_default(),
    };
    build.explore(budget)?;
    let order = build.order()?;
    Ok(Built {
        graph: build.lists.graph(order, build.clock),
        choices: build.choices,
    })
}

thread_local! {
    /// The lists of the last graph that was compiled here: an audit compiles a hundred thousand small ones, and
    /// would spend a tenth of its time on making lists longer.
    static LISTS: Cell<Option<Lists>> = const { Cell::new(None) };
}

/// The most edges for which there is room in lists that are kept.
const KEPT: usize = 1 << 16;

/// What a graph grows in.
#[derive(Default)]
struct Lists {
    ends: Numbered<End>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    time_up: Vec<u32>,
    /// Nodes that are expanded or waiting for it; those of this turn and of the next.
    queued: Vec<bool>,
    now: Vec<u32>,
    later: Vec<u32>,
    dice: Solving,
    /// The ways out of a state.
    ways: Vec<Branch<Next<u32>>>,
    /// The edge that last led to each node of this turn, of the next, and to each end.
    led: [Vec<u32>; 3],
}

impl Lists {
    /// Queues what a node that was just expanded leads to, of all states met so far.
    fn queue(&mut self, node: u32, met: usize) {
        self.queued.resize(met, false);
        for edge in &self.edges[self.nodes[node as usize].range()] {
            match edge.target {
                Target::Node(next) => {
                    if !std::mem::replace(&mut self.queued[next as usize], true) {
                        self.now.push(next);
                    }
                }
                Target::Later(next) if !self.queued[next as usize] => self.later.push(next),
                Target::Later(_) | Target::End(_) => {}
            }
        }
    }

    /// Goes on to the next turn.
    fn turn(&mut self) {
        let queued = &mut self.queued;
        self.later
            .retain(|&node| !std::mem::replace(&mut queued[node as usize], true));
        std::mem::swap(&mut self.now, &mut self.later);
    }

    /// The graph that they hold; they are kept for the next one, unless they are large.
    fn graph(mut self, order: Vec<u32>, clock: Option<Clock>) -> Graph {
        if self.edges.capacity() > KEPT {
            return Graph {
                nodes: self.nodes,
                edges: self.edges,
                ends: self.ends.items,
                time_up: self.time_up,
                order,
                clock,
            };
        }
        let graph = Graph {
            nodes: self.nodes.clone(),
            edges: self.edges.clone(),
            ends: self.ends.items.clone(),
            time_up: self.time_up.clone(),
            order,
            clock,
        };
        self.ends.clear();
        self.nodes.clear();
        self.edges.clear();
        self.time_up.clear();
        self.queued.clear();
        self.now.clear();
        self.later.clear();
        self.led.iter_mut().for_each(Vec::clear);
        LISTS.set(Some(self));
        graph
    }
}

struct Builder<'a> {
    steps: &'a mut dyn ByNumber,
    clock: Option<Clock>,
    /// Nodes at which a side has two or more actions; an edge of weight 1 for each, in order.
    choices: Vec<(u32, Chooser, Vec<u16>)>,
    /// The phase of a trial that outlasts its turns: one past the last.
    time_is_up: u8,
    lists: Lists,
}

impl Builder<'_> {
    /// Finds every state that can be reached within the turns there are. Turn by turn, so that a
    /// state first met after the last turn is never expanded.
    fn explore(&mut self, budget: Budget) -> Result<(), CompileError> {
        let turns = match self.clock {
            Some(clock) => usize::from(clock.last - clock.first) + 1,
            None => 1,
        };
        // A state may be met as "next turn" and in this turn too, in either order; it is expanded
        // once, as early as it can be played.
        self.lists.queued.push(true);
        let start = self.steps.start();
        self.lists.now.push(start);
        for _ in 0..turns {
            while let Some(node) = self.lists.now.pop() {
                look_up();
                self.expand(node)?;
                let met = self.steps.met();
                self.lists.queue(node, met);
                if met > budget.states {
                    return Err(CompileError::TooLarge {
                        states: budget.states,
                    });
                }
                if self.lists.edges.len() > budget.ways() {
                    return Err(CompileError::TooWide {
                        ways: budget.ways(),
                    });
                }
            }
            self.lists.turn();
        }
        let states = self.steps.met();
        self.lists.nodes.resize(states, UNEXPANDED);
        self.lists.time_up.resize(states, NEVER);
        Ok(())
    }

    fn is_expanded(&self, node: u32) -> bool {
        self.lists
            .nodes
            .get(node as usize)
            .is_some_and(|node| !node.range().is_empty())
    }

    fn expand(&mut self, node: u32) -> Result<(), CompileError> {
        let phase = self.steps.phase(node);
        let first_edge = self.lists.edges.len();
        let total;
        if let Some(offer) = self.steps.offer(node) {
            let ids: Vec<u16> = offer.actions.iter().map(|&(id, _)| id).collect();
            assert!(
                !ids.is_empty() && ids.is_sorted_by(|a, b| a < b),
                "an offer has its actions in the order of ties: {} {ids:?}",
                self.steps.name(node)
            );
            total = ids.len() as u128;
            for (_, next) in offer.actions {
                let target = self.target(next, phase);
                if target == Target::Node(node) {
                    return Err(self.endless(node));
                }
                self.lists.edges.push(Edge { target, weight: 1 });
            }
            // One action is no choice, but a step that rolls nothing.
            if ids.len() > 1 {
                self.choices.push((node, offer.chooser, ids));
            }
        } else {
            let mut ways = std::mem::take(&mut self.lists.ways);
            let all = self.steps.ways(node, &mut self.lists.dice, &mut ways);
            for way in &ways {
                let target = self.target(way.result, phase);
                // What is lighter than the weights can say leads nowhere.
                if way.weight > 0 {
                    self.lead(first_edge, target, way.weight);
                }
            }
            self.lists.ways = ways;
            let edges = &mut self.lists.edges[first_edge..];
            let divisor = edges.iter().fold(all, |d, edge| gcd(d, edge.weight));
            total = all / divisor;
            if divisor > 1 {
                edges.iter_mut().for_each(|edge| edge.weight /= divisor);
            }
            let stays = Edge {
                target: Target::Node(node),
                weight: total,
            };
            if edges.contains(&stays) {
                return Err(self.endless(node));
            }
        }
        if self.lists.nodes.len() <= node as usize {
            self.lists.nodes.resize(node as usize + 1, UNEXPANDED);
        }
        self.lists.nodes[node as usize] = Node::new(first_edge..self.lists.edges.len(), total);
        Ok(())
    }

    fn endless(&self, node: u32) -> CompileError {
        CompileError::Endless {
            state: self.steps.name(node),
        }
    }

    /// Adds an edge to the node whose edges begin there, or its weight to the edge that leads there already.
    fn lead(&mut self, first_edge: usize, target: Target, weight: u128) {
        let (kind, number) = match target {
            Target::Node(number) => (0, number),
            Target::Later(number) => (1, number),
            Target::End(number) => (2, number),
        };
        let led = &mut self.lists.led[kind];
        if led.len() <= number as usize {
            led.resize(number as usize + 1, 0);
        }
        // What another node left there is below the first edge, or leads elsewhere.
        let at = &mut led[number as usize];
        match self.lists.edges.get_mut(*at as usize) {
            Some(edge) if *at as usize >= first_edge && edge.target == target => {
                edge.weight += weight;
            }
            _ => {
                *at = self.lists.edges.len() as u32;
                self.lists.edges.push(Edge { target, weight });
            }
        }
    }

    /// Where a step out of this phase leads.
    fn target(&mut self, next: Next<u32>, phase: u8) -> Target {
        match next {
            Next::Go(next) => Target::Node(next),
            Next::NextTurn(next) => {
                self.note_time_up(next);
                Target::Later(next)
            }
            Next::Done(row) => Target::End(self.lists.ends.number(End { row, phase })),
        }
    }

    fn note_time_up(&mut self, number: u32) {
        if self.lists.time_up.len() <= number as usize {
            self.lists.time_up.resize(number as usize + 1, NEVER);
        }
        if self.lists.time_up[number as usize] == NEVER {
            self.lists.time_up[number as usize] = self.lists.ends.number(End {
                row: self.steps.time_up(number),
                phase: self.time_is_up,
            });
        }
    }

    /// Kahn's order over the edges within a turn; a step back to the same state is no obstacle.
    fn order(&self) -> Result<Vec<u32>, CompileError> {
        let within = |node: u32| {
            self.lists.edges[self.lists.nodes[node as usize].range()]
                .iter()
                .filter_map(|edge| match edge.target {
                    Target::Node(target) => Some(target),
                    _ => None,
                })
        };
        let expanded: Vec<u32> = (0..self.lists.nodes.len() as u32)
            .filter(|&node| self.is_expanded(node))
            .collect();
        let mut waiting = vec![0u32; self.lists.nodes.len()];
        for &node in &expanded {
            for target in within(node).filter(|&target| target != node) {
                waiting[target as usize] += 1;
            }
        }
        let mut ready: Vec<u32> = expanded
            .iter()
            .copied()
            .filter(|&node| waiting[node as usize] == 0)
            .collect();
        let mut order = Vec::with_capacity(expanded.len());
        while let Some(node) = ready.pop() {
            order.push(node);
            for target in within(node).filter(|&target| target != node) {
                waiting[target as usize] -= 1;
                if waiting[target as usize] == 0 {
                    ready.push(target);
                }
            }
        }
        match expanded.iter().find(|&&node| waiting[node as usize] > 0) {
            Some(&stuck) => Err(CompileError::Cycle {
                state: self.steps.name(stuck),
            }),
            None => Ok(order),
        }
    }
}
