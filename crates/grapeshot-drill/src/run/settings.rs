//! What is given with a question: read by the procedure's keys, held to their ranges, defaulted.

use super::layout::Layout;
use super::lower::{Board, Halt, KeyAtHand, Lower};
use super::reads::Read;
use super::value::{Numbers, Slots};
use crate::number;
use crate::program::{
    ExprKind, Formula, Key, KeyAlternative, KeyDefault, KeyTarget, Procedure, Program, Type, Value,
};

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
fn defaults(layout: &Layout<'_>) -> Vec<(KeyTarget, Option<usize>)> {
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

/// Where a key, or what has its own default, stands: the slots of every unit that is meant.
type Standing = Vec<Slots>;

/// What is set before anything that is given is looked at: the same for all questions on a board.
#[derive(Debug, Default)]
pub struct Presets {
    /// Of every key where it stands, and the parts of its default unless that is a formula.
    keys: Vec<(Standing, Option<Numbers>)>,
    /// What a procedure has fixed.
    fixed: Vec<(Standing, Numbers)>,
    /// What has no key and is at its own default.
    defaults: Vec<Preset>,
}

/// Something that has no key.
#[derive(Debug)]
struct Preset {
    target: KeyTarget,
    /// Of this unit alone.
    unit: Option<usize>,
    standing: Standing,
    /// Its parts; nothing where they have to be worked out.
    known: Option<Numbers>,
}

impl Presets {
    /// What is set on this board.
    pub fn new(layout: &Layout<'_>, board: &Board) -> Self {
        let (program, procedure) = (layout.program, layout.procedure);
        let parts = |target, value| layout.parts(value, target_type(program, target));
        let keys = procedure.keys.iter().map(|key| {
            let parts = match &key.default {
                KeyDefault::Value(value) => parts(key.sets, value),
                KeyDefault::Formula(_) => None,
            };
            (standing(layout, board, key.sets, None), parts)
        });
        let fixed = procedure.fixed.iter().filter_map(|(target, value)| {
            let standing = standing(layout, board, *target, None);
            Some((standing, parts(*target, value)?))
        });
        let defaults = defaults(layout).into_iter().map(|(target, unit)| {
            let formula = own_default(program, target);
            let known = formula.and_then(|formula| match &program[formula.value].kind {
                ExprKind::Literal(value) => layout.parts(value, program[formula.value].ty),
                _ => None,
            });
            Preset {
                target,
                unit,
                standing: standing(layout, board, target, unit),
                known,
            }
        });
        Presets {
            keys: keys.collect(),
            fixed: fixed.collect(),
            defaults: defaults.collect(),
        }
    }
}

/// The default that something has of its own.
fn own_default(program: &Program, target: KeyTarget) -> Option<&Formula> {
    match target {
        KeyTarget::Var(var) => program[var].default.as_ref(),
        KeyTarget::Field(_, field)
        | KeyTarget::Member(_, _, field)
        | KeyTarget::Members(_, field) => program[field].default.as_ref(),
    }
}

/// The slots in which a key or a default stands; of one unit alone, if there is one.
fn standing(
    layout: &Layout<'_>,
    board: &Board,
    target: KeyTarget,
    unit: Option<usize>,
) -> Standing {
    let (side, field) = match target {
        KeyTarget::Var(var) => return board.var(var).cloned().into_iter().collect(),
        KeyTarget::Field(side, field)
        | KeyTarget::Member(side, _, field)
        | KeyTarget::Members(side, field) => (side, field),
    };
    let pieces = layout.pieces.iter().enumerate();
    let meant = pieces.filter(|&(at, piece)| {
        let meant = match target {
            KeyTarget::Member(_, number, _) => piece.line.is_some() && piece.number == number,
            KeyTarget::Members(..) => piece.line.is_some(),
            _ => true,
        };
        let its_own = layout.program[field].of == piece.of;
        piece.side == side && meant && its_own && unit.is_none_or(|unit| unit == at)
    });
    let slots = meant.filter_map(|(at, _)| board.field(at, field).cloned());
    slots.collect()
}

/// Sets the table: keys, then defaults that are formulas.
pub fn set(
    lower: &mut Lower<'_>,
    layout: &Layout<'_>,
    board: &Board,
    settings: &mut [Setting],
) -> Result<(), Halt> {
    let (program, procedure) = (layout.program, layout.procedure);
    let presets = &board.presets;
    let put = |lower: &mut Lower<'_>, standing: &Standing, parts: &[i32]| {
        standing.iter().for_each(|slots| lower.preset(slots, parts));
    };
    for (at, (key, setting)) in procedure.keys.iter().zip(settings.iter()).enumerate() {
        lower.sets = Some(at);
        let (standing_of, default) = &presets.keys[at];
        if let (false, false, Some(parts)) = (setting.given, setting.changed, default) {
            put(lower, standing_of, parts);
            continue;
        }
        if let Some(value) = &setting.value {
            let ty = target_type(program, key.sets);
            if let (Value::List(values), KeyTarget::Members(side, field)) = (value, key.sets) {
                for (number, value) in (1..).zip(values) {
                    let one = KeyTarget::Member(side, number, field);
                    if let Some(parts) = layout.parts(value, ty) {
                        put(lower, &standing(layout, board, one, None), &parts);
                    }
                }
                continue;
            }
            match layout.parts(value, ty) {
                Some(parts) => put(lower, standing_of, &parts),
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
    for (standing, parts) in &presets.fixed {
        put(lower, standing, parts);
    }
    for preset in &presets.defaults {
        let value = match (&preset.known, own_default(program, preset.target)) {
            (Some(known), _) => Some(known.clone()),
            (None, Some(formula)) => {
                let value = lower.formula_now(formula, preset.unit, KeyAtHand::default())?;
                value.all_known()
            }
            (None, None) => None,
        };
        if let Some(parts) = value {
            put(lower, &preset.standing, &parts);
        }
    }
    for (at, key) in procedure.keys.iter().enumerate() {
        let KeyDefault::Formula(formula) = &key.default else {
            continue;
        };
        if settings[at].value.is_some() {
            continue;
        }
        let unit = match key.sets {
            KeyTarget::Var(_) => None,
            KeyTarget::Field(side, _)
            | KeyTarget::Members(side, _)
            | KeyTarget::Member(side, ..) => {
                layout.pieces.iter().position(|piece| piece.side == side)
            }
        };
        let value = lower.formula_now(formula, unit, KeyAtHand::default())?;
        if let Some(parts) = value.all_known() {
            settings[at].written = layout.letters(target_type(program, key.sets), &parts);
            lower.sets = Some(at);
            put(lower, &presets.keys[at].0, &parts);
        }
    }
    Ok(())
}
