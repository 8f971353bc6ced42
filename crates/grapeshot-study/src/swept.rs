//! Numbers of one question over every combination of some of its settings: what a notebook makes a frame of.
//!
//! A study says more of each cell and writes files; this is asked and answered in one breath, on the workbench, so cells that
//! are simulated share their dice.

use crate::parallel;
use crate::pivot::axis;
use crate::workbench::{Methods, Reply, Workbench};
use grapeshot_engine::dist::{Estimate, Quantity, Source};
use grapeshot_engine::plain;
use grapeshot_rules::{Axis, Given, OddsError, RuleError, Value, cells, check_axes};
use serde::Serialize;

/// Cells of a sweep, at most: each is kept with its place.
const MOST: usize = 1_000_000;

/// What a sweep found.
#[derive(Debug, Clone, Serialize)]
pub struct Swept {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// What was given for all cells.
    #[serde(serialize_with = "plain::pairs")]
    pub given: Given,
    /// The quantities.
    pub of: Vec<Quantity>,
    /// How answers were found.
    #[serde(rename = "method")]
    pub methods: Methods,
    /// The swept keys.
    pub keys: Vec<String>,
    /// The cells, the last key running fastest.
    pub cells: Vec<SweptCell>,
}

/// One cell.
#[derive(Debug, Clone, Serialize)]
pub struct SweptCell {
    /// The value of every swept key, in their order.
    pub at: Vec<Value>,
    /// Every quantity, in their order; none where the rules refuse the cell.
    pub found: Vec<Estimate>,
    /// Why they do.
    pub refused: Option<String>,
}

/// Answers every combination of the values of some keys. `over` has a text for each, `key`, `key=a,b,c` or
/// `key=from..to/step`; `of` the quantities, the usual one if it is empty.
///
/// # Errors
/// If a key, a value or a quantity is unknown, a key is named twice or set, or the engine cannot answer.
pub fn sweep(
    workbench: &Workbench<'_>,
    over: &[String],
    of: &[String],
) -> Result<Swept, OddsError> {
    let axes: Vec<Axis> =
        (over.iter().map(|text| axis(workbench, text))).collect::<Result<_, _>>()?;
    check_axes(&axes, &workbench.given)?;
    let of: Vec<Quantity> = match of {
        [] => vec![workbench.quantity(None)?],
        some => {
            (some.iter().map(|text| workbench.quantity(Some(text)))).collect::<Result<_, _>>()?
        }
    };
    let count = axes
        .iter()
        .map(|axis| axis.values.len() as f64)
        .product::<f64>();
    if count > MOST as f64 {
        let problem = format!("the sweep has {count} cells; allowed are {MOST}: name fewer values");
        return Err(RuleError::Other(problem).into());
    }
    let places = cells(&axes);
    let found = parallel::try_map(&places, |place| answer(workbench, &of, place))?;
    let mut methods = Methods::default();
    let cells = places.into_iter().zip(found).map(|(place, found)| {
        let at = place.into_iter().map(|(_, value)| value).collect();
        let (found, refused) = match found {
            Ok((found, source)) => {
                methods.add(source);
                (found, None)
            }
            Err(reason) => (Vec::new(), Some(reason)),
        };
        SweptCell { at, found, refused }
    });
    Ok(Swept {
        cells: cells.collect(),
        rules: workbench.loaded.id().into(),
        procedure: workbench.procedure.name.to_string(),
        variants: workbench.loaded.variant_names(),
        given: workbench.given.clone(),
        keys: axes.into_iter().flat_map(|axis| axis.keys).collect(),
        of,
        methods,
    })
}

type Found = (Vec<Estimate>, Source);

fn answer(
    workbench: &Workbench<'_>,
    of: &[Quantity],
    place: &[(String, Value)],
) -> Result<Reply<Found>, OddsError> {
    Ok(workbench.ask(place)?.and_then(|odds| {
        let number = |quantity: &Quantity| {
            let found = quantity.of(&odds);
            found.ok_or_else(|| format!("{quantity} is not reported"))
        };
        let found: Result<Vec<Estimate>, String> = of.iter().map(number).collect();
        Ok((found?, odds.source()))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usual_options;
    use grapeshot_rules::find;

    fn swept(over: &[&str], of: &[&str]) -> Result<Swept, String> {
        let loaded = find("elephant")
            .and_then(|ruleset| ruleset.load(&[]))
            .expect("rules");
        let bench = Workbench::new(&loaded, "charge", Given::new(), usual_options());
        let texts = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let found = sweep(&bench.expect("a question"), &texts(over), &texts(of));
        found.map_err(|error| error.to_string())
    }

    #[test]
    fn every_cell_is_what_is_answered_there_and_a_refused_one_says_why() {
        let found = swept(
            &["attacker.kind=infantry,artillery", "defender.cover"],
            &["success", "mean(attacker_stands_lost)"],
        );
        let found = found.expect("a sweep");
        assert_eq!(found.keys, ["attacker.kind", "defender.cover"]);
        assert_eq!(found.cells.len(), 6);
        let loaded = find("elephant")
            .and_then(|ruleset| ruleset.load(&[]))
            .expect("rules");
        let bench = Workbench::new(&loaded, "charge", Given::new(), usual_options());
        let bench = bench.expect("a question");
        let wall = [("defender.cover".to_owned(), Value::from("wall"))];
        let odds = bench.ask(&wall).expect("an answer").expect("no refusal");
        let cell = &found.cells[1];
        assert_eq!(cell.at, ["infantry".into(), "wall".into()]);
        let asked = found
            .of
            .iter()
            .map(|quantity| quantity.of(&odds).expect("a number").value);
        assert_eq!(
            cell.found.iter().map(|one| one.value).collect::<Vec<_>>(),
            asked.collect::<Vec<_>>()
        );
        let guns = &found.cells[3];
        assert!(guns.found.is_empty() && guns.refused.is_some(), "{guns:?}");
    }

    #[test]
    fn what_is_no_sweep_is_refused() {
        for (over, why) in [
            (vec!["outcome"], "is what comes of it"),
            (vec!["attacker.grade", "attacker.grade=elite,poor"], "twice"),
            (vec!["attacker.colour"], "unknown key"),
            (vec!["attacker.stands"], "needs values"),
        ] {
            let told = swept(&over, &[]).expect_err("no sweep");
            assert!(told.contains(why), "{over:?}: {told}");
        }
    }
}
