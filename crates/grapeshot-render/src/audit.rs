//! What a designer would want to know before printing.

use super::number::counted;
use super::records::record_of;
use super::{Document, Report, Table, Tone};
use grapeshot_rules::Labels;
use grapeshot_study::audit::{Audited, Finding, Severity};
use serde::Serialize;

/// Rulesets that were audited.
#[derive(Debug, Serialize)]
pub struct AuditReport {
    /// One for each.
    pub rulesets: Vec<Audited>,
}

/// What spreadsheets have of a finding.
const FINDING: &str = "rules severity kind place sentence evidence source commands";

impl Report for AuditReport {
    fn document(&self) -> Document {
        let mut document = Document::new("Audit of the rules");
        document.anchor = "audit".into();
        document.parts = self.rulesets.iter().map(ruleset).collect();
        let findings = self.rulesets.iter().flat_map(|audited| {
            let findings = audited.findings.iter();
            findings.map(|finding| record_of("rules", audited.rules.as_str(), finding))
        });
        document.data("findings", Table::of_records(FINDING, findings));
        document
    }
}

/// How many findings of each severity, in words.
pub(crate) fn summary(audited: &Audited) -> String {
    let parts: Vec<String> = Severity::ALL
        .iter()
        .map(|&severity| (audited.count(severity), severity.label()))
        .filter(|&(count, _)| count > 0)
        .map(|(count, label)| counted(count, label))
        .collect();
    match audited.findings.len() {
        0 => "no findings".into(),
        n => format!("{} ({})", counted(n, "finding"), parts.join(", ")),
    }
}

fn ruleset(audited: &Audited) -> Document {
    let mut document = Document::new(format!("{}: {}", audited.rules, audited.title));
    document.anchor = format!("audit-{}", audited.rules);
    document.fact("", summary(audited));
    document.fact("variants", audited.variants.join(", "));
    let findings = audited.findings.iter().enumerate();
    document.parts = findings.map(|(at, f)| finding(at + 1, f)).collect();
    if let Some(cured) = &audited.cured {
        let text = match audited.findings.len() {
            0 => "the variant brings in nothing that the print has not".to_owned(),
            n => format!("the variant brings in {}", counted(n, "finding")),
        };
        document.findings.push(text);
        document.findings.push(match cured.len() {
            0 => "it cures none".into(),
            n => format!("it cures {}", counted(n, "finding")),
        });
        let cured = cured
            .iter()
            .map(|f| format!("{} {}: {}", f.severity, f.kind, f.sentence));
        let cured: Vec<String> = cured.collect();
        if !cured.is_empty() {
            document.block("cured", cured);
        }
    }
    document.notes = audited.notes.clone();
    document
}

fn finding(number: usize, finding: &Finding) -> Document {
    let Finding {
        severity,
        kind,
        place,
        ..
    } = finding;
    let mut document = Document::new(format!("{number}. {severity} {kind}: {place}"));
    document.tone = match severity {
        Severity::Error => Tone::Error,
        Severity::Warning => Tone::Warning,
        Severity::Note => Tone::Note,
    };
    document.findings.push(finding.sentence.clone());
    document.fact("evidence", finding.evidence.clone());
    document.fact("source", finding.source.clone());
    document.commands = finding.commands.clone();
    document
}

#[cfg(test)]
mod tests {
    use super::super::{Layout, csv, html, markdown, text};
    use super::*;
    use grapeshot_study::audit::FindingKind;

    fn sample() -> AuditReport {
        AuditReport {
            rulesets: vec![Audited {
                rules: "made-up".into(),
                title: "A <made-up> game".into(),
                variants: vec!["house".into()],
                findings: vec![Finding {
                    severity: Severity::Error,
                    kind: FindingKind::Order,
                    place: "table t, die 8".into(),
                    source: "page 3".into(),
                    evidence: "1 > 0".into(),
                    sentence: "It is out of order.".into(),
                    commands: vec!["grapeshot rules made-up --tables".into()],
                }],
                notes: Vec::new(),
                cured: None,
            }],
        }
    }

    #[test]
    fn every_form_has_the_place_the_sentence_and_the_command() {
        let document = sample().document();
        let page = html(&document).expect("no charts in it");
        let read = text(&document, Layout::default());
        let json = sample().data().to_string();
        for form in [&page, &read, &json, &csv(&document), &markdown(&document)] {
            for part in ["table t, die 8", "out of order", "--tables", "page 3"] {
                assert!(form.contains(part), "{part} in {form}");
            }
        }
        assert!(page.contains("A &lt;made-up&gt; game"));
        assert!(read.contains("1 finding (1 error)"));
    }
}
