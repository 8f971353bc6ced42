//! March: a stack moves through rough hexes and may leave stragglers before each. Composed from straggle.

use super::charts::Charts;
use super::stack::carried;
use super::straggle::{self, StraggleCheck};
use super::tables::Tables;
use super::terrain::Rough;
use super::unit::{Arm, MOST_UNITS};
use crate::{Judged, Labels, Procedure, RuleError, Setting, Settings};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Clock, Next, Row, Steps, row};
use std::sync::Arc;

grapeshot_engine::labels! {
    /// How a march ends.
    pub enum Arrival {
        Arrived = "arrived" => Success, Short = "short" => Undecided, Destroyed = "destroyed" => Failure,
    }
}

grapeshot_engine::labels! {
    /// The ground on which it begins.
    pub enum Start { Rough = "rough", Clear = "clear" }
}

grapeshot_engine::labels! {
    /// What a stack does about stragglers.
    pub enum Stragglers { Hit = "hit", Stay = "stay" }
}

/// The march.
#[derive(Debug)]
struct March {
    check: StraggleCheck,
    artillery: bool,
    starts_clear: bool,
    stays: bool,
    /// Entering a hex ends the segment.
    stops: bool,
    /// Rough hexes to enter.
    hexes: u8,
    /// Hexes a segment is good for without the bonus, and with what bonus there is.
    plain_reach: u8,
    reach: u8,
    /// O hits that destroy the stack.
    hits: u8,
    segments: u16,
}

/// How far it has come, and at what cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Progress {
    entered: u8,
    /// Of these, in the present segment.
    in_segment: u8,
    taken: u8,
}

impl March {
    fn new(tables: &Tables, s: &Settings) -> Result<Self, RuleError> {
        let (arm, ground) = (s.choice::<Arm>("type"), s.choice::<Rough>("ground"));
        if arm == Arm::Artillery && ground == Rough::Marsh {
            return Err(s.refuse("ground", "artillery may not enter a marsh"));
        }
        let bonus = s.flag("bonus");
        if bonus && !s.flag("thoroughfare") {
            let reason = "the bonus is for a whole move along a thoroughfare, which must be true";
            return Err(s.refuse("bonus", reason));
        }
        if bonus && s.flag("ezoc") {
            let reason =
                "a stack with the bonus may not enter an enemy zone of control, and ezoc is set";
            return Err(s.refuse("bonus", reason));
        }
        let lost = carried(tables, s, "o_hits", "reduced")?;
        let [full, reduced] = tables.hits;
        let movement = &tables.movement;
        let reach = |points: i64| (points / movement.hex) as u8;
        let more = if bonus { movement.bonus } else { 0 };
        Ok(March {
            check: StraggleCheck::new(tables, s),
            artillery: arm == Arm::Artillery,
            starts_clear: s.choice::<Start>("start") == Start::Clear,
            stays: s.choice::<Stragglers>("choice") == Stragglers::Stay,
            stops: tables.terrain.stops(ground, arm),
            hexes: s.whole("hexes") as u8,
            plain_reach: reach(movement.points),
            reach: reach(movement.points + more),
            hits: s.whole("units") as u8 * (full + reduced - lost),
            segments: s.whole("segments") as u16,
        })
    }

    /// Whether the stack is spared the check before the next hex: artillery, a stack out of clear ground,
    /// and any stack in a hex that only the bonus reaches.
    fn is_spared(&self, progress: Progress) -> bool {
        let out_of_clear = self.starts_clear && progress.entered == 0;
        let by_bonus = progress.in_segment >= self.plain_reach;
        self.artillery || out_of_clear || by_bonus
    }

    /// A row; the engine fills in the segment.
    fn row(progress: Progress, arrival: Arrival) -> Row {
        row(&[
            arrival.position() as u16,
            u16::from(progress.entered),
            0,
            u16::from(progress.taken),
        ])
    }

    fn next_segment(mut progress: Progress) -> Next<Progress> {
        progress.in_segment = 0;
        Next::NextTurn(progress)
    }
}

impl Steps for March {
    type State = Progress;

    fn phases(&self) -> Vec<&str> {
        vec!["march"]
    }

    fn start(&self) -> Progress {
        Progress {
            entered: 0,
            in_segment: 0,
            taken: 0,
        }
    }

    fn phase(&self, _: &Progress) -> usize {
        0
    }

    /// One hex, with the check before it.
    fn step<D: Dice>(&self, mut progress: Progress, dice: &mut D) -> Next<Progress> {
        if !self.is_spared(progress) && self.check.roll(dice) {
            if self.stays {
                return Self::next_segment(progress);
            }
            progress.taken += 1;
            if progress.taken == self.hits {
                return Next::Done(Self::row(progress, Arrival::Destroyed));
            }
        }
        progress.entered += 1;
        progress.in_segment += 1;
        if progress.entered == self.hexes {
            Next::Done(Self::row(progress, Arrival::Arrived))
        } else if self.stops || progress.in_segment >= self.reach {
            Self::next_segment(progress)
        } else {
            Next::Go(progress)
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.segments, 2))
    }

    fn time_up(&self, progress: &Progress) -> Row {
        Self::row(*progress, Arrival::Short)
    }
}

fn settings() -> Vec<Setting> {
    let (table, chart) = ("Straggle Table", "Terrain Effects Chart");
    let hits = "Combat Result Summary, note";
    let mut keys = straggle::settings();
    keys.extend([
        Setting::choice("type", Arm::Infantry, "what the stack is; artillery does not straggle")
            .from("Terrain Effects Chart, note (c)"),
        Setting::whole("units", 1..=MOST_UNITS, 1, "units in the stack").from(table),
        Setting::whole("o_hits", 0..=2, 0, "O hits on the present side of every unit").from(hits),
        Setting::flag("reduced", "every unit is on its reduced side").from(hits),
        Setting::choice("ground", Rough::Woods, "the rough ground it moves through").from(chart),
        Setting::choice("start", Start::Rough, "the hex it starts from; out of a clear one nobody straggles")
            .from("Terrain Effects Chart, note (c)"),
        Setting::whole("hexes", 1..=20, 3, "rough hexes to enter").from("composed"),
        Setting::whole("segments", 1..=20, 4, "action segments at most").from("composed"),
        Setting::choice(
            "choice",
            Stragglers::Hit,
            "what it does about stragglers, all the way: takes an O hit and goes on, or stays for this segment",
        )
        .from("Terrain Effects Chart, note (c)"),
        Setting::flag("bonus", "it uses the thoroughfare bonus: a hex more each segment, without a check")
            .from("Terrain Effects Chart, note (e)"),
    ]);
    keys
}

pub(super) fn procedure(charts: &Arc<Charts>) -> Procedure {
    let charts = Arc::clone(charts);
    Procedure {
        name: "march".into(),
        about: "A stack moves through rough hexes, segment by segment, with a straggle check before each."
            .into(),
        source: "Composed from straggle and the Terrain Effects Chart".into(),
        composed: true,
        settings: settings(),
        variables: vec![
            Arrival::variable("result", "how the march ends"),
            Variable::count("hexes", "rough hexes entered"),
            Variable::count("segments", "the segment it ended in, or the last"),
            Variable::count("o_hits", "O hits the stack takes"),
        ],
        notes: vec![
            "Artillery does not straggle, so that what its checks would depend on makes no difference to it.".into(),
        ],
        build: Box::new(move |s| Ok(Box::new(March::new(&charts.tables, s)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{p, refusal, settings, tables, varied};
    use super::*;
    use crate::testing::replay;

    /// Result, hexes, segments and hits with these dice. Morale 5 straggles at 5 or more.
    fn march(given: &str, dice: &[i32]) -> (&'static str, [u16; 3]) {
        let march = March::new(&tables(), &settings("march", given)).expect("it can be marched");
        let row = replay(&march, dice);
        (
            Arrival::LABELS[usize::from(row[0])],
            [row[1], row[2], row[3]],
        )
    }

    #[test]
    fn three_hexes_a_segment_each_after_a_check() {
        assert_eq!(march("", &[4, 5, 9]), ("arrived", [3, 1, 2]));
        assert_eq!(march("hexes=4", &[0, 0, 0, 5]), ("arrived", [4, 2, 1]));
        assert_eq!(
            march("hexes=7 segments=2", &[0, 0, 0, 0, 0, 0]),
            ("short", [6, 2, 0])
        );
    }

    #[test]
    fn out_of_a_clear_hex_the_first_check_is_spared() {
        assert_eq!(march("start=clear", &[5, 4]), ("arrived", [3, 1, 1]));
        assert_eq!(march("start=clear hexes=1", &[]), ("arrived", [1, 1, 0]));
        // Only the very first: after a halt the next hex is checked for again.
        assert_eq!(
            march("start=clear choice=stay hexes=2 segments=2", &[9, 0]),
            ("arrived", [2, 2, 0])
        );
    }

    #[test]
    fn who_stays_takes_no_hit_and_loses_the_segment() {
        assert_eq!(
            march("choice=stay segments=2", &[0, 5, 0, 0]),
            ("arrived", [3, 2, 0])
        );
        assert_eq!(
            march("choice=stay segments=2", &[9, 9]),
            ("short", [0, 2, 0])
        );
    }

    #[test]
    fn the_last_hit_destroys_before_the_hex_is_entered() {
        assert_eq!(
            march("reduced=true o_hits=1", &[0, 5, 5]),
            ("destroyed", [2, 1, 2])
        );
        assert_eq!(
            march("reduced=true o_hits=2 units=2", &[5, 0, 5]),
            ("destroyed", [2, 1, 2])
        );
        assert_eq!(march("o_hits=2 hexes=4", &[5; 4]), ("destroyed", [3, 2, 4]));
    }

    #[test]
    fn marsh_stops_everybody_and_woods_stop_artillery() {
        assert_eq!(
            march("ground=marsh segments=2", &[0, 5]),
            ("short", [2, 2, 1])
        );
        assert_eq!(
            march("type=artillery segments=3", &[]),
            ("arrived", [3, 3, 0])
        );
        assert_eq!(march("type=cavalry", &[0, 0, 0]), ("arrived", [3, 1, 0]));
    }

    #[test]
    fn the_bonus_is_a_fourth_hex_without_a_check() {
        // On a thoroughfare morale 5 straggles at 6 or more.
        let road = "thoroughfare=true bonus=true hexes=5";
        assert_eq!(march(road, &[5, 6, 0, 0]), ("arrived", [5, 2, 1]));
        // A halt starts the count again.
        assert_eq!(
            march(&format!("{road} choice=stay"), &[0, 6, 0, 0, 0]),
            ("arrived", [5, 2, 0])
        );
        // In marsh the segment ends with its first hex, so that the bonus is never reached.
        assert_eq!(
            march(&format!("{road} ground=marsh"), &[0, 0, 0, 0]),
            ("short", [4, 4, 0])
        );
    }

    #[test]
    fn a_march_that_cannot_be_is_refused_with_the_reason() {
        for (given, why) in [
            ("type=artillery ground=marsh", "artillery may not enter"),
            ("bonus=true", "thoroughfare"),
            ("bonus=true thoroughfare=true ezoc=true", "ezoc is set"),
        ] {
            let refused = refusal("march", given);
            assert!(refused.contains(why), "{refused}");
        }
    }

    #[test]
    fn one_hex_is_one_straggle_check() {
        for given in ["morale=2", "leader=true morale=7", "ezoc=true"] {
            let straggles = p("straggle", given, "straggles", "yes");
            let hit = p("march", &format!("{given} hexes=1"), "o_hits", "1");
            assert!((straggles - hit).abs() < 1e-12, "{given}");
        }
    }

    #[test]
    fn what_a_hex_costs_can_be_varied() {
        let tables = varied("[assumptions.rough_hex_cost]\nvalue = 3").expect("a variant");
        let march = March::new(&tables, &settings("march", "segments=2")).expect("a march");
        assert_eq!(replay(&march, &[0, 0])[..3], [1, 2, 2]);
        let error = varied("[assumptions.rough_hex_cost]\nvalue = 4").expect_err("too dear");
        assert!(error.to_string().contains("rough_hex_cost"), "{error}");
    }
}
