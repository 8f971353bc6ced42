//! The program: parse, run, print, exit code.

use clap::Parser;
use grapeshot::cli::{Cli, complaint, complete, printable, run, shown};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Writing a question out makes many small lists, on every thread at once: with this a sixth to a quarter sooner.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    complete();
    match run(Cli::parse()) {
        Ok(text) => print(&text),
        Err(error) => {
            match error.printed() {
                Some(text) => {
                    print(text);
                }
                None => complain(&complaint(&error)),
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// Says what is wrong; if nobody listens, the exit code still does.
fn complain(problem: &str) {
    let _ = writeln!(std::io::stderr(), "error: {}", printable(problem));
}

/// Prints; a reader that has seen enough (a closed pipe) is no error.
fn print(text: &str) -> ExitCode {
    let mut out = std::io::stdout().lock();
    let text = shown(text);
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("cannot write: {error}"));
            ExitCode::from(2)
        }
    }
}
