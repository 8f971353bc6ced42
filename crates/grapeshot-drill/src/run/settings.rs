//! What is given with a question: read by the procedure's keys, held to their ranges, defaulted.

use super::layout::Layout;
use super::lower::{Halt, KeyAtHand, Lower};
use super::reads::Read;
use crate::number;
use crate::program::{Key, KeyAlternative, KeyDefault, KeyTarget, Procedure, Program, Type, Value};

/// Why a question is not answered.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refused {
    /// There is no such procedure.
    #[error("there is no procedure `{0}`")]
    UnknownProcedure(String),
    /// The procedure asks for no such key.
    #[error("unknown setting of {procedure} `{key}`")]
    UnknownKey {
        /// The procedure.
        procedure: String,
        /// The key.
        key: String,
    },
    /// A key cannot be that.
    #[error("`{key}` cannot be `{value}`\n  allowed: {allowed}")]
    Value {
        /// The key.
        key: String,
        /// What it was given.
        value: String,
        /// What it may be.
        allowed: String,
    },
    /// The rules refuse it.
    #[error("`{key}={value}` is refused: {text}")]
    Refusal {
        /// The key.
        key: String,
        /// What it was given, or is by default.
        value: String,
        /// Why.
        text: String,
    },
    /// The text cannot be played with these settings.
    #[error("{0}")]
    Wrong(String),
}

/// What a key is in a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// As it is written.
    pub written: String,
    /// Whether it was given.
    pub given: bool,
    /// Whether it is not at its default.
    pub changed: bool,
    /// Its value; not known yet where the default is a formula.
    pub value: Option<Value>,
}

/// The type of what a key sets.
fn target_type(program: &Program, target: KeyTarget) -> Type {
    match target {
        KeyTarget::Var(var) => program[var].ty,
        KeyTarget::Field(_, field)
        | KeyTarget::Member(_, _, field)
        | KeyTarget::Members(_, field) => program[field].ty,
    }
}

/// Reads what a key is given: of a line perhaps several values.
fn read(key: &Key, text: &str) -> Option<Value> {
    let only = read_one(key, text);
    if only.is_some() || !key.each {
        return only;
    }
    let entries = super::lists::entries(text)?;
    let mut values: Vec<Value> = entries
        .into_iter()
        .map(|entry| read_one(key, entry))
        .collect::<Option<_>>()?;
    match values.len() {
        1 => values.pop(),
        _ => Some(Value::List(values)),
    }
}

fn read_one(key: &Key, text: &str) -> Option<Value> {
    key.kind.iter().find_map(|alternative| match alternative {
        KeyAlternative::Flag => match text {
            "true" => Some(Value::Flag(true)),
            "false" => Some(Value::Flag(false)),
            _ => None,
        },
        KeyAlternative::Number { low, high, whole } => {
            let number = number::read(text)?;
            let fits = *low <= number && number <= *high && (!whole || number.is_integer());
            fits.then_some(Value::Fraction(number))
        }
        KeyAlternative::Word(word, value) => (**word == *text).then(|| value.clone()),
    })
}

/// What a key may be, in words.
fn allowed(key: &Key) -> String {
    let each = key.kind.iter().map(|alternative| match alternative {
        KeyAlternative::Flag => "true, false".to_owned(),
        KeyAlternative::Number {
            low,
            high,
            whole: true,
        } => format!("a whole number from {low} to {high}"),
        KeyAlternative::Number {
            low,
            high,
            whole: false,
        } => format!("a number from {low} to {high}"),
        KeyAlternative::Word(word, _) => word.to_string(),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A value as a key is given it.
pub fn written(key: &Key, value: &Value) -> String {
    let word = key.kind.iter().find_map(|alternative| match alternative {
        KeyAlternative::Word(word, known) if known == value => Some(word.to_string()),
        _ => None,
    });
    word.unwrap_or_else(|| match value {
        Value::Flag(flag) => flag.to_string(),
        value => value.fraction().map_or_else(String::new, number::written),
    })
}

/// What every key of a procedure is.
pub fn settle(procedure: &Procedure, given: &[(&str, &str)]) -> Result<Vec<Setting>, Refused> {
    let mut settings: Vec<Setting> = Vec::with_capacity(procedure.keys.len());
    for key in &procedure.keys {
        let value = match &key.default {
            KeyDefault::Value(value) => Some(value.clone()),
            KeyDefault::Formula(_) => None,
        };
        settings.push(Setting {
            written: value
                .as_ref()
                .map_or_else(String::new, |value| written(key, value)),
            given: false,
            changed: false,
            value,
        });
    }
    for &(name, text) in given {
        let Some(at) = procedure.key(name) else {
            return Err(Refused::UnknownKey {
                procedure: procedure.name.to_string(),
                key: name.to_owned(),
            });
        };
        let key = &procedure.keys[at];
        let Some(value) = read(key, text) else {
            return Err(Refused::Value {
                key: name.to_owned(),
                value: text.to_owned(),
                allowed: allowed(key),
            });
        };
        let same = settings[at].value.as_ref().is_some_and(|default| {
            *default == value
                || default
                    .fraction()
                    .is_some_and(|x| Some(x) == value.fraction())
        });
        settings[at] = Setting {
            written: text.to_owned(),
            given: true,
            changed: !same,
            value: Some(value),
        };
    }
    Ok(settings)
}

/// The key that says how many units a side of several, or a line, has.
pub fn counts(program: &Program, procedure: &Procedure, side: usize) -> Option<usize> {
    let wanted = |key: &Key| counts_units(program, procedure, side, key.sets);
    procedure.keys.iter().position(wanted)
}

/// Whether what is set there says how many units a side has.
fn counts_units(program: &Program, procedure: &Procedure, side: usize, target: KeyTarget) -> bool {
    match (
        procedure.sides[side].times,
        program[procedure.sides[side].side].ty,
    ) {
        (Some((var, _)), _) => target == KeyTarget::Var(var),
        (None, Type::Unit(of)) => match program[of].line {
            Some(line) => target == KeyTarget::Field(side, line.times),
            None => false,
        },
        _ => false,
    }
}

/// Notes the keys that say how many units there are: the text is written out for so many.
pub fn note_counts(lower: &mut Lower<'_>, layout: &Layout<'_>) {
    if layout.heard.is_some() {
        for side in 0..layout.procedure.sides.len() {
            let key = counts(layout.program, layout.procedure, side);
            lower.always.extend(key.map(Read::Key));
        }
    }
}

/// How many units a side of several, or a line, has.
pub fn units_of(
    program: &Program,
    procedure: &Procedure,
    settings: &[Setting],
    side: usize,
) -> usize {
    let at = counts(program, procedure, side);
    let value = at.and_then(|at| settings[at].value.as_ref()?.number());
    let fixed = || {
        let fixed = procedure.fixed.iter();
        let mut counting =
            fixed.filter(|(target, _)| counts_units(program, procedure, side, *target));
        counting.find_map(|(_, value)| value.number())
    };
    value
        .or_else(fixed)
        .unwrap_or(1)
        .clamp(0, super::units::MOST_UNITS as i64) as usize
}

/// What has no key and is at its own default, which may ask for what has one.
pub fn defaults(layout: &Layout<'_>) -> Vec<(KeyTarget, Option<usize>)> {
    let (program, procedure) = (layout.program, layout.procedure);
    let mut defaults = Vec::new();
    for &var in &procedure.vars {
        if program[var].default.is_some() {
            defaults.push((KeyTarget::Var(var), None));
        }
    }
    for (unit, piece) in layout.pieces.iter().enumerate() {
        for field in program.fields_of(piece.of) {
            if program[field].default.is_some() {
                defaults.push((KeyTarget::Field(piece.side, field), Some(unit)));
            }
        }
    }
    let asked = procedure.keys.iter().map(|key| key.sets);
    let fixed = procedure.fixed.iter().map(|&(target, _)| target);
    let keyed: Vec<KeyTarget> = asked.chain(fixed).collect();
    defaults.retain(|(target, unit)| match target {
        KeyTarget::Field(side, field) => !keyed.iter().any(|key| match key {
            KeyTarget::Field(s, f) => s == side && f == field,
            KeyTarget::Members(s, f) => s == side && f == field,
            KeyTarget::Member(s, number, f) => {
                let of_unit = unit.map(|unit| layout.pieces[unit].number);
                s == side && f == field && of_unit == Some(*number)
            }
            KeyTarget::Var(_) => false,
        }),
        target => !keyed.contains(target),
    });
    defaults
}

/// Sets the table: keys, then defaults that are formulas.
pub fn set(
    lower: &mut Lower<'_>,
    layout: &Layout<'_>,
    defaults: &[(KeyTarget, Option<usize>)],
    settings: &mut [Setting],
) -> Result<(), Halt> {
    let (program, procedure) = (layout.program, layout.procedure);
    let own = |target: KeyTarget| match target {
        KeyTarget::Var(var) => program[var].default.as_ref(),
        KeyTarget::Field(_, field)
        | KeyTarget::Member(_, _, field)
        | KeyTarget::Members(_, field) => program[field].default.as_ref(),
    };
    let each = defaults.iter();
    let mut formulas: Vec<_> = each
        .filter_map(|&(target, unit)| Some((target, unit, own(target)?, None)))
        .collect();
    for (at, key) in procedure.keys.iter().enumerate() {
        if let (None, KeyDefault::Formula(formula)) = (&settings[at].value, &key.default) {
            let unit = match key.sets {
                KeyTarget::Var(_) => None,
                KeyTarget::Field(side, _)
                | KeyTarget::Members(side, _)
                | KeyTarget::Member(side, ..) => {
                    layout.pieces.iter().position(|piece| piece.side == side)
                }
            };
            formulas.push((key.sets, unit, formula, Some(at)));
        }
    }
    for (at, (key, setting)) in procedure.keys.iter().zip(settings.iter()).enumerate() {
        lower.sets = Some(at);
        if let Some(value) = &setting.value {
            let ty = target_type(program, key.sets);
            if let (Value::List(values), KeyTarget::Members(side, field)) = (value, key.sets) {
                for (number, value) in (1..).zip(values) {
                    let one = KeyTarget::Member(side, number, field);
                    if let Some(parts) = layout.parts(value, ty) {
                        put(lower, layout, one, None, &parts);
                    }
                }
                continue;
            }
            match layout.parts(value, ty) {
                Some(parts) => put(lower, layout, key.sets, None, &parts),
                None => {
                    return Err(Halt::at(
                        key.span,
                        "this key sets something that it cannot be",
                    ));
                }
            }
        }
    }
    lower.sets = None;
    for (target, value) in &procedure.fixed {
        if let Some(parts) = layout.parts(value, target_type(program, *target)) {
            put(lower, layout, *target, None, &parts);
        }
    }
    for (target, unit, formula, at) in formulas {
        let value = lower.formula_now(formula, unit, KeyAtHand::default())?;
        if let Some(parts) = value.all_known() {
            if let Some(at) = at {
                settings[at].written = layout.letters(target_type(program, target), &parts);
            }
            let alone = if at.is_some() { None } else { unit };
            lower.sets = at;
            put(lower, layout, target, alone, &parts);
        }
    }
    Ok(())
}

/// Puts a value where a key or a default belongs; of one unit alone, if there is one.
fn put(
    lower: &mut Lower<'_>,
    layout: &Layout<'_>,
    target: KeyTarget,
    unit: Option<usize>,
    parts: &[i32],
) {
    let (side, field) = match target {
        KeyTarget::Var(var) => return lower.preset_var(var, parts),
        KeyTarget::Field(side, field)
        | KeyTarget::Member(side, _, field)
        | KeyTarget::Members(side, field) => (side, field),
    };
    for (at, piece) in layout.pieces.iter().enumerate() {
        let meant = match target {
            KeyTarget::Member(_, number, _) => piece.line.is_some() && piece.number == number,
            KeyTarget::Members(..) => piece.line.is_some(),
            _ => true,
        };
        let its_own = layout.program[field].of == piece.of;
        if piece.side == side && meant && its_own && unit.is_none_or(|unit| unit == at) {
            lower.preset_field(at, field, parts);
        }
    }
}
