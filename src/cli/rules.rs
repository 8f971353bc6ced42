//! `grapeshot rules`.

use super::args::RulesArgs;
use super::{CliError, scenario};
use crate::report::{common_page, procedure_page, ruleset_list, ruleset_page, tables_page};
use crate::rules::{self, Loaded, Registry, RuleError};

pub(super) fn run(args: &RulesArgs) -> Result<String, CliError> {
    let Some(id) = &args.rules else {
        let all: Result<Vec<Loaded>, RuleError> = Registry::built_in()
            .all()
            .iter()
            .map(|ruleset| ruleset.load(&[]))
            .collect();
        return Ok(ruleset_list(&all?));
    };
    let ruleset = rules::find(id)?;
    let loaded = ruleset.load(&scenario::variants(&args.variant)?)?;
    Ok(match &args.procedure {
        Some(name) => procedure_page(&loaded, loaded.procedure(name)?),
        None if args.common && !ruleset.is_printed() => {
            let players = ruleset.book.players().iter();
            let pages: Result<Vec<String>, RuleError> = players
                .map(|ruleset| {
                    let variants = scenario::variants(&args.variant)?;
                    let own = variants.into_iter().filter(|v| ruleset.takes(v));
                    common_page(&ruleset.load(&own.collect::<Vec<_>>())?)
                })
                .collect();
            pages?.join("\n")
        }
        None if args.common => common_page(&loaded)?,
        None if args.fight => rules::fight::blank(&loaded)?,
        None if args.tables => tables_page(&loaded)?,
        // As it is kept, comments and all, unless a variant changed it.
        None if args.toml => match ruleset.book.written() {
            Some(text) if args.variant.is_empty() => text.into(),
            _ => loaded.tables.to_toml(),
        },
        None => ruleset_page(&loaded)?,
    })
}
