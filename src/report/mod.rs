//! What people and programs read: text, JSON, CSV, charts. Pure: an answer in, text or bytes out.

mod audit;
pub mod charts;
mod json;
mod odds;
mod rules;
mod text;

pub use audit::{audit_html, audit_json, audit_text};
pub use json::odds_json;
pub use odds::{OddsReport, odds_csv};
pub use rules::{procedure_page, ruleset_list, ruleset_page, tables_page};
pub use text::{columns, odds_table, percent};
