//! What an audit finds can be seen by whoever doubts it: its commands run.

use clap::Parser;
use grapeshot::cli::{self, Cli};
use grapeshot_rules::Registry;
use grapeshot_study::audit::audit;

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
