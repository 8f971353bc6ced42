//! Tune: which cells, changed by how much, make the rules do what is wanted.
//!
//! Fewest cells first, then the smallest edits. Every single edit of every cell that the questions read is
//! solved, which is the first-order effect of each cell and proves what one edit can do and what it cannot; what
//! they do alone leads to pairs and triples (`search.rs`). Every answer was solved with its edits in place.

mod behind;
mod combine;
mod elsewhere;
mod guess;
mod moves;
mod order;
mod read;
mod search;
mod set;
mod target;
#[cfg(test)]
mod tests;
mod trial;

pub use elsewhere::{Elsewhere, Moved};
pub use moves::{Change, Edit};
pub use order::Keep;
pub use target::amount;
pub use target::{Target, Wish};

use super::audit::Declared;
use super::workbench::Methods;
use elsewhere::Beside;
use grapeshot_engine::object;
use grapeshot_rules::{Given, LoadedRuleset, OddsError, Options};
use order::TableOrder;
use read::EditableCell;
use search::{Search, SearchResult};
use serde::{Serialize, Serializer};
use set::Set;
use trial::Trials;

/// What is asked of [`tune`].
#[derive(Debug, Clone)]
pub struct TuneAsked {
    /// The targets.
    pub wishes: Vec<Wish>,
    /// Patterns of the cells that may change.
    pub vary: Vec<String>,
    /// The most cells that are changed together.
    pub max_edits: usize,
    /// Whether tables must stay in order.
    pub keep: Keep,
    /// How far a target may be missed, where it does not say so itself.
    pub tolerance: Option<f64>,
    /// Solutions for which it is asked what else they move.
    pub shown: usize,
}

/// Edits that do what is wanted, or come nearest to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The edits.
    pub edits: Vec<Edit>,
    /// The value of each target with them.
    pub values: Vec<f64>,
    /// What else they move; only of the first ones.
    pub elsewhere: Option<Elsewhere>,
}

impl Solution {
    fn of(set: &Set<'_>) -> Self {
        Solution {
            edits: set.edits.iter().map(|edit| (*edit).clone()).collect(),
            values: set.values.clone(),
            elsewhere: None,
        }
    }

    /// All cells that it changes.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.edits.iter().flat_map(|edit| &edit.changes)
    }

    /// How many cells it changes.
    pub fn cells(&self) -> usize {
        self.changes().count()
    }

    /// How large its edits are together.
    pub fn size(&self) -> f64 {
        self.edits.iter().map(|edit| edit.size).sum()
    }

    /// The variant that makes these changes, as a file.
    pub fn variant(&self, rules: &str, name: &str, about: &str) -> String {
        let text = |text: &str| toml::Value::String(text.into()).to_string();
        let mut out = format!(
            "rules = {}\nname = {}\nabout = {}\n",
            text(rules),
            text(name),
            text(about)
        );
        let mut headings: Vec<String> = Vec::new();
        for change in self.changes() {
            let (heading, _) = change.place.in_variant();
            if !headings.contains(&heading) {
                headings.push(heading);
            }
        }
        for heading in headings {
            out += &format!("\n[{heading}]\n");
            for change in self.changes() {
                let (under, key) = change.place.in_variant();
                if under == heading {
                    out += &format!("{key} = {} # was {}\n", change.value, change.before);
                }
            }
        }
        out
    }
}

/// What the smallest edits of a cell do to the targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The edit.
    pub edit: Edit,
    /// How far it moves each target.
    pub by: Vec<f64>,
}

/// How many sets of so many edits there are, and how many were solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Looked {
    /// Edits in a set.
    pub edits: usize,
    /// Sets there are, of the cells that may change.
    pub possible: usize,
    /// Sets that were tried: solved, or refused by the tables.
    pub solved: usize,
}

impl Looked {
    /// Whether none was left out.
    pub fn all(&self) -> bool {
        self.solved >= self.possible
    }
}

impl Serialize for Solution {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        object!(to;
            "cells": self.cells(),
            "size": self.size(),
            "edits": self.changes().collect::<Vec<_>>(),
            "values": self.values,
        )
    }
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// The ruleset.
    pub rules: String,
    /// Variants laid over the tables beforehand.
    pub variants: Vec<String>,
    /// The targets.
    pub targets: Vec<Target>,
    /// Their values before.
    pub before: Vec<f64>,
    /// The patterns.
    pub vary: Vec<String>,
    /// Cells that the patterns name and that have something they could become.
    pub cells: usize,
    /// Those of them that the questions read.
    pub read: usize,
    /// The most cells that may be changed together.
    pub max_edits: usize,
    /// Whether tables had to stay in order.
    pub keep: Keep,
    /// Tables and lists that were varied and have no declared order to keep.
    pub unordered: Vec<String>,
    /// The smallest edits of each cell, those that do most first.
    pub effects: Vec<Effect>,
    /// What does it: fewest cells first, then the smallest edits.
    pub solutions: Vec<Solution>,
    /// What comes nearest, where nothing does it.
    pub nearest: Option<Solution>,
    /// What would do it out of order, and what it would put out of order.
    pub out_of_order: Option<(Solution, String)>,
    /// For each target, the lowest and highest value that a single edit gives.
    pub reach: Vec<Option<(f64, f64)>>,
    /// How much was looked at.
    pub looked: Vec<Looked>,
    /// How answers were found.
    pub methods: Methods,
}

impl Serialize for Tuned {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let targets = self.targets.iter().zip(&self.before);
        object!(to;
            "rules": self.rules,
            "variants": self.variants,
            "vary": self.vary,
            "keep": self.keep,
            "max_edits": self.max_edits,
            "cells": self.cells,
            "read": self.read,
            "method": self.methods,
            "already_met": self.already(),
            "fewest_proved": self.fewest_proved(),
            "targets": targets.map(|(target, before)| target.valued(*before)).collect::<Vec<_>>(),
            "solutions": self.solutions,
            "nearest": self.nearest,
            "out_of_order": self.out_of_order.as_ref().map(|(solution, _)| solution),
        )
    }
}

impl Tuned {
    /// Whether the targets are met as things stand.
    pub fn already(&self) -> bool {
        let mut targets = self.targets.iter().zip(&self.before);
        targets.all(|(target, &value)| target.miss(value) == 0.0)
    }

    /// Whether it is certain that fewer edits, of the values that were tried, do not do it: all sets of fewer
    /// edits were solved.
    pub fn fewest_proved(&self) -> bool {
        let Some(best) = self.solutions.first() else {
            return false;
        };
        let mut fewer = self.looked.iter().filter(|l| l.edits < best.cells());
        fewer.all(|looked| looked.all())
    }
}

/// Finds the edits that do what is wanted; `about` is the procedure and the settings that targets without their
/// own are asked of.
///
/// # Errors
/// If a target or a pattern is wrong, the rules refuse a question, or the engine cannot answer.
pub fn tune(
    loaded: &LoadedRuleset,
    about: Option<(&str, &Given)>,
    asked: &TuneAsked,
    options: &Options,
) -> Result<Tuned, OddsError> {
    let targets = Wish::check_all(&asked.wishes, loaded, about, asked.tolerance)?;
    let declared = Declared::read(&loaded.tables)?;
    let places = loaded.tables.cells_named(&asked.vary)?;
    let cells = moves::edits(&loaded.tables, &declared, &places);
    let cells = EditableCell::all(cells);
    let order = TableOrder::new(loaded, &declared, asked.keep)?;
    let trials = Trials::new(loaded, &targets, *options)?;
    let before = trials.read(&trials.base).unwrap_or_default();
    let mut holders: Vec<String> = places.iter().map(|place| place.holder()).collect();
    holders.dedup();
    let mut methods = Methods::default();
    trials
        .base
        .iter()
        .for_each(|odds| methods.add(odds.source()));
    let mut tuned = Tuned {
        rules: loaded.id().into(),
        variants: loaded.variant_names(),
        vary: asked.vary.clone(),
        cells: cells.len(),
        read: 0,
        max_edits: asked.max_edits,
        keep: asked.keep,
        unordered: match asked.keep {
            Keep::Order => order.undeclared(&holders),
            Keep::Nothing => Vec::new(),
        },
        effects: Vec::new(),
        solutions: Vec::new(),
        nearest: None,
        out_of_order: None,
        reach: vec![None; targets.len()],
        looked: Vec::new(),
        before,
        methods,
        targets: targets.clone(),
    };
    if tuned.already() {
        return Ok(tuned);
    }
    let found = Search::new(&trials, &order, &cells, asked.max_edits).run()?;
    tuned.read = found.read;
    tuned.fill(&found);
    if asked.shown > 0 && !found.solutions.is_empty() {
        let beside = Beside::new(loaded, &targets)?;
        for (set, solution) in found
            .solutions
            .iter()
            .zip(&mut tuned.solutions)
            .take(asked.shown)
        {
            solution.elsewhere = Some(beside.moved(&set.edits));
        }
    }
    tuned.methods.exact += match tuned.methods.simulated {
        0 => trials.solved(),
        _ => 0,
    };
    Ok(tuned)
}

impl Tuned {
    fn fill(&mut self, found: &SearchResult<'_>) {
        self.solutions = found.solutions.iter().map(Solution::of).collect();
        if self.solutions.is_empty() {
            self.nearest = found.nearest.as_ref().map(Solution::of);
            // What misses is worth telling only where it misses by less than what is in order.
            let kept = found.nearest.as_ref();
            let nearer = |set: &Set<'_>| kept.is_none_or(|nearest| set.miss < nearest.miss);
            let out = found.out_of_order.as_ref().filter(|(set, _)| nearer(set));
            self.out_of_order = out.map(|(set, broken)| (Solution::of(set), broken.clone()));
        }
        let looked = found.looked.iter().enumerate();
        self.looked = looked
            .map(|(at, &(possible, solved))| Looked {
                edits: at + 1,
                possible,
                solved,
            })
            .collect();
        for (at, reach) in self.reach.iter_mut().enumerate() {
            for set in &found.singles {
                let value = set.values[at];
                let (low, high) = reach.unwrap_or((value, value));
                *reach = Some((low.min(value), high.max(value)));
            }
        }
        self.effects = effects(found, &self.before, &self.targets);
    }
}

/// The smallest edits of each cell, those that move the targets most first.
fn effects(found: &SearchResult<'_>, before: &[f64], targets: &[Target]) -> Vec<Effect> {
    let place = |set: &Set<'_>| set.edits[0].changes[0].place.clone();
    let mut effects: Vec<Effect> = Vec::new();
    for cell in found.singles.chunk_by(|a, b| place(a) == place(b)) {
        let sizes = cell.iter().map(|set| set.edits[0].size);
        let smallest = sizes.fold(f64::INFINITY, f64::min);
        for set in cell.iter().filter(|set| set.edits[0].size <= smallest) {
            effects.push(Effect {
                edit: set.edits[0].clone(),
                by: set.values.iter().zip(before).map(|(a, b)| a - b).collect(),
            });
        }
    }
    let weight = |effect: &Effect| -> f64 {
        let by = effect.by.iter().zip(targets);
        by.map(|(by, target)| (by / target.scale()).abs()).sum()
    };
    effects.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    effects
}
