//! Rulesets as documentation: what is printed, read and assumed.

use super::changes::changes_text;
use super::{Body, Cell, Column, Document, Report, Table};
use grapeshot_rules::{Assumption, Grid, List, LoadedRuleset, RuleError};
use serde::Serialize;

/// All rulesets, a line each.
#[derive(Debug)]
pub struct RulesetList<'a>(pub &'a [LoadedRuleset]);

impl Report for RulesetList<'_> {
    fn document(&self) -> Document {
        let mut document = Document::new("Rulesets");
        let mut table = Table::named(["rules", "title", "about", "procedures"]);
        let mut terms = Vec::new();
        for loaded in self.0 {
            let found = RulesetData::of(loaded);
            let procedures = found.procedures.join(", ");
            terms.push((
                format!("{}: {}", found.rules, found.title),
                vec![found.about.clone(), format!("procedures: {procedures}")],
            ));
            table.row([found.rules, found.title, found.about, procedures].map(Cell::text));
        }
        document.block("", Body::Terms(terms));
        document.data("rulesets", table);
        document.commands = vec![
            "grapeshot rules RULES".into(),
            "grapeshot rules RULES PROCEDURE".into(),
            "grapeshot rules RULES --tables".into(),
        ];
        document
    }

    fn data(&self) -> serde_json::Value {
        let rulesets: Vec<RulesetData> = self.0.iter().map(RulesetData::of).collect();
        serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "rulesets": rulesets })
    }
}

#[derive(Serialize)]
struct RulesetData {
    rules: String,
    title: String,
    about: String,
    procedures: Vec<String>,
}

impl RulesetData {
    fn of(loaded: &LoadedRuleset) -> Self {
        RulesetData {
            rules: loaded.ruleset.id.to_string(),
            title: loaded.ruleset.title.to_string(),
            about: loaded.ruleset.about.to_string(),
            procedures: loaded
                .procedures
                .iter()
                .map(|p| p.name.to_string())
                .collect(),
        }
    }
}

/// A ruleset: procedures, readings, assumptions, tables.
#[derive(Debug)]
pub struct RulesetPage<'a> {
    loaded: &'a LoadedRuleset,
    assumptions: Vec<Assumption>,
    tables: PrintedTables,
}

impl<'a> RulesetPage<'a> {
    /// Reads what is to be shown.
    ///
    /// # Errors
    /// If an assumption or a table is incomplete.
    pub fn new(loaded: &'a LoadedRuleset) -> Result<Self, RuleError> {
        Ok(RulesetPage {
            loaded,
            assumptions: loaded.tables.assumptions()?,
            tables: PrintedTables::new(loaded)?,
        })
    }

    /// What the source says twice, or leaves open, and is not settled.
    fn stated(&self, section: &str) -> Vec<String> {
        let entries = self.loaded.tables.section(section).into_iter().flatten();
        entries
            .filter(|(_, entry)| entry.get("settled").and_then(|s| s.as_bool()) != Some(true))
            .filter_map(|(_, entry)| {
                let words = |key: &str| entry.get(key).and_then(|text| text.as_str());
                Some(format!("{} [{}]", words("text")?, words("source")?))
            })
            .collect()
    }
}

impl Report for RulesetPage<'_> {
    fn document(&self) -> Document {
        let found = RulesetData::of(self.loaded);
        let mut document = Document::new(format!("{}: {}", found.rules, found.title));
        document.fact("", found.about);
        variant_facts(&mut document, self.loaded);
        let procedures = self.loaded.procedures.iter().map(|procedure| {
            let composed = if procedure.composed {
                " (composed)"
            } else {
                ""
            };
            format!("{}{composed}: {}", procedure.name, procedure.about)
        });
        document.block("procedures", procedures.collect::<Vec<_>>());
        let readings = self.loaded.ruleset.readings.iter();
        let readings: Vec<String> = readings.map(|reading| format!("- {reading}")).collect();
        document.block("how the source is read", readings);
        let assumptions = self.assumptions.iter();
        let assumptions = assumptions.map(|a| {
            let said = format!("{} [{}]", a.text, a.source);
            (format!("{} = {}", a.name, a.value), vec![said])
        });
        let assumptions: Vec<_> = assumptions.collect();
        if !assumptions.is_empty() {
            document.block(
                "assumptions (a variant may change them)",
                Body::Terms(assumptions),
            );
        }
        for (section, heading) in [
            ("contradictions", "where the source contradicts itself"),
            ("gaps", "what the source leaves open"),
        ] {
            let lines = self.stated(section);
            if !lines.is_empty() {
                document.block(heading, lines);
            }
        }
        let grids = self
            .tables
            .grids
            .iter()
            .map(|g| (&g.name, &g.title, &g.source));
        let lists = self
            .tables
            .lists
            .iter()
            .map(|l| (&l.name, &l.title, &l.source));
        let tables = grids.chain(lists);
        let tables = tables.map(|(name, title, source)| format!("{name}: {title} [{source}]"));
        let heading = format!(
            "tables (grapeshot rules {} --tables prints them, --toml gives the file a variant starts from)",
            self.loaded.ruleset.as_command()
        );
        document.block(heading, tables.collect::<Vec<_>>());
        let mut table = Table::named(["procedure", "composed", "about", "source"]);
        for procedure in &self.loaded.procedures {
            table.row([
                Cell::text(&*procedure.name),
                Cell::flag(procedure.composed),
                Cell::text(&*procedure.about),
                Cell::text(&*procedure.source),
            ]);
        }
        document.data("procedures", table);
        document
    }

    fn data(&self) -> serde_json::Value {
        let procedures = self.loaded.procedures.iter().map(|p| {
            serde_json::json!({
                "name": &*p.name, "composed": p.composed, "about": &*p.about, "source": &*p.source,
            })
        });
        let assumptions = self.assumptions.iter().map(|a| {
            let value = a.value.to_string();
            serde_json::json!({ "name": a.name, "value": value, "text": a.text, "source": a.source })
        });
        let readings: Vec<String> = self
            .loaded
            .ruleset
            .readings
            .iter()
            .map(ToString::to_string)
            .collect();
        serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "rules": self.loaded.ruleset.id.to_string(),
            "title": self.loaded.ruleset.title.to_string(),
            "about": self.loaded.ruleset.about.to_string(),
            "variants": self.loaded.variant_names(),
            "procedures": procedures.collect::<Vec<_>>(),
            "readings": readings,
            "assumptions": assumptions.collect::<Vec<_>>(),
            "contradictions": self.stated("contradictions"),
            "gaps": self.stated("gaps"),
        })
    }
}

pub(super) fn variant_facts(document: &mut Document, loaded: &LoadedRuleset) {
    for variant in loaded.tables.variants() {
        let changes = changes_text(&variant.changes);
        document.fact(
            &format!("variant {}", variant.name),
            format!("changes {changes}"),
        );
    }
}

/// Every table as printed.
#[derive(Debug)]
pub struct PrintedTables {
    title: String,
    variants: Vec<String>,
    grids: Vec<Grid>,
    lists: Vec<List>,
    /// What is printed where a variant says something else: the entry, its row, its column, the text.
    changed: Vec<(String, String, String, String)>,
}

/// What points from a cell to the note that says it is not as printed.
const CHANGED: &str = "†";

impl PrintedTables {
    /// Reads them.
    ///
    /// # Errors
    /// If one is incomplete.
    pub fn new(loaded: &LoadedRuleset) -> Result<Self, RuleError> {
        let tables = &loaded.tables;
        let grids = tables
            .grid_names()
            .into_iter()
            .map(|name| tables.grid(&name));
        let lists = tables
            .list_names()
            .into_iter()
            .map(|name| tables.list(&name));
        let mut all = PrintedTables {
            title: format!("{}: the printed tables", loaded.ruleset.id),
            variants: loaded.variant_names(),
            grids: grids.collect::<Result<_, _>>()?,
            lists: lists.collect::<Result<_, _>>()?,
            changed: Vec::new(),
        };
        if !all.variants.is_empty() {
            all.changed = all.changes(&loaded.ruleset.load(&[])?)?;
        }
        Ok(all)
    }

    /// Every cell that is not as in the original.
    fn changes(
        &self,
        original: &LoadedRuleset,
    ) -> Result<Vec<(String, String, String, String)>, RuleError> {
        let mut changed = Vec::new();
        for grid in &self.grids {
            let printed = original.tables.grid(&grid.name)?;
            for ((label, cells), (_, before)) in grid.rows.iter().zip(&printed.rows) {
                for ((column, cell), old) in grid.columns.iter().zip(cells).zip(before) {
                    if cell != old {
                        let place = (grid.name.clone(), label.clone(), column.clone());
                        changed.push((place.0, place.1, place.2, old.clone()));
                    }
                }
            }
        }
        for list in &self.lists {
            let printed = original.tables.list(&list.name)?;
            for ((key, value), (_, old)) in list.values.iter().zip(&printed.values) {
                if value != old {
                    changed.push((list.name.clone(), key.clone(), String::new(), old.clone()));
                }
            }
        }
        Ok(changed)
    }

    /// A cell, marked if it is not as printed.
    fn cell(&self, name: &str, row: &str, column: &str, text: &str) -> Cell {
        let here = |(n, r, c, _): &&(String, String, String, String)| {
            *n == *name && *r == *row && *c == *column
        };
        match self.changed.iter().find(here) {
            None => Cell::text(text),
            Some((.., old)) => Cell::text(text)
                .marked(CHANGED)
                .remark(format!("printed: {old}")),
        }
    }
}

impl Report for PrintedTables {
    fn document(&self) -> Document {
        let mut document = Document::new(&self.title);
        document.fact("variants", self.variants.join(", "));
        let heading = |name: &str, title: &str, source: &str| format!("{name}: {title} [{source}]");
        for grid in &self.grids {
            let columns = grid.columns.iter().map(Column::number);
            let mut table = Table::new([Column::words(&grid.corner)].into_iter().chain(columns));
            for (label, cells) in &grid.rows {
                let cells = grid.columns.iter().zip(cells);
                let cells = cells.map(|(column, cell)| self.cell(&grid.name, label, column, cell));
                table.row([Cell::text(label)].into_iter().chain(cells));
            }
            document.block(heading(&grid.name, &grid.title, &grid.source), table);
        }
        for list in &self.lists {
            let mut table = Table::new([Column::words(""), Column::number("value")]);
            for (key, value) in &list.values {
                table.row([Cell::text(key), self.cell(&list.name, key, "", value)]);
            }
            document.block(heading(&list.name, &list.title, &list.source), table);
        }
        for (name, row, column, old) in &self.changed {
            let column = if column.is_empty() {
                String::new()
            } else {
                format!(" {column}")
            };
            document
                .notes
                .push(format!("{CHANGED} {name}, {row}{column}: printed {old}"));
        }
        document
    }

    fn data(&self) -> serde_json::Value {
        let grids = self.grids.iter().map(|grid| {
            serde_json::json!({
                "name": grid.name, "title": grid.title, "source": grid.source,
                "corner": grid.corner, "columns": grid.columns, "rows": grid.rows,
            })
        });
        let changed = self.changed.iter().map(|(name, row, column, printed)| {
            serde_json::json!({"name": name, "row": row, "column": column, "printed": printed})
        });
        let lists = self.lists.iter().map(|list| {
            serde_json::json!({
                "name": list.name, "title": list.title, "source": list.source, "values": list.values,
            })
        });
        serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "variants": self.variants,
            "changed": changed.collect::<Vec<_>>(),
            "tables": grids.collect::<Vec<_>>(),
            "lists": lists.collect::<Vec<_>>(),
        })
    }
}
