//! Who should attack whom, and what to choose unseen: two linear programmes.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Solution};
use serde::Serialize;

/// Shares of a mix below this are none.
const NONE: f64 = 1e-9;

/// Choices of two sides from which neither gains by going away.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Equilibrium {
    /// What it comes to for the side of the rows.
    pub value: f64,
    /// The certificate: the rows' choice has at least so much, whatever the columns do; and the columns' choice gives no more,
    /// whatever the rows do.
    pub between: (f64, f64),
    /// How often each row is chosen.
    #[serde(skip)]
    pub rows: Vec<f64>,
    /// How often each column is.
    #[serde(skip)]
    pub columns: Vec<f64>,
}

impl Equilibrium {
    /// How much is left between both ends of the certificate.
    pub fn gap(&self) -> f64 {
        self.between.1 - self.between.0
    }
}

/// The equilibrium of a matrix game: the side of the rows wants much, the other little. Each side's programme is solved by
/// itself, and the certificate is worked out from what they choose.
///
/// # Errors
/// If the solver fails, or its choices do not certify each other.
pub fn equilibrium(payoff: &[Vec<f64>]) -> Result<Equilibrium, String> {
    let turned: Vec<Vec<f64>> = (0..payoff.first().map_or(0, Vec::len))
        .map(|column| payoff.iter().map(|row| -row[column]).collect())
        .collect();
    let rows = cautious(payoff)?;
    let columns = cautious(&turned)?;
    let least = |payoff: &[Vec<f64>], mix: &[f64]| {
        let columns = 0..payoff.first().map_or(0, Vec::len);
        let each = columns.map(|column| {
            let sum = payoff
                .iter()
                .zip(mix)
                .map(|(row, share)| share * row[column]);
            sum.sum::<f64>()
        });
        each.fold(f64::INFINITY, f64::min)
    };
    let between = (least(payoff, &rows), -least(&turned, &columns));
    let size = payoff
        .iter()
        .flatten()
        .fold(1.0f64, |size, x| size.max(x.abs()));
    if between.1 - between.0 > 1e-6 * size {
        return Err(format!(
            "the equilibrium could not be certified: it lies between {} and {}",
            between.0, between.1
        ));
    }
    Ok(Equilibrium {
        value: (between.0 + between.1) / 2.0,
        between,
        rows,
        columns,
    })
}

/// The mix of rows that has the most whatever the columns do.
fn cautious(payoff: &[Vec<f64>]) -> Result<Vec<f64>, String> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
    let mix: Vec<_> = payoff
        .iter()
        .map(|_| problem.add_var(0.0, (0.0, 1.0)))
        .collect();
    let whole: Vec<_> = mix.iter().map(|&share| (share, 1.0)).collect();
    problem.add_constraint(&whole, ComparisonOp::Eq, 1.0);
    for column in 0..payoff.first().map_or(0, Vec::len) {
        let mut terms = vec![(value, -1.0)];
        let shares = mix.iter().zip(payoff);
        terms.extend(shares.map(|(&share, row)| (share, row[column])));
        problem.add_constraint(&terms, ComparisonOp::Ge, 0.0);
    }
    let found = solved(&problem)?;
    let shares = mix.iter().map(|&share| found.var_value(share));
    let shares: Vec<f64> = shares.map(|x| if x < NONE { 0.0 } else { x }).collect();
    let sum: f64 = shares.iter().sum();
    Ok(shares.into_iter().map(|share| share / sum).collect())
}

fn solved(problem: &Problem) -> Result<Solution, String> {
    let failed = |error: String| format!("the linear programme could not be solved: {error}");
    let outcome = problem.solve().map_err(|error| failed(error.to_string()))?;
    outcome
        .into_solution()
        .map_err(|error| failed(format!("{error:?}")))
}

/// Sends as many of each row as there are against as many of each column, each at most once, so that the sum is greatest.
/// What cannot be done is not done, and nobody is sent for nothing. Corners of this programme are whole numbers.
///
/// # Errors
/// If the solver fails.
pub fn most_together(
    worth: &[Vec<Option<f64>>],
    supply: &[u32],
    demand: &[u32],
) -> Result<Vec<(usize, usize, u32)>, String> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut sent = Vec::new();
    for (row, of) in worth.iter().enumerate() {
        for (column, worth) in of.iter().enumerate() {
            if let Some(worth) = worth.filter(|worth| *worth > 0.0) {
                let most = f64::from(supply[row].min(demand[column]));
                sent.push((row, column, problem.add_var(worth, (0.0, most))));
            }
        }
    }
    if sent.is_empty() {
        return Ok(Vec::new());
    }
    let lines = supply
        .iter()
        .enumerate()
        .map(|(at, &most)| (true, at, most));
    let across = demand
        .iter()
        .enumerate()
        .map(|(at, &most)| (false, at, most));
    for (is_row, at, most) in lines.chain(across) {
        let own = sent
            .iter()
            .filter(|(row, column, _)| at == if is_row { *row } else { *column });
        let terms: Vec<_> = own.map(|&(_, _, variable)| (variable, 1.0)).collect();
        if !terms.is_empty() {
            problem.add_constraint(&terms, ComparisonOp::Le, f64::from(most));
        }
    }
    let found = solved(&problem)?;
    let mut pairs = Vec::new();
    for (row, column, variable) in sent {
        let x = found.var_value(variable);
        if (x - x.round()).abs() > 1e-6 {
            return Err(format!("the linear programme sends {x} of a unit"));
        }
        if x.round() > 0.0 {
            pairs.push((row, column, x.round() as u32));
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_are_solved_by_hand() {
        // Rock, paper, scissors.
        let found = equilibrium(&[
            vec![0.0, -1.0, 1.0],
            vec![1.0, 0.0, -1.0],
            vec![-1.0, 1.0, 0.0],
        ]);
        let found = found.expect("solved");
        assert!(found.value.abs() < 1e-12 && found.gap().abs() < 1e-9);
        assert!(
            found
                .rows
                .iter()
                .all(|share| (share - 1.0 / 3.0).abs() < 1e-9)
        );
        // Two by two without a saddle: (ad − bc) / (a + d − b − c).
        let found = equilibrium(&[vec![0.7, 0.2], vec![0.3, 0.5]]).expect("solved");
        assert!((found.value - 0.29 / 0.7).abs() < 1e-12, "{found:?}");
        assert!((found.rows[0] - 0.2 / 0.7).abs() < 1e-9);
        assert!((found.columns[0] - 0.3 / 0.7).abs() < 1e-9);
        // A saddle.
        let found = equilibrium(&[vec![0.4, 0.6], vec![0.1, 0.9]]).expect("solved");
        assert_eq!((found.value, &found.rows[..]), (0.4, &[1.0, 0.0][..]));
        assert_eq!(equilibrium(&[vec![0.25]]).expect("solved").value, 0.25);
    }

    #[test]
    fn the_best_attack_is_that_of_trying_everything() {
        let mut state = 99u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1u32 << 31)
        };
        for (rows, columns) in [(4, 4), (3, 5), (5, 3), (6, 6)] {
            let worth: Vec<Vec<Option<f64>>> = (0..rows)
                .map(|_| {
                    (0..columns)
                        .map(|_| Some(next()).filter(|x| *x > 0.15))
                        .collect()
                })
                .collect();
            let sent = most_together(&worth, &vec![1; rows], &vec![1; columns]).expect("solved");
            let sum: f64 = sent
                .iter()
                .map(|&(r, c, _)| worth[r][c].expect("allowed"))
                .sum();
            assert!((sum - tried(&worth, 0, &mut vec![false; columns])).abs() < 1e-9);
        }
        // Three of one kind against one and two.
        let worth = vec![vec![Some(0.9), Some(0.5)], vec![Some(0.8), None]];
        let sent = most_together(&worth, &[3, 1], &[1, 2]).expect("solved");
        assert_eq!(sent, [(0, 0, 1), (0, 1, 2)]);
    }

    fn tried(worth: &[Vec<Option<f64>>], row: usize, taken: &mut Vec<bool>) -> f64 {
        if row == worth.len() {
            return 0.0;
        }
        let mut best = tried(worth, row + 1, taken);
        for column in 0..taken.len() {
            if let (false, Some(x)) = (taken[column], worth[row][column]) {
                taken[column] = true;
                best = best.max(x + tried(worth, row + 1, taken));
                taken[column] = false;
            }
        }
        best
    }
}
