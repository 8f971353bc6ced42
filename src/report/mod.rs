//! What people and programs read: text, JSON, CSV, charts, pages. Everything but [`folder`] and
//! [`publish`](mod@publish) is pure: an answer in, text or bytes out.

mod amount;
mod audit;
mod breakeven;
mod card;
mod chapters;
pub mod charts;
mod common;
mod compare;
mod compare_html;
mod compare_json;
mod compare_pictures;
mod diff;
pub mod folder;
mod frames;
mod json;
mod odds;
mod page;
mod pictures;
mod points;
mod publish;
mod rules;
mod section;
mod text;
mod whatif;

pub use audit::{audit_html, audit_json, audit_section, audit_text};
pub use breakeven::{break_even_chart, break_even_csv, break_even_json, break_even_table};
pub use card::{card_charts, card_html, card_json, card_section, card_table};
pub use chapters::{AuditChapter, ChapterError, chapters};
pub use common::common_page;
pub use compare::{compare_csv, compare_table};
pub use compare_html::compare_html;
pub use compare_json::compare_json;
pub use compare_pictures::compare_charts;
pub use diff::{diff_chart, diff_csv, diff_json, diff_table};
pub use frames::{Frames, csv_bytes, frames, parquet_bytes, worst_agreement};
pub use page::{escape, index_html, readme};
pub use pictures::picture;
pub use points::{points_csv, points_json, points_table};
pub use publish::{Chapter, PublishError, Published, publish, sections, write_pages};
pub use rules::{procedure_page, ruleset_list, ruleset_page, tables_page};
pub use section::{SECTION, Section, SectionError, section_files};
pub use text::{columns, percent};
pub use whatif::{what_if_chart, what_if_csv, what_if_json, what_if_pairs_csv, what_if_table};
