//! What a unit cannot have, or a fight cannot ask for, is refused by the key that says it.

use super::refusal;

fn refused(procedure: &str, cases: &[(&str, &str)]) {
    for (settings, key) in cases {
        let reason = refusal(procedure, settings);
        let named = reason.starts_with(&format!("`{key}="));
        assert!(named, "{procedure} {settings}: {reason}");
    }
}

#[test]
fn a_charge_refuses_what_its_units_cannot_do() {
    refused(
        "charge",
        &[
            ("attacker.kind=artillery", "attacker.kind"),
            ("attacker.fires_in=true", "attacker.fires_in"),
            (
                "attacker.fires_in=true attacker.kind=cavalry",
                "attacker.fires_in",
            ),
            (
                "attacker.fires_in=true attacker.kind=dismounted attacker.weapon=pistol",
                "attacker.fires_in",
            ),
            ("attacker.lance=true", "attacker.lance"),
            ("defender.lance=true", "defender.lance"),
            ("attacker.kind=cavalry attacker.hits=2", "attacker.hits"),
            (
                "attacker.column=true attacker.kind=dismounted",
                "attacker.column",
            ),
            ("attacker.in_motion=true", "attacker.in_motion"),
            (
                "attacker.road=true attacker.kind=dismounted",
                "attacker.road",
            ),
            (
                "attacker.obstacle=true attacker.kind=cavalry distance=50",
                "attacker.obstacle",
            ),
            ("attacker.obstacle=true distance=51", "distance"),
            ("defender.unlimbered=true", "defender.unlimbered"),
            ("defender.csa_artillery=true", "defender.csa_artillery"),
            ("defender.combine=false", "defender.combine"),
            (
                "defender.combine=false defender.kind=artillery defender.guns_stands=1",
                "defender.combine",
            ),
            ("prep.csa_artillery=true", "prep.csa_artillery"),
            (
                "prep.csa_artillery=true prep.arms_stands=2",
                "prep.csa_artillery",
            ),
            ("prep.combine=false", "prep.combine"),
            ("prep.combine=false prep.stands=2", "prep.combine"),
            ("prep.combine=false prep.arms_stands=2", "prep.combine"),
        ],
    );
}

#[test]
fn fire_refuses_what_firer_and_target_cannot_be() {
    refused(
        "fire",
        &[
            ("target.prone=true target.kind=cavalry", "target.prone"),
            ("target.prone=true target.kind=artillery", "target.prone"),
            (
                "firer.skirmishing=true firer.kind=artillery",
                "firer.skirmishing",
            ),
            ("firer.csa_artillery=true", "firer.csa_artillery"),
            ("combine=false", "combine"),
            (
                "combine=false guns.stands=1 firer.kind=artillery",
                "combine",
            ),
        ],
    );
}

#[test]
fn a_firefight_refuses_the_same_on_either_side() {
    refused(
        "firefight",
        &[
            ("a.prone=true a.kind=cavalry", "a.prone"),
            ("b.skirmishing=true b.kind=artillery", "b.skirmishing"),
            ("b.flank_fire=true b.skirmishing=true", "b.flank_fire"),
            ("a.csa_artillery=true", "a.csa_artillery"),
            ("b.prolonging=true", "b.prolonging"),
            ("a.unlimbered=true a.kind=dismounted", "a.unlimbered"),
        ],
    );
}

#[test]
fn the_other_procedures_refuse_too() {
    refused(
        "opportunity",
        &[
            ("attacker.lance=true", "attacker.lance"),
            ("attacker.fires_in=true", "attacker.fires_in"),
            ("attacker.hits=2", "attacker.hits"),
        ],
    );
    refused(
        "screen",
        &[("screen.kind=cavalry screen.hits=2", "screen.hits")],
    );
    refused("rally", &[("unit.kind=artillery unit.hits=2", "unit.hits")]);
    refused(
        "muster",
        &[
            ("csa=true", "csa"),
            ("battery=division", "battery"),
            ("battery=division arm=cavalry", "battery"),
            ("battery=division arm=artillery size=fixed", "battery"),
        ],
    );
}

/// What may be said though nothing comes of it.
#[test]
fn a_key_that_does_not_matter_is_allowed() {
    for (procedure, settings) in [
        (
            "charge",
            "ground=broken scale=brigade-100 attacker.column=true",
        ),
        (
            "charge",
            "attacker.woods=true prep.flank=true prep.range=10",
        ),
        ("firefight", "a.cards=3 b.cards=2"),
        ("fire", "guns.stands=1 firer.csa_artillery=true"),
        (
            "charge",
            "defender.guns_stands=1 defender.csa_artillery=true",
        ),
    ] {
        let procedure = super::elephant().procedure(procedure).expect("a procedure");
        let settings = procedure.resolve(super::words(settings));
        assert!((procedure.build)(&settings.expect("settings")).is_ok());
    }
}

/// Keys that cannot matter are not there at all.
#[test]
fn procedures_take_only_the_keys_that_can_matter() {
    for (procedure, key) in [
        ("fire", "firer.grade"),
        ("melee", "attacker.hits"),
        ("charge", "attacker.overenthusiastic"),
        ("charge", "attacker.marksmen"),
        ("opportunity", "attacker.kind"),
        ("opportunity", "prep.stands"),
        ("opportunity", "attackers"),
        ("opportunity", "attacker.flank"),
        ("firefight", "a.half_speed"),
        ("screen", "commander_risk"),
        ("rally", "unit.flank_fire"),
    ] {
        let procedure = super::elephant().procedure(procedure).expect("a procedure");
        let known = procedure.settings.iter().any(|setting| setting.key == key);
        assert!(!known, "{} {key}", procedure.name);
    }
}
