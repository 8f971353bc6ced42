//! The program, run as it is typed, in a folder of its own.
#![allow(dead_code, reason = "no executable of the tests needs all of it")]

use serde_json::Value;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long a command may take before it is called stuck.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// The program, or the one that `GRAPESHOT_PROGRAM` names, such as one that was built otherwise.
pub fn program() -> Command {
    let named = std::env::var_os("GRAPESHOT_PROGRAM");
    Command::new(named.unwrap_or_else(|| env!("CARGO_BIN_EXE_grapeshot").into()))
}

/// Set where no test may be skipped for want of what can be installed, as in continuous integration.
const REQUIRED: &str = "GRAPESHOT_REQUIRE_BROWSER";

/// A test saw nothing because something is not installed: that does not count as passed where everything has to be there.
pub fn skipped(why: &str) {
    assert!(
        std::env::var_os(REQUIRED).is_none(),
        "{REQUIRED} is set, and {why}"
    );
    unseen(why);
}

/// Says that a test saw nothing, and why. Not by `eprintln!`: what a test prints that way is shown only when it fails.
pub fn unseen(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}

/// A folder of its own for one test, in which the program is run.
pub struct Work {
    folder: tempfile::TempDir,
}

/// What a run came to.
pub struct Ran {
    command: String,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Work {
    pub fn new() -> Self {
        Work {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// With a file in it.
    pub fn with(self, name: &str, text: &str) -> Self {
        std::fs::write(self.folder.path().join(name), text).expect("a file");
        self
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program with these words, split at spaces.
    pub fn run(&self, words: &str) -> Ran {
        self.run_in(None, words)
    }

    /// Runs the program with words that have spaces in them, or are no text.
    pub fn run_words<W: AsRef<OsStr>>(&self, words: &[W]) -> Ran {
        let mut command = program();
        command
            .current_dir(self.folder.path())
            .env_remove("COLUMNS")
            .args(words);
        let words: Vec<_> = words
            .iter()
            .map(|word| word.as_ref().to_string_lossy())
            .collect();
        Ran::new(format!("grapeshot {}", words.join(" ")), command)
    }

    /// Runs the program in a terminal of so many columns.
    pub fn run_within(&self, columns: usize, words: &str) -> Ran {
        self.run_in(Some(columns), words)
    }

    fn run_in(&self, columns: Option<usize>, words: &str) -> Ran {
        let mut command = program();
        command
            .current_dir(self.folder.path())
            .env_remove("COLUMNS")
            .envs(columns.map(|columns| ("COLUMNS", columns.to_string())))
            .args(words.split_whitespace());
        Ran::new(format!("grapeshot {words}"), command)
    }
}

/// Everything a pipe brings, read while the program runs, so that it never waits for us.
fn drained(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe");
        bytes
    })
}

impl Ran {
    /// Runs a command to its end.
    pub fn new(name: String, mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let out = drained(child.stdout.take().expect("its output"));
        let err = drained(child.stderr.take().expect("its errors"));
        let until = Instant::now() + PATIENCE;
        let status: ExitStatus = loop {
            match child.try_wait().expect("its end") {
                Some(status) => break status,
                None if Instant::now() < until => std::thread::sleep(Duration::from_millis(2)),
                None => {
                    child.kill().expect("ended");
                    panic!("{name} is stuck");
                }
            }
        };
        let text = |bytes: std::thread::JoinHandle<Vec<u8>>| {
            String::from_utf8(bytes.join().expect("read")).expect("text")
        };
        Ran {
            command: name,
            code: status.code(),
            out: text(out),
            err: text(err),
        }
    }

    /// Fails with the command and both streams.
    #[track_caller]
    pub fn check(&self, holds: bool, what: &str) {
        assert!(
            holds,
            "{what}\n$ {}\nexit code: {:?}\n--- stdout\n{}\n--- stderr\n{}",
            self.command, self.code, self.out, self.err
        );
    }

    /// Exit code 0; what was printed.
    #[track_caller]
    pub fn good(&self) -> &str {
        self.check(self.code == Some(0), "should succeed");
        self.check(self.err.is_empty(), "should say nothing on stderr");
        &self.out
    }

    #[track_caller]
    pub fn says(&self, all: &[&str]) -> &Self {
        self.good();
        for part in all {
            self.check(self.out.contains(part), &format!("should print `{part}`"));
        }
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        let parsed = serde_json::from_str(self.good());
        self.check(parsed.is_ok(), "should print JSON");
        parsed.expect("checked")
    }

    /// Fails with this exit code, nothing on stdout, and all of these on stderr.
    #[track_caller]
    pub fn fails(&self, code: i32, all: &[&str]) {
        self.check(self.code == Some(code), &format!("should exit with {code}"));
        self.check(self.out.is_empty(), "should print nothing on stdout");
        self.check(self.err.starts_with("error: "), "should say error:");
        for part in all {
            self.check(self.err.contains(part), &format!("should say `{part}`"));
        }
    }

    /// Wrong input.
    #[track_caller]
    pub fn refused(&self, all: &[&str]) {
        self.fails(2, all);
    }
}
