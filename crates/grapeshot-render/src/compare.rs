//! The same fight in every ruleset.

use super::number::{DECIMALS, percent};
use super::{Cell, Column, Document, Picture, Report, Table};
use crate::pictures::compare_charts;
use grapeshot_engine::engine::NoteKind;
use grapeshot_rules::Labels;
use grapeshot_rules::common::{ANOTHER_FIGHT, FightKind};
use grapeshot_study::wording::pairs_as_command;
use grapeshot_study::{Compared, Comparison, Distances, InProportion, Movers, Played};

impl Report for Comparison {
    fn document(&self) -> Document {
        let mut document = Document::new(format!("{} in every ruleset", self.kind.label()));
        match self.given.as_slice() {
            [] => document.fact("given", "nothing; every key at its default"),
            given => document.fact("given", pairs_as_command(given)),
        }
        document.fact("variants", self.variants.join(", "));
        document.findings = another_fight(self);
        let charts = compare_charts(self).into_iter();
        document.pictures = charts.map(|(name, c)| Picture::chart(name, c)).collect();
        for fight in &self.fights {
            document.block(pairs_as_command(&fight.place), rows(self, fight));
        }
        let movers = self.movers.iter();
        let movers: Vec<String> = movers.filter_map(|m| mover_sentence(self, m)).collect();
        document.block("the single key that moves each ruleset most", movers);
        if let [fight] = self.fights.as_slice() {
            for (at, distances) in fight.distances.iter().enumerate() {
                let (heading, matrix) = (distance_heading(distances), matrix(fight, distances));
                match at {
                    0 => document.block(heading, matrix),
                    _ => document.aside(heading, matrix),
                }
            }
        }
        for (kind, heading) in [
            (NoteKind::Assumption, "assumptions that entered"),
            (NoteKind::NoDifference, "what makes no difference"),
            (NoteKind::Remark, "remarks"),
        ] {
            let lines = notes(self, kind);
            if !lines.is_empty() {
                document.aside(heading, lines);
            }
        }
        document.data("fights", fights_data(self));
        document
    }
}

/// One number of a fight.
struct Figure {
    name: String,
    value: f64,
    /// A chance or a share of the men, and not a number of turns.
    share: bool,
}

/// Chances of the results, then turns, then losses.
fn figures(comparison: &Comparison, played: Option<&Played>) -> Vec<Figure> {
    let kind = comparison.kind;
    let headline = played.map(Played::headline);
    let results = kind.results().iter().map(|&result| Figure {
        name: result.to_owned(),
        value: headline.as_ref().map_or(0.0, |marginal| marginal.p(result)),
        share: true,
    });
    let mean = |name: &str| Figure {
        name: format!("mean {}", name.replace('_', " ")),
        value: played.map_or(0.0, |played| played.marginal(name).mean()),
        share: name != "turns",
    };
    let turns = (kind.label() == "firefight").then(|| mean("turns"));
    let losses = kind.losses().iter().map(|(name, _)| mean(name));
    results.chain(turns).chain(losses).collect()
}

fn rows(comparison: &Comparison, fight: &Compared) -> Table {
    let names = figures(comparison, None).into_iter();
    let names = names.map(|figure| Column::number(figure.name));
    let mut table = Table::new(
        [Column::words("ruleset")]
            .into_iter()
            .chain(names)
            .chain([Column::words("found by; assumptions that entered")]),
    );
    for row in &fight.rows {
        let name = Cell::text(&row.rules);
        match &row.played {
            Ok(played) => {
                let cells = figures(comparison, Some(played)).into_iter();
                let cells = cells.map(|figure| match figure.share {
                    true => Cell::chance(figure.value),
                    false => Cell::number(figure.value, 2),
                });
                let found = format!("{}; {}", played.method(), assumed(played));
                table.row([name].into_iter().chain(cells).chain([Cell::text(found)]));
            }
            Err(reason) => {
                let mut cells = vec![name];
                cells.resize(table.columns.len() - 1, Cell::missing(reason));
                cells.push(Cell::text(format!("left out: {reason}")));
                table.row(cells);
            }
        }
    }
    table
}

fn assumed(played: &Played) -> String {
    match played.assumptions() {
        none if none.is_empty() => "none".into(),
        some => some.join(", "),
    }
}

/// The rulesets that could not keep how the sides stand to each other, once each, and the nearest fight that they could.
fn another_fight(comparison: &Comparison) -> Vec<String> {
    let rows = comparison.fights.iter().flat_map(|fight| &fight.rows);
    let mut lines: Vec<String> = Vec::new();
    for row in rows {
        let Some(why) = row.played.as_ref().ok().and_then(Played::another) else {
            continue;
        };
        let mut line = format!("Another fight in {}: {why}.", row.rules);
        if let Some(kept) = &row.in_proportion {
            line += &format!(" {}", kept_in_words(comparison.kind, kept));
        }
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// What a ruleset makes of the nearest fight in which it keeps how the sides stand to each other.
pub fn kept_in_words(kind: FightKind, kept: &InProportion) -> String {
    let [men, others] = kept.men;
    let [one, other] = kept.ratio;
    let headline = kept.played.headline();
    let results = kind
        .results()
        .iter()
        .map(|result| format!("{result} {}", percent(headline.p(result))));
    let results: Vec<String> = results.collect();
    format!(
        "At {men} against {others}, {one}:{other} as here, {}.",
        results.join(", ")
    )
}

/// Every remark of a kind, once each.
fn notes(comparison: &Comparison, kind: NoteKind) -> Vec<String> {
    // In a sweep the fight in its own words differs from cell to cell.
    let own = |name: &str| {
        name == ANOTHER_FIGHT || name == "in its own words" && comparison.fights.len() > 1
    };
    let mut lines: Vec<String> = Vec::new();
    for row in comparison.fights.iter().flat_map(|fight| &fight.rows) {
        let Ok(played) = &row.played else { continue };
        let notes = played.notes.iter();
        for note in notes.filter(|n| n.kind == kind && !own(&n.name)) {
            let line = match kind {
                NoteKind::NoDifference => format!("{}: {}", row.rules, note.text),
                _ => format!("{} {}: {}", row.rules, note.name, note.text),
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

fn distance_heading(distances: &Distances) -> String {
    let scale = match distances.measure {
        "Wasserstein" => "how far the losses must be moved, in shares of the men",
        _ => "the largest difference of probability, 0 to 1",
    };
    let variable = distances.variable.replace('_', " ");
    format!("how far apart, {variable} ({}: {scale})", distances.measure)
}

fn matrix(fight: &Compared, distances: &Distances) -> Table {
    let names = fight.rows.iter().map(|row| Column::number(&row.rules));
    let mut table = Table::new([Column::words("")].into_iter().chain(names));
    for (row, cells) in fight.rows.iter().zip(&distances.matrix) {
        let cells = cells.iter().map(|cell| match cell {
            Some(distance) => Cell::number(*distance, DECIMALS).tinted(-distance),
            None => Cell::missing("one of the two is left out"),
        });
        table.row([Cell::text(&row.rules)].into_iter().chain(cells));
    }
    table
}

/// The strongest key of a ruleset, as a sentence.
fn mover_sentence(comparison: &Comparison, movers: &Movers) -> Option<String> {
    let strongest = movers.movers.first()?;
    if strongest.distance == 0.0 {
        return Some(format!("{}: no single key moves it", movers.rules));
    }
    Some(format!(
        "{}: {}={} (total variation {:.3}; chance of {} from {} to {})",
        movers.rules,
        strongest.key,
        strongest.value,
        strongest.distance,
        comparison.kind.results()[0],
        percent(strongest.from),
        percent(strongest.to),
    ))
}

/// A line for each ruleset of each fight.
fn fights_data(comparison: &Comparison) -> Table {
    let names = figures(comparison, None).into_iter();
    let names = names.map(|figure| figure.name.replace(' ', "_"));
    let heading = comparison.swept.iter().cloned().chain(["ruleset".into()]);
    let tail = ["method", "assumptions", "left_out"].map(String::from);
    let mut table = Table::named(heading.chain(names).chain(tail));
    for fight in &comparison.fights {
        for row in &fight.rows {
            let place = fight.place.iter().map(|(_, v)| Cell::text(v.to_string()));
            let mut line: Vec<Cell> = place.chain([Cell::text(&row.rules)]).collect();
            match &row.played {
                Ok(played) => {
                    let figures = figures(comparison, Some(played)).into_iter();
                    line.extend(figures.map(|figure| Cell::number(figure.value, DECIMALS)));
                    line.push(Cell::text(played.method()));
                    line.push(Cell::text(played.assumptions().join("; ")));
                }
                Err(reason) => {
                    line.resize(table.columns.len() - 1, Cell::empty());
                    line.push(Cell::text(reason));
                }
            }
            table.row(line);
        }
    }
    table
}
