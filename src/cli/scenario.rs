//! Files beside the words: scenarios, fights and variants.

use clap::Args;
use grapeshot_rules::fight::{RawSettings, Side};
use grapeshot_rules::{Given, Labels, RuleError, Variant, read_text};
use grapeshot_study::roster::{Roster, Unit, read_rosters};
use std::path::{Path, PathBuf};

/// A file beside the words, for every command that takes words.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// A fight to ask about (grapeshot rules RULES --fight prints one), or a scenario: `rules`,
    /// `procedure` and a [settings] table; KEY=VALUE beats it
    #[arg(long, value_name = "FIGHT.toml")]
    pub file: Option<PathBuf>,
    /// The side that a procedure about one unit is asked of [default: attacker]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    pub unit: Option<Side>,
    /// Units by name, which attacker=NAME and defender=NAME then put on their side; the file that
    /// grapeshot field and the page take (repeatable)
    #[arg(long, value_name = "ROSTER.toml")]
    pub roster: Vec<PathBuf>,
}

fn side(text: &str) -> Result<Side, String> {
    Side::from_label(text).ok_or_else(|| format!("allowed is {}", Side::LABELS.join(" or ")))
}

/// What words and an optional file say together.
pub fn said(words: &[String], from: &FileArgs) -> Result<RawSettings, RuleError> {
    let file = match &from.file {
        Some(path) => RawSettings::file(&shown(path), &read_text(path)?)?,
        None => RawSettings::default(),
    };
    let mut said = file.typed(words)?;
    if !from.roster.is_empty() {
        muster(&mut said, &read_rosters(&from.roster, &[])?)?;
    }
    Ok(RawSettings {
        unit: from.unit,
        ..said
    })
}

/// Puts the units that are named on their sides.
fn muster(said: &mut RawSettings, rosters: &[Roster]) -> Result<(), RuleError> {
    let (named, words): (Given, Given) = std::mem::take(&mut said.words)
        .into_iter()
        .partition(|(key, _)| Side::from_label(key).is_some());
    said.words = words;
    for (side, name) in named {
        let name = name.to_string();
        let units = rosters
            .iter()
            .flat_map(|r| r.units.iter().map(move |unit| (r, unit)));
        let of_rules = |unit: &Unit| said.rules.as_ref().is_none_or(|rules| *rules == unit.rules);
        let mut all: Vec<(&Roster, &Unit)> = units.filter(|(_, unit)| unit.name == name).collect();
        // Rosters of several rulesets may name a unit alike.
        all.sort_by_key(|(_, unit)| !of_rules(unit));
        let Some((roster, unit)) = all.first() else {
            let names = rosters.iter().flat_map(|roster| &roster.units);
            let names = names.map(|unit| unit.name.clone());
            return Err(RuleError::unknown("unit", &name, names));
        };
        let side = Side::from_label(&side).expect("it was asked for");
        said.stand(side, (&name, &unit.rules), &unit.settings, &roster.text)?;
    }
    Ok(())
}

/// A path as it is typed again.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Reads variant files.
pub fn variants(paths: &[PathBuf]) -> Result<Vec<Variant>, RuleError> {
    Variant::read_all(paths)
}
