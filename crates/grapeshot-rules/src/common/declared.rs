//! A translation that is declared: `[common]` says where the value of each setting comes from, what counts as a loss
//! and what a label comes to. Nothing is written in code, so that a ruleset of one's own says common fights like a printed one.
//!
//! ```toml
//! [common.settings.fire]
//! "target.sp" = "target.men"              # the size, in units of [common.men]
//! "target.morale" = "target.grade"        # the word for its value in [common.grade]
//! "target.works" = { from = "target.cover", words = "works" }
//! strength = { times = ["firer.men", { from = "firer.weapon", words = "weapon", at = "range" }] }
//! shift = { sum = ["target.cover", { from = "target.flanked", entry = "fire" }] }
//! range = "range"                         # in units of [common.range]
//! distance = 150                          # always
//! ```
//!
//! A key `*.x` speaks of every side. `entry` is another entry of the list than the value, asked for where the value is not
//! none, false or open; `at` picks of a list by the range, or by a word of `[common]`. `assumes` names the assumption that
//! enters, `zero` what to do where the number is 0: `"left out: why"`, or `"nothing: why"` where nothing happens then.
//! `most` is a word that the number does not go beyond, `beyond` what is said where it would.
//! `[common.instead.charge]` with `when` and `plays` hands a fight to another kind where a key is set. A key that nothing comes
//! from may have a word by its side (`[common.flanked] target = "left out: why"`, or `"no difference: why"`).

use super::terms::{Reader, Said, Zero};
use super::{FightKind, FightTranslation, Translated, Words, native_error, nothing};
use crate::{DefaultValue, Labels, Procedure, RuleError, Settings};
use grapeshot_engine::dist::{Name, VariableKind};

/// A common fight in the words of a ruleset.
#[derive(Debug)]
struct SaidFight {
    kind: FightKind,
    procedure: Name,
    said: Vec<Said>,
    losses: Vec<Loss>,
    instead: Option<Instead>,
}

/// What is lost: a count of the procedure, and what makes the whole unit, multiplied.
#[derive(Debug)]
struct Loss {
    counted: Name,
    whole: Vec<String>,
}

/// Where a key is set, another kind of fight is played.
#[derive(Debug)]
struct Instead {
    when: String,
    plays: FightKind,
}

/// All common fights that a ruleset can say.
#[derive(Debug)]
pub(crate) struct Declared {
    fights: Vec<SaidFight>,
}

/// Where a procedure is asked for by the name of the fight it plays.
fn procedure<'a>(procedures: &'a [Procedure], name: &str) -> Option<&'a Procedure> {
    procedures.iter().find(|one| *one.name == *name)
}

impl Declared {
    /// Reads what the words of a ruleset say of its procedures.
    ///
    /// # Errors
    /// If something is missing, or names what is not there.
    pub(crate) fn read(words: &Words, procedures: &[Procedure]) -> Result<Self, RuleError> {
        let mut fights = Vec::new();
        for &kind in FightKind::ALL {
            let label = kind.label();
            let path = format!("procedures.{label}");
            let name = match words.word(&path)? {
                super::Word::Said(name) => name,
                super::Word::LeftOut(_) | super::Word::NoDifference(_) => continue,
            };
            let found = procedure(procedures, &name).ok_or_else(|| {
                let known: Vec<&str> = procedures.iter().map(|one| &*one.name).collect();
                let problem = format!(
                    "is `{name}`; allowed is {}, or \"left out: why\"",
                    known.join(" | ")
                );
                words.problem(&path, problem)
            })?;
            fights.push(SaidFight {
                kind,
                procedure: found.name.clone(),
                said: Reader::new(words, kind, found).settings()?,
                losses: losses(words, kind, found)?,
                instead: instead(words, kind)?,
            });
        }
        Ok(Declared { fights })
    }

    /// Says a common fight.
    ///
    /// # Errors
    /// If the ruleset has no equivalent for something.
    pub(crate) fn say(
        &self,
        fight: &mut FightTranslation<'_>,
        procedures: &[Procedure],
    ) -> Result<Translated, RuleError> {
        let of = |kind: FightKind| self.fights.iter().find(|said| said.kind == kind);
        let mut said = of(fight.kind()).expect("a fight that is left out is not asked for");
        if let Some(instead) = &said.instead
            && !super::terms::is_unset(fight.get(&instead.when))
            && let Some(other) = of(instead.plays)
        {
            said = other;
        }
        let procedure = procedure(procedures, &said.procedure).expect("it was found when read");
        let mut missing = None;
        for one in &said.said {
            let Some(value) = one.value(fight)? else {
                continue;
            };
            if value == "0" {
                match &one.zero {
                    Some(Zero::LeftOut(key, why)) => {
                        let why = one.filled(why, fight)?;
                        return Err(fight.left_out(key, &why));
                    }
                    Some(Zero::Nothing(why)) => missing = Some(one.filled(why, fight)?),
                    None => {}
                }
            }
            self.put(fight, procedure, one, value)?;
        }
        fight.explain_unasked()?;
        let rules = fight.words().rules.clone();
        let settings = procedure
            .resolve(fight.said())
            .map_err(|error| native_error(error, &rules))?;
        let losses = said.losses.iter();
        let losses: Result<Vec<(Name, u16)>, RuleError> = losses
            .map(|loss| Ok((loss.counted.clone(), whole(loss, &settings, fight)?)))
            .collect();
        let losses = losses?;
        if let Some(why) = missing {
            fight.remark("beyond reach", &why);
            let whole = losses.first().map_or(1, |&(_, whole)| whole);
            let steady = procedure
                .variables
                .first()
                .map(|headline| headline.label(0));
            return Ok(nothing(&steady.unwrap_or_default(), whole));
        }
        Ok(Translated::native(&said.procedure, said.kind, losses))
    }

    /// Puts a value as a setting of the procedure, and notes what it assumes where it is not the usual one.
    fn put(
        &self,
        fight: &mut FightTranslation<'_>,
        procedure: &Procedure,
        said: &Said,
        value: String,
    ) -> Result<(), RuleError> {
        let schema = procedure.settings.iter().find(|s| s.key == said.setting);
        let setting = schema.expect("it was found when read");
        let accepted = setting.parse(&value).map_err(|error| {
            fight
                .words()
                .problem(&said.place, format!("gives: {error}"))
        })?;
        let usual = matches!(&setting.default, DefaultValue::Value(usual) if *usual == accepted);
        if let (Some(name), false) = (&said.assumes, usual) {
            fight.assume(name);
        }
        fight.put(&said.setting, value);
        Ok(())
    }
}

/// How many make the whole unit.
fn whole(
    loss: &Loss,
    settings: &Settings,
    fight: &mut FightTranslation<'_>,
) -> Result<u16, RuleError> {
    let mut product = 1_i64;
    for factor in &loss.whole {
        // A key of the ruleset may be called like the men of a side that this fight does not have.
        let own = settings.find(factor.as_str()).is_some();
        product *= match (factor.parse::<i64>(), factor.strip_suffix(".men")) {
            (Ok(number), _) => number,
            (_, Some(side)) if !own => i64::from(fight.size(side)?),
            _ if own => settings.whole(factor),
            _ => fight.words().positive(factor)?,
        };
    }
    let whole = u16::try_from(product).ok().filter(|&n| n > 0);
    whole.ok_or_else(|| {
        let problem = format!("comes to {product}; allowed is 1 to 65535");
        fight
            .words()
            .problem(&format!("losses.{}", fight.kind().label()), problem)
    })
}

fn losses(words: &Words, kind: FightKind, procedure: &Procedure) -> Result<Vec<Loss>, RuleError> {
    let counts = || {
        let counts = procedure.variables.iter();
        counts.filter(|variable| {
            matches!(
                variable.kind,
                VariableKind::Count | VariableKind::CountFrom(_)
            )
        })
    };
    let mut all = Vec::new();
    for (name, whose) in kind.losses() {
        let path = format!("losses.{}.{name}", kind.label());
        let entry = words.table(&path).ok_or_else(|| {
            let problem = format!(
                "is missing: {{ count = \"what counts the losses of {whose}\", of = \"how many make the unit\" }}"
            );
            words.problem(&path, problem)
        })?;
        let counted = entry
            .get("count")
            .and_then(toml::Value::as_str)
            .unwrap_or_default();
        if !counts().any(|variable| variable.name == counted) {
            let known: Vec<&str> = counts().map(|variable| variable.name.as_str()).collect();
            let problem = format!("is `{counted}`; allowed is {}", known.join(" | "));
            return Err(words.problem(&format!("{path}.count"), problem));
        }
        let factors = match entry.get("of") {
            Some(toml::Value::Array(factors)) => factors.clone(),
            Some(one) => vec![one.clone()],
            None => Vec::new(),
        };
        let factors: Vec<String> = factors.iter().map(crate::tables::printed).collect();
        for factor in &factors {
            let known = factor.parse::<i64>().is_ok()
                || matches!(words.whole(factor), Ok(Some(n)) if n > 0)
                || kind
                    .sides()
                    .iter()
                    .any(|side| *factor == format!("{side}.men"))
                || procedure.settings.iter().any(|s| {
                    s.key == *factor && matches!(s.kind, crate::SettingKind::Whole { .. })
                });
            if !known {
                let problem = format!(
                    "is `{factor}`; allowed are whole numbers, settings of {} that are, words of [common] that are, and SIDE.men, alone or in a list that is multiplied",
                    procedure.name
                );
                return Err(words.problem(&format!("{path}.of"), problem));
            }
        }
        if factors.is_empty() {
            return Err(words.problem(&path, "has no `of`: how many make the whole unit?"));
        }
        all.push(Loss {
            counted: counted.into(),
            whole: factors,
        });
    }
    if kind == FightKind::Firefight && !counts().any(|variable| variable.name == "turns") {
        let problem = "needs a procedure that reports `turns`, the turn in which it ended";
        return Err(words.problem("procedures.firefight", problem));
    }
    Ok(all)
}

fn instead(words: &Words, kind: FightKind) -> Result<Option<Instead>, RuleError> {
    let path = format!("instead.{}", kind.label());
    let Some(entry) = words.table(&path) else {
        return Ok(None);
    };
    let text = |key: &str| {
        entry
            .get(key)
            .and_then(toml::Value::as_str)
            .unwrap_or_default()
    };
    let (when, plays) = (text("when"), text("plays"));
    let common = kind.settings(&[Name::from("")]);
    let known = common.iter().any(|setting| setting.key == when);
    match (known, FightKind::from_label(plays)) {
        (true, Some(plays)) => Ok(Some(Instead {
            when: when.to_owned(),
            plays,
        })),
        _ => {
            let kinds = FightKind::LABELS.join(" | ");
            let problem = format!("needs when = \"a common key\" and plays = {kinds}");
            Err(words.problem(&path, problem))
        }
    }
}
