//! What a Drill procedure asks and reports, as every command knows it.

use crate::{DefaultValue, RuleError, Setting, SettingKind, TableFile, Value};
use grapeshot_drill::number::Fraction;
use grapeshot_drill::program::{
    self, ExprKind, Formula, Key, KeyAlternative, KeyDefault, KeyTarget, Procedure, Program,
};
use grapeshot_drill::run::settings::counts;
use grapeshot_drill::run::written;

/// Every key of a procedure.
///
/// # Errors
/// If a key can be said in the language and not by a command.
pub(super) fn settings(
    program: &Program,
    procedure: &Procedure,
    tables: &TableFile,
) -> Result<Vec<Setting>, RuleError> {
    let banded = tables.section(&format!("bands.{}", procedure.name));
    let keys = procedure.keys.iter().enumerate();
    keys.map(|(at, key)| {
        let mut setting = setting(program, procedure, key)?;
        if let Some(side) = counted_by(program, procedure, at)
            && let DefaultValue::Value(Value::Whole(otherwise)) = setting.default
        {
            let lists = procedure.keys.iter().filter(|key| {
                key.each && matches!(key.sets, KeyTarget::Members(of, _) if of == side)
            });
            let lists: Vec<String> = lists.map(|key| key.name.to_string()).collect();
            if !lists.is_empty() {
                setting = setting.length_of(lists, otherwise);
            }
        }
        let sources = match banded.and_then(|banded| banded.get(&*key.name)) {
            Some(toml::Value::Array(several)) => several.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => return Ok(setting),
        };
        let sources = sources.iter().filter_map(toml::Value::as_str);
        Ok(setting.in_bands(sources.flat_map(|source| ends(program, tables, source))))
    })
    .collect()
}

/// The side whose units a key counts.
fn counted_by(program: &Program, procedure: &Procedure, key: usize) -> Option<usize> {
    (0..procedure.sides.len()).find(|&side| counts(program, procedure, side) == Some(key))
}

/// The last number of every band: of `TABLE` those in its cells, or else among its headings, or else its numbers; of `TABLE.COLUMN` the numbers
/// in the cells below; of an assumption its value.
fn ends(program: &Program, tables: &TableFile, source: &str) -> Vec<i64> {
    let (name, column) = match source.split_once('.') {
        Some((name, column)) => (name, Some(column)),
        None => (source, None),
    };
    let Some(table) = program.tables.iter().find(|known| *known.name == *name) else {
        let value = tables.section(&format!("assumptions.{name}"));
        let value = value.and_then(|entry| entry.get("value")?.as_integer());
        return value.into_iter().collect();
    };
    let columns = table.columns.labels.len();
    let cells = &program.cells[table.first_cell.at()..][..table.rows.labels.len() * columns];
    if let Some(column) = column {
        let labels = &table.columns.labels;
        let at = labels.iter().position(|label| **label == *column);
        let below = at.map(|at| cells.iter().skip(at).step_by(columns));
        let whole = below
            .into_iter()
            .flatten()
            .filter_map(|cell| cell.value.fraction());
        return whole.map(|number| number.to_integer()).collect();
    }
    let in_cells = cells.iter().filter_map(|cell| match &cell.value {
        program::Value::Band(band) => Some(band.high),
        _ => None,
    });
    let headings = table.rows.headings.iter().chain(&table.columns.headings);
    let in_headings = headings.filter_map(|heading| match heading {
        program::Heading::Numbers(band) => Some(band.high),
        program::Heading::Limit(limit) if limit.is_integer() => Some(limit.to_integer()),
        _ => None,
    });
    let numbers = cells.iter().filter_map(|cell| cell.value.number());
    let found: [Vec<i64>; 3] = [in_cells.collect(), in_headings.collect(), numbers.collect()];
    let found = found.into_iter().find(|ends| !ends.is_empty());
    found.unwrap_or_default()
}

fn setting(program: &Program, procedure: &Procedure, key: &Key) -> Result<Setting, RuleError> {
    let kind = kind(key).map_err(|problem| wrong(program, key, &problem))?;
    let mut setting = Setting::of_kind(&*key.name, kind, &key.meaning).from(&key.source);
    setting.default = match &key.default {
        KeyDefault::Value(value) if matches!(setting.kind, SettingKind::Real { .. }) => {
            let exact = value.fraction().unwrap_or_default();
            DefaultValue::Value(Value::Real(real(exact)))
        }
        KeyDefault::Value(value) => {
            let usual = setting.parse(&written(key, value));
            DefaultValue::Value(usual.map_err(|error| wrong(program, key, &error.to_string()))?)
        }
        KeyDefault::Formula(formula) if printed(program, formula).is_some() => {
            let value = printed(program, formula).expect("it is one");
            let usual = setting.parse(&written(key, value));
            DefaultValue::Value(usual.map_err(|error| wrong(program, key, &error.to_string()))?)
        }
        KeyDefault::Formula(formula) => {
            let other = same_as(program, procedure, key, &program[formula.value].kind);
            let problem =
                "its default is neither a value, a printed one nor another key of the procedure";
            DefaultValue::SameAs(other.ok_or_else(|| wrong(program, key, problem))?)
        }
    };
    Ok(setting)
}

/// The printed value that a default is.
fn printed<'a>(program: &'a Program, formula: &Formula) -> Option<&'a program::Value> {
    match program[formula.value].kind {
        ExprKind::Cell(cell) => Some(&program[cell].value),
        _ => None,
    }
}

/// The key that sets what the default of another reads.
fn same_as(
    program: &Program,
    procedure: &Procedure,
    key: &Key,
    reads: &ExprKind,
) -> Option<String> {
    let wanted = match (reads, key.sets) {
        (ExprKind::Var(var), _) => KeyTarget::Var(*var),
        (ExprKind::Field(_, field), KeyTarget::Field(side, _)) => KeyTarget::Field(side, *field),
        (ExprKind::Convert(_, inner), _) => {
            return same_as(program, procedure, key, &program[*inner].kind);
        }
        _ => return None,
    };
    let found = procedure.keys.iter().find(|other| other.sets == wanted);
    found.map(|other| other.name.to_string())
}

fn real(number: Fraction) -> f64 {
    *number.numer() as f64 / *number.denom() as f64
}

/// What a key may be. Numbers among words are words.
fn kind(key: &Key) -> Result<SettingKind, String> {
    let one = match &key.kind[..] {
        [KeyAlternative::Flag] => SettingKind::Flag,
        [KeyAlternative::Number { low, high, whole }] => match whole {
            true => SettingKind::Whole {
                min: low.to_integer(),
                max: high.to_integer(),
            },
            false => SettingKind::Real {
                min: real(*low),
                max: real(*high),
            },
        },
        alternatives => {
            let mut labels = Vec::new();
            for alternative in alternatives {
                match alternative {
                    KeyAlternative::Word(word, _) => labels.push((&**word).into()),
                    KeyAlternative::Flag => labels.extend(["false".into(), "true".into()]),
                    KeyAlternative::Number { low, high, whole } => {
                        let (low, high) = (low.to_integer(), high.to_integer());
                        if !whole || high - low > 100 {
                            return Err("it mixes words with too many numbers".into());
                        }
                        labels.extend((low..=high).map(|n| n.to_string().into()));
                    }
                }
            }
            SettingKind::Choice(labels)
        }
    };
    Ok(match key.each {
        true => SettingKind::List(Box::new(one)),
        false => one,
    })
}

fn wrong(program: &Program, key: &Key, problem: &str) -> RuleError {
    let (line, column) = program.sources.line_and_column(key.span);
    RuleError::File {
        file: format!(
            "{}:{line}:{column}",
            program.sources.file(key.span.file).name
        ),
        problem: format!("`{}` cannot be asked: {problem}", key.name),
    }
}

/// A value as the language reads it: of a number no more decimals than it takes.
pub(super) fn as_text(value: &Value) -> String {
    match value {
        Value::Real(x) => {
            let plain = x.to_string();
            match plain.split_once('.') {
                Some((_, decimals)) if decimals.len() > 9 => format!("{x:.9}"),
                _ => plain,
            }
        }
        other => other.to_string(),
    }
}
