//! What a person would repeat to a friend: sentences made from the balance cards of all rulesets.

use grapeshot_engine::stats::fixed;
use grapeshot_study::{Amount, Card, Figure, title_of};

/// Sentences at the head of the report.
const SHOWN: usize = 5;

/// Makes a sentence, unless the cards lack what it speaks of.
type Template = fn(&[Card]) -> Option<String>;

/// A figure of one ruleset: its title, and how much it is.
struct Known {
    title: String,
    amount: Amount,
}

/// The sentences, as far as the cards have what they speak of.
pub(super) fn headlines(cards: &[Card]) -> Vec<String> {
    let templates: [Template; 6] = [edge, flank, cover, blood, firefight, even];
    let told = templates.into_iter().filter_map(|template| template(cards));
    // A title that ends in a mark needs no full stop behind it.
    let told = told.map(|sentence| sentence.replace("!.", "!"));
    told.take(SHOWN).collect()
}

fn figure<'a>(card: &'a Card, topic: &str, name: &str) -> Option<&'a Figure> {
    let mut figures = card.figures.iter();
    figures.find(|figure| figure.topic == topic && figure.name == name)
}

fn amount(card: &Card, topic: &str, name: &str) -> Option<Amount> {
    figure(card, topic, name)?.value.as_ref().ok().copied()
}

fn known(cards: &[Card], topic: &str, name: &str) -> Vec<Known> {
    let of = |card: &Card| {
        Some(Known {
            title: title_of(&card.rules),
            amount: amount(card, topic, name)?,
        })
    };
    cards.iter().filter_map(of).collect()
}

/// The titles of those with the least and of those with the most, each with the amount as it is written; nothing
/// where all are written alike. Amounts that are written alike are the same amount.
fn ends(known: &[Known], write: impl Fn(Amount) -> String) -> Option<[(String, String); 2]> {
    let order = |a: &&Known, b: &&Known| a.amount.number().total_cmp(&b.amount.number());
    let least = write(known.iter().min_by(order)?.amount);
    let most = write(known.iter().max_by(order)?.amount);
    let titles = |written: &String| {
        let same = known.iter().filter(|one| write(one.amount) == *written);
        let titles: Vec<&str> = same.map(|one| one.title.as_str()).collect();
        joined(&titles)
    };
    (least != most).then(|| [(titles(&least), least), (titles(&most), most)])
}

/// `a`, `a and b`, `a, b and c`.
fn joined(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A share in whole hundredths; what is less than one has a decimal.
fn hundredths(amount: Amount) -> String {
    let share = 100.0 * amount.number().abs();
    match share {
        share if share > 0.0 && share < 0.95 => fixed(share, 1),
        share => fixed(share, 0),
    }
}

fn edge(cards: &[Card]) -> Option<String> {
    let known = known(cards, "attacker's edge", "at equal men and grade");
    let [(few, least), (many, most)] = ends(&known, hundredths)?;
    Some(format!(
        "Charge 400 regulars with 400 of your own across open ground, and you win {most} times in 100 by {many}, \
         but {least} by {few}."
    ))
}

fn flank(cards: &[Card]) -> Option<String> {
    let known = known(cards, "flank", "in a charge");
    let [(few, least), (many, most)] = ends(&known, hundredths)?;
    let gain = |figure: &Figure| match (figure.measure, &figure.value) {
        (grapeshot_study::Measure::Points, Ok(amount)) => amount.number(),
        _ => 0.0,
    };
    let is_best = |card: &Card| {
        let flank = figure(card, "flank", "in a charge").map_or(0.0, gain);
        let others = card.figures.iter().filter(|other| other.topic != "flank");
        amount(card, "flank", "in a charge").is_none() || others.map(gain).all(|gain| gain < flank)
    };
    let lead = match cards.iter().all(is_best) {
        true => {
            "Go for the flank where the rules know one: nothing else on the card helps a charge as much. It brings"
        }
        false => "Taking the enemy in the flank brings",
    };
    Some(format!(
        "{lead} {most} more wins in 100 charges by {many}, and {least} by {few}."
    ))
}

fn cover(cards: &[Card]) -> Option<String> {
    // How many of the wins in the open are left, where the defender stands behind a wall.
    let left = |card: &Card| {
        let open = amount(card, "attacker's edge", "at equal men and grade")?.number();
        let change = amount(card, "cover", "hard, in a charge")?.number();
        let wins = |share: f64| hundredths(Amount::Is(share.max(0.0)));
        let left = match wins(open + change) {
            none if none == "0" => "none".to_owned(),
            some => some,
        };
        (open > 0.0).then(|| {
            (
                (open + change) / open,
                title_of(&card.rules),
                left,
                wins(open),
            )
        })
    };
    let mut all: Vec<(f64, String, String, String)> = cards.iter().filter_map(left).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (all.first()?, all.last()?);
    (first.0 < last.0).then(|| {
        format!(
            "Put the enemy behind a wall, and of {} wins {} are left by {}; {} of {} by {}.",
            first.3, first.2, first.1, last.2, last.3, last.1
        )
    })
}

fn blood(cards: &[Card]) -> Option<String> {
    let known = known(cards, "bloodiness", "attacker in a charge");
    let [(few, least), (many, most)] = ends(&known, hundredths)?;
    Some(format!(
        "A charge costs the attacker {most} % of his men by {many}, and {least} % by {few}."
    ))
}

fn firefight(cards: &[Card]) -> Option<String> {
    let known = known(cards, "speed", "of a firefight");
    let [(quick, least), (slow, most)] = ends(&known, |amount| match amount {
        Amount::Is(1.0) => "one turn".into(),
        Amount::Is(turns) => format!("{turns} turns"),
        Amount::AtMost(turns) => format!("at most {turns} turns"),
        Amount::MoreThan(turns) => format!("more than {turns} turns"),
    })?;
    Some(format!(
        "Of firefights of two equal lines at 100 yards at least half are done within {least} by {quick}; by {slow} \
         that takes {most}."
    ))
}

fn even(cards: &[Card]) -> Option<String> {
    let known = known(cards, "attacker's edge", "even at");
    let [(cheap, least), (dear, most)] = ends(&known, |amount| match amount {
        Amount::Is(ratio) => fixed(ratio, 1),
        Amount::AtMost(ratio) => format!("at most {}", fixed(ratio, 1)),
        Amount::MoreThan(ratio) => format!("more than {}", fixed(ratio, 0)),
    })?;
    Some(format!(
        "For an even chance a charge needs {least} men to one by {cheap}, and {most} by {dear}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grapeshot_study::Measure;

    fn card(rules: &str, edge: f64, flank: Option<f64>, men: f64) -> Card {
        let figure = |topic, name, measure, value: Option<f64>| Figure {
            topic,
            name,
            definition: "",
            measure,
            value: value.map(Amount::Is).ok_or_else(|| "not printed".into()),
            detail: String::new(),
            exact: true,
        };
        Card {
            rules: rules.into(),
            figures: vec![
                figure(
                    "attacker's edge",
                    "at equal men and grade",
                    Measure::Share,
                    Some(edge),
                ),
                figure("flank", "in a charge", Measure::Points, flank),
                figure("men", "attacker doubled", Measure::Points, Some(men)),
                figure(
                    "cover",
                    "hard, in a charge",
                    Measure::Points,
                    Some(-edge / 2.0),
                ),
            ],
            assumptions: Vec::new(),
        }
    }

    #[test]
    fn rulesets_are_named_by_their_titles_and_numbers_computed() {
        let cards = [
            card("elephant", 0.152, Some(0.438), 0.2),
            card("acw28", 0.489, None, 0.4),
        ];
        let told = headlines(&cards);
        assert_eq!(
            told,
            [
                "Charge 400 regulars with 400 of your own across open ground, and you win 49 times in 100 by American \
              Civil War, but 15 by Seeing the Elephant!"
            ]
        );
    }

    #[test]
    fn the_flank_is_called_best_only_where_it_is() {
        let with = |men: f64| {
            let cards = [
                card("elephant", 0.1, Some(0.4), men),
                card("gbacw", 0.1, Some(0.5), 0.2),
            ];
            headlines(&cards).join(" ")
        };
        assert!(with(0.3).contains("Go for the flank"), "{}", with(0.3));
        assert!(
            with(0.6).contains("Taking the enemy in the flank brings 50 more"),
            "{}",
            with(0.6)
        );
    }

    /// The same sentences as the report has, each figure asked for anew.
    #[test]
    fn every_figure_of_the_headlines_is_what_the_rules_answer() {
        use grapeshot_engine::dist::Quantity;
        use grapeshot_rules::{Options, Question};
        let common = grapeshot_rules::find("common").and_then(|common| common.load(&[]));
        let common = common.expect("common fights");
        let cards = grapeshot_study::cards(&common, &[], &Options::exact()).expect("cards");
        let asked = |rules: &str, procedure: &str, given: &[(&str, &str)]| {
            let mut question = Question::new("common", procedure).expect("a fight");
            question = question.with("ruleset", rules);
            for (key, value) in given {
                question = question.with(*key, *value);
            }
            question
                .ask(&Options::exact())
                .ok()
                .map(|answered| answered.odds)
        };
        let won = |rules: &str, given: &[(&str, &str)]| {
            let odds = asked(rules, "charge", given)?;
            Some(odds.marginal("result")?.p("won"))
        };
        let mut checked = 0;
        for card in &cards {
            let edge = amount(card, "attacker's edge", "at equal men and grade");
            let (edge, fresh) = (edge.map(|edge| edge.number()), won(&card.rules, &[]));
            assert_eq!(
                edge.map(|p| fixed(100.0 * p, 0)),
                fresh.map(|p| fixed(100.0 * p, 0))
            );
            if let (Some(change), Some(open)) = (amount(card, "cover", "hard, in a charge"), fresh)
            {
                let behind = won(&card.rules, &[("defender.cover", "hard")]).expect("a wall");
                assert!(
                    (open + change.number() - behind).abs() < 1e-9,
                    "{}",
                    card.rules
                );
                checked += 1;
            }
            let loss = amount(card, "bloodiness", "attacker in a charge");
            if let (Some(loss), Some(odds)) = (loss, asked(&card.rules, "charge", &[])) {
                let mean = Quantity::Mean("attacker_loss".into())
                    .of(&odds)
                    .expect("a loss");
                assert!((loss.number() - mean.value).abs() < 1e-9, "{}", card.rules);
                checked += 1;
            }
            // Half of all firefights, or more, are done by the turn that is told, and fewer by the one before.
            if let Some(Amount::Is(turns)) = amount(card, "speed", "of a firefight") {
                let by = |turns: f64| {
                    let turns = turns.to_string();
                    let odds = asked(&card.rules, "firefight", &[("turns", &turns)])?;
                    Some(1.0 - odds.marginal("result")?.p("undecided"))
                };
                assert!(
                    by(turns).expect("a firefight") >= 0.5 - 1e-9,
                    "{}",
                    card.rules
                );
                if turns > 1.0 {
                    assert!(
                        by(turns - 1.0).expect("a firefight") < 0.5,
                        "{}",
                        card.rules
                    );
                }
                checked += 1;
            }
        }
        assert!(checked >= 8, "only {checked} figures");
        let told = headlines(&cards).join(" ");
        assert!(told.contains("at least half are done within"), "{told}");
    }

    #[test]
    fn what_is_written_alike_is_told_of_both() {
        let cards = [
            card("elephant", 0.151, None, 0.1),
            card("gbacw", 0.149, None, 0.1),
            card("acw28", 0.489, None, 0.1),
        ];
        let told = headlines(&cards).join(" ");
        let both = "15 by Seeing the Elephant! and Great Battles of the American Civil War.";
        assert!(told.contains(both), "{told}");
    }
}
