//! The price list, as a table, JSON and CSV.

use super::odds::quoted;
use super::text::wrap;
use crate::study::{Even, Fight, Points, Price};
use serde_json::{Value, json};

/// Misfits named.
const NAMED: usize = 6;

/// For reading.
pub fn points_table(points: &Points) -> String {
    let mut out = format!(
        "{}: what a {} is worth, in units of one with {}\n{}\n",
        points.rules,
        points.unit,
        points.reference,
        points.methods.text()
    );
    if !points.variants.is_empty() {
        out += &format!("variants: {}\n", points.variants.join(", "));
    }
    if !points.given.is_empty() {
        let given: Vec<String> = points
            .given
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        out += &format!("given: {}\n", given.join(" "));
    }
    out.push('\n');
    let mut head = vec![String::new(), "worth".into()];
    head.extend(points.procedures.iter().map(|p| format!("in a {p}")));
    head.extend(["from", "to", "worst miss", "fights"].map(str::to_owned));
    let mut rows = vec![head];
    for price in &points.prices {
        rows.push(price_row(points, price));
    }
    out += &super::columns(&rows);
    out += &misfits(points);
    out += &unfought(points);
    out += "\nhow it is computed:\n";
    let sizes: Vec<String> = points.sizes.iter().map(i64::to_string).collect();
    let how = format!(
        "Each line fights {} reference {}s in turn ({}), and its own number is moved from there until the fight is even. A fight is played twice, each unit once in each part; a unit's chance is that of winning plus half that of no decision, over both. If x are even with N, one is worth N/x, interpolated between whole numbers. `worth` is the geometric mean of all fights; `from` and `to` are the smallest and the largest of them. `worst miss`: a unit bought at the price has this many points more or less than an even chance in the fight that fits worst. `fights`: those that could be made even, of all. Everything else is at its default or as given.",
        sizes.join(", "),
        points.unit,
        points.procedures.join(", ")
    );
    out += &wrap(&how, 100, "  ");
    out += &wrap(&format!("note: {}", points.note), 100, "");
    out
}

fn price_row(points: &Points, price: &Price) -> Vec<String> {
    let number = |n: Option<f64>| n.map_or("–".to_owned(), |n| format!("{n:.2}"));
    let mut row = vec![
        format!("{} {}", price.entry.key, price.entry.value),
        price
            .worth
            .map_or_else(|| bounds(price), |w| format!("{w:.2}")),
    ];
    for procedure in &points.procedures {
        row.push(number(price.in_procedure(procedure)));
    }
    let range = price.range();
    row.push(number(range.map(|r| r.0)));
    row.push(number(range.map(|r| r.1)));
    row.push(price.worst().map_or("–".into(), |(_, by)| {
        if by.abs() < 0.0005 {
            "0".into()
        } else {
            format!("{:+.1}", 100.0 * by).replace('-', "−")
        }
    }));
    let even = price.fights.iter().filter(|f| f.worth().is_some()).count();
    row.push(format!("{even} of {}", price.fights.len()));
    row
}

/// What can be said where nothing can be made even.
fn bounds(price: &Price) -> String {
    let mut above: Option<f64> = None;
    let mut below: Option<f64> = None;
    for fight in &price.fights {
        match fight.even {
            Ok(Even::Above(bound)) => above = Some(above.map_or(bound, |b: f64| b.max(bound))),
            Ok(Even::Below(bound)) => below = Some(below.map_or(bound, |b: f64| b.min(bound))),
            _ => {}
        }
    }
    match (above, below) {
        (Some(bound), None) => format!(">{bound:.2}"),
        (None, Some(bound)) => format!("<{bound:.2}"),
        _ => "–".into(),
    }
}

fn fight_text(points: &Points, price: &Price, fight: &Fight) -> String {
    format!(
        "{} {}, {} against {} {}s",
        price.entry.key, price.entry.value, fight.procedure, fight.against, points.unit
    )
}

/// The fights in which a price is worst, over the whole list.
fn misfits(points: &Points) -> String {
    let mut all: Vec<(f64, String)> = Vec::new();
    for price in points.prices.iter().filter(|p| !p.entry.reference) {
        let Some(worth) = price.worth else { continue };
        for fight in &price.fights {
            let Some(chance) = fight.at_price else {
                continue;
            };
            let says = match fight.even {
                Ok(Even::Size(_)) => format!("is worth {:.2}", fight.worth().unwrap_or(0.0)),
                Ok(Even::Above(bound)) => format!("is worth more than {bound:.2}"),
                Ok(Even::Below(bound)) => format!("is worth less than {bound:.2}"),
                Err(_) => continue,
            };
            let text = format!(
                "{}: {says}, priced at {worth:.2}; at that price its chance is {}",
                fight_text(points, price, fight),
                super::percent(chance)
            );
            all.push(((chance - 0.5).abs(), text));
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.retain(|(missed, _)| *missed > 0.0005);
    if all.is_empty() {
        return "\none number describes every line within 0.1 points\n".into();
    }
    let mut out = String::from("\nworst misfits:\n");
    for (_, text) in all.iter().take(NAMED) {
        out += &format!("  {text}\n");
    }
    out
}

/// Fights that no number makes even, and fights that cannot be fought.
fn unfought(points: &Points) -> String {
    let mut out = String::new();
    for price in &points.prices {
        for procedure in &points.procedures {
            let fights = || price.fights.iter().filter(|f| f.procedure == *procedure);
            let name = format!("{} {} in a {procedure}", price.entry.key, price.entry.value);
            if let Some(Err(reason)) = fights().map(|f| &f.even).find(|e| e.is_err()) {
                out += &wrap(&format!("{name}: not fought: {reason}"), 100, "  ");
                continue;
            }
            let against = |wanted: fn(&Even) -> bool| -> Vec<String> {
                let met = fights().filter(|f| f.even.as_ref().is_ok_and(wanted));
                met.map(|f| f.against.to_string()).collect()
            };
            let above = against(|e| matches!(e, Even::Above(_)));
            let below = against(|e| matches!(e, Even::Below(_)));
            if !above.is_empty() {
                let list = above.join(", ");
                out += &format!("  {name}: still ahead of {list} with the fewest allowed\n");
            }
            if !below.is_empty() {
                let list = below.join(", ");
                out += &format!("  {name}: still behind {list} with the most allowed\n");
            }
        }
    }
    if out.is_empty() {
        return out;
    }
    format!("\ncould not be made even (not in the worth):\n{out}")
}

/// For programs.
pub fn points_json(points: &Points) -> Value {
    let fight = |f: &Fight| {
        let mut out = json!({
            "procedure": f.procedure,
            "against": f.against,
            "worth": f.worth(),
            "chance_at_price": f.at_price,
        });
        match &f.even {
            Ok(Even::Size(size)) => out["even_at"] = json!(size),
            Ok(Even::Above(bound)) => out["worth_above"] = json!(bound),
            Ok(Even::Below(bound)) => out["worth_below"] = json!(bound),
            Err(reason) => out["not_fought"] = json!(reason),
        }
        out
    };
    let price = |p: &Price| {
        let range = p.range();
        json!({
            "key": p.entry.key,
            "value": p.entry.value,
            "reference": p.entry.reference,
            "worth": p.worth,
            "from": range.map(|r| r.0),
            "to": range.map(|r| r.1),
            "worst_miss": p.worst().map(|(_, by)| by),
            "fights": p.fights.iter().map(fight).collect::<Vec<_>>(),
        })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "rules": points.rules,
        "variants": points.variants,
        "unit": points.unit,
        "reference": points.reference,
        "given": points.given.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>(),
        "procedures": points.procedures,
        "sizes": points.sizes,
        "method": points.methods.text(),
        "note": points.note,
        "prices": points.prices.iter().map(price).collect::<Vec<_>>(),
    })
}

/// For spreadsheets: a line for each fight.
pub fn points_csv(points: &Points) -> String {
    let mut out = String::from(
        "key,value,price,procedure,against,even_at,worth,worth_above,worth_below,chance_at_price,not_fought\n",
    );
    let cell = |n: Option<f64>| n.map_or(String::new(), |n| n.to_string());
    for price in &points.prices {
        for f in &price.fights {
            let (mut size, mut above, mut below, mut reason) = (None, None, None, "");
            match &f.even {
                Ok(Even::Size(x)) => size = Some(*x),
                Ok(Even::Above(x)) => above = Some(*x),
                Ok(Even::Below(x)) => below = Some(*x),
                Err(why) => reason = why,
            }
            out += &format!(
                "{},{},{},{},{},{},{},{},{},{},{}\n",
                price.entry.key,
                quoted(&price.entry.value),
                cell(price.worth),
                f.procedure,
                f.against,
                cell(size),
                cell(f.worth()),
                cell(above),
                cell(below),
                cell(f.at_price),
                quoted(reason)
            );
        }
    }
    out
}
