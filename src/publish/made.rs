//! Files whose names the program chooses in a folder that is not its own: charts in `--charts DIR`, the pages of a
//! report, what stands beside a sheet.
//!
//! It must not overwrite somebody else's, so it keeps a list of its own there: a text file, a name a line. It is only ever
//! added to, before a file is written, so that neither a kill nor two commands at once can lose a name.

use super::file::{self, WriteError, at};
use super::folder::OutFile;
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::Path;

/// The name of the list.
pub const LIST: &str = ".grapeshot";

/// How the list begins; what does not is none.
const HEAD: &str = "# Made here by grapeshot, which may write it again; it overwrites nothing that is not in this list.\n";

/// More is not read of a list.
const MOST_BYTES: u64 = 1 << 24;

/// What the program has made in a folder. Nothing if there is no list.
pub(super) fn listed(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut text = String::new();
    match std::fs::File::open(folder.join(LIST)) {
        Ok(list) => list.take(MOST_BYTES).read_to_string(&mut text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(error),
    };
    match text.strip_prefix(HEAD) {
        Some(names) => Ok(names.lines().map(str::to_owned).collect()),
        None if text.is_empty() => Ok(BTreeSet::new()),
        None => Err(io::Error::other(
            "it is there, and is no list of grapeshot's",
        )),
    }
}

/// Makes sure that files of these names may be written: there is none, or it was made here.
///
/// # Errors
/// Names the first that is somebody else's.
pub fn check<'a>(
    folder: &Path,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<(), WriteError> {
    let listed = listed(folder).map_err(at(&folder.join(LIST)))?;
    for name in names {
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() && !listed.contains(name) {
            let problem = format!(
                "it is there already, and grapeshot did not make it (what it made is listed in {LIST} beside it); \
                 move it away, or choose another folder"
            );
            return Err(at(&path)(io::Error::new(
                io::ErrorKind::AlreadyExists,
                problem,
            )));
        }
    }
    Ok(())
}

/// Lists names, those that are not listed yet.
pub(super) fn list(
    folder: &Path,
    names: impl IntoIterator<Item = String>,
) -> Result<(), WriteError> {
    let path = folder.join(LIST);
    let known = listed(folder).map_err(at(&path))?;
    let names: BTreeSet<String> = names.into_iter().collect();
    let mut text: String = names
        .difference(&known)
        .map(|name| format!("{name}\n"))
        .collect();
    if text.is_empty() {
        return Ok(());
    }
    let add = |text: &mut String| -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut into = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)?;
        if into.metadata()?.len() == 0 {
            text.insert_str(0, HEAD);
        }
        into.write_all(text.as_bytes())
    };
    add(&mut text).map_err(at(&path))
}

/// Writes files under names that the program chose; none, if one of them would take the place of somebody else's.
///
/// # Errors
/// Names the file that was not written.
pub fn write(folder: &Path, files: &[OutFile]) -> Result<(), WriteError> {
    check(folder, files.iter().map(|file| file.name.as_str()))?;
    list(folder, files.iter().map(|file| file.name.clone()))?;
    for file in files {
        let path = folder.join(&file.name);
        file::write_file(&path, &file.bytes).map_err(at(&path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> Vec<OutFile> {
        let files = ["a.svg", "b.svg"].map(|name| OutFile {
            name: name.into(),
            bytes: text.into(),
        });
        files.into()
    }

    #[test]
    fn what_was_made_is_written_again_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let read = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
        write(place.path(), &drawn("1")).unwrap();
        write(place.path(), &drawn("2")).unwrap();
        assert_eq!((read("a.svg"), read("b.svg")), ("2".into(), "2".into()));
        assert_eq!(read(LIST), format!("{HEAD}a.svg\nb.svg\n"));

        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("b.svg"), "mine").unwrap();
        let refused = write(place.path(), &drawn("1")).unwrap_err();
        assert!(refused.path.ends_with("b.svg"), "{refused}");
        assert!(!place.path().join("a.svg").exists(), "nothing is written");
        std::fs::write(place.path().join(LIST), "mine").unwrap();
        let refused = write(place.path(), &drawn("1")).unwrap_err();
        assert!(refused.path.ends_with(LIST), "{refused}");
    }
}
