//! A dice duel, on the public API alone: what a stranger writes who adds a procedure.
//!
//! Two sides have pools of six-sided dice. Both roll, pair their dice from the highest down, and of
//! each pair the lower is removed; a tie removes nothing. It goes on until one side has none. When
//! all pairs tie the state repeats itself: a self-loop, which solving divides out and simulating
//! simply walks. For four dice against three the first side survives with probability
//! 1718071452659096719 / 2244741412001587200.
//!
//! Run it: `cargo run --release --example attrition -- 4 3`

use grapeshot_engine::{Dice, EngineError, Next, Odds, Steps, Variable, exact, row, simulated};

/// The duel: the odds of every exchange, by the dice of both sides.
#[derive(Debug)]
pub struct Duel {
    start: (u8, u8),
    exchanges: Vec<Vec<Odds<(u8, u8)>>>,
}

impl Duel {
    /// So many dice against so many.
    pub fn new(a: u8, b: u8) -> Self {
        let exchanges = (1..=a)
            .map(|a| (1..=b).map(|b| exchange(a, b)).collect())
            .collect();
        Duel {
            start: (a, b),
            exchanges,
        }
    }
}

/// How many dice each side loses when `a` dice meet `b`.
fn exchange(a: u8, b: u8) -> Odds<(u8, u8)> {
    let (first, second) = (sorted_rolls(a), sorted_rolls(b));
    let mut ways: Vec<((u8, u8), u128)> = Vec::new();
    for (high, weight) in &first {
        for (low, other) in &second {
            let mut losses = (0, 0);
            for (x, y) in high.iter().zip(low) {
                losses.0 += u8::from(x < y);
                losses.1 += u8::from(x > y);
            }
            ways.push((losses, weight * other));
        }
    }
    Odds::weighted(ways)
}

/// Every roll of `n` dice, highest first, with the number of ways it comes up.
fn sorted_rolls(n: u8) -> Vec<(Vec<u8>, u128)> {
    let mut found: std::collections::BTreeMap<Vec<u8>, u128> = [(Vec::new(), 1)].into();
    for _ in 0..n {
        let mut next = std::collections::BTreeMap::new();
        for (dice, weight) in found {
            for face in 1..=6 {
                let mut dice = dice.clone();
                dice.push(face);
                dice.sort_unstable_by(|x, y| y.cmp(x));
                *next.entry(dice).or_insert(0) += weight;
            }
        }
        found = next;
    }
    found.into_iter().collect()
}

impl Steps for Duel {
    type State = (u8, u8);

    fn phases(&self) -> Vec<&str> {
        vec!["exchange"]
    }

    fn start(&self) -> (u8, u8) {
        self.start
    }

    fn phase(&self, _: &(u8, u8)) -> usize {
        0
    }

    fn step<D: Dice>(&self, (a, b): (u8, u8), dice: &mut D) -> Next<(u8, u8)> {
        let odds = &self.exchanges[usize::from(a) - 1][usize::from(b) - 1];
        let (lost_a, lost_b) = odds.roll(dice);
        match (a - lost_a, b - lost_b) {
            // The survivors: who (0 the first side, 1 the second), and how many.
            (left, 0) => Next::Done(row(&[0, u16::from(left)])),
            (0, left) => Next::Done(row(&[1, u16::from(left)])),
            state => Next::Go(state),
        }
    }
}

/// What a duel reports.
fn reported() -> Vec<Variable> {
    vec![
        Variable::category(
            "survivor",
            "the side that has dice left",
            ["first", "second"],
        ),
        Variable::count("left", "how many it has"),
    ]
}

/// The chance that the first side survives, solved and simulated.
///
/// # Errors
/// If the steps cannot be compiled.
pub fn first_survives(a: u8, b: u8, trials: u64) -> Result<(f64, f64), EngineError> {
    let duel = Duel::new(a, b);
    let solved = exact(&duel, reported())?;
    let played = simulated(&duel, reported(), trials, 1863)?;
    Ok((solved.p("survivor", "first"), played.p("survivor", "first")))
}

#[allow(
    dead_code,
    reason = "the test that includes this file has no use for it"
)]
fn main() -> Result<(), EngineError> {
    let mut given = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok());
    let (a, b): (u8, u8) = (given.next().unwrap_or(4), given.next().unwrap_or(3));
    let trials = 10_000_000;
    let (solved, simulated) = first_survives(a.clamp(1, 6), b.clamp(1, 6), trials)?;
    println!("{a} dice against {b}: the first side survives");
    println!("  solved     {:.6} %", 100.0 * solved);
    println!("  simulated  {:.6} % of {trials} duels", 100.0 * simulated);
    Ok(())
}
