//! A picture as a list of marks, in logical pixels, before any file format.

use super::looks::{Dash, Hatch, Marker};
use super::palette::Colour;
use super::text::{self, LEADING};

/// A rectangle in logical pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

impl Rect {
    pub(super) fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    pub(super) fn right(&self) -> f64 {
        self.x + self.w
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.h
    }

    pub(super) fn centre(&self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    pub(super) fn inset(&self, by: f64) -> Self {
        Self::new(
            self.x + by,
            self.y + by,
            self.w - 2.0 * by,
            self.h - 2.0 * by,
        )
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    pub(super) fn contains(&self, (x, y): (f64, f64)) -> bool {
        x >= self.x && x <= self.right() && y >= self.y && y <= self.bottom()
    }
}

/// Where a line of text is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line of text looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Type {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) ink: Colour,
    pub(super) anchor: Anchor,
    /// Turned to read from bottom to top.
    pub(super) turned: bool,
}

impl Type {
    pub(super) fn new(size: f64, ink: Colour) -> Self {
        Self {
            size,
            bold: false,
            ink,
            anchor: Anchor::Start,
            turned: false,
        }
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) fn middle(self) -> Self {
        Self {
            anchor: Anchor::Middle,
            ..self
        }
    }

    pub(super) fn end(self) -> Self {
        Self {
            anchor: Anchor::End,
            ..self
        }
    }

    pub(super) fn turned(self) -> Self {
        Self {
            turned: true,
            ..self
        }
    }
}

/// One mark of the picture.
#[derive(Debug, Clone)]
pub(super) enum Mark {
    Rect {
        rect: Rect,
        fill: Colour,
    },
    Stroke {
        points: Vec<(f64, f64)>,
        width: f64,
        ink: Colour,
    },
    Fill {
        points: Vec<(f64, f64)>,
        fill: Colour,
        alpha: f64,
    },
    Disc {
        at: (f64, f64),
        radius: f64,
        fill: Colour,
    },
    Text {
        at: (f64, f64),
        text: String,
        kind: Type,
    },
}

/// A whole picture.
#[derive(Debug, Clone, Default)]
pub(super) struct Scene {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Millimetres of a logical pixel.
    pub(super) unit: f64,
    pub(super) marks: Vec<Mark>,
    /// Where marks of a series begin: the number of the first, and the name; nothing for what belongs to none.
    pub(super) begins: Vec<(usize, Option<String>)>,
    /// What points say when they are pointed at: of which series, where, and what.
    pub(super) tips: Vec<(String, (f64, f64), String)>,
}

impl Scene {
    /// What is drawn from here on belongs to a series.
    pub(super) fn series(&mut self, name: &str) {
        self.begins.push((self.marks.len(), Some(name.to_owned())));
    }

    /// What is drawn from here on belongs to no series.
    pub(super) fn nothing(&mut self) {
        self.begins.push((self.marks.len(), None));
    }

    /// What a point of a series says when it is pointed at.
    pub(super) fn tip(&mut self, series: &str, at: (f64, f64), text: String) {
        self.tips.push((series.to_owned(), at, text));
    }

    pub(super) fn rect(&mut self, rect: Rect, fill: Colour) {
        if rect.w > 0.0 && rect.h > 0.0 {
            self.marks.push(Mark::Rect { rect, fill });
        }
    }

    pub(super) fn outline(&mut self, r: Rect, width: f64, ink: Colour) {
        let (x0, y0, x1, y1) = (r.x, r.y, r.right(), r.bottom());
        self.path(
            vec![(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)],
            width,
            ink,
        );
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, ink: Colour) {
        self.path(vec![from, to], width, ink);
    }

    pub(super) fn path(&mut self, points: Vec<(f64, f64)>, width: f64, ink: Colour) {
        if points.len() > 1 {
            self.marks.push(Mark::Stroke { points, width, ink });
        }
    }

    /// A path broken into dashes.
    pub(super) fn dashed(&mut self, points: &[(f64, f64)], width: f64, ink: Colour, dash: Dash) {
        let pattern = dash.pattern();
        if pattern.is_empty() {
            self.path(points.to_vec(), width, ink);
            return;
        }
        let (mut slot, mut left, mut run) = (0, pattern[0], Vec::new());
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let length = (x1 - x0).hypot(y1 - y0);
            let mut done = 0.0;
            while done < length {
                let at = |d: f64| (x0 + (x1 - x0) * d / length, y0 + (y1 - y0) * d / length);
                let drawn = slot % 2 == 0;
                if drawn && run.is_empty() {
                    run.push(at(done));
                }
                let step = left.min(length - done);
                done += step;
                left -= step;
                if drawn {
                    run.push(at(done));
                }
                if left <= 1e-9 {
                    if drawn {
                        self.path(std::mem::take(&mut run), width, ink);
                    }
                    slot = (slot + 1) % pattern.len();
                    left = pattern[slot];
                }
            }
        }
        self.path(run, width, ink);
    }

    pub(super) fn fill(&mut self, points: Vec<(f64, f64)>, fill: Colour, alpha: f64) {
        if points.len() > 2 {
            self.marks.push(Mark::Fill {
                points,
                fill,
                alpha,
            });
        }
    }

    pub(super) fn disc(&mut self, at: (f64, f64), radius: f64, fill: Colour) {
        self.marks.push(Mark::Disc { at, radius, fill });
    }

    /// A point marker on a white plate, so that it stands clear of the line.
    pub(super) fn marker(&mut self, (x, y): (f64, f64), r: f64, ink: Colour, marker: Marker) {
        let white = super::palette::WHITE;
        if let Marker::Disc | Marker::Ring = marker {
            self.disc((x, y), r + 1.0, white);
            self.disc((x, y), r, ink);
            if marker == Marker::Ring {
                self.disc((x, y), r * 0.5, white);
            }
            return;
        }
        let shape = |r: f64| -> Vec<(f64, f64)> {
            let corners: &[(f64, f64)] = match marker {
                Marker::Square | Marker::OpenSquare => {
                    &[(-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)]
                }
                Marker::Diamond => &[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)],
                Marker::Down => &[(-1.1, -0.8), (1.1, -0.8), (0.0, 1.15)],
                _ => &[(-1.1, 0.8), (1.1, 0.8), (0.0, -1.15)],
            };
            corners
                .iter()
                .map(|(dx, dy)| (x + dx * r, y + dy * r))
                .collect()
        };
        self.fill(shape(r + 1.2), white, 1.0);
        self.fill(shape(r), ink, 1.0);
        if let Marker::OpenSquare | Marker::OpenUp = marker {
            self.fill(shape(r * 0.45), white, 1.0);
        }
    }

    /// Lines over a filled rectangle, for greys that would be hard to tell apart.
    pub(super) fn hatch(&mut self, r: Rect, hatch: Hatch, ink: Colour) {
        const GAP: f64 = 6.0;
        const WIDTH: f64 = 0.8;
        if hatch == Hatch::Dots {
            let (mut y, mut odd) = (r.y + GAP / 2.0, false);
            while y < r.bottom() - 1.0 {
                let mut x = r.x + if odd { GAP } else { GAP / 2.0 };
                while x < r.right() - 1.0 {
                    self.disc((x, y), 0.9, ink);
                    x += GAP;
                }
                (y, odd) = (y + GAP / 2.0, !odd);
            }
        }
        if let Hatch::Across | Hatch::Grid = hatch {
            let mut y = r.y + GAP / 2.0;
            while y < r.bottom() {
                self.line((r.x, y), (r.right(), y), WIDTH, ink);
                y += GAP;
            }
        }
        if let Hatch::Upright | Hatch::Grid = hatch {
            let mut x = r.x + GAP / 2.0;
            while x < r.right() {
                self.line((x, r.y), (x, r.bottom()), WIDTH, ink);
                x += GAP;
            }
        }
        if let Hatch::Rising | Hatch::Falling = hatch {
            // Rising lines satisfy u + v = c; falling ones are their mirror image.
            let mut c = GAP;
            while c < r.w + r.h {
                let (u0, u1) = ((c - r.h).max(0.0), c.min(r.w));
                let at = |u: f64| {
                    let x = if hatch == Hatch::Rising {
                        r.x + u
                    } else {
                        r.right() - u
                    };
                    (x, r.y + c - u)
                };
                if u1 > u0 {
                    self.line(at(u0), at(u1), WIDTH, ink);
                }
                c += GAP * 1.3;
            }
        }
    }

    /// One line of text, `at` being on its baseline.
    pub(super) fn text(&mut self, at: (f64, f64), text: impl Into<String>, kind: Type) {
        let text = text.into();
        if !text.is_empty() {
            self.marks.push(Mark::Text { at, text, kind });
        }
    }

    /// Lines of text centred on the point `at` (as turned).
    pub(super) fn block<S: AsRef<str>>(&mut self, at: (f64, f64), lines: &[S], kind: Type) {
        let step = kind.size * LEADING;
        let first = -(lines.len() as f64 - 1.0) * step / 2.0 + kind.size * 0.36;
        for (i, line) in lines.iter().enumerate() {
            let d = first + i as f64 * step;
            let at = if kind.turned {
                (at.0 + d, at.1)
            } else {
                (at.0, at.1 + d)
            };
            self.text(at, line.as_ref(), kind);
        }
    }

    /// Lines of text downward from `top`; returns where the next thing may begin.
    pub(super) fn paragraph<S: AsRef<str>>(
        &mut self,
        (x, top): (f64, f64),
        lines: &[S],
        kind: Type,
    ) -> f64 {
        let step = kind.size * LEADING;
        for (i, line) in lines.iter().enumerate() {
            self.text(
                (x, top + kind.size * 0.95 + i as f64 * step),
                line.as_ref(),
                kind,
            );
        }
        top + lines.len() as f64 * step
    }

    /// A line of text centred at a point over a plate of its background's colour.
    pub(super) fn plate(&mut self, at: (f64, f64), text: &str, kind: Type, plate: Colour) {
        let w = text::width(text, kind.size, kind.bold);
        let h = kind.size * 1.25;
        self.rect(
            Rect::new(at.0 - w / 2.0 - 3.0, at.1 - h / 2.0, w + 6.0, h),
            plate,
        );
        self.block(at, &[text], kind.middle());
    }
}
