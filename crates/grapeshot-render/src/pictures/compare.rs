//! Charts of a comparison: one panel for each ruleset, on shared axes.

use super::study::{between, words};
use grapeshot_charts::{
    Axis, Chart, Line, OfHundred, Panel, Panels, Pmf, PmfSeries, Point, Series, Survival,
};
use grapeshot_engine::dist::Marginal;
use grapeshot_rules::common::FightKind;
use grapeshot_rules::{Labels, Value};
use grapeshot_study::{Compared, Comparison, Played};

/// A chart and the name of its file, without ending.
pub(super) type Named = (String, Chart);

/// All charts of a comparison: results and losses; along the first swept key if there is one, and
/// one pair of charts for each place on the others.
pub fn compare_charts(comparison: &Comparison) -> Vec<Named> {
    let name = |what: &str| format!("compare-{}-{what}", comparison.kind.label());
    let Some(key) = comparison.swept.first() else {
        let fight = &comparison.fights[0];
        return vec![
            (name("results"), results(comparison, fight)),
            (name("losses"), losses(comparison, fight)),
        ];
    };
    let mut charts = Vec::new();
    for (at, group) in groups(comparison).iter().enumerate() {
        let suffix = if at == 0 {
            String::new()
        } else {
            format!("-{}", at + 1)
        };
        for (what, chart) in [
            ("results", swept(comparison, key, group, true)),
            ("losses", swept(comparison, key, group, false)),
        ] {
            charts.extend(chart.map(|chart| (name(what) + suffix.as_str(), chart)));
        }
    }
    charts
}

/// Of 100 charges of 400 regulars against 400 in the open, how many end in which way: a square for each ruleset,
/// named by its title.
pub fn hundred_charges(charges: &[(String, Played)]) -> Chart {
    let labels = FightKind::Charge.results();
    let shares = |played: &Played| {
        labels
            .iter()
            .map(|label| played.headline().p(label))
            .collect()
    };
    let body = OfHundred {
        names: charges.iter().map(|(title, _)| title.clone()).collect(),
        segments: labels.iter().map(|&label| label.to_owned()).collect(),
        shares: charges.iter().map(|(_, played)| shares(played)).collect(),
        of: "charges".into(),
    };
    let chart = Chart::new("What becomes of 100 charges", body)
        .subtitle("400 regulars charge 400, in the open, with rifle-muskets");
    match charges.first() {
        Some((_, played)) => chart.meaning(&played.odds.variables()[0]),
        None => chart,
    }
}

/// Fights that differ in the first swept key only.
fn groups(comparison: &Comparison) -> Vec<Vec<&Compared>> {
    let mut groups: Vec<Vec<&Compared>> = Vec::new();
    for fight in &comparison.fights {
        let found = groups
            .iter_mut()
            .find(|group| group[0].place[1..] == fight.place[1..]);
        match found {
            Some(group) => group.push(fight),
            None => groups.push(vec![fight]),
        }
    }
    groups
}

fn panels(fight: &Compared, panel: impl Fn(&str, &Played) -> Panel) -> Panels {
    let panels = fight.rows.iter().map(|row| match &row.played {
        Ok(played) => panel(&row.rules, played),
        Err(reason) => Panel::empty(row.rules.as_str(), format!("left out: {reason}")),
    });
    Panels::new(3, panels.collect())
}

fn finished(comparison: &Comparison, title: String, group: &[&Compared], panels: Panels) -> Chart {
    let given = comparison
        .given
        .iter()
        .map(|(key, value)| format!("{key}={value}"));
    let place = group
        .iter()
        .take(1)
        .flat_map(|fight| fight.place.iter().skip(1));
    let given: Vec<String> = given
        .chain(place.map(|(key, value)| format!("{key}={value}")))
        .collect();
    let subtitle = match given.len() {
        0 => "regular infantry, 400 men, rifle-muskets, in the open".to_owned(),
        _ => given.join(" "),
    };
    Chart::new(title, panels)
        .subtitle(subtitle)
        .footer(format!(
            "grapeshot compare {}; {}. What each source does not print is assumed; grapeshot rules RULES --common lists it.",
            comparison.kind.label(),
            methods(group)
        ))
}

/// How each ruleset's numbers were found; said once where all were found alike.
fn methods(group: &[&Compared]) -> String {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for row in group.iter().flat_map(|fight| &fight.rows) {
        let Ok(played) = &row.played else { continue };
        let method = played.method();
        match found.iter_mut().find(|(known, _)| *known == method) {
            Some((_, rules)) if rules.contains(&row.rules.as_str()) => {}
            Some((_, rules)) => rules.push(&row.rules),
            None => found.push((method, vec![&row.rules])),
        }
    }
    match found.as_slice() {
        [(method, _)] => method.clone(),
        several => {
            let parts = several.iter();
            let parts = parts.map(|(method, rules)| format!("{}: {method}", rules.join(", ")));
            parts.collect::<Vec<_>>().join("; ")
        }
    }
}

fn results(comparison: &Comparison, fight: &Compared) -> Chart {
    let labels = comparison.kind.results();
    let panels = panels(fight, |rules, played| {
        let headline = played.headline();
        let chances: Vec<f64> = labels.iter().map(|label| headline.p(label)).collect();
        Panel::new(
            rules,
            Pmf {
                x: Axis::label("result"),
                y: Axis::percent("chance"),
                values: labels.iter().map(|&label| label.to_owned()).collect(),
                series: vec![PmfSeries::exact("chance", &chances)],
            },
        )
    });
    let title = format!("The same {} in five rulesets", comparison.kind.label());
    finished(comparison, title, &[fight], panels)
}

fn losses(comparison: &Comparison, fight: &Compared) -> Chart {
    let panels = panels(fight, |rules, played| {
        let series = comparison
            .kind
            .losses()
            .iter()
            .map(|(name, _)| Series::new(words(name), survival(&played.marginal(name))));
        Panel::new(
            rules,
            Survival::new(
                Axis::percent("loss, share of the men"),
                Axis::percent("chance of at least so much"),
                series.collect(),
            ),
        )
    });
    let title = format!("Losses in the same {}", comparison.kind.label());
    finished(comparison, title, &[fight], panels)
}

fn survival(marginal: &Marginal) -> Vec<Point> {
    let at = |number: f64| Point::exact(number, marginal.at_least(number).min(1.0));
    let mut points = vec![Point::exact(0.0, 1.0)];
    let values = marginal.values().iter().filter(|value| value.number > 0.0);
    points.extend(values.map(|value| at(value.number)));
    if let Some(last) = points.last().filter(|last| last.x < 1.0) {
        points.push(Point::exact(last.x + 1e-6, 0.0));
    }
    points
}

/// Results or losses along the swept key; nothing if no ruleset has an answer.
fn swept(comparison: &Comparison, key: &str, group: &[&Compared], results: bool) -> Option<Chart> {
    let kind = comparison.kind;
    let values: Vec<Value> = group.iter().map(|fight| fight.place[0].1.clone()).collect();
    let numeric: Option<Vec<f64>> = values.iter().map(Value::number).collect();
    let names: Vec<&str> = if results {
        kind.results().to_vec()
    } else {
        kind.losses().iter().map(|(name, _)| *name).collect()
    };
    let figure = |played: &Played, name: &str| {
        if results {
            played.headline().p(name)
        } else {
            played.marginal(name).mean()
        }
    };
    let count = group.first()?.rows.len();
    let mut all = Vec::new();
    for at in 0..count {
        let rules = group[0].rows[at].rules.as_str();
        let series: Vec<Series> = names
            .iter()
            .map(|name| {
                let points = group.iter().enumerate().filter_map(|(place, fight)| {
                    let played = fight.rows[at].played.as_ref().ok()?;
                    let x = numeric.as_ref().map_or(place as f64, |xs| xs[place]);
                    Some(Point::exact(x, figure(played, name)))
                });
                Series::new(words(name), points.collect())
            })
            .filter(|series| !series.points.is_empty())
            .collect();
        let reasons: Vec<&String> = group
            .iter()
            .filter_map(|fight| fight.rows[at].played.as_ref().err())
            .collect();
        if series.is_empty() {
            let reason = reasons.first().map_or("", |reason| reason.as_str());
            all.push(Panel::empty(rules, format!("left out: {reason}")));
            continue;
        }
        let title = match reasons.len() {
            0 => rules.to_owned(),
            n => format!("{rules} ({n} of {} left out)", group.len()),
        };
        let y = Axis::percent(if results {
            "chance"
        } else {
            "mean loss, share of the men"
        });
        let line = match &numeric {
            Some(_) => Line::new(Axis::number(words(key), ""), y, series)
                .stepping(between(&values, comparison.bands.as_deref())),
            None => Line::new(Axis::label(words(key)), y, series)
                .over(values.iter().map(ToString::to_string).collect()),
        };
        all.push(Panel::new(title, line));
    }
    let what = if results { "Results" } else { "Losses" };
    let title = format!("{what} of the same {} by {}", kind.label(), words(key));
    Some(finished(comparison, title, group, Panels::new(3, all)))
}
