//! Completion of what the rules know: rulesets, procedures, keys and values.
//!
//! The shell calls the program with the line as it stands (`COMPLETE=bash grapeshot -- …`), so that
//! a ruleset is completed from the schema that also checks it, house rules and files included.

use clap::CommandFactory;
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{CompletionCandidate, Shell};
use grapeshot_rules::{LoadedRuleset, Procedure, Registry, SettingKind};
use std::collections::BTreeMap;
use std::ffi::OsStr;

/// The variable by which a shell asks.
const ASKED_BY: &str = "COMPLETE";

/// Answers the shell and ends the program, if it is a shell that asks.
pub fn complete() {
    CompleteEnv::with_factory(super::Cli::command)
        .var(ASKED_BY)
        .complete();
}

/// The script that makes a shell ask.
pub(super) fn registration(shell: Shell) -> String {
    let name = shell.to_string();
    let mut script = Vec::new();
    let known = Shells::builtins();
    let completer = known.completer(&name).expect("clap knows its own shells");
    let program = "grapeshot";
    (completer.write_registration(ASKED_BY, program, program, program, &mut script))
        .expect("memory takes what is written");
    String::from_utf8(script).expect("scripts are text")
}

/// The rulesets there are.
pub(super) fn rulesets(current: &OsStr) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let known = Registry::built_in().all().iter();
    let named = known.filter(|rules| rules.id.starts_with(&*current));
    let shown = named.map(|rules| {
        CompletionCandidate::new(&*rules.id).help(Some((*rules.title).to_owned().into()))
    });
    shown.collect()
}

/// Words of a question: a ruleset, its procedure, then settings.
pub(super) fn words(current: &OsStr) -> Vec<CompletionCandidate> {
    let line = Line::of_shell(&current.to_string_lossy());
    line.candidates(true)
}

/// Words of a common fight: the fight, then settings.
pub(super) fn fights(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut line = Line::of_shell(&current.to_string_lossy());
    line.before
        .insert(0, grapeshot_rules::common::ID.to_owned());
    line.candidates(false)
}

/// A line as far as it is typed.
struct Line {
    /// The words before the one that is completed.
    before: Vec<String>,
    current: String,
    /// The key, where the shell takes `=` for the end of a word and hands over the value alone.
    key: Option<String>,
}

impl Line {
    fn of_shell(current: &str) -> Line {
        let typed: Vec<String> = std::env::args_os()
            .skip_while(|word| word != "--")
            .skip(2)
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let index: Option<usize> = std::env::var("_CLAP_COMPLETE_INDEX")
            .ok()
            .and_then(|text| text.parse().ok());
        let at = index
            .map_or(typed.len(), |index| index.saturating_sub(1))
            .min(typed.len());
        Line::new(typed[..at].to_vec(), current)
    }

    fn new(mut before: Vec<String>, current: &str) -> Line {
        if current == "=" {
            return Line {
                key: before.pop(),
                before,
                current: String::new(),
            };
        }
        if before.last().is_some_and(|word| word == "=") {
            before.pop();
            return Line {
                key: before.pop(),
                before,
                current: current.into(),
            };
        }
        Line {
            before,
            current: current.into(),
            key: None,
        }
    }

    fn candidates(&self, of_rulesets: bool) -> Vec<CompletionCandidate> {
        let loaded = self
            .before
            .iter()
            .find_map(|word| grapeshot_rules::find(word).ok()?.load(&[]).ok());
        let Some(loaded) = loaded else {
            return if of_rulesets {
                rulesets(OsStr::new(&self.current))
            } else {
                Vec::new()
            };
        };
        let procedure = self
            .before
            .iter()
            .find_map(|word| loaded.playable(word).ok());
        match (procedure, &self.key, self.current.split_once('=')) {
            (None, ..) => self.procedures(&loaded),
            (Some(procedure), Some(key), _) => self.values(procedure, key, "", &self.current),
            (Some(procedure), None, Some((key, value))) => {
                self.values(procedure, key, &format!("{key}="), value)
            }
            (Some(procedure), None, None) => self.keys(procedure),
        }
    }

    fn procedures(&self, loaded: &LoadedRuleset) -> Vec<CompletionCandidate> {
        let decisions = loaded.decisions().unwrap_or_default();
        let all = loaded.procedures.iter();
        let all = all.chain(decisions.iter().map(|decision| &decision.procedure));
        // A procedure with a choice in it is played and decided under one name.
        let known: BTreeMap<&str, &Procedure> = all.map(|one| (&*one.name, one)).collect();
        let named = (known.into_iter()).filter(|(name, _)| name.starts_with(&self.current));
        let shown = named.map(|(name, procedure)| {
            CompletionCandidate::new(name).help(Some(procedure.about.to_string().into()))
        });
        shown.collect()
    }

    /// Keys that are not set yet.
    fn keys(&self, procedure: &Procedure) -> Vec<CompletionCandidate> {
        let is_set = |key: &str| {
            self.before
                .iter()
                .any(|word| word.split('=').next() == Some(key))
        };
        let open = procedure
            .settings
            .iter()
            .filter(|setting| !is_set(&setting.key));
        let named = open.filter(|setting| setting.key.starts_with(&self.current));
        let shown = named.map(|setting| {
            CompletionCandidate::new(format!("{}=", setting.key))
                .help(Some(setting.meaning.clone().into()))
        });
        shown.collect()
    }

    fn values(
        &self,
        procedure: &Procedure,
        key: &str,
        prefix: &str,
        value: &str,
    ) -> Vec<CompletionCandidate> {
        let Some(setting) = procedure.settings.iter().find(|setting| setting.key == key) else {
            return Vec::new();
        };
        let values: Vec<String> = match &setting.kind {
            SettingKind::Flag => vec!["true".into(), "false".into()],
            SettingKind::Choice(labels) => labels.iter().map(ToString::to_string).collect(),
            // A number is typed; the one it would be is shown.
            _ => vec![setting.default_text()],
        };
        let named = values.into_iter().filter(|known| known.starts_with(value));
        named
            .map(|known| CompletionCandidate::new(format!("{prefix}{known}")))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(before: &str, current: &str) -> Vec<String> {
        let before = before.split_whitespace().map(str::to_owned).collect();
        let candidates = Line::new(before, current).candidates(true);
        candidates
            .iter()
            .map(|one| one.get_value().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn rulesets_then_procedures_then_keys_then_values() {
        assert_eq!(offered("odds", "ele"), ["elephant"]);
        assert_eq!(offered("odds elephant", "mel"), ["melee"]);
        assert!(offered("odds elephant", "").contains(&"standoff".to_owned()));
        assert_eq!(
            offered("odds elephant charge", "attacker.gra"),
            ["attacker.grade="]
        );
        assert_eq!(
            offered("odds elephant charge", "attacker.grade=vet"),
            ["attacker.grade=veteran"]
        );
        let rest = offered(
            "odds elephant charge attacker.grade=veteran",
            "attacker.grade",
        );
        assert!(rest.is_empty(), "a key is set once: {rest:?}");
    }

    #[test]
    fn a_shell_that_ends_words_at_the_equals_sign_gets_the_value_alone() {
        assert_eq!(
            offered("odds elephant charge attacker.grade =", "vet"),
            ["veteran"]
        );
        assert_eq!(offered("odds elephant charge attacker.grade", "=").len(), 6);
    }

    #[test]
    fn every_shell_has_its_script() {
        for shell in [
            Shell::Bash,
            Shell::Zsh,
            Shell::Fish,
            Shell::Elvish,
            Shell::PowerShell,
        ] {
            assert!(registration(shell).contains("grapeshot"), "{shell}");
        }
    }
}
