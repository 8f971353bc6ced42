//! The words of the game, and what can be set about a side. What becomes of a stack is in [`super::stack`].

use super::terrain::Terrain;
use crate::{Labels, Setting};
use grapeshot_engine::dist::Favour;

grapeshot_engine::labels! {
    /// What a stack is made of.
    pub enum Arm { Infantry = "infantry", Cavalry = "cavalry", Irregular = "irregular", Artillery = "artillery" }
}

impl Arm {
    /// Everything but artillery.
    pub fn is_small_arms(self) -> bool {
        self != Arm::Artillery
    }
}

grapeshot_engine::labels! {
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

    /// Whom it favours that the target is left so: it holds against the firer, or it does not.
    pub fn of_a_target(self) -> Favour {
        match self {
            Order::Good => Favour::Failure,
            Order::Disrupted | Order::Routed | Order::Destroyed => Favour::Success,
        }
    }
}

grapeshot_engine::labels! {
    /// Which unit of a stack takes an O hit.
    pub enum Apportion { Spread = "spread", First = "first" }
}

grapeshot_engine::labels! {
    /// What makes a hex dense.
    pub enum Density { Flag = "flag", Auto = "auto" }
}

/// The most units a stack can have here; the source prints no limit.
pub(super) const MOST_UNITS: i64 = 3;
/// Stands for the morale of the first unit.
pub(super) const AS_THE_FIRST: i64 = -1;

/// Every key of a stack of one unit.
const UNIT: [&str; 11] = [
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

/// What a stack of several units has besides.
const MORE_UNITS: [&str; 8] = [
    "units",
    "morale2",
    "morale3",
    "o_hits2",
    "o_hits3",
    "reduced2",
    "reduced3",
    "apportion",
];

/// Every setting a side can have, declared once; procedures name the ones that matter to them.
fn setting(side: &str, name: &str) -> Setting {
    let key = format!("{side}.{name}");
    let fire = "Fire Line Modifiers Schedule, Fire Combat Only";
    let assault = "Fire Line Modifiers Schedule, Assault Combat Only";
    let morale = "Morale Modifiers Schedule";
    let hits = "Combat Result Summary, note";
    match name {
        "units" => Setting::whole(key, 1..=MOST_UNITS, 1, "units in the stack, all alike in type and strength")
            .from("Morale Modifiers Schedule, Average Modified Morale"),
        "apportion" => Setting::choice(
            key,
            Apportion::Spread,
            "who takes each O hit: the unit least hit so far, or the first that is left",
        )
        .from("Not printed: 3.3.5"),
        "sp" => Setting::whole(key, 1..=20, 4, "strength points of each unit at full effectiveness")
            .from("Combat Results Table, F = S x R"),
        "type" => Setting::choice(
            key,
            Arm::Infantry,
            "what the stack is; all but artillery is small arms",
        )
        .from("Range Factor Table"),
        "morale" => Setting::whole(key, 0..=9, 5, "base morale; of several units, the first one's").from(morale),
        "morale2" | "morale3" => Setting::whole(
            key,
            AS_THE_FIRST..=9,
            AS_THE_FIRST,
            match name {
                "morale2" => "base morale of the second unit; -1 is that of the first",
                _ => "base morale of the third unit; -1 is that of the first",
            },
        )
        .from(morale),
        "o_hits" => Setting::whole(key, 0..=2, 0, "O hits on its present side; of several units, the first one's").from(hits),
        "o_hits2" => Setting::whole(key, 0..=2, 0, "O hits on the second unit's present side").from(hits),
        "o_hits3" => Setting::whole(key, 0..=2, 0, "O hits on the third unit's present side").from(hits),
        "reduced" => Setting::flag(key, "is on its reduced side; of several units, the first").from(hits),
        "reduced2" => Setting::flag(key, "the second unit is on its reduced side").from(hits),
        "reduced3" => Setting::flag(key, "the third unit is on its reduced side").from(hits),
        "reduced_sp" => Setting::whole(
            key,
            0..=20,
            0,
            "strength points of a reduced unit; 0 is half of `sp`, rounded up",
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
        "fence" => Setting::flag(key, "fires through a fence, which does nothing in the assault")
            .from("Terrain Effects Chart, Abatis/Fence"),
        "mfz" => Setting::whole(
            key,
            1..=2,
            1,
            "hexes at which it makes its advance fire; 2 down a slope or through a fence, wall or abatis",
        )
        .from("Terrain Effects Chart, MFZ and note (a)"),
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
    let names = UNIT.iter().chain(&MORE_UNITS).chain(more);
    names.map(|name| setting(side, name)).collect()
}

/// The settings of a side that is a single unit, and others by name.
pub fn single(side: &str, more: &[&str]) -> Vec<Setting> {
    let names = UNIT.iter().chain(more);
    names.map(|name| setting(side, name)).collect()
}

/// How long an assault may last.
pub(super) fn rounds() -> Setting {
    Setting::whole("rounds", 1..=10, 3, "rounds fought at most").from("Not printed")
}

/// Whether a charge is fired on just before the assault.
pub(super) fn pre_fire() -> Setting {
    Setting::flag_on("pre_fire", "the defender fires before the first round")
        .from("Fire Line Modifiers Schedule, Target Advance/Pre-Assault")
}

/// The setting that says when a hex is dense.
pub(super) fn density() -> Setting {
    Setting::choice(
        "density",
        Density::Flag,
        "what makes a target dense: its flag alone, or also its strength at that moment",
    )
    .from("Fire Line Modifiers Schedule, Target Density and Density")
}
