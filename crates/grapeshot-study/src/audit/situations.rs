//! Situations of a procedure that the rules accept: drawn with a fixed seed, each value alone, and what makes a
//! refused value legal.

use grapeshot_engine::engine::Stream;
use grapeshot_rules::{Procedure, RuleError, Setting, SettingKind};
use rand_xoshiro::rand_core::Rng;

/// Keys and values that are set; everything else is at its default.
pub(super) type Given = Vec<(String, String)>;

/// The seed of every sample.
const SEED: u64 = 1863;
/// Random situations of a procedure.
const RANDOM: usize = 100;

/// The settings with one of them changed.
pub(super) fn with(given: &Given, key: &str, value: &str) -> Given {
    let mut changed: Given = given.iter().filter(|(k, _)| k != key).cloned().collect();
    changed.push((key.to_owned(), value.to_owned()));
    changed
}

/// The settings with several of them changed.
pub(super) fn with_all(given: &Given, changes: &[(String, String)]) -> Given {
    let changed = |key: &String| changes.iter().any(|(other, _)| other == key);
    let kept = given.iter().filter(|(key, _)| !changed(key));
    kept.chain(changes).cloned().collect()
}

/// Numbers and situations drawn with the audit's seed and a name.
pub(super) struct Draws {
    rng: rand_xoshiro::Xoshiro256PlusPlus,
    /// How many situations were drawn.
    situations: usize,
}

impl Draws {
    pub(super) fn new(name: &str) -> Self {
        Draws {
            rng: Stream::of_scenario(SEED, name).batch(0),
            situations: 0,
        }
    }

    /// A number below `n`; the bias of a remainder does not matter to a search.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.rng.next_u64() % n.max(1) as u64) as usize
    }

    /// Settings of a procedure, some of them moved, that the rules accept: sparsely any of them, or
    /// densely all those with few values and a third of the others. Flags and kinds act together, and would rarely meet otherwise.
    pub(super) fn situation(
        &mut self,
        procedure: &Procedure,
        base: &Given,
        leave: &[String],
        dense: bool,
    ) -> Given {
        let share = 2 + self.below(4);
        let mut wanted = Given::new();
        for setting in &procedure.settings {
            let moves = match dense {
                true => is_short(setting) || self.below(3) == 0,
                false => self.below(share) == 0,
            };
            let fixed = base.iter().any(|(key, _)| *key == setting.key);
            if !moves || fixed || leave.contains(&setting.key) {
                continue;
            }
            let values = setting.sample_values();
            let value = values[self.below(values.len())].to_string();
            wanted.push((setting.key.clone(), value));
        }
        // Two pairs in turn, sparse and dense: what is left out of one kind always (whatever a refusal names, or
        // whatever comes later) is not of the other.
        let named = (self.situations / 2).is_multiple_of(2);
        self.situations += 1;
        // Twice, because a value may become legal by one that comes after it; what is refused then
        // is left out, not the whole situation.
        let (base, wanted) = (base.iter().collect(), wanted.iter().collect());
        let (given, refused) = as_allowed(procedure, base, wanted, named);
        let (given, _) = as_allowed(procedure, given, refused, named);
        given.into_iter().cloned().collect()
    }
}

/// Keys and values of somebody else's: thousands are put together and refused for each that is kept.
type Lent<'a> = Vec<&'a (String, String)>;

/// Settings with as many more as the rules allow, and those they refuse. Most settings get on with each other,
/// and asking the rules is what takes the time: all are tried at once, less those that the rules name when they
/// refuse, if that is to be heard. Where they name none that was wanted, halves are tried, the first ones first.
fn as_allowed<'a>(
    procedure: &Procedure,
    given: Lent<'a>,
    wanted: Lent<'a>,
    hear: bool,
) -> (Lent<'a>, Lent<'a>) {
    let mut open = wanted;
    let mut refused = Lent::new();
    while !open.is_empty() {
        let changed = |key: &String| open.iter().any(|(other, _)| other == key);
        let kept = given.iter().filter(|(key, _)| !changed(key));
        let all: Lent = kept.chain(&open).copied().collect();
        let Some(error) = refusal(procedure, all.iter().copied()) else {
            return (all, refused);
        };
        let named = match &error {
            RuleError::Refused { key, .. } if hear => {
                open.iter().position(|(known, _)| known == key)
            }
            _ => None,
        };
        match named {
            Some(at) => refused.push(open.remove(at)),
            None if open.len() == 1 => refused.append(&mut open),
            None => {
                let second = open.split_off(open.len() / 2);
                let (given, more) = as_allowed(procedure, given, open, hear);
                refused.extend(more);
                let (given, more) = as_allowed(procedure, given, second, hear);
                refused.extend(more);
                return (given, refused);
            }
        }
    }
    (given, refused)
}

/// A flag or a choice of a few.
pub(super) fn is_short(setting: &Setting) -> bool {
    match &setting.kind {
        SettingKind::Flag => true,
        SettingKind::Choice(labels) => labels.len() <= 8,
        SettingKind::Whole { .. } | SettingKind::Real { .. } | SettingKind::List(_) => false,
    }
}

/// The same, or a number of two or three values, such as how many units there are.
fn is_few(setting: &Setting) -> bool {
    match setting.kind {
        SettingKind::Whole { min, max } => max - min < 3,
        _ => is_short(setting),
    }
}

/// Whether the rules accept the settings.
pub(super) fn legal(procedure: &Procedure, given: &Given) -> bool {
    refusal(procedure, given).is_none()
}

/// Why the rules do not accept the settings, if they do not.
fn refusal<'a>(
    procedure: &Procedure,
    given: impl IntoIterator<Item = &'a (String, String)>,
) -> Option<RuleError> {
    let resolved = procedure.resolve(given.into_iter().map(|(k, v)| (k, v)));
    resolved
        .and_then(|settings| (procedure.build)(&settings))
        .err()
}

/// Situations of a procedure with these settings kept: drawn ones, each value alone, and what makes a refused
/// value legal with every flag and choice around it.
pub(in super::super) fn situations(procedure: &Procedure, base: &Given) -> Vec<Given> {
    let mut draws = Draws::new(&procedure.name);
    // Those with much in them first: they settle most questions.
    let random = (0..RANDOM).map(|n| draws.situation(procedure, base, &[], n % 2 == 0));
    let mut all: Vec<Given> = random.chain([base.clone()]).collect();
    for setting in &procedure.settings {
        for value in setting.sample_values() {
            let single = with(base, &setting.key, &value.to_string());
            if legal(procedure, &single) {
                all.push(single);
            } else if is_few(setting)
                && let Some(base) = completed(procedure, &setting.key, &single)
            {
                all.extend(around(procedure, &base));
            }
        }
    }
    all
}

/// A refused value with the one other value, or the two choices, that make it legal: a gun has fewer men than the
/// regiment of the defaults.
fn completed(procedure: &Procedure, key: &str, single: &Given) -> Option<Given> {
    let values = |any: bool| -> Given {
        let wanted = procedure.settings.iter().filter(|s| match s.kind {
            SettingKind::Choice(_) => s.key != key,
            _ => any && s.key != key,
        });
        let each = wanted.flat_map(|s| {
            let values = s.sample_values().into_iter();
            values.map(|value| (s.key.clone(), value.to_string()))
        });
        each.collect()
    };
    let (any, choices) = (values(true), values(false));
    let more = |given: &Given, (key, value): &(String, String)| with(given, key, value);
    let one = any.iter().map(|choice| more(single, choice));
    let two = choices.iter().enumerate().flat_map(|(at, first)| {
        let rest = choices[at + 1..].iter();
        rest.filter(|second| second.0 != first.0)
            .map(move |second| more(&more(single, first), second))
    });
    one.chain(two).find(|given| legal(procedure, given))
}

/// A situation, and every flag and choice moved from it.
fn around(procedure: &Procedure, base: &Given) -> Vec<Given> {
    let mut all = vec![base.clone()];
    for setting in &procedure.settings {
        if matches!(setting.kind, SettingKind::Choice(_) | SettingKind::Flag) {
            let values = setting.sample_values().into_iter();
            all.extend(values.map(|value| with(base, &setting.key, &value.to_string())));
        }
    }
    all
}
