//! Renders a sample of every kind of chart, in both styles, into a folder:
//! `cargo run --release --example chart_gallery -- FOLDER [STYLE.toml]`.

use std::error::Error;
use std::path::PathBuf;

use grapeshot_charts::{
    Axis, Body, BoxRow, Boxes, Chart, DotPlot, DotRow, Estimate, Heatmap, HeatmapCell, Line,
    Medium, OfHundred, Panel, Panels, PictureFormat, Pmf, PmfSeries, Point, Series, Stacked, Steps,
    Style, Survival, Tornado, TornadoRow, draw,
};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("give a folder")?);
    std::fs::create_dir_all(&folder)?;
    let style = match std::env::args().nth(2) {
        Some(file) => grapeshot_study::parse_style(&file, &std::fs::read_to_string(&file)?)?,
        None => Style::default(),
    };
    for (name, title, body) in samples() {
        for (medium, word) in [(Medium::Screen, "screen"), (Medium::Print, "print")] {
            let chart = Chart::new(title, body.clone())
                .subtitle("Sample data only: 8 bases against 6, defender behind a stone wall, medium range")
                .footer(
                    "attacker.quality=veteran, defender.quality=regular, cover=wall, turns=6. \
                     Simulated: 20 000 battles per point, 95 % Wilson intervals, seed 1863.",
                )
                .in_style(&style)
                .medium(medium);
            for format in PictureFormat::ALL {
                let file = format!("{name}-{word}.{}", format.ending());
                match draw(&chart, *format) {
                    Ok(bytes) => std::fs::write(folder.join(file), bytes)?,
                    Err(error) => println!("{file}: {error}"),
                }
            }
        }
    }
    Ok(())
}

fn samples() -> Vec<(&'static str, &'static str, Body)> {
    vec![
        (
            "line",
            "The chance of carrying the position rises with every base",
            line().into(),
        ),
        (
            "line-categories",
            "Better troops hold longer, whatever the cover",
            categories().into(),
        ),
        ("line-one", "One curve alone", one_line().into()),
        (
            "line-steps",
            "Mean hits of a volley, by range",
            steps().into(),
        ),
        ("of-100", "How a charge ends", of_hundred().into()),
        ("dotplot", "What a charge costs the attacker", dots().into()),
        (
            "heatmap",
            "Chance of winning the melee by quality",
            heatmap().into(),
        ),
        (
            "heatmap-diverging",
            "What the first edition's morale table changes against the second edition, which is a \
             title long enough to need a second line",
            diverging().into(),
        ),
        ("stacked", "How a charge ends", stacked(false).into()),
        (
            "stacked-vertical",
            "What becomes of the defender",
            stacked_conditions().into(),
        ),
        ("pmf", "Hits scored by one volley", pmf(2, 9).into()),
        (
            "pmf-dots",
            "Hits scored by a whole brigade",
            pmf(4, 25).into(),
        ),
        ("pmf-one", "One die and its result", pmf(1, 6).into()),
        (
            "survival",
            "The chance of at least so many hits",
            survival(4).into(),
        ),
        (
            "survival-many",
            "Seven formations that differ little",
            survival(7).into(),
        ),
        ("boxes", "Losses when the smoke clears", boxes().into()),
        (
            "tornado",
            "What moves the chance of winning most",
            tornado().into(),
        ),
        (
            "panels-line",
            "The same curves behind four kinds of cover",
            panels_line().into(),
        ),
        (
            "panels-heatmap",
            "Quality against quality at each range",
            panels_heatmap().into(),
        ),
        ("line-many", "Ten regiments, one hill", line_many().into()),
        (
            "heatmap-long",
            "Long names find their room",
            heatmap_long().into(),
        ),
        ("pmf-long", "Long names under bars", pmf_long().into()),
        (
            "panels-stacked",
            "How a charge ends, by cover",
            panels_stacked().into(),
        ),
    ]
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|w| (*w).to_owned()).collect()
}

/// A smooth rise from 0 to 1.
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn curves(shift: f64) -> Vec<Series> {
    let names = [
        "On to Richmond rules",
        "Fire and Fury style",
        "Sharp practice",
        "House rules",
    ];
    let curve = |k: usize| {
        let points = (2..=12).map(|x| {
            let x = f64::from(x);
            let y = logistic((x - 6.0 - shift) * (0.9 - 0.12 * k as f64));
            let half = if k == 3 {
                0.0
            } else {
                0.025 + 0.05 * y * (1.0 - y)
            };
            Point::within(x, y, (y - half).max(0.0), (y + half).min(1.0))
        });
        Series::new(names[k], points.collect())
    };
    (0..4).map(curve).collect()
}

fn line() -> Line {
    Line::new(
        Axis::number("Attacking strength", "bases"),
        Axis::percent("Attacker wins"),
        curves(0.0),
    )
}

fn one_line() -> Line {
    let points = (0..12)
        .map(|i| Point::within(f64::from(i) * 1.5, 3.0 + f64::from(i * i) * 0.07, 2.8, 13.0));
    let points = points
        .map(|p| Point::within(p.x, p.y, p.y - 0.6, p.y + 0.6))
        .collect();
    let x = Axis::number("Distance to the wall", "inches");
    Line::new(
        x,
        Axis::number("Losses of the attacker", "figures"),
        vec![Series::new("attacker", points)],
    )
}

fn categories() -> Line {
    let cover = words(&[
        "open field",
        "rail fence",
        "woods edge",
        "stone wall",
        "earthworks",
        "fortified town",
    ]);
    let grade = |name: &str, base: f64| {
        let points = (0..6).map(|i| {
            let y = base + f64::from(i) * 0.07;
            Point::within(f64::from(i), y, y - 0.02, y + 0.02)
        });
        Series::new(name, points.collect())
    };
    let series = vec![
        grade("elite", 0.55),
        grade("veteran", 0.45),
        grade("trained", 0.42),
        grade("green", 0.2),
        grade("militia", 0.18),
    ];
    Line::new(
        Axis::label("Cover of the defender"),
        Axis::percent("Defender holds"),
        series,
    )
    .over(cover)
}

fn grades() -> Vec<String> {
    words(&["elite", "veteran", "regular", "green", "militia"])
}

fn heatmap() -> Heatmap {
    let cell = |i: i32, j: i32| match (i, j) {
        (4, 0) => HeatmapCell::empty("militia may not charge elite troops (rule 9.3)"),
        (4, 1) => HeatmapCell::from(0.003),
        _ => HeatmapCell::from(logistic(f64::from(j - i) * 0.9 + 0.2)),
    };
    Heatmap {
        x: Axis::label("Quality of the defender"),
        y: Axis::label("Quality of the attacker"),
        value: Axis::percent("Attacker wins"),
        columns: grades(),
        rows: grades(),
        cells: (0..5)
            .map(|i| (0..5).map(|j| cell(i, j)).collect())
            .collect(),
        diverging: false,
        range: Some((0.0, 1.0)),
    }
}

fn diverging() -> Heatmap {
    let cell = |i: i32, j: i32| HeatmapCell::from(f64::from((i * 7 + j * 5) % 13 - 6) * 0.031);
    Heatmap {
        x: Axis::number("Defending strength", "bases"),
        y: Axis::label("Order given"),
        value: Axis::points("Change in the chance of winning"),
        columns: (2..=13).map(|n| n.to_string()).collect(),
        rows: words(&["charge", "advance and fire", "hold", "withdraw by wings"]),
        cells: (0..4)
            .map(|i| (0..12).map(|j| cell(i, j)).collect())
            .collect(),
        diverging: true,
        range: None,
    }
}

fn shares(weights: &[f64], tilt: f64) -> Vec<f64> {
    weights
        .iter()
        .enumerate()
        .map(|(i, w)| w * (1.0 + tilt * i as f64))
        .collect()
}

fn stacked(vertical: bool) -> Stacked {
    let bars = [
        "8 bases to 4",
        "8 bases to 6",
        "8 bases to 8",
        "6 bases to 8",
        "4 bases to 8",
    ];
    let weights = [0.08, 0.22, 0.2, 0.14, 0.2, 0.12, 0.04];
    Stacked {
        bars_axis: Axis::label("Odds"),
        share_axis: Axis::percent("Share of charges"),
        bars: words(&bars),
        segments: words(&[
            "defender-destroyed",
            "defender-routs",
            "defender-retreats",
            "engaged",
            "attacker-halts",
            "attacker-retreats",
            "attacker-routs",
        ]),
        shares: (0..5)
            .map(|i| shares(&weights, f64::from(i) * 0.25))
            .collect(),
        vertical,
    }
}

fn stacked_conditions() -> Stacked {
    Stacked {
        bars_axis: Axis::number("Range", "inches"),
        share_axis: Axis::percent("Share of volleys"),
        bars: (1..=9).map(|i| (i * 3).to_string()).collect(),
        segments: words(&["good", "disorder", "shaken", "routed", "destroyed"]),
        shares: (0..9)
            .map(|i| shares(&[0.1 + 0.05 * f64::from(i), 0.2, 0.2, 0.1, 0.04], 0.1))
            .collect(),
        vertical: true,
    }
}

fn binomial(n: usize, p: f64) -> Vec<f64> {
    let mut dist = vec![1.0];
    for _ in 0..n {
        let mut next = vec![0.0; dist.len() + 1];
        for (k, d) in dist.iter().enumerate() {
            next[k] += d * (1.0 - p);
            next[k + 1] += d * p;
        }
        dist = next;
    }
    dist
}

fn pmf(series: usize, n: usize) -> Pmf {
    let names = ["in the open", "behind a fence", "in woods", "in works"];
    let chances = [0.5, 0.33, 0.25, 0.17];
    let one = |k: usize| PmfSeries {
        name: names[k].to_owned(),
        chances: binomial(n, chances[k])
            .into_iter()
            .map(|p| Estimate::within(p, (p - 0.008).max(0.0), p + 0.008))
            .collect(),
    };
    Pmf {
        x: Axis::number("Hits", "figures removed"),
        y: Axis::percent("Chance"),
        values: (0..=n).map(|v| v.to_string()).collect(),
        series: (0..series).map(one).collect(),
    }
}

fn survival(series: usize) -> Survival {
    let names = [
        "column",
        "line",
        "skirmishers",
        "line behind a wall",
        "dismounted cavalry",
        "in the works",
        "battery",
    ];
    let one = |k: usize| {
        let dist = binomial(14, 0.62 - 0.42 / series as f64 * k as f64);
        let points =
            (0..=14).map(|n| Point::exact(n as f64, dist[n..].iter().sum::<f64>().min(1.0)));
        Series::new(names[k], points.collect())
    };
    Survival::new(
        Axis::number("Hits", "figures"),
        Axis::percent("Chance of at least this many"),
        (0..series).map(one).collect(),
    )
}

fn boxes() -> Boxes {
    let row = |label: &str, m: f64, s: f64| {
        BoxRow::new(
            label,
            [m - 1.6 * s, m - 0.7 * s, m, m + 0.8 * s, m + 1.9 * s],
            Some(m + 0.1 * s),
        )
    };
    Boxes {
        rows_axis: Axis::label("Side and cover"),
        value: Axis::number("Losses", "strength points"),
        rows: vec![
            row("attacker, open field", 31.0, 9.0),
            row("attacker, earthworks", 52.0, 13.0),
            row("defender, open field", 28.0, 8.0),
            row(
                "defender, earthworks with abatis and a covered way",
                14.0,
                5.0,
            ),
        ],
    }
}

fn tornado() -> Tornado {
    let row = |label: &str, low: f64, high: f64, low_label: &str, high_label: &str| TornadoRow {
        label: label.to_owned(),
        low,
        high,
        low_label: low_label.to_owned(),
        high_label: high_label.to_owned(),
    };
    Tornado {
        factors: Axis::label("Factor"),
        value: Axis::percent("Attacker wins"),
        baseline: 0.46,
        rows: vec![
            row("Quality of the attacker", 0.18, 0.77, "militia", "elite"),
            row("Cover of the defender", 0.22, 0.61, "earthworks", "open"),
            row("Supporting artillery", 0.39, 0.58, "none", "two batteries"),
            row("General attached", 0.46, 0.55, "no", "yes"),
            row("Weather", 0.44, 0.46, "rain", "clear"),
        ],
    }
}

fn panels_line() -> Panels {
    let panel = |title: &str, shift: f64| {
        let body = Line {
            series: curves(shift),
            ..line()
        };
        Panel::new(title, body)
    };
    Panels::new(
        2,
        vec![
            panel("Open field", -1.0),
            panel("Rail fence", 0.5),
            panel("Earthworks", 3.0),
            Panel::empty(
                "Fortified town",
                "the rules do not allow a charge against a fortified town",
            ),
        ],
    )
}

fn panels_heatmap() -> Panels {
    let panel = |title: &str, shift: f64| {
        let mut map = heatmap();
        map.range = None;
        for cell in map.cells.iter_mut().flatten() {
            cell.value = cell.value.map(|v| (v * shift).min(1.0));
        }
        Panel::new(title, map)
    };
    Panels::new(
        3,
        vec![
            panel("Point blank", 1.0),
            panel("Short range", 0.8),
            panel("Long range", 0.45),
        ],
    )
}

fn panels_stacked() -> Panels {
    let panel = |title: &str, tilt: f64| {
        let mut bars = stacked(false);
        for row in &mut bars.shares {
            *row = shares(row, tilt);
        }
        Panel::new(title, bars)
    };
    Panels::new(
        2,
        vec![
            panel("Open field", 0.0),
            panel("Stone wall", 0.3),
            panel("Earthworks", 1.0),
        ],
    )
}

fn line_many() -> Line {
    let curve = |k: i32| {
        let points = (0..=20).map(|x| {
            let x = f64::from(x) * 25.0;
            Point::exact(x, 0.9 - x / 900.0 - 0.004 * f64::from(k * k))
        });
        Series::new(
            format!("{}th regiment of the brigade", k + 11),
            points.collect(),
        )
    };
    let x = Axis::number("Distance", "yards");
    Line::new(
        x,
        Axis::percent("Chance of reaching the crest in good order"),
        (0..10).map(curve).collect(),
    )
}

fn long_names() -> Vec<String> {
    words(&[
        "open field",
        "behind a rail fence",
        "in standing corn",
        "on the edge of a wood",
        "behind a stone wall",
        "in hasty breastworks",
        "in earthworks with abatis",
        "in a fortified town",
        "across-an-unfordable-river",
        "on a steep hill",
        "in a sunken road",
    ])
}

fn heatmap_long() -> Heatmap {
    Heatmap {
        columns: long_names(),
        cells: (0..5)
            .map(|i| {
                (0..11)
                    .map(|j| HeatmapCell::from(f64::from((i * 3 + j * 2) % 17) / 17.0))
                    .collect()
            })
            .collect(),
        range: None,
        ..heatmap()
    }
}

fn pmf_long() -> Pmf {
    Pmf {
        x: Axis::label("Where the defender stands"),
        values: long_names(),
        ..pmf(3, 10)
    }
}

fn steps() -> Line {
    let series = [
        ("musket", [1.9, 1.4, 1.4, 0.6, 0.6, 0.0, 0.0]),
        ("rifle-musket", [2.0, 1.8, 1.8, 1.1, 1.1, 0.7, 0.0]),
        ("repeater", [3.1, 2.6, 2.6, 1.3, 1.3, 0.0, 0.0]),
    ];
    let series = series.map(|(name, hits)| {
        let points = (1..).map(|i| f64::from(i) * 50.0).zip(hits);
        Series::new(name, points.map(|(x, y)| Point::exact(x, y)).collect())
    });
    let (x, y) = (
        Axis::number("Range", "yards"),
        Axis::number("Mean hits", ""),
    );
    Line::new(x, y, series.to_vec()).stepping(Steps::UpTo)
}

fn of_hundred() -> OfHundred {
    let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect();
    OfHundred {
        names: words(&["open ground", "stone wall", "earthwork"]),
        segments: words(&[
            "attacker wins",
            "engaged",
            "attacker falls back",
            "attacker routs",
        ]),
        shares: vec![
            vec![0.47, 0.12, 0.31, 0.10],
            vec![0.17, 0.08, 0.52, 0.23],
            vec![0.09, 0.05, 0.55, 0.31],
        ],
        of: "charges".into(),
    }
}

fn dots() -> DotPlot {
    let row = |label: &str, most: f64| DotRow {
        label: label.into(),
        dots: (0..20)
            .map(|i| ((f64::from(i) + 0.5) / 20.0 * most).powf(1.3).round())
            .collect(),
    };
    DotPlot {
        rows_axis: Axis::label("Cover"),
        value: Axis::number("Stands lost", ""),
        rows: vec![row("open ground", 4.0), row("stone wall", 6.0)],
    }
}
