//! Fire: a column by strength, density and shift, one die, and the checks it causes.

use super::morale::MoraleChart;
use super::tables::{Ammunition, Effect, Tables};
use super::unit::{Condition, Hex, Unit, setting, settings};
use crate::{Bands, Judged, Labels, Procedure, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Row, Steps, row};
use std::sync::Arc;

/// The odds of each column of the fire table, with the ammunition check.
#[derive(Debug)]
pub(super) struct FireChart {
    pub(super) tables: Arc<Tables>,
    morale: Arc<MoraleChart>,
    columns: Vec<Odds<(Effect, bool)>>,
}

impl FireChart {
    pub(super) fn new(tables: &Arc<Tables>, morale: &Arc<MoraleChart>) -> Self {
        let column = |at: usize| {
            Odds::new(Throw::d6(), |die| {
                (
                    tables.fire_results[die as usize - 1][at],
                    die == tables.ammunition_check,
                )
            })
        };
        FireChart {
            tables: Arc::clone(tables),
            morale: Arc::clone(morale),
            columns: (0..tables.fire_results[0].len()).map(column).collect(),
        }
    }

    /// The column for a strength against so many strength points in the hex, kept within the table.
    pub(super) fn column(
        &self,
        ammunition: Ammunition,
        strength: i64,
        density: i64,
        shift: i64,
    ) -> usize {
        let tables = &self.tables;
        let printed = tables.fire_columns[ammunition.position()].of(strength) as i64;
        let shift = shift + tables.density_shifts[tables.density.of(density)];
        (printed + shift).clamp(0, self.columns.len() as i64 - 1) as usize
    }

    /// Rolls on a column: what it says, and whether ammunition is checked.
    pub(super) fn volley<D: Dice>(&self, column: usize, dice: &mut D) -> (Effect, bool) {
        self.columns[column].roll(dice)
    }

    /// A whole volley at a unit, losses and checks included: what it has come to, and whether
    /// ammunition is checked.
    pub(super) fn fire_at<D: Dice>(
        &self,
        column: usize,
        unit: &mut Unit,
        dice: &mut D,
    ) -> (Condition, bool) {
        let (effect, ammo_check) = self.volley(column, dice);
        let condition = losses(effect, unit).unwrap_or_else(|| self.checks(effect, unit, dice));
        (condition, ammo_check)
    }

    /// Rolls the checks a volley causes in a unit that has taken its losses.
    pub(super) fn checks<D: Dice>(
        &self,
        effect: Effect,
        unit: &mut Unit,
        dice: &mut D,
    ) -> Condition {
        let mut passes = || self.morale.passes(&mut unit.morale, dice);
        let failed = match effect {
            Effect::None => return Condition::Steady,
            Effect::Pin => Condition::Pinned,
            Effect::Rout | Effect::PinOrRout | Effect::Loss { .. } => Condition::Routed,
        };
        if !passes() {
            return failed;
        }
        match effect {
            Effect::PinOrRout => Condition::Pinned,
            Effect::Loss { pins: true, .. } if !passes() => Condition::Pinned,
            _ => Condition::Steady,
        }
    }
}

/// Takes the losses of a volley. Returns what the unit has come to, if there is nothing to check.
pub(super) fn losses(effect: Effect, unit: &mut Unit) -> Option<Condition> {
    if let Effect::Loss { sp, .. } = effect {
        unit.loses(sp);
    }
    match effect {
        _ if unit.is_gone() => Some(Condition::Eliminated),
        Effect::None => Some(Condition::Steady),
        _ => None,
    }
}

/// One volley at one target.
#[derive(Debug)]
struct Fire {
    chart: Arc<FireChart>,
    column: usize,
    target: Unit,
}

/// Where a volley has got to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    Volley,
    Checks {
        effect: Effect,
        target: Unit,
        ammo_check: bool,
    },
}

impl Fire {
    fn report(&self, condition: Condition, target: Unit, ammo_check: bool) -> Row {
        row(&[
            condition.position() as u16,
            u16::from(self.target.sp - target.sp),
            u16::from(ammo_check),
        ])
    }
}

impl Steps for Fire {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["volley", "morale checks"]
    }

    fn start(&self) -> State {
        State::Volley
    }

    fn phase(&self, state: &State) -> usize {
        match state {
            State::Volley => 0,
            State::Checks { .. } => 1,
        }
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match state {
            State::Volley => {
                let (effect, ammo_check) = self.chart.volley(self.column, dice);
                let mut target = self.target;
                match losses(effect, &mut target) {
                    Some(condition) => Next::Done(self.report(condition, target, ammo_check)),
                    None => Next::Go(State::Checks {
                        effect,
                        target,
                        ammo_check,
                    }),
                }
            }
            State::Checks {
                effect,
                mut target,
                ammo_check,
            } => {
                let condition = self.chart.checks(effect, &mut target, dice);
                Next::Done(self.report(condition, target, ammo_check))
            }
        }
    }
}

impl Fire {
    fn new(chart: &Arc<FireChart>, s: &Settings) -> Self {
        let target = Unit::read(s, "target", "sp");
        let density = Hex::read(&chart.tables, s, "target").density(target.sp);
        Fire {
            column: chart.column(
                s.choice("ammunition"),
                s.whole("strength"),
                density,
                s.whole("shift") + chart.tables.house_fire(s, "target"),
            ),
            chart: Arc::clone(chart),
            target,
        }
    }
}

pub(super) fn procedure(chart: &Arc<FireChart>) -> Procedure {
    let chart = Arc::clone(chart);
    let mut keys = vec![
        Setting::whole("strength", 0..=99, 10, "fire strength")
            .from("[9.16] headings")
            .in_bands(chart.tables.fire_columns.iter().flat_map(Bands::ends)),
        setting("", "ammunition"),
    ];
    keys.extend(settings(
        "target",
        &["sp", "morale", "battery", "density", "wagons"],
    ));
    keys.push(Setting::whole("shift", -10..=10, 0, "extra columns, right positive").from("[8.35]"));
    Procedure {
        name: "fire".into(),
        about: "One volley at one target, and the checks it causes.".into(),
        source: "[9.16] Fire Combat Results Table; [8.35] Density Adjustment Chart".into(),
        composed: false,
        settings: keys,
        variables: vec![
            Condition::variable("state", "what the target has come to"),
            Variable::count("sp_lost", "strength points it lost"),
            Variable::yes_no("ammo_check", "whether the firer's ammunition is checked"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Fire::new(&chart, s)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gbacw::Charts;
    use crate::testing::{pairs, replay};

    fn steps(given: &str) -> Fire {
        let chart = Charts::printed().fire;
        let settings = procedure(&chart).resolve(pairs(given)).unwrap();
        Fire::new(&chart, &settings)
    }

    /// Condition, strength points lost, whether ammunition is checked.
    fn fire(given: &str, readings: &[i32]) -> (&'static str, u16, bool) {
        let row = replay(&steps(given), readings);
        (Condition::LABELS[usize::from(row[0])], row[1], row[2] == 1)
    }

    #[test]
    fn strengths_are_read_in_the_columns_of_their_ammunition() {
        let column = |strength: i64, ammunition: &str| {
            steps(&format!("strength={strength} ammunition={ammunition}")).column
        };
        let edges = [
            0, 1, 3, 4, 6, 7, 10, 11, 14, 15, 20, 21, 27, 28, 34, 35, 42, 43, 50, 51, 99,
        ];
        let columns = edges.map(|strength| column(strength, "small-arms"));
        let wanted = [
            0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10,
        ];
        assert_eq!(columns, wanted);
        let edges = [
            0, 3, 4, 8, 9, 11, 12, 15, 16, 21, 22, 28, 29, 35, 36, 43, 44, 52, 53, 62, 63,
        ];
        let columns = edges.map(|strength| column(strength, "grapeshot"));
        let wanted = [
            0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10,
        ];
        assert_eq!(columns, wanted);
    }

    #[test]
    fn density_and_shift_add_and_stay_within_the_table() {
        let column = |given: &str| steps(&format!("strength=12 {given}")).column;
        let by_points = [1, 2, 3, 6, 7, 9, 10, 30].map(|sp| column(&format!("target.sp={sp}")));
        assert_eq!(by_points, [3, 3, 4, 4, 5, 5, 6, 6]);
        assert_eq!(column("target.sp=30 target.battery=true"), 3);
        assert_eq!(column("target.sp=30 shift=-1"), 5);
        // A density that is given stands in the place of the target's own, battery or not.
        assert_eq!(column("target.sp=3 target.density=10"), 6);
        assert_eq!(column("target.sp=30 target.density=1"), 3);
        assert_eq!(
            column("target.sp=1 target.density=7 target.battery=true"),
            5
        );
        // Four more for each wagon, beside a density that is given too.
        assert_eq!(column("target.sp=2 target.wagons=1"), 4);
        assert_eq!(column("target.battery=true target.wagons=2"), 5);
        assert_eq!(column("target.density=2 target.wagons=2"), 6);
        assert_eq!(column("shift=-10"), 0);
        assert_eq!(column("shift=10"), 10);
        // The sum is clamped, not its parts: two right for density, ten left, from the last column.
        assert_eq!(steps("strength=99 target.sp=10 shift=-10").column, 2);
    }

    #[test]
    fn every_kind_of_result_checks_as_printed() {
        // Column 4 (strength 10): -, P, R, P/R, 1, 1*; morale 3.
        assert_eq!(fire("", &[1]), ("steady", 0, true));
        assert_eq!(fire("", &[2, 3]), ("steady", 0, false));
        assert_eq!(fire("", &[2, 4]), ("pinned", 0, false));
        assert_eq!(fire("", &[3, 3]), ("steady", 0, false));
        assert_eq!(fire("", &[3, 4]), ("routed", 0, false));
        assert_eq!(fire("", &[4, 3]), ("pinned", 0, false));
        assert_eq!(fire("", &[4, 4]), ("routed", 0, false));
        assert_eq!(fire("", &[5, 3]), ("steady", 1, false));
        assert_eq!(fire("", &[5, 4]), ("routed", 1, false));
        assert_eq!(fire("", &[6, 4]), ("routed", 1, false));
        assert_eq!(fire("", &[6, 3, 4]), ("pinned", 1, false));
        assert_eq!(fire("", &[6, 3, 3]), ("steady", 1, false));
    }

    #[test]
    fn the_corners_of_the_table_are_as_printed() {
        assert_eq!(fire("strength=0", &[1]), ("steady", 0, true));
        assert_eq!(fire("strength=0", &[6, 1]), ("pinned", 0, false));
        assert_eq!(fire("strength=99", &[1, 1, 6]), ("pinned", 1, true));
        assert_eq!(fire("strength=99", &[6, 6]), ("routed", 3, false));
    }

    #[test]
    fn nobody_loses_more_than_there_is_and_the_eliminated_check_nothing() {
        // Two points are one column left: 3* is then only at the 6.
        let given = "strength=99 target.sp=2";
        assert_eq!(fire(given, &[6]), ("eliminated", 2, false));
        assert_eq!(fire(given, &[5]), ("eliminated", 2, false));
        assert_eq!(
            fire("target.sp=1 strength=14", &[5]),
            ("eliminated", 1, false)
        );
    }

    #[test]
    fn a_green_target_learns_its_morale_once() {
        // 11 is morale 5: the first check and the second roll are both against it.
        let given = "target.morale=green";
        assert_eq!(fire(given, &[6, 11, 5, 5]), ("steady", 1, false));
        assert_eq!(fire(given, &[6, 11, 5, 6]), ("pinned", 1, false));
        assert_eq!(fire(given, &[1]), ("steady", 0, true));
    }
}
