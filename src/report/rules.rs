//! Rulesets as documentation: everything that can be set, reported, printed and assumed.

use super::text::{columns, wrap};
use crate::dist::Kind;
use crate::rules::{Grid, List, Loaded, Procedure, RuleError, Ruleset};

/// All rulesets, a line each.
pub fn ruleset_list(rulesets: &[Loaded]) -> String {
    let mut out = String::new();
    for loaded in rulesets {
        let Ruleset {
            id, title, about, ..
        } = &*loaded.ruleset;
        let procedures: Vec<&str> = loaded.procedures.iter().map(|p| &*p.name).collect();
        out += &format!(
            "{id}: {title}\n{}{}\n",
            wrap(about, 96, "  "),
            wrap(&format!("procedures: {}", procedures.join(", ")), 96, "  ")
        );
    }
    out += "More: grapeshot rules RULES, grapeshot rules RULES PROCEDURE, grapeshot rules RULES --tables\n";
    out
}

/// A ruleset: procedures, readings, assumptions, tables.
///
/// # Errors
/// If an assumption is incomplete.
pub fn ruleset_page(loaded: &Loaded) -> Result<String, RuleError> {
    let Ruleset {
        id,
        title,
        about,
        readings,
        ..
    } = &*loaded.ruleset;
    let mut out = format!("{id}: {title}\n{}", wrap(about, 96, "  "));
    for variant in loaded.tables.variants() {
        out += &format!(
            "  variant {}: changes {}\n",
            variant.name,
            variant.changes.join(", ")
        );
    }
    out += "\nprocedures\n";
    for procedure in &loaded.procedures {
        let composed = if procedure.composed {
            " (composed)"
        } else {
            ""
        };
        out += &wrap(
            &format!("{}{composed}: {}", procedure.name, procedure.about),
            96,
            "  ",
        );
    }
    out += "\nhow the source is read\n";
    for reading in readings {
        out += &wrap(&format!("- {reading}"), 96, "  ");
    }
    let assumptions = loaded.tables.assumptions()?;
    if !assumptions.is_empty() {
        out += "\nassumptions (a variant may change them)\n";
        for a in assumptions {
            out += &wrap(
                &format!("{} = {}: {} [{}]", a.name, a.value, a.text, a.source),
                96,
                "  ",
            );
        }
    }
    out += &stated(loaded);
    out += "\ntables (grapeshot rules ";
    out += &format!("{id} --tables prints them, --toml gives the file a variant starts from)\n");
    for name in loaded.tables.grid_names() {
        let grid = loaded.tables.grid(&name)?;
        out += &format!("  {name}: {} [{}]\n", grid.title, grid.source);
    }
    for name in loaded.tables.list_names() {
        let list = loaded.tables.list(&name)?;
        out += &format!("  {name}: {} [{}]\n", list.title, list.source);
    }
    Ok(out)
}

/// What the source says twice, and what it leaves open.
fn stated(loaded: &Loaded) -> String {
    let mut out = String::new();
    for (section, heading) in [
        ("contradictions", "where the source contradicts itself"),
        ("gaps", "what the source leaves open"),
    ] {
        let entries = loaded.tables.section(section).into_iter().flatten();
        let lines: Vec<String> = entries
            .filter(|(_, entry)| entry.get("settled").and_then(|s| s.as_bool()) != Some(true))
            .filter_map(|(_, entry)| {
                let words = |key: &str| entry.get(key).and_then(|text| text.as_str());
                let line = format!("- {} [{}]", words("text")?, words("source")?);
                Some(wrap(&line, 96, "  "))
            })
            .collect();
        if !lines.is_empty() {
            out += &format!("\n{heading}\n{}", lines.concat());
        }
    }
    out
}

/// A procedure: settings and variables.
pub fn procedure_page(loaded: &Loaded, procedure: &Procedure) -> String {
    let composed = if procedure.composed {
        " (composed: the source prints only its parts)"
    } else {
        ""
    };
    let mut out = format!(
        "{} {}{composed}: {}\nsource: {}\n\nsettings\n",
        loaded.ruleset.id, procedure.name, procedure.about, procedure.source
    );
    for setting in &procedure.settings {
        out += &format!("  {} = {}\n", setting.key, setting.default_text());
        out += &wrap(
            &format!("{} ({})", setting.meaning, setting.kind.allowed()),
            96,
            "      ",
        );
        if !setting.source.is_empty() {
            out += &format!("      source: {}\n", setting.source);
        }
    }
    out += "\nvariables, headline first\n";
    for variable in &procedure.variables {
        out += &format!(
            "  {} ({}): {}\n",
            variable.name,
            variable.kind_name(),
            variable.meaning
        );
        if let Kind::Category(labels) = &variable.kind {
            out += &wrap(&labels.join(" | "), 96, "      ");
        }
    }
    for note in &procedure.notes {
        out += &wrap(&format!("note: {note}"), 96, "  ");
    }
    out += &format!(
        "\nexample: grapeshot odds {} {}\n",
        loaded.ruleset.id, procedure.name
    );
    out
}

/// Every table as printed.
///
/// # Errors
/// If one is incomplete.
pub fn tables_page(loaded: &Loaded) -> Result<String, RuleError> {
    let mut out = String::new();
    for name in loaded.tables.grid_names() {
        out += &grid_text(&loaded.tables.grid(&name)?);
        out.push('\n');
    }
    for name in loaded.tables.list_names() {
        out += &list_text(&loaded.tables.list(&name)?);
        out.push('\n');
    }
    Ok(out)
}

fn grid_text(grid: &Grid) -> String {
    let mut rows = vec![
        [grid.corner.clone()]
            .into_iter()
            .chain(grid.columns.clone())
            .collect(),
    ];
    for (label, cells) in &grid.rows {
        rows.push([label.clone()].into_iter().chain(cells.clone()).collect());
    }
    format!(
        "{}: {}\n[{}]\n{}",
        grid.name,
        grid.title,
        grid.source,
        columns(&rows)
    )
}

fn list_text(list: &List) -> String {
    let rows: Vec<Vec<String>> = list
        .values
        .iter()
        .map(|(key, value)| vec![key.clone(), value.clone()])
        .collect();
    format!(
        "{}: {}\n[{}]\n{}",
        list.name,
        list.title,
        list.source,
        columns(&rows)
    )
}
