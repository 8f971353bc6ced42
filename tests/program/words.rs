//! What is printed in the words of another language, and what has no room.

use crate::files::of_the_project;
use crate::program::Work;

const STUDY: &str = "title = \"t\"\nquestion = \"q\"\nrules = \"elephant\"\nprocedure = \"fire\"\nmethod = \"exact\"\n\
                     [sweep]\nrange = [50, 100, 200, 300, 400, 500, 600, 900, 1200]\n\
                     \"firer.weapon\" = [\"musket\", \"repeater\"]\n\
                     [[chart]]\nkind = \"line\"\nx = \"range\"\nseries = \"firer.weapon\"\nvalue = \"effect!=none\"\ntitle = \"line\"\n\
                     [[chart]]\nkind = \"heatmap\"\nx = \"range\"\ny = \"firer.weapon\"\nvalue = \"mean(hits)\"\ntitle = \"map\"\n\
                     [[finding]]\nof = \"mean(hits)\"\nname = \"die Treffer\"\nalong = \"range\"\n";

fn german() -> String {
    std::fs::read_to_string(of_the_project("examples/words/de.toml")).expect("a dictionary")
}

#[test]
fn the_blank_dictionary_changes_nothing_and_the_german_one_has_every_word() {
    let work = Work::new().with("s.toml", STUDY).with("de.toml", &german());
    let blank = work.run("words").good().to_owned();
    std::fs::write(work.path().join("en.toml"), &blank).expect("written");
    work.run("run s.toml --out plain --quiet").good();
    work.run("run s.toml --out english --quiet --style en.toml")
        .good();
    let read = |file: &str| std::fs::read_to_string(work.path().join(file)).expect(file);
    for file in ["chart-1.svg", "chart-1.txt", "chart-2.svg", "README.md"] {
        assert_eq!(
            read(&format!("plain/s/{file}")),
            read(&format!("english/s/{file}"))
        );
    }
    let missing = work.run("words de.toml").good().to_owned();
    assert!(missing.starts_with("# de.toml leaves 0 of "), "{missing}");
    for heading in ["# sentences", "# balance cards", "# Seeing the Elephant!"] {
        assert!(blank.contains(heading), "{heading}");
    }
}

/// English that a dictionary has and the text still shows: words that are no German ones, outside of code.
fn english(text: &str) -> Vec<String> {
    const TELLING: [&str; 36] = [
        "the", "of", "and", "with", "is", "are", "by", "which", "from", "each", "that", "than",
        "when", "where", "for", "not", "cent", "rules", "mean", "chance", "attacker", "defender",
        "charge", "share", "turns", "turn", "to", "its", "no", "refused", "loss", "grade", "yes",
        "at", "unit", "or",
    ];
    let mut found = Vec::new();
    // What stands between backticks is typed so, and titles of rulebooks are their names.
    let plain = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let titles = grapeshot_rules::Registry::built_in().all().iter();
    let plain = titles.fold(plain, |text, ruleset| text.replace(&*ruleset.title, " "));
    for line in plain.lines() {
        let mut words = line.split(|c: char| !c.is_alphanumeric());
        if words.any(|word| TELLING.contains(&word.to_lowercase().as_str())) {
            found.push(line.to_owned());
        }
    }
    found
}

#[test]
fn what_the_dictionary_has_is_german_wherever_it_is_printed() {
    let work = Work::new().with("de.toml", &german());
    let rulesets = ["elephant", "gbacw", "acw28", "impact", "fireline"];
    for rules in rulesets {
        let asked = [
            format!("sheet {rules} --style de.toml"),
            format!("rules {rules} --tables --style de.toml --format markdown"),
        ];
        for asked in asked {
            let told = work.run(&asked).good().to_owned();
            // Of a printed table its title and its headings: what stands in the cells, and the place in the source, are
            // the print's own.
            let told = told.lines().map(|line| match line.split_once("| ") {
                Some(("", row)) => row.split('|').next().unwrap_or_default(),
                _ => {
                    let line = line.split_once(" [").map_or(line, |(title, _)| title);
                    let title = line
                        .strip_prefix("## ")
                        .and_then(|title| title.split_once(": "));
                    title.map_or(line, |(_, title)| title)
                }
            });
            let left = english(&told.collect::<Vec<_>>().join("\n"));
            assert!(left.is_empty(), "{asked}: {left:#?}");
        }
    }
    let asked = [
        "card --style de.toml --all",
        "table elephant charge --style de.toml",
        "table gbacw melee --style de.toml --format latex",
        "break-even elephant charge --vary attacker.stands --charts c --style de.toml",
        "what-if elephant charge --mine attacker --charts c --style de.toml",
    ];
    for asked in asked {
        let told = work.run(asked).good().to_owned();
        let made = |line: &&str| !line.starts_with("chart: ") && !line.starts_with("% made by");
        let told: Vec<&str> = told.lines().filter(made).collect();
        let left = english(&told.join("\n"));
        assert!(left.is_empty(), "{asked}: {left:#?}");
    }
}

#[test]
fn a_study_is_told_in_german() {
    let work = Work::new().with("s.toml", STUDY).with("de.toml", &german());
    let out = work
        .run("run s.toml --out out --quiet --style de.toml")
        .good()
        .to_owned();
    assert!(out.contains("die Treffer reicht von 0,00"), "{out}");
    assert!(!out.contains(" runs from "), "{out}");
    let read =
        |file: &str| std::fs::read_to_string(work.path().join("out/s").join(file)).expect(file);
    let (svg, alt) = (read("chart-1.svg"), read("chart-1.txt"));
    assert!(svg.contains("In Stufen abgelesen"), "{svg}");
    assert!(svg.contains("Repetierer"), "{svg}");
    assert!(alt.contains("fällt von 100\u{202f}% bei 50"), "{alt}");
    let quiet = format!(
        "[figure]\nnotes = false\n{}",
        german().replace("[figure]\n", "")
    );
    let work = work.with("quiet.toml", &quiet);
    work.run("run s.toml --out still --quiet --style quiet.toml")
        .good();
    let svg = std::fs::read_to_string(work.path().join("still/s/chart-1.svg")).expect("a chart");
    assert!(!svg.contains("In Stufen abgelesen"));
}

#[test]
fn a_word_that_stands_for_nothing_is_refused() {
    let work = Work::new().with("de.toml", "[words]\n\"{1} by {2}..\" = \"x\"\n");
    work.run("words de.toml")
        .refused(&["de.toml", "{1} by {2}..", "stands for nothing"]);
}

#[test]
fn a_chart_without_room_is_refused_by_itself_with_the_size_that_would_do() {
    let style = "[figure]\nwidth = \"62mm\"\n";
    let work = Work::new().with("s.toml", STUDY).with("narrow.toml", style);
    let out = work
        .run("run s.toml --out out --quiet --style narrow.toml")
        .good()
        .to_owned();
    assert!(out.contains("chart `map`"), "{out}");
    assert!(out.contains("mm or more"), "{out}");
    assert!(work.path().join("out/s/chart-1.svg").is_file());
    assert!(!work.path().join("out/s/chart-2.svg").exists());
}
