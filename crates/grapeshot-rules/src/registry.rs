//! The rulesets there are, and how one is found by its name.

use super::{RuleError, Ruleset, Variant, common, drill, elephant, read_text};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The printed rulesets that are part of the program, in the order in which they are listed.
fn built_in() -> [Ruleset; 5] {
    [
        elephant::RULESET.into(),
        drill::GBACW.into(),
        drill::ACW28.into(),
        drill::IMPACT.into(),
        drill::FIRELINE.into(),
    ]
}

/// A list of rulesets, and `common`, which those play that speak its language.
#[derive(Debug, Clone)]
pub struct Registry {
    rulesets: Vec<Arc<Ruleset>>,
}

impl Registry {
    /// These rulesets, and `common` over them.
    pub fn new(rulesets: impl IntoIterator<Item = Ruleset>) -> Self {
        let mut rulesets: Vec<Arc<Ruleset>> = rulesets.into_iter().map(Arc::new).collect();
        let speaks = |ruleset: &&Arc<Ruleset>| ruleset.book.speaks_common();
        let players = rulesets.iter().filter(speaks).cloned().collect();
        rulesets.push(Arc::new(common::ruleset(players, None)));
        Registry { rulesets }
    }

    /// The rulesets that are part of the program.
    pub fn built_in() -> &'static Registry {
        static ALL: LazyLock<Registry> = LazyLock::new(|| Registry::new(built_in()));
        &ALL
    }

    /// All of them, in the order in which they are listed.
    pub fn all(&self) -> &[Arc<Ruleset>] {
        &self.rulesets
    }

    /// Those with a source of their own.
    pub fn printed(&self) -> impl Iterator<Item = &Arc<Ruleset>> {
        self.rulesets.iter().filter(|ruleset| ruleset.is_printed())
    }

    /// Those that say common fights in their own words, and can be compared.
    pub fn comparable(&self) -> impl Iterator<Item = &Arc<Ruleset>> {
        let speaks = |ruleset: &&Arc<Ruleset>| ruleset.book.speaks_common();
        self.rulesets.iter().filter(speaks)
    }

    /// Finds a ruleset by its name.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn find(&self, id: &str) -> Result<Arc<Ruleset>, RuleError> {
        let found = self.rulesets.iter().find(|ruleset| *ruleset.id == *id);
        found
            .cloned()
            .ok_or_else(|| RuleError::unknown("ruleset", id, self.rulesets.iter().map(|r| &r.id)))
    }
}

/// The same for one that is named in a file: a path is taken from where that file is.
///
/// # Errors
/// As [`find`].
pub fn find_beside(id: &str, named_in: &Path) -> Result<Arc<Ruleset>, RuleError> {
    if let Ok(built_in) = Registry::built_in().find(id) {
        return Ok(built_in);
    }
    if let Some(players) = players_of(id) {
        return over(&players, Some(id), |id| find_beside(id, named_in));
    }
    let beside = named_in.parent().unwrap_or(Path::new("")).join(id);
    match beside.exists() {
        true => find(&beside.display().to_string()),
        false => find(id),
    }
}

/// Finds a ruleset by its name, or reads it from its folder or file. `elephant:house.toml` is an edition of
/// another one: with a variant laid over its tables. `common:elephant+my-rules` is `common` over these.
///
/// # Errors
/// If there is none of that name, or the file is none of a ruleset.
pub fn find(id: &str) -> Result<Arc<Ruleset>, RuleError> {
    if let Some(players) = players_of(id) {
        return over(&players, Some(id), find);
    }
    let built_in = Registry::built_in().find(id);
    if let (Err(_), Some((base, file))) = (&built_in, edition_of(id)) {
        let variant = Variant::parse(file, &read_text(Path::new(file))?)?;
        return find(base)?.edition(variant).map(Arc::new);
    }
    match (built_in, drill::file_of(id)) {
        (Err(_), Some(path)) => drill::read(&path).map(Arc::new),
        (found, _) => found,
    }
}

/// The ruleset and the variant file of an edition, if it is written as one.
pub fn edition_of(id: &str) -> Option<(&str, &str)> {
    let (base, file) = id.split_once(':').filter(|_| players_of(id).is_none())?;
    let is_variant = file.ends_with(".toml") || file.ends_with(".drill");
    (!base.is_empty() && is_variant).then_some((base, file))
}

/// Those that are to play `common`, if it is written so: `common:elephant+my-rules`.
fn players_of(id: &str) -> Option<Vec<&str>> {
    let players = id.strip_prefix(common::ID)?.strip_prefix(':')?;
    Some(players.split('+').collect())
}

/// `common` over these rulesets; over all that are part of the program if there are none.
///
/// # Errors
/// If one is unknown, is named twice, or cannot say common fights.
pub fn common_over(ids: &[String]) -> Result<Arc<Ruleset>, RuleError> {
    match ids {
        [] => find(common::ID),
        ids => over(ids, None, find),
    }
}

fn over<S: AsRef<str>>(
    ids: &[S],
    typed: Option<&str>,
    find: impl Fn(&str) -> Result<Arc<Ruleset>, RuleError>,
) -> Result<Arc<Ruleset>, RuleError> {
    let mut players: Vec<Arc<Ruleset>> = Vec::new();
    for id in ids.iter().map(AsRef::as_ref) {
        let ruleset = find(id)?;
        if !ruleset.book.speaks_common() {
            let problem = "does not say common fights, so it cannot be compared; a ruleset of one's own does so by [common] in its extras.toml";
            return Err(RuleError::argument("rules", id, problem));
        }
        if players.iter().any(|known| known.id == ruleset.id) {
            let problem = format!("`{}` is named twice", ruleset.id);
            return Err(RuleError::argument("rules", id, problem));
        }
        players.push(ruleset);
    }
    Ok(Arc::new(common::ruleset(players, typed.map(Into::into))))
}
