//! What an experiment file says about a chart, and whether its sweep can draw it.

use super::chart_dress::ChartDress;
use grapeshot_charts::style::Medium;
use grapeshot_engine::dist::{Quantity, STAGE, Variable};
use grapeshot_rules::sweep::{Axis, SweepPoint, lies_at};
use grapeshot_rules::{Entries, Given, Labels, RuleError, Value};

grapeshot_engine::labels! {
    /// What a chart looks like.
    pub enum ChartKind {
        Line = "line", Heatmap = "heatmap", Stacked = "stacked", Pmf = "pmf", Survival = "survival", Boxes = "box",
        AtMost = "at-most", Tornado = "tornado", Dumbbell = "dumbbell", Difference = "difference", OfHundred = "of-100", DotPlot = "dotplot", Policy = "policy",
    }
}

grapeshot_engine::labels! {
    /// How a line goes from one value to the next.
    pub enum StepWord {
        /// Each value holds up to its place.
        UpTo = "up-to",
        /// Each value holds from its place on.
        From = "from",
        /// Each value holds half way to its neighbours.
        About = "about",
        /// Straight from one to the next.
        None = "none",
    }
}

/// Dots of a row that has no number of its own.
const DOTS: usize = 20;

/// A chart of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartSpec {
    /// Its kind.
    pub kind: ChartKind,
    /// Its title; made from the numbers if empty.
    pub title: String,
    /// The key along the horizontal axis (bars of stacked and box charts).
    pub x: Option<String>,
    /// The key along the vertical axis of a heatmap.
    pub y: Option<String>,
    /// The quantity that is plotted (line, heatmap, tornado).
    pub value: Option<String>,
    /// The variable whose distribution is shown (stacked, pmf, survival, box).
    pub variable: Option<String>,
    /// The key whose values are the lines or steps.
    pub series: Option<String>,
    /// The key whose values are panels side by side.
    pub panels: Option<String>,
    /// The key whose values are rows of panels, below those of `panels`.
    pub strips: Option<String>,
    /// Only cells with these values.
    pub only: Given,
    /// Where the bars of a tornado begin; keys not named are at the first value of their sweep.
    pub baseline: Given,
    /// Name of the x axis with its unit, if the key's own name will not do.
    pub x_name: Option<String>,
    /// Name of the value with its unit, if the quantity's own name will not do.
    pub value_name: Option<String>,
    /// How a line goes on; found from the values if absent.
    pub steps: Option<StepWord>,
    /// Dots of each row of a dotplot.
    pub dots: usize,
    /// What sets the panels of a policy apart: `turn`, or something that is seen of a state.
    pub by: Option<String>,
    /// What the chart shows, if what the numbers say will not do.
    pub alt: Option<String>,
    /// Greyscale for a book or colour for a screen, if it is not as in the style.
    pub medium: Option<Medium>,
    /// What its author asks for beyond the data.
    pub dress: ChartDress,
}

impl ChartKind {
    /// Entries a chart of this kind cannot do without, and those it may have.
    fn entries(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            ChartKind::Line => (&["x", "value"], &["series", "steps"]),
            ChartKind::Heatmap => (&["x", "y", "value"], &[]),
            ChartKind::Stacked | ChartKind::Boxes => (&["x", "variable"], &["series"]),
            ChartKind::Pmf | ChartKind::Survival | ChartKind::AtMost => {
                (&["variable"], &["series"])
            }
            ChartKind::Dumbbell => (&["x", "series", "value"], &[]),
            ChartKind::Difference => (&["x", "value", "baseline"], &["series"]),
            ChartKind::Tornado => (&["value"], &["baseline"]),
            ChartKind::OfHundred => (&["variable"], &["x", "series"]),
            ChartKind::DotPlot => (&["variable"], &["x", "series", "dots"]),
            ChartKind::Policy => (&[], &["by"]),
        }
    }
}

/// Entries that only some kinds of chart understand.
const SPECIAL: [&str; 9] = [
    "x", "y", "value", "variable", "series", "baseline", "steps", "dots", "by",
];

impl ChartSpec {
    /// Reads a chart; nothing without a kind, which all else hangs on.
    pub(super) fn read(mut entries: Entries<'_>) -> Option<Self> {
        let kind: ChartKind = entries.needed_one_of("kind")?;
        let (needed, allowed) = kind.entries();
        for key in SPECIAL {
            if needed.contains(&key) && !entries.has(key) {
                let problem = format!("is missing: a {} chart needs it", kind.label());
                entries.problem(key, problem);
            }
            if entries.has(key) && !needed.contains(&key) && !allowed.contains(&key) {
                let problem = format!("means nothing for a {} chart", kind.label());
                entries.problem(key, problem);
            }
        }
        let spec = ChartSpec {
            kind,
            title: entries.maybe("title").unwrap_or_default(),
            panels: entries.maybe("panels"),
            strips: entries.maybe("strips"),
            only: entries.settings("only"),
            x_name: entries.maybe("x_name"),
            value_name: entries.maybe("value_name"),
            alt: entries.maybe("alt"),
            medium: entries.one_of("style"),
            x: entries.maybe("x"),
            y: entries.maybe("y"),
            value: entries.maybe("value"),
            variable: entries.maybe("variable"),
            series: entries.maybe("series"),
            baseline: entries.settings("baseline"),
            steps: entries.one_of("steps"),
            dots: dots(&mut entries),
            by: entries.maybe("by"),
            dress: ChartDress::read(&mut entries, kind),
        };
        if spec.strips.is_some() && spec.panels.is_none() {
            entries.problem(
                "strips",
                "are rows of panels, and there are none: write panels too",
            );
        }
        entries.finish();
        Some(spec)
    }

    /// Whether a sweep has what the chart shows, and nothing that it would hide: every swept key must
    /// have a place in the chart or be held at one value. `cells` are the places of the sweep and whether
    /// the rules play them. The error is an entry and what is wrong.
    pub(super) fn check(
        &self,
        axes: &[Axis],
        variables: &[Variable],
        cells: &[(&SweepPoint, bool)],
    ) -> Result<(), (String, String)> {
        let said = |entry: &str, error: RuleError| (entry.to_owned(), error.to_string());
        if let Some(value) = &self.value {
            Quantity::parse(value, variables).map_err(|error| said("value", error.into()))?;
        }
        if let Some(name) = &self.variable
            && name != STAGE
            && !variables.iter().any(|variable| variable.name == *name)
        {
            let known = variables.iter().map(|v| &v.name);
            return Err(said(
                "variable",
                RuleError::unknown("variable", name, known),
            ));
        }
        let swept: Vec<&String> = axes.iter().flat_map(|axis| &axis.keys).collect();
        let shown = [
            ("x", &self.x),
            ("y", &self.y),
            ("series", &self.series),
            ("panels", &self.panels),
            ("strips", &self.strips),
        ];
        let shown: Vec<(&str, &String)> = shown
            .into_iter()
            .filter_map(|(entry, key)| Some((entry, key.as_ref()?)))
            .collect();
        let held = [("only", &self.only), ("baseline", &self.baseline)];
        let held = held
            .into_iter()
            .flat_map(|(entry, list)| list.iter().map(move |pair| (entry, pair)));
        for (entry, key) in shown
            .iter()
            .copied()
            .chain(held.clone().map(|(entry, (key, _))| (entry, key)))
        {
            if !swept.contains(&key) {
                return Err(said(entry, RuleError::unknown("swept key", key, &swept)));
            }
        }
        for (entry, pair) in held {
            let only = std::slice::from_ref(pair);
            if !cells.iter().any(|(place, _)| lies_at(place, only)) {
                let problem = format!("the sweep has no cell with {}={}", pair.0, pair.1);
                return Err((entry.to_owned(), problem));
            }
        }
        let has_place = |axis: &Axis| {
            self.kind == ChartKind::Tornado
                || axis.values.len() < 2
                || axis.keys.iter().any(|key| {
                    shown.iter().any(|(_, shown)| *shown == key)
                        || self.only.iter().any(|(only, _)| only == key)
                })
        };
        let axis_of = |key: &Option<String>| {
            let key = key.as_ref()?;
            axes.iter().find(|axis| axis.keys.contains(key))
        };
        let variable = self.variable.as_ref();
        let variable = variable.and_then(|name| variables.iter().find(|v| v.name == *name));
        let series = axis_of(&self.series);
        self.dress.check(series, self.series.as_deref(), variable)?;
        if let (ChartKind::Dumbbell, Some(axis)) = (self.kind, series)
            && axis.values.len() != 2
        {
            let problem = format!(
                "has {} values, and a dumbbell has two ends: allowed is a key with two",
                axis.values.len()
            );
            return Err(("series".into(), problem));
        }
        if let (Some(_), Some(axis)) = (self.dress.sort, axis_of(&self.x))
            && matches!(axis.values[0][0], Value::Whole(_) | Value::Real(_))
        {
            let problem = "numbers keep their order: allowed is a chart whose `x` has words";
            return Err(("sort".into(), problem.into()));
        }
        match axes.iter().find(|axis| !has_place(axis)) {
            None if self.kind == ChartKind::Tornado => self.check_tornado(axes, cells),
            None => Ok(()),
            Some(axis) => Err((
                "only".into(),
                format!(
                    "is missing for `{}`: it is swept, and cells that differ in it would fall on one place \
                     of the chart; hold it at a value here, or show it along x, y, series or panels",
                    axis.keys[0]
                ),
            )),
        }
    }

    /// A tornado needs a key to move, and in every panel that is played a cell to move it from.
    fn check_tornado(
        &self,
        axes: &[Axis],
        cells: &[(&SweepPoint, bool)],
    ) -> Result<(), (String, String)> {
        let held = |key: &String| {
            self.panels.as_ref() == Some(key)
                || self.strips.as_ref() == Some(key)
                || self.only.iter().any(|(only, _)| only == key)
        };
        if !axes
            .iter()
            .any(|axis| axis.values.len() > 1 && !axis.keys.iter().any(held))
        {
            let problem = "a tornado moves swept keys, and none is left to move".to_owned();
            return Err(("kind".into(), problem));
        }
        let mut left: Vec<_> = cells
            .iter()
            .filter(|(place, _)| lies_at(place, &self.only))
            .collect();
        while let Some(&&(first, _)) = left.first() {
            let panel: Given = first
                .iter()
                .filter(|(key, _)| self.panels.as_ref() == Some(key))
                .cloned()
                .collect();
            let (here, rest): (Vec<_>, Vec<_>) = left
                .into_iter()
                .partition(|(place, _)| lies_at(place, &panel));
            left = rest;
            let usual = self.usual_place(first);
            let is_played = here
                .iter()
                .any(|(place, plays)| *plays && lies_at(place, &usual));
            if here.iter().any(|(_, plays)| *plays) && !is_played {
                let place: Vec<String> = usual.iter().map(|(k, v)| format!("{k}={v}")).collect();
                let problem = format!(
                    "the chart has no cell to start from: the rules refuse {}, or it is not shown",
                    place.join(" ")
                );
                return Err(("baseline".into(), problem));
            }
        }
        Ok(())
    }

    /// Where a tornado starts from: the baseline, and for keys it does not name what `first` has, the
    /// first cell shown.
    pub fn usual_place(&self, first: &[(String, Value)]) -> Given {
        let named = |key: &String| self.baseline.iter().find(|(known, _)| known == key);
        let usual = first.iter().map(|(key, value)| {
            let value = named(key).map_or(value, |(_, named)| named).clone();
            (key.clone(), value)
        });
        usual.collect()
    }
}

fn dots(entries: &mut Entries<'_>) -> usize {
    match entries.maybe("dots") {
        None => DOTS,
        Some(toml::Value::Integer(dots @ 5..=100)) => dots as usize,
        Some(other) => {
            let problem = format!(
                "cannot be `{other}`; allowed is a whole number from 5 to 100, usually 20 or 50"
            );
            entries.problem("dots", problem);
            DOTS
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::run::Prepared;
    use crate::{Experiment, Overrides};

    /// The message with which an experiment with this chart is refused, before anything runs.
    fn refusal(chart: &str) -> Option<String> {
        let text = format!(
            r#"
            title = "t"
            question = "q"
            rules = "elephant"
            procedure = "charge"
            [sweep]
            "attacker.grade" = ["elite", "poor"]
            "attacker.stands" = [8, 10]
            [[chart]]
            title = "t"
            {chart}
            "#
        );
        let none = |name: &str| panic!("no variant is named, not even {name}");
        Experiment::parse("made-up", "made-up.toml", &text)
            .and_then(|experiment| Prepared::new(experiment, Overrides::default(), none))
            .err()
            .map(|error| error.to_string())
    }

    const VALUE: &str = "value = \"success\"";

    #[test]
    fn a_chart_that_shows_every_swept_key_is_accepted() {
        for chart in [
            "kind = \"line\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"",
            "kind = \"line\"\nx = \"attacker.stands\"\nonly = { \"attacker.grade\" = \"poor\" }",
            "kind = \"heatmap\"\nx = \"attacker.stands\"\ny = \"attacker.grade\"",
            "kind = \"tornado\"",
            "kind = \"tornado\"\nbaseline = { \"attacker.stands\" = 10 }",
            "kind = \"dumbbell\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"",
            "kind = \"difference\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"\n\
             baseline = { \"attacker.grade\" = \"poor\" }",
            "kind = \"line\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"\nrange = [\"0%\", 1]\n\
             lines = [{ at = \"50%\", label = \"even\" }, { x = 9 }]\nmarks = [\"cliff\"]\nlegend = \"l\"\n\
             colours = { elite = \"#112233\" }\nhighlight = \"elite\"\nnote = \"n\"\nsource = \"s\"\n\
             subtitle = \"u\"\nwidth = \"62mm\"\nheight = \"50mm\"",
        ] {
            assert_eq!(refusal(&format!("{chart}\n{VALUE}")), None, "{chart}");
        }
    }

    #[test]
    fn a_chart_that_cannot_be_drawn_is_refused_at_its_entry() {
        for (chart, key, why) in [
            ("kind = \"pie\"", "chart[1].kind", "allowed is line"),
            (
                "kind = \"policy\"\npanels = \"attacker.grade\"\nonly = { \"attacker.stands\" = 8 }",
                "chart[1].value",
                "means nothing for a policy",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"\nsteps = \"down\"",
                "chart[1].steps",
                "allowed is up-to",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"\nrange = [2, 1]",
                "chart[1].range",
                "allowed is [low, high]",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"\nlines = [{ label = \"l\" }]",
                "chart[1].lines[1].at",
                "must be a value",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"\ncolours = { elit = \"#112233\" }",
                "chart[1].colours",
                "did you mean `elite`",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"\ncolours = { elite = \"red\" }",
                "chart[1].colours.elite",
                "allowed is a colour",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"\nmarks = \"peak\"",
                "chart[1].marks",
                "allowed is cliff | even",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"\nseries = \"attacker.grade\"\nsort = \"rising\"",
                "chart[1].sort",
                "numbers keep their order",
            ),
            (
                "kind = \"tornado\"\nlegend = \"l\"",
                "chart[1].legend",
                "means nothing for a tornado",
            ),
            (
                "kind = \"tornado\"\nstrips = \"attacker.grade\"",
                "chart[1].strips",
                "write panels too",
            ),
            (
                "kind = \"heatmap\"\nx = \"attacker.stands\"",
                "chart[1].y",
                "heatmap chart needs it",
            ),
            (
                "kind = \"tornado\"\nx = \"attacker.stands\"",
                "chart[1].x",
                "means nothing for a tornado",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"",
                "chart[1].only",
                "`attacker.grade`",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stands\"\nonly = { \"attacker.grade\" = \"green\" }",
                "chart[1].only",
                "no cell with attacker.grade=green",
            ),
            (
                "kind = \"tornado\"\nbaseline = { \"attacker.stands\" = 9 }",
                "chart[1].baseline",
                "no cell with attacker.stands=9",
            ),
            (
                "kind = \"line\"\nx = \"attacker.stnds\"",
                "chart[1].x",
                "did you mean `attacker.stands`",
            ),
            (
                "kind = \"tornado\"\nonly = { \"attacker.grade\" = \"poor\", \"attacker.stands\" = 8 }",
                "chart[1].kind",
                "none is left to move",
            ),
            (
                "kind = \"tornado\"\nonly = { \"attacker.grade\" = \"poor\" }\n\
                 baseline = { \"attacker.grade\" = \"elite\" }",
                "chart[1].baseline",
                "no cell to start from",
            ),
        ] {
            let message = refusal(&format!("{chart}\n{VALUE}")).expect(chart);
            for part in ["made-up.toml", key, why] {
                assert!(message.contains(part), "{chart}: {part} in {message}");
            }
        }
    }
}
