//! What is lost by playing otherwise, as bars from best play.

use grapeshot_charts::{Axis, Chart, Tornado, TornadoRow};
use grapeshot_study::decide::Skill;
use grapeshot_study::wording::as_command;

/// Bars shown at most.
const SHOWN: usize = 16;
/// What is lost by less is not seen in a picture.
const SEEN: f64 = 0.0005;

/// Other ways to play, and best play with an action forbidden; nothing where all of it comes to the same.
pub fn skill_chart(skill: &Skill) -> Option<Chart> {
    let own = skill.actions.iter().filter(|action| action.own);
    let without = own.map(|action| (format!("without {}", action.action), action.value));
    let ways = skill
        .ways
        .iter()
        .map(|way| (way.name.to_string(), way.value));
    let mut rows: Vec<(String, f64)> = ways.chain(without).collect();
    rows.retain(|(_, value)| skill.value - value > SEEN);
    rows.sort_by(|a, b| a.1.total_cmp(&b.1));
    rows.truncate(SHOWN);
    if rows.is_empty() {
        return None;
    }
    let name = format!("worth to {} ({})", skill.sides[0], skill.goal);
    let tornado = Tornado {
        factors: Axis::label("instead of best play"),
        value: match skill.goal().is_chance() {
            true => Axis::percent(name),
            false => Axis::number(name, ""),
        },
        baseline: skill.value,
        rows: (rows.into_iter())
            .map(|(label, low)| TornadoRow {
                label,
                low,
                high: skill.value,
                low_label: String::new(),
                high_label: String::new(),
            })
            .collect(),
    };
    let title = format!("{} {}: what play is worth", skill.rules, skill.procedure);
    let mut footer = "exact; the enemy plays as is best against each".to_owned();
    if !skill.variants.is_empty() {
        footer += &format!("; variants: {}", skill.variants.join(", "));
    }
    let chart = Chart::new(title, tornado).footer(footer);
    Some(match as_command(skill.settings.given()) {
        given if given.is_empty() => chart,
        given => chart.subtitle(given),
    })
}
