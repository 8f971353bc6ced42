//! Cells of a table: what they hold, and how it is written for readers and for spreadsheets.

use super::number;
use grapeshot_charts::Style;
use grapeshot_engine::dist::Estimate;
use grapeshot_rules::Value;

/// A cell: a value, and how it is set off.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    /// What is in it.
    pub value: Held,
    /// From −1 (bad) over 0 to 1 (good): the tint behind it, where there are colours.
    pub tint: Option<f64>,
    /// From 0 to 1: how much it is beside the others of its row; the tint of what is neither good nor bad.
    pub heat: Option<f64>,
    /// What is said about it on request: why it is empty, where it comes from.
    pub remark: String,
    /// What points from it to a note; may be empty.
    pub mark: &'static str,
}

/// What a cell can hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Held {
    /// Nothing.
    #[default]
    Nothing,
    /// Words.
    Text(String),
    /// A probability, with its interval if it has one.
    Chance(Estimate),
    /// A probability whose interval stands in a cell of its own.
    Within(Estimate),
    /// A change of a probability, in points of a hundred.
    Points(Estimate),
    /// A number in some unit (which may be empty), with so many decimals.
    Number(Estimate, usize, &'static str),
    /// A change of a number.
    Change(Estimate),
    /// A 95 % interval of a probability.
    Range(f64, f64),
    /// A whole number.
    Count(i64),
    /// Yes or no.
    Flag(bool),
    /// A key and its value, as they are typed.
    Setting(String, String),
    /// A bar as long as a probability; nothing for spreadsheets.
    Bar(f64),
    /// A number as a book prints it, and as it is written for spreadsheets.
    Printed(String, f64),
}

impl Cell {
    fn holding(value: Held) -> Self {
        Cell {
            value,
            ..Cell::default()
        }
    }

    /// The values of keys, one cell each.
    pub(super) fn values(given: &[(String, Value)]) -> Vec<Self> {
        let values = given.iter();
        values.map(|(_, v)| Cell::text(v.to_string())).collect()
    }

    /// Nothing.
    pub fn empty() -> Self {
        Cell::default()
    }

    /// Nothing, and why.
    pub fn missing(why: impl Into<String>) -> Self {
        Cell::default().remark(why)
    }

    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Cell::holding(Held::Text(text.into()))
    }

    /// A probability that is certain.
    pub fn chance(p: f64) -> Self {
        Cell::estimated(Estimate::exact(p))
    }

    /// A probability with its interval.
    pub fn estimated(estimate: Estimate) -> Self {
        Cell::holding(Held::Chance(estimate))
    }

    /// A probability whose interval is told in another cell.
    pub fn within(p: f64, (low, high): (f64, f64)) -> Self {
        let value = p;
        Cell::holding(Held::Within(Estimate { value, low, high }))
    }

    /// A change of a probability.
    pub fn points(by: Estimate) -> Self {
        Cell::holding(Held::Points(by))
    }

    /// A number, for readers with so many decimals.
    pub fn number(x: f64, decimals: usize) -> Self {
        Cell::measured(Estimate::exact(x), decimals, "")
    }

    /// A number with its interval and unit.
    pub fn measured(estimate: Estimate, decimals: usize, unit: &'static str) -> Self {
        Cell::holding(Held::Number(estimate, decimals, unit))
    }

    /// A change of a number.
    pub fn change(by: Estimate) -> Self {
        Cell::holding(Held::Change(by))
    }

    /// A 95 % interval of a probability.
    pub fn range((low, high): (f64, f64)) -> Self {
        Cell::holding(Held::Range(low, high))
    }

    /// A whole number.
    pub fn count(n: impl Into<i64>) -> Self {
        Cell::holding(Held::Count(n.into()))
    }

    /// Yes or no.
    pub fn flag(flag: bool) -> Self {
        Cell::holding(Held::Flag(flag))
    }

    /// A key and its value.
    pub fn setting(key: impl Into<String>, value: impl ToString) -> Self {
        Cell::holding(Held::Setting(key.into(), value.to_string()))
    }

    /// A bar.
    pub fn bar(p: f64) -> Self {
        Cell::holding(Held::Bar(p))
    }

    /// A number as a book prints it: rounded already, in its own decimals.
    pub fn printed(text: impl Into<String>, rounded: f64) -> Self {
        Cell::holding(Held::Printed(text.into(), rounded))
    }

    /// A number that may be missing, as it is.
    pub fn maybe(x: Option<f64>) -> Self {
        x.map_or_else(Cell::empty, |x| Cell::number(x, 3))
    }

    /// The same cell with a remark.
    #[must_use]
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remark = remark.into();
        self
    }

    /// The same cell, tinted: −1 is bad, 1 is good.
    #[must_use]
    pub fn tinted(mut self, by: f64) -> Self {
        self.tint = Some(by.clamp(-1.0, 1.0));
        self
    }

    /// The same cell, tinted by how much it is: 0 is nothing, 1 the most there is.
    #[must_use]
    pub fn heated(mut self, by: f64) -> Self {
        self.heat = Some(by.clamp(0.0, 1.0));
        self
    }

    /// The same cell with a mark that points to a note.
    #[must_use]
    pub fn marked(mut self, mark: &'static str) -> Self {
        self.mark = mark;
        self
    }

    /// In the words and numbers of a style; what spreadsheets have of it stays as it is, but for words.
    pub(super) fn restyle(&mut self, style: &Style) {
        self.remark = style.text(&self.remark);
        let read = style.text(&self.unmarked());
        self.value = match std::mem::take(&mut self.value) {
            Held::Chance(x)
            | Held::Within(x)
            | Held::Points(x)
            | Held::Number(x, ..)
            | Held::Change(x) => Held::Printed(read, x.value),
            Held::Text(_) | Held::Range(..) | Held::Flag(_) | Held::Setting(..) => Held::Text(read),
            other => other,
        };
    }

    /// For readers.
    pub fn read(&self) -> String {
        self.unmarked() + self.mark
    }

    fn unmarked(&self) -> String {
        match &self.value {
            Held::Nothing if self.remark.is_empty() => String::new(),
            Held::Nothing => "–".into(),
            Held::Text(text) => text.clone(),
            Held::Chance(p) => number::chance(p),
            Held::Within(p) => number::chance_within(p),
            Held::Points(by) => number::points(by),
            Held::Number(x, decimals, unit) => number::measured(x, *decimals, unit),
            Held::Change(by) => number::change(by),
            Held::Range(low, high) => number::percent_range(*low, *high),
            Held::Count(n) => number::signed_whole(*n),
            Held::Flag(flag) => (if *flag { "yes" } else { "no" }).into(),
            Held::Setting(key, value) => format!("{key}={value}"),
            Held::Bar(p) => number::bar(*p, BAR),
            Held::Printed(text, _) => text.clone(),
        }
    }

    /// For spreadsheets: numbers in full, without units.
    pub fn plain(&self) -> String {
        match &self.value {
            Held::Nothing | Held::Bar(_) => String::new(),
            Held::Text(text) => text.clone(),
            Held::Chance(x)
            | Held::Within(x)
            | Held::Points(x)
            | Held::Number(x, ..)
            | Held::Change(x) => number::plain(x.value),
            Held::Printed(_, x) => number::plain(*x),
            Held::Range(low, high) => format!("{}–{}", number::plain(*low), number::plain(*high)),
            Held::Count(n) => n.to_string(),
            Held::Flag(flag) => flag.to_string(),
            Held::Setting(key, value) => format!("{key}={value}"),
        }
    }
}

/// Characters of a bar that stands for certainty.
const BAR: usize = 30;

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::text(text)
    }
}
