//! The same fight in every ruleset, side by side: results, losses, how far apart they are, and what
//! moves each.

use crate::parallel;
use grapeshot_engine::dist::{Distribution, Marginal};
use grapeshot_engine::dist::{total_variation, wasserstein};
use grapeshot_engine::engine::{Note, NoteKind};
use grapeshot_engine::{object, plain};
use grapeshot_rules::common::{ANOTHER_FIGHT, FightKind, RULESET_KEY};
use grapeshot_rules::sweep::{Axis, cells, check_axes};
use grapeshot_rules::{
    Given, Labels, LoadedRuleset, OddsError, Options, Procedure, RuleError, SettingKind, Value,
};
use serde::{Serialize, Serializer};

/// What one ruleset makes of a fight.
#[derive(Debug, Clone)]
pub struct Played {
    /// The answer.
    pub odds: Distribution,
    /// Assumptions that entered, settings that make no difference, the fight in its own words.
    pub notes: Vec<Note>,
}

impl Played {
    /// The remarks of one kind.
    fn of_kind(&self, kind: NoteKind) -> Vec<&Note> {
        self.notes.iter().filter(|note| note.kind == kind).collect()
    }

    /// The names of the assumptions that entered.
    pub fn assumptions(&self) -> Vec<&str> {
        let notes = self.of_kind(NoteKind::Assumption).into_iter();
        notes.map(|note| note.name.as_str()).collect()
    }

    /// The distribution of a variable every common fight reports.
    pub fn marginal(&self, name: &str) -> Marginal {
        self.odds
            .marginal(name)
            .expect("a common fight reports the common variables")
    }

    /// Why it is another fight, if it is: the ruleset could not keep how the sides stand to each other.
    pub fn another(&self) -> Option<&str> {
        let mut notes = self.notes.iter();
        let found = notes.find(|note| *note.name == *ANOTHER_FIGHT);
        found.map(|note| note.text.as_ref())
    }

    fn is_another(&self) -> bool {
        self.another().is_some()
    }

    /// How it was found, in words.
    pub fn method(&self) -> String {
        match self.odds.source().trials() {
            None => "exact".into(),
            Some(trials) => format!("simulated, {} trials", crate::wording::grouped(trials)),
        }
    }

    /// The headline.
    pub fn headline(&self) -> Marginal {
        self.odds.marginal_at(0)
    }
}

impl Serialize for Played {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let source = self.odds.source();
        object!(to;
            "method": source.method(),
            "trials": source.trials(),
            "variables": self.odds.marginals(),
            "assumptions": self.of_kind(NoteKind::Assumption),
            "no_difference": self.of_kind(NoteKind::NoDifference),
            "remarks": self.of_kind(NoteKind::Remark),
        )
    }
}

/// One row of a comparison: a ruleset, and what it makes of the fight or why it is left out.
#[derive(Debug, Clone, Serialize)]
pub struct RulesRow {
    /// The ruleset.
    #[serde(rename = "ruleset")]
    pub rules: String,
    /// What it makes of it, or the reason.
    #[serde(flatten, serialize_with = "or_left_out")]
    pub played: Result<Played, String>,
    /// The nearest fight that is none other there, where this one is; not sought in a sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_proportion: Option<InProportion>,
}

/// A fight of another size, in which a ruleset keeps how the sides stand to each other.
#[derive(Debug, Clone, Serialize)]
pub struct InProportion {
    /// How many men stand on each side then.
    pub men: [i64; 2],
    /// The same in the smallest whole numbers.
    #[serde(skip)]
    pub ratio: [i64; 2],
    /// What the ruleset makes of that.
    #[serde(flatten)]
    pub played: Played,
}

fn or_left_out<S: Serializer>(played: &Result<Played, String>, to: S) -> Result<S::Ok, S::Error> {
    match played {
        Ok(played) => played.serialize(to),
        Err(reason) => object!(to; "left_out": reason),
    }
}

/// How far apart the rulesets are in one variable; nothing where one is left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Distances {
    /// The variable.
    pub variable: String,
    /// The measure.
    pub measure: &'static str,
    /// The rulesets.
    pub rulesets: Vec<String>,
    /// The distances, in their order.
    pub matrix: Vec<Vec<Option<f64>>>,
}

/// One fight of a comparison.
#[derive(Debug, Clone, Serialize)]
pub struct Compared {
    /// The swept keys and their values.
    #[serde(serialize_with = "plain::pairs")]
    pub place: Vec<(String, Value)>,
    /// One row for each ruleset.
    pub rows: Vec<RulesRow>,
    /// How far apart they are.
    pub distances: Vec<Distances>,
}

/// How far one key can move a ruleset's result, everything else as in the fight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mover {
    /// The key.
    pub key: String,
    /// The value that moves it farthest.
    pub value: Value,
    /// The total variation between the results before and after.
    #[serde(rename = "total_variation")]
    pub distance: f64,
    /// The chance of the first result before.
    pub from: f64,
    /// The chance of the first result after.
    pub to: f64,
}

/// What moves a ruleset, the strongest first; empty where it is left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Movers {
    /// The ruleset.
    #[serde(rename = "ruleset")]
    pub rules: String,
    /// The keys.
    #[serde(rename = "keys")]
    pub movers: Vec<Mover>,
}

/// A fight in every ruleset.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// What kind of fight.
    #[serde(rename = "procedure")]
    pub kind: FightKind,
    /// What was set.
    #[serde(serialize_with = "plain::pairs")]
    pub given: Given,
    /// The keys that are swept.
    pub swept: Vec<String>,
    /// The last number of each band in which the first of them is looked up, if it is.
    #[serde(skip)]
    pub bands: Option<Vec<i64>>,
    /// Names of the variants laid over the tables.
    pub variants: Vec<String>,
    /// The fights, in the order of the sweep; one without a sweep.
    pub fights: Vec<Compared>,
    /// What moves each ruleset, at the fight as given.
    pub movers: Vec<Movers>,
}

/// How fights are compared, unless told otherwise: exact wherever it fits.
pub fn compare_options() -> Options {
    Options::compared(4_000_000)
}

/// A fight in one ruleset; the inner error is why it is left out.
///
/// # Errors
/// If a key or value is wrong in itself.
pub fn play(
    procedure: &Procedure,
    rules: &str,
    given: &[(String, Value)],
    options: &Options,
) -> Result<Result<Played, String>, OddsError> {
    let ruleset = (RULESET_KEY.to_owned(), Value::from(rules));
    let settings = procedure.resolve(given.iter().cloned().chain([ruleset]))?;
    match procedure.situation(settings) {
        Ok(situation) => {
            let answered = situation.answer(options)?;
            Ok(Ok(Played {
                odds: answered.odds,
                notes: answered.notes,
            }))
        }
        Err(
            RuleError::LeftOut { key, why, .. }
            | RuleError::Refused {
                key, reason: why, ..
            },
        ) if key == RULESET_KEY => Ok(Err(why)),
        Err(
            RuleError::LeftOut {
                key, given, why, ..
            }
            | RuleError::Refused {
                key,
                given,
                reason: why,
            },
        ) => Ok(Err(format!("{key}={given}: {why}"))),
        Err(other) => Err(other.into()),
    }
}

/// The fight with as many times the men on both sides, the nearest in which a ruleset keeps how they stand to each other;
/// nothing where it has no such sizes.
///
/// # Errors
/// If a key or value is wrong in itself.
pub fn in_proportion(
    procedure: &Procedure,
    (kind, rules): (FightKind, &str),
    given: &[(String, Value)],
    options: &Options,
) -> Result<Option<InProportion>, OddsError> {
    let settings = procedure.resolve(given.iter().cloned())?;
    let keys = kind.sides().map(|side| format!("{side}.men"));
    let whole = |key: &String| {
        let setting = procedure
            .settings
            .iter()
            .find(|setting| setting.key == *key)?;
        let men = settings.find(key)?.to_string().parse().ok()?;
        match setting.kind {
            SettingKind::Whole { min, max } => Some((men, min..=max)),
            _ => None,
        }
    };
    let [Some((mine, range)), Some((theirs, _))] = keys.each_ref().map(whole) else {
        return Ok(None);
    };
    let (mine, theirs): (i64, i64) = (mine, theirs);
    let common = gcd(mine, theirs);
    let (one, other) = (mine / common, theirs / common);
    let mut times: Vec<i64> = (1..=range.end() / one.max(other))
        .filter(|by| range.contains(&(one * by)) && range.contains(&(other * by)))
        .collect();
    let far = |by: i64| (by as f64 / common as f64).ln().abs();
    times.sort_by(|&a, &b| far(a).total_cmp(&far(b)));
    for by in times {
        let men = [one * by, other * by];
        let ruleset = (RULESET_KEY.to_owned(), Value::from(rules));
        let sizes = keys.iter().cloned().zip(men.map(Value::from));
        let all = given.iter().cloned().chain(sizes).chain([ruleset]);
        let Ok(situation) = procedure.situation(procedure.resolve(all)?) else {
            continue;
        };
        if situation
            .notes()
            .iter()
            .any(|note| *note.name == *ANOTHER_FIGHT)
        {
            continue;
        }
        let answered = situation.answer(options)?;
        let played = Played {
            odds: answered.odds,
            notes: answered.notes,
        };
        return Ok(Some(InProportion {
            men,
            ratio: [one, other],
            played,
        }));
    }
    Ok(None)
}

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a.max(1),
        b => gcd(b, a % b),
    }
}

/// Compares all rulesets in a fight, or in every fight of a sweep.
///
/// # Errors
/// If a key or value is wrong, or no ruleset plays any of it.
pub fn compare(
    common: &LoadedRuleset,
    kind: FightKind,
    given: &[(String, Value)],
    axes: &[Axis],
    options: &Options,
) -> Result<Comparison, OddsError> {
    let procedure = common.procedure(kind.label())?;
    let players: Vec<&str> = common.players().collect();
    let contest = Contest {
        procedure,
        players: &players,
        kind,
        options,
    };
    let swept: Vec<String> = axes.iter().flat_map(|axis| axis.keys.clone()).collect();
    for key in given.iter().map(|(key, _)| key).chain(&swept) {
        if key == RULESET_KEY {
            let problem =
                "a comparison plays every ruleset: leave `ruleset` out, or ask `common` for one";
            return Err(RuleError::Other(problem.into()).into());
        }
    }
    check_axes(axes, given)?;
    let fights: Result<Vec<Compared>, OddsError> =
        parallel::try_map(&cells(axes), |cell| contest.fight(given, cell));
    let fights = fights?;
    let left_out = |fight: &Compared| fight.rows.iter().all(|row| row.played.is_err());
    if fights.iter().all(left_out) {
        let rows = fights.first().map_or(&[][..], |fight| &fight.rows);
        let reasons = reasons(rows);
        let problem = format!(
            "no ruleset plays this {}:\n  {}",
            kind.label(),
            reasons.join("\n  ")
        );
        return Err(RuleError::Other(problem).into());
    }
    Ok(Comparison {
        kind,
        given: given.to_vec(),
        bands: swept.first().and_then(|key| {
            let setting = procedure.settings.iter().find(|s| s.key == *key);
            setting.and_then(|setting| setting.bands.clone())
        }),
        swept,
        fights,
        movers: contest.movers(given)?,
        variants: common.variant_names(),
    })
}

fn reasons(rows: &[RulesRow]) -> Vec<String> {
    rows.iter()
        .filter_map(|row| Some(format!("{}: {}", row.rules, row.played.as_ref().err()?)))
        .collect()
}

/// One fight, and who plays it how.
struct Contest<'a> {
    procedure: &'a Procedure,
    players: &'a [&'a str],
    kind: FightKind,
    options: &'a Options,
}

impl Contest<'_> {
    fn play(
        &self,
        rules: &str,
        given: &[(String, Value)],
    ) -> Result<Result<Played, String>, OddsError> {
        play(self.procedure, rules, given, self.options)
    }

    fn fight(
        &self,
        given: &[(String, Value)],
        cell: &[(String, Value)],
    ) -> Result<Compared, OddsError> {
        let all: Given = given.iter().chain(cell).cloned().collect();
        let settings = self.procedure.resolve(all.iter().cloned())?;
        let place = cell
            .iter()
            .map(|(key, _)| (key.clone(), settings.get(key).clone()))
            .collect();
        let rows: Result<Vec<RulesRow>, OddsError> = parallel::try_map(self.players, |&rules| {
            let played = self.play(rules, &all)?;
            let another = played.as_ref().is_ok_and(Played::is_another);
            let in_proportion = match another && cell.is_empty() {
                true => in_proportion(self.procedure, (self.kind, rules), &all, self.options)?,
                false => None,
            };
            Ok(RulesRow {
                rules: rules.to_owned(),
                played,
                in_proportion,
            })
        });
        let rows = rows?;
        let headline = &self.procedure.variables[0].name;
        let mut apart = vec![distances(
            &rows,
            headline,
            "total variation",
            total_variation,
        )];
        for (loss, _) in self.kind.losses() {
            apart.push(distances(&rows, loss, "Wasserstein", wasserstein));
        }
        Ok(Compared {
            place,
            rows,
            distances: apart,
        })
    }

    /// For each ruleset every key with the value that moves the result farthest.
    fn movers(&self, given: &[(String, Value)]) -> Result<Vec<Movers>, OddsError> {
        parallel::try_map(self.players, |&rules| {
            let movers = match self.play(rules, given)? {
                Ok(base) => self.movers_of(rules, &base, given)?,
                Err(_) => Vec::new(),
            };
            let rules = rules.to_owned();
            Ok(Movers { rules, movers })
        })
    }

    fn movers_of(
        &self,
        rules: &str,
        base: &Played,
        given: &[(String, Value)],
    ) -> Result<Vec<Mover>, OddsError> {
        let settings = self.procedure.settings.iter();
        let settings: Vec<_> = settings
            .filter(|setting| setting.key != RULESET_KEY)
            .collect();
        let found: Result<Vec<Option<Mover>>, OddsError> =
            parallel::try_map(&settings, |setting| {
                let mut best: Option<Mover> = None;
                for value in setting.sample_values() {
                    let mut changed = given.to_vec();
                    changed.push((setting.key.clone(), value.clone()));
                    let Ok(played) = self.play(rules, &changed)? else {
                        continue;
                    };
                    let mover = mover(base, &played, &setting.key, value);
                    if best
                        .as_ref()
                        .is_none_or(|best| mover.distance > best.distance + 1e-12)
                    {
                        best = Some(mover);
                    }
                }
                Ok(best)
            });
        let mut movers: Vec<Mover> = found?.into_iter().flatten().collect();
        movers.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        Ok(movers)
    }
}

fn distances(
    rows: &[RulesRow],
    variable: &str,
    measure: &'static str,
    distance: fn(&Marginal, &Marginal) -> f64,
) -> Distances {
    let marginals: Vec<Option<Marginal>> = rows
        .iter()
        .map(|row| row.played.as_ref().ok().map(|p| p.marginal(variable)))
        .collect();
    let between = |a: &Option<Marginal>, b: &Option<Marginal>| {
        a.as_ref().zip(b.as_ref()).map(|(a, b)| distance(a, b))
    };
    Distances {
        variable: variable.into(),
        measure,
        rulesets: rows.iter().map(|row| row.rules.clone()).collect(),
        matrix: marginals
            .iter()
            .map(|a| marginals.iter().map(|b| between(a, b)).collect())
            .collect(),
    }
}

fn mover(base: &Played, played: &Played, key: &str, value: Value) -> Mover {
    let (before, after) = (base.headline(), played.headline());
    let first = |marginal: &Marginal| {
        let label = base.odds.variables()[0].label(0);
        marginal.p(&label)
    };
    let distance = total_variation(&before, &after);
    Mover {
        key: key.into(),
        value,
        // Sums in another order differ in the last places.
        distance: if distance < 1e-12 { 0.0 } else { distance },
        from: first(&before),
        to: first(&after),
    }
}
