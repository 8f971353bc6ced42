//! Lengths as an author writes them: `84mm`, `3.3in`, `8pt`.

/// A length on paper.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Length {
    mm: f64,
}

/// Millimetres of a printer's point.
const POINT: f64 = 25.4 / 72.0;

/// Units a length may have, in millimetres.
const UNITS: [(&str, f64); 4] = [("mm", 1.0), ("cm", 10.0), ("in", 25.4), ("pt", POINT)];

impl Length {
    /// So many millimetres.
    pub const fn mm(mm: f64) -> Self {
        Length { mm }
    }

    /// So many printer's points, 72 to the inch.
    pub const fn points(points: f64) -> Self {
        Length { mm: points * POINT }
    }

    /// In millimetres.
    pub fn in_mm(self) -> f64 {
        self.mm
    }

    /// In printer's points.
    pub fn in_points(self) -> f64 {
        self.mm / POINT
    }

    /// Reads a number and its unit; a number alone is no length.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (unit, size) = UNITS.iter().find(|(unit, _)| text.ends_with(unit))?;
        let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        (number.is_finite() && number > 0.0).then(|| Length { mm: number * size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_a_number_with_a_unit() {
        let read = |text: &str| Length::parse(text).map(Length::in_mm);
        assert_eq!(read("84mm"), Some(84.0));
        assert_eq!(read("8.4 cm"), Some(84.0));
        assert_eq!(read("1in"), Some(25.4));
        assert!((read("72pt").expect("a length") - 25.4).abs() < 1e-12);
        for wrong in ["84", "mm", "-3mm", "0mm", "84px", "nanmm", ""] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
