//! How each ruleset measures its units, and which procedures are fights: the `[points]` part of its
//! `extras.toml`.

use grapeshot_rules::{Entries, LoadedRuleset, Registry, RuleError, Ruleset};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a ruleset measures its units: which keys are size, grade and weapon. What they may be, and
/// which of them is the reference, comes from the schema.
#[derive(Debug, Clone)]
pub(super) struct Measure {
    /// What is counted: one with its article, and several.
    pub(super) unit: [String; 2],
    /// The keys of the size; the first that a procedure has counts.
    pub(super) size: Vec<String>,
    /// The key of the grade.
    pub(super) grade: String,
    /// The key of the weapon, if there is one.
    pub(super) weapon: Option<String>,
    /// The key of the kind of unit, if there are several.
    pub(super) kind: Option<String>,
    /// Weapons that another kind of unit serves.
    pub(super) guns: Option<Guns>,
    /// Settings that grow with the size: key and factor.
    pub(super) grows: BTreeMap<String, i64>,
    /// Sizes of the reference.
    pub(super) sizes: Vec<i64>,
    /// What a reader should know of the reading.
    pub(super) note: String,
}

impl Measure {
    fn read(mut entries: Entries<'_>) -> Self {
        let guns = entries.table("guns").map(|mut guns| {
            let read = Guns {
                first: guns.needed("first"),
                key: guns.needed("key"),
                value: guns.needed("value"),
            };
            guns.finish();
            read
        });
        let grows = entries.table("grows");
        let measure = Measure {
            unit: entries.needed("unit"),
            size: entries.needed("size"),
            grade: entries.needed("grade"),
            weapon: entries.maybe("weapon"),
            kind: entries.maybe("kind"),
            guns,
            grows: grows.map_or(BTreeMap::new(), |mut grows| {
                grows.all().into_iter().collect()
            }),
            sizes: entries.needed("sizes"),
            note: entries.needed("note"),
        };
        entries.finish();
        measure
    }

    /// The keys that are priced: grade, and weapon and kind where there are several.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let others = [self.weapon.as_deref(), self.kind.as_deref()];
        std::iter::once(self.grade.as_str()).chain(others.into_iter().flatten())
    }
}

/// Weapons that another kind of unit serves.
#[derive(Debug, Clone)]
pub(super) struct Guns {
    /// The first of them; all after it are guns too.
    pub(super) first: String,
    /// The key that says who serves them.
    pub(super) key: String,
    /// What it is set to.
    pub(super) value: String,
}

/// The measure of a ruleset in the fights of two units, or of its brigades where their battle is wanted.
///
/// # Errors
/// If its units have no size.
pub(super) fn measure_of(
    loaded: &LoadedRuleset,
    wanted: Option<&str>,
) -> Result<Measure, RuleError> {
    let id = loaded.id();
    let problems = loaded.tables.problems();
    if let Some(mut units) = loaded.tables.entries("points", &problems) {
        let brigades = units.table(BATTLE);
        let measure = match (wanted, brigades) {
            (Some(BATTLE), Some(brigades)) => Measure::read(brigades),
            _ => Measure::read(units),
        };
        return problems.or(measure);
    }
    let has_points = |ruleset: &&Arc<Ruleset>| {
        let tables = ruleset.book.tables();
        tables.is_ok_and(|tables| tables.section("points").is_some())
    };
    let priced = Registry::built_in().printed().filter(has_points);
    let priced: Vec<&str> = priced.map(|ruleset| &*ruleset.id).collect();
    let why = if loaded.ruleset.book.as_command().is_some() && loaded.ruleset.is_printed() {
        let problem = "is missing, so its units cannot be priced: unit, size, grade, sizes and note; grapeshot new makes a ruleset that has it";
        return Err(loaded.tables.problem("points", problem));
    } else if !loaded.ruleset.is_printed() {
        "it is played by the printed rulesets, and a price belongs to one of them"
    } else {
        "no procedure in which two units meet has a size for them, so that no number of one can be made even with another"
    };
    Err(RuleError::Other(format!(
        "{id} cannot be priced: {why}; allowed is {}",
        priced.join(", ")
    )))
}

/// A procedure that can be priced, with the two parts in it.
pub(super) type Priced = (&'static str, [&'static str; 2]);

/// Procedures in which two units meet.
const FIGHTS: &[Priced] = &[
    ("charge", ["attacker", "defender"]),
    ("firefight", ["a", "b"]),
];

/// The procedure in which two brigades meet; it is priced by itself, and only if it is asked for.
const BATTLE: &str = "battle";
const BATTLES: &[Priced] = &[(BATTLE, ["attacker", "defender"])];

/// The procedures that are priced together, when this one is wanted or none in particular.
pub(super) fn priced(loaded: &LoadedRuleset, wanted: Option<&str>) -> &'static [Priced] {
    match wanted {
        Some(BATTLE) if prices_battles(loaded) => BATTLES,
        _ => FIGHTS,
    }
}

/// The names of all that can be priced.
pub(super) fn names(loaded: &LoadedRuleset) -> Vec<&'static str> {
    let battles = if prices_battles(loaded) { BATTLES } else { &[] };
    let there = |(name, _): &&Priced| loaded.procedures.iter().any(|p| *p.name == **name);
    let all = FIGHTS.iter().chain(battles).filter(there);
    all.map(|(name, _)| *name).collect()
}

fn prices_battles(loaded: &LoadedRuleset) -> bool {
    let section = loaded.tables.section("points");
    section.is_some_and(|section| section.contains_key(BATTLE))
}
