//! Results as text, JSON, CSV and pages, one form at a time; being replaced by [`crate::render`].

mod amount;
mod audit;
mod breakeven;
mod card;
mod common;
mod compare;
mod compare_html;
mod compare_json;
mod diff;
mod json;
mod odds;
mod points;
mod rules;
mod text;
mod whatif;

pub use audit::{audit_html, audit_json, audit_section, audit_text};
pub use breakeven::{break_even_chart, break_even_csv, break_even_json, break_even_table};
pub(crate) use card::written;
pub use card::{card_charts, card_html, card_json, card_section, card_table};
pub use common::common_page;
pub(crate) use compare::method;
pub use compare::{compare_csv, compare_table};
pub use compare_html::compare_html;
pub use compare_json::compare_json;
pub use diff::{diff_chart, diff_csv, diff_json, diff_table};
pub use points::{points_csv, points_json, points_table};
pub use rules::{procedure_page, ruleset_list, ruleset_page, tables_page};
pub use text::{columns, percent};
pub use whatif::{what_if_chart, what_if_csv, what_if_json, what_if_pairs_csv, what_if_table};
