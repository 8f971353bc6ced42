//! What a stand, a figure or a strength point is worth, from even fights.
//!
//! The unit of worth is one stand (figure, SP) with the ruleset's default grade and weapon: the
//! regular with the rifle-musket. A unit of another grade or weapon fights N such reference stands,
//! and its own size is moved until the fight is even. A fight is played twice, each unit once in
//! each part (attacker and defender; first and second to fire), and a unit's chance is that of
//! winning plus half that of no decision, over both: so a unit is always even with its like, and
//! who moves first cancels out. If `x` stands are even with N, a stand is worth `N / x`. Sizes are
//! whole, so `x` is interpolated between neighbours.
//!
//! One number per grade or weapon is the geometric mean of that over several N and over charge and
//! firefight. Rules need not follow any such number: the residuals say how well they do, both as
//! worth and as the chance of a unit that is bought at the price.

use super::bench::{Bench, Given, Methods, Reply};
use crate::dist::Distribution;
use crate::rules::{Asked, Loaded, OddsError, Procedure, RuleError, Setting, SettingKind};
use rayon::prelude::*;

/// How a ruleset measures its units: which keys are size, grade and weapon. What they may be, and
/// which of them is the reference, comes from the schema.
struct Measure {
    rules: &'static str,
    /// What is counted.
    unit: &'static str,
    /// The keys of the size; the first that a procedure has counts.
    size: &'static [&'static str],
    grade: &'static str,
    weapon: Option<&'static str>,
    /// The first weapon that needs artillery to serve it, and what that sets.
    guns: Option<(&'static str, (&'static str, &'static str))>,
    /// Settings that grow with the size: key, factor.
    grows: &'static [(&'static str, i64)],
    /// Sizes of the reference.
    sizes: &'static [i64],
    /// What a reader should know of the reading.
    note: &'static str,
}

const MEASURES: &[Measure] = &[
    Measure {
        rules: "elephant",
        unit: "stand",
        size: &["stands"],
        grade: "grade",
        weapon: Some("weapon"),
        guns: Some(("6lb-smoothbore", ("kind", "artillery"))),
        grows: &[],
        sizes: &[6, 8, 10, 12, 16],
        note: "guns are served by artillery stands, which may not charge: their worth is that of the firefight",
    },
    Measure {
        rules: "gbacw",
        unit: "SP",
        size: &["sp", "strength"],
        grade: "morale",
        weapon: None,
        guns: None,
        grows: &[("fire", 2)],
        sizes: &[3, 4, 6, 8, 10],
        note: "the source prints no weapons; in a charge the defensive volley has two points of fire for each SP, as in the firefight",
    },
    Measure {
        rules: "acw28",
        unit: "figure",
        size: &["figures"],
        grade: "class",
        weapon: Some("weapon"),
        guns: None,
        grows: &[],
        sizes: &[11, 13, 15, 17, 20],
        note: "regiments have 11 to 20 figures, so worths beyond 0.55 to 1.82 cannot be seen",
    },
    Measure {
        rules: "fireline",
        unit: "SP",
        size: &["sp"],
        grade: "morale",
        weapon: Some("type"),
        guns: None,
        grows: &[],
        sizes: &[2, 3, 4, 5, 6],
        note: "the type of a unit stands for its weapon; only so many SP of a hex may fire, so that more of them soon add nothing",
    },
];

/// Procedures in which two units meet, with the two parts in them.
const FIGHTS: &[(&str, [&str; 2])] = &[
    ("charge", ["attacker", "defender"]),
    ("firefight", ["a", "b"]),
];

/// What is priced: a grade with the reference weapon, or a weapon with the reference grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// `grade`, `class`, `morale`, `weapon` or `type`.
    pub key: String,
    /// Its value.
    pub value: String,
    /// Whether it is the reference itself.
    pub reference: bool,
    settings: Vec<(String, String)>,
}

/// What an even fight says about the worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Even {
    /// Even at this size of its own, by interpolation.
    Size(f64),
    /// Ahead even at its smallest size: worth more than this.
    Above(f64),
    /// Behind even at its largest size: worth less than this.
    Below(f64),
}

/// An entry against one size of the reference in one procedure.
#[derive(Debug, Clone, PartialEq)]
pub struct Fight {
    /// The procedure.
    pub procedure: String,
    /// Stands of the reference.
    pub against: i64,
    /// What was found, or why it cannot be fought.
    pub even: Reply<Even>,
    /// The chance of a unit of the size that the price says is even; nothing if it has no such size.
    pub at_price: Option<f64>,
}

impl Fight {
    /// The worth it says, if it can be made even.
    pub fn worth(&self) -> Option<f64> {
        match self.even {
            Ok(Even::Size(size)) => Some(self.against as f64 / size),
            _ => None,
        }
    }
}

/// The price of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// What is priced.
    pub entry: Entry,
    /// Its fights.
    pub fights: Vec<Fight>,
    /// The one number; nothing if no fight can be made even.
    pub worth: Option<f64>,
}

impl Price {
    /// The mean of the worths in one procedure.
    pub fn in_procedure(&self, procedure: &str) -> Option<f64> {
        let worths = self.fights.iter().filter(|f| f.procedure == procedure);
        geometric(worths.filter_map(Fight::worth))
    }

    /// The smallest and largest worth that any fight says.
    pub fn range(&self) -> Option<(f64, f64)> {
        let worths = || self.fights.iter().filter_map(Fight::worth);
        self.worth?;
        Some((
            worths().fold(f64::INFINITY, f64::min),
            worths().fold(0.0, f64::max),
        ))
    }

    /// The fight in which the price misses an even chance by most, and by how much.
    pub fn worst(&self) -> Option<(&Fight, f64)> {
        let missed = self
            .fights
            .iter()
            .filter_map(|f| Some((f, f.at_price? - 0.5)));
        missed.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    }
}

/// The price list of a ruleset.
#[derive(Debug, Clone)]
pub struct Points {
    /// The ruleset.
    pub rules: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// What is counted: stand, figure, SP.
    pub unit: String,
    /// The reference, as settings of a side.
    pub reference: String,
    /// What was given.
    pub given: Given,
    /// The procedures that were fought.
    pub procedures: Vec<String>,
    /// Sizes of the reference.
    pub sizes: Vec<i64>,
    /// The prices, grades first.
    pub prices: Vec<Price>,
    /// What a reader should know.
    pub note: String,
    /// How answers were found.
    pub methods: Methods,
}

/// What may be asked for beside the ruleset.
#[derive(Debug, Clone, Default)]
pub struct PointsAsked {
    /// Settings of the fights, such as the range.
    pub given: Given,
    /// Only this procedure.
    pub procedure: Option<String>,
    /// Sizes of the reference; a spread that suits the ruleset if there are none.
    pub sizes: Vec<i64>,
}

/// One procedure as a fight of two sized units.
struct Ring<'a> {
    bench: Bench<'a>,
    sides: [&'static str; 2],
    size: &'static str,
    range: (i64, i64),
    measure: &'static Measure,
}

/// Works out the price list.
///
/// # Errors
/// If the ruleset has no fight in which numbers can make up for quality, or a setting is wrong.
pub fn points(loaded: &Loaded, wanted: &PointsAsked, asked: Asked) -> Result<Points, OddsError> {
    let measure = measure_of(loaded)?;
    let rings = rings(loaded, measure, wanted, asked)?;
    let sizes = sizes(&rings, measure, wanted)?;
    let entries = entries(&rings, measure);
    let tasks: Vec<(usize, usize, i64)> = (0..entries.len())
        .flat_map(|e| (0..rings.len()).map(move |r| (e, r)))
        .flat_map(|(e, r)| sizes.iter().map(move |&n| (e, r, n)))
        .collect();
    let fought: Result<Vec<(Reply<Even>, Methods)>, OddsError> = tasks
        .par_iter()
        .map(|&(e, r, n)| rings[r].make_even(&entries[e], n))
        .collect();
    let fought = fought?;
    let mut methods = Methods::default();
    let mut prices: Vec<Price> = Vec::new();
    for (e, entry) in entries.iter().enumerate() {
        let mut fights = Vec::new();
        for (&(_, r, against), (even, more)) in tasks.iter().zip(&fought).filter(|(t, _)| t.0 == e)
        {
            methods = methods.and(*more);
            fights.push(Fight {
                procedure: rings[r].bench.procedure.name.into(),
                against,
                even: even.clone(),
                at_price: None,
            });
        }
        let worth = geometric(fights.iter().filter_map(Fight::worth));
        prices.push(Price {
            entry: entry.clone(),
            fights,
            worth,
        });
    }
    let missed: Result<Vec<(Option<f64>, Methods)>, OddsError> = tasks
        .par_iter()
        .map(|&(e, r, n)| match prices[e].worth {
            Some(worth) => rings[r].chance_between(&entries[e], n as f64 / worth, n),
            None => Ok((None, Methods::default())),
        })
        .collect();
    let mut missed = missed?.into_iter();
    for fight in prices.iter_mut().flat_map(|p| &mut p.fights) {
        if let Some((chance, more)) = missed.next() {
            fight.at_price = chance;
            methods = methods.and(more);
        }
    }
    let first = &rings[0];
    let keys = [Some(measure.grade), measure.weapon];
    let reference: Vec<String> = keys
        .into_iter()
        .flatten()
        .filter_map(|key| Some(format!("{key} {}", first.setting(key)?.default_text())))
        .collect();
    Ok(Points {
        rules: loaded.ruleset.id.into(),
        variants: loaded.variant_names(),
        unit: measure.unit.into(),
        reference: reference.join(", "),
        given: wanted.given.clone(),
        procedures: rings
            .iter()
            .map(|r| r.bench.procedure.name.into())
            .collect(),
        sizes,
        prices,
        note: measure.note.into(),
        methods,
    })
}

fn measure_of(loaded: &Loaded) -> Result<&'static Measure, RuleError> {
    let id = loaded.ruleset.id;
    MEASURES.iter().find(|m| m.rules == id).ok_or_else(|| {
        let priced: Vec<&str> = MEASURES.iter().map(|m| m.rules).collect();
        RuleError::Other(format!(
            "{id} cannot be priced: no procedure in which two units meet has a size for them, so that no number of one can be made even with another; allowed is {}",
            priced.join(", ")
        ))
    })
}

fn rings<'a>(
    loaded: &'a Loaded,
    measure: &'static Measure,
    wanted: &PointsAsked,
    asked: Asked,
) -> Result<Vec<Ring<'a>>, RuleError> {
    let there = |p: &&Procedure| FIGHTS.iter().any(|(name, _)| *name == p.name);
    let fights: Vec<&Procedure> = loaded.procedures.iter().filter(there).collect();
    let known = fights.iter().map(|p| p.name);
    if let Some(only) = &wanted.procedure
        && !known.clone().any(|name| name == only)
    {
        let what = format!("fight of {}", loaded.ruleset.id);
        return Err(RuleError::unknown(what, only, known));
    }
    let wants = |p: &&&Procedure| wanted.procedure.as_ref().is_none_or(|only| only == p.name);
    let fights: Vec<&Procedure> = fights.iter().filter(wants).copied().collect();
    for (key, _) in &wanted.given {
        let has = |p: &&Procedure| p.settings.iter().any(|s| s.key == *key);
        if !fights.iter().any(|p| has(&p)) {
            let all = fights
                .iter()
                .flat_map(|p| p.settings.iter().map(|s| &s.key));
            return Err(RuleError::unknown("setting of these fights", key, all));
        }
    }
    fights
        .into_iter()
        .map(|procedure| {
            let sides = FIGHTS.iter().find(|(name, _)| *name == procedure.name);
            let (_, sides) = sides.expect("only fights were chosen");
            let has = |key: &str| procedure.settings.iter().find(|s| s.key == key);
            let given = wanted.given.iter().filter(|(key, _)| has(key).is_some());
            let bench = Bench::new(loaded, procedure.name, given.cloned().collect(), asked)?;
            let size = |size: &&&str| has(&format!("{}.{size}", sides[0])).is_some();
            let size = measure.size.iter().find(size).expect("a test sees to it");
            let range = match has(&format!("{}.{size}", sides[0])).map(|s| s.kind) {
                Some(SettingKind::Whole { min, max }) => (min, max),
                _ => unreachable!("a size is a whole number, a test sees to it"),
            };
            Ok(Ring {
                bench,
                sides: *sides,
                size,
                range,
                measure,
            })
        })
        .collect()
}

fn sizes(
    rings: &[Ring<'_>],
    measure: &Measure,
    wanted: &PointsAsked,
) -> Result<Vec<i64>, RuleError> {
    if wanted.sizes.is_empty() {
        return Ok(measure.sizes.to_vec());
    }
    for &size in &wanted.sizes {
        for ring in rings {
            if !(ring.range.0..=ring.range.1).contains(&size) {
                return Err(RuleError::Other(format!(
                    "--sizes {size}: allowed in {} {} is a whole number from {} to {}",
                    measure.rules, ring.bench.procedure.name, ring.range.0, ring.range.1
                )));
            }
        }
    }
    Ok(wanted.sizes.clone())
}

/// Every grade with the reference weapon, then every weapon with the reference grade.
fn entries(rings: &[Ring<'_>], measure: &Measure) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for key in [Some(measure.grade), measure.weapon].into_iter().flatten() {
        let setting = rings.iter().find_map(|ring| ring.setting(key));
        let Some(setting) = setting else { continue };
        let mut gun = false;
        for value in setting.sample_values() {
            let value = value.to_string();
            let mut settings = vec![(key.to_owned(), value.clone())];
            if let Some((first, (k, v))) = measure.guns {
                gun |= Some(key) == measure.weapon && value == first;
                if gun {
                    settings.push((k.into(), v.into()));
                }
            }
            all.push(Entry {
                key: key.into(),
                reference: value == setting.default_text(),
                value,
                settings,
            });
        }
    }
    all
}

impl Ring<'_> {
    fn setting(&self, name: &str) -> Option<&Setting> {
        let key = format!("{}.{name}", self.sides[0]);
        self.bench.procedure.settings.iter().find(|s| s.key == key)
    }

    /// The settings of `mine` stands of the entry in one part against `other` of the reference.
    fn settings(&self, entry: &Entry, part: usize, mine: i64, other: i64) -> Given {
        let mut all = Given::new();
        let has = |key: &str| self.bench.procedure.settings.iter().any(|s| s.key == key);
        for (at, size) in [(part, mine), (1 - part, other)] {
            let side = self.sides[at];
            all.push((format!("{side}.{}", self.size), size.to_string()));
            for (name, factor) in self.measure.grows {
                let key = format!("{side}.{name}");
                if has(&key) {
                    all.push((key, (size * factor).to_string()));
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
            match self.bench.ask(&settings)? {
                Ok(odds) => {
                    methods.add(odds.source());
                    sum += favour(&odds, self.sides, part);
                }
                Err(reason) => return Ok(Err(reason)),
            }
        }
        Ok(Ok(sum / 2.0))
    }

    /// The chance at a size between two whole ones; nothing outside of what the rules allow.
    fn chance_between(
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
    fn make_even(&self, entry: &Entry, n: i64) -> Result<(Reply<Even>, Methods), OddsError> {
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
                if self.bench.allows(&settings)?.is_err() {
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

/// The chance of the unit in a part: that it wins, plus half of what is left open. An outcome's
/// label names a side first, and what it does: only `wins` is good news for it.
fn favour(odds: &Distribution, sides: [&str; 2], part: usize) -> f64 {
    let outcome = odds.marginal_at(0);
    let good = |label: &str| {
        let names = |side: &str| label.strip_prefix(side)?.strip_prefix('-');
        match (names(sides[part]), names(sides[1 - part])) {
            (Some("wins"), _) => 1.0,
            (Some(_), _) => 0.0,
            (_, Some("wins")) => 0.0,
            (_, Some(_)) => 1.0,
            (None, None) => 0.5,
        }
    };
    outcome.values().iter().map(|v| v.p * good(&v.label)).sum()
}

fn geometric(worths: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = worths.fold((0.0, 0), |(sum, n), w| (sum + w.ln(), n + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::Kind;
    use crate::rules;

    #[test]
    fn every_measure_fits_the_schema_of_its_ruleset() {
        for measure in MEASURES {
            let loaded = rules::find(measure.rules).unwrap().load(&[]).unwrap();
            let asked = Asked::exactly();
            let rings = rings(&loaded, measure, &PointsAsked::default(), asked).unwrap();
            assert_eq!(rings.len(), 2, "{}", measure.rules);
            for ring in &rings {
                assert!(matches!(
                    ring.bench.procedure.variables[0].kind,
                    Kind::Category(_)
                ));
                for side in ring.sides {
                    for key in [measure.grade, ring.size] {
                        let key = format!("{side}.{key}");
                        let there = ring.bench.procedure.settings.iter().any(|s| s.key == key);
                        assert!(there, "{} has no {key}", measure.rules);
                    }
                }
                for &size in measure.sizes {
                    assert!((ring.range.0..=ring.range.1).contains(&size));
                }
            }
        }
    }
}
