//! One trial told as a story.

use super::{Cell, Document, Report, Table};
use grapeshot_rules::{LoadedRuleset, Procedure, RuleError, Settings, Situation, Told};
use grapeshot_study::wording::as_command;
use serde::Serialize;

/// One trial of a procedure that is played out.
#[derive(Debug, Serialize)]
pub struct StoryReport {
    rules: String,
    procedure: String,
    variants: Vec<String>,
    settings: Settings,
    seed: u64,
    #[serde(flatten)]
    told: Told,
    #[serde(skip)]
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
}
