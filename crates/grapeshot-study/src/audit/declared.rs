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
//! [audit.chances.charge.rivals]        # words that one chooses between: one should not be better everywhere
//! "attacker.weapon" = ["musket", "rifle-musket"]
//! ```

use grapeshot_rules::{Entries, FromToml, RuleError, TableFile};
use std::collections::BTreeMap;
use toml::Value;

/// Everything a ruleset declares for its audit.
#[derive(Debug, Clone, Default)]
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
#[derive(Debug, Clone)]
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

grapeshot_engine::labels! {
    /// What going one cell further does: it gets better or worse.
    pub(crate) enum Way { Better = "better", Worse = "worse" }
}

/// One word, or a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Words {
    /// One word.
    One(String),
    /// A list.
    List(Vec<String>),
}

impl Default for Words {
    fn default() -> Self {
        Words::List(Vec::new())
    }
}

impl FromToml for Words {
    const WHAT: &'static str = Vec::<String>::WHAT;

    fn from_toml(value: Value) -> Result<Self, Value> {
        match value {
            Value::String(one) => Ok(Words::One(one)),
            list => Vec::from_toml(list).map(Words::List),
        }
    }
}

/// A table whose cells have an order.
#[derive(Debug, Clone)]
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
    pub skip: Vec<String>,
    /// Of two rows for each die, named `die-side`, the side that is judged.
    pub side: Option<String>,
    /// Results the source explains, each of which some cell should have.
    pub explained: Vec<String>,
    /// Whether neighbouring columns may well be equal.
    pub plateaus: bool,
}

/// Entries of a list that should not fall (or rise).
#[derive(Debug, Clone)]
pub(crate) struct Ladder {
    /// The list.
    pub list: String,
    /// Its entries, in the order in which their value should rise.
    pub rising: Vec<String>,
    /// Why.
    pub why: String,
}

/// A weapon table with a greatest range.
#[derive(Debug, Clone)]
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
#[derive(Debug, Clone)]
pub(crate) struct Rivals {
    /// The table.
    pub grid: String,
    /// The rows.
    pub among: Vec<String>,
    /// Columns that do not count.
    pub skip: Vec<String>,
    /// A column in which a lower number is better, or all of them.
    pub low: bool,
}

/// Steps of a setting that should change the result evenly.
#[derive(Debug, Clone)]
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
    pub given: BTreeMap<String, String>,
}

/// Settings that should help one side.
#[derive(Debug, Clone)]
pub(crate) struct Chance {
    /// The procedure.
    pub procedure: String,
    /// Whom they should help.
    pub whom: String,
    /// Quantities that are good for it; a leading `-` takes one off.
    pub good: Vec<String>,
    /// What is set throughout, instead of the defaults.
    pub given: BTreeMap<String, String>,
    /// Situations sampled for each setting.
    pub samples: usize,
    /// Settings that stay at their defaults in the samples.
    pub leave: Vec<String>,
    /// The settings: `more`, `fewer`, `on`, `off`, or values, worst first.
    pub better: BTreeMap<String, Words>,
    /// Settings with words that one chooses between.
    pub rivals: BTreeMap<String, Vec<String>>,
}

/// Situations sampled for each setting, unless told otherwise.
const SAMPLES: i64 = 60;

/// Situations in the order in which they should get better.
#[derive(Debug, Clone)]
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
    /// If keys or values are not those above: each is named.
    pub(crate) fn read(tables: &TableFile) -> Result<Self, RuleError> {
        let problems = tables.problems();
        let Some(mut audit) = tables.entries("audit", &problems) else {
            return Ok(Declared::default());
        };
        let small = audit.table("small");
        let shared = audit.table("shared");
        let declared = Declared {
            grids: named(&mut audit, "grids", GridRule::read),
            ladders: named(&mut audit, "ladders", Ladder::read),
            ranges: named(&mut audit, "ranges", RangeRule::read),
            rivals: named(&mut audit, "rivals", Rivals::read),
            lines: named(&mut audit, "lines", Line::read),
            chances: named(&mut audit, "chances", Chance::read),
            situations: named(&mut audit, "situations", Situations::read),
            small: small.map_or(BTreeMap::new(), |mut small| {
                let each = small.each().into_iter();
                each.map(|(name, given)| (name, as_texts(given))).collect()
            }),
            modifiers: audit.maybe("modifiers").unwrap_or_default(),
            measures: audit.maybe("measures").unwrap_or_default(),
            shared: shared.map_or(BTreeMap::new(), |mut all| all.all().into_iter().collect()),
            switches: named(&mut audit, "switches", Switch::read),
        };
        audit.finish();
        problems.or(declared)
    }
}

/// Every entry of a table of tables.
fn named<T>(
    audit: &mut Entries<'_>,
    key: &str,
    read: impl Fn(&mut Entries<'_>) -> T,
) -> BTreeMap<String, T> {
    let all = audit.named(key).into_iter().map(|(name, mut entries)| {
        let entry = read(&mut entries);
        entries.finish();
        (name, entry)
    });
    all.collect()
}

/// A table of settings, as texts.
pub(super) fn texts(entries: &mut Entries<'_>, key: &str) -> BTreeMap<String, String> {
    entries.table(key).map_or(BTreeMap::new(), as_texts)
}

fn as_texts(entries: Entries<'_>) -> BTreeMap<String, String> {
    let given = entries.as_settings().into_iter();
    given.map(|(key, value)| (key, value.to_string())).collect()
}

impl Switch {
    fn read(entries: &mut Entries<'_>) -> Self {
        Switch {
            list: entries.needed("list"),
            entry: entries.needed("entry"),
            off: entries.needed("off"),
            says: entries.needed("says"),
            try_at: entries.needed("try_at"),
        }
    }
}

impl GridRule {
    fn read(entries: &mut Entries<'_>) -> Self {
        GridRule {
            table: entries.maybe("table"),
            whom: entries.needed("whom"),
            scale: entries.needed("scale"),
            rows: entries.one_of("rows"),
            columns: entries.one_of("columns"),
            skip: entries.maybe("skip").unwrap_or_default(),
            side: entries.maybe("side"),
            explained: entries.maybe("explained").unwrap_or_default(),
            plateaus: entries.maybe("plateaus").unwrap_or_default(),
        }
    }
}

impl Ladder {
    fn read(entries: &mut Entries<'_>) -> Self {
        Ladder {
            list: entries.needed("list"),
            rising: entries.needed("rising"),
            why: entries.needed("why"),
        }
    }
}

impl RangeRule {
    fn read(entries: &mut Entries<'_>) -> Self {
        RangeRule {
            max: entries.needed("max"),
            over: entries.maybe("over"),
            none: entries.needed("none"),
            try_at: entries.needed("try_at"),
        }
    }
}

impl Rivals {
    fn read(entries: &mut Entries<'_>) -> Self {
        Rivals {
            grid: entries.needed("grid"),
            among: entries.needed("among"),
            skip: entries.maybe("skip").unwrap_or_default(),
            low: entries.maybe("low").unwrap_or_default(),
        }
    }
}

impl Line {
    fn read(entries: &mut Entries<'_>) -> Self {
        Line {
            procedure: entries.needed("procedure"),
            of: entries.needed("of"),
            key: entries.needed("key"),
            values: entries.needed("values"),
            given: texts(entries, "given"),
        }
    }
}

impl Chance {
    fn read(entries: &mut Entries<'_>) -> Self {
        if !entries.has("better") {
            entries.problem("better", "is missing: settings and which way they help");
        }
        let better = entries.table("better");
        let rivals = entries.table("rivals");
        let samples = entries.whole("samples", 0..=i64::from(u32::MAX));
        Chance {
            procedure: entries.needed("procedure"),
            whom: entries.needed("whom"),
            good: entries.needed("good"),
            given: texts(entries, "given"),
            samples: samples.unwrap_or(SAMPLES) as usize,
            leave: entries.maybe("leave").unwrap_or_default(),
            better: better.map_or(BTreeMap::new(), |mut all| all.all().into_iter().collect()),
            rivals: rivals.map_or(BTreeMap::new(), |mut all| all.all().into_iter().collect()),
        }
    }
}

impl Situations {
    fn read(entries: &mut Entries<'_>) -> Self {
        Situations {
            procedure: entries.needed("procedure"),
            whom: entries.needed("whom"),
            good: entries.needed("good"),
            steps: entries.needed("steps"),
            why: entries.needed("why"),
        }
    }
}
