//! A procedure with choices that has been played: the dice's share and the players'.

use super::ask::{Did, LuckQuestion};
use super::order::Observed;
use super::{Luck, Scores};
use grapeshot_engine::dist::{Distribution, Name};
use grapeshot_engine::engine::{Chooser, Game, Hindsight, Met, solve};
use grapeshot_rules::{Decide, OddsError, RuleError, Shown};

/// Whose doing the result was. The parts add up: luck and both sides' errors are the result less what was
/// expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// What is wanted.
    pub goal: Name,
    /// The sides, the one whose value it is first.
    pub sides: [Name; 2],
    /// What was expected under best play.
    pub expected: f64,
    /// What came of it.
    pub result: f64,
    /// What the dice did.
    pub luck: f64,
    /// What the side's own decisions cost.
    pub own: Share,
    /// What the enemy's decisions gave away.
    pub enemy: Share,
}

/// What the decisions of one side came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The difference they made to the value: never above 0 for the side that asks, never below for the other.
    pub error: f64,
    /// How many decisions are listed; none if they were taken for best play.
    pub listed: Option<usize>,
}

pub(super) fn luck(question: &LuckQuestion) -> Result<Luck, OddsError> {
    let decision = question.decision()?;
    let settings = question.settings(&decision.procedure)?;
    let steps = (decision.build)(&settings)?;
    let (game, shown) = crate::decide::compile(steps.as_ref(), question.budget())?;
    let best = game.best(|row| steps.value(row));
    let odds = Distribution::solved(
        decision.procedure.variables.clone(),
        &steps.phases(),
        solve(&game.collapse(&best)),
    );
    // What can happen at all: best play need not come there.
    let observed = observed(question, &odds, &game)?;
    let moves = Moves::read(steps.as_ref(), &game, &shown, &question.did)?;
    let seen = game.hindsight(
        &best,
        |row| steps.value(row),
        [
            Some(moves.own.len()),
            (!moves.enemy.is_empty()).then_some(moves.enemy.len()),
        ],
        |chooser, met| moves.position(&game, chooser, met),
        |row| observed.iter().all(|o| row[o.at] == o.value),
    );
    let seen = seen.ok_or_else(|| {
        RuleError::Other("what was done and what was got cannot have happened together".into())
    })?;
    let played = Played {
        goal: crate::decide::Goal::asked(&settings).0.into(),
        sides: steps.sides(),
        expected: seen.expected,
        result: seen.result,
        luck: seen.luck(),
        own: Share {
            error: seen.own_error,
            listed: Some(moves.own.len()),
        },
        enemy: Share {
            error: seen.enemy_error,
            listed: (!moves.enemy.is_empty()).then_some(moves.enemy.len()),
        },
    };
    Ok(placed(
        question,
        steps.as_ref(),
        &odds,
        observed,
        seen,
        played,
    ))
}

/// The result among all that best play could have come to.
fn placed(
    question: &LuckQuestion,
    steps: &dyn Decide,
    odds: &Distribution,
    observed: Vec<Observed>,
    seen: Hindsight,
    played: Played,
) -> Luck {
    let all = |row: &grapeshot_engine::engine::Row| steps.value(row) - seen.expected;
    let scores: Vec<(f64, f64)> = (odds.joint().iter())
        .map(|(row, p)| (all(row), *p))
        .collect();
    let chance = |keep: &dyn Fn(f64) -> bool| -> f64 {
        let kept = scores.iter().filter(|(score, _)| keep(*score));
        kept.fold(0.0, |sum, (_, p)| sum + p)
    };
    // Placed by what came out, which needs no opinion on who did it; counted by what the dice did.
    let came_out = played.result - played.expected;
    let worse = chance(&|score| score < came_out - 1e-12);
    let alike = chance(&|score| (score - came_out).abs() <= 1e-12);
    let percentiles = percentiles(&scores);
    Luck {
        question: question.text(),
        observed,
        exactly: seen.chance,
        alike,
        worse,
        swing: None,
        scores: Scores::new(played.luck, scores)
            .with_percentiles(worse + alike / 2.0 - 0.5, percentiles),
        played: Some(played),
        simulated: false,
    }
}

fn percentiles(scores: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut below = 0.0;
    let ranked = Scores::new(0.0, scores.iter().copied()).all;
    let place = |(_, p): (f64, f64)| {
        below += p;
        (below - p / 2.0 - 0.5, p)
    };
    ranked.into_iter().map(place).collect()
}

/// What was got, checked against everything that can be reached and not only by best play.
fn observed(
    question: &LuckQuestion,
    odds: &Distribution,
    game: &Game,
) -> Result<Vec<Observed>, RuleError> {
    let rows = game.possible_rows();
    let p = 1.0 / rows.len() as f64;
    let ends = rows.into_iter().map(|end| (end, p)).collect();
    let possible = Distribution::solved(odds.variables().to_vec(), &[], ends);
    question.observed(&possible)
}

/// The decisions of both sides, in order.
struct Moves<'a> {
    own: Vec<Move<'a>>,
    enemy: Vec<Move<'a>>,
    shown: &'a [Shown],
}

struct Move<'a> {
    action: u16,
    state: &'a [(String, String)],
}

impl<'a> Moves<'a> {
    fn read(
        steps: &dyn Decide,
        game: &Game,
        shown: &'a [Shown],
        did: &'a [Did],
    ) -> Result<Self, RuleError> {
        let names = steps.actions();
        let sides = steps.sides();
        let mut moves = Moves {
            own: Vec::new(),
            enemy: Vec::new(),
            shown,
        };
        let chosen: Vec<u16> = game
            .choices()
            .iter()
            .flat_map(|c| c.actions.clone())
            .collect();
        let fields: Vec<&str> = shown.iter().flatten().map(|(name, _)| &**name).collect();
        for did in did {
            let action = names.iter().position(|name| **name == *did.action);
            let action = action.filter(|&at| chosen.contains(&(at as u16)));
            let action = action.ok_or_else(|| {
                let known = (0..names.len()).filter(|&at| chosen.contains(&(at as u16)));
                RuleError::unknown("action", &did.action, known.map(|at| &names[at]))
            })? as u16;
            for (field, _) in &did.state {
                if field != "turn" && !fields.contains(&field.as_str()) {
                    let mut known = fields.clone();
                    known.sort_unstable();
                    known.dedup();
                    return Err(RuleError::unknown("field of a state", field, known));
                }
            }
            let one = Move {
                action,
                state: &did.state,
            };
            match did.side.as_deref() {
                None => moves.own.push(one),
                Some(side) if *side == *sides[0] => moves.own.push(one),
                Some(side) if *side == *sides[1] => moves.enemy.push(one),
                Some(other) => return Err(RuleError::unknown("side", other, sides)),
            }
        }
        Ok(moves)
    }

    /// Where the action that was taken stands among those offered, if it can have been taken here.
    fn position(&self, game: &Game, chooser: Chooser, met: Met) -> Option<usize> {
        let moves = match chooser {
            Chooser::Asking => &self.own,
            Chooser::Enemy => &self.enemy,
        };
        let one = &moves[met.taken];
        let state = &self.shown[met.choice];
        let agrees = |(field, value): &(String, String)| {
            if field == "turn" {
                return value.parse() == Ok(met.turn);
            }
            let shown = state.iter().find(|(name, _)| **name == **field);
            shown.is_some_and(|(_, shown)| shown.to_string() == *value)
        };
        let offered = &game.choices()[met.choice].actions;
        let position = offered.iter().position(|&action| action == one.action)?;
        one.state.iter().all(agrees).then_some(position)
    }
}
