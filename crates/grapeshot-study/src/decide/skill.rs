//! What play is worth: best play beside greedy, random and planned play, what each action adds, what moving first is worth,
//! and how much of what happens dice decide and how much the players.

use super::asking::Asking;
use super::words::Goal;
use grapeshot_engine::dist::{Favour, Name};
use grapeshot_engine::engine::{AtRandom, BestPlay, Budget, Chooser, Game, TIE, Taking, solve};
use grapeshot_engine::plain;
use grapeshot_rules::{Decision, OddsError, Settings, Value, under_plan};
use serde::Serialize;

/// A way to play, against best play of the other side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Way {
    /// What it is called.
    #[serde(serialize_with = "plain::text")]
    pub name: Name,
    /// What it is worth to the side that asks.
    pub value: f64,
    /// How much less than best play.
    pub loses: f64,
}

/// An action, and what its side is without it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Action {
    /// Whose it is.
    #[serde(serialize_with = "plain::text")]
    pub side: Name,
    /// Whether that is the side that asks.
    #[serde(skip)]
    pub own: bool,
    /// What it is called.
    #[serde(serialize_with = "plain::text")]
    pub action: Name,
    /// What the question is worth to the side that asks when it is forbidden.
    pub value: f64,
    /// How much that costs whose action it is.
    pub costs: f64,
    /// States in which it is offered beside another; a state in another turn is another.
    pub offered: usize,
    /// In how many of them none is better.
    pub best: usize,
    /// In how many every other is worse.
    pub alone_best: usize,
}

impl Action {
    /// Whether there is always something better.
    pub fn is_never_best(&self) -> bool {
        self.best == 0
    }

    /// Whether there is never anything as good.
    pub fn is_always_best(&self) -> bool {
        self.alone_best == self.offered
    }
}

/// Who decides, where both sides choose at random.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Deciding {
    /// What the question is then worth to the side that asks.
    pub value: f64,
    /// The share of the variance that dice decide.
    pub dice: f64,
    /// What the side that asks does.
    pub own: f64,
    /// What its enemy does.
    pub enemy: f64,
}

/// The side that asks beside itself in the enemy's place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MovingFirst {
    /// Its success and failure as it asks.
    pub first: [f64; 2],
    /// The same where the enemy asks, and the two have changed places.
    pub second: [f64; 2],
}

impl MovingFirst {
    /// How much more often it succeeds, less how much more often it fails.
    pub fn gains(&self) -> f64 {
        let net = |[success, failure]: [f64; 2]| success - failure;
        net(self.first) - net(self.second)
    }
}

/// What play is worth in a question.
#[derive(Debug, Clone, Serialize)]
pub struct Skill {
    /// The ruleset.
    pub rules: String,
    /// The procedure.
    pub procedure: String,
    /// Variants laid over the tables.
    pub variants: Vec<String>,
    /// What was set.
    pub settings: Settings,
    /// What is wanted.
    #[serde(serialize_with = "plain::text")]
    pub goal: Name,
    /// The sides, the one that asks first.
    pub sides: [String; 2],
    /// The value of best play of both.
    pub value: f64,
    /// Other ways to play it, the best first.
    pub ways: Vec<Way>,
    /// What it is worth where the enemy plays at random and the side that asks as is best against that.
    pub enemy_at_random: Option<f64>,
    /// Every action that is ever one of several.
    pub actions: Vec<Action>,
    /// Who decides; nothing where nothing is undecided.
    pub deciding: Option<Deciding>,
    /// What moving first is worth; nothing where the sides cannot change places.
    pub moving_first: Option<MovingFirst>,
    /// Distinct states that were looked at.
    #[serde(skip)]
    pub states: usize,
}

impl Skill {
    /// How its values are written.
    pub fn goal(&self) -> Goal<'_> {
        Goal(&self.goal)
    }

    /// A way by its name.
    pub fn way(&self, name: &str) -> Option<&Way> {
        self.ways.iter().find(|way| *way.name == *name)
    }
}

/// What one plays who takes what would be best if this turn were the last.
pub const GREEDY: &str = "turn by turn";
/// What one plays who takes each action as often as the others.
pub const RANDOM: &str = "at random";

/// Works out what play is worth.
///
/// # Errors
/// As [`decide`](super::decide).
pub fn skill(
    loaded: &grapeshot_rules::LoadedRuleset,
    decision: &Decision,
    settings: &Settings,
    budget: Budget,
) -> Result<Skill, OddsError> {
    let asking = Asking::compile((decision.build)(settings)?, budget)?;
    let (steps, game) = (asking.steps.as_ref(), &asking.game);
    let worth = |row: &grapeshot_engine::dist::Row| steps.value(row);
    let best = game.best(worth);
    let chooser = |choice: usize| game.choices()[choice].chooser;
    let own = |choice: usize| chooser(choice) == Chooser::Asking;
    let has = |side: Chooser| game.choices().iter().any(|choice| choice.chooser == side);
    let way = |name: &str, value: f64| Way {
        name: name.into(),
        value,
        loses: (best.value - value).max(0.0),
    };
    let mut ways = Vec::new();
    if has(Chooser::Asking) {
        let (turns, _) = game.turns();
        if turns > 1 {
            let greedy = game.best_taking(worth, |_, choice| match own(choice) {
                true => Taking::At(best.taken(turns - 1, choice)),
                false => Taking::Best,
            });
            ways.push(way(GREEDY, greedy.value));
        }
        let random = game.best_taking(worth, |_, choice| match own(choice) {
            true => Taking::Any,
            false => Taking::Best,
        });
        ways.push(way(RANDOM, random.value));
        let plans = steps.plans().into_iter();
        ways.extend(plans.map(|plan| {
            let value = under_plan(game, steps, &plan.rule).value;
            way(&plan.name, value)
        }));
        ways.sort_by(|a, b| b.value.total_cmp(&a.value));
    }
    let enemy_at_random = has(Chooser::Enemy).then(|| {
        let played = game.best_taking(worth, |_, choice| match own(choice) {
            true => Taking::Best,
            false => Taking::Any,
        });
        played.value
    });
    let by_chance = game.at_random(worth);
    Ok(Skill {
        rules: loaded.id().into(),
        procedure: decision.procedure.name.to_string(),
        variants: loaded.variant_names(),
        settings: settings.clone(),
        goal: Goal::asked(settings).0.into(),
        sides: steps.sides().map(|side| side.to_string()),
        value: best.value,
        ways,
        enemy_at_random,
        actions: actions(&asking, &best),
        deciding: deciding(&by_chance),
        moving_first: match asking.is_other {
            true => None,
            false => moving_first(decision, settings, &asking, budget),
        },
        states: game.states(),
    })
}

fn deciding(found: &AtRandom) -> Option<Deciding> {
    let whole = found.variance();
    (whole > 1e-18).then(|| Deciding {
        value: found.value,
        dice: found.dice / whole,
        own: found.asking / whole,
        enemy: found.enemy / whole,
    })
}

/// Where an action is best.
pub(crate) struct Standing {
    side: Chooser,
    number: u16,
    /// Whose it is, and what it is called.
    pub(crate) of: [Name; 2],
    /// States in which it is offered beside another.
    pub(crate) offered: usize,
    best: usize,
    alone_best: usize,
}

impl Standing {
    /// Whether there is always something better.
    pub(crate) fn is_never_best(&self) -> bool {
        self.best == 0
    }

    /// Whether there is never anything as good.
    pub(crate) fn is_always_best(&self) -> bool {
        self.alone_best == self.offered
    }
}

/// Where every action of a decision is best, and nothing else of what play is worth.
///
/// # Errors
/// As [`decide`](super::decide).
pub(crate) fn standings(
    decision: &Decision,
    settings: &Settings,
    budget: Budget,
) -> Result<Vec<Standing>, OddsError> {
    let asking = Asking::compile((decision.build)(settings)?, budget)?;
    let best = asking.game.best(|row| asking.steps.value(row));
    Ok(standing(&asking, &best))
}

/// Every action of either side: what forbidding it costs, and where it is best.
fn actions(asking: &Asking, best: &BestPlay) -> Vec<Action> {
    let (steps, game) = (asking.steps.as_ref(), &asking.game);
    let each = standing(asking, best).into_iter().map(|one| {
        let without = game.best_taking(
            |row| steps.value(row),
            |_, choice| match game.choices()[choice].chooser == one.side {
                true => Taking::Without(one.number),
                false => Taking::Best,
            },
        );
        let own = one.side == Chooser::Asking;
        let sign = if own { 1.0 } else { -1.0 };
        let Standing {
            of: [side, action],
            offered,
            best: times,
            alone_best,
            ..
        } = one;
        Action {
            side,
            own,
            action,
            value: without.value,
            costs: (sign * (best.value - without.value)).max(0.0),
            offered,
            best: times,
            alone_best,
        }
    });
    each.collect()
}

fn standing(asking: &Asking, best: &BestPlay) -> Vec<Standing> {
    let (steps, game) = (asking.steps.as_ref(), &asking.game);
    let (names, sides) = (steps.actions(), steps.sides());
    let (turns, _) = game.turns();
    let mut found: Vec<Standing> = Vec::new();
    for side in [Chooser::Asking, Chooser::Enemy] {
        let of_side = game
            .choices()
            .iter()
            .filter(|choice| choice.chooser == side);
        let mut offered: Vec<u16> = of_side.flat_map(|choice| choice.actions.clone()).collect();
        offered.sort_unstable();
        offered.dedup();
        for action in offered {
            let own = side == Chooser::Asking;
            let sign = if own { 1.0 } else { -1.0 };
            let mut one = Standing {
                side,
                number: action,
                of: [
                    sides[usize::from(!own)].clone(),
                    names[usize::from(action)].clone(),
                ],
                offered: 0,
                best: 0,
                alone_best: 0,
            };
            for turn in 0..turns {
                for (number, choice) in game.choices().iter().enumerate() {
                    let at = choice.actions.iter().position(|&offered| offered == action);
                    let Some(at) = at.filter(|_| choice.chooser == side) else {
                        continue;
                    };
                    let values = best.values(game, turn, number);
                    let others = values.iter().enumerate().filter(|&(other, _)| other != at);
                    let next = others.map(|(_, value)| sign * value);
                    let next = next.fold(f64::NEG_INFINITY, f64::max);
                    one.offered += 1;
                    one.best += usize::from(sign * values[at] >= next - TIE);
                    one.alone_best += usize::from(sign * values[at] > next + TIE);
                }
            }
            found.push(one);
        }
    }
    found
}

/// How often the first side succeeds and fails under best play.
fn judged(decision: &Decision, steps: &Asking) -> Option<[f64; 2]> {
    let headline = decision
        .procedure
        .variables
        .iter()
        .find(|v| !v.favours.is_empty())?;
    let best = steps.game.best(|row| steps.steps.value(row));
    let odds = grapeshot_engine::dist::Distribution::solved(
        decision.procedure.variables.clone(),
        &steps.steps.phases(),
        solve(&Game::collapse(&steps.game, &best)),
    );
    let marginal = odds.marginal(&headline.name)?;
    Some([Favour::Success, Favour::Failure].map(|favour| marginal.favouring(favour)))
}

/// The sides change places: every setting that both have is exchanged. Nothing where they have none in common, somebody wants
/// something else than to drive the other off, or the rules refuse them so.
fn moving_first(
    decision: &Decision,
    settings: &Settings,
    asking: &Asking,
    budget: Budget,
) -> Option<MovingFirst> {
    let [own, enemy] = asking.steps.sides();
    let other = |key: &str| {
        let (side, name) = key.split_once('.')?;
        let other = match side {
            side if *side == *own => &enemy,
            side if *side == *enemy => &own,
            _ => return None,
        };
        Some(format!("{other}.{name}"))
    };
    let (mut given, mut exchanged): (Vec<(String, Value)>, bool) = (Vec::new(), false);
    for (key, value) in settings.iter() {
        let place = other(key).filter(|place| settings.find(place.as_str()).is_some());
        exchanged |= place.is_some();
        given.push((place.unwrap_or_else(|| key.to_owned()), value.clone()));
    }
    if !exchanged || asking.game.turns().0 < 2 {
        return None;
    }
    let first = judged(decision, asking)?;
    let turned = decision.procedure.resolve(given).ok()?;
    let turned = Asking::compile((decision.build)(&turned).ok()?, budget).ok()?;
    let [success, failure] = judged(decision, &turned).filter(|_| !turned.is_other)?;
    Some(MovingFirst {
        first,
        second: [failure, success],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::decide;
    use std::sync::Arc;

    /// A bet: one die, or two chances of which one is left to the enemy.
    const BET: &str = r#"ruleset bet: "A bet"
about "two bets"
unit Player, called a | b:
  men: 1..3 = 1

procedure bet, decided for a:
  side a: men
  report outcome
    success: won
    failure: lost
  worth 1 if favour(outcome) is success else 0
  choose for a:
    safe:
      stage "safe":
        if d6 >= 4: end won
        end lost
    bold:
      stage "bold":
        if d6 >= 3: end won
        end lost
    silly:
      stage "silly":
        if d6 is 6: end won
        end lost

procedure answer, decided for a:
  side a: men
  side b: men
  report outcome
    success: won
    failure: lost
  worth 1 if favour(outcome) is success else 0
  choose for a:
    high:
      choose for b:
        meet: end lost
        miss: end won
    low:
      stage "low":
        if d6 >= 5: end won
        end lost
"#;

    fn found(name: &str) -> Skill {
        let ruleset = grapeshot_rules::drill::of_text("bet", BET).expect("a text");
        let loaded = Arc::new(ruleset).load(&[]).expect("rules");
        let decision = loaded.decision(name).expect("a decision");
        let none: Vec<(String, Value)> = Vec::new();
        let settings = decision.procedure.resolve(none).expect("settings");
        let found = skill(&loaded, &decision, &settings, Budget::default()).expect("solved");
        let decided = decide(&decision, &settings, Budget::default()).expect("solved");
        assert_eq!(found.value, decided.value);
        found
    }

    fn is(x: f64, wanted: f64) {
        assert!((x - wanted).abs() < 1e-12, "{x} {wanted}");
    }

    #[test]
    fn a_bet_that_is_solved_by_hand() {
        let found = found("bet");
        is(found.value, 2.0 / 3.0);
        // (1/2 + 2/3 + 1/6) / 3
        let random = 4.0 / 9.0;
        is(found.way(RANDOM).expect("random play").value, random);
        assert!(found.way(GREEDY).is_none(), "there are no turns");
        let costs: Vec<(&str, f64)> = (found.actions.iter())
            .map(|action| (&*action.action, action.costs))
            .collect();
        assert_eq!(
            (costs[0].0, costs[1].0, costs[2].0),
            ("safe", "bold", "silly")
        );
        is(costs[0].1, 0.0);
        is(costs[1].1, 1.0 / 6.0);
        is(costs[2].1, 0.0);
        assert!(found.actions[1].is_always_best() && found.actions[2].is_never_best());
        // Of the variance of a chance, that of the three means is the player's.
        let whole = random * (1.0 - random);
        let own = [0.5, 2.0 / 3.0, 1.0 / 6.0].map(|p: f64| (p - random).powi(2));
        let deciding = found.deciding.expect("undecided");
        is(deciding.own, own.iter().sum::<f64>() / 3.0 / whole);
        is(deciding.dice + deciding.own + deciding.enemy, 1.0);
        is(deciding.enemy, 0.0);
        assert!(found.enemy_at_random.is_none() && found.moving_first.is_none());
    }

    #[test]
    fn an_enemy_that_answers_is_solved_by_hand() {
        let found = found("answer");
        is(found.value, 1.0 / 3.0);
        is(found.enemy_at_random.expect("it chooses"), 0.5);
        // Random play: half of it meets an enemy who answers best.
        is(found.way(RANDOM).expect("random play").value, 1.0 / 6.0);
        let deciding = found.deciding.expect("undecided");
        let value = (0.5 + 1.0 / 3.0) / 2.0;
        is(deciding.value, value);
        let whole = value * (1.0 - value);
        is(deciding.enemy, 0.5 * 0.25 / whole);
        is(deciding.dice, 0.5 * (2.0 / 9.0) / whole);
        is(deciding.own, (0.5 - value).powi(2) / whole);
        let meet = found
            .actions
            .iter()
            .find(|action| !action.own && *action.action == *"meet");
        // Who may not meet it is always beaten.
        is(meet.expect("an action of the enemy").costs, 1.0 - 1.0 / 3.0);
    }
}
