//! The page without a server, in a real Chromium: fetched once from a plain host of files, then asked with the host gone.
//!
//! `GRAPESHOT_SITE` names a folder that `web/build` made; see `web.rs`.

use crate::browser::{Browser, Window};
use crate::played::{chance, type_over};
use crate::program::skipped;
use crate::web::site;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A host of files: what it does not have is answered with its `404.html`.
struct Host {
    addr: SocketAddr,
    folder: Arc<Mutex<PathBuf>>,
    gone: Arc<AtomicBool>,
}

/// The path under which a host may show a site, instead of its root.
const UNDER: &str = "/odds/";

impl Host {
    fn new(folder: &Path) -> Self {
        Self::under(folder, "/")
    }

    /// One that shows the folder under a path, and nothing elsewhere.
    fn under(folder: &Path, base: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let host = Host {
            addr: listener.local_addr().expect("an address"),
            folder: Arc::new(Mutex::new(folder.to_owned())),
            gone: Arc::default(),
        };
        let (folder, gone) = (Arc::clone(&host.folder), Arc::clone(&host.gone));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A host that is gone takes no connection further.
                if !gone.load(Ordering::Relaxed) {
                    let folder = folder.lock().expect("a folder").clone();
                    std::thread::spawn(move || send(stream, &folder, base));
                }
            }
        });
        host
    }

    fn at(&self, address: &str) -> String {
        format!("http://{}{address}", self.addr)
    }

    fn leaves(&self) {
        self.gone.store(true, Ordering::Relaxed);
    }

    /// From now on the files of another folder.
    fn shows(&self, folder: &Path) {
        *self.folder.lock().expect("a folder") = folder.to_owned();
    }
}

fn send(mut stream: TcpStream, folder: &Path, base: &str) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let mut first = String::new();
    let _ = reader.read_line(&mut first);
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
        line.clear();
    }
    let address = first.split(' ').nth(1).unwrap_or("/");
    let path = address.split('?').next().unwrap_or("/");
    let name = match path.strip_prefix(base) {
        Some("") => Some("index.html"),
        name => name,
    };
    let (status, file) = match name.map(|name| folder.join(name)) {
        Some(file) if file.is_file() => ("200 OK", file),
        _ => ("404 Not Found", folder.join("404.html")),
    };
    let kind = match file.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/manifest+json",
    };
    let bytes = std::fs::read(file).expect("a file of the site");
    let length = bytes.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    let _ = stream.write_all(&bytes);
}

/// What the page says, once it is there with its scripts: a first visit loads it again by itself.
fn sentence(browser: &Browser) -> String {
    browser.wait("the page with its scripts", || {
        let there = browser.script(
            "return document.readyState === 'complete' && document.querySelector('html.js .sentence') !== null",
        );
        (there == true).then_some(())
    });
    browser.read(".sentence")
}

#[test]
fn a_shared_link_works_on_the_first_visit_and_offline_afterwards() {
    let (Some(site), Some(browser)) = (site(), Browser::open(Window::PHONE)) else {
        return;
    };
    let host = Host::new(&site);
    let link = "/elephant/charge?attacker.grade=veteran";
    browser.go(&host.at(link));
    assert!(
        sentence(&browser).starts_with("32 of 100"),
        "{}",
        sentence(&browser)
    );
    assert_eq!(browser.address(), host.at(link));
    // It could be installed but for the window, which forgets everything.
    let problems = browser.devtools("Page.getInstallabilityErrors", json!({}));
    let problems: Vec<&str> = (problems["installabilityErrors"]
        .as_array()
        .into_iter()
        .flatten())
    .filter_map(|problem| problem["errorId"].as_str())
    .filter(|problem| *problem != "in-incognito")
    .collect();
    assert!(problems.is_empty(), "{problems:?}");

    host.leaves();
    browser.go(&host.at("/gbacw/charge"));
    assert!(
        sentence(&browser).contains("of 100"),
        "{}",
        sentence(&browser)
    );
    // A worker that was stopped is woken by the next question.
    browser.devtools("ServiceWorker.enable", json!({}));
    browser.devtools("ServiceWorker.stopAllWorkers", json!({}));
    browser.go(&host.at("/elephant/melee"));
    assert!(
        sentence(&browser).contains("of 100"),
        "{}",
        sentence(&browser)
    );
    let version = browser.read(".foot");
    assert!(version.contains(env!("CARGO_PKG_VERSION")), "{version}");
    accessible(&browser);
}

#[test]
fn a_host_may_show_it_under_a_path() {
    let Some(folder) = std::env::var_os("GRAPESHOT_SITE_UNDER").map(PathBuf::from) else {
        assert!(
            site().is_none(),
            "GRAPESHOT_SITE wants GRAPESHOT_SITE_UNDER, of `web/build OUT {UNDER}`"
        );
        return;
    };
    let Some(browser) = Browser::open(Window::PHONE) else {
        return;
    };
    let host = Host::under(&folder, UNDER);
    browser.go(&host.at("/odds/elephant/charge?attacker.grade=veteran"));
    assert!(sentence(&browser).starts_with("32 of 100"));
    host.leaves();
    // Every link, part and asset stays under it.
    browser.tap("input[name='attacker.grade'][value='elite']");
    browser.wait("another answer", || {
        (browser.address() == host.at("/odds/elephant/charge?attacker.grade=elite")).then_some(())
    });
    browser.find("#verdict .tips a[href^='/odds/']");
    browser.tap("nav.questions a[href^='/odds/elephant/fire']");
    assert!(sentence(&browser).contains("of 100"));
    let outside = browser.script(
        "return [...document.querySelectorAll('[href], [src], form')].map(e => e.href ?? e.src ?? e.action)
           .filter(at => typeof at === 'string' && new URL(at).origin === location.origin && !new URL(at).pathname.startsWith('/odds/'))",
    );
    assert_eq!(outside, json!([]));
    let style = browser.script("return document.styleSheets[0].cssRules.length > 50");
    assert_eq!(style, true);
    browser.go(&host.at("/odds/"));
    browser.tap(".book a[href='/odds/gbacw/charge']");
    assert!(sentence(&browser).contains("of 100"));
}

#[test]
fn rules_of_ones_own_are_tried_without_a_network() {
    let (Some(site), Some(browser)) = (site(), Browser::open(Window::PHONE)) else {
        return;
    };
    let host = Host::new(&site);
    browser.go(&host.at("/play"));
    sentence(&browser);
    assert_eq!(chance(&browser, "attacker-wins").as_deref(), Some("23.1 %"));
    host.leaves();
    type_over(&browser, "veteran  9", "veteran  8");
    browser.wait("other odds", || {
        chance(&browser, "attacker-wins").filter(|shown| shown != "23.1 %")
    });
    let told = browser.read("#messages");
    assert!(told.contains("the chance of attacker-stops is"), "{told}");
    accessible(&browser);
}

/// Looked at by axe-core, where it is there.
fn accessible(browser: &Browser) {
    let Some(axe) = std::env::var_os("GRAPESHOT_AXE") else {
        return skipped("GRAPESHOT_AXE names no axe-core");
    };
    browser.script(&std::fs::read_to_string(axe).expect("axe-core"));
    let found = browser.script_later(
        "const told = arguments[arguments.length - 1];
         axe.run().then(found => told(found.violations.map(v => v.id + ': ' + v.nodes[0].html)))",
    );
    assert_eq!(found, json!([]));
}

#[test]
fn what_takes_long_is_worked_out_beside_the_page_and_can_be_stopped() {
    let (Some(site), Some(browser)) = (site(), Browser::open(Window::DESKTOP)) else {
        return;
    };
    let host = Host::new(&site);
    browser.go(&host.at("/"));
    browser.find(".book");
    browser.go(&host.at("/elephant/standoff"));
    assert!(
        sentence(&browser).starts_with("Fire: you drive them off"),
        "{}",
        sentence(&browser)
    );
    // An audit takes a minute; the page is alive meanwhile.
    browser.go(&host.at("/elephant/audit"));
    browser.tap(".working button");
    browser.wait("that it was stopped", || {
        let told = browser.read("main");
        told.contains("Stopped.").then_some(())
    });
    browser.go(&host.at("/elephant/charge"));
    assert!(sentence(&browser).contains("of 100"));
}

#[test]
fn a_new_version_waits_whole_until_somebody_wants_it() {
    let (Some(site), Some(browser)) = (site(), Browser::open(Window::DESKTOP)) else {
        return;
    };
    let host = Host::new(&site);
    browser.go(&host.at("/elephant/charge"));
    assert!(sentence(&browser).contains("of 100"));

    // A host that has only half of the next version changes nothing.
    let next = tempfile::tempdir().expect("a folder");
    let version = another_version(&site, next.path());
    let missing = next.path().join(format!("v-{version}/grapeshot.wasm"));
    let wasm = std::fs::read(&missing).expect("the program");
    std::fs::remove_file(&missing).expect("removed");
    host.shows(next.path());
    update(&browser);
    assert_eq!(caches(&browser).len(), 1, "{:?}", caches(&browser));
    browser.go(&host.at("/elephant/melee"));
    assert!(sentence(&browser).contains("of 100"));
    assert!(browser.all(".newer").is_empty());

    // Whole, it waits; the page goes on with the old one until the button is pressed.
    std::fs::write(&missing, wasm).expect("written");
    update(&browser);
    assert_eq!(caches(&browser).len(), 2, "{:?}", caches(&browser));
    // The page that is open offers it.
    browser.tap(".newer");
    browser.wait("the new version alone", || {
        (caches(&browser) == [format!("grapeshot-{version}")]).then_some(())
    });
    assert!(sentence(&browser).contains("of 100"));
}

/// The same site under the name of another version.
fn another_version(site: &Path, into: &Path) -> String {
    let is_version = |name: &String| name.starts_with("v-");
    let names = || {
        (std::fs::read_dir(site).expect("a site").flatten())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
    };
    let old = names().find(is_version).expect("a version")[2..].to_owned();
    let new = "f".repeat(old.len());
    let copy = |from: &Path, to: &Path| {
        let bytes = std::fs::read(from).expect("a file of the site");
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => text.replace(&old, &new).into_bytes(),
            Err(bytes) => bytes.into_bytes(),
        };
        std::fs::write(to, bytes).expect("written");
    };
    for name in names().filter(|name| !is_version(name)) {
        copy(&site.join(&name), &into.join(&name));
    }
    let (from, to) = (site.join(format!("v-{old}")), into.join(format!("v-{new}")));
    std::fs::create_dir(&to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a version").flatten() {
        copy(&entry.path(), &to.join(entry.file_name()));
    }
    new
}

/// Has the browser look for a new version, and waits until it has one or has failed.
fn update(browser: &Browser) {
    browser.script_later(
        "const told = arguments[arguments.length - 1];
         navigator.serviceWorker.getRegistration().then(async kept => {
           window.kept = kept;
           await kept.update().catch(() => {});
           told(null);
         })",
    );
    browser.wait("the end of it", || {
        (browser.script("return window.kept.installing === null") == true).then_some(())
    });
}

/// The versions that are kept.
fn caches(browser: &Browser) -> Vec<String> {
    let names = browser.script_later(
        "const told = arguments[arguments.length - 1];
         caches.keys().then(names => told(names.filter(name => !name.includes('answers'))))",
    );
    let names = names.as_array().cloned().unwrap_or_default();
    names
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}
