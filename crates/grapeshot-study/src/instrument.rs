//! Instruments in a study: what `weigh`, `field`, `condense` and `skill` would say of its procedure, under its settings.
//!
//! A study has one table for each that it wants, with the options of the command as entries; what is found is its
//! sentences, charts and data beside those of its cells.

#[cfg(feature = "field")]
use crate::condense::{self, CondenseAsked, Condensed};
use crate::decide::{Skill, skill};
#[cfg(feature = "field")]
use crate::field::{self, Field};
#[cfg(feature = "field")]
use crate::roster::{Roster, read_roster};
use crate::weigh::{WeighAsked, Weighing};
use crate::workbench::Workbench;
use grapeshot_engine::engine::Budget;
use grapeshot_rules::{Entries, Given, LoadedRuleset, OddsError, Options, RuleError};
#[cfg(feature = "field")]
use std::sync::Arc;

/// What a study wants beside its cells.
#[derive(Debug, Clone, PartialEq)]
pub enum InstrumentAsked {
    /// `[weigh]`: what carries the result.
    Weigh(WeighAsked),
    /// `[field]`: the files of rosters, and what is compared.
    #[cfg(feature = "field")]
    Field(Vec<String>, Option<String>),
    /// `[condense]`: one roll for all of it.
    #[cfg(feature = "field")]
    Condense(CondenseAsked),
    /// `[skill]`: what play is worth.
    Skill,
}

/// What an instrument found.
#[derive(Debug, Clone)]
pub enum Instrument {
    /// What carries the result.
    Weigh(Box<Weighing>),
    /// Orders of battle.
    #[cfg(feature = "field")]
    Field(Box<Field>),
    /// One roll.
    #[cfg(feature = "field")]
    Condense(Box<Condensed>),
    /// What play is worth.
    Skill(Box<Skill>),
}

/// The instruments that there are, as a study and the command line call them.
const NAMES: [&str; 4] = ["weigh", "field", "condense", "skill"];

impl InstrumentAsked {
    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            InstrumentAsked::Weigh(_) => NAMES[0],
            #[cfg(feature = "field")]
            InstrumentAsked::Field(..) => NAMES[1],
            #[cfg(feature = "field")]
            InstrumentAsked::Condense(_) => NAMES[2],
            InstrumentAsked::Skill => NAMES[3],
        }
    }

    /// Reads those of a study.
    pub(super) fn read_all(top: &mut Entries<'_>) -> Vec<Self> {
        let mut found = Vec::new();
        for name in NAMES {
            let Some(mut table) = top.table(name) else {
                continue;
            };
            let read = match name {
                "weigh" => InstrumentAsked::Weigh(WeighAsked {
                    over: table.maybe("over").unwrap_or_default(),
                    cells: table.maybe("cells").unwrap_or_default(),
                    by: table.whole("by", 1..=1000),
                    of: table.maybe("of"),
                    most_cells: table
                        .whole("max_cells", 100..=10_000_000)
                        .map(|n| n as usize),
                }),
                #[cfg(feature = "field")]
                "field" => {
                    if !table.has("rosters") {
                        table.problem("rosters", "is missing: one file of units or a list of them");
                    }
                    let rosters = table.maybe("rosters").unwrap_or_default();
                    InstrumentAsked::Field(rosters, table.maybe("of"))
                }
                #[cfg(feature = "field")]
                "condense" => {
                    let faces = 2..=i64::from(condense::MOST_FACES);
                    InstrumentAsked::Condense(CondenseAsked {
                        die: table.whole("die", faces).map(|n| n as u32),
                        rows: table.maybe("rows"),
                        columns: table.maybe("columns"),
                        of: table.maybe("of"),
                        error: table.maybe("error"),
                        free: table.maybe("free").unwrap_or(false),
                        modifiers: table.maybe("modifiers").unwrap_or(false),
                    })
                }
                "skill" => InstrumentAsked::Skill,
                other => {
                    top.problem(
                        other,
                        "is not known to this program, which was built without it",
                    );
                    continue;
                }
            };
            table.finish();
            found.push(read);
        }
        found
    }

    /// The files it names, beside the study.
    pub(super) fn files(&self) -> &[String] {
        match self {
            #[cfg(feature = "field")]
            InstrumentAsked::Field(rosters, _) => rosters,
            _ => &[],
        }
    }
}

/// An instrument with everything that it needs, looked at before anything is asked.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    pub(super) asked: InstrumentAsked,
    #[cfg(feature = "field")]
    rosters: Vec<Roster>,
}

impl Laid {
    /// Lays one out; `texts` are those of the files it names.
    ///
    /// # Errors
    /// Says what is wrong, as far as it can be known beforehand.
    pub(super) fn out(
        asked: &InstrumentAsked,
        texts: &[(String, String)],
        (loaded, procedure, held): (&LoadedRuleset, &str, &Given),
        options: Options,
    ) -> Result<Self, RuleError> {
        let bench = Workbench::new(loaded, procedure, held.clone(), options);
        match asked {
            InstrumentAsked::Weigh(asked) => asked.check(&bench?)?,
            #[cfg(feature = "field")]
            InstrumentAsked::Field(_, of) => drop(bench?.quantity(of.as_deref())?),
            #[cfg(feature = "field")]
            InstrumentAsked::Condense(asked) => asked.check(&bench?)?,
            InstrumentAsked::Skill => drop(loaded.decision(procedure)?),
        }
        #[cfg(feature = "field")]
        {
            let read = texts.iter().map(|(name, text)| {
                read_roster(name, text, |rules| match rules == loaded.id() {
                    // With the variants of the study, whatever it is called.
                    true => Ok(Arc::new(loaded.with_tables(loaded.tables.clone())?)),
                    false => Err(RuleError::Other(format!(
                        "is {rules}, and the study is of {}",
                        loaded.id()
                    ))),
                })
            });
            let rosters: Vec<Roster> = read.collect::<Result<_, _>>()?;
            Ok(Laid {
                asked: asked.clone(),
                rosters,
            })
        }
        #[cfg(not(feature = "field"))]
        {
            let _ = texts;
            Ok(Laid {
                asked: asked.clone(),
            })
        }
    }

    /// Asks it.
    ///
    /// # Errors
    /// As the command does.
    pub(super) fn ask(
        &self,
        (loaded, procedure, held): (&LoadedRuleset, &str, &Given),
        options: Options,
    ) -> Result<Instrument, OddsError> {
        let bench = Workbench::new(loaded, procedure, held.clone(), options);
        Ok(match &self.asked {
            InstrumentAsked::Weigh(asked) => Instrument::Weigh(Box::new(asked.answer(&bench?)?)),
            #[cfg(feature = "field")]
            InstrumentAsked::Field(_, of) => {
                let bench = bench?;
                let quantity = bench.quantity(of.as_deref())?;
                Instrument::Field(Box::new(field::field(&bench, &quantity, &self.rosters)?))
            }
            #[cfg(feature = "field")]
            InstrumentAsked::Condense(asked) => {
                Instrument::Condense(Box::new(condense::condense(&bench?, asked)?))
            }
            InstrumentAsked::Skill => {
                let decision = loaded.decision(procedure)?;
                let settings = decision
                    .procedure
                    .resolve(held.iter().map(|(k, v)| (k, v)))?;
                let found = skill(loaded, &decision, &settings, Budget::default())?;
                Instrument::Skill(Box::new(found))
            }
        })
    }
}
