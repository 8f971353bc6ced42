//! `grapeshot man`: manual pages, made from what the commands say of themselves.

use super::{Cli, CliError};
use crate::publish::folder::OutFile;
use crate::publish::made;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use std::path::PathBuf;

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// Write the page of the program and one for each command into this directory; only what is listed in its .grapeshot,
    /// which is what was written there before, is overwritten
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot man --out ~/.local/share/man/man1
        then: man grapeshot, man grapeshot-odds
  grapeshot man > grapeshot.1
        the first page alone";

pub(super) fn run(args: &ManArgs) -> Result<String, CliError> {
    let mut program = Cli::command();
    program.build();
    let Some(dir) = &args.out else {
        let page = page(&program, "grapeshot")?;
        return Ok(String::from_utf8_lossy(&page).into_owned());
    };
    let mut files = vec![(String::from("grapeshot"), &program)];
    // What `help` has to say stands in the pages.
    let commands = program
        .get_subcommands()
        .filter(|one| one.get_name() != "help");
    files.extend(commands.map(|one| (format!("grapeshot-{}", one.get_name()), one)));
    let files: Vec<OutFile> = files
        .into_iter()
        .map(|(name, command)| {
            let bytes = page(command, &name)?;
            let name = format!("{name}.1");
            Ok(OutFile { name, bytes })
        })
        .collect::<Result<_, CliError>>()?;
    made::write(dir, &files)?;
    Ok(format!(
        "wrote {} pages to {}\n",
        files.len(),
        dir.display()
    ))
}

/// The page of one command, under the name by which `man` finds it.
fn page(command: &Command, name: &str) -> Result<Vec<u8>, CliError> {
    let mut page = Vec::new();
    let man = Man::new(command.clone().display_name(name)).manual("grapeshot");
    man.render(&mut page)
        .map_err(|error| CliError::Other(error.into()))?;
    Ok(page)
}
