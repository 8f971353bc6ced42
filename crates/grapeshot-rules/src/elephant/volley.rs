//! A volley: factors, columns, shifts, and everything it does to its target.
//!
//! Whoever fires, and in whichever procedure, fires here. What cannot change during a trial is looked
//! up once into a [`Volley`]; the condition of both units is given with each fire.

use super::charts::Charts;
use super::commander::Danger;
use super::side::Side;
use super::tables::{Effect, Tables};
use super::unit::{Condition, Regiment, UnitKind, Weapon};
use crate::{Key, Labels, RuleError, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};

/// What one attack by fire came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shot {
    pub effect: Effect,
    /// The die that empties the cartridge boxes, where that rule is in play.
    pub last_round: bool,
}

impl Shot {
    /// No fire, no die.
    const NONE: Shot = Shot {
        effect: Effect::None,
        last_round: false,
    };
}

/// The odds of each column of the fire table.
#[derive(Debug)]
pub(super) struct FireChart {
    /// Without and with the ammunition rule; then by column.
    columns: [Vec<Odds<Shot>>; 2],
}

impl FireChart {
    pub(super) fn new(tables: &Tables) -> Self {
        let die = Throw::from_zero(tables.dice.fire);
        let columns = |ammo_rule: bool| {
            let column = |column: usize| {
                Odds::new(die.clone(), |die| Shot {
                    effect: tables.fire_results[die as usize][column],
                    last_round: ammo_rule && die == 0,
                })
            };
            (0..tables.fire_columns.len()).map(column).collect()
        };
        FireChart {
            columns: [columns(false), columns(true)],
        }
    }
}

/// The optional rules of fire.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Options {
    pub ammo_rule: bool,
    pub close_range_rule: bool,
}

impl Options {
    pub(super) fn read(s: &Settings) -> Self {
        Options {
            ammo_rule: s.flag_or_off("ammo_rule"),
            close_range_rule: s.flag_or_off("close_range_rule"),
        }
    }
}

/// A unit that fires: everything about it but its condition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Firer {
    pub kind: UnitKind,
    pub weapon: Weapon,
    /// The row of the weapon's factors.
    pub factors: usize,
    /// Columns that house rules add for it.
    pub house: i64,
    pub stationary: bool,
    pub marksmen: bool,
    pub skirmishing: bool,
    pub prolonging: bool,
    pub csa_artillery: bool,
    pub guns: Guns,
}

/// Artillery that joins a unit's attack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guns {
    /// The row of their factors.
    pub factors: usize,
    pub stands: i64,
    /// Fires an attack of its own.
    pub apart: bool,
}

impl Guns {
    /// Nobody.
    pub(super) const NONE: Guns = Guns {
        factors: Weapon::Napoleon as usize,
        stands: 0,
        apart: false,
    };
}

impl Firer {
    /// A unit with nothing special about it, and no guns.
    pub(super) fn plain(
        kind: UnitKind,
        (weapon, factors): (Weapon, usize),
        stationary: bool,
    ) -> Self {
        Firer {
            kind,
            weapon,
            factors,
            house: 0,
            stationary,
            marksmen: false,
            skirmishing: false,
            prolonging: false,
            csa_artillery: false,
            guns: Guns::NONE,
        }
    }

    /// Reads a side whose guns are named with it.
    pub(super) fn read(tables: &Tables, side: &Side<'_>) -> Result<Self, RuleError> {
        let keys = ["guns_weapon", "guns_stands", "combine"].map(|name| side.key(name));
        Self::read_with_guns(tables, side, keys)
    }

    /// Reads a side, its guns by the keys of their weapon, their stands and whether they combine.
    pub(super) fn read_with_guns(
        tables: &Tables,
        side: &Side<'_>,
        [weapon, stands, combine]: [impl Key; 3],
    ) -> Result<Self, RuleError> {
        let s = side.settings;
        let guns = Guns {
            factors: match s.find(weapon) {
                Some(_) => s.row::<Weapon>(weapon),
                None => Guns::NONE.factors,
            },
            stands: s.whole_or(stands, 0),
            apart: s.find(combine).is_some() && !s.flag(combine),
        };
        if guns.apart && (guns.stands == 0 || side.kind == UnitKind::Artillery) {
            let lacking = if guns.stands == 0 {
                "no guns join the attack"
            } else {
                "artillery has no small arms"
            };
            let reason = format!("only small arms and guns can fire separately, and {lacking}");
            return Err(s.refuse(combine, reason));
        }
        let csa_artillery = side.flag("csa_artillery");
        if csa_artillery && guns.stands == 0 && side.kind != UnitKind::Artillery {
            let reason = format!(
                "{} is not artillery, and no guns join it",
                side.kind.label()
            );
            return Err(side.refuse("csa_artillery", reason));
        }
        Ok(Firer {
            kind: side.kind,
            weapon: side.choice("weapon", Weapon::RifleMusket),
            factors: side.row("weapon", Weapon::RifleMusket),
            house: tables.house.shift("fire", "firer", s, side.name),
            stationary: side.flag("stationary"),
            marksmen: side.flag("marksmen"),
            skirmishing: side.flag_of(
                "skirmishing",
                &[UnitKind::Infantry, UnitKind::Cavalry, UnitKind::Dismounted],
            )?,
            prolonging: side.flag_of("prolonging", &[UnitKind::Artillery])?,
            csa_artillery,
            guns,
        })
    }

    /// The columns of the unit itself, without those for its guns.
    fn shift(&self, tables: &Tables) -> i64 {
        let shifts = &tables.shifts;
        on(
            self.stationary && self.kind != UnitKind::Artillery,
            shifts.stationary,
        ) + on(self.marksmen, shifts.marksmen)
            + on(self.skirmishing, shifts.skirmishing)
            + on(self.prolonging, shifts.prolonging)
            + on(self.kind == UnitKind::Cavalry, shifts.mounted)
            + self.house
    }
}

fn on(flag: bool, shift: i64) -> i64 {
    if flag { shift } else { 0 }
}

/// What the shifts of a target depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub kind: UnitKind,
    /// The row of its cover.
    pub cover: usize,
    /// Columns that house rules add for it.
    pub house: i64,
    pub exposed: bool,
    pub ranks: i64,
    pub unlimbered: bool,
    pub prone: bool,
}

impl Mark {
    /// Infantry in one rank behind this cover.
    pub(super) fn in_line(cover: usize) -> Self {
        Mark {
            kind: UnitKind::Infantry,
            cover,
            house: 0,
            exposed: false,
            ranks: 1,
            unlimbered: false,
            prone: false,
        }
    }

    /// Reads a side behind this cover.
    pub(super) fn read(tables: &Tables, side: &Side<'_>, cover: usize) -> Result<Self, RuleError> {
        Ok(Mark {
            kind: side.kind,
            cover,
            house: (tables.house).shift("fire", "target", side.settings, side.name),
            exposed: side.flag("exposed"),
            ranks: ranks(side),
            unlimbered: side.flag_of("unlimbered", &[UnitKind::Artillery])?,
            prone: side.flag_of("prone", &[UnitKind::Infantry, UnitKind::Dismounted])?,
        })
    }

    fn shift(&self, tables: &Tables) -> i64 {
        let shifts = &tables.shifts;
        on(
            self.exposed || self.kind == UnitKind::Cavalry,
            shifts.exposed,
        ) + shifts.ranks[self.ranks as usize - 1]
            + on(self.unlimbered, shifts.unlimbered)
            + shifts.cover[self.cover]
            + self.house
            + on(self.prone, shifts.prone)
    }
}

/// How deep a side stands, the regiments behind it included; three is as deep as it counts.
pub(super) fn ranks(side: &Side<'_>) -> i64 {
    (side.whole("ranks", 1) + side.whole("supports", 0)).min(3)
}

/// The fire of a unit, and of guns that join it, on one target.
#[derive(Debug, Clone, Copy)]
pub(super) struct Volley {
    /// Factor of one stand, in halves.
    factor: i64,
    /// Factors of the guns together, in halves.
    guns: i64,
    /// Columns of the unit's attack, the guns' included if they join it.
    shift: i64,
    /// Columns of the guns' own attack, if they fire apart.
    apart: Option<i64>,
    /// Columns more when the unit is out of ammunition.
    out_of_ammo: i64,
    ammo_rule: bool,
}

/// What a volley did besides what can be seen on the two units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fired {
    /// A die of fire was rolled.
    pub rolled: bool,
    /// It gave a hit or a marker, even one too many to carry.
    pub effective: bool,
}

impl Volley {
    pub(super) fn new(
        tables: &Tables,
        firer: &Firer,
        mark: &Mark,
        range: i64,
        options: Options,
    ) -> Self {
        let close = options.close_range_rule
            && firer.weapon.is_small_arm()
            && range <= tables.yards.close_range;
        let own = firer.shift(tables) + on(close, tables.shifts.close_range);
        let csa = on(firer.csa_artillery, tables.shifts.csa_artillery);
        let target = mark.shift(tables);
        Volley {
            factor: factor(tables, firer.factors, range),
            guns: firer.guns.stands * factor(tables, firer.guns.factors, range),
            shift: target + own + on(!firer.guns.apart, csa),
            apart: firer.guns.apart.then_some(target + csa),
            out_of_ammo: tables.shifts.out_of_ammo,
            ammo_rule: options.ammo_rule,
        }
    }

    /// The same, its guns at another range than its stands.
    pub(super) fn with_guns_at(mut self, tables: &Tables, guns: &Guns, range: i64) -> Self {
        self.guns = guns.stands * factor(tables, guns.factors, range);
        self
    }

    /// Whether nothing that fires reaches the target.
    pub(super) fn falls_short(&self) -> bool {
        self.factor == 0 && self.guns == 0
    }

    /// The columns of the unit's attack and of the guns' own; none where there are no factors.
    fn columns(&self, tables: &Tables, firer: &Condition) -> [Option<usize>; 2] {
        let stands = i64::from(firer.stands.saturating_sub(firer.panic));
        let shift = self.shift + on(firer.out_of_ammo, self.out_of_ammo);
        let own = stands * self.factor;
        match self.apart {
            None => [column(tables, own + self.guns, shift), None],
            Some(apart) => [column(tables, own, shift), column(tables, self.guns, apart)],
        }
    }

    fn roll<D: Dice>(&self, charts: &Charts, column: Option<usize>, dice: &mut D) -> Shot {
        let columns = &charts.fire.columns[usize::from(self.ammo_rule)];
        column.map_or(Shot::NONE, |column| columns[column].roll(dice))
    }

    /// Both attacks as the table says, whatever is left of the target.
    pub(super) fn shots<D: Dice>(
        &self,
        charts: &Charts,
        firer: &Condition,
        dice: &mut D,
    ) -> [Shot; 2] {
        let columns = self.columns(&charts.tables, firer);
        columns.map(|column| self.roll(charts, column, dice))
    }

    /// Fires: hits and markers fall on the target, its commander's dice are rolled, the firer may run
    /// out of ammunition. Guns that fire apart come second, and only at a target that is still there.
    pub(super) fn fire<D: Dice>(
        &self,
        charts: &Charts,
        firer: &mut Condition,
        regiment: &Regiment,
        target: &mut Condition,
        dice: &mut D,
    ) -> Fired {
        let [own, guns] = self.columns(&charts.tables, firer);
        let shot = self.roll(charts, own, dice);
        firer.out_of_ammo |= shot.last_round;
        let mut fired = Fired {
            rolled: own.is_some(),
            effective: shot.effect != Effect::None,
        };
        strike(charts, regiment, target, shot.effect, dice);
        if guns.is_some() && target.stands > 0 {
            let shot = self.roll(charts, guns, dice);
            fired.rolled = true;
            fired.effective |= shot.effect != Effect::None;
            strike(charts, regiment, target, shot.effect, dice);
        }
        fired
    }
}

/// What one attack by fire does to a unit.
fn strike<D: Dice>(
    charts: &Charts,
    regiment: &Regiment,
    unit: &mut Condition,
    effect: Effect,
    dice: &mut D,
) {
    regiment.panics(unit, effect.panic());
    regiment.is_hit(unit, effect.hits());
    charts
        .casualties
        .befall(regiment, unit, Danger::Hit, effect.hits(), dice);
}

/// The column of a total in halves; none for nothing.
fn column(tables: &Tables, total: i64, shift: i64) -> Option<usize> {
    if total == 0 {
        return None;
    }
    let column = tables.fire_column(total) as i64 + shift;
    Some(column.clamp(0, tables.fire_columns.len() as i64 - 1) as usize)
}

/// Factor of one stand in halves; nothing beyond the maximum range, whatever the table prints.
fn factor(tables: &Tables, row: usize, range: i64) -> i64 {
    let (farthest, by_band) = &tables.factors[row];
    if range > *farthest {
        return 0;
    }
    let band = tables.bands.iter().position(|&upto| range <= upto);
    by_band[band.unwrap_or(tables.bands.len())]
}
