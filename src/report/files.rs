//! Charts as files: drawn whole, written beside their place, then put into it, so that a reader
//! never meets half a picture.

use super::charts::{self, Chart};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a chart as `STEM.svg` and `STEM.png` and says where.
///
/// # Errors
/// If the chart cannot be drawn or a file cannot be written.
pub fn save_chart(dir: &Path, stem: &str, chart: &Chart) -> anyhow::Result<Vec<PathBuf>> {
    let svg = charts::svg(chart)?;
    let png = charts::png(chart)?;
    let both = [("svg", svg.into_bytes()), ("png", png)];
    both.into_iter()
        .map(|(ending, bytes)| {
            let path = dir.join(format!("{stem}.{ending}"));
            save(&path, &bytes)?;
            Ok(path)
        })
        .collect()
}

/// Writes a file in one stroke.
///
/// # Errors
/// If it cannot be written.
pub fn save(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let named = |error: std::io::Error| anyhow::anyhow!("{}: {error}", path.display());
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder
        .tempfile_in(dir.unwrap_or(Path::new(".")))
        .map_err(named)?;
    file.write_all(bytes).map_err(named)?;
    file.persist(path).map_err(|error| named(error.error))?;
    Ok(())
}
