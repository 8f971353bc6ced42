//! What a ruleset declares for its audit: the `[audit]` part of its `extras.toml`.
//!
//! ```toml
//! [audit.grids.fire_results]           # a table whose cells have an order
//! whom = "the firer"                   # for whom the scale is good
//! scale = ["2", "1", "P", "0"]         # best first; or high, low, faces, few-faces, bands
//! rows = "better"                      # what going down does: better or worse
//! columns = "better"                   # what going right does
//!
//! [audit.chances.charge]               # who should gain by what
//! procedure = "charge"
//! whom = "the attacker"
//! good = ["outcome=attacker-wins"]     # quantities added up; a leading - takes one off
//! [audit.chances.charge.better]
//! "attacker.stands" = "more"           # or fewer, on, off
//! "attacker.grade" = ["poor", "elite"] # or the values themselves, worst first
//! ```

use grapeshot_rules::{RuleError, TableFile};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Everything a ruleset declares for its audit.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Declared {
    /// Tables whose cells have an order.
    pub grids: BTreeMap<String, GridRule>,
    /// Entries of a list that should rise or fall.
    pub ladders: BTreeMap<String, Ladder>,
    /// Weapon tables with a greatest range.
    pub ranges: BTreeMap<String, RangeRule>,
    /// Rows of a table that one chooses between.
    pub rivals: BTreeMap<String, Rivals>,
    /// Steps of a setting that should change the result evenly.
    pub lines: BTreeMap<String, Line>,
    /// Settings that should help one side.
    pub chances: BTreeMap<String, Chance>,
    /// Situations in the order in which they should get better.
    pub situations: BTreeMap<String, Situations>,
    /// Settings that make a procedure small enough to be asked thousands of times.
    pub small: BTreeMap<String, BTreeMap<String, String>>,
    /// Tables of modifiers, each of which should change some answer.
    pub modifiers: Vec<String>,
    /// Lists that are units of measure: their numbers modify nothing.
    pub measures: Vec<String>,
    /// By procedure, settings that stand there because every procedure describes a unit alike: the
    /// source does not ask for them, so it is no fault of its that they do nothing.
    pub shared: BTreeMap<String, Vec<String>>,
    /// Rules that a value of the tables turns off.
    pub switches: BTreeMap<String, Switch>,
}

/// A rule that a value of the tables turns off, and that should be missed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Switch {
    /// The list and the entry in it.
    pub list: String,
    /// The entry.
    pub entry: String,
    /// The value at which the rule says nothing.
    pub off: i64,
    /// What the rule says.
    pub says: String,
    /// A question in which it ought to be seen, `procedure key=value …`.
    pub try_at: String,
}

/// What going one cell further does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Way {
    /// It gets better.
    Better,
    /// It gets worse.
    Worse,
}

/// One word, or a list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Words {
    /// One word.
    One(String),
    /// A list.
    List(Vec<String>),
}

/// A table whose cells have an order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GridRule {
    /// The table, if it is not the one the rule is named after.
    pub table: Option<String>,
    /// For whom the scale is good.
    pub whom: String,
    /// All cells, best first, ` = ` between results as good as each other; or `high`, `low` (numbers),
    /// `faces`, `few-faces` (listed faces of a die), `bands` (faces of a die shared out among the columns, the best result first).
    pub scale: Words,
    /// What going down does.
    pub rows: Option<Way>,
    /// What going right does.
    pub columns: Option<Way>,
    /// Rows and columns that do not belong to the order.
    #[serde(default)]
    pub skip: Vec<String>,
    /// Of two rows for each die, named `die-side`, the side that is judged.
    pub side: Option<String>,
    /// Results the source explains, each of which some cell should have.
    #[serde(default)]
    pub explained: Vec<String>,
    /// Whether neighbouring columns may well be equal.
    #[serde(default)]
    pub plateaus: bool,
}

/// Entries of a list that should not fall (or rise).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ladder {
    /// The list.
    pub list: String,
    /// Its entries, in the order in which their value should rise.
    pub rising: Vec<String>,
    /// Why.
    pub why: String,
}

/// A weapon table with a greatest range.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RangeRule {
    /// The column of the greatest range. The other columns are bands, named by their far end.
    pub max: String,
    /// The last column, without a far end.
    pub over: Option<String>,
    /// How nothing is printed.
    pub none: String,
    /// A question about a weapon at a range: procedure and settings, `{row}` and `{range}` filled in.
    pub try_at: String,
}

/// Rows of a table that one chooses between; a higher number is better.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rivals {
    /// The table.
    pub grid: String,
    /// The rows.
    pub among: Vec<String>,
    /// Columns that do not count.
    #[serde(default)]
    pub skip: Vec<String>,
    /// A column in which a lower number is better, or all of them.
    #[serde(default)]
    pub low: bool,
}

/// Steps of a setting that should change the result evenly.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    /// The procedure.
    pub procedure: String,
    /// The quantity.
    pub of: String,
    /// The setting.
    pub key: String,
    /// Its values, one step apart.
    pub values: Vec<String>,
    /// Everything else that is set.
    #[serde(default)]
    pub given: BTreeMap<String, String>,
}

/// Settings that should help one side.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chance {
    /// The procedure.
    pub procedure: String,
    /// Whom they should help.
    pub whom: String,
    /// Quantities that are good for it; a leading `-` takes one off.
    pub good: Vec<String>,
    /// What is set throughout, instead of the defaults.
    #[serde(default)]
    pub given: BTreeMap<String, String>,
    /// Situations sampled for each setting.
    #[serde(default = "usual_samples")]
    pub samples: usize,
    /// Settings that stay at their defaults in the samples.
    #[serde(default)]
    pub leave: Vec<String>,
    /// The settings: `more`, `fewer`, `on`, `off`, or values, worst first.
    pub better: BTreeMap<String, Words>,
}

fn usual_samples() -> usize {
    60
}

/// Situations in the order in which they should get better.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Situations {
    /// The procedure.
    pub procedure: String,
    /// For whom.
    pub whom: String,
    /// Quantities that are good for it.
    pub good: Vec<String>,
    /// What is set in each situation, `key=value` with spaces between, worst first.
    pub steps: Vec<String>,
    /// Why they should get better.
    pub why: String,
}

impl Declared {
    /// Every situation that is named for a procedure: what chance would hardly put together.
    pub(super) fn situations_of(&self, procedure: &str) -> Vec<Vec<(String, String)>> {
        let named = self
            .situations
            .values()
            .filter(|s| s.procedure == procedure);
        let steps = named.flat_map(|situations| &situations.steps);
        let words = |step: &String| {
            let pairs = step
                .split_whitespace()
                .filter_map(|word| word.split_once('='));
            pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).collect()
        };
        steps.map(words).collect()
    }

    /// Reads the declarations of a table file; there may be none.
    ///
    /// # Errors
    /// If a key or value is not one of those above.
    pub(crate) fn read(tables: &TableFile) -> Result<Self, RuleError> {
        match tables.section("audit") {
            None => Ok(Declared::default()),
            Some(section) => section
                .clone()
                .try_into()
                .map_err(|error| tables.problem("audit", error.to_string().replace('\n', " "))),
        }
    }
}
