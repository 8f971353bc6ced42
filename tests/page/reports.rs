//! The pages of studies and of the report, as a browser shows and prints them.

use crate::browser::{Browser, Window};
use crate::program::{Work, skipped};

const PHONE: Window = Window {
    width: 390,
    height: 844,
    ..Window::DESKTOP
};

/// Panels side by side, a table of many columns, cells the rules refuse.
const STUDY: &str = r#"
title = "Charges against cover, by grade and by what is carried"
question = "What does cover cost?"
rules = "elephant"
procedure = "charge"
[sweep]
"attacker.kind" = ["infantry", "artillery"]

"attacker.grade" = ["elite", "regular", "green"]
"defender.cover" = ["open", "wall", "fieldworks"]
[[chart]]
kind = "stacked"
x = "attacker.grade"
variable = "outcome"
panels = "defender.cover"
only = { "attacker.kind" = "infantry" }
title = "How a charge ends, by the attacker's grade and the defender's cover"
[[chart]]
kind = "line"
x = "defender.cover"
value = "success"
series = "attacker.grade"
only = { "attacker.kind" = "infantry" }
title = "Chance of success, by cover"
[[finding]]
of = "success"
name = "the chance of success"
along = "defender.cover"
"#;
fn study() -> Work {
    let work = Work::new().with("study.toml", STUDY);
    let ran = work.run("run study.toml --out out --quiet --trials 200");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    work
}

/// Opens everything that is folded.
fn unfold(browser: &Browser) {
    browser.script("document.querySelectorAll('details').forEach(part => part.open = true)");
}

/// Elements whose content is wider than they are, and that do not scroll: their text is cut or runs out.
const CUT: &str = "
    const scrolls = e => ['auto', 'scroll'].includes(getComputedStyle(e).overflowX);

    const inside = e => { for (let at = e; at; at = at.parentElement) if (scrolls(at)) return true; return false; };
    return [...document.querySelectorAll('body *:not(svg *)')]
        .filter(e => e.getClientRects().length && !inside(e))
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
        .map(e => e.tagName + ' ' + e.textContent.slice(0, 40))";
fn nothing_is_cut(browser: &Browser, what: &str) {
    assert_eq!(browser.overflow(), 0, "{what}");
    let cut = browser.script(CUT);
    assert_eq!(cut, serde_json::json!([]), "{what}");
}

#[test]
fn a_study_has_a_page_that_fits_a_phone_and_a_desk() {
    let work = study();
    let page = work.path().join("out/study/index.html");
    for (what, window) in [("phone", PHONE), ("desk", Window::DESKTOP)] {
        let Some(browser) = Browser::open(window) else {
            return;
        };
        browser.go_to_file(&page);
        unfold(&browser);
        nothing_is_cut(&browser, what);
        // Of each chart one drawing is seen: panels below each other on the phone, side by side on the desk.
        let seen = |class: &str| {
            let script = format!(
                "return [...document.querySelectorAll('figure .{class}')].filter(e => e.offsetWidth > 0).length"
            );
            browser.script(&script)
        };
        let is_phone = what == "phone";
        assert_eq!(seen("narrow"), if is_phone { 2 } else { 0 }, "{what}");
        assert_eq!(seen("wide"), if is_phone { 0 } else { 2 }, "{what}");
        if is_phone {
            the_first_column_stays(&browser);
        }
        // No text of a drawing is too small to read, and none lies outside it.
        let outside = browser.script(
            "return [...document.querySelectorAll('figure text')].filter(t => t.getClientRects().length).filter(t => {
                const at = t.getBoundingClientRect(), around = t.ownerSVGElement.getBoundingClientRect();
                return at.left < around.left - 1 || at.right > around.right + 1 || Math.max(at.height, at.width) < 6;
            }).map(t => t.textContent)",
        );
        assert_eq!(outside, serde_json::json!([]), "{what}");
    }
}

/// A wide table scrolls under its first column.
fn the_first_column_stays(browser: &Browser) {
    let moved = browser.script(
        "const table = [...document.querySelectorAll('.scroll')].find(e => e.scrollWidth > e.clientWidth + 40);
         const first = table.querySelector('tbody td'), second = first.nextElementSibling;
         const before = [first, second].map(e => e.getBoundingClientRect().left);
         table.scrollLeft = 40;
         return [first, second].map((e, i) => Math.round(before[i] - e.getBoundingClientRect().left))",
    );
    assert_eq!(moved[0], 0, "the first column stays: {moved}");
    assert_eq!(moved[1], 40, "the others move: {moved}");
}

#[test]
fn charts_are_dark_where_the_reader_prefers_it() {
    let work = study();
    let dark = Window {
        dark: true,
        ..Window::DESKTOP
    };
    let Some(browser) = Browser::open(dark) else {
        return;
    };
    browser.go_to_file(&work.path().join("out/study/index.html"));
    let filter =
        browser.script("return getComputedStyle(document.querySelector('figure svg')).filter");
    assert!(
        filter.as_str().is_some_and(|f| f.contains("invert")),
        "{filter}"
    );
}

#[test]
fn paper_has_every_column_and_what_was_folded() {
    let work = study();
    let Some(browser) = Browser::open(Window::DESKTOP) else {
        return;
    };
    browser.go_to_file(&work.path().join("out/study/index.html"));
    let cells = browser.script(
        "return [...document.querySelectorAll('th, tbody tr:first-child td')].map(e => e.textContent)",
    );
    let pdf = work.path().join("page.pdf");
    std::fs::write(&pdf, browser.print()).expect("a file");
    let reader = std::process::Command::new("pdftotext")
        .arg(&pdf)
        .arg("-")
        .output();
    let Ok(read) = reader else {
        skipped("pdftotext is not installed");
        return;
    };
    let printed = String::from_utf8_lossy(&read.stdout);
    let cells = cells.as_array().expect("cells");
    assert!(cells.len() > 20, "{cells:?}");
    for cell in cells {
        // A heading or a number may be broken over lines, but not lost.
        let pieces = cell.as_str().unwrap_or_default();
        for piece in pieces
            .split(['.', '_', '-', ' '])
            .filter(|piece| !piece.is_empty())
        {
            assert!(printed.contains(piece), "{piece} of {pieces} in {printed}");
        }
    }
    assert!(
        printed.contains("artillery"),
        "the cells the rules refuse are printed too"
    );
}

/// The whole report, with few trials: what it opens with, its order, and that it fits.
#[test]
fn the_report_opens_with_five_findings_and_fits() {
    let work = Work::new();
    let ran = work.run("report --quick --trials 20 --quiet --out here");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let page = std::fs::read_to_string(work.path().join("here/index.html")).expect("a page");
    let at = |part: &str| {
        page.find(part)
            .unwrap_or_else(|| panic!("{part} is missing"))
    };
    let opening = &page[..at("<figure")];
    assert_eq!(opening.matches("class=\"finding\"").count(), 5);
    // By their titles, not their ids.
    assert!(
        opening.contains("Great Battles of the American Civil War") && !opening.contains("gbacw")
    );
    assert!(opening.contains("times in 100"));
    let order = [
        "<figure",
        "id=\"comparison\"",
        "id=\"rules-elephant\"",
        "id=\"audit\"",
    ]
    .map(at);
    assert!(order.is_sorted(), "{order:?}");
    assert!(page.contains("class=\"heat5\"") && page.contains("What each line means"));
    for window in [PHONE, Window::DESKTOP] {
        let Some(browser) = Browser::open(window) else {
            return;
        };
        browser.go_to_file(&work.path().join("here/index.html"));
        let open =
            browser.script("return document.querySelectorAll('details.chapter[open]').length");
        assert_eq!(open, 0, "chapters are folded");
        nothing_is_cut(&browser, "folded");
        unfold(&browser);
        nothing_is_cut(&browser, "unfolded");
    }
}
