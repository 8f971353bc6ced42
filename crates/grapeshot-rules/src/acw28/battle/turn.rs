//! A player turn: each unit does one thing, with all its consequences, before the next.

use super::{Battle, Field, Officer, RoutSeen};
use crate::acw28::tables::{Advantages, Struck};
use crate::battle::{Plan, SIDES, bit, capital, each, name, nearest};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::engine::Teller;

/// Turns from one charge of a unit to its next.
const BETWEEN_CHARGES: u16 = 3;

impl Battle {
    pub(super) fn player_turn<D: Dice, T: Teller>(
        &self,
        field: &mut Field,
        side: usize,
        turn: u16,
        dice: &mut D,
        teller: &mut T,
    ) {
        teller.heading(|| format!("turn {turn}, the {}", SIDES[side]));
        if let Officer::Swept(from) = field.officers[side]
            && let Some(to) = nearest(field.lines.standing[side], usize::from(from))
        {
            field.officers[side] = Officer::With(to as u8);
            teller.tell(|| format!("The {}'s officer joins {}.", SIDES[side], name(side, to)));
        }
        for unit in each(field.lines.standing[side] & field.fails[side]) {
            let class = self.regiments[side][unit].class;
            let passes = self.tables.formation_test(class).roll(dice);
            if passes {
                field.fails[side] &= !bit(unit);
            }
            teller.tell(|| {
                let does = if passes {
                    "is in order again"
                } else {
                    "stays in disorder"
                };
                format!("{} {does}.", capital(side, unit))
            });
        }
        field.struck = Default::default();
        for unit in each(field.lines.standing[side]) {
            match field.lines.foe(side, unit) {
                Some(foe) => self.strike(field, (side, unit), foe, false, dice, teller),
                None => self.by_plan(field, side, unit, turn, dice, teller),
            }
        }
        if self.rout_seen == RoutSeen::Turn {
            field.saw = [0; 2];
        }
    }

    /// What a unit does that is not in contact.
    fn by_plan<D: Dice, T: Teller>(
        &self,
        field: &mut Field,
        side: usize,
        unit: usize,
        turn: u16,
        dice: &mut D,
        teller: &mut T,
    ) {
        let brigade = &self.brigades[side];
        let figures = field.figures[side][unit];
        let weaker = |prey: usize| field.figures[1 - side][prey] + brigade.edge <= figures;
        let prey = field.lines.prey(side, unit);
        match (brigade.plan, prey) {
            (Plan::Charge, Some(prey)) => {
                self.goes_in(field, (side, unit), prey, turn, dice, teller);
            }
            (Plan::Soften, Some(prey)) if weaker(prey) => {
                self.goes_in(field, (side, unit), prey, turn, dice, teller);
            }
            (Plan::Fire | Plan::Soften, _) => {
                let Some(mark) = field.lines.mark(side, unit) else {
                    return;
                };
                let away = field.lines.distance(side, unit, mark) - brigade.range;
                if away > 0 && self.goes_forward(field, side) {
                    self.advances(field, (side, unit), mark, away.min(self.pace), teller);
                } else {
                    self.fires(field, (side, unit), mark, dice, teller);
                }
            }
            (Plan::Hold, _) => self.fires_at_mark(field, side, unit, dice, teller),
            (Plan::Charge, None) => {}
        }
    }

    /// Whether an officer lives who can send units forward.
    fn goes_forward(&self, field: &Field, side: usize) -> bool {
        field.officers[side] != Officer::Dead
    }

    /// Charges, goes into contact or comes nearer, whichever is possible first.
    fn goes_in<D: Dice, T: Teller>(
        &self,
        field: &mut Field,
        (side, unit): (usize, usize),
        prey: usize,
        turn: u16,
        dice: &mut D,
        teller: &mut T,
    ) {
        if !self.goes_forward(field, side) {
            return self.fires_at_mark(field, side, unit, dice, teller);
        }
        let distance = field.lines.distance(side, unit, prey);
        let (shortest, longest) = self.charge;
        let charges = (shortest..=longest).contains(&distance)
            && field.fails[side] & bit(unit) == 0
            && !self.in_cover(field, side, unit)
            && !self.in_cover(field, 1 - side, prey)
            && turn >= field.charges_from[side][unit];
        if charges {
            field.charges_from[side][unit] = turn + BETWEEN_CHARGES;
        } else if distance > self.pace {
            let way = if distance > longest {
                self.pace.min(distance - longest)
            } else {
                self.pace
            };
            return self.advances(field, (side, unit), prey, way, teller);
        }
        teller.tell(|| {
            let does = if charges {
                "charges"
            } else {
                "goes into contact with"
            };
            format!(
                "{} {does} {}, {distance} cm away.",
                capital(side, unit),
                name(1 - side, prey)
            )
        });
        self.leaving(field, side, unit, |field| {
            field.lines.meet(side, unit, prey)
        });
        self.strike(field, (side, unit), prey, charges, dice, teller);
    }

    /// Goes so many cm towards an enemy.
    fn advances<T: Teller>(
        &self,
        field: &mut Field,
        (side, unit): (usize, usize),
        towards: usize,
        way: i32,
        teller: &mut T,
    ) {
        self.leaving(field, side, unit, |field| {
            field.lines.approach(side, unit, towards, way);
        });
        teller.tell(|| {
            let distance = field.lines.distance(side, unit, towards);
            format!(
                "{} advances {way} cm, to {distance} cm from {}.",
                capital(side, unit),
                name(1 - side, towards)
            )
        });
    }

    /// A unit goes; if that takes it out of its cover, it crosses it.
    fn leaving(&self, field: &mut Field, side: usize, unit: usize, go: impl FnOnce(&mut Field)) {
        let was_in_cover = self.in_cover(field, side, unit);
        go(field);
        if was_in_cover && !self.in_cover(field, side, unit) {
            field.fails[side] |= bit(unit);
        }
    }

    fn fires_at_mark<D: Dice, T: Teller>(
        &self,
        field: &mut Field,
        side: usize,
        unit: usize,
        dice: &mut D,
        teller: &mut T,
    ) {
        if let Some(mark) = field.lines.mark(side, unit) {
            self.fires(field, (side, unit), mark, dice, teller);
        }
    }

    fn fires<D: Dice, T: Teller>(
        &self,
        field: &mut Field,
        (side, unit): (usize, usize),
        mark: usize,
        dice: &mut D,
        teller: &mut T,
    ) {
        let regiment = &self.regiments[side][unit];
        let distance = field.lines.distance(side, unit, mark);
        let Some(reach) = regiment.ranges.at(i64::from(distance)) else {
            teller.tell(|| {
                format!(
                    "{} is {distance} cm from {}, out of its reach.",
                    capital(side, unit),
                    name(1 - side, mark)
                )
            });
            return;
        };
        let fail = field.fails[side] & bit(unit) != 0;
        let covered = self.in_cover(field, 1 - side, mark);
        let volley = regiment.volleys[usize::from(fail)][reach as usize][usize::from(covered)];
        let thrown = self.fire_dice[usize::from(field.figures[side][unit])];
        let falls = self.losses.roll(volley, thrown, dice);
        let lost = falls.min(field.figures[1 - side][mark]);
        teller.tell(|| {
            format!(
                "{} fires at {} over {distance} cm: {}.",
                capital(side, unit),
                name(1 - side, mark),
                fallen(lost)
            )
        });
        if lost > 0 {
            self.loses(field, (1 - side, mark), lost, true, dice, teller);
        }
    }

    /// Strikes an enemy in contact, with the figures that find room; then both are in disorder.
    fn strike<D: Dice, T: Teller>(
        &self,
        field: &mut Field,
        (side, unit): (usize, usize),
        enemy: usize,
        charging: bool,
        dice: &mut D,
        teller: &mut T,
    ) {
        let other = 1 - side;
        let there = field.figures[other][enemy];
        let room = self.tables.can_strike(u8::MAX, there);
        let room = room.saturating_sub(field.struck[other][enemy]);
        let striking = field.figures[side][unit].min(room);
        field.struck[other][enemy] += striking;
        let with = Advantages {
            formation_fail: field.fails[side] & bit(unit) != 0,
            charging,
            enemy_fail: field.fails[other] & bit(enemy) != 0,
            enemy_skirmishing: false,
        };
        let struck = Struck::Figure(self.regiments[other][enemy].class);
        let need = self
            .tables
            .kill(struck, self.cover(field, other, enemy), with);
        let kills = self
            .tables
            .d10
            .at_least(striking, need)
            .roll(dice)
            .min(there);
        teller.tell(|| {
            format!(
                "{} strikes {} with {striking} figures: {}.",
                capital(side, unit),
                name(other, enemy),
                fallen(kills)
            )
        });
        if kills > 0 {
            self.loses(field, (other, enemy), kills, false, dice, teller);
        }
        field.fails[side] |= bit(unit);
        field.fails[other] |= bit(enemy);
    }
}

/// How many fell, in words.
fn fallen(figures: u8) -> String {
    match figures {
        0 => "nobody falls".into(),
        1 => "1 figure falls".into(),
        n => format!("{n} figures fall"),
    }
}
