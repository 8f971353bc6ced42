//! Keys with a value for each unit of a line: entries joined by `+`, `n*x` being n entries x; one alone holds for all.

use super::settings::{Refused, Setting, counts};
use super::units::MOST_UNITS;
use crate::program::{KeyTarget, Procedure, Program, Value};

/// Takes a list apart; nothing if it is none.
pub fn entries(text: &str) -> Option<Vec<&str>> {
    let mut all = Vec::new();
    for piece in text.split('+') {
        let (times, entry) = match piece.split_once('*') {
            Some((times, entry)) => (times.parse().ok()?, entry),
            None => (1, piece),
        };
        if entry.is_empty() || times == 0 || times > MOST_UNITS || all.len() > MOST_UNITS {
            return None;
        }
        all.extend(std::iter::repeat_n(entry, times));
    }
    Some(all)
}

/// How many entries a setting has.
fn length(setting: &Setting) -> usize {
    match &setting.value {
        Some(Value::List(entries)) => entries.len(),
        _ => 1,
    }
}

/// Makes every line as long as the first of its lists that has more entries than one, unless its number is given; then
/// all lists must have one entry, or as many as there are units.
///
/// # Errors
/// If a list has another number of entries.
pub fn agree(
    program: &Program,
    procedure: &Procedure,
    settings: &mut [Setting],
) -> Result<(), Refused> {
    for side in 0..procedure.sides.len() {
        let Some(units) = counts(program, procedure, side) else {
            continue;
        };
        let keys = procedure.keys.iter().enumerate();
        let of_side = keys.filter(|(_, key)| {
            key.each && matches!(key.sets, KeyTarget::Members(of, _) if of == side)
        });
        let lists: Vec<usize> = of_side.map(|(at, _)| at).collect();
        let longer = lists
            .iter()
            .map(|&at| length(&settings[at]))
            .find(|&n| n > 1);
        if let (false, Some(longer)) = (settings[units].given, longer) {
            settings[units].value = Some(Value::Number(longer as i64));
            settings[units].written = longer.to_string();
            settings[units].changed = true;
        }
        let number = settings[units].value.as_ref().and_then(Value::number);
        let number = number.unwrap_or(1);
        for &at in &lists {
            let entries = length(&settings[at]);
            if entries == 1 || entries as i64 == number {
                continue;
            }
            let other = lists
                .iter()
                .find(|&&other| length(&settings[other]) as i64 == number);
            let against = match other.filter(|_| !settings[units].given) {
                Some(&other) => format!("`{}` has {number}", procedure.keys[other].name),
                None => format!("`{}={number}`", procedure.keys[units].name),
            };
            return Err(Refused::Refusal {
                key: procedure.keys[at].name.to_string(),
                value: settings[at].written.clone(),
                text: format!(
                    "it has {entries} entries, and {against}: allowed is one for all units, or one for each"
                ),
            });
        }
    }
    Ok(())
}
