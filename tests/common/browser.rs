//! A real Chromium, driven through chromedriver.
//!
//! The driver speaks JSON over HTTP/1.1 on loopback, which is all that is needed here. A client crate
//! would be larger than this file and would switch features on in crates the program is built on, so
//! that `cargo run` and `cargo test` would each compile most of them again.

use crate::program::skipped;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How the browser is started.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// Width of the page in CSS pixels.
    pub width: u32,
    /// Height of the page in CSS pixels.
    pub height: u32,
    /// Whether the reader prefers dark.
    pub dark: bool,
    /// Whether scripts run.
    pub scripts: bool,
}

impl Window {
    /// A laptop.
    pub const DESKTOP: Window = Window {
        width: 1280,
        height: 900,
        dark: false,
        scripts: true,
    };
    /// A small phone.
    pub const PHONE: Window = Window {
        width: 360,
        height: 740,
        ..Window::DESKTOP
    };
}

/// A session of its own: nothing is kept from another.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    scripts: bool,
    _profile: tempfile::TempDir,
}

/// An element of the page.
#[derive(Debug, Clone)]
pub struct Element(String);

/// How long anything is waited for: beside other tests a browser has a fraction of a core.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the driver says instead of an answer.
#[derive(Debug)]
struct Trouble {
    error: String,
    message: String,
}

impl Trouble {
    /// Whether it is of a page that is just being replaced, or of what is not in its place yet: a moment later it is over.
    fn passes(&self) -> bool {
        let kinds = [
            "stale element reference",
            "no such element",
            "element click intercepted",
            "element not interactable",
        ];
        let replaced = ["navigation", "context", "belong to the document"];
        kinds.contains(&self.error.as_str()) || replaced.iter().any(|of| self.message.contains(of))
    }
}

/// The name under which the protocol hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Starts the driver, and reads the port that it says; nothing if it ended without one, as it does where the port that it
/// was given in one family of addresses is taken in the other.
fn driver() -> std::io::Result<Option<(Child, u16)>> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let said = line.strip_prefix("ChromeDriver was started successfully on port ")?;
        said.trim_end_matches('.').parse().ok()
    });
    if port.is_none() {
        let _ = driver.kill();
        driver.wait()?;
    }
    std::thread::spawn(move || lines.for_each(drop));
    Ok(port.map(|port| (driver, port)))
}

impl Browser {
    /// Opens a window; none, with a message, where no browser is installed and none is required.
    pub fn open(window: Window) -> Option<Browser> {
        let (driver, port) = match (0..5).find_map(|_| driver().transpose()) {
            Some(Ok(started)) => started,
            Some(Err(error)) => {
                skipped(&format!(
                    "no chromedriver starts here ({error}), so nothing was seen in a browser"
                ));
                return None;
            }
            None => panic!("chromedriver found no port, five times"),
        };
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-dev-shm-usage",
            "--disable-sync",
            "--hide-scrollbars",
        ];
        let mut arguments: Vec<String> = arguments.map(str::to_owned).into();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
        }}});
        let answer = request(port, "POST", "/session", Some(&wanted))
            .unwrap_or_else(|trouble| panic!("no session: {trouble:?}"));
        let session = answer["sessionId"].as_str();
        let browser = Browser {
            driver,
            port,
            session: session
                .unwrap_or_else(|| panic!("no session: {answer}"))
                .into(),
            scripts: window.scripts,
            _profile: profile,
        };
        let patience = PATIENCE.as_millis() as u64;
        browser.post(
            "timeouts",
            &json!({"script": patience, "pageLoad": patience}),
        );
        browser.size(window.width, window.height);
        let scheme = if window.dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        browser.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
        let off = json!({"value": !window.scripts});
        browser.devtools("Emulation.setScriptExecutionDisabled", off);
        Some(browser)
    }

    /// Sets the size of the page, not of the window around it.
    pub fn size(&self, width: u32, height: u32) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// A command of the browser's own developer tools.
    pub fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({"cmd": command, "params": parameters});
        self.post("goog/cdp/execute", &body)
    }

    /// Goes to an address and waits until it has loaded.
    pub fn go(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    /// Goes to a page that is a file.
    pub fn go_to_file(&self, file: &Path) {
        self.go(&format!("file://{}", file.display()));
    }

    /// Where it is.
    pub fn address(&self) -> String {
        text(&self.get("url"))
    }

    /// The button of that name.
    pub fn back(&self) {
        self.post("back", &json!({}));
    }

    /// The result of a script: `return …`.
    pub fn script(&self, script: &str) -> Value {
        self.settled(|| {
            let body = json!({"script": script, "args": []});
            self.ask("POST", "execute/sync", Some(&body))
        })
    }

    /// The result of a script that calls its last argument when it is done.
    pub fn script_later(&self, script: &str) -> Value {
        self.post("execute/async", &json!({"script": script, "args": []}))
    }

    /// The first element a selector finds; waits for it.
    pub fn find(&self, css: &str) -> Element {
        self.wait(&format!("`{css}` on the page"), || {
            self.all(css).into_iter().next()
        })
    }

    /// All elements a selector finds now.
    pub fn all(&self, css: &str) -> Vec<Element> {
        self.settled(|| self.found(css))
    }

    /// What it says, as it is seen.
    pub fn text(&self, of: &Element) -> String {
        self.text_now(of).expect("it is still there")
    }

    /// What the first element of a selector says; waits for it, and heeds that it may be replaced while it is read.
    pub fn read(&self, css: &str) -> String {
        self.wait(&format!("`{css}` to be read"), || {
            self.passing(|| match self.found(css)?.first() {
                Some(first) => self.text_now(first).map(Some),
                None => Ok(None),
            })
        })
    }

    /// Taps the first element of a selector; waits for it, and heeds that it may be replaced meanwhile.
    pub fn tap(&self, css: &str) {
        self.tap_where(css, |_| true);
    }

    /// The same of the first that says just this.
    pub fn tap_named(&self, css: &str, name: &str) {
        self.tap_where(css, |said| said == name);
    }

    /// Scrolls to a part until something is in it: what comes in above pushes it out of sight again.
    pub fn reveal(&self, part: &str, css: &str) {
        let scroll = format!("document.querySelector(\"{part}\").scrollIntoView()");
        self.wait(&format!("`{css}` in `{part}`"), || {
            self.script(&scroll);
            self.all(&format!("{part} {css}")).first().map(|_| ())
        });
    }

    fn tap_where(&self, css: &str, is_it: impl Fn(&str) -> bool) {
        self.wait(&format!("`{css}` to be tapped"), || {
            self.passing(|| {
                for one in self.found(css)? {
                    if is_it(&self.text_now(&one)?) {
                        return Ok(self.click_now(&one)?.then_some(()));
                    }
                }
                Ok(None)
            })
        });
    }

    fn found(&self, css: &str) -> Result<Vec<Element>, Trouble> {
        let body = json!({"using": "css selector", "value": css});
        let found = self.ask("POST", "elements", Some(&body))?;
        let found = found.as_array().into_iter().flatten();
        Ok(found.map(|one| Element(text(&one[ELEMENT]))).collect())
    }

    fn text_now(&self, of: &Element) -> Result<String, Trouble> {
        let said = self.ask("GET", &format!("element/{}/text", of.0), None)?;
        Ok(text(&said))
    }

    /// Taps an element; false if the tap went beside it, because something above it grew in that moment.
    fn click_now(&self, on: &Element) -> Result<bool, Trouble> {
        let run = |script: &str, args: Value| {
            let body = json!({"script": script, "args": args});
            self.ask("POST", "execute/sync", Some(&body))
        };
        if self.scripts {
            let heard = "window.tapped = false;
                arguments[0].addEventListener('click', () => { window.tapped = true; }, { once: true, capture: true });";
            run(heard, json!([{ELEMENT: on.0}]))?;
        }
        let path = format!("element/{}/click", on.0);
        self.ask("POST", &path, Some(&json!({})))?;
        // On another page nothing is known of it: the tap led there.
        Ok(!self.scripts || self.script("return window.tapped ?? true") == true)
    }

    /// Types into it; keys such as `\u{E004}` (tab) and `\u{E007}` (enter) included.
    pub fn type_into(&self, into: &Element, keys: &str) {
        let body = json!({ "text": keys });
        self.post(&format!("element/{}/value", into.0), &body);
    }

    /// Presses keys wherever the focus is.
    pub fn press(&self, keys: &str) {
        let press = |key: char| {
            let key = key.to_string();
            [
                json!({"type": "keyDown", "value": key}),
                json!({"type": "keyUp", "value": key}),
            ]
        };
        let actions: Vec<Value> = keys.chars().flat_map(press).collect();
        let body = json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]});
        self.post("actions", &body);
    }

    /// The page as a PNG, for a person to look at.
    #[allow(dead_code, reason = "called by hand, when a test fails")]
    pub fn screenshot(&self) -> Vec<u8> {
        use base64::Engine;
        let data = text(&self.get("screenshot"));
        let decoder = base64::engine::general_purpose::STANDARD;
        decoder.decode(data).expect("a picture")
    }

    /// The page printed to a PDF.
    pub fn print(&self) -> Vec<u8> {
        use base64::Engine;
        let data = text(&self.post("print", &json!({"background": true})));
        let decoder = base64::engine::general_purpose::STANDARD;
        decoder.decode(data).expect("a document")
    }

    /// How many CSS pixels the page is wider than its window; 0 if it fits.
    pub fn overflow(&self) -> i64 {
        let script = "return document.documentElement.scrollWidth - window.innerWidth";
        self.script(script).as_i64().unwrap_or(0).max(0)
    }

    /// Waits until there is something.
    pub fn wait<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(Instant::now() < until, "waited in vain for {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Nothing yet, where what is in the way passes.
    fn passing<T>(&self, ask: impl FnOnce() -> Result<Option<T>, Trouble>) -> Option<T> {
        ask().unwrap_or_else(|trouble| {
            assert!(trouble.passes(), "{trouble:?}");
            None
        })
    }

    /// The answer, when what is in the way has passed.
    fn settled<T>(&self, ask: impl Fn() -> Result<T, Trouble>) -> T {
        self.wait("a page that stays", || self.passing(|| ask().map(Some)))
    }

    fn get(&self, path: &str) -> Value {
        self.settled(|| self.ask("GET", path, None))
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", path, Some(body))
            .unwrap_or_else(|trouble| panic!("{path}: {trouble:?}"))
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Trouble> {
        let path = format!("/session/{}/{path}", self.session);
        request(self.port, method, &path, body)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let path = format!("/session/{}", self.session);
        let _ = exchange(self.port, "DELETE", &path, None);
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The `value` of the driver's answer, or what it says is wrong.
fn request(port: u16, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Trouble> {
    let mut answer = exchange(port, method, path, body).expect("chromedriver answers");
    let value = answer["value"].take();
    match value.get("error") {
        None => Ok(value),
        Some(error) => Err(Trouble {
            error: text(error),
            message: text(&value["message"]),
        }),
    }
}

fn exchange(port: u16, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(2 * PATIENCE))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut reader = BufReader::new(stream);
    let mut length = None;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let mut answer = Vec::new();
    match length {
        Some(length) => {
            answer.resize(length, 0);
            reader.read_exact(&mut answer)?;
        }
        None => {
            reader.read_to_end(&mut answer)?;
        }
    }
    serde_json::from_slice(&answer).map_err(std::io::Error::other)
}
