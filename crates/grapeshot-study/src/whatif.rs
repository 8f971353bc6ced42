//! What would help most: every setting changed alone, and pairs of settings changed together.
//!
//! Each setting takes each of its other legal values while everything else stays. The *swing* is the
//! distance between the best and the worst it can do, its present value included. Two settings
//! *interact* when changing both does more or less than the two changes added up. For pairs only the
//! two extreme values of each setting are tried: for settings that do nothing alone, the first and
//! the last; all combinations of all values would be a hundred times the work for the same names.

use super::workbench::{Measured, Methods, Reply, Workbench};
use crate::parallel;
use grapeshot_engine::dist::{Estimate, Quantity};
use grapeshot_rules::{OddsError, RuleError, Setting, Settings, Value};

/// Changes smaller than this are rounding, not rules.
const NOTHING: f64 = 1e-12;

/// Some hundred changes are looked at together, and of so many a few are outside their 95 % interval by luck
/// alone. A change counts that is outside this many times its width: one of hundreds would still be rare.
const BEYOND_LUCK: f64 = 2.0;

/// One other value of a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The value.
    pub value: Value,
    /// The quantity with that value and its change, or why the rules refuse it.
    pub reply: Reply<(Estimate, Estimate)>,
}

impl Move {
    /// The change, if the rules allow it.
    pub fn change(&self) -> Option<f64> {
        self.reply.as_ref().ok().map(|(_, change)| change.value)
    }

    /// Whether its change may be nothing but the luck of the dice.
    pub fn is_noise(&self) -> bool {
        let change = self.reply.as_ref().ok().map(|(_, change)| change);
        change.is_some_and(may_be_luck)
    }
}

/// Whether a change of many may be nothing but the luck of the dice.
fn may_be_luck(change: &Estimate) -> bool {
    let half = change.half_width();
    half > 0.0 && change.value.abs() <= BEYOND_LUCK * half
}

/// A setting and what its values do.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// The key.
    pub key: String,
    /// The value it has now.
    pub now: Value,
    /// Its other values, in natural order.
    pub moves: Vec<Move>,
    /// The largest fall and the largest rise; 0 where there is none.
    pub reach: (f64, f64),
}

impl Factor {
    /// How far its values are apart.
    pub fn swing(&self) -> f64 {
        self.reach.1 - self.reach.0
    }

    /// Whether it changes nothing here.
    pub fn is_idle(&self) -> bool {
        self.swing() <= NOTHING
    }

    /// Whether everything it seems to change may be the luck of the dice.
    pub fn is_noise(&self) -> bool {
        let mut legal = self.moves.iter().filter(|m| m.reply.is_ok());
        let luck = |m: &Move| m.is_noise() || m.change() == Some(0.0);
        !self.is_idle() && legal.all(luck)
    }

    /// The move with this change, first or last among equals.
    pub fn extreme(&self, highest: bool) -> Option<&Move> {
        let order = |a: &&Move, b: &&Move| {
            let (a, b) = (a.change().unwrap_or(0.0), b.change().unwrap_or(0.0));
            a.total_cmp(&b)
        };
        let legal = self.moves.iter().filter(|m| m.reply.is_ok());
        if highest {
            legal.max_by(order)
        } else {
            legal.min_by(order)
        }
    }
}

/// Two settings that do more, or less, together than alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The keys and their values.
    pub changes: [(String, Value); 2],
    /// What each does alone.
    pub alone: [f64; 2],
    /// What both do.
    pub together: Estimate,
    /// What both do beyond the sum.
    pub beyond: f64,
}

/// What every setting would change.
#[derive(Debug, Clone)]
pub struct WhatIf {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// The settings it starts from.
    pub settings: Settings,
    /// The side the settings were limited to.
    pub mine: Option<String>,
    /// The number that moves.
    pub quantity: Quantity,
    /// What it is now.
    pub baseline: Estimate,
    /// The settings, the widest swing first.
    pub factors: Vec<Factor>,
    /// Pairs, the largest interaction first; empty unless asked for.
    pub pairs: Vec<Pair>,
    /// How answers were found.
    pub methods: Methods,
}

/// Asks what every setting would change; with `mine`, only those of one side.
///
/// # Errors
/// If the side is unknown, the rules refuse the settings as given, or the engine cannot answer.
pub fn what_if(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    mine: Option<&str>,
    pairs: bool,
) -> Result<WhatIf, OddsError> {
    let sides = workbench.sides();
    if let Some(side) = mine
        && !sides.iter().any(|known| known == side)
    {
        let what = format!("side of {}", workbench.procedure.name);
        if sides.is_empty() {
            let problem = format!("{} has no sides", workbench.procedure.name);
            return Err(RuleError::argument("mine", side, problem).into());
        }
        return Err(RuleError::unknown(what, side, sides).into());
    }
    let measured = answered(workbench.measure(quantity, &[])?)?;
    let baseline = measured.estimate;
    let settings = workbench.settings(&[])?;
    let wanted = workbench.procedure.settings.iter();
    let wanted = wanted.filter(|s| mine.is_none() || s.side() == mine);
    let questions: Vec<(&Setting, Value)> = wanted
        .clone()
        .flat_map(|s| {
            others(s, settings.get(&s.key))
                .into_iter()
                .map(move |v| (s, v))
        })
        .collect();
    let mut methods = Methods {
        paired: measured.is_paired(),
        ..Methods::default()
    };
    methods.add(measured.source);
    let answers = parallel::try_map(&questions, |(setting, value)| {
        let after = workbench.measure(quantity, &[change(&setting.key, value)])?;
        // Only the change is kept, not what every trial came to.
        let kept = after.map(|after| (after.estimate, after.minus(&measured), after.source));
        Ok::<_, OddsError>(kept)
    })?;
    let mut answers = questions.iter().zip(answers).peekable();
    let mut factors = Vec::new();
    for setting in wanted {
        let mut moves = Vec::new();
        while let Some(((_, value), answer)) = answers.next_if(|((s, _), _)| s.key == setting.key) {
            let reply = answer.map(|(after, change, source)| {
                methods.add(source);
                (after, change)
            });
            moves.push(Move {
                value: value.clone(),
                reply,
            });
        }
        let changes = || moves.iter().filter_map(Move::change);
        factors.push(Factor {
            key: setting.key.clone(),
            now: settings.get(&setting.key).clone(),
            reach: (changes().fold(0.0, f64::min), changes().fold(0.0, f64::max)),
            moves,
        });
    }
    let found = if pairs {
        let (found, more) = interactions(workbench, quantity, &factors, &measured)?;
        methods = methods.and(more);
        found
    } else {
        Vec::new()
    };
    factors.sort_by(|a, b| b.swing().total_cmp(&a.swing()));
    Ok(WhatIf {
        rules: workbench.loaded.id().into(),
        procedure: workbench.procedure.name.to_string(),
        variants: workbench.loaded.variant_names(),
        settings,
        mine: mine.map(str::to_owned),
        quantity: quantity.clone(),
        baseline,
        factors,
        pairs: found,
        methods,
    })
}

/// The pairs of settings whose joint effect differs from the sum, the largest difference first.
fn interactions(
    workbench: &Workbench<'_>,
    quantity: &Quantity,
    factors: &[Factor],
    baseline: &Measured,
) -> Result<(Vec<Pair>, Methods), OddsError> {
    let extremes = |factor: &Factor| -> Vec<(String, Value, Estimate)> {
        let ends = [factor.extreme(false), factor.extreme(true)];
        let mut ends: Vec<&Move> = ends.into_iter().flatten().collect();
        ends.dedup_by_key(|m| m.value.to_string());
        let named = |m: &Move| {
            let change = m.reply.as_ref().map_or(Estimate::exact(0.0), |(_, by)| *by);
            (factor.key.clone(), m.value.clone(), change)
        };
        ends.into_iter().map(named).collect()
    };
    let extremes: Vec<_> = factors.iter().map(extremes).collect();
    let couples: Vec<(usize, usize)> = (0..factors.len())
        .flat_map(|a| (a + 1..factors.len()).map(move |b| (a, b)))
        .collect();
    let judged: Result<Vec<(Option<Pair>, Methods)>, OddsError> =
        parallel::try_map(&couples, |&(a, b)| {
            let mut best: Option<Pair> = None;
            let mut methods = Methods::default();
            for one in &extremes[a] {
                for two in &extremes[b] {
                    let both = [change(&one.0, &one.1), change(&two.0, &two.1)];
                    let Ok(after) = workbench.measure(quantity, &both)? else {
                        continue;
                    };
                    methods.add(after.source);
                    let together = after.minus(baseline);
                    let beyond = together.minus(&one.2).minus(&two.2);
                    if may_be_luck(&beyond) {
                        continue;
                    }
                    let beyond = beyond.value;
                    let larger = |pair: &Pair| beyond.abs() > pair.beyond.abs() + NOTHING;
                    if best.as_ref().is_none_or(larger) {
                        best = Some(Pair {
                            changes: [
                                (one.0.clone(), one.1.clone()),
                                (two.0.clone(), two.1.clone()),
                            ],
                            alone: [one.2.value, two.2.value],
                            together,
                            beyond,
                        });
                    }
                }
            }
            Ok((best, methods))
        });
    let mut methods = Methods::default();
    let mut pairs = Vec::new();
    for (pair, more) in judged? {
        methods = methods.and(more);
        pairs.extend(pair.filter(|pair| pair.beyond.abs() > NOTHING));
    }
    pairs.sort_by(|a, b| b.beyond.abs().total_cmp(&a.beyond.abs()));
    Ok((pairs, methods))
}

/// The other values of a setting that are worth trying, in natural order.
fn others(setting: &Setting, now: &Value) -> Vec<Value> {
    let mut seen = vec![now.to_string()];
    let mut values = setting.sample_values();
    values.retain(|value| {
        let text = value.to_string();
        let new = !seen.contains(&text);
        seen.push(text);
        new
    });
    values
}

fn change(key: &str, value: &Value) -> (String, Value) {
    (key.to_owned(), value.clone())
}

/// The settings as given must be allowed; a refusal is the asker's mistake.
pub(super) fn answered<T>(reply: Reply<T>) -> Result<T, OddsError> {
    reply.map_err(|reason| RuleError::Other(reason).into())
}
