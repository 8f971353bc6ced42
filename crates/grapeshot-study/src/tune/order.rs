//! Tables that stay in order: no edit may put a cell on the wrong side of another, by the order that the
//! ruleset declares for its audit. What is out of order already, or in print, may stay so.

use super::super::audit::{Declared, disorder};
use super::moves::Edit;
use grapeshot_rules::{LoadedRuleset, RuleError};
use std::collections::BTreeSet;

grapeshot_engine::labels! {
    /// Whether tables must stay in order.
    pub enum Keep { Order = "order", Nothing = "none" }
}

/// The order that has to be kept.
pub(super) struct TableOrder<'a> {
    loaded: &'a LoadedRuleset,
    declared: &'a Declared,
    keep: Keep,
    /// What is out of order already.
    known: BTreeSet<String>,
}

impl<'a> TableOrder<'a> {
    pub(super) fn new(
        loaded: &'a LoadedRuleset,
        declared: &'a Declared,
        keep: Keep,
    ) -> Result<Self, RuleError> {
        let mut known = disorder(&loaded.tables, declared, |_| true)?;
        known.extend(disorder(&loaded.ruleset.book.tables()?, declared, |_| {
            true
        })?);
        Ok(TableOrder {
            loaded,
            declared,
            keep,
            known,
        })
    }

    /// What these edits would put out of order, if that matters.
    pub(super) fn broken(&self, edits: &[&Edit]) -> Option<String> {
        match self.keep {
            Keep::Nothing => None,
            Keep::Order => self.disturbed(edits),
        }
    }

    /// What these edits would put out of order.
    fn disturbed(&self, edits: &[&Edit]) -> Option<String> {
        let mut tables = self.loaded.tables.clone();
        edits.iter().for_each(|edit| edit.apply(&mut tables));
        let changes = || edits.iter().flat_map(|edit| &edit.changes);
        let touched = |name: &str| changes().any(|change| change.place.holder() == name);
        let now = disorder(&tables, self.declared, touched).ok()?;
        now.difference(&self.known).next().cloned()
    }

    /// The tables and lists among those touched for which no order is declared.
    pub(super) fn undeclared(&self, holders: &[String]) -> Vec<String> {
        let declared = |holder: &String| {
            let grids = self.declared.grids.iter();
            let mut grids = grids.map(|(name, rule)| rule.table.as_ref().unwrap_or(name));
            let mut lists = self.declared.ladders.values().map(|ladder| &ladder.list);
            grids.any(|name| *holder == format!("tables.{name}"))
                || lists.any(|name| *holder == format!("lists.{name}"))
        };
        holders.iter().filter(|h| !declared(h)).cloned().collect()
    }
}
