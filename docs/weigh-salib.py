"""Holds `grapeshot weigh` to SALib: the same grid, answered cell by cell, analysed by SALib's Sobol indices.

    pip install SALib
    python docs/weigh-salib.py target/release/grapeshot

prints, for every index, what weigh says exactly and what SALib estimates with its 95 % interval.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from SALib.analyze import sobol
from SALib.sample import sobol as sampler

POINTS = 2**14
RULES, PROCEDURE = "elephant", "charge"
GRADES = ["elite", "veteran", "regular", "poor", "militia", "green"]
OVER = {
    "attacker.grade": GRADES,
    "defender.grade": GRADES,
    "attacker.stands": list(range(6, 13)),
    "defender.cover": ["open", "wall", "fieldworks"],
    "attacker.flank": [False, True],
}
STUDY = """title = "t"
question = "q"
rules = "{rules}"
procedure = "{procedure}"
method = "exact"
[sweep]
{sweep}
"""


def cells(program: str) -> np.ndarray:
    """The chance of success in every cell, the last key running fastest."""
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder) / "grid.toml"
        sweep = "\n".join(f'"{key}" = {json.dumps(values)}' for key, values in OVER.items())
        study.write_text(STUDY.format(rules=RULES, procedure=PROCEDURE, sweep=sweep))
        subprocess.run([program, "run", study, "--out", folder, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        with open(Path(folder) / "grid" / "summary.csv") as file:
            rows = list(csv.DictReader(file))
    shape = [len(values) for values in OVER.values()]
    grid = np.zeros(shape)
    place = {key: {str(value).lower(): at for at, value in enumerate(values)} for key, values in OVER.items()}
    for row in rows:
        if row["variable"] == "outcome" and row["value"] == "attacker-wins":
            at = tuple(place[key][row[key].lower()] for key in OVER)
            grid[at] = float(row["p"])
    return grid


def main() -> None:
    program = sys.argv[1] if len(sys.argv) > 1 else "grapeshot"
    over = ",".join(f"{key}={','.join(str(v).lower() for v in values)}" for key, values in OVER.items())
    asked = [program, "weigh", RULES, PROCEDURE, "--over", over, "--of", "outcome=attacker-wins", "--format", "json"]
    weighed = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    grid = cells(program)
    keys = list(OVER)
    problem = {"num_vars": len(keys), "names": keys, "bounds": [[0, len(values)] for values in OVER.values()]}
    points = sampler.sample(problem, POINTS, calc_second_order=True, seed=1863)
    places = np.minimum(points.astype(int), np.array(grid.shape) - 1)
    found = sobol.analyze(problem, grid[tuple(places.T)], calc_second_order=True, seed=1863)
    lines = []
    carried = {one["key"]: one for one in weighed["carried"]}
    for at, key in enumerate(keys):
        lines.append((f"{key} alone", carried[key]["alone"]["value"], found["S1"][at], found["S1_conf"][at]))
        lines.append((f"{key} total", carried[key]["total"]["value"], found["ST"][at], found["ST_conf"][at]))
    for pair in weighed["pairs"]:
        one, other = sorted(keys.index(key) for key in pair["keys"])
        name = " × ".join(pair["keys"])
        lines.append((name, pair["share"]["value"], found["S2"][one, other], found["S2_conf"][one, other]))
    for name, exact, estimate, half in lines:
        print(f"{name:36} {exact:8.5f} {estimate:8.5f} ± {half:.5f}  {abs(exact - estimate) / half:5.2f} half-widths")
    worst = max(abs(exact - estimate) / half for _, exact, estimate, half in lines)
    print(f"{len(lines)} indices, the worst {worst:.2f} half-widths apart; {POINTS} points, {len(points)} cells asked")


main()
