//! A procedure as documentation: everything that can be set and is reported.

use super::records::record;
use super::rules::variant_facts;
use super::{Body, Cell, Document, Report, Table};
use grapeshot_engine::dist::VariableKind;
use grapeshot_engine::object;
use grapeshot_rules::{LoadedRuleset, Procedure};
use serde::{Serialize, Serializer};

/// A procedure: settings and variables.
#[derive(Debug)]
pub struct ProcedurePage<'a> {
    /// Its ruleset.
    pub loaded: &'a LoadedRuleset,
    /// The procedure.
    pub procedure: &'a Procedure,
}

impl Serialize for ProcedurePage<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let procedure = self.procedure;
        object!(to;
            "rules": *self.loaded.ruleset.id,
            "procedure": *procedure.name,
            "about": *procedure.about,
            "source": *procedure.source,
            "composed": procedure.composed,
            "settings": procedure.settings,
            "variables": procedure.variables,
            "notes": procedure.notes,
        )
    }
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
        let columns = "key default allowed meaning source";
        let settings = procedure.settings.iter().map(record);
        document.data("settings", Table::of_records(columns, settings));
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
}
