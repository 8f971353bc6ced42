//! The printed tables made ready to roll on: shared by every procedure.

use super::combat::CombatChart;
use super::commander::Casualties;
use super::morale::MoraleChart;
use super::tables::Tables;
use super::volley::FireChart;
use crate::{RuleError, TableFile};

/// Everything the procedures roll on.
#[derive(Debug)]
pub(super) struct Charts {
    pub tables: Tables,
    pub fire: FireChart,
    pub morale: MoraleChart,
    pub combat: CombatChart,
    pub casualties: Casualties,
}

impl Charts {
    pub(super) fn new(file: &TableFile) -> Result<Self, RuleError> {
        let tables = Tables::load(file)?;
        Ok(Charts {
            fire: FireChart::new(&tables),
            morale: MoraleChart::new(&tables),
            combat: CombatChart::new(&tables),
            casualties: Casualties::new(&tables),
            tables,
        })
    }
}
