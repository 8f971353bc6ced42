//! Random streams: one per batch, fixed by seed, scenario and batch number.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::time::{SystemTime, UNIX_EPOCH};

/// One step of the splitmix64 generator (Steele, Lea and Flood 2014): a cheap, well-mixing bijection.
pub fn splitmix64(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The family of streams of one scenario. Batch `i` has the same stream whatever thread runs it
/// and however many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    master: u64,
}

impl Stream {
    /// The streams of a seed alone: scenarios that share it see the same dice.
    pub fn common(seed: u64) -> Self {
        Stream {
            master: splitmix64(seed),
        }
    }

    /// The streams of a seed and a scenario, given as any text that describes it.
    pub fn of_scenario(seed: u64, scenario: &str) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for byte in scenario.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Stream {
            master: splitmix64(splitmix64(seed) ^ hash),
        }
    }

    /// The generator of one batch.
    pub fn batch(&self, number: u64) -> Xoshiro256PlusPlus {
        let odd = number.wrapping_mul(0xd134_2543_de82_ef95);
        Xoshiro256PlusPlus::seed_from_u64(splitmix64(self.master.wrapping_add(odd)))
    }
}

/// A seed from the clock, for runs that were given none. Short enough to be typed again.
pub fn fresh_seed() -> u64 {
    seed_at(SystemTime::now())
}

/// A clock may be wrong, even before it began to count.
fn seed_at(now: SystemTime) -> u64 {
    let apart = match now.duration_since(UNIX_EPOCH) {
        Ok(since) => since,
        Err(before) => before.duration(),
    };
    splitmix64(apart.as_nanos() as u64) % 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::Rng;

    #[test]
    fn a_batch_has_the_same_draws_for_ever() {
        let mut rng = Stream::common(1863).batch(3);
        assert_eq!(rng.next_u64(), PINNED);
        // FNV-1a of the text and splitmix64, worked out apart from this code.
        let master = Stream::of_scenario(1863, "elephant charge").master;
        assert_eq!(master, 3_768_381_349_439_630_532);
        assert_ne!(
            Stream::of_scenario(1863, "elephant charge").batch(0),
            Stream::of_scenario(1863, "elephant melee").batch(0)
        );
    }

    #[test]
    fn any_clock_gives_a_seed_and_another_moment_another() {
        let seconds = std::time::Duration::from_secs;
        let seeds: std::collections::BTreeSet<u64> = [
            UNIX_EPOCH,
            UNIX_EPOCH + seconds(1),
            UNIX_EPOCH - seconds(2),
            UNIX_EPOCH - seconds(10_000_000_000),
            UNIX_EPOCH + seconds(1_000_000_000_000),
        ]
        .map(seed_at)
        .into();
        assert_eq!(seeds.len(), 5);
        assert!(seeds.iter().all(|&seed| seed < 1_000_000_000));
        let now: std::collections::BTreeSet<u64> = (0..3)
            .map(|_| {
                std::thread::sleep(std::time::Duration::from_millis(2));
                fresh_seed()
            })
            .collect();
        assert!(now.len() > 1, "{now:?}");
    }

    /// Recorded once: a change here changes every simulated figure ever printed with a seed.
    const PINNED: u64 = 200_618_319_864_882_789;
}
