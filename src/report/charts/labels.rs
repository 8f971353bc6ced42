//! Putting names beside curves without overlaps.

use super::scene::Rect;

/// Moves labels of given heights, wanted at given centres, apart and inside `lo..hi`.
pub(super) fn spread(wanted: &[f64], heights: &[f64], (lo, hi): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]).then(a.cmp(b)));
    let mut at = wanted.to_vec();
    let mut floor = lo;
    for &i in &order {
        at[i] = at[i].max(floor + heights[i] / 2.0);
        floor = at[i] + heights[i] / 2.0;
    }
    let mut ceiling = hi.max(floor.min(hi));
    for &i in order.iter().rev() {
        at[i] = at[i].min(ceiling - heights[i] / 2.0);
        ceiling = at[i] - heights[i] / 2.0;
    }
    at
}

/// A label put near a point of its curve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    /// The box of the text.
    pub(super) rect: Rect,
    /// The point of the curve it belongs to.
    pub(super) on: (f64, f64),
}

/// Puts a label of each size up and to the right of its falling curve, where it covers
/// the fewest points of any curve and no other label.
pub(super) fn beside_falling(
    curves: &[Vec<(f64, f64)>],
    sizes: &[(f64, f64)],
    inside: Rect,
) -> Vec<Placed> {
    let dense: Vec<Vec<(f64, f64)>> = curves.iter().map(|c| samples(c)).collect();
    let mut placed: Vec<Placed> = Vec::new();
    // The outermost curve has the most room: it goes first.
    let reach = |c: &[(f64, f64)]| c.iter().map(|p| p.0).sum::<f64>() / c.len().max(1) as f64;
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by(|a, b| {
        reach(&dense[*b])
            .total_cmp(&reach(&dense[*a]))
            .then(a.cmp(b))
    });
    let mut out: Vec<Option<Placed>> = vec![None; curves.len()];
    for i in order {
        let (w, h) = sizes[i];
        let mut best: Option<(f64, Placed)> = None;
        for (k, &(x, y)) in dense[i].iter().enumerate() {
            let level = (y - inside.y) / inside.h;
            if k % 3 != 0 || !(0.04..=0.97).contains(&level) {
                continue;
            }
            for (dx, dy) in [
                (8.0, -9.0),
                (12.0, 0.0),
                (20.0, -22.0),
                (38.0, -38.0),
                (64.0, -58.0),
            ] {
                let rect = Rect::new(x + dx, y + dy - h / 2.0, w, h);
                if !inside.contains((rect.x, rect.y))
                    || !inside.contains((rect.right(), rect.bottom()))
                {
                    continue;
                }
                let guard = rect.inset(-3.0);
                let hits = dense
                    .iter()
                    .flatten()
                    .filter(|p| guard.contains(**p))
                    .count();
                let clashes = placed
                    .iter()
                    .filter(|p| p.rect.inset(-4.0).overlaps(&rect))
                    .count();
                let crossed = crossings(&dense, i, (x, y), (rect.x, rect.y + h / 2.0));
                let cost = hits as f64 * 6.0
                    + clashes as f64 * 1e4
                    + crossed as f64 * 30.0
                    + dx * 0.5
                    + (level - 0.4).abs() * 20.0;
                if best.as_ref().is_none_or(|(c, _)| cost < *c) {
                    best = Some((cost, Placed { rect, on: (x, y) }));
                }
            }
        }
        let chosen = best.map_or_else(
            || {
                let on = curves[i].last().copied().unwrap_or(inside.centre());
                let row = placed.len() as f64;
                Placed {
                    rect: Rect::new(inside.right() - w, inside.y + row * h * 1.3, w, h),
                    on,
                }
            },
            |(_, p)| p,
        );
        placed.push(chosen);
        out[i] = Some(chosen);
    }
    out.into_iter().flatten().collect()
}

/// How many points of other curves lie close to the way from a curve to its label.
fn crossings(curves: &[Vec<(f64, f64)>], own: usize, a: (f64, f64), b: (f64, f64)) -> usize {
    let near = |p: &(f64, f64)| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let t = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / (dx * dx + dy * dy).max(1e-9);
        (0.0..=1.0).contains(&t) && (a.0 + t * dx - p.0).hypot(a.1 + t * dy - p.1) < 2.5
    };
    let others = curves.iter().enumerate().filter(|(i, _)| *i != own);
    others.flat_map(|(_, c)| c).filter(|p| near(p)).count()
}

/// Points about four pixels apart along a path.
fn samples(path: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut out = Vec::new();
    for pair in path.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let n = ((x1 - x0).hypot(y1 - y0) / 4.0).ceil().max(1.0) as usize;
        out.extend((0..n).map(|k| {
            let t = k as f64 / n as f64;
            (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t)
        }));
    }
    out.extend(path.last());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_pushed_apart_and_stay_inside() {
        let at = spread(&[50.0, 51.0, 49.0, 98.0], &[10.0; 4], (0.0, 100.0));
        let mut sorted = at.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|w| w[1] - w[0] >= 10.0 - 1e-9));
        assert!(sorted[0] >= 5.0 && sorted[3] <= 95.0);
        assert!(at[2] < at[0] && at[0] < at[1]);
    }
}
