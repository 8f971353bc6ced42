//! Output folders: written aside, checked against their manifest, put in place by renaming.
//!
//! A folder is made whole beside its place and exchanged with the old one by two renames. A run that
//! is killed leaves the old folder or the new one; at worst (between the two renames) the old one
//! under its aside name, from where the next run takes it back.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// A file of a folder in the making.
#[derive(Debug, Clone)]
pub struct OutFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// The name of the manifest.
pub const MANIFEST: &str = "manifest.json";

/// A SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Writes one file so that a reader sees the old one or the new one.
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
    io::Write::write_all(&mut aside, bytes)?;
    set_readable(aside.path())?;
    aside.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Makes sure that a file can be written, before any work is done.
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
fn end_of_links(path: &Path) -> PathBuf {
    match path.is_symlink() {
        true => std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
        false => path.to_owned(),
    }
}

/// A device or a pipe is written into; a renamed file would take its place.
fn is_no_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// What files in the making are called, so that the next run knows what a killed one left.
const UNFINISHED: &str = ".grapeshot-";

fn unfinished(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(folder)
}

/// Temporary files are private; a report is for everybody.
fn set_readable(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

fn aside(folder: &Path, what: &str) -> PathBuf {
    let name = folder
        .file_name()
        .map_or("report".into(), |name| name.to_string_lossy().into_owned());
    folder.with_file_name(format!(".{name}.{what}"))
}

/// Replaces a folder by these files and a manifest that lists them.
///
/// # Errors
/// If something cannot be written; the old folder is then still in place.
pub fn replace(folder: &Path, files: &[OutFile], mut manifest: Value) -> io::Result<()> {
    let (new, old) = (aside(folder, "new"), aside(folder, "old"));
    settle(folder)?;
    std::fs::create_dir_all(&new)?;
    let mut listed = serde_json::Map::new();
    for file in files {
        std::fs::write(new.join(&file.name), &file.bytes)?;
        listed.insert(file.name.clone(), json!(sha256(&file.bytes)));
    }
    manifest["files"] = Value::Object(listed);
    std::fs::write(new.join(MANIFEST), format!("{manifest:#}\n"))?;
    if folder.exists() {
        std::fs::rename(folder, &old)?;
    }
    std::fs::rename(&new, folder)?;
    if old.exists() {
        std::fs::remove_dir_all(&old)?;
    }
    Ok(())
}

/// Ends what a killed run began: the old folder goes back to its place if nothing has taken it, and
/// what is left aside goes. To be done before a folder is judged, too: one that is up to date is not
/// replaced, and would keep the left-overs beside it for ever.
///
/// # Errors
/// If something cannot be moved or removed.
pub fn settle(folder: &Path) -> io::Result<()> {
    let (new, old) = (aside(folder, "new"), aside(folder, "old"));
    if old.exists() && !folder.exists() {
        std::fs::rename(&old, folder)?;
    }
    for left in [new, old] {
        if left.exists() {
            std::fs::remove_dir_all(&left)?;
        }
    }
    Ok(())
}

/// Whether a folder holds just what a run with this fingerprint would make: the manifest says so and
/// every file is there, unchanged.
pub fn is_up_to_date(folder: &Path, fingerprint: &str) -> bool {
    let read = || -> Option<bool> {
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(folder.join(MANIFEST)).ok()?).ok()?;
        if manifest["fingerprint"].as_str()? != fingerprint {
            return Some(false);
        }
        let files = manifest["files"].as_object()?;
        Some(files.iter().all(|(name, hash)| {
            let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
            hash.as_str() == Some(sha256(&bytes).as_str())
        }))
    };
    read().unwrap_or(false)
}

/// Makes sure files can be written here, before any work is done.
///
/// # Errors
/// If they cannot.
pub fn check_writable(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    unfinished(folder).map(drop)
}

/// A folder that one run writes into, for as long as this lives; the system gives it up for a run
/// that is killed.
#[derive(Debug)]
pub struct Claim {
    _folder: Option<std::fs::File>,
}

/// Takes a folder for this run alone, and clears away what a killed one left in it.
///
/// # Errors
/// If it cannot be written, or another run is writing into it.
pub fn claim(folder: &Path) -> io::Result<Claim> {
    check_writable(folder)?;
    // Folders can be opened, and so locked, on Unix only.
    let held = match cfg!(unix) {
        false => None,
        true => {
            let opened = std::fs::File::open(folder)?;
            match opened.try_lock() {
                Ok(()) => Some(opened),
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(io::Error::new(
                        io::ErrorKind::ResourceBusy,
                        "another run is writing into it; wait for it, or choose another --out",
                    ));
                }
                // A file system without locks.
                Err(std::fs::TryLockError::Error(_)) => None,
            }
        }
    };
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        if is_ours && entry.file_type()?.is_file() {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(Claim { _folder: held })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> OutFile {
        OutFile {
            name: name.into(),
            bytes: text.into(),
        }
    }

    #[test]
    fn a_folder_is_replaced_whole_and_knows_whether_it_is_up_to_date() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        replace(
            &folder,
            &[file("a.csv", "1"), file("b.csv", "2")],
            json!({"fingerprint": "x"}),
        )
        .unwrap();
        assert!(is_up_to_date(&folder, "x"));
        assert!(!is_up_to_date(&folder, "y"));
        replace(&folder, &[file("a.csv", "3")], json!({"fingerprint": "y"})).unwrap();
        assert!(
            !folder.join("b.csv").exists(),
            "nothing of the old folder is left"
        );
        std::fs::write(folder.join("a.csv"), "tampered").unwrap();
        assert!(!is_up_to_date(&folder, "y"));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_claimed_by_one_run_and_cleared_of_what_another_left() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join(".grapeshot-abc"), "half").unwrap();
        std::fs::write(place.path().join("mine.txt"), "mine").unwrap();
        let first = claim(place.path()).unwrap();
        let second = claim(place.path()).unwrap_err();
        assert!(second.to_string().contains("another run"), "{second}");
        drop(first);
        claim(place.path()).unwrap();
        let left: Vec<_> = std::fs::read_dir(place.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, ["mine.txt"]);
    }

    #[test]
    fn a_run_killed_between_the_renames_is_recovered_from() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        replace(&folder, &[file("a.csv", "1")], json!({"fingerprint": "x"})).unwrap();
        std::fs::rename(&folder, aside(&folder, "old")).unwrap();
        settle(&folder).unwrap();
        assert!(is_up_to_date(&folder, "x"));
    }

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
        // One that leads nowhere is replaced.
        let nowhere = place.path().join("nowhere.csv");
        symlink(place.path().join("gone"), &nowhere).unwrap();
        write_file(&nowhere, b"new").unwrap();
        assert_eq!(std::fs::read(&nowhere).unwrap(), b"new");
    }

    #[test]
    fn a_run_killed_while_it_cleared_away_is_cleared_up_after() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        replace(&folder, &[file("a.csv", "2")], json!({"fingerprint": "y"})).unwrap();
        for what in ["old", "new"] {
            std::fs::create_dir(aside(&folder, what)).unwrap();
            std::fs::write(aside(&folder, what).join("a.csv"), "1").unwrap();
        }
        settle(&folder).unwrap();
        assert!(is_up_to_date(&folder, "y"));
        let left: Vec<_> = std::fs::read_dir(place.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, ["study"]);
    }
}
