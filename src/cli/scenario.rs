//! Files beside the words: scenarios, fights and variants.

use clap::Args;
use grapeshot_rules::fight::{RawSettings, Side};
use grapeshot_rules::{Labels, RuleError, Variant, read_text};
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
    let said = file.typed(words)?;
    Ok(RawSettings {
        unit: from.unit,
        ..said
    })
}

/// A path as it is typed again.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Reads variant files.
pub fn variants(paths: &[PathBuf]) -> Result<Vec<Variant>, RuleError> {
    Variant::read_all(paths)
}
