//! `grapeshot rules`.

use super::args::RulesArgs;
use super::{CliError, scenario};
use crate::report::{common_page, procedure_page, ruleset_list, ruleset_page, tables_page};
use crate::rules::{self, Loaded, RuleError};

pub(super) fn run(args: &RulesArgs) -> Result<String, CliError> {
    let Some(id) = &args.rules else {
        let all: Result<Vec<Loaded>, RuleError> = rules::ALL.iter().map(|r| r.load(&[])).collect();
        return Ok(ruleset_list(&all?));
    };
    let ruleset = rules::find(id)?;
    let loaded = ruleset.load(&scenario::variants(&args.variant, ruleset.id)?)?;
    Ok(match &args.procedure {
        Some(name) => procedure_page(&loaded, loaded.procedure(name)?),
        None if args.common && id == rules::common::ID => {
            let pages: Result<Vec<String>, RuleError> = rules::comparable()
                .map(|ruleset| {
                    let variants = scenario::variants(&args.variant, rules::common::ID)?;
                    let own = variants.into_iter().filter(|v| v.rules == ruleset.id);
                    common_page(&ruleset.load(&own.collect::<Vec<_>>())?)
                })
                .collect();
            pages?.join("\n")
        }
        None if args.common => common_page(&loaded)?,
        None if args.fight => rules::fight::blank(&loaded)?,
        None if args.tables => tables_page(&loaded)?,
        // As it is kept, comments and all, unless a variant changed it.
        None if args.toml && args.variant.is_empty() && !ruleset.tables.is_empty() => {
            ruleset.tables.into()
        }
        None if args.toml => loaded.tables.to_toml(),
        None => ruleset_page(&loaded)?,
    })
}
