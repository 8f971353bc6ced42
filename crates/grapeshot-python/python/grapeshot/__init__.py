"""The odds in printed American Civil War wargame rules, as polars frames.

Each function asks what the command of the same name asks, of the same rules, and gives an `Answer`:

>>> import grapeshot
>>> charge = grapeshot.odds("elephant", "charge", {"attacker.grade": "veteran", "cover": "wall"})
>>> round(charge.data["success"], 4)
0.1805
>>> charge["outcome"]                 # a frame; its words are an ordered category
>>> charge                            # as the command prints it; in a notebook with its pictures
>>> grapeshot.rules("elephant", "charge")["settings"]     # everything that can be set

Wherever a ruleset is named it may be a printed one (`grapeshot.rules()` lists them), the path of one of your own
("my-rules" or "my-rules.drill"), or one with a house rule ("elephant:house.toml"). What is wrong is a `ValueError`, in the
words of the command line.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from . import _grapeshot

if TYPE_CHECKING:
    import polars

__all__ = ["Answer", "decide", "field", "odds", "rules", "sweep", "table", "weigh"]

Settings = Optional[Mapping[str, Union[str, int, float, bool]]]
Path = Union[str, "os.PathLike[str]"]
Over = Union[str, Sequence[str], Mapping[str, Optional[Iterable[Any]]]]


class Answer:
    """What was found.

    `data` is what the command prints with `--format json`, `sentences` what it says first. `frame` is the main one of its
    polars frames, `answer["name"]` any of them, `list(answer)` their names. Words stand in frames as `polars.Enum`, in
    the order in which the rules list them. `str(answer)` is what the command prints, `pictures` are its charts; a notebook
    shows both.
    """

    def __init__(self, found: Any, frames: Callable[[Any, dict, dict], dict[str, Callable[[], "polars.DataFrame"]]]):
        self._found = found
        self.data: dict[str, Any] = json.loads(found.data)
        self.sentences: list[str] = found.sentences
        self._frames = frames(self.data, dict(found.keys), dict(found.variables))

    @property
    def frame(self) -> "polars.DataFrame":
        """The first of its frames."""
        return self[next(iter(self._frames))]

    def __getitem__(self, name: str) -> "polars.DataFrame":
        if name not in self._frames:
            raise KeyError(f"no frame `{name}`; there are {', '.join(self._frames)}")
        return self._frames[name]()

    def __iter__(self):
        return iter(self._frames)

    def __len__(self) -> int:
        return len(self._frames)

    def __str__(self) -> str:
        return self._found.text()

    __repr__ = __str__

    @property
    def pictures(self) -> list[str]:
        """Its charts, as SVG."""
        return self._found.pictures()

    def _repr_html_(self) -> str:
        return "".join([f"<pre>{html.escape(str(self))}</pre>", *self.pictures])


def odds(
    rules: str,
    procedure: str,
    settings: Settings = None,
    *,
    file: Optional[Path] = None,
    unit: Optional[str] = None,
    variant: Union[Path, Sequence[Path]] = (),
    method: str = "auto",
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    max_states: Optional[int] = None,
) -> Answer:
    """The odds of one procedure: a volley, a charge, a melee.

    rules, procedure
        what is asked: "elephant", "charge". A path is a ruleset of your own.
    settings
        key and value, {"attacker.grade": "veteran", "defender.stands": 8}; `grapeshot.rules(rules, procedure)` lists
        them. What is not set is assumed; `data["settings"]` has them all.
    file, unit
        a fight that is described once, in a file, which settings beat; and the side that a procedure about one unit is
        asked of.
    variant
        house rules laid over the print: the path of a file in TOML or Drill, or several.
    method
        "exact" solves over every roll of the dice, "simulate" plays trials, "auto" solves what fits `max_states`.
    trials, precision, seed
        of a simulation: how many (1,000,000), or until every value of the headline is known to so much; the same seed
        gives the same numbers.
    threads, max_states
        how many work (all cores), which changes no answer; and how large a question is solved (1,000,000 states).

    Frames: one for each variable that is reported, by its name, with `p` and its 95 % interval `low` to `high` (p itself
    where it was solved); "values" has them all under each other, "means" the means, "stages" where trials end, "joint"
    every distinct outcome, where they were counted together.

    >>> grapeshot.odds("elephant", "charge", {"attacker.stands": 12})["outcome"]
    """
    how = _how(
        variant,
        method=method,
        trials=trials,
        precision=precision,
        seed=seed,
        threads=threads,
        max_states=max_states,
    )
    return Answer(_grapeshot.odds(_asked(rules, procedure, settings, file, unit, how)), _odds_frames)


def sweep(
    rules: str,
    procedure: str,
    over: Over,
    settings: Settings = None,
    *,
    of: Union[str, Sequence[str]] = (),
    **how: Any,
) -> Answer:
    """Numbers over every combination of some settings.

    over
        keys, each with its values: {"attacker.grade": None, "defender.stands": range(6, 13)}, where None is all of them;
        or as on the command line, ["attacker.grade", "defender.stands=6..12"].
    of
        what is asked of each cell, or several such: "success" (if nothing is said), "failure", "undecided",
        "outcome=attacker-wins", "mean(attacker_stands_lost)", "sd(…)", "P(attacker_stands_lost>=2)".
    how
        file, unit, variant, method, trials, seed, threads … as of `odds`. What is simulated shares its dice.

    Frame: "cells", with a column for each key, each number (with `NUMBER.low` and `NUMBER.high`, its 95 % interval; the
    number itself where it was solved), and `refused`: why the rules do not allow the cell.

    >>> grapeshot.sweep("elephant", "charge", {"attacker.grade": None, "defender.stands": range(6, 13)}).frame
    """
    of = [of] if isinstance(of, str) else list(of)
    return Answer(_grapeshot.sweep(_asked_so(rules, procedure, settings, how), _over(over), of), _sweep_frames)


def table(
    rules: str,
    procedure: str,
    settings: Settings = None,
    *,
    rows: Optional[str] = None,
    columns: Optional[str] = None,
    of: Optional[str] = None,
    decimals: Optional[int] = None,
    **how: Any,
) -> Answer:
    """Odds to print in a book: rows by columns.

    rows, columns
        a key with its values ("attacker.stands=6..12/2"), or with all of them ("attacker.grade"); columns may be a
        variable, so that each row has all its ends. If nothing is said: grade by cover.
    of
        the number, as of `sweep`.
    decimals
        of the printed table; the frame has the numbers in full, shares from 0 to 1.
    how
        as of `sweep`.

    Frame: "table", the rows in its first column.

    >>> grapeshot.table("elephant", "charge", columns="outcome").frame
    """
    return Answer(_grapeshot.table(_asked_so(rules, procedure, settings, how), rows, columns, of, decimals), _table_frames)


def weigh(
    rules: str,
    procedure: str,
    over: Over = (),
    settings: Settings = None,
    *,
    cells: Union[str, Sequence[str]] = (),
    by: Optional[int] = None,
    of: Optional[str] = None,
    max_cells: Optional[int] = None,
    **how: Any,
) -> Answer:
    """What carries the result: how much of all that varies is due to each setting.

    over
        what varies, as of `sweep`; values may say how often they are met, "attacker.grade=elite:1,regular:6". If nothing
        is said: what moves the number most.
    cells, by
        printed numbers that vary too, "lists.*", and by how much (1).
    max_cells
        combinations that are answered at most; more are sampled, with intervals.
    of, how
        as of `sweep`.

    `sentences` says it in words. Frames: "carried" (`share`: dealt out, all together 1; `alone`; `total`: with all it does
    together with others), "means" (the number at each value), "pairs".

    >>> grapeshot.weigh("elephant", "charge", ["attacker.grade", "defender.cover", "attacker.flank"]).sentences
    """
    cells = [cells] if isinstance(cells, str) else list(cells)
    asked = _asked_so(rules, procedure, settings, how)
    return Answer(_grapeshot.weigh(asked, _over(over), cells, by, max_cells, of), _weigh_frames)


def field(
    rosters: Union[Path, Sequence[Path]],
    settings: Settings = None,
    *,
    procedure: Optional[str] = None,
    of: Optional[str] = None,
    **how: Any,
) -> Answer:
    """Whole orders of battle: who beats whom, who should attack whom, who costs too much.

    rosters
        the path of a roster, which is held against itself, or several, against each other.
    settings
        of every fight; what a unit says of itself goes before.
    procedure
        what is fought: a charge, if nothing is said.
    of, how
        as of `sweep`, without file and unit.

    Frames: "cells" (each unit on the side that acts, and its target; no number where they do not meet), "units" (strength,
    price, fair price), "attacks" (who should attack whom), "unseen" (what to send where neither side sees the other's
    choice), "alike" (pairs of units by their distance).

    >>> grapeshot.field(["union.toml", "csa.toml"]).frame.pivot("target", index="unit", values="success")
    """
    rosters = _paths(rosters)
    asked = _grapeshot.field(rosters, procedure, _plain(settings), of, _how(**how))
    return Answer(asked, _field_frames)


def decide(
    rules: str,
    procedure: str,
    settings: Settings = None,
    *,
    plan: Optional[str] = None,
    file: Optional[Path] = None,
    unit: Optional[str] = None,
    variant: Union[Path, Sequence[Path]] = (),
    threads: Optional[int] = None,
    max_states: Optional[int] = None,
) -> Answer:
    """What to do: charge now, or fire another volley first?

    plan
        what comes of a fixed plan instead, such as "fire 2 then charge".

    The others are as of `odds`; it is always solved. `data["best"]` is the best first action, `data["value"]` what best play
    is worth. Frames: "policy" (what is done in every state that best play comes to), "actions" and "plans" with what each
    is worth, and those of `odds`, under best play or under the plan.

    >>> grapeshot.decide("elephant", "standoff", {"b.grade": "militia"})["actions"]
    """
    how = _how(variant, threads=threads, max_states=max_states)
    return Answer(_grapeshot.decide(_asked(rules, procedure, settings, file, unit, how), plan), _decide_frames)


def rules(
    rules: Optional[str] = None,
    procedure: Optional[str] = None,
    *,
    variant: Union[Path, Sequence[Path]] = (),
) -> Answer:
    """What there is: all rulesets; the procedures of one; the settings of a procedure and what it reports.

    Frames: "rulesets"; or "procedures"; or "settings" and "variables".

    >>> grapeshot.rules("elephant", "charge")["settings"]
    """
    return Answer(_grapeshot.rules(rules, procedure, _paths(variant)), _rules_frames)


def _paths(paths: Union[Path, Sequence[Path]]) -> list[str]:
    return [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]


def _how(variant: Union[Path, Sequence[Path]] = (), **how: Any) -> dict[str, Any]:
    usual = {"method": "auto", **dict.fromkeys(("trials", "precision", "seed", "threads", "max_states"))}
    for name in how:
        if name not in usual:
            raise TypeError(f"there is no argument `{name}` here; there are {', '.join(['variant', *usual])}")
    return {**usual, **how, "variant": _paths(variant)}


def _asked(rules, procedure, settings, file, unit, how) -> dict:
    return {
        "rules": os.fspath(rules),
        "procedure": procedure,
        "settings": _plain(settings),
        "file": file,
        "unit": unit,
        "how": how,
    }


def _asked_so(rules, procedure, settings, how) -> dict:
    file, unit = how.pop("file", None), how.pop("unit", None)
    return _asked(rules, procedure, settings, file, unit, _how(**how))


def _plain(settings: Settings) -> list[tuple[str, Any]]:
    """Settings as the rules read them, which refuse what they cannot."""
    values = {key: value.item() if hasattr(value, "item") else value for key, value in (settings or {}).items()}
    return [(str(key), value if isinstance(value, (bool, int, float)) else str(value)) for key, value in values.items()]


def _over(over: Over) -> list[str]:
    """Keys and values as they are typed."""
    if isinstance(over, str):
        return [over]
    if not isinstance(over, Mapping):
        return list(over)
    return [key if values is None else f"{key}={','.join(map(_text, values))}" for key, values in over.items()]


def _text(value: Any) -> str:
    """A value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _frame(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, Any]) -> "polars.DataFrame":
    """A frame of these columns: a list of words, a type, or None for what its values are."""
    import polars

    rows = list(rows)
    kinds = {name: polars.Enum(kind) if isinstance(kind, list) else kind for name, kind in columns.items()}
    known = {name: kind for name, kind in kinds.items() if kind is not None}
    return polars.DataFrame({name: [row.get(name) for row in rows] for name in columns}, schema_overrides=known)


def _spread(value: Mapping[str, float]) -> dict[str, float]:
    """A number with its interval, which is itself where it is certain."""
    return {"low": value["value"], "high": value["value"], **value}


# What the values of a variable are that has no words.
_NUMBERS = {"count": int, "number": float, "category": str}


def _odds_frames(data, keys, variables) -> dict:
    chances = {"p": float, "low": float, "high": float}

    def values(variable):
        return [{"low": one["p"], "high": one["p"], **one} for one in variable["values"]]

    kinds = {variable["name"]: variables.get(variable["name"], _NUMBERS[variable["kind"]]) for variable in data["variables"]}

    def one(variable):
        name = variable["name"]
        rows = [{**row, name: row["value"]} for row in values(variable)]
        return lambda: _frame(rows, {name: kinds[name], **chances})

    every = [{**row, "variable": v["name"], "value": str(row["value"])} for v in data["variables"] for row in values(v)]
    names = list(kinds)
    frames = {variable["name"]: one(variable) for variable in data["variables"]}
    frames["values"] = lambda: _frame(every, {"variable": names, "value": str, **chances})
    means = [{**variable, "variable": variable["name"]} for variable in data["variables"] if "mean" in variable]
    frames["means"] = lambda: _frame(means, {"variable": names, "mean": float, "se": float, "sd": float})
    if "stages" in data:
        frames["stages"] = lambda: _stages(data["stages"], names[0], variables.get(names[0], str))
    if "joint" in data:
        frames["joint"] = lambda: _frame(data["joint"], {**kinds, "p": float})
    return frames


def _stages(stages, headline, kind) -> "polars.DataFrame":
    rows = [
        {"phase": stage["phase"], headline: ended["value"], "p": ended["p"], "goes_on": stage["goes_on"]}
        for stage in stages
        for ended in stage["ended"]
    ]
    phases = list(dict.fromkeys(stage["phase"] for stage in stages))
    return _frame(rows, {"phase": phases, headline: kind, "p": float, "goes_on": float})


def _sweep_frames(data, keys, variables) -> dict:
    def cells():
        rows = []
        for cell in data["cells"]:
            row = dict(zip(data["keys"], cell["at"]), refused=cell["refused"])
            for of, found in zip(data["of"], map(_spread, cell["found"])):
                row.update({of: found["value"], f"{of}.low": found["low"], f"{of}.high": found["high"]})
            rows.append(row)
        numbers = [of + end for of in data["of"] for end in ("", ".low", ".high")]
        columns = {key: keys.get(key) for key in data["keys"]}
        return _frame(rows, {**columns, **dict.fromkeys(numbers, float), "refused": str})

    return {"cells": cells}


def _table_frames(data, keys, variables) -> dict:
    def table():
        rows, columns = data["rows"], data["columns"]
        words = {**variables, **keys}.get(rows["name"])
        names = [_text(value) for value in columns["values"]]
        lines = [
            {rows["name"]: value, **{name: cell["value"] for name, cell in zip(names, line)}}
            for value, line in zip(rows["values"], data["cells"])
        ]
        return _frame(lines, {rows["name"]: words, **dict.fromkeys(names, float)})

    return {"table": table}


def _weigh_frames(data, keys, variables) -> dict:
    over = [one["key"] for one in data["over"]]
    values = {one["key"]: one["values"] for one in data["over"]}
    shares = ("share", "alone", "total")

    def flat(row, names):
        out = {}
        for name in names:
            spread = _spread(row[name])
            out.update({name: spread["value"], f"{name}.low": spread["low"], f"{name}.high": spread["high"]})
        return out

    def numbers(names):
        return {name + end: float for name in names for end in ("", ".low", ".high")}

    def carried():
        rows = [{"key": one["key"], **flat(one, shares)} for one in data["carried"]]
        return _frame(rows, {"key": over, **numbers(shares)})

    def means():
        of = data["of"]
        rows = [
            {"key": one["key"], "at": _text(value), **(flat({of: mean}, [of]) if mean else {})}
            for one in data["carried"]
            for value, mean in zip(values[one["key"]], one["means"])
        ]
        return _frame(rows, {"key": over, "at": str, **numbers([of])})

    def pairs():
        rows = [{"key": a, "with": b, **flat(pair, ["share"])} for pair in data["pairs"] for a, b in [pair["keys"]]]
        return _frame(rows, {"key": over, "with": over, **numbers(["share"])})

    return {"carried": carried, "means": means, "pairs": pairs}


def _field_frames(data, keys, variables) -> dict:
    names = [unit["name"] for unit in data["units"]]

    def cells():
        rows = [
            {"unit": unit, "target": target, data["of"]: value}
            for unit, line in zip(names, data["cells"])
            for target, value in zip(names, line)
        ]
        return _frame(rows, {"unit": names, "target": names, data["of"]: float})

    def units():
        columns = {"name": names, "number": int, "price": float, "strength": float, "fair_price": float}
        return _frame(data["units"], columns)

    def attacks():
        rows = [
            {"from": attack["from"], "at": attack["at"], **pairing}
            for attack in data["attacks"]
            for pairing in attack["pairings"] or ()
        ]
        columns = {"from": str, "at": str, "attacker": names, "target": names, "number": int, "each": float}
        return _frame(rows, columns)

    def unseen():
        rows = [
            {"from": attack["from"], "at": attack["at"], "side": side, "unit": unit, "p": p}
            for attack in data["attacks"]
            for side in ("attacker", "target")
            for unit, p in attack["unseen"][side].items()
        ]
        return _frame(rows, {"from": str, "at": str, "side": ["attacker", "target"], "unit": names, "p": float})

    def alike():
        rows = [{"unit": a, "with": b, "distance": pair["distance"]} for pair in data["alike"] for a, b in [pair["units"]]]
        return _frame(rows, {"unit": names, "with": names, "distance": float})

    return {"cells": cells, "units": units, "attacks": attacks, "unseen": unseen, "alike": alike}


def _decide_frames(data, keys, variables) -> dict:
    frames = {}
    if "policy" in data:
        frames["policy"] = lambda: _policy(data)
    for name in ("actions", "plans"):
        if name in data:
            frames[name] = lambda name=name: _worths(data[name], name[:-1])
    return {**frames, **_odds_frames(data, keys, variables)}


def _policy(data) -> "polars.DataFrame":
    rows = [{**state, **state["state"]} for state in data["policy"]]
    shown = list(dict.fromkeys(name for state in data["policy"] for name in state["state"]))
    ends = {"p": float, "action": str, "value": float, "margin": float}
    return _frame(rows, {"turn": int, "side": str, **dict.fromkeys(shown), **ends})


def _worths(rows, name) -> "polars.DataFrame":
    chances = [chance for chance in ("success", "failure") if any(chance in row for row in rows)]
    return _frame(rows, {name: str, "value": float, **dict.fromkeys(chances, float)})


def _rules_frames(data, keys, variables) -> dict:
    frames = {}
    if "rulesets" in data:
        columns = {"rules": str, "title": str, "about": str, "procedures": None}
        frames["rulesets"] = lambda: _frame(data["rulesets"], columns)
    if "procedures" in data:
        columns = {"name": str, "composed": bool, "about": str, "source": str}
        frames["procedures"] = lambda: _frame(data["procedures"], columns)
    if "settings" in data:
        columns = dict.fromkeys(("key", "default", "allowed", "meaning", "source"), str)
        frames["settings"] = lambda: _frame(data["settings"], columns)
        reported = {"name": str, "kind": str, "meaning": str, "labels": None}
        frames["variables"] = lambda: _frame(data["variables"], reported)
    return frames
