//! Rules of one's own on the page: typed, checked at their lines, asked, shared and kept.

use crate::browser::{Browser, Window};
use crate::serving::Served;

/// Replaces a piece of the text as somebody would who types.
pub fn type_over(browser: &Browser, old: &str, new: &str) {
    browser.script(&format!(
        "const text = document.querySelector('#text');
         if (!text.value.includes({old:?})) throw new Error('not in the text');
         text.value = text.value.replace({old:?}, {new:?});
         text.dispatchEvent(new InputEvent('input', {{ bubbles: true }}));"
    ));
}

/// The chance of an end, as it stands on the page.
pub fn chance(browser: &Browser, label: &str) -> Option<String> {
    let script = format!(
        "const row = [...document.querySelectorAll('.ends tbody tr')].find(r => r.dataset.end === '{label}');
         return row ? row.cells[2].textContent : null"
    );
    browser.script(&script).as_str().map(str::to_owned)
}

fn wrong_lines(browser: &Browser) -> Vec<String> {
    let all = browser.script(
        "return [...document.querySelectorAll('.gutter .error')].map(line => line.textContent)",
    );
    let all = all.as_array().cloned().unwrap_or_default();
    all.iter()
        .filter_map(|line| line.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn a_text_is_checked_as_it_is_typed_and_its_odds_stand_beside_it() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&format!("http://{}/play", served.addr));
    // 25 of 108, as the text itself expects.
    assert_eq!(chance(&browser, "attacker-wins").as_deref(), Some("23.1 %"));
    // A slip: the line is named, and marked; the answer from before stays.
    type_over(&browser, "take volley[d6", "take voley[d6");
    browser.wait("a message at the line", || {
        (wrong_lines(&browser) == ["27"]).then_some(())
    });
    for told in ["#messages", "#verdict .lost"] {
        let told = browser.read(told);
        assert!(told.contains("voley") && told.contains("line 27"), "{told}");
    }
    assert_eq!(chance(&browser, "attacker-wins").as_deref(), Some("23.1 %"));
    // A tap on the message leads to the line.
    browser.tap("#messages button.at");
    let selected = browser.script(
        "const text = document.querySelector('#text');
         return text.value.slice(text.selectionStart, text.selectionEnd)",
    );
    assert!(
        selected.as_str().unwrap_or_default().contains("voley"),
        "{selected}"
    );
    // Put right, with another rule: veterans have less nerve. What the text expects no longer holds, and it says so.
    type_over(&browser, "take voley[d6", "take volley[d6");
    type_over(&browser, "veteran  9", "veteran  8");
    browser.wait("other odds", || {
        chance(&browser, "attacker-wins").filter(|shown| shown != "23.1 %")
    });
    let told = browser.read("#messages");
    assert!(told.contains("the chance of attacker-stops is"), "{told}");
    assert_eq!(browser.overflow(), 0);
    // A setting keeps the text, and the text the setting.
    let raw = "input[name='attacker.grade'][value='raw']";
    browser.tap(raw);
    browser.wait("the setting in the link", || {
        let address = browser.address();
        (address.contains("attacker.grade=raw") && address.contains("text=")).then_some(())
    });
    let before = chance(&browser, "attacker-wins");
    type_over(&browser, "raw      7", "raw      6");
    browser.wait("odds of a raw attacker of less nerve", || {
        let now = chance(&browser, "attacker-wins");
        (now.is_some() && now != before && browser.address().contains("raw")).then_some(())
    });
    // The link alone gives the same to somebody else.
    let (link, shown) = (browser.address(), chance(&browser, "attacker-wins"));
    let Some(other) = Browser::open(Window::DESKTOP) else {
        return;
    };
    other.go(&link);
    assert_eq!(chance(&other, "attacker-wins"), shown);
    let text = other.script("return document.querySelector('#text').value");
    assert!(text.as_str().unwrap_or_default().contains("raw      6"));
    assert_eq!(other.overflow(), 0);
}

#[test]
fn a_text_that_is_too_long_for_a_link_stays_in_the_browser() {
    let served = Served::new();
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    browser.go(&format!("http://{}/play/charge?from=elephant", served.addr));
    let printed = chance(&browser, "attacker-wins").expect("odds");
    type_over(&browser, "attacker-wins", "attacker-triumphs");
    // Whatever it says of that, the text is kept here, and the link says so.
    browser.wait("a link that says that the text is kept", || {
        browser.address().contains("text=kept").then_some(())
    });
    type_over(&browser, "attacker-triumphs", "attacker-wins");
    browser.wait("that it holds together", || {
        let told = browser.read("#messages");
        told.contains("It holds together").then_some(())
    });
    let veteran = "input[name='attacker.grade'][value='veteran']";
    browser.tap(veteran);
    let other = browser.wait("other odds", || {
        chance(&browser, "attacker-wins").filter(|shown| *shown != printed)
    });
    // Opened again, in the same browser.
    let link = browser.address();
    browser.go(&format!("http://{}/", served.addr));
    browser.go(&link);
    browser.wait("the same odds again", || {
        (chance(&browser, "attacker-wins").as_ref() == Some(&other)).then_some(())
    });
    // Elsewhere there is nothing but what is wrong.
    let Some(stranger) = Browser::open(Window::DESKTOP) else {
        return;
    };
    stranger.go(&link);
    let told = stranger.read("#kept");
    assert!(told.contains("kept in the browser"), "{told}");
}

#[test]
fn a_text_can_be_tried_without_scripts() {
    let served = Served::new();
    let window = Window {
        scripts: false,
        ..Window::PHONE
    };
    let Some(browser) = Browser::open(window) else {
        return;
    };
    browser.go(&format!("http://{}/play", served.addr));
    let text = browser.find("#text");
    browser.type_into(&text, "\nprocedur fire:\n");
    browser.tap("#rules button.go");
    browser.wait("the text in the link", || {
        browser.address().contains("text=").then_some(())
    });
    let told = browser.read("#messages");
    assert!(
        told.contains("procedur") && told.contains("line 60"),
        "{told}"
    );
}
