//! The simulator against a plain hand-written loop, in one run: read the ratios, not the times.
//!
//! The plain loops are what a user would write: `StdRng`, `random_range` per die, a match or an
//! index into the printed table, an array of counts.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grapeshot_engine::engine::{Budget, DynSteps, Engine, Stream, simulate};
use grapeshot_rules::Settings;
use std::hint::black_box;

mod plain;

/// Trials of one measurement on one core.
const TRIALS: u64 = 1 << 20;
/// Trials for one core against two: enough batches that the last one of a core does not weigh.
const MANY: u64 = 1 << 24;

fn play(rules: &str, procedure: &str, given: &[(&str, &str)]) -> Box<dyn DynSteps> {
    let loaded = grapeshot_rules::find(rules).unwrap().load(&[]).unwrap();
    let procedure = loaded.procedure(procedure).unwrap();
    let settings: Settings = procedure.resolve(given.iter().copied()).unwrap();
    (procedure.build)(&settings).unwrap()
}

fn threads(number: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number);
    pool.build().expect("threads to measure on")
}

/// One core, the plain loop and the walk.
fn bench_against_plain(
    c: &mut Criterion,
    name: &str,
    play: &dyn DynSteps,
    plain: fn(u64, u64) -> Vec<u64>,
) {
    let engine = Engine::walk(play.compile(Budget::default()).unwrap());
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(TRIALS));
    group.sample_size(20);
    group.bench_function("plain", |b| b.iter(|| black_box(plain(1863, TRIALS))));
    group.bench_function("walk", |b| {
        threads(1)
            .install(|| b.iter(|| black_box(simulate(&engine, Stream::common(1863), TRIALS))));
    });
    group.finish();
}

/// The same walk on one core and on two.
fn bench_cores(c: &mut Criterion, name: &str, play: &dyn DynSteps) {
    let engine = Engine::walk(play.compile(Budget::default()).unwrap());
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(MANY));
    group.sample_size(10);
    for cores in [1, 2] {
        group.bench_function(BenchmarkId::new("cores", cores), |b| {
            threads(cores)
                .install(|| b.iter(|| black_box(simulate(&engine, Stream::common(1863), MANY))));
        });
    }
    group.finish();
}

/// Trials of a battle: each is some hundred throws.
const BATTLES: u64 = 1 << 16;

/// Battles of so many units a side, on one core and on two.
fn bench_battles(c: &mut Criterion, rules: &str, units: &str) {
    let sides = [("attacker.units", units), ("defender.units", units)];
    let play = play(rules, "battle", &sides);
    let engine = Engine::PlayedOut(play.played_out().expect("a battle is played out"));
    let mut group = c.benchmark_group(format!("{rules}_battle_{units}"));
    group.throughput(Throughput::Elements(BATTLES));
    group.sample_size(10);
    for cores in [1, 2] {
        group.bench_function(BenchmarkId::new("cores", cores), |b| {
            threads(cores)
                .install(|| b.iter(|| black_box(simulate(&engine, Stream::common(1863), BATTLES))));
        });
    }
    group.finish();
}

fn benches(c: &mut Criterion) {
    let fire = play("elephant", "fire", &[]);
    bench_against_plain(c, "elephant_fire", fire.as_ref(), plain::fire);
    let melee = play("elephant", "melee", &[]);
    bench_against_plain(c, "elephant_melee", melee.as_ref(), plain::melee);
    let charge = play("elephant", "charge", &[]);
    bench_against_plain(c, "elephant_charge", charge.as_ref(), plain::charge);
    let firefight = play("elephant", "firefight", &[]);
    bench_against_plain(
        c,
        "elephant_firefight",
        firefight.as_ref(),
        plain::firefight,
    );
    let twenty = [("firer.figures", "20"), ("target.figures", "20")];
    let volley = play("acw28", "fire", &twenty);
    bench_against_plain(c, "acw28_volley", volley.as_ref(), plain::acw28_volley);
    bench_cores(c, "elephant_charge_cores", charge.as_ref());
    bench_cores(c, "acw28_volley_cores", volley.as_ref());
    for rules in ["elephant", "acw28"] {
        for units in ["4", "8"] {
            bench_battles(c, rules, units);
        }
    }
}

criterion_group!(simulation, benches);
criterion_main!(simulation);
