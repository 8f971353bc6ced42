//! What people and programs read. Everything here is pure: a result in, text out.
//!
//! A result becomes a [`Document`] once ([`Report::document`]), and the renderers ([`text()`],
//! [`html()`], [`markdown()`], [`latex()`], [`typst()`], [`csv()`]) turn any document into any form. What programs read is the
//! result itself, as it serializes ([`Report::data`]). One file for each result, one for each form; a new
//! command adds the first kind and none of the second.

mod audit;
mod breakeven;
mod card;
mod cell;
mod changes;
mod check;
mod columns;
mod compare;
mod complaint;
#[cfg(feature = "field")]
mod condense;
mod csv;
mod decide;
mod diff;
mod document;
#[cfg(feature = "field")]
mod field;
mod glance;
mod html;
mod latex;
mod luck;
mod markdown;
mod odds;
mod paint;
mod picture;
pub mod pictures;
mod pivot;
mod points;
mod procedure;
mod quantity;
mod records;
mod rules;
mod section;
mod sheet;
mod skill;
mod story;
mod swept;
mod text;
mod tune;
mod typeset;
mod typst;
mod weigh;
mod whatif;
mod whole_diff;
mod words;

pub use audit::AuditReport;
pub use card::CardReport;
pub use cell::{Cell, Held};
pub use compare::kept_in_words;
pub use complaint::{complaint, too_much, wrong_input};
#[cfg(feature = "field")]
pub use condense::CondenseReport;
pub use csv::csv;
pub use decide::{DecideReport, PlanReport};
pub use diff::DiffReport;
pub use document::{Audience, Block, Body, Column, Document, Fact, Pair, Role, Table, Tone};
pub use glance::{Glance, Portion, glance};
pub use html::{SCRIPT, STYLE, block, figure, fragment, html, words};
pub use latex::latex;
pub use luck::{GameReport, LuckReport};
pub use markdown::markdown;
pub use odds::{OddsReport, Verdict, so_far};
pub use paint::SIGNS;
pub use picture::{Drawing, Picture, narrow};
pub use pivot::PivotReport;
pub use points::PointsBeside;
pub use procedure::ProcedurePage;
pub use rules::{PrintedTables, RulesetList, RulesetPage};
pub use section::{PAGE, Section, instrument_data, instruments, study_document};
pub use sheet::SheetReport;
pub use story::StoryReport;
pub use text::{Layout, text};
pub use tune::TuneReport;
pub use typst::typst;
pub use whatif::WhatIfReport;
pub use whole_diff::WholeDiffReport;
pub use words::CommonWords;

pub use grapeshot_study::number;

use grapeshot_study::Envelope;
use serde::Serialize;

/// A result that can be shown.
pub trait Report: Serialize {
    /// For people.
    fn document(&self) -> Document;

    /// For programs: the result itself, in the envelope that every result has.
    fn data(&self) -> serde_json::Value {
        plain(&Envelope::new(self))
    }
}

fn plain(of: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(of).expect("plain data with text as keys")
}
