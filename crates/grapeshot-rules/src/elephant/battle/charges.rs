//! A charge of one unit at another, played out before the next.

use super::Game;
use crate::battle::{bit, capital, name};
use crate::elephant::morale::{Morale, Occasion};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::engine::Teller;

/// What a charged unit does at most once in an activation, as places of `spent`.
const FIRST_FIRE: usize = 0;
const SECOND_FIRE: usize = 1;
const RECEIVING: usize = 2;

/// A charge under way.
#[derive(Debug, Clone, Copy)]
struct Charge {
    side: usize,
    unit: usize,
    enemy: usize,
    /// Where the enemy was when it began.
    enemy_at: i32,
}

impl<D: Dice, T: Teller> Game<'_, D, T> {
    /// A unit that was told to charge does so, if it still can.
    pub(super) fn charges(&mut self, side: usize, unit: usize, enemy: usize) {
        let field = &mut *self.field;
        let can = field.stands(side, unit) && !field.is_held(side, unit);
        if !can || !field.stands(1 - side, enemy) {
            return;
        }
        field.charging = Some((side, unit));
        let charge = Charge {
            side,
            unit,
            enemy,
            enemy_at: field.lines.position[1 - side][enemy],
        };
        self.comes_on(charge);
        self.field.charging = None;
    }

    fn comes_on(&mut self, charge: Charge) {
        let Charge {
            side, unit, enemy, ..
        } = charge;
        let distance = self.field.lines.distance(side, unit, enemy);
        self.teller.tell(|| {
            let enemy = name(1 - side, enemy);
            format!(
                "{} charges {enemy} from {distance} yards.",
                capital(side, unit)
            )
        });
        let reach = self.battle.charge_move.as_ref();
        let reach = reach.map_or(i32::MAX, |odds| odds.roll(self.dice));
        let near = self.battle.first_fire;
        if reach < distance && distance - reach > near {
            self.field.lines.approach(side, unit, enemy, reach);
            return;
        }
        if distance > near {
            self.field
                .lines
                .approach(side, unit, enemy, distance - near);
            let enemies = &self.battle.sides[1 - side].arms[enemy];
            if !self.engaged(charge) && self.may(FIRST_FIRE, enemy) {
                self.spend(FIRST_FIRE, enemy);
                if !self.is_fired_at(charge, &enemies.first, near) {
                    return;
                }
            }
            if reach < distance {
                self.field
                    .lines
                    .approach(side, unit, enemy, near - (distance - reach));
                return;
            }
        }
        if self.battle.sides[1 - side].second_fire
            && !self.engaged(charge)
            && self.may(SECOND_FIRE, enemy)
        {
            self.spend(SECOND_FIRE, enemy);
            let result = self.test(1 - side, enemy, Occasion::DefensiveFire);
            if !self.goes_on(charge) {
                return;
            }
            if matches!(result, Morale::Pass | Morale::Overenthusiastic) {
                let yards = self.battle.charts.tables.yards.second_fire as i32;
                let enemies = &self.battle.sides[1 - side].arms[enemy];
                if !self.is_fired_at(charge, &enemies.second, yards) {
                    return;
                }
            }
        }
        if self.may(RECEIVING, enemy) {
            self.spend(RECEIVING, enemy);
            self.test(1 - side, enemy, Occasion::Steadiness);
            if !self.goes_on(charge) {
                return;
            }
        }
        self.field.lines.meet(side, unit, enemy);
        self.teller
            .tell(|| format!("{} comes into contact.", capital(side, unit)));
    }

    /// The enemy fires, and the charging unit tests if that had an effect; whether it still comes on.
    fn is_fired_at(
        &mut self,
        charge: Charge,
        volley: &crate::elephant::volley::Volley,
        distance: i32,
    ) -> bool {
        let Charge {
            side, unit, enemy, ..
        } = charge;
        let effective = self.volley((1 - side, enemy), unit, volley, distance);
        if !self.goes_on(charge) {
            return false;
        }
        if !effective {
            return true;
        }
        self.test(side, unit, Occasion::Steadiness);
        self.goes_on(charge)
    }

    /// Whether the charge goes on; if its enemy is gone, the unit takes the ground.
    fn goes_on(&mut self, charge: Charge) -> bool {
        let Charge {
            side,
            unit,
            enemy,
            enemy_at,
        } = charge;
        let field = &mut *self.field;
        if !field.stands(side, unit) || field.is_held(side, unit) {
            return false;
        }
        if field.stands(1 - side, enemy) {
            return true;
        }
        field.lines.position[side][unit] = enemy_at;
        self.teller
            .tell(|| format!("{} takes the ground.", capital(side, unit)));
        false
    }

    fn engaged(&self, charge: Charge) -> bool {
        self.field.lines.in_contact(1 - charge.side, charge.enemy)
    }

    /// Whether a charged unit may do this, or has already.
    fn may(&self, what: usize, enemy: usize) -> bool {
        self.battle.each_volley || self.field.spent[what] & bit(enemy) == 0
    }

    fn spend(&mut self, what: usize, enemy: usize) {
        self.field.spent[what] |= bit(enemy);
    }
}
