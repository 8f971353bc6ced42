//! Common fights in the words of these rules.
//!
//! A common volley is the printed fire followed at once by the morale test it causes: two
//! procedures of this ruleset, one after the other, on the same target.

use super::charts::Charts;
use super::fire::aimed;
use super::morale::{Morale, Occasion};
use super::side::Side;
use super::tables::Effect;
use super::unit::{Condition, Regiment};
use super::volley::Volley as Fire;
use crate::common::{FightKind, FightTranslation, Translated, Translation};
use crate::{CommonTranslator, Labels, Procedure, RuleError, Settings, TableFile};
use grapeshot_engine::dice::Dice;
use grapeshot_engine::dist::Variable;
use grapeshot_engine::engine::{Next, Row, Steps, row};
use std::sync::Arc;

pub(super) fn load(file: &TableFile) -> Result<CommonTranslator, RuleError> {
    let charts = Arc::new(Charts::new(file)?);
    let procedures = super::procedures(&charts);
    let fire = super::fire::procedure(&charts);
    let morale = super::morale::procedure(&charts);
    let translation: Translation = Box::new(move |fight| match fight.kind() {
        FightKind::Fire => volley(fight, &charts, [&fire, &morale]),
        FightKind::Charge | FightKind::Melee => close_combat(fight),
        FightKind::Firefight => firefight(fight),
    });
    Ok(CommonTranslator {
        procedures,
        translation,
    })
}

fn close_combat(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    let mut stands = [0, 0];
    for (at, side) in fight.kind().sides().into_iter().enumerate() {
        fight.say(&format!("{side}.grade"), &format!("{side}.grade"), "grade")?;
        stands[at] = fight.say_size(side, &format!("{side}.stands"))?;
        fight.say_leader(side, &format!("{side}.commander"))?;
    }
    fight.say("defender.cover", "defender.cover", "cover_in_melee")?;
    if let Some(flank) = fight.flanked("defender", "melee")? {
        fight.put("attacker.flank", flank);
    }
    if fight.kind() == FightKind::Charge {
        fight.say("defender.weapon", "defender.weapon", "weapon")?;
        fight.put("distance", fight.words().positive("charge.distance")?);
    }
    let losses = vec![
        ("attacker_stands_lost", stands[0]),
        ("defender_stands_lost", stands[1]),
    ];
    Ok(Translated::native(
        &fight.native_procedure()?,
        fight.kind(),
        losses,
    ))
}

fn firefight(fight: &mut FightTranslation<'_>) -> Result<Translated, RuleError> {
    let mut stands = [0, 0];
    for (at, side) in fight.kind().sides().into_iter().enumerate() {
        let key = |name: &str| format!("{side}.{name}");
        fight.say(&key("grade"), &key("grade"), "grade")?;
        stands[at] = fight.say_size(side, &key("stands"))?;
        fight.say(&key("weapon"), &key("weapon"), "weapon")?;
        fight.say(&key("cover"), &key("cover"), "cover_under_fire")?;
        fight.say_leader(side, &key("commander"))?;
    }
    let range = fight.range()?;
    fight.put("range", range);
    let turns = fight.get("turns");
    fight.put("turns", turns);
    let losses = vec![("a_stands_lost", stands[0]), ("b_stands_lost", stands[1])];
    Ok(Translated::native(
        &fight.native_procedure()?,
        fight.kind(),
        losses,
    ))
}

/// What a target has come to.
#[derive(Debug, Clone, Copy)]
enum End {
    NoEffect,
    Tested(Morale),
    Destroyed,
}

impl End {
    fn position(self) -> u16 {
        match self {
            End::NoEffect => 0,
            End::Tested(result) => 1 + result.position() as u16,
            End::Destroyed => 1 + Morale::ALL.len() as u16,
        }
    }

    fn labels() -> impl Iterator<Item = &'static str> {
        ["no-effect"]
            .into_iter()
            .chain(Morale::LABELS.iter().copied())
            .chain(["destroyed"])
    }
}

fn volley(
    fight: &mut FightTranslation<'_>,
    charts: &Arc<Charts>,
    [fire, morale]: [&Procedure; 2],
) -> Result<Translated, RuleError> {
    fight.say_size("firer", "firer.stands")?;
    fight.say("firer.weapon", "firer.weapon", "weapon")?;
    fight.leader("firer")?;
    let range = fight.range()?;
    fight.put("range", range);
    let stands = fight.say_size("target", "target.stands")?;
    fight.say("target.cover", "target.cover", "cover_under_fire")?;
    let flanked = fight.flanked("target", "fire")?;
    if let Some(exposed) = &flanked {
        fight.put("target.exposed", exposed);
    }
    let shot = fire.resolve(fight.said())?;
    // Nothing of the firer's is tested; what follows is said to the morale test.
    let mut test = vec![(
        "unit.cover",
        (shot.text("target.cover") != "open").to_string(),
    )];
    test.extend(flanked.map(|flank| ("unit.flank_fire", flank)));
    if let Some(grade) = fight.value_word("target.grade", "grade")? {
        test.push(("unit.grade", grade));
    }
    if let Some(rating) = fight.leader("target")? {
        test.push(("unit.commander", rating));
    }
    let test = morale.resolve(test)?;
    for (key, value) in test.given() {
        fight.put(key, value);
    }
    let volley = Volley::new(charts, &shot, &test)?;
    let hits = u16::from(volley.target.hits_per_stand) * stands;
    let variables = vec![
        Variable::category("result", "what the test comes to", End::labels()),
        Variable::count("hits", "hits by the fire and the test"),
    ];
    Ok(Translated::own(
        Box::new(volley),
        variables,
        FightKind::Fire,
        vec![("hits", hits)],
    ))
}

/// Fire, and the morale test it causes.
#[derive(Debug)]
struct Volley {
    charts: Arc<Charts>,
    fire: Fire,
    firer: Condition,
    target: Regiment,
}

/// Where a volley has got to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum State {
    Fire,
    Test { target: Condition, hits: u8 },
}

impl Volley {
    fn new(charts: &Arc<Charts>, shot: &Settings, test: &Settings) -> Result<Self, RuleError> {
        let (fire, firer, target) = aimed(charts, shot)?;
        // The target's own strength, and of the unit that tests what the fire does not ask for.
        let unit = Side::new(test, "unit");
        let tested = Regiment::read(&charts.tables, &unit)?.covered(unit.flag("cover"));
        let start = Condition {
            stands: target.stands,
            hits: target.start.hits,
            ..tested.start
        };
        Ok(Volley {
            charts: Arc::clone(charts),
            fire,
            firer,
            target: Regiment {
                rating: tested.rating,
                covered: tested.covered,
                start,
                ..target
            },
        })
    }

    fn report(&self, end: End, hits: u8) -> Row {
        row(&[end.position(), u16::from(hits)])
    }
}

impl Steps for Volley {
    type State = State;

    fn phases(&self) -> Vec<&str> {
        vec!["fire", "morale test"]
    }

    fn start(&self) -> State {
        State::Fire
    }

    fn phase(&self, state: &State) -> usize {
        usize::from(*state != State::Fire)
    }

    fn step<D: Dice>(&self, state: State, dice: &mut D) -> Next<State> {
        match state {
            State::Fire => {
                let [shot, _] = self.fire.shots(&self.charts, &self.firer, dice);
                let (mut target, hits) = (self.target.start, shot.effect.hits());
                self.target.panics(&mut target, shot.effect.panic());
                self.target.is_hit(&mut target, hits);
                if shot.effect == Effect::None {
                    Next::Done(self.report(End::NoEffect, hits))
                } else if target.stands == 0 {
                    Next::Done(self.report(End::Destroyed, hits))
                } else {
                    Next::Go(State::Test { target, hits })
                }
            }
            State::Test { mut target, hits } => {
                let morale = &self.charts.morale;
                let result = morale.test(&self.target, &mut target, Occasion::Steadiness, dice);
                let hits = hits + u8::from(result == Morale::Hit);
                Next::Done(self.report(End::Tested(result), hits))
            }
        }
    }
}
