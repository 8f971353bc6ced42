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
use grapeshot_engine::plain;
use grapeshot_rules::{OddsError, RuleError, Setting, Settings, Value};
use serde::Serialize;

/// Changes smaller than this are rounding, not rules.
const NOTHING: f64 = 1e-12;

/// Some hundred changes are looked at together, and of so many a few are outside their 95 % interval by luck
/// alone. A change counts that is outside this many times its width: one of hundreds would still be rare.
const BEYOND_LUCK: f64 = 2.0;

/// One other value of a setting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    /// The value.
    pub value: Value,
    /// What it does, or why the rules refuse it.
    #[serde(flatten, serialize_with = "plain::or_refused")]
    pub reply: Reply<Moved>,
}

/// A quantity with something changed, and how far that is from what it was.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moved {
    /// What it comes to.
    pub result: Estimate,
    /// By how much it changes.
    pub change: Estimate,
}

impl Move {
    /// The change, if the rules allow it.
    pub fn change(&self) -> Option<f64> {
        self.reply.as_ref().ok().map(|moved| moved.change.value)
    }

    /// Whether its change may be nothing but the luck of the dice.
    pub fn is_noise(&self) -> bool {
        let moved = self.reply.as_ref().ok();
        moved.is_some_and(|moved| may_be_luck(&moved.change))
    }
}

/// Whether a change of many may be nothing but the luck of the dice.
fn may_be_luck(change: &Estimate) -> bool {
    let half = change.half_width();
    half > 0.0 && change.value.abs() <= BEYOND_LUCK * half
}

/// A setting and what its values do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Factor {
    /// The key.
    pub key: String,
    /// The value it has now.
    pub now: Value,
    /// How far its values are apart.
    pub swing: f64,
    /// The largest fall; 0 where there is none.
    pub lowest_change: f64,
    /// The largest rise; 0 where there is none.
    pub highest_change: f64,
    /// Its other values, in natural order.
    #[serde(rename = "values")]
    pub moves: Vec<Move>,
}

impl Factor {
    /// Whether it changes nothing here.
    pub fn is_idle(&self) -> bool {
        self.swing <= NOTHING
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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// The keys and their values.
    #[serde(serialize_with = "plain::pairs")]
    pub changes: [(String, Value); 2],
    /// What each does alone.
    pub alone: [f64; 2],
    /// What both do.
    pub together: Estimate,
    /// What both do beyond the sum.
    pub beyond: f64,
}

/// What every setting would change.
#[derive(Debug, Clone, Serialize)]
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
    #[serde(rename = "of")]
    pub quantity: Quantity,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// What it is now.
    pub baseline: Estimate,
    /// The settings, the widest swing first.
    pub factors: Vec<Factor>,
    /// Pairs, the largest interaction first; empty unless asked for.
    pub pairs: Vec<Pair>,
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
            let reply = answer.map(|(result, change, source)| {
                methods.add(source);
                Moved { result, change }
            });
            moves.push(Move {
                value: value.clone(),
                reply,
            });
        }
        let changes = || moves.iter().filter_map(Move::change);
        let lowest_change = changes().fold(0.0, f64::min);
        let highest_change = changes().fold(0.0, f64::max);
        factors.push(Factor {
            key: setting.key.clone(),
            now: settings.get(&setting.key).clone(),
            swing: highest_change - lowest_change,
            lowest_change,
            highest_change,
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
    factors.sort_by(|a, b| b.swing.total_cmp(&a.swing));
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
            let change = m.reply.as_ref().map_or(Estimate::exact(0.0), |m| m.change);
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
