//! Every command in every form: one document, many renderers.

use crate::program::{Ran, Work};

const VARIANT: &str = "rules = \"elephant\"\nname = \"<b>bold</b> & \\\"quoted\\\"\"\n\
                       about = \"an <i>edition</i>\"\n[tables.melee_results.rows.8]\n\"1:1\" = \"RT/K1\"\n";

const STUDY: &str = "title = \"t\"\nquestion = \"q\"\nrules = \"elephant\"\nprocedure = \"fire\"\n\
                     method = \"exact\"\n[sweep]\n\"firer.stands\" = [8, 10]\n";

/// One command line for each command, as quick as it can be asked; an audit takes longer and is tested
/// where it is rendered.
const COMMANDS: [&str; 31] = [
    "odds elephant charge --stages --joint",
    "rules",
    "rules elephant",
    "rules elephant charge",
    "rules elephant --tables",
    "rules gbacw --common",
    "luck elephant fire --got hits=1",
    "odds acw28 battle --trials 500 --seed 1",
    "odds acw28 battle attacker.classes=A+B --trace 7",
    "what-if acw28 battle --mine defender --trials 300",
    "what-if elephant melee --pairs",
    "weigh elephant melee --over attacker.stands=8..10,attacker.grade",
    "field union.toml csa.toml",
    "condense elephant charge --die d20",
    "condense elephant charge --modifiers --columns attacker.flank",
    "skill elephant charge",
    "diff elephant melee --variant v.toml --sweep attacker.stands=8..12",
    "break-even elephant melee --vary attacker.stands",
    "tune elephant melee --target success=50% --vary tables.melee_results.*.1:1 --max-edits 1",
    "points gbacw --sizes 4 --procedure charge",
    "compare fire",
    "card --rules gbacw",
    "table elephant charge",
    "table gbacw melee --columns winner",
    "sheet gbacw",
    "decide fireline standoff turns=2",
    "check mine.drill",
    "run study.toml --out studies --quiet",
    "run study.toml --out studies --quiet --force",
    "run study.toml --shard 1/1 --out part --quiet",
    "merge part --out merged --quiet",
];

fn work() -> Work {
    Work::new()
        .with("v.toml", VARIANT)
        .with("study.toml", STUDY)
        .with(
            "union.toml",
            include_str!("../../experiments/rosters/union.toml"),
        )
        .with(
            "csa.toml",
            include_str!("../../experiments/rosters/csa.toml"),
        )
        .with(
            "mine.drill",
            include_str!("../../examples/rules/dba/dba.drill"),
        )
}

/// Runs a command in a form.
fn form(work: &Work, command: &str, format: &str) -> Ran {
    let ran = work.run(&format!("{command} --format {format}"));
    ran.check(ran.code == Some(0), "should succeed");
    ran
}

#[test]
fn every_command_prints_json() {
    let work = work();
    for command in COMMANDS {
        let json = form(&work, command, "json").json();
        assert!(json["version"].is_string(), "{command}");
    }
}

#[test]
fn every_command_prints_csv_in_which_each_table_has_a_heading_and_full_lines() {
    let work = work();
    for command in COMMANDS {
        let ran = form(&work, command, "csv");
        for sheet in ran.out.split("\n\n") {
            let mut reader = csv::Reader::from_reader(sheet.as_bytes());
            let headings = reader.headers().expect("a heading").len();
            ran.check(headings > 1, "should have columns");
            let whole = reader.records().all(|line| line.is_ok());
            ran.check(whole, "should have as many cells as headings in every line");
        }
    }
}

#[test]
fn every_command_prints_markdown_with_a_title_and_whole_tables() {
    let work = work();
    for command in COMMANDS {
        let ran = form(&work, command, "markdown");
        ran.check(ran.out.starts_with("# "), "should have a title");
        ran.check(
            // Up to the options, in which a star is quoted.
            ran.out.contains(&format!(
                "`grapeshot {}",
                command.split(" --").next().unwrap_or(command)
            )),
            "should say what was typed",
        );
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        let tables: Vec<&str> = ran
            .out
            .split("\n\n")
            .filter(|p| p.starts_with('|'))
            .collect();
        for table in tables {
            let counts: Vec<usize> = table.lines().map(bars).collect();
            ran.check(
                counts.iter().all(|n| *n == counts[0]),
                "should have whole tables",
            );
        }
    }
}

#[test]
fn every_command_makes_a_page_that_is_whole_and_asks_for_nothing_outside() {
    let work = work();
    for command in COMMANDS {
        let ran = form(&work, command, "html");
        let page = &ran.out;
        ran.check(page.starts_with("<!DOCTYPE html>"), "should be a page");
        ran.check(page.ends_with("</html>\n"), "should be whole");
        for tag in [
            "section", "table", "details", "dl", "ul", "p", "td", "figure", "svg",
        ] {
            let open = page.matches(&format!("<{tag}>")).count()
                + page.matches(&format!("<{tag} ")).count();
            let closed = page.matches(&format!("</{tag}>")).count();
            ran.check(open == closed, &format!("should close every {tag}"));
        }
        for outside in ["src=\"http", "href=\"http", "@import", "url(http"] {
            ran.check(!page.contains(outside), "should ask for nothing outside");
        }
    }
}

#[test]
fn every_command_prints_latex_and_typst_that_is_whole() {
    let work = work();
    for command in COMMANDS {
        let ran = form(&work, command, "latex");
        ran.check(
            ran.out.starts_with("% needs \\usepackage{booktabs}\n"),
            "should say what it needs",
        );
        for name in ["table", "tabular", "itemize", "description", "verbatim"] {
            let count = |what: &str| ran.out.matches(&format!("\\{what}{{{name}}}")).count();
            ran.check(
                count("begin") == count("end"),
                &format!("should end every {name}"),
            );
        }
        for line in ran.out.lines().filter(|line| line.ends_with("\\\\")) {
            let bare = line.replace("\\&", "");
            ran.check(!bare.contains('&') || !bare.contains('`'), "should escape");
        }
        let ran = form(&work, command, "typst");
        let bare = ran.out.replace("\\[", "").replace("\\]", "");
        let plain: String = bare
            .lines()
            .filter(|line| !line.contains("#raw("))
            .collect();
        let count = |c: char| plain.matches(c).count();
        ran.check(
            count('[') == count(']'),
            "should close every bracket that is not escaped",
        );
    }
}

#[test]
fn what_is_written_in_a_file_is_not_taken_for_html() {
    let ran = form(&work(), "diff elephant melee --variant v.toml", "html");
    ran.check(
        !ran.out.contains("<b>bold"),
        "should not take the name for HTML",
    );
    ran.check(
        !ran.out.contains("<i>edition"),
        "should not take the text for HTML",
    );
    ran.check(
        ran.out
            .contains("&lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot;"),
        "should escape",
    );
    let ran = form(&work(), "diff elephant melee --variant v.toml", "markdown");
    ran.check(
        !ran.out.contains("an <i>edition"),
        "should escape in Markdown too",
    );
}

#[test]
fn text_is_as_wide_as_columns_says() {
    let work = work();
    for command in COMMANDS {
        for columns in [60, 80, 100] {
            let ran = work.run_within(columns, command);
            ran.check(ran.code == Some(0), "should succeed");
            for line in ran.out.lines() {
                // A command is there to be copied, and a single word cannot be broken.
                let whole = line.trim_start().starts_with("try: ") || line.split(' ').count() < 3;
                let wide = line.chars().count() > columns;
                ran.check(
                    whole || !wide,
                    &format!("should fit {columns} columns: {line}"),
                );
            }
        }
    }
}

#[test]
fn a_file_gets_the_form_its_ending_says_and_nothing_else_is_printed() {
    let work = work();
    for (file, start) in [
        ("odds.json", "{\n"),
        ("odds.csv", "variable,value,p,low,high\n"),
        ("odds.md", "# elephant fire\n"),
        ("odds.HTML", "<!DOCTYPE html>"),
        ("odds.tex", "% needs \\usepackage{booktabs}\n"),
        ("odds.typ", "// made by grapeshot odds elephant fire"),
        ("odds.txt", "elephant fire\n"),
        ("deep/er/odds", "elephant fire\n"),
    ] {
        let ran = work.run(&format!("odds elephant fire --out {file}"));
        assert_eq!(ran.good(), format!("wrote {file}\n"));
        let written = std::fs::read_to_string(work.path().join(file)).expect("a file");
        assert!(written.starts_with(start), "{file}: {written}");
    }
    // What is said beats the ending.
    work.run("odds elephant fire --format json --out odds.txt")
        .good();
    let written = std::fs::read_to_string(work.path().join("odds.txt")).expect("a file");
    assert!(written.starts_with("{\n"));
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let work = work().with("odds.json", "before");
    // The question is wrong, so nothing is written.
    work.run("odds elephant fire range=-1 --out odds.json")
        .refused(&["range"]);
    work.run("odds elephant charge --method exact --max-states 1 --out odds.json")
        .fails(1, &["states"]);
    let read = || std::fs::read_to_string(work.path().join("odds.json")).expect("a file");
    assert_eq!(read(), "before");
    work.run("odds elephant fire --out odds.json").good();
    assert!(read().starts_with("{\n"));
    let names = std::fs::read_dir(work.path()).expect("a folder");
    assert_eq!(names.count(), 6, "nothing half-written is left");
}

#[test]
fn every_command_refuses_a_destination_that_cannot_be_with_the_same_code() {
    let work = work();
    for command in COMMANDS.iter().filter(|command| !command.contains("--out")) {
        work.run(&format!("{command} --out study.toml/out.json"))
            .refused(&["cannot write study.toml/out.json"]);
        work.run(&format!("{command} --out ."))
            .refused(&["cannot write .", "directory"]);
    }
}

#[test]
fn charts_are_drawn_where_they_are_asked_for() {
    let work = work();
    let ran = work.run("break-even elephant melee --vary attacker.stands --charts here");
    ran.says(&["chart: here/break-even-elephant-melee.svg"]);
    for ending in ["svg", "png"] {
        let file = work
            .path()
            .join(format!("here/break-even-elephant-melee.{ending}"));
        assert!(file.metadata().expect("a chart").len() > 1000);
    }
    let json = work.run("compare fire --charts here --format json").json();
    assert_eq!(
        json["files"].as_array().map(Vec::len),
        Some(8),
        "two charts, each in three formats and in words"
    );
    work.run("compare fire --charts study.toml")
        .refused(&["--charts must be a directory"]);
}
