//! Night and day: the hour at which the battle begins, and the turns that are left until dark.

use super::tables::{Season, Tables};
use crate::{Labels, Procedure, Setting, Settings};
use grapeshot_engine::dice::{Dice, Odds, Throw};
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Steps, row};
use std::sync::Arc;

/// Dice for the hour, thrown again at night.
#[derive(Debug)]
pub(super) struct Day {
    /// The hour; nothing at night.
    hour: Odds<Option<u16>>,
    dusk: u16,
    turns_an_hour: u16,
    points_a_day: u16,
    throws: u16,
}

impl Day {
    pub(super) fn new(tables: &Tables, s: &Settings) -> Self {
        let day = &tables.campaign.daylight;
        let light = |hour: i32| hour > day.too_early && hour < day.too_late;
        let season: Season = s.choice("season");
        Day {
            hour: Odds::new(Throw::d6_sum(3), |hour| light(hour).then_some(hour as u16)),
            dusk: day.dusk[season.position()],
            turns_an_hour: day.turns_an_hour,
            points_a_day: day.points_a_day,
            throws: s.whole("throws") as u16,
        }
    }
}

impl Steps for Day {
    /// Days lost.
    type State = u16;

    fn phases(&self) -> Vec<&str> {
        vec!["hour"]
    }

    fn start(&self) -> u16 {
        0
    }

    fn phase(&self, _: &u16) -> usize {
        0
    }

    fn step<D: Dice>(&self, lost: u16, dice: &mut D) -> Next<u16> {
        let ends = |turns: u16, hour: u16, lost: u16| {
            Next::Done(row(&[turns, hour, lost, lost * self.points_a_day]))
        };
        match self.hour.roll(dice) {
            Some(hour) => ends((self.dusk - hour) * self.turns_an_hour, hour, lost),
            None if lost + 1 == self.throws => ends(0, 0, self.throws),
            None => Next::Go(lost + 1),
        }
    }
}

pub(super) fn procedure(tables: &Arc<Tables>) -> Procedure {
    let tables = Arc::clone(tables);
    Procedure {
        name: "day".into(),
        about:
            "The hour at which a battle begins, the turns until dark, and the days lost waiting."
                .into(),
        source: "Night and day".into(),
        composed: false,
        settings: vec![
            Setting::choice(
                "season",
                Season::Summer,
                "when it is dark; winter is not printed",
            )
            .from("Night and day"),
            Setting::whole(
                "throws",
                1..=10,
                5,
                "throws at most; when all are in vain there is no battle",
            )
            .from("Night and day"),
        ],
        variables: vec![
            Variable::count("turns_left", "turns a player until dark"),
            Variable::count("hour", "the hour after midnight; 0 if there is no battle"),
            Variable::count("days_lost", "days that passed with throwing again"),
            Variable::count("points", "points for those days, to the opponent"),
        ],
        notes: Vec::new(),
        build: Box::new(move |s| Ok(Box::new(Day::new(&tables, s)))),
    }
}
