//! The browser of the tests does what the tests ask of it.

use crate::browser::{Browser, Window};

#[test]
fn a_page_is_opened_read_and_clicked() {
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    let page = tempfile::NamedTempFile::with_suffix(".html").unwrap();
    let html = "<!doctype html><meta name=viewport content='width=device-width'><title>odds</title>\
        <p id=a>27 of 100</p><button onclick='a.textContent=\"28 of 100\"'>better</button>";
    std::fs::write(page.path(), html).unwrap();
    browser.go_to_file(page.path());
    assert_eq!(browser.read("#a"), "27 of 100");
    browser.tap("button");
    assert_eq!(browser.read("#a"), "28 of 100");
    assert_eq!(browser.script("return window.innerWidth"), 360);
    assert_eq!(browser.overflow(), 0);
    browser.script("document.body.style.width = '500px'; document.body.style.margin = 0");
    assert_eq!(browser.overflow(), 140);
}

#[test]
fn without_scripts_and_in_the_dark_as_asked() {
    let window = Window {
        dark: true,
        scripts: false,
        ..Window::DESKTOP
    };
    let Some(browser) = Browser::open(window) else {
        return;
    };
    let page = tempfile::NamedTempFile::with_suffix(".html").unwrap();
    let html = "<!doctype html><p>plain</p><script>document.write('<i>live</i>')</script>";
    std::fs::write(page.path(), html).unwrap();
    browser.go_to_file(page.path());
    assert!(browser.all("i").is_empty());
    assert_eq!(browser.read("p"), "plain");
}
