//! Every word that may be printed, so that a dictionary has none that stands for nothing.

use grapeshot_charts::style::{PHRASES, Words};
use grapeshot_engine::dist::{Quantity, Variable, VariableKind};
use grapeshot_rules::{LoadedRuleset, Procedure, Registry, RuleError, SettingKind};

/// Words that charts and tables print beside those of the rules, and that may be replaced as well.
const PRINTED: &[&str] = &[
    "chance",
    "chance of success",
    "chance of failure",
    "chance undecided",
    "success",
    "failure",
    "undecided",
    "value under best play",
    "baseline",
    "turn",
    "yes",
    "no",
    "setting, changed alone",
    "chance of so much or more",
    "It",
    "Likeliest",
    "nothing",
    "rises",
    "falls",
    "throughout",
    "wherever it is allowed",
    "per cent",
    ", per cent",
    "charges",
    "volleys",
    "melees",
    "firefights",
    "standoffs",
    "tests of morale",
    "cases",
    "default settings",
];

/// Words of one place, each with what it is in English.
pub type WordList = (String, Vec<(String, String)>);

/// Every word that may be printed: keys, values, variables and labels of all rulesets.
pub(super) struct Vocabulary(Vec<LoadedRuleset>);

impl Vocabulary {
    pub(super) fn new() -> Result<Self, RuleError> {
        let all = Registry::built_in().all().iter();
        all.map(|ruleset| ruleset.load(&[]))
            .collect::<Result<_, _>>()
            .map(Vocabulary)
    }

    /// Every word and what it is without a dictionary, under the heading of where it is from.
    pub(super) fn all(&self) -> Result<Vec<WordList>, RuleError> {
        let english = Words::default();
        let plain = |words: &[&str]| words.iter().map(|&w| (w.into(), w.into())).collect();
        let mut all: Vec<WordList> = vec![
            ("sentences".to_owned(), plain(PHRASES)),
            ("words beside them".to_owned(), plain(PRINTED)),
        ];
        let mut seen: Vec<String> = PRINTED.iter().map(|&word| word.to_owned()).collect();
        for loaded in &self.0 {
            let mut words: Vec<(String, String)> = Vec::new();
            let mut add = |word: String, said: String| {
                if !seen.contains(&word) && word.parse::<f64>().is_err() {
                    seen.push(word.clone());
                    words.push((word, said));
                }
            };
            let decided = loaded.decisions()?;
            let decided = decided.iter().map(|decision| &decision.procedure);
            for procedure in loaded.procedures.iter().chain(decided) {
                add(
                    procedure.name.to_string(),
                    english.label("", &procedure.name),
                );
                for setting in &procedure.settings {
                    let said = match setting.kind {
                        SettingKind::Flag => english.flag(&setting.key),
                        _ => english.key(&setting.key),
                    };
                    add(setting.key.clone(), said);
                    if let SettingKind::Choice(labels) = &setting.kind {
                        for label in labels {
                            add(label.to_string(), english.label("", label));
                        }
                    }
                }
                for word in procedure.variables.iter().flat_map(labels) {
                    let said = english.label("", &word);
                    add(word, said);
                }
            }
            all.push((loaded.ruleset.title.to_string(), words));
        }
        Ok(all)
    }

    /// An error unless the word can be printed somewhere.
    pub fn find(&self, word: &str) -> Result<(), RuleError> {
        let mut known: Vec<String> = PRINTED
            .iter()
            .chain(PHRASES)
            .map(|&word| word.to_owned())
            .collect();
        if known.iter().any(|printed| printed == word) {
            return Ok(());
        }
        for loaded in &self.0 {
            if loaded.id() == word {
                return Ok(());
            }
            let decided = loaded.decisions()?;
            let decided = decided.iter().map(|decision| &decision.procedure);
            for procedure in loaded.procedures.iter().chain(decided) {
                if is_said(procedure, word) {
                    return Ok(());
                }
                known.extend(procedure.settings.iter().map(|setting| setting.key.clone()));
                known.extend(procedure.variables.iter().flat_map(labels));
            }
        }
        known.sort();
        known.dedup();
        let hint = grapeshot_rules::nearest(word, &known)
            .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(RuleError::Other(format!(
            "stands for nothing that is printed{hint}; allowed are keys, values, variables, labels and quantities \
             of the rules (grapeshot rules RULES), `key=value`, `variable=label`, and: {}",
            PRINTED.join(", ")
        )))
    }
}

fn labels(variable: &Variable) -> Vec<String> {
    let mut all = vec![variable.name.clone()];
    if let VariableKind::Category(labels) = &variable.kind {
        all.extend(labels.iter().cloned());
    }
    all
}

/// Whether a procedure has a key, a value, a variable, a label or a quantity of that name.
fn is_said(procedure: &Procedure, word: &str) -> bool {
    let of = |key: &str, value: &str| {
        let setting = procedure.settings.iter().find(|setting| setting.key == key);
        setting.is_some_and(|setting| setting.accept(&value.into()).is_ok())
    };
    let choice = |kind: &SettingKind| match kind {
        SettingKind::Choice(labels) => labels.iter().any(|label| **label == *word),
        _ => false,
    };
    *procedure.name == *word
        || (procedure.settings.iter()).any(|s| s.key == word || choice(&s.kind))
        || (procedure.variables.iter()).any(|v| labels(v).iter().any(|label| label == word))
        || word
            .split_once('=')
            .is_some_and(|(key, value)| of(key, value))
        || Quantity::parse(word, &procedure.variables).is_ok()
}
