//! The commands of the designer's workbench.

use std::process::Command;

fn grapeshot(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_grapeshot"))
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn wrong_input_says_what_is_allowed_and_prints_nothing() {
    let variant = "experiments/variants/elephant-even-melee.toml";
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
            &format!("diff elephant melee --variant {variant} --charts Cargo.toml"),
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
        let words: Vec<&str> = args.split(' ').collect();
        let (code, out, err) = grapeshot(&words);
        assert_eq!(code, 2, "{args}\n{out}\n{err}");
        assert!(out.is_empty(), "{args} printed {out}");
        assert!(err.contains(wanted), "{args} said {err}");
    }
}

#[test]
fn each_command_prints_tables_json_and_csv_and_draws() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().to_str().unwrap();
    let variant = "experiments/variants/elephant-even-melee.toml";
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
        let mut words: Vec<&str> = args.split(' ').collect();
        if chart.is_some() {
            words.extend(["--charts", dir]);
        }
        let (code, table, err) = grapeshot(&words);
        assert_eq!(code, 0, "{args}: {err}");
        assert!(table.contains("exact"), "{args}\n{table}");
        let (_, again, _) = grapeshot(&[&words[..], &["--threads", "1"]].concat());
        assert_eq!(table, again, "{args}");
        let (code, json, _) = grapeshot(&[&words[..], &["--format", "json"]].concat());
        assert_eq!(code, 0);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(json["rules"].is_string());
        let (code, csv, _) = grapeshot(&[&words[..], &["--format", "csv"]].concat());
        assert_eq!(code, 0);
        for sheet in csv.split("\n\n") {
            let mut reader = csv::Reader::from_reader(sheet.as_bytes());
            let lines = reader
                .records()
                .map(|line| line.expect("as many cells as headings"));
            assert!(lines.count() > 0, "{csv}");
        }
        if let Some(stem) = chart {
            for ending in ["svg", "png"] {
                let file = place.path().join(format!("{stem}.{ending}"));
                assert!(file.metadata().unwrap().len() > 1000, "{}", file.display());
            }
        }
    }
}
