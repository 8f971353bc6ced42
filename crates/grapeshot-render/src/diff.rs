//! What a house rule changes.

use super::changes::changes_text;
use super::number::counted;
use super::quantity::{amount_cell, change_cell, plain, signed};
use super::{Cell, Column, Document, Picture, Report, Table};
use crate::pictures::diff_chart;
use grapeshot_engine::dist::Estimate;
use grapeshot_study::wording::pairs_as_command;
use grapeshot_study::{Counts, Diff, Spot, Used};
use serde::Serialize;

/// Winners and losers named.
const NAMED: usize = 3;

/// What a variant changes, with so many changes for readers.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct DiffReport {
    /// What was found.
    pub found: Diff,
    /// Changes shown to readers.
    #[serde(skip)]
    pub top: usize,
}

impl Report for DiffReport {
    fn document(&self) -> Document {
        document(&self.found, self.top, true)
    }
}

/// One procedure; as part of a whole ruleset it need not say what the editions are.
pub(super) fn document(diff: &Diff, top: usize, alone: bool) -> Document {
    let mut document = Document::new(diff.title());
    document.fact("", diff.methods.text());
    if alone {
        for about in &diff.about {
            document.fact("", about.clone());
        }
        match diff.changes.as_slice() {
            [] => document.fact("", "the variant changes no printed value"),
            changes => document.fact("the variant", changes_text(changes)),
        }
    }
    document.fact("given", pairs_as_command(&diff.given));
    document.findings = findings(diff);
    let name = format!("diff-{}-{}", diff.rules, diff.procedure);
    let chart = diff_chart(diff).map(|chart| Picture::chart(name, chart));
    document.pictures.extend(chart);
    let moved = moved_table(diff);
    if !moved.rows.is_empty() {
        document.block("what moved, the largest first", moved.at_most(top, "--top"));
    }
    let reach = diff.reach.as_ref();
    if let Some(reach) = reach.filter(|reach| alone && !reach.used.is_empty()) {
        let used = reach
            .used
            .iter()
            .map(|used| (diff.procedure.as_str(), used));
        document.block("what was added, used", used_table(used));
    }
    let unchanged = diff.cells.iter().filter(|c| c.shifts.is_ok() && !c.moved);
    let unchanged: Vec<String> = unchanged.map(|c| pairs_as_command(&c.place)).collect();
    if diff.cells.len() > 1 && !unchanged.is_empty() {
        let more = match unchanged.len().saturating_sub(top) {
            0 => String::new(),
            more => format!("; … and {more} more"),
        };
        let shown = unchanged.len().min(top);
        let line = unchanged[..shown].join("; ") + more.as_str();
        document.block("unchanged", line);
    }
    let refused = diff.cells.iter().filter_map(|cell| {
        let reason = cell.shifts.as_ref().err()?;
        Some(format!("{}: {reason}", pairs_as_command(&cell.place)))
    });
    let refused: Vec<String> = refused.collect();
    if !refused.is_empty() {
        document.block("not compared", refused);
    }
    document.data("shifts", shifts_data(diff));
    document
}

fn findings(diff: &Diff) -> Vec<String> {
    let mut findings = vec![summary(diff)];
    let swept = diff.reach.as_ref().filter(|reach| {
        let default = reach.seen.iter().any(|(given, _)| given.is_empty());
        !default && !reach.seen.is_empty() && diff.counts.moved > 0
    });
    if let Some(reach) = swept {
        let at = pairs_as_command(&reach.seen[0].0);
        findings.push(format!(
            "the default does not reach the change; it is seen at {at}, which is why that is shown"
        ));
    }
    if !diff.elsewhere.is_empty() {
        let list = diff.elsewhere.join(", ");
        findings.push(format!("other variables that moved (see --of): {list}"));
    }
    if diff.quantities.len() > 1 || diff.cells.len() > 1 {
        let moved = diff.moved();
        for (title, sign) in [("most gained", 1.0), ("most lost", -1.0)] {
            let side = |&&spot: &&Spot| diff.at(spot).is_some_and(|s| sign * s.by.value > 0.0);
            let named = moved.iter().filter(side).take(NAMED);
            let named: Vec<String> = named.map(|&spot| self::named(diff, spot)).collect();
            if !named.is_empty() {
                findings.push(format!("{title}: {}", named.join("; ")));
            }
        }
    }
    findings
}

fn summary(diff: &Diff) -> String {
    let Counts {
        moved,
        unchanged,
        not_compared,
        certain,
    } = diff.counts;
    let mut out = match moved {
        0 => still(diff, unchanged),
        _ => format!(
            "{moved} of {} moved, {unchanged} unchanged",
            counted(diff.cells.len(), "cell")
        ),
    };
    if not_compared > 0 {
        out += &format!(", {not_compared} not compared");
    }
    if moved > 0 {
        out += &match diff.methods.simulated {
            0 => "; all of it is certain".to_owned(),
            _ => format!("; {certain} of the {moved} certainly, by more than the 95 % interval"),
        };
    }
    out
}

/// That nothing moved here, and what is known of elsewhere.
fn still(diff: &Diff, unchanged: usize) -> String {
    let here = match diff.axes.is_empty() {
        true => "nothing moves here".to_owned(),
        false => format!(
            "nothing moves in this sweep: {} unchanged",
            counted(unchanged, "cell")
        ),
    };
    let Some(reach) = &diff.reach else {
        return here;
    };
    if !diff.elsewhere.is_empty() {
        let asked: Vec<String> = diff.quantities.iter().map(ToString::to_string).collect();
        return format!("{} does not move", asked.join(", "));
    }
    match reach.seen.first() {
        Some((given, _)) => format!("{here}, but at {} it does", pairs_as_command(given)),
        None => format!(
            "{here}, nor anywhere else it was looked for: {}",
            looked(reach.tried, reach.left_out)
        ),
    }
}

/// How much was looked at.
pub(super) fn looked(tried: usize, left_out: usize) -> String {
    let left_out = match left_out {
        0 => String::new(),
        n => format!("; {n} too large were left out"),
    };
    format!(
        "{}, every key alone and many together{left_out}",
        counted(tried, "situation")
    )
}

/// What was added, where it is used.
pub(super) fn used_table<'a>(used: impl Iterator<Item = (&'a str, &'a Used)>) -> Table {
    let mut table = Table::new([
        Column::words("question"),
        Column::words("with"),
        Column::words("quantity"),
        Column::number("without it"),
        Column::number("with it"),
        Column::number("change"),
    ]);
    for (procedure, used) in used {
        let cell = |x: f64| amount_cell(&used.quantity, &Estimate::exact(x));
        let by = Estimate::exact(used.after - used.before);
        table.row([
            Cell::text(procedure),
            Cell::text(pairs_as_command(&used.given)),
            Cell::text(used.quantity.to_string()),
            cell(used.before),
            cell(used.after),
            change_cell(&used.quantity, &by),
        ]);
    }
    table
}

fn named(diff: &Diff, spot: Spot) -> String {
    let quantity = &diff.quantities[spot.1];
    let by = diff.at(spot).map_or(0.0, |shift| shift.by.value);
    let by = signed(quantity, by);
    match pairs_as_command(&diff.cells[spot.0].place).as_str() {
        "" => format!("{quantity} {by}"),
        place => format!("{quantity} {by} at {place}"),
    }
}

fn moved_table(diff: &Diff) -> Table {
    let keys = diff.axes.iter().flat_map(|axis| axis.keys.iter());
    let numbers = ["before", "after", "change"].map(Column::number);
    let mut table = Table::new(
        [Column::words("quantity")]
            .into_iter()
            .chain(keys.map(Column::words))
            .chain(numbers),
    );
    for spot in diff.moved() {
        let Some(shift) = diff.at(spot) else { continue };
        let quantity = &diff.quantities[spot.1];
        let place = diff.cells[spot.0].place.iter();
        let place = place.map(|(_, value)| Cell::text(value.to_string()));
        let strength = if quantity.is_probability() {
            2.0 * shift.by.value
        } else {
            0.0
        };
        table.row(
            [Cell::text(quantity.to_string())]
                .into_iter()
                .chain(place)
                .chain([
                    amount_cell(quantity, &shift.before),
                    amount_cell(quantity, &shift.after),
                    change_cell(quantity, &shift.by).tinted(strength),
                ]),
        );
    }
    table
}

/// A line for each quantity of each cell.
fn shifts_data(diff: &Diff) -> Table {
    let keys = diff.axes.iter().flat_map(|axis| axis.keys.iter().cloned());
    let names = [
        "of",
        "before",
        "after",
        "change",
        "low",
        "high",
        "certain",
        "not_compared",
    ];
    let mut table = Table::named(keys.chain(names.map(String::from)));
    for cell in &diff.cells {
        let place = Cell::values(&cell.place);
        match &cell.shifts {
            Err(reason) => table.row_ending(place, Cell::text(reason)),
            Ok(shifts) => {
                for s in shifts {
                    let ends = [
                        Cell::number(s.before.value, 3),
                        Cell::number(s.after.value, 3),
                    ];
                    let row = place.iter().cloned().chain([Cell::text(s.of.to_string())]);
                    let row = row.chain(ends).chain(plain(&s.by));
                    table.row(row.chain([Cell::flag(s.certain)]));
                }
            }
        }
    }
    table
}
