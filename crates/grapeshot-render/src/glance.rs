//! An answer at a glance: one sentence, a hundred trials, and what is lost at least.
//!
//! For who has thirty seconds: whole numbers of a hundred instead of percentages, the likeliest ways it
//! fails, and "at least" instead of a distribution. Nothing is computed here that the distribution does
//! not know.

use super::number;
use super::odds::method;
use grapeshot_charts::palette::{Colour, Inks};
use grapeshot_charts::{Meaning, palette::Named};
use grapeshot_engine::dist::{Distribution, Estimate, Favour, Marginal, Quantity, VariableKind};
use grapeshot_engine::stats;
use grapeshot_study::wording::capital;

/// What a player reads first.
#[derive(Debug, Clone)]
pub struct Glance {
    /// The answer in a sentence.
    pub sentence: String,
    /// Where it fails, the likeliest first; nothing where that is one place, or it never does.
    pub fails: Option<String>,
    /// Exact, or simulated with how many trials.
    pub method: String,
    /// What the headline is.
    pub headline: String,
    /// Of a hundred trials how many end how; together a hundred.
    pub hundred: Vec<Portion>,
    /// For each number that is reported, its mean and the chances of at least so much.
    pub at_least: Vec<String>,
}

/// One way to end, among a hundred trials.
#[derive(Debug, Clone)]
pub struct Portion {
    /// The end.
    pub label: String,
    /// Trials of a hundred.
    pub count: usize,
    /// The chance, with its interval if it has one.
    pub chance: Estimate,
    /// Whom it favours, where that is known.
    pub favour: Option<Favour>,
    /// Its colour, the same as in every chart.
    pub colour: Colour,
}

/// Portions that are told apart; further values of a number are taken together.
const PORTIONS: usize = 8;

/// Chances of at least so much that are told of a number.
const THRESHOLDS: usize = 4;

/// Numbers of a volley that are told in its sentence.
const VOLLEY_NUMBERS: usize = 2;

/// Places where it fails that are told.
const TOLD: usize = 3;

/// A share of a hundred that is still worth a word.
const WORTH_A_WORD: f64 = 0.005;

/// An answer at a glance.
pub fn glance(procedure: &str, odds: &Distribution) -> Glance {
    let headline = odds.marginal_at(0);
    let numbers = odds.marginals().into_iter();
    let (sentence, fails) = sentence(procedure, odds, &headline);
    Glance {
        sentence,
        fails,
        method: method(odds.source()),
        headline: headline.variable().meaning.clone(),
        hundred: hundred(&headline),
        at_least: numbers
            .filter(|marginal| marginal.variable().is_numeric())
            .map(|marginal| at_least(&marginal))
            .collect(),
    }
}

/// What a hundred of them are called.
fn tries(procedure: &str) -> &'static str {
    match procedure {
        "charge" => "charges",
        "fire" => "volleys",
        "melee" => "melees",
        "firefight" => "firefights",
        "flank-march" => "flank marches",
        "march" => "marches",
        "battle" => "battles",
        _ => "tries",
    }
}

/// A chance as a number of a hundred: what a player can picture.
pub(super) fn of_hundred(p: f64) -> String {
    as_count(p, stats::hundredth(p))
}

/// A chance that is told as so many of a hundred; what is not quite nothing or everything is not told as if it were.
fn as_count(p: f64, count: usize) -> String {
    match count {
        _ if p <= 0.0 => "none".into(),
        0 => "fewer than 1".into(),
        100 if number::percent(p) != "100.0 %" => "more than 99".into(),
        100 => "all".into(),
        n => n.to_string(),
    }
}

/// The answer in a sentence, and where it fails.
fn sentence(procedure: &str, odds: &Distribution, headline: &Marginal) -> (String, Option<String>) {
    let share = |favour| Quantity::Favoured(favour).of(odds);
    let about = match odds.source().trials() {
        Some(_) => "about ",
        None => "",
    };
    let tries = tries(procedure);
    if let Some(done) = done_by_fire(procedure, odds) {
        return (done.join(" "), None);
    }
    let Some(success) = share(Favour::Success) else {
        return (plain_sentence(tries, about, headline), None);
    };
    let mut told = match of_hundred(success.value).as_str() {
        "none" => format!("none of 100 such {tries} succeeds"),
        "all" => format!("all of 100 such {tries} succeed"),
        "1" => format!("{about}1 of 100 such {tries} succeeds"),
        n => format!("{about}{n} of 100 such {tries} succeed"),
    };
    let undecided = share(Favour::Undecided).map_or(0.0, |share| share.value);
    let failure = (1.0 - success.value - undecided).max(0.0);
    let failed = failures(odds, headline);
    // What is told is of one hundred: the chance of success is rounded by itself, the largest of the others gives
    // way where all together would be more or fewer.
    let mut shares = vec![success.value, undecided];
    shares.extend(failed.iter().map(|(p, _)| *p));
    shares.push((1.0 - shares.iter().sum::<f64>()).max(0.0));
    let counts = stats::of_hundred(&shares, |at| at == 0);
    if failure >= WORTH_A_WORD {
        let n = as_count(failure, counts[2..].iter().sum());
        let fail = if n == "1" { "fails" } else { "fail" };
        told += &format!(", {n} {fail}");
    }
    if undecided >= WORTH_A_WORD {
        let n = as_count(undecided, counts[1]);
        let is = if n == "1" { "is" } else { "are" };
        told += &format!("; {n} {is} undecided");
    }
    let places = failed.iter().zip(&counts[2..]).take(TOLD);
    let places = places.map(|((p, phase), count)| format!("{phase} {}", as_count(*p, *count)));
    let places: Vec<String> = places.collect();
    let fails = (!places.is_empty()).then(|| format!("Where it fails: {}.", places.join(", ")));
    (capital(&told) + ".", fails)
}

/// What a volley does, in numbers, which is what people ask of one; then how often it does what one hopes for, where
/// that is in doubt. Nothing for anything else.
pub(super) fn done_by_fire(procedure: &str, odds: &Distribution) -> Option<Vec<String>> {
    let numbers = odds.marginals().into_iter();
    let mut told: Vec<String> = numbers
        .filter(|marginal| procedure == "fire" && marginal.variable().is_numeric())
        .take(VOLLEY_NUMBERS)
        .map(|marginal| capital(&at_least(&marginal)) + ".")
        .collect();
    if told.is_empty() {
        return None;
    }
    let headline = odds.marginal_at(0);
    let variable = headline.variable();
    let hoped = headline.values().iter().filter(|value| {
        let standing = variable.standing(&value.label);
        value.p > 0.0 && standing.is_some_and(|(favour, ..)| favour == Favour::Success)
    });
    let (mut labels, mut p) = (Vec::new(), 0.0);
    for value in hoped {
        labels.push(value.label.as_str());
        p += value.p;
    }
    if !labels.is_empty() && p < 1.0 - 1e-12 {
        let n = of_hundred(p);
        told.push(format!(
            "{}: {} in {n} of 100.",
            capital(&variable.meaning),
            labels.join(" or ")
        ));
    }
    Some(told)
}

/// Where it fails, the likeliest first; nothing where there is only one place to fail.
fn failures(odds: &Distribution, headline: &Marginal) -> Vec<(f64, String)> {
    let variable = headline.variable();
    let stages = odds.stages();
    if stages.len() < 2 || variable.favours.is_empty() {
        return Vec::new();
    }
    let fails = |label: &str| {
        let standing = variable.standing(label);
        standing.is_some_and(|(favour, ..)| favour == Favour::Failure)
    };
    let mut failed: Vec<(f64, String)> = stages
        .into_iter()
        .map(|stage| {
            let ended = stage.ended.iter().filter(|ended| fails(&ended.value));
            (ended.fold(0.0, |sum, ended| sum + ended.p), stage.phase)
        })
        .filter(|(p, _)| *p >= WORTH_A_WORD)
        .collect();
    failed.sort_by(|x, y| y.0.total_cmp(&x.0));
    failed
}

/// The sentence where nobody succeeds or fails.
fn plain_sentence(tries: &str, about: &str, headline: &Marginal) -> String {
    let variable = headline.variable();
    if variable.is_numeric() {
        return capital(&at_least(headline)) + ".";
    }
    let likeliest = headline.values().iter().max_by(|x, y| x.p.total_cmp(&y.p));
    let Some(value) = likeliest else {
        return String::new();
    };
    let n = of_hundred(value.p);
    format!(
        "Most likely: {}, in {about}{n} of 100 such {tries}.",
        value.label
    )
}

/// A number: its mean, and the chances of at least so much.
fn at_least(marginal: &Marginal) -> String {
    let values = marginal.values();
    let variable = marginal.variable();
    let share = matches!(variable.kind, VariableKind::Number(_));
    let written = |x: f64| match share {
        true => number::short(x),
        false => number::grouped(x as u64),
    };
    // All but the least, which is certain.
    let above: Vec<f64> = values.iter().skip(1).map(|value| value.number).collect();
    let told = spread(&above, THRESHOLDS);
    let told = told.into_iter().filter_map(|x| {
        let p = marginal.at_least(x);
        (p >= WORTH_A_WORD).then(|| format!("at least {} in {} of 100", written(x), of_hundred(p)))
    });
    let told: Vec<String> = told.collect();
    let mean = match values {
        [only] => format!("always {}", written(only.number)),
        _ => format!("{} on average", stats::fixed(marginal.mean(), 2)),
    };
    let mut parts = vec![mean];
    parts.extend(told);
    format!("{}: {}", variable.meaning, parts.join(", "))
}

/// At most so many values, evenly over the list.
fn spread(values: &[f64], most: usize) -> Vec<f64> {
    match values.len() {
        n if n <= most => values.to_vec(),
        n => (0..most)
            .map(|i| values[i * (n - 1) / (most - 1)])
            .collect(),
    }
}

/// Of a hundred trials how many end how.
fn hundred(headline: &Marginal) -> Vec<Portion> {
    let variable = headline.variable();
    let mut ends: Vec<(String, f64, Option<Favour>)> = headline
        .values()
        .iter()
        .filter(|value| value.p > 0.0)
        .map(|value| {
            let favour = variable.standing(&value.label).map(|(favour, ..)| favour);
            (value.label.clone(), value.p, favour)
        })
        .collect();
    if variable.is_numeric() {
        if ends.len() > PORTIONS {
            let rest = ends.split_off(PORTIONS - 1);
            let first = rest
                .first()
                .map_or(String::new(), |(label, ..)| label.clone());
            let p = rest.iter().map(|(_, p, _)| p).sum();
            ends.push((format!("{first} or more"), p, None));
        }
    } else {
        ends.sort_by(|x, y| x.2.cmp(&y.2).then(y.1.total_cmp(&x.1)));
    }
    let shares: Vec<f64> = ends.iter().map(|(_, p, _)| *p).collect();
    let counts = stats::of_hundred(&shares, |at| ends[at].2 == Some(Favour::Success));
    let colours = colours(headline, &ends);
    let portions = ends.into_iter().zip(counts).zip(colours);
    portions
        .map(|(((label, p, favour), count), colour)| {
            let (low, high) = headline.interval(p).unwrap_or((p, p));
            Portion {
                label,
                count,
                chance: Estimate {
                    value: p,
                    low,
                    high,
                },
                favour,
                colour,
            }
        })
        .collect()
}

fn colours(headline: &Marginal, ends: &[(String, f64, Option<Favour>)]) -> Vec<Colour> {
    if headline.variable().is_numeric() {
        let last = ends.len().max(2) - 1;
        let inks = Inks::default();
        let colour = |at: usize| inks.sequential(0.15 + 0.8 * at as f64 / last as f64);
        return (0..ends.len()).map(colour).collect();
    }
    let meanings = Meaning::of(headline.variable());
    let named: Vec<Named<'_>> = ends
        .iter()
        .map(|(label, ..)| {
            let meaning = meanings.iter().find(|(known, _)| known == label);
            (label.as_str(), meaning.map(|(_, meaning)| *meaning))
        })
        .collect();
    Inks::default().assign(&named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_rules::{Options, Question};

    fn told(rules: &str, procedure: &str) -> Glance {
        let question = Question::new(rules, procedure).expect("a ruleset");
        let answered = question.ask(&Options::exact()).expect("an answer");
        glance(procedure, &answered.odds)
    }

    #[test]
    fn a_charge_in_a_sentence_of_whole_numbers() {
        let charge = told("elephant", "charge");
        assert_eq!(
            charge.sentence,
            "17 of 100 such charges succeed, 75 fail; 8 are undecided."
        );
        assert_eq!(
            charge.fails.as_deref(),
            Some("Where it fails: melee 35, first volley 25, second volley 15.")
        );
        assert_eq!(
            charge.at_least[0],
            "attacking stands lost in this charge: 0.88 on average, at least 1 in 65 of 100, at least 2 in 22 of 100, at least 3 in 1 of 100"
        );
    }

    #[test]
    fn a_hundred_is_always_a_hundred() {
        for (shares, wanted) in [
            (&[1.0][..], &[100][..]),
            (&[1.0 / 3.0; 3], &[34, 33, 33]),
            (&[0.996, 0.004], &[100, 0]),
            (&[0.125; 8], &[12, 12, 12, 12, 13, 13, 13, 13]),
        ] {
            assert_eq!(stats::of_hundred(shares, |_| false), wanted);
        }
        for procedure in ["charge", "fire", "morale", "firefight", "muster"] {
            let hundred = told("elephant", procedure).hundred;
            assert_eq!(
                hundred.iter().map(|portion| portion.count).sum::<usize>(),
                100
            );
        }
    }

    #[test]
    fn what_is_certain_is_said_so_and_nothing_else_is() {
        let shown = [0.0, 0.001, 0.01, 0.5, 0.9999, 1.0].map(of_hundred);
        let wanted = ["none", "fewer than 1", "1", "50", "more than 99", "all"];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn a_number_without_success_is_told_by_at_least() {
        let crossing = told("acw28", "crossing");
        assert!(
            crossing.sentence.contains("on average, at least"),
            "{}",
            crossing.sentence
        );
        assert_eq!(crossing.hundred.len(), PORTIONS);
        assert!(crossing.hundred[PORTIONS - 1].label.ends_with("or more"));
    }
}
