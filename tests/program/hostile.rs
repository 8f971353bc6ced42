//! Files, names and words that mean no good: each is refused with a sentence, or taken as the text it is.

use crate::program::{Ran, Work};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

/// Words that `Work::run` cannot say: no text.
fn run(work: &Work, words: &[&[u8]]) -> Ran {
    let words: Vec<&OsStr> = words.iter().map(|word| OsStr::from_bytes(word)).collect();
    work.run_words(&words)
}

/// The ruleset that `new` makes, with something in it replaced.
fn ruleset(from: &str, to: &str) -> Work {
    let (name, text) = grapeshot_rules::drill::template("mine").expect("a template");
    assert!(text.contains(from), "{from}");
    Work::new().with(&name, &text.replace(from, to))
}

#[test]
fn files_without_end_are_not_read_to_their_end() {
    let work = Work::new();
    for words in [
        "odds /dev/zero charge",
        "odds elephant charge --variant /dev/zero",
        "odds elephant charge --file /dev/zero",
        "odds elephant:/dev/zero.toml charge",
        "run /dev/zero",
        "check /dev/zero",
    ] {
        let ran = work.run(words);
        ran.check(ran.code == Some(2), "should be refused");
    }
}

#[test]
fn escape_sequences_of_a_strangers_ruleset_do_not_reach_the_terminal() {
    for (from, to) in [
        ("My rules", "\u{1b}]0;pwned\u{7}"),
        ("how it ends", "\u{1b}[2J"),
    ] {
        let ran = ruleset(from, to).run("odds ./mine.drill charge");
        ran.refused(&["mine.drill", "U+001B"]);
    }
    // What is typed, or globbed, is shown by its letters' numbers.
    let ran = run(
        &Work::new(),
        &[
            b"odds",
            b"elephant",
            b"charge",
            b"attacker.grade=\x1b[31mred",
        ],
    );
    ran.refused(&["\\u{1b}[31mred"]);
    ran.check(!ran.err.contains('\u{1b}'), "should escape");
}

#[test]
fn labels_are_text_in_pages_charts_and_spreadsheets() {
    let work = ruleset(
        "how it ends",
        "=HYPERLINK(1)<script>alert(1)</script>&amp;|",
    );
    for words in [
        "odds ./mine.drill charge --format html",
        "rules ./mine.drill charge --format html",
        "table ./mine.drill charge --rows attacker.men=10,20 --columns outcome --format html",
        "rules ./mine.drill charge --format markdown",
    ] {
        let ran = work.run(words);
        ran.check(
            !ran.good().contains("<script>alert"),
            "should write < as text",
        );
    }
    work.run("rules ./mine.drill charge --format csv")
        .says(&["'=HYPERLINK(1)<script>"]);
    let study = "title = \"<script>alert(2)</script>\"\nquestion = \"?\"\nrules = \"./mine.drill\"\nprocedure = \"charge\"\nmethod = \"both\"\ntrials = 100\n[sweep]\n\"attacker.men\" = [10, 20]\n[[chart]]\nkind = \"stacked\"\nx = \"attacker.men\"\nvariable = \"outcome\"\ntitle = \"</svg><script>alert(3)</script>\"\n";
    let work = work.with("study.toml", study);
    work.run("run study.toml --quiet --out out").good();
    for name in ["index.html", "study/chart-1.svg", "study/index.html"] {
        let Ok(page) = std::fs::read_to_string(work.path().join("out").join(name)) else {
            continue;
        };
        assert!(!page.contains("<script>alert"), "{name}");
    }
    let chart = std::fs::read_to_string(work.path().join("out/study/chart-1.svg"));
    assert!(chart.expect("a chart").contains("&lt;script&gt;"));
}

#[test]
fn a_name_that_is_no_text_is_a_name() {
    let work = Work::new();
    let ran = run(
        &work,
        &[b"odds", b"elephant", b"morale", b"--out", b"\xff.csv"],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(work.path().join(OsStr::from_bytes(b"\xff.csv")).is_file());
    let ran = run(&work, &[b"odds", b"\xff", b"charge"]);
    ran.refused(&["UTF-8"]);
}

#[test]
fn a_study_cannot_be_called_so_that_its_results_go_elsewhere() {
    let study = "title = \"t\"\nquestion = \"?\"\nrules = \"elephant\"\nprocedure = \"morale\"\nmethod = \"exact\"\n[sweep]\nunit.grade = [\"elite\", \"green\"]\n";
    let work = Work::new();
    for name in [&b"...toml"[..], b".x.old.toml", b"a\nb.toml", b"\xff.toml"] {
        std::fs::write(work.path().join(OsStr::from_bytes(name)), study).expect("written");
        let ran = run(&work, &[b"run", name, b"--out", b"out/deep"]);
        ran.refused(&["cannot name a folder"]);
    }
    assert!(!work.path().join("out").exists());
}

#[test]
fn results_go_through_a_link_and_leave_it_a_link() {
    let work = Work::new();
    let inside = |name: &str| work.path().join(name);
    std::fs::write(inside("real.csv"), "old").expect("written");
    symlink(inside("real.csv"), inside("link.csv")).expect("a link");
    work.run("odds elephant morale --out link.csv")
        .says(&["wrote link.csv"]);
    assert!(inside("link.csv").is_symlink());
    let real = std::fs::read_to_string(inside("real.csv")).expect("text");
    assert!(real.starts_with("variable,"), "{real}");
    // A folder of results may be elsewhere, too.
    std::fs::create_dir(inside("far")).expect("a folder");
    symlink(inside("far"), inside("near")).expect("a link");
    let study = "title = \"t\"\nquestion = \"?\"\nrules = \"elephant\"\nprocedure = \"morale\"\nmethod = \"exact\"\n[sweep]\nunit.grade = [\"elite\", \"green\"]\n[[chart]]\nkind = \"stacked\"\nx = \"unit.grade\"\nvariable = \"result\"\ntitle = \"t\"\n";
    let study = work.with("study.toml", study);
    study.run("run study.toml --quiet --out near").good();
    assert!(study.path().join("far/study/manifest.json").is_file());
    assert!(study.path().join("near").is_symlink());
}

#[test]
fn an_answer_into_a_pipe_or_a_device_leaves_it_one() {
    use std::os::unix::fs::FileTypeExt;
    let work = Work::new();
    // Through a link: whatever goes wrong, the device itself is not in reach.
    symlink("/dev/null", work.path().join("null.csv")).expect("a link");
    work.run("odds elephant morale --out null.csv").good();
    assert!(work.path().join("null.csv").is_symlink());
    let null = std::fs::metadata("/dev/null").expect("a device");
    assert!(null.file_type().is_char_device());
}

#[test]
fn numbers_beyond_all_bounds_are_refused_with_the_bounds() {
    let work = Work::new();
    for (words, bound) in [
        ("odds elephant charge --max-states 0", "1"),
        (
            "odds elephant charge --max-states 99999999999999999999",
            "max-states",
        ),
        (
            "odds elephant charge --trials 1000000000001",
            "1000000000000",
        ),
        ("odds elephant charge --threads 4096", "1024"),
        ("odds elephant charge --precision nan", "0.000001"),
        ("odds elephant charge --precision 1e-300", "0.000001"),
        ("odds elephant charge --seed=-1", "seed"),
        (
            "odds elephant charge attacker.stands=99999999999999999999",
            "from 1 to",
        ),
        ("odds elephant charge attacker.stands=-0x10", "from 1 to"),
        (
            "odds elephant battle attacker.grades=999999999*regular",
            "attacker.grades",
        ),
        (
            "odds elephant charge --shard 18446744073709551616/2",
            "shard",
        ),
    ] {
        work.run(words).refused(&[bound]);
    }
}

#[test]
fn a_file_that_is_deep_or_broken_is_one_sentence() {
    let deep = format!("a = {}", "[".repeat(100_000));
    let dotted = format!("{} = 1", ["a"; 50_000].join("."));
    let work = Work::new()
        .with("deep.toml", &deep)
        .with("dotted.toml", &dotted)
        .with("nul.toml", "rules = \"elephant\"\nname = \"a\\u0000b\"\n");
    for file in ["deep.toml", "dotted.toml", "nul.toml"] {
        for words in [
            format!("odds elephant charge --variant {file}"),
            format!("odds elephant charge --file {file}"),
            format!("odds ./{file} charge"),
            format!("run {file} --out out"),
            format!("luck --log {file}"),
            format!("what-if elephant charge --style {file}"),
        ] {
            let ran = work.run(&words);
            ran.refused(&[file]);
            ran.check(ran.err.len() < 2000, "should be short");
        }
    }
    std::fs::write(work.path().join("bytes.toml"), b"a = \"\xff\"").expect("written");
    work.run("run bytes.toml").refused(&["bytes.toml", "UTF-8"]);
}
