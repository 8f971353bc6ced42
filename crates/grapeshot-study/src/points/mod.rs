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
//! firefight. Where no number of stands makes a fight even there is only a bound; it counts when it
//! contradicts the mean, which is then marked as a bound as well. Rules need not follow any such number: the residuals say how well they do, both as
//! worth and as the chance of a unit that is bought at the price.

mod list;
mod matchup;
mod measure;

use super::workbench::{Methods, Reply};
use crate::parallel;
use grapeshot_engine::engine::doing;
use grapeshot_engine::object;
use grapeshot_rules::fight::{ProcedureSettings, RawSettings};
use grapeshot_rules::{Given, LoadedRuleset, OddsError, Options, RuleError};
pub use list::{Listed, PriceList, Verdict};
use matchup::{Matchup, matchups};
use measure::{Measure, measure_of};
use serde::{Serialize, Serializer};

/// What is priced: a grade, a weapon or a kind of unit, everything else being the reference's.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// `grade`, `class`, `morale`, `weapon`, `type`, `kind` or `arm`.
    pub key: String,
    /// Its value.
    pub value: String,
    /// Whether it is the reference itself.
    pub reference: bool,
    settings: Given,
}

/// What an even fight says about the worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum Even {
    /// Even at this size of its own, by interpolation.
    #[serde(rename = "even_at")]
    Size(f64),
    /// Ahead even at its smallest size: worth more than this.
    #[serde(rename = "worth_above")]
    Above(f64),
    /// Behind even at its largest size: worth less than this.
    #[serde(rename = "worth_below")]
    Below(f64),
}

/// An entry against one size of the reference in one procedure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PricedFight {
    /// The procedure.
    pub procedure: String,
    /// Stands of the reference.
    pub against: i64,
    /// What it says of the worth, where it can be made even.
    #[serde(rename = "worth")]
    pub worth_if_even: Option<f64>,
    /// The chance of a unit of the size that the price says is even; nothing if it has no such size.
    #[serde(rename = "chance_at_price")]
    pub at_price: Option<f64>,
    /// What was found, or why it cannot be fought.
    #[serde(flatten, serialize_with = "or_not_fought")]
    pub even: Reply<Even>,
}

fn or_not_fought<S: Serializer>(even: &Reply<Even>, to: S) -> Result<S::Ok, S::Error> {
    match even {
        Ok(even) => even.serialize(to),
        Err(reason) => object!(to; "not_fought": reason),
    }
}

/// A worth, or a bound of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// The number.
    pub value: f64,
    /// Set when the true worth may be less.
    pub at_most: bool,
    /// Set when the true worth may be more.
    pub at_least: bool,
}

impl Worth {
    /// The one number for several fights: the geometric mean of those that can be made even,
    /// together with every bound that contradicts it. A bound that agrees with the mean says nothing
    /// new and is left out. Without any even fight the tightest bound stands.
    pub fn mean(worths: impl IntoIterator<Item = Worth>) -> Option<Worth> {
        let (bounds, mut counted): (Vec<Worth>, Vec<Worth>) =
            worths.into_iter().partition(|w| w.at_most || w.at_least);
        if counted.is_empty() {
            let order = |a: &Worth, b: &Worth| a.value.total_cmp(&b.value);
            let lowest = bounds.iter().copied().filter(|w| w.at_most).min_by(order);
            let highest = bounds.iter().copied().filter(|w| w.at_least).max_by(order);
            counted.extend(lowest.into_iter().chain(highest));
            return geometric(&counted);
        }
        let mut left = bounds;
        loop {
            let mean = geometric(&counted)?;
            let (against, agree): (Vec<Worth>, Vec<Worth>) = left
                .into_iter()
                .partition(|bound| bound.contradicts(mean.value));
            if against.is_empty() {
                return Some(mean);
            }
            counted.extend(against);
            left = agree;
        }
    }

    /// Whether it is a bound that leaves no room for this worth.
    pub(crate) fn contradicts(&self, worth: f64) -> bool {
        (self.at_most && worth > self.value) || (self.at_least && worth < self.value)
    }
}

fn geometric(worths: &[Worth]) -> Option<Worth> {
    let sum: f64 = worths.iter().map(|w| w.value.ln()).sum();
    (!worths.is_empty()).then(|| Worth {
        value: (sum / worths.len() as f64).exp(),
        at_most: worths.iter().any(|w| w.at_most),
        at_least: worths.iter().any(|w| w.at_least),
    })
}

impl PricedFight {
    fn new(procedure: String, against: i64, even: Reply<Even>) -> Self {
        let worth_if_even = match even {
            Ok(Even::Size(size)) => Some(against as f64 / size),
            _ => None,
        };
        PricedFight {
            procedure,
            against,
            worth_if_even,
            at_price: None,
            even,
        }
    }

    /// What it says of the worth; nothing if it cannot be fought.
    pub fn worth(&self) -> Option<Worth> {
        let (value, at_most, at_least) = match self.even.as_ref().ok()? {
            Even::Size(size) => (self.against as f64 / size, false, false),
            Even::Above(bound) => (*bound, false, true),
            Even::Below(bound) => (*bound, true, false),
        };
        Some(Worth {
            value,
            at_most,
            at_least,
        })
    }

    /// Whether it can be made even.
    pub fn is_even(&self) -> bool {
        matches!(self.even, Ok(Even::Size(_)))
    }
}

/// The price of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// What is priced.
    pub entry: Entry,
    /// Its fights.
    pub fights: Vec<PricedFight>,
    /// The one number; nothing if nothing can be fought.
    pub worth: Option<Worth>,
}

impl Price {
    /// The mean of the worths in one procedure.
    pub fn in_procedure(&self, procedure: &str) -> Option<Worth> {
        let fights = self.fights.iter().filter(|f| f.procedure == procedure);
        Worth::mean(fights.filter_map(PricedFight::worth))
    }

    /// The smallest and the largest worth that any fight says; bounds count where they contradict
    /// the price.
    pub fn range(&self) -> Option<(Worth, Worth)> {
        let price = self.worth?.value;
        let says = |w: &Worth| !(w.at_most || w.at_least) || w.contradicts(price);
        let worths = || {
            self.fights
                .iter()
                .filter_map(PricedFight::worth)
                .filter(says)
        };
        let order = |a: &Worth, b: &Worth| a.value.total_cmp(&b.value);
        Some((worths().min_by(order)?, worths().max_by(order)?))
    }

    /// The fight in which the price misses an even chance by most, and by how much.
    pub fn worst(&self) -> Option<(&PricedFight, f64)> {
        let missed = self
            .fights
            .iter()
            .filter_map(|f| Some((f, f.at_price? - 0.5)));
        missed.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let range = self.range();
        object!(to;
            "key": self.entry.key,
            "value": self.entry.value,
            "reference": self.entry.reference,
            "worth": self.worth.map(|worth| worth.value),
            "may_be_less": self.worth.map(|worth| worth.at_most),
            "may_be_more": self.worth.map(|worth| worth.at_least),
            "from": range.map(|(from, _)| from.value),
            "to": range.map(|(_, to)| to.value),
            "worst_miss": self.worst().map(|(_, by)| by),
            "fights": self.fights,
        )
    }
}

/// What was given, as it is typed.
fn as_typed<S: Serializer>(given: &Given, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(given.iter().map(|(key, value)| format!("{key}={value}")))
}

/// What several are called.
fn several<S: Serializer>([_, several]: &[String; 2], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(several)
}

/// The price list of a ruleset.
#[derive(Debug, Clone, Serialize)]
pub struct Points {
    /// The ruleset.
    pub rules: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// What is counted: one with its article, and several.
    #[serde(serialize_with = "several")]
    pub unit: [String; 2],
    /// The reference, as settings of a side.
    pub reference: String,
    /// What was given, in the words of the procedures.
    #[serde(serialize_with = "as_typed")]
    pub given: Given,
    /// What none of the procedures has a use for, in words.
    #[serde(skip)]
    pub unused: Option<String>,
    /// The procedures that were fought.
    pub procedures: Vec<String>,
    /// Sizes of the reference.
    pub sizes: Vec<i64>,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// What a reader should know.
    pub note: String,
    /// The prices, grades first.
    pub prices: Vec<Price>,
    /// A price list of one's own beside them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<Listed>,
}

/// What may be asked for beside the ruleset.
#[derive(Debug, Clone, Default)]
pub struct PointsAsked {
    /// What is said of the fights, such as the range.
    pub said: RawSettings,
    /// Only this procedure.
    pub procedure: Option<String>,
    /// Sizes of the reference; a spread that suits the ruleset if there are none.
    pub sizes: Vec<i64>,
    /// A price list to be held against it.
    pub prices: Option<PriceList>,
}

/// Works out the price list.
///
/// # Errors
/// If the ruleset has no fight in which numbers can make up for quality, or a setting is wrong.
pub fn points(
    loaded: &LoadedRuleset,
    wanted: &PointsAsked,
    options: Options,
) -> Result<Points, OddsError> {
    let measure = &measure_of(loaded, wanted.procedure.as_deref())?;
    let matchups = matchups(loaded, measure, wanted, options)?;
    let sizes = sizes(&matchups, measure, wanted)?;
    let entries = entries(&matchups, measure);
    let costs = (wanted.prices.as_ref()).map(|list| list.read(loaded.id(), &entries));
    let costs = costs.transpose()?.unwrap_or_default();
    let tasks: Vec<(usize, usize, i64)> = (0..entries.len())
        .flat_map(|e| (0..matchups.len()).map(move |r| (e, r)))
        .flat_map(|(e, r)| sizes.iter().map(move |&n| (e, r, n)))
        .collect();
    doing(|| format!("{}: even fights", loaded.id()));
    let fought: Result<Vec<(Reply<Even>, Methods)>, OddsError> =
        parallel::try_map(&tasks, |&(e, r, n)| matchups[r].make_even(&entries[e], n));
    let fought = fought?;
    let mut methods = Methods::default();
    let mut prices: Vec<Price> = Vec::new();
    for (e, entry) in entries.iter().enumerate() {
        let mut fights = Vec::new();
        for (&(_, r, against), (even, more)) in tasks.iter().zip(&fought).filter(|(t, _)| t.0 == e)
        {
            methods = methods.and(*more);
            let procedure = matchups[r].workbench.procedure.name.to_string();
            fights.push(PricedFight::new(procedure, against, even.clone()));
        }
        let worth = Worth::mean(fights.iter().filter_map(PricedFight::worth));
        prices.push(Price {
            entry: entry.clone(),
            fights,
            worth,
        });
    }
    doing(|| format!("{}: fights at the price", loaded.id()));
    let missed: Result<Vec<(Option<f64>, Methods)>, OddsError> =
        parallel::try_map(&tasks, |&(e, r, n)| match prices[e].worth {
            Some(worth) => matchups[r].chance_between(&entries[e], n as f64 / worth.value, n),
            None => Ok((None, Methods::default())),
        });
    let mut missed = missed?.into_iter();
    for fight in prices.iter_mut().flat_map(|p| &mut p.fights) {
        if let Some((chance, more)) = missed.next() {
            fight.at_price = chance;
            methods = methods.and(more);
        }
    }
    let setting = |key: &str| matchups.iter().find_map(|matchup| matchup.setting(key));
    let reference: Vec<String> = measure
        .keys()
        .filter_map(|key| Some(format!("{key} {}", setting(key)?.default_text())))
        .collect();
    Ok(Points {
        rules: loaded.id().into(),
        variants: loaded.variant_names(),
        unit: measure.unit.clone(),
        reference: reference.join(", "),
        given: given(&matchups),
        unused: unused(&matchups, &wanted.said),
        procedures: matchups
            .iter()
            .map(|r| r.workbench.procedure.name.to_string())
            .collect(),
        listed: (costs.iter().zip(&prices))
            .filter_map(|(cost, price)| Some((*cost)?.beside(price)))
            .collect(),
        sizes,
        prices,
        note: measure.note.clone(),
        methods,
    })
}

/// What was given to any of the fights.
fn given(matchups: &[Matchup<'_>]) -> Given {
    let mut all = Given::new();
    for pair in matchups.iter().flat_map(|matchup| &matchup.workbench.given) {
        if !all.contains(pair) {
            all.push(pair.clone());
        }
    }
    all
}

/// The keys of the fight that none of the procedures has a use for.
fn unused(matchups: &[Matchup<'_>], said: &RawSettings) -> Option<String> {
    let (first, others) = matchups.split_first()?;
    let everywhere = |key: &&String| others.iter().all(|matchup| matchup.unused.contains(*key));
    let keys = first.unused.iter().filter(everywhere);
    ProcedureSettings {
        given: Given::new(),
        unused: keys.cloned().collect(),
        read_as: Vec::new(),
    }
    .note(said, "points")
}

fn sizes(
    matchups: &[Matchup<'_>],
    measure: &Measure,
    wanted: &PointsAsked,
) -> Result<Vec<i64>, RuleError> {
    if wanted.sizes.is_empty() {
        return Ok(measure.sizes.clone());
    }
    for &size in &wanted.sizes {
        for matchup in matchups {
            if !(matchup.range.0..=matchup.range.1).contains(&size) {
                let problem = format!(
                    "allowed in {} {} is a whole number from {} to {}",
                    matchup.workbench.loaded.id(),
                    matchup.workbench.procedure.name,
                    matchup.range.0,
                    matchup.range.1
                );
                return Err(RuleError::argument("sizes", size, problem));
            }
        }
    }
    Ok(wanted.sizes.clone())
}

/// Every grade with the reference weapon, every weapon with the reference grade, every kind with both.
fn entries(matchups: &[Matchup<'_>], measure: &Measure) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    for key in measure.keys() {
        let setting = matchups.iter().find_map(|matchup| matchup.setting(key));
        let Some(setting) = setting else { continue };
        let mut gun = false;
        for given in setting.sample_values() {
            let value = given.to_string();
            let mut settings = vec![(key.to_owned(), given)];
            if let Some(guns) = &measure.guns {
                gun |= Some(key) == measure.weapon.as_deref() && value == guns.first;
                if gun {
                    settings.push((guns.key.clone(), guns.value.as_str().into()));
                }
            }
            // What serves guns is priced with them.
            let serves = measure
                .guns
                .as_ref()
                .is_some_and(|guns| guns.key == key && guns.value == value);
            // Some fights know more kinds of guns than others.
            let mut known = matchups.iter().filter_map(|matchup| matchup.setting(key));
            if serves || known.any(|setting| setting.parse(&value).is_err()) {
                continue;
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

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_engine::dist::VariableKind;

    #[test]
    fn brigades_are_priced_by_the_regiment_and_only_when_asked_for() {
        let loaded = grapeshot_rules::find("acw28").unwrap().load(&[]).unwrap();
        let asked = PointsAsked {
            procedure: Some("battle".into()),
            sizes: vec![4],
            ..PointsAsked::default()
        };
        let found = points(&loaded, &asked, Options::compared(300)).unwrap();
        assert_eq!(found.procedures, ["battle"]);
        assert_eq!(found.unit[1], "regiments");
        let worth = |class: &str| {
            let price = found.prices.iter().find(|p| p.entry.value == class);
            price.and_then(|p| p.worth).map(|worth| worth.value)
        };
        assert!(worth("A") > worth("C"), "{:?} {:?}", worth("A"), worth("C"));
    }

    #[test]
    fn every_measure_fits_the_schema_of_its_ruleset() {
        let mut priced = Vec::new();
        for ruleset in grapeshot_rules::Registry::built_in().printed() {
            let id = &*ruleset.id;
            let loaded = ruleset.load(&[]).unwrap();
            let Ok(measure) = measure_of(&loaded, None) else {
                continue;
            };
            priced.push(id);
            let asked = Options::exact();
            let matchups = matchups(&loaded, &measure, &PointsAsked::default(), asked).unwrap();
            assert_eq!(matchups.len(), 2, "{id}");
            for matchup in &matchups {
                assert!(matches!(
                    matchup.workbench.procedure.variables[0].kind,
                    VariableKind::Category(_)
                ));
                for side in matchup.sides {
                    for key in [measure.grade.as_str(), matchup.size] {
                        let key = format!("{side}.{key}");
                        let there = matchup
                            .workbench
                            .procedure
                            .settings
                            .iter()
                            .any(|s| s.key == key);
                        assert!(there, "{id} has no {key}");
                    }
                }
                for &size in &measure.sizes {
                    assert!((matchup.range.0..=matchup.range.1).contains(&size));
                }
            }
        }
        assert_eq!(priced, ["elephant", "gbacw", "acw28", "fireline"]);
    }
}
