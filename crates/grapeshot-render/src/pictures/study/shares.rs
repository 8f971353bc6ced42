//! Distributions: the shares of a whole, the chance of each value, quantiles.

use super::Sketch;
use grapeshot_charts::tell;
use grapeshot_charts::{
    Axis, BoxRow, Boxes, DotPlot, DotRow, Estimate, OfHundred, Pmf, PmfSeries, Stacked,
};
use grapeshot_engine::dist::Marginal;
use grapeshot_study::CellResult;

impl<'a> Sketch<'a> {
    /// Labels of the variable as they are printed.
    fn printed(&self, labels: &[String]) -> Vec<String> {
        let said = |label: &String| match label.parse::<f64>() {
            Ok(_) => self.decimals().set(label),
            Err(_) => self.words().label(self.variable(), label),
        };
        labels.iter().map(said).collect()
    }

    pub(super) fn stacked(&self, cells: &[&'a CellResult]) -> Stacked {
        let marginals: Vec<(String, Marginal)> = cells
            .iter()
            .filter_map(|cell| Some((self.bar_label(cell), self.marginal(cell)?)))
            .collect();
        let segments = self.variable_labels(&marginals);
        let many = || {
            self.words()
                .say(&plural(&self.results.experiment.procedure))
        };
        let share = self.value_name(|| tell!(self.words(), "share of {1}", many()));
        let shares_of =
            |marginal: &Marginal| segments.iter().map(|label| marginal.p(label)).collect();
        Stacked {
            bars_axis: self.key_axis(false),
            share_axis: Axis::percent(share),
            shares: marginals.iter().map(|(_, m)| shares_of(m)).collect(),
            bars: marginals.into_iter().map(|(label, _)| label).collect(),
            segments: self.printed(&segments),
            vertical: false,
        }
    }

    /// A square of a hundred for each cell.
    pub(super) fn of_hundred(&self, cells: &[&'a CellResult]) -> OfHundred {
        let marginals: Vec<(String, Marginal)> = cells
            .iter()
            .filter_map(|cell| Some((self.bar_label(cell), self.marginal(cell)?)))
            .collect();
        let segments = self.variable_labels(&marginals);
        let shares_of =
            |marginal: &Marginal| segments.iter().map(|label| marginal.p(label)).collect();
        OfHundred {
            shares: marginals.iter().map(|(_, m)| shares_of(m)).collect(),
            names: marginals.into_iter().map(|(label, _)| label).collect(),
            segments: self.printed(&segments),
            of: self.value_name(|| plural(&self.results.experiment.procedure)),
        }
    }

    /// So many equally likely values of each cell: the middles of as many equal parts.
    pub(super) fn dots(&self, cells: &[&'a CellResult]) -> DotPlot {
        let count = self.spec.dots;
        let dot =
            |marginal: &Marginal, i: usize| marginal.quantile((i as f64 + 0.5) / count as f64);
        let rows = cells.iter().filter_map(|cell| {
            let marginal = self.marginal(cell)?;
            Some(DotRow {
                label: self.bar_label(cell),
                dots: (0..count).map(|i| dot(&marginal, i)).collect(),
            })
        });
        let name = self.value_name(|| self.words().variable(self.variable()));
        DotPlot {
            rows_axis: self.key_axis(false),
            value: Axis::number(name, ""),
            rows: rows.collect(),
        }
    }

    pub(super) fn boxes(&self, cells: &[&'a CellResult]) -> Boxes {
        let rows = cells.iter().filter_map(|cell| {
            let marginal = self.marginal(cell)?;
            let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].map(|share| marginal.quantile(share));
            let mean = Some(marginal.mean());
            Some(BoxRow::new(self.bar_label(cell), quantiles, mean))
        });
        let name = self.value_name(|| self.words().variable(self.variable()));
        Boxes {
            rows_axis: self.key_axis(false),
            value: Axis::number(name, ""),
            rows: rows.collect(),
        }
    }

    pub(super) fn pmf(&self, cells: &[&'a CellResult]) -> Pmf {
        let marginals = self.named_marginals(cells);
        let values = self.variable_labels(&marginals);
        let chance = |marginal: &Marginal, label: &String| {
            let p = marginal.p(label);
            let (low, high) = marginal.interval(p).unwrap_or((p, p));
            Estimate::within(p, low, high)
        };
        let series = marginals.iter().map(|(name, marginal)| PmfSeries {
            name: name.clone(),
            chances: values.iter().map(|label| chance(marginal, label)).collect(),
        });
        let own = || self.words().variable(self.variable());
        Pmf {
            x: Axis::label(self.spec.x_name.clone().unwrap_or_else(own)),
            y: Axis::percent(self.value_name(|| self.words().say("chance"))),
            series: series.collect(),
            values: self.printed(&values),
        }
    }
}

/// Many of a procedure.
fn plural(procedure: &str) -> String {
    match procedure {
        "fire" => "volleys".into(),
        "morale" => "tests of morale".into(),
        "charge" | "melee" | "firefight" | "standoff" => format!("{procedure}s"),
        _ => "cases".into(),
    }
}
