//! What happens to results when something goes wrong: killed, out of room, not allowed, two at once.

use crate::files::below as files;
use crate::program::{Work, program, skipped, unseen};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const STUDY: &str = r#"
title = "Volleys by range"
question = "How far does it carry?"
rules = "elephant"
procedure = "fire"
method = "simulate"
trials = 200_000
seed = 7
[sweep]
range = [50, 100, 200]
[[chart]]
kind = "line"
x = "range"
value = "mean(hits)"
title = "Hits by range"
"#;

/// How often a command is killed.
const KILLS: usize = 30;

type Files = BTreeMap<PathBuf, Vec<u8>>;

fn start(work: &Work, words: &str) -> Child {
    program()
        .current_dir(work.path())
        .args(words.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs")
}

/// The folders below a folder of results.
fn folders(all: &Files) -> BTreeSet<PathBuf> {
    let deep = all.keys().filter(|name| name.components().count() > 1);
    deep.filter_map(|name| name.iter().next())
        .map(PathBuf::from)
        .collect()
}

/// What of some results is in one folder.
fn within<'a>(all: &'a Files, folder: &Path) -> BTreeMap<&'a Path, &'a Vec<u8>> {
    let inside = all.iter().filter_map(|(name, bytes)| {
        let inside = name.strip_prefix(folder).ok()?;
        Some((inside, bytes))
    });
    inside.collect()
}

/// Kills a command at random moments, each time with the other of two seeds. Whenever that is, each folder
/// holds all of one run: in place or, at worst, under the name from which the next run takes it back. A
/// run that is left alone leaves what it should and nothing else.
fn is_killed_at_any_moment(work: &Work, words: &str) {
    let ended = |seed: usize, out: &str| {
        let words = format!("{words} --quiet --seed {seed} --out {out}");
        let status = start(work, &words).wait().expect("ended");
        assert!(status.success(), "{words}");
    };
    let began = Instant::now();
    ended(0, "whole-0");
    let whole = began.elapsed();
    ended(1, "whole-1");
    let wholes = ["whole-0", "whole-1"].map(|name| files(&work.path().join(name)));
    assert_ne!(wholes[0], wholes[1]);
    let out = work.path().join("out");
    ended(0, "out");
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(1863);
    for kill in 0..KILLS {
        let seed = (kill + 1) % 2;
        let mut child = start(work, &format!("{words} --quiet --seed {seed} --out out"));
        let share = (draws.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        std::thread::sleep(whole.mul_f64(share));
        child.kill().expect("killed");
        child.wait().expect("ended");
        let found = files(&out);
        for folder in folders(&wholes[0]) {
            let aside = PathBuf::from(format!(".{}.old", folder.display()));
            let place = match out.join(&folder).exists() {
                true => &folder,
                false => &aside,
            };
            let there = within(&found, place);
            assert!(
                wholes.iter().any(|whole| within(whole, &folder) == there),
                "kill {kill} left a mixture in {}: {:?}",
                folder.display(),
                found.keys()
            );
        }
        if kill % 10 == 9 {
            ended(seed, "out");
            let found = files(&out);
            assert!(
                found == wholes[seed],
                "after kill {kill} there is {:?}",
                found.keys()
            );
        }
    }
}

#[test]
fn killed_at_any_moment_a_run_leaves_the_old_results_or_the_new() {
    // Without charts: what is drawn only takes time.
    let (study, _) = STUDY.split_once("[[chart]]").expect("a chart");
    let work = Work::new()
        .with("first.toml", study)
        .with("second.toml", &study.replace("Volleys", "Salvoes"));
    is_killed_at_any_moment(&work, "run first.toml second.toml");
}

#[test]
#[ignore = "thirty reports take minutes; cargo test --release --test program faults -- --ignored"]
fn killed_at_any_moment_a_report_has_old_folders_or_new_ones() {
    is_killed_at_any_moment(&Work::new(), "report --quick --trials 10");
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let work = Work::new().with("study.toml", STUDY);
    let mut first = start(
        &work,
        "run study.toml --quiet --trials 1000000000000 --out out",
    );
    let until = Instant::now() + Duration::from_secs(60);
    // The first has the folder once it is there; it is locked a moment later.
    let refused = loop {
        let second = match work.path().join("out").exists() {
            true => Some(work.run("run study.toml --quiet --trials 10 --out out")),
            false => None,
        };
        match second {
            Some(second) if second.code != Some(0) => break second,
            _ => assert!(Instant::now() < until, "the second run was never refused"),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    first.kill().expect("killed");
    first.wait().expect("ended");
    refused.refused(&["out", "another run is writing into it", "--out"]);
    work.run("run study.toml --quiet --trials 10 --out out")
        .good();
}

#[test]
fn a_folder_removed_under_way_is_an_error_or_made_again() {
    let work = Work::new().with("study.toml", STUDY);
    let mut child = start(&work, "run study.toml --quiet --trials 30000000 --out out");
    let out = work.path().join("out");
    let until = Instant::now() + Duration::from_secs(60);
    while !out.exists() {
        assert!(Instant::now() < until, "the folder was never made");
        std::thread::sleep(Duration::from_millis(2));
    }
    std::fs::remove_dir_all(&out).expect("removed");
    let code = child.wait().expect("ended").code();
    match code {
        Some(0) => assert!(out.join("study/manifest.json").is_file()),
        code => assert_eq!(code, Some(2)),
    }
}

/// A small file system of its own; none where it cannot be had.
struct Mount(PathBuf);

impl Mount {
    fn new(at: &Path, options: &str) -> Option<Mount> {
        std::fs::create_dir_all(at).expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(at)
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Mount(at.to_owned()));
        }
        unseen("no file system can be mounted here");
        None
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_an_error_and_nothing_is_lost() {
    let work = Work::new().with("study.toml", STUDY);
    let disk = work.path().join("disk");
    let Some(_mount) = Mount::new(&disk, "size=1m") else {
        return;
    };
    work.run("run study.toml --quiet --out disk/out").good();
    let before = files(&disk.join("out/study"));
    // What is left is filled up to a few pages.
    let mut block = 1 << 20;
    let mut filling = Vec::new();
    while block >= 8192 {
        filling.resize(filling.len() + block, 0u8);
        if std::fs::write(disk.join("filling"), &filling).is_err() {
            filling.truncate(filling.len() - block);
            std::fs::write(disk.join("filling"), &filling).expect("room for what was there");
            block /= 2;
        }
    }
    work.run("run study.toml --quiet --seed 8 --out disk/out")
        .refused(&["disk/out", "space"]);
    assert_eq!(files(&disk.join("out/study")), before);
    std::fs::remove_file(disk.join("filling")).expect("removed");
    work.run("run study.toml --quiet --seed 8 --out disk/out")
        .good();
    assert_ne!(files(&disk.join("out/study")), before);
    let left = files(&disk.join("out"));
    assert!(
        left.keys()
            .all(|name| !name.to_string_lossy().starts_with('.')),
        "{:?}",
        left.keys()
    );
}

#[test]
fn a_disk_that_cannot_be_written_is_named_before_the_work() {
    let work = Work::new().with("study.toml", STUDY);
    let disk = work.path().join("disk");
    let Some(_mount) = Mount::new(&disk, "ro,size=1m") else {
        return;
    };
    let began = Instant::now();
    work.run("run study.toml --quiet --trials 1000000000000 --out disk/out")
        .refused(&["disk/out", "Read-only"]);
    assert!(
        began.elapsed() < Duration::from_secs(60),
        "it worked for days first"
    );
    work.run("odds elephant fire --out disk/x.html")
        .refused(&["disk/x.html", "Read-only"]);
}

/// What makes a program see another time, where it is installed.
const OTHER_TIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

#[test]
fn a_clock_that_jumps_changes_nothing() {
    if !Path::new(OTHER_TIME).exists() {
        skipped("there is no libfaketime here");
        return;
    }
    let work = Work::new().with("study.toml", STUDY);
    let words = "run study.toml --quiet --trials 3000000 --out";
    work.run(&format!("{words} steady")).good();
    let clock = work.path().join("clock");
    std::fs::write(&clock, "+0").expect("a clock");
    let mut child = program()
        .current_dir(work.path())
        .args(words.split(' ').chain(["jumping"]))
        .env("LD_PRELOAD", OTHER_TIME)
        .env("FAKETIME_TIMESTAMP_FILE", &clock)
        .env("FAKETIME_NO_CACHE", "1")
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    // Back, far ahead, and before clocks began to count: every few hundredths of a second.
    let jumps = ["-20y", "+40y", "1960-01-01 00:00:00", "+0"];
    let mut jump = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("its end") {
            break status;
        }
        std::fs::write(&clock, jumps[jump % jumps.len()]).expect("a clock");
        jump += 1;
        std::thread::sleep(Duration::from_millis(30));
    };
    assert!(status.success());
    assert!(jump > 1, "it ended before the clock jumped");
    assert_eq!(
        files(&work.path().join("jumping")),
        files(&work.path().join("steady"))
    );
}
