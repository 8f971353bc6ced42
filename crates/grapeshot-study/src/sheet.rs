//! What a player wants beside the table: a page of odds, chosen by the ruleset.
//!
//! `[sheet]` in a table file says which tables are shown and which changes are worth a rule of thumb; the numbers
//! are worked out here. A ruleset that says nothing gets the usual table of each of its usual procedures.

use super::pivot::{Pivot, PivotAsked, pivot};
use super::workbench::{Methods, Reply, Workbench};
use crate::{Envelope, parallel};
use grapeshot_engine::dist::Quantity;
use grapeshot_engine::plain;
use grapeshot_rules::{Entries, Given, LoadedRuleset, OddsError, Options, RuleError};
use serde::Serialize;

/// The `[sheet]` part of a table file.
#[derive(Debug, Clone, Default)]
struct Declared {
    /// What holds unless a table says otherwise.
    about: String,
    tables: Vec<DeclaredTable>,
    thumbs: Option<DeclaredThumbs>,
}

#[derive(Debug, Clone)]
struct DeclaredTable {
    title: String,
    procedure: String,
    rows: Option<String>,
    columns: Option<String>,
    of: Option<String>,
    /// Percentages are whole unless it says so.
    decimals: Option<i64>,
    given: Given,
}

#[derive(Debug, Clone)]
struct DeclaredThumbs {
    title: String,
    procedure: String,
    of: Option<String>,
    given: Given,
    changes: Vec<DeclaredChange>,
}

#[derive(Debug, Clone)]
struct DeclaredChange {
    say: String,
    set: Given,
}

/// A page of odds.
#[derive(Debug, Clone, Serialize)]
pub struct Sheet {
    /// The ruleset.
    pub rules: String,
    /// What it is printed as.
    pub title: String,
    /// What holds unless a table says otherwise.
    pub about: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// The tables.
    #[serde(serialize_with = "Envelope::each")]
    pub tables: Vec<HeadedPivot>,
    /// What single changes are worth.
    pub thumbs: Option<Thumbs>,
}

/// A table of a sheet.
#[derive(Debug, Clone, Serialize)]
pub struct HeadedPivot {
    /// The table.
    #[serde(flatten)]
    pub pivot: Pivot,
    /// Its heading.
    pub title: String,
}

/// What single changes are worth.
#[derive(Debug, Clone, Serialize)]
pub struct Thumbs {
    /// The heading.
    pub title: String,
    /// What is changed by them.
    #[serde(rename = "of")]
    pub quantity: Quantity,
    /// Where it stands before.
    pub baseline: f64,
    /// What is changed, the greatest change first.
    pub changes: Vec<ThumbChange>,
}

/// A single change.
#[derive(Debug, Clone, Serialize)]
pub struct ThumbChange {
    /// What is changed, in words.
    pub say: String,
    /// What it is worth, or why the rules refuse it.
    #[serde(flatten, serialize_with = "plain::or_refused")]
    pub reply: Reply<ThumbValue>,
}

/// What a single change is worth.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ThumbValue {
    /// The quantity then.
    pub value: f64,
    /// By how much that is more than before.
    pub change: f64,
}

/// Procedures that are shown where a ruleset does not choose.
const USUAL: [&str; 5] = ["charge", "fire", "melee", "morale", "firefight"];

/// Works out the sheet of a ruleset.
///
/// # Errors
/// If `[sheet]` asks for what there is not, or the engine cannot answer.
pub fn sheet(loaded: &LoadedRuleset, options: Options) -> Result<Sheet, OddsError> {
    let declared = declared(loaded)?;
    let found: Vec<Option<HeadedPivot>> = match &declared {
        Some(declared) => {
            let tables: Vec<_> = declared.tables.iter().enumerate().collect();
            parallel::try_map(&tables, |&(at, table)| {
                one_table(loaded, table, at, options).map(Some)
            })?
        }
        None => parallel::map(&USUAL, |name| usual_table(loaded, name, options)),
    };
    let tables: Vec<HeadedPivot> = found.into_iter().flatten().collect();
    if tables.is_empty() {
        let problem = "has no [sheet], and no procedure that is usually on one; allowed is [[sheet.tables]] with \
                       title and procedure";
        return Err(loaded.tables.problem("sheet", problem).into());
    }
    let mut methods = (tables.iter()).fold(Methods::default(), |sum, table| {
        sum.and(table.pivot.methods)
    });
    let declared = declared.unwrap_or_default();
    let thumbs = match &declared.thumbs {
        None => None,
        Some(asked) => Some(thumbs(loaded, asked, options, &mut methods)?),
    };
    Ok(Sheet {
        rules: loaded.id().into(),
        title: loaded.ruleset.title.to_string(),
        about: declared.about,
        variants: loaded.variant_names(),
        tables,
        thumbs,
        methods,
    })
}

/// What a ruleset's sheet is told in.
pub(crate) fn words(loaded: &LoadedRuleset) -> Result<Vec<String>, RuleError> {
    let Some(declared) = declared(loaded)? else {
        return Ok(Vec::new());
    };
    let thumbs = declared.thumbs.into_iter().flat_map(|thumbs| {
        let changes = thumbs.changes.into_iter().map(|change| change.say);
        [thumbs.title].into_iter().chain(changes)
    });
    let tables = declared.tables.into_iter().map(|table| table.title);
    Ok([declared.about]
        .into_iter()
        .chain(tables)
        .chain(thumbs)
        .collect())
}

fn declared(loaded: &LoadedRuleset) -> Result<Option<Declared>, RuleError> {
    let problems = loaded.tables.problems();
    let read = loaded.tables.entries("sheet", &problems).map(|mut sheet| {
        let read = Declared {
            about: sheet.maybe("about").unwrap_or_default(),
            tables: sheet.tables("tables").into_iter().map(table_of).collect(),
            thumbs: sheet.table("thumbs").map(thumbs_of),
        };
        sheet.finish();
        read
    });
    problems.or(read)
}

fn table_of(mut table: Entries<'_>) -> DeclaredTable {
    let read = DeclaredTable {
        title: table.needed("title"),
        procedure: table.needed("procedure"),
        rows: table.maybe("rows"),
        columns: table.maybe("columns"),
        of: table.maybe("of"),
        decimals: table.whole("decimals", 0..=9),
        given: table.settings("given"),
    };
    table.finish();
    read
}

fn thumbs_of(mut thumbs: Entries<'_>) -> DeclaredThumbs {
    let changes = thumbs.tables("changes").into_iter().map(|mut change| {
        let read = DeclaredChange {
            say: change.needed("say"),
            set: change.settings("set"),
        };
        change.finish();
        read
    });
    let read = DeclaredThumbs {
        changes: changes.collect(),
        title: thumbs.needed("title"),
        procedure: thumbs.needed("procedure"),
        of: thumbs.maybe("of"),
        given: thumbs.settings("given"),
    };
    thumbs.finish();
    read
}

/// What an entry of `[sheet]` gets wrong, with its place.
fn placed(loaded: &LoadedRuleset, key: &str, error: RuleError) -> OddsError {
    loaded.tables.problem(key, error.to_string()).into()
}

fn one_table(
    loaded: &LoadedRuleset,
    table: &DeclaredTable,
    at: usize,
    options: Options,
) -> Result<HeadedPivot, OddsError> {
    let key = format!("sheet.tables[{}]", at + 1);
    let wrong = |error: RuleError| placed(loaded, &key, error);
    let bench = bench(loaded, &table.procedure, &table.given, options).map_err(wrong)?;
    let (rows, columns) = (table.rows.as_deref(), table.columns.as_deref());
    let asked = PivotAsked::new(&bench, rows, columns, table.of.as_deref()).map_err(wrong)?;
    let decimals = table.decimals.unwrap_or(0) as u32;
    let pivot = pivot(&bench, &asked, Some(decimals)).map_err(|error| match error {
        OddsError::Rule(error) => wrong(error),
        other => other,
    })?;
    let title = table.title.clone();
    Ok(HeadedPivot { pivot, title })
}

/// The usual table of a procedure, if there is such a procedure and it has one.
fn usual_table(loaded: &LoadedRuleset, name: &str, options: Options) -> Option<HeadedPivot> {
    let bench = bench(loaded, name, &Given::new(), options).ok()?;
    let asked = PivotAsked::new(&bench, None, None, None).ok()?;
    let pivot = pivot(&bench, &asked, Some(0)).ok()?;
    let title = name.to_owned();
    Some(HeadedPivot { pivot, title })
}

fn bench<'a>(
    loaded: &'a LoadedRuleset,
    procedure: &str,
    given: &Given,
    options: Options,
) -> Result<Workbench<'a>, RuleError> {
    Workbench::new(loaded, procedure, given.clone(), options)
}

fn thumbs(
    loaded: &LoadedRuleset,
    asked: &DeclaredThumbs,
    options: Options,
    methods: &mut Methods,
) -> Result<Thumbs, OddsError> {
    let wrong = |error: RuleError| placed(loaded, "sheet.thumbs", error);
    let bench = bench(loaded, &asked.procedure, &asked.given, options).map_err(wrong)?;
    let quantity = bench.quantity(asked.of.as_deref()).map_err(wrong)?;
    let refused = |reason: String| wrong(RuleError::Other(reason));
    let now = bench.measure(&quantity, &[])?.map_err(refused)?;
    methods.add(now.source);
    let mut changes = Vec::new();
    for change in &asked.changes {
        bench.settings(&change.set).map_err(wrong)?;
        let reply = bench.measure(&quantity, &change.set)?;
        if let Ok(then) = &reply {
            methods.add(then.source);
        }
        changes.push(ThumbChange {
            say: change.say.clone(),
            reply: reply.map(|then| ThumbValue {
                value: then.estimate.value,
                change: then.minus(&now).value,
            }),
        });
    }
    let size =
        |change: &ThumbChange| (change.reply.as_ref()).map_or(f64::NEG_INFINITY, |to| to.change);
    changes.sort_by(|a, b| size(b).total_cmp(&size(a)));
    Ok(Thumbs {
        title: asked.title.clone(),
        quantity,
        baseline: now.estimate.value,
        changes,
    })
}
