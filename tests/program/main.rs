//! The program as it is typed: every command, in a folder of its own.
//!
//! `cargo test --release --test program NAME` runs the tests of one module, or one test; `GRAPESHOT_PROGRAM` names another
//! program to be put to them.

#[path = "../common/files.rs"]
mod files;
#[path = "../common/program.rs"]
mod program;

#[cfg(unix)]
mod as_written;
mod battle;
mod cli;
mod cli_wrong;
mod data;
mod decide;
mod editions;
#[cfg(unix)]
mod faults;
mod fight;
mod formats;
mod golden;
#[cfg(unix)]
mod hostile;
mod house;
mod instruments;
#[cfg(target_os = "linux")]
mod kills;
#[cfg(target_os = "linux")]
mod largest;
mod luck;
mod own_commands;
mod run;
mod shards;
mod tables;
mod theirs;
mod tune;
mod words;
mod workbench;
