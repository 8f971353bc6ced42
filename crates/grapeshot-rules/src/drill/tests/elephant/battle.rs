//! Battles that are something else: one regiment a side fights what the other procedures solve. And what
//! cannot be asked.

use crate::testing::{odds, reduces_to, refusal, simulated};
use grapeshot_engine::dist::Distribution;

/// Trials of each comparison.
const TRIALS: u64 = 20_000;

fn battle(given: &str) -> Distribution {
    simulated("elephant", "battle", given, TRIALS)
}

fn same_losses(exact: &Distribution, sampled: &Distribution, sides: [&str; 2]) {
    for (side, ours) in sides.iter().zip(["attacker", "defender"]) {
        let (theirs, ours) = (format!("{side}_stands_lost"), format!("{ours}_loss"));
        reduces_to((exact, &theirs), (sampled, &ours), str::to_owned);
    }
}

#[test]
fn two_that_hold_have_a_firefight() {
    let holding =
        "attacker.units=1 defender.units=1 attacker.plan=hold order=attacker rally=false turns=8";
    for (ours, theirs) in [
        ("distance=100", ""),
        (
            "distance=250 attacker.grades=veteran defender.weapons=musket defender.stands=14",
            "range=250 a.grade=veteran b.weapon=musket b.stands=14",
        ),
        (
            "distance=80 headlong=false defender.cover=hard attacker.grades=green",
            "range=80 b.cover=hard a.grade=green",
        ),
    ] {
        let sampled = battle(&format!("{holding} {ours}"));
        let exact = odds("elephant", "firefight", &format!("turns=8 {theirs}"));
        reduces_to((&exact, "outcome"), (&sampled, "result"), |label| {
            match label {
                "undecided" => "undecided",
                gone if gone.starts_with("a-") => "defender",
                _ => "attacker",
            }
            .into()
        });
        reduces_to((&exact, "turns"), (&sampled, "turns"), str::to_owned);
        same_losses(&exact, &sampled, ["a", "b"]);
    }
}

/// From so far that the defender, who acts first, does not reach.
const FROM_AFAR: &str =
    "attacker.charge_from=700 distance=700 order=defender turns=1 defender.units=1";

#[test]
fn one_that_charges_one_makes_a_charge() {
    for (ours, theirs) in [
        ("reach=assume", ""),
        (
            "scale=brigade-100 attacker.grades=veteran defender.cover=soft",
            "reach=roll scale=brigade-100 attacker.grade=veteran defender.cover=wall",
        ),
        (
            "reach=assume defender.cover=hard defender.second_fire=decline defender.grades=poor",
            "defender.cover=fieldworks defender.second_fire=decline defender.grade=poor",
        ),
        (
            "reach=assume defender.grades=green defender.stands=6 attacker.stands=16",
            "defender.grade=green defender.stands=6 attacker.stands=16",
        ),
    ] {
        let sampled = battle(&format!("{FROM_AFAR} attacker.units=1 {ours}"));
        let exact = odds("elephant", "charge", &format!("distance=700 {theirs}"));
        reduces_to((&exact, "outcome"), (&sampled, "result"), |label| {
            match label {
                "attacker-wins" | "defender-retreats" | "defender-routs" | "defender-destroyed" => {
                    "attacker"
                }
                "defender-wins" | "attacker-retreats" | "attacker-routs" | "attacker-destroyed" => {
                    "defender"
                }
                _ => "undecided",
            }
            .into()
        });
        same_losses(&exact, &sampled, ["attacker", "defender"]);
    }
}

#[test]
fn equal_units_that_charge_one_lose_as_in_a_charge_of_several() {
    for attackers in [2, 3] {
        let sampled = battle(&format!(
            "{FROM_AFAR} attacker.units={attackers} contagion=false reach=assume defender.stands=16"
        ));
        let exact = odds(
            "elephant",
            "charge",
            &format!("distance=700 attackers={attackers} defender.stands=16"),
        );
        same_losses(&exact, &sampled, ["attacker", "defender"]);
    }
}

#[test]
fn without_rally_nobody_rallies_and_without_contagion_nobody_is_frightened() {
    let of = |given: &str, variable: &str| {
        let found = simulated("elephant", "battle", given, 2_000).marginal(variable);
        found.expect("a variable").mean()
    };
    assert!(of("", "rallied") > 0.5);
    assert_eq!(of("rally=false", "rallied"), 0.0);
    assert!(of("", "frightened") > 0.1);
    assert_eq!(of("contagion=false", "frightened"), 0.0);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |given: &str| refusal("elephant", "battle", given);
    let text = refused("attacker.grades=veteran+vetran");
    assert!(text.contains("entry 2 is `vetran`") && text.contains("did you mean `veteran`?"));
    let text = refused("attacker.stands=12+8+4 attacker.weapons=musket+repeater");
    assert!(
        text.contains("`attacker.weapons=musket+repeater`"),
        "{text}"
    );
    assert!(refused("attacker.stands=41").contains("a whole number from 1 to 40"));
    assert!(refused("defender.stands=2*6+0").contains("entry 3 is `0`"));
    assert!(refused("attacker.weapons=12lb-napoleon").contains("rifle-musket"));
    assert!(refused("attacker.commander_at=5").contains("`attacker.commander_at=5`"));
    assert!(refused("attacker.units=2 attacker.breaks_at=3").contains("the side has 2 units"));
}
