//! Reads and checks the printed rulesets once, while the program is built: `ID.program` is a checked text as bytes, so that no start
//! reads it again, and the simulated procedures are written out as Rust, so that battles run at full speed (`native.rs` has a
//! module for each, and finds the one that plays a question).

use grapeshot_drill::load::{Files, load};
use grapeshot_drill::message::render_all;
use grapeshot_drill::program::{ProcedureId, Program};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let own = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says it"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says it"));
    let rules = own.join("rules");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", rules.display());
    let folders = fs::read_dir(&rules).expect("the rulesets stand in `rules`");
    let mut ids: Vec<String> = folders
        .filter_map(|folder| folder.ok()?.file_name().into_string().ok())
        .collect();
    ids.sort();
    let (mut modules, mut arms, mut written) = (String::new(), String::new(), String::new());
    let mut programs = String::new();
    for id in &ids {
        let Some(program) = read(&rules, id) else {
            continue;
        };
        let file = out.join(format!("{id}.program"));
        fs::write(&file, program.to_bytes()).expect("cargo's own folder can be written to");
        let _ = writeln!(
            programs,
            "        {id:?} => Some(include_bytes!({file:?})),"
        );
        for (at, procedure) in program.procedures.iter().enumerate() {
            if !procedure.simulated {
                continue;
            }
            let code = grapeshot_drill::emit::emit(&program, ProcedureId(at as u32));
            let code = code.unwrap_or_else(|message| {
                panic!("{}", render_all(&[*message], &program.sources));
            });
            let name = &*procedure.name;
            let module = format!("{id}_{name}").replace('-', "_");
            let file = out.join(format!("{module}.rs"));
            fs::write(&file, code).expect("cargo's own folder can be written to");
            let _ = write!(
                modules,
                "#[allow(unused, clippy::all, clippy::pedantic)]\nmod {module} {{ include!({file:?}); }}\n"
            );
            let _ = write!(
                arms,
                "        ({id:?}, {name:?}) => match {module}::Native::new(direct) {{\n            Ok(native) => return Box::new(PlayoutSteps(native)),\n            Err(direct) => *direct,\n        }},\n"
            );
            let _ = writeln!(written, "    ({id:?}, {name:?}, include_str!({file:?})),");
        }
    }
    let text = format!(
        "{modules}\n/// A checked ruleset of the program, as bytes.\n#[cfg(not(target_family = \"wasm\"))]\npub(super) fn checked(id: &str) -> Option<&'static [u8]> {{\n    match id {{\n{programs}        _ => None,\n    }}\n}}\n/// A question of a printed ruleset that is only simulated, played by the code that was written for it if there is some.\npub(super) fn played(id: &str, procedure: &str, direct: Direct) -> Box<dyn DynSteps> {{\n    let direct = match (id, procedure) {{\n{arms}        _ => direct,\n    }};\n    Box::new(PlayoutSteps(direct))\n}}\n\n/// Rulesets and procedures that are written out, and the code.\n#[cfg(test)]\npub(super) const WRITTEN: &[(&str, &str, &str)] = &[\n{written}];\n"
    );
    fs::write(out.join("native.rs"), text).expect("cargo's own folder can be written to");
}

/// A ruleset of the program, if the folder has one; what is wrong with it is said by its own tests.
fn read(rules: &Path, id: &str) -> Option<Program> {
    let folder = rules.join(id);
    let text = fs::read_to_string(folder.join(format!("{id}.drill"))).ok()?;
    let tables = fs::read_to_string(folder.join("tables.toml")).ok();
    let (name, tables_name) = (format!("{id}/{id}.drill"), format!("{id}/tables.toml"));
    let files = Files {
        texts: vec![(&name, &text)],
        tables: tables
            .as_deref()
            .map(|tables| (tables_name.as_str(), tables)),
        variants: Vec::new(),
    };
    let used = |name: &str| {
        let file = format!("{name}.drill");
        let beside = fs::read_to_string(folder.join(&file));
        beside
            .or_else(|_| fs::read_to_string(rules.join("standard").join(&file)))
            .ok()
    };
    let loaded = load(&files, &used);
    if loaded.program.is_none() {
        println!(
            "cargo::warning={id} is not played by code of its own: it does not pass its checks"
        );
    }
    loaded.program
}
