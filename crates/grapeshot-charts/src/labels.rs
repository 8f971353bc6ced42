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

/// Puts a label of each size beside its falling curve, where it covers no curve and no
/// other label; nothing if one of them finds no such place.
pub(super) fn beside_falling(
    curves: &[Vec<(f64, f64)>],
    sizes: &[(f64, f64)],
    inside: Rect,
) -> Option<Vec<Placed>> {
    one_by_one(curves, sizes, |i, dense, out| {
        places(&dense[i], sizes[i], inside)
            .filter(|p| {
                out.iter()
                    .flatten()
                    .all(|q| !q.rect.inset(-5.0).overlaps(&p.rect))
            })
            .filter(|p| {
                dense
                    .iter()
                    .flatten()
                    .all(|q| !p.rect.inset(-4.0).contains(*q))
            })
            .filter_map(|p| {
                let to = (p.on.0.clamp(p.rect.x, p.rect.right()), p.rect.centre().1);
                let level = (p.on.1 - inside.y) / inside.h;
                let clear = crossings(dense, i, p.on, to) == 0 && (0.03..0.97).contains(&level);
                let far = (to.0 - p.on.0).hypot(to.1 - p.on.1);
                clear.then_some((far + (level - 0.4).abs() * 20.0, p))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, p)| p)
    })
}

/// Puts a label of each size above or below its curve, there where it is farthest from the others; nothing
/// if one of them finds no place that covers no curve and no other label, and is nearest to its own.
pub(super) fn where_parted(
    curves: &[Vec<(f64, f64)>],
    sizes: &[(f64, f64)],
    inside: Rect,
) -> Option<Vec<Placed>> {
    one_by_one(curves, sizes, |i, dense, out| {
        let (w, h) = sizes[i];
        // Above, below, and off each corner for curves too steep for that.
        let around = |&(x, y): &(f64, f64)| {
            let (left, right, middle) = (-w - 4.0, 4.0, -w / 2.0);
            let (above, below) = (-h - 3.0, 3.0);
            let offsets = [
                (middle, above),
                (middle, below),
                (right, above),
                (left, above),
                (right, below),
                (left, below),
                (right + 2.0, -h / 2.0),
                (left - 2.0, -h / 2.0),
            ];
            offsets.map(|(dx, dy)| Placed {
                rect: Rect::new(x + dx, y + dy, w, h),
                on: (x, y),
            })
        };
        let is_free = |p: &Placed| {
            let clear = p.rect.inset(-2.0);
            inside.contains((p.rect.x, p.rect.y))
                && inside.contains((p.rect.right(), p.rect.bottom()))
                && out
                    .iter()
                    .flatten()
                    .all(|q| !q.rect.inset(-4.0).overlaps(&p.rect))
                && dense.iter().flatten().all(|q| !clear.contains(*q))
        };
        // Asked of every point of every curve, so by squares until the nearest is known, and not by `hypot`, which
        // guards against overflow.
        let nearest = |p: &Placed, own: bool| {
            let (left, right) = (p.rect.x, p.rect.right());
            let (top, bottom) = (p.rect.y, p.rect.bottom());
            let far = |&(x, y): &(f64, f64)| {
                let across = (left - x).max(x - right).max(0.0);
                let along = (top - y).max(y - bottom).max(0.0);
                across * across + along * along
            };
            let curves = dense.iter().enumerate().filter(|(k, _)| (*k == i) == own);
            let each = curves.map(|(_, curve)| curve.iter().map(far).fold(f64::INFINITY, f64::min));
            each.fold(f64::INFINITY, f64::min).sqrt()
        };
        dense[i]
            .iter()
            .flat_map(around)
            .filter(is_free)
            .map(|p| (nearest(&p, false), nearest(&p, true), p))
            .filter(|(others, own, _)| *others > (2.0 * own).max(8.0))
            .map(|(others, own, p)| (others.min(5.0 * h) - own + 0.01 * p.on.0, p))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, p)| p)
    })
}

/// Places one label after the other, given the number of its curve, the points of all curves and the labels
/// that are placed already; nothing if one of them finds no place.
fn one_by_one(
    curves: &[Vec<(f64, f64)>],
    sizes: &[(f64, f64)],
    place: impl Fn(usize, &[Vec<(f64, f64)>], &[Option<Placed>]) -> Option<Placed>,
) -> Option<Vec<Placed>> {
    let dense: Vec<Vec<(f64, f64)>> = curves.iter().map(|c| samples(c)).collect();
    let mut out: Vec<Option<Placed>> = vec![None; curves.len()];
    // The widest is the hardest to place: it goes first.
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by(|a, b| sizes[*b].0.total_cmp(&sizes[*a].0).then(a.cmp(b)));
    for i in order {
        out[i] = Some(place(i, &dense, &out)?);
    }
    Some(out.into_iter().flatten().collect())
}

/// The places beside a curve where a label of a size would stay inside.
fn places(curve: &[(f64, f64)], (w, h): (f64, f64), inside: Rect) -> impl Iterator<Item = Placed> {
    let upper = [
        (9.0, -h * 0.6 - 3.0),
        (11.0, 0.0),
        (24.0, -24.0),
        (44.0, -40.0),
    ];
    let lower = upper.map(|(dx, dy)| (-dx - w, -dy));
    let offsets: Vec<_> = upper.into_iter().chain(lower).collect();
    curve
        .iter()
        .step_by(2)
        .flat_map(move |&(x, y)| {
            offsets.clone().into_iter().map(move |(dx, dy)| Placed {
                rect: Rect::new(x + dx, y + dy - h / 2.0, w, h),
                on: (x, y),
            })
        })
        .filter(move |p| {
            inside.contains((p.rect.x, p.rect.y))
                && inside.contains((p.rect.right(), p.rect.bottom()))
        })
}

/// The corner of a frame where a box of a size covers the fewest points of the curves:
/// upper right or lower left, the two a falling curve leaves free.
pub(super) fn free_corner(curves: &[Vec<(f64, f64)>], (w, h): (f64, f64), inside: Rect) -> Rect {
    let corners = [
        Rect::new(inside.right() - w, inside.y, w, h),
        Rect::new(inside.x, inside.bottom() - h, w, h),
    ];
    let dense: Vec<_> = curves.iter().flat_map(|c| samples(c)).collect();
    let hits = |r: &Rect| dense.iter().filter(|p| r.inset(-4.0).contains(**p)).count();
    let [upper, lower] = corners;
    if hits(&lower) < hits(&upper) {
        lower
    } else {
        upper
    }
}

/// How many points of other curves lie close to the way from a curve to its label.
fn crossings(curves: &[Vec<(f64, f64)>], own: usize, a: (f64, f64), b: (f64, f64)) -> usize {
    let near = |p: &(f64, f64)| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let t = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / (dx * dx + dy * dy).max(1e-9);
        let (off_x, off_y) = (a.0 + t * dx - p.0, a.1 + t * dy - p.1);
        (0.0..=1.0).contains(&t) && off_x * off_x + off_y * off_y < 2.5 * 2.5
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
    fn names_of_curves_that_meet_at_their_end_stand_where_they_part() {
        let curve = |top: f64| vec![(0.0, top), (200.0, 180.0), (400.0, 180.0)];
        let curves = [curve(10.0), curve(90.0), curve(170.0)];
        let inside = Rect::new(0.0, 0.0, 400.0, 200.0);
        let placed = where_parted(&curves, &[(40.0, 12.0); 3], inside).expect("room");
        for (i, p) in placed.iter().enumerate() {
            assert!(p.on.0 < 150.0, "{p:?}");
            let others = placed.iter().enumerate().filter(|(k, _)| *k != i);
            assert!(others.into_iter().all(|(_, q)| !q.rect.overlaps(&p.rect)));
        }
        let same = [curve(10.0), curve(10.0)];
        assert!(where_parted(&same, &[(40.0, 12.0); 2], inside).is_none());
    }

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
