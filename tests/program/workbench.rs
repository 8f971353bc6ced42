//! The commands of the designer's workbench.

use crate::files::of_the_project;
use crate::program::Work;

/// The example of a variant.
fn variant() -> String {
    let file = of_the_project("experiments/variants/elephant-even-melee.toml");
    file.display().to_string()
}

#[test]
fn wrong_input_says_what_is_allowed_and_prints_nothing() {
    let variant = variant();
    for (args, wanted) in [
        (
            "what-if elephant muster",
            "no outcome favours a side; ask for weapon= one of",
        ),
        (
            "what-if elephant charge --of outcome=atacker-wins",
            "did you mean `attacker-wins`?",
        ),
        (
            "what-if elephant charge --of mean(outcome)",
            "is a category",
        ),
        ("what-if elephant fire --of hits=many", "it is a number"),
        (
            "what-if elephant charge --of contact=yes --mine atacker",
            "did you mean `attacker`?",
        ),
        (
            "what-if gbacw morale --of passed=yes --mine a",
            "has no sides",
        ),
        (
            "what-if elephant charge attacker.kind=artillery --of contact=yes",
            "artillery may not charge",
        ),
        (
            "what-if elefant charge --of contact=yes",
            "did you mean `elephant`?",
        ),
        ("diff elephant melee", "no house rule given: --variant"),
        (
            "diff elephant melee --variant no-such.toml",
            "cannot be read",
        ),
        (
            &format!("diff acw28 fire --variant {variant}"),
            "is a variant of `elephant`",
        ),
        (
            &format!("diff elephant melee --variant {variant} --sweep attacker.stands=0..3"),
            "from 1 to 40",
        ),
        (
            &format!("diff elephant melee --variant {variant} --sweep attacker.stands"),
            "is not a sweep",
        ),
        (
            &format!("diff elephant melee --variant {variant} --charts taken"),
            "--charts must be a directory",
        ),
        (
            "break-even elephant charge --vary attacker.grade --of contact=yes",
            "not a number",
        ),
        (
            "break-even elephant charge --vary attacker.stnds --of contact=yes",
            "did you mean `attacker.stands`?",
        ),
        (
            "break-even elephant charge --vary attacker.stands --of contact=yes --at 2",
            "from 0 to 1",
        ),
        (
            "break-even elephant charge --vary attacker.stands --of contact=yes --within 0..9",
            "from 1 to 40",
        ),
        (
            "break-even elephant charge --vary attacker.stands --of contact=yes --within nine",
            "FROM..TO",
        ),
        (
            "break-even elephant charge --vary attacker.stands --of contact=yes --sweep attacker.stands=1,2",
            "varied and swept",
        ),
        ("points impact", "impact cannot be priced"),
        ("points common", "common cannot be priced"),
        ("points elephant --procedure melee", "charge, firefight"),
        ("points elephant --sizes 99", "from 1 to 40"),
        ("points elephant rnge=5", "did you mean `range`?"),
        ("points elephant charge", "--procedure charge"),
    ] {
        let work = Work::new().with("taken", "");
        work.run(args).refused(&[wanted]);
    }
}

#[test]
fn each_command_prints_tables_json_and_csv_and_draws() {
    let work = Work::new();
    let variant = variant();
    for (args, chart) in [
        (
            "what-if elephant melee --of winner=attacker --pairs",
            Some("what-if-elephant-melee"),
        ),
        (
            &*format!(
                "diff elephant melee --variant {variant} --sweep attacker.stands=8..12 --sweep attacker.grade=elite,regular"
            ),
            Some("diff-elephant-melee"),
        ),
        (
            "break-even elephant melee --vary attacker.stands --of winner=attacker",
            Some("break-even-elephant-melee"),
        ),
        ("points gbacw --sizes 4 --procedure charge", None),
    ] {
        let words = match chart {
            Some(_) => format!("{args} --charts ."),
            None => args.to_owned(),
        };
        let table = work.run(&words);
        table.says(&["exact"]);
        let again = work.run(&format!("{words} --threads 1"));
        assert_eq!(table.good(), again.good(), "{args}");
        let json = work.run(&format!("{words} --format json")).json();
        assert!(json["rules"].is_string());
        let csv = work.run(&format!("{words} --format csv"));
        let csv = csv.good();
        for sheet in csv.split("\n\n") {
            let mut reader = csv::Reader::from_reader(sheet.as_bytes());
            let lines = reader
                .records()
                .map(|line| line.expect("as many cells as headings"));
            assert!(lines.count() > 0, "{csv}");
        }
        if let Some(stem) = chart {
            for ending in ["svg", "png"] {
                let file = work.path().join(format!("{stem}.{ending}"));
                assert!(file.metadata().unwrap().len() > 1000, "{}", file.display());
            }
        }
    }
}

#[test]
fn what_carries_a_charge_is_told_in_shares_that_are_one_together() {
    let words = "weigh elephant charge --over \
                 attacker.grade=elite:1,regular:6,militia:3,attacker.stands=6..12,defender.cover,attacker.flank --format json";
    let json = Work::new().run(words).json();
    let carried = json["carried"].as_array().expect("settings");
    assert_eq!(carried.len(), 4);
    let all = |part: &str| -> f64 {
        carried
            .iter()
            .filter_map(|one| one[part]["value"].as_f64())
            .sum()
    };
    assert!((all("share") - 1.0).abs() < 1e-12, "{}", all("share"));
    assert!(all("alone") < 1.0 && all("total") > 1.0);
    assert_eq!(carried[0]["key"], "attacker.flank");
    assert_eq!(json["cells"], 3 * 7 * 3 * 2);
    // The mean is that of the weighted odds themselves.
    let means = carried
        .iter()
        .find(|one| one["key"] == "attacker.grade")
        .expect("the grade")["means"]
        .as_array()
        .expect("means")
        .clone();
    let weighted: f64 = [0.1, 0.6, 0.3]
        .iter()
        .zip(&means)
        .map(|(weight, mean)| weight * mean["value"].as_f64().expect("a mean"))
        .sum();
    assert!((weighted - json["mean"]["value"].as_f64().expect("a mean")).abs() < 1e-12);
}

#[test]
fn of_two_settings_shares_are_what_the_four_odds_say() {
    let work = Work::new();
    let success = |words: &str| {
        let json = work
            .run(&format!("odds elephant charge {words} --format json"))
            .json();
        json["success"].as_f64().expect("a chance")
    };
    let cells = [
        success("attacker.flank=false defender.cover=open"),
        success("attacker.flank=false defender.cover=wall"),
        success("attacker.flank=true defender.cover=open"),
        success("attacker.flank=true defender.cover=wall"),
    ];
    let mean = cells.iter().sum::<f64>() / 4.0;
    let variance = cells.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / 4.0;
    let flank = (cells[2] + cells[3] - cells[0] - cells[1]) / 4.0;
    let json = work
        .run("weigh elephant charge --over attacker.flank,defender.cover=open,wall --format json")
        .json();
    let one = json["carried"]
        .as_array()
        .expect("settings")
        .iter()
        .find(|one| one["key"] == "attacker.flank")
        .expect("the flank")
        .clone();
    let alone = one["alone"]["value"].as_f64().expect("a share");
    assert!((alone - flank * flank / variance).abs() < 1e-12);
}

#[test]
fn cells_that_the_rules_refuse_are_left_out_and_counted() {
    let ran = Work::new()
        .run("weigh elephant charge --over attacker.kind,attacker.grade=elite,poor --format json");
    let json = ran.json();
    let refused = json["refused"].as_array().expect("reasons");
    assert!(!refused.is_empty());
    let all = |part: &str| -> f64 {
        let carried = json["carried"].as_array().expect("settings");
        carried
            .iter()
            .filter_map(|one| one[part]["value"].as_f64())
            .sum()
    };
    assert!((all("share") - 1.0).abs() < 1e-12);
}

#[test]
fn over_its_budget_a_grid_is_sampled_and_the_intervals_hold_what_the_whole_grid_says() {
    let work = Work::new();
    let words = "weigh gbacw charge --over attacker.strength=1..12,defender.strength=1..12,attacker.morale,defender.morale";
    let whole = work
        .run(&format!("{words} --max-cells 100000 --format json"))
        .json();
    let sampled = work
        .run(&format!("{words} --max-cells 3000 --format json"))
        .json();
    assert!(whole["sampled"].is_null() && sampled["sampled"]["points"].as_u64() >= Some(16));
    assert!(sampled["cells"].as_u64() <= Some(3000));
    let mut shares = 0.0;
    for exact in whole["carried"].as_array().expect("settings") {
        let guess = sampled["carried"].as_array().expect("settings").iter();
        let guess = guess
            .clone()
            .find(|one| one["key"] == exact["key"])
            .expect("the same");
        shares += guess["share"]["value"].as_f64().expect("a share");
        for part in ["share", "alone", "total"] {
            let exact = exact[part]["value"].as_f64().expect("a share");
            let [value, low, high] =
                ["value", "low", "high"].map(|end| guess[part][end].as_f64().expect("a number"));
            // Of twelve intervals one may miss, none by as much again.
            let half = (high - low) / 2.0;
            assert!(
                (value - exact).abs() < 2.0 * half + 1e-9,
                "{part}: {exact} {value} ± {half}"
            );
        }
    }
    assert!((shares - 1.0).abs() < 1e-12);
    // The same on any number of threads.
    let one = work.run(&format!(
        "{words} --max-cells 3000 --threads 1 --format json"
    ));
    assert_eq!(one.json(), sampled);
}

#[test]
fn a_printed_number_that_varies_says_what_its_variants_say() {
    let work = Work::new();
    let cells = [7, 8, 9].map(|value| {
        let text = format!(
            "rules = \"elephant\"\nname = \"v\"\n[lists.morale_values.values]\nregular = {value}\n"
        );
        let file = format!("v{value}.toml");
        let work = Work::new().with(&file, &text);
        let json = work
            .run(&format!(
                "odds elephant charge --variant {file} --format json"
            ))
            .json();
        json["success"].as_f64().expect("a chance")
    });
    let json = work
        .run("weigh elephant charge --cells lists.morale_values --format json")
        .json();
    let one = &json["carried"][0];
    assert_eq!(one["key"], "lists.morale_values.values.regular");
    let means: Vec<f64> = (one["means"].as_array().expect("means").iter())
        .map(|mean| mean["value"].as_f64().expect("a mean"))
        .collect();
    for (mean, cell) in means.iter().zip(cells) {
        assert!((mean - cell).abs() < 1e-12, "{means:?} {cells:?}");
    }
    // Nothing else of that list is read by a charge of regulars on regulars.
    assert_eq!(json["carried"].as_array().map(Vec::len), Some(1));
    assert!(json["left_out"]["unread"].as_u64() > Some(3));
}

#[test]
fn what_cannot_be_weighed_is_refused_with_what_is_allowed() {
    let work = Work::new();
    for (words, named) in [
        ("--over attacker.grad", "attacker.grade"),
        ("--over attacker.grade=elite,brave", "brave"),
        ("--over attacker.grade=elite:0,regular", "above nought"),
        ("--over attacker.grade=elite,elite", "elite twice"),
        ("--over attacker.grade=elite", "one value"),
        ("--over attacker.flank,attacker.flank", "swept twice"),
        ("attacker.flank=true --over attacker.flank", "swept and set"),
        ("--max-cells 10", "from 100"),
        ("--by 2", "--cells"),
        ("--cells tables.nothing", "tables.fire_results"),
        ("--cells lists.morale_values.elite", "not read"),
        ("--cells lists.morale_values.regular=6,brave", "brave"),
        (
            "--max-cells 100 --over attacker.stands,defender.stands,attacker.grade,defender.grade,defender.cover",
            "too few to sample 5",
        ),
    ] {
        work.run(&format!("weigh elephant charge {words}"))
            .refused(&[named]);
    }
}

/// Half of what a better morale is worth is too cheap, three times what a worse one is worth too dear; all that is wrong with a
/// list is told before anything is worked out.
#[test]
fn a_price_list_is_held_against_what_units_are_worth() {
    let found = Work::new()
        .run("points gbacw --sizes 4 --procedure charge --format json")
        .json();
    let prices = found["prices"].as_array().expect("prices");
    let worth = |value: &str| {
        let price = prices
            .iter()
            .find(|p| p["key"] == "morale" && p["value"] == value);
        price.expect("a price")["worth"].as_f64().expect("a worth")
    };
    let usual = prices
        .iter()
        .find(|p| p["reference"] == true)
        .expect("the usual one");
    let usual = usual["value"].as_str().expect("a value");
    let (cheap, dear) = (5.0 * worth("6"), 30.0 * worth("1"));
    let list = format!("rules = 'gbacw'\n[morale]\n{usual} = 10\n6 = {cheap}\n1 = {dear}\n");
    let work = Work::new().with("prices.toml", &list);
    let asked = "points gbacw --sizes 4 --procedure charge --prices prices.toml";
    let told = work.run(&format!("{asked} --format json")).json();
    let listed = told["listed"].as_array().expect("a list");
    let of = |value: &str| {
        listed
            .iter()
            .find(|one| one["value"] == value)
            .expect("a line")
    };
    assert_eq!(of("6")["verdict"], "underpriced");
    assert!((of("6")["over"].as_f64().expect("a share") + 0.5).abs() < 1e-9);
    assert_eq!(of("1")["verdict"], "overpriced");
    assert_eq!(of(usual)["verdict"], "fair");
    work.run(asked)
        .says(&["Overpriced: morale 1", "Underpriced: morale 6 by 50.0 %"]);

    let wrong = "[morale]\n6 = -1\n9 = 3\n[weapon]\nmusket = 1\n";
    let work = Work::new().with("prices.toml", wrong);
    work.run(asked).refused(&[
        "prices.toml:1:2: `morale.",
        "is missing: the others are compared",
        "prices.toml:2:5: `morale.6`: must be a price above 0",
        "prices.toml:3:1: `morale.9`: is unknown",
        "prices.toml:4:2: `weapon`: is unknown; allowed is rules, morale",
    ]);
    work.run("points gbacw,elephant --prices prices.toml")
        .refused(&["--prices", "elephant is a second"]);
    Work::new()
        .with("prices.toml", "rules = 'gbacw'\n")
        .run(asked)
        .refused(&["prices.toml:1:1: it has no prices"]);
}
