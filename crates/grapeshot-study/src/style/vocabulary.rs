//! Every word that may be printed, so that a dictionary has none that stands for nothing.

use grapeshot_engine::dist::{Quantity, Variable, VariableKind};
use grapeshot_rules::{LoadedRuleset, Procedure, Registry, RuleError, SettingKind};

/// Words that charts and tables print beside those of the rules, and that may be replaced as well.
const PRINTED: [&str; 14] = [
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
];

/// Every word that may be printed: keys, values, variables and labels of all rulesets.
pub(super) struct Vocabulary(Vec<LoadedRuleset>);

impl Vocabulary {
    pub(super) fn new() -> Result<Self, RuleError> {
        let all = Registry::built_in().all().iter();
        all.map(|ruleset| ruleset.load(&[]))
            .collect::<Result<_, _>>()
            .map(Vocabulary)
    }

    /// An error unless the word can be printed somewhere.
    pub fn find(&self, word: &str) -> Result<(), RuleError> {
        let mut known: Vec<String> = PRINTED.map(str::to_owned).to_vec();
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
