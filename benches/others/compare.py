#!/usr/bin/env python3
"""The same questions asked of a plain Rust loop, numpy, icepool and grapeshot, as a table of ratios.

    python3 -m venv VENV && VENV/bin/pip install numpy icepool
    cargo build --release && VENV/bin/python benches/others/compare.py

Answers are compared before times: icepool's with grapeshot's exact ones to 1e-12, numpy's within five
standard errors. Rust is measured by `cargo bench`, Python in processor time; of all samples the quickest
counts, so that other work on the machine matters as little as it can. `--measured` takes what
`cargo bench` measured last instead of measuring again; other arguments are handed on to `cargo bench`
(`--no-default-features` builds soonest). GRAPESHOT says where the program is, if not in `target/release`.
"""

import dataclasses
import functools
import json
import os
import pathlib
import subprocess
import sys
import time

import icepool_exact
import numpy as np
import numpy_simulated

ROOT = pathlib.Path(__file__).parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROGRAM = os.environ.get("GRAPESHOT", str(TARGET / "release/grapeshot"))
# Trials of one measurement in benches/simulate.rs.
MEASURED = 1 << 20
SOLVED_CLOSE = 1e-12
STANDARD_ERRORS = 5
STANDS = range(11)


@dataclasses.dataclass
class Question:
    # What is asked on the command line, and its name among the benches.
    words: str
    bench: str
    # The function that answers it in both Python files.
    name: str
    # Variables by axis of what is counted, with their values in order.
    variables: list
    # Trials numpy plays in one measurement.
    trials: int = 1 << 18


QUESTIONS = [
    Question("elephant fire", "elephant_fire", "fire", [("hits", range(5))]),
    Question("elephant melee", "elephant_melee", "melee", [("winner", ["attacker", "defender", "none"])]),
    Question(
        "acw28 fire firer.figures=20 target.figures=20",
        "acw28_volley",
        "volley",
        [("hits", range(21)), ("casualties", range(21))],
    ),
    Question(
        "elephant charge",
        "elephant_charge",
        "charge",
        [("outcome", numpy_simulated.CHARGE), ("attacker_stands_lost", STANDS), ("defender_stands_lost", STANDS)],
    ),
    Question(
        "elephant firefight",
        "elephant_firefight",
        "firefight",
        [("outcome", numpy_simulated.FIREFIGHT), ("turns", range(7)), ("a_stands_lost", STANDS), ("b_stands_lost", STANDS)],
        trials=1 << 16,
    ),
]


def grapeshot(question):
    """Chances by variable and value, as the program says them."""
    run = [PROGRAM, "odds", *question.words.split(), "--method", "exact", "--format", "json"]
    answer = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    return {
        variable["name"]: {value["value"]: value["p"] for value in variable["values"]}
        for variable in answer["variables"]
    }


def solved(question):
    """The same by icepool: outcomes are values, or their positions."""
    die = getattr(icepool_exact, question.name)()
    dice = [die] if len(question.variables) == 1 else list(die.marginals)
    chances = {}
    for (variable, values), die in zip(question.variables, dice, strict=True):
        named = {outcome: outcome if outcome in values else values[outcome] for outcome in die.outcomes()}
        chances[variable] = {named[outcome]: float(die.probability(outcome)) for outcome in die.outcomes()}
    return chances


def simulated(question):
    """Counts by variable and value, by numpy."""
    play = getattr(numpy_simulated, question.name)
    shape = [len(values) for _, values in question.variables]
    counts = play(np.random.default_rng(1863), question.trials).reshape(shape)
    found = {}
    for axis, (variable, values) in enumerate(question.variables):
        others = tuple(other for other in range(len(shape)) if other != axis)
        found[variable] = dict(zip(values, counts.sum(axis=others).tolist(), strict=True))
    return found


def check(question):
    """Stops at an answer that differs."""
    exact, by_icepool, by_numpy = grapeshot(question), solved(question), simulated(question)
    for variable, values in question.variables:
        for value in values:
            chance = exact[variable].get(value, 0.0)
            other = by_icepool[variable].get(value, 0.0)
            assert abs(chance - other) < SOLVED_CLOSE, (question.words, variable, value, chance, other)
            trials = question.trials
            error = (chance * (1 - chance) / trials) ** 0.5
            share = by_numpy[variable][value] / trials
            off = STANDARD_ERRORS * error + 1 / trials
            assert abs(chance - share) < off, (question.words, variable, value, chance, share)


def quickest(what, times):
    """Processor time of the quickest call, in nanoseconds."""

    def once():
        begin = time.process_time_ns()
        what()
        return time.process_time_ns() - begin

    return min(once() for _ in range(times))


def criterion(name):
    """Nanoseconds of the quickest sample of a bench."""
    sample = json.loads((TARGET / "criterion" / name / "new/sample.json").read_text())
    return min(time / iterations for time, iterations in zip(sample["times"], sample["iters"], strict=True))


def measure_rust(arguments):
    benches = "|".join(question.bench for question in QUESTIONS)
    for bench, pattern in [("simulate", f"^({benches})/"), ("solve", f"^compile_and_solve/({benches})$")]:
        run = ["cargo", "bench", *arguments, "--bench", bench, "--", pattern]
        subprocess.run(run, check=True, cwd=ROOT, stdout=sys.stderr)


def simulation_row(question):
    walk, plain = (criterion(f"{question.bench}/{name}") / MEASURED for name in ("walk", "plain"))
    play = getattr(numpy_simulated, question.name)
    call = functools.partial(play, np.random.default_rng(1863), question.trials)
    numpy = quickest(call, 15) / question.trials
    return f"| `{question.words}` | {walk:.2f} | {plain:.1f} | {plain / walk:.0f} | {numpy:.1f} | {numpy / walk:.0f} |"


def solution_row(question):
    ours = criterion(f"compile_and_solve/{question.bench}")
    theirs = quickest(getattr(icepool_exact, question.name), 3)
    return f"| `{question.words}` | {ours / 1e6:.4f} | {theirs / 1e6:.2f} | {theirs / ours:.0f} |"


def main():
    for question in QUESTIONS:
        check(question)
    print("All answers agree.", file=sys.stderr)
    arguments = sys.argv[1:]
    if "--measured" not in arguments:
        measure_rust(arguments)
    print("| simulated, ns a trial, one core | grapeshot | plain Rust | ratio | numpy | ratio |")
    print("|---|---|---|---|---|---|")
    for question in QUESTIONS:
        print(simulation_row(question), flush=True)
    print("\n| solved, ms | grapeshot | icepool | ratio |")
    print("|---|---|---|---|")
    for question in QUESTIONS:
        print(solution_row(question), flush=True)


if __name__ == "__main__":
    main()
