//! Everything that reads what a person wrote, fed with what nobody would write.
//!
//! The bundled files are taken apart and put together wrongly, thousands of times, with a fixed seed;
//! whatever comes out is accepted or refused, and never a panic. A coverage-guided fuzzer would need a
//! nightly compiler, which a newcomer has not; this runs with the other tests. `GRAPESHOT_FUZZ_SECONDS=3600 cargo
//! test --release --test fuzz` gives each target an hour with a seed of its own, printed with any failure.

use grapeshot::cli::Cli;
use grapeshot::engine::Budget;
use grapeshot::rules::fight::{FightFile, Said, blank};
use grapeshot::rules::file::Limits;
use grapeshot::rules::{self, Loaded, Options, Registry, Variant, file};
use grapeshot::study::luck::read_log;
use grapeshot::study::tune::Wish;
use grapeshot::study::{BUNDLED, Experiment, Style, VARIANTS};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Texts tried for each target in a test run.
const TRIES: usize = 300;

/// Pieces that break things.
const PIECES: &[&str] = &[
    "=",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "\"",
    "'''",
    "#",
    "\n",
    "\\",
    ",",
    ".",
    "..",
    "-1",
    "0",
    "1e999",
    "nan",
    "9223372036854775807",
    "99999999999999999999",
    "-0",
    "true",
    "[]",
    "{}",
    "\u{0}",
    "\u{feff}",
    "é",
    "—",
    "🎲",
    "*",
    "+",
    "8*",
    "/",
    "/0",
    "%",
    "success",
    "mean(",
    "rules",
    "tables",
    "rows",
    "*.grade",
    "play(\"\")",
    "loop {}",
    "d(0)",
    "d(-1)",
    "dice(1000000, 6)",
    "pool(40, 6, 7)",
    "-7 / 0",
    "%00",
    "%zz",
    "&",
    "?",
];

struct Mangler(Xoshiro256PlusPlus);

impl Mangler {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n.max(1) as u64) as usize
    }

    /// A text with one to six things done to it.
    fn mangled(&mut self, seed: &str, other: &str) -> String {
        let mut bytes = seed.as_bytes().to_vec();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len() + 1);
            let until = (at + 1 + self.below(40)).min(bytes.len());
            match self.below(9) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                1 => drop(bytes.drain(at.min(until)..until)),
                2 => {
                    let again = bytes[at.min(until)..until].to_vec();
                    let to = self.below(bytes.len() + 1);
                    bytes.splice(to..to, again);
                }
                3 | 4 => {
                    let piece = PIECES[self.below(PIECES.len())];
                    bytes.splice(at.min(until)..until, piece.bytes());
                }
                5 => {
                    let piece = PIECES[self.below(PIECES.len())];
                    bytes.splice(at..at, piece.bytes());
                }
                6 => self.swap_lines(&mut bytes),
                7 => {
                    let from = self.below(other.len() + 1);
                    let part = &other.as_bytes()[from..(from + 80).min(other.len())];
                    bytes.splice(at..at, part.iter().copied());
                }
                _ => self.renumber(&mut bytes),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn swap_lines(&mut self, bytes: &mut Vec<u8>) {
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        let (a, b) = (self.below(lines.len()), self.below(lines.len()));
        lines.swap(a, b);
        *bytes = lines.join(&b'\n');
    }

    /// Another number where one stands.
    fn renumber(&mut self, bytes: &mut Vec<u8>) {
        let digits: Vec<usize> = (0..bytes.len())
            .filter(|&at| bytes[at].is_ascii_digit())
            .collect();
        if digits.is_empty() {
            return;
        }
        let at = digits[self.below(digits.len())];
        let number = ["0", "-1", "1", "255", "256", "65536", "2147483648", "0.5"][self.below(8)];
        bytes.splice(at..=at, number.bytes());
    }
}

/// Feeds a target with mangled seeds.
fn feed(name: &str, seeds: &[String], target: impl Fn(&str)) {
    assert!(!seeds.is_empty());
    let seconds = std::env::var("GRAPESHOT_FUZZ_SECONDS").ok();
    let seconds: Option<u64> = seconds.map(|text| {
        text.parse()
            .expect("GRAPESHOT_FUZZ_SECONDS is a number of seconds")
    });
    let seed = seconds.map_or(1863, |_| grapeshot::engine::fresh_seed());
    let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut mangler = Mangler(Xoshiro256PlusPlus::seed_from_u64(seed));
    for seed in seeds {
        target(seed);
    }
    let mut tries = 0;
    while until.map_or(tries < TRIES, |until| Instant::now() < until) {
        tries += 1;
        let (first, other) = (mangler.below(seeds.len()), mangler.below(seeds.len()));
        let text = mangler.mangled(&seeds[first], &seeds[other]);
        let fed = catch_unwind(AssertUnwindSafe(|| target(&text)));
        assert!(
            fed.is_ok(),
            "{name}, seed {seed}, try {tries}: a panic on\n{text}"
        );
    }
    println!("{name}: {tries} texts, seed {seed}");
}

fn loaded(id: &str) -> Loaded {
    rules::find(id).unwrap().load(&[]).unwrap()
}

/// Solved within a graph so small that thousands of questions take seconds.
fn briefly() -> Options {
    Options {
        budget: Budget { states: 300 },
        ..Options::exact()
    }
}

#[test]
fn studies() {
    let seeds: Vec<String> = BUNDLED.iter().map(|(_, text)| (*text).to_owned()).collect();
    feed("studies", &seeds, |text| {
        drop(Experiment::parse("study", "study.toml", text))
    });
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
    feed("variants", &seeds, |text| {
        let Ok(variant) = Variant::parse("house.toml", text) else {
            return;
        };
        for ruleset in Registry::built_in()
            .printed()
            .filter(|ruleset| ruleset.takes(&variant))
        {
            let Ok(loaded) = ruleset.load(std::slice::from_ref(&variant)) else {
                continue;
            };
            let procedure = &loaded.procedures[0];
            let settings = procedure
                .resolve(Vec::<(String, String)>::new())
                .expect("defaults are legal");
            drop(procedure.answer(&settings, &briefly()));
        }
    });
}

#[test]
fn styles() {
    let seeds = [
        "[figure]\nwidth = \"84mm\"\nfont_size = \"8pt\"\nstyle = \"print\"\n[words]\nattacker-wins = \"charge succeeds\"\n",
        "[figure]\npalette = [\"#000000\", \"#ffffff\"]\ndpi = 300\nheight = \"60mm\"\nlanguage = \",\"\n",
    ];
    feed("styles", &seeds.map(str::to_owned), |text| {
        drop(Style::parse("style.toml", text))
    });
}

#[test]
fn targets() {
    let seeds = [
        "success=40%",
        "mean(attacker_loss)=1.5",
        "outcome=attacker-wins|defender-routs=0.25",
    ];
    feed("targets", &seeds.map(str::to_owned), |text| {
        drop(Wish::typed(text))
    });
}

#[test]
fn fights() {
    let all: Vec<Loaded> = Registry::built_in()
        .printed()
        .map(|ruleset| loaded(&ruleset.id))
        .collect();
    let seeds: Vec<String> = all.iter().map(|loaded| blank(loaded).unwrap()).collect();
    feed("fights", &seeds, |text| {
        let Ok(table) = text.parse::<toml::Table>() else {
            return;
        };
        let Ok(fight) = FightFile::read("fight.toml", table) else {
            return;
        };
        for loaded in &all {
            let said = Said {
                fight: Some(fight.clone()),
                ..Said::default()
            };
            let procedure = &loaded.procedures[0];
            let Ok(heard) = said.to(loaded, procedure) else {
                continue;
            };
            if let Ok(settings) = procedure.resolve(heard.given) {
                drop(procedure.answer(&settings, &briefly()));
            }
        }
    });
}

#[test]
fn logs() {
    let lines = "elephant fire range=100 --got effect=none\nelephant morale --got result=pass\n";
    let toml = "[[entry]]\nrules = \"elephant\"\nprocedure = \"fire\"\nsettings = { range = 100 }\ngot = [\"effect=none\"]\n";
    for (file, seed) in [("log.txt", lines), ("log.toml", toml)] {
        feed(file, &[seed.to_owned()], |text| {
            let load = |id: &str| rules::find(id)?.load(&[]);
            if let Ok(log) = read_log(file, text, briefly(), load) {
                drop(grapeshot::study::luck::game(&log, 1863));
            }
        });
    }
}

#[test]
fn rulesets_from_files() {
    let mut seeds = vec![file::template("my-rules").unwrap()];
    for name in ["risk", "duel", "dba"] {
        let path = format!(
            "{}/examples/rules/{name}/ruleset.toml",
            env!("CARGO_MANIFEST_DIR")
        );
        seeds.push(std::fs::read_to_string(path).unwrap());
    }
    let limits = Limits {
        operations: 20_000,
        runs: 20_000,
        steps: 2_000,
        ..Limits::default()
    };
    feed("rulesets from files", &seeds, |text| {
        let Ok(ruleset) = file::ruleset("ruleset.toml", text.to_owned(), limits) else {
            return;
        };
        let Ok(loaded) = std::sync::Arc::new(ruleset).load(&[]) else {
            return;
        };
        for procedure in &loaded.procedures {
            if let Ok(settings) = procedure.resolve(Vec::<(String, String)>::new()) {
                drop(procedure.answer(&settings, &briefly()));
            }
        }
        drop(loaded.decisions());
    });
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
    let seeds = seeds.map(str::to_owned);
    let all: Vec<Loaded> = Registry::built_in()
        .printed()
        .map(|ruleset| loaded(&ruleset.id))
        .collect();
    feed("command lines", &seeds, |text| {
        drop(Cli::try_parse_from(text.split_whitespace()));
        let given = text
            .split_whitespace()
            .filter_map(|word| word.split_once('='));
        let given: Vec<(String, String)> = given
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        for loaded in &all {
            for procedure in &loaded.procedures {
                let known = |key: &str| procedure.settings.iter().any(|setting| setting.key == key);
                let mine: Vec<(String, String)> = given
                    .iter()
                    .filter(|(key, _)| known(key))
                    .cloned()
                    .collect();
                if let Ok(settings) = procedure.resolve(mine) {
                    drop((procedure.build)(&settings));
                }
            }
        }
    });
}
