//! The page, served by the program itself on a port of its own, and a client that reads it byte by byte.

use crate::program::program;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The page while a test looks at it.
pub struct Served {
    child: Child,
    pub addr: SocketAddr,
}

/// What came back.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub head: String,
    pub body: String,
    /// The body, if it is no text.
    pub bytes: Vec<u8>,
}

impl Got {
    pub fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| {
            let key = line.split_once(':').map(|(key, _)| key);
            key.is_some_and(|key| key.eq_ignore_ascii_case(name))
        };
        let line = self.head.lines().find(named)?;
        line.split_once(':').map(|(_, value)| value.trim())
    }
}

impl Served {
    /// Starts the page with these arguments besides its address.
    pub fn with(arguments: &[&str]) -> Self {
        let mut child = program()
            .args(["serve", "--addr", "127.0.0.1:0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program");
        let mut greeting = String::new();
        let stdout = child.stdout.as_mut().expect("its output");
        BufReader::new(stdout)
            .read_line(&mut greeting)
            .expect("a greeting");
        let at = greeting
            .trim()
            .rsplit("http://")
            .next()
            .expect("an address");
        let addr = at.trim_end_matches('/').parse();
        Served {
            child,
            addr: addr.unwrap_or_else(|_| panic!("an address in {greeting:?}")),
        }
    }

    pub fn new() -> Self {
        Self::with(&[])
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.addr).expect("a connection");
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).expect("a timeout");
        stream
    }

    /// Sends bytes and reads until the other side has said everything.
    pub fn say(&self, request: &[u8]) -> Got {
        let mut stream = self.connect();
        stream.write_all(request).expect("sent");
        read(stream)
    }

    pub fn get(&self, address: &str) -> Got {
        self.say(
            format!("GET {address} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                .as_bytes(),
        )
    }

    pub fn post(&self, address: &str, body: &str) -> Got {
        let length = body.len();
        self.say(
            format!("POST {address} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n{body}")
                .as_bytes(),
        )
    }

    /// A page that has to be there.
    pub fn page(&self, address: &str) -> String {
        let got = self.get(address);
        assert_eq!(got.status, 200, "{address}: {}", got.body);
        got.body
    }

    /// Memory in use, in kilobytes, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Asks it to end as a terminal would, and says how it did.
    #[cfg(unix)]
    pub fn interrupted(mut self) -> std::process::ExitStatus {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill").success());
        for _ in 0..200 {
            if let Some(status) = self.child.try_wait().expect("its end") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it did not end")
    }
}

/// Reads an answer to its end.
pub fn read(mut stream: TcpStream) -> Got {
    let mut bytes = Vec::new();
    // A connection that was cut after the answer is an answer all the same.
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let (head, body) = bytes.split_at(end.map_or(bytes.len(), |end| end + 4));
    let head = String::from_utf8_lossy(head).trim_end().to_owned();
    let status = head
        .split_whitespace()
        .nth(1)
        .and_then(|code| code.parse().ok());
    Got {
        status: status.unwrap_or(0),
        head,
        body: String::from_utf8_lossy(body).into_owned(),
        bytes: body.to_vec(),
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
