//! No text, however broken, is too much: texts of the project with pieces taken out, doubled and exchanged are read,
//! checked and played, and the worst that happens is a message.

mod common;
#[path = "common/fuzzed.rs"]
mod fuzzed;

use grapeshot_drill::load::{Files, load};

/// A small generator of our own: the same texts every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % most.max(1)
    }
}

/// Words and signs of a text.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if at > start && !(word(c) && word(last)) && !(c == ' ' && last == ' ') {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = c;
    }
    pieces.push(&text[start..]);
    pieces
}

fn broken(text: &str, chance: &mut Chance) -> String {
    let mut pieces = pieces(text);
    for _ in 0..1 + chance.below(4) {
        let (a, b) = (chance.below(pieces.len()), chance.below(pieces.len()));
        let number = |piece: &&str| piece.bytes().all(|c| c.is_ascii_digit());
        let numbers: Vec<usize> = (0..pieces.len())
            .filter(|&at| number(&pieces[at]))
            .collect();
        match chance.below(7) {
            4.. if !numbers.is_empty() => {
                // Numbers nobody expects: more of these texts can be played.
                let all = ["0", "1", "2", "7", "99", "1000", "65536", "1000000000"];
                pieces[numbers[chance.below(numbers.len())]] = all[chance.below(all.len())];
            }
            0 => drop(pieces.remove(a)),
            1 => pieces.insert(a, pieces[b]),
            2 => pieces.swap(a, b),
            _ => pieces[a] = pieces[b],
        }
    }
    pieces.concat()
}

#[test]
fn broken_texts_end_in_messages() {
    let texts = common::texts();
    let trials: usize = std::env::var("DRILL_TRIALS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(300);
    let mut chance = Chance(7);
    for trial in 0..trials {
        let (_, text) = &texts[trial % texts.len()];
        let text = broken(text, &mut chance);
        fuzzed::read(&text);
        fuzzed::played(&text);
    }
}

/// A small ruleset around some items.
fn around(items: &str, body: &str) -> String {
    format!(
        "ruleset r: \"R\"\nunit Unit, called unit:\n  men: 0..9 = 1\n  up: Flag\n{items}\nprocedure p:\n  sides a, b: men\n  report men = a.men\n{body}\n"
    )
}

/// Texts whose work would double with every line, if it were done naively.
#[test]
fn no_text_takes_for_ever() {
    let mut nested = String::from("a.up");
    for step in 0..20 {
        nested = format!(
            "(b.up {} {nested})",
            if step % 2 == 0 { "or" } else { "and" }
        );
    }
    let condition = around("", &format!("  if {nested}: a.men = 1"));
    let mut defines = String::from("define f0(unit) -> Unit = unit\n");
    for n in 1..50 {
        let before = n - 1;
        defines += &format!(
            "define f{n}(unit) -> Unit = f{before}(unit) if unit.up else f{before}(unit.enemy)\n"
        );
    }
    let calls = around(&defines, "  let x = f49(a)\n  x.men = 1\n  end {x}-wins");
    let mut loops = String::new();
    for depth in 0..30 {
        loops += &format!("{}repeat 2 times:\n", " ".repeat(2 + depth));
    }
    loops += &format!("{}a.men = 1", " ".repeat(40));
    let loops = around("", &loops);
    let record = "record R: x: 0..9 = 0\n  \"{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}!\"\ntable t: d6 by columns: R\n      1\n  1-6 1111111111111111111111111111111\n";
    let mut chain = String::from("define g0() -> Number = 1\n");
    for n in 1..5_000 {
        chain += &format!("define g{n}() -> Number = g{}()\n", n - 1);
    }
    for text in [
        condition,
        calls,
        loops,
        around(record, ""),
        around(&chain, ""),
    ] {
        let files = Files {
            texts: vec![("text", &text)],
            ..Files::default()
        };
        let begun = std::time::Instant::now();
        let _ = load(&files, &|_| None).shown();
        assert!(begun.elapsed().as_secs() < 10, "{}", &text[..200]);
    }
}

/// Found by the fuzzer: the field that was refused had taken the place of the one before it.
#[test]
fn a_field_declared_twice_is_an_error_where_a_line_counts_by_it() {
    let text = "ruleset twice: \"Twice\"\nabout \"two\"\nunit Regiment:\n  men: 1..9 = 3\n\
                line Brigade of Regiment times regiments, called side:\n  regiments: 1..6 = 3\n  regiments: 1..6 = 3\n";
    let files = Files {
        texts: vec![("text", text)],
        ..Files::default()
    };
    let loaded = load(&files, &|_| None);
    assert!(loaded.program.is_none());
    let said = loaded.shown();
    assert!(said.contains("two fields called `regiments`"), "{said}");
}

/// Found by the fuzzer in the same way: a die whose faces stand in a list that is there twice.
#[test]
fn a_list_declared_twice_is_an_error_where_a_die_reads_it() {
    let list = "list faces: 1..9\n  low   1\n  high  6\n\n";
    let text = format!(
        "ruleset twice: \"Twice\"\nabout \"two\"\n\n{list}dice d = faces.low..faces.high\n\n{list}"
    );
    let files = Files {
        texts: vec![("text", &text)],
        ..Files::default()
    };
    let loaded = load(&files, &|_| None);
    assert!(loaded.program.is_none());
    let said = loaded.shown();
    assert!(said.contains("`faces` is declared twice"), "{said}");
}
