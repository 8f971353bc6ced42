//! A hex game with fire lines and organisation hits, d10 reading 0 to 9.
//!
//! Fire and assault use one combat results table; what moves its row differs. Every result but
//! disruption costs O hits, and the third on a side of the counter flips or destroys a unit.
//!
//! Each rule is one piece that the procedures are put together from: [`stack`] says what hits make of a
//! stack, [`morale`] how it checks and what a result does to it, [`volley`] how one stack fires at another,
//! [`assault`] how a round is fought, [`charge`] what comes before it.
//! Readings of what the source leaves open are listed in [`RULESET`] and shown by
//! `grapeshot rules fireline`.

mod assault;
mod charge;
mod charts;
mod close_combat;
mod common;
mod fire;
mod firefight;
mod march;
mod modifiers;
mod morale;
mod stack;
mod standoff;
mod straggle;
mod tables;
mod terrain;
#[cfg(test)]
mod tests;
mod unit;
mod volley;

use crate::{BuiltIn, Decidable, Decision, Procedure, RuleError, TableFile};
use std::sync::Arc;

/// The ruleset.
pub const RULESET: BuiltIn = BuiltIn {
    id: "fireline",
    title: "Fire lines and organisation hits",
    about: "a hex game on a d10 that reads 0 to 9; stacks with strength points, O hits and a reduced side",
    readings: &[
        "A stack is one to three units of one type and equal strength. Its strength is the sum over the units that are left, limited by its hex, and the fire factor is rounded once.",
        "Average morale is rounded down, also below nothing, before the modifiers of the stack are added.",
        "O hits fall one by one. Spread, each goes to the unit least hit so far, hits from before and the reduced side counted in, of equals to the earlier; else to the first unit that is left.",
        "A third O hit flips a full unit, and hits beyond it count on the reduced side; the check that follows is made on the sides and by the units the hits leave. Hits are counted only until the stack is destroyed.",
        "A fire factor of 0 still fires on the row for 0. Without a range factor there is no fire, and no die.",
        "All modifiers that raise the fire line come first, held at the top row; then all that lower it, held at the bottom row.",
        "Clear ground and thoroughfare raise the line once; woods or marsh lower it even for a target on a thoroughfare; a run does neither, and a marsh with a run is a marsh.",
        "The 2(+1) of the range table is the +1 for artillery against adjacent small arms, counted once.",
        "The asterisk at irregulars has no note; their factors are used as printed.",
        "Fire without a line of sight is artillery fire down a slope. Ranges 7 and 8 fire on the row for 0 at most too, but are not by themselves such fire.",
        "A charging target has the +1 morale of a charge; one that only advances has not.",
        "On a D the check to take an O hit instead comes before the hit. A disrupted or routed stack takes the hit without a check. With takes_hit it is always attempted, also by a unit whose third hit destroys it.",
        "A routed stack is out of command, which counts once; a failed check leaves it routed.",
        "Density is a flag the player sets; with density = auto a target of 5 strength points or more at that moment is dense too, under fire and in an assault alike.",
        "In an assault both results are read before either is applied. Ground, walls and flanks move the attacker's line alone; density and leaders move either side's.",
        "A wall costs any attacker its modifier, as the assault schedule says, unless wall_in_assault is off; a fence costs him none.",
        "A marsh disrupts an attacker in good order before the first round, and after the fire of a charge; it does not by itself limit the points that assault.",
        "A side routed or destroyed alone has lost an assault; both is mutual, and neither after the last round is stalled.",
        "Before an assault the defender may make advance fire, at one hex or where the ground lets him at two, and then the fire just before the assault, for which he has the marker of the first. A marker from before counts in both fires, and never twice.",
        "Under advance fire the attacker has the +1 morale only when charging; in the fire just before the assault always. The ground he is fired on in is a key of its own and does not set where he assaults from.",
        "In a firefight each side's ground counts for the fire it receives; both may be lower, for the fire lines cross different ground. An advance-fire marker counts in its stack's first fire and is then gone.",
        "A unit whose reduced strength is not given has half its strength, rounded up.",
        "In a standoff units are a hex apart. A charge out of it is made from the ground the charger stands on, whose own wall and flank do not count; the defender has its fire before the assault although it also fires in its own turns.",
        "On a march a hex costs one point and every check is alike; none is made by artillery, for the first hex out of a clear one, or for the hex the bonus adds. Marsh ends the segment of every arm, woods that of artillery. What a stack does about stragglers is settled once for the whole march.",
    ],
    tables: include_str!("tables.toml"),
    extras: include_str!("extras.toml"),
    load,
    decide: Decidable::These(decisions),
    common: Some(common::load),
};

fn charts(file: &TableFile) -> Result<Arc<charts::Charts>, RuleError> {
    Ok(Arc::new(charts::Charts::new(tables::Tables::load(file)?)))
}

fn decisions(file: &TableFile) -> Result<Vec<Decision>, RuleError> {
    Ok(vec![standoff::decision(&charts(file)?)])
}

fn load(file: &TableFile) -> Result<Vec<Procedure>, RuleError> {
    let charts = charts(file)?;
    Ok(vec![
        fire::procedure(&charts),
        close_combat::charge(&charts),
        close_combat::melee(&charts),
        morale::procedure(&charts),
        straggle::procedure(&charts),
        march::procedure(&charts),
        firefight::procedure(&charts),
    ])
}
