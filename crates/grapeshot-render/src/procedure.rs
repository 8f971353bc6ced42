//! A procedure as documentation: everything that can be set and is reported.

use super::records::record;
use super::rules::variant_facts;
use super::{Body, Cell, Document, Report, Table};
use grapeshot_engine::dist::{Variable, VariableKind};
use grapeshot_engine::object;
use grapeshot_rules::{Ends, LoadedRuleset, Procedure, RuleError};
use serde::{Serialize, Serializer};

/// A procedure: settings and variables.
#[derive(Debug)]
pub struct ProcedurePage<'a> {
    loaded: &'a LoadedRuleset,
    procedure: &'a Procedure,
    ends: Ends,
    /// The commands that ask it.
    commands: Vec<String>,
}

impl<'a> ProcedurePage<'a> {
    /// A procedure of a ruleset, played or decided.
    ///
    /// # Errors
    /// If there is none of that name, or what is said of its ends is not understood.
    pub fn new(loaded: &'a LoadedRuleset, name: &str) -> Result<Self, RuleError> {
        let procedure = loaded.playable(name)?;
        let rules = loaded.ruleset.as_command();
        let mut commands = Vec::new();
        if loaded.procedures.iter().any(|p| *p.name == *name) {
            commands.push(format!("grapeshot odds {rules} {name}"));
        }
        if loaded
            .decisions()?
            .iter()
            .any(|d| *d.procedure.name == *name)
        {
            commands.push(format!("grapeshot decide {rules} {name}"));
        }
        Ok(ProcedurePage {
            ends: Ends::read(loaded)?,
            loaded,
            procedure,
            commands,
        })
    }

    /// What each label of a variable means, where that is said.
    fn meanings(&self, variable: &Variable) -> Vec<(String, Option<String>)> {
        let VariableKind::Category(labels) = &variable.kind else {
            return Vec::new();
        };
        let meaning = |label: &String| (label.clone(), self.ends.meaning(&variable.name, label));
        labels.iter().map(meaning).collect()
    }
}

impl Serialize for ProcedurePage<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let procedure = self.procedure;
        let meanings = procedure.variables.iter().filter_map(|variable| {
            let said = self.meanings(variable).into_iter();
            let said = said.filter_map(|(label, meaning)| Some((label, meaning?.into())));
            let said: serde_json::Map<String, serde_json::Value> = said.collect();
            (!said.is_empty()).then(|| (variable.name.clone(), said.into()))
        });
        object!(to;
            "rules": *self.loaded.ruleset.id,
            "procedure": *procedure.name,
            "about": *procedure.about,
            "source": *procedure.source,
            "composed": procedure.composed,
            "settings": procedure.settings,
            "variables": procedure.variables,
            "meanings": meanings.into_iter().collect::<serde_json::Map<_, _>>(),
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
            let labels = self.meanings(variable);
            let said: Vec<String> = match labels.iter().any(|(_, meaning)| meaning.is_some()) {
                _ if labels.is_empty() => Vec::new(),
                false => {
                    let labels = labels.into_iter().map(|(label, _)| label);
                    vec![labels.collect::<Vec<_>>().join(" | ")]
                }
                true => labels
                    .into_iter()
                    .map(|(label, meaning)| match meaning {
                        Some(meaning) => format!("{label}: {meaning}"),
                        None => label,
                    })
                    .collect(),
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
        document.commands = self.commands.clone();
        document
    }
}
