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
fn the_blank_dictionary_changes_nothing_and_the_german_one_has_every_sentence() {
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
    for heading in [
        "# sentences",
        "# words beside them",
        "# Seeing the Elephant!",
    ] {
        assert!(blank.contains(heading), "{heading}");
        assert!(
            !missing.contains(heading),
            "{heading} is not complete: {missing}"
        );
    }
    assert!(missing.contains("# Great Battles"), "{missing}");
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
