//! Combats of an activation: all units whose foe is the same fight it together.

use super::Game;
use crate::battle::{MOST, bit, capital, each, name};
use crate::elephant::combat::blows;
use crate::elephant::commander::Danger;
use grapeshot_engine::dice::Dice;
use grapeshot_engine::engine::Teller;

impl<D: Dice, T: Teller> Game<'_, D, T> {
    /// Every unit in contact fights once, the enemy's units in order.
    pub(super) fn combats(&mut self, side: usize) {
        let mut fought = 0;
        for enemy in 0..self.battle.sides[1 - side].brigade.units {
            let lines = &self.field.lines;
            let whose_foe = |&unit: &usize| lines.foe(side, unit) == Some(enemy);
            let fresh = each(lines.engaged[side] & !fought).filter(whose_foe);
            let attackers = fresh.fold(0, |set, unit| set | bit(unit));
            if attackers != 0 {
                fought |= attackers;
                self.combat(side, attackers, enemy);
            }
        }
    }

    /// These units fight one foe: columns first, then a die each, then what comes of it.
    fn combat(&mut self, side: usize, attackers: u8, enemy: usize) {
        let other = 1 - side;
        let charts = &self.battle.charts;
        let covered = self.in_cover(other, enemy);
        let combat = &self.battle.sides[other].combats[usize::from(covered)];
        let field = &mut *self.field;
        let foe_before = field.units[other][enemy];
        let stands = each(attackers).map(|unit| i64::from(field.units[side][unit].stands));
        let strength: i64 = stands.sum();
        let mut columns = [0; MOST];
        for unit in each(attackers) {
            let ours = (&field.regiments[side][unit], &field.units[side][unit]);
            let theirs = (&field.regiments[other][enemy], &foe_before);
            columns[unit] = combat.column_of(charts, strength, ours, theirs);
        }
        let mut retreats = 0;
        let mut foe_retreats = false;
        let mut lost = [0; MOST];
        for unit in each(attackers) {
            let cell = charts.combat.roll(columns[unit], self.dice);
            let own = &mut field.units[side][unit];
            let [on_own, on_foe] = blows(&charts.tables, cell, [own.stands, foe_before.stands]);
            lost[unit] = on_own.falls_on(&field.regiments[side][unit], own);
            let foe = &mut field.units[other][enemy];
            let foe_lost = on_foe.falls_on(&field.regiments[other][enemy], foe);
            retreats |= bit(unit) * u8::from(on_own.retreats);
            foe_retreats |= on_foe.retreats;
            let own_lost = lost[unit];
            self.teller.tell(|| {
                let foe = name(other, enemy);
                let us = capital(side, unit);
                format!("{us} fights {foe}: it loses {own_lost}, the enemy {foe_lost}.")
            });
        }
        let foe_lost = foe_before.stands - field.units[other][enemy].stands;
        for unit in each(attackers) {
            self.endangered(side, unit, lost[unit]);
        }
        self.endangered(other, enemy, foe_lost);
        for unit in each(attackers) {
            self.after_combat(side, unit, retreats & bit(unit) != 0);
        }
        self.after_combat(other, enemy, foe_retreats);
        self.work_off();
    }

    /// The commander's dice for stands that his unit lost.
    fn endangered(&mut self, side: usize, unit: usize, lost: u8) {
        let field = &mut *self.field;
        let regiment = &field.regiments[side][unit];
        let now = &mut field.units[side][unit];
        let casualties = &self.battle.charts.casualties;
        casualties.befall(regiment, now, Danger::Stand, lost, self.dice);
        self.commander_fallen(side, unit);
    }

    /// A unit without stands has left; one that was told to retreats.
    fn after_combat(&mut self, side: usize, unit: usize, retreats: bool) {
        if self.field.units[side][unit].stands == 0 {
            self.leaves(side, unit);
            self.teller
                .tell(|| format!("{} has no stand left.", capital(side, unit)));
        } else if retreats {
            self.teller
                .tell(|| format!("{} is driven back.", capital(side, unit)));
            self.flees(side, unit, false);
        }
    }
}
