//! Plays a battle of acw28 out, for who measures it: `battle TRIALS`.

use grapeshot_drill::load::{Files, load};
use grapeshot_drill::run::Rules;
use grapeshot_engine::engine::{DynPlayout, Stream};
use std::path::Path;

fn main() {
    let trials = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(2000);
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(own.join(path)).expect("a file of the project");
    let text = read("../grapeshot-rules/rules/acw28/acw28.drill");
    let tables = read("../grapeshot-rules/rules/acw28/tables.toml");
    let files = Files {
        texts: vec![("acw28.drill", &text)],
        tables: Some(("tables.toml", &tables)),
        variants: Vec::new(),
    };
    let used = |name: &str| {
        let standard = own.join(format!("../grapeshot-rules/rules/standard/{name}.drill"));
        let beside = own.join(format!("../grapeshot-rules/rules/acw28/{name}.drill"));
        std::fs::read_to_string(beside)
            .or_else(|_| std::fs::read_to_string(standard))
            .ok()
    };
    let program = load(&files, &used).program.expect("a ruleset");
    let rules = Rules::new(program);
    let direct = rules
        .play_out("battle", &[])
        .unwrap_or_else(|refused| panic!("{refused}"));
    let clock = std::time::Instant::now();
    let ends = direct.ends(Stream::common(1863), 0, trials);
    let took = clock.elapsed().as_secs_f64();
    println!(
        "{} battles, {:.0} a second",
        ends.len(),
        ends.len() as f64 / took
    );
}
