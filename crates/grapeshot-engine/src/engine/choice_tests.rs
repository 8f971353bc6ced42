//! Choices, proved on small games drawn at random: against every policy there is, against steps played
//! on sampled dice, and against the same game with the choices written as steps.

use super::*;
use crate::dice::{Odds, Throw, branches};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A game drawn from a seed. Its states are on three levels a turn; where they lead, who chooses
/// and what ends are worth is hashed.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    seed: u64,
    /// Turns that are played.
    turns: u16,
    /// How many states a level has.
    width: u64,
    /// Whether the enemy has choices too.
    enemy: bool,
    /// Whether every offer has one action only.
    forced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Place {
    level: u8,
    at: u8,
}

const LEVELS: u8 = 3;

/// A die with three ways.
fn die() -> &'static Odds<u64> {
    static DIE: OnceLock<Odds<u64>> = OnceLock::new();
    DIE.get_or_init(|| Odds::new(Throw::d6(), |face| [0, 0, 0, 1, 1, 2][face as usize - 1]))
}

impl Drawn {
    fn hash(&self, place: Place, what: u64) -> u64 {
        splitmix64(
            self.seed ^ splitmix64(u64::from(place.level) << 16 ^ u64::from(place.at) << 8 ^ what),
        )
    }

    /// Where the `way`-th way out of a place leads.
    fn way(&self, place: Place, way: u64) -> Next<Place> {
        let hash = self.hash(place, 10 + way);
        let at = ((hash >> 8) % self.width) as u8;
        match hash % 5 {
            0 => Next::Done(row(&[0, 0, ((hash >> 20) % 100) as u16])),
            _ if place.level + 1 < LEVELS => Next::Go(Place {
                level: place.level + 1,
                at,
            }),
            _ => Next::NextTurn(Place { level: 0, at }),
        }
    }

    fn worth(row: &Row) -> f64 {
        f64::from(row[2]) / 100.0 - 0.5
    }
}

impl Steps for Drawn {
    type State = Place;

    fn phases(&self) -> Vec<&str> {
        vec!["all of it"]
    }

    fn start(&self) -> Place {
        Place { level: 0, at: 0 }
    }

    fn phase(&self, _: &Place) -> usize {
        0
    }

    fn step<D: crate::dice::Dice>(&self, place: Place, dice: &mut D) -> Next<Place> {
        self.way(place, die().roll(dice))
    }

    fn offer(&self, place: &Place) -> Option<Offer<Place>> {
        let hash = self.hash(*place, 1);
        let chooser = match hash % 4 {
            0 | 1 => Chooser::Asking,
            2 if self.enemy => Chooser::Enemy,
            _ => return None,
        };
        let count = if self.forced { 1 } else { 2 + hash / 4 % 2 };
        Some(Offer {
            chooser,
            actions: (0..count)
                .map(|n| (n as u16, self.way(*place, n)))
                .collect(),
        })
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::turns(self.turns, 1))
    }

    fn time_up(&self, place: &Place) -> Row {
        row(&[1, 0, (self.hash(*place, 2) % 100) as u16])
    }
}

type Policy = FxHashMap<(u16, Place), usize>;

/// The value of a place under a policy of both sides, straight from the steps.
fn value(game: &Drawn, policy: &Policy, turn: u16, place: Place) -> f64 {
    let follow = |next: Next<Place>| match next {
        Next::Go(next) => value(game, policy, turn, next),
        Next::NextTurn(next) if turn == game.turns => Drawn::worth(&game.time_up(&next)),
        Next::NextTurn(next) => value(game, policy, turn + 1, next),
        Next::Done(row) => Drawn::worth(&row),
    };
    match game.offer(&place) {
        Some(offer) => follow(offer.actions[policy[&(turn, place)]].1),
        None => {
            let (ways, total) = branches(|dice| game.step(place, dice));
            let share = |weight: u128| weight as f64 / total as f64;
            ways.into_iter()
                .map(|way| share(way.weight) * follow(way.result))
                .sum()
        }
    }
}

/// Every choice that can be met: turn, place, chooser, number of actions.
fn choices(game: &Drawn) -> Vec<(u16, Place, Chooser, usize)> {
    let mut seen = std::collections::BTreeSet::new();
    let mut open = vec![(1u16, game.start())];
    let mut found = Vec::new();
    while let Some((turn, place)) = open.pop() {
        if !seen.insert((turn, place)) {
            continue;
        }
        let next: Vec<Next<Place>> = match game.offer(&place) {
            Some(offer) => {
                found.push((turn, place, offer.chooser, offer.actions.len()));
                offer.actions.into_iter().map(|(_, next)| next).collect()
            }
            None => branches(|dice| game.step(place, dice))
                .0
                .into_iter()
                .map(|way| way.result)
                .collect(),
        };
        for next in next {
            match next {
                Next::Go(next) => open.push((turn, next)),
                Next::NextTurn(next) if turn < game.turns => open.push((turn + 1, next)),
                _ => {}
            }
        }
    }
    found
}

/// Every policy over these choices.
fn policies(choices: &[&(u16, Place, Chooser, usize)]) -> Vec<Policy> {
    let mut all = vec![Policy::default()];
    for &&(turn, place, _, actions) in choices {
        all = (all.iter())
            .flat_map(|policy| {
                (0..actions).map(|action| {
                    let mut policy = policy.clone();
                    policy.insert((turn, place), action);
                    policy
                })
            })
            .collect();
    }
    all
}

fn drawn(seed: u64, enemy: bool) -> Drawn {
    Drawn {
        seed,
        turns: 1 + (seed % 3) as u16,
        width: 2,
        enemy,
        forced: false,
    }
}

#[test]
fn best_play_is_the_best_of_all_policies_against_the_worst_of_the_enemys() {
    let mut with_enemy = 0;
    for seed in 0..400 {
        let game = drawn(seed, seed % 2 == 1);
        let met = choices(&game);
        if met
            .iter()
            .map(|&(.., actions)| actions as f64)
            .product::<f64>()
            > 3000.0
        {
            continue;
        }
        let of = |who: Chooser| met.iter().filter(|c| c.2 == who).collect::<Vec<_>>();
        let (own, enemy) = (
            policies(&of(Chooser::Asking)),
            policies(&of(Chooser::Enemy)),
        );
        with_enemy += usize::from(enemy.len() > 1 && own.len() > 1);
        let worst = |policy: &Policy| {
            let against = enemy.iter().map(|enemy| {
                let both = policy.iter().chain(enemy).map(|(&k, &v)| (k, v)).collect();
                value(&game, &both, 1, game.start())
            });
            against.fold(f64::INFINITY, f64::min)
        };
        let brute = own.iter().map(worst).fold(f64::NEG_INFINITY, f64::max);
        let (compiled, _) = Game::compile(&game, Budget::default()).unwrap();
        let best = compiled.best(Drawn::worth).value;
        assert!((best - brute).abs() < 1e-12, "{seed}: {best} {brute}");
    }
    assert!(with_enemy > 20, "{with_enemy}");
}

#[test]
fn a_collapsed_game_is_a_plain_graph_worth_what_the_game_is() {
    for seed in 0..300 {
        let game = Drawn {
            width: 4,
            turns: 5,
            ..drawn(seed, true)
        };
        let (compiled, _) = Game::compile(&game, Budget::default()).unwrap();
        let best = compiled.best(Drawn::worth);
        let graph = compiled.collapse(&best);
        let ends = solve(&graph);
        let sum: f64 = ends.iter().map(|(_, p)| p).sum();
        let mean: f64 = ends.iter().map(|(end, p)| p * Drawn::worth(&end.row)).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{seed}: {sum}");
        assert!((mean - best.value).abs() < 1e-12, "{seed}");
        // A start that does not choose is reached for certain, and what is reached adds up to less.
        let reach = compiled.reach(&best);
        assert!(
            reach
                .iter()
                .flatten()
                .all(|&p| (0.0..=1.0 + 1e-12).contains(&p))
        );
    }
}

#[test]
fn walked_and_direct_play_of_a_policy_agree_with_its_value() {
    for seed in [3, 17, 40, 71] {
        let game = Drawn {
            width: 4,
            turns: 5,
            ..drawn(seed, true)
        };
        let (compiled, states) = Game::compile(&game, Budget::default()).unwrap();
        let best = compiled.best(Drawn::worth);
        let trials = 1 << 16;
        let tally = simulate(
            &Engine::walk(compiled.collapse(&best)),
            Stream::common(seed),
            trials,
        );
        let mean = |tally: &[(End, u64)]| -> f64 {
            let sum: f64 = tally
                .iter()
                .map(|(end, n)| *n as f64 * Drawn::worth(&end.row))
                .sum();
            sum / trials as f64
        };
        assert!((mean(&tally) - best.value).abs() < 0.01, "{seed}");
        let numbers: FxHashMap<Place, usize> = states.into_iter().zip(0..).collect();
        let mut counts = FxHashMap::default();
        play_policy(
            &game,
            &mut Stream::common(seed).batch(1),
            trials,
            &mut counts,
            |turn, place, _| best.taken(usize::from(turn - 1), numbers[place]),
        );
        let counts: Vec<(End, u64)> = counts.into_iter().collect();
        assert!((mean(&counts) - best.value).abs() < 0.01, "{seed}");
    }
}

#[test]
fn a_choice_with_one_action_changes_nothing() {
    for seed in 0..100 {
        let game = Drawn {
            width: 3,
            turns: 4,
            forced: true,
            ..drawn(seed, true)
        };
        let graph = Graph::compile(&game, Budget::default()).unwrap();
        let (compiled, states) = Game::compile(&game, Budget::default()).unwrap();
        assert!(states.is_empty() && compiled.choices().is_empty());
        let best = compiled.best(Drawn::worth);
        assert_eq!(solve(&graph), solve(&compiled.collapse(&best)));
        let worth: f64 = solve(&graph)
            .iter()
            .map(|(end, p)| p * Drawn::worth(&end.row))
            .sum();
        assert!((worth - best.value).abs() < 1e-12);
    }
}

#[test]
fn steps_that_offer_choices_have_no_odds() {
    let choosing = (0..)
        .map(|seed| drawn(seed, false))
        .find(|game| !choices(game).is_empty());
    let error = Graph::compile(&choosing.unwrap(), Budget::default()).unwrap_err();
    assert!(matches!(error, CompileError::Choice { .. }), "{error}");
}

#[test]
fn nothing_fixed_is_better_than_best_play_and_holding_the_best_first_action_costs_nothing() {
    for seed in 0..200 {
        let game = Drawn {
            width: 4,
            turns: 4,
            ..drawn(seed, true)
        };
        let (compiled, _) = Game::compile(&game, Budget::default()).unwrap();
        let best = compiled.best(Drawn::worth);
        for plan in 0..20u64 {
            // A plan of the side that asks that differs from turn to turn.
            let fixed = compiled.best_under(Drawn::worth, |turn, number| {
                let choice = &compiled.choices()[number];
                let pick = splitmix64(plan << 20 | u64::from(turn) << 10 | number as u64);
                (choice.chooser == Chooser::Asking).then_some(pick as usize % choice.actions.len())
            });
            assert!(fixed.value <= best.value + 1e-12, "{seed}");
            let solved = solve(&compiled.collapse(&fixed));
            let mean: f64 = solved
                .iter()
                .map(|(end, p)| p * Drawn::worth(&end.row))
                .sum();
            assert!((mean - fixed.value).abs() < 1e-12, "{seed}");
        }
        let first = compiled.first_actions(&best);
        for &action in &first {
            assert!(compiled.held(&best, action) <= best.value + 1e-12, "{seed}");
        }
        if game
            .offer(&game.start())
            .is_some_and(|offer| offer.chooser == Chooser::Asking)
        {
            let held = first.iter().map(|&action| compiled.held(&best, action));
            let greatest = held.fold(f64::NEG_INFINITY, f64::max);
            assert!((greatest - best.value).abs() < 1e-12, "{seed}");
        }
    }
}

#[test]
fn luck_and_errors_add_up_to_what_came_out_less_what_was_expected() {
    let mut decisions = 0;
    for seed in 0..200 {
        let game = Drawn {
            width: 4,
            turns: 4,
            ..drawn(seed, true)
        };
        let (compiled, states) = Game::compile(&game, Budget::default()).unwrap();
        let best = compiled.best(Drawn::worth);
        let numbers: FxHashMap<Place, usize> = states.into_iter().zip(0..).collect();
        // One game with actions at random, noting every decision.
        let noted = std::cell::RefCell::new(Vec::new());
        let mut counts = FxHashMap::default();
        play_policy(
            &game,
            &mut Stream::common(seed).batch(2),
            1,
            &mut counts,
            |turn, place, offer| {
                let position = splitmix64(seed << 8 | noted.borrow().len() as u64) as usize
                    % offer.actions.len();
                noted
                    .borrow_mut()
                    .push((offer.chooser, turn, numbers[place], position));
                position
            },
        );
        let noted = noted.into_inner();
        decisions += noted.len();
        let end = *counts.keys().next().unwrap();
        let of = |who: Chooser| noted.iter().filter(move |n| n.0 == who).collect::<Vec<_>>();
        let sides = [of(Chooser::Asking), of(Chooser::Enemy)];
        let seen = compiled
            .hindsight(
                &best,
                Drawn::worth,
                [Some(sides[0].len()), Some(sides[1].len())],
                |chooser, met| {
                    let &(_, turn, choice, position) = sides[chooser as usize][met.taken];
                    (turn == met.turn && choice == met.choice).then_some(position)
                },
                |row| *row == end.row,
            )
            .expect("it has happened");
        // Step by step: the dice take the value from what an action was worth to what comes next.
        let (mut luck, mut at) = (0.0, best.value);
        for &(_, turn, choice, position) in &noted {
            let turn = usize::from(turn - 1);
            luck += best.value_at(&compiled, turn, choice) - at;
            at = best.values(&compiled, turn, choice)[position];
        }
        luck += Drawn::worth(&end.row) - at;
        assert!((seen.luck() - luck).abs() < 1e-12, "{seed}");
        assert!(
            (seen.result - Drawn::worth(&end.row)).abs() < 1e-12,
            "{seed}"
        );
        assert!(seen.own_error <= 0.0 && seen.enemy_error >= 0.0, "{seed}");
        let parts = seen.luck() + seen.own_error + seen.enemy_error;
        assert!(
            (parts - (seen.result - seen.expected)).abs() < 1e-12,
            "{seed}"
        );
    }
    assert!(decisions > 300, "{decisions}");
}

#[test]
fn a_margin_is_what_the_next_best_action_would_cost_the_chooser() {
    let mut seen = 0;
    for seed in 0..20 {
        let game = drawn(seed, true);
        let (compiled, _) = Game::compile(&game, Budget::default()).unwrap();
        let best = compiled.best(Drawn::worth);
        for (number, choice) in compiled.choices().iter().enumerate() {
            let mut values = best.values(&compiled, 0, number).to_vec();
            values.sort_by(f64::total_cmp);
            if choice.chooser == Chooser::Asking {
                values.reverse();
            }
            if let [first, second, ..] = values[..] {
                let margin = best.margin(&compiled, 0, number);
                assert!((margin - (first - second).abs()).abs() < 1e-12, "{seed}");
                seen += usize::from(margin > 0.01);
            }
        }
    }
    assert!(seen > 10, "{seen} margins");
}

#[test]
fn one_action_is_played_directly_as_it_is_solved() {
    let game = Drawn {
        width: 3,
        turns: 4,
        forced: true,
        ..drawn(5, true)
    };
    let solved = solve(&Graph::compile(&game, Budget::default()).unwrap());
    let trials = 50_000;
    let tally = simulate(&Engine::direct(&game), Stream::common(5), trials);
    assert_eq!(tally.len(), solved.len());
    for ((end, n), (meant, p)) in tally.into_iter().zip(solved) {
        assert_eq!(end, meant);
        assert!((n as f64 / trials as f64 - p).abs() < 0.01, "{end:?}");
    }
}
