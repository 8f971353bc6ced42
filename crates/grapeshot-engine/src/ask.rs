//! The two questions, each in one call.

use crate::dist::{Distribution, Variable};
use crate::engine::{Budget, Compiled, DynSteps, EngineError, Method, Plan, Stop, Stream, Watch};

/// The exact odds of a procedure, its rows read by these variables, headline first.
///
/// # Errors
/// If its states are over the usual [`Budget`], it runs in circles, or it can only be played out.
pub fn exact(steps: &dyn DynSteps, variables: Vec<Variable>) -> Result<Distribution, EngineError> {
    let answer = Compiled::new(steps, Budget::default())?.exact()?;
    Ok(answer.distribution(variables, &steps.phases(), 0))
}

/// How so many trials came out, its rows read by these variables, headline first. The same seed gives the same
/// counts, on any number of threads.
///
/// # Errors
/// If the steps run in circles.
pub fn simulated(
    steps: &dyn DynSteps,
    variables: Vec<Variable>,
    trials: u64,
    seed: u64,
) -> Result<Distribution, EngineError> {
    let plan = Plan {
        method: Method::Simulate,
        stop: Stop::Trials(trials),
        stream: Stream::common(seed),
    };
    let answer = Compiled::new(steps, Budget::default())?.simulated(&plan, &Watch::default());
    Ok(answer.distribution(variables, &steps.phases(), seed))
}
