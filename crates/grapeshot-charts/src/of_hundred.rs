//! Of 100: how many end in which way, each an icon that can be counted.

use super::ChartError;
use super::body::{Context, Drawing, Extent, Legend};
use super::legend;
use super::scene::{Rect, Scene, Type};
use super::style::Words;
use super::text::{self, LEADING};
use crate::tell;
use grapeshot_engine::stats::{hundredth, of_hundred};

/// A square of a hundred icons for each name, coloured by outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct OfHundred {
    /// What each hundred is; empty if there is only one.
    pub names: Vec<String>,
    /// The outcomes, in the order in which they fill the square.
    pub segments: Vec<String>,
    /// For each hundred the share of each outcome; scaled to 100.
    pub shares: Vec<Vec<f64>>,
    /// What is counted, in the plural: charges, volleys.
    pub of: String,
}

/// Icons of a square, in rows of ten.
const SIDE: usize = 10;
/// The room between squares.
const GAP: f64 = 18.0;

impl OfHundred {
    /// For each hundred, how many of it end in which way, each number rounded by itself.
    pub fn counts(&self) -> Vec<Vec<usize>> {
        let count = |shares: &Vec<f64>| {
            let total: f64 = shares.iter().sum();
            shares
                .iter()
                .map(|share| hundredth(share / total))
                .collect()
        };
        self.shares.iter().map(count).collect()
    }

    /// For each hundred, the icons of each end: a hundred together, the largest group giving way.
    fn icons(&self) -> Vec<Vec<usize>> {
        let icons = |shares: &Vec<f64>| of_hundred(shares, |_| false);
        self.shares.iter().map(icons).collect()
    }

    /// The side of a square, and how many stand side by side.
    fn squares(&self, ctx: &Context) -> (f64, usize) {
        let most = if ctx.panel || ctx.narrow() {
            150.0
        } else {
            210.0
        };
        let least = self.least_square(ctx);
        let count = self.names.len();
        let fits = |n: &usize| (ctx.width + GAP) / *n as f64 - GAP >= least;
        let across = (1..=count).rev().find(fits).unwrap_or(1);
        let across = count.div_ceil(count.div_ceil(across));
        let side = ((ctx.width + GAP) / across as f64 - GAP).min(most);
        (side, across)
    }

    fn least_square(&self, ctx: &Context) -> f64 {
        ctx.theme.label * 8.2
    }

    /// The counts under a square, one outcome a line.
    fn lines(&self, counts: &[usize]) -> Vec<String> {
        let named = self.segments.iter().zip(counts).filter(|(_, n)| **n > 0);
        named.map(|(segment, n)| format!("{n} {segment}")).collect()
    }

    /// The height of the names above, the square, and the counts underneath.
    fn row(&self, ctx: &Context) -> (f64, f64, f64) {
        let (side, _) = self.squares(ctx);
        let theme = &ctx.theme;
        let lines = |name: &String| text::wrap(name, theme.label, true, side).len();
        let head = self
            .names
            .iter()
            .filter(|name| !name.is_empty())
            .map(lines)
            .max();
        let head = head.map_or(0.0, |lines| lines as f64 * theme.label * LEADING + 3.0);
        let listed = self
            .counts()
            .iter()
            .map(|counts| self.wrapped(counts, side, ctx).len())
            .max();
        let below = match ctx.style.value_labels() {
            true => listed.unwrap_or(0) as f64 * theme.label * LEADING + 4.0,
            false => 0.0,
        };
        (head, side, below)
    }

    fn wrapped(&self, counts: &[usize], side: f64, ctx: &Context) -> Vec<String> {
        let lines = self.lines(counts).into_iter();
        lines
            .flat_map(|line| text::wrap(&line, ctx.theme.label, false, side))
            .collect()
    }
}

impl Drawing for OfHundred {
    fn check(&self) -> Result<(), ChartError> {
        ChartError::some("squares", self.names.len())?;
        ChartError::shares(&self.names, &self.segments, &self.shares)
    }

    fn extent(&self) -> Extent {
        Extent {
            keys: self.segments.clone(),
            ..Extent::default()
        }
    }

    fn width(&self, ctx: &Context) -> f64 {
        let count = self.names.len() as f64;
        match ctx.panel {
            true => count * (150.0 + GAP) - GAP,
            false => (count * (210.0 + GAP) - GAP).min(904.0),
        }
    }

    fn least(&self, ctx: &Context) -> f64 {
        let words = self
            .segments
            .iter()
            .chain(&self.names)
            .flat_map(|s| s.split([' ', '-']));
        let word = words
            .map(|w| text::width(w, ctx.theme.label, false))
            .fold(0.0, f64::max);
        self.least_square(ctx).max(word)
    }

    fn height(&self, ctx: &Context) -> f64 {
        let (head, side, below) = self.row(ctx);
        let (_, across) = self.squares(ctx);
        let rows = self.names.len().div_ceil(across) as f64;
        rows * (head + side + below + GAP) - GAP
    }

    fn shortest(&self, ctx: &Context) -> f64 {
        self.height(ctx)
    }

    fn captions(&self) -> (String, String) {
        (String::new(), String::new())
    }

    fn legend(&self, _: &Context) -> Legend {
        Legend::Areas
    }

    fn notes(&self, words: &Words) -> Vec<String> {
        let of = words.say(&self.of);
        let mut notes = vec![tell!(words, "Each square is one of 100 {1}.", of)];
        if self.counts() != self.icons() {
            notes.push(tell!(
                words,
                "Numbers are rounded one by one; the largest group has the squares that are left."
            ));
        }
        notes
    }

    fn draw(&self, scene: &mut Scene, area: Rect, ctx: &Context) {
        let theme = &ctx.theme;
        let (side, across) = self.squares(ctx);
        let (head, _, below) = self.row(ctx);
        let numbers = self.counts().into_iter().zip(self.icons());
        for (at, (name, (counts, icons))) in self.names.iter().zip(numbers).enumerate() {
            let x = area.x + (at % across) as f64 * (side + GAP);
            let y = area.y + (at / across) as f64 * (head + side + below + GAP);
            let lines = text::wrap(name, theme.label, true, side);
            scene.paragraph((x, y), &lines, Type::new(theme.label, theme.ink).bold());
            let cell = side / SIDE as f64;
            let ends = self.segments.iter().zip(&icons);
            let icons = ends.flat_map(|(segment, n)| std::iter::repeat_n(segment, *n));
            for (i, segment) in icons.enumerate() {
                let look = ctx.looks.get(segment);
                let (row, column) = ((i / SIDE) as f64, (i % SIDE) as f64);
                let r = Rect::new(x + column * cell, y + head + row * cell, cell, cell);
                legend::area(scene, r.inset(cell * 0.07), look.fill, look.hatch);
                scene.outline(r.inset(cell * 0.07), 0.5, look.fill.mix(theme.ink, 0.35));
            }
            if ctx.style.value_labels() {
                let lines = self.wrapped(&counts, side, ctx);
                let top = y + head + side + 4.0;
                scene.paragraph((x, top), &lines, Type::new(theme.label, theme.soft));
            }
        }
    }
}
