//! The report as one self-contained page, and as contents for those who browse the repository.

use super::folder::OutFile;
use super::{Chapters, SHORT_PAGE, Section};
use crate::render::{self, Body, Document, Picture};
use grapeshot_charts::{ChartError, Style};
use grapeshot_rules::common;
use grapeshot_study::title_of;

/// The page: what a friend would be told, one picture, the comparison, a folded chapter for each ruleset, and the
/// audit at the end.
pub(super) fn page(sections: &[Section], chapters: Chapters) -> Document {
    let mut page = Document::new("Odds in American Civil War wargame rules");
    page.fact("", made_by());
    page.findings = chapters.headlines;
    page.pictures.push(chapters.picture);
    page.parts.push(chapters.comparison);
    for section in sections {
        let anchor = format!("rules-{}", section.rules.join("-"));
        let study = study(section);
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

fn made_by() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("Printed rules, solved and simulated by grapeshot {version}.")
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
fn study(section: &Section) -> Document {
    let mut document = section.document();
    for (at, ((name, title), svg)) in section.charts.iter().zip(&section.wide).enumerate() {
        let mut picture = Picture::drawn(name, title, svg.clone());
        picture.narrow = section.narrow.get(at).cloned().flatten();
        picture.file = Some(format!("{}/{name}.svg", section.id));
        document.pictures.push(picture);
    }
    document
}

/// Contents for those who browse the repository: what was found in short, two pictures, how to read a number, and where
/// each study is.
fn contents(sections: &[Section], headlines: &[String], pictures: Vec<Picture>) -> Document {
    let mut document = Document::new("Reports");
    document.fact("", made_by());
    document.fact(
        "",
        "What `cargo run --release -- report` makes. Charts and these pages are kept here; it also writes every number as CSV \
         and Parquet, the charts as PNG and PDF, and `index.html`, which shows all of it with the audit of the printed rules.",
    );
    document.findings = headlines.to_vec();
    document.pictures = pictures;
    document.block("How to read a number", Body::Text(READING.into()));
    let mut chapters: Vec<(String, Vec<String>)> = Vec::new();
    for section in sections {
        let title = chapter_title(&section.rules);
        // Set as Markdown and as nothing else, so a link is written as one.
        let line = format!(
            "[{}]({}/{SHORT_PAGE}): {}",
            section.title, section.id, section.question
        );
        match chapters.iter_mut().find(|(chapter, _)| *chapter == title) {
            Some((_, lines)) => lines.push(line),
            None => chapters.push((title, vec![line])),
        }
    }
    for (title, lines) in chapters {
        document.block(title, Body::List(lines));
    }
    document
}

/// How an interval is read, for who meets one first here.
const READING: &str = "A number that was solved is exact and stands alone. One that was simulated comes with its 95 % interval: \
    43.1 ±0.3 is from 42.8 to 43.4, and of twenty such intervals about nineteen hold the true value. Where each of two numbers \
    lies in the other's interval, that run does not tell them apart; four times the trials halve an interval. The ribbon along a \
    line of a chart is the same interval at every point.";

/// The contents and the pictures on it, as the files a report leaves beside its studies.
///
/// # Errors
/// If a picture cannot be drawn.
pub fn contents_files(
    sections: &[Section],
    chapters: &Chapters,
    style: &Style,
) -> Result<Vec<OutFile>, ChartError> {
    let moves = chapters.comparison.parts.iter();
    let moves = moves.flat_map(|part| &part.pictures).take(1);
    let mut files = Vec::new();
    let mut pictures = Vec::new();
    for picture in [&chapters.picture].into_iter().chain(moves) {
        let mut picture = picture.clone();
        picture.restyle(style);
        let name = format!("{}.svg", picture.name);
        files.push(OutFile {
            bytes: picture.svg()?.into_bytes(),
            name: name.clone(),
        });
        picture.file = Some(name);
        pictures.push(picture);
    }
    let mut document = contents(sections, &chapters.headlines, Vec::new());
    document.restyle(style);
    document.pictures = pictures;
    files.push(OutFile {
        name: SHORT_PAGE.into(),
        bytes: render::markdown(&document).into_bytes(),
    });
    Ok(files)
}
