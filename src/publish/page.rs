//! The report as one self-contained page, and as a short list for those who browse the repository.

use super::{Chapters, Section};
use crate::render::{Document, Picture, Tone};
use grapeshot_rules::common;
use grapeshot_study::title_of;

/// The page: what a friend would be told, one picture, the comparison, a folded chapter for each ruleset, and the
/// audit at the end.
pub(super) fn page(sections: &[Section], svgs: &[Vec<String>], chapters: Chapters) -> Document {
    let mut page = Document::new("Odds in American Civil War wargame rules");
    page.fact(
        "",
        format!(
            "Printed rules, solved and simulated by grapeshot {}.",
            env!("CARGO_PKG_VERSION")
        ),
    );
    page.findings = chapters.headlines;
    page.pictures.push(chapters.picture);
    page.parts.push(chapters.comparison);
    for (section, svgs) in sections.iter().zip(svgs) {
        let anchor = format!("rules-{}", section.rules.join("-"));
        let study = study(section, svgs);
        match page.parts.iter_mut().find(|group| group.anchor == anchor) {
            Some(group) => group.parts.push(study),
            None => {
                let mut group = Document::new(chapter_title(&section.rules));
                group.anchor = anchor;
                group.folded = true;
                group.parts.push(study);
                page.parts.push(group);
            }
        }
    }
    let mut audit = chapters.audit;
    audit.title = format!("Appendix: {}", audit.title.to_lowercase());
    page.parts.push(audit);
    page
}

fn chapter_title(rules: &[String]) -> String {
    match rules {
        [one] if one == common::ID => "The same fights in all rulesets".into(),
        rules => {
            let titles: Vec<String> = rules.iter().map(|id| title_of(id)).collect();
            format!("{} ({})", titles.join(", "), rules.join(", "))
        }
    }
}

/// A study as part of the page.
fn study(section: &Section, svgs: &[String]) -> Document {
    let mut document = section.document();
    for (at, ((name, title), svg)) in section.charts.iter().zip(svgs).enumerate() {
        let mut picture = Picture::drawn(name, title, svg.clone());
        picture.narrow = section.narrow.get(at).cloned().flatten();
        picture.file = Some(format!("{}/{name}.svg", section.id));
        document.pictures.push(picture);
    }
    document
}

/// The same in short: what was found, and the pictures.
pub(super) fn brief(page: &Document) -> Document {
    let plain = page.parts.iter().filter(|part| part.tone == Tone::Plain);
    Document {
        title: page.title.clone(),
        facts: page.facts.clone(),
        findings: page.findings.clone(),
        pictures: page.pictures.clone(),
        parts: plain.map(brief).collect(),
        ..Document::default()
    }
}
