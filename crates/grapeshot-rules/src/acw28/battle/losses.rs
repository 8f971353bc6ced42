//! What a volley or a melee costs, and what the loss does to those who suffer and those who see it.

use super::super::tables::Tables;
use super::{Battle, Field, Officer, RoutSeen, SIZES};
use crate::acw28::kinds::Cover;
use crate::acw28::morale::Situation;
use crate::battle::{bit, capital, each, name};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::engine::Teller;

/// Figures that fall to so many dice of fire: how many hit and are not saved, which a battle need not
/// tell apart.
#[derive(Debug)]
pub(super) struct Losses {
    /// Of one die: the chances, in faces of two dice, that it hits and that the hit is not saved.
    known: Vec<(u128, u128)>,
    /// By chances, then by dice.
    odds: Vec<Vec<Odds<u8>>>,
    tables: Faces,
    most_dice: u8,
}

/// For every need: how many faces of a die, of how many, reach it.
#[derive(Debug)]
struct Faces(Vec<(u128, u128)>);

/// The needs that make a difference: always, every face but the first, … never.
const NEEDS: i16 = 7;

impl Losses {
    pub(super) fn new(tables: &Tables) -> Self {
        let faces = |need: i16| {
            let odds = tables.d6.at_least(1, need);
            let good = odds.iter().find(|(shown, _)| *shown == 1);
            (good.map_or(0, |(_, weight)| weight), odds.total())
        };
        Losses {
            known: Vec::new(),
            odds: Vec::new(),
            tables: Faces((1..=NEEDS).map(faces).collect()),
            most_dice: (SIZES as u8 - 1).saturating_mul(tables.fire_dice.line),
        }
    }

    /// Where the losses stand of dice that hit on `need` and are saved on `saved`.
    pub(super) fn of(&mut self, need: i16, saved: Option<i16>) -> u16 {
        let (hit, of) = self.tables.reach(need);
        let (spared, of_those) = saved.map_or((0, 1), |face| self.tables.reach(face));
        let falls = hit * (of_those - spared);
        let chances = (falls, of * of_those - falls);
        if let Some(at) = self.known.iter().position(|&known| known == chances) {
            return at as u16;
        }
        let odds = |dice: u8| {
            let throw = Throw::pool_of(u32::from(dice), chances.0, chances.1);
            Odds::new(throw, |falls| falls as u8)
        };
        self.known.push(chances);
        self.odds.push((0..=self.most_dice).map(odds).collect());
        (self.known.len() - 1) as u16
    }

    #[inline(always)]
    pub(super) fn roll<D: Dice>(&self, at: u16, dice: u8, source: &mut D) -> u8 {
        self.odds[usize::from(at)][usize::from(dice)].roll(source)
    }
}

impl Faces {
    fn reach(&self, need: i16) -> (u128, u128) {
        self.0[need.clamp(1, NEEDS) as usize - 1]
    }
}

impl Battle {
    /// Whether a unit is in the cover of its first line.
    #[inline(always)]
    pub(super) fn in_cover(&self, field: &Field, side: usize, unit: usize) -> bool {
        let start = [0, self.distance][side];
        self.covers[side] != Cover::Open && field.lines.position[side][unit] == start
    }

    #[inline(always)]
    pub(super) fn cover(&self, field: &Field, side: usize, unit: usize) -> Cover {
        match self.in_cover(field, side, unit) {
            true => self.covers[side],
            false => Cover::Open,
        }
    }

    /// Friends that stand near a unit.
    #[inline(always)]
    fn friends(&self, field: &Field, side: usize, unit: usize) -> u8 {
        let along = self.neighbours[unit] & field.lines.standing[side];
        let place = field.lines.position[side][unit];
        field.lines.within(side, along, place, self.near)
    }

    /// A unit loses figures; if to fire, its officer is in danger first. Then its nerve.
    pub(super) fn loses<D: Dice, T: Teller>(
        &self,
        field: &mut Field,
        (side, unit): (usize, usize),
        lost: u8,
        by_fire: bool,
        dice: &mut D,
        teller: &mut T,
    ) {
        field.figures[side][unit] -= lost;
        field.lost[side] += u16::from(lost);
        let with_it = field.officers[side] == Officer::With(unit as u8);
        let falls = by_fire && with_it && self.tables.officer.kills(lost, dice);
        if falls {
            field.officers[side] = Officer::Dead;
            teller.tell(|| format!("The officer with {} is killed.", name(side, unit)));
        }
        let figures = field.figures[side][unit];
        let now = self.situation(field, side, unit);
        let points = self.tables.morale.total(figures, &now);
        let original = usize::from(field.original[side][unit]);
        let routs_at = self.regiments[side][unit].routs_at[original];
        if figures > 0 && points > routs_at {
            return;
        }
        if figures > 0 {
            let alone = Situation {
                isolated: false,
                officer_fail: false,
                saw_rout: false,
                ..now
            };
            let frightened = self.tables.morale.total(figures, &alone) > routs_at;
            field.frightened += u16::from(frightened);
            teller.tell(|| {
                let why = match frightened {
                    true => ", and would have stood but for what happened around it",
                    false => "",
                };
                format!(
                    "{} is down to {points}, and routs at {routs_at}{why}.",
                    capital(side, unit)
                )
            });
        } else {
            teller.tell(|| format!("{} has no figure left.", capital(side, unit)));
        }
        self.goes_out(field, side, unit, teller);
    }

    /// All that counts for a unit's nerve beside its figures.
    fn situation(&self, field: &Field, side: usize, unit: usize) -> Situation {
        let officer = field.officers[side];
        Situation {
            cover: self.cover(field, side, unit),
            officer_attached: officer == Officer::With(unit as u8),
            formation_fail: field.fails[side] & bit(unit) != 0,
            officer_fail: matches!(officer, Officer::Dead | Officer::Swept(_)),
            isolated: self.isolation && self.friends(field, side, unit) == 0,
            cavalry_near: false,
            saw_rout: field.saw[side] & bit(unit) != 0,
        }
    }

    /// A unit is out for good: friends near it see it, and its officer is swept away.
    fn goes_out<T: Teller>(&self, field: &mut Field, side: usize, unit: usize, teller: &mut T) {
        field.lines.falls_out(side, unit);
        if field.officers[side] == Officer::With(unit as u8) {
            field.officers[side] = Officer::Swept(unit as u8);
            teller.tell(|| "Its officer is swept away with it.".into());
        }
        if self.rout_seen != RoutSeen::Off {
            let seen_by = self.friends(field, side, unit);
            field.saw[side] |= seen_by;
            if seen_by != 0 {
                teller.tell(|| {
                    let names: Vec<String> = each(seen_by).map(|unit| name(side, unit)).collect();
                    format!("It is seen by {}.", names.join(" and "))
                });
            }
        }
    }
}
