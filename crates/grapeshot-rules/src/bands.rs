//! Printed headings that cut a scale into bands: `3 or less`, `4 to 8`, `9-11`, `+6`, `63 +`.

/// A scale cut into bands that follow each other without gap or overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bands {
    /// The lowest and highest number of each band.
    bands: Vec<(i64, i64)>,
}

impl Bands {
    /// Reads headings in their printed order.
    ///
    /// # Errors
    /// Says which heading cannot be read, or does not follow the one before it.
    pub fn parse<S: AsRef<str>>(headings: impl IntoIterator<Item = S>) -> Result<Self, String> {
        let mut bands: Vec<(i64, i64)> = Vec::new();
        for heading in headings {
            let heading = heading.as_ref();
            let (low, high) = band(heading).ok_or_else(|| {
                format!(
                    "`{heading}` is not a band such as `3 or less`, `4 to 8`, `4-8`, `5` or `63+`"
                )
            })?;
            let follows = bands
                .last()
                .is_none_or(|last| last.1.checked_add(1) == Some(low));
            if !follows || low > high {
                return Err(format!("`{heading}` does not follow the band before it"));
            }
            bands.push((low, high));
        }
        if bands.is_empty() {
            return Err("there must be at least one band".into());
        }
        Ok(Bands { bands })
    }

    /// The lowest number of the first band.
    pub fn lowest(&self) -> i64 {
        self.bands[0].0
    }

    /// Whether a number lies in one of the bands, not beyond their ends.
    pub fn contains(&self, number: i64) -> bool {
        (self.lowest()..=self.bands[self.bands.len() - 1].1).contains(&number)
    }

    /// The band of a number; one beyond either end is in the band at that end.
    pub fn of(&self, number: i64) -> usize {
        let at = self.bands.iter().position(|&(_, high)| number <= high);
        at.unwrap_or(self.bands.len() - 1)
    }
}

fn band(heading: &str) -> Option<(i64, i64)> {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    if let Some(high) = heading.strip_suffix("or less") {
        return Some((i64::MIN, number(high)?));
    }
    if let Some(low) = heading.strip_suffix('+') {
        return Some((number(low)?, i64::MAX));
    }
    if let Some(only) = number(heading) {
        return Some((only, only));
    }
    let (low, high) = heading
        .split_once(" to ")
        .or_else(|| heading.split_once('-'))?;
    Some((number(low)?, number(high)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_form_is_read_and_the_ends_are_open() {
        let bands = Bands::parse(["3 or less", "4 to 8", "9-11", "12", "13 +"]).unwrap();
        let found: Vec<usize> = [-99, 3, 4, 8, 9, 11, 12, 13, 999]
            .map(|n| bands.of(n))
            .into();
        assert_eq!(found, [0, 0, 1, 1, 2, 2, 3, 4, 4]);
        let signed = Bands::parse(["-2", "-1", "0", "+1"]).unwrap();
        assert_eq!([-9, -1, 1, 9].map(|n| signed.of(n)), [0, 1, 3, 3]);
    }

    #[test]
    fn gaps_overlaps_and_slips_are_refused() {
        for headings in [
            ["1-2", "4-6"],
            ["1-3", "3-6"],
            ["1-3", "6-4"],
            ["1-3", "many"],
            ["1+", "2+"],
        ] {
            assert!(Bands::parse(headings).is_err(), "{headings:?}");
        }
        assert!(Bands::parse::<&str>([]).is_err());
    }
}
