//! From values to pixels, and the round numbers in between.

/// A straight map from values to pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear {
    pub(super) values: (f64, f64),
    pub(super) pixels: (f64, f64),
}

impl Linear {
    pub(super) fn at(&self, v: f64) -> f64 {
        let (v0, v1) = self.values;
        let (p0, p1) = self.pixels;
        let span = if (v1 - v0).abs() < 1e-300 {
            1.0
        } else {
            v1 - v0
        };
        p0 + (v - v0) / span * (p1 - p0)
    }
}

/// A round step that cuts `span` into about `count` parts.
fn round_step(span: f64, count: usize) -> f64 {
    let raw = span / count.max(1) as f64;
    let power = 10_f64.powf(raw.log10().floor());
    let lead = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .find(|m| m * power >= raw * 0.999);
    lead.unwrap_or(10.0) * power
}

/// The distance between ticks for a range; whole numbers only, if asked.
pub(super) fn step((lo, hi): (f64, f64), count: usize, whole: bool) -> f64 {
    let span = hi - lo;
    let step = if span > 0.0 {
        round_step(span, count)
    } else {
        1.0
    };
    if !whole {
        return step;
    }
    if step < 1.0 {
        1.0
    } else if (step - step.round()).abs() > 1e-9 {
        step * 2.0
    } else {
        step
    }
}

/// The multiples of `step` in a range.
pub(super) fn ticks((lo, hi): (f64, f64), step: f64) -> Vec<f64> {
    let (first, last) = (
        (lo / step - 1e-6).ceil() as i64,
        (hi / step + 1e-6).floor() as i64,
    );
    (first..=last).map(|i| i as f64 * step).collect()
}

/// A range widened to whole steps.
pub(super) fn widen((lo, hi): (f64, f64), count: usize) -> (f64, f64) {
    if hi <= lo {
        let pad = if lo == 0.0 { 1.0 } else { lo.abs() * 0.5 };
        return widen((lo - pad, lo + pad), count);
    }
    let step = round_step(hi - lo, count);
    (
        (lo / step + 1e-6).floor() * step,
        (hi / step - 1e-6).ceil() * step,
    )
}

/// The union of two optional ranges.
pub(super) fn join(a: Option<(f64, f64)>, b: Option<(f64, f64)>) -> Option<(f64, f64)> {
    match (a, b) {
        (Some((a0, a1)), Some((b0, b1))) => Some((a0.min(b0), a1.max(b1))),
        (a, b) => a.or(b),
    }
}

/// The smallest range with all the numbers.
pub(super) fn range(numbers: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.into_iter().fold(None, |r, v| join(r, Some((v, v))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let s = step((0.0, 1.0), 5, false);
        assert!((s - 0.2).abs() < 1e-12);
        assert_eq!(ticks((0.0, 1.0), s).len(), 6);
        assert!((step((0.0, 3.0), 6, true) - 1.0).abs() < 1e-12);
        assert_eq!(widen((0.0, 0.43), 5), (0.0, 0.5));
    }
}
