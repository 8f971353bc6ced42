//! Which cells do what a designer wants.

use super::number::{DECIMALS, counted, grouped};
use super::quantity::{amount, amount_cell, change_cell, signed};
use super::{Body, Cell, Column, Document, Report, Table};
use grapeshot_engine::dist::Estimate;
use grapeshot_study::tune::{Change, Elsewhere, Solution, Target, Tuned};
use grapeshot_study::wording::pairs_as_command;
use serde::Serialize;

/// Questions named that move beside the targets.
const BESIDE: usize = 8;

/// What was tuned, with so many solutions for readers.
#[derive(Debug, Serialize)]
pub struct TuneReport {
    /// What was found.
    #[serde(flatten)]
    pub found: Tuned,
    /// Solutions and effects shown to readers.
    #[serde(skip)]
    pub top: usize,
    /// The variant that the best solution is, as a file.
    pub variant: Option<String>,
}

impl Report for TuneReport {
    fn document(&self) -> Document {
        let tuned = &self.found;
        let wanted: Vec<String> = tuned.targets.iter().map(wanted).collect();
        let mut document = Document::new(format!("{}: {}", tuned.rules, wanted.join("; ")));
        document.fact("", tuned.methods.text());
        document.fact("variants", tuned.variants.join(", "));
        document.fact(
            "varied",
            format!("{} ({})", tuned.vary.join(", "), cells(tuned)),
        );
        document.findings = findings(tuned);
        document.block("targets", targets_table(tuned));
        if !tuned.solutions.is_empty() {
            let table = solutions_table(tuned, &tuned.solutions);
            document.block(
                "what does it, fewest cells first",
                table.at_most(self.top, "--top"),
            );
        }
        if let Some(nearest) = &tuned.nearest {
            let table = solutions_table(tuned, std::slice::from_ref(nearest));
            document.block("the nearest miss", table);
        }
        let beside = tuned.solutions.iter().find_map(|s| s.elsewhere.as_ref());
        if let Some(beside) = beside {
            document.block("what else the first one moves", beside_body(beside));
        }
        if !tuned.effects.is_empty() {
            let effects = effects_table(tuned).at_most(self.top, "--top");
            document.block("what the smallest edit of a cell does alone", effects);
        }
        if let Some(variant) = &self.variant {
            let heading = "the first one as a variant (--write FILE.toml saves it)";
            document.block(heading, Body::Verbatim(variant.clone()));
        }
        document.notes = notes(tuned);
        document.data("solutions", solutions_data(tuned));
        document.data("effects", effects_data(tuned));
        document
    }
}

fn cells(tuned: &Tuned) -> String {
    let read = match tuned.already() {
        true => String::new(),
        false => format!(", {} of them read by the questions", tuned.read),
    };
    format!("{}{read}", counted(tuned.cells, "cell"))
}

/// A target as it would be said.
fn wanted(target: &Target) -> String {
    let value = |x: f64| amount(&target.quantity, &Estimate::exact(x));
    let range = match (target.low.is_finite(), target.high.is_finite()) {
        (true, true) if target.low < target.high => {
            format!("from {} to {}", value(target.low), value(target.high))
        }
        (true, true) => value(target.aim),
        (true, false) => format!("at least {}", value(target.low)),
        _ => format!("at most {}", value(target.high)),
    };
    format!("{} {range} in {}", target.quantity, question(target))
}

fn question(target: &Target) -> String {
    match pairs_as_command(&target.given()).as_str() {
        "" => target.procedure.clone(),
        given => format!("{} {given}", target.procedure),
    }
}

/// An edit in words.
fn said(change: &Change) -> String {
    format!("{} {} → {}", change.place, change.before, change.after)
}

fn all_said(solution: &Solution) -> String {
    let said: Vec<String> = solution.changes().map(said).collect();
    said.join("; ")
}

fn findings(tuned: &Tuned) -> Vec<String> {
    if tuned.already() {
        return vec!["already met: nothing needs to change".into()];
    }
    let mut found = Vec::new();
    match tuned.solutions.first() {
        Some(best) => {
            let single = tuned.solutions.iter().filter(|s| s.cells() == 1).count();
            found.push(format!(
                "the smallest change of {}: {}",
                counted(best.cells(), "cell"),
                all_said(best)
            ));
            if single > 0 {
                let does = if single == 1 { "does" } else { "do" };
                found.push(format!("{} {does} it alone", counted(single, "edit")));
            } else if tuned.fewest_proved() {
                found.push(
                    "proved: fewer edits cannot do it; all of them, of the values a cell was moved to, were solved".into(),
                );
            } else {
                found.push(format!(
                    "not proved: that fewer edits cannot do it; {}",
                    left_out(tuned, best.cells())
                ));
            }
        }
        None => {
            found.push(format!(
                "nothing with up to {} meets every target",
                counted(tuned.max_edits, "edit")
            ));
            found.extend(in_the_way(tuned));
        }
    }
    found
}

/// Of sets of fewer edits than so many, what was not solved.
fn left_out(tuned: &Tuned, than: usize) -> String {
    let some = tuned.looked.iter().filter(|l| l.edits < than && !l.all());
    let some: Vec<String> = some
        .map(|l| {
            let [possible, solved] = [l.possible, l.solved].map(|n| grouped(n as u64));
            match l.edits {
                1 => format!(
                    "of {possible} single edits {solved} were solved, the others are of cells that moved nothing when all were changed at once"
                ),
                n => format!("of {possible} sets of {n} edits {solved} were solved, the most promising first"),
            }
        })
        .collect();
    some.join("; ")
}

/// Why nothing does it: what is not read, not reached, too coarse or out of order.
fn in_the_way(tuned: &Tuned) -> Vec<String> {
    let mut found = Vec::new();
    for ((target, &before), reach) in tuned.targets.iter().zip(&tuned.before).zip(&tuned.reach) {
        let value = |x: f64| amount(&target.quantity, &Estimate::exact(x));
        let name = format!("{} in {}", target.quantity, question(target));
        let moved = reach.filter(|(low, high)| high - low > 1e-12 || (low - before).abs() > 1e-12);
        match moved {
            _ if target.miss(before) == 0.0 => {}
            None => found.push(format!("no cell that was varied moves {name}: it stays at {}", value(before))),
            Some((low, high)) if high < target.low || low > target.high => found.push(format!(
                "out of reach of any single edit: {name} goes from {} to {}",
                value(low.min(before)),
                value(high.max(before))
            )),
            Some(_) if tuned.targets.len() == 1 => found.push(format!(
                "too coarse: single edits move {name} past the target and not into it; a wider --tolerance or more cells in --vary may help"
            )),
            Some(_) => {}
        }
    }
    if let Some((solution, broken)) = &tuned.out_of_order {
        let mut met = tuned.targets.iter().zip(&solution.values);
        let does = match met.all(|(target, &value)| target.miss(value) == 0.0) {
            true => "do it",
            false => "come nearer",
        };
        found.push(format!(
            "order stands in the way: {} would {does}, and put out of order {broken} (--keep none allows it)",
            all_said(solution)
        ));
    }
    if let Some(nearest) = &tuned.nearest {
        found.push(format!("the nearest: {}", all_said(nearest)));
    }
    found.push(match left_out(tuned, tuned.max_edits + 1).as_str() {
        "" => "proved: all sets of so many edits, of the values a cell was moved to, were solved"
            .into(),
        left => format!("not proved: that nothing does it; {left}"),
    });
    found
}

fn targets_table(tuned: &Tuned) -> Table {
    let mut columns = vec![Column::words("target"), Column::number("now")];
    let best = tuned.solutions.first().or(tuned.nearest.as_ref());
    columns.extend(best.map(|_| Column::number("then")));
    let mut table = Table::new(columns);
    for (at, target) in tuned.targets.iter().enumerate() {
        let cell = |x: f64| amount_cell(&target.quantity, &Estimate::exact(x));
        let mut row = vec![Cell::text(wanted(target)), cell(tuned.before[at])];
        row.extend(best.map(|solution| cell(solution.values[at])));
        table.row(row);
    }
    table
}

fn solutions_table(tuned: &Tuned, solutions: &[Solution]) -> Table {
    let mut columns = vec![
        Column::number("cells"),
        Column::number("size"),
        Column::words("edits"),
    ];
    let many = tuned.targets.len() > 1;
    for (at, target) in tuned.targets.iter().enumerate() {
        columns.push(Column::number(match many {
            true => format!("{} ({})", target.quantity, at + 1),
            false => target.quantity.to_string(),
        }));
    }
    let mut table = Table::new(columns);
    for solution in solutions {
        let values = tuned.targets.iter().zip(&solution.values);
        let values = values.map(|(t, x)| amount_cell(&t.quantity, &Estimate::exact(*x)));
        let head = [
            Cell::number(solution.cells() as f64, 0),
            Cell::text(super::number::short(solution.size())),
            Cell::text(all_said(solution)),
        ];
        table.row(head.into_iter().chain(values));
    }
    table
}

fn beside_body(beside: &Elsewhere) -> Body {
    if beside.moved.is_empty() {
        let asked = counted(beside.asked, "other question");
        return Body::Text(format!("nothing: {asked} answered as before"));
    }
    let mut table = Table::new([
        Column::words("question"),
        Column::words("quantity"),
        Column::number("before"),
        Column::number("after"),
        Column::number("change"),
    ]);
    for moved in &beside.moved {
        let cell = |x: f64| amount_cell(&moved.quantity, &Estimate::exact(x));
        let by = Estimate::exact(moved.after - moved.before);
        table.row([
            Cell::text(format!(
                "{} {}",
                moved.procedure,
                pairs_as_command(&moved.given)
            )),
            Cell::text(moved.quantity.to_string()),
            cell(moved.before),
            cell(moved.after),
            change_cell(&moved.quantity, &by),
        ]);
    }
    Body::Table(table.at_most(BESIDE, "diff"))
}

fn effects_table(tuned: &Tuned) -> Table {
    let columns = [Column::words("edit")].into_iter();
    let targets = tuned.targets.iter();
    let mut table =
        Table::new(columns.chain(targets.map(|t| Column::number(t.quantity.to_string()))));
    for effect in &tuned.effects {
        let changes: Vec<String> = effect.edit.changes.iter().map(said).collect();
        let by = tuned.targets.iter().zip(&effect.by);
        let by = by.map(|(t, by)| Cell::text(signed(&t.quantity, *by)));
        table.row([Cell::text(changes.join("; "))].into_iter().chain(by));
    }
    table
}

fn notes(tuned: &Tuned) -> Vec<String> {
    let mut notes = Vec::new();
    if tuned.already() {
        return notes;
    }
    notes.push(
        "a number was moved up to 6 either way and to what else stands in its line, a result to every result of its scale; effects are differences of solved answers, not estimates".into(),
    );
    if !tuned.unordered.is_empty() {
        let list = tuned.unordered.join(", ");
        notes.push(format!(
            "no order is declared for {list}, so none was kept there"
        ));
    }
    let beside = tuned.solutions.iter().find_map(|s| s.elsewhere.as_ref());
    if let Some(beside) = beside {
        let left_out = match beside.left_out {
            0 => String::new(),
            n => format!("; {n} too large were left out"),
        };
        notes.push(format!(
            "what else moves was looked for in {}: every procedure as it stands, and cells of the bundled studies{left_out}",
            counted(beside.asked, "question")
        ));
    }
    if !tuned.variants.is_empty() {
        notes.push(format!(
            "the edits stand on {}: lay the new variant over it with a second --variant",
            tuned.variants.join(", ")
        ));
    }
    notes
}

/// A line for each cell of each solution.
fn solutions_data(tuned: &Tuned) -> Table {
    let names = ["solution", "cells", "size", "cell", "before", "after"];
    let targets = (1..=tuned.targets.len()).map(|at| format!("target_{at}"));
    let mut table = Table::named(names.map(String::from).into_iter().chain(targets));
    for (at, solution) in tuned.solutions.iter().enumerate() {
        for change in solution.changes() {
            let head = [
                Cell::number((at + 1) as f64, 0),
                Cell::number(solution.cells() as f64, 0),
                Cell::number(solution.size(), DECIMALS),
                Cell::text(change.place.to_string()),
                Cell::text(change.before.clone()),
                Cell::text(change.after.clone()),
            ];
            let values = solution.values.iter().map(|x| Cell::number(*x, DECIMALS));
            table.row(head.into_iter().chain(values));
        }
    }
    table
}

fn effects_data(tuned: &Tuned) -> Table {
    let names = ["cell", "before", "after"].map(String::from).into_iter();
    let targets = (1..=tuned.targets.len()).map(|at| format!("target_{at}"));
    let mut table = Table::named(names.chain(targets));
    for effect in &tuned.effects {
        for change in &effect.edit.changes {
            let head = [
                Cell::text(change.place.to_string()),
                Cell::text(change.before.clone()),
                Cell::text(change.after.clone()),
            ];
            let by = effect.by.iter().map(|x| Cell::number(*x, DECIMALS));
            table.row(head.into_iter().chain(by));
        }
    }
    table
}
