//! Tests, flights, and the chain of what they do to others.

use super::{Game, Withdrew};
use crate::Labels;
use crate::battle::{bit, capital, each};
use crate::elephant::morale::{Morale, Occasion};
use crate::elephant::tables::Contagion;
use grapeshot_engine::dice::Dice;
use grapeshot_engine::engine::Teller;

/// What goes into the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A unit flees from a place.
    Flight {
        side: usize,
        unit: usize,
        from: i32,
        rout: bool,
    },
    /// A commander is killed; the spared test anyway in the next step.
    Fall { side: usize, spared: u8 },
    /// A commander is seriously wounded.
    Wound {
        side: usize,
        unit: usize,
        spared: u8,
    },
}

/// How the fleeing unit's grade stands to the watcher's, as places of the printed table.
const POORER: usize = 0;
const SAME: usize = 1;
const BETTER: usize = 2;

impl<D: Dice, T: Teller> Game<'_, D, T> {
    /// A unit is tested, and what comes of it is worked off.
    pub(super) fn test(&mut self, side: usize, unit: usize, occasion: Occasion) -> Morale {
        let result = self.tested(side, unit, occasion);
        self.work_off();
        result
    }

    /// A unit is tested; if it flees, that goes into the chain.
    fn tested(&mut self, side: usize, unit: usize, occasion: Occasion) -> Morale {
        let covered = self.in_cover(side, unit);
        let field = &mut *self.field;
        field.tested[side] |= bit(unit);
        let regiment = &mut field.regiments[side][unit];
        regiment.covered = covered;
        let now = &mut field.units[side][unit];
        let withdrew = now.withdrew != Withdrew::No;
        let result = self
            .battle
            .charts
            .morale
            .test(regiment, now, occasion, self.dice);
        let stands = now.stands;
        self.teller
            .tell(|| tested(side, unit, result, withdrew, stands));
        match result {
            Morale::Retreat => self.flees(side, unit, false),
            Morale::Rout => self.flees(side, unit, true),
            _ if stands == 0 => self.leaves(side, unit),
            _ => {
                if withdrew {
                    let field = &mut *self.field;
                    field.units[side][unit].withdrew = Withdrew::No;
                    field.lines.standing[side] |= bit(unit);
                    field.rallied += 1;
                }
                if result == Morale::Hit {
                    self.field.held[side] |= bit(unit);
                }
            }
        }
        result
    }

    /// A unit flees, after a rout or a retreat.
    pub(super) fn flees(&mut self, side: usize, unit: usize, rout: bool) {
        let battle = self.battle;
        let field = &mut *self.field;
        let from = field.lines.position[side][unit];
        let now = &mut field.units[side][unit];
        now.overenthusiastic = false;
        now.withdrew = match rout {
            true => Withdrew::Rout,
            false => Withdrew::Retreat,
        };
        field.lines.falls_out(side, unit);
        let back = battle.flight[usize::from(rout)];
        let place = &mut field.lines.position[side][unit];
        *place += [-back, back][side];
        let behind = [-*place, *place - battle.distance][side];
        if !battle.rally || behind >= battle.leaves_at {
            self.leaves(side, unit);
            self.teller
                .tell(|| format!("{} has left the field.", capital(side, unit)));
        }
        if battle.contagion {
            let flight = Event::Flight {
                side,
                unit,
                from,
                rout,
            };
            self.field.chain.push(flight);
        }
    }

    /// Works off the chain, first in first out.
    pub(super) fn work_off(&mut self) {
        if self.field.chain.is_empty() {
            return;
        }
        let mut next = 0;
        while let Some(&event) = self.field.chain.get(next) {
            next += 1;
            match event {
                Event::Flight {
                    side,
                    unit,
                    from,
                    rout,
                } => self.seen((side, unit), from, rout),
                Event::Fall { side, spared } => {
                    for unit in each(self.field.on_field[side] & !spared) {
                        if self.field.is_on_field(side, unit) {
                            self.shaken(side, unit);
                        }
                    }
                }
                Event::Wound { side, unit, spared } => {
                    if spared & bit(unit) == 0 && self.field.is_on_field(side, unit) {
                        self.shaken(side, unit);
                    }
                }
            }
        }
        self.field.chain.clear();
    }

    /// A flight is seen by those who stand near where it began.
    fn seen(&mut self, (side, fleeing): (usize, usize), from: i32, rout: bool) {
        let battle = self.battle;
        let grade = self.field.units[side][fleeing].grade.position();
        for unit in each(battle.neighbours[fleeing]) {
            let field = &mut *self.field;
            let near = (field.lines.position[side][unit] - from).abs() <= battle.near;
            if !near || !field.stands(side, unit) {
                continue;
            }
            let now = &mut field.units[side][unit];
            let relation = match grade.cmp(&now.grade.position()) {
                std::cmp::Ordering::Greater => POORER,
                std::cmp::Ordering::Equal => SAME,
                std::cmp::Ordering::Less => BETTER,
            };
            if let Contagion::Test { panic } =
                battle.charts.tables.contagion[usize::from(rout)][relation]
            {
                field.regiments[side][unit].panics(now, panic);
                self.teller
                    .tell(|| format!("{} sees it.", capital(side, unit)));
                self.shaken(side, unit);
            }
        }
    }

    /// A test made in the chain.
    fn shaken(&mut self, side: usize, unit: usize) {
        let result = self.tested(side, unit, Occasion::Steadiness);
        let flees = matches!(result, Morale::Retreat | Morale::Rout);
        self.field.frightened += u16::from(flees);
    }
}

/// What a test came to, in a sentence.
fn tested(side: usize, unit: usize, result: Morale, withdrew: bool, stands: u8) -> String {
    let does = match (result, withdrew) {
        (Morale::Overenthusiastic, false) => "passes its test, and is carried away",
        (Morale::Pass, false) => "passes its test",
        (Morale::Overenthusiastic, true) => "rallies, and is carried away",
        (Morale::Pass, true) => "rallies",
        (Morale::Hit, _) if stands == 0 => "wavers and loses its last stand",
        (Morale::Hit, false) => "wavers, takes a hit and is held",
        (Morale::Hit, true) => "rallies with a hit, and is held",
        (Morale::Retreat, false) => "fails its test and retreats",
        (Morale::Rout, false) => "fails its test and routs",
        (Morale::Retreat, true) => "does not rally, and goes further back",
        (Morale::Rout, true) => "does not rally, and runs on",
    };
    format!("{} {does}.", capital(side, unit))
}
