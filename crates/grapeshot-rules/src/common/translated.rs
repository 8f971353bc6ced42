//! A fight as a ruleset plays it, and how its rows are read back.

use super::super::{LoadedRuleset, RuleError};
use super::{FightKind, FightTranslation, RULESET_KEY, Word};
use crate::Labels;
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::{self, Name, Variable};
use grapeshot_engine::engine::{DynSteps, NoteKind, OneStep, Relabelled, Relabelling, Row, row};

/// Who plays it.
enum Stage {
    /// A procedure of the ruleset, with what was said.
    Native(String),
    /// Steps put together from the ruleset's own, and the variables they report.
    Own(Box<dyn DynSteps>, Vec<Variable>),
    /// Nobody: nothing happens, and there is nothing the ruleset could be asked.
    Nothing(Vec<Variable>),
}

/// What a translation comes to.
pub struct Translated {
    stage: Stage,
    /// The list of words for the results.
    results: String,
    /// For each loss, the variable that counts it and how many make the whole unit.
    losses: Vec<(Name, u16)>,
}

impl Translated {
    /// Played by a procedure of the ruleset, with the settings that were put. Each loss is a count
    /// it reports and how many of it make the whole unit.
    pub fn native<N: Into<Name>>(
        procedure: &str,
        results: FightKind,
        losses: impl IntoIterator<Item = (N, u16)>,
    ) -> Self {
        Translated {
            stage: Stage::Native(procedure.into()),
            results: results.label().into(),
            losses: named(losses),
        }
    }

    /// Played by steps put together from the ruleset's own.
    pub fn own<N: Into<Name>>(
        play: Box<dyn DynSteps>,
        variables: Vec<Variable>,
        results: FightKind,
        losses: impl IntoIterator<Item = (N, u16)>,
    ) -> Self {
        Translated {
            stage: Stage::Own(play, variables),
            results: results.label().into(),
            losses: named(losses),
        }
    }

    pub(super) fn read(
        self,
        loaded: &LoadedRuleset,
        mut fight: FightTranslation<'_>,
    ) -> Result<Relabelled, RuleError> {
        let kind = fight.kind();
        let rules = loaded.id();
        let said = |fight: FightTranslation<'_>, procedure: &str| {
            let (native, mut notes) = fight.finish();
            notes.push(grapeshot_engine::engine::Note {
                kind: NoteKind::Remark,
                name: "in its own words".into(),
                text: own_words(loaded, procedure, &native),
            });
            (native, notes)
        };
        let (play, variables, results, notes) = match self.stage {
            Stage::Nothing(variables) => {
                let results = results(&mut fight, &self.results, &variables)?;
                let (_, notes) = fight.finish();
                let play: Box<dyn DynSteps> = Box::new(Nothing);
                (play, variables, results, notes)
            }
            Stage::Own(play, variables) => {
                let results = results(&mut fight, &self.results, &variables)?;
                let (_, notes) = said(fight, kind.label());
                (play, variables, results, notes)
            }
            Stage::Native(name) => {
                let procedure = loaded.procedure(&name)?;
                let variables = procedure.variables.clone();
                let results = results(&mut fight, &self.results, &variables)?;
                let (native, notes) = said(fight, &name);
                let settings = procedure
                    .resolve(native)
                    .map_err(|error| native_error(error, rules))?;
                let play =
                    (procedure.build)(&settings).map_err(|error| native_error(error, rules))?;
                (play, variables, results, notes)
            }
        };
        let position = |name: &str| variables.iter().position(|v| v.name == name);
        let losses: Vec<(usize, u16)> = self
            .losses
            .iter()
            .map(|&(ref name, whole)| {
                let at = position(name).unwrap_or_else(|| panic!("{rules} reports no {name}"));
                (at, whole)
            })
            .collect();
        let turns = (kind == FightKind::Firefight).then(|| position("turns").unwrap_or(1));
        let contact = position("contact");
        let whole: Vec<u16> = losses.iter().map(|&(_, whole)| whole).collect();
        let read = move |native: &Row| {
            let touched = contact.is_some_and(|at| native[at] == 1);
            let mut values = vec![results[usize::from(native[0])][usize::from(touched)]];
            values.extend(turns.map(|at| native[at]));
            values.extend(losses.iter().map(|&(at, whole)| native[at].min(whole)));
            row(&values)
        };
        Ok(Relabelled {
            play,
            reading: Relabelling {
                variables: kind.variables(&whole),
                row: Box::new(read),
                notes,
            },
        })
    }
}

fn named<N: Into<Name>>(losses: impl IntoIterator<Item = (N, u16)>) -> Vec<(Name, u16)> {
    let losses = losses.into_iter();
    losses.map(|(name, whole)| (name.into(), whole)).collect()
}

/// What a player of the ruleset would ask: `procedure` with the settings it knows, and then, for what
/// it does not know, the procedure that follows it.
fn own_words(loaded: &LoadedRuleset, procedure: &str, native: &[(String, String)]) -> String {
    let mut asked: Vec<(&str, String)> = vec![(procedure, String::new())];
    let knows = |name: &str, key: &str| {
        let found = loaded.procedure(name);
        found.is_ok_and(|p| p.settings.iter().any(|setting| setting.key == key))
    };
    for (key, value) in native {
        let all = loaded.procedures.iter().map(|p| &*p.name);
        let name = std::iter::once(procedure)
            .chain(all)
            .find(|name| knows(name, key))
            .unwrap_or(procedure);
        let word = format!(" {key}={value}");
        match asked.iter_mut().find(|(known, _)| *known == name) {
            Some((_, words)) => *words += &word,
            None => asked.push((name, word)),
        }
    }
    let rules = loaded.ruleset.as_command();
    let asked: Vec<String> = asked
        .into_iter()
        .map(|(name, words)| format!("{rules} {name}{words}"))
        .collect();
    asked.join(", then ")
}

/// For each label of the native headline its common result, without contact and with it: what the words
/// of the ruleset say, else what follows from whom the label favours.
fn results(
    fight: &mut FightTranslation<'_>,
    list: &str,
    variables: &[Variable],
) -> Result<Vec<[u16; 2]>, RuleError> {
    let dist::VariableKind::Category(labels) = &variables[0].kind else {
        unreachable!("a headline has labels")
    };
    let (words, kind) = (fight.words(), fight.kind());
    let known = kind.results();
    let at = |label: &str| known.iter().position(|&one| one == label);
    let favoured = |label: &str| {
        let (favour, ..) = variables[0].standing(label)?;
        let [apart, touched] = kind.result_of(favour)?;
        Some([at(apart)? as u16, at(touched)? as u16])
    };
    let place = |path: &str| match words.word(path)? {
        Word::Said(word) => match at(&word) {
            Some(at) => Ok(at as u16),
            None => Err(words.problem(
                path,
                format!("is `{word}`; allowed is {}", known.join(" | ")),
            )),
        },
        Word::LeftOut(_) | Word::NoDifference(_) => {
            Err(words.problem(path, format!("allowed is {}", known.join(" | "))))
        }
    };
    labels
        .iter()
        .map(|label| {
            let path = format!("results.{list}.{label}");
            let apart = match (words.has(&path), favoured(label)) {
                (false, Some(both)) => return Ok(both),
                _ => place(&path)?,
            };
            let touched = format!("results.{list}.{label} with contact");
            match words.word(&touched) {
                Ok(_) => Ok([apart, place(&touched)?]),
                Err(_) => Ok([apart, apart]),
            }
        })
        .collect()
}

/// What the ruleset itself refuses is refused here too, in its own words.
pub(crate) fn native_error(error: RuleError, rules: &str) -> RuleError {
    match error {
        refused @ (RuleError::Refused { .. } | RuleError::Value { .. }) => {
            RuleError::refused(RULESET_KEY, rules, refused.to_string())
        }
        other => other,
    }
}

/// Nothing happens: no die, and the first label of the headline.
#[derive(Debug)]
struct Nothing;

impl OneStep for Nothing {
    const PHASE: &'static str = "nothing happens";

    fn play<D: Dice>(&self, _: &mut D) -> Row {
        row(&[])
    }
}

/// Fire that has no effect: `label` is certain, and nothing is lost of `whole`.
pub fn nothing(label: &str, whole: u16) -> Translated {
    let variables = vec![
        Variable::category("state", "what the target has come to", [label]),
        Variable::count("lost", "what it lost"),
    ];
    Translated {
        stage: Stage::Nothing(variables),
        results: FightKind::Fire.label().into(),
        losses: named([("lost", whole)]),
    }
}
