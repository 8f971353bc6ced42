//! How many faces of a die each end of each cell has.

use super::{Error, apart};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// The true chances, cell by cell; nothing where the rules refuse.
pub(super) struct Truth {
    pub rows: usize,
    pub columns: usize,
    pub cells: Vec<Option<Vec<f64>>>,
}

/// The faces of every cell.
pub(super) type Faces = Vec<Option<Vec<u32>>>;

/// Chances that differ by less are the same.
const ROUNDING: f64 = 1e-12;

impl Truth {
    /// The nearest chart; in order, if it has to be, with the number of cells that order has moved.
    pub(super) fn chart(&self, die: u32, in_order: bool) -> Result<(Faces, usize), String> {
        let each = self.cells.iter();
        let free: Faces = each
            .map(|truth| truth.as_ref().map(|truth| remainders(truth, die)))
            .collect();
        let orders = self.orders();
        if !in_order || orders.iter().all(|order| order.holds(&free)) {
            return Ok((free, 0));
        }
        let kept = self.ordered(die, &orders)?;
        let moved = free.iter().zip(&kept).filter(|(free, kept)| free != kept);
        let moved = moved.count();
        Ok((kept, moved))
    }

    pub(super) fn error(&self, chart: &Faces, die: u32) -> Error {
        let cells = self.cells.iter().zip(chart);
        Error::of(
            cells.filter_map(|(truth, faces)| Some(apart(truth.as_ref()?, faces.as_ref()?, die))),
        )
    }

    /// Of every two neighbouring cells, down and across, and every end but the last: which has less of it and of all before it.
    fn orders(&self) -> Vec<Order> {
        let mut orders = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let at = row * self.columns + column;
                let down = (row + 1 < self.rows).then_some(at + self.columns);
                let across = (column + 1 < self.columns).then_some(at + 1);
                for other in down.into_iter().chain(across) {
                    let (Some(here), Some(there)) = (&self.cells[at], &self.cells[other]) else {
                        continue;
                    };
                    let (mut low, mut high) = (0.0, 0.0);
                    for end in 0..here.len() - 1 {
                        (low, high) = (low + here[end], high + there[end]);
                        let (less, more) = if low < high { (at, other) } else { (other, at) };
                        orders.push(Order {
                            less,
                            more,
                            end,
                            same: (low - high).abs() < ROUNDING,
                        });
                    }
                }
            }
        }
        orders
    }

    /// The nearest chart that keeps all orders: a linear programme in the highest faces of the ends, whose constraints are of
    /// differences of two of them and whose cost bends at whole numbers only, so that its corners are whole.
    fn ordered(&self, die: u32, orders: &[Order]) -> Result<Faces, String> {
        let faces = f64::from(die);
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let mut upto: Vec<Vec<Variable>> = Vec::new();
        for truth in &self.cells {
            let Some(truth) = truth else {
                upto.push(Vec::new());
                continue;
            };
            let tops: Vec<Variable> = (1..truth.len())
                .map(|_| problem.add_var(0.0, (0.0, faces)))
                .collect();
            for (end, p) in truth.iter().enumerate() {
                let below = (faces * p + ROUNDING).floor();
                let cost = |k: f64| (k - faces * p).abs();
                // So many faces below, up to one more, and beyond that.
                let short = problem.add_var(1.0, (0.0, f64::INFINITY));
                let next = problem.add_var(cost(below + 1.0) - cost(below), (0.0, 1.0));
                let over = problem.add_var(1.0, (0.0, f64::INFINITY));
                let mut terms = vec![(short, 1.0), (next, -1.0), (over, -1.0)];
                let mut rest = below;
                match end + 1 < truth.len() {
                    true => terms.push((tops[end], 1.0)),
                    false => rest -= faces,
                }
                if end > 0 {
                    terms.push((tops[end - 1], -1.0));
                }
                problem.add_constraint(&terms, ComparisonOp::Eq, rest);
                // No end has less than no face.
                let mut own: Vec<(Variable, f64)> = Vec::new();
                if end + 1 < truth.len() {
                    own.push((tops[end], 1.0));
                }
                if end > 0 {
                    own.push((tops[end - 1], -1.0));
                    let least = if end + 1 < truth.len() { 0.0 } else { -faces };
                    problem.add_constraint(&own, ComparisonOp::Ge, least);
                }
            }
            upto.push(tops);
        }
        for order in orders {
            let terms = [
                (upto[order.more][order.end], 1.0),
                (upto[order.less][order.end], -1.0),
            ];
            let how = match order.same {
                true => ComparisonOp::Eq,
                false => ComparisonOp::Ge,
            };
            problem.add_constraint(terms, how, 0.0);
        }
        let failed = |why: String| format!("the chart in order could not be found: {why}");
        let outcome = problem.solve().map_err(|error| failed(error.to_string()))?;
        let found = outcome
            .into_solution()
            .map_err(|error| failed(format!("{error:?}")))?;
        let mut chart = Faces::new();
        for tops in upto {
            if tops.is_empty() && self.cells[chart.len()].is_none() {
                chart.push(None);
                continue;
            }
            let mut before = 0;
            let mut cell = Vec::new();
            for x in tops.iter().map(|&top| found.var_value(top)).chain([faces]) {
                if (x - x.round()).abs() > 1e-6 {
                    return Err(failed(format!("a face of {x}")));
                }
                let top = x.round() as u32;
                cell.push(top.saturating_sub(before));
                before = top;
            }
            chart.push(Some(cell));
        }
        Ok(chart)
    }
}

/// One cell has no more of an end and those before it than another; as much, if it is the same in truth.
struct Order {
    less: usize,
    more: usize,
    end: usize,
    same: bool,
}

impl Order {
    fn holds(&self, faces: &Faces) -> bool {
        let upto = |cell: usize| -> u32 {
            let cell = faces[cell].as_ref();
            cell.map_or(0, |cell| cell[..=self.end].iter().sum())
        };
        match self.same {
            true => upto(self.less) == upto(self.more),
            false => upto(self.less) <= upto(self.more),
        }
    }
}

/// The largest remainders: every end has the whole faces of its share, and what is left goes to those that lack most. No
/// other division of the faces is nearer.
fn remainders(truth: &[f64], die: u32) -> Vec<u32> {
    let shares = truth.iter().map(|p| p * f64::from(die));
    let shares: Vec<f64> = shares.collect();
    let mut faces: Vec<u32> = shares
        .iter()
        .map(|x| (x + ROUNDING).floor() as u32)
        .collect();
    let lacks = |at: usize| shares[at] - (shares[at] + ROUNDING).floor();
    let mut order: Vec<usize> = (0..truth.len()).collect();
    order.sort_by(|&a, &b| lacks(b).total_cmp(&lacks(a)));
    let given: u32 = faces.iter().sum();
    for at in order
        .into_iter()
        .cycle()
        .take(die.saturating_sub(given) as usize)
    {
        faces[at] += 1;
    }
    faces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain congruences are random enough.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 >> 33) as f64 / f64::from(1u32 << 31)
        }

        fn chances(&mut self, ends: usize) -> Vec<f64> {
            let x: Vec<f64> = (0..ends).map(|_| self.next().powi(2)).collect();
            let sum: f64 = x.iter().sum();
            x.into_iter().map(|x| x / sum).collect()
        }
    }

    fn every(die: u32, ends: usize) -> Vec<Vec<u32>> {
        match ends {
            1 => vec![vec![die]],
            _ => (0..=die)
                .flat_map(|first| {
                    let rest = every(die - first, ends - 1).into_iter();
                    rest.map(move |rest| [vec![first], rest].concat())
                })
                .collect(),
        }
    }

    #[test]
    fn of_all_divisions_of_a_die_none_is_nearer_than_the_largest_remainders() {
        let mut numbers = Numbers(7);
        for (die, ends) in [(6, 3), (10, 4), (12, 3), (20, 4)] {
            for _ in 0..20 {
                let truth = numbers.chances(ends);
                let ours = remainders(&truth, die);
                assert_eq!(ours.iter().sum::<u32>(), die);
                let best = every(die, ends).into_iter();
                let best = best.map(|faces| apart(&truth, &faces, die));
                let best = best.fold(f64::INFINITY, f64::min);
                assert!((apart(&truth, &ours, die) - best).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn of_all_charts_in_order_none_is_nearer() {
        let mut numbers = Numbers(3);
        let mut moved = 0;
        for round in 0..60 {
            let die = 6;
            // Cells that are not far from each other: others are in order by themselves.
            let base = numbers.chances(3);
            let mut near = || {
                let other = numbers.chances(3).into_iter().zip(&base);
                Some(other.map(|(p, base)| 0.05 * p + 0.95 * base).collect())
            };
            let truth = Truth {
                rows: 3,
                columns: 1,
                // The first two are worked out on paper: 2, 2, 2 and 1, 3, 2 faces, though the second has more of the first end.
                cells: match round {
                    0 => [[1.4, 2.35, 2.25], [1.45, 2.5, 2.05], [1.5, 2.45, 2.05]]
                        .map(|sixths| Some(sixths.map(|x: f64| x / 6.0).to_vec()))
                        .into(),
                    _ => (0..3).map(|_| near()).collect(),
                },
            };
            let orders = truth.orders();
            let (chart, away) = truth.chart(die, true).expect("solved");
            assert!(orders.iter().all(|order| order.holds(&chart)));
            moved += away;
            let cells = every(die, 3);
            let mut best = f64::INFINITY;
            for a in &cells {
                for b in &cells {
                    for c in &cells {
                        let all: Faces = [a, b, c].map(|faces| Some(faces.clone())).into();
                        if orders.iter().all(|order| order.holds(&all)) {
                            best = best.min(truth.error(&all, die).mean);
                        }
                    }
                }
            }
            assert!((truth.error(&chart, die).mean - best).abs() < 1e-9);
        }
        assert!(moved > 0, "order matters in some of them");
    }
}
