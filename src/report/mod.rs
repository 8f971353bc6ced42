//! What people and programs read: text, JSON, CSV, charts, pages. Everything but [`folder`] and
//! [`publish`](mod@publish) is pure: an answer in, text or bytes out.

mod card;
pub mod charts;
mod common;
mod compare;
mod compare_html;
mod compare_json;
mod compare_pictures;
pub mod folder;
mod frames;
mod json;
mod odds;
mod page;
mod pictures;
mod publish;
mod rules;
mod section;
mod text;

pub use card::{card_charts, card_html, card_json, card_section, card_table};
pub use common::common_page;
pub use compare::{compare_csv, compare_table};
pub use compare_html::compare_html;
pub use compare_json::compare_json;
pub use compare_pictures::compare_charts;
pub use frames::{Frames, csv_bytes, frames, parquet_bytes, worst_agreement};
pub use json::odds_json;
pub use odds::{OddsReport, odds_csv};
pub use page::{escape, index_html, readme};
pub use pictures::picture;
pub use publish::{Chapter, PublishError, Published, publish, sections, write_pages};
pub use rules::{procedure_page, ruleset_list, ruleset_page, tables_page};
pub use section::{SECTION, Section, SectionError, section_files};
pub use text::{columns, odds_table, percent};
