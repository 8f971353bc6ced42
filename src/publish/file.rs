//! Single files: written aside and renamed, so that a reader sees the old one or the new one.
//!
//! A new file has the mode that the umask leaves it, one that takes the place of another has that one's. What replaces
//! a file is on the disk before the rename, for else a power cut could cost both; a new one is not waited for. A
//! file in the making is locked: what carries such a name and is not locked was left by a run that was killed.

use std::io;
use std::path::{Path, PathBuf};

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", path.display())]
pub struct WriteError {
    /// The file or folder.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// Says of which file an error is.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    |error| WriteError { path, error }
}

/// Writes a file in place of what may be there.
///
/// # Errors
/// If the folder cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &end_of_links(path);
    if is_no_file(path) {
        let mut into = std::fs::OpenOptions::new().write(true).open(path)?;
        return io::Write::write_all(&mut into, bytes);
    }
    let folder = folder_of(path);
    std::fs::create_dir_all(folder)?;
    let mut aside = unfinished(folder)?;
    let old = std::fs::metadata(path).ok();
    if let Some(old) = &old {
        keep_mode(aside.path(), old)?;
    }
    io::Write::write_all(&mut aside, bytes)?;
    if old.is_some() {
        aside.as_file().sync_all()?;
    }
    aside.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a file where there is none.
///
/// # Errors
/// If there is one, or the folder cannot be written.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    check_new(path)?;
    let folder = folder_of(path);
    std::fs::create_dir_all(folder)?;
    let mut aside = unfinished(folder)?;
    io::Write::write_all(&mut aside, bytes)?;
    match aside.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(is_there()),
        Err(error) => Err(error.error),
    }
}

/// Makes sure that nothing has this name, not even a link that leads nowhere, and that it can be written.
///
/// # Errors
/// If something has it, or it cannot.
pub fn check_new(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(_) => Err(is_there()),
        Err(_) => check_writable(folder_of(path)),
    }
}

fn is_there() -> io::Error {
    let problem = "it is there already, and is not overwritten";
    io::Error::new(io::ErrorKind::AlreadyExists, problem)
}

/// Makes sure that a file can be written, before any work is done. What a killed run left beside it goes.
///
/// # Errors
/// If it cannot.
pub fn check_file(path: &Path) -> io::Result<()> {
    let path = &end_of_links(path);
    match is_no_file(path) {
        true => Ok(()),
        false => check_writable(folder_of(path)),
    }
}

/// A link stays a link: what it leads to is written.
pub(super) fn end_of_links(path: &Path) -> PathBuf {
    match path.is_symlink() {
        true => std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
        false => path.to_owned(),
    }
}

/// A device or a pipe is written into; a renamed file would take its place.
fn is_no_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// What files in the making are called.
const UNFINISHED: (&str, &str) = (".grapeshot-", ".unfinished");

/// Whether a file is called as those in the making are.
pub(super) fn is_unfinished(name: &str) -> bool {
    let between = name.strip_prefix(UNFINISHED.0);
    let between = between.and_then(|rest| rest.strip_suffix(UNFINISHED.1));
    between.is_some_and(|drawn| drawn.len() == 6 && drawn.chars().all(|c| c.is_alphanumeric()))
}

/// A file in the making, locked for as long as it is one.
fn unfinished(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    loop {
        let mut named = tempfile::Builder::new();
        named.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The umask takes from it what it takes from any file.
            named.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let aside = named.tempfile_in(folder)?;
        // A file system without locks has no left-overs cleared, either.
        let _ = aside.as_file().lock();
        // Between its making and its lock it looked like a left-over.
        if aside.path().exists() {
            return Ok(aside);
        }
    }
}

/// The mode that something had, for what takes its place.
pub(super) fn keep_mode(path: &Path, old: &std::fs::Metadata) -> io::Result<()> {
    let mode = old.permissions();
    match std::fs::metadata(path)?.permissions() == mode {
        true => Ok(()),
        false => std::fs::set_permissions(path, mode),
    }
}

/// Makes sure files can be written here, before any work is done; no folder is made for that. What a killed run left
/// there goes.
///
/// # Errors
/// If they cannot.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    let there = folder.ancestors().find(|above| above.exists());
    let there = there.unwrap_or(Path::new("."));
    unfinished(there)?;
    // Where the folder is not there yet, a killed run's own look was made above it.
    clear(there)
}

/// Removes files that were left in the making.
pub(super) fn clear(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !is_unfinished(&entry.file_name().to_string_lossy()) || !entry.file_type()?.is_file() {
            continue;
        }
        // Gone, or of another user: not ours to remove.
        let Ok(left) = std::fs::File::open(entry.path()) else {
            continue;
        };
        if left.try_lock().is_ok() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_a_device() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let place = tempfile::tempdir().unwrap();
        let (real, link) = (place.path().join("real.csv"), place.path().join("link.csv"));
        std::fs::write(&real, "old").unwrap();
        symlink(&real, &link).unwrap();
        check_file(&link).unwrap();
        write_file(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        // A link to a device, so that a slip costs the link and not the machine's device.
        let null = place.path().join("null.csv");
        symlink("/dev/null", &null).unwrap();
        write_file(&null, b"new").unwrap();
        assert!(null.is_symlink());
        let device = std::fs::metadata("/dev/null").unwrap();
        assert!(device.file_type().is_char_device());
        // One that leads nowhere is replaced, but not by what must be new.
        let nowhere = place.path().join("nowhere.csv");
        symlink(place.path().join("gone"), &nowhere).unwrap();
        write_new(&nowhere, b"new").unwrap_err();
        write_file(&nowhere, b"new").unwrap();
        assert_eq!(std::fs::read(&nowhere).unwrap(), b"new");
        write_new(&nowhere, b"newer").unwrap_err();
        assert_eq!(std::fs::read(&nowhere).unwrap(), b"new");
    }

    #[test]
    fn what_is_being_written_is_not_taken_for_a_left_over() {
        let place = tempfile::tempdir().unwrap();
        let writing = unfinished(place.path()).unwrap();
        let left = place.path().join(".grapeshot-abc123.unfinished");
        let mine = place.path().join(".grapeshot-backup");
        std::fs::write(&left, "half").unwrap();
        std::fs::write(&mine, "mine").unwrap();
        clear(place.path()).unwrap();
        assert!(writing.path().exists() && mine.exists());
        assert!(!left.exists());
    }

    #[test]
    fn looking_whether_something_can_be_written_makes_no_folder() {
        let place = tempfile::tempdir().unwrap();
        check_file(&place.path().join("deep/er/x.csv")).unwrap();
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
        std::fs::write(place.path().join("file"), "").unwrap();
        check_file(&place.path().join("file/x.csv")).unwrap_err();
    }
}
