//! The page in WebAssembly, as `web/build` makes it: the same bytes as everywhere else.
//!
//! `GRAPESHOT_SITE` names the folder that was built; without it, or without node, these tests say that they were
//! skipped. `.ci/run` builds it and requires them.

use crate::asked::{Visit, answer, cases, pages, visits};
use crate::files::of_the_project;
use crate::program::unseen;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder that was built, if there is one.
pub fn site() -> Option<PathBuf> {
    let named = std::env::var_os("GRAPESHOT_SITE").map(PathBuf::from);
    if named.is_none() {
        unseen(
            "GRAPESHOT_SITE names no site made by web/build, so nothing was asked in WebAssembly",
        );
    }
    named
}

/// Asks node, which has the same engine as a browser.
fn in_wasm(visits: &[Visit], times: Option<&str>) -> Option<Vec<Value>> {
    let site = site()?;
    let node = Command::new("node")
        .arg(of_the_project("tests/page/web.mjs"))
        .arg(site)
        .args(times)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut node = node.expect("node has to be there where a site is");
    let mut input = node.stdin.take().expect("its input");
    let lines: String = (visits.iter())
        .map(|(method, address, body)| format!("{}\n", json!([method, address, body])))
        .collect();
    let writing = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let told = node.wait_with_output().expect("node ends");
    writing.join().expect("written").expect("written");
    assert!(told.status.success(), "node failed");
    let told = String::from_utf8(told.stdout).expect("text");
    let told: Vec<Value> = (told.lines())
        .map(|line| serde_json::from_str(line).expect("an answer"))
        .collect();
    assert_eq!(told.len(), visits.len() + times.iter().len());
    Some(told)
}

fn the_same(visits: &[Visit]) {
    let Some(told) = in_wasm(visits, None) else {
        return;
    };
    let pages = pages();
    for (visit, told) in visits.iter().zip(told) {
        let (status, headers, bytes) = answer(&pages, visit);
        assert_eq!(told[0], status, "{visit:?}");
        assert_eq!(told[1], json!(headers), "{visit:?}");
        let bytes: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(told[2] == bytes, "{visit:?} has other bytes in WebAssembly");
    }
}

#[test]
fn every_kind_of_page_has_the_same_bytes_in_web_assembly() {
    let visits = visits(&pages());
    assert!(visits.len() > 200, "{}", visits.len());
    the_same(&visits);
}

#[test]
fn every_worked_case_is_the_same_to_the_last_digit_in_web_assembly() {
    let cases = cases();
    assert!(cases.len() > 200, "{}", cases.len());
    the_same(&cases);
}

#[test]
#[ignore = "measures, on a machine with nothing else to do: cargo test --release --test page somebody_waits -- --ignored --nocapture"]
fn it_answers_in_a_browser_while_somebody_waits() {
    let addresses = [
        "/api/odds/elephant/charge",
        "/api/odds/elephant/firefight",
        "/elephant/standoff",
        "/api/odds/elephant/battle?trials=10000",
    ];
    let visits = addresses.map(|address| ("GET", address.to_owned(), ""));
    let told = in_wasm(&visits, Some("times")).expect("GRAPESHOT_SITE names a site");
    for told in told {
        let [what, processor, clock] = [0, 1, 2].map(|at| told[at].to_string());
        eprintln!("{what}: {processor} ms of a processor, {clock} by the clock");
    }
}
