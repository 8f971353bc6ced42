//! The simulator against a plain hand-written loop, in one run: read the ratios, not the times.
//!
//! The plain loops are what a user would write: `StdRng`, `random_range` per die, a match or an
//! index into the printed table, an array of counts.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grapeshot::engine::{Budget, Engine, Play, Stream, simulate};
use grapeshot::rules::{self, Settings};
use std::hint::black_box;

mod plain;

const TRIALS: u64 = 1 << 20;

fn play(rules: &str, procedure: &str, given: &[(&str, &str)]) -> Box<dyn Play> {
    let loaded = rules::find(rules).unwrap().load(&[]).unwrap();
    let procedure = loaded.procedure(procedure).unwrap();
    let settings: Settings = procedure.resolve(given.iter().copied()).unwrap();
    (procedure.build)(&settings).unwrap()
}

fn bench_against_plain(
    c: &mut Criterion,
    name: &str,
    play: &dyn Play,
    plain: fn(u64, u64) -> Vec<u64>,
) {
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let two = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let engine = Engine::walk(play.compile(Budget::default()).unwrap());
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(TRIALS));
    group.sample_size(20);
    group.bench_function(BenchmarkId::new("plain", 1), |b| {
        b.iter(|| black_box(plain(1863, TRIALS)))
    });
    for (threads, pool) in [(1, &one), (2, &two)] {
        group.bench_function(BenchmarkId::new("walk", threads), |b| {
            pool.install(|| b.iter(|| black_box(simulate(&engine, Stream::common(1863), TRIALS))));
        });
    }
    group.finish();
}

fn benches(c: &mut Criterion) {
    let fire = play("elephant", "fire", &[]);
    bench_against_plain(c, "elephant_fire", fire.as_ref(), plain::fire);
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
}

criterion_group!(simulation, benches);
criterion_main!(simulation);
