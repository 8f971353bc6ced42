#![doc = include_str!("../README.md")]

// What the other crates of the workspace use beside the names below; free to change with them.
#[doc(hidden)]
pub mod dice;
#[doc(hidden)]
pub mod dist;
#[doc(hidden)]
pub mod engine;
#[doc(hidden)]
pub mod labels;
#[doc(hidden)]
pub mod plain;
#[doc(hidden)]
pub mod stats;

mod ask;

pub use ask::{exact, simulated};
pub use dice::{Dice, Odds, ReadAs, Scripted, Throw};
pub use dist::{
    Distribution, Estimate, Favour, Marginal, Quantity, QuantityError, Row, Source, Variable,
    VariableKind, row, total_variation, wasserstein,
};
pub use engine::{
    BestPlay, Budget, Chooser, Clock, CompileError, DynSteps, EngineError, Game, Next, Offer,
    OneStep, Playout, PlayoutSteps, Steps, Teller,
};
pub use stats::wilson;
