//! Sizes, inks and the looks that tell series apart on screen and on paper.

use super::palette::{BLACK, Colour, Inks, WHITE};
use super::style::Length;
use super::{Dress, Meaning, Medium, Style};

/// How a line is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dash {
    Solid,
    Long,
    Dotted,
    Mixed,
    Short,
    LongShort,
}

impl Dash {
    const ALL: [Self; 6] = [
        Self::Solid,
        Self::Long,
        Self::Dotted,
        Self::Mixed,
        Self::Short,
        Self::LongShort,
    ];

    /// Lengths of stroke and gap in turn; empty for an unbroken line.
    pub(super) fn pattern(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Long => &[11.0, 5.0],
            Self::Dotted => &[2.0, 3.5],
            Self::Mixed => &[10.0, 3.5, 2.0, 3.5],
            Self::Short => &[5.0, 3.5],
            Self::LongShort => &[14.0, 3.5, 5.0, 3.5],
        }
    }
}

/// The shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Disc,
    Square,
    Up,
    Diamond,
    Ring,
    Down,
    OpenSquare,
    OpenUp,
}

impl Marker {
    const ALL: [Self; 8] = [
        Self::Disc,
        Self::Square,
        Self::Up,
        Self::Diamond,
        Self::Ring,
        Self::Down,
        Self::OpenSquare,
        Self::OpenUp,
    ];
}

/// Lines over a grey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hatch {
    None,
    Rising,
    Dots,
    Falling,
    Upright,
    Across,
    Grid,
}

impl Hatch {
    const ALL: [Self; 7] = [
        Self::None,
        Self::Rising,
        Self::Dots,
        Self::Falling,
        Self::Upright,
        Self::Across,
        Self::Grid,
    ];
}

/// How one named series or segment looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// Of an area.
    pub(super) fill: Colour,
    /// Of a line.
    pub(super) line: Colour,
    /// Of a name beside a line.
    pub(super) ink: Colour,
    pub(super) dash: Dash,
    pub(super) marker: Marker,
    pub(super) hatch: Hatch,
}

impl Look {
    /// The same look stepping back behind others.
    fn pale(self) -> Self {
        Self {
            fill: Colour::grey(232),
            line: Colour::grey(190),
            ink: Colour::grey(110),
            ..self
        }
    }
}

/// An ink a step away from a grey, for hatching it.
pub(super) fn hatch_ink(fill: Colour) -> Colour {
    if fill.luminance() > 0.25 {
        fill.mix(BLACK, 0.45)
    } else {
        fill.mix(WHITE, 0.45)
    }
}

/// Looks of all the names in a chart.
#[derive(Debug, Clone)]
pub(super) struct Looks(Vec<(String, Look)>);

impl Looks {
    pub(super) fn new(
        keys: &[String],
        medium: Medium,
        inks: &Inks,
        meanings: &[(String, Meaning)],
        dress: &Dress,
    ) -> Self {
        let meaning = |key: &String| meanings.iter().find(|(label, _)| label == key);
        let named: Vec<(&str, Option<Meaning>)> = keys
            .iter()
            .map(|key| (key.as_str(), meaning(key).map(|&(_, meaning)| meaning)))
            .collect();
        let (mut fills, mut lines) = (inks.assign(&named), inks.assign_lines(&named));
        for (i, key) in keys.iter().enumerate() {
            // Steps of a scale are shades of one colour, the same in every chart, unless they mean something already.
            let step = dress.place(key).filter(|_| named[i].1.is_none());
            if let Some(t) = step {
                (fills[i], lines[i]) = (inks.step(t), inks.step_line(t));
            }
            if let Some(own) = dress.colour(key).map(Colour::hex) {
                (fills[i], lines[i]) = (own, own.as_line());
            }
        }
        let n = keys.len();
        // Greys keep the order of the names, and run the way the colours do.
        let falling = match fills.as_slice() {
            [first, .., last] => first.luminance() > last.luminance(),
            _ => false,
        };
        let look = |i: usize| match medium {
            Medium::Screen => Look {
                fill: fills[i],
                line: lines[i],
                ink: lines[i].as_ink(),
                dash: Dash::Solid,
                marker: Marker::ALL[i % Marker::ALL.len()],
                hatch: Hatch::None,
            },
            Medium::Print => Look {
                fill: print_fill(if falling { n - 1 - i } else { i }, n),
                line: Colour::grey([26, 96, 60, 120, 40, 80][i % 6]),
                ink: Colour::grey(40),
                dash: Dash::ALL[i % Dash::ALL.len()],
                marker: Marker::ALL[i % Marker::ALL.len()],
                hatch: if n == 1 {
                    Hatch::None
                } else {
                    Hatch::ALL[i % Hatch::ALL.len()]
                },
            },
        };
        let shown = |i: usize| match dress.is_pale(&keys[i]) {
            true => look(i).pale(),
            false => look(i),
        };
        Self((0..n).map(|i| (keys[i].clone(), shown(i))).collect())
    }

    /// The look of a name; an unknown one gets the first look there is.
    pub(super) fn get(&self, name: &str) -> Look {
        let found = self
            .0
            .iter()
            .find(|(key, _)| key == name)
            .or(self.0.first());
        found.map_or(
            Look {
                fill: BLACK,
                line: BLACK,
                ink: BLACK,
                dash: Dash::Solid,
                marker: Marker::Disc,
                hatch: Hatch::None,
            },
            |(_, look)| *look,
        )
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(String, Look)> {
        self.0.iter()
    }
}

/// The grey of area `i` of `n`: evenly spaced from dark to nearly white.
pub(super) fn print_fill(i: usize, n: usize) -> Colour {
    let t = if n < 2 {
        0.5
    } else {
        i as f64 / (n - 1) as f64
    };
    Colour::grey(80).mix(Colour::grey(244), t)
}

/// The smallest text there is, in logical pixels: a style says how large that is on paper.
pub(super) const SMALLEST: f64 = 10.0;

/// Sizes and inks of everything that is not data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theme {
    pub(super) title: f64,
    pub(super) subtitle: f64,
    pub(super) caption: f64,
    pub(super) tick: f64,
    pub(super) label: f64,
    /// Numbers inside bars and cells, where room is short.
    pub(super) inside: f64,
    pub(super) note: f64,
    pub(super) footer: f64,
    pub(super) margin: f64,
    /// How much of the usual distance parts stand apart.
    pub(super) gap: f64,
    pub(super) stroke: f64,
    pub(super) marker: f64,
    pub(super) ink: Colour,
    pub(super) soft: Colour,
    pub(super) faint: Colour,
    pub(super) grid: Colour,
    pub(super) axis: Colour,
    pub(super) compact: bool,
    /// The size of names that the style asks for.
    asked: Option<f64>,
}

impl Theme {
    /// The theme of a whole chart, in a figure of an asked width: whatever the width, figures of one style have the
    /// same type, lines and margins.
    pub(super) fn new(width: Option<f64>, style: &Style) -> Self {
        let mut theme = Self::sized(false, width.is_some());
        let pixels = |length: Length| SMALLEST * length.in_mm() / style.smallest().in_mm();
        if let Some(size) = style.title_size.map(pixels) {
            theme.subtitle *= (size / theme.title).min(1.0);
            theme.title = size;
        }
        theme.asked = style.label_size.map(pixels);
        if let Some(padding) = style.padding.map(pixels) {
            theme.margin = padding;
        }
        theme.labelled()
    }

    /// The theme of one panel.
    pub(super) fn of_panel(&self) -> Self {
        let theme = Self {
            title: self.title,
            subtitle: self.subtitle,
            margin: self.margin,
            asked: self.asked,
            ..Self::sized(true, self.compact)
        };
        theme.labelled()
    }

    /// With the names of axes, ticks and series in the size that was asked for.
    fn labelled(mut self) -> Self {
        if let Some(size) = self.asked {
            (self.caption, self.tick, self.label) = (size, size, size);
        }
        self.subtitle = self.subtitle.max(SMALLEST);
        self
    }

    fn sized(panel: bool, compact: bool) -> Self {
        let (caption, tick, label, inside) = match (compact, panel) {
            (true, _) => (10.5, SMALLEST, SMALLEST, SMALLEST),
            (false, true) => (12.5, 11.0, 11.0, SMALLEST),
            (false, false) => (13.5, 12.5, 12.5, 11.5),
        };
        Self {
            title: if compact { 13.0 } else { 20.0 },
            subtitle: if compact { 11.0 } else { 14.0 },
            caption,
            tick,
            label,
            inside,
            note: if compact { SMALLEST } else { 11.0 },
            footer: if compact { SMALLEST } else { 10.5 },
            margin: if compact { 3.0 } else { 28.0 },
            gap: if compact { 0.4 } else { 1.0 },
            stroke: match (compact, panel) {
                (true, _) => 1.5,
                (_, true) => 1.8,
                (_, false) => 2.2,
            },
            marker: match (compact, panel) {
                (true, _) => 2.6,
                (_, true) => 3.0,
                (_, false) => 4.0,
            },
            ink: BLACK,
            soft: Colour::grey(74),
            faint: Colour::grey(110),
            grid: Colour::grey(228),
            axis: Colour::grey(120),
            compact,
            asked: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_engine::dist::Favour;

    #[test]
    fn print_looks_are_ordered_and_all_different() {
        for (favour, count) in [(Favour::Success, 5), (Favour::Failure, 3)] {
            let weight = |i: usize| i as f64 / (count - 1) as f64;
            let meanings: Vec<(String, Meaning)> = (0..count)
                .map(|i| {
                    (
                        format!("outcome {i}"),
                        Meaning {
                            favour,
                            weight: weight(i),
                        },
                    )
                })
                .collect();
            let keys: Vec<String> = meanings.iter().map(|(key, _)| key.clone()).collect();
            let looks = Looks::new(
                &keys,
                Medium::Print,
                &Inks::default(),
                &meanings,
                &Dress::default(),
            );
            let all: Vec<_> = looks.iter().map(|(_, l)| *l).collect();
            for w in all.windows(2) {
                assert!(w[0].fill.luminance() > w[1].fill.luminance());
            }
            for (i, a) in all.iter().enumerate() {
                let differs = |b: &Look| a.dash != b.dash && a.hatch != b.hatch;
                assert!(all[..i].iter().all(differs));
            }
        }
    }
}
