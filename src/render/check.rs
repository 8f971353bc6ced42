//! What a check of a ruleset file came to.

use super::number::counted;
use super::{Cell, Column, Document, Report, Table, Tone, data};
use grapeshot_rules::file::{Checked, Fault, Weight};
use grapeshot_study::wording::grouped;
use serde::Serialize;

impl Report for Checked {
    fn document(&self) -> Document {
        let name = if self.rules.is_empty() {
            &self.file
        } else {
            &self.rules
        };
        let mut document = Document::new(format!("Check of {name}"));
        document.fact("file", self.file.clone());
        document.findings.push(verdict(self));
        let faults = self.faults.iter().enumerate();
        document.parts = faults.map(|(at, one)| fault(at + 1, one)).collect();
        if !self.looked.is_empty() {
            document.block("what was looked at", looked(self));
        }
        document.data("faults", faults_data(self));
        document
    }

    fn data(&self) -> serde_json::Value {
        data(&Data {
            version: env!("CARGO_PKG_VERSION"),
            file: &self.file,
            rules: &self.rules,
            errors: self.count(Weight::Error),
            warnings: self.count(Weight::Warning),
            expectations_held: self.held,
            faults: self.faults.iter().map(FaultData::of).collect(),
            procedures: self
                .looked
                .iter()
                .map(|looked| ProcedureData {
                    procedure: &looked.procedure,
                    questions: looked.questions,
                    refused: looked.refused,
                    left_out: looked.left_out,
                    states: looked.states,
                    simulated: looked.simulated,
                    played: looked.played,
                })
                .collect(),
        })
    }
}

/// How it stands, in a sentence.
fn verdict(checked: &Checked) -> String {
    let held = match checked.held {
        0 => String::new(),
        n => format!(" {} as expected.", counted(n, "chance")),
    };
    let (errors, warnings) = (checked.count(Weight::Error), checked.count(Weight::Warning));
    match (errors, warnings) {
        (0, 0) => format!("Nothing is wrong.{held}"),
        (0, n) => format!("It works, with {}.{held}", counted(n, "warning")),
        (n, 0) => format!("{}.{held}", counted(n, "error")),
        (n, m) => format!("{}, {}.{held}", counted(n, "error"), counted(m, "warning")),
    }
}

/// What is wrong, and the lines that go with it.
fn told(fault: &Fault) -> (&str, Vec<&str>) {
    let mut lines = fault.problem.lines();
    let first = lines.next().unwrap_or_default();
    (first, lines.map(str::trim).collect())
}

fn fault(number: usize, fault: &Fault) -> Document {
    let (problem, lines) = told(fault);
    let mut document = Document::new(format!(
        "{number}. {}: {}",
        fault.weight.word(),
        fault.place
    ));
    document.tone = match fault.weight {
        Weight::Error => Tone::Error,
        Weight::Warning => Tone::Warning,
    };
    document.findings.push(problem.into());
    for line in lines {
        document.fact("", line);
    }
    document
}

fn looked(checked: &Checked) -> Table {
    let mut table = Table::new([
        Column::words("procedure"),
        Column::number("questions solved"),
        Column::number("refused"),
        Column::number("too long"),
        Column::number("states"),
        Column::number("trials simulated"),
        Column::number("played directly"),
    ]);
    for looked in &checked.looked {
        table.row([
            Cell::text(&looked.procedure),
            Cell::count(looked.questions as i64),
            Cell::count(looked.refused as i64),
            Cell::count(looked.left_out as i64),
            Cell::count(looked.states as i64),
            Cell::text(grouped(looked.simulated)),
            Cell::text(grouped(looked.played)),
        ]);
    }
    table
}

/// A line for each fault.
fn faults_data(checked: &Checked) -> Table {
    let mut table = Table::named(["weight", "place", "problem", "line"]);
    for fault in &checked.faults {
        let (problem, lines) = told(fault);
        table.row([
            Cell::text(fault.weight.word()),
            Cell::text(&fault.place),
            Cell::text(problem),
            Cell::text(lines.join("; ")),
        ]);
    }
    table
}

#[derive(Serialize)]
struct Data<'a> {
    version: &'a str,
    file: &'a str,
    rules: &'a str,
    errors: usize,
    warnings: usize,
    expectations_held: usize,
    faults: Vec<FaultData<'a>>,
    procedures: Vec<ProcedureData<'a>>,
}

#[derive(Serialize)]
struct FaultData<'a> {
    weight: &'a str,
    place: &'a str,
    problem: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> FaultData<'a> {
    fn of(fault: &'a Fault) -> Self {
        let (problem, lines) = told(fault);
        FaultData {
            weight: fault.weight.word(),
            place: &fault.place,
            problem,
            lines,
        }
    }
}

#[derive(Serialize)]
struct ProcedureData<'a> {
    procedure: &'a str,
    questions: usize,
    refused: usize,
    left_out: usize,
    states: usize,
    simulated: u64,
    played: u64,
}
