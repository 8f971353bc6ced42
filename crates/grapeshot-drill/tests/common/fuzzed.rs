//! What is fuzzed of Drill: each function takes a text that nobody would write, and accepts or refuses it without a panic.
//!
//! `tests/robust.rs` feeds them with mangled texts in every test run, `fuzz/` with what a coverage-guided fuzzer comes up
//! with.

#![allow(dead_code, reason = "a target of the fuzzer needs one of them")]

use grapeshot_drill::load::{Files, load};
use grapeshot_drill::program::Program;
use grapeshot_drill::run::Rules;
use grapeshot_drill::{fmt, message::Messages, parse, source::Sources};
use grapeshot_engine::engine::{Budget, DynPlayout, DynSteps, Stream};

const TABLES: [(&str, &str); 5] = [
    (
        "gbacw",
        include_str!("../../../grapeshot-rules/rules/gbacw/tables.toml"),
    ),
    (
        "impact",
        include_str!("../../../grapeshot-rules/rules/impact/tables.toml"),
    ),
    (
        "fireline",
        include_str!("../../../grapeshot-rules/rules/fireline/tables.toml"),
    ),
    (
        "elephant",
        include_str!("../../../grapeshot-rules/src/elephant/tables.toml"),
    ),
    (
        "acw28",
        include_str!("../../../grapeshot-rules/rules/acw28/tables.toml"),
    ),
];

const USED: [(&str, &str); 5] = [
    (
        "standoff",
        include_str!("../../../grapeshot-rules/rules/standard/standoff.drill"),
    ),
    (
        "battle",
        include_str!("../../../grapeshot-rules/rules/standard/battle.drill"),
    ),
    (
        "decisions",
        include_str!("../../../grapeshot-rules/rules/acw28/decisions.drill"),
    ),
    (
        "campaign",
        include_str!("../../../grapeshot-rules/rules/acw28/campaign.drill"),
    ),
    (
        "brigades",
        include_str!("../../../grapeshot-rules/rules/acw28/brigades.drill"),
    ),
];

/// The reader, and what sets a text.
pub fn read(text: &str) {
    let mut sources = Sources::default();
    let file = sources.add("text.drill", text);
    let mut messages = Messages::default();
    parse::parse(&sources, file, &mut messages);
    let _ = fmt::format(text);
}

/// The checker.
pub fn checked(text: &str) -> Option<Program> {
    let mentions = |id: &str| text.contains(&format!("ruleset {id}:"));
    let tables = TABLES.iter().find(|(id, _)| mentions(id));
    let files = Files {
        texts: vec![("text.drill", text)],
        tables: tables.map(|(_, tables)| ("tables.toml", *tables)),
        variants: Vec::new(),
    };
    let used = |name: &str| {
        let known = USED.iter().find(|(known, _)| *known == name);
        known.map(|(_, text)| (*text).to_owned())
    };
    let loaded = load(&files, &used);
    let _ = loaded.shown();
    loaded.program
}

/// All ways to run it, briefly: written out, enumerated, sampled, told; and what is said of it.
pub fn played(text: &str) {
    let Some(program) = checked(text) else {
        return;
    };
    let rules = Rules::new(program);
    let budget = Budget { states: 300 };
    for procedure in &rules.program().procedures {
        let decided = procedure.decided_for.is_some();
        if let Ok(play) = rules.ask_decided(&procedure.name, decided, &[]) {
            let _ = match decided {
                true => grapeshot_engine::engine::Game::compile(&play.machine, budget).is_ok(),
                false => play.compile(budget).is_ok(),
            };
            if !decided {
                let mut counts = Default::default();
                play.play(&mut Stream::common(1863).batch(0), 3, &mut counts);
            }
            let _ = play.trouble();
        }
        let _ = rules.reads(&procedure.name, decided, &[], budget);
        if let Ok(direct) = rules.play_out(&procedure.name, &[]) {
            let _ = direct.story(1863);
            let _ = direct.trouble();
        }
    }
    let _ = rules.table_failures();
    let _ = rules.failures();
}
