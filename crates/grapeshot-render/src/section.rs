//! One experiment as a section of a page: sentences, charts, a table.

use super::Report;
use super::number::counted;
use super::pictures::picture;
use super::{Body, Cell, Column, Document, Picture, Table};
use grapeshot_charts::{PictureFormat, tell};
use grapeshot_engine::dist::{Distribution, VariableKind};
use grapeshot_rules::{RuleError, Value};
use grapeshot_study::{
    Instrument, Results, findings, placed, title_of, value_in_words, worst_agreement,
};
use serde::{Deserialize, Serialize};

/// The name of the page that shows a study.
pub const PAGE: &str = "index.html";

/// Rows of a table that such a page still shows.
const SHOWN: usize = 60;

/// What the page shows of an experiment; kept beside its results, so that the page can be made again
/// without running anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Its name: the folder's.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The question it answers.
    pub question: String,
    /// The rulesets in it.
    pub rules: Vec<String>,
    /// The sentences found.
    pub findings: Vec<String>,
    /// How the numbers were found.
    pub method: String,
    /// The charts: file name without ending, and title.
    pub charts: Vec<(String, String)>,
    /// The charts as a page shows them, as SVG.
    pub wide: Vec<String>,
    /// The charts as a phone shows them, as SVG; none for one that has no room there.
    pub narrow: Vec<Option<String>>,
    /// Headings of the table.
    pub headings: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// Cells the rules refuse, with the reason.
    pub skipped: Vec<String>,
    /// The data files.
    pub data: Vec<String>,
}

impl Section {
    /// What an experiment came to, with the names of its charts and of its data files.
    ///
    /// # Errors
    /// If a quantity makes no sense.
    pub fn new(
        results: &Results,
        charts: Vec<(String, String)>,
        data: Vec<String>,
    ) -> Result<Self, RuleError> {
        let experiment = &results.experiment;
        let mut sentences = findings(results)?;
        if let Some((worst, compared)) = worst_agreement(results) {
            sentences.push(format!(
                "Simulation against solution: of {compared} variables compared, the worst single value is {worst:.2} standard errors off."
            ));
        }
        for (_, found) in instruments(results) {
            sentences.extend(found.findings);
        }
        let (headings, rows) = table(results);
        Ok(Section {
            id: experiment.id.clone(),
            title: experiment.title.clone(),
            question: experiment.question.clone(),
            rules: experiment.rules.clone(),
            findings: sentences,
            method: results.method_text(),
            charts,
            wide: Vec::new(),
            narrow: Vec::new(),
            headings,
            rows,
            skipped: results
                .cells
                .iter()
                .filter_map(|cell| {
                    let reason = results.style.text(cell.answers.as_ref().err()?);
                    Some(format!("{}: {reason}", placed(results, &cell.place)))
                })
                .collect(),
            data,
        })
    }

    /// As part of a page; its charts are kept in files of their own.
    pub fn document(&self) -> Document {
        self.document_from(&format!("{}/", self.id))
    }

    /// As a page of its own, beside its files.
    pub fn own_page(&self, pictures: Vec<Picture>) -> Document {
        let mut document = self.document_from("");
        document.pictures = pictures;
        document
    }

    /// As a page for those who browse a repository: the charts are files beside it, and so are the data where they are
    /// kept.
    pub fn in_short(&self, mut pictures: Vec<Picture>) -> Document {
        for picture in &mut pictures {
            picture.file = Some(format!("{}.svg", picture.name));
        }
        let mut document = self.own_page(pictures);
        document
            .blocks
            .retain(|block| !matches!(block.body, Body::Links(_)));
        if self.rows.len() > SHOWN {
            document
                .blocks
                .retain(|block| !matches!(block.body, Body::Table(_)));
        }
        let data = self.data.iter().map(|file| format!("`{file}`"));
        let data: Vec<String> = data.collect();
        document.notes.push(format!(
            "every number is in {}, beside the charts where the study was run; `{PAGE}` there shows all of it",
            data.join(", ")
        ));
        document
    }

    /// A document from which the files are found in `folder`.
    fn document_from(&self, folder: &str) -> Document {
        let mut document = Document::new(&self.title);
        document.anchor = self.id.clone();
        document.fact("", self.question.clone());
        let titles: Vec<String> = self.rules.iter().map(|id| title_of(id)).collect();
        document.fact("", format!("{} · {}", titles.join(", "), self.method));
        document.findings = self.findings.clone();
        let mut table = Table::new(self.headings.iter().enumerate().map(
            |(at, heading)| match at {
                0 => Column::words(heading),
                _ => Column::number(heading),
            },
        ));
        for row in &self.rows {
            table.row(row.iter().map(Cell::text));
        }
        let rows = counted(self.rows.len(), "row");
        document.aside(format!("Table, {rows}"), table);
        if !self.skipped.is_empty() {
            let cells = counted(self.skipped.len(), "cell");
            document.aside(format!("{cells} the rules refuse"), self.skipped.clone());
        }
        let charts = self.charts.iter();
        let endings = || PictureFormat::ALL.iter().map(|format| format.ending());
        let charts = charts.flat_map(|(name, _)| {
            let files = endings().chain(["txt"]);
            files.map(move |ending| format!("{name}.{ending}"))
        });
        let files = self.data.iter().cloned().chain(charts);
        let links = files.map(|file| (file.clone(), format!("{folder}{file}")));
        document.block("", Body::Links(links.collect()));
        document
    }
}

/// A study as a document of its own, its charts in it.
///
/// # Errors
/// If a quantity or chart makes no sense.
pub fn study_document(results: &Results) -> Result<Document, RuleError> {
    let mut document = Section::new(results, Vec::new(), Vec::new())?.document();
    for (at, spec) in results.experiment.charts.iter().enumerate() {
        let chart = picture(results, spec)?;
        let name = format!("chart-{}", at + 1);
        document.pictures.push(Picture::chart(name, chart));
    }
    for (_, found) in instruments(results) {
        document.pictures.extend(found.pictures);
        let blocks = found.blocks.into_iter();
        document
            .blocks
            .extend(blocks.filter(|block| block.place != super::Audience::Data));
    }
    Ok(document)
}

/// What the instruments of a study found, by their names, in its style.
pub fn instruments(results: &Results) -> Vec<(&'static str, Document)> {
    let asked = results.experiment.instruments.iter();
    let found = asked.zip(&results.instruments).map(|(asked, found)| {
        let mut document = match found {
            Instrument::Weigh(found) => found.document(),
            #[cfg(feature = "field")]
            Instrument::Field(found) => found.document(),
            #[cfg(feature = "field")]
            Instrument::Condense(found) => super::CondenseReport {
                found: (**found).clone(),
                style: results.style.clone(),
            }
            .document(),
            Instrument::Skill(found) => found.document(),
        };
        document.restyle(&results.style);
        (asked.name(), document)
    });
    found.collect()
}

/// What an instrument found, for programs.
pub fn instrument_data(found: &Instrument) -> serde_json::Value {
    match found {
        Instrument::Weigh(found) => found.data(),
        #[cfg(feature = "field")]
        Instrument::Field(found) => found.data(),
        #[cfg(feature = "field")]
        Instrument::Condense(found) => super::plain(&grapeshot_study::Envelope::new(&**found)),
        Instrument::Skill(found) => found.data(),
    }
}

/// One row per cell: its place, the chance of each headline value, the mean of each number.
fn table(results: &Results) -> (Vec<String>, Vec<Vec<String>>) {
    let keys = results.cells.first().map_or(&[][..], |cell| &cell.place);
    let words = &results.style.words;
    let heading = |(key, value): &(String, Value)| match value {
        Value::Flag(_) => words.flag(key),
        _ => words.key(key),
    };
    let mut headings: Vec<String> = keys.iter().map(heading).collect();
    let headline = &results.variables[0];
    let occurs = |label: &String| {
        let answers = results
            .cells
            .iter()
            .filter_map(|cell| cell.answers.as_ref().ok());
        answers
            .into_iter()
            .any(|answers| chance(answers.best(), &headline.name, label) > 0.0)
    };
    let labels: Vec<String> = match &headline.kind {
        VariableKind::Category(labels) => labels
            .iter()
            .filter(|label| occurs(label))
            .cloned()
            .collect(),
        VariableKind::Count | VariableKind::CountFrom(_) | VariableKind::Number(_) => Vec::new(),
    };
    let ends = labels
        .iter()
        .map(|label| words.label(&headline.name, label) + " %");
    headings.extend(ends);
    let numeric: Vec<&str> = results
        .variables
        .iter()
        .filter(|v| v.is_numeric())
        .map(|v| v.name.as_str())
        .collect();
    let means = numeric.iter();
    headings.extend(means.map(|name| tell!(words, "mean {1}", words.variable(name))));
    let mut rows = Vec::new();
    for cell in &results.cells {
        let Ok(answers) = &cell.answers else { continue };
        let odds = answers.best();
        let mut row: Vec<String> = cell
            .place
            .iter()
            .map(|(key, value)| value_in_words(&results.style, key, value))
            .collect();
        for label in &labels {
            let p = chance(odds, &headline.name, label);
            let half = odds
                .marginal(&headline.name)
                .and_then(|m| m.interval(p))
                .map(|(l, h)| (h - l) / 2.0);
            row.push(match half {
                Some(half) => format!("{:.2} ±{:.2}", 100.0 * p, 100.0 * half),
                None => format!("{:.2}", 100.0 * p),
            });
        }
        for name in &numeric {
            row.push(
                odds.marginal(name)
                    .map_or(String::new(), |m| match m.standard_error() {
                        Some(se) => {
                            format!("{:.3} ±{:.3}", m.mean(), grapeshot_engine::stats::Z95 * se)
                        }
                        None => format!("{:.3}", m.mean()),
                    }),
            );
        }
        rows.push(row);
    }
    (headings, rows)
}

fn chance(odds: &Distribution, variable: &str, label: &str) -> f64 {
    odds.marginal(variable)
        .map_or(0.0, |marginal| marginal.p(label))
}
