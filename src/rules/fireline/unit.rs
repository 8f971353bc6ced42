//! Stacks: what they are, what can be set about them, and what O hits make of them.

use super::tables::Tables;
use crate::rules::{Labels, RuleError, Setting, Settings};

crate::labels! {
    /// What a stack is made of.
    pub enum Arm { Infantry = "infantry", Cavalry = "cavalry", Irregular = "irregular", Artillery = "artillery" }
}

impl Arm {
    /// Everything but artillery.
    pub fn is_small_arms(self) -> bool {
        self != Arm::Artillery
    }
}

crate::labels! {
    /// The order a stack keeps, best first.
    pub enum Order { Good = "good", Disrupted = "disrupted", Routed = "routed", Destroyed = "destroyed" }
}

impl Order {
    /// Routed or destroyed: out of the fight.
    pub fn is_gone(self) -> bool {
        self >= Order::Routed
    }

    /// What a failed check makes of it.
    pub fn worse(self) -> Self {
        match self {
            Order::Good => Order::Disrupted,
            Order::Disrupted | Order::Routed => Order::Routed,
            Order::Destroyed => Order::Destroyed,
        }
    }
}

crate::labels! {
    /// The ground a target stands on.
    pub enum Terrain { Clear = "clear", Woods = "woods", Marsh = "marsh" }
}

/// Every key that makes a stack; each procedure has them for each of its sides.
const STACK: [&str; 11] = [
    "sp",
    "type",
    "morale",
    "o_hits",
    "reduced",
    "reduced_sp",
    "state",
    "leader",
    "out_of_command",
    "isolated",
    "takes_hit",
];

/// Every setting a side can have, declared once; procedures name the ones that matter to them.
fn setting(side: &str, name: &str) -> Setting {
    let key = format!("{side}.{name}");
    let fire = "Fire Line Modifiers Schedule, Fire Combat Only";
    let assault = "Fire Line Modifiers Schedule, Assault Combat Only";
    let morale = "Morale Modifiers Schedule";
    let hits = "Combat Result Summary, note";
    match name {
        "sp" => Setting::whole(key, 1..=20, 4, "strength points at full effectiveness")
            .from("Combat Results Table, F = S x R"),
        "type" => Setting::choice(
            key,
            Arm::Infantry,
            "what the stack is; all but artillery is small arms",
        )
        .from("Range Factor Table"),
        "morale" => Setting::whole(key, 0..=9, 5, "base morale, for its checks").from(morale),
        "o_hits" => Setting::whole(key, 0..=2, 0, "O hits on its present side").from(hits),
        "reduced" => Setting::flag(key, "is on its reduced side").from(hits),
        "reduced_sp" => Setting::whole(
            key,
            0..=20,
            0,
            "strength points when reduced; 0 is half of `sp`, rounded up",
        )
        .from(hits),
        "state" => Setting::one_of(
            key,
            &Order::LABELS[..3],
            Order::Good.label(),
            "its order at the start",
        )
        .from("Combat Result Summary"),
        "leader" => Setting::flag(key, "is stacked with a leader").from(morale),
        "out_of_command" => {
            Setting::flag(key, "is out of command; a routed stack always is").from(morale)
        }
        "isolated" => Setting::flag(key, "is isolated").from(morale),
        "takes_hit" => Setting::flag_on(
            key,
            "on a D in good order, tries to take an O hit instead of disruption",
        )
        .from("Combat Result Summary"),
        "clear_hex" => Setting::flag_on(key, "fires or assaults out of a clear hex")
            .from("Terrain Effects Chart, limits of a hex"),
        "advance_fire" => Setting::flag(key, "has an advance fire marker").from(fire),
        "behind_wall" => {
            Setting::flag(key, "fires through an abatis, fence or wall in front of it").from(fire)
        }
        "terrain" => {
            Setting::choice(key, Terrain::Clear, "the ground it is fired on in").from(fire)
        }
        "thoroughfare" => Setting::flag(key, "is using a thoroughfare").from(fire),
        "lower" => Setting::flag(key, "stands on lower ground than the enemy").from(fire),
        "wall" => Setting::flag(key, "is behind an abatis or stone wall").from(fire),
        "flanked" => Setting::flag(key, "is taken through a flank hexside").from(fire),
        "advancing" => Setting::flag(key, "draws advance or pre-assault fire").from(fire),
        "charging" => {
            Setting::flag(key, "is charging; its morale has the +1 of a charge").from(fire)
        }
        "dense" => Setting::flag(key, "its hex is dense: 5 points or more").from(fire),
        "charge" => Setting::flag(key, "executes a charge").from(assault),
        "run" => Setting::flag(key, "assaults out of a run (stream)").from(assault),
        "marsh" => {
            Setting::flag(key, "assaults out of a marsh, so it is disrupted first").from(assault)
        }
        "assaulting" => Setting::flag(key, "executes a charge or assault").from(morale),
        other => unreachable!("no setting of a stack is called {other}"),
    }
}

/// The settings of a side: those of every stack, and others by name.
pub(super) fn settings(side: &str, more: &[&str]) -> Vec<Setting> {
    let names = STACK.iter().chain(more);
    names.map(|name| setting(side, name)).collect()
}

/// What happens to a stack during a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The order it keeps.
    pub order: Order,
    /// O hits of both sides of the counter, the full side first.
    pub lost: u8,
}

/// What never changes about a stack during a trial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stack {
    pub arm: Arm,
    pub leader: bool,
    pub takes_hit: bool,
    out_of_command: bool,
    /// Strength points when full and when reduced.
    pub sp: [i64; 2],
    /// Base morale with what does not change during the trial.
    morale: i64,
    morale_per_hit: i64,
    morale_out_of_command: i64,
    hits: [u8; 2],
    pub start: Condition,
}

impl Stack {
    /// Reads a side.
    pub(super) fn read(tables: &Tables, s: &Settings, side: &str) -> Result<Self, RuleError> {
        let key = |name: &str| format!("{side}.{name}");
        let reduced = s.flag(&key("reduced"));
        let o_hits = s.whole(&key("o_hits")) as u8;
        let most = tables.hits[usize::from(reduced)];
        if o_hits >= most {
            let fate = if reduced { "destroys" } else { "flips" };
            let reason = format!("hit number {most} {fate} the unit, so it carries fewer");
            return Err(s.refuse(&key("o_hits"), reason));
        }
        let sp = s.whole(&key("sp"));
        let reduced_sp = match s.whole(&key("reduced_sp")) {
            0 => (sp + tables.reduced_divisor - 1) / tables.reduced_divisor,
            given => given,
        };
        let leader = s.flag(&key("leader"));
        let on = |flag: bool, modifier: i64| i64::from(flag) * modifier;
        Ok(Stack {
            arm: s.choice(&key("type")),
            leader,
            takes_hit: s.flag(&key("takes_hit")),
            out_of_command: s.flag(&key("out_of_command")),
            sp: [sp, reduced_sp],
            morale: s.whole(&key("morale"))
                + on(leader, tables.morale.leader)
                + on(s.flag(&key("isolated")), tables.morale.isolated),
            morale_per_hit: tables.morale.o_hit,
            morale_out_of_command: tables.morale.out_of_command,
            hits: tables.hits,
            start: Condition {
                order: s.choice(&key("state")),
                lost: o_hits + on(reduced, i64::from(tables.hits[0])) as u8,
            },
        })
    }

    /// Reads a side that must fight, so cannot be routed.
    pub(super) fn read_fighting(
        tables: &Tables,
        s: &Settings,
        side: &str,
    ) -> Result<Self, RuleError> {
        let stack = Self::read(tables, s, side)?;
        match stack.start.order {
            Order::Routed => Err(s.refuse(
                &format!("{side}.state"),
                "a routed stack neither fires nor assaults",
            )),
            _ => Ok(stack),
        }
    }

    /// Adds a morale modifier of the situation, if it applies.
    pub(super) fn with_morale(mut self, applies: bool, modifier: i64) -> Self {
        self.morale += i64::from(applies) * modifier;
        self
    }

    /// Whether so battered a stack is on its reduced side.
    pub(super) fn is_reduced(&self, unit: Condition) -> bool {
        unit.lost >= self.hits[0]
    }

    /// The morale it checks against.
    pub(super) fn modified_morale(&self, unit: Condition) -> i64 {
        let on_this_side = if self.is_reduced(unit) {
            unit.lost - self.hits[0]
        } else {
            unit.lost
        };
        let out_of_command = self.out_of_command || unit.order == Order::Routed;
        self.morale
            + self.morale_per_hit * i64::from(on_this_side)
            + i64::from(out_of_command) * self.morale_out_of_command
    }

    /// Takes O hits; what is left over counts on the other side, and no more than it can take.
    pub(super) fn hit(&self, mut unit: Condition, hits: u8) -> Condition {
        let most = self.hits[0] + self.hits[1];
        unit.lost = (unit.lost + hits).min(most);
        if unit.lost == most {
            unit.order = Order::Destroyed;
        }
        unit
    }

    /// O hits taken since the start of the trial.
    pub(super) fn taken(&self, unit: Condition) -> u16 {
        u16::from(unit.lost - self.start.lost)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refusal, settings, tables, varied};
    use super::*;

    fn stack(given: &str) -> Stack {
        Stack::read(&tables(), &settings("morale", given), "unit").expect("a stack")
    }

    #[test]
    fn the_third_hit_flips_and_the_sixth_destroys() {
        let stack = stack("unit.o_hits=2");
        let flipped = stack.hit(stack.start, 2);
        assert!(stack.is_reduced(flipped));
        assert_eq!(stack.modified_morale(flipped), 4, "one hit is left over");
        assert_eq!((flipped.order, stack.taken(flipped)), (Order::Good, 2));
        let gone = stack.hit(flipped, 3);
        assert_eq!((gone.order, stack.taken(gone)), (Order::Destroyed, 4));
    }

    #[test]
    fn reduced_strength_is_half_rounded_up_unless_given() {
        assert_eq!(stack("unit.sp=5").sp, [5, 3]);
        assert_eq!(stack("unit.sp=5 unit.reduced_sp=4").sp, [5, 4]);
    }

    #[test]
    fn morale_modifiers_add_up() {
        let morale = |given: &str| {
            let stack = stack(given);
            stack.modified_morale(stack.start)
        };
        assert_eq!(morale(""), 5);
        assert_eq!(morale("unit.o_hits=2 unit.reduced=true"), 3);
        assert_eq!(morale("unit.leader=true unit.isolated=true"), 4);
        assert_eq!(morale("unit.state=routed unit.out_of_command=true"), 4);
        assert_eq!(morale("unit.state=disrupted"), 5);
    }

    #[test]
    fn hits_that_a_variant_makes_fatal_are_refused() {
        let tables = varied("[lists.organization_hits.values]\nreduced = 2").expect("a variant");
        let s = settings("morale", "unit.o_hits=2 unit.reduced=true");
        let error = Stack::read(&tables, &s, "unit").expect_err("refused");
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
