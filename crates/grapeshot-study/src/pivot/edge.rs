//! What runs along the edges of a table: the values of a key, or the ends of a variable.

use crate::Workbench;
use grapeshot_engine::dist::{Quantity, Variable, VariableKind};
use grapeshot_rules::{Axis, parse_sweep};
use grapeshot_rules::{RuleError, Setting, SettingKind, Value};

/// An edge as it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Edge {
    /// A key and the values it takes.
    Key(String, Vec<Value>),
    /// The ends of a variable: which there are is known when they have been found.
    Ends(String),
}

/// What a table shows.
#[derive(Debug, Clone, PartialEq)]
pub struct PivotAsked {
    pub(super) rows: Edge,
    pub(super) columns: Edge,
    pub(super) of: Option<Quantity>,
}

/// Numbers of a key that are all shown when none is named.
const ALL_SHOWN: i64 = 12;
/// What makes units differ most, beside what the ruleset itself calls the grade.
const GRADES: [&str; 5] = ["grade", "class", "morale", "weapon", "formation"];
/// What is asked after that.
const COVER: &str = "cover";

impl PivotAsked {
    /// The edges where both are keys.
    #[cfg(feature = "field")]
    fn of_keys(
        workbench: &Workbench<'_>,
        rows: Option<&str>,
        columns: Option<&str>,
    ) -> Result<(Edge, Edge), RuleError> {
        let named = |edge: Option<&str>| edge.map(|text| read(workbench, text)).transpose();
        let (rows, columns) = (named(rows)?, named(columns)?);
        let missing = |edge: &str| RuleError::Other(format!("no {edge}: name a key with --{edge}"));
        let grades = grades(workbench);
        let rows = rows
            .or_else(|| usual(workbench, &grades, columns.as_ref()))
            .ok_or_else(|| missing("rows"))?;
        let others: Vec<String> = [COVER.to_owned()].into_iter().chain(grades).collect();
        let columns = columns
            .or_else(|| usual(workbench, &others, Some(&rows)))
            .ok_or_else(|| missing("columns"))?;
        let axes: Vec<Axis> = [&rows, &columns]
            .into_iter()
            .filter_map(Edge::axis)
            .collect();
        grapeshot_rules::check_axes(&axes, &workbench.given)?;
        Ok((rows, columns))
    }

    /// Reads `key`, `key=a,b,c`, `key=from..to/step` or a variable for each edge, and a quantity. Without
    /// edges, grades and cover are shown; without a quantity, the chance of success, or how it ends where
    /// nobody succeeds.
    ///
    /// # Errors
    /// If a key, a value, a variable or the quantity is unknown, or they do not go together.
    pub fn new(
        workbench: &Workbench<'_>,
        rows: Option<&str>,
        columns: Option<&str>,
        of: Option<&str>,
    ) -> Result<Self, RuleError> {
        let named = |edge: Option<&str>| edge.map(|text| read(workbench, text)).transpose();
        let (rows, columns) = (named(rows)?, named(columns)?);
        let of = of.map(|text| workbench.quantity(Some(text))).transpose()?;
        let ends = |edge: &Option<Edge>| matches!(edge, Some(Edge::Ends(_)));
        if ends(&rows) && ends(&columns) {
            let problem =
                "rows and columns cannot both be ends of a variable: one of the two must be a key";
            return Err(RuleError::Other(problem.into()));
        }
        if let (true, Some(of)) = (ends(&rows) || ends(&columns), &of) {
            let problem = "cannot be asked where rows or columns are ends of a variable, which are all shown; \
                           allowed is a key for both";
            return Err(RuleError::argument("of", of, problem));
        }
        let rows = match rows {
            Some(edge) => edge,
            None => usual(workbench, &grades(workbench), columns.as_ref())
                .ok_or_else(|| RuleError::Other("no rows: name a key with --rows".into()))?,
        };
        let columns = match columns {
            Some(edge) => edge,
            None => usual_columns(workbench, &rows, of.as_ref())?,
        };
        let axes: Vec<Axis> = [&rows, &columns]
            .into_iter()
            .filter_map(Edge::axis)
            .collect();
        grapeshot_rules::check_axes(&axes, &workbench.given)?;
        let both_keys = axes.len() == 2;
        let of = match of {
            None if both_keys => Some(workbench.quantity(None)?),
            of => of,
        };
        Ok(PivotAsked { rows, columns, of })
    }
}

/// Two keys and their values: those that are named, or the usual ones.
///
/// # Errors
/// If one is unknown, is no key, or is set or named twice.
#[cfg(feature = "field")]
pub(crate) fn two_keys(
    workbench: &Workbench<'_>,
    rows: Option<&str>,
    columns: Option<&str>,
) -> Result<[(String, Vec<Value>); 2], RuleError> {
    let asked = PivotAsked::of_keys(workbench, rows, columns)?;
    let key = |edge: Edge| match edge {
        Edge::Key(key, values) => Ok((key, values)),
        Edge::Ends(variable) => Err(RuleError::Other(format!(
            "`{variable}` is what comes of it: rows and columns are keys"
        ))),
    };
    Ok([key(asked.0)?, key(asked.1)?])
}

/// A key and its values, `key`, `key=a,b,c` or `key=from..to/step`, as a sweep over it.
///
/// # Errors
/// If it is unknown, is no key, or needs values and has none.
pub(crate) fn axis(workbench: &Workbench<'_>, text: &str) -> Result<Axis, RuleError> {
    let edge = read(workbench, text)?;
    edge.axis().ok_or_else(|| {
        let problem = format!("`{text}` is what comes of it: what is swept is a key");
        RuleError::Other(problem)
    })
}

impl Edge {
    fn axis(&self) -> Option<Axis> {
        match self {
            Edge::Key(key, values) => Some(Axis {
                keys: vec![key.clone()],
                values: values.iter().map(|value| vec![value.clone()]).collect(),
            }),
            Edge::Ends(_) => None,
        }
    }

    fn is_of(&self, key: &str) -> bool {
        matches!(self, Edge::Key(known, _) if known == key)
    }
}

fn read(workbench: &Workbench<'_>, text: &str) -> Result<Edge, RuleError> {
    let procedure = workbench.procedure;
    let name = text.split('=').next().unwrap_or_default().trim();
    let has_values = text.contains('=');
    let reported = procedure.variables.iter().any(|v| v.name == name);
    if !has_values && reported && !procedure.settings.iter().any(|known| known.key == name) {
        return Ok(Edge::Ends(name.into()));
    }
    if !has_values && !procedure.has_named(name) {
        let keys = procedure.settings.iter().map(|setting| &setting.key);
        let known = keys.chain(procedure.variables.iter().map(|v| &v.name));
        return Err(RuleError::unknown("key or variable", name, known));
    }
    let setting = procedure.setting(name)?;
    let key = &setting.key;
    if has_values {
        let axis = parse_sweep(text)?;
        let values = axis.values.iter().map(|values| setting.accept(&values[0]));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        return match (1..values.len()).find(|&at| values[..at].contains(&values[at])) {
            Some(at) => Err(RuleError::Other(format!(
                "`{key}` has {} twice",
                values[at]
            ))),
            None => Ok(Edge::Key(key.clone(), values)),
        };
    }
    match all_values(setting) {
        Some(values) => Ok(Edge::Key(key.clone(), values)),
        None => Err(RuleError::Other(format!(
            "`{key}` needs values: {key}=a,b,c or {key}=from..to/step; allowed is {}",
            setting.kind.allowed()
        ))),
    }
}

/// All values of a key, if they are few.
fn all_values(setting: &Setting) -> Option<Vec<Value>> {
    fn few(kind: &SettingKind) -> bool {
        match kind {
            SettingKind::Flag | SettingKind::Choice(_) => true,
            SettingKind::Whole { min, max } => max - min < ALL_SHOWN,
            SettingKind::List(entry) => few(entry),
            SettingKind::Real { .. } => false,
        }
    }
    few(&setting.kind).then(|| setting.sample_values())
}

/// Names by which the ruleset tells units apart, the most telling first.
fn grades(workbench: &Workbench<'_>) -> Vec<String> {
    let points = workbench.loaded.tables.section("points");
    let own = points.and_then(|points| points.get("grade")?.as_str());
    let own = own.map(str::to_owned).into_iter();
    own.chain(GRADES.map(str::to_owned)).collect()
}

/// The first key of one of these names that is neither set nor shown already: one of another side than the
/// other edge, if there is.
fn usual(workbench: &Workbench<'_>, names: &[String], other: Option<&Edge>) -> Option<Edge> {
    let free = |key: &str| {
        let set = workbench.given.iter().any(|(known, _)| known == key);
        !set && !other.is_some_and(|edge| edge.is_of(key))
    };
    let side = match other {
        Some(Edge::Key(key, _)) => key.split_once('.').map(|(side, _)| side),
        _ => None,
    };
    names.iter().find_map(|name| {
        let named = |setting: &&Setting| {
            let last = setting.key.rsplit('.').next();
            last == Some(name) && free(&setting.key)
        };
        let named: Vec<&Setting> = workbench.procedure.settings.iter().filter(named).collect();
        let elsewhere = named
            .iter()
            .filter(|setting| setting.side() != side || side.is_none());
        let found = elsewhere.chain(&named);
        let edge = |setting: &&Setting| Some(Edge::Key(setting.key.clone(), all_values(setting)?));
        found.filter_map(edge).next()
    })
}

fn usual_columns(
    workbench: &Workbench<'_>,
    rows: &Edge,
    of: Option<&Quantity>,
) -> Result<Edge, RuleError> {
    let mut names = vec![COVER.to_owned()];
    names.extend(grades(workbench));
    let key = usual(workbench, &names, Some(rows));
    let variables = &workbench.procedure.variables;
    let category = |v: &&Variable| matches!(v.kind, VariableKind::Category(_));
    let ends = variables.iter().find(category).or(variables.first());
    let ends = ends.map(|variable| Edge::Ends(variable.name.clone()));
    let numbered = of.is_some() || Quantity::usual(variables).is_ok();
    let row_key = matches!(rows, Edge::Key(..));
    let found = match (key, ends) {
        (Some(key), _) if numbered || !row_key => Some(key),
        (_, Some(ends)) if of.is_none() && row_key => Some(ends),
        (key, _) => key,
    };
    found.ok_or_else(|| {
        RuleError::Other("no columns: name a key or a variable with --columns".into())
    })
}
