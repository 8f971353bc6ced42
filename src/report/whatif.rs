//! What-if, as a table, JSON, CSV and a tornado chart.

use super::amount::{amount, change, estimate_json, place_json, signed, unit};
use super::odds::quoted;
use super::text::wrap;
use crate::charts::{Axis, Chart, Tornado, TornadoRow};
use crate::study::{Factor, Move, Pair, WhatIf};
use serde_json::{Value, json};

/// Rows a tornado chart has at most.
const CHART_ROWS: usize = 24;

/// For reading; `top` limits the pairs.
pub fn what_if_table(what: &WhatIf, top: usize) -> String {
    let q = &what.quantity;
    let title = format!("{} {}: what moves {q}", what.rules, what.procedure);
    let mut out = wrap(&title, 100, "") + &wrap(&what.methods.text(), 100, "");
    if !what.variants.is_empty() {
        out += &format!("variants: {}\n", what.variants.join(", "));
    }
    if let Some(side) = &what.mine {
        out += &format!("only settings of the side `{side}`\n");
    }
    out += &format!(
        "now {}; changes {}, the widest swing first\n\n",
        amount(q, &what.baseline),
        unit(q)
    );
    for factor in what.factors.iter().filter(|f| !f.is_idle()) {
        out += &format!(
            "{} = {}: swing {}\n",
            factor.key,
            factor.now,
            signed(q, factor.swing()).trim_start_matches('+')
        );
        let moves: Vec<String> = factor
            .moves
            .iter()
            .filter_map(|m| {
                let (_, by) = m.reply.as_ref().ok()?;
                let text = format!("{}\u{a0}{}", m.value, change(q, by).replace(' ', "\u{a0}"));
                Some(text)
            })
            .collect();
        out += &wrap(&moves.join(", "), 100, "    ").replace('\u{a0}', " ");
    }
    let idle: Vec<&str> = what
        .factors
        .iter()
        .filter(|f| f.is_idle())
        .map(|f| f.key.as_str())
        .collect();
    if !idle.is_empty() {
        out += &format!(
            "\nwithout effect here:\n{}",
            wrap(&idle.join(", "), 100, "  ")
        );
    }
    out += &refusals(what);
    out += &pairs_block(what, top);
    let given: Vec<String> = what
        .settings
        .given()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    if !given.is_empty() {
        out += &format!("\ngiven:\n{}", wrap(&given.join(" "), 100, "  "));
    }
    out
}

/// Each reason once, with the first value it refuses and how many more there are.
fn refusals(what: &WhatIf) -> String {
    let mut reasons: Vec<(&str, String, usize)> = Vec::new();
    for factor in &what.factors {
        for m in &factor.moves {
            let Err(reason) = &m.reply else { continue };
            match reasons.iter_mut().find(|r| r.1 == factor.key) {
                Some(known) => known.2 += 1,
                None => reasons.push((reason, factor.key.clone(), 0)),
            }
        }
    }
    if reasons.is_empty() {
        return String::new();
    }
    let mut out = String::from("\nrefused by the rules:\n");
    for (reason, _, more) in reasons {
        let more = match more {
            0 => String::new(),
            n => format!(" (and {n} more of its values)"),
        };
        out += &wrap(&format!("{reason}{more}"), 100, "  ");
    }
    out
}

fn pairs_block(what: &WhatIf, top: usize) -> String {
    if what.pairs.is_empty() {
        return String::new();
    }
    let q = &what.quantity;
    let mut rows = vec![
        ["together", "first", "second", "sum", "both", "beyond"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for pair in what.pairs.iter().take(top) {
        let names = pair.changes.iter().map(|(k, v)| format!("{k}={v}"));
        let names: Vec<String> = names.collect();
        rows.push(vec![
            format!("  {}", names.join(" ")),
            signed(q, pair.alone[0]),
            signed(q, pair.alone[1]),
            signed(q, pair.alone[0] + pair.alone[1]),
            change(q, &pair.together),
            signed(q, pair.beyond),
        ]);
    }
    let more = what.pairs.len().saturating_sub(top);
    let more = if more > 0 {
        format!("  … and {more} smaller ones (--top)\n")
    } else {
        String::new()
    };
    format!(
        "\npairs that do more, or less, together than the sum of the two ({}):\n{}{more}",
        unit(q),
        super::columns(&rows)
    )
}

/// For programs.
pub fn what_if_json(what: &WhatIf) -> Value {
    let factor = |factor: &Factor| {
        let moves: Vec<Value> = factor.moves.iter().map(move_json).collect();
        json!({
            "key": factor.key,
            "now": factor.now.json(),
            "swing": factor.swing(),
            "lowest_change": factor.reach.0,
            "highest_change": factor.reach.1,
            "values": moves,
        })
    };
    let pair = |pair: &Pair| {
        let changes = pair.changes.iter().map(|(k, v)| (k.as_str(), v));
        json!({
            "changes": place_json(changes),
            "alone": pair.alone,
            "together": estimate_json(&pair.together),
            "beyond": pair.beyond,
        })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "rules": what.rules,
        "procedure": what.procedure,
        "variants": what.variants,
        "settings": place_json(what.settings.iter()),
        "mine": what.mine,
        "of": what.quantity.to_string(),
        "method": what.methods.text(),
        "baseline": estimate_json(&what.baseline),
        "factors": what.factors.iter().map(factor).collect::<Vec<_>>(),
        "pairs": what.pairs.iter().map(pair).collect::<Vec<_>>(),
    })
}

fn move_json(m: &Move) -> Value {
    match &m.reply {
        Ok((after, by)) => json!({
            "value": m.value.json(),
            "result": estimate_json(after),
            "change": estimate_json(by),
        }),
        Err(reason) => json!({ "value": m.value.json(), "refused": reason }),
    }
}

/// For spreadsheets: a line for each value of each setting.
pub fn what_if_csv(what: &WhatIf) -> String {
    let mut out =
        String::from("key,now,value,result,low,high,change,change_low,change_high,refused\n");
    for factor in &what.factors {
        for m in &factor.moves {
            let head = format!(
                "{},{},{}",
                quoted(&factor.key),
                factor.now,
                quoted(&m.value.to_string())
            );
            out += &match &m.reply {
                Ok((after, by)) => format!(
                    "{head},{},{},{},{},{},{},\n",
                    after.value, after.low, after.high, by.value, by.low, by.high
                ),
                Err(reason) => format!("{head},,,,,,,{}\n", quoted(reason)),
            };
        }
    }
    out
}

/// For spreadsheets: a line for each pair.
pub fn what_if_pairs_csv(what: &WhatIf) -> String {
    let mut out = String::from("first,second,alone_first,alone_second,together,low,high,beyond\n");
    for pair in &what.pairs {
        let [first, second] = &pair.changes;
        out += &format!(
            "{},{},{},{},{},{},{},{}\n",
            quoted(&format!("{}={}", first.0, first.1)),
            quoted(&format!("{}={}", second.0, second.1)),
            pair.alone[0],
            pair.alone[1],
            pair.together.value,
            pair.together.low,
            pair.together.high,
            pair.beyond
        );
    }
    out
}

/// The tornado; nothing if no setting has an effect.
pub fn what_if_chart(what: &WhatIf) -> Option<Chart> {
    let q = &what.quantity;
    let base = what.baseline.value;
    let row = |factor: &Factor| {
        let label = |highest: bool, by: f64| {
            let at = factor.extreme(highest).filter(|_| by != 0.0);
            format!("{}:", at.map_or(&factor.now, |m| &m.value))
        };
        TornadoRow {
            label: factor.key.clone(),
            low: base + factor.reach.0,
            high: base + factor.reach.1,
            low_label: label(false, factor.reach.0),
            high_label: label(true, factor.reach.1),
        }
    };
    let rows: Vec<TornadoRow> = what
        .factors
        .iter()
        .filter(|f| !f.is_idle())
        .take(CHART_ROWS)
        .map(row)
        .collect();
    if rows.is_empty() {
        return None;
    }
    let value = if q.is_probability() {
        Axis::percent(q.to_string())
    } else {
        Axis::number(q.to_string(), "")
    };
    let tornado = Tornado {
        factors: Axis::label("setting, changed alone"),
        value,
        baseline: base,
        rows,
    };
    let title = format!("{} {}: what moves {q}", what.rules, what.procedure);
    let given: Vec<String> = what
        .settings
        .given()
        .map(|(k, v)| format!("{k}={v}"))
        .collect();
    let mut footer = what.methods.text();
    if !what.variants.is_empty() {
        footer += &format!("; variants: {}", what.variants.join(", "));
    }
    let chart = Chart::new(title, tornado).footer(footer);
    Some(if given.is_empty() {
        chart.subtitle("from the defaults")
    } else {
        chart.subtitle(given.join(" "))
    })
}
