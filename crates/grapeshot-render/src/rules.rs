//! Rulesets as documentation: what is printed, read and assumed.

use super::changes::changes_text;
use super::records::record;
use super::{Body, Cell, Column, Document, Report, Table};
use grapeshot_charts::Style;
use grapeshot_engine::object;
use grapeshot_rules::{Assumption, Decision, Grid, List, LoadedRuleset, Procedure, RuleError};
use serde::{Serialize, Serializer};

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
}

impl Serialize for RulesetList<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object!(to; "rulesets": self.0.iter().map(RulesetData::of).collect::<Vec<_>>())
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
    decided: Vec<Decision>,
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
            decided: loaded.decisions()?,
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
        let command = self.loaded.ruleset.as_command();
        let decided = self.decided.iter().map(|procedure| {
            let (name, about) = (&procedure.procedure.name, &procedure.procedure.about);
            format!("{name}: {about}")
        });
        let decided: Vec<String> = decided.collect();
        if !decided.is_empty() {
            document.block(
                format!("what can be decided (grapeshot decide {command})"),
                decided,
            );
        }
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
        let columns = "procedure=name composed about source";
        let procedures = self.loaded.procedures.iter();
        let procedures = procedures.map(|procedure| record(&InShort(procedure)));
        document.data("procedures", Table::of_records(columns, procedures));
        document
    }
}

impl Serialize for RulesetPage<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let ruleset = &self.loaded.ruleset;
        let readings = ruleset.readings.iter();
        object!(to;
            "rules": *ruleset.id,
            "title": *ruleset.title,
            "about": *ruleset.about,
            "variants": self.loaded.variant_names(),
            "procedures": self.loaded.procedures.iter().map(InShort).collect::<Vec<_>>(),
            "decisions": self.decided.iter().map(|d| InShort(&d.procedure)).collect::<Vec<_>>(),
            "readings": readings.map(|reading| &**reading).collect::<Vec<_>>(),
            "assumptions": self.assumptions,
            "contradictions": self.stated("contradictions"),
            "gaps": self.stated("gaps"),
        )
    }
}

/// A procedure among others.
struct InShort<'a>(&'a Procedure);

impl Serialize for InShort<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Procedure {
            name,
            composed,
            about,
            source,
            ..
        } = self.0;
        object!(to; "name": **name, "composed": composed, "about": **about, "source": **source)
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
#[derive(Debug, Serialize)]
pub struct PrintedTables {
    #[serde(skip)]
    title: String,
    variants: Vec<String>,
    changed: Vec<Changed>,
    #[serde(rename = "tables")]
    grids: Vec<Grid>,
    lists: Vec<List>,
}

/// What is printed where a variant says something else.
#[derive(Debug, Serialize)]
struct Changed {
    /// The table or list.
    name: String,
    row: String,
    /// The column; none in a list.
    column: String,
    printed: String,
}

/// What points from a cell to the note that says it is not as printed.
const CHANGED: &str = "†";

impl PrintedTables {
    /// Only those that a text names.
    #[must_use]
    pub fn named_in(mut self, text: &str) -> Self {
        let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let words: Vec<&str> = text.split(|c: char| !letter(c)).collect();
        self.grids
            .retain(|grid| words.contains(&grid.name.as_str()));
        self.lists
            .retain(|list| words.contains(&list.name.as_str()));
        self
    }

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

    /// Each table as a spreadsheet, under its name.
    pub fn spreadsheets(&self, style: &Style) -> Vec<(String, String)> {
        let mut document = self.document();
        document.restyle(style);
        let tables = document.blocks.into_iter().map(|block| {
            let mut alone = Document::new("");
            let name = block.name.clone();
            alone.blocks.push(block);
            (name, super::csv(&alone))
        });
        tables.collect()
    }

    /// Every cell that is not as in the original.
    fn changes(&self, original: &LoadedRuleset) -> Result<Vec<Changed>, RuleError> {
        let mut changed = Vec::new();
        let mut note = |name: &str, row: &str, column: &str, printed: &str| {
            let [name, row, column, printed] = [name, row, column, printed].map(str::to_owned);
            changed.push(Changed {
                name,
                row,
                column,
                printed,
            });
        };
        for grid in &self.grids {
            let printed = original.tables.grid(&grid.name)?;
            for ((label, cells), (_, before)) in grid.rows.iter().zip(&printed.rows) {
                for ((column, cell), old) in grid.columns.iter().zip(cells).zip(before) {
                    if cell != old {
                        note(&grid.name, label, column, old);
                    }
                }
            }
        }
        for list in &self.lists {
            let printed = original.tables.list(&list.name)?;
            for ((key, value), (_, old)) in list.values.iter().zip(&printed.values) {
                if value != old {
                    note(&list.name, key, "", old);
                }
            }
        }
        Ok(changed)
    }

    /// A cell, marked if it is not as printed.
    fn cell(&self, name: &str, row: &str, column: &str, text: &str) -> Cell {
        let here = |c: &&Changed| c.name == name && c.row == row && c.column == column;
        match self.changed.iter().find(here) {
            None => Cell::text(text),
            Some(changed) => Cell::text(text)
                .marked(CHANGED)
                .remark(format!("printed: {}", changed.printed)),
        }
    }
}

impl Report for PrintedTables {
    fn document(&self) -> Document {
        let mut document = Document::new(&self.title);
        document.fact("variants", self.variants.join(", "));
        let heading = |title: &str, source: &str| format!("{title} [{source}]");
        for grid in &self.grids {
            let columns = grid.columns.iter().map(Column::number);
            let mut table = Table::new([Column::words(&grid.corner)].into_iter().chain(columns));
            for (label, cells) in &grid.rows {
                let cells = grid.columns.iter().zip(cells);
                let cells = cells.map(|(column, cell)| self.cell(&grid.name, label, column, cell));
                table.row([Cell::text(label)].into_iter().chain(cells));
            }
            document.block(heading(&grid.title, &grid.source), table);
            document.called(&grid.name);
        }
        for list in &self.lists {
            let mut table = Table::new([Column::words(""), Column::number("value")]);
            for (key, value) in &list.values {
                table.row([Cell::text(key), self.cell(&list.name, key, "", value)]);
            }
            document.block(heading(&list.title, &list.source), table);
            document.called(&list.name);
        }
        for changed in &self.changed {
            let Changed {
                name,
                row,
                column,
                printed,
            } = changed;
            let place = format!("{row} {column}");
            let place = place.trim_end();
            (document.notes).push(format!("{CHANGED} {name}, {place}: printed {printed}"));
        }
        document
    }
}
