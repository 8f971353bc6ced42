//! Audits for people, programs and browsers.

use super::text::wrap;
use crate::publish::page::escape;
use crate::rules::Labels;
use crate::study::audit::{Audited, Finding, Severity};
use serde_json::{Value, json};

/// How many findings of each severity, in words.
fn summary(audited: &Audited) -> String {
    let parts: Vec<String> = Severity::ALL
        .iter()
        .map(|&severity| (audited.count(severity), severity.label()))
        .filter(|&(count, _)| count > 0)
        .map(|(count, label)| format!("{count} {label}{}", if count == 1 { "" } else { "s" }))
        .collect();
    match audited.findings.len() {
        0 => "no findings".into(),
        n => format!(
            "{n} finding{} ({})",
            if n == 1 { "" } else { "s" },
            parts.join(", ")
        ),
    }
}

/// The audit as a person reads it.
pub fn audit_text(all: &[Audited]) -> String {
    let blocks: Vec<String> = all.iter().map(ruleset_text).collect();
    blocks.join("\n")
}

fn ruleset_text(audited: &Audited) -> String {
    let mut out = format!(
        "{}, {}: {}\n",
        audited.rules,
        audited.title,
        summary(audited)
    );
    if !audited.variants.is_empty() {
        out += &format!("variants: {}\n", audited.variants.join(", "));
    }
    for (at, finding) in audited.findings.iter().enumerate() {
        out += &format!(
            "\n{}. {} {}: {}\n",
            at + 1,
            finding.severity,
            finding.kind,
            finding.place
        );
        out += &wrap(&finding.sentence, 100, "     ");
        out += &wrap(&format!("evidence: {}", finding.evidence), 100, "     ");
        out += &wrap(&format!("source: {}", finding.source), 100, "     ");
        for command in &finding.commands {
            // Never broken: it is there to be copied.
            out += &format!("     try: {command}\n");
        }
    }
    for note in &audited.notes {
        out += &format!("\nnote: {note}\n");
    }
    out
}

/// The audit for programs.
pub fn audit_json(all: &[Audited]) -> Value {
    let rulesets: Vec<Value> = all
        .iter()
        .map(|audited| {
            json!({
                "rules": audited.rules,
                "title": audited.title,
                "variants": audited.variants,
                "errors": audited.count(Severity::Error),
                "warnings": audited.count(Severity::Warning),
                "notes": audited.count(Severity::Note),
                "findings": audited.findings.iter().map(finding_json).collect::<Vec<_>>(),
                "remarks": audited.notes,
            })
        })
        .collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "rulesets": rulesets })
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "severity": finding.severity.label(),
        "kind": finding.kind.label(),
        "place": finding.place,
        "source": finding.source,
        "evidence": finding.evidence,
        "sentence": finding.sentence,
        "commands": finding.commands,
    })
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fdfcf9}\
h1,h2{line-height:1.2}article{border-left:.35rem solid #8a8a8a;padding:.2rem 1rem;margin:1.2rem 0}\
article.error{border-color:#a3261d}article.warning{border-color:#c07a12}\
h3{margin:.2rem 0;font-size:1rem}dl{display:grid;grid-template-columns:6rem 1fr;gap:.2rem 1rem;margin:.4rem 0;font-size:.9rem}\
dt{color:#555}dd{margin:0;overflow-wrap:anywhere}code{background:#efece4;padding:.1rem .3rem;overflow-wrap:anywhere}";

/// The audit as a page that needs nothing beside it.
pub fn audit_html(all: &[Audited]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>Audit of the printed rules</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>Audit of the printed rules</h1>\n"
    );
    out += &audit_section(all);
    out + "</body>\n</html>\n"
}

/// The body of the page, for a chapter of another one.
pub fn audit_section(all: &[Audited]) -> String {
    all.iter().map(section).collect()
}

/// One ruleset of the page.
fn section(audited: &Audited) -> String {
    let mut out = format!(
        "<section id=\"audit-{}\">\n<h2>{}</h2>\n<p>{}</p>\n",
        escape(&audited.rules),
        escape(&audited.title),
        escape(&summary(audited))
    );
    if !audited.variants.is_empty() {
        let names = audited.variants.join(", ");
        out += &format!("<p>Variants: {}</p>\n", escape(&names));
    }
    for finding in &audited.findings {
        let commands: Vec<String> = finding
            .commands
            .iter()
            .map(|command| format!("<code>{}</code>", escape(command)))
            .collect();
        out += &format!(
            "<article class=\"{severity}\">\n<h3>{severity} · {} · {}</h3>\n<p>{}</p>\n<dl><dt>evidence</dt><dd>{}</dd><dt>source</dt><dd>{}</dd><dt>try</dt><dd>{}</dd></dl>\n</article>\n",
            finding.kind,
            escape(&finding.place),
            escape(&finding.sentence),
            escape(&finding.evidence),
            escape(&finding.source),
            commands.join("<br>"),
            severity = finding.severity,
        );
    }
    for note in &audited.notes {
        out += &format!("<p><small>{}</small></p>\n", escape(note));
    }
    out + "</section>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::audit::Kind;

    fn sample() -> Vec<Audited> {
        vec![Audited {
            rules: "made-up".into(),
            title: "A <made-up> game".into(),
            variants: vec!["house".into()],
            findings: vec![Finding {
                severity: Severity::Error,
                kind: Kind::Order,
                place: "table t, die 8".into(),
                source: "page 3".into(),
                evidence: "1 > 0".into(),
                sentence: "It is out of order.".into(),
                commands: vec!["grapeshot rules made-up --tables".into()],
            }],
            notes: Vec::new(),
        }]
    }

    #[test]
    fn every_form_has_the_place_the_sentence_and_the_command() {
        let json = audit_json(&sample()).to_string();
        for page in [audit_text(&sample()), json, audit_html(&sample())] {
            for part in [
                "table t, die 8",
                "out of order",
                "--tables",
                "house",
                "page 3",
            ] {
                assert!(page.contains(part), "{part} in {page}");
            }
        }
        assert!(audit_html(&sample()).contains("A &lt;made-up&gt; game"));
        assert!(audit_text(&sample()).contains("1 finding (1 error)"));
    }
}
