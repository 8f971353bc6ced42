//! Every command line that stands in the README, the guides and the help is run as it is written, in order, in a folder of
//! its own, and what is shown under it has to come out.
//!
//! A fence whose first line is a comment with a file's name is that file. In a `console` fence the lines after `$ …` are
//! what it prints, as far as `…`.

use crate::program::{PATIENCE, program};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What is never run here, and why.
const LEFT_OUT: [(&str, &str); 6] = [
    (" serve", "it does not end"),
    ("--watch", "it does not end"),
    ("grapeshot report", "it is the main command, which CI runs"),
    ("--shard auto", "it reads what a cluster sets"),
    ("--trials 10", "it is meant to take long"),
    ("completions", "it writes where a shell looks"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a line as a shell would, with the program on the path.
fn run(folder: &Path, line: &str) -> Output {
    let program = PathBuf::from(program().get_program());
    let here = program.parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([here].into_iter().chain(std::env::split_paths(&path)));
    let mut child = Command::new("bash")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path.expect("a path"))
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(folder.join(".out")).expect("a file"))
        .stderr(std::fs::File::create(folder.join(".err")).expect("a file"))
        .spawn()
        .expect("bash");
    let begun = std::time::Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("its end") {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "{line} does not end");
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    Output {
        status,
        stdout: std::fs::read(folder.join(".out")).expect("what it printed"),
        stderr: std::fs::read(folder.join(".err")).expect("what it complained"),
    }
}

/// A line, and what is shown under it.
#[derive(Debug, Default)]
struct Shown {
    line: String,
    prints: Vec<String>,
}

/// Lines that begin with the program's name, those that go on below joined.
fn lines(text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut open = String::new();
    for line in text.lines() {
        open += line.trim();
        if open.ends_with('\\') {
            open.pop();
            continue;
        }
        let whole = std::mem::take(&mut open);
        // A remark stands behind two blanks at least; in a help it may do without its sign.
        let line = whole.split("  ").next().unwrap_or_default();
        if line.starts_with("grapeshot ") {
            found.push(Shown {
                line: line.trim_end().to_owned(),
                prints: Vec::new(),
            });
        }
    }
    found
}

/// What a document has to be tried: commands and files, in order.
enum Step {
    File(String, String),
    Try(Shown),
}

fn steps(document: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut parts = document.split("\n```");
    parts.next();
    while let Some(fence) = parts.next() {
        let (kind, body) = fence.split_once('\n').unwrap_or((fence, ""));
        if kind == "console" {
            let mut shown: Vec<Shown> = Vec::new();
            for line in body.lines() {
                match (line.strip_prefix("$ "), shown.last_mut()) {
                    (Some(line), _) => shown.push(Shown {
                        line: line.to_owned(),
                        prints: Vec::new(),
                    }),
                    (None, Some(last)) => last.prints.push(line.to_owned()),
                    (None, None) => panic!("a console shows a command first: {line}"),
                }
            }
            steps.extend(shown.into_iter().map(Step::Try));
        } else {
            let name = body.lines().next().and_then(|line| line.strip_prefix("# "));
            let is_file = |name: &&str| {
                !name.contains(' ') && (name.ends_with(".toml") || name.ends_with(".drill"))
            };
            match name.filter(is_file) {
                Some(name) => steps.push(Step::File(name.to_owned(), body.to_owned())),
                None => steps.extend(lines(body).into_iter().map(Step::Try)),
            }
        }
        // What stands between fences.
        parts.next();
    }
    steps
}

fn is_left_out(line: &str) -> bool {
    LEFT_OUT.iter().any(|(part, _)| line.contains(part))
}

/// What a user has at hand in a clone.
fn at_hand(folder: &Path) {
    let from = root().join("experiments");
    std::os::unix::fs::symlink(from, folder.join("experiments")).expect("a link");
}

/// Tries everything in order, and says what went otherwise.
fn tried(folder: &Path, place: &str, steps: Vec<Step>) -> (usize, Vec<String>) {
    let (mut run_lines, mut wrong) = (0, Vec::new());
    for step in steps {
        let shown = match step {
            Step::File(name, text) => {
                std::fs::write(folder.join(name), text).expect("a file");
                continue;
            }
            Step::Try(shown) if is_left_out(&shown.line) => continue,
            Step::Try(shown) => shown,
        };
        run_lines += 1;
        let ran = run(folder, &shown.line);
        let (out, err) = (
            String::from_utf8_lossy(&ran.stdout).into_owned(),
            String::from_utf8_lossy(&ran.stderr).into_owned(),
        );
        if !ran.status.success() {
            wrong.push(format!("{place}: {}\n  {}", shown.line, err.trim()));
            continue;
        }
        let printed = out.lines().map(str::trim_end);
        let wanted = shown.prints.iter().take_while(|line| *line != "…");
        for (line, (wanted, printed)) in
            wanted.zip(printed.chain(std::iter::repeat(""))).enumerate()
        {
            if wanted.trim_end() != printed {
                wrong.push(format!(
                    "{place}: {} prints in line {}\n  {printed}\nnot\n  {wanted}",
                    shown.line,
                    line + 1
                ));
                break;
            }
        }
    }
    (run_lines, wrong)
}

#[test]
fn what_the_readme_shows_is_what_comes_out() {
    let folder = tempfile::tempdir().expect("a folder");
    at_hand(folder.path());
    let text = std::fs::read_to_string(root().join("README.md")).expect("a README");
    let (lines, wrong) = tried(folder.path(), "README.md", steps(&text));
    assert!(lines >= 30, "only {lines} lines were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_guides_can_be_followed() {
    for guide in [
        "docs/house-rules.md",
        "docs/own-rules.md",
        "docs/page.md",
        "docs/data.md",
        "docs/instruments.md",
        "experiments/README.md",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        at_hand(folder.path());
        let text = std::fs::read_to_string(root().join(guide)).expect(guide);
        let (_, wrong) = tried(folder.path(), guide, steps(&text));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// Files that examples in the help name: what a user has at hand.
const AT_HAND: [(&str, &str); 7] = [
    ("prices.toml", "[grade]\nregular = 10\nelite = 16\n"),
    (
        "house.toml",
        "rules = \"elephant\"\n[tables.melee_results.rows.8]\n\"1:1\" = \"RT/K1\"\n",
    ),
    (
        "volleys.toml",
        "rules = \"acw28\"\n[tables.to_hit.rows.C]\nsmall-arms = \"+3\"\n",
    ),
    (
        "book.toml",
        "[figure]\nwidth = \"84mm\"\nstyle = \"print\"\n",
    ),
    (
        "wishes.toml",
        "[[target]]\nprocedure = \"charge\"\nsettings = { attacker.class = \"A\" }\nwant = \"success=60%\"\n",
    ),
    (
        "game.toml",
        "rules = \"elephant\"\n[[entry]]\nprocedure = \"charge\"\ngot = { outcome = \"attacker-halts\" }\n",
    ),
    (
        "mine.toml",
        "title = \"Mine\"\nquestion = \"How much does a grade buy?\"\nrules = \"elephant\"\nprocedure = \"charge\"\n\
         trials = 20000\n[sweep]\n\"attacker.grade\" = [\"elite\", \"militia\"]\n[[chart]]\nkind = \"line\"\n\
         x = \"attacker.grade\"\nvalue = \"success\"\ntitle = \"Success by grade\"\n",
    ),
];

#[test]
fn every_example_in_the_help_runs() {
    let help = |words: &[&str]| {
        let out = program().args(words).output().expect("the program");
        String::from_utf8(out.stdout).expect("text")
    };
    let all = help(&["--help"]);
    let list = all.split("Commands:\n").nth(1).expect("a list of commands");
    let commands = list.lines().take_while(|line| line.starts_with("  "));
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    let (mut lines_run, mut wrong) = (0, Vec::new());
    for command in commands.filter(|command| *command != "help") {
        let text = help(&[command, "--help"]);
        let Some((_, examples)) = text.split_once("Examples:\n") else {
            panic!("{command} has no examples in its help");
        };
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in AT_HAND {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        at_hand(folder.path());
        for line in [
            "grapeshot rules elephant --fight > fight.toml",
            "grapeshot words > de.toml",
            "grapeshot run mine.toml --shard 1/2 --quiet && grapeshot run mine.toml --shard 2/2 --quiet",
        ] {
            let made = run(folder.path(), line);
            assert!(made.status.success(), "{line}: {made:?}");
        }
        if command != "new" {
            run(folder.path(), "grapeshot new my-rules");
        }
        let examples = lines(examples).into_iter().map(Step::Try).collect();
        let (run_lines, more) = tried(folder.path(), &format!("{command} --help"), examples);
        lines_run += run_lines;
        wrong.extend(more);
    }
    assert!(lines_run >= 60, "only {lines_run} lines were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
