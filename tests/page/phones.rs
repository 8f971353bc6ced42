//! Phones as they are: large text, turned on their side, in a hall with a poor network.

use crate::browser::{Browser, Window};
use crate::serving::Served;
use serde_json::json;

const PAGES: [&str; 7] = [
    "/",
    "/elephant/charge",
    "/elephant/charge?attacker.grade=veteran&got=outcome%3Dattacker-halts",
    "/acw28/firefight",
    "/gbacw/standoff",
    "/play/charge",
    "/evening",
];

fn at(served: &Served, page: &str) -> String {
    format!("http://{}{page}", served.addr)
}

#[test]
fn text_at_twice_its_size_still_reads() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    for page in PAGES {
        browser.go(&at(&served, page));
        browser.script("document.documentElement.style.fontSize = '200%'");
        browser.script("document.querySelectorAll('details').forEach(d => { d.open = true; })");
        assert_eq!(browser.overflow(), 0, "{page}");
        // What sticks to the top leaves the page to be read.
        let share = browser.script(
            "const v = document.querySelector('#verdict');
             return v ? v.getBoundingClientRect().height / innerHeight : 0",
        );
        assert!(share.as_f64().expect("a share") <= 0.26, "{page}: {share}");
    }
}

#[test]
fn on_its_side_a_phone_shows_the_answer_and_the_form() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.size(740, 360);
    for page in PAGES {
        browser.go(&at(&served, page));
        assert_eq!(browser.overflow(), 0, "{page}");
        let share = browser.script(
            "const v = document.querySelector('#verdict');
             return v ? v.getBoundingClientRect().height / innerHeight : 0",
        );
        assert!(share.as_f64().expect("a share") <= 0.26, "{page}: {share}");
    }
}

/// Words that go on in another line though nothing in them allows it.
const BROKEN: &str = r"
    const broken = new Set(), range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text; text = texts.nextNode();) {
      const within = text.parentElement;
      if (!within.checkVisibility() || within.closest('pre, textarea, svg, option, script, .unseen')) continue;
      for (const word of text.data.matchAll(/[^\s\-–—·/,=.&?]+/g)) {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].filter(r => r.width > 0).map(r => Math.round(r.top)));
        if (lines.size > 1) broken.add(word[0]);
      }
    }
    return [...broken]";

#[test]
fn no_word_is_broken_letter_by_letter() {
    let roster = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/experiments/rosters/union.toml"
    );
    let served = Served::with(&["--roster", roster]);
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    let more = [
        "/acw28/charge",
        "/fireline/charge",
        "/gbacw/charge",
        "/common/charge",
        "/elephant/battle",
        "/elephant/charge/help",
        "/elephant/charge/elsewhere?attacker.stands=8&defender.stands=6",
        "/elephant/charge/weigh",
        "/elephant/charge/numbers",
        "/elephant/charge/condense",
        "/elephant/charge/field",
        "/elephant/standoff/skill",
        "/elephant/tables",
        "/acw28/tables",
        "/studies",
    ];
    for page in PAGES.into_iter().chain(more) {
        browser.go(&at(&served, page));
        browser.script("document.querySelectorAll('details').forEach(d => { d.open = true; })");
        assert_eq!(browser.script(BROKEN), json!([]), "{page}");
        // Sentences in tables are read without pushing the table to and fro.
        let beyond = "return [...document.querySelectorAll('td .said')].filter(s => s.getBoundingClientRect().right > innerWidth).length";
        assert_eq!(browser.script(beyond), 0, "{page}");
    }
}

#[test]
fn on_a_slow_network_only_the_last_tap_counts_and_a_lost_one_keeps_the_answer() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&at(&served, "/elephant/charge"));
    browser.find(".sentence");
    browser.devtools("Network.enable", json!({}));
    let network = |offline: bool, latency: u32| {
        let conditions = json!({"offline": offline, "latency": latency, "downloadThroughput": 20_000, "uploadThroughput": 10_000});
        browser.devtools("Network.emulateNetworkConditions", conditions);
    };
    network(false, 800);
    // Meanwhile the answer from before is shown, and known to be old.
    browser.script(
        "const root = document.documentElement;
         new MutationObserver(() => { window.waited ||= root.classList.contains('waiting'); }).observe(root, { attributes: true });",
    );
    for value in ["veteran", "elite"] {
        browser.tap(&format!("input[name='attacker.grade'][value='{value}']"));
    }
    let waiting = "return document.documentElement.classList.contains('waiting')";
    browser.wait("the answer to the last tap", || {
        (browser.script(waiting) == false && browser.address().contains("elite")).then_some(())
    });
    assert_eq!(browser.script("return window.waited"), true);
    let sentence = browser.read(".sentence");
    network(true, 0);
    browser.tap("input[name='attacker.grade'][value='militia']");
    assert!(browser.read("#verdict .lost").contains("No connection"));
    assert_eq!(browser.read(".sentence"), sentence);
}
