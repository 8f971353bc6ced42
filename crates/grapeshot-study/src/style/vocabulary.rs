//! Every word that may be printed, so that a dictionary has none that stands for nothing.

use super::sentences::SENTENCES;
use grapeshot_charts::style::{PHRASES, Words, field_of, owned, owner_of};
use grapeshot_engine::dist::{Quantity, Variable, VariableKind};
use grapeshot_rules::common::RULESET_KEY;
use grapeshot_rules::{LoadedRuleset, Procedure, Registry, RuleError, SettingKind};
use std::collections::BTreeSet;
use toml::{Table, Value};

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

/// Every word that may be printed: sentences, and keys, values, variables, labels, headings and refusals of all rulesets.
pub(super) struct Vocabulary {
    rulesets: Vec<LoadedRuleset>,
    lists: Vec<WordList>,
}

impl Vocabulary {
    pub(super) fn new() -> Result<Self, RuleError> {
        let all = Registry::built_in().all().iter();
        let rulesets: Vec<LoadedRuleset> = all
            .map(|ruleset| ruleset.load(&[]))
            .collect::<Result<_, _>>()?;
        let lists = lists(&rulesets)?;
        Ok(Vocabulary { rulesets, lists })
    }

    /// Every word and what it is without a dictionary, under the heading of where it is from.
    pub(super) fn all(self) -> Vec<WordList> {
        self.lists
    }

    /// An error unless the word can be printed somewhere.
    pub fn find(&self, word: &str) -> Result<(), RuleError> {
        let known = || {
            let words = self.lists.iter().flat_map(|(_, words)| words);
            words.map(|(word, _)| word.as_str())
        };
        if known().any(|printed| printed == word) {
            return Ok(());
        }
        for loaded in &self.rulesets {
            if loaded.id() == word {
                return Ok(());
            }
            let decided = loaded.decisions()?;
            let decided = decided.iter().map(|decision| &decision.procedure);
            let mut procedures = loaded.procedures.iter().chain(decided);
            if procedures.any(|procedure| is_said(procedure, word)) {
                return Ok(());
            }
        }
        let mut known: Vec<String> = known().map(str::to_owned).collect();
        known.sort();
        known.dedup();
        let hint = grapeshot_rules::nearest(word, &known)
            .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(RuleError::Other(format!(
            "stands for nothing that is printed{hint}; allowed are keys, values, variables, labels and quantities \
             of the rules (grapeshot rules RULES), `key=value`, `variable=label`, and what `grapeshot words` lists"
        )))
    }
}

/// What is printed, place by place; a word stands where it is printed first.
fn lists(rulesets: &[LoadedRuleset]) -> Result<Vec<WordList>, RuleError> {
    let english = Words::default();
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    let mut list = |from: String, words: Vec<(String, String)>| {
        let new = words.into_iter().filter(|(word, _)| {
            let says = word.contains(|c: char| c.is_alphabetic() || c == '{');
            says && seen.insert(word.clone())
        });
        all.push((from, new.collect()));
    };
    let plain = |words: &[&str]| words.iter().map(|&w| (w.into(), w.into())).collect();
    list("sentences".into(), plain(PHRASES));
    let owned = owned();
    let owned: Vec<&str> = owned.iter().map(String::as_str).collect();
    list("whose it is".into(), plain(&owned));
    list("words beside them".into(), plain(PRINTED));
    list("pages, sheets and cards".into(), plain(SENTENCES));
    let figures = crate::card::words();
    list("balance cards".into(), plain(&figures));
    for loaded in rulesets {
        let mut words = Vec::new();
        let mut add = |word: &str, said: String| words.push((word.to_owned(), said));
        let title = loaded.ruleset.title.to_string();
        add(&title, title.clone());
        let decided = loaded.decisions()?;
        let decided = decided.iter().map(|decision| &decision.procedure);
        for procedure in loaded.procedures.iter().chain(decided) {
            add(&procedure.name, english.label("", &procedure.name));
            for setting in &procedure.settings {
                let field = field(&setting.key);
                add(field, english.flag(field));
                // Rulesets are shown by their titles.
                if let SettingKind::Choice(labels) = &setting.kind
                    && setting.key != RULESET_KEY
                {
                    for label in labels {
                        add(label, english.label("", label));
                    }
                }
            }
            for variable in &procedure.variables {
                let field = field(&variable.name);
                add(field, english.flag(field));
                for word in labels(variable) {
                    add(&word, english.label("", &word));
                }
            }
        }
        for name in loaded.tables.grid_names() {
            let grid = loaded.tables.grid(&name)?;
            let rows = grid.rows.iter().map(|(row, _)| row);
            add(&grid.title, grid.title.clone());
            for word in [&grid.corner].into_iter().chain(&grid.columns).chain(rows) {
                add(word, english.label("", word));
            }
        }
        for name in loaded.tables.list_names() {
            let list = loaded.tables.list(&name)?;
            add(&list.title, list.title.clone());
            for (word, _) in &list.values {
                add(word, english.label("", word));
            }
        }
        for text in crate::sheet::words(loaded)? {
            add(&text, text.clone());
        }
        let common = loaded.tables.section("common");
        let reasons = common.map_or(Vec::new(), reasons);
        for sentence in loaded.ruleset.book.refusals().into_iter().chain(reasons) {
            add(&sentence, sentence.clone());
        }
        list(title.clone(), words);
    }
    Ok(all)
}

/// Why common fights are left out, or something makes no difference in them, and what is assumed; gaps numbered.
fn reasons(common: &Table) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in common {
        match value {
            Value::Table(inner) => found.extend(reasons(inner)),
            Value::String(text) => {
                let why = ["left out: ", "no difference: ", "nothing: "];
                let why = why.iter().find_map(|begin| text.strip_prefix(begin));
                found.extend(why.or((key == "text").then_some(text)).map(numbered));
            }
            _ => {}
        }
    }
    found
}

/// A text with numbers in its gaps instead of names.
fn numbered(text: &str) -> String {
    let mut parts = text.split('{');
    let mut said = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        let after = part.split_once('}').map_or(part, |(_, after)| after);
        said += &format!("{{{}}}{after}", at + 1);
    }
    said
}

/// What a key or a variable is of whoever has it.
fn field(key: &str) -> &str {
    owner_of(key).map_or(key, |(_, of)| field_of(of))
}

fn labels(variable: &Variable) -> Vec<String> {
    match &variable.kind {
        VariableKind::Category(labels) => labels.to_vec(),
        _ => Vec::new(),
    }
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
        || (procedure.variables.iter())
            .any(|v| v.name == word || labels(v).iter().any(|label| label == word))
        || word
            .split_once('=')
            .is_some_and(|(key, value)| of(key, value))
        || Quantity::parse(word, &procedure.variables).is_ok()
}
