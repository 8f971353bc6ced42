//! Three opinions on the same settings: solved, walked, and played directly on sampled dice.

use super::{EXACT, loaded};
use crate::dist::Distribution;
use crate::engine::{Budget, Method, Stop, splitmix64};
use crate::rules::{Asked, Procedure, Settings};

/// Settings drawn at random from what the schema suggests, until the rules accept them.
pub(super) struct Draw(pub u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = splitmix64(self.0);
        (self.0 % n as u64) as usize
    }

    /// Legal settings, about half of them at their defaults.
    pub(super) fn legal(&mut self, procedure: &Procedure) -> Settings {
        loop {
            let mut given = Vec::new();
            for setting in &procedure.settings {
                if self.below(2) == 0 {
                    continue;
                }
                let value = match setting.key.rsplit('.').next() {
                    Some("original") => (4 + self.below(17)).to_string(),
                    Some("figures") => (1 + self.below(20)).to_string(),
                    Some("range") => (1 + self.below(130)).to_string(),
                    _ => {
                        let values = setting.sample_values();
                        values[self.below(values.len())].to_string()
                    }
                };
                given.push((setting.key.clone(), value));
            }
            let settings = procedure.resolve(given).expect("drawn from the schema");
            if (procedure.build)(&settings).is_ok() {
                return settings;
            }
        }
    }
}

const TRIALS: u64 = 20_000;

/// Five standard deviations, and five trials where so few are expected that they say little.
fn agree(exact: &Distribution, simulated: &Distribution, what: &str) {
    let n = TRIALS as f64;
    for (exact, simulated) in exact.marginals().iter().zip(simulated.marginals()) {
        for value in simulated.values() {
            let (p, seen) = (exact.p(&value.label), value.p * n);
            assert!(
                p > 0.0,
                "{what}: {} cannot be {}",
                exact.variable().name,
                value.label
            );
            let off = (seen - p * n).abs();
            let name = &exact.variable().name;
            let sd = (n * p * (1.0 - p)).max(0.0).sqrt();
            assert!(
                off <= 5.0 * sd + 5.0,
                "{what}: {name}={}: {off}",
                value.label
            );
        }
        let total: f64 = exact.values().iter().map(|value| value.p).sum();
        assert!((total - 1.0).abs() < 1e-12, "{what}: {total}");
    }
}

#[test]
fn solved_walked_and_directly_played_results_agree() {
    let walked = Asked {
        method: Method::Simulate,
        stop: Stop::Trials(TRIALS),
        ..EXACT
    };
    // A graph of no states is over its budget, so that the steps are played directly.
    let direct = Asked {
        budget: Budget { states: 0 },
        ..walked
    };
    let mut draw = Draw(1863);
    for procedure in &loaded().procedures {
        for _ in 0..24 {
            let settings = draw.legal(procedure);
            let what = format!("{} {}", procedure.name, settings.describe());
            let (exact, _) = procedure.odds(&settings, &EXACT).unwrap();
            let (walked, over) = procedure.odds(&settings, &walked).unwrap();
            assert!(!over);
            let (direct, over) = procedure.odds(&settings, &direct).unwrap();
            assert!(over);
            agree(&exact, &walked, &format!("walked {what}"));
            agree(&exact, &direct, &format!("direct {what}"));
        }
    }
}
