//! An activation: morale, orders, fire, charges and moves, combats.

use super::{Game, Withdrew};
use crate::battle::{MOST, Plan, bit, capital, each, name};
use crate::elephant::morale::Occasion;
use grapeshot_engine::dice::Dice;
use grapeshot_engine::engine::Teller;

/// What a unit is told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    Fire(u8),
    Charge(u8),
    Move,
}

impl<D: Dice, T: Teller> Game<'_, D, T> {
    pub(super) fn activation(&mut self, side: usize) {
        self.commander_joins(side);
        self.morale(side);
        self.field.spent = [0; 3];
        let told = self.orders(side);
        for (unit, told) in told.iter().enumerate() {
            if let &Told::Fire(target) = told {
                self.fires(side, unit, usize::from(target));
            }
        }
        for (unit, told) in told.iter().enumerate() {
            if let &Told::Charge(enemy) = told {
                self.charges(side, unit, usize::from(enemy));
            }
        }
        for (unit, told) in told.iter().enumerate() {
            if *told == Told::Move {
                self.moves(side, unit);
            }
        }
        if self.field.lines.engaged[side] != 0 {
            self.combats(side);
        }
        self.field.held = [0; 2];
    }

    /// Who has markers or withdraws is tested, once.
    fn morale(&mut self, side: usize) {
        self.field.tested = [0; 2];
        let units = &self.field.units[side];
        let shaken = |&unit: &usize| units[unit].panic > 0 || units[unit].withdrew != Withdrew::No;
        let on_field = each(self.field.on_field[side]);
        let waiting = on_field.filter(shaken).fold(0, |set, unit| set | bit(unit));
        for unit in each(waiting) {
            let tested = self.field.tested[side] & bit(unit) != 0;
            if !tested && self.field.is_on_field(side, unit) {
                self.test(side, unit, Occasion::Steadiness);
            }
        }
    }

    /// All orders are given before any is carried out.
    fn orders(&self, side: usize) -> [Told; MOST] {
        let mut told = [Told::Nothing; MOST];
        for unit in each(self.field.lines.standing[side] & !self.field.lines.engaged[side]) {
            told[unit] = self.order(side, unit);
        }
        told
    }

    fn order(&self, side: usize, unit: usize) -> Told {
        let (field, lines) = (&*self.field, &self.field.lines);
        let plan = &self.battle.sides[side];
        let fire = |target: Option<usize>| target.map_or(Told::Nothing, |t| Told::Fire(t as u8));
        let mark = || lines.mark(side, unit);
        if field.is_held(side, unit) {
            return fire(mark());
        }
        let prey = lines.prey(side, unit);
        let now = &field.units[side][unit];
        if let (true, true, Some(prey)) = (now.overenthusiastic, self.battle.headlong, prey) {
            return Told::Charge(prey as u8);
        }
        let within = |yards: i32| prey.filter(|&prey| lines.distance(side, unit, prey) <= yards);
        let inviting = |prey: &usize| {
            let enemy = &field.units[1 - side][*prey];
            enemy.panic > 0 || enemy.stands + plan.brigade.edge <= now.stands
        };
        let by_fire = || match mark() {
            Some(mark) if lines.distance(side, unit, mark) > plan.brigade.range => Told::Move,
            mark => fire(mark),
        };
        match plan.brigade.plan {
            Plan::Hold => {
                let behind = self.behind(side, unit) > 0;
                match behind && within(self.battle.first_fire).is_none() {
                    true => Told::Move,
                    false => fire(mark()),
                }
            }
            Plan::Fire => by_fire(),
            Plan::Charge => match within(plan.charge_from) {
                Some(prey) => Told::Charge(prey as u8),
                None if prey.is_some() => Told::Move,
                None => Told::Nothing,
            },
            Plan::Soften => match within(plan.charge_from).filter(inviting) {
                Some(prey) => Told::Charge(prey as u8),
                None => by_fire(),
            },
        }
    }

    /// How far a unit is to the rear of where it began.
    fn behind(&self, side: usize, unit: usize) -> i32 {
        let place = self.field.lines.position[side][unit];
        let start = self.battle.starts_at(side);
        [start - place, place - start][side]
    }

    fn fires(&mut self, side: usize, unit: usize, target: usize) {
        if !self.field.stands(1 - side, target) || !self.field.stands(side, unit) {
            return;
        }
        let distance = self.field.lines.distance(side, unit, target);
        let covered = self.in_cover(1 - side, target);
        let arms = &self.battle.sides[side].arms[unit];
        match arms.at(distance, covered) {
            Some(volley) => {
                self.volley((side, unit), target, volley, distance);
            }
            None => self.teller.tell(|| {
                let target = name(1 - side, target);
                format!(
                    "{} is {distance} yards from {target}, out of reach.",
                    capital(side, unit)
                )
            }),
        }
    }

    /// A volley, and what comes of a commander it strikes; whether it had any effect.
    pub(super) fn volley(
        &mut self,
        (side, unit): (usize, usize),
        target: usize,
        volley: &crate::elephant::volley::Volley,
        distance: i32,
    ) -> bool {
        let other = 1 - side;
        let field = &mut *self.field;
        let [ours, theirs] = &mut field.units;
        let (firer, hit) = match side {
            0 => (&mut ours[unit], &mut theirs[target]),
            _ => (&mut theirs[unit], &mut ours[target]),
        };
        let was = *hit;
        let regiment = &field.regiments[other][target];
        let fired = volley.fire(&self.battle.charts, firer, regiment, hit, self.dice);
        let now = *hit;
        self.teller.tell(|| {
            let does = match (was.stands - now.stands, fired.rolled, fired.effective) {
                (_, false, _) => "nothing can come of it".into(),
                (_, _, false) => "no effect".into(),
                (0, ..) if now.hits == was.hits => "it is shaken".into(),
                (0, ..) => "it is hit".into(),
                (1, ..) => "a stand falls".into(),
                (lost, ..) => format!("{lost} stands fall"),
            };
            let target = name(other, target);
            format!(
                "{} fires at {target} over {distance} yards: {does}.",
                capital(side, unit)
            )
        });
        self.commander_fallen(other, target);
        if now.stands == 0 {
            self.leaves(other, target);
        }
        self.work_off();
        fired.effective
    }

    /// A unit goes where its plan leads it, as far as its dice carry it.
    fn moves(&mut self, side: usize, unit: usize) {
        let field = &*self.field;
        let free = field.stands(side, unit)
            && !field.is_held(side, unit)
            && !field.lines.in_contact(side, unit);
        if !free {
            return;
        }
        let lines = &field.lines;
        let plan = &self.battle.sides[side];
        let (prey, mark) = (lines.prey(side, unit), lines.mark(side, unit));
        // How far it may go, and towards whom; nobody is its own front.
        let (way, towards) = match plan.brigade.plan {
            Plan::Hold => {
                let forward = [1, -1][side];
                let ahead = prey.map(|prey| {
                    forward * (lines.position[1 - side][prey] - lines.position[side][unit])
                });
                let room = ahead.filter(|&ahead| ahead >= 0);
                let room = room.map_or(i32::MAX, |ahead| ahead - self.battle.first_fire);
                (self.behind(side, unit).min(room), None)
            }
            Plan::Fire | Plan::Soften => match mark {
                Some(mark) => (
                    lines.distance(side, unit, mark) - plan.brigade.range,
                    Some(mark),
                ),
                None => return,
            },
            Plan::Charge => match prey {
                Some(prey) => (
                    lines.distance(side, unit, prey) - plan.charge_from,
                    Some(prey),
                ),
                None => return,
            },
        };
        if way <= 0 {
            return;
        }
        let way = way.min(self.battle.walk.roll(self.dice));
        match towards {
            Some(enemy) => self.field.lines.approach(side, unit, enemy, way),
            None => self.field.lines.position[side][unit] += [way, -way][side],
        }
        self.teller
            .tell(|| format!("{} moves {way} yards.", capital(side, unit)));
    }
}
