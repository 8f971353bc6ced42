//! `grapeshot rules`.

use super::output::{self, Format, Output, Styling};
use super::{CliError, scenario};
use crate::publish::folder::OutFile;
use crate::publish::made;
use crate::render::{CommonWords, PrintedTables, ProcedurePage, Report, RulesetList, RulesetPage};
use clap::Args;
use clap_complete::ArgValueCompleter;
use grapeshot_rules::{LoadedRuleset, Registry, RuleError, drill};
use std::path::{Path, PathBuf};

/// Arguments of `rules`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RulesArgs {
    /// A ruleset; all of them if not given
    #[arg(add = ArgValueCompleter::new(super::completing::rulesets))]
    pub rules: Option<String>,
    /// A procedure of it
    #[arg(add = ArgValueCompleter::new(super::completing::words))]
    pub procedure: Option<String>,
    /// Print the tables
    #[arg(long, requires = "rules", conflicts_with_all = ["procedure", "toml"])]
    pub tables: bool,
    /// Print the effective table file, to start a variant from
    #[arg(long, requires = "rules", conflicts_with_all = ["procedure", "format"])]
    pub toml: bool,
    /// Print the rules as they are written, or one rule with the tables it names; --out FOLDER writes all files
    #[arg(long, value_name = "RULE", num_args = 0..=1, requires = "rules", conflicts_with_all = ["procedure", "toml", "tables", "fight", "common", "format", "variant"])]
    pub text: Option<Option<String>>,
    /// Print a fight file to start from: every key of the fight, with its default
    #[arg(long, requires = "rules", conflicts_with_all = ["procedure", "toml", "tables", "common", "format"])]
    pub fight: bool,
    /// Print how common fights are said in these rules, with the assumptions
    #[arg(long, requires = "rules", conflicts_with_all = ["procedure", "toml", "tables"])]
    pub common: bool,
    /// Lay a variant over the printed tables (repeatable)
    #[arg(long, value_name = "VARIANT.toml", requires = "rules")]
    pub variant: Vec<PathBuf>,
    #[command(flatten)]
    styling: Styling,
    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  grapeshot rules                       every ruleset and its procedures
  grapeshot rules elephant              readings, assumptions and tables of one
  grapeshot rules elephant charge       settings and variables of a procedure
  grapeshot rules elephant --tables     the printed tables
  grapeshot rules elephant --toml       the table file a variant starts from
  grapeshot rules gbacw --text passes   a rule as it is written, its tables beside it
  grapeshot rules gbacw --text --out my-gbacw
        all of it as a ruleset of your own: grapeshot odds my-gbacw charge
  grapeshot rules elephant --fight      a fight file to start from, for --file
  grapeshot rules gbacw --common        how common fights are said in it, with the assumptions
  grapeshot rules elephant --tables --out tables.html
        the printed tables as a page
  grapeshot rules elephant --tables --style de.toml --format typst
        in the words of a book
  grapeshot rules elephant --tables --format csv --out tables
        each table as a file of its own in the folder
  grapeshot rules elephant --tables --variant house.toml --format latex
        as they are typeset, cells that the variant changes marked with a dagger";

pub(super) fn run(args: &RulesArgs) -> Result<String, CliError> {
    if let (Some(rule), Some(id)) = (&args.text, &args.rules) {
        return text(id, rule.as_deref(), args.output.out.as_deref());
    }
    let mut output = args.output.clone();
    if args.toml || args.fight {
        // Whatever the file is called, it is a file to be read again.
        output.printing.format = Some(Format::Table);
    }
    if args.styling.style.is_some() && !args.tables {
        let problem = "--style sets tables in the words of a book: it goes with --tables";
        return Err(RuleError::Other(problem.into()).into());
    }
    let style = args.styling.read()?;
    if let (true, Some(id), Some(folder)) = (args.tables, &args.rules, spreadsheets(&output)) {
        let loaded = grapeshot_rules::find(id)?.load(&scenario::variants(&args.variant)?)?;
        let tables = PrintedTables::new(&loaded)?.spreadsheets(&style.unwrap_or_default());
        return write_spreadsheets(folder, tables);
    }
    let destination = output.open()?.in_style(style);
    let Some(id) = &args.rules else {
        let all = Registry::built_in().all().iter();
        let all: Result<Vec<LoadedRuleset>, RuleError> = all.map(|r| r.load(&[])).collect();
        return destination.deliver(&RulesetList(&all?));
    };
    let ruleset = grapeshot_rules::find(id)?;
    let loaded = ruleset.load(&scenario::variants(&args.variant)?)?;
    match &args.procedure {
        Some(name) => destination.deliver(&ProcedurePage::new(&loaded, name)?),
        None if args.common && !ruleset.is_printed() => {
            let variants = scenario::variants(&args.variant)?;
            let players = ruleset.book.players().iter();
            let all: Result<Vec<LoadedRuleset>, RuleError> = players
                .map(|ruleset| {
                    let own = variants.iter().filter(|v| ruleset.takes(v));
                    ruleset.load(&own.cloned().collect::<Vec<_>>())
                })
                .collect();
            destination.deliver(&CommonWords::new(&all?)?)
        }
        None if args.common => destination.deliver(&CommonWords::new(&[loaded])?),
        None if args.fight => destination.write(grapeshot_rules::fight::blank(&loaded)?),
        None if args.tables => destination.deliver(&PrintedTables::new(&loaded)?),
        // As it is kept, comments and all, unless a variant changed it.
        None if args.toml => destination.write(match ruleset.book.written() {
            Some(text) if args.variant.is_empty() => text,
            _ => loaded.tables.to_toml(),
        }),
        None => destination.deliver(&RulesetPage::new(&loaded)?),
    }
}

/// The folder that spreadsheets go into, if they do: CSV to a name without an ending.
fn spreadsheets(output: &Output) -> Option<&Path> {
    let folder = output.out.as_deref()?;
    let is_folder = folder.is_dir() || folder.extension().is_none();
    (is_folder && output.printing.format == Some(Format::Csv)).then_some(folder)
}

/// Writes a file for each table; none, if one of them would take the place of somebody else's.
fn write_spreadsheets(folder: &Path, tables: Vec<(String, String)>) -> Result<String, CliError> {
    let files = tables.into_iter().map(|(name, text)| OutFile {
        name: format!("{name}.csv"),
        bytes: text.into_bytes(),
    });
    let files: Vec<OutFile> = files.collect();
    made::write(folder, &files)?;
    let said = files
        .iter()
        .map(|file| format!("wrote {}\n", folder.join(&file.name).display()));
    Ok(said.collect())
}

/// Prints the text of a ruleset or of one rule, or writes its files into a folder, where nothing is overwritten.
fn text(id: &str, rule: Option<&str>, out: Option<&Path>) -> Result<String, CliError> {
    let ruleset = grapeshot_rules::find(id)?;
    let files = ruleset.book.files();
    if files.is_empty() {
        let problem = format!("`{id}` is not written in the rules language yet");
        return Err(RuleError::Other(problem).into());
    }
    let texts = || {
        let texts = files.iter().filter(|(name, _)| name.ends_with(".drill"));
        texts.filter(|(name, _)| *name != "examples.drill")
    };
    if let Some(rule) = rule {
        let mut items = texts().filter_map(|(_, text)| drill::item(text, rule));
        let item = items.next().ok_or_else(|| {
            let known = texts().flat_map(|(_, text)| drill::items(text));
            RuleError::unknown(
                format!("rule, procedure, unit or words of {id}"),
                rule,
                known,
            )
        })?;
        let tables = PrintedTables::new(&ruleset.load(&[])?)?.named_in(&item);
        let tables = crate::render::text(&tables.document(), crate::render::Layout::default());
        return Ok(format!("{item}\n{tables}"));
    }
    let Some(out) = out else {
        // One text after the other, each under the name it is used by.
        let first = files[0].1.to_owned();
        let parts = texts().skip(1);
        let parts = parts.map(|(name, text)| format!("\n# ==== {name}\n\n{text}"));
        return Ok(first + &parts.collect::<String>());
    };
    // A copy that was killed half-way is ended: what is there as it should be is left.
    let is_copied = |name: &str, text: &str| {
        std::fs::read(out.join(name)).is_ok_and(|there| there == text.as_bytes())
    };
    let whole = files.iter().all(|(name, text)| is_copied(name, text));
    for (name, text) in &files {
        if out.join(name).exists() && (whole || !is_copied(name, text)) {
            return Err(CliError::write(
                &out.join(name),
                "it is there and is not overwritten",
            ));
        }
    }
    for (name, text) in files.iter().filter(|(name, text)| !is_copied(name, text)) {
        output::write_new(&out.join(name), text)?;
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let shown = scenario::shown(out);
    Ok(format!(
        "wrote {} into {shown}\n\nnext: grapeshot check {shown}\n      grapeshot rules {shown}\n",
        names.join(", ")
    ))
}
