//! Studies as they are run: what is written, when it is written again, and what stops it.

use crate::files::below as files;
use crate::program::{Ran, Work, program};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const STUDY: &str = r#"
title = "Charges by grade"
question = "What is a grade worth?"
rules = "elephant"
procedure = "charge"
method = "both"
trials = 100_000
seed = 7
[sweep]
"attacker.kind" = ["infantry", "artillery"]

"attacker.grade" = ["elite", "green"]
[[chart]]
kind = "stacked"
x = "attacker.grade"
variable = "outcome"
panels = "attacker.kind"
title = "How it ends"
[[finding]]
of = "outcome=attacker-wins"
name = "the chance of a won melee"
along = "attacker.grade"
"#;
fn work() -> Work {
    Work::new().with("study.toml", STUDY)
}

fn succeeds(ran: &Ran) -> &str {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    &ran.out
}

#[test]
fn a_study_is_written_whole_and_left_alone_when_it_is_up_to_date() {
    let work = work();
    let first = work.run("run study.toml --out out --quiet");
    assert!(succeeds(&first).contains("out/study: written\n"));
    assert!(
        first
            .out
            .contains("In “Seeing the Elephant!”, the chance of a won melee runs from")
    );
    let written = files(&work.path().join("out/study"));
    let names: Vec<&Path> = written.keys().map(PathBuf::as_path).collect();
    let wanted = [
        "README.md",
        "agreement.csv",
        "chart-1.pdf",
        "chart-1.png",
        "chart-1.svg",
        "chart-1.txt",
        "data-dictionary.md",
        "index.html",
        "manifest.json",
        "means.csv",
        "means.parquet",
        "outcomes.csv",
        "outcomes.parquet",
        "section.json",
        "skipped.csv",
        "summary.csv",
        "summary.parquet",
    ];
    assert_eq!(names, wanted.map(Path::new));
    let manifest: Value =
        serde_json::from_slice(&written[Path::new("manifest.json")]).expect("JSON");
    for (key, value) in [
        ("seed", Value::from(7)),
        ("trials", Value::from(100_000)),
        ("method", Value::from("both")),
        ("procedure", Value::from("charge")),
    ] {
        assert_eq!(manifest[key], value, "{key}");
    }
    let listed = manifest["files"].as_object().expect("files");
    assert_eq!(
        listed.len(),
        wanted.len() - 1,
        "all but the manifest itself"
    );

    let second = work.run("run study.toml --out out --quiet");
    assert!(succeeds(&second).contains("out/study: up to date\n"));
    let forced = work.run("run study.toml --out out --quiet --force");
    assert!(succeeds(&forced).contains("out/study: written\n"));
    assert_eq!(files(&work.path().join("out/study")), written);
    let other = work.run("run study.toml --out out --quiet --seed 8");
    assert!(succeeds(&other).contains("out/study: written\n"));
    assert_ne!(files(&work.path().join("out/study")), written);
}

const BOOK: &str = r#"
[figure]
width = "84mm"
font_size = "8pt"
footer = "Fig. 1"
[words]
attacker-wins = "the charge succeeds"
"attacker.grade" = "Quality"

"#;
const FIGURES: &str = r#"
title = "Figures"
question = "How do they look?"
rules = "elephant"
procedure = "standoff"
method = "exact"
style = "book.toml"
[settings]
turns = 2
[sweep]
"a.grade" = ["elite", "poor"]

[[chart]]
kind = "policy"
only = { "a.grade" = "elite" }
title = "What to do"
alt = "In this turn fire, in the next charge."
[[chart]]
kind = "policy"
panels = "a.grade"
title = "What to do, by grade"
[[chart]]
kind = "dotplot"
x = "a.grade"
variable = "b_stands_lost"
title = "What it costs"
"#;
#[test]
fn one_style_holds_for_studies_and_for_commands() {
    let work = work().with("book.toml", BOOK).with("figures.toml", FIGURES);
    succeeds(&work.run("run study.toml --out out --quiet --trials 100 --style book.toml"));
    let written = files(&work.path().join("out/study"));
    let text = |name: &str| String::from_utf8_lossy(&written[Path::new(name)]).into_owned();
    let svg = text("chart-1.svg");
    for part in ["width=\"84mm\"", "the charge succeeds", "Quality", "Fig. 1"] {
        assert!(svg.contains(part), "{part} in {svg}");
    }
    assert!(written[Path::new("chart-1.pdf")].starts_with(b"%PDF"));
    assert!(text("chart-1.txt").contains("Share of charges by Quality"));

    succeeds(&work.run("run figures.toml --out out --quiet"));
    let written = files(&work.path().join("out/figures"));
    let text = |name: &str| String::from_utf8_lossy(&written[Path::new(name)]).into_owned();
    assert!(text("chart-1.svg").contains("<desc>In this turn fire, in the next charge.</desc>"));
    assert!(text("chart-1.svg").contains("width=\"84mm\""));
    assert!(text("chart-2.svg").contains("a's grade elite"));
    assert!(text("chart-3.txt").contains("20 equally likely values"));

    work.run("what-if elephant melee --style book.toml --out figure.svg")
        .good();
    let drawn = std::fs::read_to_string(work.path().join("figure.svg")).expect("a picture");
    assert!(drawn.contains("width=\"84mm\"") && drawn.contains("Quality"));
}

#[test]
fn a_style_that_cannot_be_is_refused_and_nothing_is_written() {
    let narrow = BOOK.replace("84mm", "41mm");
    let unknown = BOOK.replace("attacker-wins", "attacker-wons");
    let by = FIGURES.replace("title = \"What to do\"", "title = \"t\"\nby = \"weather\"");
    let work = work()
        .with("book.toml", BOOK)
        .with("narrow.toml", &narrow)
        .with("unknown.toml", &unknown)
        .with("by.toml", &by);
    for (command, parts) in [
        (
            "run study.toml --style narrow.toml",
            ["narrow.toml", "figure.width", "allowed is"],
        ),
        (
            "run study.toml --style unknown.toml",
            [
                "unknown.toml",
                "words.attacker-wons",
                "did you mean `attacker-wins`",
            ],
        ),
        (
            "run study.toml --style none.toml",
            ["none.toml", "cannot be read", ""],
        ),
        ("run by.toml", ["by.toml", "chart[1].by", "turn"]),
        (
            "odds elephant charge --out x.svg",
            ["x.svg", "picture", ".html"],
        ),
    ] {
        let ran = match command.starts_with("run") {
            true => work.run(&format!("{command} --trials 100 --out out --quiet")),
            false => work.run(command),
        };
        ran.refused(&parts);
        let left = std::fs::read_dir(work.path().join("out")).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{command}");
    }
}

#[test]
fn the_same_study_gives_the_same_bytes_on_any_number_of_threads() {
    let work = work();
    let on = |threads: usize| {
        let out = format!("out{threads}");
        let words = format!("run study.toml --out {out} --quiet --threads {threads}");
        succeeds(&work.run(&words));
        files(&work.path().join(out).join("study"))
    };
    let one = on(1);
    for threads in [2, 7] {
        assert_eq!(on(threads), one, "{threads} threads");
    }
}

#[test]
fn cells_the_rules_refuse_are_kept_with_the_reason() {
    let work = work();
    let ran = work.run("run study.toml --out out --quiet");
    let listed = succeeds(&ran);
    assert_eq!(
        listed.matches("skipped: attacker's kind artillery").count(),
        2,
        "{listed}"
    );
    let read = |name: &str| {
        let path = work.path().join("out/study").join(name);
        std::fs::read_to_string(path).expect("a file")
    };
    let skipped = read("skipped.csv");
    assert_eq!(
        skipped.lines().count(),
        3,
        "a heading and two cells: {skipped}"
    );
    assert!(skipped.contains("artillery"), "{skipped}");
    assert!(read("summary.csv").contains("infantry,green,simulate,outcome"));
    assert!(read("summary.csv").contains("infantry,green,exact,outcome"));
}

#[test]
fn a_wrong_study_is_refused_before_anything_is_written() {
    for (from, to, says) in [
        ("\"elephant\"", "\"elefant\"", "did you mean `elephant`"),
        ("\"charge\"", "\"chrage\"", "did you mean `charge`"),
        ("\"elite\", ", "\"elitist\", ", "attacker.grade"),
        (
            "x = \"attacker.grade\"",
            "x = \"defender.grade\"",
            "chart[1].x",
        ),
        (
            "variable = \"outcome\"",
            "variable = \"result\"",
            "chart[1].variable",
        ),
        ("along = \"attacker.grade\"", "along = \"range\"", "range"),
        ("trials = 100_000", "trials = 0", "`trials`"),
        ("seed = 7", "sed = 7", "`sed`"),
        (
            "[sweep]",
            "[settings]\nattacker.grade = \"poor\"\n[sweep]",
            "is swept too",
        ),
        ("title = \"Charges", "title = Charges", "not valid TOML"),
    ] {
        let work = Work::new().with("study.toml", &STUDY.replacen(from, to, 1));
        work.run("run study.toml --out out")
            .refused(&["study.toml", says]);
        assert!(!work.path().join("out").exists(), "{to}");
    }
}

#[test]
fn everything_that_is_wrong_with_a_study_is_said_at_once_with_its_line() {
    let wrong = STUDY
        .replacen("seed = 7", "sed = 7", 1)
        .replacen("\"green\"]", "\"gren\"]", 1)
        .replacen("variable = \"outcome\"", "variable = \"result\"", 1)
        .replacen("of = \"outcome=attacker-wins\"", "of = \"sucess\"", 1)
        .replacen("title = \"Charges by grade\"", "", 1);
    let line = |part: &str| {
        let at = wrong.lines().position(|line| line.contains(part));
        format!("study.toml:{}:", at.expect(part) + 1)
    };
    let work = Work::new().with("study.toml", &wrong);
    work.run("run study.toml --out out").refused(&[
        "5 things are wrong",
        "`title`: is missing",
        &(line("sed = 7") + "1: `sed`: is unknown"),
        &(line("gren") + "20: `sweep.attacker.grade`"),
        &(line("variable =") + "12: `chart[1].variable`"),
        &(line("sucess") + "6: `finding[1].of`"),
    ]);
    assert!(!work.path().join("out").exists());
}

#[test]
fn the_example_of_the_guide_runs_as_it_stands_anywhere() {
    let guide = include_str!("../../experiments/README.md");
    let (_, rest) = guide.split_once("```toml\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let work = Work::new().with("mine.toml", example);
    let ran = work.run("run mine.toml --quiet --trials 100");
    let out = succeeds(&ran);
    assert!(out.contains("In “Seeing the Elephant!”, the attacker's chance of success runs from"));
    assert!(out.contains("page: reports/mine/index.html"), "{out}");
    assert!(work.path().join("reports/mine/chart-1.svg").exists());
    for line in example.lines().filter(|line| line.contains("# required")) {
        let without = example.replacen(line, "", 1);
        let key = line.split(' ').next().expect("a key");
        let work = Work::new().with("mine.toml", &without);
        work.run("run mine.toml")
            .refused(&["mine.toml", key, "is missing"]);
    }
}

#[test]
fn an_output_folder_that_cannot_be_written_is_named() {
    let work = work().with("out", "a file where the folder should be");
    work.run("run study.toml --out out")
        .refused(&["cannot write out"]);
}

#[test]
fn only_picks_studies_by_name() {
    let work = work().with("other.toml", STUDY);
    let ran = work.run("run study.toml other.toml --only st* --out out --quiet --trials 1000");
    assert!(succeeds(&ran).contains("out/study: written\n"));
    assert!(!work.path().join("out/other").exists());
    work.run("run study.toml --only x* --out out")
        .refused(&["no experiment matches --only `x*`"]);
}

/// Ctrl-C in the middle: the old folder stays as it was, and the program ends within a second or so.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_what_was_there() {
    let work = work();
    succeeds(&work.run("run study.toml --out out --quiet"));
    let before = files(&work.path().join("out/study"));
    let mut child = program()
        .current_dir(work.path())
        .args(["run", "study.toml", "--out", "out", "--quiet"])
        .args(["--trials", "1000000000000"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    std::thread::sleep(Duration::from_millis(500));
    let sent = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(sent.success());
    let asked = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code();
        }
        // Generous: the machine may be busy. Not stopping at all would take days.
        assert!(
            asked.elapsed() < Duration::from_secs(60),
            "it does not stop"
        );
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(code, Some(1));
    assert_eq!(files(&work.path().join("out/study")), before);
    let left: Vec<_> = std::fs::read_dir(work.path().join("out"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left, ["study"], "nothing half-written is left");
}

#[test]
fn a_quick_report_can_be_made_from_anywhere() {
    let work = Work::new();
    let ran = work.run("report --quick --quiet --out here");
    assert!(succeeds(&ran).ends_with("here/index.html\n"));
    let page = std::fs::read_to_string(work.path().join("here/index.html")).expect("a page");
    for outside in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(
            !page.contains(outside),
            "the page asks for nothing outside: {outside}"
        );
    }
    assert!(page.contains("<meta name=\"viewport\""));
    let contents = std::fs::read_to_string(work.path().join("here/README.md")).expect("contents");
    assert!(contents.len() < 20_000, "contents that nobody reads");
    for part in [
        "## How to read a number",
        "## Seeing the Elephant! (elephant)",
    ] {
        assert!(contents.contains(part), "{part}");
    }
    // Every page and picture it leads to is there, and every study is one of them.
    let links = contents.split("](").skip(1);
    let links: Vec<&str> = links
        .filter_map(|rest| Some(rest.split_once(')')?.0))
        .collect();
    for link in &links {
        assert!(work.path().join("here").join(link).is_file(), "{link}");
    }
    for study in grapeshot_study::BUNDLED {
        let page = format!("{}/README.md", study.id);
        assert!(links.contains(&page.as_str()), "{page}");
        for kept in [
            "summary.csv",
            "summary.parquet",
            "data-dictionary.md",
            "index.html",
        ] {
            let file = work.path().join("here").join(study.id).join(kept);
            assert!(file.is_file(), "{}", file.display());
        }
    }
}

const HOUSE: &str =
    "rules = \"elephant\"\nname = \"house\"\n[tables.melee_results.rows.8]\n\"1:1\" = \"RT/K1\"\n";

#[test]
fn a_study_is_run_under_a_house_rule_and_until_it_is_known_well_enough() {
    let work = work().with("house.toml", HOUSE);
    let odds = |out: &str| {
        let file = work.path().join(out).join("study/outcomes.csv");
        std::fs::read_to_string(file).expect("a table")
    };
    succeeds(&work.run("run study.toml --out plain --quiet --method exact"));
    succeeds(&work.run("run study.toml --out house --quiet --method exact --variant house.toml"));
    assert_ne!(odds("plain"), odds("house"));
    let page = std::fs::read_to_string(work.path().join("house/study/index.html")).expect("a page");
    assert!(page.contains("house"), "the page names the variant");
    // The variant is part of what the results depend on.
    let again = work.run("run study.toml --out house --quiet --method exact");
    assert!(
        succeeds(&again).contains("house/study: written"),
        "{}",
        again.out
    );

    let known =
        work.run("run study.toml --out known --quiet --method simulate --precision 0.01 --seed 3");
    succeeds(&known);
    let manifest: Value = serde_json::from_slice(
        &files(&work.path().join("known/study"))[Path::new("manifest.json")],
    )
    .expect("JSON");
    assert_eq!(manifest["precision"], 0.01);
    let page = std::fs::read_to_string(work.path().join("known/study/index.html")).expect("a page");
    assert!(
        page.contains("known to ±0.01"),
        "the page says how long it went on"
    );
    // Known to a hundredth after some ten thousand trials, so the first round is enough: four batches.
    let counted: u64 = (odds("known").lines().skip(1))
        .filter(|line| line.contains(",infantry,elite,"))
        .filter_map(|line| line.split(',').rev().nth(3)?.parse::<u64>().ok())
        .sum();
    assert_eq!(counted, 4 * 65_536);
}

#[test]
fn what_a_study_cannot_take_is_refused() {
    let other = HOUSE.replace("elephant", "gbacw");
    let work = work().with("house.toml", HOUSE).with("other.toml", &other);
    let idle = work.run("run study.toml --out out --quiet --variant other.toml");
    assert_eq!(idle.code, Some(2));
    assert!(
        idle.err.contains("`other.toml` is a variant of gbacw"),
        "{}",
        idle.err
    );
    // A report asks before it works.
    let work = work.with("stray.toml", "rules = \"chess\"\nname = \"stray\"\n");
    let stray = work.run("report --quick --out out --quiet --variant stray.toml");
    assert_eq!(stray.code, Some(2));
    assert!(stray.err.contains("chess"), "{}", stray.err);
    let shards = work.run("run study.toml --shard 1/2 --precision 0.01 --quiet");
    assert_eq!(shards.code, Some(2));
    assert!(shards.err.contains("--precision"), "{}", shards.err);
    assert!(!work.path().join("out").exists());
}
