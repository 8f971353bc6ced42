//! What a line shows between its marks is what the rules say there.

use grapeshot::pictures::picture;
use grapeshot_charts::{Body, Content, Line, Series};
use grapeshot_engine::engine::Watch;
use grapeshot_rules::Value;
use grapeshot_study::run::Prepared;
use grapeshot_study::{
    BUNDLED, ChartKind, Experiment, Overrides, StudyMethod, bundled, bundled_variant, run,
};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Places of a line at which the rules are asked.
const PLACES: i64 = 20;

/// An experiment with one chart, answered as it can be: exactly, or by a few trials where it cannot.
fn lines(mut experiment: Experiment, chart: usize) -> Vec<(String, Line)> {
    experiment.charts = vec![experiment.charts.swap_remove(chart)];
    experiment.findings.clear();
    let exact = Overrides {
        method: Some(StudyMethod::Exact),
        ..Overrides::default()
    };
    let few = Overrides {
        method: Some(StudyMethod::Simulate),
        trials: Some(200),
        ..Overrides::default()
    };
    let prepared = Prepared::new(experiment.clone(), exact, bundled_variant)
        .or_else(|_| Prepared::new(experiment, few, bundled_variant))
        .unwrap();
    let results = run(&prepared, &Watch::default()).unwrap().unwrap();
    match picture(&results, &results.experiment.charts[0])
        .unwrap()
        .body
    {
        Body::Line(line) => vec![(String::new(), line)],
        Body::Panels(panels) => (panels.panels.into_iter())
            .filter_map(|panel| match panel.content {
                Content::Chart(body) => match body {
                    Body::Line(line) => Some((panel.title, line)),
                    other => panic!("no line: {other:?}"),
                },
                Content::Empty(_) => None,
            })
            .collect(),
        other => panic!("no line: {other:?}"),
    }
}

/// The same experiment asked at other places along a key.
fn asked_at(mut experiment: Experiment, key: &str, places: &[i64]) -> Experiment {
    let axis = experiment.axes.iter_mut().find(|axis| axis.keys[0] == key);
    axis.expect("the key of the chart").values =
        places.iter().map(|&x| vec![Value::Whole(x)]).collect();
    experiment
}

fn ends(series: &[Series]) -> (i64, i64) {
    let xs = || series.iter().flat_map(|s| &s.points).map(|p| p.x);
    let (low, high) = (xs().fold(f64::MAX, f64::min), xs().fold(f64::MIN, f64::max));
    (low as i64, high as i64)
}

#[test]
fn every_bundled_line_shows_what_the_rules_say_at_twenty_places() {
    let studies = bundled().unwrap();
    let charts: Vec<(&Experiment, usize)> = (studies.iter())
        .flat_map(|study| (0..study.charts.len()).map(move |at| (study, at)))
        .filter(|(study, at)| study.charts[*at].kind == ChartKind::Line)
        .collect();
    assert!(charts.len() > 20, "of {} studies", BUNDLED.len());
    let compared: usize = charts
        .par_iter()
        .map(|&(study, at)| {
            let id = format!("{} chart {}", study.id, at + 1);
            let drawn = lines(study.clone(), at);
            if drawn.iter().all(|(_, line)| line.categories.is_some()) {
                return 0;
            }
            let key = study.charts[at].x.clone().expect("a line has an x");
            let (low, high) = ends(&drawn[0].1.series);
            let place = |i: i64| low + (high - low) * i / (PLACES - 1);
            let mut places: Vec<i64> = (0..PLACES).map(place).collect();
            places.dedup();
            // What the line does not show needs not be asked: a battle is dear.
            let shown = |x: &i64| {
                let shows = |line: &Line| {
                    line.series
                        .iter()
                        .any(|s| line.shows(s, *x as f64).is_some())
                };
                drawn.iter().any(|(_, line)| shows(line))
            };
            places.retain(shown);
            assert!(places.len() >= 2, "{id} shows nothing");
            let asked = lines(asked_at(study.clone(), &key, &places), at);
            let mut compared = 0;
            for (panel, line) in &drawn {
                let found = asked.iter().find(|(title, _)| title == panel);
                let (_, found) = found.unwrap_or_else(|| panic!("{id} has no panel {panel}"));
                for series in &line.series {
                    let Some(truth) = found.series.iter().find(|s| s.name == series.name) else {
                        continue;
                    };
                    for p in &truth.points {
                        let Some(shown) = line.shows(series, p.x) else {
                            continue;
                        };
                        let close = (p.y - shown).abs() <= 1e-9 * (1.0 + shown.abs());
                        assert!(
                            close,
                            "{id}, {panel} {}: shows {shown} at {}, where it is {}",
                            series.name, p.x, p.y
                        );
                        compared += 1;
                    }
                }
            }
            compared
        })
        .sum();
    assert!(compared > 1000, "only {compared} places were compared");
}

/// A drawn line: its colour, its width, its points.
type Stroke = (String, f64, Vec<(f64, f64)>);

/// What is stroked in a picture, in the order in which it is painted: the ink, the width, the corners.
fn strokes(svg: &str) -> Vec<Stroke> {
    let entry = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!("{name}=\""))?;
        Some(rest.split('"').next()?.to_owned())
    };
    let corners = |text: String| {
        let corner = |pair: &str| {
            let (x, y) = pair.split_once(',')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        text.split(' ').filter_map(corner).collect()
    };
    let tags = svg.split("<polyline").skip(1);
    tags.filter_map(|tag| {
        let tag = tag.split('>').next()?;
        let width = entry(tag, " stroke-width")?.parse().ok()?;
        Some((
            entry(tag, " stroke")?,
            width,
            corners(entry(tag, " points")?),
        ))
    })
    .collect()
}

/// How many fields of half a pixel each ink is seen in, what was painted later lying on top.
fn seen(svg: &str) -> BTreeMap<String, usize> {
    let mut fields: BTreeMap<(i64, i64), String> = BTreeMap::new();
    for (ink, width, corners) in strokes(svg) {
        for pair in corners.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let length = f64::hypot(x1 - x0, y1 - y0).max(1e-9);
            let across = ((y0 - y1) / length, (x1 - x0) / length);
            for along in 0..=(4.0 * length) as i64 {
                let t = along as f64 / (4.0 * length);
                for side in -8_i32..=8 {
                    let by = f64::from(side) / 16.0 * width;
                    let x = x0 + t * (x1 - x0) + by * across.0;
                    let y = y0 + t * (y1 - y0) + by * across.1;
                    fields.insert(((2.0 * x) as i64, (2.0 * y) as i64), ink.clone());
                }
            }
        }
    }
    let mut seen = BTreeMap::new();
    for ink in fields.into_values() {
        *seen.entry(ink).or_insert(0) += 1;
    }
    seen
}

/// The curves of a chart by panel.
fn curves(body: &Body) -> Vec<&[Series]> {
    match body {
        Body::Line(line) => vec![&line.series],
        Body::Survival(survival) => vec![&survival.series],
        Body::Panels(panels) => (panels.panels.iter())
            .filter_map(|panel| match &panel.content {
                Content::Chart(body) => Some(curves(body)),
                Content::Empty(_) => None,
            })
            .flatten()
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn every_series_of_a_bundled_chart_can_be_seen_and_has_a_name() {
    let few = Overrides {
        method: Some(StudyMethod::Simulate),
        trials: Some(2000),
        ..Overrides::default()
    };
    let counted: usize = bundled()
        .unwrap()
        .into_par_iter()
        .map(|study| {
            let prepared = Prepared::new(study, few.clone(), bundled_variant).unwrap();
            let results = run(&prepared, &Watch::default()).unwrap().unwrap();
            let mut counted = 0;
            for (at, spec) in results.experiment.charts.iter().enumerate() {
                let chart = picture(&results, spec).unwrap();
                let panels = curves(&chart.body);
                let mut names: Vec<&str> = panels
                    .iter()
                    .copied()
                    .flatten()
                    .map(|s| s.name.as_str())
                    .collect();
                names.sort_unstable();
                names.dedup();
                if names.len() < 2 {
                    continue;
                }
                let id = format!("{} chart {}", results.experiment.id, at + 1);
                let svg = grapeshot_charts::svg(&chart).unwrap();
                let labels: Vec<String> = svg
                    .split("</text>")
                    .filter_map(|text| Some(text.rsplit_once('>')?.1.replace("&amp;", "&")))
                    .collect();
                let labels = labels.concat().replace(' ', "");
                for name in &names {
                    let name = name.replace(' ', "");
                    assert!(labels.contains(&name), "{id} does not name {name}");
                }
                // What is the same in every panel may share a name; every other has an ink that is seen in more
                // than its sample beside the name.
                let same = |a: &str, b: &str| {
                    panels.iter().all(|panel| {
                        let of =
                            |name: &str| panel.iter().find(|s| s.name == name).map(|s| &s.points);
                        of(a) == of(b)
                    })
                };
                let mut apart: Vec<&str> = Vec::new();
                let drawn = |name: &str| {
                    panels
                        .iter()
                        .copied()
                        .flatten()
                        .any(|s| s.name == name && s.points.len() > 1)
                };
                for name in names.into_iter().filter(|name| drawn(name)) {
                    if !apart.iter().any(|known| same(known, name)) {
                        apart.push(name);
                    }
                }
                // Axes and the grid behind the curves.
                let frame = |ink: &str| ["#787878", "#E4E4E4"].contains(&ink);
                let inks = seen(&svg);
                let visible = inks
                    .iter()
                    .filter(|(ink, n)| !frame(ink) && **n > 200)
                    .count();
                assert!(
                    visible >= apart.len(),
                    "{id}: {visible} inks are seen of {apart:?}: {inks:?}"
                );
                counted += apart.len();
            }
            counted
        })
        .sum();
    assert!(counted > 60, "only {counted} series were looked for");
}

/// The numbers of a text, without what stands in its words.
fn numbers_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "();,:".contains(c));
    let numbers =
        words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit() || "−+<>".contains(c)));
    numbers.map(str::to_owned).collect()
}

#[test]
fn the_title_made_of_a_bundled_chart_says_what_is_in_it() {
    let few = Overrides {
        method: Some(StudyMethod::Simulate),
        trials: Some(500),
        ..Overrides::default()
    };
    let made: usize = bundled()
        .unwrap()
        .into_par_iter()
        .map(|mut study| {
            for chart in &mut study.charts {
                chart.title.clear();
            }
            let prepared = Prepared::new(study, few.clone(), bundled_variant).unwrap();
            let results = run(&prepared, &Watch::default()).unwrap().unwrap();
            let mut made = 0;
            for spec in &results.experiment.charts {
                let chart = picture(&results, spec).unwrap();
                assert!(!chart.title.is_empty(), "{}", results.experiment.id);
                let Some(measure) = &chart.subtitle else {
                    continue;
                };
                assert!(!measure.is_empty());
                // Every share in a title is one that a reader finds in the chart.
                let shown = format!("{:?}", chart.body);
                for number in numbers_of(&chart.title).iter().filter(|n| n.ends_with('%')) {
                    let bare = number.trim_end_matches('%');
                    let Ok(share) = bare.parse::<f64>() else {
                        continue;
                    };
                    let near = shown.split(|c: char| !(c.is_ascii_digit() || ".e-".contains(c)));
                    let found = near.filter_map(|n| n.parse::<f64>().ok());
                    let off = found
                        .map(|p| (100.0 * p - share).abs())
                        .fold(f64::MAX, f64::min);
                    assert!(
                        off <= 0.5 + 1e-9,
                        "{}: {number} in {:?}",
                        results.experiment.id,
                        chart.title
                    );
                }
                made += 1;
            }
            made
        })
        .sum();
    assert!(made > 70, "{made} titles");
}
