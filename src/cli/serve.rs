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
