//! What a designer wants: a quantity of a question, and where it should lie.
//!
//! On the command line `success=40%`, `mean(hits)>=1.5` or `success=35%..45%`, of another question
//! `melee attacker.stands=12: success=55%`. A file says the same in tables:
//!
//! ```toml
//! rules = "elephant"
//! [[target]]
//! procedure = "charge"
//! settings = { attacker.grade = "veteran" }
//! want = "success=40%"
//! tolerance = "2%"        # may be left out
//! ```

use grapeshot_engine::dist::Quantity;
use grapeshot_engine::plain;
use grapeshot_rules::{Entries, Given, LoadedRuleset, Problems, RuleError, Settings, TomlText};
use serde::Serialize;

/// How far from its target a probability may lie, unless told otherwise.
const POINTS: f64 = 0.01;
/// The same for other quantities, as a part of the target.
const PART: f64 = 0.02;

/// A target as it was said, not yet checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// The procedure, if it is not the one the command is about.
    pub procedure: Option<String>,
    /// Settings of its own, beside those of the command where it is about the same procedure.
    pub given: Given,
    /// The quantity and where it should lie.
    pub want: String,
    /// How far it may miss, if that was said.
    pub tolerance: Option<f64>,
    /// File and line, if it stands in a file.
    pub at: Option<String>,
}

/// A quantity and the interval in which it should lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The procedure.
    pub procedure: String,
    /// The settings, complete.
    pub settings: Settings,
    /// The quantity.
    pub quantity: Quantity,
    /// The middle of what is wanted; of a one-sided wish its end.
    pub aim: f64,
    /// The least that will do.
    pub low: f64,
    /// The most that will do.
    pub high: f64,
}

impl Wish {
    /// Reads what was typed: `success=40%`, or `PROCEDURE key=value …: success=40%`.
    ///
    /// # Errors
    /// If settings are not `key=value`.
    pub fn typed(text: &str) -> Result<Self, RuleError> {
        let (about, want) = match text.rsplit_once(": ") {
            Some((about, want)) => (about, want),
            None => ("", text),
        };
        let mut wish = Wish {
            procedure: None,
            given: Given::new(),
            want: want.trim().into(),
            tolerance: None,
            at: None,
        };
        for word in about.split_whitespace() {
            match word.split_once('=') {
                Some((key, value)) => wish.given.push((key.into(), value.into())),
                None if wish.procedure.is_none() => wish.procedure = Some(word.into()),
                None => {
                    let problem = format!(
                        "`{word}` is neither the procedure nor key=value; a question is written PROCEDURE key=value …: success=40%"
                    );
                    return Err(RuleError::argument("target", text, problem));
                }
            }
        }
        Ok(wish)
    }

    /// Reads a file of targets.
    ///
    /// # Errors
    /// Names the file, the line, the key and what is allowed, for everything that is wrong.
    pub fn file(file: &str, text: &str, rules: &str) -> Result<Vec<Self>, RuleError> {
        let problems = Problems::of(&TomlText::new(file, text));
        let mut top = problems.read()?;
        if let Some(said) = top.maybe::<String>("rules")
            && said != rules
        {
            let problem = format!("is `{said}`, but the command is about `{rules}`");
            top.problem("rules", problem);
        }
        let targets = top.tables("target").into_iter();
        let wishes: Vec<Wish> = targets.map(Wish::entry).collect();
        if wishes.is_empty() {
            top.problem("target", "is missing: write [[target]] once for each");
        }
        top.finish();
        problems.or(wishes)
    }

    fn entry(mut entry: Entries<'_>) -> Self {
        let mut wish = Wish {
            procedure: entry.maybe("procedure"),
            given: entry.settings("settings"),
            want: entry.needed("want"),
            tolerance: None,
            at: Some(entry.at()),
        };
        wish.tolerance = entry.maybe::<String>("tolerance").and_then(|text| {
            let read = amount(&text).filter(|x| *x >= 0.0);
            if read.is_none() {
                let problem =
                    format!("cannot be `{text}`; allowed is a number such as \"1%\" or \"0.05\"");
                entry.problem("tolerance", problem);
            }
            read
        });
        entry.finish();
        wish
    }

    /// Checks all of them; `about` is the procedure and the settings of the command.
    ///
    /// # Errors
    /// If procedures, keys, values or quantities are unknown, or a target is nothing it can be: each is named,
    /// with its line if it stands in a file.
    pub(super) fn check_all(
        wishes: &[Self],
        loaded: &LoadedRuleset,
        about: Option<(&str, &Given)>,
        tolerance: Option<f64>,
    ) -> Result<Vec<Target>, RuleError> {
        let (mut targets, mut wrong) = (Vec::new(), Vec::new());
        for wish in wishes {
            match (wish.check(loaded, about, tolerance), &wish.at) {
                (Ok(target), _) => targets.push(target),
                (Err(error), None) => wrong.push(error),
                (Err(error), Some(at)) => wrong.push(RuleError::File {
                    file: at.clone(),
                    problem: error.to_string(),
                }),
            }
        }
        RuleError::all(wrong)?;
        Ok(targets)
    }

    /// Checks it against a ruleset; `about` is the procedure and the settings of the command.
    ///
    /// # Errors
    /// If the procedure, a key, a value or the quantity is unknown, or the target is nothing it can be.
    pub(super) fn check(
        &self,
        loaded: &LoadedRuleset,
        about: Option<(&str, &Given)>,
        tolerance: Option<f64>,
    ) -> Result<Target, RuleError> {
        let wrong = |problem: String| RuleError::argument("target", &self.want, problem);
        let name = self.procedure.as_deref().or(about.map(|(name, _)| name));
        let name = name.ok_or_else(|| {
            wrong("of which procedure? write PROCEDURE key=value …: success=40%".into())
        })?;
        let procedure = loaded.playable(name)?;
        let shared = about.filter(|(known, _)| *known == name);
        let given = shared.iter().flat_map(|(_, given)| given.iter());
        let given = given.chain(&self.given).map(|(key, value)| (key, value));
        let settings = procedure.resolve(given)?;
        let (left, right) = self.want.rsplit_once('=').ok_or_else(|| {
            wrong("allowed is QUANTITY=NUMBER, such as success=40%, mean(hits)>=1.5 or success=35%..45%".into())
        })?;
        let (left, sign) = match left.strip_suffix(['>', '<']) {
            Some(shorter) => (shorter, left.chars().last()),
            None => (left, None),
        };
        let quantity = Quantity::parse(left.trim(), &procedure.variables)?;
        let read = |text: &str| {
            let bad = || format!("`{text}` is not a number such as 40% or 1.5");
            let number = amount(text).ok_or_else(|| wrong(bad()))?;
            match quantity.is_probability() && !(0.0..=1.0).contains(&number) {
                true => Err(wrong(format!(
                    "{quantity} is a probability, so allowed is a number from 0 to 1, or from 0% to 100%"
                ))),
                false => Ok(number),
            }
        };
        let spare = |aim: f64| {
            let usual = match quantity.is_probability() {
                true => POINTS,
                false => PART * aim.abs(),
            };
            self.tolerance.or(tolerance).unwrap_or(usual)
        };
        let (aim, low, high) = match (right.split_once(".."), sign) {
            (Some((low, high)), None) => {
                let (low, high) = (read(low)?, read(high)?);
                if low > high {
                    return Err(wrong(format!("{low} is above {high}")));
                }
                ((low + high) / 2.0, low, high)
            }
            (Some(_), Some(_)) => {
                return Err(wrong(
                    "a range is written with =, as in success=35%..45%".into(),
                ));
            }
            (None, sign) => {
                let aim = read(right)?;
                match sign {
                    Some('>') => (aim, aim, f64::INFINITY),
                    Some(_) => (aim, f64::NEG_INFINITY, aim),
                    None => (aim, aim - spare(aim), aim + spare(aim)),
                }
            }
        };
        Ok(Target {
            procedure: procedure.name.to_string(),
            settings,
            quantity,
            aim,
            low,
            high,
        })
    }
}

/// A number, or one in per cent.
pub fn amount(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = match text.strip_suffix('%') {
        Some(points) => points.trim().parse::<f64>().ok()? / 100.0,
        None => text.parse::<f64>().ok()?,
    };
    number.is_finite().then_some(number)
}

/// What rounding may put beside the end of an interval.
const ROUNDING: f64 = 1e-12;

impl Target {
    /// How far a value lies outside what will do; nothing if it lies inside.
    pub fn miss(&self, value: f64) -> f64 {
        let outside = (self.low - value).max(value - self.high).max(0.0);
        if outside <= ROUNDING { 0.0 } else { outside }
    }

    /// The measure of a miss: what is small for a probability is small for a mean of the same size.
    pub(super) fn scale(&self) -> f64 {
        match self.quantity.is_probability() {
            true => 1.0,
            false => self.aim.abs().max(0.1),
        }
    }

    /// What was set, as it is typed.
    pub fn given(&self) -> Given {
        let given = self.settings.given();
        given.map(|(k, v)| (k.to_owned(), v.clone())).collect()
    }
}

/// A target, and where it stands.
#[derive(Serialize)]
pub(super) struct Valued<'a> {
    procedure: &'a str,
    #[serde(serialize_with = "plain::pairs")]
    given: Given,
    of: &'a Quantity,
    low: Option<f64>,
    high: Option<f64>,
    before: f64,
}

impl Target {
    /// With the value it has as things stand.
    pub(super) fn valued(&self, before: f64) -> Valued<'_> {
        let end = |end: f64| Some(end).filter(|x| x.is_finite());
        Valued {
            procedure: &self.procedure,
            given: self.given(),
            of: &self.quantity,
            low: end(self.low),
            high: end(self.high),
            before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_rules::find;

    fn checked(text: &str) -> Result<Target, RuleError> {
        let loaded = find("elephant").unwrap().load(&[]).unwrap();
        let given = vec![("attacker.grade".to_owned(), "veteran".into())];
        Wish::typed(text)?.check(&loaded, Some(("charge", &given)), None)
    }

    #[test]
    fn targets_are_numbers_bounds_and_ranges_of_any_quantity() {
        let target = checked("success=40%").unwrap();
        assert_eq!(target.procedure, "charge");
        assert!((target.low - 0.39).abs() < 1e-12 && (target.high - 0.41).abs() < 1e-12);
        let target = checked("P(attacker_stands_lost>=2)=0.3");
        let target = target.unwrap_or_else(|e| panic!("{e}"));
        assert!(target.quantity.to_string().starts_with("P("));
        let target = checked("outcome=attacker-routs<=10%").unwrap();
        assert_eq!((target.low, target.high), (f64::NEG_INFINITY, 0.1));
        let target = checked("success=35%..45%").unwrap();
        assert_eq!((target.low, target.aim, target.high), (0.35, 0.4, 0.45));
    }

    #[test]
    fn another_question_brings_its_own_settings_and_not_those_of_the_command() {
        let target = checked("melee attacker.stands=12: success>=55%").unwrap();
        assert_eq!(target.procedure, "melee");
        assert_eq!(target.given(), [("attacker.stands".into(), 12.into())]);
        let same = checked("attacker.stands=12: success>=55%").unwrap();
        assert_eq!(same.given().len(), 2);
    }

    #[test]
    fn what_cannot_be_wanted_says_what_can() {
        for (text, says) in [
            ("success", "allowed is QUANTITY=NUMBER"),
            ("success=140%", "from 0% to 100%"),
            ("success=lots", "`lots` is not a number"),
            ("victory=3", "victory"),
            ("success=45%..35%", "above"),
            ("raid: success=45%", "raid"),
            (
                "melee now: success=45%",
                "neither the procedure nor key=value",
            ),
        ] {
            let error = checked(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_of_targets_is_read_strictly() {
        let good = "rules = \"elephant\"\n[[target]]\nprocedure = \"melee\"\nwant = \"success=50%\"\n\
                    tolerance = \"2%\"\n[target.settings]\nattacker.stands = 12\n";
        let wishes = Wish::file("t.toml", good, "elephant").unwrap();
        assert_eq!(wishes.len(), 1);
        assert_eq!(wishes[0].tolerance, Some(0.02));
        for (text, says) in [
            ("", "write [[target]]"),
            (
                "rules = \"gbacw\"\n[[target]]\nwant = \"x=1\"\n",
                "about `elephant`",
            ),
            ("[[target]]\nprocedure = \"melee\"\n", "`target[1].want`"),
            ("[[target]]\nwant = \"x=1\"\nwhen = 3\n", "`target[1].when`"),
            ("[[target]]\nwant = \"x=1\"\ntolerance = \"few\"\n", "few"),
        ] {
            let error = Wish::file("t.toml", text, "elephant")
                .unwrap_err()
                .to_string();
            assert!(error.contains(says) && error.contains("t.toml"), "{error}");
        }
    }
}
