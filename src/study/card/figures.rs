//! Every figure of a card with its definition: the one list from which cards are made.

use super::Measure;
use super::field::{Field, Found, Miss};
use crate::rules::common::Kind;

/// A figure before it is computed.
pub(super) struct Asked {
    pub topic: &'static str,
    pub name: &'static str,
    pub definition: &'static str,
    pub measure: Measure,
    pub find: fn(&Field<'_>) -> Result<Found, Miss>,
}

/// A line of the list below.
const fn asked(
    [topic, name, definition]: [&'static str; 3],
    measure: Measure,
    find: fn(&Field<'_>) -> Result<Found, Miss>,
) -> Asked {
    Asked {
        topic,
        name,
        definition,
        measure,
        find,
    }
}

/// Every figure, in the order of the card.
pub(super) const FIGURES: &[Asked] = &[
    asked(
        [
            "grade",
            "attacker, one step up",
            "mean change in the chance of a won charge when the attacker is one grade better, over the steps from raw to crack, against regulars",
        ],
        Measure::Points,
        |field| field.grade_step("attacker"),
    ),
    asked(
        [
            "grade",
            "defender, one step up",
            "the same when the defender is one grade better, against regulars",
        ],
        Measure::Points,
        |field| field.grade_step("defender"),
    ),
    asked(
        [
            "cover",
            "soft, in a charge",
            "change in the chance of a won charge when the defender stands in soft cover",
        ],
        Measure::Points,
        |field| field.worth("defender.cover", "soft"),
    ),
    asked(
        [
            "cover",
            "hard, in a charge",
            "change in the chance of a won charge when the defender stands in hard cover",
        ],
        Measure::Points,
        |field| field.worth("defender.cover", "hard"),
    ),
    asked(
        [
            "cover",
            "soft, under fire",
            "change of the mean loss by a volley, relative to the open",
        ],
        Measure::Change,
        |field| field.worth_under_fire("target.cover", "soft"),
    ),
    asked(
        [
            "cover",
            "hard, under fire",
            "change of the mean loss by a volley, relative to the open",
        ],
        Measure::Change,
        |field| field.worth_under_fire("target.cover", "hard"),
    ),
    asked(
        [
            "flank",
            "in a charge",
            "change in the chance of a won charge when the defender is taken in the flank",
        ],
        Measure::Points,
        |field| field.worth("defender.flanked", "true"),
    ),
    asked(
        [
            "flank",
            "under fire",
            "change of the mean loss by a volley into the flank, relative to the front",
        ],
        Measure::Change,
        |field| field.worth_under_fire("target.flanked", "true"),
    ),
    asked(
        [
            "leader",
            "with the attacker",
            "change in the chance of a won charge when a brigade leader goes with the attacker",
        ],
        Measure::Points,
        |field| field.worth("attacker.leader", "brigade"),
    ),
    asked(
        [
            "leader",
            "with the defender",
            "change in the chance of a won charge when a brigade leader stands with the defender",
        ],
        Measure::Points,
        |field| field.worth("defender.leader", "brigade"),
    ),
    asked(
        [
            "men",
            "attacker doubled",
            "change in the chance of a won charge when the attacker has a second rank of men, 800 instead of 400",
        ],
        Measure::Points,
        |field| field.worth("attacker.men", "800"),
    ),
    asked(
        ["men", "defender doubled", "the same for the defender"],
        Measure::Points,
        |field| field.worth("defender.men", "800"),
    ),
    asked(
        [
            "decisiveness",
            "of a charge",
            "chance that a charge settles anything: it is won, lost or stopped",
        ],
        Measure::Share,
        |field| field.settles(Kind::Charge),
    ),
    asked(
        [
            "decisiveness",
            "of a firefight",
            "chance that one side breaks within six turns",
        ],
        Measure::Share,
        |field| field.settles(Kind::Firefight),
    ),
    asked(
        [
            "bloodiness",
            "attacker in a charge",
            "mean share of its men the attacker loses in a charge",
        ],
        Measure::Share,
        |field| field.mean_loss(Kind::Charge, "attacker_loss"),
    ),
    asked(
        [
            "bloodiness",
            "defender in a charge",
            "mean share of its men the defender loses in a charge",
        ],
        Measure::Share,
        |field| field.mean_loss(Kind::Charge, "defender_loss"),
    ),
    asked(
        [
            "bloodiness",
            "a volley",
            "mean share of its men a target loses by a volley and the test it causes",
        ],
        Measure::Share,
        |field| field.mean_loss(Kind::Fire, "loss"),
    ),
    asked(
        [
            "swing",
            "a volley",
            "how often a regular line loses at least twice its expectation by a volley",
        ],
        Measure::Share,
        |field| field.swing(Kind::Fire, "loss"),
    ),
    asked(
        [
            "swing",
            "attacker in a charge",
            "how often a regular line loses at least twice its expectation when it charges",
        ],
        Measure::Share,
        |field| field.swing(Kind::Charge, "attacker_loss"),
    ),
    asked(
        [
            "attacker's edge",
            "at equal men and grade",
            "chance that the attacker wins a charge",
        ],
        Measure::Share,
        |field| Ok(field.won(&[])?.into()),
    ),
    asked(
        [
            "attacker's edge",
            "even at",
            "smallest ratio of attacker's to defender's men from which on a charge is at least as often won as lost or stopped: 100 to 1000 men against 400, then 1000 against 390 down to 100",
        ],
        Measure::Ratio,
        |field| field.even_ratio(),
    ),
    asked(
        [
            "speed",
            "of a firefight",
            "median turns until one side breaks, of 50",
        ],
        Measure::Turns,
        |field| field.median_turns(),
    ),
    asked(
        [
            "worst troops",
            "raw attack crack",
            "chance that a raw attacker wins a charge against crack troops",
        ],
        Measure::Share,
        |field| {
            let chance = field.won(&[("attacker.grade", "raw"), ("defender.grade", "crack")])?;
            Ok(chance.into())
        },
    ),
    asked(
        [
            "worst troops",
            "raw hold crack",
            "chance that raw troops are not driven off by a charge of crack ones",
        ],
        Measure::Share,
        |field| {
            let chance = field.won(&[("attacker.grade", "crack"), ("defender.grade", "raw")])?;
            Ok((1.0 - chance).into())
        },
    ),
];
