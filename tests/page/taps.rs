//! How many taps a player needs for what is asked at a table, on a phone, with the units kept in it. docs/page.md has the table.

use crate::browser::{Browser, Window};
use crate::serving::Served;
use serde_json::json;
use std::cell::Cell;

/// A phone whose taps are counted.
struct Player {
    browser: Browser,
    served: Served,
    taps: Cell<usize>,
}

impl Player {
    fn new() -> Option<Player> {
        let (served, browser) = (Served::new(), Browser::open(Window::PHONE)?);
        browser.go(&format!("http://{}/evening", served.addr));
        let unit = |name: &str, grade: &str, stands: &str| json!({"name": name, "rules": "elephant", "settings": {"grade": grade, "stands": stands}});
        let units = json!([
            unit("20th Maine", "veteran", "8"),
            unit("15th Alabama", "regular", "6")
        ]);
        let script = format!("localStorage.setItem('grapeshot-units', JSON.stringify({units}))");
        browser.script(&script);
        Some(Player {
            browser,
            served,
            taps: Cell::new(0),
        })
    }

    /// Begins a task at a page.
    fn at(&self, page: &str) {
        self.browser
            .go(&format!("http://{}{page}", self.served.addr));
        self.taps.set(0);
    }

    fn tap(&self, css: &str) {
        self.browser.tap(css);
        self.taps.set(self.taps.get() + 1);
    }

    fn pick(&self, css: &str, name: &str) {
        self.browser.tap_named(css, name);
        self.taps.set(self.taps.get() + 1);
    }

    /// A field is tapped, and what is typed takes the place of what stood there.
    fn type_into(&self, css: &str, text: &str) {
        self.tap(css);
        self.browser.press(text);
    }

    /// Waits until a question with all this in its link has an answer.
    fn answered(&self, link: &[&str]) -> String {
        self.browser.wait(&format!("{link:?}"), || {
            let address = self.browser.address();
            let waits = "return document.documentElement.classList.contains('waiting')";
            (link.iter().all(|part| address.contains(part)) && self.browser.script(waits) == false)
                .then_some(())
        });
        self.browser.read(".sentence")
    }

    /// The task is done, with so many taps.
    fn done(&self, task: &str, taps: usize) {
        assert_eq!(self.taps.get(), taps, "{task}");
    }
}

const MINE: &str = ".sides .side:nth-child(1) .shelf button";
const THEIRS: &str = ".sides .side:nth-child(2) .shelf button";
const FIGHT: &str = "/elephant/charge?attacker.grade=veteran&attacker.stands=8&defender.stands=6&defender.cover=wall";

#[test]
fn what_is_asked_at_a_table_takes_few_taps() {
    let Some(player) = Player::new() else {
        return;
    };
    player.at("/elephant/charge");
    player.pick(MINE, "20th Maine");
    player.pick(THEIRS, "15th Alabama");
    let fight = [
        "attacker.grade=veteran",
        "attacker.stands=8",
        "defender.stands=6",
    ];
    assert!(player.answered(&fight).contains("of 100"));
    player.done("should I charge", 2);

    // Whoever put the phone away comes back to the start, and goes on.
    player.at("/");
    player.tap(".going a");
    assert!(player.answered(&fight).contains("of 100"));
    player.done("where was I", 1);

    player.at(FIGHT);
    player.tap("#verdict .tips a[href*='attacker.flank=true']");
    player.answered(&["attacker.flank=true"]);
    assert!(player.browser.read(".before").contains("→ now"));
    player.done("what if I flank him", 1);

    player.at(FIGHT);
    player.tap("a.button[href^='/elephant/standoff']");
    let decided = player.answered(&["a.grade=veteran", "a.stands=8", "b.stands=6"]);
    assert!(
        decided.contains("charge") && decided.contains("You are a:"),
        "{decided}"
    );
    player.done("fire first", 1);

    player.at(FIGHT);
    player.tap("tr[data-end='attacker-halts'] summary");
    player.tap("tr[data-end='attacker-halts'] .word a");
    player.answered(&["got="]);
    assert!(player.browser.read("#luck").contains("That was"));
    player.done("how unlucky", 2);

    for (page, button) in [
        (FIGHT, "Copy link"),
        ("/elephant/standoff", "Copy link"),
        (FIGHT, "Code"),
    ] {
        player.at(page);
        player.pick(".taking button", button);
        player.done("share", 1);
    }

    player.at(FIGHT);
    player.pick(".taking button", "Pin this");
    player.pick(THEIRS, "20th Maine");
    player.answered(&["defender.grade=veteran"]);
    assert!(player.browser.read(".two").contains("Pinned"));
    player.done("which of two", 2);

    player.at(FIGHT);
    player.browser.reveal("[data-part*=elsewhere]", "th a");
    player.pick("[data-part*=elsewhere] th a", "acw28");
    player.answered(&["/acw28/charge", "cover"]);
    player.done("the same in acw28", 1);

    player.at(FIGHT);
    player.tap("details.menu summary");
    player.pick("nav a", "battle");
    player.answered(&["/elephant/battle"]);
    player.type_into("input[name='attacker.grades']", "4*veteran");
    player.type_into("input[name='defender.grades']", "3*regular");
    player.answered(&["attacker.grades=4%2Aveteran", "defender.grades=3%2Aregular"]);
    player.done("four against three", 4);
}
