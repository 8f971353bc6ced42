//! A hundred kills over every command that writes: whatever the moment, a file is the old one or the new one, and the next
//! command that is left alone leaves nothing behind but what it should.
//!
//! A command writes for a thousandth of the time it takes, so a kill at a random moment hardly ever meets it. Here strace
//! kills the program at a chosen call to the system: each of those that make, write, lock, rename or remove something.

use crate::files::below;
use crate::program::{Work, program, skipped};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Kills of each command.
const KILLS: usize = 10;

/// The calls at which it is killed.
const CALLS: &str = "write,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,flock,fchmod,ftruncate";

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Two commands that write the same names, in turn; what is there already must not be.
struct Writes {
    old: Option<&'static str>,
    new: &'static str,
}

const STUDY: &str = "title = \"t\"\nquestion = \"q\"\nrules = \"elephant\"\nprocedure = \"fire\"\nmethod = \"simulate\"\n\
                     trials = 1000\nseed = 7\n[sweep]\n\"firer.stands\" = [8, 10]\n";

const WRITES: [Writes; 12] = [
    Writes {
        old: Some("odds elephant charge --out x.json"),
        new: "odds elephant charge attacker.grade=elite --out x.json",
    },
    Writes {
        old: Some("table elephant charge --out x.tex"),
        new: "table elephant charge attacker.flank=true --out x.tex",
    },
    Writes {
        old: Some("sheet gbacw --out x.html"),
        new: "sheet gbacw --paper letter --out x.html",
    },
    Writes {
        old: Some("what-if elephant melee --charts charts --out x.md"),
        new: "what-if elephant melee attacker.grade=elite --charts charts --out x.md",
    },
    Writes {
        old: Some("decide fireline standoff turns=2 --chart x.svg"),
        new: "decide fireline standoff turns=3 --chart x.svg",
    },
    Writes {
        old: Some(
            "tune elephant melee --target success=50% --vary tables.melee_results.*.1:1 --max-edits 1 --write x.toml",
        ),
        new: "tune elephant melee --target success=30% --vary tables.melee_results.*.1:1 --max-edits 1 --write x.toml",
    },
    Writes {
        old: Some("run study.toml --quiet --out out"),
        new: "run study.toml --quiet --out out --seed 8",
    },
    Writes {
        old: Some("run study.toml --quiet --shard 1/1 --out part"),
        new: "run study.toml --quiet --shard 1/1 --out part --seed 8",
    },
    Writes {
        old: Some("merge whole --quiet --out merged"),
        new: "merge other --quiet --out merged",
    },
    Writes {
        old: None,
        new: "new mine",
    },
    Writes {
        old: None,
        new: "rules gbacw --text --out copy",
    },
    Writes {
        old: None,
        new: "fmt loose.drill",
    },
];

/// A folder as it is before a pair of commands.
fn work() -> Work {
    let loose = include_str!("../../examples/rules/dba/dba.drill").replace(": ", ":  ");
    let work = Work::new()
        .with("study.toml", STUDY)
        .with("loose.drill", &loose);
    work.run("run study.toml --quiet --shard 1/1 --out whole")
        .good();
    work.run("run study.toml --quiet --shard 1/1 --out other --seed 9")
        .good();
    work
}

/// What a command leaves in such a folder.
fn left(commands: &[&str]) -> Files {
    let work = work();
    for command in commands {
        let ran = work.run(command);
        ran.check(ran.code == Some(0), "should succeed");
    }
    below(work.path())
}

/// Runs a command under strace with these options; whether it was killed, or nothing if there is no strace.
fn traced(folder: &Path, options: &[&str], words: &str) -> Option<bool> {
    let status = Command::new("strace")
        .current_dir(folder)
        .args(["-f", "-qq"])
        .args(options)
        .arg(program().get_program())
        .args(words.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok()?;
    match (status.code(), status.signal()) {
        (Some(0), _) => Some(false),
        // strace ends as the program did.
        (_, Some(9)) | (Some(137), _) => Some(true),
        _ => None,
    }
}

/// The calls that a command makes, in their order: which, and the how manieth of its thread, as strace counts.
fn calls(words: &str, old: Option<&str>) -> Option<Vec<(String, usize)>> {
    let work = work();
    if let Some(old) = old {
        work.run(old);
    }
    let trace = tempfile::NamedTempFile::new().ok()?;
    let file = trace.path().display().to_string();
    let only = format!("trace={CALLS}");
    traced(work.path(), &["-o", &file, "-e", &only], words)?;
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let trace = std::fs::read_to_string(trace.path()).ok()?;
    let made = trace.lines().filter_map(|line| {
        let (thread, rest) = line.split_once(' ')?;
        let (call, _) = rest.trim_start().split_once('(')?;
        let count = counts.entry((thread, call)).or_default();
        *count += 1;
        Some((call.to_owned(), *count))
    });
    Some(made.collect())
}

/// Files that were never finished, folders under way, locks: what the next command clears or needs.
fn is_under_way(name: &Path) -> bool {
    let mut parts = name.iter().map(|part| part.to_string_lossy().into_owned());
    parts.any(|part| part.starts_with('.'))
}

/// Where a file is for a moment while a folder above it is exchanged: under the name from which it is taken back.
fn aside(name: &Path) -> Vec<PathBuf> {
    let parts: Vec<String> = name
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let moved = |at: usize| {
        let named = parts.iter().enumerate();
        named
            .map(|(n, part)| match n == at {
                true => format!(".{part}.old"),
                false => part.clone(),
            })
            .collect()
    };
    (0..parts.len().saturating_sub(1)).map(moved).collect()
}

#[test]
#[ignore = "a hundred kills take a minute; cargo test --release --test program kills -- --ignored --nocapture"]
fn killed_at_any_call_every_writing_command_leaves_the_old_or_the_new() {
    let mut kills = 0;
    for Writes { old, new } in WRITES {
        let before = left(&old.into_iter().collect::<Vec<_>>());
        let after = left(&old.into_iter().chain([new]).collect::<Vec<_>>());
        assert_ne!(before, after, "{new}");
        let Some(calls) = calls(new, old) else {
            skipped("no strace here that may kill a program");
            return;
        };
        let mut here = 0;
        for kill in 0..KILLS {
            let at = kill * calls.len() / KILLS;
            let (call, nth) = &calls[at];
            let work = work();
            if let Some(old) = old {
                work.run(old);
            }
            let inject = format!("inject={call}:signal=KILL:when={nth}");
            let killed = traced(work.path(), &["-o", "/dev/null", "-e", &inject], new);
            here += usize::from(killed.expect("it was traced before"));
            for (name, bytes) in below(work.path()) {
                let known = [&before, &after].map(|files| files.get(&name));
                assert!(
                    is_under_way(&name) || known.contains(&Some(&bytes)),
                    "`{new}`, killed at {call} {nth}, left {}",
                    name.display()
                );
            }
            for (name, bytes) in &before {
                let there = std::fs::read(work.path().join(name)).ok();
                assert!(
                    there.as_ref() == Some(bytes)
                        || there.is_some() && there.as_ref() == after.get(name)
                        || aside(name)
                            .iter()
                            .any(|name| std::fs::read(work.path().join(name))
                                .is_ok_and(|kept| kept == *bytes)),
                    "`{new}`, killed at {call} {nth}, lost {}",
                    name.display()
                );
            }
            // Left alone it ends as it should; what makes only new things may find them made.
            let again = work.run(new);
            let made = old.is_none() && below(work.path()) == after;
            again.check(again.code == Some(0) || made, "should succeed after a kill");
            let found = below(work.path());
            assert!(
                found == after,
                "`{new}` after a kill at {call} {nth}: {:?}",
                found
                    .keys()
                    .filter(|name| !after.contains_key(*name))
                    .collect::<Vec<_>>()
            );
        }
        println!("{here} of {KILLS} kills, {} calls: {new}", calls.len());
        kills += here;
    }
    println!("{kills} kills");
    assert!(kills >= 100, "only {kills} of the commands were killed");
}
