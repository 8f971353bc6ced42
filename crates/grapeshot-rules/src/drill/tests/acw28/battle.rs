//! Battles that are something else: one regiment a side fights what the other procedures solve. And what
//! cannot be asked.

use crate::testing::{odds, reduces_to, refusal, simulated};
use grapeshot_engine::dist::Distribution;

/// Trials of each comparison.
const TRIALS: u64 = 4_000;

fn battle(given: &str) -> Distribution {
    let one_each = "attacker.units=1 defender.units=1";
    simulated("acw28", "battle", &format!("{one_each} {given}"), TRIALS)
}

/// A name of a variable, without the sides of the procedure.
fn same_losses(exact: &Distribution, sampled: &Distribution, sides: [&str; 2]) {
    for (side, ours) in sides.iter().zip(["attacker", "defender"]) {
        let (theirs, ours) = (format!("{side}_casualties"), format!("{ours}_loss"));
        reduces_to((exact, &theirs), (sampled, &ours), str::to_owned);
    }
}

#[test]
fn two_that_hold_have_a_firefight() {
    for (ours, theirs) in [
        ("", ""),
        (
            "attacker.classes=B defender.figures=20",
            "a.class=B b.figures=20",
        ),
        (
            "defender.cover=hard defender.weapons=musket",
            "b.cover=hard b.weapon=musket",
        ),
        (
            "open_saves=false attacker.cover=soft",
            "open_saves=false a.cover=soft",
        ),
    ] {
        for isolation in [true, false] {
            let sampled = battle(&format!(
                "attacker.plan=hold distance=30 turns=5 isolation={isolation} {ours}"
            ));
            let exact = odds(
                "acw28",
                "firefight",
                &format!("turns=5 a.isolated={isolation} b.isolated={isolation} {theirs}"),
            );
            reduces_to((&exact, "outcome"), (&sampled, "result"), |label| {
                match label {
                    "a-routs" => "defender",
                    "b-routs" => "attacker",
                    other => other,
                }
                .into()
            });
            reduces_to((&exact, "turns"), (&sampled, "turns"), str::to_owned);
            same_losses(&exact, &sampled, ["a", "b"]);
        }
    }
}

#[test]
fn one_that_charges_one_makes_a_charge() {
    let isolated = "attacker.isolated=true defender.isolated=true";
    let first = "distance=30 turns=3";
    let last = "first=defender distance=30 turns=3";
    let near = "distance=15 turns=3 defender.cover=hard";
    for (ours, theirs) in [
        (first, "volley=false turns=6"),
        (last, "turns=5"),
        (
            near,
            "attacker.onset=advance volley=false turns=6 defender.cover=hard",
        ),
    ] {
        for (more, and) in [
            ("", ""),
            (
                "attacker.classes=A attacker.figures=18 defender.classes=D",
                "attacker.class=A attacker.figures=18 defender.class=D",
            ),
        ] {
            let sampled = battle(&format!("{ours} {more}"));
            let exact = odds("acw28", "charge", &format!("{isolated} {theirs} {and}"));
            reduces_to((&exact, "outcome"), (&sampled, "result"), |label| {
                match label {
                    "attacker-wins" => "attacker",
                    "attacker-stopped" | "defender-wins" => "defender",
                    other => other,
                }
                .into()
            });
            same_losses(&exact, &sampled, ["attacker", "defender"]);
        }
    }
}

/// Points are what units out and officers dead are worth, and may be below nothing.
#[test]
fn points_are_counted_for_units_and_officers() {
    let odds = simulated("acw28", "battle", "", 4_000);
    let mean = |name: &str| odds.marginal(name).expect("a variable").mean();
    let expected = 5.0 * (mean("defender_units_out") - mean("attacker_units_out"));
    assert!((mean("points") - expected).abs() < 1e-9);
    assert!(mean("points") < 0.0);
}

#[test]
fn lists_that_do_not_fit_are_refused() {
    let refused = |given: &str| refusal("acw28", "battle", given);
    let text = refused("attacker.classes=A+B attacker.figures=12+13+14");
    assert!(
        text.contains("`attacker.figures=12+13+14`") && text.contains("`attacker.classes` has 2")
    );
    let text = refused("attacker.units=3 attacker.classes=A+B");
    assert!(
        text.contains("`attacker.classes=A+B`") && text.contains("`attacker.units=3`"),
        "{text}"
    );
    let text = refused("attacker.classes=A+F");
    assert!(text.contains("`attacker.classes` cannot be `A+F`") && text.contains("entry 2 is `F`"));
    assert!(text.contains("A | B | C | D | E"), "{text}");
    assert!(refused("defender.figures=2*roll+").contains("an entry is empty"));
    assert!(refused("defender.figures=10").contains("11 | 12"));
    assert!(refused("defender.figures=9*15").contains("from 1 to 8"));
    assert!(refused("defender.figures=5*15+4*16").contains("it has 9 entries"));
    assert!(refused("attacker.officer=5").contains("`attacker.officer=5`"));
    assert!(refused("defender.units=2 defender.breaks_at=3").contains("the side has 2 units"));
    assert!(refused("attacker.weapons=bow").contains("musket | musket-1863 | rifle"));
}

#[test]
fn lists_say_how_many_units_there_are() {
    let units = |given: &str| {
        let settings = crate::testing::settings("acw28", "battle", given);
        (
            settings.whole("attacker.units"),
            settings.get("attacker.classes").to_string(),
        )
    };
    assert_eq!(units(""), (4, "C".into()));
    assert_eq!(
        units("attacker.classes=A+2*B attacker.figures=12"),
        (3, "A+2*B".into())
    );
    assert_eq!(
        units("attacker.units=2 attacker.classes=B+B"),
        (2, "2*B".into())
    );
    assert_eq!(
        units("attacker.units=6 attacker.classes=1*B"),
        (6, "B".into())
    );
}
