//! Everything that reads what a person wrote, fed with what nobody would write.
//!
//! The bundled files are mangled, hundreds of times in a test run; `GRAPESHOT_FUZZ_SECONDS=3600 cargo test --release
//! --test library fuzz` gives each target an hour. A coverage-guided fuzzer needs a nightly compiler, which a
//! newcomer has not: `fuzz/` feeds the same targets with one, and a panic that it finds becomes a test.

use crate::mangled::feed;
use crate::{files, fuzzed};
use grapeshot::cli::Cli;
use grapeshot_rules::drill;
use grapeshot_study::{BUNDLED, VARIANTS};

#[test]
fn studies() {
    let seeds: Vec<String> = BUNDLED.iter().map(|study| study.text.to_owned()).collect();
    feed("studies", &seeds, fuzzed::study);
}

#[test]
fn variants() {
    let mut seeds: Vec<String> = VARIANTS
        .iter()
        .map(|(_, text)| (*text).to_owned())
        .collect();
    seeds.push(
        "rules = \"elephant\"\nname = \"x\"\n[lists.morale_values.values]\nregular = 5\n".into(),
    );
    feed("variants", &seeds, fuzzed::variant);
}

#[test]
fn styles() {
    let seeds = [
        "[figure]\nwidth = \"84mm\"\nfont_size = \"8pt\"\nstyle = \"print\"\n[words]\nattacker-wins = \"charge succeeds\"\n",
        "[figure]\npalette = [\"#000000\", \"#ffffff\"]\ndpi = 300\nheight = \"60mm\"\nlanguage = \",\"\n",
    ];
    feed("styles", &seeds.map(str::to_owned), fuzzed::style);
}

#[test]
fn targets() {
    let seeds = [
        "success=40%",
        "mean(attacker_loss)=1.5",
        "outcome=attacker-wins|defender-routs=0.25",
    ];
    feed("targets", &seeds.map(str::to_owned), fuzzed::wish);
}

#[test]
fn fights() {
    feed("fights", &fuzzed::blank_fights(), fuzzed::fight);
}

#[test]
fn rosters() {
    let seeds = ["one", "two"].map(|name| {
        let path = files::of_the_project(&format!("fuzz/seeds/rosters/{name}"));
        std::fs::read_to_string(path).expect("a roster")
    });
    feed("rosters", &seeds, fuzzed::roster);
}

#[test]
fn logs() {
    let lines = "elephant fire range=100 --got effect=none\nelephant morale --got result=pass\n";
    let toml = "[[entry]]\nrules = \"elephant\"\nprocedure = \"fire\"\nsettings = { range = 100 }\ngot = [\"effect=none\"]\n";
    for (file, seed) in [("log.txt", lines), ("log.toml", toml)] {
        feed(file, &[seed.to_owned()], |text| fuzzed::log(file, text));
    }
}

#[test]
fn parts() {
    let seeds = fuzzed::parts();
    for seed in &seeds {
        // Untouched they are read: what is fed is not refused at the door.
        grapeshot_study::read_results(seed.as_bytes()).unwrap();
    }
    feed("parts", &seeds, fuzzed::part);
}

#[test]
fn rulesets_from_files() {
    let mut seeds = vec![drill::template("my-rules").unwrap().1];
    for name in ["risk", "duel", "dba"] {
        let path = format!("{}/{name}.drill", files::example(name));
        seeds.push(std::fs::read_to_string(path).unwrap());
    }
    feed("rulesets from files", &seeds, fuzzed::ruleset);
}

#[test]
fn command_lines() {
    use clap::Parser;
    let seeds = [
        "grapeshot odds elephant charge attacker.grade=veteran defender.cover=wall --stages",
        "grapeshot odds acw28 battle attacker.classes=A+2*C+E --trials 10",
        "grapeshot what-if gbacw fire --mine firer --of success",
        "grapeshot break-even impact charge --vary attacker.stands --at 0.5",
        "grapeshot compare charge --sweep attacker.grade=crack,raw --precision 0.01",
    ];
    feed("command lines", &seeds.map(str::to_owned), |text| {
        drop(Cli::try_parse_from(text.split_whitespace()));
        fuzzed::words(text);
    });
}
