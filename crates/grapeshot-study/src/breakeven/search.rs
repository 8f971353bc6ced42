//! What is varied, within which limits, and how it is asked.

use super::super::workbench::{Reply, Workbench};
use super::{MOST_VALUES, NOTHING, STEPS};
use grapeshot_engine::dist::{Estimate, Quantity, Source};
use grapeshot_rules::{CellPlace, OddsError, RuleError, Value};

/// How far from what it is a cell is varied, unless told otherwise.
const AROUND: f64 = 10.0;

/// What to search, checked.
#[derive(Debug, Clone)]
pub struct Search {
    pub(super) vary: String,
    /// The cell, if it is one and not a setting.
    cell: Option<CellPlace>,
    pub(super) whole: bool,
    pub(super) range: (f64, f64),
    pub(super) values: Vec<f64>,
    pub(super) step: f64,
    pub(super) target: f64,
}

impl Search {
    /// Checks what is varied, within which limits, and the target.
    ///
    /// # Errors
    /// If the key is unknown or no number, the limits are outside its range, or the target is
    /// nothing the quantity can be.
    pub fn new(
        workbench: &Workbench<'_>,
        vary: &str,
        within: Option<(f64, f64)>,
        quantity: &Quantity,
        target: f64,
    ) -> Result<Self, RuleError> {
        let in_tables = ["tables.", "lists.", "assumptions."];
        if in_tables.iter().any(|kind| vary.starts_with(kind)) {
            check_target(quantity, target)?;
            return Self::of_cell(workbench, vary, within, target);
        }
        if vary.starts_with("common.") {
            let rules = workbench.loaded.id();
            let problem = format!(
                "it says how a common fight is put into the words of {rules}, and {rules} itself does not play by it; a variant may change it, and grapeshot odds common asks it"
            );
            return Err(RuleError::argument("vary", vary, problem));
        }
        let schema = &workbench.procedure.settings;
        let setting = workbench.procedure.setting(vary)?;
        let vary = setting.key.as_str();
        let Some((whole, min, max)) = setting.kind.numbers() else {
            let numeric = schema.iter().filter(|s| s.kind.numbers().is_some());
            let known: Vec<&str> = numeric.map(|s| s.key.as_str()).collect();
            let problem = format!(
                "it is {}, not a number; allowed is one of {}",
                setting.kind.allowed(),
                known.join(", ")
            );
            return Err(RuleError::argument("vary", vary, problem));
        };
        check_target(quantity, target)?;
        let (from, to) = within.unwrap_or((min, max));
        if !(min <= from && from <= to && to <= max) {
            let problem = format!("allowed for `{vary}` is {}", setting.kind.allowed());
            return Err(RuleError::argument(
                "within",
                format!("{from}..{to}"),
                problem,
            ));
        }
        let (from, to) = if whole {
            (from.ceil(), to.floor())
        } else {
            (from, to)
        };
        let step = if whole && to - from < MOST_VALUES as f64 {
            1.0
        } else if whole {
            ((to - from) / STEPS as f64).ceil()
        } else {
            (to - from) / STEPS as f64
        };
        let mut values = vec![from];
        let count = if step > 0.0 {
            ((to - from) / step) as i64
        } else {
            0
        };
        values.extend((1..=count).map(|i| from + step * i as f64));
        if values.last().is_some_and(|last| to - last > NOTHING) {
            values.push(to);
        }
        Ok(Search {
            vary: vary.into(),
            cell: None,
            whole,
            range: (from, to),
            values,
            step,
            target,
        })
    }

    /// A cell of the tables: a whole number, a little less and a little more than it is unless told otherwise.
    fn of_cell(
        workbench: &Workbench<'_>,
        vary: &str,
        within: Option<(f64, f64)>,
        target: f64,
    ) -> Result<Self, RuleError> {
        let tables = &workbench.loaded.tables;
        let cells = tables.cells_named(&[vary.into()])?;
        let [cell] = cells.as_slice() else {
            let problem = format!(
                "names {} cells; allowed is one, such as {}",
                cells.len(),
                cells[0]
            );
            return Err(RuleError::argument("vary", vary, problem));
        };
        let Some(now) = tables.whole_in(cell) else {
            let problem = format!(
                "holds `{}`, which is not a whole number; grapeshot tune also tries results",
                tables.printed_cell(cell)
            );
            return Err(RuleError::argument("vary", vary, problem));
        };
        let now = now as f64;
        let (from, to) = within.unwrap_or((now - AROUND, now + AROUND));
        let (from, to) = (from.ceil(), to.floor());
        if from > to || to - from >= MOST_VALUES as f64 {
            let problem = format!("allowed are 1 to {MOST_VALUES} whole numbers");
            let given = format!("{from}..{to}");
            return Err(RuleError::argument("within", given, problem));
        }
        let count = (to - from) as i64;
        Ok(Search {
            vary: cell.to_string(),
            cell: Some(cell.clone()),
            whole: true,
            range: (from, to),
            values: (0..=count).map(|i| from + i as f64).collect(),
            step: 1.0,
            target,
        })
    }

    /// The quantity where what is varied is `x`, in a cell of the sweep; tables that do not hold together with it
    /// are refused like any other setting.
    pub(super) fn ask(
        &self,
        workbench: &Workbench<'_>,
        quantity: &Quantity,
        swept: &[(String, Value)],
        x: f64,
    ) -> Result<Reply<(Estimate, Source)>, OddsError> {
        let Some(cell) = &self.cell else {
            let mut changed = swept.to_vec();
            changed.push((self.vary.clone(), self.value(x)));
            return workbench.number(quantity, &changed);
        };
        workbench.number_with(quantity, &[(cell, x as i64)], swept)
    }

    fn value(&self, x: f64) -> Value {
        if self.whole {
            Value::Whole(x as i64)
        } else {
            Value::Real(x)
        }
    }
}

fn check_target(quantity: &Quantity, target: f64) -> Result<(), RuleError> {
    match quantity.is_probability() && !(0.0..=1.0).contains(&target) {
        true => {
            let problem =
                format!("{quantity} is a probability, so allowed is a number from 0 to 1");
            Err(RuleError::argument("at", target, problem))
        }
        false => Ok(()),
    }
}
