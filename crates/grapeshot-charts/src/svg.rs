//! A scene as SVG: real text, vector marks, its true size.

use std::fmt::Write;

use super::alt::Alt;
use super::palette::Colour;
use super::scene::{Anchor, Mark, Rect, Scene, Type};

/// Families in the place of the bundled one, where it is not installed: of about its width.
const USUAL_FAMILY: &str = "'DejaVu Sans', Verdana, sans-serif";

/// The picture as an SVG document in a family of type.
pub(super) fn svg(scene: &Scene, alt: &Alt, family: Option<&str>) -> String {
    document(scene, alt, family, false)
}

/// The same for a page: every series can be pointed at and brought into focus, and has its values. How it stands out
/// is said by the page, by the classes `series`, `s0`, `s1` …, and `tip` with `says` in it.
pub(super) fn live(scene: &Scene, alt: &Alt, family: Option<&str>) -> String {
    document(scene, alt, family, true)
}

fn document(scene: &Scene, alt: &Alt, family: Option<&str>, live: bool) -> String {
    let (w, h) = (scene.width, scene.height);
    let family = family.map_or(USUAL_FAMILY.to_owned(), |family| {
        format!("'{family}', {USUAL_FAMILY}")
    });
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" \
         viewBox=\"0 0 {} {}\" role=\"img\" font-family=\"{family}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n",
        number(w * scene.unit, 3),
        number(h * scene.unit, 3),
        number(w, 3),
        number(h, 3),
        escape(&alt.title),
        escape(&alt.text)
    );
    let _ = writeln!(
        out,
        "<rect width=\"{}\" height=\"{}\" fill=\"#FFFFFF\"/>",
        number(w, 3),
        number(h, 3)
    );
    match live && !scene.tips.is_empty() {
        true => groups(&mut out, scene),
        false => scene.marks.iter().for_each(|mark| draw(&mut out, mark)),
    }
    out.push_str("</svg>\n");
    out
}

/// The marks in their order, those of a series in groups of its class, and at the end what each series says.
fn groups(out: &mut String, scene: &Scene) {
    let mut names: Vec<&str> = Vec::new();
    for (name, _, _) in &scene.tips {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let class = |name: &str| names.iter().position(|known| *known == name);
    let ends = scene.begins.iter().skip(1).map(|(at, _)| *at);
    let ends = ends.chain([scene.marks.len()]);
    let first = scene
        .begins
        .first()
        .map_or(scene.marks.len(), |begun| begun.0);
    scene.marks[..first].iter().for_each(|mark| draw(out, mark));
    for ((begin, owner), end) in scene.begins.iter().zip(ends) {
        let own = owner.as_deref().and_then(class).filter(|_| end > *begin);
        if let Some(own) = own {
            let _ = writeln!(out, "<g class=\"series s{own}\">");
        }
        let marks = scene.marks[*begin..end].iter();
        marks.for_each(|mark| draw(out, mark));
        if own.is_some() {
            out.push_str("</g>\n");
        }
    }
    for (at, name) in names.iter().enumerate() {
        let said = escape(name).replace('"', "&quot;");
        let label = match said.is_empty() {
            true => String::new(),
            false => format!(" aria-label=\"{said}\""),
        };
        let _ = writeln!(
            out,
            "<g class=\"series s{at}\" tabindex=\"0\" role=\"group\"{label}>"
        );
        let mut clear: Vec<Rect> = Vec::new();
        for (_, at, text) in scene.tips.iter().filter(|(of, _, _)| of == name) {
            tip(out, scene, *at, text, &mut clear);
        }
        out.push_str("</g>\n");
    }
}

/// A place to point at, and what it says then, inside the picture. What is clear of those before it is said by the whole
/// series as well.
fn tip(out: &mut String, scene: &Scene, (x, y): (f64, f64), text: &str, clear: &mut Vec<Rect>) {
    const SIZE: f64 = 11.0;
    let w = super::text::width(text, SIZE, false) + 10.0;
    let left = (x - w / 2.0).clamp(0.0, (scene.width - w).max(0.0));
    let top = if y > 34.0 { y - 28.0 } else { y + 10.0 };
    let plate = Rect::new(left, top, w, 18.0);
    let class = match clear.iter().any(|other| other.overlaps(&plate)) {
        true => "tip",
        false => {
            clear.push(plate);
            "tip clear"
        }
    };
    let _ = writeln!(
        out,
        "<g class=\"{class}\"><circle cx=\"{}\" cy=\"{}\" r=\"9\" fill-opacity=\"0\"/>\
         <g class=\"says\" visibility=\"hidden\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" rx=\"3\" fill=\"#1A1A1A\"/>\
         <text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"#FFFFFF\">{}</text></g></g>",
        short(x),
        short(y),
        short(left),
        short(top),
        short(w),
        short(left + 5.0),
        short(top + 13.0),
        short(SIZE),
        escape(text)
    );
}

/// Writing into a string cannot fail.
fn draw(out: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Rect { rect, fill } => writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
            short(rect.x),
            short(rect.y),
            short(rect.w),
            short(rect.h),
            hex(*fill)
        ),
        Mark::Stroke { points, width, ink } => writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
            list(points),
            hex(*ink),
            short(*width)
        ),
        Mark::Fill {
            points,
            fill,
            alpha,
        } => {
            let opacity = match *alpha < 1.0 {
                true => format!(" fill-opacity=\"{}\"", short(*alpha)),
                false => String::new(),
            };
            writeln!(
                out,
                "<polygon points=\"{}\" fill=\"{}\"{opacity}/>",
                list(points),
                hex(*fill)
            )
        }
        Mark::Disc { at, radius, fill } => writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>",
            short(at.0),
            short(at.1),
            short(*radius),
            hex(*fill)
        ),
        Mark::Text { at, text, kind } => writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}>{}</text>",
            short(at.0),
            short(at.1),
            short(kind.size),
            attributes(*at, *kind),
            escape(text)
        ),
    };
}

fn attributes((x, y): (f64, f64), kind: Type) -> String {
    let mut out = format!(" fill=\"{}\"", hex(kind.ink));
    match kind.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if kind.bold {
        out.push_str(" font-weight=\"bold\"");
    }
    if kind.turned {
        let _ = write!(out, " transform=\"rotate(-90 {} {})\"", short(x), short(y));
    }
    out
}

fn list(points: &[(f64, f64)]) -> String {
    let pairs = points
        .iter()
        .map(|(x, y)| format!("{},{}", short(*x), short(*y)));
    pairs.collect::<Vec<_>>().join(" ")
}

fn hex(colour: Colour) -> String {
    format!("#{:02X}{:02X}{:02X}", colour.r, colour.g, colour.b)
}

fn short(value: f64) -> String {
    number(value, 2)
}

/// A number with at most so many decimals.
fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "" | "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::number;
    use crate::{Axis, Chart, Line, Point, Series};

    #[test]
    fn on_a_page_every_series_can_be_brought_into_focus_and_says_its_values() {
        let series = |name: &str, y: f64| {
            let points = (0..3).map(|x| Point::exact(f64::from(x), y + 0.1 * f64::from(x)));
            Series::new(name, points.collect())
        };
        let all = vec![series("open", 0.1), series("a \"wall\"", 0.4)];
        let line = Line::new(Axis::number("range", ""), Axis::percent("chance"), all);
        let chart = Chart::new("t", line);
        let drawn = chart.drawn().expect("a chart");
        let live = drawn.live();
        assert_eq!(live.matches("tabindex=\"0\"").count(), 2);
        assert!(live.contains("aria-label=\"a &quot;wall&quot;\""));
        assert_eq!(live.matches("class=\"tip").count(), 6);
        assert!(live.contains(">open, 1: 20%</text>"));
        assert_eq!(live.matches("<g").count(), live.matches("</g>").count());
        // In a file for a book there is nothing that is not seen.
        assert!(!drawn.svg().contains("tip") && !drawn.svg().contains("hidden"));
        assert!(!live.contains("<script") && !live.contains("style="));
    }

    #[test]
    fn numbers_are_short_and_exact() {
        let shown = [(0.0, 2), (-0.001, 2), (10.0, 2), (1.256, 2), (84.0, 3)];
        let shown = shown.map(|(value, decimals)| number(value, decimals));
        assert_eq!(shown, ["0", "0", "10", "1.26", "84"]);
    }
}
