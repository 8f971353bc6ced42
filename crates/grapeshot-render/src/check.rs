//! What a check of a ruleset file came to.

use super::number::counted;
use super::records::record;
use super::{Document, Report, Table, Tone};
use grapeshot_rules::Labels;
use grapeshot_rules::drill::{Checked, Fault, Weight};

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
        if !self.procedures.is_empty() {
            document.fact("procedures", self.procedures.join(", "));
        }
        let faults = self.faults.iter().map(record);
        document.data(
            "faults",
            Table::of_records("weight place problem line=lines", faults),
        );
        document
    }
}

/// How it stands, in a sentence.
fn verdict(checked: &Checked) -> String {
    let held = match checked.held {
        0 => String::new(),
        n => format!(" {} as it should.", counted(n, "example")),
    };
    let (errors, warnings) = (checked.count(Weight::Error), checked.count(Weight::Warning));
    match (errors, warnings) {
        (0, 0) => format!("Nothing is wrong.{held}"),
        (0, n) => format!("It works, with {}.{held}", counted(n, "warning")),
        (n, 0) => format!("{}.{held}", counted(n, "error")),
        (n, m) => format!("{}, {}.{held}", counted(n, "error"), counted(m, "warning")),
    }
}

fn fault(number: usize, fault: &Fault) -> Document {
    let mut document = Document::new(format!(
        "{number}. {}: {}",
        fault.weight.label(),
        fault.place
    ));
    document.tone = match fault.weight {
        Weight::Error => Tone::Error,
        Weight::Warning => Tone::Warning,
    };
    document.findings.push(fault.problem.clone());
    for line in &fault.lines {
        document.fact("", line);
    }
    document
}
