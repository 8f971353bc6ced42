//! What carries a result, as bars.

use grapeshot_charts::{Axis, Chart, Meaning, Stacked};
use grapeshot_engine::dist::Favour;
use grapeshot_study::weigh::Weighing;
use grapeshot_study::wording::{as_command, grouped};

/// Bars shown at most.
const SHOWN: usize = 16;

/// What a setting carries has a colour, and what it has nothing to do with is grey.
const SEGMENTS: [(&str, Meaning); 3] = [
    ("alone", meaning(Favour::Success, 2.0 / 3.0)),
    ("only together with others", meaning(Favour::Success, 0.2)),
    ("without it", meaning(Favour::Undecided, 0.0)),
];

const fn meaning(favour: Favour, weight: f64) -> Meaning {
    Meaning { favour, weight }
}

/// For each setting what it explains alone, what only together with others, and what it has nothing to do with; nothing
/// if nothing varies.
pub fn weigh_chart(found: &Weighing) -> Option<Chart> {
    if !found.varies() {
        return None;
    }
    let share = |alone: f64, total: f64| {
        let alone = alone.clamp(0.0, 1.0);
        let together = (total - alone).clamp(0.0, 1.0 - alone);
        vec![alone, together, 1.0 - alone - together]
    };
    let shown = &found.carried[..found.carried.len().min(SHOWN)];
    let stacked = Stacked {
        bars_axis: Axis::label("what varies"),
        share_axis: Axis::percent(format!("of all that varies in {}", found.quantity)),
        bars: shown.iter().map(|one| one.key.clone()).collect(),
        segments: SEGMENTS.map(|(name, _)| name.to_owned()).to_vec(),
        shares: (shown.iter())
            .map(|one| share(one.alone.value, one.total.value))
            .collect(),
        vertical: false,
    };
    let title = format!(
        "{} {}: what carries {}",
        found.rules, found.procedure, found.quantity
    );
    let mut footer = found.methods.text();
    if !found.variants.is_empty() {
        footer += &format!("; variants: {}", found.variants.join(", "));
    }
    let given = as_command(found.settings.given());
    if let Some(sampled) = &found.sampled {
        footer += &format!("; sampled, {} points", grouped(sampled.points as u64));
    }
    let mut chart = Chart::new(title, stacked).footer(footer);
    chart.meanings = SEGMENTS
        .map(|(name, meaning)| (name.to_owned(), meaning))
        .to_vec();
    Some(match given.is_empty() {
        true => chart.subtitle("everything else as by default"),
        false => chart.subtitle(given),
    })
}
