//! What carries a result, as bars.

use grapeshot_charts::{Axis, Chart, Stacked};
use grapeshot_study::weigh::Weighing;
use grapeshot_study::wording::as_command;

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
    let stacked = Stacked {
        bars_axis: Axis::label("setting"),
        share_axis: Axis::percent(format!("of all that varies in {}", found.quantity)),
        bars: found.carried.iter().map(|one| one.key.clone()).collect(),
        segments: ["alone", "only together with others", "without it"]
            .map(String::from)
            .to_vec(),
        shares: found
            .carried
            .iter()
            .map(|one| share(one.alone, one.total))
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
    let chart = Chart::new(title, stacked).footer(footer);
    Some(match given.is_empty() {
        true => chart.subtitle("everything else as by default"),
        false => chart.subtitle(given),
    })
}
