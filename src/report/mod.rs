//! What people and programs read: text, JSON, CSV, charts. Pure: an answer in, text or bytes out.

mod amount;
mod breakeven;
pub mod charts;
mod diff;
mod files;
mod json;
mod odds;
mod points;
mod rules;
mod text;
mod whatif;

pub use breakeven::{break_even_chart, break_even_csv, break_even_json, break_even_table};
pub use diff::{diff_chart, diff_csv, diff_json, diff_table};
pub use files::{save, save_chart};
pub use json::odds_json;
pub use odds::{OddsReport, odds_csv};
pub use points::{points_csv, points_json, points_table};
pub use rules::{procedure_page, ruleset_list, ruleset_page, tables_page};
pub use text::{columns, odds_table, percent};
pub use whatif::{what_if_chart, what_if_csv, what_if_json, what_if_pairs_csv, what_if_table};
