//! A procedure as documentation: everything that can be set and is reported.

use super::rules::variant_facts;
use super::{Body, Cell, Document, Report, Table, data};
use grapeshot_engine::dist::VariableKind;
use grapeshot_rules::{LoadedRuleset, Procedure, Setting};
use serde::Serialize;

/// A procedure: settings and variables.
#[derive(Debug)]
pub struct ProcedurePage<'a> {
    /// Its ruleset.
    pub loaded: &'a LoadedRuleset,
    /// The procedure.
    pub procedure: &'a Procedure,
}

impl Report for ProcedurePage<'_> {
    fn document(&self) -> Document {
        let (id, procedure) = (&self.loaded.ruleset.id, self.procedure);
        let mut document = Document::new(format!("{id} {}: {}", procedure.name, procedure.about));
        if procedure.composed {
            document.fact("", "composed: the source prints only its parts");
        }
        document.fact("source", procedure.source.to_string());
        variant_facts(&mut document, self.loaded);
        let settings = procedure.settings.iter().map(|setting| {
            let mut said = vec![format!("{} ({})", setting.meaning, setting.kind.allowed())];
            if !setting.source.is_empty() {
                said.push(format!("source: {}", setting.source));
            }
            (
                format!("{} = {}", setting.key, setting.default_text()),
                said,
            )
        });
        document.block("settings", Body::Terms(settings.collect()));
        let variables = procedure.variables.iter().map(|variable| {
            let kind = variable.kind_name();
            let said = match &variable.kind {
                VariableKind::Category(labels) => vec![labels.join(" | ")],
                VariableKind::Count | VariableKind::CountFrom(_) | VariableKind::Number(_) => {
                    Vec::new()
                }
            };
            (
                format!("{} ({kind}): {}", variable.name, variable.meaning),
                said,
            )
        });
        document.block(
            "variables, headline first",
            Body::Terms(variables.collect()),
        );
        document.data("settings", settings_data(&procedure.settings));
        let mut table = Table::named(["variable", "kind", "meaning", "values"]);
        for variable in &procedure.variables {
            let labels = match &variable.kind {
                VariableKind::Category(labels) => labels.join(" | "),
                VariableKind::Count | VariableKind::CountFrom(_) | VariableKind::Number(_) => {
                    String::new()
                }
            };
            let cells = [
                variable.name.as_str(),
                variable.kind_name(),
                &variable.meaning,
                &labels,
            ];
            table.row(cells.map(Cell::text));
        }
        document.data("variables", table);
        document.notes = procedure.notes.clone();
        document.commands = vec![format!(
            "grapeshot odds {} {}",
            self.loaded.ruleset.as_command(),
            procedure.name
        )];
        document
    }

    fn data(&self) -> serde_json::Value {
        let settings = self.procedure.settings.iter().map(|setting| SettingData {
            key: &setting.key,
            default: setting.default_text(),
            allowed: setting.kind.allowed(),
            meaning: &setting.meaning,
            source: &setting.source,
        });
        let variables = self
            .procedure
            .variables
            .iter()
            .map(|variable| VariableData {
                name: &variable.name,
                kind: variable.kind_name(),
                meaning: &variable.meaning,
                labels: match &variable.kind {
                    VariableKind::Category(labels) => Some(labels),
                    VariableKind::Count | VariableKind::CountFrom(_) | VariableKind::Number(_) => {
                        None
                    }
                },
            });
        data(&ProcedureData {
            version: env!("CARGO_PKG_VERSION"),
            rules: self.loaded.ruleset.id.to_string(),
            procedure: self.procedure.name.to_string(),
            about: self.procedure.about.to_string(),
            source: self.procedure.source.to_string(),
            composed: self.procedure.composed,
            settings: settings.collect(),
            variables: variables.collect(),
            notes: &self.procedure.notes,
        })
    }
}

fn settings_data(settings: &[Setting]) -> Table {
    let mut table = Table::named(["key", "default", "allowed", "meaning", "source"]);
    for setting in settings {
        let (default, allowed) = (setting.default_text(), setting.kind.allowed());
        let cells = [
            &setting.key,
            &default,
            &allowed,
            &setting.meaning,
            &setting.source,
        ];
        table.row(cells.map(|text| Cell::text(text.to_string())));
    }
    table
}

#[derive(Serialize)]
struct ProcedureData<'a> {
    version: &'a str,
    rules: String,
    procedure: String,
    about: String,
    source: String,
    composed: bool,
    settings: Vec<SettingData<'a>>,
    variables: Vec<VariableData<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct SettingData<'a> {
    key: &'a str,
    default: String,
    allowed: String,
    meaning: &'a str,
    source: &'a str,
}

#[derive(Serialize)]
struct VariableData<'a> {
    name: &'a str,
    kind: &'a str,
    meaning: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<&'a [String]>,
}
