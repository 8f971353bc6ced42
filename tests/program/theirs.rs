//! What is somebody else's stays theirs: folders, files, modes. Refused with a sentence, and nothing is changed.

use crate::files::below as files;
use crate::program::{Work, program, skipped};
use std::collections::BTreeSet;
use std::path::PathBuf;

const STUDY: &str = r#"
title = "Morale by grade"
question = "What is a grade worth?"
rules = "elephant"
procedure = "morale"
method = "simulate"
trials = 1000
[sweep]
"unit.grade" = ["elite", "green"]
"#;

/// Everything below the folder of a test, folders too.
fn everything(work: &Work) -> (BTreeSet<PathBuf>, Vec<(PathBuf, Vec<u8>)>) {
    let mut folders = BTreeSet::new();
    let mut next = vec![work.path().to_owned()];
    while let Some(folder) = next.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.is_symlink() {
                folders.insert(path.clone());
                next.push(path);
            }
        }
    }
    (folders, files(work.path()).into_iter().collect())
}

#[track_caller]
fn is_refused_and_changes_nothing(work: &Work, words: &str, says: &[&str]) {
    let before = everything(work);
    work.run(words).refused(says);
    assert!(everything(work) == before, "{words} changed something");
}

fn mine(inside: &str, text: &str) -> Work {
    let work = Work::new().with("mine.toml", STUDY);
    let path = work.path().join(inside);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
    work
}

#[test]
fn a_folder_that_no_run_made_is_not_replaced() {
    let run = "run mine.toml --quiet --out .";
    for (inside, says) in [
        ("mine/diary.txt", "`diary.txt`"),
        ("mine/ruleset.toml", "`ruleset.toml`"),
        ("mine/.git/HEAD", "`.git`"),
        ("mine/manifest.json", "`manifest.json`"),
        ("mine", "a file of that name"),
        (".mine.old/diary.txt", ".mine.old"),
        (".mine.new/diary.txt", ".mine.new"),
        (".mine.old", ".mine.old"),
    ] {
        let work = mine(inside, "precious");
        is_refused_and_changes_nothing(&work, run, &["cannot write ./mine", says, "--out"]);
    }
    // A study in the folder that has its name.
    let work = mine("mine/mine.toml", STUDY);
    is_refused_and_changes_nothing(
        &work,
        "run mine/mine.toml --quiet --out .",
        &["`mine.toml`"],
    );
}

#[test]
fn one_that_a_run_made_is_replaced_until_somebody_puts_something_into_it() {
    let work = Work::new().with("mine.toml", STUDY);
    let run = |seed: u64| format!("run mine.toml --quiet --out . --seed {seed}");
    work.run(&run(1)).good();
    work.run(&run(2)).says(&["mine: written"]);
    std::fs::write(work.path().join("mine/notes.txt"), "mine").expect("written");
    work.run(&run(2)).says(&["mine: up to date"]);
    is_refused_and_changes_nothing(&work, &run(3), &["`notes.txt`"]);
    is_refused_and_changes_nothing(&work, &(run(2) + " --force"), &["`notes.txt`"]);
    std::fs::remove_file(work.path().join("mine/notes.txt")).expect("removed");
    work.run(&run(3)).says(&["mine: written"]);
}

#[test]
fn of_several_studies_none_is_written_if_one_is_refused() {
    let work = mine("mine/diary.txt", "precious").with("other.toml", STUDY);
    let run = "run other.toml mine.toml --quiet --out .";
    is_refused_and_changes_nothing(&work, run, &["`diary.txt`"]);
}

#[test]
fn merge_and_shards_replace_only_what_a_run_made() {
    let work = mine("mine/diary.txt", "precious");
    for shard in [1, 2] {
        work.run(&format!("run mine.toml --quiet --shard {shard}/2"))
            .good();
    }
    is_refused_and_changes_nothing(
        &work,
        "merge part-1 part-2 --quiet --out .",
        &["`diary.txt`"],
    );
    std::fs::write(work.path().join("part-1/notes.txt"), "mine").expect("written");
    let again = "run mine.toml --quiet --shard 1/2 --force";
    is_refused_and_changes_nothing(&work, again, &["part-1", "`notes.txt`"]);
    // What a run made, but no part.
    work.run("merge part-1 part-2 --quiet --out out").good();
    let over = "run mine.toml --quiet --shard 1/2 --out out/mine";
    is_refused_and_changes_nothing(&work, over, &["out/mine", "no part of a run"]);
}

#[test]
fn a_report_overwrites_no_page_and_no_folder_that_it_did_not_make() {
    for inside in [
        "README.md",
        "index.html",
        "elephant-charge-grades/diary.txt",
    ] {
        let work = mine(inside, "precious");
        let report = "report --quick --quiet --trials 10 --out .";
        is_refused_and_changes_nothing(&work, report, &["grapeshot did not"]);
    }
}

#[test]
fn charts_are_drawn_over_charts_and_over_nothing_else() {
    let work = Work::new();
    let charts = "break-even elephant melee --vary attacker.stands --charts here";
    work.run(charts).good();
    work.run(charts).good();
    let drawn = files(&work.path().join("here"));
    let name = drawn
        .keys()
        .find(|name| name.extension().is_some_and(|e| e == "svg"));
    let name = name.expect("a chart").display().to_string();

    let work = mine(&format!("here/{name}"), "precious");
    is_refused_and_changes_nothing(&work, charts, &[&format!("here/{name}"), ".grapeshot"]);
}

#[test]
fn what_stands_beside_a_named_file_is_not_overwritten() {
    let sheet = "sheet elephant --out elephant.svg";
    let work = mine("elephant.typ", "precious");
    is_refused_and_changes_nothing(&work, sheet, &["elephant.typ"]);
    let work = Work::new().with("elephant.svg", "named, and so overwritten");
    work.run(sheet).good();
    work.run(sheet).says(&["wrote elephant.typ"]);

    let drawn = "compare fire --out fire.svg";
    let work = mine("fire-2.svg", "precious");
    is_refused_and_changes_nothing(&work, drawn, &["fire-2.svg"]);
    std::fs::remove_file(work.path().join("fire-2.svg")).expect("removed");
    work.run(drawn).good();
    work.run(drawn).says(&["wrote fire-2.svg"]);
}

#[test]
fn a_variant_that_tune_did_not_write_is_kept() {
    let tune = "tune elephant melee --target success=50% --vary tables.melee_results --max-edits 1 --write house.toml";
    let work = Work::new().with("house.toml", "rules = \"elephant\"\nname = \"mine\"\n");
    is_refused_and_changes_nothing(&work, tune, &["house.toml", "tune did not write it"]);
    std::fs::remove_file(work.path().join("house.toml")).expect("removed");
    work.run(tune).good();
    work.run(tune).says(&["wrote house.toml"]);
}

#[test]
fn a_ruleset_is_made_where_there_is_none() {
    let work = mine("my-rules/my-rules.drill", "precious");
    let says = ["my-rules.drill", "not overwritten"];
    is_refused_and_changes_nothing(&work, "new my-rules", &says);
    let work = mine("my-rules/gbacw.drill", "precious");
    let says = ["gbacw.drill", "not overwritten"];
    is_refused_and_changes_nothing(&work, "rules gbacw --text --out my-rules", &says);
}

#[test]
fn a_refused_command_makes_no_folder() {
    let work = Work::new().with("mine.toml", STUDY);
    for words in [
        "rules nonsense --out deep/x.html",
        "odds elephant nonsense --out deep/x.html",
        "odds elephant melee --joint attacker.stands=0 --out deep/x.html",
        "check nonsense --out deep/x.html",
        "decide elephant standoff --chart deep/x.txt",
        "compare nonsense --charts deep/er",
        "what-if elephant melee --style none.toml --charts deep/er",
        "run mine.toml --method exact --variant none.toml --out deep/er",
        "run mine.toml --shard 3/2 --out deep/er",
        "tune elephant melee --target success=5% --vary nonsense --write deep/x.toml",
    ] {
        is_refused_and_changes_nothing(&work, words, &[]);
    }
}

/// A command that was killed while it wrote leaves a file in the making: the next one there clears it away.
#[test]
fn what_a_killed_command_left_beside_its_file_goes_with_the_next() {
    let work = Work::new()
        .with(".grapeshot-a1B2c3.unfinished", "half")
        .with(".grapeshot-backup", "mine");
    work.run("odds elephant morale --out x.csv").good();
    let left: Vec<PathBuf> = files(work.path()).into_keys().collect();
    assert_eq!(left, [".grapeshot-backup", "x.csv"].map(PathBuf::from));
}

#[cfg(unix)]
mod modes {
    use super::*;
    use crate::program::Ran;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    fn mode(work: &Work, name: &str) -> u32 {
        let data = std::fs::metadata(work.path().join(name)).expect("there");
        data.permissions().mode() & 0o7777
    }

    /// Runs the program under a umask.
    fn masked(work: &Work, umask: &str, words: &str) {
        let mut shell = Command::new("sh");
        shell
            .current_dir(work.path())
            .args(["-c", &format!("umask {umask} && exec \"$0\" {words}")])
            .arg(program().get_program());
        Ran::new(format!("umask {umask}; grapeshot {words}"), shell).good();
    }

    #[test]
    fn modes_are_those_of_the_umask_and_of_what_was_there() {
        for (umask, file, folder) in [
            ("022", 0o644, 0o755),
            ("077", 0o600, 0o700),
            ("002", 0o664, 0o775),
        ] {
            let work = Work::new().with("mine.toml", STUDY);
            masked(&work, umask, "odds elephant morale --out deep/x.csv");
            assert_eq!(mode(&work, "deep/x.csv"), file, "umask {umask}");
            assert_eq!(mode(&work, "deep"), folder, "umask {umask}");
            masked(&work, umask, "run mine.toml --quiet --out out");
            for name in ["out/mine/summary.csv", "out/mine/manifest.json"] {
                assert_eq!(mode(&work, name), file, "{name}, umask {umask}");
            }
            assert_eq!(mode(&work, "out/mine"), folder, "umask {umask}");
        }
        let work = Work::new().with("mine.toml", STUDY).with("x.csv", "old");
        let set = |name: &str, mode: u32| {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(work.path().join(name), mode).expect("set");
        };
        set("x.csv", 0o640);
        masked(&work, "000", "odds elephant morale --out x.csv");
        assert_eq!(mode(&work, "x.csv"), 0o640);
        masked(&work, "022", "run mine.toml --quiet --out out");
        set("out/mine", 0o700);
        set("out/mine/summary.csv", 0o600);
        masked(&work, "022", "run mine.toml --quiet --out out --seed 9");
        assert_eq!(mode(&work, "out/mine"), 0o700);
        assert_eq!(mode(&work, "out/mine/summary.csv"), 0o600);
    }

    /// What the program asks of the system: calls of these kinds, in their order.
    fn traced(work: &Work, words: &str) -> Option<Vec<String>> {
        let mut strace = Command::new("strace");
        strace
            .current_dir(work.path())
            .args([
                "-f",
                "-y",
                "-o",
                "trace",
                "-e",
                "trace=fsync,fdatasync,rename,renameat,renameat2",
            ])
            .arg(program().get_program())
            .args(words.split_whitespace());
        let ended = strace
            .output()
            .ok()
            .filter(|output| output.status.success());
        let Some(_) = ended else {
            skipped("no strace here that may look at a program");
            return None;
        };
        let trace = std::fs::read_to_string(work.path().join("trace")).expect("a trace");
        let calls = trace.lines().filter(|line| line.contains('('));
        Some(calls.map(str::to_owned).collect())
    }

    #[test]
    fn what_takes_the_place_of_a_file_is_on_the_disk_before() {
        let work = Work::new().with("x.csv", "old");
        let Some(calls) = traced(&work, "odds elephant morale --out x.csv") else {
            return;
        };
        let at = |what: &str, name: &str| {
            let found = calls
                .iter()
                .position(|call| call.contains(what) && call.contains(name));
            found.unwrap_or_else(|| panic!("no {what} of {name}: {calls:#?}"))
        };
        let renamed = at("rename", "x.csv\"");
        assert!(at("fsync(", ".unfinished") < renamed, "{calls:#?}");
        let Some(calls) = traced(&work, "odds elephant morale --out new.csv") else {
            return;
        };
        let synced = calls.iter().any(|call| call.contains("sync("));
        assert!(
            !synced,
            "nobody waits for what replaces nothing: {calls:#?}"
        );
    }
}

#[test]
fn a_named_file_is_not_replaced_without_a_word() {
    let work = Work::new().with("mine.csv", "precious\n");
    let asked = "odds gbacw fire --out";
    assert_eq!(
        work.run(&format!("{asked} new.csv")).good(),
        "wrote new.csv\n"
    );
    let over = work.run(&format!("{asked} mine.csv"));
    assert_eq!(over.good(), "wrote mine.csv, over what was there\n");
    let drawn = work.run("what-if gbacw charge --out mine.csv --format html");
    drawn.says(&["over what was there"]);
}
