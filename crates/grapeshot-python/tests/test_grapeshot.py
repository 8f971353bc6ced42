"""The installed package, held to the program: GRAPESHOT names it, or it is on the path. Run from anywhere:

    GRAPESHOT=target/release/grapeshot python crates/grapeshot-python/tests/test_grapeshot.py
"""

import importlib.metadata
import inspect
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import grapeshot
import polars as pl

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROSTERS = [ROOT / "experiments/rosters/union.toml", ROOT / "experiments/rosters/csa.toml"]
PROGRAM = os.path.abspath(os.environ["GRAPESHOT"]) if "GRAPESHOT" in os.environ else "grapeshot"
GRADES = ["elite", "veteran", "regular", "poor", "militia", "green"]


def program(*words):
    said = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, env=said, cwd=ROOT)


def printed(*words):
    """What the program prints as JSON, every number to its last digit."""
    ran = program(*words, "--format", "json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


class TheProgram(unittest.TestCase):
    """Every answer is that of the command of the same name."""

    maxDiff = 2000

    def test_odds_are_the_same_to_the_last_digit(self):
        for rules, procedure, words, settings in [
            ("elephant", "charge", ["attacker.grade=veteran", "defender.cover=wall"], None),
            ("gbacw", "fire", ["strength=6"], {"strength": 6}),
            ("acw28", "charge", ["formation_tests=false", "attacker.figures=18"], {"formation_tests": False, "attacker.figures": 18}),
            (str(ROOT / "examples/rules/duel"), "duel", [], {}),
        ]:
            if settings is None:
                settings = dict(word.split("=") for word in words)
            ours = grapeshot.odds(rules, procedure, settings)
            self.assertEqual(ours.data, printed("odds", rules, procedure, *words, "--stages", "--joint"))
            self.assertEqual(str(ours), program("odds", rules, procedure, *words).stdout)

    def test_a_simulation_with_a_seed_is_the_same(self):
        ours = grapeshot.odds("elephant", "battle", {"attacker.units": 2}, trials=2000, seed=5, threads=1)
        words = ["attacker.units=2", "--trials", 2000, "--seed", 5, "--stages"]
        self.assertEqual(ours.data, printed("odds", "elephant", "battle", *words))
        result = ours["result"]
        self.assertTrue((result["low"] < result["p"]).all() and (result["p"] < result["high"]).all())

    def test_tables_weighing_fields_and_decisions_are_the_same(self):
        charge = ["elephant", "charge"]
        for ours, words in [
            (grapeshot.table(*charge, {"defender.grade": "militia"}, columns="outcome"),
             ["table", *charge, "defender.grade=militia", "--columns", "outcome"]),
            (grapeshot.weigh(*charge, {"attacker.grade": None, "attacker.stands": range(6, 9)}, of="mean(attacker_stands_lost)"),
             ["weigh", *charge, "--over", "attacker.grade,attacker.stands=6..8", "--of", "mean(attacker_stands_lost)"]),
            (grapeshot.field(ROSTERS, {"defender.cover": "wall"}), ["field", *ROSTERS, "defender.cover=wall"]),
            (grapeshot.decide("elephant", "standoff", {"b.grade": "militia"}), ["decide", "elephant", "standoff", "b.grade=militia"]),
            (grapeshot.decide("gbacw", "standoff", plan="fire 2 then charge"),
             ["decide", "gbacw", "standoff", "--plan", "fire 2 then charge"]),
            (grapeshot.rules(), ["rules"]),
            (grapeshot.rules("elephant"), ["rules", "elephant"]),
            (grapeshot.rules(*charge), ["rules", *charge]),
        ]:
            self.assertEqual(ours.data, printed(*words), words)

    def test_what_is_wrong_is_said_in_the_same_words(self):
        charge = ["elephant", "charge"]
        for ask, words in [
            (lambda: grapeshot.odds("elephnat", "charge"), ["odds", "elephnat", "charge"]),
            (lambda: grapeshot.odds("elephant", "chrage"), ["odds", "elephant", "chrage"]),
            (lambda: grapeshot.odds(*charge, {"attacker.grde": "elite"}), ["odds", *charge, "attacker.grde=elite"]),
            (lambda: grapeshot.odds(*charge, {"attacker.grade": "elit"}), ["odds", *charge, "attacker.grade=elit"]),
            (lambda: grapeshot.odds(*charge, {"attacker.stands": 99}), ["odds", *charge, "attacker.stands=99"]),
            (lambda: grapeshot.odds(*charge, {"attacker.kind": "artillery"}), ["odds", *charge, "attacker.kind=artillery"]),
            (lambda: grapeshot.odds(*charge, file="none.toml"), ["odds", *charge, "--file", "none.toml"]),
            (lambda: grapeshot.odds(*charge, variant="none.drill"), ["odds", *charge, "--variant", "none.drill"]),
            (lambda: grapeshot.field("none.toml"), ["field", "none.toml"]),
            (lambda: grapeshot.table(*charge, rows="colour"), ["table", *charge, "--rows", "colour"]),
            (lambda: grapeshot.weigh(*charge, "colour"), ["weigh", *charge, "--over", "colour"]),
            (lambda: grapeshot.table(*charge, of="luck"), ["table", *charge, "--of", "luck"]),
            (lambda: grapeshot.decide("elephant", "move"), ["decide", "elephant", "move"]),
        ]:
            with self.assertRaises(ValueError) as wrong:
                ask()
            ran = program(*words)
            self.assertEqual((ran.returncode, ran.stderr), (2, f"error: {wrong.exception}\n"))
        with self.assertRaisesRegex(ValueError, 'method="simulate".*max_states=100 '):
            grapeshot.odds("elephant", "firefight", method="exact", max_states=10)

    def test_the_version_is_the_same(self):
        for version in (grapeshot.rules().data["version"], importlib.metadata.version("grapeshot")):
            self.assertEqual(program("--version").stdout, f"grapeshot {version}\n")


class Frames(unittest.TestCase):
    def test_words_are_categories_in_their_order(self):
        swept = grapeshot.sweep("elephant", "charge", {"attacker.grade": None, "defender.stands": range(8, 11)}).frame
        self.assertEqual(swept.shape, (18, 6))
        self.assertEqual(swept.schema["attacker.grade"], pl.Enum(GRADES))
        self.assertEqual(swept.schema["defender.stands"], pl.Int64)
        self.assertEqual(swept.sort("attacker.grade")["attacker.grade"].unique(maintain_order=True).to_list(), GRADES)
        charge = grapeshot.odds("elephant", "charge")
        for frame in (charge["outcome"], charge["joint"]):
            self.assertEqual(frame.schema["outcome"].categories[0], "attacker-wins")
        self.assertEqual(grapeshot.table("elephant", "charge").frame.schema["attacker.grade"], pl.Enum(GRADES))

    def test_a_sweep_says_of_every_cell_what_odds_says(self):
        over = {"attacker.flank": [False, True], "attacker.kind": ["infantry", "artillery"]}
        swept = grapeshot.sweep("elephant", "charge", over, {"defender.cover": "wall"}, of=["success", "mean(attacker_stands_lost)"])
        self.assertEqual(swept.frame.columns[:3], ["attacker.flank", "attacker.kind", "success"])
        for cell in swept.frame.iter_rows(named=True):
            settings = {key: cell[key] for key in over}
            if cell["refused"]:
                self.assertEqual(cell["success"], None)
                with self.assertRaisesRegex(ValueError, "artillery may not charge"):
                    grapeshot.odds("elephant", "charge", settings)
                continue
            charge = grapeshot.odds("elephant", "charge", {**settings, "defender.cover": "wall"})
            self.assertEqual(cell["success"], charge.data["success"])
            lost = charge["means"].row(by_predicate=pl.col("variable") == "attacker_stands_lost", named=True)
            self.assertEqual(cell["mean(attacker_stands_lost)"], lost["mean"])

    def test_what_is_simulated_has_its_interval(self):
        swept = grapeshot.sweep("elephant", "charge", ["attacker.grade=elite,militia"], method="simulate", trials=1000).frame
        self.assertTrue((swept["success.low"] < swept["success"]).all() and (swept["success"] < swept["success.high"]).all())

    def test_the_kinds_of_columns_are_those_of_the_rules_and_not_of_what_comes(self):
        kinds = grapeshot.odds("common", "charge", {"ruleset": "elephant"})["joint"].schema
        self.assertEqual((kinds["result"].categories[0], kinds["attacker_loss"]), ("won", pl.Float64))
        self.assertEqual(grapeshot.odds("elephant", "charge")["joint"].schema["attacker_panic"], pl.Int64)

    def test_every_frame_can_be_made(self):
        for answer in [
            grapeshot.odds("elephant", "charge"),
            grapeshot.odds("elephant", "move"),
            grapeshot.odds("common", "charge", {"ruleset": "elephant"}),
            grapeshot.odds("gbacw", "charge", method="simulate", trials=100),
            grapeshot.sweep("elephant", "fire", ["range=50,100"], of="mean(hits)"),
            grapeshot.rules(),
            grapeshot.rules("gbacw"),
            grapeshot.table("elephant", "fire", rows="range=50,100", columns="firer.stands=6..8", of="mean(hits)"),
            grapeshot.weigh("elephant", "charge", ["attacker.grade", "defender.cover"]),
            grapeshot.field(ROSTERS),
            grapeshot.field(ROSTERS[0]),
            grapeshot.decide("elephant", "standoff"),
            grapeshot.decide("elephant", "standoff", plan="always fire"),
            grapeshot.rules("elephant", "charge"),
        ]:
            for name in answer:
                self.assertIsInstance(answer[name], pl.DataFrame)
            self.assertIn("<pre>", answer._repr_html_())
        weighed = grapeshot.weigh("elephant", "charge", ["attacker.grade", "defender.cover"])
        self.assertAlmostEqual(weighed.frame["share"].sum(), 1)
        self.assertTrue(weighed.pictures[0].startswith("<svg"))
        self.assertEqual(grapeshot.field(ROSTERS).frame.height, 81)


class OnesOwn(unittest.TestCase):
    def test_rules_and_variants_of_ones_own(self):
        own = grapeshot.odds(ROOT / "examples/rules/duel", "duel")
        self.assertAlmostEqual(own.frame["p"].sum(), 1)
        with tempfile.TemporaryDirectory() as folder:
            house = pathlib.Path(folder) / "house.toml"
            house.write_text('rules = "elephant"\nname = "Even"\n[tables.melee_results.rows.8]\n"1:1" = "RT/K1"\n')
            plain, varied = grapeshot.odds("elephant", "melee"), grapeshot.odds("elephant", "melee", variant=house)
            self.assertEqual(varied.data["variants"], ["Even"])
            self.assertNotEqual(plain.data["variables"], varied.data["variables"])
            edition = grapeshot.odds(f"elephant:{house}", "melee")
            self.assertEqual(edition.data["variables"], varied.data["variables"])
            fight = pathlib.Path(folder) / "fight.toml"
            fight.write_text(program("rules", "elephant", "--fight").stdout)
            told = grapeshot.odds("elephant", "morale", file=fight, unit="defender")
            self.assertEqual(told.data["procedure"], "morale")


class Python(unittest.TestCase):
    def test_everything_says_what_it_is(self):
        for name in grapeshot.__all__:
            self.assertGreater(len(inspect.getdoc(getattr(grapeshot, name))), 100, name)

    def test_numbers_of_other_libraries_are_numbers(self):
        frame = pl.DataFrame({"stands": [8]})
        asked = {"attacker.stands": frame["stands"][0], "attacker.flank": True}
        self.assertEqual(grapeshot.odds("elephant", "charge", asked).data["settings"]["attacker.stands"], 8)
        with self.assertRaisesRegex(ValueError, r"`attacker.stands` cannot be `\[8, 9\]`"):
            grapeshot.odds("elephant", "charge", {"attacker.stands": [8, 9]})

    def test_an_argument_that_is_none_is_refused_with_those_there_are(self):
        with self.assertRaisesRegex(TypeError, "no argument `flavour` here; there are variant, method"):
            grapeshot.sweep("elephant", "charge", ["attacker.grade"], flavour="mint")
        with self.assertRaisesRegex(KeyError, "no frame `losses`; there are outcome"):
            grapeshot.odds("elephant", "charge")["losses"]

    def test_it_can_be_interrupted(self):
        begun = time.monotonic()
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            grapeshot.odds("elephant", "battle", trials=1_000_000_000)
        self.assertLess(time.monotonic() - begun, 20)


if __name__ == "__main__":
    unittest.main()
