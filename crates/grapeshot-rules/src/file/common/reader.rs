//! Reading `[common]`: what it says of each fight, checked against the procedure that plays it.

use super::super::declared::Declared;
use super::super::entry::{Entry, not_known};
use super::super::script::{Language, Names};
use super::super::settings::spelled;
use super::source::{SourceReader, for_side};
use super::{Loss, Said, SaidFight};
use crate::common::{FightKind, RULESET_KEY};
use crate::{Labels, RuleError};
use grapeshot_engine::dist::{Name, VariableKind};
use std::sync::Arc;

/// What is needed to read `[common]`.
pub(super) struct Reader<'a> {
    pub common: &'a Entry<'a>,
    pub procedures: &'a [Arc<Declared>],
    pub language: &'a Language,
}

impl Reader<'_> {
    /// A part of `[common]` about one kind of fight.
    fn part(&self, part: &str, kind: FightKind) -> Result<Option<Entry<'_>>, RuleError> {
        let all = self.common.under(part)?;
        all.map_or(Ok(None), |all| all.under(kind.label()))
    }

    pub fn fight(&self, kind: FightKind) -> Result<Option<SaidFight>, RuleError> {
        let label = kind.label();
        let named = self.common.under("procedures")?;
        let allowed = "allowed is the name of a procedure, or \"left out: why\"";
        let named = named.ok_or_else(|| {
            let kinds = FightKind::LABELS.join(", ");
            let problem = format!("is missing: which procedure plays {kinds}? For each {allowed}");
            self.common.error("procedures", problem)
        })?;
        named.only(FightKind::LABELS)?;
        let name = named.text(label)?;
        let name = name.ok_or_else(|| named.error(label, format!("is missing: {allowed}")))?;
        if name.starts_with("left out:") {
            for part in ["settings", "losses", "results"] {
                if let Some(entry) = self.part(part, kind)? {
                    let problem = format!("means nothing: a {label} is left out");
                    return Err(entry.error("", problem));
                }
            }
            return Ok(None);
        }
        let plain = self.procedures.iter().filter(|one| !one.is_decision());
        let found = plain.clone().find(|one| *one.name == *name);
        let procedure = found.cloned().ok_or_else(|| {
            let known: Vec<String> = plain.map(|one| one.name.to_string()).collect();
            named.error(label, not_known("procedure without choices", name, &known))
        })?;
        self.results(kind, &procedure)?;
        Ok(Some(SaidFight {
            kind,
            said: self.settings(kind, &procedure)?,
            losses: self.losses(kind, &procedure)?,
            procedure,
        }))
    }

    fn settings(&self, kind: FightKind, procedure: &Declared) -> Result<Vec<Said>, RuleError> {
        let path = format!("settings.{}", kind.label());
        let entry = self.part("settings", kind)?.ok_or_else(|| {
            let problem = "is missing: where do the values of its settings come from?";
            self.common.error(&path, problem)
        })?;
        let players = [Name::from("")];
        let mut common = kind.settings(&players);
        common.retain(|setting| setting.key != RULESET_KEY);
        let mut all = Vec::new();
        for (native, value) in entry.table {
            let sides: &[&str] = match native.strip_prefix("*.") {
                Some(_) => &kind.sides(),
                None => &[""],
            };
            for &side in sides {
                let setting = for_side(native, side);
                let found = procedure.settings.iter().find(|s| s.key == setting);
                found.ok_or_else(|| {
                    let known: Vec<String> =
                        procedure.settings.iter().map(|s| s.key.clone()).collect();
                    let of = format!("setting of {}", procedure.name);
                    entry.error(native, not_known(&of, &setting, &known))
                })?;
                let source = SourceReader {
                    reader: self,
                    entry: &entry,
                    native,
                    setting: &setting,
                    side,
                    common: &common,
                    procedure,
                };
                all.push(Said {
                    source: source.read(value)?,
                    assumes: source.assumes(value)?,
                    setting,
                    place: format!("{}.{native}", entry.path),
                });
            }
        }
        Ok(all)
    }

    fn losses(&self, kind: FightKind, procedure: &Declared) -> Result<Vec<Loss>, RuleError> {
        let wanted: Vec<&str> = kind.losses().iter().map(|(name, _)| *name).collect();
        let path = format!("losses.{}", kind.label());
        let entry = self.part("losses", kind)?.ok_or_else(|| {
            let problem = format!("is missing: what counts {}?", wanted.join(" and "));
            self.common.error(&path, problem)
        })?;
        entry.only(&wanted)?;
        if kind == FightKind::Firefight && !counts(procedure).any(|name| name == "turns") {
            let problem = "needs a procedure that reports `turns`, the turn in which it ended";
            return Err(entry.error("", problem));
        }
        let mut names = Names::default();
        for setting in &procedure.settings {
            names.constant(&spelled(&setting.key));
        }
        let read = |name: &&str| {
            let one = entry.under(name)?;
            let one = one.ok_or_else(|| {
                let problem =
                    "is missing: { count = \"a variable\", of = \"how many make the unit\" }";
                entry.error(name, problem)
            })?;
            one.only(&["count", "of"])?;
            let counted = one.needed("count")?;
            let found = counts(procedure).find(|&known| known == counted);
            let found = found.ok_or_else(|| {
                let known: Vec<String> = counts(procedure).map(ToString::to_string).collect();
                let what = format!("count among what {} reports", procedure.name);
                one.error("count", not_known(&what, counted, &known))
            })?;
            if !one.table.contains_key("of") {
                return Err(one.error("", "has no `of`: how many make the whole unit?"));
            }
            Ok(Loss {
                counted: found.into(),
                whole: self.language.block(&names, one.script("of")?)?,
            })
        };
        wanted.iter().map(read).collect()
    }

    /// Checks that every label of the headline comes to a common result.
    fn results(&self, kind: FightKind, procedure: &Declared) -> Result<(), RuleError> {
        let entry = self.part("results", kind)?;
        let headline = &procedure.variables[0];
        let with_contact = |label: &String| format!("{label} with contact");
        let contact = procedure.variables.iter().any(|v| *v.name == *"contact");
        if let Some(entry) = &entry {
            let touched = procedure.labels.iter().filter(|_| contact);
            let touched: Vec<String> = touched.map(with_contact).collect();
            let known = procedure.labels.iter().chain(&touched);
            entry.only(&known.map(String::as_str).collect::<Vec<_>>())?;
            for label in entry.table.keys() {
                let result = entry.text(label)?.unwrap_or_default();
                if !kind.results().contains(&result) {
                    let allowed = kind.results().join(" | ");
                    let problem = format!("is `{result}`; allowed is {allowed}");
                    return Err(entry.error(label, problem));
                }
            }
        }
        for label in &procedure.labels {
            let said = entry.as_ref().is_some_and(|e| e.table.contains_key(label));
            let favour = headline.standing(label).map(|(favour, ..)| favour);
            if !said && favour.and_then(|favour| kind.result_of(favour)).is_none() {
                let problem = format!(
                    "has no word for `{label}`; allowed is {}",
                    kind.results().join(" | ")
                );
                let path = format!("results.{}", kind.label());
                return Err(self.common.error(&path, problem));
            }
        }
        Ok(())
    }
}

/// The variables of a procedure that are counts.
fn counts(procedure: &Declared) -> impl Iterator<Item = &str> {
    let counts = |v: &&grapeshot_engine::dist::Variable| matches!(v.kind, VariableKind::Count);
    procedure
        .variables
        .iter()
        .filter(counts)
        .map(|v| v.name.as_str())
}
