//! The chart as rules: a text that is asked with the same keys.

use super::{ChartEdge, Condensed};
use crate::workbench::Workbench;
use grapeshot_engine::dist::{Favour, Variable, VariableKind};
use grapeshot_rules::{RuleError, SettingKind, Value};
use std::fmt::Write as _;

/// Writes it, and makes sure that it can be read.
pub(super) fn rules(
    chart: &Condensed,
    workbench: &Workbench<'_>,
    variable: &Variable,
) -> Result<String, RuleError> {
    let text = Text {
        chart,
        workbench,
        variable,
    }
    .written();
    grapeshot_rules::drill::of_text("condensed", &text)
        .and_then(|ruleset| std::sync::Arc::new(ruleset).load(&[]).map(drop))
        .map_err(|error| {
            RuleError::Other(format!("the chart cannot be written as rules: {error}"))
        })?;
    Ok(text)
}

struct Text<'a> {
    chart: &'a Condensed,
    workbench: &'a Workbench<'a>,
    variable: &'a Variable,
}

/// A name as a text can have it.
fn name(of: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    of.chars().map(plain).collect()
}

/// A type for the words of a key.
fn type_of(key: &str) -> String {
    let mut name = name(key);
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    format!("{name}_line")
}

fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "'"))
}

/// A key by its side and its own name.
fn parted(key: &str) -> (Option<&str>, &str) {
    match key.split_once('.') {
        Some((side, own)) => (Some(side), own),
        None => (None, key),
    }
}

impl Text<'_> {
    fn edges(&self) -> [&ChartEdge; 2] {
        [&self.chart.rows, &self.chart.columns]
    }

    fn kind(&self, edge: &ChartEdge) -> Option<&SettingKind> {
        let setting = self.workbench.procedure.setting(&edge.key).ok()?;
        Some(&setting.kind)
    }

    fn is_whole(&self, edge: &ChartEdge) -> bool {
        matches!(self.kind(edge), Some(SettingKind::Whole { .. }))
    }

    fn is_flag(&self, edge: &ChartEdge) -> bool {
        matches!(self.kind(edge), Some(SettingKind::Flag))
    }

    fn written(&self) -> String {
        let mut out = self.head();
        out += &self.keys();
        out += &self.tables();
        out += &self.procedure();
        out
    }

    fn head(&self) -> String {
        let chart = self.chart;
        let mut given: Vec<String> = chart
            .given
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        if given.is_empty() {
            given.push("everything else as by default".into());
        }
        let variants = match chart.variants.is_empty() {
            true => String::new(),
            false => format!(" under {}", chart.variants.join(", ")),
        };
        format!(
            "# One roll for a whole procedure, as `grapeshot condense` has worked it out.\n\
             ruleset condensed: {}\n\
             about {}\n\
             reading {}\n\
             reading {}\n\n",
            quoted(&format!(
                "{}: {} on one d{}",
                chart.title, chart.procedure, chart.die
            )),
            quoted(&format!(
                "the chart of one d{} that is nearest to the true odds",
                chart.die
            )),
            quoted(&format!(
                "Worked out from {}{variants}; {}.",
                chart.rules,
                given.join(" ")
            )),
            quoted(&format!(
                "No chance read off this chart is further from the truth than {:.4} %, on average {:.4} %.",
                100.0 * chart.error.worst,
                100.0 * chart.error.mean
            )),
        )
    }

    /// Dice, words, units and settings.
    fn keys(&self) -> String {
        let die = self.chart.die;
        let mut out = format!("dice d{die} = 1..{die}\n");
        for edge in self.edges().into_iter().filter(|edge| !self.is_whole(edge)) {
            let words: Vec<String> = edge.values.iter().map(|v| quoted(&v.to_string())).collect();
            let _ = writeln!(out, "words {}: {}", type_of(&edge.key), words.join(" | "));
        }
        let mut units: Vec<(&str, String)> = Vec::new();
        let mut settings = String::new();
        for edge in self.edges() {
            let (side, own) = parted(&edge.key);
            let kind = match edge.values.as_slice() {
                [Value::Whole(first), .., Value::Whole(last)] if self.is_whole(edge) => {
                    format!("{first}..{last} = {}", self.usual(edge))
                }
                _ if self.is_whole(edge) => format!("{0}..{0} = {0}", self.usual(edge)),
                _ if self.is_flag(edge) => "Flag".into(),
                _ => format!("{} = {}", type_of(&edge.key), quoted(&self.usual(edge))),
            };
            let line = format!("  {own}: {kind}\n");
            match side {
                None => settings += &line,
                Some(side) => match units.iter_mut().find(|(known, _)| *known == side) {
                    Some((_, lines)) => lines.push_str(&line),
                    None => units.push((side, line)),
                },
            }
        }
        for (side, lines) in &units {
            let _ = write!(out, "\nunit {}, called {side}:\n{lines}", type_of(side));
        }
        if !settings.is_empty() {
            let _ = write!(out, "\nsettings:\n{settings}");
        }
        if !self.is_category() {
            let numbers = self
                .chart
                .ends
                .iter()
                .filter_map(|end| end.parse::<i64>().ok());
            let (low, high) = numbers.fold((0, 0), |(low, high), n| (n.min(low), n.max(high)));
            let _ = write!(out, "\nin play:\n  found: {low}..{high} = 0\n");
        } else if !self.is_judged() {
            let ends: Vec<String> = self.chart.ends.iter().map(|end| quoted(end)).collect();
            let _ = write!(
                out,
                "\nwords Found_end: {}\nin play:\n  found: Found_end = {}\n",
                ends.join(" | "),
                ends[0]
            );
        }
        out
    }

    /// The value of a key that is taken where none is said: the usual one, if it has a line.
    fn usual(&self, edge: &ChartEdge) -> String {
        let usual = self.workbench.procedure.setting(&edge.key);
        let usual = usual.map_or_else(|_| String::new(), |setting| setting.default_text());
        let named = edge.values.iter().map(ToString::to_string);
        let mut named: Vec<String> = named.collect();
        match named.iter().position(|value| *value == usual) {
            Some(at) => named.swap_remove(at),
            None => named.swap_remove(0),
        }
    }

    fn is_category(&self) -> bool {
        matches!(self.variable.kind, VariableKind::Category(_))
    }

    /// Whether the ends favour somebody.
    fn is_judged(&self) -> bool {
        self.chart.favours.len() == self.chart.ends.len()
    }

    /// The heading of a table for an edge.
    fn heading(&self, edge: &ChartEdge) -> String {
        match self.is_whole(edge) {
            true => "lower limits".into(),
            false => type_of(&edge.key),
        }
    }

    fn lines_of(&self, edge: &ChartEdge) -> Vec<String> {
        let line = |value: &Value| match self.is_whole(edge) {
            true => value.to_string(),
            false => quoted(&value.to_string()),
        };
        edge.values.iter().map(line).collect()
    }

    /// One table for every end but the last: the highest roll that comes to it, or to an end before it.
    fn tables(&self) -> String {
        let chart = self.chart;
        let (rows, columns) = (self.lines_of(&chart.rows), self.lines_of(&chart.columns));
        let mut out = String::new();
        for (at, end) in chart.ends[..chart.ends.len() - 1].iter().enumerate() {
            let help = format!("highest roll for {end} @ worked out");
            match chart.modified.as_ref().filter(|_| chart.by_modifiers) {
                Some(modified) => {
                    let tops = modified.upto.iter().map(|row| row[at]);
                    let (low, high) = tops.fold((0, 0), |(low, high), x| (x.min(low), x.max(high)));
                    let heading = self.heading(&chart.rows);
                    let _ = write!(
                        out,
                        "\ntable chart_{}: {heading} by roll: {low}..{high}  ## {help}\n  {:12} roll\n",
                        at + 1,
                        ""
                    );
                    for (row, upto) in rows.iter().zip(&modified.upto) {
                        let _ = writeln!(out, "  {row:12} {}", upto[at]);
                    }
                }
                None => {
                    let headings = [&chart.rows, &chart.columns].map(|edge| self.heading(edge));
                    let _ = writeln!(
                        out,
                        "\ntable chart_{}: {} by {}: 0..{}  ## {help}",
                        at + 1,
                        headings[0],
                        headings[1],
                        chart.die
                    );
                    let _ = writeln!(out, "  {:12} {}", "", columns.join(" "));
                    for (row, cells) in rows.iter().zip(&chart.cells) {
                        let top = |cell: &crate::Reply<super::ChartCell>| match cell {
                            Ok(cell) => cell.faces[..=at].iter().sum::<u32>().to_string(),
                            Err(_) => "0".into(),
                        };
                        let tops: Vec<String> = cells.iter().map(top).collect();
                        let _ = writeln!(out, "  {row:12} {}", tops.join(" "));
                    }
                }
            }
        }
        if let Some(modified) = chart.modified.as_ref().filter(|_| chart.by_modifiers) {
            let most = modified
                .modifiers
                .iter()
                .map(|x| x.abs())
                .max()
                .unwrap_or(0);
            let heading = self.heading(&chart.columns);
            let _ = write!(
                out,
                "\ntable modifier: {heading} by roll: -{most}..{most}  ## added to the roll @ worked out\n  {:12} roll\n",
                ""
            );
            for (column, modifier) in columns.iter().zip(&modified.modifiers) {
                let _ = writeln!(out, "  {column:12} {modifier}");
            }
        }
        out
    }

    /// How an edge is read in a table.
    fn index(&self, edge: &ChartEdge) -> String {
        match self.is_flag(edge) {
            true => format!("\"true\" if {} else \"false\"", edge.key),
            false => edge.key.clone(),
        }
    }

    fn procedure(&self) -> String {
        let chart = self.chart;
        let mut out = format!(
            "\n## {} on one roll, as near to the truth as a d{} comes. @ worked out\nprocedure {}:\n",
            chart.procedure, chart.die, chart.procedure
        );
        let mut sides: Vec<(&str, Vec<&str>)> = Vec::new();
        for edge in self.edges() {
            match parted(&edge.key) {
                (None, own) => {
                    let _ = writeln!(out, "  asks {own}");
                }
                (Some(side), own) => match sides.iter_mut().find(|(known, _)| *known == side) {
                    Some((_, keys)) => keys.push(own),
                    None => sides.push((side, vec![own])),
                },
            }
        }
        for (side, keys) in sides {
            let _ = writeln!(out, "  side {side}: {}", keys.join(", "));
        }
        out += &self.refusals();
        out += &self.report();
        let modifier = match chart.by_modifiers {
            true => format!(" + modifier[{}]", self.index(&chart.columns)),
            false => String::new(),
        };
        let _ = writeln!(
            out,
            "  stage \"roll\":\n    let roll = d{}{modifier}",
            chart.die
        );
        let index = match chart.by_modifiers {
            true => self.index(&chart.rows),
            false => format!(
                "{}, {}",
                self.index(&chart.rows),
                self.index(&chart.columns)
            ),
        };
        let ends = self.is_category() && self.is_judged();
        let does = |end: &String| match (ends, self.is_category()) {
            (true, _) => format!("end {}", quoted(end)),
            (false, true) => format!("found = {}", quoted(end)),
            (false, false) => format!("found = {end}"),
        };
        let (last, others) = chart.ends.split_last().expect("something comes of it");
        for (at, end) in others.iter().enumerate() {
            let word = match at > 0 && !ends {
                true => "else if",
                false => "if",
            };
            let _ = writeln!(
                out,
                "    {word} roll <= chart_{}[{index}]: {}",
                at + 1,
                does(end)
            );
        }
        let _ = match ends || others.is_empty() {
            true => writeln!(out, "    {}", does(last)),
            false => writeln!(out, "    else: {}", does(last)),
        };
        out
    }

    /// What the rules refuse is refused.
    fn refusals(&self) -> String {
        let chart = self.chart;
        let is = |edge: &ChartEdge, at: usize| match &edge.values[at] {
            Value::Flag(true) => edge.key.clone(),
            Value::Flag(false) => format!("not {}", edge.key),
            Value::Whole(from) => match edge.values.get(at + 1) {
                Some(next) => format!("{0} >= {from} and {0} < {next}", edge.key),
                None => format!("{} >= {from}", edge.key),
            },
            word => format!("{} is {}", edge.key, quoted(&word.to_string())),
        };
        let mut out = String::new();
        for (row, cells) in chart.cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                if cell.is_err() {
                    let when = format!(
                        "{} and {}",
                        is(&chart.rows, row),
                        is(&chart.columns, column)
                    );
                    let _ = writeln!(
                        out,
                        "  refuse {} when {when}: \"{} refuses it\"",
                        chart.rows.key, chart.rules
                    );
                }
            }
        }
        out
    }

    fn report(&self) -> String {
        let chart = self.chart;
        let help = match self.variable.meaning.is_empty() {
            true => String::new(),
            false => format!("  ## {}", self.variable.meaning),
        };
        if !(self.is_category() && self.is_judged()) {
            return format!("  report {} = found{help}\n", name(&chart.of));
        }
        let mut out = format!("  report {}{help}\n", name(&chart.of));
        for favour in Favour::ALL {
            let own = chart.ends.iter().zip(&chart.favours);
            let own = own.filter(|(_, known)| **known == favour);
            let own: Vec<String> = own.map(|(end, _)| quoted(end)).collect();
            if !own.is_empty() {
                let _ = writeln!(out, "    {}: {}", favour.word(), own.join(" | "));
            }
        }
        out
    }
}
