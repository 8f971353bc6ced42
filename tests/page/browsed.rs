//! The page in a real Chromium: what a player taps, reads, shares and prints.
//!
//! Driven through chromedriver by the small client in `tests/common/browser.rs`, which says why it is no crate. Without
//! a browser these tests say that they were skipped; `.ci/run` installs one and requires them.

use crate::browser::{Browser, Window};
use crate::program::skipped;
use crate::serving::Served;
use grapeshot::render::number::percent;
use grapeshot_rules::{Options, Question};
use std::collections::BTreeSet;

/// Pages of every kind.
const PAGES: [&str; 12] = [
    "/",
    "/elephant",
    "/elephant/charge",
    "/elephant/charge?attacker.grade=veteran&got=outcome%3Dattacker-halts",
    "/elephant/charge?attacker.grade=nonsense",
    "/acw28/firefight",
    "/fireline/charge",
    "/gbacw/standoff",
    "/common/charge",
    "/elephant/charge/help",
    "/elephant/charge/elsewhere",
    "/studies",
];

fn at(served: &Served, page: &str) -> String {
    format!("http://{}{page}", served.addr)
}

/// The chance of an end, as the library has it and the page should write it.
fn chance(label: &str, given: &[(&str, &str)]) -> String {
    let question = Question::new("elephant", "charge").expect("a ruleset");
    let question = given.iter().fold(question, |q, (k, v)| q.with(*k, *v));
    let answered = question.ask(&Options::exact()).expect("an answer");
    percent(answered.odds.marginal_at(0).p(label))
}

/// The chance of an end, as it stands on the page.
fn read(browser: &Browser, label: &str) -> Option<String> {
    let script = format!(
        "const row = [...document.querySelectorAll('.ends tbody tr')].find(r => r.dataset.end === '{label}');
         return row ? row.cells[2].textContent : null"
    );
    browser.script(&script).as_str().map(str::to_owned)
}

/// The same where no script runs: once the page is there.
fn read_plain(browser: &Browser, label: &str) -> Option<String> {
    let rows = browser.all(".ends tbody tr");
    rows.iter().find_map(|row| {
        let text = browser.text(row);
        let rest = text.trim().strip_prefix(label)?;
        let (number, _) = rest.trim().split_once(" %")?;
        Some(format!("{number} %"))
    })
}

fn wait_for(browser: &Browser, label: &str, wanted: &str) {
    browser.wait(&format!("{label} at {wanted}"), || {
        read(browser, label).filter(|shown| shown == wanted)
    });
}

fn tap(browser: &Browser, key: &str, value: &str) {
    let css = format!("input[name='{key}'][value='{value}']");
    browser.tap(&css);
}

#[test]
fn a_tap_changes_the_answer_and_the_address_and_back_leaves_the_page() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(&served, "/elephant"));
    browser.go(&at(&served, "/elephant/charge"));
    let before = chance("attacker-wins", &[]);
    wait_for(&browser, "attacker-wins", &before);
    tap(&browser, "attacker.grade", "veteran");
    let veteran = [("attacker.grade", "veteran")];
    wait_for(
        &browser,
        "attacker-wins",
        &chance("attacker-wins", &veteran),
    );
    let link = at(&served, "/elephant/charge?attacker.grade=veteran");
    browser.wait("the short address", || {
        (browser.address() == link).then_some(())
    });
    // A stepper, one tap.
    browser.tap("button[value='attacker.stands:1']");
    let more = [("attacker.grade", "veteran"), ("attacker.stands", "11")];
    wait_for(&browser, "attacker-wins", &chance("attacker-wins", &more));
    assert!(browser.read("#verdict").contains("of 100 such charges"));
    // What it was before stands beside it.
    let told = browser.read("#verdict .before");
    assert!(told.contains("→ now"), "{told}");
    // However often it was tapped, it is one page, and one step back.
    browser.back();
    browser.wait("the page before", || {
        (!browser.address().contains("/elephant/charge")).then_some(())
    });
    let checked = "return document.querySelector('input[name=\"attacker.grade\"]:checked').value";
    // The link in a browser that has never been here.
    let Some(fresh) = Browser::open(Window::DESKTOP) else {
        return;
    };
    fresh.go(&link);
    assert_eq!(
        read(&fresh, "attacker-wins"),
        Some(chance("attacker-wins", &veteran))
    );
    assert_eq!(fresh.script(checked), "veteran");
}

#[test]
fn what_would_help_applies_itself_and_other_rulesets_are_beside_it() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::DESKTOP) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge"));
    browser.reveal("[data-part*=help]", "a.move");
    browser.tap("a.move[href*='attacker.commander=2']");
    let led = [("attacker.commander", "2")];
    wait_for(&browser, "attacker-wins", &chance("attacker-wins", &led));
    assert!(
        browser.address().ends_with("?attacker.commander=2"),
        "{}",
        browser.address()
    );
    browser.reveal("[data-part*=elsewhere]", "th a");
    assert_eq!(
        browser.read("[data-part*=elsewhere] a[href^='/gbacw/charge']"),
        "gbacw"
    );
}

#[test]
fn the_fight_stays_when_the_question_changes() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    let fight = "attacker.grade=veteran&attacker.stands=8&defender.stands=6&defender.cover=wall";
    browser.go(&at(&served, &format!("/elephant/charge?{fight}")));
    // To the decision: both units, for the side that would charge.
    browser.tap("a.button[href^='/elephant/standoff']");
    let advice = browser.read("#verdict .sentence");
    assert!(advice.contains("You are a:"), "{advice}");
    let decided = browser.address();
    for said in ["a.grade=veteran", "a.stands=8", "b.stands=6", "b.cover="] {
        assert!(decided.contains(said), "{decided}");
    }
    // Through a question that has less use for it, and back: nothing is lost.
    browser.go(&at(&served, &format!("/elephant/charge?{fight}")));
    browser.tap("nav.questions a[href^='/elephant/morale']");
    browser.wait("the other question", || {
        browser.address().contains("/elephant/morale").then_some(())
    });
    browser.tap("nav.questions a[href^='/elephant/charge']");
    browser.wait("the charge", || {
        browser.address().contains("/elephant/charge").then_some(())
    });
    for said in fight.split('&') {
        assert!(
            browser.address().contains(said),
            "{said}: {}",
            browser.address()
        );
    }
}

#[test]
fn units_are_kept_picked_and_swapped_in_this_browser_alone() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(
        &served,
        "/elephant/charge?attacker.grade=veteran&attacker.stands=8",
    ));
    browser.script("window.prompt = () => '20th Maine'");
    browser.tap(".sides .side:first-child .shelf button:last-child");
    browser.go(&at(&served, "/elephant/charge"));
    browser.tap_named(
        ".sides .side:nth-child(2) .shelf button:first-child",
        "20th Maine",
    );
    browser.wait("the unit on the other side", || {
        let address = browser.address();
        (address.contains("defender.grade=veteran") && address.contains("defender.stands=8"))
            .then_some(())
    });
    browser.tap(".sides + .shelf button:first-child");
    browser.wait("the sides swapped", || {
        let address = browser.address();
        (address.contains("attacker.grade=veteran") && !address.contains("defender.grade"))
            .then_some(())
    });
}

#[test]
fn it_answers_soon_after_a_tap() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge"));
    let tapped = |value: &str| {
        let script = format!(
            "const done = arguments[arguments.length - 1], verdict = document.querySelector('#verdict');
             const from = performance.now();
             new MutationObserver((_, o) => {{ o.disconnect(); done(performance.now() - from); }})
               .observe(verdict, {{ childList: true }});
             document.querySelector('input[name=\"attacker.grade\"][value={value}]').click();"
        );
        browser
            .script_later(&script)
            .as_f64()
            .expect("milliseconds")
    };
    let taps = ["elite", "veteran", "poor", "militia", "green"].map(tapped);
    eprintln!("milliseconds from tap to answer: {taps:.0?}");
    // Times are for benches; this one only finds a page that hangs.
    assert!(taps.iter().all(|ms| *ms < 5000.0), "{taps:?}");
}

#[test]
fn it_works_without_scripts() {
    let served = Served::new();
    let window = Window {
        scripts: false,
        ..Window::PHONE
    };
    let Some(browser) = Browser::open(window) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge"));
    browser.tap("button[value='attacker.stands:1']");
    let link = at(&served, "/elephant/charge?attacker.stands=11");
    browser.wait("one stand more", || {
        (browser.address() == link).then_some(())
    });
    tap(&browser, "defender.cover", "wall");
    browser.tap("button.go:not(:first-child)");
    let link = "/elephant/charge?attacker.stands=11&defender.cover=wall";
    let link = at(&served, link);
    browser.wait("the answer", || (browser.address() == link).then_some(()));
    let given = [("attacker.stands", "11"), ("defender.cover", "wall")];
    let wanted = chance("attacker-wins", &given);
    assert_eq!(read_plain(&browser, "attacker-wins"), Some(wanted));
    // Parts are links.
    browser.tap("[data-part*=help] a");
    browser.find("a.move");
    // A house rule is posted and comes back as a link.
    browser.go(&at(&served, "/elephant/melee"));
    browser.tap(".house summary");
    let text = browser.find("#house");
    browser.type_into(
        &text,
        "\n[tables.melee_results.rows.8]\n\"1:1\" = \"RT/K1\"",
    );
    browser.tap(".house button");
    browser.wait("a link with a house rule", || {
        browser.address().contains("house=").then_some(())
    });
    assert!(browser.read("#verdict").contains("not as printed"));
}

#[test]
fn nothing_is_wider_than_the_window_and_everything_is_large_enough_for_thumbs() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    for page in PAGES {
        for width in [360, 390, 1280] {
            browser.size(width, 800);
            browser.go(&at(&served, page));
            browser.script("document.querySelectorAll('details').forEach(d => { d.open = true; })");
            assert_eq!(browser.overflow(), 0, "{page} at {width}");
        }
    }
    browser.size(360, 800);
    browser.go(&at(&served, "/elephant/charge"));
    let small = browser.script(
        "return [...document.querySelectorAll('.options label, .step, .switch, #question select')]
            .filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 43.5).length",
    );
    assert_eq!(small, 0, "too small for a thumb");
}

#[test]
fn it_can_be_used_with_the_keyboard_alone() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::DESKTOP) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge"));
    let focused = "return document.activeElement.name || ''";
    let mut seen = Vec::new();
    for _ in 0..40 {
        browser.press("\u{E004}");
        let name = browser.script(focused);
        seen.push(name.to_string());
        if name == "attacker.grade" {
            break;
        }
    }
    assert_eq!(browser.script(focused), "attacker.grade", "{seen:?}");
    // The arrow to the left: from regular to veteran.
    browser.press("\u{E012}");
    let veteran = [("attacker.grade", "veteran")];
    wait_for(
        &browser,
        "attacker-wins",
        &chance("attacker-wins", &veteran),
    );
    assert_eq!(
        browser.script(focused),
        "attacker.grade",
        "the focus stays where it was"
    );
    let outline = browser
        .script("return getComputedStyle(document.activeElement.nextElementSibling).outlineStyle");
    assert_eq!(outline, "solid", "the focus can be seen");
}

#[test]
fn a_bad_question_is_put_right_where_it_is_wrong() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(
        &served,
        "/elephant/charge?attacker.grade=veteran&attacker.stands=400",
    ));
    let field = browser.read(".field.wrong[data-key='attacker.stands'] .problem");
    assert!(field.contains("from 1 to 40"));
    assert!(browser.read("#verdict").contains("There is no answer"));
    browser.tap("button[value='attacker.stands:-1']");
    let given = [("attacker.grade", "veteran"), ("attacker.stands", "40")];
    wait_for(&browser, "attacker-wins", &chance("attacker-wins", &given));
    assert!(browser.all(".field.wrong").is_empty());
}

#[test]
fn in_the_dark_it_is_dark() {
    let served = Served::new();
    let shade = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)";
    for dark in [true, false] {
        let window = Window {
            dark,
            ..Window::DESKTOP
        };
        let Some(browser) = Browser::open(window) else {
            return;
        };
        browser.go(&at(&served, "/elephant/charge"));
        let shade = browser.script(shade);
        let sum: u64 = shade
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|n| n.as_u64())
            .sum();
        assert_eq!(sum < 200, dark, "{shade}");
    }
}

#[test]
fn it_prints_to_one_sheet() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::DESKTOP) else {
        return;
    };
    for page in ["/elephant/charge?attacker.grade=veteran", "/gbacw/fire"] {
        browser.go(&at(&served, page));
        browser.find("#answer .seen");
        let document = browser.print();
        let text = String::from_utf8_lossy(&document);
        let sheets = text.matches("/Type /Page\n").count();
        assert_eq!(sheets, 1, "{page}");
    }
}

#[test]
fn nothing_is_asked_of_anybody_else_and_nothing_is_blocked() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::DESKTOP) else {
        return;
    };
    for page in PAGES {
        browser.go(&at(&served, page));
        let asked = browser.script(
            "return performance.getEntriesByType('resource').map(r => new URL(r.name).host)",
        );
        let hosts: BTreeSet<String> = asked
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|host| host.as_str().map(str::to_owned))
            .collect();
        let own: BTreeSet<String> = [served.addr.to_string()].into();
        assert!(hosts.is_subset(&own), "{page}: {hosts:?}");
        let styled = browser.script("return document.styleSheets[0].cssRules.length > 50");
        assert_eq!(styled, true, "{page} has no style");
        assert_eq!(browser.script("return document.cookie"), "");
    }
}

#[test]
fn who_hears_the_page_hears_whose_every_field_is() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    for page in ["/elephant/charge", "/acw28/firefight", "/fireline/standoff"] {
        browser.go(&at(&served, page));
        browser.script("document.querySelectorAll('details').forEach(d => { d.open = true; })");
        let tree = browser.devtools("Accessibility.getFullAXTree", serde_json::json!({}));
        let nodes = tree["nodes"].as_array().expect("a tree");
        let fields = ["spinbutton", "combobox", "checkbox", "textbox", "group"];
        let mut names = BTreeSet::new();
        for node in nodes {
            let (role, name) = (&node["role"]["value"], &node["name"]["value"]);
            let name = name.as_str().unwrap_or_default();
            if !fields.iter().any(|field| role == field) || name.is_empty() {
                continue;
            }
            assert!(!name.contains("What is"), "{page}: {name}");
            let is_new = names.insert((role.to_string(), name.to_lowercase()));
            assert!(is_new, "{page}: two are called {name}");
        }
        for side in browser.all(".sides .side h2") {
            let side = browser.text(&side).to_lowercase();
            let own = names.iter().filter(|(_, name)| name.starts_with(&side));
            assert!(own.count() > 3, "{page}: {side} in {names:?}");
        }
    }
}

/// Where axe-core is, which looks for what keeps people out.
const AXE: &str = "GRAPESHOT_AXE";

#[test]
fn it_keeps_nobody_out() {
    let served = Served::new();
    let Some(path) = std::env::var_os(AXE) else {
        skipped(&format!("{AXE} does not say where axe.min.js is"));
        return;
    };
    let axe = std::fs::read_to_string(path).expect("axe-core");
    let run = "const done = arguments[arguments.length - 1];
        axe.run(document, { resultTypes: ['violations'] }).then(found => done(found.violations.map(v =>
          v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | '))), e => done([String(e)]));";
    for dark in [false, true] {
        let window = Window {
            dark,
            ..Window::PHONE
        };
        let Some(browser) = Browser::open(window) else {
            return;
        };
        for page in PAGES {
            browser.go(&at(&served, page));
            browser.script("document.querySelectorAll('details').forEach(d => { d.open = true; })");
            browser.script(&axe);
            let violations = browser.script_later(run);
            assert_eq!(violations, serde_json::json!([]), "{page}, dark {dark}");
        }
    }
}
