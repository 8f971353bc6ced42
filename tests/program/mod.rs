//! The program, run as it is typed, in a folder of its own.
#![allow(dead_code, reason = "no test file needs all of it")]

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

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

    /// Runs the program in a terminal of so many columns.
    pub fn run_within(&self, columns: usize, words: &str) -> Ran {
        self.run_in(Some(columns), words)
    }

    fn run_in(&self, columns: Option<usize>, words: &str) -> Ran {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("grapeshot"))
            .current_dir(self.folder.path())
            .env_remove("COLUMNS")
            .envs(columns.map(|columns| ("COLUMNS", columns.to_string())))
            .args(words.split_whitespace())
            .timeout(std::time::Duration::from_secs(120))
            .output()
            .expect("the program runs");
        Ran {
            command: format!("grapeshot {words}"),
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

impl Ran {
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
