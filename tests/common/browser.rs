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

/// Set where a browser has to be there, as in continuous integration.
pub const REQUIRED: &str = "GRAPESHOT_REQUIRE_BROWSER";

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
    _profile: tempfile::TempDir,
}

/// An element of the page.
#[derive(Debug, Clone)]
pub struct Element(String);

/// The name under which the protocol hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

impl Browser {
    /// Opens a window; none, with a message, where no browser is installed and none is required.
    pub fn open(window: Window) -> Option<Browser> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut driver = match started {
            Ok(driver) => driver,
            Err(error) if std::env::var_os(REQUIRED).is_some() => {
                panic!("{REQUIRED} is set and chromedriver does not start: {error}")
            }
            Err(_) => {
                skipped("no chromedriver here, so nothing was seen in a browser");
                return None;
            }
        };
        let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let said = line.strip_prefix("ChromeDriver was started successfully on port ")?;
                said.trim_end_matches('.').parse().ok()
            })
            .expect("chromedriver says its port");
        std::thread::spawn(move || lines.for_each(drop));
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
        let answer = request(port, "POST", "/session", Some(&wanted));
        let session = answer["sessionId"].as_str();
        let browser = Browser {
            driver,
            port,
            session: session
                .unwrap_or_else(|| panic!("no session: {answer}"))
                .into(),
            _profile: profile,
        };
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
        self.post("execute/sync", &json!({"script": script, "args": []}))
    }

    /// The result of a script that calls its last argument when it is done.
    pub fn script_later(&self, script: &str) -> Value {
        self.post("execute/async", &json!({"script": script, "args": []}))
    }

    /// The first element a selector finds; waits for it a few seconds.
    pub fn find(&self, css: &str) -> Element {
        self.wait(&format!("`{css}` on the page"), || {
            self.all(css).into_iter().next()
        })
    }

    /// All elements a selector finds now.
    pub fn all(&self, css: &str) -> Vec<Element> {
        let found = self.post("elements", &json!({"using": "css selector", "value": css}));
        let found = found.as_array().into_iter().flatten();
        found.map(|one| Element(text(&one[ELEMENT]))).collect()
    }

    /// What it says, as it is seen.
    pub fn text(&self, of: &Element) -> String {
        text(&self.get(&format!("element/{}/text", of.0)))
    }

    /// Taps it.
    pub fn click(&self, on: &Element) {
        self.post(&format!("element/{}/click", on.0), &json!({}));
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

    /// Waits until there is something, a minute at most: beside other tests a browser has a fraction of a core.
    pub fn wait<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(found) = look() {
                return found;
            }
            assert!(Instant::now() < until, "waited a minute for {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn get(&self, path: &str) -> Value {
        let path = format!("/session/{}/{path}", self.session);
        request(self.port, "GET", &path, None)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{path}", self.session);
        request(self.port, "POST", &path, Some(body))
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

/// The `value` of the driver's answer; an error of the driver ends the test.
fn request(port: u16, method: &str, path: &str, body: Option<&Value>) -> Value {
    let mut answer = exchange(port, method, path, body).expect("chromedriver answers");
    let value = answer["value"].take();
    assert!(
        value.get("error").is_none(),
        "{method} {path}: {} {}",
        value["error"],
        value["message"]
    );
    value
}

fn exchange(port: u16, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
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
