//! What an audit finds can be seen by whoever doubts it: its commands run.

use clap::Parser;
use grapeshot::cli::{self, Cli};
use grapeshot_rules::{Labels, Registry};
use grapeshot_study::audit::{FindingKind, audit, audit_for};

#[test]
fn every_finding_has_its_source_its_evidence_and_commands_that_run() {
    for ruleset in Registry::built_in().printed() {
        let loaded = ruleset.load(&[]).expect("the printed tables load");
        for finding in audit(&loaded).expect("it can be audited").findings {
            assert!(!finding.commands.is_empty(), "{finding:?}");
            assert!(!finding.source.is_empty(), "{finding:?}");
            assert!(!finding.evidence.is_empty(), "{finding:?}");
            for command in &finding.commands {
                let cli = Cli::try_parse_from(command.split(' ')).expect(command);
                let printed = cli::run(cli).unwrap_or_else(|error| panic!("{command}: {error}"));
                assert!(!printed.is_empty(), "{command}");
            }
        }
    }
}

#[test]
fn an_audit_of_one_kind_finds_what_the_whole_finds_of_it_and_looks_for_nothing_else() {
    let ruleset = grapeshot_rules::find("gbacw").expect("a ruleset");
    let loaded = ruleset.load(&[]).expect("the printed tables load");
    let whole = audit(&loaded).expect("it can be audited");
    for label in FindingKind::LABELS {
        let kind = FindingKind::from_label(label).expect("a kind");
        let one = audit_for(&loaded, &[kind]).expect("it can be audited");
        let of_it = whole.findings.iter().filter(|found| found.kind == kind);
        assert_eq!(one.findings, of_it.cloned().collect::<Vec<_>>(), "{label}");
        for (what, searched) in [("dead", "dead parts"), ("paradox", "paradoxes")] {
            let said = one.notes.iter().any(|note| note.contains(searched));
            assert_eq!(said, *label == what, "{label}: {:?}", one.notes);
        }
    }
}
