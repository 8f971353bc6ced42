#[allow(unused, clippy::all)]
#[path = "/tmp/emitted.rs"]
mod emitted;
use grapeshot_drill::load::{Files, load};
use grapeshot_drill::run::Rules;
use grapeshot_engine::engine::{DynPlayout, Stream};
use std::path::Path;

fn main() {
    let trials = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(2000);
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(own.join(path)).expect("a file of the project");
    let id = std::env::args().nth(2).unwrap();
    let dir = std::env::args().nth(3).unwrap();
    let text = read(&format!("{dir}/{id}.drill"));
    let tables = read(&format!("{dir}/tables.toml"));
    let files = Files { texts: vec![("acw28.drill", &text)], tables: Some(("tables.toml", &tables)), variants: Vec::new() };
    let used = |name: &str| {
        let standard = own.join(format!("{dir}/../standard/{name}.drill"));
        let port = own.join(format!("{dir}/{name}.drill"));
        std::fs::read_to_string(standard).or_else(|_| std::fs::read_to_string(port)).ok()
    };
    let program = load(&files, &used).program.expect("a ruleset");
    let rules = Rules::new(program);
    let direct = rules.play_out("battle", &[]).unwrap_or_else(|r| panic!("{r}"));
    let native = emitted::Native::new(rules.play_out("battle", &[]).unwrap_or_else(|r| panic!("{r}"))).ok().expect("it fits");
    let few = 300;
    let a = direct.ends(Stream::common(1863), 0, few);
    let b = native.ends(Stream::common(1863), 0, few);
    let same = a.iter().zip(&b).filter(|(a, b)| a == b).count();
    println!("{same} of {few} the same; {:?} {:?}", direct.trouble(), grapeshot_engine::engine::Playout::trouble(&native));
    if same < few as usize { for (a, b) in a.iter().zip(&b).filter(|(a, b)| a != b).take(5) { println!("{a:?}\n{b:?}"); } }
    let clock = std::time::Instant::now();
    let mut counts = Default::default();
    native.batch(Stream::common(1863), 0, trials, &mut counts);
    println!("{:.0} a second", trials as f64 / clock.elapsed().as_secs_f64());
}
