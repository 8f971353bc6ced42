//! Where a quantity crosses a target.

use super::number::{DECIMALS, counted, short};
use super::quantity::amount;
use super::{Cell, Document, Picture, Report, Table};
use crate::pictures::break_even_chart;
use grapeshot_engine::dist::Estimate;
use grapeshot_rules::Labels;
use grapeshot_study::wording::pairs_as_command;
use grapeshot_study::{At, BreakEven, Crossing, EvenCell, RefusedValues, Trend};

/// Turning points named.
const NAMED: usize = 6;

impl Report for BreakEven {
    fn document(&self) -> Document {
        let target = amount(&self.quantity, &Estimate::exact(self.target));
        let mut document = Document::new(format!(
            "{} {}: where {} crosses {target} as {} goes from {} to {}",
            self.rules, self.procedure, self.quantity, self.vary, self.from, self.to
        ));
        document.fact("", self.methods.text());
        document.fact("variants", self.variants.join(", "));
        document.fact("given", pairs_as_command(&self.given));
        if !self.whole || self.step > 1.0 {
            let step = short(self.step);
            document.fact(
                "",
                format!(
                    "looked at in steps of {step}, then halved between neighbours on opposite sides"
                ),
            );
        }
        let name = format!("break-even-{}-{}", self.rules, self.procedure);
        let chart = break_even_chart(self).map(|chart| Picture::chart(name, chart));
        document.pictures.extend(chart);
        for cell in &self.cells {
            match cell.place.as_slice() {
                [] => document.findings.extend(sentences(self, cell)),
                place => document.block(pairs_as_command(place), sentences(self, cell)),
            }
        }
        document.data("crossings", crossings_data(self));
        document
    }
}

/// Where it crosses, how it goes, and what the rules refuse.
fn sentences(even: &BreakEven, cell: &EvenCell) -> Vec<String> {
    let value = |at: &At| format!("{} at {}", amount(&even.quantity, &at.y), short(at.x));
    let crossings = cell.crossings.iter();
    let mut out: Vec<String> = crossings.map(|c| crossing_text(even, c)).collect();
    let order = |a: &&At, b: &&At| a.y.value.total_cmp(&b.y.value);
    let low = cell.curve.iter().min_by(order);
    let high = cell.curve.iter().max_by(order);
    match (low, high) {
        (Some(low), Some(high)) if cell.crossings.is_empty() => {
            let side = match low.y.value > even.target {
                true => format!("always above: at least {}", value(low)),
                false => format!("never reached: at most {}", value(high)),
            };
            out.push(format!("no crossing; {side}"));
        }
        (None, _) => out.push("no value is allowed here".into()),
        _ => {}
    }
    let vary = &even.vary;
    out.push(match cell.trend {
        Trend::Rises => format!("monotone: it never falls as {vary} grows"),
        Trend::Falls => format!("monotone: it never rises as {vary} grows"),
        Trend::Flat => format!("it does not depend on {vary} here"),
        Trend::Turns => {
            let named: Vec<String> = cell.turns.iter().take(NAMED).map(value).collect();
            let more = match cell.turns.len().saturating_sub(NAMED) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            format!("not monotone: it turns at {}{more}", named.join(", "))
        }
    });
    if let Some(RefusedValues {
        values: count,
        reason,
    }) = &cell.refused
    {
        let (values, are) = (
            counted(*count, "value"),
            if *count == 1 { "is" } else { "are" },
        );
        out.push(format!(
            "{values} {are} refused by the rules, such as: {reason}"
        ));
    }
    out
}

fn crossing_text(even: &BreakEven, crossing: &Crossing) -> String {
    let q = &even.quantity;
    let unsure = match (crossing.certain, crossing.unsettled) {
        (true, _) => String::new(),
        (false, None) => " (not settled: an interval includes the target)".into(),
        (false, Some((from, to))) => format!(
            " (not settled: an interval includes the target, so anywhere from {} to {})",
            short(from),
            short(to)
        ),
    };
    let (from, to) = (&crossing.from, &crossing.to);
    let direction = if crossing.rises { "rises" } else { "falls" };
    let exact = amount(q, &from.y) == amount(q, &Estimate::exact(even.target));
    if (from.y.value - even.target).abs() < 1e-12 && exact {
        let range = match from.x == to.x {
            true => short(from.x),
            false => format!("{} to {}", short(from.x), short(to.x)),
        };
        let how = match crossing.touches {
            true => "and does not cross it there".to_owned(),
            false => format!("and {direction} through it"),
        };
        return format!(
            "{} = {range}: meets the target exactly, {how}{unsure}",
            even.vary
        );
    }
    if !even.whole {
        return format!(
            "{} = {}: {direction} through the target, from {} to {}{unsure}",
            even.vary,
            short(crossing.place),
            amount(q, &from.y),
            amount(q, &to.y)
        );
    }
    // Whole things come whole: the first that is enough, or the last that still is, and its neighbour that is not.
    let (enough, word, not) = match crossing.rises {
        true => (to, "gives", from),
        false => (from, "still gives", to),
    };
    format!(
        "{} = {} {word} {}; {} gives {}{unsure}",
        even.vary,
        short(enough.x),
        amount(q, &enough.y),
        short(not.x),
        amount(q, &not.y)
    )
}

/// A line for each crossing; a cell without one has one line without numbers.
fn crossings_data(even: &BreakEven) -> Table {
    let keys = even.cells.first().map_or(&[][..], |cell| &cell.place);
    let keys = keys.iter().map(|(key, _)| key.clone());
    let names = [
        "crossing",
        "from",
        "from_value",
        "to",
        "to_value",
        "direction",
        "certain",
        "trend",
    ];
    let mut table = Table::named(keys.chain(names.map(String::from)));
    for cell in &even.cells {
        let place = Cell::values(&cell.place);
        let trend = Cell::text(cell.trend.label());
        if cell.crossings.is_empty() {
            table.row_ending(place.clone(), trend.clone());
        }
        for c in &cell.crossings {
            let direction = match (c.touches, c.rises) {
                (true, _) => "touches",
                (false, true) => "rises",
                (false, false) => "falls",
            };
            let numbers = [c.place, c.from.x, c.from.y.value, c.to.x, c.to.y.value];
            let numbers = numbers.map(|x| Cell::number(x, DECIMALS));
            let words = [Cell::text(direction), Cell::flag(c.certain), trend.clone()];
            table.row(place.iter().cloned().chain(numbers).chain(words));
        }
    }
    table
}
