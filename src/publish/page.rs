//! The report as one self-contained page, and as a short list for those who browse the repository.

use super::Section;
use crate::render::{Document, Picture, Tone};

/// The page: chapters, then the studies, ruleset by ruleset.
pub(super) fn page(
    sections: &[Section],
    svgs: &[Vec<String>],
    chapters: Vec<Document>,
) -> Document {
    let mut page = Document::new("grapeshot");
    page.fact(
        "",
        format!(
            "The odds in printed American Civil War wargame rules, solved and simulated. Version {}.",
            env!("CARGO_PKG_VERSION")
        ),
    );
    page.parts = chapters;
    for (section, svgs) in sections.iter().zip(svgs) {
        let rules = section.rules.join(", ");
        let study = study(section, svgs);
        match page.parts.iter_mut().find(|group| group.title == rules) {
            Some(group) => group.parts.push(study),
            None => {
                let mut group = Document::new(&rules);
                group.anchor = format!("rules-{}", rules.replace(", ", "-"));
                group.parts.push(study);
                page.parts.push(group);
            }
        }
    }
    page
}

/// A study as part of the page.
fn study(section: &Section, svgs: &[String]) -> Document {
    let mut document = section.document();
    for ((name, title), svg) in section.charts.iter().zip(svgs) {
        let mut picture = Picture::drawn(name, title, svg.clone());
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
