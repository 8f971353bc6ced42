//! Every figure of a card with its definition: the one list from which cards are made.

use super::Measure;
use super::questions::{FigureValue, Miss, Questions};
use grapeshot_rules::common::FightKind;

/// A figure before it is computed.
pub(super) struct FigureSpec {
    pub topic: &'static str,
    pub name: &'static str,
    pub definition: &'static str,
    pub measure: Measure,
    pub find: fn(&Questions<'_>) -> Result<FigureValue, Miss>,
}

/// A line of the list below.
const fn figure(
    [topic, name, definition]: [&'static str; 3],
    measure: Measure,
    find: fn(&Questions<'_>) -> Result<FigureValue, Miss>,
) -> FigureSpec {
    FigureSpec {
        topic,
        name,
        definition,
        measure,
        find,
    }
}

/// Every figure, in the order of the card.
pub(super) const FIGURES: &[FigureSpec] = &[
    figure(
        [
            "grade",
            "attacker, one step up",
            "mean change in the chance of a won charge when the attacker is one grade better, over the steps from raw to crack, against regulars",
        ],
        Measure::Points,
        |of| of.grade_step("attacker"),
    ),
    figure(
        [
            "grade",
            "defender, one step up",
            "the same when the defender is one grade better, against regulars",
        ],
        Measure::Points,
        |of| of.grade_step("defender"),
    ),
    figure(
        [
            "cover",
            "soft, in a charge",
            "change in the chance of a won charge when the defender stands in soft cover",
        ],
        Measure::Points,
        |of| of.worth("defender.cover", "soft"),
    ),
    figure(
        [
            "cover",
            "hard, in a charge",
            "change in the chance of a won charge when the defender stands in hard cover",
        ],
        Measure::Points,
        |of| of.worth("defender.cover", "hard"),
    ),
    figure(
        [
            "cover",
            "soft, under fire",
            "change of the mean loss by a volley, relative to the open",
        ],
        Measure::Change,
        |of| of.worth_under_fire("target.cover", "soft"),
    ),
    figure(
        [
            "cover",
            "hard, under fire",
            "change of the mean loss by a volley, relative to the open",
        ],
        Measure::Change,
        |of| of.worth_under_fire("target.cover", "hard"),
    ),
    figure(
        [
            "flank",
            "in a charge",
            "change in the chance of a won charge when the defender is taken in the flank",
        ],
        Measure::Points,
        |of| of.worth("defender.flanked", "true"),
    ),
    figure(
        [
            "flank",
            "under fire",
            "change of the mean loss by a volley into the flank, relative to the front",
        ],
        Measure::Change,
        |of| of.worth_under_fire("target.flanked", "true"),
    ),
    figure(
        [
            "leader",
            "with the attacker",
            "change in the chance of a won charge when a brigade leader goes with the attacker",
        ],
        Measure::Points,
        |of| of.worth("attacker.leader", "brigade"),
    ),
    figure(
        [
            "leader",
            "with the defender",
            "change in the chance of a won charge when a brigade leader stands with the defender",
        ],
        Measure::Points,
        |of| of.worth("defender.leader", "brigade"),
    ),
    figure(
        [
            "men",
            "attacker doubled",
            "change in the chance of a won charge when the attacker has a second rank of men, 800 instead of 400",
        ],
        Measure::Points,
        |of| of.worth("attacker.men", "800"),
    ),
    figure(
        ["men", "defender doubled", "the same for the defender"],
        Measure::Points,
        |of| of.worth("defender.men", "800"),
    ),
    figure(
        [
            "decisiveness",
            "of a charge",
            "chance that a charge settles anything: it is won, lost or stopped",
        ],
        Measure::Share,
        |of| of.settles(FightKind::Charge),
    ),
    figure(
        [
            "decisiveness",
            "of a firefight",
            "chance that one side breaks within six turns",
        ],
        Measure::Share,
        |of| of.settles(FightKind::Firefight),
    ),
    figure(
        [
            "bloodiness",
            "attacker in a charge",
            "mean share of its men the attacker loses in a charge",
        ],
        Measure::Share,
        |of| of.mean_loss(FightKind::Charge, "attacker_loss"),
    ),
    figure(
        [
            "bloodiness",
            "defender in a charge",
            "mean share of its men the defender loses in a charge",
        ],
        Measure::Share,
        |of| of.mean_loss(FightKind::Charge, "defender_loss"),
    ),
    figure(
        [
            "bloodiness",
            "a volley",
            "mean share of its men a target loses by a volley and the test it causes",
        ],
        Measure::Share,
        |of| of.mean_loss(FightKind::Fire, "loss"),
    ),
    figure(
        [
            "swing",
            "a volley",
            "how often a regular line loses at least twice its expectation by a volley",
        ],
        Measure::Share,
        |of| of.swing(FightKind::Fire, "loss"),
    ),
    figure(
        [
            "swing",
            "attacker in a charge",
            "how often a regular line loses at least twice its expectation when it charges",
        ],
        Measure::Share,
        |of| of.swing(FightKind::Charge, "attacker_loss"),
    ),
    figure(
        [
            "attacker's edge",
            "at equal men and grade",
            "chance that the attacker wins a charge",
        ],
        Measure::Share,
        |of| Ok(of.won(&[])?.into()),
    ),
    figure(
        [
            "attacker's edge",
            "even at",
            "smallest ratio of attacker's to defender's men from which on a charge is at least as often won as lost or stopped: 100 to 1000 men against 400, then 1000 against 390 down to 100",
        ],
        Measure::Ratio,
        |of| of.even_ratio(),
    ),
    figure(
        [
            "speed",
            "of a firefight",
            "median turns until one side breaks, of 50",
        ],
        Measure::Turns,
        |of| of.median_turns(),
    ),
    figure(
        [
            "worst troops",
            "raw attack crack",
            "chance that a raw attacker wins a charge against crack troops",
        ],
        Measure::Share,
        |of| {
            let chance = of.won(&[("attacker.grade", "raw"), ("defender.grade", "crack")])?;
            Ok(chance.into())
        },
    ),
    figure(
        [
            "worst troops",
            "raw hold crack",
            "chance that raw troops are not driven off by a charge of crack ones",
        ],
        Measure::Share,
        |of| {
            let chance = of.won(&[("attacker.grade", "crack"), ("defender.grade", "raw")])?;
            Ok((1.0 - chance).into())
        },
    ),
];
