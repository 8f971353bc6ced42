//! One procedure as a fight of two sized units, and the search for an even one.

use super::measure::{Measure, names, priced};
use super::{Entry, Even, PointsAsked};
use crate::workbench::{Methods, Reply, Workbench};
use grapeshot_engine::dist::{Distribution, Favour};
use grapeshot_rules::fight::{ProcedureSettings, RawSettings};
use grapeshot_rules::{
    Given, LoadedRuleset, OddsError, Options, Procedure, RuleError, Setting, SettingKind,
};

/// One procedure as a fight of two sized units.
pub(super) struct Matchup<'a> {
    pub(super) workbench: Workbench<'a>,
    pub(super) sides: [&'static str; 2],
    pub(super) size: &'a str,
    pub(super) range: (i64, i64),
    measure: &'a Measure,
    /// What of the fight that was given has no use in it.
    pub(super) unused: Vec<String>,
}

/// The settings that a procedure has; a word may be meant for another fight.
fn known_to(procedure: &Procedure, given: Given) -> Given {
    let has = |key: &str| procedure.settings.iter().any(|s| s.key == key);
    given.into_iter().filter(|(key, _)| has(key)).collect()
}

/// The fights of a ruleset, or the one that is wanted, with the settings that were given.
///
/// # Errors
/// If the procedure or a setting is unknown.
pub(super) fn matchups<'a>(
    loaded: &'a LoadedRuleset,
    measure: &'a Measure,
    wanted: &PointsAsked,
    options: Options,
) -> Result<Vec<Matchup<'a>>, RuleError> {
    let priced = priced(loaded, wanted.procedure.as_deref());
    let there = |p: &&Procedure| priced.iter().any(|(name, _)| *name == &*p.name);
    let fights: Vec<&Procedure> = loaded.procedures.iter().filter(there).collect();
    if let Some(only) = &wanted.procedure
        && !fights.iter().any(|p| *p.name == **only)
    {
        let what = format!("fight of {}", loaded.ruleset.id);
        return Err(RuleError::unknown(what, only, names(loaded)));
    }
    let wants = |p: &&&Procedure| {
        wanted
            .procedure
            .as_ref()
            .is_none_or(|only| **only == *p.name)
    };
    let fights: Vec<&Procedure> = fights.iter().filter(wants).copied().collect();
    for word in &wanted.said.words {
        let alone = RawSettings {
            words: vec![word.clone()],
            ..RawSettings::default()
        };
        let heard: Result<Vec<ProcedureSettings>, RuleError> =
            fights.iter().map(|p| alone.to(loaded, p)).collect();
        let mut heard = fights.iter().zip(heard?);
        if !heard.any(|(procedure, heard)| !known_to(procedure, heard.given).is_empty()) {
            let all = fights
                .iter()
                .flat_map(|p| p.settings.iter().map(|s| &s.key));
            return Err(RuleError::unknown("setting of these fights", &word.0, all));
        }
    }
    fights
        .into_iter()
        .map(|procedure| {
            let sides = priced.iter().find(|(name, _)| *name == &*procedure.name);
            let (_, sides) = sides.expect("only fights were chosen");
            let has = |key: &str| procedure.settings.iter().find(|s| s.key == key);
            let heard = wanted.said.to(loaded, procedure)?;
            let given = known_to(procedure, heard.given);
            let workbench = Workbench::new(loaded, &procedure.name, given, options)?;
            let sized = measure.size.iter().find_map(|size| {
                match has(&format!("{}.{size}", sides[0]))?.kind {
                    SettingKind::Whole { min, max } => Some((size, (min, max))),
                    _ => None,
                }
            });
            let (size, range) = sized.ok_or_else(|| {
                let problem = format!("none of them is a whole setting of {}", procedure.name);
                loaded.tables.problem("points.size", problem)
            })?;
            Ok(Matchup {
                unused: heard.unused,
                workbench,
                sides: *sides,
                size,
                range,
                measure,
            })
        })
        .collect()
}

impl Matchup<'_> {
    /// A setting that units have in this fight, in either part.
    pub(super) fn setting(&self, name: &str) -> Option<&Setting> {
        let of = |side: &str| {
            let key = format!("{side}.{name}");
            self.workbench
                .procedure
                .settings
                .iter()
                .find(|s| s.key == key)
        };
        self.sides.iter().find_map(|side| of(side))
    }

    /// The settings of `mine` stands of the entry in one part against `other` of the reference.
    fn settings(&self, entry: &Entry, part: usize, mine: i64, other: i64) -> Given {
        let mut all = Given::new();
        let has = |key: &str| {
            self.workbench
                .procedure
                .settings
                .iter()
                .any(|s| s.key == key)
        };
        for (at, size) in [(part, mine), (1 - part, other)] {
            let side = self.sides[at];
            all.push((format!("{side}.{}", self.size), size.into()));
            for (name, factor) in &self.measure.grows {
                let key = format!("{side}.{name}");
                if has(&key) {
                    all.push((key, (size * factor).into()));
                }
            }
        }
        let side = self.sides[part];
        for (name, value) in &entry.settings {
            let key = format!("{side}.{name}");
            if has(&key) {
                all.push((key, value.clone()));
            }
        }
        all
    }

    /// The chance of `mine` stands of the entry against `other` of the reference, over both parts.
    fn chance(
        &self,
        entry: &Entry,
        mine: i64,
        other: i64,
        methods: &mut Methods,
    ) -> Result<Reply<f64>, OddsError> {
        let mut sum = 0.0;
        for part in 0..2 {
            let settings = self.settings(entry, part, mine, other);
            match self.workbench.ask(&settings)? {
                Ok(odds) => {
                    methods.add(odds.source());
                    sum += chance_of(&odds, part);
                }
                Err(reason) => return Ok(Err(reason)),
            }
        }
        Ok(Ok(sum / 2.0))
    }

    /// The chance at a size between two whole ones; nothing outside of what the rules allow.
    pub(super) fn chance_between(
        &self,
        entry: &Entry,
        mine: f64,
        other: i64,
    ) -> Result<(Option<f64>, Methods), OddsError> {
        let mut methods = Methods::default();
        let (below, above) = (mine.floor() as i64, mine.ceil() as i64);
        if below < self.range.0 || above > self.range.1 {
            return Ok((None, methods));
        }
        let low = self.chance(entry, below, other, &mut methods)?;
        let high = self.chance(entry, above, other, &mut methods)?;
        let (Ok(low), Ok(high)) = (low, high) else {
            return Ok((None, methods));
        };
        Ok((Some(low + (high - low) * (mine - mine.floor())), methods))
    }

    /// Moves the entry's size from the reference's until the fight is even: in growing strides until
    /// the other side is ahead, then by halves.
    pub(super) fn make_even(
        &self,
        entry: &Entry,
        n: i64,
    ) -> Result<(Reply<Even>, Methods), OddsError> {
        let mut methods = Methods::default();
        let start = match self.chance(entry, n, n, &mut methods)? {
            Ok(chance) => chance,
            Err(reason) => return Ok((Err(reason), methods)),
        };
        if (start - 0.5).abs() < 1e-12 {
            return Ok((Ok(Even::Size(n as f64)), methods));
        }
        let up = start < 0.5;
        let (least, most) = self.legal(entry, n)?;
        let (mut near, mut far) = ((n, start), (n, start));
        let mut stride = 1;
        while (far.1 < 0.5) == up {
            let next = if up {
                (far.0 + stride).min(most)
            } else {
                (far.0 - stride).max(least)
            };
            if next == far.0 {
                let bound = n as f64 / far.0 as f64;
                let even = if up {
                    Even::Below(bound)
                } else {
                    Even::Above(bound)
                };
                return Ok((Ok(even), methods));
            }
            let chance = match self.chance(entry, next, n, &mut methods)? {
                Ok(chance) => chance,
                Err(reason) => return Ok((Err(reason), methods)),
            };
            (near, far) = (far, (next, chance));
            stride *= 2;
        }
        while (far.0 - near.0).abs() > 1 {
            let middle = (near.0 + far.0) / 2;
            let Ok(chance) = self.chance(entry, middle, n, &mut methods)? else {
                break;
            };
            if (chance < 0.5) == up {
                near = (middle, chance);
            } else {
                far = (middle, chance);
            }
        }
        let part = (0.5 - near.1) / (far.1 - near.1);
        let size = near.0 as f64 + (far.0 - near.0) as f64 * part;
        Ok((Ok(Even::Size(size)), methods))
    }

    /// The smallest and largest size of the entry that the rules allow without a gap around `n`.
    fn legal(&self, entry: &Entry, n: i64) -> Result<(i64, i64), RuleError> {
        let allowed = |mine: i64| -> Result<bool, RuleError> {
            for part in 0..2 {
                let settings = self.settings(entry, part, mine, n);
                if self.workbench.allows(&settings)?.is_err() {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let (mut least, mut most) = (n, n);
        while least > self.range.0 && allowed(least - 1)? {
            least -= 1;
        }
        while most < self.range.1 && allowed(most + 1)? {
            most += 1;
        }
        Ok((least, most))
    }
}

/// The chance of the unit in a part: that it succeeds, plus half of what is left open. An outcome is
/// judged from the side of the first part.
fn chance_of(odds: &Distribution, part: usize) -> f64 {
    let outcome = odds.marginal_at(0);
    let mine = [Favour::Success, Favour::Failure][part];
    outcome.favouring(mine) + outcome.favouring(Favour::Undecided) / 2.0
}
