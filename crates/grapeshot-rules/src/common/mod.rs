//! The same fight in every ruleset.
//!
//! `common` looks like one more ruleset with one more key, `ruleset`. Nothing is played here: a
//! common fight is said in the words of the ruleset asked for ([`Fight`]), played by that ruleset,
//! and its rows are read back ([`Translated`]). The words stand in each ruleset's own `beside.toml` under
//! `[common]`, where a variant may change them, and its `common.rs` puts them together. What a
//! ruleset has no word for is refused with the reason; nothing is made up to fill a cell.

mod declared;
mod fight;
mod interpreter;
mod schema;
mod terms;
mod translated;
mod words;

pub(crate) use declared::Declared;
pub use fight::{ANOTHER_FIGHT, FightTranslation};
pub use interpreter::{CommonFight, Interpreter};
pub use schema::{FightKind, GRADES, WEAPONS};
pub(crate) use translated::native_error;
pub use translated::{Translated, nothing};
pub use words::{Word, Words};

use super::{
    Decision, Labels, LoadedRuleset, Procedure, RuleError, Rulebook, Ruleset, Setting, Settings,
    TableFile, Value,
};
use grapeshot_engine::dist::Name;
use grapeshot_engine::engine::Relabelled;
use std::sync::Arc;

/// The name programs know it by.
pub const ID: &str = "common";

/// The key that says who plays.
pub const RULESET_KEY: &str = "ruleset";

/// The key of the distance, common and in the rulesets that have it.
const RANGE: &str = "range";

/// Says a fight in a ruleset's own words.
pub type Translation =
    Box<dyn Fn(&mut FightTranslation<'_>) -> Result<Translated, RuleError> + Send + Sync>;

const READINGS: [&str; 5] = [
    "Every ruleset says the common keys in its own words through a table that stands beside its printed tables; a variant of that ruleset may change it.",
    "What a source does not print is an assumption, and is listed with every answer it enters.",
    "Where a ruleset has no equivalent it is left out, with the reason; where a key makes no difference, that is said.",
    "Sizes are rounded to the nearest, halves up; a loss is a share of the men and at most 1.",
    "Beyond what a ruleset can reach, fire has no effect.",
];

/// The ruleset, played by these, and what is typed for it where that is not its name.
pub(super) fn ruleset(players: Vec<Arc<Ruleset>>, typed: Option<String>) -> Ruleset {
    Ruleset {
        id: ID.into(),
        title: "The same fight in every ruleset".into(),
        about: "one description of a fight that every ruleset can play, translated into the words of each; grapeshot rules RULES --common prints a translation".into(),
        readings: READINGS.map(Name::from).into(),
        book: Arc::new(Common { players, typed }),
    }
}

/// Plays nothing itself.
struct Common {
    players: Vec<Arc<Ruleset>>,
    typed: Option<String>,
}

impl Rulebook for Common {
    /// The tables of all players, each under its name.
    fn tables(&self) -> Result<TableFile, RuleError> {
        let mut all = TableFile::parse("common/tables.toml", include_str!("tables.toml"))?;
        for ruleset in &self.players {
            all.insert(&ruleset.id, ruleset.book.tables()?);
        }
        Ok(all)
    }

    fn as_command(&self) -> Option<&str> {
        self.typed.as_deref()
    }

    fn procedures(&self, tables: &TableFile) -> Result<Vec<Procedure>, RuleError> {
        let player = |ruleset| Player::new(ruleset, tables);
        let players: Result<Vec<Player>, RuleError> = self.players.iter().map(player).collect();
        let players = Arc::new(players?);
        for player in players.iter() {
            check(player)?;
        }
        Ok(FightKind::ALL
            .iter()
            .map(|&kind| procedure(kind, &players))
            .collect())
    }

    fn decisions(&self, _: &TableFile) -> Result<Result<Vec<Decision>, Name>, RuleError> {
        Ok(Err(
            "its sides have no condition to carry from a volley into a charge".into(),
        ))
    }

    fn players(&self) -> &[Arc<Ruleset>] {
        &self.players
    }
}

/// A ruleset that plays common fights.
struct Player {
    loaded: LoadedRuleset,
    words: Words,
    translation: Translation,
}

impl Player {
    fn new(ruleset: &Arc<Ruleset>, all: &TableFile) -> Result<Self, RuleError> {
        let mut tables = all.part(&ruleset.id)?;
        for variant in all.texts_laid_under(&ruleset.id) {
            ruleset.book.lay(&mut tables, variant.clone())?;
        }
        let speaking = ruleset.book.speaking(&tables)?;
        Ok(Player {
            words: Words::new(&ruleset.id, &tables)?,
            translation: speaking.translation,
            loaded: ruleset.with_procedures(tables, speaking.procedures)?,
        })
    }

    fn id(&self) -> &Name {
        &self.loaded.ruleset.id
    }

    /// A fight as this ruleset plays it.
    fn plays(
        &self,
        procedure: &CommonProcedure,
        settings: &Settings,
    ) -> Result<Relabelled, RuleError> {
        let mut fight =
            FightTranslation::new(&self.words, procedure.kind, &procedure.keys, settings);
        fight.check_procedure()?;
        let translated = (self.translation)(&mut fight)?;
        translated.read(&self.loaded, fight)
    }
}

/// A procedure of `common`: its kind, and the keys it knows.
struct CommonProcedure {
    kind: FightKind,
    keys: Vec<Setting>,
}

fn procedure(kind: FightKind, players: &Arc<Vec<Player>>) -> Procedure {
    let players = Arc::clone(players);
    let ids: Vec<Name> = players.iter().map(|player| player.id().clone()).collect();
    let mut keys = kind.settings(&ids);
    if let Some(range) = keys.iter_mut().find(|setting| setting.key == RANGE) {
        range.bands = range_bands(kind, range, &players);
    }
    let spoken = CommonProcedure { kind, keys };
    Procedure {
        name: kind.label().into(),
        about: kind.about().into(),
        source: "each ruleset's own; grapeshot rules RULES --common".into(),
        composed: true,
        settings: spoken.keys.clone(),
        variables: kind.variables(&[]),
        notes: Vec::new(),
        build: Box::new(move |s| {
            let asked = s.text(RULESET_KEY);
            let player = players.iter().find(|player| **player.id() == *asked);
            let player = player.expect("the schema knows the players");
            Ok(Box::new(player.plays(&spoken, s)?))
        }),
    }
}

/// Where an answer may change with the range: the bands of every player in yards, or each unit of range where a
/// player has none. Nothing if one of them measures in no unit of its own.
fn range_bands(kind: FightKind, range: &Setting, players: &[Player]) -> Option<Vec<i64>> {
    let (_, _, most) = range.kind.numbers()?;
    let mut ends = Vec::new();
    for player in players {
        let procedure = player.words.word(&format!("procedures.{}", kind.label()));
        let Ok(Word::Said(procedure)) = procedure else {
            continue;
        };
        let yards = player.words.positive("range.yards").ok()?;
        let settings = &player.loaded.procedure(&procedure).ok()?.settings;
        let own = settings.iter().find(|setting| setting.key == RANGE);
        let units = match own.and_then(|setting| setting.bands.clone()) {
            Some(bands) => bands,
            None => (1..=most as i64 / yards).collect(),
        };
        ends.extend(units.into_iter().map(|unit| unit * yards));
    }
    range.clone().in_bands(ends).bands
}

/// Every word is said once, so that a slip in a variant is found before the first fight.
fn check(player: &Player) -> Result<(), RuleError> {
    for &kind in FightKind::ALL {
        let spoken = CommonProcedure {
            kind,
            keys: kind.settings(std::slice::from_ref(player.id())),
        };
        let ruleset = (RULESET_KEY, player.id().to_string());
        for setting in &spoken.keys {
            let values = match setting.key.as_str() {
                RULESET_KEY | "turns" => continue,
                _ => setting.sample_values(),
            };
            for value in values {
                let given = [ruleset.clone(), (setting.key.as_str(), value.to_string())];
                let settings = Settings::resolve(kind.label(), &spoken.keys, given)?;
                match player.plays(&spoken, &settings) {
                    Err(error) if !error.is_refusal() => return Err(error),
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// The value of a key where it is not its default.
fn beside_default(setting: &Setting, value: &Value) -> bool {
    !matches!(&setting.default, super::DefaultValue::Value(usual) if usual == value)
}
