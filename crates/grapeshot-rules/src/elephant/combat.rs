//! Combat hand to hand, of one or several attacking units with one defender: odds, shifts, a die for
//! each attacking unit, the printed cell and what it means.

use super::assault::Assault;
use super::charts::Charts;
use super::commander::Danger;
use super::side::Side;
use super::tables::{ByRole, Cell, Half, Tables};
use super::unit::{Condition, Grade, Regiment, UnitKind};
use super::volley::ranks;
use crate::{Labels, RuleError};
use grapeshot_engine::dice::{Dice, Odds, Throw};

grapeshot_engine::labels! {
    /// Who holds the field.
    pub enum Winner { Attacker = "attacker" => Success, Defender = "defender" => Failure, Nobody = "none" => Undecided }
}

/// The odds of each column of the combat table: the cell and the position of its label.
#[derive(Debug)]
pub(super) struct CombatChart {
    columns: Vec<Odds<(Cell, u16)>>,
}

impl CombatChart {
    pub(super) fn new(tables: &Tables) -> Self {
        let die = Throw::from_zero(tables.dice.combat);
        let column =
            |column: usize| Odds::new(die.clone(), |die| tables.melee[die as usize][column]);
        CombatChart {
            columns: (0..tables.melee_odds.len()).map(column).collect(),
        }
    }

    /// Rolls on a column.
    #[inline]
    pub(super) fn roll<D: Dice>(&self, column: u8, dice: &mut D) -> Cell {
        self.columns[usize::from(column)].roll(dice).0
    }
}

/// What a side brings into combat that does not change during a trial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stance {
    /// Strength of a stand, in halves.
    worth: i64,
    /// Columns of everything but its condition.
    shift: i64,
    role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Attacker,
    Defender,
}

impl Role {
    /// What it is called where house rules speak of it.
    fn name(self) -> &'static str {
        match self {
            Role::Attacker => "attacker",
            Role::Defender => "defender",
        }
    }

    fn columns(self, modifier: ByRole) -> i64 {
        match self {
            Role::Attacker => modifier.0,
            Role::Defender => modifier.1,
        }
    }
}

impl Stance {
    /// Infantry in one rank with nothing special about it.
    fn in_line(tables: &Tables, role: Role) -> Self {
        Stance {
            worth: tables.melee_strength[UnitKind::Infantry.position()],
            shift: role.columns(tables.melee_modifiers.ranks[0]),
            role,
        }
    }

    fn read(
        tables: &Tables,
        role: Role,
        side: &Side<'_>,
        enemy: &Side<'_>,
    ) -> Result<Self, RuleError> {
        if side.flag("lance") && enemy.kind != UnitKind::Cavalry {
            let reason = format!(
                "it counts against cavalry, and the {} is {}",
                enemy.name,
                enemy.kind.label()
            );
            return Err(side.refuse("lance", reason));
        }
        let table = &tables.melee_modifiers;
        let on = |flag: bool, modifier: ByRole| if flag { role.columns(modifier) } else { 0 };
        Ok(Stance {
            worth: match side.kind {
                UnitKind::Cavalry if side.flag("woods") => tables.cavalry_in_woods,
                kind => tables.melee_strength[kind.position()],
            },
            shift: on(side.flag("uphill"), table.uphill)
                + on(side.flag("crossing"), table.crossing)
                + on(side.flag("lance"), table.lance)
                + role.columns(table.ranks[ranks(side) as usize - 1])
                + tables
                    .house
                    .shift("melee", role.name(), side.settings, side.name),
            role,
        })
    }

    /// The columns of a unit in this condition.
    fn columns(&self, tables: &Tables, regiment: &Regiment, unit: &Condition) -> i64 {
        let table = &tables.melee_modifiers;
        let on = |flag: bool, modifier: ByRole| {
            if flag { self.role.columns(modifier) } else { 0 }
        };
        self.shift
            + regiment.led_by(unit) * self.role.columns(table.commander)
            + on(unit.overenthusiastic, table.overenthusiastic)
            + on(unit.out_of_ammo, table.out_of_ammo)
    }
}

/// Two sides that can meet hand to hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Combat {
    attacker: Stance,
    defender: Stance,
    /// The row of what the defender stands behind.
    works: usize,
    /// The attacker strikes flank or rear.
    flank: bool,
}

/// A combat under way: what was fixed before its first die, and what its dice have done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Fray {
    /// The column of the unit that leads, of one that follows, and of one that has run dry.
    columns: [u8; 3],
    /// Stands of the defender before the first die.
    defender_stands: u8,
    /// Some attacking unit has stands left, and some has not been sent back either.
    standing: bool,
    holding: bool,
    /// Some cell has sent the defender back.
    driven: bool,
    /// Stands captured from attacker and defender.
    pub captured: [u8; 2],
}

/// What one side of a combat suffers from one cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blow {
    lost: u8,
    captured: u8,
    markers: u8,
    pub retreats: bool,
}

impl Combat {
    pub(super) fn read(
        tables: &Tables,
        attacker: &Side<'_>,
        defender: &Side<'_>,
        works: usize,
        flank: bool,
    ) -> Result<Self, RuleError> {
        let table = &tables.melee_modifiers;
        let mut combat = Combat {
            attacker: Stance::read(tables, Role::Attacker, attacker, defender)?,
            defender: Stance::read(tables, Role::Defender, defender, attacker)?,
            works,
            flank,
        };
        if flank {
            combat.attacker.shift += table.flank.0;
        }
        if defender.flag("flank") {
            combat.defender.shift += table.flank.1;
        }
        Ok(combat)
    }

    /// Infantry on both sides, the defender behind these works.
    pub(super) fn in_line(tables: &Tables, works: usize) -> Self {
        Combat {
            attacker: Stance::in_line(tables, Role::Attacker),
            defender: Stance::in_line(tables, Role::Defender),
            works,
            flank: false,
        }
    }

    /// The column of one attacking unit, when all of them have so many stands.
    pub(super) fn column_of(
        &self,
        charts: &Charts,
        stands: i64,
        (regiment, unit): (&Regiment, &Condition),
        defender: (&Regiment, &Condition),
    ) -> u8 {
        let shift = self.attacker.columns(&charts.tables, regiment, unit);
        self.column(charts, stands * self.attacker.worth, shift, unit, defender)
    }

    /// Fixes the columns before the first die; all grades are known.
    pub(super) fn begin(
        &self,
        charts: &Charts,
        [attacker, defender]: [&Regiment; 2],
        assault: &Assault,
        defending: &Condition,
    ) -> Fray {
        let follower = assault.follower(attacker);
        let behind = u8::from(assault.units() > 1) * (assault.units() - 1) * follower.stands;
        let stands = i64::from(assault.lead.stands + behind);
        let column = |unit: &Condition| {
            self.column_of(charts, stands, (attacker, unit), (defender, defending))
        };
        let dry = Condition {
            out_of_ammo: true,
            ..follower
        };
        Fray {
            columns: [column(&assault.lead), column(&follower), column(&dry)],
            defender_stands: defending.stands,
            standing: false,
            holding: false,
            driven: false,
            captured: [0, 0],
        }
    }

    /// The column of an attacking unit, when all of them have this strength in halves.
    fn column(
        &self,
        charts: &Charts,
        strength: i64,
        shift: i64,
        attacker: &Condition,
        (regiment, defender): (&Regiment, &Condition),
    ) -> u8 {
        let tables = &charts.tables;
        let table = &tables.melee_modifiers;
        let mut against = i64::from(defender.stands) * self.defender.worth;
        if self.flank {
            // A unit struck in the flank never outnumbers its attacker.
            against = against.min(strength);
        }
        let printed = tables
            .melee_odds
            .iter()
            .rposition(|&(x, y)| strength * y >= against * x)
            .unwrap_or(0);
        let steps = defender.grade.position() as i64 - attacker.grade.position() as i64;
        let grades = if steps > 0 {
            steps * table.higher_grade.0
        } else {
            -steps * table.higher_grade.1
        };
        let shift = shift
            + self.defender.columns(tables, regiment, defender)
            + table.works[self.works]
            + grades;
        let last = tables.melee_odds.len() as i64 - 1;
        (printed as i64 + shift).clamp(0, last) as u8
    }
}

/// Green units find out what they are before they fight; whether there were any.
pub(super) fn learn_grades<D: Dice>(
    charts: &Charts,
    assault: &mut Assault,
    defender: &mut Condition,
    dice: &mut D,
) -> bool {
    let green = [assault.lead.grade, defender.grade].contains(&Grade::Green);
    charts.morale.learn_grade(&mut assault.lead, dice);
    charts.morale.learn_grade(defender, dice);
    green
}

impl Fray {
    /// The die of the unit that leads: its half of the cell falls on it, the other on the defender.
    /// Then the next unit leads, if there is one. Returns the position of the cell's label, and
    /// whether another die follows.
    pub(super) fn die<D: Dice>(
        &mut self,
        charts: &Charts,
        [attacker, defender]: [&Regiment; 2],
        assault: &mut Assault,
        defending: &mut Condition,
        dice: &mut D,
    ) -> (u16, bool) {
        let odds = &charts.combat.columns[usize::from(self.columns[0])];
        let (cell, label) = odds.roll(dice);
        let lead = &mut assault.lead;
        let [on_lead, on_defender] =
            blows(&charts.tables, cell, [lead.stands, self.defender_stands]);
        self.captured[0] += on_lead.captured;
        self.captured[1] += on_defender.captured.min(defending.stands);
        let lost = on_lead.falls_on(attacker, lead);
        on_defender.falls_on(defender, defending);
        self.standing |= lead.stands > 0;
        self.holding |= lead.stands > 0 && !on_lead.retreats;
        self.driven |= on_defender.retreats;
        // Only his own unit's die concerns a commander, so his dice need not wait for the others'.
        charts
            .casualties
            .befall(attacker, lead, Danger::Stand, lost, dice);
        let fresh = assault.fresh > 0;
        let more = assault.next_leads(attacker);
        if more {
            self.columns[0] = self.columns[if fresh { 1 } else { 2 }];
            self.forget(assault, defending);
        } else {
            let lost = self.defender_stands - defending.stands;
            charts
                .casualties
                .befall(defender, defending, Danger::Stand, lost, dice);
        }
        (label, more)
    }

    /// Forgets what only the columns, now fixed, depended on, so that more states are the same.
    fn forget(&mut self, assault: &mut Assault, defender: &mut Condition) {
        for unit in [&mut assault.lead, defender] {
            unit.grade = Grade::Regular;
            unit.overenthusiastic = false;
            unit.out_of_ammo = false;
        }
        if assault.fresh == 0 {
            self.columns[1] = 0;
        }
        if assault.dry == 0 {
            self.columns[2] = 0;
        }
    }

    /// Whether any attacking unit that fought has stands left.
    pub(super) fn attackers_stand(&self) -> bool {
        self.standing
    }

    /// Who holds the field when all dice are rolled.
    pub(super) fn winner(&self, defender: &Condition) -> Winner {
        let defender_out = self.driven || defender.stands == 0;
        match (self.holding, defender_out) {
            (true, true) => Winner::Attacker,
            (false, false) => Winner::Defender,
            _ => Winner::Nobody,
        }
    }
}

impl Blow {
    /// Takes stands and gives markers; returns how many stands were there to be taken.
    pub(super) fn falls_on(&self, regiment: &Regiment, unit: &mut Condition) -> u8 {
        let lost = self.lost.min(unit.stands);
        unit.stands -= lost;
        regiment.panics(unit, self.markers);
        lost
    }
}

/// What a cell means to attacker and defender with so many stands.
pub(super) fn blows(tables: &Tables, cell: Cell, stands: [u8; 2]) -> [Blow; 2] {
    let halves = match cell {
        Cell::Engaged => [Half::Stands, Half::Stands],
        Cell::Repulsed => [Half::Retreats, Half::Stands],
        Cell::Each(attacker, defender) => [attacker, defender],
    };
    let losses = [0, 1].map(|side| losses(halves[side], stands[side]));
    [0, 1].map(|side| {
        let (own, other) = (halves[side], halves[1 - side]);
        let (lost, captured) = losses[side];
        let markers = &tables.markers;
        Blow {
            lost,
            captured,
            markers: match own {
                Half::Stands => 0,
                Half::Killed(n) | Half::Captured(n) => n * markers.stand,
                Half::Retreats => markers.retreat,
            },
            retreats: match own {
                Half::Retreats | Half::Captured(_) => true,
                // The side that lost more goes, unless its opponent is told to.
                Half::Killed(_) | Half::Stands => {
                    lost > losses[1 - side].0 && other != Half::Retreats
                }
            },
        }
    })
}

/// Stands lost in all, and captured.
fn losses(half: Half, stands: u8) -> (u8, u8) {
    match half {
        Half::Stands | Half::Retreats => (0, 0),
        Half::Killed(n) => (n.min(stands), 0),
        Half::Captured(n) => (n.min(stands), n.min(stands)),
    }
}
