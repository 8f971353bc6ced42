//! Scenarios at random, for any procedure of any ruleset: the schema says what there is.

use grapeshot_rules::{LoadedRuleset, Procedure, Registry, Settings};
use std::sync::LazyLock;

/// Every ruleset as printed.
pub fn rulesets() -> &'static [LoadedRuleset] {
    static RULESETS: LazyLock<Vec<LoadedRuleset>> = LazyLock::new(|| {
        Registry::built_in()
            .all()
            .iter()
            .map(|ruleset| ruleset.load(&[]).expect("the printed tables load"))
            .collect()
    });
    &RULESETS
}

/// Every procedure that can be solved, with the name of its ruleset.
pub fn procedures() -> impl Iterator<Item = (&'static str, &'static Procedure)> {
    rulesets().iter().flat_map(|loaded| {
        let id = loaded.id();
        let solved = loaded.procedures.iter().filter(|p| !p.is_played_out());
        solved.map(move |p| (id, p))
    })
}

/// Settings for a procedure: `pick` says for each key whether it leaves its default, and for which of
/// its values (any number; it is taken modulo their count). A value that the rules refuse together
/// with those already set is tried again when the others are in place, since a refusal may be
/// lifted by a later key; then it is left at its default. So every answer is legal, and a key that
/// depends on another one (a lance on an enemy that is cavalry) is still met.
pub fn settings(
    procedure: &Procedure,
    mut pick: impl FnMut(usize) -> Option<usize>,
) -> (Settings, Vec<(String, String)>) {
    let mut waiting: Vec<(String, String)> = Vec::new();
    for (at, setting) in procedure.settings.iter().enumerate() {
        if let Some(choice) = pick(at) {
            let values = setting.sample_values();
            let value = values[choice % values.len()].to_string();
            waiting.push((setting.key.clone(), value));
        }
    }
    let legal = |given: &[(String, String)]| -> Option<Settings> {
        let settings = procedure.resolve(given.iter().map(|(k, v)| (k, v)));
        let settings = settings.expect("the schema takes its own sample values");
        (procedure.build)(&settings).is_ok().then_some(settings)
    };
    let mut given = Vec::new();
    let mut found = legal(&given).expect("the defaults are legal");
    for _ in 0..2 {
        for pair in std::mem::take(&mut waiting) {
            given.push(pair);
            match legal(&given) {
                Some(settings) => found = settings,
                None => waiting.extend(given.pop()),
            }
        }
    }
    (found, given)
}
