//! Battle: several regiments a side, over turns, with what they do to each other: routs that are seen,
//! regiments left alone, an officer who falls, targets that change.
//!
//! Fire, saves, kills, points and rout charts are those of the other procedures; what is new is who
//! does what when ([`turn`]) and what it does to those who see it ([`losses`]).

mod losses;
mod procedure;
#[cfg(test)]
mod tests;
mod turn;

pub(super) use procedure::procedure;

use super::kinds::{Arm, Class, Cover, Formation, Weapon};
use super::tables::{Pace, Ranges, Reach, Side as Army, Tables};
use super::volley::{Firer, save};
use crate::battle::{self, ATTACKER, Brigade, DEFENDER, Lines, MOST, Outcome, SIDES};
use crate::{Labels, RuleError, Settings};
use grapeshot_engine::dice::{Dice, Odds};
use grapeshot_engine::engine::{End, Playout, Row, Teller};
use losses::Losses;
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How long a rout that was seen counts.
    pub enum RoutSeen { Off = "off", Turn = "turn", Battle = "battle" }
}

/// The most figures a regiment begins with, and one.
const SIZES: usize = 21;

/// What does not change about a regiment.
#[derive(Debug, Clone, Copy)]
struct Regiment {
    class: Class,
    /// Figures at the beginning; nothing where they are thrown for.
    figures: Option<u8>,
    ranges: Ranges,
    /// By its own formation fail, the reach and whether the target is in cover: where among the losses.
    volleys: [[[u16; 2]; 2]; 2],
    /// By original figures: points at or below which it routs.
    routs_at: [i64; SIZES],
}

/// Everything about a battle that is known before its first die.
#[derive(Debug)]
pub(super) struct Battle {
    tables: Arc<Tables>,
    brigades: [Brigade; 2],
    regiments: [Vec<Regiment>; 2],
    /// What stands on the first line of each side.
    covers: [Cover; 2],
    /// The unit each side's officer is with, if he is not behind the line.
    officers: [Option<u8>; 2],
    losses: Losses,
    /// Dice for so many figures in line.
    fire_dice: [u8; SIZES],
    thrown_figures: Odds<u16>,
    first: usize,
    turns: u16,
    isolation: bool,
    rout_seen: RoutSeen,
    distance: i32,
    /// Who is near whom along the line, and how far that reaches.
    neighbours: [u8; MOST],
    near: i32,
    /// How far a unit goes; the shortest and the longest charge.
    pace: i32,
    charge: (i32, i32),
    /// For an enemy unit that is out, and for an enemy officer who is dead.
    points: [i32; 2],
}

/// Where an officer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Officer {
    /// Behind the line, out of danger.
    Behind,
    With(u8),
    /// Swept away by the rout of the unit he was with.
    Swept(u8),
    Dead,
}

/// A battle under way.
#[derive(Debug, Clone)]
pub(super) struct Field {
    lines: Lines,
    figures: [[u8; MOST]; 2],
    original: [[u8; MOST]; 2],
    /// Who has a formation fail.
    fails: [u8; 2],
    /// Who has seen a rout that counts.
    saw: [u8; 2],
    /// The turn from which a unit may charge again.
    charges_from: [[u16; MOST]; 2],
    /// Figures that have struck at a unit in this player turn.
    struck: [[u8; MOST]; 2],
    officers: [Officer; 2],
    lost: [u16; 2],
    frightened: u16,
}

impl Battle {
    pub(super) fn new(tables: &Arc<Tables>, s: &Settings) -> Result<Self, RuleError> {
        let lists = ["classes", "figures", "weapons"];
        let brigades = [
            Brigade::read(s, SIDES[0], lists)?,
            Brigade::read(s, SIDES[1], lists)?,
        ];
        for side in SIDES {
            battle::no_more_than_units(s, side, "officer")?;
        }
        let covers = SIDES.map(|side| s.choice::<Cover>(&format!("{side}.cover")));
        let mut losses = Losses::new(tables);
        let open_saves = s.flag("open_saves");
        let mut read = |side: usize| {
            let reader = Reader {
                tables,
                s,
                side: SIDES[side],
                target: covers[1 - side],
                open_saves,
            };
            reader.regiments(brigades[side].units, &mut losses)
        };
        let regiments = [read(ATTACKER)?, read(DEFENDER)?];
        let muster = tables.campaign.muster(Army::Federal);
        let line = Firer::in_line(Class::C, Weapon::Rifle);
        let (shortest, longest) = tables.charge_distances(Arm::Infantry);
        Ok(Battle {
            regiments,
            covers,
            officers: SIDES.map(|side| {
                let officer = s.whole(&format!("{side}.officer")) as u8;
                officer.checked_sub(1)
            }),
            losses,
            fire_dice: std::array::from_fn(|figures| line.dice(tables, figures as u8)),
            thrown_figures: muster.figures.odds(),
            first: usize::from(s.get("first").is("defender")),
            turns: s.whole("turns") as u16,
            isolation: s.flag("isolation"),
            rout_seen: s.choice("rout_seen"),
            distance: s.whole("distance") as i32,
            neighbours: battle::neighbours(s.whole("near")),
            near: tables.battle.near as i32,
            pace: tables.rate(Arm::Infantry, Pace::Ordinary) as i32,
            charge: (shortest as i32, longest as i32),
            points: tables.battle.points,
            brigades,
            tables: Arc::clone(tables),
        })
    }

    /// Sets everything up anew.
    fn begin<D: Dice>(&self, field: &mut Field, dice: &mut D) {
        *field = self.start();
        for side in 0..2 {
            for (unit, regiment) in self.regiments[side].iter().enumerate() {
                let figures = regiment.figures;
                let figures = figures.unwrap_or_else(|| self.thrown_figures.roll(dice) as u8);
                field.figures[side][unit] = figures;
            }
        }
        field.original = field.figures;
    }

    fn start(&self) -> Field {
        Field {
            lines: Lines::new(self.brigades.map(|brigade| brigade.units), self.distance),
            figures: [[0; MOST]; 2],
            original: [[0; MOST]; 2],
            fails: [0; 2],
            saw: [0; 2],
            charges_from: [[0; MOST]; 2],
            struck: [[0; MOST]; 2],
            officers: self
                .officers
                .map(|officer| officer.map_or(Officer::Behind, Officer::With)),
            lost: [0; 2],
            frightened: 0,
        }
    }

    fn out(&self, field: &Field, side: usize) -> u32 {
        self.brigades[side].units as u32 - field.lines.standing[side].count_ones()
    }

    fn row(&self, field: &Field, outcome: Outcome, turn: u16) -> Row {
        let out = [0, 1].map(|side| self.out(field, side));
        let dead = field.officers.map(|officer| officer == Officer::Dead);
        let points =
            |of: usize| out[of] as i32 * self.points[0] + i32::from(dead[of]) * self.points[1];
        let points = points(DEFENDER) - points(ATTACKER);
        [
            outcome.position() as u16,
            turn,
            out[0] as u16,
            out[1] as u16,
            field.lost[0],
            field.lost[1],
            field.frightened,
            (points - self.fewest_points()) as u16,
        ]
    }

    /// Less than any side can be behind by.
    fn fewest_points(&self) -> i32 {
        self.tables.battle.fewest_points()
    }
}

/// Reads one side.
struct Reader<'a> {
    tables: &'a Tables,
    s: &'a Settings,
    side: &'a str,
    /// What the enemy stands behind at first.
    target: Cover,
    open_saves: bool,
}

impl Reader<'_> {
    fn regiments(&self, units: usize, losses: &mut Losses) -> Result<Vec<Regiment>, RuleError> {
        let key = |name: &str| format!("{}.{name}", self.side);
        let classes = self.s.each(&key("classes"), units, Class::from_label);
        let weapons = self.s.each(&key("weapons"), units, Weapon::from_label);
        let figures = self.s.each(&key("figures"), units, |entry| match entry {
            "roll" => Some(None),
            _ => entry.parse().ok().map(Some),
        });
        (0..units)
            .map(|unit| {
                let firer = Firer::in_line(classes[unit], weapons[unit]);
                let volley = |fail: usize, reach: Reach, covered: usize| {
                    let need = firer.need(self.tables, fail == 1, Formation::Line);
                    let cover = [Cover::Open, self.target][covered];
                    let saved = save(self.tables, firer.kind(), reach, cover, self.open_saves);
                    losses.of(need, saved)
                };
                Ok(Regiment {
                    class: classes[unit],
                    figures: figures[unit],
                    ranges: self.tables.small_arm(weapons[unit]),
                    volleys: by_two(volley),
                    routs_at: self.routs_at(classes[unit], figures[unit])?,
                })
            })
            .collect()
    }

    /// The chart's numbers for a class, by original figures; only a variant can lack one.
    fn routs_at(&self, class: Class, figures: Option<u8>) -> Result<[i64; SIZES], RuleError> {
        let chart = &self.tables.regiments;
        let mut numbers = [0; SIZES];
        let (least, most) = match figures {
            Some(figures) => (figures.into(), figures.into()),
            None => self.tables.campaign.muster(Army::Federal).figures.bounds(),
        };
        for original in least..=most {
            let column = chart.column(i64::from(original));
            let points = column.and_then(|column| chart.points(class, column));
            let number = points
                .filter(|_| usize::from(original) < SIZES)
                .ok_or_else(|| {
                    let reason = format!("the rout chart has no regiment of {original} figures");
                    self.s.refuse(&format!("{}.figures", self.side), reason)
                })?;
            numbers[usize::from(original)] = number;
        }
        Ok(numbers)
    }
}

/// By formation fail, reach and cover.
fn by_two(mut of: impl FnMut(usize, Reach, usize) -> u16) -> [[[u16; 2]; 2]; 2] {
    [0, 1].map(|fail| {
        [Reach::Short, Reach::Long].map(|reach| [0, 1].map(|covered| of(fail, reach, covered)))
    })
}

impl Playout for Battle {
    type Field = Field;

    fn phases(&self) -> Vec<&str> {
        vec!["attacker's turns", "defender's turns"]
    }

    fn variables(&self) -> usize {
        8
    }

    fn why_never_solved(&self) -> String {
        battle::why_never_solved()
    }

    fn field(&self) -> Field {
        self.start()
    }

    fn play<D: Dice, T: Teller>(&self, field: &mut Field, dice: &mut D, teller: &mut T) -> End {
        self.begin(field, dice);
        for turn in 1..=self.turns {
            for side in [self.first, 1 - self.first] {
                self.player_turn(field, side, turn, dice, teller);
                let beaten = [0, 1].map(|side| self.brigades[side].beaten(self.out(field, side)));
                if let Some(outcome) = Outcome::of(beaten) {
                    return End {
                        row: self.row(field, outcome, turn),
                        phase: side as u8,
                    };
                }
            }
        }
        End {
            row: self.row(field, Outcome::Undecided, self.turns),
            phase: 2,
        }
    }
}
