//! A scene as PNG bytes, through the bitmap backend of plotters.

use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, TextStyle,
};

use super::packed::{self, SAMPLES};
use super::palette::Colour;
use super::scene::{Anchor, Mark, Rect, Scene, Type};
use super::text::{self, FONT_HEIGHT};
use super::{ChartError, Medium};

/// The picture as PNG bytes of so many dots to the inch: in colour for screens, in grey for print.
pub(super) fn png(scene: &Scene, medium: Medium, dpi: u32) -> Result<Vec<u8>, ChartError> {
    let per_unit = scene.unit / 25.4 * f64::from(dpi);
    let dots = |length: f64| ((length * per_unit).round() as usize).max(1);
    let (w, h) = (dots(scene.width), dots(scene.height));
    let (fine_w, fine_h) = (w * SAMPLES, h * SAMPLES);
    // Paper is white.
    let mut fine = vec![255_u8; fine_w * fine_h * 3];
    {
        let mut back = BitMapBackend::with_buffer(&mut fine, (fine_w as u32, fine_h as u32));
        Painter {
            back: &mut back,
            k: per_unit * SAMPLES as f64,
        }
        .scene(scene)?;
        back.present().map_err(draw)?;
    }
    packed::pack(&fine, (w, h), medium, dpi)
}

fn draw<E: std::fmt::Display>(e: E) -> ChartError {
    ChartError::Draw(e.to_string())
}

/// Draws marks on a plotters backend at `k` units per logical pixel.
struct Painter<'b, B> {
    back: &'b mut B,
    k: f64,
}

impl<B: DrawingBackend> Painter<'_, B> {
    fn scene(&mut self, scene: &Scene) -> Result<(), ChartError> {
        text::register();
        for mark in &scene.marks {
            match mark {
                Mark::Rect { rect, fill } => self.rect(*rect, *fill)?,
                Mark::Stroke { points, width, ink } => self.stroke(points, *width, *ink)?,
                Mark::Fill {
                    points,
                    fill,
                    alpha,
                } => self.fill(points, *fill, *alpha)?,
                Mark::Disc { at, radius, fill } => self.disc(*at, *radius, *fill)?,
                Mark::Text { at, text, kind } => self.text(*at, text, *kind)?,
            }
        }
        Ok(())
    }

    fn units(&self, (x, y): (f64, f64)) -> (i32, i32) {
        ((x * self.k).round() as i32, (y * self.k).round() as i32)
    }

    fn rect(&mut self, r: Rect, fill: Colour) -> Result<(), ChartError> {
        let (x0, y0) = self.units((r.x, r.y));
        let (x1, y1) = self.units((r.right(), r.bottom()));
        // The backend paints both edges.
        let end = ((x1 - 1).max(x0), (y1 - 1).max(y0));
        self.back
            .draw_rect((x0, y0), end, &rgba(fill, 1.0), true)
            .map_err(draw)
    }

    fn stroke(&mut self, points: &[(f64, f64)], width: f64, ink: Colour) -> Result<(), ChartError> {
        // Each stretch is its own quadrilateral and each bend a disc: the backend's own
        // thick paths come apart at sharp corners.
        let half = width / 2.0;
        for (i, pair) in points.windows(2).enumerate() {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let length = (x1 - x0).hypot(y1 - y0);
            if length < 1e-9 {
                continue;
            }
            if i > 0 && width > 1.2 {
                self.disc(pair[0], half, ink)?;
            }
            if (x0 - x1).abs() < 1e-9 {
                self.rect(Rect::new(x0 - half, y0.min(y1), width, length), ink)?;
            } else if (y0 - y1).abs() < 1e-9 {
                self.rect(Rect::new(x0.min(x1), y0 - half, length, width), ink)?;
            } else {
                let (nx, ny) = ((y0 - y1) / length * half, (x1 - x0) / length * half);
                let quad = [
                    (x0 + nx, y0 + ny),
                    (x1 + nx, y1 + ny),
                    (x1 - nx, y1 - ny),
                    (x0 - nx, y0 - ny),
                ];
                self.fill(&quad, ink, 1.0)?;
            }
        }
        Ok(())
    }

    fn fill(&mut self, points: &[(f64, f64)], fill: Colour, alpha: f64) -> Result<(), ChartError> {
        let path: Vec<_> = points.iter().map(|p| self.units(*p)).collect();
        self.back
            .fill_polygon(path, &rgba(fill, alpha))
            .map_err(draw)
    }

    fn disc(&mut self, at: (f64, f64), radius: f64, fill: Colour) -> Result<(), ChartError> {
        let (at, r) = (self.units(at), (radius * self.k).round().max(1.0) as u32);
        self.back
            .draw_circle(at, r, &rgba(fill, 1.0), true)
            .map_err(draw)
    }

    fn text(&mut self, (x, y): (f64, f64), text: &str, kind: Type) -> Result<(), ChartError> {
        // The backend scales ascent plus descent, and puts the baseline half of that down.
        let size = kind.size * self.k * FONT_HEIGHT;
        let baseline = size / 2.0;
        let style = if kind.bold {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        };
        let mut font = FontDesc::new(FontFamily::SansSerif, size, style);
        let (mut at_x, mut at_y) = (x * self.k, y * self.k);
        if kind.turned {
            font = font.transform(FontTransform::Rotate270);
            at_x -= baseline;
        } else {
            at_y -= baseline;
        }
        let h_pos = match kind.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let style = TextStyle {
            font,
            color: rgba(kind.ink, 1.0).to_backend_color(),
            pos: Pos::new(h_pos, VPos::Top),
        };
        self.back
            .draw_text(text, &style, (at_x.round() as i32, at_y.round() as i32))
            .map_err(draw)
    }
}

fn rgba(c: Colour, alpha: f64) -> RGBAColor {
    RGBAColor(c.r, c.g, c.b, alpha)
}
