//! Texts taken apart and put together wrongly, with a fixed seed: whatever is fed with them accepts or refuses them,
//! and never panics.
//!
//! `GRAPESHOT_FUZZ_SECONDS=3600` gives each target an hour with a seed of its own, printed with any failure.

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
pub fn feed(name: &str, seeds: &[String], target: impl Fn(&str)) {
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
