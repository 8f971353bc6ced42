//! Work that several machines share, as plain processes: the same bytes as from one, and what does not go
//! together is named.

use crate::files::below as files;
use crate::program::{Work, program};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Six pieces of work a cell, the last of them short.
const BATTLES: &str = r#"
title = "Battles"
question = "What is a unit worth?"
rules = "acw28"
procedure = "battle"
trials = 20_600
[settings]
turns = 4
[sweep]
"attacker.units" = [2, 3]

[[chart]]
kind = "line"
x = "attacker.units"
value = "mean(points)"
title = "Points"
[[finding]]
of = "mean(points)"
name = "the mean of points"
along = "attacker.units"
"#;
/// Solved and simulated, with cells that the rules refuse.
const CHARGES: &str = r#"
title = "Charges by grade"
question = "What is a grade worth?"
rules = "elephant"
procedure = "charge"
method = "both"
trials = 140_000
streams = "independent"
[sweep]
"attacker.kind" = ["infantry", "artillery"]

"attacker.grade" = ["elite", "green"]
"#;
const RUN: &str = "run battles.toml charges.toml --quiet --threads 1";

fn work() -> Work {
    Work::new()
        .with("battles.toml", BATTLES)
        .with("charges.toml", CHARGES)
}

fn start(work: &Work, words: &str, variables: &[(&str, &str)]) -> Child {
    program()
        .current_dir(work.path())
        .envs(variables.iter().copied())
        .args(words.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs")
}

#[track_caller]
fn finishes(child: Child) -> String {
    let output = child.wait_with_output().expect("a child");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8(output.stdout).expect("text")
}

/// Plays all shards of a command, as many processes at once; where their parts are.
fn play(work: &Work, command: &str, of: usize, name: &str) -> String {
    let places: Vec<String> = (1..=of).map(|k| format!("{name}-{k}")).collect();
    let shards = places.iter().enumerate().map(|(at, place)| {
        let words = format!("{command} --shard {}/{of} --out {place}", at + 1);
        start(work, &words, &[])
    });
    let shards: Vec<Child> = shards.collect();
    for (child, place) in shards.into_iter().zip(&places) {
        assert!(finishes(child).contains(&format!("{place}: written")));
    }
    places.join(" ")
}

#[track_caller]
fn same(work: &Work, one: &str, other: &str) {
    let (one, other) = (
        files(&work.path().join(one)),
        files(&work.path().join(other)),
    );
    assert!(one.len() > 6, "{:?}", one.keys());
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for (name, bytes) in &one {
        assert!(other[name] == *bytes, "{} differs", name.display());
    }
}

#[test]
fn one_three_and_sixteen_shards_write_the_bytes_of_one_machine() {
    let work = work();
    work.run(&format!("{RUN} --out whole")).good();
    for of in [1, 3, 16] {
        let name = format!("of-{of}");
        let parts = play(&work, RUN, of, &name);
        let merged = work.run(&format!("merge {parts} --out merged-{of} --quiet"));
        merged.says(&["battles: written", "charges: written"]);
        same(&work, "whole", &format!("merged-{of}"));
    }
    // One machine would find nothing left to do there.
    work.run(&format!("{RUN} --out merged-3"))
        .says(&["battles: up to date", "charges: up to date"]);
    // What has been merged is left alone, and parts may come in any order.
    work.run("merge of-3-3 of-3-1 of-3-2 --out merged-3 --quiet")
        .says(&["battles: up to date"]);
}

#[test]
fn every_cell_is_solved_once_and_every_trial_played_once() {
    let work = work();
    let manifest = |place: String| {
        let text = std::fs::read(work.path().join(place).join("manifest.json"));
        serde_json::from_slice::<serde_json::Value>(&text.expect("a manifest")).expect("JSON")
    };
    let sum = |parts: &str, key: &str| -> u64 {
        let parts = parts.split(' ').map(|place| manifest(place.into()));
        parts
            .map(|part| part[key].as_u64().expect("a number"))
            .sum()
    };
    let parts = play(&work, RUN, 3, "part");
    assert_eq!(sum(&parts, "solved"), 2, "two cells that the rules allow");
    assert_eq!(sum(&parts, "trials"), 2 * 20_600 + 2 * 140_000);
}

#[test]
fn a_shard_that_was_killed_or_damaged_is_run_again_and_counts_once() {
    let work = work();
    let command = "run battles.toml --quiet --threads 1";
    work.run(&format!("{command} --out whole")).good();
    let parts = play(&work, command, 3, "part");
    let second = format!("{command} --shard 2/3 --out part-2");
    let part = work.path().join("part-2");

    // Killed at whatever it was doing: there is no part, or a whole one.
    std::fs::remove_dir_all(&part).expect("removed");
    for wait in [0, 60, 120] {
        let mut child = start(&work, &format!("{second} --force"), &[]);
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("killed");
        child.wait().expect("ended");
        let merged = work.run(&format!("merge {parts} --out early --quiet"));
        match part.exists() {
            true => same(&work, "whole", "early"),
            false => merged.refused(&["part-2", "is no part"]),
        }
    }
    // Killed while it wrote: something lies aside.
    let aside = work.path().join(".part-2.new");
    std::fs::create_dir_all(&aside).expect("a folder");
    std::fs::copy(
        work.path().join("part-1/manifest.json"),
        aside.join("manifest.json"),
    )
    .expect("a copy");
    std::fs::write(aside.join("counts.json.gz"), "half").expect("a file");
    work.run(&format!("{second} --force"))
        .says(&["part-2: written"]);
    assert!(!aside.exists());
    work.run(&second).says(&["part-2: up to date"]);
    work.run(&format!("merge {parts} --out again --quiet"))
        .good();
    same(&work, "whole", "again");

    // Damaged where it lay.
    let counts = part.join("counts.json.gz");
    let whole = std::fs::read(&counts).expect("counts");
    std::fs::write(&counts, &whole[..whole.len() / 2]).expect("written");
    let merged = work.run(&format!("merge {parts} --out damaged --quiet"));
    merged.refused(&["part-2", "run shard 2/3 again"]);
    assert!(!work.path().join("damaged").exists(), "nothing is written");
    work.run(&second).says(&["part-2: written"]);
    assert_eq!(std::fs::read(&counts).expect("counts"), whole);
}

#[test]
fn parts_that_do_not_belong_together_are_named() {
    let work = work().with("other.toml", &BATTLES.replace("Battles", "Brigades"));
    let command = "run battles.toml --quiet --trials 300";
    play(&work, command, 3, "part");
    let merge = |parts: &str| {
        let merged = work.run(&format!("merge {parts} --out merged --quiet"));
        assert!(!work.path().join("merged").exists(), "nothing is written");
        merged
    };
    let all_but_one = "part-1 part-2";
    merge("part-1 part-3").refused(&["shard 2 of 3 is missing"]);
    merge("part-2").refused(&["shards 1, 3 of 3 are missing"]);
    work.run(&format!("{command} --shard 3/3 --out third"))
        .good();
    merge("part-1 part-2 part-3 third").refused(&["third: is shard 3/3 a second time", "part-3"]);

    let third = |what: &str, says: &[&str]| {
        work.run(&format!("{what} --out other")).good();
        merge(&format!("{all_but_one} other")).refused(says);
    };
    third(
        "run battles.toml --quiet --trials 400 --shard 3/3",
        &[
            "other: does not belong with part-1",
            "`study.battles.trials` is 400 here and 300 there",
        ],
    );
    third(
        "run battles.toml --quiet --trials 300 --seed 9 --shard 3/3",
        &["other", "`study.battles.seed` is 9"],
    );
    third(
        "run other.toml --quiet --trials 300 --shard 3/3",
        &[
            "other",
            "`studies` is [\"other\"] here and [\"battles\"] there",
        ],
    );
    third(
        "run battles.toml --quiet --trials 300 --shard 3/4",
        &["other", "shard 3/4", "1/3"],
    );
    third(
        "odds acw28 battle --trials 300 --seed 1 --shard 3/3",
        &["other", "`command` is \"odds\""],
    );
    merge("part-1 nowhere").refused(&["nowhere: is no part"]);

    // Another program, and tables that have changed.
    let edit = |from: &str, to: &str| {
        let path = work.path().join("part-3/manifest.json");
        let text = std::fs::read_to_string(&path).expect("text");
        assert!(text.contains(from), "{text}");
        std::fs::write(&path, text.replacen(from, to, 1)).expect("written");
    };
    edit("\"program\": \"grapeshot ", "\"program\": \"grapeshot 9.");
    merge("part-1 part-2 part-3").refused(&["part-3: was made by another program: grapeshot 9."]);
    edit("\"program\": \"grapeshot 9.", "\"program\": \"grapeshot ");
    edit("\"tables\": [", "\"tables\": [\"x\",");
    merge("part-1 part-2 part-3").refused(&["part-3", "`study.battles.tables`"]);
}

#[test]
fn what_has_changed_since_and_what_would_be_lost_is_refused() {
    let work = work();
    let parts = play(&work, "run battles.toml --quiet --trials 300", 2, "part");
    let changed = BATTLES.replace("turns = 4", "turns = 5");
    std::fs::write(work.path().join("battles.toml"), changed).expect("written");
    let merged = work.run(&format!("merge {parts} --out merged --quiet"));
    merged.refused(&[
        "changed since the shards were played",
        "`study.battles.file`",
    ]);
    std::fs::remove_file(work.path().join("battles.toml")).expect("removed");
    let merged = work.run(&format!("merge {parts} --out merged --quiet"));
    merged.refused(&["battles.toml", "merge where the shards ran"]);

    std::fs::create_dir(work.path().join("mine")).expect("a folder");
    std::fs::write(work.path().join("mine/letter.txt"), "dear").expect("a file");
    let over = work.run("run charges.toml --quiet --trials 300 --shard 1/2 --out mine");
    over.refused(&["mine", "`letter.txt`"]);
    assert!(work.path().join("mine/letter.txt").exists());
}

#[test]
fn a_question_is_shared_out_like_a_study() {
    let work = Work::new();
    let battle = "odds acw28 battle turns=3 --trials 20600 --seed 7";
    let charge = "odds elephant charge --stages --seed 7";
    let walked = "odds elephant charge --method simulate --trials 200000 --seed 7 --joint";
    for (at, command) in [battle, charge, walked].into_iter().enumerate() {
        let parts = play(&work, command, 3, &format!("part-{at}"));
        for form in ["--format json", "--format markdown", "--format csv", ""] {
            let whole = work.run(&format!("{command} {form}"));
            let merged = work.run(&format!("merge {parts} {form}"));
            assert_eq!(whole.good(), merged.good(), "{command} {form}");
        }
        work.run(&format!("{command} --out page.html")).good();
        let page = |work: &Work| std::fs::read(work.path().join("page.html")).expect("a page");
        let whole = page(&work);
        work.run(&format!("merge {parts} --out page.html")).good();
        assert!(page(&work) == whole, "{command}: the page differs");
    }
    let solved = work.run(&format!(
        "{charge} --shard 1/3 --out part-1-1 --format json"
    ));
    assert_eq!(solved.json()["solved"], 1);
    let idle = work.run(&format!("{charge} --shard 2/3 --out part-1-2"));
    idle.says(&["part-1-2: up to date", "nothing"]);
}

#[test]
fn what_cannot_be_shared_out_is_refused() {
    let work = Work::new();
    let battle = "odds acw28 battle --shard 1/2";
    work.run(&format!("{battle} --seed 1 --precision 0.01"))
        .refused(&["--precision 0.01", "a shard sees only its own", "--trials"]);
    work.run(battle).refused(&["--seed"]);
    let none = work.run("odds acw28 battle --shard 3/2 --seed 1");
    none.refused(&["3/2", "from 1 to 2"]);
    work.run("odds acw28 battle --shard auto --seed 1")
        .refused(&[
            "--shard auto",
            "SLURM_ARRAY_TASK_ID",
            "JOB_COMPLETION_INDEX",
        ]);
    assert_eq!(files(work.path()).len(), 0, "nothing is written");
}

#[test]
fn auto_is_the_shard_that_the_scheduler_says() {
    let work = Work::new();
    let command = "odds acw28 battle --trials 300 --seed 1 --shard";
    let slurm = [
        ("SLURM_ARRAY_TASK_ID", "2"),
        ("SLURM_ARRAY_TASK_MIN", "1"),
        ("SLURM_ARRAY_TASK_MAX", "3"),
        ("SLURM_ARRAY_TASK_COUNT", "3"),
    ];
    finishes(start(&work, &format!("{command} auto"), &slurm));
    finishes(start(
        &work,
        &format!("{command} auto/3"),
        &[("JOB_COMPLETION_INDEX", "0")],
    ));
    let kubernetes = [("JOB_COMPLETION_INDEX", "2"), ("GRAPESHOT_SHARDS", "3")];
    finishes(start(&work, &format!("{command} auto"), &kubernetes));
    let merged = work.run("merge part-1 part-2 part-3");
    let whole = work.run("odds acw28 battle --trials 300 --seed 1");
    assert_eq!(merged.good(), whole.good());
}

/// A part whose counts somebody has changed, with the checksums and sums that belong to them.
fn forge(work: &Work, part: &str, change: impl Fn(&mut serde_json::Value)) {
    let folder = work.path().join(part);
    let packed = std::fs::File::open(folder.join("counts.json.gz")).expect("counts");
    let unpacked = flate2::read::GzDecoder::new(packed);
    let mut counts: serde_json::Value = serde_json::from_reader(unpacked).expect("JSON");
    change(&mut counts);
    let text = counts.to_string();
    write_counts(work, part, text.as_bytes());
    let path = folder.join("manifest.json");
    let text = std::fs::read(&path).expect("a manifest");
    let mut manifest: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    let cells = counts.as_array().expect("a list");
    let trials = |cell: &serde_json::Value| {
        let simulated = &cell["found"]["simulated"];
        let mut kinds = ["simulated", "played-out"].iter();
        kinds
            .find_map(|kind| simulated[kind]["trials"].as_u64())
            .unwrap_or(0)
    };
    manifest["cells"] = cells.len().into();
    manifest["trials"] = cells.iter().map(trials).fold(0, u64::saturating_add).into();
    std::fs::write(path, manifest.to_string()).expect("written");
}

/// Packs counts, and writes their checksum into the manifest.
fn write_counts(work: &Work, part: &str, text: &[u8]) {
    use std::io::Write;
    let folder = work.path().join(part);
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text).expect("packed");
    let packed = packer.finish().expect("packed");
    std::fs::write(folder.join("counts.json.gz"), &packed).expect("written");
    let path = folder.join("manifest.json");
    let manifest = std::fs::read(&path).expect("a manifest");
    let mut manifest: serde_json::Value = serde_json::from_slice(&manifest).expect("JSON");
    let sum = grapeshot::publish::folder::sha256(&packed);
    manifest["files"]["counts.json.gz"] = sum.into();
    std::fs::write(path, manifest.to_string()).expect("written");
}

#[test]
fn what_cannot_be_is_refused_though_its_checksum_is_right() {
    use serde_json::json;
    let work = work();
    let studies = "run battles.toml charges.toml --quiet --trials 300 --threads 1";
    let battle = "odds acw28 battle turns=3 --trials 300 --seed 7";
    let walked = "odds elephant charge --method simulate --trials 300 --seed 7";
    type Change = fn(&mut serde_json::Value);
    let changes: [(&str, Change); 9] = [
        (walked, |all| {
            all[0]["found"]["simulated"]["simulated"]["tally"][0][1] = json!(u64::MAX)
        }),
        (walked, |all| {
            all[0]["found"]["simulated"]["simulated"]["tally"][0][0][0][0] = json!(999)
        }),
        (walked, |all| {
            all[0]["found"]["simulated"]["simulated"]["tally"][0][0][1] = json!(200)
        }),
        (walked, |all| {
            all[0]["found"]["simulated"]["simulated"]["trials"] = json!(u64::MAX)
        }),
        (walked, |all| all[0]["cell"] = json!(7)),
        (battle, |all| {
            all[0]["found"]["simulated"]["played-out"]["counts"]["values"] = json!([])
        }),
        (battle, |all| {
            let counts = &mut all[0]["found"]["simulated"]["played-out"]["counts"];
            counts["values"][0] = json!([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 300]);
            counts["stages"] = json!([[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 300]]);
        }),
        (studies, |all| all[0]["study"] = json!(5)),
        (studies, |all| {
            let mut exact = all.as_array_mut().expect("cells").iter_mut();
            let exact = exact.find_map(|cell| cell["found"]["exact"]["exact"].as_array_mut());
            // A probability of 922337203685477.6, as the bits it has.
            exact.expect("a solution")[0][1] = json!(922_337_203_685_477.6_f64.to_bits());
        }),
    ];
    for (at, (command, change)) in changes.into_iter().enumerate() {
        let part = format!("part-{at}");
        work.run(&format!("{command} --shard 1/1 --out {part}"))
            .good();
        forge(&work, &part, change);
        let merge = match command.starts_with("run") {
            true => format!("merge {part} --out merged --quiet"),
            false => format!("merge {part}"),
        };
        work.run(&merge).refused(&[]);
        assert!(!work.path().join("merged").exists(), "nothing is written");
    }
}

#[test]
fn a_part_is_not_unpacked_without_end_and_names_no_other_file() {
    let work = work();
    let played = "odds acw28 battle turns=3 --trials 300 --seed 7 --shard 1/1 --out part";
    work.run(played).good();
    let mut bomb = b"[".to_vec();
    bomb.resize(300 << 20, b' ');
    write_counts(&work, "part", &bomb);
    work.run("merge part")
        .refused(&["part", "more than 268435456 bytes"]);
    // What lies elsewhere is no file of a part, whatever its checksum.
    work.run(played).says(&["part: written"]);
    let path = work.path().join("part/manifest.json");
    let text = std::fs::read_to_string(&path).expect("text");
    for (from, to) in [
        ("\"counts.json.gz\":", "\"../battles.toml\":"),
        ("\"files\": {", "\"files\": {\"/etc/hostname\": \"x\","),
    ] {
        assert!(text.contains(from), "{text}");
        std::fs::write(&path, text.replace(from, to)).expect("written");
        work.run("merge part").refused(&["part"]);
    }
}
