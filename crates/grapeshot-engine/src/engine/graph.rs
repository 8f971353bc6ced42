//! Graphs: every distinct state of a procedure once, its successors with integer weights. `compile.rs` makes them.

use super::{Clock, End, Row};
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

    /// The most ways between its states: thirty-two a state, and not fewer than four millions.
    pub fn ways(&self) -> usize {
        self.states.saturating_mul(32).max(1 << 22)
    }

    /// The largest graph that is worth making in order to walk so many trials: a state costs about what it saves a trial.
    pub fn to_walk(self, trials: u64) -> Self {
        let worth = usize::try_from(trials).unwrap_or(usize::MAX);
        Budget {
            states: self.states.min(worth.max(Self::ALWAYS)),
        }
    }

    /// States that are made at once, in a few thousandths of a second.
    const ALWAYS: usize = 1_000;

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
    /// More ways between its states than the budget allows.
    #[error("the states of the procedure lead on in more than {ways} ways")]
    TooWide {
        /// The most there may be.
        ways: usize,
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
}

/// A node that no trial comes to play.
pub(super) const UNEXPANDED: Node = Node {
    first_edge: 0,
    edges: 0,
    total: 0,
};
