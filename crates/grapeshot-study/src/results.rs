//! What an experiment found, cell by cell.

use super::decide::Decided;
use super::experiment::{Experiment, StudyMethod};
use super::finding::title_of;
use super::instrument::Instrument;
use super::prepared::RULES;
use crate::wording::grouped;
use grapeshot_charts::style::Style;
use grapeshot_engine::dist::{Distribution, Quantity, Variable};
use grapeshot_engine::engine::Stop;
use grapeshot_rules::common::RULESET_KEY;
use grapeshot_rules::sweep::lies_at;
use grapeshot_rules::{Given, Labels, RuleError, Setting, Value};

/// The answers to one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    /// Solved, if that was asked for.
    pub exact: Option<Distribution>,
    /// Simulated, if that was asked for.
    pub simulated: Option<Distribution>,
}

impl Answers {
    /// The better of the two: exact if there is one.
    pub fn best(&self) -> &Distribution {
        self.exact
            .as_ref()
            .or(self.simulated.as_ref())
            .expect("a cell is answered by at least one engine")
    }

    /// Both, as far as they are there.
    pub fn all(&self) -> impl Iterator<Item = &Distribution> {
        self.exact.iter().chain(&self.simulated)
    }
}

/// One cell of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct CellResult {
    /// The swept keys and their values.
    pub place: Given,
    /// Its answers, or why the rules refuse it.
    pub answers: Result<Answers, String>,
}

impl CellResult {
    /// The value of a swept key.
    pub fn at(&self, key: &str) -> Option<&Value> {
        self.place
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    }

    /// Whether it lies at all these places.
    pub fn is_at(&self, only: &[(String, Value)]) -> bool {
        lies_at(&self.place, only)
    }
}

/// Everything an experiment found.
#[derive(Debug, Clone)]
pub struct Results {
    /// The experiment.
    pub experiment: Experiment,
    /// The method that was used.
    pub method: StudyMethod,
    /// When the simulation of a cell ended.
    pub stop: Stop,
    /// The seed.
    pub seed: u64,
    /// All variables of all rulesets in it.
    pub variables: Vec<Variable>,
    /// The cells, in the order of the sweep.
    pub cells: Vec<CellResult>,
    /// Names of the variants laid over the tables.
    pub variants: Vec<String>,
    /// Assumptions that entered common fights: ruleset and name.
    pub assumed: Vec<(String, String)>,
    /// What best play does in cells whose policy is drawn, by the place of the cell.
    pub policies: Vec<(Given, Decided)>,
    /// What its instruments found.
    pub instruments: Vec<Instrument>,
    /// How it is shown.
    pub style: Style,
    /// What was set for all cells, as the schema reads it.
    pub held: Given,
    /// What the schema says of every key that is held or swept.
    pub keys: Vec<Setting>,
    /// The swept keys that are looked up in bands, and the last number of each band.
    pub bands: Vec<(String, Vec<i64>)>,
    /// The titles of its rulesets, in their order.
    pub titles: Vec<String>,
}

impl Results {
    /// A quantity over the variables of the experiment.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn quantity(&self, text: &str) -> Result<Quantity, RuleError> {
        Ok(Quantity::parse(text, &self.variables)?)
    }

    /// The title of the ruleset that a value of a key names, in quotes, where the key names rulesets.
    pub fn ruleset_title(&self, key: &str, value: &Value) -> Option<String> {
        let id = value.to_string();
        let own = self.experiment.rules.iter().zip(&self.titles);
        let title = match key {
            RULESET_KEY => title_of(&id),
            RULES => own
                .filter(|(rules, _)| **rules == id)
                .map(|(_, title)| title.clone())
                .next()?,
            _ => return None,
        };
        Some(self.style.words.tell("“{1}”", &[&title]))
    }

    /// How much was simulated of each cell.
    fn work(&self) -> String {
        match self.stop {
            Stop::Trials(trials) => format!("{} trials a cell", grouped(trials)),
            Stop::Precision {
                half_width,
                at_most,
            } => format!(
                "each cell until its headline is known to ±{half_width} or for {} trials",
                grouped(at_most)
            ),
        }
    }

    /// How the numbers were found, for people.
    pub fn method_text(&self) -> String {
        let method = match self.method {
            StudyMethod::Exact => "exact".into(),
            _ => format!(
                "{}, {}, seed {}",
                self.method.label(),
                self.work(),
                self.seed
            ),
        };
        if self.assumed.is_empty() {
            return method;
        }
        let mut by_rules: Vec<(&str, Vec<&str>)> = Vec::new();
        for (rules, name) in &self.assumed {
            match by_rules.iter_mut().find(|(known, _)| known == rules) {
                Some((_, names)) => names.push(name),
                None => by_rules.push((rules, vec![name])),
            }
        }
        let parts: Vec<String> = by_rules
            .iter()
            .map(|(rules, names)| format!("{rules} {}", names.join(", ")))
            .collect();
        format!(
            "{method}; assumed (grapeshot rules RULES --common): {}",
            parts.join("; ")
        )
    }
}
