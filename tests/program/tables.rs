//! Tables to paste into a book: every form holds the same numbers.

use crate::program::Work;

const CHARGE: &str = "table elephant charge defender.grade=militia --columns outcome";

fn numbers(line: &[String]) -> Vec<f64> {
    let number = |cell: &String| {
        let plain = cell
            .trim_start_matches("\\textless{}")
            .trim_start_matches("\\<");
        let plain = plain.trim_start_matches("&lt;").trim_start_matches('<');
        plain.replace(',', ".").parse().unwrap_or(f64::NAN)
    };
    line[1..].iter().map(number).collect()
}

fn trimmed(cells: impl Iterator<Item = impl AsRef<str>>) -> Vec<String> {
    cells.map(|cell| cell.as_ref().trim().to_owned()).collect()
}

/// The rows of a form, label first, found by its structure.
fn rows(format: &str, text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().map(str::trim);
    match format {
        "csv" => {
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let rows = reader
                .records()
                .map(|row| trimmed(row.expect("a row").iter()));
            rows.collect()
        }
        "markdown" => lines
            .filter(|line| line.starts_with('|') && !line.starts_with("| ---"))
            .skip(1)
            .map(|line| trimmed(line.trim_matches('|').split('|')))
            .collect(),
        "latex" => lines
            .skip_while(|line| *line != "\\midrule")
            .filter_map(|line| line.strip_suffix("\\\\"))
            .map(|line| trimmed(line.split('&')))
            .collect(),
        "typst" => lines
            .filter(|line| line.starts_with('['))
            .map(|line| {
                let cells = line.trim_start_matches('[').trim_end_matches("],");
                trimmed(cells.split("], ["))
            })
            .collect(),
        "html" => text
            .split("<tr>")
            .filter(|row| row.contains("<td"))
            .map(|row| {
                let cells = row.split("<td").skip(1);
                let inside = |cell: &str| {
                    let open = cell.find('>').map_or(0, |at| at + 1);
                    cell[open..]
                        .split('<')
                        .next()
                        .unwrap_or_default()
                        .to_owned()
                };
                trimmed(cells.map(inside))
            })
            .collect(),
        "text" => lines
            .skip_while(|line| !line.starts_with("elite"))
            .take_while(|line| !line.is_empty())
            .map(|line| trimmed(line.split_whitespace()))
            .collect(),
        other => panic!("no form {other}"),
    }
}

#[test]
fn every_form_holds_the_same_numbers_each_rounded_by_itself() {
    let work = Work::new();
    let csv = rows("csv", work.run(&format!("{CHARGE} --format csv")).good());
    assert_eq!(csv.len(), 6, "a row for each grade");
    let json = work.run(&format!("{CHARGE} --format json")).json();
    let sums: Vec<f64> = csv.iter().map(|row| numbers(row).iter().sum()).collect();
    assert!(
        sums.iter().all(|sum| (sum - 100.0).abs() < 0.35),
        "{sums:?}"
    );
    let uneven = sums.iter().any(|sum| (sum - 100.0).abs() > 1e-9);
    let told = work
        .run(CHARGE)
        .good()
        .contains("each number is rounded by itself");
    assert_eq!(
        uneven, told,
        "a table that does not add up says so: {sums:?}"
    );
    for format in ["markdown", "latex", "typst", "html", "text"] {
        let found = rows(
            format,
            work.run(&format!("{CHARGE} --format {format}")).good(),
        );
        assert_eq!(found.len(), csv.len(), "{format}");
        for (at, (row, same)) in found.iter().zip(&csv).enumerate() {
            assert_eq!(row[0], same[0], "{format}");
            let (row, same) = (numbers(row), numbers(same));
            assert_eq!(row.len(), same.len(), "{format}");
            for (column, (x, y)) in row.iter().zip(&same).enumerate() {
                let exact = json["cells"][at][column]["value"]
                    .as_f64()
                    .expect("a number");
                // What is not quite nothing is printed as less than the smallest number.
                let tiny = *y == 0.0 && *x == 0.1 && exact > 0.0;
                assert!(
                    x == y || tiny,
                    "{format}, row {at}, column {column}: {x} and {y}"
                );
                assert!((100.0 * exact - y).abs() < 0.1, "{exact} is printed {y}");
            }
        }
    }
}

#[test]
fn a_table_for_a_book_is_whole_and_its_caption_says_what_and_how() {
    let work = Work::new();
    let ran = work.run(&format!("{CHARGE} --format latex"));
    ran.says(&[
        "% needs \\usepackage{booktabs}",
        "% made by grapeshot table elephant charge",
        "\\caption{Seeing the Elephant!, charge: chance, per cent, by attacker's grade (down) and outcome (across).",
        "Defender's grade: militia",
        "Exact, 6 questions solved",
        "\\toprule",
        "\\bottomrule",
    ]);
    for name in ["table", "tabular"] {
        let count = |what: &str| ran.out.matches(&format!("\\{what}{{{name}}}")).count();
        assert_eq!((count("begin"), count("end")), (1, 1), "{name}");
    }
    let ran = work.run(&format!("{CHARGE} --format typst"));
    ran.says(&["#figure(", "caption: [", "table.header(", "stroke: none,"]);
    let count = |c: char| ran.out.matches(c).count();
    assert_eq!(count('['), count(']'));
    assert_eq!(count('('), count(')'));
}

#[test]
fn grades_and_cover_are_shown_unless_something_else_is_named() {
    let work = Work::new();
    let json = work.run("table elephant charge --format json").json();
    assert_eq!(json["rows"]["name"], "attacker.grade");
    assert_eq!(json["columns"]["name"], "defender.cover");
    assert_eq!(json["of"], "success");
    // What is set is not shown again.
    let json = work
        .run("table elephant charge attacker.grade=elite --format json")
        .json();
    assert_eq!(json["rows"]["name"], "defender.grade");
    // The same numbers, turned.
    let across =
        work.run("table gbacw melee --rows attacker.morale --columns winner --format json");
    let down = work.run("table gbacw melee --rows winner --columns attacker.morale --format json");
    let (across, down) = (across.json(), down.json());
    assert_eq!(across["cells"][1][0], down["cells"][0][1]);
}

#[test]
fn words_and_decimals_are_those_of_the_style() {
    let style = "[figure]\nlanguage = ','\n[words]\nelephant = 'Our Rules'\nveteran = 'old sweats'\n\
                 'chance of success' = 'charges that get home'\nattacker.grade = 'Quality'\n";
    let work = Work::new().with("book.toml", style);
    let ran = work.run("table elephant charge --style book.toml --decimals 2");
    ran.says(&[
        "Our Rules, charge: charges that get home, per cent, by Quality",
        "old sweats",
    ]);
    let row = ran
        .out
        .lines()
        .find(|line| line.trim().starts_with("old sweats"));
    let row = row.expect("a row");
    ran.check(
        row.contains(',') && !row.contains('.'),
        "should have decimals after commas",
    );
    // Spreadsheets read points.
    let csv = work.run("table elephant charge --style book.toml --decimals 2 --format csv");
    let cells = rows("csv", csv.good());
    assert!(cells[0][1].contains('.'), "{:?}", cells[0]);
}

#[test]
fn what_the_rules_refuse_is_a_dash_and_a_note_says_why() {
    let work = Work::new();
    let command = "table acw28 charge --rows defender.cover --columns outcome";
    let ran = work.run(command);
    ran.says(&["–", "note: – (soft): ", "a charge cannot go into cover"]);
    let json = work.run(&format!("{command} --format json")).json();
    assert!(json["cells"][1][0]["refused"].is_string());
    assert!(json["cells"][0][0]["value"].is_number());
    work.run("table acw28 charge --rows defender.cover=soft,hard --columns outcome")
        .refused(&["the rules refuse every cell"]);
}

#[test]
fn numbers_with_many_ends_share_the_last_column() {
    let work = Work::new();
    let ran = work.run("table acw28 fire firer.figures=20 --rows firer.class --columns casualties");
    ran.says(&[
        "by firer's class (down) and casualties (across)",
        " or more",
    ]);
}

#[test]
fn what_cannot_be_shown_is_refused_with_what_is_allowed() {
    let work = Work::new().with("bad.toml", "[words]\nattacker-wons = 'x'\n");
    for (words, parts) in [
        (
            "table elephant charge --rows grades",
            vec!["key or variable `grades`", "attacker. kind, grade"],
        ),
        (
            "table elephant charge --rows attacker.stands",
            vec!["`attacker.stands` needs values", "from 1 to 40"],
        ),
        (
            "table elephant charge --rows attacker.grade=elite,elite",
            vec!["has elite twice"],
        ),
        (
            "table elephant charge --rows attacker.grade=best",
            vec!["attacker.grade", "elite | veteran"],
        ),
        (
            "table elephant charge --rows outcome --columns outcome",
            vec!["cannot both be ends"],
        ),
        (
            "table elephant charge --columns outcome --of success",
            vec!["--of success", "allowed is a key for both"],
        ),
        (
            "table elephant charge --rows attacker.grade --columns attacker.grade",
            vec!["swept twice"],
        ),
        (
            "table elephant charge attacker.grade=elite --rows attacker.grade",
            vec!["swept and set"],
        ),
        ("table elephant charge --decimals 9", vec!["--decimals"]),
        (
            "table elephant charge --style bad.toml",
            vec!["bad.toml", "words.attacker-wons", "attacker-wins"],
        ),
        (
            "table elephant charge --out table.doc",
            vec!["`.doc` stands for no format", ".tex and .typ"],
        ),
        ("table elephant", vec!["no procedure given"]),
    ] {
        let ran = work.run(words);
        ran.check(ran.code == Some(2), "should exit with 2");
        ran.check(ran.out.is_empty(), "should print nothing");
        for part in parts {
            ran.check(ran.err.contains(part), &format!("should say `{part}`"));
        }
    }
}

#[test]
fn printed_tables_mark_what_a_variant_changes() {
    let variant =
        "rules = \"elephant\"\nname = \"v\"\n[tables.melee_results.rows.8]\n\"1:1\" = \"RT/K1\"\n";
    let work = Work::new().with("v.toml", variant);
    let command = "rules elephant --tables --variant v.toml";
    for (format, mark) in [
        ("text", "RT/K1†"),
        ("markdown", "RT/K1†"),
        ("html", "RT/K1†"),
        ("latex", "RT/K1\\dag{}"),
        ("typst", "RT/K1†"),
    ] {
        let ran = work.run(&format!("{command} --format {format}"));
        ran.good();
        assert_eq!(ran.out.matches(mark).count(), 1, "{format}");
    }
    work.run(command)
        .says(&["† melee_results, 8 1:1: printed "]);
    let plain = work.run(&format!("{command} --format csv"));
    assert!(
        !plain.good().contains('†'),
        "spreadsheets get the cell alone"
    );
    let json = work.run(&format!("{command} --format json")).json();
    assert_eq!(json["changed"][0]["row"], "8");
    let without = work.run("rules elephant --tables");
    assert!(!without.good().contains('†'));
}

/// The text of a drawing, mark by mark.
fn drawn(svg: &str) -> Vec<String> {
    let texts = svg.split("<text").skip(1);
    let inside = |text: &str| {
        let open = text.find('>').map_or(0, |at| at + 1);
        text[open..]
            .split('<')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    texts.map(inside).collect()
}

#[test]
fn every_ruleset_has_a_sheet_on_one_page_with_its_odds_on_it() {
    let work = Work::new();
    for (rules, title, words) in [
        (
            "elephant",
            "Seeing the Elephant!",
            [
                "A charge gets home",
                "A volley by range, yards",
                "veteran",
                "overenthusiastic",
            ],
        ),
        (
            "gbacw",
            "Great Battles of the American Civil War",
            [
                "A charge succeeds, by strength",
                "A morale check",
                "pinned",
                "green",
            ],
        ),
        (
            "acw28",
            "American Civil War",
            [
                "A charge in the open",
                "The target of a volley routs",
                "five figures more",
                "hard",
            ],
        ),
        (
            "impact",
            "15mm charge-impact charts",
            [
                "The attacker wins the impact",
                "Firepower by figures",
                "sharps",
                "heavy",
            ],
        ),
        (
            "fireline",
            "Fire lines and organisation hits",
            [
                "A charge succeeds",
                "A volley by range, hexes",
                "disrupted",
                "a leader with it",
            ],
        ),
    ] {
        let ran = work.run(&format!("sheet {rules} --out {rules}.svg"));
        assert_eq!(
            ran.good(),
            format!("wrote {rules}.svg\nwrote {rules}.typ\n")
        );
        let svg =
            std::fs::read_to_string(work.path().join(format!("{rules}.svg"))).expect("a page");
        assert!(
            svg.contains("width=\"210.002mm\" height=\"297mm\""),
            "{rules}: {}",
            &svg[..120]
        );
        let texts = drawn(&svg);
        for word in [title].iter().chain(&words) {
            assert!(
                texts.iter().any(|text| text.starts_with(word)),
                "{rules}: {word}"
            );
        }
        let typ =
            std::fs::read_to_string(work.path().join(format!("{rules}.typ"))).expect("a source");
        assert!(typ.starts_with("#set page(paper: \"a4\""), "{typ}");
        assert_eq!(
            typ.matches("#table(").count(),
            typ.matches("stroke: none,").count()
        );
        assert!(typ.matches("#table(").count() >= 5, "{rules}");
    }
}

#[test]
fn the_numbers_of_a_sheet_are_those_of_the_table() {
    let work = Work::new();
    let sheet = work.run("sheet elephant --format json").json();
    let table = work
        .run("table elephant charge --decimals 0 --format json")
        .json();
    assert_eq!(sheet["tables"][0]["cells"], table["cells"]);
    let now = sheet["thumbs"]["baseline"].as_f64().expect("a number");
    let regular = table["cells"][2][0]["value"].as_f64().expect("a number");
    assert!((now - regular).abs() < 1e-12, "a regular in the open");
    let what_if = work
        .run("what-if elephant charge --mine attacker --format json")
        .json();
    assert_eq!(what_if["baseline"]["value"].as_f64(), Some(now));
}

#[test]
fn a_sheet_is_pdf_on_letter_paper_in_the_words_of_a_style() {
    let work = Work::new().with(
        "book.toml",
        "[figure]\nstyle = 'print'\n[words]\nelephant = 'Our Rules'\nveteran = 'old sweats'\n",
    );
    let command = "sheet elephant --paper letter --style book.toml --out";
    work.run(&format!("{command} page.svg")).good();
    let svg = std::fs::read_to_string(work.path().join("page.svg")).expect("a page");
    let texts = drawn(&svg);
    for word in ["Our Rules", "old sweats"] {
        assert!(texts.iter().any(|text| text == word), "{word}");
    }
    work.run(&format!("{command} page.pdf")).good();
    let pdf = std::fs::read(work.path().join("page.pdf")).expect("a page");
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.starts_with("%PDF"));
    assert_eq!(text.matches("/Type /Page\n").count(), 1, "one page");
    assert!(text.contains("/FontFile"), "its type is embedded");
    let paper = text.split("MediaBox [0 0 ").nth(1).expect("a size");
    let paper = paper.split(']').next().unwrap_or_default();
    let points: Vec<f64> = paper.split(' ').filter_map(|x| x.parse().ok()).collect();
    assert!(
        (points[0] - 612.0).abs() < 0.01 && (points[1] - 792.0).abs() < 0.01,
        "{paper}"
    );
}

#[test]
fn what_cannot_be_a_sheet_is_refused_and_nothing_is_written() {
    let work = Work::new()
        .with("large.toml", "[figure]\nfont_size = '30pt'\n")
        .with("bad.toml", "rules = \"elephant\"\n[sheet]\nabove = \"x\"\n");
    for (words, parts) in [
        (
            "sheet elephant --paper a5 --out x.pdf",
            vec!["a5", "allowed is a4 or letter"],
        ),
        ("sheet elefant --out x.pdf", vec!["elefant", "elephant"]),
        (
            "sheet elephant --style large.toml --out x.pdf",
            vec!["does not fit on two sides"],
        ),
        (
            "sheet elephant --variant bad.toml --out x.pdf",
            vec!["bad.toml", "sheet.above"],
        ),
        (
            "sheet elephant --out x.doc",
            vec!["`.doc` stands for no format"],
        ),
        ("sheet elephant --out .", vec!["directory"]),
    ] {
        let ran = work.run(words);
        ran.check(ran.code == Some(2), "should exit with 2");
        for part in parts {
            ran.check(ran.err.contains(part), &format!("should say `{part}`"));
        }
    }
    let left = std::fs::read_dir(work.path()).expect("a folder").count();
    assert_eq!(left, 2, "only the two files that were there");
}

#[test]
fn a_table_takes_the_caption_and_the_size_that_fit_the_column() {
    let work = Work::new().with("narrow.toml", "[figure]\nwidth = \"62mm\"\n");
    let asked =
        "table elephant charge --columns outcome --style narrow.toml --caption Charges --format";
    let latex = work.run(&format!("{asked} latex")).good().to_owned();
    assert!(latex.contains("\\caption{Charges}\n"), "{latex}");
    assert!(latex.contains("\\fontsize{6}"), "{latex}");
    let typst = work.run(&format!("{asked} typst")).good().to_owned();
    assert!(typst.contains("caption: [Charges],"), "{typst}");
    assert!(
        typst.contains("#show table: set text(size: 6pt)"),
        "{typst}"
    );
    assert!(typst.contains("[defender \\ wins]"), "{typst}");
    let wide = work
        .run("table elephant charge --format latex")
        .good()
        .to_owned();
    assert!(!wide.contains("\\fontsize"), "{wide}");
}

#[test]
fn printed_tables_are_files_of_their_own_and_nobody_elses_is_overwritten() {
    let work = Work::new();
    let asked = "rules gbacw --tables --format csv --out tables";
    let said = work.run(asked).good().to_owned();
    assert!(said.contains("density.csv"), "{said}");
    let read = || std::fs::read_to_string(work.path().join("tables/density.csv")).expect("a table");
    assert_eq!(
        read(),
        "strength points,1-2,3-6,7-9,10+\neffect,-1,0,+1,+2\n"
    );
    work.run(asked).good();
    let typst = work
        .run("rules gbacw --tables --format typst")
        .good()
        .to_owned();
    assert!(typst.contains("[effect], [−1], [0]"), "{typst}");
    assert!(!typst.contains("density:"), "{typst}");
    std::fs::create_dir(work.path().join("mine")).expect("a folder");
    let work = work.with("mine/green.csv", "mine");
    work.run("rules gbacw --tables --format csv --out mine")
        .refused(&["green.csv"]);
    assert!(!work.path().join("mine/density.csv").exists());
}
