//! Files of every kind with three mistakes each: all are told of, each with its line.

use crate::audit::audit;
use crate::luck::{game, read_log};
use crate::run::Prepared;
use crate::tune::{TuneAsked, Wish, tune};
use crate::{Experiment, Overrides, PointsAsked, parse_style, points, sheet};
use grapeshot_rules::fight::RawSettings;
use grapeshot_rules::{LoadedRuleset, Options, RuleError, Variant, find};

/// Checks that there are just these mistakes, each given as line and column, key, and part of the sentence.
fn check(error: impl Into<String>, file: &str, expected: [[&str; 3]; 3]) {
    let told = error.into();
    assert!(told.starts_with("3 things are wrong:\n"), "{told}");
    for [place, key, part] in expected {
        let start = format!("  {file}:{place}: {key}");
        let mut lines = told.lines().filter(|line| line.starts_with(&start));
        assert!(
            lines.any(|line| line.contains(part)),
            "{start} … {part}\n{told}"
        );
    }
}

fn none(name: &str) -> Result<String, RuleError> {
    panic!("no other file is named, not even {name}")
}

fn elephant(variant: &str) -> Result<LoadedRuleset, RuleError> {
    let variant = Variant::parse("v.toml", &format!("rules = \"elephant\"\n{variant}"))?;
    find("elephant")?.load(&[variant])
}

#[test]
fn in_a_study() {
    let read = |text: &str| {
        let read = Prepared::read("s", "s.toml", text, Overrides::default(), none);
        read.expect_err("three mistakes").to_string()
    };
    let told = read(
        "titel = 't'\nquestion = 'q'\nrules = 'elephant'\nprocedure = 'charge'\n\
         title = 't'\ntrials = 0\n[[chart]]\nkind = 'lines'\n",
    );
    let expected = [
        ["1:1", "`titel`", "did you mean `title`?"],
        [
            "6:10",
            "`trials`",
            "cannot be `0`; allowed is a whole number of at least 1",
        ],
        [
            "8:8",
            "`chart[1].kind`",
            "cannot be `lines`; allowed is line | ",
        ],
    ];
    check(told, "s.toml", expected);
    let told = read(
        "title = 't'\nquestion = 'q'\nrules = 'elephant'\nprocedure = 'charge'\n\
         [settings]\nattacker.grade = 'vet'\n[[sweep]]\ndefender.stand = [6]\n\
         [[finding]]\nof = 'succes'\nname = 'n'\n",
    );
    let expected = [
        [
            "6:18",
            "`settings.attacker.grade`",
            "did you mean `veteran`?",
        ],
        [
            "8:18",
            "`sweep[1].defender.stand`",
            "unknown setting of charge",
        ],
        ["10:6", "`finding[1].of`", "succes"],
    ];
    check(told, "s.toml", expected);
    assert!(Experiment::parse("s", "s.toml", "title = 1").is_err());
}

#[test]
fn in_a_style() {
    let text = "[figure]\nwidth = '84px'\ndpi = 3\n[words]\nattacker-wons = 'x'\n";
    let told = parse_style("h.toml", text).expect_err("three mistakes");
    let expected = [
        ["2:9", "`figure.width`", "`84px`; allowed is a length"],
        ["3:7", "`figure.dpi`", "from 50 to 1200"],
        [
            "5:17",
            "`words.attacker-wons`",
            "did you mean `attacker-wins`?",
        ],
    ];
    check(told.to_string(), "h.toml", expected);
}

#[test]
fn in_a_variant() {
    let text = "[lists.dice.values]\nfyre = 12\n[tables.melee_results.rows]\n8 = ['A']\n[assumption]\nx = 1\n";
    let told = elephant(text).expect_err("three mistakes").to_string();
    let expected = [
        ["3:8", "`lists.dice.values.fyre`", "did you mean `fire`?"],
        ["5:5", "`tables.melee_results.rows.8`", "has 1 cells"],
        ["6:2", "`assumption`", "did you mean `assumptions`?"],
    ];
    check(told, "v.toml", expected);
    let head = Variant::parse("v.toml", "name = 1\nabout = 2\n").expect_err("three mistakes");
    let expected = [
        ["1:8", "`name`", "must be text, not `1`"],
        ["2:9", "`about`", "must be text, not `2`"],
        ["1:1", "`rules`", "a variant says what it varies"],
    ];
    check(head.to_string(), "v.toml", expected);
    let value = elephant("[lists.dice.values]\nfire = 'many'").expect_err("no die");
    assert!(value.to_string().starts_with("v.toml:3:8: "), "{value}");
}

#[test]
fn in_a_fight_and_in_a_scenario() {
    let fight =
        "rules = 'elephant'\nrnge = 50\n[attacker]\ngrade = 'vet'\n[defender]\nstandz = 3\n";
    let said = RawSettings::file("f.toml", fight).expect("a fight");
    let loaded = find("elephant").and_then(|r| r.load(&[])).expect("loaded");
    let fire = loaded.procedure("fire").expect("a procedure");
    let told = said.to(&loaded, fire).expect_err("three mistakes");
    let expected = [
        ["2:1", "`rnge`", "did you mean `range`?"],
        ["4:9", "`attacker.grade`", "did you mean `veteran`?"],
        ["6:1", "`defender.standz`", "is asked by no procedure"],
    ];
    check(told.to_string(), "f.toml", expected);
    let scenario = "rules = 3\nprocedure = 'fire'\nsettngs = 1\n[settings]\nrange = []\n";
    let told = RawSettings::file("f.toml", scenario).expect_err("three mistakes");
    let expected = [
        ["1:9", "`rules`", "must be text, not `3`"],
        ["3:1", "`settngs`", "did you mean `settings`?"],
        ["5:9", "`settings.range`", "must be a single value"],
    ];
    check(told.to_string(), "f.toml", expected);
}

#[test]
fn in_a_log() {
    let read = |file: &str, text: &str| {
        let load = |id: &str| find(id)?.load(&[]).map(std::sync::Arc::new);
        read_log(file, text, Options::exact(), load)
    };
    let text =
        "rules = 'elephant'\nnots = 'x'\n[[entry]]\nprocedur = 'fire'\n[entry.got]\nhits = []\n";
    let told = read("l.toml", text).expect_err("three mistakes");
    let expected = [
        ["2:1", "`nots`", "did you mean `note`?"],
        ["4:1", "`entry[1].procedur`", "did you mean `procedure`?"],
        ["6:8", "`entry[1].got.hits`", "must be a single value"],
    ];
    check(told.to_string(), "l.toml", expected);
    let text = "rules = 'elephant'\n[[entry]]\n[[entry]]\nrules = 'elefant'\nprocedure = 'fire'\n\
                [[entry]]\nrules = 'nobody'\nprocedure = 'fire'\n";
    let told = read("l.toml", text).expect_err("three mistakes");
    let expected = [
        ["2:1", "entry 1: ", "`procedure` is missing"],
        ["3:1", "entry 2: ", "did you mean `elephant`?"],
        ["6:1", "entry 3: ", "unknown ruleset `nobody`"],
    ];
    check(told.to_string(), "l.toml", expected);
    let lines = "elephant fire --got\n\n# a note\nelephant fire and more\nelephant --foo 1\n";
    let told = read("l.txt", lines).expect_err("three mistakes");
    let expected = [
        ["1", "entry 1: ", "--got says nothing"],
        ["4", "entry 2: ", "`and` is neither rules nor procedure"],
        ["5", "entry 3: ", "--foo is unknown"],
    ];
    check(told.to_string(), "l.txt", expected);
    let lines = "elephant fyre --got hits=0\nelephant fire rnge=5 --got hits=0\nelephant fire --got hit=0\n";
    let log = read("l.txt", lines).expect("a log");
    let told = game(&log, 1).expect_err("three mistakes");
    let expected = [
        ["1", "entry 1: ", "did you mean `fire`?"],
        ["2", "entry 2: ", "did you mean `range`?"],
        ["3", "entry 3: ", "hit"],
    ];
    check(told.to_string(), "l.txt", expected);
}

#[test]
fn in_a_file_of_wishes() {
    let text =
        "rules = 'gbacw'\n[[target]]\nprocedur = 'melee'\nwant = 'success=40%'\ntolerance = 'x'\n";
    let told = Wish::file("t.toml", text, "elephant").expect_err("three mistakes");
    let expected = [
        ["1:9", "`rules`", "the command is about `elephant`"],
        ["3:1", "`target[1].procedur`", "did you mean `procedure`?"],
        ["5:13", "`target[1].tolerance`", "cannot be `x`"],
    ];
    check(told.to_string(), "t.toml", expected);
    let text = "[[target]]\nprocedure = 'mele'\nwant = 'success=40%'\n\
                [[target]]\nprocedure = 'melee'\nwant = 'succes=40%'\n\
                [[target]]\nprocedure = 'melee'\nwant = 'success=140%'\n";
    let asked = TuneAsked {
        wishes: Wish::file("t.toml", text, "elephant").expect("wishes"),
        vary: vec!["tables.melee_results.8.*".into()],
        max_edits: 1,
        keep: crate::tune::Keep::Nothing,
        tolerance: None,
        shown: 0,
    };
    let loaded = find("elephant").and_then(|r| r.load(&[])).expect("loaded");
    let told = tune(&loaded, None, &asked, &Options::exact()).expect_err("three mistakes");
    let expected = [
        ["1:1", "unknown procedure", "did you mean `melee`?"],
        ["4:1", "", "succes"],
        ["7:1", "target success=140%", "from 0% to 100%"],
    ];
    check(told.to_string(), "t.toml", expected);
}

#[test]
fn in_what_a_ruleset_keeps_beside_its_tables() {
    let loaded = elephant("[points]\ngrade = 3\nsizes = 'x'\nunit = ['a stand']\n");
    // A variant says no more than kinds: that of a text is a single value.
    let told = loaded.expect_err("a list of another length");
    assert!(
        told.to_string().contains("v.toml:5:8: `points.unit`"),
        "{told}"
    );
    let loaded = elephant("[points]\ngrade = 3\nnote = 4\nweapon = true\n").expect("kinds fit");
    let told =
        points(&loaded, &PointsAsked::default(), Options::exact()).expect_err("three mistakes");
    let expected = [
        ["3:9", "`points.grade`", "must be text, not `3`"],
        ["4:8", "`points.note`", "must be text, not `4`"],
        ["5:10", "`points.weapon`", "must be text, not `true`"],
    ];
    check(told.to_string(), "v.toml", expected);
    let loaded = elephant("[sheet]\nabout = 3\n[sheet.thumbs]\ntitle = 1\nprocedure = 2\n");
    let told = sheet(&loaded.expect("kinds fit"), Options::exact()).expect_err("three mistakes");
    let expected = [
        ["3:9", "`sheet.about`", "must be text, not `3`"],
        ["5:9", "`sheet.thumbs.title`", "must be text, not `1`"],
        ["6:13", "`sheet.thumbs.procedure`", "must be text, not `2`"],
    ];
    check(told.to_string(), "v.toml", expected);
    let loaded = elephant(
        "[audit.grids.fire_results]\nwhom = 1\nrows = 'bettr'\n[audit.chances.charge]\nprocedure = 2\n",
    );
    let told = audit(&loaded.expect("kinds fit")).expect_err("three mistakes");
    let expected = [
        [
            "3:8",
            "`audit.grids.fire_results.whom`",
            "must be text, not `1`",
        ],
        [
            "4:8",
            "`audit.grids.fire_results.rows`",
            "did you mean `better`?",
        ],
        [
            "6:13",
            "`audit.chances.charge.procedure`",
            "must be text, not `2`",
        ],
    ];
    check(told.to_string(), "v.toml", expected);
    let told = elephant(
        "[fight.sides]\nscreen = 'defendr'\n[fight.names.commander]\nhits = 3\nstands_lost = 4\n",
    );
    let told = told.expect_err("three mistakes").to_string();
    let expected = [
        [
            "3:10",
            "`fight.sides.screen`",
            "allowed is attacker | defender | unit",
        ],
        ["5:8", "`fight.names.commander.hits`", "must be text"],
        [
            "6:15",
            "`fight.names.commander.stands_lost`",
            "must be text",
        ],
    ];
    check(told, "v.toml", expected);
}
