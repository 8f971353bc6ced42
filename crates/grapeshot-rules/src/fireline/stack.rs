//! Stacks: what one to three units come to together, and what O hits make of them.
//!
//! Who takes a hit is fixed by the hits before it, so that a stack is known by how many it has taken: its
//! strength, its average morale and the units it has lost are looked up in a ledger that is written once.

use super::tables::Tables;
use super::unit::{AS_THE_FIRST, Apportion, Arm, Order};
use crate::{Of, RuleError, Settings};

/// What happens to a stack during a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The order it keeps.
    pub order: Order,
    /// O hits taken since the start of the trial.
    pub taken: u8,
}

/// What a number of O hits leaves of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Standing {
    strength: i64,
    /// The average of base morale and O hits over the units that are left, rounded down.
    morale: i64,
    units_lost: u16,
    /// The first unit that is left.
    first: Counter,
}

/// What a unit's counter shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counter {
    pub reduced: bool,
    /// O hits on this side.
    pub o_hits: u8,
}

/// What never changes about a stack during a trial.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    pub arm: Arm,
    pub leader: bool,
    /// Lines that house rules add to its fire.
    pub house_fire: i64,
    takes_hit: bool,
    out_of_command: bool,
    /// What changes its morale for as long as the trial lasts.
    morale_modifier: i64,
    morale_out_of_command: i64,
    order: Order,
    /// By O hits taken; the last entry is the stack destroyed.
    ledger: Vec<Standing>,
}

/// One unit of a stack.
#[derive(Debug, Clone, Copy)]
struct Unit {
    morale: i64,
    /// O hits of both sides of the counter, the full side first.
    hits: u8,
}

impl Unit {
    fn counter(&self, tables: &Tables) -> Counter {
        let full = tables.hits[0];
        match self.hits.checked_sub(full) {
            Some(o_hits) => Counter {
                reduced: true,
                o_hits,
            },
            None => Counter {
                reduced: false,
                o_hits: self.hits,
            },
        }
    }
}

impl Stack {
    /// Reads a side. A procedure whose stacks are single units has no keys for more.
    pub(super) fn read(tables: &Tables, s: &Settings, side: &str) -> Result<Self, RuleError> {
        let key = |name| Of(side, name);
        let flag = |name| s.flag(key(name));
        let on = |flag: bool, modifier: i64| i64::from(flag) * modifier;
        let (units, leader, sp) = (units(tables, s, side)?, flag("leader"), s.whole(key("sp")));
        let reduced_sp = match s.whole(key("reduced_sp")) {
            0 => (sp + tables.reduced_divisor - 1) / tables.reduced_divisor,
            given => given,
        };
        let apportion = s.choice_or(key("apportion"), Apportion::Spread);
        Ok(Stack {
            arm: s.choice(key("type")),
            leader,
            house_fire: tables.house.shift("fire", "firer", s, side),
            takes_hit: flag("takes_hit"),
            out_of_command: flag("out_of_command"),
            morale_modifier: on(leader, tables.morale.leader)
                + on(flag("isolated"), tables.morale.isolated)
                + tables.house.shift("morale", "unit", s, side),
            morale_out_of_command: tables.morale.out_of_command,
            order: s.choice(key("state")),
            ledger: ledger(tables, units, [sp, reduced_sp], apportion),
        })
    }

    /// Reads a side that must fight, so cannot be routed.
    pub(super) fn read_fighting(
        tables: &Tables,
        s: &Settings,
        side: &str,
    ) -> Result<Self, RuleError> {
        let stack = Self::read(tables, s, side)?;
        match stack.order {
            Order::Routed => Err(s.refuse(
                Of(side, "state"),
                "a routed stack neither fires nor assaults",
            )),
            _ => Ok(stack),
        }
    }

    /// The condition in which it begins.
    pub(super) fn start(&self) -> Condition {
        Condition {
            order: self.order,
            taken: 0,
        }
    }

    /// The same stack with a morale modifier of the situation, if it applies.
    pub(super) fn with_morale(mut self, applies: bool, modifier: i64) -> Self {
        self.morale_modifier += i64::from(applies) * modifier;
        self
    }

    /// Whether a D in this condition can be answered by an O hit.
    pub(super) fn may_take_hit(&self, unit: Condition) -> bool {
        self.takes_hit && unit.order == Order::Good
    }

    /// The morale it checks against (Average Modified Morale; Morale Modifiers Schedule).
    pub(super) fn modified_morale(&self, unit: Condition) -> i64 {
        let out_of_command = self.out_of_command || unit.order == Order::Routed;
        self.standing(unit).morale
            + self.morale_modifier
            + i64::from(out_of_command) * self.morale_out_of_command
    }

    /// Strength points of the units that are left.
    pub(super) fn strength(&self, unit: Condition) -> i64 {
        self.standing(unit).strength
    }

    /// The same for every number of O hits it can have taken, none first.
    pub(super) fn strengths(&self) -> impl Iterator<Item = i64> {
        self.ledger.iter().map(|standing| standing.strength)
    }

    /// Takes O hits, no more than it can take.
    pub(super) fn hit(&self, mut unit: Condition, hits: u8) -> Condition {
        let most = self.ledger.len() - 1;
        let taken = (usize::from(unit.taken) + usize::from(hits)).min(most);
        unit.taken = taken as u8;
        if taken == most {
            unit.order = Order::Destroyed;
        }
        unit
    }

    /// Units destroyed since the start of the trial.
    pub(super) fn units_lost(&self, unit: Condition) -> u16 {
        self.standing(unit).units_lost
    }

    /// The counter of the first unit that is left, and so of the only one.
    pub(super) fn counter(&self, unit: Condition) -> Counter {
        self.standing(unit).first
    }

    fn standing(&self, unit: Condition) -> &Standing {
        &self.ledger[usize::from(unit.taken)]
    }
}

/// O hits a unit has carried on both sides of its counter, if it can carry so many.
pub(super) fn carried(
    tables: &Tables,
    s: &Settings,
    o_hits: &str,
    reduced: &str,
) -> Result<u8, RuleError> {
    let (hits, is_reduced) = (s.whole(o_hits) as u8, s.flag(reduced));
    let most = tables.hits[usize::from(is_reduced)];
    if hits >= most {
        let fate = if is_reduced { "destroys" } else { "flips" };
        let reason = format!("hit number {most} {fate} the unit, so it carries fewer");
        return Err(s.refuse(o_hits, reason));
    }
    Ok(hits + if is_reduced { tables.hits[0] } else { 0 })
}

/// The units of a side. What is said of one it has not is refused.
fn units(tables: &Tables, s: &Settings, side: &str) -> Result<Vec<Unit>, RuleError> {
    let key = |name: &str, suffix: &str| format!("{side}.{name}{suffix}");
    let count = s.whole_or(&key("units", ""), 1) as usize;
    let base = s.whole(&key("morale", ""));
    let mut units = Vec::new();
    for (at, suffix) in ["", "2", "3"].iter().enumerate() {
        let [morale, o_hits, reduced] =
            ["morale", "o_hits", "reduced"].map(|name| key(name, suffix));
        if at < count {
            units.push(Unit {
                morale: match s.whole(&morale) {
                    AS_THE_FIRST => base,
                    own => own,
                },
                hits: carried(tables, s, &o_hits, &reduced)?,
            });
            continue;
        }
        let missing = [
            (s.whole_or(&morale, AS_THE_FIRST) != AS_THE_FIRST, morale),
            (s.whole_or(&o_hits, 0) != 0, o_hits),
            (s.flag_or_off(&reduced), reduced),
        ];
        if let Some((_, key)) = missing.into_iter().find(|(given, _)| *given) {
            let reason = format!(
                "the stack has {count} unit{}, so there is no {}; {side}.units says how many",
                if count == 1 { "" } else { "s" },
                ["first", "second", "third"][at],
            );
            return Err(s.refuse(&key, reason));
        }
    }
    Ok(units)
}

/// What every number of O hits leaves of a stack, until nothing is left.
fn ledger(
    tables: &Tables,
    mut units: Vec<Unit>,
    sp: [i64; 2],
    apportion: Apportion,
) -> Vec<Standing> {
    let [full, reduced] = tables.hits;
    let count = units.len();
    let mut ledger = Vec::new();
    while !units.is_empty() {
        ledger.push(standing(tables, &units, sp, count));
        let struck = match apportion {
            Apportion::First => 0,
            // Of equals the first is found, which is the earlier unit.
            Apportion::Spread => {
                let fewest = units.iter().enumerate().min_by_key(|(_, unit)| unit.hits);
                fewest.map_or(0, |(at, _)| at)
            }
        };
        units[struck].hits += 1;
        if units[struck].hits == full + reduced {
            units.remove(struck);
        }
    }
    ledger.push(Standing {
        strength: 0,
        morale: 0,
        units_lost: count as u16,
        first: Counter::default(),
    });
    ledger
}

fn standing(tables: &Tables, units: &[Unit], sp: [i64; 2], count: usize) -> Standing {
    let counters: Vec<Counter> = units.iter().map(|unit| unit.counter(tables)).collect();
    let hit = |counter: &Counter| tables.morale.o_hit * i64::from(counter.o_hits);
    let together =
        units.iter().map(|unit| unit.morale).sum::<i64>() + counters.iter().map(hit).sum::<i64>();
    let strengths = counters
        .iter()
        .map(|counter| sp[usize::from(counter.reduced)]);
    Standing {
        strength: strengths.sum(),
        morale: together.div_euclid(units.len() as i64),
        units_lost: (count - units.len()) as u16,
        first: counters[0],
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refusal, settings, tables, varied};
    use super::*;

    fn stack(given: &str) -> Stack {
        Stack::read(&tables(), &settings("morale", given), "unit").expect("a stack")
    }

    /// Modified morale, strength and units lost, by O hits taken.
    fn ledger(given: &str) -> Vec<(i64, i64, u16)> {
        let stack = stack(given);
        let most = stack.ledger.len() as u8 - 1;
        (0..most)
            .map(|hits| stack.hit(stack.start(), hits))
            .map(|unit| {
                (
                    stack.modified_morale(unit),
                    stack.strength(unit),
                    stack.units_lost(unit),
                )
            })
            .collect()
    }

    #[test]
    fn the_third_hit_flips_and_the_sixth_destroys() {
        let stack = stack("unit.o_hits=2");
        let flipped = stack.hit(stack.start(), 2);
        assert_eq!(stack.strength(flipped), 2);
        assert_eq!(stack.modified_morale(flipped), 4, "one hit is left over");
        assert_eq!((flipped.order, flipped.taken), (Order::Good, 2));
        let gone = stack.hit(flipped, 3);
        assert_eq!((gone.order, gone.taken), (Order::Destroyed, 4));
        assert_eq!((stack.strength(gone), stack.units_lost(gone)), (0, 1));
    }

    #[test]
    fn hits_are_spread_over_the_units_least_hit_or_fall_on_the_first() {
        // Morale 6 and 4: the first hit goes to the first unit, the second to the other.
        let two = "unit.units=2 unit.morale=6 unit.morale2=4";
        assert_eq!(
            ledger(two)[..7],
            [
                (5, 8, 0),
                (4, 8, 0),
                (4, 8, 0),
                (3, 8, 0),
                (3, 8, 0),
                // The first flips: 6 and 2.
                (4, 6, 0),
                (5, 4, 0),
            ]
        );
        assert_eq!(
            ledger(&format!("{two} unit.apportion=first")),
            [
                (5, 8, 0),
                (4, 8, 0),
                (4, 8, 0),
                (5, 6, 0),
                (4, 6, 0),
                (4, 6, 0),
                // The first is gone, and the average is the second's alone.
                (4, 4, 1),
                (3, 4, 1),
                (2, 4, 1),
                (4, 2, 1),
                (3, 2, 1),
                (2, 2, 1),
            ]
        );
    }

    #[test]
    fn hits_a_unit_began_with_and_its_reduced_side_count_when_they_are_spread() {
        // 2, 3 + 1 and none: the third takes two, then the first and it flip, and so on in turn.
        let given = "unit.units=3 unit.o_hits=2 unit.reduced2=true unit.o_hits2=1";
        let strengths: Vec<i64> = ledger(given).iter().map(|&(_, sp, _)| sp).collect();
        assert_eq!(
            strengths,
            [10, 10, 10, 8, 6, 6, 6, 6, 6, 6, 4, 2],
            "first the third is worn down to the first, of equals the earlier is hit"
        );
    }

    #[test]
    fn the_average_is_rounded_down_below_nothing_too() {
        let morale = |given: &str| {
            let stack = stack(given);
            stack.modified_morale(stack.start())
        };
        assert_eq!(morale("unit.units=2 unit.o_hits=1"), 4);
        assert_eq!(morale("unit.units=2 unit.morale=0 unit.o_hits=1"), -1);
        assert_eq!(morale("unit.units=3 unit.morale=0 unit.o_hits3=2"), -1);
        assert_eq!(morale("unit.units=2 unit.morale=3 unit.morale2=0"), 1);
        assert_eq!(
            morale("unit.units=2 unit.morale=4 unit.morale2=9 unit.leader=true"),
            7
        );
    }

    #[test]
    fn reduced_strength_is_half_rounded_up_unless_given() {
        let strength = |given: &str| {
            let stack = stack(given);
            stack.strength(stack.start())
        };
        assert_eq!(strength("unit.sp=5"), 5);
        assert_eq!(strength("unit.sp=5 unit.reduced=true"), 3);
        assert_eq!(strength("unit.sp=5 unit.reduced=true unit.reduced_sp=4"), 4);
        assert_eq!(strength("unit.sp=5 unit.units=3 unit.reduced2=true"), 13);
    }

    #[test]
    fn morale_modifiers_add_up() {
        let morale = |given: &str| {
            let stack = stack(given);
            stack.modified_morale(stack.start())
        };
        assert_eq!(morale(""), 5);
        assert_eq!(morale("unit.o_hits=2 unit.reduced=true"), 3);
        assert_eq!(morale("unit.leader=true unit.isolated=true"), 4);
        assert_eq!(morale("unit.state=routed unit.out_of_command=true"), 4);
        assert_eq!(morale("unit.state=disrupted"), 5);
    }

    #[test]
    fn what_is_said_of_a_unit_that_is_not_there_is_refused() {
        for (given, missing) in [
            ("unit.morale2=5", "no second"),
            ("unit.o_hits2=1", "no second"),
            ("unit.reduced2=true", "no second"),
            ("unit.units=2 unit.morale3=0", "no third"),
            ("unit.units=2 unit.o_hits3=2", "no third"),
            ("unit.units=2 unit.reduced3=true", "no third"),
        ] {
            let why = refusal("morale", given);
            assert!(why.contains(missing) && why.contains("unit.units"), "{why}");
        }
        // Their defaults say nothing.
        stack("unit.morale2=-1 unit.o_hits2=0 unit.reduced3=false");
    }

    #[test]
    fn hits_that_a_variant_makes_fatal_are_refused() {
        let tables = varied("[lists.organization_hits.values]\nreduced = 2").expect("a variant");
        let given = "unit.units=2 unit.o_hits2=2 unit.reduced2=true";
        let error = Stack::read(&tables, &settings("morale", given), "unit").expect_err("refused");
        assert!(error.to_string().contains("unit.o_hits2"), "{error}");
        assert!(error.to_string().contains("destroys the unit"), "{error}");
    }

    #[test]
    fn a_routed_stack_cannot_fight() {
        for (procedure, given) in [
            ("fire", "firer.state=routed"),
            ("melee", "defender.state=routed"),
            ("charge", "attacker.state=routed"),
            ("firefight", "b.state=routed"),
        ] {
            let why = refusal(procedure, given);
            assert!(why.contains(given) && why.contains("routed stack"), "{why}");
        }
    }
}
