//! Differences split into a ladder and what no ladder can say (the Hodge split; Jiang, Lim, Yao and Ye 2011).
//!
//! Of every two that have met, somebody leads by so much. The ladder gives each a strength such that the differences of
//! strengths come as near to the leads as can be, by least squares. What is left over runs in rings: seen from the ladder
//! it is noise, and it is orthogonal to every ladder, so the squares of both parts add up to the whole.

use serde::Serialize;

/// How leads divide.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ladder {
    /// Pairs that have met.
    pub pairs: usize,
    /// The share of the leads, squared, that runs in rings; nought where nobody leads.
    pub rings: f64,
    /// Groups of units of which none has met any of another: between them strengths say nothing.
    pub parts: usize,
    /// The greatest lead that the ladder tells wrong, and by how much.
    pub widest: f64,
}

/// Leads smaller than this, squared and relative to all, are rounding.
const ROUNDING: f64 = 1e-24;

/// The ladder of leads, which are antisymmetric; with the strength of each that has met somebody, nought on average within
/// its group.
pub(super) fn ladder(lead: &[Vec<Option<f64>>]) -> (Ladder, Vec<Option<f64>>) {
    let count = lead.len();
    let met = |one: usize| (0..count).filter(move |&other| lead[one][other].is_some());
    let mut group = vec![usize::MAX; count];
    let mut parts = 0;
    for one in 0..count {
        if group[one] != usize::MAX || met(one).next().is_none() {
            continue;
        }
        let mut open = vec![one];
        while let Some(next) = open.pop() {
            if group[next] == usize::MAX {
                group[next] = parts;
                open.extend(met(next));
            }
        }
        parts += 1;
    }
    // Normal equations; a one for each two of a group makes strengths nought on average there, and the matrix regular.
    let mut matrix = vec![vec![0.0; count]; count];
    let mut right = vec![0.0; count];
    for one in 0..count {
        if group[one] == usize::MAX {
            matrix[one][one] = 1.0;
            continue;
        }
        for other in (0..count).filter(|&other| group[other] == group[one]) {
            matrix[one][other] += 1.0;
        }
        for other in met(one) {
            matrix[one][one] += 1.0;
            matrix[one][other] -= 1.0;
            right[one] += lead[one][other].unwrap_or(0.0);
        }
    }
    let strengths = solve(&matrix, &right);
    let (mut all, mut left, mut pairs, mut widest) = (0.0, 0.0, 0, 0.0f64);
    for one in 0..count {
        for other in met(one).filter(|&other| other > one) {
            let known = lead[one][other].unwrap_or(0.0);
            let missed = known - (strengths[one] - strengths[other]);
            all += known * known;
            left += missed * missed;
            widest = widest.max(missed.abs());
            pairs += 1;
        }
    }
    let ladder = Ladder {
        pairs,
        rings: match left > ROUNDING * all && all > 0.0 {
            true => left / all,
            false => 0.0,
        },
        parts,
        widest,
    };
    let known = strengths.into_iter().zip(group);
    let known = known.map(|(strength, group)| (group != usize::MAX).then_some(strength));
    (ladder, known.collect())
}

/// Solves regular equations, with one step of refinement.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut found = eliminated(matrix, right);
    let rest: Vec<f64> = (matrix.iter().zip(right))
        .map(|(row, right)| right - row.iter().zip(&found).map(|(a, x)| a * x).sum::<f64>())
        .collect();
    for (found, more) in found.iter_mut().zip(eliminated(matrix, &rest)) {
        *found += more;
    }
    found
}

fn eliminated(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let count = right.len();
    let mut rows: Vec<Vec<f64>> = (matrix.iter().zip(right))
        .map(|(row, right)| row.iter().copied().chain([*right]).collect())
        .collect();
    for at in 0..count {
        let order = |&a: &usize, &b: &usize| rows[a][at].abs().total_cmp(&rows[b][at].abs());
        let pivot = (at..count).max_by(order).unwrap_or(at);
        rows.swap(at, pivot);
        let lead = rows[at].clone();
        for row in &mut rows[at + 1..] {
            let times = row[at] / lead[at];
            if times != 0.0 {
                for (cell, of) in row[at..].iter_mut().zip(&lead[at..]) {
                    *cell -= times * of;
                }
            }
        }
    }
    let mut found = vec![0.0; count];
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count)
            .map(|other| rows[at][other] * found[other])
            .sum();
        found[at] = (rows[at][count] - known) / rows[at][at];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    type Leads = Vec<Vec<Option<f64>>>;

    fn leads(count: usize, of: impl Fn(usize, usize) -> Option<f64>) -> Leads {
        let row = |one: usize| (0..count).map(|other| of(one, other)).collect();
        (0..count).map(row).collect()
    }

    #[test]
    fn differences_of_strengths_are_all_ladder_and_a_ring_is_none() {
        let strengths = [0.3, -0.1, 0.25, -0.45];
        let pure = leads(4, |a, b| (a != b).then(|| strengths[a] - strengths[b]));
        let (found, known) = ladder(&pure);
        assert_eq!((found.rings, found.parts, found.pairs), (0.0, 1, 6));
        for (known, strength) in known.iter().zip(strengths) {
            assert!((known.expect("it has met somebody") - strength).abs() < 1e-15);
        }
        // Rock, paper, scissors.
        let ring = leads(3, |a, b| match (3 + b - a) % 3 {
            0 => None,
            1 => Some(0.2),
            _ => Some(-0.2),
        });
        let (found, known) = ladder(&ring);
        assert!((found.rings - 1.0).abs() < 1e-15);
        assert!(known.iter().flatten().all(|x| x.abs() < 1e-15));
    }

    #[test]
    fn what_is_left_over_is_orthogonal_to_the_ladder() {
        // Any leads, some of them missing, from a plain congruence.
        let mut state = 12_345u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1u32 << 31) - 0.5
        };
        for count in [3, 7, 20, 60] {
            let mut lead = vec![vec![None; count]; count];
            let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
            for (one, other) in pairs.clone() {
                let x = next();
                if x > -0.3 {
                    (lead[one][other], lead[other][one]) = (Some(x), Some(-x));
                }
            }
            let (found, known) = ladder(&lead);
            let (mut product, mut whole, mut ladder, mut left) = (0.0, 0.0, 0.0, 0.0);
            for (one, other) in pairs {
                let (Some(x), Some(a), Some(b)) = (lead[one][other], known[one], known[other])
                else {
                    continue;
                };
                product += (a - b) * (x - (a - b));
                whole += x * x;
                ladder += (a - b) * (a - b);
                left += (x - (a - b)) * (x - (a - b));
            }
            assert!(product.abs() < 1e-12, "{count}: {product}");
            assert!((whole - ladder - left).abs() < 1e-12);
            assert!((found.rings - left / whole).abs() < 1e-12);
        }
    }

    #[test]
    fn who_never_meets_has_no_rung() {
        let apart = leads(5, |a, b| match (a, b) {
            (0, 1) => Some(0.4),
            (1, 0) => Some(-0.4),
            (2, 3) => Some(0.1),
            (3, 2) => Some(-0.1),
            _ => None,
        });
        let (found, known) = ladder(&apart);
        assert_eq!(found.parts, 2);
        assert_eq!(known[4], None);
        assert!((known[0].expect("met") - 0.2).abs() < 1e-15);
        assert!((known[3].expect("met") + 0.05).abs() < 1e-15);
    }
}
