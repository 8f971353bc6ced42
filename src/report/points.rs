//! The price list, as a table, JSON and CSV.

use super::odds::quoted;
use super::text::wrap;
use crate::study::{Even, Fight, Points, Price, Worth};
use serde_json::{Value, json};

/// Misfits named.
const NAMED: usize = 6;

/// For reading.
pub fn points_table(points: &Points) -> String {
    let mut out = format!(
        "{}: what {} is worth, in units of one with {}\n",
        points.rules, points.unit[0], points.reference,
    );
    out += &wrap(&points.methods.text(), 100, "");
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
        "Each line fights {} reference {} in turn ({}), and its own number is moved from there until the fight is even. A fight is played twice, each unit once in each part; a unit's chance is that of winning plus half that of no decision, over both. If x are even with N, one is worth N/x, interpolated between whole numbers. `worth` is the geometric mean of all fights; a fight that no number makes even gives only a bound, which counts if it contradicts the mean of the others; the worth is then marked: `<` it may be less, `>` more, `~` either. `from` and `to` are the smallest and the largest of them. `worst miss`: a unit bought at the price has this many points more or less than an even chance in the fight that fits worst. `fights`: those that could be made even, of all. Everything else is at its default or as given.",
        sizes.join(", "),
        points.unit[1],
        points.procedures.join(", ")
    );
    out += &wrap(&how, 100, "  ");
    out += &wrap(&format!("note: {}", points.note), 100, "");
    out
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

fn price_row(points: &Points, price: &Price) -> Vec<String> {
    let mut row = vec![
        format!("{} {}", price.entry.key, price.entry.value),
        written(price.worth),
    ];
    for procedure in &points.procedures {
        row.push(written(price.in_procedure(procedure)));
    }
    let range = price.range();
    row.push(written(range.map(|r| r.0)));
    row.push(written(range.map(|r| r.1)));
    row.push(price.worst().map_or("–".into(), |(_, by)| {
        if by.abs() < 0.0005 {
            "0".into()
        } else {
            format!("{:+.1}", 100.0 * by).replace('-', "−")
        }
    }));
    let even = price.fights.iter().filter(|f| f.is_even()).count();
    row.push(format!("{even} of {}", price.fights.len()));
    row
}

fn fight_text(points: &Points, price: &Price, fight: &Fight) -> String {
    format!(
        "{} {}, {} against {} {}",
        price.entry.key, price.entry.value, fight.procedure, fight.against, points.unit[1]
    )
}

/// The fights in which a price is worst, over the whole list.
fn misfits(points: &Points) -> String {
    let mut all: Vec<(f64, String)> = Vec::new();
    for price in points.prices.iter().filter(|p| !p.entry.reference) {
        for fight in &price.fights {
            let Some(chance) = fight.at_price else {
                continue;
            };
            let text = format!(
                "{}: worth {}, priced at {}; at that price its chance is {}",
                fight_text(points, price, fight),
                written(fight.worth()),
                written(price.worth),
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

/// Fights that no number makes even, and fights that cannot be fought: who, by what is wrong.
fn unfought(points: &Points) -> String {
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
                let who = if against.len() == points.sizes.len() {
                    name
                } else {
                    format!("{name} against {}", against.join(", "))
                };
                push(&mut kinds, format!("in a {procedure}, {kind}"), who);
            }
        }
    }
    if kinds.is_empty() {
        return String::new();
    }
    let mut out = String::from("\nno number makes these even:\n");
    for (kind, who) in kinds {
        out += &wrap(&format!("{kind}: {}", who.join("; ")), 100, "  ");
    }
    out
}

fn push(kinds: &mut Vec<(String, Vec<String>)>, kind: String, who: String) {
    match kinds.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, all)) => all.push(who),
        None => kinds.push((kind, vec![who])),
    }
}

/// For programs.
pub fn points_json(points: &Points) -> Value {
    let fight = |f: &Fight| {
        let mut out = json!({
            "procedure": f.procedure,
            "against": f.against,
            "worth": f.worth().filter(|_| f.is_even()).map(|w| w.value),
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
            "worth": p.worth.map(|w| w.value),
            "may_be_less": p.worth.map(|w| w.at_most),
            "may_be_more": p.worth.map(|w| w.at_least),
            "from": range.map(|r| r.0.value),
            "to": range.map(|r| r.1.value),
            "worst_miss": p.worst().map(|(_, by)| by),
            "fights": p.fights.iter().map(fight).collect::<Vec<_>>(),
        })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "rules": points.rules,
        "variants": points.variants,
        "unit": points.unit[1],
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
        "key,value,price,may_be_less,may_be_more,procedure,against,even_at,worth,worth_above,worth_below,chance_at_price,not_fought\n",
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
                "{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                price.entry.key,
                quoted(&price.entry.value),
                cell(price.worth.map(|w| w.value)),
                price.worth.is_some_and(|w| w.at_most),
                price.worth.is_some_and(|w| w.at_least),
                f.procedure,
                f.against,
                cell(size),
                cell(f.worth().filter(|_| f.is_even()).map(|w| w.value)),
                cell(above),
                cell(below),
                cell(f.at_price),
                quoted(reason)
            );
        }
    }
    out
}
