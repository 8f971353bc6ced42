//! Output folders: written aside, checked against their manifest, put in place by renaming.
//!
//! A folder is made whole beside its place and exchanged with the old one by two renames. A run that
//! is killed leaves the old folder or the new one; at worst (between the two renames) the old one
//! under its aside name, from where the next run takes it back.
//!
//! Only a folder that a run made is replaced: its manifest names every file in it. Anything else, were it one file among
//! ours, is somebody's, and is refused.

use super::{file, made};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, Read};
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
    hexadecimal(Sha256::digest(bytes).as_slice())
}

/// The SHA-256 of a file, however large it is.
fn file_sha256(path: &Path) -> io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let (mut sum, mut bytes) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(hexadecimal(sum.finalize().as_slice())),
            read => sum.update(&bytes[..read]),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn aside(folder: &Path, what: &str) -> PathBuf {
    let name = folder
        .file_name()
        .map_or("report".into(), |name| name.to_string_lossy().into_owned());
    folder.with_file_name(format!(".{name}.{what}"))
}

/// What is known of a folder.
#[derive(Debug)]
enum Whose {
    /// Nothing is there, or nothing is in it.
    Nobodys,
    /// A run made every file in it: these, and the manifest last.
    Ours(Vec<String>),
    /// Somebody else's, and why.
    Somebodys(String),
}

/// Looks who made a folder: a run, if its manifest, or the list of a report above it, names every file in it. That list
/// knows it by the name it has in its place, wherever it stands now.
fn whose(folder: &Path, place: &Path) -> io::Result<Whose> {
    match folder.symlink_metadata() {
        Ok(data) if data.is_dir() => {}
        Ok(_) => return Ok(Whose::Somebodys("there is a file of that name".into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Whose::Nobodys),
        Err(error) => return Err(error),
    }
    let mut listed = Manifest::read(folder).map_or(Vec::new(), |manifest| {
        let files = manifest.files.into_keys();
        files.chain([MANIFEST.into()]).collect()
    });
    if let Some(name) = place.file_name() {
        let inside = format!("{}/", name.to_string_lossy());
        let above = made::listed(file::folder_of(place)).unwrap_or_default();
        let above = above.iter().filter_map(|name| name.strip_prefix(&inside));
        listed.extend(above.map(str::to_owned));
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() || !(listed.contains(&name) || file::is_unfinished(&name)) {
            return Ok(Whose::Somebodys(format!(
                "it holds `{name}`, which grapeshot did not put there"
            )));
        }
        names.push(name);
    }
    // The manifest goes last: without it nobody would know whose the others are.
    names.sort_by_key(|name| name == MANIFEST);
    Ok(match names.is_empty() {
        true => Whose::Nobodys,
        false => Whose::Ours(names),
    })
}

fn refused(problem: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("{problem}; nothing of it is replaced: move it away, or choose another --out"),
    )
}

/// Makes sure that a folder may be replaced: nothing is there, or a run made all that is. Nothing is changed.
///
/// # Errors
/// If it is somebody else's, or what stands aside while folders are exchanged is.
pub fn check(folder: &Path) -> io::Result<()> {
    let folder = &file::end_of_links(folder);
    if let Whose::Somebodys(problem) = whose(folder, folder)? {
        return Err(refused(&problem));
    }
    for left in [aside(folder, "new"), aside(folder, "old")] {
        if let Whose::Somebodys(problem) = whose(&left, folder)? {
            let problem = format!("{} is in the way: {problem}", left.display());
            return Err(refused(&problem));
        }
    }
    Ok(())
}

/// Removes a folder that a run made, file by file: what came into it since stays, and is an error.
fn remove(folder: &Path, place: &Path) -> io::Result<()> {
    match whose(folder, place)? {
        Whose::Nobodys if !folder.exists() => return Ok(()),
        Whose::Nobodys => {}
        Whose::Ours(names) => {
            for name in names {
                std::fs::remove_file(folder.join(name))?;
            }
        }
        Whose::Somebodys(problem) => return Err(refused(&problem)),
    }
    std::fs::remove_dir(folder)
}

/// Replaces a folder by these files and a manifest that lists them.
///
/// # Errors
/// If the folder is somebody else's, or something cannot be written; the old folder is then still in place.
pub fn replace(folder: &Path, files: &[OutFile], manifest: Value) -> io::Result<()> {
    let folder = &file::end_of_links(folder);
    let (new, old) = (aside(folder, "new"), aside(folder, "old"));
    check(folder)?;
    settle(folder)?;
    if let Err(error) = fill(&new, folder, files, manifest) {
        // What is left of it goes with the next run, if it cannot go now.
        let _ = remove(&new, folder);
        return Err(error);
    }
    if folder.exists() {
        std::fs::rename(folder, &old)?;
    }
    std::fs::rename(&new, folder)?;
    remove(&old, folder)
}

/// Makes a folder with these files, the manifest first, so that a killed run leaves nothing that nobody knows; with the
/// modes of the folder it will replace. The manifest is on the disk before the rename. The other files are not waited
/// for: their checksums tell what a power cut took, and the next run makes it again.
fn fill(new: &Path, old: &Path, files: &[OutFile], mut manifest: Value) -> io::Result<()> {
    std::fs::create_dir_all(new)?;
    let files_listed = files
        .iter()
        .map(|file| (file.name.clone(), json!(sha256(&file.bytes))));
    manifest["files"] = Value::Object(files_listed.collect());
    let place = new.join(MANIFEST);
    file::write_file(&place, format!("{manifest:#}\n").as_bytes())?;
    std::fs::File::open(&place)?.sync_all()?;
    for file in files {
        std::fs::write(new.join(&file.name), &file.bytes)?;
    }
    let names = files.iter().map(|file| file.name.as_str());
    for name in names.chain([MANIFEST]) {
        if let Ok(before) = old.join(name).symlink_metadata()
            && before.is_file()
        {
            file::keep_mode(&new.join(name), &before)?;
        }
    }
    match old.metadata() {
        Ok(before) => file::keep_mode(new, &before),
        Err(_) => Ok(()),
    }
}

/// Ends what a killed run began: the old folder goes back to its place if nothing has taken it, and
/// what is left aside goes, if a run made it. To be done before a folder is judged, too: one that is up to date is not
/// replaced, and would keep the left-overs beside it for ever.
///
/// # Errors
/// If something cannot be moved or removed.
pub fn settle(folder: &Path) -> io::Result<()> {
    let folder = &file::end_of_links(folder);
    let (new, old) = (aside(folder, "new"), aside(folder, "old"));
    if folder.symlink_metadata().is_err() && matches!(whose(&old, folder)?, Whose::Ours(_)) {
        std::fs::rename(&old, folder)?;
    }
    for left in [new, old] {
        match whose(&left, folder)? {
            Whose::Somebodys(_) => {}
            Whose::Nobodys | Whose::Ours(_) => remove(&left, folder)?,
        }
    }
    Ok(())
}

/// More is not read of a manifest.
const MOST_BYTES: u64 = 1 << 24;

/// A manifest as far as it is the same for everything that is written.
#[derive(Debug, Deserialize)]
pub struct Manifest {
    /// Everything the files depend on, as one hash.
    pub fingerprint: String,
    /// The names of the files, all but the manifest's own, with their checksums.
    pub files: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads the manifest of a folder. Nothing if there is none, or it is of another program: ours has checksums, and
    /// names that lead nowhere else.
    pub fn read(folder: &Path) -> Option<Self> {
        let manifest: Manifest = serde_json::from_slice(&manifest_bytes(folder).ok()?).ok()?;
        let is_sum = |text: &str| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
        let is_name = |name: &str| Path::new(name).file_name() == Some(OsStr::new(name));
        let mut files = manifest.files.iter();
        let ours =
            is_sum(&manifest.fingerprint) && files.all(|(name, sum)| is_name(name) && is_sum(sum));
        ours.then_some(manifest)
    }
}

/// The manifest of a folder as it is written.
pub(super) fn manifest_bytes(folder: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let manifest = std::fs::File::open(folder.join(MANIFEST))?;
    manifest.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a folder holds just what a run with this fingerprint would make: the manifest says so and
/// every file is there, unchanged.
pub fn is_up_to_date(folder: &Path, fingerprint: &str) -> bool {
    let Some(manifest) = Manifest::read(folder) else {
        return false;
    };
    let mut files = manifest.files.iter();
    manifest.fingerprint == fingerprint
        && files.all(|(name, sum)| {
            let path = folder.join(name);
            // A device or a pipe has no end to be read to.
            path.metadata().is_ok_and(|data| data.is_file())
                && file_sha256(&path).is_ok_and(|found| found == *sum)
        })
}

/// A folder that one run writes into, for as long as this lives; the system gives it up for a run
/// that is killed.
#[derive(Debug)]
pub struct Claim {
    _folder: Option<std::fs::File>,
    /// Folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
}

impl Drop for Claim {
    /// A run that wrote nothing leaves no folder.
    fn drop(&mut self) {
        for folder in &self.made {
            if std::fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// Takes a folder for this run alone, and clears away what a killed one left in it.
///
/// # Errors
/// If it cannot be written, or another run is writing into it.
pub fn claim(folder: &Path) -> io::Result<Claim> {
    file::check_writable(folder)?;
    let above = folder.ancestors().filter(|p| !p.as_os_str().is_empty());
    let made: Vec<PathBuf> = above
        .take_while(|p| !p.exists())
        .map(Path::to_owned)
        .collect();
    std::fs::create_dir_all(folder)?;
    let mut claim = Claim {
        _folder: None,
        made,
    };
    // Folders can be opened, and so locked, on Unix only.
    claim._folder = match cfg!(unix) {
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
    file::clear(folder)?;
    Ok(claim)
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

    fn made_of(what: &str) -> Value {
        json!({"fingerprint": sha256(what.as_bytes())})
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_is_replaced_whole_and_knows_whether_it_is_up_to_date() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        replace(
            &folder,
            &[file("a.csv", "1"), file("b.csv", "2")],
            made_of("x"),
        )
        .unwrap();
        assert!(is_up_to_date(&folder, &sha256(b"x")));
        assert!(!is_up_to_date(&folder, &sha256(b"y")));
        replace(&folder, &[file("a.csv", "3")], made_of("y")).unwrap();
        assert!(
            !folder.join("b.csv").exists(),
            "nothing of the old folder is left"
        );
        std::fs::write(folder.join("a.csv"), "tampered").unwrap();
        assert!(!is_up_to_date(&folder, &sha256(b"y")));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_claimed_by_one_run_and_cleared_of_what_another_left() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join(".grapeshot-abc123.unfinished"), "half").unwrap();
        std::fs::write(place.path().join("mine.txt"), "mine").unwrap();
        let first = claim(place.path()).unwrap();
        let second = claim(place.path()).unwrap_err();
        assert!(second.to_string().contains("another run"), "{second}");
        drop(first);
        claim(place.path()).unwrap();
        assert_eq!(names(place.path()), ["mine.txt"]);
    }

    #[test]
    fn a_run_killed_between_the_renames_is_recovered_from() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        replace(&folder, &[file("a.csv", "1")], made_of("x")).unwrap();
        std::fs::rename(&folder, aside(&folder, "old")).unwrap();
        settle(&folder).unwrap();
        assert!(is_up_to_date(&folder, &sha256(b"x")));
    }

    #[test]
    fn a_run_killed_while_it_cleared_away_is_cleared_up_after() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        replace(&folder, &[file("a.csv", "2")], made_of("y")).unwrap();
        // Killed among the files of the one, and before there was a manifest in the other.
        let (new, old) = (aside(&folder, "new"), aside(&folder, "old"));
        fill(
            &old,
            &folder,
            &[file("a.csv", "1"), file("b.csv", "1")],
            made_of("x"),
        )
        .unwrap();
        std::fs::remove_file(old.join("a.csv")).unwrap();
        std::fs::create_dir(&new).unwrap();
        std::fs::write(new.join(".grapeshot-abc123.unfinished"), "half").unwrap();
        settle(&folder).unwrap();
        assert!(is_up_to_date(&folder, &sha256(b"y")));
        assert_eq!(names(place.path()), ["study"]);
    }

    #[test]
    fn a_folder_that_somebody_put_something_into_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        let replaced = || replace(&folder, &[file("a.csv", "2")], made_of("y"));
        let refused = |says: &str| {
            let before = names(&folder);
            let said = replaced().unwrap_err().to_string();
            assert!(said.contains(says), "{said}");
            assert_eq!(names(&folder), before);
        };
        // A folder without a manifest, and one of another program.
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("diary.txt"), "dear").unwrap();
        refused("`diary.txt`");
        std::fs::rename(folder.join("diary.txt"), folder.join(MANIFEST)).unwrap();
        let theirs = json!({"fingerprint": "v3", "files": {"a.csv": "1"}});
        std::fs::write(folder.join(MANIFEST), theirs.to_string()).unwrap();
        refused("`manifest.json`");
        std::fs::remove_file(folder.join(MANIFEST)).unwrap();
        // An empty one is nobody's.
        replaced().unwrap();
        std::fs::write(folder.join("diary.txt"), "dear").unwrap();
        refused("`diary.txt`");
        std::fs::remove_file(folder.join("diary.txt")).unwrap();
        std::fs::create_dir(folder.join("deep")).unwrap();
        refused("`deep`");
        std::fs::remove_dir(folder.join("deep")).unwrap();
        // What stands aside may be somebody's, too.
        let old = aside(&folder, "old");
        std::fs::create_dir(&old).unwrap();
        std::fs::write(old.join("diary.txt"), "dear").unwrap();
        refused("is in the way");
        settle(&folder).unwrap();
        assert!(old.join("diary.txt").exists());
    }

    #[test]
    fn a_file_stays_where_it_is() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        std::fs::write(&folder, "mine").unwrap();
        replace(&folder, &[], made_of("x")).unwrap_err();
        assert_eq!(std::fs::read(&folder).unwrap(), b"mine");
        assert_eq!(names(place.path()), ["study"]);
    }

    #[test]
    fn what_a_report_listed_above_its_folders_is_known_without_a_manifest() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("study");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("a.csv"), "1").unwrap();
        check(&folder).unwrap_err();
        made::list(place.path(), ["study/a.csv".to_owned()]).unwrap();
        check(&folder).unwrap();
        std::fs::write(folder.join("b.csv"), "1").unwrap();
        check(&folder).unwrap_err();
        std::fs::remove_file(folder.join("b.csv")).unwrap();
        replace(&folder, &[file("c.csv", "1")], made_of("x")).unwrap();
        assert_eq!(names(&folder), ["c.csv", MANIFEST]);
        assert_eq!(names(place.path()), [made::LIST, "study"]);
    }

    #[test]
    fn a_run_that_writes_nothing_leaves_no_folder() {
        let place = tempfile::tempdir().unwrap();
        drop(claim(&place.path().join("deep/er")).unwrap());
        assert_eq!(names(place.path()), Vec::<String>::new());
        let claimed = claim(&place.path().join("deep/er")).unwrap();
        std::fs::write(place.path().join("deep/er/a.csv"), "1").unwrap();
        drop(claimed);
        assert!(place.path().join("deep/er/a.csv").exists());
    }
}
