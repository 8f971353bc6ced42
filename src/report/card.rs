//! Balance cards for reading, for programs and as pages.

use super::compare_html::{document, figure};
use super::text::{columns, percent, wrap};
use crate::charts::{Axis, Chart, ChartError, Panel, Panels, Tornado, TornadoRow};
use crate::publish::page::escape;
use crate::study::{Amount, Card, Figure, Measure};
use serde_json::{Value, json};

/// A figure as it is read.
pub(crate) fn written(figure: &Figure) -> String {
    let number = |x: f64| match figure.measure {
        Measure::Share => percent(x),
        Measure::Points if x.abs() < 5e-4 => "0.0 points".into(),
        Measure::Points => format!("{:+.1} points", 100.0 * x),
        Measure::Change if x.abs() < 5e-4 => "0.0 %".into(),
        Measure::Change => format!("{:+.1} %", 100.0 * x),
        Measure::Ratio => format!("{x:.2} : 1"),
        Measure::Turns if x == 1.0 => "1 turn".into(),
        Measure::Turns => format!("{x} turns"),
    };
    match figure.value {
        Ok(Amount::Is(x)) => number(x),
        Ok(Amount::AtMost(x)) => format!("at most {}", number(x)),
        Ok(Amount::MoreThan(x)) => format!("more than {}", number(x)),
        Err(_) => "–".into(),
    }
}

/// The cards of the rulesets, then one that compares them.
pub fn card_table(cards: &[Card], variants: &[String]) -> String {
    let mut out = String::from(
        "balance cards: 400 regulars a side, rifle-muskets, in the open, 100 yards, unless said otherwise\n",
    );
    if !variants.is_empty() {
        out += &format!("variants: {}\n", variants.join(", "));
    }
    for card in cards {
        out += &page(card);
    }
    if cards.len() > 1 {
        out += "\nside by side\n";
        out += &columns(&side_by_side(cards));
    }
    out
}

fn page(card: &Card) -> String {
    let method = if card.figures.iter().all(|figure| figure.exact) {
        "exact"
    } else {
        "partly simulated"
    };
    let mut out = format!("\n{} ({method})\n", card.rules);
    for figure in &card.figures {
        out += &format!("  {}, {}: {}", figure.topic, figure.name, written(figure));
        if !figure.detail.is_empty() {
            out += &format!(" ({})", figure.detail);
        }
        out.push('\n');
        out += &wrap(figure.definition, 100, "      ");
        if let Err(reason) = &figure.value {
            out += &wrap(&format!("left out: {reason}"), 100, "      ");
        }
    }
    for (name, text) in &card.assumptions {
        out += &wrap(&format!("assumed ({name}): {text}"), 100, "  ");
    }
    out
}

fn side_by_side(cards: &[Card]) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    rows[0].extend(cards.iter().map(|card| card.rules.to_owned()));
    let Some(first) = cards.first() else {
        return rows;
    };
    for (at, figure) in first.figures.iter().enumerate() {
        let mut row = vec![format!("{}, {}", figure.topic, figure.name)];
        row.extend(cards.iter().map(|card| written(&card.figures[at])));
        rows.push(row);
    }
    rows
}

/// The cards as JSON.
pub fn card_json(cards: &[Card], variants: &[String]) -> Value {
    let figure = |figure: &Figure| {
        let (value, bound) = match &figure.value {
            Ok(Amount::Is(x)) => (json!(x), Value::Null),
            Ok(Amount::AtMost(x)) => (json!(x), json!("at most")),
            Ok(Amount::MoreThan(x)) => (json!(x), json!("more than")),
            Err(_) => (Value::Null, Value::Null),
        };
        json!({
            "topic": figure.topic,
            "name": figure.name,
            "definition": figure.definition,
            "measure": match figure.measure {
                Measure::Share => "share",
                Measure::Points => "change of a probability",
                Measure::Change => "relative change",
                Measure::Ratio => "ratio of men",
                Measure::Turns => "turns",
            },
            "value": value,
            "bound": bound,
            "text": written(figure),
            "detail": figure.detail,
            "method": if figure.exact { "exact" } else { "simulate" },
            "left_out": figure.value.as_ref().err(),
        })
    };
    let card = |card: &Card| {
        let assumptions = card
            .assumptions
            .iter()
            .map(|(name, text)| json!({ "name": name, "text": text }));
        json!({
            "ruleset": card.rules,
            "figures": card.figures.iter().map(figure).collect::<Vec<_>>(),
            "assumptions": assumptions.collect::<Vec<_>>(),
        })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "variants": variants,
        "cards": cards.iter().map(card).collect::<Vec<_>>(),
    })
}

/// What moves a won charge, one panel for each ruleset.
pub fn card_charts(cards: &[Card]) -> Vec<(String, Chart)> {
    let panels: Vec<Panel> = cards.iter().map(tornado).collect();
    let body = Panels::new(2, panels);
    let chart = Chart::new("What moves the chance of a won charge", body)
        .subtitle("one thing changed in a charge of 400 regulars against 400 in the open")
        .footer("grapeshot card; exact. A grade is the mean of the steps from raw to crack.");
    vec![("card-charge".into(), chart)]
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

/// A page for one ruleset, or for several with one table that compares them.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn card_html(cards: &[Card]) -> Result<String, ChartError> {
    let mut body = String::from(
        "<p class=\"question\">400 regulars a side, rifle-muskets, in the open, 100 yards, unless said otherwise.</p>\n",
    );
    body += &card_section(cards)?;
    Ok(document("Balance cards", &body))
}

/// The body of the page, for a chapter of another one.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn card_section(cards: &[Card]) -> Result<String, ChartError> {
    let mut out = String::new();
    for (_, chart) in card_charts(cards) {
        out += &figure(&chart)?;
    }
    let Some(first) = cards.first() else {
        return Ok(out);
    };
    out += "<div class=\"scroll\"><table><thead><tr><th>figure</th>";
    for card in cards {
        out += &format!("<th>{}</th>", card.rules);
    }
    out += "<th class=\"text\">definition</th></tr></thead><tbody>\n";
    for (at, figure) in first.figures.iter().enumerate() {
        out += &format!(
            "<tr><td>{}, {}</td>",
            escape(figure.topic),
            escape(figure.name)
        );
        for card in cards {
            let figure = &card.figures[at];
            let hover = match &figure.value {
                Err(reason) => format!("left out: {reason}"),
                Ok(_) => figure.detail.clone(),
            };
            out += &format!(
                "<td title=\"{}\">{}</td>",
                escape(&hover),
                escape(&written(figure))
            );
        }
        out += &format!(
            "<td class=\"text\">{}</td></tr>\n",
            escape(figure.definition)
        );
    }
    out += "</tbody></table></div>\n";
    for card in cards {
        out += &format!(
            "<details><summary>{}: figures left out and assumptions</summary><ul>\n",
            card.rules
        );
        for figure in &card.figures {
            if let Err(reason) = &figure.value {
                let line = format!("{}, {}: left out: {reason}", figure.topic, figure.name);
                out += &format!("<li>{}</li>\n", escape(&line));
            }
        }
        for (name, text) in &card.assumptions {
            let line = format!("assumed ({name}): {text}");
            out += &format!("<li>{}</li>\n", escape(&line));
        }
        out += "</ul></details>\n";
    }
    Ok(out)
}
