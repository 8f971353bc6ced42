//! Steps compiled into a graph: every distinct state once, its successors with integer weights.

use super::numbered::{ByNumber, Numbered, Numbering};
use super::{Chooser, Clock, End, Next, Row, Steps};
use crate::dice::{Branch, Solving, gcd};
use std::cell::Cell;
use std::time::Duration;

/// How large a graph may become. Compiling costs about a microsecond an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The most distinct states.
    pub states: usize,
}

/// Bytes of memory that a state takes with its edges while a graph is made and solved, and nanoseconds; what
/// the largest graphs of the printed rules come to (`docs/trust.md`), rounded up.
const BYTES_A_STATE: usize = 500;
const NANOSECONDS_A_STATE: u64 = 3_000;

impl Budget {
    /// About how much memory a graph of all these states takes, in bytes.
    pub fn memory(&self) -> usize {
        self.states.saturating_mul(BYTES_A_STATE)
    }

    /// About how long it takes to make and solve, on one core.
    pub fn time(&self) -> Duration {
        Duration::from_nanos((self.states as u64).saturating_mul(NANOSECONDS_A_STATE))
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget { states: 1_000_000 }
    }
}

/// Why steps could not be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// More distinct states than the budget allows.
    #[error("the procedure has more than {states} distinct states")]
    TooLarge {
        /// The budget.
        states: usize,
    },
    /// Rule code that was read from a file went wrong.
    #[error("{problem}")]
    Broken {
        /// What, and where.
        problem: String,
    },
    /// Rule code that was read from a file took more runs than it is allowed.
    #[error("{problem}")]
    Exhausted {
        /// Which, and how many.
        problem: String,
    },
    /// There are no steps to compile.
    #[error("it is played out trial by trial: {why}")]
    NeverCompiled {
        /// Why.
        why: String,
    },
    /// The same, where best play has to be found: that cannot be sampled instead.
    #[error(
        "the procedure has more than {states} distinct states, so it cannot be decided within its budget; take fewer turns or smaller units"
    )]
    Undecided {
        /// The budget.
        states: usize,
    },
    /// A state can come back after having been left, so no order of solving exists.
    #[error(
        "the procedure can return to a state it has left ({state}); only a step back to the very same state is allowed"
    )]
    Cycle {
        /// One state on the cycle.
        state: String,
    },
    /// A state that offers a choice, in a procedure that is only rolled.
    #[error("the procedure offers a choice ({state}), so its odds depend on how it is played")]
    Choice {
        /// That state.
        state: String,
    },
    /// A state whose every roll leads back to it.
    #[error("the procedure can never leave the state {state}")]
    Endless {
        /// That state.
        state: String,
    },
}

/// Where an edge leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A node of the same turn.
    Node(u32),
    /// A node of the next turn.
    Later(u32),
    /// An end.
    End(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub target: Target,
    pub weight: u128,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    first_edge: u32,
    edges: u32,
    pub total: u128,
}

impl Node {
    /// A node whose edges are these.
    pub(crate) fn new(edges: std::ops::Range<usize>, total: u128) -> Self {
        Node {
            first_edge: edges.start as u32,
            edges: edges.len() as u32,
            total,
        }
    }

    /// Where its edges are.
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.first_edge as usize..(self.first_edge + self.edges) as usize
    }
}

/// A compiled procedure.
#[derive(Debug, Clone)]
pub struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) ends: Vec<End>,
    /// For each node, the end it comes to when it is waiting for a turn that is not played.
    pub(crate) time_up: Vec<u32>,
    /// Expanded nodes in an order in which every edge within a turn leads onward.
    pub(crate) order: Vec<u32>,
    pub(crate) clock: Option<Clock>,
}

/// How many steps or hops one turn can take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Depth {
    /// In the first turn.
    pub first: usize,
    /// In any later turn.
    pub later: usize,
}

/// Marks a node that was never asked for its time-up end.
pub(crate) const NEVER: u32 = u32::MAX;

impl Graph {
    /// How many distinct states there are.
    pub fn states(&self) -> usize {
        self.order.len()
    }

    /// How many distinct ends (rows and the phase they end in, turns apart) there are.
    pub fn ends(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn edges_of(&self, node: u32) -> &[Edge] {
        &self.edges[self.nodes[node as usize].range()]
    }

    /// Turns that can be played: their number and the first one.
    pub(crate) fn turns(&self) -> (usize, u16) {
        self.clock.map_or((1, 0), |clock| {
            (usize::from(clock.last - clock.first) + 1, clock.first)
        })
    }

    /// The most states a trial can be in within a turn, of those whose edges count; steps back to the
    /// same state apart.
    pub(crate) fn depth(&self, counts: impl Fn(&[Edge]) -> bool) -> Depth {
        let mut depth = vec![0usize; self.nodes.len()];
        for &node in self.order.iter().rev() {
            let edges = self.edges_of(node);
            let onward = edges.iter().map(|edge| match edge.target {
                Target::Node(next) if next != node => depth[next as usize],
                _ => 0,
            });
            depth[node as usize] = onward.max().unwrap_or(0) + usize::from(counts(edges));
        }
        let later = self.edges.iter().map(|edge| match edge.target {
            Target::Later(node) => depth[node as usize],
            _ => 0,
        });
        Depth {
            first: depth[0],
            later: later.max().unwrap_or(0),
        }
    }

    /// Whether any step can lead back to its own state.
    pub(crate) fn has_loops(&self) -> bool {
        let back = |edge: &Edge, node: u32| edge.target == Target::Node(node);
        let mut nodes = self.order.iter();
        nodes.any(|&node| self.edges_of(node).iter().any(|edge| back(edge, node)))
    }

    /// The row of an end reached in the `turn`-th turn played (from 0).
    pub(crate) fn row_of(&self, end: usize, turn: usize) -> Row {
        let mut row = self.ends[end].row;
        if let Some(clock) = self.clock {
            clock.fill(&mut row, clock.first + turn as u16);
        }
        row
    }

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
        lists: LISTS.take(),
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
    static LISTS: Cell<Lists> = Cell::default();
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
        for edge in &self.edges[self.nodes[node as usize].first_edge as usize..] {
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
        LISTS.set(self);
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
                self.expand(node)?;
                let met = self.steps.met();
                self.lists.queue(node, met);
                if met > budget.states {
                    return Err(CompileError::TooLarge {
                        states: budget.states,
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
            .is_some_and(|node| node.edges > 0)
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
            let steps = &mut *self.steps;
            let mut ways = std::mem::take(&mut self.lists.ways);
            let all = self
                .lists
                .dice
                .walk(&mut ways, |dice| steps.step(node, dice));
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

pub(super) const UNEXPANDED: Node = Node {
    first_edge: 0,
    edges: 0,
    total: 0,
};
