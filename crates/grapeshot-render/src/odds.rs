//! The odds of one procedure.

use super::glance::done_by_fire;
use super::number::{grouped, short};
use super::{Cell, Column, Document, Pair, Report, Role, Table, number};
use grapeshot_engine::dist::{Distribution, Estimate, Favour, Marginal, Quantity, Source, Stage};
use grapeshot_engine::engine::Budget;
use grapeshot_engine::plain::Joint;
use grapeshot_rules::{Answered, LoadedRuleset, Procedure, Settings};
use grapeshot_study::wording::{as_command, bytes};
use serde::{Serialize, Serializer};

/// A question and its answer.
#[derive(Debug, Clone, Serialize)]
pub struct OddsReport {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// Every setting.
    pub settings: Settings,
    /// The answer.
    #[serde(flatten)]
    pub odds: Distribution,
    /// The chances of what favours the side that acts, of what favours nobody, and of what is against it; where
    /// outcomes favour nobody at all there are none.
    #[serde(flatten)]
    pub verdict: Option<Verdict>,
    /// The way phase by phase, if it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stages: Option<Vec<Stage>>,
    /// Every row, if they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<Joint>,
    /// Remarks.
    pub notes: Vec<String>,
}

impl OddsReport {
    /// What came of a question, with everything that has to be said of it; `max_states` is the budget it
    /// was answered under.
    pub fn answered(
        loaded: &LoadedRuleset,
        procedure: &Procedure,
        answered: Answered,
        max_states: usize,
    ) -> Self {
        let mut notes = procedure.notes.clone();
        notes.extend(answered.notes.iter().map(ToString::to_string));
        if answered.direct {
            notes.push(format!(
                "the procedure has more than {} distinct states (about {} to hold), so every step was rolled directly",
                grouped(max_states as u64),
                bytes(Budget { states: max_states }.memory())
            ));
        }
        OddsReport {
            rules: loaded.id().to_owned(),
            procedure: procedure.name.to_string(),
            variants: loaded.variant_names(),
            settings: answered.settings,
            verdict: Verdict::of(&answered.odds),
            odds: answered.odds,
            notes,
            stages: None,
            joint: None,
        }
    }

    /// The same with the way phase by phase, if it is wanted.
    #[must_use]
    pub fn with_stages(mut self, wanted: bool) -> Self {
        self.stages = wanted.then(|| self.odds.stages());
        self
    }

    /// The same with every row, if they are wanted.
    #[must_use]
    pub fn with_joint(mut self, wanted: bool) -> Self {
        self.joint = wanted.then(|| Joint::of(&self.odds));
        self
    }
}

impl Report for OddsReport {
    fn document(&self) -> Document {
        let mut document = Document::new(format!("{} {}", self.rules, self.procedure));
        document.fact("", method(self.odds.source()));
        document.fact("variants", self.variants.join(", "));
        document.fact("given", as_command(self.settings.given()));
        match done_by_fire(&self.procedure, &self.odds) {
            Some(told) => document.findings.extend(told),
            None => document
                .findings
                .extend(self.verdict.as_ref().map(Verdict::sentence)),
        }
        for marginal in self.odds.marginals() {
            document.block(heading(&marginal), values(&marginal));
        }
        document.data("values", values_data(&self.odds));
        if let Some(stages) = &self.stages {
            document.block("of 100 trials, phase by phase", stage_table(stages));
            document.means(Role::Stages);
            document.data("stages", stages_data(&self.odds, stages));
        }
        if let Some(joint) = &self.joint {
            let table = joint_table(joint);
            document.block("every distinct outcome", table.clone());
            document.data("joint", table);
        }
        let assumed = self.settings.assumed().map(|(k, v)| Pair::assumed(k, v));
        let assumed: Vec<Pair> = assumed.collect();
        if !assumed.is_empty() {
            document.block("assumed", assumed);
            document.means(Role::Assumed);
        }
        document.notes = self.notes.clone();
        document
    }
}

/// What an answer comes to while it is still simulated, in a line: whom it favours, or its likeliest values.
pub fn so_far(odds: &Distribution) -> String {
    if let Some(verdict) = Verdict::of(odds) {
        return verdict.sentence();
    }
    let headline = odds.marginal_at(0);
    let mut values = headline.values().to_vec();
    values.sort_by(|a, b| b.p.total_cmp(&a.p));
    let values = values.iter().take(3).map(|value| {
        let (low, high) = headline.interval(value.p).unwrap_or((value.p, value.p));
        let share = Estimate {
            value: value.p,
            low,
            high,
        };
        format!("{} {}", value.label, number::chance(&share))
    });
    values.collect::<Vec<_>>().join(", ")
}

/// Whom an answer favours, where its outcomes say so.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Verdict {
    /// The chance that the side that acts succeeds.
    #[serde(serialize_with = "value_of")]
    pub success: Estimate,
    /// That nothing is decided.
    #[serde(serialize_with = "value_of")]
    pub undecided: Estimate,
    /// That it fails.
    #[serde(serialize_with = "value_of")]
    pub failure: Estimate,
}

fn value_of<S: Serializer>(share: &Estimate, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(share.value)
}

impl Verdict {
    /// Whom an answer favours.
    pub fn of(odds: &Distribution) -> Option<Self> {
        let share = |favour| Quantity::Favoured(favour).of(odds);
        Some(Verdict {
            success: share(Favour::Success)?,
            undecided: share(Favour::Undecided)?,
            failure: share(Favour::Failure)?,
        })
    }

    fn sentence(&self) -> String {
        let shares = [
            (Favour::Success, &self.success),
            (Favour::Undecided, &self.undecided),
            (Favour::Failure, &self.failure),
        ];
        let parts = shares
            .into_iter()
            .filter(|(_, share)| share.value > 0.0)
            .map(|(favour, share)| {
                format!("{} {}", Quantity::Favoured(favour), number::chance(share))
            });
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// How an answer was found.
pub(super) fn method(source: Source) -> String {
    match source {
        Source::Exact => "exact, solved over every roll of the dice".into(),
        Source::Simulated { trials, seed } => format!(
            "simulated, {} trials, seed {seed}; ranges are 95 % intervals",
            grouped(trials)
        ),
    }
}

fn heading(marginal: &Marginal) -> String {
    let variable = marginal.variable();
    let mut heading = format!("{}: {}", variable.name, variable.meaning);
    if variable.is_numeric() {
        let error = marginal.standard_error();
        let error = error.map_or(String::new(), |se| {
            format!(" ± {:.4}", grapeshot_engine::stats::Z95 * se)
        });
        heading += &format!(
            "; mean {:.3}{error}, spread (sd) {:.3}",
            marginal.mean(),
            marginal.sd()
        );
    }
    heading
}

fn values(marginal: &Marginal) -> Table {
    let numeric = marginal.variable().is_numeric();
    let mut values = marginal.values().to_vec();
    let several = values.len() > 2;
    if !numeric && several {
        values.sort_by(|a, b| b.p.total_cmp(&a.p));
    }
    let cumulated = numeric && several;
    let mut table = Table::new([
        Column::words(""),
        Column::number("chance"),
        Column::number("95 % range"),
        Column::number("or more"),
        Column::words(""),
    ]);
    for (at, value) in values.iter().enumerate() {
        let label = match numeric {
            true => short(value.number),
            false => value.label.clone(),
        };
        // Everything is the least value or more: that need not be said.
        let or_more = cumulated && at > 0;
        let (chance, range) = match marginal.interval(value.p) {
            Some(range) => (Cell::within(value.p, range), Cell::range(range)),
            None => (Cell::chance(value.p), Cell::empty()),
        };
        table.row([
            Cell::text(label),
            chance,
            range,
            match or_more {
                true => Cell::chance(marginal.at_least(value.number)),
                false => Cell::empty(),
            },
            favoured(marginal, Cell::bar(value.p), &value.label),
        ]);
    }
    table
}

/// A bar by whom the outcome favours.
fn favoured(marginal: &Marginal, bar: Cell, label: &str) -> Cell {
    match marginal.variable().standing(label) {
        Some((Favour::Success, ..)) => bar.tinted(1.0),
        Some((Favour::Failure, ..)) => bar.tinted(-1.0),
        _ => bar,
    }
}

fn values_data(odds: &Distribution) -> Table {
    // Of what was played, the seed: without it nobody could make the same table again.
    let played = odds.source().trials().zip(odds.source().seed());
    let names = ["variable", "value", "p", "low", "high"].into_iter();
    let mut table = Table::named(names.chain(played.iter().flat_map(|_| ["trials", "seed"])));
    for marginal in odds.marginals() {
        for value in marginal.values() {
            let (low, high) = marginal.interval(value.p).unwrap_or((value.p, value.p));
            let cells = [
                Cell::text(&marginal.variable().name),
                Cell::text(&value.label),
                Cell::chance(value.p),
                Cell::chance(low),
                Cell::chance(high),
            ];
            let played = played.iter().flat_map(|&(trials, seed)| {
                [trials, seed].map(|number| Cell::text(number.to_string()))
            });
            table.row(cells.into_iter().chain(played));
        }
    }
    table
}

fn stage_table(stages: &[Stage]) -> Table {
    let mut table = Table::new([
        Column::words("phase"),
        Column::number("end"),
        Column::number("go on"),
        Column::words("how"),
    ]);
    for stage in stages {
        let here = stage.ended.iter().fold(0.0, |sum, ended| sum + ended.p);
        // A phase nobody ends in says nothing that the next one does not.
        if here == 0.0 {
            continue;
        }
        let how = stage
            .ended
            .iter()
            .map(|ended| format!("{} {}", ended.value, per_hundred(ended.p)));
        table.row([
            Cell::text(&stage.phase),
            Cell::text(per_hundred(here)),
            Cell::text(per_hundred(stage.goes_on)),
            Cell::text(how.collect::<Vec<_>>().join(", ")),
        ]);
    }
    table
}

fn per_hundred(p: f64) -> String {
    number::percent(p).trim_end_matches(" %").to_owned()
}

fn stages_data(odds: &Distribution, stages: &[Stage]) -> Table {
    let headline = &odds.variables()[0].name;
    let mut table = Table::named(["phase", headline, "p", "goes_on"]);
    for stage in stages {
        let row = |label: &str, p: f64| {
            [
                Cell::text(&stage.phase),
                Cell::text(label),
                Cell::chance(p),
                Cell::chance(stage.goes_on),
            ]
        };
        if stage.ended.is_empty() {
            table.row(row("", 0.0));
        }
        for ended in &stage.ended {
            table.row(row(&ended.value, ended.p));
        }
    }
    table
}

fn joint_table(joint: &Joint) -> Table {
    let names = joint.variables.iter().map(|v| match v.is_numeric() {
        true => Column::number(&v.name),
        false => Column::words(&v.name),
    });
    let mut table = Table::new(names.chain([Column::number("p")]));
    for (row, p) in &joint.rows {
        let cells = joint.variables.iter().zip(row);
        let cells = cells.map(|(variable, value)| Cell::text(variable.label(*value)));
        table.row(cells.chain([Cell::chance(*p)]));
    }
    table
}
