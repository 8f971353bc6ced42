//! One fight, every question: a fight file asked of every procedure, by every command.

use crate::program::Work;
use serde_json::Value;

/// A ruleset, a fight in it, and what that comes to in the words of each procedure.
type Fight = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const FIGHTS: &[Fight] = &[
    (
        "elephant",
        "range = 80\ndistance = 90\nturns = 3\n\
         [attacker]\nstands = 8\ngrade = \"veteran\"\npanic = 1\n\
         [defender]\nstands = 9\ncover = \"wall\"\ncommander = 1\n",
        &[
            (
                "fire",
                "range=80 firer.stands=8 firer.panic=1 target.stands=9 target.cover=soft",
            ),
            (
                "charge",
                "distance=90 attacker.stands=8 attacker.grade=veteran attacker.panic=1 \
                 defender.stands=9 defender.cover=wall defender.commander=1",
            ),
            (
                "melee",
                "attacker.stands=8 attacker.grade=veteran defender.stands=9 defender.cover=wall \
                 defender.commander=1",
            ),
            (
                "firefight",
                "range=80 turns=3 a.stands=8 a.grade=veteran a.panic=1 b.stands=9 b.cover=soft \
                 b.commander=1",
            ),
            ("morale", "unit.grade=veteran unit.panic=1"),
            ("morale --unit defender", "unit.cover=true unit.commander=1"),
            ("contagion", "unit.grade=veteran unit.panic=1"),
            ("commander", ""),
            ("muster", ""),
        ],
    ),
    (
        "gbacw",
        "turns = 2\n\
         [attacker]\nsp = 5\nmorale = \"4\"\nfire = 12\nshift = 1\nmelee_shift = 2\n\
         [defender]\nsp = 6\nmorale = \"2\"\nfire = 8\nfire_per_sp = 1.5\n",
        &[
            ("fire", "strength=12 shift=1 target.sp=6 target.morale=2"),
            (
                "charge",
                "attacker.strength=5 attacker.morale=4 shift=2 defender.strength=6 \
                 defender.morale=2 defender.fire=8",
            ),
            (
                "melee",
                "attacker.strength=5 attacker.morale=4 shift=2 defender.strength=6 \
                 defender.morale=2",
            ),
            ("morale", "morale=4"),
            ("morale --unit defender", "morale=2"),
        ],
    ),
    (
        "acw28",
        "range = 20\nturns = 3\nmelee_turns = 2\n\
         [attacker]\nclass = \"B\"\nfigures = 14\n\
         [defender]\nclass = \"D\"\nfigures = 12\nweapon = \"musket\"\n",
        &[
            (
                "fire",
                "range=20 firer.class=B firer.figures=14 target.class=D target.figures=12",
            ),
            (
                "charge",
                "turns=2 attacker.class=B attacker.figures=14 defender.class=D \
                 defender.figures=12 defender.weapon=musket",
            ),
            (
                "melee",
                "attacker.class=B attacker.figures=14 defender.class=D defender.figures=12",
            ),
            (
                "firefight",
                "range=20 turns=3 a.class=B a.figures=14 b.class=D b.figures=12 b.weapon=musket",
            ),
            ("formation --unit defender", "class=D turns=3"),
            ("demolition", "turns=3 class=B"),
        ],
    ),
    (
        "impact",
        "[attacker]\ngrade = \"veteran\"\nfigures = 5\nweapon = \"sharps\"\n\
         [defender]\nlevel = \"disorder\"\nworks = \"light\"\n",
        &[
            ("fire", "figures=5 weapon=sharps"),
            (
                "charge",
                "attacker.grade=veteran defender.level=disorder defender.works=light",
            ),
            ("morale", "unit.grade=veteran"),
            (
                "morale --unit defender",
                "unit.level=disorder unit.works=light",
            ),
        ],
    ),
    (
        "fireline",
        "range = 2\nturns = 2\nrounds = 2\n\
         [attacker]\nsp = 6\nleader = true\n\
         [defender]\nmorale = 6\nwall = true\no_hits = 1\n",
        &[
            (
                "fire",
                "range=2 firer.sp=6 firer.leader=true target.morale=6 target.wall=true \
                 target.o_hits=1",
            ),
            (
                "charge",
                "rounds=2 attacker.sp=6 attacker.leader=true defender.morale=6 \
                 defender.wall=true defender.o_hits=1",
            ),
            (
                "melee",
                "rounds=2 attacker.sp=6 attacker.leader=true defender.morale=6 \
                 defender.wall=true defender.o_hits=1",
            ),
            (
                "firefight",
                "range=2 turns=2 a.sp=6 a.leader=true b.morale=6 b.wall=true b.o_hits=1",
            ),
            ("morale", "unit.sp=6 unit.leader=true"),
            ("straggle", "leader=true"),
            ("straggle --unit defender", "morale=6"),
        ],
    ),
    (
        "common",
        "ruleset = \"fireline\"\nrange = 200\nturns = 2\n\
         [attacker]\nmen = 600\ngrade = \"veteran\"\n\
         [defender]\ncover = \"hard\"\n",
        &[
            (
                "fire",
                "ruleset=fireline range=200 firer.men=600 firer.grade=veteran target.cover=hard",
            ),
            (
                "charge",
                "ruleset=fireline attacker.men=600 attacker.grade=veteran defender.cover=hard",
            ),
            (
                "firefight",
                "ruleset=fireline range=200 turns=2 a.men=600 a.grade=veteran b.cover=hard",
            ),
        ],
    ),
];

fn with_fight(rules: &str, fight: &str) -> Work {
    Work::new().with("fight.toml", &format!("rules = \"{rules}\"\n{fight}"))
}

/// What was answered, without the remark about what had no use.
fn answer(json: &Value) -> [&Value; 2] {
    [&json["settings"], &json["variables"]]
}

#[test]
fn a_fight_gives_every_procedure_the_answer_of_its_own_words() {
    for (rules, fight, asked) in FIGHTS {
        let work = with_fight(rules, fight);
        for (procedure, words) in *asked {
            let by_file = work.run(&format!(
                "odds {rules} {procedure} --file fight.toml --format json"
            ));
            let name = procedure.split_whitespace().next().unwrap();
            let by_words = work.run(&format!("odds {rules} {name} {words} --format json"));
            let (by_file, by_words) = (by_file.json(), by_words.json());
            assert_eq!(answer(&by_file), answer(&by_words), "{rules} {procedure}");
        }
    }
}

#[test]
fn what_a_procedure_has_no_use_for_is_noted_by_every_command() {
    let (rules, fight, _) = FIGHTS[0];
    let work =
        with_fight(rules, fight).with("house.toml", "rules = \"elephant\"\nname = \"house\"\n");
    let note = "note: fight.toml: fire has no use for distance, turns, attacker.grade, \
                defender.commander";
    for command in [
        "odds elephant fire",
        "what-if elephant fire --of mean(hits) --mine firer",
        "break-even elephant fire --vary range --of mean(hits) --at 1",
        "diff elephant fire --variant house.toml",
    ] {
        let ran = work.run(&format!("{command} --file fight.toml"));
        let said = ran.good().split_whitespace().collect::<Vec<_>>().join(" ");
        ran.check(said.contains(note), "should have the note");
        let json = work
            .run(&format!("{command} --file fight.toml --format json"))
            .json();
        assert!(
            json["notes"].to_string().contains("has no use for"),
            "{command}"
        );
        let csv = work.run(&format!("{command} --file fight.toml --format csv"));
        csv.check(csv.code == Some(0), "should succeed");
        if !command.starts_with("odds") {
            csv.check(csv.err.contains(note), "should say it beside the CSV");
        }
    }
    // Of two fights only what neither has a use for.
    work.run("points elephant --sizes 8 --file fight.toml")
        .says(&[
            "distance=90",
            "range=80",
            "attacker.grade=veteran",
            "a.grade=veteran",
        ]);
    let (_, fight, _) = FIGHTS[5];
    with_fight("common", fight)
        .run("compare charge --file fight.toml")
        .says(&["note: fight.toml: a comparison has no use for range, turns, ruleset"]);
}

#[test]
fn a_word_that_is_typed_must_have_a_use() {
    let (rules, fight, _) = FIGHTS[0];
    let work = with_fight(rules, fight);
    work.run("odds elephant fire attacker.stands=5 --file fight.toml --format json")
        .says(&["\"firer.stands\": 5"]);
    work.run("odds elephant fire attacker.grade=elite --file fight.toml")
        .refused(&["attacker.grade"]);
    // What a charge calls a wall is soft cover to a volley, and that is said.
    work.run("odds elephant fire target.cover=wall --file fight.toml")
        .says(&[
            "target.cover=soft",
            "target.cover=wall is read as target.cover=soft",
        ]);
    work.run("odds elephant fire target.cover=moat --file fight.toml")
        .refused(&["target.cover", "open | soft | hard"]);
}

#[test]
fn a_wrong_fight_is_refused_with_file_and_key() {
    let wrong = |text: &str, all: &[&str]| {
        with_fight("elephant", text)
            .run("odds elephant charge --file fight.toml")
            .refused(&[&["fight.toml"], all].concat());
    };
    wrong(
        "[attacker]\ngrad = \"elite\"\n",
        &["attacker.grad", "did you mean `attacker.grade`?"],
    );
    wrong(
        "[a]\nstands = 5\n",
        &["a.stands", "a fight says `attacker.stands`"],
    );
    wrong(
        "[attacker]\nstands = 99\n",
        &["attacker.stands", "99", "1 to 40"],
    );
    wrong(
        "[attacker]\nstands = []\n",
        &["attacker.stands", "single value"],
    );
    with_fight("gbacw", "")
        .run("odds elephant charge --file fight.toml")
        .refused(&["elephant", "gbacw"]);
    with_fight("elephant", "")
        .run("odds elephant morale --file fight.toml --unit third")
        .refused(&["--unit", "attacker or defender"]);
}

#[test]
fn the_printed_fight_can_be_asked_at_once() {
    for (rules, _, asked) in FIGHTS {
        let printed = Work::new()
            .run(&format!("rules {rules} --fight"))
            .good()
            .to_owned();
        let work = Work::new().with("fight.toml", &printed);
        for (procedure, _) in *asked {
            let name = procedure.split_whitespace().next().unwrap();
            // The file names its rules, so that the procedure is enough.
            let by_file = work.run(&format!("odds {name} --file fight.toml --format json"));
            let plain = work.run(&format!("odds {rules} {name} --format json"));
            assert_eq!(by_file.good(), plain.good());
        }
    }
}
