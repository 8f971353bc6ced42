//! Writes a simulated procedure of a port out as Rust: `emit RULESET PROCEDURE`.

use grapeshot_drill::load::{Files, load};
use grapeshot_drill::message::render_all;
use std::path::Path;

fn main() {
    let mut args = std::env::args().skip(1);
    let id = args.next().unwrap_or("acw28".into());
    let procedure = args.next().unwrap_or("battle".into());
    let dir = args
        .next()
        .unwrap_or(format!("{}/rules/ports", env!("CARGO_MANIFEST_DIR")));
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |path: String| std::fs::read_to_string(own.join(path)).expect("a file of the project");
    let text = read(format!("{dir}/{id}.drill"));
    let beside = own.join(format!("{dir}/tables.toml"));
    let tables = match beside.exists() {
        true => read(format!("{dir}/tables.toml")),
        false => read(format!("../grapeshot-rules/src/{id}/tables.toml")),
    };
    let name = format!("{id}.drill");
    let files = Files {
        texts: vec![(&name, &text)],
        tables: Some(("tables.toml", &tables)),
        variants: Vec::new(),
    };
    let used = |name: &str| {
        let standard = own.join(format!("{dir}/../standard/{name}.drill"));
        let port = own.join(format!("{dir}/{name}.drill"));
        std::fs::read_to_string(standard)
            .or_else(|_| std::fs::read_to_string(port))
            .ok()
    };
    let loaded = load(&files, &used);
    let shown = loaded.shown();
    let program = loaded.program.unwrap_or_else(|| panic!("{shown}"));
    let id = program.procedure(&procedure, false).expect("a procedure");
    match grapeshot_drill::emit::emit(&program, id) {
        Ok(code) => print!("{code}"),
        Err(message) => {
            eprintln!("{}", render_all(&[*message], &program.sources));
            std::process::exit(2);
        }
    }
}
