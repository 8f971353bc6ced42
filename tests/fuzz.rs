//! Everything that reads what a person wrote, fed with what nobody would write.
//!
//! The bundled files are taken apart and put together wrongly, thousands of times, with a fixed seed;
//! whatever comes out is accepted or refused, and never a panic. `GRAPESHOT_FUZZ_SECONDS=3600 cargo test
//! --release --test fuzz` gives each target an hour with a seed of its own, printed with any failure. A
//! coverage-guided fuzzer needs a nightly compiler, which a newcomer has not: `fuzz/` feeds the same targets
//! with one, and what it found is `crashes_that_were_found`.

mod fuzzed;
#[cfg(feature = "serve")]
mod serving;

use grapeshot::cli::Cli;
use grapeshot_rules::file;
use grapeshot_study::{BUNDLED, VARIANTS};
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
    let seed = seconds.map_or(1863, |_| grapeshot_engine::engine::fresh_seed());
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

#[test]
fn studies() {
    let seeds: Vec<String> = BUNDLED.iter().map(|(_, text)| (*text).to_owned()).collect();
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
fn logs() {
    let lines = "elephant fire range=100 --got effect=none\nelephant morale --got result=pass\n";
    let toml = "[[entry]]\nrules = \"elephant\"\nprocedure = \"fire\"\nsettings = { range = 100 }\ngot = [\"effect=none\"]\n";
    for (file, seed) in [("log.txt", lines), ("log.toml", toml)] {
        feed(file, &[seed.to_owned()], |text| fuzzed::log(file, text));
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

/// Links of the page, over the wire: a page or a sentence, and never a fault of the program.
#[cfg(feature = "serve")]
#[test]
fn links() {
    let served = serving::Served::new();
    let typed = "house=rules+%3D+%22gbacw%22%0D%0Aname+%3D+%22x%22";
    let packed = served.post("/gbacw/morale?got=result%3Dpass", typed);
    let packed = packed.header("location").expect("a link").to_owned();
    let seeds = [
        "/elephant/charge?attacker.grade=veteran&defender.cover=wall".to_owned(),
        "/gbacw/fire?v=1&tap=range:1&got=effect%3Dnone".to_owned(),
        packed,
        "/impact/move?stages&joint&of=success&worse=less".to_owned(),
        "/api/odds/gbacw/melee?method=simulate&trials=100&seed=7".to_owned(),
        "/api/luck/gbacw/morale?got=result%3Dpass".to_owned(),
        "/gbacw/standoff?plan=always+fire&did=fire,fire".to_owned(),
        "/api/rules/impact/charge".to_owned(),
        "/../../etc/passwd".to_owned(),
        "/gbacw/tables.toml".to_owned(),
    ];
    feed("links", &seeds, |text| {
        // What cannot stand in the first line of a request never reaches the page.
        let line: String = text.chars().filter(|c| c.is_ascii_graphic()).collect();
        let got = served.get(&format!("/{}", line.trim_start_matches('/')));
        assert_ne!(got.status, 500, "{line}: {}", got.body);
        assert!(!got.body.contains("root:x:0"), "{line}");
    });
    assert_eq!(served.get("/gbacw/fire").status, 200);
}
