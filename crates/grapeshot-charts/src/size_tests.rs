//! True sizes: read back from what is written.

use super::tests::kinds;
use super::*;
use crate::style::Length;

fn sized(width: f64, points: f64) -> Style {
    Style {
        width: Some(Length::mm(width)),
        font_size: Some(Length::points(points)),
        ..Style::default()
    }
}

fn chart(body: Body, style: &Style) -> Chart {
    Chart::new("A title that is longer than a column is wide", body)
        .footer("attacker.grade=veteran defender.cover=wall, exact, seed 1863")
        .in_style(style)
}

/// The number after a mark in a text.
fn number_after(text: &str, mark: &str) -> f64 {
    let rest = &text[text.find(mark).expect(mark) + mark.len()..];
    let end = rest
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(rest.len());
    rest[..end].parse().expect("a number")
}

/// Width and height in millimetres and the smallest type in points, of an SVG.
fn of_svg(svg: &str) -> (f64, f64, f64) {
    let (w, h) = (
        number_after(svg, "width=\""),
        number_after(svg, "height=\""),
    );
    let across = number_after(svg, "viewBox=\"0 0 ");
    let sizes = svg.split("font-size=\"").skip(1).map(|rest| {
        let end = rest.find('"').expect("an end");
        rest[..end].parse::<f64>().expect("a size")
    });
    let smallest = sizes.fold(f64::INFINITY, f64::min);
    (w, h, smallest * w / across * 72.0 / 25.4)
}

/// Width and height in millimetres of a PNG, by its dots and how dense it says they are.
fn of_png(bytes: &[u8]) -> (f64, f64) {
    let reader = ::png::Decoder::new(bytes).read_info().expect("a picture");
    let info = reader.info();
    let dense = info.pixel_dims.expect("a density");
    let mm = |dots: u32, per_metre: u32| 1000.0 * f64::from(dots) / f64::from(per_metre);
    (mm(info.width, dense.xppu), mm(info.height, dense.yppu))
}

/// Width and height in millimetres and the smallest type in points, of a PDF that is not packed.
#[cfg(feature = "pdf")]
fn of_pdf(bytes: &[u8]) -> (f64, f64, f64) {
    let text = String::from_utf8_lossy(bytes);
    let at = text.find("/MediaBox [").expect("a page") + "/MediaBox [".len();
    let page: Vec<f64> = text[at..at + text[at..].find(']').expect("an end")]
        .split_whitespace()
        .map(|n| n.parse().expect("a number"))
        .collect();
    // Every text stands under the same matrices, all of them plain scales but for mirrors.
    let first = text.find("BT\n").expect("text");
    let scale: f64 = text[..first]
        .lines()
        .filter(|line| line.ends_with(" cm"))
        .map(|line| {
            line.split(' ')
                .next()
                .expect("a matrix")
                .parse::<f64>()
                .expect("a scale")
        })
        .product();
    let sizes = text.lines().filter_map(|line| line.strip_suffix(" Tf"));
    let sizes = sizes.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
    let mm = |points: f64| points / 72.0 * 25.4;
    (
        mm(page[2]),
        mm(page[3]),
        scale * sizes.fold(f64::INFINITY, f64::min),
    )
}

#[test]
fn every_kind_has_the_asked_width_and_no_text_is_smaller_than_asked() {
    for (width, points) in [(84.0, 8.0), (120.0, 7.0), (174.0, 6.5), (250.0, 9.0)] {
        for (body, _) in kinds() {
            let style = sized(width, points);
            let (w, h, smallest) = of_svg(&svg(&chart(body, &style)).expect("room"));
            assert!((w - width).abs() < 0.1, "{w} mm, not {width}");
            assert!(h > 20.0, "{h} mm high");
            assert!(smallest > points - 0.01, "{smallest} pt, not {points}");
        }
    }
}

#[test]
fn nothing_is_cut_off_in_a_column() {
    for width in [84.0, 120.0] {
        for (body, _) in kinds() {
            super::tests::nothing_is_cut(&chart(body, &sized(width, 8.0)));
        }
    }
}

#[test]
fn the_three_formats_agree_to_a_tenth_of_a_millimetre() {
    for (body, _) in kinds().into_iter().step_by(3) {
        for medium in [Medium::Screen, Medium::Print] {
            let chart = chart(body.clone(), &sized(60.0, 6.0)).medium(medium);
            let drawn = svg(&chart).expect("room");
            let (w, h, _) = of_svg(&drawn);
            let (dots_w, dots_h) = of_png(&png(&chart).expect("room"));
            assert!(
                (dots_w - w).abs() < 0.1 && (dots_h - h).abs() < 0.1,
                "{dots_w} {w} {dots_h} {h}"
            );
            #[cfg(feature = "pdf")]
            {
                let bytes = pdf::convert(&drawn, None, false).expect("a page");
                let (page_w, page_h, smallest) = of_pdf(&bytes);
                assert!(
                    (page_w - w).abs() < 0.1 && (page_h - h).abs() < 0.1,
                    "{page_w} {w}"
                );
                assert!((smallest - 6.0).abs() < 0.01, "{smallest} pt");
                let text = String::from_utf8_lossy(&bytes);
                assert!(text.contains("/ToUnicode") && text.contains("/FontFile2"));
            }
        }
    }
}

#[test]
fn an_asked_height_is_kept_or_refused() {
    for (body, _) in kinds() {
        let mut style = sized(120.0, 7.0);
        let (_, natural, _) = of_svg(&svg(&chart(body.clone(), &style)).expect("room"));
        style.height = Some(Length::mm(natural + 10.0));
        let (_, h, _) = of_svg(&svg(&chart(body.clone(), &style)).expect("room"));
        assert!(
            (h - natural - 10.0).abs() < 0.1,
            "{h} mm, not {}",
            natural + 10.0
        );
        style.height = Some(Length::mm(21.0));
        style.sized_in = "book.toml".into();
        let refused = svg(&chart(body, &style)).expect_err("too low");
        let text = refused.to_string();
        for part in ["book.toml", "figure.height", "21mm", "allowed is", "7.0pt"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

#[test]
fn a_width_too_small_for_the_text_says_what_would_do() {
    let cells = |n: usize| vec![vec![HeatmapCell::from(0.123); n]; 2];
    let columns: Vec<String> = (0..30).map(|i| format!("column {i}")).collect();
    let map = Heatmap {
        x: Axis::label("x"),
        y: Axis::label("y"),
        value: Axis::percent("wins"),
        rows: vec!["a".into(), "b".into()],
        cells: cells(columns.len()),
        columns,
        diverging: false,
        range: None,
    };
    let refused = svg(&chart(map.clone().into(), &sized(84.0, 8.0))).expect_err("too narrow");
    let ChartError::Small { least, .. } = refused else {
        panic!("{refused}");
    };
    svg(&chart(map.into(), &sized(least, 8.0))).expect("what was said to do does");
}

#[test]
fn a_family_that_is_not_there_cannot_be_embedded() {
    let mut style = sized(84.0, 8.0);
    style.font = Some("No Such Family".into());
    let (body, _) = kinds().swap_remove(0);
    let chart = chart(body, &style);
    assert!(
        svg(&chart)
            .expect("a name is enough")
            .contains("'No Such Family'")
    );
    #[cfg(feature = "pdf")]
    assert_eq!(pdf(&chart), Err(ChartError::Font("No Such Family".into())));
}

#[cfg(feature = "pdf")]
#[test]
fn a_pdf_is_the_same_whenever_it_is_made() {
    let (body, _) = kinds().swap_remove(0);
    let chart = chart(body, &sized(84.0, 8.0));
    let first = pdf(&chart).expect("a page");
    for _ in 0..8 {
        assert!(pdf(&chart).expect("a page") == first);
    }
}

#[cfg(feature = "pdf")]
#[test]
fn a_page_for_print_has_greys_and_no_colours() {
    for (body, _) in kinds() {
        let chart = chart(body, &sized(100.0, 7.0)).medium(Medium::Print);
        let page = pdf(&chart).expect("a page");
        let text = String::from_utf8_lossy(&page);
        assert!(!text.contains("ICCBased") && !text.contains("DeviceRGB"));
        assert!(text.contains("/FontFile2") && text.ends_with("%%EOF"));
        let screen = pdf(&chart.medium(Medium::Screen)).expect("a page");
        assert!(String::from_utf8_lossy(&screen).contains("ICCBased"));
    }
}

#[test]
fn figures_of_one_style_have_the_same_type_whatever_their_width() {
    for (body, _) in kinds() {
        let title = |width: f64| {
            let drawn = svg(&chart(body.clone(), &sized(width, 6.0))).expect("room");
            let across = number_after(&drawn, "viewBox=\"0 0 ");
            let size = number_after(&drawn, "font-size=\"");
            (size * width / across * 100.0).round()
        };
        assert_eq!(title(84.0), title(174.0));
    }
}

#[test]
fn sizes_of_title_and_labels_and_padding_are_read_back() {
    let (body, _) = kinds().swap_remove(0);
    let style = Style {
        title_size: Some(Length::points(12.0)),
        label_size: Some(Length::points(9.0)),
        padding: Some(Length::mm(0.0)),
        ..sized(120.0, 6.0)
    };
    let drawn = svg(&chart(body, &style)).expect("room");
    let across = number_after(&drawn, "viewBox=\"0 0 ");
    let points = |size: f64| size * 120.0 / across * 72.0 / 25.4;
    assert!((points(number_after(&drawn, "font-size=\"")) - 12.0).abs() < 0.01);
    let (_, _, smallest) = of_svg(&drawn);
    assert!((smallest - 6.0).abs() < 0.01);
    let size = 9.0 / points(1.0);
    assert!(
        drawn.contains(&format!("font-size=\"{size:.0}\""))
            || drawn.contains(&format!("font-size=\"{size:.2}\""))
    );
    assert!(
        drawn.contains("<text x=\"0\""),
        "the title stands at the edge"
    );
}
