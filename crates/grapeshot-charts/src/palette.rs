//! Colours that mean the same thing in every chart.
//!
//! Categories use the palette of the style (the Okabe-Ito set without yellow, which vanishes as
//! a line on white paper, if none is asked for), values a light-to-dark ramp, differences a ramp
//! from orange through white to blue. Outcomes are coloured by whom they favour:
//! blues are good for the side that acts, oranges bad, greys undecided. Within a
//! group the more decisive is darker, so that a grey photocopy keeps the order.

use super::Meaning;
use crate::style::Palette;
use grapeshot_engine::dist::Favour;

/// An opaque colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red, 0 to 255.
    pub r: u8,
    /// Green, 0 to 255.
    pub g: u8,
    /// Blue, 0 to 255.
    pub b: u8,
}

/// Plain white.
pub(crate) const WHITE: Colour = Colour::hex(0xFFFFFF);
/// The near-black of titles and values.
pub(crate) const BLACK: Colour = Colour::hex(0x1A1A1A);

impl Colour {
    /// The colour of a number such as `0xD55E00`.
    pub const fn hex(rgb: u32) -> Self {
        Self {
            r: (rgb >> 16) as u8,
            g: (rgb >> 8) as u8,
            b: rgb as u8,
        }
    }

    /// A grey, from 0 (black) to 255 (white).
    pub const fn grey(v: u8) -> Self {
        Self { r: v, g: v, b: v }
    }

    /// Relative luminance, 0 (black) to 1 (white).
    pub fn luminance(self) -> f64 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// This colour with the share `t` of another mixed in.
    pub fn mix(self, other: Self, t: f64) -> Self {
        let t = t.clamp(0.0, 1.0);
        let part = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * t).round() as u8;
        Self {
            r: part(self.r, other.r),
            g: part(self.g, other.g),
            b: part(self.b, other.b),
        }
    }

    /// Black or white, whichever reads better on this colour.
    pub fn ink(self) -> Self {
        let on = |ink: Colour| {
            let (a, b) = (self.luminance() + 0.05, ink.luminance() + 0.05);
            a.max(b) / a.min(b)
        };
        if on(BLACK) >= on(WHITE) { BLACK } else { WHITE }
    }

    /// The colour darkened just enough to be seen as a thin line on white paper.
    pub fn as_line(self) -> Self {
        self.darkened(0.36)
    }

    /// The colour darkened enough to be read as text on white paper.
    pub fn as_ink(self) -> Self {
        self.darkened(0.2)
    }

    fn darkened(self, most: f64) -> Self {
        let mut c = self;
        while c.luminance() > most {
            c = c.mix(BLACK, 0.06);
        }
        c
    }

    /// How different two colours look, about 0 to 1.
    pub fn distance(self, other: Self) -> f64 {
        let (a, b) = (self.oklab(), other.oklab());
        a.iter()
            .zip(b)
            .map(|(p, q)| (p - q).powi(2))
            .sum::<f64>()
            .sqrt()
    }

    fn linear(self) -> [f64; 3] {
        [self.r, self.g, self.b].map(|v| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 {
                v / 12.92
            } else {
                ((v + 0.055) / 1.055).powf(2.4)
            }
        })
    }

    /// The colour as it is seen by who lacks the receptors for green, the commonest want (Machado, Oliveira and
    /// Fernandes 2009, severity 1).
    pub fn without_green(self) -> Self {
        let [r, g, b] = self.linear();
        let seen = [
            0.367_322 * r + 0.860_646 * g - 0.227_968 * b,
            0.280_085 * r + 0.672_501 * g + 0.047_413 * b,
            -0.011_820 * r + 0.042_940 * g + 0.968_881 * b,
        ];
        let [r, g, b] = seen.map(|v| {
            let v = v.clamp(0.0, 1.0);
            let v = match v <= 0.003_130_8 {
                true => 12.92 * v,
                false => 1.055 * v.powf(1.0 / 2.4) - 0.055,
            };
            (255.0 * v).round() as u8
        });
        Self { r, g, b }
    }

    fn oklab(self) -> [f64; 3] {
        let [r, g, b] = self.linear();
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }
}

/// The colour at `t` (0 to 1) of a ramp of evenly spaced stops.
fn ramp(stops: &[Colour], t: f64) -> Colour {
    let last = stops.len() - 1;
    let at = if t.is_finite() {
        t.clamp(0.0, 1.0)
    } else {
        0.5
    } * last as f64;
    let i = (at.floor() as usize).min(last.saturating_sub(1));
    stops[i].mix(stops[(i + 1).min(last)], at - i as f64)
}

/// The grey of a value at `t` (0 to 1) for print: light is low, dark is high.
pub(crate) fn print_ramp(t: f64) -> Colour {
    ramp(&[250, 208, 154, 92, 38].map(Colour::grey), t)
}

/// FNV-1a: a hash that is the same in every build.
fn hash(label: &str) -> u64 {
    let h = label.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    });
    h ^ (h >> 32)
}

/// A name and what it means, if it means more than a name.
pub type Named<'a> = (&'a str, Option<Meaning>);

/// The colours of a palette, and what they are used for.
#[derive(Debug, Clone)]
pub struct Inks {
    colours: Vec<Colour>,
    /// The bundled palette, whose ramps are drawn by hand.
    usual: bool,
    /// Colours that were listed are taken in their order; those of a named palette by the letters of a name, so
    /// that it has the same colour in every chart.
    in_order: bool,
}

impl Default for Inks {
    fn default() -> Self {
        Inks::new(&Palette::default())
    }
}

impl Inks {
    /// The colours of a palette.
    pub(crate) fn new(palette: &Palette) -> Self {
        Inks {
            colours: palette
                .colours
                .iter()
                .map(|rgb| Colour::hex(*rgb))
                .collect(),
            usual: *palette == Palette::default(),
            in_order: palette.name.is_none(),
        }
    }

    /// The colour of what favours the side that acts.
    pub(crate) fn main(&self) -> Colour {
        self.colours[0]
    }

    /// The colour of what is against it.
    pub(crate) fn other(&self) -> Colour {
        self.colours[1 % self.colours.len()]
    }

    /// The colour of a value placed at `t` (0 to 1) of its scale: light is low, dark is high.
    pub fn sequential(&self, t: f64) -> Colour {
        if self.usual {
            let stops = [
                0xFCFDE3, 0xD5EEC0, 0x8ED3BD, 0x41B2C4, 0x2383B8, 0x27539C, 0x102A62,
            ];
            return ramp(&stops.map(Colour::hex), t);
        }
        let main = self.main();
        ramp(
            &[
                main.mix(WHITE, 0.94),
                main.mix(WHITE, 0.45),
                main,
                main.mix(BLACK, 0.5),
            ],
            t,
        )
    }

    /// The colour of a step of a scale at `t` (0 to 1): pale enough to be told from the next, dark enough to be seen.
    pub(crate) fn step(&self, t: f64) -> Colour {
        self.sequential(0.28 + 0.72 * t.clamp(0.0, 1.0))
    }

    /// The same of a line, which has to be dark on white.
    pub(crate) fn step_line(&self, t: f64) -> Colour {
        self.sequential(0.45 + 0.55 * t.clamp(0.0, 1.0)).as_line()
    }

    /// The colour of a difference at `t` (-1 to 1): against below nought, in favour above, white between.
    pub(crate) fn diverging(&self, t: f64) -> Colour {
        if self.usual {
            let stops = [
                0x9A4300, 0xD9731A, 0xF5BE8E, 0xF9F9F9, 0x9CCBE8, 0x2D8AC4, 0x084A80,
            ];
            return ramp(&stops.map(Colour::hex), (t + 1.0) / 2.0);
        }
        let (up, down) = (self.main(), self.other());
        let stops = [
            down.mix(BLACK, 0.3),
            down.mix(WHITE, 0.4),
            Colour::grey(249),
            up.mix(WHITE, 0.4),
            up.mix(BLACK, 0.3),
        ];
        ramp(&stops, (t + 1.0) / 2.0)
    }

    /// The colour of an outcome.
    pub(crate) fn of_meaning(&self, meaning: Meaning) -> Colour {
        let shades = |c: Colour| [c.mix(WHITE, 0.5), c.mix(WHITE, 0.25), c, c.mix(BLACK, 0.6)];
        let stops: Vec<Colour> = match (meaning.favour, self.usual) {
            (Favour::Success, true) => [0xB5DDF5, 0x56B4E9, 0x0072B2, 0x06294D]
                .map(Colour::hex)
                .to_vec(),
            (Favour::Failure, true) => [0xFBD3AE, 0xF0954A, 0xD55E00, 0x5C1F00]
                .map(Colour::hex)
                .to_vec(),
            (Favour::Undecided, _) => [0xE2E2E2, 0x9C9C9C, 0x5E5E5E].map(Colour::hex).to_vec(),
            (Favour::Success, false) => shades(self.main()).to_vec(),
            (Favour::Failure, false) => shades(self.other()).to_vec(),
        };
        ramp(&stops, meaning.weight)
    }

    /// Colours for names shown together, of which no two look alike.
    ///
    /// Outcomes keep their colour before mere names choose theirs.
    pub fn assign(&self, names: &[Named<'_>]) -> Vec<Colour> {
        self.assign_with(names, |c| c)
    }

    /// As [`Inks::assign`], for lines on white paper: light colours are darkened first.
    pub(crate) fn assign_lines(&self, names: &[Named<'_>]) -> Vec<Colour> {
        self.assign_with(names, Colour::as_line)
    }

    fn assign_with(&self, names: &[Named<'_>], shown: fn(Colour) -> Colour) -> Vec<Colour> {
        const APART: f64 = 0.065;
        let mut chosen: Vec<Option<Colour>> = vec![None; names.len()];
        for pass in [true, false] {
            for (i, &name) in names.iter().enumerate() {
                if name.1.is_some() != pass {
                    continue;
                }
                let free = |c: &Colour, apart: f64| {
                    chosen
                        .iter()
                        .flatten()
                        .all(|used| used.distance(*c) >= apart)
                };
                let candidates = self.candidates(name, i).into_iter();
                let candidates: Vec<_> = candidates.map(shown).collect();
                let pick = [APART, APART / 2.0, APART / 8.0]
                    .iter()
                    .find_map(|apart| candidates.iter().find(|c| free(c, *apart)))
                    .copied()
                    .unwrap_or_else(|| spare(&chosen));
                chosen[i] = Some(pick);
            }
        }
        chosen.into_iter().flatten().collect()
    }

    /// The colours the `at`-th name may take, its own first.
    fn candidates(&self, (name, meaning): Named<'_>, at: usize) -> Vec<Colour> {
        let shades = |c: Colour| {
            [
                (WHITE, 0.3),
                (BLACK, 0.3),
                (WHITE, 0.5),
                (BLACK, 0.5),
                (WHITE, 0.65),
            ]
            .map(|(other, t)| c.mix(other, t))
        };
        let count = self.colours.len();
        let start = match self.in_order {
            true => at,
            // Cut to a number of colours before it is cut to the machine's word: the same colour on a phone.
            false => (hash(name) % count as u64) as usize,
        };
        let others = (0..count).map(|k| self.colours[(start + k) % count]);
        let mut out = Vec::new();
        if let Some(meaning) = meaning {
            let own = self.of_meaning(meaning);
            out.push(own);
            out.extend(shades(own));
        }
        out.extend(others.clone());
        out.extend(others.flat_map(shades));
        out
    }
}

/// Any colour not yet used: the last resort of a chart with dozens of labels.
fn spare(chosen: &[Option<Colour>]) -> Colour {
    (0_u32..)
        .map(|k| Colour::hex(k.wrapping_mul(0x9E_3779).wrapping_add(0x33_6699) & 0xFF_FFFF))
        .find(|c| !chosen.contains(&Some(*c)) && c.luminance() < 0.8)
        .unwrap_or(BLACK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(favour: Favour, count: usize) -> Vec<Named<'static>> {
        let weight = |i: usize| i as f64 / (count - 1) as f64;
        let meaning = |i| Meaning {
            favour,
            weight: weight(i),
        };
        (0..count).map(|i| ("outcome", Some(meaning(i)))).collect()
    }

    #[test]
    fn outcomes_that_favour_alike_darken_with_their_weight_and_never_share_a_colour() {
        for favour in Favour::ALL {
            for count in 2..8 {
                let colours = Inks::default().assign(&outcomes(favour, count));
                for pair in colours.windows(2) {
                    assert!(
                        pair[0].luminance() > pair[1].luminance(),
                        "{favour:?} {count}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_shown_together_never_share_a_colour() {
        let many: Vec<_> = (0..120).map(|i| format!("series {i}")).collect();
        let named: Vec<Named<'_>> = many.iter().map(|name| (name.as_str(), None)).collect();
        let colours = Inks::default().assign(&named);
        for (i, a) in colours.iter().enumerate() {
            assert!(!colours[..i].contains(a));
        }
    }

    #[test]
    fn an_outcome_keeps_its_colour_beside_strangers() {
        let won = Meaning {
            favour: Favour::Success,
            weight: 1.0,
        };
        let inks = Inks::default();
        let colours = inks.assign(&[
            ("something else", None),
            ("another", None),
            ("won", Some(won)),
        ]);
        assert_eq!(colours[2], inks.of_meaning(won));
    }

    #[test]
    fn value_ramps_darken_steadily_in_every_palette() {
        for name in Palette::names() {
            let inks = Inks::new(&Palette::named(name).expect("a palette"));
            let falls = |ramp: &dyn Fn(f64) -> Colour| {
                let lum: Vec<_> = (0..=20)
                    .map(|i| ramp(f64::from(i) / 20.0).luminance())
                    .collect();
                assert!(lum.windows(2).all(|w| w[0] > w[1]), "{name} {lum:?}");
            };
            falls(&|t| inks.sequential(t));
            falls(&print_ramp);
            falls(&|t| inks.diverging(t));
            falls(&|t| inks.diverging(-t));
        }
    }

    #[test]
    fn what_favours_either_side_is_told_apart_without_green_in_every_palette() {
        for name in Palette::names() {
            let inks = Inks::new(&Palette::named(name).expect("a palette"));
            let seen = |favour, weight| {
                let meaning = Meaning { favour, weight };
                inks.of_meaning(meaning).without_green()
            };
            for (a, b) in [0.0, 0.5, 1.0]
                .into_iter()
                .flat_map(|a| [0.0, 0.5, 1.0].map(|b| (a, b)))
            {
                let (won, lost) = (seen(Favour::Success, a), seen(Favour::Failure, b));
                assert!(won.distance(lost) > 0.06, "{name}: {a} {b}");
            }
            for ways in [0.3, 0.6, 1.0] {
                let (up, down) = (inks.diverging(ways), inks.diverging(-ways));
                let apart = up.without_green().distance(down.without_green());
                assert!(apart > 0.06, "{name}: {ways} {apart}");
            }
        }
    }

    #[test]
    fn steps_of_a_scale_darken_and_are_told_apart_without_green_and_in_grey() {
        for name in Palette::names() {
            let inks = Inks::new(&Palette::named(name).expect("a palette"));
            let steps: Vec<Colour> = (0..6).map(|i| inks.step(f64::from(i) / 5.0)).collect();
            for pair in steps.windows(2) {
                assert!(pair[0].luminance() > pair[1].luminance(), "{name}");
                let seen = pair[0].without_green().distance(pair[1].without_green());
                assert!(seen > 0.04, "{name}: {seen}");
            }
        }
    }

    #[test]
    fn listed_colours_are_taken_in_their_order() {
        let inks = Inks::new(&Palette {
            name: None,
            colours: vec![0x112233, 0xCC4455, 0x77AA00],
        });
        let names = ["a", "b", "c"].map(|name| (name, None));
        assert_eq!(
            inks.assign(&names),
            [0x112233, 0xCC4455, 0x77AA00].map(Colour::hex)
        );
    }
}
