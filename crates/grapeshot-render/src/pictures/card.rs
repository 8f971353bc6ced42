//! What moves a charge, by the balance cards.

use grapeshot_charts::{Axis, Chart, Panel, Panels, Tornado, TornadoRow};
use grapeshot_study::{Amount, Card, Figure, Measure};

/// What moves a won charge, one panel for each ruleset.
pub fn card_chart(cards: &[Card]) -> Chart {
    let panels: Vec<Panel> = cards.iter().map(tornado).collect();
    let body = Panels::new(2, panels);
    Chart::new("What moves the chance of a won charge", body)
        .subtitle("one thing changed in a charge of 400 regulars against 400 in the open")
        .footer("grapeshot card; exact. A grade is the mean of the steps from raw to crack.")
}

fn tornado(card: &Card) -> Panel {
    let baseline = card
        .figures
        .iter()
        .find(|figure| figure.topic == "attacker's edge")
        .and_then(|figure| match figure.value {
            Ok(Amount::Is(x)) => Some(x),
            _ => None,
        });
    let Some(baseline) = baseline else {
        return Panel::empty(card.rules.as_str(), "it has no charge");
    };
    let changes: Vec<&Figure> = card
        .figures
        .iter()
        .filter(|figure| figure.measure == Measure::Points)
        .collect();
    let rows = changes.iter().filter_map(|figure| match figure.value {
        Ok(Amount::Is(change)) => Some(row(figure, baseline, change)),
        _ => None,
    });
    let left_out = changes.iter().filter(|figure| figure.value.is_err());
    let title = match left_out.count() {
        0 => card.rules.to_owned(),
        n => format!("{} ({n} left out)", card.rules),
    };
    Panel::new(
        title,
        Tornado {
            factors: Axis::label("what changes"),
            value: Axis::percent("chance of a won charge"),
            baseline,
            rows: rows.collect(),
        },
    )
}

fn row(figure: &Figure, baseline: f64, change: f64) -> TornadoRow {
    TornadoRow {
        label: format!(
            "{}, {}",
            figure.topic,
            figure.name.replace("one step up", "+1")
        )
        .replace(", in a charge", ""),
        low: (baseline + change.min(0.0)).clamp(0.0, 1.0),
        high: (baseline + change.max(0.0)).clamp(0.0, 1.0),
        low_label: String::new(),
        high_label: String::new(),
    }
}
