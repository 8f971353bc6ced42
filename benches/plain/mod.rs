//! Plain loops, written by hand for comparison: default settings of `elephant`, and a volley of `acw28`.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Fire table, by die then column: 0 none, 1 panic, 2 … hits plus one.
const FIRE: [[u8; 10]; 10] = [
    [0, 0, 0, 0, 1, 1, 1, 2, 2, 2],
    [0, 0, 0, 0, 1, 2, 2, 2, 2, 2],
    [0, 0, 0, 1, 1, 2, 2, 2, 2, 3],
    [0, 0, 0, 1, 1, 2, 2, 2, 2, 3],
    [0, 0, 0, 1, 2, 2, 2, 2, 3, 3],
    [0, 0, 1, 2, 2, 2, 2, 3, 3, 3],
    [0, 0, 1, 2, 2, 2, 2, 3, 3, 3],
    [0, 1, 1, 2, 2, 2, 3, 3, 3, 4],
    [1, 1, 2, 2, 2, 3, 3, 3, 4, 4],
    [1, 2, 2, 2, 3, 3, 3, 4, 4, 5],
];

const THRESHOLDS: [i32; 10] = [0, 3, 6, 10, 15, 21, 28, 36, 45, 55];

/// One volley of the default firer: 30 factors, stationary, at a target in the open.
pub fn fire(seed: u64, trials: u64) -> Vec<u64> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut counts = vec![0; 6];
    for _ in 0..trials {
        let die = rng.random_range(0..10);
        counts[usize::from(FIRE[die][7])] += 1;
    }
    counts
}

#[derive(Clone, Copy)]
struct Unit {
    stands: i32,
    hits: i32,
    panic: i32,
    over: bool,
}

impl Unit {
    const FULL: Unit = Unit {
        stands: 10,
        hits: 0,
        panic: 0,
        over: false,
    };

    fn suffer(&mut self, hits: i32, panic: i32) {
        self.panic = (self.panic + panic).min(2);
        self.hits += hits;
        while self.hits >= 3 {
            self.hits -= 3;
            self.stands = (self.stands - 1).max(0);
        }
    }
}

/// Rolls a test of a regular unit: 0 pass, 1 hit, 2 retreat, 3 rout.
fn test(rng: &mut StdRng, unit: &mut Unit, extra: i32) -> u8 {
    let die: i32 = rng.random_range(0..10);
    let modified = die + unit.panic + (10 - unit.stands) / 2 + extra;
    unit.over = modified <= 0;
    match modified - 8 {
        _ if modified <= 0 => {
            unit.panic = 0;
            0
        }
        i32::MIN..=0 => {
            unit.panic = 0;
            0
        }
        1 | 2 => {
            unit.suffer(1, 1);
            1
        }
        3 | 4 => 2,
        _ => 3,
    }
}

/// Fires at 100 yards or less; returns whether anything was received.
fn volley(rng: &mut StdRng, firer: &Unit, target: &mut Unit) -> bool {
    let total = (firer.stands - firer.panic).max(0) * 3;
    if total == 0 {
        return false;
    }
    let column = THRESHOLDS.iter().rposition(|&t| t <= total).unwrap();
    let die = rng.random_range(0..10usize);
    let effect = FIRE[die][(column + 1).min(9)];
    match effect {
        0 => false,
        1 => {
            target.suffer(0, 1);
            true
        }
        n => {
            target.suffer(i32::from(n) - 1, i32::from(n) - 1);
            true
        }
    }
}

/// Combat results for columns 2:3, 1:1, 3:2 and around: attacker lost, defender lost, winner
/// (0 attacker, 1 defender, 2 none), by die then column.
const MELEE: [[(i32, i32, usize); 10]; 10] = {
    const K1_: (i32, i32, usize) = (1, 0, 1);
    const KRT: (i32, i32, usize) = (1, 0, 0);
    const _K1: (i32, i32, usize) = (0, 1, 0);
    const _K2: (i32, i32, usize) = (0, 2, 0);
    const KK2: (i32, i32, usize) = (1, 2, 0);
    const KC1: (i32, i32, usize) = (1, 1, 0);
    const K2K: (i32, i32, usize) = (2, 1, 1);
    const C1K: (i32, i32, usize) = (1, 1, 1);
    const C1_: (i32, i32, usize) = (1, 0, 1);
    const C2_: (i32, i32, usize) = (2, 0, 1);
    const RTK: (i32, i32, usize) = (0, 1, 1);
    const _RT: (i32, i32, usize) = (0, 0, 0);
    const ENG: (i32, i32, usize) = (0, 0, 2);
    const REP: (i32, i32, usize) = (0, 0, 1);
    [
        [K1_, KRT, _K1, _K1, _K1, _K1, _K1, _K1, _K2, _K2],
        [K1_, REP, KRT, _K1, _K1, _K1, KC1, KC1, _K1, _K1],
        [K1_, RTK, ENG, KRT, _K1, _K1, _K1, KC1, KC1, _K1],
        [K1_, K1_, REP, ENG, _K1, _K1, _K1, _K1, KC1, _K1],
        [K1_, K1_, RTK, ENG, KRT, _RT, _K1, _K1, KK2, KC1],
        [K2K, K1_, K1_, REP, ENG, KRT, _K1, _K1, _K1, KK2],
        [K2K, K1_, K1_, REP, ENG, ENG, _K1, _K1, _K1, KK2],
        [C1K, K2K, K1_, RTK, REP, REP, _RT, _K1, _K1, _K1],
        [C1_, C1K, K1_, _K1, RTK, RTK, KRT, _K1, _K1, _K1],
        [C2_, C1_, C1K, K1_, K1_, K1_, RTK, KRT, _K1, _K1],
    ]
};

const ODDS: [(i32, i32); 10] = [
    (1, 3),
    (1, 2),
    (2, 3),
    (1, 1),
    (3, 2),
    (2, 1),
    (3, 1),
    (4, 1),
    (6, 1),
    (8, 1),
];

/// One round of the default melee: ten stands against ten, the column of even odds.
pub fn melee(seed: u64, trials: u64) -> Vec<u64> {
    const EVEN: usize = 3;
    let mut rng = StdRng::seed_from_u64(seed);
    let mut counts = vec![0; 3];
    for _ in 0..trials {
        counts[MELEE[rng.random_range(0..10usize)][EVEN].2] += 1;
    }
    counts
}

fn charge_once(rng: &mut StdRng) -> (usize, i32, i32) {
    let (mut attacker, mut defender) = (Unit::FULL, Unit::FULL);
    let lost = |a: &Unit, d: &Unit| (10 - a.stands, 10 - d.stands);
    let end = |outcome: usize, a: &Unit, d: &Unit| (outcome, lost(a, d).0, lost(a, d).1);
    for second in [false, true] {
        let mut fires = true;
        if second {
            match test(rng, &mut defender, 1) {
                0 => {}
                1 => fires = false,
                n => return end(2 + usize::from(n), &attacker, &defender),
            }
        }
        if fires && volley(rng, &defender, &mut attacker) {
            match test(rng, &mut attacker, 0) {
                0 => {}
                n => return end(5 + usize::from(n), &attacker, &defender),
            }
        }
    }
    match test(rng, &mut defender, 0) {
        0 | 1 => {}
        n => return end(2 + usize::from(n), &attacker, &defender),
    }
    let odds = ODDS
        .iter()
        .rposition(|&(x, y)| attacker.stands * y >= defender.stands * x);
    let shift = i32::from(attacker.over) - i32::from(defender.over);
    let column = (odds.unwrap_or(0) as i32 + shift).clamp(0, 9) as usize;
    let (a, d, winner) = MELEE[rng.random_range(0..10usize)][column];
    attacker.stands -= a;
    defender.stands -= d;
    end(winner, &attacker, &defender)
}

/// The default charge: outcome and both losses counted together.
pub fn charge(seed: u64, trials: u64) -> Vec<u64> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut counts = vec![0; 10 * 11 * 11];
    for _ in 0..trials {
        let (outcome, a, d) = charge_once(&mut rng);
        counts[outcome * 121 + a as usize * 11 + d as usize] += 1;
    }
    counts
}

fn firefight_once(rng: &mut StdRng) -> (usize, usize, i32, i32) {
    let mut units = [Unit::FULL; 2];
    for turn in 1..=6 {
        for side in 0..2 {
            let lost = |units: &[Unit; 2]| (10 - units[0].stands, 10 - units[1].stands);
            if units[side].panic > 0 {
                let result = test(rng, &mut units[side], 0);
                if result >= 2 || units[side].stands == 0 {
                    let (a, b) = lost(&units);
                    return (side * 3 + usize::from(result.max(1)) - 1, turn, a, b);
                }
            }
            let firer = units[side];
            volley(rng, &firer, &mut units[1 - side]);
            if units[1 - side].stands == 0 {
                let (a, b) = lost(&units);
                return ((1 - side) * 3, turn, a, b);
            }
        }
    }
    (6, 6, 10 - units[0].stands, 10 - units[1].stands)
}

/// The default firefight of six turns.
pub fn firefight(seed: u64, trials: u64) -> Vec<u64> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut counts = vec![0; 7 * 7 * 121];
    for _ in 0..trials {
        let (outcome, turn, a, b) = firefight_once(&mut rng);
        counts[(outcome * 7 + turn) * 121 + a as usize * 11 + b as usize] += 1;
    }
    counts
}

/// Twenty rifles of class C at short range in the open: hits on 4+, saves on 5+, at most twenty fall.
pub fn acw28_volley(seed: u64, trials: u64) -> Vec<u64> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut counts = vec![0; 21 * 21];
    for _ in 0..trials {
        let (mut hits, mut casualties) = (0, 0);
        for _ in 0..20 {
            if rng.random_range(1..=6) >= 4 {
                hits += 1;
                casualties += usize::from(rng.random_range(1..=6) < 5);
            }
        }
        counts[hits * 21 + casualties] += 1;
    }
    counts
}
