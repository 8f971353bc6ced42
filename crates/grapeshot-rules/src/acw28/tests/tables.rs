//! The printed tables at their corners, and what a variant may not do to them.

use super::{given, printed, solved};
use crate::acw28::kinds::{Arm, Class, Cover, FiringArm, Weapon};
use crate::acw28::tables::{Advantages, Fire, Obstacle, Pace, Reach, Side, Struck, Work};
use crate::acw28::volley::Firer;
use crate::{Labels, Variant};

#[test]
fn every_weapon_reaches_as_far_as_printed_and_no_farther() {
    let tables = printed();
    let edges = [
        (Weapon::Musket, Some(15), Some(30)),
        (Weapon::Musket1863, Some(15), Some(90)),
        (Weapon::Rifle, Some(30), Some(120)),
        (Weapon::Bow, None, Some(20)),
        (Weapon::Shotgun, Some(5), None),
        (Weapon::Carbine, Some(15), Some(50)),
    ];
    assert_eq!(edges.map(|edge| edge.0), Weapon::ALL);
    let guns = [
        (FiringArm::FieldGun, Some(30), Some(120)),
        (FiringArm::HeavyGun, Some(45), Some(180)),
    ];
    let small = edges.map(|(weapon, short, long)| (FiringArm::Infantry, weapon, short, long));
    // Guns have their own reach, whatever weapon is set.
    let guns = guns.map(|(arm, short, long)| (arm, Weapon::Shotgun, short, long));
    for (arm, weapon, short, long) in small.into_iter().chain(guns) {
        let reach = tables.ranges_of(arm, weapon.position());
        for distance in 1..=200 {
            let within = |limit: Option<i64>| limit.is_some_and(|limit| distance <= limit);
            let want = if within(short) {
                Some(Reach::Short)
            } else if within(long) {
                Some(Reach::Long)
            } else {
                None
            };
            assert_eq!(reach.at(distance), want, "{arm:?} {weapon:?} {distance}");
        }
        let nearest = if short.is_some() {
            Reach::Short
        } else {
            Reach::Long
        };
        assert_eq!(reach.nearest(), Some(nearest));
    }
}

#[test]
fn each_class_hits_and_clears_its_formation_on_one_more_than_the_class_before() {
    let tables = printed();
    for (at, &class) in Class::ALL.iter().enumerate() {
        let score = at as i16 + 2;
        assert_eq!(tables.to_hit(Fire::SmallArms, class), Some(score));
        let gun = (at < 3).then_some(score);
        assert_eq!(tables.to_hit(Fire::Artillery, class), gun);
        let passes = tables.formation_test(class).iter().find(|way| way.0);
        assert_eq!(passes.unwrap().1, 7 - score as u128);
    }
}

#[test]
fn saves_and_kills_are_the_printed_faces() {
    let tables = printed();
    // Open, soft, hard, each short and long.
    let small_arms = [[5, 4], [4, 3], [3, 2]];
    let artillery = [[6, 5], [5, 4], [4, 3]];
    for (at, &cover) in Cover::ALL.iter().enumerate() {
        for (column, reach) in [Reach::Short, Reach::Long].into_iter().enumerate() {
            let save = |fire| tables.save(fire, reach, cover);
            assert_eq!(save(Fire::SmallArms), small_arms[at][column]);
            assert_eq!(save(Fire::Artillery), artillery[at][column]);
        }
        let plain = Advantages {
            formation_fail: false,
            charging: false,
            enemy_fail: false,
            enemy_skirmishing: false,
        };
        let figures = Class::ALL.iter().map(|&class| Struck::Figure(class));
        let kills = figures
            .chain([Struck::Officer])
            .map(|struck| tables.kill(struck, cover, plain));
        let open = [8, 7, 5, 4, 3, 8];
        assert!(kills.eq(open.map(|face| face + at as i16)));
    }
}

#[test]
fn the_rout_charts_have_the_printed_corners_and_no_class_is_steadier_than_a_better_one() {
    let tables = printed();
    let (regiments, companies) = (&tables.regiments, &tables.companies);
    assert_eq!((regiments.sizes(), companies.sizes()), ((11, 20), (4, 8)));
    let at = |class, original: i64| {
        let column = regiments.column(original).unwrap();
        regiments.points(class, column).unwrap()
    };
    assert_eq!([at(Class::A, 11), at(Class::A, 20)], [4, 8]);
    assert_eq!([at(Class::C, 15), at(Class::C, 16)], [7, 8]);
    assert_eq!([at(Class::E, 11), at(Class::E, 20)], [8, 14]);
    let small = |class, original: i64| {
        let column = companies.column(original).unwrap();
        companies.points(class, column)
    };
    assert_eq!([small(Class::A, 4), small(Class::A, 8)], [Some(2), Some(3)]);
    assert_eq!([small(Class::C, 4), small(Class::C, 8)], [Some(2), Some(4)]);
    assert_eq!(small(Class::D, 4), None);
    assert_eq!([regiments.column(10), regiments.column(21)], [None, None]);
    assert_eq!([companies.column(3), companies.column(9)], [None, None]);
    for size in 11..=20 {
        for pair in Class::ALL.windows(2) {
            assert!(at(pair[0], size) <= at(pair[1], size), "{size} {pair:?}");
        }
    }
    for class in Class::ALL {
        assert!((11..20).all(|size| at(*class, size) <= at(*class, size + 1)));
    }
}

#[test]
fn dice_are_counted_by_formation_and_gun() {
    let tables = printed();
    let dice = |text: &str, figures: u8| {
        let s = given("fire", text);
        let firer = Firer::read(&tables, &s, "firer").unwrap();
        firer.dice(&tables, figures)
    };
    let of = |text: &str| [0, 1, 2, 3, 7, 8].map(|figures| dice(text, figures));
    assert_eq!(of(""), [0, 1, 2, 3, 7, 8]);
    assert_eq!(of("firer.formation=skirmish"), [0, 0, 1, 1, 3, 4]);
    // On foot cavalry only skirmishes.
    assert_eq!(of("firer.arm=cavalry"), [0, 0, 1, 1, 3, 4]);
    let sharp = "firer.arm=sharpshooters firer.figures=8";
    assert_eq!(of(sharp), [0, 0, 1, 1, 3, 4]);
    assert_eq!(of("firer.formation=column"), [0, 0, 1, 1, 1, 1]);
    let field = "firer.arm=field-gun firer.figures=8";
    assert_eq!(of(field), [0, 2, 4, 6, 14, 16]);
    let heavy = "firer.arm=heavy-gun firer.figures=8";
    assert_eq!(of(heavy), [0, 3, 6, 9, 21, 24]);
    // Three gunners, and the rest helpers, who fall first.
    let helped = "firer.arm=heavy-gun firer.figures=3 firer.helpers=5";
    assert_eq!(of(helped), [0, 3, 6, 9, 13, 14]);
}

#[test]
fn a_charge_goes_over_three_quarters_of_its_rate_and_no_farther() {
    let tables = printed();
    let rates = |arm| Pace::ALL.iter().map(move |&pace| (arm, pace));
    let rate = |(arm, pace)| printed().rate(arm, pace);
    assert!(rates(Arm::Infantry).map(rate).eq([15, 30, 30]));
    assert!(rates(Arm::Sharpshooters).map(rate).eq([15, 30, 30]));
    assert!(rates(Arm::Cavalry).map(rate).eq([30, 60, 60]));
    assert_eq!(tables.charge_distances(Arm::Infantry), (23, 30));
    assert_eq!(tables.charge_distances(Arm::Cavalry), (46, 60));
}

#[test]
fn the_lists_of_both_armies_are_as_printed() {
    let tables = printed();
    let list = |side| Class::ALL.iter().map(move |&class| (side, class));
    let of = |(side, class)| printed().campaign.foot(side, class);
    assert!(list(Side::Federal).map(of).eq([3, 1, 5, 2, 1]));
    assert!(list(Side::Confederate).map(of).eq([2, 1, 3, 2, 0]));
    let gunners = Side::ALL.iter().map(|&side| tables.campaign.gunners(side));
    assert!(gunners.eq([5, 4]));
    let dies = Obstacle::ALL.iter().map(|&over| tables.dies_from(over));
    assert!(dies.eq([6, 6, 5]));
}

#[test]
fn works_have_the_printed_hits() {
    let tables = printed();
    let hits = Work::ALL.iter().map(|&work| tables.work_hits(work));
    assert!(hits.eq([40, 40, 20, 20, 40, 20, 10]));
}

#[test]
fn each_morale_flag_is_worth_its_printed_points() {
    // A class D regiment of 15 routs at 9: from 13 it routs when it loses 4 or more.
    let routs_from = |flag: &str| {
        let text = format!("target.class=D target.figures=13 target.original=15 {flag}");
        let p = solved("fire", &text);
        let (routs, lost) = (
            p.position("routs").unwrap(),
            p.position("casualties").unwrap(),
        );
        let least = p
            .joint()
            .iter()
            .filter(|r| r.0[routs] == 1)
            .map(|r| r.0[lost])
            .min();
        least.unwrap()
    };
    assert_eq!(routs_from(""), 4);
    for flag in [
        "isolated",
        "cavalry_near",
        "officer_fail",
        "formation_fail",
        "saw_rout",
    ] {
        assert_eq!(routs_from(&format!("target.{flag}=true")), 3, "{flag}");
    }
    // An officer's point is worth a figure while he lives, but the fire that costs four may kill him.
    assert_eq!(routs_from("target.officer_attached=true"), 4);
    let alone = "target.officer_attached=true target.successor=false";
    assert_eq!(routs_from(alone), 3);
    assert_eq!(routs_from("target.cover=soft"), 5);
    assert_eq!(routs_from("target.cover=hard"), 6);
}

fn variant(text: &str) -> Result<(), String> {
    let text = format!("rules = \"acw28\"\n{text}");
    let variant = Variant::parse("house.toml", &text).unwrap();
    crate::find("acw28")
        .and_then(|ruleset| ruleset.load(&[variant]))
        .map(drop)
        .map_err(|e| e.to_string())
}

#[test]
fn a_variant_may_change_a_cell_and_a_wrong_one_is_named() {
    let house = "[tables.saves.rows]\nopen = { small-arms-short = \"6\" }\n\
                 [assumptions.odd_figure_fires]\nvalue = true\n\
                 [lists.formation_test.values]\nE = \"+5\"";
    assert_eq!(variant(house), Ok(()));
    let wrong = [
        (
            "[tables.saves.rows]\nopen = { artillery-long = \"4 6\" }",
            "saves.rows.open[artillery-long]",
        ),
        (
            "[tables.melee_kills.rows]\nA = { hard = \"11\" }",
            "melee_kills.rows.A[hard]",
        ),
        (
            "[tables.ranges.rows]\nbow = { short = \"near\" }",
            "ranges.rows.bow[short]",
        ),
        (
            "[tables.to_hit.rows]\nD = { small-arms = \"-\" }",
            "to_hit.rows.D[small-arms]",
        ),
        (
            "[tables.hit_modifiers.rows]\ncolumn = { artillery = \"x\" }",
            "hit_modifiers.rows.column[artillery]",
        ),
        (
            "[tables.rout_companies.rows]\nA = { 8 = \"many\" }",
            "rout_companies.rows.A[8]",
        ),
        (
            "[tables.rout_companies]\ncolumns = [\"4\", \"5\", \"6\", \"7\", \"9\"]",
            "rout_companies.columns",
        ),
        (
            "[tables.muster.rows]\nfederal = { cavalry = \"W6\" }",
            "muster.rows.federal[cavalry]",
        ),
        (
            "[lists.formation_test.values]\nB = 3",
            "formation_test.values.B",
        ),
        (
            "[lists.work_hits.values]\nfence = 0",
            "work_hits.values.fence",
        ),
        (
            "[lists.fire_dice.values]\nheavy-gun = 9",
            "fire_dice.values.heavy-gun",
        ),
        (
            "[tables.permitted.rows]\nD = { cavalry = \"column\" }",
            "permitted.rows.D[cavalry]",
        ),
        (
            "[tables.movement.rows]\nhorse = { charge = \"fast\" }",
            "movement.rows.horse[charge]",
        ),
        (
            "[tables.foot_classes.rows]\nfederal = { C = 20, D = 20 }",
            "foot_classes.rows.federal",
        ),
        (
            "[tables.mounted_classes.rows]\nbattery = { 1 = \"D\" }",
            "mounted_classes.rows.battery[1]",
        ),
        (
            "[tables.crossing.rows]\nriver = { dies-on = \"5\" }",
            "crossing.rows.river[dies-on]",
        ),
        (
            "[lists.flank_march.values]\nown-forward = 4",
            "flank_march.values.own-forward",
        ),
        ("[lists.dusk.values]\nspring = 12", "dusk.values.spring"),
        (
            "[assumptions.odd_figure_fires]\nvalue = 2",
            "assumptions.odd_figure_fires.value",
        ),
    ];
    for (text, key) in wrong {
        let error = variant(text).expect_err(key);
        assert!(
            error.contains("house.toml") && error.contains(key),
            "{error}"
        );
    }
}
