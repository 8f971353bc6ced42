//! `grapeshot serve`.

use super::{CliError, scenario};
use crate::serve::{ServeError, Serving, serve};
use clap::Args;
use grapeshot_rules::drill::{file_of, read};
use grapeshot_rules::{RuleError, Ruleset, read_text};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Arguments of `serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArgs {
    /// Where to listen; 0.0.0.0:8063 lets in everybody on the network, and prints a code to scan
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8063")]
    addr: SocketAddr,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// A ruleset of one's own: its folder, or its text (repeatable)
    #[arg(long, value_name = "RULES")]
    rules: Vec<String>,
    /// Lay a variant over the printed tables of its ruleset (repeatable; later ones win)
    #[arg(long, value_name = "VARIANT.toml")]
    variant: Vec<PathBuf>,
    /// Units that stand at hand on every phone, as grapeshot field takes them (repeatable)
    #[arg(long, value_name = "ROSTER.toml")]
    roster: Vec<PathBuf>,
    /// A name of this machine to which the page answers besides its address, such as table.local (repeatable)
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Let pages of other sites ask for data under /api
    #[arg(long)]
    cors: bool,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot serve --open
        the page on this machine, at http://127.0.0.1:8063/
  grapeshot serve --addr 0.0.0.0:8063
        for the phones at the table: prints the address and a code to scan
  grapeshot serve --rules ./my-rules
        with a ruleset of one's own among the others
  grapeshot serve --roster experiments/rosters/union.toml --roster experiments/rosters/csa.toml
        with the units of tonight, each a tap away on either side
  grapeshot serve --variant house.toml
        with a house rule in force on every page";

pub(super) fn run(args: &ServeArgs) -> Result<String, CliError> {
    let served = serve(Serving {
        addr: args.addr,
        open: args.open,
        cors: args.cors,
        hosts: args.host.clone(),
        rulesets: args
            .rules
            .iter()
            .map(|path| own(path))
            .collect::<Result<_, _>>()?,
        variants: scenario::variants(&args.variant)?,
        rosters: args
            .roster
            .iter()
            .map(|path| Ok((scenario::shown(path), read_text(path)?)))
            .collect::<Result<_, RuleError>>()?,
    });
    match served {
        Ok(()) => Ok("\n".into()),
        Err(ServeError::Rule(error)) => Err(error.into()),
        Err(error @ ServeError::Address { .. }) => Err(RuleError::Other(error.to_string()).into()),
        Err(error) => Err(CliError::Other(error.into())),
    }
}

/// A ruleset from its folder or file.
fn own(path: &str) -> Result<Ruleset, RuleError> {
    let file = file_of(path).ok_or_else(|| {
        let problem = format!("--rules {path}: there is no such folder or file");
        RuleError::Other(problem)
    })?;
    read(&file)
}

#[cfg(test)]
mod tests {
    use crate::cli::Cli;
    use clap::{ArgAction, CommandFactory};
    use grapeshot_page::options::{Takes, known};

    /// What the command line takes and a stranger may not say: files, printing, and how much work it may be.
    const OURS: &[&str] = &[
        "all",
        "by",
        "cells",
        "chart",
        "charts",
        "error",
        "file",
        "format",
        "free",
        "help",
        "log",
        "max-cells",
        "max-states",
        "mine",
        "out",
        "pairs",
        "precision",
        "procedure",
        "roster",
        "shard",
        "style",
        "threads",
        "top",
        "trace",
        "unit",
        "variant",
        "write",
    ];

    #[test]
    fn programs_say_what_the_command_line_takes_and_nothing_else() {
        let mut cli = Cli::command();
        cli.build();
        for command in [
            "odds", "decide", "luck", "what-if", "weigh", "condense", "field", "skill",
        ] {
            let typed = cli.find_subcommand(command).expect("a command");
            let long = |name: &str| {
                typed
                    .get_arguments()
                    .find(|arg| arg.get_long() == Some(name))
            };
            for (name, takes) in known(command) {
                let what = format!("{name} of {command}");
                let arg = long(name).unwrap_or_else(|| panic!("no {what} can be typed"));
                let words = arg.get_possible_values();
                let words: Vec<&str> = words.iter().map(|word| word.get_name()).collect();
                let says_nothing = matches!(arg.get_action(), ArgAction::SetTrue);
                assert_eq!(says_nothing, matches!(takes, Takes::Nothing), "{what}");
                // Whatever is said, both take it or neither.
                let tried = |value: &str| {
                    let typed = cli.clone().try_get_matches_from([
                        "grapeshot",
                        command,
                        "a",
                        "b",
                        &format!("--{name}={value}"),
                    ]);
                    typed.is_ok()
                };
                match *takes {
                    Takes::Nothing | Takes::Text => {}
                    Takes::One(known) => assert_eq!(words, known, "{what}"),
                    Takes::Whole(least, most) => {
                        assert!(
                            tried(&least.to_string()) && tried(&most.to_string()),
                            "{what}"
                        );
                        assert!(least == 0 || !tried(&(least - 1).to_string()), "{what}");
                        assert!(!tried("many"), "{what}");
                    }
                    Takes::Such(fits, _) => {
                        for value in ["d1", "d2", "D20", "d1000", "d1001", "20", "d", "dd", ""] {
                            assert_eq!(tried(value), fits(value), "{what}: {value}");
                        }
                    }
                }
            }
            for arg in typed.get_arguments() {
                let Some(name) = arg.get_long() else { continue };
                let is_known = known(command).iter().any(|(known, _)| *known == name);
                let simulates = ["method", "trials", "seed"].contains(&name);
                assert!(
                    is_known || simulates || OURS.contains(&name),
                    "--{name} of {command}: may a stranger say it?"
                );
            }
        }
    }
}
