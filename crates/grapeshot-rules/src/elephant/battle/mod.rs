//! Battle: several regiments a side, over turns, with what they do to each other: panic that spreads,
//! rallies, a commander who falls, targets that change.
//!
//! Fire, tests, combat and casualty dice are those of the other procedures. A [`Game`] is one battle
//! under way: [`activation`] says who does what when, [`charges`] and [`fights`] play the long steps,
//! [`nerve`] takes every test and works off what comes of it, [`leader`] keeps the commanders.

mod activation;
mod charges;
mod fights;
mod leader;
mod nerve;
mod procedure;
#[cfg(test)]
mod tests;

pub(super) use procedure::procedure;

use super::charts::Charts;
use super::combat::Combat;
use super::commander::Fate;
use super::tables::{SCALES, Tables};
use super::unit::{Condition, Cover, Grade, IN_THE_OPEN, Regiment, UnitKind, Weapon, Withdrew};
use super::volley::{Firer, Mark, Options, Volley};
use crate::battle::{self, Brigade, Lines, MOST, Outcome, SIDES, bit};
use crate::{Labels, Of, RuleError, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::engine::{End, Playout, Row, Teller};
use leader::Leader;
use nerve::Event;
use std::sync::Arc;

/// What does not change about a unit that fires.
#[derive(Debug, Clone)]
struct Arms {
    /// Up to which distance each of its volleys is fired; beyond the last it does not reach.
    upto: Vec<i32>,
    /// By target in the open or in its cover, then as above.
    volleys: [Vec<Volley>; 2],
    /// In defence, at a charge.
    first: Volley,
    second: Volley,
}

impl Arms {
    fn new(tables: &Tables, weapon: Weapon, target: usize) -> Self {
        let firer = Firer::plain(UnitKind::Infantry, (weapon, weapon.position()), true);
        let volley = |range: i64, cover: usize| {
            let mark = Mark::in_line(cover);
            Volley::new(tables, &firer, &mark, range, Options::default())
        };
        let (farthest, _) = tables.factors[weapon.position()];
        let bands = tables.bands.iter().copied().filter(|&upto| upto < farthest);
        let upto: Vec<i64> = bands.chain([farthest]).collect();
        let at = |cover: usize| upto.iter().map(|&range| volley(range, cover)).collect();
        Arms {
            volleys: [at(IN_THE_OPEN), at(target)],
            first: volley(tables.yards.first_fire, IN_THE_OPEN),
            second: volley(tables.yards.second_fire, IN_THE_OPEN),
            upto: upto.into_iter().map(|range| range as i32).collect(),
        }
    }

    /// The volley over a distance, at a target in its cover or not; nothing beyond reach.
    #[inline]
    fn at(&self, distance: i32, covered: bool) -> Option<&Volley> {
        let band = self.upto.iter().position(|&upto| distance <= upto)?;
        Some(&self.volleys[usize::from(covered)][band])
    }
}

/// Which side acts first in a turn.
#[derive(Debug)]
enum Order {
    Always(usize),
    Cards(Odds<usize>),
}

/// A side as its player has decided.
#[derive(Debug)]
struct Side {
    brigade: Brigade,
    charge_from: i32,
    second_fire: bool,
    /// The commander's rating, and the unit he is to be with; none where he chooses.
    rating: u8,
    commander_at: Option<usize>,
    cover: usize,
    /// What its cover is in a combat.
    combats: [Combat; 2],
    arms: Vec<Arms>,
}

/// Everything about a battle that is known before its first die.
#[derive(Debug)]
pub(super) struct Battle {
    charts: Arc<Charts>,
    sides: [Side; 2],
    start: Field,
    order: Order,
    /// How far a unit goes; nothing where a charge is assumed to arrive.
    charge_move: Option<Odds<i32>>,
    walk: Odds<i32>,
    turns: u16,
    distance: i32,
    neighbours: [u8; MOST],
    near: i32,
    /// Where a charging unit is fired at first.
    first_fire: i32,
    each_volley: bool,
    rally: bool,
    contagion: bool,
    headlong: bool,
    succession: bool,
    /// How far a retreat and a rout go.
    flight: [i32; 2],
    leaves_at: i32,
}

/// A battle under way.
#[derive(Debug, Clone)]
pub(super) struct Field {
    lines: Lines,
    units: [[Condition; MOST]; 2],
    regiments: [[Regiment; MOST]; 2],
    /// Who stands or withdraws.
    on_field: [u8; 2],
    /// Who may not move nor charge until the activation ends.
    held: [u8; 2],
    /// Who has been tested since the morale step began.
    tested: [u8; 2],
    leaders: [Leader; 2],
    /// The unit that is in the open because it charges.
    charging: Option<(usize, usize)>,
    /// Who has fired at 100 yards, tested for a second fire and tested to receive in this activation.
    spent: [u8; 3],
    chain: Vec<Event>,
    frightened: u16,
    rallied: u16,
}

/// One battle, its dice and who listens.
struct Game<'a, D, T> {
    battle: &'a Battle,
    field: &'a mut Field,
    dice: &'a mut D,
    teller: &'a mut T,
}

impl Battle {
    pub(super) fn new(charts: &Arc<Charts>, s: &Settings) -> Result<Self, RuleError> {
        let tables = &charts.tables;
        let covers = SIDES.map(|side| s.row::<Cover>(Of(side, "cover")));
        let sides = [
            read_side(tables, s, 0, covers)?,
            read_side(tables, s, 1, covers)?,
        ];
        let distance = s.whole("distance") as i32;
        let yards = |key: &str| s.whole(key) as i32;
        let scale = SCALES.iter().position(|&known| known == s.text("scale"));
        let scale = tables.movement.scales[scale.expect("a listed scale")] as i32;
        let throw = Throw::average_dice(tables.movement.infantry);
        let walk = Odds::new(throw, |inches| inches * scale);
        let cards = |side: &str| s.whole(Of(side, "cards")) as u128;
        Ok(Battle {
            start: start(tables, s, &sides, distance),
            order: match s.text("order") {
                "attacker" => Order::Always(0),
                "defender" => Order::Always(1),
                _ => Order::Cards(Odds::weighted([(0, cards(SIDES[0])), (1, cards(SIDES[1]))])),
            },
            charge_move: (s.text("reach") == "roll").then(|| walk.clone()),
            walk,
            turns: s.whole("turns") as u16,
            distance,
            neighbours: battle::neighbours(s.whole("near")),
            near: tables.yards.near as i32,
            first_fire: tables.yards.first_fire as i32,
            each_volley: s.text("volleys") == "each",
            rally: s.flag("rally"),
            contagion: s.flag("contagion"),
            headlong: s.flag("headlong"),
            succession: s.flag("succession"),
            flight: [yards("retreat_yards"), yards("rout_yards")],
            leaves_at: yards("leaves_at"),
            sides,
            charts: Arc::clone(charts),
        })
    }

    fn starts_at(&self, side: usize) -> i32 {
        [0, self.distance][side]
    }

    fn row(&self, field: &Field, outcome: Outcome, turn: u16) -> Row {
        let out = |side: usize| self.out(field, side) as u16;
        let lost = |side: usize| {
            let units = field.units[side].iter().zip(&field.regiments[side]);
            let units = units.take(self.sides[side].brigade.units);
            units
                .map(|(unit, regiment)| u16::from(regiment.lost(unit)))
                .sum()
        };
        [
            outcome.position() as u16,
            turn,
            out(0),
            out(1),
            lost(0),
            lost(1),
            field.frightened,
            field.rallied,
        ]
    }

    fn out(&self, field: &Field, side: usize) -> u32 {
        self.sides[side].brigade.units as u32 - field.lines.standing[side].count_ones()
    }
}

fn read_side(
    tables: &Tables,
    s: &Settings,
    side: usize,
    covers: [usize; 2],
) -> Result<Side, RuleError> {
    let name = SIDES[side];
    let key = |of| Of(name, of);
    let brigade = Brigade::read(s, name, ["grades", "stands", "weapons"])?;
    battle::no_more_than_units(s, name, "commander_at")?;
    let weapons = s.each(key("weapons"), brigade.units, Weapon::from_label);
    let cover = covers[side];
    let arms = weapons.iter();
    Ok(Side {
        charge_from: s.whole(key("charge_from")) as i32,
        second_fire: s.text(key("second_fire")) == "attempt",
        rating: s.whole(key("commander")) as u8,
        commander_at: (s.whole(key("commander_at")) as usize).checked_sub(1),
        cover,
        combats: [IN_THE_OPEN, cover].map(|works| Combat::in_line(tables, works)),
        arms: arms
            .map(|&weapon| Arms::new(tables, weapon, covers[1 - side]))
            .collect(),
        brigade,
    })
}

/// Both sides before the first turn; the green do not know yet what they are.
fn start(tables: &Tables, s: &Settings, sides: &[Side; 2], distance: i32) -> Field {
    let units = [0, 1].map(|side| {
        let (name, units) = (SIDES[side], sides[side].brigade.units);
        let grades = s.each(&format!("{name}.grades"), units, Grade::from_label);
        let stands = s.each(&format!("{name}.stands"), units, |entry| entry.parse().ok());
        std::array::from_fn(|unit| Condition {
            grade: grades.get(unit).copied().unwrap_or(Grade::Regular),
            ..Condition::fresh(stands.get(unit).copied().unwrap_or(0))
        })
    });
    let lines = Lines::new(
        [0, 1].map(|side: usize| sides[side].brigade.units),
        distance,
    );
    Field {
        on_field: lines.standing,
        lines,
        regiments: units
            .map(|side: [Condition; MOST]| side.map(|unit| Regiment::in_line(tables, unit))),
        units,
        held: [0; 2],
        tested: [0; 2],
        leaders: [0, 1].map(|side: usize| Leader::new(sides[side].rating)),
        charging: None,
        spent: [0; 3],
        chain: Vec::new(),
        frightened: 0,
        rallied: 0,
    }
}

impl Field {
    /// As before the first turn, without making anything anew.
    fn reset(&mut self, start: &Field) {
        let mut chain = std::mem::take(&mut self.chain);
        chain.clear();
        *self = Field {
            chain,
            // An empty list: nothing is allocated.
            ..start.clone()
        };
    }

    fn stands(&self, side: usize, unit: usize) -> bool {
        self.lines.stands(side, unit)
    }

    fn is_on_field(&self, side: usize, unit: usize) -> bool {
        self.on_field[side] & bit(unit) != 0
    }

    fn is_held(&self, side: usize, unit: usize) -> bool {
        self.held[side] & bit(unit) != 0
    }
}

impl<D: Dice, T: Teller> Game<'_, D, T> {
    fn play(&mut self) -> End {
        let battle = self.battle;
        self.field.reset(&battle.start);
        for side in 0..2 {
            for unit in 0..battle.sides[side].brigade.units {
                let unit = &mut self.field.units[side][unit];
                battle.charts.morale.learn_grade(unit, self.dice);
            }
            self.commander_joins(side);
        }
        for turn in 1..=battle.turns {
            let first = match &battle.order {
                Order::Always(first) => *first,
                Order::Cards(odds) => odds.roll(self.dice),
            };
            for side in [first, 1 - first] {
                self.teller
                    .heading(|| format!("turn {turn}, the {}", SIDES[side]));
                self.activation(side);
                let beaten = [0, 1].map(|side| {
                    battle.sides[side]
                        .brigade
                        .beaten(battle.out(self.field, side))
                });
                if let Some(outcome) = Outcome::of(beaten) {
                    return End {
                        row: battle.row(self.field, outcome, turn),
                        phase: side as u8,
                    };
                }
            }
        }
        End {
            row: battle.row(self.field, Outcome::Undecided, battle.turns),
            phase: 2,
        }
    }

    /// Whether a unit is in the cover of its first line; one that charges is not.
    #[inline]
    fn in_cover(&self, side: usize, unit: usize) -> bool {
        self.battle.sides[side].cover != IN_THE_OPEN
            && self.field.lines.position[side][unit] == self.battle.starts_at(side)
            && self.field.charging != Some((side, unit))
    }
}

impl Playout for Battle {
    type Field = Field;

    fn phases(&self) -> Vec<&str> {
        vec!["attacker's activations", "defender's activations"]
    }

    fn variables(&self) -> usize {
        8
    }

    fn why_never_solved(&self) -> String {
        battle::why_never_solved()
    }

    fn field(&self) -> Field {
        self.start.clone()
    }

    fn play<D: Dice, T: Teller>(&self, field: &mut Field, dice: &mut D, teller: &mut T) -> End {
        Game {
            battle: self,
            field,
            dice,
            teller,
        }
        .play()
    }
}
