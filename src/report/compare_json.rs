//! Comparisons for other programs.

use super::json::marginal_json;
use crate::engine::{Note, NoteKind};
use crate::rules::Labels;
use crate::study::{Compared, Comparison, Movers, Played};
use serde_json::{Map, Value, json};

/// The comparison as JSON, probabilities with full precision.
pub fn compare_json(comparison: &Comparison) -> Value {
    let given: Map<String, Value> = comparison
        .given
        .iter()
        .map(|(key, value)| (key.clone(), value.json()))
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "procedure": comparison.kind.label(),
        "given": given,
        "swept": comparison.swept,
        "variants": comparison.variants,
        "fights": comparison.fights.iter().map(fight).collect::<Vec<_>>(),
        "movers": comparison.movers.iter().map(movers).collect::<Vec<_>>(),
    })
}

fn fight(fight: &Compared) -> Value {
    let place: Map<String, Value> = fight
        .place
        .iter()
        .map(|(key, value)| (key.clone(), value.json()))
        .collect();
    let rows = fight.rows.iter().map(|row| match &row.played {
        Ok(answer) => played(&row.rules, answer),
        Err(reason) => json!({ "ruleset": row.rules, "left_out": reason }),
    });
    let names: Vec<&str> = fight.rows.iter().map(|row| row.rules.as_str()).collect();
    let distances = fight.distances.iter().map(|distances| {
        json!({
            "variable": distances.variable,
            "measure": distances.measure,
            "rulesets": names,
            "matrix": distances.matrix,
        })
    });
    json!({
        "place": place,
        "rows": rows.collect::<Vec<_>>(),
        "distances": distances.collect::<Vec<_>>(),
    })
}

fn played(rules: &str, played: &Played) -> Value {
    let of_kind = |kind: NoteKind| -> Vec<Value> {
        let notes = played.notes.iter().filter(|note| note.kind == kind);
        let entry = |note: &Note| json!({ "name": note.name, "text": note.text });
        notes.map(entry).collect()
    };
    let source = played.odds.source();
    json!({
        "ruleset": rules,
        "method": source.method(),
        "trials": source.trials(),
        "variables": played.odds.marginals().iter().map(marginal_json).collect::<Vec<_>>(),
        "assumptions": of_kind(NoteKind::Assumption),
        "no_difference": of_kind(NoteKind::NoDifference),
        "remarks": of_kind(NoteKind::Remark),
    })
}

fn movers(movers: &Movers) -> Value {
    let all = movers.movers.iter().map(|mover| {
        json!({
            "key": mover.key,
            "value": mover.value.json(),
            "total_variation": mover.distance,
            "from": mover.chance.0,
            "to": mover.chance.1,
        })
    });
    json!({ "ruleset": movers.rules, "keys": all.collect::<Vec<_>>() })
}
