//! A brigade against a brigade: what the battles of all rulesets have.
//!
//! Two lines of units stand before each other. A unit has a number, for ever, and a position, its depth;
//! nothing moves sideways. [`Lines`] knows who stands, where, and who is in contact with whom; a
//! [`Brigade`] is what a player has decided beforehand. Sets of units are bits of a byte.

use super::{Labels, RuleError, Setting, Settings};
use grapeshot_engine::dist::{Favour, Variable};

/// The sides, as they stand in arrays.
pub(super) const SIDES: [&str; 2] = ["attacker", "defender"];

/// The most units a side can have.
pub(super) const MOST: usize = 8;

grapeshot_engine::labels! {
    /// What every unit of a side does, all battle long.
    pub enum Plan { Hold = "hold", Fire = "fire", Charge = "charge", Soften = "soften" }
}

grapeshot_engine::labels! {
    /// Who is left.
    pub enum Outcome {
        Attacker = "attacker", Defender = "defender", Both = "both", Undecided = "undecided",
    }
}

impl Outcome {
    /// Who has won, if anybody is beaten.
    pub(super) fn of(beaten: [bool; 2]) -> Option<Self> {
        match beaten {
            [false, false] => None,
            [false, true] => Some(Outcome::Attacker),
            [true, false] => Some(Outcome::Defender),
            [true, true] => Some(Outcome::Both),
        }
    }
}

/// The measures of a ruleset's battles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measures {
    /// The word for a distance.
    pub unit: &'static str,
    /// The word for what a unit is made of.
    pub men: &'static str,
    pub range: i64,
    pub distance: i64,
    pub near: i64,
}

/// The keys of both sides and of the field; `lists` and `more` are a ruleset's own keys of a side, the
/// lists being those that say how many units there are.
pub(super) fn settings(
    measures: &Measures,
    lists: impl Fn(&str) -> Vec<Setting>,
    more: impl Fn(&str) -> Vec<Setting>,
) -> Vec<Setting> {
    let Measures { unit, men, .. } = measures;
    let mut all = Vec::new();
    for side in SIDES {
        let key = |name: &str| format!("{side}.{name}");
        let lists = lists(side);
        let keys = lists.iter().map(|list| list.key.clone());
        all.push(
            Setting::whole(key("units"), 1..=MOST as i64, 4, "units in line")
                .length_of(keys, 4)
                .from("invented"),
        );
        all.extend(lists);
        let plan = match side {
            "attacker" => Plan::Charge,
            _ => Plan::Hold,
        };
        all.extend([
            Setting::choice(key("plan"), plan, "what every unit does, all battle long")
                .from("invented"),
            Setting::one_of(
                key("cover"),
                &["open", "soft", "hard"],
                "open",
                "the ground of its first line; whoever leaves it is in the open",
            )
            .from("invented"),
            Setting::whole(
                key("range"),
                1..=3000,
                measures.range,
                &format!("{unit} from the enemy to which plans fire and soften go"),
            )
            .from("invented"),
            Setting::whole(
                key("edge"),
                1..=40,
                3,
                &format!("{men} more than the enemy's that make plan soften charge"),
            )
            .from("invented"),
            Setting::whole(
                key("breaks_at"),
                0..=MOST as i64,
                0,
                "units out that mean the side is beaten; 0 is all it has",
            )
            .from("invented"),
        ]);
        all.extend(more(side));
    }
    all.extend([
        Setting::whole(
            "distance",
            1..=3000,
            measures.distance,
            &format!("{unit} between the two lines at the start"),
        )
        .from("invented"),
        Setting::whole(
            "near",
            0..=MOST as i64 - 1,
            measures.near,
            "how many places along the line friends are still near; read from the printed frontages",
        )
        .from("reading"),
        Setting::whole("turns", 1..=50, 12, "turns played at most").from("invented"),
    ]);
    all
}

/// The first seven variables; the eighth is a ruleset's own.
pub(super) fn variables(men: &str, frightened: &str, last: Variable) -> Vec<Variable> {
    let lost = |side: &str| {
        let meaning = format!("{men} lost by all its units, but for those that ran");
        Variable::count(&format!("{side}_loss"), &meaning)
    };
    let out = |side: &str| {
        let name = format!("{side}_units_out");
        Variable::count(&name, "its units that do not stand at the end")
    };
    let result = Variable::category(
        "result",
        "the side that is left",
        Outcome::LABELS.iter().copied(),
    )
    .favouring([
        Favour::Success,
        Favour::Failure,
        Favour::Undecided,
        Favour::Undecided,
    ]);
    vec![
        result,
        Variable::count("turns", "the turn in which it ended, or the last"),
        out("attacker"),
        out("defender"),
        lost("attacker"),
        lost("defender"),
        Variable::count("frightened", frightened),
        last,
    ]
}

/// What is told of a battle that can never be solved.
pub(super) fn why_never_solved() -> String {
    "the units of a battle touch each other in far too many ways to weigh them all".into()
}

/// A side as its player has decided.
#[derive(Debug, Clone, Copy)]
pub(super) struct Brigade {
    pub units: usize,
    pub plan: Plan,
    /// How near plans fire and soften go.
    pub range: i32,
    /// What makes plan soften charge.
    pub edge: u8,
    /// Units out that mean it is beaten.
    breaks_at: u32,
}

impl Brigade {
    /// Reads a side; the lists are those of its units' properties.
    pub(super) fn read(s: &Settings, side: &str, lists: [&str; 3]) -> Result<Self, RuleError> {
        let key = |name: &str| format!("{side}.{name}");
        let lists = lists.map(key);
        s.check_lengths(&key("units"), &lists.each_ref().map(String::as_str))?;
        let units = s.whole(&key("units"));
        no_more_than_units(s, side, "breaks_at")?;
        let breaks_at = s.whole(&key("breaks_at"));
        Ok(Brigade {
            units: units as usize,
            plan: s.choice(&key("plan")),
            range: s.whole(&key("range")) as i32,
            edge: s.whole(&key("edge")) as u8,
            breaks_at: if breaks_at == 0 { units } else { breaks_at } as u32,
        })
    }

    /// Whether so many units out mean that it is beaten.
    pub(super) fn beaten(&self, out: u32) -> bool {
        out >= self.breaks_at
    }
}

/// Refuses the number of a unit that the side has not; 0 is none.
pub(super) fn no_more_than_units(s: &Settings, side: &str, name: &str) -> Result<(), RuleError> {
    let [key, units] = [name, "units"].map(|name| format!("{side}.{name}"));
    if s.whole(&key) > s.whole(&units) {
        let reason = format!(
            "the side has {} units, so allowed is 0 to that",
            s.whole(&units)
        );
        return Err(s.refuse(&key, reason));
    }
    Ok(())
}

/// A unit as a story calls it.
pub(super) fn name(side: usize, unit: usize) -> String {
    format!("{} {}", SIDES[side], unit + 1)
}

/// The same at the beginning of a sentence.
pub(super) fn capital(side: usize, unit: usize) -> String {
    format!("{} {}", ["Attacker", "Defender"][side], unit + 1)
}

/// The bit of a unit.
#[inline(always)]
pub(super) fn bit(unit: usize) -> u8 {
    1 << unit
}

/// The units of a set, by number.
#[inline(always)]
pub(super) fn each(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let unit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            unit
        })
    })
}

/// For every set and number, the unit of the set nearest to the number, of two the lower; [`MOST`] for none.
static NEAREST: [[u8; MOST]; 256] = nearest_of_all();

const fn nearest_of_all() -> [[u8; MOST]; 256] {
    let mut table = [[MOST as u8; MOST]; 256];
    let mut set = 1;
    while set < 256 {
        let mut to = 0;
        while to < MOST {
            let mut apart = 0;
            while apart < MOST && table[set][to] == MOST as u8 {
                if to >= apart && set >> (to - apart) & 1 == 1 {
                    table[set][to] = (to - apart) as u8;
                } else if to + apart < MOST && set >> (to + apart) & 1 == 1 {
                    table[set][to] = (to + apart) as u8;
                }
                apart += 1;
            }
            to += 1;
        }
        set += 1;
    }
    table
}

/// The unit of a set nearest to a number, of two the lower.
#[inline(always)]
pub(super) fn nearest(set: u8, to: usize) -> Option<usize> {
    let found = usize::from(NEAREST[usize::from(set)][to]);
    (found < MOST).then_some(found)
}

/// Who stands, where, and who is in contact with whom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lines {
    pub position: [[i32; MOST]; 2],
    pub standing: [u8; 2],
    /// By side and unit: the enemies in contact with it.
    contacts: [[u8; MOST]; 2],
    /// Who is in contact with anybody.
    pub engaged: [u8; 2],
}

impl Lines {
    /// All stand in two lines, so far apart.
    pub(super) fn new(units: [usize; 2], distance: i32) -> Self {
        Lines {
            position: [[0; MOST], [distance; MOST]],
            standing: units.map(|units| ((1u16 << units) - 1) as u8),
            contacts: [[0; MOST]; 2],
            engaged: [0; 2],
        }
    }

    #[cfg(test)]
    fn in_contact(&self, side: usize, unit: usize) -> bool {
        self.engaged[side] & bit(unit) != 0
    }

    /// The standing enemy whose number is nearest.
    #[inline(always)]
    pub(super) fn prey(&self, side: usize, unit: usize) -> Option<usize> {
        nearest(self.standing[1 - side], unit)
    }

    /// The same among those in contact with nobody.
    #[inline(always)]
    pub(super) fn mark(&self, side: usize, unit: usize) -> Option<usize> {
        nearest(self.standing[1 - side] & !self.engaged[1 - side], unit)
    }

    /// The enemy in contact whose number is nearest.
    #[inline(always)]
    pub(super) fn foe(&self, side: usize, unit: usize) -> Option<usize> {
        nearest(self.contacts[side][unit], unit)
    }

    /// How far an enemy is.
    #[inline(always)]
    pub(super) fn distance(&self, side: usize, unit: usize, enemy: usize) -> i32 {
        (self.position[side][unit] - self.position[1 - side][enemy]).abs()
    }

    /// Goes so far towards an enemy, wherever it is.
    #[inline(always)]
    pub(super) fn approach(&mut self, side: usize, unit: usize, enemy: usize, by: i32) {
        let way = (self.position[1 - side][enemy] - self.position[side][unit]).signum();
        self.position[side][unit] += way * by;
    }

    /// Goes into contact, where the enemy is.
    #[inline(always)]
    pub(super) fn meet(&mut self, side: usize, unit: usize, enemy: usize) {
        self.position[side][unit] = self.position[1 - side][enemy];
        self.contacts[side][unit] |= bit(enemy);
        self.contacts[1 - side][enemy] |= bit(unit);
        self.engaged[side] |= bit(unit);
        self.engaged[1 - side] |= bit(enemy);
    }

    /// A unit stands no more, and its contacts end.
    #[inline(always)]
    pub(super) fn falls_out(&mut self, side: usize, unit: usize) {
        self.standing[side] &= !bit(unit);
        for enemy in each(std::mem::take(&mut self.contacts[side][unit])) {
            let theirs = &mut self.contacts[1 - side][enemy];
            *theirs &= !bit(unit);
            if *theirs == 0 {
                self.engaged[1 - side] &= !bit(enemy);
            }
        }
        self.engaged[side] &= !bit(unit);
    }
}

/// The other numbers along the line that count as near, for each number.
pub(super) fn neighbours(near: i64) -> [u8; MOST] {
    std::array::from_fn(|unit| {
        let close = |other: &usize| {
            let apart = other.abs_diff(unit);
            apart > 0 && apart as i64 <= near
        };
        (0..MOST)
            .filter(close)
            .fold(0, |set, other| set | bit(other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATTACKER: usize = 0;
    const DEFENDER: usize = 1;

    #[test]
    fn the_nearest_is_the_lower_of_two() {
        assert_eq!(nearest(0b1000_1001, 4), Some(3));
        assert_eq!(nearest(0b0010_0100, 4), Some(5));
        assert_eq!(nearest(0b0100_0100, 4), Some(2));
        assert_eq!(nearest(0, 4), None);
        assert_eq!(each(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
    }

    #[test]
    fn contacts_end_with_the_one_who_leaves() {
        let mut lines = Lines::new([3, 2], 60);
        lines.meet(ATTACKER, 0, 1);
        lines.meet(ATTACKER, 2, 1);
        assert_eq!(lines.foe(DEFENDER, 1), Some(0));
        assert_eq!(lines.position[ATTACKER][2], 60);
        assert_eq!(lines.mark(ATTACKER, 1), Some(0));
        lines.falls_out(ATTACKER, 0);
        assert_eq!(lines.foe(DEFENDER, 1), Some(2));
        lines.falls_out(DEFENDER, 1);
        assert!(!lines.in_contact(ATTACKER, 2));
        assert_eq!(lines.prey(ATTACKER, 2), Some(0));
    }

    #[test]
    fn near_is_by_number() {
        assert_eq!(neighbours(2)[3], 0b0011_0110);
        assert_eq!(neighbours(0), [0; MOST]);
    }
}
