//! Each kind of chart, rendered.

use super::*;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|w| (*w).to_owned()).collect()
}

fn series(name: &str) -> Series {
    let points = (0..5).map(|i| {
        let y = 0.9 - f64::from(i) * 0.2;
        Point::within(f64::from(i), y, y - 0.05, y + 0.05)
    });
    Series::new(name, points.collect())
}

fn line() -> Line {
    let x = Axis::number("Strength", "bases");
    Line::new(
        x,
        Axis::percent("Attacker wins"),
        vec![series("column"), series("skirmish")],
    )
}

fn heatmap() -> Heatmap {
    Heatmap {
        x: Axis::label("Defender"),
        y: Axis::label("Attacker"),
        value: Axis::percent("Wins"),
        columns: words(&["raw", "elite"]),
        rows: words(&["green", "crack"]),
        cells: vec![
            vec![0.25.into(), HeatmapCell::empty("not allowed")],
            vec![0.75.into(), 1.0.into()],
        ],
        diverging: false,
        range: None,
    }
}

fn stacked() -> Stacked {
    Stacked {
        bars_axis: Axis::label("Odds"),
        share_axis: Axis::percent("Share"),
        bars: words(&["even", "two to one"]),
        segments: words(&["attacker-wins", "engaged", "defender-wins"]),
        shares: vec![vec![0.3, 0.4, 0.3], vec![0.6, 0.3, 0.1]],
        vertical: false,
    }
}

fn pmf() -> Pmf {
    Pmf {
        x: Axis::number("Hits", "figures"),
        y: Axis::percent("Chance"),
        values: words(&["0", "1", "2"]),
        series: vec![
            PmfSeries::exact("open", &[0.2, 0.3, 0.5]),
            PmfSeries::exact("cover", &[0.5, 0.3, 0.2]),
        ],
    }
}

fn survival() -> Survival {
    let x = Axis::number("Hits", "figures");
    Survival::new(x, Axis::percent("At least"), vec![series("volley")])
}

fn boxes() -> Boxes {
    Boxes {
        rows_axis: Axis::label("Side"),
        value: Axis::number("Losses", "points"),
        rows: vec![BoxRow::new(
            "attacker",
            [1.0, 2.0, 3.0, 4.0, 5.0],
            Some(3.1),
        )],
    }
}

fn tornado() -> Tornado {
    let row = TornadoRow {
        label: "Quality".into(),
        low: 0.2,
        high: 0.7,
        low_label: "raw".into(),
        high_label: "crack".into(),
    };
    Tornado {
        factors: Axis::label("Factor"),
        value: Axis::percent("Wins"),
        baseline: 0.5,
        rows: vec![row],
    }
}

#[test]
fn a_bar_that_ends_at_the_baseline_says_it_once() {
    let mut tornado = tornado();
    for row in &mut tornado.rows {
        row.high = tornado.baseline;
        row.high_label = String::new();
    }
    let svg = crate::svg(&Chart::new("T", tornado)).expect("a chart");
    assert!(svg.contains("baseline 50%") && svg.contains("raw 20%"));
    assert!(!svg.contains(">50%<"), "{svg}");
}

fn hundred() -> OfHundred {
    OfHundred {
        names: words(&["open", "stone wall"]),
        segments: words(&["won", "engaged", "lost"]),
        shares: vec![vec![0.17, 0.08, 0.75], vec![0.1, 0.1, 0.8]],
        of: "charges".into(),
    }
}

fn dots() -> DotPlot {
    DotPlot {
        rows_axis: Axis::label("Side"),
        value: Axis::number("Losses", "stands"),
        rows: vec![DotRow {
            label: "attacker".into(),
            dots: (0..20).map(|i| f64::from(i / 4)).collect(),
        }],
    }
}

fn policy() -> Policy {
    let advice = |action: &str| {
        Some(Advice {
            action: action.into(),
            weight: 0.5,
        })
    };
    Policy {
        x: Axis::label("b lost"),
        y: Axis::label("a lost"),
        columns: words(&["0", "1"]),
        rows: words(&["0", "1"]),
        actions: words(&["fire", "charge"]),
        cells: vec![
            vec![advice("fire"), advice("charge")],
            vec![None, advice("fire")],
        ],
    }
}

fn panels() -> Panels {
    let list = vec![
        Panel::new("Near", line()),
        Panel::new("Far", line()),
        Panel::empty("Beyond", "out of range"),
    ];
    Panels::new(2, list)
}

/// Every kind with texts its picture must have.
pub(super) fn kinds() -> Vec<(Body, Vec<&'static str>)> {
    vec![
        (
            line().into(),
            vec![
                "Strength (bases)",
                "Attacker wins (%)",
                "column",
                "skirmish",
            ],
        ),
        (
            line()
                .over(words(&["open", "fence", "wood", "wall", "fort"]))
                .into(),
            vec!["fence", "fort"],
        ),
        (
            heatmap().into(),
            vec![
                "Defender",
                "Attacker",
                "Wins (%)",
                "crack",
                "75%",
                "not allowed",
            ],
        ),
        (
            stacked().into(),
            vec!["Odds", "Share (%)", "two to one", "engaged", "40%"],
        ),
        (
            Stacked {
                vertical: true,
                ..stacked()
            }
            .into(),
            vec!["Odds", "Share (%)"],
        ),
        (
            pmf().into(),
            vec!["Hits (figures)", "Chance (%)", "cover", "50%"],
        ),
        (
            survival().into(),
            vec!["Hits (figures)", "At least (%)", "volley"],
        ),
        (
            boxes().into(),
            vec!["Side", "Losses (points)", "attacker", "median"],
        ),
        (
            tornado().into(),
            vec!["Factor", "Wins (%)", "Quality", "raw 20%", "baseline 50%"],
        ),
        (
            hundred().into(),
            vec!["stone wall", "17 won", "75 lost", "one of 100 charges"],
        ),
        (
            dots().into(),
            vec!["Losses (stands)", "attacker", "1 in 20"],
        ),
        (policy().into(), vec!["a lost", "b lost", "fire", "charge"]),
        (
            line().stepping(Steps::UpTo).into(),
            vec!["each value holds up to its mark"],
        ),
        (
            panels().into(),
            vec![
                "Near",
                "Beyond",
                "out of range",
                "Strength (bases)",
                "skirmish",
            ],
        ),
    ]
}

fn chart(body: Body, medium: Medium) -> Chart {
    Chart::new("Title & <more>", body)
        .subtitle("Below it")
        .footer("seed 1863")
        .medium(medium)
}

#[test]
fn every_kind_shows_its_texts() {
    for medium in [Medium::Screen, Medium::Print] {
        for (body, texts) in kinds() {
            let picture = svg(&chart(body, medium)).unwrap();
            let frame = [
                "Title &amp; &lt;more&gt;</text>",
                "Below it",
                "seed 1863",
                "sans-serif",
            ];
            for text in frame.iter().chain(&texts) {
                assert!(picture.contains(text), "no {text:?}");
            }
            assert!(!picture.contains("NaN") && !picture.contains("inf"));
        }
    }
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    for (body, _) in kinds() {
        let chart = chart(body, Medium::Screen);
        assert_eq!(svg(&chart).unwrap(), svg(&chart).unwrap());
    }
    let chart = chart(heatmap().into(), Medium::Print);
    let bytes = png(&chart).unwrap();
    assert_eq!(bytes, png(&chart).unwrap());
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
}

/// Fails if a text reaches beyond the picture.
pub(super) fn nothing_is_cut(chart: &Chart) {
    let scene = page::compose(chart).unwrap();
    let page = scene::Rect::new(0.0, 0.0, scene.width, scene.height).inset(-0.01);
    for mark in &scene.marks {
        if let scene::Mark::Text { at, text, kind } = mark {
            let w = text::width(text, kind.size, kind.bold);
            let from = match kind.anchor {
                scene::Anchor::Start => 0.0,
                scene::Anchor::Middle => -w / 2.0,
                scene::Anchor::End => -w,
            };
            let ends = [from, from + w].map(|d| {
                if kind.turned {
                    (at.0, at.1 - d)
                } else {
                    (at.0 + d, at.1)
                }
            });
            assert!(ends.iter().all(|p| page.contains(*p)), "{text:?} is cut");
        }
    }
}

#[test]
fn nothing_is_drawn_outside_the_picture() {
    for (body, _) in kinds() {
        nothing_is_cut(&chart(body, Medium::Print));
    }
}

#[test]
fn bad_data_is_an_error() {
    let fails = |body: Body| svg(&chart(body, Medium::Screen)).unwrap_err();
    assert_eq!(
        fails(
            Line {
                series: vec![],
                ..line()
            }
            .into()
        ),
        ChartError::Empty("series")
    );
    assert_eq!(
        fails(line().over(vec![]).into()),
        ChartError::Empty("categories")
    );
    assert_eq!(
        fails(Panels::new(2, vec![]).into()),
        ChartError::Empty("panels")
    );
    assert_eq!(
        fails(Panels::new(1, vec![Panel::new("in", panels())]).into()),
        ChartError::Nested
    );
    let twice = Line {
        series: vec![series("same"), series("same")],
        ..line()
    };
    assert_eq!(fails(twice.into()), ChartError::Twice("same".into()));
    let short = words(&["only one"]);
    for body in [
        Heatmap {
            rows: short.clone(),
            ..heatmap()
        }
        .into(),
        Heatmap {
            columns: short.clone(),
            ..heatmap()
        }
        .into(),
        Stacked {
            segments: short.clone(),
            ..stacked()
        }
        .into(),
        Stacked {
            bars: short.clone(),
            ..stacked()
        }
        .into(),
        Pmf {
            values: short,
            ..pmf()
        }
        .into(),
    ] {
        assert!(matches!(fails(body), ChartError::Mismatch { .. }));
    }
    let one = |y: f64| vec![Series::new("s", vec![Point::exact(0.0, y)])];
    for body in [
        Line {
            series: one(f64::NAN),
            ..line()
        }
        .into(),
        Survival {
            series: one(f64::INFINITY),
            ..survival()
        }
        .into(),
        Tornado {
            baseline: f64::NAN,
            ..tornado()
        }
        .into(),
        Stacked {
            shares: vec![vec![0.0; 3]; 2],
            ..stacked()
        }
        .into(),
        line().over(words(&["too", "few"])).into(),
    ] {
        assert!(matches!(fails(body), ChartError::Number(_)));
    }
}

#[test]
fn degenerate_data_still_draws() {
    let flat = |y: f64| Line {
        series: vec![Series::new("s", vec![Point::exact(3.0, y)])],
        ..line()
    };
    for body in [flat(0.0), flat(1.0), flat(0.5)] {
        svg(&chart(body.into(), Medium::Print)).unwrap();
    }
    let empty = vec![vec![HeatmapCell::default(); 2]; 2];
    svg(&chart(
        Heatmap {
            cells: empty,
            ..heatmap()
        }
        .into(),
        Medium::Screen,
    ))
    .unwrap();
    let zero = vec![vec![HeatmapCell::from(0.0); 2]; 2];
    let body = Heatmap {
        cells: zero,
        diverging: true,
        ..heatmap()
    };
    svg(&chart(body.into(), Medium::Screen)).unwrap();
    let long = "a title that goes on and on ".repeat(12);
    svg(&Chart::new(long, boxes())).unwrap();
}
