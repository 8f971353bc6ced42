//! A comparison as one self-contained page.

use super::compare::{cell_headings, cells, method, mover_sentence, place};
use crate::charts::{self, ChartError};
use crate::engine::NoteKind;
use crate::pictures::compare_charts;
use crate::publish::page::{STYLE, escape};
use crate::rules::Labels;
use crate::study::{Compared, Comparison, Distances, Played};

/// A page around a body; nothing is fetched from anywhere.
pub(super) fn document(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header><h1>{0}</h1></header>\n\
         <main>\n{body}</main>\n</body>\n</html>\n",
        escape(title)
    )
}

/// A chart inside a page.
pub(super) fn figure(chart: &charts::Chart) -> Result<String, ChartError> {
    let svg = charts::svg(chart)?;
    let drawing = svg.find("<svg").map_or(svg.as_str(), |at| &svg[at..]);
    Ok(format!(
        "<figure role=\"img\" aria-label=\"{}\">{drawing}</figure>\n",
        escape(&chart.title)
    ))
}

/// The comparison as a page with its charts.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn compare_html(comparison: &Comparison) -> Result<String, ChartError> {
    let mut body = String::new();
    let given: Vec<String> = comparison
        .given
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    if !given.is_empty() {
        body += &format!("<p class=\"question\">{}</p>\n", escape(&given.join(" ")));
    }
    for movers in &comparison.movers {
        if let Some(sentence) = mover_sentence(comparison, movers) {
            let text = format!("What moves it most — {sentence}.");
            body += &format!("<p class=\"finding\">{}</p>\n", escape(&text));
        }
    }
    for fight in &comparison.fights {
        body += &section(comparison, fight);
    }
    for (_, chart) in compare_charts(comparison) {
        body += &figure(&chart)?;
    }
    body += &notes(comparison);
    if let [fight] = comparison.fights.as_slice() {
        for distances in &fight.distances {
            body += &matrix(fight, distances);
        }
    }
    let title = format!("The same {} in every ruleset", comparison.kind.label());
    Ok(document(&title, &body))
}

fn section(comparison: &Comparison, fight: &Compared) -> String {
    let mut out = match fight.place.len() {
        0 => String::new(),
        _ => format!("<h3>{}</h3>\n", escape(&place(fight))),
    };
    let headings = cell_headings(comparison);
    out += "<div class=\"scroll\"><table><thead><tr><th>ruleset</th>";
    for heading in &headings {
        out += &format!("<th>{}</th>", escape(heading));
    }
    out += "<th class=\"text\">found by; assumptions</th></tr></thead><tbody>\n";
    for row in &fight.rows {
        out += &format!("<tr><td>{}</td>", row.rules);
        match &row.played {
            Ok(played) => {
                for cell in cells(comparison, played) {
                    out += &format!("<td>{}</td>", escape(&cell));
                }
                out += &format!("<td class=\"text\">{}</td></tr>\n", assumed(played));
            }
            Err(reason) => {
                let reason = escape(reason);
                for _ in &headings {
                    out += &format!("<td title=\"{reason}\"></td>");
                }
                out += &format!("<td class=\"text\">left out: {reason}</td></tr>\n");
            }
        }
    }
    out + "</tbody></table></div>\n"
}

/// How a row was found and what entered, each assumption with its text on hover.
fn assumed(played: &Played) -> String {
    let notes = played
        .notes
        .iter()
        .filter(|note| note.kind == NoteKind::Assumption);
    let named: Vec<String> = notes
        .map(|note| {
            format!(
                "<abbr title=\"{}\">{}</abbr>",
                escape(&note.text),
                escape(&note.name)
            )
        })
        .collect();
    let named = match named.len() {
        0 => "none".to_owned(),
        _ => named.join(", "),
    };
    format!("{}; {named}", escape(&method(played)))
}

fn notes(comparison: &Comparison) -> String {
    let mut lines: Vec<String> = Vec::new();
    for row in comparison.fights.iter().flat_map(|fight| &fight.rows) {
        let Ok(played) = &row.played else { continue };
        for note in &played.notes {
            let line = format!("{}: {note}", row.rules);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let mut out = String::from("<details><summary>Assumptions and remarks</summary><ul>\n");
    for line in lines {
        out += &format!("<li>{}</li>\n", escape(&line));
    }
    out + "</ul></details>\n"
}

fn matrix(fight: &Compared, distances: &Distances) -> String {
    let mut out = format!(
        "<h3>How far apart: {} ({})</h3>\n<div class=\"scroll\"><table><thead><tr><th></th>",
        escape(&distances.variable.replace('_', " ")),
        distances.measure
    );
    for row in &fight.rows {
        out += &format!("<th>{}</th>", row.rules);
    }
    out += "</tr></thead><tbody>\n";
    for (row, cells) in fight.rows.iter().zip(&distances.matrix) {
        out += &format!("<tr><td>{}</td>", row.rules);
        for cell in cells {
            out += &match cell {
                Some(distance) => format!("<td>{distance:.3}</td>"),
                None => "<td title=\"one of the two is left out\"></td>".to_owned(),
            };
        }
        out += "</tr>\n";
    }
    out + "</tbody></table></div>\n"
}
