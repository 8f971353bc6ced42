//! "Seeing the Elephant!": 15 mm miniatures, d10 reading 0 to 9.
//!
//! Readings of what the source leaves open are listed in [`RULESET`] and shown by
//! `grapeshot rules elephant`.

mod assault;
mod battle;
mod charge;
mod charts;
mod combat;
mod commander;
mod common;
mod contagion;
mod fire;
mod firefight;
mod keys;
mod melee;
mod morale;
mod muster;
mod opportunity;
mod rally;
mod screen;
mod second_fire;
mod side;
mod standoff;
mod tables;
#[cfg(test)]
mod tests;
mod unit;
mod volley;

use crate::{BuiltIn, Decidable, Decision, Procedure, RuleError, TableFile};
use std::sync::Arc;

/// The ruleset.
pub const RULESET: BuiltIn = BuiltIn {
    id: "elephant",
    title: "Seeing the Elephant!",
    about: "15 mm miniatures, a d10 that reads 0 to 9; regiments of stands with hits and panic markers",
    readings: &[
        "A range is read in the first printed band that is not below it; beyond a weapon's maximum range its factor is 0, whatever the table prints.",
        "Halves of factors are kept; nothing is rounded. A total of 0 is no fire and no die.",
        "Mounted cavalry firing is always two columns left, and a cavalry target is mounted, so it counts as exposed once.",
        "Out of ammunition is one column left, as in the chart; the text says two. With the ammunition rule in play a die of 0 does that to the firer for the rest of the trial, and nobody is resupplied.",
        "A firer's shifts apply to the whole attack, guns included. Small arms and guns that fire separately each have their own, and only the die of the small arms can run the unit out of ammunition.",
        "Overenthusiastic counts as a pass, and each later test renews or ends it.",
        "The +1 for attempting defensive fire is the one the charge sequence prints; it counts once.",
        "The second defensive fire is at 50 yards whatever the distance of the charge was; the defender need not attempt it.",
        "In a combat cell the side that lost more stands retreats unless its opponent has RT; a side without stands is gone.",
        "A charge that would end with both sides destroyed is read as the attacker's destruction.",
        "A charging unit does not fire first, since that would leave it half a move; its friends may, and the defender's test for their fire is the next it takes anyway.",
        "The ground of a charge's move, its column and its road change the movement dice and nothing else; woods, hills and streams of the combat do not change the move, except that cavalry charges in woods with two dice.",
        "Several attackers are equal, and green ones turn out alike. The defender's fire falls on the first of them still charging and is not split; a unit that stops does not frighten the others.",
        "Each of several attackers has its own die and cell, judged by the stands it and the defender had before the first die; a defender already driven off still suffers the next.",
        "Regiments behind the attacker make it deeper, but their stands do not count in the odds, and what befalls them is not reported.",
        "The test that a commander's fall causes is the next his unit takes anyway; a failed test's hit does not endanger him.",
        "In an opportunity charge the enemy's own movement does not change the distance.",
        "A unit that has fled tests in every turn until it passes, with markers or without.",
        "Battle, invented: two lines, unit before unit, depth without width; plans that hold all battle long; flights from tests go 200 yards; a unit 1000 yards behind its first line has left; a side is beaten when breaks_at of its units do not stand.",
        "Battle: who withdraws is tested in each of its activations, with markers or without, and a pass or a hit makes it stand again.",
        "Battle: a unit whose test is a hit is held: it may fire, and neither moves nor charges until the activation ends.",
        "Battle: panic is worked off as a queue, first in first out: a flight is seen from where it began by friends who stand when their number comes.",
        "Battle: a unit charged by several fires and tests once in an activation (volleys=each: at each charge, the letter of the print); one in contact does not fire.",
        "Battle: several units fight a foe together; the odds are all their stands against its own.",
        "Battle: a commander stays with a unit that withdraws; the senior colonel, rating 1, takes the place of one who fell.",
        "Skirmishers that are charged always get away; they fire while they move, so not as a stationary unit.",
    ],
    tables: include_str!("../../rules/elephant/tables.toml"),
    extras: include_str!("../../rules/elephant/extras.toml"),
    load,
    decide: Decidable::These(decisions),
    common: Some(common::load),
};

fn decisions(file: &TableFile) -> Result<Vec<Decision>, RuleError> {
    let charts = Arc::new(charts::Charts::new(file)?);
    Ok(vec![
        standoff::decision(&charts),
        second_fire::decision(&charts),
    ])
}

fn load(file: &TableFile) -> Result<Vec<Procedure>, RuleError> {
    Ok(procedures(&Arc::new(charts::Charts::new(file)?)))
}

fn procedures(charts: &Arc<charts::Charts>) -> Vec<Procedure> {
    vec![
        morale::procedure(charts),
        fire::procedure(charts),
        charge::procedure(charts),
        melee::procedure(charts),
        firefight::procedure(charts),
        opportunity::procedure(charts),
        rally::procedure(charts),
        screen::procedure(charts),
        commander::procedure(charts),
        contagion::procedure(charts),
        muster::procedure(charts),
        battle::procedure(charts),
    ]
}
