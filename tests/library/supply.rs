//! What the program is built from, held to `deny.toml`: licences, sources, versions, and a reason for each.

use crate::files::of_the_project;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::Command;
use toml::Table;

fn file(name: &str) -> String {
    let path = of_the_project(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn table(name: &str) -> Table {
    file(name).parse().expect("TOML")
}

/// Every crate that `Cargo.lock` names, on whatever machine it would be built: by name, version and source.
fn locked() -> Vec<[String; 3]> {
    let all = locked_in("Cargo.lock");
    assert!(all.len() > 50, "{} packages", all.len());
    all
}

fn locked_in(file: &str) -> Vec<[String; 3]> {
    let lock = table(file);
    let all = lock["package"].as_array().expect("a list").iter();
    all.map(|one| {
        ["name", "version", "source"].map(|key| {
            let text = one.get(key).and_then(toml::Value::as_str);
            text.unwrap_or_default().to_owned()
        })
    })
    // Our own crates come from nowhere else.
    .filter(|[name, ..]| !name.starts_with(env!("CARGO_PKG_NAME")))
    .collect()
}

/// What cargo knows of the crates, which it has to have at hand for that.
fn described(how: &str) -> Result<Vec<Value>, String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args("metadata --format-version 1 --locked --all-features".split(' '))
        .args(how.split_whitespace())
        .output()
        .expect("cargo");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let data: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    Ok(data["packages"].as_array().expect("a list").clone())
}

/// The machine this is built on, as cargo names it.
fn host() -> String {
    let told = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .arg("-vV")
        .output()
        .expect("rustc");
    let told = String::from_utf8(told.stdout).expect("text");
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_owned()
}

/// The crates with their licences: those of every machine, or those of this one where the others are not at
/// hand and there is no network.
fn packages() -> Vec<Value> {
    let all = described("").unwrap_or_else(|why| {
        let here = described(&format!("--offline --filter-platform {}", host()));
        let here = here.unwrap_or_else(|problem| panic!("{why}\n{problem}"));
        // Not by `eprintln!`: what a test prints that way is shown only when it fails.
        let _ = writeln!(
            std::io::stderr(),
            "skipped in part: not all crates are at hand, so {} of {} are looked at",
            here.len() - 1,
            locked().len()
        );
        here
    });
    assert!(all.len() > 50, "{} packages", all.len());
    all
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_default()
}

fn texts(value: &toml::Value) -> BTreeSet<&str> {
    let all = value.as_array().expect("a list").iter();
    all.map(|one| one.as_str().expect("a text")).collect()
}

/// Whether an expression of licences (SPDX) can be met with those that are allowed: all of an AND, one of an
/// OR.
fn is_met(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    // Before there was a grammar, a stroke was an OR.
    let expression = expression.replace('/', " OR ");
    let spaced = expression.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    if words.is_empty() {
        return false;
    }
    let mut at = 0;
    let met = any(&words, &mut at, allowed);
    assert_eq!(at, words.len(), "{expression}");
    met
}

fn any(words: &[&str], at: &mut usize, allowed: &BTreeSet<&str>) -> bool {
    let mut met = every(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= every(words, at, allowed);
    }
    met
}

fn every(words: &[&str], at: &mut usize, allowed: &BTreeSet<&str>) -> bool {
    let mut met = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at, allowed);
    }
    met
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<&str>) -> bool {
    let word = words.get(*at).copied().unwrap_or_default();
    *at += 1;
    if word == "(" {
        let met = any(words, at, allowed);
        assert_eq!(words.get(*at), Some(&")"), "{words:?}");
        *at += 1;
        return met;
    }
    if words.get(*at) == Some(&"WITH") {
        let whole = format!("{word} WITH {}", words[*at + 1]);
        *at += 2;
        return allowed.contains(whole.as_str());
    }
    allowed.contains(word)
}

#[test]
fn licences_are_read_as_they_are_meant() {
    let allowed = BTreeSet::from(["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"]);
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("MIT AND (GPL-3.0 OR ISC)", true),
        ("(MIT OR GPL-3.0) AND GPL-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Apache-2.0", false),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}

#[test]
fn every_crate_has_a_licence_that_is_allowed_and_comes_from_the_one_registry() {
    let policy = table("deny.toml");
    let allowed = texts(&policy["licenses"]["allow"]);
    let exceptions: BTreeMap<&str, BTreeSet<&str>> = policy["licenses"]["exceptions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (one["crate"].as_str().expect("a name"), texts(&one["allow"])))
        .collect();
    let mut wrong = Vec::new();
    for package in &packages() {
        let name = text(package, "name");
        if name == env!("CARGO_PKG_NAME") {
            continue;
        }
        let licence = text(package, "license");
        let excepted = exceptions.get(name);
        if !is_met(licence, &allowed) && !excepted.is_some_and(|more| is_met(licence, more)) {
            wrong.push(format!("{name}: licence `{licence}`"));
        }
    }
    let mut sources = BTreeSet::new();
    for [name, _, source] in locked() {
        if !source.starts_with("registry+") {
            wrong.push(format!("{name}: source `{source}`"));
        }
        sources.insert(source);
    }
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert!(wrong.is_empty(), "not in deny.toml: {wrong:#?}");
}

/// What only the package for Python is built from; MIT or Apache-2.0, and `target-lexicon` with LLVM's exception.
const ONLY_IN_PYTHON: [&str; 6] = [
    "pyo3",
    "pyo3-build-config",
    "pyo3-ffi",
    "pyo3-macros",
    "pyo3-macros-backend",
    "target-lexicon",
];

#[test]
fn the_package_for_python_is_built_from_what_the_program_is_and_pyo3() {
    let ours: BTreeSet<[String; 3]> = locked().into_iter().collect();
    let package = "crates/grapeshot-python";
    let others = locked_in(&format!("{package}/Cargo.lock"));
    let (others, known): (Vec<_>, Vec<_>) = others.into_iter().partition(|one| !ours.contains(one));
    assert!(known.len() > 50, "{} packages", known.len());
    let names: BTreeSet<&str> = others.iter().map(|[name, ..]| name.as_str()).collect();
    assert_eq!(
        names,
        BTreeSet::from(ONLY_IN_PYTHON),
        "what differs from Cargo.lock; cp Cargo.lock {package} && cargo metadata --manifest-path {package}/Cargo.toml"
    );
    let source = &known[0][2];
    assert!(others.iter().all(|[.., from]| from == source), "{others:?}");
}

#[test]
fn two_versions_of_a_crate_are_named_with_their_reason() {
    let policy = table("deny.toml");
    let skipped: BTreeSet<&str> = policy["bans"]["skip"]
        .as_array()
        .expect("a list")
        .iter()
        .inspect(|one| assert!(one["reason"].as_str().is_some_and(|why| !why.is_empty())))
        .map(|one| one["crate"].as_str().expect("a name"))
        .collect();
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for [name, version, _] in locked() {
        versions.entry(name).or_default().push(version);
    }
    let mut used = BTreeSet::new();
    for (name, all) in versions.iter().filter(|(_, all)| all.len() > 1) {
        let mut left = all.len();
        for version in all {
            let is_this = |skip: &&&str| {
                let (skip, of) = skip.split_once('@').expect("crate@version");
                skip == name && format!("{version}.").starts_with(&format!("{of}."))
            };
            if let Some(skip) = skipped.iter().find(is_this) {
                used.insert(*skip);
                left -= 1;
            }
        }
        assert!(left <= 1, "{name} {all:?}: not in deny.toml");
    }
    assert_eq!(used, skipped, "deny.toml names what is no longer there");
}

#[test]
fn every_dependency_has_a_line_that_says_why() {
    let crates = [
        "charts", "drill", "engine", "page", "python", "render", "rules", "study",
    ];
    let crates = crates.map(|name| format!("crates/grapeshot-{name}/Cargo.toml"));
    let manifests = crates.iter().map(String::as_str).chain(["Cargo.toml"]);
    let used: BTreeSet<String> = manifests
        .map(table)
        .flat_map(|manifest| {
            let kinds = ["dependencies", "dev-dependencies"];
            let kinds =
                kinds.map(|kind| manifest.get(kind).and_then(|all| all.as_table()).cloned());
            kinds.into_iter().flatten().flatten()
        })
        .map(|(name, _)| name)
        .filter(|name| !name.starts_with("grapeshot-"))
        .collect();
    let listed = file("docs/dependencies.md");
    let mut reasons: BTreeSet<&str> = listed
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .inspect(|(name, rest)| assert!(rest.len() > 20, "{name} has no reason"))
        .map(|(name, _)| name)
        .collect();
    for name in used {
        assert!(
            reasons.remove(name.as_str()),
            "docs/dependencies.md says nothing of {name}"
        );
    }
    assert!(reasons.is_empty(), "no dependencies any more: {reasons:?}");
}

#[test]
fn no_dependency_asks_for_a_newer_compiler_than_we_do() {
    let version = |text: &str| -> Vec<u32> {
        let numbers = text.split('.').map(|n| n.parse().expect("a number"));
        let mut version: Vec<u32> = numbers.collect();
        version.resize(3, 0);
        version
    };
    let manifest = table("Cargo.toml");
    let ours = manifest["workspace"]["package"]["rust-version"].as_str();
    let ours = ours.expect("a version");
    let packages = packages();
    let asking = packages.iter().filter_map(|package| {
        let asked = package["rust_version"].as_str()?;
        Some((text(package, "name"), asked))
    });
    let newer: Vec<(&str, &str)> = asking
        .filter(|(_, asked)| version(asked) > version(ours))
        .collect();
    assert!(
        newer.is_empty(),
        "rust-version is {ours}, and newer are {newer:?}"
    );
    let own = packages
        .iter()
        .filter(|p| text(p, "name").starts_with(env!("CARGO_PKG_NAME")));
    for package in own {
        assert_eq!(
            text(package, "rust_version"),
            ours,
            "{}",
            text(package, "name")
        );
    }
}
