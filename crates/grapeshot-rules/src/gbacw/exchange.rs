//! Two units that fire at each other, for whatever is composed of it: each side's column by the
//! strength points that are left, and one volley of either.

use super::fire::FireChart;
use super::tables::Ammunition;
use super::unit::{Condition, Hex, Unit};
use crate::{Of, Settings};
use grapeshot_engine::dice::Dice;
use std::sync::Arc;

/// The sides of an exchange of fire; the first fires first in every turn.
pub(super) const SIDES: [&str; 2] = ["a", "b"];

/// Two units within range of each other.
#[derive(Debug)]
pub(super) struct Exchange {
    chart: Arc<FireChart>,
    sides: [Side; 2],
}

/// One side: what it starts with, and its column by strength points left on either side.
#[derive(Debug)]
struct Side {
    start: Unit,
    /// Columns for `[pinned][own points][points of the target]`.
    columns: [Vec<Vec<u8>>; 2],
}

impl Side {
    fn new(chart: &FireChart, s: &Settings, side: &str, enemy: &str) -> Self {
        let key = |name| Of(side, name);
        let start = Unit::read(s, side, "sp");
        let target = Unit::read(s, enemy, "sp");
        let hex = Hex::read(&chart.tables, s, enemy);
        let each = s.real(key("fire_per_sp"));
        let ammunition = s.choice_or(key("ammunition"), Ammunition::SmallArms);
        let shift = s.whole_or(key("shift"), 0) + chart.tables.house_fire(s, enemy);
        let columns = [1, chart.tables.pinned_fire_divisor].map(|divisor| {
            let column = |own: u8, target: u8| {
                let strength = fire_strength(own, each) / divisor;
                chart.column(ammunition, strength, hex.density(target), shift) as u8
            };
            (0..=start.sp)
                .map(|own| (0..=target.sp).map(|target| column(own, target)).collect())
                .collect()
        });
        Side { start, columns }
    }
}

/// Strength points times the fire strength of one, rounded down. A product that is whole on paper
/// may fall just short of it in binary; the allowance is far below any step a player could mean.
fn fire_strength(sp: u8, each: f64) -> i64 {
    (f64::from(sp) * each + 1e-9).floor() as i64
}

impl Exchange {
    pub(super) fn new(chart: &Arc<FireChart>, s: &Settings) -> Self {
        let [a, b] = SIDES;
        Exchange {
            sides: [Side::new(chart, s, a, b), Side::new(chart, s, b, a)],
            chart: Arc::clone(chart),
        }
    }

    /// Both units before anybody has fired.
    pub(super) fn start(&self) -> [Unit; 2] {
        [self.sides[0].start, self.sides[1].start]
    }

    /// The column in which a side fires, as the units are now.
    pub(super) fn column(&self, units: &[Unit; 2], firer: usize, pinned: bool) -> usize {
        let columns = &self.sides[firer].columns[usize::from(pinned)];
        usize::from(columns[usize::from(units[firer].sp)][usize::from(units[1 - firer].sp)])
    }

    /// One side's fire at the other: what that has come to, and whether ammunition is checked.
    pub(super) fn fire<D: Dice>(
        &self,
        units: &mut [Unit; 2],
        firer: usize,
        pinned: bool,
        dice: &mut D,
    ) -> (Condition, bool) {
        let column = self.column(units, firer, pinned);
        self.chart.fire_at(column, &mut units[1 - firer], dice)
    }

    /// The strength points each side has lost.
    pub(super) fn lost(&self, units: &[Unit; 2]) -> [u16; 2] {
        [0, 1].map(|side| u16::from(self.sides[side].start.sp - units[side].sp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gbacw::Charts;
    use crate::testing::settings;

    /// The columns of a's fire by strength points of a and b, pinned or not.
    fn column(given: &str, firer: usize, points: [u8; 2], pinned: bool) -> usize {
        let exchange = Exchange::new(
            &Charts::printed().fire,
            &settings("gbacw", "firefight", given),
        );
        let mut units = exchange.start();
        for (unit, sp) in units.iter_mut().zip(points) {
            unit.sp = sp;
        }
        exchange.column(&units, firer, pinned)
    }

    #[test]
    fn strengths_are_rounded_down_after_multiplying() {
        assert_eq!(fire_strength(5, 1.5), 7);
        assert_eq!(fire_strength(1, 0.5), 0);
        assert_eq!(fire_strength(20, 1.15), 23);
        assert_eq!(fire_strength(29, 1.1), 31);
    }

    #[test]
    fn a_pin_halves_the_strength_before_its_column_is_found() {
        let given = "a.sp=3 a.fire_per_sp=0.5";
        let [free, pinned] = [false, true].map(|pinned| column(given, 0, [3, 4], pinned));
        assert_eq!([free, pinned], [1, 0]);
    }

    #[test]
    fn density_follows_the_points_that_are_left() {
        let at = |sp: u8| column("a.sp=10 b.sp=12", 0, [10, sp], false);
        assert_eq!([12, 10, 9, 6, 2].map(at), [7, 7, 6, 5, 4]);
        // A battery is one point however many guns are left; what stands beside it comes on top.
        let at =
            |given: &str, sp: u8| column(&format!("a.sp=10 b.sp=12 {given}"), 0, [10, sp], false);
        assert_eq!([12, 2].map(|sp| at("b.battery=true", sp)), [4, 4]);
        assert_eq!([12, 2].map(|sp| at("b.others=5", sp)), [7, 6]);
        assert_eq!(at("b.battery=true b.others=2", 12), 5);
        assert_eq!(at("b.battery=true b.wagons=2", 12), 6);
        assert_eq!(at("b.wagons=1 b.others=4", 2), 7);
    }

    #[test]
    fn ammunition_and_shift_are_of_the_sides_own_fire() {
        let given = "a.ammunition=grapeshot b.shift=2";
        assert_eq!(column(given, 0, [4, 4], false), 1);
        assert_eq!(column(given, 1, [4, 4], false), 5);
        // The sum is clamped, not its parts: strength 0, density -1, four columns right.
        let given = "a.sp=1 a.fire_per_sp=0.5 a.shift=4";
        assert_eq!(column(given, 0, [1, 2], false), 3);
    }
}
