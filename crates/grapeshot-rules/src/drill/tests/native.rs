//! Procedures that are written out as Rust, against the texts they were written from, played as they stand: on the same dice the same
//! end of every trial, and the same words for what goes wrong.

use super::super::native::{WRITTEN, played};
use grapeshot_drill::emit::emit;
use grapeshot_drill::load::{Files, load};
use grapeshot_drill::program::{Key, KeyAlternative, Program};
use grapeshot_drill::run::Rules;
use grapeshot_engine::engine::{DynPlayout, Stream};
use std::path::Path;

/// Numbers that look random and are the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) as usize % n.max(1)
    }

    fn one(&mut self, key: &Key) -> String {
        match &key.kind[self.below(key.kind.len())] {
            KeyAlternative::Flag => ["true", "false"][self.below(2)].to_owned(),
            KeyAlternative::Word(word, _) => word.to_string(),
            KeyAlternative::Number { low, high, .. } => {
                let (low, high) = (low.ceil().to_integer(), high.floor().to_integer());
                let most = if self.below(3) > 0 {
                    high.min(low + 60)
                } else {
                    high
                };
                (low + self.below((most - low + 1) as usize) as i64).to_string()
            }
        }
    }

    /// Some keys of a procedure.
    fn question(&mut self, keys: &[Key]) -> Vec<(String, String)> {
        let share = self.below(7);
        let mut given = Vec::new();
        for key in keys {
            if self.below(7) >= share {
                continue;
            }
            let mut value = self.one(key);
            if key.each && self.below(2) == 0 {
                value = format!("{value}+2*{}", self.one(key));
            }
            given.push((key.name.to_string(), value));
        }
        given
    }
}

/// A ruleset as the program was built with it.
fn program(id: &str) -> Program {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let read = |path: String| std::fs::read_to_string(rules.join(path)).ok();
    let text = read(format!("{id}/{id}.drill")).expect("a text of our own");
    let tables = read(format!("{id}/tables.toml")).expect("printed tables");
    let files = Files {
        texts: vec![("text.drill", &text)],
        tables: Some(("tables.toml", &tables)),
        variants: Vec::new(),
    };
    let used = |name: &str| {
        read(format!("{id}/{name}.drill")).or_else(|| read(format!("standard/{name}.drill")))
    };
    load(&files, &used).program.expect("it passes its checks")
}

/// Plays questions both ways; gives how many were played, and how many had trouble.
fn compare(
    program: Program,
    id: &str,
    procedure: &str,
    draw: &mut Draw,
    rounds: u64,
) -> [usize; 2] {
    const TRIALS: u64 = 12;
    let rules = Rules::new(program);
    let keys = &rules.procedure(procedure).expect("a procedure").keys;
    let (mut compared, mut troubled) = (0, 0);
    for round in 0..rounds {
        let given = draw.question(keys);
        let given: Vec<(&str, &str)> = given.iter().map(|(k, v)| (&**k, &**v)).collect();
        let (Ok(text), Ok(other)) = (
            rules.play_out(procedure, &given),
            rules.play_out(procedure, &given),
        ) else {
            continue;
        };
        let rust = played(id, procedure, other);
        let native = rust.played_out().expect("it is played out");
        let stream = Stream::common(round);
        let (one, two) = (text.ends(stream, 0, TRIALS), native.ends(stream, 0, TRIALS));
        assert_eq!(one, two, "{id} {procedure} {given:?}");
        assert_eq!(text.trouble(), rust.trouble(), "{id} {procedure} {given:?}");
        assert_eq!(
            text.story(round),
            native.story(round),
            "{id} {procedure} {given:?}"
        );
        compared += 1;
        troubled += usize::from(rust.trouble().is_some());
    }
    [compared, troubled]
}

#[test]
fn what_is_written_out_is_what_the_text_says() {
    assert!(WRITTEN.len() >= 2, "both battles");
    for &(id, procedure, code) in WRITTEN {
        let program = program(id);
        let of = program.procedure(procedure, false).expect("a procedure");
        let again = emit(&program, of).expect("it was written before");
        assert!(
            again == code,
            "{id} {procedure} was written from another text"
        );
    }
}

#[test]
fn on_the_same_dice_every_trial_ends_alike() {
    for &(id, procedure, _) in WRITTEN {
        let mut draw = Draw(1863);
        let [compared, troubled] = compare(program(id), id, procedure, &mut draw, 150);
        assert!(compared > 40, "{id} {procedure}: {compared}");
        assert_eq!(troubled, 0, "{id} {procedure}");
    }
}

/// Cells changed as a variant changes them: the same code, other tables. Some make trouble, which must be the same.
#[test]
fn with_other_cells_every_trial_ends_alike() {
    for &(id, procedure, _) in WRITTEN {
        let mut draw = Draw(1861);
        let (mut compared, mut laid) = (0, 0);
        for _ in 0..12 {
            let mut program = program(id);
            for _ in 0..60 {
                let at = draw.below(program.cells.len());
                let cell = grapeshot_drill::program::CellId(at as u32);
                let place = program.place_of(cell);
                let texts = &program.cells;
                let other = texts[draw.below(texts.len())].text.to_string();
                let mut varied = program.clone();
                let changed = program[cell].text.parse::<i64>().ok();
                let text = changed.map_or(other, |n| (n + draw.below(5) as i64 - 2).to_string());
                if varied.overlay(&place, &text).is_ok() && varied.row_wrong(cell).is_none() {
                    program = varied;
                    laid += 1;
                }
            }
            compared += compare(program, id, procedure, &mut draw, 12)[0];
        }
        assert!(
            compared > 40 && laid > 100,
            "{id} {procedure}: {compared}, {laid}"
        );
    }
}
