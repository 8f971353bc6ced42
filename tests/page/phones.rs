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

#[test]
fn no_word_on_a_button_is_broken_letter_by_letter() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    for page in [
        "/elephant/charge",
        "/acw28/charge",
        "/fireline/charge",
        "/gbacw/charge",
    ] {
        browser.go(&at(&served, page));
        let broken = browser.script(
            "const lines = e => { const r = document.createRange(); r.selectNodeContents(e); return new Set([...r.getClientRects()].map(q => Math.round(q.top))).size; };
             return [...document.querySelectorAll('.pills a, .ends summary, .ends td, button')]
               .filter(e => e.checkVisibility() && !/[\\s-]/.test(e.textContent.trim()) && lines(e) > 1).map(e => e.textContent)",
        );
        assert_eq!(broken, json!([]), "{page}");
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
    for value in ["veteran", "elite"] {
        browser.click(&browser.find(&format!("input[name='attacker.grade'][value='{value}']")));
    }
    // Meanwhile the answer from before is shown, and known to be old.
    let waiting = "return document.documentElement.classList.contains('waiting')";
    browser.wait("that it waits", || {
        (browser.script(waiting) == true).then_some(())
    });
    browser.wait("the answer to the last tap", || {
        (browser.script(waiting) == false && browser.address().contains("elite")).then_some(())
    });
    let sentence = browser.text(&browser.find(".sentence"));
    network(true, 0);
    browser.click(&browser.find("input[name='attacker.grade'][value='militia']"));
    let lost = browser.wait("that there is no connection", || {
        browser.all("#verdict .lost").into_iter().next()
    });
    assert!(browser.text(&lost).contains("No connection"));
    assert_eq!(browser.text(&browser.find(".sentence")), sentence);
}
