//! Small procedures and a game, worked out on paper.

use super::simulate::{BATCH, DIRECT_BATCH, simulate_batches};
use super::*;
use crate::dice::{Dice, Odds, Scripted, Throw};
use crate::dist::Variable;

/// A siege of two turns. A storm succeeds on a 1, is called off on a 2 and counts as the turn before, is
/// repeated on a 3; else there are repairs, which give up on a 1 or 2.
struct Siege(Odds<i32>);

fn siege() -> Siege {
    Siege(Odds::new(Throw::d6(), |face| face))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Part {
    Storm,
    Repairs,
}

impl Steps for Siege {
    type State = Part;

    fn phases(&self) -> Vec<&str> {
        vec!["storm", "repairs"]
    }

    fn start(&self) -> Part {
        Part::Storm
    }

    fn phase(&self, part: &Part) -> usize {
        *part as usize
    }

    fn step<D: Dice>(&self, part: Part, dice: &mut D) -> Next<Part> {
        match (part, self.0.roll(dice)) {
            (Part::Storm, 1) => Next::Done(row(&[0])),
            (Part::Storm, 2) => Next::Done(row(&[0, 1])),
            (Part::Storm, 3) => Next::Go(Part::Storm),
            (Part::Storm, _) => Next::Go(Part::Repairs),
            (Part::Repairs, 1 | 2) => Next::Done(row(&[1])),
            (Part::Repairs, _) => Next::NextTurn(Part::Storm),
        }
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock {
            first: 2,
            last: 3,
            variable: 1,
        })
    }

    fn notes(&self) -> Vec<Note> {
        vec![Note::remark("siege", "it rains")]
    }

    fn time_up(&self, _: &Part) -> Row {
        row(&[2])
    }
}

/// A storm that is left is won, called off or followed by repairs with 1, 1 and 3 of 5; two of three repairs
/// lead to the next turn. What is called off in the second turn ends like what is won in the first.
const SIEGE: [([u16; 2], u8, f64); 6] = [
    ([0, 1], 0, 0.2),
    ([0, 2], 0, 0.2 + 0.08),
    ([0, 3], 0, 0.08),
    ([1, 2], 1, 0.2),
    ([1, 3], 1, 0.08),
    ([2, 3], 2, 0.16),
];

fn graph() -> Graph {
    Graph::compile(&siege(), Budget::default()).expect("two states")
}

/// The ends that were found, with their shares, are those of the paper.
#[track_caller]
fn as_on_paper(found: &[(End, f64)], off: impl Fn(f64) -> f64) {
    assert_eq!(found.len(), SIEGE.len(), "{found:?}");
    for (&(end, share), (values, phase, p)) in found.iter().zip(SIEGE) {
        let row = row(&values);
        assert_eq!(end, End { row, phase });
        assert!((share - p).abs() < off(p), "{end:?}: {share}, not {p}");
    }
}

fn shares(tally: &[(End, u64)], trials: u64) -> Vec<(End, f64)> {
    assert_eq!(tally.iter().map(|(_, n)| n).sum::<u64>(), trials);
    let shares = tally.iter();
    shares
        .map(|&(end, n)| (end, n as f64 / trials as f64))
        .collect()
}

#[test]
fn every_engine_finds_what_is_on_paper() {
    assert_eq!((graph().states(), graph().ends()), (2, 4));
    as_on_paper(&solve(&graph()), |_| 1e-15);
    let trials = BATCH + 3 * DIRECT_BATCH + 7;
    let off = |p: f64| 5.0 * (p * (1.0 - p) / trials as f64).sqrt();
    for engine in [Engine::walk(graph()), Engine::direct(&siege())] {
        let tally = simulate(&engine, Stream::common(1863), trials);
        as_on_paper(&shares(&tally, trials), off);
    }
}

fn answer(play: &dyn DynSteps, budget: Budget, method: Method, stop: Stop) -> Answer {
    let plan = Plan {
        method,
        stop,
        stream: Stream::common(1863),
    };
    let compiled = Compiled::new(play, budget).expect("steps");
    let fits = budget != NO_ROOM;
    assert_eq!(compiled.is_solvable(), fits);
    let answer = compiled
        .answer(&plan, &Watch::default())
        .expect("an answer");
    assert_eq!(answer.is_direct(), !fits);
    answer
}

const NO_ROOM: Budget = Budget { states: 1 };

#[test]
fn what_fits_is_solved_unless_it_is_to_be_simulated() {
    let (play, stop) = (siege(), Stop::Trials(1000));
    let ask = |budget, method| answer(&play, budget, method, stop);
    assert_eq!(
        ask(Budget::default(), Method::Auto),
        Answer::Exact(solve(&graph()))
    );
    assert_eq!(ask(Budget::default(), Method::Simulate).trials(), 1000);
    assert_eq!(ask(NO_ROOM, Method::Auto).trials(), 1000);
    let compiled = Compiled::new(&play, NO_ROOM).expect("steps");
    let refused = compiled.exact().expect_err("two states do not fit");
    assert!(refused.to_string().contains("more than 1 distinct states"));
    // Nothing is decided here, and no rule was read from a file.
    assert_eq!((play.worth(&row(&[0])), play.trouble()), (None, None));
}

/// The siege told as whether it was won, and in half turns.
fn in_other_words() -> Relabelled {
    Relabelled {
        play: Box::new(siege()),
        reading: Relabelling {
            variables: vec![Variable::yes_no("won", ""), Variable::count("halves", "")],
            row: Box::new(|found| row(&[u16::from(found[0] == 0), 2 * found[1].min(2)])),
            notes: vec![Note::remark("words", "others")],
        },
    }
}

#[test]
fn rows_are_read_in_other_words_and_alike_are_one() {
    let read = in_other_words();
    assert_eq!(read.phases(), ["storm", "repairs"]);
    assert_eq!(read.notes(), DynSteps::notes(&siege()));
    assert_eq!(read.notes().len(), 1);
    let meant = [
        ([0, 4], 1, 0.28),
        ([0, 4], 2, 0.16),
        ([1, 2], 0, 0.2),
        ([1, 4], 0, 0.36),
    ];
    let trials = 100_000;
    let stop = Stop::Trials(trials);
    let solved = answer(&read, Budget::default(), Method::Exact, stop);
    let walked = answer(&read, Budget::default(), Method::Simulate, stop);
    let direct = answer(&read, NO_ROOM, Method::Simulate, stop);
    for (found, off) in [(solved, 1e-15), (walked, 0.008), (direct, 0.008)] {
        let found = match found {
            Answer::Exact(found) => found,
            Answer::Simulated { tally, .. } => shares(&tally, trials),
            Answer::PlayedOut { .. } => panic!("steps are never played out"),
        };
        assert_eq!(found.len(), meant.len());
        for ((end, share), (values, phase, p)) in found.into_iter().zip(meant) {
            let row = row(&values);
            assert_eq!(end, End { row, phase });
            assert!((share - p).abs() < off, "{end:?}: {share}, not {p}");
        }
    }
}

#[test]
fn it_goes_on_in_growing_rounds_until_it_is_precise_enough() {
    let precise = |play: &dyn DynSteps, budget, half_width, at_most| {
        let stop = Stop::Precision {
            half_width,
            at_most,
        };
        answer(play, budget, Method::Simulate, stop).trials()
    };
    // Won with 56 of 100: 1.96 * sqrt(0.2464 / n) is 0.0013 with 560,000 trials. Rounds end after 4, 8 and 12
    // batches of 65,536 that are walked, and after 4, 8, 12, 18 and 27 of 4,096 that are not.
    let read = in_other_words();
    assert_eq!(
        precise(&read, Budget::default(), 0.0013, 10_000_000),
        12 * BATCH
    );
    // 0.0035 takes 77,300.
    assert_eq!(
        precise(&read, NO_ROOM, 0.0035, 10_000_000),
        27 * DIRECT_BATCH
    );
    // By the siege's own words most ends are won, lost or neither; what is not to be had ends at the bound.
    assert_eq!(precise(&siege(), NO_ROOM, 1e-9, 50_000), 50_000);
}

#[test]
fn who_looks_on_sees_what_is_done_and_may_stop_it() {
    let play = siege();
    let engine = Engine::direct(&play);
    let watch = Watch::default();
    let trials = 2 * DIRECT_BATCH + 1;
    let counts = simulate_batches(&engine, Stream::common(1), 0..3, trials, &watch);
    assert_eq!((watch.done(), watch.stopped()), (trials, false));
    assert_eq!(shares(&engine.tally(counts), trials).len(), 6);
    watch.stop();
    let counts = simulate_batches(&engine, Stream::common(1), 0..3, trials, &watch);
    assert_eq!((watch.done(), watch.stopped()), (trials, true));
    assert!(engine.tally(counts).is_empty());
}

#[test]
fn a_note_says_what_kind_it_is() {
    let note = |kind: NoteKind| Note {
        kind,
        ..Note::remark("men", "a hundred")
    };
    let said = [
        NoteKind::Assumption,
        NoteKind::NoDifference,
        NoteKind::Remark,
    ]
    .map(|kind| note(kind).to_string());
    assert_eq!(
        said,
        [
            "assumed (men): a hundred",
            "no difference (men): a hundred",
            "men: a hundred"
        ]
    );
}

/// Steps that roll nothing: where each number leads.
struct Led {
    to: fn(u8) -> Next<u8>,
    turns: Option<u16>,
}

impl Steps for Led {
    type State = u8;

    fn phases(&self) -> Vec<&str> {
        vec!["one"]
    }

    fn start(&self) -> u8 {
        0
    }

    fn phase(&self, _: &u8) -> usize {
        0
    }

    fn step<D: Dice>(&self, at: u8, _: &mut D) -> Next<u8> {
        (self.to)(at)
    }

    fn clock(&self) -> Option<Clock> {
        self.turns.map(|turns| Clock::turns(turns, 1))
    }

    fn time_up(&self, at: &u8) -> Row {
        row(&[u16::from(*at)])
    }
}

#[test]
fn circles_and_states_without_a_way_out_are_found_and_named() {
    let compile = |to| Graph::compile(&Led { to, turns: None }, Budget { states: 4 });
    let circle = compile(|at| Next::Go([1, 2, 1][usize::from(at)])).expect_err("a circle");
    assert!(
        matches!(&circle, CompileError::Cycle { state } if state == "1" || state == "2"),
        "{circle}"
    );
    let endless = compile(|at| Next::Go(at.max(1))).expect_err("no way out");
    assert_eq!(endless, CompileError::Endless { state: "1".into() });
    let long = compile(|at| Next::Go(at + 1)).expect_err("too long");
    assert_eq!(long, CompileError::TooLarge { states: 4 });
    let fits = compile(|at| match at {
        3 => Next::Done(row(&[7])),
        _ => Next::Go(at + 1),
    });
    assert_eq!(fits.expect("four states").states(), 4);
}

#[test]
fn states_of_turns_that_are_not_played_are_not_explored() {
    let climb = Led {
        to: |at| Next::NextTurn(at + 1),
        turns: Some(2),
    };
    let graph = Graph::compile(&climb, Budget { states: 3 }).expect("two, and one that waits");
    assert_eq!(graph.states(), 2);
    let end = End {
        row: row(&[2, 2]),
        phase: 1,
    };
    assert_eq!(solve(&graph), [(end, 1.0)]);
}

/// A game of two turns, worked out on paper. The enemy may give 90, or let it come to a roll, which is made
/// again on a 1 or 2, comes to a choice on a 3 or 4, to nothing on a 5 and to the next turn on a 6. The
/// choice is 30, or 80 or nothing with even odds. When time is up it is 10.
struct Toll(Odds<i32>);

fn toll() -> Toll {
    Toll(Odds::new(Throw::d6(), |face| face))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum At {
    Enemy,
    Roll,
    Choice,
    Gamble,
}

impl Steps for Toll {
    type State = At;

    fn phases(&self) -> Vec<&str> {
        vec!["all of it"]
    }

    fn start(&self) -> At {
        At::Enemy
    }

    fn phase(&self, _: &At) -> usize {
        0
    }

    fn step<D: Dice>(&self, at: At, dice: &mut D) -> Next<At> {
        match (at, self.0.roll(dice)) {
            (At::Gamble, 4..) => Next::Done(row(&[80])),
            (At::Gamble, _) | (_, 5) => Next::Done(row(&[0])),
            (_, 1 | 2) => Next::Go(At::Roll),
            (_, 3 | 4) => Next::Go(At::Choice),
            _ => Next::NextTurn(At::Roll),
        }
    }

    fn offer(&self, at: &At) -> Option<Offer<At>> {
        let (chooser, ways) = match at {
            At::Enemy => (Chooser::Enemy, [Next::Go(At::Roll), Next::Done(row(&[90]))]),
            At::Choice => (
                Chooser::Asking,
                [Next::Done(row(&[30])), Next::Go(At::Gamble)],
            ),
            At::Roll | At::Gamble => return None,
        };
        Some(Offer {
            chooser,
            actions: (0..).zip(ways).collect(),
        })
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock {
            first: 3,
            last: 4,
            variable: 1,
        })
    }

    fn time_up(&self, _: &At) -> Row {
        row(&[10])
    }
}

#[track_caller]
fn close(found: f64, meant: f64) {
    assert!((found - meant).abs() < 1e-12, "{found}, not {meant}");
}

#[test]
fn a_game_is_worth_what_it_is_on_paper() {
    let worth = |row: &Row| f64::from(row[0]);
    let (game, states) = Game::compile(&toll(), Budget::default()).expect("four states");
    assert_eq!((game.states(), game.choices().len()), (4, 2));
    let number = |at: At| states.iter().position(|&state| state == at).unwrap();
    let (enemy, choice) = (number(At::Enemy), number(At::Choice));
    let rows: std::collections::BTreeSet<Row> =
        game.possible_rows().iter().map(|end| end.row).collect();
    let all = [0, 10, 30, 80, 90].map(|worth| [3, 4].map(|turn| row(&[worth, turn])));
    assert_eq!(rows, all.into_iter().flatten().collect());
    // A roll that is left comes to the choice with 2 of 4, to nothing with 1, to the next turn with 1; the gamble is
    // worth 40. In the last turn a roll is worth 20 + 10 / 4.
    let best = game.best(worth);
    close(best.value, 20.0 + 22.5 / 4.0);
    assert_eq!(best.values(&game, 1, choice), [30.0, 40.0]);
    assert_eq!((best.taken(0, enemy), best.taken(0, choice)), (0, 1));
    close(best.margin(&game, 0, enemy), 90.0 - 25.625);
    let reach = game.reach(&best);
    for (turn, at, p) in [
        (0, enemy, 1.0),
        (0, choice, 0.5),
        (1, enemy, 0.0),
        (1, choice, 0.125),
    ] {
        close(reach[turn][at], p);
    }
    // Held to the 30, in both turns.
    assert_eq!(game.first_actions(&best), [0, 1]);
    close(game.held(&best, 0), 15.0 + 17.5 / 4.0);
    close(game.held(&best, 1), best.value);
    // Fixed in the second turn alone, which is turn 4.
    let fixed = |turn: u16, at: usize| (turn == 4 && at == choice).then_some(0);
    let fixed = game.best_under(worth, fixed);
    close(fixed.value, 20.0 + 17.5 / 4.0);
    let solved = solve(&game.collapse(&fixed));
    close(
        solved.iter().map(|(end, p)| p * worth(&end.row)).sum(),
        fixed.value,
    );
}

#[test]
fn luck_is_what_it_is_on_paper_and_what_cannot_be_was_not() {
    let worth = |row: &Row| f64::from(row[0]);
    let (game, _) = Game::compile(&toll(), Budget::default()).expect("four states");
    let best = game.best(worth);
    // The 30 was taken in the second turn: a fourth, then a half; 10 less than the gamble.
    let took = |_, met: Met| (met.turn == 4).then_some(0);
    let decisions = [Some(1), None];
    let seen = game.hindsight(&best, worth, decisions, took, |row| row[0] == 30);
    let seen = seen.expect("it can be");
    close(seen.chance, 0.125);
    close(seen.result, 30.0);
    close(seen.own_error, -10.0);
    close(seen.enemy_error, 0.0);
    close(seen.luck(), 30.0 - 25.625 + 10.0);
    let never = game.hindsight(&best, worth, decisions, took, |row| row[0] == 80);
    assert_eq!(never, None);
}

#[test]
#[should_panic(expected = "nobody decides here")]
fn a_choice_is_not_made_by_who_only_rolls() {
    play_once(&toll(), &mut Scripted::new([]));
}
