//! Sentences computed from results: which ruleset, from how little to how much and where, and what one step of
//! a key is worth.

use super::experiment::FindingSpec;
use super::results::{CellResult, Results};
use crate::style::value_in_words;
use grapeshot_charts::style::Words;
use grapeshot_charts::tell;
use grapeshot_engine::dist::{Estimate, Quantity, VariableKind};
use grapeshot_engine::stats::fixed;
use grapeshot_rules::common::RULESET_KEY;
use grapeshot_rules::{Given, RuleError, Value};

/// A cell that was answered, with its estimate.
struct AnsweredCell<'a> {
    cell: &'a CellResult,
    estimate: Estimate,
}

/// What one step along a key changes, everything else equal.
struct Step<'a> {
    by: f64,
    from: &'a Value,
    to: &'a Value,
    cell: &'a CellResult,
}

/// Crossings of an even chance that are told one by one.
const MOST_CROSSINGS: usize = 4;

/// The first number along a key, in the order of the sweep, on the other side of a target than the one before it, for
/// every place of all other keys; nothing where the key has no numbers.
fn crossings<'a>(
    along: &str,
    found: &[AnsweredCell<'a>],
    target: f64,
) -> Option<Vec<(&'a Value, &'a CellResult)>> {
    let mut lines: Vec<(Given, Vec<(&'a Value, &AnsweredCell<'a>)>)> = Vec::new();
    for one in found {
        let value = one
            .cell
            .at(along)
            .filter(|value| value.number().is_some())?;
        let others = one.cell.place.iter().filter(|(key, _)| key != along);
        let others: Given = others.cloned().collect();
        match lines.iter_mut().find(|(known, _)| *known == others) {
            Some((_, line)) => line.push((value, one)),
            None => lines.push((others, vec![(value, one)])),
        }
    }
    let crossing = |line: &Vec<(&'a Value, &AnsweredCell<'a>)>| {
        let below = |at: &AnsweredCell<'_>| at.estimate.value < target;
        let pair = line
            .windows(2)
            .find(|pair| below(pair[0].1) != below(pair[1].1))?;
        Some((pair[1].0, pair[1].1.cell))
    };
    Some(
        lines
            .iter()
            .filter_map(|(_, line)| crossing(line))
            .collect(),
    )
}

/// The sentences of an experiment, those of one finding in one paragraph.
///
/// # Errors
/// If a quantity cannot be read.
pub fn findings(results: &Results) -> Result<Vec<String>, RuleError> {
    let mut paragraphs = Vec::new();
    for finding in &results.experiment.findings {
        let quantity = results.quantity(&finding.of)?;
        for only in places(results, finding) {
            let teller = Teller {
                results,
                finding,
                quantity: &quantity,
                only,
            };
            paragraphs.extend(teller.paragraph());
        }
    }
    Ok(paragraphs)
}

/// Where a finding is told: once, or for each value of the key it names.
fn places(results: &Results, finding: &FindingSpec) -> Vec<Given> {
    let Some(each) = &finding.each else {
        return vec![finding.only.clone()];
    };
    let mut places: Vec<Given> = Vec::new();
    for cell in results.cells.iter().filter(|c| c.is_at(&finding.only)) {
        let Some(value) = cell.at(each) else { continue };
        let mut place = finding.only.clone();
        place.push((each.clone(), value.clone()));
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The title of a ruleset, or its name where none of that name is built in.
pub fn title_of(id: &str) -> String {
    grapeshot_rules::find(id).map_or_else(|_| id.to_owned(), |ruleset| ruleset.title.to_string())
}

/// What is told of one finding at one place.
struct Teller<'a> {
    results: &'a Results,
    finding: &'a FindingSpec,
    quantity: &'a Quantity,
    only: Given,
}

impl Teller<'_> {
    fn set(&self, number: &str) -> String {
        self.results.style.decimals().set(number)
    }

    fn words(&self) -> &Words {
        &self.results.style.words
    }

    fn paragraph(&self) -> Option<String> {
        let here = self.results.cells.iter().filter(|c| c.is_at(&self.only));
        let (mut found, mut refused) = (Vec::new(), 0);
        for cell in here {
            match &cell.answers {
                Ok(answers) => found.extend(
                    (self.quantity.of(answers.best()))
                        .map(|estimate| AnsweredCell { cell, estimate }),
                ),
                Err(_) => refused += 1,
            }
        }
        // Of several rulesets those that cannot be asked have nothing to tell.
        if found.is_empty() && self.finding.each.is_some() {
            return None;
        }
        let sentences = [
            self.extremes(&found, refused),
            self.steps(&found),
            self.even(&found),
        ];
        Some(
            sentences
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    /// The subject with the ruleset it is found in: a sentence may be read far from its study.
    fn subject(&self) -> String {
        match self.ruleset() {
            Some(title) => tell!(self.words(), "In {1}, {2}", title, self.finding.name),
            None => capital(&self.finding.name),
        }
    }

    /// The one ruleset that is spoken of, if it is one.
    fn ruleset(&self) -> Option<String> {
        let named = (self.only.iter()).find(|(key, _)| is_ruleset(key));
        if let Some((key, value)) = named {
            return Some(self.title(key, value));
        }
        match &self.results.titles[..] {
            [only] if !self.results.experiment.swept().contains(&RULESET_KEY) => {
                Some(tell!(self.words(), "“{1}”", only))
            }
            _ => None,
        }
    }

    fn title(&self, key: &str, value: &Value) -> String {
        let title = self.results.ruleset_title(key, value);
        title.unwrap_or_else(|| value.to_string())
    }

    fn extremes(&self, found: &[AnsweredCell<'_>], refused: usize) -> Option<String> {
        let subject = self.subject();
        let by = |a: &&AnsweredCell<'_>, b: &&AnsweredCell<'_>| {
            a.estimate.value.total_cmp(&b.estimate.value)
        };
        let (Some(low), Some(high)) = (found.iter().min_by(by), found.iter().rev().max_by(by))
        else {
            return Some(tell!(
                self.words(),
                "{1} cannot be told: the rules refuse all of it.",
                subject
            ));
        };
        let amount = |found: &AnsweredCell<'_>| self.amount(found.estimate);
        let said = if found.len() == 1 && refused > 0 {
            tell!(
                self.words(),
                "is {1} ({2})",
                amount(low),
                self.place(low.cell, None)
            )
        } else if found.len() == 1 {
            tell!(self.words(), "is {1}", amount(low))
        } else if high.estimate.value - low.estimate.value < 1e-9 {
            let everywhere = if refused > 0 {
                self.words().say("wherever it is allowed")
            } else {
                self.words().say("throughout")
            };
            tell!(self.words(), "is {1} {2}", amount(low), everywhere)
        } else {
            let at =
                |end: &AnsweredCell<'_>| format!("{} ({})", amount(end), self.ties(end, found));
            tell!(self.words(), "runs from {1} to {2}", at(low), at(high))
        };
        let refusal = match refused {
            0 => String::new(),
            n => tell!(
                self.words(),
                "; the rules refuse {1} of the {2} cases",
                n,
                n + found.len()
            ),
        };
        Some(format!("{subject} {said}{refusal}."))
    }

    /// Where an end is reached, and in how many other cells as well.
    fn ties(&self, end: &AnsweredCell<'_>, found: &[AnsweredCell<'_>]) -> String {
        let same =
            |other: &&AnsweredCell<'_>| (other.estimate.value - end.estimate.value).abs() < 1e-9;
        let place = self.place(end.cell, None);
        match found.iter().filter(same).count() {
            0 | 1 => place,
            2 => tell!(self.words(), "{1}, and in 1 other case", place),
            n => tell!(self.words(), "{1}, and in {2} other cases", place, n - 1),
        }
    }

    fn steps(&self, found: &[AnsweredCell<'_>]) -> Option<String> {
        let along = self.finding.along.as_ref()?;
        let steps = steps(along, found);
        let order = |a: &&Step<'_>, b: &&Step<'_>| a.by.total_cmp(&b.by);
        let (least, most) = (steps.iter().min_by(order)?, steps.iter().max_by(order)?);
        let words = &self.results.style.words;
        let same = |step: &Step<'_>| step.from == least.from && step.to == least.to;
        let one_pair = steps.iter().all(same);
        let who = match (least.from, least.to) {
            (Value::Flag(false), Value::Flag(true)) => {
                tell!(self.words(), "With {1} it", words.flag(along))
            }
            (Value::Flag(true), Value::Flag(false)) => {
                tell!(self.words(), "Without {1} it", words.flag(along))
            }
            (from, to) if one_pair => {
                let [from, to] = [from, to].map(|value| self.value(along, value));
                tell!(
                    self.words(),
                    "With {1} {2} instead of {3} it",
                    self.owned(along),
                    to,
                    from
                )
            }
            _ => tell!(self.words(), "With each step of {1} it", self.owned(along)),
        };
        let at = |step: &Step<'_>| {
            let place = self.place(step.cell, Some(along));
            let pair = [step.from, step.to].map(|value| self.value(along, value));
            let parts = [
                (!one_pair).then(|| tell!(self.words(), "{1} to {2}", pair[0], pair[1])),
                (!place.is_empty()).then_some(place),
            ];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            match parts.is_empty() {
                true => String::new(),
                false => format!(" ({})", parts.join("; ")),
            }
        };
        let mean = steps.iter().map(|step| step.by).sum::<f64>() / steps.len() as f64;
        let [low, high] = [least.by, most.by].map(|by| self.rounded(by));
        if low == 0.0 && high == 0.0 {
            return Some(tell!(self.words(), "{1} does not change.", who));
        }
        if steps.len() == 1 {
            return Some(format!("{who} {}.", self.rise(low)));
        }
        // What only rises, or only falls, is told by how much; what does both, with the signs.
        let (first, last, plain) = match (low >= 0.0, high <= 0.0) {
            (true, _) => (least, most, true),
            (_, true) => (most, least, true),
            _ => (least, most, false),
        };
        let amount = |by: f64| match plain {
            true => self.size(by),
            false => self.change(by),
        };
        let from = amount(first.by) + at(first).as_str();
        let to = amount(last.by) + at(last).as_str();
        let mean = match plain {
            true => self.rise(mean),
            false => tell!(self.words(), "changes by {1}", self.change(mean)),
        };
        Some(tell!(
            self.words(),
            "{1} {2} on average: from {3} to {4}.",
            who,
            mean,
            from,
            to
        ))
    }

    /// Where an even chance is crossed along a key of numbers, everything else equal.
    fn even(&self, found: &[AnsweredCell<'_>]) -> Option<String> {
        let along = self.finding.along.as_ref()?;
        let places = crossings(along, found, 0.5).filter(|_| self.quantity.is_probability())?;
        let place = |(value, cell): &(&Value, &CellResult)| {
            let at = format!("{} {}", self.owned(along), self.value(along, value));
            match self.place(cell, Some(along)) {
                place if place.is_empty() => at,
                place => format!("{at} ({place})"),
            }
        };
        let mut told: Vec<String> = places.iter().take(MOST_CROSSINGS).map(place).collect();
        if places.len() > MOST_CROSSINGS {
            let more = places.len() - MOST_CROSSINGS;
            let last = told.pop()?;
            told.push(format!(
                "{last}{}",
                tell!(self.words(), " and {1} more", more)
            ));
        }
        let told = told.join("; ");
        (!told.is_empty()).then(|| tell!(self.words(), "An even chance is crossed at {1}.", told))
    }

    /// Whether it is written in hundredths: a chance, or a share of men.
    fn is_share(&self) -> bool {
        let share = |name: &str| {
            let variable = self.results.variables.iter().find(|v| v.name == name);
            variable.is_some_and(|v| match &v.kind {
                VariableKind::Number(values) => values.iter().all(|x| (0.0..=1.0).contains(x)),
                _ => false,
            })
        };
        match self.quantity {
            Quantity::Mean(name) | Quantity::Sd(name) => share(name),
            quantity => quantity.is_probability(),
        }
    }

    fn amount(&self, estimate: Estimate) -> String {
        let (scale, decimals, unit) = match self.is_share() {
            true => (100.0, 1, "\u{a0}%"),
            false => (1.0, 2, ""),
        };
        let half = scale * estimate.half_width();
        // An interval that is narrower than the last digit says nothing.
        let uncertain = if half < 0.5 * 10f64.powi(-decimals) {
            String::new()
        } else {
            format!(" ± {}", self.set(&fixed(half, decimals as usize)))
        };
        let value = self.set(&fixed(scale * estimate.value, decimals as usize));
        format!("{}{uncertain}{unit}", value.replace('-', "−"))
    }

    /// A change to the last digit that is written; what rounds to nothing goes neither up nor down.
    fn rounded(&self, by: f64) -> f64 {
        let least = if self.is_share() { 0.0005 } else { 0.005 };
        if by.abs() < least { 0.0 } else { by }
    }

    /// How much it is, without a sign.
    fn size(&self, by: f64) -> String {
        let by = self.rounded(by).abs();
        match self.is_share() {
            true => tell!(self.words(), "{1} points", self.set(&fixed(100.0 * by, 1))),
            false => self.set(&fixed(by, 2)),
        }
    }

    fn change(&self, by: f64) -> String {
        let sign = match self.rounded(by) {
            by if by > 0.0 => "+",
            by if by < 0.0 => "−",
            _ => "",
        };
        format!("{sign}{}", self.size(by))
    }

    fn rise(&self, by: f64) -> String {
        let way = self.words().say(if by < 0.0 { "falls" } else { "rises" });
        tell!(self.words(), "{1} by {2}", way, self.size(by))
    }

    /// A key in a sentence: the attacker's grade, range.
    fn owned(&self, key: &str) -> String {
        let said = self.words().key(key);
        match key.contains('.') {
            true => tell!(self.words(), "the {1}", said),
            false => said,
        }
    }

    fn value(&self, key: &str, value: &Value) -> String {
        let style = &self.results.style;
        match is_ruleset(key) {
            true => self.title(key, value),
            false => value_in_words(style, key, value),
        }
    }

    /// Where a cell lies, by the keys that are not held and not `besides`.
    fn place(&self, cell: &CellResult, besides: Option<&str>) -> String {
        let held = |key: &str| self.only.iter().any(|(fixed, _)| fixed == key);
        let open = cell.place.iter();
        let open = open.filter(|(key, _)| !held(key) && besides != Some(key.as_str()));
        placed(self.results, open)
    }
}

/// Settings in words: `“Seeing the Elephant!”, attacker's grade veteran, no flank`.
pub fn placed<'a>(
    results: &Results,
    settings: impl IntoIterator<Item = &'a (String, Value)>,
) -> String {
    let words = &results.style.words;
    let parts = settings.into_iter().map(|(key, value)| {
        let title = results.ruleset_title(key, value);
        match value {
            _ if is_ruleset(key) => title.unwrap_or_else(|| value.to_string()),
            Value::Flag(true) => words.flag(key),
            Value::Flag(false) => tell!(words, "no {1}", words.flag(key)),
            _ => format!(
                "{} {}",
                words.key(key),
                value_in_words(&results.style, key, value)
            ),
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Whether a key names a ruleset: the one that plays a common fight, or one of a sweep over rulesets.
fn is_ruleset(key: &str) -> bool {
    key == RULESET_KEY || key == super::prepared::RULES
}

/// Every step from a cell to the next along a key.
fn steps<'a>(along: &str, found: &[AnsweredCell<'a>]) -> Vec<Step<'a>> {
    let others = |cell: &'a CellResult| -> Vec<&'a (String, Value)> {
        cell.place.iter().filter(|(key, _)| key != along).collect()
    };
    let mut steps = Vec::new();
    for (at, a) in found.iter().enumerate() {
        let next = (found[at + 1..].iter()).find(|b| others(a.cell) == others(b.cell));
        let Some(b) = next else { continue };
        if let (Some(from), Some(to)) = (a.cell.at(along), b.cell.at(along))
            && from != to
        {
            steps.push(Step {
                by: b.estimate.value - a.estimate.value,
                from,
                to,
                cell: b.cell,
            });
        }
    }
    steps
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Prepared;
    use crate::{Experiment, Overrides, run};
    use grapeshot_engine::engine::Watch;

    fn told(text: &str) -> Vec<String> {
        let text = format!("title = \"t\"\nquestion = \"q\"\nmethod = \"exact\"\n{text}");
        let experiment = Experiment::parse("made-up", "made-up.toml", &text).expect("readable");
        let none = |name: &str| panic!("no file is named, not even {name}");
        let prepared = Prepared::new(experiment, Overrides::default(), none).expect("sound");
        let results = run(&prepared, &Watch::default())
            .expect("solved")
            .expect("whole");
        findings(&results).expect("told")
    }

    #[test]
    fn a_finding_names_its_ruleset_and_says_what_a_step_is_worth() {
        let told = told(
            r#"
            rules = "elephant"
            procedure = "morale"
            [sweep]
            "unit.grade" = ["regular", "poor"]
            "unit.panic" = [0, 1, 2]
            [[finding]]
            of = "result=pass,overenthusiastic"
            name = "the chance to pass"
            along = "unit.panic"
            "#,
        );
        let [one] = &told[..] else { panic!("{told:?}") };
        assert!(
            one.starts_with("In “Seeing the Elephant!”, the chance to pass runs from "),
            "{one}"
        );
        assert!(
            one.contains("With each step of the unit's panic it falls by 10.0 points on average"),
            "{one}"
        );
    }

    #[test]
    fn what_is_refused_is_not_called_the_same_throughout() {
        let told = told(
            r#"
            rules = "elephant"
            procedure = "charge"
            [sweep]
            "attacker.kind" = ["infantry", "artillery"]
            [[finding]]
            of = "success"
            name = "the chance of success"
            "#,
        );
        assert!(!told[0].contains("throughout"), "{told:?}");
        assert!(
            told[0].contains("the rules refuse 1 of the 2 cases"),
            "{told:?}"
        );
        assert!(told[0].contains("attacker's kind infantry"), "{told:?}");
    }

    #[test]
    fn each_ruleset_has_a_sentence_with_its_title() {
        let told = told(
            r#"
            rules = "common"
            procedure = "charge"
            [sweep]
            ruleset = ["gbacw", "acw28"]
            "defender.cover" = ["open", "soft"]
            [[finding]]
            of = "mean(attacker_loss)"
            name = "the attacker's loss"
            each = "ruleset"
            along = "defender.cover"
            "#,
        );
        let [first, second] = &told[..] else {
            panic!("{told:?}")
        };
        assert!(
            first.starts_with("In “Great Battles of the American Civil War”, the attacker's loss")
        );
        assert!(
            second.starts_with("In “American Civil War”, the attacker's loss"),
            "{second}"
        );
        assert!(
            second.contains("\u{a0}% (defender's cover "),
            "a share is written in hundredths: {second}"
        );
        assert!(
            second.contains("With the defender's cover soft instead of open it "),
            "{second}"
        );
    }
}
