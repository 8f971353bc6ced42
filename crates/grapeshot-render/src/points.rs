//! The price list.

use super::number::{percent, signed};
use super::{Cell, Column, Document, Report, Table};
use grapeshot_rules::Labels;
use grapeshot_study::wording::capital;
use grapeshot_study::wording::pairs_as_command;
use grapeshot_study::{Envelope, Even, Points, Verdict, Worth};
use serde::Serialize;

/// Misfits named.
const NAMED: usize = 6;

impl Report for Points {
    fn document(&self) -> Document {
        let mut document = Document::new(format!(
            "{}: what {} is worth, in units of one with {}",
            self.rules, self.unit[0], self.reference
        ));
        document.fact("", self.methods.text());
        document.fact("variants", self.variants.join(", "));
        document.fact("given", pairs_as_command(&self.given));
        if !self.listed.is_empty() {
            document.findings.extend(verdicts(self));
            document.block("your prices", list_table(self));
        }
        document.block("", price_table(self));
        match misfits(self) {
            misfits if misfits.is_empty() => {
                let sentence = "one number describes every line within 0.1 points";
                document.findings.push(sentence.into());
            }
            misfits => document.block("worst misfits", misfits),
        }
        let unfought = unfought(self);
        if !unfought.is_empty() {
            document.block("no number makes these even", unfought);
        }
        document.aside("how it is computed", how(self));
        document.data("fights", fights_data(self));
        document.notes.push(self.note.to_string());
        document
    }
}

/// Who of a price list costs too much and who too little, the worst first.
fn verdicts(points: &Points) -> Vec<String> {
    let of = |wanted: Verdict| {
        let all = points.listed.iter().filter(|one| one.verdict() == wanted);
        let mut all: Vec<(f64, String)> = all
            .filter_map(|one| Some((one.over()?, one)))
            .map(|(over, one)| {
                (
                    over.abs(),
                    format!("{} {} by {}", one.key, one.value, percent(over.abs())),
                )
            })
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
    };
    let sentences = [Verdict::Over, Verdict::Under].map(|verdict| (verdict, of(verdict)));
    let mut told: Vec<String> = (sentences.iter())
        .filter(|(_, who)| !who.is_empty())
        .map(|(verdict, who)| format!("{}: {}.", capital(verdict.label()), who.join(", ")))
        .collect();
    if told.is_empty() {
        told.push("Every price lies within what the fights say.".into());
    }
    told
}

fn list_table(points: &Points) -> Table {
    let names = [
        "price",
        "of the usual",
        "worth",
        "too dear by",
        "from",
        "to",
    ];
    let columns = [Column::words("")]
        .into_iter()
        .chain(names.map(Column::number));
    let mut table = Table::new(columns.chain([Column::words("")]));
    for one in &points.listed {
        let share = |by: Option<f64>| {
            by.map_or_else(Cell::empty, |by| {
                Cell::text(format!("{} %", signed(100.0 * by, 1)))
            })
        };
        let range = one.over_range();
        table.row([
            Cell::text(format!("{} {}", one.key, one.value)),
            Cell::number(one.price, if one.price.fract() == 0.0 { 0 } else { 2 }),
            Cell::number(one.relative, 2),
            Cell::text(written(one.worth.map(|(worth, ..)| worth))),
            share(one.over()),
            share(range.map(|(from, _)| from)),
            share(range.map(|(_, to)| to)),
            Cell::text(one.verdict().label()),
        ]);
    }
    table
}

/// The price lists of several rulesets, or editions of one, side by side.
#[derive(Debug, Serialize)]
pub struct PointsBeside {
    /// One for each.
    #[serde(serialize_with = "Envelope::each")]
    pub rulesets: Vec<Points>,
}

impl Report for PointsBeside {
    fn document(&self) -> Document {
        let names: Vec<&str> = self
            .rulesets
            .iter()
            .map(|points| points.rules.as_str())
            .collect();
        let mut document = Document::new(format!("{}: what a unit is worth", names.join(", ")));
        let mut entries: Vec<(&str, &str)> = Vec::new();
        for price in self.rulesets.iter().flat_map(|points| &points.prices) {
            let entry = (price.entry.key.as_str(), price.entry.value.as_str());
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        let mut table = Table::new(
            [Column::words("")]
                .into_iter()
                .chain(names.iter().map(|name| Column::number(*name))),
        );
        for (key, value) in entries {
            let worth = |points: &Points| {
                let mut prices = points.prices.iter();
                let price = prices.find(|p| p.entry.key == key && p.entry.value == value);
                price.map_or("–".into(), |price| written(price.worth))
            };
            let row = [format!("{key} {value}")].into_iter();
            table.row(row.chain(self.rulesets.iter().map(worth)).map(Cell::text));
        }
        document.block("worth, side by side", table);
        document.parts = self.rulesets.iter().map(Report::document).collect();
        document
    }
}

fn how(points: &Points) -> String {
    let sizes: Vec<String> = points.sizes.iter().map(i64::to_string).collect();
    format!(
        "Each line fights {} reference {} in turn ({}), and its own number is moved from there until the fight is even. A fight is played twice, each unit once in each part; a unit's chance is that of winning plus half that of no decision, over both. If x are even with N, one is worth N/x, interpolated between whole numbers. `worth` is the geometric mean of all fights; a fight that no number makes even gives only a bound, which counts if it contradicts the mean of the others; the worth is then marked: `<` it may be less, `>` more, `~` either. `from` and `to` are the smallest and the largest of them. `worst miss`: a unit bought at the price has this many points more or less than an even chance in the fight that fits worst. `fights`: those that could be made even, of all. Everything else is at its default or as given.",
        sizes.join(", "),
        points.unit[1],
        points.procedures.join(", ")
    )
}

fn written(worth: Option<Worth>) -> String {
    let Some(worth) = worth else {
        return "–".into();
    };
    let sign = match (worth.at_most, worth.at_least) {
        (false, false) => "",
        (true, false) => "<",
        (false, true) => ">",
        (true, true) => "~",
    };
    format!("{sign}{:.2}", worth.value)
}

fn price_table(points: &Points) -> Table {
    let procedures = points.procedures.iter().map(|p| format!("in a {p}"));
    let names = ["worth".to_owned()].into_iter().chain(procedures);
    let names = names.chain(["from", "to", "worst miss", "fights"].map(String::from));
    let mut table = Table::new(
        [Column::words("")]
            .into_iter()
            .chain(names.map(Column::number)),
    );
    for price in &points.prices {
        let mut row = vec![
            format!("{} {}", price.entry.key, price.entry.value),
            written(price.worth),
        ];
        let procedures = points.procedures.iter();
        row.extend(procedures.map(|procedure| written(price.in_procedure(procedure))));
        let range = price.range();
        row.push(written(range.map(|r| r.0)));
        row.push(written(range.map(|r| r.1)));
        row.push(match price.worst() {
            None => "–".into(),
            Some((_, by)) if by.abs() < 0.0005 => "0".into(),
            Some((_, by)) => signed(100.0 * by, 1),
        });
        let even = price.fights.iter().filter(|f| f.is_even()).count();
        row.push(format!("{even} of {}", price.fights.len()));
        table.row(row.into_iter().map(Cell::text));
    }
    table
}

/// The fights in which a price is worst, over the whole list.
fn misfits(points: &Points) -> Vec<String> {
    let mut all: Vec<(f64, String)> = Vec::new();
    for price in points.prices.iter().filter(|p| !p.entry.reference) {
        for fight in &price.fights {
            let Some(chance) = fight.at_price else {
                continue;
            };
            let text = format!(
                "{} {}, {} against {} {}: worth {}, priced at {}; at that price its chance is {}",
                price.entry.key,
                price.entry.value,
                fight.procedure,
                fight.against,
                points.unit[1],
                written(fight.worth()),
                written(price.worth),
                percent(chance)
            );
            all.push(((chance - 0.5).abs(), text));
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.retain(|(missed, _)| *missed > 0.0005);
    all.into_iter().take(NAMED).map(|(_, text)| text).collect()
}

/// Fights that no number makes even, and fights that cannot be fought: who, by what is wrong.
fn unfought(points: &Points) -> Vec<String> {
    let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
    for procedure in &points.procedures {
        for price in &points.prices {
            let mut found: Vec<(String, Vec<String>)> = Vec::new();
            for fight in price.fights.iter().filter(|f| f.procedure == *procedure) {
                let kind = match &fight.even {
                    Ok(Even::Size(_)) => continue,
                    Ok(Even::Above(_)) => "still ahead with the fewest allowed".into(),
                    Ok(Even::Below(_)) => "still behind with the most allowed".into(),
                    Err(reason) => format!("not fought, {reason}"),
                };
                push(&mut found, kind, fight.against.to_string());
            }
            for (kind, against) in found {
                let name = format!("{} {}", price.entry.key, price.entry.value);
                let who = match against.len() == points.sizes.len() {
                    true => name,
                    false => format!("{name} against {}", against.join(", ")),
                };
                push(&mut kinds, format!("in a {procedure}, {kind}"), who);
            }
        }
    }
    let kinds = kinds.into_iter();
    kinds
        .map(|(kind, who)| format!("{kind}: {}", who.join("; ")))
        .collect()
}

fn push(kinds: &mut Vec<(String, Vec<String>)>, kind: String, who: String) {
    match kinds.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, all)) => all.push(who),
        None => kinds.push((kind, vec![who])),
    }
}

/// A line for each fight.
fn fights_data(points: &Points) -> Table {
    let mut table = Table::named([
        "key",
        "value",
        "price",
        "may_be_less",
        "may_be_more",
        "procedure",
        "against",
        "even_at",
        "worth",
        "worth_above",
        "worth_below",
        "chance_at_price",
        "not_fought",
    ]);
    for price in &points.prices {
        for fight in &price.fights {
            let [even_at, above, below] = match fight.even {
                Ok(Even::Size(size)) => [Some(size), None, None],
                Ok(Even::Above(bound)) => [None, Some(bound), None],
                Ok(Even::Below(bound)) => [None, None, Some(bound)],
                Err(_) => [None; 3],
            };
            table.row([
                Cell::text(&price.entry.key),
                Cell::text(&price.entry.value),
                Cell::maybe(price.worth.map(|w| w.value)),
                Cell::flag(price.worth.is_some_and(|w| w.at_most)),
                Cell::flag(price.worth.is_some_and(|w| w.at_least)),
                Cell::text(&fight.procedure),
                Cell::count(fight.against),
                Cell::maybe(even_at),
                Cell::maybe(fight.worth_if_even),
                Cell::maybe(above),
                Cell::maybe(below),
                Cell::maybe(fight.at_price),
                Cell::text(fight.even.as_ref().err().cloned().unwrap_or_default()),
            ]);
        }
    }
    table
}
