//! One trial told as a story.

use super::quantity::settings_data;
use super::{Cell, Document, Report, Table, data};
use grapeshot_rules::{LoadedRuleset, Procedure, RuleError, Settings, Situation, Told};
use grapeshot_study::wording::as_command;
use serde::Serialize;

/// One trial of a procedure that is played out.
#[derive(Debug)]
pub struct StoryReport {
    rules: String,
    procedure: String,
    variants: Vec<String>,
    settings: Settings,
    seed: u64,
    told: Told,
    notes: Vec<String>,
}

impl StoryReport {
    /// Plays the trial of this seed.
    ///
    /// # Errors
    /// If the procedure has no story: it is solved, not played out.
    pub fn new(
        loaded: &LoadedRuleset,
        procedure: &Procedure,
        situation: &Situation,
        seed: u64,
    ) -> Result<Self, RuleError> {
        let told = situation.story(seed).ok_or_else(|| {
            let told = loaded.procedures.iter().filter(|p| p.is_played_out());
            let told: Vec<&str> = told.map(|p| &*p.name).collect();
            let allowed = match told.is_empty() {
                true => format!("{} has nothing that is", loaded.id()),
                false => format!("allowed is {}", told.join(", ")),
            };
            let name = &procedure.name;
            let problem = format!("{name} is not played out turn by turn; {allowed}");
            RuleError::argument("trace", seed, problem)
        })?;
        Ok(StoryReport {
            rules: loaded.id().to_owned(),
            procedure: procedure.name.to_string(),
            variants: loaded.variant_names(),
            settings: situation.settings().clone(),
            seed,
            told,
            notes: procedure.notes.clone(),
        })
    }
}

impl Report for StoryReport {
    fn document(&self) -> Document {
        let title = format!("{} {}: the story of one trial", self.rules, self.procedure);
        let mut document = Document::new(title);
        document.fact("", format!("seed {}: one of very many", self.seed));
        document.fact("variants", self.variants.join(", "));
        document.fact("given", as_command(self.settings.given()));
        let came_to = self
            .told
            .came_to
            .iter()
            .map(|(name, label)| format!("{name} {label}"));
        let came_to: Vec<String> = came_to.collect();
        document.findings.push(came_to.join(", "));
        let mut table = Table::named(["when", "what"]);
        for chapter in &self.told.chapters {
            document.block(chapter.heading.clone(), chapter.sentences.join(" "));
            for sentence in &chapter.sentences {
                table.row([&chapter.heading, sentence].map(Cell::text));
            }
        }
        document.data("story", table);
        document.notes = self.notes.clone();
        document
    }

    fn data(&self) -> serde_json::Value {
        let chapters = self.told.chapters.iter().map(|chapter| ChapterData {
            when: &chapter.heading,
            sentences: &chapter.sentences,
        });
        data(&Data {
            version: env!("CARGO_PKG_VERSION"),
            rules: &self.rules,
            procedure: &self.procedure,
            variants: &self.variants,
            settings: settings_data(self.settings.iter()),
            seed: self.seed,
            came_to: self
                .told
                .came_to
                .iter()
                .map(|(name, label)| (name.clone(), label.as_str().into()))
                .collect(),
            story: chapters.collect(),
        })
    }
}

#[derive(Serialize)]
struct Data<'a> {
    version: &'a str,
    rules: &'a str,
    procedure: &'a str,
    variants: &'a [String],
    settings: super::quantity::Object,
    seed: u64,
    came_to: super::quantity::Object,
    story: Vec<ChapterData<'a>>,
}

#[derive(Serialize)]
struct ChapterData<'a> {
    when: &'a str,
    sentences: &'a [String],
}
